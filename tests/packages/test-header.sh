#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that nbstage.h compiles by itself as every C and C++ since C89 and
# C++98, and means the same in all of them.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

c_compiler=${CC:-cc}
cxx_compiler=${CXX:-c++}
warnings="-pedantic-errors -Wall -Wextra -Werror"

# Alone and twice, with every macro used, and no feature of the system asked
# for; the last line does not compile if a member has moved.
cat >program.c <<'PROGRAM'
#include "nbstage.h"
#include "nbstage.h"

struct layout {
    char map_is_as_large[sizeof(struct nbstage_map) == MAP_SIZE ? 1 : -1];
    char decoded_is_as_large[sizeof(struct nbstage_decoded) == DECODED_SIZE
                                 ? 1 : -1];
    char destroy_is_there[offsetof(struct nbstage_descriptor, destroy) ==
                                  DESTROY_OFFSET ? 1 : -1];
};

int main(void)
{
    struct nbstage_lump lumps[2] = {
        {sizeof(struct nbstage_lump), "LINEDEFS", NULL, 0, NBSTAGE_PLAIN},
        {sizeof(struct nbstage_lump), "VERTEXES", NULL, 0, NBSTAGE_PLAIN}};
    return NBSTAGE_AT(struct nbstage_lump, lumps, 1)->name ==
                       lumps[1].name &&
                   NBSTAGE_HAS(struct nbstage_lump, lumps, compression) &&
                   NBSTAGE_ABI == 1 && NBSTAGE_NONE == 0xFFFFFFFF &&
                   sizeof(struct layout) > 0
               ? NBSTAGE_OK
               : NBSTAGE_BAD_CALL;
}
PROGRAM

# What the layout is, as the compiler of the build sees it.
cat >layout.c <<'PROGRAM'
#include "nbstage.h"
#include <stdio.h>

int main(void)
{
    printf("-DMAP_SIZE=%lu -DDECODED_SIZE=%lu -DDESTROY_OFFSET=%lu\n",
           (unsigned long)sizeof(struct nbstage_map),
           (unsigned long)sizeof(struct nbstage_decoded),
           (unsigned long)offsetof(struct nbstage_descriptor, destroy));
    return 0;
}
PROGRAM
# shellcheck disable=SC2086 # flags are words, here and below
$c_compiler -I"$SOURCE_DIR/plugin" layout.c -o layout
layout=$(./layout)

for standard in c89 c99 c11 gnu17; do
    # shellcheck disable=SC2086
    $c_compiler -std=$standard $warnings $layout -I"$SOURCE_DIR/plugin" \
        program.c -o program || fail "it does not compile as $standard"
    ./program || fail "the macros do not work as $standard"
done

has "${cxx_compiler%% *}" || {
    echo "$cxx_compiler is not there: nothing was compiled as C++"
    exit 0
}
cp program.c program.cc
for standard in c++98 c++11 c++17; do
    # shellcheck disable=SC2086
    $cxx_compiler -std=$standard $warnings -Wold-style-cast $layout \
        -I"$SOURCE_DIR/plugin" program.cc -o program ||
        fail "it does not compile as $standard"
    ./program || fail "the macros do not work as $standard"
done
