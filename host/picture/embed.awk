# SPDX-License-Identifier: GPL-2.0-or-later
#
# Turns text files into C: page.css becomes page_css, an array of its lines that
# ends with NULL.

FNR == 1 {
    if (NR > 1)
        print "    NULL};\n"
    name = FILENAME
    sub(/.*\//, "", name)
    gsub(/[^a-z]/, "_", name)
    print "static const char *const " name "[] = {"
}

{
    gsub(/[\\"]/, "\\\\&")
    print "    \"" $0 "\\n\","
}

END { print "    NULL};" }
