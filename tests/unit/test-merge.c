// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that maps over a limit come out as lumps that meet it, in whatever
// way lists are packed: every block has all that touches it, and what that
// costs is what the result tells, and not much more than it has to be.  That
// the cheapest lists are merged first.  That nothing is merged where it need
// not be or where options say so, that a map for which no merging is enough
// gets what `overflow` says, and that too much work ends.
//
// Limits, lists and prices are those that stand in the lumps, word by word.

#include "blocklists.h"
#include "context-for-tests.h"
#include "made-lists.h"
#include "merge/merge.h"
#include "oracle.h"
#include "plugin.h"
#include "random-map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    BLOCK = 128,    // map units
    VANILLA_OFFSET = 32767,
    EXTENDED_WORDS = 65535,
    MOST_OPTIONS = 200, // bytes
    MESSAGE_SIZE = 512,
};

// --- Maps ---

// Lines all over a map, or points so far apart that the grid has so many
// blocks: linedef 0 is in the first, linedef 1 in the last two, and the others
// in the last.
struct subject {
    const struct scatter *scatter; // NULL: points
    int32_t columns, rows;
    uint32_t lines;
};

static struct random_map make_subject(const struct subject *subject)
{
    const int64_t block = (int64_t)BLOCK * UNIT;
    const int32_t columns[] = {0, subject->columns - 1, subject->columns - 2};
    const int32_t rows[] = {0, subject->rows - 1, subject->rows - 1};
    struct random_map map;
    if (subject->scatter)
        return scattered_map_make(subject->scatter);
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

// Maps that are over a limit by some thousand words.
static const struct scatter short_lines = {1, 12000, 16000, 150};
static const struct scatter long_lines = {2, 2500, 8000, 2000};
static const struct scatter dense = {3, 14000, 2500, 300};
static const struct scatter large = {4, 20000, 20000, 200};
static const struct scatter disjoint = {8, 16000, 12000, 2};

static struct plugin_lump build(const struct random_map *map,
                                const char *options)
{
    struct nbstage_map given = RANDOM_MAP(map, "MAP01");
    return plugin_build(&given, options);
}

// --- What a lump says, against the truth ---

static void assert_number(const struct plugin_lump *lump, const char *fact,
                          uint64_t expected)
{
    int64_t told = plugin_number(lump, fact);
    ck_assert_msg(told == (int64_t)expected,
                  "told of %s %" PRId64 "; it is %" PRIu64, fact, told,
                  expected);
}

// Compares the lists of a lump with the truth, and what is told of it with
// both.  Where a list has the header of another, it may be told to have one
// more extra entry at worst.  Returns the extra entries that are no headers.
static size_t check_lump(const struct random_map *map,
                         enum blocklists_header header,
                         const struct plugin_lump *lump)
{
    struct oracle_line *lines = random_map_oracle_lines(map);
    struct blocklists lists = blocklists_read(lump->bytes, lump->size);
    struct oracle_entry_list truth =
        oracle_find_entries(&lists.grid, lines, map->line_count);
    assert_number(lump, "words", lists.word_count);
    assert_number(lump, "largest_offset", lists.largest_offset);
    assert_number(lump, "entries", truth.count);
    struct blocklists_counts counts =
        blocklists_compare(&lists, header, &truth, UINT16_MAX, NULL);
    int64_t extra = plugin_number(lump, "extra_entries");
    int64_t at_worst = plugin_number(lump, "extra_at_worst");
    ck_assert_uint_eq(counts.missing + counts.unknown + counts.unreadable, 0);
    ck_assert_int_eq(extra, (int64_t)counts.extra);
    ck_assert_int_ge(at_worst, (int64_t)counts.extra_at_worst);
    ck_assert_int_le(at_worst,
                     (int64_t)counts.extra_at_worst + (counts.of_headers > 0));
    oracle_free_entries(&truth);
    blocklists_free(&lists);
    free(lines);
    return counts.extra - counts.of_headers;
}

static bool meets(const struct plugin_lump *lump, bool is_vanilla)
{
    struct blocklists lists = blocklists_read(lump->bytes, lump->size);
    bool answer = lists.word_count <= EXTENDED_WORDS &&
                  (!is_vanilla || lists.largest_offset <= VANILLA_OFFSET);
    blocklists_free(&lists);
    return answer;
}

// --- Maps over a limit ---

// Games, the header and the limit that they get, and the fewest extra entries
// that are known to meet it, by a search for the best way to join chains.
static const struct {
    const struct scatter *scatter;
    const char *games;
    enum blocklists_header header;
    bool is_vanilla;
    uint64_t fewest;
} scatters[] = {
    {&short_lines, "doom19", LISTS_NONE, true, 6092},
    {&long_lines, "everywhere", LISTS_ZERO, true, 1199},
    {&long_lines, "doom19,boom", LISTS_ANY, true, 859},
    {&long_lines, "doom19", LISTS_NONE, true, 192},
    {&dense, "everywhere", LISTS_ZERO, true, 4679},
    {&dense, "doom19,boom", LISTS_ANY, true, 4435},
    {&dense, "doom19", LISTS_NONE, true, 4019},
    {&disjoint, "everywhere", LISTS_ZERO, true, 13173},
    {&large, "crispy", LISTS_NONE, false, 1386},
    {&large, "any", LISTS_ZERO, false, 21100},
};

// Shared lists are nested before they are merged, so pack=share costs the same.
LOOP_TEST(scattered_maps_fit, COUNT(scatters))
{
    const bool is_vanilla = scatters[_i].is_vanilla;
    const enum blocklists_header header = scatters[_i].header;
    struct random_map map = scattered_map_make(scatters[_i].scatter);
    int64_t prices[2];
    for (size_t pack = 0; pack < 2; pack++) {
        char options[MOST_OPTIONS];
        snprintf(options, MOST_OPTIONS,
                 "grid=fit for=%s pack=%s overflow=", scatters[_i].games,
                 pack == 0 ? "share" : "nest");
        const size_t length = strlen(options);
        strcpy(options + length, "xbm1");
        struct plugin_lump unmerged = build(&map, options);
        strcpy(options + length, "merge,error");
        struct plugin_lump lump = build(&map, options);
        ck_assert_uint_eq(check_lump(&map, header, &unmerged), 0);
        ck_assert(!meets(&unmerged, is_vanilla));
        assert_number(&unmerged, "merges", 0);
        prices[pack] = (int64_t)check_lump(&map, header, &lump);
        ck_assert_int_gt(prices[pack], 0);
        ck_assert(meets(&lump, is_vanilla));
        ck_assert_int_gt(plugin_number(&lump, "merges"), 0);
        assert_number(&lump, "unmerged_words",
                      (uint64_t)plugin_number(&unmerged, "words"));
        plugin_free(&unmerged);
        plugin_free(&lump);
    }
    ck_assert_int_eq(prices[0], prices[1]);
    ck_assert_int_le(prices[0], (int64_t)scatters[_i].fewest * 3 / 2);
    random_map_free(&map);
}

// --- The cheapest first ---

// Merges lists of a row of blocks to meet the vanilla limit, without headers,
// and expects so many extra entries, all of them in different blocks.
static void check_price(struct lists lists, uint64_t extra)
{
    const struct grid row = {.columns = (uint32_t)lists.block_count, .rows = 1};
    ck_assert_int_eq(
        merge_lists(&test_context, &row, HEADER_NONE, LIMIT_VANILLA, &lists),
        NBSTAGE_OK);
    const struct lump_measure measure = lump_measure(&lists);
    ck_assert(lump_meets(&measure, LIMIT_VANILLA));
    ck_assert_uint_eq(lists.extra_count, extra);
    ck_assert_uint_eq(lists.extra_at_worst, 1);
    ck_assert_uint_eq(lists.merge_count, extra);
    lists_free(&test_context, &lists);
}

// Each merge gives one block an extra entry and saves the end of a list. Blocks
// without lines are between the others or not.
LOOP_TEST(single_lines_cost_an_entry_for_each_word, 2)
{
    const bool has_gaps = _i == 1;
    const uint32_t count = has_gaps ? 8200 : 11000;
    const uint32_t block_count = has_gaps ? 2 * count : count;
    struct lists lists = made_lists_begin(count + 1, count, block_count);
    if (has_gaps)
        made_lists_add(&lists, NULL, 0);
    for (uint32_t l = 0; l < count; l++) {
        if (has_gaps && l > 0)
            lists.place[lists.block_count++] = lists.start[0];
        made_lists_add(&lists, &l, 1);
    }
    check_price(lists, 4 + block_count + 2 * count - 2 - VANILLA_OFFSET);
}

// Each two lists have one line in common, those of every fourth pair three;
// each of these saves three lines and an end for one extra entry.
TEST(lists_that_are_alike_are_merged_first)
{
    enum { LISTS = 5600, LENGTH = 4, SAVED = LENGTH };
    enum { OVER = 4 + 6 * LISTS - 5 - VANILLA_OFFSET };
    struct lists lists = made_lists_begin(LISTS, LISTS * LENGTH, LISTS);
    for (uint32_t l = 0; l < LISTS; l++) {
        const uint32_t common = l / 2 % 4 == 0 ? LENGTH - 1 : 1;
        uint32_t lines[LENGTH];
        for (uint32_t i = 0; i < LENGTH; i++)
            lines[i] = l / 2 * 2 * LENGTH + i +
                       (i >= common && l % 2 == 1 ? LENGTH : 0);
        made_lists_add(&lists, lines, LENGTH);
    }
    check_price(lists, (OVER + SAVED - 1) / SAVED);
}

// --- What merging leaves alone ---

static const struct scatter small = {5, 400, 4000, 600};
static const struct scatter nestable = {2, 2100, 8000, 2000};

// Options with and without merging that give the same.
#define MERGE_VANILLA "for=everywhere overflow=merge "
static const struct {
    struct subject map;
    const char *with, *without;
} same[] = {
    {{.scatter = &small}, MERGE_VANILLA, ""},
    {{.scatter = &long_lines}, "overflow=merge", ""},
    {{.scatter = &long_lines},
     "for=everywhere overflow=xbm1,merge",
     "for=everywhere overflow=xbm1"},
    {{.scatter = &long_lines},
     MERGE_VANILLA "format=xbm1 pack=nest",
     "format=xbm1 pack=nest"},
    // Nesting is enough.
    {{.scatter = &nestable}, MERGE_VANILLA "pack=share", "pack=nest"},
    // A list that many others begin with goes behind them in a chain.
    {{NULL, 181, 180, 300},
     "for=doom19,boom overflow=merge pack=nest",
     "for=boom pack=share"},
    {{NULL, 181, 180, 300},
     "for=doom19 overflow=merge pack=nest",
     "for=crispy pack=share"},
};

LOOP_TEST(what_is_not_to_be_merged_stays_as_it_is, COUNT(same))
{
    struct random_map map = make_subject(&same[_i].map);
    struct plugin_lump lump = build(&map, same[_i].with);
    struct plugin_lump expected = build(&map, same[_i].without);
    ck_assert_uint_gt(lump.size, 0);
    plugin_check_same(same[_i].with, &lump, &expected);
    assert_number(&lump, "merges", 0);
    plugin_free(&lump);
    plugin_free(&expected);
    random_map_free(&map);
}

// --- Where no merging is enough ---

// All linedefs in one list are too many beside the table.
static const struct scatter too_dear = {6, 30000, 900, 300};
static const struct scatter too_many_lines = {6, 65530, 200, 50};
static const struct {
    struct subject map;
    const char *options;
} unfit[] = {
    {{NULL, 181, 182, 2}, "for=everywhere"},
    {{NULL, 254, 129, 2}, "for=everywhere"},
    {{NULL, 512, 64, 2}, "for=doom19 pack=nest"},
    {{NULL, 256, 256, 2}, ""},
    {{NULL, 512, 512, 2}, "for=boom"},
    // The table leaves room for the beginning of a list, or for four words.
    {{NULL, 201, 163, 2}, "for=everywhere"},
    {{NULL, 201, 163, 2}, "for=doom19,boom pack=nest"},
    {{NULL, 253, 259, 3}, ""},
    // More than four extra entries for each entry.
    {{.scatter = &too_dear}, "for=doom19"},
    {{.scatter = &too_many_lines}, "pack=share"},
    {{.scatter = &too_many_lines}, "for=crispy pack=nest"},
};

LOOP_TEST(a_map_that_no_merging_makes_fit_is_not_merged, COUNT(unfit))
{
    struct random_map map = make_subject(&unfit[_i].map);
    struct nbstage_map given = RANDOM_MAP(&map, "MAP01");
    char options[MOST_OPTIONS];
    snprintf(options, sizeof options, "%s overflow=merge,error",
             unfit[_i].options);
    plugin_check_failure(NULL, &given, options, NBSTAGE_OVER_LIMIT, "MAP01");
    snprintf(options, sizeof options, "%s overflow=merge,xbm1",
             unfit[_i].options);
    struct plugin_lump lump = build(&map, options);
    snprintf(options, sizeof options, "%s format=xbm1", unfit[_i].options);
    struct plugin_lump expected = build(&map, options);
    plugin_check_same(options, &lump, &expected);
    assert_number(&lump, "merges", 0);
    plugin_free(&lump);
    plugin_free(&expected);
    random_map_free(&map);
}

// At 4 MiB a map may have 32,768 entries, which are fewer than when lists have
// grown.
TEST(merging_may_add_entries_beyond_those_of_a_map)
{
    static const struct scatter scatter = {9, 5700, 5700, 900};
    struct random_map map = scattered_map_make(&scatter);
    struct plugin_lump lump =
        build(&map, "for=doom19 pack=nest overflow=merge max-memory=4");
    const int64_t entries = plugin_number(&lump, "entries");
    ck_assert_int_le(entries, 32768);
    ck_assert_int_gt(entries + plugin_number(&lump, "extra_entries"), 32768);
    plugin_free(&lump);
    random_map_free(&map);
}

// Lines from end to end of a map, across and along by turns: hardly any list
// contains another.
static struct random_map make_lattice(void)
{
    enum { LINES = 400, STEP = 80 * UNIT, LENGTH = LINES * STEP };
    struct random_map map;
    random_map_allocate_pairs(&map, LINES);
    for (uint32_t l = 0; l < LINES; l++) {
        const int32_t at = (int32_t)l * STEP;
        const struct plain_vertex from = {0, at}, to = {LENGTH, at + UNIT};
        const bool is_along = l % 2 == 1;
        map.vertices[2 * l] =
            is_along ? (struct plain_vertex){from.y, from.x} : from;
        map.vertices[2 * l + 1] =
            is_along ? (struct plain_vertex){to.y, to.x} : to;
    }
    return map;
}

TEST(too_much_work_ends_and_is_told)
{
    enum { MOST_STEPS = 360000000 };
    struct random_map map = make_lattice();
    struct nbstage_map given = RANDOM_MAP(&map, "MAP01");
    struct plugin_lump lump = plugin_build_for(
        &test_callbacks, &given, "for=woof-dev grid=fit overflow=merge,xbm1");
    ck_assert_int_eq(plugin_number(&lump, "packed_early"), 1);
    ck_assert_int_lt(plugin_number(&lump, "steps"), MOST_STEPS);
    assert_tells(test_host.first_message, "MAP01", "BLOCKMAP", "work limit");
    assert_number(&lump, "merges", 0);
    ck_assert_uint_eq(check_lump(&map, LISTS_ANY, &lump), 0);
    plugin_free(&lump);
    random_map_free(&map);
}

// --- Tails ---

// Pairs of blocks with a line in both, and a shorter one in the western or the
// eastern block, so that the list of the other block is its tail.
static struct random_map make_pairs(bool are_east)
{
    enum { COLUMNS = 59, ROWS = 80, LONG = 200, SHORT = 60 };
    struct random_map map;
    random_map_allocate_pairs(&map, 2 * COLUMNS * ROWS);
    for (int32_t pair = 0; pair < COLUMNS * ROWS; pair++) {
        const int32_t west = 2 * BLOCK * (pair % COLUMNS) * UNIT;
        const int32_t y = BLOCK * (pair / COLUMNS) * UNIT;
        const int32_t begin = are_east ? (LONG - SHORT) * UNIT : 0;
        struct plain_vertex *vertices = &map.vertices[4 * pair];
        vertices[0] = (struct plain_vertex){west + begin, y};
        vertices[1] = (struct plain_vertex){west + begin + SHORT * UNIT, y};
        vertices[2] = (struct plain_vertex){west, y};
        vertices[3] = (struct plain_vertex){west + LONG * UNIT, y};
    }
    return map;
}

// A tail grows to the list around it, whichever of the two comes first.
TEST(tails_grow_in_both_directions)
{
    struct plugin_lump lumps[2];
    for (int i = 0; i < 2; i++) {
        struct random_map map = make_pairs(i == 1);
        lumps[i] = build(&map, "for=any,doom19 grid=fit overflow=merge");
        ck_assert_int_gt(plugin_number(&lumps[i], "merges"), 0);
        random_map_free(&map);
    }
    ck_assert_int_eq(plugin_number(&lumps[0], "extra_entries"),
                     plugin_number(&lumps[1], "extra_entries"));
    plugin_free(&lumps[0]);
    plugin_free(&lumps[1]);
}

// --- With other options ---

TEST(lists_of_the_present_lump_are_merged)
{
    enum { HEADER = 8 }; // bytes
    struct random_map map = scattered_map_make(&long_lines);
    struct plugin_lump source = build(&map, "grid=-100,-60 pack=share");
    const struct nbstage_lump blockmap = {
        .name = "BLOCKMAP", .data = source.bytes, .data_size = source.size};
    struct nbstage_map given = RANDOM_MAP(&map, "MAP01");
    given.lumps = &blockmap;
    given.lump_count = 1;
    ck_assert(!meets(&source, true));
    struct plugin_lump lump =
        plugin_build(&given, "lists=lump for=everywhere overflow=merge,error");
    ck_assert_uint_gt(check_lump(&map, LISTS_ZERO, &lump), 0);
    ck_assert(meets(&lump, true));
    ck_assert_mem_eq(lump.bytes, source.bytes, HEADER);
    plugin_free(&lump);
    plugin_free(&source);
    random_map_free(&map);
}

// The warning about the price tells what the result tells.
TEST(the_price_is_told)
{
    struct random_map map = scattered_map_make(&long_lines);
    struct nbstage_map given = RANDOM_MAP(&map, "MAP01");
    struct plugin_lump lump = plugin_build_for(&test_callbacks, &given,
                                               "for=everywhere overflow=merge");
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
