// SPDX-License-Identifier: GPL-2.0-or-later

#include "placements.h"

#include "search/search.h"

#include <check.h>
#include <stdlib.h>

enum {
    ALONG = 128,   // offsets of an origin
    Y_STRIDE = 37, // scorers are started at offsets in no order
    BUILT = 64,    // lumps, where scores only rank
};

static void expect_ok(struct context *context, nbstage_status status)
{
    if (status != NBSTAGE_OK) // Check notes assertions, which takes long
        ck_abort_msg("%s", context->message);
}

struct lines placements_lines(struct context *context,
                              const struct nbstage_map *given)
{
    struct nodes no_nodes = {0};
    struct map map;
    struct lines lines;
    expect_ok(context, map_read(context, given, false, &map));
    expect_ok(context, lines_gather(context, &map, &no_nodes, NULL, &lines));
    map_free(context, &map);
    return lines;
}

int32_t placements_along(int32_t lowest)
{
    int32_t count = 0;
    while (count < ALONG && lowest - count >= INT16_MIN)
        count++;
    return count;
}

// Returns how many lists are stored.
static size_t build(struct context *context, const struct lines *lines,
                    const struct grid *grid, struct pack_form pack,
                    struct lump_measure *measure)
{
    struct entries entries;
    struct lists lists;
    struct list_area area;
    expect_ok(context, entries_find(context, lines, grid, &entries));
    expect_ok(context, lists_build(context, grid, &entries, &lists));
    expect_ok(context, pack_lists(context, &lists, pack, false, &area));
    size_t count = area.stored_count;
    *measure = lump_measure(&area);
    entries_free(context, &entries);
    list_area_free(context, &area);
    return count;
}

static struct grid grid_at(const struct lines *lines, int32_t x, int32_t y)
{
    return grid_from(lines->min_x - x, lines->min_y - y, lines);
}

static bool is_better(const struct lump_measure *measure,
                      const struct lump_measure *best, enum lump_limit limit)
{
    bool meets = lump_meets(measure, limit);
    bool best_meets = lump_meets(best, limit);
    return meets != best_meets ? meets : measure->word_count < best->word_count;
}

struct ranked {
    struct grid grid;
    size_t number;
    uint64_t words; // of its lists shared
};

static int compare_words(const void *first, const void *second)
{
    const struct ranked *a = first, *b = second;
    if (a->words != b->words)
        return a->words < b->words ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

static int compare_numbers(const void *first, const void *second)
{
    const struct ranked *a = first, *b = second;
    return a->number < b->number ? -1 : 1;
}

// Leaves the first grid and those of the fewest words, in their order; returns
// how many.
static size_t leave_the_best(struct context *context, const struct lines *lines,
                             enum list_header header, struct ranked *ranked,
                             size_t count)
{
    const struct pack_form shared = {PACK_SHARE, HEADER_ZERO};
    for (size_t i = 1; i < count; i++) {
        struct lump_measure measure;
        size_t lists = build(context, lines, &ranked[i].grid, shared, &measure);
        ranked[i].words =
            measure.word_count - (header == HEADER_NONE ? lists : 0);
    }
    qsort(ranked, count, sizeof *ranked, compare_words);
    count = count < BUILT ? count : BUILT;
    qsort(ranked, count, sizeof *ranked, compare_numbers);
    return count;
}

struct placement placements_search(struct context *context,
                                   const struct lines *lines,
                                   enum lump_limit limit, struct pack_form pack)
{
    int32_t along_x = placements_along(lines->min_x);
    int32_t along_y = placements_along(lines->min_y);
    static struct ranked ranked[ALONG * ALONG];
    size_t count = 0;
    for (int32_t y = 0; y < along_y; y++)
        for (int32_t x = 0; x < along_x; x++, count++)
            ranked[count] =
                (struct ranked){.grid = grid_at(lines, x, y), .number = count};
    if (pack.mode > PACK_SHARE || pack.header != HEADER_ZERO)
        count = leave_the_best(context, lines, pack.header, ranked, count);
    struct placement best = {.measure.word_count = UINT64_MAX};
    for (size_t i = 0; i < count; i++) {
        struct placement next = {.grid = ranked[i].grid};
        build(context, lines, &next.grid, pack, &next.measure);
        if (is_better(&next.measure, &best.measure, limit))
            best = next;
    }
    return best;
}

// --- Scores ---

static void check_score(struct context *context, const struct lines *lines,
                        struct scorer *scorer, struct grid grid,
                        const char *map_name)
{
    struct lump_measure built;
    build(context, lines, &grid, (struct pack_form){PACK_SHARE, HEADER_ZERO},
          &built);
    uint64_t words = scorer_words(scorer);
    uint64_t offset = scorer_largest_offset(scorer);
    if (words != built.word_count || offset != built.largest_offset)
        ck_abort_msg("%s, origin %d,%d: scored %llu words and offset %llu; "
                     "built were %llu and %llu",
                     map_name, (int)grid.origin_x, (int)grid.origin_y,
                     (unsigned long long)words, (unsigned long long)offset,
                     (unsigned long long)built.word_count,
                     (unsigned long long)built.largest_offset);
}

// All placements with an offset_y.
static size_t check_row(struct context *context, const struct lines *lines,
                        struct scorer *scorer, int32_t y, int32_t stride,
                        const char *map_name)
{
    size_t count = 0;
    int32_t along_x = placements_along(lines->min_x);
    expect_ok(context, scorer_start(context, scorer, y));
    for (int32_t x = 0; x < along_x; x++) {
        if (x > 0)
            scorer_move(scorer);
        if ((y * ALONG + x) % stride != 0)
            continue;
        check_score(context, lines, scorer, grid_at(lines, x, y), map_name);
        count++;
    }
    return count;
}

size_t placements_check_scores(struct context *context,
                               const struct lines *lines, int32_t stride,
                               const char *map_name)
{
    size_t count = 0;
    struct scorer *scorer;
    expect_ok(context, scorer_make(context, lines, HEADER_ZERO, &scorer));
    for (int32_t i = 0; i < ALONG; i++) {
        int32_t y = i * Y_STRIDE % ALONG;
        if (y < placements_along(lines->min_y))
            count += check_row(context, lines, scorer, y, stride, map_name);
    }
    context_release(context, scorer);
    return count;
}
