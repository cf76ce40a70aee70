#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command and the stage, compiled for 32 bits, write the same
# bytes as those that were built, for every way to choose a grid and to pack.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

wad=$freedoom_dir/freedoom2.wad
[ -r "$wad" ] || skip "$wad is not there"

# The headers of the kernel are those of the machine.
headers=/usr/include/$(gcc -print-multiarch 2>/dev/null)
compile() {
    clang -m32 -std=c11 -O1 -idirafter "$headers" -I"$BUILD_DIR" "$@" \
        -lz -lpthread
}

printf '#include <zlib.h>\nint main(void) { return !zlibVersion(); }\n' >try.c
compile try.c -o try 2>errors && ./try ||
    skip "there is no compiler for 32 bits with zlib"
compile -fPIC -shared -I"$SOURCE_DIR/src" -I"$SOURCE_DIR/plugin" \
    "$SOURCE_DIR"/src/*.c "$SOURCE_DIR"/src/*/*.c "$SOURCE_DIR"/plugin/*.c \
    -o blocksweep.so
compile -I"$SOURCE_DIR/host" -I"$SOURCE_DIR/plugin" -I"$SOURCE_DIR/kit" \
    -I"$BUILD_DIR/host/picture" -DPLUGINDIR='"/nonexistent"' \
    "$SOURCE_DIR"/host/*.c "$SOURCE_DIR"/host/*/*.c "$SOURCE_DIR"/kit/*.c \
    -o narrow

# expect_same_bytes OPTION...
expect_same_bytes() {
    expect 0 blocksweep --quiet "$@" "$wad" -o wide.wad
    expect 0 ./narrow --plugin=./blocksweep.so --quiet "$@" "$wad" \
        -o narrow.wad
    cmp wide.wad narrow.wad || fail "$*: other bytes with 32 bits"
}

expect_same_bytes
expect_same_bytes --pack=none --overflow=xbm1
expect_same_bytes --source=lump --pack=nest --header=any
expect_same_bytes --grid=fit --prune=inert --pack=cover --header=none
expect_same_bytes --grid=id --format=xbm1 --pack=share --header=none
expect_same_bytes --grid=search --map=MAP01-MAP08
expect_same_bytes --preset=small --map=MAP01-MAP08
expect_same_bytes --preset=vanilla --map=MAP09-MAP12
