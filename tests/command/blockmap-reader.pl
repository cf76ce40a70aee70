#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# blockmap-reader.pl LUMP LINEDEFS
#
# Reads the BLOCKMAP lump in the file LUMP, of a map with so many linedefs, and
# prints the linedefs of each block, one line a block, block 0 first; or prints
# "refuse REASON" and exits with 1.
#
# It was written from the manual page blockmap(5) alone.  The checks are those
# of its section READING, in the order of that section.

use strict;
use warnings;

my $XBM1_MAGIC = "XBM1\0\0\0\0";

sub refuse {
    my ($reason) = @_;
    print "refuse $reason\n";
    exit 1;
}

@ARGV == 2 or die "usage: blockmap-reader.pl LUMP LINEDEFS\n";
my ($file, $linedefs) = @ARGV;
open my $handle, '<:raw', $file or die "$file: $!\n";
my $lump = do { local $/; <$handle> } // '';

refuse('empty') if $lump eq '';

# The form.  An extended lump has words of 32 bits; the eight bytes before its
# word 0 are two whole words, so they make no difference to the check of size.
my $extended = substr($lump, 0, 8) eq $XBM1_MAGIC;
my $word_size = $extended ? 4 : 2;
my $end_mark = $extended ? 0xFFFFFFFF : 0xFFFF;

refuse('size') if length($lump) % $word_size;

substr($lump, 0, 8, '') if $extended;
my @words = unpack $extended ? 'V*' : 'v*', $lump;

refuse('header') if @words < 4;

# The origin, words 0 and 1, does not matter here.
my ($columns, $rows) = @words[2, 3];

refuse('grid') if $columns == 0 || $rows == 0;

# A division, so that nothing can overflow, on a Perl of any word size:
# columns * rows > room is the same as columns > room / rows, rounded down.
my $room = @words - 4;
refuse('table') if $columns > int($room / $rows);

my $blocks = $columns * $rows;
my $first_list = 4 + $blocks;
my @offsets = @words[4 .. $first_list - 1];

for my $offset (@offsets) {
    refuse('offset') if $offset < $first_list || $offset >= @words;
}

# If all lists begin with a 0, it is a header, and the linedefs of each list
# begin one word later.  That word may be after the lump; no end mark is there.
my $skip = !grep { $words[$_] != 0 } @offsets;

# One pass from the last word to the first.  $end_of[i] is the nearest end mark
# at or after word i, and $bad_of[i] the nearest word at or after it that is no
# linedef of the map.  The number of words stands for "none".
my $none = @words;
my (@end_of, @bad_of);
$end_of[$none] = $bad_of[$none] = $none;
for (my $i = $none - 1; $i >= $first_list; $i--) {
    my $is_end = $words[$i] == $end_mark;
    $end_of[$i] = $is_end ? $i : $end_of[$i + 1];
    $bad_of[$i] = !$is_end && $words[$i] >= $linedefs ? $i : $bad_of[$i + 1];
}

# All lists are checked for their end before any of them for its linedefs.
my @begins = map { $_ + $skip } @offsets;
for my $begin (@begins) {
    refuse('end') if $end_of[$begin] == $none;
}
for my $begin (@begins) {
    refuse('linedef') if $bad_of[$begin] < $end_of[$begin];
}

print join(' ', @words[$_ .. $end_of[$_] - 1]), "\n" for @begins;
