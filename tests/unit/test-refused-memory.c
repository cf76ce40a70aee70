// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a build or a decoding may end at any request for memory, refused
// alone or with all that follow, and at any report of progress, for every
// choice of every option and every form of a map.  The call returns the status,
// a sentence that names the map, and nothing made, or what it returns with all
// memory; nothing is reported after a wish to cancel; the instance then builds
// the same as a new one; and no memory is left.
//
// The pool of the module may make up for a refused request, so the module is
// linked without one; nbstage-check tests the built module.

#include "config.h"

#include "buffer.h"
#include "closed-map.h"
#include "context-for-tests.h"
#include "pool.h"
#include "pruned-room.h"
#include "random-map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    MAP_CORNER,        // in the south-west, where few origins can be searched
    MAP_WITH_BLOCKMAP, // and nodes, there too
    MAP_ADDED_VERTEX,  // a line refers to one that the nodes add
    MAP_FRACTIONS,     // of map units
    MAP_FAR,           // two points there, with many blocks between them
    MAP_REAL,
    MAP_CLOSED,   // with lines that nothing reaches
    MAP_LARGE,    // beyond the vanilla limit
    MAP_CROWDED,  // the same, with few blocks
    MAP_FULL,     // beyond the extended limit, with few blocks
    MAP_LONG,     // beyond the vanilla limit, with many lists to merge
    MAP_WIDE,     // many long lists, which contain each other hardly ever
    MAP_NESTED,   // its lump meets the vanilla limit by nesting
    MAP_REPEATED, // over 2^20 linedefs in the lists of its lump
    MAP_DAMAGED,  // this and those that follow
    MAP_MOST = MAP_DAMAGED + 64
};

// Some lumps belong to a map, some to a file that stays open.
static struct {
    struct lump_set set;
    struct nbstage_map map;
} maps[MAP_MOST];

static size_t map_count = MAP_DAMAGED;
static struct room_arrays arrays[FORM_COUNT];
static struct wadfile sample;
static struct random_map scattered[MAP_DAMAGED];

static void put_map(size_t name, struct lump_set set)
{
    maps[name].set = set;
    maps[name].map = lump_set_map(&maps[name].set);
}

static void make_rooms(void)
{
    for (size_t i = 0; i < FORM_COUNT; i++) {
        put_map(i, room_make_lumps(&room_plain, (enum form)i));
        if (i == FORM_DOOM_ARRAYS || i == FORM_HEXEN_ARRAYS)
            room_make_arrays(&room_plain, (enum form)i, &arrays[i],
                             &maps[i].map);
    }
    put_map(MAP_COMPRESSED_DOOM,
            lump_set_compressed(&maps[MAP_ROOM_DOOM].set, NBSTAGE_GZIP));
    put_map(MAP_COMPRESSED_UDMF,
            lump_set_compressed(&maps[MAP_ROOM_UDMF].set, NBSTAGE_ZLIB));
    struct lump_set set = room_make_lumps(&room_plain, FORM_UDMF);
    lump_set_add(&set, "ZNODES", room_make_nodes(&room_plain, "ZNOD"));
    put_map(MAP_COMPRESSED_NODES, set);
    struct room room = room_plain;
    room.lines[LINES - 1].v2 = VERTICES;
    set = room_make_lumps(&room, FORM_UDMF);
    lump_set_add(&set, "ZNODES", room_make_nodes(&room, "ZNOD"));
    put_map(MAP_ADDED_VERTEX, set);
}

// Nine grids are possible there.
static struct room make_corner(void)
{
    struct room room = room_plain;
    for (size_t i = 0; i < VERTICES; i++)
        for (size_t axis = 0; axis < 2; axis++)
            room.vertices[i][axis] += INT16_MIN + 2;
    return room;
}

static void make_rooms_in_corner(void)
{
    const struct room room = make_corner();
    struct buffer blockmap = {0};
    put_map(MAP_CORNER, room_make_lumps(&room, FORM_UDMF));
    struct plugin_lump lump =
        plugin_build(&maps[MAP_CORNER].map, "grid=fit pack=nest");
    buffer_put(&blockmap, lump.bytes, lump.size);
    plugin_free(&lump);
    struct lump_set set = room_make_lumps(&room, FORM_DOOM);
    lump_set_add(&set, "BLOCKMAP", blockmap);
    lump_set_add(&set, "NODES", room_make_nodes(&room, "ZNOD"));
    put_map(MAP_WITH_BLOCKMAP, set);
}

// Lumps that lack their last byte, one by one: of their contents, which are
// then compressed, or as they are compressed already.
static void make_damaged(enum map_name whole)
{
    struct lump_set view = maps[whole].set;
    memset(view.owned, 0, sizeof view.owned);
    for (size_t i = 0; i < view.count; i++) {
        if (map_count == MAP_MOST)
            abort_with("%d maps are too few", MAP_MOST);
        view.lumps[i].data_size--;
        put_map(map_count++, view.lumps[i].compression == NBSTAGE_PLAIN
                                 ? lump_set_compressed(&view, NBSTAGE_ZLIB)
                                 : view);
        view.lumps[i].data_size++;
    }
}

static void put_scattered(enum map_name name, struct scatter scatter)
{
    scattered[name] = scattered_map_make(&scatter);
    maps[name].map = random_map_arrays(&scattered[name], "MAP01");
}

// Gives a scattered map a lump.
static void put_blockmap(enum map_name name, struct buffer blockmap)
{
    struct lump_set *set = &maps[name].set;
    lump_set_add(set, "BLOCKMAP", blockmap);
    maps[name].map.lumps = set->lumps;
    maps[name].map.lump_count = set->count;
}

static void make_wide(void)
{
    put_scattered(MAP_WIDE, (struct scatter){1, 1200, 32767, 32766});
    for (size_t v = 0; v < scattered[MAP_WIDE].vertex_count; v++) {
        struct nbstage_vertex *vertex = &scattered[MAP_WIDE].vertices[v];
        vertex->x = (int32_t)(2 * (int64_t)vertex->x + INT32_MIN);
        vertex->y = (int32_t)(2 * (int64_t)vertex->y + INT32_MIN);
    }
}

// Every block of its lump has the one list, of all linedefs.
static void make_repeated(void)
{
    enum { LINE_COUNT = 1200, SIDE = 32, BLOCKS = SIDE * SIDE };
    struct buffer lump = {0};
    buffer_put(&lump, "XBM1\0\0\0", 8);
    for (size_t i = 0; i < 2; i++)
        buffer_put_u32(&lump, 0); // origin
    for (size_t i = 0; i < 2; i++)
        buffer_put_u32(&lump, SIDE);
    for (size_t b = 0; b < BLOCKS; b++)
        buffer_put_u32(&lump, 4 + BLOCKS);
    buffer_put_u32(&lump, 0); // header
    for (uint32_t line = 0; line < LINE_COUNT; line++)
        buffer_put_u32(&lump, line);
    buffer_put_u32(&lump, UINT32_MAX);
    put_scattered(MAP_REPEATED, (struct scatter){2, LINE_COUNT, 4000, 300});
    put_blockmap(MAP_REPEATED, lump);
}

static void make_nested(void)
{
    struct buffer blockmap = {0};
    put_scattered(MAP_NESTED, (struct scatter){2, 2100, 8000, 2000});
    struct plugin_lump lump = plugin_build(&maps[MAP_NESTED].map, "pack=nest");
    buffer_put(&blockmap, lump.bytes, lump.size);
    plugin_free(&lump);
    put_blockmap(MAP_NESTED, blockmap);
}

static void make_closed(void)
{
    static const struct closed_shape shape = {6, 6, 40, 100, true, true};
    struct random_stream stream = {1};
    struct closed_map map = closed_map_make(&shape, &stream);
    put_map(MAP_CLOSED, closed_map_lumps(&map));
    closed_map_free(&map);
}

static void make_maps(void)
{
    static const struct nbstage_vertex points[] = {
        {INT32_MIN, INT32_MIN}, {-19000 * UNIT, -19000 * UNIT}};
    static const struct nbstage_line lines[] = {{.v1 = 0, .v2 = 0},
                                                {.v1 = 1, .v2 = 1}};
    static const struct nbstage_vertex fractions[] = {{UNIT / 2, 0},
                                                      {500 * UNIT + 1, UNIT}};
    static const struct nbstage_line line = {.v1 = 0, .v2 = 1};
    char path[4096];
    const char *source = getenv("SOURCE_DIR");
    snprintf(path, sizeof path, "%s/samples/freedoom-sample.wad",
             source ? source : ".");
    make_rooms();
    make_rooms_in_corner();
    make_damaged(MAP_WITH_BLOCKMAP);
    make_damaged(MAP_ROOM_HEXEN);
    make_damaged(MAP_COMPRESSED_NODES);
    make_damaged(MAP_COMPRESSED_DOOM);
    maps[MAP_FAR].map = plugin_map_from_arrays("MAP01", points, 2, lines, 2);
    maps[MAP_FRACTIONS].map =
        plugin_map_from_arrays("MAP01", fractions, 2, &line, 1);
    sample = wadfile_read(path);
    put_map(MAP_REAL, lump_set_from_wad(&sample.maps[0]));
    put_scattered(MAP_LARGE, (struct scatter){2, 1100, 7000, 6500});
    put_scattered(MAP_CROWDED, (struct scatter){2, 14800, 384, 380});
    put_scattered(MAP_FULL, (struct scatter){2, 24000, 384, 380});
    put_scattered(MAP_LONG, (struct scatter){2, 2500, 8000, 2000});
    make_closed();
    make_wide();
    make_nested();
    make_repeated();
}

static void free_maps(void)
{
    for (size_t i = 0; i < MAP_MOST; i++)
        lump_set_free(&maps[i].set);
    for (size_t i = 0; i < MAP_DAMAGED; i++)
        random_map_free(&scattered[i]);
    wadfile_free(&sample);
}

// ---------------------------------------------------------------------------
// Rows

static const struct nbstage_descriptor *built; // the module
static const struct nbstage_descriptor *plain; // without a pool

const struct nbstage_descriptor *nbstage_describe(uint32_t abi);

// What a call has made.
struct made {
    nbstage_status status;
    struct nbstage_result result;
    struct nbstage_decoded decoded;
};

static struct made build(const struct nbstage_descriptor *stage,
                         struct nbstage_instance *instance,
                         const struct nbstage_map *map)
{
    struct made made = {.result.size = sizeof made.result};
    made.status = stage->build(instance, map, &made.result);
    return made;
}

static struct made decode(const struct nbstage_descriptor *stage,
                          struct nbstage_instance *instance,
                          const struct nbstage_map *map)
{
    struct made made = {.decoded.size = sizeof made.decoded};
    made.status = stage->decode(instance, map, &made.decoded);
    return made;
}

typedef struct made maker(const struct nbstage_descriptor *stage,
                          struct nbstage_instance *instance,
                          const struct nbstage_map *map);

struct row {
    maker *make;
    size_t map;
    char options[80];
    nbstage_status expected; // with all the memory there is
};

static const struct row written_rows[] = {
    {build, MAP_COMPRESSED_NODES, "check-nodes=yes", NBSTAGE_OK},
    {build, MAP_COMPRESSED_NODES, "lists=lump", NBSTAGE_BAD_MAP}, // has none
    {build, MAP_REAL, "grid=keep check-nodes=yes", NBSTAGE_OK},
    {build, MAP_REAL, "lists=lump", NBSTAGE_OK},
    {build, MAP_REAL, "lists=lump pack=nest", NBSTAGE_OK},
    {build, MAP_REAL, "lists=mbf", NBSTAGE_OK},
    {build, MAP_REAL, "lists=glbsp header=any", NBSTAGE_OK},
    {build, MAP_REAL, "lists=lump check-nodes=yes", NBSTAGE_BAD_MAP},
    {build, MAP_REAL, "prune=none bounds=vertices pack=none", NBSTAGE_OK},
    {build, MAP_REAL, "format=xbm1 pack=cover header=none", NBSTAGE_OK},
    {build, MAP_REAL, "grid=fit pack=nest header=any", NBSTAGE_OK},
    {build, MAP_ROOM_DOOM, "grid=id", NBSTAGE_OK},
    {build, MAP_ROOM_DOOM, "grid=-9,-9", NBSTAGE_OK},
    {build, MAP_ROOM_DOOM, "grid=9,9", NBSTAGE_BAD_MAP}, // does not fit
    {build, MAP_FRACTIONS, "format=xbm1", NBSTAGE_OK},
    {build, MAP_ADDED_VERTEX, "check-nodes=yes", NBSTAGE_OK},
    {build, MAP_CORNER, "grid=search threads=1 pack=nest", NBSTAGE_OK},
    {build, MAP_CORNER, "grid=search threads=3", NBSTAGE_OK},
    {build, MAP_CORNER, "grid=search threads=1 limit=vanilla pack=cover",
     NBSTAGE_OK},
    {build, MAP_FAR, "pack=none overflow=error limit=vanilla",
     NBSTAGE_OVER_LIMIT},
    {build, MAP_LARGE, "limit=vanilla overflow=empty", NBSTAGE_OK},
    {build, MAP_LARGE, "limit=vanilla overflow=xbm1", NBSTAGE_OK},
    {build, MAP_CROWDED, "limit=vanilla overflow=merge", NBSTAGE_OK},
    {build, MAP_CROWDED, "for=doom19 overflow=merge pack=nest", NBSTAGE_OK},
    {build, MAP_CROWDED, "limit=vanilla overflow=merge pack=cover", NBSTAGE_OK},
    {build, MAP_FULL, "overflow=merge pack=nest", NBSTAGE_OK},
    {build, MAP_NESTED, "", NBSTAGE_OK},               // nested again
    {build, MAP_NESTED, "limit=extended", NBSTAGE_OK}, // the limit is lost
    {build, MAP_NESTED, "lists=lump pack=none", NBSTAGE_OK},        // kept
    {build, MAP_WITH_BLOCKMAP, "lists=lump pack=none", NBSTAGE_OK}, // kept
    {build, MAP_REAL, "prune=inert", NBSTAGE_OK},
    {decode, MAP_REAL, "prune=inert", NBSTAGE_OK},
    {build, MAP_CLOSED, "prune=unreachable", NBSTAGE_OK},
    // Over the limit by its blocks alone, so pruning goes on and is undone.
    {build, MAP_CLOSED,
     "grid=-32768,-32768 pack=none limit=vanilla "
     "overflow=inert,unreachable,xbm1",
     NBSTAGE_OK},
};

// Where nesting, covering, merging and reading report now and then, so often at
// least.  They are only cancelled.
static const struct {
    struct row row;
    size_t reports;
} reporting[] = {
    {{build, MAP_WIDE, "format=xbm1 pack=nest", NBSTAGE_OK}, 18},
    {{build, MAP_WIDE, "format=xbm1 pack=cover", NBSTAGE_OK}, 16},
    {{build, MAP_LONG, "limit=vanilla overflow=merge", NBSTAGE_OK}, 76},
    {{build, MAP_REPEATED, "lists=lump", NBSTAGE_OK}, 6},
};

enum { ROWS_MOST = 512, ANY_STATUS = -1 };
static struct row rows[ROWS_MOST];
static size_t row_count;

// Adds a row with options before an option and its value.
static void add_row(maker *make, size_t map, nbstage_status expected,
                    const char *options, const char *name, const char *value)
{
    if (row_count == ROWS_MOST)
        abort_with("%d rows are too few", ROWS_MOST);
    struct row *row = &rows[row_count++];
    *row = (struct row){.make = make, .map = map, .expected = expected};
    snprintf(row->options, sizeof row->options, "%s %s=%s", options, name,
             value);
}

// Adds rows for a choice, or for the ends of a range.
static void add_rows_of_value(const char *name, const char *value)
{
    add_row(build, MAP_WITH_BLOCKMAP, ANY_STATUS, "", name, value);
    add_row(build, MAP_FAR, ANY_STATUS, "limit=vanilla pack=none", name, value);
}

static void add_rows_of_option(const struct nbstage_option *option)
{
    char number[24];
    for (size_t i = 0; i < option->choice_count; i++)
        add_rows_of_value(
            option->name,
            NBSTAGE_AT(struct nbstage_choice, option->choices, i)->name);
    for (int i = 0; option->type == NBSTAGE_OPTION_INTEGER && i < 2; i++) {
        snprintf(number, sizeof number, "%" PRId64,
                 i == 0 ? option->minimum : option->maximum);
        add_rows_of_value(option->name, number);
    }
}

static void add_rows_of_map(size_t map)
{
    nbstage_status expected = map < MAP_DAMAGED ? NBSTAGE_OK : ANY_STATUS;
    add_row(build, map, expected, "", "prune", "inert");
    add_row(decode, map, expected, "", "prune", "inert");
    if (map >= MAP_DAMAGED) {
        add_row(build, map, expected, "grid=keep", "check-nodes", "yes");
        add_row(build, map, expected, "", "lists", "lump");
    }
}

static void make_rows(void)
{
    memcpy(rows, written_rows, sizeof written_rows);
    row_count = COUNT(written_rows);
    for (size_t i = 0; i < built->option_count; i++)
        add_rows_of_option(
            NBSTAGE_AT(struct nbstage_option, built->options, i));
    for (size_t map = 0; map < map_count; map++)
        if (map < MAP_FAR || map >= MAP_DAMAGED)
            add_rows_of_map(map);
}

// ---------------------------------------------------------------------------
// Comparing

// What is being tried, for messages.
static char trial[256];

static void expect(const char *what, long long value, long long expected)
{
    ck_assert_msg(value == expected, "%s: %s: expected %lld, was %lld", trial,
                  what, expected, value);
}

static void expect_same_bytes(const char *what, const void *bytes, size_t size,
                              const void *expected, size_t expected_size)
{
    expect(what, (long long)size, (long long)expected_size);
    if (size > 0)
        expect(what, memcmp(bytes, expected, size), 0);
}

// The steps of a build that fails are those up to where it fails, which may be
// somewhere else if memory was refused before.
static void expect_same_facts(const struct nbstage_result *result,
                              const struct nbstage_result *expected)
{
    expect("facts", (long long)result->fact_count,
           (long long)expected->fact_count);
    for (size_t i = 0; i < result->fact_count; i++) {
        const struct nbstage_fact *fact = &result->facts[i];
        const struct nbstage_fact *other = &expected->facts[i];
        expect(other->name, strcmp(fact->name, other->name), 0);
        if (result->lump_count > 0 || strcmp(fact->name, "steps") != 0)
            expect(other->name, fact->value, other->value);
        if (other->text)
            expect(other->name, strcmp(fact->text, other->text), 0);
    }
}

static void expect_same(const struct made *made, const struct made *expected)
{
    const struct nbstage_decoded *decoded = &made->decoded;
    const struct nbstage_decoded *other = &expected->decoded;
    expect("status", made->status, expected->status);
    expect("lumps", (long long)made->result.lump_count,
           (long long)expected->result.lump_count);
    if (made->result.lump_count > 0)
        expect_same_bytes(
            "lump", made->result.lumps->data, made->result.lumps->data_size,
            expected->result.lumps->data, expected->result.lumps->data_size);
    expect_same_facts(&made->result, &expected->result);
    expect_same_bytes("vertices", decoded->vertices,
                      decoded->vertex_count * sizeof *decoded->vertices,
                      other->vertices,
                      other->vertex_count * sizeof *other->vertices);
    expect_same_bytes("lines", decoded->lines,
                      decoded->line_count * sizeof *decoded->lines,
                      other->lines, other->line_count * sizeof *other->lines);
    expect_same_bytes("sectors", decoded->sectors,
                      decoded->sector_count * sizeof *decoded->sectors,
                      other->sectors,
                      other->sector_count * sizeof *other->sectors);
    expect("left_out", !decoded->left_out, !other->left_out);
    if (decoded->left_out)
        expect_same_bytes("left_out", decoded->left_out, decoded->line_count,
                          other->left_out, other->line_count);
}

static void expect_nothing(const struct made *made)
{
    const struct nbstage_result *result = &made->result;
    const struct nbstage_decoded *decoded = &made->decoded;
    expect("lumps", result->lumps || result->lump_count, false);
    expect("facts but the steps", result->fact_count > 1, false);
    expect("vertices", decoded->vertices || decoded->vertex_count, false);
    expect("lines", decoded->lines || decoded->line_count, false);
    expect("sectors", decoded->sectors || decoded->sector_count, false);
    expect("left_out", decoded->left_out != NULL, false);
}

// ---------------------------------------------------------------------------
// Trials

// A pool that keeps nothing and has no limit, which the module is linked with:
// every request reaches the host.

void pool_limit(struct pool *pool, size_t bytes)
{
    (void)pool;
    (void)bytes;
}

void *pool_allocate(void *user, size_t bytes)
{
    const struct pool *pool = user;
    return pool->allocate(pool->user, bytes);
}

void pool_release(void *user, void *memory)
{
    const struct pool *pool = user;
    pool->release(pool->user, memory);
}

void pool_empty(struct pool *pool)
{
    (void)pool;
}

static size_t stride;       // of requests of large maps; slow builds skip some
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

// What a row makes, and a small map with the same options, when all is well.
static struct {
    struct made row;
    struct made next;
    bool has_threads;
} expected;

static const struct nbstage_map *next_map(const struct row *row)
{
    return &maps[row->map < MAP_FAR ? row->map : MAP_WITH_BLOCKMAP].map;
}

static void set_options(const struct nbstage_descriptor *stage,
                        struct nbstage_instance *instance, const char *options)
{
    char text[256];
    ck_assert_uint_lt(strlen(options), sizeof text);
    strcpy(text, options);
    for (char *rest = text, *name; (name = strtok_r(rest, " ", &rest));) {
        char *value = strchr(name, '=');
        *value++ = '\0';
        expect(name, stage->set_option(instance, name, value), NBSTAGE_OK);
    }
}

// Calls a row with an instance, and if that ends early, the instance again.
static nbstage_status call(struct nbstage_instance *instance,
                           const struct row *row)
{
    static const char *const facts[] = {
        [NBSTAGE_OUT_OF_MEMORY] = "memory", [NBSTAGE_CANCELLED] = "cancelled"};
    set_options(plain, instance, row->options);
    struct made made = row->make(plain, instance, &maps[row->map].map);
    if (made.status != NBSTAGE_OUT_OF_MEMORY &&
        made.status != NBSTAGE_CANCELLED) {
        expect_same(&made, &expected.row);
        return made.status;
    }
    expect_nothing(&made);
    assert_tells(plain->last_error(instance), facts[made.status], "MAP01");
    if (made.status == NBSTAGE_CANCELLED)
        expect("reports", (long long)test_host.progress_count,
               (long long)test_host.cancelled_report);
    test_host.refused_request = test_host.cancelled_report = 0;
    struct made next = row->make(plain, instance, next_map(row));
    expect_same(&next, &expected.next);
    return made.status;
}

// Makes an instance, and a call with it; returns how that ended.
static nbstage_status call_afresh(const struct row *row)
{
    struct nbstage_instance *instance;
    nbstage_status status = plain->create(&host, &instance);
    if (status == NBSTAGE_OK) {
        status = call(instance, row);
        plain->destroy(instance);
    } else {
        expect("status", status, NBSTAGE_OUT_OF_MEMORY);
        ck_assert_ptr_null(instance);
    }
    expect("blocks left", test_host.blocks != NULL, 0);
    return status;
}

static bool is_large(const struct row *row)
{
    return row->map >= MAP_LARGE && row->map < MAP_DAMAGED;
}

// Refuses the requests from each on, `count` of them.  Without a pool, none can
// be done without, except those of some of the threads that search.
static void refuse_each(const struct row *row, size_t count)
{
    size_t request = 0;
    size_t managed = 0; // without a request
    bool is_over = false;
    while (!is_over) {
        request += is_large(row) ? stride : 1;
        snprintf(trial, sizeof trial, "map %zu, %s: request %zu refused%s",
                 row->map, row->options, request,
                 count > 1 ? " and all that follow" : "");
        test_host = (struct test_host){.refused_request = request};
        last_refused = count > 1 ? SIZE_MAX : request;
        nbstage_status status = call_afresh(row);
        is_over = test_host.request_count < request;
        managed += !is_over && status != NBSTAGE_OUT_OF_MEMORY;
        if (!expected.has_threads && !is_over)
            expect("status", status, NBSTAGE_OUT_OF_MEMORY);
    }
    if (count == 1 && strstr(row->options, "threads=3"))
        ck_assert_msg(managed > 0, "%s: expected fewer threads", trial);
}

static void cancel_each(const struct row *row, size_t least)
{
    size_t report = 0;
    nbstage_status status;
    do {
        report++;
        snprintf(trial, sizeof trial, "map %zu, %s: cancelled at report %zu",
                 row->map, row->options, report);
        test_host = (struct test_host){.cancelled_report = report};
        status = call_afresh(row);
    } while (status == NBSTAGE_CANCELLED);
    expect("status", status, expected.row.status);
    ck_assert_msg(test_host.progress_count < report,
                  "%s: expected to be cancelled, was not", trial);
    if (row->make == build && status == NBSTAGE_OK)
        ck_assert_msg(test_host.progress_count >= least,
                      "%s: expected at least %zu reports, was %zu", trial,
                      least, test_host.progress_count);
    if (row->make == decode && row->map <= MAP_ROOM_HEXEN)
        ck_assert_msg(report > 1, "%s: expected a report, was none", trial);
}

static bool has_threads(const struct row *row)
{
    const struct nbstage_fact *fact =
        plugin_find_fact(&expected.row.result, "placements");
    return fact && fact->value > 0 && !strstr(row->options, "threads=1");
}

// Returns an instance that has made what is expected of the row.
static struct nbstage_instance *begin_row(const struct row *row)
{
    struct nbstage_instance *instance = plugin_create(row->options);
    expected.row = row->make(built, instance, &maps[row->map].map);
    if (row->expected != ANY_STATUS)
        ck_assert_msg(expected.row.status == row->expected,
                      "map %zu, %s: expected %d, was %d: %s", row->map,
                      row->options, row->expected, expected.row.status,
                      built->last_error(instance));
    expected.next = row->make(built, instance, next_map(row));
    expected.has_threads = has_threads(row);
    return instance;
}

static void try_row(const struct row *row)
{
    struct nbstage_instance *instance = begin_row(row);
    if (row->map == MAP_CROWDED || row->map == MAP_FULL)
        ck_assert_msg(plugin_find_fact(&expected.row.result, "merges")->value >
                          0,
                      "%s: expected merges", row->options);
    if (row->map == MAP_LARGE)
        ck_assert_msg(!strstr(row->options, "empty") ||
                          expected.row.result.lumps->data_size == 0,
                      "%s: expected a lump over the limit", row->options);
    refuse_each(row, 1);
    if (!is_large(row))
        refuse_each(row, SIZE_MAX);
    cancel_each(row, 2);
    built->destroy(instance);
}

// Under sanitizers a process takes longer than most rows, so a test has
// several.
enum { TESTS = 32 };

LOOP_TEST(calls_may_end_at_any_request_and_report, TESTS)
{
    for (size_t i = (size_t)_i; i < row_count; i += TESTS)
        try_row(&rows[i]);
}

LOOP_TEST(calls_may_end_while_lists_are_made, COUNT(reporting))
{
    const struct row *row = &reporting[_i].row;
    struct nbstage_instance *instance = begin_row(row);
    cancel_each(row, reporting[_i].reports);
    built->destroy(instance);
}

int main(void)
{
    TCase *tests = all_tests();
    built = plugin_stage();
    plain = nbstage_describe(NBSTAGE_ABI);
    const char *sanitizers = getenv("SANITIZE_FLAGS");
    stride = sanitizers && *sanitizers ? 8 : SLOWNESS;
    make_maps();
    make_rows();
    int status = run_tests(tests);
    free_maps();
    return status;
}
