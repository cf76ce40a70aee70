# SPDX-License-Identifier: GPL-2.0-or-later
#
# summary.awk tables=FILE cases=... demo_cases=... what=manual MANUAL
#     what=versions VERSIONS what=runs RUNS
#
# Sums up what the scripts of `make check-engines` printed, a line for each
# engine and case, and holds it against the tables of blocksweep-stage(7).
# Writes the tables of doc/engines.md, with these cases in their columns.
# VERSIONS has a line for each engine: the engine, the version of Freedoom, and
# what it says of itself.
# Ends with 1 if something is not as it has to be.

BEGIN {
    LEAST_DEMOS = 11 # in the WADs of a version of Freedoom

    # An engine as the manual calls it.
    row["chocolate-doom"] = "Doom 1.9, Chocolate Doom"
    row["crispy-doom"] = "Crispy, International Doom"
    row["woof"] = "Boom family, vanilla level"
    row["dsda-doom"] = "Boom family, vanilla level"
    row["dsda-doom+9"] = "Boom family, below MBF21"
    row["dsda-doom+21"] = "Boom family, MBF21"
}

# The table of the manual begins with the names of its columns.
what == "manual" && /^\.It Em lump / {
    columns = split($0, heads, " Ta ")
    for (i in heads)
        sub(/^(\.It )?Em /, "", heads[i])
}
what == "manual" && /^\.El/ { columns = 0 }
what == "manual" && columns && /^\.It / && !/^\.It Em / {
    split(substr($0, 5), cells, " Ta ")
    for (i = 2; i <= columns; i++)
        manual[cells[1], heads[i]] = cells[i]
}

what == "versions" {
    names[++engines] = $1
    version[$1] = substr($0, length($1 " " $2) + 2) " | " $2
}

what == "runs" {
    if (!(($1, $2, $3) in played))
        order[++orders] = $1 SUBSEP $2 SUBSEP $3
    played[$1, $2, $3]++
    game[$1, $2, $3, $6]++
    tics[$1, $2, $3] += $7
    blockmap[$1, $2, $3, $8]++
    plain[$1, $2, $3] += $9 == "plain"
}

# What the manual says of a kind of lumps, however they are packed: all engines
# load those with zero headers, and a lump that is too large is as an empty one.
function expected(engine, kind) {
    if (kind ~ /^(compatible|repack|small)$/)
        return "loads"
    if (kind == "boom")
        kind = "any"
    if (kind ~ /^(mbf21|vanilla)$/)
        kind = "none"
    if (kind == "xbm1" || kind == "too-large" && engine == "chocolate-doom")
        kind = "XBM1"
    if (kind == "too-large")
        kind = "empty"
    return manual[row[engine], kind]
}

# What the runs of an engine say of a kind of lumps.  Of an empty one there is
# no blockmap to be found in an engine that has not built its own; Chocolate Doom
# reads what is not of the lump then, and what comes of it is chance.
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
    if (engine kind == "chocolate-doomempty" && !game[key, "right"])
        return "crashes or wrong"
    if (game[key, "broken"])
        return "crashes"
    return blockmap[key, used] == count && game[key, "other"] ? "wrong" : "mixed"
}

# Whether the lumps were made for the games that this engine plays.  Those for
# MBF21 have the same bytes as those for Doom 1.9 and Crispy Doom.
function is_made_for(engine, kind) {
    if (kind == "boom")
        return engine ~ /^(dsda-doom(\+9)?|woof)$/
    if (kind == "mbf21")
        return engine ~ /^(chocolate-doom|crispy-doom|dsda-doom\+21)$/
    return kind == "vanilla" && engine == "chocolate-doom"
}

function tell(engine, text, is_good) {
    printf "%s: %s%s\n", engine, text, is_good ? "" : "  FAILED"
    failures += !is_good
}

# Where chance decides the manual has one word for both.
function sum_up_loads(engine, kind, key, found, want, agrees) {
    found = verdict(engine, kind)
    want = expected(engine, kind)
    agrees = found == want || found == "crashes or wrong" && want == "crashes"
    if (is_made_for(engine, kind))
        agrees = agrees && found == "loads"
    tell(engine, sprintf("%s: %s; of %d games %d right, %d tics%s", kind,
        found, played[key], game[key, "right"], tics[key],
        agrees ? "" : "; the manual says: " want),
        agrees && played[key] == (kind == "too-large" ? 1 : 100))
}

# Where engines meet the lines that they met before, no game may be another.  A
# grid elsewhere has to show, or nothing would.
function sum_up_demos(engine, kind, key, same, is_good) {
    same = game[key, "right"] + 0
    is_good = played[key] >= LEAST_DEMOS && plain[key] == played[key] &&
        blockmap[key, "loaded"] == played[key]
    if (kind == "fit")
        is_good = is_good && same < played[key]
    if (kind ~ /^(compatible|repack|lump-(share|nest)-zero)$/)
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
    for (i = 1; i <= orders; i++) {
        split(order[i], part, SUBSEP)
        if (part[2] == "loads")
            sum_up_loads(part[1], part[3], order[i])
        else
            sum_up_demos(part[1], part[3], order[i])
    }
    print_table(cases, 0)
    print "" >tables
    print_table(demo_cases, 1)
    exit failures > 0
}
