#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# closets.sh ENGINE: a player with monsters runs into the walls of 60 generated
# maps, many of whose sectors are closed for good, for 5,000 tics each; see
# "Lines left out" in doc/engines.md.  With --prune=unreachable each game is the
# same at every tic as with --prune=inert, and with neither he passes a wall.
# Prints a line.

. "$SOURCE_DIR/tests/engines/play.sh"

engine=$1
run_tics=5000
maps_in_wad=30

report() {
    echo "$engine: closets: $*"
}

fail_runs() {
    report "FAILED: $*"
    exit 1
}

# play_map PRUNE: plays demo.lmp on the map, and judges the player's path; the
# trace PRUNE is without its first line, that of the blockmap.
play_map() {
    wadtool extract "$1.wad" "$map/BLOCKMAP" >lump
    play "$engine" "$freedoom_dir/freedoom2.wad" demo.lmp trace lump \
        -file "$1.wad" ||
        fail_runs "$map, seed $seed, $1 ended with $status"
    [ "$(blockmap_in trace)" = loaded ] ||
        fail_runs "$map: the blockmap in use is another"
    "$BUILD_DIR/tests/engines/pathtool" "$1.wad" "$map" trace >judgement ||
        fail_runs "$map, seed $seed, $1: $(cat judgement)"
    tail -n +2 trace >"$1"
}

# first_difference GAME GAME: prints the first tic in which they differ.
first_difference() {
    diff "$1" "$2" | sed -n '2s/^[<>] \([0-9]*\).*/\1/p'
}

# play_maps SEED: plays on 30 maps.
play_maps() {
    seed=$1
    expect 0 wadtool closets 10 $maps_in_wad "$seed" made.wad
    zdbsp --zero-reject -o nodes.wad made.wad >log 2>&1 ||
        fail "zdbsp: $(tail -n 1 log)"
    for prune in none inert unreachable; do
        expect_build --prune=$prune nodes.wad -o $prune.wad
    done
    for number in $(seq $maps_in_wad); do
        map=$(printf 'MAP%02d' "$number")
        write_demo "$map" 4 "$run_tics" "$seed$number" >demo.lmp
        for prune in none inert unreachable; do
            play_map $prune
        done
        maps=$((maps + 1))
        places=$((places + $(cut -d ' ' -f 3-4 unreachable | sort -u | wc -l)))
        cmp -s none inert || turned=$((turned + 1))
        cmp -s inert unreachable ||
            fail_runs "$map, seed $seed: another game from tic" \
                "$(first_difference inert unreachable)"
    done
}

maps=0 places=0 turned=0
play_maps 1
play_maps 2
report "$maps maps, $((maps * run_tics)) tics, $places places of the player:" \
    "all the same as with inert, $turned other than with none, no wall passed"
