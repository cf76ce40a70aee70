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
my $text = do {
    local $/;
    open my $stream, '<', $file or die "$file: $!\n";
    <$stream>;
};
$text =~ s{//[^\n]*}{}g;

# Takes away what the text begins with; returns what is captured.
sub take {
    my ($pattern, $from) = @_;
    $$from =~ s/^\s*$pattern// or die "$file: $pattern was expected at: ",
        substr($$from, 0, 60), "\n";
    return $1;
}

sub take_value {
    my ($name, $from) = @_;
    return take("$name\\s*=\\s*\"([^\"\\\\\\n]+)\"\\s*;", $from);
}

my $compiler = '';
if ($editor eq 'builder') {
    take('compilers\s*\{', \$text);
    $compiler = take('([a-z]+)\s*\{', \$text);
    take_value('interface', \$text) eq 'NodesCompiler'
        or die "$file: no node builder\n";
    take_value('program', \$text);
    take('\}\s*\}', \$text);
}
my ($title, $more, $command, @places) = $editor eq 'builder'
    ? ('title', 'compiler', 'parameters', '%FI', '%FO')
    : ('name', '', 'command', '$f', '$o');
my %seen;
take('nodebuilders\s*\{', \$text);
while ($text !~ /^\s*\}\s*\z/) {
    my $key = take('([a-z][a-z0-9_]*)\s*\{', \$text);
    die "$file: $key is there twice\n" if $seen{$key}++;
    take_value($title, \$text);
    !$more || take_value($more, \$text) eq $compiler
        or die "$file: no compiler of $key\n";
    my $line = take_value($command, \$text);
    take_value('executable', \$text) if !$more;
    index($line, $_) >= 0 or die "$file: no $_ in $line\n" for @places;
    my @options;
    push @options, take('option\s*"(--[a-z0-9-]+(?:=[a-z0-9,]+)?)"', \$text) .
        take('\s*=\s*"[^"]+"\s*;()', \$text)
        while $text =~ /^\s*option/;
    take('\}', \$text);
    print join("\t", $key, $line, "@options"), "\n";
}
