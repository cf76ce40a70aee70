// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pictures of a blockmap as files: SVG, and a page for a browser.

#ifndef PICTURE_H
#define PICTURE_H

#include "common/commands.h"
#include "common/message.h"
#include "inspect/inspect.h"
#include "map/attributes.h"

#include <stddef.h>
#include <zlib.h>

// Returns STATUS_USAGE with a message if --svg or --html names a file that is
// read, both name one file, two outputs want standard output, standard output
// is a file that is read or written otherwise, or what is there is no picture
// or page; STATUS_FILE with a message if no file can be written there.
enum exit_status picture_check_paths(const struct arguments *arguments);

// The first option that asks for a picture, "svg" or "html"; NULL if none does.
const char *picture_option(const struct arguments *arguments);

// How many of them go to standard output, so that no report may.
int picture_count_standard(const struct arguments *arguments);

// Writes the files of --svg and --html, compressed if their names end in ".gz"
// or ".svgz", of a map that was judged.  With a message STATUS_MAP_FAILED if
// the map has no lines or blocks, and STATUS_FILE.
enum exit_status picture_save(struct inspect_file *file,
                              struct inspect_map *map);

// ---------------------------------------------------------------------------
// What writes them: drawing.c has what the SVG and the page share

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
