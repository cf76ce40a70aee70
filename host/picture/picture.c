// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map has its edges around it, with the numbers of columns and rows, and
// the legend, all in pixels.

#include "config.h"

#include "picture/picture.h"

#include "lines/grid.h"
#include "lump/blockmap.h"
#include "memory.h"
#include "picture/colours.h"
#include "picture/drawing.h"
#include "platform/file.h"
#include "report.h"
#include "wad/declared-files.h"
#include "wad/replace-file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

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

// Declares what is read, and the files of --svg and --html.
static enum exit_status picture_declare(const struct arguments *arguments)
{
    const struct declared_file pictures[] = {
        {.what = "the picture",
         .shown = arguments->svg,
         .path = arguments->svg,
         .advice = "name another one with --svg=FILE",
         .job = SIZE_MAX - 1},
        {.what = "the page",
         .shown = arguments->html,
         .path = arguments->html,
         .advice = "name another one with --html=FILE",
         .job = SIZE_MAX - 2}};
    struct declared_files files = {0};
    enum exit_status status = STATUS_DONE;
    for (size_t i = 0; i < arguments->file_count && status == STATUS_DONE; i++)
        status = declared_add(
            &files, (struct declared_file){.what = "input",
                                           .shown = arguments->files[i],
                                           .path = arguments->files[i]});
    for (int i = 0; i < 2 && status == STATUS_DONE; i++)
        if (pictures[i].path)
            status = declared_add(&files, pictures[i]);
    if (status == STATUS_DONE)
        status = declared_add_standard_output(&files);
    if (status == STATUS_FILE)
        memory_ran_out();
    declared_free(&files);
    return status;
}

enum { FIRST_BYTES = 4096 }; // what is read of a file that is there

// Reads the beginning, as a text, of a file that may be compressed.  False if
// it cannot be read.
static bool picture_read_beginning(const char *path, char text[FIRST_BYTES + 1])
{
    const int descriptor = file_open(path);
    gzFile stream = descriptor < 0 ? NULL : gzdopen(descriptor, "rb");
    const int size = stream ? gzread(stream, text, FIRST_BYTES) : -1;
    text[size < 0 ? 0 : size] = '\0';
    if (stream)
        gzclose(stream);
    else if (descriptor >= 0)
        close(descriptor);
    return size >= 0;
}

static bool picture_begins_with(const char *text, const char *beginning)
{
    return strncasecmp(text, beginning, strlen(beginning)) == 0;
}

// Whether a text is an SVG, or a page.  Other programs declare XML first, and
// may say which program it was.
static bool picture_is_drawn(const char *text)
{
    if (picture_begins_with(text, "\xEF\xBB\xBF"))
        text += 3; // the mark of UTF-8
    text += strspn(text, " \t\r\n");
    return picture_begins_with(text, "<svg") ||
           picture_begins_with(text, "<!DOCTYPE html") ||
           picture_begins_with(text, "<html") ||
           (picture_begins_with(text, "<?xml") &&
            (strstr(text, "<svg") || strstr(text, "<html")));
}

// What is wrong with a file for a picture to replace; NULL if nothing is.
static const char *picture_find_fault(const char *path)
{
    char text[FIRST_BYTES + 1];
    struct file_status file;
    if (!file_find(path, &file))
        return NULL;
    if (file.kind != FILE_REGULAR)
        return "is no regular file";
    if (file.size == 0)
        return NULL;
    if (!picture_read_beginning(path, text))
        return "cannot be read";
    if (strncmp(text, "IWAD", 4) == 0 || strncmp(text, "PWAD", 4) == 0)
        return "is a WAD";
    return picture_is_drawn(text) ? NULL : "is no SVG or page";
}

// Checks whether the file of an option, if it is used, may be written over, and
// a new one be made in its folder, before there is a report.
static enum exit_status picture_check_path(const char *option, const char *path)
{
    struct replacement replacement;
    if (!path || file_is_standard(path))
        return STATUS_DONE;
    const char *fault = picture_find_fault(path);
    if (fault) {
        message_print(
            "--%s: %s exists and %s, so no picture replaces it; a new "
            "name was expected: --%s=FILE",
            option, path, fault, option);
        return STATUS_USAGE;
    }
    const enum exit_status status =
        replacement_begin(&replacement, path, false, false, NULL);
    replacement_abandon(&replacement);
    return status;
}

enum exit_status picture_check_paths(const struct arguments *arguments)
{
    const char *svg = arguments->svg;
    const char *html = arguments->html;
    if (picture_is_standard(arguments) &&
        (arguments->json ||
         (svg && html && file_is_standard(svg) && file_is_standard(html)))) {
        message_print("standard output takes only one of --svg, --html and "
                      "--json");
        return STATUS_USAGE;
    }
    enum exit_status status = picture_declare(arguments);
    if (status == STATUS_DONE)
        status = picture_check_path("svg", svg);
    return status == STATUS_DONE ? picture_check_path("html", html) : status;
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
static struct places picture_place_parts(struct drawing *drawing)
{
    double width = (drawing->east - drawing->west) * drawing->scale;
    double height = drawing->bottom;
    bool is_beside = height > 0.6 * width;
    struct places places = {.legend_width = is_beside ? 0 : LEGEND_BELOW};
    struct legend_size legend = legend_measure(drawing, places.legend_width);
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
static size_t picture_find_step(const struct drawing *drawing, double pixels)
{
    size_t step = 1;
    for (size_t i = 0; (double)step * BLOCK_SIZE * drawing->scale < pixels; i++)
        step = i % 3 == 1 ? step * 5 / 2 : step * 2;
    return step;
}

// Writes the numbers of columns below the grid, and of rows to the left of it.
static void picture_write_edges(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    double block = BLOCK_SIZE * drawing->scale;
    double x =
        drawing->left +
        (drawing_in_units(blockmap->origin_x) - drawing->west) * drawing->scale;
    double y = drawing->bottom -
               (drawing_in_units(blockmap->origin_y) - drawing->south) *
                   drawing->scale;
    size_t step = picture_find_step(drawing, COLUMN_NUMBER);
    drawing_print(drawing, "<g id=\"edges\" font-size=\"11\">\n"
                           "<g text-anchor=\"middle\">\n");
    for (size_t i = 0; i < blockmap->columns; i += step)
        drawing_print(drawing, "<text x=\"%.6g\" y=\"%.6g\">%zu</text>\n",
                      x + ((double)i + 0.5) * block, drawing->bottom + 15, i);
    drawing_print(drawing, "</g>\n<g text-anchor=\"end\">\n");
    step = picture_find_step(drawing, ROW_NUMBER);
    for (size_t i = 0; i < blockmap->rows; i += step)
        drawing_print(drawing, "<text x=\"%.6g\" y=\"%.6g\">%zu</text>\n",
                      drawing->left - 6, y - ((double)i + 0.5) * block + 4, i);
    drawing_print(drawing, "</g>\n</g>\n");
}

// ---------------------------------------------------------------------------
// The file

static void picture_write(struct drawing *drawing)
{
    struct places places = picture_place_parts(drawing);
    drawing_print(drawing,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"picture\" "
                  "class=\"%s\" viewBox=\"0 0 %.6g %.6g\" "
                  "font-family=\"system-ui, 'DejaVu Sans', sans-serif\">\n"
                  "<title>",
                  drawing_class(drawing), places.width, places.height);
    drawing_write_title(drawing);
    drawing_print(drawing, "</title>\n<style>\n");
    colours_write_style(drawing);
    drawing_print(drawing, "</style>\n");
    blocks_write_patterns(drawing);
    drawing_print(drawing,
                  "<rect id=\"background\" width=\"%.6g\" "
                  "height=\"%.6g\"/>\n",
                  places.width, places.height);
    map_write(drawing);
    picture_write_edges(drawing);
    legend_write(drawing, places.legend_x, places.legend_y,
                 places.legend_width);
    drawing_print(drawing, "</svg>\n");
}

// Saves a picture or a page under this path, which may be NULL, and says so.
static enum exit_status picture_save_as(const struct picture *picture,
                                        const char *path, bool is_page,
                                        struct report *report)
{
    struct replacement replacement;
    if (!path)
        return STATUS_DONE;
    bool compressed =
        file_name_ends(path, ".gz") || file_name_ends(path, ".svgz");
    enum exit_status status =
        replacement_begin(&replacement, path, compressed, false, NULL);
    if (status != STATUS_DONE)
        return status;
    struct drawing drawing = drawing_measure(picture);
    drawing.is_page = is_page;
    drawing.stream = replacement.output.stream;
    if (is_page)
        page_write(&drawing);
    else
        picture_write(&drawing);
    status = replacement_commit(&replacement, false);
    if (status == STATUS_DONE) {
        report_wrote(report, path);
        report_print(report, "Wrote %s", path);
    }
    return status;
}

enum exit_status picture_save(const struct picture *picture,
                              const struct arguments *arguments)
{
    enum exit_status status =
        picture_save_as(picture, arguments->svg, false, arguments->report);
    if (status == STATUS_DONE)
        status =
            picture_save_as(picture, arguments->html, true, arguments->report);
    return status;
}
