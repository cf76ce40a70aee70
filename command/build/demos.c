// SPDX-License-Identifier: GPL-2.0-or-later
//
// Engines test the words of a list one after the other, so the lists of each
// block are compared word by word.  If they differ, their linedefs are compared
// without headers: first in order, then as sets.
//
// build is a host like any other, so this does not use the core's reader of
// blockmaps.

#include "config.h"

#include "build/demos.h"

#include "base/bytes.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEMOS_GRID_WORDS = 4 };

// The most words that are compared for a map; no real map has so many.
static const size_t DEMOS_MOST_WORDS = (size_t)1 << 26;

struct demos_lump {
    const unsigned char *words;
    size_t count;
    bool is_wide; // XBM1
    bool has_headers;
    bool has_zeros; // all lists begin with 0
    int64_t x, y;   // the origin, 16.16
    uint64_t columns, rows;
};

// A list: its words up to the terminator.  `end` is 0 if there is none.
struct demos_list {
    size_t begin, end;
};

static inline uint32_t demos_word(const struct demos_lump *lump, size_t index)
{
    return lump->is_wide ? bytes_get_u32(lump->words + 4 * index)
                         : bytes_get_u16(lump->words + 2 * index);
}

// Returns the end of the lump if a block has no offset.
static inline size_t demos_find_offset(const struct demos_lump *lump,
                                       uint64_t block)
{
    return block < lump->count - DEMOS_GRID_WORDS
               ? demos_word(lump, DEMOS_GRID_WORDS + (size_t)block)
               : lump->count;
}

static struct demos_list demos_find_list(const struct demos_lump *lump,
                                         uint64_t block)
{
    const uint32_t terminator = lump->is_wide ? UINT32_MAX : UINT16_MAX;
    struct demos_list list = {.begin = demos_find_offset(lump, block)};
    for (size_t i = list.begin; i < lump->count; i++)
        if (demos_word(lump, i) == terminator) {
            list.end = i;
            break;
        }
    return list;
}

// Whether all offsets lead to a 0.
static bool demos_find_zeros(const struct demos_lump *lump)
{
    const uint64_t blocks = lump->columns * lump->rows;
    if (blocks == 0 || blocks > lump->count - DEMOS_GRID_WORDS)
        return false;
    for (size_t b = 0; b < blocks; b++) {
        const size_t at = demos_word(lump, DEMOS_GRID_WORDS + b);
        if (at >= lump->count || demos_word(lump, at) != 0)
            return false;
    }
    return true;
}

// Reads the grid; false if there is none.
static bool demos_open(const struct nbstage_lump *given,
                       struct demos_lump *lump)
{
    static const char wide[8] = "XBM1\0\0\0";
    const size_t size = given->data_size;
    *lump = (struct demos_lump){.words = given->data, .count = size / 2};
    if (size >= sizeof wide && memcmp(given->data, wide, sizeof wide) == 0) {
        lump->is_wide = true;
        lump->words += sizeof wide;
        lump->count = (size - sizeof wide) / 4;
    }
    if (lump->count < DEMOS_GRID_WORDS)
        return false;
    const unsigned shift = lump->is_wide ? 0 : 16;
    lump->x = (int32_t)(demos_word(lump, 0) << shift);
    lump->y = (int32_t)(demos_word(lump, 1) << shift);
    lump->columns = demos_word(lump, 2);
    lump->rows = demos_word(lump, 3);
    lump->has_zeros = demos_find_zeros(lump);
    lump->has_headers = lump->has_zeros;
    return true;
}

bool demos_has_zeros(const struct nbstage_lump *given)
{
    struct demos_lump lump;
    return demos_open(given, &lump) && lump.has_zeros;
}

// ---------------------------------------------------------------------------
// Lists

struct demos {
    struct demos_lump old, new;
    size_t line_count;
    // For each linedef: one more than the last block of each lump that has it.
    uint64_t *in_old, *in_new;
    size_t work;
    unsigned changes;
};

static void demos_add(struct demos *demos, enum demos_change change)
{
    demos->changes |= 1u << change;
}

static bool demos_are_equal(struct demos *demos, struct demos_list old,
                            struct demos_list new)
{
    if (old.end - old.begin != new.end - new.begin)
        return false;
    demos->work += old.end - old.begin;
    for (size_t i = 0; i < old.end - old.begin; i++)
        if (demos_word(&demos->old, old.begin + i) !=
            demos_word(&demos->new, new.begin + i))
            return false;
    return true;
}

// Notes the linedefs of a list.
static void demos_mark(const struct demos *demos, const struct demos_lump *lump,
                       struct demos_list list, uint64_t mark, uint64_t *marks)
{
    for (size_t i = list.begin; i < list.end; i++)
        if (demos_word(lump, i) < demos->line_count)
            marks[demos_word(lump, i)] = mark;
}

// Whether a list has a linedef without this mark.
static bool demos_has_other(const struct demos *demos,
                            const struct demos_lump *lump,
                            struct demos_list list, uint64_t mark,
                            const uint64_t *marks)
{
    for (size_t i = list.begin; i < list.end; i++)
        if (demos_word(lump, i) >= demos->line_count ||
            marks[demos_word(lump, i)] != mark)
            return true;
    return false;
}

static void demos_compare_lists(struct demos *demos, struct demos_list old,
                                struct demos_list new, uint64_t mark)
{
    demos->work += old.end - old.begin + new.end - new.begin;
    if (demos->old.has_zeros != demos->new.has_zeros)
        demos_add(demos, DEMOS_HEADERS);
    old.begin += old.begin < old.end && demos->old.has_headers;
    new.begin += new.begin < new.end && demos->new.has_headers;
    if (demos_are_equal(demos, old, new)) {
        demos_add(demos, DEMOS_HEADERS);
        return;
    }
    demos_mark(demos, &demos->old, old, mark, demos->in_old);
    demos_mark(demos, &demos->new, new, mark, demos->in_new);
    const bool has_fewer =
        demos_has_other(demos, &demos->old, old, mark, demos->in_new);
    const bool has_more =
        demos_has_other(demos, &demos->new, new, mark, demos->in_old);
    if (has_fewer)
        demos_add(demos, DEMOS_FEWER);
    if (has_more)
        demos_add(demos, DEMOS_MORE);
    if (!has_fewer && !has_more)
        demos_add(demos, DEMOS_ORDER);
}

// Whether a list has the same words in both lumps, as most have.
static bool demos_have_same_words(struct demos *demos, uint64_t old_block,
                                  uint64_t new_block)
{
    const struct demos_lump old = demos->old, new = demos->new;
    const uint32_t terminator = old.is_wide ? UINT32_MAX : UINT16_MAX;
    const size_t of_old = demos_find_offset(&old, old_block);
    const size_t of_new = demos_find_offset(&new, new_block);
    for (size_t i = 0; of_old + i < old.count && of_new + i < new.count; i++) {
        const uint32_t word = demos_word(&old, of_old + i);
        const bool is_same = word == demos_word(&new, of_new + i);
        if (is_same && word != terminator)
            continue;
        demos->work += i;
        return is_same;
    }
    return false;
}

static void demos_compare_block(struct demos *demos, uint64_t old_block,
                                uint64_t new_block)
{
    demos->work++;
    if (demos_have_same_words(demos, old_block, new_block))
        return;
    const struct demos_list of_old = demos_find_list(&demos->old, old_block);
    const struct demos_list of_new = demos_find_list(&demos->new, new_block);
    if (of_old.end > 0 && of_new.end > 0)
        demos_compare_lists(demos, of_old, of_new, old_block + 1);
    else if (of_old.end == 0)
        demos->work += demos->old.count; // a search for its end
}

// Compares the lists of blocks that both lumps have.
static void demos_compare_blocks(struct demos *demos)
{
    const struct demos_lump *old = &demos->old, *new = &demos->new;
    const uint64_t columns =
        old->columns < new->columns ? old->columns : new->columns;
    const uint64_t rows = old->rows < new->rows ? old->rows : new->rows;
    const uint64_t blocks = columns > 0 ? columns * rows : 0;
    uint64_t row = 0, column = 0;
    for (uint64_t b = 0; b < blocks && demos->work < DEMOS_MOST_WORDS; b++) {
        demos_compare_block(demos, row * old->columns + column,
                            row * new->columns + column);
        if (++column == columns) {
            column = 0;
            row++;
        }
    }
}

static bool demos_compare_grids(struct demos *demos)
{
    const struct demos_lump *old = &demos->old, *new = &demos->new;
    if (old->x != new->x || old->y != new->y) {
        demos_add(demos, DEMOS_GRID);
        return true;
    }
    const size_t count = demos->line_count + 1;
    demos->in_old = calloc(count, sizeof *demos->in_old);
    demos->in_new = calloc(count, sizeof *demos->in_new);
    if (!demos->in_old || !demos->in_new)
        return false;
    demos_compare_blocks(demos);
    return true;
}

bool demos_compare(const struct nbstage_lump *old,
                   const struct nbstage_lump *new, const char *header,
                   size_t line_count, unsigned *changes)
{
    struct demos demos = {.line_count = line_count};
    bool is_done = true;
    if (old->data_size == 0 && new->data_size > 0)
        demos_add(&demos, DEMOS_FIRST);
    else if (old->data_size > 0 && new->data_size == 0)
        demos_add(&demos, DEMOS_EMPTY);
    else if (demos_open(old, &demos.old) && demos_open(new, &demos.new) &&
             (old->data_size != new->data_size ||
              memcmp(old->data, new->data, old->data_size) != 0)) {
        if (header)
            demos.new.has_headers = strcmp(header, "none") != 0;
        is_done = demos_compare_grids(&demos);
    }
    free(demos.in_old);
    free(demos.in_new);
    *changes = demos.changes;
    return is_done;
}
