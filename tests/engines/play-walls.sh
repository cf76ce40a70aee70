# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How players, missiles and shots try to cross walls in source ports, for
# play-gaps.sh and play-real-walls.sh.

. "$SOURCE_DIR/tests/engines/play.sh"

OBSERVER_MOVERS=$folder/movers
export OBSERVER_MOVERS

# engines_for_walls: prints those that are there; others are as one of these.
engines_for_walls() {
    for one in $ENGINES; do
        case $one in
        chocolate-doom | dsda-doom+9) echo "$one" ;;
        esac
    done
}

# report_walls WAD: writes what verify says of a WAD.
report_walls() {
    blocksweep verify --json "$1" >report || [ $? -eq 1 ]
}

# try_walls ENGINE MOVER CAN CANNOT: has him try until all is crossed or tried;
# see try-walls.pl.
try_walls() {
    rm -f tried crossed movers
    wadtool extract map.wad MAP01/BLOCKMAP >lump
    while perl "$SOURCE_DIR/tests/engines/try-walls.pl" next "$2" "$3" "$4"; do
        if ! play "$1" "$freedoom_dir/freedm.wad" run.lmp trace lump \
            -file run.wad -deh run.deh ||
            [ "$(blockmap_in trace)" != loaded ]; then
            complain "$1: walls are not tried: $(tail -n 1 trace.said)"
            return 1
        fi
    done
}

# tell_walls WHAT: prints what came of it.
tell_walls() {
    # shellcheck disable=SC2154 # of the scripts
    echo "$engine walls $1 $mover" \
        "$(perl "$SOURCE_DIR/tests/engines/try-walls.pl" sum "$mover")"
}
