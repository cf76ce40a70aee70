// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the WAD, passes each map to the stage, and writes a WAD with the new
// lumps.  A map that fails keeps its lumps.
//
// If a node builder runs first, its WAD replaces the input, but the stage still
// gets the old blockmaps: demos depend on their grids.  If a map then fails,
// nothing is written, as its old lumps are gone.
//
// If memory runs out, nothing is written, either; nor is a file replaced by one
// with the same lumps.

#include "config.h"

#include "build/job.h"

#include "base/macros.h"
#include "build/builder.h"
#include "build/demos.h"
#include "common/arguments.h"
#include "common/message.h"
#include "common/stage.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "platform/file.h"
#include "platform/status.h"
#include "platform/system.h"
#include "wad/extents.h"
#include "wad/maps.h"
#include "wad/placement.h"
#include "wad/replacement.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Messages

enum { SENTENCE_SIZE = 1100 }; // the map, and an error of the kit

static void job_print_held(struct job *job, const char *ending)
{
    char line[MESSAGE_SIZE + 32];
    if (!job->held[0])
        return;
    snprintf(line, sizeof line, "%s%s", job->held, ending);
    job->held[0] = '\0';
    message_put(line);
}

// Delays each message until the next one, so that the last message can follow
// the report and can end in "nothing was written".
static void job_hold_message(void *context, const char *sentence)
{
    struct job *job = context;
    job_print_held(job, "");
    snprintf(job->held, sizeof job->held, "%s", sentence);
}

// Types the options of a sentence.  Its hint is made for one map of several.
static void job_type(const struct job *job, const char *map, const char *said,
                     char sentence[SENTENCE_SIZE])
{
    stage_type_options(job->stage.descriptor, said, sentence, SENTENCE_SIZE);
    const size_t used = strlen(sentence);
    if (map && job->map_count > 1 && strstr(sentence, "add --"))
        snprintf(sentence + used, SENTENCE_SIZE - used,
                 "; with --map=%s no other map changes", map);
}

static void NBSTAGE_CALL job_log(void *context, int32_t level, const char *said)
{
    struct job *job = context;
    char sentence[SENTENCE_SIZE];
    if (level != NBSTAGE_LOG_WARNING || job->presets)
        return;
    job_type(job, job->current ? job->current->name : NULL, said, sentence);
    message_print("%s: %s", job->arguments->input, sentence);
    if (job->current && !sentences_add(&job->current->warnings, sentence))
        job->ran_out_of_memory = true;
}

// ---------------------------------------------------------------------------
// Maps

// Whether the output is the file that was read.
static bool job_replaces_input(const struct job *job)
{
    return !job->arguments->dry_run &&
           (job->arguments->in_place || job->lock.descriptor >= 0);
}

// Returns a copy for free(), or NULL if memory runs out.  A lump of a WAD has
// less than 2 GiB.
static struct nbstage_lump *job_copy_lump(const struct nbstage_lump *lump)
{
    if (lump->data_size > INT32_MAX)
        return NULL;
    struct nbstage_lump *copy = malloc(sizeof *copy + lump->data_size);
    if (!copy)
        return NULL;
    *copy = (struct nbstage_lump){
        .name = "BLOCKMAP", .data = copy + 1, .data_size = lump->data_size};
    if (lump->data_size > 0)
        memcpy(copy + 1, lump->data, lump->data_size);
    return copy;
}

// Warns about a BLOCKMAP behind a map, which the output keeps.
static enum exit_status job_warn_of_spare(const struct job *job,
                                          struct job_map *map)
{
    char sentence[SENTENCE_SIZE];
    const size_t spare = maps_spare_blockmap(&job->wad, map->place);
    if (job->builder || spare == NO_LUMP)
        return STATUS_DONE;
    snprintf(sentence, sizeof sentence,
             "%s: lump %zu is a second BLOCKMAP, which no port takes; it is "
             "kept",
             map->name, spare);
    message_print("%s: %s", job->arguments->input, sentence);
    return sentences_add(&map->warnings, sentence) ? STATUS_DONE
                                                   : message_out_of_memory();
}

// Whether games find the lump of a map.  If not, stores a sentence.
static bool job_is_placed(struct job *job, const struct job_map *map,
                          char sentence[SENTENCE_SIZE])
{
    const struct placement placement = {.wad = &job->wad,
                                        .map = map->place,
                                        .blockmap = map->blockmap,
                                        .is_new = !map->has_blockmap,
                                        .engines = job->engines};
    char text[PLACEMENT_TEXT];
    if (placement_is_right(&placement, text))
        return true;
    if (!job->builder)
        placement_add_hint(&job->trial, &job->wad, &placement, text);
    snprintf(sentence, SENTENCE_SIZE, "%s: %s", map->name, text);
    return false;
}

// Notes what changes if the map gets the lump that was made in place of the
// old.
static void job_compare(struct job *job, const struct builder_old *old,
                        struct job_map *map)
{
    const struct stage_fact *header = stage_find_fact(&map->facts, "header");
    if (map->made &&
        !demos_compare(
            &old->lump, old->has_lists, map->made, header ? header->text : NULL,
            (size_t)stage_number(&map->facts, "linedefs"), &map->found))
        job->ran_out_of_memory = true;
}

// Builds a map.  On failure stores a sentence and returns STATUS_DONE; *is_told
// is true if the sentence was printed for another map.
static enum exit_status job_make_lump(struct job *job, struct job_map *map,
                                      char sentence[SENTENCE_SIZE],
                                      bool *is_told)
{
    struct nbstage *stage = &job->stage;
    const struct builder *builder = job->builder;
    struct nbstage_map given = {.size = sizeof given, .name = map->name};
    sentence[0] = '\0';
    if (!budget_admits(&job->budget, &job->wad, map->place, sentence,
                       is_told) ||
        !job_is_placed(job, map, sentence))
        return STATUS_DONE;
    struct nbstage_lump *lumps =
        maps_read_lumps(&job->wad, map->place, &given.lump_count, sentence);
    if (!lumps && !*sentence)
        return message_out_of_memory();
    if (!lumps) {
        wad_print(&job->wad, sentence);
        return STATUS_FILE;
    }
    struct builder_old old = {.lump = {.name = "BLOCKMAP"}, .has_lists = true};
    if (builder) {
        old = builder_take_old_blockmap(builder, map->place, lumps,
                                        &given.lump_count);
        map->bytes_before = old.lump.data_size;
    }
    for (size_t i = 0; !builder && i < given.lump_count; i++)
        if (strcmp(lumps[i].name, "BLOCKMAP") == 0) // the last one
            old.lump = lumps[i];
    given.lumps = lumps;
    job->current = map;
    const double began = system_now();
    const struct nbstage_lump *made;
    const bool is_made = nbstage_build(stage, &given, &made);
    map->seconds = system_now() - began;
    job->current = NULL;
    if (is_made)
        map->made = job_copy_lump(made);
    if (is_made && !map->made)
        job->ran_out_of_memory = true;
    if (!stage_keep_facts(stage, &map->facts))
        job->ran_out_of_memory = true;
    job_compare(job, &old, map);
    free(lumps);
    budget_take_facts(&job->budget, &map->facts);
    if (job->ran_out_of_memory)
        return message_out_of_memory();
    if (!is_made)
        snprintf(sentence, SENTENCE_SIZE, "%s%s%s",
                 stage->status == NBSTAGE_OK ? map->name : "",
                 stage->status == NBSTAGE_OK ? ": " : "", stage->error);
    return STATUS_DONE;
}

// Stores the error of a map, and prints it unless it was printed before.  A
// failure in a builder's output ends the job.
static enum exit_status job_fail_map(struct job *job, struct job_map *map,
                                     const char *sentence, bool is_told)
{
    char text[SENTENCE_SIZE];
    job_type(job, map->name, sentence, text);
    map->error = strdup(text);
    if (!map->error)
        return message_out_of_memory();
    job->maps_status = STATUS_MAP_FAILED;
    if (job->builder) {
        message_print("builder %s: the file that it wrote: %s",
                      job->builder->name, text);
        return STATUS_MAP_FAILED;
    }
    if (!is_told)
        message_print("%s: %s", job->arguments->input, text);
    return STATUS_DONE;
}

static enum exit_status job_make_maps(struct job *job)
{
    enum { FACTS_BYTES = 4096 }; // more than the facts of a map take
    char sentence[SENTENCE_SIZE];
    build_report_begin(job);
    for (size_t i = 0; i < job->map_count; i++) {
        struct job_map *map = &job->maps[i];
        bool is_told = false;
        NEED_DONE(job_warn_of_spare(job, map));
        NEED_DONE(job_make_lump(job, map, sentence, &is_told));
        if (map->made)
            job->budget.used[BUDGET_BYTES] +=
                map->made->data_size + FACTS_BYTES;
        else
            NEED_DONE(job_fail_map(job, map, sentence, is_told));
        job->finished_count++;
        job->made_count += map->made != NULL;
        const bool is_vain = job->finished_count == job->map_count &&
                             job->made_count == 0 && job_replaces_input(job);
        job_print_held(job, is_vain ? "; nothing was written" : "");
        build_report_map(job, map);
    }
    return STATUS_DONE;
}

// ---------------------------------------------------------------------------
// Input

static enum exit_status job_list_maps(struct job *job)
{
    const struct wad *wad = &job->wad;
    budget_begin(&job->budget, wad);
    job->maps = calloc(wad->map_count, sizeof *job->maps);
    if (!job->maps)
        return message_out_of_memory();
    for (size_t i = 0; i < wad->map_count; i++) {
        const struct map_place *place = &wad->maps[i];
        if (!place->selected)
            continue;
        struct job_map *map = &job->maps[job->map_count++];
        map->place = place;
        map->name = wad->lumps[place->marker].name;
        map->blockmap = maps_present_blockmap(wad, place);
        map->has_blockmap = map->blockmap < place->end;
        if (map->has_blockmap)
            map->bytes_before = wad->lumps[map->blockmap].size;
        else
            map->blockmap = maps_blockmap_place(wad, place);
    }
    return STATUS_DONE;
}

static bool job_compresses(const struct job *job)
{
    return job->arguments->in_place
               ? job->wad.packed_size > 0
               : file_name_ends(job->arguments->output, ".gz");
}

// Creates the new file before the build, which may take long.
static enum exit_status job_begin_output(struct job *job)
{
    const struct arguments *arguments = job->arguments;
    // --in-place always passes the lock: if none was taken, the file was
    // replaced meanwhile.
    const bool locked = arguments->in_place || job->lock.descriptor >= 0;
    NEED_DONE(replacement_begin(&job->replacement, arguments->output,
                                job_compresses(job), arguments->output_is_new,
                                locked ? &job->lock : NULL));
    return arguments->backup ? replacement_check_backup(&job->replacement)
                             : STATUS_DONE;
}

static enum exit_status job_select_maps(struct job *job)
{
    struct wad *wad = &job->wad;
    return maps_select(&wad, 1, job->arguments->map_lists,
                       job->arguments->map_list_count);
}

static enum exit_status job_read_input(struct job *job)
{
    const struct arguments *arguments = job->arguments;
    NEED_DONE(maps_read(arguments->input, job->lock.descriptor, &job->wad));
    NEED_DONE(job_select_maps(job));
    if (!arguments->dry_run)
        NEED_DONE(job_begin_output(job));
    if (job->builder) {
        NEED_DONE(builder_run(job->builder, &job->wad));
        NEED_DONE(job_select_maps(job));
    }
    return job_list_maps(job);
}

// ---------------------------------------------------------------------------
// Output

// Lists the lumps of the output: the lumps of the input, with the old blockmaps
// replaced and missing ones inserted.  A builder that put the lumps of a map in
// place may have left the old blockmap behind; it is dropped.  Returns the
// number of lumps.
static size_t job_list_entries(struct job *job, struct wad_entry *entries)
{
    struct job_map *next = job->maps;
    const struct job_map *end = next + job->map_count;
    size_t count = 0, spare = NO_LUMP;
    for (size_t lump = 0; lump <= job->wad.lump_count; lump++) {
        bool is_kept = lump < job->wad.lump_count && lump != spare;
        if (next < end && lump == next->blockmap) {
            if (next->made) {
                entries[count++] = (struct wad_entry){
                    .source = NO_SOURCE,
                    .replaced = next->has_blockmap ? (uint32_t)lump : NO_SOURCE,
                    .bytes = next->made->data,
                    .size = (uint32_t)next->made->data_size,
                };
                is_kept = is_kept && !next->has_blockmap;
                if (job->builder)
                    spare = maps_spare_blockmap(&job->wad, next->place);
            }
            next++;
        }
        if (is_kept)
            entries[count++] = (struct wad_entry){.source = (uint32_t)lump};
    }
    return count;
}

// Whether a map has none of the lumps for nodes.  Ports build the nodes of UDMF
// maps themselves, so these do not count.
static bool job_lacks_nodes(const struct wad *wad,
                            const struct map_place *place)
{
    static const char *const names[] = {"SEGS", "SSECTORS", "NODES"};
    if (place->udmf)
        return false;
    for (size_t i = 0; i < COUNT(names); i++) {
        const size_t lump = maps_find_lump(wad, place, names[i]);
        if (lump < place->end && wad->lumps[lump].size > 0)
            return false;
    }
    return true;
}

// Says once for the file in how many maps something changed that demos depend
// on.
static void job_note_demos(const struct job *job)
{
    static const char *const names[DEMOS_CHANGES] = {
        [DEMOS_GRID] = "a different grid",
        [DEMOS_HEADERS] = "different headers of lists",
        [DEMOS_ORDER] = "a different order in lists",
        [DEMOS_FEWER] = "fewer linedefs in lists",
        [DEMOS_MORE] = "more linedefs in lists",
        [DEMOS_EMPTY] = "an empty or XBM1 blockmap",
        [DEMOS_FIRST] = "a blockmap where ports had none or built their own",
    };
    char text[512] = "";
    for (size_t c = 0; c < DEMOS_CHANGES; c++) {
        const size_t used = strlen(text);
        size_t count = 0;
        for (size_t i = 0; i < job->map_count; i++)
            count += job->maps[i].found.changes >> c & 1 &&
                     !(c == DEMOS_FIRST && job->maps[i].lacks_nodes);
        if (count > 0 && used == 0)
            snprintf(text, sizeof text, "%s in %zu of %zu maps", names[c],
                     count, job->map_count);
        else if (count > 0)
            snprintf(text + used, sizeof text - used, ", %s in %zu", names[c],
                     count);
    }
    if (*text)
        message_print("%s: demos recorded on these maps may go out of sync: %s",
                      job->arguments->input, text);
}

// Notes how many maps have no nodes, and what changed for demos.  A map without
// nodes could not be played, so it has no demos.
static void job_note_maps(struct job *job)
{
    const struct builder *builder = job->builder;
    size_t without_nodes = 0;
    if (builder && builder->unbuilt_count > 0)
        message_print("builder %s: %zu of %zu maps have no new nodes, as if it "
                      "did not find them: %s",
                      builder->name, builder->unbuilt_count, job->wad.map_count,
                      builder->unbuilt);
    if (job->arguments->quiet)
        return;
    for (size_t i = 0; i < job->map_count; i++) {
        struct job_map *map = &job->maps[i];
        if (map->error || !job_lacks_nodes(&job->wad, map->place))
            continue;
        without_nodes++;
        map->lacks_nodes = true;
    }
    if (without_nodes > 0 && !builder)
        message_print("%s: %zu of %zu maps have no nodes; run a node builder "
                      "first",
                      job->arguments->input, without_nodes, job->map_count);
    job_note_demos(job);
}

// Says how many bytes that are in no lump a builder dropped.
static enum exit_status job_note_loose(const struct job *job)
{
    uint64_t before = 0, after = 0;
    if (!job->builder)
        return STATUS_DONE;
    if (!extents_count_loose(&job->builder->input, &before) ||
        !extents_count_loose(&job->wad, &after))
        return message_out_of_memory();
    if (before > after)
        message_print("%s: builder %s dropped %llu bytes that are in no lump",
                      job->arguments->input, job->builder->name,
                      (unsigned long long)(before - after));
    return STATUS_DONE;
}

// Whether the file that would be replaced has all this already.  A builder's
// output is compared with what the builder got.
static bool job_changes_nothing(const struct job *job,
                                const struct wad_entry *entries, size_t count)
{
    const struct wad *old = job->builder ? &job->builder->input : &job->wad;
    return job_replaces_input(job) &&
           job_compresses(job) == (job->wad.packed_size > 0) &&
           wad_has_entries(old, &job->wad, entries, count);
}

static enum exit_status job_write_entries(struct job *job,
                                          struct wad_entry *entries)
{
    const size_t count = job_list_entries(job, entries);
    job->unchanged = job_changes_nothing(job, entries, count);
    if (job->unchanged)
        return wad_check_unchanged(&job->wad);
    // What was written to standard output cannot be taken back.
    if (file_is_standard(job->arguments->output))
        NEED_DONE(wad_get_all(&job->wad));
    NEED_DONE(job_note_loose(job));
    NEED_DONE(wad_write(&job->wad, entries, count, &job->replacement.output));
    return replacement_commit(&job->replacement, job->arguments->backup);
}

static enum exit_status job_write(struct job *job)
{
    struct wad_entry *entries =
        calloc(job->wad.lump_count + job->map_count + 1, sizeof *entries);
    if (!entries)
        return message_out_of_memory();
    const enum exit_status status = job_write_entries(job, entries);
    free(entries);
    if (status != STATUS_DONE)
        return status;
    job->written = !job->unchanged;
    job_note_maps(job);
    return STATUS_DONE;
}

// ---------------------------------------------------------------------------
// The dry run

// Counts a lump that the map keeps, and one that every game reads right: it has
// a 0 before each list, meets the limit of Doom 1.9, lacks nothing solid, and
// no line is so far away that shots pass it.
static void job_add_fit(struct job_preset *preset, const struct job_map *tried)
{
    enum { FARTHEST = 30720 }; // map units; see blocksweep-stage(7), grid
    const bool is_kept = stage_number(&tried->facts, "kept") != 0;
    const long long solid = stage_number(&tried->facts, "missing_solid");
    const long long harmless = stage_number(&tried->facts, "missing_harmless");
    preset->everywhere += stage_number(&tried->facts, "meets_vanilla") != 0 &&
                          demos_has_zeros(tried->made) &&
                          !(is_kept && solid > 0) &&
                          stage_number(&tried->facts, "distance") <= FARTHEST;
    if (!is_kept)
        return;
    preset->kept++;
    preset->lacking += (size_t)(solid + harmless);
}

// Sorts presets as mappers choose: those that keep most demos, then those whose
// lumps run everywhere, then the smallest.
static int job_compare_presets(const void *a, const void *b)
{
    const struct job_preset *left = a, *right = b;
    if (left->failed != right->failed)
        return left->failed < right->failed ? -1 : 1;
    if (left->keeping_demos != right->keeping_demos)
        return left->keeping_demos > right->keeping_demos ? -1 : 1;
    if (left->everywhere != right->everywhere)
        return left->everywhere > right->everywhere ? -1 : 1;
    return (left->bytes > right->bytes) - (left->bytes < right->bytes);
}

// Adds the lump that a preset makes of a map, which is left unchanged.
static enum exit_status job_try_map(struct job *job, struct job_map *map,
                                    struct job_preset *preset)
{
    struct job_map tried = {.name = map->name,
                            .place = map->place,
                            .blockmap = map->blockmap,
                            .has_blockmap = map->has_blockmap};
    char sentence[SENTENCE_SIZE];
    bool is_told;
    const bool was_told = job->budget.is_told;
    const enum exit_status status =
        job_make_lump(job, &tried, sentence, &is_told);
    if (job->budget.is_told && !was_told)
        message_print("%s: not all presets were tried on all maps: %s",
                      job->arguments->input, sentence);
    const long long missing = stage_number(&tried.facts, "missing_solid");
    if (missing > map->missing_solid)
        map->missing_solid = missing;
    preset->failed += *sentence != '\0';
    if (tried.made) {
        preset->meeting_vanilla +=
            stage_number(&tried.facts, "meets_vanilla") != 0;
        preset->meeting_extended +=
            stage_number(&tried.facts, "meets_extended") != 0;
        preset->bytes += tried.made->data_size;
        preset->empty += tried.made->data_size == 0;
        preset->keeping_demos += tried.found.changes == 0;
        job_add_fit(preset, &tried);
    }
    stage_free_facts(&tried.facts);
    free(tried.made);
    return status;
}

// Builds all maps with a preset.  Options that are set override the preset's.
// All presets share the steps that the file may take.
static enum exit_status job_try_preset(struct job *job,
                                       struct job_preset *preset)
{
    budget_rewind(&job->budget);
    job->stage.descriptor->set_option(job->stage.instance, "preset",
                                      preset->name, NBSTAGE_BY_USER);
    for (size_t i = 0; i < job->map_count; i++)
        NEED_DONE(job_try_map(job, &job->maps[i], preset));
    return STATUS_DONE;
}

static enum exit_status job_try_presets(struct job *job)
{
    const struct nbstage_option *option =
        stage_find_option(job->stage.descriptor, "preset", strlen("preset"));
    if (!option || (job->arguments->quiet && !job->arguments->json))
        return STATUS_DONE;
    job->presets = calloc(option->choice_count, sizeof *job->presets);
    if (!job->presets)
        return message_out_of_memory();
    for (size_t i = 0; i < option->choice_count; i++) {
        struct job_preset *preset = &job->presets[i];
        preset->name = option->choices[i].name;
        NEED_DONE(job_try_preset(job, preset));
        job->preset_count++;
    }
    qsort(job->presets, job->preset_count, sizeof *job->presets,
          job_compare_presets);
    return STATUS_DONE;
}

// ---------------------------------------------------------------------------
// The command

static void job_free(struct job *job)
{
    // The kit would warn that the stage was not used if the job ended before.
    job->stage.host.log = stage_ignore_log;
    nbstage_close(&job->stage);
    for (size_t i = 0; i < job->map_count; i++) {
        free(job->maps[i].error);
        free(job->maps[i].made);
        stage_free_facts(&job->maps[i].facts);
        sentences_free(&job->maps[i].warnings);
    }
    free(job->maps);
    free(job->presets);
    placement_free_trial(&job->trial);
    wad_free(&job->wad);
    replacement_abandon(&job->replacement);
    file_lock_release(&job->lock);
}

static enum exit_status job_do(struct job *job)
{
    const struct arguments *arguments = job->arguments;
    NEED_DONE(stage_open(&job->stage, arguments));
    if (!arguments->dry_run)
        NEED_DONE(
            replacement_lock(&job->lock, arguments->input, arguments->output));
    NEED_DONE(job_read_input(job));
    NEED_DONE(job_make_maps(job));
    NEED_DONE(arguments->dry_run ? job_try_presets(job) : job_write(job));
    return job->maps_status;
}

static enum exit_status job_do_and_report(const struct arguments *arguments,
                                          const struct nbstage *stage,
                                          struct builder *builder)
{
    struct job job = {
        .arguments = arguments,
        .stage = {.host = {.context = &job, .log = job_log},
                  .describe = stage->describe},
        .builder = builder,
        .engines = placement_find_engines(arguments),
        .lock = NO_LOCK,
        .replacement = NO_REPLACEMENT,
    };
    message_redirect(job_hold_message, &job);
    const enum exit_status status = job_do(&job);
    const bool is_done =
        job.map_count > 0 && job.finished_count == job.map_count;
    if ((status == STATUS_FILE || !is_done) && job.held[0])
        job.error = job.held;
    if (is_done || arguments->file_count > 1)
        build_report_end(&job);
    // Standard output may have been partly written.
    const bool may_be_written =
        job.written || arguments->dry_run || status == STATUS_DONE ||
        (is_done && file_is_standard(arguments->output));
    job_print_held(&job, may_be_written ? "" : "; nothing was written");
    job_free(&job);
    job_print_held(&job, "");
    message_redirect(NULL, NULL);
    return status;
}

enum exit_status job_run(const struct arguments *arguments,
                         const struct nbstage *stage)
{
    struct builder builder;
    if (!arguments->builder)
        return job_do_and_report(arguments, stage, NULL);
    enum exit_status status = builder_read(&builder, arguments);
    if (status == STATUS_DONE)
        status = job_do_and_report(arguments, stage, &builder);
    builder_free(&builder);
    return status;
}
