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

expect 1 blocksweep --quiet --builder-timeout=1 --builder="./hang {in}" in.wad \
    -o out.wad
[ "$(head -n 1 errors)" = "as far as here" ] || fail "its output was expected"
sed -i 1d errors
expect_sentence "builder ./hang: " "more than 1 s" --builder-timeout
expect_clean
expect_gone parent child

for seconds in 0 9; do
    for builder in "./leave {in}" "sh -c 'sleep 1.2' {in}"; do
        expect_build --builder-timeout=$seconds --builder="$builder" in.wad \
            -o out.wad
        rm out.wad
        expect_clean
        expect_gone parent child
    done
done

# One that closes its output is not taken to have ended.
make_program quiet <<'END'
exec >&- 2>&-
sleep 0.3
cp "$1" "$2"
END
expect_build --builder="./quiet {in} {out}" in.wad -o out.wad
expect_room out.wad MAP01
rm out.wad

# A child that the command has had from the start is left alone.
expect 0 sh -c 'sleep 30 & echo $! >child
    exec "$BUILD_DIR/run" blocksweep --quiet --builder="true {in}" in.wad \
        -o out.wad'
! is_gone "$(cat child)" || fail "another child was killed"
kill "$(cat child)"
rm out.wad child

# A parent that ignores its children's ends has the command ignore them, too.
(
    trap '' CHLD
    expect 1 blocksweep --builder="sh -c 'exit 3' {in}" in.wad -o out.wad
    expect_sentence "status 3"
) || exit 1

# --- Where nobody reads what it prints ---

# Its time and signals end it all the same; a terminal can have room for a part
# of what there is to show.
make_program flood <<'END'
echo $$ >parent.new
mv parent.new parent
exec yes
END

# start_at PLACE ARGUMENT...: runs the command with standard error on a pipe
# that nobody reads, or on a terminal that is read when the file "read" is
# there; the file "screen" is what is shown then.
mkfifo nobody-reads
exec 8<>nobody-reads
start_at() {
    place=$1
    shift
    rm -f read
    [ "$place" = pipe ] || set -- \
        "$BUILD_DIR/tests/command/unread-terminal" read screen "$@"
    begin "$BUILD_DIR/run" "$@" in.wad -o out.wad 2>&8
    sleep 0.2
}

has_no_temporary_files() {
    [ -z "$(ls -A temporary)" ]
}

places="pipe terminal"
"$BUILD_DIR/tests/command/unread-terminal" read screen true || places=pipe
for place in $places; do
    for seconds in 1 0; do
        start_at "$place" blocksweep --verbose --builder-timeout=$seconds \
            --builder="./flood {in}"
        # After the time is over the command ends by itself if there is room
        # for its message.
        if [ $seconds -eq 1 ]; then
            expect_gone parent
            await has_no_temporary_files
        fi
        kill -TERM $command 2>/dev/null || [ $seconds -eq 1 ]
        status=0
        wait $command || status=$?
        [ "$seconds $status" = "1 1" ] || [ "$(kill -l $status)" = TERM ] ||
            fail "it ended with $status; 1 or SIGTERM was expected"
        expect_gone parent
        expect_clean
    done
done

# shows LINE: the screen ends with it.
shows() {
    [ "$(tail -n 1 screen | tr -d '\r')" = "$1" ]
}

# What a terminal had no room for is shown when it has, all of it.
make_program numbers <<'END'
awk 'BEGIN { for (i = 1; i <= 50000; i++) print i }' >printed
echo $$ >parent
cat printed
cp "$1" "$2"
END
if [ "$places" != pipe ]; then
    start_at terminal blocksweep --verbose --builder-timeout=1 \
        --builder="./flood {in}"
    expect_gone parent
    await has_no_temporary_files
    touch read
    expect_end 1
    await shows "blocksweep: builder ./flood: it was ended because it took \
more than 1 s; --builder-timeout can give it more; nothing was written"

    start_at terminal blocksweep --verbose --builder="./numbers {in} {out}"
    touch read
    wait $command || fail "it did not end well"
    await shows 50000
    tr -d '\r' <screen >shown
    expect_same printed shown
    rm out.wad
fi
exec 8<&-

# --- Signals ---

for signal in TERM HUP XCPU ALRM VTALRM PROF USR1 USR2; do
    begin "$BUILD_DIR/run" blocksweep --verbose --builder="./hang {in}" in.wad \
        -o out.wad 2>errors
    ! has_no_temporary_files || fail "there was no temporary folder"
    kill -$signal $command
    expect_end $signal
    expect_text errors "as far as here"
done

# A terminal's signals go to the group in the foreground: the command and the
# shell that runs it, but not the builder.  Of its end nothing is said.
attempts="1 2 3 4 5"
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
sleep 0.5
cp "$1" "$2"
END
trap '' HUP
begin "$BUILD_DIR/run" blocksweep --quiet --builder="./slow {in} {out}" in.wad \
    -o out.wad
trap 'exit 1' HUP
kill -HUP $command
wait $command || fail "an ignored signal has ended the command"
expect_room out.wad MAP01
rm out.wad
expect_clean

# The same at each of the command's system calls, with a builder that ends.
start() {
    rm -f out.wad parent child
}
expect_ended() {
    [ ! -s errors ] || fail "$moment: $(cat errors)"
    has_no_temporary_files || fail "$moment: a file is left"
    [ ! -s child ] || expect_gone child
    [ ! -e out.wad ] || expect_room out.wad MAP01
}
for number in 2 15; do # SIGINT, SIGTERM
    signal_everywhere $number 1 expect_ended blocksweep -q \
        --builder="./leave {in}" in.wad -o out.wad
done
