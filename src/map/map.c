// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the lumps of a map, detects its format from the lumps present, and
// checks that sizes are possible.  The next step reads every linedef anyway
// and checks that its vertices exist.

#include "map/map.h"

#include "map/inflate.h"
#include "map/udmf.h"

// Where the binary formats differ.  Every linedef begins with its vertices.
static const struct {
    size_t linedef_size; // bytes
    size_t vertex_size;  // bytes
    enum map_form form;
} map_layouts[] = {
    [NBSTAGE_FORMAT_DOOM] = {14, 4, MAP_LUMP16},
    [NBSTAGE_FORMAT_HEXEN] = {16, 4, MAP_LUMP16},
    [NBSTAGE_FORMAT_DOOM64] = {16, 8, MAP_LUMP32},
};

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

nbstage_status map_open_records(struct context *context, struct map *map,
                                enum map_lump lump, size_t size,
                                struct map_records *records)
{
    struct map_bytes bytes = {0};
    nbstage_status status = map_open_needed(context, map, lump, &bytes);
    if (status != NBSTAGE_OK)
        return status;
    if (bytes.size == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, map_lump_names[lump],
                            "the lump is empty; at least one record of %zu "
                            "bytes was expected",
                            size);
    if (bytes.size % size != 0)
        return context_fail(context, NBSTAGE_BAD_MAP, map_lump_names[lump],
                            "%zu bytes end inside record %zu; a multiple of "
                            "%zu was expected",
                            bytes.size, bytes.size / size, size);
    *records = (struct map_records){bytes.bytes, bytes.size / size, size};
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Lines and vertices

static nbstage_status map_read_binary(struct context *context, struct map *map)
{
    struct map_records lines, vertices;
    nbstage_status status =
        map_open_records(context, map, MAP_LINEDEFS,
                         map_layouts[map->format].linedef_size, &lines);
    if (status == NBSTAGE_OK)
        status =
            map_open_records(context, map, MAP_VERTEXES,
                             map_layouts[map->format].vertex_size, &vertices);
    if (status != NBSTAGE_OK)
        return status;
    map->vertex_form = map->line_form = map_layouts[map->format].form;
    map->lines = lines.bytes;
    map->line_count = lines.count;
    map->line_stride = lines.size;
    map->vertices = vertices.bytes;
    map->vertex_count = vertices.count;
    map->vertex_stride = vertices.size;
    return NBSTAGE_OK;
}

// Makes room for the attributes of a text and begins with them.
static nbstage_status map_begin_text(struct context *context, struct map *map,
                                     struct udmf_visitor *visitor)
{
    nbstage_status status = context_allocate(
        context, 1, sizeof *map->text_attributes, &map->text_attributes);
    if (status == NBSTAGE_OK)
        *visitor = text_begin(context, map->text_attributes);
    map_keep_memory(map, map->text_attributes);
    return status;
}

static nbstage_status map_read_text(struct context *context, bool attributes,
                                    struct map *map)
{
    struct udmf_geometry udmf = {0};
    struct udmf_visitor visitor;
    nbstage_status status =
        map_open_needed(context, map, MAP_TEXTMAP, &map->text);
    if (status == NBSTAGE_OK && attributes)
        status = map_begin_text(context, map, &visitor);
    if (status == NBSTAGE_OK)
        status = udmf_geometry_read(context, (const char *)map->text.bytes,
                                    map->text.size,
                                    attributes ? &visitor : NULL, &udmf);
    for (int i = 0; map->text_attributes && i < UDMF_BLOCK_COUNT; i++)
        map_keep_memory(map, map->text_attributes->of[i].records);
    if (status != NBSTAGE_OK)
        return status;
    map_keep_memory(map, udmf.vertices);
    map_keep_memory(map, udmf.lines);
    map->vertex_form = map->line_form = MAP_ARRAYS32;
    map->vertices = (const unsigned char *)udmf.vertices;
    map->vertex_count = udmf.vertex_count;
    map->vertex_stride = sizeof *udmf.vertices;
    map->lines = (const unsigned char *)udmf.lines;
    map->line_count = udmf.line_count;
    map->line_stride = sizeof *udmf.lines;
    if (udmf.line_count == 0 || udmf.vertex_count == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, "TEXTMAP",
                            "the text has %zu vertices and %zu linedefs; at "
                            "least one of each was expected",
                            udmf.vertex_count, udmf.line_count);
    return NBSTAGE_OK;
}

nbstage_status map_check_array(struct context *context, const char *where,
                               const void *elements, size_t count,
                               uint32_t form, size_t size, size_t stride)
{
    const size_t least = form == NBSTAGE_FORM_16 ? 4 : 8;
    if (form > NBSTAGE_FORM_16)
        return context_fail(context, NBSTAGE_UNSUPPORTED, where,
                            "form %lu is not known; 0 to %d were expected",
                            (unsigned long)form, NBSTAGE_FORM_16);
    if (!elements || count == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, where,
                            "the array is empty");
    if (count > UINT32_MAX)
        return context_fail(context, NBSTAGE_BAD_MAP, where,
                            "%zu elements; at most %lu can be numbered", count,
                            (unsigned long)UINT32_MAX);
    if (size < least)
        return context_fail(context, NBSTAGE_BAD_MAP, where,
                            "%zu bytes of each element are known; at least "
                            "%zu were expected",
                            size, least);
    if (stride < size)
        return context_fail(context, NBSTAGE_BAD_MAP, where,
                            "elements of %zu bytes are %zu bytes apart; their "
                            "stride has to be their size at least",
                            size, stride);
    if (stride > PTRDIFF_MAX / count)
        return context_fail(context, NBSTAGE_BAD_MAP, where,
                            "%zu elements that are %zu bytes apart do not fit "
                            "into memory",
                            count, stride);
    return NBSTAGE_OK;
}

// How much of a struct nbstage_line the host's lines hold.
static size_t map_known_line_size(const struct nbstage_map *given)
{
    const bool is_narrow = given->line_form == NBSTAGE_FORM_16;
    const size_t most =
        is_narrow ? sizeof(struct nbstage_line16) : sizeof(struct nbstage_line);
    const size_t size = given->line_size < most ? given->line_size : most;
    return is_narrow ? size / sizeof(uint16_t) * sizeof(uint32_t) : size;
}

static enum map_form map_array_form(uint32_t form)
{
    return form == NBSTAGE_FORM_16 ? MAP_ARRAYS16 : MAP_ARRAYS32;
}

static nbstage_status map_read_arrays(struct context *context,
                                      const struct nbstage_map *given,
                                      struct map *map)
{
    map->vertex_form = map_array_form(given->vertex_form);
    map->vertices = given->vertices;
    map->vertex_count = given->vertex_count;
    map->vertex_stride = given->vertex_stride;
    map->line_form = map_array_form(given->line_form);
    map->lines = given->lines;
    map->line_count = given->line_count;
    map->line_stride = given->line_stride;
    const size_t vertex_size = given->vertex_form == NBSTAGE_FORM_16
                                   ? sizeof(struct nbstage_vertex16)
                                   : sizeof(struct nbstage_vertex);
    map->line_size = map_known_line_size(given);
    map->flags_complete = given->flags_complete != 0;
    map->sectors = given->sectors;
    map->sector_count = given->sector_count;
    map->sector_stride = given->sector_stride;
    map->sector_size = given->sector_size;
    nbstage_status status =
        map_check_array(context, "lines", given->lines, given->line_count,
                        given->line_form, given->line_size, given->line_stride);
    if (status == NBSTAGE_OK)
        status = map_check_array(context, "vertices", given->vertices,
                                 given->vertex_count, given->vertex_form,
                                 vertex_size, given->vertex_stride);
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
    status = map->from_arrays ? map_read_arrays(context, given, map)
             : map->format == NBSTAGE_FORMAT_UDMF
                 ? map_read_text(context, attributes, map)
                 : map_read_binary(context, map);
    if (status != NBSTAGE_OK)
        return status;
    if (given->left_out && given->left_out_count != map->line_count)
        return context_fail(context, NBSTAGE_BAD_MAP, "left_out",
                            "%zu elements; one for each of the map's %zu "
                            "lines was expected",
                            given->left_out_count, map->line_count);
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
    *map = (struct map){.format = given->format,
                        .from_arrays = given->lines || given->vertices};
    if (map->format == NBSTAGE_FORMAT_DETECT)
        map->format =
            map->from_arrays ? NBSTAGE_FORMAT_DOOM : map_detect_format(given);
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
