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
    "Lists 2 stored: 0 nested in others, 0 stored once more" \
    "Sharing 0 blocks share 0 lists; headers: zero" "0 0" \
    "3 2 ########################################" "0,0 3 0,0" \
    "1,0 3 128,0" "grid 8 ##########" "table of offsets 4 #####" \
    "headers of lists 4 #####" "linedefs 12 ###############" \
    "ends of lists 4 #####" "Largest offset 11 of 32767, 32756 left" \
    "Words 16 of 65535, 65519 left" "ZDoom family loads"
cp output plain
expect 0 blocksweep show --quiet in.wad
expect_no_output

# Block characters where they are shown.
expect 0 env LC_ALL=C.UTF-8 "$BUILD_DIR/run" blocksweep show in.wad
tr -d '█▏▎▍▌▋▊▉' <output | sed 's/ *$//' >found
sed 's/ *#*$//' plain >expected-text
expect_same expected-text found
expect_in output '█'

# What is not nothing has a bar, be it ever so short.
expect 0 env LC_ALL=C.UTF-8 "$BUILD_DIR/run" blocksweep show --map=MAP01 \
    "$sample"
expect_line "17-24 1 ▏" "grid 8 ▏"
expect 0 blocksweep show --map=MAP01 "$sample"
expect_line "17-24 1 #" "grid 8 #"

# What engines miss is told of.
expect_line "205 linedefs are missing in blocks; see blocksweep verify"

# A lump that is damaged: block 0 is outside, linedef 0 is the header of a list
# inside of another.
words 0 0 2 1 900 6 0 1 3 65535 >lump
make_room damaged.wad BLOCKMAP lump
expect 0 blocksweep show damaged.wad
expect_no_errors
expect_line "Damage the list of 1 block cannot be read" \
    "Doom 1.9, Chocolate Doom crashes"
words 0 0 2 1 6 8 0 1 0 2 3 65535 >lump
make_room nested.wad BLOCKMAP lump
expect 0 blocksweep show nested.wad
expect_line "Lists 2 stored: 1 nested in others, 0 stored once more"
expect 0 blocksweep show --list=0 nested.wad
expect_line "3 linedefs: 1 2 3"
words 0 0 3 1 7 10 13 0 1 65535 0 2 65535 0 1 65535 >lump
make_room again.wad BLOCKMAP lump
expect 0 blocksweep show again.wad
expect_line "Lists 3 stored: 0 nested in others, 1 stored once more"

# More than a line has room for.
# shellcheck disable=SC2046 # words
words 0 0 2 1 6 6 0 $(seq 0 99 | sed 's/.*/3/') 65535 >lump
make_room long.wad BLOCKMAP lump
expect 0 blocksweep show --list=0 long.wad
! grep '.\{81\}' output || fail "lines of 80 columns were expected"

# Singular, and a list with words that are odd.
words 0 0 2 1 6 6 0 3 65535 >lump
make_room one.wad BLOCKMAP lump
expect 0 blocksweep show one.wad
expect_line "Sharing 2 blocks share 1 list; headers: zero"
expect 0 blocksweep show --list=0 one.wad
expect_line "1 linedef: 3"
words 0 0 2 1 6 12 0 1 1 3 900 65535 0 2 65535 >lump
make_room odd.wad BLOCKMAP lump
expect 0 blocksweep show --list=0 odd.wad
expect_line "2 linedefs: 1 3" "Listed once more: 1" \
    "No linedefs of the map: 900"
expect 0 blocksweep show --json --list=0 odd.wad
tr -d ' \n' <output >joined
expect_in joined \
    '"length":2,"readable":true,"list":[1,3],"repeated":[1],"too_large":[900]'
expect 0 blocksweep show --svg=odd.svg --html=odd.html odd.wad
expect_line "Wrote odd.svg" "Wrote odd.html"
tr '\n' ' ' <odd.svg >joined
expect_in joined \
    "2 linedefs: 1 3 listed once more: 1 no linedefs of the map: 900<"

# No lump, and what cannot be shown.
make_room none.wad BLOCKMAP -
expect 0 blocksweep show none.wad
expect_sentence "MAP01: BLOCKMAP: there is none" "what a build makes"
expect_line "Lump classic, 32 bytes, which the map does not have yet"
words 0 0 200 200 >lump
make_room cut.wad BLOCKMAP lump
expect 0 blocksweep show cut.wad
expect_sentence "MAP01: BLOCKMAP: it ends before its lists begin"
make_room failed.wad LINEDEFS -
expect 1 blocksweep show --svg=failed.svg failed.wad
expect_sentence MAP01
expect_line "MAP01: failed"
expect_absent failed.svg

# --- A block ---

expect 0 blocksweep show --list=1 in.wad
expect_no_errors
expect_line "Block 1,0 at 128,0, to 256,128; number 1" "Offset 11" \
    "3 linedefs: 1 2 3"
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
expect 2 blocksweep show --json --list=2 in.wad
expect_match output '"error": *"MAP01 has no block 2; '
for place in x 1,y "1," 1,2,3 "" "at 1" "at" "at 1,2 "; do
    expect 2 blocksweep show --list="$place" in.wad
    expect_sentence "--list: '$place' is no block"
    # Before anything is read.
    expect 2 blocksweep show --json --list="$place" nowhere.wad
    expect_sentence "--list: '$place' is no block"
    expect_no_output
done
expect 2 blocksweep show --list=1 "$sample"
expect_sentence "--list is for one map" "3 are selected"
expect 2 blocksweep show --shared in.wad
expect_sentence "--shared is for the picture"

# Blocks that share a list name each other.
expect 0 blocksweep show --list=0 --map=MAP30 "$sample"
sharers=$(sed -n 's/^ *The list of \([0-9]*\) blocks: 0,0 .*/\1/p' output)
[ "$sharers" -gt 1 ] || fail "the first block of MAP30 is empty as others are"

# --- JSON ---

need_json
expect 0 blocksweep show --json --map=MAP30 --list=7 "$sample"
expect_no_errors
read_json
expect_facts command show maps.0.engines 13 maps.0.fullest 5 \
    maps.0.listed_blocks.0.block 7 maps.0.listed_blocks.0.column 7 \
    maps.0.listed_blocks.0.list "$(fact maps.0.listed_blocks.0.length)"
# What the parts have adds up to what the whole has.
awk '/^maps.0.parts.[a-z_]*_bytes / { bytes += $2 }
    /^maps.0.lengths.[0-9]*.blocks / { count = $2; blocks += $2 }
    /^maps.0.lengths.[0-9]*.length / { listed += count * $2 }
    END { print bytes, blocks, listed }' facts >sums
blocks=$(($(fact maps.0.columns) * $(fact maps.0.rows)))
expect_text sums "$(fact maps.0.bytes) $blocks $(fact maps.0.listed)"

# --- The picture ---

# expect_picture FILE BLOCKS LINEDEFS [LUMPS]: it is XML, below 10 MB, and every
# block and linedef is in it, where LUMPS has it; see picture.pl.
expect_picture() {
    if has xmllint; then
        xmllint --huge --noout "$1" || fail "$1 is no XML"
    fi
    most=10000000
    ! grep -q 'Too large for tooltips' "$1" || most=20000000
    [ "$(wc -c <"$1")" -lt $most ] || fail "$1 is too large"
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
    expect_not_in $map.svg 'id="group-borders"'
    # What is asked for is added, and nothing else is changed.
    expect 0 blocksweep show -q --map=$map --svg=shared.svg --shared "$sample"
    # shellcheck disable=SC2046 # two numbers
    expect_picture shared.svg $(count_of "$sample" $map) $map
    expect_in shared.svg 'id="group-borders"'
done
# Which linedefs are in no block the lump tells, not an option.
expect 0 blocksweep show -q --map=MAP01 --prune=inert --svg=inert.svg "$sample"
expect_same MAP01.svg inert.svg

# Tags, and what UDMF has in their place, which may be 0.
rooms 1 1 256 200
sed '1,/linedef {/s/linedef {/linedef { id = 0;/' TEXTMAP >with-ids
mv with-ids TEXTMAP
text_room MAP01 | wadtool make PWAD rooms.wad
expect 0 blocksweep show -q --svg=ids.svg --html=ids.html rooms.wad
for text in "linedef 0, one-sided, id 0" "linedef 1, two-sided" \
    "linedef 2, one-sided, special 11, id 3" "linedef 3, one-sided"; do
    expect_in ids.svg "<title>$text</title>"
done
expect_in ids.html '"specials": {"0":[0,"id 0"],"2":[11,"id 3"]}'

# Blocks that cannot be read, and no map without.
expect 0 blocksweep show -q --svg=damaged.svg damaged.wad
wadtool extract damaged.wad MAP01/BLOCKMAP >BLOCKMAP
expect_picture damaged.svg 2 4 .
cp room-blockmap BLOCKMAP
expect_in damaged.svg '<path id="unreadable"' \
    'offset 900: the list cannot be read'

# Names of any bytes.
room '<>&"\001\240\303\251' | wadtool make PWAD name.wad
expect 0 blocksweep show -q --svg=name.svg name.wad
expect_picture name.svg 2 4
expect_in name.svg "<title>&#60;&#62;&#38;&#34;??&#233; - name.wad - \
blocksweep $(package_version)</title>"
name=$(printf '\303\234\001\355\240\200<%030d.wad' 0)
mv name.wad "$name"
expect 0 blocksweep show -q --svg=name.svg "$name"
expect_in name.svg " - &#220;????&#60;$(printf %030d 0).wad - " \
    ">&#220;????&#60;$(printf %020d 0)...</text>"
mv "$name" name.wad

# Maps 20 times as high as wide, and the other way round.
# Then 500 by 500 blocks, with 62,500 linedefs, and with 16.
while IFS='|' read -r numbers blocks lines word; do
    # shellcheck disable=SC2086 # numbers
    rooms $numbers
    expect 0 blocksweep show -q --shared --svg=rooms.svg rooms.wad
    expect_picture rooms.svg "$blocks" "$lines"
    expect_in rooms.svg "$word"
done <<'END'
1 20 128 50|20|80|
20 1 128 50|20|80|
125 125 512 400|250000|62500|Too large for tooltips
2 2 63600 100|248004|16|Too large for tooltips
END

# large_xbm1 SCRIPT: makes MAP01 of TEXTMAP with a lump of 500 by 500 blocks:
# perl prints its words behind the grid, as 32 bits each.
large_xbm1() {
    perl -e 'my @origin = (-32000 * 65536) x 2; # 16.16
        print pack("a8l<l<L<L<", "XBM1", @origin, 500, 500);'"$1" >LUMP
    text_room MAP01 BLOCKMAP | replacing BLOCKMAP "$folder/LUMP" |
        wadtool make PWAD xbm1.wad
}

# All blocks share one list.
rooms 1 1 256 200
large_xbm1 'print pack("L<*", (250004) x 250000, 0, 0 .. 3, 0xFFFFFFFF);'
expect 0 timeout 60 "$BUILD_DIR/run" blocksweep show -q --shared \
    --svg=shared.svg xbm1.wad
expect_picture shared.svg "$((500 * 500))" 4

# The worst: 250,000 linedefs all about the map, whose coordinates have
# fractions, and every block painted and marked otherwise than the next.  It has
# room on a small disk.
rm ./*.svg
perl -e '
    print "namespace = \"doom\";\n";
    my ($x, $y) = (0, 0);
    for (0 .. 249999) {
        ($x, $y) = (($x + 39989) % 63990, ($y + 24989.31) % 63990);
        printf "vertex{x=%.3f;y=%.3f;}\n", $x - 31999.123,
            $y - 31999.321;
        printf "vertex{x=%.3f;y=%.3f;}\n", $x - 31990.432 - $_ % 18,
            $y - 31992.654;
    }
    printf "linedef{v1=%d;v2=%d;sidefront=0;}\n", 2 * $_, 2 * $_ + 1
        for 0 .. 249999;
    print "sidedef { sector = 0; }\nsector { }\n";' >TEXTMAP
large_xbm1 'my @length = (1, 2, 3, 5, 9, 17, 33, 65, 129);
    my @offset = (250004);
    push @offset, $offset[-1] + $_ + 2 for @length;
    my $next = $offset[-1];
    my $random = 1;
    my @own;
    for (1 .. 250000) {
        $random = ($random * 1103515245 + 12345) % 2147483648;
        my $list = ($random >> 16) % 18;
        print pack("L<", $list < 9 ? $offset[$list] : $next + @own);
        push @own, 0, $_ - 1, 0xFFFFFFFF if $list >= 9;
    }
    print pack("L<*", 0, 1 .. $_, 0xFFFFFFFF) for @length;
    print pack("L<*", @own);'
rm TEXTMAP LUMP
expect 0 blocksweep show -q --shared --svg=worst.svg xbm1.wad
expect_picture worst.svg "$((500 * 500))" 250000
rm worst.svg xbm1.wad

# Compressed, and where nothing can be written.
for name in MAP01.svg MAP01.svgz; do
    expect 0 blocksweep show -q --svg=$name --map=MAP01 "$sample"
done
gzip -dc <MAP01.svgz | cmp - MAP01.svg || fail "the same was expected"
expect 3 blocksweep show -q --svg=nowhere/MAP01.svg --map=MAP01 "$sample"
expect_sentence nowhere/MAP01.svg
expect 2 blocksweep show -q --svg=many.svg "$sample"
expect_sentence "--svg is for one map" "3 are selected"

# --- The page ---

# A name that is no text yet, and a map that is damaged: block 0 is outside, and
# a linedef is none.
expect 0 blocksweep show --quiet --html=name.html name.wad
expect_not_in name.html '<>'
expect_in name.html '&#60;&#62;&#38;&#34;'
expect 0 blocksweep show --quiet --html=page.html damaged.wad
expect_in page.html '"begins": [-2,1],' '"words": [-2,1,3,-1],'
expect 0 blocksweep show --quiet --html=page.html.gz damaged.wad
gzip -dc <page.html.gz | cmp - page.html || fail "the same was expected"
expect 2 blocksweep show --html=page.html "$sample"
expect_sentence "--html is for one map" "3 are selected"
expect 3 blocksweep show --quiet --map=MAP01 --html=nowhere/page.html "$sample"
expect_sentence nowhere/page.html

# --- Files ---

# What is read is not written over, nor one picture over the other.
cp in.wad read.wad
ln -s read.wad link.wad
for option in svg html; do
    for target in read.wad ./read.wad "$folder/read.wad" link.wad; do
        expect 2 blocksweep show --$option="$target" read.wad
        expect_sentence "--$option: $target is the file that is read"
    done
done
expect 2 blocksweep show --svg=both --html=both in.wad
expect_sentence "--html: both is the file of --svg"
expect 2 blocksweep show --svg=both --html="$folder/both" in.wad
expect_sentence "is the file of --svg"
expect_absent both
for target in link.wad in.wad; do
    expect 2 blocksweep diff --svg=$target in.wad read.wad
    expect_sentence "--svg: $target is the file that is read"
done
expect_same in.wad read.wad
