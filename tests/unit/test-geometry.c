// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the lists are exact: on thousands of random maps, dense in hard
// cases, the built module lists in every block the lines that touch it, no
// fewer and no more, whatever the grid, the packing and the layout of the
// arrays.  The truth is the oracle's, which is held to cases worked out by
// hand first.  And that finding them takes the room it has, and can be
// cancelled.
//
// LONG in the environment tries four times as many.  The seed is printed;
// SEED=number repeats a run.

#include "blocklists.h"
#include "buffer.h"
#include "context-for-tests.h"
#include "oracle.h"
#include "plugin.h"
#include "random-map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 1 << 16 }; // a map unit in 16.16

static uint64_t seed;

// --- The oracle ---

// A line in 16.16 from map units, with a fraction of 1/65536 units more.
#define AT(units, fraction) ((units)*UNIT + (fraction))

static const struct {
    struct oracle_line line;
    const char *blocks; // of a grid of 3 x 3 at 0,0; north row first
} worked_cases[] = {
    // Points: inside, on a west edge, on a south edge, on a corner.
    {{AT(5, 0), AT(5, 0), AT(5, 0), AT(5, 0)}, "... ... X.."},
    {{AT(128, 0), AT(5, 0), AT(128, 0), AT(5, 0)}, "... ... .X."},
    {{AT(128, -1), AT(5, 0), AT(128, -1), AT(5, 0)}, "... ... X.."},
    {{AT(5, 0), AT(256, 0), AT(5, 0), AT(256, 0)}, "X.. ... ..."},
    {{AT(128, 0), AT(128, 0), AT(128, 0), AT(128, 0)}, "... .X. ..."},
    // Along an edge and the smallest step below it.
    {{AT(0, 0), AT(128, 0), AT(300, 0), AT(128, 0)}, "... XXX ..."},
    {{AT(0, 0), AT(128, -1), AT(300, 0), AT(128, -1)}, "... ... XXX"},
    {{AT(256, 0), AT(10, 0), AT(256, 0), AT(128, 0)}, "... ..X ..X"},
    {{AT(256, -1), AT(128, 0), AT(256, -1), AT(10, 0)}, "... .X. .X."},
    // A rising diagonal passes a corner without touching its neighbours.
    {{AT(28, 0), AT(28, 0), AT(228, 0), AT(228, 0)}, "... .X. X.."},
    {{AT(228, 0), AT(228, 0), AT(28, 0), AT(28, 0)}, "... .X. X.."},
    // A falling one owns the corner's block with this one point.
    {{AT(28, 0), AT(228, 0), AT(228, 0), AT(28, 0)}, "... XX. .X."},
    {{AT(228, 0), AT(28, 0), AT(28, 0), AT(228, 0)}, "... XX. .X."},
    // The same, moved the smallest step off the corner to either side.
    {{AT(28, -1), AT(228, 0), AT(228, -1), AT(28, 0)}, "... X.. XX."},
    {{AT(28, 1), AT(228, 0), AT(228, 1), AT(28, 0)}, "... XX. .X."},
    {{AT(28, 1), AT(28, 0), AT(228, 1), AT(228, 0)}, "... .X. XX."},
    {{AT(28, 0), AT(28, 1), AT(228, 0), AT(228, 1)}, "... XX. X.."},
    // Ends on edges: the end belongs to the line, the open edge does not.
    {{AT(5, 0), AT(5, 0), AT(128, 0), AT(5, 0)}, "... ... XX."},
    {{AT(128, 0), AT(5, 0), AT(200, 0), AT(5, 0)}, "... ... .X."},
    {{AT(130, 0), AT(130, 0), AT(128, 0), AT(128, 0)}, "... .X. ..."},
    {{AT(126, 0), AT(126, 0), AT(128, 0), AT(128, 0)}, "... .X. X.."},
    {{AT(128, 0), AT(128, 0), AT(126, 0), AT(126, 0)}, "... .X. X.."},
};

TEST(oracle_knows_the_worked_cases)
{
    const struct oracle_grid grid = {0, 0, 3, 3};
    for (size_t i = 0; i < COUNT(worked_cases); i++)
        for (uint32_t row = 0; row < grid.rows; row++)
            for (uint32_t column = 0; column < grid.columns; column++) {
                char answer = oracle_is_in_block(&worked_cases[i].line, &grid,
                                                 column, row)
                                  ? 'X'
                                  : '.';
                char expected = worked_cases[i].blocks[4 * (2 - row) + column];
                ck_assert_msg(answer == expected,
                              "case %zu, column %" PRIu32 ", row %" PRIu32
                              ": expected %c, was %c",
                              i, column, row, expected, answer);
            }
}

// --- Random maps ---

static const struct {
    struct random_shape shape;
    uint32_t map_count;
} shapes[] = {
    {{"one block", 1, 1, 6}, 2500}, // columns, rows, lines; maps
    {{"a single line", 12, 12, 1}, 5000},
    {{"small", 6, 6, 16}, 15000},
    {{"medium", 30, 30, 60}, 1500},
    {{"wide", 512, 40, 12}, 500},
    {{"tall", 40, 512, 12}, 500},
    {{"large", 300, 300, 12}, 100}, // many over the limit
    {{"vast", 512, 512, 300}, 3},
    {{"of groups", 4, 4, 520}, 800}, // entries are found for 256 lines at once
};

// The most columns, and rows, that coordinates of 16 bits can fill.
enum { MOST_BLOCKS = 512 };

// A random map and the truth about it.
struct trial {
    char name[96]; // for messages, with what it takes to repeat it
    struct random_map map;
    struct oracle_line *lines;
    struct oracle_grid grid;
    struct oracle_entry_list truth;
};

// Builds with the grid of the trial.
static struct plugin_lump build(const struct trial *trial,
                                const struct nbstage_map *map, const char *pack)
{
    char options[128];
    snprintf(options, sizeof options, "%s %s", trial->map.grid_option, pack);
    return plugin_build(map, options);
}

static bool is_id(const struct trial *trial)
{
    return strcmp(trial->map.grid_option, "grid=id") == 0;
}

// Whether a grid encloses all lines, and with grid=id also all vertices.
static bool encloses(const struct trial *trial, struct oracle_grid grid)
{
    bool answer = oracle_encloses(&grid, trial->lines, trial->map.line_count);
    for (size_t v = 0; is_id(trial) && v < trial->map.vertex_count; v++) {
        const struct plain_vertex at = trial->map.vertices[v];
        const struct oracle_line point = {at.x, at.y, at.x, at.y};
        answer = answer && oracle_encloses(&grid, &point, 1);
    }
    return answer;
}

// The grid has to begin where it was asked to and to be as small as it can
// be; DoomBSP's way, grid=id, may leave a column and a row to spare.
static void check_grid(const struct trial *trial)
{
    struct oracle_grid grid = trial->grid;
    uint32_t spare = is_id(trial) ? 1 : 0;
    struct oracle_grid narrower = grid;
    struct oracle_grid lower = grid;
    narrower.columns -= spare + 1;
    lower.rows -= spare + 1;
    if (grid.origin_x != trial->map.origin_x ||
        grid.origin_y != trial->map.origin_y || !encloses(trial, grid) ||
        (grid.columns > spare && encloses(trial, narrower)) ||
        (grid.rows > spare && encloses(trial, lower)) ||
        grid.columns > MOST_BLOCKS || grid.rows > MOST_BLOCKS)
        ck_abort_msg("%s: %" PRIu32 " columns, %" PRIu32 " rows from %" PRId32
                     ",%" PRId32 "; asked for %" PRId32 ",%" PRId32,
                     trial->name, grid.columns, grid.rows, grid.origin_x,
                     grid.origin_y, trial->map.origin_x, trial->map.origin_y);
}

static void check_lists(const struct trial *trial,
                        const struct plugin_lump *lump,
                        enum blocklists_header header)
{
    struct blocklists lists = blocklists_read(lump->bytes, lump->size);
    if (memcmp(&lists.grid, &trial->grid, sizeof lists.grid) != 0)
        ck_abort_msg("%s: the header is not that of the grid", trial->name);
    blocklists_check(trial->name, &lists, header, &trial->truth);
    blocklists_free(&lists);
}

// The address of an element, which stands for its number.
static const unsigned char *element_at(const struct nbstage_array *array,
                                       size_t index)
{
    const unsigned char *at =
        (const unsigned char *)array->data + index * array->stride;
    const unsigned char *target;
    if (array->kind != NBSTAGE_POINTERS)
        return at;
    memcpy(&target, at, sizeof target);
    return target;
}

// Stores a number; `fixed` is 16.16 in the types that can have fractions, and
// in whole numbers of map units without them.
static void put_number(unsigned char *at, uint32_t type,
                       const struct nbstage_array *targets, int32_t fixed)
{
    const int32_t whole = targets ? fixed : fixed / UNIT;
    const uint16_t half = (uint16_t)whole;
    const int64_t both = whole;
    const float single = (float)fixed / UNIT;
    const double number = (double)fixed / UNIT;
    const unsigned char *target;
    switch (type) {
    case NBSTAGE_U16:
    case NBSTAGE_I16:
        memcpy(at, &half, sizeof half);
        break;
    case NBSTAGE_U64:
    case NBSTAGE_I64:
        memcpy(at, &both, sizeof both);
        break;
    case NBSTAGE_FLOAT:
        memcpy(at, &single, sizeof single);
        break;
    case NBSTAGE_DOUBLE:
        memcpy(at, &number, sizeof number);
        break;
    case NBSTAGE_POINTER:
        target = element_at(targets, (size_t)whole);
        memcpy(at, &target, sizeof target);
        break;
    default:
        memcpy(at, type == NBSTAGE_FIXED ? &fixed : &whole, sizeof fixed);
    }
}

// A copy of pairs of numbers, described in a random way: any of the types, each
// of its own, at any offsets, with anything but zeros between; the array may
// have pointers to the elements.  `targets` are what numbers are of, NULL for
// coordinates.
static void *describe(struct random_stream *stream, const void *pairs,
                      size_t pair_size, const struct nbstage_array *targets,
                      const uint32_t *types, uint32_t type_count,
                      struct nbstage_array *array, struct nbstage_member *first,
                      struct nbstage_member *second)
{
    enum { SPACE = 64 };
    const size_t count = array->count;
    const bool has_pointers = random_below(stream, 4) == 0;
    const bool is_turned = (random_below(stream, 2) == 0);
    unsigned char *elements = malloc(SPACE * count);
    ck_assert_ptr_nonnull(elements);
    memset(elements, 0xA5, SPACE * count);
    array->stride = has_pointers ? sizeof(void *) + random_below(stream, 5)
                                 : 40 + random_below(stream, 24);
    array->kind = has_pointers ? NBSTAGE_POINTERS : NBSTAGE_ELEMENTS;
    struct nbstage_member members[2];
    for (uint32_t m = 0; m < 2; m++) {
        members[m].type = types[random_below(stream, type_count)];
        members[m].offset = (m == is_turned ? 0 : 16) + random_below(stream, 8);
    }
    for (size_t i = 0; i < count; i++) {
        unsigned char *element =
            elements +
            (has_pointers ? SPACE * (count - 1 - i) : array->stride * i);
        for (size_t m = 0; m < 2; m++) {
            int32_t number;
            memcpy(&number, (const char *)pairs + i * pair_size + 4 * m, 4);
            put_number(element + members[m].offset, members[m].type, targets,
                       number);
        }
    }
    *first = members[0];
    *second = members[1];
    array->data = elements;
    if (!has_pointers)
        return elements;
    unsigned char *pointers = malloc(count * array->stride);
    ck_assert_ptr_nonnull(pointers);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *element = elements + SPACE * (count - 1 - i);
        memcpy(pointers + i * array->stride, &element, sizeof element);
    }
    array->data = pointers;
    return elements;
}

static void forget(const struct nbstage_array *array, void *elements)
{
    if (array->data != elements)
        free((void *)(uintptr_t)array->data);
    free(elements);
}

// Hands the arrays over as hosts may have them.
static void check_descriptions(const struct trial *trial,
                               const struct plugin_lump *lump,
                               struct random_stream *stream)
{
    static const uint32_t coordinates[] = {NBSTAGE_FIXED, NBSTAGE_DOUBLE,
                                           NBSTAGE_I16,   NBSTAGE_I32,
                                           NBSTAGE_I64,   NBSTAGE_FLOAT};
    static const uint32_t numbers[] = {NBSTAGE_U32,     NBSTAGE_I32,
                                       NBSTAGE_U64,     NBSTAGE_I64,
                                       NBSTAGE_POINTER, NBSTAGE_U16};
    const struct random_map *random = &trial->map;
    struct nbstage_map map = RANDOM_MAP(random, trial->name);
    struct nbstage_vertices vertices = *map.vertices;
    struct nbstage_lines lines = *PLAIN_ENDS(NULL, random->line_count);
    uint32_t fractions = 0;
    for (size_t i = 0; i < random->vertex_count; i++)
        fractions |= (uint32_t)(random->vertices[i].x | random->vertices[i].y);
    void *points = describe(stream, random->vertices, sizeof *random->vertices,
                            NULL, coordinates, fractions & 0xFFFF ? 2 : 6,
                            &vertices.array, &vertices.x, &vertices.y);
    void *walls =
        describe(stream, random->lines, sizeof *random->lines, &vertices.array,
                 numbers, random->vertex_count > UINT16_MAX ? 5 : 6,
                 &lines.array, &lines.v1, &lines.v2);
    map.vertices = &vertices;
    map.lines = &lines;
    struct plugin_lump other = build(trial, &map, "pack=share");
    plugin_check_same(trial->name, &other, lump);
    plugin_free(&other);
    forget(&vertices.array, points);
    forget(&lines.array, walls);
}

// Shared lists are held against the truth.
static void check_trial(struct trial *trial, struct random_stream *stream)
{
    struct nbstage_map map = RANDOM_MAP(&trial->map, trial->name);
    struct plugin_lump shared = build(trial, &map, "pack=share");
    trial->grid = (struct oracle_grid){
        (int32_t)plugin_number(&shared, "origin_x"),
        (int32_t)plugin_number(&shared, "origin_y"),
        (uint32_t)plugin_number(&shared, "columns"),
        (uint32_t)plugin_number(&shared, "rows"),
    };
    check_grid(trial);
    trial->truth =
        oracle_find_entries(&trial->grid, trial->lines, trial->map.line_count);
    if (shared.size > 0) {
        check_lists(trial, &shared, LISTS_APART);
    } else { // a classic lump has no room for the lists
        struct plugin_lump lump = build(trial, &map, "format=xbm1");
        check_lists(trial, &lump, LISTS_ZERO);
        plugin_free(&lump);
    }
    int64_t entries = plugin_number(&shared, "entries");
    if (entries != (int64_t)trial->truth.count)
        ck_abort_msg("%s: told of %" PRId64 " entries; there are %zu",
                     trial->name, entries, trial->truth.count);
    check_descriptions(trial, &shared, stream);
    plugin_free(&shared);
}

// Each map has a stream of its own, so that it does not depend on the maps
// before it.
static struct random_stream stream_for(size_t shape, uint32_t number)
{
    struct random_stream stream = {seed};
    stream.state = random_next(&stream) + shape;
    stream.state = random_next(&stream) + number;
    return stream;
}

static void try_map(size_t shape, uint32_t number)
{
    struct random_stream stream = stream_for(shape, number);
    struct trial trial = {.map =
                              random_map_make(&shapes[shape].shape, &stream)};
    snprintf(trial.name, sizeof trial.name,
             "SEED=%" PRIu64 " %s %" PRIu32 ", %s", seed,
             shapes[shape].shape.name, number, trial.map.grid_option);
    trial.lines = random_map_oracle_lines(&trial.map);
    check_trial(&trial, &stream);
    oracle_free_entries(&trial.truth);
    free(trial.lines);
    random_map_free(&trial.map);
}

LOOP_TEST(lists_are_exact, COUNT(shapes))
{
    const uint32_t times = getenv("LONG") ? 4 : 1;
    for (uint32_t i = 0; i < times * shapes[_i].map_count; i++)
        try_map((size_t)_i, i);
}

// Short lines all over the space that coordinates have, with some that go
// anywhere; some at the edges of their blocks, or a step below.
TEST(many_lines_come_out_exact)
{
    enum { ANYWHERE = 1000, EDGE = 7 };
    const uint32_t count = 250000 * (getenv("LONG") ? 4 : 1);
    static const struct oracle_grid whole = {INT16_MIN, INT16_MIN, 512, 512};
    const struct scatter scatter = {seed, count, 32767, 50};
    struct random_map map = scattered_map_make(&scatter);
    for (size_t v = 0; v < map.vertex_count; v++) {
        struct plain_vertex *at = &map.vertices[v];
        at->x = (int32_t)(2 * (int64_t)at->x + INT32_MIN);
        at->y = (int32_t)(2 * (int64_t)at->y + INT32_MIN);
        if (v % EDGE == 0)
            at->x = (at->x & -(128 * UNIT)) - (v % 2 && at->x > 0);
    }
    for (uint32_t i = 0; i < count; i += ANYWHERE)
        map.lines[i].v2 = i * 7 % count;
    map.lines[0].v2 = 1; // from one end of the space to the other
    map.vertices[0] = (struct plain_vertex){INT32_MIN, INT32_MIN};
    map.vertices[1] = (struct plain_vertex){INT32_MAX, INT32_MAX};
    const struct nbstage_map arrays = RANDOM_MAP(&map, "LARGE");
    struct plugin_lump lump = plugin_build(&arrays, "overflow=xbm1");
    struct oracle_line *lines = random_map_oracle_lines(&map);
    struct blocklists lists = blocklists_read(lump.bytes, lump.size);
    struct oracle_entry_list truth = oracle_find_entries(&whole, lines, count);
    ck_assert_mem_eq(&lists.grid, &whole, sizeof whole);
    blocklists_check("many lines", &lists, LISTS_APART, &truth);
    oracle_free_entries(&truth);
    blocklists_free(&lists);
    free(lines);
    plugin_free(&lump);
    random_map_free(&map);
}

// --- Room and progress ---

// A group whose entries end around where the room does that entries_find begins
// with; tools that watch memory notice what is written beyond.
TEST(room_ends_at_every_place)
{
    enum { LINES = 256, AROUND = 12, ROOM = LINES + LINES / 4 * 3 + LINES * 4 };
    struct random_map random;
    random_map_allocate(&random, 3, LINES);
    struct nbstage_map map = RANDOM_MAP(&random, "MAP01");
    random.lines[0].v1 = 2;
    for (size_t i = 1; i < LINES - 1; i++) // the last one stays a point
        random.lines[i].v2 = 1;
    random.vertices[0].x = 250 * 128 * UNIT;
    random.vertices[1].x = 253 * 128 * UNIT; // four blocks
    for (int32_t count = ROOM - AROUND; count <= ROOM + AROUND; count++) {
        int32_t others = 4 * (LINES - 2) + 1;
        random.vertices[2].x = (251 + others - count) * 128 * UNIT;
        struct plugin_lump lump =
            plugin_build_for(&test_callbacks, &map, "grid=fit");
        ck_assert_int_eq(plugin_number(&lump, "entries"), count);
        plugin_free(&lump);
    }
    random_map_free(&random);
}

// There are reports when entries are found, digests made and lists written;
// each can cancel.
TEST(progress_is_reported_and_can_cancel)
{
    enum { REPORTS = 3 };
    const struct plain_vertex vertex = {0};
    const struct plain_line line = {0};
    struct nbstage_map map = PLAIN_MAP("MAP01", &vertex, 1, &line, 1);
    struct nbstage_instance *instance = plugin_create_for(&test_callbacks, "");
    for (size_t n = 1; n <= REPORTS; n++) {
        test_host.progress_count = 0;
        test_host.cancelled_report = n;
        ck_assert_int_eq(plugin_stage()->build(instance, &map),
                         NBSTAGE_CANCELLED);
        ck_assert_uint_eq(test_host.progress_count, n);
    }
    plugin_stage()->destroy(instance);
}

int main(void)
{
    seed = choose_seed();
    return run_tests(all_tests());
}
