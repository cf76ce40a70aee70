#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# play-sample.sh: plays the demo of samples/README.md in all engines, with
# E2M1's own lump, which has no headers, and with the lump that is built from
# the map. The player runs to the west, into a wall at x = -592: he stops 16
# units before it, unless the engine skips the first words of lists and the lump
# is the map's own.  Prints a line for each engine.

. "$SOURCE_DIR/tests/engines/play.sh"

WALL=-592
samples=$SOURCE_DIR/samples
ln -s "$samples/e2m1.wad" own.wad
expect_build own.wad -o built.wad

# side_of_wall ENGINE NAME: prints whether the player ends "east" or "west" of
# the wall, or that the demo was not played with this lump.
side_of_wall() {
    wadtool extract "$2.wad" E2M1/BLOCKMAP >"$2.lump"
    if play "$1" "$freedoom_dir/freedoom1.wad" "$samples/e2m1.lmp" trace \
        "$2.lump" -file "$2.wad" && [ "$(blockmap_in trace)" = loaded ]; then
        tail -n 1 trace | awk -v wall=$WALL \
            '{ print $3 < wall * 65536 ? "west" : "east" }'
    else
        echo "nowhere: $(tail -n 1 trace.said)"
    fi
}

for engine in $ENGINES; do
    case $engine in
    chocolate-doom) continue ;; # it ends as the map begins
    dsda-doom+9) expected="west east" ;;
    *) expected="east east" ;;
    esac
    own=$(side_of_wall "$engine" own)
    built=$(side_of_wall "$engine" built)
    sides="the player of E2M1 ends $own with its own lump, $built with ours"
    if [ "$own $built" = "$expected" ]; then
        echo "$engine: $sides"
    else
        complain "$engine: $sides; expected: $expected"
    fi
done
exit "$failures"
