#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that diff says what changed for demos in the word that a build has for
# the same change; that the lumps of a map may be the same all the same; and that
# only maps whose demos may go out of sync are counted.

. "$SOURCE_DIR/tests/help/library.sh"
write_room
need_json

# expect_change WORD STATUS TEXT DEMOS OPTION... -- NUMBER...: a room whose lump
# is of these words is built; then diff ends so, prints the text as a line, or
# no change for "", and says that demos may go out of sync or not.
expect_change() {
    change_word=$1
    status_of_diff=$2
    text=$3
    demos=$4
    shift 4
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    words "$@" >BLOCKMAP
    make_room old.wad
    # shellcheck disable=SC2086 # words
    expect 0 blocksweep --json $options old.wad -o new.wad
    read_json
    expect_facts maps.0.change "$change_word"
    expect "$status_of_diff" blocksweep diff --json old.wad new.wad
    read_json
    expect_facts maps.0.change "$change_word"
    expect "$status_of_diff" blocksweep diff old.wad new.wad
    [ -z "$text" ] || expect_line "$text"
    [ -n "$text" ] || expect_not_in output "different " "stored anew"
    case $demos in
    demos) expect_line "Demos of 1 map may go out of sync" ;;
    *) expect_not_in output "out of sync" ;;
    esac
}

# The room's linedefs 0, 1 and 3 are in the first block; 1, 2 and 3 in the other.
keep="--grid=keep"
exact="0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 65535"
# shellcheck disable=SC2086 # words
{
    expect_change none 0 "" "" $keep -- $exact
    expect_change storage 0 "same lists, stored anew" "" $keep -- \
        0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 65535 9 9
    expect_change order 0 "different order in lists" demos $keep -- \
        0 0 2 1 6 11 0 3 1 0 65535 0 1 2 3 65535
    # A linedef that is listed twice.
    expect_change order 0 "different order in lists" demos $keep -- \
        0 0 2 1 6 11 0 0 1 3 65535 0 1 2 2 3 65535
    expect_change headers 0 "headers none -> zero" demos $keep -- \
        0 0 2 1 6 10 0 1 3 65535 1 2 3 65535
    # Headers of one kind, but with other words.
    expect_change headers 0 "different headers" demos $keep --for=zdoom \
        --pack=nest -- 0 0 2 1 6 11 3 0 1 3 65535 3 1 2 3 65535
    expect_change lists 1 "block 0,0 at 0,0, only new: 3" demos $keep -- \
        0 0 2 1 6 10 0 0 1 65535 0 1 2 3 65535
    # By a whole block.
    expect_change grid 0 "grid -128,0 3x1 -> 0,0 2x1" demos --grid=0,0 -- \
        65408 0 3 1 7 9 14 0 65535 0 0 1 3 65535 0 1 2 3 65535
    expect_change first 1 "form empty -> classic" demos $keep --
}
