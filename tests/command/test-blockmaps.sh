#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that samples/blockmaps is what its script makes; that verify finds in
# each lump what expect.json says, as does a reader that was written from
# blockmap(5) alone; that both comparisons notice a wrong expect.json; and that
# they say what passed.

. "$SOURCE_DIR/tests/help/library.sh"

need_json
samples=$SOURCE_DIR/samples/blockmaps
reader=$SOURCE_DIR/tests/command/blockmap-reader.pl

mkdir made
cp "$samples/README.md" "$samples/make.pl" made
perl made/make.pl made
diff -r "$samples" made || fail "make.pl makes other samples"
expect_count 46 made/expect.json '"file": "good/'
expect_count 76 made/expect.json '"file": "bad/'

# compare TASK...
compare() {
    perl "$SOURCE_DIR/tests/command/blockmaps.pl" made "$@"
}

compare wad samples.wad
expect 1 blocksweep verify --json samples.wad
cp output verified
for task in report "reader $reader"; do
    # shellcheck disable=SC2086 # two words
    compare $task <verified >passed ||
        fail_showing passed "the samples were expected to pass: $task"
    expect_match passed '^good/.*: read$' '^bad/.*: refused, grid$' \
        '^122 of 122 samples passed$'
done

# A reason, a grid, a header, a list.
while read -r task change; do
    sed "$change" "$samples/expect.json" >made/expect.json
    ! cmp -s "$samples/expect.json" made/expect.json ||
        fail "$change changes nothing"
    case $task in
    report) ! compare report <verified >differ ;;
    *) ! compare reader "$reader" >differ ;;
    esac || fail "the $task agrees after $change, too"
    expect_match differ ' was expected$' '^1[012].* of 122 samples passed$'
done <<'EOM'
report s/"refuse": "end"/"refuse": "offset"/
report s/"columns": 5/"columns": 4/
report s/"header": "any"/"header": "none"/
reader s/"refuse": "size"/"refuse": "header"/
reader s/\[3, 2, 1\]/[3, 1, 2]/
EOM
