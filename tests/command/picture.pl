# SPDX-License-Identifier: GPL-2.0-or-later
#
# picture.pl PICTURE BLOCKS LINEDEFS [LUMPS]: prints what is wrong in a picture
# of show; ends with 0 if nothing is.  Every block has one colour, every linedef
# is drawn once, and the map has the scale that its size asks for.  LUMPS is a
# folder with the files BLOCKMAP, LINEDEFS and VERTEXES of the map, as they are
# in a WAD: then every block has the colour of its list, and every linedef is
# where its vertices are.

use strict;
use warnings;
use FindBin;

my ($picture, $block_count, $line_count, $lumps) = @ARGV;
my @faults;

# The prototype has a match that fails be false rather than an empty list.
sub expect($$) {
    my ($good, $what) = @_;
    push @faults, $what unless $good;
}

sub read_file {
    open(my $file, '<:raw', $_[0]) or die "$_[0]: $!";
    local $/;
    return scalar <$file>;
}

my $svg = read_file($picture);

# The numbers of an attribute that is found, such as an element's transform.
sub numbers {
    my ($attribute) = $svg =~ $_[0];
    return $attribute =~ /(-?[\d.]+(?:e[-+]?\d+)?)/g;
}

# The path of an element by its id.
sub path_of {
    return ($svg =~ /<path id="$_[0]"[^>]* d="([^"]*)"/)[0];
}

# --- The frame ---

my ($columns, $rows) = (path_of('grid') // '') =~
    /^M0 0h(\d+)M(?:.*?)M0 0v(\d+)/s or die "no grid\n";
my ($x, $y, $scale, $down) = numbers(qr/<g id="map" transform="([^"]*)"/);
my ($origin_x, $origin_y, $side) =
    numbers(qr/<g id="block-grid" transform="([^"]*)"/);

# The longer side of the map has 1000 pixels, but a block at most 96; the numbers
# at the edges stand beside the middles of their columns and rows.
sub check_frame {
    expect($scale == -$down && $side == 128, "the scale is not even");
    my $longer = $columns > $rows ? $columns : $rows;
    my $pixels = 1000 / $longer;
    $pixels = 96 if $pixels > 96;
    my $block = 128 * $scale;
    expect(abs($block - $pixels) < 0.01, "$block pixels a block, not $pixels");
    my $left = $x + $scale * $origin_x;
    my $bottom = $y - $scale * $origin_y;
    my ($edges) = $svg =~ /<g id="edges".*?(<g .*?<\/g>\n<g .*?<\/g>)/s;
    my ($below, $beside) = split /<\/g>\n<g/, $edges;
    expect(abs($1 - $left - ($2 + 0.5) * $block) < 0.1, "column $2")
        while $below =~ /x="(\S+)" y="\S+">(\d+)</g;
    expect(abs($bottom - ($2 + 0.5) * $block + 4 - $1) < 0.1, "row $2")
        while $beside =~ /y="(\S+)">(\d+)</g;
    for ([$below, $columns], [$beside, $rows]) {
        my @numbers = ($_->[0] =~ />(\d+)</g, $_->[1]);
        my @far = grep { ($numbers[$_] - $numbers[ $_ - 1 ]) * $block > 111 }
            1 .. $#numbers;
        expect(@numbers > 1 && !@far, "numbers at the edge: @numbers");
    }
}

# --- What is drawn ---

# The cells of a path of rectangles, each a run of blocks in a row.
sub cells_of {
    my ($path) = @_;
    my @cells;
    while ($path =~ /\GM(\d+) (\d+)h(\d+)v1H\1z/gc) {
        my ($column, $row, $length) = ($1, $2, $3);
        push @cells, map { $row * $columns + $_ }
            $column .. $column + $length - 1;
    }
    expect((pos($path) // 0) == length $path,
        "a run in " . substr $path, 0, 40);
    return @cells;
}

# What each block is painted as.
my %paint;

sub check_colours {
    while ($svg =~ /<path id="(colour-\d+|unreadable)"[^>]* d="([^"]*)"/g) {
        my ($id, $path) = ($1, $2);
        for my $block (cells_of($path)) {
            expect(!defined $paint{$block}, "block $block is painted twice");
            $paint{$block} = $id;
        }
    }
    expect(keys %paint == $block_count, keys(%paint) . " blocks");
}

# The kind and coordinates of each linedef.
my @seen;

sub check_lines {
    my $kinds = qr/one-sided|two-sided|special|left-out/;
    my ($lines) = $svg =~ /(<g id="lines".*?<\/g>)/s;
    while ($lines =~ /<path id="($kinds)"[^>]* d="([^"]*)"/g) {
        my ($kind, $path) = ($1, $2);
        push @seen, "$kind $_" for grep { length } split /M/, $path;
    }
    expect(@seen == $line_count, @seen . " linedefs");
}

# --- What is in the lumps ---

my @lists; # what each block lists

sub read_blockmap {
    my @words = unpack 'v*', read_file("$lumps/BLOCKMAP");
    my ($west, $south) = map { $_ > 32767 ? $_ - 65536 : $_ } @words[0, 1];
    expect($west == $origin_x && $south == $origin_y, "the origin");
    expect($words[2] == $columns && $words[3] == $rows, "the grid");
    my @reader = ('perl', "$FindBin::Bin/blockmap-reader.pl");
    open(my $pipe, '-|', @reader, "$lumps/BLOCKMAP", $line_count)
        or die "@reader: $!";
    @lists = map { [split] } <$pipe>;
}

sub check_lists {
    # The classes of the legend: from where to where.
    my %class;
    my $legend = qr/class="(colour-\d+)".*\n<text[^>]*>(\d+)(?:-(\d+)|(\+))?</;
    $class{$1} = [$2, $4 ? 9**9 : $3 // $2] while $svg =~ /$legend/g;
    my $next = 0;
    for my $range (sort { $a->[0] <=> $b->[0] } values %class) {
        expect($range->[0] == $next, "no colour is for $next linedefs");
        $next = $range->[1] + 1;
    }
    expect($next > 9**9, "no colour is for $next linedefs or more");
    for my $block (0 .. $block_count - 1) {
        my $length = @{$lists[$block]};
        my ($low, $high) = @{$class{$paint{$block}} // [9**9, 0]};
        expect($length >= $low && $length <= $high,
            "block $block lists $length and is painted as $low-$high");
    }
}

# All linedefs by their vertices and attributes.
sub check_places {
    my @vertices = unpack 's<*', read_file("$lumps/VERTEXES");
    my @words = unpack 'v*', read_file("$lumps/LINEDEFS");
    my %listed = map { $_ => 1 } map { @$_ } @lists;
    my @expected;
    for my $line (0 .. $line_count - 1) {
        my ($from, $to, undef, $special, undef, $front, $back) =
            @words[7 * $line .. 7 * $line + 6];
        my $place = "$vertices[2 * $from] $vertices[2 * $from + 1]" .
            "L$vertices[2 * $to] $vertices[2 * $to + 1]";
        my $kind = $special ? 'special'
            : $front != 65535 && $back != 65535 ? 'two-sided' : 'one-sided';
        $kind = 'left-out' if !$listed{$line};
        push @expected, "$kind $place";
    }
    expect(join("\n", sort @seen) eq join("\n", sort @expected),
        "linedefs are not where their vertices are, or of another kind");
}

# --- ---

check_frame();
check_colours();
check_lines();
if (defined $lumps) {
    read_blockmap();
    check_lists();
    check_places();
}
print "$_\n" for splice @{[@faults]}, 0, 10;
exit(@faults > 0);
