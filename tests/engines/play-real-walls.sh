#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# play-real-walls.sh zdbsp|glbsp|e2m1 MOVER...: has players, missiles and shots
# try to cross the walls that verify names: those that ZDBSP's lumps of Freedoom
# miss, glBSP's, or the lump of E2M1 in the samples, in Chocolate Doom and
# DSDA-Doom.  First each wall that DSDA-Doom misses at Boom's level stands in a
# room of its own, with the blocks that list it.  Then each that the engine
# itself misses is tried where it is in its map.  What is not crossed there,
# though it can be, is tried once more where blocks list nothing else; but not
# by shots, which leave a puff only where they meet something.
#
# Prints lines as play-gaps.sh does, of which the fourth word is "rooms", "maps"
# and "alone".

. "$SOURCE_DIR/tests/engines/play-walls.sh"

lumps=$1
shift
movers=$*

# make_wads: prints the names of those that are looked at.
make_wads() {
    case $lumps in
    e2m1) cp "$SOURCE_DIR/samples/e2m1.wad" . && echo e2m1 ;;
    *)
        for wad in freedoom1 freedoom2; do
            case $lumps in
            zdbsp) quietly zdbsp -N -E -o $wad.wad "$freedoom_dir/$wad.wad" ;;
            glbsp) quietly glbsp -q -n "$freedoom_dir/$wad.wad" -o $wad.wad ;;
            esac
            echo $wad
        done
        ;;
    esac
}

real_walls() {
    perl "$SOURCE_DIR/tests/engines/real-walls.pl" "$@"
}

# try_rooms: tries walls in rooms.
try_rooms() {
    first=0
    while real_walls rooms "$first" 16 <walls-of-all; do
        for mover in $movers; do
            try_walls "$engine" "$mover" 24 8 && tell_walls rooms
        done
        first=$((first + 16))
    done
}

# try_map MAP: tries its walls, those of walls-of-WAD.
try_map() {
    grep "^$1 " "walls-of-$wad" >walls-of-map
    real_walls map "$wad.wad" "$1" <walls-of-map
    for mover in $movers; do
        try_walls "$engine" "$mover" 12 8 || continue
        tell_walls maps
        [ "$mover" != shot ] || continue
        perl "$SOURCE_DIR/tests/engines/try-walls.pl" left "$mover" |
            awk 'NR == FNR { is_left[$1]; next } FNR in is_left' - \
                walls-of-map >"left-to-$mover"
    done
    for mover in $movers; do
        [ -s "left-to-$mover" ] || continue
        real_walls alone "$wad.wad" "$1" <"left-to-$mover"
        try_walls "$engine" "$mover" 12 0 && tell_walls alone
        rm "left-to-$mover"
    done
}

# find_walls ENGINE: writes walls-of-WAD, the walls that it misses.
find_walls() {
    while read -r wad; do
        report_walls "$wad.wad"
        real_walls find "$wad.wad" "$1" <report >"walls-of-$wad"
    done <wads
}

make_wads >wads
find_walls dsda-doom+9
sed 's/^/walls-of-/' wads | xargs cat >walls-of-all
for engine in $(engines_for_walls); do
    try_rooms
    find_walls "$engine"
    while read -r wad; do
        for map in $(cut -d' ' -f1 "walls-of-$wad" | sort -u); do
            try_map "$map"
        done
    done <wads
done
exit "$failures"
