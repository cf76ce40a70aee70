#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves how a builder is run: the words of its command, the files it gets and
# leaves, what it inherits, what is shown of it, and whose blockmap decides on
# the grid.

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

make_room in.wad
cp in.wad same.wad
mkdir bin
PATH=$folder/bin:$PATH

# --- Words ---

# Builders that write their arguments to a file, as they are.
for name in zdbsp glbsp elfbsp zokumbsp ZenNode arguments; do
    make_program bin/$name <<'END'
printf '%s\n' "${0##*/}" "$@" >arguments-found
for argument in "$@"; do
    case $argument in
    */in.wad) in=$argument ;;
    */out.wad) out=$argument ;;
    esac
done
[ -z "${out-}" ] || cp "$in" "$out"
END
done

# Commands, and the words with which they are run, but for the folder of the
# files.
while IFS= read -r command && IFS= read -r wanted; do
    expect_builder "$command" in.wad -o out.wad </dev/null
    sed "s|$TMPDIR/blocksweep\.[A-Za-z0-9]*/||g" arguments-found |
    tr '\n' % | expect_text - "$wanted%"
    expect_room out.wad MAP01
    expect_same in.wad same.wad
done <<'END'
  arguments {in}	$HOME * ;a|b>c `x` ~ # {out} 
arguments%in.wad%$HOME%*%;a|b>c%`x`%~%#%out.wad
arguments 'two  words' "it's" a'b'"c" '' {in} {out}
arguments%two  words%it's%abc%%in.wad%out.wad
arguments a\ b \"c\" "d\"e\\f" 'g\h' \{in} {in} {out}
arguments%a b%"c"%d"e\f%g\h%{in}%in.wad%out.wad
arguments --in={in}. '{in}' "{out}" {in}
arguments%--in=in.wad.%in.wad%out.wad%in.wad
arguments {in} { } {a {1} a{ {-} {in}{
arguments%in.wad%{%}%{a%{1}%a{%{-}%in.wad{
./bin/arguments {in}
arguments%in.wad
zdbsp
zdbsp%-o%out.wad%in.wad
glbsp
glbsp%in.wad%-o%out.wad
zokumbsp
zokumbsp%in.wad
zennode
ZenNode%in.wad
ZenNode
ZenNode%in.wad
END

# Files in a folder whose name begins with a hyphen look like no options.
mkdir -- -folder
TMPDIR=-folder expect_builder "arguments {in} {out}" in.wad -o out.wad
sed "s|/blocksweep\.[A-Za-z0-9]*/|/*/|" arguments-found | expect_text - "arguments
./-folder/*/in.wad
./-folder/*/out.wad"

# --- What it inherits ---

make_program bin/look <<'END'
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
WORD=kept expect 0 "$BUILD_DIR/run" blocksweep --quiet --builder="look {in}" \
    in.wad -o out.wad <same.wad
expect_no_errors
expect_text looked "end of input
drwx------
$(pwd)
kept"

# --- Files ---

# A builder that writes what stands ready, and leaves more behind.
make_program bin/leave <<'END'
cp ready.wad "$2"
folder=${1%/*}
mkdir -p "$folder/a/b"
echo text >"$folder/a/b/c"
echo text >"${1%.wad}.gwa"
chmod 400 "$folder/a/b/c"
ln -s "$PWD/precious" "$folder/link"
ln -s nowhere "$folder/a/link"
END
mkdir precious
echo text >precious/file
echo "new nodes" >new-nodes
words 0 0 2 1 6 6 0 0 1 2 3 65535 >other-blockmap
{
    room MAP01 | replacing NODES new-nodes | replacing BLOCKMAP other-blockmap
    echo "EXTRA new-nodes"
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
cp in.wad "{in}"
expect_builder "leave {in} {out}" --in-place "{in}"
expect_same "{in}" expected.wad

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

make_program bin/talk <<'END'
echo "on standard output"
echo "on standard error" >&2
printf "and no line break"
END
expect_builder "talk {in}" in.wad -o out.wad
expect 0 blocksweep --quiet --verbose --builder="talk {in}" in.wad -o out.wad
expect_no_output
expect_text errors "on standard output
on standard error
and no line break"
expect 0 blocksweep --verbose --json --builder="talk {in}" in.wad -o out.wad
expect_match output '^{' '"command": "talk {in}"'
expect 0 blocksweep --json --builder=zdbsp in.wad -o out.wad
expect_in output '"command": "zdbsp -o {out} {in}"'
expect 0 blocksweep --builder=zdbsp in.wad -o out.wad
expect_match output '^Builder zdbsp took [0-9.]* s$'
expect 0 blocksweep --json in.wad -o out.wad
expect_not_in output '"builder"'

# --- The grid ---

# expect_grid FILE LINE: origin, columns and rows of the blockmap.
expect_grid() {
    wadtool blockmap "$1" MAP01/BLOCKMAP | cut -d ' ' -f 1-4 >grid
    expect_text grid "$2"
}

expect_build --grid=-8,-5 in.wad -o old.wad
expect_grid old.wad "-8 -5 2 1"
make_room none.wad BLOCKMAP -
make_room empty.wad BLOCKMAP /dev/null
# That of the input, with which demos have been recorded.
for ready in expected none; do
    cp $ready.wad ready.wad
    expect_builder "leave {in} {out}" old.wad -o out.wad
    expect_grid out.wad "-8 -5 2 1"
done
# That of the builder, where the input has none.
cp old.wad ready.wad
for input in none empty; do
    expect_builder "leave {in} {out}" --grid=keep $input.wad -o out.wad
    expect_grid out.wad "-8 -5 2 1"
done
make_room ready.wad BLOCKMAP other-blockmap NODES new-nodes
expect_builder "leave {in} {out}" --grid=fit old.wad -o out.wad
expect_grid out.wad "0 0 2 1"

# Lists number the linedefs of the builder's file.
expect_builder "leave {in} {out}" --lists=lump old.wad -o out.wad
expect_grid out.wad "0 0 2 1"
expect_lump out.wad MAP01/BLOCKMAP other-blockmap

# Of maps with one name, each belongs to that in its turn.
expect_build --grid=-20,-20 in.wad -o older.wad
for wad in old older; do
    wadtool extract $wad.wad MAP01/BLOCKMAP >$wad-blockmap
    room MAP01 | replacing BLOCKMAP $wad-blockmap
done >recipe
wadtool make PWAD twice.wad <recipe
{ room MAP07; room MAP01; room MAP01; } | wadtool make PWAD ready.wad
expect_builder "leave {in} {out}" twice.wad -o out.wad
wadtool list out.wad | awk '$2 == "BLOCKMAP" { print $1 }' | sed 1d |
    while read -r number; do
        wadtool blockmap out.wad "$number" | cut -d ' ' -f 1-2
done | expect_text - "-8 -5
-20 -20"

# --- Maps ---

# Where --map leaves a map out, it keeps the builder's blockmap.
{ room MAP01; room MAP02; } | tee recipe | wadtool make PWAD in.wad
replacing BLOCKMAP other-blockmap <recipe | wadtool make PWAD ready.wad
expect_builder "leave {in} {out}" --map=MAP02 in.wad -o out.wad
expect_room out.wad MAP02
expect_lump out.wad MAP01/BLOCKMAP other-blockmap
