// SPDX-License-Identifier: GPL-2.0-or-later
//
// Engines test the words of a list one after the other, so the lists of each
// block are compared word by word.  If they differ, their linedefs are compared
// without headers: first in order, then as sets.  A block that one grid does
// not have counts as one with an empty list.
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

static inline uint32_t demos_read(const unsigned char *words, size_t index,
                                  bool is_wide)
{
    return is_wide ? bytes_get_u32(words + 4 * index)
                   : bytes_get_u16(words + 2 * index);
}

static inline uint32_t demos_word(const struct demos_lump *lump, size_t index)
{
    return demos_read(lump->words, index, lump->is_wide);
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

// Whether most ports read a lump that is not empty.
static bool demos_is_read(const struct demos_lump *lump)
{
    return !lump->is_wide && lump->count <= UINT16_MAX;
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
    // For each linedef: the last comparison whose list of a lump has it.
    uint64_t *in_old, *in_new;
    uint64_t comparison;
    size_t work;
    bool has_same; // a list has the same words in both lumps
    struct demos_found found;
};

static void demos_add(struct demos *demos, enum demos_change change)
{
    demos->found.changes |= 1u << change;
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
                       struct demos_list list, uint64_t *marks)
{
    for (size_t i = list.begin; i < list.end; i++)
        if (demos_word(lump, i) < demos->line_count)
            marks[demos_word(lump, i)] = demos->comparison;
}

// Counts the linedefs of a list without a mark.  They get one, so that a
// linedef that is listed twice counts once.
static size_t demos_count_others(const struct demos *demos,
                                 const struct demos_lump *lump,
                                 struct demos_list list, uint64_t *marks)
{
    size_t count = 0;
    for (size_t i = list.begin; i < list.end; i++) {
        const uint32_t linedef = demos_word(lump, i);
        const bool is_known = linedef < demos->line_count;
        if (is_known && marks[linedef] == demos->comparison)
            continue;
        if (is_known)
            marks[linedef] = demos->comparison;
        count++;
    }
    return count;
}

// Compares lists without their headers.  Returns whether they are equal.
static bool demos_compare_lists(struct demos *demos, struct demos_list old,
                                struct demos_list new)
{
    demos->work += old.end - old.begin + new.end - new.begin;
    old.begin += old.begin < old.end && demos->old.has_headers;
    new.begin += new.begin < new.end && demos->new.has_headers;
    if (demos_are_equal(demos, old, new))
        return true;
    demos->comparison++;
    demos_mark(demos, &demos->old, old, demos->in_old);
    demos_mark(demos, &demos->new, new, demos->in_new);
    const size_t removed =
        demos_count_others(demos, &demos->old, old, demos->in_new);
    const size_t added =
        demos_count_others(demos, &demos->new, new, demos->in_old);
    if (removed > 0)
        demos_add(demos, DEMOS_FEWER);
    if (added > 0)
        demos_add(demos, DEMOS_MORE);
    if (removed == 0 && added == 0)
        demos_add(demos, DEMOS_ORDER);
    demos->found.removed += removed;
    demos->found.added += added;
    return false;
}

// Whether words up to a terminator are equal; *length becomes the number of
// those that are.  Called with a constant `is_wide`, so that each form has a
// short loop: most of the time of a comparison goes here.
static inline bool demos_match(const unsigned char *a, const unsigned char *b,
                               size_t most, bool is_wide, size_t *length)
{
    const uint32_t terminator = is_wide ? UINT32_MAX : UINT16_MAX;
    size_t i = 0;
    uint32_t word = 0;
    while (i < most && word != terminator &&
           demos_read(a, i, is_wide) == demos_read(b, i, is_wide))
        word = demos_read(a, i++, is_wide);
    *length = i;
    return word == terminator;
}

// Whether a list has the same words in both lumps, as most have.
static bool demos_have_same_words(struct demos *demos, uint64_t old_block,
                                  uint64_t new_block)
{
    const struct demos_lump *old = &demos->old, *new = &demos->new;
    const size_t of_old = demos_find_offset(old, old_block);
    const size_t of_new = demos_find_offset(new, new_block);
    const unsigned width = old->is_wide ? 4 : 2;
    size_t length;
    if (old->is_wide != new->is_wide || of_old >= old->count ||
        of_new >= new->count)
        return false;
    const unsigned char *a = old->words + width * of_old;
    const unsigned char *b = new->words + width *of_new;
    const size_t most = old->count - of_old < new->count - of_new
                            ? old->count - of_old
                            : new->count - of_new;
    const bool are_same = old->is_wide
                              ? demos_match(a, b, most, true, &length)
                              : demos_match(a, b, most, false, &length);
    demos->work += length;
    return are_same;
}

// Finds a list of the old lump; false if it cannot be read.
static bool demos_find_old(struct demos *demos, uint64_t block,
                           struct demos_list *list)
{
    *list = demos_find_list(&demos->old, block);
    if (list->end > 0)
        return true;
    demos->work += demos->old.count; // the search for its end
    demos->found.unreadable++;
    return false;
}

// Compares the lists of a block that both lumps have.
static void demos_compare_block(struct demos *demos, uint64_t old_block,
                                uint64_t new_block)
{
    struct demos_list of_old;
    if (demos_have_same_words(demos, old_block, new_block)) {
        demos->has_same = true;
        return;
    }
    const struct demos_list of_new = demos_find_list(&demos->new, new_block);
    if (!demos_find_old(demos, old_block, &of_old) || of_new.end == 0)
        return;
    if (demos_are_equal(demos, of_old, of_new)) { // in another form
        demos->has_same = true;
        return;
    }
    if (demos_compare_lists(demos, of_old, of_new) ||
        demos->old.has_zeros != demos->new.has_zeros)
        demos_add(demos, DEMOS_HEADERS);
}

// Compares the lists of all blocks of the new lump.
static void demos_compare_new(struct demos *demos)
{
    const struct demos_lump *old = &demos->old, *new = &demos->new;
    const struct demos_list none = {0};
    struct demos_list list;
    uint64_t block = 0;
    for (uint64_t row = 0; row < new->rows; row++)
        for (uint64_t column = 0; column < new->columns; column++, block++) {
            if (demos->work++ >= DEMOS_MOST_WORDS)
                return;
            if (row < old->rows && column < old->columns)
                demos_compare_block(demos, row * old->columns + column, block);
            else if ((list = demos_find_list(new, block)).end > 0)
                demos_compare_lists(demos, none, list);
        }
}

// Compares the lists of blocks that only the old lump has.
static void demos_compare_old(struct demos *demos)
{
    const struct demos_lump *old = &demos->old, *new = &demos->new;
    const struct demos_list none = {0};
    struct demos_list list;
    if (old->columns <= new->columns && old->rows <= new->rows)
        return;
    const uint64_t all = old->columns * old->rows;
    const uint64_t most = old->count - DEMOS_GRID_WORDS; // with an offset
    for (uint64_t b = 0; b < all && b < most; b++) {
        if (demos->work++ >= DEMOS_MOST_WORDS)
            return;
        const bool is_old_only =
            b % old->columns >= new->columns || b / old->columns >= new->rows;
        if (is_old_only && demos_find_old(demos, b, &list))
            demos_compare_lists(demos, list, none);
    }
}

// Some builders write headers other than 0, which look like linedefs.  So if
// lists of the old lump do not all begin with 0, they are compared both ways:
// if no more is missing without the first words, these are headers.  They are
// not if one list is equal to a new one that has none.
static void demos_compare_all(struct demos *demos)
{
    demos_compare_new(demos);
    demos_compare_old(demos);
    const struct demos_found bare = demos->found;
    const unsigned lists =
        1u << DEMOS_ORDER | 1u << DEMOS_FEWER | 1u << DEMOS_MORE;
    if (demos->old.has_headers || !(bare.changes & lists) ||
        (demos->has_same && !demos->new.has_headers))
        return;
    demos->found = (struct demos_found){0};
    demos->old.has_headers = true;
    demos_compare_new(demos);
    demos_compare_old(demos);
    if (demos->found.added > bare.added)
        demos->found = bare;
}

static bool demos_compare_grids(struct demos *demos, bool has_lists)
{
    const struct demos_lump *old = &demos->old, *new = &demos->new;
    if (old->x != new->x || old->y != new->y) {
        demos_add(demos, DEMOS_GRID);
        return true;
    }
    if (!has_lists)
        return true;
    const size_t count = demos->line_count + 1;
    demos->in_old = calloc(count, sizeof *demos->in_old);
    demos->in_new = calloc(count, sizeof *demos->in_new);
    if (!demos->in_old || !demos->in_new)
        return false;
    demos_compare_all(demos);
    demos->found.are_compared = demos->work < DEMOS_MOST_WORDS;
    return true;
}

bool demos_compare(const struct nbstage_lump *old, bool has_lists,
                   const struct nbstage_lump *new, const char *header,
                   size_t line_count, struct demos_found *found)
{
    struct demos demos = {.line_count = line_count};
    bool is_done = true;
    if (old->data_size == new->data_size &&
        (old->data_size == 0 ||
         memcmp(old->data, new->data, old->data_size) == 0))
        demos.found =
            (struct demos_found){.are_equal = true, .are_compared = true};
    else if (old->data_size == 0)
        demos_add(&demos, DEMOS_FIRST);
    else if (new->data_size == 0)
        demos_add(&demos, DEMOS_EMPTY);
    else if (demos_open(old, &demos.old) && demos_open(new, &demos.new)) {
        if (header)
            demos.new.has_headers = strcmp(header, "none") != 0;
        is_done = demos_compare_grids(&demos, has_lists);
        if (demos_is_read(&demos.old) != demos_is_read(&demos.new))
            demos_add(&demos,
                      demos_is_read(&demos.new) ? DEMOS_FIRST : DEMOS_EMPTY);
    }
    free(demos.in_old);
    free(demos.in_new);
    *found = demos.found;
    return is_done;
}
