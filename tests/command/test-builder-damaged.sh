#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that what a builder has written is refused if it is not whole, with a
# sentence about the builder, and that the input stays as it was: a file that
# is cut off behind its directory, maps without their lines, maps that the
# stage cannot build; and that many maps take no time.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room
use_own_temporary_folder

# expect_refused PART...: with written.wad for its file, the builder is refused
# with these parts of a sentence, and nothing has changed.
expect_refused() {
    cp in.wad place.wad
    for option in --quiet --json --map=MAP02; do
        expect 1 blocksweep $option --builder="cp written.wad {in}" --in-place \
            --backup place.wad
        expect_sentence "builder cp: the file that it wrote" "$@"
        ! grep -qF place.wad errors || fail "the input is not to blame"
        expect_same place.wad in.wad
        [ ! -e place.wad~ ] || fail "no backup was expected"
        expect_nothing_temporary
    done
}

# --- Cut off ---

# A WAD whose directory is in front of its lumps, behind a header of 12 bytes:
# in a hole, which is a lump, too.
rooms_of_three() {
    room MAP01
    room MAP02
    room MAP03
}
lumps=$(($(rooms_of_three | wc -l) + 1))
hole=$((16 * lumps))
head -c $hole /dev/zero >zeros
{ echo "HOLE $folder/zeros"; rooms_of_three; } | wadtool make PWAD back.wad
size=$(($(wc -c <back.wad) - hole))
head -c $size back.wad >in.wad
{ words 12 0; tail -c $hole back.wad; } |
    dd of=in.wad bs=1 seek=8 conv=notrunc 2>dd-errors || fail "dd failed"
expect_build --builder="cp in.wad {in}" in.wad -o out.wad
for map in MAP01 MAP02 MAP03; do
    expect_room out.wad $map
done

for length in $((size - 1)) $((size - 200)) $((12 + hole)); do
    head -c $length in.wad >written.wad
    expect_refused ": lump " "but the file has $length"
done

# A lump of no map.
{ rooms_of_three; echo "EXTRA $folder/zeros"; } | wadtool make PWAD written.wad
wadtool set written.wad $((lumps - 1)) size 100000
expect_refused "EXTRA: lump $((lumps - 1)) "

# --- Maps ---

: >empty
for lines in LINEDEFS VERTEXES; do
    { room MAP01; room MAP02 | replacing $lines "$folder/empty"; room MAP03; } |
        wadtool make PWAD written.wad
    expect_refused "MAP02: $lines is empty"
    { room MAP01; room MAP02 | without $lines; room MAP03; } |
        wadtool make PWAD written.wad
    expect_refused "MAP02: $lines is empty"
done

# One that has been empty before is none of the builder's faults.
{ rooms_of_three; printf 'MAP04\nTHINGS\nLINEDEFS\nVERTEXES\n'; } |
    wadtool make PWAD with-empty.wad
expect_build --map=MAP01 --builder="cp with-empty.wad {in}" with-empty.wad \
    -o out.wad

# The stage finds what is wrong with a map.
head -c 13 LINEDEFS >cut-linedefs
{
    room MAP01
    room MAP02 | replacing LINEDEFS "$folder/cut-linedefs"
    room MAP03
} | wadtool make PWAD written.wad
expect_refused "MAP02: LINEDEFS"
# A map that is left out is not looked into.
expect_build --map=MAP01 --builder="cp written.wad {in}" in.wad -o out.wad
expect_room out.wad MAP01

# Without a builder the other maps are built.
expect 1 blocksweep --quiet written.wad -o out.wad
expect_sentence "written.wad: MAP02: "
expect_room out.wad MAP03

# UDMF.
echo "what was there" >NOTE
cat >TEXTMAP <<'TEXT'
namespace = "zdoom";
vertex { x = 0; y = 0; } vertex { x = 0; y = 100; }
linedef { v1 = 0; v2 = 1; sidefront = 0; }
sidedef { sector = 0; } sector {}
TEXT
udmf() {
    printf '%s\nTEXTMAP %s\nENDMAP\n' MAP01 "$folder/$1" \
        MAP02 "$folder/$2" MAP03 "$folder/$3"
}
udmf TEXTMAP TEXTMAP TEXTMAP | wadtool make PWAD in.wad
expect_build --builder="true {in}" in.wad -o out.wad
udmf TEXTMAP empty TEXTMAP | wadtool make PWAD written.wad
expect_refused "MAP02: TEXTMAP is empty"
udmf TEXTMAP TEXTMAP TEXTMAP | sed '$d' | wadtool make PWAD written.wad
expect_refused "MAP03: TEXTMAP: lump 7 begins a map that no ENDMAP ends"

# --- Sizes ---

if has truncate && truncate -s 3G large; then
    rm large
    cp in.wad place.wad
    expect 1 blocksweep --builder="truncate -s 3G {in}" --in-place place.wad
    expect_sentence "builder truncate: the file that it wrote" 3221225472
    expect_same place.wad in.wad
fi

# Many maps, of which half have one name.
has perl || exit 0
perl -e '
    my $count = 60000;
    print pack "a4 V V", "PWAD", 2 * $count, 12;
    for my $i (0 .. $count - 1) {
        my $name = $i % 2 ? "MAP01" : sprintf "M%06d", $i;
        print pack "V V a8 V V a8", 0, 0, $name, 0, 0, "LINEDEFS";
    }' >many.wad
expect 1 timeout 20 "$BUILD_DIR/run" blocksweep --quiet --map=M000002 \
    --builder="true {in}" many.wad -o out.wad
expect_sentence "builder true: the file that it wrote: M000002: "
echo NOTHING | wadtool make PWAD written.wad
expect 1 timeout 20 "$BUILD_DIR/run" blocksweep --quiet \
    --builder="cp written.wad {in}" many.wad -o out.wad
expect_sentence "lacks 60000 of 60000 maps: M000000, ..."
