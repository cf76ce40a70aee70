#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that maps at each limit are built, and what a build does with those
# just over it.  A lump over a limit of engines is left empty with a warning, or
# is an error that keeps the map's lumps.  A limit of the stage or of a file
# gives an error.

. "$SOURCE_DIR/tests/help/library.sh"
write_room

# --- Limits of engines ---

# make_crowded COUNT: makes in.wad, in which the lines of MAP02 have no length
# and are all in the first of two blocks, but for one in the second.  Its lump
# has words for the grid, the offsets, the zeros and the ends, 10 in all, and
# one a line.  The second block's offset is 7 more than there are lines.
words 0 0 128 0 >two-vertices
make_crowded() {
    { head -c $((($1 - 1) * 14)) /dev/zero; linedef 1 1; } >many-linedefs
    {
        room MAP01
        room MAP02 | replacing LINEDEFS many-linedefs |
            replacing VERTEXES two-vertices
        room MAP03
    } | wadtool make PWAD in.wad
}

expect_others() {
    expect_lumps_kept in.wad out.wad
    expect_room out.wad MAP01 MAP03
}

# expect_fits WORDS OFFSET ARGUMENT...: MAP02 gets a lump of so many words with
# this largest offset, in silence.
expect_fits() {
    grid="0 0 2 1 $1 $2"
    shift 2
    expect_build "$@" in.wad -o out.wad
    wadtool blockmap out.wad MAP02/BLOCKMAP | expect_text - "$grid"
    expect_others
}

# expect_over LIMIT PART...: MAP02 gets no lump, and a sentence says why.
expect_over() {
    option=--limit=$1
    shift
    : >nothing
    expect 0 blocksweep --quiet "$option" in.wad -o out.wad
    expect_sentence "in.wad: MAP02: " "left empty" "$@"
    expect_lump out.wad MAP02/BLOCKMAP nothing
    expect_others
    expect 0 blocksweep --quiet "$option" --overflow=empty in.wad -o again.wad
    expect_same out.wad again.wad
    expect 1 blocksweep --quiet "$option" --overflow=error in.wad -o out.wad
    expect_sentence "in.wad: MAP02: " "$@"
    expect_lump out.wad MAP02/BLOCKMAP BLOCKMAP
    expect_others
}

# The limit of vanilla is at offset 32767.
make_crowded 32760
expect_fits 32770 32767 --limit=vanilla
make_crowded 32761
expect_fits 32771 32768 --limit=extended
expect_over vanilla BLOCKMAP "offset is 32768" "1 over" 32767 \
    "pack=nest would meet it"

# The limit of all is at 65535 words.
make_crowded 65525
expect_fits 65535 65532 --limit=extended
make_crowded 65526
expect_over extended BLOCKMAP "65536 words" "1 over" 65535

# A map that had no lump gets the empty one at its place.
make_crowded 65534
{
    room MAP01 | replacing LINEDEFS many-linedefs | without BLOCKMAP
    room MAP02
} | wadtool make PWAD in.wad
expect 0 blocksweep --quiet in.wad -o out.wad
wadtool list out.wad | cut -d' ' -f1-3 | grep BLOCKMAP >blockmaps
expect_text blockmaps "10 BLOCKMAP 0
21 BLOCKMAP $(wc -c <room-blockmap)"

# --- Limits of the stage ---

words 0 0 0 100 20000 100 20000 0 >far-vertices
{ room MAP01; room MAP02 | replacing VERTEXES far-vertices; } |
    wadtool make PWAD in.wad

# MAP02, which has 157 blocks and whose lines touch 316 times, fails; MAP01,
# with 2 blocks and 6 times, does not.
expect 1 blocksweep --quiet --max-blocks=156 in.wad -o out.wad
expect_sentence "in.wad: MAP02: " "157 x 1 blocks" "156 of max-blocks"
expect_lumps_kept in.wad out.wad
expect_room out.wad MAP01
expect_lump out.wad MAP02/BLOCKMAP BLOCKMAP
expect_build --max-blocks=157 in.wad -o out.wad

# What a build with other limits makes can be looked at with other limits.
expect_build --map=MAP02 in.wad -o built.wad
for command in verify show; do
    expect 0 blocksweep $command --quiet --map=MAP02 built.wad
done
expect 1 blocksweep verify --quiet --map=MAP02 --max-entries=315 built.wad
expect_match errors 'MAP02: .*max-entries allows for 315'
expect 0 blocksweep verify --quiet --map=MAP02 --max-entries=316 built.wad
expect 0 blocksweep diff --quiet --map=MAP02 --max-entries=316 \
    --svg=picture.svg built.wad built.wad

# --- Limits of a file, whose maps have the same bytes over and over ---

# many_maps COUNT: makes a WAD of so many maps with one TEXTMAP of 1.3 MB.
many_maps() {
    head -c 1350000 /dev/zero | tr '\0' ' ' | cat TEXTMAP - >LARGE
    {
        printf 'MAP01\nTEXTMAP %s/LARGE\nENDMAP\n' "$folder"
        for number in $(seq 2 "$1"); do
            printf 'M%s\nTEXTMAP @1 0 %s\nENDMAP\n' "$number" "$(wc -c <LARGE)"
        done
    } | wadtool make PWAD many.wad
}

# Their lumps may have 21 MiB.
many_maps 16
expect_build many.wad -o out.wad
many_maps 20
for arguments in "build many.wad -o out.wad" "verify many.wad" \
    "show many.wad"; do
    # shellcheck disable=SC2086 # words
    expect 1 blocksweep $arguments --quiet
    expect_match errors \
        "many.wad: the maps up to M17 take [0-9]* bytes of lumps; .* --map"
done
expect 0 blocksweep build --quiet --map=M18-M20 many.wad -o out.wad
