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

#include "diff/compare.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

// Words that are read of all lists together, as many as max-entries allows for.
// All blocks of a lump may share one long list, which would take hours.
enum { MOST_WORDS = 1 << 24 };

// ---------------------------------------------------------------------------
// Sets

struct side {
    const struct blockmap *blockmap;

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
static bool may_be_header(const struct side *side,
                          const struct blockmap_list *list, size_t index)
{
    enum blockmap_headers headers = side->blockmap->headers;
    return (headers == HEADERS_ZERO && side->blockmap->is_offset[index]) ||
           (headers == HEADERS_MIXED && index == list->offset);
}

// Appends the linedefs of a list, in its order.
static void append_list(struct compare_work *work, struct side *side,
                        const struct blockmap_list *list)
{
    size_t length = list->end - list->begin;
    work->comparison.words_read += length;
    if (list->fault != LIST_READABLE ||
        work->comparison.words_read > MOST_WORDS)
        return;
    if (side->count + length > side->capacity) {
        side->capacity = side->count + length;
        side->linedefs = memory_resize(side->linedefs, side->capacity,
                                       sizeof *side->linedefs);
    }
    for (size_t w = list->begin; w < list->end; w++) {
        uint32_t word = words_get(&side->blockmap->words, w);
        if (word == 0 && may_be_header(side, list, w))
            side->may_have_0 = true;
        else
            side->linedefs[side->count++] = word;
    }
}

static int compare_linedefs(const void *a, const void *b)
{
    const uint32_t *left = a;
    const uint32_t *right = b;
    return (*left > *right) - (*left < *right);
}

static void make_set(struct side *side)
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
static size_t keep(struct side *side, size_t kept, size_t index,
                   const struct side *other)
{
    side->linedefs[kept] = side->linedefs[index];
    return kept + (side->linedefs[index] != 0 || !other->may_have_0);
}

// Leaves of two sets what is not in the other.
static void keep_lone(struct side *old, struct side *new)
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
            only_old = keep(old, only_old, o, new);
        if (order > 0)
            only_new = keep(new, only_new, n, old);
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
    make_set(old);
    make_set(new);
    keep_lone(old, new);
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

static enum compare_grids relate(const struct blockmap *old,
                                 const struct blockmap *new)
{
    int64_t x = (int64_t)old->origin_x - new->origin_x;
    int64_t y = (int64_t)old->origin_y - new->origin_y;
    if (!blockmap_has_table(old) || !blockmap_has_table(new))
        return GRIDS_NONE;
    if (x % BLOCKMAP_FIXED_SIDE != 0 || y % BLOCKMAP_FIXED_SIDE != 0)
        return GRIDS_OTHER;
    return x == 0 && y == 0 && old->columns == new->columns &&
                   old->rows == new->rows
               ? GRIDS_EQUAL
               : GRIDS_ALIGNED;
}

// Gathers the linedefs of a side in the block at a place, or in all blocks that
// overlap it.  Returns the fault of the last of them.
static enum list_fault gather(struct compare_work *work, struct side *side,
                              int64_t x, int64_t y)
{
    const struct blockmap *blockmap = side->blockmap;
    struct blockmap_area area = blockmap_across(blockmap, x, y);
    enum list_fault fault = LIST_READABLE;
    side->count = 0;
    side->may_have_0 = false;
    for (size_t row = area.rows.begin; row < area.rows.end; row++) {
        for (size_t column = area.columns.begin; column < area.columns.end;
             column++) {
            const struct blockmap_list *list =
                &blockmap->lists[row * blockmap->columns + column];
            append_list(work, side, list);
            fault = list->fault;
        }
    }
    return fault;
}

// Compares the blocks of the old grid, or those of the new grid that have not
// been compared yet.
static void compare_blocks(struct compare_work *work,
                           const struct blockmap *grid, bool is_old)
{
    bool aligned = work->comparison.grids != GRIDS_OTHER;
    bool with_old = aligned || is_old;
    bool with_new = aligned || !is_old;
    for (size_t b = 0; b < grid->block_count; b++) {
        struct compare_block block = {
            .x = grid->origin_x +
                 (int64_t)(b % grid->columns) * BLOCKMAP_FIXED_SIDE,
            .y = grid->origin_y +
                 (int64_t)(b / grid->columns) * BLOCKMAP_FIXED_SIDE,
        };
        struct blockmap_area area =
            blockmap_across(work->old.blockmap, block.x, block.y);
        if (aligned && !is_old && !blockmap_area_is_empty(&area))
            continue;
        enum list_fault old = gather(work, &work->old, block.x, block.y);
        enum list_fault new = gather(work, &work->new, block.x, block.y);
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

struct comparison compare_blockmaps(const struct blockmap *old,
                                    const struct blockmap *new,
                                    compare_visit *visit, void *context)
{
    struct compare_work work = {
        .old = {.blockmap = old},
        .new = {.blockmap = new},
        .comparison = {.grids = relate(old, new)},
        .visit = visit,
        .context = context,
    };
    if (work.comparison.grids == GRIDS_NONE)
        return work.comparison;
    compare_blocks(&work, old, true);
    compare_blocks(&work, new, false);
    free(work.old.linedefs);
    free(work.new.linedefs);
    return work.comparison;
}
