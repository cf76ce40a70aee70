// SPDX-License-Identifier: GPL-2.0-or-later
//
// The legend has sections of the same width.  They go from left to right, then
// below each other.  A row is as high as a line of text; the width leaves room
// for wide fonts.

#include "config.h"

#include "picture/drawing.h"

#include "picture/colours.h"

#include <stdio.h>

// Pixels.
enum {
    SECTION_WIDTH = 244,
    SECTION_GAP = 20,
    ROW = 20,
    TEXT_SIZE = 13,
    TITLE_SIZE = 20,
    SWATCH_WIDTH = 30,
    SWATCH_HEIGHT = 14,
    LABEL_AT = 40,
    BASELINE = 14, // of a row's text, from its top
};

// ---------------------------------------------------------------------------
// Rows

// Where the next row is written.
struct legend_cursor {
    const struct drawing *drawing;
    double x;
    double y;
};

static void write_label(const struct legend_cursor *at, double x,
                        const char *label)
{
    drawing_print(at->drawing, "<text x=\"%g\" y=\"%g\">", at->x + x,
                  at->y + BASELINE);
    drawing_print_text(at->drawing, label);
    drawing_print(at->drawing, "</text>\n");
}

static void add_text(struct legend_cursor *at, const char *text)
{
    if (*text != '\0')
        write_label(at, 0, text);
    at->y += ROW;
}

// Writes a text that ends at the right.
static void write_at_right(const struct legend_cursor *at, const char *text)
{
    drawing_print(at->drawing,
                  "<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%s</text>\n",
                  at->x + SECTION_WIDTH, at->y + BASELINE, text);
}

static void add_heading(struct legend_cursor *at, const char *text,
                        const char *counted)
{
    drawing_print(at->drawing, "<g font-weight=\"600\">\n");
    write_label(at, 0, text);
    write_at_right(at, counted);
    drawing_print(at->drawing, "</g>\n");
    at->y += ROW + 4;
}

// Adds a label after a swatch, and a number.
static void add_count(struct legend_cursor *at, const char *label, size_t count)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", count);
    write_label(at, LABEL_AT, label);
    write_at_right(at, number);
    at->y += ROW;
}

// Adds a row with a swatch of this paint.  Style sheets select its class.
static void add_fill(struct legend_cursor *at, const char *fill,
                     const char *class, const char *label, size_t count)
{
    drawing_print(at->drawing,
                  "<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"%d\" "
                  "height=\"%d\" fill=\"%s\" stroke=\"#777\" "
                  "stroke-width=\".5\"/>\n",
                  class, at->x, at->y + 2.5, SWATCH_WIDTH, SWATCH_HEIGHT, fill);
    add_count(at, label, count);
}

static void add_line(struct legend_cursor *at, const struct line_style *style,
                     size_t count)
{
    drawing_print(at->drawing,
                  "<path class=\"%s\" d=\"M%g %gh%d\" stroke=\"%s\" "
                  "stroke-width=\"%g\" stroke-linecap=\"round\"",
                  style->id, at->x, at->y + 9.5, SWATCH_WIDTH, style->color,
                  style->width);
    if (style->dash > 0)
        drawing_print(at->drawing, " stroke-dasharray=\"%g %g\"", style->dash,
                      style->gap);
    drawing_print(at->drawing, "/>\n");
    add_count(at, style->label, count);
}

// ---------------------------------------------------------------------------
// Sections

static void add_title(struct legend_cursor *at)
{
    const struct picture *picture = at->drawing->picture;
    size_t line_count = picture->decoded->line_count;
    char text[64];
    at->y += 4;
    drawing_print(at->drawing, "<g font-size=\"%d\" font-weight=\"600\">",
                  TITLE_SIZE);
    write_label(at, 0, picture->name);
    drawing_print(at->drawing, "</g>\n");
    at->y += ROW + 4;
    snprintf(text, sizeof text, "%u by %u blocks of 128 map units",
             (unsigned)picture->blockmap->columns,
             (unsigned)picture->blockmap->rows);
    add_text(at, text);
    snprintf(text, sizeof text, "%zu linedef%s", line_count,
             line_count == 1 ? "" : "s");
    add_text(at, text);
    snprintf(text, sizeof text, "BLOCKMAP of %zu bytes",
             picture->blockmap->bytes);
    add_text(at, text);
}

static void add_colours(struct legend_cursor *at)
{
    const struct picture *picture = at->drawing->picture;
    const struct statistics *statistics = picture->statistics;
    size_t unreadable = picture->blockmap->unreadable_count;
    struct colours colours = colours_for(statistics->longest);
    size_t length = 0;
    char name[COLOUR_NAME_SIZE];
    char color[COLOUR_CODE_SIZE];
    char class[24];
    add_heading(at, "Linedefs in a block", "Blocks");
    for (size_t colour = 0; colour <= colours.last; colour++) {
        size_t count = 0;
        for (; length <= statistics->longest &&
               colour_of(colours, length) == colour;
             length++)
            count += statistics->blocks_of_length[length];
        colour_name(colours, colour, name);
        colour_code(colours, colour, false, color);
        snprintf(class, sizeof class, "colour-%zu", colour);
        add_fill(at, color, class, name, count);
    }
    if (unreadable > 0)
        add_fill(at, "url(#cross-legend)", "unreadable", "cannot be read",
                 unreadable);
}

static void add_lines(struct legend_cursor *at)
{
    const struct drawing *drawing = at->drawing;
    add_heading(at, "Lines", "Linedefs");
    for (size_t kind = 0; kind < LINE_KIND_COUNT; kind++)
        add_line(at, &line_styles[kind], drawing->line_count[kind]);
    if (drawing->picture->groups) {
        at->y += SECTION_GAP;
        add_heading(at, "Marked", "Blocks");
        add_fill(at, "url(#hatch-legend)", "marked",
                 drawing->picture->group_label, drawing->marked_blocks);
    }
    if (drawing->note) {
        at->y += SECTION_GAP;
        for (size_t i = 0; i < DRAWING_NOTE_ROWS; i++)
            add_text(at, drawing->note[i]);
    }
}

struct legend_size legend_write(const struct drawing *drawing, double x,
                                double y, double most_width)
{
    static void (*const sections[])(struct legend_cursor *
                                    at) = {add_title, add_colours, add_lines};
    struct legend_size size = {SECTION_WIDTH, 0};
    double left = 0;
    double top = 0;
    drawing_print(drawing, "<g id=\"legend\" font-size=\"%d\">\n", TEXT_SIZE);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (left > 0 && left + SECTION_WIDTH > most_width) {
            left = 0;
            top = size.height + SECTION_GAP;
        }
        struct legend_cursor at = {drawing, x + left, y + top};
        sections[i](&at);
        if (at.y - y > size.height)
            size.height = at.y - y;
        left += SECTION_WIDTH;
        if (left > size.width)
            size.width = left;
        left += 2 * SECTION_GAP;
    }
    drawing_print(drawing, "</g>\n");
    return size;
}
