// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map of a picture as SVG: its lines on its blocks, which are coloured by
// how many linedefs they list.
//
// The colours of blocks are in the elements "colour-0", "colour-1" and so on,
// in coordinates of columns and rows; lines are in map units.

#ifndef DRAWING_H
#define DRAWING_H

#include "message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// What is to be drawn.
struct picture {
    const char *name;                // the map's
    const char *path;                // of its file
    const char *old_path;            // with which it is compared; or NULL
    const struct blockmap *blockmap; // sound
    const struct statistics *statistics;
    const struct attributes *attributes;
    const struct lines *lines;

    // What is pointed out on blocks that are grey then; NULL for nothing.
    const struct findings *findings;
    const struct blockmap *old; // whose grid is drawn, too; or NULL
    // For each linedef how many blocks should list it; NULL if that is not
    // known.
    const size_t *expected;

    // For each block the group of those that share its list, 0 for blocks that
    // share none.  Each group has a border.  NULL for no marks.
    const uint32_t *groups;
};

enum line_kind {
    DRAWN_ONE_SIDED,
    DRAWN_TWO_SIDED,
    DRAWN_SPECIAL,
    DRAWN_LEFT_OUT, // in no block
    DRAWN_KIND_COUNT,
};

// Kinds differ in colour, and without colour in width and dashes.
struct line_style {
    const char *id;
    const char *label;
    double width; // pixels
    double dash;  // pixels; 0 for solid lines
    double gap;
};

extern const struct line_style line_styles[DRAWN_KIND_COUNT];

struct drawing {
    const struct picture *picture;
    gzFile stream; // keeps errors, for gzerror; NULL to print nothing
    bool is_page;

    // What blocks and lines enclose, in map units.
    double west;
    double south;
    double east;
    double north;

    // Pixels.
    double scale; // of a map unit
    double left;  // of the map
    double bottom;
};

// A linedef, in map units.
struct segment {
    double x1, y1;
    double x2, y2;
    enum line_kind kind;
    bool is_two_sided;
};

struct segment drawing_get_segment(const struct drawing *drawing, size_t index);

// How many times as wide as their style says lines are.
double drawing_line_factor(const struct drawing *drawing);

// Map units.
double drawing_in_units(int32_t coordinate);

// A drawing with the bounds and the scale of a picture, without margins.
struct drawing drawing_measure(const struct picture *picture);

// Prints at most 8,000 bytes.
void drawing_print(const struct drawing *drawing, const char *format, ...)
    PRINTF_LIKE(2, 3);

// Prints text, escaped for XML, with question marks for what is not printable.
void drawing_print_text(const struct drawing *drawing, const char *text);

// The name of a picture's file.
const char *drawing_file_name(const char *path);

// Prints "MAP01 - NAME.wad - blocksweep VERSION".
void drawing_write_title(const struct drawing *drawing);

// The CSS class: "grey" under findings, else "tinted".
const char *drawing_class(const struct drawing *drawing);

// ---------------------------------------------------------------------------
// Parts of what is drawn, each of a file of its own

// blocks.c: <defs> with the patterns of findings, such as "missing-map" and
// "missing-legend", and "shared-map" and "shared-legend" of marked blocks.
void blocks_write_patterns(const struct drawing *drawing);

// The blocks, in coordinates of columns and rows.
void blocks_write(const struct drawing *drawing);

// map.c: the blocks and the lines.
void map_write(const struct drawing *drawing);

struct legend_size {
    double width; // pixels
    double height;
};

// legend.c: the legend with its upper left corner at x,y.  It is no wider than
// `most_width`, but at least one column.  Returns its size.
struct legend_size legend_write(const struct drawing *drawing, double x,
                                double y, double most_width);

// The size that it will have.
struct legend_size legend_measure(const struct drawing *drawing,
                                  double most_width);

// page.c: the page for a browser, which needs no other file.
void page_write(const struct drawing *drawing);

#endif
