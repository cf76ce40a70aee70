#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-engines.sh: puts our lumps before source ports as distributions ship
# them, and prints a line for each engine and kind of lumps.  As many scripts
# run at a time as there are processors.
#
# Engines are those of CHOCOLATE_DOOM, CRISPY_DOOM, DSDA_DOOM and WOOF; one that
# is not there, or that the observer does not know, is skipped.  Runs are kept
# in engines-runs.txt, and the tables of doc/engines.md written to
# engines-tables.md, in the folder of the build.  What doc/engines.md says of a
# version of an engine and of Freedoom has to be what was found.  At the end
# lines are counted.

. "$SOURCE_DIR/tests/engines/play.sh"

ALL_ENGINES="chocolate-doom crispy-doom dsda-doom dsda-doom+9 dsda-doom+21
woof"
# In the order of the tables; games of the first are right ones of others, too.
# The first are tried on every map, the others, which games show on any map, on
# every eighth.
CASES="compatible small boom vanilla"
MORE_CASES="extended empty xbm1 too-long"
DEMO_CASES="compatible repack lump-nest-any lump-nest-none fit inert"
TRICK_MAPS=28
READING_LUMPS=$(perl "$SOURCE_DIR/tests/engines/reading-lumps.pl" count)

is_sanitized && skip "engines do not run with sanitizers preloaded"
[ "$(getconf LONG_BIT)" = 64 ] ||
    skip "only 64-bit builds of engines are known to observer.c"
need_freedoom
need_json
need setsid sha256sum timeout xargs zdbsp glbsp
ENGINES_DIR=$folder/engines
ENGINES=
export ENGINES_DIR ENGINES
mkdir -p "$ENGINES_DIR/games"

# Prints the version that Freedoom's WADs say.
freedoom_version() {
    wadtool extract "$freedoom_dir/freedoom2.wad" "$(wadtool list \
        "$freedoom_dir/freedoom2.wad" | awk '$2 == "FREEDOOM" { print $1 }')" |
        sed 's/[^0-9.].*//'
}

# Sets ENGINES to those that are there and known, writes their versions.
find_engines() {
    write_demo MAP01 4 35 1 >probe.lmp
    for engine in $ALL_ENGINES; do
        if [ -z "$(program_of "$engine")" ]; then
            echo "$engine: skipped, it is not installed"
        elif ! is_known "$engine"; then
            echo "$engine: skipped, it is another than the tests know:" \
                "$(reason_in probe.said)"
        else
            ENGINES="$ENGINES $engine"
            echo "$engine $(freedoom_version) $(version_of "$engine")" \
                >>versions
        fi
    done >lines
    [ -n "$ENGINES" ] || {
        cat lines
        skip "no engine can be played in"
    }
}

# is_known ENGINE: the observer finds its way in the program.
is_known() {
    play "$1" "$freedoom_dir/freedoom2.wad" probe.lmp probe || :
    [ "$status" -ne 99 ] && [ -s probe ]
}

# reason_in FILE: prints what the observer has said, or what was said last.
reason_in() {
    grep '^observer: ' "$1" || tail -n 1 "$1" | grep . ||
        echo "it ended with $status"
}

# list_jobs: prints script and arguments of each.  Any three in a row are of
# different WADs or engines, so that three at a time never play the same game;
# where more run, some games may be played twice.
list_jobs() {
    for case in $DEMO_CASES; do
        for wad in freedoom1 freedoom2 freedm; do
            echo "play-demos.sh $case $wad"
        done
    done
    for case in $CASES $MORE_CASES; do
        case " $MORE_CASES " in
        *" $case "*) every=8 ;;
        *) every=1 ;;
        esac
        for wad in freedoom1 freedoom2 freedm; do
            echo "load-maps.sh $case $wad $every"
        done
    done
    echo "load-maps.sh too-large freedoom2 1"
    echo "play-sample.sh"
    for mover in player missile shot; do
        echo "play-real-walls.sh e2m1 $mover"
    done
    echo "play-real-walls.sh zdbsp player missile shot"
    echo "play-real-walls.sh glbsp player missile shot"
    seq 0 3 | sed 's/^/play-gaps.sh /'
    seq 0 $((TRICK_MAPS - 1)) | sed 's/^/play-tricks.sh /'
    seq 0 $((READING_LUMPS - 1)) | sed 's/^/play-readings.sh /'
}

# Compares each row of the tables with doc/engines.md.  The first three columns
# are its key: the engine, its version and that of Freedoom.
compare_tables() {
    awk -F ' *[|] *' '
        $4 !~ /^[0-9]+[.][0-9.]+$/ { next }
        { key = $2 " " $3 " with Freedoom " $4 " " NF }
        NR == FNR { told[key] = $0; next }
        told[key] == $0 { good++; next }
        { sub(/ [0-9]+$/, "", key) }
        told[key " " NF] { print "doc/engines.md: other row: " key "  FAILED" }
        !told[key " " NF] { print "doc/engines.md: no row: " key ": skipped" }
        END { if (good) print "doc/engines.md: has " good " of the rows found" }
    ' "$SOURCE_DIR/doc/engines.md" "$BUILD_DIR/engines-tables.md"
}

# Tells how many of the trick maps play the same without inert lines, in each
# engine, and how many are another game without lines that only by themselves
# look inert; if it is not most, the check cannot tell.
sum_up_tricks() {
    awk -v all=$TRICK_MAPS '
        $2 == "tricks" { same[$1] += $6 == "same"; other[$1] += $7 != "same" }
        END { for (engine in same)
            print engine ": " same[engine] " of " all " trick maps play the",
                "same with --prune=inert; " other[engine], "do not without all",
                "lines that look inert by themselves" \
                (same[engine] < all || other[engine] < 0.75 * all ? \
                 "  FAILED" : "") }
    ' runs | sort
}

# Tells how many walls are crossed, of those that verify says can be and of the
# others: made ones, those of real maps in rooms, and where they are.  Of the
# first two nine of ten must be, and of the others none.  Of real ones that are
# not crossed where they are it tells how many are if nothing else is listed:
# there other lines hold the mover, elsewhere floors, or what is around the map.
sum_up_walls() {
    awk '
        $2 == "walls" {
            key = $1 " " $3 " " $4; engines[$1]
            can[key] += $5; could[key] += $6; not[key] += $7; yet[key] += $8
        }
        function tell(engine, what, mover, name) {
            key = engine " " what " " mover
            fails = !not[key] || yet[key] > 0
            if (what != "maps")
                fails = fails || !can[key] || could[key] < 0.9 * can[key]
            print engine ": " mover "s cross " could[key] + 0, "of",
                can[key] + 0, name, "that they can cross, and", yet[key] + 0,
                "of", not[key] + 0, "that they cannot" \
                (fails ? "  FAILED" : "")
        }
        END {
            split("player missile shot", movers)
            for (engine in engines)
                for (i in movers) {
                    tell(engine, "gaps", movers[i], "made walls")
                    tell(engine, "rooms", movers[i], "real walls in rooms")
                    tell(engine, "maps", movers[i], "real walls in maps")
                    key = engine " alone " movers[i]
                    if (can[key])
                        print engine ": " can[key], "real walls that",
                            movers[i] "s can cross were not crossed in maps;",
                            could[key], "are if no other lines are listed"
                }
        }
    ' runs | sort
}

# Tells how many of the lumps of reading-lumps.pl each engine reads as is said,
# and how many facts of its row, made wrong, runs show.
sum_up_readings() {
    awk -v all="$READING_LUMPS" '
        $2 != "readings" { next }
        $3 == "lump" { of[$1, $4]++; so[$1] += $5 == "so"; next }
        { facts[$1] += !seen[$1, $4]++
          shown[$1] += $5 == "told" && !told[$1, $4]++ }
        END { for (engine in so)
            print engine ": reads " so[engine] " of " all " lumps as is said,",
                of[engine, "rebuilds"] + 0 " rebuilt, " of[engine, "crashes"] \
                " crash; " shown[engine] " of " facts[engine] " wrong facts",
                "show" (so[engine] < all || !facts[engine] ||
                        shown[engine] < facts[engine] ? "  FAILED" : "") }
    ' runs | sort
}

# Runs all jobs in a group of their own that ends with us, and says how far it
# is.
run_jobs() {
    list_jobs >job-list
    : >ended
    # shellcheck disable=SC2016 # for the inner shell
    setsid xargs -L 1 -P "$(getconf _NPROCESSORS_ONLN)" sh -c '
        ended=$1 all=$2 script=$3
        shift 3
        sh "$SOURCE_DIR/tests/engines/$script" "$@" || status=$?
        echo "$script $*" >>"$ended"
        echo "$(wc -l <"$ended") of $all done: $script $*" >&2
        exit "${status-0}"' sh "$folder/ended" "$(wc -l <job-list)" \
        <job-list >runs &
    group=$!
    trap 'end_jobs; exit 1' HUP INT TERM
    wait "$group" || grep -q FAILED runs ||
        echo "FAILED: a script did not come to its end" >>runs
    trap 'exit 1' HUP INT TERM
}

end_jobs() {
    kill -TERM "-$group" 2>/dev/null || :
    wait "$group" || :
}

# Prints what is to tell.  What is of maps and demos is summed up, and compared
# with the program's table, the manual and the marks of doc/engines.md; other
# lines are as they are.
tell() {
    cat lines
    grep -Ev "$maps_and_demos|^[a-z0-9+-]+ (tricks|walls|readings) " runs | sort
    sum_up_tricks
    sum_up_walls
    sum_up_readings
    awk -f "$SOURCE_DIR/tests/engines/summary.awk" \
        tables="$BUILD_DIR/engines-tables.md" \
        cases="$CASES $MORE_CASES too-large" demo_cases="$DEMO_CASES" \
        what=marks "$SOURCE_DIR/doc/engines.md" \
        what=versions versions what=runs "$BUILD_DIR/engines-runs.txt" ||
        [ $? -eq 1 ]
    compare_tables
}

# count_lines FILE: prints how many of the lines that were told are good, as
# automake does, and fails if one has failed.
count_lines() {
    awk '/FAILED/ { failed++; next }
         /^[a-z0-9+\/.-]+: .*skipped/ { skipped++; next }
         /^([a-z]+-doom[0-9+]*|woof|doc\/engines.md): / { passed++ }
         END { printf "# PASS:  %d\n# FAIL:  %d\n# SKIP:  %d\n",
                   passed, failed, skipped
               exit failed > 0 || passed == 0 }' "$1"
}

find_engines
run_jobs
maps_and_demos='^([a-z0-9+-]+ (loads|demos)|table) '
grep -E "$maps_and_demos" runs | sort >"$BUILD_DIR/engines-runs.txt"
tell >told-lines
cat told-lines
count_lines told-lines
