#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on the source of ZokumBSP in ZOKUMBSP_SOURCE that with the stage its
# blockmaps of all maps of Freedoom are exact and its other lumps the same, that
# its files are its own where no stage is asked for, and that it ends with a
# failure where the one that is asked for is missing or fails.

# shellcheck disable=SC2034,SC2086 # for builder.sh; commands are words

builder=zokumbsp
name=ZokumBSP
source=${ZOKUMBSP_SOURCE-}
failure=255
other_forms=hexen

# ZokumBSP writes nodes past the ends of arrays, and crashes at some maps by
# itself; here it has room for that, and the same in it every time.
preload_memory() {
    cat >room.cpp <<'END'
#include <cstdlib>
#include <new>
void *operator new[](std::size_t size)
{
    return std::calloc(1, size + 65536);
}
void *operator new(std::size_t size)
{
    return std::calloc(1, size + 65536);
}
END
    quietly ${CXX:-c++} -shared -fPIC room.cpp -o room.so
}

build() {
    quietly make -C "$1/src/zokumbsp" zokumbsp
    cp "$1/src/zokumbsp/zokumbsp" "$1/program"
}

run() {
    program=$1
    in=$2
    out=$3
    shift 3
    LD_PRELOAD=$folder/room.so "$program" "$@" "$in" -o "$out"
}

. "$SOURCE_DIR/tests/help/builder.sh"
need make
preload_memory
check_builder
