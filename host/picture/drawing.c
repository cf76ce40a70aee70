// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map has y up.  Its longer side has 1000 pixels, but a block at most 96;
// what shows the picture fits it into its frame.
//
// Blocks of one colour are one path, and so are lines of one kind.  In a path a
// run of blocks is one rectangle.  This keeps the drawing of a large map small.
// Tooltips need an element for each block and line: invisible squares lie above
// the colours, and invisible wider lines above the lines.

#include "config.h"

#include "picture/drawing.h"

#include "nbstage-host.h"
#include "picture/colours.h"
#include "platform/file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Pixels.
enum {
    LONGER_SIDE = 1000, // of the map
    MOST_BLOCK = 96,
    TILE = 7,  // of patterns
    REACH = 5, // width of a line that can be pointed at
};

enum { MOST_SHARERS = 12 }; // in a tooltip

const struct line_style line_styles[LINE_KIND_COUNT] = {
    [LINE_ONE_SIDED] = {"one-sided", "one-sided", 2.4, 0, 0},
    [LINE_TWO_SIDED] = {"two-sided", "two-sided", 1.0, 0, 0},
    [LINE_SPECIAL] = {"special", "with a special", 2.0, 5, 2.5},
    [LINE_LEFT_OUT] = {"left-out", "in no block", 1.2, 0.1, 3.2},
};

void drawing_print(const struct drawing *drawing, const char *format, ...)
{
    va_list arguments;
    if (!drawing->stream)
        return;
    va_start(arguments, format);
    gzvprintf(drawing->stream, format, arguments);
    va_end(arguments);
}

void drawing_print_text(const struct drawing *drawing, const char *text,
                        size_t most)
{
    uint32_t number;
    for (size_t length; *text && most-- > 0; text += length) {
        if (!nbstage_is_printable(text, &length, &number))
            drawing_print(drawing, "?");
        else if (length > 1 || strchr("<>&\"", *text))
            drawing_print(drawing, "&#%" PRIu32 ";", number);
        else
            drawing_print(drawing, "%c", *text);
    }
    if (*text)
        drawing_print(drawing, "...");
}

const char *drawing_file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : file_base(path);
}

static void write_file_name(const struct drawing *drawing, const char *path)
{
    drawing_print(drawing, " - ");
    drawing_print_text(drawing, drawing_file_name(path), SIZE_MAX);
}

void drawing_write_title(const struct drawing *drawing)
{
    const struct picture *picture = drawing->picture;
    drawing_print_text(drawing, picture->name, SIZE_MAX);
    if (picture->old_path)
        write_file_name(drawing, picture->old_path);
    write_file_name(drawing, picture->path);
    drawing_print(drawing, " - %s", PACKAGE_STRING);
}

const char *drawing_class(const struct drawing *drawing)
{
    return drawing->picture->findings ? "grey" : "tinted";
}

// ---------------------------------------------------------------------------
// Linedefs

// Whether there is a sector on both sides.  Without known sectors the flag
// decides.
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

static enum line_kind find_kind(const struct drawing *drawing,
                                const struct segment *segment, size_t index)
{
    if (!drawing->picture->statistics->is_listed[index])
        return LINE_LEFT_OUT;
    if (segment->line.special != 0)
        return LINE_SPECIAL;
    return segment->is_two_sided ? LINE_TWO_SIDED : LINE_ONE_SIDED;
}

// UDMF has ids instead of tags; an id may be 0.
static const char *find_tag_name(const struct nbstage_decoded *decoded,
                                 const struct nbstage_line *line)
{
    if (decoded->format == NBSTAGE_FORMAT_UDMF)
        return line->tag != UINT32_MAX ? "id" : NULL;
    return line->tag != 0 ? "tag" : NULL;
}

struct segment drawing_get_segment(const struct drawing *drawing, size_t index)
{
    const struct nbstage_decoded *decoded = drawing->picture->decoded;
    struct segment segment = {
        .line = {.front_sector = NBSTAGE_NONE, .back_sector = NBSTAGE_NONE}};
    const char *lines = (const char *)decoded->lines;
    const char *vertices = (const char *)decoded->vertices;
    size_t size = decoded->line_size < sizeof segment.line
                      ? decoded->line_size
                      : sizeof segment.line;
    memcpy(&segment.line, lines + index * decoded->line_stride, size);
    memcpy(&segment.start, vertices + segment.line.v1 * decoded->vertex_stride,
           sizeof segment.start);
    memcpy(&segment.end, vertices + segment.line.v2 * decoded->vertex_stride,
           sizeof segment.end);
    segment.is_two_sided = is_two_sided(decoded, &segment.line);
    segment.tag_name = find_tag_name(decoded, &segment.line);
    segment.kind = find_kind(drawing, &segment, index);
    return segment;
}

// ---------------------------------------------------------------------------
// Measures

double drawing_in_units(int32_t coordinate)
{
    return coordinate / (double)BLOCKMAP_UNIT;
}

static void enclose(struct drawing *drawing, double x, double y)
{
    drawing->west = x < drawing->west ? x : drawing->west;
    drawing->south = y < drawing->south ? y : drawing->south;
    drawing->east = x > drawing->east ? x : drawing->east;
    drawing->north = y > drawing->north ? y : drawing->north;
}

static void measure_lines(struct drawing *drawing)
{
    const struct nbstage_decoded *decoded = drawing->picture->decoded;
    for (size_t i = 0; i < decoded->line_count; i++) {
        struct segment segment = drawing_get_segment(drawing, i);
        enclose(drawing, drawing_in_units(segment.start.x),
                drawing_in_units(segment.start.y));
        enclose(drawing, drawing_in_units(segment.end.x),
                drawing_in_units(segment.end.y));
        drawing->line_count[segment.kind]++;
    }
}

static void choose_scale(struct drawing *drawing)
{
    double width = drawing->east - drawing->west;
    double height = drawing->north - drawing->south;
    double longer = width > height ? width : height;
    drawing->scale = LONGER_SIDE / longer;
    if (drawing->scale > (double)MOST_BLOCK / BLOCKMAP_SIDE)
        drawing->scale = (double)MOST_BLOCK / BLOCKMAP_SIDE;
}

static void enclose_grid(struct drawing *drawing, const struct blockmap *grid)
{
    enclose(drawing, blockmap_edge(grid->origin_x, 0),
            blockmap_edge(grid->origin_y, 0));
    enclose(drawing, blockmap_edge(grid->origin_x, grid->columns),
            blockmap_edge(grid->origin_y, grid->rows));
}

static void enclose_findings(struct drawing *drawing)
{
    const struct finding_list *blocks = &drawing->picture->findings->blocks;
    for (size_t i = 0; i < blocks->count; i++) {
        double x = (double)blocks->finding[i].x / BLOCKMAP_UNIT;
        double y = (double)blocks->finding[i].y / BLOCKMAP_UNIT;
        enclose(drawing, x, y);
        enclose(drawing, x + BLOCKMAP_SIDE, y + BLOCKMAP_SIDE);
    }
}

struct drawing drawing_measure(const struct picture *picture)
{
    const struct blockmap *blockmap = picture->blockmap;
    struct drawing drawing = {
        .picture = picture,
        .west = drawing_in_units(blockmap->origin_x),
        .south = drawing_in_units(blockmap->origin_y),
        .east = drawing_in_units(blockmap->origin_x),
        .north = drawing_in_units(blockmap->origin_y),
    };
    enclose_grid(&drawing, blockmap);
    if (picture->old)
        enclose_grid(&drawing, picture->old);
    if (picture->findings)
        enclose_findings(&drawing);
    measure_lines(&drawing);
    choose_scale(&drawing);
    for (size_t b = 0; picture->groups && b < blockmap->block_count; b++)
        drawing.marked_blocks += picture->groups[b] != 0;
    return drawing;
}

// Once if blocks have 32 pixels.  page.js has the same.
double drawing_line_factor(const struct drawing *drawing)
{
    double factor = drawing->scale * BLOCKMAP_SIDE / 32;
    return factor < 0.2 ? 0.2 : factor > 1.4 ? 1.4 : factor;
}

// ---------------------------------------------------------------------------
// The colours of blocks

// Patterns are made of tiles, each so many units wide where it is used.
static void write_patterns(const struct drawing *drawing, const char *used_in,
                           double tile, int upward)
{
    const char *form = "<pattern id=\"%s-%s\" class=\"%s\" width=\"%.4g\" "
                       "height=\"%.4g\" patternUnits=\"userSpaceOnUse\" "
                       "viewBox=\"0 0 8 8\" patternTransform=\"scale(1 %d)\">"
                       "%s</pattern>\n";
    for (size_t kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        const struct finding_style *style = &finding_styles[kind];
        drawing_print(drawing, form, style->id, used_in, style->id, tile, tile,
                      upward, style->tile);
    }
    drawing_print(drawing, form, "shared", used_in, "shared", tile, tile,
                  upward,
                  "<path stroke=\"currentColor\" stroke-opacity=\".55\" "
                  "d=\"M-1 1l2-2M-1 9L9-1M7 9l2-2\"/>");
}

void drawing_write_patterns(const struct drawing *drawing)
{
    drawing_print(drawing, "<defs>\n");
    write_patterns(drawing, "map", TILE / (drawing->scale * BLOCKMAP_SIDE), -1);
    write_patterns(drawing, "legend", TILE, 1);
    drawing_print(drawing, "</defs>\n");
}

// What blocks are painted as: their colours, and these.
enum { UNREADABLE = COLOUR_COUNT, MARKED };

static bool has_paint(const struct picture *picture, size_t block, size_t paint)
{
    const struct statistics *statistics = picture->statistics;
    if (paint == MARKED)
        return picture->groups[block] != 0;
    if (picture->blockmap->lists[block].fault != LIST_READABLE)
        return paint == UNREADABLE;
    return paint == colour_of(colours_for(statistics->longest),
                              picture->blockmap->lists[block].distinct);
}

// Writes the path of all blocks that have this paint.
static void write_blocks(const struct drawing *drawing, const char *id,
                         const char *pattern, size_t paint)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    drawing_print(drawing, "<path id=\"%s\"", id);
    if (pattern)
        drawing_print(drawing, " fill=\"url(#%s-map)\"", pattern);
    drawing_print(drawing, " d=\"");
    for (size_t row = 0; row < blockmap->rows; row++)
        for (size_t column = 0; column < blockmap->columns; column++) {
            size_t begin = row * blockmap->columns;
            size_t first = column;
            while (column < blockmap->columns &&
                   has_paint(drawing->picture, begin + column, paint))
                column++;
            if (column > first)
                drawing_print(drawing, "M%zu %zuh%zuv1H%zuz", first, row,
                              column - first, first);
        }
    drawing_print(drawing, "\"/>\n");
}

static void write_colours(const struct drawing *drawing)
{
    struct colours colours = colours_for(drawing->picture->statistics->longest);
    char id[24];
    drawing_print(drawing,
                  "<g id=\"colours\" shape-rendering=\"crispEdges\">\n");
    for (size_t colour = 0; colour <= colours.last; colour++) {
        snprintf(id, sizeof id, "colour-%zu", colour);
        write_blocks(drawing, id, NULL, colour);
    }
    if (drawing->picture->blockmap->unreadable_count > 0)
        write_blocks(drawing, "unreadable", "unreadable", UNREADABLE);
    drawing_print(drawing, "</g>\n");
}

// Writes a grid in the coordinates of the drawn one.
static void write_grid(const struct drawing *drawing, const char *id,
                       const struct blockmap *grid)
{
    const struct blockmap *drawn = drawing->picture->blockmap;
    double pixel = 1 / (drawing->scale * BLOCKMAP_SIDE);
    double x = ((double)grid->origin_x - drawn->origin_x) / BLOCKMAP_FIXED_SIDE;
    double y = ((double)grid->origin_y - drawn->origin_y) / BLOCKMAP_FIXED_SIDE;
    drawing_print(drawing,
                  "<path id=\"%s\" fill=\"none\" stroke-width=\"%.4g\" d=\"",
                  id, pixel * (pixel < 0.1 ? 0.7 : 0.4));
    for (size_t row = 0; row <= grid->rows; row++)
        drawing_print(drawing, "M%.7g %.7gh%lu", x, y + (double)row,
                      (unsigned long)grid->columns);
    for (size_t column = 0; column <= grid->columns; column++)
        drawing_print(drawing, "M%.7g %.7gv%lu", x + (double)column, y,
                      (unsigned long)grid->rows);
    drawing_print(drawing, "\"/>\n");
}

// The group of the block at a column and row; 0 outside the grid.
static uint32_t group_at(const struct picture *picture, size_t column,
                         size_t row)
{
    const struct blockmap *blockmap = picture->blockmap;
    return column < blockmap->columns && row < blockmap->rows
               ? picture->groups[row * blockmap->columns + column]
               : 0;
}

// Whether the block at a column and row is in another group than the block to
// its west, or to its south.
static bool is_border(const struct picture *picture, size_t column, size_t row,
                      bool is_west)
{
    // Before column or row 0 is SIZE_MAX, which is outside the grid.
    return group_at(picture, column, row) !=
           group_at(picture, column - is_west, row - !is_west);
}

// Writes the west or the south borders of groups, as strokes that are as long
// as possible.
static void write_borders(const struct drawing *drawing, bool is_west)
{
    const struct picture *picture = drawing->picture;
    size_t columns = picture->blockmap->columns;
    size_t rows = picture->blockmap->rows;
    size_t across = is_west ? columns : rows;
    size_t along = is_west ? rows : columns;
    for (size_t a = 0; a <= across; a++)
        for (size_t i = 0; i < along; i++) {
            size_t first = i;
            while (i < along && is_border(picture, is_west ? a : i,
                                          is_west ? i : a, is_west))
                i++;
            if (i > first)
                drawing_print(drawing, "M%zu %zu%c%zu", is_west ? a : first,
                              is_west ? first : a, is_west ? 'v' : 'h',
                              i - first);
        }
}

static void write_groups(const struct drawing *drawing)
{
    write_blocks(drawing, "groups", "shared", MARKED);
    drawing_print(drawing,
                  "<path id=\"group-borders\" class=\"shared\" fill=\"none\" "
                  "stroke=\"currentColor\" stroke-linecap=\"square\" "
                  "stroke-width=\"%.4g\" d=\"",
                  1.3 * drawing_line_factor(drawing) /
                      (drawing->scale * BLOCKMAP_SIDE));
    write_borders(drawing, false);
    write_borders(drawing, true);
    drawing_print(drawing, "\"/>\n");
}

// ---------------------------------------------------------------------------
// The tooltips of blocks

// Writes the words of a list of this part, if there are any, after a heading.
static void write_entries(const struct drawing *drawing,
                          const struct blockmap_list *list,
                          enum statistics_part wanted, const char *heading)
{
    const struct picture *picture = drawing->picture;
    for (size_t w = list->begin; w < list->end; w++)
        if (picture->statistics->parts[w] == wanted) {
            drawing_print(
                drawing, "%s %lu", heading,
                (unsigned long)words_get(&picture->blockmap->words, w));
            heading = "";
        }
}

static void write_list(const struct drawing *drawing, size_t block)
{
    const struct picture *picture = drawing->picture;
    const struct blockmap_list *list = &picture->blockmap->lists[block];
    const uint32_t columns = picture->blockmap->columns;
    const uint32_t *sharers;
    size_t length = list->distinct;
    size_t count = statistics_find_sharers(picture->blockmap, block, &sharers);
    if (length == 0)
        drawing_print(drawing, "no linedefs");
    else
        drawing_print(drawing, "%zu linedef%s:", length,
                      length == 1 ? "" : "s");
    write_entries(drawing, list, PART_LINEDEF, "");
    write_entries(drawing, list, PART_REPEATED, "\nlisted once more:");
    write_entries(drawing, list, PART_TOO_LARGE, "\nno linedefs of the map:");
    if (length == 0 || count < 2)
        return;
    drawing_print(drawing, "\nthe list of %zu blocks:", count);
    for (size_t i = 0; i < count && i < MOST_SHARERS; i++)
        drawing_print(drawing, " %lu,%lu",
                      (unsigned long)(sharers[i] % columns),
                      (unsigned long)(sharers[i] / columns));
    if (count > MOST_SHARERS)
        drawing_print(drawing, " ...");
}

// Writes what is found in a block, a line for each kind of it.
static void write_findings(const struct drawing *drawing, size_t column,
                           size_t row)
{
    const struct picture *picture = drawing->picture;
    enum finding_kind kind = FINDING_KIND_COUNT;
    struct finding_list found = findings_at(
        picture->findings,
        picture->blockmap->origin_x + (int64_t)column * BLOCKMAP_FIXED_SIDE,
        picture->blockmap->origin_y + (int64_t)row * BLOCKMAP_FIXED_SIDE);
    for (size_t i = 0; i < found.count; i++) {
        if (found.finding[i].linedef == NBSTAGE_NONE)
            continue;
        if (found.finding[i].kind != kind)
            drawing_print(drawing,
                          "\n%s:", finding_styles[found.finding[i].kind].label);
        drawing_print(drawing, " %lu", (unsigned long)found.finding[i].linedef);
        kind = found.finding[i].kind;
    }
}

static void write_block_tooltips(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    drawing_print(drawing,
                  "<g id=\"blocks\" fill=\"none\" pointer-events=\"fill\">\n");
    for (size_t b = 0; drawing->has_tooltips && b < blockmap->block_count;
         b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        size_t column = b % blockmap->columns;
        size_t row = b / blockmap->columns;
        drawing_print(drawing,
                      "<path id=\"b%zu\" d=\"M%zu %zuh1v1h-1z\">"
                      "<title>block %zu,%zu at %.10g,%.10g\n",
                      b, column, row, column, row,
                      blockmap_edge(blockmap->origin_x, column),
                      blockmap_edge(blockmap->origin_y, row));
        if (list->fault == LIST_READABLE)
            write_list(drawing, b);
        else
            drawing_print(drawing, "offset %lu: the list cannot be read",
                          (unsigned long)list->offset);
        if (drawing->picture->findings)
            write_findings(drawing, column, row);
        drawing_print(drawing, "</title></path>\n");
    }
    drawing_print(drawing, "</g>\n");
}

// ---------------------------------------------------------------------------
// Lines

static void write_segment(const struct drawing *drawing,
                          const struct segment *segment)
{
    drawing_print(
        drawing, "M%.8g %.8gL%.8g %.8g", drawing_in_units(segment->start.x),
        drawing_in_units(segment->start.y), drawing_in_units(segment->end.x),
        drawing_in_units(segment->end.y));
}

// Writes the visible lines of a kind.
static void write_kind(const struct drawing *drawing, enum line_kind kind)
{
    const struct nbstage_decoded *decoded = drawing->picture->decoded;
    const struct line_style *style = &line_styles[kind];
    double factor = drawing_line_factor(drawing) / drawing->scale;
    drawing_print(drawing, "<g id=\"%s\" stroke-width=\"%.4g\"", style->id,
                  style->width * factor);
    if (style->dash > 0)
        drawing_print(drawing, " stroke-dasharray=\"%.4g %.4g\"",
                      style->dash * factor, style->gap * factor);
    drawing_print(drawing, ">\n<path d=\"");
    for (size_t i = 0; i < decoded->line_count; i++) {
        struct segment segment = drawing_get_segment(drawing, i);
        if (segment.kind == kind)
            write_segment(drawing, &segment);
    }
    drawing_print(drawing, "\"/>\n</g>\n");
}

// Writes an invisible line with its tooltip: "linedef 7, special 97, tag 3".
static void write_target(const struct drawing *drawing, size_t index,
                         const struct segment *segment)
{
    const size_t *expected = drawing->picture->expected;
    drawing_print(drawing, "<path id=\"l%zu\" d=\"", index);
    write_segment(drawing, segment);
    drawing_print(drawing, "\"><title>linedef %zu, %s", index,
                  segment->is_two_sided ? "two-sided" : "one-sided");
    if (segment->line.special != 0)
        drawing_print(drawing, ", special %lu",
                      (unsigned long)segment->line.special);
    if (segment->tag_name)
        drawing_print(drawing, ", %s %ld", segment->tag_name,
                      (long)(int32_t)segment->line.tag);
    const struct expected *reasons = drawing->picture->reasons;
    const char *reason =
        reasons ? expected_reason(reasons, (uint32_t)index) : NULL;
    if (segment->kind == LINE_LEFT_OUT)
        drawing_print(drawing, ", in no block%s%s", reason ? ": " : "",
                      reason ? reason : "");
    if (segment->kind == LINE_LEFT_OUT && expected && expected[index] > 0)
        drawing_print(drawing, " (should be in %zu)", expected[index]);
    drawing_print(drawing, "</title></path>\n");
}

// The targets are in the order of the visible lines.  On small blocks they are
// narrower, to leave room to point at the blocks.
static void write_targets(const struct drawing *drawing)
{
    const struct nbstage_decoded *decoded = drawing->picture->decoded;
    double width = REACH / drawing->scale;
    if (width > BLOCKMAP_SIDE / 3.0)
        width = BLOCKMAP_SIDE / 3.0;
    drawing_print(drawing,
                  "<g id=\"targets\" fill=\"none\" stroke-width=\"%.4g\" "
                  "pointer-events=\"stroke\">\n",
                  width);
    for (size_t kind = 0; kind < LINE_KIND_COUNT; kind++)
        for (size_t i = 0; i < decoded->line_count; i++) {
            struct segment segment = drawing_get_segment(drawing, i);
            if (segment.kind == (enum line_kind)kind)
                write_target(drawing, i, &segment);
        }
    drawing_print(drawing, "</g>\n");
}

void drawing_write_map(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    drawing_print(drawing,
                  "<g id=\"map\" transform=\"translate(%.8g %.8g) "
                  "scale(%.8g -%.8g)\">\n"
                  "<g id=\"block-grid\" transform=\"translate(%.8g %.8g) "
                  "scale(%d)\">\n",
                  drawing->left - drawing->west * drawing->scale,
                  drawing->bottom + drawing->south * drawing->scale,
                  drawing->scale, drawing->scale,
                  drawing_in_units(blockmap->origin_x),
                  drawing_in_units(blockmap->origin_y), BLOCKMAP_SIDE);
    write_colours(drawing);
    write_grid(drawing, "grid", blockmap);
    if (drawing->picture->old)
        write_grid(drawing, "old-grid", drawing->picture->old);
    if (drawing->picture->groups)
        write_groups(drawing);
    drawing_mark_blocks(drawing);
    write_block_tooltips(drawing);
    drawing_print(drawing,
                  "</g>\n"
                  "<g id=\"lines\" fill=\"none\" stroke-linecap=\"round\">\n");
    for (size_t kind = 0; kind < LINE_KIND_COUNT; kind++)
        write_kind(drawing, (enum line_kind)kind);
    drawing_print(drawing, "</g>\n");
    drawing_mark_lines(drawing);
    if (drawing->has_tooltips)
        write_targets(drawing);
    drawing_print(drawing, "</g>\n");
}
