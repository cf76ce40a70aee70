#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# walls.sh ENGINE LUMPS: nothing is passed through where a player, alone on a
# map, runs into walls for 2,000 tics; see "Walls" in doc/engines.md.  One process
# makes the runs of one engine with one of the kinds of lumps below, and prints a
# line.  In the control, with --grid=fit, a wall that he has met is dropped from
# the lists; he has to be found in this very wall, or behind it, on nine maps of
# ten.

. "$SOURCE_DIR/tests/engines/play.sh"

engine=$1
lumps=$2
run_tics=2000

# How the blockmap is built, and for the limit what is tiled, and from where to
# where the largest offset has to be.
case $lumps in
cover) options=--pack=cover ;;
fit) options=--grid=fit ;;
small) options=--preset=small ;;
vanilla) options=--preset=vanilla ;;
boom) options=--for=boom ;;
limit-share) map=MAP10 low=35000 high=37000 options=--pack=share ;;
limit-vanilla) map=MAP10 low=0 high=32767 options=--preset=vanilla ;;
limit-merged)
    map=MAP23 low=0 high=32767 options=--preset=vanilla ;;
*) fail "no such lumps: $lumps" ;;
esac

report() {
    case $lumps in
    limit-*) echo "$engine: limit, ${lumps#limit-}: $*" ;;
    *) echo "$engine: walls, $lumps: $*" ;;
    esac
}

fail_runs() {
    report "FAILED: $*"
    exit 1
}

# make_demo MAP SEED: writes a demo of a player alone on the map to demo.lmp.
make_demo() {
    write_demo "$1" 3 "$run_tics" "$2" --no-monsters >demo.lmp
}

# run IWAD PWAD MAP: plays demo.lmp and holds the path of the player against the
# walls of the map.  Succeeds if the engine came to the end; `judgement` is then
# what is to tell, and is_clear is yes if no wall was passed.
run() {
    wadtool extract "$2" "$3/BLOCKMAP" >lump
    is_played=yes
    play "$engine" "$1" demo.lmp trace lump -file "$2" || is_played=no
    is_clear=yes
    "$BUILD_DIR/tests/engines/pathtool" "$2" "$3" trace >judgement || is_clear=no
    [ "$(blockmap_in trace)" = loaded ] ||
        fail_runs "$3: the blockmap in use is another: $(blockmap_in trace)"
    [ $is_played = yes ]
}

# expect_clear IWAD PWAD MAP: the same, and all has to go well.
expect_clear() {
    run "$@" || fail_runs "$3 ended with $status: $(tail -n 1 trace.said)"
    [ $is_clear = yes ] || fail_runs "$3: $(cat judgement)"
    read -r positions moves jumps met wall <judgement
    [ "$positions" -ge "$run_tics" ] ||
        fail_runs "$3: only $positions positions"
}

# --- Every third map ---

# Plays on a map with the blockmap as it was built, and, for the control, the
# same without a wall.  Not each that he was near to was the one that stopped
# him, so a few of them may go unnoticed; - is none, and linedef 0 is what is put
# in the place of others.
play_map() {
    expect_clear "$1" "$2" "$map"
    all_moves=$((all_moves + moves))
    all_jumps=$((all_jumps + jumps))
    all_met=$((all_met + met))
    case $lumps-$wall in
    fit-- | fit-0) return 0 ;;
    fit-*) ;;
    *) return 0 ;;
    esac
    wadtool drop "$2" "$map" "$wall" dropped.wad
    run "$1" dropped.wad "$map" || :
    ! grep -Eqx ".*: the player (is in|has passed) linedef $wall" judgement ||
        noticed=$((noticed + 1))
}

# The blockmaps are bad for this engine: what he meets, he may pass.
play_bad() {
    run "$1" "$2" "$map" || :
    [ "$is_clear" = yes ] || passages=$((passages + 1))
}

# play_maps PLAY: calls it for the IWAD and the PWAD with our blockmaps of each
# third map.
play_maps() {
    maps=0
    for name in freedoom1 freedoom2 freedm; do
        wadtool list "$freedoom_dir/$name.wad" | sed -n \
            "s/^[0-9]* \(E[1-9]M[1-9]\|MAP[0-9][0-9]\) .*/$name \1/p"
    done | awk 'NR % 3 == 0' >chosen
    for name in freedoom1 freedoom2 freedm; do
        iwad=$freedoom_dir/$name.wad
        markers=$(sed -n "s/^$name //p" chosen)
        # shellcheck disable=SC2086 # a word for each map
        wadtool tame "$iwad" "$name.wad" $markers
        expect_build "$options" "$name.wad" -o "$name-built.wad"
        for map in $markers; do
            maps=$((maps + 1))
            make_demo "$map" "$maps"
            "$1" "$iwad" "$name-built.wad"
        done
    done
}

expect_walls() {
    all_moves=0 all_jumps=0 all_met=0 noticed=0
    play_maps play_map
    control=
    [ "$lumps" != fit ] || control="; dropped ones noticed on $noticed maps"
    [ -z "$control" ] || [ "$noticed" -ge $((maps * 9 / 10)) ] ||
        fail_runs "on only $noticed of $maps maps a dropped wall was noticed"
    report "$maps maps, $((maps * run_tics)) tics, $all_moves steps," \
        "$all_met walls met, $all_jumps teleports: none passed$control"
}

expect_passages() {
    passages=0
    play_maps play_bad
    [ "$passages" -gt 0 ] || fail_runs "all went well"
    report "bad, as documented: walls are passed on $passages of $maps maps"
}

# --- The limit ---

# The tiles, with nodes of ZDBSP's, and our blockmap.
build_tiles() {
    iwad=$freedoom_dir/freedoom2.wad
    wadtool tame "$iwad" tame.wad "$map"
    wadtool tile tame.wad "$map" 2 2 tiles.wad
    zdbsp --zero-reject -o nodes.wad tiles.wad >log 2>&1 ||
        fail_runs "zdbsp: $(tail -n 1 log)"
    # shellcheck disable=SC2086 # options
    blocksweep --quiet $options nodes.wad -o built.wad >log 2>&1 ||
        fail_runs "$(cat log)"
    offset=$(wadtool blockmap built.wad "$map/BLOCKMAP" | awk '{ print $6 }')
    if [ "$offset" -lt "$low" ] || [ "$offset" -gt "$high" ]; then
        fail_runs "the largest offset is $offset"
    fi
}

# Each of four runs goes well, or, if the blockmap is bad for this engine, each
# crashes or leads through walls.
expect_tiles() {
    crashes=0 passages=0
    has zdbsp || {
        report "skipped: zdbsp is not installed"
        return 0
    }
    build_tiles
    for seed in 1 2 3 4; do
        make_demo "$map" "$seed"
        if [ "$1" = good ]; then
            expect_clear "$iwad" built.wad "$map"
            continue
        fi
        run "$iwad" built.wad "$map" || crashes=$((crashes + 1))
        [ $is_clear = yes ] || passages=$((passages + 1))
        [ "$is_played $is_clear" != "yes yes" ] ||
            fail_runs "with the largest offset $offset all went well"
    done
    if [ "$1" = good ]; then
        report "largest offset $offset: good in 4 runs of $run_tics tics"
    else
        report "largest offset $offset: bad, as documented: of 4 runs" \
            "$crashes crashed, $passages led through walls"
    fi
}

case $engine-$lumps in
chocolate-doom-limit-share) expect_tiles bad ;;
*-limit-*) expect_tiles good ;;
dsda-doom+9-vanilla) expect_passages ;;
*) expect_walls ;;
esac
