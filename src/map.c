// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the lumps of a map, tells its format from the lumps present, and
// checks that the sizes are possible.  Whether a linedef's vertices exist is
// seen by the next step, which reads every one of them anyway.

#include "map.h"

#include <string.h>

// Sizes of the records in Doom-format lumps, bytes.
enum { DOOM_LINEDEF_SIZE = 14, DOOM_VERTEX_SIZE = 4 };

static const struct map_lump *find_lump(const struct map_lump *lumps,
                                        size_t lump_count, const char *name)
{
    for (size_t i = 0; i < lump_count; i++)
        if (strcmp(lumps[i].name, name) == 0)
            return &lumps[i];
    return NULL;
}

// Says so if lumps stand for a format that is not read.
static enum status check_format(struct context *context,
                                const struct map_lump *lumps, size_t lump_count)
{
    static const struct {
        const char *lump;
        const char *format;
    } others[] = {
        {"TEXTMAP", "UDMF"},          {"BEHAVIOR", "Hexen format"},
        {"LEAFS", "Doom 64 format"},  {"LIGHTS", "Doom 64 format"},
        {"MACROS", "Doom 64 format"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (find_lump(lumps, lump_count, others[i].lump))
            return context_fail(context, STATUS_UNSUPPORTED, others[i].lump,
                                "a map with this lump is in %s; only Doom "
                                "format is read",
                                others[i].format);
    return STATUS_OK;
}

// Finds a lump of records and counts them.
static enum status find_records(struct context *context,
                                const struct map_lump *lumps, size_t lump_count,
                                const char *name, size_t record_size,
                                const unsigned char **records, size_t *count)
{
    const struct map_lump *lump = find_lump(lumps, lump_count, name);
    if (!lump)
        return context_fail(context, STATUS_BAD_MAP, name,
                            "the map has no such lump");
    if (lump->size == 0)
        return context_fail(context, STATUS_BAD_MAP, name,
                            "the lump is empty; at least one record of %zu "
                            "bytes was expected",
                            record_size);
    if (lump->size % record_size != 0)
        return context_fail(context, STATUS_BAD_MAP, name,
                            "%zu bytes end inside record %zu; a multiple of "
                            "%zu was expected",
                            lump->size, lump->size / record_size, record_size);
    *records = lump->data;
    *count = lump->size / record_size;
    return STATUS_OK;
}

static void find_blockmap(const struct map_lump *lumps, size_t lump_count,
                          struct map *map)
{
    const struct map_lump *lump = find_lump(lumps, lump_count, "BLOCKMAP");
    map->blockmap = lump ? lump->data : NULL;
    map->blockmap_size = lump ? lump->size : 0;
}

enum status map_from_lumps(struct context *context,
                           const struct map_lump *lumps, size_t lump_count,
                           struct map *map)
{
    *map = (struct map){
        .form = MAP_DOOM,
        .vertex_stride = DOOM_VERTEX_SIZE,
        .line_stride = DOOM_LINEDEF_SIZE,
    };
    enum status status = check_format(context, lumps, lump_count);
    if (status == STATUS_OK)
        status = find_records(context, lumps, lump_count, "LINEDEFS",
                              DOOM_LINEDEF_SIZE, &map->lines, &map->line_count);
    if (status == STATUS_OK)
        status =
            find_records(context, lumps, lump_count, "VERTEXES",
                         DOOM_VERTEX_SIZE, &map->vertices, &map->vertex_count);
    find_blockmap(lumps, lump_count, map);
    return status;
}

// Checks an array whose elements begin with two 32-bit numbers.
static enum status check_array(struct context *context, const char *where,
                               const void *elements, size_t count,
                               size_t stride)
{
    if (!elements || count == 0)
        return context_fail(context, STATUS_BAD_MAP, where,
                            "the array is empty");
    if (count > UINT32_MAX)
        return context_fail(context, STATUS_BAD_MAP, where,
                            "%zu elements; at most %lu can be numbered", count,
                            (unsigned long)UINT32_MAX);
    if (stride < 2 * sizeof(int32_t) || stride % _Alignof(int32_t) != 0 ||
        (uintptr_t)elements % _Alignof(int32_t) != 0)
        return context_fail(context, STATUS_BAD_MAP, where,
                            "elements %zu bytes apart; aligned elements of at "
                            "least %zu bytes were expected",
                            stride, 2 * sizeof(int32_t));
    return STATUS_OK;
}

enum status map_from_arrays(struct context *context,
                            const struct map_arrays *arrays,
                            const struct map_lump *lumps, size_t lump_count,
                            struct map *map)
{
    *map = (struct map){
        .form = MAP_ARRAYS,
        .vertices = arrays->vertices,
        .vertex_count = arrays->vertex_count,
        .vertex_stride = arrays->vertex_stride,
        .lines = arrays->lines,
        .line_count = arrays->line_count,
        .line_stride = arrays->line_stride,
    };
    enum status status = check_array(context, "lines", arrays->lines,
                                     arrays->line_count, arrays->line_stride);
    if (status == STATUS_OK)
        status = check_array(context, "vertices", arrays->vertices,
                             arrays->vertex_count, arrays->vertex_stride);
    find_blockmap(lumps, lump_count, map);
    return status;
}
