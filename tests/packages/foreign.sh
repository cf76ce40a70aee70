# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests for other machines share: each configures a release for its
# machine, builds the command, the stage and tests of their parts, runs these,
# and has the command write the same bytes there as here.  FOREIGN_ALL in the
# environment takes all tests of parts, not only those that take little time.
#
# MACHINE is the machine as Debian names it, and TRIPLET begins the names of its
# programs; flags are for configure.  What is linked is
# in a folder that fetch-foreign.sh has made: FOREIGN_DIR, or build-foreign in
# the build.

# shellcheck disable=SC2154 # what library.sh sets

foreign_dir=${FOREIGN_DIR:-$BUILD_DIR/build-foreign}/$MACHINE
libraries=usr/lib/$MACHINE-linux-gnu
# shellcheck disable=SC2034 # for scripts
library_path=$foreign_dir/lib/$MACHINE-linux-gnu:$foreign_dir/$libraries
wad=$freedoom_dir/freedoom2.wad
maps=MAP01-MAP10

# test_foreign COMMAND...: runs programs of the machine by this command.
test_foreign() {
    run="$*"
    need "$TRIPLET-gcc" "$1"
    [ -d "$foreign_dir" ] || skip "$foreign_dir is not there;" \
        "tests/packages/fetch-foreign.sh makes it"
    [ -r "$wad" ] || skip "$wad is not there"
    echo 'int main(void) { return 0; }' >try.c
    { "$TRIPLET-gcc" try.c -o try && $run ./try; } 2>errors ||
        skip "programs for $MACHINE do not run: $(tail -n 1 errors)"
    build_foreign
    expect_same_bytes
    run_foreign_tests
}

build_foreign() {
    make_in "$BUILD_DIR" distdir distdir="$folder/release"
    mkdir build
    (
        cd build || exit
        # shellcheck disable=SC2086 # flags are words
        expect 0 env PKG_CONFIG_SYSROOT_DIR="$foreign_dir" \
            PKG_CONFIG_LIBDIR="$foreign_dir/$libraries/pkgconfig" \
            ../release/configure -q --build=x86_64-linux-gnu --host="$TRIPLET" \
            --enable-werror --disable-static $flags \
            CC="$TRIPLET-gcc" CFLAGS=-O1 CPPFLAGS=-DSLOWNESS=8
    )
    make_in build plugin/blocksweep.la command/blocksweep
}

# Builds and runs the tests of parts, nothing else of make check.  Each program is
# one process, as an emulator is slow to start others.
run_foreign_tests() {
    tests='$(FOREIGN_SHORT_TESTS)'
    [ -z "${FOREIGN_ALL-}" ] || tests='$(FOREIGN_TESTS)'
    expect 0 env MAKEFLAGS= CK_FORK=no "${MAKE:-make}" -s \
        -C build check LOG_COMPILER="$run" TESTS="$tests" VERBOSE=1
    grep '^# PASS:' output
}

# expect_same_from FILE OPTION...
expect_same_from() {
    in=$1
    shift
    expect 0 blocksweep --quiet --json "$@" "$in" -o here.wad
    grep '"steps"' output >here.steps
    # shellcheck disable=SC2086 # words
    expect 0 $run build/command/blocksweep --quiet --json "$@" \
        --plugin=build/plugin/.libs/blocksweep.so "$in" -o there.wad
    expect_same here.wad there.wad
    grep '"steps"' output | diff here.steps - || fail "steps are others there"
}

# Every way to read a map, to choose a grid and to pack.
expect_same_bytes() {
    expect_same_from "$wad" --map=$maps
    expect_same_from "$wad" --map=$maps --overflow=xbm1
    expect_same_from "$wad" --map=$maps --lists=lump --pack=nest --for=boom
    expect_same_from "$wad" --map=$maps --grid=fit --prune=inert --pack=nest \
        --for=crispy
    expect_same_from "$wad" --map=$maps --grid=id --for=woof-dev --format=xbm1
    expect_same_from "$wad" --map=$maps --preset=vanilla --grid=fit
    expect_same_from "$wad" --map=MAP01,MAP09 --preset=small
    expect_same_from "$wad" --map=MAP01,MAP09 --grid=search
    expect_same_from "$wad" --map=MAP01,MAP09 --preset=vanilla
    for form in hexen doom64 udmf tenths; do
        make_wad convert "$wad" $form.wad \
            MAP01=$form MAP07=$form
        expect_same_from $form.wad --grid=fit
    done
}
