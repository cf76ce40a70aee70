# SPDX-License-Identifier: GPL-2.0-or-later
#
# For test-names.sh, in a folder with the lumps of a room.  What is printable is
# what Perl's tables of Unicode say.

use strict;
use warnings;
use Encode qw(decode encode);
use JSON::PP;

my ($locale, $runs, $failures) = ("", 0, 0);

sub read_file {
    open my $file, "<:raw", $_[0] or die "$_[0]: $!";
    local $/;
    return <$file> // "";
}

sub write_file {
    my ($path, $bytes) = @_;
    open my $file, ">:raw", $path or die "$path: $!";
    print $file $bytes;
    close $file or die "$path: $!";
}

# --- Names ---

# A name as it is in JSON: bytes that are not UTF-8 are taken to be Latin-1.
sub text_of {
    my ($name) = @_;
    my $text = "";
    while ($name ne "") {
        $text .= decode("UTF-8", $name, Encode::FB_QUIET); # leaves the rest
        $text .= $1 if $name =~ s/^(.)//s;
    }
    return $text;
}

my @characters = map { encode("UTF-8", chr) } 0x80 .. 0x9F, 0x61C, 0x200E,
    0x200F, 0x2028 .. 0x202E, 0x2066 .. 0x2069, 0xE9, 0x20AC, 0xFFFD, 0x1D11E;
my @pieces = ((map { chr } 1 .. 255), @characters, "\xED\xA0\x80",
    "\xC0\x8A", "\xF0\x82\x82\x9B", "\xF4\x90\x80\x80", "\e[31m");
my %is_known;
my @names = grep { $_ ne "N/" && !$is_known{$_}++ } map { "N" . uc } @pieces;
srand 1;
while (@names < 1000) {
    my $name = "N" . uc join "", map { $pieces[rand @pieces] } 1 .. 3;
    push @names, $name
        if length $name <= 8 && $name !~ m{/} && !$is_known{$name}++;
}

# --- Files ---

# Writes a WAD of [NAME, BYTES]; a lump with a reference in place of bytes reaches
# outside the file.
sub write_wad {
    my ($path, @lumps) = @_;
    my ($data, $directory) = ("", "");
    for (@lumps) {
        my ($name, $bytes) = @$_;
        my $is_cut = ref $bytes;
        $directory .= pack "V2 a8", 12 + length $data,
            $is_cut ? 1 << 30 : length $bytes, $name;
        $data .= $bytes unless $is_cut;
    }
    write_file($path, pack("a4 V2", "PWAD", scalar @lumps, 12 + length $data)
        . $data . $directory);
}

# The lumps of a map, but for those of these names.
sub room {
    my ($name, $without) = @_;
    return [$name, ""], map { [$_, read_file($_ eq "BLOCKMAP" ? "room-blockmap"
        : $_)] } grep { !/$without/ } qw(THINGS LINEDEFS SIDEDEFS
        VERTEXES SEGS SECTORS BLOCKMAP);
}

write_wad("one.wad", room("MAP01", qr/^$/));
write_wad("good.wad", map { room($_, qr/^$/) } @names);
write_wad("bare.wad", map { room($_, qr/BLOCKMAP|SEGS/) } @names);
write_wad("bad.wad", map { room($_, qr/LINEDEFS/) } @names);
write_wad("cut.wad", room("MAP01", qr/^$/), map { [$_, \1] } @names);
mkdir "files" or die "files: $!";
for (@names) {
    link "one.wad", "files/$_.wad" or die "$_: $!";
}
write_file("builder", "#!/bin/sh\ncat names\nexit 1\n");
chmod 0755, "builder";
write_file("names", join "\r\n\t", @names);

# --- Runs ---

sub fail {
    my ($what, $bytes, @command) = @_;
    s/([^ -~])/sprintf "\\x%02x", ord $1/ge for $what, $bytes, @command;
    printf "%s: %.200s: %s: %.200s\n", $locale, "@command", $what, $bytes;
    exit 1 if ++$failures > 20;
}

# Checks that what a command has made is printable in its locale, or in C.
sub check {
    my ($bytes, $is_utf8, @command) = @_;
    my $text = $is_utf8 ? eval { decode("UTF-8", $bytes,
        Encode::FB_CROAK | Encode::LEAVE_SRC) } : $bytes;
    return fail("no UTF-8", "", @command) if !defined $text;
    my $bad = $is_utf8 ? qr/(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/
        : qr/[^\n\t\x20-\x7E]/;
    return if $text !~ /$bad/g;
    my $at = pos $text;
    fail("not printable", encode("UTF-8", substr $text, $at - 1, 20), @command);
}

# Runs the command, which ends with one of these statuses, and returns what it
# has printed.
sub run {
    my ($statuses, @command) = @_;
    my $process = fork // die "fork: $!";
    if (!$process) {
        open STDOUT, ">", "output" or die;
        open STDERR, ">", "errors" or die;
        exec "blocksweep", @command or die;
    }
    waitpid $process, 0;
    my ($status, $output) = ($?, read_file("output"));
    my $errors = read_file("errors");
    $runs++;
    fail("ended with $status", $errors, @command)
        if $status & 255 || ($status >> 8) !~ /^[$statuses]$/;
    check($output, $locale ne "C", @command);
    check($errors, $locale ne "C", @command);
    return $output;
}

# The same with --json; the report has these names where `find` finds them.
sub expect_json {
    my ($statuses, $find, $names, @command) = @_;
    my $report = eval {
        JSON::PP->new->utf8->decode(run($statuses, @command, "--json")) }
        // return fail("no JSON", $@, @command);
    my @found = map { encode("UTF-8", $_) } $find->($report);
    my @texts = map { encode("UTF-8", text_of($_)) } @$names;
    return fail("JSON has " . @found . " names", scalar @texts, @command)
        if @found != @texts;
    for (0 .. $#found) {
        return fail("in place of $texts[$_]", $found[$_], @command)
            if $found[$_] ne $texts[$_];
    }
}

# Runs that have all names.
sub run_all {
    my $maps = sub { map { $_->{map} } @{$_[0]{maps}} };
    my $maps_of_file = sub { $maps->($_[0]{files}[0]) };
    my $inputs = sub { map { $_->{input} } @{$_[0]{files}} };
    for ("good.wad", "bare.wad", "bad.wad") {
        my $status = /bad/ ? 1 : 0;
        run($status, $_, "-o", "out.wad");
        run($status, "verify", "-v", $_);
        run($status, "show", $_);
        run(1, "diff", $_, "one.wad");
    }
    expect_json(0, $maps_of_file, \@names, "good.wad", "-o", "out.wad");
    expect_json(1, $maps_of_file, \@names, "verify", "bad.wad");
    expect_json(1, $maps, \@names, "show", "bad.wad");
    expect_json(1, $maps, [@names, "MAP01"], "diff", "bad.wad", "one.wad");
    run(1, "cut.wad", "-o", "out.wad");
    run("01", $_, "cut.wad") for "verify", "show";
    my @files = map { "files/$_.wad" } @names;
    my @missing = map { "gone/$_.wad" } @names;
    run(0, "verify", @files);
    expect_json(0, $inputs, \@files, "verify", @files);
    run(3, "verify", @missing);
    run(1, "-B", "./builder {in} {out}", "one.wad", "-o", "out.wad");
}

# Runs that have one name.
sub run_one {
    my ($name) = @_;
    my ($file, $gone) = ("files/$name.wad", "gone/$name.wad");
    unlink "out.svg", "out.html";
    run(0, $file, "-o", "files/$name.out");
    run(3, $gone, "-o", $file);
    run(3, $file, "-o", $gone);
    run(12, $_, $file) for "--$name", "--grid=$name", "--map=$name";
    run(2, $file, "-o", $gone, $_) for "-B$name", "-p$name", "-T$name";
    run("02", "show", "-m$name", "-l0", "-Sout.svg", "-Hout.html", "good.wad");
    for ("out.svg", "out.html") {
        check(read_file($_), 0, $_, $name) if -e;
    }
}

my @some = @names[grep { $_ % 50 == 0 } 0 .. $#names];
for ("C", "C.UTF-8") {
    $locale = $ENV{LC_ALL} = $_;
    run_all();
    run_one($_) for @some;
    # Text stays as it is where it is shown.
    my $expected = $locale eq "C" ? "N? N?" : "N\xC3\xA9 N\xE2\x82\xAC";
    my $found = join " ", map { run(0, "show", "-m$_", "good.wad")
        =~ /^(N\S+):/ } "N\xC3\xA9", "N\xE2\x82\xAC";
    fail("not $expected", $found, "show") if $found ne $expected;
}
print "$runs runs with " . @names . " names\n";
exit($failures ? 1 : 0);
