// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the WAD, passes each map to the stage, and writes the WAD anew with the
// lumps that the stage made.  A map that fails keeps its lumps.
//
// If a node builder works first, its WAD replaces the one that was read, but
// the stage still gets the old blockmaps: demos depend on their grids.  If a
// map then fails, nothing is written, because the output would not have that
// map as it was.
//
// Memory may run out at any point; then nothing is written, either.

#include "config.h"

#include "build/build.h"

#include "file/budget.h"
#include "file/replace-file.h"
#include "platform/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is known of a map besides its report.
struct map_build {
    const struct map_place *place;
    bool has_blockmap;
    size_t blockmap; // index of its BLOCKMAP lump, or of where one belongs
    struct nbstage_result result;
    const struct nbstage_lump *made; // the new BLOCKMAP; NULL if there is none
    struct nbstage_lump copy;        // of that, once the result was freed
    size_t entry;                    // index of its lump in the output
};

struct job {
    const struct arguments *arguments;
    struct nbstage stage; // with an instance of the job's own
    struct wad wad;       // the builder's output, if there is a builder

    struct file_lock lock; // on the input, if it is to be replaced

    const struct build_step *builder; // NULL if there is none
    struct wad original;              // the builder's input
    size_t *originals; // for each map, its index in original_maps
    unsigned char *original_blockmap; // of the map being built

    // The selected maps.
    struct map_build *builds;
    struct build_report report;
    size_t current; // the map being built
    struct budget budget;
    uint64_t made_bytes; // of all lumps so far
    bool ran_out_of_memory;
    bool is_muted;      // for what the presets would make
    bool maps_are_done; // whether all of them were built, or failed
    enum exit_status status;
};

// ---------------------------------------------------------------------------
// Callbacks

static void log_message(void *context, int32_t level, const char *sentence)
{
    struct job *job = context;
    if (level != NBSTAGE_LOG_WARNING || job->is_muted)
        return;
    message_print("%s: %s", job->arguments->input, sentence);
    if (job->current == job->report.map_count) // it is not about a map
        return;
    if (!sentences_add(&job->report.maps[job->current].warnings, sentence))
        job->ran_out_of_memory = true;
}

static int32_t show_progress(void *context, uint32_t done, uint32_t total)
{
    struct job *job = context;
    return build_report_progress(&job->report, job->current, done, total) ? 0
                                                                          : 1;
}

// ---------------------------------------------------------------------------
// Maps

// Reports that a map failed, on standard error unless it has been told before.
// Returns STATUS_DONE if the others are to be built.
static enum exit_status fail_map(struct job *job, size_t index,
                                 const char *sentence, bool is_told)
{
    char **error = &job->report.maps[index].error;
    *error = strdup(sentence);
    if (!*error)
        return message_out_of_memory();
    job->status = STATUS_MAP_FAILED;
    if (job->builder) {
        message_print("builder %s: the file that it wrote: %s",
                      job->builder->name, sentence);
        return STATUS_MAP_FAILED;
    }
    if (!is_told)
        message_print("%s: %s", job->arguments->input, sentence);
    return STATUS_DONE;
}

// Reports lumps outside the file that do not belong to a selected map.
static void report_cut_lumps(struct job *job)
{
    const struct map_build *next = job->builds;
    const struct map_build *end = next + job->report.map_count;
    for (size_t i = 0; i < job->wad.lump_count; i++) {
        if (wad_lump_is_whole(&job->wad, i))
            continue;
        while (next < end && next->place->end <= i)
            next++;
        if (next < end && i >= next->place->marker)
            continue;
        char sentence[WAD_FLAW_SIZE];
        wad_describe_cut_lump(&job->wad, i, NULL, sentence);
        message_print("%s: %s", job->arguments->input, sentence);
        job->status = STATUS_MAP_FAILED;
    }
}

// Whether the stage is to take its lists from the present lump, which numbers
// the linedefs of its own file.
static bool takes_present_lists(const struct arguments *arguments)
{
    bool takes = false;
    for (size_t i = 0; i < arguments->setting_count; i++)
        if (strcmp(arguments->settings[i].name, "lists") == 0)
            takes = strcmp(arguments->settings[i].value, "lump") == 0;
    return takes;
}

// The BLOCKMAP lump that a map had before the builder worked; NULL if it had
// none, or only an empty or incomplete one.
static const struct wad_lump *
find_original_blockmap(const struct job *job, const struct map_place *place)
{
    size_t original = job->originals[place - job->wad.maps];
    if (original == NO_MAP)
        return NULL;
    const struct map_place *map = &job->original.maps[original];
    size_t index = maps_find_lump(&job->original, map, "BLOCKMAP");
    bool found = index < map->end && job->original.lumps[index].size > 0 &&
                 wad_lump_is_whole(&job->original, index);
    return found ? &job->original.lumps[index] : NULL;
}

static size_t size_of_lump(const struct wad *wad, const struct map_place *map,
                           const char *name)
{
    size_t index = maps_find_lump(wad, map, name);
    return index < map->end ? wad->lumps[index].size : 0;
}

// How many bytes of the original blockmap are right for the builder's map: only
// those that tell the grid if it does not have as many linedefs as before, as
// their numbers are others then.
static size_t useful_size(const struct job *job, const struct map_place *place,
                          const struct wad_lump *blockmap)
{
    const unsigned char *bytes = job->original_blockmap;
    enum { CLASSIC_GRID = 8, XBM1_GRID = 24 };
    static const char *const lumps[] = {"LINEDEFS", "TEXTMAP"};
    const struct map_place *map =
        &job->original.maps[job->originals[place - job->wad.maps]];
    bool is_xbm1 = blockmap->size >= XBM1_GRID && memcmp(bytes, "XBM1", 4) == 0;
    size_t grid_size = is_xbm1 ? XBM1_GRID : CLASSIC_GRID;
    for (size_t i = 0; i < sizeof lumps / sizeof *lumps; i++)
        if (size_of_lump(&job->original, map, lumps[i]) !=
                size_of_lump(&job->wad, place, lumps[i]) &&
            blockmap->size > grid_size)
            return grid_size;
    return blockmap->size;
}

// Says why a file could not be read, or that memory ran out.
static enum exit_status cannot_read(const struct job *job, const char *flaw)
{
    if (!*flaw)
        return message_out_of_memory();
    message_print("%s: %s", job->arguments->input, flaw);
    return STATUS_FILE;
}

// Gives a map the blockmap that it had before the builder worked.
static enum exit_status take_original(struct job *job,
                                      const struct map_place *place,
                                      const struct wad_lump *original,
                                      struct nbstage_lump *lumps, size_t *count)
{
    char flaw[WAD_FLAW_SIZE];
    size_t index = 0;
    while (index < *count && strcmp(lumps[index].name, "BLOCKMAP") != 0)
        index++;
    if (index == *count) // the builder wrote none
        ++*count;
    unsigned char *bytes = realloc(job->original_blockmap, original->size);
    if (!bytes)
        return message_out_of_memory();
    job->original_blockmap = bytes;
    if (!wad_read_bytes(&job->original, original->position, bytes,
                        original->size, flaw))
        return cannot_read(job, flaw);
    lumps[index] = (struct nbstage_lump){
        .size = sizeof *lumps,
        .name = "BLOCKMAP",
        .data = bytes,
        .data_size = useful_size(job, place, original),
        .compression = NBSTAGE_PLAIN,
    };
    return STATUS_DONE;
}

// The lumps of a map for the stage, to be freed: the builder's, but with the
// original blockmap.
static enum exit_status collect_lumps(struct job *job,
                                      const struct map_place *place,
                                      struct nbstage_lump **lumps,
                                      size_t *count)
{
    char flaw[WAD_FLAW_SIZE];
    if (!maps_read_lumps(&job->wad, place, job->stage.descriptor,
                         job->stage.instance, lumps, count, flaw))
        return cannot_read(job, flaw);
    const struct wad_lump *original =
        job->builder && !takes_present_lists(job->arguments)
            ? find_original_blockmap(job, place)
            : NULL;
    return original ? take_original(job, place, original, *lumps, count)
                    : STATUS_DONE;
}

// Keeps a lump, which may be NULL, until all are written.
static enum exit_status keep_lump(struct job *job, size_t index,
                                  const struct nbstage_lump *lump)
{
    job->builds[index].made = lump;
    if (!lump)
        return STATUS_DONE;
    job->report.maps[index].bytes_after = lump->data_size;
    job->made_bytes += lump->data_size;
    budget_take(&job->budget, BUDGET_BYTES, lump->data_size);
    if (job->made_bytes <= INT32_MAX)
        return STATUS_DONE;
    message_print("%s: the lumps of the first %zu maps have %llu bytes; a WAD "
                  "has at most %d",
                  job->arguments->input, index + 1,
                  (unsigned long long)job->made_bytes, INT32_MAX);
    return STATUS_FILE;
}

// About what a result takes in memory beside its lump.
enum { RESULT_BYTES = 4096 };

// Takes the BLOCKMAP from the result of a map.
static enum exit_status take_result(struct job *job, size_t index)
{
    const struct nbstage_lump *lump =
        stage_find_blockmap(&job->builds[index].result);
    budget_take(&job->budget, BUDGET_BYTES, RESULT_BYTES);
    if (lump)
        return keep_lump(job, index, lump);
    char sentence[200];
    snprintf(sentence, sizeof sentence, "%s: the stage %s made no BLOCKMAP",
             job->report.maps[index].name, job->stage.descriptor->name);
    return fail_map(job, index, sentence, false);
}

// Builds a map with these lumps.
static enum exit_status build_lumps(struct job *job, size_t index,
                                    const struct nbstage_map *map)
{
    const struct nbstage_descriptor *stage = job->stage.descriptor;
    struct nbstage_result *result = &job->builds[index].result;
    double started = clock_now();
    job->current = index;
    nbstage_status built = stage->build(job->stage.instance, map, result);
    job->report.maps[index].seconds = clock_now() - started;
    const struct nbstage_fact *linedefs = stage_find_fact(result, "linedefs");
    job->report.maps[index].linedefs = linedefs ? linedefs->value : 0;
    budget_take_facts(&job->budget, result);
    if (job->ran_out_of_memory)
        return message_out_of_memory();
    if (built == NBSTAGE_OK)
        return take_result(job, index);
    enum exit_status status =
        fail_map(job, index, stage_find_error(&job->stage, built), false);
    // After a cancelled map nothing is written.
    return built == NBSTAGE_CANCELLED ? STATUS_MAP_FAILED : status;
}

static enum exit_status build_one_map(struct job *job, size_t index)
{
    const struct map_place *place = job->builds[index].place;
    struct nbstage_map map = {.size = sizeof map,
                              .name = job->report.maps[index].name};
    char sentence[WAD_FLAW_SIZE];
    bool is_told;
    if (!budget_admits(&job->budget, &job->wad, place, sentence, &is_told))
        return fail_map(job, index, sentence, is_told);
    struct nbstage_lump *lumps;
    enum exit_status status =
        collect_lumps(job, place, &lumps, &map.lump_count);
    map.lumps = lumps;
    if (status == STATUS_DONE)
        status = build_lumps(job, index, &map);
    free(lumps);
    return status;
}

// Frees all of a result but its lump, unless the report needs it.
static void free_facts(struct job *job, size_t index)
{
    struct map_build *build = &job->builds[index];
    bool is_needed = job->arguments->json || !build->made;
    void *bytes = is_needed ? NULL : malloc(build->made->data_size + 1);
    if (!bytes)
        return;
    build->copy = *build->made;
    if (build->copy.data_size > 0)
        memcpy(bytes, build->copy.data, build->copy.data_size);
    build->copy.data = bytes;
    build->made = &build->copy;
    job->stage.descriptor->free_result(job->stage.instance, &build->result);
    build->result = (struct nbstage_result){.size = sizeof build->result};
}

static enum exit_status build_maps(struct job *job)
{
    enum exit_status status = STATUS_DONE;
    build_report_begin(&job->report);
    for (size_t i = 0; i < job->report.map_count; i++) {
        status = build_one_map(job, i);
        if (status != STATUS_DONE)
            break;
        message_hold();
        job->report.finished_count++;
        build_report_map(&job->report, i);
        free_facts(job, i);
    }
    return status;
}

// ---------------------------------------------------------------------------
// Preparation

static enum exit_status prepare_maps(struct job *job)
{
    job->builds = calloc(job->wad.map_count, sizeof *job->builds);
    job->report.maps = calloc(job->wad.map_count, sizeof *job->report.maps);
    if (!job->builds || !job->report.maps)
        return message_out_of_memory();
    for (size_t i = 0; i < job->wad.map_count; i++) {
        const struct map_place *place = &job->wad.maps[i];
        if (!place->selected)
            continue;
        struct map_build *build = &job->builds[job->report.map_count];
        struct map_report *report = &job->report.maps[job->report.map_count++];
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
    struct wad *wad = &job->wad;
    return maps_select(&wad, 1, job->arguments->map_lists,
                       job->arguments->map_list_count);
}

// Replaces the WAD by the builder's, and keeps it as the original.
static enum exit_status start_builder(struct job *job)
{
    struct built_file built = {0};
    job->original = job->wad;
    job->wad = (struct wad){0};
    enum exit_status status =
        job->builder->run(job->builder, &job->original, &built);
    job->wad = built.wad;
    job->wad.path = job->original.path;
    job->wad.compressed = job->original.compressed;
    job->originals = built.originals;
    job->report.builder_seconds = built.seconds;
    return status == STATUS_DONE ? select_maps(job) : status;
}

static enum exit_status read_input(struct job *job)
{
    enum exit_status status =
        maps_read(job->arguments->input, job->lock.descriptor, &job->wad);
    if (status == STATUS_DONE)
        status = select_maps(job);
    if (status == STATUS_DONE && job->builder)
        status = start_builder(job);
    job->budget.file_size = job->wad.size;
    return status == STATUS_DONE ? prepare_maps(job) : status;
}

// ---------------------------------------------------------------------------
// Output

// Lists the lumps of the output: those of the input, with the new ones in the
// place of the old or, where there was none, inserted.  Returns how many.
static size_t list_entries(struct job *job, struct wad_entry *entries)
{
    struct map_build *next = job->builds;
    const struct map_build *end = next + job->report.map_count;
    size_t count = 0;
    for (size_t lump = 0; lump <= job->wad.lump_count; lump++) {
        bool is_kept = lump < job->wad.lump_count;
        if (next < end && lump == next->blockmap) {
            if (next->made) {
                next->entry = count;
                entries[count++] = (struct wad_entry){
                    .source = NO_SOURCE,
                    .bytes = next->made->data,
                    .size = (uint32_t)next->made->data_size,
                    .shares_with = NO_SOURCE,
                };
                is_kept = is_kept && !next->has_blockmap;
            }
            next++;
        }
        if (is_kept)
            entries[count++] = (struct wad_entry){.source = (uint32_t)lump,
                                                  .shares_with = NO_SOURCE};
    }
    return count;
}

// A lump that was replaced, and its entry.
struct replaced_lump {
    uint64_t place; // in the input: position and size
    size_t entry;
};

static int compare_replaced(const void *a, const void *b)
{
    const struct replaced_lump *left = a;
    const struct replaced_lump *right = b;
    if (left->place != right->place)
        return left->place < right->place ? -1 : 1;
    return (left->entry > right->entry) - (left->entry < right->entry);
}

static bool equal_bytes(const struct wad_entry *a, const struct wad_entry *b)
{
    return a->size == b->size && a->size > 0 &&
           memcmp(a->bytes, b->bytes, a->size) == 0;
}

// Lets entries share their bytes if the lumps that they replace shared theirs
// and the new ones are equal, too.
static enum exit_status share_bytes(const struct job *job,
                                    struct wad_entry *entries)
{
    struct replaced_lump *lumps =
        malloc((job->report.map_count + 1) * sizeof *lumps);
    size_t count = 0;
    if (!lumps)
        return message_out_of_memory();
    for (size_t i = 0; i < job->report.map_count; i++) {
        const struct map_build *build = &job->builds[i];
        if (!build->made || !build->has_blockmap)
            continue;
        const struct wad_lump *old = &job->wad.lumps[build->blockmap];
        lumps[count++] = (struct replaced_lump){
            (uint64_t)old->position << 32 | old->size, build->entry};
    }
    qsort(lumps, count, sizeof *lumps, compare_replaced);
    for (size_t i = 1, first = 0; i < count; i++) {
        struct wad_entry *entry = &entries[lumps[i].entry];
        if (lumps[i].place == lumps[first].place &&
            equal_bytes(entry, &entries[lumps[first].entry]))
            entry->shares_with = (uint32_t)lumps[first].entry;
        else
            first = i;
    }
    free(lumps);
    return STATUS_DONE;
}

static enum exit_status
write_entries(struct job *job, const struct wad_entry *entries, size_t count)
{
    const struct arguments *arguments = job->arguments;
    struct replacement replacement;
    bool compressed = arguments->in_place
                          ? job->wad.compressed
                          : file_name_ends(job->report.output, ".gz");
    // With --in-place there has to be a lock: without one, something else had
    // the name.
    bool locked = arguments->in_place || job->lock.descriptor >= 0;
    enum exit_status status =
        replacement_begin(&replacement, job->report.output, compressed,
                          locked ? &job->lock : NULL);
    if (status != STATUS_DONE)
        return status;
    status = wad_write(&job->wad, entries, count, &replacement.output);
    if (status == STATUS_DONE)
        return replacement_commit(&replacement, arguments->backup);
    replacement_abandon(&replacement);
    return status;
}

static enum exit_status write_output(struct job *job)
{
    struct wad_entry *entries = calloc(
        job->wad.lump_count + job->report.map_count + 1, sizeof *entries);
    if (!entries)
        return message_out_of_memory();
    size_t count = list_entries(job, entries);
    enum exit_status status = share_bytes(job, entries);
    if (status == STATUS_DONE)
        status = write_entries(job, entries, count);
    free(entries);
    return status;
}

// ---------------------------------------------------------------------------
// The dry run

static bool is_true(const struct nbstage_result *result, const char *name)
{
    const struct nbstage_fact *fact = stage_find_fact(result, name);
    return fact && fact->value != 0;
}

// Builds a map once more, as the options are now, and counts it.
static enum exit_status try_map(struct job *job, size_t index,
                                struct budget *budget,
                                struct preset_report *preset)
{
    const struct nbstage_descriptor *stage = job->stage.descriptor;
    const struct map_place *place = job->builds[index].place;
    struct nbstage_result result = {.size = sizeof result};
    struct nbstage_map map = {.size = sizeof map,
                              .name = job->report.maps[index].name};
    char sentence[WAD_FLAW_SIZE];
    bool is_told;
    preset->failed++;
    if (!budget_admits(budget, &job->wad, place, sentence, &is_told))
        return STATUS_DONE;
    struct nbstage_lump *lumps;
    enum exit_status status =
        collect_lumps(job, place, &lumps, &map.lump_count);
    map.lumps = lumps;
    job->current = index;
    if (status == STATUS_DONE &&
        stage->build(job->stage.instance, &map, &result) == NBSTAGE_OK) {
        preset->failed--;
        preset->meeting_vanilla += is_true(&result, "meets_vanilla");
        preset->meeting_extended += is_true(&result, "meets_extended");
    }
    const struct nbstage_lump *lump = stage_find_blockmap(&result);
    if (lump) {
        preset->bytes += lump->data_size;
        preset->empty += lump->data_size == 0;
    }
    budget_take_facts(budget, &result);
    stage->free_result(job->stage.instance, &result);
    free(lumps);
    return status;
}

// Adds up what a preset makes of all maps.
static enum exit_status try_preset(struct job *job,
                                   struct preset_report *preset)
{
    const struct nbstage_descriptor *stage = job->stage.descriptor;
    struct budget budget = {.file_size = job->wad.size};
    enum exit_status status = STATUS_DONE;
    stage->set_option(job->stage.instance, "preset", preset->name);
    for (size_t i = 0; i < job->report.map_count && status == STATUS_DONE; i++)
        status = try_map(job, i, &budget, preset);
    return status;
}

// Options that are set win over the presets, as always.
static enum exit_status try_presets(struct job *job)
{
    const struct nbstage_option *option =
        stage_find_option(job->stage.descriptor, "preset");
    if (!option)
        return STATUS_DONE;
    job->report.presets =
        calloc(option->choice_count, sizeof *job->report.presets);
    if (!job->report.presets)
        return message_out_of_memory();
    job->is_muted = true;
    for (size_t i = 0; i < option->choice_count; i++) {
        struct preset_report *preset = &job->report.presets[i];
        preset->name =
            NBSTAGE_AT(struct nbstage_choice, option->choices, i)->name;
        enum exit_status status = try_preset(job, preset);
        if (status != STATUS_DONE)
            return status;
        job->report.preset_count++;
    }
    return STATUS_DONE;
}

// ---------------------------------------------------------------------------
// The command

// Says what maps were played on that had no lump, if any got one.
static void note_first_lumps(const struct job *job)
{
    size_t count = 0;
    for (size_t i = 0; i < job->report.map_count; i++)
        count += job->report.maps[i].bytes_before == 0 &&
                 job->report.maps[i].bytes_after > 0;
    if (count > 0 && !job->arguments->quiet)
        message_print("%s: %zu of %zu maps had no blockmap: ports built these "
                      "themselves until now, and demos recorded on them may go "
                      "out of sync",
                      job->arguments->input, count, job->report.map_count);
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
    if (status == STATUS_DONE && !job->arguments->dry_run)
        status = file_lock_take(&job->lock, job->arguments->input,
                                job->report.output);
    if (status == STATUS_DONE)
        status = read_input(job);
    if (status != STATUS_DONE)
        return status;
    report_cut_lumps(job);
    status = build_maps(job);
    if (status != STATUS_DONE)
        return status;
    job->maps_are_done = true;
    if (job->arguments->dry_run) {
        if (!job->arguments->quiet || job->arguments->json)
            status = try_presets(job);
        return status == STATUS_DONE ? job->status : status;
    }
    status = write_output(job);
    job->report.written = status == STATUS_DONE;
    if (job->report.written)
        note_first_lumps(job);
    return status == STATUS_DONE ? job->status : status;
}

// Ending the instance may still log a message, which is not about a map.
static void free_job(struct job *job)
{
    size_t count = job->report.map_count;
    job->current = count;
    for (size_t i = 0; i < count; i++)
        job->stage.descriptor->free_result(job->stage.instance,
                                           &job->builds[i].result);
    nbstage_close(&job->stage);
    for (size_t i = 0; i < count; i++) {
        free(job->report.maps[i].error);
        sentences_free(&job->report.maps[i].warnings);
        free((void *)job->builds[i].copy.data);
    }
    free(job->builds);
    free(job->report.maps);
    free(job->report.presets);
    wad_free(&job->wad);
    wad_free(&job->original);
    free(job->originals);
    free(job->original_blockmap);
    file_lock_release(&job->lock);
}

enum exit_status build_run(const struct arguments *arguments,
                           const struct nbstage *stage,
                           const struct build_step *step)
{
    struct job job = {
        .arguments = arguments,
        .lock = NO_LOCK,
        .builder = step,
        .report =
            {
                .arguments = arguments,
                .output =
                    arguments->in_place ? arguments->input : arguments->output,
                .stage = &job.stage,
                .builder = step,
            },
    };
    message_hold();
    enum exit_status status = run_job(&job, stage);
    if (status == STATUS_FILE || !job.maps_are_done)
        job.report.error = message_held();
    if (job.maps_are_done || arguments->file_count > 1)
        build_report_end(&job.report);
    // What standard output has got is not known.
    bool is_open = job.report.written || arguments->dry_run ||
                   (job.maps_are_done && file_is_standard(job.report.output));
    message_let_go(is_open ? "" : "; nothing was written");
    free_job(&job);
    return status;
}
