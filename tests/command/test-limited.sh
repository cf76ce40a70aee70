#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command holds maps to their limits: the stage's, which all
# commands take, a map at a time; and those of a file whose maps have the same
# bytes over and over.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

# --- Limits of a map ---

words 0 0 0 100 20000 100 20000 0 >far-vertices
{
    room MAP01
    room MAP02 | replacing VERTEXES "$folder/far-vertices"
} | wadtool make PWAD in.wad

# expect_limited OPTION PART...: MAP02, which has 157 blocks and whose lines
# touch 316 times, fails; MAP01, with 2 blocks and 6 times, does not.
expect_limited() {
    option=$1
    shift
    expect 1 blocksweep --quiet "$option" in.wad -o out.wad
    expect_sentence "in.wad: MAP02: " "$@"
    expect_lumps_kept in.wad out.wad
    expect_room out.wad MAP01
    wadtool extract out.wad MAP02/BLOCKMAP >kept
    expect_same kept BLOCKMAP
}

expect_limited --max-blocks=156 "157 x 1 blocks" "156 of max-blocks"
expect 0 blocksweep --quiet --max-blocks=157 in.wad -o out.wad
expect_limited --max-entries=315 "max-entries allows for 315"
expect 0 blocksweep --quiet --max-entries=316 in.wad -o out.wad

# What a build with other limits makes can be looked at with other limits.
expect_build --map=MAP02 in.wad -o built.wad
for command in verify show; do
    expect 0 blocksweep $command --quiet --map=MAP02 built.wad
done
expect 1 blocksweep verify --quiet --map=MAP02 --max-entries=315 built.wad
grep -q 'MAP02: .*max-entries allows for 315' errors ||
    fail "verify was expected to meet max-entries"
expect 0 blocksweep verify --quiet --map=MAP02 --max-entries=316 built.wad
expect 0 blocksweep diff --quiet --map=MAP02 --max-entries=316 --svg=picture.svg \
    built.wad built.wad

# --- Limits of a file ---

# many_maps COUNT SPACES: prints the recipe of maps with one TEXTMAP, which is
# as long as so many spaces and a line.
many_maps() {
    {
        echo 'namespace = "Doom"; vertex { x = 0; y = 0; }'
        echo 'vertex { x = 100; y = 0; } linedef { v1 = 0; v2 = 1; }'
        head -c "$2" /dev/zero | tr '\0' ' '
    } >TEXTMAP
    printf 'MAP01\nTEXTMAP %s/TEXTMAP\nENDMAP\n' "$folder"
    size=$(wc -c <TEXTMAP)
    for number in $(seq 2 "$1"); do
        printf 'M%s\nTEXTMAP @1 0 %s\nENDMAP\n' "$number" "$size"
    done
}

# 85 MiB is what a file of 1.3 MB may have, and 86 MiB too much.
many_maps 64 1350000 | wadtool make PWAD many.wad
expect_build many.wad -o out.wad
many_maps 70 1350000 | wadtool make PWAD many.wad
for command in build verify show; do
    case $command in
    build) arguments="many.wad -o refused.wad" ;;
    *) arguments=many.wad ;;
    esac
    # shellcheck disable=SC2086 # words
    expect 1 blocksweep $command --quiet $arguments
    expect_sentence "many.wad: " "share bytes" "90 MiB together" \
        "at most 84 MiB were expected"
done
[ ! -e refused.wad ] || fail "nothing was expected to be written"
