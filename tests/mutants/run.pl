#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.pl LIST UNSEEN FOLDER TEST...
#
# Runs tests of a build with planted faults, from its top folder; see plant.pl.
# First each test runs without a fault: how long it takes, and which faults it
# reaches.  Then, for each fault of LIST, those tests that reach it run with it,
# the quickest first, until one fails twice or does not end.  FOLDER keeps all
# results, so that an interrupted run goes on where it was.  The environment:
#
#   ONLY=PATH   only faults of files whose path begins with one of these words
#   ALL_UNDER=SECONDS   does not stop at the first that fails, but runs all
#               tests that take less than this
#   JOBS=COUNT  how many tests run at the same time; 2
#   MEGABYTES=COUNT  how much memory a process may take; 8192
#
# Prints what became of each fault, then totals.  UNSEEN has faults that change
# nothing that a user can see, with the reason below one or several:
#
#     src/lines/sweep.c sweep_row: at < end: < to <=
#         The last block is empty.
#
# Fails if UNSEEN names a fault that is not in LIST or that a test catches, or
# if fewer faults are caught than is promised.

use strict;
use warnings;
use Cwd qw(abs_path);
use Digest::MD5 qw(md5_hex);
use Fcntl qw(:flock);
use File::Path qw(make_path remove_tree);
use POSIX ();
use Time::HiRes qw(time);

my %promised = (stage => 90, host => 80); # percent

@ARGV > 2 or die "usage: run.pl LIST UNSEEN FOLDER TEST...\n";
my ($list_path, $unseen_path, $folder, @tests) = @ARGV;
my @only = split ' ', $ENV{ONLY} // '';
my $all_under = $ENV{ALL_UNDER} || 0;
my $jobs = $ENV{JOBS} || 2;
my $kilobytes = ($ENV{MEGABYTES} || 8192) * 1024;

sub read_lines {
    open my $file, '<', $_[0] or return;
    chomp(my @lines = <$file>);
    return @lines;
}

# One write, so that lines of several processes do not mix.
sub append {
    my ($name, @fields) = @_;
    open my $file, '>>', "$folder/$name" or die "run.pl: $folder/$name: $!\n";
    syswrite $file, join("\t", @fields) . "\n";
}

# Does something for each item, each in a process of its own.
sub for_each {
    my ($work, @items) = @_;
    my $running = 0;
    for (@items) {
        if ($running == $jobs) {
            wait;
            $running--;
        }
        my $process = fork // die "run.pl: $!\n";
        if ($process == 0) {
            $work->($_);
            exit 0;
        }
        $running++;
    }
    1 while wait != -1;
}

# Runs a test; returns how it ended, and after how many seconds.
sub run_test {
    my ($test, $limit, $has_memory_limit, %environment) = @_;
    (my $name = $test) =~ tr{/}{-};
    open my $lock, '>', "$folder/$name.lock" or die "run.pl: $!\n";
    flock $lock, LOCK_EX; # it may not be made to run twice at a time
    my ($own, $log) = ("$folder/$name.tmp", "$folder/$name.log");
    make_path($own);
    my $begin = time;
    my $process = fork // die "run.pl: $!\n";
    if ($process == 0) {
        my $seconds = 1 + int $limit;
        my $processor_seconds = 10 + $seconds;
        @ENV{ keys %environment } = values %environment;
        @ENV{qw(TEST_SECONDS TMPDIR)} = ($seconds, $own);
        open STDOUT, '>', $log;
        open STDERR, '>&', \*STDOUT;
        my $memory = $has_memory_limit ? $kilobytes : 'unlimited';
        $test = $test =~ /\.sh$/ ? "$ENV{SOURCE_DIR}/$test" : "./$test";
        exec 'sh', '-c', "ulimit -c 0; ulimit -t $processor_seconds
            ulimit -v $memory
            exec perl '$ENV{SOURCE_DIR}/tests/help/run-test.pl' '$test'"
            or POSIX::_exit(127);
    }
    local @SIG{qw(HUP INT TERM)} =
        (sub { kill 'TERM', $process; waitpid $process, 0; exit 1 }) x 3;
    waitpid $process, 0;
    my $end = $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
    for (read_lines($log)) {
        $end = 'no end' if /^FAILED: it was expected to end within /;
        $end = "signal $1" if /^FAILED: signal (\d+) has ended it$/;
    }
    my $seconds = time - $begin;
    remove_tree($own, { safe => 0 });
    return ($end, $seconds);
}

# --- Without a fault ---

my $reach_size = 4096;
my %usual; # of a test: seconds, has_memory_limit, reached; none if it fails

# Some tests do not run with less memory, or with a file that is mapped.
sub run_usual {
    my ($test) = @_;
    (my $name = $test) =~ tr{/}{-};
    my $path = "$folder/$name.reached";
    my ($end, $seconds, $mode);
    for (3, 2, 1, 0) {
        $mode = $_;
        open my $file, '>', $path or die "run.pl: $path: $!\n";
        print $file "\0" x $reach_size;
        close $file;
        ($end, $seconds) = run_test($test, 600, $mode & 1,
            $mode & 2 ? (BLOCKSWEEP_REACHED => $path) : ());
        last if $end =~ /^(?:0|77|no end)$/;
    }
    append('usual', $test, $end, sprintf('%.2f', $seconds), $mode);
}

sub read_usual {
    for (read_lines("$folder/usual")) {
        my ($test, $end, $seconds, $mode) = split /\t/;
        (my $name = $test) =~ tr{/}{-};
        my ($reached) = $mode & 2 ? read_lines("$folder/$name.reached") : ();
        $usual{$test} = {
            end => $end, seconds => $seconds, limited => $mode & 1,
            reached => $reached // "\1" x $reach_size};
    }
}

# --- With one ---

my (@faults, %results);
my $results_name = 'results-' . md5_hex("@tests $all_under");

sub run_fault {
    my ($fault) = @_;
    my @reaching = sort { $usual{$a}{seconds} <=> $usual{$b}{seconds} }
        grep { $usual{$_}{end} eq '0' &&
            substr($usual{$_}{reached}, $fault->{number}, 1) ne "\0" } @tests;
    my @caught;
    for my $test (@reaching) {
        my %test = %{ $usual{$test} };
        last if @caught && $test{seconds} >= $all_under;
        my $end;
        for (1, 2) {
            ($end) = run_test($test, 10 + 10 * $test{seconds}, $test{limited},
                BLOCKSWEEP_FAULT => $fault->{number});
            last if $end =~ /^(?:0|77|no end)$/;
        }
        push @caught, "$test ($end)" if $end ne '0' && $end ne '77';
        last if @caught && !$all_under;
    }
    append($results_name, $fault->{name}, @reaching ? 'missed' : 'not reached',
        @caught);
}

sub read_faults {
    for (read_lines($list_path)) {
        my ($number, $place, $name) = split /\t/;
        push @faults, { number => $number, place => $place, name => $name }
            if !@only || grep { index($place, $_) == 0 } @only;
    }
}

sub read_results {
    for (read_lines("$folder/$results_name")) {
        my ($name, $missed, @caught) = split /\t/;
        $results{$name} = { missed => $missed, caught => \@caught };
    }
}

# --- The report ---

sub read_unseen {
    my (%reasons, @names);
    for (read_lines($unseen_path)) {
        if (/^\s+(.*)/) {
            $reasons{$_} .= ($reasons{$_} ? ' ' : '') . $1 for @names;
        } elsif (m{^(?:src|plugin|host|kit)/\S+ \w+: }) {
            @names = () if @names && $reasons{ $names[0] };
            push @names, $_;
            $reasons{$_} = '';
        } else {
            @names = ();
        }
    }
    return %reasons;
}

sub report {
    my %reasons = read_unseen();
    my (%all, %caught, %unseen);
    my $failed = 0;
    for my $fault (@faults) {
        my $name = $fault->{name};
        my %result = %{ $results{$name} };
        my ($part) = $name =~ m{^(\w+)};
        $part = 'stage' if $part eq 'src' || $part eq 'plugin';
        my $reason = delete $reasons{$name};
        my $is_caught = @{ $result{caught} } > 0;
        printf "%s:%s\n    %s\n", $fault->{place}, $name =~ s/^\S+//r,
            $is_caught ? join "\n    ", @{ $result{caught} }
            : $reason ? "UNSEEN: $reason" : uc $result{missed};
        if ($reason && !$is_caught) {
            $unseen{$part}++;
            next;
        }
        if ($reason) {
            print "    but $unseen_path has it\n";
            $failed = 1;
        }
        $all{$part}++;
        $caught{$part}++ if $is_caught;
    }
    print "\n";
    for my $test (grep { $usual{$_}{end} ne '0' } @tests) {
        print "left out: $test ends with $usual{$test}{end} without a fault\n";
    }
    for (@only ? () : sort keys %reasons) {
        print "$unseen_path: there is no such fault: $_\n";
        $failed = 1;
    }
    for my $part (sort keys %all) {
        my $percent = 100 * ($caught{$part} //= 0) / $all{$part};
        printf "%-6s %d of %d caught, %.1f %%; %d more cannot be seen\n", $part,
            $caught{$part}, $all{$part}, $percent, $unseen{$part} // 0;
        next if @only || $percent >= ($promised{$part} // 0);
        print "$promised{$part} % are promised\n";
        $failed = 1;
    }
    return $failed;
}

make_path($folder);
$folder = abs_path($folder);
read_faults();
read_usual();
for_each(\&run_usual, grep { !$usual{$_} } @tests);
read_usual();
read_results();
for_each(\&run_fault, grep { !$results{ $_->{name} } } @faults);
read_results();
exit report();
