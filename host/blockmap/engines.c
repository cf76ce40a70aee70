// SPDX-License-Identifier: GPL-2.0-or-later
//
// Families differ in how they read words, in what they do with the first word
// of a list, and in the lumps that they refuse.  Each is a row of a table.  An
// engine that would read outside the lump, or test a linedef that the map does
// not have, crashes.

#include "config.h"

#include "blockmap/engines.h"

#include "memory.h"

#include <stdlib.h>

enum first_word {
    FIRST_WORD_READ, // as a linedef like any other
    FIRST_WORD_SKIPPED,
    FIRST_WORD_SKIPPED_IF_ALL_ZERO, // if every list of the map begins with 0
};

static const struct engine {
    const char *name;
    enum first_word first_word;
    bool has_signed_words; // above 32767 they are negative
    bool rebuilds;         // lumps without a grid, and of 65536 words or more
    bool checks_lists; // and lumps with a list that is damaged or lacks a 0,
                       // or with an offset into the grid
    bool reads_xbm1;
} engines[ENGINE_COUNT] = {
    {"Doom 1.9, Chocolate Doom", FIRST_WORD_READ, .has_signed_words = true},
    {"Crispy Doom", FIRST_WORD_READ, .rebuilds = true},
    {"Boom family, vanilla level", FIRST_WORD_READ, .rebuilds = true},
    {"Boom family, below MBF21", FIRST_WORD_SKIPPED, .rebuilds = true},
    {"Boom family, MBF21", FIRST_WORD_SKIPPED_IF_ALL_ZERO, .rebuilds = true},
    {"Woof since 2026, vanilla level", FIRST_WORD_READ, .rebuilds = true,
     .reads_xbm1 = true},
    {"Woof since 2026, below MBF21", FIRST_WORD_SKIPPED, .rebuilds = true,
     .reads_xbm1 = true},
    {"Woof since 2026, MBF21", FIRST_WORD_SKIPPED_IF_ALL_ZERO, .rebuilds = true,
     .reads_xbm1 = true},
    {"ZDoom family", FIRST_WORD_SKIPPED, .rebuilds = true,
     .checks_lists = true},
};

enum {
    LEAST_BYTES = 8,    // of a lump that ports take
    MOST_WORDS = 65535, // of a classic one
    SIGNED_WORDS = INT16_MAX + 1,
};

const char *const engine_verdict_names[] = {"loads", "rebuilds", "wrong",
                                            "crashes", "unknown"};

// A lump as an engine reads it.
struct view {
    const struct engine *engine;
    const struct open_map *map;
    struct blockmap blockmap; // lists begin after a word that is skipped
    bool is_damaged;          // a list leads out of the lump or the map
    bool misses;              // an entry is missing
};

const char *engine_name(size_t engine)
{
    return engines[engine].name;
}

static bool is_refused(const struct view *view)
{
    const struct blockmap *blockmap = &view->blockmap;
    return view->engine->rebuilds &&
           (blockmap->bytes < LEAST_BYTES ||
            (!blockmap->words.are_wide && blockmap->words.count > MOST_WORDS));
}

// ---------------------------------------------------------------------------
// Lists

// An offset as the engine reads it: the terminator's bits are -1 to all.
static int64_t read_offset(const struct view *view, size_t block)
{
    const struct words *words = &view->blockmap.words;
    uint32_t bits = words_get(words, BLOCKMAP_GRID_WORDS + block);
    if (bits == words_end(words))
        return -1;
    return view->engine->has_signed_words && bits >= SIGNED_WORDS
               ? (int64_t)bits - 2 * SIGNED_WORDS
               : bits;
}

static bool is_inside(const struct view *view, int64_t index)
{
    return index >= 0 && (uint64_t)index < view->blockmap.words.count;
}

// Finds out whether all lists begin with a 0, wherever in the lump they are,
// and whether an offset leads into the grid.
static void read_offsets(const struct view *view, bool *all_zero,
                         bool *some_in_grid)
{
    *all_zero = true;
    *some_in_grid = false;
    for (size_t b = 0; b < view->blockmap.block_count; b++) {
        int64_t offset = read_offset(view, b);
        if (offset < BLOCKMAP_GRID_WORDS)
            *some_in_grid = true;
        if (!is_inside(view, offset) ||
            words_get(&view->blockmap.words, (size_t)offset) != 0)
            *all_zero = false;
    }
}

// Finds where lists begin; false if one does outside the lump.
static bool find_begins(struct view *view, bool skips)
{
    for (size_t b = 0; b < view->blockmap.block_count; b++) {
        int64_t begin = read_offset(view, b) + skips;
        if (!is_inside(view, begin))
            return false;
        view->blockmap.lists[b].begin = (size_t)begin;
    }
    return true;
}

static void judge_list(void *context, size_t block,
                       const struct list_view *list_view)
{
    struct view *view = context;
    const struct open_map *map = view->map;
    if (!list_view->has_end || list_view->too_large > 0)
        view->is_damaged = true;
    if (view->is_damaged || view->misses || !map->has_expected)
        return;
    struct blockmap_list list = expected_list(&map->expected, block);
    view->misses = expected_count_missing(&map->expected, &list, list_view) > 0;
}

// Whether a linedef that is not left out is in a block outside the grid.
static bool misses_outside(const struct view *view)
{
    const struct expected *expected = &view->map->expected;
    const struct blockmap *blockmap = &expected->blockmap;
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (expected_is_outside(expected, b, view->blockmap.columns,
                                view->blockmap.rows) &&
            expected_count_missing(expected, &blockmap->lists[b], NULL) > 0)
            return true;
    return false;
}

static void read_lists(struct view *view)
{
    const struct engine *engine = view->engine;
    struct blockmap *blockmap = &view->blockmap;
    size_t line_count = view->map->line_count;
    bool all_zero, some_in_grid;
    read_offsets(view, &all_zero, &some_in_grid);
    bool skips =
        engine->first_word == FIRST_WORD_SKIPPED ||
        (engine->first_word == FIRST_WORD_SKIPPED_IF_ALL_ZERO && all_zero);
    if (engine->has_signed_words && line_count > SIGNED_WORDS)
        line_count = SIGNED_WORDS;
    blockmap->lists =
        memory_get(blockmap->block_count, sizeof *blockmap->lists);
    view->is_damaged = !find_begins(view, skips) ||
                       (engine->checks_lists && (!all_zero || some_in_grid));
    if (!view->is_damaged)
        blockmap_read_lists(blockmap, line_count, judge_list, view);
    free(blockmap->lists);
}

static enum engine_verdict judge(const struct engine *engine,
                                 const struct open_map *map)
{
    const struct blockmap *present = &map->present;
    bool as_xbm1 = engine->reads_xbm1 && present->form == BLOCKMAP_XBM1;
    struct view view = {.engine = engine, .map = map};
    if (map->line_count == 0)
        return ENGINE_UNKNOWN;
    blockmap_open(present->lump, present->bytes,
                  as_xbm1 ? BLOCKMAP_XBM1 : BLOCKMAP_CLASSIC, &view.blockmap);
    if (is_refused(&view))
        return ENGINE_REBUILDS;
    if (view.blockmap.fault == BLOCKMAP_SOUND)
        read_lists(&view);
    else
        view.is_damaged = true;
    if (view.is_damaged)
        return engine->checks_lists ? ENGINE_REBUILDS : ENGINE_CRASHES;
    if (!map->has_expected)
        return ENGINE_UNKNOWN;
    return view.misses || misses_outside(&view) ? ENGINE_WRONG : ENGINE_LOADS;
}

void engines_judge(const struct open_map *map,
                   enum engine_verdict verdicts[ENGINE_COUNT])
{
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        verdicts[i] = judge(&engines[i], map);
}
