// SPDX-License-Identifier: GPL-2.0-or-later
//
// Families differ in how they read words, in what they do with the first word
// of a list, and in the lumps that they refuse.  Each is a row of a table.  An
// engine that would read outside the lump, or test a linedef that the map does
// not have, crashes.

#include "config.h"

#include "blockmap/engines.h"

#include <string.h>

enum {
    LEAST_BYTES = 8,    // of a lump that ports take
    MOST_WORDS = 65535, // of a classic one
    SIGNED_WORDS = INT16_MAX + 1,
};

const char *const engine_verdict_names[] = {"loads", "rebuilds", "wrong",
                                            "crashes", "unknown"};

// A lump as an engine reads it.
struct view {
    const struct nbstage_engine *engine;
    const struct open_map *map;
    struct blockmap blockmap;
    bool has_front;  // an offset is -1
    bool is_damaged; // a list leads out of the lump or the map
    bool misses;     // an entry is missing that matters
};

// What was found in lists that begin at the offset or after the word there, of
// all linedefs or of those that signed words can number.
struct reading {
    bool is_known;
    bool is_damaged;
    bool misses;
};

enum { READINGS = 4 };

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
static void read_offsets(struct view *view, bool *all_zero, bool *some_in_grid)
{
    *all_zero = true;
    *some_in_grid = false;
    for (size_t b = 0; b < view->blockmap.block_count; b++) {
        int64_t offset = read_offset(view, b);
        if (offset < BLOCKMAP_GRID_WORDS)
            *some_in_grid = true;
        if (offset < 0)
            view->has_front = true;
        if (!is_inside(view, offset) ||
            words_get(&view->blockmap.words, (size_t)offset) != 0)
            *all_zero = false;
    }
}

// Whether all lists begin in the lump.
static bool begin_inside(const struct view *view, bool skips)
{
    for (size_t b = 0; b < view->blockmap.block_count; b++)
        if (!is_inside(view, read_offset(view, b) + skips))
            return false;
    return true;
}

static void judge_list(struct view *view, size_t block,
                       const struct list_view *list_view)
{
    const struct open_map *map = view->map;
    if (!list_view->has_end || list_view->too_large > 0)
        view->is_damaged = true;
    if (view->is_damaged || view->misses || !map->has_expected)
        return;
    struct blockmap_list list = expected_list(&map->expected, block);
    view->misses = expected_has_harm(&map->expected, &list, list_view);
}

static void judge_block(void *context, size_t block,
                        const struct list_view *list_view)
{
    if (read_offset(context, block) >= 0)
        judge_list(context, block, list_view);
}

// Judges the blocks whose offset is -1.  Where a word is skipped, their list
// begins with the lump.
static void judge_front(void *context, size_t first,
                        const struct list_view *list_view)
{
    struct view *view = context;
    for (size_t b = first; b < view->blockmap.block_count; b++)
        if (read_offset(view, b) < 0)
            judge_list(view, b, list_view);
}

static void read_front(struct view *view, size_t line_count)
{
    struct blockmap_list list = {0};
    uint32_t block = 0;
    struct blockmap front = view->blockmap;
    front.lists = &list;
    front.by_offset = &block;
    front.by_offset_count = 1;
    front.headers = HEADERS_NONE;
    blockmap_read_lists(&front, line_count, judge_front, view);
}

// Whether a linedef that matters is in a block outside the grid.
static bool misses_outside(const struct view *view)
{
    const struct expected *expected = &view->map->expected;
    const struct blockmap *blockmap = &expected->blockmap;
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (expected_is_outside(expected, b, view->blockmap.columns,
                                view->blockmap.rows) &&
            expected_has_harm(expected, &blockmap->lists[b], NULL))
            return true;
    return false;
}

// Reads the lists, or takes what an engine found that reads them alike.
static void read_lists(struct view *view, bool skips, struct reading *known)
{
    const bool is_cut =
        view->engine->has_signed_words && view->map->line_count > SIGNED_WORDS;
    const size_t line_count = is_cut ? SIGNED_WORDS : view->map->line_count;
    struct reading *reading = &known[2 * is_cut + skips];
    if (!reading->is_known) {
        view->blockmap.headers = skips ? HEADERS_ANY : HEADERS_NONE;
        view->blockmap.in_table_count = 0;
        blockmap_read_lists(&view->blockmap, line_count, judge_block, view);
        if (view->has_front)
            read_front(view, line_count);
        *reading = (struct reading){true, view->is_damaged, view->misses};
    }
    view->is_damaged = reading->is_damaged;
    view->misses = reading->misses;
}

static void read_table(struct view *view, struct reading *known)
{
    const struct nbstage_engine *engine = view->engine;
    bool all_zero, some_in_grid;
    read_offsets(view, &all_zero, &some_in_grid);
    bool skips =
        engine->first_word == NBSTAGE_FIRST_WORD_SKIPPED ||
        (engine->first_word == NBSTAGE_FIRST_WORD_SKIPPED_IF_ALL_ZERO &&
         all_zero);
    view->is_damaged = !begin_inside(view, skips) ||
                       (engine->checks_lists && (!all_zero || some_in_grid));
    if (!view->is_damaged && view->blockmap.block_count > 0)
        read_lists(view, skips, known);
}

static enum engine_verdict judge(const struct nbstage_engine *engine,
                                 const struct open_map *map,
                                 struct reading *known)
{
    const struct blockmap *present = &map->present;
    bool as_xbm1 = engine->reads_xbm1 && present->form == BLOCKMAP_XBM1;
    struct view view = {.engine = engine, .map = map};
    if (map->line_count == 0 || blockmap_is_over_limits(present))
        return ENGINE_UNKNOWN;
    blockmap_open(present->lump, present->bytes,
                  as_xbm1 ? BLOCKMAP_XBM1 : BLOCKMAP_CLASSIC, &view.blockmap);
    if (is_refused(&view))
        return ENGINE_REBUILDS;
    if (view.blockmap.form == present->form)
        view.blockmap = *present;
    if (view.blockmap.fault == BLOCKMAP_SOUND)
        read_table(&view, known);
    else
        view.is_damaged = true;
    if (view.is_damaged)
        return engine->checks_lists ? ENGINE_REBUILDS : ENGINE_CRASHES;
    if (!map->has_expected)
        return ENGINE_UNKNOWN;
    return view.misses || misses_outside(&view) ? ENGINE_WRONG : ENGINE_LOADS;
}

// Whether a list of names with commas between them has a name.
static bool has_name(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (;;) {
        size_t end = strcspn(list, ",");
        if (end == length && strncmp(list, name, length) == 0)
            return true;
        if (list[end] == '\0')
            return false;
        list += end + 1;
    }
}

void engines_judge(const struct open_file *file, const struct open_map *map,
                   struct engine_verdicts *verdicts)
{
    const struct nbstage_descriptor *stage = file->stage.descriptor;
    const char *named = open_map_setting(file, "for", "any");
    struct reading known[READINGS] = {{0}};
    *verdicts = (struct engine_verdicts){.are_named = !has_name(named, "any")};
    for (size_t i = 0; i < stage->engine_count; i++) {
        const struct nbstage_engine *engine =
            NBSTAGE_AT(struct nbstage_engine, stage->engines, i);
        bool is_judged =
            !verdicts->are_named || has_name(named, engine->family);
        if (!is_judged || verdicts->count == MOST_ENGINES)
            continue;
        verdicts->engine[verdicts->count] = engine;
        verdicts->verdict[verdicts->count++] = judge(engine, map, known);
    }
}

bool engine_reads_headers(const struct nbstage_engine *engine,
                          const struct blockmap *blockmap)
{
    return engine->first_word == NBSTAGE_FIRST_WORD_READ &&
           blockmap->headers == HEADERS_ZERO &&
           (blockmap->form == BLOCKMAP_CLASSIC || engine->reads_xbm1);
}
