#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that there is no circle of includes, and none of links, where modules
# use each other's functions and data.  A module is a .c file with the header of
# its name.

# shellcheck disable=SC2086 # several folders

. "$SOURCE_DIR/tests/help/library.sh"
need nm tsort

parts="include src plugin builders/kit command check"

# What prints pairs, of a module and one that it needs, reads the names of all
# sources first.
pairs='
    function module(path) { sub(/\.[ch]$/, "", path); return path }
    function pair(from, to) { if (from != to) print from, to }
    FILENAME == "sources" { is_source[$0] = 1; next }
'

# include_pairs FOLDER: by the includes in the sources there.  They are of the
# same folder, or of one of the parts.
include_pairs() {
    (cd "$1" && find $parts -name '*.[ch]' -exec grep -H '^#include "' {} +) |
        awk -v parts="$parts" "$pairs"'
        {
            from = to = $0
            sub(/:.*/, "", from)
            gsub(/^[^"]*"|"[^"]*$/, "", to)
            own = from
            sub(/\/[^\/]*$/, "", own)
            count = split(own " " parts, folders, " ")
            for (i = 1; i <= count; i++)
                if (is_source[folders[i] "/" to]) {
                    pair(module(from), module(folders[i] "/" to))
                    break
                }
        }' sources -
}

# link_pairs FOLDER: by the objects there.  Their names may begin with that of
# a library or a program and "-".
link_pairs() {
    (cd "$1" && find $parts -name '*.o' -exec nm -A -P {} +) 2>said |
        awk "$pairs"'
        {
            object = $1
            sub(/:$/, "", object)
            sub(/\/\.libs\//, "/", object)
            sub(/\.o$/, ".c", object)
            if (!is_source[object])
                sub(/[^\/-]*-/, "", object)
            if (!is_source[object])
                next # the source was removed or renamed
            if ($3 == "U")
                used[object, $2] = 1
            else if ($3 ~ /^[A-Z]$/)
                place[$2] = object
        }
        END {
            for (use in used) {
                split(use, part, SUBSEP)
                if (part[2] in place)
                    pair(module(part[1]), module(place[part[2]]))
            }
        }' sources -
}

# expect_no_circle KIND FOLDER
expect_no_circle() {
    "$1_pairs" "$2" | sort -u >pairs
    [ "$(wc -l <pairs)" -gt 50 ] ||
        fail_showing pairs "more ${1}s were expected; is all built in $2?"
    tsort pairs >order 2>circle ||
        fail_showing circle "there is a circle of ${1}s"
}

(cd "$SOURCE_DIR" && find $parts -name '*.[ch]') >sources
expect_no_circle include "$SOURCE_DIR"
expect_no_circle link "$BUILD_DIR"
