# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by the scripts that add the stage to a builder's source.  Each checks
# the version of its tree, and names the lines at which to insert text:
#
#   know BUILDER FOLDER FILE WORDS     checks that FILE has these words; our
#                                      files go to FOLDER
#   insert FILE after ANCHOR... TEXT   inserts TEXT after the first line with
#                                      ANCHOR; each further ANCHOR is searched
#                                      below the one before it
#   insert FILE before ANCHOR... TEXT  the same, before that line
#   finish                             writes the changed files and our own
#
# With --system before SOURCE the kit is that of an installed nbstage-dev.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
plugin=blockmap-plugin.cpp
edited=

system=
[ "${1-}" != --system ] || {
    system=yes
    shift
}
[ $# -eq 1 ] || {
    echo "Usage: $0 [--system] SOURCE" >&2
    exit 2
}
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refuse REASON
refuse() {
    echo "$source is not the source of $builder: $1" >&2
    exit 1
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
    where=$2
    shift 2
    [ -e "$work/$file" ] || {
        [ -f "$source/$file" ] || refuse "there is no $file"
        mkdir -p "$work/$(dirname "$file")"
        cat "$source/$file" >"$work/$file"
        edited="$edited $file"
    }
    awk 'BEGIN { last = ARGC - 2; text = ARGV[ARGC - 1]; where = ARGV[2]
                 for (i = 2; i < ARGC; i++) { words[i] = ARGV[i]; ARGV[i] = "" }
                 next_one = 3 }
         { found = next_one <= last && index($0, words[next_one]) > 0 &&
               ++next_one > last
           if (found && /\r$/) gsub(/\n|$/, "\r&", text)
           if (found && where == "before") print text
           print
           if (found && where == "after") print text }
         END { exit next_one <= last }' \
        "$work/$file" "$where" "$@" >"$work/new" || refuse "$file has no $1"
    mv "$work/new" "$work/$file"
}

finish() {
    for file in $edited; do
        cat "$work/$file" >"$source/$file"
    done
    cp "$here/$plugin" "$folder"
    if [ -n "$system" ]; then
        # Compilers look for this from /usr/include, and the like, on.
        echo "#include <../share/nbstage/nbstage-host.c>" \
            >"$folder/nbstage-host.c"
    else
        cp "$project/include/nbstage.h" \
            "$project/builders/kit/nbstage-host.h" \
            "$project/builders/kit/nbstage-host.c" "$folder"
    fi
    echo "$source: $builder takes --blockmap-plugin=NAME[,OPTION=VALUE]..."
}
