#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on the source of ZDBSP in ZDBSP_SOURCE that with the stage its blockmaps
# of all maps of Freedoom are exact and its other lumps the same, that its files
# are its own where no stage is asked for, and that it ends with a failure where
# the one that is asked for is missing or fails; that -b makes empty lumps all the
# same; then, for Windows, that zdbsp.exe makes the same with the DLL.

builder=zdbsp
name=ZDBSP
source=${ZDBSP_SOURCE-}
failure=20
other_forms="hexen udmf"

# ZDBSP 1.12 to 1.15 have a makefile for machines of 32 bits.
build() {
    at=$1
    if [ -e "$1/CMakeLists.txt" ]; then
        at=$1/build
        quietly cmake -S "$1" -B "$at" -DCMAKE_BUILD_TYPE=Release
    else
        sed -i /-mtune=i686/d "$1/Makefile"
    fi
    quietly make -C "$at" nosse=1 nobackpatch=1
    cp "$at/zdbsp" "$1/program"
}

run() {
    program=$1
    in=$2
    out=$3
    shift 3
    "$program" -t "$@" -o "$out" "$in"
}

. "$SOURCE_DIR/tests/help/builder.sh"
need cmake make
check_builder

# -b asks for empty lumps, with the stage, too.
expect 0 staged/program -b -N --blockmap-plugin "$PLUGIN" -o other.wad "$sample"
expect_match errors "^warning: the stage that was asked for was never used"
wadtool list other.wad | grep ' BLOCKMAP ' >blockmaps
expect_count 3 blockmaps " 0 "

# For Windows, without nodes, which differ with the compiler's arithmetic.
if ! has x86_64-w64-mingw32-g++ || ! has wine; then
    echo "MinGW-w64 or Wine is not there: nothing was tried for Windows"
    exit 0
fi
. "$SOURCE_DIR/tests/windows/windows.sh"
build_windows x86_64 plugin/blocksweep.la
cp x86_64/plugin/.libs/blocksweep.dll staged
(
    cd staged
    for file in getopt.c getopt1.c nbstage-host.c zlib/*.c; do
        quietly x86_64-w64-mingw32-gcc -O2 -Izlib -c "$file"
    done
    quietly x86_64-w64-mingw32-g++ -O2 -DDISABLE_SSE -DNO_MAP_VIEWER -Izlib \
        blockmap*.cpp main.cpp nodebuild.cpp nodebuild_[egu]*.cpp \
        nodebuild_classify_nosse2.cpp processor*.cpp sc_man.cpp wad.cpp ./*.o \
        -static -o zdbsp.exe
)
options=grid=search,pack=nest
expect 0 staged/program -N -t "--blockmap-plugin=$PLUGIN,$options" \
    -o other.wad "$sample"
expect 0 wine staged/zdbsp.exe -N -t "--blockmap-plugin=blocksweep,$options" \
    -o windows.wad "$sample"
expect_same other.wad windows.wad
while read -r request sentence; do
    expect 20 wine staged/zdbsp.exe "--blockmap-plugin=$request" "$sample" \
        </dev/null
    cat output errors >said
    expect_match said "$sentence"
done <<'END'
blocksweep,pak=nest 'pak'
./missing.dll there is no such file
missing there is no stage 'missing' in .*staged
END
