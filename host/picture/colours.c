// SPDX-License-Identifier: GPL-2.0-or-later
//
// The colours go in even steps of lightness, in the OKLab space: on white from
// 0.965 down to 0.5, with the hue from 108 to 262 degrees and the chroma from
// 0.075 to 0.12; on black from 0.28 up to 0.68, with the hue from 285 to 130
// and the chroma from 0.09 to 0.14, as far as screens show it.  Lightness alone
// tells them apart, for colour-blind readers and on paper: the contrast between
// neighbours is at least 1.17.  Lines are visible on all of them.  Greys lie
// closer together: on them other colours are to be seen.

#include "config.h"

#include "picture/colours.h"

#include "inspect/statistics.h"
#include "picture/drawing.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    RAMP_COUNT = COLOUR_COUNT - 1,
    LEAST_STEPS = 6, // of a ramp, so that small maps have the same colours
    FINE_LONGEST = 24,
};

static const size_t fine[COLOUR_COUNT + 1] = {
    0, 1, 2, 3, 4, 5, 7, 9, 13, 17, FINE_LONGEST + 1};
static const size_t coarse[COLOUR_COUNT + 1] = {0,  1,  2,  3,   5,       9,
                                                17, 33, 65, 129, SIZE_MAX};

static const uint32_t empty_colors[] = {0xffffff, 0x0b0b0e};

// On white, on black, and the same in grey.
static const uint32_t ramps[][RAMP_COUNT] = {
    {0xf8f8be, 0xd2ebb1, 0xa9ddac, 0x7fcead, 0x55bcb0, 0x30a9b4, 0x1d93b5,
     0x297ab1, 0x3c61a7},
    {0x261f52, 0x1d3166, 0x034572, 0x005873, 0x066a75, 0x047c76, 0x05906e,
     0x449f5b, 0x7ba944},
    {0xf5f5f2, 0xeeeeeb, 0xe7e7e4, 0xe0e0dd, 0xdadad7, 0xd3d3d0, 0xccccc9,
     0xc5c5c2, 0xbebebb},
    {0x1c1c20, 0x242428, 0x2c2c31, 0x34343a, 0x3d3d43, 0x46464c, 0x4f4f56,
     0x585860, 0x62626a},
};

struct colours colours_for(size_t longest)
{
    struct colours colours = {longest <= FINE_LONGEST ? fine : coarse,
                              COLOUR_COUNT - 1};
    colours.last = colour_of(colours, longest);
    return colours;
}

size_t colour_of(struct colours colours, size_t length)
{
    size_t colour = colours.last;
    while (colours.first[colour] > length)
        colour--;
    return colour;
}

void colour_name(struct colours colours, size_t colour,
                 char name[COLOUR_NAME_SIZE])
{
    size_t first = colours.first[colour];
    size_t next = colours.first[colour + 1];
    if (next == SIZE_MAX)
        snprintf(name, COLOUR_NAME_SIZE, "%zu+", first);
    else if (next == first + 1)
        snprintf(name, COLOUR_NAME_SIZE, "%zu", first);
    else
        snprintf(name, COLOUR_NAME_SIZE, "%zu-%zu", first, next - 1);
}

// One channel of the colour that is `part` of `whole` of the way between two
// others.
static uint32_t colour_blend(uint32_t from, uint32_t to, unsigned shift,
                             size_t part, size_t whole)
{
    uint32_t begin = from >> shift & 255;
    uint32_t end = to >> shift & 255;
    size_t sum = begin * (whole - part) + end * part;
    return (uint32_t)((sum + whole / 2) / whole) << shift;
}

// The colour of a class, or a grey.
static uint32_t colour_find(struct colours colours, size_t colour, bool is_grey,
                            bool is_dark)
{
    const uint32_t *ramp = ramps[2 * is_grey + is_dark];
    size_t steps = colours.last > LEAST_STEPS ? colours.last - 1 : LEAST_STEPS;
    uint32_t found = 0;
    if (colour == 0)
        return empty_colors[is_dark];
    size_t place = (colour - 1) * (RAMP_COUNT - 1); // in parts of `steps`
    size_t before = place / steps;
    size_t after = before + 1 < RAMP_COUNT ? before + 1 : before;
    for (unsigned shift = 0; shift <= 16; shift += 8)
        found |= colour_blend(ramp[before], ramp[after], shift, place % steps,
                              steps);
    return found;
}

// All else that has a colour, on light and dark screens.  Viewers of SVG do not
// know variables.  A drawing is of the class "tinted", or "grey" if it points
// something out.
static const struct {
    const char *what;
    const char *property;
    const char *colours[2];
} styles[] = {
    {"#picture, #key", "fill", {"#222", "#e4e4e0"}},
    {"#background", "fill", {"#f6f6f3", "#16161a"}},
    // Beside a picture that does not fill its window.
    {"#picture:root", "background", {"#f6f6f3", "#16161a"}},
    {"#edges", "fill", {"#666", "#a0a09c"}},
    {"#grid, .grid", "stroke-opacity: .16; stroke", {"#000", "#fff"}},
    {"#one-sided, .one-sided", "stroke", {"#111", "#fff"}},
    {"#two-sided, .two-sided", "stroke", {"#3a3a3a", "#d4d4d0"}},
    {"#left-out, .left-out", "stroke", {"#333", "#c8c8c4"}},
    {".grey #special, .grey .special", "stroke", {"#111", "#fff"}},
    {".tinted #special, .tinted .special", "stroke", {"#b0124f", "#ff86b4"}},
    {".shared", "color", {"#5b1a76", "#e2b4ff"}},
    {".missing", "color", {"#d3000f", "#ff5a5f"}},
    {".harmless", "color", {"#5c5c5c", "#b8b8b8"}},
    {".extra", "color", {"#a86000", "#ffb52e"}},
    {".only-old", "color", {"#b04a00", "#ff9d4d"}},
    {".only-new", "color", {"#0058c4", "#6caeff"}},
    {".unreadable", "color", {"#a00", "#ff8c8c"}},
    {"#old-grid, .old-grid",
     "stroke-opacity: .6; stroke",
     {"#b04a00", "#ff9d4d"}},
};

static void colours_write_scheme(const struct drawing *drawing, bool is_dark)
{
    const struct picture *picture = drawing->picture;
    struct colours colours = colours_for(picture->statistics->longest);
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
        drawing_print(drawing, "%s { %s: %s; }\n", styles[i].what,
                      styles[i].property, styles[i].colours[is_dark]);
    for (size_t colour = 0; colour <= colours.last; colour++)
        drawing_print(drawing, "#colour-%zu, .colour-%zu { fill: #%06lx; }\n",
                      colour, colour,
                      (unsigned long)colour_find(colours, colour,
                                                 picture->findings, is_dark));
}

void colours_write_style(const struct drawing *drawing)
{
    colours_write_scheme(drawing, false);
    drawing_print(drawing, "@media (prefers-color-scheme: dark) {\n");
    colours_write_scheme(drawing, true);
    drawing_print(drawing, "}\n");
}
