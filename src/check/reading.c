// SPDX-License-Identifier: GPL-2.0-or-later
//
// Engines differ in how they read words, in what they do with the first word of
// a list, in the lumps that they refuse, and in how many blocks they reach.  An
// engine that would read outside the lump, or test a linedef that the map does
// not have, crashes.  doc/engines.md has the facts, lump/engine-table.h a row
// for each engine.
//
// An engine that skips the first word of a list does not look at it.  If the
// list is empty and has no header, it skips the end mark, and runs on into the
// list that follows.

#include "check/reading.h"

#include "lines/lines.h"
#include "lists/lists.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIGNED_WORDS = INT16_MAX + 1 };

// A lump as read by engines with signed or unsigned words.
struct reading_view {
    const struct blockmap *blockmap;
    size_t line_count; // at most that many numbers are linedefs
    bool is_signed;
    bool all_zero;           // all lists are in the lump and begin with 0
    bool may_lack;           // some word may be a linedef that does not exist
    int64_t lowest, highest; // offset

    // A list runs past the end of the lump, or has a linedef that does not
    // exist: with its first word read, and skipped.
    bool is_damaged[2];
};

// The offset of a block.  All engines read all ones as -1.
static int64_t reading_offset(const struct reading_view *view, size_t block)
{
    const uint32_t bits =
        blockmap_word(view->blockmap, LUMP_HEADER_WORDS + block);
    if (bits == view->blockmap->terminator)
        return -1;
    return view->is_signed && bits >= SIGNED_WORDS
               ? (int64_t)bits - 2 * SIGNED_WORDS
               : bits;
}

// Whether words up to the next terminator are all linedefs of the map.
static bool reading_is_sound(const struct reading_view *view, size_t begin)
{
    const size_t end = view->blockmap->ends[begin];
    if (end == view->blockmap->word_count)
        return false;
    for (size_t w = begin; w < end && view->may_lack; w++)
        if (blockmap_word(view->blockmap, w) >= view->line_count)
            return false;
    return true;
}

static bool reading_find_damage(const struct reading_view *view, bool skips)
{
    const struct blockmap *blockmap = view->blockmap;
    if (blockmap->block_count == 0)
        return false;
    if (view->lowest + skips < 0 ||
        view->highest + skips >= (int64_t)blockmap->word_count)
        return true;
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (!reading_is_sound(view, (size_t)(reading_offset(view, b) + skips)))
            return true;
    return false;
}

static struct reading_view reading_look(const struct blockmap *blockmap,
                                        size_t line_count, bool is_signed)
{
    struct reading_view view = {
        .blockmap = blockmap,
        .line_count =
            is_signed && line_count > SIGNED_WORDS ? SIGNED_WORDS : line_count,
        .is_signed = is_signed,
        .all_zero = true,
        .lowest = INT64_MAX,
        .highest = -1,
    };
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const int64_t offset = reading_offset(&view, b);
        const bool is_inside =
            offset >= 0 && (uint64_t)offset < blockmap->word_count;
        view.lowest = offset < view.lowest ? offset : view.lowest;
        view.highest = offset > view.highest ? offset : view.highest;
        view.all_zero = view.all_zero && is_inside &&
                        blockmap_word(blockmap, (size_t)offset) == 0;
    }
    // Lists that begin before the lists have other words, too.
    view.may_lack = view.lowest < (int64_t)blockmap->lists_begin;
    for (size_t w = blockmap->lists_begin; w < blockmap->word_count; w++) {
        const uint32_t word = blockmap_word(blockmap, w);
        view.may_lack |=
            word >= view.line_count && word != blockmap->terminator;
    }
    view.is_damaged[false] = reading_find_damage(&view, false);
    view.is_damaged[true] = reading_find_damage(&view, true);
    return view;
}

// ---------------------------------------------------------------------------
// Engines

// Why an engine builds its own lump before it looks at the lists; or NULL.
static const char *reading_refuse(const struct engine *engine,
                                  const struct blockmap *blockmap,
                                  bool is_classic)
{
    if (engine->find == FIND_NEVER)
        return "it never uses the lump";
    if (engine->least_bytes == 0)
        return NULL;
    if (blockmap->bytes < engine->least_bytes)
        return blockmap->bytes == 0 ? "it is empty" : "it is too short";
    return is_classic && blockmap->bytes / 2 > LUMP_EXTENDED_WORDS
               ? "it has 65536 words or more"
               : NULL;
}

// Returns the first of the engine's checks that the lump fails, or NULL.  The
// lump must have a whole header.
static const char *reading_find_fault(const struct engine *engine,
                                      const struct reading_view *view)
{
    const struct blockmap *blockmap = view->blockmap;
    if (engine->checks >= CHECKS_LISTS &&
        (blockmap->lists_begin == 0 || view->is_damaged[false]))
        return "a list is damaged";
    if (engine->checks >= CHECKS_OFFSETS && blockmap->block_count > 0 &&
        view->lowest < LUMP_HEADER_WORDS)
        return "an offset is below 4";
    return engine->checks >= CHECKS_HEADERS && !view->all_zero
               ? "a list does not begin with 0"
               : NULL;
}

// How far an engine reaches into a grid.
static uint32_t reading_reach(const struct engine *engine,
                              const struct grid *grid)
{
    return engine->reach == 0 || (grid->columns <= engine->reach &&
                                  grid->rows <= engine->reach)
               ? REACH_ALL
               : engine->reach;
}

// Why an engine cannot read a damaged lump.
static const char *reading_damage(const struct reading_view *view)
{
    if (view->is_signed && view->lowest < -1)
        return "it reads offsets over 32767 as negative";
    if (view->is_signed && view->blockmap->line_count > SIGNED_WORDS)
        return "it reads linedefs over 32767 as negative";
    return "a list is damaged";
}

// What may make an engine miss linedefs; or NULL.
static const char *reading_doubt(const struct reading_view *view, bool skips,
                                 uint32_t reach)
{
    if (skips && view->blockmap->headers == HEADER_NONE)
        return "it skips each list's first linedef";
    return reach == REACH_ALL ? NULL
           : reach == 256     ? "it finds 256 columns and rows"
                              : "it finds 512 columns and rows";
}

// Reads a lump that an engine uses.
static struct reading reading_use(const struct engine *engine,
                                  const struct reading_view *view)
{
    const struct blockmap *blockmap = view->blockmap;
    const bool skips = engine->first_word == FIRST_WORD_SKIPPED ||
                       (engine->first_word == FIRST_WORD_SKIPPED_IF_ALL_ZERO &&
                        view->all_zero);
    const bool finds_0 = !skips && view->all_zero && blockmap->block_count > 0;
    if (blockmap->form == LUMP_EMPTY)
        return (struct reading){.kind = READING_CRASHES,
                                .why = "it needs a lump"};
    if (blockmap->lists_begin == 0 || view->is_damaged[skips])
        return (struct reading){.kind = READING_CRASHES,
                                .why = reading_damage(view)};
    const uint32_t reach = reading_reach(engine, &blockmap->grid);
    return (struct reading){.kind = READING_LISTS,
                            .why = reading_doubt(view, skips, reach),
                            .skips = skips || finds_0,
                            .finds_0 = finds_0,
                            .reach = reach};
}

static struct reading reading_of(const struct engine *engine,
                                 const struct reading_view *view)
{
    const struct blockmap *blockmap = view->blockmap;
    const bool is_blind = blockmap->form == LUMP_XBM1 && !engine->reads_xbm1;
    const char *why = reading_refuse(
        engine, blockmap, blockmap->form == LUMP_CLASSIC || is_blind);
    // In a lump of fewer than four words an engine reads past the end.
    if (!why && !is_blind && blockmap->word_count >= LUMP_HEADER_WORDS)
        why = reading_find_fault(engine, view);
    if (why)
        return (struct reading){.kind = READING_REBUILDS, .why = why};
    // Engines that cannot read XBM1 take its prefix for a grid without blocks.
    if (is_blind)
        return (struct reading){.kind = READING_LISTS,
                                .why = "it does not know XBM1",
                                .skips = true};
    return reading_use(engine, view);
}

// Adds an engine to those that read the lump alike.
static void readings_add(struct readings *readings, struct reading reading,
                         engine_set engine)
{
    size_t i = 0;
    while (i < readings->count) {
        const struct reading *other = &readings->reading[i];
        if (other->kind == reading.kind && other->why == reading.why &&
            other->skips == reading.skips &&
            other->finds_0 == reading.finds_0 && other->reach == reading.reach)
            break;
        i++;
    }
    if (i == readings->count)
        readings->reading[readings->count++] = reading;
    readings->reading[i].engines |= engine;
}

struct readings readings_find(const struct blockmap *blockmap,
                              size_t line_count, engine_set named)
{
    const bool is_known = line_count > 0 && blockmap->exceeded_memory == 0;
    const struct reading unknown = {.kind = READING_UNKNOWN};
    struct readings readings = {.count = 0};
    struct reading_view views[2]; // with unsigned and signed words
    views[false] = views[true] = reading_look(blockmap, line_count, false);
    if (views[false].highest >= SIGNED_WORDS || line_count > SIGNED_WORDS)
        views[true] = reading_look(blockmap, line_count, true);
    for (size_t i = 0; i < ENGINE_COUNT; i++) {
        const struct engine *engine = &engine_table[i];
        const struct reading_view *view = &views[engine->has_signed_words];
        if (named && !(named & ENGINE_BIT(i)))
            continue;
        readings_add(&readings, is_known ? reading_of(engine, view) : unknown,
                     ENGINE_BIT(i));
    }
    return readings;
}

// ---------------------------------------------------------------------------
// Lists

bool reading_reaches(const struct reading *reading,
                     const struct blockmap *blockmap, size_t block)
{
    return block % blockmap->grid.columns < reading->reach &&
           block / blockmap->grid.columns < reading->reach;
}

size_t reading_find_list(const struct reading *reading,
                         const struct blockmap *blockmap, size_t block)
{
    const size_t offset = blockmap_word(blockmap, LUMP_HEADER_WORDS + block);
    // An offset of all ones is -1.
    return offset == blockmap->terminator ? 0 : offset + reading->skips;
}
