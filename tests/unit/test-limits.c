// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that max-blocks and max-entries hold to the last block and entry,
// wherever lists come from; that a map never has more memory than max-memory,
// and comes out the same wherever that is enough; and that sizes that a lump
// claims take no memory.

#include "buffer.h"
#include "compress.h"
#include "context-for-tests.h"
#include "counted-memory.h"
#include "plugin.h"
#include "random-map.h"

#include <inttypes.h>
#include <stdio.h>
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

static void open_subject(struct subject *subject, uint32_t lines)
{
    const struct random_shape shape = {"limits", 60, 50, lines};
    struct random_stream stream = {8};
    *subject = (struct subject){.random = random_map_make(&shape, &stream)};
    const struct random_map *random = &subject->random;
    subject->map =
        plugin_map_from_arrays("MAP07", random->vertices, random->vertex_count,
                               random->lines, random->line_count);
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

static const char *const ways[] = {
    "grid=fit format=xbm1",
    "grid=keep format=xbm1 pack=none",
    "grid=id format=xbm1 pack=nest",
    "grid=search format=xbm1 threads=1",
    "grid=search format=xbm1 threads=2 pack=nest header=any",
    "grid=search format=xbm1 threads=2 pack=cover",
    "source=lump format=xbm1",
};

static void assert_is_met(const struct nbstage_map *map, const char *way,
                          const char *option, int64_t most,
                          const struct plugin_lump *expected)
{
    char options[128];
    snprintf(options, sizeof options, "%s %s=%" PRId64, way, option, most);
    struct plugin_lump lump = plugin_build(map, options);
    ck_assert_uint_eq(lump.size, expected->size);
    ck_assert_mem_eq(lump.bytes, expected->bytes, lump.size);
    plugin_free(&lump);
}

static void assert_is_broken(const struct nbstage_map *map, const char *way,
                             const char *option, int64_t most)
{
    char options[128], number[32];
    snprintf(options, sizeof options, "%s %s=%" PRId64, way, option, most);
    snprintf(number, sizeof number, "%" PRId64, most);
    struct nbstage_instance *instance = plugin_create(options);
    struct nbstage_result result = {.size = sizeof result};
    ck_assert_int_eq(stage->build(instance, map, &result), NBSTAGE_OVER_LIMIT);
    assert_tells(stage->last_error(instance), "MAP07", option, number);
    ck_assert_ptr_null(result.lumps);
    stage->destroy(instance);
}

START_TEST(blocks_and_entries_are_held_to_their_limits)
{
    struct subject subject;
    open_subject(&subject, 1000);
    const struct nbstage_map *map = &subject.map;
    struct plugin_lump lump = plugin_build(map, ways[_i]);
    int64_t blocks =
        plugin_number(&lump, "columns") * plugin_number(&lump, "rows");
    int64_t entries = plugin_number(&lump, "entries");
    assert_is_met(map, ways[_i], "max-blocks", blocks, &lump);
    assert_is_broken(map, ways[_i], "max-blocks", blocks - 1);
    assert_is_met(map, ways[_i], "max-entries", entries, &lump);
    assert_is_broken(map, ways[_i], "max-entries", entries - 1);
    assert_is_broken(map, ways[_i], "max-entries", 1);
    plugin_free(&lump);
    close_subject(&subject);
}
END_TEST

// What would help a lump over its limit is looked for on other grids, too.  One
// that is over a limit of the map does not help; that is no failure.
START_TEST(advice_over_the_limits_is_no_failure)
{
    static const char *const grids[] = {"grid=fit", "grid=id"};
    struct subject subject;
    open_subject(&subject, 20000);
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
END_TEST

// Lines that cannot be looked at are no failure to decode, nor are they inert.
START_TEST(entries_over_the_limit_leave_no_line_inert)
{
    static const struct nbstage_sector sectors[] = {{.ceiling = 8 << 16}};
    struct subject subject;
    open_subject(&subject, 1000);
    struct nbstage_map map = subject.map;
    map.sectors = sectors;
    map.sector_count = 1;
    map.sector_size = sizeof *sectors;
    const struct nbstage_host host = {.size = sizeof host,
                                      .context = &test_host,
                                      .allocate = test_allocate,
                                      .release = test_release,
                                      .log = test_log};
    struct nbstage_instance *instance =
        plugin_create_for(&host, "prune=inert max-entries=1");
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
END_TEST

// ---------------------------------------------------------------------------
// Memory

enum {
    MEBIBYTE = 1 << 20,
    OVERHEAD = 1 << 16, // of the instance, and of the blocks that are counted
};

static struct nbstage_host counted_host(struct counted_memory *memory)
{
    struct context context = counted_memory_context(memory);
    return (struct nbstage_host){.size = sizeof(struct nbstage_host),
                                 .context = context.user,
                                 .allocate = context.allocate,
                                 .release = context.release};
}

// Builds twice with one instance; whether that is possible with the limit.
static bool builds_within(const struct nbstage_map *map, const char *way,
                          size_t mebibytes, const struct plugin_lump *expected)
{
    struct counted_memory memory = {0};
    struct nbstage_host host = counted_host(&memory);
    char options[128];
    snprintf(options, sizeof options, "%s max-memory=%zu", way, mebibytes);
    struct nbstage_instance *instance = plugin_create_for(&host, options);
    nbstage_status status = NBSTAGE_OK;
    for (int i = 0; i < 2; i++) {
        struct nbstage_result result = {.size = sizeof result};
        status = stage->build(instance, map, &result);
        ck_assert_uint_le(memory.peak, mebibytes * MEBIBYTE + OVERHEAD);
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
    ck_assert_uint_eq(memory.in_use, 0);
    return status == NBSTAGE_OK;
}

START_TEST(memory_is_held_to_its_limit)
{
    enum { ENOUGH = 256 };
    struct subject subject;
    open_subject(&subject, 20000);
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
END_TEST

START_TEST(results_that_are_kept_do_not_count)
{
    struct subject subject;
    open_subject(&subject, 20000);
    struct counted_memory memory = {0};
    struct nbstage_host host = counted_host(&memory);
    struct nbstage_instance *instance =
        plugin_create_for(&host, "format=xbm1 pack=none max-memory=16");
    struct nbstage_result results[20];
    for (size_t i = 0; i < COUNT(results); i++) {
        results[i] = (struct nbstage_result){.size = sizeof *results};
        ck_assert_int_eq(stage->build(instance, &subject.map, &results[i]),
                         NBSTAGE_OK);
    }
    ck_assert_uint_gt(memory.in_use, 16 * MEBIBYTE);
    stage->destroy(instance);
    ck_assert_uint_eq(memory.in_use, 0);
    close_subject(&subject);
}
END_TEST

// ---------------------------------------------------------------------------
// Sizes that are claimed

static const unsigned char vertexes[] = {0, 0, 0, 0, 200, 0, 0, 0};
static const unsigned char linedefs[] = {0, 0, 1, 0, 1, 0,    0,
                                         0, 0, 0, 0, 0, 0xFF, 0xFF};

static const struct {
    const char *lump;
    const char *options;
    const char *signature;
    size_t signature_size;
    uint32_t original; // vertices of the map, as nodes have it first
} claims[] = {
    {"BLOCKMAP", "source=lump", "XBM1\0\0\0", 8, 0},
    {"BLOCKMAP", "source=lump", "", 0, 0},
    {"BLOCKMAP", "source=lump max-blocks=16777216", "XBM1\0\0\0", 8, 0},
    {"ZNODES", "check-nodes=yes", "XNOD", 4, 2},
    {"ZNODES", "check-nodes=yes", "XGLN", 4, 2},
    {"ZNODES", "check-nodes=yes", "XGL2", 4, 2},
    {"ZNODES", "check-nodes=yes", "XGL3", 4, 2},
};

// Every number of the lump but the first is as large as can be.
START_TEST(sizes_that_are_claimed_take_no_memory)
{
    struct buffer bytes = {0};
    buffer_put(&bytes, claims[_i].signature, claims[_i].signature_size);
    buffer_put_u32(&bytes, claims[_i].original);
    for (int i = 0; i < 40; i++)
        buffer_put_u32(&bytes, i == 0 ? 0 : UINT32_MAX);
    struct nbstage_lump lumps[] = {
        {.name = "LINEDEFS", .data = linedefs, .data_size = sizeof linedefs},
        {.name = "VERTEXES", .data = vertexes, .data_size = sizeof vertexes},
        {.name = claims[_i].lump, .data = bytes.bytes, .data_size = bytes.size},
    };
    for (size_t i = 0; i < COUNT(lumps); i++)
        lumps[i].size = sizeof *lumps;
    struct counted_memory memory = {0};
    struct nbstage_host host = counted_host(&memory);
    struct nbstage_map map =
        nbstage_map_from_lumps("MAP07", lumps, COUNT(lumps));
    struct nbstage_instance *instance =
        plugin_create_for(&host, claims[_i].options);
    struct nbstage_result result = {.size = sizeof result};
    ck_assert_int_eq(stage->build(instance, &map, &result), NBSTAGE_BAD_MAP);
    assert_tells(stage->last_error(instance), "MAP07", claims[_i].lump);
    ck_assert_uint_le(memory.peak, OVERHEAD);
    stage->destroy(instance);
    buffer_free(&bytes);
}
END_TEST

// A lump that would grow beyond all bounds is given up when it has grown to
// 256 times its size, or to 1 MiB.
START_TEST(compressed_lumps_take_little_memory)
{
    struct buffer bomb = compress_bomb(NBSTAGE_ZLIB, MEBIBYTE, 64);
    struct nbstage_lump lump = {.size = sizeof lump,
                                .name = "TEXTMAP",
                                .data = bomb.bytes,
                                .data_size = bomb.size,
                                .compression = NBSTAGE_ZLIB};
    struct nbstage_map map = nbstage_map_from_lumps("MAP07", &lump, 1);
    struct counted_memory memory = {0};
    struct nbstage_host host = counted_host(&memory);
    struct nbstage_instance *instance = plugin_create_for(&host, "");
    struct nbstage_result result = {.size = sizeof result};
    ck_assert_int_eq(stage->build(instance, &map, &result), NBSTAGE_BAD_MAP);
    // What it has grown out of is there too, or kept.
    ck_assert_uint_le(memory.peak, 3 * (256 * bomb.size + MEBIBYTE));
    stage->destroy(instance);
    buffer_free(&bomb);
}
END_TEST

int main(void)
{
    stage = plugin_stage();
    TCase *tests = tcase_create("limits");
    tcase_add_loop_test(tests, blocks_and_entries_are_held_to_their_limits, 0,
                        COUNT(ways));
    tcase_add_test(tests, advice_over_the_limits_is_no_failure);
    tcase_add_test(tests, entries_over_the_limit_leave_no_line_inert);
    tcase_add_loop_test(tests, memory_is_held_to_its_limit, 0, COUNT(ways));
    tcase_add_test(tests, results_that_are_kept_do_not_count);
    tcase_add_loop_test(tests, sizes_that_are_claimed_take_no_memory, 0,
                        COUNT(claims));
    tcase_add_test(tests, compressed_lumps_take_little_memory);
    return run_tests(tests);
}
