#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that names of maps, lumps and files, which have every byte and controls
# of terminals and of the direction of writing in them, get out of the command as
# printable text only, from every command and in every form of a report, in the C
# locale and in one of UTF-8; and that JSON has each name.  What is printable is
# what Perl's tables of Unicode say.

. "$SOURCE_DIR/tests/help/library.sh"
need_json
write_room
write_segs
cp room-blockmap BLOCKMAP

# As printf and wadtool take them; last come characters of UTF-8, and what only
# looks like some: surrogates, and more bytes or a larger number than there are.
{
    for byte in $(seq 1 96) $(seq 123 255); do
        printf 'N\\%03o\n' "$byte"
    done
    cat <<'NAMES'
N\033[31M
N\302\200
N\302\233
N\330\234
N\342\200\216
N\342\200\250
N\342\200\256
N\342\201\246
N\303\251
N\342\202\254
N\360\235\204\236
N\355\240\200
N\300\212
N\360\202\202\233
N\364\220\200\200
NAMES
} >names
mkdir files
# for_each_name: copies a recipe, but its first line, behind each of the names.
for_each_name() {
    cat >recipe
    awk 'NR == FNR { line[NR] = $0; next }
        { print; for (i = 2; i in line; i++) print line[i] }' recipe names
}
room MARKER | for_each_name >good
room MARKER | grep -vE '^(BLOCKMAP|SEGS|SSECTORS|NODES) ' | for_each_name >bare
room MARKER | without LINEDEFS | for_each_name >bad
sed "s|\$| $folder/THINGS|" names >lumps
grep -vxF 'N\057' names | sed 's/$/.wad/' >paths
make_room one.wad
for kind in good bare bad; do
    wadtool make PWAD $kind.wad <$kind
done
# Lumps that reach outside the file.
{ room MAP01; cat lumps; } | wadtool make PWAD cut.wad
perl -e '
    my ($path, $last) = @ARGV;
    open my $file, "+<:raw", $path or die;
    read $file, my $header, 12;
    for (11 .. $last) {
        seek $file, unpack("x8 V", $header) + 16 * $_ + 4, 0;
        print $file pack("V", 1000000);
    }' cut.wad $((10 + $(wc -l <lumps)))
perl -ne 'chomp; s/\\([0-7]{3})/chr oct $1/ge; s/\A/files\//;
    link "one.wad", $_ or die "$_: $!"' paths
{ echo 'cat printed'; echo 'exit 1'; } | make_program builder
perl -pe 's/\\([0-7]{3})/chr oct $1/ge; s/\n/\r\n\t/' names >printed

# keep FILE...: these are to be looked at with all others of the locale, as each
# look starts a Perl.
kept=0
keep() {
    kept=$((kept + 1))
    cat "$@" >"printed-$kept"
}

# expect_printable LOCALE FILE...
expect_printable() {
    perl -MEncode=decode -e '
        my $locale = shift;
        for my $path (@ARGV) {
            open my $file, "<:raw", $path or die;
            my $text = join "", <$file>;
            $text = decode("UTF-8", $text, 1) if $locale ne "C";
            my $bad = $locale eq "C" ? qr/[^\n\t -~]/
                : qr/(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/;
            die sprintf "%s has U+%04X\n", $path, ord $& if $text =~ $bad;
        }' "$@" || fail "$locale: what is printed is not printable"
}

# run STATUS ARGUMENT...
run() {
    wanted=$1
    shift
    expect "$wanted" as_built env LC_ALL="$locale" blocksweep "$@"
    keep output
    keep errors
}

# expect_named: the report has these names; bytes that are no UTF-8 are
# taken for Latin-1.
expect_named() {
    perl -MJSON::PP -MEncode=decode -e '
        my @maps = @{decode_json(join "", <STDIN>)->{files}[0]{maps}};
        my @found = map { $_->{map} } @maps;
        for (split /\n/, shift) {
            s/\\([0-7]{3})/chr oct $1/ge;
            my ($bytes, $text) = ($_, "");
            while ($bytes ne "") {
                $text .= decode("UTF-8", $bytes, Encode::FB_QUIET);
                $text .= $1 if $bytes =~ s/^(.)//s;
            }
            my $name = shift @found;
            die "$_ is not in the report\n" if $name ne $text;
        }' "$(cat names)" <output || fail "JSON was expected to have all names"
}

for locale in C C.UTF-8; do
    for kind in good bare bad; do
        status=0
        [ $kind != bad ] || status=1
        run $status $kind.wad -o out.wad
        run $status verify -v $kind.wad
        run $status show $kind.wad
        run 1 diff $kind.wad one.wad
    done
    run 0 --json good.wad -o out.wad
    expect_named
    run 1 verify --json bad.wad
    expect_named
    run 0 cut.wad -o out.wad
    run 0 verify cut.wad
    run 0 show cut.wad
    run 0 verify files/*
    run 3 verify "gone/$(printf 'N\033[31M\302\205\233').wad"
    run 1 -B './builder {in} {out}' one.wad -o out.wad
    # Text stays as it is where it is shown.
    run 0 show "-m$(printf 'N\303\251')" good.wad
    case $locale in
    C) expect_match output '^N?: ' ;;
    *) expect_match output "^$(printf 'N\303\251'): " ;;
    esac
    for name in '\033[31M' '\302\233' '\342\200\256' '\233'; do
        # shellcheck disable=SC2059 # the bytes are the format
        word=$(printf "$name")
        for option in "--$word" "--grid=$word" "--map=$word" "-B$word" \
            "-p$word" "-T$word"; do
            run 2 one.wad -o out.wad "$option"
        done
        run 3 one.wad -o "gone/$word/out.wad"
        rm -f out.svg out.html
        run 0 show "-mN$word" -Sout.svg -Hout.html good.wad
        expect_printable C out.svg out.html
    done
    expect_printable "$locale" printed-*
    rm printed-*
done
