// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map of a picture as SVG: its lines on its blocks, which are coloured by
// how many linedefs they list.

#ifndef DRAWING_H
#define DRAWING_H

#include "message.h"

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

// What the page says above the map, such as "Bytes" and "5482".
struct picture_fact {
    const char *name;
    char text[1000];
};

enum { PICTURE_FACTS = 12 }; // at most, and one without a name at the end

// What is to be drawn.
struct picture {
    const char *name;                // the map's
    const char *path;                // of its file
    const struct blockmap *blockmap; // sound
    const struct statistics *statistics;
    const struct attributes *attributes;
    const struct lines *lines;

    // What its lists miss: for each expected entry whether it is missing, and
    // the first of these entries.  NULL if that is not known.
    const struct expected *expected;
    const bool *is_missing;
    const struct findings *missing;

    const struct picture_fact *facts; // the verdict first
};

struct drawing {
    const struct picture *picture;
    gzFile stream; // keeps errors, for gzerror

    // What is drawn, in map units.
    double west, south;
    double width, height;

    double scale; // pixels of a map unit
    double left;  // where west and south are, in pixels
    double bottom;
};

enum { DRAWING_MARGIN = 20, DRAWING_EDGE = 36 /* the numbers of rows */ };

// drawing.c: begins a drawing.
struct drawing drawing_measure(const struct picture *picture, gzFile stream);

// Prints at most 8,000 bytes.
void drawing_print(const struct drawing *drawing, const char *format, ...)
    PRINTF_LIKE(2, 3);

// Prints text, escaped for XML, with question marks for what is not printable.
void drawing_print_text(const struct drawing *drawing, const char *text);

// Prints "MAP01 - NAME.wad - blocksweep VERSION".
void drawing_print_title(const struct drawing *drawing);

enum map_kind { // of lines
    MAP_ONE_SIDED,
    MAP_TWO_SIDED,
    MAP_SPECIAL,
    MAP_LEFT_OUT, // in no block
    MAP_KIND_COUNT,
};

// map.c: the blocks and the lines.
void map_write(const struct drawing *drawing);

// Begins a path in the style of a kind of lines, in pixels of this size.
// Returns the kind's name.
const char *map_begin_stroke(const struct drawing *drawing, enum map_kind kind,
                             double pixel);

// svg.c: the SVG.
void svg_write(const struct drawing *drawing);

// page.c: the page for a browser, which needs no other file.
void page_write(const struct drawing *drawing);

#endif
