#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that bash, zsh and fish complete what the command takes: commands,
# the options of each, their values, maps, stages and files; and that nothing
# in a file reaches a command line that a shell would take for its own.

. "$SOURCE_DIR/tests/help/library.sh"

LC_ALL=C.UTF-8
export LC_ALL

# --- What the command says ---

# expect_words TEXT WORD...: asked to complete these words, it prints this.
expect_words() {
    text=$1
    shift
    expect 0 blocksweep --complete -- "$@"
    expect_text output "$text"
}

# words_of COMMAND: prints the options in its --help as they are completed.
words_of() {
    blocksweep "$1" --help |
        sed -n 's/^  -[A-Za-z], --\([a-z-]*=\{0,1\}\).*/--\1/p
                s/^  --\([a-z-]*=\).*/--\1/p
                s/^  --\([a-z-]*\)\[=.*/--\1/p'
}

commands="build verify show diff plugins"
expect 0 blocksweep --complete -- ""
[ "$(cut -f 1 output | tr '\n' ' ')" = "$commands help version wads " ] ||
    fail "$commands, help, version and names of WAD files were expected"
expect 0 blocksweep --complete -- help ""
[ "$(cut -f 1 output | tr '\n' ' ')" = "$commands " ] ||
    fail "$commands were expected after help"
expect_words "" version ""
expect_words "" help show ""
for command in $commands; do
    words_of "$command" >expected
    expect 0 blocksweep --complete -- "$command" -
    cut -f 1 output >found
    diff expected found || fail "not the options of $command"
    # Each has a description.
    ! grep -qv "^[^	]*	.." output || fail "some options have no description"
done
expect_not_in expected --prune= # of diff
words_of build >expected
expect_match expected '^--check-nodes$' '^--map=$' # flags need no value

# Choices, behind "=" and as a word of their own.
list_options >options
sed -n 's/^stage //p' options | while read -r option; do
    # Without numbers, and forms such as X,Y.
    sed -n "s/^choice $option \([a-z0-9]*\)$/\1/p" options >choices
    expect 0 blocksweep --complete -- "--$option="
    cut -f 1 output | sed "s/^--$option=//" >found
    expect_same choices found
    [ "$option" != check-nodes ] || continue
    expect 0 blocksweep --complete -- "--$option" ""
    cut -f 1 output >found
    expect_same choices found
done

# Another item of a list.
expect 0 blocksweep --complete -- --for=boom,doom19,
expect_match output '^--for=boom,doom19,zdoom	'
expect 0 blocksweep --complete -- --overflow merge,
expect_match output '^merge,error	'

# As many files as a command takes, whatever stands between them.
expect_words wads --pack nest --map=MAP01 -qm MAP01 ""
expect_words wads in.wad --pack nest ""
expect_words wads diff -- --old.wad ""
expect_words wads build -- -
expect_words "" diff -- --old.wad -v ""
expect_words wads verify a.wad b.wad ""
expect_words files in.wad -o ""
expect_words --html=files show in.wad --html=pa
expect_words wads -- --html=pa
expect_words "" show --list ""
expect_words "" --quiet=
expect_words "" plugins ""
expect_words "" --nonsense=

# The options of the stage that is named.
other=$BUILD_DIR/tests/command/.libs/other-stage.so
for words in "--plugin=$other" "-p $other" "-qp $other in.wad"; do
    # shellcheck disable=SC2086 # words
    expect 0 blocksweep --complete -- $words --
    expect_match output "^--size=	"
    expect_not_in output --pack=
done
# Names of stages, as they are looked for: each once, and nothing that is none.
mkdir stages stages-too stages/folder.so
cp "$other" stages
cp "$other" stages-too
cp "$other" stages-too/another.so
: >"stages/\$(id).so"
: >stages/.so
mkfifo stages/fifo.so
mkfifo stages-too/later.so
: >stages/later.so
path=$folder/nowhere::$folder/stages:$folder/stages-too:$folder/stages
expect 0 env NBSTAGE_PLUGIN_PATH="$path" timeout 60 \
    "$BUILD_DIR/host/blocksweep" --complete -- --plugin ""
sed '/^blocksweep[0-9.-]*	$/d' output | LC_ALL=C sort >found # perhaps installed
expect_text found "another	
files
later	
other-stage	"
# Without any, those of the command.
expect 0 env NBSTAGE_PLUGIN_PATH=/nonexistent "$BUILD_DIR/host/blocksweep" \
    --complete -- --plugin=no-such-stage --
expect_match output "^--output=	"
expect_no_errors

# Maps of the file, those alone that no shell takes for anything else.
write_room
for map in MAP01 '$(id)' 'a;id' '`id`' E1M1 'MAP 2'; do
    room "$map"
done >recipe
sed 's/^MAP 2/MAP\\0402/' recipe | wadtool make PWAD "$folder/two words.wad"
tab=$(printf '\t')
expect_words "MAP01$tab
E1M1$tab" "two words.wad" --map ""
expect_words "--map=MAP01,E1M1-MAP01$tab
--map=MAP01,E1M1-E1M1$tab" --map=MAP02 "two words.wad" --map=MAP01,E1M1-
# What cannot be printed in the locale is not replaced.
LC_ALL=C
expect_words "" "two words.wad" --map=Ä,
expect_words --html=files show in.wad --html=Ä
LC_ALL=C.UTF-8
expect_words "--map=Ä,MAP01$tab
--map=Ä,E1M1$tab" "two words.wad" --map=Ä,
HOME=$folder
export HOME
expect_words "MAP01$tab
E1M1$tab" "~/two words.wad" -m ""
expect_words "" -m ""
gzip -c "two words.wad" >packed
expect_words "MAP01$tab
E1M1$tab" packed -m ""

# Nothing that a file may be takes long, or much memory, or is told about.
mkfifo fifo.wad
mkdir folder.wad
echo "no WAD" >text.wad
head -c 100 "two words.wad" >cut.wad
printf 'PWAD\377\377\377\177\14\0\0\0' >large.wad
truncate -s 40G large.wad 2>/dev/null || truncate -s 2G large.wad
printf 'PWAD\1\0\0\0\377\377\377\377' | cat - /dev/zero |
    head -c 100000000 | gzip -1 >large.wad.gz
for file in no-such.wad fifo.wad folder.wad text.wad cut.wad large.wad \
    large.wad.gz /dev/zero /dev/stdin; do
    # The sanitizers' memory is none of the command's.
    (
        is_sanitized || ulimit -v 500000 2>/dev/null || :
        expect 0 timeout 20 "$BUILD_DIR/run" blocksweep --complete -- \
            $file -m "" <>fifo.wad
        expect_text output ""
        expect_no_errors
        expect 0 timeout 20 "$BUILD_DIR/run" blocksweep --complete -- \
            -p "$(readlink -f $file)" "" <>fifo.wad
        expect_text output wads
        expect_no_errors
    ) || fail "$file: an answer at once was expected"
done

# glbsp-blocksweep takes options of the stage as one text.
expect_words wads glbsp-blocksweep a.wad ""
expect_words "--stage${tab}options of the stage" glbsp-blocksweep -
expect 0 blocksweep --complete -- glbsp-blocksweep --stage grid=fit,
expect_in output "grid=fit,pack=$tab"
expect 0 blocksweep --complete -- glbsp-blocksweep --stage grid=fit,pack=
expect_in output "grid=fit,pack=nest$tab"
expect_not_in output search

# The file may come after the word.
expect 0 blocksweep --complete "two words.wad" -- show --map=E
expect_text output "--map=MAP01$tab
--map=E1M1$tab"
expect 0 blocksweep --complete --json "two words.wad" -- verify in.wad -m E
expect_text output ""
expect 0 blocksweep --complete in.wad "two words.wad" -- diff ""
expect_text output ""
if [ -r /usr/share/bash-completion/bash_completion ]; then
    cat >in-bash <<'END'
. /usr/share/bash-completion/bash_completion
. "$SOURCE_DIR/completion/blocksweep.bash"
COMP_LINE='blocksweep show -m E two\ words.wad'
COMP_POINT=20
COMP_WORDS=(blocksweep show -m E 'two\ words.wad')
COMP_CWORD=3
_blocksweep
printf '%s\n' "${COMPREPLY[@]}"
END
    expect 0 "$BUILD_DIR/run" bash in-bash
    expect_text output E1M1
fi

expect 2 blocksweep --complete
expect_sentence "WORD"
expect 2 blocksweep --complete x
expect_sentence "WORD"

# --- What shells make of it ---

mkdir place
cd place
mv "../two words.wad" .
mkdir folder.d
: >note.txt
: >nötig.wad
: >packed.WAD.gz
for name in "it's.wad" at@home.wad say:so.wad 'back\slash.wad' \
    'q"uote.wad' --name=x.wad eq=ual.wad; do
    cp "two words.wad" "./$name"
done
# The command by another path, and none where a path says it is.
mkdir ../bin
printf '#!/bin/sh\n: >"$HOME/asked"\nexec blocksweep "$@"\n' \
    >../bin/blocksweep
chmod +x ../bin/blocksweep

# expect_candidates LINE WORD...: adds to what is to be asked, and expected.
: >../lines
: >../candidates
expect_candidates() {
    printf '%s\n' "$1" >>../lines
    printf '%s:\n' "$1" >>../candidates
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" | LC_ALL=C sort >>../candidates
}

expect_candidates "blocksweep --pac" --pack=
expect_candidates "blocksweep --pack=n" none nest
expect_candidates "blocksweep --pack n" none nest
expect_candidates "blocksweep --check" --check-nodes
expect_candidates "blocksweep --builder=z" zdbsp zokumbsp zennode
expect_candidates "blocksweep verify --ver" --verbose --version
expect_candidates "blocksweep -p $other --si" --size=
# shellcheck disable=SC2046 # words
expect_candidates "blocksweep show --" $(words_of show)
# shellcheck disable=SC2086 # words
expect_candidates "blocksweep " $commands help version "two words.wad" nötig.wad \
    packed.WAD.gz folder.d "it's.wad" at@home.wad say:so.wad \
    'back\slash.wad' 'q"uote.wad' eq=ual.wad x.wad
expect_candidates "blocksweep diff n" nötig.wad
expect_candidates "blocksweep help ver" verify
expect_candidates "blocksweep diff x.wad y.wad "
expect_candidates "blocksweep in.wad -o n" note.txt nötig.wad
expect_candidates "blocksweep in.wad --output=n" note.txt nötig.wad
expect_candidates "blocksweep --plugin=./fol" ./folder.d
expect_candidates "blocksweep show --grid=" # not an option of show
expect_candidates 'blocksweep two\ words.wad --map=' MAP01 E1M1
expect_candidates 'blocksweep "two words.wad" --map=E1M1,M' E1M1,MAP01
expect_candidates 'blocksweep ~/place/two\ words.wad -m E' E1M1

# Words as they are quoted, and with letters at which shells part words.
expect_candidates 'blocksweep --pack="n' none nest
expect_candidates 'blocksweep "--pack=ne' nest
expect_candidates "blocksweep --pack='ne" nest
expect_candidates 'blocksweep in.wad -o "no' note.txt
expect_candidates 'blocksweep in.wad --output="n' note.txt nötig.wad
expect_candidates 'blocksweep "two w' "two words.wad"
expect_candidates 'blocksweep two\ w' "two words.wad"
expect_candidates 'blocksweep ~/place/tw' "~/place/two words.wad"
expect_candidates 'blocksweep it' "it's.wad"
expect_candidates 'blocksweep "it' "it's.wad"
expect_candidates 'blocksweep at@' at@home.wad
expect_candidates 'blocksweep say:' say:so.wad
expect_candidates 'blocksweep in.wad -o say:' say:so.wad
expect_candidates 'blocksweep in.wad --output=say:s' say:so.wad
expect_candidates 'blocksweep eq=u' eq=ual.wad
expect_candidates 'blocksweep -- --na' x.wad # with --name= before it
expect_candidates 'blocksweep -- --name=' x.wad
expect_candidates 'blocksweep back' 'back\slash.wad'
expect_candidates 'blocksweep back\\s' 'back\slash.wad'
expect_candidates 'blocksweep say:so.wad -m E' E1M1
expect_candidates 'blocksweep say\:so.wad --map=E' E1M1
expect_candidates 'blocksweep at@home.wad --map=E' E1M1
expect_candidates "blocksweep it\\'s.wad -m E" E1M1
expect_candidates "blocksweep \"it's.wad\" --map=E" E1M1
expect_candidates 'blocksweep back\\slash.wad -m E' E1M1
expect_candidates "blocksweep 'back\\slash.wad' -m E" E1M1
expect_candidates 'blocksweep "back\slash.wad" -m E' E1M1
expect_candidates 'blocksweep q\"uote.wad -m E' E1M1
expect_candidates 'blocksweep "q\"uote.wad" -m "E' E1M1
expect_candidates 'blocksweep -m E -- --name=x.wad' x.wad

expect_candidates 'glbsp-blocksweep --st' --stage
expect_candidates 'glbsp-blocksweep --stage pac' pack=
expect_candidates 'glbsp-blocksweep x.wad n' nötig.wad
expect_candidates '~/bin/blocksweep --pac' --pack=
expect_candidates '~/no-such/blocksweep --pac' --pack=

# expect_shell SHELL COMMAND...: the shell, asked by this command, tells all of
# it.
expect_shell() {
    shell=$1
    shift
    while IFS= read -r line; do
        set -- "$@" "$line"
    done <../lines
    expect 0 "$BUILD_DIR/run" "$@"
    [ -e ../asked ] || fail "$shell was expected to ask ~/bin/blocksweep"
    rm ../asked
    # Folders may have a slash behind them, and each shell has its order.
    sed 's,/$,,' ../output | LC_ALL=C awk '
        /:$/ { line++; print line, 0, $0; next }
        { print line, 1, $0 }' | LC_ALL=C sort -k 1,1n -k 2,2n -k 3 |
        cut -d " " -f 3- >../found
    diff ../candidates ../found || fail "$shell does not complete this"
}

# The scripts lie as in /usr/share, and the shells are told where that is.
share=$folder/share
mkdir -p "$share/bash-completion/completions" "$share/zsh/site-functions" \
    "$share/fish/vendor_completions.d"
cp "$SOURCE_DIR"/completion/*.bash "$share/bash-completion/completions"
cp "$SOURCE_DIR/completion/_blocksweep" "$share/zsh/site-functions"
cp "$SOURCE_DIR"/completion/*.fish "$share/fish/vendor_completions.d"

for shell in bash zsh; do
    if ! has zsh; then
        echo "zsh is not there: $shell is not tested"
    elif [ $shell = bash ] &&
        ! [ -r /usr/share/bash-completion/bash_completion ]; then
        echo "bash-completion is not there: bash is not tested"
    else
        expect_shell $shell timeout 120 zsh -f \
            "$SOURCE_DIR/tests/command/complete.zsh" $shell "$share"
    fi
done
if has fish; then
    XDG_DATA_DIRS=$share:/usr/share
    XDG_CONFIG_HOME=$HOME
    export XDG_DATA_DIRS XDG_CONFIG_HOME
    expect_shell fish fish "$SOURCE_DIR/tests/command/complete.fish"
    # With what they stand for.
    echo "complete -C 'blocksweep --pac'" |
        "$BUILD_DIR/run" fish >../output
    blocksweep --complete -- --pac | grep "^--pack=" >../expected
    expect_same ../output ../expected
else
    echo "fish is not there: it is not tested"
fi
