// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines of any kind on any grid in any packing, held against brute force.  An
// input is
//
//     a byte each: pack, header, grid, fit, limit, form of the lump, kind of
//     coordinates; for each line x1, y1, x2, y2, of 2 bytes, or of 4 with
//     fractions
//
// The same lines are then given to the fast way of finding touches and to the
// plain one, as whole numbers and as such with fractions: all have to agree.

#include "counted-memory.h"
#include "lines/entries.h"
#include "module.h"
#include "plain-entries.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Lines, and their vertices, of which each line has two of its own.
struct geometry {
    struct nbstage_vertex *vertices;
    struct nbstage_line *lines;
    struct oracle_line *true_lines;
    size_t line_count;
};

enum { MOST_LINES = 300, LINE_SIZE = 2 * sizeof(uint32_t) };

// Kinds of coordinates.  Lines that are not far from each other are quickly
// tried against every block.
enum {
    HAS_FRACTIONS = 1 << 0,
    IS_FAR = 1 << 1,
    NEAR = 1024 * 65536,
};

static int32_t take_coordinate(struct input *input, unsigned kind)
{
    int32_t coordinate = kind & HAS_FRACTIONS
                             ? (int32_t)input_u32(input)
                             : (int16_t)input_u16(input) * 65536;
    return kind & IS_FAR ? coordinate : coordinate % NEAR;
}

static struct nbstage_vertex take_vertex(struct input *input, unsigned kind)
{
    struct nbstage_vertex vertex;
    vertex.x = take_coordinate(input, kind);
    vertex.y = take_coordinate(input, kind);
    return vertex;
}

static void take_line(struct input *input, unsigned kind,
                      struct geometry *geometry)
{
    uint32_t line = (uint32_t)geometry->line_count++;
    struct nbstage_vertex v1 = take_vertex(input, kind);
    struct nbstage_vertex v2 = take_vertex(input, kind);
    geometry->vertices[2 * line] = v1;
    geometry->vertices[2 * line + 1] = v2;
    geometry->lines[line] =
        (struct nbstage_line){.v1 = 2 * line, .v2 = 2 * line + 1};
    geometry->true_lines[line] = (struct oracle_line){v1.x, v1.y, v2.x, v2.y};
}

static struct geometry take_geometry(struct input *input, unsigned kind)
{
    struct geometry geometry = {
        calloc(2 * MOST_LINES, sizeof *geometry.vertices),
        calloc(MOST_LINES, sizeof *geometry.lines),
        calloc(MOST_LINES, sizeof *geometry.true_lines),
        0,
    };
    REQUIRE(geometry.vertices && geometry.lines && geometry.true_lines,
            "there is memory for the lines");
    while (input->size > 0 && geometry.line_count < MOST_LINES)
        take_line(input, kind, &geometry);
    return geometry;
}

static void free_geometry(struct geometry *geometry)
{
    free(geometry->vertices);
    free(geometry->lines);
    free(geometry->true_lines);
}

// ---------------------------------------------------------------------------
// Lumps

// What the first bytes of an input choose from.  The search has a target of its
// own, as it takes as long as a hundred other builds.
static const char *const packs[] = {"none", "share", "nest", "cover"};
static const char *const headers[] = {"zero", "any", "none"};
static const char *const grids[] = {"fit", "id", "-1030,-1027"};
static const char *const fits[] = {"none", "vanilla", "extended"};
static const char *const limits[] = {"extended", "vanilla"};
static const char *const formats[] = {"auto", "xbm1"};

#define CHOOSE(input, choices) \
    (choices[input_u8(input) % (sizeof(choices) / sizeof *(choices))])

// Takes the options of an input, as text and as what they mean to a reader.
static struct expected_form take_options(struct input *input, char *options,
                                         size_t size)
{
    const char *pack = CHOOSE(input, packs);
    const char *header = CHOOSE(input, headers);
    const char *grid = CHOOSE(input, grids);
    const char *fit = CHOOSE(input, fits);
    const char *limit = CHOOSE(input, limits);
    const char *format = CHOOSE(input, formats);
    snprintf(options, size,
             "prune=none overflow=xbm1 pack=%s header=%s grid=%s fit=%s "
             "limit=%s format=%s",
             pack, header, grid, fit, limit, format);
    bool is_widened = strcmp(pack, "cover") == 0 || strcmp(fit, "none") != 0;
    return (struct expected_form){
        .header = expected_header(header),
        .has_extra_lines = is_widened,
    };
}

// A map of the lines, which are `line_size` bytes apart.
static struct nbstage_map make_map(const struct geometry *geometry,
                                   const void *lines, size_t line_size)
{
    struct nbstage_map map = nbstage_map_from_arrays(
        "MAP01", geometry->vertices, 2 * geometry->line_count,
        sizeof *geometry->vertices, lines, geometry->line_count);
    map.line_size = line_size;
    return map;
}

// Builds from pairs of vertices alone, without gaps.
static void build(const struct geometry *geometry, const char *options,
                  const struct expected_form *form)
{
    struct module module;
    uint32_t *pairs = calloc(geometry->line_count + 1, LINE_SIZE);
    REQUIRE(pairs, "there is memory for the lines");
    for (uint32_t i = 0; i < 2 * geometry->line_count; i++)
        pairs[i] = i;
    struct nbstage_map map = make_map(geometry, pairs, LINE_SIZE);
    module_open(&module, options);
    const struct nbstage_lump *lump = module_build(&module, &map);
    if (lump)
        expected_check(lump, geometry->true_lines, geometry->line_count, form);
    module_close(&module);
    free(pairs);
}

// ---------------------------------------------------------------------------
// Touches

typedef nbstage_status find_function(struct context *context,
                                     const struct lines *lines,
                                     const struct grid *grid,
                                     struct entries *entries);

static int compare_entries(const void *left, const void *right)
{
    const uint32_t *a = left;
    const uint32_t *b = right;
    return (*a > *b) - (*a < *b);
}

// Finds touches and brings those of each group in order.
static struct entries find(struct context *context, const struct lines *lines,
                           const struct grid *grid, find_function *function)
{
    struct entries entries;
    nbstage_status status = function(context, lines, grid, &entries);
    REQUIRE(status == NBSTAGE_OK, "touches can be found");
    size_t begin = 0;
    for (size_t g = 0; g < entries.group_count; g++) {
        size_t end = entries.group_end[g];
        REQUIRE(begin <= end && end <= entries.count,
                "groups lie behind each other");
        if (end > begin)
            qsort(entries.entry + begin, end - begin, sizeof *entries.entry,
                  compare_entries);
        begin = end;
    }
    return entries;
}

static void require_same(struct context *context, const struct lines *lines,
                         const struct grid *grid, find_function *function,
                         const struct entries *expected)
{
    struct entries entries = find(context, lines, grid, function);
    REQUIRE(entries.count == expected->count &&
                (entries.count == 0 ||
                 memcmp(entries.entry, expected->entry,
                        entries.count * sizeof *entries.entry) == 0),
            "all ways find the same touches");
    entries_free(context, &entries);
}

// The same lines with fractions, which are 0; for lines_free.
static struct lines widen(struct context *context, const struct lines *lines)
{
    struct lines wide = *lines;
    wide.is_whole = false;
    wide.number = NULL;
    wide.whole = (struct whole_lines){NULL, NULL};
    nbstage_status status = context_allocate(context, lines->count,
                                             sizeof *wide.fixed, &wide.fixed);
    REQUIRE(status == NBSTAGE_OK, "there is memory for the lines");
    for (size_t i = 0; i < lines->count; i++) {
        struct whole_line line = whole_line_at(&lines->whole, i);
        wide.fixed[i] = (struct fixed_line){line.x1 * 65536, line.y1 * 65536,
                                            line.x2 * 65536, line.y2 * 65536};
    }
    return wide;
}

static void hold_ways(struct context *context, const struct lines *lines)
{
    struct grid grid = grid_from(lines->min_x, lines->min_y, lines);
    struct entries plain = find(context, lines, &grid, plain_entries_find);
    require_same(context, lines, &grid, entries_find, &plain);
    if (lines->is_whole) {
        struct lines wide = widen(context, lines);
        require_same(context, &wide, &grid, entries_find, &plain);
        require_same(context, &wide, &grid, plain_entries_find, &plain);
        lines_free(context, &wide);
    }
    entries_free(context, &plain);
}

static void find_entries(const struct geometry *geometry)
{
    struct counted_memory memory = {0};
    struct context context = counted_memory_context(&memory);
    const struct nbstage_map given =
        make_map(geometry, geometry->lines, sizeof *geometry->lines);
    struct nodes nodes = {0};
    struct map map;
    struct lines lines;
    if (map_read(&context, &given, 0, &map) == NBSTAGE_OK) {
        if (lines_gather(&context, &map, &nodes, &lines) == NBSTAGE_OK) {
            hold_ways(&context, &lines);
            lines_free(&context, &lines);
        }
        map_free(&context, &map);
    }
    REQUIRE(memory.in_use == 0, "all memory is released");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    char options[256];
    struct expected_form form = take_options(&input, options, sizeof options);
    struct geometry geometry = take_geometry(&input, input_u8(&input));
    build(&geometry, options, &form);
    find_entries(&geometry);
    free_geometry(&geometry);
    return 0;
}
