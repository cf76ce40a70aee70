#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a command that is configured with the stage in it needs no file
# and still loads a stage that it is told to, and that one with the stage only
# needs no library either and refuses others.

. "$SOURCE_DIR/tests/help/library.sh"

make_in "$BUILD_DIR" distdir distdir="$folder/release"
expect_build "$sample" -o expected.wad
unset NBSTAGE_PLUGIN_PATH
stages=builtin
echo 'int main(void) { return 0; }' >static.c
! ${CC:-cc} -static static.c -o static -lz 2>said || stages="builtin only"
for stage in $stages; do
    mkdir "$stage"
    (cd "$stage" && expect 0 ../release/configure -q CFLAGS=-O0 \
        --with-stage="$stage")
    make_in "$stage" command/blocksweep
    expect_absent "$stage/plugin/blocksweep.la"
    expect 0 "$stage/command/blocksweep" --quiet "$sample" -o out.wad
    expect_same out.wad expected.wad
    expect 0 "$stage/command/blocksweep" verify out.wad
    expect 0 "$stage/command/blocksweep" --version
    expect_match output "^Stage blocksweep $(package_version) built in\$"
    expect 2 "$stage/command/blocksweep" --plugin ./none.so "$sample" -o out.wad
    expect_sentence ./none.so
done
expect 0 builtin/command/blocksweep --version --plugin "$PLUGIN"
expect_in output " from $PLUGIN"
[ "$stage" = only ] || skip "the rest: no static zlib is there"
! ldd only/command/blocksweep 2>said || fail "no library was expected"
expect 2 only/command/blocksweep --plugin "$PLUGIN" "$sample" -o out.wad
expect_sentence "this is a static build and cannot load stages"
