// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines of any kind on any grid in any packing, held against brute force.  An
// input is
//
//     a byte each: pack, header, grid, overflow, limit, form of the lump, kind
//     of coordinates; for each line x1, y1, x2, y2, of 2 bytes, or of 4 with
//     fractions

#include "module.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// ---------------------------------------------------------------------------
// Lumps

// What the first bytes of an input choose from.  The search has a target of its
// own, as it takes as long as a hundred other builds.
static const char *const packs[] = {"none", "share", "nest", "cover"};
static const char *const headers[] = {"zero", "any", "none"};
static const char *const grids[] = {"fit", "id", "-1030,-1027"};
static const char *const overflows[] = {"xbm1", "merge,xbm1", "merge,empty"};
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
    const char *overflow = CHOOSE(input, overflows);
    const char *limit = CHOOSE(input, limits);
    const char *format = CHOOSE(input, formats);
    snprintf(options, size,
             "prune=none pack=%s header=%s grid=%s overflow=%s limit=%s "
             "format=%s",
             pack, header, grid, overflow, limit, format);
    bool is_widened =
        strcmp(pack, "cover") == 0 || strcmp(overflow, "xbm1") != 0;
    return (struct expected_form){
        .header = expected_header(header),
        .has_extra_lines = is_widened,
    };
}

// Builds from pairs of vertices alone, without gaps.
static void build(const struct taken_lines *lines, const char *options,
                  const struct expected_form *form)
{
    struct module module;
    uint32_t *pairs = calloc(2 * lines->count + 1, sizeof *pairs);
    REQUIRE(pairs, "there is memory for the lines");
    for (uint32_t i = 0; i < 2 * lines->count; i++)
        pairs[i] = i;
    struct nbstage_map map = nbstage_new_map("MAP01", NBSTAGE_FORMAT_DOOM);
    map.vertices = lines->vertices;
    map.vertex_count = 2 * lines->count;
    map.vertex_stride = sizeof *lines->vertices;
    map.lines = pairs;
    map.line_count = lines->count;
    map.line_stride = map.line_size = 2 * sizeof *pairs;
    module_open(&module, options);
    const struct nbstage_lump *lump = module_build(&module, &map);
    if (lump)
        expected_check(lump, lines->true_lines, lines->count, form);
    module_close(&module);
    free(pairs);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    char options[256];
    struct expected_form form = take_options(&input, options, sizeof options);
    static struct taken_lines lines;
    unsigned kind = input_u8(&input);
    take_lines(&input, MOST_TAKEN_LINES, take_coordinate, kind, &lines);
    build(&lines, options, &form);
    return 0;
}
