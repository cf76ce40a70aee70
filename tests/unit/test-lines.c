// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that lines come out with the right coordinates, in whole units
// wherever that loses nothing, and that a vertex that does not exist is
// refused with a sentence that names the line and the vertex.

#include "context-for-tests.h"
#include "lines/lines.h"

#include <stdlib.h>

enum { UNIT = 1 << 16 }; // a map unit in 16.16

static const struct nodes no_nodes;

// The records of Doom-format lumps.
#define U16(number) (number) & 0xFF, (number) >> 8 & 0xFF
#define VERTEX(x, y) U16(x), U16(y)
#define LINEDEF(v1, v2) U16(v1), U16(v2), 1, 0, 2, 0, 3, 0, 4, 0, 0xFF, 0xFF

static struct map doom_map(const unsigned char *vertexes, size_t vertex_count,
                           const unsigned char *linedefs, size_t line_count)
{
    return (struct map){
        .format = NBSTAGE_FORMAT_DOOM,
        .form = MAP_INT16,
        .vertices = vertexes,
        .vertex_count = vertex_count,
        .vertex_stride = 4,
        .lines = linedefs,
        .line_count = line_count,
        .line_stride = 14,
    };
}

static struct map array_map(const int32_t (*vertices)[2], size_t vertex_count,
                            const uint32_t (*lines)[2], size_t line_count)
{
    return (struct map){
        .format = NBSTAGE_FORMAT_DOOM,
        .from_arrays = true,
        .form = MAP_NATIVE,
        .vertices = (const unsigned char *)vertices,
        .vertex_count = vertex_count,
        .vertex_stride = sizeof *vertices,
        .lines = (const unsigned char *)lines,
        .line_count = line_count,
        .line_stride = sizeof *lines,
    };
}

static struct lines gather_with(const struct map *map,
                                const struct nodes *nodes)
{
    struct lines lines;
    ck_assert_int_eq(lines_gather(&test_context, map, nodes, &lines),
                     NBSTAGE_OK);
    ck_assert_uint_eq(lines.count, map->line_count);
    return lines;
}

static struct lines gather(const struct map *map)
{
    return gather_with(map, &no_nodes);
}

// A line in the form that the lines have, widened if they are whole.
static struct fixed_line line_at(const struct lines *lines, size_t index)
{
    if (!lines->is_whole)
        return lines->fixed[index];
    struct whole_line line = whole_line_at(&lines->whole, index);
    return (struct fixed_line){line.x1, line.y1, line.x2, line.y2};
}

// Coordinates are in map units if the lines are whole, else in 16.16.
static void assert_line(const struct lines *lines, size_t index, int32_t x1,
                        int32_t y1, int32_t x2, int32_t y2)
{
    struct fixed_line line = line_at(lines, index);
    ck_assert_int_eq(line.x1, x1);
    ck_assert_int_eq(line.y1, y1);
    ck_assert_int_eq(line.x2, x2);
    ck_assert_int_eq(line.y2, y2);
}

static void assert_bounds(const struct lines *lines, int32_t min_x,
                          int32_t min_y, int32_t max_x, int32_t max_y)
{
    ck_assert_int_eq(lines->min_x, min_x);
    ck_assert_int_eq(lines->min_y, min_y);
    ck_assert_int_eq(lines->max_x, max_x);
    ck_assert_int_eq(lines->max_y, max_y);
}

// ---------------------------------------------------------------------------
// Lumps

START_TEST(doom_records_are_decoded)
{
    static const unsigned char vertexes[] = {VERTEX(-32768, 32767),
                                             VERTEX(258, -2), VERTEX(0, 0)};
    static const unsigned char linedefs[] = {LINEDEF(0, 1), LINEDEF(1, 1)};
    struct map map = doom_map(vertexes, 3, linedefs, 2);
    struct lines lines = gather(&map);
    ck_assert(lines.is_whole);
    assert_line(&lines, 0, -32768, 32767, 258, -2);
    assert_line(&lines, 1, 258, -2, 258, -2);
    assert_bounds(&lines, -32768, -2, 258, 32767);
    lines_free(&test_context, &lines);
}
END_TEST

START_TEST(vertex_numbers_are_unsigned)
{
    enum { VERTEX_COUNT = 65536 };
    unsigned char *vertexes = calloc(VERTEX_COUNT, 4);
    ck_assert_ptr_nonnull(vertexes);
    vertexes[4 * 40000] = 7;
    vertexes[4 * 65535] = 9;
    static const unsigned char linedefs[] = {LINEDEF(40000, 65535)};
    struct map map = doom_map(vertexes, VERTEX_COUNT, linedefs, 1);
    struct lines lines = gather(&map);
    assert_line(&lines, 0, 7, 0, 9, 0);
    lines_free(&test_context, &lines);
    free(vertexes);
}
END_TEST

// ---------------------------------------------------------------------------
// Arrays

START_TEST(whole_numbers_are_kept_as_whole_units)
{
    static const int32_t vertices[][2] = {{-32768 * UNIT, -1 * UNIT},
                                          {32767 * UNIT, 5 * UNIT}};
    static const uint32_t ends[][2] = {{0, 1}, {1, 0}};
    struct map map = array_map(vertices, 2, ends, 2);
    struct lines lines = gather(&map);
    ck_assert(lines.is_whole);
    assert_line(&lines, 0, -32768, -1, 32767, 5);
    assert_line(&lines, 1, 32767, 5, -32768, -1);
    assert_bounds(&lines, -32768, -1, 32767, 5);
    lines_free(&test_context, &lines);
}
END_TEST

// Any one of the four coordinates may be the one with the fraction.
START_TEST(one_fraction_keeps_fixed_point)
{
    int32_t vertices[][2] = {{0, 0}, {UNIT, UNIT}, {UNIT, UNIT}};
    vertices[_i / 2][_i % 2] += 1;
    static const uint32_t ends[][2] = {{2, 2}, {0, 1}};
    struct map map = array_map((const int32_t(*)[2])vertices, 3, ends, 2);
    struct lines lines = gather(&map);
    ck_assert(!lines.is_whole);
    assert_line(&lines, 0, UNIT, UNIT, UNIT, UNIT);
    assert_line(&lines, 1, vertices[0][0], vertices[0][1], vertices[1][0],
                vertices[1][1]);
    ck_assert_ptr_null(lines.whole.start); // which nobody needs
    lines_free(&test_context, &lines);
}
END_TEST

START_TEST(vertices_without_a_line_do_not_count)
{
    static const int32_t vertices[][2] = {
        {3 * UNIT + 1, -900 * UNIT}, {UNIT, 2 * UNIT}, {0, UNIT}};
    static const uint32_t ends[][2] = {{1, 2}};
    struct map map = array_map(vertices, 3, ends, 1);
    struct lines lines = gather(&map);
    ck_assert(lines.is_whole);
    assert_bounds(&lines, 0, 1, 1, 2);
    lines_free(&test_context, &lines);
}
END_TEST

// Every bound comes from another line, and x and y have nothing in common.
START_TEST(bounds_are_those_of_all_lines)
{
    static const unsigned char vertexes[] = {VERTEX(50, -500), VERTEX(60, -510),
                                             VERTEX(40, -505), VERTEX(55, -490),
                                             VERTEX(70, -500)};
    static const unsigned char linedefs[] = {LINEDEF(0, 0), LINEDEF(0, 1),
                                             LINEDEF(2, 0), LINEDEF(0, 3),
                                             LINEDEF(4, 0), LINEDEF(0, 0)};
    struct map map = doom_map(vertexes, 5, linedefs, 6);
    struct lines lines = gather(&map);
    assert_bounds(&lines, 40, -510, 70, -490);
    lines_free(&test_context, &lines);
}
END_TEST

START_TEST(bounds_are_rounded_down)
{
    static const int32_t vertices[][2] = {{-1, -UNIT - 1},
                                          {5 * UNIT - 1, 5 * UNIT + 1}};
    static const uint32_t ends[][2] = {{0, 1}};
    struct map map = array_map(vertices, 2, ends, 1);
    struct lines lines = gather(&map);
    assert_bounds(&lines, -1, -2, 4, 5);
    lines_free(&test_context, &lines);
}
END_TEST

START_TEST(fixed_point_reaches_its_ends)
{
    static const int32_t vertices[][2] = {{INT32_MIN, INT32_MAX},
                                          {INT32_MAX, INT32_MIN}};
    static const uint32_t ends[][2] = {{0, 1}};
    struct map map = array_map(vertices, 2, ends, 1);
    struct lines lines = gather(&map);
    assert_line(&lines, 0, INT32_MIN, INT32_MAX, INT32_MAX, INT32_MIN);
    assert_bounds(&lines, -32768, -32768, 32767, 32767);
    lines_free(&test_context, &lines);
}
END_TEST

START_TEST(strides_are_obeyed)
{
    // What is not a coordinate or the number of a vertex is 99.
    static const int32_t vertices[][3] = {{0, UNIT, 99}, {2 * UNIT, 0, 99}};
    static const uint32_t ends[][4] = {{0, 1, 99, 99}, {1, 0, 99, 99}};
    struct map map = {
        .format = NBSTAGE_FORMAT_DOOM,
        .from_arrays = true,
        .form = MAP_NATIVE,
        .vertices = (const unsigned char *)vertices,
        .vertex_count = 2,
        .vertex_stride = sizeof *vertices,
        .lines = (const unsigned char *)ends,
        .line_count = 2,
        .line_stride = sizeof *ends,
    };
    struct lines lines = gather(&map);
    assert_line(&lines, 0, 0, 1, 2, 0);
    assert_line(&lines, 1, 2, 0, 0, 1);
    lines_free(&test_context, &lines);
}
END_TEST

// ---------------------------------------------------------------------------
// Vertices that the nodes have added

START_TEST(added_vertices_follow_those_of_the_map)
{
    static const unsigned char vertexes[] = {VERTEX(-5, 7), VERTEX(300, -9)};
    static const unsigned char linedefs[] = {LINEDEF(0, 1), LINEDEF(2, 1),
                                             LINEDEF(0, 3)};
    struct nbstage_vertex added[] = {{-32768 * UNIT, 8 * UNIT},
                                     {UNIT, 32767 * UNIT}};
    const struct nodes nodes = {.vertices = added, .vertex_count = 2};
    struct map map = doom_map(vertexes, 2, linedefs, 3);
    struct lines lines = gather_with(&map, &nodes);
    ck_assert(lines.is_whole);
    assert_line(&lines, 0, -5, 7, 300, -9);
    assert_line(&lines, 1, -32768, 8, 300, -9);
    assert_line(&lines, 2, -5, 7, 1, 32767);
    assert_bounds(&lines, -32768, -9, 300, 32767);
    lines_free(&test_context, &lines);
}
END_TEST

// Any one of the four coordinates of added vertices may have the fraction.
START_TEST(fraction_of_an_added_vertex_keeps_fixed_point)
{
    static const unsigned char vertexes[] = {VERTEX(-5, 7)};
    static const unsigned char linedefs[] = {LINEDEF(0, 0), LINEDEF(1, 2)};
    int32_t added[][2] = {{UNIT, 2 * UNIT}, {-3 * UNIT, 4 * UNIT}};
    added[_i / 2][_i % 2] -= 1;
    struct nbstage_vertex vertices[] = {{added[0][0], added[0][1]},
                                        {added[1][0], added[1][1]}};
    const struct nodes nodes = {.vertices = vertices, .vertex_count = 2};
    struct map map = doom_map(vertexes, 1, linedefs, 2);
    struct lines lines = gather_with(&map, &nodes);
    ck_assert(!lines.is_whole);
    assert_line(&lines, 0, -5 * UNIT, 7 * UNIT, -5 * UNIT, 7 * UNIT);
    assert_line(&lines, 1, added[0][0], added[0][1], added[1][0], added[1][1]);
    lines_free(&test_context, &lines);
}
END_TEST

START_TEST(vertex_beyond_the_added_ones_is_named)
{
    static const unsigned char vertexes[3 * 4];
    static const unsigned char linedefs[] = {LINEDEF(4, 0), LINEDEF(0, 5)};
    struct nbstage_vertex added[2] = {{0, 0}, {0, 0}};
    const struct nodes nodes = {.vertices = added, .vertex_count = 2};
    struct map map = doom_map(vertexes, 3, linedefs, 2);
    struct lines lines;
    ck_assert_int_eq(lines_gather(&test_context, &map, &nodes, &lines),
                     NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "LINEDEFS", "linedef 1",
                 "vertex 5", "VERTEXES has 3", "the nodes add 2");
}
END_TEST

// ---------------------------------------------------------------------------
// What many lines span

// Coordinates grow from line to line; then one line has them all at one end
// of what there is.
START_TEST(one_line_among_many_sets_the_bounds)
{
    enum { MOST = 70 };
    uint32_t count = (uint32_t)_i;
    for (uint32_t odd = 0; odd < count; odd++) {
        int32_t vertices[2 * MOST][2];
        uint32_t ends[MOST][2];
        for (uint32_t i = 0; i < count; i++) {
            ends[i][0] = 2 * i;
            ends[i][1] = 2 * i + 1;
            for (uint32_t v = 2 * i; v <= 2 * i + 1; v++) {
                vertices[v][0] = ((int32_t)v - 9) * UNIT;
                vertices[v][1] = (-(int32_t)v - 5) * UNIT;
            }
        }
        int32_t *start = vertices[2 * odd];
        int32_t *end = vertices[2 * odd + 1];
        start[0] = -32768 * UNIT;
        start[1] = 32766 * UNIT;
        end[0] = 32767 * UNIT;
        end[1] = -32767 * UNIT;
        struct map map = array_map((const int32_t(*)[2])vertices, 2 * count,
                                   (const uint32_t(*)[2])ends, count);
        struct lines lines = gather(&map);
        ck_assert(lines.is_whole);
        assert_bounds(&lines, -32768, -32767, 32767, 32766);
        lines_free(&test_context, &lines);
    }
}
END_TEST

START_TEST(vertices_can_widen_what_lines_span)
{
    static const unsigned char vertexes[] = {VERTEX(0, 0), VERTEX(-7, 300),
                                             VERTEX(9, -400)};
    static const unsigned char linedefs[] = {LINEDEF(0, 0)};
    struct map map = doom_map(vertexes, 3, linedefs, 1);
    struct lines lines = gather(&map);
    assert_bounds(&lines, 0, 0, 0, 0);
    lines_span_vertices(&map, &lines);
    assert_bounds(&lines, -7, -400, 9, 300);
    lines_free(&test_context, &lines);
}
END_TEST

// ---------------------------------------------------------------------------
// Memory

START_TEST(number_and_span_outlive_the_coordinates)
{
    int32_t vertices[][2] = {{-UNIT, 2 * UNIT}, {3 * UNIT, 4 * UNIT + _i}};
    static const uint32_t ends[][2] = {{0, 1}, {1, 1}};
    struct map map = array_map((const int32_t(*)[2])vertices, 2, ends, 2);
    struct lines lines = gather(&map);
    ck_assert(lines.is_whole == (_i == 0));
    lines_free(&test_context, &lines);
    ck_assert_ptr_null(test_host.blocks);
    ck_assert_uint_eq(lines.count, 2);
    assert_bounds(&lines, -1, 2, 3, 4);
    lines_free(&test_context, &lines); // which is harmless
}
END_TEST

// ---------------------------------------------------------------------------
// Vertices that do not exist

// There are three vertices, and line 1 refers to one that does not exist.
static void assert_no_vertex(const struct map *map, const char *where,
                             const char *vertex)
{
    struct lines lines;
    ck_assert_int_eq(lines_gather(&test_context, map, &no_nodes, &lines),
                     NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", where, "1", vertex, "has 3");
}

START_TEST(missing_vertex_of_a_linedef_is_named)
{
    static const struct {
        unsigned char linedefs[2 * 14];
        const char *vertex;
    } cases[] = {
        {{LINEDEF(0, 2), LINEDEF(3, 0)}, "vertex 3"},
        {{LINEDEF(2, 0), LINEDEF(0, 3)}, "vertex 3"},
        {{LINEDEF(0, 1), LINEDEF(1, 65535)}, "vertex 65535"},
    };
    static const unsigned char vertexes[3 * 4];
    struct map map = doom_map(vertexes, 3, cases[_i].linedefs, 2);
    assert_no_vertex(&map, "LINEDEFS", cases[_i].vertex);
    assert_tells(test_context.message, "VERTEXES");
}
END_TEST

START_TEST(missing_vertex_of_a_line_is_named)
{
    static const struct {
        uint32_t ends[2][2];
        const char *vertex;
    } cases[] = {
        {{{0, 2}, {3, 0}}, "vertex 3"},
        {{{2, 0}, {0, 3}}, "vertex 3"},
        {{{0, 1}, {1, UINT32_MAX}}, "vertex 4294967295"},
    };
    static const int32_t vertices[3][2];
    struct map map = array_map(vertices, 3, cases[_i].ends, 2);
    assert_no_vertex(&map, "lines", cases[_i].vertex);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("lines");
    tcase_add_test(tests, doom_records_are_decoded);
    tcase_add_test(tests, vertex_numbers_are_unsigned);
    tcase_add_test(tests, whole_numbers_are_kept_as_whole_units);
    tcase_add_loop_test(tests, one_fraction_keeps_fixed_point, 0, 4);
    tcase_add_test(tests, vertices_without_a_line_do_not_count);
    tcase_add_test(tests, bounds_are_those_of_all_lines);
    tcase_add_test(tests, bounds_are_rounded_down);
    tcase_add_test(tests, fixed_point_reaches_its_ends);
    tcase_add_test(tests, strides_are_obeyed);
    tcase_add_test(tests, added_vertices_follow_those_of_the_map);
    tcase_add_loop_test(tests, fraction_of_an_added_vertex_keeps_fixed_point, 0,
                        4);
    tcase_add_test(tests, vertex_beyond_the_added_ones_is_named);
    tcase_add_loop_test(tests, one_line_among_many_sets_the_bounds, 1, 71);
    tcase_add_test(tests, vertices_can_widen_what_lines_span);
    tcase_add_loop_test(tests, number_and_span_outlive_the_coordinates, 0, 2);
    tcase_add_loop_test(tests, missing_vertex_of_a_linedef_is_named, 0, 3);
    tcase_add_loop_test(tests, missing_vertex_of_a_line_is_named, 0, 3);
    return run_tests(tests);
}
