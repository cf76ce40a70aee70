// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the lumps of a map, detects its format from the lumps present, and
// checks that sizes are possible.  The next step, lines_gather, checks that the
// vertices of linedefs exist, as it reads every linedef anyway.
//
// Binary lumps and the records parsed from text are described as the host
// describes its arrays: the same code reads all three.

#include "map/map.h"

#include <string.h>

// Lump names; the place of each in the canonical order of binary maps, from 1,
// or 0; and the format that it implies, or 0.  The highest format wins; the
// default is NBSTAGE_FORMAT_DOOM.
static const struct {
    const char *name;
    int rank;
    uint32_t format;
} map_lumps[MAP_NAME_COUNT] = {
    [MAP_LINEDEFS] = {"LINEDEFS", 2, 0},
    [MAP_VERTEXES] = {"VERTEXES", 4, 0},
    [MAP_TEXTMAP] = {"TEXTMAP", 0, NBSTAGE_FORMAT_UDMF},
    [MAP_BLOCKMAP] = {"BLOCKMAP", 10, 0},
    [MAP_ZNODES] = {"ZNODES", 0, 0},
    [MAP_NODES] = {"NODES", 7, 0},
    [MAP_SSECTORS] = {"SSECTORS", 6, 0},
    [MAP_SEGS] = {"SEGS", 5, 0},
    [MAP_SIDEDEFS] = {"SIDEDEFS", 3, 0},
    [MAP_SECTORS] = {"SECTORS", 8, 0},
    [MAP_THINGS] = {"THINGS", 1, 0},
    [MAP_BEHAVIOR] = {"BEHAVIOR", 11, NBSTAGE_FORMAT_HEXEN},
    [MAP_SCRIPTS] = {"SCRIPTS", 12, 0},
    [MAP_DIALOGUE] = {"DIALOGUE", 0, 0},
    [MAP_LEAFS] = {"LEAFS", 13, NBSTAGE_FORMAT_DOOM64},
    [MAP_LIGHTS] = {"LIGHTS", 14, NBSTAGE_FORMAT_DOOM64},
    [MAP_MACROS] = {"MACROS", 15, NBSTAGE_FORMAT_DOOM64},
    [MAP_MARKER] = {"", 0, 0},
    [MAP_REJECT] = {"REJECT", 9, 0},
};

// ---------------------------------------------------------------------------
// Lumps

// The index of the lump with this name, or MAP_NAME_COUNT.
static int map_find_name(const char *name)
{
    int i = 0;
    while (i < MAP_NAME_COUNT && (*name != *map_lumps[i].name ||
                                  strcmp(name, map_lumps[i].name) != 0))
        i++;
    return i;
}

// The lump of a name, or MAP_LUMP_COUNT if it is not read.
static int map_find_lump(const char *name)
{
    const int index = map_find_name(name);
    return index < MAP_LUMP_COUNT ? index : MAP_LUMP_COUNT;
}

int map_rank_lump(const char *name)
{
    const int index = map_find_name(name);
    return index < MAP_NAME_COUNT ? map_lumps[index].rank : 0;
}

bool map_reads(const char *lump, bool attributes, bool segs)
{
    const int index = map_find_lump(lump);
    if (index == MAP_LUMP_COUNT)
        return false;
    if (index == MAP_SEGS)
        return segs;
    const bool is_attribute = index >= MAP_SIDEDEFS && index <= MAP_MARKER;
    if (is_attribute && index != MAP_BEHAVIOR) // which tells the format
        return attributes;
    return true;
}

static nbstage_status map_check_lump(struct context *context, size_t index,
                                     const struct nbstage_lump *lump)
{
    if (!lump->name)
        return context_fail(context, NBSTAGE_BAD_MAP, NULL,
                            "lump %zu has no name", index);
    if (!lump->data && lump->data_size > 0)
        return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                            "%zu bytes at a NULL pointer", lump->data_size);
    return NBSTAGE_OK;
}

// Takes the first lump of each name, and the format.
static nbstage_status map_take_lumps(struct context *context,
                                     const struct nbstage_map *given,
                                     struct map *map)
{
    map->format = NBSTAGE_FORMAT_DOOM;
    for (size_t i = 0; i < given->lump_count; i++) {
        const struct nbstage_lump *lump = &given->lumps[i];
        NEED(map_check_lump(context, i, lump));
        const int index = map_find_lump(lump->name);
        if (index == MAP_LUMP_COUNT || map->lumps[index].name)
            continue;
        map->lumps[index] = *lump;
        if (map_lumps[index].format > map->format)
            map->format = map_lumps[index].format;
    }
    if (given->needs != 0)
        return context_fail(context, NBSTAGE_UNSUPPORTED, NULL,
                            "the map needs %#lx, which this version does not "
                            "know; 0 was expected",
                            (unsigned long)given->needs);
    if (given->format > NBSTAGE_FORMAT_UDMF)
        return context_fail(context, NBSTAGE_UNSUPPORTED, NULL,
                            "map format %lu is not known; 0 to %d were "
                            "expected",
                            (unsigned long)given->format, NBSTAGE_FORMAT_UDMF);
    if (given->format != NBSTAGE_FORMAT_DETECT)
        map->format = given->format;
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Arrays

static nbstage_status map_check_text(struct context *context,
                                     const struct udmf_text *text)
{
    const size_t vertices = text->of[ARRAY_VERTICES].count;
    const size_t lines = text->of[ARRAY_LINES].count;
    if (lines > 0 && vertices > 0)
        return NBSTAGE_OK;
    return context_fail(context, NBSTAGE_BAD_MAP, "TEXTMAP",
                        "the text has %zu vertices and %zu linedefs; at least "
                        "one of each was expected",
                        vertices, lines);
}

// Parses TEXTMAP, the first time; retries after a failure.
static nbstage_status map_open_text(struct context *context, struct map *map)
{
    const struct nbstage_lump *lump = &map->lumps[MAP_TEXTMAP];
    if (map->has_text)
        return NBSTAGE_OK;
    nbstage_status status = udmf_read(context, lump->data, lump->data_size,
                                      map->has_attributes, &map->text);
    if (status == NBSTAGE_OK)
        status = map_check_text(context, &map->text);
    if (status != NBSTAGE_OK)
        udmf_free(context, &map->text);
    map->has_text = status == NBSTAGE_OK;
    return status;
}

// The lump that an array is in.
static enum map_lump map_find_array(const struct map *map, enum array_kind kind)
{
    static const enum map_lump lumps[] = {
        MAP_VERTEXES, MAP_LINEDEFS, MAP_SIDEDEFS, MAP_SECTORS, MAP_THINGS};
    return map->format == NBSTAGE_FORMAT_UDMF ? MAP_TEXTMAP : lumps[kind];
}

static nbstage_status map_open_text_array(struct context *context,
                                          struct map *map, enum array_kind kind)
{
    const int layout = map->has_attributes ? ARRAY_TEXT : ARRAY_TEXT_ENDS;
    struct array *array = &map->arrays[kind];
    array_describe(array_layouts[layout][kind], array);
    NEED(map_open_text(context, map));
    array->of.data = map->text.of[kind].records;
    array->of.count = map->text.of[kind].count;
    return NBSTAGE_OK;
}

static nbstage_status map_open_lump_array(struct context *context,
                                          struct map *map, enum array_kind kind)
{
    const enum map_lump index = map_find_array(map, kind);
    const struct nbstage_lump *lump = &map->lumps[index];
    struct array *array = &map->arrays[kind];
    const size_t size = array_describe(array_layouts[map->format][kind], array);
    if (lump->data_size == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                            "the lump is empty; at least one record of %zu "
                            "bytes was expected",
                            size);
    if (lump->data_size % size != 0)
        return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                            "%zu bytes end inside record %zu; a multiple of "
                            "%zu was expected",
                            lump->data_size, lump->data_size / size, size);
    array->of.data = lump->data;
    array->of.count = lump->data_size / size;
    return NBSTAGE_OK;
}

nbstage_status map_open_array(struct context *context, struct map *map,
                              enum array_kind kind)
{
    const enum map_lump index = map_find_array(map, kind);
    struct array *array = &map->arrays[kind];
    if (array->is_open)
        return NBSTAGE_OK;
    if (!map->lumps[index].name)
        return context_fail(context, NBSTAGE_BAD_MAP, map_lumps[index].name,
                            "the map has no such lump");
    if (index == MAP_TEXTMAP)
        NEED(map_open_text_array(context, map, kind));
    else
        NEED(map_open_lump_array(context, map, kind));
    array->is_open = true;
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Lines and vertices

// Whether two members of each element are adjacent numbers of one type, narrow
// or wide.  If so, points *pairs at them.
static bool map_find_pairs(const struct array *array, int first, int second,
                           uint32_t narrow, uint32_t wide,
                           struct map_pairs *pairs)
{
    const struct nbstage_member *a = &array->members[first];
    const struct nbstage_member *b = &array->members[second];
    const uint32_t type = a->type & ~(uint32_t)ARRAY_LUMP;
    if (array->of.kind == NBSTAGE_POINTERS || a->type != b->type ||
        (type != narrow && type != wide) ||
        b->offset != (uint64_t)a->offset + (type == narrow ? 2 : 4))
        return false;
    pairs->bytes = (const unsigned char *)array->of.data + a->offset;
    pairs->stride = array->of.stride;
    pairs->type = a->type;
    return true;
}

// Whether the lump consists of records of this size that begin with the numbers
// of two vertices which exist.
static bool map_has_ends(const struct nbstage_lump *lump, size_t record_size,
                         size_t vertex_count)
{
    const unsigned char *bytes = lump->data;
    for (size_t i = 0; i + record_size <= lump->data_size; i += record_size)
        if (bytes_get_u16(bytes + i) >= vertex_count ||
            bytes_get_u16(bytes + i + 2) >= vertex_count)
            return false;
    return lump->data_size > 0 && lump->data_size % record_size == 0;
}

// Refuses maps of PlayStation Doom, which would be taken for Doom 64's: they
// have LEAFS and vertices of 8 bytes, but linedefs of 14, and neither LIGHTS
// nor MACROS.
static nbstage_status map_check_console(struct context *context,
                                        const struct map *map)
{
    const struct nbstage_lump *lump = &map->lumps[MAP_LINEDEFS];
    const size_t vertex_count = map->lumps[MAP_VERTEXES].data_size / 8;
    if (map->format != NBSTAGE_FORMAT_DOOM64 || !map->lumps[MAP_LEAFS].name ||
        map->lumps[MAP_LIGHTS].name || map->lumps[MAP_MACROS].name ||
        map->arrays[ARRAY_LINES].is_given ||
        !map_has_ends(lump, 14, vertex_count) ||
        map_has_ends(lump, 16, vertex_count))
        return NBSTAGE_OK;
    return context_fail(context, NBSTAGE_UNSUPPORTED, lump->name,
                        "%zu records of 14 bytes, as in PlayStation Doom; "
                        "those of Doom 64, of 16 bytes, were expected beside "
                        "LEAFS",
                        lump->data_size / 14);
}

// Uses the lines in place, or copies them if the layout differs.
static nbstage_status map_read_lines(struct context *context, struct map *map)
{
    const struct array *array = &map->arrays[ARRAY_LINES];
    struct map_ends *copies;
    NEED(map_open_array(context, map, ARRAY_LINES));
    map->line_count = array->of.count;
    if (map_find_pairs(array, LINEDEF_V1, LINEDEF_V2, NBSTAGE_U16, NBSTAGE_U32,
                       &map->lines))
        return NBSTAGE_OK;
    NEED(context_allocate(context, map->line_count, sizeof *copies, &copies));
    map->owned[map->owned_count++] = copies;
    NEED(array_read_ends(context, map->arrays, copies));
    map->lines = (struct map_pairs){(unsigned char *)copies, sizeof *copies,
                                    NBSTAGE_U32};
    return NBSTAGE_OK;
}

// Does the same with the vertices.
static nbstage_status map_read_vertices(struct context *context,
                                        struct map *map)
{
    const struct array *array = &map->arrays[ARRAY_VERTICES];
    struct map_vertex *copies;
    NEED(map_open_array(context, map, ARRAY_VERTICES));
    map->vertex_count = array->of.count;
    if (map_find_pairs(array, VERTEX_X, VERTEX_Y, NBSTAGE_I16, NBSTAGE_FIXED,
                       &map->vertices))
        return NBSTAGE_OK;
    NEED(context_allocate(context, map->vertex_count, sizeof *copies, &copies));
    map->owned[map->owned_count++] = copies;
    const size_t read_count = array_read_vertices(array, copies);
    if (read_count < map->vertex_count)
        return context_fail(context, NBSTAGE_BAD_MAP, "vertices",
                            "a coordinate of vertex %zu is not a number from "
                            "-32768 to 32767",
                            read_count);
    map->vertices = (struct map_pairs){(unsigned char *)copies, sizeof *copies,
                                       NBSTAGE_FIXED};
    return NBSTAGE_OK;
}

// Counts the lines in the map's lump, or 0 if its size is no multiple of the
// record size.
static nbstage_status map_count_lines(struct context *context, struct map *map,
                                      size_t *count)
{
    const enum map_lump index = map_find_array(map, ARRAY_LINES);
    const struct nbstage_lump *lump = &map->lumps[index];
    struct array record;
    if (index == MAP_TEXTMAP) {
        NEED(map_open_text(context, map));
        *count = map->text.of[ARRAY_LINES].count;
        return NBSTAGE_OK;
    }
    const size_t size =
        array_describe(array_layouts[map->format][ARRAY_LINES], &record);
    *count = lump->data_size % size == 0 ? lump->data_size / size : 0;
    return NBSTAGE_OK;
}

// If the host's lines lack flags or are of UDMF, and the map's lump has as many
// lines, reads attributes, sides, sectors and things from the lumps instead.
static nbstage_status map_replace_lines(struct context *context,
                                        struct map *map)
{
    struct array *lines = &map->arrays[ARRAY_LINES];
    const enum map_lump index = map_find_array(map, ARRAY_LINES);
    size_t count;
    if (!lines->is_given ||
        (map->format != NBSTAGE_FORMAT_UDMF && array_has(lines, LINEDEF_FLAGS)))
        return NBSTAGE_OK;
    if (map->format == NBSTAGE_FORMAT_UDMF)
        for (int i = LINEDEF_FLAGS; i < LINEDEF_MEMBER_COUNT; i++)
            lines->members[i].type = NBSTAGE_ABSENT;
    if (!map->lumps[index].name ||
        (index == MAP_TEXTMAP && !map->has_attributes))
        return NBSTAGE_OK;
    NEED(map_count_lines(context, map, &count));
    if (count != map->line_count)
        return NBSTAGE_OK;
    for (int kind = ARRAY_LINES; kind < ARRAY_KIND_COUNT; kind++)
        map->arrays[kind].is_open = map->arrays[kind].is_given = false;
    return map_open_array(context, map, ARRAY_LINES);
}

// Notes which lines the host leaves out.
static nbstage_status map_read_left_out(struct context *context,
                                        struct map *map)
{
    const struct array *lines = &map->arrays[ARRAY_LINES];
    uint8_t *left_out;
    if (!lines->is_given || !array_has(lines, LINEDEF_LEFT_OUT))
        return NBSTAGE_OK;
    NEED(context_allocate(context, map->line_count, 1, &left_out));
    map->owned[map->owned_count++] = left_out;
    array_read_flags(lines, LINEDEF_LEFT_OUT, left_out);
    map->left_out = left_out;
    return NBSTAGE_OK;
}

static nbstage_status map_take_arrays(struct context *context,
                                      const struct nbstage_map *given,
                                      struct map *map)
{
    const void *const arrays[ARRAY_KIND_COUNT] = {given->vertices, given->lines,
                                                  given->sides, given->sectors,
                                                  given->things};
    for (int kind = 0; kind < ARRAY_KIND_COUNT; kind++)
        if (arrays[kind])
            NEED(array_take(context, (enum array_kind)kind, arrays[kind],
                            &map->arrays[kind]));
    return array_check_targets(context, map->arrays);
}

static nbstage_status map_read_parts(struct context *context,
                                     const struct nbstage_map *given,
                                     struct map *map)
{
    const struct nbstage_lump *blockmap = &map->lumps[MAP_BLOCKMAP];
    NEED(map_take_lumps(context, given, map));
    map->blockmap = (struct map_bytes){blockmap->data, blockmap->data_size};
    NEED(map_take_arrays(context, given, map));
    NEED(map_check_console(context, map));
    NEED(map_read_lines(context, map));
    NEED(map_read_vertices(context, map));
    NEED(map_read_left_out(context, map));
    return map_replace_lines(context, map);
}

nbstage_status map_read(struct context *context,
                        const struct nbstage_map *given, bool attributes,
                        struct map *map)
{
    *map = (struct map){.has_attributes = attributes,
                        .lines_are_given = given->lines,
                        .lumps_are_unknown = given->lump_count == 0};
    const nbstage_status status = map_read_parts(context, given, map);
    if (status != NBSTAGE_OK)
        map_free(context, map);
    return status;
}

void map_free(struct context *context, struct map *map)
{
    while (map->owned_count > 0)
        context_release(context, map->owned[--map->owned_count]);
    for (int kind = 0; kind < ARRAY_KIND_COUNT; kind++)
        pointers_free(context, &map->arrays[kind].pointers);
    udmf_free(context, &map->text);
}
