#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lattice.pl COUNT SEED: prints a WAD of so many maps in Doom format, for
# lines.pl: small ones with all that makes a line inert or keeps it.  Their lines
# lie on a bent lattice, of which some edges are drawn.  Each area between them
# has one sector; in some maps a side shows another, lines lie on each other,
# cross, have no length or end in the middle of others.
#
# lattice.pl specials: one of these maps once for each special of lines, with and
# without a tag, and of sectors.

use strict;
use warnings;

my ($count, $seed) = @ARGV;
my $SIDE = 8;    # points along the lattice; nothing is in the outermost squares
my @STEPS = ([1, 0], [0, 1], [1, 1], [1, -1]);    # east, north, up, down

sub below { return int rand $_[0] }
sub pick { return $_[below(scalar @_)] }

# Squares are halved from south-west to north-east: 0 is the half to the south.
sub half { my ($x, $y, $half) = @_; return 2 * ($y * $SIDE + $x) + $half }

# The halves to the right and to the left of an edge.
sub beside {
    my ($x, $y, $way) = @_;
    return $way == 0 ? (half($x, $y - 1, 1), half($x, $y, 0))
        : $way == 1 ? (half($x, $y, 1), half($x - 1, $y, 0))
        : $way == 2 ? (half($x, $y, 0), half($x, $y, 1))
        : (half($x, $y - 1, 0), half($x, $y - 1, 0));
}

my @root;

sub area {
    my ($half) = @_;
    $half = $root[$half] while $root[$half] != $half;
    return $half;
}

sub is_middle { return !grep { $_ < 3 || $_ > 4 } @_ }

# Draws the lines, [X, Y, WAY, LENGTH], or none between the rim and the middle.
sub draw {
    my ($density, $is_spoilt, $is_bare) = @_;
    my @lines;
    @root = 0 .. 2 * $SIDE * $SIDE - 1;
    for my $y (1 .. $SIDE - 1) {
        for my $x (1 .. $SIDE - 1) {
            for my $way (0 .. 2) {
                my ($dx, $dy) = @{$STEPS[$way]};
                my $is_inside = $x + $dx < $SIDE && $y + $dy < $SIDE;
                my $is_rim = $way == 0 ? $y == 1 || $y == $SIDE - 1
                    : $way == 1 && ($x == 1 || $x == $SIDE - 1);
                my $is_drawn = $is_rim || ($is_bare
                    ? is_middle($x, $y, $x + $dx, $y + $dy)
                    : below(12) < $density);
                if ($is_inside && $is_drawn) {
                    push @lines, [$x, $y, $way, 1];
                } else {
                    my ($right, $left) = map { area($_) } beside($x, $y, $way);
                    $root[$right] = $left;
                }
            }
        }
    }
    return @lines if !$is_spoilt;
    for (1 .. pick(1, 1, 2, 3)) {
        my @line = @{pick(@lines)};
        $line[3] = pick(0, 1, 1, 2);
        $line[2] = 3 if $line[1] > 2 && $line[0] < $SIDE - 2 && !below(3);
        push @lines, \@line;
    }
    splice @lines, below(scalar @lines), 1 if !below(3);
    return @lines;
}

# The lumps of a map, in their order; of a line and of the sector before it
# these may be the specials.
sub make_map {
    my ($special, $tag, $sector_special) = @_;
    my $is_spoilt = !defined $special && !below(3);
    my ($vertexes, $linedefs, $sidedefs, $sectors, $sides) = ("") x 4, 0;
    my @bend = (20 + below(40), below(25) - 12, below(25) - 12, 20 + below(40));
    my $specials = defined $special ? 0 : pick(0, 0, 1, 2);
    my $is_bare = !defined $special && !below(4);
    my $is_trick = $is_bare && below(2);    # the middle shows another sector
    my @lines = draw(2 + below(8), $is_spoilt, $is_bare);
    my $outside = area(0);
    for (0 .. 5) {
        $sectors .= pack "s<2 a8 a8 v3", below(8) ? 0 : 8,
            pick((128) x 8, 0, 160), pick(("FLAT") x 8, "flat", "LAVA"),
            pick(("CEIL") x 8, "F_SKY1", "f_sky1"), 160,
            pick((0) x 20, below(40), below(65536)), below(15) ? 0 : below(4);
    }
    for my $line (@lines) {
        my ($x, $y, $way, $length) = @$line;
        my @ends = ([$x, $y], [$x + $length * $STEPS[$way][0],
            $y + $length * $STEPS[$way][1]]);
        my @areas = map { area($_) } beside($x, $y, $way);
        my $more = $is_trick && is_middle($x, $y);
        my @shown = map { $_ == $outside ? 65535 : ($_ + $more) % 6 } @areas;
        $shown[below(2)] = below(6) if $is_spoilt && !below(40);
        $shown[0] = 0 if $shown[0] == 65535 && $shown[1] == 65535;
        if ($shown[0] == 65535 || ($shown[1] != 65535 && below(2))) {
            @ends = reverse @ends;
            @shown = reverse @shown;
        }
        $linedefs .= pack "v5", length($vertexes) / 4,
            length($vertexes) / 4 + 1,
            ($shown[1] == 65535 ? 1 : 4) ^ (below(60) ? 0 : 1 << below(16)),
            $specials-- > 0 && !below(2)
            ? (pick(1 + below(320), 0x2F80 + below(0x5080), below(65536)),
                below(4)) : (0, below(60) ? 0 : 3);
        $linedefs .= pack "v", $_ == 65535 ? $_ : $sides++ for @shown;
        $sidedefs .= pack "x28 v", $_ for grep { $_ != 65535 } @shown;
        $vertexes .= pack "s<2", $bend[0] * $$_[0] + $bend[1] * $$_[1],
            $bend[2] * $$_[0] + $bend[3] * $$_[1] for @ends;
    }
    if (defined $special) {
        my $line = 14 * int(@lines / 2);
        my $side = unpack "v", substr $linedefs, $line + 10, 2;
        my $sector = unpack "v", substr $sidedefs, 30 * $side + 28, 2;
        substr $linedefs, $line + 6, 4, pack "v2", $special, $tag;
        substr $sectors, 26 * $sector + 22, 2, pack "v", $sector_special;
    }
    return (THINGS => pack("v5", 0, 0, 0, 1, 7), LINEDEFS => $linedefs,
        SIDEDEFS => $sidedefs, VERTEXES => $vertexes, SEGS => "",
        SSECTORS => "", NODES => "", SECTORS => $sectors, REJECT => "",
        BLOCKMAP => "");
}

# The arguments of make_map for each map; the seed is one of a map where each
# special makes a difference.
srand($seed // 1);
my @all = $count ne "specials" ? ([]) x $count
    : map { ([$_, 0, 0], [$_, 1, 0], [0, 0, $_]) } 0 .. 300, 0x2F7F .. 0x2F88,
    0x2FFF, 0x3000, 0x33FF .. 0x3408, 0x7FF8 .. 0x8001, 0xFFFF;

my ($data, $directory, $number) = ("", "", 0);
for (@all) {
    srand 74 if @$_;
    my @lumps = (sprintf("L%d", $number++), "", make_map(@$_));
    while (my ($name, $bytes) = splice @lumps, 0, 2) {
        $directory .= pack "V2 a8", 12 + length $data, length $bytes, $name;
        $data .= $bytes;
    }
}
binmode STDOUT;
print pack("a4 V2", "PWAD", length($directory) / 16, 12 + length $data), $data,
    $directory;
