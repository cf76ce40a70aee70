# SPDX-License-Identifier: GPL-2.0-or-later
#
# A node builder that loses or changes one thing.
#
#   lose.pl make FILE           writes a WAD of a map in Doom's format, MAP01,
#                               one in Hexen's, MAP02, two texts, MAP03 and
#                               MAP04, and lumps around them
#   lose.pl CHANGE IN OUT       copies it with a change: a Perl expression, for
#                               which the functions below are made
#
# The maps have two rooms, a linedef of no length, and a vertex, a side and a
# sector that nothing uses.

use strict;
use warnings;

my ($kind, @lumps) = ("PWAD"); # lumps: [NAME, BYTES]

# --- Binary maps ---

my @corners = ([0, 0], [0, 128], [128, 128], [128, 0], [256, 0], [256, 128]);
my @ends = ([0, 1], [1, 2], [2, 3], [3, 0], [2, 5], [5, 4], [4, 3], [1, 1]);

# A linedef: V1, V2, flags, special, tag or arguments, right, left.
sub linedef {
    my ($hexen, $v1, $v2, $flags, $special, $tag, @sides) = @_;
    return $hexen
        ? pack "v3 C6 v2", $v1, $v2, $flags, $special, $tag, 1 .. 4, @sides
        : pack "v7", $v1, $v2, $flags, $special, $tag, @sides;
}

sub add_binary {
    my ($marker, $hexen, $tag) = @_;
    my (@lines, @sides);
    for my $i (0 .. $#ends) {
        my $is_door = $i == 2;
        push @lines, linedef($hexen, @{$ends[$i]}, $is_door ? 4 : 1,
            $is_door ? 11 : 0, $is_door ? $tag : 0, scalar @sides,
            $is_door ? @sides + 1 : 65535);
        push @sides, map { pack "v2 a8 a8 a8 v", 8 * $i, 0, "-", "-", "WALL$i",
            $_ } $is_door ? (0, 1) : $i < 4 ? 0 : 1;
    }
    push @sides, pack "v2 a8 a8 a8 v", 5, 5, "-", "-", "UNUSED", 2;
    my @sectors = map { pack "v2 a8 a8 v3", 0, 128, "FLOOR", "CEIL", 160, 0,
        $_ } 0, $tag, 9;
    my @things = map { $hexen ? pack "v7 C6", $_, 64, 64, 0, 90, 1, 7, (0) x 6
        : pack "v5", 64 * $_, 64, 90, $_, 7 } 1 .. 3;
    my %bytes = (THINGS => join("", @things), LINEDEFS => join("", @lines),
        SIDEDEFS => join("", @sides), SECTORS => join("", @sectors),
        VERTEXES => pack("s<*", map { @$_ } @corners, [7, 7]),
        BEHAVIOR => "ACS\0script of $marker");
    push @lumps, [$marker, ""], map { [$_, $bytes{$_} // "old $_"] }
        qw(THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS
        REJECT), $hexen ? ("BLOCKMAP", "BEHAVIOR") : "BLOCKMAP";
}

# --- Texts ---

sub add_text {
    my ($marker, $id) = @_;
    my $text = "namespace = \"ZDoom\"; // of $marker\n";
    $text .= "thing { x = 64.0; y = $_; type = $_; comment = \"a \\\"b;}\"; }\n"
        for 1 .. 3;
    $text .= "vertex { x = $_->[0].000; y = $_->[1]; }\n" for @corners, [7, 7];
    for my $i (0 .. $#ends) {
        my ($v1, $v2) = @{$ends[$i]};
        my $extra = $i == 2 ? "special = 80; arg0 = $id; twosided = true; "
            . "sideback = 8;" : "blocking = true;";
        $text .= "linedef { v1 = $v1; v2 = $v2; sidefront = $i; $extra }\n";
    }
    $text .= "sidedef { sector = " . ($_ < 4 ? 0 : 1)
        . "; offsetx = $_; texturemiddle = \"WALL$_\"; }\n" for 0 .. 8;
    $text .= "sidedef { sector = 2; texturemiddle = \"UNUSED\"; }\n";
    $text .= "sector { heightceiling = 128; lightlevel = 160; id = $_; }\n"
        for 0, $id, 9;
    push @lumps, [$marker, ""], ["TEXTMAP", $text], ["BEHAVIOR", "ACS $marker"],
        ["ZNODES", "old ZNODES"], ["DIALOGUE", "hello"], ["ENDMAP", ""];
}

# --- Changes ---

# The lump of this name, behind a marker if it is MARKER/NAME.
sub place {
    my ($marker, $name) = $_[0] =~ m{(.*)/(.*)} ? ($1, $2) : ("", $_[0]);
    my $i = 0;
    if ($marker) { $i++ while $lumps[$i][0] ne $marker; }
    $i++ while $lumps[$i][0] ne $name;
    return $i;
}

sub lump : lvalue { $lumps[place($_[0])][1] }
sub drop { splice @lumps, place($_), 1 for @_ }
sub add { my ($at, @new) = @_; splice @lumps, place($at), 0, @new }
sub swap {
    my ($i, $j) = map { place($_) } @_;
    @lumps[$i, $j] = @lumps[$j, $i];
}

# Changes a record of a lump: so many bytes at its place.
sub put {
    my ($name, $size, $record, $at, $template, @values) = @_;
    my $bytes = pack $template, @values;
    substr(lump($name), $size * $record + $at, length $bytes) = $bytes;
}

# Drops a record.
sub cut {
    my ($name, $size, $record) = @_;
    substr(lump($name), $size * $record, $size) = "";
}

# Replaces in a text, which must change.
sub edit {
    my ($marker, $from, $to) = @_;
    lump("$marker/TEXTMAP") =~ s/$from/$to/ or die "nothing to change\n";
}

# Exchanges what the lumps of two maps hold.
sub exchange {
    my ($a, $b, @names) = @_;
    for my $name (@names) {
        my $bytes = lump("$a/$name");
        lump("$a/$name") = lump("$b/$name");
        lump("$b/$name") = $bytes;
    }
}

# What ZDBSP does with a text, and more.
sub reformat {
    my $text = lump("MAP03/TEXTMAP");
    $text =~ s{ //.*}{};
    $text =~ s/\.000;/;/g;
    $text =~ s/(vertex) \{ (x = \S+) (y = \S+)/$1\n{\n$3\n$2 \/* y, x *\//g;
    $text =~ s/lightlevel = 160/LightLevel = 1.6e2/g;
    lump("MAP03/TEXTMAP") = $text;
}

# Drops what nothing uses, and numbers the others anew.
sub tidy {
    for my $size ([MAP01 => 14], [MAP02 => 16]) {
        my ($map, $line) = @$size;
        cut("$map/LINEDEFS", $line, 7);
        cut("$map/SIDEDEFS", 30, 8) for 1, 2; # the line's, and the unused one
        cut("$map/SECTORS", 26, 2);
        my @old = unpack "(a4)*", lump("$map/VERTEXES");
        lump("$map/VERTEXES") = join "", reverse(@old[0 .. 5]), "newvertx";
        for my $i (0 .. 6) {
            my ($v1, $v2) = unpack "v2", substr lump("$map/LINEDEFS"),
                $line * $i, 4;
            put("$map/LINEDEFS", $line, $i, 0, "v2", 5 - $v1, 5 - $v2);
        }
        my @sides = unpack "(a30)*", lump("$map/SIDEDEFS");
        lump("$map/SIDEDEFS") = join "", @sides, $sides[0];
        put("$map/LINEDEFS", $line, 0, $line - 4, "v", scalar @sides);
    }
    edit("MAP03", qr/linedef \{ v1 = 1; v2 = 1;.*\n/, "");
}

# --- Files ---

sub read_wad {
    open my $file, "<:raw", $_[0] or die "lose: $_[0]: $!\n";
    local $/;
    my $bytes = <$file>;
    ($kind, my $count, my $at) = unpack "a4 V2", $bytes;
    @lumps = map {
        my ($position, $size, $name) = unpack "V2 Z8",
            substr $bytes, $at + 16 * $_, 16;
        [$name, substr $bytes, $position, $size];
    } 0 .. $count - 1;
}

sub write_wad {
    my ($bytes, $directory) = ("", "");
    for (@lumps) {
        $directory .= pack "V2 a8", 12 + length $bytes, length $_->[1], $_->[0];
        $bytes .= $_->[1];
    }
    open my $file, ">:raw", $_[0] or die "lose: $_[0]: $!\n";
    print $file pack("a4 V2", $kind, scalar @lumps, 12 + length $bytes),
        $bytes, $directory;
    close $file or die "lose: $_[0]: $!\n";
}

if ($ARGV[0] eq "make") {
    push @lumps, ["TEXTURE1", "textures"], ["DEHACKED", "Patch File"];
    add_binary("MAP01", 0, 5);
    push @lumps, ["GL_MAP01", ""], map { ["GL_$_", "old"] }
        qw(VERT SEGS SSECT NODES);
    push @lumps, ["D_RUNNIN", "music"];
    add_binary("MAP02", 1, 6);
    add_text("MAP03", 7);
    add_text("MAP04", 8);
    push @lumps, ["D_RUNNIN", "more music"], ["S_END", ""];
    write_wad($ARGV[1]);
} else {
    read_wad($ARGV[1]);
    eval "$ARGV[0]; 1" or die "lose: $@";
    write_wad($ARGV[2]);
}
