// SPDX-License-Identifier: GPL-2.0-or-later
//
// The legend consists of sections of the same width, which are set from left to
// right and below each other, as there is room.  Rows have the height of a line
// of text; widths leave room for the widest fonts there are.

#include "config.h"

#include "picture/legend.h"

#include "picture/colours.h"

#include <stdio.h>
#include <string.h>

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

const struct line_style line_styles[LINE_KIND_COUNT] = {
    [LINE_ONE_SIDED] = {"one-sided", "one-sided", "#111111", 2.4, 0, 0},
    [LINE_TWO_SIDED] = {"two-sided", "two-sided", "#3a3a3a", 1.0, 0, 0},
    [LINE_SPECIAL] = {"special", "with a special", "#b0124f", 2.0, 5, 2.5},
    [LINE_LEFT_OUT] = {"left-out", "not in the blockmap", "#333333", 1.2, 0.1,
                       3.2},
};

// ---------------------------------------------------------------------------
// Rows

// Where the next row is written; `markup` is NULL to measure only.
struct cursor {
    double x;
    double y;
    struct markup *markup;
};

static void write_label(const struct cursor *at, double x, const char *label)
{
    markup_print(at->markup, "<text x=\"%g\" y=\"%g\">", at->x + x,
                 at->y + BASELINE);
    markup_print_text(at->markup, label);
    markup_print(at->markup, "</text>\n");
}

static void add_text(struct cursor *at, const char *text)
{
    if (at->markup && *text != '\0')
        write_label(at, 0, text);
    at->y += ROW;
}

// A text that ends at the right.
static void write_at_right(const struct cursor *at, const char *text)
{
    markup_print(at->markup,
                 "<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%s</text>\n",
                 at->x + SECTION_WIDTH, at->y + BASELINE, text);
}

static void add_heading(struct cursor *at, const char *text,
                        const char *counted)
{
    if (at->markup) {
        markup_print(at->markup, "<g font-weight=\"600\">\n");
        write_label(at, 0, text);
        write_at_right(at, counted);
        markup_print(at->markup, "</g>\n");
    }
    at->y += ROW + 4;
}

// A label behind a swatch, and a number.
static void write_row(const struct cursor *at, const char *label, size_t count)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", count);
    write_label(at, LABEL_AT, label);
    write_at_right(at, number);
}

// A swatch of this paint; on a page its class is painted as that has it.
static void add_fill(struct cursor *at, const char *fill, const char *class,
                     const char *label, size_t count)
{
    if (at->markup) {
        markup_print(at->markup,
                     "<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"%d\" "
                     "height=\"%d\" fill=\"%s\" stroke=\"#777\" "
                     "stroke-width=\".5\"/>\n",
                     class, at->x, at->y + 2.5, SWATCH_WIDTH, SWATCH_HEIGHT,
                     fill);
        write_row(at, label, count);
    }
    at->y += ROW;
}

static void add_line(struct cursor *at, const struct line_style *style,
                     size_t count)
{
    if (at->markup) {
        markup_print(at->markup,
                     "<path class=\"%s\" d=\"M%g %gh%d\" stroke=\"%s\" "
                     "stroke-width=\"%g\" stroke-linecap=\"round\"",
                     style->id, at->x, at->y + 9.5, SWATCH_WIDTH, style->color,
                     style->width);
        if (style->dash > 0)
            markup_print(at->markup, " stroke-dasharray=\"%g %g\"", style->dash,
                         style->gap);
        markup_print(at->markup, "/>\n");
        write_row(at, style->label, count);
    }
    at->y += ROW;
}

// ---------------------------------------------------------------------------
// Sections

static void add_title(const struct legend *legend, struct cursor *at)
{
    const struct blockmap *blockmap = legend->picture->blockmap;
    char text[64];
    at->y += 4;
    if (at->markup) {
        markup_print(at->markup, "<g font-size=\"%d\" font-weight=\"600\">",
                     TITLE_SIZE);
        write_label(at, 0, legend->picture->name);
        markup_print(at->markup, "</g>\n");
    }
    at->y += ROW + 4;
    snprintf(text, sizeof text, "%u by %u blocks of 128 map units",
             (unsigned)blockmap->columns, (unsigned)blockmap->rows);
    add_text(at, text);
    snprintf(text, sizeof text, "%zu linedef%s",
             legend->picture->decoded->line_count,
             legend->picture->decoded->line_count == 1 ? "" : "s");
    add_text(at, text);
    snprintf(text, sizeof text, "BLOCKMAP of %zu bytes", blockmap->bytes);
    add_text(at, text);
}

static void add_colours(const struct legend *legend, struct cursor *at)
{
    const struct statistics *statistics = legend->picture->statistics;
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
    if (legend->unreadable_blocks > 0)
        add_fill(at, "url(#cross-legend)", "unreadable", "cannot be read",
                 legend->unreadable_blocks);
}

// What there is only in some pictures.
static void add_more(const struct legend *legend, struct cursor *at)
{
    if (legend->picture->groups) {
        at->y += SECTION_GAP;
        add_heading(at, "Marked", "Blocks");
        add_fill(at, "url(#hatch-legend)", "marked",
                 legend->picture->group_label, legend->marked_blocks);
    }
    if (legend->note) {
        at->y += SECTION_GAP;
        for (size_t i = 0; i < LEGEND_NOTE_ROWS; i++)
            add_text(at, legend->note[i]);
    }
}

static void add_lines(const struct legend *legend, struct cursor *at)
{
    add_heading(at, "Lines", "Linedefs");
    for (size_t kind = 0; kind < LINE_KIND_COUNT; kind++)
        add_line(at, &line_styles[kind], legend->line_count[kind]);
    add_more(legend, at);
}

static void (*const sections[])(const struct legend *legend,
                                struct cursor *at) = {add_title, add_colours,
                                                      add_lines};

// Sets the sections; what they take.
static struct legend_size set_sections(const struct legend *legend, double x,
                                       double y, double most_width,
                                       struct markup *markup)
{
    struct legend_size size = {SECTION_WIDTH, 0};
    double left = 0;
    double top = 0;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (left > 0 && left + SECTION_WIDTH > most_width) {
            left = 0;
            top = size.height + SECTION_GAP;
        }
        struct cursor at = {x + left, y + top, markup};
        sections[i](legend, &at);
        if (at.y - y > size.height)
            size.height = at.y - y;
        left += SECTION_WIDTH;
        if (left > size.width)
            size.width = left;
        left += 2 * SECTION_GAP;
    }
    return size;
}

struct legend_size legend_measure(const struct legend *legend,
                                  double most_width)
{
    return set_sections(legend, 0, 0, most_width, NULL);
}

void legend_write(const struct legend *legend, double x, double y,
                  double most_width, struct markup *markup)
{
    markup_print(markup, "<g id=\"legend\" font-size=\"%d\">\n", TEXT_SIZE);
    set_sections(legend, x, y, most_width, markup);
    markup_print(markup, "</g>\n");
}
