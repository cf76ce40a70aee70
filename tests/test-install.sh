#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that an installation has all its parts where nbstage.pc says they
# are, and that the installed command works with the installed stage.

set -eu
# shellcheck source=tests/library.sh
. "$SOURCE_DIR/tests/library.sh"

has pkg-config || skip "pkg-config is not there"

install_to "$folder/root"
find root ! -type d | sed 's,.*/,,' | grep -v '\.la$' | sort >installed
# A build may be without adapters.
has_adapters() {
    [ -e "$BUILD_DIR/adapters/glbsp/glbsp-blocksweep" ]
}
has_adapters || printf '%s\n' glbsp-adapter.so glbsp-blocksweep \
    glbsp-blocksweep.1 | sort -o installed - installed
# Or without the completion of a shell.
for file in bash/blocksweep.bash zsh/_blocksweep fish/blocksweep.fish; do
    ! grep -q "^${file%/*}completiondir = *$" "$BUILD_DIR/Makefile" ||
        echo "${file#*/}" | sort -o installed - installed
done
expect_text installed "README.md
_blocksweep
blocksweep
blocksweep-stage.7
blocksweep.1
blocksweep.bash
blocksweep.cfg
blocksweep.fish
blocksweep.so
double-host.c
fixed-point-host.c
glbsp-adapter.so
glbsp-blocksweep
glbsp-blocksweep.1
hosting.md
integer-host.c
minimal-host.c
nbstage-host.3
nbstage-host.c
nbstage-host.h
nbstage.3
nbstage.h
nbstage.m4
nbstage.pc
nodebuilders.cfg"

# expect_at PATH FILE: an installed file is at this path, as it was built.
expect_at() {
    [ -f "root$1" ] || fail "$1 is not there"
    [ -z "${2-}" ] || expect_same "root$1" "$2"
}

expect_at "$(variable plugindir)/blocksweep.so"
[ "$(variable plugindir)" = "$(variable libdir)/nbstage" ] ||
    fail "stages were expected in nbstage in the folder of libraries"
expect_at "$(variable includedir)/nbstage.h" "$SOURCE_DIR/plugin/nbstage.h"
expect_at "$(variable includedir)/nbstage-host.h" \
    "$SOURCE_DIR/kit/nbstage-host.h"
expect_at "$(variable kitdir)/nbstage-host.c" "$SOURCE_DIR/kit/nbstage-host.c"
for file in man1/blocksweep.1 man3/nbstage.3 man3/nbstage-host.3 \
    man7/blocksweep-stage.7; do
    find root -path "*/man/$file" | grep -q . || fail "$file is not there"
done
find root -path '*/aclocal/nbstage.m4' | grep -q . ||
    fail "nbstage.m4 is not there"

for file in README.md nodebuilders.cfg blocksweep.cfg; do
    find root -path "*/blocksweep/editors/$file" | grep -q . ||
        fail "$file is not there"
done
for file in integer-host.c fixed-point-host.c double-host.c minimal-host.c; do
    found=$(find root -path "*/doc/*/examples/$file")
    [ -n "$found" ] || fail "$file is not there"
    expect_same "$found" "$SOURCE_DIR/examples/$file"
done
find root -path '*/doc/*/hosting.md' | grep -q . ||
    fail "hosting.md is not there"

# The flags find the header.
PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 package --cflags >flags
[ "$(tr -d ' ' <flags)" = "-I$(variable includedir)" ] ||
    fail "--cflags was expected to find nbstage.h"
version=$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' \
    "$BUILD_DIR/config.h")
[ "$(package --modversion)" = "$version" ] || fail "$version was expected"

# The command, with a stage that is not that of the build tree.
command=$(find root -path '*/bin/blocksweep')
[ -x "$command" ] || fail "the command is not there"
NBSTAGE_PLUGIN_PATH=$folder/root$(variable plugindir)
export NBSTAGE_PLUGIN_PATH
expect 0 "$command" "$sample" -o out.wad
expect_build "$sample" -o expected.wad
expect_same out.wad expected.wad

# What nbstage-host(3) compiles a host with finds the installed kit, and the
# host the installed stage.  The folders of the installation are within root.
unset NBSTAGE_PLUGIN_PATH
page=$(find "$folder/root" -path '*/man3/nbstage-host.3')
sed -n '/^#include/,/^\.Ed/p' "$page" | sed '/^\.Ed/d; s/\\e/\\/g' >host.c
# shellcheck disable=SC2016 # for the shell that compiles
sed -n '/^cc /,/^\.Ed/p' "$page" | sed '/^\.Ed/d; s/\\e/\\/g
    s/^cc /$CC $SANITIZE_FLAGS /' >compile
[ -s host.c ] || fail "nbstage-host.3 has no program"
[ -s compile ] || fail "nbstage-host.3 does not tell how to compile it"
mkdir pkgconfig
sed "s,=/,=$folder/root/," "$(find root -name nbstage.pc)" \
    >pkgconfig/nbstage.pc
expect 0 env PKG_CONFIG_PATH="$folder/pkgconfig" CC="${CC:-cc}" \
    SANITIZE_FLAGS="${SANITIZE_FLAGS-}" sh ./compile
expect 0 ./host blocksweep
grep -qx 'BLOCKMAP: [1-9][0-9]* bytes' output || fail "its output was expected"
expect_no_errors

# The adapter is where the command for glbsp looks for it.
if has_adapters; then
    adapter=$(variable adapterdir)/glbsp-adapter.so
    expect_at "$adapter"
    grep -qF "$adapter" "$(dirname "$command")/glbsp-blocksweep" ||
        fail "glbsp-blocksweep was expected to look for $adapter"
fi
