// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the lumps of a map, detects its format from the lumps present, and
// checks that sizes are possible.  The next step reads every linedef anyway
// and checks that its vertices exist.
//
// A lump of a binary format is described as the host describes its arrays, so
// that both are read by the same code.

#include "map/map.h"

#include "base/vector.h"
#include "map/inflate.h"
#include "map/udmf.h"

// What members can be, by bits.
enum {
    TYPES_WHOLE = (2 << NBSTAGE_U64) - 2,
    TYPES_HEIGHT = (2 << NBSTAGE_DOUBLE) - 2,
    TYPES_FLAT = TYPES_WHOLE | 1 << NBSTAGE_NAME,
};

static const struct map_row {
    const char *name;
    enum map_lump lump;
    size_t needed; // so many members, the first, must be there
    size_t count;  // of members
    struct {
        const char *name;
        uint32_t types;
    } members[LINEDEF_BACK_SECTOR + 1];
} map_rows[KIND_COUNT] = {
    {"vertices",
     MAP_VERTEXES,
     2,
     2,
     {{"x", TYPES_HEIGHT}, {"y", TYPES_HEIGHT}}},
    {"lines",
     MAP_LINEDEFS,
     2,
     LINEDEF_BACK_SECTOR + 1,
     {{"v1", TYPES_WHOLE},
      {"v2", TYPES_WHOLE},
      {"flags", TYPES_WHOLE},
      {"special", TYPES_WHOLE},
      {"tag", TYPES_WHOLE},
      {"args[0]", TYPES_WHOLE},
      {"args[1]", TYPES_WHOLE},
      {"args[2]", TYPES_WHOLE},
      {"args[3]", TYPES_WHOLE},
      {"args[4]", TYPES_WHOLE},
      {"front_side", TYPES_WHOLE},
      {"back_side", TYPES_WHOLE},
      {"front_sector", TYPES_WHOLE},
      {"back_sector", TYPES_WHOLE}}},
    {"sides", MAP_SIDEDEFS, 0, 1, {{"sector", TYPES_WHOLE}}},
    {"sectors",
     MAP_SECTORS,
     0,
     SECTOR_FLAGS + 1,
     {{"floor", TYPES_HEIGHT},
      {"ceiling", TYPES_HEIGHT},
      {"floor_flat", TYPES_FLAT},
      {"ceiling_flat", TYPES_FLAT},
      {"special", TYPES_WHOLE},
      {"tag", TYPES_WHOLE},
      {"flags", TYPES_WHOLE}}},
    {"things",
     MAP_THINGS,
     0,
     THING_ARGS + 5,
     {{"type", TYPES_WHOLE},
      {"special", TYPES_WHOLE},
      {"args[0]", TYPES_WHOLE},
      {"args[1]", TYPES_WHOLE},
      {"args[2]", TYPES_WHOLE},
      {"args[3]", TYPES_WHOLE},
      {"args[4]", TYPES_WHOLE}}},
};

enum {
    LUMP_U8 = MAP_LUMP | NBSTAGE_U8,
    LUMP_U16 = MAP_LUMP | NBSTAGE_U16,
    LUMP_I16 = MAP_LUMP | NBSTAGE_I16,
    LUMP_U32 = MAP_LUMP | NBSTAGE_U32,
    LUMP_FIXED = MAP_LUMP | NBSTAGE_FIXED,
    LUMP_NAME = MAP_LUMP | NBSTAGE_NAME,
};

// The records of the binary formats: their bytes, and types and offsets.
struct map_layout {
    size_t size;
    struct {
        uint32_t type, offset;
    } members[LINEDEF_BACK_SECTOR + 1];
};

#define MAP_DOOM_VERTEX \
    { \
        4, \
        { \
            {LUMP_I16, 0}, \
            { \
                LUMP_I16, 2 \
            } \
        } \
    }
#define MAP_DOOM_SIDE \
    { \
        30, \
        { \
            { \
                LUMP_U16, 28 \
            } \
        } \
    }
#define MAP_DOOM_SECTOR \
    { \
        26, \
        { \
            {LUMP_I16, 0}, {LUMP_I16, 2}, {LUMP_NAME, 4}, {LUMP_NAME, 12}, \
                {LUMP_U16, 22}, \
            { \
                LUMP_U16, 24 \
            } \
        } \
    }

static const struct map_layout map_layouts[][KIND_COUNT] = {
    [NBSTAGE_FORMAT_DOOM] = {MAP_DOOM_VERTEX,
                             {14,
                              {[LINEDEF_V1] = {LUMP_U16, 0},
                               [LINEDEF_V2] = {LUMP_U16, 2},
                               [LINEDEF_FLAGS] = {LUMP_U16, 4},
                               [LINEDEF_SPECIAL] = {LUMP_U16, 6},
                               [LINEDEF_TAG] = {LUMP_U16, 8},
                               [LINEDEF_FRONT_SIDE] = {LUMP_U16, 10},
                               [LINEDEF_BACK_SIDE] = {LUMP_U16, 12}}},
                             MAP_DOOM_SIDE,
                             MAP_DOOM_SECTOR,
                             {10, {{LUMP_U16, 6}}}},
    [NBSTAGE_FORMAT_HEXEN] = {MAP_DOOM_VERTEX,
                              {16,
                               {[LINEDEF_V1] = {LUMP_U16, 0},
                                [LINEDEF_V2] = {LUMP_U16, 2},
                                [LINEDEF_FLAGS] = {LUMP_U16, 4},
                                [LINEDEF_SPECIAL] = {LUMP_U8, 6},
                                [LINEDEF_ARGS] = {LUMP_U8, 7},
                                {LUMP_U8, 8},
                                {LUMP_U8, 9},
                                {LUMP_U8, 10},
                                {LUMP_U8, 11},
                                [LINEDEF_FRONT_SIDE] = {LUMP_U16, 12},
                                [LINEDEF_BACK_SIDE] = {LUMP_U16, 14}}},
                              MAP_DOOM_SIDE,
                              MAP_DOOM_SECTOR,
                              {20,
                               {{LUMP_U16, 10},
                                {LUMP_U8, 14},
                                {LUMP_U8, 15},
                                {LUMP_U8, 16},
                                {LUMP_U8, 17},
                                {LUMP_U8, 18},
                                {LUMP_U8, 19}}}},
    [NBSTAGE_FORMAT_DOOM64] = {{8, {{LUMP_FIXED, 0}, {LUMP_FIXED, 4}}},
                               {16,
                                {[LINEDEF_V1] = {LUMP_U16, 0},
                                 [LINEDEF_V2] = {LUMP_U16, 2},
                                 [LINEDEF_FLAGS] = {LUMP_U32, 4},
                                 [LINEDEF_SPECIAL] = {LUMP_U16, 8},
                                 [LINEDEF_TAG] = {LUMP_U16, 10},
                                 [LINEDEF_FRONT_SIDE] = {LUMP_U16, 12},
                                 [LINEDEF_BACK_SIDE] = {LUMP_U16, 14}}},
                               {12, {{LUMP_U16, 10}}},
                               {24,
                                {{LUMP_I16, 0},
                                 {LUMP_I16, 2},
                                 {LUMP_U16, 4},
                                 {LUMP_U16, 6},
                                 {LUMP_U16, 18},
                                 {LUMP_U16, 20}}},
                               {14, {{LUMP_U16, 8}}}},
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

// ---------------------------------------------------------------------------
// Numbers

enum { MAP_TYPES = 0xFF }; // without what may be added to them

static const unsigned char map_sizes[] = {
    [NBSTAGE_U8] = 1,     [NBSTAGE_I8] = 1,    [NBSTAGE_U16] = 2,
    [NBSTAGE_I16] = 2,    [NBSTAGE_U32] = 4,   [NBSTAGE_I32] = 4,
    [NBSTAGE_U64] = 8,    [NBSTAGE_FIXED] = 4, [NBSTAGE_FLOAT] = 4,
    [NBSTAGE_DOUBLE] = 8, [NBSTAGE_NAME] = 8,
};

// In 16.16, truncated; INT64_MAX if it is beyond that or not a number.
static int64_t map_truncate(double number)
{
    const double fixed = number * 65536;
    return fixed > INT32_MIN - 1.0 && fixed < INT32_MAX + 1.0 ? (int64_t)fixed
                                                              : INT64_MAX;
}

// Any number, in 16.16 if it is of such a type.
VECTOR_BODY int64_t map_decode(uint32_t type, const unsigned char *at)
{
    uint16_t half;
    uint32_t word;
    uint64_t both;
    float single;
    double number;
    switch (type & ~(uint32_t)NBSTAGE_BEHIND) {
    case LUMP_U16:
        return bytes_get_u16(at);
    case LUMP_I16:
        return (int16_t)bytes_get_u16(at);
    case LUMP_U32:
        return bytes_get_u32(at);
    case LUMP_FIXED:
        return (int32_t)bytes_get_u32(at);
    case NBSTAGE_I8:
        return (signed char)*at;
    case NBSTAGE_U16:
    case NBSTAGE_I16:
        memcpy(&half, at, sizeof half);
        return type & 1 ? half : (int16_t)half;
    case NBSTAGE_U32:
    case NBSTAGE_I32:
    case NBSTAGE_FIXED:
        memcpy(&word, at, sizeof word);
        return type & 1 ? (int64_t)word : (int32_t)word;
    case NBSTAGE_U64:
        memcpy(&both, at, sizeof both);
        return both < UINT32_MAX ? (int64_t)both : UINT32_MAX;
    case NBSTAGE_FLOAT:
        memcpy(&single, at, sizeof single);
        return map_truncate(single);
    case NBSTAGE_DOUBLE:
        memcpy(&number, at, sizeof number);
        return map_truncate(number);
    default:
        return *at;
    }
}

// Where a member of an element is; NULL behind a NULL pointer.
static const unsigned char *map_locate(const struct map_array *array,
                                       const struct nbstage_member *member,
                                       size_t index)
{
    const unsigned char *at =
        (const unsigned char *)array->array.data + index * array->array.stride;
    if (array->array.is_indirect)
        memcpy(&at, at, sizeof(void *));
    at += member->offset;
    if (!(member->type & NBSTAGE_BEHIND))
        return at;
    memcpy(&at, at, sizeof(void *));
    return at ? at + member->target : NULL;
}

uint32_t map_get_number(const struct map_array *array, int member, size_t index)
{
    const struct nbstage_member *place = &array->members[member];
    const unsigned char *at = map_locate(array, place, index);
    return at ? (uint32_t)map_decode(place->type, at) : NBSTAGE_NONE;
}

uint32_t map_get_reference(const struct map_array *array, int member,
                           size_t index)
{
    const uint32_t type = array->members[member].type & MAP_TYPES;
    const uint32_t all_bits = map_sizes[type] == 1   ? UINT8_MAX
                              : map_sizes[type] == 2 ? UINT16_MAX
                                                     : NBSTAGE_NONE;
    const uint32_t number = map_get_number(array, member, index);
    const bool is_signed =
        type == NBSTAGE_I8 || type == NBSTAGE_I16 || type == NBSTAGE_I32;
    return number == all_bits || (is_signed && number > INT32_MAX)
               ? NBSTAGE_NONE
               : number;
}

VECTOR_BODY void map_read_numbers(const struct map_array *array, int member,
                                  uint32_t type, uint32_t mask, void *to,
                                  size_t step)
{
    const unsigned char *at = (const unsigned char *)array->array.data +
                              array->members[member].offset;
    unsigned char *next = to;
    for (size_t i = 0; i < array->array.count; i++) {
        const uint32_t number =
            (uint32_t)map_decode(type, at + i * array->array.stride) & mask;
        memcpy(next + i * step, &number, sizeof number);
    }
}

void map_read_column(const struct map_array *array, int member, uint32_t mask,
                     void *to, size_t step)
{
    const uint32_t type = array->members[member].type;
    unsigned char *next = to;
    if (type == LUMP_U16 && !array->array.is_indirect) {
        map_read_numbers(array, member, LUMP_U16, mask, to, step);
    } else if (type == NBSTAGE_U32 && !array->array.is_indirect) {
        map_read_numbers(array, member, NBSTAGE_U32, mask, to, step);
    } else {
        for (size_t i = 0; map_has(array, member) && i < array->array.count;
             i++) {
            const uint32_t number = map_get_number(array, member, i) & mask;
            memcpy(next + i * step, &number, sizeof number);
        }
    }
}

bool map_get_height(const struct map_array *array, int member, size_t index,
                    int32_t *height)
{
    const struct nbstage_member *place = &array->members[member];
    const unsigned char *at = map_locate(array, place, index);
    int64_t number = at ? map_decode(place->type, at) : INT64_MAX;
    if ((place->type & MAP_TYPES) < NBSTAGE_FIXED &&
        (number < INT16_MIN || number > INT16_MAX))
        return false;
    if ((place->type & MAP_TYPES) < NBSTAGE_FIXED)
        number *= 65536;
    *height = number == INT64_MAX ? 0 : (int32_t)number;
    return number != INT64_MAX;
}

nbstage_status map_need(struct context *context, const struct map *map,
                        enum map_kind kind, const int *members, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!map_has(&map->arrays[kind], members[i]))
            return context_fail(context, NBSTAGE_BAD_MAP, map_rows[kind].name,
                                "%s is absent",
                                map_rows[kind].members[members[i]].name);
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Arrays

static nbstage_status map_check_member(struct context *context,
                                       const struct map_row *row, size_t index,
                                       const struct map_array *array)
{
    const struct nbstage_member *member = &array->members[index];
    const char *name = row->members[index].name;
    const uint32_t type = member->type & ~(uint32_t)NBSTAGE_BEHIND;
    const bool is_behind = type != member->type;
    if (member->type == NBSTAGE_ABSENT && index >= row->needed)
        return NBSTAGE_OK;
    if (member->type == NBSTAGE_ABSENT)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%s is absent; it must be there", name);
    if (type == NBSTAGE_ABSENT || type > NBSTAGE_NAME)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%s is of type %lu, which is not known", name,
                            (unsigned long)member->type);
    if (!(row->members[index].types >> type & 1))
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%s cannot be of type %lu", name,
                            (unsigned long)member->type);
    const uint64_t end = (uint64_t)member->offset +
                         (is_behind ? sizeof(void *) : map_sizes[type]);
    if (!array->array.is_indirect && end > array->array.stride)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%s ends at byte %llu of elements that are %zu "
                            "bytes apart",
                            name, (unsigned long long)end, array->array.stride);
    return NBSTAGE_OK;
}

// Checks that all that there is of an array can be read.
static nbstage_status map_check_array(struct context *context,
                                      const struct map_row *row,
                                      const struct map_array *given)
{
    const struct nbstage_array *array = &given->array;
    nbstage_status status = NBSTAGE_OK;
    if (array->count == 0)
        return row->needed == 0 ? NBSTAGE_OK
                                : context_fail(context, NBSTAGE_BAD_MAP,
                                               row->name, "the array is empty");
    if (!array->data)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%zu elements at a NULL pointer", array->count);
    if (array->count > UINT32_MAX)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%zu elements; at most %lu can be numbered",
                            array->count, (unsigned long)UINT32_MAX);
    if (array->is_indirect && array->stride < sizeof(void *))
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "pointers to elements are %zu bytes apart; at "
                            "least %zu were expected",
                            array->stride, sizeof(void *));
    if (array->stride > PTRDIFF_MAX / array->count)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%zu elements that are %zu bytes apart do not fit "
                            "into memory",
                            array->count, array->stride);
    for (size_t i = 0; i < row->count && status == NBSTAGE_OK; i++)
        status = map_check_member(context, row, i, given);
    for (size_t i = 0;
         status == NBSTAGE_OK && array->is_indirect && i < array->count; i++) {
        const void *element;
        memcpy(&element, (const char *)array->data + i * array->stride,
               sizeof element);
        if (!element)
            return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                                "the pointer to element %zu is NULL", i);
    }
    return status;
}

// Takes a description of the host's, which may be NULL.
static nbstage_status map_take_array(struct context *context,
                                     enum map_kind kind, const void *given,
                                     struct map *map)
{
    const struct map_row *row = &map_rows[kind];
    struct map_array *array = &map->arrays[kind];
    const size_t known = offsetof(struct map_array, members) +
                         row->count * sizeof *array->members;
    size_t size;
    if (!given)
        return NBSTAGE_OK;
    memcpy(&size, given, sizeof size);
    if (size < known)
        return context_fail(context, NBSTAGE_BAD_CALL, row->name,
                            "the size of the description is not set");
    memcpy(array, given, known);
    array->is_given = array->is_open = true;
    return map_check_array(context, row, array);
}

nbstage_status map_open_array(struct context *context, struct map *map,
                              enum map_kind kind)
{
    const struct map_row *row = &map_rows[kind];
    const struct map_layout *layout = &map_layouts[map->format][kind];
    struct map_array *array = &map->arrays[kind];
    struct map_bytes lump = {0};
    if (array->is_open)
        return NBSTAGE_OK;
    if (map->format == NBSTAGE_FORMAT_UDMF)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "there is neither an array nor TEXTMAP");
    nbstage_status status = map_open_needed(context, map, row->lump, &lump);
    if (status != NBSTAGE_OK)
        return status;
    if (lump.size == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, map_lump_names[row->lump],
                            "the lump is empty; at least one record of %zu "
                            "bytes was expected",
                            layout->size);
    if (lump.size % layout->size != 0)
        return context_fail(context, NBSTAGE_BAD_MAP, map_lump_names[row->lump],
                            "%zu bytes end inside record %zu; a multiple of "
                            "%zu was expected",
                            lump.size, lump.size / layout->size, layout->size);
    array->array = (struct nbstage_array){.data = lump.bytes,
                                          .count = lump.size / layout->size,
                                          .stride = layout->size};
    for (size_t i = 0; i < row->count; i++)
        array->members[i] =
            (struct nbstage_member){.type = layout->members[i].type,
                                    .offset = layout->members[i].offset};
    array->is_open = true;
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Lines and vertices

// Makes pairs of the vertices or lines where they lie, or copies them if they
// are stored in another way.
static nbstage_status map_make_pairs(struct context *context, struct map *map,
                                     enum map_kind kind,
                                     struct map_pairs *pairs)
{
    const struct map_array *array = &map->arrays[kind];
    const struct nbstage_member *members = array->members;
    const uint32_t type = members->type & ~MAP_LUMP;
    const bool is_type =
        kind == KIND_VERTICES
            ? type == NBSTAGE_I16 || type == NBSTAGE_FIXED
            : type == NBSTAGE_U16 || type == NBSTAGE_U32 || type == NBSTAGE_I32;
    struct map_vertex *vertices;
    *pairs = (struct map_pairs){
        .bytes = (const unsigned char *)array->array.data + members->offset,
        .stride = array->array.stride,
        .type = type == NBSTAGE_I32 ? NBSTAGE_U32 : members->type,
    };
    if (is_type && !array->array.is_indirect &&
        members[1].type == members->type &&
        members[1].offset - members->offset == map_sizes[type])
        return NBSTAGE_OK;
    nbstage_status status = context_allocate(context, array->array.count,
                                             sizeof *vertices, &vertices);
    if (status != NBSTAGE_OK)
        return status;
    map_keep_memory(map, vertices);
    *pairs = (struct map_pairs){
        .bytes = (const unsigned char *)vertices,
        .stride = sizeof *vertices,
        .type = kind == KIND_VERTICES ? NBSTAGE_FIXED : NBSTAGE_U32,
    };
    for (size_t i = 0; i < array->array.count; i++) {
        struct map_vertex *vertex = &vertices[i];
        if (kind != KIND_VERTICES) {
            vertex->x = (int32_t)map_get_number(array, LINEDEF_V1, i);
            vertex->y = (int32_t)map_get_number(array, LINEDEF_V2, i);
        } else if (!map_get_height(array, VERTEX_X, i, &vertex->x) ||
                   !map_get_height(array, VERTEX_Y, i, &vertex->y)) {
            return context_fail(context, NBSTAGE_BAD_MAP, "vertices",
                                "a coordinate of vertex %zu is not a number "
                                "from -32768 to 32767",
                                i);
        }
    }
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
    map->vertices = (struct map_pairs){
        .bytes = (const unsigned char *)udmf.vertices,
        .stride = sizeof *udmf.vertices,
        .type = NBSTAGE_FIXED,
    };
    map->vertex_count = udmf.vertex_count;
    map->lines = (struct map_pairs){
        .bytes = (const unsigned char *)udmf.lines,
        .stride = sizeof *udmf.lines,
        .type = NBSTAGE_U32,
    };
    map->line_count = udmf.line_count;
    if (udmf.line_count == 0 || udmf.vertex_count == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, "TEXTMAP",
                            "the text has %zu vertices and %zu linedefs; at "
                            "least one of each was expected",
                            udmf.vertex_count, udmf.line_count);
    return NBSTAGE_OK;
}

// Reads vertices or lines from an array or a lump.
static nbstage_status map_read_pairs(struct context *context, struct map *map,
                                     enum map_kind kind,
                                     struct map_pairs *pairs, size_t *count)
{
    nbstage_status status = map_open_array(context, map, kind);
    if (status == NBSTAGE_OK)
        status = map_make_pairs(context, map, kind, pairs);
    *count = map->arrays[kind].array.count;
    return status;
}

// Lets lumps take the place of an array of lines without flags, and of all that
// belongs to them, if there are as many lines in LINEDEFS.
static nbstage_status map_replace_lines(struct context *context,
                                        struct map *map)
{
    const struct map_array *lines = &map->arrays[KIND_LINES];
    struct map_bytes lump = {0};
    if (!lines->is_given || map_has(lines, LINEDEF_FLAGS) ||
        !map->lumps[MAP_LINEDEFS].name)
        return NBSTAGE_OK;
    nbstage_status status = map_open_lump(context, map, MAP_LINEDEFS, &lump);
    if (status != NBSTAGE_OK ||
        lump.size !=
            map->line_count * map_layouts[map->format][KIND_LINES].size)
        return status;
    for (int kind = KIND_LINES; kind < KIND_COUNT; kind++)
        map->arrays[kind].is_open = map->arrays[kind].is_given = false;
    return map_open_array(context, map, KIND_LINES);
}

static nbstage_status map_read_arrays(struct context *context,
                                      const struct nbstage_map *given,
                                      bool attributes, struct map *map)
{
    const void *const arrays[KIND_COUNT] = {given->vertices, given->lines,
                                            given->sides, given->sectors,
                                            given->things};
    nbstage_status status = NBSTAGE_OK;
    map->vertices_are_given = given->vertices;
    map->lines_are_given = given->lines;
    for (int kind = 0; kind < KIND_COUNT && status == NBSTAGE_OK; kind++)
        status =
            map_take_array(context, (enum map_kind)kind, arrays[kind], map);
    const bool is_text = map->format == NBSTAGE_FORMAT_UDMF;
    const bool is_all = map_has(&map->arrays[KIND_LINES], LINEDEF_FLAGS) &&
                        given->sectors && given->things;
    const bool is_missing =
        !given->lines || !given->vertices ||
        (attributes && !is_all && map->lumps[MAP_TEXTMAP].name);
    if (status == NBSTAGE_OK && is_text && is_missing)
        status = map_read_text(context, attributes, map);
    const size_t text_count = map->line_count;
    if (status == NBSTAGE_OK && (given->lines || !is_text))
        status = map_read_pairs(context, map, KIND_LINES, &map->lines,
                                &map->line_count);
    if (status == NBSTAGE_OK && (given->vertices || !is_text))
        status = map_read_pairs(context, map, KIND_VERTICES, &map->vertices,
                                &map->vertex_count);
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
