#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that files can have names which look like something else.

set -eu
# shellcheck source=tests/library.sh
. "$SOURCE_DIR/tests/library.sh"
write_room

room MAP01 | wadtool make PWAD in.wad
for name in build -dash.wad --help "two  words.wad" "%s%n.wad" "$(
    printf 'new\nline')"; do
    cp in.wad "./$name"
    expect_build -o out.wad "./$name"
    expect_room out.wad MAP01
    expect 0 blocksweep build -o out.wad -- "$name"
    expect_room out.wad MAP01
    expect_build -o out.wad -- "./$name"
    expect_room out.wad MAP01
    expect_build in.wad -o "./new$name"
    expect_room "./new$name" MAP01
    expect_build in.wad -o "$name"
    expect_room "./$name" MAP01
done

# Only the first word can be the command.
cp in.wad build
expect 0 blocksweep build build -o out.wad
expect_room out.wad MAP01
