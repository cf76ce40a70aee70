#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that plugins tells which stages there are, which of them is loaded, and
# what is wrong with those that cannot be; and that the command serves any
# stage: it takes the options, the lump and the facts of one that it has never
# heard of, and refuses those that it cannot use.

. "$SOURCE_DIR/tests/help/library.sh"
write_room

stages=$BUILD_DIR/tests/command/.libs
other=$stages/other-stage.so
version=$(package_version)

# plain ARGUMENT...: the command, with no other stages than those in the folders
# of NBSTAGE_PLUGIN_PATH, and perhaps an installed one.
NBSTAGE_PLUGIN_PATH=/nonexistent
export NBSTAGE_PLUGIN_PATH
plain() {
    timeout 60 "$BUILD_DIR/host/blocksweep" "$@"
}

# Copies: an installation may be beside the folders of these, but is searched
# last.
mkdir first second
cp "$PLUGIN" "first/blocksweep-$version.so"
ln -s "blocksweep-$version.so" first/blocksweep.so
cp "$other" first/other.so
cp "$PLUGIN" second/blocksweep-0.0.9.so
cp "$other" second/blocksweep.so
echo "no stage" >second/text.so
: >second/other.txt
: >second/.so
mkdir second/folder.so
mkfifo second/fifo.so

# plugins STATUS PATH ARGUMENT...
plugins() {
    expected_status=$1
    NBSTAGE_PLUGIN_PATH=$2
    shift 2
    expect "$expected_status" plain plugins "$@"
    [ "$expected_status" -ne 0 ] || expect_no_errors
}

# expect_rows TEXT: name, stage, version and verdict of the files in the table
# that are within the folder of this test.
expect_rows() {
    awk -v folder="$folder/" '
        is_here { print $1 " " (NF > 2 ? $2 " " $3 " " : "") $NF }
        { is_here = !is_here && index($0, folder) == 1 }' output >rows
    expect_text rows "$1"
}

own_rows="blocksweep blocksweep $version loaded
blocksweep-$version blocksweep $version usable"
both=$folder/first:$folder/second:$folder/first:$folder/nowhere:
plugins 0 "$both"
expect_rows "$own_rows
other other 9.9 usable
blocksweep-0.0.9 blocksweep $version usable
text unusable"
cp rows rows-of-both
expect_line "$folder/first/blocksweep.so" \
    "Searched first $folder/first: 3 files" \
    "Searched first $folder/second: 2 files" \
    "Searched first $folder/nowhere: not there"
expect_match output '^Installed in   /' \
    'text.so: .*\(invalid ELF header\|too short\|Exec format\)'

# The one that is said to be loaded is.
plugins 0 "$folder/second:$folder/first"
expect_rows "blocksweep other 9.9 loaded
blocksweep-0.0.9 blocksweep $version usable
text unusable
blocksweep-$version blocksweep $version usable
other other 9.9 usable"
expect 0 plain --help
expect_match output '^Options of the stage other 9.9[.]'

# An old version and a new one are there at the same time, and work.
mkdir versions
cp "$stages/older-stage.so" versions/other-8.8.so
cp "$other" versions/other-9.9.so
ln -s other-9.9.so versions/other.so
plugins 0 "$folder/versions:$folder/first"
expect_rows "other other 9.9 usable
other-8.8 other 8.8 usable
other-9.9 other 9.9 usable
$own_rows"
for name in other-8.8:8.8 other-9.9.so:9.9 other:9.9 \
    "blocksweep-$version:$version" "blocksweep:$version"; do
    expect 0 plain --json --plugin="${name%:*}" "$sample" -o out.wad
    expect_no_errors
    # Of the report, the version of the command, and that of the stage.
    sed -n 's/^ *"version": "\(.*\)".*/\1/p' output | expect_text - "$version
${name#*:}"
done

# One that is named, and its options.
for name in other other.so "$folder/first/other.so"; do
    plugins 0 "$both" --plugin="$name"
    sed 1d output >rows
    expect_count 1 rows '^[^ ].* usable$'
    expect_not_in output "size=0.."
done
plugins 0 "$both" --verbose --plugin=other
expect_match output '^size=0\.\.'
plugins 0 "$both" --quiet
expect_text output ""

# JSON says the same.
if has_json; then
    plugins 0 "$both" --json
    read_json
    for number in $(seq 0 $(($(fact plugins) - 1))); do
        plugin=plugins.$number
        case $(fact "$plugin.path") in
        "$folder"/*) ;;
        *) continue ;;
        esac
        stage="$(fact "$plugin.stage.name") $(fact "$plugin.stage.version") "
        [ "$(fact "$plugin.error")" = - ] || stage=
        echo "$(fact "$plugin.name") $stage$(fact "$plugin.status")"
        [ "$(fact "$plugin.stage.name")" != other ] || expect_facts \
            "$plugin.stage.lumps.0" REJECT "$plugin.stage.lumps.1" BLOCKMAP \
            "$plugin.stage.options.0.name" size \
            "$plugin.stage.options.0.type" integer \
            "$plugin.stage.options.0.default" 4 \
            "$plugin.stage.options.0.minimum" 0 \
            "$plugin.stage.options.0.maximum" 1000 \
            "$plugin.stage.options.1.name" mood \
            "$plugin.stage.options.1.type" choice \
            "$plugin.stage.options.1.choices" 2 \
            "$plugin.stage.options.1.choices.0.name" good \
            "$plugin.stage.options.1.choices.1.name" bad >&2
    done >json-rows
    expect_same rows-of-both json-rows
    expect_facts schema 1 command plugins interface 1 plugins.0.stage.options \
        "$("$BUILD_DIR/tests/command/list-options" "$PLUGIN" |
            grep -c '^stage ')" total.loaded 1 folders.0.path "$folder/first" \
        folders.0.installed false folders.0.readable true \
        folders.3.readable false folders.4.installed true
    for status in usable unusable; do
        count=$(grep -c "^plugins\.[0-9]*\.status $status\$" facts || :)
        [ "$count" -ge 1 ] || fail "stages that are $status were expected"
        expect_facts total.$status "$count"
    done
    plugins 0 "$both" --json --plugin="$folder/first/other.so"
    read_json
    expect_facts plugins 1 plugins.0.path "$folder/first/other.so" \
        total.loaded 0 total.usable 1 total.unusable 0
fi

# What could not be loaded, whatever else there is, ends with 1 and a sentence.
plugins 1 "$both" --plugin=no-such-stage
expect_sentence "no stage named 'no-such-stage' was found"
plugins 1 "$both" --plugin=.so
expect_sentence "no stage named '.so' was found"
for name in "$folder/second/text.so" text; do
    plugins 1 "$both" --plugin="$name"
    expect_sentence text.so
done
cp second/text.so second/blocksweep.so
plugins 1 "$folder/second:$folder/first"
expect_sentence "$folder/second/blocksweep.so"
expect_match output '^blocksweep  *unusable$'

# A stage that is named by its path is the only one, whatever folder it is in.
plugins 0 "$both" --plugin="versions/other.so"
expect_line "versions/other.so"
expect_match output '^versions/other.so  *other .* usable$'
plugins 1 "$both" --plugin=./nonsense.so
expect_sentence ./nonsense.so
expect_match output '^./nonsense.so  *unusable$'

# One that crashes takes nothing along that is known before.
mkdir crashing
cp "$other" crashing/a.so
cp "$stages/older-stage.so" crashing/b.so
cp "$other" crashing/c.so
NBSTAGE_PLUGIN_PATH=$folder/crashing
status=0
OTHER_STAGE=crashes plain plugins >output 2>errors || status=$?
[ $status -ge 128 ] || fail "a crash was expected, not $status"
expect_rows "a other 9.9 usable"
tail -n 1 output | expect_text - "$folder/crashing/b.so"
OTHER_STAGE=crashes plain plugins --json >output 2>errors || :
expect_in output crashing/a.so

# What is written has to arrive, early and late.
if [ -c /dev/full ]; then
    NBSTAGE_PLUGIN_PATH=$folder/first
    status=0
    plain plugins 2>errors >/dev/full || status=$?
    [ $status -eq 3 ] || fail "the report was expected to end with 3"
    expect_sentence "standard output"
fi

# A link that leads nowhere hides no other file.
mkdir dangling
ln -s blocksweep-99.so dangling/blocksweep.so
plugins 0 "$folder/dangling:$folder/first"
expect_rows "$own_rows
other other 9.9 usable"
expect_line "Searched first $folder/dangling: 0 files"

# The installed folder is named as such.
installed=$(sed -n 's/^Installed in   \(.*\): .*/\1/p' output)
plugins 0 "$installed:$folder/first"
grep "^Searched\|^Installed" output | sed -n '1,2s/: .*//p' >found
expect_text found "Installed in   $installed
Searched first $folder/first"

# Names that would control a terminal do not, and none is cut.
mkdir odd
cp second/text.so "$(printf 'odd/a\033[1mb\302\233c\302\240\303\233.so')"
plugins 0 "$folder/first:$folder/odd"
expect_not_in output "$(printf '\033')" "$(printf '\302\233')"
expect_match output '^a?\[1mb?c??  *unusable$'
long=$folder/$(printf '%04090d' 0 | sed 's/0/\.\//g')nowhere
plugins 0 "$folder/first:$long"
expect_line "Searched first $long: cannot be read: File name too long"

# What is not a folder is reported.
plugins 0 "$folder/first:$folder/second/text.so"
expect_line \
    "Searched first $folder/second/text.so: cannot be read: Not a directory"
plugins 0 "$folder/first:$folder/second/text.so" --json
expect_in output '"error": "Not a directory"'

plugins 2 "$both" file.wad
expect_sentence "no file was expected" file.wad
plugins 2 "$both" --map=MAP01
expect_sentence "an option of build, verify, show, diff, not of plugins"

# Texts that a stage leaves out are not told, by no command.
NBSTAGE_PLUGIN_PATH=$folder/first
for words in "plugins --plugin=other --verbose" "plugins --json" \
    "--plugin=other --help" "--complete -- --plugin=other --" \
    "--complete -- --plugin=other --mood="; do
    # shellcheck disable=SC2086 # words
    OTHER_STAGE=terse expect 0 plain $words
    expect_no_errors
    expect_match output 'mood\|summary'
    expect_not_in output "(null)"
done

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
NBSTAGE_PLUGIN_PATH=/nonexistent::$folder/odd:first:
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

# What a stage of another kind has to say, with OTHER_STAGE, or does not: its
# kind, the status, a part of the sentence, and the arguments.  test-host-kit
# has all reasons for which a stage is refused.
{ room MAP01; room MAP02; } | wadtool make PWAD in.wad
while IFS='|' read -r kind code part arguments; do
    rm -f out.wad
    # shellcheck disable=SC2086 # words
    OTHER_STAGE=$kind expect "$code" plain $arguments -p "$other" </dev/null
    case $arguments in
    diff*picture*) sort -u errors >once && mv once errors ;; # of both files
    esac
    expect_sentence "$part"
    expect_not_in output farewell "linedefs which the map does not have"
    expect_absent picture
    [ "$code" -eq 0 ] || expect_absent out.wad
done <<'END'
farewell|0|in.wad: farewell|in.wad -o out.wad
farewell|0|in.wad: farewell|--json in.wad -o out.wad
later|1|in.wad: MAP01: the stage other cannot read|verify -m MAP01 in.wad
decodes|1|in.wad: MAP01: the stage other does not build|verify -m MAP01 in.wad
later|1|other cannot read the lines of a map|show --svg=picture -m MAP01 in.wad
later|1|other cannot read the lines of a map|show --html=picture -m MAP01 in.wad
later|1|other cannot read the lines|diff --svg=picture -m MAP01 in.wad in.wad
no-instances|2|the stage other makes no instance: status 5|diff in.wad in.wad
END
OTHER_STAGE=refuses expect 2 plain -p "$other" in.wad -o out.wad
expect_sentence "$other: not a stage that can be used: the stage does not serve"

# A value of any form and length comes to it as it was given.
value="a b = c $(printf '%080d' 0)"
OTHER_STAGE=decodes expect 1 plain verify -p "$other" --prune="$value" \
    -m MAP01 in.wad
expect_sentence "in.wad: $value"

# --- The folder beside a program ---

# The kit searches it last, and not for a program with more rights.
mkdir -p moved/bin moved/lib/nbstage
cp "$BUILD_DIR/tests/command/list-options" moved/bin
expect 2 moved/bin/list-options beside
expect_in errors ", $folder/moved/lib/nbstage"
cp "$other" moved/lib/nbstage/beside.so
expect 0 moved/bin/list-options beside
expect_in output "stage motto"

# What a builder defines comes before the usual folders, not in place of them.
# shellcheck disable=SC2086 # flags are words
${CC:-cc} ${SANITIZE_FLAGS-} -I"$SOURCE_DIR/plugin" -I"$SOURCE_DIR/kit" \
    -DNBSTAGE_PLUGINDIR='"/own:/its"' "$SOURCE_DIR/tests/command/list-options.c" \
    "$SOURCE_DIR/kit/nbstage-host.c" -o defined -ldl
expect 2 ./defined beside
expect_in errors "/own, /its, /usr/local/lib/nbstage, "

# --- A program with more rights than its user ---

[ "$(id -u)" -eq 0 ] || skip "the rest: only root makes set-ID programs"
need_user
chmod 711 .
chmod 4755 moved/bin/list-options
cp "$(command -v id)" "$BUILD_DIR/host/blocksweep" .
chmod 4755 id
[ "$(as_user ./id -u)" -eq 0 ] ||
    skip "the rest: set-ID programs have no more rights here"
NBSTAGE_PLUGIN_PATH=$folder/first
for mode in 4755 2755; do
    chmod 755 blocksweep
    expect 0 as_user ./blocksweep plugins --plugin=other
    expect_line "Searched first $folder/first: 3 files"
    chmod $mode blocksweep
    expect 1 as_user env ASAN_OPTIONS=detect_leaks=0 \
        ./blocksweep plugins --plugin=other
    expect_not_in output "$folder/first"
    expect_in errors "NBSTAGE_PLUGIN_PATH is ignored in a set-ID program"
done
expect 2 as_user env ASAN_OPTIONS=detect_leaks=0 moved/bin/list-options beside
expect_not_in errors "$folder/moved"
