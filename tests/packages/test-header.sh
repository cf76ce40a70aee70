#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that nbstage.h compiles by itself as every C and C++ since C89 and
# C++98, and means the same in all of them; that sizes and offsets are those that
# hosting.md tells; and that no compiler warns of the kit and the examples in C
# since C99, or of kit and header in C++ since C++11.  With LONG in the environment
# clang and the compilers for Windows are tried, too.  The example that begins with a
# v is test-vendor's.

# shellcheck disable=SC2086 # commands and flags are words

. "$SOURCE_DIR/tests/help/library.sh"

warnings="-pedantic-errors -Wall -Wextra -Werror -I$SOURCE_DIR/include"

# Alone and twice, with every macro used, and no feature of the system asked
# for.
cat >program.c <<'PROGRAM'
#include "nbstage.h"
#include "nbstage.h"
#include <stdio.h>
#include <string.h>

struct place {
    short x, y;
};
struct line {
    const struct place *start, *end;
};

int main(void)
{
    struct nbstage_lump lump = {"LINEDEFS", "", 0};
    struct line walls[3], *places[3];
    struct nbstage_lines lines, others;
    struct nbstage_map map;
    unsigned long option = sizeof(struct nbstage_option);
    unsigned long destroy = offsetof(struct nbstage_descriptor, destroy);
    memset(&map, 0, sizeof map);
    memset(&lines, 0, sizeof lines);
    memset(&others, 0, sizeof others);
    map.size = offsetof(struct nbstage_map, things);
    NBSTAGE_SET_ARRAY(lines, walls, 3);
    NBSTAGE_SET_POINTERS(others, places, 2);
    NBSTAGE_SET(lines.v1, NBSTAGE_POINTER, struct line, end);
    NBSTAGE_SET(lines.v2, NBSTAGE_I16, struct place, y);
    printf("%lu %lu\n", option, destroy);
    return lump.data_size == 0 && lines.array.size == sizeof lines &&
                   lines.array.data == walls && lines.array.count == 3 &&
                   lines.array.stride == sizeof(struct line) &&
                   lines.array.kind == NBSTAGE_ELEMENTS &&
                   others.array.size == sizeof lines &&
                   others.array.data == places && others.array.count == 2 &&
                   others.array.stride == sizeof(void *) &&
                   others.array.kind == NBSTAGE_POINTERS &&
                   lines.v1.type == NBSTAGE_POINTER &&
                   lines.v1.offset == sizeof(void *) &&
                   lines.v2.type == NBSTAGE_I16 && lines.v2.offset == 2 &&
                   NBSTAGE_HAS(struct nbstage_lines, &lines, left_out) &&
                   NBSTAGE_HAS(struct nbstage_map, &map, sectors) &&
                   !NBSTAGE_HAS(struct nbstage_map, &map, things) &&
                   NBSTAGE_ABI == 1
               ? NBSTAGE_OK
               : NBSTAGE_BAD_CALL;
}
PROGRAM
cp program.c program.cc

# The table of hosting.md as a program: each size and offset is an array type
# that has no size unless it is right.
cat >table.awk <<'AWK'
function check(what) { printf "typedef char line_%d_%d[sizeof(void *) != 8 || %s ? 1 : -1];\n", NR, ++checks, what }
BEGIN { print "#include \"nbstage.h\"" }
/^\| `[a-z]*` [0-9]+ \|/ {
    gsub(/[|`,]/, "")
    rows++
    check("sizeof(struct nbstage_" $1 ") == " $2)
    for (i = 3; i < NF; i += 2)
        check("offsetof(struct nbstage_" $1 ", " $i ") == " $(i + 1))
}
END { if (rows != 12 || checks != 75) print "#error the table has other rows" }
AWK
awk -f table.awk "$SOURCE_DIR/doc/hosting.md" >table.c

# compile COMMAND...: compiles the program and runs it; sizes and offsets are
# those of the program before.
compile() {
    "$@" $warnings -o program || fail "it does not compile with $*"
    ./program >layout || fail "the macros do not work with $*"
    [ -e first-layout ] || cp layout first-layout
    expect_same first-layout layout
}

# compile_warned FILE COMPILER FLAG...: without a warning.
compile_warned() {
    file=$1
    shift
    ! has "${1%% *}" || expect 0 $* -c "$file" -o object.o -Wall -Wextra -Wpedantic \
        -Wshadow -Wconversion -Werror -I"$SOURCE_DIR/include" \
        -I"$SOURCE_DIR/builders/kit"
}

for standard in gnu17 c89 c99 c11; do
    compile ${CC:-cc} -std=$standard program.c
done
others= cxx_others=
if [ -n "${LONG-}" ]; then
    others="clang x86_64-w64-mingw32-gcc"
    cxx_others="clang++ x86_64-w64-mingw32-g++ i686-w64-mingw32-g++"
fi
for compiler in "${CC:-cc}" $others; do
    compile_warned table.c "$compiler" -std=c89
done
for standard in c99 c11 c17 c2x; do
    for compiler in "${CC:-cc}" $others; do
        for file in "$SOURCE_DIR"/builders/kit/*.c "$SOURCE_DIR"/builders/examples/[!v]*.c; do
            compile_warned "$file" "$compiler" -std=$standard \
                -Wdeclaration-after-statement
        done
    done
done
cxx_compiler=${CXX:-c++}
has "${cxx_compiler%% *}" || {
    echo "$cxx_compiler is not there: nothing was compiled as C++"
    exit 0
}
for standard in c++98 c++11 c++20; do
    compile $cxx_compiler -std=$standard -Wold-style-cast program.cc
done
cp "$SOURCE_DIR/builders/kit/nbstage-host.c" kit.cc
for compiler in "$cxx_compiler" $cxx_others; do
    useless=-Wuseless-cast
    $compiler -Werror $useless -fsyntax-only -x c++ /dev/null >said 2>&1 ||
        useless= # clang has no such warning
    for standard in c++11 c++17 c++20 c++2b; do
        compile_warned kit.cc "$compiler" -std=$standard $useless
        compile_warned program.cc "$compiler" -std=$standard $useless \
            -Wold-style-cast -Wzero-as-null-pointer-constant
    done
done
