#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that each source of the product has an owner in the tree that
# CONTRIBUTING.md shows, that all in this tree is there, and that no two files
# of the product have one name.

. "$SOURCE_DIR/tests/help/library.sh"

parts="include src plugin builders command"

# list_owners FOLDER: what the tree in CONTRIBUTING.md there names, as paths;
# folders end with a slash.  What is indented more is in the folder above, and
# what the text of a line names is in the first folder of that line.
list_owners() {
    awk '/^## / { inside = /Where things are/ }
         !inside { next }
         !/^    / { if (outer) exit; next }
         {
             above = /^      / ? outer : ""
             match($0, /[a-z*\/]  +/)
             names = substr($0, 1, RSTART)
             text = substr($0, RSTART + RLENGTH)
             if (!RSTART) { names = $0; text = "" }
             count = split(names, name, " ")
             for (i = 1; i <= count; i++)
                 print above name[i]
             folder = name[1] ~ /\/$/ ? above name[1] : above
             if (!above)
                 outer = folder
             gsub(/[^a-z0-9.\/*-]/, " ", text)
             count = split(text, name, " ")
             for (i = 1; i <= count; i++)
                 if (name[i] ~ /^[a-z0-9-]+(\/|\.[a-z*]+)$/)
                     print folder name[i]
         }' "$1/CONTRIBUTING.md"
}

# list_sources FOLDER: the C sources of the product.
list_sources() {
    (
        cd "$1"
        # shellcheck disable=SC2086 # several folders
        find $parts -name '*.[ch]'
    )
}

# find_unowned FOLDER: prints the sources that have no owner.  A folder owns all
# files in it, unless the tree names some of them.
find_unowned() {
    list_owners "$1" >owners
    list_sources "$1" | awk '
        FILENAME == "owners" {
            owner[$0] = 1
            if ($0 !~ /\/$/) {
                sub(/[^\/]*$/, "")
                names_files[$0] = 1
            }
            next
        }
        {
            folder = stem = $0
            sub(/[^\/]*$/, "", folder)
            sub(/\.[ch]$/, "", stem)
            if (!owner[$0] && !owner[stem ".*"] && !owner[stem ".c"] &&
                (!owner[folder] || names_files[folder]))
                print
        }' owners -
}

# find_gone FOLDER: prints what is in the tree and not there.
find_gone() {
    list_owners "$1" | while read -r owner; do
        # shellcheck disable=SC2086 # a pattern
        ls -d "$1"/$owner >/dev/null 2>&1 || echo "$owner"
    done
}

# find_twins FOLDER: prints the names that two files have.
find_twins() {
    list_sources "$1" | sed 's|.*/||' | sort | uniq -d
}

# expect_planted NAME COMMAND...: with an empty file of this name in a copy of the
# sources, the command prints it.
expect_planted() {
    planted=$1
    shift
    mkdir -p "copy/${planted%/*}"
    : >"copy/$planted"
    "$@" copy >found
    expect_in found "${planted##*/}"
    rm "copy/$planted"
}

list_owners "$SOURCE_DIR" >owners
[ "$(wc -l <owners)" -gt 30 ] || fail_showing owners "more were expected"
for search in find_unowned find_gone find_twins; do
    expect_silent $search "$SOURCE_DIR"
done

# --- Faults are found ---

mkdir copy
cp "$SOURCE_DIR/CONTRIBUTING.md" copy
for part in $parts doc man editors samples packaging m4 tests; do
    cp -R "$SOURCE_DIR/$part" copy
done
chmod -R u+w copy
expect_planted src/nobody.c find_unowned
expect_planted src/ruin/nobody.c find_unowned
expect_planted command/common/grid.c find_twins
mv copy/src/merge copy/src/merged
find_gone copy >found
expect_in found src/merge/
