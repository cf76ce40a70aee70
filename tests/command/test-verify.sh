#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that verify finds what is wrong with a lump, exactly as much as there
# is, and nothing in lumps that are right: on lumps made by hand, and on
# blocksweep's own.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room
cp room-blockmap BLOCKMAP

# judge STATUS LUMP-FILE OPTION...: verifies a room with this lump.
judge() {
    expected_status=$1
    lump=$2
    shift 2
    room MAP01 | replacing BLOCKMAP "$folder/$lump" | wadtool make PWAD in.wad
    expect "$expected_status" blocksweep verify "$@" in.wad
    expect_no_errors
}

# expect_line TEXT: a line of the report, but for the width of its gaps.
expect_line() {
    tr -s ' ' <output | sed 's/^ //' | grep -qxF -e "$1" || {
        cat output
        fail "'$1' was expected"
    }
}

expect_no_line() {
    ! grep -qF -e "$1" output || {
        cat output
        fail "'$1' was not expected"
    }
}

# expect_row GRID BYTES LISTS HEADERS MISSING EXTRA VERDICT
expect_row() {
    expect_line "MAP01 4 $*"
}

# --- Lumps made by hand ---

# The lists of the room are 0 1 3 in block 0,0 and 1 2 3 in block 1,0.

judge 0 room-blockmap --strict --verbose
expect_row 0,0 2x1 32 2 zero 0 0 good
expect_line "ZDoom family loads"
judge 0 room-blockmap
expect_no_line "ZDoom"

# A linedef is not there; another one is where it should not be.
words 0 0 2 1 6 10 0 0 3 65535 0 0 1 2 3 65535 >lump
judge 1 lump
expect_row 0,0 2x1 32 2 zero 1 1 bad
expect_line "missing linedef 1 in block 0,0 at 0,0"
expect_line "every engine wrong"
expect_no_line "extra linedef"
judge 1 lump --verbose
expect_line "extra linedef 0 in block 1,0 at 128,0"

# Only too much.
words 0 0 2 1 6 6 0 0 1 2 3 65535 >lump
judge 0 lump --verbose
expect_row 0,0 2x1 24 1 zero 0 2 good
expect_line "extra linedef 2 in block 0,0 at 0,0"
expect_line "extra linedef 0 in block 1,0 at 128,0"
judge 1 lump --strict
expect_row 0,0 2x1 24 1 zero 0 2 good, rejected
expect_line "Total 4 1 map 24 0 2 1 rejected"
judge 1 lump --strict --json
grep -q '"status": "good"' output || fail "the lump was expected to be good"
grep -q '"rejected": true' output || fail "the map was expected to fail"
judge 0 lump --json
grep -q '"rejected": false' output || fail "the map was expected not to fail"

# Lists without end, offsets outside and in the table.
words 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 >lump
judge 1 lump
expect_line "unreadable block 1,0, offset 11: its list has no end"
expect_line "ZDoom family rebuilds"
words 0 0 2 1 6 900 0 0 1 3 65535 >lump
judge 1 lump
expect_row 0,0 2x1 22 1 zero 0 0 bad
expect_line "unreadable block 1,0, offset 900: its offset is past the end of the lump"
expect_line "Doom 1.9, Chocolate Doom crashes"
words 0 0 2 1 6 5 0 0 1 3 65535 >lump
judge 1 lump
expect_line "unreadable block 1,0, offset 5: its offset is in the table of offsets"

# A linedef that the map does not have.
words 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 4 65535 >lump
judge 1 lump
expect_line "lists that number linedefs which the map does not have: 1"
expect_line "Crispy Doom crashes"

# Headers: of another kind, in some lists, in none.
words 0 0 2 1 6 11 3 0 1 3 65535 1 1 2 3 65535 >lump
judge 0 lump --strict
expect_row 0,0 2x1 32 2 any 0 0 good
expect_line "ZDoom family rebuilds"
expect_no_line "Boom"
words 0 0 2 1 6 10 0 1 3 65535 0 1 2 3 65535 >lump
judge 1 lump # all lists begin with 0, so it is no linedef
expect_row 0,0 2x1 30 2 zero 1 0 bad
expect_line "missing linedef 0 in block 0,0 at 0,0"
expect_no_line "Crispy"
words 0 0 2 1 6 10 1 0 3 65535 0 1 2 3 65535 >lump
judge 0 lump --strict
expect_row 0,0 2x1 30 2 mixed 0 0 good
expect_line "lists not in ascending order: 1"
expect_line "Boom family, below MBF21 wrong"
words 0 0 2 1 6 10 0 1 3 65535 1 2 3 65535 >lump
judge 0 lump --strict
expect_row 0,0 2x1 28 2 none 0 0 good
expect_line "Boom family, below MBF21 wrong"
expect_line "ZDoom family rebuilds"

# A 0 is a header where a list begins with it, and linedef 0 elsewhere, for what
# is counted and for what is named.
words 0 0 2 1 6 11 1 3 0 0 65535 0 2 0 1 3 65535 >lump
judge 0 lump --verbose
expect_row 0,0 2x1 34 2 mixed 0 1 good
expect_line "extra linedef 0 in block 1,0 at 128,0"
words 0 0 3 1 8 7 12 2 0 1 3 65535 0 65535 >lump
judge 0 lump --verbose
expect_row 0,0 3x1 28 3 mixed 0 0 good
expect_no_line "extra linedef"

# A grid that is too small, and one that begins too far to the east.
words 0 0 1 1 5 0 0 1 3 65535 >lump
judge 1 lump
expect_row 0,0 1x1 20 1 zero 3 0 bad
expect_line "missing linedef 2 in block 1,0 at 128,0, outside the grid"
expect_line "the grid does not enclose the lines; linedefs in blocks outside \
it: 3"
words 100 0 1 1 5 0 1 2 3 65535 >lump
judge 1 lump
expect_row 100,0 1x1 20 1 zero 3 0 bad
expect_line "missing linedef 0 in block -1,0 at -28,0, outside the grid"

# Lists that could be better.
words 0 0 2 1 6 11 0 3 0 1 65535 0 1 2 2 3 65535 7 7 7 >lump
judge 0 lump
expect_line "lists not in ascending order: 1"
expect_line "lists with a linedef more than once: 1"
expect_line "words in no list: 3"
words 0 0 4 1 8 13 18 20 0 0 1 3 65535 0 1 2 3 65535 0 65535 0 65535 >lump
judge 0 lump
expect_line "lists stored once more: 1"

# No grid, no table, half a word, no blocks, nothing, no lump.
words 0 0 2 >lump
judge 1 lump
expect_line "unreadable lump: 6 bytes hold no grid"
words 0 0 200 100 6 >lump
judge 1 lump
expect_line "unreadable lump: 5 words are too few for the offsets of 200 x \
100 blocks"
{ cat room-blockmap; printf x; } >lump
judge 0 lump
expect_line "bytes after the last word: 1"
words 0 0 0 0 >lump
judge 1 lump
expect_row 0,0 0x0 8 0 - 6 0 bad
: >lump
judge 0 lump
expect_row - 0 0 - 0 0 empty
expect_line "Doom 1.9, Chocolate Doom crashes"
expect_line "Crispy Doom rebuilds"
judge 1 lump --strict
expect_row - 0 0 - 0 0 empty, rejected
room MAP01 | without BLOCKMAP | wadtool make PWAD in.wad
expect 0 blocksweep verify in.wad
expect_row - 0 0 - 0 0 empty

# A grid whose westernmost blocks would begin below the lowest coordinate: what
# engines make of the lists is not known, but what they make of the offsets is.
words -32768 0 -32768 100 -32568 100 -32568 0 >VERTEXES
words -32718 0 2 1 6 6 0 0 1 2 3 65535 >lump
room MAP01 | replacing BLOCKMAP "$folder/lump" | wadtool make PWAD in.wad
expect 1 blocksweep verify in.wad
expect_sentence "the lists cannot be checked"
expect_row -32718,0 2x1 24 1 zero 0 0 failed
expect_no_line "family"
words -32718 0 2 1 6 99 0 0 1 2 3 65535 >lump
room MAP01 | replacing BLOCKMAP "$folder/lump" | wadtool make PWAD in.wad
expect 1 blocksweep verify in.wad
expect_line "Crispy Doom crashes"
expect_line "ZDoom family rebuilds"
write_room
cp room-blockmap BLOCKMAP
room MAP01 | wadtool make PWAD in.wad

# XBM1.
expect_build --format=xbm1 in.wad -o xbm1.wad
expect 0 blocksweep verify --strict xbm1.wad
expect_row 0,0 2x1 72 2 zero 0 0 good
expect_line "ZDoom family wrong"
expect_no_line "Woof"

# --- Linedefs that are left out ---

# Linedef 2 asks for it; then whoever lists it does no harm.
{ linedef 0 1; linedef 1 2; words 2 3 1 0 999 0 65535; linedef 3 0; } >LINEDEFS
judge 0 room-blockmap --strict
words 0 0 2 1 6 11 0 0 1 3 65535 0 1 3 65535 >lump
judge 0 lump --strict
judge 1 lump --prune=none
expect_line "missing linedef 2 in block 1,0 at 128,0"
expect_line "missing linedefs that --prune=inert leaves out: 1"
write_room
cp room-blockmap BLOCKMAP

# --- Files and maps ---

{ room MAP01; room MAP02; } | wadtool make PWAD good.wad
{ room MAP01; room MAP02 | replacing BLOCKMAP "$folder/lump"; } |
    wadtool make PWAD bad.wad
expect 1 blocksweep verify good.wad bad.wad
expect_line "good.wad:"
expect_line "bad.wad:"
[ "$(grep -c '^MAP0' output)" -eq 4 ] || fail "4 maps were expected"
expect_line "Total 16 4 maps 126 1 0 1 rejected"
expect 1 blocksweep verify --json good.wad bad.wad
sed -n '/"total"/,$p' output | tr -d ' \n' >total
grep -q '"good":3,"bad":1,"empty":0,"failed":0,"rejected":1,' total ||
    fail "what has become of each map was expected"
expect 0 blocksweep verify --map=MAP01 good.wad bad.wad
expect 1 blocksweep verify --quiet bad.wad
[ ! -s output ] || fail "nothing was expected"
expect 3 blocksweep verify good.wad none.wad
expect_sentence none.wad "No such file"
[ "$(grep -c '^MAP0' output)" -eq 2 ] || fail "2 maps were expected"
expect 3 blocksweep verify --json none.wad good.wad
[ "$(grep -c '"read": false' output)" -eq 1 ] ||
    fail "one file that was not read was expected"
[ "$(grep -c '"map": ' output)" -eq 2 ] || fail "2 maps were expected"
expect 2 blocksweep verify
expect_sentence "no input file"
expect 2 blocksweep verify --map=MAP03 good.wad
expect_sentence "good.wad: no map is named 'MAP03'"
for option in --output=x --pack=none; do
    expect 2 blocksweep verify $option good.wad
    expect_sentence "unknown" --strict --prune
    ! grep -q -e --output, errors || fail "an option of build is not valid here"
done
expect 2 blocksweep build --strict good.wad -o out.wad
expect_sentence "unknown"

# A map that cannot be read has a sentence, and the others are looked at.
head -c 13 LINEDEFS >odd
{ room MAP01 | replacing LINEDEFS "$folder/odd"; room MAP02; } |
    wadtool make PWAD in.wad
expect 1 blocksweep verify in.wad
expect_sentence "in.wad: MAP01: LINEDEFS"
expect_line "MAP02 4 0,0 2x1 32 2 zero 0 0 good"

# --- Its own lumps ---

expect_own() {
    own_status=$1
    shift
    expect_build "$@" "$sample" -o own.wad
    expect "$own_status" blocksweep verify --strict own.wad
    expect_no_errors
    total='^Total *1882  3 maps .* 0 *[0-9]*\(  [0-9] rejected\)*$'
    grep -q "$total" output || {
        cat output
        fail "$*: nothing missing was expected"
    }
}
for header in zero any none; do
    for pack in none share nest; do
        expect_own 0 --header=$header --pack=$pack
    done
    expect_own 1 --header=$header --pack=cover
done
expect_own 0 --format=xbm1 --grid=-5000,-2000
expect_build --prune=inert "$sample" -o own.wad
expect 1 blocksweep verify own.wad
expect 0 blocksweep verify --strict --prune=inert own.wad

# What cover lists in vain is as much as the stage tells.
expect 0 blocksweep --json --pack=cover --header=none "$sample" -o own.wad
told=$(sed -n 's/.*"extra_entries": \([0-9]*\),/\1/p' output |
    awk '{ sum += $1 } END { print sum }')
expect 0 blocksweep verify --json own.wad
found=$(sed -n 's/.*"extra_entries": \([0-9]*\),*$/\1/p' output | tail -n 1)
[ "$told" -gt 0 ] || fail "extra linedefs were expected"
[ "$told" -eq "$found" ] ||
    fail "$told extra linedefs were told, $found found"

# The same where lists are merged to meet a limit, on a map of many short lines.
if has perl; then
    perl -e '
        srand(1);
        open(my $vertexes, ">", "many-vertexes");
        open(my $linedefs, ">", "many-linedefs");
        for my $line (0 .. 10499) {
            my ($x, $y) = (int(rand(7800)), int(rand(7800)));
            print $vertexes pack("s4", $x, $y, $x + int(rand(200)),
                $y + int(rand(200)));
            print $linedefs pack("S7", 2 * $line, 2 * $line + 1, 1, 0, 0, 0,
                65535);
        }'
    printf '%s\n' MAP01 "LINEDEFS many-linedefs" "VERTEXES many-vertexes" |
        wadtool make PWAD many.wad
    expect 0 blocksweep --json --fit=vanilla --limit=vanilla --pack=nest \
        --header=none many.wad -o own.wad
    told=$(sed -n 's/.*"extra_entries": \([0-9]*\),/\1/p' output)
    [ "$told" -gt 0 ] || fail "lists were expected to be merged"
    expect 0 blocksweep verify own.wad
    grep -q "^Total  *10500  1 map  *[0-9]*  *0  *$told\$" output || {
        cat output
        fail "$told extra linedefs, and none missing, were expected"
    }
fi
