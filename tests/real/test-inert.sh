#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the lines which --prune=inert leaves out are those that the manual
# tells, by another program with geometry of its own, lines.pl: on 20 maps in
# which much is inert, on a small one with each special, see make-wad.pl, and on
# the maps of FreeDM; and that finding them is the same work in each run.  Quicker
# tests know only our own geometry.
# SEED repeats a run; LONG makes 150 maps, and takes the others of Freedoom, too.

. "$SOURCE_DIR/tests/help/library.sh"

lines=$SOURCE_DIR/tests/real/lines.pl

seed=${SEED:-1}
echo "SEED=$seed"
perl "$SOURCE_DIR/tests/engines/trick-maps.pl" 5 trick.wad >kind
make_wad specials trick.wad specials.wad
count=20
[ -z "${LONG-}" ] || count=150
make_wad alike "$sample" $count "$seed" alike.wad
for wad in alike specials; do
    expect_build --prune=inert $wad.wad -o out.wad
    expect 0 perl "$lines" inert out.wad
    expect_match output '^[1-9][0-9][0-9][0-9][0-9]* inert lines$'
done

# build_marked BYTES: writes the lumps with and without inert lines of a map
# whose marker has so many bytes.
build_marked() {
    cp "$sample" marked.wad
    wadtool set marked.wad 0 size "$1"
    for prune in none inert; do
        expect_build --prune=$prune marked.wad -o out.wad
        wadtool extract out.wad MAP01/BLOCKMAP >$prune.lump
    done
}

# They may be scripts, so all lines stay.
build_marked 0
! cmp -s none.lump inert.lump || fail "no line of MAP01 was left out"
build_marked 8
expect_same none.lump inert.lump

# Work is the same wherever the system puts our memory.
for run in 1 2; do
    expect 0 blocksweep --json --dry-run --prune=inert --grid=search "$sample"
    grep '"steps": [1-9]' output >steps-$run
    expect_same steps-1 steps-$run
done

need_freedoom
for name in freedm ${LONG:+freedoom1 freedoom2}; do
    expect 0 blocksweep --quiet --grid=keep --prune=inert \
        "$freedoom_dir/$name.wad" -o $name.wad
    expect 0 perl "$lines" inert $name.wad
    expect_match output '^[1-9][0-9]* inert lines$'
done

expect_build --prune=none specials.wad -o out.wad
expect 1 perl "$lines" inert out.wad
expect_match output ': [A-Z0-9]*: linedef [0-9]* is inert, but listed$'
