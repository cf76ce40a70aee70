#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that what `make vendor` writes makes what the plugin makes, for all
# presets, and that without zlib it refuses compressed nodes.

. "$SOURCE_DIR/tests/help/library.sh"

unset NBSTAGE_PLUGIN_PATH
need gcc

make_in "$BUILD_DIR" vendor VENDOR_FOLDER="$folder"
cat >module.c <<'END'
#include "blocksweep.h"
NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
nbstage_describe(uint32_t abi);
const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi)
{
    return blocksweep_describe(abi);
}
END
gcc -O2 -fPIC -shared module.c blocksweep.c -o vendored.so -lz
gcc -O2 -fPIC -shared -DBLOCKSWEEP_NO_ZLIB module.c blocksweep.c -o plain.so
expect 0 blocksweep --version
expect_match output "^Stage blocksweep $(package_version) "
expect 0 blocksweep --version --plugin ./vendored.so
expect_match output "^Stage blocksweep $(package_version) from ./vendored.so\$"

# expect_same_wads STAGE FILE OPTION...: both end in the same way, too.
expect_same_wads() {
    stage=$1
    wad=$2
    shift 2
    for plugin in "$PLUGIN" "$stage"; do
        status=0
        blocksweep --quiet "$@" --plugin "$plugin" "$wad" -o made.wad \
            2>made.txt || status=$?
        echo "status $status" >>made.txt
        [ "$plugin" = "$stage" ] || { mv made.wad one.wad; mv made.txt one.txt; }
    done
    expect_same made.wad one.wad
    expect_same made.txt one.txt
}

list_options build | sed -n 's/^choice preset /--preset=/p' >settings
expect_count 4 settings
printf '%s\n' --prune=inert --lists=lump --format=xbm1 >>settings
wads=$sample
for name in freedoom1 freedoom2 freedm; do
    [ ! -r "$freedoom_dir/$name.wad" ] || wads="$wads $freedoom_dir/$name.wad"
done
for wad in $wads; do
    while read -r setting; do
        expect_same_wads ./vendored.so "$wad" "$setting" --check-nodes
    done <settings
    expect_same_wads ./plain.so "$wad" --preset=small
done

# --- Without zlib ---

printf 'ZNOD and what is compressed' >NODES
words -256 -128 -256 128 256 128 256 -128 >VERTEXES
{ linedef 0 1; linedef 1 2; linedef 2 3; linedef 3 0; } >LINEDEFS
printf '%s\n' MAP01 "LINEDEFS LINEDEFS" "VERTEXES VERTEXES" "NODES NODES" |
    wadtool make PWAD room.wad
expect_build --plugin ./plain.so room.wad -o built.wad
expect 1 blocksweep --plugin ./plain.so --check-nodes room.wad -o built.wad
expect_sentence MAP01 NODES "has no zlib"
expect 1 blocksweep --plugin ./vendored.so --check-nodes room.wad -o built.wad
expect_sentence MAP01 NODES damaged
