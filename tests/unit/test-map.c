// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the format of a map is told by its lumps or by the host, and that
// a vertex that does not exist is refused with a sentence that names it.  Lumps
// that are missing or cut are in test-bad-input.sh; coordinates in
// test-geometry; arrays in test-descriptions.  Also that coordinates may be of
// any two types, that an address is found in an array of pointers as by looking
// at one after another, and that a count that is refused is charged.

#include "arrays.h"
#include "base/bytes.h"
#include "context-for-tests.h"
#include "lines/lines.h"
#include "map/map.h"
#include "map/pointers.h"
#include "random-map.h"

#include <string.h>

enum { UNIT = 1 << 16 };

#define LUMP(name, bytes, bytes_size) \
    { \
        name, bytes, bytes_size \
    }

static struct map read_map(const struct nbstage_map *given)
{
    struct map map;
    ck_assert_int_eq(map_read(&test_context, given, false, &map), NBSTAGE_OK);
    return map;
}

// --- Lumps ---

static const unsigned char text[] =
    "namespace = \"doom\"; vertex { x = 1; y = 2; } vertex { x = 3; y = 4; }"
    "linedef { v1 = 0; v2 = 1; sidefront = 0; }";

// A lump and what the host says, the format that follows, and the sizes of its
// records.
static const struct {
    const char *lump;
    uint32_t told;
    uint32_t format;
    size_t line_stride;
    size_t vertex_stride;
} formats[] = {
    {"THINGS", 0, NBSTAGE_FORMAT_DOOM, 14, 4},
    {"THINGS", NBSTAGE_FORMAT_HEXEN, NBSTAGE_FORMAT_HEXEN, 16, 4},
    {"THINGS", NBSTAGE_FORMAT_DOOM64, NBSTAGE_FORMAT_DOOM64, 16, 8},
    {"BEHAVIOR", 0, NBSTAGE_FORMAT_HEXEN, 16, 4},
    {"BEHAVIOR", NBSTAGE_FORMAT_DOOM, NBSTAGE_FORMAT_DOOM, 14, 4},
    {"LEAFS", 0, NBSTAGE_FORMAT_DOOM64, 16, 8},
    {"LIGHTS", 0, NBSTAGE_FORMAT_DOOM64, 16, 8},
    {"MACROS", 0, NBSTAGE_FORMAT_DOOM64, 16, 8},
    {"TEXTMAP", 0, NBSTAGE_FORMAT_UDMF, 8, 8},
};

LOOP_TEST(format_is_told, COUNT(formats))
{
    static const unsigned char linedefs[14 * 16], vertexes[8 * 3];
    const struct nbstage_lump lumps[] = {
        LUMP("VERTEXES", vertexes, sizeof vertexes),
        LUMP(formats[_i].lump, text, sizeof text - 1),
        LUMP("LINEDEFS", linedefs, sizeof linedefs), LUMP("BLOCKMAP", text, 8)};
    for (size_t count = 3; count <= COUNT(lumps); count++) {
        struct map map = read_map(&(struct nbstage_map){
            .format = formats[_i].told, .lumps = lumps, .lump_count = count});
        ck_assert_int_eq(map.format, formats[_i].format);
        ck_assert_uint_eq(map.lines.stride, formats[_i].line_stride);
        ck_assert_uint_eq(map.vertices.stride, formats[_i].vertex_stride);
        ck_assert_ptr_eq(map.blockmap.bytes, count > 3 ? text : NULL);
        ck_assert_uint_eq(map.blockmap.size, count > 3 ? 8 : 0);
        if (formats[_i].format != NBSTAGE_FORMAT_UDMF) {
            ck_assert_ptr_eq(map.lines.bytes, linedefs);
            ck_assert_uint_eq(map.line_count,
                              sizeof linedefs / map.lines.stride);
            ck_assert_ptr_eq(map.vertices.bytes, vertexes);
            ck_assert_uint_eq(map.vertex_count,
                              sizeof vertexes / map.vertices.stride);
        }
        map_free(&test_context, &map);
    }
}

// --- Maps of two lines ---

enum { LINES = 2 };

// Vertices in 16.16, and the ends of lines.
static struct map map_from_arrays(const int32_t (*vertices)[2],
                                  size_t vertex_count,
                                  const uint32_t (*ends)[2], size_t line_count)
{
    return read_map(&(struct nbstage_map){
        .vertices =
            PLAIN_VERTICES((const struct plain_vertex *)vertices, vertex_count),
        .lines = PLAIN_ENDS(ends, line_count)});
}

// --- Vertices that the nodes add ---

// A map of which only the first vertices are its own.
static struct map map_with_added(const int32_t (*vertices)[2], size_t own_count,
                                 size_t added_count, const uint32_t (*ends)[2])
{
    struct map map =
        map_from_arrays(vertices, own_count + added_count, ends, LINES);
    map.vertex_count = own_count;
    map.added_count = added_count;
    return map;
}

TEST(lines_may_end_at_vertices_of_the_nodes)
{
    static const int32_t vertices[3][2] = {
        {-5 * UNIT, 8 * UNIT}, {1, -UNIT - 1}, {INT32_MAX, INT32_MIN}};
    static const uint32_t ends[LINES][2] = {{0, 1}, {2, 0}};
    struct map map = map_with_added(vertices, 1, 2, ends);
    struct lines lines;
    ck_assert_int_eq(lines_gather(&test_context, &map, NULL, &lines),
                     NBSTAGE_OK);
    const struct fixed_line first = lines_fixed_at(&lines, 0);
    const struct fixed_line second = lines_fixed_at(&lines, 1);
    ck_assert(first.x1 == -5 * UNIT && first.y1 == 8 * UNIT);
    ck_assert(first.x2 == 1 && first.y2 == -UNIT - 1);
    ck_assert(second.x1 == INT32_MAX && second.y1 == INT32_MIN);
    ck_assert(second.x2 == -5 * UNIT && second.y2 == 8 * UNIT);
    lines_free(&test_context, &lines);
}

// The second line goes from the map's only vertex to the one that its nodes
// add.
TEST(vertices_of_the_nodes_are_read_for_lines)
{
    static const unsigned char vertexes[4] = {1, 0, 2, 0};
    static const unsigned char linedefs[2 * 14] = {[14 + 2] = 1};
    static const unsigned char nodes[32] = {
        'X', 'N', 'O', 'D', 1, 0, 0, 0, 1, 0, 0, 0, 0x80, 0, 3, 0, 0, 0, 4};
    const struct nbstage_lump lumps[] = {
        LUMP("THINGS", NULL, 0), LUMP("LINEDEFS", linedefs, sizeof linedefs),
        LUMP("VERTEXES", vertexes, sizeof vertexes),
        LUMP("NODES", nodes, sizeof nodes)};
    struct map map = read_map(
        &(struct nbstage_map){.lumps = lumps, .lump_count = COUNT(lumps)});
    struct lines lines;
    ck_assert_int_eq(lines_gather(&test_context, &map, NULL, &lines),
                     NBSTAGE_OK);
    const struct fixed_line line = lines_fixed_at(&lines, 1);
    ck_assert(line.x1 == 1 * UNIT && line.y1 == 2 * UNIT);
    ck_assert(line.x2 == 3 * UNIT + 0x80 && line.y2 == 4 * UNIT);
    lines_free(&test_context, &lines);
    map_free(&test_context, &map);
}

// --- Vertices that do not exist ---

// Ends of lines of three vertices, and in some cases two more from the nodes.
static const struct {
    uint32_t ends[LINES][2];
    size_t added;
    const char *vertex;
} missing[] = {
    {{{0, 2}, {3, 0}}, 0, "vertex 3"},
    {{{2, 0}, {0, 3}}, 0, "vertex 3"},
    {{{0, 1}, {1, 65535}}, 0, "vertex 65535"}, // unsigned
    {{{4, 0}, {4, 5}}, 2, "vertex 5"},
    {{{0, 1}, {1, UINT32_MAX}}, 0, "no vertex"}, // in arrays alone
};

LOOP_TEST(missing_vertices_are_named, COUNT(missing))
{
    static const int32_t vertices[5][2];
    static unsigned char linedefs[14 * LINES];
    const struct nbstage_lump lumps[] = {
        LUMP("LINEDEFS", linedefs, sizeof linedefs),
        LUMP("VERTEXES", vertices, 4 * 3)};
    struct map map =
        map_with_added(vertices, 3, missing[_i].added, missing[_i].ends);
    struct lines lines;
    ck_assert_int_eq(lines_gather(&test_context, &map, NULL, &lines),
                     NBSTAGE_BAD_MAP);
    const bool is_none = missing[_i].ends[1][1] == UINT32_MAX;
    assert_tells(test_context.message, "MAP01", "lines", "1",
                 missing[_i].vertex,
                 is_none                 ? "0 to 2"
                 : missing[_i].added > 0 ? "there are 5"
                                         : "there are 3");
    lines_free(&test_context, &lines);
    if (is_none)
        return;
    for (size_t i = 0; i < 2 * LINES; i++)
        bytes_put_u16(linedefs + i / 2 * 14 + i % 2 * 2,
                      (uint16_t)(missing[_i].ends[i / 2][i % 2]));
    map = read_map(&(struct nbstage_map){.lumps = lumps, .lump_count = 2});
    map.added_count = missing[_i].added;
    ck_assert_int_eq(lines_gather(&test_context, &map, NULL, &lines),
                     NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "LINEDEFS", "linedef 1",
                 missing[_i].vertex,
                 missing[_i].added > 0 ? "there are 5" : "there are 3");
    lines_free(&test_context, &lines);
}

// --- Addresses ---

enum { POINTERS = 40, ELEMENT = 24 };

// Pointers that are regular, or have gaps, come twice, go down, or anything.
static void make_pointers(struct random_stream *stream, int form,
                          const char *memory, const char **pointers)
{
    for (int i = 0; i < POINTERS; i++) {
        const int gap = form == 1 ? i / 13 * 3 : 0;
        const int place = form == 3   ? POINTERS - i
                          : form == 4 ? (int)random_below(stream, POINTERS)
                                      : i + gap;
        pointers[i] = memory + place * ELEMENT;
    }
    if (form == 2)
        for (int i = 0; i < 4; i++)
            pointers[random_below(stream, POINTERS)] =
                pointers[random_below(stream, POINTERS)];
    if (form == 5) // as near as can be: a guess is far from any number
        pointers[POINTERS / 2] = pointers[POINTERS / 2 - 1] + 1;
}

LOOP_TEST(addresses_are_found_as_by_looking, 6)
{
    static char memory[POINTERS * 2 * ELEMENT];
    struct random_stream stream = {choose_seed() + (uint64_t)_i};
    for (int n = 0; n < 200; n++) {
        const char *pointers[POINTERS];
        make_pointers(&stream, _i, memory, pointers);
        const struct nbstage_array of = {.data = pointers,
                                         .count = POINTERS,
                                         .stride = sizeof *pointers,
                                         .kind = NBSTAGE_POINTERS};
        struct pointers table = {0};
        ck_assert_int_eq(pointers_make(&test_context, &of, &table), NBSTAGE_OK);
        struct pointers_found last = pointers_begin(&of, &table);
        for (int m = 0; m < 200; m++) {
            uintptr_t address =
                (uintptr_t)pointers[random_below(&stream, POINTERS)];
            if (m % 8 == 0)
                address += random_below(&stream, 3) * ELEMENT / 2;
            if (m % 31 == 0)
                address = (uintptr_t)random_next(&stream);
            uint32_t first = 0;
            while (first < POINTERS && (uintptr_t)pointers[first] != address)
                first++;
            ck_assert_uint_eq(
                pointers_find(&of, &table, address, POINTERS, &last), first);
        }
        pointers_free(&test_context, &table);
    }
}

// --- Coordinates of any two types ---

// The types of coordinates; whole numbers of map units are the same in each.
static const struct {
    uint32_t type;
    size_t size;
} coordinates[] = {{NBSTAGE_U8, 1},    {NBSTAGE_I8, 1},    {NBSTAGE_U16, 2},
                   {NBSTAGE_I16, 2},   {NBSTAGE_U32, 4},   {NBSTAGE_I32, 4},
                   {NBSTAGE_U64, 8},   {NBSTAGE_I64, 8},   {NBSTAGE_FIXED, 4},
                   {NBSTAGE_FLOAT, 4}, {NBSTAGE_DOUBLE, 8}};

static void put_coordinate(unsigned char *at, uint32_t type, int whole)
{
    const int8_t i8 = (int8_t)whole;
    const int16_t i16 = (int16_t)whole;
    const int32_t i32 = type == NBSTAGE_FIXED ? whole * UNIT : whole;
    const int64_t i64 = whole;
    const float single = (float)whole;
    const double number = whole;
    const void *const of_size[] = {
        [1] = &i8, [2] = &i16, [4] = &i32, [8] = &i64};
    for (size_t i = 0; i < COUNT(coordinates); i++)
        if (coordinates[i].type == type)
            memcpy(at,
                   type == NBSTAGE_FLOAT    ? &single
                   : type == NBSTAGE_DOUBLE ? (const void *)&number
                                            : of_size[coordinates[i].size],
                   coordinates[i].size);
}

// Each type of x with each of y, 8 bytes apart.
LOOP_TEST(coordinates_may_be_of_two_types, COUNT(coordinates))
{
    static const int places[3][2] = {{0, 1}, {100, 127}, {64, 3}};
    static const uint32_t ends[LINES][2] = {{0, 1}, {1, 2}};
    for (size_t k = 0; k < COUNT(coordinates); k++) {
        unsigned char elements[3][16];
        struct nbstage_vertices vertices = *PLAIN_VERTICES(elements, 3);
        vertices.array.stride = sizeof *elements;
        vertices.x = (struct nbstage_member){coordinates[_i].type, 0};
        vertices.y = (struct nbstage_member){coordinates[k].type, 8};
        memset(elements, 0xA5, sizeof elements);
        for (size_t v = 0; v < 3; v++) {
            put_coordinate(elements[v], coordinates[_i].type, places[v][0]);
            put_coordinate(elements[v] + 8, coordinates[k].type, places[v][1]);
        }
        struct map map = read_map(&(struct nbstage_map){
            .vertices = &vertices, .lines = PLAIN_ENDS(ends, LINES)});
        struct lines lines;
        ck_assert_int_eq(lines_gather(&test_context, &map, NULL, &lines),
                         NBSTAGE_OK);
        for (size_t i = 0; i < LINES; i++) {
            const struct fixed_line line = lines_fixed_at(&lines, i);
            ck_assert_int_eq(line.x1, places[i][0] * UNIT);
            ck_assert_int_eq(line.y1, places[i][1] * UNIT);
            ck_assert_int_eq(line.x2, places[i + 1][0] * UNIT);
            ck_assert_int_eq(line.y2, places[i + 1][1] * UNIT);
        }
        lines_free(&test_context, &lines);
        map_free(&test_context, &map);
    }
}

// --- Counts that are refused ---

// What is at most allowed costs nothing; one more is refused, and charged.
TEST(refused_counts_are_charged)
{
    test_context.limits.memory = 1000;
    test_context.work = 7;
    ck_assert_int_eq(
        context_check_count(&test_context, NULL, 10, "things", 100),
        NBSTAGE_OK);
    ck_assert_uint_eq(test_context.work, 7);
    ck_assert_int_eq(
        context_check_count(&test_context, NULL, 11, "things", 100),
        NBSTAGE_OVER_LIMIT);
    ck_assert_uint_eq(test_context.work, 7 + 11);
    assert_tells(test_context.message, "MAP01", "11 things", "most 10");
    test_context.limits.memory = 0; // INT32_MAX then
    ck_assert_int_eq(
        context_check_count(&test_context, NULL, INT32_MAX, "things", 100),
        NBSTAGE_OK);
    ck_assert_int_eq(context_check_count(&test_context, NULL, UINT64_C(1) << 31,
                                         "things", 100),
                     NBSTAGE_OVER_LIMIT);
}
