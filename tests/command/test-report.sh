#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the report's table says what is in the files.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

# size_of FILE LUMP: its bytes; 0 if it is not there.
size_of() {
    { wadtool extract "$1" "$2" 2>/dev/null || :; } | wc -c
}

# expect_row MAP GRID: the line of a map says what the files tell of it.
expect_row() {
    old=$(size_of in.wad "$1/BLOCKMAP")
    new=$(size_of out.wad "$1/BLOCKMAP")
    wadtool blockmap out.wad "$1/BLOCKMAP" >found-blockmap
    read -r x y columns rows rest <found-blockmap
    linedefs=$(($(size_of in.wad "$1/LINEDEFS") / 14))
    expect_line "$1 $linedefs $2 $x,$y ${columns}x$rows $old $new \
${rest#* } of 32767"
    total_linedefs=$((total_linedefs + linedefs))
    total_old=$((total_old + old))
    total_new=$((total_new + new))
    total_maps=$((total_maps + 1))
}

# expect_line TEXT: with a time behind it, this is one of the report's lines,
# but for the width of its gaps.
expect_line() {
    tr -s ' ' <output | grep -q "^$1 [0-9][0-9]*\.[0-9][0-9] ms\$" || {
        cat output
        fail "'$1', and a time, was expected"
    }
}

expect_plain_line() {
    tr -s ' ' <output | grep -qxF "$1" || {
        cat output
        fail "'$1' was expected"
    }
}

# report ARGUMENT...: builds out.wad from in.wad.
report() {
    expect "$@" in.wad -o out.wad
    total_linedefs=0
    total_old=0
    total_new=0
    total_maps=0
    expect_plain_line "Map Linedefs Grid Before After Largest offset Time"
    if LC_ALL=C grep -q '[[:cntrl:]]' output; then
        fail "control characters were printed to what is no terminal"
    fi
}

# expect_total MAPS LINES: what the lines before add up to, and how many lines
# the report has.
expect_total() {
    expect_line "Total $total_linedefs $1 $total_old $total_new"
    expect_plain_line "Wrote out.wad"
    [ "$(wc -l <output)" -eq "$2" ] || {
        cat output
        fail "$2 lines were expected"
    }
}

# Real maps, on each kind of grid.
cat "$sample" >in.wad
for grid in auto:keep keep:keep fit:fit id:id; do
    report 0 blocksweep --grid="${grid%:*}"
    expect_no_errors
    for map in MAP01 MAP07 MAP30; do
        expect_row $map "${grid#*:}"
    done
    expect_total "3 maps" 6
done

# What is left out has a line of its own.
report 0 blocksweep --prune=inert
expect_no_errors
grep -q '^  *[0-9]*  pruned: 0 tagged, [0-9]* inert$' output ||
    fail "a line on what is left out was expected"

# So has what is listed without need.
report 0 blocksweep --pack=cover --map=MAP01
expect_no_errors
grep -q '^  *[0-9]*  extra entries, at most [0-9]* in a block$' \
    output || fail "a line on what is listed without need was expected"

# One map; at a place; without an old lump.
room MAP01 | without BLOCKMAP | wadtool make PWAD in.wad
report 0 blocksweep --grid=-10,-200
expect_no_errors
expect_row MAP01 at
expect_total "1 map" 4

# Maps that fail or get an empty lump.
words 0 0 512 512 >large-grid
{
    room MAP01
    room MAP02 | without LINEDEFS
    room MAP03 | replacing BLOCKMAP large-grid
} | wadtool make PWAD in.wad
report 1 blocksweep --grid=keep --limit=vanilla
expect_row MAP01 fit
expect_plain_line "MAP02 failed, its lumps are kept"
offset=$((4 + 512 * 512 + 5 * 2)) # behind two lists in the first two blocks
expect_line "MAP03 4 keep 0,0 512x512 8 0 $offset over 32767"
total_linedefs=$((total_linedefs + 4))
total_old=$((total_old + 8))
expect_total "2 maps" 7
expect_plain_line "1 failed"

# Nothing at all with --quiet but what went wrong.
expect 1 blocksweep --quiet --grid=keep in.wad -o out.wad
[ ! -s output ] || fail "nothing was expected"
[ "$(grep -c '^blocksweep: in.wad: MAP0[123]: ' errors)" -eq 3 ] ||
    fail "a sentence for each map was expected"
