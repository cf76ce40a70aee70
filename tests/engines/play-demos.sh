#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# play-demos.sh CASE IWAD: plays the demos of one of Freedoom's WADs in all
# engines, with the blockmaps rebuilt as the case says; see "Demos" in
# doc/engines.md.  Prints a line for each engine and demo: the engine, "demos",
# case, WAD, demo, whether the game was "right", "other" than with the WAD as it
# is shipped, or "broken", its tics, what became of the first map's lump, whether
# the game was "plain", the same as with plain lists of the lines that the engine
# is to meet, and the first tic that was not right, or "same".

. "$SOURCE_DIR/tests/engines/play.sh"

case=$1
name=$2
ln -s "$freedoom_dir/$name.wad" shipped.wad

# Writes case.wad, and plain.wad with the lines that the engine is to meet: of
# the lists as shipped, of the geometry on another grid, or, where lists are to
# have more lines, of the lumps of the case.  What lists have in
# their first word depends on their headers.
build_wads() {
    # Warnings tell of specials that prune does not know, and of lists that lack
    # entries.
    # shellcheck disable=SC2046 # words
    expect 0 blocksweep --quiet $(options_of_case "$case") shipped.wad \
        -o case.wad
    case $case in
    fit) expect_build --grid=keep case.wad -o plain.wad ;;
    *-any) expect 0 wadtool plain case.wad plain.wad ;;
    *-none)
        expect 0 blocksweep --quiet --lists=lump --for=mbf21 shipped.wad \
            -o plain.wad
        ;;
    *) expect 0 wadtool plain shipped.wad plain.wad ;;
    esac
}

# play_demo ENGINE WAD: plays the demo with shipped.wad, plain.wad or case.wad.
play_demo() {
    wadtool extract "$2.wad" "$(first_map)/BLOCKMAP" >lump
    play_once "$name-$demo-$(cat "$2.hash")" "$1" "$2.wad" "$demo.lmp" lump
}

# first_map: prints the marker of the map that the demo is of.
first_map() {
    # shellcheck disable=SC2046 # numbers
    set -- $(od -An -tu1 -j 2 -N 2 "$demo.lmp")
    case $name in
    freedoom1) echo "E$1M$2" ;;
    *) printf 'MAP%02d\n' "$2" ;;
    esac
}

# try_demo ENGINE: plays the demo, and prints the line.
try_demo() {
    result=broken plain=- different=
    for wad in shipped plain; do
        play_demo "$1" $wad
        [ "$ended" = yes ] || {
            complain "$1: $demo of $name is not played with $wad lumps:" \
                "$(tail -n 1 "$game.end")"
            return 0
        }
        ln -sf "$game" $wad.game
    done
    play_demo "$1" case
    if [ "$ended" = yes ]; then
        different=$(first_difference shipped.game "$game")
        result=right plain=plain
        [ "$different" = same ] || result=other
        cmp -s plain.game "$game" || plain=odd
    fi
    echo "$1 demos $case $name $demo $result $tics $blockmap $plain $different"
}

build_wads
for wad in shipped plain case; do
    hash_of $wad.wad >$wad.hash
done
for demo in $(wadtool list shipped.wad | awk '$2 ~ /^DEMO[1-4]$/ { print $2 }')
do
    wadtool extract shipped.wad "$(wadtool list shipped.wad |
        awk -v demo="$demo" '$2 == demo { print $1 }')" >"$demo.lmp"
    for engine in $ENGINES; do
        case $engine in
        *+*) ;; # these demos are of Doom 1.9
        *) try_demo "$engine" ;;
        esac
    done
done
exit "$failures"
