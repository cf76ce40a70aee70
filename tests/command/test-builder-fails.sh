#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a builder which fails in any way, or writes a file that is not
# whole, ends the command with one sentence and its status, shows what it
# printed, and leaves the input and the target as they were and no temporary
# file; that its folder is removed with all that is in it, and reported if it
# cannot be; and that many maps take no time.

. "$SOURCE_DIR/tests/help/library.sh"
write_room
use_own_temporary_folder

three_rooms() {
    room MAP01
    room MAP02
    room MAP03
}
three_rooms | wadtool make PWAD three.wad
cp three.wad in.wad
echo "PWAD, or what was there" >old.wad
: >empty

# expect_untouched: nothing is left, and nothing has changed.
expect_untouched() {
    expect_nothing_temporary
    expect_same in.wad same.wad
    expect_same out.wad old.wad
    expect_no_output
    expect_absent in.wad~
}

# expect_failure STATUS COMMAND PART...: the builder fails, with these parts of
# a sentence and nothing printed by itself.
expect_failure() {
    status_of_builder=$1
    command=$2
    shift 2
    cp old.wad out.wad
    cp in.wad same.wad
    expect "$status_of_builder" blocksweep --builder="$command" in.wad \
        -o out.wad
    expect_sentence "$@"
    expect_untouched
    expect "$status_of_builder" blocksweep --json --builder="$command" \
        --in-place --backup in.wad
    expect_sentence "$@"
    expect_untouched
}

# --- How it ends, what it writes, and commands that are none ---

# Written before the table, for it to copy.
gzip -c in.wad | head -c 200 >cut.gz
printf 'NOTHING\n' | wadtool make PWAD nothing.wad
{ room MAP03; room MAP02; } | wadtool make PWAD two.wad
{ room MAP01; echo MAP02; room MAP04; room MAP03; } |
    wadtool make PWAD other.wad

# Status, command, and two parts of the sentence.
while IFS='|' read -r code command part other_part; do
    expect_failure "$code" "$command" "$part" "$other_part" </dev/null
done <<'END'
1|sh -c 'exit 3' {in}|builder sh: |status 3
1|sh -c 'kill -SEGV $$' {in}|builder sh: |signal 11
1|sh -c 'cp $1 $2 && exit 1' x {in} {out}|status 1
1|true {in} {out}|wrote no file
1|rm {in}|wrote no file
1|sh -c ': >$2' x {in} {out}|empty
1|sh -c 'mkfifo $2' x {in} {out}|not a regular file
1|sh -c 'ln -s /dev/zero $2' x {in} {out}|not a regular file
1|sh -c 'echo rubbish and more >$2' x {in} {out}|not a WAD|IWAD
1|sh -c 'rm -r ${1%/*}' x {in}|wrote no file
1|cp cut.gz {in}|damaged or cut off
1|cp nothing.wad {in}|lacks 3 of 3 maps: MAP01, ...
1|cp other.wad {in}|lacks 1 of 3 maps: MAP02
2|no-such-builder {in}|builder no-such-builder|it was not found in PATH
2|./no-such-builder {in}|No such file
2|./in.wad {in}|cannot be started
2||'builder' does not take ''|names no program
2|'' {in}|'builder' does not take ''' {in}'|names no program
2|x {in} {output}|'builder' does not take 'x {in} {output}'|only {in} and {out}
2|x {in} -o {out|'builder' does not take 'x {in} -o {out'|brace is not closed
2|x '{in}|quote is not closed
2|x {in} \|backslash
END

for command in nonsense "zdbsp -o {out}"; do
    expect_failure 2 "$command" "'builder' does not take '$command'" \
        "no {in}" zdbsp glbsp elfbsp zokumbsp zennode
done

# A map twice is two maps, and of many only the first is named.
{ room MAP01; room MAP01; room MAP02; } | wadtool make PWAD in.wad
expect_failure 1 "cp three.wad {in}" "lacks 1 of 3 maps: MAP01"
cp three.wad in.wad
cp three.wad same.wad

# --- What it prints ---

# expect_shown COMMAND: it fails with this in the file "expected", then a
# sentence.
expect_shown() {
    cp old.wad out.wad
    for option in --quiet --json; do
        expect 1 blocksweep $option --builder="$1" in.wad -o out.wad
        expect_untouched
        sed '$d' errors >found
        diff expected found || fail "not what the builder printed"
        tail -n 1 errors >sentence
        mv sentence errors
        expect_sentence "builder "
    done
}

# make_printer COMMAND...: writes a builder of these commands of the shell.
make_printer() {
    printf '%s\n' "$@" | make_program printer
}

make_printer 'echo "on standard output"' 'echo "on standard error" >&2' \
    'printf "and no line break"' 'exit ${1-2}'
printf '%s\n' "on standard output" "on standard error" "and no line break" \
    >expected
expect_shown "./printer 2 {in}"
expect_shown "./printer 0 {in} {out}"

# Carriage returns end lines, tabs stay, and no terminal is controlled.
make_printer "printf '10 %%\\r20 %%\\r\\n\\tdone\\033[m\\n'" 'exit 2'
printf '10 %%\n20 %%\n\tdone?[m\n' >expected
expect_shown "./printer {in}"

# Only the end of what is long, from the beginning of a line.
make_printer "seq 100000 199999" "exit 2"
{
    echo "(earlier output omitted)"
    seq 197660 199999
} >expected
[ "$(wc -c <expected)" -le 16500 ] || fail "16 KiB were expected"
expect_shown "./printer {in}"
# With --verbose all of it has been shown already.
expect 1 blocksweep --verbose --builder="./printer {in}" in.wad -o out.wad
tr ' ' '\n' <errors | grep -c '^1[0-9]*$' | expect_text - 100000
expect_untouched

# --- What is wrong without a builder is told before one runs ---

for value in "" 1x 1000000000; do
    expect 2 blocksweep --builder="true {in}" --builder-timeout="$value" \
        in.wad -o out.wad
    expect_sentence "'builder-timeout' does not take '$value'" "0 to 999999999"
    expect_untouched
done
expect 2 blocksweep --builder-timeout=1 in.wad -o out.wad
expect_sentence "--builder"
expect_untouched
while read -r code arguments; do
    # shellcheck disable=SC2086 # words
    expect "$code" blocksweep --builder="touch ran {in}" $arguments -o out.wad \
        </dev/null
    expect_sentence
    expect_absent ran
    expect_untouched
done <<'END'
2 --map=MAP09 in.wad
2 --grid=nonsense in.wad
END

# --- A file that is not whole ---

# expect_refused PART...: with written.wad for its file, the builder is refused
# with these parts of a sentence, and nothing has changed.
expect_refused() {
    cp in.wad place.wad
    for option in --quiet --json --map=MAP02; do
        expect 1 blocksweep $option --builder="cp written.wad {in}" --in-place \
            --backup place.wad
        expect_sentence "builder cp: the file that it wrote" "$@"
        expect_not_in errors place.wad # it is not to blame
        expect_same place.wad in.wad
        expect_absent place.wad~
        expect_nothing_temporary
    done
}

# A WAD whose directory is before its lumps, after a header of 12 bytes: in a
# hole, which is a lump, too.
lumps=$(($(three_rooms | wc -l) + 1))
hole=$((16 * lumps))
head -c $hole /dev/zero >zeros
{ echo "HOLE $folder/zeros"; three_rooms; } | wadtool make PWAD back.wad
size=$(($(wc -c <back.wad) - hole))
head -c $size back.wad >in.wad
{ words 12 0; tail -c $hole back.wad; } |
    dd of=in.wad bs=1 seek=8 conv=notrunc 2>dd-errors || fail "dd failed"
expect_build --builder="cp in.wad {in}" in.wad -o out.wad
expect_room out.wad MAP01 MAP02 MAP03

# Cut off within its lumps, and one with a lump of no map that is.
head -c $((size - 1)) in.wad >written.wad
expect_refused ": lump " "but the file has $((size - 1))"
cp three.wad in.wad
{ three_rooms; echo "EXTRA $folder/zeros"; } | wadtool make PWAD written.wad
wadtool set written.wad $((lumps - 1)) size 100000
expect_refused "EXTRA: lump $((lumps - 1)) "

# write_rooms COMMAND...: writes written.wad; the second map goes through the
# command.
write_rooms() {
    { room MAP01; room MAP02 | "$@"; room MAP03; } |
        wadtool make PWAD written.wad
}
write_rooms replacing LINEDEFS "$folder/empty"
expect_refused "MAP02: LINEDEFS is now empty"
write_rooms without VERTEXES
expect_refused "MAP02: VERTEXES is now empty"

# One that has been empty before is none of the builder's faults.
{ three_rooms; printf 'MAP04\nTHINGS\nLINEDEFS\nVERTEXES\n'; } |
    wadtool make PWAD with-empty.wad
expect_build --map=MAP01 --builder="cp with-empty.wad {in}" with-empty.wad \
    -o out.wad

# The stage finds what is wrong with a map, unless that is left out.
head -c 13 LINEDEFS >cut-linedefs
write_rooms replacing LINEDEFS "$folder/cut-linedefs"
cp written.wad in.wad
expect_refused "MAP02: LINEDEFS"
expect_build --map=MAP01 --builder="cp written.wad {in}" in.wad -o out.wad
expect_room out.wad MAP01

# UDMF.
udmf() {
    printf '%s\nTEXTMAP %s\nENDMAP\n' MAP01 "$folder/TEXTMAP" \
        MAP02 "$folder/$1"
}
udmf TEXTMAP | wadtool make PWAD in.wad
udmf empty | wadtool make PWAD written.wad
expect_refused "MAP02: TEXTMAP is now empty"
udmf TEXTMAP | sed '$d' | wadtool make PWAD written.wad
expect_refused "MAP02: TEXTMAP: lump 4 has no matching ENDMAP"

# --- Sizes ---

if has truncate && truncate -s 3G large; then
    rm large
    cp in.wad place.wad
    expect 1 blocksweep --builder="truncate -s 3G {in}" --in-place place.wad
    expect_sentence "builder truncate: the file that it wrote" \
        "more than 2147483647 bytes"
    expect_same place.wad in.wad
fi

# --- The copy of the input ---

cp three.wad in.wad
for place in "$folder/no-such-folder" "$folder/empty"; do
    TMPDIR=$place expect_failure 3 "true {in}" "$place"
done
rm out.wad
head -c 100000 /dev/zero >large
{ three_rooms; echo "LARGE $folder/large"; } | wadtool make PWAD large.wad
(
    trap '' XFSZ
    ulimit -f 100
    expect 3 blocksweep --builder="touch ran {in}" large.wad -o out.wad
)
expect_sentence "builder touch: " "$TMPDIR" "too large"
expect_absent ran out.wad
expect_nothing_temporary

# --- Its folder, for one to whom permissions apply ---

need_user
chmod 755 "$folder"
chmod 777 temporary
as_user test -x "$BUILD_DIR/run" || skip "the rest: nobody reads $BUILD_DIR"

# The folder cannot be removed then.
for commands in "mkdir a; touch a/file; chmod 500 a" "chmod 500 ."; do
    make_printer 'cd "${1%/*}" || exit' "cp in.wad out.wad; $commands"
    expect 3 as_user "$BUILD_DIR/run" blocksweep --quiet \
        --builder="./printer {in} {out}" in.wad -o temporary/result
    expect_sentence "builder ./printer: " \
        "cannot remove its temporary folder: $TMPDIR/blocksweep."
    expect_absent temporary/result
    chmod -R 700 temporary/blocksweep.*
    rm -r temporary/blocksweep.*
done
