#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a disk which is full, read-only or broken loses nothing: whichever
# call fails, the target is whole, the old file if the command says that it has
# failed and the new one if not; and nothing is left beside it.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
need_disturbances

input_output_error=5
permission_denied=13
operation_not_permitted=1
cross_device_link=18
no_space=28
read_only=30

use_own_temporary_folder
expect_build "$sample" -o built.wad

start() {
    rm -rf work
    mkdir work
    cat "$sample" >work/map.wad
}

check_failure() {
    expect_sentence
    expect_same work/map.wad "$sample"
}

check_success() {
    expect_no_errors
    expect_same work/map.wad built.wad
}

# check_backup: it may be there before the target is replaced, but not broken.
check_backup() {
    [ ! -e work/map.wad~ ] || expect_same work/map.wad~ "$sample"
    cmp -s work/map.wad "$sample" || expect_same work/map.wad~ "$sample"
}

check_folder() {
    for file in work/* work/.[!.]*; do
        case $file in
        work/map.wad | work/map.wad~) ;;
        *) [ ! -e "$file" ] || fail "$file is left" ;;
        esac
    done
}

# break_calls ERROR CALL ARGUMENT...: has each call of a function fail in turn.
break_calls() {
    error=$1
    function=$2
    shift 2
    at=0
    failures=0
    while
        at=$((at + 1))
        start
        rm -f mark
        status=0
        disturbed_blocksweep "$function" $at BROKEN_ERROR="$error" --quiet \
            --in-place --backup "$@" work/map.wad >output 2>errors || status=$?
        [ -e mark ]
    do
        case $status in
        0) check_success ;;
        3) check_failure && failures=$((failures + 1)) ;;
        *) fail "call $at of $function made the command end with $status" ;;
        esac
        check_backup
        check_folder
    done
    [ "$status" -eq 0 ] || fail "the command failed without a reason"
    [ $at -gt 1 ] || fail "$function was never called"
    expect_nothing_temporary
    echo "$function: error $error at $((at - 1)) calls, $failures failures"
}

for number in $no_space $input_output_error; do
    break_calls "$number" write
    [ $failures -eq $((at - 1)) ] || fail "a write failed and nobody knew"
done
for function in mkdtemp fwrite; do
    break_calls $no_space "$function" --builder='cp {in} {out}'
    [ $failures -eq $((at - 1)) ] || fail "a builder had half a file"
done
break_calls $input_output_error read
break_calls $input_output_error fsync
[ $failures -gt 0 ] || fail "bytes that are not on the disk were taken for it"
break_calls $no_space close
[ $failures -gt 0 ] || fail "a file was not closed and nobody knew"
break_calls $read_only mkstemp
break_calls $permission_denied rename
break_calls $operation_not_permitted fchmod

# Where there are no hard links, the backup is a copy.
break_calls $cross_device_link link
[ $failures -eq 0 ] || fail "a backup without links was expected"

# --- Pictures ---

for option in svg html; do
    start
    echo "what was there" >old
    cp old "work/map.$option"
    expect 3 disturbed_blocksweep write 3 BROKEN_ERROR=$no_space show \
        --map=MAP01 --$option="work/map.$option" work/map.wad
    expect_sentence "work/map.$option" "No space left on device"
    expect_same "work/map.$option" old
    rm "work/map.$option"
    check_folder
done

# --- An owner that cannot be kept ---

# expect_mode OLD NEW: of a file that cannot keep its owner, but its group.
expect_mode() {
    start
    chmod "$1" work/map.wad
    expect 0 disturbed_blocksweep fchown 1 \
        BROKEN_ERROR=$operation_not_permitted --quiet --in-place work/map.wad
    expect_same work/map.wad built.wad
    [ -n "$(find work/map.wad -perm "$2")" ] ||
        fail "$1 was expected to become $2"
}

# Nobody runs the file as another than before.
expect_mode 6755 755
expect_mode 660 660

# --- As one who may not do everything ---

user=65534

as_user() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=$user --regid=$user --clear-groups \
            "$BUILD_DIR/run" "$@"
    else
        "$BUILD_DIR/run" "$@"
    fi
}

start
chmod 755 . work
if ! as_user blocksweep --version >/dev/null 2>&1 ||
    ! as_user cat "$folder/work/map.wad" >/dev/null 2>&1; then
    echo "what other users may do is not seen: none can be had, or run this"
    exit 0
fi

# A folder that may not be written to, and a file.
[ "$(id -u)" -ne 0 ] || chown $user:$user work work/map.wad
chmod 555 work
expect 3 as_user blocksweep --quiet --in-place work/map.wad
expect_sentence work/map.wad "cannot create a file in its folder" \
    "Permission denied"
expect_same work/map.wad "$sample"
chmod 755 work
chmod 444 work/map.wad
expect 3 as_user blocksweep --quiet --in-place work/map.wad
expect_sentence work/map.wad "cannot be replaced" "Permission denied"
expect_same work/map.wad "$sample"
check_folder

# Neither can be kept: what was for the group is for nobody else.
if [ "$(id -u)" -eq 0 ]; then
    chown 12345:23456 work/map.wad
    chmod 6676 work/map.wad
    expect 0 as_user blocksweep --quiet --in-place work/map.wad
    expect_same work/map.wad built.wad
    [ -n "$(find work/map.wad -user $user -group $user -perm 666)" ] ||
        fail "rights were given to others"
fi
