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

enum { MOST_OF_NAME = 26 }; // characters of a file's name

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
    drawing_print_text(at->drawing, label, SIZE_MAX);
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

// Adds a row with a swatch of a class, and its pattern if it has one.
static void add_fill(struct legend_cursor *at, const char *class,
                     bool has_pattern, const char *label, size_t count)
{
    drawing_print(at->drawing,
                  "<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"%d\" "
                  "height=\"%d\"",
                  class, at->x, at->y + 2.5, SWATCH_WIDTH, SWATCH_HEIGHT);
    if (has_pattern)
        drawing_print(at->drawing,
                      " fill=\"url(#%s-legend)\" stroke=\"currentColor\"/>\n",
                      class);
    else
        drawing_print(at->drawing, " stroke=\"#777\" stroke-width=\".5\"/>\n");
    add_count(at, label, count);
}

static void add_line(struct legend_cursor *at, const struct line_style *style,
                     size_t count)
{
    drawing_print(at->drawing,
                  "<path class=\"%s\" d=\"M%g %gh%d\" stroke-width=\"%g\" "
                  "stroke-linecap=\"round\"",
                  style->id, at->x, at->y + 9.5, SWATCH_WIDTH, style->width);
    if (style->dash > 0)
        drawing_print(at->drawing, " stroke-dasharray=\"%g %g\"", style->dash,
                      style->gap);
    drawing_print(at->drawing, "/>\n");
    add_count(at, style->label, count);
}

// ---------------------------------------------------------------------------
// Sections

// "old: NAME.wad"
static void add_file(struct legend_cursor *at, const char *which,
                     const char *path)
{
    drawing_print(at->drawing, "<text x=\"%g\" y=\"%g\">%s", at->x,
                  at->y + BASELINE, which);
    drawing_print_text(at->drawing, drawing_file_name(path), MOST_OF_NAME);
    drawing_print(at->drawing, "</text>\n");
    at->y += ROW;
}

static void add_names(struct legend_cursor *at)
{
    const struct picture *picture = at->drawing->picture;
    at->y += 4;
    drawing_print(at->drawing, "<g font-size=\"%d\" font-weight=\"600\">",
                  TITLE_SIZE);
    write_label(at, 0, picture->name);
    drawing_print(at->drawing, "</g>\n");
    at->y += ROW + 4;
    if (picture->old_path)
        add_file(at, "old: ", picture->old_path);
    add_file(at, picture->old_path ? "new: " : "", picture->path);
}

static void add_title(struct legend_cursor *at)
{
    const struct picture *picture = at->drawing->picture;
    size_t line_count = picture->decoded->line_count;
    char text[64];
    if (!at->drawing->is_page)
        add_names(at);
    snprintf(text, sizeof text, "%u by %u blocks of 128 map units",
             (unsigned)picture->blockmap->columns,
             (unsigned)picture->blockmap->rows);
    add_text(at, text);
    snprintf(text, sizeof text, "%zu linedef%s", line_count,
             line_count == 1 ? "" : "s");
    add_text(at, text);
    snprintf(text, sizeof text, "%s %zu bytes", picture->lump,
             picture->blockmap->bytes);
    add_text(at, text);
}

// "linedef 391 in block 9,8", as a link to that block.
static void add_finding(struct legend_cursor *at, const struct finding *finding,
                        size_t number)
{
    int64_t column;
    int64_t row;
    drawing_print(at->drawing, "<a href=\"#place-%zu\" class=\"%s\">", number,
                  finding_styles[finding->kind].id);
    drawing_print(at->drawing, "<text x=\"%g\" y=\"%g\" fill=\"currentColor\">",
                  at->x, at->y + BASELINE);
    if (finding->linedef == NBSTAGE_NONE)
        drawing_print(at->drawing, "list of block ");
    else
        drawing_print(at->drawing, "linedef %lu in block ",
                      (unsigned long)finding->linedef);
    if (blockmap_find_cell(at->drawing->picture->blockmap, finding->x,
                           finding->y, &column, &row))
        drawing_print(at->drawing, "%lld,%lld", (long long)column,
                      (long long)row);
    else
        drawing_print(at->drawing, "at %.10g,%.10g",
                      (double)finding->x / BLOCKMAP_UNIT,
                      (double)finding->y / BLOCKMAP_UNIT);
    drawing_print(at->drawing, "</text></a>\n");
    at->y += ROW;
}

static void add_list(struct legend_cursor *at)
{
    const struct findings *findings = at->drawing->picture->findings;
    const struct finding *listed[MOST_LISTED];
    size_t count = drawing_list_findings(at->drawing, listed);
    size_t all = 0;
    char text[64];
    for (size_t kind = 0; kind < FINDING_KIND_COUNT; kind++)
        all += kind == FINDING_HARMLESS ? 0 : findings->found[kind];
    at->y += SECTION_GAP / 2;
    for (size_t i = 0; i < count; i++)
        add_finding(at, listed[i], i);
    snprintf(text, sizeof text, "and %zu more", all - count);
    if (all > count)
        add_text(at, text);
}

static void add_findings(struct legend_cursor *at)
{
    const struct drawing *drawing = at->drawing;
    const struct findings *findings = drawing->picture->findings;
    if (!findings || drawing->is_page)
        return;
    add_heading(at, "Found", "Entries");
    for (size_t kind = 0; kind < FINDING_KIND_COUNT; kind++)
        if (findings->kinds & 1u << kind)
            add_fill(at, finding_styles[kind].id, true,
                     finding_styles[kind].label, findings->found[kind]);
    add_list(at);
}

static void add_colours(struct legend_cursor *at)
{
    const struct picture *picture = at->drawing->picture;
    const struct statistics *statistics = picture->statistics;
    size_t unreadable = picture->blockmap->unreadable_count;
    struct colours colours = colours_for(statistics->longest);
    size_t length = 0;
    char name[COLOUR_NAME_SIZE];
    char class[24];
    add_heading(at, "Linedefs in a block", "Blocks");
    for (size_t colour = 0; colour <= colours.last; colour++) {
        size_t count = 0;
        for (; length <= statistics->longest &&
               colour_of(colours, length) == colour;
             length++)
            count += statistics->blocks_of_length[length];
        colour_name(colours, colour, name);
        snprintf(class, sizeof class, "colour-%zu", colour);
        add_fill(at, class, false, name, count);
    }
    if (unreadable > 0)
        add_fill(at, "unreadable", true, "cannot be read", unreadable);
}

static void add_grid(struct legend_cursor *at, const char *class,
                     const char *label, const struct blockmap *grid)
{
    drawing_print(at->drawing,
                  "<path class=\"%s\" d=\"M%g %gh%d\" "
                  "stroke-width=\"1.5\"/>\n",
                  class, at->x, at->y + 9.5, SWATCH_WIDTH);
    add_count(at, label, grid->block_count);
}

static void add_lines(struct legend_cursor *at)
{
    const struct drawing *drawing = at->drawing;
    add_heading(at, "Lines", "Linedefs");
    for (size_t kind = 0; kind < LINE_KIND_COUNT; kind++)
        add_line(at, &line_styles[kind], drawing->line_count[kind]);
    if (drawing->picture->old) {
        at->y += SECTION_GAP;
        add_heading(at, "Grids", "Blocks");
        add_grid(at, "old-grid", "of the old file", drawing->picture->old);
        add_grid(at, "grid", "of the new file", drawing->picture->blockmap);
    }
    if (drawing->picture->groups) {
        at->y += SECTION_GAP;
        add_heading(at, "Marked", "Blocks");
        add_fill(at, "shared", true, "share a list", drawing->marked_blocks);
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
    static void (*const sections[])(struct legend_cursor * at) = {
        add_title, add_findings, add_colours, add_lines};
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
        if (at.y == y + top)
            continue; // nothing was written
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
