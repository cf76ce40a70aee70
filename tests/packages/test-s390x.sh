#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a build for a machine whose bytes are in the other order passes
# the tests of its parts and writes the same bytes.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
MACHINE=s390x
# shellcheck source=tests/packages/foreign.sh
. "$SOURCE_DIR/tests/packages/foreign.sh"
# shellcheck disable=SC2034 # for foreign.sh
RUN="qemu-s390x -L /usr/s390x-linux-gnu -E LD_LIBRARY_PATH=$library_path"

need s390x-linux-gnu-gcc qemu-s390x
need_foreign
build_foreign s390x-linux-gnu-gcc
expect_same_bytes
run_foreign_tests
