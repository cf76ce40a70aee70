// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lines of a picture, each kind by itself, in map units with y up.
//
// What is seen of a kind is one path.  Lines that can be pointed at lie over it
// once more, unseen and wider, each with its tooltip.

#include "config.h"

#include "picture/drawing.h"

#include <string.h>

enum { REACH = 5 }; // pixels of a line's width that can be pointed at

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

// Where a path of a coarse picture is, in half pixels.
struct pen {
    long x;
    long y;
};

// Half a pixel in map units.
static double half_pixel(const struct drawing *drawing)
{
    return 0.5 / drawing->scale;
}

static void move_pen(const struct drawing *drawing, char command,
                     const struct nbstage_vertex *vertex, struct pen *pen)
{
    double x = drawing_in_units(vertex->x) - drawing->west;
    double y = drawing_in_units(vertex->y) - drawing->south;
    // Rounded, as neither is negative.
    struct pen next = {(long)(x / half_pixel(drawing) + 0.5),
                       (long)(y / half_pixel(drawing) + 0.5)};
    drawing_write_step(drawing, command, next.x - pen->x, next.y - pen->y);
    *pen = next;
}

static void write_coarse_segment(const struct drawing *drawing,
                                 const struct segment *segment, struct pen *pen)
{
    move_pen(drawing, 'm', &segment->start, pen);
    move_pen(drawing, 'l', &segment->end, pen);
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

static void write_lines_of_kind(const struct drawing *drawing,
                                enum line_kind kind)
{
    const struct nbstage_decoded *decoded = drawing->picture->decoded;
    struct pen pen = {0, 0};
    for (size_t i = 0; i < decoded->line_count; i++) {
        struct segment segment = drawing_get_segment(decoded, i);
        if (segment.kind != kind)
            continue;
        if (drawing->content.is_coarse)
            write_coarse_segment(drawing, &segment, &pen);
        else
            write_segment(drawing, &segment);
    }
}

// Writes what is seen of a kind, where a pixel has so many units.
static void write_kind(const struct drawing *drawing, enum line_kind kind,
                       double pixel)
{
    const struct line_style *style = &line_styles[kind];
    double factor = drawing_line_factor(drawing) * pixel;
    markup_print(drawing->markup,
                 "<g id=\"%s\" stroke=\"%s\" stroke-width=\"%.4g\"", style->id,
                 style->color, style->width * factor);
    if (style->dash > 0)
        markup_print(drawing->markup, " stroke-dasharray=\"%.4g %.4g\"",
                     style->dash * factor, style->gap * factor);
    markup_print(drawing->markup, ">\n<path d=\"");
    write_lines_of_kind(drawing, kind);
    markup_print(drawing->markup, "\"/>\n</g>\n");
}

static void write_target(const struct drawing *drawing, size_t index,
                         const struct segment *segment)
{
    markup_print(drawing->markup, "<path id=\"l%zu\" d=\"", index);
    write_segment(drawing, segment);
    markup_print(drawing->markup, "\">");
    write_line_tooltip(drawing, index, segment);
    markup_print(drawing->markup, "</path>\n");
}

// What is pointed at, in the same order.  On small blocks it is narrower, for
// there to be a way to the blocks, too.
static void write_targets(const struct drawing *drawing)
{
    const struct nbstage_decoded *decoded = drawing->picture->decoded;
    double pixel = 1 / drawing->scale;
    double width = REACH * pixel;
    if (width > BLOCKMAP_SIDE / 3.0)
        width = BLOCKMAP_SIDE / 3.0;
    markup_print(drawing->markup,
                 "<g id=\"targets\" fill=\"none\" stroke-width=\"%.4g\" "
                 "pointer-events=\"stroke\">\n",
                 width);
    for (size_t kind = 0; kind < LINE_KIND_COUNT; kind++)
        for (size_t i = 0;
             i < decoded->line_count && !markup_is_full(drawing->markup); i++) {
            struct segment segment = drawing_get_segment(decoded, i);
            if (segment.kind == (enum line_kind)kind)
                write_target(drawing, i, &segment);
        }
    markup_print(drawing->markup, "</g>\n");
}

void drawing_write_lines(const struct drawing *drawing)
{
    double pixel = 1 / drawing->scale; // in map units
    markup_print(drawing->markup,
                 "<g id=\"lines\" fill=\"none\" stroke-linecap=\"round\"");
    if (drawing->content.is_coarse) {
        markup_print(drawing->markup,
                     " transform=\"translate(%.8g %.8g) scale(%.8g)\"",
                     drawing->west, drawing->south, half_pixel(drawing));
        pixel /= half_pixel(drawing);
    }
    markup_print(drawing->markup, ">\n");
    for (size_t kind = 0; kind < LINE_KIND_COUNT; kind++)
        write_kind(drawing, (enum line_kind)kind, pixel);
    markup_print(drawing->markup, "</g>\n");
    if (drawing->content.line_tooltips)
        write_targets(drawing);
}
