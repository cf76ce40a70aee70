// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the lumps of a map, detects its format from the lumps present, and
// checks that sizes are possible.  The next step reads every linedef anyway
// and checks that its vertices exist.
//
// A lump of a binary format is described as the host describes its arrays, and
// so are the records that a text is read into: all are read by the same code.

#include "map/map.h"

#include <string.h>

// The lumps, and the format that one tells, or 0.  Of several formats the
// highest counts, and without any it is NBSTAGE_FORMAT_DOOM.
static const struct {
    const char *name;
    uint32_t format;
} map_lumps[MAP_LUMP_COUNT] = {
    [MAP_LINEDEFS] = {"LINEDEFS", 0},
    [MAP_VERTEXES] = {"VERTEXES", 0},
    [MAP_TEXTMAP] = {"TEXTMAP", NBSTAGE_FORMAT_UDMF},
    [MAP_BLOCKMAP] = {"BLOCKMAP", 0},
    [MAP_ZNODES] = {"ZNODES", 0},
    [MAP_NODES] = {"NODES", 0},
    [MAP_SSECTORS] = {"SSECTORS", 0},
    [MAP_SEGS] = {"SEGS", 0},
    [MAP_SIDEDEFS] = {"SIDEDEFS", 0},
    [MAP_SECTORS] = {"SECTORS", 0},
    [MAP_THINGS] = {"THINGS", 0},
    [MAP_BEHAVIOR] = {"BEHAVIOR", NBSTAGE_FORMAT_HEXEN},
    [MAP_SCRIPTS] = {"SCRIPTS", 0},
    [MAP_DIALOGUE] = {"DIALOGUE", 0},
    [MAP_LEAFS] = {"LEAFS", NBSTAGE_FORMAT_DOOM64},
    [MAP_LIGHTS] = {"LIGHTS", NBSTAGE_FORMAT_DOOM64},
    [MAP_MACROS] = {"MACROS", NBSTAGE_FORMAT_DOOM64},
    [MAP_MARKER] = {"", 0},
};

// ---------------------------------------------------------------------------
// Lumps

// The lump of a name, or MAP_LUMP_COUNT.
static int map_find_lump(const char *name)
{
    int i = 0;
    while (i < MAP_LUMP_COUNT && (*name != *map_lumps[i].name ||
                                  strcmp(name, map_lumps[i].name) != 0))
        i++;
    return i;
}

bool map_reads(const char *lump, bool attributes, bool segs)
{
    const int index = map_find_lump(lump);
    if (index == MAP_SEGS)
        return segs;
    if (index < MAP_SIDEDEFS || index > MAP_MARKER || index == MAP_BEHAVIOR)
        return index < MAP_LUMP_COUNT;
    return attributes;
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
        if (map_lumps[index].format > map->format)
            map->format = map_lumps[index].format;
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

// Reads the text into records.
static nbstage_status map_read_text(struct context *context, struct map *map)
{
    const struct nbstage_lump *lump = &map->lumps[MAP_TEXTMAP];
    nbstage_status status = udmf_read(context, lump->data, lump->data_size,
                                      map->has_attributes, &map->text);
    const size_t vertices = map->text.of[ARRAY_VERTICES].count;
    const size_t lines = map->text.of[ARRAY_LINES].count;
    if (status == NBSTAGE_OK && (lines == 0 || vertices == 0))
        status = context_fail(context, NBSTAGE_BAD_MAP, "TEXTMAP",
                              "the text has %zu vertices and %zu linedefs; at "
                              "least one of each was expected",
                              vertices, lines);
    map->has_text = status == NBSTAGE_OK;
    if (!map->has_text)
        udmf_free(context, &map->text);
    return status;
}

nbstage_status map_open_lump(struct context *context, struct map *map,
                             enum map_lump index)
{
    struct nbstage_lump *lump = &map->lumps[index];
    if (lump->compression != NBSTAGE_PLAIN) {
        void **inflated = &map->owned[map->owned_count];
        nbstage_status status = inflate_lump(context, lump, inflated);
        if (status != NBSTAGE_OK)
            return status;
        map->owned_count++;
        map->inflated_bytes += lump->data_size;
    }
    return index == MAP_TEXTMAP && !map->has_text ? map_read_text(context, map)
                                                  : NBSTAGE_OK;
}

// The lump that an array is in.
static enum map_lump map_find_array(const struct map *map, enum array_kind kind)
{
    static const enum map_lump lumps[] = {
        MAP_VERTEXES, MAP_LINEDEFS, MAP_SIDEDEFS, MAP_SECTORS, MAP_THINGS};
    return map->format == NBSTAGE_FORMAT_UDMF ? MAP_TEXTMAP : lumps[kind];
}

nbstage_status map_open_array(struct context *context, struct map *map,
                              enum array_kind kind)
{
    const enum map_lump index = map_find_array(map, kind);
    const struct nbstage_lump *lump = &map->lumps[index];
    const struct udmf_records *text = &map->text.of[kind];
    const bool is_text = index == MAP_TEXTMAP;
    const bool has_ends = is_text && !map->has_attributes;
    const uint32_t layout = has_ends ? ARRAY_TEXT_ENDS : map->format;
    struct array *array = &map->arrays[kind];
    if (array->is_open)
        return NBSTAGE_OK;
    const size_t size = array_describe(array_layouts[layout][kind], array);
    if (!lump->name)
        return context_fail(context, NBSTAGE_BAD_MAP, map_lumps[index].name,
                            "the map has no such lump");
    nbstage_status status = map_open_lump(context, map, index);
    if (status != NBSTAGE_OK)
        return status;
    if (lump->data_size == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                            "the lump is empty; at least one record of %zu "
                            "bytes was expected",
                            size);
    if (!is_text && lump->data_size % size != 0)
        return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                            "%zu bytes end inside record %zu; a multiple of "
                            "%zu was expected",
                            lump->data_size, lump->data_size / size, size);
    array->of.data = is_text ? text->records : lump->data;
    array->of.count = is_text ? text->count : lump->data_size / size;
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
    const struct array *array = &map->arrays[kind];
    const struct nbstage_member *first = array->members, *second = first + 1;
    uint32_t(*copies)[2];
    nbstage_status status = map_open_array(context, map, kind);
    if (status != NBSTAGE_OK)
        return status;
    const uint32_t type = first->type & ~(uint32_t)ARRAY_LUMP;
    const uint32_t wide = are_ends ? NBSTAGE_U32 : NBSTAGE_FIXED;
    const bool is_narrow = type == (are_ends ? NBSTAGE_U16 : NBSTAGE_I16);
    *count = array->of.count;
    *pairs = (struct map_pairs){(const unsigned char *)array->of.data +
                                    first->offset,
                                array->of.stride, first->type};
    if ((is_narrow || type == wide) && second->type == first->type &&
        second->offset == first->offset + (is_narrow ? 2 : 4) &&
        !array->of.is_indirect)
        return NBSTAGE_OK;
    status = context_allocate(context, *count, sizeof *copies, &copies);
    if (status != NBSTAGE_OK)
        return status;
    map->owned[map->owned_count++] = copies;
    *pairs = (struct map_pairs){(unsigned char *)copies, sizeof *copies, wide};
    const size_t first_bad = array_read_pairs(array, !are_ends, copies);
    if (first_bad < *count)
        return context_fail(context, NBSTAGE_BAD_MAP, "vertices",
                            "a coordinate of vertex %zu is not a number from "
                            "-32768 to 32767",
                            first_bad);
    return NBSTAGE_OK;
}

// Lets lumps take the place of an array of lines without flags, and of all that
// belongs to them, if they have as many lines.
static nbstage_status map_replace_lines(struct context *context,
                                        struct map *map)
{
    const struct array *lines = &map->arrays[ARRAY_LINES];
    const enum map_lump index = map_find_array(map, ARRAY_LINES);
    const struct nbstage_lump *lump = &map->lumps[index];
    const bool is_text = index == MAP_TEXTMAP;
    struct array record;
    if (!lines->is_given || array_has(lines, LINEDEF_FLAGS) || !lump->name ||
        (is_text && !map->has_attributes))
        return NBSTAGE_OK;
    const uint64_t size =
        array_describe(array_layouts[map->format][ARRAY_LINES], &record);
    nbstage_status status = map_open_lump(context, map, index);
    if (status != NBSTAGE_OK ||
        (is_text ? map->text.of[ARRAY_LINES].count != map->line_count
                 : lump->data_size != size * map->line_count))
        return status;
    for (int kind = ARRAY_LINES; kind < ARRAY_KIND_COUNT; kind++)
        map->arrays[kind].is_open = map->arrays[kind].is_given = false;
    return map_open_array(context, map, ARRAY_LINES);
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
    const void *const arrays[ARRAY_KIND_COUNT] = {given->vertices, given->lines,
                                                  given->sides, given->sectors,
                                                  given->things};
    const struct nbstage_lump *blockmap = &map->lumps[MAP_BLOCKMAP];
    *map = (struct map){.has_attributes = attributes,
                        .lines_are_given = given->lines,
                        .left_out = given->left_out};
    nbstage_status status = map_take_lumps(context, given, map);
    if (status == NBSTAGE_OK)
        status = map_open_lump(context, map, MAP_BLOCKMAP);
    map->blockmap = (struct map_bytes){blockmap->data, blockmap->data_size};
    for (int kind = 0; kind < ARRAY_KIND_COUNT && status == NBSTAGE_OK; kind++)
        if (arrays[kind])
            status = array_take(context, (enum array_kind)kind, arrays[kind],
                                &map->arrays[kind]);
    if (status == NBSTAGE_OK)
        status = map_read_pairs(context, map, ARRAY_LINES, &map->lines,
                                &map->line_count);
    if (status == NBSTAGE_OK)
        status = map_read_pairs(context, map, ARRAY_VERTICES, &map->vertices,
                                &map->vertex_count);
    if (status == NBSTAGE_OK)
        status = map_replace_lines(context, map);
    if (status == NBSTAGE_OK)
        status = map_check_left_out(context, given, map->line_count);
    if (status != NBSTAGE_OK)
        map_free(context, map);
    return status;
}

void map_free(struct context *context, struct map *map)
{
    while (map->owned_count > 0)
        context_release(context, map->owned[--map->owned_count]);
    udmf_free(context, &map->text);
}
