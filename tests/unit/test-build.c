// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves what the stage as a whole promises: the lump's bytes, made from the
// lines or from the lump that the map has, which limit a map meets and what is
// done about one that does not, that the advice it gives helps, and that a
// build which ends early, out of memory or cancelled, leaves nothing behind.

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

static struct build_output build(struct map *map,
                                 const struct build_options *options)
{
    struct build_output output;
    nbstage_status status = build_lump(&test_context, map, options, &output);
    ck_assert_msg(status == NBSTAGE_OK, "%s", test_context.message);
    return output;
}

static void free_output(struct build_output *output)
{
    context_release(&test_context, output->bytes);
}

// ---------------------------------------------------------------------------
// Maps

// Two points, far apart or not; each is a line of no length.
struct points {
    int32_t vertices[2][2]; // 16.16
    uint32_t lines[2][2];
};

static struct points points_at(int32_t x1, int32_t y1, int32_t x2, int32_t y2)
{
    enum { UNIT = 1 << 16 };
    return (struct points){{{x1 * UNIT, y1 * UNIT}, {x2 * UNIT, y2 * UNIT}},
                           {{0, 0}, {1, 1}}};
}

static struct map map_of_points(const struct points *points)
{
    return (struct map){
        .format = NBSTAGE_FORMAT_DOOM,
        .from_arrays = true,
        .form = MAP_NATIVE,
        .vertices = (const unsigned char *)points->vertices,
        .vertex_count = 2,
        .vertex_stride = sizeof *points->vertices,
        .lines = (const unsigned char *)points->lines,
        .line_count = 2,
        .line_stride = sizeof *points->lines,
    };
}

// A field of blocks with a line of its own in each: fitted and shared, B
// blocks make a lump of 4 + B + 3 * B words, the last list at 4 * B + 1.
struct field {
    int32_t (*vertices)[2]; // 16.16
    uint32_t (*lines)[2];
    size_t line_count;
};

static struct field make_field(uint32_t columns, uint32_t rows)
{
    struct field field = {.line_count = (size_t)columns * rows};
    field.vertices = calloc(field.line_count, sizeof *field.vertices);
    field.lines = calloc(field.line_count, sizeof *field.lines);
    ck_assert(field.vertices && field.lines);
    for (uint32_t i = 0; i < field.line_count; i++) {
        field.vertices[i][0] = (int32_t)(i % columns * BLOCK_SIZE) << 16;
        field.vertices[i][1] = (int32_t)(i / columns * BLOCK_SIZE) << 16;
        field.lines[i][0] = field.lines[i][1] = i;
    }
    return field;
}

static struct map map_of_field(const struct field *field)
{
    return (struct map){
        .format = NBSTAGE_FORMAT_DOOM,
        .from_arrays = true,
        .form = MAP_NATIVE,
        .vertices = (const unsigned char *)field->vertices,
        .vertex_count = field->line_count,
        .vertex_stride = sizeof *field->vertices,
        .lines = (const unsigned char *)field->lines,
        .line_count = field->line_count,
        .line_stride = sizeof *field->lines,
    };
}

static void free_field(struct field *field)
{
    free(field->vertices);
    free(field->lines);
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
// The lump

START_TEST(lump_of_two_points)
{
    static const unsigned char expected[] = {
        0xF6, 0xFF, 20, 0, 2,    0,    1, 0, // -10,20; 2 x 1 blocks
        6,    0,    9,  0,                   // offsets
        0,    0,    0,  0, 0xFF, 0xFF,       // line 0
        0,    0,    1,  0, 0xFF, 0xFF,       // line 1
    };
    struct points points = points_at(-10, 20, 130, 30);
    struct map map = map_of_points(&points);
    struct build_output output = build(&map, &default_options);
    ck_assert_uint_eq(output.size, sizeof expected);
    ck_assert_mem_eq(output.bytes, expected, sizeof expected);
    ck_assert(!output.over_limit);
    ck_assert_uint_eq(output.line_count, 2);
    ck_assert_int_eq(output.grid.origin_x, -10);
    ck_assert_int_eq(output.grid.origin_y, 20);
    ck_assert_uint_eq(output.grid.columns, 2);
    ck_assert_uint_eq(output.grid.rows, 1);
    ck_assert_int_eq(output.placement, GRID_FIT);
    ck_assert_uint_eq(output.entry_count, 2);
    ck_assert_uint_eq(output.list_count, 2);
    ck_assert_uint_eq(output.measure.word_count, 12);
    ck_assert_uint_eq(output.measure.largest_offset, 9);
    ck_assert(output.measure.meets_vanilla);
    ck_assert(output.measure.meets_extended);
    free_output(&output);
}
END_TEST

START_TEST(options_reach_their_steps)
{
    struct points points = points_at(0, 0, 300, 0);
    struct map map = map_of_points(&points);
    struct build_options options = default_options;
    options.grid = (struct grid_request){GRID_AT, -100, -200};
    options.pack.mode = PACK_NONE;
    struct build_output output = build(&map, &options);
    ck_assert_int_eq(output.placement, GRID_AT);
    ck_assert_int_eq(output.grid.origin_x, -100);
    ck_assert_int_eq(output.grid.origin_y, -200);
    ck_assert_uint_eq(output.grid.columns, 4);
    ck_assert_uint_eq(output.grid.rows, 2);
    ck_assert_uint_eq(output.list_count, 8);
    free_output(&output);
}
END_TEST

// A lump may be damaged and still say which grid it had.
START_TEST(grid_of_the_present_lump_is_kept)
{
    static const unsigned char blockmap[] = {0xF8, 0xFF, 0xF0, 0xFF,
                                             2,    0,    1,    0};
    struct points points = points_at(0, 0, 200, 10);
    struct map map = map_of_points(&points);
    set_blockmap(&map, blockmap, sizeof blockmap);
    struct build_output output = build(&map, &default_options);
    ck_assert_int_eq(output.placement, GRID_KEEP);
    ck_assert_mem_eq(output.bytes, blockmap, sizeof blockmap);
    free_output(&output);
    set_blockmap(&map, blockmap, sizeof blockmap - 1);
    output = build(&map, &default_options);
    ck_assert_int_eq(output.placement, GRID_FIT);
    free_output(&output);
}
END_TEST

START_TEST(damage_to_the_map_is_told)
{
    struct points points = points_at(0, 0, 1, 1);
    points.lines[1][0] = 2;
    struct map map = map_of_points(&points);
    struct build_output output;
    ck_assert_int_eq(build_lump(&test_context, &map, &default_options, &output),
                     NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "line 1", "vertex 2");
}
END_TEST

START_TEST(origin_that_leaves_lines_outside_is_told)
{
    struct points points = points_at(0, 0, 1, 1);
    struct map map = map_of_points(&points);
    struct build_options options = default_options;
    options.grid = (struct grid_request){GRID_AT, 1, 0};
    struct build_output output;
    ck_assert_int_eq(build_lump(&test_context, &map, &options, &output),
                     NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "1,0", "0,0");
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
    struct points points = points_at(0, 0, 300, 0);
    struct map map = map_of_points(&points);
    set_blockmap(&map, blockmap, size);
    return build(&map, options);
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

START_TEST(grid_that_is_not_used_is_told)
{
    struct build_options options = lump_options();
    options.grid = (struct grid_request){GRID_AT, 0, 0};
    struct build_output output =
        repack(bare_blockmap, sizeof bare_blockmap, &options);
    free_output(&output);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells(test_host.message, "MAP01", "grid", "source=lump");
    options.grid.placement = GRID_KEEP;
    output = repack(bare_blockmap, sizeof bare_blockmap, &options);
    free_output(&output);
    ck_assert_uint_eq(test_host.message_count, 1);
}
END_TEST

START_TEST(pruning_that_is_not_used_is_told)
{
    struct build_options options = lump_options();
    options.grid.placement = GRID_KEEP;
    options.prune = PRUNE_INERT;
    struct build_output output =
        repack(bare_blockmap, sizeof bare_blockmap, &options);
    free_output(&output);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells(test_host.message, "MAP01", "prune=inert", "source=lump");
}
END_TEST

START_TEST(present_lump_that_cannot_be_read_is_told)
{
    struct points points = points_at(0, 0, 300, 0);
    struct map map = map_of_points(&points);
    struct build_options options = lump_options();
    struct build_output output;
    ck_assert_int_eq(build_lump(&test_context, &map, &options, &output),
                     NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "BLOCKMAP", "no blockmap");
    set_blockmap(&map, other_blockmap, sizeof other_blockmap - 2);
    ck_assert_int_eq(build_lump(&test_context, &map, &options, &output),
                     NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "BLOCKMAP", "block 0",
                 "no end");
}
END_TEST

// ---------------------------------------------------------------------------
// Limits

// Fields of blocks, the limit they are built for, and the sentence's facts if
// they are over it.
static const struct {
    uint32_t columns, rows;
    enum build_limit limit;
    const char *facts[6];
} fields[] = {
    {90, 91, BUILD_LIMIT_VANILLA, {NULL}}, // 8,190 blocks
    {64,
     128,
     BUILD_LIMIT_VANILLA,
     {"MAP01", "BLOCKMAP", "32769", "2", "32767"}},
    {64, 128, BUILD_LIMIT_EXTENDED, {NULL}},
    {126, 130, BUILD_LIMIT_EXTENDED, {NULL}}, // 16,380 blocks
    {127,
     129,
     BUILD_LIMIT_EXTENDED,
     {"MAP01", "BLOCKMAP", "65536", "1", "65535"}},
    {127,
     129,
     BUILD_LIMIT_VANILLA,
     {"MAP01", "BLOCKMAP", "65536", "1", "65535"}},
    {128,
     128,
     BUILD_LIMIT_EXTENDED,
     {"MAP01", "BLOCKMAP", "65540", "5", "65535"}},
};

START_TEST(over_limit_leaves_an_empty_lump_and_warns)
{
    struct field field = make_field(fields[_i].columns, fields[_i].rows);
    struct map map = map_of_field(&field);
    struct build_options options = default_options;
    options.limit = fields[_i].limit;
    struct build_output output = build(&map, &options);
    bool over = fields[_i].facts[0] != NULL;
    ck_assert(output.over_limit == over);
    ck_assert(!output.bytes == over);
    ck_assert_uint_eq(output.size, over ? 0 : 2 * output.measure.word_count);
    ck_assert_uint_eq(output.measure.word_count, 4 + 4 * field.line_count);
    ck_assert_uint_eq(output.measure.largest_offset, 4 * field.line_count + 1);
    ck_assert_uint_eq(test_host.message_count, over ? 1 : 0);
    if (over)
        ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells_all(test_host.message, fields[_i].facts);
    free_output(&output);
    free_field(&field);
}
END_TEST

START_TEST(over_limit_is_an_error_if_asked)
{
    struct field field = make_field(fields[_i].columns, fields[_i].rows);
    struct map map = map_of_field(&field);
    struct build_options options = default_options;
    options.limit = fields[_i].limit;
    options.overflow = BUILD_OVERFLOW_ERROR;
    struct build_output output;
    nbstage_status status = build_lump(&test_context, &map, &options, &output);
    if (!fields[_i].facts[0]) {
        ck_assert_int_eq(status, NBSTAGE_OK);
        free_output(&output);
    } else {
        ck_assert_int_eq(status, NBSTAGE_OVER_LIMIT);
        assert_tells_all(test_context.message, fields[_i].facts);
    }
    ck_assert_uint_eq(test_host.message_count, 0);
    free_field(&field);
}
END_TEST

// ---------------------------------------------------------------------------
// Advice

// Maps over the limit: two points far apart, or a field of 64 x 128 blocks,
// with a present grid of 256 x 256 blocks or none.
static const struct {
    bool is_field;
    bool has_blockmap;
    enum grid_placement placement;
    enum pack_mode pack;
    enum build_limit limit;
    const char *advice; // in the sentence
} advised[] = {
    {false, true, GRID_KEEP, PACK_SHARE, BUILD_LIMIT_EXTENDED, "grid=fit"},
    {false, false, GRID_FIT, PACK_NONE, BUILD_LIMIT_EXTENDED, "pack=share"},
    {false, true, GRID_KEEP, PACK_NONE, BUILD_LIMIT_EXTENDED, "grid=fit"},
    {false, true, GRID_KEEP, PACK_NONE, BUILD_LIMIT_EXTENDED, "pack=share"},
    {true, false, GRID_FIT, PACK_SHARE, BUILD_LIMIT_VANILLA,
     "pack=nest with header=none"},
    {true, false, GRID_ID, PACK_SHARE, BUILD_LIMIT_VANILLA,
     "pack=nest with header=none"},
    {true, true, GRID_KEEP, PACK_SHARE, BUILD_LIMIT_EXTENDED, "grid=fit"},
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

static void assert_advice(struct map *map, int i)
{
    if (advised[i].has_blockmap)
        set_blockmap(map, vast_blockmap, sizeof vast_blockmap);
    struct build_options options = {
        .grid.placement = advised[i].placement,
        .pack = {advised[i].pack, HEADER_ZERO},
        .limit = advised[i].limit,
        .overflow = BUILD_OVERFLOW_ERROR,
    };
    struct build_output output;
    ck_assert_int_eq(build_lump(&test_context, map, &options, &output),
                     NBSTAGE_OVER_LIMIT);
    assert_tells(test_context.message, advised[i].advice);
    follow_advice(test_context.message, &options);
    output = build(map, &options);
    ck_assert(!output.over_limit);
    free_output(&output);
}

START_TEST(the_advice_given_helps)
{
    // 200 x 200 blocks.
    struct points points = points_at(0, 0, 199 * BLOCK_SIZE, 199 * BLOCK_SIZE);
    struct field field = make_field(64, 128);
    struct map map =
        advised[_i].is_field ? map_of_field(&field) : map_of_points(&points);
    assert_advice(&map, _i);
    free_field(&field);
}
END_TEST

START_TEST(merging_is_the_advice_where_nothing_else_helps)
{
    struct field field = make_field(_i ? 86 : 128, 128); // over it by a little
    struct map map = map_of_field(&field);
    struct build_options options = default_options;
    options.pack =
        (struct pack_form){PACK_NEST, _i ? HEADER_NONE : HEADER_ZERO};
    options.limit = _i ? BUILD_LIMIT_VANILLA : BUILD_LIMIT_EXTENDED;
    options.format = BUILD_FORMAT_DOOM;
    struct build_output output = build(&map, &options);
    ck_assert(output.over_limit);
    assert_tells(test_host.message, "merging lists with");
    follow_advice(test_host.message, &options);
    output = build(&map, &options);
    ck_assert(!output.over_limit);
    ck_assert_uint_gt(output.merge_count, 0);
    free_output(&output);
    free_field(&field);
}
END_TEST

// With hardly any work allowed, no sentence says that something cannot be that
// has not been tried.
enum { HARDLY_ANY = 16 }; // steps

START_TEST(too_little_work_for_advice_is_told)
{
    struct points points = points_at(0, 0, 199 * BLOCK_SIZE, 199 * BLOCK_SIZE);
    struct map map = map_of_points(&points);
    set_blockmap(&map, vast_blockmap, sizeof vast_blockmap);
    struct build_options options = default_options;
    struct build_output output;
    options.grid.placement = GRID_KEEP;
    options.format = BUILD_FORMAT_DOOM;
    options.overflow = BUILD_OVERFLOW_ERROR;
    ck_assert_int_eq(build_lump(&test_context, &map, &options, &output),
                     NBSTAGE_OVER_LIMIT);
    assert_tells(test_context.message, "grid=fit would meet it");
    test_context.limits.work = HARDLY_ANY;
    ck_assert_int_eq(build_lump(&test_context, &map, &options, &output),
                     NBSTAGE_OVER_LIMIT);
    assert_tells(test_context.message,
                 "no packing without loss was found to meet it");
}
END_TEST

START_TEST(too_little_work_for_merging_is_told)
{
    struct field field = make_field(128, 128);
    struct map map = map_of_field(&field);
    struct build_options options = default_options;
    struct build_output output;
    options.fit = LIMIT_EXTENDED;
    options.overflow = BUILD_OVERFLOW_ERROR;
    test_context.limits.work = HARDLY_ANY;
    ck_assert_int_eq(build_lump(&test_context, &map, &options, &output),
                     NBSTAGE_OVER_LIMIT);
    assert_tells(test_context.message,
                 "fit=extended stopped at its work limit");
    test_context.limits.work = 0;
    output = build(&map, &options);
    ck_assert(!output.over_limit);
    free_output(&output);
    free_field(&field);
}
END_TEST

START_TEST(xbm1_is_the_advice_where_nothing_classic_helps)
{
    struct field field = make_field(128, 128);
    struct map map = map_of_field(&field);
    struct build_options options = default_options;
    struct build_output output = build(&map, &options);
    ck_assert(output.over_limit);
    assert_tells(test_host.message, "overflow=xbm1");
    options.overflow = BUILD_OVERFLOW_XBM1;
    output = build(&map, &options);
    ck_assert(output.over_limit);
    ck_assert_int_eq(output.form, LUMP_XBM1);
    ck_assert_uint_eq(output.size, 8 + 4 * output.measure.word_count);
    free_output(&output);
    // A format that is asked for is not left.
    options.format = BUILD_FORMAT_DOOM;
    ck_assert_int_eq(build_lump(&test_context, &map, &options, &output),
                     NBSTAGE_OVER_LIMIT);
    free_field(&field);
}
END_TEST

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

// What is done about rows of blocks over the limit, and whether it helps.
static const struct {
    uint16_t blocks;
    enum pack_mode pack;
    enum build_limit limit;
    enum build_format format;
    const char *advice; // in the sentence
} vast_rows[] = {
    {32000, PACK_NONE, BUILD_LIMIT_EXTENDED, BUILD_FORMAT_AUTO, "pack=share"},
    {32000, PACK_NONE, BUILD_LIMIT_VANILLA, BUILD_FORMAT_DOOM, "pack=share"},
    {40000, PACK_SHARE, BUILD_LIMIT_VANILLA, BUILD_FORMAT_AUTO,
     "limit=extended"},
    {40000, PACK_NONE, BUILD_LIMIT_VANILLA, BUILD_FORMAT_AUTO, "overflow=xbm1"},
    {40000, PACK_NONE, BUILD_LIMIT_VANILLA, BUILD_FORMAT_DOOM, "would meet it"},
    {65530, PACK_SHARE, BUILD_LIMIT_EXTENDED, BUILD_FORMAT_AUTO,
     "overflow=xbm1"},
    {65530, PACK_SHARE, BUILD_LIMIT_EXTENDED, BUILD_FORMAT_DOOM,
     "would meet it"},
};

START_TEST(advice_for_the_maps_own_lump_helps)
{
    size_t size;
    unsigned char *bytes = make_vast_row(vast_rows[_i].blocks, &size);
    struct build_options options = lump_options();
    options.pack.mode = vast_rows[_i].pack;
    options.limit = vast_rows[_i].limit;
    options.format = vast_rows[_i].format;
    struct build_output output = repack(bytes, size, &options);
    ck_assert(output.over_limit);
    ck_assert_ptr_null(output.bytes);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells(test_host.message, "MAP01", "BLOCKMAP", vast_rows[_i].advice);
    follow_advice(test_host.message, &options);
    output = repack(bytes, size, &options);
    ck_assert(!output.bytes == !strchr(test_host.message, '='));
    free_output(&output);
    free(bytes);
}
END_TEST

// ---------------------------------------------------------------------------
// More lines than can be numbered

// All of them at the first vertex.
static struct map map_of_many_lines(uint32_t (**lines)[2], size_t count)
{
    static const int32_t vertex[2];
    *lines = calloc(count, sizeof **lines);
    ck_assert_ptr_nonnull(*lines);
    return (struct map){
        .format = NBSTAGE_FORMAT_DOOM,
        .from_arrays = true,
        .form = MAP_NATIVE,
        .vertices = (const unsigned char *)vertex,
        .vertex_count = 1,
        .vertex_stride = sizeof vertex,
        .lines = (const unsigned char *)*lines,
        .line_count = count,
        .line_stride = sizeof **lines,
    };
}

START_TEST(lines_that_cannot_be_numbered_are_over_the_limit)
{
    uint32_t(*lines)[2];
    struct map map = map_of_many_lines(&lines, LUMP_CLASSIC_LINES + 1);
    struct build_output output = build(&map, &default_options);
    ck_assert(output.over_limit);
    ck_assert_ptr_null(output.bytes);
    ck_assert_uint_eq(output.size, 0);
    ck_assert_uint_eq(output.line_count, LUMP_CLASSIC_LINES + 1);
    ck_assert(!output.measure.meets_vanilla && !output.measure.meets_extended);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
    assert_tells(test_host.message, "MAP01", "LINEDEFS", "65535");
    struct build_options options = default_options;
    options.overflow = BUILD_OVERFLOW_ERROR;
    ck_assert_int_eq(build_lump(&test_context, &map, &options, &output),
                     NBSTAGE_OVER_LIMIT);
    assert_tells(test_context.message, "MAP01", "LINEDEFS", "65535");
    free(lines);
}
END_TEST

// One list of 65,534 lines is 65,536 words, and 5 come before it.
START_TEST(lines_that_can_be_numbered_are_built)
{
    uint32_t(*lines)[2];
    struct map map = map_of_many_lines(&lines, LUMP_CLASSIC_LINES);
    struct build_output output = build(&map, &default_options);
    ck_assert_uint_eq(output.entry_count, LUMP_CLASSIC_LINES);
    ck_assert_uint_eq(output.measure.word_count, 65541);
    assert_tells(test_host.message, "BLOCKMAP", "65541", "6");
    free(lines);
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
    uint32_t(*lines)[2];
    struct map map = map_of_many_lines(&lines, BLOCKS + 1);
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
    free(lines);
}
END_TEST

// ---------------------------------------------------------------------------
// Builds that end early

// What to build: a plain lump; one that is over its limit and looks for a
// advice; the same as an error.
static const struct {
    bool has_blockmap;
    enum grid_placement placement;
    enum build_overflow overflow;
    nbstage_status status;
} early[] = {
    {false, GRID_AUTO, BUILD_OVERFLOW_EMPTY, NBSTAGE_OK},
    {true, GRID_KEEP, BUILD_OVERFLOW_EMPTY, NBSTAGE_OK},
    {true, GRID_KEEP, BUILD_OVERFLOW_ERROR, NBSTAGE_OVER_LIMIT},
};

// The grid to keep has 512 x 65 blocks, as few rows as are over the limit.
static nbstage_status build_early(int i, struct build_output *output)
{
    static const unsigned char blockmap[] = {0, 0, 0, 0, 0, 2, 65, 0};
    struct points points = points_at(0, 0, 400, 400);
    struct map map = map_of_points(&points);
    if (early[i].has_blockmap)
        set_blockmap(&map, blockmap, sizeof blockmap);
    struct build_options options = default_options;
    options.grid.placement = early[i].placement;
    options.limit = BUILD_LIMIT_VANILLA;
    options.overflow = early[i].overflow;
    return build_lump(&test_context, &map, &options, output);
}

// Refuses the first request for memory, then the second, until a build has
// asked for all it needs.
START_TEST(out_of_memory_leaves_nothing_behind)
{
    struct build_output output;
    ck_assert_int_eq(build_early(_i, &output), early[_i].status);
    if (early[_i].status == NBSTAGE_OK)
        free_output(&output);
    size_t needed = test_host.request_count;
    ck_assert_uint_ge(needed, 9);
    for (size_t n = 1; n <= needed; n++) {
        test_host = (struct test_host){.refused_request = n};
        test_context.message[0] = '\0';
        ck_assert_int_eq(build_early(_i, &output), NBSTAGE_OUT_OF_MEMORY);
        ck_assert_uint_eq(test_host.request_count, n);
        ck_assert_ptr_null(test_host.blocks);
        ck_assert_uint_eq(test_host.message_count, 0);
        assert_tells(test_context.message, "MAP01", "memory");
    }
}
END_TEST

START_TEST(cancelling_leaves_nothing_behind)
{
    struct build_output output;
    ck_assert_int_eq(build_early(_i, &output), early[_i].status);
    if (early[_i].status == NBSTAGE_OK)
        free_output(&output);
    size_t reports = test_host.progress_count;
    ck_assert_uint_ge(reports, 3);
    for (size_t n = 1; n <= reports; n++) {
        test_host = (struct test_host){.cancelled_report = n};
        ck_assert_int_eq(build_early(_i, &output), NBSTAGE_CANCELLED);
        ck_assert_uint_eq(test_host.progress_count, n);
        ck_assert_ptr_null(test_host.blocks);
        ck_assert_uint_eq(test_host.message_count, 0);
        assert_tells(test_context.message, "MAP01", "cancelled");
    }
}
END_TEST

START_TEST(log_and_progress_may_be_absent)
{
    test_context.log = NULL;
    test_context.progress = NULL;
    struct build_output output;
    ck_assert_int_eq(build_early(_i, &output), early[_i].status);
    if (early[_i].status == NBSTAGE_OK)
        free_output(&output);
}
END_TEST

// ---------------------------------------------------------------------------
// The context that all steps share

START_TEST(arrays_too_large_to_address_are_refused)
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
    ck_assert_uint_eq(test_host.request_count, 0);
}
END_TEST

START_TEST(empty_arrays_need_no_memory)
{
    void *array = &array;
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
    tcase_add_test(tests, lump_of_two_points);
    tcase_add_test(tests, options_reach_their_steps);
    tcase_add_test(tests, grid_of_the_present_lump_is_kept);
    tcase_add_test(tests, damage_to_the_map_is_told);
    tcase_add_test(tests, origin_that_leaves_lines_outside_is_told);
    tcase_add_test(tests, present_lists_are_repacked);
    tcase_add_test(tests, grid_that_is_not_used_is_told);
    tcase_add_test(tests, pruning_that_is_not_used_is_told);
    tcase_add_test(tests, present_lump_that_cannot_be_read_is_told);
    tcase_add_loop_test(tests, advice_for_the_maps_own_lump_helps, 0,
                        COUNT(vast_rows));
    tcase_add_loop_test(tests, over_limit_leaves_an_empty_lump_and_warns, 0,
                        COUNT(fields));
    tcase_add_loop_test(tests, over_limit_is_an_error_if_asked, 0,
                        COUNT(fields));
    tcase_add_loop_test(tests, the_advice_given_helps, 0, COUNT(advised));
    tcase_add_loop_test(tests, merging_is_the_advice_where_nothing_else_helps,
                        0, 2);
    tcase_add_test(tests, too_little_work_for_advice_is_told);
    tcase_add_test(tests, too_little_work_for_merging_is_told);
    tcase_add_test(tests, xbm1_is_the_advice_where_nothing_classic_helps);
    tcase_add_test(tests, lines_that_cannot_be_numbered_are_over_the_limit);
    tcase_add_test(tests, lines_that_can_be_numbered_are_built);
    tcase_add_test(tests, nesting_is_advice_for_the_maps_own_lump);
    tcase_add_loop_test(tests, out_of_memory_leaves_nothing_behind, 0,
                        COUNT(early));
    tcase_add_loop_test(tests, cancelling_leaves_nothing_behind, 0,
                        COUNT(early));
    tcase_add_loop_test(tests, log_and_progress_may_be_absent, 0, COUNT(early));
    tcase_add_test(tests, arrays_too_large_to_address_are_refused);
    tcase_add_test(tests, empty_arrays_need_no_memory);
    tcase_add_test(tests, long_names_are_cut);
    return run_tests(tests);
}
