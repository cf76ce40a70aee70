// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the WAD, hands each map to the stage, and writes the WAD anew with
// the lumps that came back.  A map that fails keeps the lumps it has.
//
// If a node builder is to work first, what it makes of the WAD takes the place
// of what was read.  Of that the blockmaps are still needed: demos are in sync
// with their grids, and not with those that the builder has chosen.  A map of
// the builder's that fails ends it all, because what it was is not in the
// output any more.

#include "config.h"

#include "build/build.h"

#include "build/build-report.h"
#include "file/replace-file.h"
#include "platform/clock.h"

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
    struct nbstage stage; // with an instance of the job's own
    struct wad wad;       // as the builder has left it, if there is one
    struct map_places maps;

    struct file_lock lock; // on the input, if it is to be replaced

    const struct build_step *builder; // NULL if there is none
    double builder_seconds;
    struct wad original; // as it was before
    struct map_places original_maps;
    size_t *originals; // for each map, which of these it was

    // The maps selected: what is built, and what is told of it.
    struct map_build *builds;
    struct map_report *reports;
    size_t count;
    size_t current;      // the one being built
    uint64_t made_bytes; // of all lumps so far
    bool lost_warning;   // memory ran out for one
    enum exit_status status;
};

// ---------------------------------------------------------------------------
// Callbacks

static void log_message(void *context, int32_t level, const char *sentence)
{
    struct job *job = context;
    if (level != NBSTAGE_LOG_WARNING)
        return;
    message_print("%s: %s", job->arguments->input, sentence);
    if (job->current == job->count) // it is not about a map
        return;
    if (!sentences_add(&job->reports[job->current].warnings, sentence))
        job->lost_warning = true;
}

static int32_t show_progress(void *context, uint32_t done, uint32_t total)
{
    struct job *job = context;
    bool go_on = job->arguments->quiet ||
                 build_report_progress(job->reports[job->current].name,
                                       job->current, job->count, done, total);
    return go_on ? 0 : 1;
}

// ---------------------------------------------------------------------------
// Maps

// Tells of a map that failed.  Returns whether the others are to be built.
static enum exit_status fail_map(struct job *job, size_t index,
                                 const char *sentence)
{
    job->reports[index].error = strdup(sentence);
    if (!job->reports[index].error)
        return message_out_of_memory();
    job->status = STATUS_MAP_FAILED;
    if (job->builder) {
        message_print("builder %s: the file that it wrote: %s",
                      job->builder->name, sentence);
        return STATUS_MAP_FAILED;
    }
    message_print("%s: %s", job->arguments->input, sentence);
    return STATUS_DONE;
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

// Whether the stage is asked to take its lists from the present lump.  They
// number the linedefs of the file that it is in.
static bool takes_present_lists(const struct arguments *arguments)
{
    bool takes = false;
    for (size_t i = 0; i < arguments->setting_count; i++)
        if (strcmp(arguments->settings[i].name, "source") == 0)
            takes = strcmp(arguments->settings[i].value, "lump") == 0;
    return takes;
}

// The BLOCKMAP lump that a map had before the builder came; SIZE_MAX if it had
// none that is worth anything.
static size_t find_original_blockmap(const struct job *job,
                                     const struct map_place *place)
{
    size_t original = job->originals[place - job->maps.places];
    if (original == NO_MAP)
        return SIZE_MAX;
    const struct map_place *map = &job->original_maps.places[original];
    size_t index = maps_find_lump(&job->original, map, "BLOCKMAP");
    bool found = index < map->end && job->original.lumps[index].size > 0 &&
                 wad_lump_is_whole(&job->original, index);
    return found ? index : SIZE_MAX;
}

// The lumps of a map as the stage gets them, for free: those that the builder
// has left, but for the blockmap from before, whose grid is that of demos.
static struct nbstage_lump *collect_lumps(const struct job *job,
                                          const struct map_place *place,
                                          size_t *count)
{
    struct nbstage_lump *lumps = maps_collect_lumps(&job->wad, place);
    *count = place->end - place->marker - 1;
    if (!lumps || !job->builder || takes_present_lists(job->arguments))
        return lumps;
    size_t original = find_original_blockmap(job, place);
    if (original == SIZE_MAX)
        return lumps;
    struct nbstage_lump *more = realloc(lumps, (*count + 1) * sizeof *lumps);
    if (!more) {
        free(lumps);
        return NULL;
    }
    size_t at =
        maps_find_lump(&job->wad, place, "BLOCKMAP") - place->marker - 1;
    if (at == *count) // the builder has left none
        (*count)++;
    more[at] = (struct nbstage_lump){
        .size = sizeof *more,
        .name = "BLOCKMAP",
        .data = job->original.bytes + job->original.lumps[original].position,
        .data_size = job->original.lumps[original].size,
        .compression = NBSTAGE_PLAIN,
    };
    return more;
}

// Lumps are kept until all are written, so they are not made without end.
static enum exit_status check_made_bytes(struct job *job, size_t bytes)
{
    job->made_bytes += bytes;
    if (job->made_bytes <= INT32_MAX)
        return STATUS_DONE;
    message_print("%s: the lumps of the first %zu maps have %llu bytes; a WAD "
                  "has at most %d",
                  job->arguments->input, job->current + 1,
                  (unsigned long long)job->made_bytes, INT32_MAX);
    return STATUS_FILE;
}

static enum exit_status call_stage(struct job *job, size_t index)
{
    const struct nbstage_descriptor *stage = job->stage.descriptor;
    struct map_build *build = &job->builds[index];
    struct map_report *report = &job->reports[index];
    size_t lump_count;
    struct nbstage_lump *lumps = collect_lumps(job, build->place, &lump_count);
    if (!lumps)
        return message_out_of_memory();
    struct nbstage_map map = {
        .size = sizeof map,
        .name = report->name,
        .lumps = lumps,
        .lump_count = lump_count,
    };
    job->current = index;
    double started = clock_now();
    nbstage_status built =
        stage->build(job->stage.instance, &map, &build->result);
    report->seconds = clock_now() - started;
    free(lumps);
    if (job->lost_warning)
        return message_out_of_memory();
    if (built == NBSTAGE_OK) {
        take_result(build, report);
        return check_made_bytes(job, report->bytes_after);
    }
    enum exit_status status =
        fail_map(job, index, stage->last_error(job->stage.instance));
    // Who cancels one map wants none, so nothing is to be written.
    return built == NBSTAGE_CANCELLED ? STATUS_MAP_FAILED : status;
}

static enum exit_status build_map(struct job *job, size_t index)
{
    char sentence[160];
    if (maps_is_whole(&job->wad, job->builds[index].place, sentence,
                      sizeof sentence))
        return call_stage(job, index);
    return fail_map(job, index, sentence);
}

static enum exit_status build_maps(struct job *job)
{
    bool table = !job->arguments->quiet && !job->arguments->json;
    if (table && job->builder)
        build_report_builder(job->builder->name, job->builder_seconds);
    if (table)
        build_report_heading();
    for (size_t i = 0; i < job->count; i++) {
        enum exit_status status = build_map(job, i);
        if (status != STATUS_DONE)
            return status;
        if (table)
            build_report_map(&job->reports[i]);
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

static enum exit_status select_maps(struct job *job)
{
    struct map_file file = {job->arguments->input, &job->wad, &job->maps};
    return maps_select(&file, 1, job->arguments->map_lists,
                       job->arguments->map_list_count);
}

// Has the builder do its work on the WAD.
static enum exit_status run_builder(struct job *job)
{
    struct built_file built = {0};
    job->original = job->wad;
    job->original_maps = job->maps;
    job->wad = (struct wad){0};
    job->maps = (struct map_places){0};
    enum exit_status status = job->builder->run(job->builder, &job->original,
                                                &job->original_maps, &built);
    job->wad = built.wad;
    job->wad.compressed = job->original.compressed;
    job->maps = built.maps;
    job->originals = built.originals;
    job->builder_seconds = built.seconds;
    return status == STATUS_DONE ? select_maps(job) : status;
}

static enum exit_status read_input(struct job *job)
{
    enum exit_status status =
        maps_read(job->arguments->input, &job->wad, &job->maps);
    if (status == STATUS_DONE)
        status = select_maps(job);
    if (status == STATUS_DONE && job->builder)
        status = run_builder(job);
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

static const char *target_of(const struct arguments *arguments)
{
    return arguments->in_place ? arguments->input : arguments->output;
}

static enum exit_status write_output(struct job *job)
{
    const struct arguments *arguments = job->arguments;
    const char *target = target_of(arguments);
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
        replacement.lock = &job->lock;
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
        .output = target_of(job->arguments),
        .stage = job->stage.descriptor,
        .builder = job->builder ? job->builder->command : NULL,
        .builder_seconds = job->builder_seconds,
        .maps = job->reports,
        .map_count = job->count,
        .written = written,
    };
    if (job->arguments->json)
        build_report_json(&report);
    else if (!job->arguments->quiet)
        build_report_total(&report);
}

static enum exit_status run_job(struct job *job, const struct nbstage *stage)
{
    const struct nbstage_host host = {
        .size = sizeof host,
        .context = job,
        .log = log_message,
        .progress = show_progress,
    };
    enum exit_status status =
        stage_create(stage, &host, job->arguments, &job->stage);
    if (status == STATUS_DONE)
        status = file_lock_take(&job->lock, job->arguments->input,
                                target_of(job->arguments));
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

// Ends the instance, which may still have something to say, and not of a map.
static void end_instance(struct job *job)
{
    const struct nbstage_descriptor *stage = job->stage.descriptor;
    job->current = job->count;
    for (size_t i = 0; i < job->count; i++)
        stage->free_result(job->stage.instance, &job->builds[i].result);
    nbstage_close(&job->stage);
}

static void free_job(struct job *job)
{
    end_instance(job);
    for (size_t i = 0; i < job->count; i++) {
        free(job->reports[i].error);
        sentences_free(&job->reports[i].warnings);
    }
    free(job->builds);
    free(job->reports);
    maps_free(&job->maps);
    wad_free(&job->wad);
    maps_free(&job->original_maps);
    wad_free(&job->original);
    free(job->originals);
}

enum exit_status build_run(const struct arguments *arguments,
                           const struct nbstage *stage,
                           const struct build_step *step)
{
    struct job job = {
        .arguments = arguments,
        .lock = NO_LOCK,
        .builder = step,
    };
    enum exit_status status = run_job(&job, stage);
    file_lock_release(&job.lock);
    free_job(&job);
    return status;
}
