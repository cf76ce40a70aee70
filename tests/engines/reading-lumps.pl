#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Maps, and lumps that engines read in different ways.
#
#   reading-lumps.pl lump NUMBER LUMP E2M1  writes the BLOCKMAP lump of this
#                               number; prints its kind, how many linedefs the
#                               map has, and the marker of the map
#   reading-lumps.pl right NUMBER LUMP E2M1   writes a right lump for the map of
#                               this number
#   reading-lumps.pl plain NUMBER LUMP WAD E2M1  writes a WAD with the map of
#                               this number and the lump in the file LUMP
#   reading-lumps.pl wad NUMBER LUMP WAD E2M1  the same, with the lumps of the
#                               map where the kind has them
#   reading-lumps.pl demo NUMBER PATCH DEMO DEMO DEMO  writes a patch, and the
#                               same demo at the levels of Doom 1.9, Boom, MBF21
#   reading-lumps.pl count      prints how many numbers there are
#
# E2M1 is the WAD that samples/README.md is about; lumps of kinds that begin
# with "E2M1" are of its map.  Other maps have one subsector, so that lines
# alone stop something, no floors: a room, or a room and another far to the east
# or north of it, with walls that stand where chance put them, level, upright,
# or at 45 degrees.  There are four players and many monsters, which see each
# other everywhere; a patch has them live long.  So in each block boxes of
# several sizes and shots meet its lines all the time, and if a block lists
# another line, the game becomes another for good: they all draw the same
# numbers.
#
# Lumps of the last numbers are made at random.

use strict;
use warnings;
use FindBin;

require "$FindBin::Bin/wall-files.pl"; # for files

my $BLOCK = 128;
my $END = 0xFFFF;
my $TICS = 500;
my $SECTORS = 12;    # of which one is used
my ($WIDTH, $HEIGHT) = (1340, 1090);    # of a room

# The kinds, with what is other than in a plain lump:
#   header   before each list: zero, none, any, one (is not zero), half (have
#            none), or all (linedef 0 is nowhere but there)
#   order    of its linedefs: up, down, mixed, twice
#   nest     whether lists are the ends of others: with their header, or not
#   missing  every so many entries, extra so many to a list
#   empty    where the shared list of empty blocks is: first or last
#   before   words before the lists, after behind them: up to so many in all
#   map      east, north (with a room out of reach), edge (all in reach), large
#            (east, over the limit of Doom 1.9), lines (over 32768 linedefs),
#            few (blocks, and so many linedefs that offsets are linedefs, too)
#   grid     plain, shifted, small, larger
#   damage   a name of sub damage
#   places   of the lumps of the map, a name of sub place
my @KINDS = (
    ['exact'],
    ['headerless', header => 'none'],
    ['headerless, empty list first', header => 'none', empty => 'first'],
    ['headerless, empty list last', header => 'none', empty => 'last'],
    ['headers of any word', header => 'any'],
    ['one header is not 0', header => 'one'],
    ['half without headers', header => 'half'],
    ['linedef 0 in headers alone', header => 'all'],
    ['linedef 0 in headers alone, nested', header => 'all', nest => 1],
    ['nested', nest => 1],
    ['nested, headerless', nest => 1, header => 'none'],
    ['nested, headers of any word', nest => 1, header => 'any'],
    ['descending', order => 'down'],
    ['mixed', order => 'mixed'],
    ['mixed, headerless', order => 'mixed', header => 'none'],
    ['twice', order => 'twice'],
    ['missing entries', missing => 5],
    ['missing entries, headerless', missing => 5, header => 'none'],
    ['extra entries', extra => 4],
    ['shifted grid', grid => 'shifted'],
    ['small grid', grid => 'small'],
    ['larger grid, headerless', grid => 'larger', header => 'none'],
    ['offsets over 32767', before => 33000],
    ['offsets over 32767, headerless', before => 40000, header => 'none'],
    ['linedefs over 32767', map => 'lines'],
    ['65535 words', after => 65535],
    ['65536 words', after => 65536],
    ['70000 words', after => 70000],
    ['odd byte', damage => 'odd'],
    ['no bytes', damage => 'cut 0'],
    ['6 bytes', damage => 'cut 6'],
    ['8 bytes', damage => 'bare'],
    ['far east', map => 'east'],
    ['far north', map => 'north'],
    ['far east, headerless', map => 'east', header => 'none'],
    ['far east and over 32767', map => 'large'],
    ['edge of reach', map => 'edge'],
    ['XBM1', damage => 'xbm1'],
    ['XBM1 of 70000 words', after => 35000, damage => 'xbm1'],
    ['offset -1', map => 'few', damage => 'minus'],
    ['offset in the header', map => 'few', damage => 'low'],
    ['offset past the end', damage => 'past'],
    ['no end', damage => 'endless'],
    ['no such linedef', damage => 'line'],
    ['the lump is NOTES, BLOCKMAP behind it', places => 'notes'],
    ['text before BLOCKMAP', places => 'text'],
    ['another lump before REJECT', places => 'reject'],
    ['REJECT behind BLOCKMAP', places => 'swapped'],
    ['no REJECT', places => 'none'],
    ['no BLOCKMAP', places => 'missing'],
    ['SECTORS before SEGS', places => 'order'],
    ['two BLOCKMAPs', places => 'two'],
    ['E2M1'],
    ['E2M1 with headers', header => 'zero'],
    ['E2M1 nested, headerless', header => 'none', nest => 1],
);
my $RANDOM = 20;

# --- Numbers at random, the same in all runs ---

my $state = 1;

sub draw {
    my ($low, $high) = @_;
    $state = ($state * 1103515245 + 12345) % (1 << 31);
    return $low + int(($high - $low + 1) * ($state >> 8 & 0xFFFF) / 0x10000);
}

sub pick { return $_[draw(0, $#_)] }

# The kind of a number, and what is special in it.
sub kind {
    my ($number) = @_;
    return @{$KINDS[$number]} if $number < @KINDS;
    $state = $number * 7919;
    draw(0, 1) for 1 .. 5;
    my %more = (header => pick(qw(zero zero none none any one half all)),
        order => pick(qw(up down mixed twice)), nest => draw(0, 1),
        missing => pick(0, 0, 3, 7), extra => pick(0, 0, 2, 9),
        empty => pick(qw(first first last)),
        grid => pick(qw(plain shifted larger)));
    $more{before} = pick(33000, 50000) if draw(1, 6) == 1;
    $more{map} = pick(qw(east north)) if draw(1, 4) == 1;
    $more{damage} = 'word' if draw(1, 4) == 1;
    return ('random', %more);
}

# Names and bytes of the lumps of a map that stands first in a WAD.
sub read_map {
    my $bytes = read_file($_[0]);
    my ($count, $at) = unpack 'x4VV', $bytes;
    return map {
        my ($position, $size, $name) = unpack 'VVZ8',
            substr $bytes, $at + 16 * $_, 16;
        ($name, substr $bytes, $position, $size);
    } 0 .. 10;
}

# --- Maps ---

# A line is [x1, y1, x2, y2, flags].
sub room {
    my ($x, $y) = @_;
    my ($east, $north) = ($x + $WIDTH, $y + $HEIGHT);
    # Linedef 0 stands within, the next are the border.
    my @lines = ([$x + 560, $y + 600, $x + 720, $y + 600, 1]);
    my @corners = ([$x, $y], [$x, $north], [$east, $north], [$east, $y]);
    for my $i (0 .. 3) {
        my ($from, $to) = @corners[$i, ($i + 1) % 4];
        for my $part (0 .. 4) {
            my @ends = map { my $at = $_;
                map { $from->[$_] + ($to->[$_] - $from->[$_]) * $at / 5 } 0, 1
            } $part, $part + 1;
            push @lines, [@ends, 1];
        }
    }
    for (1 .. 55) {
        my $length = draw(16, 110);
        my ($way_x, $way_y) = @{pick([1, 0], [0, 1], [1, 1], [1, -1],
            [-1, 0], [0, -1], [-1, 1], [-1, -1])};
        my ($at_x, $at_y) = ($x + draw(130, $WIDTH - 130),
            $y + draw(130, $HEIGHT - 130));
        push @lines, [$at_x, $at_y, $at_x + $way_x * $length,
            $at_y + $way_y * $length, pick(1, 1, 5)];
    }
    return @lines;
}

# The square of the distance of a point from a line.
sub distance {
    my ($x, $y, $line) = @_;
    my ($x1, $y1, $x2, $y2) = @$line;
    my $length = ($x2 - $x1) ** 2 + ($y2 - $y1) ** 2;
    my $at = (($x - $x1) * ($x2 - $x1) + ($y - $y1) * ($y2 - $y1)) / $length;
    $at = $at < 0 ? 0 : $at > 1 ? 1 : $at;
    return ($x - $x1 - $at * ($x2 - $x1)) ** 2 +
        ($y - $y1 - $at * ($y2 - $y1)) ** 2;
}

# Things of these types in a room, where they are free.
sub things {
    my ($x, $y, $lines, @types) = @_;
    my ($bytes, @places) = ('');
    while (@types) {
        my ($at_x, $at_y) = ($x + draw(40, $WIDTH - 40),
            $y + draw(40, $HEIGHT - 40));
        next if grep { distance($at_x, $at_y, $_) < 45 ** 2 } @$lines;
        next if grep { ($at_x - $_->[0]) ** 2 + ($at_y - $_->[1]) ** 2 <
            70 ** 2 } @places;
        push @places, [$at_x, $at_y];
        $bytes .= pack 's<s<vvv', $at_x, $at_y, 45 * draw(0, 7), shift @types,
            7;
    }
    return $bytes;
}

# Where the rooms are, in blocks from the grid, and the grid, of a map.
my %MAPS = (
    plain => [[-608, -480], -616, -488, 11, 9],
    few => [[0, 40], 9, 32, 11, 9],
    edge => [[-32768 + 128 * 226, 0], -32768, -8, 256, 9],
    east => [[-32768 + 128 * 205, 0], -32768, -8, 315, 9,
        [-32768 + 128 * 300, 0]],
    north => [[0, -32768 + 128 * 205], -8, -32768, 11, 315,
        [0, -32768 + 128 * 300]],
    large => [[-32768 + 128 * 205, 128 * 105], -32768, -8, 315, 120,
        [-32768 + 128 * 300, 128 * 105]],
);
my %FILLED = (lines => 40000, few => 2000);

# Lines and things of a map; lines that only fill it up are not among them.
sub make_map {
    my ($map) = @_;
    my ($room, undef, undef, undef, undef, $other) =
        @{$MAPS{$map} // $MAPS{plain}};
    $state = 12345;
    my @lines = room(@$room);
    my $things = things(@$room, \@lines, $other ? (1, 2) : (1 .. 4),
        (3002) x 10, (3001) x 6, (3006) x 6, (3004) x 6);
    if ($other) {
        my @more = room(@$other);
        $things .= things(@$other, \@more, 3, 4, (3002) x 6, (3004) x 4);
        push @lines, @more;
    }
    return (\@lines, $things);
}

# The linedef that a line is.
sub linedef_of {
    my ($map, $i) = @_;
    return $map eq 'lines' && $i % 3 > 0 ? 33000 + $i : $i;
}

sub map_lumps {
    my ($map, $lump) = @_;
    my ($lines, $things) = make_map($map);
    my (@linedefs, %vertex, @vertices);
    for my $i (0 .. $#$lines) {
        my $line = $lines->[$i];
        my @v = map {
            my $key = "@$line[2 * $_, 2 * $_ + 1]";
            $vertex{$key} //= push(@vertices, $key) - 1;
        } 0, 1;
        $linedefs[linedef_of($map, $i)] = pack 'v7', @v, $line->[4], 0, 0, 0,
            $line->[4] & 4 ? 1 : $END;
    }
    # The seg of the one subsector is of linedef 3, and so are those lines that
    # only fill the map up.
    my $filling = $linedefs[3];
    my $last = ($FILLED{$map} // @linedefs) - 1;
    my $linedefs = join '', map { $_ // $filling } @linedefs[0 .. $last];
    my $side = pack 'vva8a8a8v', 0, 0, '-', '-', 'BROWN96', 0;
    return (MAP01 => '', THINGS => $things, LINEDEFS => $linedefs,
        SIDEDEFS => $side x 2,
        VERTEXES => join('', map { pack 's<s<', split } @vertices),
        SEGS => pack('v6', unpack('v2', $filling), 0x4000, 3, 0, 0),
        SSECTORS => pack('v2', 1, 0), NODES => '',
        SECTORS => pack('s<s<a8a8vvv', 0, 256, 'FLOOR0_1', 'CEIL1_1', 160, 0,
            0) x $SECTORS, REJECT => "\0" x ($SECTORS ** 2 / 8),
        BLOCKMAP => $lump);
}

# --- Lists ---

# Whether a level, upright or 45 degree line is in a block.
sub touches {
    my ($line, $west, $south) = @_;
    my ($x1, $y1, $x2, $y2) = @$line;
    my $dx = abs($x2 - $x1);
    my $steps = $dx > abs($y2 - $y1) ? $dx : abs($y2 - $y1);
    for (0 .. $steps) {
        my $x = $x1 + ($x2 <=> $x1) * $_;
        my $y = $y1 + ($y2 <=> $y1) * $_;
        return 1 if $x >= $west && $x < $west + $BLOCK && $y >= $south &&
            $y < $south + $BLOCK;
    }
    return 0;
}

sub grid {
    my ($map, $how) = @_;
    my (undef, $x, $y, $columns, $rows) = @{$MAPS{$map} // $MAPS{plain}};
    return ($x - 37, $y - 90, $columns + 1, $rows + 1) if $how eq 'shifted';
    return ($x + 384, $y + 256, $columns - 4, $rows - 3) if $how eq 'small';
    return ($x - 256, $y - 128, $columns + 4, $rows + 3)
        if $how eq 'larger' && $columns + $rows < 100;
    return ($x, $y, $columns, $rows);
}

# The linedefs in each block of a grid.
sub exact_lists {
    my ($lines, $x, $y, $columns, $rows) = @_;
    my @lists = map { [] } 1 .. $columns * $rows;
    for my $i (0 .. $#$lines) {
        my ($x1, $y1, $x2, $y2) = @{$lines->[$i]};
        ($x1, $x2) = ($x2, $x1) if $x1 > $x2;
        ($y1, $y2) = ($y2, $y1) if $y1 > $y2;
        for my $row (($y1 - $y) >> 7 .. ($y2 - $y) >> 7) {
            next if $row < 0 || $row >= $rows;
            for my $column (($x1 - $x) >> 7 .. ($x2 - $x) >> 7) {
                push @{$lists[$row * $columns + $column]}, $i
                    if $column >= 0 && $column < $columns &&
                    touches($lines->[$i], $x + $BLOCK * $column,
                        $y + $BLOCK * $row);
            }
        }
    }
    return @lists;
}

# The lists of E2M1's own lump.
sub own_lists {
    my ($lump) = @_;
    my @words = unpack 'v*', $lump;
    return map {
        my ($at, @list) = $words[4 + $_];
        push @list, $words[$at++] while $words[$at] != $END;
        \@list;
    } 0 .. $words[2] * $words[3] - 1;
}

# Makes lists as a kind has them, without headers.
sub change_lists {
    my ($lists, $line_count, %more) = @_;
    for my $list (@$lists) {
        @$list = grep { draw(1, $more{missing}) > 1 } @$list if $more{missing};
        push @$list, draw(0, $line_count - 1)
            for 1 .. ($more{extra} && @$list ? draw(0, $more{extra}) : 0);
        @$list = grep { $_ > 0 } @$list if ($more{header} // '') eq 'all';
        my $order = $more{order} // 'up';
        @$list = reverse @$list if $order eq 'down';
        @$list = (@$list, reverse @$list) if $order eq 'twice';
        if ($order eq 'mixed') {
            my %rank = map { $_ => draw(0, 60000) } @$list;
            @$list = sort { $rank{$a} <=> $rank{$b} || $a <=> $b } @$list;
        }
    }
}

# The header of a list, if it has one.
sub header {
    my ($header, $place) = @_;
    return () if $header eq 'none';
    return draw(0, 1) ? 0 : () if $header eq 'half';
    return draw(1, 20) if $header eq 'any';
    return 7 if $header eq 'one' && $place == 20;
    return 0;
}

# The words of a lump with these lists: the table, and what follows it.
sub lay_out {
    my ($lists, %more) = @_;
    my @words = ($END) x ($more{before} // 0);
    my (%place, @offsets);
    my $begin = 4 + @$lists;
    my $header = $more{header} // 'zero';
    my $put = sub {
        my ($list) = @_;
        return $place{"@$list"} //= do {
            my $at = $begin + @words;
            push @words, header($header, scalar keys %place), @$list, $END;
            $at;
        };
    };
    $put->([]) if ($more{empty} // '') eq 'first';
    for my $i (0 .. $#$lists) {
        $offsets[$i] = $put->($lists->[$i]) if @{$lists->[$i]} > 1 ||
            !$more{nest} && (@{$lists->[$i]} || !$more{empty});
    }
    # What is left is nested in the end of another: lists of one linedef, and
    # empty ones where headers allow it.
    for my $i (grep { !defined $offsets[$_] } 0 .. $#$lists) {
        my @tail = ($header eq 'any' ? () : header($header, $i),
            @{$lists->[$i]}, $END);
        my $back = $header eq 'any' ? 1 : 0;
        my ($at) = $more{nest} && @{$lists->[$i]} ? grep {
            my $from = $_;
            $from >= $back &&
                !grep { $words[$from + $_] != $tail[$_] } 0 .. $#tail
        } ($more{before} // 0) + 1 .. @words - @tail : ();
        $offsets[$i] = defined $at ? $begin + $at - $back
            : $put->($lists->[$i]);
    }
    push @words, (0) x ($more{after} - $begin - @words) if $more{after};
    return (@offsets, @words);
}

# --- Damage ---

# Makes a lump wrong: its words without those of the grid.
sub damage {
    my ($how, $grid, $table, @words) = @_;
    my $plain = pack 's<s<v*', @$grid, @words;
    my $middle = int($table / 2);
    return $plain . "\7" if $how eq 'odd';
    return substr $plain, 0, $1 if $how =~ /^cut (\d+)/;
    return pack 's<s<v2', @$grid[0, 1], 0, 0 if $how eq 'bare';
    return pack 'a8l<l<V*', 'XBM1', (map { $_ << 16 } @$grid[0, 1]),
        @$grid[2, 3], map { $_ == $END ? 0xFFFFFFFF : $_ } @words
        if $how eq 'xbm1';
    $words[$_] = $END for $how eq 'minus' ? ($middle - 1 .. $middle + 1) : ();
    $words[$_] = $_ % 4 for $how eq 'low' ? ($middle - 3 .. $middle + 3) : ();
    $words[$_] = 65000 for $how eq 'past' ? (0 .. $table - 1) : ();
    pop @words if $how eq 'endless';
    if ($how eq 'endless') {
        # All blocks have the list without an end.
        my $last = $#words;
        $last-- while $words[$last] != $END;
        $words[$_] = 5 + $last for 0 .. $table - 1;
    }
    # The last linedef of each list.
    $words[$_ - 1] = 60000 for $how eq 'line'
        ? grep { $words[$_] == $END } $table + 3 .. $#words : ();
    $words[draw(0, $table - 1)] = 4 + $table + draw(0, $#words - $table)
        for $how eq 'word' ? (1 .. 8) : ();
    return pack 's<s<v*', @$grid, @words;
}

# --- Tasks ---

sub make_lump {
    my ($number, $file, $e2m1) = @_;
    my ($kind, %more) = kind($number);
    my $map = $more{map} // 'plain';
    $state = 4711 + $number;
    my ($count, @grid, @lists, $own);
    if ($kind =~ /^E2M1/) {
        my %lumps = read_map($e2m1);
        $own = $lumps{BLOCKMAP};
        @grid = unpack 's<s<vv', $own;
        @lists = own_lists($own);
        $count = length($lumps{LINEDEFS}) / 14;
    } else {
        my ($lines) = make_map($map);
        @grid = grid($map, $more{grid} // 'plain');
        @lists = exact_lists($lines, @grid);
        $count = @$lines;
        change_lists(\@lists, $count, %more);
        $_ = linedef_of($map, $_) for map { @$_ } @lists;
    }
    write_file($file, $kind eq 'E2M1' ? $own : damage($more{damage} // '',
        \@grid, scalar @lists, lay_out(\@lists, %more)));
    print join("\t", $kind, $FILLED{$map} // $count,
        $kind =~ /^E2M1/ ? 'E2M1' : 'MAP01'), "\n";
}

sub make_right {
    my ($number, $file, $e2m1) = @_;
    my ($kind, %more) = kind($number);
    my $map = $more{map} // 'plain';
    return write_file($file, {read_map($e2m1)}->{BLOCKMAP})
        if $kind =~ /^E2M1/;
    my ($lines) = make_map($map);
    my @grid = grid('plain', 'plain');
    my @lists = exact_lists($lines, @grid);
    $_ = linedef_of($map, $_) for map { @$_ } @lists;
    write_file($file, pack 's<s<v*', @grid, lay_out(\@lists));
}

# Puts the lumps of a map elsewhere.  BLOCKMAP is the last of them; so that no
# lump has the place of one that is missing by chance, another map follows.
sub place {
    my ($how, @lumps) = @_;
    my ($bare, %at) = pack 'v4 v2', (0) x 6;
    $at{$lumps[2 * $_]} = 2 * $_ for 0 .. $#lumps / 2;
    my $lump = $lumps[$at{BLOCKMAP} + 1];
    if ($how eq 'notes') {
        splice @lumps, $at{BLOCKMAP}, 2, NOTES => $lump, BLOCKMAP => $bare;
    } elsif ($how eq 'two') {
        push @lumps, BLOCKMAP => $bare;
    } elsif ($how eq 'text') {
        splice @lumps, $at{BLOCKMAP}, 0, NOTES => 'text of the author ' x 40;
    } elsif ($how eq 'reject') {
        splice @lumps, $at{REJECT}, 0, NOTES => "\0" x 16;
    } elsif ($how eq 'swapped') {
        push @lumps, splice @lumps, $at{REJECT}, 2;
    } elsif ($how eq 'none') {
        splice @lumps, $at{REJECT}, 2;
    } elsif ($how eq 'missing') {
        splice @lumps, $at{BLOCKMAP}, 2;
    } elsif ($how eq 'order') {
        splice @lumps, $at{SEGS}, 0, splice @lumps, $at{SECTORS}, 2;
    }
    return (@lumps, MAP02 => '');
}

sub make_wad {
    my ($number, $lump, $wad, $e2m1, $is_plain) = @_;
    my ($kind, %more) = kind($number);
    if ($kind =~ /^E2M1/) {
        my @lumps = read_map($e2m1);
        # Another Freedoom may not have its textures and flats.
        my %at = map { $lumps[2 * $_] => 2 * $_ + 1 } 0 .. $#lumps / 2;
        $lumps[$at{SIDEDEFS}] = join '', map {
            pack 'a4 (a8)3 a2', $_->[0], '-', '-', '-', $_->[2]
        } map { [unpack 'a4 a24 a2'] } unpack '(a30)*', $lumps[$at{SIDEDEFS}];
        $lumps[$at{SECTORS}] = join '', map {
            pack 'a4 a8 a8 a6', $_->[0], 'FLOOR0_1',
                $_->[2] =~ /^F_SKY/ ? $_->[2] : 'CEIL1_1', $_->[3]
        } map { [unpack 'a4 a8 a8 a6'] } unpack '(a26)*', $lumps[$at{SECTORS}];
        $lumps[$at{BLOCKMAP}] = read_file($lump);
        write_wad($wad, @lumps);
    } else {
        my @lumps = map_lumps($more{map} // 'plain', read_file($lump));
        write_wad($wad, $more{places} && !$is_plain
            ? place($more{places}, @lumps) : @lumps);
    }
}

# The header of a demo at the level of Boom or MBF21 (G_BeginRecording of
# Woof), with monsters, without dogs, and with a seed.
sub header_since_boom {
    my ($version, $signature, @start) = @_;
    my $options = $version == 202
        ? pack('C10 N x50', 1, 1, 0, 1, (0) x 6, 1)
        : pack('C6 N C2 n C6 C x25', 1, 0, 1, 0, 0, 0, 1, 1, 0, 128, 0, 1, 1, 1,
            1, 0, 25);
    return pack('C a6', $version, $signature) .
        ($version == 202 ? "\0" : '') . pack('C5', @start, 0, 0) . $options .
        pack('C32', (1) x 4, (0) x 28);
}

# Four players who run, turn and fire.
sub make_demo {
    my ($number, $patch, $doom, $boom, $mbf21) = @_;
    my ($kind) = kind($number);
    my @start = (3, $kind =~ /^E2M1/ ? (2, 1) : (1, 1));
    my @does = map { {left => 0} } 1 .. 4;
    my ($short, $long) = ('', '');
    $state = 99;
    for (1 .. $TICS) {
        for my $player (@does) {
            if ($player->{left}-- == 0) {
                %$player = (left => draw(8, 30), forward => pick(50, 50, -50),
                    side => pick(-40, 0, 40), turn => draw(-6, 6),
                    buttons => draw(0, 1));
            }
            my @tic = @$player{qw(forward side turn buttons)};
            $short .= pack 'c3C', @tic;
            $long .= pack 'c2s<C', @tic[0, 1], 256 * $tic[2], $tic[3];
        }
    }
    my $end = pack 'C', 0x80;
    write_file($doom, pack('C13', 109, @start, (0) x 5, (1) x 4), $short, $end);
    write_file($boom, header_since_boom(202, "\x1DBoom\xE6", @start), $short,
        $end);
    write_file($mbf21, header_since_boom(221, "\x1DMBF\xE6\0", @start), $long,
        $end);
    # Player, zombieman, imp, demon, lost soul.
    write_file($patch, "Patch File for DeHackEd v3.0\n\nDoom version = 19\n",
        "Patch format = 6\n\nMisc 0\nInitial Health = 100000\n",
        map { "\nThing $_\nHit points = 100000\n" } 2, 12, 13, 19);
}

my ($task, @arguments) = @ARGV;
if ($task eq 'count') {
    print @KINDS + $RANDOM, "\n";
} else {
    ({lump => \&make_lump, right => \&make_right, wad => \&make_wad,
        plain => sub { make_wad(@_, 1) }, demo => \&make_demo}->{$task}
        // die "reading-lumps.pl: $task\n")->(@arguments);
}
