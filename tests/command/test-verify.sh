#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that verify finds what is wrong with a lump, exactly as much as there
# is, and nothing in lumps that are right: on lumps made by hand, and on
# blocksweep's own.  What it says of engines follows from the rules by which
# these differ, not from a model.

# shellcheck disable=SC2086 # what holds words is split into them

. "$SOURCE_DIR/tests/help/library.sh"
write_room
cp room-blockmap BLOCKMAP

# judge STATUS "OPTION..." "WORD..." LINE...: verifies the room with a lump of
# these words; the report has these lines, but not those after "-".
judge() {
    expected_status=$1 options=$2
    words $3 >lump
    shift 3
    make_room in.wad BLOCKMAP lump
    expect "$expected_status" blocksweep verify $options in.wad
    expect_no_errors
    while [ $# -gt 0 ] && [ "$1" != - ]; do
        expect_line "$1"
        shift
    done
    [ $# -eq 0 ] || shift
    expect_not_in output "$@"
}

# --- Lumps made by hand ---

# The lists of the room are 0 1 3 in block 0,0 and 1 2 3 in block 1,0.  A row of
# the report has map, linedefs, grid, bytes, lists, headers, missing and extra
# entries and the verdict.
good="0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 65535"
judge 0 "--strict --verbose" "$good" "MAP01 4 0,0 2x1 32 2 zero 0 0 good" \
    "ZDoom family loads"
judge 0 "" "$good" - ZDoom

# A linedef is not there; another one is where it should not be.
judge 1 "" "0 0 2 1 6 10 0 0 3 65535 0 0 1 2 3 65535" \
    "MAP01 4 0,0 2x1 32 2 zero 1 1 bad" \
    "missing linedef 1 in block 0,0 at 0,0" "every engine wrong" \
    - "extra linedef"
judge 1 --verbose "0 0 2 1 6 10 0 0 3 65535 0 0 1 2 3 65535" \
    "extra linedef 0 in block 1,0 at 128,0"
judge 1 --json "0 0 2 1 6 11 0 0 1 3 65535 0 2 3 65535"
expect_in output '"block": 1,'

# Only too much.
extra="0 0 2 1 6 6 0 0 1 2 3 65535"
judge 0 --verbose "$extra" "MAP01 4 0,0 2x1 24 1 zero 0 2 good" \
    "extra linedef 2 in block 0,0 at 0,0" \
    "extra linedef 0 in block 1,0 at 128,0"
judge 1 --strict "$extra" "MAP01 4 0,0 2x1 24 1 zero 0 2 good, rejected" \
    "Total 4 1 map 24 0 2 1 rejected"
judge 1 "--strict --json" "$extra"
expect_in output '"status": "good"' '"rejected": true'
judge 0 --json "$extra" - '"rejected": true'
expect_in output '"rejected": false'

# Lists without end, offsets outside and in the table, a linedef that the map
# does not have.
judge 1 "" "0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3" \
    "unreadable block 1,0, offset 11: its list has no end"
judge 1 "" "0 0 2 1 6 900 0 0 1 3 65535" "MAP01 4 0,0 2x1 22 1 zero 0 0 bad" \
    "unreadable block 1,0, offset 900: its offset is past the end of the lump"
judge 1 "" "0 0 2 1 6 5 0 0 1 3 65535" \
    "unreadable block 1,0, offset 5: its offset is in the table of offsets"
judge 1 "" "0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 4 65535" \
    "lists that number linedefs which the map does not have: 1"

# A 0 is a header where a list begins with it, and linedef 0 elsewhere.
judge 0 --verbose "0 0 2 1 6 11 1 3 0 0 65535 0 2 0 1 3 65535" \
    "MAP01 4 0,0 2x1 34 2 mixed 0 1 good" \
    "extra linedef 0 in block 1,0 at 128,0"

# A grid that is too small, and one that begins too far to the east.
judge 1 "" "0 0 1 1 5 0 0 1 3 65535" "MAP01 4 0,0 1x1 20 1 zero 3 0 bad" \
    "missing linedef 2 in block 1,0 at 128,0, outside the grid" \
    "the grid does not enclose the lines; linedefs in blocks outside it: 3"
judge 1 "" "100 9 1 1 5 0 1 2 3 65535" "MAP01 4 100,9 1x1 20 1 zero 6 1 bad" \
    "missing linedef 0 in block -1,-1 at -28,-119, outside the grid"

# Lists that could be better.
judge 0 "" "0 0 2 1 6 11 0 3 0 1 65535 0 1 2 2 3 65535 7 7 7" \
    "lists not in ascending order: 1" \
    "lists with a linedef more than once: 1" "words in no list: 3"
judge 0 "" "0 0 4 1 8 13 18 20 0 0 1 3 65535 0 1 2 3 65535 0 65535 0 65535" \
    "lists stored once more: 1"

# No grid, no table, half a word, no blocks, nothing, no lump.
judge 1 "" "0 0 2" "unreadable lump: 6 bytes hold no grid"
judge 1 "" "0 0 200 100 6" \
    "unreadable lump: 5 words are too few for the offsets of 200 x 100 blocks"
{ cat room-blockmap; printf x; } >odd
make_room in.wad BLOCKMAP odd
expect 0 blocksweep verify in.wad
expect_line "bytes after the last word: 1"
judge 1 "" "0 0 0 0" "MAP01 4 0,0 0x0 8 0 - 6 0 bad"
judge 0 "" "" "MAP01 4 - 0 0 - 0 0 empty" "Crispy Doom rebuilds"
judge 1 --strict "" "MAP01 4 - 0 0 - 0 0 empty, rejected"
make_room in.wad BLOCKMAP -
expect 0 blocksweep verify in.wad
expect_line "MAP01 4 - 0 0 - 0 0 empty"

# A grid whose westernmost blocks would begin below the lowest coordinate: what
# engines make of the lists is not known, but what they make of the offsets is.
words -32768 0 -32768 100 -32568 100 -32568 0 >west
words -32718 0 2 1 6 6 0 0 1 2 3 65535 >lump
make_room in.wad BLOCKMAP lump VERTEXES west
expect 1 blocksweep verify in.wad
expect_sentence "the lists cannot be checked"
expect_line "MAP01 4 -32718,0 2x1 24 1 zero 0 0 failed"
expect_not_in output family
words -32718 0 2 1 6 99 0 0 1 2 3 65535 >lump
make_room in.wad BLOCKMAP lump VERTEXES west
expect 1 blocksweep verify in.wad
expect_line "Crispy Doom crashes" "ZDoom family rebuilds"

# XBM1.
make_room in.wad
expect_build --format=xbm1 in.wad -o xbm1.wad
expect 0 blocksweep verify --strict xbm1.wad
expect_line "MAP01 4 0,0 2x1 72 2 zero 0 0 good" "ZDoom family wrong"
expect_not_in output Woof

# --- Engines ---

# Each family in turn Loads a lump, Rebuilds it, is Wrong or Crashes: Doom 1.9;
# Crispy Doom; the Boom family at the vanilla level, below MBF21 and at it; Woof
# since 2026 at the same three; the ZDoom family.  Of ACCIDENT all lists begin
# with 0, and one of these is linedef 0.  TABLE has an offset into the table:
# what is there is read, linedef 11 unless it is skipped.  BEFORE has one before
# the table: the ZDoom family looks for that; to the others the list is 0 2 1 1
# 1 3, which begins with a 0.  Then there are how many lists, their headers, how
# many missing and extra entries, and the verdict on the lump.
cat >table <<'END'
ZERO LLLLLLLLL 2/zero/0/0/good 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 65535
ANY LLLLLLLLR 2/any/0/0/good 0 0 2 1 6 11 3 0 1 3 65535 1 1 2 3 65535
NONE LLLWLLWLR 2/none/0/0/good 0 0 2 1 6 10 0 1 3 65535 1 2 3 65535
ACCIDENT LLLWWLWWW 2/zero/1/0/bad 0 0 2 1 6 10 0 1 3 65535 0 1 2 3 65535
MIXED LLLWLLWLR 2/mixed/0/0/good 0 0 2 1 6 10 1 0 3 65535 0 1 2 3 65535
GAP LLLWLLWLR 3/mixed/0/0/good 0 0 3 1 8 7 12 2 0 1 3 65535 0 65535
MISSING WWWWWWWWW 2/zero/1/0/bad 0 0 2 1 6 10 0 0 3 65535 0 1 2 3 65535
EXTRA LLLLLLLLL 1/zero/0/2/good 0 0 2 1 6 6 0 0 1 2 3 65535
GRID WWWWWWWWW 1/zero/3/0/bad 0 0 1 1 5 0 0 1 3 65535
NUMBER CCCCCCCCR 2/zero/0/0/bad 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 4 65535
ENDLESS CCCCCCCCR 2/zero/0/0/bad 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3
OUTSIDE CCCCCCCCR 1/zero/0/0/bad 0 0 2 1 6 900 0 0 1 3 65535
TABLE CCCLCCLCR 1/zero/0/0/bad 0 0 2 1 5 11 0 0 1 3 65535 0 1 2 3 65535
BEFORE LLLWWLWWR 0/-/0/0/bad 0 0 2 1 1 1 3 65535
EMPTY CRRRRRRRR 0/-/0/0/empty
SHORT CRRRRRRRR 0/-/0/0/bad 0 0 2
CUT CCCCCCCCR 0/-/0/0/bad 0 0 2 1 6
END
: >recipe
: >expected

# of_lump NAME VERDICTS LUMP: takes a lump from standard input.
of_lump() {
    cat >"lump-$1"
    room "$1" | replacing BLOCKMAP "$folder/lump-$1" >>recipe
    echo "$*" >>expected
}

# padding COUNT: prints words that are in no list.
padding() {
    head -c $((2 * $1)) /dev/zero
}

while read -r name verdicts lump numbers; do
    words $numbers | of_lump "$name" "$verdicts" "$lump"
done <table
good_lump=2/zero/0/0/good
for row in "BELOW LLLLLLLLL 32767" "ABOVE CLLLLLLLL 32768"; do
    offset=${row##* }
    {
        words 0 0 2 1 6 "$offset" 0 0 1 3 65535
        padding $((offset - 11))
        words 0 1 2 3 65535
    } | of_lump ${row% *} $good_lump
done
{ cat lump-ZERO; padding $((65535 - 16)); } | of_lump MOST LLLLLLLLL $good_lump
{ cat lump-ZERO; padding $((65536 - 16)); } | of_lump TOOMANY LRRRRRRRR \
    $good_lump
# To engines that do not know XBM1 it is a grid without blocks.
xbm1 0 0 2 1 6 11 0 0 1 3 -1 0 1 2 3 -1 |
    of_lump XZERO WWWWWLLLW $good_lump
xbm1 0 0 2 1 6 10 0 1 3 -1 1 2 3 -1 |
    of_lump XNONE WWWWWLWLW 2/none/0/0/good
{ cat lump-XZERO; padding 65536; } | of_lump XLARGE WRRRRLLLR $good_lump
xbm1 0 0 2 1 6 11 0 0 1 3 -1 0 1 2 3 |
    of_lump XENDLESS WWWWWCCCW 2/zero/0/0/bad

wadtool make PWAD in.wad <recipe
expect 1 blocksweep verify --verbose in.wad
expect_no_errors
awk '
    $NF ~ /^(loads|rebuilds|wrong|crashes)$/ {
        verdicts = verdicts toupper(substr($NF, 1, 1))
    }
    /^[A-Z]/ {
        if (map != "") print map, verdicts, lump
        map = $1 == "Map" ? "" : $1
        lump = $(NF - 4) "/" $(NF - 3) "/" $(NF - 2) "/" $(NF - 1) "/" $NF
        verdicts = ""
    }' output >found
diff expected found ||
    fail "'<' is what was expected, '>' what verify says"

# So says the model of engines that other tests rely on.
awk '{ split($3, lump, "/"); print $1, lump[2] }' expected >headers
wadtool judge in.wad headers | awk '{
    verdicts = ""
    for (i = 6; i <= NF; i++)
        verdicts = verdicts toupper(substr($i, 1, 1))
    print $1, verdicts
}' >modelled
cut -d ' ' -f 1,2 expected | diff - modelled ||
    fail "'<' is what was expected, '>' what the model says"

# They are named in this order.
wadtool engines >families
sed -n '/^ZERO /,/^ANY /s/^ *\([A-Z].*[^ ]\)  *loads$/\1/p' output |
    diff families - || fail "'<' are the expected engines, '>' those of verify"

# --- Linedefs that are left out ---

# Linedef 2 asks for it; then whoever lists it does no harm.
{ linedef 0 1; linedef 1 2; words 2 3 1 0 999 0 65535; linedef 3 0; } >LINEDEFS
judge 0 --strict "$good"
judge 0 --strict "0 0 2 1 6 11 0 0 1 3 65535 0 1 3 65535"
judge 1 --prune=none "0 0 2 1 6 11 0 0 1 3 65535 0 1 3 65535" \
    "missing linedef 2 in block 1,0 at 128,0" \
    "missing linedefs that --prune=inert leaves out: 1"
write_room
cp room-blockmap BLOCKMAP

# --- Files and maps ---

{ room MAP01; room MAP02; } | wadtool make PWAD good.wad
{ room MAP01; room MAP02 | replacing BLOCKMAP lump; } |
    wadtool make PWAD bad.wad
expect 1 blocksweep verify good.wad bad.wad
expect_line "good.wad:" "bad.wad:" "Total 16 4 maps 126 1 0 1 rejected"
expect_count 4 output '^MAP0'
expect 1 blocksweep verify --json good.wad bad.wad
sed -n '/"total"/,$p' output | tr -d ' \n' >total
expect_in total '"good":3,"bad":1,"empty":0,"failed":0,"rejected":1,'
expect 0 blocksweep verify --map=MAP01 good.wad bad.wad
expect 1 blocksweep verify --quiet bad.wad
expect_no_output
expect 3 blocksweep verify good.wad none.wad
expect_sentence none.wad "No such file"
expect_count 2 output '^MAP0'
expect 3 blocksweep verify --json none.wad good.wad
expect_count 1 output '"read": false'
expect_count 2 output '"map": '
expect 2 blocksweep verify
expect_sentence "no input file"
expect 2 blocksweep verify --map=MAP03 good.wad
expect_sentence "good.wad: no map is named 'MAP03'"
for option in --output=x --pack=none; do
    expect 2 blocksweep verify $option good.wad
    expect_sentence "unknown" --strict --prune
    expect_not_in errors --output,
done
expect 2 blocksweep build --strict good.wad -o out.wad
expect_sentence "unknown"

# A map that cannot be read has a sentence, and the others are looked at.
head -c 13 LINEDEFS >odd
{ room MAP01 | replacing LINEDEFS odd; room MAP02; } | wadtool make PWAD in.wad
expect 1 blocksweep verify --verbose in.wad
expect_sentence "in.wad: MAP01: LINEDEFS"
expect_not_in output unknown
expect_line "MAP02 4 0,0 2x1 32 2 zero 0 0 good"

# --- Its own lumps ---

# expect_own STATUS OPTION...
expect_own() {
    own_status=$1
    shift
    expect_build "$@" "$sample" -o own.wad
    expect "$own_status" blocksweep verify --strict own.wad
    expect_no_errors
    # Nothing is missing.
    expect_match output \
        '^Total *1882  3 maps .* 0 *[0-9]*\(  [0-9] rejected\)*$'
}
for header in zero any none; do
    for pack in none share nest; do
        expect_own 0 --header=$header --pack=$pack
    done
    expect_own 1 --header=$header --pack=cover
done
expect_own 0 --format=xbm1 --grid=-5000,-2000
expect_build --prune=inert "$sample" -o own.wad
expect 1 blocksweep verify own.wad
expect 0 blocksweep verify --strict --prune=inert own.wad

# expect_as_told OPTION...: a build has as many extra entries as it tells.
expect_as_told() {
    expect 0 blocksweep --json "$@" -o own.wad
    told=$(sed -n 's/.*"extra_entries": \([0-9]*\),/\1/p' output |
        awk '{ sum += $1 } END { print sum }')
    [ "$told" -gt 0 ] || fail "extra entries were expected"
    expect 0 blocksweep verify own.wad
    expect_match output "^Total  *[0-9]*  [0-9] maps*  *[0-9]*  *0  *$told\$"
}
expect_as_told --pack=cover --header=none "$sample"
# Merging adds them, too.
wadtool tile "$sample" MAP01 4 4 tiles.wad
expect_as_told --fit=vanilla --limit=vanilla --pack=nest --header=none tiles.wad

# --- Segs: those that do not pass, and those that could not be checked ---

write_room
write_segs

# judge_segs STATUS PATTERN LUMP OPTION...: verifies the room with this lump and
# its segs; there is a match in the report.
judge_segs() {
    expected_status=$1
    pattern=$2
    make_room in.wad BLOCKMAP "$3"
    shift 3
    expect "$expected_status" blocksweep verify --nodes "$@" in.wad
    expect_no_errors
    expect_match output "$pattern"
}

passing='segs in blocks that list their linedefs: 4'
judge_segs 0 "$passing" room-blockmap
judge_segs 0 '"nodes_checked": true' room-blockmap --json
expect_in output '"checked_segs": 4'

# Half a word too much does not matter.
{ cat room-blockmap; printf x; } >lump
judge_segs 0 "$passing" lump

# A seg whose linedef is not listed.
words 0 0 2 1 6 6 0 0 1 3 65535 >lump
judge_segs 1 'segs: MAP01: SEGS: seg 2 of linedef 2 ' lump
judge_segs 1 '"nodes_checked": true' lump --json
expect_match output '"nodes_error": ".*seg'

# Lists that cannot be read, no lists, and a stage that does not take what is
# no linedef before them.
words 0 0 2 1 6 99 0 0 1 3 65535 >lump
judge_segs 1 'segs not checked: not all of the lump can be read' lump
: >lump
judge_segs 0 'segs not checked: there are no lists' lump
judge_segs 1 'segs not checked: there are no lists' lump --strict
words 0 0 2 1 6 11 9 0 1 3 65535 9 1 2 3 65535 >lump
judge_segs 1 'segs not checked: MAP01: BLOCKMAP: ' lump
expect_match output 'good, rejected$'
judge_segs 1 '"nodes_checked": false' lump --json
expect_in output '"nodes_unchecked": "MAP01: BLOCKMAP' '"rejected": true'

# No segs, and segs that cannot be read: the lump is good, but was not checked.
: >SEGS
judge_segs 1 'segs not checked: MAP01: SEGS: ' room-blockmap
expect_match output 'good, rejected$'
printf x >SEGS
judge_segs 1 'segs not checked: MAP01: ' room-blockmap
