#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the output takes the place of what was there: onto the input,
# through links, with its permissions, with a backup if asked for; that a
# write which fails leaves the target as it was; that nothing else is left in
# the folder; and that files can have names which look like something else.

. "$SOURCE_DIR/tests/help/library.sh"

expect_build "$sample" -o built.wad
! cmp -s "$sample" built.wad || fail "the sample was expected to change"
cat "$sample" >before.wad
expect_build --preset=small "$sample" -o other-map.wad
echo "PWAD, or what was there" >other

# start: a folder work with nothing in it but the sample.
start() {
    rm -rf work
    mkdir work
    cp before.wad work/map.wad
}

# expect_files NAME=FILE...: the folder work has files of these names and no
# others, with the bytes of before.wad, built.wad, or the file other; or
# anything for NAME=.
expect_files() {
    printf '%s\n' "$@" | sed 's/=[a-z]*$//' | sort >expected-files
    find work -mindepth 1 | sed 's,^work/,,' | sort >found-files
    diff expected-files found-files || fail "other files were expected"
    for pair in "$@"; do
        case ${pair#*=} in
        "") ;;
        other) expect_same "work/${pair%=*}" other ;;
        *) expect_same "work/${pair%=*}" "${pair#*=}.wad" ;;
        esac
    done
}

# expect_link NAME TARGET
expect_link() {
    target=$(readlink "work/$1") || fail "$1 was expected to be a link"
    [ "$target" = "$2" ] || fail "$1 was expected to lead to $2, not to $target"
}

# --- Onto what ---

start
expect_build work/map.wad -o work/map.wad
expect_files map.wad=built
start
expect_build --in-place work/map.wad
expect_files map.wad=built
start
cp other work/new.wad
expect_build work/map.wad -o work/new.wad
expect_files map.wad=before new.wad=built

# A name without a folder, one that begins with a hyphen, and one as long as
# file systems allow.
start
(cd work && expect_build map.wad -o new.wad)
(cd work && expect_build -i map.wad)
(cd work && expect_build map.wad --output=-new.wad)
long=$(printf '%0251d.wad' 1)
expect_build work/map.wad -o "work/$long"
expect_files map.wad=built new.wad=built -new.wad=built "$long=built"

# --- Backups ---

# Each time the file is kept under another name, also through a link.
start
ln -s map.wad work/link.wad
expect_build --in-place --backup work/map.wad
expect_files link.wad=built map.wad=built map.wad~=before
cp other-map.wad work/map.wad
expect_build --in-place --backup work/link.wad
expect_same work/map.wad.~2~ other-map.wad
cp before.wad work/map.wad
expect_build --in-place --backup work/map.wad
expect_link link.wad map.wad
expect_files link.wad=built map.wad=built map.wad~=before map.wad.~2~= \
    map.wad.~3~=before

# What the target was, which need not be the input; without a target there is
# nothing to keep.
start
cp other work/new.wad
echo "an older backup" >work/new.wad~
expect_build --backup work/map.wad -o work/new.wad
expect_files map.wad=before new.wad=built new.wad~= new.wad.~2~=other
expect_text work/new.wad~ "an older backup"
start
expect_build --backup work/map.wad -o work/new.wad
expect_files map.wad=before new.wad=built

# Whatever has the name stays.
for make in mkdir mkfifo "ln -s nothing" "ln -s map.wad"; do
    start
    $make work/map.wad~
    ls -l work/map.wad~ >listed
    expect_build --in-place --backup work/map.wad
    ls -l work/map.wad~ | expect_text - "$(cat listed)"
    expect_files map.wad=built map.wad~= map.wad.~2~=before
done

# Where the backup cannot be made, the target stays.
start
(cd work && touch map.wad~ $(seq -f 'map.wad.~%g~' 2 999))
expect 3 blocksweep --in-place --backup work/map.wad
expect_text errors "blocksweep: work/map.wad: cannot be written: the backup: \
all names from NAME~ to NAME.~999~ are taken; nothing was written"
expect_no_output
expect_same work/map.wad before.wad
find work -size +0 | expect_text - "$(printf 'work\nwork/map.wad')"
rm work/map.wad.~7~
expect_build --in-place --backup work/map.wad
expect_same work/map.wad.~7~ before.wad

# As a crash between the two leaves it, the file is its own backup.
for backup in "~" ".~2~"; do
    start
    echo "PWAD, or what was there" >work/map.wad~
    ln -f work/map.wad "work/map.wad$backup"
    expect_build --in-place --backup work/map.wad
    expect_same "work/map.wad$backup" before.wad
    expect_absent work/map.wad.~3~
done
expect_files map.wad=built map.wad~=other map.wad.~2~=before

# --- Wildcards ---

# Of several files, those with the name of a backup are left out.
start
cp other-map.wad work/map.wad~
(cd work && expect 0 blocksweep -q --in-place ./*)
expect_text errors "blocksweep: ./map.wad~: skipped, as its name is that of a \
backup; to build it, give no other file"
expect_same work/map.wad~ other-map.wad
expect_files map.wad=built map.wad~=
mkdir work/to
expect 0 blocksweep -q work/map.wad~ work/map.wad -o work/to
expect_absent work/to/map.wad~
cp before.wad work/map.wad~
expect_build --in-place work/map.wad~
expect_files map.wad=built map.wad~=built to= to/map.wad=built

# --- Standard input and output ---

start
for output in - /dev/stdout; do
    "$BUILD_DIR/run" blocksweep - -o $output <work/map.wad >piped 2>errors
    expect_same piped built.wad
    expect_no_errors
    "$BUILD_DIR/run" blocksweep work/map.wad -o $output | cat >piped
    expect_same piped built.wad
done
expect_files map.wad=before
if [ -w /dev/full ]; then
    status=0
    "$BUILD_DIR/run" blocksweep work/map.wad -o - >/dev/full 2>errors ||
        status=$?
    [ $status -eq 3 ] || fail "status 3 was expected, not $status"
    expect_sentence "standard output cannot be written: No space left"
    expect_not_in errors "nothing was written"
fi
# Pictures, with no report.
while read -r ends words; do
    # shellcheck disable=SC2086 # words
    for output in picture - /dev/stdout; do
        expect "$ends" blocksweep $words $output --map=MAP01 work/map.wad
        expect_no_errors
        [ $output = picture ] || expect_same picture output
    done
done <<'END'
0 show --svg
0 verify --html
END
for words in "--svg=- --html=/dev/stdout" "--json --svg=-"; do
    # shellcheck disable=SC2086 # words
    expect 2 blocksweep verify $words work/map.wad
    expect_sentence \
        "standard output takes only one of --svg, --html and --json"
    expect_no_output
done
expect_files map.wad=before
for files in - "work/map.wad -"; do
    # shellcheck disable=SC2086 # words
    expect 2 blocksweep --in-place $files
    expect_sentence "standard input cannot be built in place"
done
expect 2 blocksweep diff - -
expect_sentence "standard input can be read only once"
expect 2 blocksweep - -o work
expect_sentence "standard input needs -o FILE, not a folder"
expect_files map.wad=before
expect 2 blocksweep --json work/map.wad -o -
expect_sentence "--json cannot be used if the WAD is written to standard output"
expect 2 blocksweep --backup work/map.wad -o -
expect_sentence "standard output has no backup"

# --- Links and permissions ---

start
mkdir work/far
mv work/map.wad work/far
ln -s far/map.wad work/link.wad
ln -s link.wad work/link-to-link.wad
expect_build --in-place --backup work/link-to-link.wad
expect_link link.wad far/map.wad
expect_link link-to-link.wad link.wad
expect_files far= far/map.wad=built far/map.wad~=before link.wad=built \
    link-to-link.wad=built

# The same of folders, from the root, and around.
start
mkdir work/far
ln -s "$folder/work/far" work/near
expect_build work/map.wad -o .//work/near/../near/new.wad
expect_link near "$folder/work/far"
expect_files map.wad=before far= near= far/new.wad=built

# Another hard link keeps what was in the file.
start
ln work/map.wad work/link.wad
expect_build --in-place work/map.wad
expect_files map.wad=built link.wad=before

# A link to nothing is not replaced by a file.
start
ln -s nothing.wad work/link.wad
expect 3 blocksweep --quiet work/map.wad -o work/link.wad
expect_sentence work/link.wad "symbolic link"
expect_link link.wad nothing.wad
expect_files map.wad=before link.wad=

# expect_mode FILE MODE: as `chmod` takes it.
expect_mode() {
    [ -n "$(find "$1" -prune -perm "$2")" ] ||
        fail "the mode of $1 is not $2: $(ls -ld "$1")"
}

modes="600 755"
[ "$(id -u)" -ne 0 ] || modes="$modes 444" # others may not write to that
for mode in $modes; do
    start
    chmod "$mode" work/map.wad
    expect_build --in-place work/map.wad
    expect_same work/map.wad built.wad
    expect_mode work/map.wad "$mode"
done
for masks in 027:640 002:664; do
    start
    (umask ${masks%:*} && expect_build work/map.wad -o work/new.wad)
    expect_mode work/new.wad ${masks#*:}
done
if [ "$(id -u)" -eq 0 ]; then
    start
    chown 12345:23456 work/map.wad
    expect_build --in-place work/map.wad
    [ -n "$(find work/map.wad -user 12345 -group 23456)" ] ||
        fail "12345:23456 was expected to stay: $(ls -ln work/map.wad)"
fi

# --- Writes that fail ---

# These do so before the work, and any report of it.
start
mkfifo work/pipe
ln -s loop work/loop
while IFS='|' read -r target sentence; do
    for words in "-o" "--backup -o" "--builder=touch\ ran\ {in} -o"; do
        eval "set -- $words"
        expect 3 blocksweep work/map.wad "$@" "$target"
        expect_text errors "blocksweep: $target: $sentence; nothing was written"
        expect_no_output
        expect_absent ran
    done
    [ -p work/pipe ] || fail "the pipe was expected to stay"
    expect_files map.wad=before pipe= loop=
done <<'END'
work/nowhere/new.wad|cannot be written: its folder is missing; make it first
work/pipe|cannot be replaced: a regular file was expected
work/map.wad/new.wad|cannot be written: Not a directory
work/map.wad/|cannot be written: Not a directory
work/new.wad/|cannot be written: its folder is missing; make it first
work/loop|cannot be written: Too many levels of symbolic links
work/loop/new.wad|cannot be written: Too many levels of symbolic links
END

# --- A report that cannot be printed ---

# It is a failure, too, but not of the files.
start
cp other work/new.wad
no_room="blocksweep: standard output cannot be written: No space left on device"
lost="the report could not be printed, but"

# expect_lost SENTENCE: it is all that is said, but for what demos depend on.
expect_lost() {
    grep -v ': demos recorded on these maps may go out of sync: ' errors |
        expect_text - "$1"
}
expect 3 sh -c '"$0" blocksweep -i work/map.wad >/dev/full' "$BUILD_DIR/run"
expect_lost "$no_room; $lost work/map.wad was replaced"
expect 3 sh -c '"$0" blocksweep work/map.wad -o work/new.wad >/dev/full' \
    "$BUILD_DIR/run"
expect_lost "$no_room; $lost work/new.wad was written"
expect_files map.wad=built new.wad=built
cp before.wad work/map.wad
cp before.wad work/new.wad
expect 3 sh -c '"$0" blocksweep --json -i work/map.wad work/new.wad >/dev/full' \
    "$BUILD_DIR/run"
expect_lost "$no_room; $lost work/map.wad, work/new.wad were replaced"
expect_files map.wad=built new.wad=built

# Standard input, output and error may be closed, and then no file of the
# command takes their place.
closed="blocksweep: standard output cannot be written: Bad file descriptor"
while read -r ends words; do
    for streams in "" "<&-" "2>&-" "<&- 2>&-"; do
        start
        # shellcheck disable=SC2086 # words
        expect 0 sh -c "\"\$@\" $streams" - "$BUILD_DIR/run" blocksweep $words
        [ -s output ] || fail "a report was expected"
        expect_files map.wad="$ends"
        start
        # shellcheck disable=SC2086 # words
        expect 3 sh -c "\"\$@\" >&- $streams" - "$BUILD_DIR/run" \
            blocksweep $words
        case $streams$ends in
        *2*) expect_no_errors ;;
        *built) expect_lost "$closed; $lost work/map.wad was replaced" ;;
        *) expect_text errors "$closed" ;;
        esac
        expect_no_output
        expect_files map.wad="$ends"
    done
done <<'END'
before verify built.wad
before verify --json built.wad
before show work/map.wad
before --help
before --version
built --in-place work/map.wad
END
expect 0 sh -c '"$@" >&-' - "$BUILD_DIR/run" blocksweep -q -i work/map.wad
expect_no_errors
for words in "verify" "build -o work/out.wad"; do
    # shellcheck disable=SC2086 # words
    expect 3 sh -c '"$@" - <&-' - "$BUILD_DIR/run" blocksweep $words
    expect_in errors "standard input: cannot be read: Bad file descriptor"
done
expect_files map.wad=built

# --- Names ---

write_room
make_room in.wad
cp in.wad ./--help
expect_build -o out1 ./--help
expect_build -o out2 -- ./--help
expect 0 blocksweep build -o out3 -- --help
expect_build in.wad --output=--help
for wad in out1 out2 out3 ./--help; do
    expect_room "$wad" MAP01
done

# Any bytes but NUL, in names of folders, too.
folder_name=$(printf ' a\nfolder \377\376')
file_name=$(printf '\351t\351 \\ "1"\t*%%s%%n.wad')
mkdir "$folder_name"
file=$folder_name/$file_name
cp in.wad "$file"
expect_build --in-place --backup "$file"
expect_room "$file" MAP01
expect_same "$file~" in.wad
mv "$file" "$file~" .
rmdir "$folder_name" || fail "other files were not expected"
