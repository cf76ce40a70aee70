#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# play-sample.sh: plays the demo of samples/README.md in all engines, with
# E2M1's own lump, which has no headers, and with the lump that is built from
# the map. At the end the player runs to the west into linedef 352, from
# -320,-1472 to -224,-1216: he stops east of it, unless the engine skips the
# first words of lists and the lump is the map's own.  Prints a line for each
# engine.
#
# It is a demo of a deathmatch with one player, who begins at one of seven
# places by a random number.  At the level of Doom 1.9 the same place is drawn if
# there are no monsters, so there the demo is played without.

. "$SOURCE_DIR/tests/engines/play.sh"

samples=$SOURCE_DIR/samples
ln -s "$samples/e2m1.wad" own.wad
# Byte 7 says that there are no monsters (G_BeginRecording of g_game.c).
{
    head -c 7 "$samples/e2m1.lmp"
    printf '\001'
    tail -c +9 "$samples/e2m1.lmp"
} >no-monsters.lmp
expect_build own.wad -o built.wad

# side_of_wall ENGINE NAME: prints whether the player ends "east" or "west" of
# the wall, "elsewhere", or that the demo was not played with this lump.
side_of_wall() {
    wadtool extract "$2.wad" E2M1/BLOCKMAP >"$2.lump"
    case $1 in
    dsda-doom+*) demo=$samples/e2m1.lmp ;;
    *) demo=no-monsters.lmp ;;
    esac
    if play "$1" "$freedoom_dir/freedoom1.wad" "$demo" trace \
        "$2.lump" -file "$2.wad" && [ "$(blockmap_in trace)" = loaded ]; then
        tail -n 1 trace | awk '{
            x = $3 / 65536 + 320
            y = $4 / 65536 + 1472
            units = (x * 256 - y * 96) / sqrt(256 * 256 + 96 * 96)
            side = units < 0 ? "west" : "east"
            print(y < 0 || y > 256 || units ^ 2 > 32 ^ 2 ? "elsewhere" : side)
        }'
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
