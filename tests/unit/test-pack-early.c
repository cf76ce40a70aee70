// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a map made to need too much work is packed early: in time, with
// a warning, and with nothing lost.  It is a grid as wide as can be with long
// lines all over it, so that every line is in hundreds of lists and hardly any
// list contains another.

#include "blocklists.h"
#include "context-for-tests.h"
#include "plugin.h"
#include "random-map.h"

#include <stdio.h>

static const struct nbstage_host host = {
    .size = sizeof host,
    .context = &test_host,
    .allocate = test_allocate,
    .release = test_release,
    .log = test_log,
    .progress = test_progress,
};

enum { LINES = 1200 };

static struct nbstage_vertex vertices[2 * LINES];
static struct nbstage_line lines[LINES];
static struct nbstage_map map;

// Lines from anywhere to anywhere, in whole map units of 16 bits.
static void make_map(void)
{
    struct random_stream stream = {1};
    for (uint32_t v = 0; v < 2 * LINES; v++)
        vertices[v] = (struct nbstage_vertex){
            ((int32_t)random_below(&stream, 65536) - 32768) * 65536,
            ((int32_t)random_below(&stream, 65536) - 32768) * 65536};
    for (uint32_t l = 0; l < LINES; l++)
        lines[l] = (struct nbstage_line){.v1 = 2 * l,
                                         .v2 = 2 * l + 1,
                                         .front_sector = NBSTAGE_NONE,
                                         .back_sector = NBSTAGE_NONE};
    map = plugin_map_from_arrays("MAP01", vertices, COUNT(vertices), lines,
                                 LINES);
}

// Builds for the host, whose messages and reports are counted anew.
static nbstage_status build(const char *options, struct plugin_lump *lump)
{
    *lump = (struct plugin_lump){.instance = plugin_create_for(&host, options),
                                 .result.size = sizeof lump->result};
    test_host.message_count = test_host.progress_count = 0;
    nbstage_status status =
        plugin_stage()->build(lump->instance, &map, &lump->result);
    if (status == NBSTAGE_OK) {
        lump->bytes = lump->result.lumps->data;
        lump->size = lump->result.lumps->data_size;
    }
    return status;
}

// Checks that blocks have all their lines; returns how many others they have.
static size_t count_extra(const struct plugin_lump *lump,
                          const struct oracle_entry_list *truth,
                          enum blocklists_header header)
{
    struct blocklists lists = blocklists_read(lump->bytes, lump->size);
    blocklists_check(&lists, header);
    struct blocklists_counts counts =
        blocklists_compare(&lists, header, truth, LINES, NULL);
    ck_assert_uint_eq(counts.missing + counts.unknown, 0);
    blocklists_free(&lists);
    return counts.extra;
}

static const struct {
    const char *options;
    enum blocklists_header header;
} forms[] = {
    {"grid=fit format=xbm1 pack=nest header=none", LISTS_NONE},
    {"grid=fit format=xbm1 pack=nest header=zero", LISTS_ZERO},
};

START_TEST(early_packing_is_told_and_loses_nothing)
{
    struct plugin_lump share, lump;
    make_map();
    ck_assert_int_eq(build("grid=fit format=xbm1 pack=share", &share),
                     NBSTAGE_OK);
    ck_assert_uint_eq(test_host.message_count, 0);
    ck_assert_int_eq(plugin_number(&share, "packed_early"), 0);
    struct blocklists shared = blocklists_read(share.bytes, share.size);
    struct oracle_entry_list truth = blocklists_entries(&shared, LISTS_ZERO);
    ck_assert_int_eq(build(forms[_i].options, &lump), NBSTAGE_OK);
    printf("%s: %d lists, %d nested\n", forms[_i].options,
           (int)plugin_number(&lump, "lists"),
           (int)plugin_number(&lump, "nested_lists"));
    ck_assert_int_eq(plugin_number(&lump, "packed_early"), 1);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells(test_host.message, "MAP01", "BLOCKMAP", "work limit");
    ck_assert_uint_lt(lump.size, share.size);
    ck_assert_int_eq((int64_t)count_extra(&lump, &truth, forms[_i].header),
                     plugin_number(&lump, "extra_entries"));
    oracle_free_entries(&truth);
    blocklists_free(&shared);
    plugin_free(&share);
    plugin_free(&lump);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("early packing");
    tcase_add_loop_test(tests, early_packing_is_told_and_loses_nothing, 0,
                        COUNT(forms));
    return run_tests(tests);
}
