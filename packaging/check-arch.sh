#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that PKGBUILD makes a package of a release, RELEASE: runs its functions
# as makepkg does, and lists what would be packed.

set -euo pipefail
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

packaging=$SOURCE_DIR/packaging
need shellcheck
unset MAKEFLAGS MFLAGS MAKELEVEL || : # those of this check

shellcheck "$packaging/arch/PKGBUILD"
srcdir=$folder/src
pkgdir=$folder/pkg
mkdir "$srcdir" "$pkgdir"
# shellcheck source=packaging/arch/PKGBUILD
. "$packaging/arch/PKGBUILD"
[ "$(basename "$RELEASE")" = "${source[0]}" ] ||
    fail "PKGBUILD asks for ${source[0]}; this is $RELEASE"
tar -xf "$RELEASE" -C "$srcdir"
# In this shell, so that -e reaches into them, which it does not in conditions
# and so not where they were to be quiet; each begins in srcdir.
for step in build check package; do
    cd "$srcdir"
    $step
done
cd "$pkgdir"
find . ! -type d | sort
