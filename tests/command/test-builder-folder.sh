#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the folder of a builder is removed with all that is in it, that a
# folder which cannot be removed is reported, and so is a copy of the input
# which cannot be written.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
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
# in its folder, with in.wad and the out.wad to write, leaves nothing in
# TMPDIR.
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

expect_clean 0 "cp in.wad out.wad; mkdir -p a/b/c; touch a/b/c/file"
expect_clean 0 "cp in.wad out.wad; touch .other; ln -s / a"
expect_clean 1 "mkdir -p a/b; touch a/file a/b/file; exit 1"
expect_clean 1 "rm -r \"\$PWD\""
expect_clean 1 "mv in.wad .other"

# expect_left COMMANDS: the folder cannot be removed then.
expect_left() {
    # shellcheck disable=SC2016 # for the builder's shell
    printf '#!/bin/sh\ncd "${1%%/*}" || exit\n%s\n' "$1" >builder
    chmod 755 builder
    expect 3 as_user "$BUILD_DIR/run" blocksweep --quiet \
        --builder="./builder {in} {out}" in.wad -o temporary/result
    expect_sentence "builder ./builder: " "cannot be removed: $TMPDIR/blocksweep."
    [ ! -e temporary/result ] || fail "nothing was expected to be written"
    chmod -R 700 temporary/blocksweep.*
    rm -r temporary/blocksweep.*
}

expect_left "cp in.wad out.wad; mkdir a; touch a/file; chmod 500 a"
expect_left "cp in.wad out.wad; chmod 500 ."

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
