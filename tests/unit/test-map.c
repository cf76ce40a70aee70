// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the format of a map is told by its lumps or by the host, that
// arrays are refused that overlap or are not aligned, and that a vertex that
// does not exist is refused with a sentence that names it.  Lumps that are
// missing or cut are in test-bad-input.sh; coordinates in test-geometry.

#include "arrays.h"
#include "base/bytes.h"
#include "context-for-tests.h"
#include "lines/lines.h"
#include "map/attributes.h"
#include "map/map.h"
#include "prune/prune.h"
#include "random-map.h"

#include <stdlib.h>

enum { UNIT = 1 << 16 };

#define LUMP(name, bytes, bytes_size) \
    { \
        sizeof(struct nbstage_lump), name, bytes, bytes_size, NBSTAGE_PLAIN \
    }

static struct map read_map(const struct nbstage_map *given)
{
    struct map map;
    ck_assert_int_eq(map_read(&test_context, given, false, &map), NBSTAGE_OK);
    return map;
}

// Reads all there is of a map; false if it is refused.
static bool try_map(const struct nbstage_map *given)
{
    struct map map;
    struct lines lines;
    struct attributes attributes;
    struct pruning pruning = {0};
    bool are_complete;
    if (map_read(&test_context, given, true, &map) != NBSTAGE_OK)
        return false;
    const bool are_there =
        lines_gather(&test_context, &map, NULL, &lines) == NBSTAGE_OK;
    ck_assert_int_eq(attributes_read(&test_context, &map, NBSTAGE_LOG_INFO, "",
                                     &attributes, &are_complete),
                     NBSTAGE_OK);
    if (are_there) {
        ck_assert_int_eq(
            prune_lines(&test_context, &map, &lines, PRUNE_TAGGED, &pruning),
            NBSTAGE_OK);
        prune_free(&test_context, &pruning);
    }
    lines_free(&test_context, &lines);
    attributes_free(&test_context, &attributes);
    map_free(&test_context, &map);
    ck_assert_ptr_null(test_host.blocks);
    return true;
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

// --- Arrays ---

static const int32_t numbers[16];
static const void *const nothing[2];

#define U32_AT(at) \
    { \
        NBSTAGE_U32, at, 0 \
    }
#define LINES_AT(data, count, stride, is_indirect) \
    .array = {sizeof(struct nbstage_lines), data, count, stride, is_indirect}
#define ENDS .v1 = U32_AT(0), .v2 = U32_AT(4)

// Descriptions of lines that are wrong, and what is said of them.
static const struct {
    struct nbstage_lines lines;
    const char *sentence;
} wrong[] = {
    {{LINES_AT(NULL, 2, 8, 0), ENDS}, "2 elements at a NULL pointer"},
    {{LINES_AT(numbers, 0, 8, 0), ENDS}, "the array is empty"},
    {{LINES_AT(numbers, 2, 0, 0), ENDS},
     "v1 ends at byte 4 of elements that are 0 bytes apart"},
    {{LINES_AT(numbers, 2, 7, 0), ENDS},
     "v2 ends at byte 8 of elements that are 7 bytes apart"},
    {{LINES_AT(numbers, 2, 8, 0), ENDS, .tag = U32_AT(UINT32_MAX)},
     "tag ends at byte 4294967299 of elements that are 8 bytes apart"},
    {{LINES_AT(numbers, 2, 8, 0), ENDS, .args[4] = {12, 0, 0}},
     "args[4] has unknown type 12"},
    {{LINES_AT(numbers, 2, 8, 0), ENDS, .special = {0x201, 0, 0}},
     "special has unknown type 513"},
    {{LINES_AT(numbers, 2, 8, 0), ENDS, .flags = {NBSTAGE_BEHIND, 0, 0}},
     "flags has unknown type 256"},
    {{LINES_AT(numbers, 2, 8, 0), ENDS, .flags = {NBSTAGE_FLOAT, 0, 0}},
     "flags cannot be of type 9"},
    {{LINES_AT(numbers, 2, 8, 0), ENDS, .tag = {NBSTAGE_NAME, 0, 0}},
     "tag cannot be of type 11"},
    {{LINES_AT(numbers, 2, 8, 0), ENDS, .tag = {NBSTAGE_I16, 0, 4}},
     "tag has a target, but is of type 4, which is not behind a pointer"},
    {{LINES_AT(numbers, 2, 8, 0), .v1 = U32_AT(0)},
     "v2 is required"},
    {{LINES_AT(nothing, 2, 8, 2), ENDS},
     "is_indirect is 2; 0 or 1 was expected"},
    {{LINES_AT(nothing, 2, 1, 1), ENDS},
     "pointers to elements are 1 bytes apart; at least"},
    {{LINES_AT(nothing, 2, sizeof *nothing, 1), ENDS},
     "the pointer to element 0 is NULL"},
#if SIZE_MAX > UINT32_MAX
    {{LINES_AT(numbers, (size_t)UINT32_MAX + 1, 8, 0), ENDS},
     "4294967296 elements; at most 4294967295 can be numbered"},
    {{LINES_AT(numbers, 3, SIZE_MAX / 4, 0), ENDS},
     "3 elements that are 4611686018427387903 bytes apart do not fit into "
     "memory"},
#endif
};

LOOP_TEST(wrong_descriptions_are_refused, COUNT(wrong))
{
    struct nbstage_map given = {
        .vertices = PLAIN_VERTICES((const struct plain_vertex *)numbers, 2),
        .lines = &wrong[_i].lines};
    struct map map;
    const bool is_unknown = strstr(wrong[_i].sentence, "unknown") ||
                            wrong[_i].lines.array.is_indirect > 1;
    ck_assert_int_eq(map_read(&test_context, &given, false, &map),
                     is_unknown ? NBSTAGE_UNSUPPORTED : NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01: lines", wrong[_i].sentence);
    struct nbstage_lines small = *PLAIN_ENDS(numbers, 2);
    small.array.size--;
    given.lines = &small;
    ck_assert_int_eq(map_read(&test_context, &given, false, &map),
                     NBSTAGE_BAD_CALL);
}

// Descriptions of any numbers, over memory that is there, are read or refused:
// LONG tries 100,000.
TEST(any_description_is_read_or_refused)
{
    enum { WORDS = 512, MOST = 8 };
    static uint32_t noise[WORDS];
    const void *elements[WORDS];
    const size_t tries = getenv("LONG") ? 100000 : 3000;
    struct random_stream stream = {choose_seed()};
    size_t built = 0;
    for (size_t i = 0; i < WORDS; i++) {
        noise[i] =
            random_below(&stream, 4) ? (uint32_t)random_next(&stream) : 0;
        elements[i] = elements;
    }
    for (size_t i = 0; i < tries; i++) {
        struct nbstage_lines all[ARRAY_KIND_COUNT];
        struct nbstage_map given = {.format = random_below(&stream, 4)};
        for (size_t k = 0; k < ARRAY_KIND_COUNT; k++) {
            uint32_t *words = (uint32_t *)&all[k].v1;
            const bool has_pointers = random_below(&stream, 4) == 0;
            const bool is_indirect = has_pointers && random_below(&stream, 2);
            memset(&all[k], 0, sizeof all[k]);
            all[k].array = (struct nbstage_array){
                random_below(&stream, 100) ? sizeof all[k] : 40,
                has_pointers ? (const void *)elements : noise,
                random_below(&stream, 50) ? 1 + random_below(&stream, MOST) : 0,
                random_below(&stream, 50)
                    ? 64
                    : sizeof(void *) * random_below(&stream, 8),
                is_indirect};
            for (size_t m = 0; m < 14; m++, words += 3) {
                const bool is_needed = k < 2 && m < 2;
                words[0] = random_below(&stream, 500)
                               ? 1 + random_below(&stream, 7)
                               : random_below(&stream, 16);
                if (!is_needed && random_below(&stream, 4) == 0)
                    words[0] = NBSTAGE_ABSENT;
                else if (has_pointers && random_below(&stream, 4) == 0)
                    words[0] |= NBSTAGE_BEHIND;
                words[1] = random_below(&stream, 7) * sizeof(void *);
                words[2] = (words[0] & NBSTAGE_BEHIND) != 0 ||
                                   random_below(&stream, 500) == 0
                               ? random_below(&stream, 64)
                               : 0;
            }
        }
        given.vertices = (const void *)&all[ARRAY_VERTICES];
        given.lines = &all[ARRAY_LINES];
        given.sides =
            random_below(&stream, 2) ? (const void *)&all[ARRAY_SIDES] : NULL;
        given.sectors = (const void *)&all[ARRAY_SECTORS];
        given.things = (const void *)&all[ARRAY_THINGS];
        built += try_map(&given);
    }
    ck_assert_uint_gt(built, tries / 100);
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
    {{{0, 1}, {1, UINT32_MAX}}, 0, "vertex 4294967295"}, // in arrays alone
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
    assert_tells(test_context.message, "MAP01", "lines", "1",
                 missing[_i].vertex,
                 missing[_i].added > 0 ? "there are 5" : "there are 3");
    lines_free(&test_context, &lines);
    if (missing[_i].ends[1][1] == UINT32_MAX)
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
