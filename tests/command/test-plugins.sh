#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that --version names the stage that is loaded, or says why none is; and
# that the command serves any stage: it takes the options, the lump and the
# facts of one that it has never heard of, and refuses those that it cannot use,
# also if their files are cut off, which a loader may crash with.

. "$SOURCE_DIR/tests/help/library.sh"
write_room

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
expect_stage "$own/second/blocksweep-0.0.9.so" --plugin=blocksweep-0.0.9.so
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
for name in no-such-stage .so ./nonsense.so text second/text.so fifo; do
    expect 0 plain --plugin="$name" --version
    expect_no_errors
    expect_match output "^No stage: .*${name##*/}"
    reason=$(sed -n 's/^No stage: //p' output)
    expect 2 plain --plugin="$name" "$sample" -o out.wad
    expect_no_output
    expect_text errors "blocksweep: $reason"
done

NBSTAGE_PLUGIN_PATH=$folder/first

# --- A build by another stage ---

{ room MAP01; room MAP02 | without BLOCKMAP; } | wadtool make PWAD in.wad

# expect_made TEXT: this is the BLOCKMAP of each map.
expect_made() {
    expect_sentence "in.wad: 1 of 2 maps had no blockmap"
    printf '%s' "$1" >expected
    for map in MAP01 MAP02; do
        expect_lump out.wad $map/BLOCKMAP expected
        expect_lump out.wad $map/REJECT REJECT
    done
}

# By path, and by name.
expect 0 plain --plugin="$other" in.wad -o out.wad
expect_made xxxx
NBSTAGE_PLUGIN_PATH=/nonexistent::first:
expect 0 plain -p other --size=2 in.wad -o out.wad
expect_made xx

# Its options, and no others.
expect 0 plain -p "$other" --size=5 --motto="a b" --mood good in.wad -o out.wad
expect_made xxxxx
expect 0 plain --size 5 in.wad -o out.wad --size=3 -p "$other"
expect_made xxx
"$BUILD_DIR/tests/command/list-options" "$other" | grep '^stage' >expected
plain -p "$other" --help | grep '^  --' |
    sed 's/^  --\([a-z]*\)=.*/stage \1/' | diff expected - ||
    fail "--help does not tell the options of the stage"
rm out.wad
for usage in --grid=fit --size --size=x --size=1001 --sizes=1; do
    expect 2 plain -p "$other" in.wad -o out.wad $usage
    expect_sentence
done
expect_sentence "unknown option" "did you mean --size"
expect 2 plain -p "$other" in.wad -o out.wad --size=1001
expect_sentence "another number was expected"
expect_absent out.wad

# Its failures, and its facts.
expect 1 plain -p "$other" --mood=bad --map=MAP01 in.wad -o out.wad
expect_sentence "in.wad: not in this mood"
expect_lumps_kept in.wad out.wad
expect 0 plain -p "$other" --json --motto='say "so"' in.wad -o out.wad
expect_in output '"name": "other"' '"version": "9.9"' '"lumps_seen": 10' \
    '"lumps_seen": 9' '"motto": "say \"so\""' '"least": -1'

# A last word of its instances.  test-host-kit has all reasons for which a stage
# is refused.
{ room MAP01; room MAP02; } | wadtool make PWAD in.wad
for json in "" --json; do
    # shellcheck disable=SC2086 # a word or none
    OTHER_STAGE=farewell expect 0 plain $json in.wad -o out.wad -p "$other"
    expect_sentence "in.wad: farewell"
    expect_not_in output farewell
done

# --- The folder beside a program ---

# The kit searches it last, and not for a program with more rights.
mkdir -p moved/bin moved/lib/nbstage
cp "$BUILD_DIR/tests/command/list-options" moved/bin
expect 2 moved/bin/list-options beside
expect_in errors ":$folder/moved/bin/../lib/nbstage"
cp "$other" moved/lib/nbstage/beside.so
expect 0 moved/bin/list-options beside
expect_in output "stage motto"

# What a builder defines comes before the usual folders, not in place of them.
# shellcheck disable=SC2086 # flags are words
${CC:-cc} ${SANITIZE_FLAGS-} -I"$SOURCE_DIR/include" -I"$SOURCE_DIR/builders/kit" \
    -DNBSTAGE_PLUGINDIR='"/own:/its"' "$SOURCE_DIR/tests/command/list-options.c" \
    "$SOURCE_DIR/builders/kit/nbstage-host.c" -o defined -ldl
expect 2 ./defined beside
expect_in errors ":/own:/its:/usr/local/lib/nbstage:"

# --- Files that are cut off ---

cp in.wad kept.wad
expect 0 plain --quiet --plugin="$PLUGIN" in.wad -o out.wad

head -c 100000 "$PLUGIN" >cut.so
expect 2 plain --plugin=./cut.so in.wad -o cut.wad
expect_text errors "blocksweep: ./cut.so: not a stage that can be used: it is \
cut off; install it anew"
expect 0 plain --version --plugin=./cut.so
expect_in output "No stage: ./cut.so: not a stage that can be used: it is cut"
expect_absent cut.wad

# Cut off each 4 KiB, the last times behind what is loaded.  Other bytes are not
# found out: stages are trusted.
size=$(wc -c <"$PLUGIN")
at=0
while [ $at -lt "$size" ]; do
    head -c $at "$PLUGIN" >cut.so
    status=0
    plain --plugin=./cut.so -q in.wad -o cut.wad 2>errors || status=$?
    case $status in
    0) rm cut.wad ;;
    2) expect_sentence; expect_absent cut.wad ;;
    *) fail_showing errors "cut off at $at: $status" ;;
    esac
    at=$((at + 4096))
done
expect_same in.wad kept.wad

# --- A program with more rights than its user ---

[ "$(id -u)" -eq 0 ] || skip "the rest: only root makes set-ID programs"
need_user
chmod 711 .
chmod 4755 moved/bin/list-options
cp "$(command -v id)" "$BUILD_DIR/command/blocksweep" .
chmod 4755 id
[ "$(as_user ./id -u)" -eq 0 ] ||
    skip "the rest: set-ID programs have no more rights here"
NBSTAGE_PLUGIN_PATH=$folder/first
for mode in 4755 2755; do
    chmod 755 blocksweep
    expect 0 as_user ./blocksweep --version --plugin=other
    expect_in output "$folder/first/other.so"
    chmod $mode blocksweep
    code=0
    case $mode${SANITIZE_FLAGS-} in
    2755*address*) code=1 ;; # the sanitizer cannot look for leaks there
    esac
    expect $code as_user ./blocksweep --version --plugin=other
    expect_not_in output "$folder/first" NBSTAGE_PLUGIN_PATH
done
expect 2 as_user moved/bin/list-options beside
expect_not_in errors "$folder/moved"
