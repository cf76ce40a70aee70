// SPDX-License-Identifier: GPL-2.0-or-later

#include "placements.h"

#include <check.h>

enum {
    ALONG = 128,   // offsets of an origin
    Y_STRIDE = 37, // scorers are started at offsets in no order
};

static void expect_ok(struct context *context, nbstage_status status)
{
    if (status != NBSTAGE_OK) // Check notes assertions, which takes long
        ck_abort_msg("%s", context->message);
}

struct lines placements_lines(struct context *context,
                              const struct nbstage_map *given,
                              bool spans_vertices)
{
    const struct nodes no_nodes = {0};
    struct map map;
    struct lines lines;
    expect_ok(context, map_read(context, given, 0, &map));
    expect_ok(context, lines_gather(context, &map, &no_nodes, &lines));
    if (spans_vertices)
        lines_span_vertices(&map, &lines);
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

struct lump_measure placements_build(struct context *context,
                                     const struct lines *lines,
                                     const struct grid *grid,
                                     struct pack_form pack)
{
    struct entries entries;
    struct lists lists;
    struct list_area area;
    expect_ok(context, entries_find(context, lines, grid, &entries));
    expect_ok(context, lists_build(context, grid, &entries, &lists));
    expect_ok(context, pack_lists(context, &lists, pack, &area));
    struct lump_measure measure = lump_measure(&area);
    entries_free(context, &entries);
    list_area_free(context, &area);
    return measure;
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

struct placement placements_search(struct context *context,
                                   const struct lines *lines,
                                   enum lump_limit limit, struct pack_form pack)
{
    int32_t along_x = placements_along(lines->min_x);
    int32_t along_y = placements_along(lines->min_y);
    struct placement best = {.measure.word_count = UINT64_MAX};
    for (int32_t y = 0; y < along_y; y++) {
        for (int32_t x = 0; x < along_x; x++) {
            struct placement next = {.grid = grid_at(lines, x, y)};
            next.measure = placements_build(context, lines, &next.grid, pack);
            if (is_better(&next.measure, &best.measure, limit))
                best = next;
        }
    }
    return best;
}

// ---------------------------------------------------------------------------
// Scores

static void check_score(struct context *context, const struct lines *lines,
                        struct scorer *scorer, struct grid grid,
                        enum pack_mode mode, const char *map_name)
{
    struct lump_measure built = placements_build(
        context, lines, &grid, (struct pack_form){mode, HEADER_ZERO});
    uint64_t words = scorer_words(scorer, mode);
    uint64_t offset = scorer_largest_offset(scorer, mode);
    if (words != built.word_count || offset != built.largest_offset)
        ck_abort_msg("%s, origin %d,%d, %s: scored %llu words and offset %llu; "
                     "built were %llu and %llu",
                     map_name, (int)grid.origin_x, (int)grid.origin_y,
                     mode == PACK_NONE ? "none" : "share",
                     (unsigned long long)words, (unsigned long long)offset,
                     (unsigned long long)built.word_count,
                     (unsigned long long)built.largest_offset);
}

static void check_scores(struct context *context, const struct lines *lines,
                         struct scorer *scorer, struct grid grid,
                         const char *map_name)
{
    check_score(context, lines, scorer, grid, PACK_NONE, map_name);
    check_score(context, lines, scorer, grid, PACK_SHARE, map_name);
}

// All placements with an offset_y.
static size_t check_row(struct context *context, const struct lines *lines,
                        struct scorer *scorer, int32_t y, int32_t stride,
                        const char *map_name)
{
    size_t count = 0;
    int32_t along_x = placements_along(lines->min_x);
    if (!scorer_start(scorer, y, NULL))
        ck_abort_msg("%s: the scorer has ended early", map_name);
    for (int32_t x = 0; x < along_x; x++) {
        if (x > 0)
            scorer_move(scorer);
        if ((y * ALONG + x) % stride != 0)
            continue;
        check_scores(context, lines, scorer, grid_at(lines, x, y), map_name);
        count++;
    }
    return count;
}

size_t placements_check_scores(struct context *context,
                               const struct lines *lines, int32_t stride,
                               const char *map_name)
{
    size_t count = 0;
    struct score_lines score_lines;
    struct scorer *scorer;
    expect_ok(context, score_lines_make(context, lines, &score_lines));
    expect_ok(context, scorer_make(context, &score_lines, &scorer));
    for (int32_t i = 0; i < ALONG; i++) {
        int32_t y = i * Y_STRIDE % ALONG;
        if (y < placements_along(lines->min_y))
            count += check_row(context, lines, scorer, y, stride, map_name);
    }
    context_release(context, scorer);
    context_release(context, score_lines.digests);
    return count;
}
