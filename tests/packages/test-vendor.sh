#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that what `make vendor` writes compiles in one command without a
# warning, with zlib and without, and says what it needs of others; that it shows
# one name to other files; that its example works; that it makes what the plugin
# makes, and without zlib refuses compressed nodes.  With LONG in the environment it
# is compiled by clang, and for Windows, too.  No quicker test compiles the single
# file.

# shellcheck disable=SC2086 # flags are words

. "$SOURCE_DIR/tests/help/library.sh"

warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
    -Werror"
unset NBSTAGE_PLUGIN_PATH

make_in "$BUILD_DIR" vendor VENDOR_FOLDER="$folder"
! grep -n '^#include "' blocksweep.[ch] | grep -v ':#include "blocksweep.h"$' ||
    fail "these files are not there"
! grep -En '.{81}' blocksweep.[ch] || fail "these lines are long"
for licence in "GPL-2.0-or-later blocksweep.c" "0BSD blocksweep.h" \
    "0BSD vendored-host.c"; do
    sed 1q "${licence#* }" >first
    expect_match first " SPDX-License-Identifier: ${licence% *}"
done
! grep -n PACKAGE_ blocksweep.c || fail "these names are of a build"

# build COMPILER OPTION...: makes ./host of the two files and the example.
build() {
    expect 0 "$@" $warnings vendored-host.c blocksweep.c -o host $libraries
    expect_no_errors
}

need gcc nm
set -- gcc
# Fast code takes long to compile, and finds some warnings.
[ -z "${LONG-}" ] || set -- gcc "gcc -O2" clang x86_64-w64-mingw32-gcc \
    i686-w64-mingw32-gcc
for compiler; do
    has ${compiler%% *} || { echo "$compiler is not there"; continue; }
    libraries=
    build $compiler -std=gnu17 -DBLOCKSWEEP_NO_ZLIB
    [ -z "${LONG-}" ] || build $compiler -std=c11 -DBLOCKSWEEP_NO_ZLIB
    libraries=-lz
    echo '#include <zlib.h>' | $compiler -fsyntax-only -x c - 2>/dev/null ||
        { echo "$compiler has no zlib"; continue; }
    build $compiler -std=c11
    [ -z "${LONG-}" ] || build $compiler -std=gnu17
done

build gcc
expect 1 gcc -std=gnu99 -fsyntax-only blocksweep.c
expect_match errors "compile it with -std=c11"
gcc -c blocksweep.c
nm --defined-only --extern-only blocksweep.o | awk '{ print $NF }' |
    expect_text - blocksweep_describe
! has g++ || g++ -fsyntax-only -Wall -Wextra -Werror -x c++ vendored-host.c ||
    fail "the example is no C++"

# The example makes what the command makes of its map.
words -256 -128 -256 128 256 128 256 -128 >VERTEXES
{ linedef 0 1; linedef 1 2; linedef 2 3; linedef 3 0; } >LINEDEFS
printf 'MAP01\nLINEDEFS LINEDEFS\nVERTEXES VERTEXES\n' >lumps
wadtool make PWAD room.wad <lumps
expect_build --preset=small room.wad -o built.wad
expect 0 ./host
expect_lump built.wad MAP01/BLOCKMAP BLOCKMAP.lmp

# --- Loaded as a plugin ---

cat >module.c <<'END'
#include "blocksweep.h"
NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
nbstage_describe(uint32_t abi);
const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi)
{
    return blocksweep_describe(abi);
}
END
gcc -fPIC -shared module.c blocksweep.c -o vendored.so -lz
gcc -fPIC -shared -DBLOCKSWEEP_NO_ZLIB module.c blocksweep.c -o plain.so
for setting in --preset=vanilla --prune=inert --lists=lump --format=xbm1; do
    expect 0 blocksweep --quiet $setting --plugin="$PLUGIN" "$sample" -o one.wad
    mv errors plugin-errors
    for stage in ./vendored.so ./plain.so; do
        expect 0 blocksweep --quiet $setting --plugin=$stage "$sample" \
            -o made.wad
        expect_same errors plugin-errors
        expect_same made.wad one.wad
    done
done

printf 'ZNOD and what is compressed' >NODES
for lump in THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS \
    REJECT; do
    [ -e $lump ] || : >$lump
    echo $lump $lump
done | { echo MAP01; cat; } >lumps
wadtool make PWAD room.wad <lumps
expect_build --plugin=./plain.so room.wad -o built.wad
expect 1 blocksweep --plugin=./plain.so --check-nodes room.wad -o built.wad
expect_sentence MAP01 NODES "has no zlib"
expect 1 blocksweep --plugin=./vendored.so --check-nodes room.wad -o built.wad
expect_sentence MAP01 NODES damaged
