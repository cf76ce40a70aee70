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
page=$SOURCE_DIR/man/glbsp-blocksweep.1
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
library=$(ldd "$BUILD_DIR/host/blocksweep" |
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
expect_handed pack=none,grid=8,8 " [x.wad] [--staged]" \
    NBSTAGE_OPTIONS=pack=none x.wad --stage grid=8,8 --stage= --staged
expect_handed pack=none " []" NBSTAGE_OPTIONS=pack=none ""

# Its help comes before that of glbsp.
expect 42 env PATH="$folder/bin:$PATH" BLOCKSWEEP_GLBSP_ADAPTER="$library" \
    "$BUILD_DIR/run" glbsp-blocksweep --help
expect_match output '^Usage: glbsp-blocksweep \[--stage OPTIONS\]' \
    '^arguments: \[--help\]$'
awk 'length > 80 { exit 1 }' output || fail "80 columns were expected"

# --- What cannot be ---

expect 2 glbsp_blocksweep x.wad --stage
expect_refused "'--stage' needs a value"
expect 3 env PATH="$BUILD_DIR/adapters/glbsp" \
    BLOCKSWEEP_GLBSP_ADAPTER="$library" glbsp-blocksweep x.wad
expect_refused "no glbsp" PATH

# It does not take itself for glbsp, whatever its name.
mkdir links
ln -s "$BUILD_DIR/adapters/glbsp/glbsp-blocksweep" links/glbsp
expect 42 timeout 20 env BLOCKSWEEP_GLBSP_ADAPTER="$library" \
    PATH="$folder/links:/nonexistent:$folder/bin:$PATH" glbsp x.wad
expect_in output "arguments: [x.wad]"
expect 3 timeout 20 env PATH="$folder/links" \
    BLOCKSWEEP_GLBSP_ADAPTER="$library" glbsp x.wad
expect_refused "no glbsp" PATH
mkdir plain
echo "no program" >plain/glbsp
expect 3 env PATH="$folder/plain:$BUILD_DIR/adapters/glbsp" \
    BLOCKSWEEP_GLBSP_ADAPTER="$library" glbsp-blocksweep x.wad
expect_refused "cannot be run" "Permission denied"

# A glbsp that the adapter can do nothing in is not run.
mkdir static
echo 'int main(void) { return 42; }' >static.c
compile static.c -o static/glbsp
expect 3 env PATH="$folder/static:$BUILD_DIR/adapters/glbsp" \
    BLOCKSWEEP_GLBSP_ADAPTER="$library" glbsp-blocksweep x.wad
expect_refused static/glbsp "not linked with the shared libglbsp"

expect 3 env BLOCKSWEEP_GLBSP_ADAPTER="$folder/none.so" "$BUILD_DIR/run" \
    glbsp-blocksweep x.wad
expect_refused "$folder/none.so" "No such file"
for name in "a space" "a:colon"; do
    cp "$library" "$name.so"
    expect 3 env BLOCKSWEEP_GLBSP_ADAPTER="$folder/$name.so" \
        "$BUILD_DIR/run" glbsp-blocksweep x.wad
    expect_refused "$folder/$name.so" "a space or a colon" LD_PRELOAD
done

# --- The page ---

expect_in "$page" '\-stage' NBSTAGE_OPTIONS NBSTAGE_PLUGIN_PATH LD_PRELOAD \
    BLOCKSWEEP_GLBSP_ADAPTER

# --- The adapter ---

if has nm && ! is_sanitized; then
    nm -D --defined-only "$adapter" | awk '{ print $NF }' >symbols
    expect_text symbols GlbspBuildNodes
    # A program without libglbsp is what it was.
    expect 0 env LD_BIND_NOW=1 LD_PRELOAD="$adapter" true
    expect_no_errors
fi

# --- Other programs ---

missing=
if echo "#include <glbsp.h>" | ${CC:-cc} -E - >header 2>&1; then
    . "$SOURCE_DIR/tests/real/glbsp-callers.sh"
else
    missing="other programs: glbsp.h is not there"
fi

# --- glbsp ---

if is_sanitized; then
    echo "glbsp has no sanitizers, so it cannot load an adapter that has them"
    [ -z "$missing" ] || skip "$missing"
    exit 0
fi
need glbsp

# build_both FILE ARGUMENT...: runs glbsp for alone.wad and the command for
# ours.wad; what glbsp says comes first from both.
build_both() {
    file=$1
    shift
    expect 0 glbsp "$file" -o alone.wad
    sed 's/alone\.wad/ours.wad/' output >alone-output
    expect 0 glbsp_blocksweep "$@" "$file" -o ours.wad
    expect_no_errors
    head -n "$(wc -l <alone-output)" output >begin
    expect_same alone-output begin
    sed "1,$(wc -l <alone-output)d" output >end
    without_times alone.wad
    without_times ours.wad
}

build_both "$sample"
expect_our_blockmaps
expect_text end "
MAP01: blockmap of 5918 bytes
MAP07: blockmap of 3132 bytes
MAP30: blockmap of 4936 bytes
Built 3 blockmaps with blocksweep $(package_version)"
build_both "$sample" --stage grid=-4008,-1800,pack=nest
expect_our_blockmaps --grid=-4008,-1800 --pack=nest
cat "$sample" >"in place.wad"
expect 0 glbsp_blocksweep -q "in place.wad" -o "in place.wad"
expect_not_in output blockmap
if [ -r "$freedoom_dir/freedm.wad" ]; then
    build_both "$freedoom_dir/freedm.wad"
    expect_our_blockmaps
    expect_match end '^Built [3-9][0-9] blockmaps'
else
    echo "$freedoom_dir/freedm.wad is not there"
fi

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

# What glbsp refuses.
echo "no WAD" >bad.wad
for arguments in "bad.wad -o out.wad" "none.wad -o out.wad" --nonsense \
    "bad.wad -o no/out.wad" "one.wad two.wad -o out.wad" -h ""; do
    status=0
    glbsp $arguments >alone-output 2>alone-errors || status=$?
    [ "$status" -ne 0 ] || fail "glbsp was expected to fail"
    expect "$status" glbsp_blocksweep $arguments
    sed '1,/^What follows is/d' output >after-help
    [ "$arguments" = -h ] || cp output after-help
    expect_same alone-output after-help
    expect_same alone-errors errors
    expect_absent out.wad
done

# An output that is no file stays what it is.
expect 0 glbsp_blocksweep -q "$sample" -o /dev/null
expect_no_errors
[ -c /dev/null ] || fail "/dev/null was replaced"

# Of a stage that fails, glbsp tells.
expect 5 glbsp_blocksweep -q "$sample" -o ours.wad --stage grid=nonsense
expect_match output \
    "^blocksweep: the stage .*'grid' does not take 'nonsense'"
expect_text errors "Error: $no_blockmaps"

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
[ -z "$missing" ] || skip "$missing"
