# SPDX-License-Identifier: GPL-2.0-or-later
#
# kill.pl MOMENTS CHECK COMMAND...: runs a command again and again, ends it by a
# signal as it enters one of its system calls, and looks at what is in the folder
# work then, by the function of CHECK's name.  MOMENTS is the number of a signal,
# for each call in turn, until the command ends by itself; or words such as
# "15@7", for signal 15 at call 7.  Before each run work/map.wad is as before.wad
# and work/old.wad as the file old; built.wad is what the command makes of it.
# All of this is in one process, as processes are what so many runs cost.

use strict;
use warnings;

my ($moments, $check, @command) = @ARGV;
my $tracer = "$ENV{BUILD_DIR}/tests/command/signal-at";

sub read_file {
    open(my $file, '<:raw', $_[0]) or return undef;
    local $/;
    return scalar(<$file>) // '';
}

sub write_file {
    open(my $file, '>:raw', $_[0]) or die "$_[0]: $!";
    print $file $_[1];
    close $file or die "$_[0]: $!";
}

my %text = map { $_ => read_file($_) // die "$_: $!" }
    qw(before.wad built.wad old);
my ($moment, $call, %now, @with_temporary);

sub fail {
    print read_file('output') // '', read_file('errors') // '';
    print "FAILED: $moment: @_\n";
    exit 1;
}

sub names {
    opendir(my $folder, 'work') or die "work: $!";
    return grep { !/^\.\.?$/ } readdir $folder;
}

# Runs the command; returns its status as a shell tells it.
sub run {
    my ($signal) = @_;
    $moment = "signal $signal at call $call";
    unlink map { "work/$_" } names();
    write_file('work/map.wad', $text{'before.wad'});
    write_file('work/old.wad', $text{old});
    my $process = fork // die "fork: $!";
    if ($process == 0) {
        open(STDOUT, '>', 'output') or die;
        open(STDERR, '>', 'errors') or die;
        exec $tracer, $signal, $call, @command or die "$tracer: $!";
    }
    waitpid $process, 0;
    my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    exit 77 if $status == 77;
    %now = map { $_ => read_file("work/$_") } names();
    return $status;
}

# --- What may be left ---

sub expect_file {
    my ($name, @allowed) = @_;
    my $found = $now{$name} // fail("$name is gone");
    grep { $found eq $text{$_} } @allowed or
        fail("$name was expected to be like @allowed");
}

sub expect_names {
    my %allowed = map { $_ => 1 } @_;
    my @others = grep { !$allowed{$_} } sort keys %now;
    fail("@others is left; only @_ was expected") if @others;
}

sub backup {
    expect_file('map.wad', 'before.wad', 'built.wad');
    expect_file('map.wad~', 'before.wad')
        if defined $now{'map.wad~'} || $now{'map.wad'} ne $text{'before.wad'};
    expect_file('old.wad', 'old');
}

# The calls at which a temporary file is there.
sub find_temporary {
    backup();
    push @with_temporary, $call if grep { /^\.blocksweep\./ } keys %now;
}

sub clean_backup {
    backup();
    expect_names(qw(map.wad map.wad~ old.wad));
}

sub clean_output {
    expect_file('old.wad', 'old', 'built.wad');
    expect_file('map.wad', 'before.wad');
    expect_names(qw(map.wad old.wad));
}

# Between files, too.
sub both {
    expect_names(qw(map.wad old.wad before.wad built.wad));
    expect_file($_, 'built.wad')
        for grep { defined $now{$_} } qw(before.wad built.wad);
}

mkdir 'work';
my $look = __PACKAGE__->can($check) or die "$check: no such check";
if ($moments =~ /@/) {
    for (split ' ', $moments) {
        (my $signal, $call) = split /@/;
        my $status = run($signal);
        fail("the command ended with $status") if $status != 128 + $signal;
        $look->();
    }
    exit;
}
for ($call = 1;; $call++) {
    my $status = run($moments);
    $look->();
    next if $status == 128 + $moments;
    fail("the command ended with $status") if $status != 0;
    last;
}
fail("no signal has ended the command") if $call == 1;
write_file('with-temporary', join '', map { "$_\n" } @with_temporary)
    if @with_temporary;
print "$call moments: signal $moments, @command\n";
