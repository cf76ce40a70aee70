#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a builder's configure script finds the header and the folder of
# stages with NBSTAGE_CHECK, and what it does without them.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

for tool in autoconf aclocal pkg-config; do
    has $tool || skip "$tool is not there"
done

install_to "$folder/root"
macros=$(dirname "$(find "$folder/root" -name nbstage.m4)")
includedir=$(variable includedir)
plugindir=$(variable plugindir)
kitdir=$(variable kitdir)

# configure_with ARGUMENTS: makes a project whose configure.ac has
# NBSTAGE_CHECK with these arguments.
configure_with() {
    rm -rf builder
    mkdir builder
    cat >builder/configure.ac <<EOM
AC_INIT([builder], [1])
NBSTAGE_CHECK$1
AC_SUBST([outcome])
AC_CONFIG_FILES([found])
AC_OUTPUT
EOM
    echo '@NBSTAGE_CFLAGS@ @NBSTAGE_PLUGINDIR@ @NBSTAGE_KITDIR@ @outcome@' >builder/found.in
    (cd builder && aclocal -I "$macros" && autoconf)
}

# configure: runs it where nbstage.pc is found; without_nbstage: where not.
configure() {
    (
        cd builder
        PKG_CONFIG_PATH=$(dirname "$(find "$folder/root" -name nbstage.pc)")
        export PKG_CONFIG_PATH PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
        ./configure -q
    )
}
without_nbstage() {
    (cd builder && PKG_CONFIG_LIBDIR=/nonexistent ./configure -q)
}

# expect_found TEXT: what configure has substituted.
expect_found() {
    [ "$(tr -s ' ' <builder/found | sed 's/^ //; s/ $//')" = "$1" ] || {
        cat builder/found
        fail "'$1' was expected"
    }
}

configure_with ""
expect 0 configure
expect_found "-I$includedir $plugindir $kitdir"
expect 1 without_nbstage
grep -q 'nbstage' errors || fail "a word on nbstage was expected"

configure_with '([outcome=yes], [outcome=no])'
expect 0 configure
expect_found "-I$includedir $plugindir $kitdir yes"
expect 0 without_nbstage
expect_found "no"
