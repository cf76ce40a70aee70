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
    struct taken_lines taken;
    int32_t min_x, min_y; // map units
};

// A lump, and by how much its origin is below the lowest coordinates.
struct made {
    size_t bytes;
    int32_t west, south;
};

static int32_t take_coordinate(struct input *input, unsigned is_whole)
{
    int32_t coordinate = (int32_t)input_u32(input) % CLOSE;
    return is_whole ? coordinate / UNIT * UNIT : coordinate;
}

static int32_t lower(int32_t unit, int32_t coordinate)
{
    int32_t whole = coordinate / UNIT - (coordinate % UNIT < 0);
    return whole < unit ? whole : unit;
}

static struct made build(const struct close_lines *lines, const char *options,
                         const struct expected_form *form)
{
    const struct taken_lines *taken = &lines->taken;
    struct module module;
    struct made made = {0};
    struct nbstage_map map = nbstage_new_map("MAP01", NBSTAGE_FORMAT_DOOM);
    map.vertices = taken->vertices;
    map.vertex_count = 2 * taken->count;
    map.vertex_stride = sizeof *taken->vertices;
    map.lines = taken->lines;
    map.line_count = taken->count;
    map.line_stride = map.line_size = sizeof *taken->lines;
    module_open(&module, options);
    const struct nbstage_lump *lump = module_build(&module, &map);
    REQUIRE(lump && lump->data_size > 0, "a few lines can be built");
    struct blocklists lists = blocklists_read(lump->data, lump->data_size);
    made.bytes = lump->data_size;
    made.west = lines->min_x - lists.grid.origin_x;
    made.south = lines->min_y - lists.grid.origin_y;
    expected_check(lump, taken->true_lines, taken->count, form);
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
    static struct close_lines lines;
    lines.min_x = lines.min_y = INT32_MAX;
    take_lines(&input, MOST_LINES, take_coordinate, is_whole, &lines.taken);
    for (size_t i = 0; i < 2 * lines.taken.count; i++) {
        lines.min_x = lower(lines.min_x, lines.taken.vertices[i].x);
        lines.min_y = lower(lines.min_y, lines.taken.vertices[i].y);
    }
    const struct expected_form form = {
        .header = expected_header(header),
        .has_extra_lines = strcmp(pack, "cover") == 0,
    };
    char common[OPTIONS_SIZE / 2];
    char options[OPTIONS_SIZE];
    if (lines.taken.count == 0)
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
