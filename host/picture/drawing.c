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
#include <stdbool.h>
#include <stdio.h>
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
    const char *path = drawing->file->path;
    drawing_print_text(drawing, drawing->map->name);
    drawing_print(drawing, " - ");
    drawing_print_text(drawing, strcmp(path, "-") == 0 ? "standard input"
                                                       : file_base(path));
    drawing_print(drawing, " - %s", PACKAGE_STRING);
}

// What is missing may be outside the lump's grid.
void drawing_measure(struct drawing *drawing)
{
    const struct blockmap *blockmap = &drawing->map->present;
    const struct grid *grid = &drawing->map->expected.grid;
    const bool is_expected = drawing->map->has_expected;
    drawing->west =
        is_expected ? grid->origin_x : blockmap_edge(blockmap->origin_x, 0);
    drawing->south =
        is_expected ? grid->origin_y : blockmap_edge(blockmap->origin_y, 0);
    drawing->width =
        (double)(is_expected ? grid->columns : blockmap->columns) * BLOCK_SIZE;
    drawing->height =
        (double)(is_expected ? grid->rows : blockmap->rows) * BLOCK_SIZE;
    drawing->scale = fmin(LONGER_SIDE / fmax(drawing->width, drawing->height),
                          (double)MOST_BLOCK / BLOCK_SIZE);
    drawing->left = DRAWING_MARGIN + DRAWING_EDGE;
    drawing->bottom = DRAWING_MARGIN + drawing->height * drawing->scale;
}

// For each class of blocks its least number.
static const size_t firsts[COLOUR_COUNT] = {0, 1, 2, 3, 5, 8, 12, 18, 30, 60};

size_t drawing_colour(size_t length)
{
    size_t colour = COLOUR_COUNT - 1;
    while (firsts[colour] > length)
        colour--;
    return colour;
}

void drawing_colour_name(size_t colour, char name[COLOUR_NAME_SIZE])
{
    const size_t first = firsts[colour];
    if (colour == COLOUR_COUNT - 1)
        snprintf(name, COLOUR_NAME_SIZE, "%zu+", first);
    else if (firsts[colour + 1] == first + 1)
        snprintf(name, COLOUR_NAME_SIZE, "%zu", first);
    else
        snprintf(name, COLOUR_NAME_SIZE, "%zu-%zu", first,
                 firsts[colour + 1] - 1);
}
