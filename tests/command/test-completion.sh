#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that bash and zsh complete what the command takes: commands, the
# options of each, their values and files.

. "$SOURCE_DIR/tests/help/library.sh"

has zsh || skip "zsh is not there, by which lines are typed"
LC_ALL=C.UTF-8
export LC_ALL

# The scripts lie as in /usr/share, and the shells are told where that is.
share=$folder/share
mkdir -p "$share/bash-completion/completions" "$share/zsh/site-functions" place
for script in blocksweep.bash _blocksweep; do
    from=$BUILD_DIR/command/completion/$script
    [ -e "$from" ] || from=$SOURCE_DIR/command/completion/$script
    cp "$from" "$share"
done
mv "$share/blocksweep.bash" "$share/bash-completion/completions"
mv "$share/_blocksweep" "$share/zsh/site-functions"

cd place
mkdir folder.d
: >note.txt
: >nötig.wad
: >packed.WAD.gz
: >"two words.wad"
: >"it's.wad"
wads="folder.d it's.wad nötig.wad packed.WAD.gz"

# expect_candidates LINE WORD...: adds to what is to be asked, and expected.
: >../lines
: >../candidates
expect_candidates() {
    printf '%s\n' "$1" >>../lines
    printf '%s:\n' "$1" >>../candidates
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" | LC_ALL=C sort >>../candidates
}

# shellcheck disable=SC2086 # words
expect_candidates "blocksweep " build verify show diff help version $wads \
    "two words.wad"
# shellcheck disable=SC2086 # words
expect_candidates "blocksweep diff in.wad " $wads "two words.wad"
expect_candidates "blocksweep ver" verify version
expect_candidates "blocksweep help ver" verify
expect_candidates 'blocksweep two\ w' "two words.wad"
expect_candidates "blocksweep in.wad -o n" note.txt nötig.wad
expect_candidates "blocksweep in.wad --output=n" note.txt nötig.wad
expect_candidates "blocksweep show x.wad --html=no" note.txt
expect_candidates "blocksweep --plugin=./fol" ./folder.d
expect_candidates "blocksweep --map="
expect_candidates "blocksweep --pac" --pack
expect_candidates "blocksweep --check-nod" --check-nodes
expect_candidates "blocksweep --check-nodes=" no yes
expect_candidates "blocksweep --check-nodes nö" nötig.wad
expect_candidates "blocksweep --builder=z" zdbsp zokumbsp zennode
expect_candidates "blocksweep -B z" zdbsp zokumbsp zennode
expect_candidates "blocksweep --overflow merge,e" merge,empty merge,error

# All options of each command, and all values but numbers and forms.
for command in build verify show diff; do
    # shellcheck disable=SC2046 # words
    expect_candidates "blocksweep $command --" $(blocksweep $command --help |
        sed -n 's/^  -[A-Za-z], --\([a-z-]*\).*/--\1/p
                s/^  --\([a-z-]*\).*/--\1/p')
done
"$BUILD_DIR/tests/command/list-options" "$PLUGIN" >../options
for option in $(sed -n 's/^stage //p' ../options); do
    # shellcheck disable=SC2046 # words
    expect_candidates "blocksweep --$option=" \
        $(sed -n "s/^choice $option \([a-z0-9+-]*\)$/\1/p" ../options)
done
[ "$(wc -l <../lines)" -ge 30 ] || fail "options of the stage were expected"

for shell in bash zsh; do
    if [ $shell = bash ] &&
        ! [ -r /usr/share/bash-completion/bash_completion ]; then
        echo "bash-completion is not there: bash is not tested"
        continue
    fi
    set --
    while IFS= read -r line; do
        set -- "$@" "$line"
    done <../lines
    expect 0 timeout 1200 zsh -f "$SOURCE_DIR/tests/command/complete.zsh" \
        $shell "$share" "$@"
    # Each shell has its order, and may add what follows a word.
    sed 's|[/,=]$||' ../output | LC_ALL=C awk '
        /:$/ { line++; print line, 0, $0; next }
        { print line, 1, $0 }' | LC_ALL=C sort -k 1,1n -k 2,2n -k 3 |
        cut -d " " -f 3- >../found
    diff ../candidates ../found || fail "$shell does not complete this"
done
