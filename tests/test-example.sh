#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the example host is as short as it says, compiles as C and C++,
# and works with the module; and so does the example of nbstage(3).

set -eu
# shellcheck source=tests/library.sh
. "$SOURCE_DIR/tests/library.sh"

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
