// SPDX-License-Identifier: GPL-2.0-or-later
//
// A page to explore a blockmap with a browser.  Lines of page.html such as
// "@picture@" are placeholders for other files, the picture, and the script's
// data.
//
// The data are the words of the lists and the start of each block's list, so
// the page grows only with the lump, even if its lists overlap.

#include "config.h"

#include "picture/drawing.h"

#include "base/macros.h"
#include "common/report.h"
#include "inspect/inspect.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/lump.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Values that tell the script that a word of a list is not a linedef.
enum { WORD_TERMINATOR = -1, WORD_HEADER = -2 };

// ---------------------------------------------------------------------------
// Data: a report in JSON

// Writes for each block its offset and the first word of its list, or -1 if the
// list cannot be read; then the words after the table.
static void page_write_lists(const struct drawing *drawing)
{
    const struct blockmap *blockmap = &drawing->map->present;
    const unsigned char *parts = drawing->map->statistics.parts;
    const size_t table_end = blockmap->lists_begin;
    drawing_print(drawing, ",\n\"blocks\": [");
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list list = blockmap_list(blockmap, b);
        drawing_print(drawing, "%s[%zu,%ld]", b > 0 ? "," : "", list.offset,
                      list.fault ? -1 : (long)(list.begin - table_end));
    }
    drawing_print(drawing, "],\n\"words\": [");
    for (size_t w = table_end; w < blockmap->word_count; w++) {
        long long word = blockmap_word(blockmap, w);
        if (parts[w] < PART_LINEDEF)
            word = parts[w] == PART_HEADER ? WORD_HEADER : WORD_TERMINATOR;
        drawing_print(drawing, w > table_end ? ",%lld" : "%lld", word);
    }
    drawing_print(drawing, "]");
}

static void page_write_lines(const struct drawing *drawing)
{
    const struct lines *lines = &drawing->map->lines;
    const double unit = BLOCKMAP_UNIT;
    drawing_print(drawing, ",\n\"lines\": [");
    for (size_t i = 0; i < lines->count; i++) {
        const struct fixed_line line = lines_fixed_at(lines, i);
        drawing_print(drawing, "%s[%.8g,%.8g,%.8g,%.8g]", i > 0 ? "," : "",
                      line.x1 / unit, line.y1 / unit, line.x2 / unit,
                      line.y2 / unit);
    }
    drawing_print(drawing, "]");
}

static void page_write_data(const struct drawing *drawing)
{
    const struct blockmap *present = &drawing->map->present;
    struct report json = {.form = REPORT_JSON, .stream = drawing->stream};
    struct facts facts = {0};
    facts_number(&facts, "origin_x", lump_edge(present->origin_x, 0));
    facts_number(&facts, "origin_y", lump_edge(present->origin_y, 0));
    facts_number(&facts, "columns", present->grid.columns);
    facts_number(&facts, "rows", present->grid.rows);
    facts_number(&facts, "scale", drawing->scale);
    facts_number(&facts, "west", drawing->west);
    facts_number(&facts, "south", drawing->south);
    facts_number(&facts, "width", drawing->width);
    facts_number(&facts, "height", drawing->height);
    report_open(&json, NULL, &facts, NULL);
    lump_list_missing(&json, drawing->map, true);
    page_write_lists(drawing);
    page_write_lines(drawing);
    report_close(&json);
}

// ---------------------------------------------------------------------------
// Visible content

static void page_write_heading(const struct drawing *drawing)
{
    const struct inspect_map *map = drawing->map;
    const struct blockmap *present = &map->present;
    const unsigned long largest = map->statistics.largest_offset;
    struct facts facts = {0};
    lump_add_verdict(&facts, "Verdict", map);
    if (map->has_expected)
        facts_format(&facts, "Missing entries", "%zu, %zu of them solid",
                     map->missing_count, map->solid_count);
    groups_add_headings(&facts, map);
    if (present->form == LUMP_XBM1)
        facts_format(&facts, "Largest offset", "%lu; XBM1 has no limit",
                     largest);
    else
        facts_format(&facts, "Largest offset",
                     "%lu of %d for Doom 1.9, %d for ports", largest,
                     LUMP_VANILLA_OFFSET, LUMP_EXTENDED_WORDS);
    facts_format(&facts, "Lists", "%zu for %zu blocks", map->statistics.stored,
                 present->block_count);
    facts_format(&facts, "Bytes", "%zu", present->bytes);
    drawing_print(drawing, "<h1>");
    drawing_print_text(drawing, map->name);
    drawing_print(drawing, "</h1>\n<dl>\n");
    for (size_t i = 0; i < facts.count; i++) {
        drawing_print(drawing, "<div><dt>%s</dt><dd>", facts.fact[i].name);
        drawing_print_text(drawing, facts.fact[i].text);
        drawing_print(drawing, "</dd></div>\n");
    }
    drawing_print(drawing, "</dl>\n");
}

// Placeholders: a file or a function replaces each.
static const struct page_place {
    const char *line;
    const char *const *file;
    void (*write)(const struct drawing *drawing);
} page_places[] = {
    {"@title@\n", NULL, drawing_print_title},  {"@page.css@\n", page_css, NULL},
    {"@heading@\n", NULL, page_write_heading}, {"@picture@\n", NULL, svg_write},
    {"@data@\n", NULL, page_write_data},       {"@page.js@\n", page_js, NULL},
};

enum { PAGE_PLACE_COUNT = COUNT(page_places) };

static void page_write_lines_of(const struct drawing *drawing,
                                const char *const *line)
{
    for (; *line; line++) {
        size_t i = 0;
        while (i < PAGE_PLACE_COUNT && strcmp(*line, page_places[i].line) != 0)
            i++;
        if (i == PAGE_PLACE_COUNT)
            drawing_print(drawing, "%s", *line);
        else if (page_places[i].file)
            page_write_lines_of(drawing, page_places[i].file);
        else
            page_places[i].write(drawing);
    }
}

void page_write(const struct drawing *drawing)
{
    page_write_lines_of(drawing, page_html);
}
