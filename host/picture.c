// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map is drawn in map units, with y up; texts around it in pixels.  A block
// of the picture has 5 to 96 pixels.
//
// What there is room for is found by counting: the picture is printed to
// nowhere, with less and less in it, until it is small enough.

#include "config.h"

#include "drawing.h"
#include "files.h"

#include <string.h>

enum {
    // Pixels.
    MARGIN = 20,
    EDGE_WIDTH = 36,  // of the numbers of rows
    EDGE_HEIGHT = 20, // of the numbers of columns
    LEGEND_GAP = 32,
    USUAL_SIZE = 1000, // of the map's longer side
    MOST_SIZE = 6000,
    LEAST_BLOCK = 5,
    MOST_BLOCK = 96,
    COLUMN_NUMBER_WIDTH = 44,
    ROW_NUMBER_HEIGHT = 22,
    TILE = 7, // of patterns
};

static const struct content contents[] = {
    {true, true, ALL_BLOCKS, "Blocks and lines have tooltips."},
    {true, true, LISTING_BLOCKS, "Only blocks with lines have tooltips."},
    {true, false, LISTING_BLOCKS, "Only blocks with lines have tooltips."},
    {true, true, NO_BLOCKS, "Too large for tooltips of blocks."},
    {true, false, NO_BLOCKS, "Too large for tooltips: see --list."},
    {false, false, NO_BLOCKS, "Too large for tooltips: see --list."},
};

// ---------------------------------------------------------------------------
// Places

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
    enclose(drawing, drawing->west + (double)blockmap->columns * DRAWING_BLOCK,
            drawing->south + (double)blockmap->rows * DRAWING_BLOCK);
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
    double block = USUAL_SIZE * DRAWING_BLOCK / longer;
    if (block < LEAST_BLOCK)
        block = LEAST_BLOCK;
    if (block > MOST_BLOCK)
        block = MOST_BLOCK;
    if (block * longer > (double)MOST_SIZE * DRAWING_BLOCK)
        block = (double)MOST_SIZE * DRAWING_BLOCK / longer;
    drawing->scale = block / DRAWING_BLOCK;
}

// The legend stands beside a map that is higher than wide, else below it.
static void place_parts(struct drawing *drawing)
{
    double width = (drawing->east - drawing->west) * drawing->scale;
    double height = (drawing->north - drawing->south) * drawing->scale;
    bool beside = height > width;
    drawing->left = MARGIN + EDGE_WIDTH;
    drawing->bottom = MARGIN + height;
    drawing->legend_width = beside ? 0 : width;
    struct legend_size legend =
        legend_measure(&drawing->legend, drawing->legend_width);
    drawing->legend_x = beside ? drawing->left + width + LEGEND_GAP
                               : (double)MARGIN + EDGE_WIDTH;
    drawing->legend_y =
        beside ? MARGIN : drawing->bottom + EDGE_HEIGHT + LEGEND_GAP;
    drawing->width = drawing->left + width + MARGIN;
    drawing->height = drawing->bottom + EDGE_HEIGHT + MARGIN;
    if (drawing->legend_x + legend.width + MARGIN > drawing->width)
        drawing->width = drawing->legend_x + legend.width + MARGIN;
    if (drawing->legend_y + legend.height + MARGIN > drawing->height)
        drawing->height = drawing->legend_y + legend.height + MARGIN;
}

// ---------------------------------------------------------------------------
// Frame

// 1, 2, 5, 10, ...: the least step with so many pixels between numbers.
static size_t choose_step(const struct drawing *drawing, double pixels)
{
    size_t step = 1;
    for (size_t i = 0; (double)step * DRAWING_BLOCK * drawing->scale < pixels;
         i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

// The numbers of columns below the grid, and of rows to the left of it.
static void write_edges(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    struct markup *markup = drawing->markup;
    double block = DRAWING_BLOCK * drawing->scale;
    double x =
        drawing->left +
        (drawing_in_units(blockmap->origin_x) - drawing->west) * drawing->scale;
    double y = drawing->bottom -
               (drawing_in_units(blockmap->origin_y) - drawing->south) *
                   drawing->scale;
    size_t step = choose_step(drawing, COLUMN_NUMBER_WIDTH);
    markup_print(markup, "<g id=\"edges\" font-size=\"11\" fill=\"#666\">\n"
                         "<g text-anchor=\"middle\">\n");
    for (size_t i = 0; i < blockmap->columns; i += step)
        markup_print(markup, "<text x=\"%.6g\" y=\"%.6g\">%zu</text>\n",
                     x + ((double)i + 0.5) * block, drawing->bottom + 15, i);
    markup_print(markup, "</g>\n<g text-anchor=\"end\">\n");
    step = choose_step(drawing, ROW_NUMBER_HEIGHT);
    for (size_t i = 0; i < blockmap->rows; i += step)
        markup_print(markup, "<text x=\"%.6g\" y=\"%.6g\">%zu</text>\n",
                     drawing->left - 6, y - ((double)i + 0.5) * block + 4, i);
    markup_print(markup, "</g>\n</g>\n");
}

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
                   TILE / (drawing->scale * DRAWING_BLOCK), -1);
    write_patterns(drawing->markup, "legend", TILE, 1);
}

static void write_head(const struct drawing *drawing)
{
    struct markup *markup = drawing->markup;
    markup_print(markup,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"picture\" "
                 "width=\"%.6g\" height=\"%.6g\" viewBox=\"0 0 %.6g %.6g\" "
                 "font-family=\"system-ui, 'DejaVu Sans', sans-serif\" "
                 "fill=\"#222\">\n<title>",
                 drawing->width, drawing->height, drawing->width,
                 drawing->height);
    markup_print_text(markup, drawing->picture->name);
    markup_print(markup, "</title>\n");
    markup_print(markup, "<defs>\n");
    drawing_write_patterns(drawing);
    markup_print(
        markup,
        "</defs>\n<rect id=\"background\" width=\"%.6g\" height=\"%.6g\" "
        "fill=\"#f6f6f3\"/>\n",
        drawing->width, drawing->height);
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

static void write_picture(const struct drawing *drawing)
{
    write_head(drawing);
    drawing_write_map(drawing);
    write_edges(drawing);
    legend_write(&drawing->legend, drawing->legend_x, drawing->legend_y,
                 drawing->legend_width, drawing->markup);
    markup_print(drawing->markup, "</svg>\n");
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

// Whether a picture with this content is small enough.
static bool has_room(struct drawing *drawing, const struct content *content)
{
    struct markup count = {.most = PICTURE_MOST_BYTES};
    drawing->markup = &count;
    drawing->content = *content;
    drawing->legend.note = content->note;
    write_picture(drawing);
    return count.bytes <= count.most;
}

// Chooses the most that there is room for, at last the least there can be.
static void choose_content(struct drawing *drawing)
{
    static const struct content without_tooltips[] = {
        {true, false, NO_BLOCKS, NULL}, {false, false, NO_BLOCKS, NULL}};
    bool tooltips = drawing->picture->tooltips;
    const struct content *content = tooltips ? contents : without_tooltips;
    size_t count = tooltips
                       ? sizeof contents / sizeof *contents
                       : sizeof without_tooltips / sizeof *without_tooltips;
    size_t i = 0;
    while (!has_room(drawing, &content[i]) && i + 1 < count)
        i++;
}

void picture_write(const struct picture *picture, gzFile stream)
{
    struct markup markup = {.stream = stream};
    struct drawing drawing = {
        .picture = picture,
        // The least note there is, to have a row for it.
        .legend = {.picture = picture, .note = picture->tooltips ? "" : NULL},
    };
    drawing_measure(&drawing);
    place_parts(&drawing);
    choose_content(&drawing);
    drawing.markup = &markup;
    write_picture(&drawing);
}

static bool has_ending(const char *text, const char *ending)
{
    size_t length = strlen(text);
    size_t ending_length = strlen(ending);
    return length >= ending_length &&
           strcmp(text + length - ending_length, ending) == 0;
}

enum exit_status picture_save(const struct picture *picture, const char *path)
{
    struct replacement replacement;
    bool compressed = has_ending(path, ".svgz") || has_ending(path, ".gz");
    enum exit_status status = replacement_begin(&replacement, path, compressed);
    if (status != STATUS_DONE)
        return status;
    picture_write(picture, replacement.stream);
    return replacement_commit(&replacement, false);
}
