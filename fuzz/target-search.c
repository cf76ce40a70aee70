// SPDX-License-Identifier: GPL-2.0-or-later
//
// The search for a grid, on a few lines that are close, so that it is quick.
// An input is
//
//     a byte each: pack, header, whether coordinates are whole; 2 bytes: an
//     offset to the west and one to the south; for each line x1, y1, x2, y2, of
//     4 bytes
//
// Lists and brute force have to agree.  Where the search measures exactly, the
// grid at those offsets may make no smaller lump than the one that is found,
// nor one as small if it comes first.

#include "module.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINES = 16,
    UNIT = 1 << 16,     // in 16.16
    CLOSE = 200 * UNIT, // the highest coordinate
    ORIGINS = 128,      // that are tried on each axis
    OPTIONS_SIZE = 160,
};

struct close_lines {
    struct nbstage_vertex vertices[2 * MOST_LINES];
    struct nbstage_line lines[MOST_LINES];
    struct oracle_line true_lines[MOST_LINES];
    size_t count;
    int32_t min_x, min_y; // map units
};

// A lump, and by how much its origin is below the lowest coordinates.
struct made {
    size_t bytes;
    int32_t west, south;
};

static int32_t take_coordinate(struct input *input, bool is_whole)
{
    int32_t coordinate = (int32_t)input_u32(input) % CLOSE;
    return is_whole ? coordinate / UNIT * UNIT : coordinate;
}

static int32_t lower(int32_t unit, int32_t coordinate)
{
    int32_t whole = coordinate / UNIT - (coordinate % UNIT < 0);
    return whole < unit ? whole : unit;
}

static struct nbstage_vertex *take_vertex(struct input *input, bool is_whole,
                                          struct close_lines *lines,
                                          size_t index)
{
    struct nbstage_vertex *vertex = &lines->vertices[index];
    vertex->x = take_coordinate(input, is_whole);
    vertex->y = take_coordinate(input, is_whole);
    lines->min_x = lower(lines->min_x, vertex->x);
    lines->min_y = lower(lines->min_y, vertex->y);
    return vertex;
}

static struct close_lines take_lines(struct input *input, bool is_whole)
{
    struct close_lines lines = {.min_x = INT32_MAX, .min_y = INT32_MAX};
    while (input->size > 0 && lines.count < MOST_LINES) {
        uint32_t v1 = 2 * (uint32_t)lines.count;
        const struct nbstage_vertex *start =
            take_vertex(input, is_whole, &lines, v1);
        const struct nbstage_vertex *end =
            take_vertex(input, is_whole, &lines, v1 + 1);
        lines.lines[lines.count] =
            (struct nbstage_line){.v1 = v1, .v2 = v1 + 1};
        lines.true_lines[lines.count] =
            (struct oracle_line){start->x, start->y, end->x, end->y};
        lines.count++;
    }
    return lines;
}

static struct made build(const struct close_lines *lines, const char *options,
                         const struct expected_form *form)
{
    struct module module;
    struct made made = {0};
    const struct nbstage_map map = nbstage_map_from_arrays(
        "MAP01", lines->vertices, 2 * lines->count, sizeof *lines->vertices,
        lines->lines, lines->count);
    module_open(&module, options);
    const struct nbstage_lump *lump = module_build(&module, &map);
    REQUIRE(lump && lump->data_size > 0, "a few lines can be built");
    struct blocklists lists = blocklists_read(lump->data, lump->data_size);
    made.bytes = lump->data_size;
    made.west = lines->min_x - lists.grid.origin_x;
    made.south = lines->min_y - lists.grid.origin_y;
    expected_check(lump, lines->true_lines, lines->count, form);
    blocklists_free(&lists);
    module_close(&module);
    return made;
}

static bool is_better(const struct made *a, const struct made *b)
{
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes;
    return a->south != b->south ? a->south < b->south : a->west < b->west;
}

static void require_best(const struct made *best, const struct made *other)
{
    REQUIRE(best->west >= 0 && best->west < ORIGINS && best->south >= 0 &&
                best->south < ORIGINS,
            "the search takes one of the origins that it tries");
    REQUIRE(!is_better(other, best), "no grid is better than the one found");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const packs[] = {"share", "none", "share", "none",
                                        "share", "none", "nest",  "cover"};
    static const char *const headers[] = {"zero", "any", "none"};
    struct input input = {bytes, size};
    const char *pack = packs[input_u8(&input) % 8];
    const char *header = headers[input_u8(&input) % 3];
    bool is_whole = input_u8(&input) % 2;
    int32_t west = input_u8(&input) % ORIGINS;
    int32_t south = input_u8(&input) % ORIGINS;
    struct close_lines lines = take_lines(&input, is_whole);
    const struct expected_form form = {
        .header = expected_header(header),
        .has_extra_lines = strcmp(pack, "cover") == 0,
    };
    char common[OPTIONS_SIZE / 2];
    char options[OPTIONS_SIZE];
    if (lines.count == 0)
        return 0;
    snprintf(common, sizeof common, "prune=none pack=%s header=%s", pack,
             header);
    snprintf(options, sizeof options, "%s grid=search", common);
    struct made best = build(&lines, options, &form);
    snprintf(options, sizeof options, "%s grid=%d,%d", common,
             (int)(lines.min_x - west), (int)(lines.min_y - south));
    struct made other = build(&lines, options, &form);
    if (strcmp(header, "zero") == 0 &&
        (strcmp(pack, "share") == 0 || strcmp(pack, "none") == 0))
        require_best(&best, &other);
    return 0;
}
