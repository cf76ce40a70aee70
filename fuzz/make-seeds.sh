#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make-seeds.sh FOLDER: fills a folder for each target, in FOLDER, with the
# inputs that fuzzing begins with, and FOLDER/options.dict with the options
# that there are.  BUILD_DIR, SOURCE_DIR and PLUGIN come from make.
#
# Nodes are those that ZDBSP makes of a room, if it is there.

set -eu

seeds=$1
for target in build geometry udmf nodes lump wad search options; do
    mkdir -p "$seeds/target-$target"
done

sample=$SOURCE_DIR/samples/freedoom-sample.wad
"$BUILD_DIR/fuzz/seeds" "$seeds" "$sample" >"$seeds/log"

# Behind its options a seed of target-wad is a WAD.
if command -v zdbsp >/dev/null; then
    for room in room-doom room-udmf; do
        tail -n +2 "$seeds/target-wad/$room" >"$seeds/$room.wad"
        for flags in -N -X -z -gX -xX -xz -x5; do
            zdbsp -q $flags -o "$seeds/$room$flags.wad" "$seeds/$room.wad" \
                >"$seeds/log" 2>&1 || continue
            "$BUILD_DIR/fuzz/seeds" "$seeds" "$seeds/$room$flags.wad" \
                >"$seeds/log"
        done
    done
    rm -f "$seeds"/room-*.wad
fi
rm -f "$seeds/log"

# name=value for every choice, and a number where that is one.
"$BUILD_DIR/tests/command/list-options" "$PLUGIN" | awk '
    /^choice/ { printf "\"%s=%s\"\n", $2, $3 == "NUMBER" ? 1 : $3 }' >"$seeds/options.dict"
