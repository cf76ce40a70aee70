#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares node builders: each one that is installed or named builds the
# blockmaps of Freedoom's WADs, and blocksweep verifies and shows what it wrote.
# Prints a table in Markdown.  Builders run by turns; times are sums of medians
# of ROUNDS.
#
# compare-builders.pl BLOCKSWEEP ROUNDS WAD...
#
# BUILDERS in the environment names more builders, as
# "NAME=COMMAND; NAME=COMMAND" with IN and OUT for the files.

use strict;
use warnings;
use File::Temp;
use JSON::PP;
use List::Util qw(max sum);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my ($blocksweep, $rounds, @wads) = @ARGV;
@wads or die "compare-builders.pl: no WAD to compare with; set FREEDOOM_DIR\n";

my $folder = File::Temp->newdir;

# What is compared: its name, whether it makes nodes, too, and its command,
# where IN and OUT stand for files.  ZDBSP does without nodes with -N, and
# leaves REJECT alone with -E.
my @builders = (
    ["Freedoom, as shipped", ""],
    ["ZDBSP", "", qw(zdbsp -N -E -o OUT IN)],
    ["glBSP", "and nodes", qw(glbsp -q -n IN -o OUT)],
    ["ELFBSP", "and nodes", qw(elfbsp IN -o OUT)],
);
push @builders, map({ /^\s*([^=]+)=(.+)/s ? [$1, "", split ' ', $2] : () }
        split /;/, $ENV{BUILDERS} // ""),
    ["blocksweep", "", $blocksweep, qw(-q IN -o OUT)],
    ["blocksweep --preset=small", "",
     $blocksweep, qw(-q --preset=small IN -o OUT)],
    ["blocksweep --preset=vanilla", "",
     $blocksweep, qw(-q --preset=vanilla IN -o OUT)];

sub is_installed {
    my $program = shift // return 1;
    return -x $program if $program =~ m{/};
    return grep { -x "$_/$program" } split /:/, $ENV{PATH};
}

# Runs a command without output; returns the seconds it takes.
sub run {
    my @command = @_;
    my $start = clock_gettime(CLOCK_MONOTONIC);
    my $child = fork // die "compare-builders.pl: fork: $!\n";
    if (!$child) {
        open STDOUT, '>', '/dev/null';
        open STDERR, '>', '/dev/null';
        exec @command or exit 127;
    }
    waitpid $child, 0;
    die "compare-builders.pl: failed: @command\n" if $?;
    return clock_gettime(CLOCK_MONOTONIC) - $start;
}

# Adds what is in a file to the sums of a builder, and of each map the walls in
# the game where most can be crossed, or most slides may differ.  Lumps for Doom
# 1.9 count as that game reads them.
sub count_facts {
    my ($sum, $wad, $builder) = @_;
    my $for = grep(/^--preset=vanilla$/, @$builder) ? "--for=doom19" : "";
    my $json = qx("$blocksweep" verify --quiet --json $for "$wad");
    my $report = decode_json($json);
    $sum->{$_} += $report->{total}{$_} for keys %{$report->{total}};
    for my $map (@{$report->{files}[0]{maps}}) {
        my @groups = grep { defined $_->{slides_only} } @{$map->{groups}};
        $sum->{crossed} += max 0,
            map { sum @$_{qw(players_cross missiles_cross shots_cross)} } @groups;
        $sum->{slides} += max 0, map { $_->{slides_only} } @groups;
    }
}

sub median {
    my @sorted = sort { $a <=> $b } @_;
    return $sorted[@sorted / 2];
}

@builders = grep { is_installed($_->[2]) } @builders;
my %sum;
for my $wad (@wads) {
    my %times;
    for my $round (1 .. $rounds) {
        for my $builder (@builders) {
            my ($name, undef, @command) = @$builder;
            # Each replaces its own file, and none waits for the disk to write
            # another's.
            my $out = "$folder/$name.wad" =~ s/ //gr;
            my $made = @command ? $out : $wad;
            s/^IN$/$wad/, s/^OUT$/$out/ for @command;
            system "sync";
            push @{$times{$name}}, @command ? run(@command) : 0;
            next if $round > 1;
            count_facts($sum{$name} //= {}, $made, $builder);
        }
    }
    $sum{$_}{time} += median(@{$times{$_}}) for keys %times;
}

sub cells_of {
    my ($builder, $sum) = @_;
    my $seconds = sprintf "%.2f %s", $sum->{time}, $builder->[1];
    return @$sum{qw(missing_entries crossed slides extra_entries bytes)},
        $builder->[2] ? $seconds =~ s/ $//r : "";
}

my @heads = ("lumps of", "missing entries", "walls to cross",
    "slides that may differ", "extra", "bytes", "seconds");
print "| ", join(" | ", @heads), " |\n|---|", "--:|" x $#heads, "\n";
print "| ", join(" | ", $_->[0], cells_of($_, $sum{$_->[0]})), " |\n"
    for @builders;
