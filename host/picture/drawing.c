// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map has y up.  Its longer side has 1000 pixels, but a block at most 96;
// what shows the picture fits it into its frame.

#include "config.h"

#include "picture/drawing.h"

#include "lines/grid.h"
#include "lump/blockmap.h"
#include "lump/judge.h"
#include "nbstage-host.h"
#include "platform/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

// Pixels.
enum { LONGER_SIDE = 1000 /* of the map */, MOST_BLOCK = 96 };

void drawing_print(const struct drawing *drawing, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    gzvprintf(drawing->stream, format, arguments);
    va_end(arguments);
}

void drawing_print_text(const struct drawing *drawing, const char *text)
{
    uint32_t number;
    for (size_t length; *text; text += length) {
        if (!nbstage_is_printable(text, &length, &number))
            drawing_print(drawing, "?");
        else if (length > 1 || strchr("<>&\"", *text))
            drawing_print(drawing, "&#%" PRIu32 ";", number);
        else
            drawing_print(drawing, "%c", *text);
    }
}

void drawing_print_title(const struct drawing *drawing)
{
    const char *path = drawing->picture->path;
    drawing_print_text(drawing, drawing->picture->name);
    drawing_print(drawing, " - ");
    drawing_print_text(drawing, strcmp(path, "-") == 0 ? "standard input"
                                                       : file_base(path));
    drawing_print(drawing, " - %s", PACKAGE_STRING);
}

// What is missing may be outside the lump's grid.
struct drawing drawing_measure(const struct picture *picture, gzFile stream)
{
    const struct blockmap *blockmap = picture->blockmap;
    const struct expected *expected = picture->expected;
    size_t columns = blockmap->columns;
    size_t rows = blockmap->rows;
    struct drawing drawing = {
        .picture = picture,
        .stream = stream,
        .west = blockmap_edge(blockmap->origin_x, 0),
        .south = blockmap_edge(blockmap->origin_y, 0),
    };
    if (expected) {
        drawing.west = expected->grid.origin_x;
        drawing.south = expected->grid.origin_y;
        columns = expected->grid.columns;
        rows = expected->grid.rows;
    }
    drawing.width = (double)columns * BLOCK_SIZE;
    drawing.height = (double)rows * BLOCK_SIZE;
    drawing.scale = fmin(LONGER_SIDE / fmax(drawing.width, drawing.height),
                         (double)MOST_BLOCK / BLOCK_SIZE);
    drawing.left = DRAWING_MARGIN + DRAWING_EDGE;
    drawing.bottom = DRAWING_MARGIN + drawing.height * drawing.scale;
    return drawing;
}
