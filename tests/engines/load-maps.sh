#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# load-maps.sh CASE IWAD EVERY: has maps of one of Freedoom's WADs, every so
# many, loaded and played for 10 seconds in all engines, with lumps of one case;
# see "Maps" in doc/engines.md.  Prints a line for each engine and map: the
# engine, "loads", case, WAD, map, whether the game was "right", "other" than
# that with plain lists of the same lines, or "broken", its tics, and what
# became of the lump; and for each map and row of the program's own table of
# engines: "table", case, WAD, map, what `verify` says that the lump is to it,
# and the row.
#
# Where the engine skips the first word of a list the lines are those of the
# block, of nested lists in their order, with linedef 0 for a 0 among them;
# where it reads it as a line, also those first words.
#
# The case too-large is one map with two more vertices, far away and of no line,
# and a grid that encloses these, too: it becomes XBM1, 254 blocks wide and
# high. Its right game is that with the grid that encloses the lines.

. "$SOURCE_DIR/tests/engines/play.sh"

case=$1
name=$2
every=$3
shipped=$freedoom_dir/$name.wad

# Writes case.wad, meant.wad with the lines that are in the blocks, and read.wad
# with those that engines meet who take first words for lines.
build_wads() {
    # shellcheck disable=SC2046 # words
    expect_build $(options_of_case "$case") "$shipped" -o case.wad
    # One that reads lists right whatever these begin with.
    games=mbf21
    [ "$case" != xbm1 ] || games=woof-dev
    expect 0 blocksweep verify --for=$games case.wad
    expect_build --grid=keep --pack=share case.wad -o meant.wad
    case $case in
    small)
        mv meant.wad read.wad
        expect 0 wadtool plain case.wad meant.wad
        ;;
    boom) expect 0 wadtool plain case.wad read.wad ;;
    vanilla) expect_build --grid=keep --for=mbf21 case.wad -o read.wad ;;
    *) ln meant.wad read.wad ;;
    esac
    case $case in
    empty) expect 0 wadtool empty case.wad case.wad ;;
    extended) expect 0 wadtool pad case.wad case.wad 32768 0 ;;
    too-long) expect 0 wadtool pad case.wad case.wad 0 65536 ;;
    esac
}

# make_map WORD...: writes map.wad, of nothing but MAP01 with more vertices.
make_map() {
    for lump in $(room "" | cut -d ' ' -f 1); do
        wadtool extract "$shipped" "MAP01/$lump" >"$lump"
    done
    words "$@" >>VERTEXES
    make_room map.wad
}

build_too_large() {
    make_map 49552 49552 16484 16484 # -15984,-15984
    expect_build map.wad -o meant.wad
    ln meant.wad read.wad
    blocksweep --quiet --grid=id --overflow=xbm1 map.wad \
        -o case.wad 2>said || fail "$(cat said)"
    wadtool extract case.wad MAP01/BLOCKMAP >case.lump
    [ "$(head -c 4 case.lump)" = XBM1 ] || fail "XBM1 was expected"
}

# extract_lump WAD: writes the lump of the map in case.wad and so on to
# case.lump, and what tells it from others to case.hash.
extract_lump() {
    wadtool extract "$1.wad" "$map/BLOCKMAP" >"$1.lump"
    hash_of "$1.lump" >"$1.hash"
}

# The control of what engines complain of: DSDA-Doom does of more than 255
# columns, of a classic lump that is right else.
expect_warning() {
    make_map 32700 0
    expect_build --grid=id map.wad -o case.wad
    extract_lump case
    play_map dsda-doom case
    if [ "$blockmap" = complaint ]; then
        echo "dsda-doom: warning of a wide grid: heard"
    else
        complain "dsda-doom: warning of a wide grid: not heard"
    fi
}

# wad_for ENGINE: prints which one has the lines that it meets.
wad_for() {
    case $1-$case in
    dsda-doom+9-*) echo meant ;;
    dsda-doom+21-boom | dsda-doom+21-vanilla) echo read ;;
    dsda-doom+21-*) echo meant ;;
    *) echo read ;;
    esac
}

# play_map ENGINE WAD: plays with case.wad, meant.wad or read.wad, whose lump
# has been extracted.
play_map() {
    set -- "$name-$map-$(cat "$2.hash")" "$1" "$2"
    case $case in
    too-large)
        play_once "$1-alone" "$2" "$shipped" demo.lmp "$3.lump" \
            -file "$3.wad"
        ;;
    *) play_once "$1" "$2" "$3.wad" demo.lmp "$3.lump" ;;
    esac
}

# try_map ENGINE: plays the map, and prints the line.  Without a right game,
# which an engine may fail to play, it is broken.
try_map() {
    result=broken
    play_map "$1" "$(wad_for "$1")"
    right=$game
    if [ "$ended $blockmap" = "yes loaded" ]; then
        result=other
    else
        complain "$1: $map of $name is not played, or the lump not loaded that" \
            "all load: $blockmap, $(tail -n 1 "$game.end")"
    fi
    play_map "$1" case
    [ "$ended" = yes ] || result=broken
    [ $result = broken ] || ! cmp -s "$right" "$game" || result=right
    echo "$1 loads $case $name $map $result $tics $blockmap"
}

# Prints the lines of what the program's table says of the maps.
tell_table() {
    blocksweep verify --quiet --json case.wad >verdicts || [ $? -eq 1 ]
    case="$case $name" perl -I"$SOURCE_DIR/tests/help" -MJSON::PP -MVerdicts \
        -0777 -ne '
        BEGIN { @rows = split /\n/, qx("$ENV{BUILD_DIR}/tests/help/judge"); }
        for my $map (@{decode_json($_)->{files}[0]{maps}}) {
            my @verdicts = Verdicts::of_map($map, @rows);
            print "table $ENV{case} $map->{map} $verdicts[$_] $rows[$_]\n"
                for 0 .. $#rows;
        }' verdicts
}

case $case in
too-large) build_too_large ;;
*) build_wads ;;
esac
tell_table >table
for map in $(wadtool list case.wad | awk -v every="$every" '
    $2 == "THINGS" && maps++ % every == 0 { print before }
    { before = $2 }'); do
    for wad in case meant read; do
        extract_lump $wad
    done
    # Each map has a player of its own.
    write_demo "$map" 4 350 "$(echo "$map" |
        sed 's/^MAP0*/1/; s/[EM]//g')" >demo.lmp
    for engine in $ENGINES; do
        try_map "$engine"
    done
    grep "^table $case $name $map " table
done
case "$case $ENGINES " in
"too-large "*" dsda-doom "*) expect_warning ;;
esac
exit "$failures"
