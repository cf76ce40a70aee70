// SPDX-License-Identifier: GPL-2.0-or-later
//
// A page to explore a blockmap with a browser.  Lines of page.html such as
// "@picture@" are placeholders for other files, the picture, and the script's
// data.
//
// The script finds from the words of the lump what each group of engines reads,
// so the page grows only with the lump, even if its lists overlap.

#include "config.h"

#include "picture/drawing.h"

#include "base/macros.h"
#include "check/expected.h"
#include "common/report.h"
#include "inspect/inspect.h"
#include "inspect/repair.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lump/blockmap.h"
#include "lump/lump.h"
#include "platform/file.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Data: a report in JSON

// Writes the words of the lump; -1 ends a list.
static void page_write_words(const struct drawing *drawing)
{
    const struct blockmap *present = &drawing->map->present;
    drawing_print(drawing, ",\n\"words\": [");
    for (size_t w = 0; w < present->word_count; w++) {
        const uint32_t word = blockmap_word(present, w);
        drawing_print(drawing, w > 0 ? ",%lld" : "%lld",
                      word == present->terminator ? -1 : (long long)word);
    }
    drawing_print(drawing, "]");
}

// Writes the ends of linedefs, and their kinds.
static void page_write_lines(const struct drawing *drawing)
{
    const struct lines *lines = &drawing->map->lines;
    const double unit = BLOCKMAP_UNIT;
    drawing_print(drawing, ",\n\"lines\": [");
    for (size_t i = 0; i < lines->count; i++) {
        const struct fixed_line line = lines_fixed_at(lines, i);
        drawing_print(drawing, "%s[%.8g,%.8g,%.8g,%.8g,%d]", i > 0 ? "," : "",
                      line.x1 / unit, line.y1 / unit, line.x2 / unit,
                      line.y2 / unit, svg_line_kind(drawing, i));
    }
    drawing_print(drawing, "],\n\"pruned\": [");
    const char *comma = "";
    for (size_t i = 0; i < lines->count; i++)
        if (expected_leaves_out(&drawing->map->expected, (uint32_t)i)) {
            drawing_print(drawing, "%s%zu", comma, i);
            comma = ",";
        }
    drawing_print(drawing, "]");
}

static void page_write_expected(const struct drawing *drawing)
{
    const struct expected *expected = &drawing->map->expected;
    const bool has_blocks = drawing->map->present.block_count > 0;
    drawing_print(
        drawing,
        ",\n\"expected\": {\"columns\": %" PRIu32 ", \"rows\": %" PRIu32
        ", \"west\": %" PRIu32 ", \"south\": %" PRIu32 ",\n\"starts\": [0",
        expected->grid.columns, expected->grid.rows,
        has_blocks ? expected->west : 0, has_blocks ? expected->south : 0);
    for (size_t b = 1; b <= expected->block_count; b++)
        drawing_print(drawing, ",%zu", expected->starts[b]);
    drawing_print(drawing, "],\n\"linedefs\": [");
    for (size_t e = 0; e < expected->starts[expected->block_count]; e++)
        drawing_print(drawing, e > 0 ? ",%" PRIu32 : "%" PRIu32,
                      expected->linedefs[e]);
    drawing_print(drawing, "]}");
}

// Finds the command that repairs the map; false if there is none.
static bool page_find_repair(const struct drawing *drawing,
                             char text[REPAIR_TEXT])
{
    const char *path = drawing->file->path;
    struct repair repair;
    repair_begin(&repair, 1);
    repair_note(&repair, 0, drawing->map,
                drawing->map->rejected || drawing->map->groups.wrong_for);
    char *options =
        file_is_standard(path) ? NULL : repair_find(drawing->file, &repair);
    repair_free(&repair);
    if (!options)
        return false;
    repair_begin_command(text, options);
    repair_append_file(text, path);
    free(options);
    return true;
}

static void page_write_data(const struct drawing *drawing)
{
    const struct inspect_map *map = drawing->map;
    const struct blockmap *present = &map->present;
    struct report json = {.form = REPORT_JSON, .stream = drawing->stream};
    struct facts facts = {0};
    char repair[REPAIR_TEXT];
    if (page_find_repair(drawing, repair))
        facts_text(&facts, "repair", repair);
    facts_text(&facts, "doubt", map->error ? map->error : map->doubt);
    facts_number(&facts, "first", drawing->group - map->groups.group);
    facts_number(&facts, "blocks", present->block_count);
    facts_flag(&facts, "has_headers", present->headers != HEADER_NONE);
    facts_number(&facts, "origin_x", drawing->origin_x);
    facts_number(&facts, "origin_y", drawing->origin_y);
    facts_number(&facts, "columns", drawing->columns);
    facts_number(&facts, "rows", drawing->rows);
    facts_number(&facts, "scale", drawing->scale);
    facts_number(&facts, "west", drawing->west);
    facts_number(&facts, "south", drawing->south);
    facts_number(&facts, "width", drawing->width);
    facts_number(&facts, "height", drawing->height);
    facts_numbers(&facts, "classes", drawing_classes, COLOUR_COUNT, SIZE_MAX);
    report_open(&json, NULL, &facts, NULL);
    groups_list(&json, map, false);
    page_write_words(drawing);
    page_write_lines(drawing);
    if (map->has_expected)
        page_write_expected(drawing);
    report_close(&json);
}

// ---------------------------------------------------------------------------
// Visible content

static void page_write_lump(const struct drawing *drawing)
{
    const struct inspect_map *map = drawing->map;
    const struct blockmap *present = &map->present;
    const unsigned long largest = map->statistics.largest_offset;
    struct facts facts = {0};
    lump_add_verdict(&facts, "Verdict", map);
    lump_add_flaw(&facts, "Damage", present);
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
    drawing_print(drawing, "<dl>\n");
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
    {"@title@\n", NULL, drawing_print_title}, {"@page.css@\n", page_css, NULL},
    {"@lump@\n", NULL, page_write_lump},      {"@picture@\n", NULL, svg_write},
    {"@data@\n", NULL, page_write_data},      {"@page.js@\n", page_js, NULL},
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
