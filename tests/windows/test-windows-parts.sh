#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the parts of the stage do on Windows what their tests say, with 64
# bits, or with those of MACHINES, such as "x86_64 i686".  Two tests are left
# out: they load stages as POSIX does, or send signals; and with 32 bits those
# that take long.

# shellcheck disable=SC2086 # lists are words

. "$SOURCE_DIR/tests/help/library.sh"
. "$SOURCE_DIR/tests/windows/windows.sh"

unset LONG # they prove no more here
tests=$(cd "$SOURCE_DIR" && echo tests/unit/test-*.c |
    sed 's|[^ ]*-host-kit.c||; s|[^ ]*-search-host.c||; s|[.]c\>|.exe|g')
SOURCE_DIR=Z:$SOURCE_DIR
export SOURCE_DIR
for machine in ${MACHINES:-x86_64}; do
    build_windows $machine plugin/blocksweep.la
    build_windows $machine $tests AM_LDFLAGS=-all-static CHECK_LIBS= \
        CHECK_CFLAGS="-I${SOURCE_DIR#Z:}/tests/windows"
    for test in $tests; do
        expect 0 env PLUGIN="Z:$folder/$machine/plugin/.libs/blocksweep.dll" \
            wine $machine/$test
        expect_match output ' tests passed'
    done
    echo "$machine: $(echo $tests | wc -w) programs"
    tests=$(printf '%s\n' $tests | grep -vE 'fit|search|shapes|large|geometry')
done
