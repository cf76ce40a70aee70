#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves when the lists of the old lump are used with --builder: only if every
# linedef is as it was, and never with lists=lump, however that is set.

. "$SOURCE_DIR/tests/help/library.sh"
need perl

# Changes the maps of a file in place: all in Doom format, or all in UDMF.
cat >change.pl <<'END'
use strict;
my ($change, $file) = @ARGV;
open my $wad, "+<:raw", $file or die;
read $wad, my $bytes, -s $file;
my ($count, $at) = unpack "x4 V V", $bytes;
for my $i (0 .. $count - 1) {
    my ($place, $size, $name) = unpack "V V Z8", substr $bytes, $at + 16 * $i;
    my $old = substr $bytes, $place, $size;
    my @linedefs = unpack "(a14)*", $old if $name eq "LINEDEFS";
    my @vertices = unpack "(a4)*", $old if $name eq "VERTEXES";
    if ($change eq "order") {
        $old = join "", reverse @linedefs if @linedefs;
        my @blocks = $old =~ /^linedef\b.*?^\}\s/gms;
        $old =~ s/^linedef\b.*?^\}\s/pop @blocks/gmse if $name eq "TEXTMAP";
    } elsif ($change eq "text" && $name eq "TEXTMAP") {
        $old =~ s/\n/\t/g;
    } elsif ($change eq "field" && $name eq "TEXTMAP") {
        $old =~ s/^(linedef\b[^}]*?\b)id = 0/${1}zz = 7/ms;
    } elsif ($change eq "tag" && $name eq "TEXTMAP") {
        $old =~ s/^(linedef\b[^}]*?\bid = )0/${1}7/ms;
    } elsif ($change eq "arg" && $name eq "TEXTMAP") {
        $old =~ s/^(linedef\b[^}]*?\b)id = 0/${1}arg0=7/ms;
    } elsif ($change eq "special" && $name eq "TEXTMAP") {
        $old =~ s/^(linedef\b[^}]*?\bspecial = )\d/${1}9/ms;
    } elsif ($change eq "vertex" && @vertices) {
        my ($x, $y) = unpack "s<2", $vertices[@vertices / 2];
        substr $old, 4 * int(@vertices / 2), 4, pack "s<2", $x + 3, $y + 3;
    } elsif ($change eq "special" && @linedefs) {
        substr $old, 14 * $#linedefs + 6, 2, pack "v", 46;
    } elsif ($change eq "flags" && @linedefs) {
        substr $old, 4, 1, chr(1 ^ ord substr $old, 4, 1);
    } elsif ($change eq "sector" && $name eq "SIDEDEFS") {
        substr $old, 28, 2, pack "v", 1 ^ unpack "v", substr $old, 28, 2;
    } elsif ($change eq "sides" && $name eq "SIDEDEFS") {
        $old = join "", reverse unpack "(a30)*", $old;
    }
    length $old == $size or die;
    seek $wad, $place, 0;
    print $wad $old;
}
END

# A builder that makes a change, and blockmaps that are right.
make_program builder <<'END'
unset NBSTAGE_OPTIONS
cp "$2" changed.wad
[ "$1" = none ] || perl change.pl "$1" changed.wad
exec "$BUILD_DIR/run" blocksweep --quiet --grid=keep changed.wad -o "$3"
END

# expect_kept COUNT: so many of the three maps have kept the old lump.
expect_kept() {
    expect_count "$1" output '"kept": true'
}

# expect_all_listed: out.wad has no missing entry, nor an extra one.
expect_all_listed() {
    expect 0 blocksweep verify --strict out.wad
}

# build CHANGE ARGUMENT...: builds old.wad into out.wad with that builder.
build() {
    command="./builder $1 {in} {out}"
    shift
    expect 0 blocksweep --json --builder="$command" "$@" old.wad -o out.wad
}

# Old lumps, of which two are smaller, as they list no inert line.
maps="MAP01 MAP07 MAP30"
expect_build --preset=small --prune=inert --grid=keep "$sample" -o pruned.wad
for form in doom udmf; do
    # shellcheck disable=SC2046,SC2086 # words
    make_wad convert pruned.wad old.wad $(printf "%s=$form " $maps)
    # In UDMF, a special of Doom's may move any sector.
    [ $form = doom ] || perl -0777 -pi -e \
        's/(special = )(\d+)/"${1}0" . " " x (length($2) - 1)/ge' old.wad
    expect 1 blocksweep verify --strict old.wad

    # The same linedefs.
    for change in none text; do
        build "$change" --preset=repack
        expect_kept 2
        for map in MAP01 MAP30; do
            wadtool extract old.wad $map/BLOCKMAP >old-lump
            expect_lump out.wad $map/BLOCKMAP old-lump
        done
    done

    # Others, or in another order.
    changes="order special tag arg field"
    [ $form = udmf ] || changes="order vertex special flags sector sides"
    for change in $changes; do
        build "$change" --preset=repack
        expect_kept 0
        expect_all_listed
    done

    # The lists of the builder.
    for change in none $changes; do
        build "$change" --lists=lump
        expect_all_listed
        NBSTAGE_OPTIONS=lists=lump build "$change"
        expect_all_listed
        NBSTAGE_OPTIONS=pack=nest,lists=lump,grid=keep build "$change" \
            --preset=repack
        expect_all_listed
    done
    NBSTAGE_OPTIONS=lists=lump build none --lists=exact --preset=repack
    expect_kept 2

    # A builder as it is, which numbers vertices anew and adds some.
    has zdbsp || continue
    expect 0 blocksweep --json --builder=zdbsp --preset=repack old.wad \
        -o out.wad
    expect_kept 2
    [ $form = doom ] || continue # it makes no BLOCKMAP of text
    NBSTAGE_OPTIONS=lists=lump expect 0 blocksweep --quiet --builder=zdbsp \
        old.wad -o out.wad
    expect_sentence "lacks solid entries (1), which --lists=lump keeps so"
    expect 0 zdbsp -o nodes.wad old.wad
    expect 0 blocksweep --quiet --lists=lump nodes.wad -o expected.wad
    expect_same out.wad expected.wad
done
