#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the files in editors/ are what map editors read, and that the
# command lines which editors make from the entries build nodes and exact
# blockmaps, in folders and by a program with spaces and other letters in their
# paths, and end a builder that hangs; the line for Freedoom's build works, too.

. "$SOURCE_DIR/tests/help/library.sh"

need perl zdbsp

slade=$SOURCE_DIR/editors/nodebuilders.cfg
builder=$SOURCE_DIR/editors/blocksweep.cfg

# --- Reading ---

editor() {
    perl "$SOURCE_DIR/tests/real/editor.pl" "$@"
}

editor slade "$slade" >slade-entries
editor builder "$builder" >builder-entries
for preset in small vanilla; do
    expect_match slade-entries "^blocksweep_$preset	"
    expect_match builder-entries "^blocksweep_$preset	"
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
editor slade more-entries.cfg | sed 1d >output
expect_same output slade-entries

# --- Building ---

program="$folder/Knoten und Blöcke/blocksweep"
place="$folder/Größe der Karte"
mkdir "${program%/*}" "$place"
cp "$BUILD_DIR/command/blocksweep" "$program"

# A real map as editors save it, without nodes and blockmap.
for name in THINGS LINEDEFS SIDEDEFS VERTEXES SECTORS; do
    wadtool extract "$sample" "MAP01/$name" >"$name"
done
room MAP01 | grep -Ev '^(SEGS|SSECTORS|NODES|REJECT|BLOCKMAP) ' |
    wadtool make PWAD saved.wad
expect 0 zdbsp -o nodes.wad saved.wad

# run_entry COMMAND IN OUT [OPTION]: runs the command of an entry with these
# files in $place, which SLADE gives with their folder.
run_entry() {
    command=$1
    case $command in
    *'$f'*) in=$place/$2 out= ;;
    *) in=$2 out=$3 ;;
    esac
    option=${4-}
    set --
    for word in $command; do
        case $word in
        \$f | %FI) set -- "$@" "$in" ;;
        %FO) set -- "$@" "$out" ;;
        \$o) [ -z "$option" ] || set -- "$@" "$option" ;;
        *) set -- "$@" "$word" ;;
        esac
    done
    (cd "$place" && "$BUILD_DIR/run" "$program" "$@") >output 2>errors
}

# expect_entry KEY COMMAND IN OUT: the command builds in $place what the command
# line would, and what it builds is exact and agrees with the nodes.
expect_entry() {
    input=nodes.wad
    nodes=--nodes
    case $1 in *_alone) input=saved.wad nodes='' ;; esac
    preset=compatible
    for name in small vanilla; do
        case $1 in *_$name*) preset=$name ;; esac
    done
    expect_build --preset=$preset $input -o expected.wad
    cp saved.wad "$place/$3"
    run_entry "$2" "$3" "$4" || fail_showing errors "$1 failed"
    expect_same "$place/$4" expected.wad
    # Whatever its lists begin with, engines at MBF21 read them right.
    # shellcheck disable=SC2086 # may be none
    expect_listed --for=mbf21 $nodes "$place/$4"
    # Of the presets, only that for Doom 1.9 is no good elsewhere.
    rejected=0
    [ $preset != vanilla ] || rejected=1
    expect 0 blocksweep verify --for=doom19,chocolate-doom,crispy "$place/$4"
    for game in boom dsda-doom odamex zandronum; do
        expect $rejected blocksweep verify --for=$game "$place/$4"
    done
}

# expect_failure KEY COMMAND IN OUT: a file that cannot be built stays as it is,
# and the editor knows.
expect_failure() {
    echo "no map" >"$place/$3"
    ! run_entry "$2" "$3" "$4" || fail "$1 was expected to fail"
    expect_text "$place/$3" "no map"
    rm "$place/$3"
    [ -z "$(ls -A "$place")" ] || fail "$1 has left files behind"
}

while IFS='	' read -r key command options; do
    expect_entry "$key" "$command" sladetemp.wad sladetemp.wad
    for option in $options; do
        cp saved.wad "$place/sladetemp.wad"
        run_entry "$command" sladetemp.wad "" "$option" ||
            fail_showing errors "$key failed with $option"
    done
    expect_failure "$key" "$command" sladetemp.wad ""
done <slade-entries
while IFS='	' read -r key command; do
    expect_entry "$key" "$command" in.tmp out.tmp
    rm "$place"/*.tmp
    expect_failure "$key" "$command" in.tmp out.tmp
done <builder-entries

# --- A builder that hangs ---

mkdir hanging
printf '#!/bin/sh\nexec sleep 600\n' >hanging/zdbsp
chmod +x hanging/zdbsp

# expect_ended KEY COMMAND: it ends a builder after two minutes, here after a
# second, and leaves the file as it is.
expect_ended() {
    seconds=$(echo "$2" | sed -n 's/.* --builder-timeout=\([0-9]*\) .*/\1/p')
    [ "$seconds" = 120 ] ||
        fail "$1 was expected to end a builder after two minutes"
    cp saved.wad "$place/in.wad"
    ! (
        PATH=$folder/hanging:$PATH
        run_entry "$(echo "$2" | sed "s/=$seconds /=1 /")" in.wad out.wad
    ) || fail "$1 was expected to fail"
    expect_in errors "took more than 1 s"
    expect_same "$place/in.wad" saved.wad
    expect_absent "$place/out.wad"
}

grep -h -e --builder= slade-entries builder-entries >hanging-entries
expect_count 6 hanging-entries
while IFS='	' read -r key command _; do
    expect_ended "$key" "$command"
done <hanging-entries

# --- Freedoom's build ---

# Its Makefile runs the builder on each level like this.
cat >Makefile <<'END'
NODE_BUILDER = ZenNode
rebuild-nodes: level1.wad level2.wad
	for level in $^; do $(NODE_BUILDER) $$level -o $$level || exit; done
END
cp saved.wad level1.wad
cp saved.wad level2.wad
line=$(grep -o 'make rebuild-nodes [^`]*' "$SOURCE_DIR/editors/README.md")
expect 0 env MAKEFLAGS= "$BUILD_DIR/run" sh -c "$line"
expect_build nodes.wad -o expected.wad
expect_same level1.wad expected.wad
expect_same level2.wad expected.wad
