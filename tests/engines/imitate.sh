#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# imitate.sh LISTS ENGINE WAD...: has an engine make the blockmaps of maps by
# itself, with -blockmap, and compares what it has in memory, list by list, and
# its grid with the lumps of --lists=boom or mbf.  A WAD is one of Freedoom's,
# or a kind and a seed of 32 random maps, such as points-1; those that engines
# make no lump of are skipped.  Prints a line for each WAD.
#
# imitate.sh LISTS ENGINE demos: plays demos on ten maps whose lumps are empty,
# which the engine then makes by itself.  The games have to be the same to the
# last tic with the lumps of LISTS, and one at least another with exact lists.

. "$SOURCE_DIR/tests/engines/play.sh"

lists=$1
engine=$2
shift 2

# try_map WAD [OPTION...]: plays a moment on $map; alike counts.  Newer engines
# lay the grid around the first vertex, too, where that is the highest.
try_map() {
    write_demo "$map" 4 2 1 >moment.lmp
    # What engines say of the blockmap does not count.  Those that crash, as they
    # do on vertices outside their grid, have none to compare with.
    case $(own_blockmap "$@") in
    alike | loaded) alike=$((alike + 1)) ;;
    '') count=$((count - 1)) ;;
    *)
        repeat_first
        case $lists-$(own_blockmap "$@") in
        boom-alike | boom-loaded) alike=$((alike + 1)) first=$((first + 1)) ;;
        *) other="$other $map" ;;
        esac
        ;;
    esac
}

# own_blockmap WAD [OPTION...]: prints how it compares with made.lump.
own_blockmap() {
    its_map=$1
    shift
    play "$engine" "$its_map" moment.lmp trace made.lump -blockmap "$@" || :
    sed -n '1s/^blockmap //p' trace 2>/dev/null || :
}

# repeat_first: makes made.lump of the map with its first vertex also the last.
repeat_first() {
    echo "$map" >recipe
    for lump in THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS \
        REJECT BLOCKMAP; do
        wadtool extract "$maps" "$map/$lump" >"$lump"
        echo "$lump $folder/$lump" >>recipe
    done
    head -c 4 VERTEXES >vertex
    cat vertex >>VERTEXES
    wadtool make PWAD first.wad <recipe
    expect_build --lists="$lists" first.wad -o first-made.wad
    wadtool extract first-made.wad "$map/BLOCKMAP" >made.lump
}

# play_demo WAD: plays the demo on $map, writes the game to WAD.game; the lump
# has to be used that is meant.
play_demo() {
    wadtool extract "$1.wad" "$map/BLOCKMAP" >lump
    play "$engine" "$1.wad" demo.lmp trace lump ||
        fail "$engine: $map of $name ended: $(tail -n 1 trace.said)"
    case $1-$(blockmap_in trace) in
    empty-rebuilt | lists-loaded | exact-loaded) ;;
    *) fail "$engine: $map of $name, $1: $(blockmap_in trace)" ;;
    esac
    tail -n +2 trace >"$1.game"
}

# play_demos: plays on each tenth map of Freedoom.
play_demos() {
    count=0 alike=0 lost=0 all=0
    for name in freedoom1 freedoom2 freedm; do
        wad=$freedoom_dir/$name.wad
        expect_build --lists="$lists" "$wad" -o lists.wad
        cp "$wad" empty.wad
        wadtool list empty.wad | awk '$2 == "BLOCKMAP" { print $1 }' |
            while read -r lump; do
                wadtool set empty.wad "$lump" size 0
            done
        expect_build empty.wad -o exact.wad
        for map in $(maps_of "$wad"); do
            all=$((all + 1))
            [ $((all % 10)) -eq 5 ] || continue
            count=$((count + 1))
            write_demo "$map" 4 2100 "$count" >demo.lmp
            play_demo empty
            play_demo lists
            play_demo exact
            ! cmp -s empty.game lists.game || alike=$((alike + 1))
            cmp -s empty.game exact.game || lost=$((lost + 1))
        done
    done
    report="$engine: demos on its own blockmaps of $count maps: $alike the same \
with --lists=$lists, $lost others with exact lists"
    if [ "$alike $count" = "10 10" ] && [ "$lost" -gt 0 ]; then
        echo "$report"
    else
        complain "$report"
    fi
}

# maps_of WAD: prints the markers of its maps.
maps_of() {
    wadtool list "$1" | awk '$2 == "THINGS" { print before } { before = $2 }'
}

[ "$1" != demos ] || {
    play_demos
    exit "$failures"
}

for name in "$@"; do
    count=0
    alike=0
    first=0
    other=
    iwad=$freedoom_dir/freedoom2.wad
    case $name in
    free*)
        iwad=$freedoom_dir/$name.wad
        maps=$iwad
        ;;
    *)
        wadtool random 32 "${name#*-}" "${name%-*}" random.wad
        maps=random.wad
        ;;
    esac
    # Of a few maps engines make no grid, or more than a lump can hold.
    blocksweep --quiet --lists="$lists" "$maps" -o made.wad 2>said || :
    for map in $(maps_of "$maps"); do
        wadtool extract made.wad "$map/BLOCKMAP" >made.lump
        [ -s made.lump ] || continue
        count=$((count + 1))
        if [ "$maps" = random.wad ]; then
            try_map "$iwad" -file random.wad
        else
            try_map "$iwad"
        fi
    done
    [ "$count" -ge 20 ] || other="$other: too few to compare"
    if [ -z "$other" ]; then
        echo "$engine: makes $alike of $count blockmaps of $name as" \
            "--lists=$lists, $first around the first vertex, too"
    else
        complain "$engine: makes $alike of $count blockmaps of $name as" \
            "--lists=$lists; not$other"
    fi
done
exit "$failures"
