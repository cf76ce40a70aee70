#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-maps.pl BLOCKSWEEP HOLD-LISTS PLACE...
#
# Builds the maps of WADs once with each preset, and holds every lump against
# the oracle, by the other program, hold-lists.c.  A place is a file, or a folder
# in which all files are taken whose names end in ".wad", at any depth.  Maps are
# read here by plain means; what the command reports of a lump only tells which
# of its promises count:
#
# - it lists each linedef in the blocks that it is in, and in no other; vanilla
#   may merge lists, and then has as many extra entries as reported, and meets
#   the limit of Doom 1.9;
# - a linedef is in no list only if it asks for that;
# - a lump that was kept is the present one, extra entries, headers and all, and
#   lacks as many entries as reported, none of them solid;
# - it is empty only if its lists may be over the limit.
#
# Prints each fault, what the command refuses and why, and totals.  Ends with 1
# if there is a fault, or no lump.  JOBS in the environment is how many files are
# tried at a time.

use strict;
use warnings;
use File::Find;
use File::Temp;
use JSON::PP;

# What lists begin with.
my %presets = (compatible => "zero", repack => "zero", small => "zero",
    vanilla => "none");
my $MOST_OFFSET = 32767; # of Doom 1.9
my $MOST_WORDS = 65535;

my ($blocksweep, $hold_lists, @places) = @ARGV;
@places or die "check-maps.pl: no file or folder is named\n";

# --- Maps ---

sub read_file {
    open my $file, "<:raw", $_[0] or die "$_[0]: $!\n";
    local $/;
    my $bytes = <$file> // "";
    return $bytes if $bytes !~ /^\x1F\x8B/;
    open my $unpacked, "-|:raw", "gzip", "-dc", $_[0] or die "gzip: $!\n";
    return <$unpacked> // "";
}

my %is_map_lump = map { $_ => 1 } qw(THINGS LINEDEFS SIDEDEFS VERTEXES SEGS
    SSECTORS NODES SECTORS REJECT BLOCKMAP BEHAVIOR SCRIPTS LEAFS LIGHTS MACROS
    TEXTMAP);

# Returns the maps of a WAD, if it is one, in the order of the file: their names,
# and their lumps by name.  Those of UDMF end with ENDMAP.
sub read_maps {
    my ($wad) = @_;
    my ($kind, $count, $at) = unpack "a4V2", $wad;
    return if $kind !~ /^[IP]WAD$/ || $at > length $wad;
    my ($marker, $map, @maps) = "no marker";
    for (unpack "(a16)*", substr $wad, $at, 16 * $count) {
        my ($position, $size, $name) = unpack "V2Z8", $_;
        if (!$is_map_lump{$name} && !($map && defined $map->{TEXTMAP})) {
            ($marker, $map) = ($name);
            next;
        }
        push @maps, $map = {name => $marker} if !$map;
        $map->{$name} //= $size ? substr $wad, $position, $size : "";
        ($marker, $map) = ("no marker") if $name eq "ENDMAP";
    }
    return grep { defined($_->{LINEDEFS} // $_->{TEXTMAP}) } @maps;
}

# A text without comments, and with no text in quotes.
sub bare_text {
    my ($text) = @_;
    $text =~ s{("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/}{$1 ? '""' : ' '}gse;
    return $text;
}

sub text_number {
    my ($block, $name) = @_;
    my ($number) = $block =~ /\b$name\s*=\s*([-+.\w]+)/i;
    return $number // 0;
}

# Returns places in 16.16, and of each linedef its vertices and 0.
sub read_text {
    my $text = bare_text($_[0]);
    my (@at, @lines);
    while ($text =~ /\b(vertex|linedef)\s*\{([^{}]*)\}/gi) {
        my $block = $2;
        push @at, [map { int 65536 * text_number($block, $_) } "x", "y"]
            if lc $1 eq "vertex";
        push @lines, [(map { text_number($block, $_) } "v1", "v2"), 0]
            if lc $1 eq "linedef";
    }
    return \@at, @lines;
}

# The same of a map in another format; behind the vertices is 1 for a linedef
# that asks to be in no list.
sub read_binary {
    my ($map) = @_;
    my ($vertices, $linedefs) = @$map{qw(VERTEXES LINEDEFS)};
    if (defined $map->{LEAFS} || defined $map->{LIGHTS} ||
        defined $map->{MACROS}) {
        return [map { [unpack "l<2", $_] } unpack "(a8)*", $vertices],
            map { my ($v1, $v2, $flags) = unpack "v2V", $_;
                [$v1, $v2, $flags & 1 << 28 || ($flags & 0x180) == 0x180] }
            grep { length == 16 } unpack "(a16)*", $linedefs;
    }
    my $at = [map { [map { 65536 * $_ } unpack "s<2", $_] }
        unpack "(a4)*", $vertices];
    return $at, map { my ($v1, $v2, undef, $special, $arg) = unpack "v3C2", $_;
            [$v1, $v2, $special == 108 && $arg == 1] }
        grep { length == 16 } unpack "(a16)*", $linedefs
        if defined $map->{BEHAVIOR};
    return $at, map { my ($v1, $v2, undef, $special, $tag) = unpack "v5", $_;
            [$v1, $v2, $tag == 999] }
        grep { length == 14 } unpack "(a14)*", $linedefs;
}

# A map as hold-lists.c reads it.
sub pack_map {
    my ($map) = @_;
    my ($at, @lines) = defined $map->{TEXTMAP} ? read_text($map->{TEXTMAP})
        : read_binary($map);
    return "map " . @lines . "\n" . join "", map {
        my ($v1, $v2, $is_optional) = @$_;
        pack "l<4V", @{$at->[$v1] // die "no vertex $v1\n"},
            @{$at->[$v2] // die "no vertex $v2\n"}, $is_optional ? 1 : 0;
    } @lines;
}

# --- Results ---

my %total; # of this process
my $to;    # where its lines go, one write each

sub say_line {
    my ($line) = @_;
    syswrite $to, substr($line =~ s/[\x00-\x1F\x7F]+/ /gr, 0, 4000) . "\n";
}

sub fault {
    say_line(join ": ", @_);
    $total{faults}++;
}

# --- Builds ---

my $folder; # for files of this process

# Runs the command; returns how it ended, and what it printed to standard error.
sub run_command {
    my ($path, $preset) = @_;
    my $child = fork // die "fork: $!\n";
    if (!$child) {
        open STDOUT, ">", "$folder/report" or die "$folder/report: $!\n";
        open STDERR, ">", "$folder/errors" or die "$folder/errors: $!\n";
        exec $blocksweep, "--json", "--quiet", "--preset=$preset", "-o",
            "$folder/$preset.wad", "--", $path or exit 127;
    }
    waitpid $child, 0;
    return $?, read_file("$folder/errors");
}

# Builds the maps of a file, adds what the command refuses, and returns what it
# reports of each map and the BLOCKMAP lumps; nothing if there is no result.
sub build {
    my ($path, $preset, $maps, $refused) = @_;
    my ($status, $said) = run_command($path, $preset);
    if ($status != 0 && $status != 256) {
        $said =~ s/.*\n(?=.)//s;
        fault("$path: $preset", sprintf "the command ended with status %d, " .
            "signal %d: %s", $status >> 8, $status & 127, $said);
        return;
    }
    my $report = eval { decode_json(read_file("$folder/report")) };
    my $file = $report ? $report->{files}[0] : {};
    if (!$file->{written}) {
        my $why = $file->{error} // $said =~ s/^blocksweep: (?:\Q$path\E: )?//r;
        push @{$refused->{$path}{$why}}, $preset;
        return;
    }
    my @built = grep { $_->{name} ne "no marker" }
        read_maps(read_file("$folder/$preset.wad"));
    unlink "$folder/$preset.wad";
    my $names = names_of(map { $_->{name} } @$maps);
    for ([reported => map { $_->{map} } @{$file->{maps}}],
        [written => map { $_->{name} } @built]) {
        my ($what, @names) = @$_;
        next if names_of(@names) eq $names;
        fault("$path: $preset", "the maps $what are " . names_of(@names) .
            "; there are $names");
        return;
    }
    return map { [$file->{maps}[$_], $built[$_]{BLOCKMAP} // ""] } 0 .. $#built;
}

sub names_of {
    return join " ", map { $_ =~ s/[^!-~]+/?/gr } @_;
}

# --- Lumps ---

# Holds what was found of a lump against its promise; returns what is wrong.
sub break_promises {
    my ($lump, $found) = @_;
    my ($preset, $report, $bytes, $old) = @$lump{qw(preset report bytes old)};
    return "it is no blockmap" if $found =~ /^damaged/;
    if (my ($words) = $found =~ /^empty (\d+)/) {
        $total{empty}++;
        return $preset eq "vanilla" || $words <= $MOST_WORDS
            ? "it is empty, and its lists need $words words at most" : ();
    }
    my (undef, $missing, $outside, $extra, $unreadable, $left_out, $offset,
        $words, $has_zeros) = split ' ', $found;
    my ($may_lack, $may_add) = (0, $report->{extra_entries});
    my @wrong;
    if ($report->{kept}) {
        push @wrong, "it was not kept" if $bytes ne $old;
        push @wrong, "it lacks solid entries" if $report->{missing_solid};
        ($missing, $outside) = ($missing + $outside, 0);
        ($may_lack, $may_add) = ($report->{missing_harmless}, $extra);
        $total{kept}++;
        $total{kept_headers}++ if $presets{$preset} eq "zero" && !$has_zeros;
    } elsif ($presets{$preset} eq "zero") {
        $may_add = 0;
        push @wrong, "not all lists begin with 0" if !$has_zeros;
    }
    push @wrong, "it is over the limit of Doom 1.9"
        if $preset eq "vanilla" &&
        ($offset > $MOST_OFFSET || $words > $MOST_WORDS);
    push @wrong, "$left_out linedefs are in no list"
        if $left_out != $report->{pruned_tagged};
    push @wrong, "$unreadable lists cannot be read" if $unreadable;
    push @wrong, "$outside entries are outside the grid" if $outside;
    push @wrong, "$missing entries are missing, not $may_lack"
        if $missing != $may_lack;
    push @wrong, "$extra entries are extra, not $may_add" if $extra != $may_add;
    $total{missing} += abs($missing - $may_lack) + $outside;
    $total{extra} += abs($extra - $may_add);
    $total{lacked} += $may_lack;
    $total{added} += $may_add;
    $total{left_out} += $left_out;
    return @wrong;
}

# Reads what was found of a lump, and prints what is wrong with it.
sub judge_lump {
    my ($where, $lump, $results) = @_;
    my @named;
    my $found = <$results>;
    while ($found && $found =~ /^(missing|extra|unreadable) (\d+) ?(\d*)$/) {
        push @named, "$1, block $2" . (length $3 ? ", linedef $3" : "");
        $found = <$results>;
    }
    die "$hold_lists has failed\n" if !$found;
    $total{lumps}++;
    my @wrong = break_promises($lump, $found) or return;
    fault($where, join "; ", @wrong);
    say_line("$where: $_") for @named;
}

# Judges lumps: an array for each map that has any.
sub judge_lumps {
    my ($path, $maps, $lumps) = @_;
    my @todo = grep { $lumps->[$_] } 0 .. $#$maps;
    open my $input, ">:raw", "$folder/lumps" or die "$folder/lumps: $!\n";
    for my $i (@todo) {
        print $input pack_map($maps->[$i]);
        for (@{$lumps->[$i]}) {
            my $header =
                $_->{report}{kept} ? "unknown" : $presets{$_->{preset}};
            print $input "lump $header ", length $_->{bytes}, "\n", $_->{bytes};
        }
    }
    close $input or die "$folder/lumps: $!\n";
    open STDIN, "<", "$folder/lumps" or die "$folder/lumps: $!\n";
    open my $results, "-|", $hold_lists or die "$hold_lists: $!\n";
    for my $i (@todo) {
        judge_lump("$path: $maps->[$i]{name}, $_->{preset}", $_, $results)
            for @{$lumps->[$i]};
    }
    close $results or die "$hold_lists has failed\n";
    $total{maps} += @todo;
}

# Prints what the command refuses: a sentence for each map or, under the name of
# the file alone, for that.
sub say_refused {
    my ($path, $refused) = @_;
    for my $what (sort keys %$refused) {
        for my $why (sort keys %{$refused->{$what}}) {
            my @by = @{$refused->{$what}{$why}};
            $total{$what eq $path ? "refused_files" : "refused_lumps"} +=
                $what eq $path ? 1 : @by;
            say_line("$what: " . (@by < keys %presets ? "@by: " : "") .
                "refused: $why");
        }
    }
}

sub check_wad {
    my ($path) = @_;
    my @maps = read_maps(read_file($path));
    my (@lumps, %refused);
    if (@maps && $maps[0]{name} eq "no marker") {
        shift @maps;
        @{$refused{"$path: no marker"}{"the first lump is one of a map"}} =
            keys %presets;
    }
    for my $preset (sort keys %presets) {
        my @built = build($path, $preset, \@maps, \%refused);
        for my $i (0 .. $#built) {
            my ($report, $bytes) = @{$built[$i]};
            if ($report->{status} eq "done") {
                push @{$lumps[$i]}, {preset => $preset, report => $report,
                    bytes => $bytes, old => $maps[$i]{BLOCKMAP} // ""};
            } else {
                my $why = $report->{error} =~ s/^\Q$report->{map}\E: //r;
                push @{$refused{"$path: $maps[$i]{name}"}{$why}}, $preset;
            }
        }
    }
    say_refused($path, \%refused);
    judge_lumps($path, \@maps, \@lumps);
    $total{wads}++ if @lumps;
}

# --- Files ---

sub find_wads {
    my @found;
    for my $place (@places) {
        stat $place or die "check-maps.pl: $place: $!\n";
        -d _ or push(@found, $place), next;
        find({follow_fast => 1, no_chdir => 1,
            wanted => sub { push @found, $_ if /\.wad$/i && -f } }, $place);
    }
    return sort @found;
}

# Tries every so manieth file, and prints its totals for the parent.
sub check_some {
    my ($first, $step, @wads) = @_;
    $folder = File::Temp->newdir;
    local @SIG{qw(HUP INT TERM)} = (sub { exit 1 }) x 3; # removes the folder
    for (my $i = $first; $i < @wads; $i += $step) {
        eval { check_wad($wads[$i]); 1 } or fault($wads[$i], $@);
    }
    say_line("= $_ $total{$_}") for keys %total;
}

my @wads = find_wads();
my $jobs = $ENV{JOBS} || 1;
pipe my $from, $to or die "pipe: $!\n";
for my $job (0 .. $jobs - 1) {
    next if fork // die "fork: $!\n";
    close $from;
    check_some($job, $jobs, @wads);
    exit;
}
close $to;
$| = 1;
my %sum;
while (<$from>) {
    if (/^= (\w+) (\d+)$/) {
        $sum{$1} += $2;
    } else {
        print;
    }
}
while (wait > 0) {
    $sum{faults}++ if $?;
}
$sum{$_} //= 0 for qw(wads maps lumps missing extra added left_out lacked kept
    kept_headers empty refused_files refused_lumps faults);
printf "%d WADs, %d maps, %d lumps: %d missing and %d extra entries\n",
    @sum{qw(wads maps lumps missing extra)};
printf "as promised: %d extra and %d missing entries, %d linedefs left out\n",
    @sum{qw(added lacked left_out)};
printf "lumps kept: %d, %d with other headers; left empty: %d\n",
    @sum{qw(kept kept_headers empty)};
printf "refused: %d files, %d lumps\n", @sum{qw(refused_files refused_lumps)};
print "faults: $sum{faults}\n";
exit($sum{faults} || !$sum{lumps} ? 1 : 0);
