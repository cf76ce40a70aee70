# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads what the scripts of `make check-engines` print, from the file behind
# what=runs, for summary.awk and tables.awk.

what == "runs" {
    if (!(($1, $2, $3) in played))
        order[++orders] = $1 SUBSEP $2 SUBSEP $3
    played[$1, $2, $3]++
    game[$1, $2, $3, $6]++
    tics[$1, $2, $3] += $7
    blockmap[$1, $2, $3, $8]++
    plain[$1, $2, $3] += $9 == "plain"
}

# An engine that reads what is not of the lump: what comes of it is chance.
function is_chance(engine, kind) {
    return engine == "chocolate-doom" && kind == "empty"
}

# What the runs of an engine say of a kind of lumps.  Of an empty one there is
# no blockmap to be found in an engine that has not built its own.
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
    if (is_chance(engine, kind) && !game[key, "right"])
        return "crashes or wrong"
    if (game[key, "broken"])
        return "crashes"
    return blockmap[key, used] == count && game[key, "other"] ? "wrong" : "mixed"
}
