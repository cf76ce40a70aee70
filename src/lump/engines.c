// SPDX-License-Identifier: GPL-2.0-or-later
//
// What several engines agree on.

#include "lump/engines.h"

#include <stddef.h>

const struct engine engine_table[ENGINE_COUNT] = {
#define FAMILY(...)
#define ENGINE(id, engine_name, words, ...) \
    {.family = FAMILY_##id, \
     .name = engine_name, \
     .first_word = FIRST_WORD_##words, \
     __VA_ARGS__},
#include "lump/engine-table.h"
};

// The weakest header that an engine reads right.
static enum list_header engines_weakest_header(const struct engine *engine)
{
    if (engine->checks_lists)
        return HEADER_ZERO;
    return engine->first_word == FIRST_WORD_SKIPPED ? HEADER_ANY : HEADER_NONE;
}

struct engines_needs engines_need(families named)
{
    struct engines_needs needs = {.header = HEADER_NONE,
                                  .limit = LIMIT_EXTENDED,
                                  .read_xbm1 = named != 0,
                                  .build_their_own = true};
    for (size_t i = 0; i < ENGINE_COUNT; i++) {
        const struct engine *engine = &engine_table[i];
        if (named && !(named & family_bit(engine->family)))
            continue;
        if (engines_weakest_header(engine) < needs.header)
            needs.header = engines_weakest_header(engine);
        needs.read_xbm1 = needs.read_xbm1 && engine->reads_xbm1;
        if (named && engine->has_signed_words)
            needs.limit = LIMIT_VANILLA;
        if (named && !engine->rebuilds)
            needs.build_their_own = false;
    }
    return needs;
}

families engines_without_xbm1(void)
{
    families found = 0;
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        if (!engine_table[i].reads_xbm1)
            found |= family_bit(engine_table[i].family);
    return found;
}
