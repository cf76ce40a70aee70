// SPDX-License-Identifier: GPL-2.0-or-later
//
// Around the map are its edges, with the numbers of columns and rows, and the
// legend, in pixels.
//
// What there is room for is found by counting: the picture is printed to
// nowhere, with less and less in it, until it is small enough.

#include "config.h"

#include "file/replace-file.h"
#include "picture/drawing.h"

enum {
    // Pixels.
    MARGIN = 20,
    EDGE_WIDTH = 36,  // of the numbers of rows
    EDGE_HEIGHT = 20, // of the numbers of columns
    LEGEND_GAP = 32,
    SCREEN_SIZE = 1024,
};

#define TOO_LARGE "Too large for tooltips; see"
#define SEE_LIST "blocksweep show --list"

// The most first.
static const struct content contents[] = {
    {ALL_BLOCKS, true, .note = {"Blocks and lines have tooltips.", ""}},
    {LISTING_BLOCKS, true,
     .note = {"Lines, and blocks with lines, have", "tooltips."}},
    {LISTING_BLOCKS, .note = {"Blocks with lines have tooltips.", ""}},
    {NO_BLOCKS, true,
     .note = {"Too large for tooltips of blocks; see", SEE_LIST}},
    {NO_BLOCKS, .note = {TOO_LARGE, SEE_LIST}},
    {NO_BLOCKS, .is_coarse = true, .note = {TOO_LARGE, SEE_LIST}},
};

enum { CONTENT_COUNT = sizeof contents / sizeof *contents };

// ---------------------------------------------------------------------------
// Places

// The legend stands below the map; beside one that is higher than wide or than
// a screen: to the right, or, if it would be out of sight there, to the left.
static void place_parts(struct drawing *drawing)
{
    double width = (drawing->east - drawing->west) * drawing->scale;
    double height = (drawing->north - drawing->south) * drawing->scale;
    bool is_beside = height > width || height > SCREEN_SIZE;
    bool is_left = is_beside && width > SCREEN_SIZE;
    drawing->legend_width = is_beside ? 0 : width;
    struct legend_size legend =
        legend_measure(&drawing->legend, drawing->legend_width);
    drawing->left = MARGIN + EDGE_WIDTH;
    if (is_left)
        drawing->left += legend.width + LEGEND_GAP;
    drawing->bottom = MARGIN + height;
    drawing->legend_x = is_left     ? MARGIN
                        : is_beside ? drawing->left + width + LEGEND_GAP
                                    : drawing->left;
    drawing->legend_y =
        is_beside ? MARGIN : drawing->bottom + EDGE_HEIGHT + LEGEND_GAP;
    drawing->width = drawing->left + width + MARGIN;
    drawing->height = drawing->bottom + EDGE_HEIGHT + MARGIN;
    if (drawing->legend_x + legend.width + MARGIN > drawing->width)
        drawing->width = drawing->legend_x + legend.width + MARGIN;
    if (drawing->legend_y + legend.height + MARGIN > drawing->height)
        drawing->height = drawing->legend_y + legend.height + MARGIN;
}

// ---------------------------------------------------------------------------
// Frame

// The numbers of columns below the grid, and of rows to the left of it.
static void write_edges(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    struct markup *markup = drawing->markup;
    double block = BLOCKMAP_SIDE * drawing->scale;
    double x =
        drawing->left +
        (drawing_in_units(blockmap->origin_x) - drawing->west) * drawing->scale;
    double y = drawing->bottom -
               (drawing_in_units(blockmap->origin_y) - drawing->south) *
                   drawing->scale;
    size_t step = drawing_find_step(drawing, DRAWING_COLUMN_NUMBER);
    markup_print(markup, "<g id=\"edges\" font-size=\"11\" fill=\"#666\">\n"
                         "<g text-anchor=\"middle\">\n");
    for (size_t i = 0; i < blockmap->columns; i += step)
        markup_print(markup, "<text x=\"%.6g\" y=\"%.6g\">%zu</text>\n",
                     x + ((double)i + 0.5) * block, drawing->bottom + 15, i);
    markup_print(markup, "</g>\n<g text-anchor=\"end\">\n");
    step = drawing_find_step(drawing, DRAWING_ROW_NUMBER);
    for (size_t i = 0; i < blockmap->rows; i += step)
        markup_print(markup, "<text x=\"%.6g\" y=\"%.6g\">%zu</text>\n",
                     drawing->left - 6, y - ((double)i + 0.5) * block + 4, i);
    markup_print(markup, "</g>\n</g>\n");
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

// Whether a picture with this content is small enough.
static bool has_room(struct drawing *drawing, const struct content *content)
{
    struct markup count = {.most = PICTURE_MOST_BYTES};
    drawing->markup = &count;
    drawing->content = *content;
    drawing->legend.note = content->note;
    write_picture(drawing);
    drawing->markup = NULL;
    return count.bytes <= count.most;
}

// Chooses the most that there is room for, at last the least there can be.
static void choose_content(struct drawing *drawing)
{
    size_t i = 0;
    while (!has_room(drawing, &contents[i]) && i + 1 < CONTENT_COUNT)
        i++;
}

void picture_write(const struct picture *picture, gzFile stream)
{
    struct markup markup = {.stream = stream};
    struct drawing drawing = {
        .picture = picture,
        // Some note, to have room for it.
        .legend = {.picture = picture, .note = contents[0].note},
    };
    drawing_measure(&drawing);
    place_parts(&drawing);
    choose_content(&drawing);
    drawing.markup = &markup;
    write_picture(&drawing);
}

enum exit_status picture_save(const struct picture *picture, const char *path)
{
    struct replacement replacement;
    bool compressed =
        file_name_ends(path, ".svgz") || file_name_ends(path, ".gz");
    enum exit_status status = replacement_begin(&replacement, path, compressed);
    if (status != STATUS_DONE)
        return status;
    picture_write(picture, replacement.stream);
    return replacement_commit(&replacement, false);
}
