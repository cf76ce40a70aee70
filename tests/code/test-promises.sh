#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that tests/README.md says of each sentence of SECURITY.md, README.md and
# NEWS which tests hold what it promises, or that it promises nothing; that each
# row is about one sentence; and that its tests are in the suite, and its targets in
# CONTRIBUTING.md or packaging/README.md.

. "$SOURCE_DIR/tests/help/library.sh"

is_sanitized && skip "sanitizers leave tests out of the suite"

# find_faults FOLDER: prints what is wrong with the table there.  The names of
# all tests are in the file suite.
find_faults() {
    perl - "$1" suite <<'END'
use strict;
use warnings;

my ($folder, $suite) = @ARGV;
my %places;    # of each document, [section, sentence]
my @documents = qw(SECURITY.md README.md NEWS);

sub lines_of {
    open my $file, "<", $_[0] or die "$_[0]: $!\n";
    chomp(my @lines = <$file>);
    return @lines;
}

my %is_test = map { m{([^/]+?)(?:\.sh)?$}; $1 => 1 } lines_of($suite);
my $targets = join "\n", map { lines_of($_) }
    "$folder/CONTRIBUTING.md", "$ENV{SOURCE_DIR}/packaging/README.md";

# Prints those of the tests in a text that there are not; returns how many it
# names.
sub count_tests {
    my ($place, $text) = @_;
    my @tests = $text =~ /\b(test-[a-z0-9-]+)/g;
    my @paths = $text =~ m{\btests/[\w/-]+[.](?:sh|c)\b}g;
    my @commands = $text =~ /`((?:make|\.\/bootstrap) [a-z-]+)/g;
    $is_test{$_} or print "$place: $_ is not in the suite\n" for @tests;
    -e "$ENV{SOURCE_DIR}/$_" or print "$place: there is no $_\n" for @paths;
    $targets =~ /`\Q$_\E\b/ or print "$place: no document has $_\n"
        for @commands;
    return @tests + @commands;
}

# The sentences of a document.  Code is left to test-documents, and a table
# whose head ends with "test" names the tests of each row itself.
for my $document (@documents) {
    my ($section, $text, $is_own, @lines) = ("", "", 0);
    my $end = sub {
        push @{$places{$document}}, map { [$section, $_] }
            grep { /\w/ } split /(?<=[.;?!])[*]* /, $text;
        $text = "";
    };
    @lines = lines_of("$folder/$document");
    for my $i (0 .. $#lines) {
        my $line = $lines[$i];
        my $is_heading = $document eq "NEWS" ? $line =~ /^[A-Z0-9].*[^.]$/
            : $line =~ s/^#+ //;
        next if $document ne "NEWS" && $line =~ /^ {4}/;
        $end->() if $is_heading || $line =~ /^ *([*-] |\||$)/;
        $section = $line, next if $is_heading;
        if ($line =~ /^\|/) {
            my $next = $lines[$i + 1] // "";
            $is_own = $line =~ /\| test \|$/ if $next =~ /^\|--/;
            next if $line =~ /^\|--/ || $next =~ /^\|--/;
            if ($is_own) {
                count_tests("$document: $line", $line) or
                    print "$document: no test holds: $line\n";
                next;
            }
            push @{$places{$document}}, [$section, $line];
            next;
        }
        $line =~ s/^ *(?:[*-] )? *//;
        $text .= $text eq "" ? $line : " $line";
        $text =~ s/ +/ /g;
    }
    $end->();
}

# The rows: words of one sentence, or the heading of a section.
my ($document, %rows) = ("");
for my $line (lines_of("$folder/tests/README.md")) {
    $document = $1, next if $line =~ /^## (.*)/;
    my ($words, $tests) = $line =~ /^\| (.*) \| (.*) \|$/ or next;
    next if $words eq "words";
    my $place = "tests/README.md: $document: '$words'";
    my @found = grep {
        $words eq "# $_->[0]" || index($_->[1], $words) >= 0
    } @{$places{$document} // []};
    print "$place is in ", @found ? "several sentences" : "no sentence", "\n"
        if @found == 0 || @found > 1 && $words !~ /^# /;
    $rows{$_} .= "\n    $words" for @found;
    $tests eq "-" or count_tests($place, $tests) or
        print "$place has neither a test nor '-'\n";
}

for my $document (@documents) {
    for (@{$places{$document}}) {
        my @words = split /\n/, $rows{$_} // "";
        print "$document, $_->[0]: no row of tests/README.md is about: $_->[1]\n"
            if !@words;
        print "$document, $_->[0]: several rows are about: $_->[1]\n" if @words > 2;
    }
}
END
}

# expect_planted FAULT FILE EXPRESSION: with the file changed so in a copy, this
# fault is found.
expect_planted() {
    cp "copy/$2" kept
    sed -i "$3" "copy/$2"
    ! cmp -s "copy/$2" kept || fail "$3 changes nothing in $2"
    find_faults copy >found
    expect_in found "$1"
    mv kept "copy/$2"
}

# shellcheck disable=SC2016 # for make
printf 'suite:\n\t@printf "%%s\\n" $(ALL_TESTS) $(ARTIFACT_CHECKS)\n' >suite.mk
make_in "$BUILD_DIR" -f Makefile -f "$folder/suite.mk" suite
mv output suite
[ "$(wc -l <suite)" -gt 100 ] || fail_showing suite "more tests were expected"
expect_silent find_faults "$SOURCE_DIR"
expect_count 0 "$SOURCE_DIR/tests/README.md" '.\{101\}'

# --- Faults are found ---

mkdir -p copy/tests
for file in SECURITY.md README.md NEWS CONTRIBUTING.md tests/README.md; do
    cat "$SOURCE_DIR/$file" >copy/$file
done
expect_planted "no row of tests/README.md is about: A crash" \
    tests/README.md '/never leaves a half-written/d'
expect_planted "'never leaves a half-written file' is in no sentence" \
    README.md 's/half-written/broken/'
expect_planted "test-killer is not in the suite" \
    tests/README.md 's/test-killed/test-killer/'
expect_planted "no document has make check-engine" \
    tests/README.md 's/make check-engines/make check-engine/'
expect_planted "no row of tests/README.md is about: It flies." \
    NEWS 's/^  \* SLADE/  * It flies.\n&/'
expect_planted "no test holds: | When" \
    SECURITY.md 's/`tests[^ ]*out-of-memory.sh`/none/'
