#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the manual pages tell all that there is, and nothing that there
# is not: options and their choices, what is in a report, and the interface.

. "$SOURCE_DIR/tests/help/library.sh"

command_page=$SOURCE_DIR/man/blocksweep.1
stage_page=$SOURCE_DIR/man/blocksweep-stage.7
interface_page=$SOURCE_DIR/man/nbstage.3
kit_page=$SOURCE_DIR/man/nbstage-host.3

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
         inside && /^\.Ss / { option = $2; print "stage", option }
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
    /^\.It / { option = substr($3, 3) }
    /^The default is$/ { getline; print option, $2 }' >found
expect_same_lines defaults found "defaults in blocksweep.1"
awk '/^\.Ss / { option = $2 }
     /^\.It / { choice = $3 }
     /^This is the default\.$/ { print option, choice }
     /^The default is$/ { getline; print option, $2 }' "$stage_page" >found
expect_same_lines defaults found "defaults in blocksweep-stage.7"

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
    sed -n "/^\.It Em $table /,/^\.El/s/^\.It \([^E].*\)/\1/p" "$stage_page" |
        sed 's/ Ta .*//' >found
    diff engines found || fail "the table of engines by $table has others"
done

# --- Reports ---

# members_of FILE...: prints the names in reports.
members_of() {
    sed -n 's/^ *"\([a-z_]*\)":.*/\1/p' "$@"
}

# expect_members SECTION FILE...: the section tells the names in these reports.
expect_members() {
    part=$1
    shift
    members_of "$@" | sort -u >members
    section "$command_page" "$part" | sed -n 's/^\.\(It \)*Li //p' |
        tr -s ' ,' '\n' | grep -x '[a-z][a-z_]*' | sort -u >found
    expect_same_lines members found "$part in blocksweep.1"
}

# A map's facts follow its seconds; all else is the command's, and so are
# "error", which is there when a map fails, and what is in "sectors".
expect 0 blocksweep --json --prune=inert "$sample" -o out.wad
sed -n '/"sectors": \[/,/\]/p' output >sectors
expect 0 blocksweep --json --builder="true {in}" "$sample" -o out.wad
sed -n '/"builder"/,/}/p' output >report
expect 0 blocksweep --json "$sample" -o out.wad
sed -n '/"seconds"/,/}/p' output | members_of | grep -vx seconds | sort -u >facts
{ sed '/"seconds"/,/}/d' output; echo '"seconds":'; echo '"error":'; } >>report
cat sectors >>report
expect_match facts '^linedefs$' '^words$'

section "$stage_page" FACTS | sed -n 's/^\.It Li //p' | sed 's/ , /\
/g' >found
expect_same_lines facts found "facts in blocksweep-stage.7"
expect_members JSON report

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
# not checked.
for lists in "6 900 0 1 3 65535" "6 6 0 0 1 3 65535" "6 6 0 0 1 2 3 65535"; do
    broken_map "$lists"
    expect 1 blocksweep verify --json --verbose --nodes in.wad
    cat output >>verified
done
expect_members "JSON of verify" verified

# What diff tells, of lumps that cannot be read among them.
broken_map "6 900 0 1 3 65535"
mv in.wad old.wad
broken_map "900 6 0 1 3 65535"
expect 1 blocksweep diff --json old.wad in.wad
expect_members "JSON of diff" output

# What show tells, of a block, too.
broken_map "6 11 0 0 1 3 65535 0 1 2 3 65535"
expect 1 blocksweep show --json in.wad
cp output shown
expect 0 blocksweep show --json --map=MAP01 --list=0 in.wad
expect_members "JSON of show" output shown

# The words for what is wrong with a lump or a list.
sed -n '/fault_names\[\] =/,/;/p' "$SOURCE_DIR/host/blockmap/blockmap.c" |
    grep -o '"[a-z_]*"' | tr -d '"' | sort -u >faults
expect_match faults '^no_grid$' '^endless$'
sed -n '/^\.Li fault$/,/^\.Pc/s/^\.Qq \([a-z_]*\).*/\1/p' "$command_page" |
    sort -u >found
expect_same_lines faults found "words of fault in blocksweep.1"

# What plugins tells, of links, of options of each type, and of a file that is
# no stage.
mkdir stages
cp "$BUILD_DIR/tests/command/.libs/other-stage.so" stages
echo "no stage" >stages/text.so
expect 0 env NBSTAGE_PLUGIN_PATH="$folder/stages" "$BUILD_DIR/run" \
    blocksweep plugins --json
expect_members "JSON of plugins" output

# --- The interface ---

header=$SOURCE_DIR/plugin/nbstage.h
{
    grep -o 'NBSTAGE_[A-Z0-9_]*' "$header" | grep -vx NBSTAGE_H
    grep -o 'struct nbstage_[a-z]*' "$header"
    sed -n 's/^typedef [a-z0-9_]* \(nbstage_[a-z_]*\);.*/\1/p
            s/^typedef .*(\*\(nbstage_[a-z_]*\))(.*/\1/p
            s/^  .*(\*\([a-z_]*\))(.*/\1/p' "$header"
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
fi
has mandoc || has groff || skip "the rest: no program formats pages"
