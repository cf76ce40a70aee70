#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a file which another program changes while the command is at work
# on it is not lost: if that happens while it is read nothing is written, and if
# it happens later the file is not replaced.  Of two processes that are at work
# on one file, the second to replace what it reads is told so, and others are
# not kept waiting.

# shellcheck disable=SC2086 # what holds words is split into them

. "$SOURCE_DIR/tests/help/library.sh"
need_disturbances

expect_build "$sample" -o built.wad
gzip -c "$sample" >sample.gz

# start FILE: a folder with nothing but this, which nobody has changed lately.
start() {
    rm -rf work
    mkdir work
    cp "$1" work/map.wad
    chmod u+w work/map.wad
    touch -t 200001010000 work/map.wad
    touch begun
    await is_later
}

# The time goes on: what happens now gets another time than what has.
is_later() {
    touch now
    [ now -nt begun ]
}

# expect_disturbed STATUS CALL NUMBER CHANGE ARGUMENT...: the shell runs CHANGE
# at a call of a function.
expect_disturbed() {
    expected_status=$1
    function=$2
    at=$3
    change_now=$4
    shift 4
    expect "$expected_status" disturbed_blocksweep "$function" "$at" \
        BROKEN_COMMAND="$change_now" "$@"
}

# expect_changed CHANGE: the files are what this alone makes of them.
expect_changed() {
    mv work found
    start "$source"
    sh -c "$1"
    diff -r found work || fail "after $1, other files were expected"
    rm -rf found
}

# --- Other programs ---

cut="dd if=/dev/null of=work/map.wad bs=1 seek=100000 2>dd-messages"
overwrite="printf x | dd of=work/map.wad conv=notrunc 2>dd-messages"
in_secret="$overwrite; touch -t 200001010000 work/map.wad"
replace="cp built.wad work/other && mv work/other work/map.wad"
remove="rm work/map.wad"
in_place="--quiet --in-place --backup work/map.wad"

# While it is read.
for source in "$sample" sample.gz; do
    for change in "$cut" "$in_secret"; do
        for moment in 1 2; do
            start "$source"
            expect_disturbed 3 read $moment "$change" $in_place
            expect_text errors "blocksweep: work/map.wad: the file changed \
while it was read; nothing was written"
            expect_changed "$change"
        done
    done
done

# expect_each LEAST CALL CHANGE END ARGUMENT...: the change, at each call of a
# function, of which there are so many at least, is found.  A sentence tells of
# it, with this end; and no other file changes.
expect_each() {
    least=$1 call=$2 change=$3 end=$4
    shift 4
    at=0
    while
        at=$((at + 1))
        rm -f mark
        start "$source"
        status=0
        disturbed_blocksweep "$call" $at BROKEN_COMMAND="$change" "$@" \
            >output 2>errors || status=$?
        [ -e mark ]
    do
        [ "$status" -eq 3 ] ||
            fail_showing errors "$call $at of $*: status $status"
        [ "$*" != "--quiet work/map.wad -o -" ] || [ ! -s output ] ||
            fail "$call $at of $*: something was written"
        expect_match errors "^blocksweep: work/map.wad: the file changed \
while it was read$end\$"
        expect_changed "$change"
    done
    [ $at -gt "$least" ] || fail "$at calls of $call are too few to tell"
}

# As its maps are read, and as the rest is written from where it is.
source=$sample
for change in "$cut" "$in_secret"; do
    for function in read write; do
        expect_each 4 $function "$change" "; nothing was written" $in_place
    done
    expect_each 4 read "$change" "; nothing was written" \
        --quiet work/map.wad -o work/map.wad.gz
    expect_each 4 read "$change" "\(; nothing was written\)*" \
        --quiet work/map.wad -o -
    expect_each 4 read "$change" "" verify --quiet work/map.wad
    expect_each 4 read "$change" "" show --quiet work/map.wad
    expect_each 4 read "$change" "" diff --quiet work/map.wad work/map.wad
done

# Who replaces a file leaves it to those that read it.
for moment in 1 3 5; do
    start "$source"
    expect_disturbed 0 read $moment "$replace" \
        --quiet work/map.wad -o work/new.wad
    expect_same work/new.wad built.wad
done

# After it was read.
for change in "$overwrite" "$replace" "$remove"; do
    start "$source"
    expect_disturbed 3 fsync 1 "$change" $in_place
    expect_sentence
    expect_match errors "^blocksweep: work/map.wad: \(the file changed \
while it was read\|cannot be replaced: it has changed since it was read\); \
nothing was written\$"
    expect_changed "$change"
done

# A builder can do so, too.
start "$source"
expect 3 blocksweep $in_place --builder="sh -c '$cut' {in}"
expect_sentence work/map.wad changed
expect_changed "$cut"

# What was not there when the command began is not replaced: not if it comes
# while a file is built, nor while one before it is.
for words in "$sample -o work/late.wad" "-o work $sample late.wad"; do
    cp "$sample" late.wad
    start "$sample"
    expect 3 blocksweep -q $words \
        --builder="sh -c 'cp late.wad work/late.wad; cp {in} {out}'"
    expect_match errors "^blocksweep: work/late.wad: cannot be replaced: it \
was not there when the command began; nothing was written\$"
    expect_same work/late.wad late.wad
done

# What is put in place of the new file, or of the file to be kept, is not taken
# for it, nor removed.
take='for name in work/.b*; do
    mv "$name" taken; ln -s ../sample.gz "$name"; done'
swap="mv work/map.wad taken; ln -s ../sample.gz work/map.wad"
cp sample.gz kept.gz
start "$source"
expect_disturbed 3 fsync 1 "$take" $in_place
expect_sentence work/map.wad "another program removed or replaced the new file"
expect_same work/map.wad "$sample"
[ -n "$(find work -name '.b*' -type l)" ] || fail "a link is gone"
start "$source"
expect_disturbed 3 linkat 1 "$swap" $in_place
expect_sentence work/map.wad "it has changed"
expect_absent work/map.wad~
expect_same work/map.wad sample.gz
expect_same taken "$sample"
start "$source"
expect_disturbed 3 linkat 2 "$swap" $in_place
expect_sentence work/map.wad "it has changed"
expect_same work/map.wad sample.gz

# Nor is a backup that comes while one is made.
start "$source"
expect_disturbed 0 linkat 2 "echo other >work/map.wad~" $in_place
expect_text work/map.wad~ other
expect_same work/map.wad.~2~ "$sample"
start "$source"
BROKEN_MISSING=linkat expect_disturbed 0 futimens 1 \
    "echo other >work/map.wad~" $in_place
expect_text work/map.wad~ other
expect_same work/map.wad.~2~ "$sample"

# Nor is what is put in place of a copy, where there are no hard links.
start "$source"
BROKEN_MISSING=linkat expect_disturbed 3 futimens 1 "$take" $in_place
expect_sentence work/map.wad "it has changed"
expect_same work/map.wad "$sample"
[ ! -L work/map.wad~ ] || fail "a link was taken for the copy"
expect_same sample.gz kept.gz

# The new file does not get the mode of what has the name when it is made.
take_name="mv work/map.wad work/aside; cp work/aside work/map.wad
    chmod 666 work/map.wad"
start "$source"
chmod 600 work/map.wad
expect_disturbed 3 create 1 "$take_name" $in_place
expect_sentence work/map.wad "changed"
find work -type f -perm 600 | expect_text - work/aside

# --- Two processes ---

# The second leaves its status and its messages.
make_program second <<'END'
unset BROKEN_COMMAND # else there would be a third, and so on
status=0
"$BUILD_DIR/run" ${PRELOADED:+env LD_PRELOAD="$PRELOADED"} \
    blocksweep --quiet "$@" >/dev/null 2>second-errors || status=$?
echo $status >second-status
END
in_place="--quiet --in-place work/map.wad"
busy="another process is at work on this file"

# expect_second STATUS CALL NUMBER ARGUMENT...: the first process builds in
# place, and at a call of a function the second comes.
expect_second() {
    rm -f second-status
    second_status=$1
    call=$2
    number=$3
    shift 3
    start "$sample"
    expect_disturbed 0 "$call" "$number" "./second $*" $in_place
    expect_no_errors
    cp second-errors errors
    expect_text second-status "$second_status"
    expect_same work/map.wad built.wad
}

# The first has read, writes, or has written.  Who only reads gets the old file
# or the new one.
for call in read renameat; do
    expect_second 3 "$call" 1 --in-place work/map.wad
    expect_sentence work/map.wad "$busy"
    expect_second 3 "$call" 1 work/map.wad -o work/../work/map.wad
    expect_sentence work/map.wad "$busy"
    expect_second 0 "$call" 1 work/map.wad -o work/new.wad
    expect_same work/new.wad built.wad
done

# Where the file system has no locks, the first finds the work done.
no_locks=95
start "$sample"
expect_build --grid=fit "$sample" -o second.wad
without_locks="BROKEN_CALL=flock BROKEN_ERROR=$no_locks \
PRELOADED=$BUILD_DIR/tests/command/.libs/broken-disk.so"
expect_disturbed 3 write 1 \
    "$without_locks ./second --grid=fit --in-place work/map.wad" $in_place
expect_sentence work/map.wad "it has changed since it was read"
expect_text second-status 0
expect_same work/map.wad second.wad

# What a killed process claimed is free.
start "$sample"
expect_disturbed 137 renameat 1 'kill -9 $PPID' $in_place
expect_same work/map.wad "$sample"
expect_build --in-place work/map.wad
expect_same work/map.wad built.wad
