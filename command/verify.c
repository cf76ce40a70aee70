// SPDX-License-Identifier: GPL-2.0-or-later
//
// The verify command compares blockmaps with the expected ones.  Maps are read,
// checked and reported one after the other, so that findings need not be kept.
// The table has a row for each map, and below it a line for each finding.

#include "config.h"

#include "base/macros.h"
#include "common/arguments.h"
#include "common/message.h"
#include "common/report.h"
#include "inspect/inspect.h"
#include "inspect/memory.h"
#include "inspect/repair.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "picture/picture.h"
#include "platform/status.h"
#include "platform/system.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 20 }; // for each kind of finding, below a map

// All maps of all files.
struct verify {
    const struct arguments *arguments;
    struct report *report;
    size_t files;      // begun
    size_t open_files; // files with maps in the report
    size_t maps;
    size_t count[VERIFY_STATUS_COUNT]; // of maps
    size_t rejected;                   // maps that make the command fail
    bool *failed;                      // for each file: it was not verified
    char **repairs;   // for each file: options that repair it, or NULL
    bool *fall_short; // for each file: they do not repair all its maps
    bool *for_named;  // for each file: they are for the ports in --for alone
    struct facts sums;
};

static const char heading[] =
    "Map      Linedefs  Grid                      Bytes   Lists  Headers  "
    "Missing    Extra  Verdict";

// Rows for a map and for the total.
static const char *const row_lines[] = {
    "{map:-8} {linedefs:8}  {grid:-22} {bytes:8} {list_count:7}  "
    "{header:-7} {missing_entries:8} {extra_entries:8}  {verdict}",
    "[" BELOW "unreadable lump: {fault}]", NULL};

static const char *const missing_lines[] = {
    "[" BELOW "the grid does not enclose the lines; linedefs in blocks outside "
    "it: {outside_entries}]",
    "[" BELOW "missing entries that are harmless: {harmless_entries}]", NULL};

// Remarks, and the result of --nodes.
static const char *const remark_lines[] = {
    "[" BELOW "{reach}]",
    "[" BELOW "lists with nonexistent linedefs: {unknown_linedefs}]",
    "[" BELOW "lists not in ascending order: {unsorted_lists}]",
    "[" BELOW "lists with a linedef more than once: {repeating_lists}]",
    "[" BELOW "words in no list: {unreached_words}]",
    "[" BELOW "{misplaced}]",
    "[" BELOW "an old BLOCKMAP after the map, which no port uses: lump "
    "{spare_blockmap}]",
    "[" BELOW "bytes after the last word: {odd_bytes}]",
    "[" BELOW "segs in blocks that list their linedefs: {checked_segs}]",
    "[" BELOW "segs: {nodes_error}]",
    NULL};

// ---------------------------------------------------------------------------
// The facts of a map

static void verify_add_facts(struct facts *facts, const struct inspect_map *map,
                             double seconds)
{
    const struct blockmap *present = &map->present;
    facts_text(facts, "map", map->name);
    facts_text(facts, "status", verify_status_names[map->status]);
    facts_flag(facts, "rejected", map->rejected);
    facts_text(facts, "error", map->error ? map->error : map->doubt);
    facts_sentences(facts, "warnings", &map->warnings);
    facts_seconds(facts, "seconds", seconds);
    facts_sum(facts, "linedefs", map->line_count);
    lump_add_grid(facts, ".grid", present, "-");
    lump_add_verdict(facts, ".verdict", map);
    facts_text(facts, ".header",
               map->statistics.stored > 0 ? list_header_names[present->headers]
                                          : "-");
    facts_number(facts, ".list_count", map->statistics.stored);
    facts_number(facts, ".unknown_linedefs",
                 map->line_count > 0 ? map->statistics.too_large : 0);
    if (!map->is_unread)
        lump_add_facts(facts, map);
    if (*map->misplaced)
        facts_text(facts, "misplaced", map->misplaced);
    facts_number(facts, ".spare_blockmap", map->spare_blockmap);
    if (map->status == VERIFY_FAILED)
        return;
    facts_sum(facts, "entries", map->judgement.entry_count);
    facts_sum(facts, "missing_entries", map->missing_count);
    facts_sum(facts, "solid_entries", map->solid_count);
    facts_sum(facts, "extra_entries", map->judgement.extra_count);
    facts_number(facts, "harmless_entries",
                 map->missing_count - map->solid_count);
    facts_number(facts, "outside_entries", map->judgement.outside.missing);
    if (map->checked_segs > 0 && !map->segs_error)
        facts_number(facts, "checked_segs", map->checked_segs);
    facts_text(facts, "nodes_error", map->segs_error);
}

// ---------------------------------------------------------------------------
// Lists of findings

static void verify_list_unreadable(struct report *report,
                                   const struct inspect_map *map, size_t most)
{
    const struct blockmap *present = &map->present;
    size_t listed = 0;
    report_open_list(report, "unreadable", most);
    for (size_t b = 0; b < present->block_count && listed < MOST_FINDINGS;
         b++) {
        const struct blockmap_list list = blockmap_list(present, b);
        if (!list.fault)
            continue;
        struct facts facts = {0};
        lump_add_block(&facts, present, lump_block_place(present, b));
        facts_number(&facts, "offset", list.offset);
        facts_text(&facts, "fault", list.fault);
        report_item(report, &facts,
                    BELOW "unreadable block {column},{row} at {x},{y}, offset "
                          "{offset}: {fault}");
        listed++;
    }
    report_close_list(report, map->statistics.unreadable);
}

static void verify_list_extra(struct report *report,
                              const struct inspect_map *map)
{
    report_open_list(report, "extra", SIZE_MAX);
    for (size_t i = 0; i < map->extra.count; i++) {
        const struct finding *entry = &map->extra.finding[i];
        struct facts facts = {0};
        facts_number(&facts, "linedef", entry->linedef);
        lump_add_block(&facts, &map->present, entry->place);
        report_item(report, &facts,
                    BELOW "extra linedef {linedef} in block {column},{row} at "
                          "{x},{y}");
    }
    report_close_list(report, map->judgement.extra_count);
}

// ---------------------------------------------------------------------------
// The report

// Begins a file, and with the first file the report.  The text report skips
// files that could not be opened.
static void verify_report_file(struct verify *verify, const char *path,
                               bool is_open)
{
    struct report *report = verify->report;
    struct facts facts = {0};
    if (verify->files++ == 0) {
        report_begin(report, "verify", NULL);
        report_open_list(report, "files", 0);
    }
    if (is_open && verify->open_files++ == 0)
        report_print(report, "%s", heading);
    if (is_open && verify->arguments->file_count > 1)
        report_print(report, "%s:", path);
    facts_text(&facts, "input", path);
    report_open(report, NULL, &facts, NULL);
    report_open_list(report, "maps", 0);
}

static void verify_report_map(struct verify *verify,
                              const struct inspect_map *map, double seconds)
{
    struct report *report = verify->report;
    const bool all = verify->arguments->verbose;
    const bool is_compared = map->status != VERIFY_FAILED;
    struct facts facts = {0};
    verify_add_facts(&facts, map, seconds);
    facts_add_up(&verify->sums, &facts);
    verify->maps++;
    verify->count[map->status]++;
    verify->rejected += map->rejected;
    report_open(report, NULL, &facts, row_lines);
    verify_list_unreadable(report, map, all ? SIZE_MAX : MOST_LINES);
    groups_list(report, map, all);
    if (is_compared)
        lump_list_missing(report, map, all);
    report_lines(report, &facts, missing_lines);
    if (is_compared && all)
        verify_list_extra(report, map);
    report_lines(report, &facts, remark_lines);
    report_close(report);
}

// ---------------------------------------------------------------------------
// The command for repairs

// Prints a build command for files that are repaired by the same options, from
// the first of them on.
static void verify_print_repair(const struct verify *verify, size_t first)
{
    const struct arguments *arguments = verify->arguments;
    const char *options = verify->repairs[first];
    char text[REPAIR_TEXT];
    bool has_file = false;
    repair_begin_command(text, options);
    for (size_t i = first; i < arguments->file_count; i++) {
        if (verify->repairs[i] && strcmp(verify->repairs[i], options) == 0)
            has_file |= repair_append_file(text, arguments->files[i]);
    }
    if (has_file && strlen(text) + 8 < sizeof text)
        report_print(arguments->report, "To repair: %s", text);
}

// Prints one command for each set of options.
static void verify_print_repairs(const struct verify *verify)
{
    for (size_t i = 0; i < verify->arguments->file_count; i++) {
        bool is_first = verify->repairs[i] != NULL;
        for (size_t before = 0; before < i && is_first; before++)
            is_first = !verify->repairs[before] ||
                       strcmp(verify->repairs[before], verify->repairs[i]) != 0;
        if (is_first)
            verify_print_repair(verify, i);
    }
    for (size_t i = 0; i < verify->arguments->file_count; i++) {
        if (verify->for_named[i])
            report_print(verify->arguments->report,
                         "%s: this repair is for the ports in --for; others "
                         "may miss lines",
                         verify->arguments->files[i]);
        if (verify->fall_short[i])
            report_print(verify->arguments->report,
                         "%s: none of the options that were tried repairs %s; "
                         "a build%s says why",
                         verify->arguments->files[i],
                         verify->repairs[i] ? "the other maps" : "it",
                         verify->arguments->nodes ? " with --check-nodes=yes"
                                                  : "");
    }
}

static void verify_report_end(const struct verify *verify)
{
    static const char *const sums[] = {"linedefs",      "bytes",
                                       "entries",       "missing_entries",
                                       "solid_entries", "extra_entries"};
    struct report *report = verify->report;
    struct facts facts = {0};
    if (verify->files == 0)
        return;
    report_close_list(report, 0);
    facts_number(&facts, "maps", verify->maps);
    for (int status = 0; status < VERIFY_STATUS_COUNT; status++)
        facts_number(&facts, verify_status_names[status],
                     verify->count[status]);
    facts_number(&facts, "rejected", verify->rejected);
    facts_text(&facts, ".map", "Total");
    facts_units(&facts, ".grid", verify->maps, "map");
    if (verify->rejected > 0)
        facts_format(&facts, ".verdict", "%zu rejected", verify->rejected);
    for (size_t i = 0; i < COUNT(sums); i++)
        facts_sum(&facts, sums[i], 0);
    facts_add_up(&facts, &verify->sums);
    report_object(report, "total", &facts,
                  verify->open_files > 0 ? row_lines : NULL);
    report_close(report);
    verify_print_repairs(verify);
}

// ---------------------------------------------------------------------------
// Maps and files

static enum exit_status verify_map(struct verify *verify,
                                   struct inspect_file *file, size_t index,
                                   struct repair *repair)
{
    const double started = system_now();
    struct inspect_map map;
    inspect_judge(file, index, &map);
    verify_report_map(verify, &map, system_now() - started);
    repair_note(repair, index, &map, map.rejected);
    const enum exit_status status = picture_option(file->arguments)
                                        ? picture_save(file, &map)
                                        : STATUS_DONE;
    inspect_free(file, &map);
    return status;
}

static enum exit_status verify_open(struct verify *verify, const char *path,
                                    struct inspect_file *file)
{
    NEED_DONE(inspect_open(verify->arguments, path, file));
    return inspect_check_one(file, picture_option(verify->arguments));
}

static void verify_report_file_end(struct verify *verify, bool is_open)
{
    struct facts facts = {0};
    facts_flag(&facts, "read", is_open);
    report_close_list(verify->report, 0);
    report_facts(verify->report, &facts);
    report_close(verify->report);
}

// With a picture there is one map, so the picture's status is the last one.
// Standard input cannot be repaired, and only text reports tell of repairs.
static enum exit_status verify_maps(struct verify *verify,
                                    struct inspect_file *file)
{
    enum exit_status status = STATUS_DONE;
    struct repair repair;
    repair_begin(&repair, file->count);
    for (size_t i = 0; i < file->count; i++)
        status = verify_map(verify, file, i, &repair);
    if (verify->report->form == REPORT_LINES && strcmp(file->path, "-") != 0) {
        verify->repairs[verify->files - 1] = repair_find(file, &repair);
        verify->fall_short[verify->files - 1] = repair_falls_short(&repair);
        verify->for_named[verify->files - 1] = repair.is_for_named;
    }
    repair_free(&repair);
    return file->status > status ? file->status : status;
}

static enum exit_status verify_file(struct verify *verify, const char *path)
{
    struct inspect_file file;
    enum exit_status status = verify_open(verify, path, &file);
    const bool is_open = status == STATUS_DONE;
    if (status != STATUS_USAGE) {
        verify_report_file(verify, path, is_open);
        if (is_open)
            status = verify_maps(verify, &file);
        verify_report_file_end(verify, is_open);
    }
    inspect_close(&file);
    return status;
}

// Returns the worst status of all files.  Stops at the first
// usage error.
static enum exit_status verify_files(struct verify *verify)
{
    const struct arguments *arguments = verify->arguments;
    const size_t count = arguments->file_count;
    enum exit_status worst = STATUS_DONE;
    for (size_t i = 0; i < count; i++) {
        const enum exit_status status =
            verify_file(verify, arguments->files[i]);
        verify->failed[i] = status != STATUS_DONE;
        if (status == STATUS_USAGE)
            return status;
        if (status > worst)
            worst = status;
    }
    return worst;
}

enum exit_status verify_run(const struct arguments *arguments)
{
    const size_t count = arguments->file_count;
    const char *option = picture_option(arguments);
    NEED_DONE(picture_check_paths(arguments));
    if (option && count > 1) {
        message_print("--%s is for one map, but there are %zu files", option,
                      count);
        return STATUS_USAGE;
    }
    struct verify verify = {
        .arguments = arguments,
        .report = arguments->report,
        .failed = memory_get(count, sizeof *verify.failed),
        .repairs = memory_get(count, sizeof *verify.repairs),
        .fall_short = memory_get(count, sizeof *verify.fall_short),
        .for_named = memory_get(count, sizeof *verify.for_named),
    };
    const enum exit_status worst = verify_files(&verify);
    verify_report_end(&verify);
    // The reasons may be far above the end of the report.
    if (count > 1)
        for (size_t i = 0; i < count; i++)
            if (verify.failed[i])
                message_print("%s: not verified", arguments->files[i]);
    free(verify.failed);
    for (size_t i = 0; i < count; i++)
        free(verify.repairs[i]);
    free(verify.repairs);
    free(verify.fall_short);
    free(verify.for_named);
    return worst == STATUS_DONE && verify.rejected > 0 ? STATUS_MAP_FAILED
                                                       : worst;
}
