#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# plant.pl COUNT HEADER LIST FILE...
#
# Plants COUNT faults in C files, in proportion to their lines.  Each fault is
# a choice at run time between the expression and a wrong one, so that one
# build has them all; see planted.h, which is HEADER.  Writes to LIST, a line
# each: number, place, name.  The name of a fault has no line number, so that
# it outlives edits of other lines.
#
# Clang's syntax tree tells where expressions begin and end.  Left alone are
# what comes from a macro or a header, what has to be constant, and calls of
# free(), which no user would miss.  The choice looks random, but depends on
# nothing but the names: each file takes kinds of fault by turns.

use strict;
use warnings;
use Digest::MD5 qw(md5_hex);

my $seed = 1;
my @clang = (qw(clang -std=c11 -fsyntax-only -w -D_GNU_SOURCE),
    map({ "-I$_" } qw(. src plugin host kit host/picture)),
    qw(-Xclang -ast-dump=json));
my %turned = qw(< >= >= < > <= <= > == != != ==);
my %off_by_one = qw(< <= <= < > >= >= >);
my %sign = qw(+ - - + += -= -= +=);
my %condition = qw(&& || || &&);

@ARGV > 3 or die "usage: plant.pl COUNT HEADER LIST FILE...\n";
my ($count, $header, $list, @files) = @ARGV;

my ($file, $text, $function); # those at hand
my %found;                    # lists of faults by file

sub read_file {
    open my $in, '<', $_[0] or die "plant.pl: $_[0]: $!\n";
    local $/;
    return scalar <$in>;
}

# Reads one declaration of the tree, whose lines have one value each.
sub parse {
    my @open = ({});
    for (@_) {
        if (/^\s*(?:"(\w+)": )?([{\[])$/) {
            my $new = $2 eq '{' ? {} : [];
            ref $open[-1] eq 'HASH'
                ? $open[-1]{ $1 // 'top' } = $new
                : push @{ $open[-1] }, $new;
            push @open, $new;
        } elsif (/^\s*"(\w+)": "?(.*?)"?,?$/) {
            $open[-1]{$1} = $2 eq '{}' ? {} : $2;
        } elsif (/^\s*[}\]],?$/) {
            pop @open;
        }
    }
    return $open[0]{top};
}

# Where a token begins and ends; a macro without parameters is one, too.
sub place_of {
    my ($at) = @_;
    my $is_macro = $at->{expansionLoc};
    $at = $is_macro if $is_macro;
    return if !$at->{tokLen} || $at->{includedFrom};
    return if $at->{isMacroArgExpansion};
    my $end = $at->{offset} + $at->{tokLen};
    return if $is_macro && substr($text, $end, 50) =~ /^\s*\(/;
    return ($at->{offset}, $end);
}

# Where an expression begins and ends.
sub extent {
    my ($node) = @_;
    my ($begin) = place_of($node->{range}{begin});
    my ($last, $end) = place_of($node->{range}{end});
    return unless defined $begin && defined $end && $begin < $end;
    return ($begin, $end);
}

sub text_of {
    my ($begin, $end) = extent($_[0]);
    return defined $end ? substr($text, $begin, $end - $begin) : undef;
}

sub line_of {
    my ($begin) = extent($_[0]);
    my $before = substr($text, 0, $begin) =~ /([^\n]*)\z/ ? $1 : "";
    my $after = substr($text, $begin) =~ /^([^\n]*)/ ? $1 : "";
    return "$before$after" =~ s{^\s+|\s*//.*}{}gr;
}

sub offer {
    my ($node, $kind, $wrong, $change, $what) = @_;
    my ($begin, $end) = extent($node);
    my $right = substr($text, $begin, $end - $begin);
    return if "$right$wrong" =~ m{//|/\*|^#}m;
    my $void = $kind eq 'call' ? '(void)' : '';
    (my $name = $what // $right) =~ s/\s+/ /g;
    $name =~ s/^(.{60}).*/$1.../;
    s/\s*\n\s*/ /g for $wrong;
    push @{ $found{$file} }, {
        file => $file, begin => $begin, end => $end, kind => $kind,
        name => "$file $function: $name: $change",
        choice => ["($void(", $wrong, ") : $void(", $right, '))']};
}

# An operator's operands, if nothing but it stands between them.
sub operands {
    my ($node) = @_;
    my ($left, $right) = @{ $node->{inner} };
    my ($begin, $left_end) = extent($left) or return;
    my ($right_begin, $end) = extent($right) or return;
    my ($whole_begin, $whole_end) = extent($node) or return;
    return unless $whole_begin == $begin && $whole_end == $end;
    return unless $left_end < $right_begin;
    my $between = substr($text, $left_end, $right_begin - $left_end);
    return unless $between =~ /^\s*\Q$node->{opcode}\E\s*$/;
    return (text_of($left), text_of($right));
}

sub type_of { return $_[0]{type}{desugaredQualType} // $_[0]{type}{qualType} }

sub offer_operator {
    my ($node) = @_;
    my ($left, $right) = operands($node) or return;
    my $operator = $node->{opcode};
    for (['turned', \%turned], ['bound', \%off_by_one], ['sign', \%sign],
        ['condition', \%condition]) {
        my ($kind, $changes) = @$_;
        my $wrong = $changes->{$operator} or next;
        next if $kind eq 'sign' &&
            (grep { type_of($_) =~ /\*/ } @{ $node->{inner} }) > 1;
        next if $operator eq '+' && type_of($node->{inner}[1]) =~ /\*/;
        offer($node, $kind, "$left $wrong $right", "$operator to $wrong");
    }
}

sub offer_call {
    my ($node, $is_statement) = @_;
    my $call = text_of($node) // return;
    return if $call =~ /^(?:free|__builtin\w*)\s*\(|^\w+$/;
    offer($node, 'call', '0', 'left out') if $is_statement;
    # Either order does for these.
    return if $call =~ /^(?:mem|strn?)cmp\s*\(|^\w*(?:alloc|resize).*sizeof/s;
    my @arguments = @{ $node->{inner} };
    my ($begin) = extent($node);
    for my $i (1 .. $#arguments - 1) {
        my ($this, $next) = @arguments[ $i, $i + 1 ];
        my ($this_begin, $this_end) = extent($this) or next;
        my ($next_begin, $next_end) = extent($next) or next;
        next if type_of($this) ne type_of($next);
        next if text_of($this) eq text_of($next);
        my $wrong = $call;
        substr($wrong, $this_begin - $begin, $next_end - $this_begin) =
            text_of($next) .
            substr($text, $this_end, $next_begin - $this_end) .
            text_of($this);
        my $second = $i + 1;
        offer($node, 'swap', $wrong, "arguments $i and $second swapped");
    }
}

sub offer_return {
    my ($value) = @_;
    my $type = $value->{type}{qualType};
    my $returned = text_of($value) // return;
    return if $type =~ /\*/ || $type =~ /^struct / || $returned =~ /^-?\w+$/ &&
        $returned =~ /^-?[A-Z0-9]|^(?:true|false)$/;
    offer($value, 'return', '0', 'returned as 0');
}

# The child of a statement that is a statement, not a value.
sub is_statement {
    my ($parent, $index) = @_;
    my $kind = $parent->{kind};
    return 1 if $kind eq 'CompoundStmt';
    return $index > 0 if $kind eq 'IfStmt';
    return $index == $#{ $parent->{inner} }
        if $kind =~ /^(?:For|While|Case|Default)Stmt$/;
    return 0;
}

sub visit {
    my ($node, $is_statement) = @_;
    my $kind = $node->{kind} // return;
    return if $kind =~ /^(?:UnaryExprOrTypeTrait|Offset|Constant)/;
    return if $kind =~ /Decl$/ && $kind ne 'VarDecl' && $kind ne 'FunctionDecl';
    return if ($node->{storageClass} // '') eq 'static' && $kind eq 'VarDecl';
    return if ($node->{castKind} // '') eq 'NullToPointer';
    my @inner = @{ $node->{inner} // [] };
    my $own = text_of($node) // '';
    if ($kind eq 'BinaryOperator' || $kind eq 'CompoundAssignOperator') {
        offer_operator($node);
    } elsif ($kind eq 'UnaryOperator' && $own =~ /^([!-])[^-]/) {
        my $wrong = ($1 eq '!' ? '!!' : '') . text_of($inner[0]);
        offer($node, $1 eq '!' ? 'condition' : 'sign', $wrong, "$1 dropped");
    } elsif ($kind eq 'IntegerLiteral' && $own =~ /^\d/) {
        offer($node, 'constant', "$own + 1", "$own + 1", line_of($node));
    } elsif ($kind eq 'CallExpr') {
        offer_call($node, $is_statement);
    } elsif ($kind eq 'ReturnStmt' && @inner) {
        offer_return($inner[0]);
    }
    $kind = $kind eq 'CStyleCastExpr' && ($node->{castKind} // '') eq 'ToVoid';
    visit($inner[$_], is_statement($node, $_) || $kind && $is_statement)
        for 0 .. $#inner;
}

sub find_faults {
    ($file) = @_;
    $text = read_file($file);
    open my $tree, '-|', @clang, $file or die "plant.pl: clang: $!\n";
    my @lines;
    while (my $line = <$tree>) {
        @lines = () if $line eq "    {\n";
        push @lines, $line;
        next unless $line =~ /^    \},?$/;
        next unless ($lines[2] // '') =~ /"FunctionDecl"/;
        my $declaration = parse(@lines);
        next if $declaration->{loc}{includedFrom} || !$declaration->{inner};
        $function = $declaration->{name};
        visit($declaration, 0);
    }
    close $tree or die "plant.pl: clang cannot read $file\n";
    my %times;
    for (@{ $found{$file} }) {
        my $time = ++$times{ $_->{name} };
        $_->{name} .= " (time $time)" if $time > 1;
        $_->{rank} = md5_hex("$seed $_->{name}");
    }
}

# Chooses so many faults of a file that do not overlap.
sub choose {
    my ($file, $wanted) = @_;
    my (%by_kind, @chosen);
    push @{ $by_kind{ $_->{kind} } }, $_
        for sort { $a->{rank} cmp $b->{rank} } @{ $found{$file} // [] };
    my @kinds = sort { md5_hex("$seed $file $a") cmp md5_hex("$seed $file $b") }
        keys %by_kind;
    while (@kinds && @chosen < $wanted) {
        my $kind = shift @kinds;
        while (my $fault = shift @{ $by_kind{$kind} }) {
            next if grep { $_->{begin} < $fault->{end} &&
                $fault->{begin} < $_->{end} } @chosen;
            push @chosen, $fault;
            push @kinds, $kind;
            last;
        }
    }
    return sort { $a->{begin} <=> $b->{begin} } @chosen;
}

my %lines;
my $line_count = 0;
for my $path (@files) {
    find_faults($path);
    $line_count += $lines{$path} = ($text =~ tr/\n//);
}
my ($number, $lines_before) = (0, 0);
my $declarations = read_file($header);
open my $out, '>', $list or die "plant.pl: $list: $!\n";
for my $path (sort @files) {
    my $before = int($lines_before * $count / $line_count);
    $lines_before += $lines{$path};
    my $wanted = int($lines_before * $count / $line_count) - $before;
    my @chosen = choose($path, $wanted) or next;
    my $source = read_file($path);
    for my $fault (@chosen) {
        my $line = 1 + (substr($source, 0, $fault->{begin}) =~ tr/\n//);
        $fault->{number} = $number++;
        print $out "$fault->{number}\t$path:$line\t$fault->{name}\n";
    }
    for (reverse @chosen) {
        my ($open, @choice) = @{ $_->{choice} };
        $open =~ s/^\(/(planted($_->{number}) ? /;
        substr($source, $_->{begin}, $_->{end} - $_->{begin}) =
            join '', $open, @choice;
    }
    open my $planted, '>', $path or die "plant.pl: $path: $!\n";
    print $planted $declarations, "#line 1 \"$path\"\n", $source;
    close $planted or die "plant.pl: $path: $!\n";
}
close $out or die "plant.pl: $list: $!\n";
$number <= 4096 or die "plant.pl: planted.h has room for 4,096 faults\n";
