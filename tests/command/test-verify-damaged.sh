#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that verify has something to say about each of 80 damaged lumps, with
# LONG in the environment 1,000 (bits flipped, cut off, offsets swapped and moved,
# words replaced, ends removed), with every finding named; that its counts and what
# it says of each engine family are those of plain readers, which are told no more
# than what lists begin with; and that it names what it counts: the first 20 and the
# first 10,000 facts by block, harmless ones apart from others.

. "$SOURCE_DIR/tests/help/library.sh"
need_json

seed=${SEED:-1}
echo "SEED=$seed"
count=16
[ -z "${LONG-}" ] || count=200

# read_report: reads a report in JSON from standard input.  Writes the files
#   found       of each map what tests/help/judge prints; the name alone if its
#               lists cannot be compared
#   headers     what the lists of each map begin with
#   miscounted  maps of which other facts are named than are counted
read_report() {
    perl -I"$SOURCE_DIR/tests/help" -MJSON::PP -MVerdicts -e '
        my ($short, $count) = "";
        my $lists = "missing|extra|unreadable";
        while (<STDIN>) { # long arrays become their lengths
            if (!defined $count) {
                $count = 0 if s/^( *"($lists)": )\[$/$1/;
                s/^( *"($lists)": )\[\]/${1}0/;
                $short .= $_;
            } elsif (/^ *\](,?)$/) {
                $short .= "$count$1\n";
                $count = undef;
            } else {
                $count++ if index($_, "\"linedef\": ") >= 0 ||
                    index($_, "\"offset\": ") >= 0;
            }
        }
        my %file;
        for (qw(found headers miscounted)) {
            open($file{$_}, ">", $_) or die "$_: $!";
        }
        my $most = 10000;
        sub least { $_[0] < $most ? $_[0] : $most }
        my @maps = @{decode_json($short)->{files}[0]{maps}};
        open my $names, "<", "names" or die "names: $!";
        chomp(my @names = <$names>);
        for my $map (@maps) {
            my $name = $map->{map};
            my @verdicts = Verdicts::of_map($map, @names);
            print {$file{headers}} "$name $map->{headers}\n";
            my @words = $name;
            if ($map->{status} ne "failed") {
                my $told = $map->{form} ne "empty" && !$map->{fault};
                my $outside = $map->{outside_entries};
                $map->{missing_entries} -= $outside;
                push @words, $told ? $map->{$_} : "-"
                    for qw(missing_entries outside_entries extra_entries
                        unreadable_blocks);
                push @words, @verdicts;
                print {$file{miscounted}} "$name\n"
                    if $map->{missing} !=
                        least($map->{missing_entries} + $outside) ||
                    $map->{extra} != least($map->{extra_entries});
            }
            print {$file{found}} "@words\n";
        }'
}

# Linedefs that block are never inert, so none of these may be missing.
wadtool list "$sample" | while read -r number name _; do
    wadtool extract "$sample" "$number" >"lump-$number"
    [ "$name" != LINEDEFS ] || perl -0777 -i -ne '
        print map { pack("S<7", @$_[0, 1], 1 | $$_[2], @$_[3 .. 6]) }
            map { [unpack "S<7"] } unpack "(a14)*"' "lump-$number"
    echo "$name $folder/lump-$number"
done | wadtool make PWAD solid.wad

"$BUILD_DIR/tests/help/judge" >names
for options in "--pack=share" "--pack=nest" "--pack=nest --for=crispy" \
    "--pack=share --for=boom" "--for=woof-dev --format=xbm1"; do
    # shellcheck disable=SC2086 # words
    expect_build $options solid.wad -o whole.wad
    make_wad damage whole.wad $count "$seed" damaged.wad
    # The report on 200 maps has 50 MB.
    {
        status=0
        blocksweep verify --verbose --json damaged.wad 2>sentences || status=$?
        echo $status >status
    } | read_report
    expect_text status 1
    expect_text miscounted ""
    "$BUILD_DIR/tests/help/judge" damaged.wad headers >expected
    expect_count $count found

    # Of those that cannot be compared there is a sentence.
    awk 'NF == 1 { print $1 }' found >failed
    while read -r map; do
        expect_in sentences "damaged.wad: $map: BLOCKMAP: "
    done <failed
    awk 'NR == FNR { if (NF > 1) is_there[$1] = 1; next } $1 in is_there' \
        found expected >expected-others
    awk 'NF > 1' found | diff expected-others - ||
        fail "$options: '<' is what plain readers say, '>' what verify does"
    compared=$(grep -cv ' - ' expected-others)
    echo "$options: the lists of $compared lumps were compared"
    [ "$compared" -ge $((count * 3 / 4)) ] ||
        fail "too few lumps were compared: $compared"
done

# repeat COUNT NUMBER...: prints the words so many times over.
repeat() {
    perl -e 'my $count = shift; print pack("S<*", @ARGV) x $count' "$@"
}

# judge STATUS LUMP OPTION...: verifies the room with this lump.
judge() {
    make_room in.wad BLOCKMAP "$2"
    expected_status=$1
    shift 2
    expect "$expected_status" blocksweep verify "$@" in.wad
    expect_no_errors
}

# expect_named COUNT KIND FIRST LAST: so many are named, by block: "missing",
# "extra", or "outside" for those that are missing outside the grid.
expect_named() {
    kind=$2
    ending=
    case $kind in
    missing) ending=': .*' ;;
    outside) kind=missing ending=', outside the grid: .*' ;;
    esac
    sed -n "s/^ *$kind linedef [0-9]* in block \([-0-9]*\),\([-0-9]*\) \
at [-0-9,]*[0-9]$ending\$/\1 \2/p" output >blocks
    expect_count "$1" blocks
    sort -s -n -k 2,2 -k 1,1 blocks | cmp - blocks ||
        fail "$2: facts were expected by block"
    sed -n '1p; $p' blocks | expect_text - "$3
$4"
}

# expect_more COUNT: more than were named, so many times in the report.
expect_more() {
    sed -n 's/^ *\.\.\. and \([0-9]*\) more$/\1/p' output >cut-off
    expect_text cut-off "$(printf '%s\n' "$@")"
}

# --- Many facts ---

# 60 linedefs from west to east, each in 200 blocks of another row.
write_room
perl -e 'print pack("S<4", 0, 384 * $_, 25599, 384 * $_) for 0 .. 59' >VERTEXES
perl -e 'print pack("S<7", 2 * $_, 2 * $_ + 1, 1, 0, 0, 0, 65535)
    for 0 .. 59' >LINEDEFS

# No block has any.  The 10,000th fact is in row 3 * 49.
{ words 0 0 200 180; repeat 36000 36004; words 0 65535; } >none
judge 1 none
# Some games find linedef 0 before each list.
expect_count 40 output "^ *linedef .*: players along 25599.0 units"
expect_more 39 40
judge 1 none --verbose
expect_named 10000 missing "0 0" "199 147"
expect_more 2000
# All but the last linedef may be missing, as they bound triangles of a sector
# without room: they do not hide it.
cp LINEDEFS all-matter
cp VERTEXES all-vertices
perl -e 'print map { pack "s<2 a8 a8 a8 S<", 0, 0, ("-") x 3, $_ } 0, 1' \
    >SIDEDEFS
perl -e 'print map { pack "s<2 a8 a8 s< S<2", 0, $_, ("-") x 2, 0, 0, 0 } 128, 0' \
    >SECTORS
perl -e 'print map { pack "S<6", 0, 384 * $_, 25599, 384 * $_, 12800,
    384 * $_ + 1 } 0 .. 58; print pack "S<4", 0, 384 * 59, 25599, 384 * 59' \
    >VERTEXES
perl -e 'for my $at (map { 3 * $_ } 0 .. 58) {
        print pack "S<7", $at + $$_[0], $at + $$_[1], 1, 0, 0, 1, 65535
            for [1, 0], [0, 2], [2, 1];
    }
    print pack "S<7", 177, 178, 1, 0, 0, 0, 65535' >LINEDEFS
judge 1 none --prune=none --svg=hidden.svg
expect_count 2 output "^ *linedef "
expect_count 2 output "^ *linedef 177, .*: players along 25599.0 units"
expect_more
expect_match hidden.svg '<path id="players"[^>]* d="M0 22656L25599 22656'
mv all-matter LINEDEFS
mv all-vertices VERTEXES

# Every block has all of them: in row 0 each has 59 that are not in it.
# shellcheck disable=SC2046 # words
{ words 0 0 200 180; repeat 36000 36004; words 0 $(seq 0 59) 65535; } >all
judge 0 all --verbose
expect_named 10000 extra "0 0" "169 0"
expect_more $((36000 * 60 - 12000 - 10000))

# A grid that has only the last row but two with a linedef in it.
{ words 0 22272 200 1; repeat 200 204; words 0 65535; } >row
judge 1 row --verbose
expect_named 10000 outside "0 -174" "199 -27"
expect_more 2000

# 300 linedefs that every second block lists, and many pieces to be measured.
perl -e 'for my $i (0 .. 299) {
        print pack "S<4", 10 * $i, 7 * $i, 25000 - 10 * $i, 20000 - 30 * $i;
    }' >VERTEXES
perl -e 'print pack("S<7", 2 * $_, 2 * $_ + 1, 1, 0, 0, 0, 65535)
    for 0 .. 299' >LINEDEFS
perl -e 'my $end = 4 + 200 * 160;
    print pack "S<*", 0, 0, 200, 160,
        (map { my $row = $_; map { ($row + $_) % 2 ? $end : $end + 302 }
            0 .. 199 } 0 .. 159),
        0, 0 .. 299, 65535, 0, 65535' >checkered
judge 1 checkered
expect_match output "players can cross at most 300 walls"
expect 1 blocksweep verify --json in.wad
expect_match output '"at_most": true'
