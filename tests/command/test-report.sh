#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the report's table and --json say what is in the files; and that
# work of over a second shows how far it is on a terminal, that nothing of this
# is left on the screen, and that there is none of it anywhere else.

. "$SOURCE_DIR/tests/help/library.sh"
need_json
write_room

# report STATUS ARGUMENT...: builds out.wad from in.wad, with both forms of the
# report: in the file table, and with what is in that as JSON in facts.
report() {
    expect "$@" in.wad -o out.wad
    expect_line "Map Before After Largest offset Change"
    expect_match output '^Wrote out.wad'
    ! grep '[[:cntrl:]]' output || fail "control characters on no terminal"
    mv output table
    cp errors table-errors
    expect "$@" --json in.wad -o out.wad
    expect_same table-errors errors
    read_json
    expect_facts schema 1 command build stage.name blocksweep input in.wad \
        version "$(blocksweep --version | sed 's/^blocksweep //; q')" \
        output out.wad written true
    maps=0
    total_linedefs=0
    total_old=0
    total_new=0
}

# size_of FILE LUMP: prints its bytes; 0 if it is not there.
size_of() {
    { wadtool extract "$1" "$2" 2>/dev/null || :; } | wc -c
}

# expect_map MAP GRID CHANGE [over WORDS OFFSET]: both say what the files tell of
# the next map, or of a lump that is over the limit what it would have had.
# CHANGE is the word of JSON and what the table has for it.
expect_map() {
    old=$(size_of in.wad "$1/BLOCKMAP")
    new=$(size_of out.wad "$1/BLOCKMAP")
    linedefs=$(($(size_of in.wad "$1/LINEDEFS") / 14))
    if [ "${4-}" = over ]; then
        x=0 y=0 columns=512 rows=512 words=$5 largest=$6
        of="over 32767"
        over=true
    else
        wadtool blockmap out.wad "$1/BLOCKMAP" >found-blockmap
        read -r x y columns rows words largest <found-blockmap
        of="of 32767"
        over=false
        expect_facts "maps.$maps.meets_vanilla" true \
            "maps.$maps.meets_extended" true
    fi
    tr -s ' ' <table >output
    expect_line "$1 $old $new $largest $of ${3#*: }"
    expect_facts "maps.$maps.change" "${3%%: *}"
    expect_facts "maps.$maps.map" "$1" "maps.$maps.status" "done" \
        "maps.$maps.grid" "$2" "maps.$maps.linedefs" "$linedefs" \
        "maps.$maps.bytes_before" "$old" "maps.$maps.bytes_after" "$new" \
        "maps.$maps.origin_x" "$x" "maps.$maps.origin_y" "$y" \
        "maps.$maps.columns" "$columns" "maps.$maps.rows" "$rows" \
        "maps.$maps.words" "$words" "maps.$maps.largest_offset" "$largest" \
        "maps.$maps.over_limit" $over "maps.$maps.error" - \
        "maps.$maps.vanilla_offset_limit" 32767 "maps.$maps.words_limit" 65535
    fact "maps.$maps.seconds" >seconds
    expect_match seconds '^[0-9.]*[0-9]\(e-[0-9][0-9]*\)*$'
    total_linedefs=$((total_linedefs + linedefs))
    total_old=$((total_old + old))
    total_new=$((total_new + new))
    maps=$((maps + 1))
}

# expect_total TEXT FAILED LINES: what maps add up to, how many there are, how
# many have failed, and how many lines the table has.
expect_total() {
    tr -s ' ' <table >output
    expect_line "Total $total_old $total_new $1"
    expect_facts total.failed "$2" total.maps "$maps" maps "$maps" \
        total.linedefs "$total_linedefs" total.bytes_after "$total_new"
    expect_count "$3" table
}

# change_of GRID MAP: what the present blockmap of a real map lacks and has
# extra, as verify counts it, or that the grid is another one.
change_of() {
    case $1:$2 in
        auto:keep:MAP01) echo "lists: 205 missing added, 1 extra removed" ;;
        *:MAP07) echo "lists: 2 extra entries removed" ;;
        auto:keep:MAP30) echo "lists: 25 missing added, 2 extra removed" ;;
        *) echo "grid: different grid" ;;
    esac
}

# Real maps, on two kinds of grid.
cat "$sample" >in.wad
for grid in auto:keep id:id; do
    report 0 blocksweep --grid="${grid%:*}"
    if [ $grid = auto:keep ]; then
        expect_sentence "fewer linedefs in lists in 3 of 3 maps, more linedefs \
in lists in 2"
    else
        expect_sentence "a different grid in 2 of 3 maps"
    fi
    for map in MAP01 MAP07 MAP30; do
        expect_facts "maps.$maps.warnings" 0
        expect_map $map "${grid#*:}" "$(change_of $grid $map)"
    done
    case $grid in
        auto:keep) all=" 230 missing added, 5 extra removed" ;;
        id:id) all=" 2 extra entries removed" ;;
    esac
    expect_total "3 maps$all" 0 6
    expect_facts total.bytes_before $total_old
done

# What is left out has a line of its own.
report 0 blocksweep --prune=inert
expect_sentence "fewer linedefs in lists in 3 of 3 maps"
number='[0-9][0-9]*'
expect_match table "^  *$number  pruned: 0 tagged, $number inert\$"
[ "$(fact maps.0.pruned_inert)" -gt 0 ] ||
    fail "inert linedefs were expected in MAP01"

# So has what is listed without need.
rooms 36 36 500 300
mv rooms.wad in.wad
report 0 blocksweep --for=doom19 --overflow=merge --pack=nest
expect_in errors "lists were merged"
expect_match table "^  *$number  extra entries, at most $number in a block\$"

# One map; at a place; without an old lump.
make_room in.wad BLOCKMAP -
report 0 blocksweep --grid=-10,-200
expect_sentence "a blockmap where ports had none or built their own in 1 of 1 maps"
expect_map MAP01 at "first: no BLOCKMAP before"
expect_total "1 map" 0 4

# sentence_of MAP: prints what is said of it on standard error.
sentence_of() {
    sed -n "s/^blocksweep: in.wad: \($1: .*\)/\1/p" errors
}

# Maps that fail, have a warning, or get an empty lump, in whose place there
# would be one behind two lists in the first two blocks.
words 0 0 512 512 >large-grid
{
    room MAP01 | without BLOCKMAP
    room MAP02 | without LINEDEFS
    room MAP03 | replacing BLOCKMAP large-grid
} | wadtool make PWAD in.wad
report 1 blocksweep --grid=keep
expect_map MAP01 fit "first: no BLOCKMAP before"
expect_facts maps.0.warnings 1 maps.0.warnings.0 "$(sentence_of MAP01)" \
    maps.1.map MAP02 maps.1.status failed maps.1.error "$(sentence_of MAP02)" \
    maps.1.bytes_before "$(wc -c <BLOCKMAP)"
maps=2
offset=$((4 + 512 * 512 + 5 * 2))
expect_map MAP03 keep "empty: left empty" over $((offset + 2)) $offset
expect_facts maps.2.meets_vanilla false maps.2.meets_extended false \
    maps.2.warnings.0 "$(sentence_of MAP03)"
expect_total "2 maps" 1 6
expect_facts total.bytes_before $total_old
tr -s ' ' <table >output
expect_line "MAP02 failed, its lumps are kept" \
    "Wrote out.wad, 1 of 3 maps failed and are unchanged"

# Maps as editors save them have no nodes yet; those of UDMF need none.
write_room
{
    room MAP01 | without SEGS | without SSECTORS | without NODES
    room MAP02
    room MAP03 | replacing SEGS /dev/null | replacing SSECTORS /dev/null |
        replacing NODES /dev/null | without BLOCKMAP
    text_room MAP04
} | sed "s|/BLOCKMAP$|/room-blockmap|" | wadtool make PWAD in.wad
expect 0 blocksweep in.wad -o out.wad
expect_count 2 errors
expect_in errors "in.wad: 2 of 4 maps have no nodes" "in 1 of 4 maps"
expect_build in.wad -o out.wad
expect 1 blocksweep --check-nodes --quiet --map=MAP01 in.wad -o out.wad
expect_text errors "blocksweep: in.wad: MAP01: SEGS: the map has no nodes to \
check the blockmap against; run a node builder first"

# What could not be written.
make_room in.wad
mkdir files
cp in.wad same.wad
ln -s nowhere files/same.wad
expect 3 blocksweep --json in.wad same.wad -o files
read_json
expect_facts files.0.written true files.1.output files/same.wad \
    files.1.written false files.1.error "files/same.wad: cannot be written: \
it is a dangling symbolic link"

# The last line then says that nothing was written and why.
{ room MAP01; room MAP02 | replacing LINEDEFS THINGS; } |
    wadtool make PWAD bad.wad
blocksweep --builder='cp {in} {out}' bad.wad -o out.wad >output 2>&1 || :
tail -n 1 output | expect_text - "blocksweep: builder cp: the file that it \
wrote: MAP02: LINEDEFS: $(wc -c <THINGS) bytes end inside record 1; a multiple \
of 14 was expected; nothing was written"
expect_count 1 output "nothing was written"
expect_match output '^MAP01 '
expect 2 blocksweep --format=x in.wad -o out.wad
expect_sentence "'format'" "'x'" "; nothing was written"

# A map that fails is in the output as it was, and warnings come in their place.
{ room MAP01 | replacing BLOCKMAP large-grid; room MAP02; } |
    wadtool make PWAD both.wad
blocksweep both.wad --grid=keep -o out.wad >output 2>&1
sed -n '/^blocksweep: both.wad: MAP01: /,/^MAP01 /p' output >said
[ "$(wc -l <said)" -eq 2 ] || fail_showing output "a warning was expected first"
expect_not_in output "nothing was written"

# --- Several files ---

cat "$sample" >first.wad
{ room MAP01; room MAP02 | replacing LINEDEFS THINGS; } |
    wadtool make PWAD second.wad
echo rubbish and more >third.wad
cp first.wad last.wad
mkdir folder
blocksweep --quiet first.wad -o expected.wad
expect 3 blocksweep first.wad second.wad none.wad third.wad last.wad -o folder
expect_line first.wad: "Wrote folder/first.wad" \
    "Wrote folder/second.wad, 1 of 2 maps failed and are unchanged" \
    "2 of 5 files built without a failure"
expect_match errors '^blocksweep: second.wad: MAP02: '
expect_match errors '^blocksweep: none.wad: cannot be read: '
tail -n 1 errors | expect_text - "blocksweep: 3 of 5 files failed in whole \
or in part: second.wad, none.wad, third.wad"
expect_same folder/first.wad expected.wad
expect_same folder/last.wad expected.wad
expect_absent folder/none.wad folder/third.wad
expect 1 blocksweep --json --in-place first.wad second.wad third.wad
read_json
expect_facts files 3 files.0.input first.wad files.0.output first.wad \
    files.0.written true files.0.maps 3 files.1.total.failed 1 \
    files.2.input third.wad files.2.written false files.2.maps 0 \
    files.2.error "third.wad: not a WAD file: a header of 12 bytes that \
begins with IWAD or PWAD was expected"
expect_same first.wad expected.wad

# --- A dry run: what each preset would make, and nothing written ---

cat "$sample" >in.wad
expect 0 blocksweep --dry-run in.wad
expect_line "Nothing was written. What the presets would make:" \
    "repack 1 3 13146 1 205 0 0" "small 0 3 13186 0 0 0 0" \
    "compatible 0 3 13986 0 0 0 0" "vanilla 0 0 11684 0 0 0 0"
sed -n 's/^\(repack\|small\|compatible\|vanilla\) .*/\1/p' output |
    expect_text - "repack
small
compatible
vanilla"
mkdir dry
(cd dry && expect 0 blocksweep -n --json --check-nodes ../in.wad -o out.wad)
[ -z "$(ls dry)" ] || fail "a dry run was expected to write nothing"
expect_same in.wad "$sample"
read_json
cp facts dry-facts
expect_facts written false presets 4
for number in 0 1 2 3; do
    cp dry-facts facts
    preset=$(fact presets.$number.preset)
    bytes=$(fact presets.$number.bytes)
    expect_facts presets.$number.meeting_vanilla 3 \
        presets.$number.meeting_extended 3 presets.$number.failed 0
    expect 0 blocksweep --json --preset="$preset" in.wad -o dry.wad
    read_json
    expect_facts total.bytes_after "$bytes"
done
expect 1 blocksweep -n --grid=keep second.wad
tr -s ' ' <output | grep -q '^vanilla 0 0 [0-9]* 0 0 0 1$' ||
    fail_showing output "one of two maps was expected to fail"
