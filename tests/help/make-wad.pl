# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes WAD files for tests of maps in Doom format:
#
#   convert IN OUT MAP=FORM...
#       maps of IN as doom, hexen, doom64, udmf, tenths (UDMF, coordinates
#       divided by ten) or copies (UDMF, the map 64 times side by side).  UDMF
#       has all that node builders want, and BLOCKMAP if coordinates are kept
#   alike IN COUNT SEED OUT
#       COUNT maps: those of IN in turn, with sectors that are alike but for
#       some, and things that keep lines from being inert here and there: in
#       fields, and in some maps lines that lie on each other, cross others, have
#       no length, end alone or show another sector
#   specials IN OUT
#       the only map of IN once for each special of lines, on the last line with
#       and without a tag, and of sectors, in the sector before that line
#   damage IN COUNT SEED OUT
#       COUNT maps: those of IN in turn, each BLOCKMAP damaged in another way
#   crowd KIND COUNT SAME OUT
#       so many maps that share their linedefs and, where SAME is "alike" and
#       not "different", all lumps: "tiny" ones, such with large "grids", or
#       "grids-with-lumps" of one block, or with many long "lines", or "lists"
#       of 3,000 to 4,000 linedefs in each of 7,744 blocks, which share words
#   vast-lump KIND MEBIBYTES OUT
#       a map with a large lump: "zeros", a table of them; "classic", 57,600
#       blocks with the same list; "xbm1", 262,144 with a list each; these lists
#       end at the end of the lump
#   text PART COUNT OUT
#       a map in UDMF that ends with so many of a part of text

use strict;
use warnings;

# --- Files ---

my ($data, $directory) = ("", ""); # of the file to write

sub put_span {
    my ($name, $position, $size) = @_;
    $directory .= pack "V2 a8", $position, $size, $name;
}

# Returns where the bytes are.
sub put_bytes {
    my $position = 12 + length $data;
    $data .= $_[0];
    return $position;
}

sub put_lump {
    my ($name, $bytes) = @_;
    put_span($name, put_bytes($bytes), length $bytes);
}

sub write_wad {
    my ($path) = @_;
    open my $file, ">:raw", $path or die "$path: $!\n";
    print $file pack("A4 V2", "PWAD", length($directory) / 16,
        12 + length $data), $data, $directory;
    close $file or die "$path: $!\n";
}

# The bytes of a WAD, and its maps: [NAME, [LUMP, POSITION, SIZE]...].
sub read_wad {
    my ($path) = @_;
    open my $file, "<:raw", $path or die "$path: $!\n";
    my $bytes = do { local $/; <$file> };
    my ($count, $at) = unpack "x4 V2", $bytes;
    my ($marker, @maps);
    for (0 .. $count - 1) {
        my ($position, $size, $name) =
            unpack "V2 Z8", substr $bytes, $at + 16 * $_, 16;
        push @maps, [$marker] if $name eq "THINGS";
        if ($name =~ /^(?:THINGS|LINEDEFS|SIDEDEFS|VERTEXES|SEGS|SSECTORS
            |NODES|SECTORS|REJECT|BLOCKMAP)$/x) {
            push @{$maps[-1]}, [$name, $position, $size];
        }
        $marker = $name;
    }
    return ($bytes, @maps);
}

# --- convert ---

# Blocks of UDMF: their names, the lumps, how these are unpacked, the fields, and
# what is the same in every block.
my @blocks = (
    ["thing", "THINGS", "s<2 v2 x2", "x y angle type",
        "skill3 = true;\nsingle = true;\n"],
    ["vertex", "VERTEXES", "s<2", "x y", ""],
    ["linedef", "LINEDEFS", "v7",
        "v1 v2 flags special id sidefront sideback", ""],
    ["sidedef", "SIDEDEFS", "s<2 x24 v", "offsetx offsety sector",
        "texturemiddle = \"-\";\n"],
    ["sector", "SECTORS", "s<2 x16 s< v2",
        "heightfloor heightceiling lightlevel special id",
        "texturefloor = \"-\";\ntextureceiling = \"-\";\n"],
);

# The first of the flags of a linedef.
my @flags = ("blocking", "blockmonsters", "twosided");

# Prints a map as text, with what is to be added to its numbers by field.
sub text_of {
    my ($lumps, $in_tenths, %added) = @_;
    my $text = "";
    for (@blocks) {
        my ($block, $lump, $template, $fields, $constant) = @$_;
        my @fields = split / /, $fields;
        my @numbers = unpack "($template)*", $lumps->{$lump};
        while (@numbers) {
            $text .= "$block\n{\n";
            for my $field (@fields) {
                my $number = shift @numbers;
                next if $field =~ /^side/ && $number == 0xFFFF;
                if ($field eq "flags") {
                    $text .= join "", map { "$flags[$_] = true;\n" }
                        grep { $number >> $_ & 1 } 0 .. $#flags;
                    next;
                }
                $number += $added{$field} // 0;
                $number = sprintf "%.1f", $number / 10
                    if $in_tenths && $field =~ /^[xy]$/;
                $text .= "$field = $number;\n";
            }
            $text .= "$constant}\n\n";
        }
    }
    return $text;
}

# Places copies with gaps around the middle of the coordinates, in which blocks
# fall differently on each.
sub copies_of {
    my ($lumps, $count) = @_;
    my @vertices = unpack "s<*", $lumps->{VERTEXES};
    my (@step, @move);
    for my $axis (0, 1) {
        my @sorted = sort { $a <=> $b }
            @vertices[grep { $_ % 2 == $axis } 0 .. $#vertices];
        $step[$axis] = $sorted[-1] - $sorted[0] + 40;
        $move[$axis] = -int($step[$axis] * $count / 2) - $sorted[0];
    }
    my %size = (VERTEXES => 4, SIDEDEFS => 30, SECTORS => 26);
    my %records = map { $_ => length($lumps->{$_}) / $size{$_} } keys %size;
    return join "", map {
        my %before = (v => $_ * $records{VERTEXES},
            s => $_ * $records{SIDEDEFS});
        text_of($lumps, 0, x => $move[0] + $_ % $count * $step[0],
            y => $move[1] + int($_ / $count) * $step[1],
            v1 => $before{v}, v2 => $before{v}, sidefront => $before{s},
            sideback => $before{s}, sector => $_ * $records{SECTORS});
    } 0 .. $count * $count - 1;
}

sub put_udmf {
    my ($lumps, $form) = @_;
    put_lump("TEXTMAP", "namespace = \"Doom\";\n\n" . ($form eq "copies"
        ? copies_of($lumps, 8) : text_of($lumps, $form eq "tenths")));
    put_lump("BLOCKMAP", $lumps->{BLOCKMAP}) if $form eq "udmf";
    put_lump("ENDMAP", "");
}

# What the binary forms make of a linedef's words, and lumps of their own.
my %linedef_of = (
    doom => sub { pack "v7", @_ },
    hexen => sub {
        pack "v3 C2 x4 v2", @_[0 .. 2], map({ $_ & 255 } @_[3, 4]), @_[5, 6] },
    doom64 => sub { pack "v3 x2 v4", @_ },
);
my %lumps_of = (doom => [], hexen => [["BEHAVIOR", "ACS\0"]],
    doom64 => [["LEAFS", ""], ["LIGHTS", ""], ["MACROS", ""]]);

sub convert {
    my ($in, $out, @items) = @_;
    my ($bytes, @maps) = read_wad($in);
    for (@items) {
        my ($name, $form) = split /=/;
        my ($map) = grep { $_->[0] eq $name } @maps
            or die "there is no map $name\n";
        my (undef, @lumps) = @$map;
        my %lumps = map { $_->[0] => substr $bytes, $_->[1], $_->[2] } @lumps;
        put_lump($name, "");
        if (!$linedef_of{$form}) {
            put_udmf(\%lumps, $form);
            next;
        }
        my @words = unpack "v*", $lumps{LINEDEFS};
        $lumps{LINEDEFS} = "";
        $lumps{LINEDEFS} .= $linedef_of{$form}->(splice @words, 0, 7)
            while @words;
        $lumps{VERTEXES} = pack "l<*", map { $_ << 16 } unpack "s<*",
            $lumps{VERTEXES} if $form eq "doom64";
        put_lump($_->[0], $lumps{$_->[0]}) for @lumps;
        put_lump(@$_) for @{$lumps_of{$form}};
    }
    write_wad($out);
}

# --- alike, specials ---

sub below { return int rand $_[0] }

sub pick { return $_[below(scalar @_)] }

# Puts a map in Doom format, of lines as LINEDEFS has them, and the sectors that
# sides show.
sub put_doom {
    my ($name, $lumps, $lines, $shown) = @_;
    my %made = (%$lumps, SEGS => "", SSECTORS => "", NODES => "", REJECT => "",
        BLOCKMAP => "", LINEDEFS => join("", map { pack "v7", @$_ } @$lines),
        SIDEDEFS => join "", map { pack "x28 v", $_ } @$shown);
    put_lump($name, "");
    put_lump($_, $made{$_}) for qw(THINGS LINEDEFS SIDEDEFS VERTEXES SEGS
        SSECTORS NODES SECTORS REJECT BLOCKMAP);
}

# The lumps of a map, its lines, and the sectors that sides show.
sub read_doom {
    my ($bytes, $map) = @_;
    my %lumps = map { $_->[0] => substr $bytes, $_->[1], $_->[2] }
        @$map[1 .. $#$map];
    return (\%lumps, [map { [unpack "v7", $_] } unpack "(a14)*",
        $lumps{LINEDEFS}], [unpack "(x28 v)*", $lumps{SIDEDEFS}]);
}

# Has a line lie on another one, cross others, have no length, show another
# sector, or be gone.
sub spoil {
    my ($line, $lines, $shown) = @_;
    my $way = below(5);
    push @$lines, [@$line] if $way == 0;
    $line->[1] = pick(@$lines)->[0] if $way == 1;
    $line->[1] = $line->[0] if $way == 2;
    $shown->[$line->[5]] = pick(@$shown) if $way == 3;
    splice @$lines, below(scalar @$lines), 1 if $way == 4;
}

sub alike {
    my ($in, $count, $seed, $out) = @_;
    my ($bytes, @maps) = read_wad($in);
    srand $seed;
    for my $number (0 .. $count - 1) {
        my ($lumps, $lines, $shown) = read_doom($bytes, $maps[$number % @maps]);
        $lumps->{SECTORS} = join "", map { pack "s<2 a8 a8 v3",
            below(12) ? 0 : 8, pick((128) x 12, 0, 160),
            pick(("FLAT") x 12, "flat", "LAVA"),
            pick(("CEIL") x 12, "F_SKY1", "f_sky1"), 160,
            pick((0) x 20, below(40), below(65536)), below(15) ? 0 : below(4)
        } 1 .. length($lumps->{SECTORS}) / 26;
        for (@$lines) {
            @$_[2 .. 4] = ($_->[6] == 65535 ? 1 : 4, 0, below(60) ? 0 : 3);
            $_->[2] ^= 1 << below(16) if !below(60);
        }
        pick(@$lines)->[3] = pick(1 + below(320), 0x2F80 + below(0x5080),
            below(65536)) for 1 .. pick(0, 0, 1, 2);
        spoil(pick(@$lines), $lines, $shown) for 1 .. pick(0, 0, 1, 3);
        put_doom("L$number", $lumps, $lines, $shown);
    }
    write_wad($out);
}

sub specials {
    my ($in, $out) = @_;
    my ($lumps, $lines, $shown) = read_doom(read_wad($in));
    my $sector = 26 * $shown->[$lines->[-1][5]];
    my $number = 0;
    for my $special (0 .. 300, 0x2F7F .. 0x2F88, 0x2FFF, 0x3000,
        0x33FF .. 0x3408, 0x7FF8 .. 0x8001, 0xFFFF) {
        for ([$special, 0, 0], [$special, 1, 0], [0, 0, $special]) {
            @{$lines->[-1]}[3, 4] = @$_;
            substr $lumps->{SECTORS}, $sector + 22, 2, pack "v", $_->[2];
            put_doom("L" . $number++, $lumps, $lines, $shown);
        }
    }
    write_wad($out);
}

# --- damage ---

# The lump at hand, where its grid begins, and the bytes of a word.
my ($lump, $first, $word_size);

sub place_of { return $first + $word_size * $_[0] }

# The low half of a word.
sub half_at { return unpack "v", substr $lump, place_of($_[0]), 2 }

sub block_count { return half_at(2) * half_at(3) }

sub word_count { return int((length($lump) - $first) / $word_size) }

sub any_offset { return place_of(4 + below(block_count())) }

my @ways = (
    sub { # bits flipped
        substr($lump, below(length $lump), 1) ^= chr 1 << below(8)
            for 0 .. below(8);
    },
    sub { $lump = substr $lump, 0, below(length $lump) },
    sub { # offsets swapped
        for (0 .. below(8)) {
            my ($one, $other) = (any_offset(), any_offset());
            my $kept = substr $lump, $one, $word_size;
            substr($lump, $one, $word_size, substr $lump, $other, $word_size);
            substr($lump, $other, $word_size, $kept);
        }
    },
    sub { # words replaced
        substr($lump, 2 * below(length($lump) / 2), 2, pack "v", below(65536))
            for 0 .. below(4);
    },
    sub { # blocks whose lists are anywhere
        my $blocks = block_count();
        substr($lump, place_of(4 + below($blocks)), 2,
            pack "v", below(word_count()) & 0xFFFF) for 0 .. below($blocks);
    },
    sub { # lists that run on into others
        for (4 + block_count() .. word_count() - 1) {
            substr($lump, place_of($_), $word_size, "\0" x $word_size)
                if half_at($_) == 0xFFFF && below(10) > 0;
        }
    },
);

sub damage {
    my ($in, $count, $seed, $out) = @_;
    my ($bytes, @maps) = read_wad($in);
    my $begin = put_bytes($bytes); # lumps that are not damaged
    srand $seed;
    for my $number (0 .. $count - 1) {
        my (undef, @lumps) = @{$maps[$number % @maps]};
        put_span(sprintf("M%07d", $number), 0, 0);
        for (@lumps) {
            my ($name, $position, $size) = @$_;
            if ($name ne "BLOCKMAP") {
                put_span($name, $begin + $position, $size);
                next;
            }
            $lump = substr $bytes, $position, $size;
            ($first, $word_size) = $lump =~ /^XBM1/ ? (8, 4) : (0, 2);
            $ways[$number % @ways]->();
            put_lump($name, $lump);
        }
    }
    write_wad($out);
}

# --- What takes much ---

my $edge = 32700; # farthest from 0, map units

# Vertices are in the south-west and the north-east by turns, and no pair of them
# is in the same places as another one; or they are anywhere.
sub vertices {
    my ($count, $extent, $is_random) = @_;
    return pack "s<*", map { $_ - $edge } map {
        my $pair = int $_ / 2;
        $is_random ? (below($extent), below($extent))
            : $_ % 2 ? ($extent - int($pair / 3600) % 60, $extent)
            : ($pair % 60, int($pair / 60) % 60);
    } 0 .. $count - 1;
}

sub linedefs {
    return join "", map { pack "v7", 2 * $_, 2 * $_ + 1, 1, 0, 0, 0, 65535 }
        0 .. $_[0] - 1;
}

# A lump whose lists begin at 1,000 words of the same list.
sub long_lists {
    my ($lines) = @_;
    my $begin = 4 + 88 * 88;
    return pack "v*", (65536 - $edge) x 2, 88, 88,
        map({ $begin + $_ % 1000 } 1 .. 88 * 88),
        map({ 1 + below($lines - 1) } 1 .. 4000), 65535;
}

sub crowd {
    my ($kind, $count, $same, $out) = @_;
    my $lines = {lines => 400, lists => 64, tiny => 2}->{$kind} // 1;
    my $is_random = $kind =~ /^(?:lines|lists)$/;
    my $step = $same ne "different" ? 0 : $is_random ? 1 : 2 * $lines;
    srand 1;
    my $linedefs = put_bytes(linedefs($lines));
    my $bytes = $kind eq "lists" ? long_lists($lines)
        : pack "v*", (65536 - $edge) x 2, 1, 1, 5, 0, 0, 65535;
    my $blockmap = put_bytes($bytes);
    my $vertexes = put_bytes(vertices(2 * $lines + $step * ($count - 1),
        $kind =~ /^(?:tiny|lists)$/ ? 100 : 2 * $edge, $is_random));
    for (0 .. $count - 1) {
        put_span(sprintf("M%07d", $_), 0, 0);
        put_span("LINEDEFS", $linedefs, 14 * $lines);
        put_span("VERTEXES", $vertexes + 4 * $step * $_, 8 * $lines);
        put_span("BLOCKMAP", $blockmap, length $bytes)
            if $kind =~ /^(?:grids-with-lumps|lists)$/;
    }
    write_wad($out);
}

sub vast_lump {
    my ($kind, $mebibytes, $out) = @_;
    my $edge = {zeros => 5700, classic => 240, xbm1 => 512}->{$kind};
    my ($word, $size) = $kind eq "xbm1" ? ("V", 4) : ("v", 2);
    my $blocks = $edge * $edge;
    my $begin = 4 + $blocks;
    my $rest = ($mebibytes << 20) / $size - $begin - 1; # words of lists
    put_lump("MAP01", "");
    put_lump("LINEDEFS", linedefs(1));
    put_lump("VERTEXES", vertices(2, 100));
    my $bytes = ($size == 4 ? "XBM1\0\0\0\0" : "") .
        pack "$word*", 0, 0, $edge, $edge;
    if ($kind eq "zeros") {
        $bytes .= "\0" x (2 * ($blocks + $rest));
    } else {
        $bytes .= $size == 4 ? pack "V*", $begin .. $begin + $blocks - 1
            : pack("v", $begin) x $blocks;
        my $period = pack "$word*", 0 .. 59999;
        $bytes .= substr $period x (2 + $rest / 60000),
            $begin % 60000 * $size, $rest * $size;
    }
    put_lump("BLOCKMAP", $bytes . "\xFF" x $size);
    write_wad($out);
}

sub text {
    my ($part, $count, $out) = @_;
    put_lump("MAP01", "");
    put_lump("TEXTMAP", "namespace=\"zdoom\";vertex{x=0;y=0;}vertex{x=9;y=9;}"
        . "linedef{v1=0;v2=1;sidefront=0;}sidedef{sector=0;}"
        . $part x $count);
    put_lump("ENDMAP", "");
    write_wad($out);
}

my %tasks = (convert => \&convert, alike => \&alike,
    specials => \&specials, damage => \&damage, crowd => \&crowd,
    "vast-lump" => \&vast_lump, text => \&text);
my $task = $tasks{shift // ""} or die "usage: see the top of make-wad.pl\n";
$task->(@ARGV);
