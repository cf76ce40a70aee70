#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a build changes nothing in a WAD but the BLOCKMAP lumps of maps:
# kind, names, order and shared bytes stay.  A map without a BLOCKMAP gets one
# at its canonical place; and building again changes nothing.

. "$SOURCE_DIR/tests/help/library.sh"
write_room

# expect_built NAMES MAP...: in.wad becomes a WAD of lumps with these names in
# this order, in which these maps have the room's blockmap.
expect_built() {
    names=$1
    shift
    expect_build in.wad -o out.wad
    head -c 4 out.wad | expect_text - "$(head -c 4 in.wad)"
    list_names out.wad | expect_text - "$names"
    expect_others_kept in.wad out.wad
    expect_room out.wad "$@"
    expect_stable in.wad out.wad
}

# expect_replaced MAP...: the same, of a file that has all lumps before.
expect_replaced() {
    expect_built "$(list_names in.wad)" "$@"
}

# --- What stays ---

# Kind, lumps and their order.
for kind in IWAD PWAD; do
    { echo "DEMO1 $folder/THINGS"; room MAP01; echo EMPTY; room E1M1; } |
        wadtool make $kind in.wad
    expect_replaced MAP01 E1M1
done

# A BLOCKMAP that is in no map.
{ room MAP01; echo DATA; echo "BLOCKMAP $folder/BLOCKMAP"; } |
    wadtool make PWAD in.wad
expect 0 blocksweep --quiet in.wad -o out.wad
expect_sentence "MAP01: " "lump 12" "second BLOCKMAP"
expect_lump out.wad DATA/BLOCKMAP BLOCKMAP
expect_room out.wad MAP01

# Names keep their eight bytes, in lower case and with what follows the NUL.
{
    room 'map01\000\001\040'
    printf '%s\n' '\000nothing'
    room 'MAP02\000\000x' |
        sed 's/^THINGS/things/; s/^VERTEXES/Vertexes/; s/^SEGS/SEGS\\000\\377x/'
} | wadtool make PWAD in.wad
expect_replaced 'map01\000\001\040' 'MAP02\000\000x'

# GL nodes between maps.
{
    room MAP01
    for name in GL_MAP01 GL_VERT GL_SEGS GL_SSECT GL_NODES GL_PVS; do
        echo "$name $folder/THINGS"
    done
    text_room MAP02 ZNODES BLOCKMAP
    printf '%s\n' "GL_MAP02 $folder/SEGS" "GL_VERT $folder/SEGS"
} | wadtool make PWAD in.wad
expect_replaced MAP01 MAP02

# --- A map without a BLOCKMAP ---

# Right after REJECT: before the next map, before other lumps, at the end, and
# before what comes later in the canonical order.
most="THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS"
whole="$most REJECT BLOCKMAP"
{
    room MAP01 | without BLOCKMAP
    room MAP02 | without BLOCKMAP
    echo "DATA $folder/THINGS"
    room MAP03
    room MAP04 | without BLOCKMAP
} | wadtool make IWAD in.wad
expect_built "MAP01 $whole MAP02 $whole DATA MAP03 $whole MAP04 $whole" \
    MAP01 MAP02 MAP03 MAP04
{ room MAP01 | without BLOCKMAP; echo "SCRIPTS $folder/THINGS"; } |
    wadtool make PWAD in.wad
expect_built "MAP01 $whole SCRIPTS" MAP01

# Without lumps for nodes and REJECT, after the last lump that stands before it.
{
    room MAP01 | sed '/^SEGS/d; /^SSECTORS/d; /^NODES/d; /^REJECT/d; /^BLOCKMAP/d'
    room MAP02 | sed '/^SEGS/d; /^SSECTORS/d; /^NODES/d; /^REJECT/d; /^BLOCKMAP/d'
} | wadtool make PWAD in.wad
most="THINGS LINEDEFS SIDEDEFS VERTEXES SECTORS"
expect_built "MAP01 $most BLOCKMAP MAP02 $most BLOCKMAP" MAP01 MAP02

# In UDMF, right before ENDMAP, whatever else is there; names of lumps that
# binary maps have are nothing special.
{
    text_room MAP01
    echo "DATA $folder/ENDMAP"
    text_room MAP02 ZNODES REJECT SCRIPTS
    text_room MAP04 ZNODES BLOCKMAP
} | wadtool make IWAD in.wad
expect_built "MAP01 TEXTMAP BLOCKMAP ENDMAP DATA \
MAP02 TEXTMAP ZNODES REJECT SCRIPTS BLOCKMAP ENDMAP \
MAP04 TEXTMAP ZNODES BLOCKMAP ENDMAP" MAP01 MAP02 MAP04

# One that is there, also an empty one, is replaced where it is.
{
    room MAP01 | replacing BLOCKMAP ""
    text_room MAP02 BLOCKMAP ZNODES REJECT DIALOGUE BEHAVIOR SCRIPTS
    text_room TITLEMAP ZNODES REJECT BLOCKMAP | replacing BLOCKMAP ""
} | wadtool make PWAD in.wad
expect_replaced MAP01 MAP02 TITLEMAP

# A map that was not asked for, and one that fails, get none.
{
    room MAP01 | without BLOCKMAP
    room MAP02 | without BLOCKMAP
    room MAP03 | without BLOCKMAP | without VERTEXES
} | wadtool make PWAD in.wad
expect 1 blocksweep --quiet --map=MAP02-MAP03 in.wad -o out.wad
expect_sentence in.wad MAP03 VERTEXES
wadtool list out.wad | awk '$2 == "BLOCKMAP" { print $1 }' | expect_text - 20
expect_room out.wad MAP02

# --- Bytes that lumps share ---

# expect_shared COUNT: so many pairs of lumps do, the same as before.
expect_shared() {
    wadtool overlaps in.wad >before
    wadtool overlaps out.wad >after
    diff before after || fail "not the same bytes are shared"
    expect_count "$1" before
}

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
expect_replaced MAP01 MAP02
expect_shared 9

# Maps that share their BLOCKMAP and stand in different places: each gets its
# own, of the same size.
words 128 0 128 100 328 100 328 0 >elsewhere
{
    room MAP01
    room MAP02 | replacing BLOCKMAP "@10 0 $(wc -c <BLOCKMAP)" |
        replacing VERTEXES elsewhere
} | wadtool make PWAD in.wad
expect_replaced MAP01
wadtool blockmap out.wad MAP02/BLOCKMAP | expect_text - "128 0 2 1 16 11"
wadtool overlaps out.wad >after
expect_text after ""

# A lump that shares the old BLOCKMAP's bytes keeps them.
{ room MAP01; echo "DATA @10 4 6"; echo "COPY @10 0 $(wc -c <BLOCKMAP)"; } |
    wadtool make PWAD in.wad
expect_replaced MAP01
wadtool overlaps out.wad | expect_text - "11 12 -4" # DATA and COPY

# --- All formats in one file ---

expect_build "$sample" -o plain.wad
make_wad convert "$sample" in.wad MAP01=hexen MAP07=doom64 MAP30=udmf
expect_build in.wad -o out.wad
expect_lumps_kept in.wad out.wad
for map in MAP01 MAP07 MAP30; do
    wadtool extract plain.wad $map/BLOCKMAP >plain-blockmap
    expect_lump out.wad $map/BLOCKMAP plain-blockmap
done

# --- Maps that are selected ---

# Names that are like others but for a letter are in no range of those.
for map in E1M1 E1M2 E1M3 E1M4 E1M5 E1M6 E1M7 E1M8 E1M9 E1M10 \
    E2M1 E2M2 E2M9 E2M10 E3M1 E3M9 E3M10 \
    MAP01 MAP02 MAP03 MAP04 MAP05 MAP06 MAP07 MAP10 MAP11 MAP99 MAP100 \
    TITLEMAP MAP05B E1X5 M2 M1-M3 map12; do
    room $map
done | wadtool make PWAD in.wad
wadtool list in.wad | awk '$2 == "BLOCKMAP" { print $5; exit }' >old-hash

# expect_selected "NAME..." ARGUMENT...: these maps are built and told of, and
# no others.
expect_selected() {
    expected_maps=$1
    shift
    expect 0 blocksweep "$@" in.wad -o out.wad
    expect_sentence "a different grid in"
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
    expect_selected "$maps" $arguments </dev/null
done <<'END'
MAP01|--map=MAP01
MAP01|--map=map01
MAP01 MAP04 MAP05 MAP06 MAP07|--map=MAP01,MAP04-MAP07
MAP01 MAP04 MAP05|--map=MAP04-MAP05 --map=MAP01
MAP11 MAP99 MAP100 MAP12|--map=MAP11-MAP100
MAP12|--map=map12
E1M3 E1M4 E1M5 E1M6 E1M7 E1M8 E1M9 E1M10 E2M1 E2M2|--map=E1M3-E2M2
E3M1 E3M9 E3M10|--map=E3M0-E9M9
E1M1 MAP01 M1-M3|--map=M1-M3,E1M1,MAP01
END

# Damage in maps that were not asked for does no harm.
{ room MAP01 | without LINEDEFS; room MAP02; } | wadtool make PWAD in.wad
expect_selected MAP02 --map=MAP02
