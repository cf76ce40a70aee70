#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the page of show works in a browser, with mouse, fingers and keys,
# light and dark: a block leads to its list and a line to its blocks, no text
# lies over another one, and nothing comes from elsewhere.

# shellcheck disable=SC2016 # what perl is to expand

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

has chromium || skip "Chromium is not there"
perl -MJSON::PP -e 1 2>/dev/null || skip "perl is not there"
is_sanitized && skip "what a browser does is the same"

# in_report EXPRESSION: prints what perl finds in the report for $map.
in_report() {
    perl -MJSON::PP -0777 -e '
        my $map = JSON::PP->new->decode(<STDIN>)->{maps}[0];
        print '"$1" <output
}

# page FILE MAP: makes it, and works with it where the map has most lines in a
# block.
page() {
    expect 0 blocksweep show --json --map="$2" "$1"
    block=$(in_report '$map->{fullest}[0]{block}')
    expect 0 blocksweep show --json --map="$2" --list="$block" "$1"
    list=$(in_report '"@{$map->{listed_blocks}[0]{list}}"')
    expect 0 blocksweep show --quiet --shared --map="$2" --html=page.html "$1"
    grep -iE 'https?:|src=|href=|@import|url\([^#]' page.html &&
        fail "what a page loads has to be in it"
    mkdir -p shots
    perl "$SOURCE_DIR/tests/command/browser.pl" "$folder/page.html" "$folder/shots" \
        "$block" "$list" >found 2>&1 || {
        cat found
        fail "the page of $2 in $1"
    }
}

# page_of_rooms COLUMNS ROWS STEP SIZE
page_of_rooms() {
    rooms "$@"
    page rooms.wad MAP01
}

page "$sample" MAP01
page_of_rooms 1 1 100 60     # small
page_of_rooms 90 2 640 300   # wide
page_of_rooms 240 240 266 200 # huge: 500 by 500 blocks

# A list with words that are odd.
write_room
words 0 0 2 1 6 12 0 1 1 3 900 65535 0 2 65535 >lump
room MAP01 | replacing BLOCKMAP "$folder/lump" | wadtool make PWAD odd.wad
page odd.wad MAP01

# A name that is no text yet.
room '<I>&"' | wadtool make PWAD name.wad
expect 0 blocksweep show --quiet --html=page.html name.wad
grep -qF '<I>' page.html && fail "a name was expected to be escaped"
grep -qF '&#60;I&#62;&#38;&#34;' page.html || fail "the name was expected"

# A map that is damaged: block 0 is outside, and a linedef is none.
words 0 0 2 1 900 6 0 1 3 65535 >lump
room MAP01 | replacing BLOCKMAP "$folder/lump" | wadtool make PWAD damaged.wad
expect 0 blocksweep show --quiet --html=page.html damaged.wad
grep -qx '"begins": \[-2,1\],' page.html || fail "a fault was expected"
grep -qx '"words": \[-2,1,3,-1\],' page.html || fail "words were expected"

# Compressed.
expect 0 blocksweep show --quiet --html=page.html.gz damaged.wad
gzip -dc <page.html.gz >unpacked.html
expect_same page.html unpacked.html

# One page is of one map.
expect 2 blocksweep show --html=page.html "$sample"
expect_sentence "--html is for one map" "3 are selected"
expect 3 blocksweep show --quiet --map=MAP01 --html=nowhere/page.html "$sample"
expect_sentence nowhere/page.html
