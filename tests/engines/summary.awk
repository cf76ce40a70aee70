# SPDX-License-Identifier: GPL-2.0-or-later
#
# summary.awk what=manual MANUAL what=runs RUNS: sums up what was run, a line for
# each engine and case, and holds it against the tables of blocksweep-stage(7).
# Ends with 1 if something is not as it has to be.

BEGIN {
    # An engine as the manual calls it.
    row["chocolate-doom"] = "Doom 1.9, Chocolate Doom"
    row["crispy-doom"] = "Crispy Doom"
    row["dsda-doom"] = "Boom family, vanilla level"
    row["dsda-doom+9"] = "Boom family, below MBF21"
    row["dsda-doom+21"] = "Boom family, MBF21"
}

# A table of the manual begins with the names of its columns.
what == "manual" && /^\.It Em (header|preset|lump) / {
    table = $3
    columns = split($0, heads, " Ta ")
    for (i in heads)
        sub(/^(\.It )?Em /, "", heads[i])
}
what == "manual" && /^\.El/ { columns = 0 }
what == "manual" && columns && /^\.It [^E]/ {
    split(substr($0, 5), cells, " Ta ")
    for (i = 2; i <= columns; i++)
        manual[cells[1], table, heads[i]] = cells[i]
}

# What the manual says of a kind of lumps, however they are packed.
function expected(engine, kind, table) {
    table = "preset"
    if (kind ~ /^(any|none|cover)$/)
        table = "header"
    if (kind ~ /^(empty|xbm1|too-large)$/)
        table = "lump"
    if (kind == "cover")
        kind = "zero"
    if (kind == "xbm1")
        kind = "small XBM1"
    if (kind == "too-large")
        kind = "XBM1"
    return manual[row[engine], table, kind]
}

function tell(engine, text, is_good) {
    printf "%s: %s%s\n", engine, text, is_good ? "" : "  FAILED"
    failures += !is_good
}

# Where chance decides the manual has one word for both.
function agrees(found, want) {
    return found == want || (found == "crashes or wrong" && want == "crashes")
}

function sum_up_loads(engine, kind, key, found, want, count) {
    found = verdict(engine, kind)
    want = expected(engine, kind)
    count = kind == "too-large" ? 1 : 100
    tell(engine, sprintf("%s: %s; of %d games %d right, %d tics%s", kind,
        found, played[key], game[key, "right"], tics[key],
        agrees(found, want) ? "" : "; the manual says: " want),
        agrees(found, want) && played[key] == count)
}

# Where engines meet the lines that they met before, no game may be another.
function has_shipped_lines(kind) {
    return kind ~ /^(compatible|repack|lump-(none|share|nest)-zero)$/
}

# A grid elsewhere has to show, or nothing would.
function sum_up_demos(engine, kind, key, same, is_good) {
    same = game[key, "right"] + 0
    is_good = plain[key] == 12 && blockmap[key, "loaded"] == 12
    if (kind == "fit")
        is_good = is_good && same < 12
    if (has_shipped_lines(kind))
        is_good = is_good && same == 12
    tell(engine, sprintf("demos, %s: %d of %d as with the WAD as shipped, " \
        "%d as with plain lists, %d tics", kind, same, played[key],
        plain[key], tics[key]), is_good && played[key] == 12)
}

END {
    for (i = 1; i <= orders; i++) {
        split(order[i], part, SUBSEP)
        if (part[2] == "loads")
            sum_up_loads(part[1], part[3], order[i])
        else
            sum_up_demos(part[1], part[3], order[i])
    }
    exit failures > 0
}
