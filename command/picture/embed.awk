# SPDX-License-Identifier: GPL-2.0-or-later
#
# Turns files, such as page.html, into C: each into an array of its lines, such
# as page_html, that ends with NULL.

FNR == 1 {
    print NR == 1 ? "#include \"picture/picture.h\"" : "    NULL};"
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\./, "_", name)
    print "const char *const " name "[] = {"
}

{
    gsub(/[\\"?]/, "\\\\&")
    print "    \"" $0 "\\n\","
}

END { print "    NULL};" }
