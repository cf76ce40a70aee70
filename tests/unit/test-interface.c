// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves what the built module promises beyond nbstage.h, which test-stage
// tests: its engines, facts and sentences, and memory that is used again.

#define _GNU_SOURCE // for feenableexcept

#include "config.h"

#include "compress.h"
#include "context-for-tests.h"
#include "plugin.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

static const struct nbstage_descriptor *stage;

// Every test has an instance, and a result to fill; both are freed at its end.
static struct nbstage_instance *instance;
static struct nbstage_result result;

static void set_up(void)
{
    test_host = (struct test_host){0};
    result = (struct nbstage_result){.size = sizeof result};
    ck_assert_int_eq(stage->create(&test_callbacks, &instance), NBSTAGE_OK);
    ck_assert(test_owns(&test_host, instance, 1));
    ck_assert_str_eq(stage->last_error(instance), "");
}

static void tear_down(void)
{
    stage->free_result(instance, &result);
    stage->destroy(instance);
    ck_assert_msg(!test_host.blocks, "memory was not released");
}

static void set(const char *name, const char *value)
{
    ck_assert_int_eq(stage->set_option(instance, name, value), NBSTAGE_OK);
}

static void build_into(struct nbstage_result *filled,
                       const struct nbstage_map *map)
{
    *filled = (struct nbstage_result){.size = sizeof *filled};
    nbstage_status status = stage->build(instance, map, filled);
    ck_assert_msg(status == NBSTAGE_OK, "%s", stage->last_error(instance));
}

static void build(const struct nbstage_map *map)
{
    stage->free_result(instance, &result);
    build_into(&result, map);
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
        .size = sizeof(struct nbstage_lump), .name = lump_name, .data = bytes, \
        .data_size = length \
    }
#define LUMP(lump_name, bytes) PART_OF(lump_name, bytes, sizeof bytes)
#define PACKED(lump_name, bytes, method) \
    { \
        .size = sizeof(struct nbstage_lump), .name = lump_name, .data = bytes, \
        .data_size = sizeof bytes, .compression = method \
    }
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

static void assert_bytes(const struct nbstage_result *filled,
                         const unsigned char *bytes, size_t size)
{
    ck_assert_uint_eq(filled->lump_count, 1);
    ck_assert_str_eq(filled->lumps->name, "BLOCKMAP");
    ck_assert_uint_eq(filled->lumps->compression, NBSTAGE_PLAIN);
    ck_assert_uint_eq(filled->lumps->data_size, size);
    if (size > 0)
        ck_assert_mem_eq(filled->lumps->data, bytes, size);
}

static void assert_square(void)
{
    assert_bytes(&result, square_blockmap, sizeof square_blockmap);
}

static void assert_empty(const struct nbstage_result *filled)
{
    ck_assert_uint_eq(filled->size, sizeof *filled);
    ck_assert_ptr_null(filled->lumps);
    ck_assert_uint_eq(filled->lump_count, 0);
}

static int64_t fact(const char *name)
{
    const struct nbstage_fact *found = plugin_find_fact(stage, instance, name);
    if (!found || found->text)
        ck_abort_msg("there is no number '%s'", name);
    return found->value;
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
    struct nbstage_result cut_result = {.size = sizeof cut_result.size};
    ck_assert_int_eq(stage->set_option(instance, "pack", NULL),
                     NBSTAGE_BAD_CALL);
    ck_assert_str_eq(stage->last_error(NULL), "");
    ck_assert_int_eq(stage->needs_lump(NULL, "REJECT"), 1);
    ck_assert_int_eq(stage->needs_lump(instance, NULL), 1);
    build(&square);
    stage->free_result(NULL, &result);
    assert_square();
    stage->free_result(instance, NULL);
    stage->free_result(instance, &cut_result);
}

// --- Memory ---

// What a build and its result have given back is enough for the next one.
TEST(freed_memory_serves_the_next_build)
{
    build(&square);
    size_t requests = test_host.request_count;
    for (int i = 0; i < 10; i++) {
        build(&square);
        assert_square();
    }
    ck_assert_uint_eq(test_host.request_count, requests);
    // A result that is not freed keeps its memory.
    struct nbstage_result other;
    build_into(&other, &square);
    ck_assert_ptr_ne(other.lumps->data, result.lumps->data);
    assert_square();
}

TEST(work_is_told_of_calls_that_fail)
{
    static const unsigned char zeros[4096];
    struct buffer packed = compress_bytes(NBSTAGE_ZLIB, zeros, sizeof zeros);
    const struct nbstage_lump lump = {.size = sizeof lump,
                                      .name = "LINEDEFS",
                                      .data = packed.bytes,
                                      .data_size = packed.size,
                                      .compression = NBSTAGE_ZLIB};
    const struct nbstage_map map = {NAMED, .lumps = &lump, .lump_count = 1};
    ck_assert_int_eq(stage->build(instance, &map, &result), NBSTAGE_BAD_MAP);
    ck_assert_int_eq(fact("steps"), 16 * sizeof zeros);
    buffer_free(&packed);
    set("max-memory", "1"); // which allows for 8,192 entries
    const struct plain_vertex apart[] = {{0, 0}, {32000 * 65536, 0}};
    struct plain_line across[40];
    memset(across, 0, sizeof across);
    for (size_t i = 0; i < COUNT(across); i++)
        across[i].v2 = 1;
    const struct nbstage_map wide =
        PLAIN_MAP("MAP01", apart, 2, across, COUNT(across));
    ck_assert_int_eq(stage->build(instance, &wide, &result),
                     NBSTAGE_OVER_LIMIT);
    ck_assert_int_ge(fact("steps"), 8193);
}

// --- Results ---

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
    // Lumps that do not inflate.
    {BAD_MAP,
     {"MAP07", "LINEDEFS"},
     {NAMED, LUMPS(2, PACKED("LINEDEFS", linedefs, NBSTAGE_ZLIB), VERTEXES)}},
    {BAD_MAP,
     {"MAP07", "VERTEXES"},
     {NAMED, LUMPS(2, LINEDEFS, PACKED("VERTEXES", vertexes, NBSTAGE_GZIP))}},
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
     {"MAP07", "VERTEXES", "4"},
     {NAMED,
      LUMPS(2, LINEDEFS, PACKED("VERTEXES", vertexes, NBSTAGE_DEFLATE + 1))}},
    // Structures that are not filled in.
    {NBSTAGE_BAD_CALL, {"lumps"}, {NAMED, .lump_count = 1}},
    {NBSTAGE_BAD_CALL,
     {"size", "lump"},
     {NAMED, LUMPS(1, {.size = offsetof(struct nbstage_lump, data_size)})}},
    {NBSTAGE_BAD_CALL,
     {"map"},
     {.size = offsetof(struct nbstage_map, lump_count)}},
};

// A result that claims to have something is left empty.
LOOP_TEST(failure_is_told_with_map_lump_and_index, COUNT(failing))
{
    const struct failing *row = &failing[_i];
    result.lumps = square.lumps;
    result.lump_count = 2;
    ck_assert_int_eq(stage->build(instance, &row->map, &result), row->status);
    assert_empty(&result);
    const char *sentence = stage->last_error(instance);
    assert_tells_all(sentence, row->facts);
    assert_line_of_help(sentence);
    stage->free_result(instance, &result);
    assert_empty(&result);
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
