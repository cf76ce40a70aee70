#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command serves any stage: it takes the options, the lump and
# the facts of one that it has never heard of, and refuses those that it cannot
# use.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

other=$BUILD_DIR/tests/command/.libs/other-stage.so
{ room MAP01; room MAP02 | without BLOCKMAP; } | wadtool make PWAD in.wad

# expect_made TEXT: this is the BLOCKMAP of each map.
expect_made() {
    expect_no_errors
    for map in MAP01 MAP02; do
        wadtool extract out.wad $map/BLOCKMAP >made
        printf '%s' "$1" >expected
        expect_same made expected
        wadtool extract out.wad $map/REJECT >made
        expect_same made REJECT
    done
}

# By path, and by name with and without its ending.
expect 0 blocksweep --plugin="$other" in.wad -o out.wad
expect_made xxxx
mkdir stages more-stages
cp "$other" stages
for name in other-stage other-stage.so; do
    for path in "$folder/stages" "/nonexistent::$folder/stages:" \
        "$folder/stages:$folder/more-stages" "$folder/more-stages:stages"; do
        expect 0 env NBSTAGE_PLUGIN_PATH="$path" "$BUILD_DIR/host/blocksweep" \
            -p $name --size=2 in.wad -o out.wad
        expect_made xx
    done
done

# Its options, and no others.
expect 0 blocksweep -p "$other" --size=5 --motto="a b" --mood good in.wad \
    -o out.wad
expect_made xxxxx
expect 0 blocksweep --size 5 in.wad -o out.wad --size=3 -p "$other"
expect_made xxx
"$BUILD_DIR/tests/command/list-options" "$other" >expected-options
blocksweep -p "$other" --help | grep '^  --' |
    sed 's/^  --\([a-z]*\)=.*/stage \1/' >found-options
grep '^stage' expected-options | diff - found-options ||
    fail "--help does not tell the options of the stage"
rm out.wad
for usage in --grid=fit --size --size=x --size=1001 --sizes=1; do
    expect 2 blocksweep -p "$other" in.wad -o out.wad $usage
    expect_sentence ""
done
expect_sentence --size --mood --motto --delay --output
expect 2 blocksweep -p "$other" in.wad -o out.wad --size=1001
expect_sentence "another number was expected"
[ ! -e out.wad ] || fail "nothing was expected to be written"

# Its failures, and its facts.
expect 1 blocksweep -p "$other" --mood=bad --map=MAP01 in.wad -o out.wad
expect_sentence "in.wad: not in this mood"
expect_lumps_kept in.wad out.wad
expect 0 blocksweep -p "$other" --json --motto='say "so"' in.wad -o out.wad
for fact in '"name": "other"' '"version": "9.9"' '"lumps_seen": 10' \
    '"lumps_seen": 9' '"motto": "say \"so\""' '"least": -1'; do
    grep -qF "$fact" output || {
        cat output
        fail "$fact was expected in the report"
    }
done

# What it says when it ends is heard.
expect 0 env OTHER_STAGE=farewell "$BUILD_DIR/host/blocksweep" -p "$other" \
    in.wad -o out.wad
expect_sentence "in.wad: farewell"
expect 0 env OTHER_STAGE=farewell "$BUILD_DIR/host/blocksweep" -p "$other" \
    --json in.wad -o out.wad
! grep farewell output || fail "no map was expected to have this warning"

# verify needs the lines of a map and something to compare with, and says what
# is missing.
for stage in later early; do
    expect 1 env OTHER_STAGE=$stage "$BUILD_DIR/host/blocksweep" verify \
        -p "$other" --map=MAP01 in.wad
    expect_sentence "in.wad: MAP01: the stage other cannot read the lines"
    grep -q "linedefs which the map does not have" output &&
        fail "it is not known how many linedefs the map has"
done
expect 1 env OTHER_STAGE=decodes "$BUILD_DIR/host/blocksweep" verify \
    -p "$other" --map=MAP01 in.wad
expect_sentence "in.wad: MAP01: the stage other does not build"

# A value of any form and length comes to it as it was given.
value="a b = c $(printf '%080d' 0)"
expect 1 env OTHER_STAGE=decodes "$BUILD_DIR/host/blocksweep" verify \
    -p "$other" --prune="$value" --map=MAP01 in.wad
expect_sentence "in.wad: $value"

# Pictures take a stage that hands back the lines of a map.
for stage in later early; do
    for picture in "show --svg=picture" "show --html=picture" \
        "diff --svg=picture in.wad"; do
        # shellcheck disable=SC2086 # the words of a command line
        expect 1 env OTHER_STAGE=$stage "$BUILD_DIR/host/blocksweep" $picture \
            -p "$other" --map=MAP01 in.wad
        sort -u errors >once # diff says it of both files
        mv once errors
        expect_sentence "the stage other cannot read the lines of a map"
        [ ! -e picture ] || fail "no picture was expected"
    done
done

# Those that cannot be used.
rm out.wad
for fault in "refuses:does not serve version 1" "cut-off:is cut off" \
    "other-lumps:does not make BLOCKMAP"; do
    expect 2 env OTHER_STAGE="${fault%:*}" "$BUILD_DIR/host/blocksweep" \
        -p "$other" in.wad -o out.wad
    expect_sentence "$other: not a stage that can be used" "${fault#*:}"
done
for command in "build in.wad -o out.wad" "verify in.wad" \
    "diff in.wad in.wad"; do
    # shellcheck disable=SC2086 # the words of a command line
    expect 2 env OTHER_STAGE=no-instances "$BUILD_DIR/host/blocksweep" \
        $command -p "$other"
    expect_sentence "the stage other makes no instance: status 5"
done
[ ! -e out.wad ] || fail "nothing was expected to be written"
