#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a command that is configured with the stage in it needs no file,
# also where it is linked without shared libraries, and still loads a stage that
# it is told to.

. "$SOURCE_DIR/tests/help/library.sh"

make_in "$BUILD_DIR" distdir distdir="$folder/release"
expect_build "$sample" -o expected.wad
unset NBSTAGE_PLUGIN_PATH
mkdir whole
(cd whole && expect 0 ../release/configure -q CFLAGS=-O0 \
    --without-adapters --with-stage=builtin)
static=-all-static
echo 'int main(void) { return 0; }' >static.c
${CC:-cc} -static static.c -o static -lz 2>said || static=
for flags in $static ""; do
    rm -f whole/host/blocksweep
    make_in whole host/blocksweep LDFLAGS="$flags"
    [ -z "$flags" ] || ! ldd whole/host/blocksweep 2>said ||
        fail "no library was expected"
    [ ! -e whole/plugin/blocksweep.la ] || fail "no plugin was expected"
    expect 0 whole/host/blocksweep --quiet "$sample" -o out.wad
    expect_same out.wad expected.wad
    expect 0 whole/host/blocksweep verify out.wad
    expect 0 whole/host/blocksweep --version
    expect_match output "^Stage blocksweep $(package_version) built in\$"
    expect 2 whole/host/blocksweep --plugin ./none.so "$sample" -o out.wad
    expect_sentence ./none.so
done
expect 0 whole/host/blocksweep --version --plugin "$PLUGIN"
expect_in output " from $PLUGIN"
