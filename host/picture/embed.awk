# SPDX-License-Identifier: GPL-2.0-or-later
#
# Turns page.css, page.js and page.html, in this order, into C: page_html, an
# array of lines that ends with NULL.  In page.html, "@page.css@" and
# "@page.js@" stand for these files.

BEGIN { print "static const char *const page_html[] = {" }

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
    if (name == "page.html")
        printf "%s", line
    else
        files[name] = files[name] line
}

END { print "    NULL};" }
