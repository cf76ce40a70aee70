#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on the blockmaps of Freedoom's 100 maps, as they come and as ZDBSP and
# glBSP build them, that --source=lump keeps the grid and every block's set of
# linedefs, and that no lump gets larger.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

# The packings to be tried.
packings="share nest"

need_freedoom

# expect_sets_kept FILE COUNT: repacks a file of so many maps.
expect_sets_kept() {
    for pack in $packings; do
        expect_build --source=lump --pack="$pack" "$1" -o out.wad
        expect_lumps_kept "$1" out.wad
        expect 0 "$BUILD_DIR/tests/help/compare-sets" "$1" out.wad
        expect_text output "$2"
    done
}

# expect_rebuilt_sets_kept COUNT COMMAND...: the same with what a node builder
# writes to rebuilt.wad, if it is there.
expect_rebuilt_sets_kept() {
    count=$1
    shift
    has "$1" || {
        echo "$1 is not there: its blockmaps are not tried"
        return 0
    }
    rm -f rebuilt.wad
    expect 0 "$@"
    expect_sets_kept rebuilt.wad "$count"
}

for file in freedoom1=36 freedoom2=32 freedm=32; do
    wad=$freedoom_dir/${file%=*}.wad
    maps=${file#*=}
    expect_sets_kept "$wad" "$maps"
    expect_rebuilt_sets_kept "$maps" zdbsp -o rebuilt.wad "$wad"
    expect_rebuilt_sets_kept "$maps" glbsp "$wad" -o rebuilt.wad
done

# The comparison finds what is not so: other grids, other sets, larger lumps.
expect_build --grid=fit "$wad" -o out.wad
expect 1 "$BUILD_DIR/tests/help/compare-sets" "$wad" out.wad
grep -q ': the grids are not the same$' errors || fail "grids were expected"
expect_build --grid=keep "$wad" -o out.wad
expect 1 "$BUILD_DIR/tests/help/compare-sets" "$wad" out.wad
grep -q ': blocks have other sets$' errors || fail "sets were expected"
expect_build --source=lump --pack=none "$wad" -o out.wad
expect 1 "$BUILD_DIR/tests/help/compare-sets" "$wad" out.wad
grep -q ': the new lump is larger$' errors || fail "a size was expected"
