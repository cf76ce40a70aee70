// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the lumps of a map, tells its format from the lumps present, and
// checks that the sizes are possible.  Whether a linedef's vertices exist is
// seen by the next step, which reads every one of them anyway.

#include "map/map.h"

#include "map/udmf-geometry.h"

#include <string.h>

// What the binary formats differ in.  Every linedef begins with its two
// vertices.
static const struct {
    size_t linedef_size; // bytes
    size_t vertex_size;  // bytes
    enum map_vertex_form vertex_form;
} layouts[] = {
    [MAP_DOOM] = {14, 4, MAP_VERTEX_INT16},
    [MAP_HEXEN] = {16, 4, MAP_VERTEX_INT16},
    [MAP_DOOM64] = {16, 8, MAP_VERTEX_INT32},
};

static const struct map_lump *find_lump(const struct map_lumps *lumps,
                                        const char *name)
{
    for (size_t i = 0; i < lumps->count; i++)
        if (strcmp(lumps->lumps[i].name, name) == 0)
            return &lumps->lumps[i];
    return NULL;
}

static enum map_format detect_format(const struct map_lumps *lumps)
{
    static const struct {
        const char *lump;
        enum map_format format;
    } signs[] = {
        {"TEXTMAP", MAP_UDMF},  {"LEAFS", MAP_DOOM64},   {"LIGHTS", MAP_DOOM64},
        {"MACROS", MAP_DOOM64}, {"BEHAVIOR", MAP_HEXEN},
    };
    if (lumps->format != MAP_DETECT)
        return lumps->format;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (find_lump(lumps, signs[i].lump))
            return signs[i].format;
    return MAP_DOOM;
}

// Puts memory into the map's keeping.
static void keep_memory(struct map *map, void *memory)
{
    map->owned[map->owned_count++] = memory;
}

// The bytes of a lump, inflated into the map's keeping if need be.
static nbstage_status open_lump(struct context *context, struct map *map,
                                const struct map_lump *lump,
                                struct map_bytes *bytes)
{
    *bytes = (struct map_bytes){NULL, 0};
    if (!lump)
        return NBSTAGE_OK;
    if (lump->compression == COMPRESSION_NONE) {
        *bytes = (struct map_bytes){lump->data, lump->size};
        return NBSTAGE_OK;
    }
    unsigned char *inflated;
    nbstage_status status =
        inflate_bytes(context, lump->name, lump->compression, lump->data,
                      lump->size, map->inflate_limit, &inflated, &bytes->size);
    if (status != NBSTAGE_OK)
        return status;
    keep_memory(map, inflated);
    bytes->bytes = inflated;
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Binary maps

// Finds a lump of records and counts them.
static nbstage_status find_records(struct context *context,
                                   const struct map_lumps *lumps,
                                   const char *name, size_t record_size,
                                   struct map *map,
                                   const unsigned char **records, size_t *count)
{
    const struct map_lump *lump = find_lump(lumps, name);
    struct map_bytes bytes;
    if (!lump)
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "the map has no such lump");
    nbstage_status status = open_lump(context, map, lump, &bytes);
    if (status != NBSTAGE_OK)
        return status;
    if (bytes.size == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "the lump is empty; at least one record of %zu "
                            "bytes was expected",
                            record_size);
    if (bytes.size % record_size != 0)
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "%zu bytes end inside record %zu; a multiple of "
                            "%zu was expected",
                            bytes.size, bytes.size / record_size, record_size);
    *records = bytes.bytes;
    *count = bytes.size / record_size;
    return NBSTAGE_OK;
}

static nbstage_status read_binary(struct context *context,
                                  const struct map_lumps *lumps,
                                  struct map *map)
{
    map->vertex_form = layouts[map->format].vertex_form;
    map->vertex_stride = layouts[map->format].vertex_size;
    map->line_form = MAP_LINE_UINT16;
    map->line_stride = layouts[map->format].linedef_size;
    nbstage_status status =
        find_records(context, lumps, "LINEDEFS", map->line_stride, map,
                     &map->lines, &map->line_count);
    if (status == NBSTAGE_OK)
        status = find_records(context, lumps, "VERTEXES", map->vertex_stride,
                              map, &map->vertices, &map->vertex_count);
    return status;
}

// ---------------------------------------------------------------------------
// Text and arrays

static void use_arrays(struct map *map, const struct map_arrays *arrays)
{
    map->vertex_form = MAP_VERTEX_NATIVE;
    map->vertices = arrays->vertices;
    map->vertex_count = arrays->vertex_count;
    map->vertex_stride = arrays->vertex_stride;
    map->line_form = MAP_LINE_NATIVE;
    map->lines = arrays->lines;
    map->line_count = arrays->line_count;
    map->line_stride = arrays->line_stride;
}

static nbstage_status read_text(struct context *context,
                                const struct map_lumps *lumps, struct map *map)
{
    const struct map_lump *lump = find_lump(lumps, "TEXTMAP");
    struct map_bytes text;
    struct udmf_geometry udmf;
    if (!lump)
        return context_fail(context, NBSTAGE_BAD_MAP, "TEXTMAP",
                            "the map has no such lump");
    nbstage_status status = open_lump(context, map, lump, &text);
    if (status == NBSTAGE_OK)
        status = udmf_geometry_read(context, (const char *)text.bytes,
                                    text.size, &udmf);
    if (status != NBSTAGE_OK)
        return status;
    map->text = text;
    keep_memory(map, udmf.vertices);
    keep_memory(map, udmf.lines);
    struct map_arrays arrays = {
        .vertices = udmf.vertices,
        .vertex_count = udmf.vertex_count,
        .vertex_stride = sizeof *udmf.vertices,
        .lines = udmf.lines,
        .line_count = udmf.line_count,
        .line_stride = sizeof *udmf.lines,
    };
    use_arrays(map, &arrays);
    if (udmf.line_count == 0 || udmf.vertex_count == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, "TEXTMAP",
                            "the text has %zu vertices and %zu linedefs; at "
                            "least one of each was expected",
                            udmf.vertex_count, udmf.line_count);
    return NBSTAGE_OK;
}

// Checks an array whose elements begin with two 32-bit numbers.
static nbstage_status check_array(struct context *context, const char *where,
                                  const void *elements, size_t count,
                                  size_t stride)
{
    if (!elements || count == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, where,
                            "the array is empty");
    if (count > UINT32_MAX)
        return context_fail(context, NBSTAGE_BAD_MAP, where,
                            "%zu elements; at most %lu can be numbered", count,
                            (unsigned long)UINT32_MAX);
    if (stride < 2 * sizeof(int32_t) || stride % _Alignof(int32_t) != 0 ||
        (uintptr_t)elements % _Alignof(int32_t) != 0)
        return context_fail(context, NBSTAGE_BAD_MAP, where,
                            "elements %zu bytes apart; aligned elements of at "
                            "least %zu bytes were expected",
                            stride, 2 * sizeof(int32_t));
    return NBSTAGE_OK;
}

static nbstage_status read_arrays(struct context *context,
                                  const struct map_arrays *arrays,
                                  struct map *map)
{
    use_arrays(map, arrays);
    map->rules = arrays->rules == MAP_DETECT ? MAP_DOOM : arrays->rules;
    map->sectors = arrays->sectors;
    map->sector_count = arrays->sector_count;
    map->sector_stride = arrays->sector_stride;
    nbstage_status status =
        check_array(context, "lines", arrays->lines, arrays->line_count,
                    arrays->line_stride);
    if (status == NBSTAGE_OK)
        status = check_array(context, "vertices", arrays->vertices,
                             arrays->vertex_count, arrays->vertex_stride);
    return status;
}

// ---------------------------------------------------------------------------

// What is the same for all maps: the lumps beside the geometry.
static nbstage_status begin(struct context *context,
                            const struct map_lumps *lumps, struct map *map)
{
    static const char *const node_lump_names[MAP_NODE_LUMPS] = {
        [MAP_ZNODES] = "ZNODES",
        [MAP_NODES] = "NODES",
        [MAP_SSECTORS] = "SSECTORS",
        [MAP_SEGS] = "SEGS",
    };
    static const char *const attribute_lump_names[MAP_ATTRIBUTE_LUMPS] = {
        [MAP_SIDEDEFS] = "SIDEDEFS", [MAP_SECTORS] = "SECTORS",
        [MAP_THINGS] = "THINGS",     [MAP_BEHAVIOR] = "BEHAVIOR",
        [MAP_SCRIPTS] = "SCRIPTS",   [MAP_DIALOGUE] = "DIALOGUE",
    };
    *map = (struct map){.inflate_limit = lumps->inflate_limit};
    for (int i = 0; i < MAP_NODE_LUMPS; i++)
        map->node_lumps[i] = find_lump(lumps, node_lump_names[i]);
    for (int i = 0; i < MAP_ATTRIBUTE_LUMPS; i++)
        map->attribute_lumps[i] = find_lump(lumps, attribute_lump_names[i]);
    return open_lump(context, map, find_lump(lumps, "BLOCKMAP"),
                     &map->blockmap);
}

nbstage_status map_from_lumps(struct context *context,
                              const struct map_lumps *lumps, struct map *map)
{
    nbstage_status status = begin(context, lumps, map);
    map->format = map->rules = detect_format(lumps);
    if (status == NBSTAGE_OK)
        status = map->format == MAP_UDMF ? read_text(context, lumps, map)
                                         : read_binary(context, lumps, map);
    if (status != NBSTAGE_OK)
        map_free(context, map);
    return status;
}

nbstage_status map_from_arrays(struct context *context,
                               const struct map_arrays *arrays,
                               const struct map_lumps *lumps, struct map *map)
{
    nbstage_status status = begin(context, lumps, map);
    map->format = MAP_ARRAYS;
    if (status == NBSTAGE_OK)
        status = read_arrays(context, arrays, map);
    if (status != NBSTAGE_OK)
        map_free(context, map);
    return status;
}

nbstage_status map_node_bytes(struct context *context, struct map *map,
                              enum map_node_lump lump, struct map_bytes *bytes)
{
    return open_lump(context, map, map->node_lumps[lump], bytes);
}

nbstage_status map_attribute_bytes(struct context *context, struct map *map,
                                   enum map_attribute_lump lump,
                                   struct map_bytes *bytes)
{
    struct map_bytes *opened = &map->attribute_bytes[lump];
    nbstage_status status = NBSTAGE_OK;
    if (map->attribute_lumps[lump])
        status = open_lump(context, map, map->attribute_lumps[lump], opened);
    if (status == NBSTAGE_OK)
        map->attribute_lumps[lump] = NULL;
    *bytes = *opened;
    return status;
}

void map_free(struct context *context, struct map *map)
{
    for (size_t i = 0; i < map->owned_count; i++)
        context_release(context, map->owned[i]);
    map->owned_count = 0;
}
