#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that lines which ports may lose, because they are far from the grid's
# origin, are told of by build, its dry run, verify and show; that no grid that
# is chosen is farther away; and that the grid which a sentence names is not.

. "$SOURCE_DIR/tests/help/library.sh"
need_json
write_room

# make_hall WIDTH: writes hall.wad, the room with this width, and with lines that
# lie in fewer blocks the farther west the grid begins, up to 68 units.
make_hall() {
    west=$((65536 - 16384))
    words $west 0 $west 100 $(($1 - 16384)) 100 $(($1 - 16384)) 0 >hall-vertices
    cp LINEDEFS hall-linedefs
    for i in $(seq 0 79); do
        x=$((west + 60 + 128 * (i / 40)))
        words $x $((i + 10)) $((x + 120)) $((i + 10)) >>hall-vertices
        linedef $((4 + 2 * i)) $((5 + 2 * i)) >>hall-linedefs
    done
    make_room hall.wad VERTEXES hall-vertices LINEDEFS hall-linedefs BLOCKMAP -
}

shots="over 30720 units from the grid's origin shots may pass walls in"
walls="over 32752 units from the grid's origin walls may not block in"

# --- A hall that is not too wide ---

# The search moves the grid where there is room, by more than 62 units.
make_hall 20000
expect 0 blocksweep --json --grid=search hall.wad -o out.wad
read_json
[ "$(fact maps.0.origin_x)" -lt $((-16384 - 62)) ] ||
    fail "the search was expected to move the grid"

# Neither it nor DoomBSP's margin does so where walls would be lost.
for width in 32690 32750; do
    make_hall $width
    for option in --grid=fit --grid=id --grid=search --preset=small \
        --preset=vanilla; do
        expect 0 blocksweep --json $option hall.wad -o out.wad
        expect_in errors "hall.wad: MAP01: BLOCKMAP: $shots doom19"
        expect_not_in errors "$walls"
        read_json
        [ "$(fact maps.0.distance)" -le 32752 ] ||
            fail "$option put the origin at $(fact maps.0.origin_x)"
    done
done

# --- A grid that is ---

make_hall 32690
expect 0 blocksweep --quiet --grid=-16452,0 hall.wad -o far.wad
expect_in errors "$walls doom19" "and lines reach 32758; try --grid=fit"
expect 0 blocksweep --quiet --dry-run --grid=-16452,0 hall.wad
expect_in errors "$walls doom19" "and lines reach 32758; try --grid=fit"
expect 0 blocksweep --quiet far.wad -o out.wad # it is kept
expect_in errors "$walls doom19" "try --grid=fit"
expect 0 blocksweep --quiet --grid=fit far.wad -o out.wad
expect_not_in errors "$walls"
expect 0 blocksweep --quiet --for=gzdoom far.wad -o out.wad
expect_not_in errors "$walls"

# So it is with its lists.
expect 0 blocksweep --quiet --lists=lump far.wad -o out.wad
expect_in errors "$walls doom19" "try --grid=fit --lists=exact"
# A dry run counts no preset that keeps such a grid as good for all ports.
make_hall 20000
expect 0 blocksweep --quiet --grid=-32000,0 hall.wad -o kept.wad
expect 0 blocksweep --json --dry-run kept.wad
read_json
for i in 0 1 2 3; do
    everywhere=0
    [ "$(fact files.0.presets.$i.preset)" != small ] || everywhere=1
    expect_facts files.0.presets.$i.everywhere $everywhere
done

expect 1 blocksweep verify far.wad
expect_in output "$walls doom19" "try --grid=fit" \
    "To repair: blocksweep --in-place --backup --grid=fit far.wad"
expect 0 blocksweep verify --for=zdoom far.wad
expect_not_in output "$walls"
expect 1 blocksweep verify --json --for=boom far.wad
read_json
expect_facts files.0.maps.0.distance 32758 \
    files.0.maps.0.reach "$walls boom, and lines reach 32758; try --grid=fit" \
    files.0.maps.0.groups.0.verdict wrong \
    files.0.maps.0.groups.0.far walls
expect 0 blocksweep show far.wad
expect_in output "$walls doom19"

# --- A hall that is too wide for any grid ---

make_hall 40000
expect 0 blocksweep --quiet hall.wad -o out.wad
expect_in errors "$walls" "lines reach 40000; no blockmap can help, as the map is too large \
for these ports"
expect 1 blocksweep verify --verbose --for=boom,doom-retro out.wad
expect_in output "no blockmap can help" \
    "Doom Retro: good"
expect_not_in output "To repair"

# A square as wide has no lump, and ports begin their own grids no better.
words $west $west $west 23616 23616 23616 23616 $west >square
make_room square.wad VERTEXES square BLOCKMAP -
expect 0 blocksweep --quiet square.wad -o out.wad
expect_in errors "the lump was left empty, and ports build their own"
expect_in errors "$walls" "lines reach 40000; no blockmap can help"
expect 0 blocksweep --quiet --for=gzdoom square.wad -o out.wad
expect_not_in errors "$walls"

# --- No linedef, so none is far away ---

: >none
words 16384 0 1 1 5 0 65535 >lump
make_room none.wad LINEDEFS none BLOCKMAP lump
expect 1 blocksweep show --json none.wad
read_json
expect_facts files.0.maps.0.distance -
expect 0 blocksweep diff --json none.wad none.wad
read_json
expect_facts maps.0.old.distance - maps.0.new.distance -
