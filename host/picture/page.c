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

#include "inspect/statistics.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/lump.h"
#include "nbstage.h"
#include "page-files.h"
#include "picture/colours.h"
#include "picture/findings.h"
#include <stdbool.h>
#include <string.h>

// What the script finds instead of a linedef.
enum { WORD_TERMINATOR = -1, WORD_HEADER = -2 };

// ---------------------------------------------------------------------------
// Data, as JSON

static void page_write_grid(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    drawing_print(drawing,
                  "\"scale\": %.8g,\n\"west\": %.10g, \"south\": %.10g, "
                  "\"east\": %.10g, \"north\": %.10g,\n"
                  "\"originX\": %.10g, \"originY\": %.10g,\n"
                  "\"columns\": %lu, \"rows\": %lu,\n",
                  drawing->scale, drawing->west, drawing->south, drawing->east,
                  drawing->north, drawing_in_units(blockmap->origin_x),
                  drawing_in_units(blockmap->origin_y),
                  (unsigned long)blockmap->columns,
                  (unsigned long)blockmap->rows);
}

// Writes for each block the first word of its list, or, if the list cannot be
// read, the fault as a negative number; then the words after the table.
static void page_write_lists(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    const unsigned char *parts = drawing->picture->statistics->parts;
    size_t table_end = LUMP_HEADER_WORDS + blockmap->block_count;
    drawing_print(drawing, "\"begins\": [");
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        drawing_print(drawing, b > 0 ? ",%ld" : "%ld",
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

// Writes the kind of each line as a digit, with 4 added if it is two-sided.
static void page_write_kinds(const struct drawing *drawing)
{
    drawing_print(drawing, "\"kinds\": \"");
    for (size_t i = 0; i < drawing->picture->lines->count; i++) {
        struct segment segment = drawing_get_segment(drawing, i);
        drawing_print(drawing, "%d",
                      (int)segment.kind + (segment.is_two_sided ? 4 : 0));
    }
    drawing_print(drawing, "\",\n");
}

// Writes which kinds of findings are shown, as bits, the id, label and count of
// each, and the entries:
// kind, place of the block, and linedef or -1.
static void page_write_entries(const struct drawing *drawing)
{
    const struct findings *findings = drawing->picture->findings;
    drawing_print(drawing, "\"shown\": %u, \"findings\": [",
                  findings ? findings->kinds : 0);
    for (size_t kind = 0; findings && kind < FINDING_KIND_COUNT; kind++)
        drawing_print(drawing, "%s[\"%s\",\"%s\",%zu]", kind > 0 ? "," : "",
                      finding_styles[kind].id, finding_styles[kind].label,
                      findings->found[kind]);
    drawing_print(drawing, "],\n\"entries\": [");
    for (size_t i = 0; findings && i < findings->entries.count; i++) {
        const struct finding *entry = &findings->entries.finding[i];
        drawing_print(drawing, "%s[%d,%.10g,%.10g,%ld]", i > 0 ? "," : "",
                      (int)entry->kind, (double)entry->x / BLOCKMAP_UNIT,
                      (double)entry->y / BLOCKMAP_UNIT,
                      entry->linedef == NBSTAGE_NONE ? -1
                                                     : (long)entry->linedef);
    }
    drawing_print(drawing, "],\n");
}

// Writes for each linedef how many blocks should list it, if that is known.
static void page_write_expected(const struct drawing *drawing)
{
    const struct picture *picture = drawing->picture;
    drawing_print(drawing, "\"expected\": [");
    for (size_t i = 0; picture->expected && i < picture->lines->count; i++)
        drawing_print(drawing, i > 0 ? ",%zu" : "%zu", picture->expected[i]);
    drawing_print(drawing, "]\n");
}

static void page_write_data(const struct drawing *drawing)
{
    drawing_print(drawing, "{\n");
    page_write_grid(drawing);
    page_write_lists(drawing);
    page_write_kinds(drawing);
    page_write_entries(drawing);
    page_write_expected(drawing);
    drawing_print(drawing, "}\n");
}

// ---------------------------------------------------------------------------
// Pictures

static void page_write_body(const struct drawing *drawing)
{
    drawing_print(drawing, "<body class=\"%s\">\n", drawing_class(drawing));
}

static void page_write_file(const struct drawing *drawing, const char *which,
                            const char *path)
{
    drawing_print(drawing, "<p>%s", which);
    drawing_print_text(drawing, drawing_file_name(path));
    drawing_print(drawing, "</p>\n");
}

static void page_write_heading(const struct drawing *drawing)
{
    const struct picture *picture = drawing->picture;
    drawing_print(drawing, "<h1>");
    drawing_print_text(drawing, picture->name);
    drawing_print(drawing, "</h1>\n");
    if (picture->old_path)
        page_write_file(drawing, "old: ", picture->old_path);
    page_write_file(drawing, picture->old_path ? "new: " : "", picture->path);
}

// Without a script the whole map is visible.
static void page_write_map(const struct drawing *drawing)
{
    drawing_print(drawing,
                  "<svg id=\"picture\" class=\"%s\" "
                  "viewBox=\"0 0 %.8g %.8g\">\n",
                  drawing_class(drawing),
                  (drawing->east - drawing->west) * drawing->scale,
                  drawing->bottom);
    blocks_write_patterns(drawing);
    map_write(drawing);
    drawing_print(drawing, "</svg>\n");
}

static void page_write_legend(const struct drawing *drawing)
{
    struct legend_size size = legend_measure(drawing, 0);
    drawing_print(drawing,
                  "<svg id=\"key\" class=\"%s\" width=\"%.6g\" "
                  "height=\"%.6g\">\n",
                  drawing_class(drawing), size.width, size.height);
    legend_write(drawing, 0, 0, 0);
    drawing_print(drawing, "</svg>\n");
}

// ---------------------------------------------------------------------------
// The page

static const struct {
    const char *line; // of page.html
    void (*write)(const struct drawing *drawing);
} places[] = {
    {"@title@\n", drawing_write_title},  {"@style@\n", colours_write_style},
    {"@body@\n", page_write_body},       {"@map@\n", page_write_map},
    {"@heading@\n", page_write_heading}, {"@data@\n", page_write_data},
    {"@legend@\n", page_write_legend},
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
