#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that `make check-maps` holds the lumps of all presets, in all formats,
# against the oracle: sound ones pass, and where a command loses an entry, each
# is named, and no other.  Nothing that cannot be held passes in silence.

. "$SOURCE_DIR/tests/help/library.sh"
need_json

# check STATUS COMMAND PLACE: checks what a command builds.
check() {
    expect "$1" env JOBS=2 "$BUILD_DIR/run" \
        perl "$SOURCE_DIR/tests/real/check-maps.pl" "$2" \
        "$BUILD_DIR/tests/real/hold-lists" "$3"
}

# --- What is sound ---

mkdir -p "it's one/deep" two forms
cp "$sample" "it's one/deep/\"A\".WaD"
write_room
{ linedef 0 1; words 1 2 1 0 999 0 65535; linedef 2 3; linedef 3 0; } >TAGGED
make_room two/tagged.wad LINEDEFS TAGGED
gzip two/tagged.wad
expect 0 env MAKEFLAGS= JOBS=2 "${MAKE:-make}" -s -C "$BUILD_DIR" check-maps \
    MAPS="\"$folder/it's one\" '$folder/two/tagged.wad.gz'"
expect_line "2 WADs, 4 maps, 16 lumps: 0 missing and 0 extra entries" "faults: 0"
expect_in output " 4 linedefs left out"

# --- A command that loses an entry of each lump ---

wadtool empty "$sample" empty.wad
make_wad convert empty.wad forms/one.wad MAP01=doom MAP07=hexen MAP30=udmf \
    MAP01=doom64

# The list of a block begins one word late; what is lost is noted.
make_program lossy <<'END'
blocksweep "$@" || exit
exec perl -we '
    my ($preset, $path) = ($ARGV[2] =~ s/.*=//r, $ARGV[4]);
    open my $file, "+<:raw", $path or die;
    my $wad = do { local $/; <$file> };
    my ($count, $at) = unpack "x4V2", $wad;
    open my $notes, ">>", "lost" or die;
    my $map = "";
    for (unpack "(a16)$count", substr $wad, $at) {
        my ($position, $size, $name) = unpack "V2Z8", $_;
        $map = $name if $name =~ /^MAP/;
        next if $name ne "BLOCKMAP";
        my @words = unpack "v*", substr $wad, $position, $size;
        for my $block (0 .. $words[2] * $words[3] - 1) {
            my $begin = $words[4 + $block] + ($preset ne "vanilla");
            my $lost = $words[$begin];
            next if $lost == 0 || $lost == 0xFFFF;
            print $notes "$map, $preset: missing, block $block, linedef $lost\n";
            substr $wad, $position + 8 + 2 * $block, 2,
                pack "v", $words[4 + $block] + 1;
            last;
        }
    }
    seek $file, 0, 0;
    print $file $wad;' -- "$@"
END
check 1 ./lossy forms
sed -n 's|^forms/one.wad: \(.*: missing, \)|\1|p' output | sort >named
sort lost >expected
diff expected named || fail_showing output "the lost entries were expected"
expect_count 16 named
expect_match output '^1 WADs, 4 maps, 16 lumps: 16 missing and ' "^faults: 16"

# --- Entries of the room, one by one ---

# lump WORD...: prints one without headers, as hold-lists.c reads it.
lump() {
    echo "lump none $((2 * $#))"
    words "$@"
}
{
    echo "map 4"
    words 0 0 0 0 0 0 0 100 0 0
    words 0 0 0 100 0 200 0 100 0 0
    words 0 200 0 100 0 200 0 0 0 0
    words 0 200 0 0 0 0 0 0 0 0
    lump 0 0 2 1 6 10 0 1 2 65535 2 3 65535
    lump 0 0 2 1 6 99 0 1 3 65535
} >room-and-lumps
expect 0 "$BUILD_DIR/tests/real/hold-lists" <room-and-lumps
expect_text output "missing 0 3
missing 1 1
extra 0 2
held 2 0 1 0 0 10 13 0
unreadable 1
held 0 0 0 1 0 99 10 1"

# --- What cannot be held ---

echo "no WAD" >forms/bad.wad
: >EMPTY
{ room MAP01; room MAP02 | replacing LINEDEFS EMPTY; } >recipe
wadtool make PWAD forms/one.wad <recipe
check 0 blocksweep forms
expect_match output '^forms/bad.wad: refused: not a WAD file' \
    '^forms/one.wad: MAP02: refused: LINEDEFS: the lump is empty'
expect_line "1 WADs, 1 maps, 4 lumps: 0 missing and 0 extra entries" \
    "refused: 1 files, 4 lumps"
check 1 blocksweep forms/bad.wad
make_program crashing <<'END'
kill -SEGV $$
END
check 1 ./crashing forms/one.wad
expect_match output '^forms/one.wad: small: .* signal 11' "^faults: 4"
check 2 blocksweep nowhere
