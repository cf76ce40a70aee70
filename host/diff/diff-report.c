// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps are told of as they get done.  The table has a line for a map and below
// it one for each thing that differs; JSON describes both lumps, with the
// members that the other commands have for one.

#include "config.h"

#include "diff/diff-report.h"

#include "blockmap/blockmap-json.h"
#include "blockmap/finding.h"
#include "json.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    MOST_BLOCKS = 20,   // told of below a map
    MOST_LINEDEFS = 12, // told of for a block
    NO_LIMIT = 1 << 30,
};

static const char *status_name(enum diff_status status)
{
    static const char *const names[] = {"identical", "same",     "different",
                                        "only_old",  "only_new", "failed"};
    return names[status];
}

// A place, which is in 16.16, in map units.
static double in_units(int64_t place)
{
    return (double)place / BLOCKMAP_UNIT;
}

// ---------------------------------------------------------------------------
// What differs, below a map

static bool have_same_grid(const struct blockmap *old,
                           const struct blockmap *new)
{
    if (!blockmap_has_grid(old) || !blockmap_has_grid(new))
        return blockmap_has_grid(old) == blockmap_has_grid(new);
    return old->origin_x == new->origin_x && old->origin_y == new->origin_y &&
           old->columns == new->columns && old->rows == new->rows;
}

static void print_grids(const struct diff_map *found)
{
    const struct blockmap *old = &found->old->present;
    const struct blockmap *new = &found->new->present;
    char old_grid[BLOCKMAP_GRID_TEXT];
    char new_grid[BLOCKMAP_GRID_TEXT];
    if (have_same_grid(old, new))
        return;
    blockmap_describe_grid(old, old_grid, sizeof old_grid);
    blockmap_describe_grid(new, new_grid, sizeof new_grid);
    finding_print("grid %s -> %s", old_grid, new_grid);
    if (found->comparison.grids == GRIDS_OTHER)
        finding_print("the blocks of one grid lie across those of the other");
}

static void print_names(const char *what, const char *old, const char *new)
{
    if (old != new)
        finding_print("%s %s -> %s", what, old, new);
}

// What differs in the lumps as such.
static void print_lumps(const struct diff_map *found)
{
    const struct blockmap *old = &found->old->present;
    const struct blockmap *new = &found->new->present;
    finding_print_fault("old ", old);
    finding_print_fault("new ", new);
    print_names("form", open_map_form_name(found->old),
                open_map_form_name(found->new));
    print_grids(found);
    if (found->comparison.grids == GRIDS_NONE)
        return;
    if (old->largest_offset != new->largest_offset)
        finding_print("largest offset %" PRIu32 " -> %" PRIu32,
                      old->largest_offset, new->largest_offset);
    print_names("headers", blockmap_headers_name(old->headers),
                blockmap_headers_name(new->headers));
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
    static const char *const reasons[] = {
        "", "its offset is in the table of offsets",
        "its offset is behind the end of the lump", "its list has no end"};
    if (fault != LIST_READABLE)
        printf(", unreadable in the %s lump: %s", which, reasons[fault]);
}

static void print_block(const struct comparison *comparison,
                        const struct compare_block *block, bool all)
{
    const uint32_t *linedefs = &comparison->linedefs[block->first];
    printf("         block at %.10g,%.10g", in_units(block->x),
           in_units(block->y));
    print_list_fault("old", block->old_fault);
    print_list_fault("new", block->new_fault);
    print_linedefs("old", linedefs, block->only_old, all);
    print_linedefs("new", linedefs + block->only_old, block->only_new, all);
    putchar('\n');
}

static void print_blocks(const struct comparison *comparison, bool all)
{
    size_t limit = all ? NO_LIMIT : MOST_BLOCKS;
    size_t i = 0;
    for (; i < comparison->differing_count && i < limit; i++)
        print_block(comparison, &comparison->blocks[i], all);
    if (i < comparison->differing_count)
        finding_print("... and %zu more", comparison->differing_count - i);
    if (comparison->is_too_long)
        finding_print("the lists are too long to compare all of them");
}

static void print_entries(const char *which, size_t count,
                          const struct diff_entries *entries)
{
    if (count > 0 && entries->are_known)
        finding_print("of what only the %s lump lists, %zu of %zu are in their "
                      "blocks",
                      which, entries->count, count);
}

static void print_findings(const struct diff_map *found, bool all)
{
    const struct comparison *comparison = &found->comparison;
    if (found->lines_differ)
        finding_print("lines of the map are in other blocks");
    print_lumps(found);
    print_blocks(comparison, all);
    print_entries("old", comparison->only_old, &found->old_entries);
    print_entries("new", comparison->only_new, &found->new_entries);
}

// ---------------------------------------------------------------------------
// The table

static void print_heading(void)
{
    printf("%-8s %-9s %7s %7s %8s %8s %9s  %s\n", "Map", "Verdict", "Blocks",
           "Differ", "Only old", "Only new", "Reordered", "Bytes");
}

static void print_numbers(size_t blocks, size_t differing, size_t only_old,
                          size_t only_new, size_t reordered)
{
    printf(" %7zu %7zu %8zu %8zu %9zu", blocks, differing, only_old, only_new,
           reordered);
}

static void print_row(const struct diff_map *found)
{
    const struct comparison *comparison = &found->comparison;
    char name[MESSAGE_NAME_SIZE];
    message_name(found->name, name);
    if (found->status == DIFF_ONLY_OLD || found->status == DIFF_ONLY_NEW) {
        printf("%-8s only in the %s file\n", name,
               found->status == DIFF_ONLY_OLD ? "old" : "new");
        return;
    }
    printf("%-8s %-9s", name, status_name(found->status));
    print_numbers(comparison->block_count, comparison->differing_count,
                  comparison->only_old, comparison->only_new,
                  comparison->reordered_count);
    printf("  %zu", found->old->size);
    if (found->new->size != found->old->size)
        printf(" -> %zu", found->new->size);
    putchar('\n');
}

static void print_total(const struct diff_total *total)
{
    printf("%-8s %-9s", "Total", "");
    print_numbers(total->blocks, total->differing_blocks, total->only_old,
                  total->only_new, total->reordered_blocks);
    printf("\n%zu map%s:", total->maps, total->maps == 1 ? "" : "s");
    const char *separator = "";
    for (int status = 0; status < DIFF_STATUS_COUNT; status++) {
        static const char *const words[] = {"identical",
                                            "the same",
                                            "different",
                                            "only in the old file",
                                            "only in the new file",
                                            "failed"};
        if (total->count[status] == 0)
            continue;
        printf("%s %zu %s", separator, total->count[status], words[status]);
        separator = ",";
    }
    putchar('\n');
}

// ---------------------------------------------------------------------------
// JSON

// The map as one of the files has it.
static void print_json_side(const char *key, const struct open_map *map)
{
    if (!map)
        return;
    json_key(key);
    json_open('{');
    if (map->error)
        json_string("error", map->error);
    json_sentences("warnings", &map->warnings);
    json_count("linedefs", map->line_count);
    if (!map->is_cut)
        blockmap_json_write(&map->present, open_map_form_name(map));
    json_close('}');
}

static void print_json_linedefs(const char *key, const uint32_t *linedefs,
                                size_t count)
{
    json_key(key);
    json_open('[');
    for (size_t i = 0; i < count; i++)
        json_integer(NULL, linedefs[i]);
    json_close(']');
}

static void print_json_block(const struct comparison *comparison,
                             const struct compare_block *block)
{
    const uint32_t *linedefs = &comparison->linedefs[block->first];
    json_open('{');
    json_number("x", in_units(block->x));
    json_number("y", in_units(block->y));
    if (block->old_fault != LIST_READABLE)
        json_string("old_fault", blockmap_list_fault_name(block->old_fault));
    if (block->new_fault != LIST_READABLE)
        json_string("new_fault", blockmap_list_fault_name(block->new_fault));
    print_json_linedefs("only_old", linedefs, block->only_old);
    print_json_linedefs("only_new", linedefs + block->only_old,
                        block->only_new);
    json_close('}');
}

static void print_json_comparison(const struct diff_map *found)
{
    const struct comparison *comparison = &found->comparison;
    if (found->lines_are_known)
        json_boolean("lines_differ", found->lines_differ);
    json_string("grids", compare_grids_name(comparison->grids));
    json_count("blocks", comparison->block_count);
    json_count("differing_blocks", comparison->differing_count);
    json_count("reordered_blocks", comparison->reordered_count);
    json_count("only_old_listed", comparison->only_old);
    json_count("only_new_listed", comparison->only_new);
    if (found->old_entries.are_known)
        json_count("only_old_entries", found->old_entries.count);
    if (found->new_entries.are_known)
        json_count("only_new_entries", found->new_entries.count);
    json_boolean("too_long", comparison->is_too_long);
    json_key("differences");
    json_open('[');
    for (size_t i = 0; i < comparison->differing_count; i++)
        print_json_block(comparison, &comparison->blocks[i]);
    json_close(']');
}

static void print_json_map(const struct diff_map *found)
{
    json_open('{');
    json_string("map", found->name);
    json_string("status", status_name(found->status));
    print_json_side("old", found->old);
    print_json_side("new", found->new);
    if (found->status <= DIFF_DIFFERENT)
        print_json_comparison(found);
    json_close('}');
}

static void begin_json(const struct arguments *arguments,
                       const struct nbstage_descriptor *stage)
{
    json_begin_report("diff", stage);
    json_string("old", arguments->files[0]);
    json_string("new", arguments->files[1]);
    json_key("maps");
    json_open('[');
}

static void end_json(const struct diff_total *total)
{
    json_close(']');
    json_key("total");
    json_open('{');
    json_count("maps", total->maps);
    for (int status = 0; status < DIFF_STATUS_COUNT; status++)
        json_count(status_name((enum diff_status)status), total->count[status]);
    json_count("blocks", total->blocks);
    json_count("differing_blocks", total->differing_blocks);
    json_count("reordered_blocks", total->reordered_blocks);
    json_count("only_old_listed", total->only_old);
    json_count("only_new_listed", total->only_new);
    json_close('}');
    json_close('}');
}

// ---------------------------------------------------------------------------

void diff_report_begin(const struct arguments *arguments,
                       const struct nbstage_descriptor *stage)
{
    if (arguments->json)
        begin_json(arguments, stage);
    else if (!arguments->quiet)
        print_heading();
}

static void add_to_total(const struct diff_map *found, struct diff_total *total)
{
    const struct comparison *comparison = &found->comparison;
    total->maps++;
    total->count[found->status]++;
    total->blocks += comparison->block_count;
    total->differing_blocks += comparison->differing_count;
    total->reordered_blocks += comparison->reordered_count;
    total->only_old += comparison->only_old;
    total->only_new += comparison->only_new;
}

void diff_report_map(const struct arguments *arguments,
                     const struct diff_map *found, struct diff_total *total)
{
    add_to_total(found, total);
    if (arguments->json) {
        print_json_map(found);
    } else if (!arguments->quiet) {
        print_row(found);
        if (found->status == DIFF_SAME || found->status == DIFF_DIFFERENT)
            print_findings(found, arguments->verbose);
    }
}

void diff_report_end(const struct arguments *arguments,
                     const struct diff_total *total)
{
    if (arguments->json)
        end_json(total);
    else if (!arguments->quiet)
        print_total(total);
}

bool diff_is_any_different(const struct diff_total *total)
{
    return total->count[DIFF_IDENTICAL] + total->count[DIFF_SAME] < total->maps;
}
