#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the manual pages have every option of the command and the stage,
# with choices and defaults, and no others, that blocksweep.1 has every member of
# reports in JSON, with its type, and no others, that the pages are well-formed and
# fit in a terminal, and that texts do not outgrow what their readers have time
# for.

. "$SOURCE_DIR/tests/help/library.sh"
need perl zdbsp glbsp

command_page=$SOURCE_DIR/man/blocksweep.1
stage_page=$SOURCE_DIR/man/blocksweep-stage.7

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

# Both print what a page tells, in the form of list_options.  The names of ports
# are in blocksweep-stage.7 alone.
options_of_command_page() {
    sed -n 's/^\.It Fl \(.\) , Fl \\-\([a-z-]*\).*/host \1 \2/p
            s/^\.It Fl \\-\([a-z-]*\) Ns = Ns \(.*\)/stage \1 \2/p
            s/^\.It Fl \\-\([a-z-]*\) Ns Op = Ns \(.*\)/stage \1 \2/p' \
        "$command_page" | awk '
        $1 == "host" { print; next }
        { print "stage", $2
          for (i = 3; i <= NF; i++)
              if ($2 != "for" && $i != "Cm" && $i != "Ar" && $i != "|")
                  print "choice", $2, $i }'
}

options_of_stage_page() {
    awk '/^\.Sh / { inside = $2 == "OPTIONS" }
         inside && /^\.Ss [a-z]/ { option = $2; print "stage", option }
         inside && /^\.It (Cm|Ar) / {
             print "choice", option, $3
             for (i = 4; $i == ","; i += 2)
                 print "choice", option, $(i + 1)
         }' "$stage_page"
}

other_commands="verify show diff"
list_options >options
expect_match options '^host ' '^stage ' '^choice '
{
    cat options
    for command in $other_commands; do
        list_options "$command" | grep '^host '
    done
} | sort -u >all-options
grep -v '^choice for ' all-options >command-options
options_of_command_page | sort -u >found
expect_same_lines command-options found "options in blocksweep.1"
grep -v '^host ' options >stage-options
options_of_stage_page >found
expect_same_lines stage-options found "options in blocksweep-stage.7"

# Every name of a port that the page has works, and chooses the header that the
# page says.
section "$stage_page" for | awk '
    /^\.It Cm / { for (i = 3; i == 3 || $(i - 1) == ","; i += 2) {
                      name = $i
                      rest = $0
                      sub(/^[^T]* Ta /, "", rest)
                      sub(/ .*/, "", rest)
                      print name, rest } }' >names
[ "$(wc -l <names)" -ge 30 ] || fail "more names of ports were expected"
while read -r name header; do
    expect 0 blocksweep --json --for="$name" "$sample" -o named.wad </dev/null
    expect_in output "\"header\": \"$header\""
    expect 0 blocksweep verify --for="$name" named.wad </dev/null
done <names

# Defaults.
blocksweep --help | sed -n 's/^  --\([a-z-]*\)\[*=.*(default: \(.*\))$/\1 \2/p' \
    >defaults
section "$command_page" "Options of the stage" | awk '
    /^\.It Fl / { option = substr($3, 3) }
    sub(/.*\(default: /, "") { gsub(/[.,;)]/, ""); print option, $1 }' >found
expect_same_lines defaults found "defaults in blocksweep.1"
awk '
    /^\.Sh / { inside = $2 == "OPTIONS" }
    /^\.Ss / { option = $2 }
    inside && sub(/.*\(default: /, "") { gsub(/[.,;)]/, ""); print option, $1 }' "$stage_page" \
    >found
expect_same_lines defaults found "defaults in blocksweep-stage.7"

# --- JSON ---

# members REPORT...: the members that reports have, each with its type, but for
# those of totals, which are named after statuses and members of maps.
members() {
    sed '/^ *"total": {/,/}/ { /{/!d; }' "$@" |
        sed -n 's/^ *"\([a-z_]*\)": \(.\).*/\1 \2/p' | sed '
            s/ "$/ text/; s/ \[$/ array/; s/ {$/ object/; s/ [tf]$/ flag/
            s/ [-0-9]$/ number/'
}

# members_of_page: those of the table in the page and of the facts in the other.
members_of_page() {
    {
        section "$command_page" JSON
        section "$stage_page" FACTS |
            sed 's/Ta whether/Ta flag Ta/; s/Ta the same for/Ta flag Ta/
                s/Ta Qo/Ta text Ta/; t
                s/Ta /Ta number Ta /'
    } | awk -F ' Ta ' '
        sub(/^\.It Li /, "") { count = split($1, names, " , ")
                               for (i = 1; i <= count; i++)
                                   print names[i], $2 }'
}

# members_of_cells: those that are named beside another, without a type.
members_of_cells() {
    section "$command_page" JSON | sed 's/^\.It Li [^T]*//' |
        grep -o 'Li [a-z_]*\( , [a-z_]*\)*' | sed 's/^Li //; s/ , /\n/g'
}

# Reports with all that can be in them.
perl "$SOURCE_DIR/tests/command/blockmaps.pl" "$SOURCE_DIR/samples/blockmaps" \
    wad damaged.wad
expect 0 blocksweep damaged.wad -o built.wad
cp "$sample" sample.wad
cp "$SOURCE_DIR/samples/e2m1.wad" .
zdbsp -N -E -o zdbsp.wad sample.wad >said
write_room
room MAP01 | sed 's/^REJECT /NOTES /' | wadtool make PWAD misplaced.wad
mkdir folder
while read -r status report; do
    # shellcheck disable=SC2086 # words
    expect "$status" blocksweep $report --json
    cat output >>reports
done <<'END'
0 build --dry-run damaged.wad
1 build --overflow=error damaged.wad zdbsp.wad -o folder
0 build --builder=glbsp sample.wad -o folder/sample.wad
1 verify --nodes --verbose damaged.wad zdbsp.wad e2m1.wad misplaced.wad
0 show damaged.wad
0 show --map=MAP01 --list=5,5 sample.wad
1 diff damaged.wad built.wad
1 diff built.wad damaged.wad
1 diff sample.wad zdbsp.wad
END
members reports | sort -u >in-reports
members_of_page | sort -u >in-table
members_of_cells | sort -u >in-cells
[ "$(wc -l <in-table)" -ge 80 ] || fail "more members were expected"
while read -r name type; do
    grep -q "^$name $type\$" in-table || grep -q "^$name\$" in-cells ||
        fail "blocksweep.1 does not have the member $name, which is a $type"
done <in-reports
while read -r name type; do
    grep -q "^$name $type\$" in-reports ||
        fail "blocksweep.1 has a member $name, a $type, that no report has"
done <in-table

# --- The pages themselves ---

if has mandoc; then
    mandoc -T lint -W warning "$SOURCE_DIR"/man/*.[1-9] ||
        fail "mandoc has warnings"
    mandoc -T markdown -I os=blocksweep "$SOURCE_DIR/man/blockmap.5" |
        diff "$SOURCE_DIR/doc/blockmap.md" - ||
        fail "doc/blockmap.md is not what mandoc -T markdown -I os=blocksweep
makes of man/blockmap.5"
fi
if has groff; then
    for page in "$SOURCE_DIR"/man/*.[1-9]; do
        groff -mdoc -T utf8 -rLL=78n -w break "$page" 2>&1 >shown |
            expect_text - ""
        [ -s shown ] || fail "groff shows nothing of $page"
        # A cell of a table that is too long goes on at the right margin.
        ! sed '1d; $d' shown | grep -E '^ {50,}[^ ]' ||
            fail "a row of a table in $page is too long"
    done
fi

# --- Lines ---

# shown FILE: prints a page as a terminal of 80 columns shows it, or a text.
shown() {
    case $1 in
    *.md) cat "$1" ;;
    *) mandoc -T utf8 -O width=80 "$1" ;;
    esac
}

# The most lines that each may have.
while read -r most text; do
    has mandoc || [ "${text%.md}" != "$text" ] || continue
    lines=$(shown "$SOURCE_DIR/$text" | wc -l)
    echo "$text: $lines of $most lines"
    [ "$lines" -le "$most" ] || fail "$text is too long: shorten it"
    [ "$lines" -ge 10 ] || fail "$text has hardly any lines"
done <<'END'
350 man/blocksweep.1
250 man/blocksweep-stage.7
300 man/blockmap.5
100 README.md
120 CONTRIBUTING.md
80 SECURITY.md
50 editors/README.md
END

has mandoc || has groff || skip "the rest: no program formats pages"
