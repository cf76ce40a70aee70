# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by the scripts that add the stage to a builder's source.  Each checks
# that it knows its tree, and names the lines at which to insert text:
#
#   know BUILDER FOLDER FILE WORDS     checks that FILE has these words; our
#                                      files go to FOLDER
#   is_there FILE                      whether the tree has this file
#   insert FILE after ANCHOR... TEXT   inserts TEXT after the first line with
#                                      ANCHOR; each further ANCHOR is searched
#                                      from the line after the one before it
#   insert FILE before ANCHOR... TEXT  the same, before that line
#   indent FILE FIRST LAST BLANKS      puts BLANKS before the lines from the
#                                      first one with FIRST to one with LAST
#   finish [BUILD RUN]                 writes the changed files and our own, and
#                                      says what a maintainer needs to know, with
#                                      the commands that build and run the builder
#
# Our file is blockmap-plugin.cpp, or .c.  With --system before SOURCE the kit is
# that of an installed nbstage-dev, and no copy is added.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
kit=
edited=

[ "${1-}" != --system ] || {
    kit=$(pkg-config --variable=kitdir nbstage 2>/dev/null) || {
        echo "$0: --system needs nbstage-dev and pkg-config" >&2
        exit 1
    }
    shift
}
[ $# -eq 1 ] || {
    echo "Usage: $0 [--system] SOURCE" >&2
    exit 2
}
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
plugin=$(cd "$here" && echo blockmap-plugin.c*)

# refuse REASON
refuse() {
    echo "$source is not the source of $builder: $1" >&2
    exit 1
}

is_there() {
    [ -f "$source/$1" ]
}

know() {
    builder=$1
    folder=$source/$2
    grep -qF -e "$4" "$source/$3" 2>/dev/null || refuse "$3 has no $4"
    [ ! -e "$folder/$plugin" ] || {
        echo "$source has the stage already; nothing was changed"
        exit
    }
}

# Inserted lines get the line endings of the file.
insert() {
    file=$1
    shift
    [ -e "$work/$file" ] || {
        is_there "$file" || refuse "there is no $file"
        mkdir -p "$work/$(dirname "$file")"
        cat "$source/$file" >"$work/$file"
        edited="$edited $file"
    }
    awk 'BEGIN { last = ARGC - 2; text = ARGV[ARGC - 1]; where = ARGV[2]
                 for (i = 2; i < ARGC; i++) { words[i] = ARGV[i]; ARGV[i] = "" }
                 next_one = 3 }
         { found = next_one <= last && index($0, words[next_one]) > 0 &&
               ++next_one > last
           if (found && where != "inside" && /\r$/) {
               gsub(/\n/, "\r&", text)
               text = text "\r"
           }
           if (found && where == "before") print text
           if (where == "inside" && (next_one == last || found)) $0 = text $0
           print
           if (found && where == "after") print text }
         END { exit next_one <= last }' \
        "$work/$file" "$@" >"$work/new" || refuse "$file has no $2"
    mv "$work/new" "$work/$file"
}

indent() {
    file=$1
    shift
    insert "$file" inside "$@"
}

# Lists what was added to each file, and where it is now.
list_changes() {
    for file in $edited; do
        diff -w "$source/$file" "$work/$file" | awk -v file="$file" '
            /^[0-9]/ { sub(/.*a/, ""); sub(/,.*/, "")
                       places = places ", " $0 }
            /^>/ { lines++ }
            END { print "    " file ": " lines " at " substr(places, 3) }'
    done
    with="the kit (0BSD): nbstage.h, nbstage-host.h, nbstage-host.c"
    [ -z "$kit" ] || with="nbstage-host.c, which includes that in $kit"
    echo "    $(echo "$folder/$plugin" | sed "s|^$source/\(\./\)*||"):" \
        "$(wc -l <"$here/$plugin"), and $with"
}

# add FILE: copies it to the tree, with the line endings of the tree.
add() {
    ending=
    ! grep -q "$(printf '\r')\$" "$source/${edited##* }" || ending=$(printf '\r')
    sed "s/\$/$ending/" "$1" >"$folder/${1##*/}"
}

finish() {
    changes=$(list_changes)
    for file in $edited; do
        cat "$work/$file" >"$source/$file"
    done
    add "$here/$plugin"
    if [ -n "$kit" ]; then
        echo "#include \"$kit/nbstage-host.c\"" >"$work/nbstage-host.c"
        add "$work/nbstage-host.c"
    else
        add "$project/include/nbstage.h"
        add "$project/builders/kit/nbstage-host.h"
        add "$project/builders/kit/nbstage-host.c"
    fi
    cat <<END
$source: $builder takes --blockmap-plugin=NAME[,OPTION=VALUE]...

Lines that were added:
$changes

Message for the commit:
    Let a plugin build blockmaps: --blockmap-plugin

    Our own code lists some lines in blocks that they do not touch, or leaves
    them out of one that they do.  A plugin such as blocksweep lists just what is
    there, and can make smaller lumps.  It is loaded at run time, only if it is
    asked for; then it is an error if it is missing or fails.  Without the option
    the output is as before.

    nbstage.h and nbstage-host.* are the interface of such plugins (0BSD).  They
    need C99 or C++11, and Windows 8 or dlopen().

Try it in $source:
    ${1-(build it)}
    ${2-BUILDER --blockmap-plugin blocksweep IN.wad -o OUT.wad}
    blocksweep verify OUT.wad
END
}
