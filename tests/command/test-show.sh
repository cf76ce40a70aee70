#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that show tells what is in a lump, in words, as JSON and as a picture
# in which every block and line is once.

. "$SOURCE_DIR/tests/help/library.sh"
write_room
cp room-blockmap BLOCKMAP

# --- The summary ---

make_room in.wad
expect 0 blocksweep show in.wad
expect_no_errors
expect_line "MAP01: 4 linedefs" "Lump classic, 32 bytes" \
    "Grid 2 x 1 = 2 blocks, from 0,0 to 256,128" \
    "Lists 2 stored: 0 nested in others, the longest with 3 linedefs" \
    "Sharing 0 blocks share 0 lists; headers: zero" \
    "Largest offset 11 of 32767, 32756 left" \
    "Words 16 of 65535, 65519 left"
expect 0 blocksweep show --quiet in.wad
expect_no_output

# What is missing is no less than verify finds.
expect 0 blocksweep show --map=MAP01 "$sample"
expect_line "Missing 205 entries, 0 of them solid"

# A lump that is damaged: block 0 is outside, linedef 0 is the header of a list
# inside of another.
words 0 0 2 1 900 6 0 1 3 65535 >lump
make_room damaged.wad BLOCKMAP lump
expect 0 blocksweep show damaged.wad
expect_no_errors
expect_line "Damage blocks whose list cannot be read: 1"
words 0 0 2 1 6 8 0 1 0 2 3 65535 >lump
make_room nested.wad BLOCKMAP lump
expect 0 blocksweep show nested.wad
expect_line "Lists 2 stored: 1 nested in others, the longest with 4 linedefs"
expect 0 blocksweep show --list=0 nested.wad
expect_line "List: 1 0 2 3"

# More than a line has room for.
# shellcheck disable=SC2046 # words
words 0 0 2 1 6 6 0 $(seq 0 99 | sed 's/.*/3/') 65535 >lump
make_room long.wad BLOCKMAP lump
expect 0 blocksweep show --list=0 long.wad
! grep '.\{81\}' output || fail "lines of 80 columns were expected"
expect_line "Shared by 2 blocks"

# A list with words that are odd.
words 0 0 2 1 6 12 0 1 1 3 900 65535 0 2 65535 >lump
make_room odd.wad BLOCKMAP lump
expect 0 blocksweep show --list=0 odd.wad
expect_line "List: 1 1 3 900"
expect 0 blocksweep show --json --list=0 odd.wad
tr -d ' \n' <output >joined
expect_in joined '"length":2,"list":[1,1,3,900]'
expect 0 blocksweep show --svg=odd.svg --html=odd.html odd.wad
expect_line "Wrote odd.svg" "Wrote odd.html"

# In 32 bits there is room for all.
expect_build --for=woof-dev --format=xbm1 in.wad -o xbm1.wad
expect 0 blocksweep show xbm1.wad
expect_in output "Limits do not apply to XBM1; as a classic lump:"

# No lump, and what cannot be shown.
make_room none.wad BLOCKMAP -
expect 0 blocksweep show none.wad
expect_no_errors
expect_line "Lump none, 0 bytes"
words 0 0 0 1 5 9 >lump
make_room narrow.wad BLOCKMAP lump
expect 0 blocksweep show narrow.wad
expect_line "Grid 0 x 1 = 0 blocks, from 0,0 to 0,128" \
    "Missing 6 entries, 6 of them solid"
words 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 9 65535 >lump
make_room wild.wad BLOCKMAP lump
expect 0 blocksweep show wild.wad
expect_line "Damage lists with linedefs that there are not: 1"
words 0 0 200 200 >lump
make_room cut.wad BLOCKMAP lump
expect 0 blocksweep show cut.wad
expect_line \
    "Damage 4 words are too few for the offsets of 200 x 200 blocks"
for block in 0 1,1 "at 1,1"; do
    expect 2 blocksweep show --list="$block" cut.wad
    expect_sentence "MAP01 has no blockmap whose blocks could be listed"
done
make_room failed.wad LINEDEFS -
expect 1 blocksweep show --svg=failed.svg failed.wad
expect_sentence MAP01
expect_line "MAP01: failed"
expect_absent failed.svg

# --- A block ---

expect 0 blocksweep show --list=1 in.wad
expect_no_errors
expect_line "Block 1,0 at 128,0, to 256,128; number 1" "Offset 11" \
    "List: 1 2 3"
cp output by-number
for place in 1,0 "at 128,0" "at 255,127" "at 200,100"; do
    expect 0 blocksweep show --list="$place" in.wad
    expect_same by-number output
done
for place in 2 -1 -1,0 2,0 0,1 "at -1,0" "at 256,0" "at 0,128"; do
    expect 2 blocksweep show --list="$place" in.wad
    expect_sentence "MAP01 has no block $place; blocks 0,0 to 1,0 (0 to 1) from \
0,0 to 256,128 were expected"
done
for place in x 1,y "1," 1,2,3 "" "at 1" "at" "at 1,2 "; do
    expect 2 blocksweep show --list="$place" in.wad
    expect_sentence "--list: '$place' is not a block"
done
expect 2 blocksweep show --list=1 "$sample"
expect_sentence "--list is for one map" "3 are selected"

# --- JSON ---

need_json
expect 0 blocksweep show --json --map=MAP30 --list=7 "$sample"
read_json
expect_facts command show maps.0.listed_block.block 7 \
    maps.0.listed_block.column 7 \
    maps.0.listed_block.list "$(fact maps.0.listed_block.length)"
expect 0 blocksweep show --json --map=MAP30 "$sample"
expect_no_errors
read_json
expect_facts maps.0.map MAP30 \
    maps.0.bytes "$(wadtool extract "$sample" MAP30/BLOCKMAP | wc -c)"

# --- The picture ---

# expect_picture FILE BLOCKS LINEDEFS [LUMPS]: it is XML, below 20 MB, and every
# block and linedef is in it, where LUMPS has it; see picture.pl.
expect_picture() {
    if has xmllint; then
        xmllint --huge --noout "$1" || fail "$1 is no XML"
    fi
    [ "$(wc -c <"$1")" -lt 20000000 ] || fail "$1 is too large"
    perl "$SOURCE_DIR/tests/command/picture.pl" "$@" ||
        fail "$1 is not as expected"
}

# count_of FILE MAP: prints how many blocks and linedefs there are.
count_of() {
    wadtool blockmap "$1" "$2/BLOCKMAP" | awk '{ printf "%d ", $3 * $4 }'
    wadtool extract "$1" "$2/LINEDEFS" | wc -c | awk '{ print $1 / 14 }'
}

for map in MAP01 MAP07 MAP30; do
    mkdir $map
    for lump in BLOCKMAP LINEDEFS VERTEXES; do
        # shellcheck disable=SC2094 # a lump is read, and a file written
        wadtool extract "$sample" $map/$lump >$map/$lump
    done
    expect 0 blocksweep show --quiet --map=$map --svg=$map.svg "$sample"
    expect_no_errors
    # shellcheck disable=SC2046 # two numbers
    expect_picture $map.svg $(count_of "$sample" $map) $map
done

# Blocks that cannot be read, and no map without.
expect 0 blocksweep show -q --svg=damaged.svg damaged.wad
expect_picture damaged.svg 2 4
expect_in damaged.svg '<path id="unreadable" class="unreadable" d="M0 0h1v1H0z"'

# Lumps without blocks: the lines are drawn, over an empty grid.
printf '' >empty
make_room empty.wad BLOCKMAP empty
for name in cut empty none; do
    expect 0 blocksweep show -q --svg=$name.svg --html=$name.html $name.wad
    expect_no_errors
    expect_picture $name.svg 0 4
    expect_in $name.html '"blocks": 0,'
done

# What a map's first wrong group misses is drawn; the walls are those of verify.
words 0 0 2 1 6 8 1 65535 1 2 3 65535 >lump
make_room walls.wad BLOCKMAP lump
expect 0 blocksweep show -q --svg=walls.svg walls.wad
expect_picture walls.svg 2 4
expect_in walls.svg '<path id="players" class="players"'
grep -q '<path id="players".*d="M' walls.svg || fail "walls were expected"
expect 0 blocksweep show -q --svg=whole.svg in.wad
! grep -q '<path id="players".*d="M' whole.svg || fail "no wall was expected"

# Names of any bytes.
room '<>&"\001\240\303\251' | wadtool make PWAD name.wad
expect 0 blocksweep show -q --svg=name.svg name.wad
expect_picture name.svg 2 4
expect_in name.svg "<title>&#60;&#62;&#38;&#34;??&#233; - name.wad - \
blocksweep $(package_version)</title>"

# Maps 20 times as high as wide, and the other way round; and 500 by 500 blocks
# with 62,500 linedefs.
while IFS='|' read -r numbers blocks lines; do
    # shellcheck disable=SC2086 # numbers
    rooms $numbers
    expect 0 blocksweep --quiet --for=woof-dev --format=xbm1 --grid=fit \
        rooms.wad -o built.wad
    expect 0 blocksweep show -q --svg=rooms.svg built.wad
    expect_picture rooms.svg "$blocks" "$lines"
done <<'END'
1 20 128 50|20|80
20 1 128 50|20|80
125 125 512 400|250000|62500
END

# Compressed, and for more maps than one.
for name in MAP01.svg MAP01.svgz; do
    expect 0 blocksweep show -q --svg=$name --map=MAP01 "$sample"
done
gzip -dc <MAP01.svgz | cmp - MAP01.svg || fail "the same was expected"
for option in svg html; do
    expect 2 blocksweep show -q --$option=many "$sample"
    expect_sentence "--$option is for one map" "3 are selected"
done

# --- The page ---

# A name that is no text yet, and a map that is damaged: block 0 is outside, and
# a linedef is none.
expect 0 blocksweep show --quiet --html=name.html name.wad
expect_not_in name.html '<>'
expect_in name.html '&#60;&#62;&#38;&#34;'
expect 0 blocksweep show --quiet --html=page.html damaged.wad
tr -d ' \n' <page.html >joined
expect_in joined '"words":[0,0,2,1,900,6,0,1,3,-1],'

# --- Files ---

# What is read is not written over, nor one picture over the other.
cp in.wad read.wad
ln -s read.wad link.wad
while read -r option what; do
    expect 2 blocksweep show --$option=link.wad read.wad
    expect_text errors "blocksweep: input 'read.wad' and the $what 'link.wad' \
are the same file; name another one with --$option=FILE"
done <<'END'
svg picture
html page
END
expect 2 blocksweep show --svg=both --html=./both in.wad
expect_text errors "blocksweep: the picture 'both' and the page './both' \
are the same file; name another one with --html=FILE"
expect_absent both

# Nor is what is no picture, before anything is read: in.wad is not there then.
gzip -c read.wad >zipped.wad
echo "<xml> of my own" >note
printf '<?xml version="1.0"?>\n<note/>\n' >note.xml
mkdir folder
mkfifo fifo
for target in read.wad link.wad zipped.wad note note.xml folder fifo; do
    case $target in
    fo* | fi*) fault="is not a regular file" ;;
    *) fault="is neither an SVG nor a page" ;;
    esac
    cp -RP "$target" kept
    for words in "show --svg" "verify --html"; do
        option=${words##*--}
        # shellcheck disable=SC2086 # words
        expect 2 blocksweep $words $target absent.wad
        expect_no_output
        expect_text errors "blocksweep: --$option: $target exists and $fault; \
choose another name"
    done
    [ -p kept ] || diff -r "$target" kept || fail "$target was changed"
    rm -r kept
done
expect_same in.wad read.wad
# Nor is there a report where no picture can be written.
for words in "show --svg" "verify --html"; do
    # shellcheck disable=SC2086 # words
    expect 3 blocksweep $words=nowhere/picture in.wad
    expect_no_output
    expect_sentence nowhere/picture "folder is missing"
done
# What is a picture, of this or another program, is replaced, or what is empty.
while read -r name text; do
    # shellcheck disable=SC2059 # a format
    printf "$text" >"$name"
    expect 0 blocksweep show --quiet --svg="$name" in.wad
    expect_no_errors
    expect 0 blocksweep show --quiet --html="$name" in.wad
    expect_same "$name" page
done <<'END'
page
drawn <svg/>
drawn <?xml version="1.0"?>\n<!-- Made by Hand -->\n<svg/>
drawn \357\273\277 <!DOCTYPE HTML>\n<html>
drawn <html>
END
for again in 1 2; do
    expect 0 blocksweep show --quiet --svg=page.svgz in.wad
done
