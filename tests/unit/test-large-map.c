// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a map of 1,000,000 lines that fills all the space there is comes
// out as an XBM1 lump, the same from text and from arrays, with exact lists:
// 100,000 of its 262,144 blocks are held against the oracle.  Then, on small
// maps, what a map over the limit gets under every option, and that the
// stage's own reader of lumps finds in both forms what was built.
//
// The seed is printed; SEED=number in the environment repeats a run.

#include "buffer.h"
#include "counted-memory.h"
#include "lump/lump.h"
#include "map/udmf.h"
#include "oracle.h"
#include "plugin.h"
#include "random-map.h"
#include "run-suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    UNIT = 1 << 16,  // a map unit in 16.16
    LOWEST = -32768, // coordinates, map units
    HIGHEST = 32767,
};

static uint64_t seed;

// ---------------------------------------------------------------------------
// The map: a mesh of short lines, and some that go anywhere

enum {
    MESH_SIDE = 707, // vertices
    MESH_LINES = 2 * MESH_SIDE * (MESH_SIDE - 1),
    LARGE_LINES = 1000000,
    LARGE_VERTICES = MESH_SIDE * MESH_SIDE,
    THOUSAND = 1000,
};

// Coordinates are written in thousandths of map units, as level editors do.
struct point {
    int32_t x, y;
};

struct large_map {
    struct point *points; // in thousandths
    struct nbstage_vertex *vertices;
    struct nbstage_line *lines;
    struct buffer text;
};

// A coordinate near the middle of cell `index` of the mesh: anywhere, or on
// the edge of a block if one is near, or the smallest step beside that.
static int32_t random_coordinate(struct random_stream *stream, int32_t index)
{
    const int32_t low = LOWEST * THOUSAND;
    const int32_t high = HIGHEST * THOUSAND + THOUSAND - 1;
    const int32_t block = 128 * THOUSAND;
    const int32_t size = (int32_t)(65536LL * THOUSAND / MESH_SIDE);
    if (index == 0)
        return low;
    if (index == MESH_SIDE - 1)
        return high;
    int32_t anywhere =
        low + index * size + (int32_t)random_below(stream, (uint32_t)size);
    int32_t edge = low + (anywhere - low) / block * block;
    switch (random_below(stream, 4)) {
    case 0:
        return edge;
    case 1:
        return edge > low ? edge - 1 : edge;
    default:
        return anywhere;
    }
}

static void make_points(struct large_map *map, struct random_stream *stream)
{
    map->points = calloc(LARGE_VERTICES, sizeof *map->points);
    map->vertices = calloc(LARGE_VERTICES, sizeof *map->vertices);
    ck_assert(map->points && map->vertices);
    for (int32_t i = 0; i < LARGE_VERTICES; i++) {
        struct point *point = &map->points[i];
        point->x = random_coordinate(stream, i % MESH_SIDE);
        point->y = random_coordinate(stream, i / MESH_SIDE);
        // C truncates toward zero, as the stage ought to.
        map->vertices[i].x = (int32_t)((int64_t)point->x * UNIT / THOUSAND);
        map->vertices[i].y = (int32_t)((int64_t)point->y * UNIT / THOUSAND);
    }
}

static struct nbstage_line line_between(uint32_t v1, uint32_t v2)
{
    return (struct nbstage_line){.v1 = v1,
                                 .v2 = v2,
                                 .front_sector = NBSTAGE_NONE,
                                 .back_sector = NBSTAGE_NONE};
}

static void make_lines(struct large_map *map, struct random_stream *stream)
{
    map->lines = calloc(LARGE_LINES, sizeof *map->lines);
    ck_assert_ptr_nonnull(map->lines);
    size_t count = 0;
    for (uint32_t i = 0; i < LARGE_VERTICES; i++) {
        if (i % MESH_SIDE > 0)
            map->lines[count++] = line_between(i - 1, i);
        if (i >= MESH_SIDE)
            map->lines[count++] = line_between(i, i - MESH_SIDE);
    }
    ck_assert_uint_eq(count, MESH_LINES);
    while (count < LARGE_LINES) {
        uint32_t v1 = random_below(stream, LARGE_VERTICES);
        uint32_t v2 = random_below(stream, LARGE_VERTICES);
        map->lines[count++] = line_between(v1, v2);
    }
    // Numbers have no order in space.
    for (uint32_t i = LARGE_LINES; i > 1; i--) {
        uint32_t other = random_below(stream, i);
        struct nbstage_line line = map->lines[i - 1];
        map->lines[i - 1] = map->lines[other];
        map->lines[other] = line;
    }
}

static void print_thousandths(struct buffer *text, const char *name,
                              int32_t value)
{
    int32_t magnitude = abs(value);
    buffer_print(text, "%s = %s%" PRId32 ".%03" PRId32 ";\n", name,
                 value < 0 ? "-" : "", magnitude / THOUSAND,
                 magnitude % THOUSAND);
}

static void make_text(struct large_map *map)
{
    buffer_print(&map->text, "namespace = \"zdoom\";\n");
    for (size_t i = 0; i < LARGE_VERTICES; i++) {
        buffer_print(&map->text, "vertex // %zu\n{\n", i);
        print_thousandths(&map->text, "x", map->points[i].x);
        print_thousandths(&map->text, "y", map->points[i].y);
        buffer_print(&map->text, "}\n\n");
    }
    for (size_t i = 0; i < LARGE_LINES; i++)
        buffer_print(&map->text,
                     "linedef // %zu\n{\nv1 = %" PRIu32 ";\nv2 = %" PRIu32
                     ";\nsidefront = %zu;\nblocking = true;\n}\n\n",
                     i, map->lines[i].v1, map->lines[i].v2, i);
}

static struct large_map make_large_map(void)
{
    struct random_stream stream = {seed};
    struct large_map map = {0};
    make_points(&map, &stream);
    make_lines(&map, &stream);
    make_text(&map);
    return map;
}

static void free_large_map(struct large_map *map)
{
    free(map->points);
    free(map->vertices);
    free(map->lines);
    buffer_free(&map->text);
}

// ---------------------------------------------------------------------------
// An XBM1 lump, read by what is written about it

enum {
    PREFIX_SIZE = 8, // bytes
    HEADER_WORDS = 4,
};

static uint32_t word_at(const unsigned char *bytes, size_t index)
{
    const unsigned char *at = bytes + PREFIX_SIZE + 4 * index;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

static size_t count_words(const struct plugin_lump *lump)
{
    return (lump->size - PREFIX_SIZE) / 4;
}

static void check_header(const struct plugin_lump *lump,
                         const struct oracle_grid *grid)
{
    ck_assert_uint_ge(lump->size, PREFIX_SIZE + 4 * HEADER_WORDS);
    ck_assert_uint_eq(lump->size % 4, 0);
    ck_assert_mem_eq(lump->bytes, "XBM1\0\0\0\0", PREFIX_SIZE);
    ck_assert_uint_eq(word_at(lump->bytes, 0), (uint32_t)grid->origin_x << 16);
    ck_assert_uint_eq(word_at(lump->bytes, 1), (uint32_t)grid->origin_y << 16);
    ck_assert_uint_eq(word_at(lump->bytes, 2), grid->columns);
    ck_assert_uint_eq(word_at(lump->bytes, 3), grid->rows);
}

static size_t count_blocks(const struct oracle_grid *grid)
{
    return (size_t)grid->columns * grid->rows;
}

// The lines of a block: where they begin, in words, and how many there are.
struct blocklist {
    size_t first;
    size_t count;
};

static struct blocklist find_blocklist(const struct plugin_lump *lump,
                                       const struct oracle_grid *grid,
                                       size_t block)
{
    size_t word_count = count_words(lump);
    size_t offset = word_at(lump->bytes, HEADER_WORDS + block);
    ck_assert_uint_ge(offset, HEADER_WORDS + count_blocks(grid));
    ck_assert_uint_lt(offset, word_count);
    ck_assert_uint_eq(word_at(lump->bytes, offset), 0);
    struct blocklist list = {offset + 1, 0};
    while (word_at(lump->bytes, list.first + list.count) != UINT32_MAX) {
        list.count++;
        ck_assert_uint_lt(list.first + list.count, word_count);
    }
    return list;
}

// ---------------------------------------------------------------------------
// The truth about single blocks

// Lines by coarse cells, each of which is some whole blocks: a cell has every
// line whose bounding box it meets, and so every line that touches it.
enum {
    CELL_SHIFT = 9, // 512 map units
    CELL_SIDE = 65536 >> CELL_SHIFT,
    CELLS = CELL_SIDE * CELL_SIDE,
};

struct cells {
    struct oracle_line *lines; // of the map
    size_t *start;             // of each cell in `members`; one more at the end
    uint32_t *members;         // line numbers, ascending within a cell
};

struct cell_range {
    uint32_t first_column, last_column, first_row, last_row;
};

static uint32_t cell_of(int32_t coordinate)
{
    return (uint32_t)(((int64_t)coordinate - (int64_t)LOWEST * UNIT) >>
                      (16 + CELL_SHIFT));
}

static struct cell_range find_cells(const struct oracle_line *line)
{
    uint32_t column1 = cell_of(line->x1);
    uint32_t column2 = cell_of(line->x2);
    uint32_t row1 = cell_of(line->y1);
    uint32_t row2 = cell_of(line->y2);
    return (struct cell_range){
        column1 < column2 ? column1 : column2,
        column1 < column2 ? column2 : column1,
        row1 < row2 ? row1 : row2,
        row1 < row2 ? row2 : row1,
    };
}

// Adds a line to its cells: counts it, or if there are members enters it and
// moves the starts on.
static void add_to_cells(struct cells *cells, uint32_t number)
{
    struct cell_range range = find_cells(&cells->lines[number]);
    for (uint32_t row = range.first_row; row <= range.last_row; row++)
        for (uint32_t column = range.first_column; column <= range.last_column;
             column++) {
            size_t cell = row * CELL_SIDE + column;
            if (cells->members)
                cells->members[cells->start[cell]++] = number;
            else
                cells->start[cell]++;
        }
}

static void find_lines(struct cells *cells, const struct large_map *map)
{
    cells->lines = calloc(LARGE_LINES, sizeof *cells->lines);
    ck_assert_ptr_nonnull(cells->lines);
    for (size_t i = 0; i < LARGE_LINES; i++) {
        struct nbstage_vertex start = map->vertices[map->lines[i].v1];
        struct nbstage_vertex end = map->vertices[map->lines[i].v2];
        cells->lines[i] = (struct oracle_line){start.x, start.y, end.x, end.y};
    }
}

static struct cells make_cells(const struct large_map *map)
{
    struct cells cells = {.start = calloc(CELLS + 1, sizeof *cells.start)};
    ck_assert_ptr_nonnull(cells.start);
    find_lines(&cells, map);
    for (uint32_t i = 0; i < LARGE_LINES; i++)
        add_to_cells(&cells, i);
    size_t total = 0;
    for (size_t cell = 0; cell <= CELLS; cell++) {
        size_t count = cells.start[cell];
        cells.start[cell] = total;
        total += count;
    }
    cells.members = calloc(total, sizeof *cells.members);
    ck_assert_ptr_nonnull(cells.members);
    for (uint32_t i = 0; i < LARGE_LINES; i++)
        add_to_cells(&cells, i);
    // Each start has moved to the end of its cell, which is the next start.
    memmove(cells.start + 1, cells.start, CELLS * sizeof *cells.start);
    cells.start[0] = 0;
    return cells;
}

static void free_cells(struct cells *cells)
{
    free(cells->lines);
    free(cells->start);
    free(cells->members);
}

// Holds the list of a block against the oracle; returns its length.
static size_t check_block(const struct plugin_lump *lump,
                          const struct oracle_grid *grid,
                          const struct cells *cells, uint32_t column,
                          uint32_t row)
{
    enum { BLOCKS = 1 << (CELL_SHIFT - 7) }; // along the side of a cell
    size_t cell = row / BLOCKS * CELL_SIDE + column / BLOCKS;
    struct blocklist list =
        find_blocklist(lump, grid, row * grid->columns + column);
    size_t found = 0;
    for (size_t m = cells->start[cell]; m < cells->start[cell + 1]; m++) {
        uint32_t line = cells->members[m];
        if (!oracle_is_in_block(&cells->lines[line], grid, column, row))
            continue;
        ck_assert_msg(found < list.count &&
                          word_at(lump->bytes, list.first + found) == line,
                      "SEED=%" PRIu64 ": block %" PRIu32 ",%" PRIu32
                      ": line %" PRIu32 " is missing or not in its place",
                      seed, column, row, line);
        found++;
    }
    ck_assert_msg(found == list.count,
                  "SEED=%" PRIu64 ": block %" PRIu32 ",%" PRIu32
                  ": %zu lines are too many",
                  seed, column, row, list.count - found);
    return found;
}

// ---------------------------------------------------------------------------
// The large map

enum {
    WHOLE_SIDE = 512, // blocks
    WHOLE_BLOCKS = WHOLE_SIDE * WHOLE_SIDE,
    SAMPLE = 100000, // blocks
};

static const struct oracle_grid whole_grid = {LOWEST, LOWEST, WHOLE_SIDE,
                                              WHOLE_SIDE};

static struct nbstage_map view_large_map(const struct large_map *map)
{
    return plugin_map_from_arrays("LARGE", map->vertices, LARGE_VERTICES,
                                  map->lines, LARGE_LINES);
}

static void check_sample(const struct large_map *map,
                         const struct plugin_lump *lump)
{
    struct random_stream stream = {seed + 1};
    struct cells cells = make_cells(map);
    size_t facts = 0;
    // Steps of an odd length come to every block before they return to one.
    uint32_t block = random_below(&stream, WHOLE_BLOCKS);
    uint32_t step = 2 * random_below(&stream, WHOLE_BLOCKS / 2) + 1;
    for (int i = 0; i < SAMPLE; i++) {
        facts += check_block(lump, &whole_grid, &cells, block % WHOLE_SIDE,
                             block / WHOLE_SIDE);
        block = (block + step) % WHOLE_BLOCKS;
    }
    printf("%d blocks, %zu facts\n", SAMPLE, facts);
    ck_assert_uint_gt(facts, SAMPLE);
    free_cells(&cells);
}

static void check_same_bytes(const struct plugin_lump *expected,
                             const struct nbstage_map *map, const char *options)
{
    struct plugin_lump lump = plugin_build(map, options);
    ck_assert_msg(lump.size == expected->size &&
                      memcmp(lump.bytes, expected->bytes, lump.size) == 0,
                  "SEED=%" PRIu64 ": %s with %s gives other bytes", seed,
                  map->lump_count > 0 ? "text" : "arrays", options);
    plugin_free(&lump);
}

START_TEST(a_million_lines_come_out_exact)
{
    struct large_map large = make_large_map();
    struct nbstage_lump text = {.size = sizeof text,
                                .name = "TEXTMAP",
                                .data = large.text.bytes,
                                .data_size = large.text.size};
    struct nbstage_map map = nbstage_map_from_lumps("LARGE", &text, 1);
    struct nbstage_map arrays = view_large_map(&large);
    struct plugin_lump lump = plugin_build(&map, "format=xbm1");
    check_header(&lump, &whole_grid);
    check_same_bytes(&lump, &arrays, "format=xbm1");
    check_same_bytes(&lump, &arrays, "overflow=xbm1");
    check_sample(&large, &lump);
    printf("%d linedefs, %zu bytes of XBM1\n", LARGE_LINES, lump.size);
    plugin_free(&lump);
    free_large_map(&large);
}
END_TEST

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

START_TEST(large_text_is_read)
{
    struct large_map large = make_large_map();
    struct counted_memory memory = {0};
    struct context context = counted_memory_context(&memory);
    struct udmf_geometry udmf;
    double begin = seconds();
    nbstage_status status = udmf_geometry_read(
        &context, (const char *)large.text.bytes, large.text.size, &udmf);
    double taken = seconds() - begin;
    ck_assert_msg(status == NBSTAGE_OK, "%s", context.message);
    ck_assert_uint_eq(udmf.vertex_count, LARGE_VERTICES);
    ck_assert_uint_eq(udmf.line_count, LARGE_LINES);
    for (size_t i = 0; i < LARGE_VERTICES; i++) {
        ck_assert_int_eq(udmf.vertices[i].x, large.vertices[i].x);
        ck_assert_int_eq(udmf.vertices[i].y, large.vertices[i].y);
    }
    printf("%zu bytes of text read in %.2f s, %.0f MB/s\n", large.text.size,
           taken, (double)large.text.size / 1e6 / taken);
    context_release(&context, udmf.vertices);
    context_release(&context, udmf.lines);
    ck_assert_uint_eq(memory.in_use, 0);
    free_large_map(&large);
}
END_TEST

// ---------------------------------------------------------------------------
// Over the limit

// What the log was told last, and how often.
struct journal {
    int warnings;
    char last[512];
};

static void take_note(void *context, int32_t level, const char *message)
{
    struct journal *journal = context;
    if (level == NBSTAGE_LOG_WARNING) {
        journal->warnings++;
        snprintf(journal->last, sizeof journal->last, "%s", message);
    }
}

// Lines along the west and south of the map, and one across all of it.
struct small_map {
    struct nbstage_vertex vertices[4];
    struct nbstage_line *lines;
    size_t line_count;
};

static struct small_map make_small_map(int32_t units, size_t line_count)
{
    struct small_map map = {
        .vertices = {{0, 0},
                     {units * UNIT, 0},
                     {0, units * UNIT},
                     {units * UNIT + UNIT / 2, units * UNIT + UNIT / 4}},
        .lines = calloc(line_count, sizeof *map.lines),
        .line_count = line_count,
    };
    ck_assert_ptr_nonnull(map.lines);
    for (size_t i = 0; i < line_count; i++)
        map.lines[i] = line_between(0, (uint32_t)i % 3 + 1);
    return map;
}

static struct nbstage_map view_small_map(const struct small_map *map)
{
    return plugin_map_from_arrays("SMALL", map->vertices, COUNT(map->vertices),
                                  map->lines, map->line_count);
}

// Three maps, and what they are over.
static const struct {
    int32_t units;
    size_t line_count;
    const char *excess; // what the sentence has; NULL: nothing
} small_maps[] = {
    {1000, 9, NULL},
    {32767, 9, "over the limit of 65535"},
    {1000, 65535, "65535 linedefs are 1 more than the 65534"},
};

enum form { CLASSIC, XBM1, EMPTY, FAILED };

// What each of the maps gets.
static const struct {
    const char *options;
    enum form forms[COUNT(small_maps)];
} outcomes[] = {
    {"", {CLASSIC, EMPTY, EMPTY}},
    {"overflow=empty", {CLASSIC, EMPTY, EMPTY}},
    {"overflow=error", {CLASSIC, FAILED, FAILED}},
    {"overflow=xbm1", {CLASSIC, XBM1, XBM1}},
    {"format=auto overflow=xbm1", {CLASSIC, XBM1, XBM1}},
    {"format=doom", {CLASSIC, EMPTY, EMPTY}},
    {"format=doom overflow=error", {CLASSIC, FAILED, FAILED}},
    {"format=doom overflow=xbm1", {CLASSIC, FAILED, FAILED}},
    {"format=xbm1", {XBM1, XBM1, XBM1}},
    {"format=xbm1 overflow=error", {XBM1, XBM1, XBM1}},
    {"limit=vanilla overflow=xbm1", {CLASSIC, XBM1, XBM1}},
};

static const char *form_name(enum form form)
{
    static const char *const names[] = {"classic", "xbm1", "empty", ""};
    return names[form];
}

static enum form form_of_bytes(const struct nbstage_lump *lump)
{
    if (lump->data_size == 0)
        return EMPTY;
    return memcmp(lump->data, "XBM1", 4) == 0 ? XBM1 : CLASSIC;
}

static void check_result(const struct nbstage_result *result,
                         const char *options, enum form expected, bool over)
{
    ck_assert_uint_eq(result->lump_count, 1);
    ck_assert_msg(form_of_bytes(result->lumps) == expected, "%s: not %s",
                  options, form_name(expected));
    ck_assert_str_eq(plugin_find_fact(result, "form")->text,
                     form_name(expected));
    // XBM1 that was asked for is over no limit.
    if (strstr(options, "format=xbm1"))
        over = false;
    ck_assert_int_eq(plugin_find_fact(result, "over_limit")->value, over);
}

static void check_sentence(const char *sentence, const char *options,
                           const char *excess)
{
    ck_assert_msg(strncmp(sentence, "SMALL: ", 7) == 0 &&
                      strstr(sentence, excess),
                  "%s: %s\nexpected ...%s...", options, sentence, excess);
}

static void check_outcome(const struct nbstage_map *map, size_t small,
                          size_t outcome)
{
    const char *options = outcomes[outcome].options;
    const char *excess = small_maps[small].excess;
    enum form expected = outcomes[outcome].forms[small];
    struct journal journal = {0};
    struct nbstage_result result = {.size = sizeof result};
    const struct nbstage_host host = {
        .size = sizeof host, .context = &journal, .log = take_note};
    struct nbstage_instance *instance = plugin_create_for(&host, options);
    nbstage_status status = plugin_stage()->build(instance, map, &result);
    ck_assert_int_eq(status,
                     expected == FAILED ? NBSTAGE_OVER_LIMIT : NBSTAGE_OK);
    if (expected == FAILED) {
        ck_assert_uint_eq(result.lump_count, 0);
        check_sentence(plugin_stage()->last_error(instance), options, excess);
    } else {
        check_result(&result, options, expected, excess != NULL);
    }
    ck_assert_int_eq(journal.warnings, expected == EMPTY);
    if (expected == EMPTY)
        check_sentence(journal.last, options, excess);
    plugin_stage()->free_result(instance, &result);
    plugin_stage()->destroy(instance);
}

START_TEST(a_map_over_the_limit_gets_what_options_say)
{
    size_t small = (size_t)_i;
    struct small_map made =
        make_small_map(small_maps[small].units, small_maps[small].line_count);
    struct nbstage_map map = view_small_map(&made);
    for (size_t i = 0; i < COUNT(outcomes); i++)
        check_outcome(&map, small, i);
    free(made.lines);
}
END_TEST

// ---------------------------------------------------------------------------
// The stage's own reader

// What the reader finds has to be what the bytes say.
static void check_reader_on_block(struct context *context,
                                  const struct lump *read, size_t block,
                                  const uint32_t *lines, size_t count)
{
    struct lump_list list;
    ck_assert_msg(lump_find_list(context, read, block, &list) == NBSTAGE_OK,
                  "%s", context->message);
    ck_assert_uint_eq(list.length, count + 1);
    ck_assert_uint_eq(lump_word(read, list.first_word), 0);
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(lump_word(read, list.first_word + 1 + i), lines[i]);
}

static void check_open(struct context *context, const struct plugin_lump *lump,
                       enum lump_form form, const struct oracle_grid *grid,
                       struct lump *read)
{
    ck_assert_msg(lump_open(context, lump->bytes, lump->size, read) ==
                      NBSTAGE_OK,
                  "%s", context->message);
    ck_assert_int_eq(read->form, form);
    ck_assert_int_eq(read->grid.origin_x, grid->origin_x);
    ck_assert_int_eq(read->grid.origin_y, grid->origin_y);
    ck_assert_uint_eq(read->grid.columns, grid->columns);
    ck_assert_uint_eq(read->grid.rows, grid->rows);
}

// Holds the reader against the facts of the oracle's reader.
static void check_reader_on_classic(const struct plugin_lump *lump)
{
    struct oracle_report report = {.file = stderr, .map = "classic"};
    struct oracle_entry_list facts =
        oracle_read_lump(lump->bytes, lump->size, &report);
    struct counted_memory memory = {0};
    struct context context = counted_memory_context(&memory);
    struct oracle_grid grid;
    struct lump read;
    ck_assert_uint_eq(report.fault_count, 0);
    ck_assert(oracle_read_grid(lump->bytes, lump->size, &grid));
    check_open(&context, lump, LUMP_CLASSIC, &grid, &read);
    size_t next = 0;
    for (size_t block = 0; block < count_blocks(&grid); block++) {
        uint32_t lines[64];
        size_t count = 0;
        while (next < facts.count && facts.entry[next].block == block) {
            ck_assert_uint_lt(count, COUNT(lines));
            lines[count++] = facts.entry[next++].line;
        }
        check_reader_on_block(&context, &read, block, lines, count);
    }
    oracle_free_entries(&facts);
}

static void check_reader_on_xbm1(const struct plugin_lump *lump,
                                 const struct oracle_grid *grid)
{
    struct counted_memory memory = {0};
    struct context context = counted_memory_context(&memory);
    struct lump read;
    check_header(lump, grid);
    check_open(&context, lump, LUMP_XBM1, grid, &read);
    for (size_t block = 0; block < count_blocks(grid); block++) {
        struct blocklist list = find_blocklist(lump, grid, block);
        uint32_t lines[64];
        ck_assert_uint_lt(list.count, COUNT(lines));
        for (size_t i = 0; i < list.count; i++)
            lines[i] = word_at(lump->bytes, list.first + i);
        check_reader_on_block(&context, &read, block, lines, list.count);
    }
}

static const struct random_shape reader_shape = {"reader", 20, 20, 40};

START_TEST(the_reader_finds_what_was_built)
{
    enum { MAPS = 200 };
    struct random_stream stream = {seed + 2};
    for (int i = 0; i < MAPS; i++) {
        struct random_map random = random_map_make(&reader_shape, &stream);
        struct nbstage_map map = plugin_map_from_arrays(
            "RANDOM", random.vertices, random.vertex_count, random.lines,
            random.line_count);
        struct plugin_lump classic = plugin_build(&map, "format=doom");
        struct plugin_lump xbm1 = plugin_build(&map, "format=xbm1");
        struct oracle_grid grid;
        ck_assert(oracle_read_grid(classic.bytes, classic.size, &grid));
        check_reader_on_classic(&classic);
        check_reader_on_xbm1(&xbm1, &grid);
        plugin_free(&classic);
        plugin_free(&xbm1);
        random_map_free(&random);
    }
}
END_TEST

// Whether the reader reads the header and every list.
static bool can_read(const unsigned char *bytes, size_t size)
{
    struct counted_memory memory = {0};
    struct context context = counted_memory_context(&memory);
    struct lump lump;
    if (lump_open(&context, bytes, size, &lump) != NBSTAGE_OK)
        return false;
    struct lump_list list;
    for (size_t block = 0; block < grid_block_count(&lump.grid); block++)
        if (lump_find_list(&context, &lump, block, &list) != NBSTAGE_OK)
            return false;
    return true;
}

// Classic, then XBM1.
START_TEST(the_reader_refuses_a_wrong_size)
{
    struct small_map small = make_small_map(300, 5);
    struct nbstage_map map = view_small_map(&small);
    struct plugin_lump lump =
        plugin_build(&map, _i == 0 ? "format=doom" : "format=xbm1");
    ck_assert(can_read(lump.bytes, lump.size));
    for (size_t size = 0; size < lump.size; size++) {
        unsigned char *copy = buffer_copy_exactly(lump.bytes, size);
        ck_assert_msg(!can_read(copy, size), "%zu of %zu bytes are read", size,
                      lump.size);
        free(copy);
    }
    struct buffer longer = {0};
    buffer_put(&longer, lump.bytes, lump.size);
    buffer_put_u8(&longer, 0);
    ck_assert(!can_read(longer.bytes, longer.size));
    buffer_free(&longer);
    plugin_free(&lump);
    free(small.lines);
}
END_TEST

START_TEST(the_reader_refuses_wrong_numbers)
{
    static const struct {
        size_t word;
        uint32_t value;
    } wrong[] = {
        {0, 1},          {1, 0x8000},     {2, 0},          {3, 0},
        {2, UINT32_MAX}, {3, UINT32_MAX}, {2, 0x10000},    {4, 0},
        {4, 3},          {5, UINT32_MAX}, {6, 0x7FFFFFFF},
    };
    struct small_map small = make_small_map(300, 5);
    struct nbstage_map map = view_small_map(&small);
    struct plugin_lump lump = plugin_build(&map, "format=xbm1");
    for (size_t i = 0; i < COUNT(wrong); i++) {
        unsigned char *copy = buffer_copy_exactly(lump.bytes, lump.size);
        for (int byte = 0; byte < 4; byte++)
            copy[PREFIX_SIZE + 4 * wrong[i].word + (size_t)byte] =
                (unsigned char)(wrong[i].value >> 8 * byte & 0xFF);
        ck_assert_msg(!can_read(copy, lump.size), "word %zu may be %" PRIu32,
                      wrong[i].word, wrong[i].value);
        free(copy);
    }
    plugin_free(&lump);
    free(small.lines);
}
END_TEST

// A host that has an XBM1 lump may keep its grid.
START_TEST(the_grid_of_an_xbm1_lump_is_kept)
{
    struct small_map small = make_small_map(1000, 9);
    struct nbstage_map map = view_small_map(&small);
    struct plugin_lump first = plugin_build(&map, "grid=-5,-7 format=xbm1");
    struct nbstage_lump present = {.size = sizeof present,
                                   .name = "BLOCKMAP",
                                   .data = first.bytes,
                                   .data_size = first.size};
    map.lumps = &present;
    map.lump_count = 1;
    check_same_bytes(&first, &map, "grid=keep format=xbm1");
    struct plugin_lump classic = plugin_build(&map, "grid=keep");
    struct oracle_grid grid;
    ck_assert(oracle_read_grid(classic.bytes, classic.size, &grid));
    ck_assert_int_eq(grid.origin_x, -5);
    ck_assert_int_eq(grid.origin_y, -7);
    plugin_free(&classic);
    plugin_free(&first);
    free(small.lines);
}
END_TEST

// ---------------------------------------------------------------------------

static Suite *make_suite(void)
{
    Suite *suite = suite_create("large map");
    TCase *large = tcase_create("a million lines");
    tcase_set_timeout(large, 600);
    tcase_add_test(large, a_million_lines_come_out_exact);
    tcase_add_test(large, large_text_is_read);
    suite_add_tcase(suite, large);
    TCase *limits = tcase_create("limits");
    tcase_set_timeout(limits, 600);
    tcase_add_loop_test(limits, a_map_over_the_limit_gets_what_options_say, 0,
                        COUNT(small_maps));
    suite_add_tcase(suite, limits);
    TCase *reader = tcase_create("reader");
    tcase_set_timeout(reader, 600);
    tcase_add_test(reader, the_reader_finds_what_was_built);
    tcase_add_loop_test(reader, the_reader_refuses_a_wrong_size, 0, 2);
    tcase_add_test(reader, the_reader_refuses_wrong_numbers);
    tcase_add_test(reader, the_grid_of_an_xbm1_lump_is_kept);
    suite_add_tcase(suite, reader);
    return suite;
}

int main(void)
{
    seed = choose_seed();
    return run_suite(make_suite());
}
