// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map of a picture as SVG: its lines on its blocks, which are coloured by
// how many linedefs they list.
//
// Block 7 is the element "b7" and linedef 7 is "l7": unseen, with a tooltip.
// The colours of blocks are in the elements "colour-0", "colour-1" and so on,
// in coordinates of columns and rows; lines are in map units.

#ifndef DRAWING_H
#define DRAWING_H

#include "blockmap/statistics.h"
#include "message.h"
#include "nbstage.h"

#include <zlib.h>

// What is to be drawn.
struct picture {
    const char *name;                // the map's
    const struct blockmap *blockmap; // sound
    const struct statistics *statistics;
    const struct nbstage_decoded *decoded;

    // For each block the group that it is marked as part of, 0 for blocks that
    // are not marked.  Each group has a border.  NULL for no marks.
    const uint32_t *groups;
    const char *group_label; // what the legend says of marked blocks
};

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

enum { DRAWING_NOTE_ROWS = 2 };

struct drawing {
    const struct picture *picture;
    gzFile stream; // keeps errors, for gzerror; NULL to print nothing
    bool has_tooltips;
    const char *const *note; // the legend's last rows; NULL for none

    // What blocks and lines enclose, in map units.
    double west;
    double south;
    double east;
    double north;

    // Pixels.
    double scale; // of a map unit
    double left;  // of the map
    double bottom;

    size_t line_count[LINE_KIND_COUNT];
    size_t marked_blocks;
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

// A drawing with the bounds, the scale and the counts of a picture.
struct drawing drawing_measure(const struct picture *picture);

// Prints at most 8,000 bytes.
void drawing_print(const struct drawing *drawing, const char *format, ...)
    PRINTF_LIKE(2, 3);

// Prints text, escaped for XML, with question marks for what is not printable.
void drawing_print_text(const struct drawing *drawing, const char *text);

// Writes <defs> with the patterns "cross-map" and "cross-legend" of blocks that
// cannot be read, and "hatch-map" and "hatch-legend" of marked blocks.
void drawing_write_patterns(const struct drawing *drawing);

// Writes the blocks and the lines.
void drawing_write_map(const struct drawing *drawing);

struct legend_size {
    double width; // pixels
    double height;
};

// Writes the legend of legend.c with its upper left corner at x,y.  It is no
// wider than `most_width`, but at least one column.  Returns its size, also if
// the drawing prints nothing.
struct legend_size legend_write(const struct drawing *drawing, double x,
                                double y, double most_width);

#endif
