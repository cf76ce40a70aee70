#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that wrong usage ends with status 2 and one sentence which names what
# is valid, before any file is touched.

# shellcheck disable=SC2086 # what holds words is split into them

. "$SOURCE_DIR/tests/help/library.sh"
write_room
{ room MAP01; room MAP02; } | wadtool make PWAD in.wad
cp in.wad same.wad
echo "my notes" >notes.txt

# expect_usage SENTENCE-PART ARGUMENT...: this is wrong usage.
expect_usage() {
    part=$1
    shift
    expect 2 blocksweep "$@"
    expect_sentence "$part"
    expect_no_output
    expect_absent out.wad
    expect_same in.wad same.wad
}

# expect_named WORD...: the sentence has these as words of their own.
expect_named() {
    for word in "$@"; do
        tr -s " ,;:'" '\n' <errors | grep -qxF -e "$word" ||
            fail_showing errors "$word was expected in this sentence"
    done
}

# A name that begins as options do.
cp in.wad ./-first.wad
expect_usage "if it is a file, type ./-first.wad" verify -first.wad
expect 0 blocksweep show ./-first.wad
expect 0 blocksweep show -- -first.wad
rm ./-first.wad

# --- Options ---

# The whole sentence, then the arguments.  test-options has those about values.
while IFS='|' read -r sentence arguments; do
    expect_usage "$sentence" $arguments
    expect_text errors "blocksweep: $sentence"
done <<'END'
unknown option '--nonsense'; see 'blocksweep build --help'|--nonsense in.wad
unknown option '-x'; see 'blocksweep build --help'|-x in.wad -o out.wad
unknown option '--packs'; did you mean --pack?|--packs=nest in.wad -o out.wad
unknown option '--Verbos'; did you mean --verbose?|diff --Verbos in.wad in.wad
option '--pr' is ambiguous; it could be --preset, --prune|--pr=8 in.wad
'--svg' is an option of verify, show, not of build|--svg=a.svg in.wad
'--pack' is an option of build, not of verify|verify --pack=nest in.wad
'-l' is an option of show, not of build|-l 7 in.wad
there is no file or command 'xyz'; commands are build, verify, show, diff, help and version|xyz
there is no file or command 'check'; did you mean verify?|check in.wad
there is no file or command 'Repair'; did you mean build --in-place --backup?|Repair in.wad
there is no file or command 'Verify'; did you mean verify?|Verify in.wad
there is no file or command 'verfy'; did you mean verify?|verfy in.wad
'--html' is not a file name for --svg; --svg=FILE was expected|show --svg --html in.wad
'' is not a file name for --html; --html=FILE was expected|show --html= in.wad
'-b' is not a file name for --output; --output=FILE was expected|in.wad -o -b
-o: notes.txt exists and is not a WAD; choose another name|in.wad -o notes.txt
2 files need a folder after -o, but new.d does not exist; make it first|in.wad same.wad -o new.d
2 files need a folder after -o, but same.wad is a file|in.wad same.wad -o same.wad
unknown option '-in-place'; did you mean --in-place?|-in-place in.wad
unknown option '-preset=vanilla'; did you mean --preset=vanilla?|-preset=vanilla in.wad -o out.wad
unknown option '--vanilla'; it could be --for=vanilla, --preset=vanilla|--vanilla in.wad -o out.wad
no output was given; -o FOLDER or --in-place was expected; see 'blocksweep build --help'|in.wad same.wad
no output was given; if it is 'new.wad', type -o before it; see 'blocksweep build --help'|in.wad new.wad
no output was given; if 'verify' is the command, type it first; see 'blocksweep build --help'|in.wad verify
there is no file or command 'boom'; if it belongs to --for, separate the ports with commas, without spaces|--for doom19 boom in.wad -n
'--preset' is an option of build, not of verify; name the ports with --for|verify --preset=vanilla in.wad
no input file was given; 'in.wad' is the picture; see 'blocksweep show --help'|show --html in.wad
unknown option '-output=out.wad'; did you mean --output=out.wad?|in.wad -output=out.wad
option 'builder' does not take 'zdbps': it has no {in}; expected a command with {in} and {out}, or one of zdbsp, glbsp, elfbsp, zokumbsp, zennode; did you mean zdbsp?|--builder=zdbps in.wad -n
in.wad: no map is named 'MAP03'; the file has MAP01, MAP02|--map=MAP03 in.wad -n
'strife' is a game, which these ports play: chocolate-strife, crispy-strife, zdoom, zandronum, q-zandronum, gzdoom, uzdoom, k8vavoom; name yours, or leave out --for for all of them|--for=boom,Strife in.wad -n
END

for flag in in-place backup verbose quiet json help version; do
    expect_usage "--$flag' takes no value" "--$flag=yes" in.wad -o out.wad
done
for option in --output --builder --builder-timeout --map --plugin --pack \
    -o -B -T -m -p
do
    expect_usage "$option' needs a value" in.wad $option
done

# An empty file is replaced.
: >new.wad
expect 0 blocksweep --quiet in.wad -o new.wad
[ -s new.wad ] || fail "an empty file was expected to be replaced"
rm new.wad

# --- Files and commands ---

# A part of the sentence, words in it, and the arguments.  Files may have the
# names of commands that there are not, or in other places.
cp in.wad verify
mkdir new
while IFS='|' read -r part named arguments; do
    expect_usage "$part" $arguments </dev/null
    expect_named $named
done <<'END'
no input file||-o out.wad
; did you mean merge?|merg|--overflow=empty,merg in.wad -n
; did you mean boom?|bom|--for=doom19,bom in.wad -n
; did you mean zdoom?|ZDoom32|--for=ZDoom32 in.wad -n
the output of 'in.wad' and the output of './in.wad' are the same file||in.wad same.wad ./in.wad -o new
'in.wad' is in the folder . already; --in-place writes over the input||in.wad same.wad -o .
there are 2: 'in.wad', 'same.wad'||show in.wad same.wad
no output|-o --in-place|in.wad
cannot be combined|--output --in-place|in.wad -o out.wad --in-place
'build' is not a file||build build in.wad -o out.wad
'show' is not a file||verify show in.wad
blocksweep: no input file was given; see 'blocksweep verify||verify
no output||./verify
END
rm -r verify new
expect_usage "'verify' is not a file" --map=MAP01 verify in.wad

# Alone it is its usage.
status=0
"$BUILD_DIR/run" blocksweep >output 2>errors </dev/null || status=$?
[ $status -eq 2 ] || fail "status 2 was expected, not $status"
expect_no_output
expect_match errors '^Usage: blocksweep '

# --- Maps ---

for list in MAP03 MAP E1M1 "" "MAP01," MAP03-MAP09 MAP02-MAP01 MAP01-; do
    expect_usage "no map is named '" "--map=$list" in.wad -o out.wad
    expect_named MAP01 MAP02
done

# --- Stages; test-host-kit has more that cannot be loaded ---

expect_usage "'nonsense'" --plugin=nonsense in.wad -o out.wad
expect_named /usr/local/lib/nbstage

# --- Options in --plugin: below the others of the command line ---

blocksweep --quiet --pack=nest in.wad -o nest.wad
expect 0 blocksweep --plugin=blocksweep,pack=nest,grid=fit in.wad -o out.wad
expect_same out.wad nest.wad
expect 0 blocksweep --pack=nest in.wad -o out.wad --plugin=blocksweep,pack=share
expect_same out.wad nest.wad
rm out.wad
expect_usage "'pack' does not take 'tight'" --plugin=blocksweep,pack=tight \
    in.wad -o out.wad
expect_absent out.wad
expect_usage "there is no stage 'blocksweep,check-nodes'" \
    --plugin=blocksweep,check-nodes in.wad -o out.wad
expect_usage "does not take 'doom64'" --for=doom64 in.wad -o out.wad
expect_not_in errors "did you mean"
# Games, which no suggestion leads to or follows.
for command in "build -n" verify; do
    for game in doom doom2 heretic hexen strife; do
        expect_usage "'$game' is a game" $command in.wad --for=$game
        expect_sentence "gzdoom, uzdoom" "or leave out --for for all of them"
        expect_not_in errors "did you mean"
    done
done
# One port for each game, so that none leads to that of another game.
for port in chocolate-hexen crispy-hexen; do
    expect 0 blocksweep --quiet in.wad -o out.wad --for=$port
    rm out.wad
done
expect_usage "did you mean chocolate-hexen?" --for=chocolate-hexan in.wad -n
expect_usage "does not take 'heretik'" --for=heretik in.wad -n
expect_not_in errors "did you mean"
expect 2 blocksweep --json --plugin=blocksweep,for=doom2 in.wad -o out.wad
expect_sentence "'doom2' is a game" "or leave out for= for all of them"
expect_no_output
expect_absent out.wad
