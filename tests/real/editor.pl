#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# editor.pl EDITOR FILE: reads a file of node builder entries as a map editor
# does, "slade" or "builder", which is Ultimate Doom Builder and its relatives.
# It is stricter than they are: what they need not expect, another order of
# values too, is a fault.  Prints for each entry, with tabs between, its key,
# its command and the options that it offers.

use strict;
use warnings;

my ($editor, $file) = @ARGV;
open my $stream, '<', $file or die "$file: $!\n";
my $text = do { local $/; <$stream> };
$text =~ s{//[^\n]*}{}g;

my $compiler = $editor eq 'builder' && $text =~ s/^\s*compilers\s*\{\s*
    ([a-z]+)\s*\{\s*interface\s*=\s*"NodesCompiler"\s*;
    \s*program\s*=\s*"[^"\\\n]+"\s*;\s*\}\s*\}//x ? $1 : '';
my $entry = $editor eq 'builder' ? qr/title\s*=\s*"[^"\\\n]+"\s*;
        \s*compiler\s*=\s*"\Q$compiler\E"\s*;
        \s*parameters\s*=\s*"(?=[^"]*%FI)(?=[^"]*%FO)([^"\\\n]+)"\s*;()/x
    : qr/name\s*=\s*"[^"\\\n]+"\s*;
        \s*command\s*=\s*"(?=[^"]*\$f)(?=[^"]*\$o)([^"\\\n]+)"\s*;
        \s*executable\s*=\s*"[^"\\\n]+"\s*;
        ((?:\s*option\s*"--[a-z0-9-]+(?:=[a-z0-9,]+)?"\s*=\s*"[^"]+"\s*;)*)/x;
my %seen;
$text =~ s/^\s*nodebuilders\s*\{// or die "$file: no nodebuilders\n";
while ($text =~ s/^\s*([a-z][a-z0-9_]*)\s*\{\s*$entry\s*\}//) {
    my ($key, $command, $options) = ($1, $2, $3);
    die "$file: $key is there twice\n" if $seen{$key}++;
    my @offered = $options =~ /"(--[^"]*)"/g;
    print join("\t", $key, $command, "@offered"), "\n";
}
$text =~ /^\s*\}\s*\z/ or die "$file: an entry was expected at: ",
    substr($text, 0, 200), "\n";
