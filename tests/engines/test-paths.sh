#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The judge of paths, which the runs in engines rely on, finds a player who goes
# where no player can go, and says why, and lets others go; no engine is needed.
# The map is that of walls-map.pl.

. "$SOURCE_DIR/tests/help/library.sh"

need perl

# check_path PART...: writes a path and has it checked.  A part is "X Y DX DY
# COUNT": so many positions, the first of them there, in map units.
check_path() {
    printf '%s\n' "$@" | awk '
        BEGIN { print "blockmap loaded" }
        {
            for (i = 0; i < $5; i++)
                printf "%d 0123456789abcdef %d %d 0 0 100\n", tic++,
                    ($1 + i * $3) * 65536, ($2 + i * $4) * 65536
        }' >path
    "$BUILD_DIR/tests/engines/pathtool" map.wad MAP01 path
}

# expect_output LINE: this and nothing else was printed.
expect_output() {
    echo "$1" | diff - output || fail "'$1' was expected"
}

# expect_clear POSITIONS MOVES JUMPS MET WALL PART...: a path that is possible,
# and what is to tell of it.
expect_clear() {
    summary="$1 $2 $3 $4 $5"
    shift 5
    expect 0 check_path "$@"
    expect_output "$summary"
}

# expect_caught SENTENCE PART...: one that is not.
expect_caught() {
    sentence=$1
    shift
    expect 1 check_path "$@"
    expect_output "$sentence"
}

perl "$SOURCE_DIR/tests/engines/walls-map.pl"
room MAP01 | without REJECT | without BLOCKMAP | wadtool make PWAD map.wad
at_start='512 256 0 0 1'

# Who stays where he is, is seen to; so is who takes small steps, and large ones
# through an opening and past the end of a wall.
expect_clear 100 0 0 0 - '512 256 0 0 100'
expect_clear 10 9 0 0 - '512 256 1 0 10'
expect_clear 14 13 0 0 - '512 256 59 0 14'
expect_clear 9 8 0 0 - '512 256 0 -44 5' '453 80 -59 0 4'

# Walls stop him 16 units before: one with one side only, one with two.
expect_clear 127 126 0 1 5 '512 256 8 0 127'
expect_caught 'tic 127 at 1521.000,256.000: the player is in linedef 5' \
    '512 256 8 0 127' '1521 256 0 0 1'
expect_clear 31 30 0 1 7 '512 256 -8 0 31'
expect_caught 'tic 31 at 271.000,256.000: the player is in linedef 7' \
    '512 256 -8 0 31' '271 256 0 0 1'

# Sloping ones stop his corners.  Doom's test loses what is smaller than 1: from
# the left a corner has to be 1/128 of a unit behind this one; from the right
# Doom takes one for behind it that is 1/256 before, but it is not in it.
to_rising='512 256 8 -8 16'
to_falling='512 256 8 8 16'
expect_clear 81 80 0 1 8 "$to_rising" '640 128 8 0 64' \
    '1144.00390625 128 0 0 1'
expect_caught 'tic 80 at 1144.008,128.000: the player is in linedef 8' \
    "$to_rising" '640 128 8 0 64' '1144.0078125 128 0 0 1'
expect_clear 80 79 0 1 9 "$to_falling" '640 384 8 0 63' \
    '1143.99609375 384 0 0 1'
expect_caught 'tic 79 at 1144.000,384.000: the player is in linedef 9' \
    "$to_falling" '640 384 8 0 63' '1144 384 0 0 1'
# Where their bounding boxes are, they need not be.
expect_clear 77 76 0 0 - '512 256 8 0 74' '1100 200 0 56 3'

# A step may lead over a wall, and no position be in it.
expect_caught 'tic 200 at 1566.000,256.000: the player has passed linedef 5' \
    '512 256 5 0 200' '1566 256 0 0 1'
expect_caught 'tic 46 at 228.000,256.000: the player has passed linedef 7' \
    '512 256 -5 0 46' '228 256 0 0 1'

# Jumps, of more than two moves, lead near destinations, or to the start.
expect_clear 2 1 0 0 - '512 256 60 0 2'
expect_caught 'tic 1 at 573.000,256.000: a jump to no destination, sector 0' \
    '512 256 61 0 2'
expect_clear 4 1 1 0 - "$at_start" '2304 256 0 0 3'
expect_clear 3 2 1 0 - "$at_start" '2319 241 0 0 1' '2304 241 0 0 1'
expect_clear 2 1 1 0 - "$at_start" '3328 256 0 0 1'
expect_clear 3 2 2 0 - "$at_start" '2304 256 0 0 1' "$at_start"
expect_caught 'tic 1 at 2320.000,256.000: a jump to no destination, sector 2' \
    "$at_start" '2320 256 0 0 1'
expect_caught 'tic 1 at 2304.000,400.000: a jump to no destination, sector 2' \
    "$at_start" '2304 400 0 0 1'
expect_clear 3 2 2 0 - "$at_start" '2304 256 0 0 1' '527 256 0 0 1'
expect_caught 'tic 2 at 528.000,256.000: a jump to no destination, sector 0' \
    "$at_start" '2304 256 0 0 1' '528 256 0 0 1'

# A destination may be where nobody can come to.
expect_caught 'tic 1 at 3840.000,256.000: the player cannot be in sector 4' \
    "$at_start" '3840 256 0 0 1'

# Runs begin at the start.
expect_caught \
    'tic 0 at 513.000,256.000: not the start, but a place in sector 0' \
    '513 256 0 0 2'

# The wall to try without is the one that was near for most tics, and no other
# one then; here 0 for 8 tics, both 0 and 3 for 10, 3 for 3 and 1 for 5.
expect_clear 50 27 0 3 1 '512 256 0 59 5' '512 495 0 0 5' \
    '512 492 0 -59 9' '512 17 0 0 3' '512 20 -59 0 9' '20 20 0 0 1' \
    '17 20 0 0 8' '17 17 0 0 10'
