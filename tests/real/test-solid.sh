#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that verify says of missing entries whether they are solid, and why:
# lines.pl, which reads maps by itself, says the same of 200 at least, in lumps of
# which every third list was emptied, in Freedoom's own, and in those of ZDBSP;
# with LONG in the environment in more of these, and in glBSP's.  No line that can
# be crossed is free by its rules.

. "$SOURCE_DIR/tests/help/library.sh"
need_json
need_freedoom
need zdbsp

set -- cut.wad "$freedoom_dir/freedoom2.wad" zdbsp-freedoom2.wad
wadtool cut "$sample" cut.wad
quietly zdbsp -N -E -o zdbsp-freedoom2.wad "$freedoom_dir/freedoom2.wad"
if [ -n "${LONG-}" ]; then
    quietly zdbsp -N -E -o zdbsp-freedoom1.wad "$freedoom_dir/freedoom1.wad"
    set -- "$@" zdbsp-freedoom1.wad
    if has glbsp; then
        quietly glbsp "$freedoom_dir/freedoom2.wad" -o glbsp.wad
        set -- "$@" glbsp.wad
    fi
fi
expect 1 blocksweep verify --json "$@"
mv output report
expect 0 perl "$SOURCE_DIR/tests/real/lines.pl" solid <report
awk '{ sum += $1; class[$2]++ } END { print sum, class["harmless"] + 0,
    class["solid:"] + 0 }' output >counts
read -r sum harmless reasons <counts
if [ "$sum" -lt 200 ] || [ "$harmless" -lt 1 ] || [ "$reasons" -lt 6 ]; then
    fail "200 entries with many reasons were expected, not $(cat counts)"
fi
expect 0 perl "$SOURCE_DIR/tests/real/lines.pl" walls <report
read -r walls _ <output
[ "$walls" -ge 500 ] || fail "500 walls were expected, not $(cat output)"

# What is not of the map's own data is in doubt, and solid.
cp "$sample" doubt.wad
expect 0 blocksweep verify --verbose --map=MAP01 doubt.wad
expect_count 205 output ', harmless$'
wadtool list doubt.wad | awk '$2 == "SECTORS" { print $1 }' |
    while read -r lump; do
        wadtool set doubt.wad "$lump" size 0
    done
expect 1 blocksweep verify --verbose --map=MAP01 doubt.wad
expect_count 205 output ', solid: its sectors are not known$'
