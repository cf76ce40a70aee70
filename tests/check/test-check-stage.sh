#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that nbstage-check passes a stage that keeps its promises, and
# blocksweep, and that each fault of faulty-stage.c is found by the test that is
# there for it.  With LONG both stages pass 25 times, with other maps.
# tests/windows/test-windows-check.sh runs this for Windows.

# shellcheck disable=SC2086 # a command is words

. "$SOURCE_DIR/tests/help/library.sh"

check=${CHECK:-$BUILD_DIR/check/nbstage-check} # words
source=$SOURCE_DIR/tests/check/faulty-stage.c

quietly $CC ${SANITIZE_FLAGS-} -std=c11 -D_GNU_SOURCE -g -shared -fPIC -pthread \
    -Wall -Wextra -I"$SOURCE_DIR/include" "$source" -o faulty.so -lm

for stage in ./faulty.so "$PLUGIN"; do
    for seed in 1 ${LONG:+$(seq 2 25)}; do
        $check --seed="$seed" "$stage" >passed ||
            fail_showing passed "$stage: a fault was found"
    done
    tail -n 1 passed
done

# Lines of faulty-stage.c: a fault and the test that finds it.
sed -n 's/^    FAULT(\([a-z_]*\), \([a-z_]*\), ".*/\1 \2/p' "$source" |
    tr -d '\r' >faults
[ "$(wc -l <faults)" -gt 60 ] || fail "faulty-stage.c has too few faults"
while read -r fault test; do
    test=$(echo "$test" | tr _ -)
    status=0
    seconds=60
    case $fault in *hangs) seconds=2 ;; esac
    FAULT=$fault $check --seconds=$seconds --only="$test" ./faulty.so \
        >found 2>&1 || status=$?
    if [ "$test" = load ]; then
        [ "$status" = 3 ] || fail_showing found "$fault: the status is $status"
        continue
    fi
    [ "$status" = 1 ] || fail_showing found "$fault was not found by $test: $status"
    expect_match found "^failed  $test: ." \
        "again: nbstage-check --only=$test --seed=1 '"
done <faults
echo "$(wc -l <faults) faults were found"

# What many tests find is said once.
expect 1 env FAULT=leaks $check ./faulty.so
expect_count 1 output 'memory that was not released'
expect_count 1 output 'again: '
expect_match output '^failed  ended: as above' '^5 passed, 10 failed'

# Every test has a fault that shows it at work.
$check --list | tr -d '\r' | sed 's/ .*//' | sort >listed
sed 's/.* //' faults | tr _ - | sort -u | diff - listed ||
    fail "a test of nbstage-check has no fault here"

while IFS='|' read -r code sentence arguments; do
    eval "expect $code $check $arguments"
    expect_in errors "$sentence"
done <<'END'
2|expected one stage|
2|--list has no test sizes-of-maps|--only=sizes-of-maps ./faulty.so
2|expected a number from 1 to|--seconds=0 ./faulty.so
3|no stage named 'missing'|missing
END
