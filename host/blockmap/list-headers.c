// SPDX-License-Identifier: GPL-2.0-or-later
//
// A list may begin with any word as its header, as some builders have it, or
// with its first linedef.  The map tells which it is: if no list needs its
// first word, first words are headers.  And a 0 may be linedef 0: where that is
// so in all lists that begin with it, none has a header.

#include "config.h"

#include "blockmap/list-headers.h"

#include "blockmap/expected.h"

struct counting {
    const struct open_map *map;
    const struct blockmap *blockmap;
    size_t missing; // linedefs in lists
    size_t zeros;   // lists that begin with a 0 that is no linedef

    // Of the list that is being counted, whose blocks come one after the other.
    uint32_t offset;
    bool begins_with_header; // so far: a 0, and no block should have linedef 0
};

// Takes note of the list that has been counted.
static void leave_list(struct counting *counting)
{
    counting->zeros += counting->begins_with_header;
    counting->begins_with_header = false;
}

static void count_list(void *context, size_t block,
                       const struct list_view *list_view)
{
    struct counting *counting = context;
    const struct open_map *map = counting->map;
    const struct blockmap_list *list = &counting->blockmap->lists[block];
    struct blockmap_list expected = expected_of_block(map, block);
    bool has_linedef_0 = false;
    if (list->fault != LIST_READABLE)
        return;
    for (size_t w = expected.begin; w < expected.end; w++) {
        uint32_t linedef = words_get(&map->expected.words, w);
        has_linedef_0 = has_linedef_0 || linedef == 0;
        counting->missing += expected_misses(map, list_view, linedef);
    }
    if (list->offset != counting->offset) {
        leave_list(counting);
        counting->begins_with_header = list->has_zero;
    }
    counting->offset = list->offset;
    if (has_linedef_0)
        counting->begins_with_header = false;
}

static void count(struct counting *counting)
{
    blockmap_read_lists(counting->blockmap, counting->map->line_count,
                        count_list, counting);
    leave_list(counting);
}

// Whether all lists have a first word.
static bool have_words(const struct blockmap *blockmap)
{
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (blockmap->lists[b].fault == LIST_READABLE &&
            blockmap->lists[b].begin == blockmap->lists[b].end)
            return false;
    return blockmap->list_count > 0;
}

// Reads the present blockmap anew, with these headers.
static void read_present(struct open_map *map, enum blockmap_headers headers)
{
    blockmap_free(&map->present);
    blockmap_read_as(map->bytes, map->size, map->line_count, headers,
                     &map->present);
}

// Whether the lists miss as much without their first words.
static bool misses_the_same_without(const struct open_map *map, size_t missing)
{
    struct blockmap skipping;
    struct counting without = {.map = map, .blockmap = &skipping};
    blockmap_read_as(map->bytes, map->size, map->line_count, HEADERS_ANY,
                     &skipping);
    count(&without);
    blockmap_free(&skipping);
    return without.missing == missing;
}

void list_headers_find(struct open_map *map)
{
    struct blockmap *present = &map->present;
    struct counting with = {.map = map, .blockmap = present};
    if (present->headers == HEADERS_ZERO || present->block_count == 0)
        return;
    count(&with);
    if (have_words(present) && misses_the_same_without(map, with.missing))
        read_present(map, HEADERS_ANY);
    else if (present->headers == HEADERS_MIXED && with.zeros == 0)
        read_present(map, HEADERS_NONE);
}
