// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table has a row for a map and a line below it for each thing that
// differs. JSON describes both lumps with the same members as the other
// commands.

#include "config.h"

#include "diff/diff.h"

#include "blockmap/blockmap-report.h"
#include "report.h"

#include <inttypes.h>
#include <string.h>

enum {
    MOST_BLOCKS = 20,   // listed below a map
    MOST_LINEDEFS = 12, // listed for a block
};

static const char *const status_names[] = {"identical", "same",     "different",
                                           "only_old",  "only_new", "failed"};

// A place in 16.16, in map units.
static double in_units(int64_t place)
{
    return (double)place / BLOCKMAP_UNIT;
}

// ---------------------------------------------------------------------------
// What differs, below a map

// The texts differ if the grids do: they are exact for coordinates in 16.16.
static void print_grids(const struct diff_map *found)
{
    const struct blockmap *old = &found->old->present;
    const struct blockmap *new = &found->new->present;
    char old_grid[BLOCKMAP_GRID_TEXT];
    char new_grid[BLOCKMAP_GRID_TEXT];
    blockmap_describe_grid(old, old_grid, sizeof old_grid);
    blockmap_describe_grid(new, new_grid, sizeof new_grid);
    if (strcmp(old_grid, new_grid) == 0)
        return;
    finding_print("grid %s -> %s", old_grid, new_grid);
    if (found->comparison.grids == GRIDS_OTHER)
        finding_print("different, as the grids are not whole blocks apart: "
                      "blocks only overlap");
}

static void print_names(const char *what, const char *old, const char *new)
{
    if (old != new)
        finding_print("%s %s -> %s", what, old, new);
}

// Prints how the lumps differ apart from their lists.
static void print_lumps(const struct diff_map *found)
{
    const struct blockmap *old = &found->old->present;
    const struct blockmap *new = &found->new->present;
    blockmap_report_fault("old ", old);
    blockmap_report_fault("new ", new);
    print_names("form", open_map_form_name(found->old),
                open_map_form_name(found->new));
    print_grids(found);
    if (found->comparison.grids == GRIDS_NONE)
        return;
    if (old->largest_offset != new->largest_offset)
        finding_print("largest offset %" PRIu32 " -> %" PRIu32,
                      old->largest_offset, new->largest_offset);
    print_names("headers", blockmap_headers_names[old->headers],
                blockmap_headers_names[new->headers]);
}

static void print_linedefs(const char *which, const uint32_t *linedefs,
                           size_t count, bool all)
{
    size_t limit = all || count <= MOST_LINEDEFS ? count : MOST_LINEDEFS;
    if (count == 0)
        return;
    printf(", only %s:", which);
    for (size_t i = 0; i < limit; i++)
        printf(" %" PRIu32, linedefs[i]);
    if (limit < count)
        printf(" and %zu more", count - limit);
}

static void print_list_fault(const char *which, enum list_fault fault)
{
    if (fault != LIST_READABLE)
        printf(", unreadable in the %s lump: %s", which,
               blockmap_report_reason(fault));
}

// What is printed of the blocks that differ.
struct block_printer {
    const struct blockmap *new; // which columns and rows are of
    bool all;
    size_t printed;
};

static void print_block(void *context, const struct compare_block *block)
{
    struct block_printer *printer = context;
    int64_t column, row;
    if (!printer->all && printer->printed == MOST_BLOCKS)
        return;
    printf("         block ");
    if (blockmap_find_cell(printer->new, block->x, block->y, &column, &row))
        printf("%" PRId64 ",%" PRId64 " ", column, row);
    printf("at %.10g,%.10g", in_units(block->x), in_units(block->y));
    print_list_fault("old", block->old_fault);
    print_list_fault("new", block->new_fault);
    print_linedefs("old", block->only_old, block->only_old_count, printer->all);
    print_linedefs("new", block->only_new, block->only_new_count, printer->all);
    putchar('\n');
    printer->printed++;
}

// Has the blocks that differ printed.
static void visit_blocks(const struct diff_map *found, compare_visit *visit,
                         void *context)
{
    if (found->comparison.differing_count > 0)
        compare_blockmaps(&found->old->present, &found->new->present, visit,
                          context);
}

static void print_blocks(const struct diff_map *found, bool all)
{
    struct block_printer printer = {&found->new->present, all, 0};
    visit_blocks(found, print_block, &printer);
    size_t left = found->comparison.differing_count - printer.printed;
    if (left > 0)
        finding_print("... and %zu more", left);
    if (found->comparison.is_too_long)
        finding_print("the lists are too long to compare all of them");
}

static void print_entries(const char *which, const struct open_map *map,
                          size_t count, size_t right)
{
    if (count > 0 && map->has_expected)
        finding_print("entries only in the %s lump: %zu right, %zu extra",
                      which, right, count - right);
}

static void print_findings(const struct diff_map *found, bool all)
{
    const struct comparison *comparison = &found->comparison;
    if (found->lines_differ)
        finding_print("different, as the two maps have their lines in "
                      "different blocks");
    print_lumps(found);
    print_blocks(found, all);
    print_entries("old", found->old, comparison->only_old, found->old_right);
    print_entries("new", found->new, comparison->only_new, found->new_right);
}

// ---------------------------------------------------------------------------
// The table

enum {
    MAP,
    VERDICT,
    BLOCKS,
    DIFFERING,
    REORDERED,
    ONLY_OLD,
    ONLY_NEW,
    REORDERED_FOR_PEOPLE,
    BYTES
};

static const struct column columns[] = {
    [MAP] = {"Map", NULL, COLUMN_TEXT, 8},
    [VERDICT] = {"Verdict", NULL, COLUMN_TEXT, 9},
    [BLOCKS] = {"Blocks", "blocks", COLUMN_COUNT, 7},
    [DIFFERING] = {"Differ", "differing_blocks", COLUMN_COUNT, 7},
    [REORDERED] = {NULL, "reordered_blocks", COLUMN_COUNT, 0},
    [ONLY_OLD] = {"Only old", "only_old_listed", COLUMN_COUNT, 8},
    [ONLY_NEW] = {"Only new", "only_new_listed", COLUMN_COUNT, 8},
    [REORDERED_FOR_PEOPLE] = {"Reordered", NULL, COLUMN_COUNT, 9},
    [BYTES] = {"Bytes", NULL, COLUMN_TEXT, 0},
    {0},
};

static void fill_numbers(const struct comparison *comparison, struct cell *row)
{
    row[BLOCKS].number = (double)comparison->block_count;
    row[DIFFERING].number = (double)comparison->differing_count;
    row[REORDERED].number = (double)comparison->reordered_count;
    row[ONLY_OLD].number = (double)comparison->only_old;
    row[ONLY_NEW].number = (double)comparison->only_new;
    row[REORDERED_FOR_PEOPLE].number = row[REORDERED].number;
}

static void print_row(const struct diff_map *found, struct cell *row)
{
    char bytes[48];
    if (found->status == DIFF_ONLY_OLD || found->status == DIFF_ONLY_NEW) {
        line_print("%-8s only in the %s file", found->name,
                   found->status == DIFF_ONLY_OLD ? "old" : "new");
        return;
    }
    size_t old_size = found->old->present.bytes;
    size_t new_size = found->new->present.bytes;
    if (old_size == new_size)
        snprintf(bytes, sizeof bytes, "%zu", old_size);
    else
        snprintf(bytes, sizeof bytes, "%zu -> %zu", old_size, new_size);
    row[MAP].text = found->name;
    row[VERDICT].text = status_names[found->status];
    row[BYTES].text = bytes;
    table_print(columns, row);
}

static void print_total(struct diff_total *total)
{
    static const char *const words[DIFF_STATUS_COUNT] = {
        "identical",
        "the same",
        "different",
        "only in the old file",
        "only in the new file",
        "failed",
    };
    total->row[MAP].text = "Total";
    total->row[VERDICT].text = "";
    total->row[BYTES].text = "";
    table_print(columns, total->row);
    printf("%zu map%s:", total->maps, total->maps == 1 ? "" : "s");
    const char *separator = "";
    for (int status = 0; status < DIFF_STATUS_COUNT; status++) {
        if (total->count[status] == 0)
            continue;
        printf("%s %zu %s", separator, total->count[status], words[status]);
        separator = ",";
    }
    putchar('\n');
}

// ---------------------------------------------------------------------------
// JSON

// Prints the map of one file.
static void print_json_side(const char *key, const struct open_map *map)
{
    if (!map)
        return;
    json_open(key, '{');
    json_string("error", map->error);
    json_sentences("warnings", &map->warnings);
    json_count("linedefs", map->line_count);
    if (!map->is_unread)
        blockmap_report_json(&map->present, open_map_form_name(map));
    json_close('}');
}

static void print_json_linedefs(const char *key, const uint32_t *linedefs,
                                size_t count)
{
    json_open(key, '[');
    for (size_t i = 0; i < count; i++)
        json_integer(NULL, linedefs[i]);
    json_close(']');
}

static void print_json_block(void *context, const struct compare_block *block)
{
    (void)context;
    json_open(NULL, '{');
    json_number("x", in_units(block->x));
    json_number("y", in_units(block->y));
    if (block->old_fault != LIST_READABLE)
        json_string("old_fault", blockmap_list_fault_names[block->old_fault]);
    if (block->new_fault != LIST_READABLE)
        json_string("new_fault", blockmap_list_fault_names[block->new_fault]);
    print_json_linedefs("only_old", block->only_old, block->only_old_count);
    print_json_linedefs("only_new", block->only_new, block->only_new_count);
    json_close('}');
}

static void print_json_comparison(const struct diff_map *found)
{
    static const char *const grids[] = {"none", "equal", "aligned", "other"};
    const struct comparison *comparison = &found->comparison;
    struct cell row[MOST_COLUMNS] = {0};
    fill_numbers(comparison, row);
    if (found->lines_are_known)
        json_boolean("lines_differ", found->lines_differ);
    json_string("grids", grids[comparison->grids]);
    table_print_json(columns, row);
    if (found->old->has_expected)
        json_count("only_old_entries", found->old_right);
    if (found->new->has_expected)
        json_count("only_new_entries", found->new_right);
    json_boolean("too_long", comparison->is_too_long);
    json_open("differences", '[');
    visit_blocks(found, print_json_block, NULL);
    json_close(']');
}

static void print_json_map(const struct diff_map *found)
{
    json_open(NULL, '{');
    json_string("map", found->name);
    json_string("status", status_names[found->status]);
    print_json_side("old", found->old);
    print_json_side("new", found->new);
    if (found->status <= DIFF_DIFFERENT)
        print_json_comparison(found);
    json_close('}');
}

void diff_report_begin(const struct arguments *arguments,
                       const struct nbstage_descriptor *stage)
{
    if (arguments->json) {
        json_begin_report("diff", stage);
        json_string("old", arguments->files[0]);
        json_string("new", arguments->files[1]);
        json_open("maps", '[');
    } else if (!arguments->quiet) {
        table_print(columns, NULL);
    }
}

void diff_report_map(const struct arguments *arguments,
                     const struct diff_map *found, struct diff_total *total)
{
    struct cell row[MOST_COLUMNS] = {0};
    fill_numbers(&found->comparison, row);
    table_add(columns, total->row, row);
    total->maps++;
    total->count[found->status]++;
    if (arguments->json) {
        print_json_map(found);
    } else if (!arguments->quiet) {
        print_row(found, row);
        if (found->status == DIFF_SAME || found->status == DIFF_DIFFERENT)
            print_findings(found, arguments->verbose);
    }
}

static void print_json_total(const struct diff_total *total)
{
    json_close(']');
    json_open("total", '{');
    json_count("maps", total->maps);
    for (int status = 0; status < DIFF_STATUS_COUNT; status++)
        json_count(status_names[status], total->count[status]);
    table_print_json(columns, total->row);
    json_close('}');
    json_close('}');
}

void diff_report_end(const struct arguments *arguments,
                     struct diff_total *total)
{
    if (arguments->json)
        print_json_total(total);
    else if (!arguments->quiet)
        print_total(total);
}
