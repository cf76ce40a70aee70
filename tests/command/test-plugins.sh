#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that --version names the stage that is loaded, or says why none is, and
# that a program with more rights than its user loads only installed ones.

. "$SOURCE_DIR/tests/help/library.sh"

other=$BUILD_DIR/tests/command/.libs/other-stage.so
version=$(package_version)

# plain ARGUMENT...: the command, with no other stages than those in the folders
# of NBSTAGE_PLUGIN_PATH, and perhaps an installed one.
NBSTAGE_PLUGIN_PATH=/nonexistent
export NBSTAGE_PLUGIN_PATH
plain() {
    timeout 600 "$BUILD_DIR/command/blocksweep" "$@"
}

# expect_stage TEXT ARGUMENT...: --version says this of the stage.
expect_stage() {
    text=$1
    shift
    expect 0 plain "$@" --version
    expect_no_errors
    sed -n 1,2p output | expect_text - "blocksweep $version
$text"
}

mkdir first second
cp "$PLUGIN" "first/blocksweep-$version.so"
ln -s "blocksweep-$version.so" first/blocksweep.so
cp "$other" first/other.so
cp "$PLUGIN" second/blocksweep-0.0.9.so
cp "$other" second/blocksweep.so
echo "no stage" >second/text.so
mkfifo second/fifo.so

# By its name in one of the folders, or by its path; and what is named is used.
own="Stage blocksweep $version from $folder"
NBSTAGE_PLUGIN_PATH=$folder/nowhere::$folder/first:$folder/second
expect_stage "$own/first/blocksweep.so"
expect_stage "$own/first/blocksweep-$version.so" -p "blocksweep-$version"
expect_stage "$own/second/blocksweep-0.0.9.so" --plugin=blocksweep-0.0.9
expect_stage "Stage other 9.9 from $folder/first/other.so" --plugin=other
expect_stage "Stage other 9.9 from second/../first/other.so" build \
    -p second/../first/other.so
# Only a build has a stage.
for command in verify show diff; do
    expect 2 blocksweep $command --plugin=other in.wad
    expect_sentence "'--plugin' is an option of build, not of $command"
done
expect 0 plain --version --plugin=other
expect_in output "Stage other 9.9"
NBSTAGE_PLUGIN_PATH=$folder/second:$folder/first
expect_stage "Stage other 9.9 from $folder/second/blocksweep.so"
expect 0 plain --help
expect_match output '^Options of the stage other 9.9[.]'
# A link that leads nowhere hides no other file.
mkdir dangling
ln -s blocksweep-99.so dangling/blocksweep.so
NBSTAGE_PLUGIN_PATH=$folder/dangling:$folder/first
expect_stage "$own/first/blocksweep.so"
# Names that would control a terminal do not.
odd=$(printf 'a\033[1mb')
mkdir "$odd"
cp "$other" "$odd/other.so"
expect_stage "Stage other 9.9 from a?[1mb/other.so" --plugin="$odd/other.so"

# One that cannot be used: the version says why, and all else is one sentence.
NBSTAGE_PLUGIN_PATH=$folder/first:$folder/second
for name in no-such-stage .so other.so ./nonsense.so text second/text.so fifo \
    other,size=x other,moods=good; do
    expect 0 plain --plugin="$name" --version
    expect_no_errors
    expect_match output "^No stage: ."
    reason=$(sed -n 's/^No stage: //p' output)
    expect 2 plain --plugin="$name" "$sample" -o out.wad
    expect_no_output
    expect_text errors "blocksweep: $reason"
    case $name in *,*) ;; *) expect_in errors "${name##*/}" ;; esac
done
expect 2 plain --plugin= "$sample" -o out.wad
expect_sentence "'' is not a file name for --plugin"

# --- A program with more rights than its user ---

[ "$(id -u)" -eq 0 ] || skip "the rest: only root makes set-ID programs"
need_user
chmod 711 .
cp "$(command -v id)" "$BUILD_DIR/command/blocksweep" .
chmod 4755 id
[ "$(as_user ./id -u)" -eq 0 ] ||
    skip "the rest: set-ID programs have no more rights here"
NBSTAGE_PLUGIN_PATH=$folder/first
for mode in 4755 2755; do
    chmod 755 blocksweep
    for stage in other first/other.so; do
        expect 0 as_user ./blocksweep --version --plugin=$stage
        expect_in output "Stage other 9.9 from " first/other.so
    done
    chmod $mode blocksweep
    code=0
    case $mode${SANITIZE_FLAGS-} in
    2755*address*) code=1 ;; # the sanitizer cannot look for leaks there
    esac
    expect $code as_user ./blocksweep --version --plugin=other
    expect_in output "No stage: there is no stage 'other' in "
    expect_not_in output "$folder/first"
    expect $code as_user ./blocksweep --version --plugin=first/other.so
    expect_in output "No stage: first/other.so: a set-ID program takes no paths"
done
