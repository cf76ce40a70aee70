# SPDX-License-Identifier: GPL-2.0-or-later
#
# Turns the last of its files, such as page.html, into C: page_html, an array of
# lines that ends with NULL.  There "@page.css@" stands for the file page.css, if
# that is one of those before.

BEGIN {
    last = ARGV[ARGC - 1]
    sub(/.*\//, "", last)
    array = last
    sub(/\./, "_", array)
    print "static const char *const " array "[] = {"
}

FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
}

/^@page\./ {
    gsub(/@/, "")
    printf "%s", files[$0]
    next
}

{
    gsub(/[\\"]/, "\\\\&")
    line = "    \"" $0 "\\n\",\n"
    if (name == last)
        printf "%s", line
    else
        files[name] = files[name] line
}

END { print "    NULL};" }
