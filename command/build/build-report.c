// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reports the facts of a build.  The text report prints a row for each map as
// soon as it is built.  JSON comes at the end, with all facts of the stage.

#include "config.h"

#include "build/builder.h"
#include "build/job.h"
#include "common/commands.h"
#include "common/report.h"
#include "common/stage.h"
#include "nbstage-host.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// ---------------------------------------------------------------------------
// The facts of a map

static const char heading[] =
    "Map      Linedefs  Grid                          Before    After  "
    "Largest offset        Time";

// Rows for a map and for the total.
static const char *const row_lines[] = {
    "{map:-8} {linedefs:8}  {place:-27} {bytes_before:8} {bytes_after:8}  "
    "{offset:-16} {seconds:9}",
    "[                  {kept}]",
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

// "kept: 5482 bytes, still lacks 205 entries, all harmless": the old lump.
static void build_report_add_kept(struct facts *facts,
                                  const struct job_map *map)
{
    const long long solid = stage_number(&map->facts, "missing_solid");
    const long long missing =
        solid + stage_number(&map->facts, "missing_harmless");
    const char *entries = missing == 1 ? "entry" : "entries";
    if (missing == 0)
        facts_format(facts, ".kept", "  kept: %zu bytes", map->bytes_before);
    else if (solid == 0)
        facts_format(facts, ".kept",
                     "  kept: %zu bytes, still lacks %lld %s, %sharmless",
                     map->bytes_before, missing, entries,
                     missing == 1 ? "" : "all ");
    else
        facts_format(facts, ".kept",
                     "  kept: %zu bytes, still lacks %lld %s, %lld solid",
                     map->bytes_before, missing, entries, solid);
}

// Text-only cells: the grid, the largest offset, and either that the old lump
// was kept, or the pruned linedefs and extra entries of the new one.
static void build_report_add_cells(struct facts *facts,
                                   const struct job_map *map)
{
    const long long tagged = stage_number(&map->facts, "pruned_tagged");
    const long long inert = stage_number(&map->facts, "pruned_inert");
    const char *grid = build_report_text(map, "grid");
    const bool has_linedefs = stage_find_fact(&map->facts, "linedefs");
    facts_sum(facts, has_linedefs ? "linedefs" : ".linedefs",
              stage_number(&map->facts, "linedefs"));
    facts_format(facts, ".place", "%-6s %lld,%lld %lldx%lld",
                 *grid ? grid : "-", stage_number(&map->facts, "origin_x"),
                 stage_number(&map->facts, "origin_y"),
                 stage_number(&map->facts, "columns"),
                 stage_number(&map->facts, "rows"));
    build_report_add_offset(facts, map);
    if (stage_number(&map->facts, "kept") > 0) {
        build_report_add_kept(facts, map);
        return;
    }
    facts_number(facts, ".left_out", tagged + inert);
    facts_number(facts, ".tagged", tagged);
    facts_number(facts, ".inert", inert);
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
    struct facts facts = {0};
    size_t done = 0;
    facts_number(&facts, "maps", job->map_count);
    struct fact *failed = facts_add(&facts, "failed", FACT_NUMBER);
    facts_sum(&facts, "linedefs", 0);
    facts_sum(&facts, "bytes_before", 0);
    facts_sum(&facts, "bytes_after", 0);
    facts_seconds(&facts, "seconds", 0);
    for (size_t i = 0; i < job->finished_count; i++) {
        struct facts of_map = {0};
        build_report_add_facts(&of_map, &job->maps[i]);
        facts_add_up(&facts, &of_map);
        done += !job->maps[i].error;
    }
    failed->number = (double)(job->map_count - done);
    facts_text(&facts, ".map", "Total");
    facts_format(&facts, ".place", "%zu map%s", done, done == 1 ? "" : "s");
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
