#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that verify finds in the blockmaps that ZDBSP writes for Freedoom Phase
# 2 exactly what is wrong with them.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

wad=$freedoom_dir/freedoom2.wad
[ -r "$wad" ] || skip "Freedoom Phase 2 is not there"
has zdbsp || skip "zdbsp is not there"

zdbsp -N -E -o rebuilt.wad "$wad" >log 2>&1 || fail "zdbsp did not build"
expect 1 blocksweep verify --verbose rebuilt.wad
total=$(tail -n 1 output | tr -s ' ')
[ "$total" = "Total 73900 32 maps 414784 20 149 11 rejected" ] ||
    fail "20 missing linedefs and 149 extra ones were expected, not: $total"
[ "$(grep -c '^ *missing linedef' output)" -eq 20 ] ||
    fail "20 missing linedefs were expected by name"
[ "$(grep -c '^ *extra linedef' output)" -eq 149 ] ||
    fail "149 extra linedefs were expected by name"
expect 0 blocksweep verify --map=MAP02-MAP04 rebuilt.wad
expect 1 blocksweep verify --map=MAP02-MAP04 --strict rebuilt.wad

# In Freedoom's own, linedefs were left out on purpose.
expect 1 blocksweep verify --json --map=MAP01 "$wad"
grep -q '"inert_entries": [1-9]' output ||
    fail "linedefs that --prune=inert leaves out were expected to be missing"
