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
// What is missing or extra is that of one group of engines: the first for which
// the lump is wrong.  Its walls are drawn over all lines, the worst on top.
// Their round ends make a wall visible that is shorter than a pixel.

#include "config.h"

#include "picture/drawing.h"

#include "check/expected.h"
#include "check/reading.h"
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
    LEGEND_WIDTH = 200, // leaves room for wide fonts
    LEGEND_HEIGHT = 440,
    LEGEND_ROW = 20,
    SWATCH = 30,
};

// ---------------------------------------------------------------------------
// Blocks, in coordinates of the columns and rows of the lump

// Paints of blocks: the colour classes come first.
enum { PAINT_UNREADABLE = COLOUR_COUNT };

static bool svg_has_paint(const struct inspect_map *map, size_t block,
                          size_t paint)
{
    if (blockmap_list(&map->present, block).fault)
        return paint == PAINT_UNREADABLE;
    return paint == drawing_colour(map->statistics.lengths[block]);
}

// Writes a path with all blocks that have one paint.
static void svg_write_blocks(const struct drawing *drawing, const char *class,
                             size_t paint)
{
    const struct blockmap *present = &drawing->map->present;
    const size_t columns = present->grid.columns;
    drawing_print(drawing, "<path id=\"%s\" class=\"%s\" d=\"", class, class);
    for (size_t b = 0; b < present->block_count;) {
        const size_t begin = b++;
        if (!svg_has_paint(drawing->map, begin, paint))
            continue;
        while (b < present->block_count && b % columns != 0 &&
               svg_has_paint(drawing->map, b, paint))
            b++;
        drawing_print(drawing, "M%zu %zuh%zuv1H%zuz", begin % columns,
                      begin / columns, b - begin, begin % columns);
    }
    drawing_print(drawing, "\"/>\n");
}

static void svg_write_colours(const struct drawing *drawing)
{
    drawing_print(drawing,
                  "<g id=\"colours\" shape-rendering=\"crispEdges\">\n");
    for (size_t colour = 0; colour < COLOUR_COUNT; colour++) {
        char class[COLOUR_NAME_SIZE];
        snprintf(class, sizeof class, "colour-%zu", colour);
        svg_write_blocks(drawing, class, colour);
    }
    svg_write_blocks(drawing, "unreadable", PAINT_UNREADABLE);
    drawing_print(drawing, "</g>\n");
}

static void svg_write_grid(const struct drawing *drawing)
{
    const double pixel = 1 / (drawing->scale * BLOCK_SIZE);
    const size_t columns = drawing->columns;
    drawing_print(drawing,
                  "<path id=\"grid\" fill=\"none\" stroke-width=\"%.4g\" d=\"",
                  pixel * (pixel < 0.1 ? 0.7 : 0.4));
    for (size_t row = 0; row <= drawing->rows; row++)
        drawing_print(drawing, "M0 %zuh%zu", row, columns);
    for (size_t column = 0; column <= columns; column++)
        drawing_print(drawing, "M%zu 0v%zu", column, drawing->rows);
    drawing_print(drawing, "\"/>\n");
}

// Whether the group's list of a block has a linedef that is not in the block.
static bool svg_has_extra(const struct drawing *drawing, size_t block)
{
    const struct expected *expected = &drawing->map->expected;
    const struct blockmap *present = &drawing->map->present;
    const struct reading *reading = &drawing->group->reading;
    if (!reading_reaches(reading, present, block))
        return false;
    const size_t own = expected_block(expected, block);
    const struct linedef_set set =
        blockmap_read_list(present, reading_find_list(reading, present, block));
    size_t listed = 0;
    for (size_t e = expected->starts[own]; e < expected->starts[own + 1]; e++)
        listed += linedef_set_has(&set, expected->linedefs[e]);
    return set.count > listed;
}

// Hatches the blocks with extra entries.
static void svg_write_extra(const struct drawing *drawing)
{
    const struct blockmap *present = &drawing->map->present;
    const double pixel = 1 / (drawing->scale * BLOCK_SIZE);
    drawing_print(drawing,
                  "<path id=\"extra\" class=\"extra\" stroke-width=\"%.4g\" "
                  "d=\"",
                  pixel);
    for (size_t b = 0; drawing->is_read && b < present->block_count; b++)
        if (svg_has_extra(drawing, b))
            drawing_print(drawing, "M%zu %zul1 1", b % drawing->columns,
                          b / drawing->columns);
    drawing_print(drawing, "\"/>\n");
}

// ---------------------------------------------------------------------------
// Lines, in map units

enum svg_kind { // of lines
    KIND_ONE_SIDED,
    KIND_TWO_SIDED,
    KIND_SPECIAL,
    KIND_LEFT_OUT, // in no block
    KIND_HARMLESS, // from here on, lines with missing entries
    KIND_SLIDES,
    KIND_SHOTS,
    KIND_MISSILES,
    KIND_PLAYERS,
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
    [KIND_HARMLESS] = {"harmless", "missing, harmless", 3, 0, 0},
    [KIND_SLIDES] = {"slides", "slides may differ", 4, 4, 7},
    [KIND_SHOTS] = {"shots", "shots can cross", 4, 0.1, 7},
    [KIND_MISSILES] = {"missiles", "missiles can cross", 4, 10, 6},
    [KIND_PLAYERS] = {"players", "players can cross", 7, 0, 0},
};

static const enum svg_kind svg_wall_kinds[WALL_KINDS] = {
    [WALL_PLAYERS] = KIND_PLAYERS,
    [WALL_MISSILES] = KIND_MISSILES,
    [WALL_SHOTS] = KIND_SHOTS,
    [WALL_SLIDES] = KIND_SLIDES,
};

static void svg_write_line(const struct drawing *drawing, size_t linedef)
{
    const double unit = BLOCKMAP_UNIT;
    const struct fixed_line line =
        lines_fixed_at(&drawing->map->lines, linedef);
    drawing_print(drawing, "M%.8g %.8gL%.8g %.8g", line.x1 / unit,
                  line.y1 / unit, line.x2 / unit, line.y2 / unit);
}

static enum svg_kind svg_find_kind(const struct drawing *drawing,
                                   size_t linedef)
{
    return drawing->map->statistics.is_listed &&
                   !drawing->map->statistics.is_listed[linedef]
               ? KIND_LEFT_OUT
               : (enum svg_kind)svg_line_kind(drawing, linedef);
}

int svg_line_kind(const struct drawing *drawing, size_t linedef)
{
    const struct map_line *line = &drawing->attributes->lines[linedef];
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
    drawing_print(drawing, " class=\"%s\" stroke-width=\"%.4g\"", style->id,
                  style->width * pixel);
    if (style->dash > 0)
        drawing_print(drawing, " stroke-dasharray=\"%.4g %.4g\"",
                      style->dash * pixel, style->gap * pixel);
    drawing_print(drawing, " d=\"");
    return style->label;
}

static void svg_write_harmless(const struct drawing *drawing)
{
    const struct expected *expected = &drawing->map->expected;
    if (!drawing->is_read)
        return;
    for (size_t e = 0; e < expected->starts[expected->block_count]; e++)
        if (expected->are_missing[e] &&
            !expected_is_solid(expected, expected->linedefs[e]))
            svg_write_line(drawing, expected->linedefs[e]);
}

static void svg_write_kind(const struct drawing *drawing, enum svg_kind kind,
                           double pixel)
{
    const struct inspect_group *group = drawing->group;
    drawing_print(drawing, "<path id=\"%s\"", svg_styles[kind].id);
    svg_begin_stroke(drawing, kind, pixel);
    if (kind == KIND_HARMLESS)
        svg_write_harmless(drawing);
    else if (kind > KIND_HARMLESS)
        for (size_t w = 0; w < group->wall_count; w++) {
            if (svg_wall_kinds[group->walls[w].kind] == kind)
                svg_write_line(drawing, group->walls[w].linedef);
        }
    else
        for (size_t i = 0; i < drawing->map->lines.count; i++)
            if (svg_find_kind(drawing, i) == kind)
                svg_write_line(drawing, i);
    drawing_print(drawing, "\"/>\n");
}

// Writes kinds of lines as a group.
static void svg_write_kinds(const struct drawing *drawing, const char *id,
                            int first, int end, double pixel)
{
    drawing_print(drawing,
                  "<g id=\"%s\" fill=\"none\" stroke-linecap=\"round\">\n", id);
    for (int kind = first; kind < end; kind++)
        svg_write_kind(drawing, (enum svg_kind)kind, pixel);
    drawing_print(drawing, "</g>\n");
}

static void svg_write_map(const struct drawing *drawing)
{
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
                  drawing->scale, drawing->scale, drawing->origin_x,
                  drawing->origin_y, BLOCK_SIZE);
    svg_write_colours(drawing);
    svg_write_grid(drawing);
    svg_write_extra(drawing);
    drawing_print(drawing, "</g>\n");
    svg_write_kinds(drawing, "lines", 0, KIND_HARMLESS, pixel);
    svg_write_kinds(drawing, "walls", KIND_HARMLESS, KIND_COUNT,
                    fmax(pixel, 0.6 / drawing->scale));
    drawing_print(drawing, "</g>\n");
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
    const double block = BLOCK_SIZE * drawing->scale;
    const double x = drawing->origin_x - drawing->west;
    const double y = drawing->origin_y - drawing->south;
    const size_t step = svg_number_step(block);
    drawing_print(drawing, "<g text-anchor=\"middle\">\n");
    for (size_t i = 0; i < drawing->columns; i += step) {
        const double middle = ((double)i + 0.5) * block;
        svg_write_number(drawing, drawing->left + (x * drawing->scale + middle),
                         drawing->bottom + 15, i);
    }
    drawing_print(drawing, "</g>\n<g text-anchor=\"end\">\n");
    for (size_t i = 0; i < drawing->rows; i += step) {
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

static void svg_add_line(const struct drawing *drawing, int *y,
                         enum svg_kind kind)
{
    drawing_print(drawing, "<path");
    const char *label = svg_begin_stroke(drawing, kind, 1);
    drawing_print(drawing, "M2 %dh%d\"/>\n", *y + 10, SWATCH - 4);
    svg_add_label(drawing, y, label);
}

static void svg_add_colours(const struct drawing *drawing, int *y)
{
    drawing_print(drawing,
                  "<text id=\"lengths\" y=\"%d\">linedefs in a block:"
                  "</text>\n",
                  *y + 14);
    *y += LEGEND_ROW;
    for (size_t colour = 0; colour < COLOUR_COUNT; colour++) {
        char name[COLOUR_NAME_SIZE];
        char class[COLOUR_NAME_SIZE];
        drawing_colour_name(colour, name);
        snprintf(class, sizeof class, "colour-%zu", colour);
        svg_add_block(drawing, y, class, name);
    }
    svg_add_block(drawing, y, "unreadable", "cannot be read");
}

// Writes the legend with its upper left corner at x,y.
static void svg_write_legend(const struct drawing *drawing, double x, int top)
{
    int y = 0;
    drawing_print(drawing,
                  "<g id=\"legend\" font-size=\"13\" "
                  "transform=\"translate(%.6g %d)\">\n",
                  x, top);
    for (int kind = KIND_COUNT - 1; kind >= KIND_HARMLESS; kind--)
        svg_add_line(drawing, &y, (enum svg_kind)kind);
    drawing_print(drawing, "<path class=\"extra\" d=\"M%d %dl14 -14\"/>\n",
                  SWATCH / 2 - 7, y + 17);
    svg_add_label(drawing, &y, "extra linedefs");
    for (int kind = 0; kind < KIND_HARMLESS; kind++)
        svg_add_line(drawing, &y, (enum svg_kind)kind);
    svg_add_colours(drawing, &y);
    drawing_print(drawing, "</g>\n");
}

// ---------------------------------------------------------------------------
// The SVG

// The expected grid may be larger than the lump's, and is shown without one.
void svg_measure(struct drawing *drawing)
{
    const struct blockmap *present = &drawing->map->present;
    const bool has_blocks = present->block_count > 0;
    const struct grid *grid = drawing->map->has_expected
                                  ? &drawing->map->expected.grid
                                  : &present->grid;
    const struct grid *shown = has_blocks ? &present->grid : grid;
    drawing->columns = shown->columns;
    drawing->rows = shown->rows;
    drawing->origin_x =
        has_blocks ? lump_edge(present->origin_x, 0) : grid->origin_x;
    drawing->origin_y =
        has_blocks ? lump_edge(present->origin_y, 0) : grid->origin_y;
    drawing->west =
        drawing->map->has_expected ? grid->origin_x : drawing->origin_x;
    drawing->south =
        drawing->map->has_expected ? grid->origin_y : drawing->origin_y;
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
