#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves when the lists of the old lump are used with --builder: only if each
# linedef of the map has the ends that it had, and never with lists=lump, however
# that is set.

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
    if ($change eq "order") {
        $old = join "", reverse @linedefs if @linedefs;
        my @blocks = $old =~ /^linedef\b.*?^\}\s/gms;
        $old =~ s/^linedef\b.*?^\}\s/pop @blocks/gmse if $name eq "TEXTMAP";
    } elsif ($change eq "flat" && @linedefs) {
        substr $old, 2, 2, substr $old, 0, 2;
    } elsif ($change eq "fewer" && @linedefs) {
        $old = substr $old, 14;
        substr $bytes, $at + 16 * $i + 4, 4, pack "V", length $old;
    }
    substr $bytes, $place, length $old, $old;
}
seek $wad, 0, 0;
print $wad $bytes;
END

# A builder that makes a change, and blockmaps that are right.
make_program builder <<'END'
cp "$2" changed.wad
[ "$1" = none ] || perl change.pl "$1" changed.wad
exec "$BUILD_DIR/run" blocksweep --quiet --grid=keep changed.wad -o "$3"
END

# expect_kept COUNT: so many of the three maps have kept the old lump.
expect_kept() {
    expect_count "$1" output '"kept": true'
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

    # The lists of the builder.
    for change in none order; do
        build $change --lists=lump
        [ $change = none ] || expect_not_in output unreadable_blocks
        expect_listed out.wad
        build $change --plugin=blocksweep,lists=lump
        expect_listed out.wad
        build $change --plugin=blocksweep,pack=nest,lists=lump,grid=keep \
            --preset=repack
        expect_listed out.wad
    done

    # Of a text only the grid is used.
    if [ $form = udmf ]; then
        build none --preset=repack
        expect_kept 0
        expect_listed out.wad
        continue
    fi

    # The same linedefs.
    build none --preset=repack
    expect_kept 2
    for map in MAP01 MAP30; do
        wadtool extract old.wad $map/BLOCKMAP >old-lump
        expect_lump out.wad $map/BLOCKMAP old-lump
    done
    build none --plugin=blocksweep,lists=lump --lists=exact --preset=repack
    expect_kept 2

    # As many others, and fewer, without one of no length.
    cp old.wad whole.wad
    for change in order fewer; do
        [ $change = order ] || perl change.pl flat old.wad
        build $change --preset=repack
        expect_no_errors
        expect_kept 0
        expect_listed out.wad
    done
    mv whole.wad old.wad

    # A builder as it is, which numbers vertices anew and adds some.
    has zdbsp || continue
    expect 0 blocksweep --json --builder=zdbsp --preset=repack old.wad \
        -o out.wad
    expect_kept 2
    expect 0 blocksweep --builder=zdbsp --plugin=blocksweep,lists=lump \
        old.wad -o out.wad
    expect_in errors "out of sync: a different grid in" \
        "lacks solid entries (1), which --lists=lump does not add"
    expect 0 zdbsp -o nodes.wad old.wad
    expect 0 blocksweep --quiet --lists=lump nodes.wad -o expected.wad
    expect_same out.wad expected.wad
done
