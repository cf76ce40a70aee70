#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a file whose lumps are already what the build would write is not
# replaced and gets no backup; nor is one of which no map can be built.

. "$SOURCE_DIR/tests/help/library.sh"

need gzip
need_json
write_room
room MAP01 | replacing BLOCKMAP room-blockmap >good
words 0 0 2 >cut-vertexes
room MAP02 | replacing VERTEXES cut-vertexes >bad
room MAP01 | wadtool make PWAD old.wad
wadtool make PWAD built.wad <good

# start FILE NAME: a folder with nothing but a copy of the file, of a day long ago.
start() {
    kept=work/$2
    rm -rf work
    mkdir work
    cp "$1" "$kept"
    touch -t 200001020304.05 "$kept"
    cp -p "$kept" before
    inode=$(ls -i "$kept")
}

# expect_left STATUS REASON ARGUMENT...: a build says why the file is left, and it
# is: the same file with its bytes and its time, alone in the folder.
expect_left() {
    expected_line="Wrote nothing$2; ${link-$kept} is unchanged"
    expected=$1
    shift 2
    expect "$expected" blocksweep "$@"
    expect_line "$expected_line"
    expect_same "$kept" before
    [ "$(ls -i "$kept")" = "$inode" ] || fail "the same file was expected"
    [ -z "$(find "$kept" -newer before)" ] ||
        fail "the old time was expected: $(ls -l "$kept")"
    [ "work/$(ls -A work)" = "$kept" ] ||
        fail "one file was expected, not $(ls -A work)"
}

# expect_replaced ARGUMENT...: the file is replaced and has a backup.
expect_replaced() {
    expect 0 blocksweep --backup "$@"
    expect_line "Wrote $kept"
    expect_same "$kept~" before
    ! cmp -s "$kept" before || fail "other bytes were expected"
}

# --- Lumps that are there already ---

start old.wad map.wad
expect_replaced --in-place work/map.wad
expect_same work/map.wad built.wad
start built.wad map.wad
expect_left 0 "" --in-place --backup work/map.wad
expect_no_errors
expect_left 0 "" --backup work/map.wad -o work/map.wad
ln -s work/map.wad link.wad
link=link.wad expect_left 0 "" --backup work/map.wad -o link.wad
expect 0 blocksweep --json --in-place --backup work/map.wad
read_json
expect_facts written false error - maps.0.status "done"
expect_same work/map.wad before
expect_build work/map.wad -o copy.wad
expect_same copy.wad built.wad

# Another byte, another name or another place of a BLOCKMAP counts.
{ head -c -1 room-blockmap; printf '\376'; } >almost
for change in "s/room-blockmap/almost/" "s/^BLOCKMAP/blockmap/" "/^BLOCKMAP/d"; do
    sed "$change" good | wadtool make PWAD almost.wad
    start almost.wad map.wad
    expect_replaced --in-place work/map.wad
    expect_same work/map.wad built.wad
done

# How the lumps lie in the file does not count: the directory is first, bytes are
# in no lump, an empty lump shares a place, two maps share a BLOCKMAP.
{
    echo "="
    echo "= THINGS"
    cat good
    sed "s/MAP01/MAP02/; s/^BLOCKMAP .*/BLOCKMAP @10 0 $(wc -c <room-blockmap)/" good
    echo "= THINGS"
} | wadtool make IWAD laid.wad
start laid.wad map.wad
expect_left 0 "" --in-place --backup work/map.wad

# Compressed files stay, too; one that is to be compressed does not.
gzip -c built.wad >built.wad.gz
start built.wad.gz map.wad.gz
expect_left 0 "" --in-place --backup work/map.wad.gz
expect_left 0 "" --backup work/map.wad.gz -o work/map.wad.gz
start built.wad map.wad.gz
expect_left 0 "" --in-place --backup work/map.wad.gz
expect_replaced work/map.wad.gz -o work/map.wad.gz
gzip -dc work/map.wad.gz >inflated.wad
expect_same inflated.wad built.wad

# What a builder writes is compared with what it got.
start laid.wad map.wad
expect_left 0 "" --builder="cp {in} {out}" --in-place --backup work/map.wad
echo "what is in NODES" >other-nodes
replacing NODES other-nodes <good | wadtool make PWAD other.wad
make_program changer <<END
cp '$folder/other.wad' "\$2"
END
start built.wad map.wad
expect_replaced --builder="./changer {in} {out}" --in-place work/map.wad
expect_same work/map.wad other.wad

# --- Maps that fail ---

# Of no map that is built, also several.
{ cat bad; sed s/MAP02/MAP03/ bad; } | wadtool make PWAD both.wad
wadtool make PWAD bad.wad <bad
start both.wad map.wad
expect_left 1 ", 2 of 2 maps failed" --in-place --backup work/map.wad
expect_count 1 errors "nothing was written"
tail -n 1 errors >last
expect_match last "^blocksweep: work/map.wad: MAP03: VERTEXES: .*; nothing was \
written$"
start bad.wad map.wad
expect_left 1 ", 1 of 1 maps failed" --backup work/map.wad -o work/map.wad
expect_sentence "MAP02: VERTEXES: " "; nothing was written"
expect 1 blocksweep --json --in-place --backup work/map.wad
read_json
expect_facts written false maps.0.status failed
expect_same work/map.wad before

# Of a map that fails beside one that is as it should be.
cat good bad | wadtool make PWAD half.wad
start half.wad map.wad
expect_left 1 ", 1 of 2 maps failed" --in-place --backup work/map.wad

# Another file becomes a copy.
expect 1 blocksweep bad.wad -o copy.wad
expect_line "Wrote copy.wad, 1 of 1 maps failed and are unchanged"
expect_same copy.wad bad.wad
expect_not_in errors "nothing was written"
