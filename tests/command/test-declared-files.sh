#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that no output or backup replaces another file of the same command, by
# whatever name or link, or as standard input or output: such a command is
# refused before anything is written.

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
dd/m.wad=s.wad|m.wad s.wad -o dd|the output of 'm.wad' and the output of 's.wad' are the same file; build one of them by itself, to another folder
|m.wad far/m.wad -o dd|the output of 'm.wad' and the output of 'far/m.wad' are the same file; build one of them by itself, to another folder
|far/s.wad -o dd/../far/.|'far/s.wad' is in the folder dd/../far/. already; --in-place writes over the input
i.wad=dd/m.wad|m.wad i.wad -o dd|the output of 'm.wad' and input 'i.wad' are the same file; build one of them by itself, to another folder
|-i m.wad s.wad ./m.wad|input 'm.wad' and input './m.wad' are the same file; name it once
l.wad=m.wad|-i m.wad l.wad|input 'm.wad' and input 'l.wad' are the same file; name it once
m.wad~~=s.wad|-b m.wad~ m.wad~~ -o dd|the output of 'm.wad~~' and the backup of 'dd/m.wad~' are the same file; leave out one of the files, or --backup
dd/m.wad~~=../b m.wad~.~2~=s.wad|-b m.wad~.~2~ m.wad~ -o dd|the output of 'm.wad~.~2~' and the backup of 'dd/m.wad~' are the same file; leave out one of the files, or --backup
END

# Standard input and output can be such files, too, and so can a stage.
cp "$PLUGIN" stage.so
cp s.room s.wad
while IFS='|' read -r from to arguments sentence; do
    cp m.room m.wad
    cp b.room m.wad~
    echo "<svg/>" >m.svg
    mkdir before
    cp m.* stage.so s.wad before
    status=0
    "$BUILD_DIR/run" blocksweep $arguments <$from 1<>$to 2>errors || status=$?
    [ $status -eq 2 ] || fail "$arguments ended with $status, not 2"
    expect_text errors "blocksweep: $sentence"
    for file in m.svg m.wad m.wad~ stage.so s.wad; do
        expect_same $file before/$file
    done
    rm -r before
done <<'END'
m.wad|m.wad|m.wad -o -|input 'm.wad' and standard output are the same file; redirect it to another file
m.wad|m.wad|s.wad m.wad --builder=true -o .|'s.wad' is in the folder . already; --in-place writes over the input
m.wad|m.wad|- -o /dev/stdout|input '-' and standard output are the same file; redirect it to another file
s.wad|m.wad|show --svg=- m.wad|input 'm.wad' and standard output are the same file; redirect it to another file
s.wad|m.wad|s.wad -o ./m.wad|the output of 's.wad' and standard output are the same file; redirect it to another file
s.wad|m.svg|verify s.wad --svg=m.svg|the picture 'm.svg' and standard output are the same file; redirect it to another file
s.wad|output|s.wad -p ./stage.so -o stage.so|the output of 's.wad' and the stage './stage.so' are the same file; write to another file
END

# An input with the name of the backup stays.
rm -rf work
mkdir work
cp m.room work/m.wad
cp s.room work/m.wad~
expect_build --backup work/m.wad~ -o work/m.wad
expect_same work/m.wad~ s.room
expect_same work/m.wad.~2~ m.room
expect_build --backup - -o work/m.wad <work/m.wad.~2~
expect_same work/m.wad.~2~ m.room
