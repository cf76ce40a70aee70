#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that nbstage-check.exe passes blocksweep.dll, with 64 and with 32 bits,
# by a path and by the name of the DLL beside it, and finds faults in another
# DLL.

. "$SOURCE_DIR/tests/help/library.sh"
. "$SOURCE_DIR/tests/windows/windows.sh"

for machine in $machines; do
    build_windows "$machine" plugin/blocksweep.la check/nbstage-check.exe
    expect_system_libraries "$machine/check/nbstage-check.exe"
    mkdir "größe $machine"
    cp "$machine/check/nbstage-check.exe" "$machine/plugin/.libs/blocksweep.dll" \
        "größe $machine"
    expect 0 wine "größe $machine/nbstage-check.exe" blocksweep
    tail -n 1 output
    expect 0 wine "größe $machine/nbstage-check.exe" --only=descriptor \
        "Z:$folder\\größe $machine\\blocksweep.dll"
    expect 3 wine "größe $machine/nbstage-check.exe" missing
    expect_in errors "no stage named 'missing'"
done

quietly env CHECK="wine $folder/x86_64/check/nbstage-check.exe" \
    CC="x86_64-w64-mingw32-gcc -static" SANITIZE_FLAGS= LONG= \
    PLUGIN="Z:$folder/x86_64/plugin/.libs/blocksweep.dll" \
    sh "$SOURCE_DIR/tests/check/test-check-stage.sh"
grep found said
