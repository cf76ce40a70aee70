// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves how many lumps, blocks, entries and steps the maps of a file may use
// together, to the byte, as SECURITY.md says it.

#include "config.h"

#include "base/macros.h"
#include "common/stage.h"
#include "context-for-tests.h"
#include "wad/budget.h"
#include "wad/wad.h"

#include <stdio.h>
#include <string.h>

// A file of 10 MiB, and two maps whose lumps share its bytes.
enum { FILE_SIZE = 10 << 20, LUMP_BYTES = 6 << 20 };

static struct wad_lump lumps[64];
static struct map_place maps[2];

// What the tests ask, and what they are told.
static struct wad wad;
static struct budget budget;
static char sentence[WAD_FLAW_SIZE];
static bool is_told;

static void begin(uint64_t packed_size)
{
    for (size_t i = 0; i < COUNT(lumps); i++)
        lumps[i] = (struct wad_lump){.name = "THINGS", .position = 12};
    strcpy(lumps[0].name, "MAP01");
    strcpy(lumps[32].name, "MAP02");
    maps[0] = (struct map_place){.marker = 0, .end = 32};
    maps[1] = (struct map_place){.marker = 32, .end = 64};
    wad = (struct wad){.lumps = lumps,
                       .lump_count = COUNT(lumps),
                       .maps = maps,
                       .map_count = 2,
                       .size = FILE_SIZE,
                       .packed_size = packed_size};
    budget_begin(&budget, &wad);
}

// Gives the lumps of a map this many bytes in total, most of them shared.
static void fill(const struct map_place *map, uint64_t bytes)
{
    for (size_t i = map->marker; i < map->end; i++) {
        const uint64_t size = bytes < LUMP_BYTES ? bytes : LUMP_BYTES;
        lumps[i].size = (uint32_t)size;
        bytes -= size;
    }
    ck_assert_uint_eq(bytes, 0);
}

static bool admits(size_t map)
{
    memset(sentence, 0, sizeof sentence);
    return budget_admits(&budget, &wad, &wad.maps[map], sentence, &is_told);
}

static void take(long long columns, long long rows, long long entries,
                 long long steps)
{
    struct stage_fact facts[] = {
        {.name = "columns", .number = columns},
        {.name = "rows", .number = rows},
        {.name = "entries", .number = entries},
        {.name = "steps", .number = steps},
    };
    budget_take_facts(&budget, &(struct stage_facts){facts, COUNT(facts)});
}

enum { MOST_LUMP_BYTES = (16 << 20) + 4 * FILE_SIZE };

TEST(a_map_may_have_16_mib_of_lumps_and_4_for_each_byte)
{
    begin(0);
    fill(&maps[0], MOST_LUMP_BYTES);
    ck_assert(admits(0));
    // The map that goes over it is the last.
    fill(&maps[1], 1);
    ck_assert(admits(1));
    fill(&maps[0], 0);
    ck_assert(!admits(0));
    ck_assert(!is_told);
    assert_tells(sentence, "up to MAP02", "58720257 bytes of lumps",
                 "for a file of 10485760 bytes is 58720256");
    ck_assert(!admits(1));
    ck_assert(is_told);
    // Another pass begins anew.
    budget_rewind(&budget);
    ck_assert(admits(0));
}

TEST(a_map_that_is_too_large_by_itself_uses_nothing)
{
    begin(0);
    fill(&maps[0], MOST_LUMP_BYTES + 1);
    ck_assert(!admits(0));
    assert_tells(sentence, "MAP01", "overlap and have 58720257 bytes",
                 "58720256");
    fill(&maps[1], MOST_LUMP_BYTES);
    ck_assert(admits(1));
}

TEST(a_map_outside_the_file_is_refused)
{
    begin(0);
    lumps[1].size = FILE_SIZE;
    ck_assert(!admits(0));
    assert_tells(sentence, "MAP01", "THINGS");
}

// The file compressed, the size that its limits follow, and what they call it.
static const struct {
    uint64_t packed_size, size;
    const char *file;
} packed[] = {
    {0, FILE_SIZE, "a file of 10485760 bytes"},
    {FILE_SIZE / 16, FILE_SIZE, "a file of 10485760 bytes"},
    {1 << 20, FILE_SIZE, "a file of 10485760 bytes"},
    {FILE_SIZE / 16 - 1, FILE_SIZE - 16, "a compressed file of 655359 bytes"},
    {100, 1600, "a compressed file of 100 bytes"},
};

// What facts may add up to for a file of a size, and the unit.
static const struct {
    uint64_t any, bytes_for, more;
    const char *unit;
} limits[] = {
    {1 << 23, 2, 1, "blocks"},
    {1 << 24, 1, 4, "entries"},
    {1 << 30, 1, 1024, "steps"},
};

LOOP_TEST(facts_are_limited, COUNT(packed) * COUNT(limits))
{
    const size_t p = (size_t)_i / COUNT(limits), l = (size_t)_i % COUNT(limits);
    const uint64_t most =
        limits[l].any + packed[p].size / limits[l].bytes_for * limits[l].more;
    char limit[64];
    // One less than the limit, or all of it; then one more.
    for (int over = 0; over < 2; over++) {
        long long counts[COUNT(limits)] = {1, 1, 1};
        counts[l] = (long long)most - 1 + over;
        begin(packed[p].packed_size);
        ck_assert(admits(0));
        take(counts[0], 1, counts[1], counts[2]);
        take(1, 1, 1, 1);
        ck_assert_int_eq(admits(1), !over);
    }
    snprintf(limit, sizeof limit, "is %llu", (unsigned long long)most);
    assert_tells(sentence, limits[l].unit, packed[p].file, limit);
}

TEST(blocks_are_columns_times_rows_and_steps_add_up_over_passes)
{
    begin(0);
    take(30, 40, -5, 7);
    ck_assert_uint_eq(budget.used[BUDGET_BLOCKS], 1200);
    ck_assert_uint_eq(budget.used[BUDGET_ENTRIES], 0);
    budget_rewind(&budget);
    take(30, 40, -5, 7);
    ck_assert_uint_eq(budget.used[BUDGET_BLOCKS], 1200);
    ck_assert_uint_eq(budget.used[BUDGET_STEPS], 14);
}
