#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that damaged files and maps are refused with one sentence which says
# where the damage is, that a damaged map keeps its lumps, and that the maps
# around it are built.

# shellcheck disable=SC2086 # what holds words is split into them

. "$SOURCE_DIR/tests/help/library.sh"
write_room

# --- Files that are no WAD: the target is not touched ---

echo "PWAD, or what was there" >old

# expect_refused STATUS PART...: bad.wad cannot be built from.
expect_refused() {
    expected_status=$1
    shift
    rm -f new.wad
    cp old old.wad
    for target in new.wad old.wad; do
        expect "$expected_status" blocksweep bad.wad -o $target
        expect_sentence bad.wad "$@"
        expect_no_output
    done
    expect_absent new.wad
    expect_same old.wad old
}

expect_refused 3 "No such file or directory"
mkdir bad.wad
expect_refused 3 "this is a folder; name the WAD files in it"
rmdir bad.wad

# What is no file is not opened, or it would be waited for.
mkfifo pipe
make_room good.wad
cp good.wad kept.wad
perl -MSocket -e 'socket S, AF_UNIX, SOCK_STREAM, 0;
    bind S, sockaddr_un("socket") or die'
for name in pipe socket /dev/null /dev/zero; do
    is="$name: this is a pipe or device, not a file; use - for standard input"
    for words in verify show "diff good.wad" "build -n"; do
        expect 3 as_built timeout 600 blocksweep $words $name
        expect_text errors "blocksweep: $is"
        expect_no_output
    done
    for words in -i -ib "-B zdbsp -i" "-o out.wad" "-o good.wad"; do
        expect 3 as_built timeout 600 blocksweep build $words $name
        expect_text errors "blocksweep: $is; nothing was written"
        expect_no_output
        expect_absent out.wad "$name~"
        expect_same good.wad kept.wad
        [ ! -f $name ] || fail "$name was expected to stay"
    done
done
expect 3 blocksweep -q -i good.wad pipe
expect_text errors "blocksweep: pipe: this is a pipe or device, not a file; \
use - for standard input; nothing was written
blocksweep: 1 of 2 files failed in whole or in part: pipe"
expect_room good.wad MAP01
rm pipe socket

: >bad.wad
expect_refused 1 "empty; a WAD was expected"
expect 1 blocksweep verify - </dev/null
expect_text errors "blocksweep: standard input: empty; a WAD was expected"

# Standard input is read from where it stands.
printf PWAD | cat - "$sample" >behind.wad
expect 0 sh -c 'dd bs=4 count=1 of=/dev/null 2>dd-messages; exec "$@"' - \
    "$BUILD_DIR/run" blocksweep show --quiet - <behind.wad
make_room good.wad
size=$(wc -c <good.wad)
head -c 11 good.wad >bad.wad
expect_refused 1 "not a WAD file: a header of 12 bytes"
archive="this is a ZIP or PK3: unpack it first"
{ printf 'PK\003\004'; tail -c +5 good.wad; } >bad.wad
expect_refused 1 "blocksweep: bad.wad: $archive"
printf 'PK\003\004' >bad.wad
expect_refused 1 "blocksweep: bad.wad: $archive"
expect 1 blocksweep show bad.wad
expect_text errors "blocksweep: bad.wad: $archive"
{ printf ZWAD; tail -c +5 good.wad; } >bad.wad
expect_refused 1 "not a WAD file" "12 bytes" IWAD PWAD
printf 'PWAD\000\000\000\000\014\000\000\000' >bad.wad
expect_refused 1 "no map" THINGS LINEDEFS VERTEXES
echo "DATA $folder/THINGS" | wadtool make PWAD bad.wad
expect_refused 1 "no map"
head -c $((size - 1)) good.wad >bad.wad
expect_refused 1 "directory is cut off" "11 entries" "$size" "$((size - 1))"
head -c 12 good.wad >bad.wad
expect_refused 1 "directory is cut off"

for field in "count 12" "count 4294967295" \
    "directory $((size - 11 * 16 + 1))" "directory 4294967295"; do
    cp good.wad bad.wad
    wadtool set bad.wad $field
    expect_refused 1 "directory is cut off" "${field#* }"
done

# What a header claims takes no memory: of 64 MB, four million or two thousand
# million entries would take more.  The sanitizers take more for themselves.
if ! is_sanitized; then
    for count in 4000000 2147483647; do
        cp good.wad bad.wad
        wadtool set bad.wad count "$count"
        (
            ulimit -v 65536
            expect_refused 1 "directory is cut off" "$count entries"
        )
    done
fi

# --- Maps that are damaged ---

# expect_map_refused PART...: MAP02 of bad.wad fails and keeps its lump; other
# maps do not.
expect_map_refused() {
    expect 1 blocksweep bad.wad -o out.wad
    expect_match output '^MAP02 *failed'
    expect 1 blocksweep --quiet bad.wad -o out.wad
    expect_sentence "bad.wad: MAP02: " "$@"
    expect_lumps_kept bad.wad out.wad
    # The second of three; none if MAP02 had none.
    for wad in bad out; do
        wadtool list $wad.wad | awk '$2 == "MAP02" { inside = 1 }
            $2 == "MAP03" { exit }
            inside && $2 == "BLOCKMAP" { print }' >blockmap-of-$wad
    done
    expect_same blockmap-of-bad blockmap-of-out
    expect_room out.wad MAP01 MAP03
    # Nothing changes when it is built again.
    expect 1 blocksweep --quiet out.wad -o twice.wad
    expect_same out.wad twice.wad
}

# make_bad COMMAND...: makes bad.wad of three maps, of which the second is a
# recipe that has gone through the command.
make_bad() {
    { room MAP01; room MAP02 | "$@"; room MAP03; } | wadtool make PWAD bad.wad
}

make_bad without LINEDEFS
expect_map_refused "LINEDEFS: " "no such lump"
make_bad replacing VERTEXES ""
expect_map_refused "VERTEXES: " empty "4 bytes"

{ cat LINEDEFS; printf x; } >odd
make_bad replacing LINEDEFS odd
expect_map_refused "LINEDEFS: " "57 bytes" "record 4" "multiple of 14"

for vertices in "4 0" "0 65535"; do
    { linedef 0 1; linedef 1 2; linedef $vertices; } >wild
    make_bad replacing LINEDEFS wild
    expect_map_refused "LINEDEFS: " "linedef 2" \
        "vertex $(echo "$vertices" | tr -d ' ' | sed 's/^0//; s/0$//')," \
        "there are 4"
done

# The room's linedefs are records of 14 bytes, those of these formats have 16.
add_lump() {
    cat
    echo "$1 $folder/THINGS"
}
for lump in BEHAVIOR LEAFS LIGHTS MACROS; do
    make_bad add_lump $lump
    expect_map_refused LINEDEFS "a multiple of 16"
done

# What a blockmap is not made from may be anything.
make_bad replacing BLOCKMAP odd
expect_build bad.wad -o out.wad
expect_room out.wad MAP02
make_bad sed '/^THINGS/d; /^S/d; /^NODES/d; /^REJECT/d'
expect_build bad.wad -o out.wad
expect_room out.wad MAP02

# --- UDMF ---

# make_text COMMAND...: the same with a map in UDMF.
make_text() {
    { room MAP01; text_room MAP02 ZNODES BLOCKMAP | "$@"; room MAP03; } |
        wadtool make PWAD bad.wad
}

make_text replacing TEXTMAP "$folder/THINGS"
expect_map_refused "TEXTMAP: the text has 0 vertices and 0 linedefs"

# Without ENDMAP, before a map in UDMF, before one in Doom format, at the end.
for kind in text_room room; do
    { text_room MAP01 ZNODES | without ENDMAP; $kind MAP02; } |
        wadtool make PWAD bad.wad
    expect 1 blocksweep --quiet bad.wad -o out.wad
    expect_sentence "bad.wad: MAP01: TEXTMAP: " "lump 1" ENDMAP
    expect_others_kept bad.wad out.wad
    expect_room out.wad MAP02
done

# test-udmf has all errors.
sed '2s/;/ /' TEXTMAP >DAMAGED
make_text replacing TEXTMAP "$folder/DAMAGED"
expect_map_refused "TEXTMAP: line 2, column 17: " "';'"

# --- Lumps that are not all in the file ---

# cut_lump LUMP FIELD VALUE: makes bad.wad with a lump that reaches outside.
cut_lump() {
    make_bad cat
    wadtool set bad.wad "$@"
}
make_bad cat
size=$(wc -c <bad.wad)

# expect_map_cut LUMP NUMBER: MAP02 fails because this lump does.
expect_map_cut() {
    expect_map_refused "$1: " "lump $2" "but the file has $size"
}

for cut in LINEDEFS:13 BLOCKMAP:21; do
    lump=${cut%:*}
    for value in "size 4294967295" "size $size" "position $((size - 1))" \
        "position 4294967295"; do
        cut_lump MAP02/$lump $value
        expect_map_cut "$lump" "${cut#*:}"
    done
done

# Two of one map make one sentence.
cut_lump MAP02/LINEDEFS size 100000
wadtool set bad.wad MAP02/SECTORS position 99999
expect_map_cut LINEDEFS 13

# The marker belongs to the map.
cut_lump 11 size 100000
expect_map_cut MAP02 11

# An empty lump has no bytes, wherever they are said to be.
make_bad sed 's/^SEGS .*/SEGS/'
wadtool set bad.wad MAP02/SEGS position 4294967295
expect_build bad.wad -o out.wad
expect_lumps_kept bad.wad out.wad

# One that is in no map stays as it is, and all maps are built.
{ room MAP01; echo "DATA $folder/THINGS"; room MAP02; } |
    wadtool make PWAD bad.wad
wadtool set bad.wad 11 size 100000
expect_build bad.wad -o out.wad
expect_lumps_kept bad.wad out.wad
expect_room out.wad MAP01 MAP02
expect_build out.wad -o twice.wad
expect_same out.wad twice.wad
