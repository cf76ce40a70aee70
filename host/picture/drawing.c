// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map has y up.  Its longer side has 1000 pixels, but a block at most 96;
// what shows the picture fits it into its frame.

#include "config.h"

#include "picture/drawing.h"

#include "inspect/statistics.h"
#include "lines/grid.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "nbstage-host.h"
#include "map/attributes.h"
#include "nbstage.h"
#include "picture/findings.h"
#include "platform/file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

// Pixels.
enum { LONGER_SIDE = 1000 /* of the map */, MOST_BLOCK = 96 };

const struct line_style line_styles[DRAWN_KIND_COUNT] = {
    [DRAWN_ONE_SIDED] = {"one-sided", "one-sided", 2.4, 0, 0},
    [DRAWN_TWO_SIDED] = {"two-sided", "two-sided", 1.0, 0, 0},
    [DRAWN_SPECIAL] = {"special", "with a special", 2.0, 5, 2.5},
    [DRAWN_LEFT_OUT] = {"left-out", "in no block", 1.2, 0.1, 3.2},
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

void drawing_print_text(const struct drawing *drawing, const char *text)
{
    uint32_t number;
    for (size_t length; *text; text += length) {
        if (!nbstage_is_printable(text, &length, &number))
            drawing_print(drawing, "?");
        else if (length > 1 || strchr("<>&\"", *text))
            drawing_print(drawing, "&#%" PRIu32 ";", number);
        else
            drawing_print(drawing, "%c", *text);
    }
}

const char *drawing_file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : file_base(path);
}

static void drawing_write_file_name(const struct drawing *drawing,
                                    const char *path)
{
    drawing_print(drawing, " - ");
    drawing_print_text(drawing, drawing_file_name(path));
}

void drawing_write_title(const struct drawing *drawing)
{
    const struct picture *picture = drawing->picture;
    drawing_print_text(drawing, picture->name);
    if (picture->old_path)
        drawing_write_file_name(drawing, picture->old_path);
    drawing_write_file_name(drawing, picture->path);
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
static bool drawing_is_two_sided(const struct attributes *attributes,
                                 const struct map_line *line)
{
    enum { BINARY_TWO_SIDED = 0x4 };
    if (line->front_sector != NBSTAGE_NONE || line->back_sector != NBSTAGE_NONE)
        return line->front_sector != NBSTAGE_NONE &&
               line->back_sector != NBSTAGE_NONE;
    uint32_t flag = attributes->format == NBSTAGE_FORMAT_UDMF
                        ? NBSTAGE_LINE_TWO_SIDED
                        : BINARY_TWO_SIDED;
    return (line->flags & flag) != 0;
}

struct segment drawing_get_segment(const struct drawing *drawing, size_t index)
{
    const struct picture *picture = drawing->picture;
    const struct map_line *line = &picture->attributes->lines[index];
    const struct fixed_line ends = lines_fixed_at(picture->lines, index);
    bool is_two_sided = drawing_is_two_sided(picture->attributes, line);
    return (struct segment){
        .x1 = drawing_in_units(ends.x1),
        .y1 = drawing_in_units(ends.y1),
        .x2 = drawing_in_units(ends.x2),
        .y2 = drawing_in_units(ends.y2),
        .is_two_sided = is_two_sided,
        .kind = !picture->statistics->is_listed[index] ? DRAWN_LEFT_OUT
                : line->special != 0                   ? DRAWN_SPECIAL
                : is_two_sided                         ? DRAWN_TWO_SIDED
                                                       : DRAWN_ONE_SIDED,
    };
}

// ---------------------------------------------------------------------------
// Measures

double drawing_in_units(int32_t coordinate)
{
    return coordinate / (double)BLOCKMAP_UNIT;
}

static void drawing_enclose(struct drawing *drawing, double x, double y)
{
    drawing->west = x < drawing->west ? x : drawing->west;
    drawing->south = y < drawing->south ? y : drawing->south;
    drawing->east = x > drawing->east ? x : drawing->east;
    drawing->north = y > drawing->north ? y : drawing->north;
}

static void drawing_measure_lines(struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->picture->lines->count; i++) {
        struct segment segment = drawing_get_segment(drawing, i);
        drawing_enclose(drawing, segment.x1, segment.y1);
        drawing_enclose(drawing, segment.x2, segment.y2);
    }
}

static void drawing_enclose_grid(struct drawing *drawing,
                                 const struct blockmap *grid)
{
    drawing_enclose(drawing, blockmap_edge(grid->origin_x, 0),
                    blockmap_edge(grid->origin_y, 0));
    drawing_enclose(drawing, blockmap_edge(grid->origin_x, grid->columns),
                    blockmap_edge(grid->origin_y, grid->rows));
}

static void drawing_enclose_findings(struct drawing *drawing)
{
    const struct finding_list *blocks = &drawing->picture->findings->blocks;
    for (size_t i = 0; i < blocks->count; i++) {
        double x = (double)blocks->finding[i].x / BLOCKMAP_UNIT;
        double y = (double)blocks->finding[i].y / BLOCKMAP_UNIT;
        drawing_enclose(drawing, x, y);
        drawing_enclose(drawing, x + BLOCK_SIZE, y + BLOCK_SIZE);
    }
}

struct drawing drawing_measure(const struct picture *picture)
{
    const struct blockmap *blockmap = picture->blockmap;
    struct drawing drawing = {
        .picture = picture,
        .west = blockmap_edge(blockmap->origin_x, 0),
        .south = blockmap_edge(blockmap->origin_y, 0),
        .east = blockmap_edge(blockmap->origin_x, blockmap->columns),
        .north = blockmap_edge(blockmap->origin_y, blockmap->rows),
    };
    if (picture->old)
        drawing_enclose_grid(&drawing, picture->old);
    if (picture->findings)
        drawing_enclose_findings(&drawing);
    drawing_measure_lines(&drawing);
    double width = drawing.east - drawing.west;
    double height = drawing.north - drawing.south;
    drawing.scale = LONGER_SIDE / (width > height ? width : height);
    if (drawing.scale > (double)MOST_BLOCK / BLOCK_SIZE)
        drawing.scale = (double)MOST_BLOCK / BLOCK_SIZE;
    drawing.bottom = height * drawing.scale;
    return drawing;
}

// Once if blocks have 32 pixels.  page.js has the same.
double drawing_line_factor(const struct drawing *drawing)
{
    double factor = drawing->scale * BLOCK_SIZE / 32;
    return factor < 0.2 ? 0.2 : factor > 1.4 ? 1.4 : factor;
}
