#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Has players, their missiles and their shots try to cross walls; see
# wall-files.pl for the files of a map.
#
#   try-walls.pl next MOVER CAN CANNOT
#           adds to "crossed" what MOVER has crossed, as the observer saw in
#           "movers", and writes run.wad, run.lmp and run.deh for the next walls
#           that he has not; fails if there are none: those that can be crossed
#           are tried CAN times, others CANNOT times
#   try-walls.pl sum MOVER
#           prints how many walls can be crossed where nothing else stands, how
#           many of these have been, how many cannot, and how many of these have
#           been
#   try-walls.pl left MOVER
#           prints the numbers, from 1, of the walls that can be crossed and
#           have not been
#
# MOVER is "player", "missile" or "shot".  Missiles are shots of a plasma gun,
# which the pistol becomes, with radius and speed of plasma, rockets or imp's
# balls; shots are those of a chaingun.

use strict;
use warnings;
use FindBin;

require "$FindBin::Bin/wall-files.pl";

my @MISSILES = ([6, 10], [11, 20], [13, 25]);
my $PI = atan2(0, -1);
my $RADIUS = 17;                # of a player, and a unit
my ($RAISED, $SHIFT) = (24, 90);   # tics: the weapon is up; one player fires

# What the walls beside a gap must leave free: boxes of the smallest radius.
my %WIDTH = (player => 32, missile => 12, shot => 0);

my ($state, @walls, @others, @said, @crossed, @tried);

# A number from $low to $high, the same in all runs.
sub draw {
    my ($low, $high) = @_;
    $state = ($state * 1103515245 + 12345) % (1 << 31);
    return $low + ($high - $low) * (($state >> 8) % 65536) / 65535;
}

sub chance { return draw(0, 1) < $_[0] }

# Reads what is known of MOVER; impassable lines only stop players.
sub read_state {
    my ($mover) = @_;
    my $column = {player => 0, missile => 1, shot => 2}->{$mover};
    my @facts = map { [split] } split /\n/, read_file('facts');
    for (split /\n/, read_file('lines')) {
        my ($x1, $y1, $x2, $y2, $x, $y, $columns, undef, @blocks) = split;
        my (undef, $state, $free, @pieces) = @{$facts[@walls]};
        push @walls, {ends => [$x1, $y1, $x2, $y2], state => $state,
            free => $free, pieces => \@pieces,
            box => [least($x1, $x2), least($y1, $y2), most($x1, $x2),
                most($y1, $y2)],
            length => sqrt(($x2 - $x1) ** 2 + ($y2 - $y1) ** 2),
            corners => [map { [$x + $_ % $columns * 128,
                $y + int($_ / $columns) * 128] } @blocks]};
    }
    @said = map { (split)[$column] } split /\n/, read_file('said');
    @crossed = @tried = (0) x @walls;
    $tried[$_]++ for split ' ', read_file('tried');
    $crossed[$_]++ for split ' ', read_file('crossed');
    return grep { $mover eq 'player' || $walls[$_]{state} ne 'impassable' }
        0 .. $#walls;
}

# --- Places ---

# Whether a player at a place straddles a line, or would one unit from it.
sub straddles {
    my ($ends, $x, $y) = @_;
    my ($x1, $y1, $x2, $y2) = @$ends;
    return 0 if $x + $RADIUS < least($x1, $x2) ||
        $x - $RADIUS > most($x1, $x2) || $y + $RADIUS < least($y1, $y2) ||
        $y - $RADIUS > most($y1, $y2);
    return abs(($x - $x1) * ($y2 - $y1) - ($y - $y1) * ($x2 - $x1)) <=
        $RADIUS * (abs($x2 - $x1) + abs($y2 - $y1));
}

# Whether he is held there by a wall.
sub is_held {
    my ($wall, $x, $y) = @_;
    return straddles($wall->{ends}, $x, $y) && grep {
        $x + $RADIUS > $_->[0] && $x - $RADIUS < $_->[0] + 128 &&
        $y + $RADIUS > $_->[1] && $y - $RADIUS < $_->[1] + 128
    } @{$wall->{corners}};
}

# Where a way crosses a line, from the line's first end; undef: it does not.
sub crossing {
    my ($ends, $x, $y, $to_x, $to_y) = @_;
    my ($x1, $y1, $x2, $y2) = @$ends;
    my ($way_x, $way_y) = ($x2 - $x1, $y2 - $y1);
    my $before = ($x - $x1) * $way_y - ($y - $y1) * $way_x;
    my $after = ($to_x - $x1) * $way_y - ($to_y - $y1) * $way_x;
    return undef if ($before > 0) == ($after > 0);
    my $part = $before / ($before - $after);
    my $length = sqrt($way_x ** 2 + $way_y ** 2);
    my $at = (($x + $part * ($to_x - $x) - $x1) * $way_x +
        ($y + $part * ($to_y - $y) - $y1) * $way_y) / $length;
    return $at >= 0 && $at <= $length ? $at : undef;
}

# Whether one who comes from a place reaches an aim, but for the wall itself.
sub is_free {
    my ($near, $x, $y, $to_x, $to_y) = @_;
    my $back = sqrt(($to_x - $x) ** 2 + ($to_y - $y) ** 2);
    my $part = $back > 8 ? 1 - 4 / $back : 0.5;
    my @way = ($x, $y, $x + $part * ($to_x - $x), $y + $part * ($to_y - $y));
    return !grep { straddles($_, $x, $y) || defined crossing($_, @way) } @$near;
}

# The other lines that are not far from a wall.
sub near {
    my ($wall) = @_;
    my ($x1, $y1, $x2, $y2) = @{$wall->{ends}};
    my $far = 900;
    return [grep {
        most($_->[0], $_->[2]) > least($x1, $x2) - $far &&
        least($_->[0], $_->[2]) < most($x1, $x2) + $far &&
        most($_->[1], $_->[3]) > least($y1, $y2) - $far &&
        least($_->[1], $_->[3]) < most($y1, $y2) + $far
    } @others];
}

# Where to begin, and in which direction, in radians, to cross a piece of a wall
# that is not listed, or go close by: from one side or the other, in any
# direction up to $widest from the perpendicular.  $back draws how far before
# the wall.  Prefers places where nothing holds him.
sub aim {
    my ($wall, $widest, $back) = @_;
    my ($x1, $y1, $x2, $y2) = @{$wall->{ends}};
    my ($along_x, $along_y) = map { $_ / $wall->{length} } $x2 - $x1, $y2 - $y1;
    my $near = $wall->{near} //= near($wall);
    my ($x, $y, $way);
    for my $try (1 .. 300) {
        my $piece = 2 * int draw(0, @{$wall->{pieces}} / 2 - 0.01);
        my ($begin, $end) = @{$wall->{pieces}}[$piece, $piece + 1];
        my $at = draw($begin - 1, $end + 1);
        my $turn = chance(0.4) ? 0 : draw(-$widest, $widest);
        my $side = chance(0.5) ? 1 : -1;
        my $away = $back->($try > 150);
        my ($to_x, $to_y) = ($x1 + $at * $along_x, $y1 + $at * $along_y);
        $way = atan2($along_y, $along_x) + $side * $PI / 2 + $turn;
        ($x, $y) = ($to_x - $away * cos $way, $to_y - $away * sin $way);
        last if !is_held($wall, $x, $y) && is_free($near, $x, $y, $to_x, $to_y);
    }
    return (pack('s<s<', map { floor($_ + 0.5) } $x, $y), $way);
}

# --- Tries ---

# The turn of a player who looks to the east, in 256ths: 1.4 degrees.
sub turn_to {
    return (floor($_[0] / $PI * 128 + 512.5) + 128) % 256 - 128;
}

# One who runs to the aim, straight on or also to the side, and presses on:
# where he begins, and what he does at each tic.
sub try_player {
    my ($wall) = @_;
    my ($start, $way) = aim($wall, 0.9, sub { $_[0] || chance(0.3) ?
        draw(40, 200) : draw(200, 830) });
    my $is_fast = chance(0.6);
    my $side = $is_fast ? 50 : 0;
    my $turn = turn_to($is_fast ? $way + $PI / 4 : $way);
    my @does = ([50, $side, $turn, 0]);
    for (1 .. 109) {
        my $change = $_ < 60 || chance(0.7) ? 0 : int(draw(-20, 20));
        push @does, [$_ < 60 || chance(0.9) ? 50 : -50, $side, $change, 0];
    }
    return ($start, @does);
}

# One who stands off and fires, and goes so slowly that each missile comes from
# elsewhere.
sub try_missile {
    my ($wall) = @_;
    my ($start, $way) = aim($wall, 0.8, sub { draw($_[0] ? 25 : 70, 130) });
    my @drift = map { $_ * (chance(0.5) ? 1 : -1) }
        @{([1, 0], [0, 1], [1, 1], [0, 0])[draw(0, 3.99)]};
    my @does = map { [@drift, $_ ? 0 : turn_to($way), $_ < 160 ? 1 : 0] }
        0 .. 189;
    return ($start, @does);
}

# One who fires while the others do not, close to the wall or farther away.
sub try_shot {
    my ($wall, $player) = @_;
    my $is_close = chance(0.5);
    my ($start, $way) = aim($wall, 1.3, sub { $is_close && !$_[0] ?
        draw(0.5, 24) : draw(25, 110) });
    my $drift = $is_close ? 0 : int draw(-1.99, 1.99);
    return ($start, map { [0, shift_at($_) == $player ? $drift : 0,
        $_ ? 0 : turn_to($way), shift_at($_) == $player ? 1 : 0] }
        0 .. $RAISED + 4 * $SHIFT - 1);
}

# Which player fires at a tic; none for some tics after another did.
sub shift_at {
    my $tic = $_[0] - $RAISED;
    return $tic < 0 || $tic % $SHIFT >= $SHIFT - 6 ? -1 : int($tic / $SHIFT);
}

# The walls that the four players try next: those tried least.  If few are left,
# several try one.
sub choose {
    my ($mover, $can, $cannot) = @_;
    my @all = read_state($mover);
    judge($mover) if -e 'movers';
    my @wanted = grep { !$crossed[$_] &&
        $tried[$_] < ($said[$_] > 0 ? $can : $cannot) } @all;
    @wanted = sort { $tried[$a] <=> $tried[$b] || $a <=> $b } @wanted;
    exit 1 if !@wanted;
    return map { $wanted[$_ % @wanted] } 0 .. 3;
}

sub next_run {
    my ($mover, @most) = @_;
    my @tries = choose($mover, @most);
    @others = map { [split] } split /\n/, read_file('others');
    my $first = $tried[$tries[0]];
    my ($things, @does) = ('');
    for my $player (0 .. 3) {
        my $i = $tries[$player];
        $state = $i * 7919 + $tried[$i]++ * 104729 + length $mover;
        draw(0, 1) for 1 .. 5;
        my ($place, @tics) = {player => \&try_player, missile => \&try_missile,
            shot => \&try_shot}->{$mover}->($walls[$i], $player);
        $things .= $place . pack 'vvv', 0, $player + 1, 7;
        push @does, \@tics;
    }
    my $wad = read_file('map.wad');
    substr $wad, 12, length $things, $things;
    write_file('run.wad', $wad);
    my $demo = pack 'C13', 109, 3, 1, 1, (0) x 5, 1, 1, 1, 1;
    for my $tic (0 .. $#{$does[0]}) {
        $demo .= pack 'c3C', @{$_->[$tic]} for @does;
    }
    write_file('run.lmp', $demo, pack 'C', 0x80);
    my ($radius, $speed) = @{$MISSILES[$first % @MISSILES]};
    write_file('run.deh', "Patch File for DeHackEd v3.0\n\nDoom version = 19\n",
        "Patch format = 6\n\nThing 35\nSpeed = ", $speed * 65536, "\nWidth = ",
        $radius * 65536, "\n\nWeapon 1\nShooting frame = ",
        $mover eq 'shot' ? 52 : 77, "\n");
    write_file('tried', read_file('tried'), map { "$_\n" } @tries);
    write_file('tries', "@tries\n");
}

# --- What came of it ---

# Whether a way crosses a wall, not quite at its ends.
sub crosses {
    my ($wall, @way) = @_;
    my $at = crossing($wall->{ends}, @way);
    return defined $at && $at > 0.25 && $at < $wall->{length} - 0.25;
}

# The walls whose bounding boxes a way may touch.
sub near_way {
    my ($x, $y, $to_x, $to_y) = @_;
    ($x, $to_x) = ($to_x, $x) if $x > $to_x;
    ($y, $to_y) = ($to_y, $y) if $y > $to_y;
    return grep {
        my $box = $walls[$_]{box};
        $to_x >= $box->[0] && $x <= $box->[2] && $to_y >= $box->[1] &&
            $y <= $box->[3]
    } 0 .. $#walls;
}

# The ways of players and missiles are from tic to tic; those of shots from who
# fires to the puff.
sub judge {
    my ($mover) = @_;
    my @tries = split ' ', read_file('tries');
    my ($tic, %was, %now, @players, @shooters, %found) = (-1);
    for (split /\n/, read_file('movers')) {
        my ($when, $thing, $is_player, $flags, @at) = split;
        if ($when != $tic) {
            ($tic, %was) = ($when, %now);
            %now = ();
            @shooters = @players;
            @players = ();
        }
        my @place = map { $_ / 65536 } @at;
        my $kind = $is_player ? 'player'
            : $flags & 0x10000 ? 'missile' : 'shot';
        my $last = $was{"$kind $thing"};
        $now{"$kind $thing"} = \@place;
        push @players, \@place if $is_player;
        next if $kind ne $mover;
        if ($mover eq 'shot') {
            next if $last && "@$last" eq "@place";
            my $shooter = $tic < $RAISED ? 0 : int(($tic - $RAISED) / $SHIFT);
            next if $shooter > 3 || !$shooters[$shooter];
            my $i = $tries[$shooter];
            $found{$i} = 1
                if crosses($walls[$i], @{$shooters[$shooter]}, @place);
        } elsif ($last && abs($last->[0] - $place[0]) +
            abs($last->[1] - $place[1]) <= 64) {
            for my $i ($mover eq 'player' ?
                near_way(@$last, @place) : @tries) {
                $found{$i} = 1 if crosses($walls[$i], @$last, @place);
            }
        }
    }
    my @new = grep { !$crossed[$_] } keys %found;
    @crossed[@new] = (1) x @new;
    write_file('crossed', map { "$_\n" } grep { $crossed[$_] } 0 .. $#crossed);
}

sub sum {
    my ($mover) = @_;
    my @all = read_state($mover);
    my @can = grep { $said[$_] > 0 && $walls[$_]{free} > $WIDTH{$mover} } @all;
    my @cannot = grep { $said[$_] == 0 } @all;
    print join(' ', scalar @can, scalar(grep { $crossed[$_] } @can),
        scalar @cannot, scalar(grep { $crossed[$_] } @cannot)), "\n";
}

sub left {
    my ($mover) = @_;
    print map { $_ + 1 . "\n" }
        grep { $said[$_] > 0 && !$crossed[$_] } read_state($mover);
}

my ($task, @arguments) = @ARGV;
({next => \&next_run, sum => \&sum, left => \&left}->{$task} //
    die "try-walls.pl: $task\n")->(@arguments);
