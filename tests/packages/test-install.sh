#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that an installation has all its parts where nbstage.pc says they
# are, that the installed command works with the installed stage, that the
# configure script of a builder finds it with NBSTAGE_CHECK, and what that does
# without it, and that all of it can be removed.

. "$SOURCE_DIR/tests/help/library.sh"

need pkg-config

version=$(package_version)

install_to "$folder/root"
# A build may be without the command, mandoc, or the completion of a shell.
is_without() {
    grep -qF "S[\"$1_TRUE\"]=\"#\"" "$BUILD_DIR/config.status" ||
        grep -q "^$1 = *$" "$BUILD_DIR/Makefile"
}
while read -r part files; do
    case $part in
    *dir) ! is_without COMMAND || continue ;;
    esac
    # shellcheck disable=SC2086 # words
    [ "$part" != all ] && is_without "$part" || printf '%s\n' $files
done <<'END' | sort >expected
all CMakeLists.txt blockmap.5 blocksweep-stage.7 blocksweep.so host.py
all builders.md hosting.md
all meson.build minimal-host.c nbstage-config-version.cmake
all nbstage-config.cmake nbstage-host.c nbstage-host.h nbstage.3
all nbstage.h nbstage.m4 nbstage.pc skeleton-stage.c source-port.c
all write-a-stage.md
COMMAND README.md blocksweep blocksweep.1 blocksweep.cfg nodebuilders.cfg
COMMAND example.blocksweep.blocksweep.metainfo.xml
HTML_MANUALS blockmap.5.html blocksweep-stage.7.html blocksweep.1.html
HTML_MANUALS manual.css nbstage.3.html
bashcompletiondir blocksweep.bash
zshcompletiondir _blocksweep
END
find root ! -type d | sed 's,.*/,,' | sort | diff expected - ||
    fail "other files were expected"

# expect_at PATH FILE: an installed file is at this path, as it was built.
expect_at() {
    [ -f "root$1" ] || fail "$1 is not there"
    [ -z "${2-}" ] || expect_same "root$1" "$2"
}

plugins=root$(variable plugindir)
ls "$plugins" | expect_text - blocksweep.so
variable plugindir | expect_text - "$(variable libdir)/nbstage"
expect_at "$(variable includedir)/nbstage.h" "$SOURCE_DIR/include/nbstage.h"
expect_at "$(variable includedir)/nbstage-host.h" \
    "$SOURCE_DIR/builders/kit/nbstage-host.h"
expect_at "$(variable kitdir)/nbstage-host.c" "$SOURCE_DIR/builders/kit/nbstage-host.c"
for file in man/man3/nbstage.3 man/man5/blockmap.5 \
    man/man7/blocksweep-stage.7 aclocal/nbstage.m4 \
    "doc/*/hosting.md" "doc/*/write-a-stage.md" \
    man/man1/blocksweep.1 blocksweep/editors/README.md \
    blocksweep/editors/nodebuilders.cfg blocksweep/editors/blocksweep.cfg; do
    case $file in
    *man1* | *editors*) ! is_without COMMAND || continue ;;
    esac
    find root -path "*/$file" | grep -q . || fail "$file is not there"
done
diff -r -x vendored-host.c "$SOURCE_DIR/builders/examples" "$(find root -path '*/doc/*/examples')" ||
    fail "all examples were expected to be installed"

# The flags find the header.
PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 package --cflags | tr -d ' ' |
    expect_text - "-I$(variable includedir)"
package --modversion | expect_text - "$version"

# What is loaded looks for libraries nowhere but where the system does.
if has readelf; then
    find root -path '*/bin/*' -o -name '*.so' | while read -r file; do
        readelf -d "$file" >dynamic
        expect_in dynamic NEEDED
        ! grep -E 'R(UN)?PATH' dynamic || fail "$file has a path of its own"
    done
else
    echo "readelf is not there: paths in programs are not looked at"
fi

# The command, with a stage that is not that of the build tree.
if ! is_without COMMAND; then
    command=$(find root -path '*/bin/blocksweep')
    [ -x "$command" ] || fail "the command is not there"
    NBSTAGE_PLUGIN_PATH=$folder/$plugins
    export NBSTAGE_PLUGIN_PATH
    expect 0 "$command" "$sample" -o out.wad
    expect_build "$sample" -o expected.wad
    expect_same out.wad expected.wad
    unset NBSTAGE_PLUGIN_PATH
fi

# What nbstage(3) compiles a host with finds the installed kit, and the
# host the installed stage.  The folders of the installation are within root.
page=$(find "$folder/root" -path '*/man3/nbstage.3')
sed -n '/^#include/,/^\.Ed/p' "$page" | sed '/^\.Ed/d; s/\\e/\\/g' >host.c
sed -n '/^cc /,/^\.Ed/p' "$page" | sed '/^\.Ed/d; s/\\e/\\/g
    s/^cc /$CC $WARNINGS $SANITIZE_FLAGS /' >compile
[ -s host.c ] || fail "nbstage.3 has no program"
[ -s compile ] || fail "nbstage.3 does not tell how to compile it"
mkdir pkgconfig
sed "s,=/,=$folder/root/," "$(find root -name nbstage.pc)" \
    >pkgconfig/nbstage.pc
expect 0 env PKG_CONFIG_PATH="$folder/pkgconfig" CC="${CC:-cc}" \
    WARNINGS="-std=c99 -pedantic-errors -Wall -Wextra -Wshadow -Wconversion \
        -Werror" SANITIZE_FLAGS="${SANITIZE_FLAGS-}" sh ./compile
expect 0 ./host blocksweep
expect_match output '^BLOCKMAP: [1-9][0-9]* bytes$'
expect_no_errors
expect 1 ./host no-such-stage
expect_match errors "^there is no stage 'no-such-stage' in $folder/root/"
expect 0 ./host ""
expect_text output "BLOCKMAP as this builder makes it"

# --- The macro ---

# configure_with ARGUMENTS: makes the configure script of a builder that has
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
    echo '@NBSTAGE_CFLAGS@ @NBSTAGE_PLUGINDIR@ @NBSTAGE_KITDIR@ @outcome@' \
        >builder/found.in
    (cd builder && aclocal -I "$macros" && autoconf)
}

# expect_configured STATUS VARIABLE TEXT: configure, with this in its
# environment, ends with this and substitutes the text.
expect_configured() {
    expect "$1" env -C builder "$2" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
        ./configure -q
    [ "$1" -ne 0 ] || tr -s ' ' <builder/found | sed 's/^ //; s/ $//' |
        expect_text - "$3"
}

if has autoconf && has aclocal; then
    macros=$(dirname "$(find "$folder/root" -name nbstage.m4)")
    here=PKG_CONFIG_PATH=$(dirname "$(find "$folder/root" -name nbstage.pc)")
    nowhere=PKG_CONFIG_LIBDIR=/nonexistent
    found="-I$(variable includedir) $(variable plugindir) $(variable kitdir)"
    configure_with ""
    expect_configured 0 "$here" "$found"
    expect_configured 1 $nowhere
    expect_in errors nbstage
    configure_with '([outcome=yes], [outcome=no])'
    expect_configured 0 "$here" "$found yes"
    expect_configured 0 $nowhere no
else
    echo "autoconf is not there: NBSTAGE_CHECK is not tried"
fi

make_in "$BUILD_DIR" uninstall DESTDIR="$root"
find root ! -type d >left
expect_text left ""
