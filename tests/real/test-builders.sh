#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on real maps, those of Freedoom as they come and as ZDBSP and glBSP
# build them:
#
# - only BLOCKMAP lumps change, and building again changes nothing;
# - --lists=lump keeps the grid and every block's set of linedefs, and no lump
#   gets larger;
# - the check against the segs reads and passes those of every form that the
#   builders write, finds a seg with a linedef that is elsewhere, and leaves the
#   blockmap that of the maps as they were;
# - --builder gives the builder's file with exact blockmaps, whose grids are
#   those of the maps as they were;
# - verify finds in blockmaps of ZDBSP's what is wrong with them.
#
# All forms are tried with the files that BUILDER_WADS names, and one with all
# 100 maps.

. "$SOURCE_DIR/tests/help/library.sh"
use_own_temporary_folder

need_freedoom
need_json

# --- As they come ---

# expect_sets_kept FILE: repacks it.
expect_sets_kept() {
    for pack in share nest; do
        expect_build --lists=lump --pack=$pack "$1" -o out.wad
        expect_lumps_kept "$1" out.wad
        expect 0 wadtool compare "$1" out.wad
    done
}

maps=0
for name in freedoom1 freedoom2 freedm; do
    wad=$freedoom_dir/$name.wad
    expect_sets_kept "$wad"
    maps=$((maps + $(cat output)))
    expect_build --pack=none "$wad" -o out.wad
    expect_lumps_kept "$wad" out.wad
    # None of the last is what it was: Freedoom's share lists.
    wadtool list "$wad" | grep ' BLOCKMAP ' >old-list
    wadtool list out.wad | grep ' BLOCKMAP ' >new-list
    ! grep -Fx -f old-list new-list ||
        fail "some BLOCKMAP lumps of $name have not been built"
done
[ "$maps" -eq 100 ] || fail "100 maps were expected; there are $maps"

# The kind of the last file and the bytes that its lumps share stay, and built
# again it is the same.
wadtool overlaps "$wad" >old-overlaps
for pack in none share; do
    expect_build --pack=$pack "$wad" -o out.wad
    head -c 4 out.wad >kind
    expect_text kind IWAD
    wadtool overlaps out.wad >new-overlaps
    diff old-overlaps new-overlaps || fail "not the same bytes are shared"
done
expect_build "$wad" -o out.wad
expect_stable "$wad" out.wad

# expect_difference TEXT OPTION...: the comparison finds what is not so.
expect_difference() {
    text=$1
    shift
    expect_build "$@" "$wad" -o out.wad
    expect 1 wadtool compare "$wad" out.wad
    expect_match errors ": $text\$"
}

expect_difference "the grids are not the same" --grid=fit
expect_difference "blocks have other sets" --grid=keep
# A larger lump is not taken, but it would be noticed.
expect_build --lists=lump --pack=none "$wad" -o out.wad
wadtool list out.wad | grep ' BLOCKMAP ' >new-list
wadtool list "$wad" | grep ' BLOCKMAP ' | diff - new-list ||
    fail "the same lumps were expected"
expect_build --grid=keep --pack=none "$wad" -o large.wad
expect_build --lists=lump large.wad -o out.wad
expect 1 wadtool compare out.wad large.wad
expect_match errors ": the new lump is larger\$"

# --- The check against the segs ---

need zdbsp

# rebuild COMMAND...: runs a node builder, which has to write rebuilt.wad.
rebuild() {
    rm -f rebuilt.wad
    quietly "$@"
    [ -s rebuilt.wad ] || fail "$* has written nothing"
}

# list_blockmaps FILE: prints map, size and hash of every BLOCKMAP.
list_blockmaps() {
    wadtool list "$1" | awk '
        $2 == "THINGS" || $2 == "TEXTMAP" { map = previous }
        $2 == "BLOCKMAP" { print map, $3, $5 }
        { previous = $2 }'
}

# list_others FILE: prints all lumps but BLOCKMAP, without their numbers, and
# without the bytes of those in which glBSP writes the time.
list_others() {
    wadtool list "$1" | cut -d ' ' -f 2- |
        sed '/^GL_[EM]/s/ [^ ]*$//; /^BLOCKMAP /d'
}

# expect_others_kept OLD NEW
expect_others_kept() {
    list_others "$1" >old-others
    list_others "$2" >new-others
    diff old-others new-others || fail "other lumps than BLOCKMAP have changed"
}

# facts NAME...: prints these of each map in the report.
facts() {
    perl -MJSON::PP -0777 -e '
        my $report = decode_json(<STDIN>);
        print "@$_{@ARGV}\n" for @{$report->{files}[0]{maps}};' "$@" <output
}

# expect_plain FILE [FILE]: builds what all blockmaps have to be, and says what
# to damage: segs of the first map, which is in the second file if there is one.
expect_plain() {
    expect_build --grid=fit --overflow=xbm1 "$1" -o plain.wad
    list_blockmaps plain.wad >expected-blockmaps
    count=$(wc -l <expected-blockmaps)
    [ -z "$(awk '$2 == 0' expected-blockmaps)" ] ||
        fail "$1 has maps without a blockmap"
    map=$(awk '{ print $1; exit }' expected-blockmaps)
    ends=$(wadtool ends "${2:-$1}" "$map")
    west=${ends% *}
    east=${ends#* }
}

# build STATUS OPTION...: builds rebuilt.wad with the check.
build() {
    status=$1
    shift
    expect "$status" blocksweep --check-nodes --grid=fit --overflow=xbm1 "$@" \
        rebuilt.wad -o built.wad
}

# expect_damage_found LUMP: in the map, segs of the linedef farthest to the west
# become segs of the one farthest to the east, and the first of them is found,
# with the block that its end is in.
expect_damage_found() {
    grid=$(facts origin_x origin_y columns | head -n 1)
    seg=$(wadtool damage-segs rebuilt.wad "$map" "$1" "$west" "$east")
    build 1 --quiet --map="$map"
    expect_sentence "$map: $1: seg $seg of linedef $east ends at "
    number='\([-.0-9]*\)'
    sed "s/.* ends at $number,$number, but block $number there does not list \
the linedef\$/$grid \1 \2 \3/" errors >place
    awk 'NF != 6 || $6 != int(($4 - $1) / 128) + int(($5 - $2) / 128) * $3 {
             exit 1
         }' place || fail "another block or sentence was expected: $(cat place)"
}

# expect_checked LUMP SIGNATURE: in rebuilt.wad there are segs of this form in
# all maps; those of each map pass, and would not if damaged.
expect_checked() {
    wadtool segs rebuilt.wad | awk -v lump="$1" -v signature="$2" '
        $2 == lump && $3 == signature && $4 > 0 { print $1, $4 }' \
        >expected-segs
    [ "$(wc -l <expected-segs)" -eq "$count" ] || {
        wadtool segs rebuilt.wad
        fail "$count maps with $2 in $1 were expected"
    }
    build 0 --quiet --json
    expect_no_errors
    expect_others_kept rebuilt.wad built.wad
    facts map checked_segs >found-segs
    diff expected-segs found-segs ||
        fail "not all segs of $2 in $1 have been checked"
    list_blockmaps built.wad >found-blockmaps
    diff expected-blockmaps found-blockmaps ||
        fail "with $2 in $1 the blockmaps are not the same"
    expect_damage_found "$1"
}

# expect_zdbsp_checked LUMP LETTERS IN OPTION...: the same of nodes that ZDBSP
# makes with these options, whose signature ends in these letters.
expect_zdbsp_checked() {
    lump=$1
    letters=$2
    in=$3
    shift 3
    rebuild zdbsp "$@" -X -o rebuilt.wad "$in"
    expect_checked "$lump" "X$letters"
    rebuild zdbsp "$@" -z -o rebuilt.wad "$in"
    expect_checked "$lump" "Z$letters"
}

for name in freedoom1 freedoom2 freedm; do
    wad=$freedoom_dir/$name.wad
    expect_plain "$wad"
    rebuild zdbsp -X -o rebuilt.wad "$wad"
    expect_sets_kept rebuilt.wad
    expect_checked NODES XNOD
    expect 1 blocksweep verify --nodes --map="$map" rebuilt.wad
    expect_match output "segs: $map: NODES: seg "
done

for name in ${BUILDER_WADS:-freedm}; do
    wad=$freedoom_dir/$name.wad
    expect_plain "$wad"
    expect_zdbsp_checked NODES NOD "$wad"
    rebuild zdbsp -g -X -o rebuilt.wad "$wad"
    expect_checked NODES XNOD
    # GL nodes in SSECTORS are read where NODES has none.
    expect_zdbsp_checked SSECTORS GLN "$wad" -x
    if has glbsp; then
        rebuild glbsp -v5 "$wad" -o rebuilt.wad
        expect_sets_kept rebuilt.wad
        expect_checked SEGS -
        [ "$(grep -c '^GL_SEGS ' new-others)" -eq "$count" ] ||
            fail "GL nodes were expected in every map of $name"
    fi
done

# convert MAP=FORM...: makes a file of such maps of Freedoom Phase 2.
convert() {
    wadtool convert "$freedoom_dir/freedoom2.wad" udmf.wad "$@"
    expect_plain udmf.wad "$freedoom_dir/freedoom2.wad"
}

convert MAP01=udmf MAP02=udmf MAP10=udmf
expect_zdbsp_checked ZNODES GLN udmf.wad
convert MAP01=tenths MAP02=tenths MAP10=tenths
expect_zdbsp_checked ZNODES GL3 udmf.wad
convert MAP01=copies
rebuild zdbsp -X -o rebuilt.wad udmf.wad
expect_checked ZNODES XGL2

# --- Builders that are run ---

# expect_exact WAD BUILDER: the same as the builder alone, which has written
# alone.wad, but for the blockmaps, and these are exact.
expect_exact() {
    expect_build --builder="$2" "$1" -o out.wad
    expect_nothing_temporary
    expect_others_kept alone.wad out.wad
    expect 0 blocksweep verify --strict --json out.wad
    ! grep -qE '"(missing|extra)_entries": [1-9]' output ||
        fail "blockmaps of $1 are not exact"
    expect 1 blocksweep verify --strict --quiet alone.wad
}

# moves_grids FILE: a grid is another one than in the maps as they were.
moves_grids() {
    wadtool compare "$wad" "$1" >output 2>errors || true
    grep -q ': the grids are not the same$' errors
}

for name in ${BUILDER_WADS:-freedm}; do
    wad=$freedoom_dir/$name.wad
    cksum "$wad" >sum
    quietly zdbsp -o alone.wad "$wad"
    expect_exact "$wad" zdbsp
    # The same as ZDBSP, and then a build without it.
    for options in --grid=fit "--lists=lump --pack=nest"; do
        # shellcheck disable=SC2086 # words
        expect_build $options alone.wad -o expected.wad
        # shellcheck disable=SC2086 # words
        expect_build --builder=zdbsp $options "$wad" -o out.wad
        expect_same out.wad expected.wad
    done
    expect_build --builder=zdbsp --grid=keep "$wad" -o out.wad
    ! moves_grids out.wad || fail "a grid of $name was moved"
    moves_grids alone.wad || fail "ZDBSP was expected to move some grids"
    cksum "$wad" | cmp - sum || fail "$wad has changed"
    if has glbsp; then
        quietly glbsp "$wad" -o alone.wad
        expect_exact "$wad" glbsp
    fi
done

# --- What verify finds ---

# What is wrong depends on Freedoom's release and on ZDBSP's.
wad=$freedoom_dir/freedoom2.wad
rebuild zdbsp -N -E -o rebuilt.wad "$wad"
expect 1 blocksweep verify --verbose rebuilt.wad
total=$(tail -n 1 output | tr -s ' ')
missing=$(grep -c '^ *missing linedef' output)
extra=$(grep -c '^ *extra linedef' output)
echo "$total" | grep -q "^Total .* $missing $extra [1-9][0-9]* rejected\$" ||
    fail "$missing missing and $extra extra linedefs are named; not: $total"
sum=$(cksum <rebuilt.wad)
case $sum in
"3338489928 28543281")
    [ "$total" = "Total 73900 32 maps 414784 20 149 11 rejected" ] ||
        fail "20 missing linedefs and 149 extra ones were expected, not: $total"
    expect 0 blocksweep verify --map=MAP02-MAP04 rebuilt.wad
    expect 1 blocksweep verify --map=MAP02-MAP04 --strict rebuilt.wad
    # The same is what diff finds, and what is listed for no reason is old.
    expect_build --grid=keep rebuilt.wad -o out.wad
    expect 1 blocksweep diff --json rebuilt.wad out.wad
    read_json
    expect_facts total.maps 32 total.only_old_listed 149 \
        total.only_new_listed 20
    awk '/^maps.*only_old_entries / { wrong += $2 }
        /^maps.*only_new_entries / { right += $2 }
        END { print wrong, right }' facts >entries
    expect_text entries "0 20"
    ;;
*) echo "another release of Freedoom or ZDBSP, $sum: $total" ;;
esac

# In Freedoom's own, linedefs were left out on purpose.
case $(cksum <"$wad") in
"4037042739 28544136")
    expect 1 blocksweep verify --json "$wad"
    read_json
    expect_facts files.0.maps.0.missing_entries 205 \
        files.0.maps.0.harmful_entries 36 \
        files.0.maps.0.harmless_entries 169 total.good 26 total.wrong 5 \
        total.missing_entries 1389 total.harmful_entries 166
    ;;
*) echo "another release of Freedoom" ;;
esac

has glbsp || skip "glbsp is not there: what it builds was not tried"
