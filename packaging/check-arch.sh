#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that PKGBUILD makes a package of a release, RELEASE: runs its functions
# as makepkg does, and lists what would be packed.

set -euo pipefail
packaging=$SOURCE_DIR/packaging
command -v shellcheck >/dev/null || {
    echo "shellcheck is not there"
    exit 77
}
unset MAKEFLAGS MFLAGS MAKELEVEL || : # those of this check
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

shellcheck "$packaging/arch/PKGBUILD"
srcdir=$folder/src
pkgdir=$folder/pkg
mkdir "$srcdir" "$pkgdir"
# shellcheck source=packaging/arch/PKGBUILD
. "$packaging/arch/PKGBUILD"
[ "$(basename "$RELEASE")" = "${source[0]}" ]
tar -xf "$RELEASE" -C "$srcdir"
# In this shell, so that -e reaches into them; each begins in srcdir.
for step in build check package; do
    cd "$srcdir"
    $step
done
cd "$pkgdir"
find . ! -type d | sort
