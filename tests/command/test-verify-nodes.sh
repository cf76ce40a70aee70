#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that verify --nodes tells segs that do not pass from those that could
# not be checked.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

# judge STATUS FINDING OPTION...: verifies the map in in.wad with its segs; the
# report has this finding.
judge() {
    expected_status=$1
    finding=$2
    shift 2
    expect "$expected_status" blocksweep verify --nodes "$@" in.wad
    expect_no_errors
    grep -q -e "$finding" output || {
        cat output
        fail "'$finding' was expected"
    }
}

# --- A room with four segs, one for each linedef ---

write_room
write_segs

# take LUMP-FILE: gives the room this lump.
take() {
    room MAP01 | replacing BLOCKMAP "$folder/$1" | wadtool make PWAD in.wad
}

take room-blockmap
judge 0 'segs in blocks that list their linedefs: 4'
judge 0 '"nodes_checked": true' --json
judge 0 '"checked_segs": 4' --json

# Half a word too much does not matter.
{ cat room-blockmap; printf x; } >lump
take lump
judge 0 'segs in blocks that list their linedefs: 4'

# A seg whose linedef is not listed.
words 0 0 2 1 6 6 0 0 1 3 65535 >lump
take lump
judge 1 'segs: MAP01: SEGS: seg 2 of linedef 2 '
judge 1 '"nodes_checked": true' --json
judge 1 '"nodes_error": ".*seg' --json

# Lists that cannot be read, no lists, and a stage that does not take what is
# no linedef before them.
words 0 0 2 1 6 99 0 0 1 3 65535 >lump
take lump
judge 1 'segs not checked: not all of the lump can be read'
: >lump
take lump
judge 0 'segs not checked: there are no lists'
judge 1 'segs not checked: there are no lists' --strict
words 0 0 2 1 6 11 9 0 1 3 65535 9 1 2 3 65535 >lump
take lump
judge 1 'segs not checked: MAP01: BLOCKMAP: '
grep -q 'good, rejected$' output || fail "the lists were expected to be good"
judge 1 '"nodes_checked": false' --json
judge 1 '"nodes_unchecked": "MAP01: BLOCKMAP' --json
judge 1 '"rejected": true' --json

# No segs, and segs that cannot be read: the lump is good, but was not checked.
cp room-blockmap BLOCKMAP
: >SEGS
take room-blockmap
judge 1 'segs not checked: MAP01: SEGS: '
grep -q 'good, rejected$' output || fail "the lump was expected to be good"
printf x >SEGS
take room-blockmap
judge 1 'segs not checked: MAP01: '

# --- Real segs, and one of a linedef elsewhere ---

wad=$freedoom_dir/freedoom2.wad
[ -r "$wad" ] || skip "the rest, as Freedoom Phase 2 is not there"
has zdbsp || skip "the rest, as zdbsp is not there"
zdbsp -X -o rebuilt.wad "$wad" >log 2>&1 || fail "zdbsp did not build"
expect_build --map=MAP02 rebuilt.wad -o own.wad
expect 0 blocksweep verify --nodes --map=MAP02 own.wad
grep -q 'segs in blocks that list their linedefs: [1-9]' output ||
    fail "segs were expected to pass"
ends=$("$BUILD_DIR/tests/help/convertwad" ends "$wad" MAP02)
"$BUILD_DIR/tests/help/segtool" damage own.wad MAP02 NODES "${ends% *}" \
    "${ends#* }" >log
expect 0 blocksweep verify --map=MAP02 own.wad
expect 1 blocksweep verify --nodes --map=MAP02 own.wad
grep -q 'segs: MAP02: NODES: seg ' output || fail "a seg was expected to fail"
