#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command serves any stage: it takes the options, the lump and
# the facts of one that it has never heard of, and tells its failures and
# warnings; and that the text of options after --plugin means the same, whatever
# the stage.

. "$SOURCE_DIR/tests/help/library.sh"
write_room

other=$BUILD_DIR/tests/command/.libs/other-stage.so
kit=$BUILD_DIR/tests/unit/.libs/kit-stage.so
mkdir first
cp "$other" first/other.so

# plain ARGUMENT...: the command, with no other stages than those in the folders
# of NBSTAGE_PLUGIN_PATH, and perhaps an installed one.
NBSTAGE_PLUGIN_PATH=/nonexistent
export NBSTAGE_PLUGIN_PATH
plain() {
    timeout 600 "$BUILD_DIR/command/blocksweep" "$@"
}

{ room MAP01; room MAP02 | without BLOCKMAP; } | wadtool make PWAD in.wad

# expect_made TEXT: this is the BLOCKMAP of each map.
expect_made() {
    expect_sentence "in.wad: demos recorded on these maps may go out of sync: " \
        "a blockmap where ports had none or built their own in 1"
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
expect 0 plain --plugin=other,size=6 in.wad -o out.wad
expect_made xxxxxx
expect 0 plain --plugin=other,size=6 in.wad -o out.wad --size=7
expect_made xxxxxxx
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

# Sentences that control no terminal, none at all, and a lump that is not made.
OTHER_STAGE=warns expect 0 plain -p other --map=MAP01 in.wad -o out.wad
expect_sentence "in.wad: weather?to be ?[1mexpected"
OTHER_STAGE=silent expect 1 plain -p other,mood=bad --map=MAP01 in.wad -o out.wad
expect_sentence "in.wad: the stage failed"
OTHER_STAGE=silent expect 2 plain -p other in.wad -o out.wad --size=x
expect_sentence "the stage failed"
OTHER_STAGE=forgets expect 1 plain -p other --map=MAP01 in.wad -o out.wad
expect_sentence "in.wad: MAP01: the stage made no BLOCKMAP"

# A last word of its instances, and no word of one that has nothing to do.
{ room MAP01; room MAP02; } | wadtool make PWAD in.wad
for json in "" --json; do
    # shellcheck disable=SC2086 # a word or none
    OTHER_STAGE=farewell expect 0 plain $json in.wad -o out.wad -p "$other"
    expect_sentence "in.wad: farewell"
    expect_not_in output farewell
done

expect 2 plain in.wad -o out.wad -p other --map=MAP09
expect_sentence "no map is named 'MAP09'"

# --- The text of options ---

# expect_text_means TEXT OVER: in releases of a stage that differ by a flag and
# in the type of an option.
expect_text_means() {
    for release in none flag text; do
        KIT_STAGE=$release expect 0 plain -q -p "$kit,$1" in.wad -o out.wad
        expect_no_errors
        printf '%s' "$2" >expected
        expect_lump out.wad MAP01/BLOCKMAP expected
    done
}

expect_text_means over=merge,empty merge,empty
expect_text_means over=merge,empty=yes merge
expect_text_means over=merge,,empty=yes merge,empty=yes
expect_text_means over=a,over=b b
expect_text_means over=a,,b=c a,b=c
expect 0 plain -q -p "$kit,over=a" in.wad -o out.wad --over=d
printf d >expected
expect_lump out.wad MAP02/BLOCKMAP expected
# The file of a name with commas is found, too.
cp "$kit" first/a,b=c.so
expect 0 plain -q -p first/a,,b=c.so,over=d in.wad -o out.wad
expect_lump out.wad MAP02/BLOCKMAP expected
