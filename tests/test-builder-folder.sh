#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the folder of a builder is read and removed whatever permissions
# the builder gives it and what is in it, by a user whom permissions concern;
# and that a copy of the input which cannot be written is told of.

set -eu
# shellcheck source=tests/library.sh
. "$SOURCE_DIR/tests/library.sh"
write_room
room MAP01 | wadtool make PWAD in.wad

# as_user COMMAND...: as one to whom permissions apply.
if [ "$(id -u)" -ne 0 ]; then
    as_user() {
        "$@"
    }
elif has setpriv && id nobody >/dev/null 2>&1; then
    as_user() {
        setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups "$@"
    }
else
    skip "there is no setpriv to become another user"
fi
mkdir temporary
chmod 755 "$folder"
chmod 777 temporary
as_user test -x "$BUILD_DIR/run" || skip "nobody cannot read $BUILD_DIR"
TMPDIR=$folder/temporary
export TMPDIR

# expect_clean STATUS COMMANDS: a builder that runs these commands of the shell
# in its folder, with in.wad and the out.wad to write, leaves nothing behind.
expect_clean() {
    # shellcheck disable=SC2016 # for the builder's shell
    printf '#!/bin/sh\ncd "${1%%/*}" || exit\n%s\n' "$2" >builder
    chmod 755 builder
    rm -f temporary/result
    expect "$1" as_user "$BUILD_DIR/run" blocksweep --quiet \
        --builder="./builder {in} {out}" in.wad -o temporary/result
    if [ "$1" -eq 0 ]; then
        expect_no_errors
        expect_room temporary/result MAP01
        rm -f temporary/result
    fi
    [ -z "$(ls -A temporary)" ] || {
        find temporary
        fail "a folder is left behind: $2"
    }
}

for mode in 000 100 200 300 400 500 600; do
    expect_clean 0 "cp in.wad out.wad; chmod $mode ."
    expect_clean 0 "cp in.wad out.wad; chmod $mode out.wad; chmod $mode ."
    expect_clean 0 "cp in.wad out.wad; mkdir -p a/b/c; touch a/b/c/file
        chmod $mode a/b/c a/b; chmod $mode a; chmod $mode ."
    expect_clean 1 "mkdir -p a/b; touch a/file a/b/file; chmod $mode a/b a in.wad
        chmod $mode .; exit 1"
done
expect_clean 1 "rm -r \"\$PWD\""
expect_clean 1 "mv in.wad .other; chmod 000 ."

# --- Somebody else's folder in it ---

# put_folder: puts one of root's into the builder's, which waits for it.
put_folder() {
    until set -- temporary/blocksweep.*/ready && [ -e "$1" ]; do
        sleep 0.05
    done
    mkdir -m 700 "${1%ready}theirs"
    touch "${1%ready}theirs/file"
    touch "${1%ready}go"
}

if [ "$(id -u)" -eq 0 ]; then
    # shellcheck disable=SC2016 # for the builder's shell
    printf '%s\n' '#!/bin/sh' 'cd "${1%/*}" || exit' 'cp in.wad out.wad' \
        'touch ready' 'until [ -e go ]; do sleep 0.05; done' >builder
    put_folder &
    expect 3 as_user timeout 60 "$BUILD_DIR/run" blocksweep --quiet \
        --builder="./builder {in} {out}" in.wad -o temporary/result
    expect_sentence "cannot be removed"
    [ ! -e temporary/result ] || fail "nothing was expected to be written"
    rm -r temporary/blocksweep.*
fi

# --- The copy ---

head -c 100000 /dev/zero >large
{ room MAP01; echo "LARGE $folder/large"; } | wadtool make PWAD in.wad
(
    trap '' XFSZ
    ulimit -f 100
    expect 3 blocksweep --builder="touch ran {in}" in.wad -o out.wad
) || exit 1
expect_sentence "builder touch: " "$TMPDIR" "too large"
[ ! -e ran ] || fail "the builder was not expected to run"
[ ! -e out.wad ] || fail "nothing was expected to be written"
expect_nothing_temporary

# A full disk, where one can be made.
if has mount && has unshare && mkdir small &&
    unshare -m sh -c 'mount -t tmpfs -o size=64k none small' 2>mount-errors; then
    # shellcheck disable=SC2016 # for that shell
    expect 3 unshare -m sh -c 'mount -t tmpfs -o size=64k none small
        TMPDIR=small "$BUILD_DIR/run" blocksweep \
            --builder="touch ran {in}" in.wad -o out.wad 2>sentence
        status=$?
        ls -A small >left
        exit $status'
    cp sentence errors
    expect_sentence "builder touch: " small "No space left"
    expect_text left ""
    [ ! -e ran ] || fail "the builder was not expected to run"
fi
