#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that verify has something to say about each of 1,000 damaged lumps
# (bits flipped, cut off, offsets swapped and moved, words replaced, ends
# removed), in under 100 ms each, and that its counts and what it says of each
# engine family are those of plain readers.

set -eu
# shellcheck source=tests/library.sh
. "$SOURCE_DIR/tests/library.sh"
perl -MJSON::PP -e 1 2>errors || skip "perl's JSON::PP is not there"

judgetool() {
    "$BUILD_DIR/tests/judgetool" "$@"
}

# Prints from the report in output what `judgetool judge` prints, "- - -" where
# that does, and the name alone of maps whose lists cannot be compared.
list_verdicts() {
    perl -MJSON::PP -0777 -e '
        my $report = decode_json(<STDIN>);
        for my $map (map { @{$_->{maps}} } @{$report->{files}}) {
            print "$map->{map}";
            if ($map->{status} ne "failed") {
                my $told = $map->{form} eq "classic" &&
                    $map->{headers} eq "zero";
                print " ", $told ? $map->{$_} : "-"
                    for qw(missing_touches outside_touches extra_touches);
                print " $_->{verdict}" for @{$map->{engines}};
            }
            print "\n";
        }' <output
}

# slowest: prints the most milliseconds that a map took.
slowest() {
    sed -n 's/^ *"seconds": \([0-9.]*\),*$/\1/p' output | sort -n |
        awk 'END { printf "%d\n", $1 * 1000 }'
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
    judgetool damage whole.wad 200 "$seed" damaged.wad
    expect 1 blocksweep verify --json damaged.wad
    mv errors sentences
    list_verdicts >found
    judgetool judge damaged.wad >expected
    [ "$(wc -l <found)" -eq 200 ] || fail "200 verdicts were expected"
    perl -MJSON::PP -0777 -e '
        my $report = decode_json(<STDIN>);
        print "$_->{engine}\n"
            for @{$report->{files}[0]{maps}[0]{engines}};' <output >engines
    judgetool engines | diff - engines ||
        fail "the engine families were expected to be the same"
    # Of those that cannot be compared there is a sentence.
    awk 'NF == 1 { print $1 }' found >failed
    while read -r map; do
        grep -q "damaged.wad: $map: BLOCKMAP: " sentences ||
            fail "a sentence about $map was expected"
    done <failed
    [ "$(wc -l <failed)" -lt 50 ] || fail "too few lumps were compared"
    grep -vwFf failed expected >expected-others || :
    [ -s failed ] || cp expected expected-others
    grep -vwFf failed found >found-others || :
    [ -s failed ] || cp found found-others
    diff expected-others found-others ||
        fail "$options: '<' is what plain readers say, '>' what verify does"
    [ "$(slowest)" -lt "$limit" ] ||
        fail "a map took $(slowest) ms; less than $limit were expected"
    total=$((total + 200))

    # With every finding named it ends as well.
    expect 1 blocksweep verify --verbose --nodes damaged.wad
done
[ "$total" -eq 1000 ] || fail "1,000 lumps were expected"
