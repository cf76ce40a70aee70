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
list_options >options

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

names=$(sed -n 's/^stage \(.*\)/--\1/p; s/^host . \(.*\)/--\1/p' options)
[ "$(echo "$names" | wc -l)" -ge 13 ] || fail "--help does not list options"

# --- Options ---

for unknown in --nonsense --nonsense=1 --packs -x -qx --o; do
    expect_usage "unknown" $unknown in.wad -o out.wad
    expect_named $names
done

# test-options has more values that are none.
sed -n 's/^stage //p' options | while read -r option; do
    choices=$(sed -n "s/^choice $option //p" options)
    [ -n "$choices" ] || fail "--help lists no choice of $option"
    if [ "$choices" = NUMBER ]; then
        for value in nonsense "" -1; do
            expect_usage "'$option' does not take '$value'" \
                "--$option=$value" in.wad -o out.wad
            expect_match errors "expected [01] to [1-9]"
        done
        continue
    fi
    for value in nonsense "" "$(echo "$choices" | head -n 1)x" AUTO; do
        expect_usage "'$option' does not take '$value'" "--$option=$value" \
            in.wad -o out.wad
        # shellcheck disable=SC2046 # one word a choice
        expect_named $(echo "$choices" | tr ',' ' ')
    done
    # A flag without a value is meant to be set.
    [ "$choices" = "no
yes" ] ||
        expect_usage "--$option' needs a value" in.wad -o out.wad "--$option"
done

for flag in in-place backup verbose quiet json help version; do
    expect_usage "--$flag' takes no value" "--$flag=yes" in.wad -o out.wad
done
for option in --output --builder --builder-timeout --map --plugin -o -B -T -m -p
do
    expect_usage "$option' needs a value" in.wad $option
done

# --- Files and commands ---

# A part of the sentence, words in it, and the arguments.  Files may have the
# names of commands that there are not, or in other places.
cp in.wad verify
cp in.wad help
while IFS='|' read -r part named arguments; do
    expect_usage "$part" $arguments </dev/null
    expect_named $named
done <<'END'
no input file||
no input file||-o out.wad
no input file||build -o out.wad
there are 2: 'in.wad', 'same.wad'||in.wad same.wad -o out.wad
there are 3: 'in.wad', 'same.wad'||build in.wad same.wad in.wad -o out.wad
no output|-o --in-place|in.wad
exclude each other|--output --in-place|in.wad -o out.wad --in-place
'build' is not a file||build build in.wad -o out.wad
'plugins' is not a file||diff plugins in.wad
'show' is not a file||verify show in.wad
no file was expected, but there is 'in.wad'; see 'blocksweep plu||plugins in.wad
'vrify' is neither a file nor a command|build verify show diff plugins|vrify
blocksweep: no input file was given; see 'blocksweep verify||verify
no output||./verify
no output||./help
no output||help
END
rm verify help
expect_usage "'verify' is not a file" --map=MAP01 verify in.wad
expect_usage "'verify' is not a file" plugins verify
expect_usage "'help' is neither a file nor a command" help
expect_named build verify show diff plugins

# --- Maps ---

for list in MAP03 MAP MAP0 MAP001 E1M1 "" "," "MAP01," MAP01,MAP03 MAP03-MAP09 \
    MAP02-MAP01 MAP01-E1M2 MAP01- -MAP02 MAP01--MAP02; do
    expect_usage "no map is named '" "--map=$list" in.wad -o out.wad
    expect_named MAP01 MAP02
done
expect_usage "no map is named 'MAP03'" --map=MAP01 -m MAP03 in.wad -o out.wad

# --- Stages; test-host-kit has more that cannot be loaded ---

expect_usage "'nonsense'" --plugin=nonsense in.wad -o out.wad
expect_named NBSTAGE_PLUGIN_PATH
expect_usage "./nonsense.so" --plugin=./nonsense.so in.wad -o out.wad
