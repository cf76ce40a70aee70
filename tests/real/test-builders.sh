#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on the maps of FreeDM, or of the files of Freedoom that BUILDER_WADS
# names, as they come and as ZDBSP and glBSP build them:
#
# - only BLOCKMAP lumps change, and building again changes nothing;
# - the check against the segs reads and passes those of every form that the
#   builders write, and refuses those of another map;
# - --builder gives the builder's file with exact blockmaps, whose grids are
#   those of the maps as they were;
# - verify finds something wrong in blockmaps of ZDBSP's, and in Freedoom's own
#   what was left out on purpose.

. "$SOURCE_DIR/tests/help/library.sh"
use_own_temporary_folder

need_freedoom
need_json

for name in ${BUILDER_WADS:-freedm}; do
    wad=$freedoom_dir/$name.wad
    expect_build "$wad" -o out.wad
    expect_lumps_kept "$wad" out.wad
    expect_stable "$wad" out.wad
done

need zdbsp

# expect_others_kept OLD NEW: as elsewhere, but not the bytes of lumps in which
# glBSP writes the time.
expect_others_kept() {
    expect_same_lists 's/^[0-9]* //; /^GL_[EM]/s/ [^ ]*$//; /^BLOCKMAP /d' "$@"
}

# --- The check against the segs ---

# expect_checked SIGNATURE FILE: in a file that a builder has written, lumps
# begin with this, unless it is -, and the segs of all maps pass.  What of each
# has been checked is in the file counts.
expect_checked() {
    [ "$1" = - ] || grep -q "$1" "$2" || fail "$2 has no $1"
    expect 0 blocksweep --quiet --json --check-nodes --grid=fit \
        --overflow=xbm1 "$2" -o built.wad
    expect_no_errors
    expect_others_kept "$2" built.wad
    read_json
    sed -n 's/^maps\.[0-9]*\.checked_segs //p' facts >counts
    [ "$(fact maps)" -eq "$(wc -l <counts)" ] || fail "no segs were checked"
    ! grep -x 0 counts || fail "$2 has maps without segs"
}

# expect_zdbsp_checked LETTERS IN OPTION...: the same of nodes that ZDBSP makes
# with these options, whose signature ends in these letters; compressed, they
# are as many.
expect_zdbsp_checked() {
    letters=$1
    in=$2
    shift 2
    quietly zdbsp "$@" -X -o plain.wad "$in"
    expect_checked "X$letters" plain.wad
    mv counts plain-counts
    quietly zdbsp "$@" -z -o compressed.wad "$in"
    expect_checked "Z$letters" compressed.wad
    expect_same counts plain-counts
}

for name in ${BUILDER_WADS:-freedm}; do
    wad=$freedoom_dir/$name.wad
    quietly zdbsp -o vanilla.wad "$wad"
    expect_checked - vanilla.wad
    wadtool list vanilla.wad | awk '$2 == "SEGS" { print $3 / 12 }' |
        diff - counts || fail "not all segs of $name have been checked"
    mv counts vanilla-counts
    expect_zdbsp_checked NOD "$wad"
    expect_same counts vanilla-counts
    # GL nodes in SSECTORS are read where NODES has none.
    expect_zdbsp_checked GLN "$wad" -x
    if has glbsp; then
        quietly glbsp -v5 "$wad" -o glbsp.wad
        expect_checked - glbsp.wad
    fi
done

# convert MAP=FORM...: makes a file of such maps of Freedoom Phase 2.
convert() {
    make_wad convert "$freedoom_dir/freedoom2.wad" udmf.wad "$@"
}

convert MAP01=udmf MAP02=udmf MAP10=udmf
expect_zdbsp_checked GLN udmf.wad
convert MAP01=tenths MAP02=tenths MAP10=tenths
expect_zdbsp_checked GL3 udmf.wad
convert MAP01=copies
quietly zdbsp -X -o plain.wad udmf.wad
expect_checked XGL2 plain.wad

# Nodes of another map.
for lump in $(room "" | cut -d ' ' -f 1); do
    wadtool extract vanilla.wad "MAP01/$lump" >"$lump"
done
wadtool extract vanilla.wad MAP02/SEGS >SEGS
room MAP01 | wadtool make PWAD mixed.wad
expect 1 blocksweep --check-nodes --quiet mixed.wad -o out.wad
expect_sentence "mixed.wad: MAP01: SEGS: seg "
expect 1 blocksweep verify --nodes mixed.wad
expect_match output "segs: MAP01: SEGS: seg "

# --- Builders that are run ---

# list_grids FILE: prints origin, columns and rows of each blockmap.
list_grids() {
    wadtool list "$1" | awk '$2 == "BLOCKMAP" { print $1 }' |
        while read -r number; do
            wadtool blockmap "$1" "$number" | cut -d ' ' -f 1-4
        done
}

# expect_exact BUILDER: for $wad, the same as the builder alone, which has
# written alone.wad, but for the blockmaps, and these are exact.
expect_exact() {
    expect_build --builder="$1" "$wad" -o out.wad
    expect_nothing_temporary
    expect_others_kept alone.wad out.wad
    expect 0 blocksweep verify --strict --json out.wad
    ! grep -qE '"(missing|extra)_entries": [1-9]' output ||
        fail "blockmaps of $wad are not exact"
    expect 1 blocksweep verify --strict --quiet alone.wad
}

for name in ${BUILDER_WADS:-freedm}; do
    wad=$freedoom_dir/$name.wad
    quietly zdbsp -o alone.wad "$wad"
    expect_exact zdbsp
    # The same as ZDBSP, and then a build without it.
    for options in --grid=fit "--lists=lump --pack=nest"; do
        # shellcheck disable=SC2086 # words
        expect 0 blocksweep --quiet $options alone.wad -o expected.wad
        # shellcheck disable=SC2086 # words
        expect 0 blocksweep --quiet --builder=zdbsp $options "$wad" -o out.wad
        expect_same out.wad expected.wad
    done
    expect_build --builder=zdbsp --grid=keep "$wad" -o out.wad
    list_grids "$wad" >old-grids
    list_grids out.wad | diff old-grids - || fail "a grid of $name was moved"
    list_grids alone.wad >new-grids
    ! cmp -s old-grids new-grids || fail "ZDBSP was expected to move some grids"
    if has glbsp; then
        quietly glbsp "$wad" -o alone.wad
        expect_exact glbsp
    fi
done

# --- What verify finds ---

wad=$freedoom_dir/freedoom2.wad
case $(cksum <"$wad") in
"4037042739 28544136")
    expect 0 blocksweep verify --json "$wad"
    read_json
    expect_facts files.0.maps.0.missing_entries 205 \
        files.0.maps.0.solid_entries 0 \
        files.0.maps.0.harmless_entries 205 total.good 26 total.wrong 0 \
        total.missing_entries 1389 total.solid_entries 0
    ;;
*) echo "another release of Freedoom" ;;
esac

has glbsp || skip "glbsp is not there: what it builds was not tried"
