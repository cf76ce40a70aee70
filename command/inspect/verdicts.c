// SPDX-License-Identifier: GPL-2.0-or-later
//
// Engines differ in how they read words, in what they do with the first word of
// a list, and in the lumps that they refuse.  An engine that would read outside
// the lump, or test a linedef that the map does not have, crashes.

#include "config.h"

#include "inspect/inspect.h"

#include "check/judge.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

const struct verdict_words verdict_words[] = {
    {"loads", "Read right by"},
    {"rebuilds", "Ignored by (they build their own)"},
    {"wrong", "Read wrong by"},
    {"crashes", "Crashes"},
    {"unknown", "Unknown for"}};

enum { SIGNED_WORDS = INT16_MAX + 1 };

// The findings in all lists.
struct verdict_reading {
    bool is_known;
    bool is_damaged; // a list runs past the lump or has a nonexistent linedef
    bool misses;     // a solid entry is missing
};

// A lump as read by engines with signed or unsigned words.
struct verdict_view {
    const struct expected *expected; // or NULL
    struct blockmap blockmap;        // line_count clamped to the range of words
    bool is_signed;
    bool all_zero;           // all lists are in the lump and begin with 0
    int64_t lowest, highest; // offset

    // With the first word of each list read, and skipped.
    struct verdict_reading readings[2], *reading;
};

// All engines read the terminator as -1.
static int64_t verdict_offset(const struct verdict_view *view, size_t block)
{
    const uint32_t bits =
        blockmap_word(&view->blockmap, LUMP_HEADER_WORDS + block);
    if (bits == view->blockmap.terminator)
        return -1;
    return view->is_signed && bits >= SIGNED_WORDS
               ? (int64_t)bits - 2 * SIGNED_WORDS
               : bits;
}

static struct verdict_view verdict_look(const struct expected *expected,
                                        const struct blockmap *blockmap,
                                        size_t line_count, bool is_signed)
{
    struct verdict_view view = {
        expected,         *blockmap,           is_signed,
        .all_zero = true, .lowest = INT64_MAX, .highest = -1};
    view.blockmap.headers = HEADER_NONE;
    view.blockmap.line_count =
        is_signed && line_count > SIGNED_WORDS ? SIGNED_WORDS : line_count;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const int64_t offset = verdict_offset(&view, b);
        const bool is_inside =
            offset >= 0 && (uint64_t)offset < blockmap->word_count;
        view.lowest = offset < view.lowest ? offset : view.lowest;
        view.highest = offset > view.highest ? offset : view.highest;
        view.all_zero = view.all_zero && is_inside &&
                        blockmap_word(blockmap, (size_t)offset) == 0;
    }
    return view;
}

// Reads all lists, with the first word of each skipped or not, unless this was
// done before.
static void verdict_read_lists(struct verdict_view *view, bool skipped)
{
    const struct blockmap *blockmap = &view->blockmap;
    struct verdict_reading *reading = &view->readings[skipped];
    view->reading = reading;
    if (reading->is_known)
        return;
    reading->is_known = true;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const size_t begin = (size_t)(verdict_offset(view, b) + skipped);
        const struct linedef_set set = blockmap_read_list(blockmap, begin);
        reading->is_damaged |=
            blockmap->ends[begin] == blockmap->word_count || set.too_large > 0;
        if (!reading->misses && view->expected)
            reading->misses = expected_misses_solid(
                view->expected, expected_block(view->expected, b), &set);
    }
}

// Whether a solid linedef is in a block outside a grid of this size.
static bool verdict_misses_outside(const struct expected *expected,
                                   uint32_t columns, uint32_t rows)
{
    if (expected->west == 0 && expected->south == 0 &&
        expected->grid.columns <= columns && expected->grid.rows <= rows)
        return false;
    for (size_t b = 0; b < expected->block_count; b++)
        if (expected_is_outside(expected, b, columns, rows) &&
            expected_misses_solid(expected, b, NULL))
            return true;
    return false;
}

// ---------------------------------------------------------------------------
// Verdicts

// Why an engine builds its own lump before it looks at the lists; or NULL.
static const char *verdict_refuse(const struct engine *engine,
                                  const struct blockmap *blockmap,
                                  bool is_classic)
{
    if (engine->builds_its_own)
        return "it never uses the lump";
    if (engine->least_bytes == 0)
        return NULL;
    if (blockmap->bytes < engine->least_bytes)
        return blockmap->bytes == 0 ? "it is empty" : "it is too short";
    return is_classic && blockmap->bytes / 2 > LUMP_EXTENDED_WORDS
               ? "it has 65536 words or more"
               : NULL;
}

// Whether a list, with its first word skipped or not, runs past the end.
static bool verdict_is_damaged(struct verdict_view *view, bool skipped)
{
    if (view->blockmap.block_count == 0)
        return false;
    if (view->lowest + skipped < 0 ||
        view->highest + skipped >= (int64_t)view->blockmap.word_count)
        return true;
    verdict_read_lists(view, skipped);
    return view->readings[skipped].is_damaged;
}

// Returns the first of the engine's checks that the lump fails, or NULL.  The
// lump must have a whole header.
static const char *verdict_find_fault(const struct engine *engine,
                                      struct verdict_view *view)
{
    const struct blockmap *blockmap = &view->blockmap;
    if (engine->checks >= CHECKS_LISTS &&
        (blockmap->lists_begin == 0 || verdict_is_damaged(view, false)))
        return "a list is damaged";
    if (engine->checks >= CHECKS_OFFSETS && blockmap->block_count > 0 &&
        view->lowest < LUMP_HEADER_WORDS)
        return "an offset is below 4";
    return engine->checks >= CHECKS_HEADERS && !view->all_zero
               ? "a list does not begin with 0"
               : NULL;
}

// Judges a lump that an engine uses.
static struct verdict verdict_use(const struct engine *engine,
                                  struct verdict_view *view, bool is_blind)
{
    const struct blockmap *blockmap = &view->blockmap;
    const bool skips = engine->first_word == FIRST_WORD_SKIPPED ||
                       (engine->first_word == FIRST_WORD_SKIPPED_IF_ALL_ZERO &&
                        view->all_zero);
    if (blockmap->form == LUMP_EMPTY)
        return (struct verdict){VERDICT_CRASHES, "it needs a lump"};
    if (!is_blind &&
        (blockmap->lists_begin == 0 || verdict_is_damaged(view, skips)))
        return (struct verdict){VERDICT_CRASHES,
                                view->is_signed
                                    ? "it reads offsets over 32767 as negative"
                                    : "a list is damaged"};
    if (!view->expected)
        return (struct verdict){VERDICT_UNKNOWN, NULL};
    if (verdict_misses_outside(view->expected,
                               is_blind ? 0 : blockmap->grid.columns,
                               is_blind ? 0 : blockmap->grid.rows))
        return (struct verdict){VERDICT_WRONG, is_blind
                                                   ? "it does not know XBM1"
                                                   : "the grid is too small"};
    if (is_blind || blockmap->block_count == 0 || !view->reading->misses)
        return (struct verdict){VERDICT_LOADS, NULL};
    return (struct verdict){
        VERDICT_WRONG,
        skips && !view->all_zero ? "it skips each list's first linedef" : NULL};
}

static struct verdict verdict_find(const struct engine *engine,
                                   struct verdict_view *view)
{
    const struct blockmap *blockmap = &view->blockmap;
    // Engines that cannot read XBM1 take its prefix for a grid without blocks.
    const bool is_blind = blockmap->form == LUMP_XBM1 && !engine->reads_xbm1;
    const bool is_classic = blockmap->form == LUMP_CLASSIC || is_blind;
    const char *why = verdict_refuse(engine, blockmap, is_classic);
    // In a lump of fewer than four words an engine reads past the end.
    if (!why && !is_blind && blockmap->word_count >= LUMP_HEADER_WORDS)
        why = verdict_find_fault(engine, view);
    return why ? (struct verdict){VERDICT_REBUILDS, why}
               : verdict_use(engine, view, is_blind);
}

struct engine_verdicts verdicts_find(const struct expected *expected,
                                     const struct blockmap *blockmap,
                                     size_t line_count, engine_set named)
{
    const bool is_known = line_count > 0 && blockmap->exceeded_memory == 0;
    struct engine_verdicts verdicts = {.named = named};
    struct verdict_view view =
        verdict_look(expected, blockmap, line_count, false);
    struct verdict_view other, *is_signed = &view;
    if (view.highest >= SIGNED_WORDS || line_count > SIGNED_WORDS) {
        other = verdict_look(expected, blockmap, line_count, true);
        is_signed = &other;
    }
    for (size_t i = 0; i < ENGINE_COUNT; i++) {
        const struct engine *engine = &engine_table[i];
        if (named && !(named & ENGINE_BIT(i)))
            continue;
        verdicts.engine[verdicts.count] = engine;
        verdicts.verdict[verdicts.count++] =
            is_known ? verdict_find(engine, engine->has_signed_words ? is_signed
                                                                     : &view)
                     : (struct verdict){VERDICT_UNKNOWN, NULL};
    }
    return verdicts;
}
