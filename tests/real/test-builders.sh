#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on Freedoom's 100 maps, rebuilt by ZDBSP and glBSP, that the check
# against the segs passes, that it reads all of them in every form that these
# builders write, and that the blockmap is that of the maps as they were.
# Then, that the check finds a seg with a linedef that is elsewhere.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

need_freedoom
need zdbsp glbsp
perl -MJSON::PP -e 1 2>errors || skip "Perl's JSON::PP is not there"

convertwad() {
    "$BUILD_DIR/tests/help/convertwad" "$@"
}

segtool() {
    "$BUILD_DIR/tests/help/segtool" "$@"
}

# rebuild COMMAND...: runs a node builder, which has to write rebuilt.wad.
rebuild() {
    rm -f rebuilt.wad
    if ! "$@" >log 2>&1 || ! [ -s rebuilt.wad ]; then
        cat log
        fail "$* did not build"
    fi
}

# list_blockmaps FILE: prints map, size and hash of every BLOCKMAP.
list_blockmaps() {
    wadtool list "$1" | awk '
        $2 == "THINGS" || $2 == "TEXTMAP" { map = previous }
        $2 == "BLOCKMAP" { print map, $3, $5 }
        { previous = $2 }'
}

# list_others FILE: prints all lumps but BLOCKMAP, without their numbers.
list_others() {
    wadtool list "$1" | cut -d ' ' -f 2- | grep -v '^BLOCKMAP '
}

# facts NAME...: prints these of each map in the report.
facts() {
    perl -MJSON::PP -0777 -e '
        my $report = decode_json(<STDIN>);
        print "@$_{@ARGV}\n" for @{$report->{maps}};' "$@" <output
}

# expect_plain FILE: builds what all blockmaps have to be.
expect_plain() {
    expect_build --grid=fit --overflow=xbm1 "$1" -o plain.wad
    list_blockmaps plain.wad >expected-blockmaps
    [ -z "$(awk '$2 == 0' expected-blockmaps)" ] ||
        fail "$1 has maps without a blockmap"
}

# build STATUS OPTION...: builds rebuilt.wad with the check.
build() {
    status=$1
    shift
    expect "$status" blocksweep --check-nodes --grid=fit --overflow=xbm1 "$@" \
        rebuilt.wad -o built.wad
    list_others rebuilt.wad >old-others
    list_others built.wad >new-others
    diff old-others new-others || fail "other lumps than BLOCKMAP have changed"
}

# expect_damage_found LUMP: in the first map, segs of the linedef farthest to
# the west become segs of the one farthest to the east, and the first of them
# is found, with the block that its end is in.
expect_damage_found() {
    grid=$(facts origin_x origin_y columns | head -n 1)
    seg=$(segtool damage rebuilt.wad "$map" "$1" "$west" "$east")
    build 1 --quiet --map="$map"
    expect_sentence "$map: $1: seg $seg of linedef $east ends at "
    number='\([-.0-9]*\)'
    sed "s/.* ends at $number,$number, but block $number there does not list \
the linedef\$/$grid \1 \2 \3/" errors >place
    awk 'NF != 6 || $6 != int(($4 - $1) / 128) + int(($5 - $2) / 128) * $3 {
             exit 1
         }' place || fail "another block or sentence was expected: $(cat place)"
}

# expect_checked LUMP SIGNATURE MAPS: in rebuilt.wad there are segs of this
# form in so many maps; those of each map pass, and would not if damaged.
expect_checked() {
    segtool list rebuilt.wad | awk -v lump="$1" -v signature="$2" '
        $2 == lump && $3 == signature && $4 > 0 { print $1, $4 }' \
        >expected-segs
    [ "$(wc -l <expected-segs)" -eq "$3" ] || {
        segtool list rebuilt.wad
        fail "$3 maps with $2 in $1 were expected"
    }
    build 0 --json
    expect_no_errors
    facts map checked_segs >found-segs
    diff expected-segs found-segs ||
        fail "not all segs of $2 in $1 have been checked"
    list_blockmaps built.wad >found-blockmaps
    diff expected-blockmaps found-blockmaps ||
        fail "with $2 in $1 the blockmaps are not the same"
    expect_damage_found "$1"
}

# choose_damage FILE MAP: says what to damage.
choose_damage() {
    map=$2
    ends=$(convertwad ends "$1" "$map")
    west=${ends% *}
    east=${ends#* }
}

# --- Maps in Doom format ---

maps=0
for name in freedoom1 freedoom2 freedm; do
    wad=$freedoom_dir/$name.wad
    expect_plain "$wad"
    choose_damage "$wad" "$(awk '{ print $1; exit }' expected-blockmaps)"
    count=$(wc -l <expected-blockmaps)
    maps=$((maps + count))

    rebuild zdbsp -X -o rebuilt.wad "$wad"
    expect_checked NODES XNOD "$count"
    rebuild zdbsp -z -o rebuilt.wad "$wad"
    expect_checked NODES ZNOD "$count"
    rebuild zdbsp -g -X -o rebuilt.wad "$wad"
    expect_checked NODES XNOD "$count"
    rebuild zdbsp -g -z -o rebuilt.wad "$wad"
    expect_checked NODES ZNOD "$count"
    rebuild glbsp -v5 "$wad" -o rebuilt.wad
    expect_checked SEGS - "$count"
    [ "$(grep -c '^GL_SEGS ' new-others)" -eq "$count" ] ||
        fail "GL nodes were expected in every map of $name"
done
[ "$maps" -eq 100 ] || fail "100 maps were expected; there are $maps"

# GL nodes in SSECTORS, which are read where NODES has none: those of FreeDM,
# the last file, because this takes long.
rebuild zdbsp -x -X -o rebuilt.wad "$wad"
expect_checked SSECTORS XGLN "$count"
rebuild zdbsp -x -z -o rebuilt.wad "$wad"
expect_checked SSECTORS ZGLN "$count"

# --- Maps in UDMF ---

# expect_udmf_checked LETTERS MAP=FORM...: of these maps ZDBSP makes nodes whose
# signature ends in these letters.
expect_udmf_checked() {
    letters=$1
    shift
    convertwad convert "$wad" udmf.wad "$@"
    expect_plain udmf.wad
    rebuild zdbsp -X -o rebuilt.wad udmf.wad
    expect_checked ZNODES "X$letters" $#
    rebuild zdbsp -z -o rebuilt.wad udmf.wad
    expect_checked ZNODES "Z$letters" $#
}

wad=$freedoom_dir/freedoom2.wad
choose_damage "$wad" MAP01
for form in udmf=GLN tenths=GL3; do
    # shellcheck disable=SC2046 # each map is a word
    expect_udmf_checked "${form#*=}" \
        $(for number in 1 2 3 4 5 6 7 8 9; do
            echo "MAP0$number=${form%=*}"
        done) "MAP10=${form%=*}"
done
expect_udmf_checked GL2 MAP01=copies
