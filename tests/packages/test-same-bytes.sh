#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the stage has the same bytes, debugging information included, in
# whatever folders its source and its build are.

. "$SOURCE_DIR/tests/help/library.sh"

make_in "$BUILD_DIR" distdir distdir="$folder/release"
for place in here another/of-a-longer-name; do
    mkdir -p "$place/build"
    cp -R release "$place/source"
    # The second need not find out again what the compiler can do.
    [ ! -e config.cache ] || cp config.cache "$place/build"
    (
        cd "$place/build"
        expect 0 "$folder/$place/source/configure" -q -C --without-command \
            CFLAGS="-g -O0"
    )
    make_in "$place/build" plugin/blocksweep.la
    cp "$place/build/config.cache" .
done
stage=plugin/.libs/blocksweep.so
expect_same here/build/$stage another/of-a-longer-name/build/$stage
