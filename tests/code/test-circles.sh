#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that there is no circle of includes, and none of links, where modules
# use each other's functions and data.  A module is a .c file with the header of
# its name.

# shellcheck disable=SC2086 # several folders

. "$SOURCE_DIR/tests/help/library.sh"
need nm tsort

parts="src plugin kit host check"

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

# has_circle KIND FOLDER: whether there is one.  The file `circle` has it then.
has_circle() {
    "$1_pairs" "$2" | sort -u >pairs
    [ -s pairs ] || fail "no module needs another; is nothing built in $2?"
    ! tsort pairs >order 2>circle
}

find_sources() {
    (cd "$1" && find $parts -name '*.[ch]') >sources
}

# A circle of either kind is found.
mkdir -p planted/src/base planted/plugin planted/kit planted/host planted/check
cd planted/src
echo 'int alpha(void);' >alpha.h
cat >alpha.c <<'SOURCE'
#include "base/beta.h"
int alpha(void) { return beta(); }
SOURCE
cat >base/beta.h <<'SOURCE'
#include "alpha.h"
int beta(void);
SOURCE
cat >base/beta.c <<'SOURCE'
#include "base/beta.h"
int beta(void) { return alpha(); }
SOURCE
for module in alpha base/beta; do
    ${CC:-cc} -I. -c -o $module.o $module.c
done
cd ../..
find_sources planted
for kind in include link; do
    has_circle $kind planted || fail "the planted circle of ${kind}s is missed"
    expect_in circle src/alpha src/base/beta
done

# There is none in the sources.
find_sources "$SOURCE_DIR"
! has_circle include "$SOURCE_DIR" ||
    fail_showing circle "these modules include each other"
! has_circle link "$BUILD_DIR" ||
    fail_showing circle "these modules use each other"
