// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a map is found in lumps of any order and in arrays of any
// layout, that its format is told by the lumps present, and that damage is
// refused with a sentence that names the lump.

#include "context-for-tests.h"
#include "map/map.h"

static const unsigned char linedefs[2 * 14];
static const unsigned char vertexes[3 * 4];
static const unsigned char blockmap[12];

#define LINEDEFS \
    { \
        "LINEDEFS", linedefs, sizeof linedefs, COMPRESSION_NONE \
    }
#define VERTEXES \
    { \
        "VERTEXES", vertexes, sizeof vertexes, COMPRESSION_NONE \
    }
#define BLOCKMAP \
    { \
        "BLOCKMAP", blockmap, sizeof blockmap, COMPRESSION_NONE \
    }

static nbstage_status read_lumps(const struct map_lump *lumps, size_t count,
                                 struct map *map)
{
    const struct map_lumps all = {lumps, count, MAP_DETECT, 1 << 20};
    return map_from_lumps(&test_context, &all, map);
}

static nbstage_status read_arrays(const struct map_arrays *arrays,
                                  const struct map_lump *lumps, size_t count,
                                  struct map *map)
{
    const struct map_lumps all = {lumps, count, MAP_DETECT, 1 << 20};
    return map_from_arrays(&test_context, arrays, &all, map);
}

// ---------------------------------------------------------------------------
// Lumps

START_TEST(lumps_are_found_in_any_order)
{
    static const struct map_lump lumps[] = {
        BLOCKMAP, VERTEXES, {"THINGS", NULL, 0, COMPRESSION_NONE}, LINEDEFS};
    struct map map;
    ck_assert_int_eq(read_lumps(lumps, COUNT(lumps), &map), NBSTAGE_OK);
    ck_assert_int_eq(map.format, MAP_DOOM);
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

START_TEST(a_map_needs_no_blockmap)
{
    static const struct map_lump lumps[] = {LINEDEFS, VERTEXES};
    struct map map;
    ck_assert_int_eq(read_lumps(lumps, COUNT(lumps), &map), NBSTAGE_OK);
    ck_assert_ptr_null(map.blockmap.bytes);
    ck_assert_uint_eq(map.blockmap.size, 0);
}
END_TEST

static const struct {
    struct map_lump lumps[2];
    const char *facts[5];
} damaged[] = {
    {{{"THINGS", NULL, 0, COMPRESSION_NONE}, VERTEXES}, {"MAP01", "LINEDEFS"}},
    {{LINEDEFS, {"THINGS", NULL, 0, COMPRESSION_NONE}}, {"MAP01", "VERTEXES"}},
    {{{"LINEDEFS", NULL, 0, COMPRESSION_NONE}, VERTEXES},
     {"MAP01", "LINEDEFS", "14"}},
    {{LINEDEFS, {"VERTEXES", NULL, 0, COMPRESSION_NONE}},
     {"MAP01", "VERTEXES", "4"}},
    {{{"LINEDEFS", linedefs, 27, COMPRESSION_NONE}, VERTEXES},
     {"MAP01", "LINEDEFS", "27", "14"}},
    {{{"LINEDEFS", linedefs, 13, COMPRESSION_NONE}, VERTEXES},
     {"MAP01", "LINEDEFS", "13", "14"}},
    {{LINEDEFS, {"VERTEXES", vertexes, 10, COMPRESSION_NONE}},
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
    enum map_format format;
    size_t line_stride;
    size_t vertex_stride;
} formats[] = {
    {"THINGS", MAP_DOOM, 14, 4},   {"BEHAVIOR", MAP_HEXEN, 16, 4},
    {"LEAFS", MAP_DOOM64, 16, 8},  {"LIGHTS", MAP_DOOM64, 16, 8},
    {"MACROS", MAP_DOOM64, 16, 8}, {"TEXTMAP", MAP_UDMF, 8, 8},
};

START_TEST(format_is_told_by_the_lumps)
{
    static const unsigned char records[2 * 14 * 16]; // whole in every format
    const struct map_lump lumps[] = {
        {"LINEDEFS", records, sizeof records, COMPRESSION_NONE},
        {"VERTEXES", records, sizeof records, COMPRESSION_NONE},
        {formats[_i].lump, text, sizeof text - 1, COMPRESSION_NONE}};
    struct map map;
    ck_assert_int_eq(read_lumps(lumps, COUNT(lumps), &map), NBSTAGE_OK);
    ck_assert_int_eq(map.format, formats[_i].format);
    ck_assert_uint_eq(map.line_stride, formats[_i].line_stride);
    ck_assert_uint_eq(map.vertex_stride, formats[_i].vertex_stride);
    map_free(&test_context, &map);
}
END_TEST

// A host that knows the format need not hand over the lump that tells it.
START_TEST(format_is_what_the_host_says)
{
    static const unsigned char records[16];
    const struct map_lump lumps[] = {
        {"LINEDEFS", records, sizeof records, COMPRESSION_NONE},
        {"VERTEXES", records, sizeof records, COMPRESSION_NONE}};
    const struct map_lumps all = {lumps, COUNT(lumps), MAP_HEXEN, 1 << 20};
    struct map map;
    ck_assert_int_eq(map_from_lumps(&test_context, &all, &map), NBSTAGE_OK);
    ck_assert_int_eq(map.format, MAP_HEXEN);
    ck_assert_uint_eq(map.line_count, 1);
}
END_TEST

START_TEST(damaged_text_is_told_by_line_and_column)
{
    static const char broken[] = "vertex { x = 1;\n  y 2; }";
    const struct map_lump lumps[] = {
        {"TEXTMAP", broken, sizeof broken - 1, COMPRESSION_NONE}};
    struct map map;
    ck_assert_int_eq(read_lumps(lumps, COUNT(lumps), &map), NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "TEXTMAP", "line 2",
                 "column 5");
}
END_TEST

// ---------------------------------------------------------------------------
// Arrays

// Room for elements of any stride, aligned as the first of it.
static const int32_t numbers[16];

#define ARRAYS \
    { \
        .vertices = numbers, .vertex_count = 2, .vertex_stride = 8, \
        .lines = numbers + 4, .line_count = 3, .line_stride = 8, \
    }

START_TEST(arrays_may_have_any_aligned_stride)
{
    struct map_arrays arrays = ARRAYS;
    arrays.vertex_stride = 12;
    arrays.line_stride = 16;
    struct map map;
    ck_assert_int_eq(read_arrays(&arrays, NULL, 0, &map), NBSTAGE_OK);
    ck_assert_int_eq(map.format, MAP_ARRAYS);
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
    static const struct map_lump lumps[] = {
        {"LINEDEFS", linedefs, 1, COMPRESSION_NONE},
        {"BEHAVIOR", NULL, 0, COMPRESSION_NONE},
        BLOCKMAP};
    const struct map_arrays arrays = ARRAYS;
    struct map map;
    ck_assert_int_eq(read_arrays(&arrays, lumps, COUNT(lumps), &map),
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

START_TEST(spoilt_line_arrays_are_refused)
{
    struct map_arrays arrays = ARRAYS;
    arrays.lines = spoilt[_i].elements;
    arrays.line_count = spoilt[_i].count;
    arrays.line_stride = spoilt[_i].stride;
    struct map map;
    ck_assert_int_eq(read_arrays(&arrays, NULL, 0, &map), NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "lines");
}
END_TEST

START_TEST(spoilt_vertex_arrays_are_refused)
{
    struct map_arrays arrays = ARRAYS;
    arrays.vertices = spoilt[_i].elements;
    arrays.vertex_count = spoilt[_i].count;
    arrays.vertex_stride = spoilt[_i].stride;
    struct map map;
    ck_assert_int_eq(read_arrays(&arrays, NULL, 0, &map), NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "vertices");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("map");
    tcase_add_test(tests, lumps_are_found_in_any_order);
    tcase_add_test(tests, a_map_needs_no_blockmap);
    tcase_add_loop_test(tests, damaged_lumps_are_named, 0, COUNT(damaged));
    tcase_add_loop_test(tests, format_is_told_by_the_lumps, 0, COUNT(formats));
    tcase_add_test(tests, format_is_what_the_host_says);
    tcase_add_test(tests, damaged_text_is_told_by_line_and_column);
    tcase_add_test(tests, arrays_may_have_any_aligned_stride);
    tcase_add_test(tests, arrays_take_only_the_blockmap_from_lumps);
    tcase_add_loop_test(tests, spoilt_line_arrays_are_refused, 0,
                        COUNT(spoilt));
    tcase_add_loop_test(tests, spoilt_vertex_arrays_are_refused, 0,
                        COUNT(spoilt));
    return run_tests(tests);
}
