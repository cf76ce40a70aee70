// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map has its edges around it, with the numbers of columns and rows, and
// the legend, all in pixels.

#include "config.h"

#include "picture/picture.h"

#include "file/replace-file.h"
#include "picture/drawing.h"
#include "platform/location.h"
#include "report.h"

#include <stdio.h>
#include <string.h>

// Pixels.
enum {
    MARGIN = 20,
    EDGE_WIDTH = 36,    // of the numbers of rows
    EDGE_HEIGHT = 20,   // of the numbers of columns
    COLUMN_NUMBER = 44, // from one number to the next, at least
    ROW_NUMBER = 22,
    LEGEND_GAP = 32,
    LEGEND_BELOW = 1100, // at most, where the legend is below the map
};

// ---------------------------------------------------------------------------
// Paths

enum { PATH_SIZE = 4096 };

static bool in_same_folder(const char *a, const char *b)
{
    char folder_of_a[PATH_SIZE];
    char folder_of_b[PATH_SIZE];
    return snprintf(folder_of_a, PATH_SIZE, "%.*s.", (int)(file_base(a) - a),
                    a) < PATH_SIZE &&
           snprintf(folder_of_b, PATH_SIZE, "%.*s.", (int)(file_base(b) - b),
                    b) < PATH_SIZE &&
           location_is_same(folder_of_a, folder_of_b);
}

// Files are the same if the system says so.  Files that do not exist yet are if
// they have the same name in the same folder.
static bool is_same_file(const char *a, const char *b)
{
    return location_is_same(a, b) ||
           (strcmp(drawing_file_name(a), drawing_file_name(b)) == 0 &&
            in_same_folder(a, b));
}

// Returns whether the file of an option, if it is used, is another file.
static bool is_other_file(const char *option, const char *path,
                          const char *other, const char *what)
{
    if (!path || !other || file_is_standard(path) || !is_same_file(path, other))
        return true;
    message_print("--%s: %s is the file %s; another one was expected", option,
                  path, what);
    return false;
}

enum exit_status picture_check_paths(const struct arguments *arguments)
{
    const char *svg = arguments->svg;
    const char *html = arguments->html;
    const char *read = "that is read";
    bool good = true;
    if (picture_is_standard(arguments) &&
        (arguments->json ||
         (svg && html && file_is_standard(svg) && file_is_standard(html)))) {
        message_print("standard output takes only one of --svg, --html and "
                      "--json");
        return STATUS_USAGE;
    }
    for (size_t i = 0; good && i < arguments->file_count; i++)
        good = is_other_file("svg", svg, arguments->files[i], read) &&
               is_other_file("html", html, arguments->files[i], read);
    good = good && is_other_file("html", html, svg, "of --svg");
    return good ? STATUS_DONE : STATUS_USAGE;
}

bool picture_is_standard(const struct arguments *arguments)
{
    return (arguments->svg && file_is_standard(arguments->svg)) ||
           (arguments->html && file_is_standard(arguments->html));
}

const char *picture_option(const struct arguments *arguments)
{
    return arguments->svg ? "svg" : arguments->html ? "html" : NULL;
}

// ---------------------------------------------------------------------------
// Places

struct places {
    double legend_x; // pixels
    double legend_y;
    double legend_width; // at most
    double width;
    double height;
};

// Places the map and the legend, to use the room of a screen: the legend is on
// the right of the map, and below one that is much wider than high.
static struct places place_parts(struct drawing *drawing)
{
    double width = (drawing->east - drawing->west) * drawing->scale;
    double height = (drawing->north - drawing->south) * drawing->scale;
    bool is_beside = height > 0.6 * width;
    struct places places = {.legend_width = is_beside ? 0 : LEGEND_BELOW};
    struct legend_size legend =
        legend_write(drawing, 0, 0, places.legend_width);
    drawing->left = MARGIN + EDGE_WIDTH;
    drawing->bottom = MARGIN + height;
    places.legend_x = drawing->left + (is_beside ? width + LEGEND_GAP : 0);
    places.legend_y =
        is_beside ? MARGIN : drawing->bottom + EDGE_HEIGHT + LEGEND_GAP;
    places.width = drawing->left + width + MARGIN;
    places.height = drawing->bottom + EDGE_HEIGHT + MARGIN;
    if (places.legend_x + legend.width + MARGIN > places.width)
        places.width = places.legend_x + legend.width + MARGIN;
    if (places.legend_y + legend.height + MARGIN > places.height)
        places.height = places.legend_y + legend.height + MARGIN;
    return places;
}

// The least of 1, 2, 5, 10, 20 ... columns or rows that have so many pixels.
static size_t find_step(const struct drawing *drawing, double pixels)
{
    size_t step = 1;
    for (size_t i = 0; (double)step * BLOCKMAP_SIDE * drawing->scale < pixels;
         i++)
        step = i % 3 == 1 ? step * 5 / 2 : step * 2;
    return step;
}

// Writes the numbers of columns below the grid, and of rows to the left of it.
static void write_edges(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    double block = BLOCKMAP_SIDE * drawing->scale;
    double x =
        drawing->left +
        (drawing_in_units(blockmap->origin_x) - drawing->west) * drawing->scale;
    double y = drawing->bottom -
               (drawing_in_units(blockmap->origin_y) - drawing->south) *
                   drawing->scale;
    size_t step = find_step(drawing, COLUMN_NUMBER);
    drawing_print(drawing, "<g id=\"edges\" font-size=\"11\">\n"
                           "<g text-anchor=\"middle\">\n");
    for (size_t i = 0; i < blockmap->columns; i += step)
        drawing_print(drawing, "<text x=\"%.6g\" y=\"%.6g\">%zu</text>\n",
                      x + ((double)i + 0.5) * block, drawing->bottom + 15, i);
    drawing_print(drawing, "</g>\n<g text-anchor=\"end\">\n");
    step = find_step(drawing, ROW_NUMBER);
    for (size_t i = 0; i < blockmap->rows; i += step)
        drawing_print(drawing, "<text x=\"%.6g\" y=\"%.6g\">%zu</text>\n",
                      drawing->left - 6, y - ((double)i + 0.5) * block + 4, i);
    drawing_print(drawing, "</g>\n</g>\n");
}

// ---------------------------------------------------------------------------
// The file

// Whether a picture with all tooltips has at most MOST_BYTES.  It has no more
// than is counted here, whatever the lists are.
static bool has_room_for_tooltips(const struct picture *picture)
{
    enum { MOST_BYTES = 10000000 };
    enum { FRAME = 20000, LINE = 220, BLOCK = 200, SHARERS = 200 }; // bytes
    enum { FINDING = 80 };
    const struct blockmap *blockmap = picture->blockmap;
    uint64_t word = blockmap->words.are_wide ? 11 : 6;
    uint64_t bytes = FRAME + (uint64_t)LINE * picture->decoded->line_count +
                     (uint64_t)BLOCK * blockmap->block_count;
    if (picture->findings)
        bytes += (uint64_t)FINDING * (picture->findings->entries.count +
                                      picture->findings->blocks.count);
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        if (list->fault == LIST_READABLE)
            bytes += word * (list->end - list->begin);
        if (picture->blockmap->lists[b].distinct > 0)
            bytes += SHARERS;
    }
    return bytes <= MOST_BYTES;
}

static void write_picture(const struct drawing *drawing,
                          const struct places *places)
{
    drawing_print(drawing,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"picture\" "
                  "class=\"%s\" viewBox=\"0 0 %.6g %.6g\" "
                  "font-family=\"system-ui, 'DejaVu Sans', sans-serif\">\n"
                  "<title>",
                  drawing_class(drawing), places->width, places->height);
    drawing_write_title(drawing);
    drawing_print(drawing, "</title>\n<style>\n");
    drawing_write_style(drawing);
    drawing_print(drawing, "</style>\n");
    drawing_write_patterns(drawing);
    drawing_print(drawing,
                  "<rect id=\"background\" width=\"%.6g\" "
                  "height=\"%.6g\"/>\n",
                  places->width, places->height);
    drawing_write_map(drawing);
    write_edges(drawing);
    legend_write(drawing, places->legend_x, places->legend_y,
                 places->legend_width);
    drawing_print(drawing, "</svg>\n");
}

static enum exit_status save(const struct picture *picture, const char *path)
{
    static const char *const notes[][DRAWING_NOTE_ROWS] = {
        {"Too large for tooltips; see", "blocksweep show --list"},
        {"Blocks and lines have tooltips.", ""},
    };
    struct replacement replacement;
    bool compressed =
        file_name_ends(path, ".svgz") || file_name_ends(path, ".gz");
    struct drawing drawing = drawing_measure(picture);
    drawing.has_tooltips = has_room_for_tooltips(picture);
    drawing.note = notes[drawing.has_tooltips];
    struct places places = place_parts(&drawing);
    enum exit_status status =
        replacement_begin(&replacement, path, compressed, NULL);
    if (status != STATUS_DONE)
        return status;
    drawing.stream = replacement.stream;
    write_picture(&drawing, &places);
    return replacement_commit(&replacement, false);
}

// Saves a picture or a page under this path, which may be NULL, and says so.
static enum exit_status
save_as(const struct picture *picture, const struct arguments *arguments,
        const char *path,
        enum exit_status (*save_it)(const struct picture *, const char *))
{
    enum exit_status status = path ? save_it(picture, path) : STATUS_DONE;
    if (path && status == STATUS_DONE && !arguments->quiet && !arguments->json)
        line_print("Wrote %s", path);
    return status;
}

enum exit_status picture_save(const struct picture *picture,
                              const struct arguments *arguments)
{
    enum exit_status status = save_as(picture, arguments, arguments->svg, save);
    if (status == STATUS_DONE)
        status = save_as(picture, arguments, arguments->html, page_save);
    return status;
}
