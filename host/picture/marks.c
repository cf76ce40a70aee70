// SPDX-License-Identifier: GPL-2.0-or-later
//
// Findings on the map.  A marked block has a pattern and a border.  Where the
// block is small, the border is wide, so that one block of a large map is seen.
// A linedef that is missing is drawn again as a whole, and the piece of it in
// the block that misses it thicker: there, things pass through.

#include "config.h"

#include "picture/drawing.h"

#include "blockmap/clip.h"

// Pixels.
enum {
    LEAST_MARK = 14, // a block with its border
    MOST_BORDER = 6,
};

// Harmless and extra entries need not catch the eye.  page.js has the same.
static double border_width(const struct drawing *drawing,
                           enum finding_kind kind)
{
    double width = (LEAST_MARK - drawing->scale * BLOCKMAP_SIDE) / 2;
    if (kind == FINDING_HARMLESS || kind == FINDING_EXTRA)
        return 0.8;
    return width < 1.6 ? 1.6 : width > MOST_BORDER ? MOST_BORDER : width;
}

// Writes a rectangle from one block to another in its row, in the coordinates
// of the drawn grid.
static void write_run(const struct drawing *drawing,
                      const struct finding *first, const struct finding *last)
{
    const struct blockmap *grid = drawing->picture->blockmap;
    const double side = BLOCKMAP_FIXED_SIDE;
    drawing_print(drawing, "M%.7g %.7gh%.7gv1h%.7gz",
                  (double)(first->x - grid->origin_x) / side,
                  (double)(first->y - grid->origin_y) / side,
                  (double)(last->x - first->x) / side + 1,
                  (double)(first->x - last->x) / side - 1);
}

static void mark_kind(const struct drawing *drawing, enum finding_kind kind)
{
    const struct finding_list *blocks = &drawing->picture->findings->blocks;
    const char *id = finding_styles[kind].id;
    const struct finding *first = NULL;
    const struct finding *last = NULL;
    drawing_print(drawing,
                  "<path id=\"%s-blocks\" class=\"%s\" fill=\"url(#%s-map)\" "
                  "stroke=\"currentColor\" stroke-width=\"%.4g\" d=\"",
                  id, id, id,
                  border_width(drawing, kind) /
                      (drawing->scale * BLOCKMAP_SIDE));
    for (size_t i = 0; i < blocks->count; i++) {
        const struct finding *block = &blocks->finding[i];
        if (block->kind != kind)
            continue;
        bool follows = last && block->y == last->y &&
                       block->x == last->x + BLOCKMAP_FIXED_SIDE;
        if (last && !follows)
            write_run(drawing, first, last);
        first = follows ? first : block;
        last = block;
    }
    if (last)
        write_run(drawing, first, last);
    drawing_print(drawing, "\"/>\n");
}

void drawing_mark_blocks(const struct drawing *drawing)
{
    // What matters more lies above.
    static const enum finding_kind order[FINDING_KIND_COUNT] = {
        FINDING_HARMLESS, FINDING_EXTRA,    FINDING_UNREADABLE,
        FINDING_ONLY_OLD, FINDING_ONLY_NEW, FINDING_MISSING,
    };
    const struct findings *findings = drawing->picture->findings;
    if (!findings)
        return;
    drawing_print(drawing, "<g id=\"findings\" stroke-linejoin=\"round\">\n");
    for (size_t i = 0; i < FINDING_KIND_COUNT; i++)
        if (findings->kinds & 1u << order[i])
            mark_kind(drawing, order[i]);
    drawing_print(drawing, "</g>\n");
}

// ---------------------------------------------------------------------------
// Missing linedefs

// Writes the path of the missing linedefs, of each as often as it is missing,
// or of the pieces that are.
static void write_missing(const struct drawing *drawing, double width,
                          bool are_pieces)
{
    const struct picture *picture = drawing->picture;
    const struct finding_list *entries = &picture->findings->entries;
    drawing_print(drawing, "<path stroke-width=\"%.4g\" d=\"", width);
    for (size_t i = 0; i < entries->count; i++) {
        const struct finding *entry = &entries->finding[i];
        if (entry->kind != FINDING_MISSING)
            continue;
        struct segment line = drawing_get_segment(drawing, entry->linedef);
        struct clip clip = {
            .x1 = drawing_in_units(line.start.x),
            .y1 = drawing_in_units(line.start.y),
            .x2 = drawing_in_units(line.end.x),
            .y2 = drawing_in_units(line.end.y),
        };
        if (are_pieces)
            clip = clip_linedef(picture->decoded, entry->linedef,
                                (double)entry->x / BLOCKMAP_UNIT,
                                (double)entry->y / BLOCKMAP_UNIT);
        drawing_print(drawing, "M%.8g %.8gL%.8g %.8g", clip.x1, clip.y1,
                      clip.x2, clip.y2);
    }
    drawing_print(drawing, "\"/>\n");
}

// Writes the squares that the legend's list leads to.  They are seen only then.
static void write_places(const struct drawing *drawing)
{
    const struct finding *listed[MOST_LISTED];
    size_t count = drawing_list_findings(drawing, listed);
    for (size_t i = 0; i < count; i++)
        drawing_print(drawing,
                      "<path id=\"place-%zu\" class=\"place\" "
                      "stroke-width=\"%.4g\" d=\"M%.10g %.10gh%dv%dh-%dz\"/>\n",
                      i, 5 / drawing->scale,
                      (double)listed[i]->x / BLOCKMAP_UNIT,
                      (double)listed[i]->y / BLOCKMAP_UNIT, BLOCKMAP_SIDE,
                      BLOCKMAP_SIDE, BLOCKMAP_SIDE);
}

void drawing_mark_lines(const struct drawing *drawing)
{
    double factor = drawing_line_factor(drawing) / drawing->scale;
    if (!drawing->picture->findings)
        return;
    drawing_print(drawing,
                  "<g id=\"missing-lines\" class=\"missing\" fill=\"none\" "
                  "stroke=\"currentColor\" stroke-linecap=\"round\">\n");
    write_missing(drawing, 2.4 * factor, false);
    write_missing(drawing, 6 * factor, true);
    drawing_print(drawing, "</g>\n");
    if (!drawing->is_page)
        write_places(drawing);
}

// ---------------------------------------------------------------------------
// The list

size_t drawing_list_findings(const struct drawing *drawing,
                             const struct finding *listed[MOST_LISTED])
{
    const struct finding_list *entries = &drawing->picture->findings->entries;
    size_t count = 0;
    for (size_t kind = 0; kind < FINDING_KIND_COUNT; kind++)
        for (size_t i = 0; i < entries->count && count < MOST_LISTED; i++)
            if (kind != FINDING_HARMLESS && entries->finding[i].kind == kind)
                listed[count++] = &entries->finding[i];
    return count;
}
