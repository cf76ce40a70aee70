#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that all of src/ and plugin/ compiles as one file without a warning, as
# programs compile it that copy libraries into their source: no name is there
# twice.

# shellcheck disable=SC2086 # commands and flags are words

. "$SOURCE_DIR/tests/help/library.sh"

flags="-std=c11 -O1 -I$SOURCE_DIR/src -I$SOURCE_DIR/plugin -I$BUILD_DIR"
warnings="-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Werror"

(cd "$SOURCE_DIR" && find src plugin -name '*.c' | sort) >sources
[ -s sources ] || fail "there are no sources"
sed "s|.*|#include \"$SOURCE_DIR/&\"|" sources >all.c

need gcc
for compiler in gcc clang; do
    has $compiler || continue
    $compiler $flags $warnings -c all.c || fail "$compiler does not compile it"
done
