#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that --json prints JSON, with the numbers that are in the files.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

perl -MJSON::PP -e 1 2>/dev/null || skip "perl's JSON::PP is not there"

# Reads JSON from the file output, strictly, into lines such as
# "maps.0.linedefs 12" in the file values.
read_json() {
    perl -MJSON::PP -e '
        sub flatten {
            my ($path, $value) = @_;
            if (ref $value eq "HASH") {
                flatten("$path.$_", $value->{$_}) for sort keys %$value;
            } elsif (ref $value eq "ARRAY") {
                print substr("$path.count", 1), " ", scalar @$value, "\n";
                flatten("$path.$_", $value->[$_]) for 0 .. $#$value;
            } else {
                $value = $value ? "true" : "false"
                    if JSON::PP::is_bool($value);
                print substr($path, 1), " $value\n";
            }
        }
        local $/;
        binmode STDOUT, ":utf8";
        flatten("", JSON::PP->new->utf8->decode(<STDIN>));
    ' <output >values || {
        cat output
        fail "this is no JSON"
    }
}

# expect_value NAME VALUE
expect_value() {
    grep -qxF "$1 $2" values || {
        cat values
        fail "$1 was expected to be $2"
    }
}

# value_of NAME
value_of() {
    sed -n "s/^$1 //p" values
}

# size_of FILE LUMP: its bytes; 0 if it is not there.
size_of() {
    { wadtool extract "$1" "$2" 2>/dev/null || :; } | wc -c
}

# expect_map NUMBER NAME GRID: what the report tells of a map that was built
# is in the files.
expect_map() {
    expect_value "maps.$1.map" "$2"
    expect_value "maps.$1.status" "done"
    expect_value "maps.$1.grid" "$3"
    expect_value "maps.$1.linedefs" $(($(size_of in.wad "$2/LINEDEFS") / 14))
    expect_value "maps.$1.bytes_before" "$(size_of in.wad "$2/BLOCKMAP")"
    expect_value "maps.$1.bytes_after" "$(size_of out.wad "$2/BLOCKMAP")"
    wadtool blockmap out.wad "$2/BLOCKMAP" >found-blockmap
    for name in origin_x origin_y columns rows words largest_offset; do
        expect_value "maps.$1.$name" "$(cut -d' ' -f1 found-blockmap)"
        sed 's/^[^ ]* *//' found-blockmap >rest
        mv rest found-blockmap
    done
    for name in meets_vanilla meets_extended; do
        expect_value "maps.$1.$name" 1
    done
    expect_value "maps.$1.over_limit" 0
    expect_value "maps.$1.vanilla_offset_limit" 32767
    expect_value "maps.$1.words_limit" 65535
    value_of "maps.$1.seconds" | grep -qx '[0-9.]*[0-9]\(e-[0-9]*\)*' ||
        fail "a time in seconds was expected"
}

# expect_sum NAME: the total of something is the sum over maps.
expect_sum() {
    sum=$(sed -n "s/^maps\.[0-9]*\.$1 //p" values | awk '{ s += $1 }
        END { print s }')
    expect_value "total.$1" "$sum"
}

# Real maps.
cat "$sample" >in.wad
expect 0 blocksweep --json in.wad -o out.wad
expect_no_errors
read_json
expect_value schema 1
expect_value command build
expect_value version "$(blocksweep --version | sed 's/^blocksweep //; q')"
expect_value stage.name blocksweep
expect_value input in.wad
expect_value output out.wad
expect_value written true
expect_value maps.count 3
expect_map 0 MAP01 keep
expect_map 1 MAP07 keep
expect_map 2 MAP30 keep
for map in 0 1 2; do
    expect_value maps.$map.warnings.count 0
    [ -z "$(value_of maps.$map.error)" ] || fail "no error was expected"
done
expect_value total.maps 3
expect_value total.failed 0
expect_sum linedefs
expect_sum bytes_before
expect_sum bytes_after

# A list, and what is left out.
expect 0 blocksweep --json --prune=inert in.wad -o out.wad
read_json
for map in 0:MAP01 1:MAP07 2:MAP30; do
    sectors=$(($(size_of in.wad "${map#*:}/SECTORS") / 26))
    expect_value "maps.${map%:*}.sectors.count" $sectors
    expect_value "maps.${map%:*}.sectors.$((sectors - 1)).sector" \
        $((sectors - 1))
    expect_value "maps.${map%:*}.pruned_tagged" 0
    value_of "maps.${map%:*}.sectors.0.text" |
        grep -Eq '; [0-9]+ of its [0-9]+ linedefs? (is|are) left out(;|$)' ||
        fail "a sector was expected to be explained"
done
left_out=$(value_of maps.0.pruned_inert)
[ "$left_out" -gt 0 ] || fail "some linedefs of MAP01 were expected to be inert"

# A list of one item is a list.
words 0 0 0 1 0 >one-thing
words 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 >one-side
words 0 128 0 0 0 0 0 0 0 0 0 0 0 >one-sector
room MAP01 | replacing THINGS one-thing | replacing SIDEDEFS one-side |
    replacing SECTORS one-sector | wadtool make PWAD one.wad
expect 0 blocksweep --json --prune=inert one.wad -o out.wad
read_json
expect_value maps.0.sectors.count 1
expect_value maps.0.sectors.0.sector 0

# A map that fails, one with a warning, one that gets an empty lump.
words 0 0 512 512 >large-grid
{
    room MAP01 | without BLOCKMAP
    room MAP02 | without LINEDEFS
    room MAP03 | replacing BLOCKMAP large-grid
} | wadtool make PWAD in.wad
expect 1 blocksweep --json --grid=keep in.wad -o out.wad
read_json
expect_map 0 MAP01 fit
expect_value maps.0.warnings.count 1
expect_value maps.0.warnings.0 "$(
    sed -n 's/^blocksweep: in.wad: \(MAP01: .*\)/\1/p' errors)"
expect_value maps.1.map MAP02
expect_value maps.1.status failed
expect_value maps.1.error "$(
    sed -n 's/^blocksweep: in.wad: \(MAP02: .*\)/\1/p' errors)"
expect_value maps.1.bytes_before "$(wc -c <BLOCKMAP)"
expect_value maps.2.status "done"
expect_value maps.2.bytes_after 0
expect_value maps.2.over_limit 1
expect_value maps.2.words $((4 + 512 * 512 + 5 + 5 + 2))
expect_value maps.2.meets_vanilla 0
expect_value maps.2.meets_extended 0
expect_value maps.2.warnings.0 "$(
    sed -n 's/^blocksweep: in.wad: \(MAP03: .*\)/\1/p' errors)"
expect_value total.maps 3
expect_value total.failed 1
expect_value total.linedefs 8
expect_value total.bytes_before 8
expect_value total.bytes_after "$(wc -c <room-blockmap)"

# In place, and what could not be written.
room MAP01 | wadtool make PWAD in.wad
expect 0 blocksweep --json -i in.wad
read_json
expect_value input in.wad
expect_value output in.wad
expect_value written true
expect 3 blocksweep --json in.wad -o nowhere/out.wad
read_json
expect_value output nowhere/out.wad
expect_value written false

# The stages that there are, by the one name that does not depend on others.
expect 0 blocksweep plugins --json --plugin="$PLUGIN"
read_json
expect_value schema 1
expect_value command plugins
expect_value interface 1
expect_value folders.0.path "$(dirname "$PLUGIN")"
expect_value folders.0.installed false
expect_value folders.0.readable true
expect_value plugins.count 1
expect_value plugins.0.name blocksweep
expect_value plugins.0.path "$PLUGIN"
expect_value plugins.0.status loaded
expect_value plugins.0.stage.name blocksweep
expect_value plugins.0.stage.lumps.0 BLOCKMAP
expect_value plugins.0.stage.options.count "$(
    "$BUILD_DIR/tests/command/list-options" "$PLUGIN" | grep -c '^stage ')"
expect_value total.loaded 1
expect_value total.usable 0
expect_value total.unusable 0

# Names of any bytes: UTF-8 stays, others are taken to be Latin-1.
room 'M"\134\001\177\351\377' | wadtool make PWAD in.wad
expect 0 blocksweep --json in.wad -o out.wad
read_json
printf 'maps.0.map M"\\\001\177\303\251\303\277\n' >expected-line
grep '^maps.0.map ' values >found-line
expect_same found-line expected-line
room MAP01 | wadtool make PWAD in.wad
utf8=$(printf 'ein H\303\251rz \342\202\254\011"\\.wad')
latin1=$(printf 'H\351rz.wad')
mv in.wad "$utf8"
expect 0 blocksweep --json "$utf8" -o "$latin1"
read_json
expect_value input "$utf8"
expect_value output "$(printf 'H\303\251rz.wad')"
