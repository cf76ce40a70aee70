#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the files in editors/ are what map editors read, and that the
# command lines which editors make from the entries build nodes and exact
# blockmaps, in folders and by a program with spaces and other letters in their
# paths.

. "$SOURCE_DIR/tests/help/library.sh"

need perl zdbsp

slade=$SOURCE_DIR/editors/nodebuilders.cfg
builder=$SOURCE_DIR/editors/blocksweep.cfg

# editor EDITOR FILE ...: see tests/real/editor.pl.
editor() {
    "$BUILD_DIR/run" perl "$SOURCE_DIR/tests/real/editor.pl" "$@"
}

# --- Reading ---

expect 0 editor slade "$slade"
mv output slade-entries
expect 0 editor builder "$builder"
mv output builder-entries
for preset in small vanilla; do
    expect_match slade-entries "^blocksweep_$preset "
    expect_match builder-entries "^blocksweep_$preset\$"
done

# expect_fault EDITOR FILE SED-SCRIPT: the file with this change is refused.
expect_fault() {
    sed "$3" "$2" >damaged.cfg
    ! cmp -s "$2" damaged.cfg || fail "$3 was expected to change $2"
    ! editor "$1" damaged.cfg >output 2>&1 || fail "$3: nothing was found"
}

for change in 's/;$//' '/^}/d' 's/";/;/' 's/ = / /' 's/{/[/' '$a }' \
    's/^\t{/\t{ more = "";/' 's/_small/_vanilla/'; do
    expect_fault slade "$slade" "$change"
    expect_fault builder "$builder" "$change"
done
for change in 's/command/comand/' 's/\$f/f/' 's/\$o//' \
    's/option "--/option "/'; do
    expect_fault slade "$slade" "$change"
done
for change in 's/parameters/parameter/' 's/%FI//' 's/compiler =/compilers =/' \
    's/= "blocksweep"/= "another"/' 's/Nodes/Node/'; do
    expect_fault builder "$builder" "$change"
done

# The entries are added to those that SLADE has as README.md says.
{
    printf 'nodebuilders\n{\n\tzdbsp\n\t{\n\t\tname = "ZDBSP";\n'
    printf '\t\tcommand = "$o $f"; executable = "zdbsp"; '
    printf 'option "--gl" = "GL nodes";\n\t}\n'
    sed '1,/^{/d; /^}/d' "$slade"
    printf '}\n'
} >more-entries.cfg
expect_in "$SOURCE_DIR/editors/README.md" "sed '1,/^{/d; /^}/d'"
expect 0 editor slade more-entries.cfg
echo "zdbsp --gl" | cat slade-entries - >expected
expect_same output expected

# --- Building ---

program="$folder/Knoten und Blöcke/blocksweep"
place="$folder/Größe der Karte"
mkdir "${program%/*}" "$place"
cp "$BUILD_DIR/host/blocksweep" "$program"

# A real map as editors save it, without nodes and blockmap.
lumps="THINGS LINEDEFS SIDEDEFS VERTEXES SECTORS"
for name in $lumps; do
    wadtool extract "$sample" "MAP01/$name" >"$name"
done
{
    echo MAP01
    for name in $lumps; do
        echo "$name $folder/$name"
    done
} | wadtool make PWAD saved.wad
expect 0 zdbsp -o nodes.wad saved.wad

# make_expected KEY: writes what an entry has to build into expected.wad.
make_expected() {
    case $1 in
    *_alone) input=saved.wad ;;
    *) input=nodes.wad ;;
    esac
    preset=compatible
    for name in small vanilla; do
        case $1 in *_$name*) preset=$name ;; esac
    done
    expect_build --preset=$preset $input -o expected.wad
}

# expect_sound KEY FILE: the blockmap is exact, and agrees with the nodes.
expect_sound() {
    nodes=--nodes
    case $1 in *_alone) nodes= ;; esac
    # Whatever its lists begin with, engines at MBF21 read them right.
    # shellcheck disable=SC2086 # may be none
    expect 0 blocksweep verify --strict --for=mbf21 --prune=inert $nodes "$2"
}

# run_slade KEY [OPTION...]: has SLADE save the map.
run_slade() {
    key=$1
    shift
    cp saved.wad "$place/sladetemp.wad"
    expect 0 editor slade "$slade" "$key" "$program" "$place/sladetemp.wad" "$@"
    case $key in
    *_alone) expect_match errors 'sladetemp.wad: 1 of 1 maps had no blockmap' ;;
    *) expect_no_errors ;;
    esac
    [ "$(ls -A "$place")" = sladetemp.wad ] || fail "$key has left files behind"
    expect_sound "$key" "$place/sladetemp.wad"
}

while read -r key options; do
    make_expected "$key"
    run_slade "$key"
    expect_same "$place/sladetemp.wad" expected.wad
    for option in $options; do
        run_slade "$key" "$option"
    done
    run_slade "$key" --pack=none --grid=id
done <slade-entries
rm "$place/sladetemp.wad"

# The editor's temporary folder is in that place, too.
TMPDIR=$place
export TMPDIR
while read -r key; do
    make_expected "$key"
    expect 0 editor builder "$builder" "$key" "$program" saved.wad out.wad
    [ -z "$(ls -A "$place")" ] || fail "$key has left files behind"
    expect_same out.wad expected.wad
    expect_sound "$key" out.wad
done <builder-entries

# A file that cannot be built stays as it is, and the editors know.
echo "no map" >"$place/damaged.wad"
cp "$place/damaged.wad" damaged.wad
while read -r key options; do
    ! editor slade "$slade" "$key" "$program" "$place/damaged.wad" \
        >output 2>&1 || fail "$key was expected to fail"
    expect_same "$place/damaged.wad" damaged.wad
done <slade-entries
rm "$place/damaged.wad"
while read -r key; do
    ! editor builder "$builder" "$key" "$program" damaged.wad out.wad \
        >output 2>&1 || fail "$key was expected to fail"
    [ -z "$(ls -A "$place")" ] || fail "$key has left files behind"
done <builder-entries
