# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes a header of the future from nbstage.h: version 2, whose structures have
# one more member each, appended behind the others.  NBSTAGE_LATER tells that
# it is there, for programs to fill it with what this version knows nothing of.

/^#define NBSTAGE_ABI / { print "#define NBSTAGE_ABI 2"; next }
/^#define NBSTAGE_SYMBOL / { print "#define NBSTAGE_LATER 3" }
/^struct nbstage_[a-z]* \{$/ { in_structure = 1; later = "int32_t" }
in_structure && /^    size_t size;/ { later = "size_t" }
in_structure && /^};/ {
    print "    " later " later[NBSTAGE_LATER];"
    in_structure = 0
}
{ print }
