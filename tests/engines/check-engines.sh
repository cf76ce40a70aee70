#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-engines.sh: puts our lumps before source ports as distributions ship
# them, and prints a line for each engine and kind of lumps.  As many scripts run
# at a time as there are processors.
#
# Engines are those of CHOCOLATE_DOOM, CRISPY_DOOM and DSDA_DOOM; one that is
# not there, or that the observer does not know, is skipped.  Runs are kept in
# engines-runs.txt, and the tables of doc/engines.md written to
# engines-tables.md, in the folder of the build.  If all engines were there, the
# verdicts in doc/engines.md have to be those.  At the end lines are counted.

. "$SOURCE_DIR/tests/engines/play.sh"

ALL_ENGINES="chocolate-doom crispy-doom dsda-doom dsda-doom+9 dsda-doom+21"
# In the order of the tables; games of the first are right ones of others, too.
CASES="compatible repack small vanilla id boom mbf21 cover empty xbm1"
DEMO_CASES="compatible repack"
for header in zero any none; do
    for pack in share nest; do
        DEMO_CASES="$DEMO_CASES lump-$pack-$header"
    done
done
DEMO_CASES="$DEMO_CASES lump-cover-zero lump-cover-any lump-cover-none fit"

is_sanitized && skip "engines do not run with sanitizers preloaded"
[ "$(getconf LONG_BIT)" = 64 ] ||
    skip "only 64-bit builds of engines are known to observer.c"
need_freedoom
need setsid sha256sum timeout xargs
ENGINES_DIR=$folder/engines
ENGINES=
export ENGINES_DIR ENGINES
mkdir -p "$ENGINES_DIR/games"

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
            echo "$engine $(version_of "$engine")" >>versions
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
    for lumps in fit cover small boom vanilla limit-share limit-vanilla \
        limit-merged; do
        for engine in $ENGINES; do
            case $engine-$lumps in
            dsda-doom+9-limit-[vm]*) ;; # walls are passed with these
            *) echo "walls.sh $engine $lumps" ;;
            esac
        done
    done
    for case in $DEMO_CASES; do
        for wad in freedoom1 freedoom2 freedm; do
            echo "play-demos.sh $case $wad"
        done
    done
    for case in $CASES; do
        for wad in freedoom1 freedoom2 freedm; do
            echo "load-maps.sh $case $wad"
        done
    done
    echo "load-maps.sh too-large freedoom2"
    for seed in 1 2 3 4 5 6 7 8; do
        for engine in $ENGINES; do
            case $engine in
            dsda-doom) lists=boom ;;
            crispy-doom) lists=mbf ;;
            *) continue ;;
            esac
            echo "imitate.sh $lists $engine points-$seed spare-$seed"
            [ "$seed" -ne 1 ] ||
                echo "imitate.sh $lists $engine freedoom1 freedoom2 freedm"
        done
    done
}

# rows FILE: prints the rows of tables that are of engines, without versions,
# which may be others elsewhere.
rows() {
    grep -E '^\| (chocolate|crispy|dsda)-doom' "$1" | cut -d '|' -f 2,4-
}

# Holds doc/engines.md against the tables.
compare_tables() {
    [ "$ENGINES" = " $ALL_ENGINES" ] || {
        echo "doc/engines.md: not compared, engines are missing: skipped"
        return 0
    }
    rows "$SOURCE_DIR/doc/engines.md" >told
    rows "$BUILD_DIR/engines-tables.md" >found
    diff told found && echo "doc/engines.md: has these tables" ||
        echo "doc/engines.md: does not have the tables of" \
            "engines-tables.md  FAILED"
}

# Runs all jobs in a group of their own that ends with us.
run_jobs() {
    list_jobs >job-list
    setsid xargs -L 1 -P "$(getconf _NPROCESSORS_ONLN)" sh -c \
        'script=$1; shift; exec sh "$SOURCE_DIR/tests/engines/$script" "$@"' \
        sh <job-list >runs &
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

# Prints what is to tell.  What is of maps and demos is summed up; other lines
# are as they are.
tell() {
    cat lines
    grep -Ev "$maps_and_demos" runs | sort
    awk -f "$SOURCE_DIR/tests/engines/summary.awk" \
        tables="$BUILD_DIR/engines-tables.md" cases="$CASES too-large" \
        demo_cases="$DEMO_CASES" \
        what=manual "$SOURCE_DIR/man/blocksweep-stage.7" \
        what=versions versions what=runs "$BUILD_DIR/engines-runs.txt" ||
        [ $? -eq 1 ]
    compare_tables
}

# count_lines FILE: prints how many of the lines that were told are good, as
# automake does, and fails if one has failed.
count_lines() {
    awk '/FAILED/ { failed++; next }
         /^[a-z0-9+\/.-]+: .*skipped/ { skipped++; next }
         /^((chocolate|crispy|dsda)-doom[0-9+]*|doc\/engines.md): / { passed++ }
         END { printf "# PASS:  %d\n# FAIL:  %d\n# SKIP:  %d\n",
                   passed, failed, skipped
               exit failed > 0 || passed == 0 }' "$1"
}

find_engines
run_jobs
maps_and_demos='^[a-z0-9+-]+ (loads|demos) '
grep -E "$maps_and_demos" runs | sort >"$BUILD_DIR/engines-runs.txt"
tell >told-lines
cat told-lines
count_lines told-lines
