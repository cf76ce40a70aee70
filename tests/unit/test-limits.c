// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that max-memory holds to the last block and entry, wherever lists come
// from; and that a map never has more memory than that, and comes out the same
// wherever it is enough.  And what a map that is over a limit of its lump gets
// under every option.  What sizes that a lump claims take is in test-lump.

#include "buffer.h"
#include "context-for-tests.h"
#include "plugin.h"
#include "random-map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct nbstage_descriptor *stage;

// --- A map with a blockmap ---

struct subject {
    struct random_map random;
    struct plugin_lump present;
    struct nbstage_lump lump;
    struct nbstage_map map;
    struct kept_arrays arrays;
};

// The south-west end of the coordinates, where a search has 81 origins to try.
enum { CORNER = -32760 * 65536 };

static void open_subject(struct subject *subject, uint32_t lines,
                         int32_t lowest)
{
    const struct random_shape shape = {"limits", 60, 50, lines};
    struct random_stream stream = {8};
    *subject = (struct subject){.random = random_map_make(&shape, &stream)};
    struct random_map *random = &subject->random;
    // It belongs to no line, and may be anywhere.
    random->vertices[random->vertex_count - 1] = random->vertices[0];
    random_map_move(random, lowest, lowest);
    struct nbstage_map map = RANDOM_MAP(random, "MAP07");
    arrays_keep(&map, &subject->arrays);
    subject->map = map;
    subject->present = plugin_build(&subject->map, "grid=fit format=xbm1");
    subject->lump = (struct nbstage_lump){.name = "BLOCKMAP",
                                          .data = subject->present.bytes,
                                          .data_size = subject->present.size};
    subject->map.lumps = &subject->lump;
    subject->map.lump_count = 1;
}

static void close_subject(struct subject *subject)
{
    plugin_free(&subject->present);
    random_map_free(&subject->random);
}

// --- Blocks and entries ---

static const char *const ways[] = {
    "grid=fit format=xbm1",
    "grid=keep format=xbm1",
    "grid=id format=xbm1 pack=nest",
    "grid=search format=xbm1",
    "grid=search format=xbm1 pack=nest for=boom",
    "lists=lump format=xbm1",
};

// So much memory allows for the blocks and entries of a grid of 512 columns, on
// whichever origin, with so many lines through all columns, and so many rows.
enum { MEMORY = 4, COLUMNS = 512, ROWS = 16, ACROSS = 64 };

static const struct {
    uint32_t rows, points; // and lines of no length
    const char *excess, *most;
} crowds[] = {
    {ROWS, 0, NULL, NULL},
    {ROWS, 1, "entries", "32768"},
    {ROWS + 1, 0, "8704 blocks", "8192"},
};

static struct random_map make_crowd(uint32_t rows, uint32_t points)
{
    struct random_map map;
    random_map_allocate_pairs(&map, ACROSS + points);
    for (uint32_t i = 0; i < map.line_count; i++) {
        const bool is_across = i < ACROSS;
        const int32_t row = i % 2 ? (int32_t)rows - 1 : 0;
        struct plain_vertex *ends = &map.vertices[2 * i];
        ends[0].x = ends[1].x = CORNER;
        ends[0].y = ends[1].y = CORNER + row * 128 * 65536;
        if (is_across)
            ends[1].x = (-32760 + (COLUMNS - 1) * 128 + 50) * 65536;
    }
    return map;
}

LOOP_TEST(blocks_and_entries_count_as_memory, COUNT(ways) * COUNT(crowds))
{
    const char *way = ways[_i % (int)COUNT(ways)];
    const int row = _i / (int)COUNT(ways);
    struct random_map lines = make_crowd(crowds[row].rows, crowds[row].points);
    struct nbstage_map map = RANDOM_MAP(&lines, "MAP07");
    struct plugin_lump present = plugin_build(&map, "grid=fit format=xbm1");
    const struct nbstage_lump lump = {
        .name = "BLOCKMAP", .data = present.bytes, .data_size = present.size};
    char options[128];
    map.lumps = &lump;
    map.lump_count = 1;
    snprintf(options, sizeof options, "%s max-memory=%d", way, MEMORY);
    if (crowds[row].excess) {
        plugin_check_failure(NULL, &map, options, NBSTAGE_OVER_LIMIT, "MAP07",
                             crowds[row].excess, "max-memory",
                             crowds[row].most);
    } else {
        struct plugin_lump built = plugin_build(&map, options);
        struct plugin_lump expected = plugin_build(&map, way);
        ck_assert_int_eq(plugin_number(&built, "columns"), COLUMNS);
        ck_assert_int_eq(plugin_number(&built, "rows"), ROWS);
        ck_assert_int_eq(plugin_number(&built, "entries"), COLUMNS * ACROSS);
        plugin_check_same(options, &built, &expected);
        plugin_free(&built);
        plugin_free(&expected);
    }
    plugin_free(&present);
    random_map_free(&lines);
}

// --- Memory ---

enum {
    MEBIBYTE = 1 << 20,
    OVERHEAD = 1 << 16, // of the instance, and of the blocks that are counted
};

// Builds twice with one instance; whether that is possible with the limit.
static bool builds_within(const struct nbstage_map *map, const char *way,
                          size_t mebibytes, const struct plugin_lump *expected)
{
    char options[128];
    snprintf(options, sizeof options, "%s max-memory=%zu", way, mebibytes);
    struct nbstage_instance *instance =
        plugin_create_for(&test_callbacks, options);
    nbstage_status status = NBSTAGE_OK;
    test_host.peak = test_host.in_use;
    for (int i = 0; i < 2; i++) {
        status = stage->build(instance, map);
        const struct nbstage_lump *lump = stage->get_lump(instance, "BLOCKMAP");
        ck_assert_uint_le(test_host.peak, mebibytes * MEBIBYTE + OVERHEAD);
        if (status == NBSTAGE_OK) {
            ck_assert_uint_eq(lump->data_size, expected->size);
            ck_assert_mem_eq(lump->data, expected->bytes, expected->size);
        } else {
            ck_assert_int_eq(status, NBSTAGE_OVER_LIMIT);
            assert_tells(stage->last_error(instance), "MAP07", "max-memory");
        }
    }
    stage->destroy(instance);
    return status == NBSTAGE_OK;
}

LOOP_TEST(memory_is_held_to_its_limit, COUNT(ways))
{
    enum { ENOUGH = 256 };
    struct subject subject;
    open_subject(&subject, 20000, CORNER);
    struct plugin_lump expected = plugin_build(&subject.map, ways[_i]);
    ck_assert(!builds_within(&subject.map, ways[_i], 1, &expected));
    size_t mebibytes = 2;
    while (mebibytes < ENOUGH &&
           !builds_within(&subject.map, ways[_i], mebibytes, &expected))
        mebibytes *= 2;
    ck_assert_uint_lt(mebibytes, ENOUGH);
    plugin_free(&expected);
    close_subject(&subject);
}

// A text of hardly anything but sectors.
TEST(sectors_take_little_memory)
{
    enum { SECTORS = 200000, MOST_TIMES = 8 };
    struct buffer text = {0};
    buffer_print(&text, "namespace=\"zdoom\";vertex{x=0;y=0;}"
                        "linedef{v1=0;v2=0;sidefront=0;}sidedef{sector=0;}");
    for (int i = 0; i < SECTORS; i++)
        buffer_print(&text, "sector{}");
    struct nbstage_lump lump = {
        .name = "TEXTMAP", .data = text.bytes, .data_size = text.size};
    struct nbstage_map map = map_of_lumps("MAP07", &lump, 1);
    struct plugin_lump built =
        plugin_build_for(&test_callbacks, &map, "prune=inert");
    ck_assert_uint_le(test_host.peak, MOST_TIMES * text.size + OVERHEAD);
    plugin_free(&built);
    plugin_check_failure(NULL, &map, "prune=inert max-memory=1",
                         NBSTAGE_OVER_LIMIT, "MAP07", "max-memory");
    buffer_free(&text);
}

// A build gives back the lump of the one before: any number of them is within
// the limit.
TEST(lumps_do_not_add_up)
{
    struct subject subject;
    open_subject(&subject, 5000, CORNER);
    struct nbstage_instance *instance =
        plugin_create_for(&test_callbacks, "format=xbm1 max-memory=16");
    size_t bytes = 0;
    for (size_t i = 0; i < 80; i++) {
        ck_assert_int_eq(stage->build(instance, &subject.map), NBSTAGE_OK);
        bytes += stage->get_lump(instance, "BLOCKMAP")->data_size;
        ck_assert_uint_le(test_host.in_use, 16 * MEBIBYTE + OVERHEAD);
    }
    ck_assert_uint_gt(bytes, 16 * MEBIBYTE);
    stage->destroy(instance);
    close_subject(&subject);
}

// --- Limits of lumps ---

// Lines along the west and south of a map, and one across all of it; and what
// it is over.
static const struct {
    int32_t units;
    uint32_t line_count;
    const char *excess, *for_vanilla; // what the sentence has; NULL: nothing
} maps[] = {
    {1000, 9, NULL, NULL},
    {32767, 9, "over the extended limit of 65535",
     "over the vanilla limit of 32767"},
    {100, 65534, "over the extended limit of 65535",
     "more than the 32768 that vanilla can number"},
    {1000, 65535, "65535 linedefs are 1 more than the 65534",
     "65535 linedefs are 1 more than the 65534"},
};

// What a map gets under the limit, and over it.
enum form { CLASSIC, XBM1, EMPTY, FAILED };

static const struct {
    const char *options;
    enum form under, over;
} outcomes[] = {
    {"", CLASSIC, EMPTY},
    {"overflow=empty", CLASSIC, EMPTY},
    {"overflow=error", CLASSIC, FAILED},
    {"overflow=xbm1", CLASSIC, XBM1},
    {"format=auto overflow=xbm1", CLASSIC, XBM1},
    {"format=doom", CLASSIC, EMPTY},
    {"format=doom overflow=error", CLASSIC, FAILED},
    {"format=doom overflow=xbm1", CLASSIC, FAILED},
    {"format=xbm1 for=woof-dev", XBM1, XBM1},
    {"for=everywhere", CLASSIC, FAILED},
    {"overflow=merge,xbm1", CLASSIC, XBM1},
    {"overflow=error,xbm1", CLASSIC, FAILED},
    {"overflow=xbm1,empty format=doom", CLASSIC, EMPTY},
    {"for=woof-dev", CLASSIC, XBM1},
    {"for=woof-dev format=doom", CLASSIC, EMPTY},
    {"for=woof-dev,zdoom", CLASSIC, EMPTY},
    {"for=woof-dev,doom19", CLASSIC, FAILED},
};

// An empty lump is told of first, and lines that are too far from the grid's
// origin last.
static void check_outcome(const struct nbstage_map *map, const char *options,
                          enum form expected, const char *excess)
{
    enum { SHOTS_PASS = 30720 };
    static const char *const names[] = {"classic", "xbm1", "empty"};
    const bool is_ruled_out = strcmp(options, "format=doom overflow=xbm1") == 0;
    test_host.message_count = 0;
    if (expected == FAILED) {
        plugin_check_failure(&test_callbacks, map, options, NBSTAGE_OVER_LIMIT,
                             "MAP07", excess);
        ck_assert_uint_eq(test_host.message_count, is_ruled_out);
        return;
    }
    struct plugin_lump lump = plugin_build_for(&test_callbacks, map, options);
    enum form form = lump.size == 0                       ? EMPTY
                     : memcmp(lump.bytes, "XBM1", 4) == 0 ? XBM1
                                                          : CLASSIC;
    ck_assert_msg(form == expected, "%s: %s instead of %s", options,
                  names[form], names[expected]);
    ck_assert_str_eq(stage->get_fact(lump.instance, "form")->text, names[form]);
    // XBM1 that was asked for is over no limit.
    ck_assert_int_eq(plugin_number(&lump, "over_limit"),
                     excess && !strstr(options, "format=xbm1"));
    const bool is_far = plugin_number(&lump, "distance") > SHOTS_PASS;
    const bool is_empty = expected == EMPTY;
    const size_t told = (size_t)is_ruled_out + is_empty + is_far;
    ck_assert_uint_eq(test_host.message_count, told);
    if (is_empty || is_far)
        ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    if (is_empty)
        assert_tells(test_host.first_message, "MAP07", excess);
    if (is_far)
        assert_tells(test_host.message, "MAP07",
                     "units from the grid's origin");
    plugin_free(&lump);
}

LOOP_TEST(a_map_over_the_limit_gets_what_options_say, COUNT(maps))
{
    const int32_t far = maps[_i].units * 65536;
    const struct plain_vertex vertices[] = {
        {0, 0}, {far, 0}, {0, far}, {far + 32768, far + 16384}};
    uint32_t count = maps[_i].line_count;
    struct plain_line *lines = calloc(count, sizeof *lines);
    ck_assert_ptr_nonnull(lines);
    for (uint32_t i = 0; i < count; i++)
        lines[i].v2 = i % 3 + 1;
    struct nbstage_map map =
        PLAIN_MAP("MAP07", vertices, COUNT(vertices), lines, count);
    for (size_t i = 0; i < COUNT(outcomes); i++) {
        const char *options = outcomes[i].options;
        const bool is_vanilla =
            strstr(options, "everywhere") || strstr(options, "doom19");
        check_outcome(&map, options,
                      maps[_i].excess ? outcomes[i].over : outcomes[i].under,
                      is_vanilla ? maps[_i].for_vanilla : maps[_i].excess);
    }
    free(lines);
}

// All offsets and lines are within the vanilla limit, but not all words.
TEST(a_lump_over_the_vanilla_limit_by_its_words_alone_says_so)
{
    const struct plain_vertex vertex = {180 * 128 * 65536 - 65536,
                                        182 * 128 * 65536 - 65536};
    static const struct plain_line lines[32768];
    struct nbstage_map map =
        PLAIN_MAP("MAP07", &vertex, 1, lines, COUNT(lines));
    check_outcome(&map, "grid=0,0 for=any,doom19 overflow=error", FAILED,
                  "1 over the extended limit of 65535");
}

int main(void)
{
    stage = plugin_stage();
    return run_tests(all_tests());
}
