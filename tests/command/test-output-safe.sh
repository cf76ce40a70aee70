#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the output takes the place of what was there: onto the input,
# through links, with its permissions, with a backup if asked for; that a
# write which fails leaves the target as it was; and that nothing else is left
# in the folder.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

expect_build "$sample" -o built.wad
! cmp -s "$sample" built.wad || fail "the sample was expected to change"
echo "what was there" >other

# expect_files NAME...: there are these files in the folder work and no others.
expect_files() {
    printf '%s\n' "$@" | sort >expected-files
    find work -mindepth 1 | sed 's,^work/,,' | sort >found-files
    diff expected-files found-files || fail "other files were expected"
}

# start: a folder work with nothing in it but the sample.
start() {
    rm -rf work
    mkdir work
    cat "$sample" >work/map.wad
}

# expect_mode FILE MODE: as `ls -l` prints it.
expect_mode() {
    [ "$(find "$1" -prune -exec ls -ld {} + | cut -c 1-10)" = "$2" ] ||
        fail "$1 was expected to have the mode $2"
}

# --- Onto what ---

start
expect_build work/map.wad -o work/new.wad
expect_same work/new.wad built.wad
expect_same work/map.wad "$sample"
expect_files map.wad new.wad

start
expect_build work/map.wad -o work/map.wad
expect_same work/map.wad built.wad
expect_files map.wad

start
expect_build --in-place work/map.wad
expect_same work/map.wad built.wad
expect_files map.wad

start
cp other work/new.wad
expect_build work/map.wad -o work/new.wad
expect_same work/new.wad built.wad
expect_files map.wad new.wad

# A name without a folder, and one that begins with a hyphen.
start
(cd work && expect_build map.wad -o new.wad)
(cd work && expect_build -i map.wad)
(cd work && expect_build map.wad -o -new.wad)
expect_same work/new.wad built.wad
expect_same work/map.wad built.wad
expect_same work/-new.wad built.wad
expect_files map.wad new.wad -new.wad

# --- Backups ---

# Again and again, FILE~ is what FILE was.
start
expect_build --in-place --backup work/map.wad
expect_same work/map.wad built.wad
expect_same work/map.wad~ "$sample"
expect_files map.wad map.wad~
expect_build --in-place --backup work/map.wad
expect_same work/map.wad built.wad
expect_same work/map.wad~ built.wad
expect_build --in-place --backup --grid=fit work/map.wad
expect_same work/map.wad~ built.wad
! cmp -s work/map.wad built.wad || fail "another grid was expected"
expect_files map.wad map.wad~

# What the target was, which need not be the input.
start
cp other work/new.wad
echo "an older backup" >work/new.wad~
expect_build --backup work/map.wad -o work/new.wad
expect_same work/new.wad built.wad
expect_same work/new.wad~ other
expect_files map.wad new.wad new.wad~

# Without a target there is nothing to keep.
start
expect_build --backup work/map.wad -o work/new.wad
expect_files map.wad new.wad

# Where the backup cannot be made, the target stays.
start
mkdir work/map.wad~
expect 3 blocksweep --quiet --in-place --backup work/map.wad
expect_sentence work/map.wad
expect_same work/map.wad "$sample"
expect_files map.wad map.wad~

# --- Links and permissions ---

start
mkdir work/far
mv work/map.wad work/far
ln -s far/map.wad work/link.wad
ln -s link.wad work/link-to-link.wad
expect_build --in-place --backup work/link-to-link.wad
[ "$(readlink work/link.wad)" = far/map.wad ] || fail "a link has changed"
[ "$(readlink work/link-to-link.wad)" = link.wad ] || fail "a link has changed"
expect_same work/far/map.wad built.wad
expect_same work/far/map.wad~ "$sample"
expect_files far far/map.wad far/map.wad~ link.wad link-to-link.wad

# Another hard link keeps what was in the file.
start
ln work/map.wad work/link.wad
expect_build --in-place work/map.wad
expect_same work/map.wad built.wad
expect_same work/link.wad "$sample"
expect_files map.wad link.wad
start
ln work/map.wad work/link.wad
expect_build work/map.wad -o work/link.wad
expect_same work/map.wad "$sample"
expect_same work/link.wad built.wad

# A link to nothing is not replaced by a file.
start
ln -s nothing.wad work/link.wad
expect 3 blocksweep --quiet work/map.wad -o work/link.wad
expect_sentence work/link.wad "symbolic link"
[ "$(readlink work/link.wad)" = nothing.wad ] || fail "a link has changed"
expect_files map.wad link.wad

# A name as long as file systems allow.
start
long=$(printf '%0251d.wad' 1)
expect_build work/map.wad -o "work/$long"
expect_same "work/$long" built.wad
expect_files map.wad "$long"

for mode in 600:-rw------- 444:-r--r--r-- 755:-rwxr-xr-x; do
    start
    chmod "${mode%:*}" work/map.wad
    expect_build --in-place work/map.wad
    expect_same work/map.wad built.wad
    expect_mode work/map.wad "${mode#*:}"
done

start
(umask 027 && expect_build work/map.wad -o work/new.wad)
expect_mode work/new.wad -rw-r-----
(umask 002 && expect_build work/map.wad -o work/newer.wad)
expect_mode work/newer.wad -rw-rw-r--

if [ "$(id -u)" -eq 0 ]; then
    start
    chown 12345:23456 work/map.wad
    expect_build --in-place work/map.wad
    [ -n "$(find work/map.wad -user 12345 -group 23456)" ] ||
        fail "the owner was expected to stay"
fi

# --- Writes that fail ---

start
expect 3 blocksweep --quiet work/map.wad -o work/nowhere/new.wad
expect_sentence work/nowhere/new.wad "No such file or directory"
expect 3 blocksweep --quiet work/map.wad -o work
expect_sentence "work: " "a regular file was expected"
mkfifo work/pipe
expect 3 blocksweep --quiet work/map.wad -o work/pipe
expect_sentence "work/pipe: " "a regular file was expected"
[ -p work/pipe ] || fail "the pipe was expected to stay"
expect 3 blocksweep --quiet work/map.wad -o ""
expect_sentence ""
expect 3 blocksweep --quiet work/map.wad -o work/map.wad/new.wad
expect_sentence work/map.wad/new.wad
expect_same work/map.wad "$sample"
expect_files map.wad pipe

# A disk without room: a limit to the size of files stands in for it.
start
cp other work/new.wad
(
    trap '' XFSZ
    ulimit -f 100
    expect 3 blocksweep --quiet work/map.wad -o work/new.wad
    expect 3 blocksweep --quiet --backup --in-place work/map.wad
)
expect_sentence work/map.wad "File too large"
expect_same work/map.wad "$sample"
expect_same work/new.wad other
expect_files map.wad new.wad

# A report that cannot be printed is a failure, too, but not of the file.
start
status=0
blocksweep --in-place work/map.wad >/dev/full 2>errors || status=$?
[ "$status" -eq 3 ] || fail "status 3 was expected, not $status"
expect_sentence "standard output"
expect_same work/map.wad built.wad
expect_files map.wad
