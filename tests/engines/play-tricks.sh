#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# play-tricks.sh NUMBER: plays a map of trick-maps.pl in all engines, with all
# lines listed, with --prune=inert, and without the lines that only by
# themselves look as if nothing could tell that they are there.  Prints a line
# for each engine: the engine, "tricks", number and kind of the map, whether the
# game with --prune=inert was the "same", "other" or "broken", and the first tic
# in which the last game was another, or "same".

. "$SOURCE_DIR/tests/engines/play.sh"

TICS=2000
number=$1
kind=$(perl "$SOURCE_DIR/tests/engines/trick-maps.pl" "$number" \
    map.wad careless.wad)
write_demo MAP01 4 $TICS "$number" >demo.lmp

# build_wad NAME FROM OPTION: writes NAME.wad, and its blockmap to NAME.lump.
build_wad() {
    quietly zdbsp -o "$2-nodes.wad" "$2.wad"
    expect 0 blocksweep --quiet --json --grid=keep "$3" "$2-nodes.wad" \
        -o "$1.wad"
    mv output "$1.json"
    wadtool extract "$1.wad" MAP01/BLOCKMAP >"$1.lump"
}

# play_map ENGINE NAME: writes the game to the file NAME.
play_map() {
    play "$1" "$freedoom_dir/freedoom2.wad" demo.lmp trace "$2.lump" \
        -file "$2.wad" && [ "$(blockmap_in trace)" = loaded ] &&
        [ "$tics" -eq "$TICS" ] && tail -n +2 trace >"$2"
}

build_wad all map --prune=none
build_wad pruned map --prune=inert
build_wad alone careless --prune=tagged
grep -q '"pruned_inert": [1-9]' pruned.json ||
    complain "trick map $number: no line is pruned"
for engine in $ENGINES; do
    case $engine in
    woof) continue ;; # as DSDA-Doom
    esac
    result=broken careless=-
    if play_map "$engine" all && play_map "$engine" pruned &&
        play_map "$engine" alone; then
        result=$(first_difference all pruned)
        careless=$(first_difference all alone)
        [ "$result" = same ] || result=other
    fi
    echo "$engine tricks $number $kind $result $careless" | tr -d ,
    [ "$result" = same ] ||
        complain "$engine: trick map $number, $kind: $result game"
done
exit "$failures"
