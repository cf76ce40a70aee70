// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the parts of a picture share: where they are, and what there is room
// for.

#ifndef DRAWING_H
#define DRAWING_H

#include "picture/legend.h"

// Pixels that the number of a column is wide at most, and that of a row high.
enum { DRAWING_COLUMN_NUMBER = 44, DRAWING_ROW_NUMBER = 22 };

// Lines are as wide as their style says where blocks have so many pixels, and
// from `least` to `most` times that where they are smaller or larger.
struct drawing_widths {
    double block;
    double least;
    double most;
};

extern const struct drawing_widths drawing_widths;

// How many columns or rows are from one number to the next.
enum { DRAWING_STEP_COUNT = 18 };
extern const unsigned drawing_steps[DRAWING_STEP_COUNT];

enum block_tooltips {
    NO_BLOCKS,
    LISTING_BLOCKS, // those with linedefs, or that cannot be read
    ALL_BLOCKS,
};

// What a picture can have in it.
struct content {
    enum block_tooltips block_tooltips;
    bool line_tooltips;

    // Written as short as can be: lines to half a pixel, blocks as strokes, all
    // of them from where the last one ended.
    bool is_coarse;

    const char *note[LEGEND_NOTE_ROWS]; // what the legend says of it
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

// How many times as wide as their style says lines are.
double drawing_line_factor(const struct drawing *drawing);

// The least of the steps with so many pixels from one number to the next.
unsigned drawing_find_step(const struct drawing *drawing, double pixels);

// Writes "m3-4", which goes so far from where the path is, and is short.
void drawing_write_step(const struct drawing *drawing, char command, long x,
                        long y);

// Finds what a new drawing of a picture encloses, its scale, and what its
// legend counts.
void drawing_measure(struct drawing *drawing);

// Writes the patterns that the map and the legend are painted with.
void drawing_write_patterns(const struct drawing *drawing);

// Writes the blocks and the lines, in pixels from the left and the bottom.
void drawing_write_map(const struct drawing *drawing);

// Writes all lines, and their tooltips, in map units.
void drawing_write_lines(const struct drawing *drawing);

// Writes the blocks, their marks and tooltips, in map units.
void drawing_write_blocks(const struct drawing *drawing);

#endif
