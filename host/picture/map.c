// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map of a drawing: its lines on its blocks.  Lines of one kind are one
// path.  A linedef that is missing is drawn again as a whole, and the piece of
// it in the block that misses it thicker.

#include "config.h"

#include "picture/drawing.h"

#include "lines/lines.h"
#include "picture/findings.h"

#include <stdbool.h>
#include <stddef.h>

static void map_write_line(const struct drawing *drawing, double x1, double y1,
                           double x2, double y2)
{
    drawing_print(drawing, "M%.8g %.8gL%.8g %.8g", x1, y1, x2, y2);
}

// Writes the lines of a kind.
static void map_write_kind(const struct drawing *drawing, enum line_kind kind)
{
    const struct line_style *style = &line_styles[kind];
    double factor = drawing_line_factor(drawing) / drawing->scale;
    drawing_print(drawing, "<g id=\"%s\" stroke-width=\"%.4g\"", style->id,
                  style->width * factor);
    if (style->dash > 0)
        drawing_print(drawing, " stroke-dasharray=\"%.4g %.4g\"",
                      style->dash * factor, style->gap * factor);
    drawing_print(drawing, ">\n<path d=\"");
    for (size_t i = 0; i < drawing->picture->lines->count; i++) {
        struct segment line = drawing_get_segment(drawing, i);
        if (line.kind == kind)
            map_write_line(drawing, line.x1, line.y1, line.x2, line.y2);
    }
    drawing_print(drawing, "\"/>\n</g>\n");
}

// Writes the path of the missing linedefs, of each as often as it is missing,
// or of the pieces that are.
static void map_write_missing(const struct drawing *drawing, double width,
                              bool are_pieces)
{
    const struct picture *picture = drawing->picture;
    const struct finding_list *entries = &picture->findings->entries;
    drawing_print(drawing, "<path stroke-width=\"%.4g\" d=\"",
                  width * drawing_line_factor(drawing) / drawing->scale);
    for (size_t i = 0; i < entries->count; i++) {
        const struct finding *entry = &entries->finding[i];
        if (entry->kind != FINDING_MISSING)
            continue;
        struct segment line = drawing_get_segment(drawing, entry->linedef);
        struct finding_piece piece = finding_piece(picture->lines, entry);
        if (are_pieces)
            map_write_line(drawing, piece.x1, piece.y1, piece.x2, piece.y2);
        else
            map_write_line(drawing, line.x1, line.y1, line.x2, line.y2);
    }
    drawing_print(drawing, "\"/>\n");
}

void map_write(const struct drawing *drawing)
{
    drawing_print(drawing,
                  "<g id=\"map\" transform=\"translate(%.8g %.8g) "
                  "scale(%.8g -%.8g)\">\n",
                  drawing->left - drawing->west * drawing->scale,
                  drawing->bottom + drawing->south * drawing->scale,
                  drawing->scale, drawing->scale);
    blocks_write(drawing);
    drawing_print(drawing,
                  "<g id=\"lines\" fill=\"none\" stroke-linecap=\"round\">\n");
    for (size_t kind = 0; kind < DRAWN_KIND_COUNT; kind++)
        map_write_kind(drawing, (enum line_kind)kind);
    drawing_print(drawing, "</g>\n");
    if (drawing->picture->findings) {
        drawing_print(drawing, "<g id=\"missing-lines\" class=\"missing\" "
                               "fill=\"none\" stroke=\"currentColor\" "
                               "stroke-linecap=\"round\">\n");
        map_write_missing(drawing, 2.4, false);
        map_write_missing(drawing, 6, true);
        drawing_print(drawing, "</g>\n");
    }
    drawing_print(drawing, "</g>\n");
}
