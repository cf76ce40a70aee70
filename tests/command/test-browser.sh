#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a browser draws pictures as they are meant, in wide and narrow
# windows, light and dark: no text lies over another one, over the map or beyond
# the edge, and blocks and lines are where they belong.  Pages work with mouse,
# fingers and keys: a block leads to its list, a line to its blocks and what is
# found to its place, no text lies over another one, and nothing comes from
# elsewhere.

. "$SOURCE_DIR/tests/help/library.sh"

need chromium
need_json
! is_sanitized || skip "what a browser does is the same"

# page STATUS NAME FILE MAP COMMAND...: makes a page, for a look at where the
# map has most lines in a block.  The command is to end with this status.
page() {
    ends=$1 page=$2.html wad=$3 map=$4
    shift 4
    expect 0 blocksweep show --json --map="$map" "$wad"
    read_json
    block=$(fact maps.0.fullest.0.block)
    expect 0 blocksweep show --json --map="$map" --list="$block" "$wad"
    read_json
    # The linedefs of the map, each once.
    list=$(sed -n 's/^maps\.0\.listed_block\.list\.[0-9]* //p' facts |
        awk -v most="$(fact maps.0.linedefs)" '$1 < most' | uniq | tr '\n' ' ')
    expect "$ends" blocksweep "$@" --quiet --map="$map" --html="$page"
    ! grep -iE 'https?:|src=|href=|@import|url\([^#]' "$page" ||
        fail "what a page loads has to be in it"
    echo "$page $block ${list% }" >>list-of-looks
}

# picture STATUS NAME COMMAND...: makes a picture in the same way.
picture() {
    ends=$1 picture=$2.svg
    shift 2
    expect "$ends" blocksweep "$@" --quiet --svg="$picture"
    echo "$picture" >>list-of-looks
}

picture 0 MAP30 show --map=MAP30 "$sample"

# Lumps as they were made, with 205 harmless missing entries; the same after
# every third list was emptied.
wadtool cut "$sample" cut.wad
page 1 wrong cut.wad MAP01 verify cut.wad
picture 1 wrong verify --map=MAP01 cut.wad

# What is made of rooms, its name, and the numbers of these.
while read -r kind name numbers; do
    # shellcheck disable=SC2086 # words
    rooms $numbers
    blocksweep --quiet --in-place --for=woof-dev --format=xbm1 rooms.wad
    if [ "$kind" = picture ]; then
        picture 0 "$name" show rooms.wad
    else
        page 0 "$name" rooms.wad MAP01 show rooms.wad
    fi
done <<'END'
picture small 1 1 100 60
picture wide 90 2 640 300
picture high 2 90 640 300
page wide 90 2 640 300
END

# All lists are empty, but for one that is wrong: so more is missing than is
# listed.
rooms 60 60 256 200
perl -e 'print pack("a8l<l<L<*", "XBM1", (-7700 * 65536) x 2, 121, 121,
    14647, (14645) x 14640, 0, 0xFFFFFFFF, 0, 5, 0xFFFFFFFF)' >LUMP
text_room MAP01 BLOCKMAP | replacing BLOCKMAP "$folder/LUMP" |
    wadtool make PWAD many.wad
page 1 many many.wad MAP01 verify many.wad
picture 1 many verify many.wad

# A list with words that are odd.
write_room
words 0 0 2 1 6 12 0 1 1 3 900 65535 0 2 65535 >lump
make_room odd.wad BLOCKMAP lump
page 0 odd odd.wad MAP01 show odd.wad

# A grid that does not enclose the lines.
words 100 9 1 1 5 0 1 2 3 65535 >lump
make_room outside.wad BLOCKMAP lump
page 1 outside outside.wad MAP01 verify outside.wad
picture 1 outside verify outside.wad

perl "$SOURCE_DIR/tests/command/browser.pl" "$folder" \
    "$SOURCE_DIR/tests/command/browser.js" <list-of-looks >found 2>&1 ||
    fail_showing found \
        "nothing was expected to be wrong with pictures and pages"
