// SPDX-License-Identifier: GPL-2.0-or-later
//
// The summary has bars of block characters where the terminal shows UTF-8, else
// of plain ones.

#include "config.h"

#include "show-report.h"

#include "json.h"
#include "tints.h"

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    BLOCK = 128,    // map units
    BAR_WIDTH = 40, // columns of a terminal
    TERMINAL_WIDTH = 80,
    VANILLA_OFFSET_LIMIT = 32767,
    WORDS_LIMIT = 65535,
};

static const char *const part_names[PART_COUNT] = {
    [PART_UNREACHED] = "unreached", [PART_GRID] = "grid",
    [PART_TABLE] = "table",         [PART_HEADER] = "headers",
    [PART_LINEDEF] = "linedefs",    [PART_TERMINATOR] = "terminators",
};

static const struct {
    enum census_part part;
    const char *label;
} part_rows[] = {
    {PART_GRID, "grid"},
    {PART_TABLE, "table of offsets"},
    {PART_HEADER, "headers of lists"},
    {PART_LINEDEF, "linedefs"},
    {PART_TERMINATOR, "ends of lists"},
    {PART_UNREACHED, "in no list"},
};

static size_t column_of(const struct show_map *shown, size_t block)
{
    return block % shown->blockmap->columns;
}

static size_t row_of(const struct show_map *shown, size_t block)
{
    return block / shown->blockmap->columns;
}

// The south-west corner of the block in a column or row, in map units.
static double corner(int32_t origin, size_t index)
{
    return origin / (double)UNIT + (double)index * BLOCK;
}

// ---------------------------------------------------------------------------
// Bars

static bool shows_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale == (locale_t)0)
        return false;
    bool utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return utf8;
}

// A bar in eighths of a column, at least one for what is not nothing.
static void print_bar(size_t part, size_t whole)
{
    static const char *const eighths[] = {"",  "▏", "▎", "▍",
                                          "▌", "▋", "▊", "▉"};
    double share = whole > 0 ? (double)part / (double)whole : 0;
    size_t length = (size_t)(share * 8 * BAR_WIDTH + 0.5);
    bool utf8 = shows_utf8();
    if (length == 0 && part > 0)
        length = 1;
    if (length > 0)
        printf("  ");
    if (!utf8)
        length += 4; // rounds to whole columns
    for (size_t i = 0; i < length / 8; i++)
        fputs(utf8 ? "█" : "#", stdout);
    if (utf8)
        fputs(eighths[length % 8], stdout);
    putchar('\n');
}

// ---------------------------------------------------------------------------
// The summary

static void print_title(const struct show_map *shown)
{
    char name[16];
    snprintf(name, sizeof name, "%s", shown->map->name);
    message_make_printable(name);
    if (shown->error)
        printf("%s: failed\n", name);
    else
        printf("%s: %zu linedefs\n", name, shown->line_count);
}

static void print_lump(const struct show_map *shown)
{
    const struct blockmap *blockmap = shown->blockmap;
    printf("  Lump     %s, %zu bytes%s\n", blockmap_form_name(blockmap->form),
           blockmap->bytes,
           shown->is_built ? ", which the map does not have yet" : "");
    printf("  Grid     %" PRIu32 " x %" PRIu32 " = %zu blocks, from %.8g,%.8g "
           "to %.8g,%.8g\n",
           blockmap->columns, blockmap->rows, blockmap->block_count,
           corner(blockmap->origin_x, 0), corner(blockmap->origin_y, 0),
           corner(blockmap->origin_x, blockmap->columns),
           corner(blockmap->origin_y, blockmap->rows));
}

static size_t count_unreadable(const struct blockmap *blockmap)
{
    return blockmap->block_count - blockmap->fault_count[LIST_READABLE];
}

static void print_lists(const struct show_map *shown)
{
    const struct blockmap *blockmap = shown->blockmap;
    const struct census *census = &shown->census;
    printf(
        "  Lists    %zu stored: %zu nested in others, %zu stored once more\n",
        blockmap->list_count, blockmap->nested_count,
        blockmap->duplicate_count);
    printf("  Sharing  %zu blocks share %zu lists; headers: %s\n",
           census->shared_blocks, census->shared_lists,
           blockmap_headers_name(blockmap->headers));
    if (count_unreadable(blockmap) > 0)
        printf("  Damage   %zu blocks have a list that cannot be read\n",
               count_unreadable(blockmap));
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
static void print_lengths(const struct show_map *shown)
{
    const struct census *census = &shown->census;
    size_t counts[TINT_COUNT] = {0};
    size_t most = 0;
    for (size_t i = 0; i <= census->longest; i++) {
        size_t *count = &counts[tint_of(i)];
        *count += census->blocks_of_length[i];
        most = *count > most ? *count : most;
    }
    puts("\nLinedefs in a block     Blocks");
    for (size_t tint = 0; tint <= tint_of(census->longest); tint++) {
        char name[TINT_NAME_SIZE];
        tint_name(tint, name);
        printf("  %-17s %10zu", name, counts[tint]);
        print_bar(counts[tint], most);
    }
}

static void print_parts(const struct show_map *shown)
{
    puts("\nWhat is stored           Bytes");
    for (size_t i = 0; i < sizeof part_rows / sizeof *part_rows; i++) {
        size_t bytes = shown->census.bytes[part_rows[i].part];
        if (part_rows[i].part == PART_UNREACHED && bytes == 0)
            continue;
        printf("  %-17s %10zu", part_rows[i].label, bytes);
        print_bar(bytes, shown->blockmap->bytes);
    }
}

static void print_fullest(const struct show_map *shown)
{
    const struct census *census = &shown->census;
    if (census->fullest_count == 0)
        return;
    puts("\nFullest blocks        Linedefs  Column  Row  From");
    for (size_t i = 0; i < census->fullest_count; i++) {
        size_t block = census->fullest[i];
        printf("  %-17zu %10zu  %6zu  %3zu  %.8g,%.8g\n", block,
               census->lengths[block], column_of(shown, block),
               row_of(shown, block),
               corner(shown->blockmap->origin_x, column_of(shown, block)),
               corner(shown->blockmap->origin_y, row_of(shown, block)));
    }
}

static void print_engines(const struct show_map *shown)
{
    if (shown->is_built)
        return;
    puts("\nEngines");
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        printf("  %-27s  %s\n", engine_name(i),
               engine_verdict_name(shown->verdicts[i]));
}

// ---------------------------------------------------------------------------
// A block

// Prints numbers, which follow a word, in lines that fit a terminal.
struct number_printer {
    int column;
};

static void print_number(struct number_printer *printer, unsigned long number)
{
    char text[24];
    int length = snprintf(text, sizeof text, " %lu", number);
    if (printer->column + length > TERMINAL_WIDTH) {
        printf("\n   ");
        printer->column = 3;
    }
    fputs(text, stdout);
    printer->column += length;
}

static void print_block_list(const struct show_map *shown)
{
    const struct blockmap_list *list = &shown->blockmap->lists[shown->block];
    struct number_printer printer = {0};
    printer.column =
        printf("  %zu linedefs:", shown->census.lengths[shown->block]);
    for (size_t w = list->begin; w < list->end; w++)
        if (census_is_linedef(&shown->census, w))
            print_number(&printer, words_get(&shown->blockmap->words, w));
    putchar('\n');
}

static void print_sharers(const struct show_map *shown)
{
    const struct placed_block *sharers;
    struct number_printer printer = {0};
    size_t count = census_find_sharers(&shown->census, shown->blockmap,
                                       shown->block, &sharers);
    if (count < 2)
        return;
    printer.column = printf("  The list of %zu blocks:", count);
    for (size_t i = 0; i < count; i++)
        print_number(&printer, (unsigned long)sharers[i].block);
    putchar('\n');
}

static void print_block(const struct show_map *shown)
{
    const struct blockmap *blockmap = shown->blockmap;
    const struct blockmap_list *list = &blockmap->lists[shown->block];
    size_t column = column_of(shown, shown->block);
    size_t row = row_of(shown, shown->block);
    printf("  Block %zu, column %zu, row %zu, from %.8g,%.8g to %.8g,%.8g\n",
           shown->block, column, row, corner(blockmap->origin_x, column),
           corner(blockmap->origin_y, row),
           corner(blockmap->origin_x, column + 1),
           corner(blockmap->origin_y, row + 1));
    printf("  Offset %" PRIu32 "%s\n", list->offset,
           list->fault == LIST_READABLE ? "" : ": the list cannot be read");
    if (list->fault != LIST_READABLE)
        return;
    print_block_list(shown);
    print_sharers(shown);
}

void show_print_map(const struct show_map *shown)
{
    print_title(shown);
    if (shown->error)
        return;
    if (shown->has_block) {
        print_block(shown);
        return;
    }
    print_lump(shown);
    print_lists(shown);
    print_lengths(shown);
    print_fullest(shown);
    print_parts(shown);
    print_limits(shown);
    print_engines(shown);
}

// ---------------------------------------------------------------------------
// JSON

static void json_count(const char *key, size_t count)
{
    json_integer(key, (long long)count);
}

static void print_json_lump(const struct show_map *shown)
{
    const struct blockmap *blockmap = shown->blockmap;
    json_boolean("built", shown->is_built);
    json_count("bytes", blockmap->bytes);
    json_string("form", blockmap_form_name(blockmap->form));
    json_integer("origin_x", blockmap->origin_x / UNIT);
    json_integer("origin_y", blockmap->origin_y / UNIT);
    json_integer("columns", blockmap->columns);
    json_integer("rows", blockmap->rows);
    json_count("words", blockmap->words.count);
    json_integer("words_limit", WORDS_LIMIT);
    json_integer("largest_offset", blockmap->largest_offset);
    json_integer("vanilla_offset_limit", VANILLA_OFFSET_LIMIT);
    json_string("headers", blockmap_headers_name(blockmap->headers));
    json_count("lists", blockmap->list_count);
    json_count("nested_lists", blockmap->nested_count);
    json_count("duplicate_lists", blockmap->duplicate_count);
    json_count("unreadable_blocks", count_unreadable(blockmap));
}

static void print_json_census(const struct show_map *shown)
{
    const struct census *census = &shown->census;
    json_count("shared_lists", census->shared_lists);
    json_count("shared_blocks", census->shared_blocks);
    json_count("listed", census->listed);
    json_key("lengths");
    json_open('[');
    for (size_t i = 0; i <= census->longest; i++) {
        if (census->blocks_of_length[i] == 0)
            continue;
        json_open('{');
        json_count("length", i);
        json_count("blocks", census->blocks_of_length[i]);
        json_close('}');
    }
    json_close(']');
    json_key("parts");
    json_open('{');
    for (size_t i = 0; i < sizeof part_rows / sizeof *part_rows; i++)
        json_count(part_names[part_rows[i].part],
                   census->bytes[part_rows[i].part]);
    json_close('}');
}

// A block's place, and with `all` its list.
static void print_json_block(const struct show_map *shown, size_t block,
                             bool all)
{
    const struct blockmap *blockmap = shown->blockmap;
    const struct blockmap_list *list = &blockmap->lists[block];
    size_t column = column_of(shown, block);
    size_t row = row_of(shown, block);
    json_open('{');
    json_count("block", block);
    json_count("column", column);
    json_count("row", row);
    json_integer("x", (long long)corner(blockmap->origin_x, column));
    json_integer("y", (long long)corner(blockmap->origin_y, row));
    json_integer("offset", list->offset);
    json_count("length", shown->census.lengths[block]);
    if (all) {
        json_boolean("readable", list->fault == LIST_READABLE);
        json_key("list");
        json_open('[');
        for (size_t w = list->begin; w < list->end; w++)
            if (census_is_linedef(&shown->census, w))
                json_integer(NULL, words_get(&blockmap->words, w));
        json_close(']');
    }
    json_close('}');
}

static void print_json_fullest(const struct show_map *shown)
{
    json_key("fullest");
    json_open('[');
    for (size_t i = 0; i < shown->census.fullest_count; i++)
        print_json_block(shown, shown->census.fullest[i], false);
    json_close(']');
    if (!shown->has_block)
        return;
    json_key("blocks");
    json_open('[');
    print_json_block(shown, shown->block, true);
    json_close(']');
}

static void print_json_engines(const struct show_map *shown)
{
    json_key("engines");
    json_open('[');
    for (size_t i = 0; i < ENGINE_COUNT && !shown->is_built; i++) {
        json_open('{');
        json_string("engine", engine_name(i));
        json_string("verdict", engine_verdict_name(shown->verdicts[i]));
        json_close('}');
    }
    json_close(']');
}

void show_print_map_json(const struct show_map *shown)
{
    const struct inspect_map *map = shown->map;
    json_open('{');
    json_string("map", map->name);
    json_string("status", shown->error ? "failed" : "done");
    if (shown->error)
        json_string("error", shown->error);
    json_key("warnings");
    json_open('[');
    for (size_t i = 0; i < map->warning_count; i++)
        json_string(NULL, map->warnings[i]);
    json_close(']');
    if (!shown->error) {
        json_count("linedefs", shown->line_count);
        print_json_lump(shown);
        print_json_census(shown);
        print_json_fullest(shown);
        print_json_engines(shown);
    }
    json_close('}');
}

void show_begin_json(const struct nbstage_descriptor *stage, const char *path)
{
    json_open('{');
    json_integer("schema", 1);
    json_string("command", "show");
    json_string("version", PACKAGE_VERSION);
    json_key("stage");
    json_open('{');
    json_string("name", stage->name);
    json_string("version", stage->version);
    json_close('}');
    json_string("input", path);
    json_key("maps");
    json_open('[');
}

void show_end_json(void)
{
    json_close(']');
    json_close('}');
}
