# SPDX-License-Identifier: GPL-2.0-or-later
#
# tables.awk what=versions VERSIONS what=runs RUNS: prints the tables of
# doc/engines.md.  VERSIONS has a line for each engine: the engine, and what it
# says of itself.

what == "versions" {
    names[++engines] = $1
    version[$1] = substr($0, length($1) + 2)
}

function print_row(first, second, list, is_demos, count, kinds, i, key) {
    count = split(list, kinds)
    printf "| %s | %s |", first, second
    for (i = 1; i <= count; i++) {
        key = first SUBSEP "demos" SUBSEP kinds[i]
        printf " %s |", second == "version" ? kinds[i] \
            : is_demos ? game[key, "right"] + 0 \
            : verdict(first, kinds[i])
    }
    print ""
}

function print_table(list, is_demos, i, line) {
    print_row("engine", "version", list, is_demos)
    line = "|---|---|" list "|"
    gsub(/[a-z][a-z0-9-]*/, "---|", line)
    gsub(/[ ]|\|$/, "", line)
    print line
    for (i = 1; i <= engines; i++)
        if (!is_demos || names[i] !~ /\+/)
            print_row(names[i], version[names[i]], list, is_demos)
}

END {
    print_table("compatible repack small vanilla id any none cover empty xbm1 " \
        "too-large", 0)
    print ""
    print_table("compatible repack lump-none-zero lump-share-zero " \
        "lump-nest-zero lump-none-any lump-share-any lump-nest-any " \
        "lump-none-none lump-share-none lump-nest-none " \
        "lump-cover-zero lump-cover-any lump-cover-none fit", 1)
}
