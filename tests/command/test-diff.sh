#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that diff finds out what two files have in common and what not, map by
# map: the same lists stored in other ways, lists that have changed, grids that
# have moved, lumps that are damaged or missing, maps that only one file has;
# and that its table, its JSON and its exit status say the same.

. "$SOURCE_DIR/tests/help/library.sh"
write_room

need_json

# diff_wads STATUS ARGUMENT...: the table is in output, the JSON in json, and
# what is in that in facts.
diff_wads() {
    status_of_diff=$1
    shift
    expect "$status_of_diff" blocksweep diff --json "$@"
    read_json
    mv output json
    expect "$status_of_diff" blocksweep diff "$@"
}

# --- The same lists ---

expect_build --grid=keep "$sample" -o old.wad
diff_wads 0 old.wad old.wad
expect_no_errors
expect_facts schema 1 command diff \
    old old.wad new old.wad maps 3 total.maps 3 total.identical 3 \
    total.differing_blocks 0 total.only_old_entries 0 total.only_new_entries 0 \
    maps.0.map MAP01 maps.0.status identical \
    maps.0.differences 0
expect_line "3 maps: 3 identical"
[ "$(wc -l <output)" -eq 6 ] || fail "nothing but maps and totals were expected"

# expect_same_meaning OPTIONS: other bytes, the same sets.
expect_same_meaning() {
    # shellcheck disable=SC2086 # words
    expect_build --grid=keep --prune=none $1 "$sample" -o new.wad
    diff_wads 0 exact.wad new.wad
    expect_no_errors
    expect_facts total.same 3 total.differing_blocks 0 \
        total.only_old_entries 0 total.only_new_entries 0
    diff_wads 0 new.wad exact.wad
    expect_facts total.same 3
}

expect_build --grid=keep --prune=none "$sample" -o exact.wad
expect_same_meaning "--pack=nest --for=boom"
[ "$(fact total.reordered_blocks)" -gt 0 ] ||
    fail "blocks in another order were expected"
expect_facts maps.0.old.headers any maps.0.new.headers zero
expect_line "headers any -> zero"
expect_same_meaning "--for=woof-dev --format=xbm1"
expect_facts maps.0.old.form xbm1 maps.0.new.form classic
expect_line "form xbm1 -> classic"

# Merged lists have more linedefs.
rooms 36 36 500 300
expect_build --for=woof-dev --format=xbm1 --grid=fit rooms.wad -o exact.wad
expect 0 blocksweep --quiet --for=doom19 --grid=fit --overflow=merge \
    --pack=nest rooms.wad -o new.wad
diff_wads 1 exact.wad new.wad
expect_facts total.different 1 total.only_old_entries 0
[ "$(fact total.only_new_entries)" -gt 0 ] || fail "more lines were expected"

# --- Grids ---

# By whole blocks: -328,-1796 is where MAP01's grid begins.
expect_build --map=MAP01 --grid=-456,-1924 "$sample" -o new.wad
diff_wads 0 --map=MAP01 old.wad new.wad
expect_facts maps.0.status same maps.0.new.origin_x -456 \
    maps.0.differing_blocks 0
expect_line "grid -328,-1796 20x28 -> -456,-1924 21x29"

# By less: blocks only overlap.
expect_build --map=MAP01 --grid=-336,-1804 "$sample" -o new.wad
diff_wads 1 --map=MAP01 old.wad new.wad
expect_facts maps.0.status different maps.0.blocks 0 maps.0.differences 0
expect_line "the grids are not whole blocks apart, so their blocks cannot be \
compared"

# --- A room ---

words 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 65535 >room-blockmap
cp room-blockmap BLOCKMAP
make_room room.wad

# expect_damage STATUS WORD...: compares the room with that of another blockmap.
expect_damage() {
    damage_status=$1
    shift
    words "$@" >damaged
    make_room damaged.wad BLOCKMAP damaged
    diff_wads "$damage_status" room.wad damaged.wad
}

# Another linedef in the block to the east.
expect_damage 1 0 0 2 1 6 11 0 0 1 3 65535 0 0 2 3 65535
expect_facts maps.0.differing_blocks 1 maps.0.differences.0.x 128 \
    maps.0.differences.0.y 0 maps.0.differences.0.only_old.0 1 \
    maps.0.differences.0.only_new.0 0 maps.0.only_old_entries 1 \
    maps.0.only_new_entries 1
expect_line "block 1,0 at 128,0, only old: 1, only new: 0"

# Another order, and a linedef listed twice.
expect_damage 0 0 0 2 1 6 11 0 3 1 0 65535 0 1 2 3 3 65535
expect_facts maps.0.status same maps.0.reordered_blocks 2

# Lists that cannot be read.
expect_damage 1 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3
expect_facts maps.0.differences 1 maps.0.differences.0.new_fault "its list has no end" \
    maps.0.new.unreadable_blocks 1
expect_line "block 1,0 at 128,0, unreadable in the new lump: its list has no end, \
only old: 1 2 3"
diff_wads 0 damaged.wad damaged.wad
expect_facts maps.0.status identical maps.0.differing_blocks 0

# Lists that have 36 million words.
perl -e 'print pack "S<*", 0, 0, 600, 1, (604) x 600, 0, (3) x 60000, 65535' \
    >many
make_room many.wad BLOCKMAP many
diff_wads 1 many.wad damaged.wad
expect_facts maps.0.not_compared - maps.0.status different
expect_match output "unreadable old lump: its 121212 bytes and the lists of its \
600 x 1 blocks may take [0-9]* MiB of memory; --max-memory allows for [0-9]* MiB"

# Lumps that cannot be read at all.
expect_damage 1 0 0 2
expect_facts maps.0.status different maps.0.new.fault "6 bytes are too few for a grid"
expect_line "unreadable new lump: 6 bytes are too few for a grid"

# No lump, and an empty one: engines build their own.
make_room none.wad BLOCKMAP -
expect_damage 1
mv damaged.wad empty.wad
expect_facts maps.0.status different maps.0.new.form empty
diff_wads 1 room.wad none.wad
expect_facts maps.0.new.form none maps.0.new.bytes 0
diff_wads 0 none.wad empty.wad
expect_facts maps.0.status same
diff_wads 0 none.wad none.wad
expect_facts maps.0.status identical

# The same lump for other lines.
words 0 0 0 100 100 100 100 0 >moved
make_room moved.wad VERTEXES moved
diff_wads 0 room.wad moved.wad
expect_facts maps.0.status identical

# A map without lines is told of, and its lumps are compared all the same.
make_room lineless.wad LINEDEFS -
diff_wads 0 room.wad lineless.wad
expect_sentence "lineless.wad: MAP01: LINEDEFS"
expect_facts maps.0.status identical total.identical 1
expect_match facts '^maps.0.new.error .*LINEDEFS'

# An origin with a fraction.
# fraction X LINEDEF...: writes fraction.wad, a lump of one block from X,-0.5.
fraction() {
    x=$1
    shift
    xbm1 "$x" -32768 1 1 5 0 "$@" -1 >fraction
    make_room fraction.wad BLOCKMAP fraction
}
fraction -1310720001 0 1 2 3
mv fraction.wad ordered.wad
fraction -1310720001 3 1 2 0
diff_wads 0 ordered.wad fraction.wad
expect_count 2 errors "MAP01: BLOCKMAP: .*not in whole map units"
expect_facts maps.0.status same maps.0.reordered_blocks 1 \
    maps.0.new.origin_y -0.5 maps.0.new.error - total.same 1
expect_in json '"origin_x": -20000.000015258789,'
expect_not_in output grid
fraction -1310720001 3 1 2
diff_wads 1 ordered.wad fraction.wad
expect_facts maps.0.differences.0.y -0.5 maps.0.only_old_entries 1 \
    total.different 1
expect_line "block 0,0 at -20000.00002,-0.5, only old: 0"

# A lump outside the file.
make_room cut.wad
wadtool set cut.wad MAP01/LINEDEFS size 100000
diff_wads 1 room.wad cut.wad
expect_facts maps.0.status failed total.failed 1 maps.0.new.form -

# --- Files ---

{ room MAP01; room MAP02; room MAP01; } | wadtool make PWAD old.wad
{ room MAP03; room MAP01; } | wadtool make PWAD new.wad
diff_wads 1 old.wad new.wad
expect_facts maps 4 maps.0.map MAP01 maps.0.status identical \
    maps.1.map MAP02 maps.1.status only_old maps.1.new - \
    maps.2.map MAP01 maps.2.status only_old \
    maps.3.map MAP03 maps.3.status only_new maps.3.old - \
    total.only_old 2 total.only_new 1
expect_line "MAP02 only in the old file" "MAP03 only in the new file" \
    "4 maps: 1 identical, 2 only in the old file, 1 only in the new file"

expect 1 blocksweep diff --quiet old.wad new.wad
expect_no_output
diff_wads 1 --map=MAP03 old.wad new.wad
expect_no_errors
expect_facts maps 1 maps.0.map MAP03 maps.0.status only_new \
    total.blocks 0 total.differing_blocks 0 total.reordered_blocks 0 \
    total.only_old_entries 0 total.only_new_entries 0
diff_wads 1 --map=MAP02-MAP03 old.wad new.wad
expect_facts maps 2 total.only_old 1 total.only_new 1
expect 0 blocksweep diff --help
expect_match output '--verbose  *name every block that differs$'
# Status, part of the sentence, and arguments.
echo THINGS | wadtool make PWAD mapless.wad
while IFS='|' read -r code part arguments; do
    # shellcheck disable=SC2086 # words
    expect "$code" blocksweep diff $arguments </dev/null
    expect_sentence "$part"
done <<'END'
2|two files were expected|old.wad new.wad room.wad
2|--pack|--pack=nest old.wad new.wad
2|no map is named 'MAP09', neither in old.wad nor in new.wad|--map=MAP09 old.wad new.wad
3|nowhere.wad|old.wad nowhere.wad
1|mapless.wad|old.wad mapless.wad
END
