// SPDX-License-Identifier: GPL-2.0-or-later

#include "made-lists.h"

#include "context-for-tests.h"

#include <string.h>

static made_set random_set(struct random_stream *stream, uint32_t lines)
{
    made_set set = 0;
    for (uint32_t line = 0; line < lines; line++)
        set |= (made_set)random_below(stream, 2) << line;
    return set;
}

struct made_blocks made_blocks_random(struct random_stream *stream,
                                      uint32_t most_blocks, uint32_t most_lines)
{
    struct made_blocks blocks = {.count =
                                     1 + random_below(stream, most_blocks)};
    uint32_t lines = 1 + random_below(stream, most_lines);
    ck_assert_uint_le(most_blocks, MADE_MOST_BLOCKS);
    ck_assert_uint_le(most_lines, MADE_SET_LINES);
    for (size_t b = 0; b < blocks.count; b++)
        blocks.set[b] = random_set(stream, lines);
    return blocks;
}

// --- Lists ---

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
    size_t room = LISTS_ROOM(block_count);
    allocate(room + words, &lists.memory);
    allocate(list_count + 1, &lists.start);
    allocate(block_count, &lists.place);
    lists.words = lists.memory + room;
    lists.start[0] = 0;
    return lists;
}

// Gives one more block a list.
static void add_block(struct lists *lists, size_t list)
{
    lists->place[lists->block_count++] = lists->start[list];
    lists->entry_count += list_length(lists, list);
}

void made_lists_add(struct lists *lists, const uint32_t *linedefs,
                    size_t length)
{
    uint32_t *word = lists->words + lists->start[lists->list_count++];
    *word++ = LIST_HEADER;
    for (size_t i = 0; i < length; i++)
        *word++ = linedefs[i];
    *word++ = LIST_END;
    if (length > 0 && linedefs[length - 1] >= lists->linedef_end)
        lists->linedef_end = (size_t)linedefs[length - 1] + 1;
    lists->start[lists->list_count] = (uint32_t)(word - lists->words);
    add_block(lists, lists->list_count - 1);
}

void made_lists_add_set(struct lists *lists, made_set set)
{
    uint32_t linedefs[MADE_SET_LINES];
    size_t length = 0;
    for (uint32_t line = 0; line < MADE_SET_LINES; line++)
        if (set >> line & 1)
            linedefs[length++] = line;
    made_lists_add(lists, linedefs, length);
}

struct lists made_lists(const struct made_blocks *blocks)
{
    struct lists lists = made_lists_begin(
        blocks->count, blocks->count * MADE_SET_LINES, blocks->count);
    for (size_t b = 0; b < blocks->count; b++) {
        size_t same = 0;
        while (blocks->set[same] != blocks->set[b])
            same++;
        if (same < b)
            add_block(&lists, lists_number(&lists, lists.place[same]));
        else
            made_lists_add_set(&lists, blocks->set[b]);
    }
    return lists;
}

size_t made_blocks_words(const struct made_blocks *blocks)
{
    struct lists lists = made_lists(blocks);
    size_t words = lists.start[lists.list_count];
    lists_free(&test_context, &lists);
    return words;
}
