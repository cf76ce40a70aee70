#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves, by instructions that valgrind counts, what verify takes: for a text at
# most twice what build takes; for four times as many maps, or as large a lump, at
# most five times as much; and where none of eight repairs helps, at most nine
# times what a build takes with the options of the last, which takes longest.

. "$SOURCE_DIR/tests/help/library.sh"

need valgrind

# count STATUS ARGUMENT...: sets `counted` to how many instructions the command
# takes that ends with this.
count() {
    code=$1
    shift
    expect "$code" as_built valgrind --tool=callgrind \
        --callgrind-out-file=counts --log-file=counts.log blocksweep "$@"
    counted=$(awk '/ Collected :/ { print $4 }' counts.log)
}

# expect_twice PART: with 20,000 bytes of it at the end of a text, verify takes
# at most twice what a build takes.
expect_twice() {
    make_wad text "$1" $((20000 / ${#1})) made.wad
    count 0 build --quiet made.wad -o out.wad
    built=$counted
    count 0 verify --quiet out.wad
    echo "$1: verify takes $counted instructions, build $built"
    [ "$counted" -le $((2 * built)) ] || fail "verify takes too much for $1"
}

# expect_growth STATUS COUNT FORM KIND [SAME]: four times the count of what
# make_wad makes takes verify, which ends with this, at most five times as much.
expect_growth() {
    ends_with=$1 count=$2 form=$3 kind=$4
    shift 4
    make_wad "$form" "$kind" "$count" "$@" made.wad
    count "$ends_with" verify --quiet made.wad
    small=$counted
    make_wad "$form" "$kind" $((4 * count)) "$@" made.wad
    count "$ends_with" verify --quiet made.wad
    echo "$kind: verify takes $small instructions, then $counted"
    [ "$counted" -le $((5 * small)) ] || fail "verify takes too much for $kind"
}

for part in ';' '{ ' '"" ' 'a=1;' 'zone{a=1;}' 'sector{a=1;}' 'thing{}' \
    'linedef{v1=0;v2=1;a=1;}'; do
    expect_twice "$part"
done
expect_growth 0 50 crowd tiny different
expect_growth 1 1 vast-lump classic
expect_growth 1 2 vast-lump xbm1

# --- Repairs ---

# 400 lines at random, so far apart that hardly any game finds the last.
perl -e '
    srand 1;
    for (1 .. 400) {
        my ($x, $y) = (int(rand 65000) - 32600, int(rand 400));
        print pack "s<4", $x, $y, $x + int(rand 200) - 100, $y + 60;
    }' >VERTEXES
make_lines
expect 0 blocksweep --quiet map.wad -o far.wad
count 0 build --quiet --for=crispy --preset=small --overflow=merge,auto far.wad \
    -o out.wad
built=$counted
count 1 verify --for=crispy far.wad
expect_in output "none of the options that were tried repairs it"
tried=$(awk '/^c?fn=.* build_lump$/ { id = $1; sub(/^c?fn=/, "", id) }
    /^calls=/ && calls_it { sub(/^calls=/, ""); sum += $1 }
    { calls_it = id && index($0, "cfn=" id) == 1 }
    END { print sum }' counts)
echo "$tried repairs: verify takes $counted instructions, build $built"
[ "$tried" -eq 8 ] || fail "eight repairs were expected"
[ "$counted" -le $((9 * built)) ] || fail "verify takes too much for repairs"
