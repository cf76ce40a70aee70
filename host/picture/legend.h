// SPDX-License-Identifier: GPL-2.0-or-later
//
// The legend of a picture, and the styles that it explains.

#ifndef LEGEND_H
#define LEGEND_H

#include "picture/markup.h"
#include "picture/picture.h"

enum line_kind {
    LINE_ONE_SIDED,
    LINE_TWO_SIDED,
    LINE_SPECIAL,
    LINE_LEFT_OUT, // not in the blockmap
    LINE_KIND_COUNT,
};

// Kinds differ in colour, and without colour in width and dashes.
struct line_style {
    const char *id;
    const char *label;
    const char *color;
    double width; // pixels
    double dash;  // pixels; 0 for solid lines
    double gap;
};

extern const struct line_style line_styles[LINE_KIND_COUNT];

#define GROUP_COLOR "#5b1a76"

enum { LEGEND_NOTE_ROWS = 2 };

struct legend {
    const struct picture *picture;
    size_t line_count[LINE_KIND_COUNT];
    size_t unreadable_blocks;
    size_t marked_blocks;
    const char *const *note; // the last rows; or NULL
};

struct legend_size {
    double width; // pixels
    double height;
};

// How large the legend is if it may be so wide, and at least a column.
struct legend_size legend_measure(const struct legend *legend,
                                  double most_width);

// Writes it, with the patterns "cross-legend" of blocks that cannot be read and
// "hatch-legend" of marked ones, with its upper left corner at x,y.
void legend_write(const struct legend *legend, double x, double y,
                  double most_width, struct markup *markup);

#endif
