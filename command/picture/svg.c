// SPDX-License-Identifier: GPL-2.0-or-later
//
// The SVG: the map with the numbers of columns and rows at its edges, and the
// legend on its right.  The map has y up.  Its longer side has 1000 pixels, but
// a block at most 96; the viewer scales it.
//
// Lines are drawn over coloured blocks.  Blocks of one colour are one path, in
// which a run of blocks is one rectangle, and lines of one kind are one path.
// This keeps the drawing of a large map small.
//
// If a block misses a solid linedef, the linedef's piece in it is drawn again,
// and the block gets a border, which is wider on small blocks, so that a single
// block of a large map is visible.

#include "config.h"

#include "picture/drawing.h"

#include "check/judge.h"
#include "inspect/inspect.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/lump.h"
#include "map/attributes.h"
#include "nbstage.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Pixels.
enum {
    LONGER_SIDE = 1000, // of the map
    MOST_BLOCK = 96,    // side of a block, at most
    MARGIN = 20,
    EDGE_WIDTH = 36,  // room for the numbers of rows
    EDGE_HEIGHT = 20, // room for the numbers of columns
    NUMBER_ROOM = 40, // distance between two numbers, at least
    LEGEND_GAP = 32,
    LEGEND_WIDTH = 200,  // leaves room for wide fonts
    LEGEND_HEIGHT = 340, // at most
    LEGEND_ROW = 20,
    SWATCH = 30,
};

// ---------------------------------------------------------------------------
// Blocks, in coordinates of the columns and rows of the lump

// Paints of blocks: the colour classes come first.
enum svg_paint {
    PAINT_UNREADABLE = COLOUR_COUNT,
    PAINT_HARMLESS,
    PAINT_MISSING
};

// Whether a block of the expected grid misses a linedef that is solid or, if
// not is_solid, harmless.
static bool svg_misses(const struct inspect_map *map, size_t block,
                       bool is_solid)
{
    const struct expected *expected = &map->expected;
    for (size_t e = expected->starts[block]; e < expected->starts[block + 1];
         e++)
        if (expected->are_missing[e] &&
            expected_is_solid(expected, expected->linedefs[e]) == is_solid)
            return true;
    return false;
}

static bool svg_has_paint(const struct inspect_map *map, size_t block,
                          size_t paint)
{
    if (paint > PAINT_UNREADABLE)
        return svg_misses(map, block, paint == PAINT_MISSING);
    if (blockmap_list(&map->present, block).fault)
        return paint == PAINT_UNREADABLE;
    return paint == drawing_colour(map->statistics.lengths[block]);
}

// A grid of blocks, and the column and row in it of the lump's block 0,0.
struct svg_grid {
    size_t columns, rows;
    long long west, south;
};

// Completes a path with all blocks of a grid that have one paint.
static void svg_write_blocks(const struct drawing *drawing,
                             const struct svg_grid *grid, size_t paint)
{
    for (size_t row = 0; row < grid->rows; row++)
        for (size_t column = 0; column < grid->columns; column++) {
            const size_t begin = column;
            while (column < grid->columns &&
                   svg_has_paint(drawing->map, row * grid->columns + column,
                                 paint))
                column++;
            const long long x = (long long)begin - grid->west;
            if (column > begin)
                drawing_print(drawing, "M%lld %lldh%zuv1H%lldz", x,
                              (long long)row - grid->south, column - begin, x);
        }
    drawing_print(drawing, "\"/>\n");
}

static void svg_write_colours(const struct drawing *drawing)
{
    const struct blockmap *present = &drawing->map->present;
    const struct svg_grid grid = {.columns = present->grid.columns,
                                  .rows = present->grid.rows};
    const size_t last = drawing_colour(drawing->map->statistics.longest);
    drawing_print(drawing,
                  "<g id=\"colours\" shape-rendering=\"crispEdges\">\n");
    for (size_t colour = 0; colour <= last; colour++) {
        drawing_print(drawing, "<path class=\"colour-%zu\" d=\"", colour);
        svg_write_blocks(drawing, &grid, colour);
    }
    drawing_print(drawing, "<path class=\"unreadable\" d=\"");
    svg_write_blocks(drawing, &grid, PAINT_UNREADABLE);
    drawing_print(drawing, "</g>\n");
}

static void svg_write_grid(const struct drawing *drawing)
{
    const struct blockmap *blockmap = &drawing->map->present;
    const double pixel = 1 / (drawing->scale * BLOCK_SIZE);
    const unsigned long columns = blockmap->grid.columns;
    const unsigned long rows = blockmap->grid.rows;
    drawing_print(drawing,
                  "<path id=\"grid\" fill=\"none\" stroke-width=\"%.4g\" d=\"",
                  pixel * (pixel < 0.1 ? 0.7 : 0.4));
    for (unsigned long row = 0; row <= rows; row++)
        drawing_print(drawing, "M0 %luh%lu", row, columns);
    for (unsigned long column = 0; column <= columns; column++)
        drawing_print(drawing, "M%lu 0v%lu", column, rows);
    drawing_print(drawing, "\"/>\n");
}

// Missing entries may lie outside the lump's grid, so these blocks are of the
// expected one.
static void svg_mark_missing(const struct drawing *drawing)
{
    const struct expected *expected = &drawing->map->expected;
    const struct svg_grid grid = {expected->grid.columns, expected->grid.rows,
                                  expected->west, expected->south};
    const double block = drawing->scale * BLOCK_SIZE; // pixels
    const double border = fmin(fmax((14 - block) / 2, 1.6), 6);
    for (size_t paint = PAINT_HARMLESS; paint <= PAINT_MISSING; paint++) {
        const bool is_solid = paint == PAINT_MISSING;
        const char *class = is_solid ? "missing" : "harmless";
        drawing_print(drawing,
                      "<path id=\"%s-blocks\" class=\"%s\" "
                      "stroke-linejoin=\"round\" stroke-width=\"%.4g\" d=\"",
                      class, class, (is_solid ? border : 0.8) / block);
        svg_write_blocks(drawing, &grid, paint);
    }
}

// ---------------------------------------------------------------------------
// Lines, in map units

enum svg_kind { // of lines
    KIND_ONE_SIDED,
    KIND_TWO_SIDED,
    KIND_SPECIAL,
    KIND_LEFT_OUT, // in no block
    KIND_COUNT,
};

// Kinds differ in colour, and without colour in width and dashes.
static const struct svg_style {
    const char *id;
    const char *label;
    double width; // pixels
    double dash;  // pixels; 0 for solid lines
    double gap;
} svg_styles[KIND_COUNT] = {
    [KIND_ONE_SIDED] = {"one-sided", "one-sided", 2.4, 0, 0},
    [KIND_TWO_SIDED] = {"two-sided", "two-sided", 1.0, 0, 0},
    [KIND_SPECIAL] = {"special", "with a special", 2.0, 5, 2.5},
    [KIND_LEFT_OUT] = {"left-out", "in no block", 1.2, 0.1, 3.2},
};

static void svg_write_line(const struct drawing *drawing, double x1, double y1,
                           double x2, double y2)
{
    drawing_print(drawing, "M%.8g %.8gL%.8g %.8g", x1, y1, x2, y2);
}

static enum svg_kind svg_find_kind(const struct drawing *drawing,
                                   size_t linedef)
{
    const struct map_line *line = &drawing->attributes->lines[linedef];
    if (!drawing->map->statistics.is_listed[linedef])
        return KIND_LEFT_OUT;
    if (line->special != 0)
        return KIND_SPECIAL;
    return line->front_sector == MAP_NONE || line->back_sector == MAP_NONE
               ? KIND_ONE_SIDED
               : KIND_TWO_SIDED;
}

// Begins a path in the style of a kind of lines; `pixel` is a pixel's size in
// units of the path.  Returns the kind's label.
static const char *svg_begin_stroke(const struct drawing *drawing,
                                    enum svg_kind kind, double pixel)
{
    const struct svg_style *style = &svg_styles[kind];
    drawing_print(drawing, "<path class=\"%s\" stroke-width=\"%.4g\"",
                  style->id, style->width * pixel);
    if (style->dash > 0)
        drawing_print(drawing, " stroke-dasharray=\"%.4g %.4g\"",
                      style->dash * pixel, style->gap * pixel);
    drawing_print(drawing, " d=\"");
    return style->label;
}

static void svg_write_kind(const struct drawing *drawing, enum svg_kind kind,
                           double pixel)
{
    const double unit = BLOCKMAP_UNIT;
    svg_begin_stroke(drawing, kind, pixel);
    for (size_t i = 0; i < drawing->map->lines.count; i++) {
        const struct fixed_line line = lines_fixed_at(&drawing->map->lines, i);
        if (svg_find_kind(drawing, i) == kind)
            svg_write_line(drawing, line.x1 / unit, line.y1 / unit,
                           line.x2 / unit, line.y2 / unit);
    }
    drawing_print(drawing, "\"/>\n");
}

static void svg_write_map(const struct drawing *drawing)
{
    const struct inspect_map *map = drawing->map;
    // Line width factor: 1 at 32 pixels per block.  page.js has the same.
    const double factor =
        fmin(fmax(drawing->scale * BLOCK_SIZE / 32, 0.2), 1.4);
    const double pixel = factor / drawing->scale;
    drawing_print(drawing,
                  "<g id=\"map\" transform=\"translate(%.8g %.8g) "
                  "scale(%.8g -%.8g)\">\n"
                  "<g id=\"block-grid\" transform=\"translate(%.8g %.8g) "
                  "scale(%d)\">\n",
                  drawing->left - drawing->west * drawing->scale,
                  drawing->bottom + drawing->south * drawing->scale,
                  drawing->scale, drawing->scale,
                  lump_edge(map->present.origin_x, 0),
                  lump_edge(map->present.origin_y, 0), BLOCK_SIZE);
    svg_write_colours(drawing);
    svg_write_grid(drawing);
    if (map->has_expected)
        svg_mark_missing(drawing);
    drawing_print(
        drawing,
        "</g>\n<g id=\"lines\" fill=\"none\" stroke-linecap=\"round\">\n");
    for (int kind = 0; kind < KIND_COUNT; kind++)
        svg_write_kind(drawing, (enum svg_kind)kind, pixel);
    drawing_print(drawing,
                  "<path id=\"missing-lines\" stroke-width=\"%.4g\" d=\"",
                  6 * pixel);
    for (size_t i = 0; i < map->missing.count; i++) {
        const struct finding *finding = &map->missing.finding[i];
        const struct finding_piece piece = finding_piece(&map->lines, finding);
        if (finding->is_solid)
            svg_write_line(drawing, piece.x1, piece.y1, piece.x2, piece.y2);
    }
    drawing_print(drawing, "\"/>\n</g>\n</g>\n");
}

// ---------------------------------------------------------------------------
// Edges

// The smallest power of two such that numbers at this step do not touch.
static size_t svg_number_step(double block)
{
    size_t step = 1;
    while ((double)step * block < NUMBER_ROOM)
        step *= 2;
    return step;
}

static void svg_write_number(const struct drawing *drawing, double x, double y,
                             size_t number)
{
    drawing_print(drawing, "<text x=\"%.6g\" y=\"%.6g\">%zu</text>\n", x, y,
                  number);
}

// Writes the numbers of columns below the map, and of rows to the left of it.
static void svg_write_numbers(const struct drawing *drawing)
{
    const struct blockmap *present = &drawing->map->present;
    const double block = BLOCK_SIZE * drawing->scale;
    const double x = lump_edge(present->origin_x, 0) - drawing->west;
    const double y = lump_edge(present->origin_y, 0) - drawing->south;
    const size_t step = svg_number_step(block);
    drawing_print(drawing, "<g text-anchor=\"middle\">\n");
    for (size_t i = 0; i < present->grid.columns; i += step) {
        const double middle = ((double)i + 0.5) * block;
        svg_write_number(drawing, drawing->left + (x * drawing->scale + middle),
                         drawing->bottom + 15, i);
    }
    drawing_print(drawing, "</g>\n<g text-anchor=\"end\">\n");
    for (size_t i = 0; i < present->grid.rows; i += step) {
        const double middle = ((double)i + 0.5) * block;
        svg_write_number(drawing, drawing->left - 6,
                         drawing->bottom + (4 - y * drawing->scale - middle),
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
    if (map->has_expected) {
        svg_add_block(drawing, &y, "missing", "misses solid linedefs");
        svg_add_block(drawing, &y, "harmless", "misses harmless ones");
    }
    svg_add_colours(drawing, &y);
    if (map->statistics.unreadable > 0)
        svg_add_block(drawing, &y, "unreadable", "cannot be read");
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        const char *label = svg_begin_stroke(drawing, (enum svg_kind)kind, 1);
        drawing_print(drawing, "M0 %dh%d\"/>\n", y + 10, SWATCH);
        svg_add_label(drawing, &y, label);
    }
    drawing_print(drawing, "</g>\n");
}

// ---------------------------------------------------------------------------
// The SVG

// The expected grid may be larger than the lump's.
void svg_measure(struct drawing *drawing)
{
    const struct blockmap *present = &drawing->map->present;
    const struct grid *grid = &drawing->map->expected.grid;
    if (drawing->map->has_expected) {
        drawing->west = grid->origin_x;
        drawing->south = grid->origin_y;
    } else {
        grid = &present->grid;
        drawing->west = lump_edge(present->origin_x, 0);
        drawing->south = lump_edge(present->origin_y, 0);
    }
    drawing->width = (double)grid->columns * BLOCK_SIZE;
    drawing->height = (double)grid->rows * BLOCK_SIZE;
    drawing->scale = fmin(LONGER_SIDE / fmax(drawing->width, drawing->height),
                          (double)MOST_BLOCK / BLOCK_SIZE);
    drawing->left = MARGIN + EDGE_WIDTH;
    drawing->bottom = MARGIN + drawing->height * drawing->scale;
}

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
                  fmax(drawing->bottom + EDGE_HEIGHT, LEGEND_HEIGHT) + MARGIN);
    drawing_print_title(drawing);
    drawing_print(drawing, "</title>\n<style>\n");
    for (const char *const *line = picture_css; *line; line++)
        drawing_print(drawing, "%s", *line);
    drawing_print(drawing, "</style>\n<rect id=\"background\" "
                           "width=\"100%%\" height=\"100%%\"/>\n");
    svg_write_map(drawing);
    drawing_print(drawing, "<g id=\"edges\" font-size=\"11\">\n");
    svg_write_numbers(drawing);
    drawing_print(drawing, "</g>\n");
    svg_write_legend(drawing, legend, MARGIN);
    drawing_print(drawing, "</svg>\n");
}
