#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes maps with walls that real maps have; see wall-files.pl for the files.
#
#   real-walls.pl find WAD ENGINE <REPORT
#           prints the walls that ENGINE misses in the maps of the WAD, as the
#           report of `verify --json` says: for each a line with the map, its
#           linedef, how much of it players, missiles and shots can cross, its
#           state, its ends, the grid, and the blocks that list it
#   real-walls.pl say ENGINE <REPORT
#           writes "said" for the walls of the only map of the report
#   real-walls.pl rooms FIRST COUNT <WALLS
#           makes a map of some of these walls, each in a room of its own
#   real-walls.pl map WAD MAP <WALLS
#           makes a copy of a map, in which nothing is but walls and floors
#   real-walls.pl alone WAD MAP <WALLS
#           the same, but blocks list no other lines than these walls
#
# Engines are told apart by what they take for the first linedef of a list:
# dsda-doom+9 skips the first word, chocolate-doom does not.

use strict;
use warnings;
use FindBin;
use JSON::PP;

require "$FindBin::Bin/wall-files.pl";

my %NAME = ('chocolate-doom' => qr/Chocolate Doom/,
    'dsda-doom+9' => qr/DSDA-Doom \(below MBF21\)/);
my $ROOM = 3072;
my ($TWO_SIDED, $IMPASSABLE) = (4, 1);
my $STEP = 24;
my $HEIGHT = 56;

# --- Maps ---

# The lumps of the maps of a WAD, by map and name.
sub read_maps {
    my ($name) = @_;
    my $wad = read_file($name);
    my (undef, $count, $at) = unpack 'a4VV', $wad;
    my @lumps = map { [unpack 'VVA8', substr $wad, $at + 16 * $_, 16] }
        0 .. $count - 1;
    my %maps;
    for my $i (grep { $lumps[$_ + 1][2] eq 'THINGS' } 0 .. $count - 2) {
        $maps{$lumps[$i][2]}{$lumps[$_][2]} =
            substr $wad, $lumps[$_][0], $lumps[$_][1] for $i + 1 .. $i + 10;
    }
    return \%maps;
}

# The linedefs of a map: vertices, flags, special, tag, sides; and their ends.
sub linedefs {
    my ($map) = @_;
    my @vertices = map { [unpack 's<s<', $_] } unpack '(a4)*', $map->{VERTEXES};
    my @lines = map { [unpack 'v7', $_] } unpack '(a14)*', $map->{LINEDEFS};
    return \@lines, [map { [@{$vertices[$_->[0]]}, @{$vertices[$_->[1]]}] }
        @lines];
}

# Origin, columns and rows of a BLOCKMAP lump, and the list of each block, as an
# engine reads it.
sub read_blockmap {
    my ($lump, $skips) = @_;
    my @words = unpack 'v*', $lump;
    my @grid = ((unpack 's<s<', $lump), @words[2, 3]);
    my %list;
    my @lists = map { $list{$_} //= do {
        my ($at, @list) = $_ + ($skips ? 1 : 0);
        push @list, $words[$at++] while ($words[$at] // 0xFFFF) != 0xFFFF;
        \@list;
    } } @words[4 .. 3 + $grid[2] * $grid[3]];
    return \@grid, \@lists;
}

# --- Walls ---

# The walls that an engine misses, as a report says: for each map, a list.
sub walls_said {
    my ($engine) = @_;
    my $report = decode_json(do { local $/; <STDIN> });
    my @groups = map { my $map = $_; map { [$map->{map}, $_] }
        @{$map->{groups}} } @{$report->{files}[0]{maps}};
    return map { my ($name, $group) = @$_; map { {map => $name, %$_} }
        @{$group->{walls} // []} }
        grep { grep { $_ =~ $NAME{$engine} } @{$_->[1]{engines}} } @groups;
}

sub find {
    my ($wad, $engine) = @_;
    my $maps = read_maps($wad);
    my ($name, $lines, $ends, $grid, %blocks) = ('');
    for my $wall (walls_said($engine)) {
        my $i = $wall->{linedef};
        if ($name ne $wall->{map}) {
            $name = $wall->{map};
            ($lines, $ends) = linedefs($maps->{$name});
            ($grid, my $lists) =
                read_blockmap($maps->{$name}{BLOCKMAP}, $engine =~ /dsda/);
            %blocks = ();
            for my $block (0 .. $#$lists) {
                $blocks{$_}{$block} = 1 for @{$lists->[$block]};
            }
        }
        my ($flags, $back) = @{$lines->[$i]}[2, 6];
        my $state = !($flags & $TWO_SIDED) || $back == 0xFFFF ? 'one-sided'
            : $flags & $IMPASSABLE ? 'impassable' : 'step';
        print join(' ', $name, $i, @$wall{qw(players missiles shots)}, $state,
            @{$ends->[$i]}, @$grid, sort { $a <=> $b } keys %{$blocks{$i}}),
            "\n";
    }
}

# Writes what is said of the walls of a map that is there.
sub say_walls {
    my %said = map { $_->{linedef} => $_ } walls_said(@_);
    write_file('said', map {
        my $wall = $said{(split)[0]} // die "linedef $_ is no wall\n";
        join(' ', @$wall{qw(players missiles shots)}) . "\n"
    } split /\n/, read_file('facts'));
}

# What find has printed.
sub read_walls {
    my @walls;
    while (<STDIN>) {
        my ($map, $linedef, @rest) = split;
        my %wall = (map => $map, linedef => $linedef,
            said => join(' ', splice @rest, 0, 3), state => shift @rest);
        $wall{ends} = [splice @rest, 0, 4];
        $wall{grid} = [splice @rest, 0, 4];
        $wall{blocks} = \@rest;
        push @walls, \%wall;
    }
    return @walls;
}

# Gives walls ends from the origin of their grid, and blocks by column and row.
sub move_to_origin {
    for my $wall (@_) {
        my ($x, $y, $columns) = @{$wall->{grid}};
        $wall->{ends} = [map { $wall->{ends}[$_] - ($_ % 2 ? $y : $x) } 0 .. 3];
        $wall->{blocks} = [map { $_ % $columns . ',' . int($_ / $columns) }
            @{$wall->{blocks}}];
    }
}

sub write_said {
    write_file('said', map { "$_->{said}\n" } @_);
}

sub rooms {
    my ($first, $count) = @_;
    my @walls = grep { defined } (read_walls())[$first .. $first + $count - 1];
    exit 1 if !@walls;
    move_to_origin(@walls);
    for my $wall (@walls) {
        $wall->{free} = $ROOM;
        my @way = map { abs($wall->{ends}[$_ + 2] - $wall->{ends}[$_]) } 0, 1;
        die "linedef $wall->{linedef} of $wall->{map} is too long for a room\n"
            if most(@way) > $ROOM - 256;
    }
    write_rooms($ROOM, @walls);
    write_said(@walls);
}

# --- Copies of maps ---

# Whether a line may hold a player: it is not open, or he may not fit.
sub holds {
    my ($line, $heights) = @_;
    my @on = grep { defined } map { $heights->[$_] } @$line[5, 6];
    return 1 if @on < 2 || !($line->[2] & $TWO_SIDED) ||
        $line->[2] & $IMPASSABLE;
    my ($floor_a, $ceiling_a, $floor_b, $ceiling_b) = map { @$_ } @on;
    return abs($floor_a - $floor_b) > $STEP ||
        least($ceiling_a, $ceiling_b) - most($floor_a, $floor_b) < $HEIGHT;
}

# Nothing has a special any more, textures are those that all games have.  Walls
# with two sides become impassable, for a step may be too low to hold anybody.
sub copy {
    my ($wad, $name, $is_alone) = @_;
    my @walls = grep { $_->{map} eq $name } read_walls();
    my $map = read_maps($wad)->{$name};
    my ($lines, $ends) = linedefs($map);
    my %is_wall = map { $_->{linedef} => 1 } @walls;
    my @floors = map { [unpack 's<s<', $_] } unpack '(a26)*', $map->{SECTORS};
    my @heights = map { $floors[unpack 'x28v', $_] }
        unpack '(a30)*', $map->{SIDEDEFS};
    my $holds = sub { holds($lines->[$_[0]], \@heights) };
    write_file('others', map { "@{$ends->[$_]}\n" }
        grep { !$is_wall{$_} && $holds->($_) } 0 .. $#$lines);
    for my $i (0 .. $#$lines) {
        @{$lines->[$i]}[3, 4] = (0, 0);
        $lines->[$i][2] |= $IMPASSABLE if $is_wall{$i};
    }
    my $blockmap = $map->{BLOCKMAP};
    if ($is_alone) {
        my @grid = @{$walls[0]{grid}};
        my @lists = map { [] } 1 .. $grid[2] * $grid[3];
        for my $wall (@walls) {
            push @{$lists[$_]}, $wall->{linedef} for @{$wall->{blocks}};
        }
        $blockmap = pack_blockmap(@grid, @lists);
    }
    write_wad('map.wad', MAP01 => '', THINGS => pack('v*', (0) x 20),
        LINEDEFS => join('', map { pack 'v7', @$_ } @$lines),
        SIDEDEFS => join('', map { pack('s<s<a8a8a8', 0, 0, '-', '-',
            'BROWN96') . substr $_, 28 } unpack '(a30)*', $map->{SIDEDEFS}),
        (map { $_ => $map->{$_} } qw(VERTEXES SEGS SSECTORS NODES)),
        SECTORS => join('', map { substr($_, 0, 4) . pack 'a8a8vvv', 'FLOOR0_1',
            'CEIL1_1', 160, 0, 0 } unpack '(a26)*', $map->{SECTORS}),
        REJECT => $map->{REJECT}, BLOCKMAP => $blockmap);
    write_file('lines', map { join(' ', @{$_->{ends}}, @{$_->{grid}},
        @{$_->{blocks}}) . "\n" } @walls);
    move_to_origin(@walls);
    write_file('facts', map { join(' ', $_->{linedef},
        $_->{state} eq 'one-sided' ? $_->{state} : 'impassable', $ROOM,
        pieces(@$_{qw(ends blocks)})) .
        "\n" } @walls);
    write_said(@walls);
}

my ($task, @arguments) = @ARGV;
({find => \&find, say => \&say_walls, rooms => \&rooms, map => \&copy,
    alone => sub { copy(@_, 1) }}->{$task} //
    die "real-walls.pl: $task\n")->(@arguments);
