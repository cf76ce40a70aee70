// SPDX-License-Identifier: GPL-2.0-or-later
//
// A linedef in a block's list is a touch, wherever it comes from.  So the lump
// is turned back into touches, and from there on everything goes its usual way.
//
// Touches have to be in linedef order.  One walk over the lists of all blocks
// counts how often each linedef is in them, a second one writes each touch to
// where its linedef's next one goes.  That also brings together what a list
// has more than once, to be left out.
//
// Lists may overlap in the lump in any way, so a small lump can stand for very
// many touches.  The first walk stops where that is more than a limit.

#include "lump/read-lump.h"

#include "lump/lump.h"

static const char name[] = "BLOCKMAP";

enum { PROGRESS_WORDS = 1 << 20 }; // between two reports of progress

struct reading {
    struct context *context;
    struct lump lump;
    size_t block_count;
    size_t line_count;
    size_t header_words; // before the linedefs of each list: 1 or 0
    size_t unreported;   // words read since the last report of progress

    // For each linedef where its next touch goes; before that is known, how
    // many touches it has.
    size_t *next;
    struct entries entries;
};

// ---------------------------------------------------------------------------
// The lump

static nbstage_status open_lump(struct reading *reading,
                                const unsigned char *bytes, size_t size)
{
    if (size == 0)
        return context_fail(reading->context, NBSTAGE_BAD_MAP, name,
                            "the map has no blockmap, or an empty one; one to "
                            "take the lists from was expected");
    nbstage_status status =
        lump_open(reading->context, bytes, size, &reading->lump);
    if (status != NBSTAGE_OK)
        return status;
    const struct grid *grid = &reading->lump.grid;
    reading->block_count = grid_block_count(grid);
    if (reading->block_count > (size_t)1 << ENTRY_BLOCK_BITS)
        return context_fail(
            reading->context, NBSTAGE_BAD_MAP, name,
            "the grid has %lu x %lu blocks; at most %lu in all were expected",
            (unsigned long)grid->columns, (unsigned long)grid->rows,
            1UL << ENTRY_BLOCK_BITS);
    return grid_check_limit(reading->context, name, grid);
}

// Finds whether lists begin with a header.  Offsets that are outside the lump
// are told of later.
static void find_headers(struct reading *reading)
{
    const struct lump *lump = &reading->lump;
    reading->header_words = 1;
    for (size_t b = 0; b < reading->block_count; b++) {
        size_t offset = lump_word(lump, LUMP_HEADER_WORDS + b);
        if (offset >= lump->word_count || lump_word(lump, offset) == 0)
            continue;
        reading->header_words = 0;
        context_log(reading->context, NBSTAGE_LOG_INFO, name,
                    "the list of block %zu at offset %zu does not begin with "
                    "a 0, so the first word of every list is a linedef",
                    b, offset);
        return;
    }
}

// Finds the linedefs of a block.
static nbstage_status find_linedefs(struct reading *reading, size_t block,
                                    struct lump_list *linedefs)
{
    nbstage_status status =
        lump_find_list(reading->context, &reading->lump, block, linedefs);
    if (status != NBSTAGE_OK)
        return status;
    linedefs->first_word += reading->header_words;
    linedefs->length -= reading->header_words;
    reading->unreported += linedefs->length;
    if (reading->unreported < PROGRESS_WORDS)
        return NBSTAGE_OK;
    reading->unreported = 0;
    return context_progress(reading->context, block, reading->block_count);
}

// ---------------------------------------------------------------------------
// Counting

static nbstage_status check_count(struct reading *reading, size_t block)
{
    uint64_t most =
        (uint64_t)LUMP_READ_LINEDEFS_A_WORD * reading->lump.word_count;
    if (most < LUMP_READ_LINEDEFS)
        most = LUMP_READ_LINEDEFS;
    uint64_t wanted = reading->context->limits.entries;
    if (wanted > 0 && reading->entries.count > wanted)
        return context_fail(reading->context, NBSTAGE_OVER_LIMIT, name,
                            "blocks 0 to %zu have %zu linedefs in their "
                            "lists; max-entries allows for %llu",
                            block, reading->entries.count,
                            (unsigned long long)wanted);
    if (reading->entries.count <= most)
        return NBSTAGE_OK;
    return context_fail(reading->context, NBSTAGE_OVER_LIMIT, name,
                        "blocks 0 to %zu have %zu linedefs in their lists; at "
                        "most %llu for all blocks were expected of %zu words",
                        block, reading->entries.count, (unsigned long long)most,
                        reading->lump.word_count);
}

static nbstage_status count_list(struct reading *reading, size_t block,
                                 const struct lump_list *linedefs)
{
    size_t end = linedefs->first_word + linedefs->length;
    for (size_t w = linedefs->first_word; w < end; w++) {
        uint32_t linedef = lump_word(&reading->lump, w);
        if (linedef >= reading->line_count)
            return context_fail(
                reading->context, NBSTAGE_BAD_MAP, name,
                "the list of block %zu at offset %zu has linedef %lu as word "
                "%zu; the map has %zu linedefs",
                block, linedefs->first_word - reading->header_words,
                (unsigned long)linedef, w, reading->line_count);
        reading->next[linedef]++;
    }
    reading->entries.count += linedefs->length;
    return check_count(reading, block);
}

static nbstage_status count_entries(struct reading *reading)
{
    nbstage_status status =
        context_allocate_zeroed(reading->context, reading->line_count,
                                sizeof *reading->next, &reading->next);
    for (size_t b = 0; b < reading->block_count && status == NBSTAGE_OK; b++) {
        struct lump_list linedefs;
        status = find_linedefs(reading, b, &linedefs);
        if (status == NBSTAGE_OK)
            status = count_list(reading, b, &linedefs);
    }
    return status;
}

// ---------------------------------------------------------------------------
// Touches

static nbstage_status allocate_entries(struct reading *reading)
{
    struct entries *entries = &reading->entries;
    entries->line_count = reading->line_count;
    entries->group_count =
        (entries->line_count + ENTRY_GROUP - 1) / ENTRY_GROUP;
    nbstage_status status =
        context_allocate(reading->context, entries->count,
                         sizeof *entries->entry, &entries->entry);
    if (status == NBSTAGE_OK)
        status =
            context_allocate(reading->context, entries->group_count,
                             sizeof *entries->group_end, &entries->group_end);
    return status;
}

// Turns the counts into where each linedef's touches begin.
static void place_linedefs(struct reading *reading)
{
    size_t begin = 0;
    for (size_t i = 0; i < reading->line_count; i++) {
        size_t count = reading->next[i];
        reading->next[i] = begin;
        begin += count;
    }
}

// Writes the touches, which leaves `next` at the end of each linedef's.
static nbstage_status write_entries(struct reading *reading)
{
    nbstage_status status = NBSTAGE_OK;
    for (size_t b = 0; b < reading->block_count && status == NBSTAGE_OK; b++) {
        struct lump_list linedefs;
        status = find_linedefs(reading, b, &linedefs);
        for (size_t i = 0; status == NBSTAGE_OK && i < linedefs.length; i++) {
            uint32_t linedef =
                lump_word(&reading->lump, linedefs.first_word + i);
            reading->entries.entry[reading->next[linedef]++] =
                linedef % ENTRY_GROUP << ENTRY_BLOCK_BITS | (uint32_t)b;
        }
    }
    return status;
}

// Closes the gaps that repeated touches leave, and finds where groups end.
static void drop_repeated(struct reading *reading)
{
    struct entries *entries = &reading->entries;
    uint32_t *entry = entries->entry;
    size_t kept = 0;
    size_t t = 0;
    for (size_t i = 0; i < reading->line_count; i++) {
        size_t begin = t;
        for (; t < reading->next[i]; t++)
            if (t == begin || entry[t] != entry[kept - 1])
                entry[kept++] = entry[t];
        entries->group_end[i / ENTRY_GROUP] = kept;
    }
    entries->count = kept;
}

static nbstage_status find_entries(struct reading *reading)
{
    find_headers(reading);
    nbstage_status status = count_entries(reading);
    if (status == NBSTAGE_OK)
        status = allocate_entries(reading);
    if (status != NBSTAGE_OK)
        return status;
    place_linedefs(reading);
    status = write_entries(reading);
    if (status == NBSTAGE_OK)
        drop_repeated(reading);
    return status;
}

// ---------------------------------------------------------------------------

nbstage_status lump_read_lists(struct context *context,
                               const unsigned char *bytes, size_t size,
                               size_t line_count, struct grid *grid,
                               struct lists *lists)
{
    struct reading reading = {.context = context, .line_count = line_count};
    nbstage_status status = open_lump(&reading, bytes, size);
    if (status == NBSTAGE_OK)
        status = find_entries(&reading);
    context_release(context, reading.next);
    *grid = reading.lump.grid;
    if (status == NBSTAGE_OK)
        status = lists_build(context, grid, &reading.entries, lists);
    entries_free(context, &reading.entries);
    return status;
}
