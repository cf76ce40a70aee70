// SPDX-License-Identifier: GPL-2.0-or-later
//
// Headers are found like this: if no list needs its first word, first words are
// headers.  And a 0 may be linedef 0: if it is in all lists that begin with it,
// no list has a header.

#include "config.h"

#include "blockmap/expected.h"

#include "nbstage.h"

struct blockmap_list expected_list(const struct expected *expected,
                                   size_t block)
{
    const struct blockmap *blockmap = &expected->blockmap;
    size_t column = block % expected->columns + expected->west;
    size_t row = block / expected->columns + expected->south;
    if (column >= blockmap->columns || row >= blockmap->rows)
        return (struct blockmap_list){0};
    return blockmap->lists[row * blockmap->columns + column];
}

bool expected_leaves_out(const struct expected *expected, uint32_t linedef)
{
    return expected->left_out && expected->left_out[linedef];
}

bool expected_is_harmless(const struct expected *expected, uint32_t linedef)
{
    return expected->harmless && expected->harmless[linedef];
}

const char *expected_reason(const struct expected *expected, uint32_t linedef)
{
    static const char *const reasons[] = {
        [NBSTAGE_LEFT_OUT_TAGGED] = "tagged",
        [NBSTAGE_LEFT_OUT_INERT] = "inert",
        [NBSTAGE_LEFT_OUT_BEFORE_CLOSED] = "unreachable by rule 3",
        [NBSTAGE_LEFT_OUT_INSIDE_CLOSED] = "unreachable by rule 4",
        [NBSTAGE_LEFT_OUT_BETWEEN_CLOSED] = "unreachable by rule 5",
        [NBSTAGE_LEFT_OUT_NO_WAY_IN] = "unreachable by rule 6",
    };
    const size_t fate = expected->harmless ? expected->harmless[linedef] : 0;
    return fate < sizeof reasons / sizeof *reasons ? reasons[fate] : NULL;
}

bool expected_is_missing(const struct expected *expected,
                         const struct list_view *list_view, uint32_t linedef)
{
    return !(list_view && list_has(list_view, linedef)) &&
           !expected_leaves_out(expected, linedef);
}

bool expected_has_harm(const struct expected *expected,
                       const struct blockmap_list *list,
                       const struct list_view *list_view)
{
    for (size_t w = list->begin; w < list->end; w++) {
        uint32_t linedef = words_get(&expected->blockmap.words, w);
        if (!expected_is_harmless(expected, linedef) &&
            expected_is_missing(expected, list_view, linedef))
            return true;
    }
    return false;
}

bool expected_is_outside(const struct expected *expected, size_t block,
                         uint64_t columns, uint64_t rows)
{
    size_t column = block % expected->blockmap.columns;
    size_t row = block / expected->blockmap.columns;
    return column < expected->west || column - expected->west >= columns ||
           row < expected->south || row - expected->south >= rows;
}

// ---------------------------------------------------------------------------
// Headers

struct counting {
    const struct expected *expected;
    const struct blockmap *blockmap;
    size_t missing; // linedefs in lists
    size_t zeros;   // lists that begin with a 0 that is no linedef

    // The list that is being counted; its blocks come one after the other.
    uint32_t offset;
    bool begins_with_header; // so far: a 0, and no block should have linedef 0
};

static void end_list(struct counting *counting)
{
    counting->zeros += counting->begins_with_header;
    counting->begins_with_header = false;
}

static void count_list(void *context, size_t block,
                       const struct list_view *list_view)
{
    struct counting *counting = context;
    const struct blockmap *blockmap = &counting->expected->blockmap;
    const struct blockmap_list *list = &counting->blockmap->lists[block];
    struct blockmap_list expected = expected_list(counting->expected, block);
    if (list->fault != LIST_READABLE)
        return;
    for (size_t w = expected.begin; w < expected.end; w++)
        counting->missing += expected_is_missing(
            counting->expected, list_view, words_get(&blockmap->words, w));
    if (list->offset != counting->offset) {
        end_list(counting);
        counting->begins_with_header = list->has_zero;
    }
    counting->offset = list->offset;
    if (expected.begin < expected.end &&
        words_get(&blockmap->words, expected.begin) == 0)
        counting->begins_with_header = false;
}

static struct counting count(const struct expected *expected,
                             const struct blockmap *blockmap, size_t line_count)
{
    struct counting counting = {.expected = expected, .blockmap = blockmap};
    blockmap_read_lists(blockmap, line_count, count_list, &counting);
    end_list(&counting);
    return counting;
}

// Whether all lists have a first word.
static bool have_words(const struct blockmap *blockmap)
{
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (blockmap->lists[b].fault == LIST_READABLE &&
            blockmap->lists[b].begin == blockmap->lists[b].end)
            return false;
    return blockmap->list_count > 0;
}

void expected_correct_headers(const struct expected *expected,
                              size_t line_count, struct blockmap *blockmap)
{
    enum blockmap_headers headers = blockmap->headers;
    struct blockmap other;
    if (headers == HEADERS_ZERO || blockmap->block_count == 0)
        return;
    struct counting with = count(expected, blockmap, line_count);
    if (headers == HEADERS_MIXED && with.zeros == 0)
        headers = HEADERS_NONE;
    if (have_words(blockmap)) {
        blockmap_read_as(blockmap->lump, blockmap->bytes, line_count,
                         HEADERS_ANY, &other);
        if (count(expected, &other, line_count).missing == with.missing)
            headers = HEADERS_ANY;
        blockmap_free(&other);
    }
    if (headers == blockmap->headers)
        return;
    blockmap_read_as(blockmap->lump, blockmap->bytes, line_count, headers,
                     &other);
    blockmap_free(blockmap);
    *blockmap = other;
}
