# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the test in ZokumBSP needs:
#
#   make OUT MOVED      four maps with what ZokumBSP alone knows: lines that the
#                       specials 1078 and 1079 move, scrollers with copies, and
#                       tags 998 and 999; then the same with the lines moved, as
#                       ZokumBSP moves them in memory only
#   compare OWN STAGE [LINES]
#                       fails if a blockmap of STAGE is larger than that of OWN,
#                       which ZokumBSP has made by itself, lists other linedefs,
#                       or does not list them in just the blocks that they are
#                       in; prints how many bytes both take.  The lines lie where
#                       those of the file LINES do, else those of STAGE
#   grids OWN STAGE     fails if a grid of STAGE is not that of OWN, widened by the
#                       ends of lines that lie outside: ZokumBSP looks only at
#                       where lines begin

use strict;
use warnings;

# --- Files ---

# The names of maps, and the lumps of each.
sub read_maps {
    my ($path) = @_;
    open my $file, "<:raw", $path or die "$path: $!\n";
    my $bytes = do { local $/; <$file> };
    my ($count, $at) = unpack "x4 V2", $bytes;
    my ($last, $map, @names, %lumps);
    for (0 .. $count - 1) {
        my ($position, $size, $name) =
            unpack "V2 Z8", substr $bytes, $at + 16 * $_, 16;
        push @names, $map = $last if $name eq "THINGS";
        $lumps{$map}{$name} //= substr $bytes, $position, $size if defined $map;
        $last = $name;
    }
    return (\@names, \%lumps);
}

sub make_maps {
    my ($path, @moved) = @_;
    my $walls = pack "v*", map { ($_, ($_ + 1) % 4, 1, 0, 0, 0, 65535) } 0 .. 3;
    my @inner = (
        [[@{$moved[0]}, 0, 5], [6, 7, 1078, 5], [8, 9, 0, 0]],
        [[@{$moved[1]}, 0, 5], [6, 7, 1079, 5], [8, 9, 0, 0]],
        [[4, 5, 48, 3], [6, 7, 1048, 204], [8, 9, 0, 204]],
        [[4, 5, 0, 998], [6, 7, 0, 999], [8, 9, 0, 0]],
    );
    my ($data, $directory, $count) = ("", "", 0);
    for my $i (0 .. $#inner) {
        my $lines = join "",
            map { pack "v*", @$_[0, 1], 5, @$_[2, 3], 1, 2 } @{$inner[$i]};
        for (
            ["MAP0" . ($i + 1), ""],
            [THINGS => pack "v*", 100, 100, 90, 1, 7],
            [LINEDEFS => $walls . $lines],
            [SIDEDEFS => pack("v2 a8 a8 a8 v", 0, 0, "-", "-", "WALL", 0) x 3],
            [VERTEXES => pack "v*", 0, 0, 0, 1000, 1000, 1000, 1000, 0,
                200, 200, 200, 610, 590, 230, 610, 700, 300, 800, 880, 900],
            [SEGS => ""], [SSECTORS => ""], [NODES => ""],
            [SECTORS => pack "v2 a8 a8 v3", 0, 128, "FLOOR", "CEIL", 160, 0, 0],
            [REJECT => "\0"], [BLOCKMAP => ""]
            )
        {
            $directory .= pack "V2 a8", 12 + length $data, length $_->[1], $_->[0];
            $data .= $_->[1];
            $count++;
        }
    }
    open my $file, ">:raw", $path or die "$path: $!\n";
    print $file pack("A4 V2", "PWAD", $count, 12 + length $data), $data, $directory;
    close $file or die "$path: $!\n";
}

# --- Blockmaps ---

sub read_blockmap {
    my ($lump) = @_;
    my ($x, $y, $columns, $rows) = unpack "s<4", $lump;
    my @words = unpack "v*", $lump;
    my @blocks;
    for my $block (0 .. $columns * $rows - 1) {
        my %listed;
        for (my $at = $words[4 + $block] + 1; $words[$at] != 65535; $at++) {
            $listed{$words[$at]} = 1;
        }
        push @blocks, \%listed;
    }
    return {x => $x, y => $y, columns => $columns, rows => $rows,
        blocks => \@blocks};
}

# Whether a line has a point in a block, which has its west and south edges only.
# The part of the line in the columns x to x + 127.99 is from t to u of its length;
# numbers are whole and small, so that doubles hold all products.
sub is_in_block {
    my ($x1, $y1, $x2, $y2, $x, $y) = @_;
    ($x1, $y1, $x2, $y2) = ($x2, $y2, $x1, $y1) if $x1 > $x2;
    my ($dx, $dy) = ($x2 - $x1, $y2 - $y1);
    return 0 if $x2 < $x || $x1 >= $x + 128;
    if ($dx == 0) {
        my ($low, $high) = sort { $a <=> $b } $y1, $y2;
        return $high >= $y && $low < $y + 128;
    }
    my $west = $x1 > $x ? $x1 : $x;
    my $is_end = $x2 < $x + 128;    # else the east edge is not of the block
    my $east = $is_end ? $x2 : $x + 128;
    my $at_west = $y1 * $dx + $dy * ($west - $x1);    # times $dx
    my $at_east = $y1 * $dx + $dy * ($east - $x1);
    my ($south, $north) = ($y * $dx, ($y + 128) * $dx);
    if ($dy >= 0) {
        return $at_west < $north &&
            ($is_end || $dy == 0 ? $at_east >= $south : $at_east > $south);
    }
    return $at_west >= $south && $at_east < $north;
}

sub compare_maps {
    my ($own_file, $stage_file, $lines_file) = @_;
    my ($names, $own) = read_maps($own_file);
    my (undef, $stage) = read_maps($stage_file);
    my (undef, $at) = read_maps($lines_file // $stage_file);
    my ($own_bytes, $stage_bytes, $wrong) = (0, 0, 0);
    for my $name (@$names) {
        my ($old, $new) = map { $_->{$name}{BLOCKMAP} } $own, $stage;
        my ($first, $second) = map { read_blockmap($_) } $old, $new;
        my %is_own = map { %$_ } @{$first->{blocks}};
        my %is_listed = map { %$_ } @{$second->{blocks}};
        my $form = $at->{$name}{BEHAVIOR} ? "(v2 x12)*" : "(v2 x10)*";
        my @lines = unpack $form, $at->{$name}{LINEDEFS};
        my @places = unpack "s<*", $at->{$name}{VERTEXES};
        $own_bytes += length $old;
        $stage_bytes += length $new;
        my @findings;
        push @findings, length($new) . " bytes are more than " . length $old
            if length $new > length $old;
        push @findings, map { "linedef $_ is listed" }
            grep { !$is_own{$_} } sort { $a <=> $b } keys %is_listed;
        push @findings, map { "linedef $_ is not listed" }
            grep { !$is_listed{$_} } sort { $a <=> $b } keys %is_own;
        my %is_there;
        for my $line (grep { $is_own{$_} } keys %is_listed) {
            my ($x1, $y1, $x2, $y2) = map { @places[2 * $_, 2 * $_ + 1] }
                @lines[2 * $line, 2 * $line + 1];
            my ($west, $east) = sort { $a <=> $b } $x1, $x2;
            my ($south, $north) = sort { $a <=> $b } $y1, $y2;
            my @columns = map { int(($_ - $second->{x}) / 128) } $west, $east;
            my @rows = map { int(($_ - $second->{y}) / 128) } $south, $north;
            for my $row ($rows[0] .. $rows[1]) {
                for my $column ($columns[0] .. $columns[1]) {
                    my $block = $row * $second->{columns} + $column;
                    my $is_in = is_in_block($x1, $y1, $x2, $y2,
                        $second->{x} + 128 * $column, $second->{y} + 128 * $row);
                    $is_there{$block}{$line} = 1 if $is_in;
                }
            }
        }
        for my $block (0 .. $#{$second->{blocks}}) {
            my ($has, $should) = ($second->{blocks}[$block], $is_there{$block} // {});
            push @findings, map { "block $block lists linedef $_" }
                grep { !$should->{$_} } keys %$has;
            push @findings, map { "block $block does not list linedef $_" }
                grep { !$has->{$_} } keys %$should;
        }
        print "$name: $_\n" for @findings;
        $wrong += @findings;
    }
    print "$own_bytes bytes, $stage_bytes with the stage\n";
    return $wrong;
}

# The west edge of a grid and its columns, or the south edge and the rows, if both
# ends of lines counted, and not only where they begin.
sub widen {
    my ($edge, $blocks, $begins, $ends) = @_;
    my ($first) = sort { $a <=> $b } @$begins;
    my ($low, @others) = sort { $a <=> $b } @$begins, @$ends;
    my $is_inside = $low == $first && $others[-1] < $edge + 128 * $blocks;
    $edge -= $first - $low;
    return ($edge, $is_inside ? $blocks : int(($others[-1] - $edge) / 128) + 1);
}

sub compare_grids {
    my ($names, $own) = read_maps($_[0]);
    my (undef, $stage) = read_maps($_[1]);
    my $wrong = 0;
    for my $name (@$names) {
        my $old = read_blockmap($own->{$name}{BLOCKMAP});
        my @lines = unpack "(v2 x10)*", $own->{$name}{LINEDEFS};
        my @places = unpack "s<*", $own->{$name}{VERTEXES};
        my %is_own = map { %$_ } @{$old->{blocks}};
        my @begins = map { 2 * $lines[2 * $_] } keys %is_own;
        my @ends = map { 2 * $lines[2 * $_ + 1] } keys %is_own;
        my ($x, $columns) =
            widen(@$old{qw(x columns)}, [@places[@begins]], [@places[@ends]]);
        $_++ for @begins, @ends;
        my ($y, $rows) =
            widen(@$old{qw(y rows)}, [@places[@begins]], [@places[@ends]]);
        my $grid = join " ", unpack "s<4", $stage->{$name}{BLOCKMAP};
        next if $grid eq "$x $y $columns $rows";
        print "$name: the grid is $grid, not $x $y $columns $rows\n";
        $wrong++;
    }
    return $wrong;
}

my ($task, @words) = @ARGV;
if ($task eq "make") {
    make_maps($words[0], [4, 5], [4, 5]);
    make_maps($words[1], [6, 5], [4, 7]);
} else {
    exit(($task eq "compare" ? compare_maps(@words) : compare_grids(@words)) ? 1 : 0);
}
