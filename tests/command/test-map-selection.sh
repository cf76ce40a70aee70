#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that --map builds the maps that its lists and ranges name and keeps
# the lumps of the others.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

# Names that are like others but for a letter are in no range of those.
for map in E1M1 E1M2 E1M3 E1M4 E1M5 E1M6 E1M7 E1M8 E1M9 E1M10 \
    E2M1 E2M2 E2M9 E2M10 E3M1 E3M9 E3M10 \
    MAP01 MAP02 MAP03 MAP04 MAP05 MAP06 MAP07 MAP10 MAP11 MAP99 MAP100 \
    TITLEMAP MAP05B E1X5 M2 M1-M3 map12; do
    room $map
done | wadtool make PWAD in.wad
wadtool list in.wad | awk '$2 == "BLOCKMAP" { print $5; exit }' >old-hash

# expect_built "NAME..." ARGUMENT...: these maps are built, and told of, and no
# others.
expect_built() {
    expected_maps=$1
    shift
    expect 0 blocksweep "$@" in.wad -o out.wad
    expect_no_errors
    expect_lumps_kept in.wad out.wad
    built=$(wadtool list out.wad | awk -v old="$(cat old-hash)" '
        { before = current; current = $2 }
        $2 == "THINGS" { map = before }
        $2 == "BLOCKMAP" && $5 != old { printf "%s%s", separator, toupper(map)
                                        separator = " " }')
    [ "$built" = "$expected_maps" ] ||
        fail "$* has built $built; $expected_maps was expected"
    reported=$(sed '1d; /^Total/,$d; s/ .*//' output)
    # shellcheck disable=SC2086 # one word a map
    [ "$reported" = "$(printf '%s\n' $expected_maps)" ] ||
        fail_showing output "the report was expected to have $expected_maps"
    for map in $built; do
        [ "$map" = MAP12 ] || expect_room out.wad "$map"
    done
}

while IFS='|' read -r maps arguments; do
    # shellcheck disable=SC2086 # words
    expect_built "$maps" $arguments </dev/null
done <<'END'
MAP01|--map=MAP01
MAP01|-m MAP01
MAP01|-mMAP01
MAP01|--map MAP01
MAP01|--map=map01
MAP01 MAP04 MAP05 MAP06 MAP07|--map=MAP01,MAP04-MAP07
MAP01 MAP04 MAP05 MAP06 MAP07|--map=mAP04-Map07,MAP01
MAP01 MAP04 MAP05|--map=MAP04-MAP05 --map=MAP01
MAP01 MAP02 MAP03|--map=MAP01-MAP03,MAP02-MAP03,MAP01
MAP11 MAP99 MAP100 MAP12|--map=MAP11-MAP100
MAP11 MAP12|--map=MAP11-MAP20
MAP12|--map=map12
E1M3 E1M4 E1M5 E1M6 E1M7 E1M8 E1M9 E1M10 E2M1 E2M2|--map=E1M3-E2M2
E1M9 E1M10|--map=E1M9-E1M10
E3M1 E3M9 E3M10|--map=E3M0-E9M9
TITLEMAP|--map=titlemap
MAP05B|--map=MAP05B
E1M1 MAP01 M1-M3|--map=M1-M3,E1M1,MAP01
END

# Damage in maps that were not asked for does no harm.
{ room MAP01 | without LINEDEFS; room MAP02; } | wadtool make PWAD in.wad
expect_built MAP02 --map=MAP02
