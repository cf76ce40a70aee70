#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that glbsp-blocksweep hands everything over as glbsp expects it, that
# the files which Debian's glbsp writes are then glbsp's own but for exact
# blockmaps, and that its messages, its status and its GWA files stay what they
# are.  Then, that any program which uses libglbsp gets its blockmaps by
# preloading the adapter alone.

# shellcheck disable=SC2086 # what holds words is split into them

. "$SOURCE_DIR/tests/help/library.sh"

unset NBSTAGE_OPTIONS LD_PRELOAD
adapter=$BUILD_DIR/adapters/glbsp/.libs/glbsp-adapter.so
no_blockmaps="no blockmaps were built; ours.wad is as glBSP wrote it"

# What libglbsp does not free is not ours to find; libraries are preloaded.
asan_options=detect_leaks=0:verify_asan_link_order=0
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}$asan_options
export ASAN_OPTIONS

glbsp_blocksweep() {
    "$BUILD_DIR/run" glbsp-blocksweep "$@"
}

# compile ARGUMENT...: compiles with Debian's header, as the build does.
compile() {
    quietly ${CC:-cc} -std=c11 -Wall -Wextra -Werror ${SANITIZE_FLAGS-} "$@"
}

# without_times FILE: in place of the times at which glBSP says that it built the
# maps, there is the same text everywhere.
without_times() {
    sed 's/^TIME=....-..-.. ..:..:..[.]....$/TIME=0000-00-00 00:00:00.0000/' \
        "$1" >without-times
    mv without-times "$1"
}

# expect_our_blockmaps OPTION...: of alone.wad, which glbsp alone has written,
# ours.wad is what the command makes with these options.
expect_our_blockmaps() {
    expect_build "$@" alone.wad -o expected.wad
    expect_lumps_kept alone.wad ours.wad
    expect_same expected.wad ours.wad
}

# expect_refused PART...: the command before this has ended with one
# sentence of its own.
expect_refused() {
    [ "$(wc -l <errors)" -eq 1 ] || fail "one sentence was expected"
    expect_in errors "glbsp-blocksweep: " "$@"
}

# --- What is handed over ---

# A glbsp that tells what it got, and a library in place of the adapter.
library=$(ldd "$BUILD_DIR/command/blocksweep" |
    sed -n 's/.*libz\.so.* => \([^ ]*\).*/\1/p')
mkdir bin
make_program bin/glbsp <<'END'
printf 'arguments:'
printf ' [%s]' "$@"
printf '\noptions: %s\n' "${NBSTAGE_OPTIONS-none}"
printf 'preloaded: %s\n' "$LD_PRELOAD"
exit 42
END

# expect_handed OPTIONS ARGUMENTS SETTINGS ARGUMENT...: with these settings of
# the environment, words for env, and these arguments, glbsp gets OPTIONS and
# ARGUMENTS.
expect_handed() {
    printf 'arguments:%s\noptions: %s\n' "$2" "$1" >expected
    settings=$3
    shift 3
    expect 42 env $settings PATH="$folder/bin:$PATH" \
        BLOCKSWEEP_GLBSP_ADAPTER="$library" "$BUILD_DIR/run" \
        glbsp-blocksweep "$@"
    expect_no_errors
    tail -n 1 output >preloaded
    sed '$d' output >found
    expect_same expected found
}

expect_handed none " [a b.wad] [-o] [c.wad]" "" "a b.wad" -o c.wad
expect_text preloaded "preloaded: $library"
expect_handed none " [x.wad]" LD_PRELOAD="$library" x.wad
expect_text preloaded "preloaded: $library:$library"
expect_handed grid=fit " [x.wad] [-q]" "" x.wad --stage grid=fit -q
expect_handed grid=fit,pack=nest " [x.wad]" "" --stage=grid=fit x.wad \
    --stage pack=nest
expect_handed pack=nest,grid=8,8 " [x.wad] [--staged]" \
    NBSTAGE_OPTIONS=pack=nest x.wad --stage grid=8,8 --stage= --staged
expect_handed pack=nest " []" NBSTAGE_OPTIONS=pack=nest ""

# Its help comes before that of glbsp.
expect 42 env PATH="$folder/bin:$PATH" BLOCKSWEEP_GLBSP_ADAPTER="$library" \
    "$BUILD_DIR/run" glbsp-blocksweep --help
expect_match output '^Usage: glbsp-blocksweep \[--stage OPTIONS\]' \
    '^arguments: \[--help\]$'
awk 'length > 80 { exit 1 }' output || fail "80 columns were expected"

# --- What cannot be ---

expect 2 glbsp_blocksweep x.wad --stage
expect_refused "'--stage' needs a value"

# It does not take itself for glbsp, whatever its name, and does not run a glbsp
# that the adapter can do nothing in.
mkdir links plain static
ln -s "$BUILD_DIR/adapters/glbsp/glbsp-blocksweep" links/glbsp
expect 42 timeout 600 env BLOCKSWEEP_GLBSP_ADAPTER="$library" \
    PATH="$folder/links:/nonexistent:$folder/bin:$PATH" glbsp x.wad
expect_in output "arguments: [x.wad]"
echo "no program" >plain/glbsp
echo 'int main(void) { return 42; }' >static.c
compile static.c -o static/glbsp
while IFS='|' read -r first part other_part; do
    expect 3 timeout 600 env PATH="$folder/$first:$folder/links" \
        BLOCKSWEEP_GLBSP_ADAPTER="$library" "$folder/links/glbsp" x.wad
    expect_refused "$part" "$other_part"
done <<'END'
links|no glbsp|PATH
plain|no glbsp|PATH
static|static/glbsp|not linked with the shared libglbsp
END

cp "$library" "a space.so"
cp "$library" "a:colon.so"
while IFS='|' read -r name part other_part; do
    expect 3 env BLOCKSWEEP_GLBSP_ADAPTER="$folder/$name.so" \
        "$BUILD_DIR/run" glbsp-blocksweep x.wad
    expect_refused "$folder/$name.so" "$part" "$other_part"
done <<'END'
none|cannot be read|
a space|a space or a colon|LD_PRELOAD
a:colon|a space or a colon|LD_PRELOAD
END

# --- The adapter ---

if has nm && ! is_sanitized; then
    nm -D --defined-only "$adapter" | awk '{ print $NF }' >symbols
    expect_text symbols GlbspBuildNodes
    # A program without libglbsp is what it was.
    expect 0 env LD_BIND_NOW=1 LD_PRELOAD="$adapter" true
    expect_no_errors
fi

# --- Other programs ---

# A program compiled with Debian's header, by whose functions the adapter tells
# everything, which can cancel, and which keeps what glBSP wrote where the stage
# fails.

echo "#include <glbsp.h>" | ${CC:-cc} -E - >header 2>&1 ||
    skip "the rest: glbsp.h is not there"
compile -I"$SOURCE_DIR/adapters/glbsp" \
    "$SOURCE_DIR/tests/real/glbsp-caller.c" -o caller -lglbsp

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

# What libglbsp refuses stays its own affair.
echo "no WAD" >bad.wad
expect 4 ./caller bad.wad -o none.wad
cp output alone-output
call 4 "" bad.wad -o none.wad
expect_same alone-output output
expect_absent none.wad

# A stage that is none.
mkdir stages
echo "no shared object" >stages/blocksweep.so
call 2 "NBSTAGE_PLUGIN_PATH=$folder/stages" "$sample" -o ours.wad
expect_error "$no_blockmaps"
expect_same alone.wad ours.wad

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
    call 5 NBSTAGE_OPTIONS=format=xbm1 "$sample" -o ours.wad
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

# --- glbsp ---

if is_sanitized; then
    echo "glbsp has no sanitizers, so it cannot load an adapter that has them"
    exit 0
fi
need glbsp

# What glbsp says comes first from both.
expect 0 glbsp "$sample" -o alone.wad
sed 's/alone\.wad/ours.wad/' output >alone-output
expect 0 glbsp_blocksweep "$sample" -o ours.wad
expect_no_errors
head -n "$(wc -l <alone-output)" output >begin
expect_same alone-output begin
sed "1,$(wc -l <alone-output)d" output >end
without_times alone.wad
without_times ours.wad
expect_our_blockmaps
expect_text end "
MAP01: blockmap of 5918 bytes
MAP07: blockmap of 3132 bytes
MAP30: blockmap of 4936 bytes
Built 3 blockmaps with blocksweep $(package_version)"
cat "$sample" >"in place.wad"
expect 0 glbsp_blocksweep -q "in place.wad" -o "in place.wad"
expect_not_in output blockmap

# GWA files, and several input files.
mkdir alone ours
for folder_of_two in alone ours; do
    cat "$sample" >$folder_of_two/one.wad
    cat "$sample" >$folder_of_two/two.wad
done
expect 0 glbsp alone/one.wad alone/two.wad
sed 's,alone/,ours/,' output >alone-output
expect 0 glbsp_blocksweep --stage grid=nonsense ours/one.wad ours/two.wad
expect_same alone-output output
for file in one two; do
    without_times alone/$file.gwa
    without_times ours/$file.gwa
    expect_same alone/$file.gwa ours/$file.gwa
    expect_same "$sample" ours/$file.wad
done

# An output that is no file stays what it is.
expect 0 glbsp_blocksweep -q "$sample" -o /dev/null
expect_no_errors
[ -c /dev/null ] || fail "/dev/null was replaced"

# --- Signals ---

# Ended at any moment, it leaves no temporary file; what glBSP is writing is
# glBSP's.  Every seventh moment will do.
start() {
    rm -f ours.wad
}
expect_no_temporary() {
    [ -z "$(find . -name '.blocksweep.*')" ] ||
        fail "$moment: a temporary file is left"
}
terminate=15
signal_everywhere $terminate 7 expect_no_temporary glbsp-blocksweep -q \
    "$sample" -o ours.wad
