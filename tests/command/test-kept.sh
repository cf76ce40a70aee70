#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves what becomes of a present lump that lacks solid entries:
# `--preset=repack` builds it anew, but for a limit that only this lump meets;
# `--lists=lump` keeps its lists; and each says so, with the number of entries,
# and ends with status 0. `--dry-run` marks such lumps, and only those.  repack
# builds one without headers anew, too, if a port needs them.

. "$SOURCE_DIR/tests/help/library.sh"
need_json

# count_entries WAD: prints how many linedefs the lists of all blocks have,
# behind their headers.
count_entries() {
    wadtool extract "$1" MAP01/BLOCKMAP | perl -0777 -ne '
        my @words = unpack "v*";
        for my $at (@words[4 .. 3 + $words[2] * $words[3]]) {
            $count++ while $words[++$at] != 65535;
        }
        print $count'
}

# cut_lists: writes cut.wad, whose lump is that of whole.wad without every third
# list, stored again; sets lacks to what is said of it.
cut_lists() {
    wadtool cut whole.wad long.wad
    wadtool plain long.wad cut.wad
    count=$(($(count_entries whole.wad) - $(count_entries cut.wad)))
    lacks="the present lump lacks solid entries ($count),"
}

# The lump of few lines meets all limits, whole or not.
scatter_lines 500
expect_build map.wad -o whole.wad
cut_lists

expect 1 blocksweep verify --json cut.wad
expect_in output "\"solid_entries\": $count,"
for options in "" "--preset=small"; do
    # shellcheck disable=SC2086 # none, or one
    expect 0 blocksweep --quiet $options cut.wad -o out.wad
    expect_no_errors
done
expect 0 blocksweep --quiet --preset=repack cut.wad -o out.wad
expect_sentence "$lacks so it was built anew"
expect 0 blocksweep verify out.wad

expect 0 blocksweep --quiet --lists=lump cut.wad -o out.wad
expect_sentence "$lacks which --lists=lump does not add; try --lists=exact"
expect 1 blocksweep verify --json out.wad
expect_in output "\"solid_entries\": $count,"

expect 0 blocksweep --dry-run cut.wad
expect_in output "MAP01    lacks $count solid entries now"
expect 0 blocksweep --dry-run --json cut.wad
expect_in output "\"missing_solid\": $count"
expect 0 blocksweep --dry-run whole.wad
expect_count 0 output 'solid entries now'

# That of many is over the vanilla limit, which only the lump without some of
# the entries meets.
scatter_lines 16000
expect 0 blocksweep --quiet map.wad -o whole.wad
expect_sentence "Doom 1.9 and Chocolate Doom crash on this map"
cut_lists
wadtool extract cut.wad MAP01/BLOCKMAP >present
expect 0 blocksweep --quiet --preset=repack cut.wad -o out.wad
expect_sentence "$lacks but is kept, because a new one would miss a limit" \
    "add --for=any,doom19 --preset=vanilla: 65566 bytes, grid moves"
wadtool extract out.wad MAP01/BLOCKMAP >lump
expect_same present lump
expect 0 blocksweep --preset=repack cut.wad -o out.wad
expect_in output "  kept; lacks $count entries, $count solid"

# Lists without headers are of no use to a port that skips a word of each.
e2m1=$SOURCE_DIR/samples/e2m1.wad
for ports in any boom zdoom; do
    expect 0 blocksweep --quiet --preset=repack --for=$ports "$e2m1" -o out.wad
    expect_sentence "no headers" "built anew"
    expect 0 blocksweep verify --for=$ports out.wad
done
for ports in doom19 gzdoom mbf21; do
    expect 0 blocksweep --preset=repack --for=$ports "$e2m1" -o out.wad
    expect_in output "  kept; lacks 90 harmless entries"
    expect 0 blocksweep verify --for=$ports out.wad
done
# lists=lump keeps it for all ports, and says who loses by that.
for ports in any boom zdoom; do
    expect 0 blocksweep --quiet --lists=lump --for=$ports "$e2m1" -o out.wad
    expect_sentence "no headers" "--lists=lump keeps it; try --lists=exact"
    expect 1 blocksweep verify --for=$ports out.wad
done
for ports in doom19 gzdoom mbf21; do
    expect 0 blocksweep --quiet --lists=lump --for=$ports "$e2m1" -o out.wad
    expect_not_in errors "--lists=lump keeps it"
done

# A lump in a form that an option or a port forbids is not kept.
write_room
room MAP01 | replacing BLOCKMAP room-blockmap | wadtool make PWAD classic.wad
expect 0 blocksweep --quiet --for=woof-dev --format=xbm1 classic.wad -o xbm1.wad
for options in --preset=repack --lists=lump; do
    for format in --format=doom --for=boom --for=everywhere; do
        expect 0 blocksweep --json $options $format xbm1.wad -o out.wad
        expect_in output '"form": "classic"' '"kept": false'
    done
    expect 0 blocksweep --json $options --for=woof-dev --format=xbm1 \
        classic.wad -o out.wad
    expect_in output '"form": "xbm1"' '"kept": false'
done

# What repack keeps for its size lacks only what is harmless, and says how much.
expect 0 blocksweep --preset=repack --map=MAP01 "$sample" -o out.wad
expect_in output "  kept; lacks 205 harmless entries"
expect 1 blocksweep verify --strict out.wad
expect_in output "harmless: 205"
