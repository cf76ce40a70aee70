#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run-test.pl TEST...: runs a test as each has to be run, wherever this is: with
# the usual signals, nothing on its standard input, new files for all to read,
# and messages in English.  A test that hangs, and does not end within
# TEST_SECONDS, 3600 where nothing else is said, is killed with all that it has
# started, and what was still running is printed.  Last come how long it took,
# its processor time, which depends less on what else runs, and, if it failed,
# how to run it again: by the target RUN_AGAIN, if the environment has one.

use strict;
use warnings;
use POSIX qw(:signal_h :unistd_h);

# Time::HiRes is not in the smallest perl.
sub ticks { return (POSIX::times())[0] }

my $limit = $ENV{TEST_SECONDS} || 3600;
my $begin = ticks();
$| = 1;

my $test = fork;
die "run-test.pl: no new process: $!\n" unless defined $test;
if (!$test) {
    POSIX::setsid();
    $SIG{$_} = 'DEFAULT' for grep { !/^(KILL|STOP|NUM\d+)$/ } keys %SIG;
    sigprocmask(SIG_SETMASK, POSIX::SigSet->new);
    open STDIN, '<', '/dev/null' or die "run-test.pl: /dev/null: $!\n";
    umask 022;
    $ENV{LC_ALL} = 'C';
    exec @ARGV or die "run-test.pl: $ARGV[0]: $!\n";
}

# The processes of the test's session, and those of other sessions that one of
# them has started.
sub running {
    my (%parent, %name, %found);
    for my $folder (glob '/proc/[0-9]*') {
        open my $stat, '<', "$folder/stat" or next;
        my ($state, $parent, $session) =
            (<$stat> // '') =~ /\) (\S) (\S+) \S+ (\S+)/ or next;
        next if $state eq 'Z';
        my ($process) = $folder =~ /(\d+)/;
        $parent{$process} = $parent;
        $found{$process} = 1 if $session == $test;
        open my $words, '<', "$folder/cmdline" or next;
        ($name{$process} = <$words> // '') =~ tr/\0/ /;
    }
    for my $process (keys %parent) {
        my $above = $process;
        $above = $parent{$above} while $above && !$found{$above};
        $found{$process} = 1 if $above;
    }
    return map { [ $_, $name{$_} // '' ] } sort { $a <=> $b } keys %found;
}

sub stop {
    kill KILL => map { $_->[0] } running;
    kill KILL => -$test, $test;
}

my $late;
$SIG{ALRM} = sub {
    $late = join '', map { "    $_->[1]\n" } running;
    stop;
};
for my $signal (qw(HUP INT TERM)) {
    next if ($SIG{$signal} // '') eq 'IGNORE';
    $SIG{$signal} = sub { stop; exit 99 };
}
alarm $limit;
waitpid $test, 0;
my $status = $?;
alarm 0;
kill KILL => map { $_->[0] } running;

print "FAILED: it was expected to end within $limit s; these were running:\n",
    $late if defined $late;
print "FAILED: signal ", $status & 127, " has ended it\n"
    if $status & 127 && !defined $late;
my $second = POSIX::sysconf(_SC_CLK_TCK);
my (undef, undef, undef, $user, $system) = POSIX::times();
printf "took %.1f s, and %.1f s of processor time\n",
    (ticks() - $begin) / $second, ($user + $system) / $second;
my $exit = $status & 127 ? 1 : $status >> 8;
# Without the folder of the source, which may be another one.
my $name = $ARGV[-1] =~ s{.*/(?=(?:tests/\w+|packaging)/[^/]+$)}{}r;
my $target = $ENV{RUN_AGAIN} // "check TESTS=$name VERBOSE=1";
print "to run it again: make -C $ENV{BUILD_DIR} $target\n"
    if $exit && $exit != 77;
exit $exit;
