#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# play-readings.sh NUMBER: plays a map with a lump of reading-lumps.pl in all
# engines, and with the lump that readings.c makes of what `verify` says that
# the engine sees.  Both games have to be equal at every tic.  An engine that is
# to build its own lump has to, and to play as with -blockmap; one that is to
# crash has to end, or to play another game than with a right lump.
#
# Then each fact of the engine's row is made wrong in turn, until a lump has
# shown it: where what is said is then another, it is not so.  Prints lines of
# the engine, "readings" and
#
#     lump SAID RESULT NUMBER KIND  what is said of the lump: "so" or "other"
#     wrong FACT RESULT             "told", if this lump shows it, or "untold"

. "$SOURCE_DIR/tests/engines/play.sh"

# Facts, and the wrong values of each; that which an engine has is none.
WRONG_FACTS="first_word=0 first_word=1 first_word=2 least_bytes=0 least_bytes=1
least_bytes=8 checks=1 checks=2 checks=3 has_signed_words=0 has_signed_words=1
reads_xbm1=1 find=0 find=1 find=2
find=3 find=4 find=5 reach=0 reach=128 reach=512 finds_0=0 finds_0=1"
number=$1
e2m1=$SOURCE_DIR/samples/e2m1.wad

reading_lumps() {
    perl "$SOURCE_DIR/tests/engines/reading-lumps.pl" "$@"
}

# read_as ENGINE MADE [FACT VALUE]: prints what is said of the map.
read_as() {
    read_engine=$1
    read_made=$2
    shift 2
    case $read_engine in
    woof*) read_engine=$woof${read_engine#woof} ;;
    esac
    "$BUILD_DIR/tests/engines/readings" "$read_engine" own.wad "$line_count" \
        "$read_made" "$@"
}

# play_wad ENGINE WAD LUMP [OPTION...]: as play_once, the map with this lump.
play_wad() {
    wad_engine=$1
    wad_file=$2
    wad_lump=$3
    shift 3
    case $wad_engine in
    woof+*) wad_demo=demo${wad_engine#woof+}.lmp ;;
    *) wad_demo=demo.lmp ;;
    esac
    play_once "readings-$(hash_of "$wad_file")$*" "$wad_engine" \
        "$freedoom_dir/$iwad.wad" "$wad_demo" "$wad_lump" -file "$wad_file" \
        -deh patch.deh "$@"
}

# is_same_as LUMP [OPTION...]: the game with the lump is that with this one.
is_same_as() {
    reading_lumps plain "$number" "$1" plain.wad "$e2m1"
    play_wad "$engine" plain.wad "$@"
    [ "$ended $own_ended" = "yes yes" ] && cmp -s "$game" "$own_game"
}

# is_so KIND MADE: whether what is said of the lump is so.
is_so() {
    case $1 in
    lists) [ "$own_blockmap" != rebuilt ] && is_same_as "$2" ;;
    rebuilds)
        [ "$engine" != chocolate-doom ] && [ "$own_blockmap" = rebuilt ] &&
            is_same_as right -blockmap
        ;;
    crashes)
        [ "$own_ended" = no ] ||
            { [ "$own_blockmap" != rebuilt ] && ! is_same_as right; }
        ;;
    esac
}

# try_wrong ENGINE FACT VALUE: whether the runs show that the fact is wrong.
# Nothing is said where the fact does not matter.
try_wrong() {
    wrong=$(read_as "$1" wrong.lump "$2" "$3")
    [ "$wrong" != "$said" ] || {
        [ "$said" = lists ] && ! cmp -s wrong.lump made.lump
    } || return 0
    [ ! -e "$ENGINES_DIR/told-$1-$2-$3" ] || return 0
    if is_so "$wrong" wrong.lump; then
        echo "$1 readings wrong $2=$3 untold"
    else
        : >"$ENGINES_DIR/told-$1-$2-$3"
        echo "$1 readings wrong $2=$3 told"
    fi
}

reading_lumps lump "$number" lump "$e2m1" >told
IFS='	' read -r kind line_count marker <told
case $marker in
E2M1) iwad=freedoom1 ;;
*) iwad=freedoom2 ;;
esac
reading_lumps wad "$number" lump own.wad "$e2m1"
reading_lumps right "$number" right "$e2m1"
reading_lumps demo "$number" patch.deh demo.lmp demo9.lmp demo21.lmp
# Woof is played at its other levels, too; since 14 it finds the lump by name.
engines=$ENGINES
case " $ENGINES " in
*' woof '*)
    engines="$engines woof+9 woof+21"
    case $(version_of woof) in
    *" 1"[0-3].*) woof="woof" ;;
    *) woof="woof-named" ;;
    esac
    ;;
esac
for engine in $engines; do
    play_wad "$engine" own.wad lump
    own_ended=$ended own_game=$game own_blockmap=$blockmap
    said=$(read_as "$engine" made.lump) || fail "$engine: $kind: $said"
    result=other
    if is_so "$said" made.lump; then
        result=so
    else
        complain "$engine: lump $number, $kind: \"$said\" is said, and not so"
    fi
    echo "$engine readings lump $said $result $number $kind"
    for wrong_fact in $WRONG_FACTS; do
        try_wrong "$engine" "${wrong_fact%=*}" "${wrong_fact#*=}"
    done
done
exit "$failures"
