// SPDX-License-Identifier: GPL-2.0-or-later

#include "made-lists.h"

#include "context-for-tests.h"

static void allocate(size_t count, uint32_t **array)
{
    ck_assert_int_eq(
        context_allocate(&test_context, count, sizeof **array, array),
        NBSTAGE_OK);
}

struct lists made_lists_begin(size_t list_count, size_t linedef_count,
                              size_t block_count)
{
    struct lists lists = {0};
    size_t words = linedef_count + LIST_EXTRA_WORDS * list_count;
    allocate(words, &lists.words);
    allocate(block_count + list_count + 1, &lists.place);
    lists.start = lists.place + block_count;
    lists.start[0] = 0;
    return lists;
}

void made_lists_add(struct lists *lists, const uint32_t *linedefs,
                    size_t length)
{
    const uint32_t place = lists->start[lists->list_count++];
    uint32_t *word = lists->words + place;
    *word++ = LIST_HEADER;
    for (size_t i = 0; i < length; i++)
        *word++ = linedefs[i];
    *word++ = LIST_END;
    if (length > 0 && linedefs[length - 1] >= lists->linedef_end)
        lists->linedef_end = (size_t)linedefs[length - 1] + 1;
    lists->word_count = (size_t)(word - lists->words);
    lists->start[lists->list_count] = (uint32_t)lists->word_count;
    lists->largest_place = place;
    lists->place[lists->block_count++] = place;
    lists->entry_count += length;
}
