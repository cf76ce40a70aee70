#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the benchmark works with Freedoom and without it, and against
# another build.

. "$SOURCE_DIR/tests/help/library.sh"

export BUILD_DIR
bench=$BUILD_DIR/tests/bench/bench

# Without Freedoom: maps that are the same in every run.
expect 0 "$bench" --quick --freedoom=nowhere
expect_match output '^nowhere/freedoom2.wad is not there, '
expect_match output '^A map of four lines  *4  *22  *[0-9.]* us '
expect_match output '^100000 lines  *171812  *1551344  *[0-9.]* ms '
expect_count 0 output '^Freedoom'

# With all there is, against itself.
if [ -r "$freedoom_dir/freedoom2.wad" ]; then
    expect 0 "$bench" --quick --freedoom="$freedoom_dir" --against="$BUILD_DIR"
    expect_match output '^Freedoom, lumps .* [0-9]*\.[0-9]* % *[0-9]*\.[0-9]*$'
    expect_count 0 output '.\{81\}'
    # A map is the same in arrays and behind pointers.
    sed -n 's/^Freedoom, \(arrays\|pointers\) *\([0-9]* *[0-9]*\) .*/\2/p' \
        output | uniq -c >rows
    expect_match rows '^ *2 '
fi

# Failures are a sentence.
for arguments in --nonsense "--quick more" --against=nowhere; do
    # shellcheck disable=SC2086 # two words
    expect 1 "$bench" $arguments
    expect_count 1 errors
done
