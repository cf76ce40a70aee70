#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves what happens when two processes are at work on one file: the second to
# replace what it reads is told so, and others are not kept waiting.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
need_disturbances

expect_build "$sample" -o built.wad

start() {
    rm -rf work mark
    mkdir work
    cat "$sample" >work/map.wad
}

# The second process; it leaves its status and its messages.
cat >second <<'END'
#!/bin/sh
status=0
"$BUILD_DIR/run" blocksweep --quiet "$@" >/dev/null 2>second-errors || status=$?
echo $status >second-status
END
chmod +x second

# expect_second STATUS CALL NUMBER ARGUMENT...: the first process builds in
# place, and at a call of a function the second comes.
expect_second() {
    expected_status=$1
    call=$2
    number=$3
    shift 3
    start
    expect 0 disturbed_blocksweep "$call" "$number" \
        BROKEN_COMMAND="./second $*" --quiet --in-place work/map.wad
    expect_no_errors
    [ -e mark ] || fail "$call was not called"
    cp second-errors errors
    expect_text second-status "$expected_status"
    expect_same work/map.wad built.wad
}

# The first has read, writes, or has written.
for call in read write fsync rename; do
    expect_second 3 "$call" 1 --in-place work/map.wad
    expect_sentence work/map.wad "another process is at work on this file"
    expect_second 3 "$call" 1 work/map.wad -o work/../work/map.wad
    expect_sentence work/map.wad "another process is at work on this file"
done

# Who only reads gets the old file or the new one.
for call in read write fsync rename; do
    expect_second 0 "$call" 1 work/map.wad -o work/new.wad
    expect_same work/new.wad built.wad
done

# Once it has been replaced, it is another file, which nobody works on.
expect_second 0 fsync 2 --in-place work/map.wad

# Nor on one that has been replaced just before it would have been claimed.
start
expect 3 disturbed_blocksweep flock 1 \
    BROKEN_COMMAND='cp built.wad work/other && mv work/other work/map.wad' \
    --quiet --in-place work/map.wad
expect_sentence work/map.wad "another process is at work on this file"
expect_same work/map.wad built.wad

# Where the file system has no locks, the first finds the work done.
start
no_locks=95
expect 0 disturbed_blocksweep flock 1 BROKEN_ERROR=$no_locks \
    --quiet --in-place work/map.wad
expect_same work/map.wad built.wad
start
cat >second-without-locks <<'END'
#!/bin/sh
unset BROKEN_COMMAND # else there would be a third, and so on
"$BUILD_DIR/run" env LD_PRELOAD="$BUILD_DIR/tests/command/.libs/broken-disk.so" \
    BROKEN_CALL=flock BROKEN_AT=1 BROKEN_ERROR=95 \
    blocksweep --quiet --grid=fit --in-place work/map.wad
END
chmod +x second-without-locks
expect_build --grid=fit "$sample" -o second.wad
expect 3 disturbed_blocksweep write 1 BROKEN_COMMAND=./second-without-locks \
    --quiet --in-place work/map.wad
expect_sentence work/map.wad "it has changed since it was read"
expect_same work/map.wad second.wad

# What a killed process claimed is free.
start
# shellcheck disable=SC2016 # for another shell
expect 137 disturbed_blocksweep rename 1 BROKEN_COMMAND='kill -9 $PPID' \
    --quiet --in-place work/map.wad
expect_same work/map.wad "$sample"
expect_build --in-place work/map.wad
expect_same work/map.wad built.wad

# A crowd.
start
count=0
processes=
while [ $count -lt 12 ]; do
    count=$((count + 1))
    "$BUILD_DIR/run" blocksweep --quiet --in-place --backup work/map.wad \
        2>errors-$count &
    processes="$processes $!"
done
done=0
count=0
for process in $processes; do
    count=$((count + 1))
    status=0
    wait "$process" || status=$?
    case $status in
    0) done=$((done + 1)) ;;
    3)
        grep -q -e "another process is at work on this file" \
            -e "it has changed since it was read" \
            -e "the file changed while it was read" errors-$count || {
            cat errors-$count
            fail "one of many gave up for no good reason"
        }
        ;;
    *) fail "one of many ended with $status" ;;
    esac
done
[ $done -gt 0 ] || fail "each of them left the work to others"
expect_same work/map.wad built.wad
[ "$(ls -A work)" = "map.wad
map.wad~" ] || fail "other files were expected"
echo "$done of $count processes did the work"
