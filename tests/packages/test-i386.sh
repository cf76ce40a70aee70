#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a build for a machine with pointers and sizes of 32 bits passes
# the tests of its parts and writes the same bytes.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
MACHINE=i386
# shellcheck source=tests/packages/foreign.sh
. "$SOURCE_DIR/tests/packages/foreign.sh"
# shellcheck disable=SC2034 # for foreign.sh
RUN="env LD_LIBRARY_PATH=$library_path"

need_foreign
# The headers of the kernel are those of the machine.
compiler="gcc -m32 -idirafter /usr/include/$(gcc -print-multiarch 2>/dev/null)"
echo 'int main(void) { return 0; }' >try.c
{ $compiler try.c -o try 2>errors && ./try; } ||
    skip "gcc does not compile for 32 bits"
build_foreign "$compiler"
expect_same_bytes
run_foreign_tests
