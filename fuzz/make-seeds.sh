#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make-seeds.sh FOLDER: fills a folder for each target, in FOLDER, with the
# inputs that fuzzing begins with, and FOLDER/options.dict with the options
# that there are.  BUILD_DIR and PLUGIN come from make.

set -eu

seeds=$1
for target in build wad; do
    mkdir -p "$seeds/target-$target"
done

"$BUILD_DIR/fuzz/seeds" "$seeds" >"$seeds/log"
rm -f "$seeds/log"

# name=value for every choice, and a number where that is one.
"$BUILD_DIR/tests/command/list-options" "$PLUGIN" | awk '
    /^choice/ { printf "\"%s=%s\"\n", $2, $3 == "NUMBER" ? 1 : $3 }' >"$seeds/options.dict"
