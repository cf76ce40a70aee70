#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a build for a machine with pointers and sizes of 32 bits passes
# the tests of its parts and writes the same bytes.

. "$SOURCE_DIR/tests/help/library.sh"
MACHINE=i386 TRIPLET=i686-linux-gnu flags=
. "$SOURCE_DIR/tests/packages/foreign.sh"

test_foreign /usr/$TRIPLET/lib/ld-linux.so.2 --library-path \
    "$library_path:/usr/$TRIPLET/lib"
