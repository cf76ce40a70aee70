#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the lumps present decide how a map is read: what is sound in one
# format is refused in another, with a sentence, and kept as it is.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

# expect_map_refused PART...: MAP02 of in.wad fails; other maps do not.
expect_map_refused() {
    expect 1 blocksweep --quiet in.wad -o out.wad
    expect_sentence "in.wad: MAP02: " "$@"
    expect_lumps_kept in.wad out.wad
    expect_room out.wad MAP01
    expect_room out.wad MAP03
    wadtool extract out.wad MAP02/BLOCKMAP >kept
    expect_same kept BLOCKMAP
}

# The room's linedefs are records of 14 bytes, those of these formats have 16.
for lump in BEHAVIOR LEAFS LIGHTS MACROS; do
    {
        room MAP01
        room MAP02
        echo "$lump $folder/THINGS"
        room MAP03
    } | wadtool make PWAD in.wad
    expect_map_refused LINEDEFS "a multiple of 16"
done

# A UDMF map whose text is none.
printf '%s\n' MAP01 "TEXTMAP $folder/THINGS" ENDMAP | wadtool make PWAD in.wad
expect 1 blocksweep --quiet in.wad -o out.wad
expect_sentence "in.wad: MAP01: " TEXTMAP line column
expect_lumps_kept in.wad out.wad
