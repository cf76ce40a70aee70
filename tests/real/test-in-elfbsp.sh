#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on the source of ELFBSP in ELFBSP_SOURCE, with its submodule, that with
# the stage its blockmaps of all maps of Freedoom are exact and its other lumps
# the same, that its files are its own where no stage is asked for, and that it
# ends with a failure where the one that is asked for is missing or fails.

builder=elfbsp
name=ELFBSP
source=${ELFBSP_SOURCE-}
failure=3

# ELFBSP needs std::format.
find_compiler() {
    echo '#include <format>
int main() { return int(std::format("{}", 1).size()) - 1; }' >format.cpp
    for compiler in "${CXX:-c++}" \
        "clang++-16 -stdlib=libc++ -fexperimental-library"; do
        ! $compiler -std=c++20 format.cpp -o format 2>/dev/null || return 0
    done
    skip "no compiler has std::format; clang-16 and libc++-16-dev would do"
}

build() {
    quietly cmake -S "$1" -B "$1/build" \
        -DCMAKE_CXX_COMPILER="${compiler%% *}" \
        -DCMAKE_CXX_FLAGS="$(echo "$compiler " | cut -d ' ' -f 2-)"
    quietly make -C "$1/build" elfbsp
    cp "$1/build/elfbsp" "$1/program"
}

run() {
    "$1" ${4+"$4"} "$2" --output "$3"
}

. "$SOURCE_DIR/tests/help/builder.sh"
need cmake make
[ -f "$source/library/zlib-ng/CMakeLists.txt" ] ||
    skip "$source has no submodule zlib-ng"
find_compiler
check_builder
