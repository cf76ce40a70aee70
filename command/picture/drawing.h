// SPDX-License-Identifier: GPL-2.0-or-later
//
// The writers of pictures, and the code that the SVG and the page share.

#ifndef DRAWING_H
#define DRAWING_H

#include "base/macros.h"
#include "inspect/inspect.h"
#include "map/attributes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

struct drawing {
    struct inspect_file *file;
    const struct inspect_map *map;     // has blocks, or expected lists
    const struct inspect_group *group; // what is drawn is what these find
    bool is_read;                      // they use the lump, as was judged last
    const struct attributes *attributes;
    gzFile stream; // output_close reports its errors

    // The lump's grid or, without blocks, the expected one.
    double origin_x, origin_y;
    size_t columns, rows;

    // Bounding box of the drawing, in map units.
    double west, south;
    double width, height;

    double scale;        // pixels per map unit
    double left, bottom; // pixel coordinates of west and south
};

// Prints at most 8,000 bytes.
void drawing_print(const struct drawing *drawing, const char *format, ...)
    PRINTF_LIKE(2, 3);

// Prints text, escaped for XML; unprintable characters become question marks.
void drawing_print_text(const struct drawing *drawing, const char *text);

// Prints "MAP01 - NAME.wad - blocksweep VERSION".
void drawing_print_title(const struct drawing *drawing);

// Blocks are classed by the number of linedefs that they list.  Each class has
// a colour in picture.css; class 0 is the empty blocks.
enum { COLOUR_COUNT = 10, COLOUR_NAME_SIZE = 48 };

extern const uint32_t drawing_classes[COLOUR_COUNT]; // the least number of each

size_t drawing_colour(size_t length);

// "5-7": the numbers in a class.
void drawing_colour_name(size_t colour, char name[COLOUR_NAME_SIZE]);

// svg.c: sets the bounding box and the scale, and writes the SVG.
void svg_measure(struct drawing *drawing);
void svg_write(const struct drawing *drawing);

// The kind of a linedef that is in some block: the index of its path in the
// SVG's element "lines".
int svg_line_kind(const struct drawing *drawing, size_t linedef);

// page.c: writes the page for a browser, which needs no other file.
void page_write(const struct drawing *drawing);

// files.c: the lines of the embedded files; each array ends with NULL.
extern const char *const page_html[],
    *const page_css[], *const page_js[], *const picture_css[];

#endif
