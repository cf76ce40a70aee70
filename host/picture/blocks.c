// SPDX-License-Identifier: GPL-2.0-or-later
//
// The blocks of a drawing: their colours, grids, marks.  Blocks of one colour
// are one path, in which a run of blocks is one rectangle.  This keeps the
// drawing of a large map small.
//
// A marked block has a pattern and a border.  Where the block is small, the
// border is wide, so that one block of a large map is seen.

#include "config.h"

#include "picture/drawing.h"

#include "inspect/statistics.h"
#include "lines/grid.h"
#include "lump/blockmap.h"
#include "picture/colours.h"
#include "picture/findings.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TILE = 7 }; // of patterns, pixels

// Patterns are made of tiles, each so many units wide where it is used.
static void blocks_write_tiles(const struct drawing *drawing,
                               const char *used_in, double tile, int upward)
{
    const char *form = "<pattern id=\"%s-%s\" class=\"%s\" width=\"%.4g\" "
                       "height=\"%.4g\" patternUnits=\"userSpaceOnUse\" "
                       "viewBox=\"0 0 8 8\" patternTransform=\"scale(1 %d)\">"
                       "%s</pattern>\n";
    for (size_t kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        const struct finding_style *style = &finding_styles[kind];
        drawing_print(drawing, form, style->id, used_in, style->id, tile, tile,
                      upward, style->tile);
    }
    drawing_print(drawing, form, "shared", used_in, "shared", tile, tile,
                  upward,
                  "<path stroke=\"currentColor\" stroke-opacity=\".55\" "
                  "d=\"M-1 1l2-2M-1 9L9-1M7 9l2-2\"/>");
}

void blocks_write_patterns(const struct drawing *drawing)
{
    drawing_print(drawing, "<defs>\n");
    blocks_write_tiles(drawing, "map", TILE / (drawing->scale * BLOCK_SIZE),
                       -1);
    blocks_write_tiles(drawing, "legend", TILE, 1);
    drawing_print(drawing, "</defs>\n");
}

// What blocks are painted as: their colours, and these.
enum { UNREADABLE = COLOUR_COUNT, MARKED };

static bool blocks_have_paint(const struct picture *picture, size_t block,
                              size_t paint)
{
    const struct statistics *statistics = picture->statistics;
    if (paint == MARKED)
        return picture->groups[block] != 0;
    if (picture->blockmap->lists[block].fault != LIST_READABLE)
        return paint == UNREADABLE;
    return paint == colour_of(colours_for(statistics->longest),
                              picture->blockmap->lists[block].distinct);
}

// Writes the path of all blocks that have this paint.
static void blocks_write_paint(const struct drawing *drawing, const char *id,
                               const char *pattern, size_t paint)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    drawing_print(drawing, "<path id=\"%s\"", id);
    if (pattern)
        drawing_print(drawing, " fill=\"url(#%s-map)\"", pattern);
    drawing_print(drawing, " d=\"");
    for (size_t row = 0; row < blockmap->rows; row++)
        for (size_t column = 0; column < blockmap->columns; column++) {
            size_t begin = row * blockmap->columns;
            size_t first = column;
            while (column < blockmap->columns &&
                   blocks_have_paint(drawing->picture, begin + column, paint))
                column++;
            if (column > first)
                drawing_print(drawing, "M%zu %zuh%zuv1H%zuz", first, row,
                              column - first, first);
        }
    drawing_print(drawing, "\"/>\n");
}

static void blocks_write_colours(const struct drawing *drawing)
{
    struct colours colours = colours_for(drawing->picture->statistics->longest);
    char id[24];
    drawing_print(drawing,
                  "<g id=\"colours\" shape-rendering=\"crispEdges\">\n");
    for (size_t colour = 0; colour <= colours.last; colour++) {
        snprintf(id, sizeof id, "colour-%zu", colour);
        blocks_write_paint(drawing, id, NULL, colour);
    }
    if (drawing->picture->blockmap->unreadable_count > 0)
        blocks_write_paint(drawing, "unreadable", "unreadable", UNREADABLE);
    drawing_print(drawing, "</g>\n");
}

// Writes a grid in the coordinates of the drawn one.
static void blocks_write_grid(const struct drawing *drawing, const char *id,
                              const struct blockmap *grid)
{
    const struct blockmap *drawn = drawing->picture->blockmap;
    double pixel = 1 / (drawing->scale * BLOCK_SIZE);
    double x = ((double)grid->origin_x - drawn->origin_x) / BLOCK_FIXED_SIZE;
    double y = ((double)grid->origin_y - drawn->origin_y) / BLOCK_FIXED_SIZE;
    drawing_print(drawing,
                  "<path id=\"%s\" fill=\"none\" stroke-width=\"%.4g\" d=\"",
                  id, pixel * (pixel < 0.1 ? 0.7 : 0.4));
    for (size_t row = 0; row <= grid->rows; row++)
        drawing_print(drawing, "M%.7g %.7gh%lu", x, y + (double)row,
                      (unsigned long)grid->columns);
    for (size_t column = 0; column <= grid->columns; column++)
        drawing_print(drawing, "M%.7g %.7gv%lu", x + (double)column, y,
                      (unsigned long)grid->rows);
    drawing_print(drawing, "\"/>\n");
}

// The group of the block at a column and row; 0 outside the grid.
static uint32_t blocks_group_at(const struct picture *picture, size_t column,
                                size_t row)
{
    const struct blockmap *blockmap = picture->blockmap;
    return column < blockmap->columns && row < blockmap->rows
               ? picture->groups[row * blockmap->columns + column]
               : 0;
}

// Whether the block at a column and row is in another group than the block to
// its west, or to its south.
static bool blocks_are_border(const struct picture *picture, size_t column,
                              size_t row, bool is_west)
{
    // Before column or row 0 is SIZE_MAX, which is outside the grid.
    return blocks_group_at(picture, column, row) !=
           blocks_group_at(picture, column - is_west, row - !is_west);
}

// Writes the west or the south borders of groups, as strokes that are as long
// as possible.
static void blocks_write_borders(const struct drawing *drawing, bool is_west)
{
    const struct picture *picture = drawing->picture;
    size_t columns = picture->blockmap->columns;
    size_t rows = picture->blockmap->rows;
    size_t across = is_west ? columns : rows;
    size_t along = is_west ? rows : columns;
    for (size_t a = 0; a <= across; a++)
        for (size_t i = 0; i < along; i++) {
            size_t first = i;
            while (i < along && blocks_are_border(picture, is_west ? a : i,
                                                  is_west ? i : a, is_west))
                i++;
            if (i > first)
                drawing_print(drawing, "M%zu %zu%c%zu", is_west ? a : first,
                              is_west ? first : a, is_west ? 'v' : 'h',
                              i - first);
        }
}

static void blocks_write_groups(const struct drawing *drawing)
{
    blocks_write_paint(drawing, "groups", "shared", MARKED);
    drawing_print(drawing,
                  "<path id=\"group-borders\" class=\"shared\" fill=\"none\" "
                  "stroke=\"currentColor\" stroke-linecap=\"square\" "
                  "stroke-width=\"%.4g\" d=\"",
                  1.3 * drawing_line_factor(drawing) /
                      (drawing->scale * BLOCK_SIZE));
    blocks_write_borders(drawing, false);
    blocks_write_borders(drawing, true);
    drawing_print(drawing, "\"/>\n");
}

// ---------------------------------------------------------------------------
// Findings

// Pixels.
enum {
    LEAST_MARK = 14, // a block with its border
    MOST_BORDER = 6,
};

// Harmless and extra entries need not catch the eye.  page.js has the same.
static double blocks_border_width(const struct drawing *drawing,
                                  enum finding_kind kind)
{
    double width = (LEAST_MARK - drawing->scale * BLOCK_SIZE) / 2;
    if (kind == FINDING_HARMLESS || kind == FINDING_EXTRA)
        return 0.8;
    return width < 1.6 ? 1.6 : width > MOST_BORDER ? MOST_BORDER : width;
}

// Writes a rectangle from one block to another in its row, in the coordinates
// of the drawn grid.
static void blocks_write_run(const struct drawing *drawing,
                             const struct finding *first,
                             const struct finding *last)
{
    const struct blockmap *grid = drawing->picture->blockmap;
    const double side = BLOCK_FIXED_SIZE;
    drawing_print(drawing, "M%.7g %.7gh%.7gv1h%.7gz",
                  (double)(first->x - grid->origin_x) / side,
                  (double)(first->y - grid->origin_y) / side,
                  (double)(last->x - first->x) / side + 1,
                  (double)(first->x - last->x) / side - 1);
}

static void blocks_mark_kind(const struct drawing *drawing,
                             enum finding_kind kind)
{
    const struct finding_list *blocks = &drawing->picture->findings->blocks;
    const char *id = finding_styles[kind].id;
    const struct finding *first = NULL;
    const struct finding *last = NULL;
    drawing_print(drawing,
                  "<path id=\"%s-blocks\" class=\"%s\" fill=\"url(#%s-map)\" "
                  "stroke=\"currentColor\" stroke-width=\"%.4g\" d=\"",
                  id, id, id,
                  blocks_border_width(drawing, kind) /
                      (drawing->scale * BLOCK_SIZE));
    for (size_t i = 0; i < blocks->count; i++) {
        const struct finding *block = &blocks->finding[i];
        if (block->kind != kind)
            continue;
        bool follows = last && block->y == last->y &&
                       block->x == last->x + BLOCK_FIXED_SIZE;
        if (last && !follows)
            blocks_write_run(drawing, first, last);
        first = follows ? first : block;
        last = block;
    }
    if (last)
        blocks_write_run(drawing, first, last);
    drawing_print(drawing, "\"/>\n");
}

static void blocks_mark(const struct drawing *drawing,
                        const struct findings *findings)
{
    // What matters more lies above.
    static const enum finding_kind order[FINDING_KIND_COUNT] = {
        FINDING_HARMLESS, FINDING_EXTRA,    FINDING_UNREADABLE,
        FINDING_ONLY_OLD, FINDING_ONLY_NEW, FINDING_MISSING,
    };
    drawing_print(drawing, "<g id=\"findings\" stroke-linejoin=\"round\">\n");
    for (size_t i = 0; i < FINDING_KIND_COUNT; i++)
        if (findings->kinds & 1u << order[i])
            blocks_mark_kind(drawing, order[i]);
    drawing_print(drawing, "</g>\n");
}

void blocks_write(const struct drawing *drawing)
{
    const struct picture *picture = drawing->picture;
    drawing_print(drawing,
                  "<g id=\"block-grid\" transform=\"translate(%.8g %.8g) "
                  "scale(%d)\">\n",
                  drawing_in_units(picture->blockmap->origin_x),
                  drawing_in_units(picture->blockmap->origin_y), BLOCK_SIZE);
    blocks_write_colours(drawing);
    blocks_write_grid(drawing, "grid", picture->blockmap);
    if (picture->old)
        blocks_write_grid(drawing, "old-grid", picture->old);
    if (picture->groups)
        blocks_write_groups(drawing);
    if (picture->findings)
        blocks_mark(drawing, picture->findings);
    drawing_print(drawing, "</g>\n");
}
