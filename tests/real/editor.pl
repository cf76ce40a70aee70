# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads a file of node builder entries as a map editor does, and runs an entry
# as that editor does.  It is stricter than they are: whatever they do not
# expect is a fault, which is told, and the end.
#
# editor.pl slade FILE    prints the keys of the entries, each with the options
#                         that it offers behind it in the line
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

# Words, strings in quotes and single characters; those of a string begin with
# the quote.  Comments are left out.
sub read_tokens {
    open my $stream, '<', $file or die "$file: $!\n";
    my $text = do { local $/; <$stream> };
    my @tokens;
    until ($text =~ /\G\s*\z/gc) {
        next if $text =~ m{\G\s*//[^\n]*}gc or $text =~ m{\G\s*/\*.*?\*/}gcs;
        $text =~ /\G\s*([\w-]+|"[^"\\\n]*"|[{}=;])/gc
            or die "$file: not a token at: " . substr($text, pos $text, 30) .
                "\n";
        push @tokens, $1;
    }
    return @tokens;
}

my @tokens;

sub take_token {
    my ($pattern, $what) = @_;
    my $token = shift @tokens // 'the end';
    $token =~ /^$pattern\z/ or die "$file: $what was expected, not $token\n";
    return $token;
}

sub take_string {
    return take_token('".+"', 'a string that is not empty') =~ s/^"|"$//gr;
}

# Takes what is in braces: values, blocks by their key, and, in files of SLADE,
# a list of options in the order given.
sub take_block {
    my %block;
    take_token('{', 'a brace');
    until (@tokens && $tokens[0] eq '}') {
        my $key = take_token('[a-z][a-z0-9_]*', 'a key');
        if ($editor eq 'slade' && $key eq 'option') {
            my $option = take_string();
            take_token('=', '=');
            take_string();
            take_token(';', 'a semicolon');
            push @{$block{options}}, $option;
            next;
        }
        die "$file: $key is there twice\n" if exists $block{$key};
        if (@tokens && $tokens[0] eq '{') {
            $block{$key} = take_block();
        } else {
            take_token('=', '=');
            $block{$key} = take_string();
            take_token(';', 'a semicolon');
        }
    }
    take_token('}', 'a brace');
    return \%block;
}

sub read_file {
    my %blocks;
    @tokens = read_tokens();
    while (@tokens) {
        my $key = take_token('[a-z]+', 'a key');
        die "$file: $key is there twice\n" if exists $blocks{$key};
        $blocks{$key} = take_block();
    }
    return \%blocks;
}

# Dies unless a block has exactly these keys.
sub expect_keys {
    my ($name, $block, @keys) = @_;
    my $found = join ' ', sort keys %$block;
    my $expected = join ' ', sort @keys;
    $found eq $expected or
        die "$file: $name has '$found'; '$expected' was expected\n";
}

sub check_slade {
    my ($blocks) = @_;
    expect_keys('the file', $blocks, 'nodebuilders');
    for my $key (keys %{$blocks->{nodebuilders}}) {
        my $entry = $blocks->{nodebuilders}{$key};
        expect_keys($key, $entry, 'name', 'command', 'executable', 'options');
        $entry->{command} =~ /\$$_\b/ or die "$file: $key has no \$$_\n"
            for 'f', 'o';
        /^--[a-z0-9-]+(=[a-z0-9]+)?$/ or die "$file: $key has option $_\n"
            for @{$entry->{options}};
    }
}

sub check_builder {
    my ($blocks) = @_;
    expect_keys('the file', $blocks, 'compilers', 'nodebuilders');
    for my $key (keys %{$blocks->{compilers}}) {
        my $compiler = $blocks->{compilers}{$key};
        expect_keys($key, $compiler, 'interface', 'program');
        $compiler->{interface} eq 'NodesCompiler' or
            die "$file: $key is no node builder\n";
    }
    for my $key (keys %{$blocks->{nodebuilders}}) {
        my $entry = $blocks->{nodebuilders}{$key};
        expect_keys($key, $entry, 'title', 'compiler', 'parameters');
        $blocks->{compilers}{$entry->{compiler}} or
            die "$file: $key has no compiler\n";
        $entry->{parameters} =~ /$_\b/ or die "$file: $key has no $_\n"
            for '%FI', '%FO';
    }
}

# --- Running ---

# The words of a line: quotes keep together what is in them.
sub split_line {
    my ($line) = @_;
    my @words;
    while ($line =~ /\G\s*((?:[^\s"]|"[^"]*")+)/g) {
        push @words, $1 =~ s/"//gr;
    }
    return @words;
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

my $blocks = read_file();
$editor eq 'slade' ? check_slade($blocks) : check_builder($blocks);
my $entries = $blocks->{nodebuilders};
if (!@work) {
    print join(' ', $_, @{$entries->{$_}{options} // []}), "\n"
        for sort keys %$entries;
    exit 0;
}
my $key = shift @work;
my $entry = $entries->{$key} or die "$file: there is no $key\n";
$editor eq 'slade' ? run_slade($entry, @work) : run_builder($entry, @work);
