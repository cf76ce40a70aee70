#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a build without vector code, for a machine whose bytes are in the
# other order, passes the tests of its parts and writes the same bytes.

. "$SOURCE_DIR/tests/help/library.sh"
MACHINE=s390x TRIPLET=s390x-linux-gnu flags=--disable-vector
. "$SOURCE_DIR/tests/packages/foreign.sh"

test_foreign qemu-s390x -L /usr/$TRIPLET -E LD_LIBRARY_PATH="$library_path"
