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

// A line of fixed point, whether it is kept in whole units, and what it spans.
static const struct {
    int32_t x1, y1, x2, y2;
    bool is_whole;
    int32_t min_x, min_y, max_x, max_y;
} arrays[] = {
    {-32768 * UNIT, -UNIT, 32767 * UNIT, 5 * UNIT, true, -32768, -1, 32767, 5},
    {UNIT, 2 * UNIT, 0, UNIT, true, 0, 1, 1, 2},
    {1, 0, UNIT, UNIT, false, 0, 0, 1, 1},
    {0, 1, UNIT, UNIT, false, 0, 0, 1, 1},
    {0, 0, UNIT + 1, UNIT, false, 0, 0, 1, 1},
    {0, 0, UNIT, UNIT + 1, false, 0, 0, 1, 1},
    {-1, -UNIT - 1, 5 * UNIT - 1, 5 * UNIT + 1, false, -1, -2, 4, 5},
    {INT32_MIN, INT32_MAX, INT32_MAX, INT32_MIN, false, -32768, -32768, 32767,
     32767},
};

// The line comes after a point, and a vertex without a line does not count.
START_TEST(arrays_are_gathered)
{
    const int32_t x1 = arrays[_i].x1, y1 = arrays[_i].y1;
    const int32_t x2 = arrays[_i].x2, y2 = arrays[_i].y2;
    const int32_t x = x1 & -UNIT, y = y1 & -UNIT;
    const int32_t vertices[][2] = {{1, 77 * UNIT}, {x, y}, {x1, y1}, {x2, y2}};
    static const uint32_t ends[][2] = {{1, 1}, {2, 3}};
    struct map map = array_map(vertices, 4, ends, 2);
    struct lines lines = gather(&map);
    int32_t unit = arrays[_i].is_whole ? UNIT : 1;
    ck_assert_int_eq(lines.is_whole, arrays[_i].is_whole);
    ck_assert(lines.is_whole || !lines.whole.start); // which nobody needs
    assert_line(&lines, 0, x / unit, y / unit, x / unit, y / unit);
    assert_line(&lines, 1, x1 / unit, y1 / unit, x2 / unit, y2 / unit);
    assert_bounds(&lines, arrays[_i].min_x, arrays[_i].min_y, arrays[_i].max_x,
                  arrays[_i].max_y);
    lines_free(&test_context, &lines);
}
END_TEST

START_TEST(strides_are_obeyed)
{
    // What is not a coordinate or the number of a vertex is 99.
    static const int32_t vertices[][3] = {{0, UNIT, 99}, {2 * UNIT, 0, 99}};
    static const uint32_t ends[][4] = {{0, 1, 99, 99}, {1, 0, 99, 99}};
    struct map map = array_map(NULL, 2, NULL, 2);
    map.vertices = (const unsigned char *)vertices;
    map.vertex_stride = sizeof *vertices;
    map.lines = (const unsigned char *)ends;
    map.line_stride = sizeof *ends;
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
    int32_t added[] = {UNIT, 2 * UNIT, -3 * UNIT, 4 * UNIT};
    added[_i] -= 1;
    struct nbstage_vertex vertices[] = {{added[0], added[1]},
                                        {added[2], added[3]}};
    const struct nodes nodes = {.vertices = vertices, .vertex_count = 2};
    struct map map = doom_map(vertexes, 1, linedefs, 2);
    struct lines lines = gather_with(&map, &nodes);
    ck_assert(!lines.is_whole);
    assert_line(&lines, 0, -5 * UNIT, 7 * UNIT, -5 * UNIT, 7 * UNIT);
    assert_line(&lines, 1, added[0], added[1], added[2], added[3]);
    lines_free(&test_context, &lines);
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

// Of three vertices, and in some cases two more from the nodes.
static const struct {
    unsigned char linedefs[2 * 14];
    size_t added;
    const char *facts[4];
} missing[] = {
    {{LINEDEF(0, 2), LINEDEF(3, 0)}, 0, {"vertex 3", "VERTEXES has 3"}},
    {{LINEDEF(2, 0), LINEDEF(0, 3)}, 0, {"vertex 3", "VERTEXES has 3"}},
    {{LINEDEF(0, 1), LINEDEF(1, 65535)}, 0, {"vertex 65535"}},
    {{LINEDEF(4, 0), LINEDEF(4, 5)},
     2,
     {"vertex 5", "VERTEXES has 3", "the nodes add 2"}},
};

START_TEST(missing_vertex_of_a_linedef_is_named)
{
    static const unsigned char vertexes[3 * 4];
    static struct nbstage_vertex added[2];
    const struct nodes nodes = {.vertices = added,
                                .vertex_count = missing[_i].added};
    struct map map = doom_map(vertexes, 3, missing[_i].linedefs, 2);
    struct lines lines;
    ck_assert_int_eq(lines_gather(&test_context, &map, &nodes, &lines),
                     NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "LINEDEFS", "linedef 1");
    assert_tells_all(test_context.message, missing[_i].facts);
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
    struct lines lines;
    ck_assert_int_eq(lines_gather(&test_context, &map, &no_nodes, &lines),
                     NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "lines", "1", cases[_i].vertex,
                 "has 3");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("lines");
    tcase_add_test(tests, doom_records_are_decoded);
    tcase_add_test(tests, vertex_numbers_are_unsigned);
    tcase_add_loop_test(tests, arrays_are_gathered, 0, COUNT(arrays));
    tcase_add_test(tests, strides_are_obeyed);
    tcase_add_test(tests, added_vertices_follow_those_of_the_map);
    tcase_add_loop_test(tests, fraction_of_an_added_vertex_keeps_fixed_point, 0,
                        4);
    tcase_add_loop_test(tests, one_line_among_many_sets_the_bounds, 1, 71);
    tcase_add_test(tests, vertices_can_widen_what_lines_span);
    tcase_add_loop_test(tests, number_and_span_outlive_the_coordinates, 0, 2);
    tcase_add_loop_test(tests, missing_vertex_of_a_linedef_is_named, 0,
                        COUNT(missing));
    tcase_add_loop_test(tests, missing_vertex_of_a_line_is_named, 0, 3);
    return run_tests(tests);
}
