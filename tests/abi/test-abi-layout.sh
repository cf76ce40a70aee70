#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that nbstage.h declares what tests/abi/nbstage-stored.h does, and that
# it means what every frozen copy of it means: each constant has the value that
# it had, each member is where it was and as large, and new members begin after
# the structure as it was, not in bytes that only filled it up: there, a size
# would not tell whether they are given.  With --renew (`make renew-abi`) stores
# what nbstage.h declares now.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

today=$SOURCE_DIR/plugin/nbstage.h
stored=$SOURCE_DIR/tests/abi/nbstage-stored.h

# list_declarations HEADER: prints it without comments.
list_declarations() {
    awk -f "$SOURCE_DIR/tests/abi/declarations.awk" "$1"
}

list_declarations "$today" >declarations
if [ "${1-}" = --renew ]; then
    head -n 3 "$stored" | cat - declarations >renewed
    cp renewed "$stored"
    exit
fi
list_declarations "$stored" | diff - declarations ||
    fail "nbstage.h declares something else than what is stored." \
        "Structures may get members at their ends, the header new constants" \
        "and structures; then store it with 'make renew-abi'.  Anything else" \
        "breaks hosts and stages that exist."

# list_constants HEADER: prints all but the version, with their values.
list_constants() {
    sed -n '/^#define NBSTAGE_ABI /d
        s/^#define \(NBSTAGE_[A-Z0-9_]*\) \([^ ]*\).*/\1 \2/p' "$1" | sort
}

# find_layout HEADER FILE: writes into the file for each of its members
# "STRUCTURE MEMBER OFFSET BYTES BYTES-OF-STRUCTURE".
find_layout() {
    list_declarations "$1" |
        awk -f "$SOURCE_DIR/tests/abi/members.awk" >members
    grep -qx 'nbstage_descriptor destroy' members ||
        fail "$1: members were not found"
    sed 's/\(.*\) \(.*\)/MEMBER(\1, \2)/' members >members.h
    ${CC:-cc} -std=c11 -I. -I"${1%/*}" "$SOURCE_DIR/tests/abi/layout.c" \
        -o layout
    ./layout >"$2"
}

# print_misplaced OLD NEW: prints the members that are gone or not where they
# were, and those that are new and begin within the structure as it was.
print_misplaced() {
    awk 'FNR == NR {
             place[$1 "." $2] = $4 " bytes at " $3
             end[$1] = $5
             next
         }
         {
             member = $1 "." $2
             found = $4 " bytes at " $3
         }
         member in place {
             if (found != place[member])
                 print member ": " found ", not " place[member]
             delete place[member]
             next
         }
         $1 in end && $3 < end[$1] {
             print member ": new, at " $3 " of " end[$1] " bytes"
         }
         END {
             for (member in place)
                 print member ": gone"
         }' "$1" "$2"
}

list_constants "$today" >constants
find_layout "$today" new
for header in "$SOURCE_DIR"/tests/abi/*/nbstage.h; do
    name=$(basename "$(dirname "$header")")

    list_constants "$header" >old-constants
    grep -q '^NBSTAGE_NONE 0xFFFFFFFFu$' old-constants ||
        fail "$name: constants were not found"
    comm -23 old-constants constants >changed
    [ ! -s changed ] || {
        cat changed
        fail "these constants of $name have other values in nbstage.h"
    }

    find_layout "$header" old
    print_misplaced old new >misplaced
    [ ! -s misplaced ] || {
        cat misplaced
        fail "nbstage.h does not lay out structures as $name does"
    }
done
