// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes lists one behind the other.  The leading 0 is what the ZDoom family
// wants to see, and what other engines skip or test as linedef 0.

#include "pack.h"

#include <string.h>

enum { WORDS_AROUND = 2 }; // the leading 0 and the end

static uint64_t count_words(const struct lists *lists, enum pack_mode mode)
{
    if (mode == PACK_SHARE)
        return (uint64_t)lists->start[lists->list_count] +
               (uint64_t)WORDS_AROUND * lists->list_count;
    return lists->touch_count + (uint64_t)WORDS_AROUND * lists->block_count;
}

// Appends a list to the area and returns where it begins.
static size_t append_list(const struct lists *lists, size_t list,
                          struct list_area *area)
{
    size_t begin = area->word_count;
    size_t length = lists_length(lists, list);
    uint32_t *words = area->words + begin;
    words[0] = 0;
    if (length > 0)
        memcpy(words + 1, lists->linedefs + lists->start[list],
               length * sizeof *words);
    words[1 + length] = LIST_END;
    area->word_count += length + WORDS_AROUND;
    area->stored_count++;
    return begin;
}

static void pack_none(const struct lists *lists, struct list_area *area)
{
    for (size_t b = 0; b < lists->block_count; b++)
        area->offset[b] = append_list(lists, lists->list_of_block[b], area);
}

// Lists are numbered in the order in which blocks first have them, so a list
// not stored yet is always the next one.
static void pack_share(const struct lists *lists, struct list_area *area)
{
    for (size_t b = 0; b < lists->block_count; b++) {
        uint32_t list = lists->list_of_block[b];
        if (list == area->stored_count)
            append_list(lists, list, area);
        area->offset[b] = lists->start[list] + (size_t)WORDS_AROUND * list;
    }
}

enum status pack_lists(struct context *context, const struct lists *lists,
                       enum pack_mode mode, struct list_area *area)
{
    *area = (struct list_area){.block_count = lists->block_count};
    enum status status = context_allocate(context, lists->block_count,
                                          sizeof *area->offset, &area->offset);
    if (status == STATUS_OK)
        status =
            context_allocate(context, context_count(count_words(lists, mode)),
                             sizeof *area->words, &area->words);
    if (status != STATUS_OK) {
        list_area_free(context, area);
        return status;
    }
    if (mode == PACK_SHARE)
        pack_share(lists, area);
    else
        pack_none(lists, area);
    return STATUS_OK;
}

void list_area_free(struct context *context, struct list_area *area)
{
    context_release(context, area->words);
    context_release(context, area->offset);
    *area = (struct list_area){0};
}
