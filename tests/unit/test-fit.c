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
#include "made-lists.h"
#include "merge/fit.h"
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

static uint64_t seed;

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

// Builds with merging; over the limit is a failure.
static struct plugin_lump build_to_fit(const struct random_map *map,
                                       const struct setting *setting)
{
    return build_with(map, setting, "grid=fit overflow=merge,error");
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
    {&long_lines, "vanilla", ANY, 859, 4074},
    {&long_lines, "vanilla", NONE, 192, 1932},
    {&dense, "vanilla", ZERO, 4679, 12866},
    {&dense, "vanilla", ANY, 4435, 12866},
    {&dense, "vanilla", NONE, 4019, 11932},
    {&large, "extended", NONE, 1386, 13570},
    {&large, "extended", ZERO, 21100, 28012},
};

LOOP_TEST(scattered_maps_fit, COUNT(scatters))
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

// ---------------------------------------------------------------------------
// Prices

// Merges lists to meet the vanilla limit; frees them.
static struct fit fit_lists(struct lists lists, struct pack_form form,
                            struct list_area *area)
{
    struct fit fit;
    ck_assert_int_eq(
        fit_pack(&test_context, &lists, form, LIMIT_VANILLA, area, &fit),
        NBSTAGE_OK);
    return fit;
}

// Lists of linedefs near their block, each with one that none after it has.
static struct lists make_near_lists(struct random_stream stream, uint32_t count)
{
    enum { WIDTH = 12 };
    struct lists lists = made_lists_begin(count, (size_t)count * WIDTH, count);
    for (uint32_t l = 0; l < count; l++) {
        uint32_t near[WIDTH] = {l};
        size_t length = 1;
        for (uint32_t i = 1; i < WIDTH; i++)
            if (random_below(&stream, 3) == 0)
                near[length++] = l + i;
        made_lists_add(&lists, near, length);
    }
    return lists;
}

LOOP_TEST(weaker_headers_are_never_dearer, 6)
{
    const struct random_stream stream = {seed + (uint64_t)_i};
    const enum pack_mode mode = _i % 2 ? PACK_NEST : PACK_COVER;
    uint64_t price = UINT64_MAX;
    for (enum pack_header h = HEADER_ZERO; h <= HEADER_NONE; h++) {
        struct list_area area;
        fit_lists(make_near_lists(stream, 5000), (struct pack_form){mode, h},
                  &area);
        ck_assert(lump_measure(&area).meets_vanilla);
        ck_assert_uint_le(area.price.extra_count, price);
        price = area.price.extra_count;
        list_area_free(&test_context, &area);
    }
}

// Of lists with a linedef each, pairs become one as long as there are any, at
// one extra entry a block.
TEST(extra_entries_may_be_as_many_as_entries)
{
    enum { MOST = 10922 };
    for (uint32_t count = MOST; count <= MOST + 2; count += 2) {
        struct lists lists = made_lists_begin(count, count, count);
        for (uint32_t l = 0; l < count; l++)
            made_lists_add(&lists, &l, 1);
        struct list_area area;
        struct fit fit = fit_lists(
            lists, (struct pack_form){PACK_COVER, HEADER_ZERO}, &area);
        ck_assert(fit.is_too_dear == (count > MOST));
        ck_assert_uint_eq(fit.merge_count, count > MOST ? 0 : MOST / 2);
        ck_assert_uint_eq(area.price.extra_count, count > MOST ? 0 : MOST);
        ck_assert_uint_eq(fit.unmerged_words, 4 + 4 * (uint64_t)count);
        list_area_free(&test_context, &area);
    }
}

// ---------------------------------------------------------------------------
// What merging leaves alone

static const struct scatter small = {5, 400, 4000, 600};
static const struct scatter nestable = {2, 2100, 8000, 2000};

// Options with and without merging that give the same.
#define MERGE_VANILLA "limit=vanilla overflow=merge "
#define FOR_XBM1 MERGE_VANILLA "format=xbm1 "
static const struct {
    struct subject map;
    const char *with, *without;
} same[] = {
    {{.scatter = &small}, MERGE_VANILLA, ""},
    {{.scatter = &long_lines}, "limit=extended overflow=merge", ""},
    {{.scatter = &long_lines},
     "pack=none limit=vanilla overflow=merge,xbm1",
     "pack=none limit=vanilla overflow=xbm1"},
    {{.scatter = &long_lines},
     "limit=vanilla overflow=xbm1,merge",
     "limit=vanilla overflow=xbm1"},
    {{.scatter = &long_lines}, FOR_XBM1 "pack=share", "format=xbm1 pack=share"},
    {{.scatter = &long_lines}, FOR_XBM1 "pack=nest", "format=xbm1 pack=nest"},
    {{.scatter = &long_lines}, FOR_XBM1 "pack=cover", "format=xbm1 pack=cover"},
    // Nesting is enough.
    {{.scatter = &nestable}, MERGE_VANILLA "pack=share", "pack=nest"},
    // A list that many others begin with goes behind them in a chain.
    {{NULL, 181, 180, 300},
     MERGE_VANILLA "pack=nest header=any",
     "pack=share header=any"},
    {{NULL, 181, 180, 300},
     MERGE_VANILLA "pack=nest header=none",
     "pack=share header=none"},
};

LOOP_TEST(what_is_not_to_be_merged_stays_as_it_is, COUNT(same))
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
    ck_assert_uint_gt(test_host.message_count, 0); // options have others
    ck_assert_uint_eq(lump.size, 0);
    assert_number(&lump, "merges", 0);
    assert_number(&lump, "over_limit", 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells(test_host.first_message, "left empty");
    plugin_free(&lump);
    return test_host.first_message;
}

// That the map gets what `overflow` says, with sentences that tell facts.
static void check_refused(const struct random_map *map, const char *options,
                          const char *const *facts)
{
    struct nbstage_map given = random_map_arrays(map, "MAP01");
    char all[MOST_OPTIONS];
    snprintf(all, sizeof all, "%s overflow=merge,error", options);
    plugin_check_failure_all(NULL, &given, all, NBSTAGE_OVER_LIMIT, facts);
    snprintf(all, sizeof all, "%s overflow=merge,empty", options);
    assert_tells_all(build_empty(map, all), facts);
    snprintf(all, sizeof all, "%s overflow=merge,xbm1", options);
    struct plugin_lump lump = build(map, all);
    snprintf(all, sizeof all, "%s format=xbm1", options);
    struct plugin_lump expected = build(map, all);
    plugin_check_same("overflow=xbm1", &lump, &expected);
    plugin_free(&lump);
    plugin_free(&expected);
}

// All linedefs in one list are too many beside the table.
static const struct scatter too_many_lines = {6, 65500, 800, 50};

#define TABLE(words) \
    "merging lists cannot meet it, as the header and the table of offsets " \
    "alone take " words " words"
#define TOO_DEAR(entries) \
    "merging lists would take more extra entries than the " entries \
    " entries there are"
#define CANNOT "merging lists cannot meet it"
#define VANILLA "limit=vanilla"
#define EXTENDED "limit=extended"
static const struct {
    struct subject map;
    const char *options;
    const char *facts[3];
} unfit[] = {
    {{NULL, 181, 182, 2}, VANILLA, {TABLE("32946")}},
    {{NULL, 254, 129, 2}, VANILLA, {TABLE("32770")}},
    {{NULL, 512, 64, 2}, VANILLA " pack=nest header=none", {TABLE("32772")}},
    {{NULL, 256, 256, 2}, EXTENDED, {TABLE("65540")}},
    {{NULL, 512, 512, 2}, EXTENDED " pack=cover header=any", {TABLE("262148")}},
    // The table leaves room for the beginning of a list, or for four words.
    {{NULL, 201, 163, 2}, VANILLA, {TOO_DEAR("3")}},
    {{NULL, 201, 163, 2}, VANILLA " pack=nest header=any", {TOO_DEAR("3")}},
    {{NULL, 201, 163, 9}, VANILLA " pack=cover header=none", {TOO_DEAR("10")}},
    {{NULL, 253, 259, 3}, EXTENDED, {CANNOT}},
    {{.scatter = &too_many_lines}, EXTENDED " pack=share", {CANNOT}},
    {{.scatter = &too_many_lines}, EXTENDED " pack=nest header=none", {CANNOT}},
    {{.scatter = &too_many_lines}, EXTENDED " pack=cover", {CANNOT}},
    {{.scatter = &long_lines},
     VANILLA " pack=none",
     {"nothing is merged with pack=none", "32767"}},
};

LOOP_TEST(a_map_that_no_merging_makes_fit_is_told, COUNT(unfit))
{
    struct random_map map = make_subject(&unfit[_i].map);
    check_refused(&map, unfit[_i].options, unfit[_i].facts);
    random_map_free(&map);
}

TEST(too_many_linedefs_are_told_as_without_merging)
{
    static const struct scatter scatter = {7, 65535, 20000, 200};
    struct random_map map = scattered_map_make(&scatter);
    struct nbstage_map given = random_map_arrays(&map, "MAP01");
    char without[MESSAGE_SIZE];
    snprintf(without, sizeof without, "%s",
             build_empty(&map, "overflow=empty"));
    ck_assert_str_eq(build_empty(&map, "overflow=merge,empty"), without);
    assert_tells(without, "65535 linedefs", "65534");
    const char *sentence;
    plugin_try(&given, "overflow=error", &sentence);
    plugin_check_failure(NULL, &given, "overflow=merge,error",
                         NBSTAGE_OVER_LIMIT, sentence);
    random_map_free(&map);
}

// ---------------------------------------------------------------------------
// With other options

TEST(threads_of_a_search_change_nothing)
{
    enum { EDGE = (INT16_MIN + 19) * UNIT }; // leaves 20 origins each way
    static const struct setting setting = {NEST, ZERO, "vanilla"};
    struct random_map map = scattered_map_make(&long_lines);
    random_map_move(&map, EDGE, EDGE);
    struct plugin_lump expected =
        build_with(&map, &setting, "grid=search overflow=merge threads=1");
    struct plugin_lump lump =
        build_with(&map, &setting, "grid=search overflow=merge threads=3");
    ck_assert_int_gt(plugin_number(&expected, "merges"), 0);
    check_lump(&map, &setting, &expected);
    plugin_check_same("threads=3", &lump, &expected);
    plugin_free(&lump);
    plugin_free(&expected);
    random_map_free(&map);
}

TEST(lists_of_the_present_lump_are_merged)
{
    static const struct {
        const char *options;
        struct setting setting;
    } packings[] = {
        {"lists=lump limit=vanilla overflow=merge,error pack=share",
         {SHARE, ZERO, NULL}},
        {"lists=lump limit=vanilla overflow=merge,error pack=cover",
         {COVER, ZERO, NULL}},
        {"lists=lump limit=vanilla overflow=merge,error pack=nest header=none",
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

// The warning about the price tells what the result tells.
TEST(the_price_is_told)
{
    struct random_map map = scattered_map_make(&long_lines);
    struct nbstage_map given = random_map_arrays(&map, "MAP01");
    struct plugin_lump lump =
        plugin_build_for(&test_callbacks, &given, "for=doom19 overflow=merge");
    const int64_t entries = plugin_number(&lump, "entries");
    char expected[MESSAGE_SIZE];
    snprintf(expected, sizeof expected,
             "MAP01: BLOCKMAP: lists were merged %" PRId64 " times to meet the "
             "vanilla limit: before, the lump had %" PRId64
             " bytes and %" PRId64 " entries, now %zu and %" PRId64
             ", with at most %" PRId64 " extra in one block",
             plugin_number(&lump, "merges"),
             2 * plugin_number(&lump, "unmerged_words"), entries, lump.size,
             entries + plugin_number(&lump, "extra_entries"),
             plugin_number(&lump, "extra_at_worst"));
    ck_assert_str_eq(test_host.message, expected);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    plugin_free(&lump);
    random_map_free(&map);
}

// ---------------------------------------------------------------------------
// Time

// Hardly two lists have a line in common, and many must become one.
TEST(disjoint_lists_take_little_time)
{
    static const struct scatter scatter = {8, 16000, 12000, 2};
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

// ---------------------------------------------------------------------------
// Too much work

// A grid as wide as can be has long lines all over it, so that every line is in
// hundreds of lists and hardly any list contains another.
static const struct {
    const char *options;
    struct setting setting;
} early[] = {
    {"for=woof grid=fit format=xbm1 pack=nest", {NEST, ANY, NULL}},
    {"for=woof grid=fit format=xbm1 pack=nest header=zero", {NEST, ZERO, NULL}},
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

LOOP_TEST(early_packing_is_told_and_loses_nothing, COUNT(early))
{
    struct random_map lines = make_vast_map();
    struct nbstage_map map = random_map_arrays(&lines, "MAP01");
    struct plugin_lump share = plugin_build_for(
        &test_callbacks, &map, "for=woof grid=fit format=xbm1 pack=share");
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

// No sentence says that something cannot be that was not tried to the end.
TEST(too_little_work_is_told)
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
        NULL, &full_map, "pack=nest limit=extended overflow=merge,error",
        NBSTAGE_OVER_LIMIT, "merging lists stopped at its work limit");
    random_map_free(&vast);
    random_map_free(&full);
}

int main(void)
{
    seed = choose_seed();
    return run_tests(all_tests());
}
