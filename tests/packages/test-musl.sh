#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a build with musl in place of glibc has no warning, passes tests of
# what asks the C library for most, and writes the same bytes, by the command that
# loads the stage and by the one that is linked with it alone.

. "$SOURCE_DIR/tests/help/library.sh"
is_sanitized && skip "sanitizers are built for glibc"
libraries=${FOREIGN_DIR:-$BUILD_DIR/build-foreign}/musl
need musl-gcc
[ -d "$libraries" ] || skip "$libraries is not there;" \
    "tests/packages/fetch-foreign.sh makes it"

make_in "$BUILD_DIR" distdir distdir="$folder/release"

# configure_musl FOLDER OPTION...: configures there.
configure_musl() {
    (
        mkdir "$1"
        # The second need not find out again what the compiler can do.
        [ ! -e plugin/config.cache ] || cp plugin/config.cache "$1"
        cd "$1" || exit
        shift
        expect 0 ../release/configure -q -C --enable-werror "$@" \
            CC=musl-gcc CFLAGS=-O1 CPPFLAGS=-DSLOWNESS=8 \
            ZLIB_CFLAGS="-I$libraries/include" ZLIB_LIBS="-L$libraries/lib -lz" \
            CHECK_CFLAGS="-I$libraries/include" \
            CHECK_LIBS="-L$libraries/lib -lcheck -lrt -lm"
    )
}

configure_musl plugin
make_in plugin -j2
configure_musl only --with-stage=only
make_in only command/blocksweep
readelf -d plugin/command/blocksweep plugin/plugin/.libs/blocksweep.so |
    sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u | expect_text - libc.so
! readelf -d only/command/blocksweep | grep NEEDED ||
    fail "no library was expected"
for options in --grid=fit --preset=small --preset=vanilla; do
    expect 0 blocksweep --quiet "$options" "$sample" -o here.wad
    for build in plugin only; do
        expect 0 $build/run blocksweep --quiet "$options" "$sample" -o there.wad
        expect_same here.wad there.wad
    done
done
# shellcheck disable=SC2016 # for make
expect 0 env MAKEFLAGS= CK_FORK=no "${MAKE:-make}" -s -C plugin -j2 check \
    TESTS='$(MUSL_TESTS)' VERBOSE=1
expect_match output '^# PASS:  14$'
