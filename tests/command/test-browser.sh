#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a browser draws the picture of show as it is meant: no text lies
# over another one, over the map or beyond the edge, blocks and lines are where
# they belong, and a point of the picture leads to the block and the line there.
# The page of show works with mouse, fingers and keys, light and dark: a block
# leads to its list and a line to its blocks, no text lies over another one, and
# nothing comes from elsewhere.

. "$SOURCE_DIR/tests/help/library.sh"

need chromium
need_json
! is_sanitized || skip "what a browser does is the same"

# page NAME FILE MAP: makes a page, for a look at where the map has most lines
# in a block.
page() {
    expect 0 blocksweep show --json --map="$3" "$2"
    read_json
    block=$(fact maps.0.fullest.0.block)
    expect 0 blocksweep show --json --map="$3" --list="$block" "$2"
    read_json
    list=$(sed -n 's/^maps\.0\.listed_blocks\.0\.list\.[0-9]* //p' facts |
        tr '\n' ' ')
    expect 0 blocksweep show --quiet --shared --map="$3" --html="$1.html" "$2"
    ! grep -iE 'https?:|src=|href=|@import|url\([^#]' "$1.html" ||
        fail "what a page loads has to be in it"
    echo "$1.html $block ${list% }" >>list-of-looks
}

# picture NAME FILE MAP [--shared]: makes a picture.
picture() {
    expect 0 blocksweep show --quiet ${4+"$4"} --map="$3" --svg="$1.svg" "$2"
    echo "$1.svg" >>list-of-looks
}

picture MAP01 "$sample" MAP01
picture MAP30 "$sample" MAP30
page MAP01 "$sample" MAP01

# What is made of rooms, its name, and the numbers of these.
while read -r kind name numbers; do
    # shellcheck disable=SC2086 # words
    rooms $numbers
    $kind "$name" rooms.wad MAP01 --shared
done <<'END'
picture small 1 1 100 60
picture wide 90 2 640 300
picture high 2 90 640 300
picture large 16 16 1000 900
picture without-tooltips 60 60 1000 900
page small 1 1 100 60
page wide 90 2 640 300
page huge 240 240 266 200
END

# A list with words that are odd.
write_room
words 0 0 2 1 6 12 0 1 1 3 900 65535 0 2 65535 >lump
make_room odd.wad BLOCKMAP lump
page odd odd.wad MAP01

perl "$SOURCE_DIR/tests/command/browser.pl" "$folder" \
    "$SOURCE_DIR/tests/command/browser.js" <list-of-looks >found 2>&1 ||
    fail_showing found \
        "nothing was expected to be wrong with pictures and pages"
