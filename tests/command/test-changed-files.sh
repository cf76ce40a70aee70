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

# disturb_each CALL CHANGE CHECK ARGUMENT...: runs the command as often as it
# makes calls of a function; at each of these in turn the shell runs CHANGE.
# CHECK sees the end, in $status, output and errors.
disturb_each() {
    function=$1 change=$2 check=$3
    shift 3
    at=0
    while
        at=$((at + 1))
        rm -f mark
        start "$source"
        status=0
        disturbed_blocksweep "$function" $at BROKEN_COMMAND="$change" "$@" \
            >output 2>errors || status=$?
        [ -e mark ]
    do
        $check
    done
    [ $at -gt 1 ] || fail "nothing happened at any $function of $*"
}

# expect_ended STATUS: so the command has ended.
expect_ended() {
    [ "$status" -eq "$1" ] ||
        fail_showing errors "after $change at $function $at: status $status"
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

# check_found: a sentence with $end tells of the change; no other file changes,
# and nothing is written.
check_found() {
    expect_ended 3
    expect_no_output
    expect_match errors "^blocksweep: work/map.wad: the file changed \
while it was read$end\$"
    expect_changed "$change"
}

# While it is read, and as the rest is written from where it is.
for source in "$sample" sample.gz; do
    for change in "$cut" "$in_secret"; do
        end="; nothing was written"
        disturb_each read "$change" check_found $in_place
        [ $source != sample.gz ] || continue
        disturb_each write "$change" check_found $in_place
        disturb_each read "$change" check_found \
            --quiet work/map.wad -o work/map.wad.gz
        end=
        disturb_each read "$change" check_found verify --quiet work/map.wad
        disturb_each read "$change" check_found show --quiet work/map.wad
        disturb_each read "$change" check_found \
            diff --quiet work/map.wad work/map.wad
        end="\(; nothing was written\)*"
        disturb_each read "$change" check_found --quiet work/map.wad -o -
    done
done
source=$sample

# Who replaces a file leaves it to those that read it.
check_replaced() {
    expect_ended 0
    expect_same work/new.wad built.wad
}
disturb_each read "$replace" check_replaced --quiet work/map.wad -o work/new.wad

# After it was read.
check_found_later() {
    expect_ended 3
    expect_sentence
    expect_match errors "^blocksweep: work/map.wad: \(the file changed \
while it was read\|cannot be replaced: it has changed since it was read\); \
nothing was written\$"
    expect_changed "$change"
}
for change in "$overwrite" "$replace" "$remove"; do
    disturb_each fsync "$change" check_found_later $in_place
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
check_taken() {
    expect_ended 3
    expect_sentence work/map.wad \
        "another program removed or replaced the new file"
    expect_same work/map.wad "$sample"
    [ -n "$(find work -name '.b*' -type l)" ] || fail "a link is gone"
    expect_same sample.gz kept.gz
}
disturb_each fsync "$take" check_taken $in_place
check_swapped() {
    expect_ended 3
    expect_sentence work/map.wad "it has changed"
    expect_same work/map.wad sample.gz
    [ ! -e work/map.wad~ ] || expect_same work/map.wad~ "$sample"
    expect_same taken "$sample"
}
disturb_each linkat "$swap" check_swapped $in_place

# Nor is a backup that comes while one is made, also as a link.
check_other_backup() {
    expect_ended 0
    expect_text work/map.wad~ other
    expect_same work/map.wad.~2~ "$sample"
}
echo other >other
for comes in "echo other >work/map.wad~" "ln -s ../other work/map.wad~"; do
    disturb_each linkat "$comes" check_other_backup $in_place
    BROKEN_MISSING=linkat \
        disturb_each futimens "$comes" check_other_backup $in_place
done

# Nor is what is put in place of a copy, where there are no hard links.
check_taken_copy() {
    expect_ended 3
    expect_sentence work/map.wad "it has changed"
    expect_same work/map.wad "$sample"
    [ ! -L work/map.wad~ ] || fail "a link was taken for the copy"
    expect_same sample.gz kept.gz
}
BROKEN_MISSING=linkat disturb_each futimens "$take" check_taken_copy $in_place

# The new file does not get the mode of what has the name when it is made.
take_name="chmod 600 work/map.wad; mv work/map.wad work/aside
    cp work/aside work/map.wad; chmod 666 work/map.wad"
check_mode() {
    expect_ended 3
    expect_sentence work/map.wad "changed"
    find work -type f -perm 600 | expect_text - work/aside
}
disturb_each create "$take_name" check_mode $in_place

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

# expect_second STATUS CALL ARGUMENT...: the first process builds in place, and
# at each call of a function the second comes, and ends with this.
expect_second() {
    second_status=$1
    call=$2
    shift 2
    disturb_each "$call" "./second $*" check_second $in_place
}

check_second() {
    expect_ended 0
    expect_no_errors
    cp second-errors errors
    expect_text second-status "$second_status"
    rm second-status
    expect_same work/map.wad built.wad
    case $second_status in
    0) expect_same work/new.wad built.wad ;;
    *) expect_sentence work/map.wad "another process is at work on this file" ;;
    esac
}

# The first has read, writes, or has written.  Who only reads gets the old file
# or the new one.
for call in read renameat; do
    expect_second 3 "$call" --in-place work/map.wad
    expect_second 0 "$call" work/map.wad -o work/new.wad
done
expect_second 3 renameat work/map.wad -o work/../work/map.wad

# Where the file system has no locks, the first finds the work done.
no_locks=95
expect_build --grid=fit "$sample" -o second.wad
without_locks="BROKEN_CALL=flock BROKEN_ERROR=$no_locks \
PRELOADED=$BUILD_DIR/tests/command/.libs/broken-disk.so"
check_work_done() {
    expect_ended 3
    expect_sentence work/map.wad "it has changed since it was read"
    expect_text second-status 0
    rm second-status
    expect_same work/map.wad second.wad
}
disturb_each fsync \
    "$without_locks ./second --grid=fit --in-place work/map.wad" \
    check_work_done $in_place

# What a killed process claimed is free.
check_claim() {
    expect_ended 137
    expect_same work/map.wad "$sample"
    expect_build --in-place work/map.wad
    expect_same work/map.wad built.wad
}
disturb_each renameat 'kill -9 $PPID' check_claim $in_place
