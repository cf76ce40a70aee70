// SPDX-License-Identifier: GPL-2.0-or-later
//
// The SVG: the map with the numbers of columns and rows at its edges, and the
// legend on its right.

#include "config.h"

#include "picture/drawing.h"

#include "inspect/inspect.h"
#include "lines/grid.h"
#include "lump/blockmap.h"

#include <math.h>
#include <stdio.h>

// Pixels.
enum {
    EDGE_HEIGHT = 20, // of the numbers of columns
    NUMBER_ROOM = 40, // from one number to the next, at least
    LEGEND_GAP = 32,
    LEGEND_WIDTH = 200,  // leaves room for wide fonts
    LEGEND_HEIGHT = 340, // at most
    LEGEND_ROW = 20,
    SWATCH = 30,
};

// ---------------------------------------------------------------------------
// Edges

// Writes the numbers of columns below the map, or of rows to the left of it,
// the least of 1, 2, 4 ... apart for which there is room.
static void svg_write_numbers(const struct drawing *drawing, bool are_rows)
{
    const struct blockmap *blockmap = &drawing->map->present;
    const double block = BLOCK_SIZE * drawing->scale;
    const double x = blockmap_edge(blockmap->origin_x, 0) - drawing->west;
    const double y = blockmap_edge(blockmap->origin_y, 0) - drawing->south;
    const size_t count = are_rows ? blockmap->rows : blockmap->columns;
    size_t step = 1;
    while ((double)step * block < NUMBER_ROOM)
        step *= 2;
    drawing_print(drawing, "<g text-anchor=\"%s\">\n",
                  are_rows ? "end" : "middle");
    for (size_t i = 0; i < count; i += step) {
        const double middle = ((double)i + 0.5) * block;
        drawing_print(
            drawing, "<text x=\"%.6g\" y=\"%.6g\">%zu</text>\n",
            drawing->left + (are_rows ? -6 : x * drawing->scale + middle),
            drawing->bottom + (are_rows ? 4 - y * drawing->scale - middle : 15),
            i);
    }
    drawing_print(drawing, "</g>\n");
}

// ---------------------------------------------------------------------------
// The legend

// Ends a row, and begins the next one.
static void svg_add_label(const struct drawing *drawing, int *y,
                          const char *label)
{
    drawing_print(drawing, "<text x=\"40\" y=\"%d\">%s</text>\n", *y + 14,
                  label);
    *y += LEGEND_ROW;
}

static void svg_add_block(const struct drawing *drawing, int *y,
                          const char *class, const char *label)
{
    drawing_print(drawing,
                  "<rect class=\"%s\" y=\"%d\" width=\"%d\" "
                  "height=\"14\"/>\n",
                  class, *y + 3, SWATCH);
    svg_add_label(drawing, y, label);
}

static void svg_add_colours(const struct drawing *drawing, int *y)
{
    const size_t last = drawing_colour(drawing->map->statistics.longest);
    for (size_t colour = 0; colour <= last; colour++) {
        char name[COLOUR_NAME_SIZE];
        char label[COLOUR_NAME_SIZE + 16];
        char class[24];
        drawing_colour_name(colour, name);
        snprintf(label, sizeof label, "%s linedef%s", name,
                 colour == 1 ? "" : "s");
        snprintf(class, sizeof class, "colour-%zu", colour);
        svg_add_block(drawing, y, class, label);
    }
}

// Writes the legend with its upper left corner at x,y.
static void svg_write_legend(const struct drawing *drawing, double x, int top)
{
    const struct inspect_map *map = drawing->map;
    int y = 0;
    drawing_print(drawing,
                  "<g id=\"legend\" font-size=\"13\" "
                  "transform=\"translate(%.6g %d)\">\n",
                  x, top);
    if (map->judgement.is_missing) {
        svg_add_block(drawing, &y, "missing", "misses solid linedefs");
        svg_add_block(drawing, &y, "harmless", "misses harmless ones");
    }
    svg_add_colours(drawing, &y);
    if (map->present.unreadable_count > 0)
        svg_add_block(drawing, &y, "unreadable", "cannot be read");
    for (int kind = 0; kind < MAP_KIND_COUNT; kind++) {
        const char *label = map_begin_stroke(drawing, (enum map_kind)kind, 1);
        drawing_print(drawing, "M0 %dh%d\"/>\n", y + 10, SWATCH);
        svg_add_label(drawing, &y, label);
    }
    drawing_print(drawing, "</g>\n");
}

// ---------------------------------------------------------------------------
// The SVG

void svg_write(const struct drawing *drawing)
{
    const double legend =
        drawing->left + drawing->width * drawing->scale + LEGEND_GAP;
    drawing_print(drawing,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"picture\" "
                  "viewBox=\"0 0 %.6g %.6g\" "
                  "font-family=\"system-ui, 'DejaVu Sans', sans-serif\">\n"
                  "<title>",
                  legend + LEGEND_WIDTH,
                  fmax(drawing->bottom + EDGE_HEIGHT, LEGEND_HEIGHT) +
                      DRAWING_MARGIN);
    drawing_print_title(drawing);
    drawing_print(drawing, "</title>\n<style>\n");
    for (const char *const *line = picture_css; *line; line++)
        drawing_print(drawing, "%s", *line);
    drawing_print(drawing, "</style>\n<rect id=\"background\" "
                           "width=\"100%%\" height=\"100%%\"/>\n");
    map_write(drawing);
    drawing_print(drawing, "<g id=\"edges\" font-size=\"11\">\n");
    svg_write_numbers(drawing, false);
    svg_write_numbers(drawing, true);
    drawing_print(drawing, "</g>\n");
    svg_write_legend(drawing, legend, DRAWING_MARGIN);
    drawing_print(drawing, "</svg>\n");
}
