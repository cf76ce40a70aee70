// SPDX-License-Identifier: GPL-2.0-or-later
//
// Demos need the grid of the old lump.  Its lists number the linedefs of the
// input, so they are used only if each linedef, by number, has the same ends,
// flags, special, tag, args and sectors in the builder's map.  Builders write
// other vertices, sides and text for the same linedefs, so both maps are read
// by the core and compared as it reads them.  Of fields that it does not know
// it keeps only that there are some, so lines of text with such fields are
// never the same; nor are maps that cannot be read in full, or not both within
// the option max-memory.

#include "config.h"

#include "arena.h"
#include "base/context.h"
#include "build/builder/builder.h"
#include "map/attributes.h"
#include "map/map.h"
#include "nbstage.h"
#include "options.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Whether linedefs are the same

// A map as the core reads it.
struct old_map {
    struct map map;
    struct attributes attributes;
};

// Lets the arena have as much as max-memory allows for a map of these lumps.
static nbstage_status old_read_map(struct context *context,
                                   const struct nbstage_lump *lumps,
                                   size_t count, uint32_t max_memory,
                                   struct old_map *read)
{
    const struct nbstage_map given = {
        .size = sizeof given, .lumps = lumps, .lump_count = count};
    struct options options;
    uint64_t bytes = 0;
    bool is_complete;
    options_set_defaults(&options);
    options.memory_mib = max_memory;
    for (size_t i = 0; i < count; i++)
        bytes += lumps[i].data_size;
    arena_limit(context->user, options_limits(&options, bytes).memory);
    nbstage_status status = map_read(context, &given, true, &read->map);
    if (status == NBSTAGE_OK)
        status = attributes_read(context, &read->map, NBSTAGE_LOG_INFO, "",
                                 &read->attributes, &is_complete);
    return status == NBSTAGE_OK && !is_complete ? NBSTAGE_BAD_MAP : status;
}

static void old_free_map(struct context *context, struct old_map *read)
{
    attributes_free(context, &read->attributes);
    map_free(context, &read->map);
}

// Reads a linedef, and its ends; false if it has no such vertices, or fields
// that are not known.
static bool old_get_line(const struct old_map *read, size_t index,
                         struct map_line *line, struct map_vertex ends[2])
{
    const struct map *map = &read->map;
    *line = read->attributes.lines[index];
    const struct map_ends of =
        map_get_ends(map->lines.type, &map->lines, index);
    const size_t numbers[] = {of.v1, of.v2};
    if (map->format == NBSTAGE_FORMAT_UDMF && line->flags & NBSTAGE_LINE_OTHER)
        return false;
    for (int i = 0; i < 2; i++) {
        if (numbers[i] >= map->vertex_count)
            return false;
        ends[i] =
            map_get_vertex(map->vertices.type, &map->vertices, numbers[i]);
    }
    return true;
}

static bool old_same_lines(const struct old_map *a, const struct old_map *b)
{
    bool same = a->map.format == b->map.format &&
                a->map.line_count == b->map.line_count;
    for (size_t i = 0; same && i < a->map.line_count; i++) {
        struct map_line line, other;
        struct map_vertex ends[2], other_ends[2];
        same = old_get_line(a, i, &line, ends) &&
               old_get_line(b, i, &other, other_ends) &&
               memcmp(&line, &other, sizeof line) == 0 &&
               memcmp(ends, other_ends, sizeof ends) == 0;
    }
    return same;
}

// NBSTAGE_OK if all linedefs of two maps are the same; not if both take too
// much memory to read.
static nbstage_status old_compare(const struct nbstage_lump *a, size_t a_count,
                                  const struct nbstage_lump *b, size_t b_count,
                                  uint32_t max_memory)
{
    struct arena arena = {0};
    struct context context = {
        .user = &arena, .allocate = arena_allocate, .release = arena_release};
    struct old_map first = {0}, second = {0};
    nbstage_status status =
        old_read_map(&context, a, a_count, max_memory, &first);
    if (status == NBSTAGE_OK)
        status = old_read_map(&context, b, b_count, max_memory, &second);
    if ((status == NBSTAGE_OK && !old_same_lines(&first, &second)) ||
        (status == NBSTAGE_OUT_OF_MEMORY && arena.met_limit))
        status = NBSTAGE_BAD_MAP;
    old_free_map(&context, &second);
    old_free_map(&context, &first);
    arena_empty(&arena);
    return status;
}

// ---------------------------------------------------------------------------
// The lump

static struct nbstage_lump *old_find_lump(struct nbstage_lump *lumps,
                                          size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(lumps[i].name, "BLOCKMAP") == 0)
            return &lumps[i];
    return NULL;
}

// Bytes at the beginning of a lump that tell the grid.
static size_t old_grid_size(const struct nbstage_lump *lump)
{
    enum { CLASSIC_GRID = 8, XBM1_GRID = 24 };
    return lump->data_size >= XBM1_GRID && memcmp(lump->data, "XBM1", 4) == 0
               ? XBM1_GRID
               : CLASSIC_GRID;
}

bool old_blockmap_take(const struct wad *input, const struct map_place *old,
                       uint32_t max_memory, struct nbstage_lump *lumps,
                       size_t *count, struct nbstage_lump **before)
{
    char flaw[WAD_FLAW_SIZE];
    size_t old_count;
    *before = NULL;
    if (!maps_is_whole(input, old, flaw))
        return true;
    *before = maps_list_lumps(input, old, &old_count);
    if (!*before)
        return false;
    struct nbstage_lump *lump = old_find_lump(*before, old_count);
    if (!lump || lump->data_size == 0)
        return true;
    nbstage_status status =
        old_compare(*before, old_count, lumps, *count, max_memory);
    if (status == NBSTAGE_OUT_OF_MEMORY)
        return false;
    if (status != NBSTAGE_OK && lump->data_size > old_grid_size(lump))
        lump->data_size = old_grid_size(lump);
    struct nbstage_lump *present = old_find_lump(lumps, *count);
    if (!present) // the builder wrote none
        present = &lumps[(*count)++];
    *present = *lump;
    return true;
}
