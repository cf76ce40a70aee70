// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each block of a grid is compared with the blocks of the other grid that it
// overlaps.  The linedefs of both become sorted sets, and the sets are merged.
// If the blocks of the grids correspond, a block overlaps one other block or
// none.  Then the old grid finds all differences in it, and the new grid is
// read for the blocks outside the old one.  If not, each grid finds only what
// its own lump lists.  A block with a list that cannot be read differs.
//
// Two exact blockmaps never differ, whatever their grids are: a point of a line
// is in one block of each grid.  These blocks overlap, and both list the line.
//
// A 0 may be linedef 0, and at the same time the header of a list that begins
// inside this one.  If only some lists begin with a 0, that may be a header or
// linedef 0.  The lump does not tell, so the 0 counts as what the other lump
// has.

#include "config.h"

#include "inspect/compare.h"

#include "lines/grid.h"
#include "lump/judge.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

// Words that are read of all lists together.
// All blocks of a lump may share one long list, which would take hours.
enum { MOST_WORDS = 1 << 24 };

// ---------------------------------------------------------------------------
// Sets

struct side {
    struct compare_side of;
    int64_t x, y; // origin of the grid, 16.16
    uint32_t columns, rows;

    // The linedefs of the block that is compared, or of the up to four blocks
    // that overlap it: as listed, then as a set, then those of no other side.
    uint32_t *linedefs;
    size_t count;
    size_t capacity;
    bool may_have_0;       // a 0 in it is linedef 0 or a header
    enum list_fault fault; // of the last of these blocks
};

struct compare_work {
    struct side old;
    struct side new;
    struct comparison comparison;
    compare_visit *visit;
    void *context;
};

// Whether a 0 in a list may be the header of another list, or of its own.
static bool compare_may_be_header(const struct blockmap *blockmap,
                                  const struct blockmap_list *list,
                                  size_t index)
{
    return (blockmap->headers == HEADER_ZERO &&
            blockmap_is_offset(blockmap, index)) ||
           (blockmap->headers == HEADER_MIXED && index == list->offset);
}

// Appends the linedefs of a block in the order of its list, unless lists become
// too long.
static void compare_append(struct compare_work *work, struct side *side,
                           size_t block)
{
    const struct blockmap *blockmap = side->of.blockmap;
    const struct expected *expected = side->of.expected;
    const struct blockmap_list *list =
        blockmap ? &blockmap->lists[block] : NULL;
    const size_t begin = list ? list->begin : expected->starts[block];
    const size_t end = list ? list->end : expected->starts[block + 1];
    side->fault = list ? list->fault : LIST_READABLE;
    work->comparison.words_read += end - begin;
    if (work->comparison.words_read > MOST_WORDS)
        return;
    if (side->count + (end - begin) > side->capacity) {
        side->capacity = side->count + (end - begin);
        side->linedefs = memory_resize(side->linedefs, side->capacity,
                                       sizeof *side->linedefs);
    }
    for (size_t i = begin; i < end; i++) {
        uint32_t linedef =
            list ? words_get(&blockmap->words, i) : expected->linedefs[i];
        if (list && linedef == 0 && compare_may_be_header(blockmap, list, i))
            side->may_have_0 = true;
        else
            side->linedefs[side->count++] = linedef;
    }
}

static int compare_linedefs(const void *a, const void *b)
{
    const uint32_t *left = a;
    const uint32_t *right = b;
    return (*left > *right) - (*left < *right);
}

static void compare_make_set(struct side *side)
{
    size_t count = 0;
    bool is_sorted = true;
    for (size_t i = 1; i < side->count && is_sorted; i++)
        is_sorted = side->linedefs[i - 1] <= side->linedefs[i];
    if (!is_sorted)
        qsort(side->linedefs, side->count, sizeof *side->linedefs,
              compare_linedefs);
    for (size_t i = 0; i < side->count; i++)
        if (count == 0 || side->linedefs[count - 1] != side->linedefs[i])
            side->linedefs[count++] = side->linedefs[i];
    side->count = count;
}

// Keeps a linedef that the other side does not have, unless that one has a 0
// that may be it.
static size_t compare_keep(struct side *side, size_t kept, size_t index,
                           const struct side *other)
{
    side->linedefs[kept] = side->linedefs[index];
    return kept + (side->linedefs[index] != 0 || !other->may_have_0);
}

// Leaves of two sets what is not in the other.
static void compare_keep_lone(struct side *old, struct side *new)
{
    size_t o = 0, n = 0;
    size_t only_old = 0, only_new = 0;
    while (o < old->count || n < new->count) {
        bool has_both = o < old->count && n < new->count;
        int order = has_both
                        ? compare_linedefs(&old->linedefs[o], &new->linedefs[n])
                    : o < old->count ? -1
                                     : 1;
        if (order < 0)
            only_old = compare_keep(old, only_old, o, new);
        if (order > 0)
            only_new = compare_keep(new, only_new, n, old);
        o += order <= 0;
        n += order >= 0;
    }
    old->count = only_old;
    new->count = only_new;
}

// ---------------------------------------------------------------------------
// Grids

static struct side compare_begin_side(struct compare_side of)
{
    const struct blockmap *blockmap = of.blockmap;
    if (blockmap)
        return (struct side){.of = of,
                             .x = blockmap->origin_x,
                             .y = blockmap->origin_y,
                             .columns = blockmap->columns,
                             .rows = blockmap->rows};
    const struct grid *grid = &of.expected->grid;
    return (struct side){.of = of,
                         .x = (int64_t)grid->origin_x * BLOCKMAP_UNIT,
                         .y = (int64_t)grid->origin_y * BLOCKMAP_UNIT,
                         .columns = grid->columns,
                         .rows = grid->rows};
}

static bool compare_has_grid(const struct side *side)
{
    return !side->of.blockmap || blockmap_has_table(side->of.blockmap);
}

static enum compare_grids compare_relate(const struct side *old,
                                         const struct side *new)
{
    if (!compare_has_grid(old) || !compare_has_grid(new))
        return GRIDS_NONE;
    if ((old->x - new->x) % BLOCK_FIXED_SIZE != 0 ||
        (old->y - new->y) % BLOCK_FIXED_SIZE != 0)
        return GRIDS_OTHER;
    return old->x == new->x && old->y == new->y &&
                   old->columns == new->columns && old->rows == new->rows
               ? GRIDS_EQUAL
               : GRIDS_ALIGNED;
}

// The first column, or row, that overlaps a block which begins at a place; it
// may be outside the grid.
static int64_t compare_find_first(int64_t place, int64_t origin)
{
    const int64_t distance = place - origin;
    return distance / BLOCK_FIXED_SIZE - (distance % BLOCK_FIXED_SIZE < 0);
}

static bool compare_has_block(const struct side *side, int64_t column,
                              int64_t row)
{
    return column >= 0 && column < side->columns && row >= 0 &&
           row < side->rows;
}

// Gathers the linedefs of a side in the block at a place, or in all blocks that
// overlap it.
static void compare_gather(struct compare_work *work, struct side *side,
                           int64_t x, int64_t y)
{
    const int64_t west = compare_find_first(x, side->x);
    const int64_t south = compare_find_first(y, side->y);
    const int64_t east = west + ((x - side->x) % BLOCK_FIXED_SIZE != 0);
    const int64_t north = south + ((y - side->y) % BLOCK_FIXED_SIZE != 0);
    side->count = 0;
    side->may_have_0 = false;
    side->fault = LIST_READABLE;
    for (int64_t row = south; row <= north; row++)
        for (int64_t column = west; column <= east; column++)
            if (compare_has_block(side, column, row))
                compare_append(work, side,
                               (size_t)row * side->columns + (size_t)column);
}

// ---------------------------------------------------------------------------
// Blocks

// Compares what is gathered of the block at a place.  If blocks overlap
// several, only the grid that the block is of counts.
static void compare_block(struct compare_work *work, int64_t x, int64_t y,
                          bool is_old)
{
    struct comparison *comparison = &work->comparison;
    struct side *old = &work->old;
    struct side *new = &work->new;
    struct side *other = is_old ? new : old;
    bool is_aligned = comparison->grids != GRIDS_OTHER;
    bool is_same_order =
        old->count == new->count &&
        (old->count == 0 || memcmp(old->linedefs, new->linedefs,
                                   old->count * sizeof *old->linedefs) == 0);
    compare_make_set(old);
    compare_make_set(new);
    compare_keep_lone(old, new);
    if (!is_aligned) {
        other->count = 0;
        other->fault = LIST_READABLE;
    }
    comparison->block_count++;
    comparison->only_old += old->count;
    comparison->only_new += new->count;
    if (old->count > 0 || new->count > 0 || old->fault != LIST_READABLE ||
        new->fault != LIST_READABLE) {
        struct compare_block block = {x,
                                      y,
                                      {old->fault, old->linedefs, old->count},
                                      {new->fault, new->linedefs, new->count}};
        comparison->differing_count++;
        if (work->visit)
            work->visit(work->context, &block);
    } else if (is_aligned && !is_same_order) {
        comparison->reordered_count++;
    }
}

// Compares the blocks of the old grid, or those of the new grid that have not
// been compared yet.
static void compare_blocks(struct compare_work *work, bool is_old)
{
    const struct side *old = &work->old;
    const struct side *side = is_old ? old : &work->new;
    const size_t block_count = (size_t)side->columns * side->rows;
    for (size_t b = 0; b < block_count && !work->comparison.is_too_long; b++) {
        const int64_t x =
            side->x + (int64_t)(b % side->columns) * BLOCK_FIXED_SIZE;
        const int64_t y =
            side->y + (int64_t)(b / side->columns) * BLOCK_FIXED_SIZE;
        if (!is_old && work->comparison.grids != GRIDS_OTHER &&
            compare_has_block(old, compare_find_first(x, old->x),
                              compare_find_first(y, old->y)))
            continue;
        compare_gather(work, &work->old, x, y);
        compare_gather(work, &work->new, x, y);
        work->comparison.is_too_long = work->comparison.words_read > MOST_WORDS;
        if (!work->comparison.is_too_long)
            compare_block(work, x, y, is_old);
    }
}

struct comparison compare_blockmaps(struct compare_side old,
                                    struct compare_side new,
                                    compare_visit *visit, void *context)
{
    struct compare_work work = {.old = compare_begin_side(old),
                                .new = compare_begin_side(new),
                                .visit = visit,
                                .context = context};
    work.comparison.grids = compare_relate(&work.old, &work.new);
    if (work.comparison.grids == GRIDS_NONE)
        return work.comparison;
    compare_blocks(&work, true);
    compare_blocks(&work, false);
    free(work.old.linedefs);
    free(work.new.linedefs);
    return work.comparison;
}
