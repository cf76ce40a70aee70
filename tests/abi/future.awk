# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes of nbstage.h the header of a later release, in which structures have one
# more member each, after the others.  nbstage_array and structures without a
# size stay as they are.

/^#define NBSTAGE_SYMBOL / { print "#define NBSTAGE_LATER 3" }
/^struct nbstage_[a-z]* \{$/ { may_grow = 0; is_array = /_array / }
/^    (size_t size|struct nbstage_array array);/ { may_grow = !is_array }
may_grow && /^};/ {
    print "    size_t later[NBSTAGE_LATER];"
    may_grow = 0
}
{ print }
