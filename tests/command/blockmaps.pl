# SPDX-License-Identifier: GPL-2.0-or-later
#
# perl blockmaps.pl FOLDER wad FILE
#     makes a WAD of the samples in the folder, a map each, S0, S1, ...
# perl blockmaps.pl FOLDER report
#     compares what verify reports of it with expect.json
# perl blockmaps.pl FOLDER reader COMMAND...
#     compares what a reader prints of each lump, which it gets with the number
#     of linedefs: "refuse REASON", or a line for each block with its linedefs

use strict;
use warnings;
use JSON::PP;

my ($folder, $task, @arguments) = @ARGV;

sub slurp {
    my ($path) = @_;
    open my $file, "<:raw", $path or die "$path: $!\n";
    local $/;
    return scalar <$file>;
}

my $expect  = decode_json(slurp("$folder/expect.json"));
my @samples = @{$expect->{samples}};
my @differ;

sub compare {
    my ($sample, $what, $found, $expected) = @_;
    push @differ, "$sample->{file}: $what is '$found'; '$expected' was "
        . "expected\n" if $found ne $expected;
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
    my %of_fault = (no_grid => "header", no_table => "table",
        in_table => "offset", outside => "offset", endless => "end");
    return "empty" if $map->{form} eq "empty";
    return "size" if $map->{odd_bytes};
    return $of_fault{$map->{fault}} if $map->{fault} ne "none";
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
    compare($sample, $_, $map->{$_}, 0) for qw(missing_entries extra_entries);
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

if ($task eq "wad") {
    write_wad(@arguments);
} elsif ($task eq "report") {
    my @maps = @{decode_json(do { local $/; <STDIN> })->{files}[0]{maps}};
    die "not all maps are in the report\n" if @maps != @samples;
    compare_report($samples[$_], $maps[$_]) for 0 .. $#samples;
} else {
    compare_reader($_, @arguments) for @samples;
}
print @differ;
exit(@differ ? 1 : 0);
