#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# load-maps.sh CASE IWAD: has every map of one of Freedoom's WADs loaded and
# played for 10 seconds in all engines, with lumps of one case.  Prints a line
# for each engine and map: the engine, "loads", case, WAD, map, whether the game
# was right, its tics, and what became of the lump.
#
# A game is "right" if it is the same, tic for tic, as with lumps that have the
# same lines in the same blocks, stored as plainly as can be: in ascending order
# and nothing nested.  Else it is "other", or "broken" if the demo did not play
# to its end.  Where the engine skips the first word of a list the lines are
# those of the block, and linedef 0 if there is the 0 of a nested list among
# them; where it reads it as a line, also those first words.  For a line that is
# not in the block can make a difference to who slides along a wall; see
# doc/engines.md.
#
# The lines of blocks are made from the geometry of the map, on the grid of the
# case, and not from its lists.  Only where a list has lines that are not in the
# block, such a 0, or any word before it, are they taken from the lumps of the
# case, after these have been verified: none is missed there.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
# shellcheck source=tests/engines/play.sh
. "$SOURCE_DIR/tests/engines/play.sh"

case=$1
name=$2
use_home "$folder/home"

# Where right games are kept, for other cases that have the same ones.
games=$ENGINES_DIR/games
# What is shared by all cases.
demos=$ENGINES_DIR/demos

# options_of_case: prints how the lumps of the case are made.
options_of_case() {
    case $case in
    compatible | repack | small | vanilla | id) echo "--preset=$case" ;;
    any) echo "--grid=keep --pack=nest --header=any" ;;
    none) echo "--grid=keep --pack=share --header=none" ;;
    cover) echo "--grid=keep --pack=cover --header=zero" ;;
    xbm1) echo "--format=xbm1" ;;
    empty) echo "--preset=compatible" ;; # emptied below
    *) fail "unknown case: $case" ;;
    esac
}

# Writes case.wad, meant.wad with the lines that are in the blocks, and read.wad
# with those that engines meet who take first words for lines.
build_wads() {
    # shellcheck disable=SC2046 # words
    expect_build $(options_of_case) "$freedoom_dir/$name.wad" -o case.wad
    expect 0 blocksweep verify case.wad
    expect_build --grid=keep --pack=share --header=zero case.wad -o meant.wad
    case $case in
    small | repack)
        ln meant.wad read.wad
        expect_build --source=lump --pack=share case.wad -o with-zeros.wad
        mv with-zeros.wad meant.wad
        ;;
    any)
        expect_build --source=lump --pack=share --header=none case.wad \
            -o read.wad
        ;;
    none | vanilla)
        expect_build --grid=keep --pack=share --header=none case.wad -o read.wad
        ;;
    cover)
        expect_build --source=lump --pack=share case.wad -o meant.wad
        ln meant.wad read.wad
        ;;
    *) ln meant.wad read.wad ;;
    esac
    [ "$case" != empty ] || empty_lumps
}

# Empties the lumps of case.wad, as that of a map over the limit is.
empty_lumps() {
    wadtool list case.wad | awk '$2 == "BLOCKMAP" { print $1 }' |
        while read -r lump; do
            wadtool set case.wad "$lump" size 0
        done
}

# extract_lumps MAP: writes its lumps in case.lump, meant.lump and read.lump,
# and leaves hashes of the latter two in meant and read.
extract_lumps() {
    for wad in case meant read; do
        wadtool extract $wad.wad "$1/BLOCKMAP" >$wad.lump
    done
    meant=$(sha256sum <meant.lump | cut -c 1-16)
    read=$(sha256sum <read.lump | cut -c 1-16)
}

# wad_for ENGINE: prints which one has the lines that it meets.
wad_for() {
    case $1-$case in
    dsda-doom+9-*) echo meant ;;
    dsda-doom+21-any | dsda-doom+21-none | dsda-doom+21-vanilla) echo read ;;
    dsda-doom+21-*) echo meant ;;
    *) echo read ;;
    esac
}

# play_right ENGINE MAP: leaves in kept the file of the right game's trace;
# it is not there if the engine does not play it.
play_right() {
    wad=$(wad_for "$1")
    case $wad in
    meant) kept=$games/$1-$name-$2-$meant ;;
    read) kept=$games/$1-$name-$2-$read ;;
    esac
    [ ! -e "$kept" ] || return 0
    play "$1" "$wad.wad" "$demos/$name-$2.lmp" trace "$wad.lump" || {
        complain "$1: $2 of $name is not played: $(tail -n 1 trace.said)"
        return 0
    }
    [ "$(blockmap_in trace)" = loaded ] || {
        complain "$1: what all engines load is not loaded, in $2 of $name"
        return 0
    }
    mv trace "kept.$$"
    mv "kept.$$" "$kept"
}

# Tells of an engine that fails; the others go on.
complain() {
    echo "$*  FAILED"
    failures=1
}

# try_map ENGINE MAP: plays it, and prints the line.
try_map() {
    play_right "$1" "$2"
    judge_game "$1" "$kept" case.wad "$demos/$name-$2.lmp" case.lump
    echo "$1 loads $case $name $2 $game $played $(blockmap_in trace)"
}

failures=0
build_wads
for map in $(wadtool list case.wad |
    awk '$2 == "THINGS" { print before } { before = $2 }'); do
    extract_lumps "$map"
    for engine in $ENGINES; do
        try_map "$engine" "$map"
    done
done
exit "$failures"
