// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the parts of a picture share: where they are, and what there is room
// for.

#ifndef DRAWING_H
#define DRAWING_H

#include "picture-legend.h"

enum {
    DRAWING_UNIT = 1 << 16, // a map unit in 16.16
    DRAWING_BLOCK = 128,    // map units
};

enum block_tooltips {
    NO_BLOCKS,
    LISTING_BLOCKS, // those with linedefs, or that cannot be read
    ALL_BLOCKS,
};

// What a picture can have in it, the most first.
struct content {
    bool line_elements;
    bool line_tooltips;
    enum block_tooltips block_tooltips;
    const char *note; // what the legend says of it
};

// A picture, where its parts are, and what it has room for.
struct drawing {
    const struct picture *picture;
    struct markup *markup;
    struct legend legend;

    // What the picture encloses, in map units.
    double west;
    double south;
    double east;
    double north;

    // Pixels.
    double scale; // of a map unit
    double left;  // of the map
    double bottom;
    double legend_x;
    double legend_y;
    double legend_width;
    double width;
    double height;

    struct content content;
};

struct segment {
    struct nbstage_line line;
    struct nbstage_vertex start;
    struct nbstage_vertex end;
    enum line_kind kind;
    bool is_two_sided;
    const char *tag_name; // "tag", in UDMF "id"; NULL if the line has none
};

struct segment drawing_get_segment(const struct nbstage_decoded *decoded,
                                   size_t index);

// Map units.
double drawing_in_units(int32_t coordinate);

// How wide lines are on blocks of this size: thinner on small ones, bolder on
// large ones.
double drawing_line_factor(const struct drawing *drawing);

// Finds what a new drawing of a picture encloses, its scale, and what its
// legend counts.
void drawing_measure(struct drawing *drawing);

// Writes the patterns that the map and the legend are painted with.
void drawing_write_patterns(const struct drawing *drawing);

// Writes the blocks and the lines, in pixels from the left and the bottom.
void drawing_write_map(const struct drawing *drawing);

// Writes all lines, in map units.
void drawing_write_lines(const struct drawing *drawing);

// Writes the blocks, their marks and tooltips, in map units.
void drawing_write_blocks(const struct drawing *drawing);

#endif
