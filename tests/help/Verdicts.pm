# SPDX-License-Identifier: GPL-2.0-or-later
#
# What verify's report in JSON says of a map to each engine of the model.

package Verdicts;

use strict;
use warnings;

# Returns the names of engines in a row of the model: "A, B (LEVEL)" has
# "A (LEVEL)" and "B (LEVEL)".
sub names_of {
    my ($row) = @_;
    my $level = $row =~ s/( \(.*\))$// ? $1 : "";
    return map { "$_$level" } split /, /, $row;
}

# Returns the verdicts on a map in the order of the model's rows.  Where solid
# linedefs are missing that nothing can cross, games may differ: the model says
# "wrong".
sub of_map {
    my ($map, @rows) = @_;
    my %found;
    for my $group (@{$map->{groups}}) {
        my $word = $group->{verdict};
        $word = "wrong" if $word eq "loads" && $group->{solid_entries};
        die "$map->{map}: an engine is in two groups\n"
            if grep { exists $found{$_} } @{$group->{engines}};
        @found{@{$group->{engines}}} = ($word) x @{$group->{engines}};
    }
    my @verdicts;
    for my $row (@rows) {
        my %words = map { (delete $found{$_} // "none") => 1 } names_of($row);
        die "$map->{map}: $row: not one verdict\n" if keys %words != 1;
        push @verdicts, keys %words;
    }
    die "$map->{map}: more engines: @{[keys %found]}\n" if %found;
    return @verdicts;
}

1;
