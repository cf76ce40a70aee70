# SPDX-License-Identifier: GPL-2.0-or-later
#
# refuse.pl CHECK COMMAND ARGUMENT...: runs a command again and again and
# refuses each of its requests for memory in turn, and then each with all that
# follow.  Fails where a run leaks, leaves something behind or ends in a way
# that CHECK does not allow; see the functions of these names below.  The
# environment says what to preload (PRELOAD), which file is in the folder work
# before (PRESENT), as a copy of which (ORIGINAL), and what is read (INPUT).
# Afterwards work is as it is if nothing is refused.

use strict;
use warnings;

my ($check, @command) = @ARGV;
my ($name) = $command[0] =~ m|([^/]*)$|;
my ($present, $original) = @ENV{qw(PRESENT ORIGINAL)};

sub read_file {
    open(my $file, '<:raw', $_[0]) or return '';
    local $/;
    return scalar(<$file>) // '';
}

sub write_file {
    open(my $file, '>:raw', $_[0]) or die "$_[0]: $!";
    print $file $_[1];
    close $file or die "$_[0]: $!";
}

sub names {
    opendir(my $folder, $_[0]) or die "$_[0]: $!";
    return sort grep { !/^\.\.?$/ } readdir $folder;
}

# What a run has done.
my ($moment, %now, %always);

# Runs the command, and refuses a request, such as 7, or 7- for all that follow.
sub run {
    my ($refused) = @_;
    $moment = "request $refused of @command";
    unlink map { "work/$_" } names('work');
    unlink 'report';
    write_file($present, read_file($original)) if $present;
    my $process = fork // die "fork: $!";
    if ($process == 0) {
        open(STDOUT, '>', 'output') or die;
        open(STDERR, '>', 'errors') or die;
        @ENV{qw(LD_PRELOAD REFUSED_PROGRAM REFUSED REFUSED_REPORT)} =
            ($ENV{PRELOAD}, $name, $refused, 'report');
        exec @command or die "$command[0]: $!";
    }
    waitpid $process, 0;
    %now = (status => $? & 127 ? 128 + ($? & 127) : $? >> 8,
        output => read_file('output'), errors => read_file('errors'));
    ($now{told} = $now{output}) =~ s/.*seconds".*\n//g; # times differ
    $now{files} = {map { $_ => read_file("work/$_") } names('work')};
    @now{qw(requests blocks)} = split ' ', read_file('report');
    fail('a report') unless defined $now{blocks};
}

sub fail {
    my ($expected) = @_;
    print $now{output}, $now{errors};
    print "FAILED: $moment ended with $now{status}; $expected was expected\n";
    exit 1;
}

# --- What a run may end with ---

# The C library does not always say why it cannot load a stage.
sub said_why { return $now{errors} =~ /emory|cannot be loaded: / }

sub as_always {
    my %files = %{$now{files}};
    return $now{status} == $always{status} && $now{told} eq $always{told} &&
        "@{[%files{sort keys %files}]}" eq $always{made};
}

# Commands that only look at files may end at once, with one sentence.
sub ended_at_once {
    return ($command[1] // '') =~ /^(verify|show|diff)$/ &&
        $now{status} == 3 &&
        (() = $now{errors} =~ /^blocksweep: out of memory$/mg) == 1;
}

# All went well, or it was said why not.
sub check_run {
    if (said_why()) {
        fail('1, 2 or 3') if $now{status} !~ /^[123]$/;
    } elsif (!as_always()) {
        fail("what always comes, $always{status}, or a word on memory");
    }
}

# What the builder has started, and wrote to the file left, is gone.
sub check_processes {
    check_run();
    my ($process) = read_file('left') =~ /(\d+)/ or return;
    unlink 'left';
    for (1 .. 30000) {
        return if read_file("/proc/$process/status") !~ /^State:\s+[^XZ]/m;
        select undef, undef, undef, 0.01;
    }
    fail("an end of process $process");
}

# --- What no run may do ---

# What was there may be there still, and a map that failed keeps its lumps;
# nothing else may be in a file.
sub check_files {
    for my $file (sort keys %{$now{files}}) {
        my $bytes = $now{files}{$file};
        next if $bytes eq ($always{files}{$file} // '');
        next if $present && "work/$file" eq $present &&
            $bytes eq read_file($original);
        fail("$file, whole or absent,") if $now{status} != 1;
        my $unpack = $file =~ /\.gz$/ ? 'gzip -dc' : 'cat';
        system("$unpack 'work/$file' >plain.wad");
        my @lists = map {
            `perl '$ENV{SOURCE_DIR}/tests/help/wadtool.pl' list '$_'`
                =~ s/^(\d+ BLOCKMAP) .*/$1/mgr
        } $ENV{INPUT}, 'plain.wad';
        fail("other lumps of $file") if $lists[0] ne $lists[1];
    }
    fail('no temporary file') if names('temporary');
}

sub check_leaks {
    fail("no leak, not $now{blocks} blocks,") if $now{blocks} != 0;
    return unless grep { $_ eq '--json' } @command;
    my ($opened, $closed) = ($now{output} =~ tr/{[//, $now{output} =~ tr/}]//);
    fail('a whole report') if $opened != $closed;
}

run('');
%always = %now;
my %files = %{$now{files}};
$always{made} = "@{[%files{sort keys %files}]}";
check_leaks();
for my $behind ('', '-') {
    for my $request (1 .. $always{requests}) {
        run("$request$behind");
        check_leaks() unless ended_at_once();
        check_files();
        __PACKAGE__->can("check_$check")->();
    }
}
print "$always{requests} requests: $name @command[1 .. $#command]\n";
run('');
