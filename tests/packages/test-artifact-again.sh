#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a release that is made of the source in a release, in another
# folder and by somebody whose files nobody else may read, has the same bytes.

. "$SOURCE_DIR/tests/packages/artifacts.sh"
umask 077
tar -xf "$release.tar.xz"
cd "blocksweep-$version"
quietly ./configure -q
MAKEFLAGS='' quietly "${MAKE:-make}" -s release RELEASE_FOLDER="$folder/again"
diff "$RELEASE_FILES/SHA256SUMS" "$folder/again/SHA256SUMS" ||
    fail "the same files were expected"
