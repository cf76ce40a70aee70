// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a build may end at any request for memory, refused alone or with
// all that follow, and at any report of progress, for every choice of every
// option and every form of a map.  It returns the status, a sentence that names
// the map, and no lump, or what it returns with all memory; nothing is reported
// after a wish to cancel; the instance then builds the same as a new one; and
// no memory is left.
//
// The arena of the module may make up for a refused request, so the module is
// linked without one; test-stage tests the built module.

#include "config.h"

#include "arena.h"
#include "buffer.h"
#include "context-for-tests.h"
#include "pruned-room.h"
#include "random-map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Maps ---

enum map_name {
    MAP_ROOMS, // and after it the other forms
    MAP_COMPRESSED_NODES = MAP_ROOMS + FORM_COUNT,
    MAP_CORNER,        // in the south-west, where few origins can be searched
    MAP_WITH_BLOCKMAP, // and nodes, there too
    MAP_ADDED_VERTEX,  // a line refers to one that the nodes add
    MAP_FRACTIONS,     // of map units
    MAP_FAR,           // two points there, with many blocks between them
    MAP_LARGE,         // beyond the vanilla limit
    MAP_CROWDED,       // the same, with few blocks
    MAP_FULL,          // beyond the extended limit, with few blocks
    MAP_LONG,          // beyond the vanilla limit, with many lists to merge
    MAP_WIDE,          // many long lists, which contain each other hardly ever
    MAP_NESTED,        // its lump meets the vanilla limit by nesting
    MAP_REPEATED,      // over 2^20 linedefs in the lists of its lump
    MAP_COUNT
};

static struct lump_set sets[MAP_COUNT];
static struct nbstage_map maps[MAP_COUNT];
static struct kept_arrays kept[MAP_COUNT];
static struct random_map scattered[MAP_COUNT];
static struct room_arrays arrays[FORM_COUNT];

static void put_map(size_t name, struct lump_set set)
{
    sets[name] = set;
    maps[name] = lump_set_map(&sets[name]);
}

static void put_room_with_nodes(enum map_name name, const struct room *room)
{
    struct lump_set set = room_make_lumps(room, FORM_UDMF);
    lump_set_add(&set, "ZNODES", room_make_nodes(room, "ZNOD"));
    put_map(name, set);
}

static void make_rooms(void)
{
    struct room room = room_plain;
    for (size_t i = 0; i < FORM_COUNT; i++) {
        put_map(i, room_make_lumps(&room, (enum form)i));
        if (i > FORM_UDMF)
            room_make_arrays(&room, (enum form)i, &arrays[i], &maps[i]);
    }
    put_room_with_nodes(MAP_COMPRESSED_NODES, &room);
    room.lines[LINES - 1].v2 = VERTICES;
    put_room_with_nodes(MAP_ADDED_VERTEX, &room);
}

static struct buffer build_blockmap(enum map_name name, const char *options)
{
    struct buffer blockmap = {0};
    struct plugin_lump lump = plugin_build(&maps[name], options);
    buffer_put(&blockmap, lump.bytes, lump.size);
    plugin_free(&lump);
    return blockmap;
}

// Nine grids are possible there.
static void make_rooms_in_corner(void)
{
    struct room room = room_plain;
    for (size_t i = 0; i < VERTICES; i++)
        for (size_t axis = 0; axis < 2; axis++)
            room.vertices[i][axis] += INT16_MIN + 2;
    put_map(MAP_CORNER, room_make_lumps(&room, FORM_UDMF));
    struct lump_set set = room_make_lumps(&room, FORM_DOOM);
    lump_set_add(&set, "BLOCKMAP",
                 build_blockmap(MAP_CORNER, "grid=fit pack=nest"));
    lump_set_add(&set, "NODES", room_make_nodes(&room, "ZNOD"));
    put_map(MAP_WITH_BLOCKMAP, set);
}

enum { REPEATED_LINES = 1200 };

static const struct {
    enum map_name name;
    struct scatter scatter;
} scatters[] = {
    {MAP_LARGE, {2, 1100, 7000, 6500}},
    {MAP_CROWDED, {2, 14800, 384, 380}},
    {MAP_FULL, {2, 24000, 384, 380}},
    {MAP_LONG, {2, 2500, 8000, 2000}},
    {MAP_WIDE, {1, 1200, 32767, 32766}},
    {MAP_NESTED, {2, 2100, 8000, 2000}},
    {MAP_REPEATED, {2, REPEATED_LINES, 4000, 300}},
};

// Every block of the lump has the one list, of all linedefs.
static struct buffer make_repeated(void)
{
    enum { SIDE = 32, BLOCKS = SIDE * SIDE };
    const uint32_t grid[] = {0, 0, SIDE, SIDE};
    struct buffer lump = {0};
    buffer_put(&lump, "XBM1\0\0\0", 8);
    for (size_t i = 0; i < COUNT(grid); i++)
        buffer_put_u32(&lump, grid[i]);
    for (size_t b = 0; b < BLOCKS; b++)
        buffer_put_u32(&lump, 4 + BLOCKS);
    buffer_put_u32(&lump, 0); // header
    for (uint32_t line = 0; line < REPEATED_LINES; line++)
        buffer_put_u32(&lump, line);
    buffer_put_u32(&lump, UINT32_MAX);
    return lump;
}

// Gives a scattered map a lump.
static void put_blockmap(enum map_name name, struct buffer blockmap)
{
    lump_set_add(&sets[name], "BLOCKMAP", blockmap);
    maps[name].lumps = sets[name].lumps;
    maps[name].lump_count = sets[name].count;
}

static void make_scattered(void)
{
    for (size_t i = 0; i < COUNT(scatters); i++) {
        const enum map_name name = scatters[i].name;
        scattered[name] = scattered_map_make(&scatters[i].scatter);
        maps[name] = RANDOM_MAP(&scattered[name], "MAP01");
        arrays_keep(&maps[name], &kept[name]);
    }
    for (size_t v = 0; v < scattered[MAP_WIDE].vertex_count; v++) {
        struct plain_vertex *vertex = &scattered[MAP_WIDE].vertices[v];
        vertex->x = (int32_t)(2 * (int64_t)vertex->x + INT32_MIN);
        vertex->y = (int32_t)(2 * (int64_t)vertex->y + INT32_MIN);
    }
    put_blockmap(MAP_NESTED, build_blockmap(MAP_NESTED, "pack=nest"));
    put_blockmap(MAP_REPEATED, make_repeated());
}

static void make_maps(void)
{
    static const struct plain_vertex points[] = {
        {INT32_MIN, INT32_MIN}, {-19000 * UNIT, -19000 * UNIT}};
    static const struct plain_vertex fractions[] = {{UNIT / 2, 0},
                                                    {500 * UNIT + 1, UNIT}};
    static const struct plain_line lines[] = {{.v1 = 0, .v2 = 0},
                                              {.v1 = 1, .v2 = 1}};
    static const struct plain_line line = {.v1 = 0, .v2 = 1};
    make_rooms();
    make_rooms_in_corner();
    make_scattered();
    maps[MAP_FAR] = PLAIN_MAP("MAP01", points, 2, lines, 2);
    maps[MAP_FRACTIONS] = PLAIN_MAP("MAP01", fractions, 2, &line, 1);
    arrays_keep(&maps[MAP_FAR], &kept[MAP_FAR]);
    arrays_keep(&maps[MAP_FRACTIONS], &kept[MAP_FRACTIONS]);
}

static void free_maps(void)
{
    for (size_t i = 0; i < MAP_COUNT; i++) {
        lump_set_free(&sets[i]);
        random_map_free(&scattered[i]);
    }
}

// --- Calls ---

static const struct nbstage_descriptor *built; // the module
static const struct nbstage_descriptor *plain; // without an arena

const struct nbstage_descriptor *nbstage_describe(uint32_t abi);

// What has been made of a map.
struct made {
    nbstage_status status;
    bool has_lump;
    size_t size;
    uint64_t digest; // of the lump's bytes
    size_t fact_count;
};

// Which map is built, and which one when that has ended early.
struct call {
    const struct nbstage_map *map, *next_map;
    const char *options;
    struct made expected, expected_next; // when all is well
    size_t stride;                       // of the requests to refuse
};

static struct made make(const struct nbstage_descriptor *stage,
                        struct nbstage_instance *instance,
                        const struct nbstage_map *map)
{
    struct made made = {.digest = 0xCBF29CE484222325}; // FNV-1a
    test_host.total = 0;                               // progress begins again
    made.status = stage->build(instance, map);
    const struct nbstage_lump *lump = stage->get_lump(instance, "BLOCKMAP");
    made.has_lump = lump != NULL;
    made.size = lump ? lump->data_size : 0;
    for (size_t i = 0; i < made.size; i++)
        made.digest = (made.digest ^ ((const unsigned char *)lump->data)[i]) *
                      0x100000001B3;
    for (size_t i = 0; stage->fact_names[i]; i++)
        made.fact_count +=
            stage->get_fact(instance, stage->fact_names[i]) != NULL;
    return made;
}

// What is being tried, for messages.
static char trial[256];

static void expect(const char *what, long long value, long long expected)
{
    ck_assert_msg(value == expected, "%s: %s: expected %lld, was %lld", trial,
                  what, expected, value);
}

static void expect_same(const struct made *made, const struct made *expected)
{
    expect("status", made->status, expected->status);
    expect("facts", (long long)made->fact_count,
           (long long)expected->fact_count);
    expect("a lump", made->has_lump, expected->has_lump);
    expect("size", (long long)made->size, (long long)expected->size);
    expect("bytes", made->digest == expected->digest, true);
}

// --- Trials ---

// An arena that keeps nothing and has no limit, which the module is linked
// with: every request reaches the host.

void arena_limit(struct arena *arena, size_t bytes)
{
    (void)arena;
    (void)bytes;
}

void *arena_allocate(void *user, size_t bytes)
{
    const struct arena *arena = user;
    return arena->allocate(arena->user, bytes);
}

void arena_release(void *user, void *memory)
{
    const struct arena *arena = user;
    arena->release(arena->user, memory);
}

void arena_empty(struct arena *arena)
{
    (void)arena;
}

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

// Of any build, progress never falls.
static int32_t progress(void *user, uint32_t done, uint32_t total)
{
    const struct test_host *host = user;
    const uint64_t before = host->done, all = host->total;
    if (total == 0 || done > total || (all > 0 && done * all < before * total))
        abort_with("%s: progress is %" PRIu32 " of %" PRIu32 " after %" PRIu64
                   " of %" PRIu64,
                   trial, done, total, before, all);
    return test_progress(user, done, total);
}

static void set_options(struct nbstage_instance *instance, const char *options)
{
    char text[256];
    ck_assert_uint_lt(strlen(options), sizeof text);
    strcpy(text, options);
    for (char *rest = text, *name; (name = strtok_r(rest, " ", &rest));) {
        char *value = strchr(name, '=');
        *value++ = '\0';
        expect(name, plain->set_option(instance, name, value, NBSTAGE_BY_USER),
               NBSTAGE_OK);
    }
}

// Builds with an instance, and if that ends early, with the instance again.
static nbstage_status make_with(struct nbstage_instance *instance,
                                const struct call *call)
{
    static const char *const facts[] = {
        [NBSTAGE_OUT_OF_MEMORY] = "memory", [NBSTAGE_CANCELLED] = "cancelled"};
    set_options(instance, call->options);
    struct made made = make(plain, instance, call->map);
    if (made.status != NBSTAGE_OUT_OF_MEMORY &&
        made.status != NBSTAGE_CANCELLED) {
        expect_same(&made, &call->expected);
        return made.status;
    }
    expect("lumps", made.has_lump, false);
    expect("facts but the steps", made.fact_count > 1, false);
    assert_tells(plain->last_error(instance), facts[made.status], "MAP01");
    if (made.status == NBSTAGE_CANCELLED)
        expect("reports", (long long)test_host.progress_count,
               (long long)test_host.cancelled_report);
    test_host.refused_request = test_host.cancelled_report = 0;
    struct made next = make(plain, instance, call->next_map);
    expect_same(&next, &call->expected_next);
    return made.status;
}

// Makes an instance, and builds with it; returns how that ended.
static nbstage_status make_afresh(const struct call *call)
{
    struct nbstage_host host = test_callbacks;
    nbstage_status status = NBSTAGE_OUT_OF_MEMORY;
    host.allocate = allocate;
    host.progress = progress;
    struct nbstage_instance *instance = plain->create(&host);
    if (instance) {
        status = make_with(instance, call);
        plain->destroy(instance);
    }
    expect("blocks left", test_host.blocks != NULL, 0);
    return status;
}

// Refuses the requests from each on, `count` of them.  Without an arena, none
// can be done without.
static void refuse_each(const struct call *call, size_t count)
{
    for (size_t request = call->stride;; request += call->stride) {
        snprintf(trial, sizeof trial, "%s, %s: request %zu refused%s",
                 call->map->name, call->options, request,
                 count > 1 ? " and all that follow" : "");
        test_host = (struct test_host){.refused_request = request};
        last_refused = count > 1 ? SIZE_MAX : request;
        nbstage_status status = make_afresh(call);
        if (test_host.request_count < request)
            break;
        expect("status", status, NBSTAGE_OUT_OF_MEMORY);
    }
}

// Returns how many reports there were.
static size_t cancel_each(const struct call *call)
{
    size_t report = 0;
    nbstage_status status;
    do {
        report++;
        snprintf(trial, sizeof trial, "%s, %s: cancelled at report %zu",
                 call->map->name, call->options, report);
        test_host = (struct test_host){.cancelled_report = report};
        status = make_afresh(call);
    } while (status == NBSTAGE_CANCELLED);
    expect("status", status, call->expected.status);
    expect("cancelled", test_host.progress_count < report, true);
    return report - 1;
}

// Returns an instance that has made what is expected of the call.
static struct nbstage_instance *begin(struct call *call)
{
    struct nbstage_instance *instance = plugin_create(call->options);
    call->expected = make(built, instance, call->map);
    call->expected_next = make(built, instance, call->next_map);
    return instance;
}

static void try_small(const struct nbstage_map *map, const char *options)
{
    struct call call = {map, map, options, .stride = 1};
    struct nbstage_instance *instance = begin(&call);
    refuse_each(&call, 1);
    refuse_each(&call, SIZE_MAX);
    cancel_each(&call);
    built->destroy(instance);
}

TEST(no_version_is_served_before_the_first)
{
    ck_assert_ptr_null(nbstage_describe(0));
    ck_assert_ptr_null(nbstage_describe(NBSTAGE_ABI + 1));
}

// --- By hand ---

// Of the map, this is more than 0.
static void expect_fact(const struct nbstage_map *map, const char *options,
                        const char *name)
{
    struct plugin_lump lump = plugin_build(map, options);
    expect(name, plugin_number(&lump, name) > 0, true);
    plugin_free(&lump);
}

// A fact that is not 0, or NULL where the map is bad; and how many reports
// there are at least, those of many being only cancelled.
static const struct {
    enum map_name map;
    const char *options, *fact;
    size_t reports;
} rows[] = {
    {MAP_COMPRESSED_NODES, "check-nodes=yes", "checked_segs", 2},
    {MAP_WITH_BLOCKMAP, "grid=keep check-nodes=yes", "checked_segs", 2},
    {MAP_WITH_BLOCKMAP, "lists=lump pack=nest", "entries", 2},
    {MAP_WITH_BLOCKMAP, "lists=lump check-nodes=yes", "checked_segs", 2},
    {MAP_WITH_BLOCKMAP, "prune=none grid=id", "lists", 2},
    {MAP_WITH_BLOCKMAP, "format=xbm1 pack=nest for=crispy", "lists", 2},
    {MAP_WITH_BLOCKMAP, "grid=fit pack=nest for=boom", "lists", 2},
    {MAP_WITH_BLOCKMAP, "prune=inert", "pruned_inert", 2},
    {MAP_ROOMS, "grid=id", "lists", 2},
    {MAP_ROOMS, "grid=9,9", NULL, 0}, // does not fit
    {MAP_FRACTIONS, "format=xbm1", "lists", 2},
    {MAP_ADDED_VERTEX, "check-nodes=yes", "checked_segs", 2},
    {MAP_CORNER, "grid=search pack=nest", "placements_built", 2},
    {MAP_CORNER, "grid=search for=everywhere", "lists", 2},
    {MAP_WIDE, "for=everywhere overflow=empty", "over_limit", 2},
    {MAP_LARGE, "for=everywhere grid=fit overflow=xbm1", "over_limit", 2},
    {MAP_CROWDED, "for=everywhere overflow=merge", "merges", 2},
    {MAP_CROWDED, "for=doom19 overflow=merge pack=nest", "merges", 2},
    {MAP_CROWDED, "for=everywhere overflow=merge pack=nest", "merges", 2},
    {MAP_FULL, "for=limit-removing overflow=merge pack=nest", "merges", 2},
    {MAP_NESTED, "", "entries", 2}, // nested again
    {MAP_NESTED, "lists=lump pack=share", "entries", 2}, // advised to nest
    {MAP_WITH_BLOCKMAP, "lists=lump", "kept", 2},
    {MAP_WIDE, "format=xbm1 pack=nest", "lists", 18},
    {MAP_LONG, "for=everywhere overflow=merge", "merges", 31},
    {MAP_REPEATED, "lists=lump", "lists", 4},
};

LOOP_TEST(builds_may_end_at_any_request_and_report, COUNT(rows))
{
    const bool is_large = rows[_i].map >= MAP_LARGE;
    const char *sanitizers = getenv("SANITIZE_FLAGS");
    struct call call = {
        .map = &maps[rows[_i].map],
        .next_map = &maps[is_large ? MAP_WITH_BLOCKMAP : rows[_i].map],
        .options = rows[_i].options,
        // Slow builds skip some.
        .stride = !is_large                   ? 1
                  : sanitizers && *sanitizers ? 8
                                              : SLOWNESS,
    };
    struct nbstage_instance *instance = begin(&call);
    expect("status", call.expected.status,
           rows[_i].fact ? NBSTAGE_OK : NBSTAGE_BAD_MAP);
    if (rows[_i].fact)
        expect_fact(call.map, rows[_i].options, rows[_i].fact);
    if (rows[_i].reports <= 2) {
        refuse_each(&call, 1);
        if (!is_large)
            refuse_each(&call, SIZE_MAX);
    }
    ck_assert_uint_ge(cancel_each(&call), rows[_i].reports);
    built->destroy(instance);
}

// --- Every form of a map and every choice ---

LOOP_TEST(builds_may_end_on_every_map, MAP_FAR)
{
    try_small(&maps[_i], "prune=inert");
}

// Lumps that lack their last byte, one by one.
LOOP_TEST(builds_may_end_on_damaged_maps, 3)
{
    static const char *const options[] = {
        "prune=inert", "grid=keep check-nodes=yes", "lists=lump"};
    static const size_t whole[] = {MAP_WITH_BLOCKMAP, FORM_HEXEN,
                                   MAP_COMPRESSED_NODES};
    struct lump_set view = sets[whole[_i]];
    memset(view.owned, 0, sizeof view.owned);
    for (size_t i = 0; i < view.count; i++) {
        view.lumps[i].data_size--;
        struct nbstage_map map = lump_set_map(&view);
        for (size_t o = 0; o < COUNT(options); o++)
            try_small(&map, options[o]);
        view.lumps[i].data_size++;
    }
}

int main(void)
{
    TCase *tests = all_tests();
    built = plugin_stage();
    plain = nbstage_describe(NBSTAGE_ABI);
    make_maps();
    int status = run_tests(tests);
    free_maps();
    return status;
}
