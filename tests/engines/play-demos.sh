#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# play-demos.sh CASE IWAD: plays the demos of one of Freedoom's WADs in all
# engines, with the blockmaps rebuilt as the case says.  Prints a line for each
# engine and demo: the engine, "demos", case, WAD, demo, whether the game was
# right, its tics, what became of the first map's lump, whether the game was
# plain, and the first tic that was not right.
#
# A game is "right" if it is the same to the end as with the WAD as it is
# shipped, in where every thing is at every tic, and what it does.  Else it is
# "other", or "broken" if the demo was not played to its end.
#
# It is "plain" if it is the same as with lumps that have the lines that the
# engine is to meet in the same blocks, stored in ascending order and nothing
# nested.  So if it is plain, but not right, the engine has met another set of
# lines in a block; see doc/engines.md.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
# shellcheck source=tests/engines/play.sh
. "$SOURCE_DIR/tests/engines/play.sh"

case=$1
name=$2
use_home "$folder/home"
shipped=$freedoom_dir/$name.wad
games=$ENGINES_DIR/games

# options_of_case: prints how the lumps of the case are made; lump-nest-any is
# --source=lump --pack=nest --header=any.
options_of_case() {
    case $case in
    compatible | repack) echo "--preset=$case" ;;
    fit) echo "--grid=fit" ;;
    lump-*)
        packing=${case#lump-}
        echo "--source=lump --pack=${packing%-*} --header=${packing#*-}"
        ;;
    *) fail "unknown case: $case" ;;
    esac
}

# Writes case.wad, and plain.wad with the lines that the engine is to meet: of
# the lists as shipped, of the geometry on another grid, or, where lists are to
# have more lines, of the lumps of the case.  What lists have in
# their first word depends on their headers.
build_wads() {
    # shellcheck disable=SC2046 # words
    expect_build $(options_of_case) "$shipped" -o case.wad
    case $case in
    fit) set -- --grid=keep --header=zero case.wad ;;
    *-cover-zero) set -- --source=lump --header=zero case.wad ;;
    *-cover-* | *-any) set -- --source=lump --header=none case.wad ;;
    *-none) set -- --source=lump --header=none "$shipped" ;;
    *) set -- --source=lump --header=zero "$shipped" ;;
    esac
    expect_build --pack=share "$@" -o plain.wad
}

# play_kept ENGINE KEY WAD DEMO: leaves in the file kept the trace of a game,
# which is played only once for a key.  Tells of an engine that fails to.
play_kept() {
    key=$games/$1-$name-$2-$4
    [ -e "$key" ] || {
        play "$1" "$3" "$4.lmp" trace || {
            echo "$1: $4 of $name is not played:" \
                "$(tail -n 1 trace.said)  FAILED"
            failures=1
            return 1
        }
        cp trace "kept.$$"
        mv "kept.$$" "$key"
    }
    cp "$key" kept
}

# first_map DEMO: prints the marker of the map that a demo is of.
first_map() {
    # shellcheck disable=SC2046 # numbers
    set -- $(od -An -tu1 -j 2 -N 2 "$1.lmp")
    case $name in
    freedoom1) echo "E$1M$2" ;;
    *) printf 'MAP%02d\n' "$2" ;;
    esac
}

# Prints the first tic at which the game that was found is not the one kept, or
# nothing.
first_difference() {
    diff kept found | sed -n '2s/^[<>] \([0-9]*\).*/\1/p'
}

# hold_against_kept ENGINE DEMO: sets game, different and plain; fails if there
# is nothing to hold the game that was found against.
hold_against_kept() {
    play_kept "$1" shipped "$shipped" "$2" || return 1
    different=$(first_difference)
    play_kept "$1" "$case" plain.wad "$2" || return 1
    plain=plain
    [ -z "$(first_difference)" ] || plain=odd
    game=right
    [ -z "$different" ] || game=other
}

# try_demo ENGINE DEMO: plays it, and prints the line.
try_demo() {
    wadtool extract case.wad "$(first_map "$2")/BLOCKMAP" >case.lump
    game=broken
    plain=-
    different=
    played=0
    if play "$1" case.wad "$2.lmp" case-trace case.lump; then
        played=$tics
        tail -n +2 case-trace >found
        hold_against_kept "$1" "$2" || :
    fi
    echo "$1 demos $case $name $2 $game $played" \
        "$(blockmap_in case-trace) $plain $different"
}

failures=0
build_wads
for demo in DEMO1 DEMO2 DEMO3 DEMO4; do
    wadtool extract "$shipped" "$(wadtool list "$shipped" |
        awk -v demo=$demo '$2 == demo { print $1 }')" >$demo.lmp
    for engine in $ENGINES; do
        case $engine in
        *+*) ;; # these demos are of Doom 1.9
        *) try_demo "$engine" "$demo" ;;
        esac
    done
done
exit "$failures"
