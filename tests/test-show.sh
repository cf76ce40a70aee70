#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that show tells what is in a lump, in words, as JSON and as a picture
# in which every block and line is once.

set -eu
# shellcheck source=tests/library.sh
. "$SOURCE_DIR/tests/library.sh"
write_room
cp room-blockmap BLOCKMAP

# expect_line TEXT: a line of the output, but for the width of its gaps.
expect_line() {
    tr -s ' ' <output | sed 's/^ //' | grep -qxF -e "$1" || {
        cat output
        fail "'$1' was expected"
    }
}

# rooms COLUMNS ROWS STEP SIZE: writes rooms.wad.
rooms() {
    awk -v columns="$1" -v rows="$2" -v step="$3" -v size="$4" \
        -f "$SOURCE_DIR/tests/rooms.awk" >TEXTMAP
    printf 'MAP01\nTEXTMAP %s/TEXTMAP\nENDMAP\n' "$folder" |
        wadtool make PWAD rooms.wad
}

# --- The summary ---

room MAP01 | wadtool make PWAD in.wad
expect 0 blocksweep show in.wad
expect_no_errors
expect_line "MAP01: 4 linedefs"
expect_line "Lump classic, 32 bytes"
expect_line "Grid 2 x 1 = 2 blocks, from 0,0 to 256,128"
expect_line "Lists 2 stored: 0 nested in others, 0 stored once more"
expect_line "Sharing 0 blocks share 0 lists; headers: zero"
expect_line "0 0"
expect_line "3 2 ########################################"
expect_line "0 3 0 0 0,0"
expect_line "1 3 1 0 128,0"
expect_line "grid 8 ##########"
expect_line "table of offsets 4 #####"
expect_line "headers of lists 4 #####"
expect_line "linedefs 12 ###############"
expect_line "ends of lists 4 #####"
expect_line "Largest offset 11 of 32767, 32756 left"
expect_line "Words 16 of 65535, 65519 left"
expect_line "ZDoom family loads"
cp output plain
expect 0 blocksweep show --quiet in.wad
[ ! -s output ] || fail "nothing was expected with --quiet"

# Block characters where they are shown.
expect 0 env LC_ALL=C.UTF-8 "$BUILD_DIR/run" blocksweep show in.wad
tr -d '█▏▎▍▌▋▊▉' <output | sed 's/ *$//' >found
sed 's/ *#*$//' plain >expected-text
expect_same expected-text found
grep -q '█' output || fail "block characters were expected"

# A lump that is damaged: block 0 is outside, linedef 0 is the header of a list
# inside of another.
words 0 0 2 1 900 6 0 1 3 65535 >lump
room MAP01 | replacing BLOCKMAP "$folder/lump" | wadtool make PWAD damaged.wad
expect 0 blocksweep show damaged.wad
expect_no_errors
expect_line "Damage 1 blocks have a list that cannot be read"
expect_line "Doom 1.9, Chocolate Doom crashes"
words 0 0 2 1 6 8 0 1 0 2 3 65535 >lump
room MAP01 | replacing BLOCKMAP "$folder/lump" | wadtool make PWAD nested.wad
expect 0 blocksweep show --list=0 nested.wad
expect_line "3 linedefs: 1 2 3"

# No lump, and what cannot be shown.
room MAP01 | without BLOCKMAP | wadtool make PWAD none.wad
expect 0 blocksweep show none.wad
expect_sentence "MAP01: BLOCKMAP: there is none" "what a build makes"
expect_line "Lump classic, 32 bytes, which the map does not have yet"
words 0 0 200 200 >lump
room MAP01 | replacing BLOCKMAP "$folder/lump" | wadtool make PWAD cut.wad
expect 0 blocksweep show cut.wad
expect_sentence "MAP01: BLOCKMAP: it ends before its lists begin"
room MAP01 | without LINEDEFS | wadtool make PWAD failed.wad
expect 1 blocksweep show --svg=failed.svg failed.wad
expect_sentence MAP01
expect_line "MAP01: failed"
[ ! -e failed.svg ] || fail "no picture was expected"

# --- A block ---

expect 0 blocksweep show --list=1 in.wad
expect_no_errors
expect_line "Block 1, column 1, row 0, from 128,0 to 256,128"
expect_line "Offset 11"
expect_line "3 linedefs: 1 2 3"
cp output by-number
for place in 128,0 255,127 200,100; do
    expect 0 blocksweep show --list=$place in.wad
    expect_same by-number output
done
for place in 2 -1 -1,0 256,0 0,128; do
    expect 2 blocksweep show --list=$place in.wad
    expect_sentence "MAP01 has no block $place" "blocks 0 to 1" "256,128"
done
for place in x 1,y "1," 1,2,3 ""; do
    expect 2 blocksweep show --list="$place" in.wad
    expect_sentence "--list: '$place' is no block"
done
expect 2 blocksweep show --list=1 "$sample"
expect_sentence "--list is for one map" "3 are selected"
expect 2 blocksweep show --shared in.wad
expect_sentence "--shared is for the picture"

# Blocks that share a list name each other.
expect 0 blocksweep show --list=0 --map=MAP30 "$sample"
sharers=$(sed -n 's/^ *The list of \([0-9]*\) blocks: 0 .*/\1/p' output)
[ "$sharers" -gt 1 ] || fail "the first block of MAP30 is empty as others are"

# --- JSON ---

if perl -MJSON::PP -e 1 2>/dev/null; then
    for options in "" "--list=7"; do
        # shellcheck disable=SC2086 # words
        expect 0 blocksweep show --json --map=MAP30 $options "$sample"
        expect_no_errors
        perl -MJSON::PP -0777 -e '
            my $report = JSON::PP->new->decode(<STDIN>);
            my $map = $report->{maps}[0];
            my ($blocks, $listed, $bytes) = (0, 0, 0);
            for (@{$map->{lengths}}) {
                $blocks += $_->{blocks};
                $listed += $_->{blocks} * $_->{length};
            }
            $bytes += $_ for values %{$map->{parts}};
            die "blocks" if $blocks != $map->{columns} * $map->{rows};
            die "listed" if $listed != $map->{listed};
            die "bytes" if $bytes != $map->{bytes};
            die "engines" if @{$map->{engines}} != 7;
            die "fullest" if @{$map->{fullest}} != 5;
            for (@{$map->{blocks} || []}) {
                die "list" if @{$_->{list}} != $_->{length};
                die "place" if $_->{block} != 7 || $_->{column} != 7;
            }
            die "command" if $report->{command} ne "show";
        ' <output || fail "the report does not add up"
    done
else
    echo "perl's JSON::PP is not there: JSON is not checked"
fi

# --- The picture ---

has perl || skip "perl is not there"

# expect_picture FILE BLOCKS LINEDEFS ASPECT: it is XML, below 10 MB; in it
# every block has one tint, every linedef is once, and the map has this aspect.
expect_picture() {
    if has xmllint; then
        xmllint --huge --noout "$1" || fail "$1 is no XML"
    fi
    [ "$(wc -c <"$1")" -lt 10000000 ] || fail "$1 is too large"
    perl -0777 -e '
        my ($blocks, $lines, $aspect) = @ARGV;
        $_ = <STDIN>;
        my ($area, %seen) = (0);
        while (/<path id="(?:tint-\d+|unreadable)"[^>]* d="([^"]*)"/g) {
            my $path = $1;
            while ($path =~ /\GM(\d+) (\d+)h(\d+)v1H(\d+)z/gc) {
                die "run" if $4 != $1;
                $area += $3;
                for my $x ($1 .. $1 + $3 - 1) {
                    die "block $x,$2 is twice" if $seen{"$x,$2"}++;
                }
            }
            die "path" if (pos($path) || 0) != length $path;
        }
        die "$area blocks" if $area != $blocks;
        my %line;
        $line{$1}++ while /<path id="l(\d+)" d="M\S+ \S+L\S+ \S+"/g;
        die keys(%line) . " linedefs" if keys %line != $lines;
        for (0 .. $lines - 1) { die "line $_" if $line{$_} != 1 }
        my %block;
        $block{$1}++ while /<path id="b(\d+)" d="[^"]*"><title>block \1,/g;
        die "$_ tooltips" for grep { $block{$_} != 1 } keys %block;
        /id="grid".* d="(?:M0 (\d+)h\d+)+M0 0v/ or die "grid";
        /translate\(\S+ \S+\) scale\((\S+) -\1\)/ or die "scale";
    ' "$2" "$3" <"$1" || fail "$1 has not what was expected"
}

# count_of FILE MAP: prints how many blocks and linedefs there are.
count_of() {
    wadtool blockmap "$1" "$2/BLOCKMAP" | awk '{ printf "%d ", $3 * $4 }'
    wadtool extract "$1" "$2/LINEDEFS" | wc -c | awk '{ print $1 / 14 }'
}

for map in MAP01 MAP07 MAP30; do
    expect 0 blocksweep show --quiet --map=$map --svg=$map.svg "$sample"
    expect_no_errors
    # shellcheck disable=SC2046 # two numbers
    expect_picture $map.svg $(count_of "$sample" $map)
    # What is asked for is added, and nothing else is changed.
    expect 0 blocksweep show -q --map=$map --svg=shared.svg --shared "$sample"
    # shellcheck disable=SC2046 # two numbers
    expect_picture shared.svg $(count_of "$sample" $map)
    grep -q 'id="group-borders"' shared.svg || fail "marks were expected"
    ! grep -q 'id="group-borders"' $map.svg || fail "no marks were expected"
done
expect 0 blocksweep show -q --map=MAP01 --prune=inert --svg=inert.svg "$sample"
awk '/<g id="left-out"/ { inside = 1 } /<\/g>/ { inside = 0 }
     inside && /not in the blockmap/ { found++ } END { exit !found }' inert.svg ||
    fail "lines that are left out were expected"

# Tags, and what UDMF has in their place, which may be 0.
rooms 1 1 256 200
sed '1,/linedef {/s/linedef {/linedef { id = 0;/' TEXTMAP >with-ids
mv with-ids TEXTMAP
printf 'MAP01\nTEXTMAP %s/TEXTMAP\nENDMAP\n' "$folder" |
    wadtool make PWAD rooms.wad
expect 0 blocksweep show -q --svg=ids.svg --html=ids.html rooms.wad
for text in "linedef 0, one-sided, id 0" "linedef 1, two-sided" \
    "linedef 2, one-sided, special 11, id 3" "linedef 3, one-sided"; do
    grep -qF "<title>$text</title>" ids.svg || fail "'$text' was expected"
done
grep -qxF '"specials": {"0":[0,"id 0"],"2":[11,"id 3"]}' ids.html ||
    fail "the same was expected of the page"

# Blocks that cannot be read, and no map without.
expect 0 blocksweep show -q --svg=damaged.svg damaged.wad
expect_picture damaged.svg 2 4
grep -q '<path id="unreadable"' damaged.svg || fail "a damaged block is shown"
grep -q 'offset 900: the list cannot be read' damaged.svg ||
    fail "its tooltip was expected"

# Names of any bytes.
room 'A<&"\001\351' | wadtool make PWAD name.wad
expect 0 blocksweep show -q --svg=name.svg name.wad
expect_picture name.svg 2 4
grep -q '<title>A&#60;&#38;&#34;?&#233;</title>' name.svg ||
    fail "the name was expected"

# 500 x 500 blocks and 62,500 linedefs, many of them, and few.
rooms 125 125 512 400
expect 0 blocksweep show -q --shared --svg=huge.svg rooms.wad
expect_picture huge.svg "$((500 * 500))" 62500
grep -q 'Too large for tooltips' huge.svg || fail "a word on tooltips is due"
rooms 2 2 63600 100
expect 0 blocksweep show -q --svg=empty.svg rooms.wad
expect_picture empty.svg "$((498 * 498))" 16
grep -q 'Only blocks with lines have tooltips' empty.svg ||
    fail "a word on tooltips was expected"

# Compressed, and where nothing can be written.
expect 0 blocksweep show -q --svg=MAP01.svgz --map=MAP01 "$sample"
gzip -dc <MAP01.svgz >unpacked.svg
expect_same MAP01.svg unpacked.svg
expect 3 blocksweep show -q --svg=nowhere/MAP01.svg --map=MAP01 "$sample"
expect_sentence nowhere/MAP01.svg
expect 2 blocksweep show -q --svg=many.svg "$sample"
expect_sentence "--svg is for one map" "3 are selected"
