#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that verify names the first 20 and the first 10,000 facts by block,
# those in the grid apart from those outside it, and that it takes no longer for
# lists that lie over each other.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
need perl

limit=1 # seconds
! is_sanitized || limit=20

# repeat COUNT NUMBER...: prints the words so many times over.
repeat() {
    perl -e 'my $count = shift; print pack("S<*", @ARGV) x $count' "$@"
}

# judge STATUS LUMP OPTION...: verifies the room with this lump.
judge() {
    make_room in.wad BLOCKMAP "$2"
    expected_status=$1
    shift 2
    expect "$expected_status" blocksweep verify "$@" in.wad
    expect_no_errors
}

# expect_named COUNT KIND FIRST LAST: so many are named, by block: "missing",
# "extra", or "outside" for those that are missing outside the grid.
expect_named() {
    kind=$2
    ending='$'
    [ "$kind" != outside ] || ending=', outside the grid$'
    [ "$kind" != outside ] || kind=missing
    sed -n "s/^ *$kind linedef [0-9]* in block \([-0-9]*\),\([-0-9]*\) \
at [-0-9,]*[0-9]$ending/\1 \2/p" output >blocks
    [ "$(wc -l <blocks)" -eq "$1" ] ||
        fail "$1 facts were expected: $2, not $(wc -l <blocks)"
    sort -s -n -k 2,2 -k 1,1 blocks | cmp - blocks ||
        fail "$2: facts were expected by block"
    [ "$(sed -n '1p; $p' blocks)" = "$3
$4" ] || fail "from $3 to $4 was expected, not $(sed -n '1p; $p' blocks)"
}

# expect_more COUNT: more than were named, so many times in the report.
expect_more() {
    sed -n 's/^ *\.\.\. and \([0-9]*\) more$/\1/p' output >cut-off
    expect_text cut-off "$(printf '%s\n' "$@")"
}

# --- Many facts ---

# 60 linedefs from west to east, each in 200 blocks of another row.
write_room
perl -e 'print pack("S<4", 0, 384 * $_, 25599, 384 * $_) for 0 .. 59' >VERTEXES
perl -e 'print pack("S<7", 2 * $_, 2 * $_ + 1, 1, 0, 0, 0, 65535)
    for 0 .. 59' >LINEDEFS

# No block has any.  The 10,000th fact is in row 3 * 49.
{ words 0 0 200 180; repeat 36000 36004; words 0 65535; } >none
judge 1 none
expect_named 20 missing "0 0" "19 0"
expect_more 11980
judge 1 none --verbose
expect_named 10000 missing "0 0" "199 147"
expect_more 2000

# Every block has all of them: in row 0 each has 59 that are not in it.
# shellcheck disable=SC2046 # words
{ words 0 0 200 180; repeat 36000 36004; words 0 $(seq 0 59) 65535; } >all
judge 0 all --verbose
expect_named 10000 extra "0 0" "169 0"
expect_more $((36000 * 60 - 12000 - 10000))

# A grid that has only the last row but two with a linedef in it.
{ words 0 22272 200 1; repeat 200 204; words 0 65535; } >row
judge 1 row
expect_named 20 missing "0 0" "19 0"
expect_named 20 outside "0 -174" "19 -174"
expect_more 180 11780
expect_match output '^ *the grid does not enclose the lines.*: 11800$'
judge 1 row --verbose
expect_named 200 missing "0 0" "199 0"
expect_named 10000 outside "0 -174" "199 -27"
expect_more 1800

# --- Lists that lie over each other ---

# 10,000 blocks have one list of a million words; and each block has a list that
# begins a word after that of the one before it.
write_room
{ words 0 0 100 100; repeat 10000 10004; words 0; repeat 1000000 2
    words 65535; } >long
# shellcheck disable=SC2046 # words
{ words 0 0 100 100; repeat 1 $(seq 10004 20003); repeat 80000 0 2 3
    words 65535; } >stairs
for lump in long stairs; do
    judge 1 $lump --verbose --json
    seconds=$(sed -n 's/^ *"seconds": \([0-9]*\)\..*/\1/p' output)
    [ "$seconds" -lt "$limit" ] ||
        fail "$lump: $seconds seconds; less than $limit were expected"
done
