// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map is drawn in map units, with y up.  A block has 5 to 96 pixels, but in
// the largest grids fewer.

#include "config.h"

#include "picture/drawing.h"

// Pixels.
enum {
    USUAL_SIZE = 1000, // of the map's longer side
    MOST_SIZE = 6000,
    LEAST_BLOCK = 5,
    MOST_BLOCK = 96,
    TILE = 7, // of patterns
};

const struct drawing_widths drawing_widths = {32, 0.35, 1.4};

const unsigned drawing_steps[DRAWING_STEP_COUNT] = {
    1,    2,    5,    10,    20,    50,    100,    200,    500,
    1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000};

double drawing_in_units(int32_t coordinate)
{
    return coordinate / (double)BLOCKMAP_UNIT;
}

static void enclose(struct drawing *drawing, double x, double y)
{
    drawing->west = x < drawing->west ? x : drawing->west;
    drawing->south = y < drawing->south ? y : drawing->south;
    drawing->east = x > drawing->east ? x : drawing->east;
    drawing->north = y > drawing->north ? y : drawing->north;
}

// Finds what the grid and the lines enclose.
static void find_bounds(struct drawing *drawing)
{
    const struct nbstage_decoded *decoded = drawing->picture->decoded;
    const struct blockmap *blockmap = drawing->picture->blockmap;
    drawing->west = drawing->east = drawing_in_units(blockmap->origin_x);
    drawing->south = drawing->north = drawing_in_units(blockmap->origin_y);
    enclose(drawing, drawing->west + (double)blockmap->columns * BLOCKMAP_SIDE,
            drawing->south + (double)blockmap->rows * BLOCKMAP_SIDE);
    for (size_t i = 0; i < decoded->line_count; i++) {
        struct segment segment = drawing_get_segment(decoded, i);
        enclose(drawing, drawing_in_units(segment.start.x),
                drawing_in_units(segment.start.y));
        enclose(drawing, drawing_in_units(segment.end.x),
                drawing_in_units(segment.end.y));
    }
}

static void choose_scale(struct drawing *drawing)
{
    double width = drawing->east - drawing->west;
    double height = drawing->north - drawing->south;
    double longer = width > height ? width : height;
    double block = USUAL_SIZE * BLOCKMAP_SIDE / longer;
    if (block < LEAST_BLOCK)
        block = LEAST_BLOCK;
    if (block > MOST_BLOCK)
        block = MOST_BLOCK;
    if (block * longer > (double)MOST_SIZE * BLOCKMAP_SIDE)
        block = (double)MOST_SIZE * BLOCKMAP_SIDE / longer;
    drawing->scale = block / BLOCKMAP_SIDE;
}

double drawing_line_factor(const struct drawing *drawing)
{
    double factor = drawing->scale * BLOCKMAP_SIDE / drawing_widths.block;
    if (factor < drawing_widths.least)
        return drawing_widths.least;
    return factor > drawing_widths.most ? drawing_widths.most : factor;
}

unsigned drawing_find_step(const struct drawing *drawing, double pixels)
{
    size_t i = 0;
    while (i + 1 < DRAWING_STEP_COUNT &&
           drawing_steps[i] * BLOCKMAP_SIDE * drawing->scale < pixels)
        i++;
    return drawing_steps[i];
}

void drawing_write_step(const struct drawing *drawing, char command, long x,
                        long y)
{
    markup_print(drawing->markup, y < 0 ? "%c%ld%ld" : "%c%ld %ld", command, x,
                 y);
}

// ---------------------------------------------------------------------------

// Patterns are made of tiles, each so many units wide where it is used.
static void write_patterns(struct markup *markup, const char *used_in,
                           double tile, int upward)
{
    const char *form = "<pattern id=\"%s-%s\" width=\"%.4g\" height=\"%.4g\" "
                       "patternUnits=\"userSpaceOnUse\" viewBox=\"0 0 8 8\" "
                       "patternTransform=\"scale(1 %d)\">";
    markup_print(markup, form, "cross", used_in, tile, tile, upward);
    markup_print(markup, "<path fill=\"#ddd\" d=\"M0 0h8v8H0z\"/>"
                         "<path stroke=\"#a00\" d=\"M1 1l6 6M7 1l-6 6\"/>"
                         "</pattern>\n");
    markup_print(markup, form, "hatch", used_in, tile, tile, upward);
    markup_print(markup,
                 "<path stroke=\"%s\" stroke-opacity=\".55\" "
                 "d=\"M-1 1l2-2M-1 9L9-1M7 9l2-2\"/></pattern>\n",
                 GROUP_COLOR);
}

void drawing_write_patterns(const struct drawing *drawing)
{
    write_patterns(drawing->markup, "map",
                   TILE / (drawing->scale * BLOCKMAP_SIDE), -1);
    write_patterns(drawing->markup, "legend", TILE, 1);
}

void drawing_write_map(const struct drawing *drawing)
{
    markup_print(drawing->markup,
                 "<g id=\"map\" transform=\"translate(%.8g %.8g) "
                 "scale(%.8g -%.8g)\">\n",
                 drawing->left - drawing->west * drawing->scale,
                 drawing->bottom + drawing->south * drawing->scale,
                 drawing->scale, drawing->scale);
    drawing_write_blocks(drawing);
    drawing_write_lines(drawing);
    markup_print(drawing->markup, "</g>\n");
}

// ---------------------------------------------------------------------------

static void count_for_legend(struct drawing *drawing)
{
    const struct picture *picture = drawing->picture;
    const struct blockmap *blockmap = picture->blockmap;
    struct legend *legend = &drawing->legend;
    for (size_t i = 0; i < picture->decoded->line_count; i++)
        legend->line_count[drawing_get_segment(picture->decoded, i).kind]++;
    legend->unreadable_blocks =
        blockmap->block_count - blockmap->fault_count[LIST_READABLE];
    for (size_t b = 0; picture->groups && b < blockmap->block_count; b++)
        legend->marked_blocks += picture->groups[b] != 0;
}

void drawing_measure(struct drawing *drawing)
{
    count_for_legend(drawing);
    find_bounds(drawing);
    choose_scale(drawing);
}
