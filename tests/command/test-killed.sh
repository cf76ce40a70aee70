#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command can be ended at any moment, at each system call, which
# no quicker test tries: the target is then the old file or the new one, and so
# is a backup; and that every signal which can be caught, and a stack overflow,
# leave no other file behind.

. "$SOURCE_DIR/tests/help/library.sh"
need perl
write_room

echo "PWAD, or what was there" >old

# use FILE: runs begin with this file.
use() {
    cat "$1" >before.wad
    expect_build before.wad -o built.wad
}

# signal_at MOMENTS CHECK COMMAND...: see tests/command/kill.pl.
signal_at() {
    status=0
    as_built perl "$SOURCE_DIR/tests/command/kill.pl" "$@" || status=$?
    [ "$status" -ne 77 ] || skip "programs cannot be traced here"
    [ "$status" -eq 0 ] || exit 1
}

kill=9
abort=6 # as after a crash
terminate=15
make_room room.wad
use room.wad
signal_at $kill find_temporary blocksweep -qi --backup work/map.wad
signal_at $abort clean_output blocksweep -q work/map.wad -o work/old.wad
signal_at $terminate both blocksweep -q before.wad built.wad -o work

# This file is written in several pieces.
use "$sample"
signal_at $terminate clean_backup blocksweep -qi --backup work/map.wad

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
signals=0 all=
for number in $(seq 64); do
    is_fatal "$number" || continue
    signals=$((signals + 1))
    case $(kill -l "$number") in
    HUP | INT | TERM | SEGV | RTMIN) calls=$moments ;;
    *) calls=$middle ;;
    esac
    for call in $calls; do
        all="$all $number@$call"
    done
done
signal_at "$all" clean_backup blocksweep -qi --backup work/map.wad
echo "$signals signals"
[ $signals -gt 50 ] || fail "more signals were expected to be tried"

need_disturbances
segmentation_fault=11
rm -rf work
mkdir work
cp before.wad work/map.wad
(
    ulimit -s 8192
    expect $((128 + segmentation_fault)) disturbed_blocksweep fsync 1 \
        BROKEN_STACK=yes -q -i --backup work/map.wad
)
[ -e mark ] || fail "no file was synced"
expect_same work/map.wad before.wad
find work -type f | expect_text - work/map.wad
