# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests for other machines share: each configures a release for its
# machine, builds the stage, the command and tests of their parts, runs these,
# and holds what the command writes against what the one here writes.  With
# FOREIGN_ALL in the environment these are all tests of parts, without it those
# that take little time.
#
# fetch-foreign.sh fetches what is linked.  FOREIGN_DIR names its folder, and
# is build-foreign in the build where it is not set.  MACHINE is set by the
# test, and RUN to what a program for it is run with.

# shellcheck disable=SC2154 # what library.sh sets

libraries=${FOREIGN_DIR:-$BUILD_DIR/build-foreign}/$MACHINE
multiarch=$MACHINE-linux-gnu
# shellcheck disable=SC2034 # for scripts
library_path=$libraries/lib/$multiarch:$libraries/usr/lib/$multiarch
wad=$freedoom_dir/freedoom2.wad
maps=MAP01-MAP10

need_foreign() {
    [ -d "$libraries" ] ||
        skip "$libraries is not there; tests/packages/fetch-foreign.sh makes it"
    [ -r "$wad" ] || skip "$wad is not there"
}

# make_in FOLDER ARGUMENT...: runs make there, for nothing else.
make_in() {
    build=$1
    shift
    expect 0 env MAKEFLAGS= "${MAKE:-make}" -s -C "$build" "$@"
}

# build_foreign CC: builds the module and the command in the folder build.
build_foreign() {
    make_in "$BUILD_DIR" distdir distdir="$folder/release"
    mkdir build
    (
        cd build || exit
        expect 0 env PKG_CONFIG_SYSROOT_DIR="$libraries" \
            PKG_CONFIG_LIBDIR="$libraries/usr/lib/$multiarch/pkgconfig" \
            ../release/configure -q --host="$multiarch" --enable-werror \
            --without-adapters CC="$1" CFLAGS=-O2 CPPFLAGS=-DSLOWNESS=8
    )
    make_in build plugin/blocksweep.la host/blocksweep
}

# Builds and runs the tests of parts, nothing else of make check.
run_foreign_tests() {
    # shellcheck disable=SC2016 # for make
    tests='$(FOREIGN_SHORT_TESTS)'
    # shellcheck disable=SC2016
    [ -z "${FOREIGN_ALL-}" ] || tests='$(FOREIGN_TESTS)'
    expect 0 env MAKEFLAGS= CK_TIMEOUT_MULTIPLIER=30 "${MAKE:-make}" -s \
        -C build check LOG_COMPILER="$RUN" TESTS="$tests" VERBOSE=1
    grep '^# PASS:' output
}

blocksweep_there() {
    # shellcheck disable=SC2086 # words
    $RUN build/host/blocksweep --plugin=build/plugin/.libs/blocksweep.so "$@"
}

# expect_same_from FILE OPTION...
expect_same_from() {
    in=$1
    shift
    expect 0 blocksweep --quiet "$@" "$in" -o here.wad
    expect 0 blocksweep_there --quiet "$@" "$in" -o there.wad
    cmp here.wad there.wad || fail "$*: other bytes on $MACHINE"
}

# Every way to read a map, to choose a grid and to pack.
expect_same_bytes() {
    expect_same_from "$wad" --map=$maps
    expect_same_from "$wad" --map=$maps --pack=none --overflow=xbm1
    expect_same_from "$wad" --map=$maps --source=lump --pack=nest --header=any
    expect_same_from "$wad" --map=$maps --grid=fit --prune=inert --pack=cover \
        --header=none
    expect_same_from "$wad" --map=$maps --grid=id --format=xbm1
    expect_same_from "$wad" --map=$maps --preset=vanilla --grid=fit \
        --fit=vanilla
    expect_same_from "$wad" --map=MAP01,MAP09 --preset=small
    for form in hexen doom64 udmf tenths; do
        "$BUILD_DIR/tests/help/convertwad" convert "$wad" $form.wad \
            MAP01=$form MAP07=$form
        expect_same_from $form.wad --grid=fit
    done
}
