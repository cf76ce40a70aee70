# SPDX-License-Identifier: 0BSD
#
# perl make.pl FOLDER writes the samples there: good/, bad/ and expect.json,
# which README.md describes.

use strict;
use warnings;

my $folder = shift // die "usage: perl make.pl FOLDER\n";
mkdir $folder;
my $name   = "XBM1\0\0\0\0";
my $end    = -1;

# --- Maps ---

# Lines are x1, y1, x2, y2.  "left_out" copies of the first, with tag 999, come
# before them.
my %maps = (
    room => {lines => [[0, 0, 0, 100], [0, 100, 200, 100],
        [200, 100, 200, 0], [200, 0, 0, 0]]},
    steps => {lines => [[0, 130, 50, 130], [0, 10, 500, 10],
        [128, 20, 500, 20], [256, 30, 500, 30], [384, 40, 500, 40]]},
    line    => {lines => [[10, 20, 30, 40]]},
    point   => {lines => [[10, 20, 10, 20]]},
    west    => {lines => [[-200, -100, -200, -1], [-200, -1, -1, -1]]},
    lowest  => {lines => [[-32768, -32768, -32700, -32700]]},
    highest => {lines => [[32700, 32700, 32767, 32767]]},
    name    => {lines => [[16990, 12630, 17000, 12700]]},
    tall180 => {lines => [[0, 0, 23039, 0], [0, 1, 0, 23039]]},
    tall255 => {lines => [[0, 0, 32639, 0], [0, 1, 0, 32639]]},
    many    => {left_out => 65533, lines => [[0, 0, 8, 0]]},
    more    => {left_out => 65536, lines => [[0, 0, 8, 0]]},
);

sub linedef_count {
    my ($map) = @_;
    return ($maps{$map}{left_out} // 0) + @{$maps{$map}{lines}};
}

# --- Lumps ---

# lump(FORM, GRID, WORDS): a grid is the origin in map units, columns and rows.
sub lump {
    my ($form, $grid, @words) = @_;
    my ($x, $y, @size) = @$grid;
    return pack "v*", map { $_ & 0xFFFF } $x, $y, @size, @words
        if $form eq "classic";
    return $name . pack "V*", map { $_ & 0xFFFFFFFF } $x * 65536, $y * 65536,
        @size, @words;
}

# lists(OFFSETS, WORDS): the table of offsets, here from the first word after
# it, and these words.
sub lists {
    my ($offsets, @words) = @_;
    return ((map { 4 + @$offsets + $_ } @$offsets), @words);
}

# --- What a reader finds ---

# The members of a good lump, with equal lists of neighbours counted.  If not
# all lists begin with 0, the lump does not say which header it has.
sub describe {
    my ($bytes, $header) = @_;
    my $is_xbm1 = substr($bytes, 0, 8) eq $name;
    my @words   = unpack $is_xbm1 ? "x8V*" : "v*", $bytes;
    my $stop    = $is_xbm1 ? 0xFFFFFFFF : 0xFFFF;
    my ($x, $y) = unpack $is_xbm1 ? "x8l<2" : "s<2", $bytes;
    my ($columns, $rows) = @words[2, 3];
    my @offsets = @words[4 .. 3 + $columns * $rows];
    my $skipped = !grep { $words[$_] != 0 } @offsets;
    my @runs;
    for my $offset (@offsets) {
        if (@runs && $runs[-1]{offset} == $offset) {
            $runs[-1]{count}++;
            next;
        }
        my @linedefs;
        for (my $w = $offset + $skipped; $words[$w] != $stop; $w++) {
            push @linedefs, $words[$w];
        }
        push @runs, {offset => $offset, count => 1, linedefs => "@linedefs"};
    }
    my $unit  = $is_xbm1 ? 65536 : 1;
    my $lists = join ", ",
        map { "[$_->{count}, [" . $_->{linedefs} =~ s/ /, /gr . "]]" } @runs;
    return sprintf '"form": "%s", "origin": [%s, %s], "columns": %d, '
        . '"rows": %d, "header": "%s", "lists": [%s]',
        $is_xbm1 ? "xbm1" : "classic", $x / $unit, $y / $unit, $columns, $rows,
        $skipped ? "zero" : $header, $lists;
}

my @samples;

sub save {
    my ($path, $map, $what, $bytes, $members) = @_;
    open my $file, ">:raw", "$folder/$path" or die "$folder/$path: $!\n";
    print {$file} $bytes;
    close $file or die "$folder/$path: $!\n";
    push @samples, sprintf qq(  {"file": "%s", "what": "%s", "map": "%s", )
        . qq("linedefs": %d, %s}), $path, $what, $map, linedef_count($map),
        $members;
}

sub good {
    my ($file, $map, $bytes, $what) = @_;
    save("good/$file.lmp", $map, $what, $bytes,
        describe($bytes, $file =~ /any/ ? "any" : "none"));
}

# bad(REASON-NAME, ...): the reason is a word of blockmap(5).
sub bad {
    my ($form, $file, $bytes, $what) = @_;
    my ($reason) = $file =~ /^([a-z]+)/;
    save("bad/$form-$file.lmp", "room", $what, $bytes, qq("refuse": "$reason"));
}

# --- Good lumps ---

mkdir "$folder/$_" for "good", "bad";
my $two  = [0, 0, 2, 1];
my @room = (0, 0, 1, 3, $end, 0, 1, 2, 3, $end);
my @one  = lists([0], 0, 0, $end);
my @plain = (0, 1, $end, 0, 1, 2, $end, 0, 1, 2, 3, $end, 0, 1, 2, 3, 4, $end,
    0, $end, 0, 0, $end);

sub good_of {
    my ($form) = @_;
    my $room = sub { lump($form, $two, lists(@_)) };
    my $steps = sub { lump($form, [0, 0, 5, 2], lists(@_)) };
    good("$form-room", "room", $room->([0, 5], @room),
        "the example of blockmap(5)");
    good("$form-plain", "steps", $steps->([0, 3, 7, 12, 18, 20, 23, 25, 27, 29],
        @plain, (0, $end) x 4), "a list for each block, header 0");
    good("$form-shared", "steps", $steps->([0, 3, 7, 12, 18, 20, (18) x 4],
        @plain), "equal lists once, header 0");
    good("$form-nested-zero", "steps", $steps->([6, 4, 2, 0, 11, 9, (11) x 4],
        0, 4, 0, 3, 0, 2, 0, 1, $end, 0, 0, 0, $end),
        "lists in others, header 0, which the outer list has as linedef 0");
    good("$form-nested-any", "steps", $steps->([3, 2, 1, 0, 4, 6, (4) x 4],
        4, 4, 3, 2, 1, $end, 0, 0, $end),
        "lists in others, any word as header, which counts as a linedef");
    good("$form-nested-none", "steps", $steps->([3, 2, 1, 0, 4, 5, (4) x 4],
        4, 3, 2, 1, $end, 0, $end),
        "lists in others, no header; an empty list is the end of another");
    good("$form-no-header", "room", $room->([0, 4], 0, 1, 3, $end,
        1, 2, 3, $end), "no header, and a list begins with linedef 0");
    good("$form-descending", "room", $room->([0, 5], 0, 3, 1, 0, $end,
        0, 3, 2, 1, $end), "linedefs descend, as Boom and MBF list them");
    good("$form-repeated", "room", $room->([0, 6], 0, 0, 1, 3, 1, $end,
        0, 1, 2, 3, $end), "a list has a linedef twice");
    good("$form-unused", "room", $room->([3, 10], 9, 9, $end, @room[0 .. 4],
        9, $end, @room[5 .. 9], 7, 8),
        "words before, between and after the lists, the last without an end");
    good("$form-backward", "room", $room->([5, 0], @room[5 .. 9, 0 .. 4]),
        "the list of the last block comes first");
    good("$form-one-block", "line", lump($form, [10, 20, 1, 1], @one),
        "one block and one line");
    good("$form-point", "point", lump($form, [10, 20, 1, 1], @one),
        "a line of no length");
    good("$form-last-word", "line", lump($form, [10, 20, 2, 1],
        lists([0, 1], 0, $end)), "no header; an empty list at the last word");
    good("$form-margin", "room", lump($form, [-8, -8, 2, 1],
        lists([0, 5], @room)), "the grid begins 8 units southwest of the lines, as DoomBSP's");
    good("$form-larger-grid", "line", lump($form, [-128, -128, 3, 3],
        lists([(0) x 4, 2, (0) x 4], 0, $end, 0, 0, $end)),
        "a grid that is larger than the map");
    good("$form-negative-origin", "west", lump($form, [-200, -100, 2, 1],
        lists([0, 4], 0, 0, 1, $end, 0, 1, $end)), "an origin below 0");
    good("$form-lowest-origin", "lowest", lump($form, [-32768, -32768, 1, 1],
        @one), "the lowest origin");
    good("$form-highest-line", "highest", lump($form, [32700, 32700, 1, 1],
        @one), "a block that reaches beyond the highest coordinate");
    good("$form-linedef-65533", "many", lump($form, [0, 0, 1, 1],
        lists([0], 0, 65533, $end)),
        "the last linedef that blocksweep puts into a classic lump");
}

good_of("classic");
good("classic-named-xbm1", "name", lump("classic", [16984, 12621, 1, 1], @one),
    "an origin with the bytes XBM1; four zeros do not follow");

# At the limits: the last offset is that of the empty list.
sub tall {
    my ($side, $last_offset, $what) = @_;
    my $gap = $last_offset - (4 + $side * $side) - 10;
    my @offsets = map { $gap + ($_ == 0 ? 0 : $_ < $side ? 4
        : $_ % $side == 0 ? 7 : 10) } 0 .. $side * $side - 1;
    good("classic-offset-$last_offset", "tall$side", lump("classic",
        [0, 0, $side, $side], lists(\@offsets, (9) x $gap,
        0, 0, 1, $end, 0, 0, $end, 0, 1, $end, 0, $end)), $what);
}
tall(180, 32767, "the largest offset that Doom 1.9 reads");
tall(255, 65533, "65,535 words, the largest lump that ports read");

good_of("xbm1");
good("xbm1-fraction", "room", lump("xbm1", [-0.5, -0.25, 2, 1],
    lists([0, 5], @room)), "an origin that is not in whole map units");
good("xbm1-linedef-65536", "more", lump("xbm1", [0, 0, 1, 1],
    lists([0], 0, 65536, $end)), "a linedef beyond 16 bits");
good("xbm1-offset-65536", "line", lump("xbm1", [10, 20, 1, 1],
    lists([65531], (9) x 65531, 0, 0, $end)), "an offset beyond 16 bits");

# --- Damaged lumps ---

sub bad_of {
    my ($form) = @_;
    my $room = sub { lump($form, $two, lists(@_)) };
    my $sound = $room->([0, 5], @room);
    my $start = $form eq "xbm1" ? 8 : 0;
    my $width = $form eq "xbm1" ? 4 : 2;
    my $high  = $form eq "xbm1" ? 0x80000000 : 0x8000;
    my $cut   = sub { substr $sound, 0, $start + $width * shift };
    my $grid  = sub { lump($form, [0, 0, @_], @room) };
    # The list of the second block begins elsewhere.
    my $offset = sub { lump($form, $two, 6, @_, @room) };
    # The last linedef of the second list is another.
    my $linedef = sub { $room->([0, 5], @room[0 .. 7], @_, $end) };

    bad($form, "header-1", $cut->(1), "one word");
    bad($form, "header-3", $cut->(3), "three words");
    bad($form, "size-header", $cut->(3) . "\1",
        "ends within a word of the header");
    bad($form, "size-end", substr($sound, 0, -1), "the last byte is missing");
    bad($form, "size-more", "$sound\0", "a byte after the last word");
    bad($form, "grid-no-columns", $grid->(0, 1), "no columns");
    bad($form, "grid-no-rows", $grid->(2, 0), "no rows");
    bad($form, "grid-nothing", $grid->(0, 0), "neither columns nor rows");
    bad($form, "table-none", $cut->(4), "a header and no offsets");
    bad($form, "table-cut", $cut->(5), "one of two offsets");
    bad($form, "table-one-more", $grid->(11, 1), "eleven blocks, ten words");
    bad($form, "table-huge", $grid->($high - 1, $high - 1), "too many blocks");
    bad($form, "table-signed", $grid->(-1, -1),
        "columns and rows are 1 if multiplied as signed numbers");
    bad($form, "table-wraps", $grid->($high, 2),
        "columns times rows is 0 in the bits of a word");
    bad($form, "offset-0", $offset->(0), "a list at the origin");
    bad($form, "offset-in-header", $offset->(3), "a list in the header");
    bad($form, "offset-first", $offset->(4), "a list at the first offset");
    bad($form, "offset-last", $offset->(5), "a list at the last offset");
    bad($form, "offset-past-end", $offset->(16), "a list right after the lump");
    bad($form, "offset-far", $offset->($high - 2), "a list far after the lump");
    bad($form, "offset-high", $offset->($high), "the highest bit alone");
    bad($form, "offset-minus-1", $offset->($end), "the end mark as an offset");
    bad($form, "offset-no-lists", $cut->(6), "offsets and no lists");
    bad($form, "offset-bytes", lump($form, $two, 6 * $width, 11 * $width,
        @room), "offsets that count bytes");
    bad($form, "offset-wraps", $offset->(11 + 2 * $high / $width),
        "an offset that is right if its bytes are counted in a word");
    bad($form, "end-missing", $cut->(15), "the last list has no end");
    bad($form, "end-none", $room->([0, 4], 0, 0, 1, 3, 0, 1, 2, 3),
        "no list has an end");
    bad($form, "end-tails", $room->([3, 2], 0, 0, 1, 0),
        "lists in others, and none has an end");
    bad($form, "end-header", $room->([0, 5], @room[0 .. 4], 0),
        "a header is the last word");
    bad($form, "linedef-4", $linedef->(4), "a linedef too many");
    bad($form, "linedef-largest", $linedef->(-2), "the largest number");
    bad($form, "linedef-high", $linedef->($high), "the highest bit alone");
    bad($form, "linedef-tail", $room->([0, 2], 0, 2, 0, 1, 3, 4, $end),
        "a wrong linedef in the end that two lists share");
}

bad("classic", "empty", "", "no bytes");
bad_of("classic");
bad("classic", "table-big-endian", pack("n*", 0, 0, 2, 1, 6, 11,
    map { $_ & 0xFFFF } @room), "words with the high byte first");
bad("classic", "table-ones", "\xFF" x 64, "all bits are 1");
bad("classic", "grid-zeros", "\0" x 64, "all bits are 0");
bad("classic", "grid-version", substr($name, 0, 4) . "\1\0\0\0" . "\0" x 64,
    "begins with XBM1, and a 1 follows");
bad("classic", "header-name", substr($name, 0, 6), "XBM1 cut in its zeros");
bad_of("xbm1");
bad("xbm1", "header-0", $name, "only the eight bytes of the name");
bad("xbm1", "size-half-word", substr(lump("xbm1", $two, lists([0, 5], @room)),
    0, -2), "the last two bytes are missing");
bad("xbm1", "end-16-bits", lump("xbm1", $two, lists([0, 5],
    map { $_ & 0xFFFF } @room)), "end marks of 16 bits");
bad("xbm1", "linedef-65536", lump("xbm1", $two, lists([0, 5], @room[0 .. 7],
    65536, $end)), "a linedef that is 0 in 16 bits");

# --- What is expected ---

open my $file, ">", "$folder/expect.json" or die "$folder/expect.json: $!\n";
my $maps = join ",\n", map {
    my $left_out = $maps{$_}{left_out} // 0;
    my $lines = join ", ", map { "[" . join(", ", @$_) . "]" }
        @{$maps{$_}{lines}};
    qq(  "$_": {"left_out": $left_out, "lines": [$lines]})
} sort keys %maps;
print {$file} qq({"maps": {\n$maps\n },\n "samples": [\n),
    join(",\n", @samples), "\n ]}\n";
close $file or die "$folder/expect.json: $!\n";
