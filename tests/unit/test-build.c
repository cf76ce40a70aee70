// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves what the stage as a whole promises: what it does with the lump that a
// map has, which limit a map meets, what is told of one that does not, and that
// the advice it gives helps.

#include "base/bytes.h"
#include "build.h"
#include "context-for-tests.h"

#include <stdlib.h>
#include <string.h>

static const struct build_options default_options = {
    .grid = {.placement = GRID_AUTO},
    .pack = {PACK_SHARE, HEADER_ZERO},
    .limit = BUILD_LIMIT_EXTENDED,
    .overflow = BUILD_OVERFLOW_EMPTY,
};

static struct build_output build(const struct map *map,
                                 const struct build_options *options)
{
    struct build_output output;
    struct map read = *map;
    nbstage_status status = build_lump(&test_context, &read, options, &output);
    ck_assert_msg(status == NBSTAGE_OK, "%s", test_context.message);
    return output;
}

static void assert_fails(const struct map *map,
                         const struct build_options *options,
                         nbstage_status expected)
{
    struct build_output output;
    struct map read = *map;
    ck_assert_int_eq(build_lump(&test_context, &read, options, &output),
                     expected);
}

static void free_output(struct build_output *output)
{
    context_release(&test_context, output->bytes);
}

// ---------------------------------------------------------------------------
// Maps

// Lines of no length, for free_map: line i is at vertex i, if there is one,
// and else at vertex 0.
static struct map make_map(size_t vertex_count, size_t line_count)
{
    int32_t(*vertices)[2] = calloc(vertex_count, sizeof *vertices);
    uint32_t(*lines)[2] = calloc(line_count, sizeof *lines);
    ck_assert(vertices && lines);
    for (uint32_t i = 0; i < line_count && i < vertex_count; i++)
        lines[i][0] = lines[i][1] = i;
    return (struct map){
        .format = NBSTAGE_FORMAT_DOOM,
        .from_arrays = true,
        .form = MAP_NATIVE,
        .vertices = (const unsigned char *)vertices,
        .vertex_count = vertex_count,
        .vertex_stride = sizeof *vertices,
        .lines = (const unsigned char *)lines,
        .line_count = line_count,
        .line_stride = sizeof *lines,
    };
}

static void free_map(struct map *map)
{
    free((void *)(uintptr_t)map->vertices);
    free((void *)(uintptr_t)map->lines);
}

// Coordinates are map units.
static void put_vertex(struct map *map, size_t vertex, int32_t x, int32_t y)
{
    int32_t *place =
        (int32_t *)((uintptr_t)map->vertices + vertex * map->vertex_stride);
    place[0] = x * 65536;
    place[1] = y * 65536;
}

// Two points, far apart or not; each is a line.
static struct map make_points(int32_t x1, int32_t y1, int32_t x2, int32_t y2)
{
    struct map map = make_map(2, 2);
    put_vertex(&map, 0, x1, y1);
    put_vertex(&map, 1, x2, y2);
    return map;
}

// A field of blocks with a line of its own in each: fitted and shared, B
// blocks make a lump of 4 + B + 3 * B words, the last list at 4 * B + 1.
static struct map make_field(int32_t columns, int32_t rows)
{
    size_t count = (size_t)columns * (size_t)rows;
    struct map map = make_map(count, count);
    for (int32_t i = 0; i < columns * rows; i++)
        put_vertex(&map, (size_t)i, i % columns * BLOCK_SIZE,
                   i / columns * BLOCK_SIZE);
    return map;
}

// The header of a lump that the map has, origin 0,0 and 256 x 256 blocks: all
// that is needed to keep its grid, which is over every limit.
static const unsigned char vast_blockmap[] = {0, 0, 0, 0, 0, 1, 0, 1};

static void set_blockmap(struct map *map, const unsigned char *bytes,
                         size_t size)
{
    map->blockmap = (struct map_bytes){bytes, size};
}

// ---------------------------------------------------------------------------
// The present lump

// A lump may be damaged and still say which grid it had.
START_TEST(grid_of_the_present_lump_is_kept)
{
    static const unsigned char classic[] = {0xF8, 0xFF, 0xF0, 0xFF, 2, 0, 1, 0};
    static const unsigned char xbm1[24] =
        "XBM1\0\0\0\0\0\0\xF8\xFF\0\0\xF0\xFF\2\0\0\0\1\0\0";
    const struct map_bytes lumps[] = {{classic, sizeof classic},
                                      {xbm1, sizeof xbm1}};
    struct map map = make_points(0, 0, 200, 10);
    map.blockmap = lumps[_i];
    struct build_output output = build(&map, &default_options);
    ck_assert_int_eq(output.placement, GRID_KEEP);
    ck_assert_mem_eq(output.bytes, classic, sizeof classic);
    free_output(&output);
    map.blockmap.size--;
    output = build(&map, &default_options);
    ck_assert_int_eq(output.placement, GRID_FIT);
    free_output(&output);
    free_map(&map);
}
END_TEST

// ---------------------------------------------------------------------------
// The present lump as the source

// A grid of 2 x 1 blocks that has nothing to do with points at 0,0 and 300,0,
// with line 1 in the first of them and no line in the other, 0 before neither.
static const unsigned char other_blockmap[] = {
    0xF6, 0xFF, 20,   0,    2, 0, 1, 0, // -10,20; 2 x 1 blocks
    6,    0,    7,    0,                // offsets
    1,    0,    0xFF, 0xFF,             // line 1; nothing
};

static struct build_output repack(const unsigned char *blockmap, size_t size,
                                  const struct build_options *options)
{
    struct map map = make_points(0, 0, 300, 0);
    set_blockmap(&map, blockmap, size);
    struct build_output output = build(&map, options);
    free_map(&map);
    return output;
}

static struct build_options lump_options(void)
{
    struct build_options options = default_options;
    options.source = BUILD_SOURCE_LUMP;
    return options;
}

START_TEST(present_lists_are_repacked)
{
    static const unsigned char expected[] = {
        0xF6, 0xFF, 20,   0,    2,    0,    1, 0, // the same grid
        6,    0,    9,    0,                      // offsets
        0,    0,    1,    0,    0xFF, 0xFF,       // line 1
        0,    0,    0xFF, 0xFF,                   // nothing
    };
    static const enum grid_placement placements[] = {GRID_AUTO, GRID_KEEP,
                                                     GRID_FIT, GRID_SEARCH};
    struct build_options options = lump_options();
    for (size_t i = 0; i < COUNT(placements); i++) {
        options.grid.placement = placements[i];
        struct build_output output =
            repack(other_blockmap, sizeof other_blockmap, &options);
        ck_assert_uint_eq(output.size, sizeof expected);
        ck_assert_mem_eq(output.bytes, expected, sizeof expected);
        ck_assert_int_eq(output.placement, GRID_KEEP);
        ck_assert_uint_eq(output.entry_count, 1);
        ck_assert_uint_eq(output.list_count, 2);
        ck_assert_uint_eq(output.line_count, 2);
        ck_assert_uint_eq(output.scored_count, 0);
        free_output(&output);
    }
}
END_TEST

// One block at 0, 0 without linedefs.
static const unsigned char bare_blockmap[] = {0, 0, 0, 0, 1, 0,    1,
                                              0, 5, 0, 0, 0, 0xFF, 0xFF};

// What is asked for besides that has no part in it.
START_TEST(options_that_are_not_used_are_told)
{
    static const struct {
        enum grid_placement placement;
        enum prune_policy prune;
        const char *told;
    } cases[] = {{GRID_AT, PRUNE_TAGGED, "grid"},
                 {GRID_KEEP, PRUNE_TAGGED, NULL},
                 {GRID_KEEP, PRUNE_INERT, "prune=inert"}};
    struct build_options options = lump_options();
    options.grid = (struct grid_request){cases[_i].placement, 0, 0};
    options.prune = cases[_i].prune;
    struct build_output output =
        repack(bare_blockmap, sizeof bare_blockmap, &options);
    free_output(&output);
    ck_assert_uint_eq(test_host.message_count, cases[_i].told != NULL);
    if (cases[_i].told) {
        ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
        assert_tells(test_host.message, "MAP01", cases[_i].told, "source=lump");
    }
}
END_TEST

START_TEST(present_lump_that_cannot_be_read_is_told)
{
    struct map map = make_points(0, 0, 300, 0);
    struct build_options options = lump_options();
    assert_fails(&map, &options, NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "BLOCKMAP", "no blockmap");
    set_blockmap(&map, other_blockmap, sizeof other_blockmap - 2);
    assert_fails(&map, &options, NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "BLOCKMAP", "block 0",
                 "no end");
    free_map(&map);
}
END_TEST

// ---------------------------------------------------------------------------
// Limits

// Fields of blocks, the limit they are built for, and if they are over it: what
// they have, by how much that is more, and than what.
static const struct {
    int32_t columns, rows;
    enum build_limit limit;
    const char *size, *excess, *most;
} fields[] = {
    {90, 91, BUILD_LIMIT_VANILLA, NULL, NULL, NULL}, // 8,190 blocks
    {64, 128, BUILD_LIMIT_VANILLA, "32769", "2", "32767"},
    {64, 128, BUILD_LIMIT_EXTENDED, NULL, NULL, NULL},
    {126, 130, BUILD_LIMIT_EXTENDED, NULL, NULL, NULL}, // 16,380 blocks
    {127, 129, BUILD_LIMIT_EXTENDED, "65536", "1", "65535"},
    {127, 129, BUILD_LIMIT_VANILLA, "65536", "1", "65535"},
    {128, 128, BUILD_LIMIT_EXTENDED, "65540", "5", "65535"},
};

START_TEST(over_limit_leaves_an_empty_lump)
{
    struct map map = make_field(fields[_i].columns, fields[_i].rows);
    struct build_options options = default_options;
    options.limit = fields[_i].limit;
    struct build_output output = build(&map, &options);
    bool over = fields[_i].size != NULL;
    ck_assert(output.over_limit == over);
    ck_assert(!output.bytes == over);
    ck_assert_uint_eq(output.size, over ? 0 : 2 * output.measure.word_count);
    ck_assert_uint_eq(output.measure.word_count, 4 + 4 * map.line_count);
    ck_assert_uint_eq(output.measure.largest_offset, 4 * map.line_count + 1);
    ck_assert_uint_eq(test_host.message_count, over);
    if (over)
        assert_tells(test_host.message, "MAP01", "BLOCKMAP", fields[_i].size,
                     fields[_i].excess, fields[_i].most);
    free_output(&output);
    free_map(&map);
}
END_TEST

// ---------------------------------------------------------------------------
// Advice

enum {
    SHARE = PACK_SHARE,
    NEST = PACK_NEST,
    NO_PACK = PACK_NONE,
    ZERO = HEADER_ZERO,
    NO_HEADER = HEADER_NONE,
    VANILLA = BUILD_LIMIT_VANILLA,
    EXTENDED = BUILD_LIMIT_EXTENDED,
    AUTO = BUILD_FORMAT_AUTO,
    DOOM = BUILD_FORMAT_DOOM,
};

// Maps over the limit, what they are built with, and the advice.
static const struct {
    int32_t columns, rows;         // of a field; 0: two points far apart
    uint16_t blocks;               // of the map's own lump, as the source
    enum grid_placement placement; // GRID_KEEP: of the vast lump
    int pack, header, limit, format;
    const char *advice;
} advised[] = {
    {0, 0, 0, GRID_KEEP, SHARE, ZERO, EXTENDED, AUTO, "grid=fit"},
    {0, 0, 0, GRID_FIT, NO_PACK, ZERO, EXTENDED, AUTO, "pack=share"},
    {0, 0, 0, GRID_KEEP, NO_PACK, ZERO, EXTENDED, AUTO, "grid=fit"},
    {0, 0, 0, GRID_KEEP, NO_PACK, ZERO, EXTENDED, AUTO, "pack=share"},
    {64, 128, 0, GRID_FIT, SHARE, ZERO, VANILLA, AUTO,
     "pack=nest with header=none"},
    {64, 128, 0, GRID_ID, SHARE, ZERO, VANILLA, AUTO,
     "pack=nest with header=none"},
    {64, 128, 0, GRID_KEEP, SHARE, ZERO, EXTENDED, AUTO, "grid=fit"},
    // Over it by a little, with nothing but merging to help.
    {128, 128, 0, GRID_AUTO, NEST, ZERO, EXTENDED, DOOM,
     "merging lists with fit=extended may meet it"},
    {86, 128, 0, GRID_AUTO, NEST, NO_HEADER, VANILLA, DOOM,
     "merging lists with fit=vanilla may meet it"},
    // Nothing classic helps.
    {128, 128, 0, GRID_AUTO, SHARE, ZERO, EXTENDED, AUTO, "overflow=xbm1"},
    // The lump that the map has.
    {0, 0, 32000, GRID_AUTO, NO_PACK, ZERO, EXTENDED, AUTO, "pack=share"},
    {0, 0, 32000, GRID_AUTO, NO_PACK, ZERO, VANILLA, DOOM, "pack=share"},
    {0, 0, 40000, GRID_AUTO, SHARE, ZERO, VANILLA, AUTO, "limit=extended"},
    {0, 0, 40000, GRID_AUTO, NO_PACK, ZERO, VANILLA, AUTO, "overflow=xbm1"},
    {0, 0, 40000, GRID_AUTO, NO_PACK, ZERO, VANILLA, DOOM, "would meet it"},
    {0, 0, 65530, GRID_AUTO, SHARE, ZERO, EXTENDED, AUTO, "overflow=xbm1"},
    {0, 0, 65530, GRID_AUTO, SHARE, ZERO, EXTENDED, DOOM, "would meet it"},
};

// Does what a sentence says would meet the limit.
static void follow_advice(const char *sentence, struct build_options *options)
{
    if (strstr(sentence, "grid=fit"))
        options->grid.placement = GRID_FIT;
    if (strstr(sentence, "pack=share"))
        options->pack.mode = PACK_SHARE;
    if (strstr(sentence, "pack=nest"))
        options->pack.mode = PACK_NEST;
    if (strstr(sentence, "header=none"))
        options->pack.header = HEADER_NONE;
    if (strstr(sentence, "fit=vanilla"))
        options->fit = LIMIT_VANILLA;
    if (strstr(sentence, "fit=extended"))
        options->fit = LIMIT_EXTENDED;
    if (strstr(sentence, "limit=extended"))
        options->limit = BUILD_LIMIT_EXTENDED;
    if (strstr(sentence, "overflow=xbm1"))
        options->overflow = BUILD_OVERFLOW_XBM1;
}

// A classic lump of so many blocks in a row, all with one empty list.
static unsigned char *make_vast_row(uint16_t blocks, size_t *size)
{
    *size = 2 * ((size_t)4 + blocks + 2);
    unsigned char *bytes = calloc(*size, 1);
    ck_assert_ptr_nonnull(bytes);
    bytes_put_u16(bytes + 4, blocks);
    bytes_put_u16(bytes + 6, 1);
    for (size_t b = 0; b < blocks; b++)
        bytes_put_u16(bytes + 8 + 2 * b, (uint16_t)(4 + blocks));
    bytes_put_u16(bytes + *size - 2, 0xFFFF);
    return bytes;
}

START_TEST(the_advice_given_helps)
{
    // Two points are 200 x 200 blocks.
    const int32_t far = 199 * BLOCK_SIZE;
    struct map map = advised[_i].columns
                         ? make_field(advised[_i].columns, advised[_i].rows)
                         : make_points(0, 0, far, far);
    struct build_options options = {
        .grid.placement = advised[_i].placement,
        .pack = {(enum pack_mode)advised[_i].pack,
                 (enum pack_header)advised[_i].header},
        .limit = (enum build_limit)advised[_i].limit,
        .format = (enum build_format)advised[_i].format,
        .overflow = BUILD_OVERFLOW_ERROR,
    };
    unsigned char *row = NULL;
    size_t size;
    if (advised[_i].blocks > 0) {
        row = make_vast_row(advised[_i].blocks, &size);
        options.source = BUILD_SOURCE_LUMP;
        set_blockmap(&map, row, size);
    } else if (advised[_i].placement == GRID_KEEP) {
        set_blockmap(&map, vast_blockmap, sizeof vast_blockmap);
    }
    assert_fails(&map, &options, NBSTAGE_OVER_LIMIT);
    assert_tells(test_context.message, "MAP01", "BLOCKMAP", advised[_i].advice);
    options.overflow = BUILD_OVERFLOW_EMPTY;
    bool is_xbm1 = strcmp(advised[_i].advice, "overflow=xbm1") == 0;
    follow_advice(is_xbm1 ? advised[_i].advice : test_context.message,
                  &options);
    bool helps = strchr(test_context.message, '=') != NULL;
    struct build_output output = build(&map, &options);
    ck_assert_int_eq(output.bytes != NULL, helps);
    ck_assert_int_eq(output.form == LUMP_XBM1, is_xbm1);
    ck_assert_int_eq(output.over_limit, is_xbm1 || !helps);
    ck_assert_int_eq(output.merge_count > 0,
                     strstr(advised[_i].advice, "fit=") != NULL);
    if (is_xbm1)
        ck_assert_uint_eq(output.size, 8 + 4 * output.measure.word_count);
    free_output(&output);
    if (is_xbm1) { // a format that is asked for is not left
        options.format = BUILD_FORMAT_DOOM;
        assert_fails(&map, &options, NBSTAGE_OVER_LIMIT);
    }
    free_map(&map);
    free(row);
}
END_TEST

// With hardly any work allowed, no sentence says that something cannot be that
// has not been tried.
enum { HARDLY_ANY = 16 }; // steps

START_TEST(too_little_work_for_advice_is_told)
{
    struct map map = make_points(0, 0, 199 * BLOCK_SIZE, 199 * BLOCK_SIZE);
    set_blockmap(&map, vast_blockmap, sizeof vast_blockmap);
    struct build_options options = default_options;
    options.grid.placement = GRID_KEEP;
    options.format = BUILD_FORMAT_DOOM;
    options.overflow = BUILD_OVERFLOW_ERROR;
    assert_fails(&map, &options, NBSTAGE_OVER_LIMIT);
    assert_tells(test_context.message, "grid=fit would meet it");
    test_context.limits.work = HARDLY_ANY;
    assert_fails(&map, &options, NBSTAGE_OVER_LIMIT);
    assert_tells(test_context.message,
                 "no packing without loss was found to meet it");
    free_map(&map);
}
END_TEST

START_TEST(too_little_work_for_merging_is_told)
{
    struct map map = make_field(128, 128);
    struct build_options options = default_options;
    options.fit = LIMIT_EXTENDED;
    options.overflow = BUILD_OVERFLOW_ERROR;
    test_context.limits.work = HARDLY_ANY;
    assert_fails(&map, &options, NBSTAGE_OVER_LIMIT);
    assert_tells(test_context.message,
                 "fit=extended stopped at its work limit");
    free_map(&map);
}
END_TEST

// Every block's list is the end of the one before it.  Shared, they would be
// some 80,000 words; nested without headers, the lump is the one that it was.
START_TEST(nesting_is_advice_for_the_maps_own_lump)
{
    enum { BLOCKS = 400 };
    unsigned char bytes[2 * (4 + 2 * BLOCKS + 1)] = {0};
    bytes_put_u16(bytes + 4, BLOCKS);
    bytes_put_u16(bytes + 6, 1);
    for (uint16_t b = 0; b < BLOCKS; b++) {
        uint16_t offset = (uint16_t)(4 + BLOCKS + b);
        bytes_put_u16(bytes + 2 * (4 + (size_t)b), offset);
        bytes_put_u16(bytes + 2 * (size_t)offset, (uint16_t)(b + 1));
    }
    bytes_put_u16(bytes + sizeof bytes - 2, 0xFFFF);
    struct map map = make_map(1, BLOCKS + 1);
    set_blockmap(&map, bytes, sizeof bytes);
    struct build_options options = lump_options();
    struct build_output output = build(&map, &options);
    ck_assert(output.over_limit);
    assert_tells(test_host.message, "MAP01", "BLOCKMAP", "pack=nest");
    options.pack = (struct pack_form){PACK_NEST, HEADER_NONE};
    output = build(&map, &options);
    ck_assert(!output.over_limit);
    ck_assert_uint_eq(output.size, sizeof bytes);
    ck_assert_mem_eq(output.bytes, bytes, sizeof bytes);
    free_output(&output);
    free_map(&map);
}
END_TEST

// ---------------------------------------------------------------------------
// The context that all steps share

START_TEST(arrays_are_as_large_as_can_be_addressed)
{
    void *array = &array;
    ck_assert_int_eq(
        context_allocate(&test_context, SIZE_MAX / 8 + 1, 8, &array),
        NBSTAGE_OUT_OF_MEMORY);
    ck_assert_ptr_null(array);
    array = &array;
    ck_assert_int_eq(
        context_allocate_zeroed(&test_context, SIZE_MAX, 2, &array),
        NBSTAGE_OUT_OF_MEMORY);
    ck_assert_ptr_null(array);
    array = &array;
    ck_assert_int_eq(context_allocate(&test_context, 0, 8, &array), NBSTAGE_OK);
    ck_assert_ptr_null(array);
    ck_assert_uint_eq(test_host.request_count, 0);
    context_release(&test_context, array);
}
END_TEST

// The name of a map can be longer than any sentence.
START_TEST(long_names_are_cut)
{
    struct {
        struct context context;
        char behind[CONTEXT_MESSAGE_SIZE];
    } guarded = {.context = test_context};
    static const char untouched[sizeof guarded.behind];
    char name[CONTEXT_MESSAGE_SIZE + 10];
    memset(name, 'M', sizeof name);
    guarded.context.map_name = name;
    for (size_t length = CONTEXT_MESSAGE_SIZE - 50; length < sizeof name;
         length++) {
        name[length] = '\0';
        context_fail(&guarded.context, NBSTAGE_BAD_MAP, "LUMP",
                     "what is wrong");
        context_log(&guarded.context, NBSTAGE_LOG_INFO, "LUMP",
                    "what is wrong");
        size_t kept = strlen(guarded.context.message);
        ck_assert_uint_ge(kept, CONTEXT_MESSAGE_SIZE - 51);
        ck_assert_uint_lt(kept, CONTEXT_MESSAGE_SIZE);
        ck_assert_int_eq(memcmp(name, guarded.context.message,
                                kept < length ? kept : length),
                         0);
        ck_assert_str_eq(test_host.message, guarded.context.message);
        ck_assert_mem_eq(guarded.behind, untouched, sizeof untouched);
        name[length] = 'M';
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("stage");
    tcase_add_loop_test(tests, grid_of_the_present_lump_is_kept, 0, 2);
    tcase_add_test(tests, present_lists_are_repacked);
    tcase_add_loop_test(tests, options_that_are_not_used_are_told, 0, 3);
    tcase_add_test(tests, present_lump_that_cannot_be_read_is_told);
    tcase_add_loop_test(tests, over_limit_leaves_an_empty_lump, 0,
                        COUNT(fields));
    tcase_add_loop_test(tests, the_advice_given_helps, 0, COUNT(advised));
    tcase_add_test(tests, too_little_work_for_advice_is_told);
    tcase_add_test(tests, too_little_work_for_merging_is_told);
    tcase_add_test(tests, nesting_is_advice_for_the_maps_own_lump);
    tcase_add_test(tests, arrays_are_as_large_as_can_be_addressed);
    tcase_add_test(tests, long_names_are_cut);
    return run_tests(tests);
}
