#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that plugins tells which stages there are, which of them is loaded, and
# what is wrong with those that cannot be.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

other=$BUILD_DIR/tests/command/.libs/other-stage.so
older=$BUILD_DIR/tests/command/.libs/older-stage.so
crashing=$BUILD_DIR/tests/command/.libs/crashing-stage.so
version=$(package_version)

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

# plugins PATH ARGUMENT...: runs the command with this NBSTAGE_PLUGIN_PATH.
plugins() {
    path=$1
    shift
    NBSTAGE_PLUGIN_PATH=$path timeout 60 "$BUILD_DIR/host/blocksweep" \
        plugins "$@"
}

# expect_rows TEXT: name, stage, version and verdict of the files in the table
# that are within the folder of this test.
expect_rows() {
    awk -v folder="$folder/" '
        is_here { print $1 " " (NF > 2 ? $2 " " $3 " " : "") $NF }
        { is_here = !is_here && index($0, folder) == 1 }' output >rows
    expect_text rows "$1"
}

# expect_line LINE: it is in the table.
expect_line() {
    grep -qxF -e "$1" output || {
        cat output
        fail "this line was expected: $1"
    }
}

both=$folder/first:$folder/second:$folder/first:$folder/nowhere:
expect 0 plugins "$both"
expect_no_errors
expect_rows "blocksweep blocksweep $version loaded
blocksweep-$version blocksweep $version usable
other other 9.9 usable
blocksweep-0.0.9 blocksweep $version usable
text unusable"
cp rows rows-of-both
expect_line "$folder/first/blocksweep.so"
grep -q "text.so: .*\(invalid ELF header\|too short\|Exec format\)" output ||
    fail "what is wrong with text.so was expected"
expect_line "Searched first $folder/first: 3 files"
expect_line "Searched first $folder/second: 2 files"
expect_line "Searched first $folder/nowhere: not there"
grep -q "^Installed in   /" output || fail "the installed folder was expected"

# The one that is said to be loaded is.
expect 0 plugins "$folder/second:$folder/first"
expect_rows "blocksweep other 9.9 loaded
blocksweep-0.0.9 blocksweep $version usable
text unusable
blocksweep-$version blocksweep $version usable
other other 9.9 usable"
expect 0 env NBSTAGE_PLUGIN_PATH="$folder/second:$folder/first" \
    "$BUILD_DIR/host/blocksweep" --help
grep -q "^Options of the stage other 9.9:" output ||
    fail "the other stage was expected to be loaded"

# An old version and a new one are there at the same time, and work.
mkdir versions
cp "$older" versions/other-8.8.so
cp "$other" versions/other-9.9.so
ln -s other-9.9.so versions/other.so
expect 0 plugins "$folder/versions:$folder/first"
expect_rows "other other 9.9 usable
other-8.8 other 8.8 usable
other-9.9 other 9.9 usable
blocksweep blocksweep $version loaded
blocksweep-$version blocksweep $version usable"
for name in other-8.8:8.8 other-9.9.so:9.9 other:9.9 \
    "blocksweep-$version:$version" "blocksweep:$version"; do
    expect 0 env NBSTAGE_PLUGIN_PATH="$folder/versions:$folder/first" \
        "$BUILD_DIR/host/blocksweep" --json --plugin="${name%:*}" "$sample" \
        -o out.wad
    expect_no_errors
    # Of the report, the version of the command, and that of the stage.
    [ "$(sed -n 's/^ *"version": "\(.*\)".*/\1/p' output | tr '\n' ' ')" = \
        "$version ${name#*:} " ] || fail "$name was expected to be the stage"
done

# One that is named, and its options.
for name in other other.so "$folder/first/other.so"; do
    expect 0 plugins "$both" --plugin="$name"
    expect_no_errors
    [ "$(sed -n '2,$p' output | grep -c '^[^ ].* usable$')" = 1 ] ||
        fail "one stage was expected for $name"
    ! grep -q "^size=0\.\." output || fail "no options were expected"
done
expect 0 plugins "$both" --verbose --plugin=other
grep -q "^size=0\.\." output || fail "the options of the stage were expected"
expect 0 plugins "$both" --quiet
expect_no_errors
expect_text output ""

# JSON says the same.
if perl -MJSON::PP -e 1 2>/dev/null; then
    expect 0 plugins "$both" --json
    perl -MJSON::PP -e '
        local $/;
        my $report = JSON::PP->new->utf8->decode(<STDIN>);
        for my $plugin (@{ $report->{plugins} }) {
            my $stage = $plugin->{stage};
            next if index($plugin->{path}, "$ARGV[0]/") != 0;
            print join(" ", $plugin->{name},
                ($stage ? ($stage->{name}, $stage->{version}) : ()),
                $plugin->{status}), "\n";
            die "error" if !$stage == !$plugin->{error};
            next if !$stage || $stage->{name} ne "other";
            die "lumps" if "@{ $stage->{lumps} }" ne "REJECT BLOCKMAP";
            my ($size, $mood) = @{ $stage->{options} };
            die "size" if "$size->{name} $size->{type} $size->{default} " .
                "$size->{minimum} $size->{maximum}" ne "size integer 4 0 1000";
            die "mood" if "$mood->{name} $mood->{type} " .
                join(" ", map { $_->{name} } @{ $mood->{choices} })
                ne "mood choice good bad";
        }
        my $total = $report->{total};
        die "total" if $total->{loaded} != 1 || $total->{unusable} < 1;
        die "folders" if $report->{folders}[0]{path} ne "$ARGV[0]/first" ||
            $report->{folders}[0]{installed} || !$report->{folders}[0]{readable}
            || $report->{folders}[3]{readable} ||
            !$report->{folders}[4]{installed};
    ' "$folder" <output >json-rows || fail "not the members that were expected"
    expect_same rows-of-both json-rows
else
    echo "perl's JSON::PP is not there: the JSON is not read"
fi

# What could not be loaded, whatever else there is, ends with 1 and a sentence.
expect 1 plugins "$both" --plugin=no-such-stage
expect_sentence "no stage named 'no-such-stage' was found"
expect 1 plugins "$both" --plugin="$folder/second/text.so"
expect_sentence text.so
expect 1 plugins "$both" --plugin=text
expect_sentence text.so
cp second/text.so second/blocksweep.so
expect 1 plugins "$folder/second:$folder/first"
expect_sentence "$folder/second/blocksweep.so"
grep -q "^blocksweep  *unusable$" output || fail "its row was expected"

# A stage that is named by its path is the only one, whatever folder it is in.
expect 0 plugins "$both" --plugin="versions/other.so"
expect_line "versions/other.so"
grep -q "^versions/other.so  *other .* usable$" output ||
    fail "a stage in another folder was expected to be usable"
expect 1 plugins "$both" --plugin=./nonsense.so
expect_sentence ./nonsense.so
grep -q "^./nonsense.so  *unusable$" output || fail "its row was expected"

# One that crashes takes nothing along that is known before.
mkdir crashing
cp "$other" crashing/a.so
cp "$crashing" crashing/b.so
cp "$other" crashing/c.so
status=0
plugins "$folder/crashing" >output 2>errors || status=$?
[ $status -ge 128 ] || fail "a crash was expected"
expect_rows "a other 9.9 usable"
[ "$(tail -n 1 output)" = "$folder/crashing/b.so" ] ||
    fail "the one that crashes was expected to be told"
plugins "$folder/crashing" --json >output 2>errors || :
grep -q "crashing/a.so" output || fail "the one before was expected in JSON"

# What is written has to arrive, early and late.
if [ -c /dev/full ]; then
    status=0
    plugins "$folder/first" 2>errors >/dev/full || status=$?
    [ $status -eq 3 ] || fail "the report was expected to fail"
    expect_sentence "standard output"
fi

# A link that leads nowhere hides no other file.
mkdir dangling
ln -s blocksweep-99.so dangling/blocksweep.so
expect 0 plugins "$folder/dangling:$folder/first"
expect_rows "blocksweep blocksweep $version loaded
blocksweep-$version blocksweep $version usable
other other 9.9 usable"
expect_line "Searched first $folder/dangling: 0 files"

# The installed folder is named as such.
installed=$(sed -n 's/^Installed in   \(.*\): .*/\1/p' output)
expect 0 plugins "$installed:$folder/first"
[ "$(grep "^Searched\|^Installed" output | sed -n '1,2s/: .*//p')" = \
    "Installed in   $installed
Searched first $folder/first" ] || fail "not these folders"

# Texts that a stage leaves out are not told, by no command.
for words in "plugins --plugin=other --verbose" "plugins --json" \
    "--plugin=other --help" "--complete -- --plugin=other --" \
    "--complete -- --plugin=other --mood="; do
    # shellcheck disable=SC2086 # words
    expect 0 env NBSTAGE_PLUGIN_PATH="$folder/first" OTHER_STAGE=terse \
        "$BUILD_DIR/host/blocksweep" $words
    expect_no_errors
    grep -q "mood\|summary" output || fail "something was expected of $words"
    ! grep -q "(null)" output || fail "$words tells what is not there"
done

# Names that would control a terminal do not, and none is cut.
mkdir odd
cp second/text.so "$(printf 'odd/a\033[1mb\302\233c\302\240\303\233.so')"
expect 0 plugins "$folder/first:$folder/odd"
! grep -q "$(printf '\033')" output || fail "a name controls the terminal"
! grep -q "$(printf '\302\233')" output || fail "a name controls the terminal"
grep -q "^a?\[1mb??c$(printf '\302\240\303\233')  *unusable$" output ||
    fail "this name was expected"
long=$folder/$(printf '%04090d' 0 | sed 's/0/\.\//g')nowhere
expect 0 plugins "$folder/first:$long"
expect_line "Searched first $long: cannot be read: File name too long"

# What is not a folder is reported.
expect 0 plugins "$folder/first:$folder/second/text.so"
expect_line "Searched first $folder/second/text.so: cannot be read: \
Not a directory"
expect 0 plugins "$folder/first:$folder/second/text.so" --json
grep -q '"error": "Not a directory"' output ||
    fail "why the folder cannot be read was expected"

expect 2 plugins "$both" file.wad
expect_sentence "no file was expected" file.wad
expect 2 plugins "$both" --map=MAP01
expect_sentence "unknown or ambiguous option"
