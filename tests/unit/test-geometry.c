// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the lists are exact: on thousands of random maps, dense in hard
// cases, the built module lists in every block the lines that touch it, no
// fewer and no more, whatever the grid, the packing and the layout of the
// arrays.  The truth is the oracle's, which is held to cases worked out by
// hand first.  And that finding them takes the room it has, and can be
// cancelled.
//
// The seed is printed; SEED=number in the environment repeats a run.

#include "blocklists.h"
#include "buffer.h"
#include "context-for-tests.h"
#include "oracle.h"
#include "plugin.h"
#include "random-map.h"
#include "run-suite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 1 << 16 }; // a map unit in 16.16

static uint64_t seed;

// ---------------------------------------------------------------------------
// The oracle

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

// A lump of 2 x 1 blocks at 0,0: the west block has lines 3 and 5, the other
// none.
enum { SOUND_WORDS = 12 };
static const uint16_t sound_lump[SOUND_WORDS] = {
    0, 0, 2, 1, 6, 10, 0, 3, 5, 0xFFFF, 0, 0xFFFF,
};

static const char *find_fault(const uint16_t *words, size_t size)
{
    struct oracle_entry entries[] = {{0, 3}, {0, 5}};
    const struct oracle_entry_list truth = {entries, COUNT(entries),
                                            COUNT(entries)};
    struct buffer bytes = {0};
    for (size_t i = 0; i < SOUND_WORDS; i++)
        buffer_put_u16(&bytes, words[i]);
    const char *fault = oracle_find_fault(bytes.bytes, size, &truth);
    buffer_free(&bytes);
    return fault ? fault : "none";
}

static const struct {
    const char *what;
    size_t at;
    uint16_t word;
    size_t missing_bytes;
    const char *fault;
} damages[] = {
    {"a sound lump", 0, 0, 0, "none"},
    {"line 4 instead of 3", 7, 4, 0, "a line is missing"},
    {"line 2 instead of 3", 7, 2, 0, "a line is extra"},
    {"line 5 is missing", 8, 0xFFFF, 0, "a line is missing"},
    {"line 3 twice", 8, 3, 0, "listed twice"},
    {"a list does not begin with 0", 6, 1, 0, "does not begin with 0"},
    {"an empty list does not begin with 0", 10, 1, 0, "does not begin with 0"},
    {"the last list has no end", 11, 0, 0, "no end"},
    {"a list goes on into the next", 9, 7, 0, "a line is extra"},
    {"an offset into the offsets", 5, 5, 0, "not in the lump"},
    {"an offset past the end", 5, 12, 0, "not in the lump"},
    {"an offset of the last word", 5, 11, 0, "no end"},
    {"the offset 0xFFFF", 5, 0xFFFF, 0, "not in the lump"},
    {"the list of another block", 5, 6, 0, "a line is extra"},
    {"more blocks than words", 3, 30, 0, "no room"},
    {"fewer blocks", 3, 0, 0, "blocks are missing"},
    {"half a word is missing", 0, 0, 1, "inside a word"},
    {"the last word is missing", 0, 0, 2, "no end"},
};

LOOP_TEST(oracle_notices_damage, COUNT(damages))
{
    uint16_t words[SOUND_WORDS];
    memcpy(words, sound_lump, sizeof words);
    words[damages[_i].at] = damages[_i].word;
    const char *fault =
        find_fault(words, sizeof words - damages[_i].missing_bytes);
    ck_assert_msg(strstr(fault, damages[_i].fault), "%s: '%s' was noticed",
                  damages[_i].what, fault);
}

// ---------------------------------------------------------------------------
// Random maps

static const struct {
    struct random_shape shape;
    uint32_t map_count;
} shapes[] = {
    {{"one block", 1, 1, 6}, 10000}, // columns, rows, lines; maps
    {{"a single line", 12, 12, 1}, 20000},
    {{"small", 6, 6, 16}, 60000},
    {{"medium", 30, 30, 60}, 5000},
    {{"wide", 512, 40, 12}, 500},
    {{"tall", 40, 512, 12}, 500},
    {{"large", 300, 300, 12}, 100}, // many over the limit
    {{"vast", 512, 512, 300}, 3},
    {{"of groups", 4, 4, 520}, 3000}, // entries are found for 256 lines at once
};

// Words of a lump: before its offsets, and all of them at most.
enum { GRID_WORDS = 4, MOST_WORDS = 65535 };

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

static bool encloses(const struct trial *trial, struct oracle_grid grid)
{
    return oracle_encloses(&grid, trial->lines, trial->map.line_count);
}

// The grid has to begin where it was asked to and to be as small as it can
// be; DoomBSP's way, grid=id, may leave a column and a row to spare.
static void check_grid(const struct trial *trial)
{
    struct oracle_grid grid = trial->grid;
    uint32_t spare = strcmp(trial->map.grid_option, "grid=id") == 0 ? 1 : 0;
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

// A lump has to have the words that its packing needs, less perhaps what can
// be saved, and must be left empty if, and only if, that is more than a lump
// may have.
static void check_size(const struct trial *trial,
                       const struct plugin_lump *lump, const char *pack,
                       size_t needed_words, size_t savings)
{
    size_t words = (size_t)plugin_number(lump, "words");
    if (words != needed_words && words != needed_words - savings)
        ck_abort_msg("%s, %s: %zu words instead of %zu", trial->name, pack,
                     words, needed_words);
    if (lump->size != (words > MOST_WORDS ? 0 : 2 * words))
        ck_abort_msg("%s, %s: %zu words are %zu bytes", trial->name, pack,
                     words, lump->size);
}

// Lists that a classic lump has no room for.
static void check_xbm1(const struct trial *trial, const char *pack)
{
    char options[64];
    snprintf(options, sizeof options, "%s format=xbm1", pack);
    struct nbstage_map map = random_map_arrays(&trial->map, trial->name);
    struct plugin_lump lump = build(trial, &map, options);
    struct blocklists lists = blocklists_read(lump.bytes, lump.size);
    blocklists_check(&lists, LISTS_ZERO);
    struct blocklists_counts counts = blocklists_compare(
        &lists, LISTS_ZERO, &trial->truth, trial->map.line_count, NULL);
    if (memcmp(&lists.grid, &trial->grid, sizeof lists.grid) != 0)
        ck_abort_msg("%s: the header is not that of the grid", trial->name);
    if (counts.missing + counts.extra + counts.unknown > 0)
        ck_abort_msg("%s, %s: %zu lines are missing, %zu extra, %zu unknown",
                     trial->name, options, counts.missing, counts.extra,
                     counts.unknown);
    blocklists_free(&lists);
    plugin_free(&lump);
}

static void check_lists(const struct trial *trial,
                        const struct plugin_lump *lump, const char *pack)
{
    if (lump->size == 0) {
        check_xbm1(trial, pack);
        return;
    }
    char name[128];
    snprintf(name, sizeof name, "%s, %s", trial->name, pack);
    struct oracle_grid grid;
    if (!oracle_read_grid(lump->bytes, lump->size, &grid) ||
        memcmp(&grid, &trial->grid, sizeof grid) != 0)
        ck_abort_msg("%s: the header is not that of the grid", name);
    const char *fault =
        oracle_find_fault(lump->bytes, lump->size, &trial->truth);
    if (fault)
        ck_abort_msg("%s: %s", name, fault);
}

// A copy of an array of numbers: `known` of each `count` in a row, by 16 bits
// if they are narrow, and anything but zeros up to the next, `stride` bytes
// later.
static void *spread(const uint32_t *numbers, size_t rows, size_t count,
                    size_t known, bool narrow, size_t stride)
{
    unsigned char *copy = malloc(rows * stride);
    ck_assert_ptr_nonnull(copy);
    memset(copy, 0xA5, rows * stride);
    for (size_t i = 0; i < rows * known; i++) {
        const uint32_t number = numbers[i / known * count + i % known];
        const uint16_t half = (uint16_t)number;
        unsigned char *at = copy + i / known * stride;
        if (narrow)
            memcpy(at + i % known * sizeof half, &half, sizeof half);
        else
            memcpy(at + i % known * sizeof number, &number, sizeof number);
    }
    return copy;
}

// Whether all vertices fit into 16 bits; moves their whole units there.
static bool narrow_vertices(uint32_t *numbers, size_t count)
{
    uint32_t fractions = 0;
    for (size_t i = 0; i < count; i++)
        fractions |= numbers[i] & 0xFFFF;
    for (size_t i = 0; i < count && fractions == 0; i++)
        numbers[i] >>= 16;
    return fractions == 0;
}

// Hands the arrays over with other distances between their elements, and in
// other forms.
static void check_strides(const struct trial *trial,
                          const struct plugin_lump *lump,
                          struct random_stream *stream)
{
    struct nbstage_map map = random_map_arrays(&trial->map, trial->name);
    uint32_t *points = malloc(map.vertex_count * sizeof(struct nbstage_vertex));
    ck_assert_ptr_nonnull(points);
    memcpy(points, map.vertices,
           map.vertex_count * sizeof(struct nbstage_vertex));
    const bool narrow_points = random_below(stream, 2) &&
                               narrow_vertices(points, 2 * map.vertex_count);
    const bool narrow_lines =
        random_below(stream, 2) && map.vertex_count <= UINT16_MAX + 1;
    const size_t known = 2 + random_below(stream, narrow_lines ? 4 : 11);
    map.vertex_form = narrow_points ? NBSTAGE_FORM_16 : NBSTAGE_FORM_32;
    map.vertex_stride = (narrow_points ? 4 : 8) + random_below(stream, 20);
    map.line_form = narrow_lines ? NBSTAGE_FORM_16 : NBSTAGE_FORM_32;
    map.line_size = known * (narrow_lines ? 2 : 4);
    map.line_stride = map.line_size + random_below(stream, 64);
    void *vertices = spread(points, map.vertex_count, 2, 2, narrow_points,
                            map.vertex_stride);
    void *lines = spread(map.lines, map.line_count,
                         sizeof(struct nbstage_line) / sizeof(uint32_t), known,
                         narrow_lines, map.line_stride);
    free(points);
    map.vertices = vertices;
    map.lines = lines;
    struct plugin_lump other = build(trial, &map, "pack=share");
    if (lump->size != other.size ||
        (lump->size > 0 && memcmp(lump->bytes, other.bytes, lump->size) != 0))
        ck_abort_msg("%s: other strides give other bytes", trial->name);
    plugin_free(&other);
    free(vertices);
    free(lines);
}

// Two words are saved where the list of the empty blocks is the end of
// another.
enum { EMPTY_LIST_WORDS = 2 };

// Shared and unshared lists are held against the same truth, and so against
// each other.
static void check_trial(struct trial *trial, struct random_stream *stream)
{
    struct nbstage_map map = random_map_arrays(&trial->map, trial->name);
    struct plugin_lump shared = build(trial, &map, "pack=share");
    struct plugin_lump unshared = build(trial, &map, "pack=none");
    trial->grid = (struct oracle_grid){
        (int32_t)plugin_number(&shared, "origin_x"),
        (int32_t)plugin_number(&shared, "origin_y"),
        (uint32_t)plugin_number(&shared, "columns"),
        (uint32_t)plugin_number(&shared, "rows"),
    };
    check_grid(trial);
    trial->truth =
        oracle_find_entries(&trial->grid, trial->lines, trial->map.line_count);
    check_lists(trial, &shared, "pack=share");
    check_lists(trial, &unshared, "pack=none");
    check_size(trial, &shared, "pack=share",
               oracle_words_shared(&trial->grid, &trial->truth),
               EMPTY_LIST_WORDS);
    // A block has an offset, a 0 and an end besides its lines.
    check_size(trial, &unshared, "pack=none",
               GRID_WORDS + trial->truth.count +
                   3 * (size_t)trial->grid.columns * trial->grid.rows,
               0);
    int64_t entries = plugin_number(&shared, "entries");
    if (entries != (int64_t)trial->truth.count)
        ck_abort_msg("%s: told of %" PRId64 " entries; there are %zu",
                     trial->name, entries, trial->truth.count);
    check_strides(trial, &shared, stream);
    plugin_free(&unshared);
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
    struct nbstage_map map = random_map_arrays(&trial.map, trial.name);
    trial.lines = plugin_oracle_lines(&map);
    check_trial(&trial, &stream);
    oracle_free_entries(&trial.truth);
    free(trial.lines);
    random_map_free(&trial.map);
}

LOOP_TEST(lists_are_exact, COUNT(shapes))
{
    for (uint32_t i = 0; i < shapes[_i].map_count; i++)
        try_map((size_t)_i, i);
}

// ---------------------------------------------------------------------------
// Room and progress

// A group whose entries end around where the room does that entries_find begins
// with; tools that watch memory notice what is written beyond.
TEST(room_ends_at_every_place)
{
    enum { LINES = 256, AROUND = 12, ROOM = LINES + LINES / 4 * 3 + LINES * 4 };
    struct random_map random;
    random_map_allocate(&random, 3, LINES);
    struct nbstage_map map = random_map_arrays(&random, "MAP01");
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

// Of 2,200,000 entries, twice 2^20 and the end are reported, and each report
// can cancel; coordinates are whole or not.
LOOP_TEST(progress_is_reported_and_can_cancel, 2)
{
    enum { LINES = 2200000, EACH = 1 << 20, REPORTS = 3 };
    const struct nbstage_vertex vertex = {_i, _i};
    struct nbstage_line *lines = allocate_zeros(LINES, sizeof *lines);
    struct nbstage_map map =
        plugin_map_from_arrays("MAP01", &vertex, 1, lines, LINES);
    struct nbstage_instance *instance = plugin_create_for(&test_callbacks, "");
    struct nbstage_result result = {.size = sizeof result};
    for (size_t n = 1; n <= REPORTS; n++) {
        test_host.progress_count = 0;
        test_host.cancelled_report = n;
        ck_assert_int_eq(plugin_stage()->build(instance, &map, &result),
                         NBSTAGE_CANCELLED);
        ck_assert_uint_eq(test_host.progress_count, n);
        ck_assert_uint_eq(test_host.done, n < REPORTS ? n * EACH : LINES);
        ck_assert_uint_eq(test_host.total, LINES);
    }
    plugin_stage()->destroy(instance);
    free(lines);
}

int main(void)
{
    seed = choose_seed();
    return run_tests(all_tests());
}
