#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# play-gaps.sh NUMBER: has players, missiles and shots try to cross 15 walls,
# each of which is missing in one block, in Chocolate Doom and DSDA-Doom; see
# gap-maps.pl for the kinds.  Prints a line for each engine and mover: the
# engine, "walls", "gaps", the mover; how many walls can be crossed, as verify
# says, where nothing else stands, and how many of these were; how many cannot
# be crossed, and how many of these were.

. "$SOURCE_DIR/tests/engines/play-walls.sh"

perl "$SOURCE_DIR/tests/engines/gap-maps.pl" "$1"
report_walls map.wad
for engine in $(engines_for_walls); do
    perl "$SOURCE_DIR/tests/engines/real-walls.pl" say "$engine" <report
    for mover in player missile shot; do
        try_walls "$engine" "$mover" 40 20 && tell_walls gaps
    done
done
exit "$failures"
