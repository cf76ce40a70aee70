#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves what verify says of each engine family on lumps made by hand, one for
# each rule by which engines differ.  The words that are expected follow from
# those rules, not from a model.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

# long_words NUMBER...: prints words of 32 bits.
long_words() {
    for long_word in "$@"; do
        words $((long_word & 65535)) $((long_word >> 16 & 65535))
    done
}

xbm1() {
    printf 'XBM1\0\0\0\0'
    long_words "$@"
}

# padding COUNT: prints words that are in no list.
padding() {
    head -c $((2 * $1)) /dev/zero
}

: >recipe
: >expected

# of_lump NAME VERDICTS: takes the lump on standard input, of which each family
# in turn Loads, Rebuilds, is Wrong or Crashes: Doom 1.9; Crispy Doom; the Boom
# family at the vanilla level, below MBF21 and at it; Woof since 2026 at the
# same three; the ZDoom family.
of_lump() {
    cat >"lump-$1"
    room "$1" | replacing BLOCKMAP "$folder/lump-$1" >>recipe
    echo "$1 $2" >>expected
}

# --- First words of lists ---

# The lists of the room are 0 1 3 in block 0,0 and 1 2 3 in block 1,0.
words 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 65535 | of_lump ZERO "L L LLL LLL L"
words 0 0 2 1 6 11 3 0 1 3 65535 1 1 2 3 65535 | of_lump ANY "L L LLL LLL R"
words 0 0 2 1 6 10 0 1 3 65535 1 2 3 65535 | of_lump NONE "L L LWL LWL R"
# All lists begin with 0, and one of these is linedef 0.
words 0 0 2 1 6 10 0 1 3 65535 0 1 2 3 65535 | of_lump ACCIDENT "L L LWW LWW W"

# --- What lists have ---

words 0 0 2 1 6 10 0 0 3 65535 0 1 2 3 65535 | of_lump MISSING "W W WWW WWW W"
words 0 0 2 1 6 6 0 0 1 2 3 65535 | of_lump EXTRA "L L LLL LLL L"
words 0 0 1 1 5 0 0 1 3 65535 | of_lump GRID "W W WWW WWW W"
words 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 4 65535 |
    of_lump NUMBER "C C CCC CCC R"
words 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 | of_lump ENDLESS "C C CCC CCC R"

# --- Offsets ---

words 0 0 2 1 6 900 0 0 1 3 65535 | of_lump OUTSIDE "C C CCC CCC R"
# Into the table: what is there is read, linedef 11 unless it is skipped.
words 0 0 2 1 5 11 0 0 1 3 65535 0 1 2 3 65535 | of_lump TABLE "C C CLC CLC R"
# Before the table: the ZDoom family looks for that.  To the others the list is
# 0 2 1 1 1 3, which begins with a 0.
words 0 0 2 1 1 1 3 65535 | of_lump BEFORE "L L LWW LWW R"
{
    words 0 0 2 1 6 32767 0 0 1 3 65535
    padding $((32767 - 11))
    words 0 1 2 3 65535
} | of_lump BELOW "L L LLL LLL L"
{
    words 0 0 2 1 6 32768 0 0 1 3 65535
    padding $((32768 - 11))
    words 0 1 2 3 65535
} | of_lump ABOVE "C L LLL LLL L"

# --- Sizes ---

{ cat lump-ZERO; padding $((65535 - 16)); } | of_lump MOST "L L LLL LLL L"
{ cat lump-ZERO; padding $((65536 - 16)); } | of_lump TOOMANY "L R RRR RRR R"
of_lump EMPTY "C R RRR RRR R" </dev/null
words 0 0 2 | of_lump SHORT "C R RRR RRR R"
words 0 0 2 1 6 | of_lump CUT "C C CCC CCC R"

# --- XBM1 ---

end=$((65536 * 65536 - 1))
# To those that do not know it, a grid without blocks.
xbm1 0 0 2 1 6 11 0 0 1 3 $end 0 1 2 3 $end | of_lump XZERO "W W WWW LLL W"
xbm1 0 0 2 1 6 10 0 1 3 $end 1 2 3 $end | of_lump XNONE "W W WWW LWL W"
{ cat lump-XZERO; padding 65536; } | of_lump XLARGE "W R RRR LLL R"
xbm1 0 0 2 1 6 11 0 0 1 3 $end 0 1 2 3 | of_lump XENDLESS "W W WWW CCC W"

# --- The verdicts ---

wadtool make PWAD in.wad <recipe
expect 1 blocksweep verify --verbose in.wad
expect_no_errors
awk '
    $NF == "loads" { verdicts = verdicts "L" }
    $NF == "rebuilds" { verdicts = verdicts "R" }
    $NF == "wrong" { verdicts = verdicts "W" }
    $NF == "crashes" { verdicts = verdicts "C" }
    /^[A-Z]/ {
        if (map != "") print map, verdicts
        map = $1 == "Map" ? "" : $1
        verdicts = ""
    }' output | sed 's/ \(.\)\(.\)\(...\)\(...\)/ \1 \2 \3 \4 /' >found
diff expected found ||
    fail "'<' is what was expected of the families, '>' what verify says"
