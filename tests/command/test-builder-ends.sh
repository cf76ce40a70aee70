#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a builder ends when its time is up or the command is ended, with
# the processes of its group, and that no temporary file is left then; and that
# it has the time that it is given.

. "$SOURCE_DIR/tests/help/library.sh"
write_room
use_own_temporary_folder
make_room in.wad
cp in.wad same.wad

# is_gone PROCESS: it is no more, or waits for its parent to take notice.
is_gone() {
    [ ! -e "/proc/$1" ] || grep -q '^State:.*[XZ] ' "/proc/$1/status" 2>&1
}

# expect_gone FILE...: the processes with these numbers in the files have been
# killed; to go takes them a moment.
expect_gone() {
    for file in "$@"; do
        [ -s "$file" ] || fail "$file was expected to have a number"
        await is_gone "$(cat "$file")"
    done
}

# expect_clean: no temporary file is left, and nothing was written.
expect_clean() {
    expect_nothing_temporary
    expect_same in.wad same.wad
    expect_absent out.wad
}

# One that starts another process and does not end.
make_program hang <<'END'
trap '' TERM INT HUP
echo "as far as here"
mkdir "${1%/*}/folder"
sh -c 'trap "" TERM INT HUP; echo $$ >child; while sleep 1; do :; done' &
until [ -s child ]; do sleep 0.01; done
echo $$ >parent.new
mv parent.new parent
while sleep 1; do :; done
END
# One that ends, but not what it has started.
make_program leave <<'END'
sleep 1000 &
echo $! >child
echo $$ >parent
END

# begin COMMAND...: runs it in the background, as process $command, until the
# builder has begun.  Shells ignore SIGINT in the background, and not every env
# can change that.
begin() {
    rm -f parent child
    perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV or die' "$@" >output &
    command=$!
    await test -s parent
}

# expect_end STATUS-OR-SIGNAL: of the command, and of what the builder started.
expect_end() {
    status=0
    wait $command || status=$?
    [ "$status" = "$1" ] || [ "$(kill -l $status)" = "$1" ] ||
        fail "the command ended with $status; $1 was expected"
    expect_gone parent
    [ ! -e child ] || expect_gone child
    expect_clean
}

# --- Its time ---

# Where the machine is too busy for the builder to begin in time, it gets more.
for seconds in 1 10 100 1000; do
    rm -f parent child
    expect 1 blocksweep --quiet --builder-timeout=$seconds \
        --builder="./hang {in}" in.wad -o out.wad
    [ ! -s parent ] || break
done
[ "$(head -n 1 errors)" = "as far as here" ] || fail "its output was expected"
sed -i 1d errors
expect_sentence "builder ./hang: " "more than $seconds s" --builder-timeout
expect_clean
expect_gone parent child

for seconds in 0 900; do
    for builder in "./leave {in}" "sh -c 'sleep 1.2' {in}"; do
        expect_build --builder-timeout=$seconds --builder="$builder" in.wad \
            -o out.wad
        rm out.wad
        expect_clean
        expect_gone parent child
    done
done

# One that closes its output is not taken to have ended, when the command has
# noticed, and has closed its end of the pipe.
make_program quiet <<'END'
pipe=$(readlink /proc/$$/fd/1)
exec >&- 2>&-
while ls -l /proc/$PPID/fd | grep -qF "$pipe"; do sleep 0.01; done
cp "$1" "$2"
END
expect_build --builder="./quiet {in} {out}" in.wad -o out.wad
expect_room out.wad MAP01
rm out.wad

# A child that the command has had from the start is left alone.
expect 0 sh -c 'sleep 1000 & echo $! >child
    exec "$BUILD_DIR/run" blocksweep --quiet --builder="true {in}" in.wad \
        -o out.wad'
! is_gone "$(cat child)" || fail "another child was killed"
kill "$(cat child)"
rm out.wad child

# --- Where nobody reads what it prints ---

# Its time and signals end it all the same.
make_program flood <<'END'
echo $$ >parent.new
mv parent.new parent
exec yes
END
has_no_temporary_files() {
    [ -z "$(ls -A temporary)" ]
}
is_full() {
    perl -e 'vec($pipe = "", fileno STDIN, 1) = 1;
        exit(select(undef, $pipe, undef, 0) != 0)' <&8
}
is_full_or_over() {
    is_full || is_gone $command
}
is_waiting() {
    grep -q '^State:.*S' "/proc/$command/status"
}

# flood SECONDS: begins with this time for the builder; false if that was over
# before the pipe was full.
flood() {
    rm -f parent nobody-reads
    mkfifo nobody-reads
    exec 8<>nobody-reads
    "$BUILD_DIR/run" blocksweep --verbose --builder="./flood {in}" \
        --builder-timeout="$1" in.wad -o out.wad 2>&8 &
    command=$!
    await is_full_or_over
    is_full
}

# After the time is over the command waits for room for its message.
for seconds in 1 10 100 1000; do
    ! flood $seconds || break
done
expect_gone parent
await has_no_temporary_files
await is_waiting
kill -TERM "$command"
expect_end TERM
flood 0 || fail "the command was expected to wait"
await is_waiting
kill -TERM "$command"
expect_end TERM
exec 8<&-

# --- Signals ---

for signal in TERM HUP XCPU ALRM SYS PWR RTMIN RTMAX; do
    begin "$BUILD_DIR/run" blocksweep --verbose --builder="./hang {in}" in.wad \
        -o out.wad 2>errors
    ! has_no_temporary_files || fail "there was no temporary folder"
    kill -$signal $command
    expect_end $signal
    expect_text errors "as far as here"
done

# A terminal's signals go to the group in the foreground: the command and the
# shell that runs it, but not the builder.  Of its end nothing is said.
attempts="1 2"
has setsid || attempts=
for _ in $attempts; do
    begin setsid "$BUILD_DIR/run" blocksweep --quiet --builder="./hang {in}" \
        in.wad -o out.wad 2>errors
    kill -INT -$command
    expect_end INT
    expect_text errors ""
done

# What is ignored, as under nohup, does not end the builder.
make_program slow <<'END'
echo $$ >parent
until [ -e go ]; do sleep 0.01; done
cp "$1" "$2"
END
trap '' HUP
begin "$BUILD_DIR/run" blocksweep --quiet --builder="./slow {in} {out}" in.wad \
    -o out.wad
trap 'exit 1' HUP
kill -HUP $command
touch go
wait $command || fail "an ignored signal has ended the command"
expect_room out.wad MAP01
rm out.wad
expect_clean
