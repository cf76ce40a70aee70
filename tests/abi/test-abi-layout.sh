#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that nbstage.h means what every frozen header means: each declaration
# is as it was, each member is where it was and as large, structures without a
# size have no new ones, and in others these begin after the structure as it
# was, not in bytes that only filled it up: there, a size would not tell whether
# they are given.

. "$SOURCE_DIR/tests/help/library.sh"

today=$SOURCE_DIR/include/nbstage.h

# list_declarations HEADER: prints it without comments.
list_declarations() {
    awk -f "$SOURCE_DIR/tests/abi/declarations.awk" "$1"
}

# list_members HEADER: prints the members of structures, each behind the name of
# its own.
list_members() {
    list_declarations "$1" | awk '
        /^struct nbstage_[a-z]* \{/ { structure = $2; next }
        /^}/ { structure = "" }
        structure { member = member $0 }
        structure && /;/ { print structure, member; member = "" }'
}

# value HEADER EXPRESSION: prints what it is with this header.
value() {
    printf '#include "nbstage.h"\n#include <stdio.h>\n' >value.c
    echo "int main(void) { return printf(\"%zu\", $2) < 0; }" >>value.c
    ${CC:-cc} -std=c11 -I"${1%/*}" value.c -o value
    ./value
}

# print_changes HEADER NEW: prints what NEW has other than a frozen header, but
# what may be added: declarations, and members behind the others, which are
# "type member;", "type *member;", "type member[5];" or "type (*member)(...".
print_changes() {
    list_declarations "$2" >declarations
    list_declarations "$1" | diff - declarations | grep '^<' || :
    list_members "$1" >old
    grep -q '^nbstage_descriptor .*destroy' old ||
        fail "$1: members were not found"
    list_members "$2" | awk '
        FNR == NR { old[$1, ++count[$1]] = $0; next }
        ++seen[$1] <= count[$1] && $0 != old[$1, seen[$1]] {
            print "not where it was: " $0 >"moved"
        }
        seen[$1] == 1 {
            can_grow[$1] = / size_t size;| struct nbstage_array array;/ &&
                $1 != "nbstage_array"
        }
        count[$1] && seen[$1] > count[$1] && !can_grow[$1] {
            print "never changes: " $0 >"moved"
            next
        }
        count[$1] && seen[$1] == count[$1] + 1 {
            sub(/;.*/, "")
            structure = $1
            if (!sub(/.*\((NBSTAGE_CALL )?\*/, ""))
                sub(/.*[ *]/, "")
            sub(/[^a-z0-9_].*/, "")
            print structure, $0
        }
        END { printf "" >"moved" }' old - >added
    cat moved
    while read -r structure member; do
        size=$(value "$1" "sizeof(struct $structure)")
        place=$(value "$2" "offsetof(struct $structure, $member)")
        [ "$place" -ge "$size" ] ||
            echo "$structure.$member: new, at $place of $size bytes"
    done <added
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
expect_change '^< *size_t data_size;' \
    '/^struct nbstage_lump {/,/^}/s/size_t data_size;/uint32_t data_size;/'
expect_change '^not where it was: nbstage_host .*allocate' \
    '/^struct nbstage_host {/,/^}/s/^    void \*context;/&\n    size_t added;/'
expect_change '^< *int64_t number;' \
    '/^struct nbstage_fact {/,/^}/s/ number;/ value;/'
for structure in lump member array choice; do
    expect_change "^never changes: nbstage_$structure .*added;" \
        "/^struct nbstage_$structure {/,/^}/s/^}/    uint32_t added;\\n}/"
done
expect_change '< #define NBSTAGE_OVER_LIMIT 6' \
    's/^#define NBSTAGE_OVER_LIMIT 6/#define NBSTAGE_OVER_LIMIT 9/'
sed '/^struct nbstage_map {/,/^}/s/^}/    size_t added;\n}/' "$today" \
    >changed/nbstage.h
print_changes "$header" changed/nbstage.h | expect_text - ""

# A member in bytes that filled up a frozen structure.
mkdir frozen
sed '/^struct nbstage_map {/,/^}/s/^}/    uint32_t last;\n}/' "$today" \
    >frozen/nbstage.h
sed '/^    uint32_t last;/s/$/\n    uint32_t added;/' frozen/nbstage.h \
    >changed/nbstage.h
print_changes frozen/nbstage.h changed/nbstage.h >changes
expect_match changes '^nbstage_map.added: new, at .* of .* bytes'
