#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the manual pages tell all that there is, and nothing that there
# is not: options and their choices, what is in a report, the interface, and the
# constants and bytes of the format; and that they, other documents and messages
# are in plain English.

. "$SOURCE_DIR/tests/help/library.sh"

command_page=$SOURCE_DIR/man/blocksweep.1
stage_page=$SOURCE_DIR/man/blocksweep-stage.7
interface_page=$SOURCE_DIR/man/nbstage.3
kit_page=$SOURCE_DIR/man/nbstage-host.3
format_page=$SOURCE_DIR/man/blockmap.5

# section PAGE NAME: prints a section, up to the next one.
section() {
    awk -v name="$2" '/^\.S[hs] / { inside = substr($0, 5) == name; next }
                      inside' "$1"
}

# expect_same_lines EXPECTED FOUND WHAT
expect_same_lines() {
    sort "$1" >expected-lines
    sort "$2" >found-lines
    diff expected-lines found-lines ||
        fail "$3: '<' are not in the page, '>' are there without cause"
}

# --- Options ---

# Both print what a page tells, in the form of list_options.
options_of_command_page() {
    sed -n 's/^\.It Fl \(.\) , Fl \\-\([a-z-]*\).*/host \1 \2/p
            s/^\.It Fl \\-\([a-z-]*\) Ns = Ns \(.*\)/stage \1 \2/p
            s/^\.It Fl \\-\([a-z-]*\) Ns Op = Ns \(.*\)/stage \1 \2/p' \
        "$command_page" | awk '
        $1 == "host" { print; next }
        { print "stage", $2
          for (i = 3; i <= NF; i++)
              if ($i != "Cm" && $i != "Ar" && $i != "|")
                  print "choice", $2, $i }'
}

options_of_stage_page() {
    awk '/^\.Sh / { inside = $2 == "OPTIONS" }
         inside && /^\.Ss [a-z]/ { option = $2; print "stage", option }
         inside && /^\.It .* Ns Ar NUMBER$/ { option = $3; print "stage", $3
                                              $3 = $NF }
         inside && /^\.It (Cm|Ar) / { print "choice", option, $3 }' "$stage_page"
}

other_commands="verify show diff plugins"
list_options >options
expect_match options '^host ' '^stage ' '^choice '
{
    cat options
    for command in $other_commands; do
        list_options "$command" | grep '^host '
    done
} | sort -u >all-options
options_of_command_page | sort -u >found
expect_same_lines all-options found "options in blocksweep.1"
grep -v '^host ' options >stage-options
options_of_stage_page >found
expect_same_lines stage-options found "options in blocksweep-stage.7"

# Defaults.
blocksweep --help | sed -n 's/^  --\([a-z-]*\)\[*=.*(default: \(.*\))$/\1 \2/p' \
    >defaults
section "$command_page" "Options of the stage" | awk '
    /^\.It Fl / { option = substr($3, 3) }
    sub(/.*\(default: /, "") { gsub(/[.,;)]/, ""); print option, $1 }' >found
expect_same_lines defaults found "defaults in blocksweep.1"
awk '/^\.Ss / { option = $2 }
     /^\.It / { choice = $3 }
     /^\.It .* Ns Ar NUMBER$/ { option = $3 }
     /^\.It Cm [a-z0-9]* No \(default\)$/ { print option, choice }
     /^The default is / { gsub(/[.,;]/, ""); print option, $4 }' \
    "$stage_page" >found
expect_same_lines defaults found "defaults in blocksweep-stage.7"

# The first page, and the manuals of the command and its stage, are short.
[ "$(wc -l <"$SOURCE_DIR/README.md")" -le 150 ] || fail "README.md is long"
[ "$(cat "$command_page" "$stage_page" | wc -l)" -le 2047 ] ||
    fail "the manuals are long"

# What to type is the same in README.md.
# shellcheck disable=SC2016 # no commands
sed -n '/^\.It Em What you want/,/^\.El/s/^\.It \(Em \)*//p' "$stage_page" |
    sed 's/ Ta \(Em \)*/ | /; s/| Li \(.*\)/| `\1`/; s/.*/| & |/' >told
sed -n '/^| What you want/,/^$/p' "$SOURCE_DIR/README.md" | grep -v -e '^|-' \
    -e '^$' >repeated
[ "$(wc -l <told)" -gt 8 ] || fail "blocksweep-stage.7 was expected to say what
to type for eight aims"
diff told repeated || fail "README.md does not repeat what to type"

# --- Games and engines ---

sed -n '/^\.It Em for /,/^\.El/s/^\.It Cm //p' "$stage_page" |
    sed 's/ Ta /|/g' >families
[ "$(wc -l <families)" -gt 6 ] || fail "no table of the option for was found"
while IFS='|' read -r family _ header _; do
    expect 0 blocksweep --json --for="$family" "$sample" -o out.wad
    expect_match output "\"header\": \"$header\""
done <families

sed -n 's/^    ENGINE("[a-z0-9]*", "\(.*\)",.*/\1/p' \
    "$SOURCE_DIR/src/lump/engines.c" >engines
[ -s engines ] || fail "no engines were found in src/lump/engines.c"
for table in header preset lump; do
    sed -n "/^\.It Em $table /,/^\.El/s/^\.It \(.*\)/\1/p" "$stage_page" |
        sed '/^Em /d; s/ Ta .*//' >found
    diff engines found || fail "the table of engines by $table has others"
done

# --- Reports ---

# members_of FILE...: prints the names in reports.
members_of() {
    sed -n 's/^ *"\([a-z_0-9]*\)":.*/\1/p' "$@"
}

# names_in SECTION...: prints the names of members that these sections tell.
names_in() {
    for part in "$@"; do
        section "$command_page" "$part"
    done | awk '/^\.(It|Li) / {
        sub(/^\./, "")
        for (i = 1; i <= NF; i++)
            if ($i ~ /^[A-Z][a-z]$/)
                is_name = $i == "Li"
            else if (is_name && $i ~ /^[a-z_.]+$/)
                print $i }' | tr . '\n' | grep . | sort -u
}

# expect_members COMMAND FILE... [-- SECTION...]: these sections, what is common
# to reports and that on the command tell the names in these reports.
expect_members() {
    part="JSON of $1"
    shift
    : >report-members
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        members_of "$1" >>report-members
        shift
    done
    [ $# -eq 0 ] || shift
    sort -u report-members >members
    names_in "Every report" "$part" "$@" >found
    expect_same_lines members found "$part in blocksweep.1"
}

# A map's facts follow its seconds; all else is the command's, and so are
# "error", which is there when a map fails, and what is in "sectors".
expect 0 blocksweep --json --prune=inert "$sample" -o out.wad
sed -n '/"sectors": \[/,/\]/p' output >sectors
expect 0 blocksweep --json --builder="true {in}" "$sample" -o out.wad
sed -n '/"builder"/,/}/p' output >report
expect 0 blocksweep --json --dry-run "$sample"
sed -n '/"presets"/,/}/p' output >>report
expect 0 blocksweep --json "$sample" -o out.wad
sed -n '/"seconds"/,/}/p' output | members_of | grep -vx seconds | sort -u >facts
{ sed '/"seconds"/,/}/d' output; echo '"seconds":'; echo '"error":'; } >>report
cat sectors >>report
expect_match facts '^linedefs$' '^words$'

section "$stage_page" FACTS | sed -n 's/^\.It Li //p' | sed 's/ Ta .*//; s/ , /\
/g' >found
expect_same_lines facts found "facts in blocksweep-stage.7"
expect_members build report -- "Every report on maps"

# broken_map LIST: makes in.wad of a map whose blockmap has these offsets and
# lists, and of one that fails.
write_room
write_segs
broken_map() {
    # shellcheck disable=SC2086 # words
    words 0 0 2 1 $1 >outside
    {
        room MAP01 | replacing BLOCKMAP "$folder/outside"
        room MAP02 | without LINEDEFS
    } | wadtool make PWAD in.wad
}

# What verify tells, with segs that pass, one that does not, and segs that are
# not checked; and of another builder's lists.
for lists in "6 900 0 1 3 65535" "6 6 0 0 1 3 65535" "6 6 0 0 1 2 3 65535"; do
    broken_map "$lists"
    expect 1 blocksweep verify --json --verbose --nodes in.wad
    cat output >>verified
done
expect 1 blocksweep verify --json --lists=boom in.wad
cat output >>verified
lump="The lump in verify, show and diff"
engines="Engines in verify and show"
expect_members verify verified -- "Every report on maps" "$lump" "$engines"

# What diff tells, of lumps that cannot be read among them.
broken_map "6 900 0 1 3 65535"
mv in.wad old.wad
broken_map "900 6 0 1 3 65535"
expect 1 blocksweep diff --json old.wad in.wad
expect_members diff output -- "Every report on maps" "$lump"

# What show tells, of a block, too.
broken_map "6 11 0 0 1 3 65535 0 1 2 3 65535"
expect 1 blocksweep show --json in.wad
cp output shown
expect 0 blocksweep show --json --map=MAP01 --list=0 in.wad
expect_members show output shown -- "Every report on maps" "$lump" "$engines"

# The words for what is wrong with a lump or a list.
sed -n '/fault_names\[\] =/,/;/p' "$SOURCE_DIR/host/blockmap/blockmap.c" |
    grep -o '"[a-z_]*"' | tr -d '"' | sort -u >faults
expect_match faults '^no_grid$' '^endless$'
awk '/^\.It Li/ { is_fault = $3 == ".fault" } is_fault' "$command_page" |
    grep -o 'Q[oq] [a-z_]*' | sed 's/^Q. //' | sort -u >found
expect_same_lines faults found "words of fault in blocksweep.1"

# What plugins tells, of links, of options of each type, and of a file that is
# no stage.
mkdir stages
cp "$BUILD_DIR/tests/command/.libs/other-stage.so" stages
echo "no stage" >stages/text.so
expect 0 env NBSTAGE_PLUGIN_PATH="$folder/stages" "$BUILD_DIR/run" \
    blocksweep plugins --json
expect_members plugins output

# --- The interface ---

header=$SOURCE_DIR/plugin/nbstage.h
{
    grep -o 'NBSTAGE_[A-Z0-9_]*' "$header" | grep -vx NBSTAGE_H
    grep -o 'struct nbstage_[a-z0-9]*' "$header"
    sed -n 's/^typedef [a-z0-9_]* \(nbstage_[a-z_]*\);.*/\1/p
            s/.*(NBSTAGE_CALL \*\([a-z_]*\))(.*/\1/p
            s/.* NBSTAGE_CALL \*\([a-z_]*\))(.*/\1/p' "$header"
} | sort -u >interface
for name in NBSTAGE_AT NBSTAGE_CANCELLED "struct nbstage_map" \
    nbstage_status nbstage_describe_function allocate build destroy; do
    expect_match interface "^$name\$"
done
while read -r name; do
    grep -qw -e "$name" "$interface_page" || fail "nbstage.3 does not tell $name"
done <interface

# --- The host kit ---

# Its functions: name and arguments, without spaces.
awk '/^[a-z]/ && /nbstage_[a-z_]*\(/ { inside = 1 }
     inside { text = text $0 }
     inside && /;$/ { print text; text = ""; inside = 0 }' \
    "$SOURCE_DIR/kit/nbstage-host.h" |
    sed 's/.*\(nbstage_[a-z_]*(\)/\1/' | tr -d ' ' >kit-functions
sed -n '/^\.Sh DESCRIPTION/q
        s/^\.Fn \([a-z_]*\) "\(.*\)"$/\1(\2);/p' "$kit_page" |
    sed 's/" "/,/g' | tr -d ' ' >found
expect_in kit-functions 'nbstage_close(structnbstage*stage);'
expect_same_lines kit-functions found "functions in nbstage-host.3"

# --- The format ---

# Constants of the sources, with the text that tells them.
sed 's/^\.[A-Z][a-z] //' "$format_page" | tr '\n' ' ' >text
while read -r file name told; do
    value=$(sed -n "s/^.*\<$name = \([0-9][0-9A-Fx]*\).*/\1/p" \
        "$SOURCE_DIR/$file")
    [ -n "$value" ] || fail "$file has no $name"
    told=$(echo "$told" | sed "s/%/$value/g")
    grep -qF -e "$told" text || fail "blockmap.5 was expected to say: $told"
done <<'EOM'
src/lines/grid.h BLOCK_SIZE square blocks of % by % map units
src/lines/grid.h BLOCK_SHIFT column x >> % and row y >> %
src/lines/grid.h GRID_MAX_SIDE can fill % columns and % rows
src/lines/grid.c MARGIN begins % units south and west
src/lump/lump.h LUMP_HEADER_WORDS fewer than % words
src/lump/lump.h LUMP_VANILLA_OFFSET largest offset, Doom 1.9 and Chocolate Doom Ta %
src/lump/lump.h LUMP_VANILLA_LINES a map, Doom 1.9 and Chocolate Doom Ta %
src/lump/lump.h LUMP_EXTENDED_WORDS words of a lump, other engines Ta %
src/lump/lump.h LUMP_CLASSIC_LINES linedefs of a map, blocksweep Ta %
src/lump/read-lump.c CLASSIC_END end mark Ta %
src/prune/tagged.c TAG_LEAVE_OUT with tag % and no special
src/prune/tagged.c SPECIAL_BSP_EFFECTS special % and a first argument of 1
src/lists/glbsp.c ORIGIN_STEP a multiple of %.
src/lists/glbsp.c MOST_BLOCKS more than % blocks
src/lists/glbsp.c MIDDLE_STEP multiplied by %.
src/lists/glbsp-order.c CHECKSUM_BEGIN starts as %;
EOM

# The example, in both forms, is what is built, and a sample.
samples=$SOURCE_DIR/samples/blockmaps
section "$format_page" EXAMPLE | awk '
    /^\.Bd/ { file = ++count ".txt" }
    /^[0-9a-f][0-9a-f] / { sub(/   .*/, ""); print >file }'
write_room
make_room in.wad
for form in "1 doom classic" "2 xbm1 xbm1"; do
    # shellcheck disable=SC2086 # words
    set -- $form
    perl -ne 's/\s//g; print pack "H*", $_' "$1.txt" >example
    expect_build --header=zero --for=woof --format="$2" in.wad -o out.wad
    expect_lump out.wad MAP01/BLOCKMAP example
    expect_same example "$samples/good/$3-room.lmp"
done

# The reasons to refuse a lump, and the algorithms.
section "$format_page" READING | sed -n 's/^\.It //p' >found
grep -o '"refuse": "[a-z]*"' "$samples/expect.json" | sort -u |
    sed 's/.* "//; s/"//' >expected
expect_same_lines expected found "reasons in blockmap.5"
section "$stage_page" lists | sed -n 's/^\.It Cm \([a-z]*\)$/\1/p' |
    grep -vx lump >expected
sed -n "s/^\.Ss \(.*\)'s$/\1/p" "$format_page" | tr '[:upper:]' '[:lower:]' |
    grep -vx doombsp >found
expect_same_lines expected found "algorithms in blockmap.5"

if has mandoc; then
    mandoc -T markdown -I os=blocksweep "$format_page" |
        diff "$SOURCE_DIR/doc/blockmap.md" - ||
        fail "doc/blockmap.md is not what mandoc -T markdown -I os=blocksweep
makes of man/blockmap.5"
fi

# --- Plain English ---

# Phrases that make a reader stop, in documents and in messages, which are the
# texts in quotes of sources.
cat >phrases <<'EOM'
behind|for free|is told|has not got|whoever built|held against|in vain
what comes of it|that of|such as are|hands a map in memory|lump back from
old one or the new one at every|whatever is killed|what blocks miss
where these shells look|as distributions install|has a part in it
nothing is told|is it the same as any|a file beside it cannot be made
was ended early|takes too much of it|may meet it
EOM
cat >find-phrases.pl <<'EOM'
chomp(my @paths = <STDIN>);
open my $list, "<", shift or die;
local $/;
my $phrases = <$list> =~ s/\s*\n/|/gr =~ s/\|$//r;
for my $path (@paths) {
    open my $file, "<", $path or die "$path: $!\n";
    my $text = <$file>;
    if ($path =~ /\.[ch]$/) { # quotes beside each other are one text
        my $other = qr{//[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)+'}s;
        $text =~ s{"((?:[^"\\]|\\.)*)"|$other|([^"'/\s]+|.)}
                  {$1 // ($2 =~ /\S/ ? "\n" : "")}gse;
    } else {
        $text =~ s/^\.[A-Z][a-z]\b//mg;
        $text =~ s/\s+/ /g;
    }
    print "$path: $&\n" while $text =~ /\b(?:$phrases)\b/gi;
}
EOM
(
    cd "$SOURCE_DIR"
    {
        find host src plugin kit adapters -name '*.[ch]'
        find doc man -name '*.md' -o -name '*.[1-9]'
        printf '%s\n' README.md NEWS SECURITY.md CONTRIBUTING.md \
            packaging/README.md editors/README.md
    } | perl "$folder/find-phrases.pl" "$folder/phrases"
) >found
[ ! -s found ] || fail_showing found "plainer words were expected"

# --- The pages themselves ---

# check_text COMMAND...: formats each page, without displays, which have code, and
# reads the text: in each paragraph quotes open before a word and close after
# one, by turns, brackets are closed in order, and no macro is taken for text or
# text for a macro.  Every section and paragraph is there.
check_text() {
    for page in "$SOURCE_DIR"/man/*.[1-9]; do
        sed '/^\.Bd/,/^\.Ed/d' "$page" >source
        LEAST=$(grep -c '^\.\(Sh\|Pp\)' source)
        export LEAST
        "$@" <source | perl -CS -00 -ne '
            s/.\x08//g; # what is bold or underlined
            s/\s+/ /g;
            my ($text, $open, $at) = ($_, "", 0);
            my %opening = ("\x{201D}" => "\x{201C}", "\x{2019}" => "\x{2018}",
                ")" => "(", "]" => "[", "}" => "{");
            while ($text =~ /["\x{201C}\x{201D}\x{2018}\x{2019}()\[\]{}]/g) {
                my ($sign, $before, $after) = ($&, substr($`, -1), $'"'"');
                $sign = $open =~ /\x{201C}$/ ? "\x{201D}" : "\x{201C}"
                    if $sign eq "\"";
                if (my $first = $opening{$sign}) {
                    $bad = "closed by $sign" if $open !~ s/\Q$first\E$//
                        && $sign ne "\x{2019}"; # an apostrophe, too
                } else {
                    $open .= $sign;
                }
                $bad //= "beside $sign" if $sign =~ /[\x{201C}\x{2018}]/
                    ? $before =~ /\w/ || $after !~ /^\S/
                    : $sign =~ /[\x{201D}\x{2019}]/ && $after =~ /^[\w"]/;
            }
            $bad //= "not closed: $open" if $open;
            $bad //= "macro $&" if $text =~ /(?<!\S)(?:[BPQ][coq]|[DS][cq]|Ql|Xr|Fl|Ar
                |Cm|Ic|Pa|Ev|Li|Em|Sy|Fa|Fn|Vt|Dv|Ns|Nm|Op|Pp|Sx|Ta)(?!\S)
                |<(?!nbstage(?:-host)?\.h>)/x;
            print "$bad: $text\n" and $failed = 1 if $bad;
            undef $bad;
            END {
                $failed = print "$. of $ENV{LEAST} paragraphs are there\n"
                    if $. < $ENV{LEAST};
                exit($failed ? 1 : 0)
            }' ||
            fail "${page##*/}, formatted by $1, has this"
    done
}

for formatter in mandoc groff; do
    has $formatter || echo "$formatter is not there: it has formatted no page"
done
if has mandoc; then
    mandoc -T lint -W warning "$SOURCE_DIR"/man/*.[1-9] ||
        fail "mandoc has warnings"
    check_text mandoc -T utf8 -O width=500 2>&1
fi
if has groff; then
    check_text groff -mandoc -T utf8 -rLL=500n -P-cbu
    # Tables fit in a terminal of 80 columns.
    for page in "$SOURCE_DIR"/man/*.[1-9]; do
        groff -mdoc -T utf8 -rLL=78n -w break "$page" 2>&1 >shown |
            expect_text - ""
        [ -s shown ] || fail "groff shows nothing of $page"
    done
fi
has mandoc || has groff || skip "the rest: no program formats pages"
