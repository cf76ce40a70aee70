#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a map without a BLOCKMAP gets one at its canonical place.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

# expect_added NAMES: in.wad, built, has lumps of these names in this order.
expect_added() {
    expect_build in.wad -o out.wad
    [ "$(list_names out.wad)" = "$1" ] ||
        fail "found $(list_names out.wad); $1 was expected"
    wadtool list in.wad | cut -d' ' -f2- | grep -v '^BLOCKMAP ' >old-list
    wadtool list out.wad | cut -d' ' -f2- | grep -v '^BLOCKMAP ' >new-list
    diff old-list new-list || fail "other lumps are not the same"
    expect_build out.wad -o twice.wad
    expect_same out.wad twice.wad
}

# Right behind REJECT: before the next map, before other lumps, at the end.
whole="THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS REJECT \
BLOCKMAP"
{
    room MAP01 | without BLOCKMAP
    room MAP02 | without BLOCKMAP
    echo "DATA $folder/THINGS"
    room MAP03
    room MAP04 | without BLOCKMAP
} | wadtool make IWAD in.wad
expect_added "MAP01 $whole MAP02 $whole DATA MAP03 $whole MAP04 $whole"
for map in MAP01 MAP02 MAP03 MAP04; do
    expect_room out.wad $map
done

# Before what comes later in the canonical order.
{ room MAP01 | without BLOCKMAP; echo "SCRIPTS $folder/THINGS"; } |
    wadtool make PWAD in.wad
expect_added "MAP01 $whole SCRIPTS"
expect_room out.wad MAP01

# Without REJECT, behind the last lump that stands before it.
{
    room MAP01 | without BLOCKMAP | without REJECT
    room MAP02 | without BLOCKMAP | without REJECT
} | wadtool make PWAD in.wad
whole="${whole% REJECT*} BLOCKMAP"
expect_added "MAP01 $whole MAP02 $whole"
expect_room out.wad MAP01
expect_room out.wad MAP02

# With nothing but what a blockmap is made from, in another order.
{
    for map in MAP01 MAP02; do
        echo $map
        echo "VERTEXES $folder/VERTEXES"
        echo "LINEDEFS $folder/LINEDEFS"
    done
} | wadtool make PWAD in.wad
expect_added "MAP01 VERTEXES LINEDEFS BLOCKMAP MAP02 VERTEXES LINEDEFS BLOCKMAP"
expect_room out.wad MAP01
expect_room out.wad MAP02

# An empty BLOCKMAP stays where it is and is filled.
{ room MAP01 | replacing BLOCKMAP ""; room MAP02; } | wadtool make PWAD in.wad
expect_added "$(list_names in.wad)"
expect_room out.wad MAP01

# A map that was not asked for, and one that fails, get none.
{
    room MAP01 | without BLOCKMAP
    room MAP02 | without BLOCKMAP
    room MAP03 | without BLOCKMAP | without VERTEXES
} | wadtool make PWAD in.wad
expect 1 blocksweep --quiet --map=MAP02-MAP03 in.wad -o out.wad
expect_sentence in.wad MAP03 VERTEXES
[ "$(wadtool list out.wad | awk '$2 == "BLOCKMAP" { print $1 }')" = 20 ] ||
    fail "one BLOCKMAP was expected, that of MAP02"
expect_room out.wad MAP02
