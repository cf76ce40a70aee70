// SPDX-License-Identifier: GPL-2.0-or-later
//
// The page is page.html, of which a line such as "@map@" stands for what is
// written here: the picture without tooltips, with all lines of a kind in one
// element, and what a script needs beside it to find the rest.
//
// The script gets the words of the lists and where each block's list begins, so
// that the page grows with the lump, however much its lists overlap.

#include "config.h"

#include "picture/page.h"

#include "file/replace-file.h"
#include "picture/colours.h"
#include "picture/drawing.h"

#include "page-files.h"

#include <string.h>

// What the script finds in place of a linedef.
enum { WORD_TERMINATOR = -1, WORD_HEADER = -2 };

// ---------------------------------------------------------------------------
// Data, as JSON

static void write_grid(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    markup_print(drawing->markup,
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

// What the script draws by as the picture does.
static void write_rules(const struct drawing *drawing)
{
    markup_print(drawing->markup,
                 "\"widths\": {\"block\": %g, \"least\": %g, \"most\": %g},\n"
                 "\"columnNumber\": %d, \"rowNumber\": %d,\n\"steps\": [",
                 drawing_widths.block, drawing_widths.least,
                 drawing_widths.most, DRAWING_COLUMN_NUMBER,
                 DRAWING_ROW_NUMBER);
    for (size_t i = 0; i < DRAWING_STEP_COUNT; i++)
        markup_print(drawing->markup, i > 0 ? ",%u" : "%u", drawing_steps[i]);
    markup_print(drawing->markup, "],\n");
}

// What is before the words that the script gets.
static size_t table_end(const struct blockmap *blockmap)
{
    return BLOCKMAP_GRID_WORDS + blockmap->block_count;
}

// For each block the first word of its list; where that cannot be read, the
// fault as a negative number.
static void write_blocks(const struct drawing *drawing)
{
    const struct blockmap *blockmap = drawing->picture->blockmap;
    markup_print(drawing->markup, "\"begins\": [");
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        markup_print(drawing->markup, b > 0 ? ",%ld" : "%ld",
                     list->fault == LIST_READABLE
                         ? (long)(list->begin - table_end(blockmap))
                         : -(long)list->fault);
    }
    markup_print(drawing->markup, "],\n");
}

static long long word_at(const struct picture *picture, size_t word)
{
    switch (picture->statistics->parts[word]) {
    case PART_LINEDEF:
        return words_get(&picture->blockmap->words, word);
    case PART_HEADER:
        return WORD_HEADER;
    default:
        return WORD_TERMINATOR;
    }
}

static void write_words(const struct drawing *drawing)
{
    const struct picture *picture = drawing->picture;
    const char *separator = "";
    markup_print(drawing->markup, "\"words\": [");
    for (size_t w = table_end(picture->blockmap);
         w < picture->blockmap->words.count; w++) {
        markup_print(drawing->markup, "%s%lld", separator, word_at(picture, w));
        separator = ",";
    }
    markup_print(drawing->markup, "],\n");
}

// The kind of each line as a digit, with 4 added if it is two-sided.
static void write_kinds(const struct drawing *drawing)
{
    const struct nbstage_decoded *decoded = drawing->picture->decoded;
    markup_print(drawing->markup, "\"kinds\": \"");
    for (size_t i = 0; i < decoded->line_count; i++) {
        struct segment segment = drawing_get_segment(decoded, i);
        markup_print(drawing->markup, "%d",
                     (int)segment.kind + (segment.is_two_sided ? 4 : 0));
    }
    markup_print(drawing->markup, "\",\n");
}

// Special, and tag as "tag 3", of the lines that have one.
static void write_specials(const struct drawing *drawing)
{
    const struct nbstage_decoded *decoded = drawing->picture->decoded;
    const char *separator = "";
    markup_print(drawing->markup, "\"specials\": {");
    for (size_t i = 0; i < decoded->line_count; i++) {
        struct segment segment = drawing_get_segment(decoded, i);
        if (segment.line.special == 0 && !segment.tag_name)
            continue;
        markup_print(drawing->markup, "%s\"%zu\":[%lu", separator, i,
                     (unsigned long)segment.line.special);
        if (segment.tag_name)
            markup_print(drawing->markup, ",\"%s %ld\"", segment.tag_name,
                         (long)(int32_t)segment.line.tag);
        markup_print(drawing->markup, "]");
        separator = ",";
    }
    markup_print(drawing->markup, "}\n");
}

static void write_data(const struct drawing *drawing)
{
    markup_print(drawing->markup, "{\n");
    write_grid(drawing);
    write_rules(drawing);
    write_blocks(drawing);
    write_words(drawing);
    write_kinds(drawing);
    write_specials(drawing);
    markup_print(drawing->markup, "}\n");
}

// ---------------------------------------------------------------------------
// Pictures

static void write_name(const struct drawing *drawing)
{
    markup_print_text(drawing->markup, drawing->picture->name);
}

// Without a script the whole map is seen.
static void write_map(const struct drawing *drawing)
{
    markup_print(drawing->markup,
                 "<svg id=\"picture\" viewBox=\"0 0 %.8g %.8g\">\n<defs>\n",
                 (drawing->east - drawing->west) * drawing->scale,
                 drawing->bottom);
    drawing_write_patterns(drawing);
    markup_print(drawing->markup, "</defs>\n");
    drawing_write_map(drawing);
    markup_print(drawing->markup, "</svg>\n");
}

static void write_legend(const struct drawing *drawing)
{
    struct legend_size size = legend_measure(&drawing->legend, 0);
    markup_print(drawing->markup,
                 "<svg id=\"key\" width=\"%.6g\" height=\"%.6g\">\n",
                 size.width, size.height);
    legend_write(&drawing->legend, 0, 0, 0, drawing->markup);
    markup_print(drawing->markup, "</svg>\n");
}

// ---------------------------------------------------------------------------
// The page

static void write_lines(const struct drawing *drawing, const char *const *lines)
{
    for (; *lines; lines++)
        markup_print(drawing->markup, "%s", *lines);
}

static void write_style(const struct drawing *drawing)
{
    write_lines(drawing, page_css);
}

static void write_dark_colours(const struct drawing *drawing)
{
    struct colours colours = colours_for(drawing->picture->statistics->longest);
    char color[COLOUR_CODE_SIZE];
    markup_print(drawing->markup, "@media (prefers-color-scheme: dark) {\n");
    for (size_t colour = 0; colour <= colours.last; colour++) {
        colour_code(colours, colour, true, color);
        markup_print(drawing->markup,
                     "    #colour-%zu, .colour-%zu { fill: %s; }\n", colour,
                     colour, color);
    }
    markup_print(drawing->markup, "}\n");
}

static void write_script(const struct drawing *drawing)
{
    write_lines(drawing, page_js);
}

static const struct {
    const char *line; // of page.html
    void (*write)(const struct drawing *drawing);
} places[] = {
    {"@name@\n", write_name},
    {"@style@\n", write_style},
    {"@dark-colours@\n", write_dark_colours},
    {"@map@\n", write_map},
    {"@legend@\n", write_legend},
    {"@data@\n", write_data},
    {"@script@\n", write_script},
};

enum { PLACE_COUNT = sizeof places / sizeof *places };

static void write_page(const struct drawing *drawing)
{
    for (const char *const *line = page_html; *line; line++) {
        size_t i = 0;
        while (i < PLACE_COUNT && strcmp(*line, places[i].line) != 0)
            i++;
        if (i < PLACE_COUNT)
            places[i].write(drawing);
        else
            markup_print(drawing->markup, "%s", *line);
    }
}

enum exit_status page_save(const struct picture *picture, const char *path)
{
    struct replacement replacement;
    enum exit_status status =
        replacement_begin(&replacement, path, file_name_ends(path, ".gz"));
    if (status != STATUS_DONE)
        return status;
    struct markup markup = {.stream = replacement.stream};
    struct drawing drawing = {
        .picture = picture,
        .markup = &markup,
        .legend.picture = picture,
        .content = {.block_tooltips = NO_BLOCKS},
    };
    drawing_measure(&drawing);
    drawing.bottom = (drawing.north - drawing.south) * drawing.scale;
    write_page(&drawing);
    return replacement_commit(&replacement, false);
}
