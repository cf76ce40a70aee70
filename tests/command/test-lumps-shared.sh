#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that lumps which share bytes in the input share them in the output,
# and that lumps which share bytes with a BLOCKMAP keep theirs.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

# The same bytes, a part of them, and parts of two lumps that follow each
# other; one of these is in a map.
{
    room MAP01                      # lumps 0 to 10
    echo "DATA $folder/SIDEDEFS"    # 11: 21 bytes
    echo "NEXT $folder/SEGS"        # 12: 17 bytes
    echo "SAME @11 0 21"
    echo "PART @11 3 9"
    echo "BOTH @11 15 12"
    echo "OVERLAP @12 2 5"
    echo "OFMAP @2 14 28"
    room MAP02
} | wadtool make PWAD in.wad
expect_build in.wad -o out.wad
expect_lumps_kept in.wad out.wad
wadtool overlaps in.wad >before
wadtool overlaps out.wad >after
diff before after || fail "not the same bytes are shared"
[ "$(wc -l <before)" -eq 9 ] || fail "9 pairs were expected to share bytes"
expect_build out.wad -o twice.wad
expect_same out.wad twice.wad

# Maps that share all they have: one BLOCKMAP is made and shared, too.
{
    room MAP01
    echo MAP02
    number=1
    for name in THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS \
        REJECT BLOCKMAP; do
        echo "$name @$number 0 $(wc -c <$name)"
        number=$((number + 1))
    done
} | wadtool make PWAD in.wad
expect_build in.wad -o out.wad
expect_lumps_kept in.wad out.wad
expect_room out.wad MAP01
expect_room out.wad MAP02
wadtool overlaps in.wad >before
wadtool overlaps out.wad >after
diff before after || fail "not the same bytes are shared"
[ "$(wc -l <before)" -eq 10 ] || fail "10 pairs were expected to share bytes"

# Maps that share their BLOCKMAP and stand in different places: each gets its
# own, of the same size.
words 128 0 128 100 328 100 328 0 >elsewhere
{
    room MAP01
    room MAP02 | replacing BLOCKMAP "@10 0 $(wc -c <BLOCKMAP)" |
        replacing VERTEXES elsewhere
} | wadtool make PWAD in.wad
expect_build in.wad -o out.wad
expect_lumps_kept in.wad out.wad
expect_room out.wad MAP01
[ "$(wadtool blockmap out.wad MAP02/BLOCKMAP)" = "128 0 2 1 16 11" ] ||
    fail "the blockmap of MAP02 was expected to be its own"
[ -z "$(wadtool overlaps out.wad)" ] || fail "nothing was expected to be shared"

# A lump that shares the old BLOCKMAP's bytes keeps them.
{ room MAP01; echo "DATA @10 4 6"; echo "COPY @10 0 $(wc -c <BLOCKMAP)"; } |
    wadtool make PWAD in.wad
expect_build in.wad -o out.wad
expect_lumps_kept in.wad out.wad
expect_room out.wad MAP01
[ "$(wadtool overlaps out.wad)" = "11 12 -4" ] ||
    fail "only DATA and COPY were expected to share bytes"
