#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the packages of all distributions are of the version that this
# is, and that programs which know their forms find nothing wrong.
# `make check-packages` builds them.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

packaging=$SOURCE_DIR/packaging
version=$(package_version)

# expect_version FILE EXPRESSION: what sed prints of the file is the version.
expect_version() {
    found=$(sed -n "$2" "$packaging/$1" | head -n 1)
    [ "$found" = "$version" ] ||
        fail "$1 is for version '$found'; $version was expected"
}

expect_version debian/changelog 's/^blocksweep (\(.*\)-.*) .*/\1/p'
expect_version rpm/blocksweep.spec 's/^Version: *//p'
expect_version arch/PKGBUILD 's/^pkgver=//p'

# What those say who know the forms.
if has appstreamcli; then
    expect 0 appstreamcli validate --no-net \
        "$packaging"/appstream/*.metainfo.xml
fi
if has shellcheck; then
    cd "$SOURCE_DIR"
    expect 0 shellcheck -x packaging/*.sh packaging/arch/PKGBUILD \
        packaging/debian/tests/*-*
fi
