// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the built module keeps every promise of nbstage.h, meeting it as
// a host does: who owns what, whose memory it is, what a failure leaves behind
// and says, and that hosts of other versions and of many threads are served.

#include "config.h"

#include "context-for-tests.h"
#include "plugin.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct nbstage_descriptor *stage;

// ---------------------------------------------------------------------------
// Hosts, maps, builds

// A host with all callbacks, served by a test_host.
static struct nbstage_host host_of(struct test_host *user)
{
    return (struct nbstage_host){
        .size = sizeof(struct nbstage_host),
        .context = user,
        .allocate = test_allocate,
        .release = test_release,
        .log = test_log,
        .progress = test_progress,
    };
}

static struct nbstage_instance *create_with(const struct nbstage_host *host)
{
    struct nbstage_instance *instance;
    ck_assert_int_eq(stage->create(host, &instance), NBSTAGE_OK);
    ck_assert_ptr_nonnull(instance);
    return instance;
}

static struct nbstage_instance *create(void)
{
    const struct nbstage_host host = host_of(&test_host);
    return create_with(&host);
}

static void set(struct nbstage_instance *instance, const char *name,
                const char *value)
{
    ck_assert_int_eq(stage->set_option(instance, name, value), NBSTAGE_OK);
}

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

#define LUMP(lump_name, bytes) \
    { \
        .size = sizeof(struct nbstage_lump), .name = lump_name, .data = bytes, \
        .data_size = sizeof bytes \
    }

static const struct nbstage_lump square_lumps[] = {LUMP("LINEDEFS", linedefs),
                                                   LUMP("VERTEXES", vertexes)};

static struct nbstage_map square_map(void)
{
    return nbstage_map_from_lumps("MAP07", square_lumps, COUNT(square_lumps));
}

static void build(struct nbstage_instance *instance,
                  const struct nbstage_map *map, struct nbstage_result *result)
{
    *result = (struct nbstage_result){.size = sizeof *result};
    nbstage_status status = stage->build(instance, map, result);
    ck_assert_msg(status == NBSTAGE_OK, "%s", stage->last_error(instance));
}

static void assert_bytes(const struct nbstage_result *result,
                         const unsigned char *bytes, size_t size)
{
    ck_assert_uint_eq(result->lump_count, 1);
    ck_assert_str_eq(result->lumps->name, "BLOCKMAP");
    ck_assert_uint_eq(result->lumps->compression, NBSTAGE_PLAIN);
    ck_assert_uint_eq(result->lumps->data_size, size);
    if (size > 0)
        ck_assert_mem_eq(result->lumps->data, bytes, size);
}

static void assert_square(const struct nbstage_result *result)
{
    assert_bytes(result, square_blockmap, sizeof square_blockmap);
}

static void assert_empty(const struct nbstage_result *result)
{
    ck_assert_uint_eq(result->size, sizeof *result);
    ck_assert_ptr_null(result->lumps);
    ck_assert_uint_eq(result->lump_count, 0);
    ck_assert_ptr_null(result->facts);
    ck_assert_uint_eq(result->fact_count, 0);
}

// A result that claims to have something, for a build that must fail and
// leave it empty.
static void assert_build_fails(struct nbstage_instance *instance,
                               const struct nbstage_map *map,
                               nbstage_status expected)
{
    struct nbstage_result result = {
        .size = sizeof result, .lumps = square_lumps, .lump_count = 2};
    ck_assert_int_eq(stage->build(instance, map, &result), expected);
    assert_empty(&result);
    stage->free_result(instance, &result);
    assert_empty(&result);
}

// ---------------------------------------------------------------------------
// The descriptor

static void assert_line_of_help(const char *text)
{
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_gt(strlen(text), 0);
    ck_assert_ptr_null(strchr(text, '\n'));
    ck_assert_int_ne(text[strlen(text) - 1], '.');
}

static void assert_name(const char *name, const char *characters)
{
    ck_assert_ptr_nonnull(name);
    ck_assert_uint_gt(strlen(name), 0);
    ck_assert_uint_eq(strspn(name, characters), strlen(name));
}

#define LOWER_CASE "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

START_TEST(descriptor_is_complete)
{
    ck_assert_uint_ge(stage->size, sizeof *stage);
    ck_assert_uint_eq(stage->abi, NBSTAGE_ABI);
    assert_name(stage->name, LOWER_CASE DIGITS "-");
    assert_name(stage->version, DIGITS ".");
    assert_line_of_help(stage->summary);
    ck_assert_uint_eq(stage->lump_name_count, 1);
    ck_assert_str_eq(stage->lump_names[0], "BLOCKMAP");
    ck_assert(stage->create && stage->set_option && stage->build);
    ck_assert(stage->free_result && stage->last_error && stage->destroy);
}
END_TEST

START_TEST(options_are_complete)
{
    ck_assert_uint_gt(stage->option_count, 0);
    for (size_t i = 0; i < stage->option_count; i++) {
        const struct nbstage_option *option =
            NBSTAGE_AT(struct nbstage_option, stage->options, i);
        ck_assert_uint_ge(option->size, sizeof *option);
        assert_name(option->name, LOWER_CASE DIGITS "-");
        ck_assert_ptr_nonnull(option->default_value);
        assert_line_of_help(option->help);
        if (option->type == NBSTAGE_OPTION_INTEGER) {
            ck_assert_int_lt(option->minimum, option->maximum);
            continue;
        }
        ck_assert(option->type == NBSTAGE_OPTION_CHOICE ||
                  option->type == NBSTAGE_OPTION_FLAG);
        ck_assert_uint_gt(option->choice_count, 1);
        for (size_t c = 0; c < option->choice_count; c++) {
            const struct nbstage_choice *choice =
                NBSTAGE_AT(struct nbstage_choice, option->choices, c);
            ck_assert_uint_ge(choice->size, sizeof *choice);
            assert_name(choice->name, LOWER_CASE DIGITS "-");
            assert_line_of_help(choice->help);
        }
    }
}
END_TEST

// Versions after this one find their descriptor too; there is none before 1.
START_TEST(every_version_finds_the_same_descriptor)
{
    void *module = dlopen(getenv("PLUGIN"), RTLD_NOW | RTLD_LOCAL);
    ck_assert_ptr_nonnull(module);
    nbstage_describe_function describe;
    *(void **)&describe = dlsym(module, NBSTAGE_SYMBOL);
    ck_assert(describe != NULL);
    ck_assert_ptr_eq(describe(1), stage);
    ck_assert_ptr_eq(describe(1), describe(1));
    ck_assert_ptr_eq(describe(2), stage);
    ck_assert_ptr_null(describe(0));
    ck_assert_int_eq(dlclose(module), 0);
}
END_TEST

// ---------------------------------------------------------------------------
// Memory

START_TEST(create_and_destroy_leave_nothing_behind)
{
    struct nbstage_instance *instance = create();
    ck_assert(test_owns(&test_host, instance, 1));
    ck_assert_str_eq(stage->last_error(instance), "");
    stage->destroy(instance);
    ck_assert_ptr_null(test_host.blocks);
}
END_TEST

START_TEST(destroy_takes_null)
{
    stage->destroy(NULL);
}
END_TEST

START_TEST(callbacks_may_be_absent)
{
    static const struct nbstage_host none = {.size = sizeof none};
    static const struct nbstage_host *const hosts[] = {NULL, &none};
    struct nbstage_instance *instance = create_with(hosts[_i]);
    // A warning and reports of progress are due.
    set(instance, "grid", "keep");
    struct nbstage_map map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    assert_square(&result);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

// Both of the two memory callbacks, or neither.
START_TEST(half_an_allocator_is_a_bad_call)
{
    struct nbstage_host host = host_of(&test_host);
    if (_i)
        host.allocate = NULL;
    else
        host.release = NULL;
    struct nbstage_instance *instance = (void *)&host;
    ck_assert_int_eq(stage->create(&host, &instance), NBSTAGE_BAD_CALL);
    ck_assert_ptr_null(instance);
}
END_TEST

START_TEST(result_is_in_memory_of_the_host)
{
    struct nbstage_instance *instance = create();
    struct nbstage_map map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    ck_assert(test_owns(&test_host, result.lumps,
                        result.lump_count * result.lumps->size));
    ck_assert(
        test_owns(&test_host, result.lumps->data, result.lumps->data_size));
    ck_assert(test_owns(&test_host, result.facts,
                        result.fact_count * result.facts->size));
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

// Refuses the first request for memory, then the second, until a host's whole
// round has got all it needs.
START_TEST(out_of_memory_is_told_and_leaves_nothing_behind)
{
    struct nbstage_map map = square_map();
    size_t refused = 0;
    size_t failures = 0;
    do {
        nbstage_status status;
        test_host = (struct test_host){.refused_request = ++refused};
        const struct nbstage_host host = host_of(&test_host);
        struct nbstage_result result = {.size = sizeof result};
        struct nbstage_instance *instance;
        status = stage->create(&host, &instance);
        if (status == NBSTAGE_OK) {
            status = stage->build(instance, &map, &result);
            if (status != NBSTAGE_OK) {
                assert_empty(&result);
                assert_tells(stage->last_error(instance), "MAP07", "memory");
            } else {
                assert_square(&result);
            }
        } else {
            ck_assert_ptr_null(instance);
        }
        stage->destroy(instance);
        ck_assert_ptr_null(test_host.blocks);
        if (status != NBSTAGE_OK)
            ck_assert_int_eq(status, NBSTAGE_OUT_OF_MEMORY);
        failures += status != NBSTAGE_OK;
    } while (test_host.request_count >= refused);
    // Memory that is kept may make up for a request that is refused.
    ck_assert_uint_ge(failures, 5);
    ck_assert_uint_ge(refused, 9);
}
END_TEST

START_TEST(instance_goes_on_after_out_of_memory)
{
    struct nbstage_instance *instance = create();
    struct nbstage_map map = square_map();
    test_host.refused_request = test_host.request_count + 1;
    assert_build_fails(instance, &map, NBSTAGE_OUT_OF_MEMORY);
    struct nbstage_result result;
    build(instance, &map, &result);
    assert_square(&result);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

START_TEST(free_result_empties)
{
    struct nbstage_instance *instance = create();
    struct nbstage_map map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    stage->free_result(instance, &result);
    assert_empty(&result);
    // Freeing an emptied result is harmless.
    stage->free_result(instance, &result);
    assert_empty(&result);
    stage->destroy(instance);
    ck_assert_ptr_null(test_host.blocks);
}
END_TEST

// What a build and its result have given back is enough for the next one.
START_TEST(freed_memory_serves_the_next_build)
{
    struct nbstage_instance *instance = create();
    struct nbstage_map map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    stage->free_result(instance, &result);
    size_t requests = test_host.request_count;
    for (int i = 0; i < 10; i++) {
        build(instance, &map, &result);
        assert_square(&result);
        stage->free_result(instance, &result);
    }
    ck_assert_uint_eq(test_host.request_count, requests);
    // A result that is not freed keeps its memory.
    struct nbstage_result kept;
    build(instance, &map, &kept);
    build(instance, &map, &result);
    ck_assert_uint_gt(test_host.request_count, requests);
    assert_square(&kept);
    stage->destroy(instance);
    ck_assert_ptr_null(test_host.blocks);
}
END_TEST

START_TEST(free_result_takes_nothing_at_all)
{
    struct nbstage_instance *instance = create();
    struct nbstage_result result = {.size = sizeof result};
    stage->free_result(instance, &result);
    stage->free_result(instance, NULL);
    stage->free_result(NULL, &result);
    stage->free_result(NULL, NULL);
    result.size = sizeof result.size; // which build refuses to fill
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

START_TEST(destroy_frees_results_that_were_forgotten)
{
    struct nbstage_instance *instance = create();
    struct nbstage_map map = square_map();
    struct nbstage_result results[3];
    for (size_t i = 0; i < COUNT(results); i++)
        build(instance, &map, &results[i]);
    stage->free_result(instance, &results[1]);
    stage->destroy(instance);
    ck_assert_ptr_null(test_host.blocks);
}
END_TEST

// What a map with one point at x,5 gives.
static void assert_point(const struct nbstage_result *result, unsigned char x)
{
    const unsigned char expected[] = {
        x, 0, 5, 0, 1, 0, 1,    0,    // one block at x,5
        5, 0, 0, 0, 0, 0, 0xFF, 0xFF, // its offset, its list
    };
    ck_assert(test_owns(&test_host, result->lumps, sizeof *result->lumps));
    ck_assert(test_owns(&test_host, result->lumps->data, sizeof expected));
    assert_bytes(result, expected, sizeof expected);
}

START_TEST(results_live_side_by_side)
{
    enum { RESULTS = 4 };
    static const unsigned char order[RESULTS] = {2, 0, 3, 1};
    struct nbstage_instance *instance = create();
    struct nbstage_result results[RESULTS];
    for (int32_t x = 0; x < RESULTS; x++) {
        struct nbstage_vertex vertex = {x << 16, 5 << 16};
        struct nbstage_line line = {.v1 = 0, .v2 = 0};
        struct nbstage_map map =
            plugin_map_from_arrays("MAP07", &vertex, 1, &line, 1);
        build(instance, &map, &results[x]);
    }
    for (size_t i = 0; i < RESULTS; i++) {
        // Those that are not freed yet are as they were.
        for (size_t left = i; left < RESULTS; left++)
            assert_point(&results[order[left]], order[left]);
        stage->free_result(instance, &results[order[i]]);
    }
    stage->destroy(instance);
}
END_TEST

// ---------------------------------------------------------------------------
// Results

static int64_t fact(const struct nbstage_result *result, const char *name)
{
    const struct nbstage_fact *found = plugin_find_fact(result, name);
    if (!found || found->text)
        ck_abort_msg("there is no number '%s'", name);
    return found->value;
}

START_TEST(facts_are_well_formed)
{
    struct nbstage_instance *instance = create();
    struct nbstage_map map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    for (size_t i = 0; i < result.fact_count; i++) {
        const struct nbstage_fact *one =
            NBSTAGE_AT(struct nbstage_fact, result.facts, i);
        ck_assert_uint_eq(one->size, sizeof *one);
        assert_name(one->name, LOWER_CASE DIGITS "_");
        // The first of this name is the only one.
        ck_assert_ptr_eq(plugin_find_fact(&result, one->name), one);
    }
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

START_TEST(facts_are_true)
{
    struct nbstage_instance *instance = create();
    struct nbstage_map map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    ck_assert_int_eq(fact(&result, "linedefs"), 4);
    ck_assert_str_eq(plugin_find_fact(&result, "grid")->text, "fit");
    ck_assert_int_eq(fact(&result, "origin_x"), -10);
    ck_assert_int_eq(fact(&result, "origin_y"), 20);
    ck_assert_int_eq(fact(&result, "columns"), 2);
    ck_assert_int_eq(fact(&result, "rows"), 1);
    ck_assert_int_eq(fact(&result, "entries"), 6);
    ck_assert_int_eq(fact(&result, "lists"), 2);
    ck_assert_int_eq(fact(&result, "words"), sizeof square_blockmap / 2);
    ck_assert_int_eq(fact(&result, "words_limit"), 65535);
    ck_assert_int_eq(fact(&result, "largest_offset"), 11);
    ck_assert_int_eq(fact(&result, "vanilla_offset_limit"), 32767);
    ck_assert_int_eq(fact(&result, "meets_vanilla"), 1);
    ck_assert_int_eq(fact(&result, "meets_extended"), 1);
    ck_assert_int_eq(fact(&result, "over_limit"), 0);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

static const char *const grids[][2] = {
    {"fit", "fit"}, {"id", "id"}, {"keep", "keep"}, {"-10,20", "at"}};

START_TEST(fact_of_the_grid_names_the_placement)
{
    // An origin of -10,20 and 2 x 1 blocks, which can be kept.
    struct nbstage_lump lumps[] = {square_lumps[0], square_lumps[1],
                                   LUMP("BLOCKMAP", square_blockmap)};
    struct nbstage_map map =
        nbstage_map_from_lumps("MAP07", lumps, COUNT(lumps));
    struct nbstage_instance *instance = create();
    set(instance, "grid", grids[_i][0]);
    struct nbstage_result result;
    build(instance, &map, &result);
    ck_assert_str_eq(plugin_find_fact(&result, "grid")->text, grids[_i][1]);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

// Two points 199 blocks apart: without sharing, over every limit.
static const struct nbstage_vertex far_vertices[] = {
    {0, 0}, {199 * 128 * 65536, 199 * 128 * 65536}};
static const struct nbstage_line far_lines[] = {{.v1 = 0, .v2 = 0},
                                                {.v1 = 1, .v2 = 1}};

static struct nbstage_map far_map(void)
{
    return plugin_map_from_arrays("MAP07", far_vertices, 2, far_lines, 2);
}

START_TEST(lump_over_its_limit_is_empty)
{
    struct nbstage_instance *instance = create();
    set(instance, "pack", "none");
    set(instance, "overflow", "empty");
    struct nbstage_map map = far_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    assert_bytes(&result, NULL, 0);
    ck_assert_int_eq(fact(&result, "over_limit"), 1);
    ck_assert_int_eq(fact(&result, "meets_extended"), 0);
    ck_assert_int_eq(fact(&result, "words"), 4 + 3 * 200 * 200 + 2);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells(test_host.message, "MAP07", "BLOCKMAP", "120006", "65535",
                 "pack=share");
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

START_TEST(lump_over_its_limit_is_an_error_if_asked)
{
    struct nbstage_instance *instance = create();
    set(instance, "pack", "none");
    set(instance, "overflow", "error");
    struct nbstage_map map = far_map();
    assert_build_fails(instance, &map, NBSTAGE_OVER_LIMIT);
    assert_tells(stage->last_error(instance), "MAP07", "BLOCKMAP", "120006",
                 "65535", "pack=share");
    // The advice that it gives helps.
    set(instance, "pack", "share");
    struct nbstage_result result;
    build(instance, &map, &result);
    ck_assert_uint_gt(result.lumps->data_size, 0);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

// ---------------------------------------------------------------------------
// Hosts of other versions

// What a newer host has behind the structures of this version.
struct more {
    unsigned char bytes[40];
};

static struct more make_more(void)
{
    struct more more;
    memset(&more, 0x99, sizeof more);
    return more;
}

struct newer_host {
    struct nbstage_host host;
    struct more more;
};

struct newer_lump {
    struct nbstage_lump lump;
    struct more more;
};

struct newer_map {
    struct nbstage_map map;
    struct more more;
};

struct newer_result {
    struct nbstage_result result;
    struct more more;
};

START_TEST(newer_hosts_are_served)
{
    const struct more more = make_more();
    struct newer_host host = {host_of(&test_host), more};
    host.host.size = sizeof host;
    struct newer_lump lumps[] = {{square_lumps[0], more},
                                 {square_lumps[1], more}};
    lumps[0].lump.size = lumps[1].lump.size = sizeof *lumps;
    struct newer_map map = {square_map(), more};
    map.map.size = sizeof map;
    map.map.lumps = &lumps[0].lump;
    struct newer_result result = {{.size = sizeof result}, more};

    struct nbstage_instance *instance = create_with(&host.host);
    ck_assert_int_eq(stage->build(instance, &map.map, &result.result),
                     NBSTAGE_OK);
    assert_square(&result.result);
    ck_assert_uint_eq(result.result.size, sizeof result);
    stage->free_result(instance, &result.result);
    ck_assert_ptr_null(result.result.lumps);
    ck_assert_uint_eq(result.result.size, sizeof result);
    // What the module does not know it does not touch.
    ck_assert_mem_eq(&result.more, &more, sizeof more);
    stage->destroy(instance);
}
END_TEST

// A copy of the first `size` bytes of a structure, in memory that ends there.
static void *cut(const void *structure, size_t size)
{
    void *copy = malloc(size);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, structure, size);
    memcpy(copy, &size, sizeof size);
    return copy;
}

START_TEST(map_may_end_after_its_lumps)
{
    const struct nbstage_map whole = square_map();
    struct nbstage_map *map =
        cut(&whole, offsetof(struct nbstage_map, vertices));
    struct nbstage_instance *instance = create();
    struct nbstage_result result;
    build(instance, map, &result);
    assert_square(&result);
    stage->free_result(instance, &result);
    stage->destroy(instance);
    free(map);
}
END_TEST

// Behind a map that is cut short there may be anything.
START_TEST(nothing_behind_a_shorter_map_is_read)
{
    struct nbstage_map map = far_map();
    map.lumps = square_lumps;
    map.lump_count = COUNT(square_lumps);
    map.size = offsetof(struct nbstage_map, vertices);
    struct nbstage_instance *instance = create();
    struct nbstage_result result;
    build(instance, &map, &result);
    assert_square(&result);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

// Two lumps whose structures end before `compression`, one behind the other.
START_TEST(lumps_may_end_before_their_compression)
{
    enum { SIZE = offsetof(struct nbstage_lump, compression) };
    unsigned char *lumps = malloc(2 * SIZE);
    ck_assert_ptr_nonnull(lumps);
    const size_t size = SIZE;
    for (size_t i = 0; i < 2; i++) {
        memcpy(lumps + i * SIZE, &square_lumps[i], SIZE);
        memcpy(lumps + i * SIZE, &size, sizeof size);
    }
    struct nbstage_map map = square_map();
    map.lumps = (const void *)lumps;
    struct nbstage_instance *instance = create();
    struct nbstage_result result;
    build(instance, &map, &result);
    assert_square(&result);
    stage->free_result(instance, &result);
    stage->destroy(instance);
    free(lumps);
}
END_TEST

START_TEST(host_may_end_after_its_allocator)
{
    const struct nbstage_host whole = host_of(&test_host);
    struct nbstage_host *host = cut(&whole, offsetof(struct nbstage_host, log));
    struct nbstage_instance *instance = create_with(host);
    free(host);
    set(instance, "grid", "keep");
    struct nbstage_map map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    assert_square(&result);
    ck_assert(test_owns(&test_host, result.lumps, result.lumps->size));
    ck_assert_uint_eq(test_host.message_count, 0);
    ck_assert_uint_eq(test_host.progress_count, 0);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

START_TEST(nothing_behind_a_shorter_host_is_called)
{
    struct nbstage_host host = host_of(&test_host);
    host.size = offsetof(struct nbstage_host, log);
    struct nbstage_instance *instance = create_with(&host);
    set(instance, "grid", "keep");
    struct nbstage_map map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    ck_assert_uint_eq(test_host.message_count, 0);
    ck_assert_uint_eq(test_host.progress_count, 0);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

// ---------------------------------------------------------------------------
// Bad calls

static void assert_bad_call(struct nbstage_instance *instance,
                            nbstage_status status)
{
    ck_assert_int_eq(status, NBSTAGE_BAD_CALL);
    ck_assert_str_ne(stage->last_error(instance), "");
}

START_TEST(null_arguments_are_bad_calls)
{
    struct nbstage_instance *instance = create();
    struct nbstage_map map = square_map();
    struct nbstage_result result = {.size = sizeof result};
    ck_assert_int_eq(stage->create(NULL, NULL), NBSTAGE_BAD_CALL);
    ck_assert_int_eq(stage->set_option(NULL, "grid", "fit"), NBSTAGE_BAD_CALL);
    assert_bad_call(instance, stage->set_option(instance, NULL, "fit"));
    assert_bad_call(instance, stage->set_option(instance, "grid", NULL));
    ck_assert_int_eq(stage->build(NULL, &map, &result), NBSTAGE_BAD_CALL);
    assert_bad_call(instance, stage->build(instance, NULL, &result));
    assert_bad_call(instance, stage->build(instance, &map, NULL));
    ck_assert_str_eq(stage->last_error(NULL), "");
    assert_empty(&result);
    stage->destroy(instance);
}
END_TEST

START_TEST(lumps_that_are_not_there_are_a_bad_call)
{
    struct nbstage_instance *instance = create();
    struct nbstage_map map = square_map();
    map.lumps = NULL;
    map.lump_count = 1;
    assert_build_fails(instance, &map, NBSTAGE_BAD_CALL);
    ck_assert_str_ne(stage->last_error(instance), "");
    stage->destroy(instance);
}
END_TEST

START_TEST(sizes_too_small_are_bad_calls)
{
    struct nbstage_instance *instance = create();
    struct nbstage_map map = square_map();
    struct nbstage_result result = {.size = sizeof result - 1};
    assert_bad_call(instance, stage->build(instance, &map, &result));
    struct nbstage_lump lumps[] = {square_lumps[0], square_lumps[1]};
    lumps[0].size = offsetof(struct nbstage_lump, data_size);
    map.lumps = lumps;
    assert_build_fails(instance, &map, NBSTAGE_BAD_CALL);
    ck_assert_str_ne(stage->last_error(instance), "");
    stage->destroy(instance);
    struct nbstage_host host = host_of(&test_host);
    host.size = offsetof(struct nbstage_host, context);
    ck_assert_int_eq(stage->create(&host, &instance), NBSTAGE_BAD_CALL);
    ck_assert_ptr_null(instance);
}
END_TEST

// ---------------------------------------------------------------------------
// Options

START_TEST(failed_option_keeps_its_value)
{
    struct nbstage_instance *instance = create();
    set(instance, "grid", "-20,10");
    ck_assert_int_eq(stage->set_option(instance, "grid", "32768,0"),
                     NBSTAGE_BAD_VALUE);
    assert_tells(stage->last_error(instance), "grid", "32768,0", "auto", "keep",
                 "fit", "id", "X,Y");
    ck_assert_int_eq(stage->set_option(instance, "gird", "fit"),
                     NBSTAGE_UNKNOWN_OPTION);
    assert_tells(stage->last_error(instance), "gird", "grid", "pack", "limit",
                 "overflow");
    struct nbstage_map map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    ck_assert_int_eq(fact(&result, "origin_x"), -20);
    ck_assert_int_eq(fact(&result, "origin_y"), 10);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

static void set_all_defaults(struct nbstage_instance *instance)
{
    for (size_t i = 0; i < stage->option_count; i++) {
        const struct nbstage_option *option =
            NBSTAGE_AT(struct nbstage_option, stage->options, i);
        set(instance, option->name, option->default_value);
    }
}

// The map's lump is over the limit if its lists are not shared.
START_TEST(instances_begin_with_the_defaults)
{
    struct nbstage_instance *fresh = create();
    struct nbstage_instance *told = create();
    set_all_defaults(told);
    struct nbstage_map map = far_map();
    struct nbstage_result result, expected;
    build(told, &map, &expected);
    ck_assert_uint_gt(expected.lumps->data_size, 0);
    build(fresh, &map, &result);
    assert_bytes(&result, expected.lumps->data, expected.lumps->data_size);
    stage->free_result(fresh, &result);
    stage->free_result(told, &expected);
    stage->destroy(fresh);
    stage->destroy(told);
}
END_TEST

START_TEST(options_belong_to_their_instance)
{
    struct nbstage_instance *moved = create();
    struct nbstage_instance *other = create();
    set(moved, "grid", "-20,10");
    struct nbstage_map map = square_map();
    struct nbstage_result result;
    build(other, &map, &result);
    assert_square(&result);
    stage->destroy(moved);
    // Still there, though the instance beside it is gone.
    assert_square(&result);
    stage->free_result(other, &result);
    stage->destroy(other);
}
END_TEST

// Names and values are the host's again when the call returns.
START_TEST(options_are_copied)
{
    char name[] = "grid";
    char value[] = "-20,10";
    struct nbstage_instance *instance = create();
    set(instance, name, value);
    memset(name, 'x', sizeof name - 1);
    memset(value, 'x', sizeof value - 1);
    struct nbstage_map map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    ck_assert_int_eq(fact(&result, "origin_x"), -20);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

// ---------------------------------------------------------------------------
// Damaged maps, and maps of other forms

static const unsigned char bad_linedefs[] = {LINEDEF(0, 1), LINEDEF(2, 3),
                                             LINEDEF(3, 4)};

static const char no_lines[] =
    "namespace = \"zdoom\"; vertex { x = 1; y = 2; }";

#define LINEDEFS LUMP("LINEDEFS", linedefs)
#define VERTEXES LUMP("VERTEXES", vertexes)
#define PART_OF(lump_name, bytes, length) \
    { \
        .size = sizeof(struct nbstage_lump), .name = lump_name, .data = bytes, \
        .data_size = length \
    }

static const struct {
    struct nbstage_lump lumps[2];
    size_t lump_count;
    const char *facts[5];
} damaged[] = {
    {{LINEDEFS, VERTEXES}, 0, {"MAP07", "LINEDEFS"}},
    {{LINEDEFS}, 1, {"MAP07", "VERTEXES"}},
    {{VERTEXES}, 1, {"MAP07", "LINEDEFS"}},
    {{PART_OF("LINEDEFS", NULL, 0), VERTEXES}, 2, {"MAP07", "LINEDEFS", "14"}},
    {{LINEDEFS, PART_OF("VERTEXES", NULL, 0)}, 2, {"MAP07", "VERTEXES", "4"}},
    {{PART_OF("LINEDEFS", linedefs, 41), VERTEXES},
     2,
     {"MAP07", "LINEDEFS", "41", "14"}},
    {{LINEDEFS, PART_OF("VERTEXES", vertexes, 15)},
     2,
     {"MAP07", "VERTEXES", "15", "4"}},
    {{LUMP("LINEDEFS", bad_linedefs), VERTEXES},
     2,
     {"MAP07", "LINEDEFS", "linedef 2", "vertex 4"}},
    {{PART_OF("TEXTMAP", no_lines, sizeof no_lines - 1)},
     1,
     {"MAP07", "TEXTMAP", "1 vertices", "0 linedefs"}},
};

START_TEST(damage_is_told_with_map_lump_and_index)
{
    struct nbstage_map map = nbstage_map_from_lumps("MAP07", damaged[_i].lumps,
                                                    damaged[_i].lump_count);
    struct nbstage_instance *instance = create();
    assert_build_fails(instance, &map, NBSTAGE_BAD_MAP);
    const char *sentence = stage->last_error(instance);
    assert_tells_all(sentence, damaged[_i].facts);
    assert_line_of_help(sentence);
    // The instance is none the worse for it.
    map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    assert_square(&result);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

static const struct nbstage_lump unusable[] = {
    PART_OF(NULL, linedefs, sizeof linedefs),
    PART_OF("LINEDEFS", NULL, sizeof linedefs),
    PART_OF("LINEDEFS", NULL, 1),
};

START_TEST(lumps_without_name_or_data_are_refused)
{
    const struct nbstage_lump lumps[] = {square_lumps[0], square_lumps[1],
                                         unusable[_i]};
    struct nbstage_map map =
        nbstage_map_from_lumps("MAP07", lumps, COUNT(lumps));
    struct nbstage_instance *instance = create();
    struct nbstage_result result = {.size = sizeof result};
    nbstage_status status = stage->build(instance, &map, &result);
    ck_assert(status == NBSTAGE_BAD_CALL || status == NBSTAGE_BAD_MAP);
    assert_empty(&result);
    ck_assert_str_ne(stage->last_error(instance), "");
    stage->destroy(instance);
}
END_TEST

START_TEST(missing_vertex_of_an_array_is_told)
{
    static const struct nbstage_line lines[] = {{.v1 = 0, .v2 = 1},
                                                {.v1 = 1, .v2 = 2}};
    struct nbstage_map map =
        plugin_map_from_arrays("MAP07", far_vertices, 2, lines, 2);
    struct nbstage_instance *instance = create();
    assert_build_fails(instance, &map, NBSTAGE_BAD_MAP);
    assert_tells(stage->last_error(instance), "MAP07", "line 1", "vertex 2");
    stage->destroy(instance);
}
END_TEST

#if SIZE_MAX > UINT32_MAX
// Before one is read: there are not as many.
START_TEST(sectors_that_cannot_be_numbered_are_left_aside)
{
    static const struct nbstage_line lines[] = {{.v1 = 0, .v2 = 1}};
    static const struct nbstage_sector sector;
    struct nbstage_map map =
        plugin_map_from_arrays("MAP07", far_vertices, 2, lines, 1);
    map.sectors = &sector;
    map.sector_count = (size_t)UINT32_MAX + 1;
    map.sector_size = sizeof sector;
    struct nbstage_instance *instance = create();
    struct nbstage_decoded decoded = {.size = sizeof decoded};
    ck_assert_int_eq(stage->decode(instance, &map, &decoded), NBSTAGE_OK);
    ck_assert_ptr_null(decoded.sectors);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_INFO);
    assert_tells(test_host.message, "MAP07", "sectors", "4294967296");
    stage->destroy(instance);
}
END_TEST
#endif

START_TEST(map_needs_no_name)
{
    struct nbstage_map map = nbstage_map_from_lumps(NULL, NULL, 0);
    struct nbstage_instance *instance = create();
    assert_build_fails(instance, &map, NBSTAGE_BAD_MAP);
    assert_tells(stage->last_error(instance), "LINEDEFS");
    stage->destroy(instance);
}
END_TEST

// A format or compression that is not known yet.
START_TEST(what_may_come_is_not_supported)
{
    struct nbstage_lump lumps[] = {square_lumps[0], square_lumps[1]};
    struct nbstage_map map =
        nbstage_map_from_lumps("MAP07", lumps, COUNT(lumps));
    struct nbstage_instance *instance = create();
    map.format = NBSTAGE_FORMAT_UDMF + 1;
    assert_build_fails(instance, &map, NBSTAGE_UNSUPPORTED);
    assert_tells(stage->last_error(instance), "MAP07", "5");
    map.format = NBSTAGE_FORMAT_DETECT;
    lumps[1].compression = NBSTAGE_DEFLATE + 1;
    assert_build_fails(instance, &map, NBSTAGE_UNSUPPORTED);
    assert_tells(stage->last_error(instance), "MAP07", lumps[1].name, "4");
    stage->destroy(instance);
}
END_TEST

// The host's word on the format counts for more than the lumps.
START_TEST(format_is_what_the_host_says)
{
    struct nbstage_map map =
        nbstage_map_from_lumps("MAP07", square_lumps, COUNT(square_lumps));
    struct nbstage_instance *instance = create();
    map.format = NBSTAGE_FORMAT_UDMF;
    assert_build_fails(instance, &map, NBSTAGE_BAD_MAP);
    assert_tells(stage->last_error(instance), "MAP07", "TEXTMAP");
    stage->destroy(instance);
}
END_TEST

// Plain bytes that are said to be compressed.
static const uint32_t compressions[] = {NBSTAGE_ZLIB, NBSTAGE_GZIP,
                                        NBSTAGE_DEFLATE};

START_TEST(lumps_that_do_not_inflate_are_named)
{
    for (size_t i = 0; i < COUNT(square_lumps); i++) {
        struct nbstage_lump lumps[] = {square_lumps[0], square_lumps[1]};
        lumps[i].compression = compressions[_i];
        struct nbstage_map map =
            nbstage_map_from_lumps("MAP07", lumps, COUNT(lumps));
        struct nbstage_instance *instance = create();
        assert_build_fails(instance, &map, NBSTAGE_BAD_MAP);
        assert_tells(stage->last_error(instance), "MAP07", lumps[i].name);
        stage->destroy(instance);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Arrays

// A vertex and a line that are first members of the host's own.
struct host_vertex {
    struct nbstage_vertex vertex;
    int32_t more[5];
};

struct host_line {
    uint32_t v1, v2;
    uint32_t more[3];
};

static const struct host_vertex host_vertices[] = {
    {{-10 * 65536, 20 * 65536}, {1, 2, 3, 4, 5}},
    {{190 * 65536, 20 * 65536}, {1, 2, 3, 4, 5}},
    {{190 * 65536, 120 * 65536}, {1, 2, 3, 4, 5}},
    {{-10 * 65536, 120 * 65536}, {1, 2, 3, 4, 5}},
};
static const struct host_line host_lines[] = {
    {0, 1, {9, 9, 9}}, {1, 2, {9, 9, 9}}, {2, 3, {9, 9, 9}}, {3, 0, {9, 9, 9}}};

// The square of the lumps.
static struct nbstage_map host_map(void)
{
    return (struct nbstage_map){
        .size = sizeof(struct nbstage_map),
        .name = "MAP07",
        .vertices = &host_vertices[0].vertex,
        .vertex_count = COUNT(host_vertices),
        .vertex_size = sizeof *host_vertices,
        .lines = (const void *)host_lines,
        .line_count = COUNT(host_lines),
        .line_size = sizeof *host_lines,
    };
}

START_TEST(arrays_may_be_the_hosts_own)
{
    struct nbstage_map map = host_map();
    struct nbstage_instance *instance = create();
    struct nbstage_result result;
    build(instance, &map, &result);
    assert_square(&result);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

START_TEST(lines_may_be_pairs_of_numbers)
{
    static const uint32_t pairs[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    struct nbstage_map map = host_map();
    map.lines = (const void *)pairs;
    map.line_size = sizeof *pairs;
    struct nbstage_instance *instance = create();
    struct nbstage_result result;
    build(instance, &map, &result);
    assert_square(&result);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

// With both, the arrays are the geometry and the lumps have the grid.
START_TEST(lumps_beside_arrays_serve_for_the_rest)
{
    static const unsigned char grid[] = {U16(-100), U16(-50), U16(3), U16(2)};
    const struct nbstage_lump lumps[] = {PART_OF("LINEDEFS", linedefs, 1),
                                         LUMP("BLOCKMAP", grid)};
    struct nbstage_map map = host_map();
    map.lumps = lumps;
    map.lump_count = COUNT(lumps);
    struct nbstage_instance *instance = create();
    struct nbstage_result result;
    build(instance, &map, &result);
    ck_assert_str_eq(plugin_find_fact(&result, "grid")->text, "keep");
    ck_assert_mem_eq(result.lumps->data, grid, sizeof grid);
    ck_assert_int_eq(fact(&result, "linedefs"), 4);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

// ---------------------------------------------------------------------------
// Messages and progress

START_TEST(messages_have_levels_and_name_the_map)
{
    struct nbstage_instance *instance = create();
    set(instance, "grid", "keep");
    struct nbstage_map map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells(test_host.message, "MAP07", "BLOCKMAP");
    assert_line_of_help(test_host.message);
    // A warning is no failure.
    ck_assert_str_eq(stage->last_error(instance), "");
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

START_TEST(progress_reaches_its_total)
{
    struct nbstage_instance *instance = create();
    struct nbstage_map map = far_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    ck_assert_uint_gt(test_host.progress_count, 1);
    ck_assert_uint_gt(test_host.total, 0);
    ck_assert_uint_eq(test_host.done, test_host.total);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

START_TEST(progress_cancels_soon)
{
    struct nbstage_instance *instance = create();
    test_host.cancelled_report = 2;
    struct nbstage_map map = far_map();
    assert_build_fails(instance, &map, NBSTAGE_CANCELLED);
    ck_assert_uint_eq(test_host.progress_count, 2);
    assert_tells(stage->last_error(instance), "MAP07");
    test_host.cancelled_report = 0;
    map = square_map();
    struct nbstage_result result;
    build(instance, &map, &result);
    assert_square(&result);
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

// ---------------------------------------------------------------------------
// The map stays the host's

// A map with all it points to.
struct whole_map {
    struct nbstage_map map;
    struct nbstage_lump lumps[3];
    char names[4][9];
    unsigned char linedefs[sizeof linedefs];
    unsigned char vertexes[sizeof vertexes];
    unsigned char blockmap[sizeof square_blockmap];
    struct host_vertex vertices[COUNT(host_vertices)];
    struct host_line lines[COUNT(host_lines)];
};

static struct nbstage_lump lump_in(const char *name, const void *data,
                                   size_t size)
{
    return (struct nbstage_lump)PART_OF(name, data, size);
}

static void fill_whole_map(struct whole_map *whole, bool with_arrays)
{
    static const char names[4][9] = {"MAP07", "LINEDEFS", "VERTEXES",
                                     "BLOCKMAP"};
    memcpy(whole->names, names, sizeof names);
    memcpy(whole->linedefs, linedefs, sizeof linedefs);
    memcpy(whole->vertexes, vertexes, sizeof vertexes);
    memcpy(whole->blockmap, square_blockmap, sizeof square_blockmap);
    memcpy(whole->vertices, host_vertices, sizeof host_vertices);
    memcpy(whole->lines, host_lines, sizeof host_lines);
    whole->lumps[0] =
        lump_in(whole->names[1], whole->linedefs, sizeof linedefs);
    whole->lumps[1] =
        lump_in(whole->names[2], whole->vertexes, sizeof vertexes);
    whole->lumps[2] =
        lump_in(whole->names[3], whole->blockmap, sizeof square_blockmap);
    whole->map = host_map();
    whole->map.name = whole->names[0];
    whole->map.lumps = whole->lumps;
    whole->map.lump_count = COUNT(whole->lumps);
    whole->map.vertices = with_arrays ? &whole->vertices[0].vertex : NULL;
    whole->map.lines = with_arrays ? (const void *)whole->lines : NULL;
}

// Arrays that a host hands over are the map, even if they are empty.
START_TEST(empty_arrays_are_not_passed_over_for_lumps)
{
    struct whole_map whole;
    fill_whole_map(&whole, true);
    whole.map.line_count = 0;
    struct nbstage_instance *instance = create();
    assert_build_fails(instance, &whole.map, NBSTAGE_BAD_MAP);
    assert_tells(stage->last_error(instance), "MAP07", "lines");
    whole.map.lines = NULL;
    assert_build_fails(instance, &whole.map, NBSTAGE_BAD_MAP);
    assert_tells(stage->last_error(instance), "MAP07", "lines");
    stage->destroy(instance);
}
END_TEST

// In memory that cannot be written to, writing would end the process.
START_TEST(map_is_never_written_to)
{
    struct whole_map *whole = mmap(NULL, sizeof *whole, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(whole, MAP_FAILED);
    fill_whole_map(whole, _i == 1);
    ck_assert_int_eq(mprotect(whole, sizeof *whole, PROT_READ), 0);
    struct nbstage_instance *instance = create();
    struct nbstage_result result;
    build(instance, &whole->map, &result);
    ck_assert_str_eq(plugin_find_fact(&result, "grid")->text, "keep");
    // Nothing of the map is used after build.
    ck_assert_int_eq(munmap(whole, sizeof *whole), 0);
    assert_square(&result);
    ck_assert_str_eq(stage->last_error(instance), "");
    stage->free_result(instance, &result);
    stage->destroy(instance);
}
END_TEST

// ---------------------------------------------------------------------------
// Threads

enum { THREAD_LINES = 400, THREAD_BUILDS = 100 };

// A map that all threads read, and what is to come of it.
struct shared_map {
    struct nbstage_vertex vertices[THREAD_LINES];
    struct nbstage_line lines[THREAD_LINES];
    struct nbstage_map map;
    struct nbstage_result expected;
};

// One line after the other, crossing each other all over the place.
static void fill_shared_map(struct shared_map *shared)
{
    for (uint32_t i = 0; i < THREAD_LINES; i++) {
        shared->vertices[i] =
            (struct nbstage_vertex){(int32_t)(i * 617 % 3001) * 65536,
                                    (int32_t)(i * 919 % 2003) * 65536};
        shared->lines[i] =
            (struct nbstage_line){.v1 = i, .v2 = (i + 1) % THREAD_LINES};
    }
    shared->map = plugin_map_from_arrays(
        "MAP07", shared->vertices, THREAD_LINES, shared->lines, THREAD_LINES);
}

static bool same_lump(const struct nbstage_lump *a,
                      const struct nbstage_lump *b)
{
    return a->data_size == b->data_size &&
           memcmp(a->data, b->data, a->data_size) == 0;
}

// Builds again and again with an instance of its own.  Returns a sentence
// about what went wrong, or NULL.
static void *build_in_thread(void *argument)
{
    const struct shared_map *shared = argument;
    static char failed[] = "a call failed";
    static char differs[] = "a lump differs";
    char *verdict = NULL;
    struct nbstage_instance *instance;
    if (stage->create(NULL, &instance) != NBSTAGE_OK)
        return failed;
    for (int i = 0; i < THREAD_BUILDS && !verdict; i++) {
        struct nbstage_result result = {.size = sizeof result};
        if (stage->set_option(instance, "grid", "fit") != NBSTAGE_OK ||
            stage->build(instance, &shared->map, &result) != NBSTAGE_OK)
            verdict = failed;
        else if (!same_lump(result.lumps, shared->expected.lumps))
            verdict = differs;
        stage->free_result(instance, &result);
    }
    stage->destroy(instance);
    return verdict;
}

START_TEST(threads_with_instances_of_their_own_build_the_same)
{
    struct shared_map shared;
    fill_shared_map(&shared);
    struct nbstage_instance *instance = create();
    build(instance, &shared.map, &shared.expected);
    ck_assert_uint_gt(shared.expected.lumps->data_size, 1000);
    pthread_t threads[2];
    for (size_t i = 0; i < COUNT(threads); i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, build_in_thread, &shared), 0);
    for (size_t i = 0; i < COUNT(threads); i++) {
        void *verdict;
        ck_assert_int_eq(pthread_join(threads[i], &verdict), 0);
        ck_assert_msg(!verdict, "%s", (const char *)verdict);
    }
    stage->free_result(instance, &shared.expected);
    stage->destroy(instance);
}
END_TEST

static void add_memory_tests(TCase *tests)
{
    tcase_add_test(tests, create_and_destroy_leave_nothing_behind);
    tcase_add_test(tests, destroy_takes_null);
    tcase_add_loop_test(tests, callbacks_may_be_absent, 0, 2);
    tcase_add_loop_test(tests, half_an_allocator_is_a_bad_call, 0, 2);
    tcase_add_test(tests, result_is_in_memory_of_the_host);
    tcase_add_test(tests, out_of_memory_is_told_and_leaves_nothing_behind);
    tcase_add_test(tests, instance_goes_on_after_out_of_memory);
    tcase_add_test(tests, free_result_empties);
    tcase_add_test(tests, freed_memory_serves_the_next_build);
    tcase_add_test(tests, free_result_takes_nothing_at_all);
    tcase_add_test(tests, destroy_frees_results_that_were_forgotten);
    tcase_add_test(tests, results_live_side_by_side);
}

static void add_result_tests(TCase *tests)
{
    tcase_add_test(tests, facts_are_well_formed);
    tcase_add_test(tests, facts_are_true);
    tcase_add_loop_test(tests, fact_of_the_grid_names_the_placement, 0,
                        COUNT(grids));
    tcase_add_test(tests, lump_over_its_limit_is_empty);
    tcase_add_test(tests, lump_over_its_limit_is_an_error_if_asked);
}

static void add_version_tests(TCase *tests)
{
    tcase_add_test(tests, newer_hosts_are_served);
    tcase_add_test(tests, map_may_end_after_its_lumps);
    tcase_add_test(tests, nothing_behind_a_shorter_map_is_read);
    tcase_add_test(tests, lumps_may_end_before_their_compression);
    tcase_add_test(tests, host_may_end_after_its_allocator);
    tcase_add_test(tests, nothing_behind_a_shorter_host_is_called);
}

static void add_call_tests(TCase *tests)
{
    tcase_add_test(tests, null_arguments_are_bad_calls);
    tcase_add_test(tests, lumps_that_are_not_there_are_a_bad_call);
    tcase_add_test(tests, sizes_too_small_are_bad_calls);
    tcase_add_test(tests, failed_option_keeps_its_value);
    tcase_add_test(tests, instances_begin_with_the_defaults);
    tcase_add_test(tests, options_belong_to_their_instance);
    tcase_add_test(tests, options_are_copied);
}

static void add_map_tests(TCase *tests)
{
    tcase_add_loop_test(tests, damage_is_told_with_map_lump_and_index, 0,
                        COUNT(damaged));
    tcase_add_loop_test(tests, lumps_without_name_or_data_are_refused, 0,
                        COUNT(unusable));
    tcase_add_test(tests, missing_vertex_of_an_array_is_told);
#if SIZE_MAX > UINT32_MAX
    tcase_add_test(tests, sectors_that_cannot_be_numbered_are_left_aside);
#endif
    tcase_add_test(tests, map_needs_no_name);
    tcase_add_test(tests, what_may_come_is_not_supported);
    tcase_add_test(tests, format_is_what_the_host_says);
    tcase_add_loop_test(tests, lumps_that_do_not_inflate_are_named, 0,
                        COUNT(compressions));
    tcase_add_test(tests, arrays_may_be_the_hosts_own);
    tcase_add_test(tests, lines_may_be_pairs_of_numbers);
    tcase_add_test(tests, lumps_beside_arrays_serve_for_the_rest);
    tcase_add_test(tests, empty_arrays_are_not_passed_over_for_lumps);
    tcase_add_loop_test(tests, map_is_never_written_to, 0, 2);
}

int main(void)
{
    stage = plugin_stage();
    TCase *tests = tcase_create("interface");
    tcase_add_test(tests, descriptor_is_complete);
    tcase_add_test(tests, options_are_complete);
    tcase_add_test(tests, every_version_finds_the_same_descriptor);
    add_memory_tests(tests);
    add_result_tests(tests);
    add_version_tests(tests);
    add_call_tests(tests);
    add_map_tests(tests);
    tcase_add_test(tests, messages_have_levels_and_name_the_map);
    tcase_add_test(tests, progress_reaches_its_total);
    tcase_add_test(tests, progress_cancels_soon);
    tcase_add_test(tests, threads_with_instances_of_their_own_build_the_same);
    return run_tests(tests);
}
