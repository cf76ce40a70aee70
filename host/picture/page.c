// SPDX-License-Identifier: GPL-2.0-or-later
//
// A page to explore a blockmap with a browser.  In page.html a line such as
// "@map@" stands for what is written here: the picture, and the data
// that the script needs.
//
// The data are the words of the lists and where each block's list begins.  So
// the page grows with the lump only, even if its lists overlap.

#include "config.h"

#include "picture/drawing.h"

#include "inspect/findings.h"
#include "inspect/statistics.h"
#include "lines/grid.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/judge.h"
#include "lump/lump.h"
#include "page-files.h"
#include "prune/line.h"

#include <string.h>

// What the script finds instead of a linedef.
enum { WORD_TERMINATOR = -1, WORD_HEADER = -2 };

// ---------------------------------------------------------------------------
// Data, as JSON

static void page_write_grid(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    drawing_print(
        drawing,
        "\"scale\": %.8g, \"west\": %.10g, \"south\": %.10g, \"width\": %.10g, "
        "\"height\": %.10g,\n\"originX\": %.10g, "
        "\"originY\": %.10g, \"columns\": %lu, \"rows\": %lu,\n",
        drawing->scale, drawing->west, drawing->south, drawing->width,
        drawing->height, blockmap_edge(blockmap->origin_x, 0),
        blockmap_edge(blockmap->origin_y, 0), (unsigned long)blockmap->columns,
        (unsigned long)blockmap->rows);
}

// Writes for each block its offset and the first word of its list, or, if the
// list cannot be read, the fault as a negative number; then the words after the
// table.
static void page_write_lists(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    const unsigned char *parts = drawing->picture->statistics->parts;
    const size_t table_end = LUMP_HEADER_WORDS + blockmap->block_count;
    drawing_print(drawing, "\"blocks\": [");
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        drawing_print(drawing, "%s[%lu,%ld]", b > 0 ? "," : "",
                      (unsigned long)list->offset,
                      list->fault == LIST_READABLE
                          ? (long)(list->begin - table_end)
                          : -(long)list->fault);
    }
    drawing_print(drawing, "],\n\"words\": [");
    for (size_t w = table_end; w < blockmap->words.count; w++) {
        long long word = words_get(&blockmap->words, w);
        if (parts[w] < PART_LINEDEF)
            word = parts[w] == PART_HEADER ? WORD_HEADER : WORD_TERMINATOR;
        drawing_print(drawing, w > table_end ? ",%lld" : "%lld", word);
    }
    drawing_print(drawing, "],\n");
}

static void page_write_lines(const struct drawing *drawing)
{
    const struct lines *lines = drawing->picture->lines;
    const double unit = BLOCKMAP_UNIT;
    drawing_print(drawing, "\"lines\": [");
    for (size_t i = 0; i < lines->count; i++) {
        const struct fixed_line line = lines_fixed_at(lines, i);
        drawing_print(drawing, "%s[%.8g,%.8g,%.8g,%.8g]", i > 0 ? "," : "",
                      line.x1 / unit, line.y1 / unit, line.x2 / unit,
                      line.y2 / unit);
    }
    drawing_print(drawing, "],\n");
}

// Writes missing entries, if they are known.  A harmless one has no reason.
static void page_write_entries(const struct drawing *drawing)
{
    const struct picture *picture = drawing->picture;
    const struct findings *findings = picture->missing;
    const double side = BLOCK_FIXED_SIZE;
    drawing_print(drawing, "\"missing\": [");
    for (size_t i = 0; findings && i < findings->count; i++) {
        const struct finding *entry = &findings->finding[i];
        char reason[SOLID_TEXT];
        solid_describe(picture->expected->verdicts[entry->linedef], reason);
        drawing_print(drawing,
                      "%s{\"line\": %lu, \"column\": %.10g, \"row\": %.10g, "
                      "\"units\": %.10g, \"reason\": \"%s\"}",
                      i > 0 ? "," : "", (unsigned long)entry->linedef,
                      (double)(entry->x - picture->blockmap->origin_x) / side,
                      (double)(entry->y - picture->blockmap->origin_y) / side,
                      finding_piece(picture->lines, entry).length, reason);
    }
    drawing_print(drawing, "]");
}

static void page_write_data(const struct drawing *drawing)
{
    drawing_print(drawing, "{\n");
    page_write_grid(drawing);
    page_write_lists(drawing);
    page_write_lines(drawing);
    page_write_entries(drawing);
    drawing_print(drawing, "\n}\n");
}

// ---------------------------------------------------------------------------
// What is seen

static void page_write_heading(const struct drawing *drawing)
{
    const struct picture_fact *fact = drawing->picture->facts;
    drawing_print(drawing, "<h1>");
    drawing_print_text(drawing, drawing->picture->name);
    drawing_print(drawing, "</h1>\n<dl>\n");
    for (; fact->name; fact++) {
        drawing_print(drawing, "<div><dt>%s</dt><dd>", fact->name);
        drawing_print_text(drawing, fact->text);
        drawing_print(drawing, "</dd></div>\n");
    }
    drawing_print(drawing, "</dl>\n");
}

static const struct {
    const char *line; // of page.html
    void (*write)(const struct drawing *drawing);
} places[] = {
    {"@title@\n", drawing_print_title},
    {"@heading@\n", page_write_heading},
    {"@picture@\n", svg_write},
    {"@data@\n", page_write_data},
};

enum { PLACE_COUNT = sizeof places / sizeof *places };

void page_write(const struct drawing *drawing)
{
    for (const char *const *line = page_html; *line; line++) {
        size_t i = 0;
        while (i < PLACE_COUNT && strcmp(*line, places[i].line) != 0)
            i++;
        if (i < PLACE_COUNT)
            places[i].write(drawing);
        else
            drawing_print(drawing, "%s", *line);
    }
}
