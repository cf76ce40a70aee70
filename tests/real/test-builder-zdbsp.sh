#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on Freedoom's 100 maps that --builder=zdbsp gives ZDBSP's file with
# exact blockmaps, whose grids are those of the maps as they were; and the same
# of --builder=glbsp on those of FreeDM.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
use_own_temporary_folder

need_freedoom
need zdbsp glbsp

# list_grids FILE: prints origin, columns and rows of every blockmap.
list_grids() {
    wadtool list "$1" | awk '$2 == "BLOCKMAP" { print $1 }' |
        while read -r number; do
            wadtool blockmap "$1" "$number" | cut -d ' ' -f 1-4
        done
}

# list_others FILE: prints all lumps but BLOCKMAP; without the bytes of those in
# which glBSP writes the time.
list_others() {
    wadtool list "$1" | sed '/^[0-9]* GL_[EM]/s/ [^ ]*$//
                             s/^\([0-9]* BLOCKMAP\) .*/\1/'
}

# expect_exact WAD BUILDER: the same as the builder alone, which has written
# alone.wad, but for the blockmaps, and these are exact.
expect_exact() {
    expect_build --builder="$2" "$1" -o out.wad
    expect_nothing_temporary
    list_others alone.wad >expected-others
    list_others out.wad >found-others
    diff expected-others found-others || fail "not what $2 makes of $1"
    expect 0 blocksweep verify --strict --json out.wad
    ! grep -qE '"(missing|extra)_entries": [1-9]' output ||
        fail "blockmaps of $1 are not exact"
    expect 1 blocksweep verify --strict --quiet alone.wad
}

# expect_steps WAD: the same as ZDBSP, and a build without it behind that.
expect_steps() {
    for options in --grid=fit "--source=lump --pack=nest"; do
        # shellcheck disable=SC2086 # words
        expect_build $options alone.wad -o expected.wad
        # shellcheck disable=SC2086 # words
        expect_build --builder=zdbsp $options "$1" -o out.wad
        expect_same out.wad expected.wad
    done
}

# expect_grids WAD: those that the maps have.
expect_grids() {
    expect_build --grid=keep "$1" -o expected.wad
    expect_build --builder=zdbsp --grid=keep "$1" -o out.wad
    list_grids expected.wad >expected-grids
    list_grids out.wad >found-grids
    list_grids alone.wad >other-grids
    diff expected-grids found-grids || fail "a grid of $1 was moved"
    ! cmp -s expected-grids other-grids || fail "ZDBSP was expected to move some"
}

maps=0
for name in freedoom1 freedoom2 freedm; do
    wad=$freedoom_dir/$name.wad
    cksum "$wad" >sum
    zdbsp -o alone.wad "$wad" >log 2>&1 || fail "zdbsp did not build $name"
    expect_exact "$wad" zdbsp
    expect_steps "$wad"
    expect_grids "$wad"
    cksum "$wad" | cmp - sum || fail "$wad has changed"
    maps=$((maps + $(wc -l <found-grids)))
done
[ "$maps" -eq 100 ] || fail "100 maps were expected; there are $maps"

glbsp "$wad" -o alone.wad >log 2>&1 || fail "glbsp did not build $name"
expect_exact "$wad" glbsp
