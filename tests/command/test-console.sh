#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command says in one sentence what a console's file or map is:
# big-endian, as Jaguar Doom's; WADs or compressed lumps in place of maps; a map
# of PlayStation Doom, which is no damaged one of Doom 64.

. "$SOURCE_DIR/tests/help/library.sh"
write_room
make_room good.wad

# expect_told FILE TEXT COMMAND...: these say just this of the file.
expect_told() {
    told=$1 text=$2
    shift 2
    for words in "$@"; do
        # shellcheck disable=SC2086 # words
        expect 1 blocksweep $words "$told"
        expect_text errors "blocksweep: $told: $text"
    done
}

# expect_refused FILE TEXT: all commands say so, and build writes nothing.
expect_refused() {
    expect_told "$1" "$2" verify show "diff good.wad"
    expect 1 blocksweep "$told" -o new.wad
    expect_text errors "blocksweep: $told: $text; nothing was written"
    expect_absent new.wad
}

# --- Jaguar Doom: big-endian numbers in the header and the directory ---

perl -0777 -pe '
    my ($count, $at) = unpack "x4 V2";
    for my $place (4, 8, map { $at + 16 * $_, $at + 16 * $_ + 4 } 0 .. $count - 1) {
        substr $_, $place, 4, reverse substr $_, $place, 4;
    }' good.wad >jaguar.wad
at=$(od -An -t u4 -j 8 -N 4 good.wad | tr -d ' ')
expect_refused jaguar.wad "the header is big-endian, as in Jaguar Doom: 11 entries \
at offset $at; a little-endian WAD was expected"

# Cut off, it is no longer certain what it is.
head -c $((at + 11 * 16 - 1)) jaguar.wad >cut.wad
expect 1 blocksweep verify cut.wad
expect_sentence "the directory is cut off"

# --- Doom 64: a WAD in place of a map ---

printf 'S_START\nMAP01 %s/good.wad\nMAP02 %s/good.wad\n' "$folder" "$folder" |
    wadtool make IWAD doom64.wad
expect_refused doom64.wad "lump 1, MAP01, is a WAD itself, as in Doom 64; a map was \
expected: extract that lump to a file"
wadtool extract doom64.wad 1 >extracted.wad
expect_build extracted.wad -o new.wad
expect_room new.wad MAP01
rm new.wad

# A file that has maps of its own may have any lumps.
{ room MAP01; echo "DATA $folder/good.wad"; } | wadtool make PWAD own.wad
expect_build own.wad -o new.wad
expect_room new.wad MAP01
rm new.wad

# --- Compressed lumps: the highest bit of the first letter is set ---

room MAP01 | sed 's/^THINGS/\\324HINGS/; s/^LINEDEFS/\\314INEDEFS/
    s/^VERTEXES/\\326ERTEXES/; s/^BLOCKMAP/\\302LOCKMAP/' |
    wadtool make IWAD compressed.wad
expect_refused compressed.wad "lump 1, THINGS, is compressed, as in console versions \
of Doom; a plain one was expected"

# --- PlayStation Doom: LEAFS, but linedefs of 14 bytes ---

# Eight linedefs have as many bytes as seven of Doom 64.
words 0 0 0 0   0 0 0 100   0 200 0 100   0 200 0 0 >VERTEXES
cp LINEDEFS four
cat LINEDEFS LINEDEFS >eight
: >empty
leafs() {
    room MAP01
    for name in "$@"; do
        echo "$name $folder/empty"
    done
}
for lines in four:4 eight:8; do
    cp ${lines%:*} LINEDEFS
    leafs LEAFS | wadtool make IWAD playstation.wad
    is="MAP01: LINEDEFS: ${lines#*:} records of 14 bytes, as in PlayStation Doom; \
those of Doom 64, of 16 bytes, were expected beside LEAFS"
    expect_told playstation.wad "$is" verify show "build --quiet -o new.wad"
    expect_lumps_kept playstation.wad new.wad
done

# Doom 64 has more lumps than LEAFS; a map without them is one as well, even if
# its linedefs could be records of 14 bytes, too.
for line in "0 1" "1 2" "2 3" "3 0" "0 2" "1 3" "0 3"; do
    # shellcheck disable=SC2086 # words
    words $line 1 0 0 0 0 0
done >LINEDEFS
for names in LEAFS "LEAFS LIGHTS MACROS"; do
    # shellcheck disable=SC2086 # words
    leafs $names | wadtool make PWAD doom64-map.wad
    expect_build doom64-map.wad -o new.wad
    expect_listed new.wad
done
