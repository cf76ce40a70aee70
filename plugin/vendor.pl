#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# vendor.pl VERSION SOURCES FOLDER FILE.c...: joins the sources of the stage to
# FOLDER/blocksweep.c and blocksweep.h, for programs that carry it in their own
# source.  The files are seen from the folder SOURCES; src/ there has the headers,
# include/ the interface.
#
# The first file has the root and is joined last.  Of the others those are joined
# that define what a file before needs, each after the headers that it includes.
# Functions and data become static, so that only blocksweep_describe can be seen
# from outside.

use strict;
use warnings;

my $root = 'blocksweep_describe';
my ($version, $sources, $folder, @files) = @ARGV;
@files or die "usage: vendor.pl VERSION SOURCES FOLDER FILE.c...\n";

sub read_file {
    my ($path) = @_;
    open my $file, '<', "$sources/$path" or die "$sources/$path: $!\n";
    local $/;
    return scalar <$file>;
}

# Files that define a function or data that one before them names.
sub find_needed {
    my %texts = map { $_ => read_file($_) } @files;
    my (%needed, %definer);
    for my $path (@files) {
        $definer{$1} = $path
            while $texts{$path} =~ /^(?!static|\w+;)\w[^\n;=]*?\b(\w+)(?:\(|\[)/mg;
    }
    my @waiting = $files[0];
    while (my $path = shift @waiting) {
        next if $needed{$path}++;
        push @waiting, grep { $_ } map { $definer{$_} } $texts{$path} =~ /\w+/g;
    }
    my ($first, @others) = grep { $needed{$_} } @files;
    return @others, $first;
}

my (%is_read, %system_headers);

# Returns what takes the place of a line that includes a header: the header, if
# it was not read before, or nothing, if it is to be at the top.
sub include {
    my ($line, $name, $is_conditional) = @_;
    if ($name =~ /^</) {
        $system_headers{$name} = 1 if !$is_conditional;
        return $is_conditional ? $line : '';
    }
    $name =~ tr/"//d;
    return '' if $name eq 'config.h' || $name eq 'nbstage.h';
    -e "$sources/src/$name" or die "src/$name: there is no such header\n";
    return join_file("src/$name");
}

# Makes static what begins at the left margin, which is a function or data, but
# for labels; in a line of its own where the line would be too long.
sub make_static {
    my ($line) = @_;
    return '' if $line =~ /^extern .*\[\]/; # what uses it follows it
    return $line if $line !~ /^[a-z]/ || $line =~ /\b$root\b/ ||
        $line =~ /^(?:static|typedef)\b|^(?:struct|enum) ?\w* ?[{;]|^\w+:$/;
    $line =~ s/^extern //;
    return (length $line > 74 ? "static\n" : 'static ') . $line;
}

sub join_file {
    my ($path) = @_;
    my $text = read_file($path);
    my $is_table = $path =~ /h$/ && $text !~ /^#ifndef \w+_H$/m;
    return '' if $is_read{$path}++ && !$is_table;
    $text =~ s{^// SPDX.*\n}{};
    $text =~ s/^#ifndef (\w+_H)\n#define \1\n(.*)^#endif\n\z/$2/ms;
    $text =~ s/\bPACKAGE_NAME\b/"blocksweep"/g;
    $text =~ s/\bPACKAGE_VERSION\b/"$version"/g;
    $text =~ s/\bnbstage_describe\b/$root/g;
    $text =~ s/^NBSTAGE_EXPORT [^;]*;\n\n//m; # the header declares it
    my ($depth, $before, $joined) = (0, '', '');
    for my $line ($text =~ /(.*\n)/g) {
        $depth += ($line =~ /^#if/) - ($line =~ /^#endif/);
        $joined .= $line =~ /^#include (\S+)/ ? include($line, $1, $depth > 0)
            : $before =~ /^[a-z][\w *]*$/ ? $line # whose type is before it
            : make_static($line);
        $before = $line;
    }
    return $joined if $is_table;
    return '// ' . '=' x 75 . "\n// $path\n$joined\n";
}

sub write_file {
    my ($name, $text) = @_;
    open my $file, '>', "$folder/$name" or die "$folder/$name: $!\n";
    print $file $text;
    close $file or die "$folder/$name: $!\n";
}

my $text = join '', map { join_file($_) } find_needed();
my $includes = join "\n", map { "#include $_" } sort keys %system_headers;
write_file('blocksweep.c', <<"END" . $text);
// SPDX-License-Identifier: GPL-2.0-or-later
//
// blocksweep $version in one file: what blocksweep.h declares, as `make vendor`
// has joined it from the files named below.  A program that has it in it can be
// given to others under the GNU GPL, version 2 or later, see
// <https://gnu.org/licenses/old-licenses/gpl-2.0.html>.
//
// It is C11: -std=c11, gnu11 or later.  It needs zlib; if you define
// BLOCKSWEEP_NO_ZLIB it does not, and cannot check compressed nodes.

#if !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L
#error "blocksweep.c is C11: compile it with -std=c11"
#endif

#include "blocksweep.h"

$includes

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" // other programs use them
#endif
END
my $interface = read_file('include/nbstage.h');
$interface =~ s{^/\* SPDX.*\n}{};
write_file('blocksweep.h', <<"END");
/* SPDX-License-Identifier: 0BSD */
/*
 * blocksweep.h - blocksweep $version as a part of your program
 *
 * Add blocksweep.c to your sources; vendored-host.c is an example.  Below is
 * nbstage.h, the interface of the stage: blocksweep_describe is its
 * nbstage_describe, under a name that no other stage has.
 */
#ifndef BLOCKSWEEP_H
#define BLOCKSWEEP_H

$interface
#ifdef __cplusplus
extern "C" {
#endif

/* Returns the stage, or NULL if it does not know this version of the interface:
   call it with NBSTAGE_ABI. */
const struct nbstage_descriptor *NBSTAGE_CALL blocksweep_describe(uint32_t abi);

#ifdef __cplusplus
}
#endif

#endif
END
