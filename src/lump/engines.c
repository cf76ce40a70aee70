// SPDX-License-Identifier: GPL-2.0-or-later
//
// The facts are those that the manuals tell in "ENGINES".

#include "lump/engines.h"

#define ENGINE(engine_family, engine_name, ...) \
    { \
        .size = sizeof(struct nbstage_engine), .family = engine_family, \
        .name = engine_name, __VA_ARGS__ \
    }

const struct nbstage_engine engine_table[ENGINE_COUNT] = {
    ENGINE("doom19", "Doom 1.9, Chocolate Doom",
           .first_word = NBSTAGE_FIRST_WORD_READ, .has_signed_words = 1),
    ENGINE("crispy", "Crispy Doom", .first_word = NBSTAGE_FIRST_WORD_READ,
           .rebuilds = 1),
    ENGINE("boom", "Boom family, vanilla level",
           .first_word = NBSTAGE_FIRST_WORD_READ, .rebuilds = 1),
    ENGINE("boom", "Boom family, below MBF21",
           .first_word = NBSTAGE_FIRST_WORD_SKIPPED, .rebuilds = 1),
    ENGINE("boom", "SRB2", .first_word = NBSTAGE_FIRST_WORD_SKIPPED,
           .rebuilds = 1),
    ENGINE("mbf21", "Boom family, MBF21",
           .first_word = NBSTAGE_FIRST_WORD_SKIPPED_IF_ALL_ZERO, .rebuilds = 1),
    ENGINE("mbf21", "Eternity since 2016",
           .first_word = NBSTAGE_FIRST_WORD_SKIPPED_IF_ALL_ZERO, .rebuilds = 1),
    ENGINE("zdoom", "ZDoom family", .first_word = NBSTAGE_FIRST_WORD_SKIPPED,
           .rebuilds = 1, .checks_lists = 1),
    ENGINE("woof", "Woof since 2026, vanilla level",
           .first_word = NBSTAGE_FIRST_WORD_READ, .rebuilds = 1,
           .reads_xbm1 = 1),
    ENGINE("woof", "Woof since 2026, below MBF21",
           .first_word = NBSTAGE_FIRST_WORD_SKIPPED, .rebuilds = 1,
           .reads_xbm1 = 1),
    ENGINE("woof", "Woof since 2026, MBF21",
           .first_word = NBSTAGE_FIRST_WORD_SKIPPED_IF_ALL_ZERO, .rebuilds = 1,
           .reads_xbm1 = 1),
    ENGINE("odamex", "Odamex since 2026, demos",
           .first_word = NBSTAGE_FIRST_WORD_READ, .rebuilds = 1,
           .reads_xbm1 = 1),
    ENGINE("odamex", "Odamex since 2026",
           .first_word = NBSTAGE_FIRST_WORD_SKIPPED_IF_ALL_ZERO, .rebuilds = 1,
           .reads_xbm1 = 1),
};

static const families family_of[ENGINE_COUNT] = {
    1 << FAMILY_DOOM19, 1 << FAMILY_CRISPY, 1 << FAMILY_BOOM,
    1 << FAMILY_BOOM,   1 << FAMILY_BOOM,   1 << FAMILY_MBF21,
    1 << FAMILY_MBF21,  1 << FAMILY_ZDOOM,  1 << FAMILY_WOOF,
    1 << FAMILY_WOOF,   1 << FAMILY_WOOF,   1 << FAMILY_ODAMEX,
    1 << FAMILY_ODAMEX,
};

// The weakest header that an engine reads right.
static enum pack_header weakest_header(const struct nbstage_engine *engine)
{
    if (engine->checks_lists)
        return HEADER_ZERO;
    return engine->first_word == NBSTAGE_FIRST_WORD_SKIPPED ? HEADER_ANY
                                                            : HEADER_NONE;
}

struct engines_needs engines_need(families named)
{
    struct engines_needs needs = {.header = HEADER_NONE,
                                  .limit = LIMIT_EXTENDED,
                                  .read_xbm1 = named != 0,
                                  .build_their_own = true};
    for (size_t i = 0; i < ENGINE_COUNT; i++) {
        const struct nbstage_engine *engine = &engine_table[i];
        if (named && !(named & family_of[i]))
            continue;
        if (weakest_header(engine) < needs.header)
            needs.header = weakest_header(engine);
        needs.read_xbm1 = needs.read_xbm1 && engine->reads_xbm1;
        if (named && engine->has_signed_words)
            needs.limit = LIMIT_VANILLA;
        if (named && !engine->rebuilds)
            needs.build_their_own = false;
    }
    return needs;
}

families engines_without_header(enum pack_header header)
{
    families found = 0;
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        if (header > weakest_header(&engine_table[i]))
            found |= family_of[i];
    return found;
}

families engines_without_xbm1(void)
{
    families found = 0;
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        if (!engine_table[i].reads_xbm1)
            found |= family_of[i];
    return found;
}
