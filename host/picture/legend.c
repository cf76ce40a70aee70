// SPDX-License-Identifier: GPL-2.0-or-later
//
// The legend names colours: of findings, blocks, lines and grids, each in a row
// with a swatch.  Rows fill the columns that there is room for, from left to
// right.

#include "config.h"

#include "picture/drawing.h"

#include "inspect/statistics.h"
#include "lump/blockmap.h"
#include "picture/colours.h"
#include "picture/findings.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Pixels.
enum {
    COLUMN = 180, // leaves room for wide fonts
    ROW = 20,
    TEXT_SIZE = 13,
    SWATCH_WIDTH = 30,
    SWATCH_HEIGHT = 14,
    LABEL_AT = 40,
    BASELINE = 14, // of a row's text, from its top
};

struct legend {
    const struct drawing *drawing;
    double x, y; // of the next row
    double left;
    size_t columns, count;
};

// Writes the label of a swatch, and goes on to the next row.
static void legend_add_label(struct legend *legend, const char *label)
{
    drawing_print(legend->drawing, "<text x=\"%g\" y=\"%g\">%s</text>\n",
                  legend->x + LABEL_AT, legend->y + BASELINE, label);
    legend->count++;
    legend->x += COLUMN;
    if (legend->count % legend->columns == 0) {
        legend->x = legend->left;
        legend->y += ROW;
    }
}

// Adds a row with a swatch of a class, and its pattern if it has one.
static void legend_add_fill(struct legend *legend, const char *class,
                            bool has_pattern, const char *label)
{
    drawing_print(legend->drawing,
                  "<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"%d\" "
                  "height=\"%d\"",
                  class, legend->x, legend->y + 2.5, SWATCH_WIDTH,
                  SWATCH_HEIGHT);
    if (has_pattern)
        drawing_print(legend->drawing,
                      " fill=\"url(#%s-legend)\" stroke=\"currentColor\"/>\n",
                      class);
    else
        drawing_print(legend->drawing,
                      " stroke=\"#777\" stroke-width=\".5\"/>\n");
    legend_add_label(legend, label);
}

static void legend_add_line(struct legend *legend,
                            const struct line_style *style)
{
    drawing_print(legend->drawing,
                  "<path class=\"%s\" d=\"M%g %gh%d\" stroke-width=\"%g\" "
                  "stroke-linecap=\"round\"",
                  style->id, legend->x, legend->y + 9.5, SWATCH_WIDTH,
                  style->width);
    if (style->dash > 0)
        drawing_print(legend->drawing, " stroke-dasharray=\"%g %g\"",
                      style->dash, style->gap);
    drawing_print(legend->drawing, "/>\n");
    legend_add_label(legend, style->label);
}

static void legend_add_grid(struct legend *legend, const char *class,
                            const char *label)
{
    drawing_print(legend->drawing,
                  "<path class=\"%s\" d=\"M%g %gh%d\" "
                  "stroke-width=\"1.5\"/>\n",
                  class, legend->x, legend->y + 9.5, SWATCH_WIDTH);
    legend_add_label(legend, label);
}

// "5-6 linedefs"
static void legend_add_colours(struct legend *legend)
{
    const struct picture *picture = legend->drawing->picture;
    struct colours colours = colours_for(picture->statistics->longest);
    for (size_t colour = 0; colour <= colours.last; colour++) {
        char name[COLOUR_NAME_SIZE];
        char label[COLOUR_NAME_SIZE + 16];
        char class[24];
        colour_name(colours, colour, name);
        snprintf(label, sizeof label, "%s linedef%s", name,
                 strcmp(name, "1") == 0 ? "" : "s");
        snprintf(class, sizeof class, "colour-%zu", colour);
        legend_add_fill(legend, class, false, label);
    }
    if (picture->blockmap->unreadable_count > 0)
        legend_add_fill(legend, "unreadable", true, "cannot be read");
}

struct legend_size legend_write(const struct drawing *drawing, double x,
                                double y, double most_width)
{
    const struct picture *picture = drawing->picture;
    const struct findings *findings =
        drawing->is_page ? NULL : picture->findings;
    struct legend legend = {drawing, x, y, x, 1, 0};
    if (most_width > COLUMN)
        legend.columns = (size_t)(most_width / COLUMN);
    drawing_print(drawing, "<g id=\"legend\" font-size=\"%d\">\n", TEXT_SIZE);
    for (size_t kind = 0; findings && kind < FINDING_KIND_COUNT; kind++)
        if (findings->kinds & 1u << kind)
            legend_add_fill(&legend, finding_styles[kind].id, true,
                            finding_styles[kind].label);
    legend_add_colours(&legend);
    for (size_t kind = 0; kind < DRAWN_KIND_COUNT; kind++)
        legend_add_line(&legend, &line_styles[kind]);
    if (picture->old) {
        legend_add_grid(&legend, "old-grid", "grid of the old file");
        legend_add_grid(&legend, "grid", "grid of the new file");
    }
    if (picture->groups)
        legend_add_fill(&legend, "shared", true, "share a list");
    drawing_print(drawing, "</g>\n");
    size_t rows = (legend.count + legend.columns - 1) / legend.columns;
    return (struct legend_size){(double)(legend.columns * COLUMN),
                                (double)(rows * ROW)};
}

struct legend_size legend_measure(const struct drawing *drawing,
                                  double most_width)
{
    struct drawing unseen = *drawing;
    unseen.stream = NULL;
    return legend_write(&unseen, 0, 0, most_width);
}
