// SPDX-License-Identifier: GPL-2.0-or-later
//
// Puts lists one behind the other, each for itself or as chains.

#include "pack/pack.h"

#include "pack/chains.h"
#include "pack/cover.h"

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
        .price = lists_price(lists),
    };
    lists->memory = NULL;
    lists->place = NULL;
}

// Engines from MBF21 on take lists to have headers if all of them begin with a
// 0.  They must not be misled by lists that all begin with linedef 0.
static enum pack_header safe_header(const struct lists *lists,
                                    enum pack_header header)
{
    if (header != HEADER_NONE)
        return header;
    for (size_t l = 0; l < lists->list_count; l++)
        if (*list_linedefs(lists, l) != 0)
            return HEADER_NONE;
    return HEADER_ANY;
}

// Copies the list of every block into the area, which has room for them.
static void copy_lists(const struct lists *lists, enum pack_header header,
                       struct list_area *area)
{
    uint32_t *next = area->words;
    for (size_t b = 0; b < lists->block_count; b++) {
        const uint32_t *word = lists->words + lists->place[b] + 1;
        area->largest_offset = (uint32_t)(next - area->words);
        area->offset[b] = area->largest_offset;
        if (header == HEADER_ZERO)
            *next++ = LIST_HEADER;
        else if (header == HEADER_ANY)
            *next++ = *word == LIST_END ? LIST_HEADER : *word;
        do
            *next++ = *word;
        while (*word++ != LIST_END);
    }
    area->word_count = (size_t)(next - area->words);
}

static nbstage_status pack_none(struct context *context,
                                const struct lists *lists,
                                enum pack_header header, struct list_area *area)
{
    uint64_t words =
        lists->entry_count + (uint64_t)LIST_EXTRA_WORDS * lists->block_count;
    *area = (struct list_area){.block_count = lists->block_count,
                               .stored_count = lists->block_count};
    nbstage_status status = lists_allocate_words(
        context, lists->block_count, words, &area->memory, &area->words);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, lists->block_count,
                                  sizeof *area->offset, &area->offset);
    if (status == NBSTAGE_OK)
        copy_lists(lists, safe_header(lists, header), area);
    return status;
}

static nbstage_status pack_chains(struct context *context, struct lists *lists,
                                  struct pack_form form, struct list_area *area)
{
    struct nesting nesting;
    nbstage_status status =
        form.mode == PACK_NEST
            ? nest_lists(context, lists, form.header == HEADER_ZERO, &nesting)
            : nest_nothing(context, lists, &nesting);
    if (status != NBSTAGE_OK)
        return status;
    status = chains_write(context, lists, &nesting,
                          safe_header(lists, form.header), area);
    area->nested_count = nesting.nested_count;
    area->price = lists_price(lists);
    area->is_early = !nesting.is_complete;
    nesting_free(context, &nesting);
    return status;
}

static nbstage_status pack_cover(struct context *context, struct lists *lists,
                                 enum pack_header header,
                                 struct list_area *area)
{
    bool is_complete = true;
    const struct pack_form form = {PACK_SHARE, header};
    nbstage_status status = cover_lists(context, lists, &is_complete);
    if (status == NBSTAGE_OK)
        status = pack_chains(context, lists, form, area);
    area->is_early = !is_complete;
    return status;
}

nbstage_status pack_lists(struct context *context, struct lists *lists,
                          struct pack_form form, struct list_area *area)
{
    const size_t linedef_end = lists->linedef_end;
    nbstage_status status = NBSTAGE_OK;
    *area = (struct list_area){0};
    if (form.mode == PACK_NONE)
        status = pack_none(context, lists, form.header, area);
    else if (form.mode == PACK_COVER)
        status = pack_cover(context, lists, form.header, area);
    else if (form.mode == PACK_SHARE && form.header == HEADER_ZERO)
        pack_share(lists, area);
    else
        status = pack_chains(context, lists, form, area);
    lists_free(context, lists);
    area->linedef_end = linedef_end;
    if (status != NBSTAGE_OK)
        list_area_free(context, area);
    return status;
}

void list_area_free(struct context *context, struct list_area *area)
{
    context_release(context, area->memory);
    context_release(context, area->offset);
    *area = (struct list_area){0};
}
