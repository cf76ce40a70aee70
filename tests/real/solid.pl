# SPDX-License-Identifier: GPL-2.0-or-later
#
# solid.pl MOST FILE.wad...: reads, on standard input, a report of `verify
# --json` on these WADs, and judges at most so many of its missing entries for
# each file by itself, from the map in Doom's format.  Prints how many of each
# class and reason there were, and each entry of which the report says something
# else.
#
# The rules are those of VERIFY in blocksweep(1).  Faces are found here with
# angles and floating point: a loop of sides turns at each vertex to the next
# line to the right; a loop that runs the other way is around an island, and
# belongs to the smallest loop that it is in.

use strict;
use warnings;
use JSON::PP;
use List::Util qw(min max shuffle);

my ($most, @files) = @ARGV;
srand 1;

# --- The map ---

my (@vertex, @line, @side, @sector); # of the map that is judged

sub lumps_of {
    open my $file, "<:raw", $_[0] or die "$_[0]: $!\n";
    my $bytes = do { local $/; <$file> };
    my ($count, $at) = unpack "x4 V2", $bytes;
    return map {
        my ($begin, $size, $name) =
            unpack "V2 A8", substr $bytes, $at + 16 * $_, 16;
        [$name =~ s/\0.*//sr, substr $bytes, $begin, $size]
    } 0 .. $count - 1;
}

sub read_map {
    my ($name, @lumps) = @_;
    my ($marker) = grep { $lumps[$_][0] eq $name } 0 .. $#lumps;
    my %lump = map { @{$lumps[$_]} } $marker + 1 .. $marker + 10;
    @vertex = map { [unpack "s<2", $_] } unpack "(a4)*", $lump{VERTEXES};
    @side = map { unpack "x28 v", $_ } unpack "(a30)*", $lump{SIDEDEFS};
    @line = map {
        my ($from, $to, $flags, $special, $tag, @of) = unpack "v7", $_;
        {from => $from, to => $to, flags => $flags, special => $special,
         tag => $tag, sectors => [map { $_ == 65535 ? undef : $side[$_] } @of]}
    } unpack "(a14)*", $lump{LINEDEFS};
    @sector = map {
        my ($floor, $ceiling, $special, $tag) = unpack "s<2 x18 v2", $_;
        {floor => $floor, ceiling => $ceiling, special => $special, tag => $tag}
    } unpack "(a26)*", $lump{SECTORS};
}

# --- What may move ---

# Specials from the Unofficial Doom Specs: pushed doors, which move the sector
# behind the line; what builds stairs or donuts, in Doom or Heretic; and what
# moves nothing.  All other numbers up to 141 move the sectors with their tag.
my %is_door = map { $_ => 1 } 1, 26 .. 28, 31 .. 34, 117, 118;
my %is_builder = map { $_ => 1 } 7 .. 9, 100, 106, 107, 127;
my %is_still = map { $_ => 1 } 0, 11 .. 13, 17, 35, 39, 48, 51, 52, 79 .. 81,
    97, 104, 124 .. 126, 138, 139;
my %is_light = map { $_ => 1 } 0 .. 5, 7 .. 9, 11 .. 13, 16, 17;

# The sectors that may move; undef if all may.
sub find_moving {
    my ($name) = @_;
    my %moves;
    return undef if $name =~ /M8/;
    for (0 .. $#sector) {
        $moves{$_} = 1
            if $sector[$_]{tag} || !$is_light{$sector[$_]{special}};
    }
    for my $line (@line) {
        my $special = $line->{special};
        return undef if $is_builder{$special} || $special > 141;
        if ($is_door{$special}) {
            my $behind = $line->{sectors}[1];
            $moves{$behind} = 1 if defined $behind;
        } elsif (!$is_still{$special} && $line->{tag} == 0) {
            return undef;
        }
    }
    return \%moves;
}

# --- Faces ---

my @agrees; # for each side, or undef

sub cross {
    my ($o, $a, $b) = @_;
    return ($a->[0] - $o->[0]) * ($b->[1] - $o->[1]) -
        ($a->[1] - $o->[1]) * ($b->[0] - $o->[0]);
}

# Whether two lines have another point in common than an end of both.
sub meet {
    my ($p, $q, $r, $s) = map { $vertex[$_] } @_;
    return 0 if max($p->[0], $q->[0]) < min($r->[0], $s->[0]) ||
        max($r->[0], $s->[0]) < min($p->[0], $q->[0]) ||
        max($p->[1], $q->[1]) < min($r->[1], $s->[1]) ||
        max($r->[1], $s->[1]) < min($p->[1], $q->[1]);
    my @turn = map { $_ <=> 0 } cross($p, $q, $r), cross($p, $q, $s),
        cross($r, $s, $p), cross($r, $s, $q);
    return 0 if $turn[0] * $turn[1] > 0 || $turn[2] * $turn[3] > 0;
    my %at = map { join(",", @$_) => 1 } $p, $q;
    my @shared = grep { $at{join ",", @$_} } $r, $s;
    return 1 if !@shared || @shared > 1;
    return 0 if grep { $_ } @turn[0, 1]; # they only share an end
    my ($o) = @shared;
    my ($a) = grep { "@$_" ne "@$o" } $p, $q;
    my ($b) = grep { "@$_" ne "@$o" } $r, $s;
    return ($a->[0] - $o->[0]) * ($b->[0] - $o->[0]) +
        ($a->[1] - $o->[1]) * ($b->[1] - $o->[1]) > 0;
}

# The lines that are not as lines of a drawing should be.
sub find_doubtful {
    my (%doubtful, %ends, %near);
    for my $i (0 .. $#line) {
        my ($p, $q) = map { $vertex[$_] } @{$line[$i]}{qw(from to)};
        $doubtful{$i} = 1 if "@$p" eq "@$q";
        push @{$ends{"@$_"}}, $i for $p, $q;
        for my $x ((min($p->[0], $q->[0]) >> 8) .. (max($p->[0], $q->[0]) >> 8)) {
            for my $y ((min($p->[1], $q->[1]) >> 8) ..
                (max($p->[1], $q->[1]) >> 8)) {
                push @{$near{"$x $y"}}, $i;
            }
        }
    }
    for my $at (values %ends) {
        $doubtful{$at->[0]} = 1 if @$at == 1;
    }
    for my $block (values %near) {
        for my $i (@$block) {
            for my $j (@$block) {
                last if $j >= $i;
                @doubtful{$i, $j} = (1, 1)
                    if meet(@{$line[$i]}{qw(from to)}, @{$line[$j]}{qw(from to)});
            }
        }
    }
    return \%doubtful;
}

# Whether a point is inside a loop of sides.
sub is_inside {
    my ($x, $y, $loop) = @_;
    my $inside = 0;
    for (@$loop) {
        my ($p, $q) = map { $vertex[$_] } @{$line[$_ >> 1]}{qw(from to)};
        next if ($p->[1] > $y) == ($q->[1] > $y);
        $inside ^= $x < $p->[0] +
            ($q->[0] - $p->[0]) * ($y - $p->[1]) / ($q->[1] - $p->[1]);
    }
    return $inside;
}

sub find_faces {
    my $doubtful = find_doubtful();
    my (%out, @next, @loops, @loop_of);
    # A side goes from its first vertex to its second, and looks to the right.
    my @ends = map { my @v = @$_{qw(from to)}; ([@v], [reverse @v]) } @line;
    for (0 .. $#ends) {
        my ($p, $q) = map { $vertex[$_] } @{$ends[$_]};
        push @{$out{"@$p"}},
            [atan2($q->[1] - $p->[1], $q->[0] - $p->[0]), $_];
    }
    # At its end it goes on with the line that is next to the right, which is
    # the next counter-clockwise from the way back.
    for my $at (values %out) {
        my @by_angle = map { $_->[1] }
            sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } @$at;
        $next[$by_angle[$_] ^ 1] = $by_angle[($_ + 1) % @by_angle]
            for 0 .. $#by_angle;
    }
    for my $first (0 .. $#ends) {
        next if defined $loop_of[$first];
        my @loop;
        for (my $at = $first; !defined $loop_of[$at]; $at = $next[$at]) {
            $loop_of[$at] = @loops;
            push @loop, $at;
        }
        my $area = 0; # twice, positive if clockwise: around a face
        for (@loop) {
            my ($p, $q) = map { $vertex[$_] } @{$ends[$_]};
            $area -= $p->[0] * $q->[1] - $p->[1] * $q->[0];
        }
        push @loops, {sides => \@loop, area => $area};
    }
    # The loop that an island is in.
    my @outer = sort { $a->{area} <=> $b->{area} } grep { $_->{area} > 0 } @loops;
    my $around_all = {sides => [], spoilt => 1};
    for my $island (grep { $_->{area} <= 0 } @loops) {
        my ($west) = sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] }
            map { $vertex[$ends[$_][0]] } @{$island->{sides}};
        my %own = map { $_ >> 1 => 1 } @{$island->{sides}};
        $island->{in} = $around_all;
        for (@outer) {
            next if grep { $own{$_ >> 1} } @{$_->{sides}};
            next if !is_inside($west->[0] - 1 / 256, $west->[1] + 1 / 1024,
                $_->{sides});
            $island->{in} = $_;
            last;
        }
    }
    for my $loop (@loops) {
        my $face = $loop->{in} // $loop;
        for (@{$loop->{sides}}) {
            my $sector = $line[$_ >> 1]{sectors}[$_ & 1];
            $face->{shows} //= $sector;
            $face->{spoilt} = 1
                if !defined $sector || $sector != $face->{shows} ||
                $doubtful->{$_ >> 1};
        }
    }
    @agrees = map { my $loop = $loops[$_];
        !($loop->{in} // $loop)->{spoilt} } @loop_of;
}

# --- Classes ---

sub judge {
    my ($number, $moving) = @_;
    my $line = $line[$number];
    my @sectors = map { $sector[$_] } grep { defined } @{$line->{sectors}};
    my $two_sided = @sectors == 2 && $line->{flags} & 4;
    return "solid: what is beside it is not known" if !@sectors;
    return "solid: one-sided"
        if !$two_sided && grep { $_->{floor} < $_->{ceiling} } @sectors;
    # Pegs, secret, sound and the automap do not block.
    return "solid: impassable" if $two_sided && $line->{flags} & ~0x1FC;
    return "solid: special $line->{special}" if $line->{special};
    if ($two_sided) {
        my ($front, $back) = @sectors;
        for (qw(floor ceiling)) {
            my $step = abs $front->{$_} - $back->{$_};
            return "solid: a step of $step" if $step;
        }
    }
    return "solid: its sector may move"
        if grep { defined && (!$moving || $moving->{$_}) } @{$line->{sectors}};
    find_faces() if !@agrees;
    for (0, 1) {
        return "solid: self-referencing"
            if defined $line->{sectors}[$_] && !$agrees[2 * $number + $_];
    }
    return "harmless";
}

my $report = decode_json(do { local $/; <STDIN> });
my (%count, %entries);
for my $file (@{$report->{files}}) {
    my @entries;
    for my $map (@{$file->{maps}}) {
        push @entries, map { [$map->{map}, $_] }
            @{$map->{missing} // []}, @{$map->{missing_outside} // []};
    }
    # Those that are solid first: they are few where lines were left out.
    @entries = sort { $b->[1]{class} cmp $a->[1]{class} } shuffle @entries;
    splice @entries, $most if @entries > $most;
    my @lumps = lumps_of($file->{input});
    my %of_map;
    push @{$of_map{$_->[0]}}, $_->[1] for @entries;
    for my $map (sort keys %of_map) {
        read_map($map, @lumps);
        my $moving = find_moving($map);
        @agrees = ();
        for my $entry (@{$of_map{$map}}) {
            my $truth = judge($entry->{linedef}, $moving);
            my $told = $entry->{class} .
                ($entry->{reason} ? ": $entry->{reason}" : "");
            $count{$truth}++;
            print "$file->{input} $map linedef $entry->{linedef}: $told, not $truth\n"
                if $told ne $truth;
        }
    }
}
print "$count{$_} $_\n" for sort keys %count;
