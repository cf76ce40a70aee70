# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes of nbstage.h the header of a later release, in which structures have one
# more member each, after the others; nbstage_member and nbstage_array, which
# are within others, stay as they are.

/^#define NBSTAGE_SYMBOL / { print "#define NBSTAGE_LATER 3" }
/^struct nbstage_[a-z]* \{$/ && !/_(member|array) / { in_structure = 1; later = "int32_t" }
in_structure && /^    size_t size;/ { later = "size_t" }
in_structure && /^};/ {
    print "    " later " later[NBSTAGE_LATER];"
    in_structure = 0
}
{ print }
