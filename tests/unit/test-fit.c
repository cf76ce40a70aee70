// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that maps over a limit come out as lumps that meet it, in whatever
// way lists are packed: every block has all that touches it, and what that
// costs is what the result tells, and no more than it has to be.  That nothing
// is merged where it need not be or where options say so, and that a map for
// which no merging is enough gets what `overflow` says, with a sentence that
// tells why.  And that a map made to need too much work is packed early, with a
// warning and nothing lost.
//
// Limits, lists and prices are those that stand in the lumps, word by word.
// test-merge knows how lists are merged, test-chains how they are packed.

#include "blocklists.h"
#include "context-for-tests.h"
#include "oracle.h"
#include "plugin.h"
#include "random-map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    BLOCK = 128,    // map units
    VANILLA_OFFSET = 32767,
    EXTENDED_WORDS = 65535,
    MOST_OPTIONS = 200, // bytes
    MESSAGE_SIZE = 512,
};

static struct plugin_lump build(const struct random_map *map,
                                const char *options)
{
    struct nbstage_map given = random_map_arrays(map, "MAP01");
    return plugin_build(&given, options);
}

static void assert_number(const struct plugin_lump *lump, const char *fact,
                          uint64_t expected)
{
    int64_t told = plugin_number(lump, fact);
    ck_assert_msg(told == (int64_t)expected,
                  "told of %s %" PRId64 "; it is %" PRIu64, fact, told,
                  expected);
}

// ---------------------------------------------------------------------------
// What a lump says, against the truth

static struct oracle_entry_list find_truth(const struct random_map *map,
                                           const struct oracle_grid *grid)
{
    const struct nbstage_map arrays = random_map_arrays(map, "MAP01");
    struct oracle_line *segments = plugin_oracle_lines(&arrays);
    struct oracle_entry_list truth =
        oracle_find_entries(grid, segments, map->line_count);
    free(segments);
    return truth;
}

// ---------------------------------------------------------------------------
// Maps

// Lines all over a map, or points so far apart that the grid has so many
// blocks: linedef 0 is in the first, linedef 1 in the last two, and the others
// in the last.
struct subject {
    const struct scatter *scatter; // NULL: points
    int32_t columns, rows;
    uint32_t lines;
};

static struct random_map make_far_points(const struct subject *subject)
{
    const int64_t block = (int64_t)BLOCK * UNIT;
    const int32_t columns[] = {0, subject->columns - 1, subject->columns - 2};
    const int32_t rows[] = {0, subject->rows - 1, subject->rows - 1};
    struct random_map map;
    random_map_allocate(&map, COUNT(columns), subject->lines);
    for (size_t v = 0; v < COUNT(columns); v++) {
        map.vertices[v].x = (int32_t)(INT32_MIN + columns[v] * block);
        map.vertices[v].y = (int32_t)(INT32_MIN + rows[v] * block);
    }
    for (size_t i = 1; i < map.line_count; i++)
        map.lines[i].v1 = map.lines[i].v2 = 1;
    map.lines[1].v2 = 2;
    return map;
}

static struct random_map make_subject(const struct subject *subject)
{
    return subject->scatter ? scattered_map_make(subject->scatter)
                            : make_far_points(subject);
}

// Maps that are over a limit by some thousand words.
static const struct scatter short_lines = {1, 12000, 16000, 150};
static const struct scatter long_lines = {2, 2500, 8000, 2000};
static const struct scatter dense = {3, 14000, 2500, 300};
static const struct scatter large = {4, 20000, 20000, 200};

// ---------------------------------------------------------------------------
// Packings

static const char *const packs[] = {"share", "nest", "cover"};
static const char *const headers[] = {"zero", "any", "none"};
enum { SHARE, NEST, COVER, PACKS, ZERO = 0, ANY, NONE };

// A packing and a limit.
struct setting {
    size_t pack, header;
    const char *limit; // "vanilla" or "extended"
};

static struct plugin_lump build_with(const struct random_map *map,
                                     const struct setting *setting,
                                     const char *more)
{
    char options[MOST_OPTIONS];
    snprintf(options, MOST_OPTIONS, "pack=%s header=%s limit=%s %s",
             packs[setting->pack], headers[setting->header], setting->limit,
             more);
    return build(map, options);
}

// Builds with fit; over the limit is a failure.
static struct plugin_lump build_to_fit(const struct random_map *map,
                                       const struct setting *setting)
{
    char more[64];
    snprintf(more, sizeof more, "grid=fit overflow=error fit=%s",
             setting->limit);
    return build_with(map, setting, more);
}

// Compares the lists of a lump with the truth, and what is told of it with
// both. Where a list has the header of another, which may be an extra linedef
// 0, it may be told to cost one more.  Returns the extra entries.
static size_t check_lump(const struct random_map *map,
                         const struct setting *setting,
                         const struct plugin_lump *lump)
{
    const enum blocklists_header header =
        (enum blocklists_header)setting->header;
    struct blocklists lists = blocklists_read(lump->bytes, lump->size);
    struct oracle_entry_list truth = find_truth(map, &lists.grid);
    assert_number(lump, "words", lists.word_count);
    assert_number(lump, "largest_offset", lists.largest_offset);
    assert_number(lump, "entries", truth.count);
    struct blocklists_counts counts =
        blocklists_compare(&lists, header, &truth, UINT16_MAX, NULL);
    int64_t extra = plugin_number(lump, "extra_entries");
    int64_t at_worst = plugin_number(lump, "extra_at_worst");
    ck_assert_uint_eq(counts.missing + counts.unknown + counts.unreadable, 0);
    ck_assert_int_ge(extra, (int64_t)counts.extra);
    ck_assert_int_ge(at_worst, (int64_t)counts.extra_at_worst);
    ck_assert_int_le(extra, (int64_t)(counts.extra + counts.doubtful));
    ck_assert_int_le(at_worst,
                     (int64_t)counts.extra_at_worst + (counts.doubtful > 0));
    oracle_free_entries(&truth);
    blocklists_free(&lists);
    return counts.extra;
}

static bool meets(const struct plugin_lump *lump, const char *limit)
{
    struct blocklists lists = blocklists_read(lump->bytes, lump->size);
    bool answer = lists.word_count <= EXTENDED_WORDS &&
                  (strcmp(limit, "extended") == 0 ||
                   lists.largest_offset <= VANILLA_OFFSET);
    blocklists_free(&lists);
    return answer;
}

// Builds a map that is over the limit, as it is and to fit.  Returns the price.
static uint64_t check_fit(const struct random_map *map,
                          const struct setting *setting)
{
    struct plugin_lump unmerged =
        build_with(map, setting, "grid=fit overflow=xbm1");
    size_t extra = check_lump(map, setting, &unmerged);
    ck_assert(setting->pack == COVER || extra == 0);
    ck_assert(!meets(&unmerged, setting->limit));
    assert_number(&unmerged, "merges", 0);
    assert_number(&unmerged, "over_limit", 1);
    struct plugin_lump lump = build_to_fit(map, setting);
    extra = check_lump(map, setting, &lump);
    ck_assert_uint_gt(extra, 0);
    ck_assert(meets(&lump, setting->limit));
    ck_assert_int_gt(plugin_number(&lump, "merges"), 0);
    uint64_t price = (uint64_t)plugin_number(&lump, "extra_entries");
    plugin_free(&unmerged);
    plugin_free(&lump);
    return price;
}

// ---------------------------------------------------------------------------
// Maps over a limit

// The extra entries of the fewest merges that meet the limit.  pack=share and
// pack=nest have the same, because shared lists are nested before they are
// merged.
static const struct {
    const struct scatter *scatter;
    const char *limit;
    size_t header;
    uint64_t price, price_covered;
} scatters[] = {
    {&short_lines, "vanilla", NONE, 6092, 19889},
    {&long_lines, "vanilla", ZERO, 1199, 4074},
    {&long_lines, "vanilla", ANY, 860, 4074},
    {&long_lines, "vanilla", NONE, 192, 1932},
    {&dense, "vanilla", ZERO, 4679, 12866},
    {&dense, "vanilla", ANY, 4436, 12866},
    {&dense, "vanilla", NONE, 4047, 11932},
    {&large, "extended", NONE, 1386, 13575},
    {&large, "extended", ZERO, 21100, 28012},
};

START_TEST(scattered_maps_fit)
{
    struct random_map map = scattered_map_make(scatters[_i].scatter);
    for (size_t pack = 0; pack < PACKS; pack++) {
        const struct setting setting = {pack, scatters[_i].header,
                                        scatters[_i].limit};
        uint64_t price = check_fit(&map, &setting);
        uint64_t expected =
            pack == COVER ? scatters[_i].price_covered : scatters[_i].price;
        ck_assert_msg(price == expected,
                      "pack=%s costs %" PRIu64 " extra entries, not %" PRIu64,
                      packs[pack], price, expected);
    }
    random_map_free(&map);
}
END_TEST

// ---------------------------------------------------------------------------
// What fit leaves alone

static const struct scatter small = {5, 400, 4000, 600};
static const struct scatter nestable = {2, 2100, 8000, 2000};

// Options with and without fit that give the same.
static const struct {
    struct subject map;
    const char *with, *without;
} same[] = {
    {{.scatter = &small}, "fit=vanilla", "fit=none"},
    {{.scatter = &long_lines}, "fit=extended", ""},
    {{.scatter = &long_lines}, "fit=none", ""},
    {{.scatter = &long_lines},
     "pack=none fit=vanilla overflow=xbm1",
     "pack=none limit=vanilla overflow=xbm1"},
    {{.scatter = &long_lines},
     "pack=share fit=vanilla format=xbm1",
     "pack=share format=xbm1"},
    {{.scatter = &long_lines},
     "pack=nest fit=vanilla format=xbm1",
     "pack=nest format=xbm1"},
    {{.scatter = &long_lines},
     "pack=cover fit=vanilla format=xbm1",
     "pack=cover format=xbm1"},
    // Nesting is enough.
    {{.scatter = &nestable}, "pack=share fit=vanilla", "pack=nest"},
    // A list that many others begin with goes behind them in a chain.
    {{NULL, 181, 180, 300},
     "pack=nest header=any fit=vanilla",
     "pack=share header=any"},
    {{NULL, 181, 180, 300},
     "pack=nest header=none fit=vanilla",
     "pack=share header=none"},
};

START_TEST(what_is_not_to_be_merged_stays_as_it_is)
{
    struct random_map map = make_subject(&same[_i].map);
    struct plugin_lump lump = build(&map, same[_i].with);
    struct plugin_lump expected = build(&map, same[_i].without);
    ck_assert_uint_gt(lump.size, 0);
    plugin_check_same(same[_i].with, &lump, &expected);
    assert_number(&lump, "merges", 0);
    assert_number(&lump, "over_limit",
                  (uint64_t)plugin_number(&expected, "over_limit"));
    plugin_free(&lump);
    plugin_free(&expected);
    random_map_free(&map);
}
END_TEST

// ---------------------------------------------------------------------------
// Where no merging is enough

// Builds a map that is over the limit.  Returns the warning about the lump that
// is left empty, valid until the next call.
static const char *build_empty(const struct random_map *map,
                               const char *options)
{
    struct nbstage_map given = random_map_arrays(map, "MAP01");
    test_host.message_count = 0;
    struct plugin_lump lump =
        plugin_build_for(&test_callbacks, &given, options);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_uint_eq(lump.size, 0);
    assert_number(&lump, "merges", 0);
    assert_number(&lump, "over_limit", 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells(test_host.message, "left empty");
    plugin_free(&lump);
    return test_host.message;
}

// That the map gets what `overflow` says, with sentences that tell facts.
static void check_refused(const struct random_map *map, const char *options,
                          const char *const *facts)
{
    struct nbstage_map given = random_map_arrays(map, "MAP01");
    char all[MOST_OPTIONS];
    snprintf(all, sizeof all, "%s overflow=error", options);
    plugin_check_failure_all(NULL, &given, all, NBSTAGE_OVER_LIMIT, facts);
    snprintf(all, sizeof all, "%s overflow=empty", options);
    assert_tells_all(build_empty(map, all), facts);
    snprintf(all, sizeof all, "%s overflow=xbm1", options);
    struct plugin_lump lump = build(map, all);
    snprintf(all, sizeof all, "%s fit=none format=xbm1", options);
    struct plugin_lump expected = build(map, all);
    plugin_check_same("overflow=xbm1", &lump, &expected);
    plugin_free(&lump);
    plugin_free(&expected);
}

// All linedefs in one list are too many beside the table.
static const struct scatter too_many_lines = {6, 65500, 800, 50};

static const struct {
    struct subject map;
    const char *options;
    const char *facts[4];
} unfit[] = {
    {{NULL, 181, 182, 2},
     "fit=vanilla",
     {"fit=vanilla", "table of offsets", "32946"}},
    {{NULL, 254, 129, 2},
     "fit=vanilla",
     {"fit=vanilla", "table of offsets", "32770"}},
    {{NULL, 512, 64, 2},
     "fit=vanilla pack=nest header=none limit=vanilla",
     {"fit=vanilla", "table of offsets", "32772"}},
    {{NULL, 256, 256, 2},
     "fit=extended",
     {"fit=extended", "table of offsets", "65540"}},
    {{NULL, 256, 256, 2},
     "fit=vanilla",
     {"fit=vanilla", "table of offsets", "65540"}},
    {{NULL, 512, 512, 2},
     "fit=extended pack=cover header=any",
     {"fit=extended", "table of offsets", "262148"}},
    {{NULL, 253, 259, 3},
     "limit=extended fit=extended",
     {"fit=extended", "merging", "65535"}},
    {{.scatter = &too_many_lines},
     "limit=extended fit=extended pack=share",
     {"fit=extended", "merging", "65535"}},
    {{.scatter = &too_many_lines},
     "limit=extended fit=extended pack=nest header=none",
     {"fit=extended", "merging", "65535"}},
    {{.scatter = &too_many_lines},
     "limit=extended fit=extended pack=cover",
     {"fit=extended", "merging", "65535"}},
    {{.scatter = &long_lines},
     "pack=none fit=vanilla",
     {"fit=vanilla", "pack=none", "32767"}},
};

START_TEST(a_map_that_no_merging_makes_fit_is_told)
{
    struct random_map map = make_subject(&unfit[_i].map);
    check_refused(&map, unfit[_i].options, unfit[_i].facts);
    random_map_free(&map);
}
END_TEST

// The most blocks whose table of offsets leaves room for lists: in a vanilla
// lump for the beginning of one, in an extended one for four words.
static const struct {
    struct subject map;
    struct setting setting;
    uint64_t lists;
} tight[] = {
    {{NULL, 201, 163, 2}, {SHARE, ZERO, "vanilla"}, 1},
    {{NULL, 201, 163, 2}, {NEST, ANY, "vanilla"}, 1},
    {{NULL, 201, 163, 9}, {COVER, NONE, "vanilla"}, 1},
    {{NULL, 253, 259, 2}, {SHARE, ZERO, "extended"}, 2},
    {{NULL, 253, 259, 2}, {COVER, ANY, "extended"}, 2},
    {{NULL, 253, 259, 3}, {NEST, NONE, "extended"}, 4},
};

START_TEST(lists_become_as_few_as_they_have_to)
{
    struct random_map map = make_subject(&tight[_i].map);
    check_fit(&map, &tight[_i].setting);
    struct plugin_lump lump = build_to_fit(&map, &tight[_i].setting);
    assert_number(&lump, "lists", tight[_i].lists);
    plugin_free(&lump);
    random_map_free(&map);
}
END_TEST

START_TEST(too_many_linedefs_are_told_as_without_fit)
{
    static const struct scatter scatter = {7, 65535, 20000, 200};
    struct random_map map = scattered_map_make(&scatter);
    struct nbstage_map given = random_map_arrays(&map, "MAP01");
    char without[MESSAGE_SIZE];
    snprintf(without, sizeof without, "%s", build_empty(&map, "fit=none"));
    ck_assert_str_eq(build_empty(&map, "fit=extended"), without);
    assert_tells(without, "65535 linedefs", "65534");
    const char *sentence;
    plugin_try(&given, "overflow=error", &sentence);
    plugin_check_failure(NULL, &given, "overflow=error fit=extended",
                         NBSTAGE_OVER_LIMIT, sentence);
    random_map_free(&map);
}
END_TEST

// ---------------------------------------------------------------------------
// With other options

START_TEST(threads_of_a_search_change_nothing)
{
    enum { EDGE = (INT16_MIN + 19) * UNIT }; // leaves 20 origins each way
    static const struct setting setting = {NEST, ZERO, "vanilla"};
    struct random_map map = scattered_map_make(&long_lines);
    random_map_move(&map, EDGE, EDGE);
    struct plugin_lump expected =
        build_with(&map, &setting, "grid=search fit=vanilla threads=1");
    struct plugin_lump lump =
        build_with(&map, &setting, "grid=search fit=vanilla threads=3");
    ck_assert_int_gt(plugin_number(&expected, "merges"), 0);
    check_lump(&map, &setting, &expected);
    plugin_check_same("threads=3", &lump, &expected);
    plugin_free(&lump);
    plugin_free(&expected);
    random_map_free(&map);
}
END_TEST

START_TEST(lists_of_the_present_lump_are_merged)
{
    static const struct {
        const char *options;
        struct setting setting;
    } packings[] = {
        {"source=lump fit=vanilla overflow=error pack=share",
         {SHARE, ZERO, NULL}},
        {"source=lump fit=vanilla overflow=error pack=cover",
         {COVER, ZERO, NULL}},
        {"source=lump fit=vanilla overflow=error pack=nest header=none",
         {NEST, NONE, NULL}},
    };
    enum { HEADER = 8 }; // bytes
    struct random_map map = scattered_map_make(&long_lines);
    struct plugin_lump source = build(&map, "grid=-100,-60 pack=share");
    const struct nbstage_lump blockmap = {.size = sizeof blockmap,
                                          .name = "BLOCKMAP",
                                          .data = source.bytes,
                                          .data_size = source.size};
    struct nbstage_map given = random_map_arrays(&map, "MAP01");
    given.lumps = &blockmap;
    given.lump_count = 1;
    ck_assert(!meets(&source, "vanilla"));
    for (size_t p = 0; p < COUNT(packings); p++) {
        struct plugin_lump lump = plugin_build(&given, packings[p].options);
        ck_assert_uint_gt(check_lump(&map, &packings[p].setting, &lump), 0);
        ck_assert(meets(&lump, "vanilla"));
        ck_assert_int_gt(plugin_number(&lump, "merges"), 0);
        ck_assert_mem_eq(lump.bytes, source.bytes, HEADER);
        plugin_free(&lump);
    }
    plugin_free(&source);
    random_map_free(&map);
}
END_TEST

// The warning about the price tells what the result tells.
START_TEST(the_price_is_told)
{
    static const char *const names[] = {"merges", "extra_entries", "entries",
                                        "extra_at_worst"};
    struct random_map map = scattered_map_make(&long_lines);
    struct nbstage_map given = random_map_arrays(&map, "MAP01");
    struct plugin_lump lump =
        plugin_build_for(&test_callbacks, &given, "fit=vanilla");
    char numbers[COUNT(names)][24];
    for (size_t i = 0; i < COUNT(names); i++)
        snprintf(numbers[i], sizeof numbers[i], "%" PRId64,
                 plugin_number(&lump, names[i]));
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells(test_host.message, "vanilla limit", numbers[0], numbers[1],
                 numbers[2], numbers[3]);
    plugin_free(&lump);
    random_map_free(&map);
}
END_TEST

// ---------------------------------------------------------------------------
// Time

// Hardly two lists have a line in common, and many must become one.
START_TEST(disjoint_lists_take_little_time)
{
    static const struct scatter scatter = {8, 20000, 12000, 2};
    static const struct setting setting = {NEST, ZERO, "vanilla"};
    struct random_map map = scattered_map_make(&scatter);
    clock_t begin = clock();
    struct plugin_lump lump = build_to_fit(&map, &setting);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    ck_assert_double_lt(seconds, 20 * SLOWNESS);
    check_lump(&map, &setting, &lump);
    plugin_free(&lump);
    random_map_free(&map);
}
END_TEST

// ---------------------------------------------------------------------------
// Too much work

// A grid as wide as can be has long lines all over it, so that every line is in
// hundreds of lists and hardly any list contains another.
static const struct {
    const char *options;
    struct setting setting;
} early[] = {
    {"grid=fit format=xbm1 pack=nest header=none", {NEST, NONE, NULL}},
    {"grid=fit format=xbm1 pack=nest header=zero", {NEST, ZERO, NULL}},
};

// Lines all over all there is of a map.
static struct random_map make_vast_map(void)
{
    static const struct scatter scatter = {1, 1200, 32767, 32766};
    struct random_map map = scattered_map_make(&scatter);
    for (size_t v = 0; v < map.vertex_count; v++) {
        struct nbstage_vertex *vertex = &map.vertices[v];
        vertex->x = (int32_t)(2 * (int64_t)vertex->x + INT32_MIN);
        vertex->y = (int32_t)(2 * (int64_t)vertex->y + INT32_MIN);
    }
    return map;
}

START_TEST(early_packing_is_told_and_loses_nothing)
{
    struct random_map lines = make_vast_map();
    struct nbstage_map map = random_map_arrays(&lines, "MAP01");
    struct plugin_lump share = plugin_build_for(
        &test_callbacks, &map, "grid=fit format=xbm1 pack=share");
    ck_assert_uint_eq(test_host.message_count, 0);
    ck_assert_int_eq(plugin_number(&share, "packed_early"), 0);
    struct plugin_lump lump =
        plugin_build_for(&test_callbacks, &map, early[_i].options);
    ck_assert_int_eq(plugin_number(&lump, "packed_early"), 1);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells(test_host.message, "MAP01", "BLOCKMAP", "work limit");
    ck_assert_uint_lt(lump.size, share.size);
    check_lump(&lines, &early[_i].setting, &lump);
    struct blocklists lists = blocklists_read(lump.bytes, lump.size);
    blocklists_check(&lists, (enum blocklists_header)early[_i].setting.header);
    blocklists_free(&lists);
    plugin_free(&share);
    plugin_free(&lump);
    random_map_free(&lines);
}
END_TEST

// No sentence says that something cannot be that was not tried to the end.
START_TEST(too_little_work_is_told)
{
    static const struct scatter scatter = {1, 5500, 32000, 31999};
    struct random_map vast = make_vast_map();
    struct nbstage_map vast_map = random_map_arrays(&vast, "MAP01");
    plugin_check_failure(NULL, &vast_map, "grid=fit format=doom overflow=error",
                         NBSTAGE_OVER_LIMIT,
                         "no packing without loss was found to meet it");
    struct random_map full = scattered_map_make(&scatter);
    struct nbstage_map full_map = random_map_arrays(&full, "MAP01");
    plugin_check_failure(
        NULL, &full_map, "pack=nest fit=extended overflow=error",
        NBSTAGE_OVER_LIMIT, "fit=extended stopped at its work limit");
    random_map_free(&vast);
    random_map_free(&full);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("fit");
    tcase_add_loop_test(tests, scattered_maps_fit, 0, COUNT(scatters));
    tcase_add_loop_test(tests, what_is_not_to_be_merged_stays_as_it_is, 0,
                        COUNT(same));
    tcase_add_loop_test(tests, a_map_that_no_merging_makes_fit_is_told, 0,
                        COUNT(unfit));
    tcase_add_loop_test(tests, lists_become_as_few_as_they_have_to, 0,
                        COUNT(tight));
    tcase_add_test(tests, too_many_linedefs_are_told_as_without_fit);
    tcase_add_test(tests, threads_of_a_search_change_nothing);
    tcase_add_test(tests, lists_of_the_present_lump_are_merged);
    tcase_add_test(tests, the_price_is_told);
    tcase_add_test(tests, disjoint_lists_take_little_time);
    tcase_add_loop_test(tests, early_packing_is_told_and_loses_nothing, 0,
                        COUNT(early));
    tcase_add_test(tests, too_little_work_is_told);
    return run_tests(tests);
}
