// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map of a drawing: its lines on its blocks.  Blocks of one colour are one
// path, in which a run of blocks is one rectangle, and lines of one kind are
// one path.  This keeps the drawing of a large map small.
//
// The piece of a solid linedef in the block that misses it is drawn again, and
// the block has a border, which is wide where the block is small, so that one
// block of a large map is seen.

#include "config.h"

#include "picture/drawing.h"

#include "inspect/inspect.h"
#include "inspect/statistics.h"
#include "lines/grid.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/judge.h"
#include "map/attributes.h"
#include "nbstage.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// ---------------------------------------------------------------------------
// Blocks, in coordinates of the columns and rows of the lump

// What blocks are painted as, beside the classes of colours.
enum map_paint {
    PAINT_UNREADABLE = COLOUR_COUNT,
    PAINT_HARMLESS,
    PAINT_MISSING
};

// Whether a block of the expected grid misses a linedef of a class.
static bool map_misses(const struct inspect_map *map, size_t block,
                       bool is_solid)
{
    const struct expected *expected = &map->expected;
    for (size_t e = expected->starts[block]; e < expected->starts[block + 1];
         e++)
        if (map->judgement.is_missing[e] &&
            expected_is_solid(expected, expected->linedefs[e]) == is_solid)
            return true;
    return false;
}

static bool map_has_paint(const struct inspect_map *map, size_t block,
                          size_t paint)
{
    if (paint > PAINT_UNREADABLE)
        return map_misses(map, block, paint == PAINT_MISSING);
    if (map->present.lists[block].fault != LIST_READABLE)
        return paint == PAINT_UNREADABLE;
    return paint == drawing_colour(map->present.lists[block].distinct);
}

// Ends a path with the blocks that have a paint: of the lump's grid, or what is
// missing of the expected one, in which block 0,0 of the lump is another.
static void map_write_blocks(const struct drawing *drawing, size_t paint)
{
    const struct blockmap *blockmap = &drawing->map->present;
    const struct expected *expected = &drawing->map->expected;
    const bool is_missing = paint > PAINT_UNREADABLE;
    const size_t columns =
        is_missing ? expected->grid.columns : blockmap->columns;
    const size_t rows = is_missing ? expected->grid.rows : blockmap->rows;
    const long long west = is_missing ? expected->west : 0;
    const long long south = is_missing ? expected->south : 0;
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++) {
            const size_t begin = column;
            while (column < columns &&
                   map_has_paint(drawing->map, row * columns + column, paint))
                column++;
            if (column > begin)
                drawing_print(drawing, "M%lld %lldh%zuv1H%lldz",
                              (long long)begin - west, (long long)row - south,
                              column - begin, (long long)begin - west);
        }
    drawing_print(drawing, "\"/>\n");
}

static void map_write_colours(const struct drawing *drawing)
{
    const size_t last = drawing_colour(drawing->map->statistics.longest);
    drawing_print(drawing,
                  "<g id=\"colours\" shape-rendering=\"crispEdges\">\n");
    for (size_t colour = 0; colour <= last; colour++) {
        drawing_print(drawing, "<path class=\"colour-%zu\" d=\"", colour);
        map_write_blocks(drawing, colour);
    }
    drawing_print(drawing, "<path class=\"unreadable\" d=\"");
    map_write_blocks(drawing, PAINT_UNREADABLE);
    drawing_print(drawing, "</g>\n");
}

static void map_write_grid(const struct drawing *drawing)
{
    const struct blockmap *blockmap = &drawing->map->present;
    const double pixel = 1 / (drawing->scale * BLOCK_SIZE);
    const unsigned long columns = blockmap->columns;
    const unsigned long rows = blockmap->rows;
    drawing_print(drawing,
                  "<path id=\"grid\" fill=\"none\" stroke-width=\"%.4g\" d=\"",
                  pixel * (pixel < 0.1 ? 0.7 : 0.4));
    for (unsigned long row = 0; row <= rows; row++)
        drawing_print(drawing, "M0 %luh%lu", row, columns);
    for (unsigned long column = 0; column <= columns; column++)
        drawing_print(drawing, "M%lu 0v%lu", column, rows);
    drawing_print(drawing, "\"/>\n");
}

static void map_mark_missing(const struct drawing *drawing)
{
    const double block = drawing->scale * BLOCK_SIZE; // pixels
    const double border = fmin(fmax((14 - block) / 2, 1.6), 6);
    for (size_t paint = PAINT_HARMLESS; paint <= PAINT_MISSING; paint++) {
        const bool is_solid = paint == PAINT_MISSING;
        const char *class = is_solid ? "missing" : "harmless";
        drawing_print(drawing,
                      "<path id=\"%s-blocks\" class=\"%s\" "
                      "stroke-linejoin=\"round\" stroke-width=\"%.4g\" d=\"",
                      class, class, (is_solid ? border : 0.8) / block);
        map_write_blocks(drawing, paint);
    }
}

// ---------------------------------------------------------------------------
// Lines, in map units

// Kinds differ in colour, and without colour in width and dashes.
static const struct map_style {
    const char *id;
    const char *label;
    double width; // pixels
    double dash;  // pixels; 0 for solid lines
    double gap;
} map_styles[MAP_KIND_COUNT] = {
    [MAP_ONE_SIDED] = {"one-sided", "one-sided", 2.4, 0, 0},
    [MAP_TWO_SIDED] = {"two-sided", "two-sided", 1.0, 0, 0},
    [MAP_SPECIAL] = {"special", "with a special", 2.0, 5, 2.5},
    [MAP_LEFT_OUT] = {"left-out", "in no block", 1.2, 0.1, 3.2},
};

static void map_write_line(const struct drawing *drawing, double x1, double y1,
                           double x2, double y2)
{
    drawing_print(drawing, "M%.8g %.8gL%.8g %.8g", x1, y1, x2, y2);
}

static enum map_kind map_find_kind(const struct drawing *drawing,
                                   size_t linedef)
{
    const struct map_line *line = &drawing->attributes->lines[linedef];
    if (!drawing->map->statistics.is_listed[linedef])
        return MAP_LEFT_OUT;
    if (line->special != 0)
        return MAP_SPECIAL;
    return line->front_sector == NBSTAGE_NONE ||
                   line->back_sector == NBSTAGE_NONE
               ? MAP_ONE_SIDED
               : MAP_TWO_SIDED;
}

const char *map_begin_stroke(const struct drawing *drawing, enum map_kind kind,
                             double pixel)
{
    const struct map_style *style = &map_styles[kind];
    drawing_print(drawing, "<path class=\"%s\" stroke-width=\"%.4g\"",
                  style->id, style->width * pixel);
    if (style->dash > 0)
        drawing_print(drawing, " stroke-dasharray=\"%.4g %.4g\"",
                      style->dash * pixel, style->gap * pixel);
    drawing_print(drawing, " d=\"");
    return style->label;
}

static void map_write_kind(const struct drawing *drawing, enum map_kind kind,
                           double pixel)
{
    const double unit = BLOCKMAP_UNIT;
    map_begin_stroke(drawing, kind, pixel);
    for (size_t i = 0; i < drawing->map->lines.count; i++) {
        const struct fixed_line line = lines_fixed_at(&drawing->map->lines, i);
        if (map_find_kind(drawing, i) == kind)
            map_write_line(drawing, line.x1 / unit, line.y1 / unit,
                           line.x2 / unit, line.y2 / unit);
    }
    drawing_print(drawing, "\"/>\n");
}

static void map_write_pieces(const struct drawing *drawing)
{
    const struct findings *missing = &drawing->map->missing;
    for (size_t i = 0; i < missing->count; i++) {
        const struct finding_piece piece =
            finding_piece(&drawing->map->lines, &missing->finding[i]);
        if (missing->finding[i].is_solid)
            map_write_line(drawing, piece.x1, piece.y1, piece.x2, piece.y2);
    }
}

// Once if blocks have 32 pixels: how wide lines are.  page.js has the same.
static double map_line_factor(double scale)
{
    return fmin(fmax(scale * BLOCK_SIZE / 32, 0.2), 1.4);
}

void map_write(const struct drawing *drawing)
{
    const struct inspect_map *map = drawing->map;
    const double pixel = map_line_factor(drawing->scale) / drawing->scale;
    drawing_print(drawing,
                  "<g id=\"map\" transform=\"translate(%.8g %.8g) "
                  "scale(%.8g -%.8g)\">\n"
                  "<g id=\"block-grid\" transform=\"translate(%.8g %.8g) "
                  "scale(%d)\">\n",
                  drawing->left - drawing->west * drawing->scale,
                  drawing->bottom + drawing->south * drawing->scale,
                  drawing->scale, drawing->scale,
                  blockmap_edge(map->present.origin_x, 0),
                  blockmap_edge(map->present.origin_y, 0), BLOCK_SIZE);
    map_write_colours(drawing);
    map_write_grid(drawing);
    if (map->judgement.is_missing)
        map_mark_missing(drawing);
    drawing_print(
        drawing,
        "</g>\n<g id=\"lines\" fill=\"none\" stroke-linecap=\"round\">\n");
    for (int kind = 0; kind < MAP_KIND_COUNT; kind++)
        map_write_kind(drawing, (enum map_kind)kind, pixel);
    drawing_print(drawing,
                  "<path id=\"missing-lines\" stroke-width=\"%.4g\" d=\"",
                  6 * pixel);
    map_write_pieces(drawing);
    drawing_print(drawing, "\"/>\n</g>\n</g>\n");
}
