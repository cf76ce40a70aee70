#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# vendor.pl VERSION SOURCES FOLDER FILE.c...: joins the sources of the stage to
# FOLDER/blocksweep.c and blocksweep.h, for programs that carry it in their own
# source.  The files are seen from the folder SOURCES; src/ and plugin/ there
# have the headers.
#
# A file becomes a list of items: what is declared or defined, with the comment
# before it, or a comment alone.  Items that the stage does not need are left
# out, and functions and data become static, so that only blocksweep_describe
# can be seen from outside.

use strict;
use warnings;

use constant WIDTH => 80;

my $root = 'blocksweep_describe';
my ($version, $sources, $folder, @files) = @ARGV;
@files or die "usage: vendor.pl VERSION SOURCES FOLDER FILE.c...\n";

sub read_file {
    my ($path) = @_;
    open my $file, '<', "$sources/$path" or die "$sources/$path: $!\n";
    local $/;
    return scalar <$file>;
}

# --- Files, in the order in which they are needed ---

my (%is_read, %system_headers, @items);

sub find_header {
    my ($name) = @_;
    my ($path) = grep { -e "$sources/$_" } "src/$name", "plugin/$name";
    return $path // die "$name: there is no such header\n";
}

# Returns the text instead of a line that includes a header: nothing, if the
# header is read by itself, before the file, or is to be at the top.
sub include {
    my ($line, $name, $is_conditional) = @_;
    if ($name =~ /^</) {
        $system_headers{$name} = 1 if !$is_conditional;
        return $is_conditional ? $line : '';
    }
    $name =~ tr/"//d;
    return '' if $name eq 'config.h' || $name eq 'nbstage.h';
    my $path = find_header($name);
    my $text = read_file($path);
    if ($text =~ /^#ifndef \w+_H$/m) {
        read_source($path);
        return '';
    }
    $text =~ s{^//.*\n}{}mg; # a table, for the macros before it
    return $text =~ s/^\n+//r;
}

sub read_source {
    my ($path) = @_;
    return if $is_read{$path}++;
    my $text = read_file($path);
    $text =~ s{^// SPDX.*\n}{};
    $text =~ s/^#ifndef (\w+_H)\n#define \1\n(.*)^#endif\n\z/$2/ms;
    $text =~ s/\bPACKAGE_NAME\b/"blocksweep"/g;
    $text =~ s/\bPACKAGE_VERSION\b/"$version"/g;
    $text =~ s/\bnbstage_describe\b/$root/g;
    $text =~ s/^NBSTAGE_EXPORT [^;]*;\n\n//m; # the header declares it
    my $depth = 0;
    my $joined = '';
    for my $line ($text =~ /(.*\n)/g) {
        $depth += ($line =~ /^#if/) - ($line =~ /^#endif/);
        $line = include($line, $1, $depth > 0)
            if $line =~ /^#include (\S+)/;
        $joined .= $line;
    }
    split_items('// ' . '=' x 75 . "\n// $path\n$joined", $path);
}

# --- Items ---

# The code alone: comments and the contents of texts become spaces.
sub blank {
    my ($text) = @_;
    my $blank = sub { $_[0] =~ s/[^\n]/ /gr };
    $text =~ s{(//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')}
              {$blank->($1)}gse;
    return $text;
}

# Whether lines of code are a whole item.
sub is_whole {
    my ($code) = @_;
    return $code !~ /\\\n\z/ if $code =~ /^#(?!if)/;
    return (() = $code =~ /^#if/mg) == (() = $code =~ /^#endif/mg)
        if $code =~ /^#if/;
    return 0 if $code =~ tr/{(// != $code =~ tr/})//;
    return $code =~ ($code =~ /^[A-Z_]+\(/ ? qr/[;)]\s*\z/ : qr/[;}]\s*\z/);
}

sub split_items {
    my ($text, $path) = @_;
    my @lines = $text =~ /(.*\n)/g;
    my @codes = blank($text) =~ /(.*\n)/g;
    my ($item, $is_after_blank) = (undef, 1);
    for my $i (0 .. $#lines) {
        my $is_blank = $lines[$i] !~ /\S/;
        if (!$item || (!$item->{code} && $is_blank)) {
            push @items, $item if $item; # a comment alone
            $item = undef;
            $is_after_blank ||= $is_blank;
            next if $is_blank;
            $item = {text => '', code => '', space => $is_after_blank};
            $is_after_blank = 0;
        }
        $item->{text} .= $lines[$i];
        $item->{code} .= $codes[$i] if $item->{code} || $codes[$i] =~ /\S/;
        if ($item->{code} && is_whole($item->{code})) {
            understand($item, $path);
            push @items, $item;
            $item = undef;
        }
    }
    die "$path: the end of this is not found:\n$item->{text}"
        if $item && $item->{code};
    push @items, $item if $item;
}

# The names that an item gives to something.
sub names {
    my ($item) = @_;
    my $code = $item->{code};
    return $code =~ /^#define (\w+)/mg if $code =~ /^#if/;
    return $1 if $code =~ /^#(?:define|undef) (\w+)/;
    return ("$1", "$1_body") if $code =~ /^VECTOR_FUNCTION\((\w+)/;
    $code =~ s/^#.*(?:\\\n.*)*\n//mg;
    $code =~ s/__attribute__\s*\(\(.*?\)\)//gs;
    return () if $code =~ /^_Static_assert/;
    if ($code !~ /^typedef|^[^(]*[={]/ && $code =~ /(\w+)\s*\(/) {
        $item->{is_function} = 1;
        return $1;
    }
    my @names = map { "struct $_" }
        $code =~ /\b(?:struct|enum)\s+(\w+)\s*[{;]/g;
    push @names, $1 =~ /^\s*(\w+)\s*(?:=[^,]*)?(?:,|\z)/mg
        while $code =~ /\benum\b[^{;=]*\{([^}]*)\}/g;
    $code =~ s/\{.*\}//s;
    $item->{is_data} = $code =~ /^extern\b|^(?!static|typedef)[^=]*=/;
    push @names, $1 if $code !~ /^(?:struct|enum)\s+\w*\s*;/ &&
        $code =~ /(\w+)\s*(?:\[[^=;]*\]\s*)*(?:=|;)/;
    return @names;
}

my (%defined, %place);

sub understand {
    my ($item, $path) = @_;
    my @names = names($item);
    for my $name (@names) {
        push @{$defined{$name}}, $item;
        next if !$item->{is_function} || $item->{code} !~ /\}\s*\z/;
        die "$name is a function in $place{$name} and in $path\n"
            if $place{$name};
        $place{$name} = $path;
    }
    $item->{is_kept} = !@names;
    $item->{names} = \@names;
}

# Keeps items and what they name.
sub keep {
    my @waiting = @_;
    while (my $item = shift @waiting) {
        $item->{is_kept} = 1;
        my %words = map { $_ => 1 } $item->{code} =~ /\b([A-Za-z_]\w*)/g;
        $words{"struct $_"} = 1
            for $item->{code} =~ /\b(?:struct|enum)\s+(\w+)/g;
        $words{"$item->{names}[0]_body"} = 1
            if $item->{code} =~ /^VECTOR_FUNCTION/;
        push @waiting, grep { !$_->{is_kept}++ }
            map { @{$defined{$_} // []} } keys %words;
    }
}

# --- What is written ---

# Wraps the head of a function, which has become longer, as clang-format does.
sub wrap {
    my ($head) = @_;
    $head =~ s/\s+/ /g;
    my $attribute = $head =~ s/ (PRINTF_LIKE.*)// ? "\n    $1" : '';
    my ($type, $name, $parameters) = $head =~ /^(.*?) ?(\**\w+\()(.*)/;
    my ($first, @others) = split /(?<=,) /, $parameters;
    my @lines;
    for my $between (' ', "\n") {
        @lines = split /\n/, "$type$between$name$first";
        my $indent = ' ' x index $lines[-1], $first;
        for my $other (@others) {
            if (length("$lines[-1] $other") <= WIDTH) {
                $lines[-1] .= " $other";
            } else {
                push @lines, "$indent$other";
            }
        }
        last if !grep { length > WIDTH } @lines;
    }
    return join("\n", @lines) . $attribute;
}

sub make_static {
    my ($item) = @_;
    my $text = $item->{text};
    if ($item->{is_data}) {
        $text =~ s/^(?:extern\s+)?(?!\/\/)/static /m;
    } elsif ($item->{is_function} && $item->{code} !~ /\bstatic\b/ &&
        $item->{code} !~ /^VECTOR_BODY\b/ && $item->{names}[0] ne $root) {
        $text =~ s{^((?://.*\n)*)([^;\{]*(?:;|[^;\{\s]))}
                  {$1 . wrap("static $2")}e;
    }
    return $text;
}

# What goes into blocksweep.c: items that are kept, and comments above such
# items in the same section, or at the top of a file that has any.
sub choose {
    my ($is_needed, $is_file_needed, @chosen);
    for my $item (reverse @items) {
        my $is_file = $item->{text} =~ m{^// ==};
        my $is_section = $item->{text} =~ m{^// --} || $is_file;
        my $is_kept = $item->{is_kept} ||
            (!$item->{code} && ($is_file ? $is_file_needed : $is_needed));
        unshift @chosen, $item if $is_kept;
        $is_needed = ($is_needed || $is_kept) && !$is_section;
        $is_file_needed = ($is_file_needed || $is_kept) && !$is_file;
    }
    return @chosen;
}

sub write_file {
    my ($name, $text) = @_;
    open my $file, '>', "$folder/$name" or die "$folder/$name: $!\n";
    print $file $text;
    close $file or die "$folder/$name: $!\n";
}

read_source($_) for @files;
keep(grep { $_->{is_kept} } @items);
keep(@{$defined{$root} // die "there is no $root\n"});

my $text = join '', map { ($_->{space} ? "\n" : '') . make_static($_) } choose();
my $includes = join "\n", map { "#include $_" } sort keys %system_headers;
write_file('blocksweep.c', <<"END" . $text);
// SPDX-License-Identifier: GPL-2.0-or-later
//
// blocksweep $version in one file: what blocksweep.h declares, as `make vendor`
// has joined it from the files named below.  A program that has it in it can be
// given to others under the GNU GPL, version 2 or later, see
// <https://gnu.org/licenses/old-licenses/gpl-2.0.html>.
//
// Compile it as C11.  It needs zlib; if you define BLOCKSWEEP_NO_ZLIB it does
// not, and refuses compressed lumps.

#include "blocksweep.h"

$includes
END
my $interface = read_file('plugin/nbstage.h');
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
