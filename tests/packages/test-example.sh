#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the example host is as short as it says, compiles as C and C++,
# and works with the module; and so do the example of nbstage(3) and what
# README.md has authors write.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

c_compiler=${CC:-cc}
cxx_compiler=${CXX:-c++}
example=$SOURCE_DIR/examples/minimal-host.c
flags="-pedantic-errors -Wall -Wextra -Werror -I$SOURCE_DIR/plugin
    ${SANITIZE_FLAGS-}"

[ "$(wc -l <"$example")" -le 100 ] || fail "it has more than 100 lines"

# expect_grid PROGRAM: it prints the grid of its map, a room of 512 x 256 units
# around 0,0 whose northern and eastern lines are on the borders of blocks.
expect_grid() {
    expect 0 "$1" "$PLUGIN"
    expect_no_errors
    for fact in "grid: fit" "origin_x: -256" "origin_y: -128" "columns: 5" \
        "rows: 3" "linedefs: 4"; do
        grep -qxF "$fact" output || {
            cat output
            fail "'$fact' was expected"
        }
    done
    grep -q '^BLOCKMAP has [1-9][0-9]* bytes$' output ||
        fail "the size of the lump was expected"
    expect 1 "$1" ./no-such-stage.so
    grep -qF ./no-such-stage.so errors || fail "a sentence was expected"
}

# shellcheck disable=SC2086 # flags are words, here and below
$c_compiler -std=c99 $flags "$example" -o example -ldl
expect_grid ./example
if has "${cxx_compiler%% *}"; then
    cp "$example" example.cc
    # shellcheck disable=SC2086
    $cxx_compiler $flags example.cc -o example -ldl
    expect_grid ./example
else
    echo "$cxx_compiler is not there: nothing was compiled as C++"
fi

# The program in the manual page.
awk '/^\.Bd/ { block = ""; next }
     /^\.Ed/ { if (block ~ /int main/) printf "%s", block }
     { block = block $0 "\n" }' "$SOURCE_DIR/man/nbstage.3" |
    sed 's/\\en/\\n/g' >manual.c
[ -s manual.c ] || fail "nbstage.3 has no program"
# shellcheck disable=SC2086
$c_compiler -std=c99 $flags manual.c -o manual -ldl
expect 0 ./manual "$PLUGIN"
grep -qx 'BLOCKMAP: [1-9][0-9]* bytes' output || fail "its output was expected"
expect 1 ./manual ./no-such-stage.so

# What README.md has authors write, in a builder that has the rest.
# shellcheck disable=SC2016 # no commands
awk '/^```/ { in_code = /^```c$/; blocks += in_code; next }
     in_code { print >("written-" blocks ".c") }' "$SOURCE_DIR/README.md"
grep -q nbstage_build written-3.c || fail "README.md has no host"
[ "$(cat written-[1-3].c | wc -l)" -le 12 ] || fail "a dozen lines was expected"
cat >builder.c <<EOM
#include <stddef.h>
static void write_lump(const char *name, const void *data, size_t size);
static void make_blockmap_as_before(void);
#include "written-1.c"
static void take_blockmap_plugin_option(const char *value)
{
#include "written-2.c"
}
static void make_blockmap(const char *name, const struct nbstage_lump *lumps,
                          size_t lump_count)
{
#include "written-3.c"
}
static void write_lump(const char *name, const void *data, size_t size)
{
    printf("%s: %zu bytes at %s\n", name, size, data ? "a place" : "none");
}
static void make_blockmap_as_before(void)
{
    puts("as before");
}
int main(int argc, char **argv)
{
    static const int16_t vertices[] = {0, 0, 256, 0};
    static const uint16_t linedef[7] = {0, 1, 1, 0, 0, 0, 65535};
    const struct nbstage_lump lumps[] = {
        {sizeof *lumps, "LINEDEFS", linedef, sizeof linedef, NBSTAGE_PLAIN},
        {sizeof *lumps, "VERTEXES", vertices, sizeof vertices, NBSTAGE_PLAIN}};
    if (argc > 1)
        take_blockmap_plugin_option(argv[1]);
    make_blockmap("MAP01", lumps, 2);
    make_blockmap("MAP02", lumps, 1);
    nbstage_close(&stage);
    return 0;
}
EOM
# shellcheck disable=SC2086
$c_compiler -std=c99 $flags -I"$SOURCE_DIR/kit" builder.c \
    "$SOURCE_DIR/kit/nbstage-host.c" -o builder -ldl
expect 0 ./builder "$PLUGIN,pack=nest"
grep -qx 'BLOCKMAP: [1-9][0-9]* bytes at a place' output ||
    fail "the stage was expected to build"
grep -qx 'as before' output || fail "a map without vertices was expected to fail"
grep -q 'MAP02.*VERTEXES' errors || fail "and to say why"
expect 0 ./builder ./no-such-stage.so
expect_text output "as before
as before"
[ "$(wc -l <errors)" -eq 1 ] || fail "one sentence was expected"
grep -q "no-such-stage.so.*; going on without it" errors ||
    fail "one that says what happens was expected"
expect 0 ./builder
expect_text output "as before
as before"
expect_no_errors
