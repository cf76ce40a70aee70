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

static const struct {
    const char *options;
    enum blocklists_header header;
} forms[] = {
    {"grid=fit format=xbm1 pack=nest header=none", LISTS_NONE},
    {"grid=fit format=xbm1 pack=nest header=zero", LISTS_ZERO},
};

START_TEST(early_packing_is_told_and_loses_nothing)
{
    static const struct scatter scatter = {1, 1200, 32767, 32766};
    struct random_map lines = scattered_map_make(&scatter);
    for (size_t v = 0; v < lines.vertex_count; v++) { // all there is of a map
        struct nbstage_vertex *vertex = &lines.vertices[v];
        vertex->x = (int32_t)(2 * (int64_t)vertex->x + INT32_MIN);
        vertex->y = (int32_t)(2 * (int64_t)vertex->y + INT32_MIN);
    }
    struct nbstage_map map = random_map_arrays(&lines, "MAP01");
    struct plugin_lump share = plugin_build_for(
        &test_callbacks, &map, "grid=fit format=xbm1 pack=share");
    ck_assert_uint_eq(test_host.message_count, 0);
    ck_assert_int_eq(plugin_number(&share, "packed_early"), 0);
    struct blocklists shared = blocklists_read(share.bytes, share.size);
    struct oracle_entry_list truth = blocklists_entries(&shared, LISTS_ZERO);
    struct plugin_lump lump =
        plugin_build_for(&test_callbacks, &map, forms[_i].options);
    ck_assert_int_eq(plugin_number(&lump, "packed_early"), 1);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells(test_host.message, "MAP01", "BLOCKMAP", "work limit");
    ck_assert_uint_lt(lump.size, share.size);
    struct blocklists lists = blocklists_read(lump.bytes, lump.size);
    blocklists_check(&lists, forms[_i].header);
    struct blocklists_counts counts = blocklists_compare(
        &lists, forms[_i].header, &truth, lines.line_count, NULL);
    ck_assert_uint_eq(counts.missing + counts.unknown, 0);
    ck_assert_int_eq((int64_t)counts.extra,
                     plugin_number(&lump, "extra_entries"));
    blocklists_free(&lists);
    blocklists_free(&shared);
    oracle_free_entries(&truth);
    plugin_free(&share);
    plugin_free(&lump);
    random_map_free(&lines);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("early packing");
    tcase_add_loop_test(tests, early_packing_is_told_and_loses_nothing, 0,
                        COUNT(forms));
    return run_tests(tests);
}
