#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# coverage.pl FOLDER
#
# Adds up gcov's counts for src/, plugin/ and the kit in a folder that was built
# with counters: the same source may have been compiled for several programs.
# Prints a table, then each line that was not run or has a branch that was not
# taken.
#
# Fails if fewer lines or branches were run than is promised.

use strict;
use warnings;
use JSON::PP;

my %promised = (lines => 95, branches => 90); # percent

@ARGV == 1 or die "usage: coverage.pl FOLDER\n";
my ($folder) = @ARGV;

# What gcov counts: $counts{FILE}{LINE} has runs and a list of branches.
my %counts;

sub add_line {
    my ($file, $line) = @_;
    my $sum = $counts{$file}{ $line->{line_number} } //=
        { runs => 0, branches => [] };
    $sum->{runs} += $line->{count};
    my $index = 0;
    $sum->{branches}[ $index++ ] += $_->{count} for @{ $line->{branches} };
}

sub read_counts {
    my @notes =
        sort glob "$folder/{src,src/*,plugin,builders/kit}/{,.libs/}*.gcno";
    @notes or die "coverage.pl: nothing in $folder was built with counters\n";
    for my $notes (@notes) {
        open my $gcov, '-|', 'gcov', '--json-format', '--stdout',
            '--branch-probabilities', $notes
            or die "coverage.pl: gcov: $!\n";
        my $text = do { local $/; <$gcov> };
        close $gcov or die "coverage.pl: gcov fails for $notes\n";
        for my $source (@{ decode_json($text)->{files} }) {
            next
                unless $source->{file} =~
                m{^(?:\./)?((?:src|plugin|builders/kit)/.*)};
            add_line($1, $_) for @{ $source->{lines} };
        }
    }
}

sub percent {
    my ($run, $all) = @_;
    return $all ? 100 * $run / $all : 100;
}

sub print_row {
    my ($name, %sum) = @_;
    printf "%-28s %6d %6d %6.1f  %6d %6d %6.1f\n", $name,
        $sum{lines_run}, $sum{lines},
        percent($sum{lines_run}, $sum{lines}),
        $sum{branches_run}, $sum{branches},
        percent($sum{branches_run}, $sum{branches});
}

sub sum_of_file {
    my ($lines) = @_;
    my %sum = map { $_ => 0 } qw(lines lines_run branches branches_run);
    for my $line (values %$lines) {
        $sum{lines}++;
        $sum{lines_run}++ if $line->{runs};
        $sum{branches} += @{ $line->{branches} };
        $sum{branches_run} += grep { $_ } @{ $line->{branches} };
    }
    return %sum;
}

sub print_table {
    my %total;
    printf "%-28s %6s %6s %6s  %6s %6s %6s\n", '', 'Run', 'lines', '%',
        'Taken', 'branch', '%';
    for my $file (sort keys %counts) {
        my %sum = sum_of_file($counts{$file});
        print_row($file, %sum);
        $total{$_} += $sum{$_} for keys %sum;
    }
    print_row('Total', %total);
    return %total;
}

sub read_source {
    my ($path) = @_;
    open my $file, '<', $path or die "coverage.pl: $path: $!\n";
    chomp(my @lines = <$file>);
    return @lines;
}

sub print_missing {
    for my $file (sort keys %counts) {
        my @source = read_source("$folder/$file");
        for my $number (sort { $a <=> $b } keys %{ $counts{$file} }) {
            my $line = $counts{$file}{$number};
            my $untaken = grep { !$_ } @{ $line->{branches} };
            next if $line->{runs} && !$untaken;
            (my $text = $source[ $number - 1 ]) =~ s/^\s+//;
            my $what = $line->{runs} ? "$untaken not taken" : 'not run';
            print "$file:$number: $what: $text\n";
        }
    }
}

read_counts();
my %total = print_table();
print "\n";
print_missing();
my $failed = 0;
for my $what (sort keys %promised) {
    my $reached = percent($total{"${what}_run"}, $total{$what});
    next if $reached >= $promised{$what};
    printf "coverage.pl: %.1f %% of $what; %d %% are promised\n", $reached,
        $promised{$what};
    $failed = 1;
}
exit $failed;
