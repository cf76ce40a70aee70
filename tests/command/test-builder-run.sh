#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves how a builder is run: the words of its command, the files it gets and
# leaves, what it inherits, what is shown of it, and whose blockmap decides on
# the grid.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room
use_own_temporary_folder

# expect_builder COMMAND ARGUMENT...: the file is built, in silence.
expect_builder() {
    command=$1
    shift
    expect_build --builder="$command" "$@"
    expect_nothing_temporary
}

room MAP01 | wadtool make PWAD in.wad
cp in.wad same.wad
mkdir bin
PATH=$folder/bin:$PATH

# A builder that writes its arguments to a file, as they are.
for name in zdbsp glbsp elfbsp zokumbsp ZenNode arguments; do
    cat >"bin/$name" <<'END'
#!/bin/sh
printf '%s\n' "${0##*/}" "$@" >arguments-found
for argument in "$@"; do
    case $argument in
    */in.wad) in=$argument ;;
    */out.wad) out=$argument ;;
    esac
done
[ -z "${out-}" ] || cp "$in" "$out"
END
    chmod +x "bin/$name"
done

# --- Words ---

# expect_words COMMAND WORD...: the command is run with these words, but for
# the folder of the files.
expect_words() {
    expect_builder "$1" in.wad -o out.wad
    shift
    printf '%s\n' "$@" >expected-arguments
    sed "s|$TMPDIR/blocksweep\.[A-Za-z0-9]*/||g" arguments-found >found
    diff expected-arguments found || fail "these are not the words"
    expect_room out.wad MAP01
    expect_same in.wad same.wad
}

# shellcheck disable=SC2016 # for no shell
expect_words '  arguments {in}	$HOME * ;a|b>c `x` ~ # {out} ' \
    arguments in.wad '$HOME' '*' ';a|b>c' '`x`' '~' '#' out.wad
expect_words "arguments 'two  words' \"it's\" a'b'\"c\" '' {in} {out}" \
    arguments "two  words" "it's" abc "" in.wad out.wad
expect_words 'arguments a\ b \"c\" "d\"e\\f" '\''g\h'\'' \{in} {out}' \
    arguments "a b" '"c"' 'd"e\f' 'g\h' in.wad out.wad
expect_words "arguments --in={in}. '{in}' \"{out}\" {in}" \
    arguments --in=in.wad. in.wad out.wad in.wad
expect_words 'arguments {in} { } {a {1} a{ {-} {in}{' \
    arguments in.wad '{' '}' '{a' '{1}' 'a{' '{-}' 'in.wad{'
expect_words './bin/arguments {in}' arguments in.wad

# --- Names ---

expect_words zdbsp zdbsp -o out.wad in.wad
expect_words glbsp glbsp in.wad -o out.wad
expect_words elfbsp elfbsp in.wad -o out.wad
expect_words zokumbsp zokumbsp in.wad
for name in zennode ZenNode; do
    expect_words $name ZenNode in.wad
done

# --- What it inherits ---

cat >bin/look <<'END'
#!/bin/sh
{
    cat
    echo "end of input"
    # A session of its own has no terminal.
    [ ! -e /proc/$$ ] || [ "$(cut -d ' ' -f 6 "/proc/$$/stat")" = $$ ] ||
        echo "not its own session"
    ls -ld "${1%/*}" | cut -c 1-10
    pwd
    echo "$WORD"
} >looked
END
chmod +x bin/look
WORD=kept expect 0 "$BUILD_DIR/run" blocksweep --quiet --builder="look {in}" \
    in.wad -o out.wad <same.wad
expect_no_errors
expect_text looked "end of input
drwx------
$(pwd)
kept"

# --- Files ---

# A builder that writes what stands ready, and leaves more behind.
cat >bin/leave <<'END'
#!/bin/sh
cp ready.wad "$2"
folder=${1%/*}
mkdir -p "$folder/a/b"
echo text >"$folder/a/b/c"
echo text >"${1%.wad}.gwa"
chmod 400 "$folder/a/b/c"
ln -s "$PWD/precious" "$folder/link"
ln -s nowhere "$folder/a/link"
END
chmod +x bin/leave
mkdir precious
echo text >precious/file
echo "new nodes" >new-nodes
words 0 0 2 1 6 6 0 0 1 2 3 65535 >other-blockmap
{
    room MAP01 | replacing NODES "$folder/new-nodes" |
        replacing BLOCKMAP "$folder/other-blockmap"
    echo "EXTRA $folder/new-nodes"
} | wadtool make PWAD ready.wad
expect_build ready.wad -o expected.wad
expect_builder "leave {in} {out}" in.wad -o out.wad
expect_same out.wad expected.wad
expect_same in.wad same.wad
[ -e precious/file ] || fail "a symbolic link was followed"

cp in.wad place.wad
expect_builder "leave {in} {out}" --in-place --backup place.wad
expect_same place.wad expected.wad
expect_same place.wad~ in.wad
for name in "two  words.wad" "$(printf 'caf\303\251 %%s.wad')" ./-dash.wad \
    "$(printf 'new\nline')" "{in}"; do
    cp in.wad "$name"
    expect_builder "leave {in} {out}" --in-place "$name"
    expect_same "$name" expected.wad
done

# Over its input.
expect_builder "cp ready.wad {in}" in.wad -o out.wad
expect_same out.wad expected.wad
expect_same in.wad same.wad
expect_builder "true {in}" in.wad -o out.wad
expect_room out.wad MAP01

# The builder gets a plain WAD.
gzip -c in.wad >packed.wad.gz
expect_builder "cp {in} {out}" packed.wad.gz -o out.wad
expect_room out.wad MAP01
expect_builder "cmp {in} same.wad" packed.wad.gz -o out.wad.gz
gzip -dc out.wad.gz >plain.wad
expect_room plain.wad MAP01
expect_builder "leave {in} {out}" --in-place packed.wad.gz
gzip -dc packed.wad.gz >plain.wad
expect_same plain.wad expected.wad

# --- What is shown ---

cat >bin/talk <<'END'
#!/bin/sh
echo "on standard output"
echo "on standard error" >&2
printf "and no line break"
END
chmod +x bin/talk
expect_builder "talk {in}" in.wad -o out.wad
expect 0 blocksweep --quiet --verbose --builder="talk {in}" in.wad -o out.wad
[ ! -s output ] || fail "nothing was expected on standard output"
expect_text errors "on standard output
on standard error
and no line break"
expect 0 blocksweep --verbose --json --builder="talk {in}" in.wad -o out.wad
grep -q '^{' output || fail "JSON was expected on standard output"
grep -qF '"command": "talk {in}"' output || fail "the command was expected"
expect 0 blocksweep --json --builder=zdbsp in.wad -o out.wad
grep -qF '"command": "zdbsp -o {out} {in}"' output ||
    fail "the command of a known builder was expected"
expect 0 blocksweep --builder=zdbsp in.wad -o out.wad
grep -q '^Builder zdbsp took [0-9.]* s$' output || fail "its time was expected"
expect 0 blocksweep --json in.wad -o out.wad
! grep -q '"builder"' output || fail "no builder was expected"

# --- The grid ---

# expect_grid FILE LINE: origin, columns and rows of the blockmap.
expect_grid() {
    found=$(wadtool blockmap "$1" MAP01/BLOCKMAP | cut -d ' ' -f 1-4)
    [ "$found" = "$2" ] || fail "the grid is $found; $2 was expected"
}

expect_build --grid=-8,-5 in.wad -o old.wad
expect_grid old.wad "-8 -5 2 1"
for grid in auto keep; do
    # That of the input, which demos have been recorded with.
    expect_builder "leave {in} {out}" --grid=$grid old.wad -o out.wad
    expect_grid out.wad "-8 -5 2 1"
    room MAP01 | without BLOCKMAP | wadtool make PWAD none.wad
    cp ready.wad kept.wad
    cp none.wad ready.wad
    expect_builder "leave {in} {out}" --grid=$grid old.wad -o out.wad
    expect_grid out.wad "-8 -5 2 1"

    # That of the builder, where the input has none.
    cp old.wad ready.wad
    expect_builder "leave {in} {out}" --grid=$grid none.wad -o out.wad
    expect_grid out.wad "-8 -5 2 1"
    : >empty
    room MAP01 | replacing BLOCKMAP "$folder/empty" |
        wadtool make PWAD empty.wad
    expect_builder "leave {in} {out}" --grid=$grid empty.wad -o out.wad
    expect_grid out.wad "-8 -5 2 1"
    mv kept.wad ready.wad
done
expect_builder "leave {in} {out}" --grid=fit old.wad -o out.wad
expect_grid out.wad "0 0 2 1"

# Lists number the linedefs of the builder's file.
expect_builder "leave {in} {out}" --source=lump old.wad -o out.wad
expect_grid out.wad "0 0 2 1"
wadtool extract out.wad MAP01/BLOCKMAP >found
expect_same found other-blockmap

# Of maps with one name, each belongs to that in its turn.
expect_build --grid=-20,-20 in.wad -o older.wad
wadtool extract old.wad MAP01/BLOCKMAP >old-blockmap
wadtool extract older.wad MAP01/BLOCKMAP >older-blockmap
{
    room MAP01 | replacing BLOCKMAP "$folder/old-blockmap"
    room MAP01 | replacing BLOCKMAP "$folder/older-blockmap"
} | wadtool make PWAD twice.wad
{ room MAP07; room MAP01; room MAP01; } | wadtool make PWAD ready.wad
expect_builder "leave {in} {out}" twice.wad -o out.wad
wadtool list out.wad | awk '$2 == "BLOCKMAP" { print $1 }' >numbers
for grid in "-8 -5" "-20 -20"; do
    sed -i 1d numbers
    found=$(wadtool blockmap out.wad "$(head -n 1 numbers)" |
        cut -d ' ' -f 1-2)
    [ "$found" = "$grid" ] || fail "the origin is $found, not $grid"
done

# --- Maps ---

# Where --map leaves a map out, it keeps the builder's blockmap.
{ room MAP01; room MAP02; } | wadtool make PWAD in.wad
{
    room MAP01 | replacing BLOCKMAP "$folder/other-blockmap"
    room MAP02 | replacing BLOCKMAP "$folder/other-blockmap"
} | wadtool make PWAD ready.wad
expect_builder "leave {in} {out}" --map=MAP02 in.wad -o out.wad
expect_room out.wad MAP02
wadtool extract out.wad MAP01/BLOCKMAP >found
expect_same found other-blockmap
