#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that glbsp-blocksweep hands everything over as glbsp expects it, that
# the files which Debian's glbsp writes are then glbsp's own but for exact
# blockmaps, on all maps of Freedoom Phase 2, and that its messages, its status
# and its GWA files stay what they are.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
# shellcheck source=tests/real/glbsp.sh
. "$SOURCE_DIR/tests/real/glbsp.sh"

unset NBSTAGE_OPTIONS LD_PRELOAD
page=$SOURCE_DIR/man/glbsp-blocksweep.1

glbsp_blocksweep() {
    "$BUILD_DIR/run" glbsp-blocksweep "$@"
}

# expect_refused STATUS PART...: the command before this has ended with one
# sentence of its own.
expect_refused() {
    [ "$(wc -l <errors)" -eq 1 ] || fail "one sentence was expected"
    for part in "glbsp-blocksweep: " "$@"; do
        grep -qF -e "$part" errors || {
            cat errors
            fail "'$part' was expected in this sentence"
        }
    done
}

# --- What is handed over ---

# A glbsp that tells what it got, and a library in place of the adapter.
library=$(ldd "$BUILD_DIR/host/blocksweep" |
    sed -n 's/.*libz\.so.* => \([^ ]*\).*/\1/p')
mkdir bin
cat >bin/glbsp <<'END'
#!/bin/sh
printf 'arguments:'
printf ' [%s]' "$@"
printf '\noptions: %s\n' "${NBSTAGE_OPTIONS-none}"
printf 'preloaded: %s\n' "$LD_PRELOAD"
exit 42
END
chmod +x bin/glbsp

# hand_over SETTINGS ARGUMENT...
hand_over() {
    settings=$1
    shift
    # shellcheck disable=SC2086 # settings are words
    expect 42 env $settings PATH="$folder/bin:$PATH" \
        BLOCKSWEEP_GLBSP_ADAPTER="$library" "$BUILD_DIR/run" \
        glbsp-blocksweep "$@"
}

# expect_handed OPTIONS ARGUMENTS SETTING... -- ARGUMENT...: with these settings
# of the environment and these arguments, glbsp gets OPTIONS and ARGUMENTS.
expect_handed() {
    printf 'arguments:%s\noptions: %s\n' "$2" "$1" >expected
    shift 2
    with_settings hand_over "$@"
    expect_no_errors
    tail -n 1 output >preloaded
    sed '$d' output >found
    expect_same expected found
}

expect_handed none " [a b.wad] [-o] [c.wad]" -- "a b.wad" -o c.wad
expect_text preloaded "preloaded: $library"
expect_handed none " [x.wad]" LD_PRELOAD="$library" -- x.wad
expect_text preloaded "preloaded: $library:$library"
expect_handed grid=fit " [x.wad] [-q]" -- x.wad --stage grid=fit -q
expect_handed grid=fit,pack=nest " [x.wad]" -- --stage=grid=fit x.wad \
    --stage pack=nest
expect_handed pack=none,grid=8,8 " [x.wad] [--staged]" \
    NBSTAGE_OPTIONS=pack=none -- x.wad --stage grid=8,8 --stage= --staged
expect_handed pack=none " []" NBSTAGE_OPTIONS=pack=none -- ""

# Its help comes before that of glbsp.
expect 42 env PATH="$folder/bin:$PATH" BLOCKSWEEP_GLBSP_ADAPTER="$library" \
    "$BUILD_DIR/run" glbsp-blocksweep --help
grep -q '^Usage: glbsp-blocksweep \[--stage OPTIONS\]' output ||
    fail "a usage was expected"
awk 'length > 80 { exit 1 }' output || fail "80 columns were expected"
[ "$(sed -n '/^arguments:/p' output)" = "arguments: [--help]" ] ||
    fail "glbsp was expected to be asked for help"

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
grep -qF "arguments: [x.wad]" output || fail "the real glbsp was expected"
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

for word in '\-stage' NBSTAGE_OPTIONS NBSTAGE_PLUGIN_PATH LD_PRELOAD \
    BLOCKSWEEP_GLBSP_ADAPTER; do
    grep -qF -e "$word" "$page" || fail "$word is not in glbsp-blocksweep.1"
done
! has mandoc || mandoc -T lint -W warning "$page" ||
    fail "mandoc has warnings"

# --- glbsp ---

if is_sanitized; then
    echo "glbsp has no sanitizers, so it cannot load an adapter that has them"
    exit 0
fi
has glbsp || skip "glbsp is not there"

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
expect_our_blockmaps alone.wad ours.wad
expect_text end "
MAP01: blockmap of 5918 bytes
MAP07: blockmap of 3132 bytes
MAP30: blockmap of 4936 bytes
Built 3 blockmaps with blocksweep $(package_version)"
build_both "$sample" --stage grid=-4008,-1800,pack=nest
expect_our_blockmaps alone.wad ours.wad --grid=-4008,-1800 --pack=nest
cat "$sample" >"in place.wad"
expect 0 glbsp_blocksweep -q "in place.wad" -o "in place.wad"
! grep blockmap output || fail "-q was expected to leave lines out"
expect 0 glbsp -q "$sample" -o alone.wad -xr
expect 0 glbsp_blocksweep -q "$sample" -o ours.wad -xr
without_times alone.wad
without_times ours.wad
expect_our_blockmaps alone.wad ours.wad

if [ -r "$freedoom_dir/freedoom2.wad" ]; then
    build_both "$freedoom_dir/freedoom2.wad"
    expect_our_blockmaps alone.wad ours.wad
    [ "$(grep -c ': blockmap of ' end)" -eq 32 ] ||
        fail "32 maps were expected"
else
    echo "$freedoom_dir/freedoom2.wad is not there"
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
    # shellcheck disable=SC2086 # words
    glbsp $arguments >alone-output 2>alone-errors || status=$?
    [ "$status" -ne 0 ] || fail "glbsp was expected to fail"
    # shellcheck disable=SC2086
    expect "$status" glbsp_blocksweep $arguments
    sed '1,/^What follows is/d' output >after-help
    [ "$arguments" = -h ] || cp output after-help
    expect_same alone-output after-help
    expect_same alone-errors errors
    [ ! -e out.wad ] || fail "$arguments has made a file"
done

# An output that is no file stays what it is.
expect 0 glbsp_blocksweep -q "$sample" -o /dev/null
expect_no_errors
[ -c /dev/null ] || fail "/dev/null was replaced"

# A stage that fails leaves what glbsp has written.
expect 0 glbsp -q "$sample" -o alone.wad
without_times alone.wad
expect 5 glbsp_blocksweep -q "$sample" -o ours.wad --stage grid=nonsense
without_times ours.wad
expect_same alone.wad ours.wad
grep -q "^blocksweep: the stage .*'grid' does not take 'nonsense'" output ||
    fail "a warning was expected"
expect_text errors \
    "Error: no blockmaps were built; ours.wad is as glBSP wrote it"

# --- Signals ---

# Ended at any moment, it leaves no temporary file; what glBSP is writing is
# glBSP's.  Every seventh moment will do.
terminate=15
call=1
status=$((128 + terminate))
while [ "$status" -eq $((128 + terminate)) ]; do
    rm -f ours.wad
    status=0
    "$BUILD_DIR/run" "$BUILD_DIR/tests/command/signal-at" $terminate $call \
        glbsp-blocksweep -q "$sample" -o ours.wad >output 2>errors || status=$?
    if [ "$status" -eq 77 ]; then
        echo "programs cannot be traced here"
        exit 0
    fi
    [ -z "$(find . -name '.blocksweep.*')" ] ||
        fail "at call $call a temporary file is left"
    call=$((call + 7))
done
[ "$status" -eq 0 ] || fail "it ended with $status at call $call"
[ "$call" -gt 100 ] || fail "only $call moments were seen"
