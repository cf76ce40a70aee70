#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that verify names the first 20 and the first 10,000 facts by block,
# those in the grid apart from those outside it, and that it takes no longer for
# lists that lie over each other.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
has perl || skip "perl is not there"

limit=1 # seconds
is_sanitized && limit=20

# repeat COUNT NUMBER...: prints the words so many times over.
repeat() {
    perl -e 'my $count = shift; print pack("S<*", @ARGV) x $count' "$@"
}

# judge LUMP-FILE OPTION...: verifies the map with this lump, in little time.
judge() {
    lump=$1
    shift
    room MAP01 | replacing BLOCKMAP "$folder/$lump" | wadtool make PWAD in.wad
    expect 1 blocksweep verify "$@" in.wad
    expect_no_errors
}

# expect_facts COUNT KIND FIRST LAST: so many are named, by block: "missing",
# "extra", or "outside" for those that are missing outside the grid.
expect_facts() {
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
    [ "$(head -n 1 blocks)" = "$3" ] || fail "$3 was expected first"
    [ "$(tail -n 1 blocks)" = "$4" ] || fail "$4 was expected last"
}

# expect_more COUNT: more than were named, so many times in the report.
expect_more() {
    [ "$(grep -c '^ *\.\.\. and ' output)" -eq "$#" ] || {
        cat output
        fail "as many kinds of facts were expected to be cut off: $#"
    }
    for more in "$@"; do
        grep -q "^ *\.\.\. and $more more\$" output ||
            fail "$more more facts were expected"
    done
}

# --- Many facts ---

# 60 linedefs from west to east, each in 200 blocks of another row.
write_room
perl -e 'print pack("S<4", 0, 384 * $_, 25599, 384 * $_) for 0 .. 59' >VERTEXES
perl -e 'print pack("S<7", 2 * $_, 2 * $_ + 1, 1, 0, 0, 0, 65535)
    for 0 .. 59' >LINEDEFS

# No block has any.  The 10,000th fact is in row 3 * 49.
{ words 0 0 200 180; repeat 36000 36004; words 0 65535; } >none
judge none
expect_facts 20 missing "0 0" "19 0"
expect_more 11980
judge none --verbose
expect_facts 10000 missing "0 0" "199 147"
expect_more 2000

# Every block has all of them.
{
    words 0 0 200 180
    repeat 36000 36004
    # shellcheck disable=SC2046 # words
    words 0 $(perl -e 'print "@{[0 .. 59]}"') 65535
} >all
room MAP01 | replacing BLOCKMAP "$folder/all" | wadtool make PWAD in.wad
expect 0 blocksweep verify --verbose in.wad
# In row 0 each block has 59 that are not in it.
expect_facts 10000 extra "0 0" "169 0"
expect_more $((36000 * 60 - 12000 - 10000))

# A grid that has only the last row but two with a linedef in it.
{ words 0 22272 200 1; repeat 200 204; words 0 65535; } >row
judge row
expect_facts 20 missing "0 0" "19 0"
expect_facts 20 outside "0 -174" "19 -174"
expect_more 180 11780
grep -q '^ *the grid does not enclose the lines.*: 11800$' output ||
    fail "it was expected to be said that the grid does not enclose the lines"
judge row --verbose
expect_facts 200 missing "0 0" "199 0"
expect_facts 10000 outside "0 -174" "199 -27"
expect_more 1800

# --- Lists that lie over each other ---

# expect_quick: the map in the report took no longer than the limit.
expect_quick() {
    seconds=$(sed -n 's/^ *"seconds": \([0-9]*\)\..*/\1/p' output)
    [ "$seconds" -lt "$limit" ] ||
        fail "$seconds seconds; less than $limit were expected"
}

# 10,000 blocks have one list of a million words.
write_room
{ words 0 0 100 100; repeat 10000 10004; words 0; repeat 1000000 2
    words 65535; } >long
judge long --verbose --json
expect_quick

# Each block has a list that begins a word behind that of the one before it.
{
    words 0 0 100 100
    perl -e 'print pack("S<*", 10004 .. 20003)'
    repeat 80000 0 2 3
    words 65535
} >stairs
judge stairs --verbose --json
expect_quick
