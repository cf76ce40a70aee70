// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that max-blocks and max-entries hold to the last block and entry,
// wherever lists come from; that a map never has more memory than max-memory,
// and comes out the same wherever that is enough; and that sizes that a lump
// claims take no memory.  And what a map that is over a limit of its lump gets
// under every option.

#include "buffer.h"
#include "compress.h"
#include "context-for-tests.h"
#include "lump-set.h"
#include "plugin.h"
#include "random-map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct nbstage_descriptor *stage;

// ---------------------------------------------------------------------------
// A map with a blockmap

struct subject {
    struct random_map random;
    struct plugin_lump present;
    struct nbstage_lump lump;
    struct nbstage_map map;
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
    subject->map = random_map_arrays(random, "MAP07");
    subject->present = plugin_build(&subject->map, "grid=fit format=xbm1");
    subject->lump = (struct nbstage_lump){.size = sizeof subject->lump,
                                          .name = "BLOCKMAP",
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

// ---------------------------------------------------------------------------
// Blocks and entries

static const struct {
    const char *options;
    int32_t lowest; // coordinates
} ways[] = {
    {"grid=fit format=xbm1", CORNER},
    {"grid=keep format=xbm1 pack=none", CORNER},
    {"grid=id format=xbm1 pack=nest", CORNER},
    {"grid=search format=xbm1 threads=1", CORNER},
    {"grid=search format=xbm1 threads=2", 0}, // all origins
    {"grid=search format=xbm1 threads=2 pack=nest header=any", CORNER},
    {"grid=search format=xbm1 threads=2 pack=cover", CORNER},
    {"lists=lump format=xbm1", CORNER},
};

// Builds with a limit, which is met if there is a lump to expect.
static void check_limit(const struct nbstage_map *map, const char *way,
                        const char *option, int64_t most,
                        const struct plugin_lump *expected)
{
    char options[128], number[32];
    snprintf(options, sizeof options, "%s %s=%" PRId64, way, option, most);
    snprintf(number, sizeof number, "%" PRId64, most);
    if (expected) {
        struct plugin_lump lump = plugin_build(map, options);
        plugin_check_same(options, &lump, expected);
        plugin_free(&lump);
    } else {
        plugin_check_failure(NULL, map, options, NBSTAGE_OVER_LIMIT, "MAP07",
                             option, number);
    }
}

LOOP_TEST(blocks_and_entries_are_held_to_their_limits, COUNT(ways))
{
    struct subject subject;
    open_subject(&subject, 1000, ways[_i].lowest);
    const struct nbstage_map *map = &subject.map;
    const char *way = ways[_i].options;
    struct plugin_lump lump = plugin_build(map, way);
    int64_t blocks =
        plugin_number(&lump, "columns") * plugin_number(&lump, "rows");
    int64_t entries = plugin_number(&lump, "entries");
    check_limit(map, way, "max-blocks", blocks, &lump);
    check_limit(map, way, "max-blocks", blocks - 1, NULL);
    check_limit(map, way, "max-entries", entries, &lump);
    check_limit(map, way, "max-entries", entries - 1, NULL);
    check_limit(map, way, "max-entries", 1, NULL);
    plugin_free(&lump);
    close_subject(&subject);
}

// What would help a lump over its limit is looked for on other grids, too.  One
// that is over a limit of the map does not help; that is no failure.
TEST(advice_over_the_limits_is_no_failure)
{
    static const char *const grids[] = {"grid=fit", "grid=id"};
    struct subject subject;
    open_subject(&subject, 20000, CORNER);
    int64_t entries[2];
    for (size_t g = 0; g < 2; g++) {
        struct plugin_lump lump = plugin_build(&subject.map, grids[g]);
        entries[g] = plugin_number(&lump, "entries");
        ck_assert_int_eq(plugin_number(&lump, "meets_vanilla"), 0);
        plugin_free(&lump);
    }
    ck_assert_int_ne(entries[0], entries[1]);
    size_t least = entries[0] > entries[1];
    char options[128];
    snprintf(options, sizeof options, "%s limit=vanilla max-entries=%" PRId64,
             grids[least], entries[least]);
    struct plugin_lump lump = plugin_build(&subject.map, options);
    ck_assert_uint_eq(lump.size, 0);
    plugin_free(&lump);
    close_subject(&subject);
}

// Lines that cannot be looked at are no failure to decode, nor are they inert.
TEST(entries_over_the_limit_leave_no_line_inert)
{
    static const struct nbstage_sector sectors[] = {{.ceiling = 8 << 16}};
    struct subject subject;
    open_subject(&subject, 1000, CORNER);
    struct nbstage_map map = subject.map;
    map.sectors = sectors;
    map.sector_count = 1;
    map.sector_stride = map.sector_size = sizeof *sectors;
    struct nbstage_instance *instance =
        plugin_create_for(&test_callbacks, "prune=inert max-entries=1");
    struct nbstage_decoded decoded = {.size = sizeof decoded};
    for (size_t i = 0; i < subject.random.line_count; i++) {
        subject.random.lines[i].flags = 4; // two-sided
        subject.random.lines[i].front_sector = 0;
        subject.random.lines[i].back_sector = 0;
    }
    ck_assert_int_eq(stage->decode(instance, &map, &decoded), NBSTAGE_OK);
    ck_assert_str_eq(stage->last_error(instance), "");
    ck_assert_uint_eq(decoded.line_count, subject.random.line_count);
    for (size_t i = 0; decoded.left_out && i < decoded.line_count; i++)
        ck_assert_int_ne(decoded.left_out[i], NBSTAGE_LEFT_OUT_INERT);
    stage->destroy(instance);
    close_subject(&subject);
}

// ---------------------------------------------------------------------------
// Memory

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
        struct nbstage_result result = {.size = sizeof result};
        status = stage->build(instance, map, &result);
        ck_assert_uint_le(test_host.peak, mebibytes * MEBIBYTE + OVERHEAD);
        if (status == NBSTAGE_OK) {
            ck_assert_uint_eq(result.lumps->data_size, expected->size);
            ck_assert_mem_eq(result.lumps->data, expected->bytes,
                             expected->size);
        } else {
            ck_assert_int_eq(status, NBSTAGE_OVER_LIMIT);
            assert_tells(stage->last_error(instance), "MAP07", "max-memory");
        }
        stage->free_result(instance, &result);
    }
    stage->destroy(instance);
    return status == NBSTAGE_OK;
}

LOOP_TEST(memory_is_held_to_its_limit, COUNT(ways))
{
    enum { ENOUGH = 256 };
    struct subject subject;
    open_subject(&subject, 20000, CORNER);
    struct plugin_lump expected = plugin_build(&subject.map, ways[_i].options);
    ck_assert(!builds_within(&subject.map, ways[_i].options, 1, &expected));
    size_t mebibytes = 2;
    while (mebibytes < ENOUGH &&
           !builds_within(&subject.map, ways[_i].options, mebibytes, &expected))
        mebibytes *= 2;
    ck_assert_uint_lt(mebibytes, ENOUGH);
    plugin_free(&expected);
    close_subject(&subject);
}

// A text of hardly anything but sectors; the result has what explains them.
TEST(sectors_take_little_memory)
{
    enum { SECTORS = 200000, MOST_TIMES = 8 };
    struct buffer text = {0};
    buffer_print(&text, "namespace=\"zdoom\";vertex{x=0;y=0;}"
                        "linedef{v1=0;v2=0;sidefront=0;}sidedef{sector=0;}");
    for (int i = 0; i < SECTORS; i++)
        buffer_print(&text, "sector{}");
    struct nbstage_lump lump = {.size = sizeof lump,
                                .name = "TEXTMAP",
                                .data = text.bytes,
                                .data_size = text.size};
    struct nbstage_map map = nbstage_map_from_lumps("MAP07", &lump, 1);
    struct plugin_lump built =
        plugin_build_for(&test_callbacks, &map, "prune=inert");
    ck_assert_int_eq(plugin_number(&built, "sectors"), SECTORS);
    ck_assert_uint_le(test_host.peak, MOST_TIMES * text.size + OVERHEAD);
    plugin_free(&built);
    buffer_free(&text);
}

TEST(results_that_are_kept_do_not_count)
{
    struct subject subject;
    open_subject(&subject, 20000, CORNER);
    struct nbstage_instance *instance = plugin_create_for(
        &test_callbacks, "format=xbm1 pack=none max-memory=16");
    struct nbstage_result results[20];
    for (size_t i = 0; i < COUNT(results); i++) {
        results[i] = (struct nbstage_result){.size = sizeof *results};
        ck_assert_int_eq(stage->build(instance, &subject.map, &results[i]),
                         NBSTAGE_OK);
    }
    ck_assert_uint_gt(test_host.in_use, 16 * MEBIBYTE);
    stage->destroy(instance);
    close_subject(&subject);
}

// ---------------------------------------------------------------------------
// Sizes that are claimed

static const unsigned char vertexes[] = {0, 0, 0, 0, 200, 0, 0, 0};
static const unsigned char linedefs[] = {0, 0, 1, 0, 1, 0,    0,
                                         0, 0, 0, 0, 0, 0xFF, 0xFF};

// A map of one line and a lump, which the set keeps.
static struct nbstage_map map_with_lump(const char *name,
                                        const struct buffer *bytes)
{
    static struct lump_set set;
    set = (struct lump_set){.map_name = "MAP07"};
    lump_set_view(&set, "LINEDEFS", linedefs, sizeof linedefs);
    lump_set_view(&set, "VERTEXES", vertexes, sizeof vertexes);
    lump_set_view(&set, name, bytes->bytes, bytes->size);
    return lump_set_map(&set);
}

static const struct {
    const char *options;
    size_t signature_size;
} claims[] = {
    {"lists=lump", 8},
    {"lists=lump", 0},
    {"lists=lump max-blocks=16777216", 8},
};

// Every number of the lump but its origin is as large as can be.  What nodes
// claim is in test-nodes.
LOOP_TEST(sizes_that_are_claimed_take_no_memory, COUNT(claims))
{
    struct buffer bytes = {0};
    buffer_put(&bytes, "XBM1\0\0\0", claims[_i].signature_size);
    for (int i = 0; i < 40; i++)
        buffer_put_u32(&bytes, i < 2 ? 0 : UINT32_MAX);
    struct nbstage_map map = map_with_lump("BLOCKMAP", &bytes);
    plugin_check_failure(&test_callbacks, &map, claims[_i].options,
                         NBSTAGE_BAD_MAP, "MAP07", "BLOCKMAP");
    ck_assert_uint_le(test_host.peak, OVERHEAD);
    buffer_free(&bytes);
}

// A stream that would grow to 64 MiB, or to 1 GiB, is given up when it has
// grown to 256 times its size, or to the limit.
LOOP_TEST(compressed_lumps_take_little_memory, 2)
{
    enum { LIMIT = 16 };
    struct buffer bomb = compress_bomb(NBSTAGE_ZLIB, MEBIBYTE, _i ? 1024 : 64);
    struct buffer nodes = {0};
    buffer_print(&nodes, "ZGL3");
    buffer_put(&nodes, bomb.bytes, bomb.size);
    struct nbstage_lump text = {.size = sizeof text,
                                .name = "TEXTMAP",
                                .data = bomb.bytes,
                                .data_size = bomb.size,
                                .compression = NBSTAGE_ZLIB};
    struct nbstage_map map = _i ? map_with_lump("ZNODES", &nodes)
                                : nbstage_map_from_lumps("MAP07", &text, 1);
    plugin_check_failure(&test_callbacks, &map,
                         _i ? "check-nodes=yes inflate-limit=16" : "",
                         NBSTAGE_BAD_MAP, "MAP07", _i ? "ZNODES" : "TEXTMAP");
    // What it has grown out of is there too, or kept.
    ck_assert_uint_le(test_host.peak, _i ? 2 * LIMIT * MEBIBYTE + MEBIBYTE
                                         : 3 * (256 * bomb.size + MEBIBYTE));
    buffer_free(&nodes);
    buffer_free(&bomb);
}

// ---------------------------------------------------------------------------
// Limits of lumps

// Lines along the west and south of a map, and one across all of it; and what
// it is over.
static const struct {
    int32_t units;
    uint32_t line_count;
    const char *excess; // what the sentence has; NULL: nothing
} maps[] = {
    {1000, 9, NULL},
    {32767, 9, "over the limit of 65535"},
    {1000, 65534, "over the limit of 65535"},
    {1000, 65535, "65535 linedefs are 1 more than the 65534"},
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
    {"format=xbm1 for=woof", XBM1, XBM1},
    {"limit=vanilla overflow=xbm1", CLASSIC, XBM1},
    {"overflow=merge,xbm1", CLASSIC, XBM1},
    {"overflow=error,xbm1", CLASSIC, FAILED},
    {"overflow=xbm1,empty format=doom", CLASSIC, EMPTY},
    {"for=woof", CLASSIC, XBM1},
    {"for=woof format=doom", CLASSIC, EMPTY},
    {"for=woof,zdoom", CLASSIC, EMPTY},
    {"for=woof,doom19", CLASSIC, FAILED},
};

static void check_outcome(const struct nbstage_map *map, const char *options,
                          enum form expected, const char *excess)
{
    static const char *const names[] = {"classic", "xbm1", "empty"};
    test_host.message_count = 0;
    if (expected == FAILED) {
        plugin_check_failure(&test_callbacks, map, options, NBSTAGE_OVER_LIMIT,
                             "MAP07", excess);
        ck_assert_uint_eq(test_host.message_count, 0);
        return;
    }
    struct plugin_lump lump = plugin_build_for(&test_callbacks, map, options);
    enum form form = lump.size == 0                       ? EMPTY
                     : memcmp(lump.bytes, "XBM1", 4) == 0 ? XBM1
                                                          : CLASSIC;
    ck_assert_msg(form == expected, "%s: %s instead of %s", options,
                  names[form], names[expected]);
    ck_assert_str_eq(plugin_find_fact(&lump.result, "form")->text, names[form]);
    // XBM1 that was asked for is over no limit.
    ck_assert_int_eq(plugin_number(&lump, "over_limit"),
                     excess && !strstr(options, "format=xbm1"));
    ck_assert_uint_eq(test_host.message_count, expected == EMPTY);
    if (expected == EMPTY) {
        ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
        assert_tells(test_host.message, "MAP07", excess);
    }
    plugin_free(&lump);
}

LOOP_TEST(a_map_over_the_limit_gets_what_options_say, COUNT(maps))
{
    const int32_t far = maps[_i].units * 65536;
    const struct nbstage_vertex vertices[] = {
        {0, 0}, {far, 0}, {0, far}, {far + 32768, far + 16384}};
    uint32_t count = maps[_i].line_count;
    struct nbstage_line *lines = calloc(count, sizeof *lines);
    ck_assert_ptr_nonnull(lines);
    for (uint32_t i = 0; i < count; i++)
        lines[i].v2 = i % 3 + 1;
    struct nbstage_map map = plugin_map_from_arrays(
        "MAP07", vertices, COUNT(vertices), lines, count);
    for (size_t i = 0; i < COUNT(outcomes); i++)
        check_outcome(&map, outcomes[i].options,
                      maps[_i].excess ? outcomes[i].over : outcomes[i].under,
                      maps[_i].excess);
    free(lines);
}

int main(void)
{
    stage = plugin_stage();
    return run_tests(all_tests());
}
