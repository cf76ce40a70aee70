# SPDX-License-Identifier: GPL-2.0-or-later
#
# For test-declared-files.sh, in a folder with the files m.room, s.room and
# b.room: runs as many command lines as told, each in a folder with other files
# and links, and has its own idea of what a command may do.  SEED repeats a
# run.

use strict;
use warnings;
use File::Basename;
use Cwd;

my $seed = $ENV{SEED} // time ^ $$;
my ($refused, $failed, $home) = (0, 0, getcwd);
srand $seed;

sub pick { return $_[rand @_] }

sub read_file {
    open my $file, "<:raw", $_[0] or return undef;
    local $/;
    return <$file> // "";
}

# What the command makes of these bytes alone.
my %built;

sub built {
    my ($bytes) = @_;
    return $built{$bytes} if $built{$bytes};
    open my $file, ">:raw", "$home/alone" or die;
    print $file $bytes;
    close $file;
    system("blocksweep", "-q", "$home/alone", "-o", "$home/alone.built") == 0
        or die "a room cannot be built";
    return $built{$bytes} = read_file("$home/alone.built");
}

# --- Files ---

my @names = ("m.wad", "s.wad", "m.wad~", "l.wad", map { ("dd/$_", "ee/$_") }
    "m.wad", "s.wad", "m.wad~", "l.wad");

# Every name is a file, a link of either kind, or nothing.
sub make_files {
    chdir $home;
    system "rm -rf work; mkdir -p work/dd work/ee; ln -s dd work/near";
    chdir "work";
    my $number = 0;
    for my $name (@names) {
        my $kind = int rand 10;
        my $other = pick(@names);
        if ($kind < 5) {
            my $bytes = read_file("$home/" . pick("m", "s", "b") . ".room");
            # What no lump has tells the files apart, until they are built.
            open my $file, ">:raw", $name or die;
            print $file $bytes, $number++;
            close $file;
        } elsif ($kind < 6) {
            link $other, $name if -f $other && !-l $other;
        } elsif ($kind < 8) {
            $other = "../$other" if $name =~ m,/,;
            symlink $other, $name;
        }
    }
}

# All names of the folder, with the bytes of files and the targets of links.
sub look {
    return map {
        my $name = $_;
        $name => -l $name ? "link " . readlink $name : read_file($name)
    } grep { -l || -f } map { glob "$_/{*,.b*}" } ".", "dd", "ee";
}

# The name that a path leads to, with its folder by number: there may be no
# file.
sub place {
    my ($path) = @_;
    for (1 .. 20) {
        my ($name, $at) = fileparse($path);
        return (stat $at)[1] . "/$name" if !-l $path && -d $at;
        $path = readlink($path) =~ m,^/, ? readlink $path : $at . readlink $path
            if -l $path;
    }
    return "nowhere " . rand; # links that lead to each other
}

# What is read or written there: a file that is there by its number.
sub identity {
    my ($path) = @_;
    return -e $path ? (stat _)[1] : place($path);
}

# The path of the backup of what has this place.
sub backup_of {
    my ($folder, $name) = split m,/,, $_[0];
    return map { "$_/$name~" } grep { (stat)[1] eq $folder } ".", "dd", "ee";
}

# --- Commands ---

sub spell {
    my ($path) = @_;
    $path =~ s,^dd/,near/, if rand() < 0.3;
    return pick("", "", "./", "ee/../") . $path;
}

# Whether two files of different jobs, or of one where that is wrong, are one.
sub is_refused {
    my ($in_folder, $standard_output, @jobs) = @_;
    for my $one (@jobs) {
        return 1 if grep { defined $_ && $_ eq $standard_output }
            @$one{"input", "output", "backup"};
        return 1 if $in_folder && $one->{input} eq $one->{output} &&
            defined $one->{bytes};
        my $backup = $one->{backup};
        return 1 if defined $backup && $one->{input} ne $one->{output} &&
            $one->{input} eq $backup && ($in_folder || defined $one->{bytes});
        for my $other (grep { $_ != $one } @jobs) {
            return 1 if $one->{output} eq $other->{output} ||
                $one->{output} eq $other->{input} ||
                defined $backup && grep { defined $_ && $_ eq $backup }
                @$other{"input", "output", "backup"};
        }
    }
    return 0;
}

sub run_one {
    make_files();
    my $mode = pick("--in-place", "--in-place", "dd", "near/.", "ee", ".", "-o");
    my @inputs = map { spell(pick(@names)) }
        1 .. ($mode eq "-o" ? 1 : pick(1, 2, 2, 3));
    my $output = $mode eq "-o" ? spell(pick(@names)) : $mode;
    my $with_backup = rand() < 0.5;
    my $in_folder = $mode !~ /^-/;
    my @jobs = map {
        my $target =
            $mode eq "--in-place" ? $_
            : $in_folder ? "$mode/" . basename($_)
            : $output;
        my $place = place($target);
        my ($backup) = $with_backup ? backup_of($place) : ();
        {
            input => identity($_),
            output => identity($target),
            place => $place,
            backup => !defined $backup ? undef
                : (lstat $backup)[1] // "$place~",
            # Neither a link to nothing nor a link in a backup's place is
            # replaced.
            works => -f $_ && (!-l $target || -f $target) &&
                !(defined $backup && -f $target && -l $backup),
            bytes => read_file($_),
            old => read_file($target),
        }
    } @inputs;
    # Standard input and output, too, may be such a file.
    my ($from, $to) = ("", "");
    if ($mode eq "-o" && -f $inputs[0] && rand() < 0.3) {
        $from = "<$inputs[0]";
        @inputs = ("-");
    }
    my $appended = pick(@names);
    $to = ">>$appended" if -f $appended && rand() < 0.2;
    my $is_refused =
        is_refused($in_folder, $to ? identity($appended) : "", @jobs);
    my $works = !grep { !$_->{works} } @jobs;
    my %before = look();
    my @words = ($with_backup ? "--backup" : (),
        $mode eq "--in-place" ? $mode : ("-o", $output), @inputs, $from);
    my $before_it = `ls -liR . 2>&1`;
    my $said = qx(blocksweep -q @words 2>&1 $to);
    my $status = $? >> 8;
    my %after = look();

    # What each name should have now, by its place.
    my %expected = map { dirname_place($_) => $before{$_} } keys %before;
    for my $job ($is_refused ? () : grep { $_->{works} } @jobs) {
        $expected{"$job->{place}~"} = $job->{old}
            if $with_backup && defined $job->{old};
        $expected{$job->{place}} = built($job->{bytes});
    }
    my %found = map { dirname_place($_) => $after{$_} } keys %after;
    my @wrong = grep { ($expected{$_} // "") ne ($found{$_} // "") }
        sort keys %{{%expected, %found}};
    my $expected_status = $is_refused ? 2 : $works ? 0 : 3;
    $refused += $is_refused;
    $failed += !$is_refused && !$works;
    return if !@wrong && $status == $expected_status;
    print "$before_it\nblocksweep @words $to\n${said}status $status, ",
        "$expected_status expected; other bytes: @wrong\nSEED=$seed\n";
    exit 1;
}

# The place of a name itself, not of what it leads to.
sub dirname_place {
    my ($name, $at) = fileparse($_[0]);
    return (stat $at)[1] . "/$name";
}

my $count = shift;
run_one() for 1 .. $count;
print "$count commands: $refused refused, $failed failed; SEED=$seed\n";
exit($refused == 0 || $refused + $failed == $count);
