#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The vanilla limit: a map of Freedoom four times side by side, whose largest
# offset is about 36,000 with lists shared, and one of about 40,000.  Chocolate
# Doom takes offsets over 32767 for negative ones, and has to be seen to go
# wrong where these lists are; the other engines can read them.  Of what is
# built for the limit every engine has to be right.
#
# usage: limit.sh ENGINE LUMPS
#     LUMPS is one of the cases below.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
# shellcheck source=tests/engines/play.sh
. "$SOURCE_DIR/tests/engines/play.sh"
# shellcheck source=tests/engines/runs.sh
. "$SOURCE_DIR/tests/engines/runs.sh"

# What is tiled, how the blockmap is built, and from where to where the largest
# offset has to be.
case $2 in
share) map=MAP10 low=35000 high=37000 options=--pack=share ;;
vanilla) map=MAP10 low=0 high=32767 options=--preset=vanilla ;;
merged) map=MAP23 low=0 high=32767 options="--preset=vanilla --fit=vanilla" ;;
*) fail "no such lumps: $2" ;;
esac
begin_runs "$1" limit "$2" zdbsp
iwad=$freedoom_dir/freedoom2.wad
seeds="1 2 3 4"
runs=4

# The tiles, with nodes of ZDBSP's, and our blockmap.
build() {
    tool maptool tame "$iwad" tame.wad "$map"
    tool maptool tile tame.wad "$map" 2 2 tiles.wad
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

# The blockmap is good for this engine.
expect_good() {
    for seed in $seeds; do
        make_demo "$map" "$seed"
        expect_clear "$iwad" built.wad "$map"
    done
    report "largest offset $offset: good in $runs runs of $run_tics tics"
}

# The blockmap is bad for this engine: each run crashes, or leads through walls.
expect_bad() {
    crashes=0
    passages=0
    for seed in $seeds; do
        make_demo "$map" "$seed"
        run "$iwad" built.wad "$map" || crashes=$((crashes + 1))
        [ $is_clear = yes ] || passages=$((passages + 1))
        [ "$is_played $is_clear" != "yes yes" ] ||
            fail_runs "with the largest offset $offset all went well"
    done
    report "largest offset $offset: bad, as documented: of $runs runs" \
        "$crashes crashed, $passages led through walls"
}

build
case $1-$2 in
chocolate-doom-share) expect_bad ;;
*) expect_good ;;
esac
