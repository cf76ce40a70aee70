#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make-demo.pl EPISODE MAP SKILL TICS SEED: prints a demo of Doom 1.9, whose
# player runs into walls.  Maps of Doom II are in episode 1; SKILL is 1 to 5.
#
# The player stands for a moment, then runs leg after leg, along walls and into
# corners, turns on the way, and uses what there is at the end of some legs.  He
# cannot see: the same arguments give the same bytes, whatever the map.
#
# The format: 13 bytes, of which the first is the version, 4 bytes for each tic,
# and a byte at the end (G_BeginRecording, G_WriteDemoTiccmd and
# G_CheckDemoStatus of g_game.c).

use strict;
use warnings;
no warnings 'portable';    # of 64 bits

my ($episode, $map, $skill, $tics, $state) = @ARGV;
my $RUN = 50;        # speed forward, with the key for running (forwardmove)
my $STRAFE = 40;     # to the side, the same (sidemove)
my $QUARTER = 64;    # of a turn of 256, to the left

# Draws a number from lowest to highest, by SplitMix64.
sub draw {
    my ($lowest, $highest) = @_;
    my $mixed = $state = multiply($state, 1, 0x9E3779B97F4A7C15);
    $mixed = multiply($mixed ^ $mixed >> 30, 0xBF58476D1CE4E5B9, 0);
    $mixed = multiply($mixed ^ $mixed >> 27, 0x94D049BB133111EB, 0);
    return $lowest + ($mixed ^ $mixed >> 31) % ($highest - $lowest + 1);
}

# All modulo 2^64.
sub multiply {
    use integer;
    my $product = $_[0] * $_[1] + $_[2];
    no integer;
    return $product & ~0;
}

binmode STDOUT;
print pack 'C13', 109, $skill - 1, $episode, $map, (0) x 5, 1, 0, 0, 0;
my ($end, $turning, $forward, $side, $turn, $use) = (10, 0, 0, 0, 0, 0);
for (my ($tic, $at) = (0, 0); $tic < $tics; $tic++, $at++) {
    if ($at == $end) {
        $at = 0;
        $forward = $RUN;
        $end = draw(12, draw(1, 6) == 1 ? 120 : 45);
        $turning = draw(2, 8);
        $turn = int(draw(-$QUARTER, $QUARTER + $QUARTER / 2) / $turning);
        $side = $STRAFE * draw(-1, 1);
        $use = draw(0, 1) == 0;
    }
    print pack 'c3C', $forward, $side, $at < $turning ? $turn : 0,
        $use && $at + 1 == $end ? 2 : 0;
}
print pack 'C', 0x80;
