// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reports each map as soon as it is verified, so that findings need not be
// kept: a row of a table, and below it a line for each finding.

#include "config.h"

#include "commands.h"
#include "inspect/findings.h"
#include "inspect/inspect.h"
#include "inspect/verdicts.h"
#include "inspect/verify.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/judge.h"
#include "lump/lump.h"
#include "nbstage.h"
#include "options.h"
#include "platform/system.h"
#include "prune/line.h"
#include "report.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_LINES = 20,     // for a kind of finding, below a map
    LONG_LINEDEF = 2048, // units
};

static const char heading[] =
    "Map      Linedefs  Grid                      Bytes   Lists  Headers  "
    "Missing    Extra  Verdict";

// Of a map, and of all.
static const char *const row_lines[] = {
    "{map:-8} {linedefs:8}  {grid:-22} {bytes:8} {list_count:7}  "
    "{header:-7} {missing_entries:8} {extra_entries:8}  {verdict}",
    "[" BELOW "unreadable lump: {fault}]", NULL};

static const char *const missing_lines[] = {
    "[" BELOW "the grid does not enclose the lines; linedefs in blocks outside "
    "it: {outside_entries}]",
    "[" BELOW "missing entries that are harmless: {harmless_entries}]", NULL};

// What is not wrong but could be better, and what segs say.
static const char *const remark_lines[] = {
    "[" BELOW "lists that number linedefs which the map does not have: "
    "{unknown_linedefs}]",
    "[" BELOW "lists stored once more: {duplicate_lists}]",
    "[" BELOW "lists not in ascending order: {unsorted_lists}]",
    "[" BELOW "lists with a linedef more than once: {repeating_lists}]",
    "[" BELOW "words in no list: {unreached_words}]",
    "[" BELOW "bytes after the last word: {odd_bytes}]",
    "[" BELOW "segs in blocks that list their linedefs: {checked_segs}]",
    "[" BELOW "segs: {nodes_error}]",
    NULL};

// ---------------------------------------------------------------------------
// The facts of a map

// What only people see.
static void verify_add_cells(struct facts *facts,
                             const struct verify_map *found)
{
    const struct blockmap *present = &found->map->present;
    char grid[LUMP_GRID_TEXT] = "-";
    char verdict[256];
    if (present->words.count >= LUMP_HEADER_WORDS)
        lump_describe_grid(present, grid, sizeof grid);
    verify_describe(found, verdict, sizeof verdict);
    facts_format(facts, ".grid", "%s", grid);
    facts_format(facts, ".verdict", "%s", verdict);
    facts_text(facts, ".header",
               present->list_count > 0 ? list_header_names[present->headers]
                                       : "-");
    facts_number(facts, ".list_count", present->list_count);
    facts_number(facts, ".unknown_linedefs",
                 found->map->line_count > 0 ? present->too_large_count : 0);
}

// NULL is for nothing.
static void verify_add_sums(struct facts *facts, const struct verify_map *found)
{
    static const struct verify_map nothing;
    const struct verify_map *of = found ? found : &nothing;
    facts_sum(facts, "entries", of->judgement.entry_count);
    facts_sum(facts, "missing_entries", of->missing_count);
    facts_sum(facts, "solid_entries", of->solid_count);
    facts_sum(facts, "extra_entries", of->judgement.extra_count);
}

static void verify_add_facts(struct facts *facts,
                             const struct verify_map *found)
{
    const struct inspect_map *map = found->map;
    const struct segs *segs = &found->segs;
    facts_text(facts, "map", map->name);
    facts_text(facts, "status", verify_status_names[found->status]);
    facts_flag(facts, "rejected", found->rejected);
    facts_text(facts, "error", map->error ? map->error : map->doubt);
    facts_sentences(facts, "warnings", &map->warnings);
    facts_seconds(facts, "seconds", found->seconds);
    facts_sum(facts, "linedefs", map->line_count);
    verify_add_cells(facts, found);
    if (!map->is_unread)
        lump_add_facts(facts, map);
    if (found->status == VERIFY_FAILED)
        return;
    verify_add_sums(facts, found);
    facts_number(facts, "harmless_entries",
                 found->missing_count - found->solid_count);
    facts_number(facts, "outside_entries", found->judgement.outside.missing);
    if (segs->passed > 0 && !segs->sentence)
        facts_number(facts, "checked_segs", segs->passed);
    facts_text(facts, "nodes_error", segs->sentence);
}

// ---------------------------------------------------------------------------
// Lists of findings

static void verify_list_unreadable(struct report *report,
                                   const struct blockmap *present, size_t most)
{
    size_t listed = 0;
    report_open_list(report, "unreadable", most);
    for (size_t b = 0; b < present->block_count && listed < MOST_FINDINGS;
         b++) {
        const struct blockmap_list *list = &present->lists[b];
        if (list->fault == LIST_READABLE)
            continue;
        const struct lump_place place = lump_block_place(present, b);
        struct facts facts = {0};
        lump_add_block(&facts, present, place.x, place.y);
        facts_number(&facts, "offset", list->offset);
        lump_add_fault(&facts, "fault", list->fault);
        report_item(report, &facts,
                    BELOW "unreadable block {column},{row} at {x},{y}, offset "
                          "{offset}: {fault}");
        listed++;
    }
    report_close_list(report, present->unreadable_count);
}

static void verify_add_length(struct facts *facts, struct finding_piece piece)
{
    facts_number(facts, "units", piece.length);
    if (piece.length >= 0.05)
        facts_format(facts, ".length", "%.1f units", piece.length);
    else
        facts_text(facts, ".length",
                   piece.length > 0  ? "less than 0.1 units"
                   : piece.is_corner ? "a corner touched"
                                     : "a point touched");
}

// People see harmless entries only with `all`.
static void verify_list_missing(struct report *report,
                                const struct verify_map *found, bool all)
{
    const struct inspect_map *map = found->map;
    const struct findings *list = &found->missing;
    report_open_list(report, "missing", all ? SIZE_MAX : MOST_LINES);
    for (size_t i = 0; i < list->count; i++) {
        const struct finding *entry = &list->finding[i];
        const bool is_harmless = entry->kind == FINDING_HARMLESS;
        char reason[SOLID_TEXT];
        if (is_harmless && !all && report->form != REPORT_JSON)
            continue;
        struct facts facts = {0};
        facts_number(&facts, "linedef", entry->linedef);
        const bool is_inside =
            lump_add_block(&facts, &map->present, entry->x, entry->y);
        verify_add_length(&facts, finding_piece(&map->lines, entry));
        solid_describe(map->verdicts[entry->linedef], reason);
        facts_text(&facts, "class", is_harmless ? "harmless" : "solid");
        facts_text(&facts, "reason", is_harmless ? NULL : reason);
        facts_text(&facts, ".outside", is_inside ? "" : ", outside the grid");
        report_item(report, &facts,
                    BELOW "missing linedef {linedef} in block "
                          "{column},{row} at {x},{y}{outside}: "
                          "{length}, {class}[: {reason}]");
    }
    report_close_list(report, all ? found->missing_count : found->solid_count);
}

static void verify_list_extra(struct report *report,
                              const struct verify_map *found)
{
    const struct findings *list = &found->extra;
    report_open_list(report, "extra", SIZE_MAX);
    for (size_t i = 0; i < list->count; i++) {
        const struct finding *entry = &list->finding[i];
        struct facts facts = {0};
        facts_number(&facts, "linedef", entry->linedef);
        lump_add_block(&facts, &found->map->present, entry->x, entry->y);
        report_item(report, &facts,
                    BELOW "extra linedef {linedef} in block {column},{row} at "
                          "{x},{y}");
    }
    report_close_list(report, found->judgement.extra_count);
}

// Whether people see what an engine does with the lump: it does not use it as
// intended, or was asked for by name.
static bool verify_is_of_note(const struct engine_verdicts *verdicts,
                              size_t index)
{
    return verdicts->verdict[index].kind != VERDICT_LOADS &&
           (verdicts->named || !verdicts->engine[index]->builds_its_own);
}

// People see the engines that do not use the lump as intended, or with `all`
// every engine.
static void verify_list_engines(struct report *report,
                                const struct verify_map *found, bool all)
{
    static const char *const names[] = {"loads", "rebuilds", "wrong", "crashes",
                                        "unknown"};
    const bool has_lines = found->map->line_count > 0;
    const struct engine_verdicts *verdicts = &found->verdicts;
    const struct verdict *verdict = verdicts->verdict;
    bool agree = verdicts->count > 1 && !verdicts->named && !all;
    for (size_t i = 1; i < verdicts->count; i++)
        agree = agree && (verdict[i].kind == verdict[0].kind ||
                          verdicts->engine[i]->builds_its_own);
    if (has_lines && agree && verdict[0].kind != VERDICT_LOADS &&
        verdict[0].kind != VERDICT_UNKNOWN)
        report_print(report, BELOW "%-30s  %s", "every engine",
                     names[verdict[0].kind]);
    report_open_list(report, "engines", SIZE_MAX);
    for (size_t i = 0; i < verdicts->count; i++) {
        const bool is_shown =
            has_lines && (all || (!agree && verify_is_of_note(verdicts, i)));
        struct facts facts = {0};
        facts_text(&facts, "engine", verdicts->engine[i]->name);
        facts_text(&facts, "verdict", names[verdict[i].kind]);
        facts_text(&facts, "why", verdict[i].why);
        report_item(report, &facts,
                    is_shown ? BELOW "{engine:-30}  {verdict}[: {why}]" : NULL);
    }
    report_close_list(report, 0);
}

// Whether an engine that uses a lump takes the 0 before all lists for linedef
// 0, and so tests that in every block.
static bool verify_reads_headers(const struct engine *engine,
                                 const struct blockmap *blockmap)
{
    return engine->first_word == FIRST_WORD_READ &&
           blockmap->headers == HEADER_ZERO &&
           (blockmap->form == LUMP_CLASSIC || engine->reads_xbm1);
}

// Prints the engines that test a linedef 0 in every block which is too long for
// that.  They compute where a shot meets a line in 32 bits.
static void verify_print_first_linedef(struct report *report,
                                       const struct verify_map *found)
{
    const struct inspect_map *map = found->map;
    const struct fixed_line line = map->line_count > 0
                                       ? lines_fixed_at(&map->lines, 0)
                                       : (struct fixed_line){0};
    const double length =
        hypot((double)line.x2 - line.x1, (double)line.y2 - line.y1) /
        BLOCKMAP_UNIT;
    size_t printed = 0;
    for (size_t i = 0; i < found->verdicts.count && length > LONG_LINEDEF;
         i++) {
        const enum verdict_kind kind = found->verdicts.verdict[i].kind;
        if ((kind != VERDICT_LOADS && kind != VERDICT_WRONG) ||
            !verify_reads_headers(found->verdicts.engine[i], &map->present))
            continue;
        if (printed++ == 0) {
            report_print(report,
                         BELOW "linedef 0 is %.0f units long, and these "
                               "engines test it in every block, as they",
                         length);
            report_print(report,
                         BELOW "read the 0 before a list as a linedef; over %d "
                               "units shots may hit it from afar:",
                         LONG_LINEDEF);
        }
        report_print(report, BELOW "  %s", found->verdicts.engine[i]->name);
    }
}

// ---------------------------------------------------------------------------
// The report

void verify_report_file(const struct arguments *arguments, const char *path,
                        bool is_open, struct verify_total *total)
{
    struct report *report = arguments->report;
    struct facts facts = {0};
    if (total->files++ == 0) {
        report_begin(report, "verify", NULL);
        report_open_list(report, "files", 0);
    }
    if (is_open && total->open_files++ == 0)
        report_print(report, "%s", heading);
    if (is_open && arguments->file_count > 1)
        report_print(report, "%s:", path);
    facts_text(&facts, "input", path);
    report_open(report, NULL, &facts, NULL);
    report_open_list(report, "maps", 0);
}

void verify_report_map(const struct arguments *arguments,
                       const struct verify_map *found,
                       struct verify_total *total)
{
    struct report *report = arguments->report;
    const bool all = arguments->verbose;
    struct facts facts = {0};
    verify_add_facts(&facts, found);
    facts_add_up(&total->sums, &facts);
    total->maps++;
    total->count[found->status]++;
    total->rejected += found->rejected;
    total->repairable[total->files - 1] |=
        found->rejected && found->status != VERIFY_FAILED &&
        (found->solid_count > 0 || found->judgement.extra_count > 0 ||
         (lump_has_unreadable(&found->map->present) &&
          found->map->present.fault != BLOCKMAP_TOO_MUCH_MEMORY));
    report_open(report, NULL, &facts, row_lines);
    verify_list_unreadable(report, &found->map->present,
                           all ? SIZE_MAX : MOST_LINES);
    if (found->status != VERIFY_FAILED)
        verify_list_missing(report, found, all);
    report_lines(report, &facts, missing_lines);
    if (found->status != VERIFY_FAILED && all)
        verify_list_extra(report, found);
    report_lines(report, &facts, remark_lines);
    verify_print_first_linedef(report, found);
    verify_list_engines(report, found, all);
    report_close(report);
}

void verify_report_file_end(const struct arguments *arguments, bool read)
{
    struct facts facts = {0};
    facts_flag(&facts, "read", read);
    report_close_list(arguments->report, 0);
    report_facts(arguments->report, &facts);
    report_close(arguments->report);
}

// Appends a word as shells take it.
static void verify_append_word(char *text, size_t size, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789_./+,-";
    const char quote = system_quote();
    const bool is_quoted = word[strspn(word, plain)] != '\0' || !*word;
    size_t used = strlen(text);
    if (is_quoted && used + 1 < size)
        text[used++] = quote;
    for (; *word && used + 4 < size; word++) {
        if (*word == quote) { // ends, is one by itself, begins again
            text[used++] = quote;
            text[used++] = '\\';
            text[used++] = quote;
        }
        text[used++] = *word;
    }
    if (is_quoted && used + 1 < size)
        text[used++] = quote;
    text[used] = '\0';
}

static void verify_append(char *text, size_t size, const char *more)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

// Prints the command that builds those of the files anew.
static void verify_print_repair(const struct arguments *arguments,
                                const bool *repairable)
{
    char text[8192] = "To repair: blocksweep --in-place --backup";
    size_t count = 0;
    for (size_t i = 0; i < arguments->setting_count; i++) {
        if (strcmp(arguments->settings[i].name, "for") != 0)
            continue;
        verify_append(text, sizeof text, " --for=");
        verify_append_word(text, sizeof text, arguments->settings[i].value);
    }
    for (size_t i = 0; i < arguments->map_list_count; i++) {
        verify_append(text, sizeof text, " --map=");
        verify_append_word(text, sizeof text, arguments->map_lists[i]);
    }
    for (size_t i = 0; i < arguments->file_count; i++) {
        const char *path = arguments->files[i];
        if (!repairable[i] || strcmp(path, "-") == 0)
            continue;
        count++;
        verify_append(text, sizeof text, *path == '-' ? " ./" : " ");
        verify_append_word(text, sizeof text, path);
    }
    if (count > 0 && strlen(text) + 8 < sizeof text)
        report_print(arguments->report, "%s", text);
}

void verify_report_end(const struct arguments *arguments,
                       struct verify_total *total)
{
    struct report *report = arguments->report;
    struct facts facts = {0};
    if (total->files == 0)
        return;
    report_close_list(report, 0);
    facts_number(&facts, "maps", total->maps);
    for (int status = 0; status < VERIFY_STATUS_COUNT; status++)
        facts_number(&facts, verify_status_names[status], total->count[status]);
    facts_number(&facts, "rejected", total->rejected);
    facts_text(&facts, ".map", "Total");
    facts_format(&facts, ".grid", "%zu map%s", total->maps,
                 total->maps == 1 ? "" : "s");
    if (total->rejected > 0)
        facts_format(&facts, ".verdict", "%zu rejected", total->rejected);
    facts_sum(&facts, "linedefs", 0);
    facts_sum(&facts, "bytes", 0);
    verify_add_sums(&facts, NULL);
    facts_add_up(&facts, &total->sums);
    report_open(report, "total", &facts,
                total->open_files > 0 ? row_lines : NULL);
    report_close(report);
    report_close(report);
    verify_print_repair(arguments, total->repairable);
}
