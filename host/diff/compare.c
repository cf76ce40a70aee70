// SPDX-License-Identifier: GPL-2.0-or-later
//
// A grid is gone through block by block; the linedefs of a block, and those of
// the blocks of the other grid that it lies across, become two sorted sets,
// which are merged.  Where blocks correspond there is one such block or none,
// and going through the old grid finds both what only the old lump has and
// what only the new one has; the blocks outside it are left for the new grid.
// Where they do not, going through a grid finds what only its own lump has.
//
// Two exact blockmaps have no such differences, whatever their grids are: a
// point where a line is in a block of one grid is in a block of the other,
// too, so these two lie across each other, and both list the line.
//
// A 0 may be the header of a list in the middle of another one, and at the same
// time linedef 0 in that one; where only some lists begin with a 0, that may be
// a header or linedef 0.  The lump does not tell, so it counts as what the
// other lump has.

#include "config.h"

#include "diff/compare.h"

#include <stdlib.h>
#include <string.h>

// Words of all lists that are read.  The lists of a lump may all be one long
// one, which would take hours.
static const size_t most_words = (size_t)1 << 26;

// ---------------------------------------------------------------------------
// Sets

// Linedefs, as they are listed or as a set.
struct linedefs {
    uint32_t *linedef;
    size_t count;
    size_t capacity;
    bool may_have_0; // a 0 in it is linedef 0 or a header
};

struct side {
    const struct blockmap *blockmap;
    bool *begins;        // for each word, whether a list begins there
    struct linedefs set; // of the block or blocks being compared
};

struct work {
    struct side old;
    struct side new;
    struct comparison *comparison;
    size_t block_capacity;
    size_t linedef_capacity;
    size_t words_read;
    bool out_of_memory;
};

// Makes room for `count` elements; false without memory.
static bool reserve(void **array, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity)
        return true;
    size_t wanted = count + count / 2 + 16;
    void *more =
        wanted < SIZE_MAX / size ? realloc(*array, wanted * size) : NULL;
    if (!more)
        return false;
    *array = more;
    *capacity = wanted;
    return true;
}

static bool reserve_linedefs(struct linedefs *linedefs, size_t count)
{
    void *array = linedefs->linedef;
    bool reserved =
        reserve(&array, &linedefs->capacity, count, sizeof *linedefs->linedef);
    linedefs->linedef = array;
    return reserved;
}

static void empty(struct linedefs *linedefs)
{
    linedefs->count = 0;
    linedefs->may_have_0 = false;
}

// Whether a 0 in a list may be the header of another list, or of its own.
static bool may_be_header(const struct side *side,
                          const struct blockmap_list *list, size_t index)
{
    enum blockmap_headers headers = side->blockmap->headers;
    return (headers == HEADERS_ZERO && side->begins[index + 1]) ||
           (headers == HEADERS_MIXED && index == list->offset);
}

// Appends what a list has, in its order.
static void append_list(struct work *work, struct side *side,
                        const struct blockmap_list *list)
{
    const struct words *words = &side->blockmap->words;
    struct linedefs *set = &side->set;
    size_t length = list->end - list->begin;
    if (list->fault != LIST_READABLE)
        return;
    work->words_read += length;
    if (work->words_read > most_words)
        return;
    if (!reserve_linedefs(set, set->count + length)) {
        work->out_of_memory = true;
        return;
    }
    for (size_t w = list->begin; w < list->end; w++) {
        uint32_t word = words_get(words, w);
        if (word == 0 && may_be_header(side, list, w))
            set->may_have_0 = true;
        else
            set->linedef[set->count++] = word;
    }
}

static int compare_linedefs(const void *a, const void *b)
{
    const uint32_t *left = a;
    const uint32_t *right = b;
    return (*left > *right) - (*left < *right);
}

static bool is_ascending(const struct linedefs *linedefs)
{
    for (size_t i = 1; i < linedefs->count; i++)
        if (linedefs->linedef[i - 1] >= linedefs->linedef[i])
            return false;
    return true;
}

// Makes a set of what was appended.
static void make_set(struct linedefs *linedefs)
{
    size_t count = 0;
    if (is_ascending(linedefs))
        return;
    qsort(linedefs->linedef, linedefs->count, sizeof *linedefs->linedef,
          compare_linedefs);
    for (size_t i = 0; i < linedefs->count; i++)
        if (count == 0 || linedefs->linedef[count - 1] != linedefs->linedef[i])
            linedefs->linedef[count++] = linedefs->linedef[i];
    linedefs->count = count;
}

// ---------------------------------------------------------------------------
// A block

// Makes room for so many linedefs that differ.
static bool reserve_differences(struct work *work, size_t count)
{
    struct comparison *comparison = work->comparison;
    void *array = comparison->linedefs;
    if (!reserve(&array, &work->linedef_capacity, count,
                 sizeof *comparison->linedefs))
        work->out_of_memory = true;
    comparison->linedefs = array;
    return !work->out_of_memory;
}

static bool append_difference(struct work *work, uint32_t linedef)
{
    struct comparison *comparison = work->comparison;
    if (!reserve_differences(work, comparison->linedef_count + 1))
        return false;
    comparison->linedefs[comparison->linedef_count++] = linedef;
    return true;
}

// Appends the linedefs that `set` has and `other` has not; returns how many.
static size_t subtract(struct work *work, const struct linedefs *set,
                       const struct linedefs *other)
{
    size_t count = 0;
    size_t o = 0;
    for (size_t i = 0; i < set->count; i++) {
        uint32_t linedef = set->linedef[i];
        while (o < other->count && other->linedef[o] < linedef)
            o++;
        bool in_other = o < other->count && other->linedef[o] == linedef;
        if (in_other || (linedef == 0 && other->may_have_0))
            continue;
        if (!append_difference(work, linedef))
            break;
        count++;
    }
    return count;
}

static void append_block(struct work *work, const struct compare_block *block)
{
    struct comparison *comparison = work->comparison;
    void *array = comparison->blocks;
    if (!reserve(&array, &work->block_capacity, comparison->differing_count + 1,
                 sizeof *comparison->blocks))
        work->out_of_memory = true;
    comparison->blocks = array;
    if (work->out_of_memory)
        return;
    comparison->blocks[comparison->differing_count++] = *block;
    comparison->only_old += block->only_old;
    comparison->only_new += block->only_new;
}

static bool are_equal(const struct linedefs *a, const struct linedefs *b)
{
    return a->count == b->count &&
           (a->count == 0 ||
            memcmp(a->linedef, b->linedef, a->count * sizeof *a->linedef) == 0);
}

// Compares what was gathered of both for a block that the old grid has, or the
// new one, or both.
static void compare_block(struct work *work, struct compare_block *block,
                          bool with_old, bool with_new)
{
    bool in_order = are_equal(&work->old.set, &work->new.set);
    make_set(&work->old.set);
    make_set(&work->new.set);
    block->first = work->comparison->linedef_count;
    if (with_old)
        block->only_old = subtract(work, &work->old.set, &work->new.set);
    if (with_new)
        block->only_new = subtract(work, &work->new.set, &work->old.set);
    if (block->only_old > 0 || block->only_new > 0 ||
        block->old_fault != LIST_READABLE || block->new_fault != LIST_READABLE)
        append_block(work, block);
    else if (with_old && with_new && !in_order)
        work->comparison->reordered_count++;
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

// Appends what a side lists in the block at a place, or in those across it.
// Returns the fault of the last of them.
static enum list_fault gather(struct work *work, struct side *side, int64_t x,
                              int64_t y)
{
    const struct blockmap *blockmap = side->blockmap;
    struct blockmap_area area = blockmap_across(blockmap, x, y);
    enum list_fault fault = LIST_READABLE;
    empty(&side->set);
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

static bool is_in_grid(const struct blockmap *blockmap, int64_t x, int64_t y)
{
    struct blockmap_area area = blockmap_across(blockmap, x, y);
    return !blockmap_area_is_empty(&area);
}

// Goes through the blocks of the old grid, or through those of the new one that
// have not been compared with it.
static void compare_blocks(struct work *work, const struct blockmap *grid,
                           bool is_old)
{
    bool aligned = work->comparison->grids != GRIDS_OTHER;
    bool with_old = aligned || is_old;
    bool with_new = aligned || !is_old;
    for (size_t b = 0; b < grid->block_count; b++) {
        struct compare_block block = {
            .x = grid->origin_x +
                 (int64_t)(b % grid->columns) * BLOCKMAP_FIXED_SIDE,
            .y = grid->origin_y +
                 (int64_t)(b / grid->columns) * BLOCKMAP_FIXED_SIDE,
        };
        if (aligned && !is_old &&
            is_in_grid(work->old.blockmap, block.x, block.y))
            continue;
        enum list_fault old = gather(work, &work->old, block.x, block.y);
        enum list_fault new = gather(work, &work->new, block.x, block.y);
        work->comparison->is_too_long = work->words_read > most_words;
        if (work->out_of_memory || work->comparison->is_too_long)
            return;
        if (with_old)
            block.old_fault = old;
        if (with_new)
            block.new_fault = new;
        work->comparison->block_count++;
        compare_block(work, &block, with_old, with_new);
    }
}

// ---------------------------------------------------------------------------

static bool begin_side(struct side *side, const struct blockmap *blockmap)
{
    side->blockmap = blockmap;
    side->begins = calloc(blockmap->words.count + 1, sizeof *side->begins);
    if (!side->begins)
        return false;
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (blockmap->lists[b].fault == LIST_READABLE)
            side->begins[blockmap->lists[b].begin] = true;
    return true;
}

static void end_side(struct side *side)
{
    free(side->begins);
    free(side->set.linedef);
}

bool compare_blockmaps(const struct blockmap *old, const struct blockmap *new,
                       struct comparison *comparison)
{
    *comparison = (struct comparison){.grids = relate(old, new)};
    if (comparison->grids == GRIDS_NONE)
        return true;
    struct work work = {.comparison = comparison};
    work.out_of_memory = !begin_side(&work.old, old) ||
                         !begin_side(&work.new, new) ||
                         !reserve_differences(&work, 1);
    if (!work.out_of_memory)
        compare_blocks(&work, old, true);
    if (!work.out_of_memory && !comparison->is_too_long)
        compare_blocks(&work, new, false);
    end_side(&work.old);
    end_side(&work.new);
    return !work.out_of_memory;
}

void compare_free(struct comparison *comparison)
{
    free(comparison->blocks);
    free(comparison->linedefs);
    *comparison = (struct comparison){0};
}

const char *compare_grids_name(enum compare_grids grids)
{
    static const char *const names[] = {"none", "equal", "aligned", "other"};
    return names[grids];
}
