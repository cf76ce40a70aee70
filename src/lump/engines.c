// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the header and the limits that suit a set of engines.

#include "lump/engines.h"

#include "lists/lists.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const struct engine engine_table[ENGINE_COUNT] = {
#define ENGINE(id, engine_name, option_word, words, ...) \
    {.name = engine_name, \
     .word = option_word, \
     .first_word = FIRST_WORD_##words, \
     .least_bytes = __VA_ARGS__},
#define NAME(...)
#define GAME(...)
#include "lump/engine-table.h"
};

struct engines_needs engines_need(engine_set named)
{
    struct engines_needs needs = {.header = HEADER_NONE,
                                  .limit = LIMIT_EXTENDED,
                                  .read_xbm1 = named != 0,
                                  .build_their_own = true};
    for (size_t i = 0; i < ENGINE_COUNT; i++) {
        const struct engine *engine = &engine_table[i];
        const bool skips = engine->first_word == FIRST_WORD_SKIPPED;
        if (named && !(named & ENGINE_BIT(i)))
            continue;
        const enum list_header weakest = engine->checks == CHECKS_HEADERS
                                             ? HEADER_ZERO
                                         : skips ? HEADER_ANY
                                                 : HEADER_NONE;
        if (weakest < needs.header)
            needs.header = weakest;
        needs.read_xbm1 = needs.read_xbm1 && engine->reads_xbm1;
        if (named && engine->has_signed_words)
            needs.limit = LIMIT_VANILLA;
        if (named && engine->least_bytes == 0 && engine->find != FIND_NEVER)
            needs.build_their_own = false;
        if (skips && engine->checks != CHECKS_HEADERS)
            needs.skip |= ENGINE_BIT(i);
        if (!engine->reads_xbm1 && engine->find != FIND_NEVER)
            needs.without_xbm1 |= ENGINE_BIT(i);
    }
    return needs;
}

// The first engine of a set that has the word of engine `index`.
static size_t engines_find_word(engine_set engines, size_t index)
{
    size_t first = 0;
    while (!(engines & ENGINE_BIT(first)) ||
           strcmp(engine_table[first].word, engine_table[index].word) != 0)
        first++;
    return first;
}

void engines_list(engine_set engines, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < ENGINE_COUNT && length < size; i++)
        if (engines & ENGINE_BIT(i) && engines_find_word(engines, i) == i)
            length +=
                (size_t)snprintf(text + length, size - length, "%s%s",
                                 length > 0 ? ", " : "", engine_table[i].word);
}
