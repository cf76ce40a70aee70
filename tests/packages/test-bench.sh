#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the benchmark works with what is installed and without it, and
# that the maps it generates are the same in every run.

. "$SOURCE_DIR/tests/help/library.sh"

perl -MJSON::PP -e 1 2>/dev/null || skip "perl's JSON::PP is not there"

BLOCKSWEEP=$BUILD_DIR/host/blocksweep
TMPDIR=$folder/temporary
export BLOCKSWEEP TMPDIR
mkdir "$TMPDIR"

bench() {
    "$BUILD_DIR/bench/bench" --quick "$@"
}

# read_json FILE EXPRESSION: prints the value of an expression of perl's, in
# which $record is what the file holds.
read_json() {
    perl -MJSON::PP -e '
        my $expression = pop @ARGV;
        local $/;
        my $record = JSON::PP->new->decode(<>);
        print join(" ", eval $expression), "\n";
        die $@ if $@;
    ' "$1" "$2"
}

# expect_value FILE EXPRESSION VALUE
expect_value() {
    found=$(read_json "$1" "$2") || fail "$1 is no JSON, or lacks $2"
    [ "$found" = "$3" ] || fail "$2 in $1 is '$found'; '$3' was expected"
}

# What does not depend on time.
maps='map { @$_{qw(lines entries lump_bytes form input_bytes peak_memory_bytes)} }
    @{$record->{growth}}'

# All there is.
expect 0 bench --json=all.json --freedoom="$freedoom_dir"
expect_no_errors
{
    expect_value all.json '$record->{version}' 1
    expect_value all.json '$record->{stage}{name}' blocksweep
    expect_value all.json 'map { $_->{lines} } @{$record->{growth}}' \
        "1000 10000 100000"
    expect_value all.json 'grep { !($_->{build_ns} > 0) }
        @{$record->{growth}}' ""
}
awk 'length > 80 { print; status = 1 } END { exit status }' output ||
    fail "tables of 80 columns were expected"
if [ -r "$freedoom_dir/freedoom2.wad" ]; then
    expect_value all.json 'map { $_->{map} } @{$record->{freedoom}{maps}}' \
        "MAP01 MAP02 MAP03 MAP04"
fi

# Without Freedoom, and the same maps again.
expect 0 bench --json=growth.json --freedoom=nowhere
expect_no_errors
expect_value growth.json 'sort keys %$record' "growth stage version"
for section in freedoom search packing processes; do
    grep -q "^Section $section is left out: " output ||
        fail "a line about the section $section was expected"
done
expect_value growth.json "$maps" "$(read_json all.json "$maps")"

# Without other builders.
if [ -r "$freedoom_dir/freedoom2.wad" ]; then
    expect 0 env PATH="$folder" "$BUILD_DIR/bench/bench" --quick \
        --only=processes --freedoom="$freedoom_dir"
    grep -q "^Whole processes are left out: zdbsp " output ||
        fail "a line about zdbsp was expected"
fi

# Failures are a sentence, and leave no file.
for arguments in --only=nothing --nonsense "--quick more"; do
    # shellcheck disable=SC2086 # two words
    expect 1 "$BUILD_DIR/bench/bench" $arguments
    [ "$(wc -l <errors)" = 1 ] || fail "one sentence was expected"
done
expect 1 env PLUGIN=nowhere "$BUILD_DIR/bench/bench" --json=none.json
[ ! -e none.json ] || fail "a failure has left a file"
[ -z "$(ls "$TMPDIR")" ] || fail "a folder was left behind"
