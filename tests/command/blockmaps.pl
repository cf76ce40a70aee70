# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests readers of BLOCKMAP lumps with the samples in a folder, such as
# samples/blockmaps.  Prints a line for each sample that passed, one for each
# difference, and how many of the samples passed; exits with 1 if not all did.
#
# perl blockmaps.pl FOLDER reader COMMAND...
#     Your reader.  It is run as COMMAND... LUMP LINEDEFS for each sample, and
#     prints a line for each block, with its linedefs separated by blanks, or
#     "refuse REASON".
# perl blockmaps.pl FOLDER wad FILE
#     Makes a WAD of the samples, a map each, S0, S1, ...
# perl blockmaps.pl FOLDER report <REPORT
#     What `blocksweep verify --json` reports of that WAD.

use strict;
use warnings;
use JSON::PP;

my ($folder, $task, @arguments) = @ARGV;
($task // "") =~ /^(reader|wad|report)$/ && @arguments > 0 == ($1 ne "report")
    or die "usage: perl blockmaps.pl FOLDER reader COMMAND... | wad FILE | "
    . "report <REPORT\n";

sub slurp {
    my ($path) = @_;
    open my $file, "<:raw", $path or die "$path: $!\n";
    local $/;
    return scalar <$file>;
}

my $expect  = decode_json(slurp("$folder/expect.json"));
my @samples = @{$expect->{samples}};
my $differences = 0; # so far

sub compare {
    my ($sample, $what, $found, $expected) = @_;
    return if $found eq $expected;
    print "$sample->{file}: $what is '$found'; '$expected' was expected\n";
    $differences++;
}

# --- The WAD ---

sub map_lumps {
    my ($map) = @_;
    my ($linedefs, $vertexes) = ("", "");
    my @lines = ((map { [999, $map->{lines}[0]] } 1 .. $map->{left_out}),
        map { [0, $_] } @{$map->{lines}});
    for my $row (@lines) {
        my ($tag, $line) = @$row;
        my $first = $tag ? 0 : length($vertexes) / 4;
        $linedefs .= pack "v7", $first, $first + 1, 1, 0, $tag, 0, 0xFFFF;
        $vertexes .= pack "s<4", @$line if !$tag;
    }
    return (LINEDEFS => $linedefs, SIDEDEFS => "", VERTEXES => $vertexes);
}

sub write_wad {
    my ($path) = @_;
    my ($data, $directory) = ("", "");
    for my $number (0 .. $#samples) {
        my $sample = $samples[$number];
        my @lumps  = ("S$number", "", THINGS => "",
            map_lumps($expect->{maps}{$sample->{map}}), SEGS => "",
            SSECTORS => "", NODES => "", SECTORS => "", REJECT => "",
            BLOCKMAP => slurp("$folder/$sample->{file}"));
        while (my ($name, $bytes) = splice @lumps, 0, 2) {
            $directory .= pack "VVa8", 12 + length $data, length $bytes, $name;
            $data .= $bytes;
        }
    }
    open my $file, ">:raw", $path or die "$path: $!\n";
    print {$file} pack("a4VV", "PWAD", length($directory) / 16,
        12 + length $data), $data, $directory;
    close $file or die "$path: $!\n";
}

# --- What verify says ---

# Why a careful reader refuses the lump, in words of blockmap(5), or "".
sub reason_of {
    my ($map) = @_;
    my %of_fault = (
        "its offset is in the table of offsets" => "offset",
        "its offset is past the end of the lump" => "offset",
        "its list has no end" => "end");
    return "empty" if $map->{form} eq "empty";
    return "size" if $map->{odd_bytes};
    return $map->{fault} =~ /too few for a grid$/ ? "header"
        : $map->{fault} =~ /too few for the offsets/ ? "table"
        : $map->{fault} if $map->{fault};
    return "grid" if $map->{columns} * $map->{rows} == 0;
    return $of_fault{$map->{unreadable}[0]{fault}} if $map->{unreadable_blocks};
    return $map->{too_large_lists} ? "linedef" : "";
}

sub compare_report {
    my ($sample, $map) = @_;
    compare($sample, "the reason", reason_of($map), $sample->{refuse} // "");
    if ($sample->{refuse}) {
        compare($sample, "the verdict", $map->{status},
            $sample->{refuse} eq "empty" ? "empty"
            : $sample->{refuse} eq "size" ? $map->{status} : "wrong");
        return;
    }
    compare($sample, $_, $map->{$_}, $sample->{$_}) for qw(form columns rows);
    compare($sample, "the origin", "$map->{origin_x},$map->{origin_y}",
        "$sample->{origin}[0],$sample->{origin}[1]");
    # verify cannot compare lines with a grid that is not in whole map units.
    return compare($sample, "the verdict", $map->{status}, "failed")
        if grep { $_ != int } @{$sample->{origin}};
    # Boom and others skip the first word, whatever it is.
    compare($sample, "headers", $map->{headers}, $sample->{header});
    compare($sample, "the verdict", $map->{status},
        $sample->{header} eq "none" ? "wrong" : "good");
    compare($sample, "missing_entries", $map->{missing_entries}, 0);
    # A 0 between others is the header of a nested list.
    my $extra = 0;
    for (@{$sample->{lists}}) {
        my ($count, $list) = @$_;
        $extra += $count if "@$list" =~ /[1-9] 0 [1-9]/;
    }
    compare($sample, "extra_entries", $map->{extra_entries}, $extra);
}

# --- What a reader says ---

sub compare_reader {
    my ($sample, @command) = @_;
    open my $pipe, "-|", @command, "$folder/$sample->{file}",
        $sample->{linedefs} or die "$command[0]: $!\n";
    chomp(my @lines = <$pipe>);
    close $pipe or !$! or die "$command[0]: $!\n";
    my @expected = map { ("@{$_->[1]}") x $_->[0] } @{$sample->{lists}};
    @expected = "refuse $sample->{refuse}" if $sample->{refuse};
    compare($sample, "line $_", $lines[$_] // "not there",
        $expected[$_] // "not there")
        for grep { ($lines[$_] // "-") ne ($expected[$_] // "-") }
        0 .. (@lines > @expected ? $#lines : $#expected);
}

# Compares every sample, and exits.
sub compare_all {
    my ($compare) = @_;
    my $passed = 0;
    for my $sample (@samples) {
        my $before = $differences;
        $compare->($sample);
        next if $differences > $before;
        print "$sample->{file}: ", $sample->{refuse} ? "refused, " : "",
            $sample->{refuse} // "read", "\n";
        $passed++;
    }
    printf "%d of %d samples passed\n", $passed, scalar @samples;
    exit($passed < @samples ? 1 : 0);
}

if ($task eq "wad") {
    write_wad(@arguments);
} elsif ($task eq "report") {
    my @maps = @{decode_json(do { local $/; <STDIN> })->{files}[0]{maps}};
    die "not all maps are in the report\n" if @maps != @samples;
    compare_all(sub { compare_report($_[0], shift @maps) });
} else {
    compare_all(sub { compare_reader($_[0], @arguments) });
}
