# SPDX-License-Identifier: GPL-2.0-or-later
#
# What gap-maps.pl, real-walls.pl and try-walls.pl share: files, which
# reading-lumps.pl has, too, and walls.
#
# A wall is a line that some blocks do not list.  The files of a map with walls
# are map.wad, whose first bytes after its header are the things, and, with a
# line for each wall:
#
#   lines   its ends, the origin, columns and rows of the grid, and the blocks
#           that list it
#   facts   its linedef; its state, "one-sided", "impassable" or "step"; how
#           wide it is free where it is not listed; and begin and end of these
#           pieces, from the first end of the line
#   said    how much of it players, missiles and shots can cross
#
# and "others", the ends of each line that may stop somebody on his way there.

use strict;
use warnings;

sub least { return $_[0] < $_[1] ? $_[0] : $_[1] }
sub most { return $_[0] > $_[1] ? $_[0] : $_[1] }

sub read_file {
    open my $file, '<:raw', $_[0] or return '';
    local $/;
    return <$file> // '';
}

sub write_file {
    my ($name, @bytes) = @_;
    open my $file, '>:raw', $name or die "$name: $!\n";
    print $file @bytes;
    close $file or die "$name: $!\n";
}

sub write_wad {
    my ($name, @lumps) = @_;
    my ($body, $directory) = ('', '');
    while (my ($lump, $bytes) = splice @lumps, 0, 2) {
        $directory .= pack 'VVa8', 12 + length $body, length $bytes, $lump;
        $body .= $bytes;
    }
    write_file($name, pack('a4VV', 'PWAD', length($directory) / 16,
        12 + length $body), $body, $directory);
}

sub pack_blockmap {
    my ($x, $y, $columns, $rows, @lists) = @_;
    my ($offsets, $words, %place) = ('', '');
    for (@lists) {
        my $list = pack 'v*', 0, @$_, 0xFFFF;
        if (!defined $place{$list}) {
            $place{$list} = 4 + @lists + length($words) / 2;
            $words .= $list;
        }
        $offsets .= pack 'v', $place{$list};
    }
    return pack('s<s<vv', $x, $y, $columns, $rows) . $offsets . $words;
}

# The pieces of a line in blocks that do not list it: begin, end, begin, end.
# There is always one, if only the end of the line.
sub pieces {
    my ($ends, $blocks) = @_;
    my ($x1, $y1, $x2, $y2) = @$ends;
    my %is_listed = map { $_ => 1 } @$blocks;
    my $length = sqrt(($x2 - $x1) ** 2 + ($y2 - $y1) ** 2);
    my ($steps, @pieces) = (int(4 * $length) + 1);
    for (0 .. $steps) {
        my $part = $_ / $steps;
        my $column = floor(($x1 + $part * ($x2 - $x1)) / 128);
        my $row = floor(($y1 + $part * ($y2 - $y1)) / 128);
        next if $is_listed{"$column,$row"};
        my $at = $part * $length;
        if (@pieces && $at - $pieces[-1] < 1.5 * $length / $steps) {
            $pieces[-1] = $at;
        } else {
            push @pieces, $at, $at;
        }
    }
    return @pieces ? @pieces : (0, $length);
}

sub floor {
    return int($_[0]) - ($_[0] < int $_[0] ? 1 : 0);
}

# --- Rooms ---

# Writes a map with walls, each in a room of its own, which is $size units wide.
# Each is a hash:
#
#   ends    of the line, from the origin of a grid
#   blocks  of this grid, "column,row", that list it
#   state   as above
#   free    as above
#   more    ends of a line that goes on, listed wherever it is, or undef
#
# It is moved by whole blocks.  The map has one subsector, so that only lines
# stop something, no floors.
sub write_rooms {
    my ($size, @walls) = @_;
    my $side = 4;
    my $columns = $side * $size / 128;
    my (@lines, @its, %vertex, @vertices);
    for my $i (0 .. $#walls) {
        my $wall = $walls[$i];
        my ($x, $y) = ($i % $side * $size, int($i / $side) * $size);
        my @corners = ([$x + 2, $y + 2], [$x + 2, $y + $size - 2],
            [$x + $size - 2, $y + $size - 2], [$x + $size - 2, $y + 2]);
        push @lines, {ends => [@{$corners[$_]}, @{$corners[($_ + 1) % 4]}],
            state => 'one-sided'} for 0 .. 3;
        my @ends = @{$wall->{ends}};
        my $right = ($x + $size / 2) / 128 - floor(($ends[0] + $ends[2]) / 256);
        my $up = ($y + $size / 2) / 128 - floor(($ends[1] + $ends[3]) / 256);
        my @moves = (128 * $right, 128 * $up) x 2;
        my @blocks = grep { $_ >= 0 && $_ < $columns * $columns } map {
            my ($column, $row) = split /,/;
            ($row + $up) * $columns + $column + $right } @{$wall->{blocks}};
        push @lines, {ends => [map { $ends[$_] + $moves[$_] } 0 .. 3],
            state => $wall->{state}, blocks => [sort { $a <=> $b } @blocks]};
        push @its, $#lines;
        push @lines, {ends => [map { $wall->{more}[$_] + $moves[$_] } 0 .. 3],
            state => $wall->{state}} if $wall->{more};
    }
    my ($linedefs, $sidedefs) = ('', '');
    my @lists = map { [] } 1 .. $columns * $columns;
    for my $i (0 .. $#lines) {
        my ($line, $side) = ($lines[$i], length($sidedefs) / 30);
        my @v = map {
            my $key = "@{$line->{ends}}[2 * $_, 2 * $_ + 1]";
            $vertex{$key} //= push(@vertices, $key) - 1;
        } 0, 1;
        my $is_open = $line->{state} ne 'one-sided';
        $linedefs .= pack 'v7', @v, {'one-sided' => 1, impassable => 5,
            step => 4}->{$line->{state}}, 0, 0, $side,
            $is_open ? $side + 1 : 0xFFFF;
        $sidedefs .= pack 'vva8a8a8v', 0, 0, '-', '-', 'BROWN96', 0;
        $sidedefs .= pack 'vva8a8a8v', 0, 0, '-', '-', '-',
            $line->{state} eq 'step' ? 1 : 0 if $is_open;
        push @{$lists[$_]}, $i
            for @{$line->{blocks} // [blocks_of($line->{ends}, $columns)]};
    }
    my $sector = 's<s<a8a8vvv';
    write_wad('map.wad', MAP01 => '', THINGS => pack('v*', (0) x 20),
        LINEDEFS => $linedefs, SIDEDEFS => $sidedefs,
        VERTEXES => join('', map { pack 's<s<', split } @vertices),
        SEGS => pack('v6', 0, 1, 0x4000, 0, 0, 0), SSECTORS => pack('v2', 1, 0),
        NODES => '', SECTORS => pack($sector, 0, 256, 'FLOOR0_1', 'CEIL1_1',
            160, 0, 0) . pack($sector, 64, 256, 'FLOOR0_1', 'CEIL1_1', 160, 0,
            0), REJECT => "\0",
        BLOCKMAP => pack_blockmap(0, 0, $columns, $columns, @lists));
    write_file('lines', map { join(' ', @{$_->{ends}}, 0, 0, $columns, $columns,
        @{$_->{blocks}}) . "\n" } @lines[@its]);
    write_file('facts', map { join(' ', $its[$_], @{$walls[$_]}{qw(state free)},
        pieces(@{$walls[$_]}{qw(ends blocks)})) . "\n" } 0 .. $#its);
    write_file('others', map { "@{$_->{ends}}\n" }
        grep { !$_->{blocks} } @lines);
}

# The blocks of a line that is level, upright or at 45 degrees: whole units will
# do.
sub blocks_of {
    my ($ends, $columns) = @_;
    my ($x1, $y1, $x2, $y2) = @$ends;
    my %blocks;
    for (0 .. most(abs($x2 - $x1), abs($y2 - $y1))) {
        my $column = floor(($x1 + ($x2 <=> $x1) * $_) / 128);
        my $row = floor(($y1 + ($y2 <=> $y1) * $_) / 128);
        $blocks{$row * $columns + $column} = 1;
    }
    return sort { $a <=> $b } keys %blocks;
}

1;
