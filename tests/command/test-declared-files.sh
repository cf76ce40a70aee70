#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that no output or backup replaces another file of the same command, by
# whatever name or link: such a command is refused before anything is written.
# COMMANDS command lines at random, 200 where nothing else is said, write what
# they declare and leave all other files as they were.

# shellcheck disable=SC2086 # what holds words is split into them

. "$SOURCE_DIR/tests/help/library.sh"
write_room
for name in m s b; do
    echo "the things of $name" >"$name"
    make_room $name.room THINGS "$folder/$name"
done

# Links, "FILE=TARGET" or hard ones with "FILE==TARGET", the arguments, and the
# whole sentence.
while IFS='|' read -r links arguments sentence; do
    rm -rf work
    mkdir -p work/dd work/far
    for name in m s; do
        cp $name.room work/$name.wad
        cp b.room work/far/$name.wad
    done
    cp b.room work/m.wad~
    cd work
    for link in $links; do
        case $link in
        *==*) ln -f "${link#*==}" "${link%%=*}" ;;
        *) ln -sf "${link#*=}" "${link%=*}" ;;
        esac
    done
    cp -a . ../before
    expect 2 blocksweep build $arguments
    cd ..
    expect_text errors "blocksweep: $sentence"
    expect_no_output
    diff -r --no-dereference before work || fail "$arguments changed a file"
    rm -rf before
done <<'END'
dd/m.wad=../s.wad|m.wad s.wad -o dd|the output of 'm.wad' and input 's.wad' are the same file; build one of them by itself, to another folder
dd/m.wad=../s.wad|s.wad m.wad -o dd|input 's.wad' and the output of 'm.wad' are the same file; build one of them by itself, to another folder
dd/m.wad==s.wad|m.wad s.wad -o dd|the output of 'm.wad' and input 's.wad' are the same file; build one of them by itself, to another folder
dd/m.wad=s.wad|m.wad s.wad -o dd|the output of 'm.wad' and the output of 's.wad' are the same file; build one of them by itself, to another folder
dd/m.wad=s.wad|s.wad m.wad -o dd|the output of 's.wad' and the output of 'm.wad' are the same file; build one of them by itself, to another folder
near=dd dd/m.wad=../near/s.wad|s.wad m.wad -o near/.|the output of 's.wad' and the output of 'm.wad' are the same file; build one of them by itself, to another folder
dd/m.wad==far/s.wad dd/s.wad==far/s.wad|m.wad s.wad -o dd|the output of 'm.wad' and the output of 's.wad' are the same file; build one of them by itself, to another folder
|m.wad far/m.wad -o dd|the output of 'm.wad' and the output of 'far/m.wad' are the same file; build one of them by itself, to another folder
|far/s.wad -o dd/../far/.|'far/s.wad' is in the folder dd/../far/. already; --in-place writes over the input
i.wad=dd/m.wad|m.wad i.wad -o dd|the output of 'm.wad' and input 'i.wad' are the same file; build one of them by itself, to another folder
|-i m.wad s.wad ./m.wad|input 'm.wad' and input './m.wad' are the same file; name it once
l.wad=m.wad|-i m.wad l.wad|input 'm.wad' and input 'l.wad' are the same file; name it once
l.wad==m.wad|-i l.wad m.wad|input 'l.wad' and input 'm.wad' are the same file; name it once
|-i --backup m.wad m.wad~|input 'm.wad~' and the backup of 'm.wad' are the same file; leave out one of the files, or --backup
|-ib m.wad~ ./m.wad|input 'm.wad~' and the backup of './m.wad' are the same file; leave out one of the files, or --backup
l.wad=m.wad~|-ib s.wad m.wad l.wad|input 'l.wad' and the backup of 'm.wad' are the same file; leave out one of the files, or --backup
l.wad=far/m.wad far/m.wad~==s.wad|-ib l.wad far/m.wad~|input 'far/m.wad~' and the backup of 'l.wad' are the same file; leave out one of the files, or --backup
|--backup m.wad~ -o m.wad|input 'm.wad~' and the backup of 'm.wad' are the same file; leave out one of the files, or --backup
|-b m.wad m.wad~ -o dd|the output of 'm.wad~' and the backup of 'dd/m.wad' are the same file; leave out one of the files, or --backup
END

# Standard output, too, is no file that is read.
while IFS='|' read -r input arguments; do
    cp m.room m.wad
    status=0
    "$BUILD_DIR/run" blocksweep $arguments 0<>m.wad 1<>m.wad 2>errors ||
        status=$?
    [ $status -eq 2 ] || fail "$arguments ended with $status, not 2"
    expect_text errors "blocksweep: input '$input' and standard output are the \
same file; send the output to another one"
    expect_same m.wad m.room
done <<'END'
m.wad|m.wad -o -
m.wad|s.room m.wad --builder=true -o .
-|- -o /dev/stdout
./m.wad|verify s.room ./m.wad
m.wad|show --svg=- m.wad
END

"$BUILD_DIR/run" perl "$SOURCE_DIR/tests/command/declared-files.pl" \
    "${COMMANDS:-200}" || fail "command lines at random"
