#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on the source of ELFBSP in ELFBSP_SOURCE, with its submodule, that with
# the stage its blockmaps of all maps of Freedoom are exact and its other lumps
# the same, that its files are its own where no stage is asked for, and that it
# ends with a failure where the one that is asked for is missing or fails; in
# place the maps before the one that fails are built, and that is as it was.

builder=elfbsp
name=ELFBSP
source=${ELFBSP_SOURCE-}
failure=3
other_forms="hexen udmf"

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

# Git leaves submodules out of archives.
build() {
    [ -e "$1/library/zlib-ng/CMakeLists.txt" ] ||
        cp -R "$source/library/zlib-ng" "$1/library"
    quietly cmake -S "$1" -B "$1/build" \
        -DCMAKE_CXX_COMPILER="${compiler%% *}" \
        -DCMAKE_CXX_FLAGS="$(echo "$compiler " | cut -d ' ' -f 2-)"
    quietly make -C "$1/build" elfbsp
    cp "$1/build/elfbsp" "$1/program"
}

run() {
    program=$1
    in=$2
    out=$3
    shift 3
    "$program" "$@" "$in" --output "$out"
}

. "$SOURCE_DIR/tests/help/builder.sh"

# Those with XBM1 in blockmaps.
# shellcheck disable=SC2317 # builder.sh calls it
promised_commits() {
    git -C "$source" log --first-parent --reverse --format=%H | while read -r id; do
        ! git -C "$source" grep -q BMAP_XBM1 "$id" -- src/blockmap.cpp ||
            echo "$id"
    done
}

# ELFBSP leaves out lines with tag 999, even teleporters, so these are missing in
# its own blockmaps, too.
# shellcheck disable=SC2317 # builder.sh calls it
expect_exact() {
    for file in plain.wad "$1"; do
        blocksweep verify --strict "$file" >verified || :
        awk '/^[^ ]/ { map = $1 } /missing linedef/ { print map, $3 }' \
            verified | sort -u >"$file.missing"
    done
    comm -13 plain.wad.missing "$1.missing" >found
    [ ! -s found ] || fail_showing found "blockmaps of $1 are not exact"
    blocksweep verify --strict --json "$1" >found || :
    ! grep '"extra_entries": [1-9]' found || fail "$1 has extra entries"
}

# On 14 April 2026 it did not come to an end with UDMF.
# shellcheck disable=SC2317 # builder.sh calls it
takes_form() {
    timeout 60 plain/program "$1.wad" --output other.wad >said 2>&1
}

need cmake make
[ -f "$source/library/zlib-ng/CMakeLists.txt" ] ||
    skip "$source has no submodule zlib-ng"
find_compiler
check_builder

# --- In place ---

in=$freedoom_dir/freedoom2.wad
cp "$in" out.wad
chmod u+w out.wad
expect 3 staged/program out.wad --blockmap-plugin "$PLUGIN,max-memory=1"
expect_match errors "^ERROR: --blockmap-plugin: MAP10: "
wadtool list out.wad >after
expect_count 32 after " BLOCKMAP "
wadtool extract out.wad MAP10/BLOCKMAP >after
wadtool extract "$in" MAP10/BLOCKMAP >before
expect_same before after
