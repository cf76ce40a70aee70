#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a build changes nothing in a WAD but the BLOCKMAP lumps of maps,
# and that building again changes nothing.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

# expect_stable: built again, and built from the result, in.wad is the same.
expect_stable() {
    expect_build in.wad -o again.wad
    expect_same out.wad again.wad
    expect_build out.wad -o twice.wad
    expect_same out.wad twice.wad
}

# Kind, lumps and their order stay.
for kind in IWAD PWAD; do
    { echo "DEMO1 $folder/THINGS"; room MAP01; echo EMPTY; room E1M1; } |
        wadtool make $kind in.wad
    expect_build in.wad -o out.wad
    [ "$(head -c 4 out.wad)" = $kind ] || fail "$kind was expected"
    expect_lumps_kept in.wad out.wad
    expect_room out.wad MAP01
    expect_room out.wad E1M1
    expect_stable
done

# A BLOCKMAP that is in no map stays what it is.
{ room MAP01; echo DATA; echo "BLOCKMAP $folder/BLOCKMAP"; } |
    wadtool make PWAD in.wad
expect_build in.wad -o out.wad
expect_lumps_kept in.wad out.wad
expect_room out.wad MAP01
wadtool extract out.wad DATA/BLOCKMAP >stray
expect_same stray BLOCKMAP
expect_stable

# Names keep their eight bytes, in lower case and with what is behind the NUL.
{
    room 'map01\000\001\040'
    printf '%s\n' '\000nothing'
    room 'MAP02\000\000x' |
        sed 's/^THINGS/things/; s/^VERTEXES/Vertexes/; s/^SEGS/SEGS\\000\\377x/'
} | wadtool make PWAD in.wad
expect_build in.wad -o out.wad
expect_lumps_kept in.wad out.wad
expect_room out.wad 'map01\000\001\040'
expect_room out.wad 'MAP02\000\000x'
expect_stable
