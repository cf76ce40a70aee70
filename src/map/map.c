// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the lumps of a map, detects its format from the lumps present, and
// checks that sizes are possible.  The next step reads every linedef anyway
// and checks that its vertices exist.
//
// A lump of a binary format is described as the host describes its arrays, so
// that both are read by the same code.

#include "map/map.h"

#include "map/udmf.h"

static const char *const map_lump_names[MAP_LUMP_COUNT] = {
    [MAP_LINEDEFS] = "LINEDEFS", [MAP_VERTEXES] = "VERTEXES",
    [MAP_TEXTMAP] = "TEXTMAP",   [MAP_BLOCKMAP] = "BLOCKMAP",
    [MAP_ZNODES] = "ZNODES",     [MAP_NODES] = "NODES",
    [MAP_SSECTORS] = "SSECTORS", [MAP_SEGS] = "SEGS",
    [MAP_SIDEDEFS] = "SIDEDEFS", [MAP_SECTORS] = "SECTORS",
    [MAP_THINGS] = "THINGS",     [MAP_BEHAVIOR] = "BEHAVIOR",
    [MAP_SCRIPTS] = "SCRIPTS",   [MAP_DIALOGUE] = "DIALOGUE",
    [MAP_LEAFS] = "LEAFS",       [MAP_LIGHTS] = "LIGHTS",
    [MAP_MACROS] = "MACROS",     [MAP_MARKER] = "",
};

// The format that a lump tells, or 0.  Of several the highest counts, and
// without any it is NBSTAGE_FORMAT_DOOM.
static const uint32_t map_lump_formats[MAP_LUMP_COUNT] = {
    [MAP_TEXTMAP] = NBSTAGE_FORMAT_UDMF,   [MAP_LEAFS] = NBSTAGE_FORMAT_DOOM64,
    [MAP_LIGHTS] = NBSTAGE_FORMAT_DOOM64,  [MAP_MACROS] = NBSTAGE_FORMAT_DOOM64,
    [MAP_BEHAVIOR] = NBSTAGE_FORMAT_HEXEN,
};

// ---------------------------------------------------------------------------
// Lumps

// The lump of a name, or MAP_LUMP_COUNT.
static int map_find_lump(const char *name)
{
    int i = 0;
    while (i < MAP_LUMP_COUNT && (*name != *map_lump_names[i] ||
                                  strcmp(name, map_lump_names[i]) != 0))
        i++;
    return i;
}

bool map_reads(const char *lump, bool attributes, bool segs)
{
    const int index = map_find_lump(lump);
    if (index == MAP_LUMP_COUNT || map_lump_formats[index] != 0)
        return index < MAP_LUMP_COUNT;
    if (index >= MAP_SIDEDEFS && index <= MAP_MARKER)
        return attributes;
    return index != MAP_SEGS || segs;
}

// Takes the first lump of each name, and the format.
static nbstage_status map_take_lumps(struct context *context,
                                     const struct nbstage_map *given,
                                     struct map *map)
{
    map->format = NBSTAGE_FORMAT_DOOM;
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
        int index = map_find_lump(lump->name);
        if (index == MAP_LUMP_COUNT && given->name &&
            strcmp(lump->name, given->name) == 0)
            index = MAP_MARKER;
        if (index == MAP_LUMP_COUNT || map->lumps[index].name)
            continue;
        map->lumps[index] = *lump;
        if (map_lump_formats[index] > map->format)
            map->format = map_lump_formats[index];
    }
    if (given->format > NBSTAGE_FORMAT_UDMF)
        return context_fail(context, NBSTAGE_UNSUPPORTED, NULL,
                            "map format %lu is not known; 0 to %d were "
                            "expected",
                            (unsigned long)given->format, NBSTAGE_FORMAT_UDMF);
    if (given->format != NBSTAGE_FORMAT_DETECT)
        map->format = given->format;
    return NBSTAGE_OK;
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

// Makes pairs of the first two members of vertices or lines where they lie, or
// copies them if they are stored in another way.
static nbstage_status map_read_pairs(struct context *context, struct map *map,
                                     enum array_kind kind,
                                     struct map_pairs *pairs, size_t *count)
{
    const bool are_ends = kind == ARRAY_LINES;
    const uint32_t narrow = are_ends ? NBSTAGE_U16 : NBSTAGE_I16;
    const uint32_t wide = are_ends ? NBSTAGE_U32 : NBSTAGE_FIXED;
    const struct array *array = &map->arrays[kind];
    const struct nbstage_member *members = array->members;
    uint32_t(*copies)[2];
    nbstage_status status = map_open_array(context, map, kind);
    *count = array->of.count;
    if (status != NBSTAGE_OK)
        return status;
    const uint32_t type = members->type & ~(uint32_t)ARRAY_LUMP;
    *pairs = (struct map_pairs){(const unsigned char *)array->of.data +
                                    members->offset,
                                array->of.stride, members->type};
    if ((type == narrow || type == wide) && members[1].type == members->type &&
        members[1].offset == members->offset + (type == narrow ? 2 : 4) &&
        !array->of.is_indirect)
        return NBSTAGE_OK;
    status = context_allocate(context, *count, sizeof *copies, &copies);
    if (status != NBSTAGE_OK)
        return status;
    map_keep_memory(map, copies);
    *pairs = (struct map_pairs){(unsigned char *)copies, sizeof *copies, wide};
    const size_t first_bad = array_read_pairs(array, !are_ends, copies);
    if (first_bad < *count)
        return context_fail(context, NBSTAGE_BAD_MAP, "vertices",
                            "a coordinate of vertex %zu is not a number from "
                            "-32768 to 32767",
                            first_bad);
    return NBSTAGE_OK;
}

static nbstage_status map_read_text(struct context *context, bool attributes,
                                    struct map *map)
{
    struct map_bytes lump = {0};
    nbstage_status status = map_open_needed(context, map, MAP_TEXTMAP, &lump);
    if (status == NBSTAGE_OK)
        status =
            context_allocate_zeroed(context, 1, sizeof *map->text, &map->text);
    if (status == NBSTAGE_OK)
        status = udmf_read(context, (const char *)lump.bytes, lump.size,
                           attributes, map->text);
    if (status != NBSTAGE_OK)
        return status;
    const struct udmf_records *vertices = &map->text->of[UDMF_VERTEX];
    const struct udmf_records *lines = &map->text->of[UDMF_LINEDEF];
    map->vertices =
        (struct map_pairs){vertices->records, vertices->size, NBSTAGE_FIXED};
    map->vertex_count = vertices->count;
    map->lines = (struct map_pairs){lines->records, lines->size, NBSTAGE_U32};
    map->line_count = lines->count;
    if (lines->count == 0 || vertices->count == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, "TEXTMAP",
                            "the text has %zu vertices and %zu linedefs; at "
                            "least one of each was expected",
                            vertices->count, lines->count);
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
        status = map_read_pairs(context, map, ARRAY_LINES, &map->lines,
                                &map->line_count);
    if (status == NBSTAGE_OK && (given->vertices || !is_text))
        status = map_read_pairs(context, map, ARRAY_VERTICES, &map->vertices,
                                &map->vertex_count);
    if (status == NBSTAGE_OK && attributes && map->text &&
        map->line_count != text_count)
        status = context_fail(context, NBSTAGE_BAD_MAP, "lines",
                              "%zu elements; TEXTMAP has %zu linedefs",
                              map->line_count, text_count);
    if (status == NBSTAGE_OK && !is_text)
        status = map_replace_lines(context, map);
    return status;
}

static nbstage_status map_check_left_out(struct context *context,
                                         const struct nbstage_map *given,
                                         size_t line_count)
{
    if (given->left_out && given->left_out_count != line_count)
        return context_fail(context, NBSTAGE_BAD_MAP, "left_out",
                            "%zu elements; one for each of the map's %zu "
                            "lines was expected",
                            given->left_out_count, line_count);
    for (size_t i = 0; given->left_out && i < line_count; i++)
        if (given->left_out[i] > NBSTAGE_LEFT_OUT)
            return context_fail(context, NBSTAGE_UNSUPPORTED, "left_out",
                                "element %zu is %d; 0 or 1 was expected", i,
                                given->left_out[i]);
    return NBSTAGE_OK;
}

nbstage_status map_read(struct context *context,
                        const struct nbstage_map *given, bool attributes,
                        struct map *map)
{
    *map = (struct map){.left_out = given->left_out};
    nbstage_status status = map_take_lumps(context, given, map);
    if (status == NBSTAGE_OK)
        status = map_open_lump(context, map, MAP_BLOCKMAP, &map->blockmap);
    if (status == NBSTAGE_OK)
        status = map_read_arrays(context, given, attributes, map);
    if (status == NBSTAGE_OK)
        status = map_check_left_out(context, given, map->line_count);
    if (status != NBSTAGE_OK)
        map_free(context, map);
    return status;
}

void map_free(struct context *context, struct map *map)
{
    for (size_t i = 0; i < map->owned_count; i++)
        context_release(context, map->owned[i]);
    map->owned_count = 0;
    if (map->text)
        udmf_free(context, map->text);
    context_release(context, map->text);
    map->text = NULL;
}
