#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command can be ended at any moment: the target is then the
# old file or the new one, and so is a backup; and that a signal which can be
# caught leaves no other file behind.

set -eu
# shellcheck source=tests/library.sh
. "$SOURCE_DIR/tests/library.sh"

# Leaks cannot be looked for in a program that is traced.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

expect_build "$sample" -o built.wad
echo "what was there" >old

# expect_old_or_new FILE OLD
expect_old_or_new() {
    cmp -s "$1" "$2" || cmp -s "$1" built.wad ||
        fail "at call $call, $1 is neither the old file nor the new one"
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
        rm -rf work
        mkdir work
        cp "$sample" work/map.wad
        cp old work/old.wad
        status=0
        "$BUILD_DIR/run" "$BUILD_DIR/tests/signal-at" "$signal" "$call" \
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
        *) [ ! -e "$file" ] || fail "at call $call, $file is left" ;;
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
