// SPDX-License-Identifier: GPL-2.0-or-later
//
// glBSP's lists, found from what version 2.24 writes.
//
// The grid begins at the lowest coordinates of the lines, each rounded down to
// a multiple of 8.  A grid of more than 16,000 blocks loses an eighth of its
// columns and rows, again and again, until it has at most 16,000.  It is then
// centred on the lines, and what is outside is in no list.
//
// A line within one row or one column is in all blocks between its ends.  Any
// other is clipped to the 128 x 128 units of each block, one side after the
// other, where the new end is rounded toward the old one; what is left over
// after an earlier side decides about the next.
//
// glBSP removes lines of no length from the map, so they are in no block.

#include "lists/builders.h"

enum {
    ORIGIN_STEP = 8,     // map units
    MOST_BLOCKS = 16000, // unless glbsp is run with -b
    MIDDLE_STEP = 16,    // map units
    MOST_CLIPS = 8,      // of a line, each of which moves it by a unit at most
};

// ---------------------------------------------------------------------------
// The grid

static void truncate_grid(struct context *context, const struct lines *lines,
                          struct grid *grid)
{
    int64_t x = 0, y = 0;
    struct walked_line line;
    for (size_t i = 0; i < lines->count; i++) {
        if (!builder_line_at(lines, i, &line))
            continue;
        x += (line.x1 + line.x2) / (2 * MIDDLE_STEP);
        y += (line.y1 + line.y2) / (2 * MIDDLE_STEP);
    }
    while (grid_block_count(grid) > MOST_BLOCKS) {
        grid->columns -= grid->columns / 8;
        grid->rows -= grid->rows / 8;
    }
    const int64_t count = (int64_t)lines->count;
    grid->origin_x = (int32_t)(x / count) * MIDDLE_STEP -
                     (int32_t)grid->columns * BLOCK_SIZE / 2;
    grid->origin_y = (int32_t)(y / count) * MIDDLE_STEP -
                     (int32_t)grid->rows * BLOCK_SIZE / 2;
    context_log(context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                "the grid is cut to %lu x %lu blocks, as glBSP does; what is "
                "outside is in no list",
                (unsigned long)grid->columns, (unsigned long)grid->rows);
}

static void span(int32_t from, int32_t to, int32_t *lowest, int32_t *highest)
{
    const int32_t low = from < to ? from : to;
    const int32_t high = from < to ? to : from;
    *lowest = low < *lowest ? low : *lowest;
    *highest = high > *highest ? high : *highest;
}

static nbstage_status lay_grid(struct context *context, const struct map *map,
                               struct lines *lines, struct grid *grid)
{
    (void)map;
    struct walked_line line;
    lines->min_x = lines->min_y = INT32_MAX;
    lines->max_x = lines->max_y = INT32_MIN;
    for (size_t i = 0; i < lines->count; i++) {
        if (!builder_line_at(lines, i, &line))
            continue;
        span(line.x1, line.x2, &lines->min_x, &lines->max_x);
        span(line.y1, line.y2, &lines->min_y, &lines->max_y);
    }
    if (lines->max_x < lines->min_x)
        return context_fail(context, NBSTAGE_BAD_MAP, NULL,
                            "no line has a length; glBSP makes no blockmap of "
                            "such a map");
    *grid = grid_from(lines->min_x & -ORIGIN_STEP, lines->min_y & -ORIGIN_STEP,
                      lines);
    if (grid_block_count(grid) > MOST_BLOCKS)
        truncate_grid(context, lines, grid);
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Blocks

// Moves the first end to an edge if it is beyond; false if both ends are.
// `across` is the coordinate that the edge limits, 0 for x.
static bool clip(int32_t first[2], const int32_t second[2], int across,
                 int32_t edge, bool above)
{
    const int along = 1 - across;
    if (above ? first[across] <= edge : first[across] >= edge)
        return true;
    if (above ? second[across] > edge : second[across] < edge)
        return false;
    first[along] +=
        (int32_t)((int64_t)(second[along] - first[along]) *
                  (edge - first[across]) / (second[across] - first[across]));
    first[across] = edge;
    return true;
}

// Moves the first end into the block; false if the line is outside.
static bool clip_end(int32_t first[2], const int32_t second[2], int32_t x,
                     int32_t y)
{
    int32_t before[2];
    do {
        before[0] = first[0];
        before[1] = first[1];
        if (!clip(first, second, 1, y + BLOCK_SIZE - 1, true) ||
            !clip(first, second, 1, y, false) ||
            !clip(first, second, 0, x + BLOCK_SIZE - 1, true) ||
            !clip(first, second, 0, x, false))
            return false;
    } while (first[0] != before[0] || first[1] != before[1]);
    return true;
}

// Whether a line is in the block whose lowest coordinates are x, y.
static bool is_inside(const struct walked_line *line, int32_t x, int32_t y)
{
    int32_t start[2] = {line->x1, line->y1}, end[2] = {line->x2, line->y2};
    return clip_end(start, end, x, y) && clip_end(end, start, x, y);
}

// The x of a line at y, or at its end if that is nearer.
static int32_t x_at(const struct walked_line *line, int32_t y)
{
    const int32_t height = line->y2 - line->y1;
    int32_t way = y - line->y1;
    if (height < 0 ? way > 0 : way < 0)
        way = 0;
    if (height < 0 ? way < height : way > height)
        way = height;
    return line->x1 + (int32_t)((int64_t)(line->x2 - line->x1) * way / height);
}

struct interval {
    int32_t first, last;
};

// The columns, or rows, between two coordinates in the grid.
static struct interval blocks_between(int32_t from, int32_t to, uint32_t count)
{
    struct interval blocks = {(from < to ? from : to) / BLOCK_SIZE,
                              (from < to ? to : from) / BLOCK_SIZE};
    if (blocks.first < 0)
        blocks.first = 0;
    if (blocks.last >= (int32_t)count)
        blocks.last = (int32_t)count - 1;
    return blocks;
}

static void walk_line(struct walk *walk, const struct walked_line *line)
{
    const struct grid *grid = walk->grid;
    const struct interval rows = blocks_between(line->y1, line->y2, grid->rows);
    const struct interval all =
        blocks_between(line->x1, line->x2, grid->columns);
    const bool is_simple = rows.first == rows.last || all.first == all.last;
    for (int32_t row = rows.first; row <= rows.last; row++) {
        struct interval columns = all;
        if (!is_simple) { // only those that the line comes near to
            const int32_t y = row * BLOCK_SIZE;
            const int32_t a = x_at(line, y - MOST_CLIPS);
            const int32_t b = x_at(line, y + BLOCK_SIZE + MOST_CLIPS);
            columns =
                blocks_between((a < b ? a : b) - MOST_CLIPS,
                               (a < b ? b : a) + MOST_CLIPS, grid->columns);
            columns.first =
                columns.first < all.first ? all.first : columns.first;
            columns.last = columns.last > all.last ? all.last : columns.last;
        }
        for (int32_t column = columns.first; column <= columns.last; column++)
            if (is_simple ||
                is_inside(line, column * BLOCK_SIZE, row * BLOCK_SIZE))
                walk_put_at(walk, column, row);
    }
}

const struct builder builder_glbsp = {
    .lay_grid = lay_grid,
    .walk_line = walk_line,
    .finish = glbsp_sort_lists,
    .omits_points = true,
};
