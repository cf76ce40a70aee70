#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that any program which uses libglbsp gets its blockmaps by preloading
# the adapter alone: a program compiled with Debian's header, by whose functions
# the adapter tells everything, which can cancel, and which keeps what glBSP
# wrote where the stage fails.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
# shellcheck source=tests/real/glbsp.sh
. "$SOURCE_DIR/tests/real/glbsp.sh"

unset NBSTAGE_OPTIONS LD_PRELOAD

# --- The adapter ---

if has nm && ! is_sanitized; then
    nm -D --defined-only "$adapter" | awk '{ print $NF }' >symbols
    expect_text symbols GlbspBuildNodes
    # A program without libglbsp is what it was.
    expect 0 env LD_BIND_NOW=1 LD_PRELOAD="$adapter" true
    expect_no_errors
fi

has_libglbsp || skip "glbsp.h is not there"
compile -fsyntax-only -I"$SOURCE_DIR/adapters/glbsp" \
    "$SOURCE_DIR/tests/real/glbsp-types.c"

# --- Another program ---

compile_caller caller

# call STATUS SETTING... -- ARGUMENT...: runs it with these settings of the
# environment and the adapter; what it prints of messages goes to output, and
# what it prints of displays to errors.
call() {
    expected_status=$1
    shift
    with_settings call_with "$@"
}

call_with() {
    settings=$1
    shift
    # shellcheck disable=SC2086 # settings are words
    expect "$expected_status" "$BUILD_DIR/run" env $settings \
        LD_PRELOAD="$adapter" ./caller "$@"
}

# expect_message TEXT: this is one of the lines of output.
expect_message() {
    grep -qxF -e "$1" output || {
        cat output
        fail "'$1' was expected"
    }
}

# expect_error TEXT: what libglbsp says in the end.
expect_error() {
    [ "$(sed -n 's/^Error: //p' errors)" = "$1" ] || {
        cat errors
        fail "the error was expected to be: $1"
    }
}

# expect_only_glbsp FILE: it is as glBSP wrote it.
expect_only_glbsp() {
    without_times "$1"
    expect_same alone.wad "$1"
}

expect 0 ./caller "$sample" -o alone.wad
without_times alone.wad
sed 's/alone\.wad/ours.wad/' output >alone-output
cp errors alone-errors

call 0 -- "$sample" -o ours.wad
without_times ours.wad
expect_our_blockmaps alone.wad ours.wad
call 0 NBSTAGE_OPTIONS=grid=-4008,-1800,check-nodes,pack=nest -- "$sample" -o ours.wad
without_times ours.wad
expect_our_blockmaps alone.wad ours.wad --grid=-4008,-1800 --check-nodes --pack=nest

# What is shown: glBSP's own, then a display with messages.
call 0 -- "$sample" -o ours.wad
{
    cat alone-errors
    echo "display 2 opens"
    echo "title Building blockmaps"
    echo "display closes"
} >expected-displays
expect_same expected-displays errors
head -n "$(wc -l <alone-output)" output >begin
expect_same alone-output begin
expect_message "MAP01: blockmap of 5918 bytes"
call 0 -- -q "$sample" -o ours.wad
! grep blockmap output || fail "-q was expected to leave lines out"

# --- The stage's warnings, and what it cannot build ---

no_blockmaps="no blockmaps were built; ours.wad is as glBSP wrote it"
for options in grid=nonsense nonsense nonsense=1 grid=8,8,nonsense; do
    call 2 NBSTAGE_OPTIONS=$options -- "$sample" -o ours.wad
    expect_error "$no_blockmaps"
    expect_only_glbsp ours.wad
    [ "$(grep -c "^blocksweep: .*'nonsense'\|^blocksweep: .*8,8,nonsense" \
        output)" -eq 1 ] || {
        cat output
        fail "one sentence about the option was expected"
    }
done

# Stages that are no stages, and one that does not like the maps.
mkdir stages
echo "no shared object" >stages/blocksweep.so
call 2 NBSTAGE_PLUGIN_PATH="$folder/stages" -- "$sample" -o ours.wad
expect_error "$no_blockmaps"
expect_only_glbsp ours.wad
cp "$BUILD_DIR/tests/command/.libs/other-stage.so" stages/blocksweep.so
call 1 NBSTAGE_PLUGIN_PATH="$folder/stages" NBSTAGE_OPTIONS=mood=bad -- \
    "$sample" -o ours.wad
expect_error "not all blockmaps of ours.wad were built; the others are glBSP's"
expect_message "blocksweep: ours.wad: not in this mood"
without_times ours.wad
wadtool list alone.wad >old-list
wadtool list ours.wad >new-list
expect_same old-list new-list
call 0 NBSTAGE_PLUGIN_PATH="$folder/stages" \
    NBSTAGE_OPTIONS=motto=a,b,size=7,mood=good -- "$sample" -o ours.wad
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
call 1 NBSTAGE_OPTIONS=overflow=error -- -n rooms.wad -o ours.wad
expect_error "not all blockmaps of ours.wad were built; the others are glBSP's"
[ "$(grep -c '^blocksweep: ours\.wad: MAP01: ' output)" -eq 1 ] ||
    fail "a sentence about MAP01 was expected"
without_times ours.wad
expect_lumps_kept alone.wad ours.wad
for file in alone ours; do
    wadtool extract $file.wad MAP01/BLOCKMAP >$file-blockmap
done
expect_same alone-blockmap ours-blockmap
expect_room ours.wad MAP02

# No room for lumps that are larger than glBSP's.
expect 0 ./caller "$sample" -o alone.wad
blocks=$(($(wc -c <alone.wad) / 512 + 1))
without_times alone.wad
(
    trap '' XFSZ
    ulimit -f "$blocks"
    call 5 NBSTAGE_OPTIONS=pack=none -- "$sample" -o ours.wad
)
expect_error "$no_blockmaps"
grep -q '^blocksweep: .*/ours\.wad: cannot be written: ' output ||
    fail "a sentence about the file was expected"
expect_only_glbsp ours.wad

# --- Cancelling ---

CANCEL="Building blockmaps"
export CANCEL
for options in grid=fit grid=search; do
    call 6 NBSTAGE_OPTIONS=$options -- "$sample" -o ours.wad
    grep -v '^Error: ' errors >displays
    expect_same expected-displays displays
    expect_only_glbsp ours.wad
done
CANCEL="glBSP Writing Wad"
call 6 -- "$sample" -o ours.wad
grep -v '^Error: ' errors >displays
expect_same alone-errors displays
expect_only_glbsp ours.wad
CANCEL="glBSP Build Progress"
rm ours.wad
call 6 -- "$sample" -o ours.wad
[ ! -e ours.wad ] || fail "glBSP was expected to write nothing"
unset CANCEL
[ -z "$(find . -name '.blocksweep.*')" ] || fail "temporary files were left"

# --- GWA files, and what glBSP refuses ---

cat "$sample" >one.wad
call 0 NBSTAGE_OPTIONS=grid=nonsense -- one.wad
cp output ours-output
mv one.gwa ours.gwa
expect 0 ./caller one.wad
expect_same output ours-output
without_times one.gwa
without_times ours.gwa
expect_same one.gwa ours.gwa
expect_same one.wad "$sample"
echo "no WAD" >bad.wad
expect 4 ./caller bad.wad -o out.wad
cp errors alone-errors
call 4 -- bad.wad -o out.wad
expect_same alone-errors errors

# Names of maps do not reach a terminal as they are.
{ room MAP01 | sed '1s/.*/M\\033[7m/'; } | wadtool make PWAD escape.wad
call 0 -- -n escape.wad -o ours.wad
! grep -a "blockmap of" output | grep -qa "$(printf '\033')" ||
    fail "control characters were printed"
expect_message "M?[7M: blockmap of 32 bytes"

# --- Memory ---

if is_sanitized || ! has valgrind; then
    exit 0
fi
for options in pack=nest,overflow=xbm1,check-nodes nonsense; do
    status=0
    "$BUILD_DIR/run" env NBSTAGE_OPTIONS=$options LD_PRELOAD="$adapter" \
        valgrind --quiet --error-exitcode=99 --leak-check=full \
        ./caller rooms.wad -n -o out.wad >output 2>errors || status=$?
    grep -q 'blocksweep' output || fail "the stage was expected to be there"
    if [ "$status" -eq 99 ] || grep '^==' errors; then
        fail "valgrind has found something"
    fi
done
