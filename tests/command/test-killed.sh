#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command can be ended at any moment, at each system call, which
# no quicker test tries: the target is then the old file or the new one, and so
# is a backup; and that every signal which can be caught, and a stack overflow,
# leave no other file behind.

. "$SOURCE_DIR/tests/help/library.sh"
write_room

echo "PWAD, or what was there" >old

# use FILE: runs begin with this file.
use() {
    cat "$1" >before.wad
    expect_build before.wad -o built.wad
}

start() {
    rm -rf work
    mkdir work
    cp before.wad work/map.wad
    cp old work/old.wad
}

# expect_old_or_new FILE OLD
expect_old_or_new() {
    cmp -s "$1" "$2" || cmp -s "$1" built.wad ||
        fail "$moment: $1 is neither the old file nor the new one"
}

check_backup() {
    expect_old_or_new work/map.wad before.wad
    [ ! -e work/map.wad~ ] || expect_same work/map.wad~ before.wad
    cmp -s work/map.wad before.wad || expect_same work/map.wad~ before.wad
    expect_same work/old.wad old
}

# check_names NAME...: there are no files but these.
check_names() {
    left=$(find work -mindepth 1 | sed 's,^work/,,' |
        grep -vxF "$(printf '%s\n' "$@")") || return 0
    fail "$moment: $left is left; only $* was expected"
}

check_clean_output() {
    expect_old_or_new work/old.wad old
    expect_same work/map.wad before.wad
    check_names map.wad old.wad
}

check_clean_backup() {
    check_backup
    check_names map.wad map.wad~ old.wad
}

kill=9
abort=6 # as after a crash
terminate=15
make_room room.wad
use room.wad
# The calls at which a temporary file is there.
find_temporary() {
    check_backup
    [ -z "$(find work -name '.blocksweep.*')" ] || echo "$call" >>with-temporary
}
signal_everywhere $kill find_temporary blocksweep -qi --backup work/map.wad
signal_everywhere $abort check_clean_output blocksweep -q work/map.wad \
    -o work/old.wad

# Between files, too.
check_both() {
    check_names map.wad old.wad before.wad built.wad
    for file in before.wad built.wad; do
        [ ! -e work/$file ] || expect_same work/$file built.wad
    done
}
signal_everywhere $terminate check_both blocksweep -q before.wad built.wad \
    -o work

# This file is written in several pieces.
use "$sample"
signal_everywhere $terminate check_clean_backup blocksweep -qi --backup \
    work/map.wad

# --- Every signal ---

# Sanitizers have handlers of their own.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0:handle_sigbus=0
ASAN_OPTIONS=$ASAN_OPTIONS:handle_sigill=0:handle_sigfpe=0
export ASAN_OPTIONS

# Whether a signal ends processes that do not handle it.  Of the C library are
# 32 and 33, which programs can neither send nor handle.
is_fatal() {
    case $(kill -l "$1") in
    KILL | STOP | TSTP | TTIN | TTOU | CONT | CHLD | URG | WINCH) false ;;
    32 | 33 | "") false ;;
    esac
}

# In the middle of the time that the temporary file is there; some signals also
# where it begins and ends.
use room.wad
moments=$(sed -n '$=' with-temporary)
middle=$(sed -n "$((moments / 2))p" with-temporary)
moments="$(sed -n 1p with-temporary) $middle $(sed -n \$p with-temporary)"
signals=0
for number in $(seq 64); do
    is_fatal "$number" || continue
    signals=$((signals + 1))
    case $(kill -l "$number") in
    HUP | INT | TERM | SEGV | RTMIN) calls=$moments ;;
    *) calls=$middle ;;
    esac
    for call in $calls; do
        moment="signal $number at call $call"
        start
        expect $((128 + number)) "$BUILD_DIR/run" \
            "$BUILD_DIR/tests/command/signal-at" "$number" "$call" \
            blocksweep -qi --backup work/map.wad
        check_clean_backup
    done
done
echo "$signals signals"
[ $signals -gt 50 ] || fail "more signals were expected to be tried"

need_disturbances
segmentation_fault=11
moment="stack overflow"
start
(
    ulimit -s 8192
    expect $((128 + segmentation_fault)) disturbed_blocksweep fsync 1 \
        BROKEN_STACK=yes -q -i --backup work/map.wad
)
[ -e mark ] || fail "no file was synced"
expect_same work/map.wad before.wad
check_names map.wad old.wad
