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

// A lump as an engine reads it.
struct view {
    const struct engine *engine;
    const struct open_map *map;
    struct words words;
    uint64_t columns;
    uint64_t rows;
    uint32_t *starts; // of each block's list, after a word that is skipped
    bool is_damaged;  // a list leads out of the lump or the map
    bool misses;      // an entry is missing
};

const char *engine_name(size_t engine)
{
    return engines[engine].name;
}

const char *engine_verdict_name(enum engine_verdict verdict)
{
    static const char *const names[] = {"loads", "rebuilds", "wrong", "crashes",
                                        "unknown"};
    return names[verdict];
}

static struct view open_view(const struct engine *engine,
                             const struct open_map *map)
{
    bool as_xbm1 = engine->reads_xbm1 && map->present.form == BLOCKMAP_XBM1;
    return (struct view){
        .engine = engine,
        .map = map,
        .words = blockmap_words(map->bytes, map->size,
                                as_xbm1 ? BLOCKMAP_XBM1 : BLOCKMAP_CLASSIC),
    };
}

static bool is_refused(const struct view *view)
{
    return view->engine->rebuilds &&
           (view->map->size < LEAST_BYTES ||
            (!view->words.are_wide && view->words.count > MOST_WORDS));
}

// Whether there are a grid and a whole table.
static bool read_grid(struct view *view)
{
    if (view->words.count < BLOCKMAP_GRID_WORDS)
        return false;
    view->columns = words_get(&view->words, 2);
    view->rows = words_get(&view->words, 3);
    return view->columns * view->rows <=
           view->words.count - BLOCKMAP_GRID_WORDS;
}

static size_t count_blocks(const struct view *view)
{
    return (size_t)(view->columns * view->rows);
}

// ---------------------------------------------------------------------------
// Lists

// An offset as the engine reads it: the terminator's bits are -1 to all.
static int64_t read_offset(const struct view *view, size_t block)
{
    uint32_t bits = words_get(&view->words, BLOCKMAP_GRID_WORDS + block);
    if (bits == words_end(&view->words))
        return -1;
    return view->engine->has_signed_words && bits >= SIGNED_WORDS
               ? (int64_t)bits - 2 * SIGNED_WORDS
               : bits;
}

static bool is_inside(const struct view *view, int64_t index)
{
    return index >= 0 && (uint64_t)index < view->words.count;
}

static bool has_offset_into_grid(const struct view *view)
{
    for (size_t b = 0; b < count_blocks(view); b++)
        if (read_offset(view, b) < BLOCKMAP_GRID_WORDS)
            return true;
    return false;
}

// Whether they do, wherever in the lump they are.
static bool all_lists_begin_with_zero(const struct view *view)
{
    for (size_t b = 0; b < count_blocks(view); b++) {
        int64_t offset = read_offset(view, b);
        if (!is_inside(view, offset) ||
            words_get(&view->words, (size_t)offset) != 0)
            return false;
    }
    return true;
}

// Finds where lists begin; false if one does outside the lump.
static bool find_starts(struct view *view, bool skips)
{
    for (size_t b = 0; b < count_blocks(view); b++) {
        int64_t start = read_offset(view, b) + skips;
        if (!is_inside(view, start))
            return false;
        view->starts[b] = (uint32_t)start;
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
        if (expected_is_outside(expected, b, view->columns, view->rows) &&
            expected_count_missing(expected, &blockmap->lists[b], NULL) > 0)
            return true;
    return false;
}

// ---------------------------------------------------------------------------

static void read_lists(struct view *view)
{
    const struct engine *engine = view->engine;
    bool all_zero = all_lists_begin_with_zero(view);
    bool skips =
        engine->first_word == FIRST_WORD_SKIPPED ||
        (engine->first_word == FIRST_WORD_SKIPPED_IF_ALL_ZERO && all_zero);
    size_t line_count = view->map->line_count;
    if (engine->has_signed_words && line_count > SIGNED_WORDS)
        line_count = SIGNED_WORDS;
    view->starts = memory_get(count_blocks(view), sizeof *view->starts);
    struct list_starts starts = {view->starts, count_blocks(view),
                                 LIST_HEADERS_NONE};
    view->is_damaged =
        !find_starts(view, skips) ||
        (engine->checks_lists && (!all_zero || has_offset_into_grid(view)));
    if (!view->is_damaged)
        lists_read(&view->words, line_count, &starts, judge_list, view);
    free(view->starts);
}

static enum engine_verdict judge(const struct engine *engine,
                                 const struct open_map *map)
{
    struct view view = open_view(engine, map);
    if (map->line_count == 0)
        return ENGINE_UNKNOWN;
    if (is_refused(&view))
        return ENGINE_REBUILDS;
    if (read_grid(&view))
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
