// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reports the facts of a build.  The text report prints a row for each map as
// soon as it is built.  JSON comes at the end, with all facts of the stage.

#include "config.h"

#include "build/builder.h"
#include "build/demos.h"
#include "build/job.h"
#include "common/commands.h"
#include "common/report.h"
#include "common/stage.h"
#include "nbstage-host.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------
// The facts of a map

static const char heading[] =
    "Map        Before    After  Largest offset    Change";

// Rows for a map and for the total.
static const char *const row_lines[] = {
    "{map:-8} {bytes_before:8} {bytes_after:8}  {offset:-16}  {text}",
    "[         {left_out:8}  pruned: {tagged} tagged, {inert} inert]",
    "[         {extra:8}  extra entries, at most {extra_at_worst} in a block]",
    NULL};

static const char *const failed_lines[] = {
    "{map:-8} failed, its lumps are kept", NULL};

// A fact's text; "" if the stage does not report it.
static const char *build_report_text(const struct job_map *map,
                                     const char *name)
{
    const struct stage_fact *fact = stage_find_fact(&map->facts, name);
    return fact && fact->text ? fact->text : "";
}

// The number of linedefs that are in no list.
static long long build_report_pruned(const struct job_map *map)
{
    return stage_number(&map->facts, "pruned_tagged") +
           stage_number(&map->facts, "pruned_inert");
}

// "20076 of 32767": the largest offset and vanilla's limit, except for XBM1.
static void build_report_add_offset(struct facts *facts,
                                    const struct job_map *map)
{
    long long limit = stage_number(&map->facts, "vanilla_offset_limit");
    long long offset = stage_number(&map->facts, "largest_offset");
    if (offset <= 0)
        facts_text(facts, ".offset", "-");
    else if (strcmp(build_report_text(map, "form"), "xbm1") == 0)
        facts_format(facts, ".offset", "%lld, XBM1", offset);
    else
        facts_format(facts, ".offset", "%lld %s %lld", offset,
                     offset > limit ? "over" : "of", limit);
}

// What changed: words in JSON and in text reports.
struct build_change {
    const char *word, *text;
};

static struct build_change build_report_change(const struct job_map *map)
{
    const struct demos_found *found = &map->found;
    const bool is_first = found->changes & 1u << DEMOS_FIRST;
    const bool is_empty = found->changes & 1u << DEMOS_EMPTY;
    if (found->are_equal)
        return (struct build_change){"none", "unchanged"};
    if (is_first && map->bytes_before == 0)
        return (struct build_change){"first", "no BLOCKMAP before"};
    if (is_empty && map->made->data_size == 0)
        return (struct build_change){"empty", "left empty"};
    if (found->changes & 1u << DEMOS_GRID)
        return (struct build_change){"grid", "different grid"};
    if (!found->are_compared)
        return (struct build_change){"unknown", "lists could not be compared"};
    if (found->added + found->removed + found->unreadable > 0)
        return (struct build_change){"lists", ""}; // and how many entries
    if (found->changes & 1u << DEMOS_ORDER)
        return (struct build_change){"order", "different order in lists"};
    if (found->changes & 1u << DEMOS_HEADERS)
        return (struct build_change){"headers", "different headers"};
    if (is_first)
        return (struct build_change){"first", "most ports read only this one"};
    if (is_empty)
        return (struct build_change){"empty",
                                     "most ports read only the old one"};
    return (struct build_change){"storage", "same lists, stored anew"};
}

// "kept; lacks 205 harmless entries": the old lump.
static void build_report_add_kept(struct facts *facts,
                                  const struct job_map *map)
{
    const long long solid = stage_number(&map->facts, "missing_solid");
    const long long missing =
        solid + stage_number(&map->facts, "missing_harmless");
    const char *entries = missing == 1 ? "entry" : "entries";
    if (missing == 0)
        facts_text(facts, ".text", "kept");
    else if (solid == 0)
        facts_format(facts, ".text", "kept; lacks %lld harmless %s", missing,
                     entries);
    else
        facts_format(facts, ".text", "kept; lacks %lld %s, %lld solid", missing,
                     entries, solid);
}

// "205 missing entries added", "205 missing added, 3 extra removed".  If the
// new lists have extra entries, what was added is not only what was missing; if
// linedefs are pruned, what was removed may be these.
static void build_report_add_lists(struct facts *facts,
                                   const struct demos_found *found,
                                   bool has_extra, bool has_pruned)
{
    const bool are_both = found->added > 0 && found->removed > 0;
    const char *unit = are_both                            ? ""
                       : found->added + found->removed > 1 ? " entries"
                                                           : " entry";
    char added[64] = "", removed[64] = "", unreadable[64] = "";
    if (found->added > 0)
        snprintf(added, sizeof added, "%zu%s%s added", found->added,
                 has_extra ? "" : " missing", unit);
    if (found->removed > 0)
        snprintf(removed, sizeof removed, "%s%zu%s%s removed",
                 are_both ? ", " : "", found->removed,
                 has_pruned ? "" : " extra", unit);
    if (found->unreadable > 0)
        snprintf(unreadable, sizeof unreadable, "%s%zu damaged list%s replaced",
                 *added || *removed ? ", " : "", found->unreadable,
                 found->unreadable == 1 ? "" : "s");
    facts_format(facts, ".text", "%s%s%s", added, removed, unreadable);
}

static void build_report_add_change(struct facts *facts,
                                    const struct job_map *map)
{
    const struct demos_found *found = &map->found;
    const struct build_change change = build_report_change(map);
    facts_text(facts, "change", change.word);
    if (found->are_compared) {
        facts_number(facts, "only_old_entries", found->removed);
        facts_number(facts, "only_new_entries", found->added);
        facts_number(facts, "unreadable_blocks", found->unreadable);
    }
    if (stage_number(&map->facts, "kept") > 0)
        build_report_add_kept(facts, map);
    else if (*change.text)
        facts_text(facts, ".text", change.text);
    else
        build_report_add_lists(facts, found,
                               stage_number(&map->facts, "extra_entries") > 0,
                               build_report_pruned(map) > 0);
}

// The largest offset, what changed, pruned linedefs and extra entries.  A lump
// that is kept has none of the last two.
static void build_report_add_cells(struct facts *facts,
                                   const struct job_map *map)
{
    if (stage_find_fact(&map->facts, "linedefs"))
        facts_sum(facts, "linedefs", stage_number(&map->facts, "linedefs"));
    build_report_add_offset(facts, map);
    build_report_add_change(facts, map);
    if (stage_number(&map->facts, "kept") > 0)
        return;
    facts_number(facts, ".left_out", build_report_pruned(map));
    facts_number(facts, ".tagged", stage_number(&map->facts, "pruned_tagged"));
    facts_number(facts, ".inert", stage_number(&map->facts, "pruned_inert"));
    facts_number(facts, ".extra", stage_number(&map->facts, "extra_entries"));
    facts_number(facts, ".extra_at_worst",
                 stage_number(&map->facts, "extra_at_worst"));
}

static void build_report_add_facts(struct facts *facts,
                                   const struct job_map *map)
{
    facts_text(facts, "map", map->name);
    facts_text(facts, "status", map->error ? "failed" : "done");
    facts_text(facts, "error", map->error);
    facts_sentences(facts, "warnings", &map->warnings);
    if (map->error) {
        facts_number(facts, "bytes_before", map->bytes_before);
        return;
    }
    facts_sum(facts, "bytes_before", map->bytes_before);
    facts_sum(facts, "bytes_after", map->made->data_size);
    facts_seconds(facts, "seconds", map->seconds);
    build_report_add_cells(facts, map);
}

static void build_report_add_map(struct report *report,
                                 const struct job_map *map)
{
    const bool has_all = !map->error && report->form == REPORT_JSON;
    struct facts row = {0};
    build_report_add_facts(&row, map);
    report_open(report, NULL, &row, map->error ? failed_lines : row_lines);
    const size_t fact_count = has_all ? map->facts.count : 0;
    for (size_t i = 0; i < fact_count; i++) {
        const struct stage_fact *fact = &map->facts.facts[i];
        const char *flag = fact->number ? "yes" : "no";
        struct facts facts = {0};
        if (strcmp(fact->name, "linedefs") == 0)
            continue; // already in the row
        if (!fact->text)
            facts_number(&facts, fact->name, fact->number);
        else if (strcmp(fact->text, flag) == 0)
            facts_flag(&facts, fact->name, fact->number != 0);
        else
            facts_text(&facts, fact->name, fact->text);
        report_facts(report, &facts);
    }
    report_close(report);
}

// ---------------------------------------------------------------------------
// The file

// The results of all presets.
static void build_report_add_presets(struct report *report,
                                     const struct job *job)
{
    if (!job->presets)
        return;
    report_heading(report,
                   "Nothing was written.  What the presets would make:");
    report_print(report,
                 "Preset      Demos kept  Everywhere     Bytes  Old kept  "
                 "Lacking  Empty  Failed");
    report_open_list(report, "presets", SIZE_MAX);
    for (size_t i = 0; i < job->preset_count; i++) {
        const struct job_preset *preset = &job->presets[i];
        struct facts facts = {0};
        facts_text(&facts, "preset", preset->name);
        facts_number(&facts, "keeping_demos", preset->keeping_demos);
        facts_number(&facts, "everywhere", preset->everywhere);
        facts_number(&facts, "bytes", preset->bytes);
        facts_number(&facts, "kept", preset->kept);
        facts_number(&facts, "lacking", preset->lacking);
        facts_number(&facts, "meeting_vanilla", preset->meeting_vanilla);
        facts_number(&facts, "meeting_extended", preset->meeting_extended);
        facts_number(&facts, "empty", preset->empty);
        facts_number(&facts, "failed", preset->failed);
        report_item(report, &facts,
                    "{preset:-10} {keeping_demos:11} {everywhere:11} "
                    "{bytes:9} {kept:9} {lacking:8} {empty:6} {failed:7}");
    }
    report_close_list(report, 0);
    report_print(report,
                 "Of %zu maps: demos stay in sync; every game reads the lump "
                 "right; the old lump",
                 job->map_count);
    report_print(report, "stays, and still lacks so many entries.");
    report_open_list(report, "lacking", SIZE_MAX);
    for (size_t i = 0; i < job->map_count; i++) {
        struct facts facts = {0};
        facts_text(&facts, "map", job->maps[i].name);
        facts_number(&facts, "missing_solid", job->maps[i].missing_solid);
        if (job->maps[i].missing_solid > 0)
            report_item(report, &facts,
                        "{map:-8} lacks {missing_solid} solid entries now");
    }
    report_close_list(report, 0);
}

static void build_report_add_total(struct report *report, const struct job *job)
{
    const char *output = job->arguments->output;
    struct demos_found all = {0};
    struct facts facts = {0};
    size_t done = 0;
    bool has_extra = false, has_pruned = false;
    facts_number(&facts, "maps", job->map_count);
    struct fact *failed = facts_add(&facts, "failed", FACT_NUMBER);
    facts_sum(&facts, "linedefs", 0);
    facts_sum(&facts, "bytes_before", 0);
    facts_sum(&facts, "bytes_after", 0);
    facts_seconds(&facts, "seconds", 0);
    for (size_t i = 0; i < job->finished_count; i++) {
        const struct job_map *map = &job->maps[i];
        struct facts of_map = {0};
        build_report_add_facts(&of_map, map);
        facts_add_up(&facts, &of_map);
        done += !map->error;
        if (!map->error && map->found.are_compared) {
            all.added += map->found.added;
            all.removed += map->found.removed;
            all.unreadable += map->found.unreadable;
            has_extra |= stage_number(&map->facts, "extra_entries") > 0;
            has_pruned |= build_report_pruned(map) > 0;
        }
    }
    failed->number = (double)(job->map_count - done);
    facts_text(&facts, ".map", "Total");
    facts_units(&facts, ".offset", done, "map");
    build_report_add_lists(&facts, &all, has_extra, has_pruned);
    report_open(report, "total", &facts, job->map_count > 0 ? row_lines : NULL);
    report_close(report);
    if (job->written)
        report_wrote(report, output);
    if (job->unchanged && done < job->map_count)
        report_print(report,
                     "Wrote nothing, %zu of %zu maps failed; %s is unchanged",
                     job->map_count - done, job->map_count, output);
    else if (job->unchanged)
        report_print(report, "Wrote nothing; %s is unchanged", output);
    else if (job->written && done < job->map_count)
        report_print(report,
                     "Wrote %s, %zu of %zu maps failed and are unchanged",
                     output, job->map_count - done, job->map_count);
    else if (job->written)
        report_print(report, "Wrote %s", output);
    else if (done < job->map_count)
        report_print(report, "%zu failed", job->map_count - done);
}

static void build_report_open_file(struct report *report, const struct job *job)
{
    struct facts facts = {0}, builder = {0};
    facts_text(&facts, "input", job->arguments->input);
    facts_text(&facts, "output", job->arguments->output);
    facts_flag(&facts, "written", job->written);
    facts_text(&facts, "error", job->error);
    report_open(report, NULL, &facts, NULL);
    if (!job->builder)
        return;
    facts_text(&builder, "command", job->builder->command);
    facts_seconds(&builder, "seconds", job->builder->seconds);
    report_open(report, "builder", &builder, NULL);
    report_close(report);
}

void build_report_begin_files(const struct arguments *arguments,
                              const struct nbstage_descriptor *stage)
{
    report_begin(arguments->report, "build", stage);
    report_open_list(arguments->report, "files", 0);
}

void build_report_begin(struct job *job)
{
    struct report *report = job->arguments->report;
    if (job->builder)
        report_print(report, "Builder %s took %.2f s", job->builder->name,
                     job->builder->seconds);
    report_print(report, "%s", heading);
}

void build_report_map(struct job *job, const struct job_map *map)
{
    struct report *report = job->arguments->report;
    if (report->form == REPORT_LINES)
        build_report_add_map(report, map);
}

void build_report_end(struct job *job)
{
    struct report *report = job->arguments->report;
    const bool is_alone = job->arguments->file_count == 1;
    if (is_alone)
        build_report_begin_files(job->arguments, job->stage.descriptor);
    build_report_open_file(report, job);
    report_open_list(report, "maps", 0);
    if (report->form == REPORT_JSON)
        for (size_t i = 0; i < job->finished_count; i++)
            build_report_add_map(report, &job->maps[i]);
    report_close_list(report, 0);
    build_report_add_total(report, job);
    build_report_add_presets(report, job);
    report_close(report);
    if (is_alone)
        report_end(report);
}
