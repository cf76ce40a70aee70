// SPDX-License-Identifier: GPL-2.0-or-later
//
// The order of glBSP's lists.  The empty list comes first, whether a block has
// it or not.  The others follow by length, then by a checksum of 16 bits, then
// by their bytes.

#include "lists/builders.h"

#include <string.h>

enum { CHECKSUM_BEGIN = 0x1234 };

struct sorted_list {
    const uint32_t *linedefs;
    uint32_t length;
    uint32_t number;
    uint16_t checksum;
};

static uint16_t checksum_of(const uint32_t *linedefs, uint32_t length)
{
    uint32_t sum = CHECKSUM_BEGIN;
    for (uint32_t i = 0; i < length; i++)
        sum = ((sum << 4 | sum >> 12) ^ linedefs[i]) & 0xFFFF;
    return (uint16_t)sum;
}

// A word as a number that compares as its bytes in a lump do.
static uint32_t by_bytes(uint32_t word)
{
    return word << 24 | (word & 0xFF00) << 8 | (word >> 8 & 0xFF00) |
           word >> 24;
}

static bool is_before(const struct sorted_list *one,
                      const struct sorted_list *other)
{
    if (one->length != other->length)
        return one->length < other->length;
    if (one->checksum != other->checksum)
        return one->checksum < other->checksum;
    for (uint32_t i = 0; i < one->length; i++)
        if (one->linedefs[i] != other->linedefs[i])
            return by_bytes(one->linedefs[i]) < by_bytes(other->linedefs[i]);
    return false;
}

// Moves a list down the heap to where none below it comes after it.
static void sift(struct sorted_list *heap, size_t at, size_t count)
{
    for (size_t below = 2 * at + 1; below < count; below = 2 * at + 1) {
        if (below + 1 < count && is_before(&heap[below], &heap[below + 1]))
            below++;
        if (!is_before(&heap[at], &heap[below]))
            return;
        const struct sorted_list moved = heap[at];
        heap[at] = heap[below];
        heap[below] = moved;
        at = below;
    }
}

// By a heap: qsort() asks the system how much memory there is, and takes some.
static void sort(const struct lists *lists, struct sorted_list *sorted)
{
    const size_t count = lists->list_count;
    for (size_t l = 0; l < count; l++) {
        const uint32_t *linedefs = list_linedefs(lists, l);
        const uint32_t length = list_length(lists, l);
        sorted[l] = (struct sorted_list){linedefs, length, (uint32_t)l,
                                         checksum_of(linedefs, length)};
    }
    for (size_t i = count / 2; i-- > 0;)
        sift(sorted, i, count);
    for (size_t end = count; end-- > 1;) {
        const struct sorted_list last = sorted[0];
        sorted[0] = sorted[end];
        sorted[end] = last;
        sift(sorted, 0, end);
    }
}

// Moves the lists to new memory, with an empty list before them if there is
// none.
static void move(struct lists *lists, const struct sorted_list *sorted,
                 uint32_t *words, uint32_t *start, uint32_t *place)
{
    const size_t added = sorted[0].length > 0 ? 1 : 0;
    uint32_t *next = words;
    if (added) {
        start[0] = 0;
        *next++ = LIST_HEADER;
        *next++ = LIST_END;
    }
    for (size_t l = 0; l < lists->list_count; l++) {
        const uint32_t length = sorted[l].length;
        start[l + added] = place[sorted[l].number] = (uint32_t)(next - words);
        *next++ = LIST_HEADER;
        memcpy(next, sorted[l].linedefs, length * sizeof *next);
        next += length;
        *next++ = LIST_END;
    }
    lists->list_count += added;
    start[lists->list_count] = (uint32_t)(next - words);
}

nbstage_status glbsp_sort_lists(struct context *context, struct lists *lists)
{
    const size_t count = lists->list_count;
    const uint64_t most = (uint64_t)lists->start[count] + LIST_EXTRA_WORDS;
    struct sorted_list *sorted;
    uint32_t *memory = NULL, *words = NULL, *start = NULL, *place;
    const struct context_array arrays[] = {{&sorted, count, sizeof *sorted},
                                           {&place, count, sizeof *place}};
    nbstage_status status = context_allocate_arrays(context, arrays, 2);
    if (status == NBSTAGE_OK)
        status = lists_allocate_words(context, lists->block_count, most,
                                      &memory, &words);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, count + 2, sizeof *start, &start);
    if (status == NBSTAGE_OK) {
        sort(lists, sorted);
        for (size_t b = 0; b < lists->block_count; b++)
            lists->place[b] = (uint32_t)lists_number(lists, lists->place[b]);
        move(lists, sorted, words, start, place);
        for (size_t b = 0; b < lists->block_count; b++)
            lists->place[b] = place[lists->place[b]];
        context_release(context, lists->memory);
        context_release(context, lists->start);
        lists->memory = memory;
        lists->words = words;
        lists->start = start;
    } else {
        context_release(context, memory);
        lists_free(context, lists);
    }
    context_release(context, sorted);
    return status;
}
