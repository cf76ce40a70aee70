// SPDX-License-Identifier: GPL-2.0-or-later
//
// Takes the lists of the lump that the map has; the first fault is an error.
// Each linedef in a block's list becomes an entry, so that the lists are then
// built as those of lines are.  Entries have to be in linedef order: the first
// reading counts each linedef, the second one puts each entry in its place.
//
// Lists may overlap in any way, so a small lump can stand for very many
// entries.  There may be no more of them than a limit.

#include "lump/lump.h"

#include "base/context.h"
#include "lines/entries.h"
#include "lines/grid.h"
#include "lump/blockmap.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static const char lump_name[] = "BLOCKMAP";

// Fails for what is wrong with the grid or the table of an opened lump, if
// anything is.
static nbstage_status lump_check_grid(struct context *context,
                                      const struct blockmap *blockmap,
                                      struct grid *grid)
{
    const size_t size = blockmap->bytes;
    const bool has_grid = blockmap_get_grid(blockmap, grid);
    if (size == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, lump_name,
                            "the map has no blockmap, or an empty one; one to "
                            "take the lists from was expected");
    if (blockmap->odd_bytes > 0)
        return context_fail(context, NBSTAGE_BAD_MAP, lump_name,
                            "%zu bytes end inside a word; a multiple of %zu "
                            "was expected",
                            size, lump_word_size(blockmap->form));
    if (!has_grid)
        return context_fail(context, NBSTAGE_BAD_MAP, lump_name,
                            "%zu bytes hold no grid; a header with an origin "
                            "in whole units, a column and a row at least was "
                            "expected",
                            size);
    if (blockmap->fault == BLOCKMAP_NO_TABLE)
        return context_fail(context, NBSTAGE_BAD_MAP, lump_name,
                            "%zu words are too few for the offsets of "
                            "%lu x %lu blocks",
                            blockmap->words.count, (unsigned long)grid->columns,
                            (unsigned long)grid->rows);
    if (blockmap->block_count > (size_t)1 << ENTRY_BLOCK_BITS)
        return context_fail(
            context, NBSTAGE_BAD_MAP, lump_name,
            "the grid has %lu x %lu blocks; at most %lu in all were expected",
            (unsigned long)grid->columns, (unsigned long)grid->rows,
            1UL << ENTRY_BLOCK_BITS);
    return grid_check_limit(context, lump_name, grid);
}

// Fails for what is wrong with the list of a block, if anything is.
static nbstage_status lump_check_list(struct context *context,
                                      const struct blockmap *blockmap,
                                      size_t block)
{
    const struct blockmap_list *list = &blockmap->lists[block];
    const unsigned long offset = list->offset;
    size_t word = list->begin;
    if (list->fault == LIST_IN_TABLE || list->fault == LIST_OUTSIDE)
        return context_fail(context, NBSTAGE_BAD_MAP, lump_name,
                            "block %zu has offset %lu; the lists are at %zu "
                            "to %zu",
                            block, offset,
                            LUMP_HEADER_WORDS + blockmap->block_count,
                            blockmap->words.count);
    if (list->fault == LIST_ENDLESS)
        return context_fail(context, NBSTAGE_BAD_MAP, lump_name,
                            "the list of block %zu at offset %lu has no end",
                            block, offset);
    if (list->too_large == 0)
        return NBSTAGE_OK;
    while (words_get(&blockmap->words, word) < blockmap->line_count)
        word++;
    return context_fail(
        context, NBSTAGE_BAD_MAP, lump_name,
        "the list of block %zu at offset %lu has linedef %lu as word %zu; the "
        "map has %zu linedefs",
        block, offset, (unsigned long)words_get(&blockmap->words, word), word,
        blockmap->line_count);
}

// Checks all lists, and says which one shows that they have no header.
static nbstage_status lump_check_lists(struct context *context,
                                       const struct blockmap *blockmap)
{
    const struct blockmap_list *lists = blockmap->lists;
    const uint64_t most = context_most(context, BYTES_OF_ENTRY);
    size_t count = 0, bare = blockmap->block_count; // a block without a header
    for (size_t b = 0; b < blockmap->block_count; b++) {
        nbstage_status status = lump_check_list(context, blockmap, b);
        if (status != NBSTAGE_OK)
            return status;
        count += lists[b].end - lists[b].begin;
        if (count > most)
            return context_fail(context, NBSTAGE_OVER_LIMIT, lump_name,
                                "blocks 0 to %zu have %zu linedefs in their "
                                "lists; max-memory allows for %llu",
                                b, count, (unsigned long long)most);
        if (bare > b && words_get(&blockmap->words, lists[b].offset) != 0)
            bare = b;
    }
    if (bare < blockmap->block_count)
        context_log(context, NBSTAGE_LOG_INFO, lump_name,
                    "the list of block %zu at offset %lu does not begin with a "
                    "0, so the first word of every list is a linedef",
                    bare, (unsigned long)lists[bare].offset);
    return context_progress(context, 1, 2);
}

static nbstage_status lump_find_entries(struct context *context,
                                        const struct blockmap *blockmap,
                                        struct entries *entries)
{
    size_t *next; // for entries_place
    nbstage_status status = context_allocate_zeroed(
        context, blockmap->line_count, sizeof *next, &next);
    // Engines take a 0 inside a list, where another one begins, for linedef 0.
    struct list_view view = list_after_last(blockmap);
    view.may_have_header = false;
    while (status == NBSTAGE_OK && list_next(&view)) {
        for (size_t i = 0; i < view.distinct; i++)
            next[view.linedefs[i]]++;
        entries->count += view.distinct;
    }
    if (status == NBSTAGE_OK)
        status = entries_place(context, next, blockmap->line_count, entries);
    view = list_after_last(blockmap);
    view.may_have_header = false;
    while (status == NBSTAGE_OK && list_next(&view))
        for (size_t i = 0; i < view.distinct; i++)
            entries_add(entries, next, (uint32_t)view.block, view.linedefs[i]);
    context_release(context, next);
    return status;
}

nbstage_status lump_read_entries(struct context *context,
                                 const unsigned char *bytes, size_t size,
                                 size_t line_count, struct grid *grid,
                                 struct entries *entries)
{
    struct blockmap blockmap;
    blockmap_open(bytes, size, &blockmap);
    nbstage_status status = lump_check_grid(context, &blockmap, grid);
    if (entries)
        *entries = (struct entries){0};
    if (status == NBSTAGE_OK)
        status = blockmap_read(context, bytes, size, line_count, UINT64_MAX,
                               &blockmap);
    if (status == NBSTAGE_OK && blockmap.headers == HEADER_MIXED)
        blockmap_read_as(&blockmap, HEADER_NONE);
    if (status == NBSTAGE_OK)
        status = lump_check_lists(context, &blockmap);
    if (status == NBSTAGE_OK && entries)
        status = lump_find_entries(context, &blockmap, entries);
    blockmap_free(context, &blockmap);
    return status;
}
