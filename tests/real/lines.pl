#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lines.pl inert WAD...
# lines.pl solid
# lines.pl walls
#
# Judges linedefs of maps in Doom format once more, from what the manuals say
# alone.
#
# "inert" compares those that keep the rules of blocksweep-stage(7) with the lines
# that are in no list of the map's BLOCKMAP.  Prints how many there are, and each
# line that is pruned and should not be, or the other way round.
#
# "solid" reads, on standard input, a report of `verify --json`, and judges its
# missing entries by blocksweep(1).  Prints how many of each class and reason
# there were, and each entry of which the report says something else.
#
# "walls" reads such a report, too.  Prints how many walls are named, how many of
# these can be crossed, and each that is free.
#
# Faces are found without following lines.  Upright cuts through all vertices
# make slabs, in which lines do not end; between two lines in a slab is a cell.
# Cells are filled from one to the next, over each part of a cut where no line
# is.

use strict;
use warnings;

my $EPSILON = 1e-6;    # of a map unit
my $REACH = 64;        # of a missile
my $TWO_SIDED = 4;
my $HARMLESS = 8 | 16 | 32 | 128 | 256;
my $BLOCKS_SOUND = 64;

# What a special moves, if not the sectors with its tag: "none"; the one "behind"
# the line; "neighbours" of the tagged, too; on from the tagged over "stairs" of
# one flat, or of "all" flats.
my %reach;

sub set_reach {
    my ($game, $what, @specials) = @_;
    $reach{$game}{$_} = $what for @specials;
}

set_reach('doom', 'none', 11 .. 13, 17, 35, 39, 48, 51, 52, 79 .. 81, 85, 97,
    104, 124 .. 126, 138, 139, 156, 157, 169 .. 174, 192 .. 195, 197, 198,
    207 .. 210, 213 .. 218, 223 .. 226, 242 .. 255, 260 .. 269, 271, 272);
set_reach('doom', 'behind', 1, 26 .. 28, 31 .. 34, 117, 118);
set_reach('doom', 'neighbours', 9, 146, 155, 191);
set_reach('doom', 'stairs', 7, 8, 100, 127, 256 .. 259);
$reach{$_} = {%{$reach{doom}}} for qw(heretic strife);
set_reach('heretic', 'none', 99, 105);
set_reach('heretic', 'tagged', 100);
set_reach('heretic', 'stairs', 106, 107);
set_reach('strife', 'tagged', 142 .. 235);
set_reach('strife', 'none', 142, 143, 147 .. 150, 175, 182, 185, 187, 195, 198,
    201 .. 204, 206, 208, 210, 211, 215, 228, 231);
set_reach('strife', 'behind', 144, 156 .. 161, 165, 166, 169, 170, 190, 205,
    213, 217, 221, 224, 225, 232);
set_reach('strife', 'neighbours', 207, 229);
set_reach('strife', 'stairs', 146, 178, 209);
my %changes_flat = map { $_ => 1 } 9, 14, 15, 20, 22, 37, 47, 59, 66 .. 68, 78,
    84, 93, 95, 143, 144, 146, 148, 149, 153 .. 155, 159, 160, 177, 179,
    189 .. 191, 239 .. 241;
my $ICE = 223;
my %is_still = map { $_ => 1 } 0 .. 5, 7 .. 9, 11 .. 13, 16, 17;

my (@lines, @sectors);
my (@cuts, @slabs, @is_sorted, %upright, %face_of);

sub read_maps {
    my ($file) = @_;
    open my $handle, '<:raw', $file or die "$file: $!\n";
    my $wad = do { local $/; <$handle> };
    my (undef, $count, $at) = unpack 'a4VV', $wad;
    my @lumps = map { [unpack 'VVA8', substr $wad, $at + 16 * $_, 16] }
        0 .. $count - 1;
    my @maps;
    for my $i (0 .. $count - 2) {
        next if $lumps[$i + 1][2] ne 'THINGS';
        my %map = (name => $lumps[$i][2]);
        $map{$lumps[$_][2]} = substr $wad, $lumps[$_][0], $lumps[$_][1]
            for $i + 1 .. $i + 10;
        push @maps, \%map;
    }
    return @maps;
}

# Sets @lines and @sectors; a sector is fixed if none of the games moves it.
sub read_map {
    my ($map, @games) = @_;
    @slabs = ();
    my @vertices = map { [unpack 's<s<', $_] } unpack '(a4)*', $map->{VERTEXES};
    my @sides = map { unpack 'x28v', $_ } unpack '(a30)*', $map->{SIDEDEFS};
    @sectors = ();
    for (unpack '(a26)*', $map->{SECTORS}) {
        my %sector;
        @sector{qw(floor ceiling floor_flat ceiling_flat light special tag)} =
            unpack 's<s<Z8Z8vvv', $_;
        $sector{sky} = $sector{ceiling_flat} =~ /^F_SKY/i ? 1 : 0;
        $sector{fixed} = !$sector{tag} && $is_still{$sector{special} & 31} &&
            $sector{special} < 256;
        push @sectors, \%sector;
    }
    @lines = ();
    for (unpack '(a14)*', $map->{LINEDEFS}) {
        my ($v1, $v2, $flags, $special, $tag, @its) = unpack 'v7', $_;
        my @on = map { $_ == 0xFFFF ? -1 : $sides[$_] } @its;
        my %line = (flags => $flags, special => $special, tag => $tag,
            sector => \@on);
        @line{qw(x1 y1 x2 y2)} = (@{$vertices[$v1]}, @{$vertices[$v2]});
        push @lines, \%line;
    }
    my $calm = !(grep { $_ eq 'heretic' } @games) || $map->{name} !~ /M8/;
    for my $game (@games) {
        delete @$_{'begins', 'other_flat', 'by neighbours', 'by all',
            'by stairs'} for @sectors;
        $calm &&= move($game, $_) for grep { $_->{special} } @lines;
        spread('neighbours', sub { $_[1]{other_flat} = 1 }, 1);
        spread('all', sub { 1 });
        spread('stairs', sub { my ($from, $to) = @_;
            return $from->{other_flat} || $to->{other_flat} ||
                uc $from->{floor_flat} eq uc $to->{floor_flat} });
    }
    for my $sector (@sectors) {
        $sector->{fixed} = 0 if !$calm;
    }
}

# Takes account of the special of a line; returns whether it leaves some sectors
# alone.
sub move {
    my ($game, $line) = @_;
    my $special = $line->{special};
    my $is_boom = $special >= 0x2F80 && $special < 0x8000;
    my $reach = $reach{$game}{$special} // 'tagged';
    $reach = $special & 0x200 ? 'all' : 'stairs'
        if $is_boom && $special >> 10 == 12;
    return 0 if !$is_boom && $special > 269 && $reach eq 'tagged';
    return 1 if $reach eq 'none';
    my @moved = grep { $_->{tag} == $line->{tag} } @sectors;
    if ($reach eq 'behind' || ($is_boom && $special % 8 > 5)) {
        @moved = $line->{sector}[1] < 0 ? () : $sectors[$line->{sector}[1]];
    } elsif ($line->{tag} == 0) {
        return 0;
    }
    for my $sector (@moved) {
        $sector->{fixed} = 0;
        $sector->{begins}{$reach} = 1;
        $sector->{other_flat} = 1 if $changes_flat{$special} ||
            ($special >= 0x6000 && $special < 0x8000 && $special & 0xC00);
    }
    return 1;
}

# Goes on from the sectors that an action begins at, to those behind their lines,
# or once to those on either side.
sub spread {
    my ($reach, $may_enter, $is_beside) = @_;
    my $is_new = 1;
    my @from = map { $_->{begins}{$reach} ? 1 : 0 } @sectors;
    while ($is_new) {
        $is_new = 0;
        for my $line (@lines) {
            my @on = @{$line->{sector}};
            next if grep { $_ < 0 } @on;
            for my $way ([@on], $is_beside ? [reverse @on] : ()) {
                my ($a, $b) = @$way;
                next if !$from[$a] || $sectors[$b]{"by $reach"} ||
                    !$may_enter->(@sectors[$a, $b]);
                $sectors[$b]{"by $reach"} = $is_new = 1;
                $sectors[$b]{fixed} = 0;
                $from[$b] = 1 if !$is_beside;
            }
        }
    }
}

# The lines that are in no list.
sub read_pruned {
    my ($lump) = @_;
    my @words = unpack 'v*', $lump;
    my %is_listed;
    my ($columns, $rows) = @words[2, 3];
    for my $at (@words[4 .. 3 + $columns * $rows]) {
        for ($at++; $words[$at] != 0xFFFF; $at++) {
            $is_listed{$words[$at]} = 1;
        }
    }
    return grep { !$is_listed{$_} } 0 .. $#lines;
}

# --- Lines that meet otherwise than at their ends ---

# The side of line $a that a point is on.
sub side {
    my ($a, $x, $y) = @_;
    return ($a->{x2} - $a->{x1}) * ($y - $a->{y1}) <=>
        ($a->{y2} - $a->{y1}) * ($x - $a->{x1});
}

sub is_between {
    my ($value, $a, $b) = @_;
    return $a < $b ? $a <= $value && $value <= $b : $b <= $value && $value <= $a;
}

sub is_on {
    my ($a, $x, $y) = @_;
    return side($a, $x, $y) == 0 && is_between($x, $a->{x1}, $a->{x2}) &&
        is_between($y, $a->{y1}, $a->{y2});
}

sub is_end {
    my ($a, $x, $y) = @_;
    return ($a->{x1} == $x && $a->{y1} == $y) ||
        ($a->{x2} == $x && $a->{y2} == $y);
}

# Whether one has an end on the other that is not an end of that, or they cross,
# or have both ends in common, or one has no length.
sub do_meet {
    my ($a, $b) = @_;
    my $common = 0;
    for ([$a, $b], [$b, $a]) {
        my ($one, $other) = @$_;
        for my $end (1, 2) {
            my ($x, $y) = ($one->{"x$end"}, $one->{"y$end"});
            my $is_end = is_end($other, $x, $y);
            return 1 if is_on($other, $x, $y) && !$is_end;
            $common++ if $is_end;
        }
    }
    return 1 if $common > 2;
    return side($a, $b->{x1}, $b->{y1}) * side($a, $b->{x2}, $b->{y2}) < 0 &&
        side($b, $a->{x1}, $a->{y1}) * side($b, $a->{x2}, $a->{y2}) < 0;
}

sub find_doubtful {
    my %ends;
    for my $line (@lines) {
        @$line{qw(west east)} = sort { $a <=> $b } @$line{qw(x1 x2)};
        @$line{qw(south north)} = sort { $a <=> $b } @$line{qw(y1 y2)};
        push @{$ends{"$line->{x1} $line->{y1}"}}, $line;
        push @{$ends{"$line->{x2} $line->{y2}"}}, $line;
    }
    $_->[0]{ends_alone} = 1 for grep { @$_ == 1 } values %ends;
    my @from_west = sort { $a->{west} <=> $b->{west} } @lines;
    for my $i (0 .. $#from_west) {
        my $a = $from_west[$i];
        for (my $j = $i + 1; $j < @from_west; $j++) {
            my $b = $from_west[$j];
            last if $b->{west} > $a->{east};
            next if $b->{south} > $a->{north} || $b->{north} < $a->{south};
            $a->{doubtful} = $b->{doubtful} = 1 if do_meet($a, $b);
        }
    }
}

# --- Faces ---

sub make_slabs {
    my %seen;
    @cuts = sort { $a <=> $b } grep { !$seen{$_}++ }
        map { @$_{qw(x1 x2)} } @lines;
    my %index = map { $cuts[$_] => $_ } 0 .. $#cuts;
    @slabs = map { [] } @cuts;
    @is_sorted = ();
    %upright = %face_of = ();
    for my $line (@lines) {
        $line->{first} = $index{$line->{west}};
        $line->{last} = $index{$line->{east}} - 1;
        push @{$upright{$line->{first}}}, $line
            if $line->{west} == $line->{east};
        push @{$slabs[$_]}, $line for $line->{first} .. $line->{last};
    }
}

sub level_at {
    my ($line, $x) = @_;
    return $line->{y1} + ($line->{y2} - $line->{y1}) * ($x - $line->{x1}) /
        ($line->{x2} - $line->{x1});
}

# The lines of a slab, from south to north.
sub slab {
    my ($index) = @_;
    return [] if $index < 0 || $index >= $#cuts;
    if (!$is_sorted[$index]++) {
        my $middle = ($cuts[$index] + $cuts[$index + 1]) / 2;
        my %level = map { $_ => level_at($_, $middle) } @{$slabs[$index]};
        @{$slabs[$index]} =
            sort { $level{$a} <=> $level{$b} } @{$slabs[$index]};
    }
    return $slabs[$index];
}

# From where to where a cell goes at a cut.
sub span_at {
    my ($slab, $place, $x) = @_;
    my $lines = slab($slab);
    return (
        $place == 0 ? -1e9 : level_at($lines->[$place - 1], $x),
        $place == @$lines ? 1e9 : level_at($lines->[$place], $x)
    );
}

# Whether some of an interval of a cut has no line on it.
sub is_open {
    my ($cut, $from, $to) = @_;
    for my $line (sort { $a->{south} <=> $b->{south} } @{$upright{$cut} // []}) {
        last if $line->{south} > $from + $EPSILON;
        $from = $line->{north} if $line->{north} > $from;
    }
    return $to - $from > $EPSILON;
}

# Takes account of a side that a face has.
sub add_side {
    my ($face, $line, $is_back) = @_;
    $face->{sector}{$line->{sector}[$is_back]} = 1;
    $face->{doubtful} = 1 if $line->{doubtful};
    $face->{is_ended_in} = 1 if $line->{ends_alone};
}

# The face that a cell is of.
sub fill_face {
    my @todo = [@_];
    my $first = "$_[0] $_[1]";
    return $face_of{$first} if $face_of{$first};
    my $face = {sector => {}, doubtful => 0};
    $face_of{$first} = $face;
    while (my $cell = pop @todo) {
        my ($slab, $place) = @$cell;
        my $lines = slab($slab);
        if ($place == 0 || $place == @$lines) {
            $face->{doubtful} = 1;    # it is around the map
            next;
        }
        my ($below, $above) = @$lines[$place - 1, $place];
        add_side($face, $below, $below->{x1} < $below->{x2} ? 1 : 0);
        add_side($face, $above, $above->{x1} < $above->{x2} ? 0 : 1);
        for my $east (0, 1) {
            my $cut = $slab + $east;
            my ($from, $to) = span_at($slab, $place, $cuts[$cut]);
            for my $line (@{$upright{$cut} // []}) {
                next if $line->{north} - $from < $EPSILON ||
                    $to - $line->{south} < $EPSILON;
                my $goes_north = $line->{y1} < $line->{y2} ? 1 : 0;
                add_side($face, $line, $east ? $goes_north : 1 - $goes_north);
            }
            my $next = $slab + ($east ? 1 : -1);
            for my $other (0 .. @{slab($next)}) {
                my ($low, $high) = span_at($next, $other, $cuts[$cut]);
                $low = $from if $low < $from;
                $high = $to if $high > $to;
                next if $high - $low < $EPSILON ||
                    !is_open($cut, $low, $high) || $face_of{"$next $other"};
                $face_of{"$next $other"} = $face;
                push @todo, [$next, $other];
            }
        }
    }
    return $face;
}

# The faces to the front and back of a line that is not doubtful.
sub faces_beside {
    my ($line) = @_;
    my @both;    # below or west, above or east
    if ($line->{west} != $line->{east}) {
        my $slab = int(($line->{first} + $line->{last}) / 2);
        my $lines = slab($slab);
        my ($place) = grep { $lines->[$_] == $line } 0 .. $#$lines;
        @both = (fill_face($slab, $place), fill_face($slab, $place + 1));
        return $line->{x1} < $line->{x2} ? @both : reverse @both;
    }
    for my $slab ($line->{first} - 1, $line->{first}) {
        my $x = $cuts[$line->{first}];
        for my $place (0 .. @{slab($slab)}) {
            my ($from, $to) = span_at($slab, $place, $x);
            next if $line->{north} - $from < $EPSILON ||
                $to - $line->{south} < $EPSILON;
            push @both, fill_face($slab, $place);
            last;
        }
    }
    return $line->{y1} < $line->{y2} ? reverse @both : @both;
}

# Whether the faces that a line looks at show one sector all round, and perhaps
# have no line that ends alone.
sub faces_agree {
    my ($line, $may_end_alone) = @_;
    return 0 if $line->{doubtful};
    find_doubtful(), make_slabs() if !@slabs;
    return 0 if $line->{doubtful};
    my @faces = faces_beside($line);
    return !grep { $line->{sector}[$_] >= 0 && ($faces[$_]{doubtful} ||
            $faces[$_]{is_ended_in} && !$may_end_alone ||
            keys %{$faces[$_]{sector}} > 1) } 0, 1;
}

# --- Inert lines ---

# Whether a line goes between the corners of the box around another.
sub is_in_reach {
    my ($line, $other) = @_;
    my %seen;
    for my $x ($line->{west} - $REACH, $line->{east} + $REACH) {
        $seen{side($other, $x, $_)} = 1
            for $line->{south} - $REACH, $line->{north} + $REACH;
    }
    return $seen{0} || keys %seen > 1;
}

# Whether a missile may tell that a line is there: of the lines near it that are
# as low, it vanishes by some and not by others, and beside one it is higher.
sub is_near_sky {
    my ($line) = @_;
    my $own = $sectors[$line->{sector}[0]];
    my ($higher, $other_sky);
    for my $other (@lines) {
        next if $other->{west} > $line->{east} + $REACH ||
            $other->{east} < $line->{west} - $REACH ||
            $other->{south} > $line->{north} + $REACH ||
            $other->{north} < $line->{south} - $REACH ||
            !is_in_reach($line, $other) || grep { $_ < 0 } @{$other->{sector}};
        my @on = @sectors[@{$other->{sector}}];
        my ($low, $high) = sort { $a <=> $b } map { $_->{ceiling} } @on;
        my $moves = grep { !$_->{fixed} } @on;
        next if $low != $own->{ceiling} && !$moves;
        $higher = 1 if $low < $high || $moves;
        my $back = $on[1];
        $other_sky = 1 if $own->{sky} != $back->{sky} || ($own->{sky} &&
            ($back->{ceiling} != $own->{ceiling} || !$back->{fixed}));
    }
    return $higher && $other_sky;
}

sub is_inert {
    my ($line) = @_;
    return 0 if $line->{special} || $line->{tag} ||
        ($line->{flags} & ~$HARMLESS) != $TWO_SIDED ||
        grep { $_ < 0 } @{$line->{sector}};
    my ($a, $b) = @sectors[@{$line->{sector}}];
    return 0 if !$a->{fixed} || !$b->{fixed} || $a->{floor} != $b->{floor} ||
        $a->{ceiling} != $b->{ceiling} || $a->{floor} >= $a->{ceiling} ||
        uc $a->{floor_flat} ne uc $b->{floor_flat} || $a->{sky} != $b->{sky};
    return faces_agree($line) && !is_near_sky($line);
}

# Prints how many lines are inert, and what is wrong; returns how much is.
sub check_inert {
    my ($all, $wrong) = (0, 0);
    for my $file (@_) {
        for my $map (read_maps($file)) {
            read_map($map, qw(doom heretic strife));
            my $is_icy = grep { $_->{special} == $ICE } @lines;
            my %is_pruned = map { $_ => 1 } read_pruned($map->{BLOCKMAP});
            for my $i (0 .. $#lines) {
                my $is_inert = !$is_icy && is_inert($lines[$i]);
                $all += $is_inert ? 1 : 0;
                next if !$is_inert == !$is_pruned{$i};
                $wrong++;
                print "$file: $map->{name}: linedef $i is ",
                    $is_inert ? "inert, but listed\n" : "pruned, but not inert\n";
            }
        }
    }
    print "$all inert lines\n";
    return $wrong;
}

# --- What missing entries do ---

# The class of a line, and why it is solid.
sub judge {
    my ($line) = @_;
    my @on = map { $sectors[$_] } grep { $_ >= 0 } @{$line->{sector}};
    my $is_open = @on == 2 && $line->{flags} & $TWO_SIDED;
    return 'solid: its sectors are not known' if !@on;
    return 'solid: one-sided'
        if !$is_open && grep { $_->{floor} < $_->{ceiling} } @on;
    return 'solid: impassable' if $is_open &&
        $line->{flags} & ~($TWO_SIDED | $HARMLESS | $BLOCKS_SOUND);
    return "solid: special $line->{special}" if $line->{special};
    for ($is_open ? qw(floor ceiling) : ()) {
        my $step = abs $on[0]{$_} - $on[1]{$_};
        return "solid: a step of $step" if $step;
    }
    return 'solid: its sector may move'
        if !($is_open && $on[0] == $on[1]) && grep { !$_->{fixed} } @on;
    return faces_agree($line, 1) ? 'harmless' : 'solid: self-referencing';
}

sub check_solid {
    require JSON::PP;
    my $report = JSON::PP::decode_json(do { local $/; <STDIN> });
    my (%count, $wrong);
    for my $file (@{$report->{files}}) {
        my %missing = map { $_->{map} => $_->{missing} // [] } @{$file->{maps}};
        for my $map (read_maps($file->{input})) {
            read_map($map, 'doom');
            for my $entry (@{$missing{$map->{name}} // []}) {
                my $truth = judge($lines[$entry->{linedef}]);
                my $told = $entry->{class} .
                    ($entry->{reason} ? ": $entry->{reason}" : '');
                $count{$truth}++;
                next if $told eq $truth;
                $wrong++;
                print "$file->{input} $map->{name} linedef $entry->{linedef}: ",
                    "$told, not $truth\n";
            }
        }
    }
    print "$count{$_} $_\n" for sort keys %count;
    return $wrong;
}

sub check_walls {
    require JSON::PP;
    my $report = JSON::PP::decode_json(do { local $/; <STDIN> });
    my ($all, $passable, $wrong) = (0, 0, 0);
    for my $file (@{$report->{files}}) {
        my %walls;
        for my $map (@{$file->{maps}}) {
            $walls{$map->{map}}{$_->{linedef}} |= $_->{players} > 0 ||
                $_->{missiles} > 0 || $_->{shots} > 0
                for map { @{$_->{walls} // []} } @{$map->{groups}};
        }
        for my $map (grep { $walls{$_->{name}} } read_maps($file->{input})) {
            my $its = $walls{$map->{name}};
            read_map($map, 'doom');
            for my $i (sort { $a <=> $b } keys %$its) {
                $all++;
                $passable += $its->{$i} ? 1 : 0;
                next if judge($lines[$i]) ne 'harmless';
                $wrong++;
                print "$file->{input} $map->{name} linedef $i is free\n";
            }
        }
    }
    print "$all walls, $passable can be crossed\n";
    return $wrong;
}

my ($what, @words) = @ARGV;
exit({inert => \&check_inert, solid => \&check_solid,
    walls => \&check_walls}->{$what}->(@words) ? 1 : 0);
