#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that verify has something to say about each of 1,000 damaged lumps
# (bits flipped, cut off, offsets swapped and moved, words replaced, ends
# removed), in under 100 ms each, with every finding named; that its counts and
# what it says of each engine family are those of plain readers, which are told
# no more than what lists begin with; and that it names what it counts.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
perl -MJSON::PP -e 1 2>errors || skip "perl's JSON::PP is not there"

judgetool() {
    "$BUILD_DIR/tests/help/judgetool" "$@"
}

damagetool() {
    "$BUILD_DIR/tests/help/damagetool" "$@"
}

# Copies a report, with how many elements they have in place of long arrays.
shorten() {
    awk '
        /^ *"(missing|extra|unreadable)": \[/ {
            in_array = !/\]/
            count = 0
            sub(/\[$/, "")
            sub(/\[\]/, "0")
            printf "%s%s", $0, in_array ? "" : "\n"
            next
        }
        in_array && /^ *\]/ {
            in_array = 0
            sub(/^ *\]/, "")
            print count $0
            next
        }
        in_array { count += /"(linedef|offset)": /; next }
        { print }'
}

# Prints from the report in output what `judgetool judge` prints, and the name
# alone of maps whose lists cannot be compared.
list_verdicts() {
    perl -MJSON::PP -0777 -e '
        my $report = decode_json(<STDIN>);
        for my $map (map { @{$_->{maps}} } @{$report->{files}}) {
            print "$map->{map}";
            if ($map->{status} ne "failed") {
                my $told = $map->{form} ne "empty" && $map->{fault} eq "none";
                print " ", $told ? $map->{$_} : "-"
                    for qw(missing_entries outside_entries extra_entries
                        unreadable_blocks);
                print " $_->{verdict}" for @{$map->{engines}};
            }
            print "\n";
        }' <short
}

# Prints what the lists of each map in the report begin with.
list_headers() {
    perl -MJSON::PP -0777 -e '
        my $report = decode_json(<STDIN>);
        print "$_->{map} $_->{headers}\n"
            for map { @{$_->{maps}} } @{$report->{files}};' <short
}

# Prints the maps in the report whose facts are not those that are counted.
list_miscounted() {
    perl -MJSON::PP -0777 -e '
        my $report = decode_json(<STDIN>);
        my $most = 10000;
        sub least { $_[0] < $most ? $_[0] : $most }
        for my $map (map { @{$_->{maps}} } @{$report->{files}}) {
            next if $map->{status} eq "failed";
            my $missing = least($map->{missing_entries}) +
                least($map->{outside_entries});
            print "$map->{map}\n"
                if $map->{missing} != $missing ||
                $map->{extra} != least($map->{extra_entries});
        }' <short
}

# list_slow LIMIT: prints the maps in the report that took so many milliseconds.
list_slow() {
    perl -MJSON::PP -0777 -e '
        my $report = decode_json(<STDIN>);
        for (map { @{$_->{maps}} } @{$report->{files}}) {
            print "$_->{map}\n" if $_->{seconds} * 1000 >= $ARGV[0];
        }' "$1" <short
}

# processor_time MAP: prints the milliseconds of the processor that this map
# takes by itself, which do not depend on what else the machine does.
processor_time() {
    perl -e '
        open STDOUT, ">", "/dev/null";
        system @ARGV;
        my (undef, undef, $user, $system) = times;
        printf STDERR "%d\n", 1000 * ($user + $system);' \
        "$BUILD_DIR/run" blocksweep verify --quiet --verbose --map="$1" \
        damaged.wad 2>&1 | tail -n 1
}

limit=100
is_sanitized && limit=2000
seed=${SEED:-$(date +%s)}
echo "SEED=$seed"

total=0
for options in "--pack=share" "--pack=nest" "--pack=nest --header=none" \
    "--pack=share --header=any" "--format=xbm1"; do
    # shellcheck disable=SC2086 # words
    expect_build $options "$sample" -o whole.wad
    damagetool whole.wad 200 "$seed" damaged.wad
    expect 1 blocksweep verify --verbose --json damaged.wad
    mv errors sentences
    shorten <output >short
    list_verdicts >found
    list_headers >headers
    list_miscounted >miscounted
    [ ! -s miscounted ] || {
        cat miscounted
        fail "as many facts as are counted were expected of these maps"
    }
    judgetool judge damaged.wad headers >expected
    [ "$(wc -l <found)" -eq 200 ] || fail "200 verdicts were expected"
    perl -MJSON::PP -0777 -e '
        my $report = decode_json(<STDIN>);
        print "$_->{engine}\n"
            for @{$report->{files}[0]{maps}[0]{engines}};' <short >engines
    judgetool engines | diff - engines ||
        fail "the engine families were expected to be the same"
    # Of those that cannot be compared there is a sentence.
    awk 'NF == 1 { print $1 }' found >failed
    while read -r map; do
        grep -q "damaged.wad: $map: BLOCKMAP: " sentences ||
            fail "a sentence about $map was expected"
    done <failed
    grep -vwFf failed expected >expected-others || :
    [ -s failed ] || cp expected expected-others
    grep -vwFf failed found >found-others || :
    [ -s failed ] || cp found found-others
    diff expected-others found-others ||
        fail "$options: '<' is what plain readers say, '>' what verify does"
    compared=$(grep -cv ' - ' expected-others)
    echo "$options: the lists of $compared lumps were compared"
    [ "$compared" -ge 150 ] || fail "too few lumps were compared"
    # On a busy machine a map may have to wait.
    list_slow "$limit" >slow
    while read -r map; do
        taken=$(processor_time "$map")
        [ "$taken" -lt "$limit" ] ||
            fail "$map took $taken ms; less than $limit were expected"
    done <slow
    total=$((total + 200))

    # With the segs, too, it ends as well.
    expect 1 blocksweep verify --verbose --nodes damaged.wad
done
[ "$total" -eq 1000 ] || fail "1,000 lumps were expected"
