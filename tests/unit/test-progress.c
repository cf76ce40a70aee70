// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that progress is one number for the whole build: it never falls,
// whichever attempts a build makes, each build begins again, and long steps
// report in between.

#include "context-for-tests.h"
#include "plugin.h"
#include "random-map.h"

#include <stdlib.h>
#include <string.h>

static uint64_t seed;

// What a host was told of the present build.
struct record {
    size_t count;     // of reports
    size_t different; // numbers
    uint32_t first, last, total;
};

static int32_t take_report(void *context, uint32_t done, uint32_t total)
{
    struct record *record = context;
    ck_assert_uint_gt(total, 0);
    ck_assert_uint_le(done, total);
    if (record->count++ == 0) {
        record->first = done;
        record->total = total;
        record->different = 1;
    } else {
        ck_assert_uint_eq(total, record->total);
        ck_assert_uint_ge(done, record->last);
        record->different += done > record->last;
    }
    record->last = done;
    return 0;
}

static struct record record;
static const struct nbstage_host host = {
    .size = sizeof host, .context = &record, .progress = take_report};

// The lump of a map, built while reports are taken.
static struct plugin_lump watch(const struct nbstage_map *map,
                                const char *options)
{
    record = (struct record){0};
    struct plugin_lump lump = plugin_build_for(&host, map, options);
    ck_assert_uint_gt(record.count, 0);
    return lump;
}

static const char *const options[] = {
    "",
    "format=xbm1 grid=id",
    "pack=nest for=gzdoom",
    "prune=inert",
    "grid=search",
    "preset=small",
    "preset=vanilla overflow=merge,empty",
    "overflow=merge,empty for=any,doom19",
    "overflow=merge,empty for=any,doom19 pack=nest grid=search prune=inert",
};

// Progress of one map, first without a blockmap and then with the one built.
static void watch_with_and_without_lump(struct nbstage_map *map,
                                        const char *set)
{
    struct plugin_lump lump = watch(map, set);
    const struct nbstage_lump present = {
        .name = "BLOCKMAP", .data = lump.bytes, .data_size = lump.size};
    map->lumps = &present;
    map->lump_count = 1;
    struct plugin_lump next = watch(map, "preset=repack");
    plugin_free(&next);
    if (lump.size > 0) {
        next = watch(map, "lists=lump check-nodes=no pack=nest");
        plugin_free(&next);
    }
    map->lumps = NULL;
    map->lump_count = 0;
    plugin_free(&lump);
}

LOOP_TEST(progress_never_falls, COUNT(options))
{
    enum { MAPS = 5 };
    static const struct random_shape shape = {
        .name = "random", .columns = 30, .rows = 30, .lines = 500};
    struct random_stream stream = {seed};
    for (int i = 0; i < MAPS; i++) {
        struct random_map random = random_map_make(&shape, &stream);
        struct nbstage_map map = RANDOM_MAP(&random, "MAP01");
        watch_with_and_without_lump(&map, options[_i]);
        random_map_free(&random);
    }
    // Over the vanilla limit, until lists are merged.
    struct scatter scatter = {seed, 9500, 10000, 300};
    struct random_map random = scattered_map_make(&scatter);
    struct nbstage_map map = RANDOM_MAP(&random, "MAP01");
    watch_with_and_without_lump(&map, options[_i]);
    random_map_free(&random);
}

TEST(merging_and_packing_move_it_on)
{
    struct scatter scatter = {seed, 9500, 10000, 300};
    struct random_map random = scattered_map_make(&scatter);
    struct nbstage_map map = RANDOM_MAP(&random, "MAP01");
    struct plugin_lump lump =
        watch(&map, "overflow=merge,error for=any,doom19");
    ck_assert_int_gt(plugin_number(&lump, "merges"), 0);
    ck_assert_uint_ge(record.different, 10);
    plugin_free(&lump);
    random_map_free(&random);
}

// The search has most of the build, and each part of it is told.
LOOP_TEST(search_is_told_in_many_steps, 2)
{
    struct scatter scatter = {seed, 20000 / SLOWNESS, 20000, 300};
    struct random_map random = scattered_map_make(&scatter);
    struct nbstage_map map = RANDOM_MAP(&random, "MAP01");
    struct plugin_lump lump =
        watch(&map, _i ? "grid=search format=xbm1" : "preset=small");
    ck_assert_uint_ge(record.different, 100);
    ck_assert_uint_lt(record.first, record.total / 4);
    ck_assert_uint_ge(record.last, record.total / 4 * 3);
    plugin_free(&lump);
    random_map_free(&random);
}

TEST(each_build_begins_again)
{
    struct scatter scatter = {seed, 1000, 3000, 300};
    struct random_map random = scattered_map_make(&scatter);
    struct nbstage_map map = RANDOM_MAP(&random, "MAP01");
    struct plugin_lump lump = watch(&map, "grid=search");
    const struct record before = record;
    ck_assert_uint_lt(before.first, before.last);
    record = (struct record){0};
    ck_assert_int_eq(plugin_stage()->build(lump.instance, &map), NBSTAGE_OK);
    ck_assert_uint_eq(record.first, before.first);
    ck_assert_uint_eq(record.last, before.last);
    ck_assert_uint_eq(record.count, before.count);
    plugin_free(&lump);
    random_map_free(&random);
}

// Lines along the edges of SIDE x SIDE squares, all in one sector.
static struct random_map make_squares(void)
{
    enum { SIDE = 128, ALONG = SIDE + 1, SIZE = 64 << 16 };
    struct random_map map = {.step = 1 << 16};
    struct plain_line *line;
    random_map_allocate(&map, ALONG * ALONG, 2 * SIDE * ALONG);
    line = map.lines;
    for (uint32_t i = 0; i < ALONG * ALONG; i++) {
        const uint32_t x = i % ALONG, y = i / ALONG;
        map.vertices[i] =
            (struct plain_vertex){(int32_t)x * SIZE, (int32_t)y * SIZE};
        if (x < SIDE)
            *line++ = (struct plain_line){.v1 = i, .v2 = i + 1, .flags = 4};
        if (y < SIDE)
            *line++ = (struct plain_line){.v1 = i, .v2 = i + ALONG, .flags = 4};
    }
    return map;
}

TEST(search_for_inert_lines_is_told_in_steps)
{
    static const struct plain_sector sector = {.ceiling = 128 << 16};
    static const struct nbstage_lump marker = {.name = ""};
    struct random_map squares = make_squares();
    struct nbstage_map map = RANDOM_MAP(&squares, "MAP01");
    map.sectors = PLAIN_SECTORS(&sector, 1);
    map.things = NO_THINGS;
    map.lumps = &marker;
    map.lump_count = 1;
    struct plugin_lump lump = watch(&map, "prune=inert");
    ck_assert_int_gt(plugin_number(&lump, "pruned_inert"), 0);
    ck_assert_uint_ge(record.different, 10);
    plugin_free(&lump);
    random_map_free(&squares);
}

// Reading a text is reported every two MiB.
TEST(long_texts_are_told_in_steps)
{
    static const char block[] = "vertex{x=0;y=0;}\n";
    static const char end[] = "linedef{v1=0;v2=1;sidefront=0;}";
    // Shorter texts have too few steps.
    enum { MIB = SLOWNESS > 4 ? 6 : 24 / SLOWNESS, LENGTH = sizeof block - 1 };
    const size_t count = ((size_t)MIB << 20) / LENGTH;
    char *text = malloc(count * LENGTH + sizeof end);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * LENGTH, block, LENGTH);
    memcpy(text + count * LENGTH, end, sizeof end);
    const struct nbstage_lump lumps[] = {
        {.name = "TEXTMAP",
         .data = text,
         .data_size = count * LENGTH + sizeof end - 1}};
    const struct nbstage_map map = {
        .size = sizeof map, .name = "MAP01", .lumps = lumps, .lump_count = 1};
    struct plugin_lump lump = watch(&map, "");
    ck_assert_uint_ge(record.different, MIB / 2);
    ck_assert_uint_lt(record.first, record.total / 10);
    plugin_free(&lump);
    free(text);
}

int main(void)
{
    seed = choose_seed();
    return run_tests(all_tests());
}
