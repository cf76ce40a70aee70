#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that nbstage.h means what every frozen header means: each declaration
# is as it was, each member is where it was and as large, and new members begin
# after the structure as it was, not in bytes that only filled it up: there, a
# size would not tell whether they are given.

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

# print_changes HEADER NEW: prints what NEW has other than a frozen header, but
# what may be added: declarations, and members behind the others.
print_changes() {
    list_declarations "$2" >declarations
    list_declarations "$1" | diff - declarations | grep '^<' || :
    find_layout "$1" old
    find_layout "$2" new
    print_misplaced old new
}

for header in "$SOURCE_DIR"/tests/abi/*/nbstage.h; do
    name=$(basename "$(dirname "$header")")
    print_changes "$header" "$today" >changes
    [ ! -s changes ] ||
        fail_showing changes "nbstage.h has other things than $name has"
done

# expect_change FOUND EDIT: a header with this change is found to have it.
mkdir changed
expect_change() {
    sed "$2" "$today" >changed/nbstage.h
    ! cmp -s "$today" changed/nbstage.h || fail "$2 changes nothing"
    print_changes "$header" changed/nbstage.h >changes
    expect_match changes "$1"
}

header=$SOURCE_DIR/tests/abi/version-1/nbstage.h
expect_change 'nbstage_lump.data_size: 4 bytes at' \
    '/^struct nbstage_lump {/,/^}/s/size_t data_size;/uint32_t data_size;/'
expect_change 'nbstage_host.log: .* at 40, not .* at 32' \
    '/^struct nbstage_host {/,/^}/s/^    void \*context;/&\n    size_t added;/'
expect_change 'nbstage_fact.value: gone' \
    '/^struct nbstage_fact {/,/^}/s/ value;/ number;/'
expect_change 'nbstage_lump.added: new, at .* of .* bytes' \
    '/^struct nbstage_lump {/,/^}/s/^}/    uint32_t added;\n}/'
expect_change '< #define NBSTAGE_OVER_LIMIT 6' \
    's/^#define NBSTAGE_OVER_LIMIT 6/#define NBSTAGE_OVER_LIMIT 9/'
sed '/^struct nbstage_map {/,/^}/s/^}/    size_t added;\n}/' "$today" \
    >changed/nbstage.h
print_changes "$header" changed/nbstage.h | expect_text - ""
