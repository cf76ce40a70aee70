#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves with valgrind that the command leaks nothing and reads and writes
# nothing that is not its own, whatever it is given.

. "$SOURCE_DIR/tests/help/library.sh"
write_room

is_sanitized && skip "valgrind and sanitizers exclude each other"
need valgrind

# expect_valgrind STATUS COMMAND...: the same as expect, and valgrind has nothing
# to say of the command.
expect_valgrind() {
    expected=$1
    shift
    expect "$expected" as_built valgrind --quiet --error-exitcode=99 \
        --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all \
        --suppressions="$SOURCE_DIR/tests/help/valgrind.supp" "$@"
    ! grep '^==' "$folder/errors" || fail "valgrind has found something"
}

{ room MAP01; room MAP02 | without BLOCKMAP; echo "DATA @2 3 9"; } |
    wadtool make PWAD in.wad
expect_valgrind 0 blocksweep --json --backup --in-place \
    --map=MAP01-MAP02,MAP02 in.wad
expect_valgrind 0 blocksweep --grid=id "$sample" -o out.wad

# Damaged in all ways at once, and from the start.
words 0 0 512 512 >large-grid
{ linedef 0 1; linedef 0 9; } >wild
{
    room MAP01 | replacing BLOCKMAP large-grid
    room MAP02 | replacing LINEDEFS wild
    room MAP03 | without LINEDEFS
    room MAP04
    echo "DATA $folder/THINGS"
    room MAP05
} | wadtool make PWAD bad.wad
wadtool set bad.wad MAP04/VERTEXES size 99999
wadtool set bad.wad DATA/THINGS position 99999
expect_valgrind 1 blocksweep --grid=keep bad.wad -o out.wad
expect_valgrind 1 blocksweep --overflow=error --json --grid=keep bad.wad \
    -o out.wad
wadtool set bad.wad count 12345
expect_valgrind 1 blocksweep bad.wad -o out.wad
: >bad.wad
expect_valgrind 1 blocksweep bad.wad -o out.wad
echo "DATA $folder/THINGS" | wadtool make PWAD mapless.wad
expect_valgrind 1 blocksweep verify mapless.wad

# Wrong usage, files that cannot be, and stages that can be used and that
# cannot, in folders that are and are not.
mkdir stages
cp "$BUILD_DIR/tests/command/.libs/other-stage.so" stages
ln -s nothing stages/nowhere.so
: >stages/text.so
NBSTAGE_PLUGIN_PATH=$folder/stages:$folder/no-stages
export NBSTAGE_PLUGIN_PATH
while read -r code arguments; do
    # shellcheck disable=SC2086 # words
    expect_valgrind "$code" blocksweep $arguments </dev/null
done <<END
0 --help
2 in.wad -o out.wad --nonsense
2 in.wad -o out.wad --grid=nonsense
2 in.wad -o out.wad --map=MAP09
2 in.wad -o out.wad --plugin=./in.wad
3 nowhere.wad -o out.wad
3 $folder -o out.wad
3 in.wad -o nowhere/out.wad
0 --version --plugin=stages/other-stage.so
0 --version --plugin=text
0 --version --plugin=nowhere
END
