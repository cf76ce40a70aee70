#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on Freedoom's WADs, 100 maps, that only BLOCKMAP lumps change.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

need_freedoom

maps=0
for name in freedoom1 freedoom2 freedm; do
    wad=$freedoom_dir/$name.wad
    wadtool overlaps "$wad" >old-overlaps
    for pack in share none; do
        expect_build --pack=$pack "$wad" -o out.wad
        [ "$(head -c 4 out.wad)" = "$(head -c 4 "$wad")" ] ||
            fail "$name is of another kind"
        expect_lumps_kept "$wad" out.wad
        wadtool overlaps out.wad >new-overlaps
        diff old-overlaps new-overlaps || fail "not the same bytes are shared"
        expect_build --pack=$pack "$wad" -o again.wad
        expect_same out.wad again.wad
        expect_build --pack=$pack out.wad -o twice.wad
        expect_same out.wad twice.wad
    done

    # None of the last is what it was: Freedoom's share lists.
    wadtool list "$wad" | grep ' BLOCKMAP ' >old-list
    wadtool list out.wad | grep ' BLOCKMAP ' >new-list
    ! grep -Fx -f old-list new-list ||
        fail "some BLOCKMAP lumps of $name have not been built"
    maps=$((maps + $(wc -l <new-list)))
done
[ "$maps" -eq 100 ] || fail "100 maps were expected; there are $maps"
