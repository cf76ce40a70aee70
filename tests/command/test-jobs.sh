#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that --jobs changes nothing but the time: files, the report, messages
# and their order, and the status are those of one file after the other, also
# where files fail or one is given twice; that a process that dies takes only
# its file with it; and that a signal leaves no temporary file.

. "$SOURCE_DIR/tests/help/library.sh"
write_room

mkdir in
for number in $(seq 10 49); do
    echo "$number" >note
    { room MAP01 && echo NOTE note; } | wadtool make PWAD "in/room$number.wad"
done
cp "$sample" in/room20.wad
head -c 70000 "$sample" >in/room21.wad # some maps are cut off
head -c 10 "$sample" >in/room30.wad
echo "no WAD" >in/room31.wad
rm in/room3[23].wad
mkdir in/room32.wad

# run_jobs NUMBER ARGUMENT...: builds copies of the files.  What is printed, in
# one stream, is in the file report without times and temporary names; the
# status is its last line.
run_jobs() {
    rm -rf work
    cp -R in work
    mkdir -p work/out/room40.wad # in the way
    status=0
    (cd work && blocksweep --jobs="$@") >said 2>&1 || status=$?
    sed 's/ *[0-9.]* ms$//; s/took [0-9.]* s/took/
        s/"seconds": [0-9.]*/"seconds":/
        s/blocksweep\.[A-Za-z0-9]*/temporary/g' said >report
    echo "status $status" >>report
}

# expect_same_jobs STATUS ARGUMENT...
expect_same_jobs() {
    expected=$1
    shift
    rm -rf one
    run_jobs 1 "$@"
    expect_match report "^status $expected\$"
    mv report one-report
    mv work one
    for jobs in 2 8; do
        run_jobs $jobs "$@"
        diff one-report report ||
            fail "--jobs=$jobs $*: not the same report"
        diff -r --no-dereference one work ||
            fail "--jobs=$jobs $*: not the same files"
    done
}

rooms=$(cd in && ls)
few=$(cd in && echo room1?.wad)
# shellcheck disable=SC2086 # words
{
    expect_same_jobs 3 $rooms -o out
    expect_same_jobs 3 --json $rooms -o out
    expect_same_jobs 3 --quiet --in-place --backup $rooms
    expect_same_jobs 1 --preset=small --json --dry-run $few room21.wad
    expect_same_jobs 0 --builder="cp {in} {out}" $few -o out
    expect_same_jobs 0 --verbose --builder="cp -v {in} {out}" $few -o out
}
# Where the order matters, or an input is yet to be made, it stays.
ln in/room10.wad in/room50.wad
expect_same_jobs 0 --in-place room10.wad room50.wad room10.wad room11.wad
expect_same_jobs 0 --in-place --backup room12.wad room12.wad room13.wad
expect_same_jobs 2 room10.wad ./room10.wad -o out
expect_same_jobs 0 --in-place --backup room10.wad room10.wad~ room11.wad
ln -s out/room11.wad in/room33.wad
expect_same_jobs 3 room11.wad room12.wad room33.wad missing.wad -o out
rm in/room50.wad in/room33.wad

# One process builds files with names that some file systems take for the same,
# or one of which is the name of a backup.
make_program note <<'END'
echo $PPID >>parents
sleep 0.1
cp "$1" "$2"
END
mkdir lower upper named
cp in/room10.wad lower/room.wad
for name in ROOM.WAD room.wad~; do
    cp in/room11.wad "upper/$name"
    : >parents
    blocksweep -q -J2 --backup --builder="./note {in} {out}" -o named \
        lower/room.wad "upper/$name"
    [ "$(sort -u parents | wc -l)" -eq 1 ] ||
        fail "one process was expected for room.wad and $name"
done

# --- Standard output ---

if [ -w /dev/full ]; then
    mkdir full
    status=0
    blocksweep -J2 in/room1?.wad -o full >/dev/full 2>errors || status=$?
    [ $status -eq 3 ] || fail "a full standard output ended with $status"
    expect_sentence "standard output cannot be written"
fi
mkdir closed one-by-one
expect_build in/room1?.wad -o one-by-one
blocksweep -J0 in/room1?.wad -o closed >&- <&-
diff -r closed one-by-one || fail "not the same files"

# --- Values ---

for value in "" x -1 1025 1.5; do
    expect 2 blocksweep --jobs="$value" in/room10.wad -o out.wad
    expect_sentence "'jobs' does not take '$value'" "0 to 1024"
done

# --- Fewer files may be open than --jobs asks for ---

mkdir limited
status=0
(ulimit -n 32 && timeout 60 "$BUILD_DIR/run" blocksweep -q --jobs=40 \
    in/room*.wad -o limited) 2>errors || status=$?
[ $status -eq 3 ] || fail "with few open files it ended with $status"

# --- A process that dies ---

mkdir died
cat >builder <<'END'
#!/bin/sh
case $(cksum <"$1") in
    "$BAD") kill -KILL $PPID ;;
    *) cp "$1" "$2" ;;
esac
END
chmod +x builder
BAD=$(cksum <in/room11.wad)
export BAD
expect 3 blocksweep --jobs=2 --builder="./builder {in} {out}" --json \
    in/room1?.wad -o died
expect_in errors "in/room11.wad: the process that built it was ended by signal 9" \
    "1 of 10 files failed in whole or in part: in/room11.wad"
[ "$(find died -type f | wc -l)" -eq 9 ] || fail "9 files were expected"
[ "$(grep -c '"input"' output)" -eq 10 ] || fail "10 reports were expected"

# --- Workers end with the command ---

# A stopped one does not keep it.
make_program stop <<'END'
echo $PPID >>parents
kill -STOP $PPID
END
mkdir ended
rm parents
status=0
timeout --foreground -k 10 60 "$BUILD_DIR/run" blocksweep -q -J2 \
    --builder="./stop {in} {out}" in/room1?.wad -o ended &
are_stopped() {
    [ "$(wc -l <parents)" -eq 2 ] && for worker in $(cat parents); do
        grep -q '^State:.T' "/proc/$worker/status" || return
    done
}
await are_stopped
kill $!
wait $! || status=$?
[ $status -eq 143 ] || fail "with stopped workers it ended with $status"

check_gone() {
    for worker in $(cat parents); do
        is_gone "$worker" || fail "process $worker is left"
    done
}
check_gone

# Nor do they go on if memory runs out; see tests/command/refuse-memory.c.
preload=$BUILD_DIR/tests/command/.libs/refuse-memory.so
refuse() {
    : >parents
    "$BUILD_DIR/run" env REFUSED="$1" REFUSED_PROGRAM=blocksweep \
        REFUSED_REPORT=requests LD_PRELOAD="$preload" blocksweep -q -J2 \
        --builder="./note {in} {out}" in/room1[0-3].wad -o ended 2>errors || :
}
if ! is_sanitized && [ -r "$preload" ]; then
    refuse 0
    read -r requests rest <requests
    for before in $(seq 1 12); do
        refuse $((requests - before))
        check_gone
    done
fi

# --- A signal ---

start() {
    rm -rf work
    mkdir work
}

check_whole() {
    for file in work/* work/.[!.]*; do
        [ ! -e "$file" ] || expect_same "$file" "one-by-one/${file#work/}"
    done
}

expect_build in/room20.wad -o one-by-one
signal_everywhere 15 1 check_whole blocksweep -q --jobs=2 in/room20.wad \
    in/room1[0-3].wad -o work
