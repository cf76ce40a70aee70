#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that build says once a file what changed that demos depend on: the
# grid, the words before lists, the order of linedefs, and linedefs that lists
# lost or got; and that it says nothing if the lumps stay as they were.

. "$SOURCE_DIR/tests/help/library.sh"
write_room

# The old lumps, and what a build changes.  All but the first grid have their
# blocks at 0,0 and 128,0.
while IFS='|' read -r change old; do
    # shellcheck disable=SC2086 # words
    words $old >old-blockmap
    room MAP01 | replacing BLOCKMAP old-blockmap | wadtool make PWAD in.wad
    expect 0 blocksweep in.wad -o out.wad
    expect_text errors "blocksweep: in.wad: demos recorded on these maps may \
go out of sync: $change in 1 of 1 maps"
    expect_lump out.wad MAP01/LINEDEFS LINEDEFS
done <<'END'
a different grid|64 0 1 1 5 0 0 1 2 3 65535
different headers of lists|0 0 2 1 6 10 0 1 3 65535 1 2 3 65535
a different order in lists|0 0 2 1 6 11 0 0 3 1 65535 0 1 2 3 65535
a different order in lists|0 0 2 1 6 11 0 0 1 3 65535 0 1 2 2 3 65535
fewer linedefs in lists|0 0 2 1 6 12 0 0 1 2 3 65535 0 1 2 3 65535
more linedefs in lists|0 0 2 1 6 11 0 0 1 3 65535 0 1 2 65535
END

# Nothing changed; nobody asked; each is said once.
{ room MAP01; room MAP02; room MAP03; } |
    sed "s|/BLOCKMAP$|/room-blockmap|" | wadtool make PWAD same.wad
expect 0 blocksweep same.wad -o out.wad
expect_no_errors
expect_lump out.wad MAP01/BLOCKMAP room-blockmap
words 0 0 2 1 6 11 0 0 3 1 65535 0 1 2 65535 >old-blockmap
words 0 0 2 1 6 10 0 1 3 65535 1 2 3 65535 >bare-blockmap
{
    room MAP01
    room MAP02 | replacing BLOCKMAP bare-blockmap
    room MAP03 | without BLOCKMAP
    room MAP04
} | sed "s|/BLOCKMAP$|/old-blockmap|" | wadtool make PWAD in.wad
expect 0 blocksweep in.wad -o out.wad
expect_sentence "out of sync: different headers of lists in 1 of 4 maps, a different \
order in lists in 2, more linedefs in lists in 2, a blockmap where ports had none \
or built their own in 1"
expect 0 blocksweep --quiet in.wad -o out.wad
expect_no_errors

# Most ports read no lump of 65,536 words or more, and none in the form XBM1.
for bytes in 131070 131072; do
    cat room-blockmap /dev/zero | head -c $bytes >long-blockmap
    room MAP01 | replacing BLOCKMAP long-blockmap | wadtool make PWAD in.wad
    expect 0 blocksweep in.wad -o $bytes.wad
    if [ $bytes -eq 131070 ]; then
        expect_no_errors
        expect 0 blocksweep diff in.wad $bytes.wad
        expect_not_in output "most ports" "out of sync"
        continue
    fi
    expect_sentence "a blockmap where ports had none or built their own in 1 of 1"
    expect 0 blocksweep diff in.wad $bytes.wad
    expect_in output "most ports read only the new lump" \
        "Demos of 1 map may go out of sync"
    expect 0 blocksweep diff $bytes.wad in.wad
    expect_in output "most ports read only the old lump"
    expect 0 blocksweep --dry-run --json in.wad
    expect_not_in output '"keeping_demos": 1'
done
expect 0 blocksweep --for=woof-dev --format=xbm1 same.wad -o xbm1.wad
expect_sentence "an empty or XBM1 blockmap in 3"
expect 0 blocksweep xbm1.wad -o out.wad
expect_sentence "a blockmap where ports had none or built their own in 3"
expect 0 blocksweep diff same.wad xbm1.wad
expect_in output "Demos of 3 maps may go out of sync"

# Options: each of these changes lists on the same grid.
rooms 12 12 500 300
expect_build rooms.wad -o old.wad
expect 0 blocksweep --pack=nest old.wad -o out.wad
expect_sentence "more linedefs in lists in 1"
expect 0 blocksweep --quiet --for=doom19 old.wad -o bare.wad
expect 0 blocksweep --for=doom19 --pack=nest bare.wad -o out.wad
expect_in errors "a different order in lists in 1 of 1 maps"
expect 0 blocksweep --grid=id old.wad -o out.wad
expect_in errors "a different grid in 1 of 1 maps"
rooms 36 36 500 300
expect 0 blocksweep --quiet rooms.wad -o old.wad
expect 0 blocksweep --for=doom19,boom --overflow=merge old.wad -o out.wad
expect_in errors "lists were merged" "more linedefs in lists in 1"

# E2M1's own lump has no headers, so that not every port can keep it.
expect 0 blocksweep "$SOURCE_DIR/samples/e2m1.wad" -o out.wad
expect_sentence "different headers of lists in 1 of 1 maps"
expect 0 blocksweep --dry-run "$SOURCE_DIR/samples/e2m1.wad"
expect_match output '^repack  *0  *1  *6602  *0  *0  *0  *0$' \
    '^compatible  *0  *1  *7104  *0  *0  *0  *0$'

# Lumps that cannot be read, or only in part, stop nothing.
for old in "0 0" "0 0 2 1 6" "0 0 2 1 6 999 0 0 1 3" "0 0 65535 65535 4"; do
    # shellcheck disable=SC2086 # words
    words $old >old-blockmap
    room MAP01 | replacing BLOCKMAP old-blockmap | wadtool make PWAD in.wad
    expect 0 blocksweep in.wad -o out.wad
    expect_room out.wad MAP01
done
