#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# trick-maps.pl NUMBER WAD [CARELESS]
#
# Writes a map, MAP01 of a new WAD without nodes, with tricks that lines do
# which have the same sector on both sides, and prints its kind.  Numbers from 0
# on are kinds in turn; from 14 on they are somewhere else, and of another size.
# In every other round the sector of the trick is one that rises when the
# player walks over a line.
#
# The WAD CARELESS is the same, but lines that only by themselves look as if
# nothing could tell that they are there have tag 999, so that --prune=tagged
# leaves them out.
#
# Every map has a square of four lines and a diagonal on its floor, which is
# inert, and so is the square if no trick is around it.  The kind "pushed" has
# inert lines in a hall with doors: doors move only what is behind them.
#
# Two kinds are not here, as no engine that plays them could tell: none reads
# scripts in the marker of a map, and to none a flat means anything where a line
# is crossed.

use strict;
use warnings;

my ($number, $file, $careless) = @ARGV;
my @kinds = qw(bridge fences platforms pools door pushed nested);
my $kind = $kinds[$number % @kinds];
my $moves = int($number / @kinds) % 2;
my $seed = $number >= 2 * @kinds ? $number : 0;

# A number below $most that depends on the seed and on $for.
sub draw {
    my ($most, $for) = @_;
    return $seed ? ($seed * 7919 + $for * 104729 >> 3) % $most : 0;
}

my (@vertices, %vertex, @lines, @sectors, @things);

sub sector {
    my ($floor, $ceiling, %more) = @_;
    push @sectors, {floor => $floor, ceiling => $ceiling, flat => 'FLOOR0_1',
        sky => 'CEIL1_1', tag => 0, %more};
    return $#sectors;
}

sub vertex {
    my ($x, $y) = @_;
    $vertex{"$x $y"} //= push(@vertices, [$x, $y]) - 1;
    return $vertex{"$x $y"};
}

# A line with its front to the right; the back may be -1.
sub line {
    my ($x1, $y1, $x2, $y2, $front, $back, %more) = @_;
    push @lines, {v1 => vertex($x1, $y1), v2 => vertex($x2, $y2),
        front => $front, back => $back, special => 0, tag => 0, %more};
}

# Lines around a box, clockwise, with their front inside.
sub box {
    my ($west, $south, $east, $north, $inside, $outside, %more) = @_;
    my @corners = ([$west, $south], [$west, $north], [$east, $north],
        [$east, $south], [$west, $south]);
    line(@{$corners[$_]}, @{$corners[$_ + 1]}, $inside, $outside, %more)
        for 0 .. 3;
}

sub thing {
    my ($x, $y, $type, $angle) = @_;
    push @things, pack 's<s<vvv', $x, $y, $angle // 0, $type, 7;
}

my $floor = sector(0, 256);
my %rises = $moves ? (tag => 5) : ();
box(0, 0, 1536, 1024, $floor, -1);
my ($x, $y) = (640 + draw(128, 1), 256 + draw(64, 2));
if ($kind eq 'bridge') {
    my $pit = sector(-128, 256);
    my $trick = sector(0, 256, %rises);
    my $gap = 24 - draw(6, 3);
    box($x - 64, 64, $x + 13 * $gap + 32, 960, $pit, $floor);
    line($x + $_ * $gap, 300, $x + $_ * $gap, 724, $trick, $trick) for 0 .. 12;
    box(1700, 0, 1764, 64, $trick, -1);
} elsif ($kind eq 'fences') {
    my $trick = sector(48 + draw(40, 4), 256, %rises);
    line($_ + $x - 640, 64, $_ + $x - 640, 960, $trick, $trick)
        for 320, 640, 960;
    box(1700, 0, 1764, 64, $trick, -1);
} elsif ($kind eq 'platforms' || $kind eq 'pools') {
    my $height = 32 + draw(64, 5);
    my $trick = sector($kind eq 'pools' ? -$height : $height, 256, %rises);
    for my $west ($x - 256, $x + 160) {
        box($west, $y, $west + 256, $y + 384, $trick, $trick);
        line($west, $y, $west + 256, $y + 384, $trick, $trick);
    }
} elsif ($kind eq 'door') {
    my $door = sector(0, 256, %rises);
    my $trick = sector(40, 256);
    box($x - 192, 128, $x + 320, 896, $door, $floor);
    box($x, $y, $x + 128, $y + 256, $trick, $trick);
    line($x, $y + 256, $x + 128, $y, $door, $door);
    line($x - 64, 256, $x - 64, 512, $trick, $trick);
} elsif ($kind eq 'pushed') {
    my %door = (special => $moves ? 117 : 1);
    my ($door, $hall, $alike) = map { sector(0, $_) } 0, 256, 256;
    my $trick = sector(40, 256);
    box($x + 288, 64, $x - 32, 448, $floor, $door, %door);
    box($x - 16, 80, $x + 272, 432, $hall, $door, %door);
    box($x + 160, 160, $x + 224, 352, $alike, $hall);
    line($x + 160, 160, $x + 224, 352, $alike, $alike);
    line(1200, 64, 1200, 960, $trick, $trick);
} else {
    my $other = sector(0, 256, %rises);
    my $trick = sector(-48, 256);
    box($x - 256 + 96 * $_, 96 + 96 * $_, $x + 384 - 96 * $_, 928 - 96 * $_,
        $_ % 2 ? $floor : $other, $_ % 2 ? $other : $floor) for 0 .. 2;
    box($x - 32, 480, $x + 160, 544, $trick, $trick);
    line($x - 160, 512, $x - 32, 512, $trick, $trick);
}

# What is inert, what makes a sector rise, and who is there.
my $alike = sector(0, 256);
box(128, 640, 256, 768, $alike, $floor);
line(128, 640, 256, 768, $alike, $alike);
line(320, 600, 320, 900, $floor, $floor, special => 58, tag => 5) if $moves;
thing(128, 512, 1);
thing(96 + 32 * $_, 448, 83) for 0 .. 3;
thing(1400, 256 + 192 * $_, $_ % 2 ? 3002 : 3001, 180) for 0 .. 3;
thing($x + 96, 200, 3004, 180);

# Whether a line alone looks as if nothing could tell that it is there.
sub is_careless {
    my ($line) = @_;
    my ($front, $back) = @$line{qw(front back)};
    return 0 if $back < 0 || $line->{special};
    return 1 if $front == $back;
    my ($a, $b) = @sectors[$front, $back];
    return $a->{floor} == $b->{floor} && !$a->{tag} && !$b->{tag};
}

sub write_wad {
    my ($name, $tags) = @_;
    my %lumps = (THINGS => join '', @things);
    for my $line (@lines) {
        my $sides = length($lumps{SIDEDEFS} // '') / 30;
        my $is_open = $line->{back} >= 0;
        $lumps{LINEDEFS} .= pack 'v7', @$line{qw(v1 v2)}, $is_open ? 4 : 1,
            $line->{special},
            $tags && is_careless($line) ? 999 : $line->{tag}, $sides,
            $is_open ? $sides + 1 : 0xFFFF;
        $lumps{SIDEDEFS} .= pack 'vva8a8a8v', 0, 0, 'BROWN96', 'BROWN96', '-',
            $line->{front} if $is_open;
        $lumps{SIDEDEFS} .= pack 'vva8a8a8v', 0, 0, $is_open
            ? ('BROWN96', 'BROWN96', '-', $line->{back})
            : ('-', '-', 'BROWN96', $line->{front});
    }
    $lumps{VERTEXES} = join '', map { pack 's<s<', @$_ } @vertices;
    $lumps{SECTORS} = join '', map {
        pack 's<s<a8a8vvv', @$_{qw(floor ceiling flat sky)}, 160, 0, $_->{tag}
    } @sectors;
    my ($body, $directory) = ('', pack 'VVa8', 12, 0, 'MAP01');
    for (qw(THINGS LINEDEFS SIDEDEFS VERTEXES SECTORS)) {
        $directory .= pack 'VVa8', 12 + length $body, length $lumps{$_}, $_;
        $body .= $lumps{$_};
    }
    open my $out, '>:raw', $name or die "$name: $!\n";
    print $out pack('a4VV', 'PWAD', 6, 12 + length $body), $body, $directory;
    close $out or die "$name: $!\n";
}

write_wad($file, 0);
write_wad($careless, 1) if $careless;
print "$kind, ", $moves ? "moving\n" : "fixed\n";
