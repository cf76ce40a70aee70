# SPDX-License-Identifier: GPL-2.0-or-later
#
# walls-map.pl: writes the lumps of a map to try the judge of paths on, each in
# a file of its name.  Rooms are all from 0 to 512 in the north and stand in a
# row from west to east:
#
#   sector 0    0..1024     the start; in it a two-sided linedef that blocks
#   sector 1    1024..1536  an opening from there; two sloping walls in it
#   sector 2    2048..2560  a teleporter leads here
#   sector 3    3072..3584  and one that works once here
#   sector 4    3584..4096  behind one that blocks; no teleporter has its tag
#
# Each of the last three has a destination in its middle.  Sector i is that of
# subsector i, and a node is the line between two rooms.

use strict;
use warnings;

use constant { BLOCKING => 1, NONE => -1, ONCE => 39, REPEATABLE => 97 };

# From x, y to x, y; sector to the right, to the left; flags, special, tag.
my @linedefs = (
    [0, 0, 0, 512, 0, NONE, BLOCKING, 0, 0],
    [0, 512, 1024, 512, 0, NONE, BLOCKING, 0, 0],
    [1024, 512, 1024, 0, 0, 1, 0, 0, 0],
    [1024, 0, 0, 0, 0, NONE, BLOCKING, 0, 0],
    [1024, 512, 1536, 512, 1, NONE, BLOCKING, 0, 0],
    [1536, 512, 1536, 0, 1, NONE, 0, 0, 0],
    [1536, 0, 1024, 0, 1, NONE, BLOCKING, 0, 0],
    [256, 128, 256, 384, 0, 0, BLOCKING, 0, 0],
    [1088, 64, 1280, 192, 1, NONE, BLOCKING, 0, 0],
    [1088, 448, 1280, 320, 1, NONE, BLOCKING, 0, 0],
    [768, 128, 768, 192, 0, 0, 0, REPEATABLE, 7],
    [768, 320, 768, 384, 0, 0, 0, ONCE, 9],
    [2048, 0, 2048, 512, 2, NONE, BLOCKING, 0, 0],
    [3072, 0, 3072, 512, 3, NONE, BLOCKING, 0, 0],
    [3584, 512, 3584, 0, 3, 4, BLOCKING, 0, 0],
);
my @tags = (0, 0, 7, 9, 8);
my @borders = (1024, 1800, 2800, 3584);

# x, y, type.  The first start is not the one that counts; the last thing is
# no destination.
my @things = (
    [64, 64, 1],
    [512, 256, 1],
    [2304, 256, 14],
    [3328, 256, 14],
    [3840, 256, 14],
    [2304, 400, 2001],
);

sub write_lump {
    my ($name, @words) = @_;
    open(my $file, '>:raw', $name) or die "$name: $!";
    print $file pack('s<*', @words);
    close($file) or die "$name: $!";
}

my (@vertex_words, @linedef_words, @sidedef_words, @first_linedef);
for my $number (0 .. $#linedefs) {
    my ($x1, $y1, $x2, $y2, $front, $back, @more) = @{$linedefs[$number]};
    push @vertex_words, $x1, $y1, $x2, $y2;
    my @sides;
    for my $sector ($front, $back) {
        push @sides, $sector == NONE ? NONE : @sidedef_words / 15;
        push @sidedef_words, (0) x 14, $sector unless $sector == NONE;
    }
    push @linedef_words, 2 * $number, 2 * $number + 1, @more, @sides;
    $first_linedef[$front] //= $number;
}
# No linedef has the last sector to its right: its seg is at the left.
my @seg_words = map { (0, 0, 0, $first_linedef[$_], 0, 0) } 0 .. $#tags - 1;
push @seg_words, 0, 0, 0, $#linedefs, 1, 0;

# To the right of the line, first, is the east; the root comes last.
my @node_words;
for my $west (reverse 0 .. $#borders) {
    my $east = $west == $#borders ? $west + 1 - 0x8000 : $#borders - $west - 1;
    push @node_words, $borders[$west], 0, 0, 512, (0) x 8, $east,
        $west - 0x8000;
}

write_lump('THINGS', map { ($_->[0], $_->[1], 0, $_->[2], 7) } @things);
write_lump('LINEDEFS', @linedef_words);
write_lump('SIDEDEFS', @sidedef_words);
write_lump('VERTEXES', @vertex_words);
write_lump('SEGS', @seg_words);
write_lump('SSECTORS', map { (1, $_) } 0 .. $#tags);
write_lump('NODES', @node_words);
write_lump('SECTORS', map { ((0) x 12, $_) } @tags);
