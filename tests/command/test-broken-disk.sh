#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a disk which is full, read-only or broken loses nothing: whichever
# call fails, the target is whole, the old file if the command says that it has
# failed and the new one if not; and nothing is left beside it.

. "$SOURCE_DIR/tests/help/library.sh"
need_disturbances
use_own_temporary_folder
expect_build "$sample" -o built.wad

start() {
    rm -rf work mark
    mkdir work
    cat "$sample" >work/map.wad
}

# check_folder: there is no more than a backup.
check_folder() {
    left=$(find work -mindepth 1 ! -name map.wad ! -name map.wad~)
    [ -z "$left" ] || fail "$left was expected to be removed"
}

operation_not_permitted=1
no_space=28

# break_calls LEAST ERROR CALL ARGUMENT...: has each call of a function fail in
# turn.  LEAST tells how many of those that it makes the command must not
# survive: "all", "some", "any" number or "none".
break_calls() {
    least=$1
    error=$2
    function=$3
    shift 3
    at=0
    failures=0
    while
        at=$((at + 1))
        start
        status=0
        disturbed_blocksweep "$function" $at BROKEN_ERROR="$error" --quiet \
            --in-place --backup "$@" work/map.wad >output 2>errors || status=$?
        [ -e mark ]
    do
        case $status in
        0)
            expect_no_errors
            expect_same work/map.wad built.wad
            ;;
        3)
            failures=$((failures + 1))
            expect_sentence
            expect_same work/map.wad "$sample"
            ;;
        *) fail "call $at of $function made the command end with $status" ;;
        esac
        # It may be there before the target is replaced, but not broken.
        [ ! -e work/map.wad~ ] || expect_same work/map.wad~ "$sample"
        cmp -s work/map.wad "$sample" || expect_same work/map.wad~ "$sample"
        check_folder
    done
    [ "$status" -eq 0 ] || fail "the command failed without a reason"
    calls=$((at - 1))
    [ $calls -gt 0 ] || fail "no call of $function was there to fail"
    case $least-$failures in
    all-"$calls" | some-[1-9]* | any-* | none-0) ;;
    *) fail "$failures of $calls calls of $function; $least expected" ;;
    esac
    expect_nothing_temporary
    echo "$function: error $error at $calls calls, $failures failures"
}

while read -r least error call arguments; do
    break_calls "$least" "$error" "$call" ${arguments:+"$arguments"} </dev/null
done <<END
all $no_space write
all $no_space mkdtemp --builder=cp {in} {out}
all $no_space write --builder=cp {in} {out}
all 5 fsync
some $no_space close
all 30 create
any 13 renameat
none 18 linkat
END

# --- No hard links ---

# The backup is a copy then.
BROKEN_MISSING=linkat
export BROKEN_MISSING
while read -r least error call; do
    break_calls "$least" "$error" "$call" </dev/null
done <<END
all $no_space write
all 5 fsync
any 13 renameat
all $operation_not_permitted futimens
END

# It has the owner, permissions and time of the file; nothing else is in the
# folder, while bytes are written, that others may read.
cp "$sample" private.wad
chmod 600 private.wad
touch -t 200001010000 private.wad
owner=$(id -u):$(id -g)
[ "${owner%:*}" -ne 0 ] || owner=12345:23456
chown "$owner" private.wad
is_private="-perm 600 -user ${owner%:*} -group ${owner#*:}"
at=0
while
    at=$((at + 1))
    start
    cp -p private.wad work/map.wad
    expect 0 disturbed_blocksweep write $at \
        BROKEN_COMMAND="find work -type f ! \( $is_private \) >>open
            find work -type f | wc -l >>counts" \
        --quiet --in-place --backup work/map.wad
    [ -e mark ]
do :; done
expect_text open ""
expect_match counts '^ *3$' # with two that are being written
# shellcheck disable=SC2086 # words
find work/map.wad~ $is_private ! -newer private.wad >alike
find private.wad ! -newer work/map.wad~ >>alike
expect_count 2 alike
expect_same work/map.wad~ private.wad
unset BROKEN_MISSING

# --- Real disks ---

mkdir small
trap 'cd / && { umount "$folder/small" 2>/dev/null || :; } && rm -rf "$folder"' \
    EXIT
if mount -t tmpfs -o size=$(($(wc -c <"$sample") * 3 / 2)) none small; then
    cp "$sample" small/map.wad
    expect 3 blocksweep -qi small/map.wad
    expect_sentence "small/map.wad: cannot be written: No space left on device"
    expect_same small/map.wad "$sample"
    find small -mindepth 1 | expect_text - small/map.wad
    rm small/map.wad
    mount -o remount,ro small
    expect 3 blocksweep "$sample" -o small/map.wad
    expect_text errors "blocksweep: small/map.wad: cannot be written: cannot \
create a file in its folder: Read-only file system; nothing was written"
    expect_no_output
    umount small
else
    echo "real disks are left out: nothing can be mounted here"
fi 2>mount-errors

# --- Pictures ---

start
echo "<svg>what was there</svg>" >old
cp old work/map.svg
expect 3 disturbed_blocksweep write 3 BROKEN_ERROR=$no_space show \
    --map=MAP01 --svg=work/map.svg work/map.wad
expect_sentence work/map.svg "No space left on device"
expect_same work/map.svg old
rm work/map.svg
check_folder

# --- An owner that cannot be kept ---

# Nobody runs the file as another than before.
for modes in 6755:755 660:660; do
    start
    chmod ${modes%:*} work/map.wad
    expect 0 disturbed_blocksweep fchown 1 \
        BROKEN_ERROR=$operation_not_permitted --quiet --in-place work/map.wad
    expect_same work/map.wad built.wad
    [ -n "$(find work/map.wad -perm ${modes#*:})" ] ||
        fail "${modes%:*} was expected to become ${modes#*:}"
done

# --- As one who may not do everything ---

start
need_user
chmod 755 . work
if ! as_user "$BUILD_DIR/run" blocksweep --version >/dev/null 2>&1 ||
    ! as_user cat "$folder/work/map.wad" >/dev/null 2>&1; then
    skip "the rest: another user cannot run this"
fi

# expect_kept SENTENCE: it cannot be replaced, and says why, before the work.
expect_kept() {
    expect 3 as_user "$BUILD_DIR/run" blocksweep --in-place work/map.wad
    expect_text errors "blocksweep: work/map.wad: $1; nothing was written"
    expect_no_output
    expect_same work/map.wad "$sample"
}

# A folder that may not be written to, and a file.
[ "$(id -u)" -ne 0 ] || chown 65534:65534 work work/map.wad
chmod 555 work
expect_kept "cannot be written: cannot create a file in its folder: \
Permission denied"
chmod 755 work
chmod 444 work/map.wad
expect_kept "cannot be replaced: Permission denied"
check_folder

# One of another user in a folder such as /tmp.
if [ "$(id -u)" -eq 0 ]; then
    chown 0:0 work work/map.wad
    chmod 1777 work
    chmod 666 work/map.wad
    expect_kept "cannot be replaced: Operation not permitted"
    check_folder
    chown 65534:65534 work
fi

# Neither can be kept: what was for the group is for nobody else.
if [ "$(id -u)" -eq 0 ]; then
    chown 12345:23456 work/map.wad
    chmod 6676 work/map.wad
    expect 0 as_user "$BUILD_DIR/run" blocksweep --quiet --in-place work/map.wad
    expect_same work/map.wad built.wad
    [ -n "$(find work/map.wad -user 65534 -group 65534 -perm 666)" ] ||
        fail "rights were given to others"
fi
