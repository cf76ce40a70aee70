#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that nbstage.h compiles by itself as every C and C++ since C89 and
# C++98, and means the same in all of them.

# shellcheck disable=SC2086 # commands and flags are words

. "$SOURCE_DIR/tests/help/library.sh"

warnings="-pedantic-errors -Wall -Wextra -Werror -I$SOURCE_DIR/plugin"

# Alone and twice, with every macro used, and no feature of the system asked
# for.
cat >program.c <<'PROGRAM'
#include "nbstage.h"
#include "nbstage.h"
#include <stdio.h>

int main(void)
{
    struct nbstage_lump lumps[2] = {
        {sizeof(struct nbstage_lump), "LINEDEFS", NULL, 0, NBSTAGE_PLAIN},
        {sizeof(struct nbstage_lump), "VERTEXES", NULL, 0, NBSTAGE_PLAIN}};
    unsigned long map = sizeof(struct nbstage_map);
    unsigned long option = sizeof(struct nbstage_option);
    unsigned long destroy = offsetof(struct nbstage_descriptor, destroy);
    printf("%lu %lu %lu\n", map, option, destroy);
    return NBSTAGE_AT(struct nbstage_lump, lumps, 1)->name ==
                       lumps[1].name &&
                   NBSTAGE_HAS(struct nbstage_lump, lumps, compression) &&
                   NBSTAGE_ABI == 1 && NBSTAGE_NONE == 0xFFFFFFFF
               ? NBSTAGE_OK
               : NBSTAGE_BAD_CALL;
}
PROGRAM
cp program.c program.cc

# compile COMMAND...: compiles the program and runs it; sizes and offsets are
# those of the program before.
compile() {
    "$@" $warnings -o program || fail "it does not compile with $*"
    ./program >layout || fail "the macros do not work with $*"
    [ -e first-layout ] || cp layout first-layout
    expect_same first-layout layout
}

for standard in gnu17 c89 c99 c11; do
    compile ${CC:-cc} -std=$standard program.c
done
cxx_compiler=${CXX:-c++}
has "${cxx_compiler%% *}" || {
    echo "$cxx_compiler is not there: nothing was compiled as C++"
    exit 0
}
for standard in c++98 c++11 c++17; do
    compile $cxx_compiler -std=$standard -Wold-style-cast program.cc
done
