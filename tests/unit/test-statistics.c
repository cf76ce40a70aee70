// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the numbers of show are right: those of lumps that the module
// builds of random maps, and of one that is damaged, against a count that reads
// every list by itself.

#include "blocklists.h"
#include "context-for-tests.h"
#include "inspect/inspect.h"
#include "plugin.h"
#include "random-map.h"

#include <stdbool.h>
#include <string.h>

enum { RANDOM_MAPS = 60 };

static const struct {
    const char *options;
    enum list_header headers;
} builds[] = {
    {"pack=share", HEADER_ZERO},
    {"pack=nest", HEADER_ZERO},
    {"pack=nest for=crispy", HEADER_NONE},
    {"pack=share format=xbm1", HEADER_ZERO},
};

// --- The plain count ---

static struct blocklists lists; // of the lump
static enum blocklists_header header;

static bool is_readable(size_t block)
{
    size_t begin, end;
    return blocklists_find(&lists, header, block, &begin, &end);
}

// Whether the list of some block has its header in a word.
static bool is_header(size_t word)
{
    return header == LISTS_ZERO && lists.begins[word];
}

// What a word of a list is to it.
static enum statistics_part find_part(size_t word)
{
    return lists.words[word] == BLOCKLIST_END ? PART_TERMINATOR
           : is_header(word)                  ? PART_HEADER
                                              : PART_LINEDEF;
}

// Whether a word is a linedef of the map that does not come again in the list.
// A header inside the list is linedef 0.
static bool is_last_of_linedef(size_t line_count, size_t word)
{
    const uint32_t linedef = lists.words[word];
    bool is_last = linedef < line_count;
    for (size_t w = word + 1; is_last && lists.words[w] != BLOCKLIST_END; w++)
        is_last = lists.words[w] != linedef;
    return is_last;
}

// How many blocks before `end` have the offset of a block; 0 if its list cannot
// be read.
static size_t count_sharers(const struct blockmap *blockmap, size_t block,
                            size_t end)
{
    size_t count = 0;
    for (size_t b = 0; b < end; b++)
        count += is_readable(block) && is_readable(b) &&
                 blockmap_list(blockmap, b).offset ==
                     blockmap_list(blockmap, block).offset;
    return count;
}

// --- Comparisons ---

static void check_lengths(const struct blockmap *blockmap,
                          const struct statistics *statistics)
{
    size_t listed = 0;
    size_t readable = 0;
    size_t longest = 0;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        if (statistics->lengths[b] > longest)
            longest = statistics->lengths[b];
        listed += statistics->lengths[b];
        readable += is_readable(b);
    }
    ck_assert_uint_eq(statistics->longest, longest);
    ck_assert_uint_eq(statistics->listed, listed);
    ck_assert_uint_eq(readable, blockmap->block_count - statistics->unreadable);
}

static void check_sharing(const struct blockmap *blockmap,
                          const struct statistics *statistics)
{
    size_t blocks = 0;
    size_t shared = 0;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const size_t count = count_sharers(blockmap, b, blockmap->block_count);
        blocks += count > 1;
        shared += count > 1 && count_sharers(blockmap, b, b) == 0;
    }
    ck_assert_uint_eq(statistics->shared_blocks, blocks);
    ck_assert_uint_eq(statistics->shared_lists, shared);
}

// What each word is, by reading every list, and how many linedefs those have.
static void check_parts(const struct blockmap *blockmap, size_t line_count,
                        const struct statistics *statistics)
{
    enum { MOST_WORDS = 1 << 16 };
    static unsigned char parts[MOST_WORDS];
    ck_assert_uint_le(blockmap->word_count, MOST_WORDS);
    memset(parts, PART_NONE, sizeof parts);
    for (size_t b = 0; b < blockmap->block_count; b++) {
        size_t linedefs = 0;
        size_t begin, end;
        bool is_whole = blocklists_find(&lists, header, b, &begin, &end);
        for (size_t w = begin - (header == LISTS_ZERO); is_whole && w <= end;
             w++) {
            parts[w] = (unsigned char)find_part(w);
            linedefs += w >= begin && is_last_of_linedef(line_count, w);
        }
        ck_assert_uint_eq(statistics->lengths[b], linedefs);
    }
    for (size_t w = 0; w < blockmap->word_count; w++)
        ck_assert_uint_eq(statistics->parts[w], parts[w]);
}

// Reads a lump and checks all numbers, which are for statistics_free.
static void check_census(const unsigned char *bytes, size_t size,
                         size_t line_count, enum list_header headers,
                         struct statistics *statistics)
{
    struct blockmap blockmap;
    ck_assert(blocklists_open(bytes, size, &lists));
    header = headers == HEADER_ZERO ? LISTS_ZERO : LISTS_NONE;
    blockmap_read(&test_context, bytes, size, line_count, &blockmap);
    blockmap.headers = headers;
    ck_assert_uint_eq(blockmap.block_count, lists.block_count);
    statistics_count(&blockmap, line_count, statistics);
    check_lengths(&blockmap, statistics);
    check_sharing(&blockmap, statistics);
    check_parts(&blockmap, line_count, statistics);
    blockmap_free(&test_context, &blockmap);
    blocklists_free(&lists);
}

// --- Lumps ---

static void check_map(const struct random_map *random, size_t build)
{
    char options[128];
    snprintf(options, sizeof options, "%s %s", random->grid_option,
             builds[build].options);
    struct nbstage_map map = RANDOM_MAP(random, "MAP01");
    struct plugin_lump lump = plugin_build(&map, options);
    struct statistics statistics;
    check_census(lump.bytes, lump.size, random->line_count,
                 builds[build].headers, &statistics);
    statistics_free(&statistics);
    plugin_free(&lump);
}

LOOP_TEST(numbers_of_random_maps, COUNT(builds))
{
    static const struct random_shape shapes[] = {
        {"small", 3, 3, 12}, {"dense", 6, 5, 90}, {"sparse", 12, 9, 20}};
    struct random_stream stream = {choose_seed()};
    for (size_t i = 0; i < RANDOM_MAPS; i++) {
        struct random_map random = random_map_make(&shapes[i % 3], &stream);
        check_map(&random, (size_t)_i);
        random_map_free(&random);
    }
}

// Of five blocks two share a list, one is nested in it, one begins in the
// table, one has no end; two words and a byte are in no list.
static const unsigned char damaged[] = {
    0, 0, 0, 0, 5,  0, 1, 0,           // the grid
    9, 0, 9, 0, 11, 0, 3, 0, 17,  0,   // offsets
    0, 0, 4, 0, 0,  0, 2, 0, 255, 255, // 9: 4 2, and 11: 2
    7, 0, 7, 0,                        // 14: in no list
    1, 0,                              // 16: the same
    0, 0, 1, 0,                        // 17: no end
    6,
};

// A linedef twice, one that the map has not, and the same in a list inside.
static const unsigned char odd[] = {
    0, 0, 0, 0, 2,   0,   1, 0,               // the grid
    6, 0, 9, 0,                               // offsets
    0, 0, 1, 0, 2,   0,   0, 0, 1, 0, 132, 3, // 6: 1 2 1 900, and 9: 1 900
    3, 0, 3, 0, 255, 255,                     // 3 3 in both
};

static const struct {
    const unsigned char *bytes;
    size_t size, line_count;
    size_t unreadable; // lists
    // Linedefs of block 0, with the header in its list, and of the list that is
    // nested in it.
    size_t outer, inner;
    size_t inner_block;
} lumps[] = {
    {damaged, sizeof damaged, 5, 2, 3, 1, 2},
    {odd, sizeof odd, 4, 0, 4, 2, 1},
};

LOOP_TEST(numbers_of_damaged_lumps, COUNT(lumps))
{
    struct statistics statistics;
    check_census(lumps[_i].bytes, lumps[_i].size, lumps[_i].line_count,
                 HEADER_ZERO, &statistics);
    ck_assert_uint_eq(statistics.unreadable, lumps[_i].unreadable);
    ck_assert_uint_eq(statistics.lengths[0], lumps[_i].outer);
    ck_assert_uint_eq(statistics.lengths[lumps[_i].inner_block],
                      lumps[_i].inner);
    statistics_free(&statistics);
}

// A linedef twice in a list with another one in it, whose header is a 0.
TEST(repetitions_are_seen_beside_nested_headers)
{
    static const unsigned char twice[] = {
        0, 0, 0, 0, 2, 0, 1, 0, 6, 0, 10, 0,           // the grid, offsets
        0, 0, 3, 0, 3, 0, 4, 0, 0, 0, 2,  0, 255, 255, // 6: 3 3 4, and 10: 2
    };
    struct statistics statistics;
    check_census(twice, sizeof twice, 5, HEADER_ZERO, &statistics);
    ck_assert_uint_eq(statistics.repeating, 1);
    ck_assert_uint_eq(statistics.nested, 1);
    ck_assert_uint_eq(statistics.unsorted, 0);
    statistics_free(&statistics);
}
