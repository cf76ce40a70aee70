#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that maps at each limit are built, and what a build does with those
# just over it.  A lump over a limit of engines is left empty with a warning, or
# is an error that keeps the map's lumps.  A limit of the stage gives an error;
# test-bounded has those of a file.

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
# this largest offset, in silence if Doom 1.9 can read it.
expect_fits() {
    grid="0 0 2 1 $1 $2"
    if [ "$2" -gt 32767 ]; then
        shift 2
        expect 0 blocksweep --quiet "$@" in.wad -o out.wad
        expect_sentence "in.wad: MAP02: BLOCKMAP: Doom 1.9 and Chocolate Doom \
crash on this map; $advice"
    else
        shift 2
        expect_build "$@" in.wad -o out.wad
    fi
    wadtool blockmap out.wad MAP02/BLOCKMAP | expect_text - "$grid"
    expect_others
}

# expect_empty PART...: MAP02 gets an empty lump, and a sentence says why.
expect_empty() {
    : >nothing
    expect 0 blocksweep --quiet in.wad -o out.wad
    expect_sentence "in.wad: MAP02: " "left empty" "$@"
    expect_lump out.wad MAP02/BLOCKMAP nothing
    expect_others
    expect 0 blocksweep --quiet --overflow=empty in.wad -o again.wad
    expect_same out.wad again.wad
    expect_failed --overflow=error "$@"
}

# expect_failed OPTION PART...: MAP02 keeps its lump, and a sentence says why.
expect_failed() {
    expect 1 blocksweep --quiet "$1" in.wad -o out.wad
    shift
    expect_sentence "in.wad: MAP02: " "$@"
    expect_lump out.wad MAP02/BLOCKMAP BLOCKMAP
    expect_others
}

# The limit of vanilla is at offset 32767.
make_crowded 32760
expect_fits 32770 32767 --for=everywhere
make_crowded 32761
advice="add --for=any,doom19: 65542 bytes, grid moves, demos differ"
expect_fits 32771 32768
expect 0 blocksweep --quiet --for=any,doom19 in.wad -o out.wad # as advised
wadtool list out.wad | cut -d" " -f1-3 >lumps
expect_in lumps "21 BLOCKMAP 65542"
make_crowded 32769
expect_failed --for=everywhere BLOCKMAP "32769 linedefs are 1 more than the \
32768 that vanilla can number; split the map"

# The limit of all is at 65535 words.
make_crowded 65525
advice="split the map if they must play it" # they number fewer linedefs
expect_fits 65535 65532
make_crowded 65526
expect_empty BLOCKMAP "65536 words, 1 over the extended limit of 65535" \
    "; add --preset=small"
expect 0 blocksweep --quiet --overflow=merge in.wad -o out.wad

# What merging cannot help.
make_crowded 65534
expect_failed --overflow=merge "extended limit of 65535; no options help: \
the best lump that was tried is 7 words over the extended limit"

# No lump can fit, but all games that count build their own.
words 0 0 32767 0 32767 32767 0 32767 >vast-vertices
room MAP01 | replacing VERTEXES vast-vertices | wadtool make PWAD vast.wad
expect 0 blocksweep --quiet vast.wad -o out.wad
expect_in errors "over the extended limit of 65535; the lump was left empty, \
and ports build their own" "no blockmap can help, as the map is too large"
expect_count 0 errors "split the map"
expect 1 blocksweep --quiet --overflow=error vast.wad -o out.wad
expect_sentence "over the extended limit of 65535; split the map"

# A lump that was not written has no headers to warn of.
expect 1 blocksweep --quiet --preset=vanilla vast.wad -o out.wad
expect_sentence "split the map"
room MAP01 | wadtool make PWAD small.wad
expect 0 blocksweep --quiet --preset=vanilla small.wad -o out.wad
expect_sentence "these lumps have no headers"

# A map that had no lump gets the empty one at its place.
{
    room MAP01 | replacing LINEDEFS many-linedefs | without BLOCKMAP
    room MAP02
} | wadtool make PWAD in.wad
expect 0 blocksweep --quiet in.wad -o out.wad
wadtool list out.wad | cut -d' ' -f1-3 | grep BLOCKMAP >blockmaps
expect_text blockmaps "10 BLOCKMAP 0
21 BLOCKMAP $(wc -c <room-blockmap)"

# --- Limits of the stage ---

words 0 0 0 20000 20000 20000 20000 0 >far-vertices
{ room MAP01; room MAP02 | replacing VERTEXES far-vertices; } |
    wadtool make PWAD in.wad

# MAP02 fails, which has 24,649 blocks; MAP01, with 2 blocks, does not.
expect 1 blocksweep --quiet --max-memory=12 in.wad -o out.wad
expect_sentence "in.wad: MAP02: " "24649 blocks" "--max-memory allows at most 24576"
expect_lumps_kept in.wad out.wad
expect_room out.wad MAP01
expect_lump out.wad MAP02/BLOCKMAP BLOCKMAP
expect_build --max-memory=13 in.wad -o out.wad

# What a build with other limits makes can be looked at with other limits.
expect_build --map=MAP02 in.wad -o built.wad
for command in verify show; do
    expect 0 blocksweep $command --quiet --map=MAP02 built.wad
done
expect 1 blocksweep verify --quiet --map=MAP02 --max-memory=12 built.wad
expect_match errors 'MAP02: .*--max-memory .*24576'
expect 0 blocksweep verify --quiet --map=MAP02 --max-memory=13 built.wad

# A map that is too large to be compared has failed.
perl -e '$/ = undef; $_ = <STDIN>; print $_ x 2000' <LINEDEFS >many-linedefs
room MAP01 | replacing LINEDEFS many-linedefs | wadtool make PWAD many.wad
for words in verify show "show --verbose" "show --list=0" "show --svg=none"; do
    # shellcheck disable=SC2086 # words
    expect 1 blocksweep $words --max-memory=1 many.wad
    expect_in errors 'many.wad: MAP01: ' 'max-memory'
done
expect_absent none
if has_json; then
    expect 1 blocksweep show --json --max-memory=1 many.wad
    read_json
    expect_facts maps.0.status failed
    [ "many.wad: $(fact maps.0.error)" = \
        "$(sed 's/^blocksweep: //' errors)" ] ||
        fail_showing facts "the reason was expected"
fi
expect 0 blocksweep diff --quiet --map=MAP02 --max-memory=13 \
    built.wad built.wad
