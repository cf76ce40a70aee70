// SPDX-License-Identifier: GPL-2.0-or-later
//
// Puts lists one behind the other.  The leading 0 is what the ZDoom family
// wants to see, and what other engines skip or test as linedef 0.

#include "pack.h"

#include <string.h>

// The lists as they are make the area.
static void pack_share(struct lists *lists, struct list_area *area)
{
    *area = (struct list_area){
        .words = lists->words,
        .memory = lists->memory,
        .word_count = lists->start[lists->list_count],
        .offset = lists->place,
        .block_count = lists->block_count,
        .stored_count = lists->list_count,
        .largest_offset = lists->start[lists->list_count - 1],
    };
    lists->memory = NULL;
    lists->place = NULL;
}

// Copies the list of every block into the area, which has room for them.
static void copy_lists(const struct lists *lists, struct list_area *area)
{
    uint32_t *next = area->words;
    for (size_t b = 0; b < lists->block_count; b++) {
        const uint32_t *word = lists->words + lists->place[b];
        area->largest_offset = (uint32_t)(next - area->words);
        area->offset[b] = area->largest_offset;
        do
            *next++ = *word;
        while (*word++ != LIST_END);
    }
}

static enum status pack_none(struct context *context, struct lists *lists,
                             struct list_area *area)
{
    uint64_t words =
        lists->touch_count + (uint64_t)LIST_EXTRA_WORDS * lists->block_count;
    *area = (struct list_area){.block_count = lists->block_count,
                               .stored_count = lists->block_count};
    enum status status = lists_allocate_words(
        context, lists->block_count, words, &area->memory, &area->words);
    if (status == STATUS_OK)
        status = context_allocate(context, lists->block_count,
                                  sizeof *area->offset, &area->offset);
    if (status != STATUS_OK)
        return status;
    area->word_count = (size_t)words;
    copy_lists(lists, area);
    return STATUS_OK;
}

enum status pack_lists(struct context *context, struct lists *lists,
                       enum pack_mode mode, struct list_area *area)
{
    enum status status = STATUS_OK;
    if (mode == PACK_SHARE)
        pack_share(lists, area);
    else
        status = pack_none(context, lists, area);
    lists_free(context, lists);
    if (status != STATUS_OK)
        list_area_free(context, area);
    return status;
}

void list_area_free(struct context *context, struct list_area *area)
{
    context_release(context, area->memory);
    context_release(context, area->offset);
    *area = (struct list_area){0};
}
