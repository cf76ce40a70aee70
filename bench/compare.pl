#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares node builders: each one that is installed or named builds the
# blockmaps of Freedoom's WADs, and blocksweep verifies and shows what it wrote.
# Prints a table in Markdown.  Builders run by turns; times are sums of medians
# of ROUNDS.
#
# compare.pl BLOCKSWEEP ROUNDS WAD...
#     the table of README.md
# compare.pl --builders BLOCKSWEEP ROUNDS WAD...
#     doc/builders.md, who builds what; BUILDERS in the environment names more
#     builders, as "NAME=COMMAND; NAME=COMMAND" with IN and OUT for the files

use strict;
use warnings;
use File::Temp;
use JSON::PP;
use POSIX qw(strftime);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my $is_page = @ARGV && $ARGV[0] eq '--builders' && shift;
my ($blocksweep, $rounds, @wads) = @ARGV;
@wads or die "compare.pl: no WAD to compare with; set FREEDOOM_DIR\n";

my $folder = File::Temp->newdir;
my $out = "$folder/out.wad";

# What is compared: its name, whether it makes nodes, too, and its command,
# where IN and OUT stand for files.  ZDBSP does without nodes with -N, and
# leaves REJECT alone with -E.
my @builders = (
    ["as shipped", ""],
    ["ZDBSP", "", qw(zdbsp -N -E -o OUT IN)],
    ["glBSP", "and nodes", qw(glbsp -q -n IN -o OUT)],
    ["ELFBSP", "and nodes", qw(elfbsp IN -o OUT)],
);
push @builders, $is_page ? (
    map({ /^\s*([^=]+)=(.+)/s ? [$1, "", split ' ', $2] : () }
        split /;/, $ENV{BUILDERS} // ""),
    ["Boom, DSDA-Doom, Woof: `--lists=boom`", "",
     $blocksweep, qw(-q --lists=boom IN -o OUT)],
    ["MBF, Crispy Doom: `--lists=mbf`", "",
     $blocksweep, qw(-q --lists=mbf IN -o OUT)],
    ["blocksweep", "", $blocksweep, qw(-q IN -o OUT)],
) : (
    ["blocksweep", "", $blocksweep, qw(-q IN -o OUT)],
    ["blocksweep --preset=small", "",
     $blocksweep, qw(-q --preset=small IN -o OUT)],
    ["blocksweep --preset=vanilla", "",
     $blocksweep, qw(-q --preset=vanilla IN -o OUT)],
);

sub is_installed {
    my $program = shift // return 1;
    return -x $program if $program =~ m{/};
    return grep { -x "$_/$program" } split /:/, $ENV{PATH};
}

# Runs a command without output; returns the seconds it takes.
sub run {
    my @command = @_;
    my $start = clock_gettime(CLOCK_MONOTONIC);
    my $child = fork // die "compare.pl: fork: $!\n";
    if (!$child) {
        open STDOUT, '>', '/dev/null';
        open STDERR, '>', '/dev/null';
        exec @command or exit 127;
    }
    waitpid $child, 0;
    die "compare.pl: failed: @command\n" if $?;
    return clock_gettime(CLOCK_MONOTONIC) - $start;
}

# What blocksweep says in JSON of a file, with a command.
sub facts_of {
    my ($command, $wad) = @_;
    my $json = qx("$blocksweep" $command --quiet --json "$wad");
    return decode_json($json);
}

# Adds what is in a file to the sums of a builder.
sub count_facts {
    my ($sum, $wad) = @_;
    my $total = facts_of("verify", $wad)->{total};
    $sum->{$_} += $total->{$_} for keys %$total;
    return if !$is_page;
    for my $map (@{facts_of("show", $wad)->{maps}}) {
        my $offset = $map->{largest_offset} // 0;
        $sum->{offset} = $offset if $offset > ($sum->{offset} // 0);
        $sum->{$_} += $map->{$_} // 0 for qw(lists unsorted_lists);
        $sum->{headers}{$map->{headers} // "none"}++;
        $sum->{makers}{$_}++ for @{$map->{makers} // []};
    }
}

# "zero 98, any 2": how many maps have what.
sub listed {
    my $count = shift;
    return join ", ", map { "$_ $count->{$_}" }
        sort { $count->{$b} <=> $count->{$a} || $a cmp $b } keys %$count;
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
            my $made = @command ? $out : $wad;
            s/^IN$/$wad/, s/^OUT$/$out/ for @command;
            push @{$times{$name}}, @command ? run(@command) : 0;
            next if $round > 1;
            count_facts($sum{$name} //= {}, $made);
        }
    }
    $sum{$_}{time} += median(@{$times{$_}}) for keys %times;
}

# The columns of the tables: heads, and cells of a builder.
my @heads = ("missing entries", "that matter", "extra", "bytes");
my @page_heads = ("largest offset", "lists not ascending", "headers, maps",
    "algorithm, maps");

sub cells_of {
    my ($builder, $sum) = @_;
    my @cells = @$sum{qw(missing_entries harmful_entries extra_entries bytes)};
    push @cells, $sum->{offset}, "$sum->{unsorted_lists} of $sum->{lists}",
        listed($sum->{headers}), listed($sum->{makers} // {}) if $is_page;
    push @cells, $builder->[2]
        ? sprintf("%.2f %s", $sum->{time}, $builder->[1]) =~ s/ $//r : "";
    return @cells;
}

if ($is_page) {
    my $release = join ", ", map { m{([^/]+)$} } @wads;
    print "# Who builds what\n\n",
        "`make builders` prints this page: what node builders, and engines by\n",
        "themselves, make of the blockmaps of $release.\n",
        "Printed on ", strftime("%Y-%m-%d", localtime), ".\n\n";
    push @heads, @page_heads;
}
print "| ", join(" | ", "lumps of", @heads, "seconds"), " |\n",
    "|---|", "--:|" x (@heads + 1), "\n";
print "| ", join(" | ", $_->[0], cells_of($_, $sum{$_->[0]})), " |\n"
    for @builders;
print <<'END' if $is_page;

Missing entries are linedefs that a block's list lacks; those that matter let
things through. Lists not ascending have their linedefs in another order. Headers
are the first words of lists. The algorithm is what `blocksweep show` finds: all
lists of the map are those of `--lists=boom`, `mbf`, `zdbsp` or `glbsp`, wherever
they lie in the lump; on some maps several of these make the same.
END
