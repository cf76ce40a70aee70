#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a file which another program changes while the command is at work
# on it is not lost: if that happens while it is read nothing is written, and if
# it happens later the file is not replaced.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
need_disturbances

expect_build "$sample" -o built.wad
gzip -c "$sample" >sample.gz

# What another program does.
append="printf x >>work/map.wad"
cut="dd if=/dev/null of=work/map.wad bs=1 seek=100000 2>dd-messages"
overwrite="printf x | dd of=work/map.wad conv=notrunc 2>dd-messages"
replace="cp built.wad work/other && mv work/other work/map.wad"
remove="rm work/map.wad"

# start FILE: a folder with nothing but this, which nobody has changed lately.
start() {
    rm -rf work mark
    mkdir work
    cp "$1" work/map.wad
    touch -t 200001010000 work/map.wad
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
    [ -e mark ] || fail "$function was not called $at times"
}

# expect_changed CHANGE: the files are what this alone makes of them.
expect_changed() {
    mv work found
    start "$source"
    sh -c "$1"
    diff -r found work || fail "after $1, other files were expected"
    rm -rf found
}

# --- While it is read ---

for source in "$sample" sample.gz; do
    for change in "$append" "$cut" "$overwrite"; do
        for at in 1 2; do
            start "$source"
            expect_disturbed 3 read "$at" "$change" \
                --quiet work/map.wad -o work/new.wad
            expect_sentence work/map.wad "changed while it was read"
            expect_changed "$change"
            start "$source"
            expect_disturbed 3 read "$at" "$change" \
                --quiet --in-place --backup work/map.wad
            expect_sentence work/map.wad "changed while it was read"
            expect_changed "$change"
        done
    done
done

# Nothing is told of a file that is half another.
source=$sample
for command in verify show diff; do
    start "$source"
    set -- work/map.wad
    [ $command != diff ] || set -- work/map.wad built.wad
    expect_disturbed 3 read 2 "$overwrite" $command "$@"
    grep -q "work/map.wad: .*changed while it was read" errors ||
        fail "another sentence was expected"
done

# Who replaces a file leaves the old one to those that read it.
start "$source"
expect_disturbed 0 read 1 "$replace" --quiet work/map.wad -o work/new.wad
expect_same work/new.wad built.wad

# --- After it was read ---

for change in "$append" "$cut" "$overwrite" "$replace" "$remove"; do
    for function in mkstemp write fsync; do
        start "$source"
        expect_disturbed 3 "$function" 1 "$change" \
            --quiet --in-place --backup work/map.wad
        expect_sentence work/map.wad "it has changed since it was read"
        expect_changed "$change"
    done

    start "$source"
    # shellcheck disable=SC2016 # for another shell
    expect 3 blocksweep --quiet --in-place --backup work/map.wad \
        --builder="sh -c '$change; cp \"\$1\" \"\$2\"' sh {in} {out}"
    expect_sentence work/map.wad "it has changed since it was read"
    expect_changed "$change"

    # To another output this is no matter.
    start "$source"
    expect_disturbed 0 write 1 "$change" --quiet work/map.wad -o work/new.wad
    expect_same work/new.wad built.wad
    rm work/new.wad
    expect_changed "$change"
done
