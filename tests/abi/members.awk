# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the structures of a header without comments and their members in order:
# "nbstage_map size", "nbstage_map name", ...

/^struct nbstage_[a-z]* \{/ { structure = $2; next }
/^}/ { structure = "" }

# "type member;", "type *member;", "type member[5];", "type (*member)(...", of
# which the last may go on in lines that are indented further.
structure && /^    [a-z]/ {
    sub(/;.*/, "")
    if (!sub(/.*\(\*/, ""))
        sub(/.*[ *]/, "")
    sub(/[^a-z0-9_].*/, "")
    print structure, $0
}
