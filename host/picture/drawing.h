// SPDX-License-Identifier: GPL-2.0-or-later
//
// A picture of a map, with its blocks coloured by how many linedefs they list.

#ifndef DRAWING_H
#define DRAWING_H

#include "inspect/inspect.h"
#include "map/attributes.h"
#include "message.h"
#include "report.h"

#include <stddef.h>
#include <zlib.h>

struct drawing {
    const struct inspect_file *file;
    const struct inspect_map *map; // with blocks
    const struct attributes *attributes;
    gzFile stream; // keeps errors, for gzerror

    // What is drawn, in map units.
    double west, south;
    double width, height;

    double scale; // pixels of a map unit
    double left;  // where west and south are, in pixels
    double bottom;
};

// Prints at most 8,000 bytes.
void drawing_print(const struct drawing *drawing, const char *format, ...)
    PRINTF_LIKE(2, 3);

// Prints text, escaped for XML, with question marks for what is not printable.
void drawing_print_text(const struct drawing *drawing, const char *text);

// Prints "MAP01 - NAME.wad - blocksweep VERSION".
void drawing_print_title(const struct drawing *drawing);

// Blocks are put into classes by how many linedefs they list.  Each class has a
// colour in picture.css; class 0 has the blocks without any.
enum { COLOUR_COUNT = 10, COLOUR_NAME_SIZE = 48 };

size_t drawing_colour(size_t length);

// "5-7": the numbers in a class.
void drawing_colour_name(size_t colour, char name[COLOUR_NAME_SIZE]);

// svg.c: finds the place of a map in its picture, and writes the SVG.
void svg_measure(struct drawing *drawing);
void svg_write(const struct drawing *drawing);

// page.c: the page for a browser, which needs no other file.
void page_write(const struct drawing *drawing);

// The lines of the files of these names, up to NULL.
extern const char *const page_html[],
    *const page_css[], *const page_js[], *const picture_css[];

#endif
