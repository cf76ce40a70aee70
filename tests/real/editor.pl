# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads a file of node builder entries as a map editor does, and runs an entry
# as that editor does.  It is stricter than they are: what they need not expect,
# another order of values too, is a fault, which is told, and the end.
#
# editor.pl slade FILE    prints the keys of the entries, each with the options
#                         that it offers after it in the line
# editor.pl builder FILE  prints the keys of the entries
#
# editor.pl slade FILE KEY PROGRAM WAD [OPTION...]
#     has PROGRAM build in WAD, in place, with these options ticked
# editor.pl builder FILE KEY PROGRAM IN OUT
#     has PROGRAM build what is in IN, and copies what it makes to OUT
#
# "slade" is SLADE, "builder" Ultimate Doom Builder and its relatives.

use strict;
use warnings;
use Cwd ();
use File::Copy;
use File::Temp;

my ($editor, $file, @work) = @ARGV;

# --- Reading ---

my $text = do {
    local $/;
    open my $stream, '<', $file or die "$file: $!\n";
    <$stream>;
};
$text =~ s{//[^\n]*|/\*.*?\*/}{}gs;

# What goes on at this place of the file; returns what is captured.
sub take {
    my ($pattern) = @_;
    $text =~ /\G\s*$pattern/gc or return;
    return $1 // '';
}

sub expect {
    my ($pattern) = @_;
    return take($pattern) //
        die "$file: $pattern was expected at: ",
        substr($text, pos $text // 0, 40), "\n";
}

sub expect_value {
    my ($name) = @_;
    return expect("$name\\s*=\\s*\"([^\"\\\\\\n]+)\"\\s*;");
}

# Entries up to the end of a block, by their keys; $read reads what is in one.
sub read_entries {
    my ($read) = @_;
    my %entries;
    while (defined(my $key = take('([a-z][a-z0-9_]*)\s*\{'))) {
        die "$file: $key is there twice\n" if $entries{$key};
        $entries{$key} = $read->();
        expect('\}');
    }
    expect('\}');
    return \%entries;
}

sub read_slade_entry {
    my %entry;
    $entry{$_} = expect_value($_) for 'name', 'command', 'executable';
    while (defined(my $option = take('option\s*"(--[a-z0-9-]+(?:=[a-z0-9,]+)?)"'))) {
        push @{$entry{options}}, $option;
        expect('=\s*"[^"]+"\s*;');
    }
    $entry{command} =~ /\$$_\b/ or die "$file: no \$$_ in $entry{command}\n"
        for 'f', 'o';
    return \%entry;
}

my $compilers;

sub read_compiler {
    my %compiler;
    $compiler{$_} = expect_value($_) for 'interface', 'program';
    $compiler{interface} eq 'NodesCompiler' or die "$file: no node builder\n";
    return \%compiler;
}

sub read_builder_entry {
    my %entry;
    $entry{$_} = expect_value($_) for 'title', 'compiler', 'parameters';
    $compilers->{$entry{compiler}} or die "$file: no $entry{compiler}\n";
    $entry{parameters} =~ /$_\b/ or die "$file: no $_ in $entry{parameters}\n"
        for '%FI', '%FO';
    return \%entry;
}

sub read_file {
    if ($editor eq 'builder') {
        expect('compilers\s*\{');
        $compilers = read_entries(\&read_compiler);
    }
    expect('nodebuilders\s*\{');
    my $entries = read_entries(
        $editor eq 'slade' ? \&read_slade_entry : \&read_builder_entry);
    expect('\z');
    return $entries;
}

# --- Running ---

# The words of a line: quotes keep together what is in them.
sub split_line {
    my ($line) = @_;
    return map { s/"//gr } $line =~ /((?:[^\s"]|"[^"]*")+)/g;
}

# The program by its path, the file with quotes; the exit status is ignored
# there, but not here.
sub run_slade {
    my ($entry, $program, $wad, @options) = @_;
    my $command = $entry->{command};
    my $path = Cwd::abs_path($wad);
    $command =~ s/\$f/"$path"/g;
    $command =~ s/\$o/ @options /g;
    exec split_line("\"$program\" $command") or die "$program: $!\n";
}

# A name without a folder: eight letters or digits.
sub make_name {
    my @letters = ('a' .. 'z', '0' .. '9');
    return join('', map { $letters[rand @letters] } 1 .. 8) . '.tmp';
}

# Runs a command; returns what it prints, and leaves its status in $?.
sub run_and_read {
    my @command = @_;
    my $child = open(my $pipe, '-|') // die "fork: $!\n";
    if (!$child) {
        open STDERR, '>&', \*STDOUT;
        exec @command or die "$command[0]: $!\n";
    }
    my $printed = do { local $/; <$pipe> } // '';
    close $pipe;
    return $printed;
}

# The program by its path, in a temporary folder, with names of files in it.
# Failed is what ends with a status, or prints the word.
sub run_builder {
    my ($entry, $program, $in, $out) = @_;
    my $from = Cwd::getcwd();
    my $folder = File::Temp->newdir();
    my ($input, $output) = (make_name(), make_name());
    copy($in, "$folder/$input") or die "$in: $!\n";
    my $parameters = $entry->{parameters};
    $parameters =~ s/%FI/$input/g;
    $parameters =~ s/%FO/$output/g;
    chdir $folder or die "$folder: $!\n";
    my $printed = run_and_read($program, split_line($parameters));
    chdir $from or die "$from: $!\n";
    die "it is taken for an error: $printed" if $? || $printed =~ /error/i;
    copy("$folder/$output", $out) or die "it has made nothing\n";
}

# --- What is asked for ---

my $entries = read_file();
if (!@work) {
    print join(' ', $_, @{$entries->{$_}{options} // []}), "\n"
        for sort keys %$entries;
    exit 0;
}
my $key = shift @work;
my $entry = $entries->{$key} or die "$file: there is no $key\n";
$editor eq 'slade' ? run_slade($entry, @work) : run_builder($entry, @work);
