#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that every fuzz target keeps its promises on the inputs that fuzzing
# begins with and on those that it once failed on.

. "$SOURCE_DIR/tests/help/library.sh"

case ${SANITIZE_FLAGS-} in
*fuzzer*) skip "the targets have libFuzzer's main function" ;;
esac

mkdir seeds
expect 0 "$BUILD_DIR/tests/fuzz/seeds" seeds
for target in build wad; do
    set -- "seeds/target-$target"/*
    regressions=$SOURCE_DIR/tests/fuzz/regressions/target-$target
    [ ! -d "$regressions" ] || set -- "$@" "$regressions"/*
    expect 0 "$BUILD_DIR/tests/fuzz/target-$target" "$@"
    expect_match output '^[1-9][0-9]* inputs$'
done
