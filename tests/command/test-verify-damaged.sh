#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that verify has something to say about each of 1,000 damaged lumps
# (bits flipped, cut off, offsets swapped and moved, words replaced, ends
# removed), in under 100 ms each, with every finding named; that its counts and
# what it says of each engine family are those of plain readers, which are told
# no more than what lists begin with; and that it names what it counts.

# shellcheck disable=SC2016 # what perl is to expand

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
need_json

limit=100 # milliseconds
! is_sanitized || limit=2000
seed=${SEED:-$(date +%s)}
echo "SEED=$seed"

# read_report: reads a report in JSON from standard input.  Writes the files
#   found       of each map what `wadtool judge` prints; the name alone if its
#               lists cannot be compared
#   headers     what the lists of each map begin with
#   miscounted  maps of which other facts are named than are counted
#   slow        maps that took longer than the limit
#   engines     the engine families
read_report() {
    perl -MJSON::PP -e '
        my ($limit, $short, $count) = @ARGV;
        while (<STDIN>) { # long arrays become their lengths
            if (!defined $count) {
                $count = 0 if s/^( *"(missing|extra|unreadable)": )\[$/$1/;
                s/^( *"(missing|extra|unreadable)": )\[\]/${1}0/;
                $short .= $_;
            } elsif (/^ *\](,?)$/) {
                $short .= "$count$1\n";
                $count = undef;
            } else {
                $count++ if index($_, "\"linedef\": ") >= 0 ||
                    index($_, "\"offset\": ") >= 0;
            }
        }
        my %file;
        for (qw(found headers miscounted slow engines)) {
            open($file{$_}, ">", $_) or die "$_: $!";
        }
        my $most = 10000;
        sub least { $_[0] < $most ? $_[0] : $most }
        my @maps = @{decode_json($short)->{files}[0]{maps}};
        print {$file{engines}} "$_->{engine}\n" for @{$maps[0]{engines}};
        for my $map (@maps) {
            my $name = $map->{map};
            print {$file{headers}} "$name $map->{headers}\n";
            print {$file{slow}} "$name\n" if $map->{seconds} * 1000 >= $limit;
            my @words = $name;
            if ($map->{status} ne "failed") {
                my $told = $map->{form} ne "empty" && $map->{fault} eq "none";
                push @words, $told ? $map->{$_} : "-"
                    for qw(missing_entries outside_entries extra_entries
                        unreadable_blocks);
                push @words, map { $_->{verdict} } @{$map->{engines}};
                my $missing = least($map->{missing_entries}) +
                    least($map->{outside_entries});
                print {$file{miscounted}} "$name\n"
                    if $map->{missing} != $missing ||
                    $map->{extra} != least($map->{extra_entries});
            }
            print {$file{found}} "@words\n";
        }' "$limit"
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

for options in "--pack=share" "--pack=nest" "--pack=nest --header=none" \
    "--pack=share --header=any" "--format=xbm1"; do
    # shellcheck disable=SC2086 # words
    expect_build $options "$sample" -o whole.wad
    wadtool damage whole.wad 200 "$seed" damaged.wad
    # The report has 50 MB.
    {
        status=0
        blocksweep verify --verbose --json damaged.wad 2>sentences || status=$?
        echo $status >status
    } | read_report
    expect_text status 1
    expect_text miscounted ""
    wadtool judge damaged.wad headers >expected
    [ "$(wc -l <found)" -eq 200 ] || fail "200 verdicts were expected"
    wadtool engines | diff - engines ||
        fail "the engine families were expected to be the same"

    # Of those that cannot be compared there is a sentence.
    awk 'NF == 1 { print $1 }' found >failed
    while read -r map; do
        expect_in sentences "damaged.wad: $map: BLOCKMAP: "
    done <failed
    awk 'NR == FNR { if (NF > 1) is_there[$1] = 1; next } $1 in is_there' \
        found expected >expected-others
    awk 'NF > 1' found | diff expected-others - ||
        fail "$options: '<' is what plain readers say, '>' what verify does"
    compared=$(grep -cv ' - ' expected-others)
    echo "$options: the lists of $compared lumps were compared"
    [ "$compared" -ge 150 ] || fail "too few lumps were compared: $compared"

    # On a busy machine a map may have to wait.
    while read -r map; do
        taken=$(processor_time "$map")
        [ "$taken" -lt "$limit" ] ||
            fail "$map took $taken ms; less than $limit were expected"
    done <slow

    # With the segs, too, it ends as well.
    expect 1 blocksweep verify --verbose --nodes damaged.wad
done
