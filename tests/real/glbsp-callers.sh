# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Any program that uses libglbsp, for test-glbsp.sh: a program compiled with
# Debian's header, by whose functions the adapter tells everything, which can
# cancel, and which keeps what glBSP wrote where the stage fails.

# shellcheck disable=SC2154 # what test-glbsp.sh sets
# shellcheck disable=SC2086 # what holds words is split into them

compile -fsyntax-only -I"$SOURCE_DIR/adapters/glbsp" \
    "$SOURCE_DIR/tests/real/glbsp-types.c"
compile "$SOURCE_DIR/tests/real/glbsp-caller.c" -o caller -lglbsp

# call STATUS SETTINGS ARGUMENT...: runs it with these settings of the
# environment, words for env, and the adapter; what it prints of messages goes
# to output, and what it prints of displays to errors.
call() {
    wanted=$1
    settings=$2
    shift 2
    expect "$wanted" "$BUILD_DIR/run" env $settings LD_PRELOAD="$adapter" \
        ./caller "$@"
    [ ! -e ours.wad ] || without_times ours.wad
}

# expect_error TEXT: what libglbsp says in the end.
expect_error() {
    sed -n 's/^Error: //p' errors >error
    expect_text error "$1"
}

expect 0 ./caller "$sample" -o alone.wad
without_times alone.wad
sed 's/alone\.wad/ours.wad/' output >alone-output
cp errors alone-errors

call 0 "" "$sample" -o ours.wad
cp output ours-output
cp errors ours-errors
expect_our_blockmaps
call 0 NBSTAGE_OPTIONS=grid=-4008,-1800,check-nodes,pack=nest "$sample" \
    -o ours.wad
expect_our_blockmaps --grid=-4008,-1800 --check-nodes --pack=nest

# What is shown: glBSP's own, then a display with messages.
{
    cat alone-errors
    echo "display 2 opens"
    echo "title Building blockmaps"
    echo "display closes"
} >expected-displays
expect_same expected-displays ours-errors
head -n "$(wc -l <alone-output)" ours-output >begin
expect_same alone-output begin
cp ours-output output
expect_line "MAP01: blockmap of 5918 bytes"
call 0 "" -q "$sample" -o ours.wad
expect_not_in output blockmap

# --- The stage's warnings, and what it cannot build ---

call 2 NBSTAGE_OPTIONS=grid=nonsense "$sample" -o ours.wad
expect_error "$no_blockmaps"
expect_same alone.wad ours.wad
[ "$(grep -c "^blocksweep: .*'nonsense'" output)" -eq 1 ] ||
    fail "one sentence about the option was expected"

# Stages that are no stages, and one that does not like the maps.
mkdir stages
stages=NBSTAGE_PLUGIN_PATH=$folder/stages
echo "no shared object" >stages/blocksweep.so
call 2 "$stages" "$sample" -o ours.wad
expect_error "$no_blockmaps"
expect_same alone.wad ours.wad
cp "$BUILD_DIR/tests/command/.libs/other-stage.so" stages/blocksweep.so
call 1 "$stages NBSTAGE_OPTIONS=mood=bad" "$sample" -o ours.wad
expect_error "not all blockmaps of ours.wad were built; the others are glBSP's"
expect_line "blocksweep: ours.wad: not in this mood"
wadtool list alone.wad >old-list
wadtool list ours.wad >new-list
expect_same old-list new-list
call 0 "$stages NBSTAGE_OPTIONS=motto=a,b,size=7,mood=good" "$sample" \
    -o ours.wad
wadtool extract ours.wad MAP07/BLOCKMAP >found
expect_text found xxxxxxx

# A map that is too large beside one that is not.
write_room
words 33536 33536 33536 32000 32000 32000 32000 33536 >WIDE # to -32000
head -c 30 /dev/zero >SIDEDEFS
head -c 26 /dev/zero >SECTORS
{ room MAP01 | replacing VERTEXES "$folder/WIDE"; room MAP02; } |
    wadtool make PWAD rooms.wad
expect 0 ./caller -n rooms.wad -o alone.wad
without_times alone.wad
call 1 NBSTAGE_OPTIONS=overflow=error -n rooms.wad -o ours.wad
expect_error "not all blockmaps of ours.wad were built; the others are glBSP's"
[ "$(grep -c '^blocksweep: ours\.wad: MAP01: ' output)" -eq 1 ] ||
    fail "a sentence about MAP01 was expected"
expect_lumps_kept alone.wad ours.wad
wadtool extract alone.wad MAP01/BLOCKMAP >alone-blockmap
expect_lump ours.wad MAP01/BLOCKMAP alone-blockmap
expect_room ours.wad MAP02

# No room for lumps that are larger than glBSP's.
expect 0 ./caller "$sample" -o alone.wad
blocks=$(($(wc -c <alone.wad) / 512 + 1))
without_times alone.wad
(
    trap '' XFSZ
    ulimit -f "$blocks"
    call 5 NBSTAGE_OPTIONS=pack=none "$sample" -o ours.wad
)
expect_error "$no_blockmaps"
expect_match output '^blocksweep: ours\.wad: cannot be written: '
expect_same alone.wad ours.wad

# --- Cancelling ---

CANCEL="Building blockmaps"
export CANCEL
for options in grid=fit grid=search; do
    call 6 NBSTAGE_OPTIONS=$options "$sample" -o ours.wad
    grep -v '^Error: ' errors >displays
    expect_same expected-displays displays
    expect_same alone.wad ours.wad
done
CANCEL="glBSP Writing Wad"
call 6 "" "$sample" -o ours.wad
grep -v '^Error: ' errors >displays
expect_same alone-errors displays
expect_same alone.wad ours.wad
CANCEL="glBSP Build Progress"
rm ours.wad
call 6 "" "$sample" -o ours.wad
expect_absent ours.wad
unset CANCEL
[ -z "$(find . -name '.blocksweep.*')" ] || fail "temporary files were left"

# Names of maps do not reach a terminal as they are.
{ room MAP01 | sed '1s/.*/M\\033[7m/'; } | wadtool make PWAD escape.wad
call 0 "" -n escape.wad -o ours.wad
! grep -a "blockmap of" output | grep -qa "$(printf '\033')" ||
    fail "control characters were printed"
expect_line "M?[7M: blockmap of 32 bytes"

# --- Memory ---

if ! is_sanitized && has valgrind; then
    for options in pack=nest,overflow=xbm1,check-nodes nonsense; do
        status=0
        "$BUILD_DIR/run" env NBSTAGE_OPTIONS=$options LD_PRELOAD="$adapter" \
            valgrind --quiet --error-exitcode=99 --leak-check=full \
            ./caller rooms.wad -n -o checked.wad >output 2>errors || status=$?
        expect_in output blocksweep
        if [ "$status" -eq 99 ] || grep '^==' errors; then
            fail "valgrind has found something"
        fi
    done
fi
