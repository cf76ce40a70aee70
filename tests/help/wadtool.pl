# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes, lists and changes WAD files for tests.  It reads and writes them by
# itself, so that a mistake of the command's is not made twice.
#
#   make KIND FILE            writes an IWAD or PWAD from a recipe
#   list FILE                 prints a line for each lump: number, name, size,
#                             bytes that are in the file, a hash of those
#   overlaps FILE             prints for each two lumps that share bytes: their
#                             numbers, the distance between their beginnings
#   extract FILE LUMP         prints the bytes of a lump
#   blockmap FILE LUMP        prints origin x and y, columns, rows, words and
#                             the largest offset of a BLOCKMAP lump
#   lists FILE LUMP           prints for each block of a BLOCKMAP lump the words
#                             of its list, without the end mark
#   needs FILE MARKER         prints how many linedefs a map has, and how many
#                             blocks the smallest grid around them, which begins
#                             at whole units
#   set FILE FIELD N          sets "count" or "directory" in the header
#   set FILE LUMP FIELD N     sets "position" or "size" in an entry
#   plain FILE OUT            the lists of all classic blockmaps as plain ones,
#                             word by word the same: equal ones stored once,
#                             none inside another
#   pad FILE OUT BEFORE AFTER puts so many words before the lists of all classic
#                             blockmaps, and after them
#   empty FILE OUT            empties all blockmaps
#   cut FILE OUT              empties every third list of all blockmaps, which
#                             have a word before their linedefs
#
# LUMP is a number, or MARKER/NAME for the lump of this name behind the marker
# and before the name of the first lump there comes again.  Names are printed
# with \NNN, in octal, for bytes that are not graphic, and without the NULs at
# their end.
#
# A recipe, on standard input, has a line for each lump: its name, written as
# it is printed, and then nothing if the lump is empty, or the file that its
# bytes are in, or "@LUMP SKIP SIZE" to share SIZE bytes of those written so
# far, the first of them SKIP behind the first of an earlier lump.  "= FILE" puts
# bytes there that are in no lump, and "=" the directory, which is else last.

use strict;
use warnings;
use Digest::MD5 qw(md5_hex);
use POSIX qw(floor);

sub read_file {
    open my $file, "<:raw", $_[0] or die "wadtool: $_[0]: $!\n";
    local $/;
    return <$file> // "";
}

sub write_file {
    my ($path, @bytes) = @_;
    open my $file, ">:raw", $path or die "wadtool: $path: $!\n";
    print $file @bytes;
    close $file or die "wadtool: $path: $!\n";
}

# --- Reading ---

my ($bytes, $directory, @lumps); # of the file: [NAME, POSITION, SIZE]

sub read_wad {
    $bytes = read_file($_[0]);
    (my $count, $directory) = unpack "x4 V2", $bytes;
    die "wadtool: the directory of $_[0] lies outside the file\n"
        if $directory + 16 * $count > length $bytes;
    @lumps = map {
        my ($position, $size, $name) =
            unpack "V2 a8", substr $bytes, $directory + 16 * $_, 16;
        $name =~ s/\0+$//;
        $name =~ s/([^!-~]|\\)/sprintf "\\%03o", ord $1/ge;
        [$name, $position, $size];
    } 0 .. $count - 1;
}

# What is there of a lump.
sub bytes_of {
    my (undef, $position, $size) = @{$_[0]};
    return $position < length $bytes ? substr $bytes, $position, $size : "";
}

sub find_lump {
    my ($lump) = @_;
    return $lump if $lump =~ /^\d+$/ && $lump < @lumps;
    my ($marker, $name) = $lump =~ m{^(.*?)/(.*)};
    my ($begin) = grep { $lumps[$_ - 1][0] eq ($marker // "/") } 1 .. $#lumps;
    for ($begin ? $begin .. $#lumps : ()) {
        return $_ if $lumps[$_][0] eq $name;
        last if $_ > $begin && $lumps[$_][0] eq $lumps[$begin][0];
    }
    die "wadtool: there is no lump $lump\n";
}

# --- Looking ---

sub list {
    read_wad(@_);
    for (0 .. $#lumps) {
        my $found = bytes_of($lumps[$_]);
        print join(" ", $_, @{$lumps[$_]}[0, 2], length $found,
            md5_hex($found)), "\n";
    }
}

sub overlaps {
    read_wad(@_);
    for my $i (0 .. $#lumps) {
        my (undef, $first, $size) = @{$lumps[$i]};
        for ($i + 1 .. $#lumps) {
            my (undef, $other, $other_size) = @{$lumps[$_]};
            print "$i $_ ", $other - $first, "\n"
                if $size && $other_size && $first < $other + $other_size &&
                $other < $first + $size;
        }
    }
}

sub extract {
    my ($path, $lump) = @_;
    read_wad($path);
    print bytes_of($lumps[find_lump($lump)]);
}

# Returns whether a BLOCKMAP lump is XBM1, its number of blocks, and its words.
sub read_blockmap {
    my ($path, $lump) = @_;
    read_wad($path);
    my $blockmap = bytes_of($lumps[find_lump($lump)]);
    my $is_xbm1 = $blockmap =~ s/^XBM1\0{4}//;
    my @words = unpack $is_xbm1 ? "V*" : "v*", $blockmap;
    my $blocks = @words < 4 ? 0 : $words[2] * $words[3];
    die "wadtool: $path: $lump is no blockmap\n" if @words < 4 + $blocks;
    return $is_xbm1, $blocks, @words;
}

# Prints origins in whole units.
sub blockmap {
    my ($is_xbm1, $blocks, @words) = read_blockmap(@_);
    my ($largest) = sort { $b <=> $a } 0, @words[4 .. 3 + $blocks];
    print join(" ", (map { unpack "s", pack "S", $is_xbm1 ? $_ >> 16 : $_ }
        @words[0, 1]), @words[2, 3], scalar @words, $largest), "\n";
}

sub lists {
    my ($is_xbm1, $blocks, @words) = read_blockmap(@_);
    my $mark = $is_xbm1 ? 0xFFFFFFFF : 0xFFFF;
    for my $begin (@words[4 .. 3 + $blocks]) {
        my $end = $begin;
        $end++ while ($words[$end] // die "wadtool: no end\n") != $mark;
        print "@words[$begin .. $end - 1]\n";
    }
}

# The blocks of UDMF that have this name, as texts.
sub textmap_blocks {
    my ($text, $name) = @_;
    return $text =~ /^\s*$name\b[^{]*\{([^}]*)\}/gmi;
}

sub textmap_number {
    my ($block, $name) = @_;
    return $block =~ /\b$name\s*=\s*([-+.\deE]+)/i ? $1 : 0;
}

# Returns the places of the vertices, and the vertices of the linedefs.
sub read_textmap {
    my ($text) = @_;
    return [map { my $at = $_; map { textmap_number($at, $_) } "x", "y" }
            textmap_blocks($text, "vertex")],
        [map { my $line = $_; map { textmap_number($line, $_) } "v1", "v2" }
            textmap_blocks($text, "linedef")];
}

sub read_lines {
    my ($marker) = @_;
    my $textmap = eval { find_lump("$marker/TEXTMAP") };
    return read_textmap(bytes_of($lumps[$textmap])) if $textmap;
    my ($lines, $vertices) = map { bytes_of($lumps[find_lump("$marker/$_")]) }
        "LINEDEFS", "VERTEXES";
    my $is_hexen = eval { find_lump("$marker/BEHAVIOR") };
    return [unpack "s<*", $vertices],
        [map { unpack "v2", $_ }
            unpack $is_hexen ? "(a16)*" : "(a14)*", $lines];
}

sub needs {
    my ($path, $marker) = @_;
    read_wad($path);
    my ($at, $ends) = read_lines($marker);
    my $blocks = 1;
    for my $axis (0, 1) {
        my @places = sort { $a <=> $b } map { $at->[2 * $_ + $axis] } @$ends;
        $blocks *= int(($places[-1] - floor($places[0])) / 128) + 1;
    }
    print @$ends / 2, " $blocks\n";
}

# --- Changing ---

sub set {
    my ($path, @field) = @_;
    my %place = (count => 4, directory => 8);
    read_wad($path);
    if (@field == 3) {
        my $entry = $directory + 16 * find_lump(shift @field);
        %place = (position => $entry, size => $entry + 4);
    }
    my ($field, $number) = @field;
    substr $bytes, $place{$field} // die("wadtool: no field $field\n"), 4,
        pack "V", $number;
    write_file($path, $bytes);
}

# The words of each block's list, which ends behind an end mark.
sub make_plain {
    my @words = unpack "v*", $_[0];
    my $blocks = $words[2] * $words[3];
    my $plain = pack "v4", @words;
    my ($stored, %begin) = "";
    for my $word (@words[4 .. 3 + $blocks]) {
        my $end = $word;
        $end++ while ($words[$end] // die "wadtool: no end\n") != 0xFFFF;
        my $list = pack "v*", @words[$word .. $end];
        $begin{$list} //= do {
            $stored .= $list;
            (length($stored) - length $list) / 2;
        };
        $plain .= pack "v", 4 + $blocks + $begin{$list};
        die "wadtool: plain lists are over the vanilla limit\n"
            if 4 + $blocks + $begin{$list} > 32767;
    }
    return $plain . $stored;
}

# Puts an end mark behind the header of every third block's list.
sub make_cut {
    my @words = unpack "v*", $_[0];
    $words[$words[4 + 3 * $_] + 1] = 0xFFFF
        for 0 .. ($words[2] * $words[3] - 1) / 3;
    return pack "v*", @words;
}

# Puts words that no list has before the lists, and after them.
sub make_padded {
    my ($lump, $before, $after) = @_;
    my @words = unpack "v*", $lump;
    my @offsets = splice @words, 4, $words[2] * $words[3];
    my @grid = splice @words, 0, 4;
    die "wadtool: an offset is over 65535\n"
        if grep { $_ + $before > 65535 } @offsets;
    return pack "v*", @grid, map({ $_ + $before } @offsets), (0) x $before,
        @words, (0) x $after;
}

# Writes a WAD with other blockmaps.
sub change {
    my ($change, $path, $out, @numbers) = @_;
    read_wad($path);
    my ($data, $entries) = ("", "");
    for my $number (0 .. $#lumps) {
        my $lump = bytes_of($lumps[$number]);
        $lump = $change->($lump, @numbers)
            if $lumps[$number][0] eq "BLOCKMAP" && $lump;
        $entries .= pack("V2", 12 + length $data, length $lump) .
            substr $bytes, $directory + 16 * $number + 8, 8;
        $data .= $lump;
    }
    write_file($out, substr($bytes, 0, 4),
        pack("V2", scalar @lumps, 12 + length $data), $data, $entries);
}

# --- Making ---

sub make {
    my ($kind, $path) = @_;
    my @recipe = <STDIN>;
    my $directory_size = 16 * grep { !/^=/ } @recipe;
    my ($data, $directory, @entries) = "";
    for (@recipe, "=") {
        my ($name, $source, $skip, $size) = split;
        ($name //= "") =~ s/\\([0-7]{1,3})/chr oct $1/ge;
        my $position = 12 + length $data;
        if ($name eq "=") {
            $data .= read_file($source), next if $source;
            $directory //= $position;
            $data .= "\0" x $directory_size if $directory == $position;
            next;
        }
        if (($source // "") =~ /^@(\d+)/) {
            $position = $entries[$1][0] + $skip;
            die "wadtool: bytes to share are not there\n"
                if $position + $size > 12 + length $data;
        } else {
            my $lump = $source ? read_file($source) : "";
            $size = length $lump;
            $data .= $lump;
        }
        push @entries, [$position, $size, $name];
    }
    substr $data, $directory - 12, $directory_size,
        join "", map { pack "V2 a8", @$_ } @entries;
    write_file($path, $kind, pack("V2", scalar @entries, $directory), $data);
}

binmode STDIN;
binmode STDOUT;
my %tasks = (make => \&make, list => \&list, overlaps => \&overlaps,
    extract => \&extract, blockmap => \&blockmap, lists => \&lists,
    needs => \&needs, set => \&set,
    plain => sub { change(\&make_plain, @_) },
    pad => sub { change(\&make_padded, @_) },
    empty => sub { change(sub { "" }, @_) },
    cut => sub { change(\&make_cut, @_) });
my $task = $tasks{shift // ""} or die "usage: see the top of wadtool.pl\n";
$task->(@ARGV);
