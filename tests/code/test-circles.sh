#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that includes and links lead one way: no circle of modules includes or
# calls each other, no circle of folders includes each other, and each floor
# includes only those below it.  A module is a .c file with the header of its
# name.

# shellcheck disable=SC2086 # several folders

. "$SOURCE_DIR/tests/help/library.sh"
need nm tsort

# Where #include "..." is looked for, besides the folder of the source.
roots="include src builders/kit command"
parts="include src plugin builders command"

# What prints pairs, of a module and one that it needs, reads the names of all
# sources first.
pairs='
    function module(path) { sub(/\.[ch]$/, "", path); return path }
    function pair(from, to) { if (from != to) print from, to }
    FILENAME == "sources" { is_source[$0] = 1; next }
'

list_sources() {
    (cd "$1" && find $parts -name '*.[ch]') >sources
}

# include_pairs FOLDER: by the includes in the sources there.
include_pairs() {
    (cd "$1" && find $parts -name '*.[ch]' -exec grep -H '^#include "' {} +) |
        awk -v roots="$roots" "$pairs"'
        {
            from = to = $0
            sub(/:.*/, "", from)
            gsub(/^[^"]*"|"[^"]*$/, "", to)
            own = from
            sub(/\/[^\/]*$/, "", own)
            count = split(own " " roots, folders, " ")
            for (i = 1; i <= count; i++)
                if (is_source[folders[i] "/" to]) {
                    pair(module(from), module(folders[i] "/" to))
                    break
                }
        }' sources -
}

# The same pairs, of folders.
folder_pairs() {
    include_pairs "$1" | sed 's,/[^/ ]* , ,; s,/[^/]*$,,' | awk '$1 != $2'
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

# find_circle KIND FOLDER: prints what is in a circle; nothing if there is none.
find_circle() {
    "$1_pairs" "$2" | sort -u >pairs
    tsort pairs 2>&1 >order | sed 's/^tsort: //'
}

# find_climbs FOLDER: prints the includes that lead up or across.  The command's
# build/ is a host like any other: of the core it only includes base/.
find_climbs() {
    folder_pairs "$1" | sort -u | awk '
        $1 == "command/build" && $2 == "src/base" { next }
        function floor(path) {
            if (path ~ /^builders\/kit/ || path ~ /^command\/build/)
                return path
            sub(/\/.*/, "", path)
            return path
        }
        BEGIN {
            below["src"] = "include"
            below["plugin"] = "include src"
            below["builders/kit"] = "include"
            below["builders"] = "include builders/kit"
            below["command/build"] = "include builders/kit command"
            below["command"] = "include src builders/kit"
        }
        {
            from = floor($1)
            to = floor($2)
            if (from != to && !index(" " below[from] " ", " " to " "))
                print $1, "includes", $2
        }'
}

# expect_planted FILE LINE COMMAND...: with this line at the end of a copy of this
# source, the command prints something.
expect_planted() {
    file=copy/$1
    line=$2
    shift 2
    cp "$file" kept
    printf '%s\n' "$line" >>"$file"
    "$@" >found
    [ -s found ] || fail "$line in $file was not found"
    cp kept "$file"
}

list_sources "$SOURCE_DIR"
for kind in include folder link; do
    case $kind in
    link) tree=$BUILD_DIR ;;
    *) tree=$SOURCE_DIR ;;
    esac
    expect_silent find_circle $kind "$tree"
    [ "$(wc -l <pairs)" -gt 30 ] ||
        fail_showing pairs "more ${kind}s were expected; is all built in $tree?"
done
expect_silent find_climbs "$SOURCE_DIR"

# --- Faults are found ---

mkdir copy
for part in $parts; do
    cp -R "$SOURCE_DIR/$part" copy
done
chmod -R u+w copy
expect_planted src/map/map.h '#include "lines/lines.h"' find_circle include copy
expect_planted src/lists/lists.h '#include "merge/merge.h"' \
    find_circle folder copy
expect_planted src/build.c '#include "common/report.h"' find_climbs copy
expect_planted command/build/job.c '#include "lump/lump.h"' find_climbs copy
expect_silent find_circle folder copy
