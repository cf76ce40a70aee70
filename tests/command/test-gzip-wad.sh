#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that WADs compressed with gzip are read whatever they are called, and
# written where the output's name ends in .gz or the input was compressed and
# is replaced; and that one which is cut off, damaged or grows beyond all
# bounds is refused.

. "$SOURCE_DIR/tests/help/library.sh"
write_room

need gzip

expect_build "$sample" -o built.wad

# expect_compressed FILE WAD: the file is compressed, and what is in it is WAD.
expect_compressed() {
    gzip -t <"$1" || fail "$1 is not what gzip takes for sound"
    gzip -dc <"$1" >inflated.wad
    expect_same inflated.wad "$2"
}

# --- What is read and written ---

# With a name in it, without, and in pieces, under any name.
cat "$sample" >sample.wad
gzip -c sample.wad >named.wad.gz
gzip -n <sample.wad >nameless.wad.gz
{ head -c 5000 sample.wad | gzip; tail -c +5001 sample.wad | gzip; } >pieces.wad
for input in named.wad.gz nameless.wad.gz pieces.wad; do
    expect_build $input -o out.wad
    expect_same out.wad built.wad
    expect_build $input -o out.wad.gz
    expect_compressed out.wad.gz built.wad
done
expect_build sample.wad -o out.wad.gz
expect_compressed out.wad.gz built.wad
expect_build out.wad.gz -o twice.wad.gz
expect_compressed twice.wad.gz built.wad

# In place a file stays what it is, compressed or not, with a backup as it was.
for input in named.wad.gz pieces.wad; do
    rm -f work~
    cp $input work
    expect_build --in-place --backup work
    expect_compressed work built.wad
    expect_same work~ $input
done
cp sample.wad plain.gz
expect_build --in-place plain.gz
expect_same plain.gz built.wad

# The same bytes each time: no name and no time is in them.
expect_build named.wad.gz -o another-name.gz
expect_same another-name.gz out.wad.gz
od -A n -t x1 -j 3 -N 5 out.wad.gz | expect_text - " 00 00 00 00 00"

# --- What is refused ---

make_room room.wad
gzip -n <room.wad >room.wad.gz
size=$(wc -c <room.wad.gz)
mkdir empty

# expect_refused FILE PART...: the file is no input, and nothing is written.
expect_refused() {
    input=$1
    shift
    expect 1 blocksweep "$input" -o empty/out.wad
    expect_sentence "$input: " "$@"
    expect_no_output
    [ -z "$(ls -A empty)" ] || fail "nothing was expected to be written"
}

# Cut off at every tenth byte.
for length in $(seq 2 10 $((size - 1))); do
    head -c "$length" room.wad.gz >cut.wad.gz
    expect_refused cut.wad.gz "damaged or cut off"
done

# Another byte, here and there after the header, and in each of the last eight,
# which are the checksum and the size.
for place in $(seq 10 20 $((size - 9))) $(seq $((size - 8)) $((size - 1))); do
    byte=$(od -A n -t u1 -j "$place" -N 1 room.wad.gz)
    {
        head -c "$place" room.wad.gz
        # shellcheck disable=SC2059 # the byte is the format
        printf "\\$(printf %03o $((byte ^ 16)))"
        tail -c +$((place + 2)) room.wad.gz
    } >damaged.wad.gz
    expect_refused damaged.wad.gz "damaged or cut off"
done

# Something compressed that is no WAD.
echo "no WAD" | gzip >text.gz
expect_refused text.gz "not a WAD file"

# 64 MiB are read, however well they are compressed; one byte more is refused.
cp room.wad large.wad
truncate -s 67108864 large.wad
gzip -nc large.wad >large.wad.gz
expect_build large.wad.gz -o out.wad
truncate -s 67108865 large.wad
gzip -nc large.wad >large.wad.gz
expect_refused large.wad.gz "expands to more than 100 times"

# Five megabytes that grow to five gigabytes: refused long before, in little
# memory.  Sanitizers take too much of their own.
if ! is_sanitized; then
    head -c 16777216 /dev/zero | gzip -9n >zeros
    {
        gzip -n <room.wad
        for _ in 1 2 3 4 5; do
            for _ in 1 2 3 4 5 6 7 8; do
                cat zeros zeros zeros zeros zeros zeros zeros zeros
            done
        done
    } >bomb.wad.gz
    (
        ulimit -v 400000
        expect_refused bomb.wad.gz "expands to more than 100 times"
        cat bomb.wad.gz | expect 1 blocksweep - -o empty/out.wad
        expect_sentence "expands to more than 100 times"
    )
fi
