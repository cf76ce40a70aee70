# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How demos are played in source ports, for the scripts of `make check-engines`.
# Sources tests/help/library.sh, too.  An engine is named as users do, with the
# compatibility level after a + where it is not that of Doom 1.9: dsda-doom+9 is
# DSDA-Doom with -complevel 9, woof+9 Woof with a demo of Boom.  CHOCOLATE_DOOM,
# CRISPY_DOOM, DSDA_DOOM and WOOF are the programs, or empty.

. "$SOURCE_DIR/tests/help/library.sh"

# Nobody's settings are read, nor written; nothing is seen or heard.
SDL_VIDEODRIVER=dummy
SDL_AUDIODRIVER=dummy
HOME=$folder/home
XDG_CONFIG_HOME=$HOME
XDG_DATA_HOME=$HOME
export SDL_VIDEODRIVER SDL_AUDIODRIVER HOME XDG_CONFIG_HOME XDG_DATA_HOME
mkdir "$HOME"

# write_demo MARKER SKILL TICS SEED: prints a demo on this map.
write_demo() {
    # shellcheck disable=SC2046 # two numbers
    perl "$SOURCE_DIR/tests/engines/make-demo.pl" \
        $(echo "$1" | sed 's/^MAP0*/1 /; s/^E\(.\)M/\1 /') "$2" "$3" "$4"
}

# program_of ENGINE: prints the path of its program, or nothing.
program_of() {
    case $1 in
    chocolate-doom) echo "${CHOCOLATE_DOOM-}" ;;
    crispy-doom) echo "${CRISPY_DOOM-}" ;;
    dsda-doom*) echo "${DSDA_DOOM-}" ;;
    woof*) echo "${WOOF-}" ;;
    *) echo "unknown engine: $1" >&2 && exit 1 ;;
    esac
}

# options_of ENGINE: prints what it is run with.
options_of() {
    case $1 in
    dsda-doom+*) echo "-nosound -nodraw -complevel ${1#*+}" ;;
    dsda-doom | woof*) echo "-nosound -nodraw" ;;
    *) echo "-nosound -nodraw -nogui -window" ;;
    esac
}

# version_of ENGINE: prints its name and version, as it says.
version_of() {
    case $1 in
    dsda-doom*) timeout 600 "$DSDA_DOOM" -iwad nothing 2>&1 ;;
    *) timeout 600 "$(program_of "$1")" -version 2>&1 ;;
    esac | sed -nE 's/^([A-Za-z -]*([Dd]oom|Woof) v?[0-9][^ ]*).*/\1/p' | sed 1q
}

# play ENGINE WAD DEMO TRACE [LUMP [OPTION...]]: plays a demo, writes TRACE (see
# observer.c) and, in TRACE.said, what the engine printed.  With the file of the
# BLOCKMAP lump that is in the WAD the trace says whether the engine uses it.
# Succeeds if the demo was played to its end; tics is then how many.
play() {
    its_engine=$1
    its_wad=$2
    its_demo=$3
    its_trace=$4
    its_lump=${5-}
    shift 4
    [ $# -eq 0 ] || shift
    status=0
    rm -f "$its_trace"
    # shellcheck disable=SC2034,SC2046 # status is for callers; words
    timeout --foreground 1800 env \
        LD_PRELOAD="$BUILD_DIR/tests/engines/.libs/observer.so" \
        OBSERVER_TRACE="$its_trace" ${its_lump:+OBSERVER_BLOCKMAP="$its_lump"} \
        "$(program_of "$its_engine")" $(options_of "$its_engine") \
        -iwad "$its_wad" -timedemo "$its_demo" "$@" \
        >"$its_trace.said" 2>&1 || status=$?
    tics=$(sed -n 's/.*[Tt]imed \([0-9]*\) gametics.*/\1/p' "$its_trace.said")
    [ -n "$tics" ] && [ -e "$its_trace" ] &&
        [ "$tics" -le "$(wc -l <"$its_trace")" ]
}

# blockmap_in TRACE: prints what became of the lump: loaded, rebuilt, none, or
# complaint, if the engine said that there is something wrong with it.
blockmap_in() {
    if grep -qs 'P_VerifyBlockMap\|P_LoadBlockMap' "$1.said"; then
        echo complaint
    elif grep -qs '+BLOCKMAP)' "$1.said"; then
        echo rebuilt
    else
        its_blockmap=$(sed -n '1s/^blockmap //p' "$1" 2>/dev/null) || :
        echo "${its_blockmap:-none}"
    fi
}

# first_difference GAME GAME: prints the first tic in which they differ, or
# "same".
first_difference() {
    diff "$1" "$2" | sed -n '2s/^[<>] \([0-9]*\).*/\1/p' | grep . || echo same
}

# hash_of FILE: prints what tells it from others.
hash_of() {
    sha256sum <"$1" | cut -c 1-16
}

# play_once NAME ENGINE WAD DEMO LUMP [OPTION...]: plays a demo unless that has
# been done under this name, in which hashes tell what was played with.  Sets
# ended to yes or no, tics, blockmap to what became of the lump, and game to the
# file with the trace, but for its first line.  A game that has not ended has 0
# tics.  Several jobs may play the same game: files appear whole.
play_once() {
    game=$ENGINES_DIR/games/$2-$1
    shift
    [ -e "$game.end" ] || {
        once_engine=$1 once_wad=$2 once_demo=$3 once_lump=$4
        shift 4
        ended=yes
        play "$once_engine" "$once_wad" "$once_demo" trace "$once_lump" "$@" ||
            ended=no tics=0
        [ ! -e trace ] || {
            tail -n +2 trace >played
            mv played "$game"
        }
        echo "$ended $tics $(blockmap_in trace)" >end
        tail -n 1 trace.said >>end
        mv end "$game.end"
    }
    # shellcheck disable=SC2034 # for scripts
    read -r ended tics blockmap <"$game.end"
}

# Tells of an engine that fails; the others go on.
failures=0
complain() {
    echo "$*  FAILED"
    # shellcheck disable=SC2034 # for scripts
    failures=1
}

# options_of_case CASE: prints how the lumps of the case are made.
options_of_case() {
    case $1 in
    compatible | repack | small | vanilla) echo "--preset=$1" ;;
    fit) echo "--grid=fit" ;;
    inert) echo "--grid=keep --prune=$1" ;;
    boom) echo "--grid=keep --pack=nest --for=boom" ;;
    xbm1) echo "--format=xbm1 --for=woof-dev" ;;
    # Which load-maps.sh changes.
    empty | extended | too-long) echo "--preset=compatible" ;;
    lump-nest-any) echo "--lists=lump --pack=nest --for=boom" ;;
    lump-nest-none) echo "--lists=lump --pack=nest --for=mbf21" ;;
    *) fail "unknown case: $1" ;;
    esac
}
