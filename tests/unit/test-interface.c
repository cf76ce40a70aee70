// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves what the built module promises beyond nbstage.h, which test-stage
// tests: its engines, facts and sentences, and memory that is used again.

#define _GNU_SOURCE // for feenableexcept

#include "config.h"

#include "context-for-tests.h"
#include "plugin.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

static const struct nbstage_descriptor *stage;

// Every test has an instance.
static struct nbstage_instance *instance;

static void set_up(void)
{
    test_host = (struct test_host){0};
    instance = stage->create(&test_callbacks);
    ck_assert(test_owns(&test_host, instance, 1));
    ck_assert_str_eq(stage->last_error(instance), "");
}

static void tear_down(void)
{
    stage->destroy(instance);
    ck_assert_msg(!test_host.blocks, "memory was not released");
}

static void set(const char *name, const char *value)
{
    ck_assert_int_eq(stage->set_option(instance, name, value, NBSTAGE_BY_USER),
                     NBSTAGE_OK);
}

static void build(const struct nbstage_map *map)
{
    nbstage_status status = stage->build(instance, map);
    ck_assert_msg(status == NBSTAGE_OK, "%s", stage->last_error(instance));
}

// --- Maps ---

#define U16(number) (number) & 0xFF, (number) >> 8 & 0xFF
#define VERTEX(x, y) U16(x), U16(y)
#define LINEDEF(v1, v2) U16(v1), U16(v2), 1, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF

// A square of 200 x 100 units at -10,20; fitted it has two blocks.
static const unsigned char vertexes[] = {VERTEX(-10, 20), VERTEX(190, 20),
                                         VERTEX(190, 120), VERTEX(-10, 120)};
static const unsigned char linedefs[] = {LINEDEF(0, 1), LINEDEF(1, 2),
                                         LINEDEF(2, 3), LINEDEF(3, 0)};

// The lump that is expected of it.
static const unsigned char square_blockmap[] = {
    U16(-10), U16(20), U16(2), U16(1),              // the grid
    U16(6),   U16(11),                              // offsets
    U16(0),   U16(0),  U16(2), U16(3), U16(0xFFFF), // west block
    U16(0),   U16(0),  U16(1), U16(2), U16(0xFFFF), // east block
};

#define PART_OF(lump_name, bytes, length) \
    { \
        lump_name, bytes, length \
    }
#define LUMP(lump_name, bytes) PART_OF(lump_name, bytes, sizeof bytes)
#define LINEDEFS LUMP("LINEDEFS", linedefs)
#define VERTEXES LUMP("VERTEXES", vertexes)

// Members of a map.
#define NAMED .size = sizeof(struct nbstage_map), .name = "MAP07"
#define LUMPS(count, ...) \
    .lumps = (const struct nbstage_lump[]){__VA_ARGS__}, .lump_count = count
#define ARRAYS(vertex_array, line_array) \
    .vertices = PLAIN_VERTICES(vertex_array, COUNT(vertex_array)), \
    .lines = PLAIN_LINES(line_array, COUNT(line_array))

// Two points 199 blocks apart: without sharing, over every limit.
static const struct plain_vertex far_vertices[] = {
    {0, 0}, {199 * 128 * 65536, 199 * 128 * 65536}};
static const struct plain_line far_lines[] = {{.v1 = 0, .v2 = 0},
                                              {.v1 = 1, .v2 = 1}};

static const struct nbstage_map square = {NAMED, LUMPS(2, LINEDEFS, VERTEXES)};
static const struct nbstage_map far = {NAMED, ARRAYS(far_vertices, far_lines)};

static void assert_square(void)
{
    const struct nbstage_lump *lump = stage->get_lump(instance, "BLOCKMAP");
    ck_assert_ptr_nonnull(lump);
    ck_assert_str_eq(lump->name, "BLOCKMAP");
    ck_assert_uint_eq(lump->data_size, sizeof square_blockmap);
    ck_assert_mem_eq(lump->data, square_blockmap, sizeof square_blockmap);
}

static int64_t fact(const char *name)
{
    const struct nbstage_fact *found = stage->get_fact(instance, name);
    if (!found || found->text)
        ck_abort_msg("there is no number '%s'", name);
    return found->number;
}

// --- The descriptor ---

static void assert_line_of_help(const char *text)
{
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_gt(strlen(text), 0);
    ck_assert_ptr_null(strchr(text, '\n'));
    ck_assert_int_ne(text[strlen(text) - 1], '.');
}

// test-stage has the calls that NULL is bad for.
TEST(calls_do_without_what_they_need)
{
    ck_assert_int_eq(stage->set_option(instance, "pack", NULL, NBSTAGE_BY_USER),
                     NBSTAGE_BAD_CALL);
    ck_assert_str_eq(stage->last_error(NULL), "");
    build(&square);
    ck_assert_ptr_null(stage->get_lump(NULL, "BLOCKMAP"));
    ck_assert_ptr_null(stage->get_lump(instance, NULL));
    ck_assert_ptr_null(stage->get_fact(NULL, "entries"));
    ck_assert_ptr_null(stage->get_fact(instance, NULL));
    assert_square();
}

// --- Memory ---

// What a build and its lump have taken is enough for the next one.
TEST(memory_serves_the_next_build)
{
    build(&square);
    size_t requests = test_host.request_count;
    for (int i = 0; i < 10; i++) {
        build(&square);
        assert_square();
    }
    ck_assert_uint_eq(test_host.request_count, requests);
}

// Lumps come in any order; of two with one name the first counts.
TEST(first_of_equal_lumps_counts)
{
    static const unsigned char others[sizeof linedefs + 1];
    const struct nbstage_map map = {
        NAMED, LUMPS(7, LUMP("BLOCKMAP2", others), VERTEXES,
                     LUMP("VERTEXES", others), PART_OF("", NULL, 0), LINEDEFS,
                     LUMP("", others), LUMP("LINEDEFS", others))};
    build(&map);
    assert_square();
}

TEST(work_is_told_of_calls_that_fail)
{
    set("max-memory", "1"); // which allows for 8,192 entries
    const struct plain_vertex apart[] = {{0, 0}, {32000 * 65536, 0}};
    struct plain_line across[40];
    memset(across, 0, sizeof across);
    for (size_t i = 0; i < COUNT(across); i++)
        across[i].v2 = 1;
    const struct nbstage_map wide =
        PLAIN_MAP("MAP01", apart, 2, across, COUNT(across));
    ck_assert_int_eq(stage->build(instance, &wide), NBSTAGE_OVER_LIMIT);
    ck_assert_int_ge(fact("steps"), 8193);
}

// --- Facts ---

// test-report.sh holds other facts to the lump, test-geometry the entries.
TEST(lists_are_counted)
{
    build(&square);
    ck_assert_int_eq(fact("lists"), 2);
}

// --- Maps that cannot be built ---

static const char no_lines[] =
    "namespace = \"zdoom\"; vertex { x = 1; y = 2; }";

#define BOTH LINEDEFS, VERTEXES
enum { BAD_MAP = NBSTAGE_BAD_MAP };

static const struct failing {
    nbstage_status status;
    const char *facts[5]; // that the sentence tells
    struct nbstage_map map;
} failing[] = {
    // No lumps, and lumps that are none; test-bad-input.sh has those that are
    // missing, empty or cut, test-map what refers to what is missing.
    {BAD_MAP, {"MAP07", "LINEDEFS"}, {NAMED}},
    {BAD_MAP, {"LINEDEFS"}, {.size = sizeof(struct nbstage_map)}},
    {BAD_MAP,
     {"MAP07", "TEXTMAP", "1 vertices", "0 linedefs"},
     {NAMED, LUMPS(1, PART_OF("TEXTMAP", no_lines, sizeof no_lines - 1))}},
    {BAD_MAP, {"MAP07"}, {NAMED, LUMPS(3, BOTH, LUMP(NULL, linedefs))}},
    {BAD_MAP, {"MAP07"}, {NAMED, LUMPS(3, BOTH, PART_OF("LINEDEFS", NULL, 1))}},
    // The host's word on the format counts for more than the lumps.
    {BAD_MAP,
     {"MAP07", "TEXTMAP"},
     {NAMED, .format = NBSTAGE_FORMAT_UDMF, LUMPS(2, BOTH)}},
    // Arrays that are empty are the map, too.
    {BAD_MAP,
     {"MAP07", "lines"},
     {NAMED, LUMPS(2, BOTH), .lines = PLAIN_LINES(far_lines, 0)}},
    // What may come with another version.
    {NBSTAGE_UNSUPPORTED,
     {"MAP07", "5"},
     {NAMED, .format = NBSTAGE_FORMAT_UDMF + 1, LUMPS(2, BOTH)}},
    {NBSTAGE_UNSUPPORTED,
     {"MAP07", "needs"},
     {NAMED, .needs = 1, LUMPS(2, BOTH)}},
    {NBSTAGE_UNSUPPORTED,
     {"MAP07", "needs"},
     {NAMED, .needs = 0x80000000, LUMPS(2, BOTH)}},
    // Structures that are not filled in.
    {NBSTAGE_BAD_CALL, {"lumps"}, {NAMED, .lump_count = 1}},
    {NBSTAGE_BAD_CALL, {"map"}, {.size = offsetof(struct nbstage_map, things)}},
};

// Nothing of the build before is left.
LOOP_TEST(failure_is_told_with_map_lump_and_index, COUNT(failing))
{
    const struct failing *row = &failing[_i];
    build(&square);
    ck_assert_int_eq(stage->build(instance, &row->map), row->status);
    ck_assert_ptr_null(stage->get_lump(instance, "BLOCKMAP"));
    ck_assert_ptr_null(stage->get_fact(instance, "entries"));
    const char *sentence = stage->last_error(instance);
    assert_tells_all(sentence, row->facts);
    assert_line_of_help(sentence);
    // The instance is none the worse for it.
    build(&square);
    assert_square();
}

// A host may have any floating-point exception end the process.
TEST(no_floating_point_exception_is_raised)
{
    static const char triangle[] =
        "namespace = \"zdoom\"; vertex { x = -0.5; y = 1e2; }"
        "vertex { x = 300.25; y = 0.1; } vertex { x = 150.0625; y = +700.875; }"
        "linedef { v1 = 0; v2 = 1; } linedef { v1 = 1; v2 = 2; }"
        "linedef { v1 = 2; v2 = 0; }";
    const struct nbstage_map map = {
        NAMED, LUMPS(1, PART_OF("TEXTMAP", triangle, sizeof triangle - 1))};
    feclearexcept(FE_ALL_EXCEPT);
#ifdef __GLIBC__
    feenableexcept(FE_ALL_EXCEPT);
#endif
    set("grid", "search");
    build(&map);
    build(&far);
    int raised = fetestexcept(FE_ALL_EXCEPT);
    fesetenv(FE_DFL_ENV);
    ck_assert_int_eq(raised, 0);
}

int main(void)
{
    stage = plugin_stage();
    TCase *tests = all_tests();
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 600);
    return run_suite(tests);
}
