#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that bytes in no lump, such as an author's text, stay where they are: behind
# the header, a lump or the directory; and that the bytes which a builder drops are
# counted.

. "$SOURCE_DIR/tests/help/library.sh"

need gzip
write_room
for place in header things blockmap credits directory; do
    echo "A text behind the $place, by its author, 1994" >"$place-text"
done

# texts: prints a recipe of two maps with texts between their lumps.
texts() {
    {
        room MAP01
        echo "CREDITS credits-text"
        echo "= credits-text"
        room MAP02
    } | sed 's/^THINGS .*/&\n= things-text/; s/^BLOCKMAP .*/&\n= blockmap-text/'
}

# built: copies a recipe with the blockmaps that are built.
built() {
    sed 's|^BLOCKMAP .*|BLOCKMAP room-blockmap|'
}

# expect_built_as_expected: in.wad becomes expected.wad, however it comes and goes.
expect_built_as_expected() {
    expect_build in.wad -o out.wad
    expect_same out.wad expected.wad
    expect_build - -o out.wad <in.wad
    expect_same out.wad expected.wad
    expect 0 sh -c '"$0" blocksweep in.wad -o - >out.wad' "$BUILD_DIR/run"
    expect_same out.wad expected.wad
    gzip -c in.wad >in.wad.gz
    expect_build --in-place in.wad.gz
    gzip -dc in.wad.gz >out.wad
    expect_same out.wad expected.wad
    expect_build --in-place in.wad
    expect_same in.wad expected.wad
}

# The directory is last, or behind it is a text.
for end in "" "= directory-text"; do
    { echo "= header-text"; texts; echo "="; echo "$end"; } |
        sed '/^$/d' >recipe
    wadtool make PWAD in.wad <recipe
    built <recipe | wadtool make PWAD expected.wad
    expect_built_as_expected
done

# The directory is first, and goes to the end with its text.
{ echo "= header-text"; echo "="; echo "= directory-text"; texts; } >recipe
wadtool make IWAD in.wad <recipe
{ echo "= header-text"; texts; echo "="; echo "= directory-text"; } | built |
    wadtool make IWAD expected.wad
expect_built_as_expected

# The lumps are in another order than in the directory.
{
    echo "CREDITS credits-text"
    echo "= credits-text"
    room MAP01
} >recipe
wadtool make PWAD in.wad <recipe
perl -e '
    # Moves the first entry of the directory to its end.
    local $/;
    my $bytes = <STDIN>;
    my ($count, $at) = unpack "x4V2", $bytes;
    my $first = substr $bytes, $at, 16, "";
    print $bytes, $first;' <in.wad >turned.wad
{ room MAP01; echo "CREDITS credits-text"; echo "= credits-text"; } | built |
    wadtool make PWAD expected.wad
cp turned.wad in.wad
expect_built_as_expected

# Of a map without a BLOCKMAP, the text comes before what is inserted.
room MAP01 | without BLOCKMAP |
    sed 's/^REJECT .*/&\n= things-text/' >recipe
wadtool make PWAD in.wad <recipe
{ cat recipe; echo "BLOCKMAP room-blockmap"; } | wadtool make PWAD expected.wad
expect_built_as_expected

# --- Builders ---

# What a builder drops is counted, but for what aligns lumps; what it keeps stays.
printf 'abc' >padding
texts | sed 's/^REJECT .*/&\n= padding/' >recipe
wadtool make PWAD in.wad <recipe
sed '/^=/d' recipe | wadtool make PWAD dropped.wad
loose=$(cat things-text blockmap-text credits-text things-text blockmap-text |
    wc -c)
make_program dropper <<END
cp '$folder/dropped.wad' "\$2"
END
expect 0 blocksweep --quiet --builder="./dropper {in} {out}" in.wad -o out.wad
expect_sentence "in.wad: builder ./dropper dropped $loose bytes that are in no lump"
sed '/^=/d' recipe | built | wadtool make PWAD expected.wad
expect_same out.wad expected.wad
expect_build --builder="cp {in} {out}" in.wad -o out.wad
built <recipe | wadtool make PWAD expected.wad
expect_same out.wad expected.wad
