#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a builder which fails in any way ends the command with one
# sentence and its status, shows what it printed, and leaves the input and the
# target as they were and no temporary file.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room
use_own_temporary_folder

{ room MAP01; room MAP02; room MAP03; } | wadtool make PWAD in.wad
cp in.wad same.wad
echo "what was there" >old.wad

# expect_untouched: nothing is left, and nothing has changed.
expect_untouched() {
    expect_nothing_temporary
    expect_same in.wad same.wad
    expect_text out.wad "what was there"
    [ ! -s output ] || fail "nothing was expected on standard output"
}

# expect_failure STATUS COMMAND PART...: the builder fails, with these parts of
# a sentence and nothing printed by itself.
expect_failure() {
    status_of_builder=$1
    command=$2
    shift 2
    cp old.wad out.wad
    expect "$status_of_builder" blocksweep --builder="$command" in.wad \
        -o out.wad
    expect_sentence "$@"
    expect_untouched
    expect "$status_of_builder" blocksweep --json --builder="$command" \
        --in-place --backup in.wad
    expect_sentence "$@"
    expect_untouched
    [ ! -e in.wad~ ] || fail "no backup was expected"
}

# --- How it ends ---

expect_failure 1 "sh -c 'exit 3' {in}" "builder sh: " "status 3"
expect_failure 1 "sh -c 'kill -SEGV \$\$' {in}" "builder sh: " "signal 11"
expect_failure 1 "sh -c 'kill -KILL \$\$' {in} {out}" "signal 9"
# It may have written all that was expected before.
expect_failure 1 "sh -c 'cp \$1 \$2 && exit 1' x {in} {out}" "status 1"
expect_failure 1 "sh -c 'cp \$1 \$2 && kill -ABRT \$\$' x {in} {out}" "signal 6"
expect_failure 1 "false {in}" "builder false: " "status 1"

# --- What it writes ---

expect_failure 1 "true {in} {out}" "wrote no file"
expect_failure 1 "rm {in}" "wrote no file"
expect_failure 1 "sh -c ': >\$2' x {in} {out}" "empty"
expect_failure 1 "sh -c ': >\$1' x {in}" "empty"
expect_failure 1 "sh -c 'rm \$1 && mkdir \$1' x {in}" "not a regular file"
expect_failure 1 "sh -c 'mkfifo \$2' x {in} {out}" "not a regular file"
expect_failure 1 "sh -c 'ln -s /dev/zero \$2' x {in} {out}" \
    "not a regular file"
expect_failure 1 "sh -c 'echo rubbish >\$2' x {in} {out}" "not a WAD" IWAD
expect_failure 1 "sh -c 'head -c 100 \$1 >\$2' x {in} {out}" "cut off"
expect_failure 1 "sh -c 'head -c 11 \$1 >\$2' x {in} {out}" "not a WAD"
gzip -c in.wad | head -c 200 >cut.gz
expect_failure 1 "cp cut.gz {in}" "damaged or cut off"

printf 'NOTHING\n' | wadtool make PWAD written.wad
expect_failure 1 "cp written.wad {in}" "lacks 3 of 3 maps: MAP01, ..."
{ room MAP03; room MAP02; } | wadtool make PWAD written.wad
expect_failure 1 "cp written.wad {in}" "lacks 1 of 3 maps: MAP01"
{ room MAP01; echo MAP02; room MAP04; room MAP03; } |
    wadtool make PWAD written.wad
expect_failure 1 "cp written.wad {in}" "lacks 1 of 3 maps: MAP02"
# A map twice is two maps.
cp in.wad kept.wad
{ room MAP01; room MAP01; room MAP02; } | wadtool make PWAD in.wad
cp in.wad same.wad
{ room MAP01; room MAP02; room MAP03; } | wadtool make PWAD written.wad
expect_failure 1 "cp written.wad {in}" "lacks 1 of 3 maps: MAP01"
# Only the first is named.
for number in 10 11 12 13 14 15 16 17 18 19; do
    for digit in 0 1 2 3 4 5 6 7 8 9; do
        for last in 0 1 2; do
            echo "MAP$number$digit$last"
            echo THINGS
            echo LINEDEFS
        done
    done
done | wadtool make PWAD in.wad
cp in.wad same.wad
expect_failure 1 "cp written.wad {in}" "lacks 300 of 300 maps: MAP1000, ..."
mv kept.wad in.wad
cp in.wad same.wad

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

cat >printer <<'END'
#!/bin/sh
echo "on standard output"
echo "on standard error" >&2
printf "and no line break"
exit ${1-2}
END
chmod +x printer
printf '%s\n' "on standard output" "on standard error" "and no line break" \
    >expected
expect_shown "./printer 2 {in}"
expect_shown "./printer 0 {in} {out}"

# Only the end of what is long, from the beginning of a line.
cat >printer <<'END'
#!/bin/sh
seq 100000 199999
exit 2
END
{
    echo "(683620 bytes before this are left out)"
    seq 197660 199999
} >expected
[ "$(wc -c <expected)" -le 16500 ] || fail "16 KiB were expected"
expect_shown "./printer {in}"
cat >printer <<'END'
#!/bin/sh
seq 100000 199999 | tr '\n' ' '
exit 2
END
{
    echo "(683616 bytes before this are left out)"
    seq 100000 199999 | tr '\n' ' ' | tail -c 16384
    echo
} >expected
expect_shown "./printer {in}"

# With --verbose all of it has been shown already.
expect 1 blocksweep --verbose --builder="./printer {in}" in.wad -o out.wad
[ "$(tr ' ' '\n' <errors | grep -c '^1[0-9]*$')" -eq 100000 ] ||
    fail "all that the builder printed was expected once"
expect_untouched

# --- Before it runs ---

expect_failure 2 "no-such-builder {in}" "builder no-such-builder" "No such file"
expect_failure 2 "./no-such-builder {in}" "No such file"
expect_failure 2 "./in.wad {in}" "cannot be started"
expect_failure 2 "/ {in}" "cannot be started"

for command in "" " " "''" "'' {in}"; do
    expect_failure 2 "$command" "'builder' does not take '$command'" \
        "names no program"
done
for command in nonsense "zdbsp " "zdbsp -o {out}" "zdbsp in" "zdbsp {i n}"; do
    expect_failure 2 "$command" "'builder' does not take '$command'" \
        "no {in}" zdbsp glbsp elfbsp zokumbsp zennode
done
for command in "x {in} {foo}" "x {in} {}" "x {in}a{OUT}" "x {in} '{input}'"; do
    expect_failure 2 "$command" "'builder' does not take '$command'" \
        "nothing but {in} and {out}"
done
for command in "x '{in}" "x {in} \"" "x {in} \"'"; do
    expect_failure 2 "$command" "quote is not closed"
done
expect_failure 2 "x {in} \\" "backslash"

for value in "" x 1x -1 1.5 1000000000 " 1" +1; do
    cp old.wad out.wad
    expect 2 blocksweep --builder="true {in}" --builder-timeout="$value" \
        in.wad -o out.wad
    expect_sentence "'builder-timeout' does not take '$value'" "0 to 999999999"
    expect_untouched
done
expect 2 blocksweep --builder-timeout=1 in.wad -o out.wad
expect_sentence "--builder"
expect_untouched

# What is wrong without a builder is told before one runs.
for arguments in "--map=MAP09 in.wad" no-such.wad old.wad "--nonsense in.wad" \
    "--grid=nonsense in.wad"; do
    status=0
    # shellcheck disable=SC2086 # words
    blocksweep --builder="touch ran {in}" $arguments -o out.wad \
        >output 2>errors || status=$?
    [ "$status" -ne 0 ] || fail "$arguments was expected to fail"
    expect_sentence ""
    [ ! -e ran ] || fail "the builder ran in spite of $arguments"
    expect_untouched
done

# The copy cannot be written.
: >no-folder
for TMPDIR in "$folder/no-such-folder" "$folder/no-folder"; do
    expect_failure 3 "true {in}" "$TMPDIR"
done
