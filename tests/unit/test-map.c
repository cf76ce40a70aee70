// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a map is found in lumps of any order and in arrays of any
// layout, that its format is told by the lumps present, and that damage is
// refused with a sentence that names the lump.

#include "context-for-tests.h"
#include "map/map.h"

enum { INFLATE_LIMIT = 1 << 20 };

static const unsigned char linedefs[2 * 14];
static const unsigned char vertexes[3 * 4];
static const unsigned char blockmap[12];

#define LUMP(name, bytes, bytes_size) \
    { \
        sizeof(struct nbstage_lump), name, bytes, bytes_size, NBSTAGE_PLAIN \
    }
#define LINEDEFS LUMP("LINEDEFS", linedefs, sizeof linedefs)
#define VERTEXES LUMP("VERTEXES", vertexes, sizeof vertexes)
#define BLOCKMAP LUMP("BLOCKMAP", blockmap, sizeof blockmap)

static nbstage_status read_lumps(const struct nbstage_lump *lumps, size_t count,
                                 struct map *map)
{
    const struct nbstage_map given = {.lumps = lumps, .lump_count = count};
    return map_read(&test_context, &given, INFLATE_LIMIT, map);
}

// ---------------------------------------------------------------------------
// Lumps

START_TEST(lumps_are_found_in_any_order)
{
    static const struct nbstage_lump lumps[] = {
        BLOCKMAP, VERTEXES, LUMP("THINGS", NULL, 0), LINEDEFS};
    struct map map;
    ck_assert_int_eq(read_lumps(lumps, COUNT(lumps), &map), NBSTAGE_OK);
    ck_assert_int_eq(map.format, NBSTAGE_FORMAT_DOOM);
    ck_assert_ptr_eq(map.lines, linedefs);
    ck_assert_uint_eq(map.line_count, 2);
    ck_assert_uint_eq(map.line_stride, 14);
    ck_assert_ptr_eq(map.vertices, vertexes);
    ck_assert_uint_eq(map.vertex_count, 3);
    ck_assert_uint_eq(map.vertex_stride, 4);
    ck_assert_ptr_eq(map.blockmap.bytes, blockmap);
    ck_assert_uint_eq(map.blockmap.size, sizeof blockmap);
}
END_TEST

static const char broken_text[] = "vertex { x = 1;\n  y 2; }";

static const struct {
    struct nbstage_lump lumps[2];
    const char *facts[5];
} damaged[] = {
    {{LUMP("TEXTMAP", broken_text, sizeof broken_text - 1), BLOCKMAP},
     {"MAP01", "TEXTMAP", "line 2", "column 5"}},
    {{LUMP("THINGS", NULL, 0), VERTEXES}, {"MAP01", "LINEDEFS"}},
    {{LINEDEFS, LUMP("THINGS", NULL, 0)}, {"MAP01", "VERTEXES"}},
    {{LUMP("LINEDEFS", NULL, 0), VERTEXES}, {"MAP01", "LINEDEFS", "14"}},
    {{LINEDEFS, LUMP("VERTEXES", NULL, 0)}, {"MAP01", "VERTEXES", "4"}},
    {{LUMP("LINEDEFS", linedefs, 27), VERTEXES},
     {"MAP01", "LINEDEFS", "27", "14"}},
    {{LUMP("LINEDEFS", linedefs, 13), VERTEXES},
     {"MAP01", "LINEDEFS", "13", "14"}},
    {{LINEDEFS, LUMP("VERTEXES", vertexes, 10)},
     {"MAP01", "VERTEXES", "10", "4"}},
};

START_TEST(damaged_lumps_are_named)
{
    struct map map;
    ck_assert_int_eq(read_lumps(damaged[_i].lumps, 2, &map), NBSTAGE_BAD_MAP);
    assert_tells_all(test_context.message, damaged[_i].facts);
}
END_TEST

static const unsigned char text[] =
    "namespace = \"doom\"; vertex { x = 1; y = 2; } vertex { x = 3; y = 4; }"
    "linedef { v1 = 0; v2 = 1; sidefront = 0; }";

// Formats, told by a lump, and the sizes of their records.
static const struct {
    const char *lump;
    uint32_t format;
    size_t line_stride;
    size_t vertex_stride;
} formats[] = {
    {"THINGS", NBSTAGE_FORMAT_DOOM, 14, 4},
    {"BEHAVIOR", NBSTAGE_FORMAT_HEXEN, 16, 4},
    {"LEAFS", NBSTAGE_FORMAT_DOOM64, 16, 8},
    {"LIGHTS", NBSTAGE_FORMAT_DOOM64, 16, 8},
    {"MACROS", NBSTAGE_FORMAT_DOOM64, 16, 8},
    {"TEXTMAP", NBSTAGE_FORMAT_UDMF, 8, 8},
};

START_TEST(format_is_told_by_the_lumps)
{
    static const unsigned char records[2 * 14 * 16]; // whole in every format
    const struct nbstage_lump lumps[] = {
        LUMP("LINEDEFS", records, sizeof records),
        LUMP("VERTEXES", records, sizeof records),
        LUMP(formats[_i].lump, text, sizeof text - 1)};
    struct map map;
    ck_assert_int_eq(read_lumps(lumps, COUNT(lumps), &map), NBSTAGE_OK);
    ck_assert_int_eq(map.format, formats[_i].format);
    ck_assert_uint_eq(map.line_stride, formats[_i].line_stride);
    ck_assert_uint_eq(map.vertex_stride, formats[_i].vertex_stride);
    map_free(&test_context, &map);
}
END_TEST

// A host that knows the format need not hand over the lump that tells it, and
// a map needs no blockmap.
START_TEST(format_is_what_the_host_says)
{
    static const unsigned char records[16];
    const struct nbstage_lump lumps[] = {
        LUMP("LINEDEFS", records, sizeof records),
        LUMP("VERTEXES", records, sizeof records)};
    const struct nbstage_map given = {.format = NBSTAGE_FORMAT_HEXEN,
                                      .lumps = lumps,
                                      .lump_count = COUNT(lumps)};
    struct map map;
    ck_assert_int_eq(map_read(&test_context, &given, INFLATE_LIMIT, &map),
                     NBSTAGE_OK);
    ck_assert_int_eq(map.format, NBSTAGE_FORMAT_HEXEN);
    ck_assert_uint_eq(map.line_count, 1);
    ck_assert_ptr_null(map.blockmap.bytes);
    ck_assert_uint_eq(map.blockmap.size, 0);
}
END_TEST

// ---------------------------------------------------------------------------
// Arrays

// Room for elements of any stride, aligned as the first of it.
static const int32_t numbers[16];

#define ARRAYS \
    { \
        .vertices = (const void *)numbers, .vertex_count = 2, \
        .vertex_size = 8, .lines = (const void *)(numbers + 4), \
        .line_count = 3, .line_size = 8, \
    }

START_TEST(arrays_may_have_any_aligned_stride)
{
    struct nbstage_map arrays = ARRAYS;
    arrays.vertex_size = 12;
    arrays.line_size = 16;
    struct map map;
    ck_assert_int_eq(map_read(&test_context, &arrays, INFLATE_LIMIT, &map),
                     NBSTAGE_OK);
    ck_assert(map.from_arrays);
    ck_assert_ptr_eq(map.vertices, numbers);
    ck_assert_uint_eq(map.vertex_count, 2);
    ck_assert_uint_eq(map.vertex_stride, 12);
    ck_assert_ptr_eq(map.lines, numbers + 4);
    ck_assert_uint_eq(map.line_count, 3);
    ck_assert_uint_eq(map.line_stride, 16);
    ck_assert_ptr_null(map.blockmap.bytes);
    ck_assert_uint_eq(map.blockmap.size, 0);
}
END_TEST

START_TEST(arrays_take_only_the_blockmap_from_lumps)
{
    static const struct nbstage_lump lumps[] = {
        LUMP("LINEDEFS", linedefs, 1), LUMP("BEHAVIOR", NULL, 0), BLOCKMAP};
    struct nbstage_map arrays = ARRAYS;
    struct map map;
    arrays.lumps = lumps;
    arrays.lump_count = COUNT(lumps);
    ck_assert_int_eq(map_read(&test_context, &arrays, INFLATE_LIMIT, &map),
                     NBSTAGE_OK);
    ck_assert_ptr_eq(map.lines, numbers + 4);
    ck_assert_ptr_eq(map.blockmap.bytes, blockmap);
    ck_assert_uint_eq(map.blockmap.size, sizeof blockmap);
}
END_TEST

// Ways to spoil an array.
struct spoilt {
    const void *elements;
    size_t count;
    size_t stride;
};
static const struct spoilt spoilt[] = {
    {NULL, 2, 8},                      // none
    {numbers, 0, 8},                   // empty
    {numbers, 2, 0},                   // all in one place
    {numbers, 2, 4},                   // overlapping
    {numbers, 2, 10},                  // not aligned, from the second on
    {(const char *)numbers + 2, 2, 8}, // not aligned, all of them
#if SIZE_MAX > UINT32_MAX
    {numbers, (size_t)UINT32_MAX + 1, 8}, // too many for 32-bit indices
#endif
};

START_TEST(spoilt_arrays_are_refused)
{
    struct nbstage_map arrays = ARRAYS;
    struct map map;
    arrays.lines = spoilt[_i].elements;
    arrays.line_count = spoilt[_i].count;
    arrays.line_size = spoilt[_i].stride;
    ck_assert_int_eq(map_read(&test_context, &arrays, INFLATE_LIMIT, &map),
                     NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "lines");
    arrays = (struct nbstage_map)ARRAYS;
    arrays.vertices = spoilt[_i].elements;
    arrays.vertex_count = spoilt[_i].count;
    arrays.vertex_size = spoilt[_i].stride;
    ck_assert_int_eq(map_read(&test_context, &arrays, INFLATE_LIMIT, &map),
                     NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "vertices");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("map");
    tcase_add_test(tests, lumps_are_found_in_any_order);
    tcase_add_loop_test(tests, damaged_lumps_are_named, 0, COUNT(damaged));
    tcase_add_loop_test(tests, format_is_told_by_the_lumps, 0, COUNT(formats));
    tcase_add_test(tests, format_is_what_the_host_says);
    tcase_add_test(tests, arrays_may_have_any_aligned_stride);
    tcase_add_test(tests, arrays_take_only_the_blockmap_from_lumps);
    tcase_add_loop_test(tests, spoilt_arrays_are_refused, 0, COUNT(spoilt));
    return run_tests(tests);
}
