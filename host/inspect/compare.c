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
    struct compare_grid grid;

    // The linedefs of the block that is compared, or of the up to four blocks
    // that overlap it: as listed, then as a set, then those of no other side.
    uint32_t *linedefs;
    size_t count;
    size_t capacity;
    bool may_have_0; // a 0 in it is linedef 0 or a header
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
    return (blockmap->headers == HEADERS_ZERO &&
            blockmap_is_offset(blockmap, index)) ||
           (blockmap->headers == HEADERS_MIXED && index == list->offset);
}

// Makes room for a list, unless lists become too long.
static bool compare_make_room(struct compare_work *work, struct side *side,
                              size_t length)
{
    work->comparison.words_read += length;
    if (work->comparison.words_read > MOST_WORDS)
        return false;
    if (side->count + length > side->capacity) {
        side->capacity = side->count + length;
        side->linedefs = memory_resize(side->linedefs, side->capacity,
                                       sizeof *side->linedefs);
    }
    return true;
}

static void compare_append_expected(struct compare_work *work,
                                    struct side *side, size_t block)
{
    const struct expected *expected = side->of.expected;
    const size_t begin = expected->starts[block];
    const size_t length = expected->starts[block + 1] - begin;
    if (length > 0 && compare_make_room(work, side, length)) {
        memcpy(side->linedefs + side->count, expected->linedefs + begin,
               length * sizeof *side->linedefs);
        side->count += length;
    }
}

// Appends the linedefs of a block, in the order of its list.  Returns the
// list's fault.
static enum list_fault compare_append(struct compare_work *work,
                                      struct side *side, size_t block)
{
    const struct blockmap *blockmap = side->of.blockmap;
    if (!blockmap) {
        compare_append_expected(work, side, block);
        return LIST_READABLE;
    }
    const struct blockmap_list *list = &blockmap->lists[block];
    if (!compare_make_room(work, side, list->end - list->begin))
        return list->fault;
    for (size_t w = list->begin; w < list->end; w++) {
        uint32_t word = words_get(&blockmap->words, w);
        if (word == 0 && compare_may_be_header(blockmap, list, w))
            side->may_have_0 = true;
        else
            side->linedefs[side->count++] = word;
    }
    return list->fault;
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
// A block

// Compares the gathered linedefs of a block that is in the old grid, in the new
// grid, or in both.
static void compare_block(struct compare_work *work,
                          struct compare_block *block, bool with_old,
                          bool with_new)
{
    struct comparison *comparison = &work->comparison;
    struct side *old = &work->old;
    struct side *new = &work->new;
    bool is_same_order =
        old->count == new->count &&
        (old->count == 0 || memcmp(old->linedefs, new->linedefs,
                                   old->count * sizeof *old->linedefs) == 0);
    compare_make_set(old);
    compare_make_set(new);
    compare_keep_lone(old, new);
    block->only_old = old->linedefs;
    block->only_old_count = with_old ? old->count : 0;
    block->only_new = new->linedefs;
    block->only_new_count = with_new ? new->count : 0;
    comparison->only_old += block->only_old_count;
    comparison->only_new += block->only_new_count;
    if (block->only_old_count > 0 || block->only_new_count > 0 ||
        block->old_fault != LIST_READABLE ||
        block->new_fault != LIST_READABLE) {
        comparison->differing_count++;
        if (work->visit)
            work->visit(work->context, block);
    } else if (with_old && with_new && !is_same_order) {
        comparison->reordered_count++;
    }
}

// ---------------------------------------------------------------------------
// Grids

struct compare_grid compare_grid_of(struct compare_side side)
{
    const struct blockmap *blockmap = side.blockmap;
    if (blockmap && !blockmap_has_table(blockmap))
        return (struct compare_grid){0};
    if (blockmap)
        return (struct compare_grid){blockmap->origin_x, blockmap->origin_y,
                                     blockmap->columns, blockmap->rows};
    const struct grid *grid = &side.expected->grid;
    return (struct compare_grid){(int64_t)grid->origin_x * BLOCKMAP_UNIT,
                                 (int64_t)grid->origin_y * BLOCKMAP_UNIT,
                                 grid->columns, grid->rows};
}

static uint32_t compare_clamp(int64_t index, uint32_t count)
{
    if (index < 0)
        return 0;
    return index < count ? (uint32_t)index : count;
}

// The columns, or rows, that lie across a block which begins at a place.
static struct compare_span compare_find_span(int64_t place, int64_t origin,
                                             uint32_t count)
{
    int64_t distance = place - origin;
    int64_t rest = distance % BLOCKMAP_FIXED_SIDE;
    int64_t begin = distance / BLOCKMAP_FIXED_SIDE - (rest < 0);
    int64_t end = begin + 1 + (rest != 0);
    return (struct compare_span){compare_clamp(begin, count),
                                 compare_clamp(end, count)};
}

struct compare_area compare_across(const struct compare_grid *grid, int64_t x,
                                   int64_t y)
{
    return (struct compare_area){compare_find_span(x, grid->x, grid->columns),
                                 compare_find_span(y, grid->y, grid->rows)};
}

static enum compare_grids compare_relate(const struct side *old,
                                         const struct side *new)
{
    const struct compare_grid *from = &old->grid, *to = &new->grid;
    if ((old->of.blockmap && !blockmap_has_table(old->of.blockmap)) ||
        (new->of.blockmap && !blockmap_has_table(new->of.blockmap)))
        return GRIDS_NONE;
    if ((from->x - to->x) % BLOCKMAP_FIXED_SIDE != 0 ||
        (from->y - to->y) % BLOCKMAP_FIXED_SIDE != 0)
        return GRIDS_OTHER;
    return from->x == to->x && from->y == to->y &&
                   from->columns == to->columns && from->rows == to->rows
               ? GRIDS_EQUAL
               : GRIDS_ALIGNED;
}

// Gathers the linedefs of a side in the block at a place, or in all blocks that
// overlap it.  Returns the fault of the last of them.
static enum list_fault compare_gather(struct compare_work *work,
                                      struct side *side, int64_t x, int64_t y)
{
    const struct compare_area area = compare_across(&side->grid, x, y);
    enum list_fault fault = LIST_READABLE;
    side->count = 0;
    side->may_have_0 = false;
    for (size_t row = area.rows.begin; row < area.rows.end; row++)
        for (size_t column = area.columns.begin; column < area.columns.end;
             column++)
            fault =
                compare_append(work, side, row * side->grid.columns + column);
    return fault;
}

// Whether a block of a grid overlaps the block at a place.
static bool compare_has_block(const struct compare_grid *grid, int64_t x,
                              int64_t y)
{
    const struct compare_area area = compare_across(grid, x, y);
    return area.columns.begin < area.columns.end &&
           area.rows.begin < area.rows.end;
}

// Compares the blocks of the old grid, or those of the new grid that have not
// been compared yet.
static void compare_blocks(struct compare_work *work,
                           const struct compare_grid *grid, bool is_old)
{
    const size_t block_count = (size_t)grid->columns * grid->rows;
    bool aligned = work->comparison.grids != GRIDS_OTHER;
    bool with_old = aligned || is_old;
    bool with_new = aligned || !is_old;
    for (size_t b = 0; b < block_count; b++) {
        struct compare_block block = {
            .x = grid->x + (int64_t)(b % grid->columns) * BLOCKMAP_FIXED_SIDE,
            .y = grid->y + (int64_t)(b / grid->columns) * BLOCKMAP_FIXED_SIDE,
        };
        if (aligned && !is_old &&
            compare_has_block(&work->old.grid, block.x, block.y))
            continue;
        enum list_fault old =
            compare_gather(work, &work->old, block.x, block.y);
        enum list_fault new =
            compare_gather(work, &work->new, block.x, block.y);
        work->comparison.is_too_long = work->comparison.words_read > MOST_WORDS;
        if (work->comparison.is_too_long)
            return;
        if (with_old)
            block.old_fault = old;
        if (with_new)
            block.new_fault = new;
        work->comparison.block_count++;
        compare_block(work, &block, with_old, with_new);
    }
}

struct comparison compare_blockmaps(struct compare_side old,
                                    struct compare_side new,
                                    compare_visit *visit, void *context)
{
    struct compare_work work = {
        .old = {.of = old, .grid = compare_grid_of(old)},
        .new = {.of = new, .grid = compare_grid_of(new)},
        .visit = visit,
        .context = context,
    };
    work.comparison.grids = compare_relate(&work.old, &work.new);
    if (work.comparison.grids == GRIDS_NONE)
        return work.comparison;
    compare_blocks(&work, &work.old.grid, true);
    compare_blocks(&work, &work.new.grid, false);
    free(work.old.linedefs);
    free(work.new.linedefs);
    return work.comparison;
}
