#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a builder ends when its time is up or the command is ended, with
# the processes of its group, and that no temporary file is left then; and that
# it has the time that it is given.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room
use_own_temporary_folder

# Leaks cannot be looked for in a program that is traced.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

room MAP01 | wadtool make PWAD in.wad
cp in.wad same.wad

# expect_clean: no temporary file is left, and nothing was written.
expect_clean() {
    expect_nothing_temporary
    expect_same in.wad same.wad
    [ ! -e out.wad ] || fail "nothing was expected to be written"
}

# A builder that starts another process and does not end.
cat >hang <<'END'
#!/bin/sh
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
cat >leave <<'END'
#!/bin/sh
sleep 1000 &
echo $! >child
echo $$ >parent
END
chmod +x hang leave

# --- Its time ---

expect 1 blocksweep --quiet --builder-timeout=1 --builder="./hang {in}" in.wad \
    -o out.wad
[ "$(head -n 1 errors)" = "as far as here" ] || fail "its output was expected"
sed -i 1d errors
expect_sentence "builder ./hang: " "more than 1 s" --builder-timeout
expect_clean
expect_gone parent child

for seconds in 0 9; do
    rm -f parent child
    expect_build --builder-timeout=$seconds --builder="./leave {in}" in.wad \
        -o out.wad
    rm out.wad
    expect_clean
    expect_gone parent child
    expect_build --builder-timeout=$seconds --builder="sh -c 'sleep 1.2' {in}" \
        in.wad -o out.wad
    rm out.wad
done

# One that closes its output is not taken to have ended.
cat >quiet <<'END'
#!/bin/sh
exec >&- 2>&-
sleep 0.3
cp "$1" "$2"
END
chmod +x quiet
expect_build --builder="./quiet {in} {out}" in.wad -o out.wad
expect_room out.wad MAP01
rm out.wad

# A child that the command has had from the start is left alone.
# shellcheck disable=SC2016 # for that shell
expect 0 sh -c 'sleep 30 & echo $! >child
    exec "$BUILD_DIR/run" blocksweep --quiet --builder="true {in}" in.wad \
        -o out.wad'
! is_gone "$(cat child)" || fail "another child was killed"
kill "$(cat child)"
rm out.wad child

# Where nobody reads what it prints, its time and signals end it all the same;
# a terminal can have room for a part of what there is to show.
cat >flood <<'END'
#!/bin/sh
echo $$ >parent.new
mv parent.new parent
exec yes
END
chmod +x flood

# on_pipe COMMAND...: runs it with standard error where nobody reads it.
mkfifo nobody-reads
exec 8<>nobody-reads
on_pipe() {
    exec "$BUILD_DIR/run" "$@" 2>&8
}

# on_terminal COMMAND...: the same on a terminal that is read when the file
# "read" is there.  The file "screen" is what is shown then.
on_terminal() {
    exec "$BUILD_DIR/run" "$BUILD_DIR/tests/command/unread-terminal" read screen "$@"
}

# start_flood PLACE SECONDS
start_flood() {
    rm -f parent read
    "on_$1" blocksweep --verbose --builder-timeout="$2" \
        --builder="./flood {in}" in.wad -o out.wad >output &
    command=$!
    until [ -s parent ]; do sleep 0.01; done
    sleep 0.2
}

# expect_ended: the builder is, and its folder is gone.
expect_ended() {
    expect_gone parent
    tries=0
    until [ -z "$(ls -A temporary)" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || fail "temporary files are left"
        sleep 0.05
    done
}

places="pipe terminal"
"$BUILD_DIR/tests/command/unread-terminal" read screen true || places=pipe
for place in $places; do
    for seconds in 1 0; do
        start_flood "$place" $seconds
        # After the time is over the command ends by itself if there is room
        # for its message.
        [ $seconds -eq 0 ] || expect_ended
        kill -TERM $command 2>/dev/null || [ $seconds -eq 1 ]
        status=0
        wait $command || status=$?
        [ "$seconds $status" = "1 1" ] || [ "$(kill -l $status)" = TERM ] ||
            fail "it ended with $status"
        expect_gone parent
        expect_clean
    done
done
exec 8<&-

# expect_screen LINE: waits for this last line on the screen.
expect_screen() {
    tries=0
    until [ "$(tail -n 1 screen | tr -d '\r')" = "$1" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || fail "the screen ends: $(tail -n 1 screen)"
        sleep 0.05
    done
}

# What a terminal had no room for is shown when it has, all of it.
cat >numbers <<'END'
#!/bin/sh
awk 'BEGIN { for (i = 1; i <= 50000; i++) print i }' | tee printed
cp "$1" "$2"
END
chmod +x numbers
if [ "$places" != pipe ]; then
    start_flood terminal 1
    expect_ended
    touch read
    status=0
    wait $command || status=$?
    [ "$status" -eq 1 ] || fail "it ended with $status"
    expect_screen "blocksweep: builder ./flood: it was ended because it took \
more than 1 s; --builder-timeout can give it more"
    expect_clean

    rm read
    on_terminal blocksweep --verbose --builder="./numbers {in} {out}" in.wad \
        -o out.wad >output &
    command=$!
    sleep 0.5
    touch read
    wait $command || fail "it did not end well"
    expect_screen 50000
    tr -d '\r' <screen >shown
    expect_same printed shown
    rm out.wad
fi

# A parent that ignores its children's ends has the command ignore them, too.
(
    trap '' CHLD
    expect 1 blocksweep --builder="sh -c 'exit 3' {in}" in.wad -o out.wad
    expect_sentence "status 3"
) || exit 1

# --- Signals ---

# end_while_building SIGNAL: the command is ended when the builder is at work.
end_while_building() {
    rm -f parent child
    "$BUILD_DIR/run" blocksweep --verbose --builder="./hang {in}" in.wad \
        -o out.wad >output 2>errors &
    command=$!
    until [ -s parent ]; do sleep 0.01; done
    [ -n "$(ls -A temporary)" ] || fail "there was no temporary folder"
    kill -"$1" $command
    status=0
    wait $command || status=$?
    [ "$(kill -l $status)" = "$1" ] ||
        fail "the command ended with $status, not by SIG$1"
    expect_text errors "as far as here"
    expect_clean
    expect_gone parent child
}

for signal in TERM HUP XCPU ALRM VTALRM PROF USR1 USR2; do
    end_while_building $signal
done

# A terminal's signals go to the group in the foreground: the command and the
# shell that runs it, but not the builder.  Of its end nothing is said.

# in_group COMMAND...: becomes the command in a group of its own, whose SIGINT
# is not ignored as it is in the background.
in_group() {
    # shellcheck disable=SC2016 # not the shell's
    exec perl -e 'setpgrp; $SIG{INT} = "DEFAULT"; exec @ARGV' "$@"
}

attempts="1 2 3 4 5"
has perl || attempts=
for try in $attempts; do
    rm -f parent child
    in_group "$BUILD_DIR/run" blocksweep --quiet --builder="./hang {in}" \
        in.wad -o out.wad >output 2>errors &
    command=$!
    until [ -s parent ]; do sleep 0.01; done
    kill -INT -$command
    status=0
    wait $command || status=$?
    [ "$(kill -l $status)" = INT ] || fail "at try $try it ended with $status"
    [ ! -s errors ] || fail "at try $try: $(cat errors)"
    expect_clean
    expect_gone parent child
done

# What is ignored, as under nohup, does not end the builder.
cat >slow <<'END'
#!/bin/sh
echo $$ >parent
sleep 0.5
cp "$1" "$2"
END
chmod +x slow
rm -f parent
(
    trap '' HUP
    exec "$BUILD_DIR/run" blocksweep --quiet --builder="./slow {in} {out}" \
        in.wad -o out.wad
) &
command=$!
until [ -s parent ]; do sleep 0.01; done
kill -HUP $command
wait $command || fail "an ignored signal has ended the command"
expect_room out.wad MAP01
rm out.wad
expect_clean

# end_everywhere SIGNAL: the same at each of the command's system calls, with a
# builder that ends.
end_everywhere() {
    call=0
    status=$((128 + $1))
    while [ "$status" -eq $((128 + $1)) ]; do
        call=$((call + 1))
        rm -f out.wad parent child
        status=0
        "$BUILD_DIR/run" "$BUILD_DIR/tests/command/signal-at" "$1" "$call" \
            blocksweep --quiet --builder="./leave {in}" in.wad -o out.wad \
            >output 2>errors || status=$?
        [ "$status" -ne 77 ] || skip "programs cannot be traced here"
        [ ! -s errors ] || fail "at call $call: $(cat errors)"
        [ -z "$(ls -A temporary)" ] || fail "at call $call a file is left"
        [ ! -s child ] || expect_gone child
        [ ! -e out.wad ] || expect_room out.wad MAP01
    done
    [ "$status" -eq 0 ] || fail "the command ended with $status at call $call"
    [ "$call" -gt 100 ] || fail "only $call moments were seen"
    echo "$call moments: signal $1"
}

interrupt=2
terminate=15
end_everywhere $interrupt
end_everywhere $terminate
