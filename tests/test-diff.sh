#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that diff finds out what two files have in common and what not, map by
# map: the same lists stored in other ways, lists that have changed, grids that
# have moved, lumps that are damaged or missing, maps that only one file has;
# and that its table, its JSON and its exit status say the same.

set -eu
# shellcheck source=tests/library.sh
. "$SOURCE_DIR/tests/library.sh"
write_room

perl -MJSON::PP -e 1 2>errors || skip "perl's JSON::PP is not there"

# diff_wads STATUS ARGUMENT...: the table is in table, the JSON in output.
diff_wads() {
    status=$1
    shift
    expect "$status" blocksweep diff "$@"
    mv output table
    expect "$status" blocksweep diff --json "$@"
}

# fact PATH: prints a member of the report, such as maps.0.old.bytes; "-" if
# there is none, and of an array its length.
fact() {
    perl -MJSON::PP -0777 -e '
        my $value = JSON::PP->new->utf8->decode(<STDIN>);
        for (split /\./, shift) {
            $value = ref $value eq "ARRAY" ? $value->[$_] : $value->{$_};
        }
        $value = $value ? "true" : "false" if JSON::PP::is_bool($value);
        $value = @$value if ref $value eq "ARRAY";
        print defined $value ? $value : "-", "\n";' "$1" <output
}

# expect_facts PATH VALUE PATH VALUE...
expect_facts() {
    while [ $# -gt 0 ]; do
        [ "$(fact "$1")" = "$2" ] || {
            cat output
            fail "$1 was expected to be $2; it is $(fact "$1")"
        }
        shift 2
    done
}

# expect_line TEXT...: these are lines of the table, but for the width of gaps.
expect_line() {
    for line in "$@"; do
        tr -s ' ' <table | sed 's/^ //' | grep -qxF -e "$line" || {
            cat table
            fail "'$line' was expected"
        }
    done
}

# --- The same lists ---

expect_build --grid=keep "$sample" -o old.wad
diff_wads 0 old.wad old.wad
expect_no_errors
expect_facts schema 1 command diff stage.name blocksweep \
    old old.wad new old.wad maps 3 total.maps 3 total.identical 3 \
    total.differing_blocks 0 maps.0.map MAP01 maps.0.status identical \
    maps.0.grids equal maps.0.differences 0
expect_line "3 maps: 3 identical"
[ "$(wc -l <table)" -eq 6 ] || fail "nothing but maps and totals were expected"

# expect_same_meaning OPTIONS: other bytes, the same sets.
expect_same_meaning() {
    # shellcheck disable=SC2086 # words
    expect_build --grid=keep --prune=none $1 "$sample" -o new.wad
    diff_wads 0 exact.wad new.wad
    expect_no_errors
    expect_facts total.same 3 total.differing_blocks 0 \
        total.only_old_listed 0 total.only_new_listed 0
    diff_wads 0 new.wad exact.wad
    expect_facts total.same 3
}

expect_build --grid=keep --prune=none "$sample" -o exact.wad
expect_same_meaning "--pack=nest"
[ "$(fact total.reordered_blocks)" -gt 0 ] ||
    fail "blocks in another order were expected"
expect_facts maps.0.new.headers zero
expect_same_meaning "--pack=nest --header=any"
expect_facts maps.0.old.headers any maps.0.new.headers zero
expect_line "headers any -> zero"
expect_same_meaning "--pack=nest --header=none"
expect_facts maps.0.old.headers none
expect_same_meaning "--pack=share --header=any"
expect_same_meaning "--pack=none --header=none"
expect_same_meaning "--pack=none"
expect_facts total.reordered_blocks 0
expect_same_meaning "--format=xbm1"
expect_facts maps.0.old.form xbm1 maps.0.new.form classic
expect_line "form xbm1 -> classic"

# What is listed in vain is told, and that it is.
expect_build --grid=keep --pack=cover "$sample" -o new.wad
diff_wads 1 old.wad new.wad
expect_facts total.different 3 total.only_old_listed 0 \
    maps.0.only_new_touches 0
[ "$(fact total.only_new_listed)" -gt 0 ] || fail "more lines were expected"

# --- Grids ---

# By whole blocks: -328,-1796 is where MAP01's grid begins.
expect_build --map=MAP01 --grid=-456,-1924 "$sample" -o new.wad
diff_wads 0 --map=MAP01 old.wad new.wad
expect_facts maps.0.status same maps.0.grids aligned maps.0.new.origin_x -456 \
    maps.0.differing_blocks 0
expect_line "grid -328,-1796 20x28 -> -456,-1924 21x29"

# By less: no line is in other places, but blocks are.
expect_build --map=MAP01 --grid=-336,-1804 "$sample" -o new.wad
diff_wads 1 --map=MAP01 old.wad new.wad
expect_facts maps.0.status different maps.0.grids other \
    maps.0.differing_blocks 0
expect_line "the blocks of one grid lie across those of the other"

# --- A room ---

words 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 65535 >room-blockmap
cp room-blockmap BLOCKMAP
room MAP01 | wadtool make PWAD room.wad

# expect_damage STATUS WORD...: compares the room with that of another blockmap.
expect_damage() {
    damage_status=$1
    shift
    words "$@" >damaged
    room MAP01 | replacing BLOCKMAP damaged | wadtool make PWAD damaged.wad
    diff_wads "$damage_status" room.wad damaged.wad
}

# Another linedef in the block to the east.
expect_damage 1 0 0 2 1 6 11 0 0 1 3 65535 0 0 2 3 65535
expect_facts maps.0.differing_blocks 1 maps.0.differences.0.x 128 \
    maps.0.differences.0.y 0 maps.0.differences.0.only_old.0 1 \
    maps.0.differences.0.only_new.0 0 maps.0.only_old_touches 1 \
    maps.0.only_new_touches 0
expect_line "block at 128,0, only old: 1, only new: 0" \
    "of what only the old lump lists, 1 of 1 are in their blocks"

# The same as a picture: the block at column 1, row 0 is marked.
expect 1 blocksweep diff --quiet --svg=difference.svg room.wad damaged.wad
expect_no_errors
grep -q '<text[^>]*>differ</text>' difference.svg ||
    fail "a word on marked blocks was expected"
grep -o '<path id="groups"[^>]*>' difference.svg >marks
grep -q ' d="M1 0h1v1H1z"/>$' marks || {
    cat marks
    fail "another block was expected to be marked"
}

# Another order, and a linedef listed twice.
expect_damage 0 0 0 2 1 6 11 0 3 1 0 65535 0 1 2 3 3 65535
expect_facts maps.0.status same maps.0.reordered_blocks 2

# A column more, in which nothing is.
expect_damage 0 0 0 3 1 7 12 17 0 0 1 3 65535 0 1 2 3 65535 0 65535
expect_facts maps.0.grids aligned maps.0.blocks 3

# Lists that cannot be read.
expect_damage 1 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3
expect_facts maps.0.differences 1 maps.0.differences.0.new_fault endless \
    maps.0.new.unreadable_blocks 1
expect_line "block at 128,0, unreadable in the new lump: its list has no end, \
only old: 1 2 3"
expect_damage 1 0 0 2 1 6 900 0 0 1 3 65535 0 1 2 3 65535
expect_facts maps.0.differences.0.new_fault outside
expect_damage 1 0 0 2 1 3 11 0 0 1 3 65535 0 1 2 3 65535
expect_facts maps.0.differences.0.new_fault in_table
diff_wads 0 damaged.wad damaged.wad
expect_facts maps.0.status identical maps.0.differing_blocks 0

# Lumps that cannot be read at all.
expect_damage 1 0 0 2
expect_facts maps.0.status different maps.0.grids none maps.0.new.fault no_grid
expect_line "unreadable new lump: 6 bytes hold no grid"
expect_damage 1 0 0 200 100 6
expect_facts maps.0.new.fault no_table

# No lump, and an empty one: engines build their own.
room MAP01 | without BLOCKMAP | wadtool make PWAD none.wad
expect_damage 1
mv damaged.wad empty.wad
expect_facts maps.0.status different maps.0.new.form empty
diff_wads 1 room.wad none.wad
expect_facts maps.0.new.form none maps.0.new.bytes 0
diff_wads 0 none.wad empty.wad
expect_facts maps.0.status same
diff_wads 0 none.wad none.wad
expect_facts maps.0.status identical

# The same lump, but the lines have moved.
words 0 0 0 100 100 100 100 0 >moved
room MAP01 | replacing VERTEXES moved | wadtool make PWAD moved.wad
diff_wads 1 room.wad moved.wad
expect_facts maps.0.status different maps.0.lines_differ true \
    maps.0.differing_blocks 0
expect_line "the lines of the map differ"

# A map without lines is told of, and its lumps are compared all the same.
room MAP01 | without LINEDEFS | wadtool make PWAD lineless.wad
diff_wads 1 room.wad lineless.wad
expect_facts maps.0.status identical
fact maps.0.new.error | grep -q LINEDEFS || fail "a sentence was expected"

# A lump outside the file.
room MAP01 | wadtool make PWAD cut.wad
wadtool set cut.wad MAP01/LINEDEFS size 100000
diff_wads 1 room.wad cut.wad
expect_facts maps.0.status failed

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
[ ! -s output ] || fail "--quiet has printed to standard output"
expect 2 blocksweep diff old.wad
expect_sentence "two files were expected"
expect 2 blocksweep diff old.wad new.wad room.wad
expect_sentence "two files were expected"
expect 2 blocksweep diff --map=MAP02 old.wad new.wad
expect_sentence MAP02
expect 2 blocksweep diff --pack=nest old.wad new.wad
expect_sentence "--pack"
expect 2 blocksweep diff --svg=out.svg old.wad new.wad
expect_sentence "choose one with --map"
expect 1 blocksweep diff --quiet --svg=out.svg room.wad none.wad
expect_sentence "none.wad: MAP01 has no blockmap that can be drawn"
expect 3 blocksweep diff --quiet --svg=nowhere/out.svg room.wad moved.wad
expect_sentence nowhere/
expect 3 blocksweep diff old.wad nowhere.wad
expect_sentence nowhere.wad
echo THINGS | wadtool make PWAD mapless.wad
expect 1 blocksweep diff old.wad mapless.wad
expect_sentence mapless.wad

# --- What another builder writes ---

wad=$freedoom_dir/freedoom2.wad
[ -r "$wad" ] || skip "$wad is not there; all else passed"
has zdbsp || skip "zdbsp is not there; all else passed"
expect 0 zdbsp -N -E -o old.wad "$wad"
expect_build --grid=keep old.wad -o new.wad
diff_wads 1 old.wad new.wad
if [ "$(wc -c <"$wad")" -eq 28544136 ]; then
    expect_facts total.maps 32 total.only_old_listed 149 \
        total.only_new_listed 20
    perl -MJSON::PP -0777 -e '
        my ($wrong, $right) = (0, 0);
        for my $map (@{decode_json(<STDIN>)->{maps}}) {
            $wrong += $map->{only_old_touches};
            $right += $map->{only_new_touches};
        }
        print "$wrong $right\n";' <output >touches
    expect_text touches "0 20"
fi
