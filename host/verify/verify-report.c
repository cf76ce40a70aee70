// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps are told of as they get done, so that no findings are kept.  The table
// has a line for a map and below it one for each finding; JSON has them all.

#include "config.h"

#include "verify/verify-report.h"

#include "blockmap/blockmap-json.h"
#include "blockmap/finding.h"
#include "build/build-report.h"
#include "json.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    MOST_LINES = 20, // of a kind of finding, below a map
    NO_LIMIT = 1 << 30,
};

static const char *status_name(enum verify_status status)
{
    static const char *const names[] = {"good", "bad", "empty", "failed"};
    return names[status];
}

// The south-west corner of a column or row in map units.
static int64_t place_of(int32_t true_origin, size_t shift, int64_t block)
{
    return true_origin / BLOCKMAP_UNIT +
           (block + (int64_t)shift) * BLOCKMAP_SIDE;
}

static int64_t place_x(const struct open_map *map, int64_t column)
{
    return place_of(map->expected.origin_x, map->west, column);
}

static int64_t place_y(const struct open_map *map, int64_t row)
{
    return place_of(map->expected.origin_y, map->south, row);
}

// ---------------------------------------------------------------------------
// Findings below a map

// Prints that there are more findings of a kind than lines were printed.
static void print_more(size_t count, size_t printed)
{
    if (count > printed)
        finding_print("... and %zu more", count - printed);
}

// `text` is "missing linedef" or "extra linedef", `where` what to say behind
// it.
static void print_facts(const struct open_map *map, const char *text,
                        const struct mismatch_list *mismatches,
                        const char *where, size_t count, size_t limit)
{
    size_t i = 0;
    for (; i < mismatches->count && i < limit; i++) {
        const struct mismatch *mismatch = &mismatches->mismatch[i];
        finding_print("%s %" PRIu32 " in block %" PRId64 ",%" PRId64
                      " at %" PRId64 ",%" PRId64 "%s",
                      text, mismatch->linedef, mismatch->column, mismatch->row,
                      place_x(map, mismatch->column),
                      place_y(map, mismatch->row), where);
    }
    print_more(count, i);
}

static void print_list_fault(const struct blockmap *present, size_t block)
{
    const struct blockmap_list *list = &present->lists[block];
    const char *reason =
        list->fault == LIST_IN_TABLE  ? "is in the table of offsets"
        : list->fault == LIST_OUTSIDE ? "is behind the end of the lump"
                                      : "is that of a list without end";
    finding_print("unreadable block %zu,%zu: offset %" PRIu32 " %s",
                  block % present->columns, block / present->columns,
                  list->offset, reason);
}

static void print_list_faults(const struct blockmap *present, size_t limit)
{
    size_t printed = 0;
    for (size_t b = 0; b < present->block_count && printed < limit; b++) {
        if (present->lists[b].fault == LIST_READABLE)
            continue;
        print_list_fault(present, b);
        printed++;
    }
    print_more(blockmap_count_unreadable(present), printed);
}

// What is no mistake but could be better.
static void print_remarks(const struct verify_map *found)
{
    const struct blockmap *present = &found->map->present;
    const struct {
        size_t count;
        const char *text;
    } remarks[] = {
        {found->map->line_count > 0 ? present->too_large_count : 0,
         "lists that number linedefs which the map does not have"},
        {present->duplicate_count, "lists stored once more"},
        {present->unsorted_count, "lists not in ascending order"},
        {present->repeating_count, "lists with a linedef more than once"},
        {present->unreached_words, "words in no list"},
        {present->odd_bytes, "bytes behind the last word"},
    };
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++)
        if (remarks[i].count > 0)
            finding_print("%s: %zu", remarks[i].text, remarks[i].count);
}

static void print_segs(const struct segs *segs)
{
    if (segs->verdict == SEGS_PASS)
        finding_print("segs in blocks that list their linedefs: %" PRId64,
                      segs->checked);
    else if (segs->verdict == SEGS_FAIL)
        finding_print("segs: %s", segs->sentence);
    else if (segs->verdict == SEGS_UNCHECKED)
        finding_print("segs not checked: %s", segs->sentence);
}

static bool all_engines_agree(const struct verify_map *found)
{
    for (size_t i = 1; i < ENGINE_COUNT; i++)
        if (found->verdicts[i] != found->verdicts[0])
            return false;
    return true;
}

static void print_verdict(const char *name, enum engine_verdict verdict)
{
    finding_print("%-30s  %s", name, engine_verdict_name(verdict));
}

// Who does not use the lump as it is meant; with `all` the others, too.
static void print_engines(const struct verify_map *found, bool all)
{
    const enum engine_verdict *verdicts = found->verdicts;
    if (!all && all_engines_agree(found)) {
        if (verdicts[0] != ENGINE_LOADS && verdicts[0] != ENGINE_UNKNOWN)
            print_verdict("every engine", verdicts[0]);
        return;
    }
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        if (all || verdicts[i] != ENGINE_LOADS)
            print_verdict(engine_name(i), verdicts[i]);
}

static void print_findings(const struct arguments *arguments,
                           const struct verify_map *found)
{
    const struct open_map *map = found->map;
    const struct mismatches *mismatches = &found->mismatches;
    size_t limit = arguments->verbose ? NO_LIMIT : MOST_LINES;
    finding_print_fault("", &map->present);
    print_list_faults(&map->present, limit);
    print_facts(map, "missing linedef", &mismatches->missing, "",
                mismatches->missing_count, limit);
    if (mismatches->outside_count > 0)
        finding_print("the grid does not enclose the lines; linedefs in blocks "
                      "outside it: %zu",
                      mismatches->outside_count);
    print_facts(map, "missing linedef", &mismatches->outside,
                ", outside the grid", mismatches->outside_count, limit);
    if (found->inert_count > 0)
        finding_print("missing linedefs that --prune=inert leaves out: %zu",
                      found->inert_count);
    if (arguments->verbose)
        print_facts(map, "extra linedef", &mismatches->extra, "",
                    mismatches->extra_count, limit);
    print_remarks(found);
    print_segs(&found->segs);
    if (map->line_count > 0)
        print_engines(found, arguments->verbose);
}

// ---------------------------------------------------------------------------
// The table

static void print_heading(void)
{
    printf("%-8s %8s  %-22s %8s %7s  %-7s %8s %8s  %s\n", "Map", "Linedefs",
           "Grid", "Bytes", "Lists", "Headers", "Missing", "Extra", "Verdict");
}

static void print_row(const struct verify_map *found)
{
    const struct open_map *map = found->map;
    const struct blockmap *present = &map->present;
    bool is_told = found->rejected && (found->status == VERIFY_GOOD ||
                                       found->status == VERIFY_EMPTY);
    char name[MESSAGE_NAME_SIZE];
    char grid[BLOCKMAP_GRID_TEXT] = "-";
    message_name(map->name, name);
    if (blockmap_has_grid(present))
        blockmap_describe_grid(present, grid, sizeof grid);
    printf("%-8s %8zu  %-22s %8zu %7zu  %-7s %8zu %8zu  %s%s\n", name,
           map->line_count, grid, map->size, present->list_count,
           present->list_count > 0 ? blockmap_headers_name(present->headers)
                                   : "-",
           found->mismatches.missing_count + found->mismatches.outside_count,
           found->mismatches.extra_count, status_name(found->status),
           is_told ? ", rejected" : "");
}

static void print_total(const struct verify_total *total)
{
    char maps[48];
    snprintf(maps, sizeof maps, "%zu map%s", total->maps,
             total->maps == 1 ? "" : "s");
    printf("%-8s %8zu  %-22s %8zu %7s  %-7s %8zu %8zu", "Total",
           total->linedefs, maps, total->bytes, "", "", total->missing,
           total->extra);
    if (total->rejected > 0)
        printf("  %zu rejected", total->rejected);
    putchar('\n');
}

// ---------------------------------------------------------------------------
// JSON

static void print_json_facts(const struct open_map *map,
                             const struct mismatch_list *mismatches,
                             bool in_grid)
{
    for (size_t i = 0; i < mismatches->count; i++) {
        const struct mismatch *mismatch = &mismatches->mismatch[i];
        json_open('{');
        json_integer("linedef", mismatch->linedef);
        if (in_grid)
            json_integer("block", mismatch->row * map->present.columns +
                                      mismatch->column);
        json_integer("column", mismatch->column);
        json_integer("row", mismatch->row);
        json_integer("x", place_x(map, mismatch->column));
        json_integer("y", place_y(map, mismatch->row));
        json_close('}');
    }
}

static void print_json_unreadable(const struct blockmap *present)
{
    size_t printed = 0;
    json_key("unreadable");
    json_open('[');
    for (size_t b = 0; b < present->block_count && printed < MOST_MISMATCHES;
         b++) {
        const struct blockmap_list *list = &present->lists[b];
        if (list->fault == LIST_READABLE)
            continue;
        json_open('{');
        json_count("block", b);
        json_integer("offset", list->offset);
        json_string("fault", blockmap_list_fault_name(list->fault));
        json_close('}');
        printed++;
    }
    json_close(']');
}

static void print_json_lump(const struct verify_map *found)
{
    const struct blockmap *present = &found->map->present;
    blockmap_json_write(present, open_map_form_name(found->map));
    print_json_unreadable(present);
}

static void print_json_segs(const struct segs *segs)
{
    bool are_checked = segs->verdict == SEGS_PASS || segs->verdict == SEGS_FAIL;
    json_boolean("nodes_checked", are_checked);
    if (segs->verdict == SEGS_PASS)
        json_integer("checked_segs", segs->checked);
    else if (segs->sentence)
        json_string(are_checked ? "nodes_error" : "nodes_unchecked",
                    segs->sentence);
}

static void print_json_truth(const struct arguments *arguments,
                             const struct verify_map *found)
{
    const struct mismatches *mismatches = &found->mismatches;
    json_count("entries", mismatches->entry_count);
    json_count("missing_entries", mismatches->missing_count);
    json_count("outside_entries", mismatches->outside_count);
    json_count("inert_entries", found->inert_count);
    json_count("extra_entries", mismatches->extra_count);
    json_count("extra_at_worst", mismatches->extra_at_worst);
    json_key("missing");
    json_open('[');
    print_json_facts(found->map, &mismatches->missing, true);
    print_json_facts(found->map, &mismatches->outside, false);
    json_close(']');
    if (arguments->verbose) {
        json_key("extra");
        json_open('[');
        print_json_facts(found->map, &mismatches->extra, true);
        json_close(']');
    }
    if (arguments->nodes)
        print_json_segs(&found->segs);
}

static void print_json_map(const struct arguments *arguments,
                           const struct verify_map *found)
{
    const struct open_map *map = found->map;
    json_open('{');
    json_string("map", map->name);
    json_string("status", status_name(found->status));
    json_boolean("rejected", found->rejected);
    if (map->error || map->doubt)
        json_string("error", map->error ? map->error : map->doubt);
    json_sentences("warnings", &map->warnings);
    json_seconds("seconds", found->seconds);
    json_count("linedefs", map->line_count);
    if (!map->is_cut)
        print_json_lump(found);
    if (found->status != VERIFY_FAILED)
        print_json_truth(arguments, found);
    blockmap_json_write_engines(found->verdicts, ENGINE_COUNT);
    json_close('}');
}

static void begin_json(const struct nbstage_descriptor *stage)
{
    json_begin_report("verify", stage);
    json_key("files");
    json_open('[');
}

static void end_json(const struct verify_total *total)
{
    json_close(']');
    json_key("total");
    json_open('{');
    json_count("maps", total->maps);
    for (int status = 0; status < VERIFY_STATUS_COUNT; status++)
        json_count(status_name((enum verify_status)status),
                   total->count[status]);
    json_count("rejected", total->rejected);
    json_count("linedefs", total->linedefs);
    json_count("bytes", total->bytes);
    json_count("entries", total->entries);
    json_count("missing_entries", total->missing);
    json_count("extra_entries", total->extra);
    json_close('}');
    json_close('}');
}

// ---------------------------------------------------------------------------

void verify_report_file(const struct arguments *arguments,
                        const struct nbstage_descriptor *stage,
                        const char *path, struct verify_total *total)
{
    if (arguments->json) {
        if (total->files == 0)
            begin_json(stage);
        json_open('{');
        json_string("input", path);
        json_key("maps");
        json_open('[');
    } else if (!arguments->quiet) {
        if (total->files == 0)
            print_heading();
        if (arguments->file_count > 1)
            printf("%s:\n", path);
    }
    total->files++;
}

void verify_report_map(const struct arguments *arguments,
                       const struct verify_map *found,
                       struct verify_total *total)
{
    total->maps++;
    total->count[found->status]++;
    total->linedefs += found->map->line_count;
    total->bytes += found->map->size;
    total->rejected += found->rejected;
    total->entries += found->mismatches.entry_count;
    total->missing +=
        found->mismatches.missing_count + found->mismatches.outside_count;
    total->extra += found->mismatches.extra_count;
    if (arguments->json) {
        print_json_map(arguments, found);
    } else if (!arguments->quiet) {
        print_row(found);
        print_findings(arguments, found);
    }
}

void verify_report_file_end(const struct arguments *arguments, bool read)
{
    if (!arguments->json)
        return;
    json_close(']');
    json_boolean("read", read);
    json_close('}');
}

void verify_report_end(const struct arguments *arguments,
                       const struct verify_total *total)
{
    if (total->files == 0)
        return;
    if (arguments->json)
        end_json(total);
    else if (!arguments->quiet)
        print_total(total);
}
