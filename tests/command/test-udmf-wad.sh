#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves what the command makes of WADs with maps in UDMF: BLOCKMAP is replaced
# where it is or added right before ENDMAP, everything else stays, and a map
# that cannot be read is told of and does not keep others from being built.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

convertwad() {
    "$BUILD_DIR/tests/help/convertwad" "$@"
}

# The room as text.
cat >TEXTMAP <<'END'
namespace = "Doom"; // the room
vertex { x = 0; y = 0; }
vertex { x = 0.0; y = 100.000; }
vertex { x = 200; y = 1e2; }
vertex { x = 200; y = 0; }
linedef { v1 = 0; v2 = 1; sidefront = 0; blocking = true; }
linedef { v1 = 1; v2 = 2; sidefront = 1; blocking = true; }
linedef { v1 = 2; v2 = 3; sidefront = 2; blocking = true; }
linedef { v1 = 3; v2 = 0; sidefront = 3; blocking = true; }
END
echo "what is in ENDMAP, which nothing forbids" >ENDMAP

# text_room MARKER NAME...: prints the room as a recipe, with these lumps
# between TEXTMAP and ENDMAP.
text_room() {
    echo "$1"
    echo "TEXTMAP $folder/TEXTMAP"
    shift
    for name in "$@"; do
        [ -e "$name" ] || echo "what was in $name" >"$name"
        echo "$name $folder/$name"
    done
    echo "ENDMAP $folder/ENDMAP"
}

# expect_others_kept: out.wad has the lumps of in.wad but for BLOCKMAP.
expect_others_kept() {
    wadtool list in.wad | cut -d ' ' -f 2- | grep -v '^BLOCKMAP ' >old-list
    wadtool list out.wad | cut -d ' ' -f 2- | grep -v '^BLOCKMAP ' >new-list
    diff old-list new-list || fail "other lumps are not the same"
}

# expect_built NAMES MAP...: in.wad becomes a WAD of lumps with these names in
# this order, in which these maps have the room's blockmap; built again it
# stays the same.
expect_built() {
    names=$1
    shift
    expect_build in.wad -o out.wad
    [ "$(list_names out.wad)" = "$names" ] ||
        fail "found $(list_names out.wad); $names was expected"
    expect_others_kept
    for map in "$@"; do
        expect_room out.wad "$map"
    done
    expect_build in.wad -o again.wad
    expect_same out.wad again.wad
    expect_build out.wad -o twice.wad
    expect_same out.wad twice.wad
}

# --- The place of BLOCKMAP ---

# Replaced where it is: first, between others, last.
{
    text_room MAP01 BLOCKMAP ZNODES REJECT DIALOGUE BEHAVIOR SCRIPTS
    text_room MAP02 SCRIPTS ZNODES BLOCKMAP REJECT
    text_room TITLEMAP ZNODES REJECT BLOCKMAP
} | wadtool make PWAD in.wad
expect_built "$(list_names in.wad)" MAP01 MAP02 TITLEMAP
expect_lumps_kept in.wad out.wad

# An empty one is filled where it is.
text_room MAP01 ZNODES BLOCKMAP SCRIPTS | replacing BLOCKMAP "" |
    wadtool make PWAD in.wad
expect_built "MAP01 TEXTMAP ZNODES BLOCKMAP SCRIPTS ENDMAP" MAP01

# Added right before ENDMAP, whatever else is there; names of lumps that binary
# maps have are nothing special.
{
    text_room MAP01
    echo "DATA $folder/ENDMAP"
    text_room MAP02 ZNODES REJECT SCRIPTS
    text_room MAP03 OTHER THINGS LINEDEFS
    text_room MAP04 ZNODES BLOCKMAP
} | wadtool make IWAD in.wad
expect_built "MAP01 TEXTMAP BLOCKMAP ENDMAP DATA \
MAP02 TEXTMAP ZNODES REJECT SCRIPTS BLOCKMAP ENDMAP \
MAP03 TEXTMAP OTHER THINGS LINEDEFS BLOCKMAP ENDMAP \
MAP04 TEXTMAP ZNODES BLOCKMAP ENDMAP" MAP01 MAP02 MAP03 MAP04

# --- Maps that cannot be read ---

# expect_failed MAP PART...: in.wad is built, but for this map, whose lumps are
# kept; the sentence about it has these parts.  MAP02 is the room.
expect_failed() {
    map=$1
    shift
    expect 1 blocksweep --quiet in.wad -o out.wad
    expect_sentence "in.wad: $map: TEXTMAP: " "$@"
    expect_others_kept
    expect_room out.wad MAP02
    [ "$(wadtool list out.wad | grep -c ' BLOCKMAP ')" -eq 1 ] ||
        fail "one BLOCKMAP was expected, that of MAP02"
}

# Without ENDMAP, before a map in UDMF, before one in Doom format, at the end.
for second in text_room room; do
    { text_room MAP01 ZNODES | without ENDMAP; $second MAP02; } |
        wadtool make PWAD in.wad
    expect_failed MAP01 "lump 1" ENDMAP
    { $second MAP02; text_room MAP03 ZNODES | without ENDMAP; } |
        wadtool make PWAD in.wad
    expect_failed MAP03 "lump $(wadtool list in.wad |
        awk '$2 == "TEXTMAP" { number = $1 } END { print number }')" ENDMAP
done

# expect_error LINE COLUMN SENTENCE SCRIPT: the room's text as this script for
# sed changes it has an error at that place.
expect_error() {
    sed "$4" TEXTMAP >DAMAGED
    ! cmp -s TEXTMAP DAMAGED || fail "'$4' has not changed the text"
    { text_room MAP01 | replacing TEXTMAP "$folder/DAMAGED"; text_room MAP02; } |
        wadtool make PWAD in.wad
    expect_failed MAP01 "TEXTMAP: line $1, column $2: " "$3"
}

expect_error 2 17 "';'" '2s/;/ /'
expect_error 2 1 "name" '2s/^/=/'
expect_error 3 1 "vertex 1 has no y" '3s/y/z/'
expect_error 3 14 "vertex 1 has a coordinate" '3s/0.0/nought/'
expect_error 4 23 "vertex 2 has a coordinate" '4s/1e2/1e5/'
expect_error 6 1 "linedef 0 has no v1" '6s/v1 = 0;//'
expect_error 7 16 "linedef 1 has a vertex" '7s/v1 = 1/v1 = -1/'
expect_error 8 10 "'='" '8s/{//'
expect_error 9 1 "block has no end" '9s/}//'
expect_error 1 13 "string has no end" '1s/"Doom"/"Doom/'
expect_error 5 28 "comment has no end" '5s,$, /* here,'
# Lines end with a newline, whatever stands before it, and a tab is a column.
expect_error 3 2 "vertex 1 has no x" '1s/$/\r/; 2s/^/\t\t/; 3s/^/\t/; 3s/x =/u =/'

# A vertex that does not exist is no error of the text's.
sed '7s/v2 = 2/v2 = 4/' TEXTMAP >DAMAGED
{ text_room MAP01 | replacing TEXTMAP "$folder/DAMAGED"; text_room MAP02; } |
    wadtool make PWAD in.wad
expect 1 blocksweep --quiet in.wad -o out.wad
expect_sentence "in.wad: MAP01: " "linedef 1 " "vertex 4"
expect_room out.wad MAP02

# --- Beside other lumps and other formats ---

# GL nodes between maps stay what they are.
{
    room MAP01
    for name in GL_MAP01 GL_VERT GL_SEGS GL_SSECT GL_NODES GL_PVS; do
        echo "what was in $name" >"$name"
        echo "$name $folder/$name"
    done
    text_room MAP02 ZNODES BLOCKMAP
    echo "GL_MAP02 $folder/GL_MAP01"
    echo "GL_VERT $folder/GL_VERT"
} | wadtool make PWAD in.wad
expect_built "$(list_names in.wad)" MAP01 MAP02

# All formats in one file, each a turn with each map.
expect_build "$sample" -o plain.wad
for map in MAP01 MAP07 MAP30; do
    wadtool extract plain.wad $map/BLOCKMAP >plain-$map
done
set -- doom hexen doom64 udmf
for turn in 1 2 3 4; do
    convertwad convert "$sample" in.wad "MAP01=$1" "MAP07=$2" "MAP30=$3"
    expect_build in.wad -o out.wad
    expect_lumps_kept in.wad out.wad
    for map in MAP01 MAP07 MAP30; do
        wadtool extract out.wad $map/BLOCKMAP >built
        cmp built plain-$map ||
            fail "turn $turn: the blockmap of $map is another"
    done
    set -- "$2" "$3" "$4" "$1"
done
