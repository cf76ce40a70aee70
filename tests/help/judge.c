// SPDX-License-Identifier: GPL-2.0-or-later
//
// BLOCKMAP lumps judged by plain means: the tests' model of the engines, and
// lists read one by one and compared with brute force.
//
//   judge FILE HEADERS
//       prints for each map: its name; how many linedefs are missing in lists
//       that can be read, are in blocks outside the grid, and are listed in
//       blocks that they are not in, and how many lists cannot be read, or
//       "- - - -" without a grid; then a word for each engine.  The file
//       HEADERS has for each map its name and what its lists begin with:
//       "zero", "any", "mixed" or "none"
//   judge   prints the names of the engines, in that order

#include "blocklists.h"
#include "buffer.h"
#include "engines.h"
#include "wadfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 1 << 16 }; // in 16.16

static void judge_lists(const struct wadfile_lump *lump,
                        const struct oracle_line *lines, size_t line_count,
                        const char *headers)
{
    static const char *const names[] = {"zero", "any", "none", "mixed"};
    struct blocklists lists;
    struct judgement judgement;
    size_t header = 0;
    while (header < LISTS_MIXED && strcmp(names[header], headers) != 0)
        header++;
    if (!blocklists_open(lump->data, lump->size, &lists)) {
        printf(" - - - -");
        return;
    }
    blocklists_judge(&lists, (enum blocklists_header)header, lines, line_count,
                     NULL, UINT64_MAX, &judgement);
    printf(" %zu %zu %zu %zu", judgement.counts.missing, judgement.outside,
           judgement.counts.extra, judgement.counts.unreadable);
    blocklists_free(&lists);
}

// Whether an engine does not test a line in a block that it touches.
static bool engine_misses(const struct engine_blockmap *blockmap,
                          const struct oracle_line *lines, size_t line_count)
{
    const struct oracle_grid grid = {
        blockmap->origin_x / UNIT, blockmap->origin_y / UNIT,
        (uint32_t)blockmap->columns, (uint32_t)blockmap->rows};
    if (!oracle_encloses(&grid, lines, line_count))
        return true;
    struct oracle_entry_list truth =
        oracle_find_entries(&grid, lines, line_count);
    size_t missed = engine_count_missed(blockmap, &truth, line_count);
    oracle_free_entries(&truth);
    return missed > 0;
}

static void judge_engines(const struct wadfile_lump *lump,
                          const struct oracle_line *lines, size_t line_count)
{
    static const char *const words[] = {"loads", "rebuilds", "crashes"};
    unsigned char *bytes = buffer_copy_exactly(lump->data, lump->size);
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        struct engine_blockmap blockmap;
        enum engine_verdict verdict =
            engine_load(&engines[e], bytes, lump->size, line_count, &blockmap);
        bool misses = verdict == ENGINE_LOADS &&
                      engine_misses(&blockmap, lines, line_count);
        printf(" %s", misses ? "wrong" : words[verdict]);
        engine_blockmap_free(&blockmap);
    }
    free(bytes);
}

static void judge_map(const struct wadfile_map *map, const char *headers)
{
    const struct wadfile_lump *lump = wadfile_find_lump(map, "BLOCKMAP");
    struct random_map arrays = wadfile_arrays(map);
    struct oracle_line *lines = random_map_oracle_lines(&arrays);
    printf("%s", map->name);
    judge_lists(lump, lines, arrays.line_count, headers);
    judge_engines(lump, lines, arrays.line_count);
    putchar('\n');
    free(lines);
    random_map_free(&arrays);
}

int main(int argc, char **argv)
{
    for (size_t e = 0; argc == 1 && e < ENGINE_COUNT; e++)
        puts(engines[e].name);
    if (argc == 1)
        return 0;
    struct wadfile wad = wadfile_read(argv[1]);
    FILE *file = fopen(argv[2], "r");
    for (size_t i = 0; i < wad.map_count; i++) {
        char name[16];
        char headers[16];
        if (!file || fscanf(file, "%15s %15s", name, headers) != 2 ||
            strcmp(name, wad.maps[i].name) != 0) {
            fprintf(stderr, "judge: no headers of %s\n", wad.maps[i].name);
            return 2;
        }
        judge_map(&wad.maps[i], headers);
    }
    fclose(file);
    wadfile_free(&wad);
    return 0;
}
