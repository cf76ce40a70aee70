#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh FOLDER SECONDS: fuzzes each target for so long.  FOLDER/corpus keeps
# what libFuzzer learns from run to run, FOLDER/finds each input that a target
# failed on.  Prints a line for each target; fails if one has a find.
#
# FUZZ_TARGETS in the environment names some of the targets, FUZZ_FLAGS is more
# for libFuzzer.

set -eu

found=$1
seconds=$2
all="build wad"
targets=${FUZZ_TARGETS:-$all}
failed=0

mkdir -p "$found/corpus" "$found/finds" "$found/seeds"
"$BUILD_DIR/tests/fuzz/seeds" "$found/seeds"
# name=value for every choice, and a number where that is one.
"$BUILD_DIR/tests/command/list-options" "$PLUGIN" | awk '
    /^choice/ { printf "\"%s=%s\"\n", $2, $3 == "NUMBER" ? 1 : $3 }' \
    >"$found/options.dict"

# number NAME: of the statistics that libFuzzer prints in the end.
number() {
    sed -n "s/^stat::$1: *//p" "$found/log"
}

# coverage: edges of the code that inputs have reached.
coverage() {
    sed -n 's/^#.* cov: \([0-9]*\) .*/\1/p' "$found/log" | tail -n 1
}

for name in $targets; do
    target=target-$name
    regressions=$SOURCE_DIR/tests/fuzz/regressions/$target
    [ -d "$regressions" ] || regressions=
    mkdir -p "$found/corpus/$target"
    # The search takes as long as a hundred other builds; it has a target.
    grep -hEv '"(grid=search|preset=small|preset=vanilla)"' \
        "$found/options.dict" "$SOURCE_DIR/tests/fuzz/words.dict" \
        >"$found/dictionary"
    result="no find"
    # shellcheck disable=SC2086 # words
    "$BUILD_DIR/tests/fuzz/$target" -dict="$found/dictionary" \
        -max_total_time="$seconds" -timeout=600 -rss_limit_mb=1024 \
        -max_len=16384 -print_final_stats=1 \
        -artifact_prefix="$found/finds/$name-" ${FUZZ_FLAGS-} \
        "$found/corpus/$target" "$found/seeds/$target" $regressions \
        >"$found/log" 2>&1 || result="a find"
    [ "$result" = "no find" ] || {
        failed=1
        cp "$found/log" "$found/finds/$name.log"
    }
    echo "$target: $(number number_of_executed_units) executions," \
        "$(coverage) edges, $result"
done
[ "$failed" -eq 0 ] || echo "finds are in $found/finds"
exit "$failed"
