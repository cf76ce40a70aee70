# SPDX-License-Identifier: GPL-2.0-or-later
#
# summary.awk tables=FILE cases=... demo_cases=...
#     what=marks MARKS what=versions VERSIONS what=runs RUNS
#
# Sums up what the scripts of `make check-engines` printed, a line for each
# engine and case.  On each map an engine has to do what the table of the
# program says, as `verify` prints it, and over all maps the worst of that; the
# manual has the same table, see test-engines.sh.  The marks of doc/engines.md,
# MARKS, have to say that rows were run which were, and no others.
#
# Writes the tables of doc/engines.md, with these cases in their columns.
# VERSIONS has a line for each engine: the engine, the version of Freedoom, and
# what it says of itself.
# Ends with 1 if something is not as it has to be.

BEGIN {
    LEAST_DEMOS = 11 # in the WADs of a version of Freedoom
    WORSE = "loads rebuilds wrong crashes" # one after the other

    # An engine as the manual calls it.
    boom = "PrBoom+, DSDA-Doom"
    row["chocolate-doom"] = "Doom 1.9, Chocolate Doom"
    row["crispy-doom"] = "Crispy Doom, International Doom"
    row["woof"] = "Woof, Nugget Doom (vanilla)"
    row["dsda-doom"] = boom " (vanilla)"
    row["dsda-doom+9"] = boom " (below MBF21)"
    row["dsda-doom+21"] = "DSDA-Doom (MBF21)"
}

# How rows are known: by runs of versions, or from source.
what == "marks" && /^\| [^|]* \| (runs|source)/ {
    split($0, cells, / *[|] */)
    mark[cells[2]] = tolower(cells[3])
}

what == "versions" {
    names[++engines] = $1
    sub(/ $/, "")
    version[$1] = substr($0, length($1 " " $2) + 2) " | " $2
}

what == "runs" && $1 == "table" {
    kind = $2
    wad = $3
    map = $4
    said = $5
    sub(/^[^ ]+ [^ ]+ [^ ]+ [^ ]+ [^ ]+ /, "")
    table[kind, wad, map, $0] = said
}
what == "runs" && $2 ~ /^(loads|demos)$/ {
    if (!(($1, $2, $3) in played))
        order[++orders] = $1 SUBSEP $2 SUBSEP $3
    played[$1, $2, $3]++
    game[$1, $2, $3, $6]++
    tics[$1, $2, $3] += $7
    blockmap[$1, $2, $3, $8]++
    plain[$1, $2, $3] += $9 == "plain"
    if ($2 == "loads")
        maps[++map_count] = $0
}

# Whether what an engine did with a lump is what the program says.  A lump that
# is wrong need not show it in a game, but does on some maps; see sum_up_loads.
function is_as_said(said, result, used) {
    if (said == "loads")
        return result == "right" && used == "loaded"
    if (said == "rebuilds")
        return result != "broken" && used == "rebuilt"
    if (said == "wrong")
        return result != "broken" && used == "loaded"
    return said == "crashes" && result != "right"
}

# Compares each map's game with what the program says of its lump.  The worst
# that it says of a kind of lumps is in worst.
function compare_maps(i, part, key, said) {
    for (i = 1; i <= map_count; i++) {
        split(maps[i], part, " ")
        key = part[1] SUBSEP part[3]
        said = table[part[3], part[4], part[5], row[part[1]]]
        odd[key] += !is_as_said(said, part[6], part[8])
        if (!(key in worst) || index(WORSE, said) > index(WORSE, worst[key]))
            worst[key] = said
    }
}

# What the runs of an engine say of a kind of lumps.  Of an empty one there is
# no blockmap to be found in an engine that has not built its own; Chocolate
# Doom reads what is not of the lump then, and what comes of it is chance.
function verdict(engine, kind, key, count, used) {
    key = engine SUBSEP "loads" SUBSEP kind
    count = played[key]
    used = kind == "empty" ? "none" : "loaded"
    if (!count)
        return "not run"
    if (blockmap[key, "complaint"])
        return "complaint"
    if (blockmap[key, "rebuilt"] == count && !game[key, "broken"])
        return "rebuilds"
    if (blockmap[key, "loaded"] == count && game[key, "right"] == count)
        return "loads"
    if (blockmap[key, "rebuilt"])
        return "mixed"
    if (engine kind ~ /^chocolate-doom(empty|extended)$/ && !game[key, "right"])
        return "crashes or wrong"
    if (game[key, "broken"])
        return "crashes"
    return blockmap[key, used] == count && game[key, "other"] ? "wrong" : "mixed"
}

function tell(engine, text, is_good) {
    printf "%s: %s%s\n", engine, text, is_good ? "" : "  FAILED"
    failures += !is_good
}

# Where chance decides, the runs have one word for both.
function sum_up_loads(engine, kind, key, found, said, is_good, text) {
    key = engine SUBSEP "loads" SUBSEP kind
    found = verdict(engine, kind)
    said = worst[engine, kind]
    is_good = !odd[engine, kind] && (found == said ||
        found == "crashes or wrong" && said == "crashes")
    text = is_good ? "" : sprintf("; the program says %s, and something else " \
        "of %d", said, odd[engine, kind])
    tell(engine, sprintf("%s: %s; of %d games %d right, %d tics%s", kind,
        found, played[key], game[key, "right"], tics[key], text), is_good)
}

# Whether doc/engines.md says that rows are known by runs of those that are run
# here, and of no others.
function check_marks(name, is_run, bad) {
    for (name in row)
        is_run[row[name]] = 1
    for (name in is_run)
        if (!(name in mark))
            bad = bad "; no mark of " name
    for (name in mark)
        if ((name in is_run) != (mark[name] ~ /^runs/))
            bad = bad "; not so of " name
    tell("doc/engines.md", "what runs are said to have shown" bad, bad == "")
}

# Where engines meet the lines that they met before, no game may be another.  A
# grid elsewhere has to show, or nothing would.
function sum_up_demos(engine, kind, key, same, is_good) {
    same = game[key, "right"] + 0
    # Without inert lines a player may slide differently; the table says where.
    is_good = played[key] >= LEAST_DEMOS &&
        blockmap[key, "loaded"] == played[key] &&
        plain[key] >= played[key] - (kind == "inert")
    if (kind == "fit")
        is_good = is_good && same < played[key]
    if (kind ~ /^(compatible|repack)$/)
        is_good = is_good && same == played[key]
    tell(engine, sprintf("demos, %s: %d of %d as with the WAD as shipped, " \
        "%d as with plain lists, %d tics", kind, same, played[key],
        plain[key], tics[key]), is_good)
}

function print_row(first, second, list, is_demos, count, kinds, i) {
    count = split(list, kinds)
    printf "| %s | %s |", first, second >tables
    for (i = 1; i <= count; i++)
        printf " %s |", (second ~ /^version/ ? kinds[i] \
            : is_demos ? game[first, "demos", kinds[i], "right"] + 0 \
            : verdict(first, kinds[i])) >tables
    print "" >tables
}

function print_table(list, is_demos, i, line) {
    print_row("engine", "version | Freedoom", list, is_demos)
    line = "|---|---|---| " list
    gsub(/ [^ ]+/, "---|", line)
    print line >tables
    for (i = 1; i <= engines; i++)
        if (!is_demos || names[i] !~ /\+/)
            print_row(names[i], version[names[i]], list, is_demos)
}

END {
    compare_maps()
    count = split(cases, kinds)
    for (i = 1; i <= engines; i++)
        for (j = 1; j <= count; j++)
            sum_up_loads(names[i], kinds[j])
    for (i = 1; i <= orders; i++) {
        split(order[i], part, SUBSEP)
        if (part[2] == "demos")
            sum_up_demos(part[1], part[3], order[i])
    }
    check_marks()
    print_table(cases, 0)
    print "" >tables
    print_table(demo_cases, 1)
    exit failures > 0
}
