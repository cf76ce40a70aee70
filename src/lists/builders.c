// SPDX-License-Identifier: GPL-2.0-or-later
//
// What builders have in common: each line is walked twice, once to count its
// blocks and once to store them.

#include "lists/builders.h"

#include <fenv.h>
#include <string.h>

enum { PROGRESS_LINES = 1024 }; // between two reports of progress

static const struct builder *const builders[BUILDER_COUNT] = {
    [BUILDER_BOOM] = &builder_boom,
    [BUILDER_MBF] = &builder_mbf,
    [BUILDER_ZDBSP] = &builder_zdbsp,
    [BUILDER_GLBSP] = &builder_glbsp,
};

// The upper 16 bits as a signed number.
static int32_t high_half(uint32_t word)
{
    return (int16_t)(uint16_t)(word >> 16);
}

bool builder_line_at(const struct lines *lines, size_t line,
                     struct walked_line *walked)
{
    const struct fixed_line at = lines_fixed_at(lines, line);
    *walked =
        (struct walked_line){at.x1 >> 16,
                             at.y1 >> 16,
                             at.x2 >> 16,
                             at.y2 >> 16,
                             high_half((uint32_t)at.x2 - (uint32_t)at.x1),
                             high_half((uint32_t)at.y2 - (uint32_t)at.y1)};
    return at.x1 != at.x2 || at.y1 != at.y2;
}

static void span(int32_t coordinate, int32_t *lowest, int32_t *highest)
{
    if (coordinate < *lowest)
        *lowest = coordinate;
    else if (coordinate > *highest)
        *highest = coordinate;
}

nbstage_status builder_lay_engine_grid(struct context *context,
                                       const struct map *map,
                                       struct lines *lines, struct grid *grid)
{
    const unsigned char *at = map->vertices;
    lines->min_x = lines->min_y = INT32_MAX;
    lines->max_x = lines->max_y = INT32_MIN;
    for (size_t i = 0; i < map->vertex_count; i++, at += map->vertex_stride) {
        struct nbstage_vertex vertex = map_get_vertex(map->vertex_form, at);
        span(vertex.x >> 16, &lines->min_x, &lines->max_x);
        span(vertex.y >> 16, &lines->min_y, &lines->max_y);
    }
    if (lines->max_x == INT32_MIN || lines->max_y == INT32_MIN)
        return context_fail(context, NBSTAGE_BAD_MAP, NULL,
                            "every vertex is west of all before it, or every "
                            "one south; from such vertices engines make no "
                            "grid");
    *grid = grid_from(lines->min_x, lines->min_y, lines);
    return NBSTAGE_OK;
}

// Builders run with the usual rounding, whatever the host's is.
static void follow(const struct builder *builder, struct walk *walk,
                   const struct walked_line *line)
{
    const int rounding = fegetround();
    fesetround(FE_TONEAREST);
    builder->walk_line(walk, line);
    fesetround(rounding);
}

// Counts the blocks of all lines, or stores them.
static nbstage_status pass(struct context *context,
                           const struct builder *builder,
                           const struct lines *lines, struct walk *walk)
{
    const int32_t x = walk->grid->origin_x, y = walk->grid->origin_y;
    nbstage_status status = NBSTAGE_OK;
    memset(walk->seen, 0, grid_block_count(walk->grid) * sizeof *walk->seen);
    for (size_t i = 0; i < lines->count && status == NBSTAGE_OK; i++) {
        struct walked_line line;
        bool has_length = builder_line_at(lines, i, &line);
        line.x1 -= x;
        line.x2 -= x;
        line.y1 -= y;
        line.y2 -= y;
        walk->line = (uint32_t)i;
        if (has_length || !builder->omits_points)
            follow(builder, walk, &line);
        if (!walk->stores)
            status = entries_check_limit(context, walk->entries.count, i + 1);
        if (walk->is_endless)
            status = context_fail(context, NBSTAGE_BAD_MAP, NULL,
                                  "the engine that is imitated would follow "
                                  "line %zu without end",
                                  i);
        if (status == NBSTAGE_OK && i % PROGRESS_LINES == 0)
            status = context_progress(context, i, lines->count);
    }
    return status;
}

static nbstage_status find_entries(struct context *context,
                                   const struct builder *builder,
                                   const struct lines *lines, struct walk *walk)
{
    nbstage_status status = context_allocate_zeroed(
        context, lines->count, sizeof *walk->next, &walk->next);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, grid_block_count(walk->grid),
                                  sizeof *walk->seen, &walk->seen);
    if (status == NBSTAGE_OK)
        status = pass(context, builder, lines, walk);
    // No list may be longer than there are lines, so those that come again
    // count as more lines.
    const size_t count = lines->count + walk->repeat_count;
    if (status == NBSTAGE_OK && count > lines->count)
        status = context_grow(context, lines->count, count, sizeof *walk->next,
                              &walk->next);
    if (status == NBSTAGE_OK && count > lines->count)
        memset(walk->next + lines->count, 0,
               walk->repeat_count * sizeof *walk->next);
    if (status == NBSTAGE_OK)
        status = entries_place(context, walk->next, count, &walk->entries);
    walk->stores = true;
    if (status == NBSTAGE_OK)
        status = pass(context, builder, lines, walk);
    if (status == NBSTAGE_OK)
        entries_end(&walk->entries, walk->next);
    context_release(context, walk->next);
    context_release(context, walk->seen);
    return status;
}

nbstage_status builder_make_lists(struct context *context,
                                  enum builder_name name, bool repeats,
                                  const struct map *map, struct lines *lines,
                                  struct grid *grid, struct lists *lists)
{
    const struct builder *builder = builders[name];
    struct walk walk = {.grid = grid, .repeats = repeats && builder->repeats};
    nbstage_status status = builder->lay_grid(context, map, lines, grid);
    if (status == NBSTAGE_OK)
        status = grid_check_limit(context, NULL, grid);
    if (status == NBSTAGE_OK)
        status = find_entries(context, builder, lines, &walk);
    lines_free_coordinates(context, lines); // room for the lists
    if (status == NBSTAGE_OK)
        status = lists_build(context, grid, &walk.entries, lists);
    entries_free(context, &walk.entries);
    if (status != NBSTAGE_OK)
        return status;
    lists->linedef_end = lines->count;
    return builder->finish ? builder->finish(context, lists) : NBSTAGE_OK;
}
