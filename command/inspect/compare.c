// SPDX-License-Identifier: GPL-2.0-or-later
//
// The linedefs of a block become two sorted sets, one for each lump, and the
// sets are merged.  A block that only one grid has is compared with an empty
// list.  A block with an unreadable list always differs.

#include "config.h"

#include "inspect/inspect.h"
#include "inspect/memory.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Sets

struct compare_side {
    const struct blockmap *blockmap;

    // The linedefs of the current block: as listed, then as a set, then only
    // those that the other side lacks.  The second half is scratch.
    uint32_t *linedefs;
    size_t count;
    size_t capacity;
    uint64_t header; // the word before its list, or NO_HEADER
    bool is_inside;  // the grid
    const char *fault;
};

static const uint64_t NO_HEADER = UINT64_MAX;

struct compare_work {
    struct compare_side old;
    struct compare_side new;
    struct comparison comparison;
    compare_visit *visit;
    void *context;
};

// Reads the linedefs of the block at a place, in the order of its list. Outside
// the grid there are none.
static void compare_read_list(struct compare_side *side,
                              struct lump_place place)
{
    const struct blockmap *blockmap = side->blockmap;
    int64_t column, row;
    side->count = 0;
    side->fault = NULL;
    side->is_inside = lump_find_block(blockmap, place, &column, &row);
    if (!side->is_inside)
        return;
    const struct blockmap_list list = blockmap_list(
        blockmap, (size_t)(row * blockmap->grid.columns + column));
    const size_t length = list.end - list.begin;
    side->fault = list.fault;
    side->header = list.begin > list.offset && !list.fault
                       ? blockmap_word(blockmap, list.offset)
                       : NO_HEADER;
    if (length > side->capacity) {
        side->capacity = length;
        side->linedefs =
            memory_resize(side->linedefs, length, 2 * sizeof *side->linedefs);
    }
    for (size_t i = list.begin; i < list.end; i++)
        side->linedefs[side->count++] = blockmap_word(blockmap, i);
}

// Radix sort.  With qsort, two hostile lumps would take some 10 s.
static void compare_sort(struct compare_side *side)
{
    uint32_t *from = side->linedefs, *to = from + side->capacity;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        size_t starts[UINT8_MAX + 2] = {0};
        for (size_t i = 0; i < side->count; i++)
            starts[(from[i] >> shift & UINT8_MAX) + 1]++;
        for (size_t n = 0; n < UINT8_MAX; n++)
            starts[n + 1] += starts[n];
        for (size_t i = 0; i < side->count; i++)
            to[starts[from[i] >> shift & UINT8_MAX]++] = from[i];
        uint32_t *const swap = from;
        from = to;
        to = swap;
    }
}

static void compare_make_set(struct compare_side *side)
{
    size_t count = 0;
    bool is_sorted = true;
    for (size_t i = 1; i < side->count && is_sorted; i++)
        is_sorted = side->linedefs[i - 1] <= side->linedefs[i];
    if (!is_sorted)
        compare_sort(side);
    for (size_t i = 0; i < side->count; i++)
        if (count == 0 || side->linedefs[count - 1] != side->linedefs[i])
            side->linedefs[count++] = side->linedefs[i];
    side->count = count;
}

// Reduces two sets to their differences.
static void compare_keep_lone(struct compare_side *old,
                              struct compare_side *new)
{
    size_t o = 0, n = 0;
    size_t only_old = 0, only_new = 0;
    while (o < old->count || n < new->count) {
        const uint64_t a = o < old->count ? old->linedefs[o] : UINT64_MAX;
        const uint64_t b = n < new->count ? new->linedefs[n] : UINT64_MAX;
        if (a < b)
            old->linedefs[only_old++] = old->linedefs[o];
        if (b < a)
            new->linedefs[only_new++] = new->linedefs[n];
        o += a <= b;
        n += b <= a;
    }
    old->count = only_old;
    new->count = only_new;
}

// ---------------------------------------------------------------------------
// Grids

static enum compare_grids compare_relate(const struct blockmap *old,
                                         const struct blockmap *new)
{
    if (old->lists_begin == 0 || new->lists_begin == 0)
        return GRIDS_NONE;
    const int64_t x = old->origin_x, y = old->origin_y;
    return (x - new->origin_x) % BLOCK_FIXED_SIZE == 0 &&
                   (y - new->origin_y) % BLOCK_FIXED_SIZE == 0
               ? GRIDS_ALIGNED
               : GRIDS_OTHER;
}

// ---------------------------------------------------------------------------
// Blocks

// Compares the lists that were read for a place.
static void compare_block(struct compare_work *work, struct lump_place place)
{
    struct comparison *comparison = &work->comparison;
    struct compare_side *old = &work->old;
    struct compare_side *new = &work->new;
    bool is_same_order =
        old->count == new->count &&
        (old->count == 0 || memcmp(old->linedefs, new->linedefs,
                                   old->count * sizeof *old->linedefs) == 0);
    compare_make_set(old);
    compare_make_set(new);
    compare_keep_lone(old, new);
    comparison->block_count++;
    comparison->only_old += old->count;
    comparison->only_new += new->count;
    if (old->count == 0 && new->count == 0 && !old->fault && !new->fault) {
        comparison->reordered_count += !is_same_order;
        comparison->has_other_headers |=
            old->is_inside && new->is_inside && old->header != new->header;
        return;
    }
    comparison->differing_count++;
    if (work->visit)
        work->visit(work->context, &(struct compare_block){
                                       place,
                                       {old->fault, old->linedefs, old->count},
                                       {new->fault, new->linedefs, new->count},
                                   });
}

// Compares the blocks of a grid.  Skips blocks of `compared`, a grid whose
// blocks were compared before; it may be NULL.
static void compare_grid(struct compare_work *work,
                         const struct blockmap *blockmap,
                         const struct blockmap *compared)
{
    int64_t column, row;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct lump_place place = lump_block_place(blockmap, b);
        if (compared && lump_find_block(compared, place, &column, &row))
            continue;
        compare_read_list(&work->old, place);
        compare_read_list(&work->new, place);
        compare_block(work, place);
    }
}

struct comparison compare_blockmaps(const struct blockmap *old,
                                    const struct blockmap *new,
                                    compare_visit *visit, void *context)
{
    struct compare_work work = {.old.blockmap = old,
                                .new.blockmap = new,
                                .comparison.grids = compare_relate(old, new),
                                .visit = visit,
                                .context = context};
    if (work.comparison.grids != GRIDS_ALIGNED)
        return work.comparison;
    compare_grid(&work, old, NULL);
    compare_grid(&work, new, old);
    free(work.old.linedefs);
    free(work.new.linedefs);
    return work.comparison;
}
