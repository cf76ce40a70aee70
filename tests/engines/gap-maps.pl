#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gap-maps.pl NUMBER: writes a map with 15 walls, each of which is missing in
# one block, along 1 to 90 units; see wall-files.pl.
#
# The NUMBER, from 0 to 3, is a kind of gaps: a straight wall with a free end,
# one that goes on, and the same at 45 degrees.  In turn they are in walls with
# one side, impassable lines and steps of 64 units.  They look in all
# directions.

use strict;
use warnings;
use FindBin;

require "$FindBin::Bin/wall-files.pl";

my $GAPS = 15;
my $ROOM = 2048;
my @STATES = ('one-sided', 'one-sided', 'one-sided', 'impassable', 'step');

# The line of a gap, and the line behind its end, if there is one, where the
# block that does not list it is at 0,0.
sub shape {
    my ($number, $i) = @_;
    my $length = 1 + int(89 * $i / ($GAPS - 1) + 0.5);
    my $across = int($length / sqrt(2) + 0.5) || 1;
    my $height = (64, 5, 120)[$i % 3];
    return ([-200, $height, $length, $height], undef) if $number == 0;
    return ([-200, $height, $length, $height],
        [$length, $height, $length + 200, $height]) if $number == 1;
    return ([-150, 250, $across, 100 - $across], undef) if $number == 2;
    return ([-150, $across + 150, $across + 150, -150], undef);
}

# Turns and mirrors a line within the block.
sub turn {
    my ($i, @line) = @_;
    my $turn = $i * 5 % 8;
    @line[0, 2] = map { 128 - $_ } @line[0, 2] if $turn & 1;
    @line[1, 3] = map { 128 - $_ } @line[1, 3] if $turn & 2;
    @line = @line[1, 0, 3, 2] if $turn & 4;
    return [map { $_ + 1280 } @line];
}

my ($number) = @ARGV;
my @walls;
for my $i (0 .. $GAPS - 1) {
    my ($line, $more) = shape($number, $i);
    my $ends = turn($i, @$line);
    push @walls, {ends => $ends, state => $STATES[$i % @STATES],
        more => $more && turn($i, @$more), free => $more ? $line->[2] : $ROOM,
        blocks => [grep { $_ ne '10,10' }
            map { $_ % 100 . ',' . int($_ / 100) } blocks_of($ends, 100)]};
}
write_rooms($ROOM, @walls);
