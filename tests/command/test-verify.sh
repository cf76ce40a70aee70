#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that verify finds what is wrong with a lump, exactly as much as there
# is, and nothing in lumps that are right: on lumps made by hand, and on
# blocksweep's own.  What it says of engines follows from the rules by which
# these differ, not from a model.

# shellcheck disable=SC2016 # what perl is to expand
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

# The room has no sides that could be read.
unknown="its sectors are not known"

# The lists of the room are 0 1 3 in block 0,0 and 1 2 3 in block 1,0.  A row of
# the report has map, linedefs, grid, bytes, lists, headers, missing and extra
# entries and the verdict.
good="0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 65535"
judge 0 "--strict --verbose" "$good" "MAP01 4 0,0 2x1 32 2 zero 0 0 good" \
    "EDGE-Classic, Helion, k8vavoom: builds its own: it never uses the lump"
expect_match output "GZDoom, UZDoom, SRB2; .*: good\$" \
    "Doom 1.9, .*: good; linedef 0 in every block\$"
judge 0 "" "$good" - ZDoom

# A linedef is not there; another one is where it should not be.
judge 1 "" "0 0 2 1 6 10 0 0 3 65535 0 0 1 2 3 65535" \
    "MAP01 4 0,0 2x1 32 2 zero 1 1 wrong, 1 wall" \
    "every game that uses the lump: players can cross 1 wall, longest 114.8 units; 1 extra" \
    "linedef 1, 0,100 to 200,100, $unknown: players along 114.8 units" \
    - "extra linedef" "missing linedef"
judge 1 --verbose "0 0 2 1 6 10 0 0 3 65535 0 0 1 2 3 65535" \
    "missing linedef 1 in block 0,0 at 0,0: 128.0 units, solid: $unknown" \
    "extra linedef 0 in block 1,0 at 128,0"

# Only too much.
extra="0 0 2 1 6 6 0 0 1 2 3 65535"
judge 0 --verbose "$extra" "MAP01 4 0,0 2x1 24 1 zero 0 2 good" \
    "extra linedef 2 in block 0,0 at 0,0" \
    "extra linedef 0 in block 1,0 at 128,0"
judge 1 --strict "$extra" "MAP01 4 0,0 2x1 24 1 zero 0 2 good, rejected" \
    "Total 4 1 map 24 0 2 1 rejected"
judge 1 "--strict --json" "$extra"
expect_in output '"status": "good"' '"rejected": true'

# Lists without end, offsets outside and in the table, a linedef that the map
# does not have.
judge 1 --svg=unreadable.svg "0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3" \
    "unreadable block 1,0 at 128,0, offset 11: its list has no end"
judge 1 "" "0 0 2 1 6 900 0 0 1 3 65535" "MAP01 4 0,0 2x1 22 1 zero 0 0 wrong" \
    "unreadable block 1,0 at 128,0, offset 900: its offset is past the end of the lump"
judge 1 "" "0 0 2 1 6 5 0 0 1 3 65535" \
    "unreadable block 1,0 at 128,0, offset 5: its offset is in the table of offsets"
judge 1 "" "0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 4 65535" \
    "lists with nonexistent linedefs: 1"

# An offset of -1 leads to the grid where a word is skipped, here to 0 0 2 1.
judge 1 "" "0 0 2 1 65535 6 0 1 2 3 65535"
expect_match output \
    "^ *PrBoom+, .* (below MBF21); SRB2; .*: players can cross 1 wall, .*; 1 extra\$" \
    "^ *Doom 1.9, .* DSDA-Doom, .* (vanilla, MBF21); .*: crashes: a list is damaged" \
    "^ *Eternity, .* GZDoom, UZDoom: builds its own: a list is damaged"

# A 0 is a header where a list begins with it, and linedef 0 elsewhere.
judge 1 --verbose "0 0 2 1 6 11 1 3 0 0 65535 0 2 0 1 3 65535" \
    "MAP01 4 0,0 2x1 34 2 none 0 1 wrong, 1 wall" \
    "extra linedef 0 in block 1,0 at 128,0"

# Pictures and pages; of linedef 1, which is missing, the piece in the block is
# drawn again.
judge 1 "--svg=wrong.svg --html=wrong.html" \
    "0 0 2 1 6 10 0 0 3 65535 0 0 1 2 3 65535"
cat wrong.svg wrong.html >drawn
expect_match drawn \
    "<title>MAP01 - in.wad - blocksweep $(package_version)</title>" \
    '<path id="players"[^>]* d="M0 100L'
judge 1 --html=wrong.html "100 9 1 1 5 0 1 2 3 65535"
tr -d ' \n' <wrong.html >joined
expect_in joined \
    '"linedef":3,"x1":200,"y1":0,"x2":0,"y2":0,'
make_room lumpless.wad BLOCKMAP -
expect 0 blocksweep verify --quiet --svg=lumpless.svg lumpless.wad
expect_match lumpless.svg '<path id="one-sided"'
expect 2 blocksweep verify --svg=x in.wad lumpless.wad
expect_sentence "--svg is for one map, but there are 2 files"
expect_absent x

# A grid that is too small, and one that begins too far to the east.
judge 1 --verbose "0 0 1 1 5 0 0 1 3 65535" "MAP01 4 0,0 1x1 20 1 zero 3 0 wrong, 3 walls" \
    "missing linedef 2 in block 1,0 at 128,0, outside the grid: 100.0 units, solid: $unknown" \
    "the grid does not enclose the lines; linedefs in blocks outside it: 3"
judge 1 --verbose "100 9 1 1 5 0 1 2 3 65535" "MAP01 4 100,9 1x1 20 1 zero 6 1 wrong, 4 walls" \
    "missing linedef 0 in block -1,-1 at -28,-119, outside the grid: 9.0 units, solid: $unknown"

# Lists that could be better.
judge 0 "" "0 0 2 1 6 11 0 3 0 1 65535 0 1 2 2 3 65535 7 7 7" \
    "lists not in ascending order: 1" \
    "lists with a linedef more than once: 1" "words in no list: 3"

# No grid, no table, half a word, no blocks, nothing, no lump.
judge 1 "" "0 0 2" "unreadable lump: 6 bytes are too few for a grid"
judge 1 "" "0 0 200 100 6" \
    "unreadable lump: 5 words are too few for the offsets of 200 x 100 blocks"
# More than the options allow for: nobody reads these lists.
{ cat room-blockmap; head -c 2097152 /dev/zero; } >long-lump
make_room in.wad BLOCKMAP long-lump
expect 1 blocksweep verify --max-memory=32 in.wad
expect_line "unreadable lump: its 2097184 bytes and the lists of its 2 x 1 \
blocks may take 33 MiB of memory; --max-memory allows for 32 MiB"
expect 1 blocksweep verify --max-memory=32 --for=doom19 in.wad
expect_match output "^MAP01 .* wrong$"
expect 0 blocksweep verify --max-memory=33 in.wad

{ cat room-blockmap; printf x; } >odd
make_room in.wad BLOCKMAP odd
expect 0 blocksweep verify in.wad
expect_line "bytes after the last word: 1"
judge 1 "" "0 0 0 0" "MAP01 4 0,0 0x0 8 0 - 6 0 wrong, 4 walls"
judge 0 "" "" "MAP01 4 - 0 0 - 0 0 empty"
expect_match output "^ *Crispy Doom, .*: builds its own: it is empty"
judge 1 --strict "" "MAP01 4 - 0 0 - 0 0 empty, rejected"
judge 0 --for=boom "" "MAP01 4 - 0 0 - 0 0 empty"
judge 1 --for=boom,doom19 "" "MAP01 4 - 0 0 - 0 0 wrong for doom19"
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
expect_line "MAP01 4 -32718,0 2x1 24 1 zero failed"
expect_not_in output family

# A grid of 313 columns: most engines find no list from the 257th on.
words -20000 0 -20000 100 20000 100 20000 0 >wide
make_room wide.wad BLOCKMAP - VERTEXES wide
expect 0 blocksweep --quiet wide.wad -o far.wad
expect 1 blocksweep verify far.wad
expect_match output "^ *Doom 1.9, .*: players can cross .*: it finds 256 columns and rows" \
    "^MAP01 .* wrong, 3 walls\$"
expect 0 blocksweep verify --for=gzdoom,zandronum,doom-retro far.wad

# XBM1.
make_room in.wad
expect 0 blocksweep --quiet --format=xbm1 in.wad -o xbm1.wad
expect 0 blocksweep verify --strict xbm1.wad
expect_line "MAP01 4 0,0 2x1 72 2 zero 0 0 good"
expect_match output "^ *Doom 1.9, .* GZDoom, .*: players can cross 4 walls, .*: it does not know XBM1"
expect_not_in output "unreleased Woof"

# --- Engines ---

# Each engine in turn Loads a lump, Rebuilds it, is Wrong or Crashes: Doom 1.9;
# Crispy Doom; DSDA-Doom and Woof at the vanilla level, below MBF21 and at MBF21;
# Eternity; Doom Retro; ZDoom; GZDoom; SRB2; EDGE-Classic, which makes its own;
# Odamex 10.6 without and with its fix; Odamex, unreleased, in demos and else;
# Woof, unreleased, at the three levels.  Of ACCIDENT all lists begin with 0, and
# one of these is linedef 0.  TABLE has an offset into the table: what is there
# is read, linedef 11 unless it is skipped.  BEFORE has one before the table:
# both ZDooms look for that; to the others the list is 0 2 1 1 1 3, which begins
# with a 0.  LAST has an empty list at the end of the lump.  Then there are how
# many lists, their headers, how many missing and extra entries, and the verdict
# on the lump.
cat >table <<'END'
ZERO LLLLLLLLLLLLLRLLLLLLL 2/zero/0/0/good 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 65535
ANY LLLLLLLLLLLRLRLLLLLLL 2/any/0/0/good 0 0 2 1 6 11 3 0 1 3 65535 1 1 2 3 65535
NONE LLLLWWLLLLWRWRLWLLLWL 2/none/0/0/wrong,2 0 0 2 1 6 10 0 1 3 65535 1 2 3 65535
ACCIDENT LLLLWWWWWWWWWRLWLWLWW 2/zero/1/0/wrong,1 0 0 2 1 6 10 0 1 3 65535 0 1 2 3 65535
MIXED LLLLWWLLLLWRWRLWLLLWL 2/none/0/1/wrong,1 0 0 2 1 6 10 1 0 3 65535 0 1 2 3 65535
GAP LLLLWWLLLLWRWRLWLLLWL 3/none/0/2/wrong,2 0 0 3 1 8 7 12 2 0 1 3 65535 0 65535
MISSING WWWWWWWWWWWWWRWWWWWWW 2/zero/1/0/wrong,1 0 0 2 1 6 10 0 0 3 65535 0 1 2 3 65535
EXTRA LLLLLLLLLLLLLRLLLLLLL 1/zero/0/2/good 0 0 2 1 6 6 0 0 1 2 3 65535
GRID WWWWWWWWWWWWWRWWWWWWW 1/zero/3/0/wrong,3 0 0 1 1 5 0 0 1 3 65535
NUMBER CCCCCCCCRRRRCRCCCCCCC 2/zero/0/0/wrong 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 4 65535
ENDLESS CCCCCCCCRRRRCRCCCCCCC 2/zero/0/0/wrong 0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3
OUTSIDE CCCCCCCCRRRRCRCCCCCCC 1/zero/0/0/wrong 0 0 2 1 6 900 0 0 1 3 65535
TABLE CCCCLLCCRRRRLRCLCCCLC 1/zero/0/0/wrong 0 0 2 1 5 11 0 0 1 3 65535 0 1 2 3 65535
BEFORE LLLLWWWWWWRRWRLWLWLWW 0/-/0/0/wrong,1 0 0 2 1 1 1 3 65535
EMPTY CRRRRRRRRRRRRRRRRRRRR 0/-/0/0/empty
SHORT CRRRRRRRRRCCCRRRRRRRR 0/-/0/0/wrong 0 0 2
CUT CCCCCCCCRRRRCRCCCCCCC 0/-/0/0/wrong 0 0 2 1 6
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
for row in "BELOW LLLLLLLLLLLLLRLLLLLLL 32767" "ABOVE CLLLLLLLLLLLLRLLLLLLL 32768"; do
    offset=${row##* }
    {
        words 0 0 2 1 6 "$offset" 0 0 1 3 65535
        padding $((offset - 11))
        words 0 1 2 3 65535
    } | of_lump ${row% *} $good_lump
done
{ cat lump-ZERO; padding $((65535 - 16)); } | of_lump MOST LLLLLLLLLLLLLRLLLLLLL $good_lump
{ cat lump-ZERO; padding $((65536 - 16)); } | of_lump TOOMANY LRRRRRRRRRRRRRRRRRRRR \
    $good_lump
# To engines that do not know XBM1 it is a grid without blocks.
xbm1 0 0 2 1 6 11 0 0 1 3 -1 0 1 2 3 -1 |
    of_lump XZERO WWWWWWWWWWWWWRWWLLLLL $good_lump
xbm1 0 0 2 1 6 10 0 1 3 -1 1 2 3 -1 |
    of_lump XNONE WWWWWWWWWWWWWRWWLLLWL 2/none/0/0/wrong,2
{ cat lump-XZERO; padding 65536; } | of_lump XLARGE WRRRRRRRRRRRRRRRLLLLL $good_lump
xbm1 0 0 2 1 6 11 0 0 1 3 -1 0 1 2 3 |
    of_lump XENDLESS WWWWWWWWWWWWWRWWCCCCC 2/zero/0/0/wrong

wadtool make PWAD in.wad <recipe
"$BUILD_DIR/tests/help/judge" >names
expect 1 blocksweep verify --json in.wad
expect_no_errors
# A letter for each engine, in the order of the model of engines, which other
# tests rely on.
perl -I"$SOURCE_DIR/tests/help" -MJSON::PP -MVerdicts -e '
    open my $names, "<", "names" or die "names: $!";
    chomp(my @names = <$names>);
    for my $map (@{decode_json(do { local $/; <STDIN> })->{files}[0]{maps}}) {
        my @verdicts = Verdicts::of_map($map, @names);
        print "$map->{map} ", (map { uc substr $_, 0, 1 } @verdicts), "\n";
    }' <output >letters
expect 1 blocksweep verify in.wad
sed 's/wrong, \([0-9]*\) walls*$/wrong,\1/' output | awk '
    /^[A-Z]/ && NF > 8 && $1 != "Map" && $1 != "Total" {
        print $1, $(NF - 4) "/" $(NF - 3) "/" $(NF - 2) "/" $(NF - 1) "/" $NF
    }' | paste -d ' ' letters - | cut -d ' ' -f 1,2,4 >found
diff expected found ||
    fail "'<' is what was expected, '>' what verify says"

# So says the model.
awk '{ split($3, lump, "/"); print $1, lump[2] }' expected >headers
"$BUILD_DIR/tests/help/judge" in.wad headers | awk '{
    verdicts = ""
    for (i = 6; i <= NF; i++)
        verdicts = verdicts toupper(substr($i, 1, 1))
    print $1, verdicts
}' >modelled
cut -d ' ' -f 1,2 expected | diff - modelled ||
    fail "'<' is what was expected, '>' what the model says"

# Only the engines of games that are named decide, where any are.  If none is,
# the table above has all that read the form of the lump, whatever the limit of
# Doom 1.9 is.
accident="0 0 2 1 6 10 0 1 3 65535 0 1 2 3 65535"
judge 0 "--for=doom19,crispy --strict" "$accident" \
    "MAP01 4 0,0 2x1 30 2 zero 1 0 good"
judge 1 "--for=doom19,boom --verbose" "$accident" \
    "MAP01 4 0,0 2x1 30 2 zero 1 0 wrong, 1 wall" \
    "Doom 1.9, Chocolate Doom; PrBoom+, DSDA-Doom, Woof, Nugget Doom (vanilla): good; linedef 0 in every block" \
    "PrBoom+, DSDA-Doom, Woof, Nugget Doom (below MBF21): players can cross 1 wall, longest 100 units" \
    - Crispy ZDoom
judge 1 --for=doom19 "0 0 2 1 6 900 0 0 1 3 65535" \
    "Doom 1.9, Chocolate Doom: crashes: a list is damaged" - ZDoom

# ZDoom and Zandronum take a lump without headers, and miss the first linedef of
# each list; GZDoom builds its own.
headerless="0 0 2 1 6 10 0 1 3 65535 1 2 3 65535"
judge 1 --for=zandronum "$headerless" \
    "MAP01 4 0,0 2x1 28 2 none 0 0 wrong, 2 walls" \
    "ZDoom 2.8.1, Zandronum: players can cross 2 walls, longest 100 units: it skips each list's first linedef"
judge 0 --for=GZDoom "$headerless" "MAP01 4 0,0 2x1 28 2 none 0 0 good" \
    "GZDoom, UZDoom: builds its own: a list does not begin with 0"
# What is over the limit of Doom 1.9 is wrong where it is named.
{
    words 0 0 2 1 6 32768 0 0 1 3 65535
    padding $((32768 - 11))
    words 0 1 2 3 65535
} >lump
make_room in.wad BLOCKMAP lump
expect 0 blocksweep verify in.wad
expect 0 blocksweep verify --for=limit-removing in.wad
expect 1 blocksweep verify --for=crispy,doom19 in.wad
expect_line "MAP01 4 0,0 2x1 65546 2 zero 0 0 wrong for doom19"
# Any game may be another, but one that is named beside any is not.
expect 0 blocksweep verify --for=any,boom in.wad
for games in any,doom19 boom,doom19,any everywhere; do
    expect 1 blocksweep verify --for=$games in.wad
    expect_line "MAP01 4 0,0 2x1 65546 2 zero 0 0 wrong for doom19"
done

# --- Linedefs that are left out ---

# Linedef 2 asks for it; then whoever lists it does no harm.
{ linedef 0 1; linedef 1 2; words 2 3 1 0 999 0 65535; linedef 3 0; } >LINEDEFS
judge 0 --strict "0 0 2 1 6 11 0 0 1 3 65535 0 1 3 65535"

# Where it is not asked for, it is as solid as any other.
without_2="0 0 2 1 6 11 0 0 1 3 65535 0 1 3 65535"
judge 1 "--prune=none --verbose" "$without_2" \
    "MAP01 4 0,0 2x1 30 2 zero 1 0 wrong, 1 wall" \
    "missing linedef 2 in block 1,0 at 128,0: 100.0 units, solid: $unknown"

write_room
cp room-blockmap BLOCKMAP

# What lies in the block, of a linedef from corner to corner, of one that ends
# at an edge, of one that cuts a corner off, and of one without length.
words 64 64 192 -64 0 10 128 10 0 127 257 -128 10 10 >VERTEXES
{ linedef 0 1; linedef 2 3; linedef 4 5; linedef 6 6; } >LINEDEFS
judge 1 --verbose "0 -128 3 2 10 10 10 10 10 10 65535" \
    "missing linedef 0 in block 1,0 at 128,-128: 90.5 units, solid: $unknown" \
    "missing linedef 0 in block 0,1 at 0,0: 90.5 units, solid: $unknown" \
    "missing linedef 0 in block 1,1 at 128,0: a corner touched, solid: $unknown" \
    "missing linedef 1 in block 0,1 at 0,0: 128.0 units, solid: $unknown" \
    "missing linedef 1 in block 1,1 at 128,0: a point touched, solid: $unknown" \
    "missing linedef 2 in block 0,0 at 0,-128: less than 0.1 units, solid: $unknown" \
    "missing linedef 3 in block 0,1 at 0,0: a point touched, solid: $unknown"
write_room
cp room-blockmap BLOCKMAP

# --- Files and maps ---

{ room MAP01; room MAP02; } | wadtool make PWAD good.wad
words $without_2 >lump
{ room MAP01; room MAP02 | replacing BLOCKMAP lump; } |
    wadtool make PWAD bad.wad
expect 1 blocksweep verify good.wad bad.wad
expect_line "good.wad:" "bad.wad:" "Total 16 4 maps 126 1 0 1 rejected"
expect_count 4 output '^MAP0'
expect 0 blocksweep verify --map=MAP01 good.wad bad.wad
expect 1 blocksweep verify --quiet bad.wad
expect_no_output

# What was not verified is named in the last lines, too.
expect_last() {
    { blocksweep verify "$@" || :; } >output 2>&1
    sed -n '/^Total/,$p' output | sed '/^Total/d' >found
}
expect 3 blocksweep verify good.wad none.wad
expect_count 2 output '^MAP0'
expect_in errors "none.wad: cannot be read: No such file"
expect_last none.wad good.wad "$0" bad.wad
expect_text found "To repair: blocksweep --in-place --backup --map=MAP02 bad.wad
blocksweep: none.wad: not verified
blocksweep: $0: not verified"
expect_last --map=MAP01 good.wad bad.wad "$0"
expect_text found "blocksweep: $0: not verified"
expect_last bad.wad good.wad
expect_text found "To repair: blocksweep --in-place --backup --map=MAP02 bad.wad"
expect 3 blocksweep verify --json none.wad good.wad
expect_count 1 output '"read": false'
expect_count 2 output '"map": '

# A map that cannot be read has a sentence, and the others are looked at.
head -c 13 LINEDEFS >odd
{ room MAP01 | replacing LINEDEFS odd; room MAP02; } | wadtool make PWAD in.wad
expect 1 blocksweep verify --verbose in.wad
expect_sentence "in.wad: MAP01: LINEDEFS"
expect_not_in output unknown
expect_line "MAP02 4 0,0 2x1 32 2 zero 0 0 good"

# --- Its own lumps ---

while read -r options; do # headers zero, any, none
    games=${options% --[pf]*}
    # shellcheck disable=SC2086 # words
    expect_build $options "$sample" -o own.wad
    expect 0 blocksweep verify "$games" --strict own.wad
    expect_no_errors
    # Nothing is missing.
    expect_match output '^Total *1882  3 maps .* 0 *[0-9]*$'
done <<'END'
--for=any --pack=share
--for=boom --pack=nest
--for=crispy --pack=nest
--for=woof-dev --format=xbm1 --grid=-5000,-2000
END
expect_build --prune=inert "$sample" -o inert.wad
expect 0 blocksweep verify inert.wad
expect_line "MAP01 1069 -328,-1796 20x28 5598 305 zero 156 0 harmless"
expect_not_in output wrong
expect 1 blocksweep verify --strict --quiet inert.wad
expect 0 blocksweep verify --strict --prune=inert inert.wad

# A build has as many extra entries as it tells.
rooms 36 36 500 300
expect 0 blocksweep --json --for=doom19 --overflow=merge --pack=nest rooms.wad \
    -o own.wad
told=$(sed -n 's/.*"extra_entries": \([1-9][0-9]*\),/\1/p' output)
expect 0 blocksweep verify --for=doom19 own.wad
expect_match output "^Total  *5184  1 map  *[0-9]*  *0  *${told:?}\$"

# --- A map of Freedoom's ---

# In its own lump linedefs were left out on purpose, and none of them is solid,
# not to engines either.
expect 0 blocksweep verify --map=MAP01 "$sample"
expect_line "MAP01 1069 -328,-1796 20x28 5482 299 zero 205 1 harmless" \
    "missing entries that are harmless: 205"
expect_not_in output "missing linedef" wrong
expect 1 blocksweep verify --strict --map=MAP01 "$sample"
expect_line "MAP01 1069 -328,-1796 20x28 5482 299 zero 205 1 harmless, rejected"
expect 0 blocksweep verify --verbose --svg=harmless.svg --map=MAP01 "$sample"
expect_count 205 output '^ *missing linedef .*, harmless$'
expect_match harmless.svg '<path id="harmless"[^>]* d="M'
expect 0 blocksweep verify --json --map=MAP01 "$sample"
expect_in output '"status": "harmless"' '"rejected": false' \
    '"missing_entries": 205' '"solid_entries": 0' '"harmless_entries": 205' \
    '"class": "harmless"'
sed -n '/"total"/,$p' output | tr -d ' \n' >total
expect_in total '"good":0,"harmless":1,"wrong":0,"empty":0' \
    '"missing_entries":205,"solid_entries":0'

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
judge_segs 0 '"checked_segs": 4' room-blockmap --json

# Vanilla nodes, whose first partition is at 20056,17487: these letters.
{
    printf XNOD
    words 0 0 0 0 0 0 0 0 0 0 32768 32769
} >NODES
words 2 0 2 2 >SSECTORS
judge_segs 0 "$passing" room-blockmap
write_segs

# A seg whose linedef is not listed.
words 0 0 2 1 6 6 0 0 1 3 65535 >lump
judge_segs 1 'segs: MAP01: SEGS: seg 2 of linedef 2 ' lump
judge_segs 1 '"nodes_error": ".*seg' lump --json
expect_not_in output checked_segs

# Lists that cannot be read, no lists, and a stage that does not take what is
# no linedef before them.
words 0 0 2 1 6 99 0 0 1 3 65535 >lump
judge_segs 1 'segs: not all of the lump can be read' lump
: >lump
judge_segs 0 'segs: there are no lists' lump
judge_segs 1 'segs: there are no lists' lump --strict
words 0 0 2 1 6 11 9 0 1 3 65535 9 1 2 3 65535 >lump
judge_segs 1 'segs: MAP01: BLOCKMAP: ' lump
expect_match output '^MAP01 .* wrong$'
judge_segs 1 '"nodes_error": "MAP01: BLOCKMAP' lump --json
expect_in output '"rejected": true'

# Segs that cannot be read: the lump is good, but was not checked.
printf x >SEGS
judge_segs 1 'segs: MAP01: ' room-blockmap
