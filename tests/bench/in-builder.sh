#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# in-builder.sh zdbsp|glbsp|elfbsp SOURCE PLUGIN WAD...
#
# Measures in a builder itself, built from a copy of its source with our lines: of
# each map its own function and the stage, with the description of the level, by
# turns in one process, 21 times each, and on the same grid.  Prints the sums of the
# medians, in processor time, for all WADs.  CXX may have flags, as ELFBSP needs.

# shellcheck disable=SC2016 # awk's variables

set -eu
here=$(cd "$(dirname "$0")" && pwd)
builder=$1
plugin=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$2" "$work/source"
chmod -R u+w "$work/source"
shift 3
rm -rf "$work/source/build"
"$here/../../builders/$builder/apply.sh" "$work/source" >"$work/said"

# Two expressions, by turns; each line that this prints begins with "own/stage".
cat >"$work/source/measure.h" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { MEASURE_ROUNDS = 21 };
static double measure_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}
static int measure_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
#define MEASURE(own, stage) \
    do { \
        static double t[2][MEASURE_ROUNDS]; \
        int i; \
        for (i = 0; i < MEASURE_ROUNDS; i++) { \
            double begin = measure_now(); \
            own; \
            t[0][i] = measure_now() - begin; \
            begin = measure_now(); \
            stage; \
            t[1][i] = measure_now() - begin; \
        } \
        qsort(t[0], MEASURE_ROUNDS, sizeof(double), measure_compare); \
        qsort(t[1], MEASURE_ROUNDS, sizeof(double), measure_compare); \
        fprintf(stderr, "\nown/stage %f %f\n", t[0][MEASURE_ROUNDS / 2], \
                t[1][MEASURE_ROUNDS / 2]); \
    } while (0)
END

# put FILE ANCHOR TEXT: before the first line with ANCHOR.
put() {
    awk -v anchor="$2" -v text="$3" '
        !done && index($0, anchor) { print text; done = 1 }
        { print }
        END { exit !done }' "$work/source/$1" >"$work/new"
    mv "$work/new" "$work/source/$1"
}

case $builder in
zdbsp)
    run() {
        "$work/source/build/zdbsp" -t -o "$work/out.wad" \
            --blockmap-plugin="$plugin" "$1"
    }
    # The lump of each is freed in its own time.
    put processor.cpp 'if (!BuildPluginBlockmap ())' '
        MEASURE ({
            FBlockmapBuilder bbuilder (Level);
            WORD *blocks = bbuilder.GetBlockmap (Level.BlockmapSize);
            Level.Blockmap = new WORD[Level.BlockmapSize];
            memcpy (Level.Blockmap, blocks, Level.BlockmapSize*sizeof(WORD));
            delete[] Level.Blockmap;
        }, {
            BuildPluginBlockmap ();
            delete[] Level.Blockmap;
        });'
    sed -i '1i #include "measure.h"' "$work/source/processor.cpp"
    cmake -S "$work/source" -B "$work/source/build" \
        -DCMAKE_BUILD_TYPE=Release >"$work/said" 2>&1 &&
        make -C "$work/source/build" >>"$work/said" 2>&1
    ;;
glbsp)
    run() {
        "$work/source/glbsp" -q -xp -normal -blockmap-plugin "$plugin" "$1" \
            -o "$work/out.wad"
    }
    sed -i 's/^void PutBlockmap(void)/static void PutOwnBlockmap(void)/
        /^  if (PutPluginBlockmap())/,/^    return;/d' \
        "$work/source/src/blockmap.c"
    cat >>"$work/source/src/blockmap.c" <<'END'
#include "measure.h"
void SetBlockmapGrid(int x, int y);
void PutBlockmap(void)
{
  SetBlockmapGrid(block_x, block_y);
  MEASURE(PutOwnBlockmap(), PutPluginBlockmap());
}
END
    cat >>"$work/source/src/blockmap-plugin.c" <<'END'
void SetBlockmapGrid(int x, int y)
{
  char text[50];
  sprintf(text, "%d,%d", x, y);
  plugin.descriptor->set_option(plugin.instance, "grid", text, NBSTAGE_BY_HOST);
}
END
    make -C "$work/source" -f Makefile.unx glbsp \
        BASE_FLAGS='-O2 -I./src -I. -DUNIX -DINLINE_G=inline' >"$work/said" 2>&1
    ;;
elfbsp)
    run() {
        "$work/source/build/elfbsp" --blockmap-plugin "$plugin" "$1" \
            --output "$work/out.wad"
    }
    put src/blockmap.cpp '  BuildPluginBlockmap(level);' '
  SetBlockmapGrid(level);
  MEASURE({ CreateBlockmap(level); CompressBlockmap(level); FreeBlockmap(level); },
          BuildPluginBlockmap(level));'
    sed -i '1i #include "measure.h"' "$work/source/src/blockmap.cpp"
    put src/blockmap.cpp 'void InitBlockmap' '
void SetBlockmapGrid(level_t &level);
static void CreateBlockmap(level_t &level);
static void CompressBlockmap(level_t &level);
static void FreeBlockmap(level_t &level);'
    cat >>"$work/source/src/blockmap-plugin.cpp" <<'END'
void SetBlockmapGrid(level_t &level);
void SetBlockmapGrid(level_t &level)
{
  std::string text = std::to_string(level.block_x) + "," + std::to_string(level.block_y);
  stage.descriptor->set_option(stage.instance, "grid", text.c_str(), NBSTAGE_BY_HOST);
}
END
    compiler=${CXX:-c++}
    cmake -S "$work/source" -B "$work/source/build" \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="${compiler%% *}" \
        -DCMAKE_CXX_FLAGS="$(echo "$compiler " | cut -d ' ' -f 2-) -I$work/source" \
        >"$work/said" 2>&1 &&
        make -C "$work/source/build" elfbsp >>"$work/said" 2>&1
    ;;
esac || {
    tail -n 30 "$work/said"
    exit 1
}

for wad in "$@"; do
    run "$wad" 2>&1
done | tr '\r' '\n' | awk -v name="$builder" '
    $1 == "own/stage" { own += $2; stage += $3; maps++ }
    END { if (!maps) exit 1
          printf "%s: %d maps, own code %.2f ms, with the stage %.2f ms: " \
                 "%.2f times as fast\n", name, maps, own / 1000, stage / 1000,
                 own / stage }'
