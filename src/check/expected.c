// SPDX-License-Identifier: GPL-2.0-or-later

#include "check/expected.h"

#include "base/context.h"
#include "base/macros.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How many whole blocks to move an origin back until it is at or below a
// coordinate.
static uint32_t expected_count_before(int32_t coordinate, int32_t origin)
{
    const int64_t distance = (int64_t)origin - coordinate + BLOCK_SIZE - 1;
    return coordinate < origin ? (uint32_t)(distance / BLOCK_SIZE) : 0;
}

// Chooses the grid: it begins at the lump's origin, or whole blocks before it
// where lines reach further.
static nbstage_status expected_choose_grid(struct context *context,
                                           const struct lines *lines,
                                           const struct blockmap *blockmap,
                                           struct expected *expected)
{
    int32_t x = lines->min_x, y = lines->min_y;
    const char *problem = NULL;
    if (blockmap->lists_begin > 0) {
        const int32_t lump_x = blockmap->grid.origin_x;
        const int32_t lump_y = blockmap->grid.origin_y;
        expected->columns = blockmap->grid.columns;
        expected->west = expected_count_before(x, lump_x);
        expected->south = expected_count_before(y, lump_y);
        x = lump_x - (int32_t)expected->west * BLOCK_SIZE;
        y = lump_y - (int32_t)expected->south * BLOCK_SIZE;
        if (blockmap->origin_x % BLOCKMAP_UNIT != 0 ||
            blockmap->origin_y % BLOCKMAP_UNIT != 0)
            problem = "is not in whole map units";
        else if (x < INT16_MIN || y < INT16_MIN)
            problem = "puts lines in blocks that begin below -32768";
    }
    if (problem)
        return context_fail(context, NBSTAGE_UNSUPPORTED, "BLOCKMAP",
                            "the origin %.10g,%.10g %s; the lists cannot be "
                            "checked",
                            (double)blockmap->origin_x / (double)BLOCKMAP_UNIT,
                            (double)blockmap->origin_y / (double)BLOCKMAP_UNIT,
                            problem);
    expected->grid = grid_from(x, y, lines, 0);
    expected->block_count = grid_block_count(&expected->grid);
    return context_check_count(context, NULL, expected->block_count, "blocks",
                               BYTES_OF_BLOCK);
}

nbstage_status expected_find(struct context *context, const struct lines *lines,
                             const struct blockmap *blockmap,
                             struct expected *expected)
{
    struct entries entries = {0};
    NEED(expected_choose_grid(context, lines, blockmap, expected));
    nbstage_status status =
        entries_find(context, lines, &expected->grid, &entries);
    if (status != NBSTAGE_OK)
        goto out;
    const struct context_array arrays[] = {
        {&expected->starts, expected->block_count + 2, sizeof(size_t)},
        {&expected->linedefs, entries.count, sizeof(uint32_t)},
        {&expected->are_missing, entries.count, sizeof(bool)},
    };
    status = context_allocate_arrays(context, arrays, COUNT(arrays));
    if (status != NBSTAGE_OK)
        goto out;
    entries_sort(&entries, expected->block_count, expected->starts,
                 expected->linedefs);
out:
    entries_free(context, &entries);
    return status;
}

void expected_free(struct context *context, struct expected *expected)
{
    context_release(context, expected->starts);
    *expected = (struct expected){0};
}

bool expected_is_outside(const struct expected *expected, size_t block,
                         uint64_t columns, uint64_t rows)
{
    const size_t column = block % expected->grid.columns;
    const size_t row = block / expected->grid.columns;
    return column < expected->west || column - expected->west >= columns ||
           row < expected->south || row - expected->south >= rows;
}
