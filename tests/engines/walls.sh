#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nothing is passed through: on every third of Freedoom's maps a player runs
# into walls for 2,000 tics, in a real engine, with our blockmaps.  None of his
# positions may be in a wall, or behind one.  As the control, a wall that he
# has met is dropped from the lists of that blockmap; with nothing else changed
# he has to be found in this very wall, or behind it, on nine maps of ten.
#
# Lists that begin with a linedef are not for engines that skip what is first:
# there he has to pass walls.
#
# usage: walls.sh ENGINE LUMPS [STEP]
#     LUMPS is one of the cases below; STEP 1 takes all maps.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
# shellcheck source=tests/engines/play.sh
. "$SOURCE_DIR/tests/engines/play.sh"
# shellcheck source=tests/engines/runs.sh
. "$SOURCE_DIR/tests/engines/runs.sh"

step=${3:-3}
case $2 in
cover) options=--pack=cover ;;
fit) options=--grid=fit ;;
small) options=--preset=small ;;
vanilla) options=--preset=vanilla ;;
any) options=--header=any ;;
*) fail "no such lumps: $2" ;;
esac
begin_runs "$1" walls "$2"
case $1-$2 in
dsda-doom+9-vanilla) is_good=no ;;
*) is_good=yes ;;
esac

# Plays on a map with the blockmap as it was built.
play_map() {
    expect_clear "$freedoom_dir/$name.wad" "$name-built.wad" "$map"
    all_moves=$((all_moves + moves))
    all_jumps=$((all_jumps + jumps))
    all_met=$((all_met + met))
}

# Plays the same without a wall.  Not each that he was near to was the one that
# stopped him, so a few of them may go unnoticed.
play_control() {
    tool maptool drop "$name-built.wad" "$map" "$wall" dropped.wad
    run "$freedoom_dir/$name.wad" dropped.wad "$map" || :
    ! grep -Eqx ".*: the player (is in|has passed) linedef $wall" judgement ||
        noticed=$((noticed + 1))
}

# The blockmaps are bad for this engine: what he meets, he may pass.
play_bad() {
    run "$freedoom_dir/$name.wad" "$name-built.wad" "$map" || :
    [ "$is_clear" = yes ] || passages=$((passages + 1))
}

maps=0
all_moves=0
all_jumps=0
all_met=0
noticed=0
passages=0
listed=0
for name in freedoom1 freedoom2 freedm; do
    list_maps "$freedoom_dir/$name.wad" >all-maps
    awk -v listed="$listed" -v step="$step" \
        '(listed + NR) % step == 0' all-maps >chosen
    listed=$((listed + $(wc -l <all-maps)))
    # shellcheck disable=SC2046 # a word for each map
    tool maptool tame "$freedoom_dir/$name.wad" "$name.wad" $(cat chosen)
    expect_build "$options" "$name.wad" -o "$name-built.wad"
    while read -r map; do
        maps=$((maps + 1))
        make_demo "$map" "$maps"
        if [ $is_good = no ]; then
            play_bad
        else
            play_map
            case $wall in
            - | 0) ;; # none was met, or the one that is put in its place
            *) play_control ;;
            esac
        fi
    done <chosen
done
if [ $is_good = no ]; then
    [ "$passages" -gt 0 ] || fail_runs "all went well"
    report "bad, as documented: walls are passed on $passages of $maps maps"
    exit 0
fi
[ "$noticed" -ge $((maps * 9 / 10)) ] ||
    fail_runs "on only $noticed of $maps maps a dropped wall was noticed"
report "$maps maps, $((maps * run_tics)) tics, $all_moves steps," \
    "$all_met walls met, $all_jumps teleports: none passed;" \
    "dropped ones noticed on $noticed maps"
