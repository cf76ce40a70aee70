// SPDX-License-Identifier: GPL-2.0-or-later
//
// The blocks of a picture are drawn in columns and rows with y up.
//
// Runs of blocks with the same tint are one rectangle each, in one path for
// every tint, so that a large grid stays small.  What lies over them takes no
// paint: an invisible square for each block, with its tooltip.

#include "config.h"

#include "drawing.h"
#include "tints.h"

enum { MOST_SHARERS = 12 }; // that a tooltip names

// What a block is painted as: its tint, or this.
enum { UNREADABLE = TINT_COUNT };

static size_t find_paint(const struct picture *picture, size_t block)
{
    return picture->blockmap->lists[block].fault == LIST_READABLE
               ? tint_of(picture->census->lengths[block])
               : UNREADABLE;
}

static size_t find_marked(const struct picture *picture, size_t block)
{
    return picture->groups[block] != 0;
}

// Writes a rectangle for each run of blocks in a row of which `find` finds
// this.
static void write_runs(const struct drawing *drawing, size_t wanted,
                       size_t (*find)(const struct picture *picture,
                                      size_t block))
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    for (size_t row = 0; row < blockmap->rows; row++) {
        size_t begin = row * blockmap->columns;
        for (size_t column = 0; column < blockmap->columns; column++) {
            size_t first = column;
            while (column < blockmap->columns &&
                   find(drawing->picture, begin + column) == wanted)
                column++;
            if (column > first)
                markup_print(drawing->markup, "M%zu %zuh%zuv1H%zuz", first, row,
                             column - first, first);
        }
    }
}

static void write_tints(const struct drawing *drawing)
{
    struct markup *markup = drawing->markup;
    size_t last = tint_of(drawing->picture->census->longest);
    markup_print(markup, "<g id=\"tints\" shape-rendering=\"crispEdges\">\n");
    for (size_t tint = 0; tint <= last; tint++) {
        markup_print(markup, "<path id=\"tint-%zu\" fill=\"%s\" d=\"", tint,
                     tint_color(tint, last));
        write_runs(drawing, tint, find_paint);
        markup_print(markup, "\"/>\n");
    }
    if (drawing->legend.unreadable_blocks > 0) {
        markup_print(markup,
                     "<path id=\"unreadable\" fill=\"url(#cross-map)\" d=\"");
        write_runs(drawing, UNREADABLE, find_paint);
        markup_print(markup, "\"/>\n");
    }
    markup_print(markup, "</g>\n");
}

static void write_grid(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    struct markup *markup = drawing->markup;
    double pixel = 1 / (drawing->scale * DRAWING_BLOCK);
    markup_print(markup,
                 "<path id=\"grid\" fill=\"none\" stroke=\"#000\" "
                 "stroke-opacity=\".16\" stroke-width=\"%.4g\" d=\"",
                 pixel * (pixel < 0.1 ? 0.7 : 0.4));
    for (size_t row = 0; row <= blockmap->rows; row++)
        markup_print(markup, "M0 %zuh%lu", row,
                     (unsigned long)blockmap->columns);
    for (size_t column = 0; column <= blockmap->columns; column++)
        markup_print(markup, "M%zu 0v%lu", column,
                     (unsigned long)blockmap->rows);
    markup_print(markup, "\"/>\n");
}

// The group of the block at a column and row, as far as there is one.
static uint32_t group_at(const struct picture *picture, size_t column,
                         size_t row)
{
    const struct blockmap *blockmap = picture->blockmap;
    return column < blockmap->columns && row < blockmap->rows
               ? picture->groups[row * blockmap->columns + column]
               : 0;
}

// The borders between groups, west and south of each block.
static void write_borders(const struct drawing *drawing)
{
    const struct picture *picture = drawing->picture;
    for (size_t row = 0; row <= picture->blockmap->rows; row++)
        for (size_t column = 0; column <= picture->blockmap->columns;
             column++) {
            uint32_t group = group_at(picture, column, row);
            // Before column 0 is SIZE_MAX, which is outside of the grid.
            if (group != group_at(picture, column - 1, row))
                markup_print(drawing->markup, "M%zu %zuv1", column, row);
            if (group != group_at(picture, column, row - 1))
                markup_print(drawing->markup, "M%zu %zuh1", column, row);
        }
}

static void write_groups(const struct drawing *drawing)
{
    struct markup *markup = drawing->markup;
    markup_print(markup, "<path id=\"groups\" fill=\"url(#hatch-map)\" d=\"");
    write_runs(drawing, true, find_marked);
    markup_print(markup,
                 "\"/>\n<path id=\"group-borders\" fill=\"none\" stroke=\"%s\" "
                 "stroke-linecap=\"square\" stroke-width=\"%.4g\" d=\"",
                 GROUP_COLOR,
                 1.3 * drawing_line_factor(drawing) /
                     (drawing->scale * DRAWING_BLOCK));
    write_borders(drawing);
    markup_print(markup, "\"/>\n");
}

static void write_sharers(const struct drawing *drawing, size_t block)
{
    const struct picture *picture = drawing->picture;
    const struct placed_block *sharers;
    size_t count = census_find_sharers(picture->census, picture->blockmap,
                                       block, &sharers);
    if (count < 2)
        return;
    markup_print(drawing->markup, "\nthe list of %zu blocks:", count);
    for (size_t i = 0; i < count && i < MOST_SHARERS; i++)
        markup_print(drawing->markup, " %zu", sharers[i].block);
    if (count > MOST_SHARERS)
        markup_print(drawing->markup, " ...");
}

// Its number and place, its list, and whose list that is, too.
static void write_block_tooltip(const struct drawing *drawing, size_t block)
{
    const struct picture *picture = drawing->picture;
    const struct blockmap *blockmap = picture->blockmap;
    const struct blockmap_list *list = &blockmap->lists[block];
    size_t length = picture->census->lengths[block];
    struct markup *markup = drawing->markup;
    markup_print(markup, "<title>block %zu, column %zu, row %zu\n", block,
                 block % blockmap->columns, block / blockmap->columns);
    if (list->fault != LIST_READABLE) {
        markup_print(markup, "offset %lu: the list cannot be read",
                     (unsigned long)list->offset);
    } else if (length == 0) {
        markup_print(markup, "no linedefs");
    } else {
        markup_print(markup, "%zu linedef%s:", length, length == 1 ? "" : "s");
        for (size_t w = list->begin; w < list->end; w++)
            if (census_is_linedef(picture->census, w))
                markup_print(markup, " %lu",
                             (unsigned long)words_get(&blockmap->words, w));
        write_sharers(drawing, block);
    }
    markup_print(markup, "</title>");
}

static bool has_tooltip(const struct drawing *drawing, size_t block)
{
    return drawing->content.block_tooltips == ALL_BLOCKS ||
           (drawing->content.block_tooltips == LISTING_BLOCKS &&
            find_paint(drawing->picture, block) != 0);
}

static void write_block_tooltips(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    markup_print(drawing->markup,
                 "<g id=\"blocks\" fill=\"none\" pointer-events=\"fill\">\n");
    for (size_t b = 0;
         b < blockmap->block_count && !markup_is_full(drawing->markup); b++) {
        if (!has_tooltip(drawing, b))
            continue;
        markup_print(drawing->markup,
                     "<path id=\"b%zu\" d=\"M%zu %zuh1v1h-1z\">", b,
                     b % blockmap->columns, b / blockmap->columns);
        write_block_tooltip(drawing, b);
        markup_print(drawing->markup, "</path>\n");
    }
    markup_print(drawing->markup, "</g>\n");
}

void drawing_write_blocks(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    markup_print(drawing->markup,
                 "<g id=\"block-grid\" transform=\"translate(%.8g %.8g) "
                 "scale(%d)\">\n",
                 drawing_in_units(blockmap->origin_x),
                 drawing_in_units(blockmap->origin_y), DRAWING_BLOCK);
    write_tints(drawing);
    write_grid(drawing);
    if (drawing->picture->groups)
        write_groups(drawing);
    write_block_tooltips(drawing);
    markup_print(drawing->markup, "</g>\n");
}
