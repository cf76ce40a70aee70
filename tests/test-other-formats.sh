#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that maps in formats which are not read are refused with a sentence
# and kept as they are.

set -eu
# shellcheck source=tests/library.sh
. "$SOURCE_DIR/tests/library.sh"
write_room

# expect_map_refused PART...: MAP02 of in.wad fails; other maps do not.
expect_map_refused() {
    expect 1 blocksweep --quiet in.wad -o out.wad
    expect_sentence "in.wad: MAP02: " "$@" "only Doom format is read"
    expect_lumps_kept in.wad out.wad
    expect_room out.wad MAP01
    expect_room out.wad MAP03
    wadtool extract out.wad MAP02/BLOCKMAP >kept
    expect_same kept BLOCKMAP
}

for lump in BEHAVIOR:Hexen LEAFS:"Doom 64" LIGHTS:"Doom 64" MACROS:"Doom 64"; do
    {
        room MAP01
        room MAP02
        echo "${lump%:*} $folder/THINGS"
        room MAP03
    } | wadtool make PWAD in.wad
    expect_map_refused "${lump%:*}: " "${lump#*:}"
done

# A file with nothing but a UDMF map has no map that can be seen.
printf '%s\n' MAP01 "TEXTMAP $folder/THINGS" ENDMAP | wadtool make PWAD in.wad
expect 1 blocksweep in.wad -o udmf.wad
expect_sentence in.wad "no map" THINGS LINEDEFS VERTEXES
[ ! -e udmf.wad ] || fail "nothing was expected to be written"
