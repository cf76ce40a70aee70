#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command can be ended at any moment, at each system call and
# 200 times at random: the target is then the old file or the new one, and so is
# a backup; and that a signal which can be caught leaves no other file behind.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

# Leaks cannot be looked for in a program that is traced.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

expect_build "$sample" -o built.wad
echo "what was there" >old

# expect_old_or_new FILE OLD
expect_old_or_new() {
    cmp -s "$1" "$2" || cmp -s "$1" built.wad ||
        fail "at $moment, $1 is neither the old file nor the new one"
}

start() {
    rm -rf work
    mkdir work
    cat "$sample" >work/map.wad
    cp old work/old.wad
}

# end_everywhere SIGNAL CHECK ARGUMENT...: sends the signal at each system call
# of the command, one after the other, and runs CHECK after each.
end_everywhere() {
    signal=$1
    check=$2
    shift 2
    call=0
    status=$((128 + signal))
    while [ "$status" -eq $((128 + signal)) ]; do
        call=$((call + 1))
        moment="call $call"
        start
        status=0
        "$BUILD_DIR/run" "$BUILD_DIR/tests/command/signal-at" "$signal" "$call" \
            blocksweep --quiet "$@" >output 2>errors || status=$?
        [ "$status" -ne 77 ] || skip "programs cannot be traced here"
        $check
    done
    [ "$status" -eq 0 ] || {
        cat output errors
        fail "the command ended with $status at call $call"
    }
    [ "$call" -gt 60 ] || fail "only $call moments were seen"
    echo "$call moments: signal $signal, blocksweep $*"
}

# kill_after MICROSECONDS ARGUMENT...: has ended only when the command has.
kill_after() {
    seconds=$(printf '%d.%06d' $(($1 / 1000000)) $(($1 % 1000000)))
    shift
    status=0
    timeout --foreground --preserve-status --signal=KILL "$seconds" \
        "$BUILD_DIR/run" blocksweep --quiet "$@" 2>errors || status=$?
    [ $status -eq 0 ] || [ $status -eq 137 ] || {
        cat errors
        fail "the command ended with $status"
    }
}

# kill_at_random COUNT CHECK ARGUMENT...: kills the command COUNT times, each at
# a moment between its start and a little after its end, and runs CHECK.  How
# long it takes changes as other programs come and go, so this is followed.
kill_at_random() {
    count=$1
    check=$2
    shift 2
    seed=$$
    parts=$(awk -v seed=$seed -v count=$((10 * count)) \
        'BEGIN { srand(seed); while (count--) print int(rand() * 1000) }')
    longest=2000 # microseconds
    status=137
    while [ $status -eq 137 ]; do
        longest=$((longest * 2))
        start
        kill_after $longest "$@"
    done
    killed=0
    runs=0
    for part in $parts; do
        [ $killed -lt "$count" ] || break
        runs=$((runs + 1))
        moment=$((longest * part / 1000 + 1))
        start
        kill_after $moment "$@"
        if [ $status -eq 137 ]; then
            killed=$((killed + 1))
            longest=$((longest + longest / 16))
        else
            longest=$((longest - longest / 5))
        fi
        moment="$moment us"
        $check
    done
    [ $killed -eq "$count" ] || fail "the command was killed $killed times only"
    echo "killed $killed times in $runs runs, seed $seed: blocksweep $*"
}

check_output() {
    expect_old_or_new work/old.wad old
    expect_same work/map.wad "$sample"
}

check_new_output() {
    [ ! -e work/new.wad ] || expect_same work/new.wad built.wad
    expect_same work/map.wad "$sample"
}

check_backup() {
    expect_old_or_new work/map.wad "$sample"
    [ ! -e work/map.wad~ ] || expect_same work/map.wad~ "$sample"
    cmp -s work/map.wad "$sample" || expect_same work/map.wad~ "$sample"
    expect_same work/old.wad old
}

# check_clean CHECK NAME...: and there are no files but these.
check_clean() {
    $1
    shift
    for file in work/* work/.[!.]*; do
        case " $* " in
        *" ${file#work/} "*) ;;
        *) [ ! -e "$file" ] || fail "at $moment, $file is left" ;;
        esac
    done
}

check_clean_output() {
    check_clean check_output map.wad old.wad
}

check_clean_backup() {
    check_clean check_backup map.wad map.wad~ old.wad
}

kill=9
interrupt=2
terminate=15

end_everywhere $kill check_output work/map.wad -o work/old.wad
end_everywhere $kill check_new_output work/map.wad -o work/new.wad
end_everywhere $kill check_backup --in-place --backup work/map.wad
end_everywhere $interrupt check_clean_output work/map.wad -o work/old.wad
end_everywhere $terminate check_clean_backup --in-place --backup work/map.wad

if has timeout; then
    kill_at_random 200 check_backup --in-place --backup work/map.wad
fi
