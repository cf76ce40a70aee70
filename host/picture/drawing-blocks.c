// SPDX-License-Identifier: GPL-2.0-or-later
//
// The blocks of a picture are drawn in columns and rows with y up.
//
// Runs of blocks with the same colour are one rectangle each, or in a coarse
// picture one stroke, in one path for every colour, so that a large grid stays
// small.  What lies over them takes no
// paint: an invisible square for each block, with its tooltip.

#include "config.h"

#include "picture/colours.h"
#include "picture/drawing.h"

#include <stdio.h>

enum { MOST_SHARERS = 12 }; // that a tooltip names

// What a block is painted as: its colour, or this.
enum { UNREADABLE = COLOUR_COUNT };

static size_t find_paint(const struct picture *picture, size_t block)
{
    const struct statistics *statistics = picture->statistics;
    return picture->blockmap->lists[block].fault == LIST_READABLE
               ? colour_of(colours_for(statistics->longest),
                           statistics->lengths[block])
               : UNREADABLE;
}

static size_t find_marked(const struct picture *picture, size_t block)
{
    return picture->groups[block] != 0;
}

// Where the path of a coarse picture is.
struct pen {
    size_t column;
    size_t row;
};

// Goes to a column and row.
static void move_pen(const struct drawing *drawing, size_t column, size_t row,
                     struct pen *pen)
{
    if (drawing->content.is_coarse)
        drawing_write_step(drawing, 'm', (long)column - (long)pen->column,
                           (long)row - (long)pen->row);
    else
        markup_print(drawing->markup, "M%zu %zu", column, row);
    *pen = (struct pen){column, row};
}

static void write_run(const struct drawing *drawing, size_t column, size_t row,
                      size_t length, struct pen *pen)
{
    move_pen(drawing, column, row, pen);
    markup_print(drawing->markup, "h%zu", length);
    if (drawing->content.is_coarse)
        pen->column += length;
    else
        markup_print(drawing->markup, "v1H%zuz", column);
}

// Writes each run of blocks in a row of which `find` finds this.
static void write_runs(const struct drawing *drawing, size_t wanted,
                       size_t (*find)(const struct picture *picture,
                                      size_t block))
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    struct pen pen = {0, 0};
    for (size_t row = 0; row < blockmap->rows; row++) {
        size_t begin = row * blockmap->columns;
        for (size_t column = 0; column < blockmap->columns; column++) {
            size_t first = column;
            while (column < blockmap->columns &&
                   find(drawing->picture, begin + column) == wanted)
                column++;
            if (column > first)
                write_run(drawing, first, row, column - first, &pen);
        }
    }
}

// Writes the path of all blocks of which `find` finds this, with its paint.
static void write_blocks(const struct drawing *drawing, const char *id,
                         const char *paint, size_t wanted,
                         size_t (*find)(const struct picture *picture,
                                        size_t block))
{
    struct markup *markup = drawing->markup;
    markup_print(markup, "<path id=\"%s\" ", id);
    if (drawing->content.is_coarse)
        markup_print(markup,
                     "transform=\"translate(0 .5)\" fill=\"none\" "
                     "stroke-width=\"1\" stroke=\"%s\" d=\"",
                     paint);
    else
        markup_print(markup, "fill=\"%s\" d=\"", paint);
    write_runs(drawing, wanted, find);
    markup_print(markup, "\"/>\n");
}

static void write_colours(const struct drawing *drawing)
{
    struct colours colours = colours_for(drawing->picture->statistics->longest);
    char id[24];
    char color[COLOUR_CODE_SIZE];
    markup_print(drawing->markup,
                 "<g id=\"colours\" shape-rendering=\"crispEdges\">\n");
    for (size_t colour = 0; colour <= colours.last; colour++) {
        snprintf(id, sizeof id, "colour-%zu", colour);
        colour_code(colours, colour, false, color);
        write_blocks(drawing, id, color, colour, find_paint);
    }
    if (drawing->legend.unreadable_blocks > 0)
        write_blocks(drawing, "unreadable", "url(#cross-map)", UNREADABLE,
                     find_paint);
    markup_print(drawing->markup, "</g>\n");
}

static void write_grid(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    struct markup *markup = drawing->markup;
    double pixel = 1 / (drawing->scale * BLOCKMAP_SIDE);
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

// Whether there is a border between a block and the one to its west.
static bool is_west_border(const struct picture *picture, size_t column,
                           size_t row)
{
    // Before column 0 is SIZE_MAX, which is outside of the grid.
    return group_at(picture, column, row) != group_at(picture, column - 1, row);
}

static bool is_south_border(const struct picture *picture, size_t column,
                            size_t row)
{
    return group_at(picture, column, row) != group_at(picture, column, row - 1);
}

static void write_south_borders(const struct drawing *drawing, struct pen *pen)
{
    const struct picture *picture = drawing->picture;
    size_t columns = picture->blockmap->columns;
    for (size_t row = 0; row <= picture->blockmap->rows; row++)
        for (size_t column = 0; column < columns; column++) {
            size_t first = column;
            while (column < columns && is_south_border(picture, column, row))
                column++;
            if (column == first)
                continue;
            move_pen(drawing, first, row, pen);
            markup_print(drawing->markup, "h%zu", column - first);
            pen->column = column;
        }
}

static void write_west_borders(const struct drawing *drawing, struct pen *pen)
{
    const struct picture *picture = drawing->picture;
    size_t rows = picture->blockmap->rows;
    for (size_t column = 0; column <= picture->blockmap->columns; column++)
        for (size_t row = 0; row < rows; row++) {
            size_t first = row;
            while (row < rows && is_west_border(picture, column, row))
                row++;
            if (row == first)
                continue;
            move_pen(drawing, column, first, pen);
            markup_print(drawing->markup, "v%zu", row - first);
            pen->row = row;
        }
}

// The borders between groups, as strokes that are as long as can be.
static void write_borders(const struct drawing *drawing)
{
    struct pen pen = {0, 0};
    write_south_borders(drawing, &pen);
    write_west_borders(drawing, &pen);
}

static void write_groups(const struct drawing *drawing)
{
    struct markup *markup = drawing->markup;
    write_blocks(drawing, "groups", "url(#hatch-map)", true, find_marked);
    markup_print(markup,
                 "<path id=\"group-borders\" fill=\"none\" stroke=\"%s\" "
                 "stroke-linecap=\"square\" stroke-width=\"%.4g\" d=\"",
                 GROUP_COLOR,
                 1.3 * drawing_line_factor(drawing) /
                     (drawing->scale * BLOCKMAP_SIDE));
    write_borders(drawing);
    markup_print(markup, "\"/>\n");
}

static void write_sharers(const struct drawing *drawing, size_t block)
{
    const struct picture *picture = drawing->picture;
    const struct placed_block *sharers;
    size_t count = statistics_find_sharers(picture->statistics,
                                           picture->blockmap, block, &sharers);
    if (count < 2)
        return;
    markup_print(drawing->markup, "\nthe list of %zu blocks:", count);
    for (size_t i = 0; i < count && i < MOST_SHARERS; i++)
        markup_print(drawing->markup, " %zu", sharers[i].block);
    if (count > MOST_SHARERS)
        markup_print(drawing->markup, " ...");
}

// Writes the words of a list that are this to it.
static void write_entries(const struct drawing *drawing,
                          const struct blockmap_list *list,
                          enum word_role wanted)
{
    const struct picture *picture = drawing->picture;
    for (size_t w = list->begin; w < list->end; w++)
        if (statistics_role_at(picture->statistics, w) == wanted)
            markup_print(
                drawing->markup, " %lu",
                (unsigned long)words_get(&picture->blockmap->words, w));
}

static void write_list(const struct drawing *drawing, size_t block)
{
    const struct blockmap_list *list =
        &drawing->picture->blockmap->lists[block];
    size_t length = drawing->picture->statistics->lengths[block];
    struct markup *markup = drawing->markup;
    if (length == 0)
        markup_print(markup, "no linedefs");
    else
        markup_print(markup, "%zu linedef%s:", length, length == 1 ? "" : "s");
    write_entries(drawing, list, ROLE_LINEDEF);
    if (list->repeats > 0) {
        markup_print(markup, "\nlisted once more:");
        write_entries(drawing, list, ROLE_REPEATED);
    }
    if (list->too_large > 0) {
        markup_print(markup, "\nno linedefs of the map:");
        write_entries(drawing, list, ROLE_TOO_LARGE);
    }
    if (length > 0)
        write_sharers(drawing, block);
}

// Its number and place, its list, and whose list that is, too.
static void write_block_tooltip(const struct drawing *drawing, size_t block)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    const struct blockmap_list *list = &blockmap->lists[block];
    markup_print(drawing->markup, "<title>block %zu, column %zu, row %zu\n",
                 block, block % blockmap->columns, block / blockmap->columns);
    if (list->fault == LIST_READABLE)
        write_list(drawing, block);
    else
        markup_print(drawing->markup, "offset %lu: the list cannot be read",
                     (unsigned long)list->offset);
    markup_print(drawing->markup, "</title>");
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
                 drawing_in_units(blockmap->origin_y), BLOCKMAP_SIDE);
    write_colours(drawing);
    write_grid(drawing);
    if (drawing->picture->groups)
        write_groups(drawing);
    write_block_tooltips(drawing);
    markup_print(drawing->markup, "</g>\n");
}
