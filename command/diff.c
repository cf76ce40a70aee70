// SPDX-License-Identifier: GPL-2.0-or-later
//
// The diff command compares the blockmaps of two files, map by map.  Maps are
// paired by name; maps of one name are paired in order.  The maps of the old
// file come first, then the maps that only the new file has.
//
// The lumps are compared even if a map cannot be read.
//
// The table has a row for each map, and below it a line for each difference.
// What demos depend on is told in the words of a build's report.

#include "config.h"

#include "base/macros.h"
#include "common/arguments.h"
#include "common/message.h"
#include "common/report.h"
#include "inspect/inspect.h"
#include "lump/blockmap.h"
#include "lump/lump.h"
#include "platform/status.h"
#include "wad/maps.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum diff_status {
    DIFF_IDENTICAL, // the same bytes
    DIFF_SAME,      // different bytes, the same meaning
    DIFF_DIFFERENT,
    DIFF_ONLY_OLD, // only one of the files has the map
    DIFF_ONLY_NEW,
    DIFF_FAILED, // lumps of the map lie outside the file
    DIFF_STATUS_COUNT,
};

static const struct {
    const char *name, *words;
} diff_statuses[] = {
    {"identical", "identical"},           {"same", "the same"},
    {"different", "different"},           {"only_old", "only in the old file"},
    {"only_new", "only in the new file"}, {"failed", "failed"},
};

// The difference of a map that weighs most for its demos.
enum diff_change {
    CHANGE_NONE,
    CHANGE_STORAGE, // the last that demos do not depend on
    CHANGE_UNKNOWN,
    CHANGE_HEADERS,
    CHANGE_ORDER,
    CHANGE_LISTS,
    CHANGE_GRID,
    CHANGE_EMPTY,
    CHANGE_FIRST,
};

// The words of a build in JSON, and in the table where no other line tells.
static const struct {
    const char *name, *words;
} diff_changes[] = {
    {"none", NULL},
    {"storage", "same lists, stored anew"},
    {"unknown", NULL},
    {"headers", "different headers"},
    {"order", "different order in lists"},
    {"lists", NULL},
    {"grid", NULL},
    {"empty", "most ports read only the old lump"},
    {"first", "most ports read only the new lump"},
};

// The findings about a map.
struct diff_map {
    struct inspect_map *old; // NULL if the file does not have the map
    struct inspect_map *new;
    enum diff_status status;
    struct comparison comparison;
    enum diff_change change;
};

struct diff {
    const struct arguments *arguments;
    struct report *report;
    struct inspect_file old, new;
    size_t maps;
    size_t count[DIFF_STATUS_COUNT]; // of maps
    size_t lost_demos;               // maps whose demos may go out of sync
    struct facts sums;
};

enum {
    MOST_BLOCKS = 20,   // listed below a map
    MOST_LINEDEFS = 12, // listed for a block
};

static const char heading[] =
    "Map      Verdict    Blocks  Differ Only old Only new Reordered  Bytes";

// Rows for a map and for the total.
static const char *const row_lines[] = {
    "{map:-8} {status:-9} {blocks:7} {differing_blocks:7} "
    "{only_old_entries:8} {only_new_entries:8} {reordered_blocks:9}  {bytes}",
    "{summary}", "{lost_demos}", NULL};

static const char *const lone_lines[] = {"{map:-8} only in the {file} file",
                                         NULL};

// Differences of the lumps, apart from lists.
static const char *const lump_lines[] = {
    "[" BELOW "unreadable old lump: {old_flaw}]",
    "[" BELOW "unreadable new lump: {new_flaw}]",
    "[" BELOW "form {forms}]",
    "[" BELOW "grid {moved}]",
    "[" BELOW "largest offset {offsets}]",
    "[" BELOW "headers {headers}]",
    "[" BELOW "{change_words}]",
    "[" BELOW "{not_compared}]",
    NULL};

// ---------------------------------------------------------------------------
// The facts of a map

// "OLD -> NEW" if they differ.
static void diff_add_change(struct facts *facts, const char *name,
                            const char *old, const char *new)
{
    if (strcmp(old, new) != 0)
        facts_format(facts, name, "%s -> %s", old, new);
}

// Adds the differences of the lumps, apart from lists.  Grids are compared as
// texts, which are exact for coordinates in 16.16.
static void diff_add_lumps(struct facts *facts, const struct diff_map *found)
{
    const struct blockmap *old = &found->old->present;
    const struct blockmap *new = &found->new->present;
    const char *old_grid = lump_add_grid(facts, ".old_grid", old, "none");
    const char *new_grid = lump_add_grid(facts, ".new_grid", new, "none");
    lump_add_flaw(facts, ".old_flaw", old);
    lump_add_flaw(facts, ".new_flaw", new);
    diff_add_change(facts, ".forms", lump_form_name(found->old),
                    lump_form_name(found->new));
    diff_add_change(facts, ".moved", old_grid, new_grid);
    if (found->comparison.grids == GRIDS_NONE)
        return;
    const uint32_t old_offset = found->old->statistics.largest_offset;
    const uint32_t new_offset = found->new->statistics.largest_offset;
    if (old_offset != new_offset)
        facts_format(facts, ".offsets", "%" PRIu32 " -> %" PRIu32, old_offset,
                     new_offset);
    diff_add_change(facts, ".headers", list_header_names[old->headers],
                    list_header_names[new->headers]);
    if (found->change != CHANGE_HEADERS || old->headers == new->headers)
        facts_text(facts, ".change_words", diff_changes[found->change].words);
}

static void diff_add_facts(struct facts *facts, const struct diff_map *found)
{
    const struct comparison *comparison = &found->comparison;
    const bool has_both = found->old && found->new;
    facts_text(facts, "map", found->old ? found->old->name : found->new->name);
    facts_text(facts, "status", diff_statuses[found->status].name);
    facts_text(facts, ".file", found->old ? "old" : "new");
    if (!has_both)
        return;
    const size_t old_size = found->old->present.bytes;
    const size_t new_size = found->new->present.bytes;
    if (old_size == new_size)
        facts_format(facts, ".bytes", "%zu", old_size);
    else
        facts_format(facts, ".bytes", "%zu -> %zu", old_size, new_size);
    if (found->status == DIFF_FAILED)
        return;
    facts_sum(facts, "blocks", comparison->block_count);
    facts_sum(facts, "differing_blocks", comparison->differing_count);
    facts_sum(facts, "reordered_blocks", comparison->reordered_count);
    facts_sum(facts, "only_old_entries", comparison->only_old);
    facts_sum(facts, "only_new_entries", comparison->only_new);
    facts_text(facts, "change", diff_changes[found->change].name);
    facts_text(facts, "not_compared",
               comparison->grids == GRIDS_OTHER
                   ? "the grids are not whole blocks apart, so their blocks "
                     "cannot be compared"
                   : NULL);
    diff_add_lumps(facts, found);
}

// Reports the map of one file.
static void diff_report_side(struct report *report, const char *name,
                             const struct inspect_map *map)
{
    struct facts facts = {0};
    if (!map)
        return;
    facts_text(&facts, "error", map->error);
    facts_sentences(&facts, "warnings", &map->warnings);
    facts_number(&facts, "linedefs", map->line_count);
    if (!map->is_unread)
        lump_add_facts(&facts, map);
    report_object(report, name, &facts, NULL);
}

// ---------------------------------------------------------------------------
// Blocks that differ

struct block_printer {
    struct report *report;
    const struct blockmap *new; // columns and rows are numbered on its grid
    size_t most;                // linedefs printed for a block
};

static void diff_print_block(void *context, const struct compare_block *block)
{
    const struct block_printer *printer = context;
    const struct compare_list *old = &block->old, *new = &block->new;
    struct facts facts = {0};
    lump_add_block(&facts, printer->new, block->place);
    facts_text(&facts, "old_fault", old->fault);
    facts_text(&facts, "new_fault", new->fault);
    facts_numbers(&facts, "only_old", old->linedefs, old->count, printer->most);
    facts_numbers(&facts, "only_new", new->linedefs, new->count, printer->most);
    report_item(printer->report, &facts,
                BELOW "block {column},{row} at {x},{y}"
                      "[, unreadable in the old lump: {old_fault}]"
                      "[, unreadable in the new lump: {new_fault}]"
                      "[, only old: {only_old}][, only new: {only_new}]");
}

static void diff_list_blocks(struct report *report,
                             const struct diff_map *found, bool all)
{
    struct block_printer printer = {report, &found->new->present,
                                    all ? SIZE_MAX : MOST_LINEDEFS};
    report_open_list(report, "differences", all ? SIZE_MAX : MOST_BLOCKS);
    if (found->comparison.differing_count > 0)
        compare_blockmaps(&found->old->present, &found->new->present,
                          diff_print_block, &printer);
    report_close_list(report, found->comparison.differing_count);
}

// ---------------------------------------------------------------------------
// The report

static void diff_report_map(struct diff *diff, const struct diff_map *found)
{
    struct report *report = diff->report;
    const bool is_lone = !found->old || !found->new;
    const bool has_findings =
        found->status == DIFF_SAME || found->status == DIFF_DIFFERENT;
    struct facts facts = {0};
    diff_add_facts(&facts, found);
    facts_add_up(&diff->sums, &facts);
    diff->maps++;
    diff->count[found->status]++;
    diff->lost_demos += found->change > CHANGE_STORAGE;
    report_open(report, NULL, &facts, is_lone ? lone_lines : row_lines);
    report_lines(report, &facts, has_findings ? lump_lines : NULL);
    diff_report_side(report, "old", found->old);
    diff_report_side(report, "new", found->new);
    if (found->status <= DIFF_DIFFERENT)
        diff_list_blocks(report, found, diff->arguments->verbose);
    report_close(report);
}

// Adds "3 maps: 1 identical, 2 different".
static void diff_add_summary(struct facts *facts, const struct diff *diff)
{
    char text[256] = "", count[64];
    for (int status = 0; status < DIFF_STATUS_COUNT; status++) {
        snprintf(count, sizeof count, "%zu %s", diff->count[status],
                 diff_statuses[status].words);
        if (diff->count[status] > 0)
            message_add_name(text, sizeof text, count);
    }
    facts_format(facts, ".summary", "%zu map%s: %s", diff->maps,
                 diff->maps == 1 ? "" : "s", text);
}

static void diff_report_end(const struct diff *diff)
{
    static const char *const sums[] = {"blocks", "differing_blocks",
                                       "reordered_blocks", "only_old_entries",
                                       "only_new_entries"};
    struct facts facts = {0};
    report_close_list(diff->report, 0);
    facts_number(&facts, "maps", diff->maps);
    for (int status = 0; status < DIFF_STATUS_COUNT; status++)
        facts_number(&facts, diff_statuses[status].name, diff->count[status]);
    facts_text(&facts, ".map", "Total");
    diff_add_summary(&facts, diff);
    for (size_t i = 0; i < COUNT(sums); i++)
        facts_sum(&facts, sums[i], 0);
    if (diff->lost_demos > 0)
        facts_format(&facts, ".lost_demos",
                     "Demos of %zu map%s may go out of sync", diff->lost_demos,
                     diff->lost_demos == 1 ? "" : "s");
    facts_add_up(&facts, &diff->sums);
    report_object(diff->report, "total", &facts, row_lines);
    report_close(diff->report);
}

// ---------------------------------------------------------------------------
// Maps

static bool diff_has_same_bytes(const struct inspect_map *old,
                                const struct inspect_map *new)
{
    const struct blockmap *left = &old->present;
    const struct blockmap *right = &new->present;
    return !old->lump == !new->lump && left->bytes == right->bytes &&
           (left->bytes == 0 ||
            memcmp(left->lump, right->lump, left->bytes) == 0);
}

// Whether most ports read a lump that is not empty.
static bool diff_is_read(const struct blockmap *blockmap)
{
    return blockmap->form == LUMP_CLASSIC &&
           blockmap->bytes / 2 <= LUMP_EXTENDED_WORDS;
}

static enum diff_change diff_judge_change(const struct diff_map *found)
{
    const struct comparison *comparison = &found->comparison;
    const struct blockmap *old = &found->old->present;
    const struct blockmap *new = &found->new->present;
    const bool are_empty = old->form == LUMP_EMPTY && new->form == LUMP_EMPTY;
    if (found->status == DIFF_IDENTICAL || are_empty)
        return CHANGE_NONE;
    if (old->form == LUMP_EMPTY)
        return CHANGE_FIRST;
    if (new->form == LUMP_EMPTY)
        return CHANGE_EMPTY;
    if (comparison->grids == GRIDS_NONE)
        return CHANGE_UNKNOWN;
    if (old->origin_x != new->origin_x || old->origin_y != new->origin_y)
        return CHANGE_GRID;
    if (comparison->differing_count > 0)
        return CHANGE_LISTS;
    if (comparison->reordered_count > 0)
        return CHANGE_ORDER;
    if (comparison->has_other_headers)
        return CHANGE_HEADERS;
    return diff_is_read(old) == diff_is_read(new) ? CHANGE_STORAGE
           : diff_is_read(new)                    ? CHANGE_FIRST
                                                  : CHANGE_EMPTY;
}

static void diff_compare(struct diff_map *found)
{
    struct comparison *comparison = &found->comparison;
    const struct inspect_map *old = found->old, *new = found->new;
    if (!old || !new) {
        found->status = old ? DIFF_ONLY_OLD : DIFF_ONLY_NEW;
        return;
    }
    if (old->is_unread || new->is_unread) {
        found->status = DIFF_FAILED;
        return;
    }
    const bool are_empty =
        old->present.form == LUMP_EMPTY && new->present.form == LUMP_EMPTY;
    *comparison = compare_blockmaps(&old->present, &new->present, NULL, NULL);
    if (diff_has_same_bytes(old, new)) {
        // Unreadable blocks do not count as different here.
        found->status = DIFF_IDENTICAL;
        comparison->differing_count = 0;
        comparison->only_old = comparison->only_new = 0;
    } else if (are_empty || (comparison->grids == GRIDS_ALIGNED &&
                             comparison->differing_count == 0)) {
        found->status = DIFF_SAME;
    } else {
        found->status = DIFF_DIFFERENT;
    }
    found->change = diff_judge_change(found);
}

// Compares two maps, one of which may be NO_MAP, and reports them.
static void diff_maps(struct diff *diff, size_t old_index, size_t new_index)
{
    struct inspect_map old, new;
    struct diff_map found = {old_index != NO_MAP ? &old : NULL,
                             new_index != NO_MAP ? &new : NULL,
                             .status = DIFF_FAILED};
    if (found.old)
        inspect_read(&diff->old, old_index, &old);
    if (found.new)
        inspect_read(&diff->new, new_index, &new);
    diff_compare(&found);
    diff_report_map(diff, &found);
    if (found.old)
        inspect_free(&diff->old, &old);
    if (found.new)
        inspect_free(&diff->new, &new);
}

static void diff_all(struct diff *diff)
{
    struct facts facts = {0};
    facts_text(&facts, "old", diff->arguments->files[0]);
    facts_text(&facts, "new", diff->arguments->files[1]);
    report_begin(diff->report, "diff", NULL);
    report_facts(diff->report, &facts);
    report_open_list(diff->report, "maps", 0);
    report_print(diff->report, "%s", heading);
    for (size_t i = 0; i < diff->old.count; i++)
        diff_maps(diff, i, diff->old.places[i]->partner);
    for (size_t i = 0; i < diff->new.count; i++)
        if (diff->new.places[i]->partner == NO_MAP)
            diff_maps(diff, NO_MAP, i);
    diff_report_end(diff);
}

static enum exit_status diff_files(struct diff *diff)
{
    NEED_DONE(inspect_open_pair(diff->arguments, &diff->old, &diff->new));
    NEED_DONE(maps_pair(&diff->old.wad, &diff->new.wad, true));
    diff_all(diff);
    NEED_DONE(diff->old.status);
    NEED_DONE(diff->new.status);
    return diff->count[DIFF_IDENTICAL] + diff->count[DIFF_SAME] < diff->maps
               ? STATUS_MAP_FAILED
               : STATUS_DONE;
}

enum exit_status diff_run(const struct arguments *arguments)
{
    struct diff diff = {.arguments = arguments, .report = arguments->report};
    const enum exit_status status = diff_files(&diff);
    inspect_close(&diff.old);
    inspect_close(&diff.new);
    return status;
}
