#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# mutants.pl list FILE...
#     prints each fault that can be planted in these sources
# mutants.pl run SEED COUNT JOBS RESULTS TREE
#     plants COUNT of them, one at a time, and runs tests on each
#
# A fault changes an operator, a bound or a constant, negates a condition, or
# drops a statement.  SEED shuffles all that can be planted in the sources in
# TREE.  Those that do not compile, or compile to the same code, do not count.
# QUICK_TESTS and CHECK_TESTS in the environment name the tests.  Each mutant has
# to pass the first, then those of the second that test its part; see tests_of.
#
# RESULTS gets a line each: its number, what caught it, where it is, and the text
# before and after.  Numbers that are there are not tried again, so an interrupted
# run goes on, and a line that you remove has its mutant tried again.

use strict;
use warnings;
use Digest::MD5 qw(md5_hex);
use Fcntl qw(:flock SEEK_SET);

# Limits, so that no mutant hangs or fills the machine: seconds of processor time
# of a process, and of all tests of a mutant after the quick ones; seconds of a
# test that waits; KiB of memory of a process; blocks of a file.
my ($process_seconds, $mutant_seconds, $wait_seconds) = (60, 300, 600);
my ($memory, $file_size) = (8_000_000, 500_000);

# What holds all code in which faults are planted.
my @products = qw(src/libstage.la plugin/blocksweep.la command/libcommand.la
    command/blocksweep);

# Faults in the first could have other processes killed; the second is generated.
my @untouched = qw(command/platform/posix-program.c command/picture/files.c);

sub read_file {
    my ($path) = @_;
    open my $file, '<', $path or die "mutants.pl: $path: $!\n";
    local $/;
    return <$file> // '';
}

sub write_file {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "mutants.pl: $path: $!\n";
    print $file $text;
    close $file or die "mutants.pl: $path: $!\n";
}

# --- What can be planted ---

my %operator = (
    '<' => '<=', '<=' => '<', '>' => '>=', '>=' => '>', '==' => '!=',
    '!=' => '==', '&&' => '||', '||' => '&&', '+' => '-', '-' => '+',
    '*' => '/', '/' => '*', '%' => '/', '<<' => '>>', '>>' => '<<',
    '&' => '|', '|' => '&', '+=' => '-=', '-=' => '+=', '|=' => '&=',
    '&=' => '|=', '*=' => '+=', 'true' => 'false', 'false' => 'true',
);

sub blank { return $_[0] =~ tr/\n/ /cr }

# The source with spaces for all but the code of functions, at the same offsets.
# Strings become quotes.
sub code_of {
    my ($text) = @_;
    $text =~ s{ ( //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:\\\n|[^\n])* )
              | ( "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' ) }
              { defined $1 ? blank($1) : '"' x length $2 }gsmex;
    $text =~ s/\b(?:_S|s)tatic_assert\s*\([^;]*;/blank($&)/ge;
    my ($code, $end, $depth, $begin) = ('', 0, 0, undef);
    while ($text =~ /[{}]/g) {
        my $at = $-[0];
        if ($& eq '{') {
            $begin = $at if $depth++ == 0 &&
                substr($text, 0, $at) =~ /\)\s*$/;
        } elsif (--$depth == 0 && defined $begin) {
            $code .= blank(substr $text, $end, $begin - $end) .
                substr $text, $begin, $at + 1 - $begin;
            $end = $at + 1;
            undef $begin;
        }
    }
    return $code . blank(substr $text, $end);
}

# The length of what is in parentheses, which begin at this offset.
sub length_in_parentheses {
    my ($code, $offset) = @_;
    substr($code, $offset) =~ /^(\((?:[^()]++|(?1))*\))/ or return 0;
    return length($1) - 2;
}

sub changed_constant {
    my ($number, $suffix) = @_;
    return "($number$suffix + 1)" if $number =~ /^0./;
    return ($number == 1 ? 0 : $number + 1) . $suffix;
}

# The faults of statements that can go.  Declarations and the last return of a
# function stay; so does free(), as only sanitizers find a leak.
sub statements_in {
    my ($code) = @_;
    my @sites;
    $code =~ s/\b(?:case\b[^:;{}]+|default):/' ' x (length($&) - 1) . ':'/ge;
    while ($code =~ /(?:[;{}):]|\belse|\bdo)[ ]*\n\s*
            \K([\w*(][^;{}]*(?:\{[^;{}]*\}[^;{}]*)?)(?=;)/gx) {
        my ($offset, $statement) = ($-[1], $1);
        my ($before, $after) = ("$`", "$'");
        next if ($before =~ tr/(//) != ($before =~ tr/)//);
        if ($statement =~ /^(?:if|for|while|switch|do|else|static)\b/) {
            pos($code) = $offset + 1; # what it governs comes next
            next;
        }
        next if $statement =~ /^free\(|^\(void\)/;
        if ($statement =~ /^return\b/) {
            next if $after =~ /^;\s*\n\}/;
        } else {
            next if $statement =~ /^\w+\s+(?:\w+\s+)*\**\w/;
        }
        push @sites, [ $offset, length $statement, '' ];
    }
    return @sites;
}

# Returns faults in the order of the text, each as offset, length, replacement.
sub sites_in {
    my ($text) = @_;
    my $code = code_of($text);
    my @sites = statements_in($code);
    while ($code =~ m{(?<=[ ])([-<>=!&|+*/%]+)(?=\s)|\b(true|false)\b}g) {
        my $old = $1 // $2;
        push @sites, [ $-[0], length $old, $operator{$old} ]
            if $operator{$old};
    }
    while ($code =~ /(?<![\w.])(\d+|0x[0-9A-Fa-f]+)([uUlL]*)(?![\w.])/g) {
        my ($offset, $number, $suffix) = ("$-[0]", "$1", "$2");
        my ($line) = substr($code, 0, $offset) =~ /([^\n]*)$/;
        next if $line =~ /\{$/ && $number eq '0';
        next if $line =~ /^\s+(?!return)\w+ (?:\w+ )*\**\w+\[$/;
        push @sites, [ $offset, length "$number$suffix",
            changed_constant($number, $suffix) ];
    }
    while ($code =~ /\b(?:if|while) (?=\()/g) {
        my $offset = $+[0] + 1;
        my $length = length_in_parentheses($code, $offset - 1) or next;
        # The same is done to the operator of a comparison.
        next if substr($code, $offset, $length) =~ /^[^&|]* [!=]= [^&|]*$/;
        push @sites, [ $offset, $length,
            '!(' . substr($text, $offset, $length) . ')' ];
    }
    return sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } @sites;
}

# Returns the number of the line, and its text before and after.
sub describe {
    my ($text, $site) = @_;
    my ($offset, $length, $new) = @$site;
    my ($before) = substr($text, 0, $offset) =~ /([^\n]*)$/;
    my ($after) = substr($text, $offset + $length) =~ /^([^\n]*)/;
    my @lines = map { "$before$_$after" =~ s/\s+/ /gr =~ s/^ //r }
        substr($text, $offset, $length), $new;
    return 1 + (substr($text, 0, $offset) =~ tr/\n//), @lines;
}

# --- One mutant ---

my $tree;   # where this process builds
my %broken; # tests that fail without a mutant
my %passed; # tests that do not, and what programs they passed with

# Runs make in the tree; returns whether it went well.
sub make {
    my $limits = "ulimit -t $process_seconds; ulimit -v $memory; " .
        "ulimit -f $file_size";
    return system('/bin/sh', '-c',
        "$limits; exec make -s -C \"\$@\" >>\"\$0\" 2>&1", "$tree.log",
        $tree, "TEST_SECONDS=$wait_seconds", @_) == 0;
}

# Of all that make has run.
sub processor_time { return (times)[2] + (times)[3] }

sub digest_of { return md5_hex(map { -e $_ ? read_file($_) : '' } @_) }

# Of the products' objects, not those that tests add.
sub objects_digest {
    my $is_product =
        qr{/(?:libstage_la|(?:command_)?libcommand_la|blocksweep(?:_la)?)-[^/]+$};
    return digest_of(grep { /$is_product/ }
        map { sort glob "$tree/$_/{,.libs/}*.o" }
        qw(src src/* plugin command command/* builders/kit));
}

# Whether a test passes.  One of the same bytes as before is not run again.
sub passes {
    my ($test) = @_;
    my $key = '';
    if ($test !~ /\.sh$/) {
        make($test) or return 0;
        $key = digest_of("$tree/$test", "$tree/plugin/.libs/blocksweep.so");
        return 1 if $passed{$test}{$key};
    }
    unlink "$tree/$test.log", "$tree/$test.trs";
    make("$test.log") or return 0;
    my $passes = -e "$tree/$test.trs" &&
        read_file("$tree/$test.trs") =~ /^:global-test-result: (PASS|SKIP)/m;
    $passed{$test}{$key} = 1 if $passes;
    return $passes;
}

# Words of a path that say what it is about.
my %also = (nbstage => [qw(stage plugin)], picture => ['show'],
    prune => [qw(inert solid)]);
my %general = map { $_ => 1 } qw(src command plugin builders kit tests unit test
    c h sh common platform posix file);

sub words_of {
    my ($path) = @_;
    return map { $general{$_} ? () : (s/s$//r, @{ $also{$_} // [] }) }
        split m{[-/.]}, $path;
}

# The tests of a source, in two lists: the quick ones, then the scripts of
# tests/command for the command or the unit tests for others, and any that shares a
# word with its path.  Those that do come first, and what takes longest last.
sub tests_of {
    my ($path) = @_;
    my %word = map { $_ => 1 } words_of($path);
    my @quick = reverse split ' ', $ENV{QUICK_TESTS};
    my @other = reverse split ' ', $ENV{CHECK_TESTS};
    my %shared = map { my $test = $_; $test =>
        scalar grep { $word{$_} } words_of($test =~ s{.*/}{}r) } @quick, @other;
    my %is_quick = map { $_ => 1 } @quick;
    my $folder = $path =~ /^command/ ? 'tests/command/' : 'tests/unit/';
    @other = grep { !$is_quick{$_} && ($shared{$_} || /^$folder/) } @other;
    my %rank = map { $_ => 2 * $shared{$_} + /^$folder/ } @quick, @other;
    return map { [ sort { $rank{$b} <=> $rank{$a} } @$_ ] } \@quick, \@other;
}

# Whether a test that has failed passes without the mutant.
sub is_sound {
    my ($test, $path, $text, $mutant) = @_;
    return 1 if $passed{$test};
    write_file("$tree/$path", $text);
    make('all');
    $broken{$test} = !passes($test);
    warn "mutants.pl: $test fails without a mutant\n" if $broken{$test};
    write_file("$tree/$path", $mutant);
    make('all');
    return !$broken{$test};
}

# What catches the mutant that is planted in this source.
sub judge {
    my ($path, $text, $mutant) = @_;
    my ($quick, $other) = tests_of($path);
    make('all') or return 'quick: make';
    for my $test (@$quick) {
        return "quick: $test" unless $broken{$test} || passes($test) ||
            !is_sound($test, $path, $text, $mutant);
    }
    my $end = processor_time() + $mutant_seconds;
    for my $test (@$other) {
        return 'missed so far' if processor_time() > $end;
        return $test unless $broken{$test} || passes($test) ||
            !is_sound($test, $path, $text, $mutant);
    }
    return 'missed';
}

# --- All of them ---

my ($seed, $count, $jobs, $results, $first_tree);

# Each fault of the tree, as path and site, in the order of the seed.
sub all_sites {
    my @paths = grep { my $path = $_; !grep { $_ eq $path } @untouched }
        map { s{^\Q$first_tree\E/}{}r }
        sort glob "$first_tree/{src,src/*,plugin,command,command/*," .
        'builders/kit}/*.[ch]';
    # What is for Windows is not compiled.
    my @sites = map { my $path = $_;
        map { [ $path, $_ ] } sites_in(read_file("$first_tree/$path")) }
        grep { !m{/windows-} } @paths;
    srand $seed;
    for (my $i = @sites; --$i > 0;) {
        my $j = int rand $i + 1;
        @sites[$i, $j] = @sites[$j, $i];
    }
    return @sites;
}

# Returns the verdicts so far, by number.
sub verdicts {
    return map { /^(\d+)\t([^\t]+)/ ? ($1, $2) : () }
        split /^/, read_file($results);
}

sub counted { return grep { $_ !~ /^not counted/ } @_ }

sub report {
    my (@fields) = @_;
    open my $file, '>>', $results or die "mutants.pl: $results: $!\n";
    flock $file, LOCK_EX;
    my $line = join("\t", @fields) . "\n";
    print $file $line;
    close $file or die "mutants.pl: $results: $!\n";
    print $line;
}

# Makes the tree of a job as the first one is: what a run before has built there
# is not built again.
sub prepare {
    my ($job) = @_;
    $tree = "$first_tree.$job";
    unlink "$tree.log";
    my $copies = -e "$tree/config.status"
        ? "cd '$first_tree' && find . -type f | while read -r file; do
               cmp -s \"\$file\" '../source.$job/'\"\$file\" ||
                   cp \"\$file\" '../source.$job/'\"\$file\"
           done"
        : "rm -rf '$tree' && cp -Rp '$first_tree' '$tree' && cd '$tree' &&
           ./configure -q CFLAGS=-O2 >/dev/null";
    system($copies) == 0 && make('all') or
        die "mutants.pl: $tree cannot be built, see $tree.log\n";
}

# Tries each number that is for this job.
sub work {
    my ($job, @sites) = @_;
    prepare($job);
    my $clean = objects_digest();
    for (my $number = $job; $number < @sites; $number += $jobs) {
        my %verdict = verdicts();
        last if counted(values %verdict) >= $count;
        next if $verdict{$number};
        my ($path, $site) = @{ $sites[$number] };
        my $text = read_file("$first_tree/$path");
        my $mutant = $text;
        substr $mutant, $site->[0], $site->[1], $site->[2];
        write_file("$tree/$path", $mutant);
        my $verdict =
            !make(@products) ? 'not counted: it does not compile' :
            objects_digest() eq $clean ? 'not counted: same code' :
            judge($path, $text, $mutant);
        write_file("$tree/$path", $text);
        my ($line, $old, $new) = describe($text, $site);
        report($number, $verdict, "$path:$line", "$old -> $new");
    }
}

sub run {
    ($seed, $count, $jobs, $results, $first_tree) = @_;
    $| = 1;
    delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
    my @sites = all_sites();
    my $head = "seed $seed of " .
        md5_hex(map { join ' ', $_->[0], @{ $_->[1] } } @sites) . "\n";
    write_file($results, $head) unless -e $results;
    index(read_file($results), $head) == 0 or
        die "mutants.pl: $results is of other sources; remove it\n";
    my @workers = map { my $job = $_; fork || do { work($job, @sites); exit } }
        0 .. $jobs - 1;
    my @failed = grep { waitpid $_, 0; $? } @workers;
    my %verdict = verdicts();
    my @counted = counted(values %verdict);
    printf "%d mutants: %d caught by quick, %d by other tests, %d missed; " .
        "%d others did not count\n", scalar @counted,
        scalar grep({ /^quick/ } @counted),
        scalar grep({ /^tests/ } @counted),
        scalar grep({ /^missed/ } @counted), keys(%verdict) - @counted;
    return @failed ? 1 : 0;
}

my $what = shift // '';
if ($what eq 'list' && @ARGV) {
    for my $path (@ARGV) {
        my $text = read_file($path);
        printf "%s:%d: %s -> %s\n", $path, describe($text, $_)
            for sites_in($text);
    }
} elsif ($what eq 'run' && @ARGV == 5) {
    exit run(@ARGV);
} else {
    die "usage: mutants.pl list FILE...\n",
        "       mutants.pl run SEED COUNT JOBS RESULTS TREE\n";
}
