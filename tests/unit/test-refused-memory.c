// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the module bears it wherever its host has no memory for it.  With
// options for ways through the stage, on maps in every form, requests are
// refused one by one, alone and with all that follow: the call ends with
// NBSTAGE_OUT_OF_MEMORY, a sentence and nothing made, or as if nothing had been
// refused; all memory is given back; and the instance works on.
//
// A pool may make up for what is refused, so the same is done with the module
// as it would be without one.
//
// Where there are very many requests, those behind the first few hundred are
// refused here and there; with --all every one is, which takes minutes.

#include "config.h"

#include "compress.h"
#include "context-for-tests.h"
#include "pruned-room.h"
#include "scattered-map.h"

#include <stdlib.h>
#include <string.h>

// Requests behind which not every one is refused, unless with --all.
enum { MANY = 400 };
static bool every_one;

// ---------------------------------------------------------------------------
// Maps

enum map_name {
    MAP_ROOM_DOOM, // in the order of enum form
    MAP_ROOM_HEXEN,
    MAP_ROOM_DOOM64,
    MAP_ROOM_UDMF,
    MAP_ROOM_DOOM_ARRAYS,
    MAP_ROOM_HEXEN_ARRAYS,
    MAP_COMPRESSED_DOOM,
    MAP_COMPRESSED_UDMF,
    MAP_COMPRESSED_NODES,
    MAP_REAL,
    MAP_LARGE,   // beyond the vanilla limit
    MAP_CROWDED, // the same, with few blocks
    MAP_FULL,    // beyond the extended limit, with few blocks
    MAP_COUNT
};

// Some lumps belong to a map, some to a file that stays open.
static struct {
    struct lump_set set;
    struct nbstage_map map;
} maps[MAP_COUNT];

static struct room_arrays arrays[FORM_COUNT];
static struct wadfile sample;
static struct random_map large;
static struct random_map crowded;
static struct random_map full;

// A seg for each line of a room, in one subsector.
static struct buffer make_nodes(void)
{
    struct buffer body = {0};
    struct buffer nodes = {0};
    buffer_put_u32(&body, VERTICES);
    buffer_put_u32(&body, 0); // vertices added
    buffer_put_u32(&body, 1); // subsectors
    buffer_put_u32(&body, LINES);
    buffer_put_u32(&body, LINES);
    for (unsigned i = 0; i < LINES; i++) {
        buffer_put_u32(&body, (uint32_t)room_plain.lines[i].v1);
        buffer_put_u32(&body, (uint32_t)room_plain.lines[i].v2);
        buffer_put_u16(&body, i);
        buffer_put_u8(&body, 0); // side
    }
    buffer_put_u32(&body, 0); // nodes
    struct buffer packed = compress_bytes(NBSTAGE_ZLIB, body.bytes, body.size);
    buffer_put(&nodes, "ZNOD", 4);
    buffer_put(&nodes, packed.bytes, packed.size);
    buffer_free(&packed);
    buffer_free(&body);
    return nodes;
}

static void put_map(enum map_name name, struct lump_set set)
{
    maps[name].set = set;
    maps[name].map = lump_set_map(&maps[name].set);
}

static void make_rooms(void)
{
    for (size_t i = 0; i < FORM_COUNT; i++) {
        put_map((enum map_name)i, room_make_lumps(&room_plain, (enum form)i));
        if (i == FORM_DOOM_ARRAYS || i == FORM_HEXEN_ARRAYS)
            room_make_arrays(&room_plain, (enum form)i, &arrays[i],
                             &maps[i].map);
    }
    put_map(MAP_COMPRESSED_DOOM,
            lump_set_compressed(&maps[MAP_ROOM_DOOM].set, NBSTAGE_GZIP));
    put_map(MAP_COMPRESSED_UDMF,
            lump_set_compressed(&maps[MAP_ROOM_UDMF].set, NBSTAGE_ZLIB));
    struct lump_set set = room_make_lumps(&room_plain, FORM_UDMF);
    lump_set_add(&set, "ZNODES", make_nodes());
    put_map(MAP_COMPRESSED_NODES, set);
}

static void put_scattered(enum map_name name, const struct scatter *scatter,
                          struct random_map *map)
{
    *map = scattered_map_make(scatter);
    maps[name].map = plugin_map_from_arrays(
        "MAP01", map->vertices, map->vertex_count, map->lines, map->line_count);
}

static void make_maps(void)
{
    static const struct scatter over_vanilla = {2, 2500, 8000, 2000};
    static const struct scatter long_lists = {2, 15000, 384, 380};
    static const struct scatter over_extended = {2, 25000, 384, 380};
    char path[4096];
    const char *source = getenv("SOURCE_DIR");
    snprintf(path, sizeof path, "%s/samples/freedoom-sample.wad",
             source ? source : ".");
    make_rooms();
    sample = wadfile_read(path);
    put_map(MAP_REAL, lump_set_from_wad(&sample.maps[0]));
    put_scattered(MAP_LARGE, &over_vanilla, &large);
    put_scattered(MAP_CROWDED, &long_lists, &crowded);
    put_scattered(MAP_FULL, &over_extended, &full);
}

static void free_maps(void)
{
    for (size_t i = 0; i < MAP_COUNT; i++)
        lump_set_free(&maps[i].set);
    wadfile_free(&sample);
    random_map_free(&large);
    random_map_free(&crowded);
    random_map_free(&full);
}

// ---------------------------------------------------------------------------
// Hosts

const struct nbstage_descriptor *nbstage_describe(uint32_t abi);

static size_t last_refused; // request, with those from refused_request on

static void *allocate(void *user, size_t bytes)
{
    struct test_host *host = user;
    size_t request = host->request_count + 1;
    if (host->refused_request == 0 || request < host->refused_request ||
        request > last_refused)
        return test_allocate(user, bytes);
    host->request_count = request;
    return NULL;
}

static const struct nbstage_host host = {
    .size = sizeof host,
    .context = &test_host,
    .allocate = allocate,
    .release = test_release,
    .log = test_log,
    .progress = test_progress,
};

// Sets options from "name=value", with spaces between them.
static void set_options(const struct nbstage_descriptor *stage,
                        struct nbstage_instance *instance, const char *options)
{
    char text[256];
    ck_assert_uint_lt(strlen(options), sizeof text);
    strcpy(text, options);
    for (char *rest = text, *name; (name = strtok_r(rest, " ", &rest));) {
        char *value = strchr(name, '=');
        *value++ = '\0';
        ck_assert_int_eq(stage->set_option(instance, name, value), NBSTAGE_OK);
    }
}

// ---------------------------------------------------------------------------
// Calls

struct call {
    enum map_name map;
    const char *options;
    nbstage_status expected; // with all the memory there is
};

// What a call has made.
struct made {
    nbstage_status status;
    struct nbstage_result result;
    struct nbstage_decoded decoded;
};

static struct made build(const struct nbstage_descriptor *stage,
                         struct nbstage_instance *instance,
                         const struct call *call)
{
    struct made made = {.result.size = sizeof made.result};
    made.status = stage->build(instance, &maps[call->map].map, &made.result);
    return made;
}

static struct made decode(const struct nbstage_descriptor *stage,
                          struct nbstage_instance *instance,
                          const struct call *call)
{
    struct made made = {.decoded.size = sizeof made.decoded};
    made.status = stage->decode(instance, &maps[call->map].map, &made.decoded);
    return made;
}

typedef struct made maker(const struct nbstage_descriptor *stage,
                          struct nbstage_instance *instance,
                          const struct call *call);

static void assert_same_bytes(const void *a, size_t a_size, const void *b,
                              size_t b_size)
{
    ck_assert_uint_eq(a_size, b_size);
    if (a_size > 0)
        ck_assert_mem_eq(a, b, a_size);
}

static void assert_same(const struct made *made, const struct made *expected)
{
    const struct nbstage_decoded *decoded = &made->decoded;
    const struct nbstage_decoded *other = &expected->decoded;
    ck_assert_int_eq(made->status, expected->status);
    ck_assert_uint_eq(made->result.lump_count, expected->result.lump_count);
    ck_assert_uint_eq(made->result.fact_count, expected->result.fact_count);
    if (made->result.lump_count > 0)
        assert_same_bytes(
            made->result.lumps->data, made->result.lumps->data_size,
            expected->result.lumps->data, expected->result.lumps->data_size);
    assert_same_bytes(
        decoded->vertices, decoded->vertex_count * sizeof *decoded->vertices,
        other->vertices, other->vertex_count * sizeof *other->vertices);
    assert_same_bytes(decoded->lines,
                      decoded->line_count * sizeof *decoded->lines,
                      other->lines, other->line_count * sizeof *other->lines);
    assert_same_bytes(
        decoded->sectors, decoded->sector_count * sizeof *decoded->sectors,
        other->sectors, other->sector_count * sizeof *other->sectors);
    ck_assert_int_eq(!decoded->left_out, !other->left_out);
    if (decoded->left_out)
        ck_assert_mem_eq(decoded->left_out, other->left_out,
                         decoded->line_count);
}

static void assert_nothing(const struct made *made)
{
    ck_assert_ptr_null(made->result.lumps);
    ck_assert_ptr_null(made->result.facts);
    ck_assert_uint_eq(made->result.lump_count, 0);
    ck_assert_uint_eq(made->result.fact_count, 0);
    ck_assert_ptr_null(made->decoded.vertices);
    ck_assert_ptr_null(made->decoded.lines);
    ck_assert_ptr_null(made->decoded.sectors);
    ck_assert_ptr_null(made->decoded.left_out);
}

// Holds what a call has made, with a request refused, against what it makes
// otherwise.
static void check_made(const struct nbstage_descriptor *stage,
                       struct nbstage_instance *instance,
                       const struct call *call, const struct made *made,
                       const struct made *expected)
{
    static const struct call next = {MAP_ROOM_DOOM, "", NBSTAGE_OK};
    if (made->status != NBSTAGE_OUT_OF_MEMORY) {
        assert_same(made, expected);
        return;
    }
    assert_nothing(made);
    assert_tells(stage->last_error(instance), "memory",
                 maps[call->map].map.name);
    test_host.refused_request = 0;
    struct made second = decode(stage, instance, &next);
    ck_assert_int_eq(second.status, NBSTAGE_OK);
}

// Makes an instance, and a call with it; returns how that ended.
static nbstage_status call_refused(const struct nbstage_descriptor *stage,
                                   maker *make, const struct call *call,
                                   const struct made *expected)
{
    struct nbstage_instance *instance;
    nbstage_status status = stage->create(&host, &instance);
    if (status != NBSTAGE_OK) {
        ck_assert_int_eq(status, NBSTAGE_OUT_OF_MEMORY);
        ck_assert_ptr_null(instance);
        return status;
    }
    set_options(stage, instance, call->options);
    struct made made = make(stage, instance, call);
    check_made(stage, instance, call, &made, expected);
    stage->destroy(instance);
    return made.status;
}

// The request to refuse behind another.  A search that builds lumps makes very
// many, of which the later ones are all alike.
static size_t next_request(size_t request)
{
    return request + (request < MANY || every_one ? 1 : request / 2);
}

// Refuses the requests from each on, `count` of them.
static void refuse_each(const struct nbstage_descriptor *stage, maker *make,
                        const struct call *call, const struct made *expected,
                        size_t count)
{
    size_t failures = 0;
    for (size_t request = 1;; request = next_request(request)) {
        test_host = (struct test_host){.refused_request = request};
        last_refused =
            count > SIZE_MAX - request ? SIZE_MAX : request + count - 1;
        failures +=
            call_refused(stage, make, call, expected) == NBSTAGE_OUT_OF_MEMORY;
        ck_assert_ptr_null(test_host.blocks);
        if (test_host.request_count < request)
            break;
    }
    ck_assert_uint_ge(failures, 3);
}

static void check_call(maker *make, const struct call *call)
{
    const struct nbstage_descriptor *plain = nbstage_describe(NBSTAGE_ABI);
    const struct nbstage_descriptor *stage = plugin_stage();
    struct nbstage_instance *instance = plugin_create(call->options);
    struct made expected = make(stage, instance, call);
    ck_assert_msg(expected.status == call->expected, "%s: %s", call->options,
                  stage->last_error(instance));
    refuse_each(plain, make, call, &expected, 1);
    refuse_each(plain, make, call, &expected, SIZE_MAX);
    refuse_each(stage, make, call, &expected, 1);
    refuse_each(stage, make, call, &expected, SIZE_MAX);
    stage->destroy(instance);
}

// ---------------------------------------------------------------------------
// Tests

static const struct call builds[] = {
    {MAP_ROOM_DOOM, "prune=inert", NBSTAGE_OK},
    {MAP_ROOM_HEXEN, "prune=inert", NBSTAGE_OK},
    {MAP_ROOM_DOOM64, "prune=inert", NBSTAGE_OK},
    {MAP_ROOM_UDMF, "prune=inert", NBSTAGE_OK},
    {MAP_ROOM_DOOM_ARRAYS, "prune=inert", NBSTAGE_OK},
    {MAP_ROOM_HEXEN_ARRAYS, "prune=inert", NBSTAGE_OK},
    {MAP_COMPRESSED_DOOM, "prune=inert", NBSTAGE_OK},
    {MAP_COMPRESSED_UDMF, "prune=inert", NBSTAGE_OK},
    {MAP_COMPRESSED_NODES, "check-nodes=yes", NBSTAGE_OK},
    {MAP_COMPRESSED_NODES, "source=lump", NBSTAGE_BAD_MAP}, // it has none
    {MAP_REAL, "grid=keep check-nodes=yes", NBSTAGE_OK},
    {MAP_REAL, "source=lump", NBSTAGE_OK},
    {MAP_REAL, "source=lump pack=nest", NBSTAGE_OK},
    {MAP_REAL, "source=lump check-nodes=yes", NBSTAGE_BAD_MAP},
    {MAP_REAL, "prune=none bounds=vertices pack=none", NBSTAGE_OK},
    {MAP_REAL, "format=xbm1 pack=cover header=none", NBSTAGE_OK},
    {MAP_REAL, "grid=fit pack=nest header=any", NBSTAGE_OK},
    {MAP_ROOM_DOOM, "grid=search threads=1 pack=nest goal=extended",
     NBSTAGE_OK},
    {MAP_ROOM_DOOM, "grid=search threads=2", NBSTAGE_OK},
    {MAP_ROOM_UDMF, "grid=search threads=1 goal=vanilla pack=cover",
     NBSTAGE_OK},
    {MAP_LARGE, "limit=vanilla overflow=empty", NBSTAGE_OK},
    {MAP_LARGE, "limit=vanilla overflow=xbm1", NBSTAGE_OK},
    {MAP_LARGE, "limit=vanilla overflow=error", NBSTAGE_OVER_LIMIT},
    {MAP_CROWDED, "fit=vanilla", NBSTAGE_OK},
    {MAP_CROWDED, "fit=vanilla pack=nest header=none", NBSTAGE_OK},
    {MAP_CROWDED, "fit=vanilla pack=cover", NBSTAGE_OK},
    {MAP_FULL, "fit=extended pack=nest", NBSTAGE_OK},
};

START_TEST(builds_bear_refused_memory)
{
    check_call(build, &builds[_i]);
}
END_TEST

static const struct call decodings[] = {
    {MAP_ROOM_DOOM, "prune=inert", NBSTAGE_OK},
    {MAP_ROOM_HEXEN, "prune=inert", NBSTAGE_OK},
    {MAP_ROOM_DOOM64, "prune=inert", NBSTAGE_OK},
    {MAP_ROOM_UDMF, "prune=inert", NBSTAGE_OK},
    {MAP_ROOM_DOOM_ARRAYS, "prune=inert", NBSTAGE_OK},
    {MAP_COMPRESSED_UDMF, "prune=inert", NBSTAGE_OK},
    {MAP_COMPRESSED_NODES, "prune=tagged", NBSTAGE_OK},
    {MAP_REAL, "prune=none", NBSTAGE_OK},
};

START_TEST(decodings_bear_refused_memory)
{
    check_call(decode, &decodings[_i]);
}
END_TEST

int main(int argument_count, char **arguments)
{
    TCase *tests = tcase_create("refused memory");
    every_one = argument_count > 1 && strcmp(arguments[1], "--all") == 0;
    if (every_one)
        setenv("CK_TIMEOUT_MULTIPLIER", "100", 1);
    make_maps();
    tcase_add_loop_test(tests, builds_bear_refused_memory, 0, COUNT(builds));
    tcase_add_loop_test(tests, decodings_bear_refused_memory, 0,
                        COUNT(decodings));
    int status = run_tests(tests);
    free_maps();
    return status;
}
