// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the WAD, hands each map to the stage, and writes the WAD anew with
// the lumps that came back.  A map that fails keeps the lumps it has.

#include "config.h"

#include "build.h"

#include "files.h"
#include "maps.h"
#include "report.h"
#include "wad.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One map on its way.
struct map_build {
    const struct map_place *place;
    bool has_blockmap;
    size_t blockmap; // index of its BLOCKMAP lump, or of where one belongs
    struct nbstage_result result;
    const struct nbstage_lump *made; // the BLOCKMAP in it; NULL if none is
    size_t shares_with; // the first map with the same bytes; itself if none
    size_t entry;       // index of its lump in the output
};

struct job {
    const struct arguments *arguments;
    const struct stage *stage;
    struct nbstage_instance *instance;
    struct wad wad;
    struct map_places maps;

    // The maps selected: what is built, and what is told of it.
    struct map_build *builds;
    struct map_report *reports;
    size_t count;
    size_t current; // the one being built
    enum exit_status status;
};

// ---------------------------------------------------------------------------
// Callbacks

static void keep_warning(struct map_report *report, const char *sentence)
{
    char **more =
        realloc(report->warnings, (report->warning_count + 1) * sizeof *more);
    char *copy = strdup(sentence);
    if (more)
        report->warnings = more;
    if (more && copy)
        report->warnings[report->warning_count++] = copy;
    else
        free(copy);
}

static void log_message(void *context, int32_t level, const char *sentence)
{
    struct job *job = context;
    if (level != NBSTAGE_LOG_WARNING)
        return;
    message_print("%s: %s", job->arguments->input, sentence);
    if (job->current < job->count) // else it is not about a map
        keep_warning(&job->reports[job->current], sentence);
}

static int32_t show_progress(void *context, uint32_t done, uint32_t total)
{
    struct job *job = context;
    if (!job->arguments->quiet)
        report_show_progress(job->reports[job->current].name, job->current,
                             job->count, done, total);
    return 0;
}

static enum exit_status create_instance(struct job *job)
{
    const struct nbstage_descriptor *stage = job->stage->descriptor;
    struct nbstage_host host = {
        .size = sizeof host,
        .context = job,
        .log = log_message,
        .progress = show_progress,
    };
    if (stage->create(&host, &job->instance) != NBSTAGE_OK)
        return message_out_of_memory();
    for (size_t i = 0; i < job->arguments->setting_count; i++) {
        const struct stage_setting *setting = &job->arguments->settings[i];
        if (stage->set_option(job->instance, setting->name, setting->value) !=
            NBSTAGE_OK) {
            message_print("%s", stage->last_error(job->instance));
            return STATUS_USAGE;
        }
    }
    return STATUS_DONE;
}

// ---------------------------------------------------------------------------
// Maps

static void fail_map(struct job *job, size_t index, const char *sentence)
{
    message_print("%s: %s", job->arguments->input, sentence);
    job->reports[index].error = strdup(sentence);
    job->status = STATUS_MAP_FAILED;
}

// The first lump from `index` to before `end` that reaches past the end of
// the file; `end` if there is none.
static size_t find_cut_lump(const struct wad *wad, size_t index, size_t end)
{
    while (index < end && wad_lump_is_whole(wad, index))
        index++;
    return index;
}

// Tells of lumps outside the file that do not belong to a selected map.
static void tell_cut_lumps(struct job *job)
{
    size_t map = 0;
    size_t index = find_cut_lump(&job->wad, 0, job->wad.lump_count);
    while (index < job->wad.lump_count) {
        while (map < job->count && job->builds[map].place->end <= index)
            map++;
        if (map == job->count || index < job->builds[map].place->marker) {
            char sentence[160];
            wad_describe_cut_lump(&job->wad, index, NULL, sentence,
                                  sizeof sentence);
            message_print("%s: %s", job->arguments->input, sentence);
            job->status = STATUS_MAP_FAILED;
        }
        index = find_cut_lump(&job->wad, index + 1, job->wad.lump_count);
    }
}

// Finds the BLOCKMAP among the lumps that the stage made.
static void take_result(struct map_build *build, struct map_report *report)
{
    for (size_t i = 0; i < build->result.lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, build->result.lumps, i);
        if (strcmp(lump->name, "BLOCKMAP") == 0)
            build->made = lump;
    }
    if (build->made)
        report->bytes_after = build->made->data_size;
}

static enum exit_status call_stage(struct job *job, size_t index)
{
    const struct nbstage_descriptor *stage = job->stage->descriptor;
    struct map_build *build = &job->builds[index];
    struct map_report *report = &job->reports[index];
    struct nbstage_lump *lumps = maps_collect_lumps(&job->wad, build->place);
    if (!lumps)
        return message_out_of_memory();
    struct nbstage_map map = {
        .size = sizeof map,
        .name = report->name,
        .lumps = lumps,
        .lump_count = build->place->end - build->place->marker - 1,
    };
    job->current = index;
    double started = report_clock();
    nbstage_status status = stage->build(job->instance, &map, &build->result);
    report->seconds = report_clock() - started;
    if (status == NBSTAGE_OK)
        take_result(build, report);
    else
        fail_map(job, index, stage->last_error(job->instance));
    free(lumps);
    return STATUS_DONE;
}

// Whether the lumps of a map are all there; else what is wrong with them.
static bool map_is_whole(const struct job *job, size_t index, char *sentence,
                         size_t size)
{
    const struct map_place *place = job->builds[index].place;
    const char *name = job->reports[index].name;
    size_t cut = find_cut_lump(&job->wad, place->marker, place->end);
    if (cut < place->end) {
        wad_describe_cut_lump(&job->wad, cut, name, sentence, size);
        return false;
    }
    if (!maps_is_closed(&job->wad, place)) {
        maps_describe_open(place, name, sentence, size);
        return false;
    }
    return true;
}

static enum exit_status build_map(struct job *job, size_t index)
{
    char sentence[160];
    if (map_is_whole(job, index, sentence, sizeof sentence))
        return call_stage(job, index);
    fail_map(job, index, sentence);
    return STATUS_DONE;
}

static enum exit_status build_maps(struct job *job)
{
    bool table = !job->arguments->quiet && !job->arguments->json;
    if (table)
        report_print_heading();
    for (size_t i = 0; i < job->count; i++) {
        enum exit_status status = build_map(job, i);
        if (status != STATUS_DONE)
            return status;
        if (table)
            report_print_map(&job->reports[i]);
    }
    return STATUS_DONE;
}

// ---------------------------------------------------------------------------
// Preparation

static enum exit_status prepare_maps(struct job *job)
{
    job->builds = calloc(job->maps.count, sizeof *job->builds);
    job->reports = calloc(job->maps.count, sizeof *job->reports);
    if (!job->builds || !job->reports)
        return message_out_of_memory();
    for (size_t i = 0; i < job->maps.count; i++) {
        const struct map_place *place = &job->maps.places[i];
        if (!place->selected)
            continue;
        struct map_build *build = &job->builds[job->count];
        struct map_report *report = &job->reports[job->count++];
        build->place = place;
        build->blockmap = maps_find_lump(&job->wad, place, "BLOCKMAP");
        build->has_blockmap = build->blockmap < place->end;
        build->result.size = sizeof build->result;
        report->name = job->wad.lumps[place->marker].name;
        report->result = &build->result;
        if (build->has_blockmap)
            report->bytes_before = job->wad.lumps[build->blockmap].size;
        else
            build->blockmap = maps_blockmap_place(&job->wad, place);
    }
    return STATUS_DONE;
}

static enum exit_status read_input(struct job *job)
{
    const struct arguments *arguments = job->arguments;
    enum exit_status status = wad_read(arguments->input, &job->wad);
    if (status == STATUS_DONE)
        status = maps_find(&job->wad, &job->maps);
    if (status != STATUS_DONE)
        return status;
    if (job->maps.count == 0) {
        message_print("%s: the file has no map; a marker lump followed by "
                      "THINGS, LINEDEFS, VERTEXES or TEXTMAP was "
                      "expected",
                      arguments->input);
        return STATUS_MAP_FAILED;
    }
    struct map_file file = {arguments->input, &job->wad, &job->maps};
    status =
        maps_select(&file, 1, arguments->map_lists, arguments->map_list_count);
    return status == STATUS_DONE ? prepare_maps(job) : status;
}

// ---------------------------------------------------------------------------
// Lumps that share their bytes

// Where the bytes of a map's lump were in the input.
struct old_place {
    uint32_t position, size;
    size_t build;
};

static int compare_places(const void *a, const void *b)
{
    const struct old_place *left = a;
    const struct old_place *right = b;
    if (left->position != right->position)
        return left->position < right->position ? -1 : 1;
    if (left->size != right->size)
        return left->size < right->size ? -1 : 1;
    return (left->build > right->build) - (left->build < right->build);
}

static bool equal_lumps(const struct nbstage_lump *a,
                        const struct nbstage_lump *b)
{
    return a->data_size == b->data_size && a->data_size > 0 &&
           memcmp(a->data, b->data, a->data_size) == 0;
}

// Finds maps whose lumps had the same bytes and have equal ones now: each gets
// to know the first of its kind.
static enum exit_status find_sharers(struct job *job)
{
    struct old_place *places = malloc((job->count + 1) * sizeof *places);
    size_t count = 0;
    if (!places)
        return message_out_of_memory();
    for (size_t i = 0; i < job->count; i++) {
        const struct map_build *build = &job->builds[i];
        job->builds[i].shares_with = i;
        if (!build->made || !build->has_blockmap)
            continue;
        const struct wad_lump *old = &job->wad.lumps[build->blockmap];
        places[count++] = (struct old_place){old->position, old->size, i};
    }
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 1, first = 0; i < count; i++) {
        struct map_build *build = &job->builds[places[i].build];
        if (places[i].position != places[first].position ||
            places[i].size != places[first].size ||
            !equal_lumps(build->made, job->builds[places[first].build].made))
            first = i;
        build->shares_with = places[first].build;
    }
    free(places);
    return STATUS_DONE;
}

// ---------------------------------------------------------------------------
// Output

// The entry for a map's new lump.
static struct wad_entry made_entry(const struct job *job, size_t index)
{
    const struct map_build *build = &job->builds[index];
    struct wad_entry entry = {
        .source = NO_SOURCE,
        .bytes = build->made->data,
        .size = build->made->data_size,
        .shares_with = build->shares_with == index
                           ? NO_SOURCE
                           : job->builds[build->shares_with].entry,
    };
    memcpy(entry.raw_name, "BLOCKMAP", WAD_NAME_SIZE);
    return entry;
}

static struct wad_entry kept_entry(const struct wad *wad, size_t index)
{
    struct wad_entry entry = {.source = index, .shares_with = NO_SOURCE};
    memcpy(entry.raw_name, wad->lumps[index].raw_name, WAD_NAME_SIZE);
    return entry;
}

// Lists the lumps of the output: those of the input, with the new ones in the
// place of the old or, where there was none, inserted.  Returns how many.
static size_t list_entries(struct job *job, struct wad_entry *entries)
{
    size_t count = 0;
    size_t next = 0; // the first map whose BLOCKMAP has not been passed
    for (size_t lump = 0; lump <= job->wad.lump_count; lump++) {
        bool kept = lump < job->wad.lump_count;
        if (next < job->count && lump == job->builds[next].blockmap) {
            if (job->builds[next].made) {
                job->builds[next].entry = count;
                entries[count++] = made_entry(job, next);
                kept = kept && !job->builds[next].has_blockmap;
            }
            next++;
        }
        if (kept)
            entries[count++] = kept_entry(&job->wad, lump);
    }
    return count;
}

static enum exit_status write_output(struct job *job)
{
    const struct arguments *arguments = job->arguments;
    const char *target =
        arguments->in_place ? arguments->input : arguments->output;
    struct wad_entry *entries =
        calloc(job->wad.lump_count + job->count + 1, sizeof *entries);
    if (!entries)
        return message_out_of_memory();
    enum exit_status status = find_sharers(job);
    if (status != STATUS_DONE) {
        free(entries);
        return status;
    }
    struct replacement replacement;
    bool compressed = arguments->in_place ? job->wad.compressed
                                          : file_name_ends(target, ".gz");
    status = replacement_begin(&replacement, target, compressed);
    if (status == STATUS_DONE) {
        size_t count = list_entries(job, entries);
        status = wad_write(&job->wad, entries, count, replacement.stream);
        if (status == STATUS_DONE)
            status = replacement_commit(&replacement, arguments->backup);
        else
            replacement_abandon(&replacement);
    }
    free(entries);
    return status;
}

// ---------------------------------------------------------------------------
// The command

static void print_report(const struct job *job, bool written)
{
    struct build_report report = {
        .input = job->arguments->input,
        .output = job->arguments->in_place ? job->arguments->input
                                           : job->arguments->output,
        .stage = job->stage->descriptor,
        .maps = job->reports,
        .map_count = job->count,
        .written = written,
    };
    if (job->arguments->json)
        report_print_json(&report);
    else if (!job->arguments->quiet)
        report_print_total(&report);
}

static enum exit_status run_job(struct job *job)
{
    enum exit_status status = create_instance(job);
    if (status == STATUS_DONE)
        status = read_input(job);
    if (status != STATUS_DONE)
        return status;
    tell_cut_lumps(job);
    status = build_maps(job);
    if (status != STATUS_DONE)
        return status;
    status = write_output(job);
    print_report(job, status == STATUS_DONE);
    return status == STATUS_DONE ? job->status : status;
}

static void free_job(struct job *job)
{
    const struct nbstage_descriptor *stage = job->stage->descriptor;
    for (size_t i = 0; i < job->count; i++) {
        stage->free_result(job->instance, &job->builds[i].result);
        free(job->reports[i].error);
        for (size_t w = 0; w < job->reports[i].warning_count; w++)
            free(job->reports[i].warnings[w]);
        free(job->reports[i].warnings);
    }
    if (job->instance)
        stage->destroy(job->instance);
    free(job->builds);
    free(job->reports);
    maps_free(&job->maps);
    wad_free(&job->wad);
}

enum exit_status build_run(const struct arguments *arguments,
                           const struct stage *stage)
{
    struct job job = {.arguments = arguments, .stage = stage};
    enum exit_status status = run_job(&job);
    free_job(&job);
    return status;
}
