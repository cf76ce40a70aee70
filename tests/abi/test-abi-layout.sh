#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that nbstage.h means what every frozen header means: each declaration
# is as it was, each member is where it was and as large, and new members begin
# after the structure as it was, not in bytes that only filled it up: there, a
# size would not tell whether they are given.
#
# Until version 1 is released, a change of the interface changes its header:
#     awk -f tests/abi/declarations.awk plugin/nbstage.h \
#         >tests/abi/version-1/nbstage.h

. "$SOURCE_DIR/tests/help/library.sh"

today=$SOURCE_DIR/plugin/nbstage.h

# list_declarations HEADER: prints it without comments.
list_declarations() {
    awk -f "$SOURCE_DIR/tests/abi/declarations.awk" "$1"
}

# Prints the structures of declarations and their members in order: "nbstage_map
# size", "nbstage_map name", ...  These are "type member;", "type *member;",
# "type member[5];", "type (NBSTAGE_CALL *member)(...", of which the last may go on in lines
# that are indented further.
list_members() {
    awk '/^struct nbstage_[a-z]* \{/ { structure = $2; next }
         /^}/ { structure = "" }
         structure && /^    [a-z]/ {
             sub(/;.*/, "")
             if (!sub(/.*\((NBSTAGE_CALL )?\*/, ""))
                 sub(/.*[ *]/, "")
             sub(/[^a-z0-9_].*/, "")
             print structure, $0
         }'
}

cat >layout.c <<'EOM'
#include "nbstage.h"
#include <stdio.h>
#define MEMBER(structure, member) \
    printf("%s %s %zu %zu %zu\n", #structure, #member, \
           offsetof(struct structure, member), \
           sizeof(((struct structure *)0)->member), sizeof(struct structure));
int main(void)
{
#include "members.h"
    return 0;
}
EOM

# find_layout HEADER FILE: writes into the file for each of its members
# "STRUCTURE MEMBER OFFSET BYTES BYTES-OF-STRUCTURE".
find_layout() {
    list_declarations "$1" | list_members >members
    grep -qx 'nbstage_descriptor destroy' members ||
        fail "$1: members were not found"
    sed 's/\(.*\) \(.*\)/MEMBER(\1, \2)/' members >members.h
    ${CC:-cc} -std=c11 -I. -I"${1%/*}" layout.c -o layout
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

list_declarations "$today" >declarations
find_layout "$today" new
for header in "$SOURCE_DIR"/tests/abi/*/nbstage.h; do
    name=$(basename "$(dirname "$header")")

    # Declarations may be added.
    list_declarations "$header" | diff - declarations | grep '^<' &&
        fail "these declarations of $name are not in nbstage.h"

    find_layout "$header" old
    print_misplaced old new >misplaced
    [ ! -s misplaced ] ||
        fail_showing misplaced \
            "nbstage.h does not lay out structures as $name does"
done
