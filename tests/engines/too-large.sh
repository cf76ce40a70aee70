#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# too-large.sh: has all engines load and play a map whose blockmap is over any
# limit of classic lumps, and becomes XBM1.  It is a map of Freedoom with two
# more vertices, far away and of no line, and a grid that encloses these, too.
# That is 254 blocks wide and high, for DSDA-Doom warns of more than 255, also
# if it has built them.  Prints lines as those of load-maps.sh; the right game is
# that with the blockmap that encloses the lines.  At the end a warning of
# DSDA-Doom is listened for.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
# shellcheck source=tests/engines/play.sh
. "$SOURCE_DIR/tests/engines/play.sh"

map=MAP01
iwad=$freedoom_dir/freedoom2.wad
demo=$ENGINES_DIR/demos/freedoom2-$map.lmp
use_home "$folder/home"

# Writes far.wad, with nothing but the map.
make_map() {
    lumps="THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS
        REJECT BLOCKMAP"
    echo "$map" >recipe
    for lump in $lumps; do
        wadtool extract "$iwad" "$map/$lump" >"$lump"
        echo "$lump $folder/$lump" >>recipe
    done
    words 49536 49536 16500 16500 >>VERTEXES # -16000,-16000
    wadtool make PWAD far.wad <recipe
}

# The control of what engines complain of: DSDA-Doom does of more than 255
# columns, of a classic lump that is right else.
expect_warning() {
    wadtool extract "$iwad" "$map/VERTEXES" >VERTEXES
    words 32700 0 >>VERTEXES
    wadtool make PWAD wide.wad <recipe
    expect_build --grid=fit --bounds=vertices wide.wad -o wide-built.wad
    wadtool extract wide-built.wad "$map/BLOCKMAP" >wide.lump
    play dsda-doom "$iwad" "$demo" wide wide.lump -file wide-built.wad || :
    if [ "$(blockmap_in wide)" = complaint ]; then
        echo "dsda-doom: warning of a wide grid: heard"
    else
        echo "dsda-doom: warning of a wide grid: not heard  FAILED"
        failures=1
    fi
}

make_map
expect_build far.wad -o right.wad
blocksweep --quiet --grid=fit --bounds=vertices --overflow=xbm1 far.wad \
    -o case.wad 2>said || fail "$(cat said)"
wadtool extract right.wad "$map/BLOCKMAP" >right.lump
wadtool extract case.wad "$map/BLOCKMAP" >case.lump
[ "$(head -c 4 case.lump)" = XBM1 ] || fail "XBM1 was expected"
failures=0
for engine in $ENGINES; do
    rm -f right
    play "$engine" "$iwad" "$demo" right right.lump -file right.wad || {
        echo "$engine: $map is not played: $(tail -n 1 right.said)  FAILED"
        failures=1
        rm -f right
    }
    judge_game "$engine" right "$iwad" "$demo" case.lump \
        -file case.wad
    echo "$engine loads too-large freedoom2 $map $game $played" \
        "$(blockmap_in trace)"
done
case " $ENGINES " in *" dsda-doom "*) expect_warning ;; esac
exit "$failures"
