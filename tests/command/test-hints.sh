#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that hints for maps over a limit are true: typed as they are printed,
# their options make a lump of the bytes that are told, which the games read for
# which it is meant; and after two of them there is no other one.
#
# HINT_MAPS: how many maps to make.

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
        sub write_lump {
            open my $file, ">:raw", shift or die;
            print $file @_;
        }
        write_lump "VERTEXES", map {
            my ($x, $y) = map { int rand $side } 0, 1;
            pack "s<4", $x, $y, near($x), near($y)
        } 1 .. $count;
        write_lump "LINEDEFS", map {
            pack "v7", 2 * $_, 2 * $_ + 1, 1, 0, 0, 0, 65535
        } 0 .. $count - 1;
        write_lump "SIDEDEFS", pack "v2a8a8a8v", 0, 0, "-", "-", "-", 0;
        write_lump "SECTORS", pack "v2a8a8v3", 0, 128, "F", "F", 160, 0, 0;
    ' "$1" "$2"
    for name in THINGS SEGS SSECTORS NODES REJECT BLOCKMAP; do
        : >$name
    done
    room MAP01 | wadtool make PWAD map.wad
}

# build OPTION...: builds map.wad, and finds the hint, its bytes, and what else
# is said of a limit.
build() {
    status=0
    blocksweep --quiet "$@" map.wad -o out.wad 2>errors || status=$?
    hint=$(sed -n 's/.*\(; \|, \)add \(--[^:]*\): [0-9]* bytes.*/\2/p' errors)
    bytes=$(sed -n 's/.*add --[^:]*: \([0-9]*\) bytes.*/\1/p' errors)
}

# expect_end: no hint is left: the lump is right for its games, or the map is to
# be split, or the message says what stopped it.
expect_end() {
    if grep -q 'split' errors; then
        splits=$((splits + 1))
        # Only that: the grids of these maps have few blocks.
        [ $(($(wc -c <LINEDEFS) / 14)) -gt 32768 ] ||
            fail "$said: so few linedefs may fit"
    elif grep -q 'best lump that was tried is [0-9]* words over' errors; then
        misses=$((misses + 1))
    elif [ "$status" -ne 0 ] || grep -q 'crash\|left empty' errors; then
        cat errors
        fail "$said: a hint was expected"
    fi
}

# follow OPTION...: follows the hints for map.wad.
follow() {
    build "$@"
    for step in 1 2 3; do
        said="$(cat errors) after $*"
        if [ -z "$hint" ]; then
            expect_end
            return
        fi
        [ "$step" -lt 3 ] || fail "$said: hints do not end"
        hints=$((hints + 1))
        for option in $hint; do
            case " $* " in *" $option "*)
                fail "$said: the command line has $option"
                ;;
            esac
        done
        told=$bytes
        # shellcheck disable=SC2086 # as typed
        set -- "$@" $hint
        build "$@"
        [ "$status" -eq 0 ] || fail "$said: $*: $(cat errors)"
        made=$(wadtool list out.wad | awk '$2 == "BLOCKMAP" { print $3 }')
        [ "$made" = "$told" ] || fail "$said: $* makes $made bytes"
        games=any
        case " $* " in
        *=doom19\ *) games=doom19 ;;
        *doom19*) games=any,doom19 ;;
        *=vanilla\ *) games=doom19 ;;
        esac
        blocksweep verify --for=$games --quiet out.wad >verified 2>&1 ||
            fail "$said: verify --for=$games: $(cat verified)"
    done
}

hints=0 splits=0 misses=0
seed=0
while [ $seed -lt "${HINT_MAPS:-12}" ]; do
    seed=$((seed + 1))
    case $((seed % 4)) in
    0) make_map $seed $((66000 + seed * 7919 % 20000)) ;;
    *) make_map $seed $((33000 + seed * 7919 % 15000)) ;;
    esac
    case $((seed % 7)) in
    0 | 1 | 2) follow ;;
    3) follow --for=any,doom19 ;;
    4) follow --preset=repack ;;
    5) follow --for=any,doom19 --grid=fit ;;
    6) follow --preset=small ;;
    esac
done
echo "$hints hints were followed; $splits maps are to be split, $misses miss"
[ $hints -gt $((seed / 4)) ] || fail "too few hints: $hints"
