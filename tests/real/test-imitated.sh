#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that --lists=zdbsp and --lists=glbsp make the lumps of ZDBSP and glBSP
# to the last word: of the maps of Freedoom, and of 512 random ones, with lines
# through corners and along edges, long ones, points, and grids that glBSP
# truncates; and that blockmap(5) says how much each of --lists differs from
# exact lists on the maps of Freedoom 0.12.1.

. "$SOURCE_DIR/tests/help/library.sh"

need_freedoom
need zdbsp

# expect_all LISTS WAD COUNT: so many maps of a file have such lumps.
expect_all() {
    blocksweep verify --lists="$1" "$2" >output 2>errors || true
    same=$(grep -c "lists=$1: the same to the last word" output) || :
    [ "$same" = "$3" ] ||
        fail "$same of the $3 lumps of $2 are those of --lists=$1"
}

# lumps WAD: prints what tells each blockmap from others.
lumps() {
    wadtool list "$1" | awk '$2 == "BLOCKMAP" { print $4, $5 }'
}

for name in freedoom1 freedoom2 freedm; do
    wad=$freedoom_dir/$name.wad
    maps=$(wadtool list "$wad" | grep -c ' THINGS ')
    quietly zdbsp -N -o out.wad "$wad"
    expect_all zdbsp out.wad "$maps"
    expect 0 blocksweep verify --lists=zdbsp out.wad
    expect 1 blocksweep verify --lists=boom out.wad
    expect_in output "lists=boom: other lists; the first is in block"
    expect 0 blocksweep show --verbose out.wad
    [ "$(grep -c 'as ZDBSP makes it' output)" = "$maps" ] ||
        fail "show was expected to name ZDBSP for all maps"
    expect 0 blocksweep show --json out.wad
    expect_in output '"zdbsp"'
    ! has glbsp || {
        quietly glbsp -n "$wad" -o out.wad
        expect_all glbsp out.wad "$maps"
    }
done

for seed in 1 2 3 4 5 6 7 8; do
    wadtool random 32 "$seed" points points.wad
    quietly zdbsp -N -o out.wad points.wad
    expect_all zdbsp out.wad 32
    # Vertices that are not used, and that ZDBSP removes, count for its grid.
    wadtool random 32 "$seed" spare spare.wad
    quietly zdbsp -N -o out.wad spare.wad
    expect_build --lists=zdbsp spare.wad -o ours.wad
    lumps out.wad >expected
    lumps ours.wad >found
    expect_same found expected
    has glbsp || continue
    for kind in points spare; do
        quietly glbsp -n $kind.wad -o out.wad
        expect_all glbsp out.wad 32
    done
done

# glBSP cuts the grids of large maps, which a warning says.
expect 0 blocksweep --quiet --lists=glbsp points.wad -o ours.wad
expect_in errors "blocks, as glBSP does; what is outside is in no list"

# row_of NAME: reads reports of verify, and prints their entries and the row of
# the manual with this name.
row_of() {
    awk -F '[:,]' -v name="$1" '
        /^          "entries"/ { entries += $2; missing = 0 }
        /^          "(missing|outside)_entries"/ { missing += $2; all += $2 }
        /^          "extra_entries"/ { extra += $2; exact += missing + $2 == 0 }
        END { print entries
              print name "\047s Ta " all " Ta " extra " Ta " exact }'
}

for name in freedoom1 freedoom2 freedm; do
    blocksweep verify --json "$freedoom_dir/$name.wad" || true
done 2>errors | row_of "" >known
for algorithm in Boom MBF ZDBSP glBSP; do
    lists=$(echo $algorithm | tr '[:upper:]' '[:lower:]')
    for name in freedoom1 freedoom2 freedm; do
        expect_build --lists="$lists" "$freedoom_dir/$name.wad" -o out.wad
        blocksweep verify --json out.wad 2>errors || true
    done | row_of $algorithm >found
    if [ "$(sed 1q known)" = 297366 ]; then
        expect_in "$SOURCE_DIR/man/blockmap.5" ".It $(sed -n 2p found)" \
            "Freedoom 0.12.1, whose lists should have 297,366 linedefs"
    else
        echo "this Freedoom is another: $(sed -n 2p found)"
    fi
done
# `make builders` names algorithms, also those of builders that it is told.
maps=$(wadtool list "$sample" | grep -c ' THINGS ')
BUILDERS='none = false IN; copy=cp out.wad OUT' expect 1 "$BUILD_DIR/run" perl \
    "$SOURCE_DIR/bench/compare.pl" --builders blocksweep 1 "$sample"
expect_in errors "failed: false"
quietly zdbsp -N -o out.wad "$sample"
BUILDERS="copy=cp $folder/out.wad OUT; not there=no-such-builder IN" expect 0 \
    "$BUILD_DIR/run" perl "$SOURCE_DIR/bench/compare.pl" --builders blocksweep 1 \
    "$sample"
for name in ZDBSP copy; do
    expect_match output "^| $name | .* zero $maps | zdbsp $maps.* |"
done
expect_match output '^| Boom.*`--lists=boom` | 0 | 0 | .* boom '

has glbsp || skip "glbsp is not there: only ZDBSP was tried"
