#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a browser shows pages and pictures as they are meant, in wide and
# narrow windows, light and dark: what is wrong, and in which games, is seen at
# once; each group of games has a button that changes the sentence, the map, the
# legend and the list of walls; a block shows its list by mouse and keys, a wall
# leads to its place, and nothing comes from elsewhere.  No quicker test runs the
# script of the page.

. "$SOURCE_DIR/tests/help/library.sh"

need chromium
need_json
! is_sanitized || skip "what a browser does is the same"

# look STATUS NAME WAD COMMAND [MAP [GAMES]]: makes a page and a picture of MAP01,
# or another map, and what is expected of them.
look() {
    map=${5:-MAP01}
    for=--for=${6:-any}
    ends=0
    [ "$4" = show ] || ends=$1
    [ "$4" = verify ] || for=
    # shellcheck disable=SC2086 # may be none
    expect "$ends" blocksweep "$4" --quiet $for --map=$map --html="$2.html" \
        --svg="$2.svg" "$3"
    # shellcheck disable=SC2086
    expect "$1" blocksweep verify --json $for --map=$map "$3"
    mv output "$2.json"
    wadtool extract "$3" $map/BLOCKMAP >"$2.lump"
    ! grep -iE 'https?://[^w]|src=|href=|@import|url\(' "$2.html" ||
        fail "what a page loads has to be in it"
    printf '%s\n' "$2.html" "$2.svg" >>names
}

# A lump as it was made, with 205 harmless missing entries; the same after every
# third list was emptied; and one without missing entries, whose lists are
# nested.
look 0 harmless "$sample" show
wadtool cut "$sample" cut.wad
look 1 wrong cut.wad verify
expect_build --preset=small "$sample" -o exact.wad
look 0 exact exact.wad show

# A lump without headers, in which Boom skips linedefs and ends of lists.
look 1 headerless "$SOURCE_DIR/samples/e2m1.wad" verify E2M1

# All lists are empty, but for one that is wrong: so more is missing than is
# listed.
rooms 60 60 256 200
perl -e 'print pack("a8l<l<L<*", "XBM1", (-7700 * 65536) x 2, 121, 121,
    14647, (14645) x 14640, 0, 0xFFFFFFFF, 0, 5, 0xFFFFFFFF)' >LUMP
text_room MAP01 BLOCKMAP | replacing BLOCKMAP "$folder/LUMP" |
    wadtool make PWAD many.wad
look 1 many many.wad verify

# 14,400 linedefs in 57,600 blocks.
rooms 60 60 512 400
expect_build --for=woof-dev --format=xbm1 --grid=fit rooms.wad -o large.wad
look 0 large large.wad verify MAP01 woof-dev

# A map that is 90 times as wide as high, lists that cannot be read, and a grid
# that does not enclose the lines.
rooms 90 2 640 300
expect_build --for=gzdoom rooms.wad -o wide.wad
look 1 wide wide.wad show
write_room
words 0 0 2 1 900 6 0 1 3 65535 >lump
make_room damaged.wad BLOCKMAP lump
look 1 damaged damaged.wad show
printf '' >lump
make_room empty.wad BLOCKMAP lump
look 0 empty empty.wad verify
words 100 9 1 1 5 0 1 2 3 65535 >lump
make_room outside.wad BLOCKMAP lump
look 1 outside outside.wad verify

perl "$SOURCE_DIR/tests/command/browser.pl" "$folder" \
    "$SOURCE_DIR/tests/command/browser.js" <names >found 2>&1 ||
    fail_showing found \
        "nothing was expected to be wrong with pages and pictures"
