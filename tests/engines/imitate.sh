#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# imitate.sh LISTS ENGINE WAD...: has an engine make the blockmaps of maps by
# itself, with -blockmap, and compares what it has in memory, list by list, and
# its grid with the lumps of --lists=boom or mbf.  A WAD is one of Freedoom's,
# or a kind and a seed of 32 random maps, such as points-1; those that engines
# make no lump of are skipped.  Prints a line for each WAD.

. "$SOURCE_DIR/tests/engines/play.sh"

lists=$1
engine=$2
shift 2

# try_map WAD [OPTION...]: plays a moment on $map; alike counts.
try_map() {
    wad=$1
    shift
    write_demo "$map" 4 2 1 >moment.lmp
    play "$engine" "$wad" moment.lmp trace made.lump -blockmap "$@" || :
    # What engines say of the blockmap does not count.  Those that crash, as they
    # do on vertices outside their grid, have none to compare with.
    case $(sed -n '1s/^blockmap //p' trace 2>/dev/null) in
    alike | loaded) alike=$((alike + 1)) ;;
    '') count=$((count - 1)) ;;
    *) other="$other $map" ;;
    esac
}

for name in "$@"; do
    count=0
    alike=0
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
    for map in $(wadtool list "$maps" |
        awk '$2 == "THINGS" { print before } { before = $2 }'); do
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
            "--lists=$lists"
    else
        complain "$engine: makes $alike of $count blockmaps of $name as" \
            "--lists=$lists; not$other"
    fi
done
exit "$failures"
