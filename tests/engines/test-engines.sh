#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves what the table in blocksweep-stage(7) says about engines, in both
# directions, with a model of each family (tests/help/judge): where a lump is
# used, every line is tested in each block that it touches; where it is not,
# some of the maps show it.  The maps are real ones, and small ones made for the
# lists that begin with linedef 0 by accident.

. "$SOURCE_DIR/tests/help/library.sh"

judge=$BUILD_DIR/tests/help/judge

# The small maps: a name, and the ends of each linedef.
write_room
while read -r map ends; do
    # shellcheck disable=SC2086 # numbers
    words $ends >"VERTEXES-$map"
    for line in $(seq 0 $(($(echo "$ends" | wc -w) / 4 - 1))); do
        linedef $((2 * line)) $((2 * line + 1))
    done >"LINEDEFS-$map"
    room "$map" | replacing VERTEXES "VERTEXES-$map" |
        replacing LINEDEFS "LINEDEFS-$map"
done <<'END' | wadtool make PWAD small.wad
ONEBLOCK 0 0 100 100
ONEROW 0 0 500 0
ONELINE 0 0 300 400
INSIDE 0 0 500 0 10 10 20 20
OUTSIDE 10 10 20 20 0 0 500 0
BETWEEN 0 9 200 9 0 0 500 0 0 5 90 5
END

# judge_kind KIND FILE OPTIONS: adds a line for each map of a WAD to found: the
# kind of lumps as the page has it, the options, what each engine does.
judge_kind() {
    list_names "$2" | grep -o '[^ ]* THINGS' | sed 's/THINGS/zero/' >headers
    "$judge" "$2" headers | cut -d ' ' -f 6- | sed "s/^/$1	$3	/" >>found
}

for file in "$sample" small.wad; do
    while IFS='|' read -r kind options; do
        # shellcheck disable=SC2086 # words
        expect 0 blocksweep --quiet --grid=fit $options "$file" -o out.wad
        judge_kind "$kind" out.wad "$options"
    done <<'END'
zero|--pack=share
zero|--preset=small
any|--pack=share --for=dsda-doom
any|--pack=nest --for=zandronum
none|--pack=share --for=doom19,crispy,mbf21
none|--pack=nest --for=eternity
none|--preset=vanilla
XBM1|--format=xbm1 --for=woof-dev
END
    expect_build --grid=fit "$file" -o zero.wad
    wadtool pad zero.wad out.wad 32768 0
    judge_kind extended out.wad "32768 words before lists"
    wadtool empty zero.wad out.wad
    judge_kind empty out.wad "no bytes"
done

# The table of the page: an engine, a kind of lumps, a word.  Its first row has
# the kinds.
"$judge" | sed 's/PrBoom+, //; s/^Woof, Nugget Doom/DSDA-Doom/
    s/, International Doom//' >engines
awk '/^\.Sh / { inside = /ENGINES/ }
     /^\.El/ { columns = 0 }
     !inside || !sub(/^\.It /, "") { next }
     sub(/^Em /, "") { gsub(/ Em /, " "); columns = split($0, kind, / Ta /)
                       next }
     columns { count = split($0, cell, / Ta /)
               for (i = 2; i <= columns || i <= count; i++)
                   print cell[1] "\t" kind[i] "\t" cell[i] }' \
    "$SOURCE_DIR/man/blocksweep-stage.7" >told

# Where it says "rebuilds" or "wrong", maps that do no harm are allowed, but not
# they alone.  It has no row for those that never load, and no column for zero.
awk -F '\t' '
    FILENAME == "engines" { engine[FNR] = $0; next }
    FILENAME == "told" { word[$1, $2] = $3; unseen[$1, $2]; next }
    { key = $1 ", " $2; kind[key] = $1; maps[key]++; split($3, does, " ")
      for (e in engine)
          count[key, e, does[e]]++ }
    END {
        for (key in kind)
            for (e in engine) {
                delete unseen[engine[e], kind[key]]
                loads = count[key, e, "loads"] + 0
                rebuilt = count[key, e, "rebuilds"] + 0
                crashed = count[key, e, "crashes"] + 0
                is["loads"] = loads == maps[key]
                is["rebuilds"] = rebuilt && loads + rebuilt == maps[key]
                is["crashes"] = crashed == maps[key]
                is["wrong"] = count[key, e, "wrong"] > 0
                said = engine[e] ~ /^EDGE/ ? "rebuilds" \
                    : kind[key] == "zero" ? "loads" : word[engine[e], kind[key]]
                if (!is[said])
                    print engine[e] ", " key ": not \"" said "\"; of " \
                        maps[key] " maps " loads " load, " rebuilt \
                        " are rebuilt, " crashed " crash"
            }
        for (cell in unseen) {
            split(cell, part, SUBSEP)
            print "nothing is tried of " part[1] " with " part[2]
        }
    }' engines told found >faults
[ ! -s faults ] || fail_showing faults "the page was expected to be right"
