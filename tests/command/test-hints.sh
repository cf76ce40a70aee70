#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that hints are true, those of build for maps over a limit and those of
# verify.  Typed as they are printed, they make a lump of the bytes that are
# told, with the grid, headers, entries and changes for demos that are told, and
# the games for which it is meant read it; after two hints there is no third.  A
# map that is to be split has too many linedefs or blocks for any lump.
#
# HINT_MAPS: how many maps to make.  HINT_WADS: absolute paths of WADs, or of
# folders with them, to try with all kinds of options.  LONG makes 40, and
# takes those of Freedoom.

. "$SOURCE_DIR/tests/help/library.sh"

# Makes map.wad, of lines at random; the lump has about so many words.
make_map() {
    perl -e '
        my ($seed, $words) = @ARGV;
        srand $seed;
        my $side = 2000 + int rand 9000;
        my $longest = 20 + int rand 600;
        $side = $longest + 100 if $side < $longest;
        my $blocks = ($side / 128 + 1) ** 2;
        my $each = 1 + $longest / 256; # blocks of a line
        my $count = int(($words - 3 * $blocks) / $each);
        $count = 4 if $count < 4;
        sub near { # within the square
            my $at = $_[0] + int rand($longest) - $longest / 2;
            return $at < 0 ? 0 : $at > $side ? $side : int $at;
        }
        for (1 .. $count) {
            my ($x, $y) = map { int rand $side } 0, 1;
            print pack "s<4", $x, $y, near($x), near($y);
        }
    ' "$1" "$2" >VERTEXES
    make_lines
}

# wrong SENTENCE: counts what is false.
wrong() {
    wrongs=$((wrongs + 1))
    echo "FALSE: $wad: $map: $*"
    cat errors
}

# build OPTION...: builds the map, and finds the hint and what it costs.
build() {
    status=0
    blocksweep --map="$map" "$@" "$wad" -o out.wad >report 2>errors || status=$?
    hint=$(sed -n 's/.*\(; \|, \)add \(--[^:]*\): [0-9]* bytes.*/\2/p' errors)
    cost=$(sed -n 's/.*add --[^:]*: \([0-9]* bytes.*\)/\1/p' errors)
}

# is_in TEXT PATTERN
is_in() {
    printf '%s\n' "$1" | grep -q -e "$2"
}

# has_room LIMIT: whether a lump of the map may meet this limit.
has_room() {
    wadtool needs "$wad" "$map" >needed || exit 1
    read -r lines blocks <needed
    case $1 in
    vanilla) [ "$lines" -le 32768 ] && [ $((4 + blocks)) -le 32767 ] ;;
    *) [ "$lines" -le 65535 ] && [ $((4 + blocks + 2)) -le 65535 ] ;;
    esac
}

# expect_no_way OPTION...: options that are not named fail, too.
expect_no_way() {
    limit=$(sed -n 's/.*words over the \([a-z]*\) limit.*/\1/p' errors)
    cp errors said
    for games in any,doom19 doom19 any; do
        case $limit,$games in
        vanilla,any | extended,*doom19) continue ;;
        esac
        for preset in small vanilla repack; do
            build "$@" --for=$games --preset=$preset --overflow=merge,error
            [ "$status" -ne 0 ] || {
                cp said errors
                wrong "$*: fits with --for=$games --preset=$preset" \
                    "--overflow=merge,error"
                return
            }
        done
    done
}

# expect_end OPTION...: no hint is left: the lump is right for its games, or the
# map is to be split, or the message says what stopped it.
expect_end() {
    if grep -q 'best lump that was tried is [0-9]* words over' errors; then
        misses=$((misses + 1))
        expect_no_way "$@"
    elif grep -q 'split\|ports build their own' errors; then
        splits=$((splits + 1))
        limit=vanilla
        ! grep 'split\|ports build their own' errors |
            grep -q 'the extended limit\|a classic lump' || limit=extended
        ! has_room $limit ||
            wrong "$*: $lines linedefs and $blocks blocks may fit"
    elif grep -q 'merging stopped\|no other options' errors; then
        misses=$((misses + 1))
    elif grep -q 'crash on this map\|left empty\| over the ' errors; then
        wrong "$*: a hint was expected"
    fi
}

# find_games OPTION...: finds those that the lump is for.
find_games() {
    games=
    for option; do
        case $option in
        --for=*) games=${option#--for=} ;;
        esac
    done
    case " $* " in *" --preset=vanilla "*) games=${games:-doom19} ;; esac
    games=${games:-any}
}

# expect_extra OPTION...: the extra entries are those that were told.
expect_extra() {
    if [ "$extra" -eq 0 ]; then
        ! is_in "$told" "extra"
    else
        is_in "$told" " $extra extra entries"
    fi || wrong "$*: $extra extra entries, not $told"
}

# expect_cost COST OPTION...: the lump in out.wad costs what was told.
expect_cost() {
    told=$1
    shift
    size=$(wadtool extract out.wad "$map/BLOCKMAP" | wc -c)
    [ "$size" -eq "${told%% *}" ] || wrong "$*: makes $size bytes, not $told"
    grep -q " $size  " report || wrong "$*: the report has other bytes"
    find_games "$@"
    wadtool blockmap out.wad "$map/BLOCKMAP" >grid
    wadtool lists out.wad "$map/BLOCKMAP" >made_lists
    read -r x y _ _ words largest <grid
    case $games in
    *doom19*)
        [ "$largest" -le 32767 ] || wrong "$*: the largest offset is $largest"
        ;;
    esac
    [ "$words" -le 65535 ] || wrong "$*: $words words"
    blocksweep verify --for="$games" --map="$map" --json out.wad >output 2>&1 ||
        wrong "$*: verify --for=$games: $(cat output)"
    read_json
    judged=$(fact files.0.maps.0.status)
    case $judged in good | harmless) ;; *) wrong "$*: verify: $judged" ;; esac
    extra=$(fact files.0.maps.0.extra_entries)
    # Lists of a lump may have extra entries of their own, which are not told.
    case " $* " in
    *" --lists=lump "*) ;;
    *) expect_extra "$@" ;;
    esac
    headers=none
    grep -qv '^0\( \|$\)' made_lists || headers=zero
    is_in "$told" "no headers" && said=none || said=zero
    [ "$headers" = "$said" ] || wrong "$*: headers: $headers, not $told"
    old_x=$x old_y=$y
    [ ! -s oldgrid ] || read -r old_x old_y _ <oldgrid
    moves=no
    [ "$x,$y" = "$old_x,$old_y" ] || moves=yes
    is_in "$told" "grid moves" && said=yes || said=no
    [ "$moves" = "$said" ] || wrong "$*: the grid moves: $moves, not $told"
    if [ -s oldgrid ]; then
        same=no
        [ $moves = yes ] || ! cmp -s made_lists oldlists || same=yes
        case $told in
        *"demos differ") [ $same = no ] || wrong "$*: no demo differs" ;;
        *"the present lump") [ $same = yes ] || wrong "$*: it is another" ;;
        *"demos may differ")
            uncertain=$((uncertain + 1))
            [ $same = no ] || kept=$((kept + 1))
            ;;
        *) wrong "$*: nothing is told of demos" ;;
        esac
    else
        ! is_in "$told" demos || wrong "$*: there was no lump for demos"
    fi
}

# follow OPTION...: follows the hints for the map.
follow() {
    build "$@"
    for step in 1 2 3; do
        if [ -z "$hint" ]; then
            follow_others "$@"
            expect_end "$@"
            return
        fi
        [ "$step" -lt 3 ] || {
            circles=$((circles + 1))
            wrong "$*: hints do not end"
            return
        }
        hints=$((hints + 1))
        for option in $hint; do
            case " $* " in *" $option "*)
                wrong "the command line has $option: $*"
                ;;
            esac
        done
        promised=$cost
        # shellcheck disable=SC2086 # as typed
        set -- "$@" $hint
        build "$@"
        [ "$status" -eq 0 ] || {
            wrong "$*: fails"
            return
        }
        expect_cost "$promised" "$@"
    done
}

# follow_others OPTION...: those that tell no cost.
follow_others() {
    ! grep -q 'try --grid=fit' errors || {
        others=$((others + 1))
        before=$(sed -n 's/.*grid.s origin \([a-z ]*\) in .*/\1/p' errors)
        build "$@" --grid=fit
        ! grep -q "grid's origin $before" errors ||
            wrong "$* --grid=fit: $before"
        [ "$status" -eq 0 ] || wrong "$* --grid=fit: fails"
        build "$@"
    }
    ! grep -q 'no blockmap can help' errors || {
        others=$((others + 1))
        before=$(sed -n 's/.*grid.s origin \([a-z ]*\) in .*/\1/p' errors)
        build "$@" --grid=fit
        grep -q "grid's origin $before" errors || wrong "$* --grid=fit helps"
        build "$@"
    }
    ! grep -q 'try --lists=exact' errors || {
        others=$((others + 1))
        build "$@" --lists=exact
        blocksweep verify --map="$map" out.wad >output 2>&1 ||
            wrong "$* --lists=exact: $(cat output)"
        build "$@"
    }
    ! grep -q -e '--builder=zdbsp puts' errors || ! has zdbsp || {
        others=$((others + 1))
        build "$@" --builder=zdbsp
        [ "$status" -eq 0 ] || wrong "$* --builder=zdbsp: fails"
        ! grep -q -e 'stands ' errors ||
            wrong "$* --builder=zdbsp: does not help"
        build "$@"
    }
}

# follow_repair OPTION...: types what verify ends with.
follow_repair() {
    cp "$wad" "a b's.wad"
    chmod u+w "a b's.wad"
    blocksweep verify --map="$map" "$@" "a b's.wad" >report 2>errors && return
    repair=$(sed -n 's/^To repair: //p' report)
    [ -n "$repair" ] || {
        unrepaired=$((unrepaired + 1))
        return
    }
    repairs=$((repairs + 1))
    eval "$repair" >said 2>&1 || wrong "$repair: $(cat said)"
    blocksweep verify --map="$map" "$@" "a b's.wad" >report 2>errors ||
        wrong "$repair: verify $*: $(cat report)"
    [ -s oldgrid ] || return 0
    read -r _ _ _ _ _ old_largest <oldgrid
    wadtool blockmap "a b's.wad" "$map/BLOCKMAP" >grid
    read -r _ _ _ _ _ largest <grid
    [ "$old_largest" -gt 32767 ] || [ "$largest" -le 32767 ] ||
        wrong "$repair: the largest offset was $old_largest, and is $largest"
}

# follow_all: with all kinds of options.
follow_all() {
    : >oldgrid
    : >oldlists
    wadtool blockmap "$wad" "$map/BLOCKMAP" >oldgrid 2>errors &&
        wadtool lists "$wad" "$map/BLOCKMAP" >oldlists 2>errors || : >oldgrid
    while read -r row; do
        # shellcheck disable=SC2086 # words
        set -- $row
        follow "$@"
    done <<'END'

--for=any,doom19
--for=doom19
--preset=vanilla
--preset=repack
--preset=small
--for=any,doom19 --grid=fit
--lists=lump
END
    [ ! -s oldgrid ] || {
        read -r x y _ <oldgrid
        x=$((x - 25000))
        [ $x -ge -32768 ] || x=-32768
        follow --grid=$x,$y
    }
    for option in --for=any --for=any,doom19 --for=doom19 --strict; do
        follow_repair $option
    done
}

hints=0 splits=0 misses=0 others=0 repairs=0 unrepaired=0 wrongs=0 circles=0
uncertain=0 kept=0
need_json

# --- Maps of WADs ---

maps=0
wads=${HINT_WADS-}
made=${HINT_MAPS:-4}
[ -z "${LONG-}" ] || {
    need_freedoom
    wads="$wads $freedoom_dir"
    made=${HINT_MAPS:-40}
}
: >wads
# shellcheck disable=SC2086 # words
[ -z "$wads" ] || find $wads -iname '*.wad' >wads
while read -r wad; do
    blocksweep verify --json "$wad" >output 2>errors || :
    sed -n 's/^ *"map": "\(.*\)",*$/\1/p' output | sort -u >maps
    while read -r map; do
        maps=$((maps + 1))
        follow_all </dev/null
    done <maps
done <wads
[ ! -s wads ] || echo "$maps maps of $(wc -l <wads) WADs"

# --- Made maps ---

wad=map.wad map=MAP01
seed=0
made_hints=$hints
while [ $seed -lt "$made" ]; do
    seed=$((seed + 1))
    case $((seed % 4)) in
    0) make_map $seed $((66000 + seed * 7919 % 20000)) ;;
    *) make_map $seed $((33000 + seed * 7919 % 15000)) ;;
    esac
    : >oldgrid
    case $((seed % 7)) in
    0 | 1 | 2) follow ;;
    3) follow --for=any,doom19 ;;
    4) follow --preset=repack ;;
    5) follow --for=any,doom19 --grid=fit ;;
    6) follow --preset=small ;;
    esac
done
[ $((hints - made_hints)) -ge $(((seed + 3) / 4)) ] || fail "too few hints"
echo "$hints hints were followed, and $others without a cost;" \
    "$repairs repairs; $unrepaired flaws without one;" \
    "$splits maps are to be split, $misses miss;" \
    "demos may differ $uncertain times, and are in sync $kept times"
[ $wrongs -eq 0 ] || fail "$wrongs sentences are false, $circles circles"
