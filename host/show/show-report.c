// SPDX-License-Identifier: GPL-2.0-or-later
//
// The summary has bars of block characters if the terminal shows UTF-8, else of
// number signs.

#include "config.h"

#include "blockmap/blockmap-report.h"
#include "picture/colours.h"
#include "report.h"
#include "show/show.h"

#include <inttypes.h>
#include <string.h>

enum {
    BAR_WIDTH = 40, // columns of a terminal
    TERMINAL_WIDTH = 80,
    VANILLA_OFFSET_LIMIT = 32767,
    WORDS_LIMIT = 65535,
};

static const struct {
    enum statistics_part part;
    const char *label;
    const char *key; // in JSON
} part_rows[] = {
    {PART_GRID, "grid", "grid_bytes"},
    {PART_TABLE, "table of offsets", "table_bytes"},
    {PART_HEADER, "headers of lists", "header_bytes"},
    {PART_LINEDEF, "linedefs", "linedef_bytes"},
    {PART_TERMINATOR, "ends of lists", "terminator_bytes"},
    {PART_UNREACHED, "in no list", "unreached_bytes"},
};

static size_t column_of(const struct show_map *shown, size_t block)
{
    return block % shown->blockmap->columns;
}

static size_t row_of(const struct show_map *shown, size_t block)
{
    return block / shown->blockmap->columns;
}

enum { BLOCK_NAME = 48 };

// "9,8", the block's column and row.
static const char *name_block(const struct show_map *shown, size_t block,
                              char name[BLOCK_NAME])
{
    snprintf(name, BLOCK_NAME, "%zu,%zu", column_of(shown, block),
             row_of(shown, block));
    return name;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

// ---------------------------------------------------------------------------
// Bars

// Prints a bar, in UTF-8 in steps of an eighth of a column.  A part that is not
// 0 has at least one step.
static void print_bar(size_t part, size_t whole, bool utf8)
{
    static const char *const eighths[] = {"",  "▏", "▎", "▍",
                                          "▌", "▋", "▊", "▉"};
    size_t steps = utf8 ? 8 : 1; // of a column
    double share = whole > 0 ? (double)part / (double)whole : 0;
    size_t length = (size_t)(share * (double)(steps * BAR_WIDTH) + 0.5);
    if (length == 0 && part > 0)
        length = 1;
    if (length > 0)
        printf("  ");
    for (size_t i = 0; i < length / steps; i++)
        fputs(utf8 ? "█" : "#", stdout);
    fputs(eighths[length % steps], stdout);
    putchar('\n');
}

// ---------------------------------------------------------------------------
// The summary

static void print_title(const struct show_map *shown)
{
    const char *name = shown->map->name;
    if (shown->error)
        line_print("%s: failed", name);
    else
        line_print("%s: %zu linedef%s", name, shown->map->line_count,
                   plural(shown->map->line_count));
}

static void print_lump(const struct show_map *shown)
{
    const struct blockmap *blockmap = shown->blockmap;
    printf("  Lump     %s, %zu bytes%s\n", blockmap_form_names[blockmap->form],
           blockmap->bytes,
           shown->is_built ? ", which the map does not have yet" : "");
    for (size_t i = 0; i < shown->maker_count; i++)
        line_print("           %s", shown->makers[i]->help);
    printf("  Grid     %" PRIu32 " x %" PRIu32
           " = %zu blocks, from %.10g,%.10g "
           "to %.10g,%.10g\n",
           blockmap->columns, blockmap->rows, blockmap->block_count,
           blockmap_edge(blockmap->origin_x, 0),
           blockmap_edge(blockmap->origin_y, 0),
           blockmap_edge(blockmap->origin_x, blockmap->columns),
           blockmap_edge(blockmap->origin_y, blockmap->rows));
}

static void print_lists(const struct show_map *shown)
{
    const struct blockmap *blockmap = shown->blockmap;
    const struct statistics *statistics = &shown->statistics;
    printf(
        "  Lists    %zu stored: %zu nested in others, %zu stored once more\n",
        blockmap->list_count, blockmap->nested_count,
        blockmap->duplicate_count);
    printf("  Sharing  %zu blocks share %zu list%s; headers: %s\n",
           statistics->shared_blocks, statistics->shared_lists,
           plural(statistics->shared_lists),
           blockmap_headers_names[blockmap->headers]);
    if (blockmap->unreadable_count > 0)
        printf("  Damage   the list%s of %zu block%s cannot be read\n",
               plural(blockmap->unreadable_count), blockmap->unreadable_count,
               plural(blockmap->unreadable_count));
}

// "2955 of 32767, 29812 left"
static void print_limit(const char *label, size_t used, size_t limit)
{
    printf("  %-17s %7zu of %zu, ", label, used, limit);
    if (used > limit)
        printf("%zu over\n", used - limit);
    else
        printf("%zu left\n", limit - used);
}

static void print_limits(const struct show_map *shown)
{
    puts("\nLimits");
    if (shown->blockmap->form == BLOCKMAP_XBM1)
        puts("  XBM1 has none that matters; if it were classic:");
    print_limit("Largest offset", shown->blockmap->largest_offset,
                VANILLA_OFFSET_LIMIT);
    print_limit("Words", shown->blockmap->words.count, WORDS_LIMIT);
}

// A row for each class of lengths, up to the longest.
static void print_lengths(const struct show_map *shown, bool utf8)
{
    const struct statistics *statistics = &shown->statistics;
    struct colours colours = colours_for(statistics->longest);
    size_t counts[COLOUR_COUNT] = {0};
    size_t most = 0;
    for (size_t i = 0; i <= statistics->longest; i++) {
        size_t *count = &counts[colour_of(colours, i)];
        *count += statistics->blocks_of_length[i];
        most = *count > most ? *count : most;
    }
    puts("\nLinedefs in a block     Blocks");
    for (size_t colour = 0; colour <= colours.last; colour++) {
        char name[COLOUR_NAME_SIZE];
        colour_name(colours, colour, name);
        printf("  %-17s %10zu", name, counts[colour]);
        print_bar(counts[colour], most, utf8);
    }
}

static void print_parts(const struct show_map *shown, bool utf8)
{
    puts("\nWhat is stored           Bytes");
    for (size_t i = 0; i < sizeof part_rows / sizeof *part_rows; i++) {
        size_t bytes = shown->statistics.bytes[part_rows[i].part];
        if (part_rows[i].part == PART_UNREACHED && bytes == 0)
            continue;
        printf("  %-17s %10zu", part_rows[i].label, bytes);
        print_bar(bytes, shown->blockmap->bytes, utf8);
    }
}

static void print_fullest(const struct show_map *shown)
{
    const struct statistics *statistics = &shown->statistics;
    if (statistics->fullest_count == 0)
        return;
    puts("\nFullest blocks        Linedefs  At");
    for (size_t i = 0; i < statistics->fullest_count; i++) {
        size_t block = statistics->fullest[i];
        char name[BLOCK_NAME];
        printf(
            "  %-17s %10" PRIu32 "  %.10g,%.10g\n",
            name_block(shown, block, name),
            shown->blockmap->lists[block].distinct,
            blockmap_edge(shown->blockmap->origin_x, column_of(shown, block)),
            blockmap_edge(shown->blockmap->origin_y, row_of(shown, block)));
    }
}

static void print_engines(const struct show_map *shown)
{
    if (shown->is_built)
        return;
    if (shown->missing > 0)
        printf("\n%zu linedef%s missing in blocks; see blocksweep verify\n",
               shown->missing, shown->missing == 1 ? " is" : "s are");
    puts("\nEngines");
    for (size_t i = 0; i < shown->verdicts.count; i++)
        line_print("  %-30s  %s", shown->verdicts.engine[i]->name,
                   engine_verdict_names[shown->verdicts.verdict[i]]);
}

// ---------------------------------------------------------------------------
// A block

// Prints a word; starts another line if it does not fit into the terminal.
// Returns the column after it.
static int print_word(int column, const char *word)
{
    int length = 1 + (int)strlen(word);
    if (column + length > TERMINAL_WIDTH)
        column = printf("\n   ") - 1;
    return column + printf(" %s", word);
}

// Prints the words of the block's list of this part, after `column` columns
// of text.
static void print_words(const struct show_map *shown,
                        enum statistics_part wanted, int column)
{
    const struct blockmap_list *list = &shown->blockmap->lists[shown->block];
    char number[16];
    for (size_t w = list->begin; w < list->end; w++) {
        if (shown->statistics.parts[w] != wanted)
            continue;
        snprintf(number, sizeof number, "%" PRIu32,
                 words_get(&shown->blockmap->words, w));
        column = print_word(column, number);
    }
    putchar('\n');
}

static void print_block_list(const struct show_map *shown)
{
    const struct blockmap_list *list = &shown->blockmap->lists[shown->block];
    size_t length = list->distinct;
    const uint32_t *sharers;
    size_t count =
        statistics_find_sharers(shown->blockmap, shown->block, &sharers);
    print_words(shown, PART_LINEDEF,
                printf("  %zu linedef%s:", length, plural(length)));
    if (list->repeats > 0)
        print_words(shown, PART_REPEATED, printf("  Listed once more:"));
    if (list->too_large > 0)
        print_words(shown, PART_TOO_LARGE, printf("  No linedefs of the map:"));
    if (count < 2)
        return;
    int column = printf("  The list of %zu blocks:", count);
    char name[BLOCK_NAME];
    for (size_t i = 0; i < count; i++)
        column = print_word(column, name_block(shown, sharers[i], name));
    putchar('\n');
}

static void print_block(const struct show_map *shown)
{
    const struct blockmap *blockmap = shown->blockmap;
    const struct blockmap_list *list = &blockmap->lists[shown->block];
    size_t column = column_of(shown, shown->block);
    size_t row = row_of(shown, shown->block);
    printf("  Block %zu,%zu at %.10g,%.10g, to %.10g,%.10g; number %zu\n",
           column, row, blockmap_edge(blockmap->origin_x, column),
           blockmap_edge(blockmap->origin_y, row),
           blockmap_edge(blockmap->origin_x, column + 1),
           blockmap_edge(blockmap->origin_y, row + 1), shown->block);
    printf("  Offset %" PRIu32 "%s\n", list->offset,
           list->fault == LIST_READABLE ? "" : ": the list cannot be read");
    if (list->fault == LIST_READABLE)
        print_block_list(shown);
}

// ---------------------------------------------------------------------------
// The table

enum { MAP, LINEDEFS, GRID, BYTES, LISTS, FULLEST, OFFSET, MISSING };

static const struct column columns[] = {
    [MAP] = {"Map", NULL, COLUMN_TEXT, 8},
    [LINEDEFS] = {"Linedefs", NULL, COLUMN_COUNT, 8},
    [GRID] = {"Grid", NULL, COLUMN_TEXT, 22},
    [BYTES] = {"Bytes", NULL, COLUMN_COUNT, 8},
    [LISTS] = {"Lists", NULL, COLUMN_COUNT, 7},
    [FULLEST] = {"Fullest", NULL, COLUMN_COUNT, 7},
    [OFFSET] = {"Largest offset", NULL, COLUMN_COUNT, 14},
    [MISSING] = {"Missing", NULL, COLUMN_TEXT, 0},
    {0},
};

void show_report_headings(void)
{
    table_print(columns, NULL);
}

void show_report_row(const struct show_map *shown)
{
    const struct blockmap *blockmap = shown->blockmap;
    char grid[BLOCKMAP_GRID_TEXT], missing[32];
    struct cell row[MOST_COLUMNS] = {0};
    if (shown->error) {
        line_print("%-8s failed", shown->map->name);
        return;
    }
    blockmap_describe_grid(blockmap, grid, sizeof grid);
    snprintf(missing, sizeof missing, "%zu", shown->missing);
    row[MAP].text = shown->map->name;
    row[LINEDEFS].number = (double)shown->map->line_count;
    row[GRID].text = grid;
    row[BYTES].number = (double)blockmap->bytes;
    row[LISTS].number = (double)blockmap->list_count;
    row[FULLEST].number = (double)shown->statistics.longest;
    row[OFFSET].number = blockmap->largest_offset;
    row[MISSING].text = shown->is_built ? "not built yet" : missing;
    table_print(columns, row);
}

void show_report_map(const struct show_map *shown)
{
    print_title(shown);
    if (shown->error)
        return;
    if (shown->has_block) {
        print_block(shown);
        return;
    }
    bool utf8 = message_shows_utf8();
    print_lump(shown);
    print_lists(shown);
    print_lengths(shown, utf8);
    print_fullest(shown);
    print_parts(shown, utf8);
    print_limits(shown);
    print_engines(shown);
}

// ---------------------------------------------------------------------------
// JSON

static void print_json_statistics(const struct statistics *statistics)
{
    json_count("shared_lists", statistics->shared_lists);
    json_count("shared_blocks", statistics->shared_blocks);
    json_count("listed", statistics->listed);
    json_open("lengths", '[');
    for (size_t i = 0; i <= statistics->longest; i++) {
        if (statistics->blocks_of_length[i] == 0)
            continue;
        json_open(NULL, '{');
        json_count("length", i);
        json_count("blocks", statistics->blocks_of_length[i]);
        json_close('}');
    }
    json_close(']');
    json_open("parts", '{');
    for (size_t i = 0; i < sizeof part_rows / sizeof *part_rows; i++)
        json_count(part_rows[i].key, statistics->bytes[part_rows[i].part]);
    json_close('}');
}

static void print_json_words(const char *key, const struct show_map *shown,
                             const struct blockmap_list *list,
                             enum statistics_part wanted)
{
    json_open(key, '[');
    for (size_t w = list->begin; w < list->end; w++)
        if (shown->statistics.parts[w] == wanted)
            json_integer(NULL, words_get(&shown->blockmap->words, w));
    json_close(']');
}

// Prints a block's place, and with `all` its list.
static void print_json_block(const struct show_map *shown, size_t block,
                             bool all)
{
    const struct blockmap *blockmap = shown->blockmap;
    const struct blockmap_list *list = &blockmap->lists[block];
    size_t column = column_of(shown, block);
    size_t row = row_of(shown, block);
    json_open(NULL, '{');
    json_count("block", block);
    json_count("column", column);
    json_count("row", row);
    json_number("x", blockmap_edge(blockmap->origin_x, column));
    json_number("y", blockmap_edge(blockmap->origin_y, row));
    json_integer("offset", list->offset);
    json_count("length", list->distinct);
    if (all) {
        json_boolean("readable", list->fault == LIST_READABLE);
        print_json_words("list", shown, list, PART_LINEDEF);
        print_json_words("repeated", shown, list, PART_REPEATED);
        print_json_words("too_large", shown, list, PART_TOO_LARGE);
    }
    json_close('}');
}

static void print_json_blockmap(const struct show_map *shown)
{
    const struct blockmap *blockmap = shown->blockmap;
    json_count("linedefs", shown->map->line_count);
    json_boolean("built", shown->is_built);
    blockmap_report_json(blockmap, blockmap_form_names[blockmap->form]);
    json_open("makers", '[');
    for (size_t i = 0; i < shown->maker_count; i++)
        json_string(NULL, shown->makers[i]->name);
    json_close(']');
    json_integer("words_limit", WORDS_LIMIT);
    json_integer("vanilla_offset_limit", VANILLA_OFFSET_LIMIT);
    print_json_statistics(&shown->statistics);
    json_open("fullest", '[');
    for (size_t i = 0; i < shown->statistics.fullest_count; i++)
        print_json_block(shown, shown->statistics.fullest[i], false);
    json_close(']');
    if (shown->has_block) {
        json_open("listed_blocks", '[');
        print_json_block(shown, shown->block, true);
        json_close(']');
    }
    blockmap_report_engines_json(shown->is_built ? NULL : &shown->verdicts);
}

void show_report_map_json(const struct show_map *shown)
{
    json_open(NULL, '{');
    json_string("map", shown->map->name);
    json_string("status", shown->error ? "failed" : "done");
    json_string("error", shown->error);
    json_sentences("warnings", &shown->map->warnings);
    if (!shown->error)
        print_json_blockmap(shown);
    json_close('}');
}

void show_report_begin_json(const struct nbstage_descriptor *stage,
                            const char *path)
{
    json_begin_report("show", stage);
    json_string("input", path);
    json_open("maps", '[');
}

void show_report_end_json(void)
{
    json_close(']');
    json_close('}');
}
