// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the lumps of a map, detects its format from the lumps present, and
// checks that sizes are possible.  The next step reads every linedef anyway
// and checks that its vertices exist.
//
// A lump of a binary format is described as the host describes its arrays, so
// that both are read by the same code.

#include "map/map.h"

#include "map/inflate.h"
#include "map/udmf.h"

static const char *const map_lump_names[MAP_LUMP_COUNT] = {
    [MAP_LINEDEFS] = "LINEDEFS", [MAP_VERTEXES] = "VERTEXES",
    [MAP_TEXTMAP] = "TEXTMAP",   [MAP_BLOCKMAP] = "BLOCKMAP",
    [MAP_ZNODES] = "ZNODES",     [MAP_NODES] = "NODES",
    [MAP_SSECTORS] = "SSECTORS", [MAP_SEGS] = "SEGS",
    [MAP_SIDEDEFS] = "SIDEDEFS", [MAP_SECTORS] = "SECTORS",
    [MAP_THINGS] = "THINGS",     [MAP_BEHAVIOR] = "BEHAVIOR",
    [MAP_SCRIPTS] = "SCRIPTS",   [MAP_DIALOGUE] = "DIALOGUE",
};

// ---------------------------------------------------------------------------
// Lumps

// The first lump of this name, or one without a name.
static struct nbstage_lump map_find_lump(const struct nbstage_map *given,
                                         const char *name)
{
    for (size_t i = 0; i < given->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, given->lumps, i);
        if (lump->name[0] == name[0] && strcmp(lump->name, name) == 0)
            return *lump;
    }
    return (struct nbstage_lump){0};
}

// Lumps that tell the format of a map.
static const struct {
    const char *lump;
    uint32_t format;
} map_signs[] = {
    {"TEXTMAP", NBSTAGE_FORMAT_UDMF},   {"LEAFS", NBSTAGE_FORMAT_DOOM64},
    {"LIGHTS", NBSTAGE_FORMAT_DOOM64},  {"MACROS", NBSTAGE_FORMAT_DOOM64},
    {"BEHAVIOR", NBSTAGE_FORMAT_HEXEN},
};

enum { MAP_SIGN_COUNT = sizeof map_signs / sizeof *map_signs };

static uint32_t map_detect_format(const struct nbstage_map *given)
{
    for (size_t i = 0; i < MAP_SIGN_COUNT; i++)
        if (map_find_lump(given, map_signs[i].lump).name)
            return map_signs[i].format;
    return NBSTAGE_FORMAT_DOOM;
}

bool map_reads(const char *lump, bool attributes, bool segs)
{
    for (size_t i = 0; i < MAP_SIGN_COUNT; i++)
        if (strcmp(lump, map_signs[i].lump) == 0)
            return true;
    int index = 0;
    while (index < MAP_LUMP_COUNT && strcmp(lump, map_lump_names[index]) != 0)
        index++;
    if (index >= MAP_SIDEDEFS && index < MAP_LINEDEFS)
        return attributes;
    return index == MAP_SEGS ? segs : index < MAP_LUMP_COUNT;
}

// The map releases this memory.
static void map_keep_memory(struct map *map, void *memory)
{
    map->owned[map->owned_count++] = memory;
}

// If the lump is compressed, the map keeps the inflated bytes, and the lump
// becomes plain.
nbstage_status map_open_lump(struct context *context, struct map *map,
                             enum map_lump index, struct map_bytes *bytes)
{
    struct nbstage_lump *lump = &map->lumps[index];
    *bytes = (struct map_bytes){lump->data, lump->data_size};
    if (lump->compression == NBSTAGE_PLAIN)
        return NBSTAGE_OK;
    unsigned char *inflated;
    nbstage_status status =
        inflate_bytes(context, lump->name, lump->compression, lump->data,
                      lump->data_size, &inflated, &bytes->size);
    if (status != NBSTAGE_OK)
        return status;
    map_keep_memory(map, inflated);
    map->inflated_bytes += bytes->size;
    bytes->bytes = lump->data = inflated;
    lump->data_size = bytes->size;
    lump->compression = NBSTAGE_PLAIN;
    return NBSTAGE_OK;
}

// Opens a lump that the map must have.
static nbstage_status map_open_needed(struct context *context, struct map *map,
                                      enum map_lump lump,
                                      struct map_bytes *bytes)
{
    if (!map->lumps[lump].name)
        return context_fail(context, NBSTAGE_BAD_MAP, map_lump_names[lump],
                            "the map has no such lump");
    return map_open_lump(context, map, lump, bytes);
}

nbstage_status map_open_array(struct context *context, struct map *map,
                              enum array_kind kind)
{
    static const enum map_lump lumps[] = {
        MAP_VERTEXES, MAP_LINEDEFS, MAP_SIDEDEFS, MAP_SECTORS, MAP_THINGS};
    const char *name = map_lump_names[lumps[kind]];
    struct array *array = &map->arrays[kind];
    struct map_bytes lump = {0};
    if (array->is_open)
        return NBSTAGE_OK;
    if (map->format == NBSTAGE_FORMAT_UDMF)
        return context_fail(context, NBSTAGE_BAD_MAP, "TEXTMAP",
                            "the map has no such lump");
    nbstage_status status = map_open_needed(context, map, lumps[kind], &lump);
    if (status != NBSTAGE_OK)
        return status;
    const size_t size = array_describe(map->format, kind, array);
    if (lump.size == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "the lump is empty; at least one record of %zu "
                            "bytes was expected",
                            size);
    if (lump.size % size != 0)
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "%zu bytes end inside record %zu; a multiple of "
                            "%zu was expected",
                            lump.size, lump.size / size, size);
    array->of.data = lump.bytes;
    array->of.count = lump.size / size;
    array->is_open = true;
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Lines and vertices

// Whether the first two members are numbers of a type one behind the other;
// finds them then.
static bool map_are_pairs(const struct array *array, uint32_t type, size_t size,
                          struct map_pairs *pairs)
{
    const struct nbstage_member *members = array->members;
    *pairs = (struct map_pairs){(const unsigned char *)array->of.data +
                                    members->offset,
                                array->of.stride, members->type};
    return (members->type & ~(uint32_t)ARRAY_LUMP) == type &&
           members[1].type == members->type &&
           members[1].offset == members->offset + size &&
           !array->of.is_indirect;
}

static struct map_pairs map_pairs_of(const void *pairs, uint32_t type)
{
    return (struct map_pairs){pairs, sizeof(struct map_vertex), type};
}

static nbstage_status map_copy_vertices(struct context *context,
                                        const struct array *array,
                                        struct map_vertex *vertices)
{
    for (size_t i = 0; i < array->of.count; i++)
        if (!array_get_height(array, VERTEX_X, i, &vertices[i].x) ||
            !array_get_height(array, VERTEX_Y, i, &vertices[i].y))
            return context_fail(context, NBSTAGE_BAD_MAP, "vertices",
                                "a coordinate of vertex %zu is not a number "
                                "from -32768 to 32767",
                                i);
    return NBSTAGE_OK;
}

// Makes pairs of the vertices where they lie, or copies them if they are stored
// in another way.
static nbstage_status map_read_vertices(struct context *context,
                                        struct map *map)
{
    const struct array *array = &map->arrays[ARRAY_VERTICES];
    struct map_vertex *vertices;
    nbstage_status status = map_open_array(context, map, ARRAY_VERTICES);
    map->vertex_count = array->of.count;
    if (status != NBSTAGE_OK ||
        map_are_pairs(array, NBSTAGE_I16, 2, &map->vertices) ||
        map_are_pairs(array, NBSTAGE_FIXED, 4, &map->vertices))
        return status;
    status = context_allocate(context, map->vertex_count, sizeof *vertices,
                              &vertices);
    if (status != NBSTAGE_OK)
        return status;
    map_keep_memory(map, vertices);
    map->vertices = map_pairs_of(vertices, NBSTAGE_FIXED);
    return map_copy_vertices(context, array, vertices);
}

static nbstage_status map_read_lines(struct context *context, struct map *map)
{
    const struct array *array = &map->arrays[ARRAY_LINES];
    struct map_ends *ends;
    nbstage_status status = map_open_array(context, map, ARRAY_LINES);
    map->line_count = array->of.count;
    if (status != NBSTAGE_OK ||
        map_are_pairs(array, NBSTAGE_U16, 2, &map->lines) ||
        map_are_pairs(array, NBSTAGE_U32, 4, &map->lines))
        return status;
    status = context_allocate(context, map->line_count, sizeof *ends, &ends);
    if (status != NBSTAGE_OK)
        return status;
    map_keep_memory(map, ends);
    map->lines = map_pairs_of(ends, NBSTAGE_U32);
    array_read_numbers(array, LINEDEF_V1, UINT32_MAX, &ends->v1, sizeof *ends);
    array_read_numbers(array, LINEDEF_V2, UINT32_MAX, &ends->v2, sizeof *ends);
    return NBSTAGE_OK;
}

// Makes room for the attributes of a text and begins with them.
static nbstage_status map_begin_text(struct context *context, struct map *map,
                                     struct udmf_visitor *visitor)
{
    nbstage_status status =
        context_allocate(context, 1, sizeof *map->text, &map->text);
    if (status == NBSTAGE_OK)
        *visitor = text_begin(context, map->text);
    map_keep_memory(map, map->text);
    return status;
}

static nbstage_status map_read_text(struct context *context, bool attributes,
                                    struct map *map)
{
    struct udmf_geometry udmf = {0};
    struct udmf_visitor visitor;
    struct map_bytes text = {0};
    nbstage_status status = map_open_needed(context, map, MAP_TEXTMAP, &text);
    if (status == NBSTAGE_OK && attributes)
        status = map_begin_text(context, map, &visitor);
    if (status == NBSTAGE_OK)
        status =
            udmf_geometry_read(context, (const char *)text.bytes, text.size,
                               attributes ? &visitor : NULL, &udmf);
    for (int i = 0; map->text && i < UDMF_BLOCK_COUNT; i++)
        map_keep_memory(map, map->text->of[i].records);
    if (status != NBSTAGE_OK)
        return status;
    map_keep_memory(map, udmf.vertices);
    map_keep_memory(map, udmf.lines);
    map->vertices = map_pairs_of(udmf.vertices, NBSTAGE_FIXED);
    map->vertex_count = udmf.vertex_count;
    map->lines = map_pairs_of(udmf.lines, NBSTAGE_U32);
    map->line_count = udmf.line_count;
    if (udmf.line_count == 0 || udmf.vertex_count == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, "TEXTMAP",
                            "the text has %zu vertices and %zu linedefs; at "
                            "least one of each was expected",
                            udmf.vertex_count, udmf.line_count);
    return NBSTAGE_OK;
}

// Lets lumps take the place of an array of lines without flags, and of all that
// belongs to them, if there are as many lines in LINEDEFS.
static nbstage_status map_replace_lines(struct context *context,
                                        struct map *map)
{
    const struct array *lines = &map->arrays[ARRAY_LINES];
    struct array replacing;
    struct map_bytes lump = {0};
    if (!lines->is_given || array_has(lines, LINEDEF_FLAGS) ||
        !map->lumps[MAP_LINEDEFS].name)
        return NBSTAGE_OK;
    nbstage_status status = map_open_lump(context, map, MAP_LINEDEFS, &lump);
    if (status != NBSTAGE_OK ||
        lump.size != map->line_count *
                         array_describe(map->format, ARRAY_LINES, &replacing))
        return status;
    for (int kind = ARRAY_LINES; kind < ARRAY_KIND_COUNT; kind++)
        map->arrays[kind].is_open = map->arrays[kind].is_given = false;
    return map_open_array(context, map, ARRAY_LINES);
}

static nbstage_status map_read_arrays(struct context *context,
                                      const struct nbstage_map *given,
                                      bool attributes, struct map *map)
{
    const void *const arrays[ARRAY_KIND_COUNT] = {given->vertices, given->lines,
                                                  given->sides, given->sectors,
                                                  given->things};
    nbstage_status status = NBSTAGE_OK;
    map->vertices_are_given = given->vertices;
    map->lines_are_given = given->lines;
    for (int kind = 0; kind < ARRAY_KIND_COUNT && status == NBSTAGE_OK; kind++)
        if (arrays[kind])
            status = array_take(context, (enum array_kind)kind, arrays[kind],
                                &map->arrays[kind]);
    const bool is_text = map->format == NBSTAGE_FORMAT_UDMF;
    const bool is_all = array_has(&map->arrays[ARRAY_LINES], LINEDEF_FLAGS) &&
                        given->sectors && given->things;
    const bool is_missing =
        !given->lines || !given->vertices ||
        (attributes && !is_all && map->lumps[MAP_TEXTMAP].name);
    if (status == NBSTAGE_OK && is_text && is_missing)
        status = map_read_text(context, attributes, map);
    const size_t text_count = map->line_count;
    if (status == NBSTAGE_OK && (given->lines || !is_text))
        status = map_read_lines(context, map);
    if (status == NBSTAGE_OK && (given->vertices || !is_text))
        status = map_read_vertices(context, map);
    if (status == NBSTAGE_OK && map->text && map->line_count != text_count)
        status = context_fail(context, NBSTAGE_BAD_MAP, "lines",
                              "%zu elements; TEXTMAP has %zu linedefs",
                              map->line_count, text_count);
    if (status == NBSTAGE_OK && !is_text)
        status = map_replace_lines(context, map);
    return status;
}

static nbstage_status map_check_given(struct context *context,
                                      const struct nbstage_map *given)
{
    for (size_t i = 0; i < given->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, given->lumps, i);
        if (!lump->name)
            return context_fail(context, NBSTAGE_BAD_MAP, NULL,
                                "lump %zu has no name", i);
        if (!lump->data && lump->data_size > 0)
            return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                                "%zu bytes at a NULL pointer", lump->data_size);
        if (lump->compression > NBSTAGE_DEFLATE)
            return context_fail(
                context, NBSTAGE_UNSUPPORTED, lump->name,
                "compression %lu is not known; 0 to %d were expected",
                (unsigned long)lump->compression, NBSTAGE_DEFLATE);
    }
    if (given->format > NBSTAGE_FORMAT_UDMF)
        return context_fail(context, NBSTAGE_UNSUPPORTED, NULL,
                            "map format %lu is not known; 0 to %d were "
                            "expected",
                            (unsigned long)given->format, NBSTAGE_FORMAT_UDMF);
    return NBSTAGE_OK;
}

static nbstage_status map_read_given(struct context *context,
                                     const struct nbstage_map *given,
                                     bool attributes, struct map *map)
{
    for (int i = 0; i < MAP_LUMP_COUNT; i++)
        map->lumps[i] = map_find_lump(given, map_lump_names[i]);
    nbstage_status status =
        map_open_lump(context, map, MAP_BLOCKMAP, &map->blockmap);
    if (status != NBSTAGE_OK)
        return status;
    status = map_read_arrays(context, given, attributes, map);
    if (status != NBSTAGE_OK)
        return status;
    if (given->left_out && given->left_out_count != map->line_count)
        return context_fail(context, NBSTAGE_BAD_MAP, "left_out",
                            "%zu elements; one for each of the map's %zu "
                            "lines was expected",
                            given->left_out_count, map->line_count);
    for (size_t i = 0; given->left_out && i < map->line_count; i++)
        if (given->left_out[i] > NBSTAGE_LEFT_OUT)
            return context_fail(context, NBSTAGE_UNSUPPORTED, "left_out",
                                "element %zu is %d; 0 or 1 was expected", i,
                                given->left_out[i]);
    map->left_out = given->left_out;
    return NBSTAGE_OK;
}

nbstage_status map_read(struct context *context,
                        const struct nbstage_map *given, bool attributes,
                        struct map *map)
{
    nbstage_status status = map_check_given(context, given);
    if (status != NBSTAGE_OK)
        return status;
    *map = (struct map){.format = given->format};
    if (map->format == NBSTAGE_FORMAT_DETECT)
        map->format = map_detect_format(given);
    status = map_read_given(context, given, attributes, map);
    if (status != NBSTAGE_OK)
        map_free(context, map);
    return status;
}

void map_free(struct context *context, struct map *map)
{
    for (size_t i = 0; i < map->owned_count; i++)
        context_release(context, map->owned[i]);
    map->owned_count = 0;
}
