#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that no modules of the source include each other in a circle.  A module
# is X.c together with X.h, or a header by itself.

. "$SOURCE_DIR/tests/help/library.sh"

# list_includes FOLDER: prints "X Y" where module X includes module Y.  Headers
# of the system and generated ones are in none of the places.
list_includes() {
    while read -r file; do
        module=${file%.?}
        sed -n 's/^#include "\(.*\)\.h".*/\1/p' "$1/$file" >names
        while read -r name; do
            for place in "${file%/*}" "${file%%/*}" plugin kit src; do
                [ -e "$1/$place/$name.h" ] || continue
                [ "$place/$name" = "$module" ] || echo "$module $place/$name"
                break
            done
        done <names
    done <files
}

# find_circles: prints the modules of each circle.
find_circles() {
    tsort includes 2>&1 >order | sed 's/^tsort: //'
}

(cd "$SOURCE_DIR" && find src plugin kit host -name '*.[ch]') >files
list_includes "$SOURCE_DIR" >includes
[ "$(wc -l <includes)" -gt 100 ] || fail "more includes were expected"
find_circles >circles
expect_text circles ""

# A circle is found where there is one.
echo "src/lines/lines src/build" >>includes
find_circles >circles
expect_match circles '^src/lines/lines$' '^src/build$'
