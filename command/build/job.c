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

#include "build/job.h"

#include "build/builder.h"
#include "common/commands.h"
#include "common/stage.h"
#include "platform/system.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Messages

enum { SENTENCE_SIZE = 600 };

static void build_print_held(struct build *build, const char *ending)
{
    char line[MESSAGE_SIZE + 32];
    if (!build->held[0])
        return;
    snprintf(line, sizeof line, "%s%s", build->held, ending);
    build->held[0] = '\0';
    message_put(line);
}

// Holds each message back until the next one, so that the last one can come
// after the report, with what became of the file.
static void build_hold_message(void *context, const char *sentence)
{
    struct build *build = context;
    build_print_held(build, "");
    snprintf(build->held, sizeof build->held, "%s", sentence);
}

static void build_log(void *context, int32_t level, const char *said)
{
    struct build *build = context;
    char sentence[SENTENCE_SIZE];
    if (level != NBSTAGE_LOG_WARNING || build->presets)
        return;
    stage_type_options(build->stage.descriptor, said, sentence,
                       sizeof sentence);
    message_print("%s: %s", build->arguments->input, sentence);
    if (build->current && !sentences_add(&build->current->warnings, sentence))
        build->ran_out_of_memory = true;
}

// ---------------------------------------------------------------------------
// Maps

// Builds a map.  STATUS_DONE with a sentence if it fails; *is_told is true if
// it was the same for a map before.  Else the result is that of the stage.
static enum exit_status build_make_lump(struct build *build,
                                        struct budget *budget,
                                        struct build_map *map,
                                        char sentence[SENTENCE_SIZE],
                                        bool *is_told)
{
    struct nbstage *stage = &build->stage;
    const struct builder *builder = build->builder;
    struct nbstage_map given = {.size = sizeof given, .name = map->name};
    sentence[0] = '\0';
    stage->status = NBSTAGE_OK;
    map->made = NULL;
    map->facts = (struct stage_facts){0};
    if (!budget_admits(budget, &build->wad, map->place, sentence, is_told))
        return STATUS_DONE;
    struct nbstage_lump *lumps =
        maps_list_lumps(&build->wad, map->place, &given.lump_count);
    if (!lumps)
        return message_out_of_memory();
    if (builder)
        builder_take_old_blockmap(builder, map->place, lumps,
                                  &given.lump_count);
    given.lumps = lumps;
    build->current = map;
    const double began = system_now();
    map->made = nbstage_build(stage, &given);
    map->seconds = system_now() - began;
    build->current = NULL;
    free(lumps);
    if (!stage_keep_facts(stage, &map->facts))
        build->ran_out_of_memory = true;
    budget_take_facts(budget, &map->facts);
    if (build->ran_out_of_memory)
        return message_out_of_memory();
    if (!map->made)
        snprintf(sentence, SENTENCE_SIZE, "%s%s%s",
                 stage->status == NBSTAGE_OK ? map->name : "",
                 stage->status == NBSTAGE_OK ? ": " : "", stage->error);
    return STATUS_DONE;
}

// Keeps the result of a map, or reports that it failed: on standard error
// unless it has been told before.  Returns STATUS_DONE if the others are to be
// built.
static enum exit_status build_finish_map(struct build *build,
                                         struct build_map *map,
                                         const char *sentence, bool is_told)
{
    // About what a result takes in memory beside its lump.
    enum { RESULT_BYTES = 4096 };
    char text[SENTENCE_SIZE];
    if (map->made) {
        map->result = build->stage.result;
        build->stage.result = (struct nbstage_result){0};
        build->budget.used[BUDGET_BYTES] += map->made->data_size + RESULT_BYTES;
        return STATUS_DONE;
    }
    stage_type_options(build->stage.descriptor, sentence, text, sizeof text);
    map->error = strdup(text);
    if (!map->error)
        return message_out_of_memory();
    build->maps_status = STATUS_MAP_FAILED;
    if (build->builder)
        message_print("builder %s: the file that it wrote: %s",
                      build->builder->name, text);
    else if (!is_told)
        message_print("%s: %s", build->arguments->input, text);
    return build->builder ? STATUS_MAP_FAILED : STATUS_DONE;
}

static enum exit_status build_maps(struct build *build)
{
    char sentence[SENTENCE_SIZE];
    build_report_begin(build);
    for (size_t i = 0; i < build->map_count; i++) {
        struct build_map *map = &build->maps[i];
        bool is_told = false;
        enum exit_status status =
            build_make_lump(build, &build->budget, map, sentence, &is_told);
        if (status == STATUS_DONE)
            status = build_finish_map(build, map, sentence, is_told);
        if (status != STATUS_DONE)
            return status;
        build_print_held(build, "");
        build->finished_count++;
        build_report_map(build, map);
    }
    return STATUS_DONE;
}

// ---------------------------------------------------------------------------
// Input

static enum exit_status build_list_maps(struct build *build)
{
    const struct wad *wad = &build->wad;
    build->budget.file_size = wad->size;
    build->maps = calloc(wad->map_count, sizeof *build->maps);
    if (!build->maps)
        return message_out_of_memory();
    for (size_t i = 0; i < wad->map_count; i++) {
        const struct map_place *place = &wad->maps[i];
        if (!place->selected)
            continue;
        struct build_map *map = &build->maps[build->map_count++];
        map->place = place;
        map->name = wad->lumps[place->marker].name;
        map->result.size = sizeof map->result;
        map->blockmap = maps_find_lump(wad, place, "BLOCKMAP");
        map->has_blockmap = map->blockmap < place->end;
        if (map->has_blockmap)
            map->bytes_before = wad->lumps[map->blockmap].size;
        else
            map->blockmap = maps_blockmap_place(wad, place);
    }
    return STATUS_DONE;
}

// Creates the new file, so that a build which cannot be written is not begun.
static enum exit_status build_begin_output(struct build *build)
{
    const struct arguments *arguments = build->arguments;
    const bool compressed = arguments->in_place
                                ? build->wad.compressed
                                : file_name_ends(arguments->output, ".gz");
    // With --in-place there has to be a lock: without one, something else had
    // the name.
    const bool locked = arguments->in_place || build->lock.descriptor >= 0;
    enum exit_status status = replacement_begin(
        &build->replacement, arguments->output, compressed,
        arguments->output_is_new, locked ? &build->lock : NULL);
    return status == STATUS_DONE && arguments->backup
               ? replacement_check_backup(&build->replacement)
               : status;
}

static enum exit_status build_read_input(struct build *build)
{
    const struct arguments *arguments = build->arguments;
    struct builder *builder = build->builder;
    struct wad *wad = &build->wad;
    enum exit_status status =
        maps_read(arguments->input, build->lock.descriptor, wad);
    if (status == STATUS_DONE)
        status = maps_select(&wad, 1, arguments->map_lists,
                             arguments->map_list_count);
    if (status == STATUS_DONE && !arguments->dry_run)
        status = build_begin_output(build);
    if (status == STATUS_DONE && builder)
        status = builder_run(builder, wad);
    if (status == STATUS_DONE && builder)
        status = maps_select(&wad, 1, arguments->map_lists,
                             arguments->map_list_count);
    return status == STATUS_DONE ? build_list_maps(build) : status;
}

// ---------------------------------------------------------------------------
// Output

// Lists the lumps of the output: those of the input, with the new ones in the
// place of the old or, where there was none, inserted.  Returns how many.
static size_t build_list_entries(struct build *build, struct wad_entry *entries)
{
    struct build_map *next = build->maps;
    const struct build_map *end = next + build->map_count;
    size_t count = 0;
    for (size_t lump = 0; lump <= build->wad.lump_count; lump++) {
        bool is_kept = lump < build->wad.lump_count;
        if (next < end && lump == next->blockmap) {
            if (next->made) {
                entries[count++] = (struct wad_entry){
                    .source = NO_SOURCE,
                    .bytes = next->made->data,
                    .size = (uint32_t)next->made->data_size,
                };
                is_kept = is_kept && !next->has_blockmap;
            }
            next++;
        }
        if (is_kept)
            entries[count++] = (struct wad_entry){.source = (uint32_t)lump};
    }
    return count;
}

// Whether a map has none of the lumps for nodes.  Ports build those of UDMF
// maps themselves.
static bool build_lacks_nodes(const struct build *build,
                              const struct map_place *place)
{
    static const char *const names[] = {"SEGS", "SSECTORS", "NODES"};
    bool lacks = !place->udmf;
    for (size_t i = 0; i < sizeof names / sizeof *names && lacks; i++) {
        const size_t lump = maps_find_lump(&build->wad, place, names[i]);
        lacks = lump == place->end || build->wad.lumps[lump].size == 0;
    }
    return lacks;
}

// Says how many maps have no nodes yet; and what the others were played on that
// had no lump, if any got one, and how many have another grid now.
static void build_note_maps(const struct build *build)
{
    const char *input = build->arguments->input;
    size_t count = 0, moved = 0, without = 0;
    if (build->arguments->quiet)
        return;
    for (size_t i = 0; i < build->map_count; i++) {
        const struct build_map *map = &build->maps[i];
        const bool lacks_nodes = build_lacks_nodes(build, map->place);
        without += lacks_nodes;
        count += !lacks_nodes && map->bytes_before == 0 && map->made &&
                 map->made->data_size;
        moved += stage_number(&map->facts, "grid_moved") != 0;
    }
    if (without > 0)
        message_print("%s: %zu of %zu maps have no nodes; run a node builder "
                      "first, or --builder=zdbsp",
                      input, without, build->map_count);
    if (moved > 0)
        message_print("%s: %zu of %zu maps have another grid now, and demos "
                      "recorded on them may go out of sync",
                      input, moved, build->map_count);
    if (count > 0)
        message_print("%s: %zu of %zu maps had no blockmap: ports built these "
                      "themselves until now, and demos recorded on them may go "
                      "out of sync",
                      input, count, build->map_count);
}

static enum exit_status build_write(struct build *build)
{
    struct wad_entry *entries =
        calloc(build->wad.lump_count + build->map_count + 1, sizeof *entries);
    if (!entries)
        return message_out_of_memory();
    size_t count = build_list_entries(build, entries);
    enum exit_status status =
        wad_write(&build->wad, entries, count, &build->replacement.output);
    if (status == STATUS_DONE)
        status =
            replacement_commit(&build->replacement, build->arguments->backup);
    free(entries);
    build->written = status == STATUS_DONE;
    if (build->written)
        build_note_maps(build);
    return status;
}

// ---------------------------------------------------------------------------
// The dry run

// Adds up what a preset makes of all maps.
static enum exit_status build_try_preset(struct build *build,
                                         struct build_preset *preset)
{
    struct budget budget = {.file_size = build->wad.size};
    enum exit_status status = STATUS_DONE;
    build->stage.descriptor->set_option(build->stage.instance, "preset",
                                        preset->name);
    for (size_t i = 0; i < build->map_count && status == STATUS_DONE; i++) {
        struct build_map *map = &build->maps[i];
        const struct build_map built = *map;
        char sentence[SENTENCE_SIZE];
        bool is_told;
        status = build_make_lump(build, &budget, map, sentence, &is_told);
        preset->failed += *sentence != '\0';
        if (map->made) {
            preset->meeting_vanilla +=
                stage_number(&map->facts, "meets_vanilla") != 0;
            preset->meeting_extended +=
                stage_number(&map->facts, "meets_extended") != 0;
            preset->bytes += map->made->data_size;
            preset->empty += map->made->data_size == 0;
        }
        const long long missing = stage_number(&map->facts, "missing_solid");
        stage_free_facts(&map->facts);
        *map = built;
        if (missing > map->missing_solid)
            map->missing_solid = missing;
    }
    return status;
}

// Options that are set win over the presets, as always.
static enum exit_status build_try_presets(struct build *build)
{
    const struct nbstage_option *option =
        stage_find_option(build->stage.descriptor, "preset", strlen("preset"));
    enum exit_status status = STATUS_DONE;
    if (!option || (build->arguments->quiet && !build->arguments->json))
        return STATUS_DONE;
    build->presets = calloc(option->choice_count, sizeof *build->presets);
    if (!build->presets)
        return message_out_of_memory();
    for (size_t i = 0; i < option->choice_count && status == STATUS_DONE; i++) {
        struct build_preset *preset = &build->presets[i];
        preset->name = commands_choice(option, i)->name;
        status = build_try_preset(build, preset);
        build->preset_count += status == STATUS_DONE;
    }
    return status;
}

// ---------------------------------------------------------------------------
// The command

static void build_free(struct build *build)
{
    struct nbstage *stage = &build->stage;
    for (size_t i = 0; stage->instance && i < build->map_count; i++)
        stage->descriptor->free_result(stage->instance, &build->maps[i].result);
    nbstage_close(stage);
    for (size_t i = 0; i < build->map_count; i++) {
        free(build->maps[i].error);
        stage_free_facts(&build->maps[i].facts);
        sentences_free(&build->maps[i].warnings);
    }
    free(build->maps);
    free(build->presets);
    wad_free(&build->wad);
    replacement_abandon(&build->replacement);
    file_lock_release(&build->lock);
}

static enum exit_status build_file(const struct arguments *arguments,
                                   const struct nbstage *stage,
                                   struct builder *builder)
{
    struct build build = {
        .arguments = arguments,
        .builder = builder,
        .lock = NO_LOCK,
        .replacement = NO_REPLACEMENT,
    };
    const struct nbstage_host host = {
        .size = sizeof host,
        .context = &build,
        .log = build_log,
    };
    message_redirect(build_hold_message, &build);
    enum exit_status status =
        stage_create(stage, &host, arguments, &build.stage);
    if (status == STATUS_DONE && !arguments->dry_run)
        status =
            file_lock_take(&build.lock, arguments->input, arguments->output);
    if (status == STATUS_DONE)
        status = build_read_input(&build);
    if (status == STATUS_DONE)
        status = build_maps(&build);
    if (status == STATUS_DONE)
        status = arguments->dry_run ? build_try_presets(&build)
                                    : build_write(&build);
    if (status == STATUS_DONE)
        status = build.maps_status;
    const bool is_done =
        build.map_count > 0 && build.finished_count == build.map_count;
    if ((status == STATUS_FILE || !is_done) && build.held[0])
        build.error = build.held;
    if (is_done || arguments->file_count > 1)
        build_report_end(&build);
    // What standard output has got is not known.
    const bool is_open = build.written || arguments->dry_run ||
                         (is_done && file_is_standard(arguments->output));
    build_print_held(&build, is_open ? "" : "; nothing was written");
    build_free(&build);
    build_print_held(&build, "");
    message_redirect(NULL, NULL);
    return status;
}

enum exit_status build_run(const struct arguments *arguments,
                           const struct nbstage *stage)
{
    struct builder builder;
    if (!arguments->builder)
        return build_file(arguments, stage, NULL);
    enum exit_status status = builder_read(&builder, arguments);
    if (status == STATUS_DONE)
        status = build_file(arguments, stage, &builder);
    builder_free(&builder);
    return status;
}
