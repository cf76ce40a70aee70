#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the manual pages have every option of the command and the stage,
# with choices and defaults, and no others, that the pages are well-formed and
# fit in a terminal, and that texts do not outgrow what their readers have time
# for.

. "$SOURCE_DIR/tests/help/library.sh"

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
options_of_command_page | sort -u >found
expect_same_lines all-options found "options in blocksweep.1"
grep -v '^host ' options >stage-options
options_of_stage_page >found
expect_same_lines stage-options found "options in blocksweep-stage.7"

# Every name of a game that the page has works, and chooses the header that the
# page says.
section "$stage_page" for | awk '
    /^\.It Cm / { for (i = 3; i == 3 || $(i - 1) == ","; i += 2) {
                      name = $i
                      rest = $0
                      sub(/^[^T]* Ta /, "", rest)
                      sub(/ .*/, "", rest)
                      print name, rest } }' >names
[ "$(wc -l <names)" -ge 30 ] || fail "more names of games were expected"
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
250 man/blocksweep-stage.7
300 man/blockmap.5
END

has mandoc || has groff || skip "the rest: no program formats pages"
