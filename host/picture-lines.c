// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lines of a picture, each kind by itself, in map units with y up.

#include "config.h"

#include "drawing.h"

#include <string.h>

double drawing_in_units(int32_t coordinate)
{
    return coordinate / (double)DRAWING_UNIT;
}

static struct nbstage_vertex get_vertex(const struct nbstage_decoded *decoded,
                                        uint32_t index)
{
    const char *vertices = (const char *)decoded->vertices;
    struct nbstage_vertex vertex;
    memcpy(&vertex, vertices + index * decoded->vertex_size, sizeof vertex);
    return vertex;
}

// Whether there is a sector on both sides, or where sides are not known, the
// flag that says so.
static bool is_two_sided(const struct nbstage_decoded *decoded,
                         const struct nbstage_line *line)
{
    enum { BINARY_TWO_SIDED = 0x4 };
    if (line->front_sector != NBSTAGE_NONE || line->back_sector != NBSTAGE_NONE)
        return line->front_sector != NBSTAGE_NONE &&
               line->back_sector != NBSTAGE_NONE;
    uint32_t flag = decoded->format == NBSTAGE_FORMAT_UDMF
                        ? NBSTAGE_LINE_TWO_SIDED
                        : BINARY_TWO_SIDED;
    return (line->flags & flag) != 0;
}

static enum line_kind find_kind(const struct nbstage_decoded *decoded,
                                const struct segment *segment, size_t index)
{
    if (decoded->left_out && decoded->left_out[index] != NBSTAGE_LISTED)
        return LINE_LEFT_OUT;
    if (segment->line.special != 0)
        return LINE_SPECIAL;
    return segment->is_two_sided ? LINE_TWO_SIDED : LINE_ONE_SIDED;
}

// What UDMF has in place of a tag is an id, which may be 0.
static const char *find_tag_name(const struct nbstage_decoded *decoded,
                                 const struct nbstage_line *line)
{
    if (decoded->format == NBSTAGE_FORMAT_UDMF)
        return line->tag != UINT32_MAX ? "id" : NULL;
    return line->tag != 0 ? "tag" : NULL;
}

struct segment drawing_get_segment(const struct nbstage_decoded *decoded,
                                   size_t index)
{
    struct segment segment = {
        .line = {.front_sector = NBSTAGE_NONE, .back_sector = NBSTAGE_NONE}};
    const char *lines = (const char *)decoded->lines;
    size_t size = decoded->line_size < sizeof segment.line
                      ? decoded->line_size
                      : sizeof segment.line;
    memcpy(&segment.line, lines + index * decoded->line_size, size);
    segment.start = get_vertex(decoded, segment.line.v1);
    segment.end = get_vertex(decoded, segment.line.v2);
    segment.is_two_sided = is_two_sided(decoded, &segment.line);
    segment.tag_name = find_tag_name(decoded, &segment.line);
    segment.kind = find_kind(decoded, &segment, index);
    return segment;
}

static void write_segment(const struct drawing *drawing,
                          const struct segment *segment)
{
    markup_print(
        drawing->markup, "M%.8g %.8gL%.8g %.8g",
        drawing_in_units(segment->start.x), drawing_in_units(segment->start.y),
        drawing_in_units(segment->end.x), drawing_in_units(segment->end.y));
}

// "linedef 7, special 97, tag 3"
static void write_line_tooltip(const struct drawing *drawing, size_t index,
                               const struct segment *segment)
{
    struct markup *markup = drawing->markup;
    markup_print(markup, "<title>linedef %zu, %s", index,
                 segment->is_two_sided ? "two-sided" : "one-sided");
    if (segment->line.special != 0)
        markup_print(markup, ", special %lu",
                     (unsigned long)segment->line.special);
    if (segment->tag_name)
        markup_print(markup, ", %s %ld", segment->tag_name,
                     (long)(int32_t)segment->line.tag);
    if (segment->kind == LINE_LEFT_OUT)
        markup_print(markup, ", not in the blockmap");
    markup_print(markup, "</title>");
}

static void write_line(const struct drawing *drawing, size_t index,
                       const struct segment *segment)
{
    if (!drawing->content.line_elements) {
        write_segment(drawing, segment);
        return;
    }
    markup_print(drawing->markup, "<path id=\"l%zu\" d=\"", index);
    write_segment(drawing, segment);
    if (drawing->content.line_tooltips) {
        markup_print(drawing->markup, "\">");
        write_line_tooltip(drawing, index, segment);
        markup_print(drawing->markup, "</path>\n");
    } else {
        markup_print(drawing->markup, "\"/>\n");
    }
}

double drawing_line_factor(const struct drawing *drawing)
{
    double factor = drawing->scale * DRAWING_BLOCK / 32;
    return factor < 0.35 ? 0.35 : factor > 1.4 ? 1.4 : factor;
}

static void write_lines_of_kind(const struct drawing *drawing,
                                enum line_kind kind)
{
    const struct nbstage_decoded *decoded = drawing->picture->decoded;
    const struct line_style *style = &line_styles[kind];
    double factor = drawing_line_factor(drawing) / drawing->scale;
    markup_print(drawing->markup,
                 "<g id=\"%s\" stroke=\"%s\" stroke-width=\"%.4g\"", style->id,
                 style->color, style->width * factor);
    if (style->dash > 0)
        markup_print(drawing->markup, " stroke-dasharray=\"%.4g %.4g\"",
                     style->dash * factor, style->gap * factor);
    markup_print(drawing->markup, ">\n");
    if (!drawing->content.line_elements)
        markup_print(drawing->markup, "<path d=\"");
    for (size_t i = 0; i < decoded->line_count; i++) {
        struct segment segment = drawing_get_segment(decoded, i);
        if (segment.kind == kind)
            write_line(drawing, i, &segment);
    }
    if (!drawing->content.line_elements)
        markup_print(drawing->markup, "\"/>\n");
    markup_print(drawing->markup, "</g>\n");
}

void drawing_write_lines(const struct drawing *drawing)
{
    markup_print(drawing->markup,
                 "<g id=\"lines\" fill=\"none\" stroke-linecap=\"round\">\n");
    for (size_t kind = 0; kind < LINE_KIND_COUNT; kind++)
        write_lines_of_kind(drawing, (enum line_kind)kind);
    markup_print(drawing->markup, "</g>\n");
}
