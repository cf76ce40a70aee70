// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads each map once: its lines, which of them are pruned, its blockmap, and
// the expected lists.

#include "config.h"

#include "inspect/inspect.h"

#include "arena.h"
#include "base/context.h"
#include "check/judge.h"
#include "common/arguments.h"
#include "common/message.h"
#include "common/stage.h"
#include "inspect/memory.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "map/map.h"
#include "nbstage.h"
#include "options.h"
#include "platform/status.h"
#include "prune/prune.h"
#include "request.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN_LINES = 1 << 16 }; // the linedef count if it is unknown

const struct nbstage_descriptor inspect_options = {
    .size = sizeof inspect_options,
    .name = PACKAGE_NAME,
    .version = PACKAGE_VERSION,
    .options = options_list,
};

// ---------------------------------------------------------------------------
// Files

static void inspect_warn(const struct inspect_file *file,
                         struct sentences *warnings, const char *sentence)
{
    if (!file->is_trial)
        message_print("%s: %s", file->path, sentence);
    if (!sentences_add(warnings, sentence))
        memory_ran_out();
}

static void inspect_log(void *host, int32_t level, const char *sentence)
{
    const struct inspect_file *file = host;
    char text[2 * CONTEXT_MESSAGE_SIZE];
    stage_type_options(&inspect_options, sentence, text, sizeof text);
    if (level == NBSTAGE_LOG_WARNING && file->warnings)
        inspect_warn(file, file->warnings, text);
}

static void inspect_prepare(struct inspect_file *file,
                            const struct arguments *arguments, const char *path)
{
    *file = (struct inspect_file){
        .arguments = arguments,
        .path = path,
        .context = {.user = &file->arena,
                    .allocate = arena_allocate,
                    .release = arena_release,
                    .host = file,
                    .log = inspect_log},
        .lump_arena = {.limit = SIZE_MAX},
        .lump_context = {.user = &file->lump_arena,
                         .allocate = arena_allocate,
                         .release = arena_release},
    };
    options_reset(&file->options);
}

static enum exit_status inspect_read_file(struct inspect_file *file,
                                          const struct arguments *arguments,
                                          const char *path)
{
    inspect_prepare(file, arguments, path);
    for (size_t i = 0; i < arguments->setting_count; i++) {
        const struct stage_setting *setting = &arguments->settings[i];
        if (options_set(&file->context, &file->options, setting->name,
                        setting->value, NBSTAGE_BY_USER) != NBSTAGE_OK)
            return stage_refuse(&inspect_options, setting,
                                file->context.message);
    }
    return maps_read(path, -1, &file->wad);
}

static void inspect_list_selected(struct inspect_file *file)
{
    file->places = memory_get(file->wad.map_count, sizeof *file->places);
    budget_begin(&file->budget, &file->wad);
    for (size_t i = 0; i < file->wad.map_count; i++)
        if (file->wad.maps[i].selected)
            file->places[file->count++] = &file->wad.maps[i];
}

enum exit_status inspect_open(const struct arguments *arguments,
                              const char *path, struct inspect_file *file)
{
    struct wad *wad = &file->wad;
    NEED_DONE(inspect_read_file(file, arguments, path));
    NEED_DONE(
        maps_select(&wad, 1, arguments->map_lists, arguments->map_list_count));
    inspect_list_selected(file);
    return STATUS_DONE;
}

enum exit_status inspect_open_pair(const struct arguments *arguments,
                                   struct inspect_file *old,
                                   struct inspect_file *new)
{
    struct wad *wads[] = {&old->wad, &new->wad};
    *new = (struct inspect_file){0};
    NEED_DONE(inspect_read_file(old, arguments, arguments->files[0]));
    NEED_DONE(inspect_read_file(new, arguments, arguments->files[1]));
    NEED_DONE(
        maps_select(wads, 2, arguments->map_lists, arguments->map_list_count));
    inspect_list_selected(old);
    inspect_list_selected(new);
    return STATUS_DONE;
}

void inspect_open_trial(const struct inspect_file *file, struct wad *wad,
                        struct inspect_file *trial)
{
    inspect_prepare(trial, file->arguments, file->path);
    trial->options = file->options;
    trial->is_trial = true;
    if (wad && maps_find(wad) != STATUS_DONE)
        memory_ran_out();
    trial->wad = wad ? *wad : file->wad;
    trial->places = memory_get(trial->wad.map_count, sizeof *trial->places);
    trial->budget = file->budget;
    if (!wad)
        memcpy(trial->places, file->places,
               file->count * sizeof *trial->places);
}

void inspect_close_trial(struct inspect_file *trial)
{
    trial->wad = (struct wad){0}; // the caller's
    inspect_close(trial);
}

void inspect_close(struct inspect_file *file)
{
    arena_empty(&file->arena);
    arena_empty(&file->lump_arena);
    free(file->places);
    wad_free(&file->wad);
    *file = (struct inspect_file){0};
}

enum exit_status inspect_check_one(const struct inspect_file *file,
                                   const char *option)
{
    if (!option || file->count == 1)
        return STATUS_DONE;
    message_print("%s: --%s is for one map, but %zu are selected; choose one "
                  "with --map",
                  file->path, option, file->count);
    return STATUS_USAGE;
}

// Exits if an allocation failed.
static void inspect_need(nbstage_status status)
{
    if (status == NBSTAGE_OUT_OF_MEMORY)
        memory_ran_out();
}

// ---------------------------------------------------------------------------
// A map

void inspect_begin(struct inspect_file *file, const struct inspect_map *map)
{
    struct context *context = &file->context;
    uint64_t bytes = 0;
    for (size_t i = 0; i < map->lump_count; i++)
        if (map_reads(map->lumps[i].name, true, false))
            bytes += map->lumps[i].data_size;
    context->map_name = map->name;
    context->limits = options_limits(&file->options, bytes);
    context->work = 0;
    arena_limit(&file->arena, context->limits.memory);
}

const char *inspect_end(struct inspect_file *file, nbstage_status status)
{
    struct context *context = &file->context;
    file->budget.used[BUDGET_STEPS] += context->work;
    if (status == NBSTAGE_OUT_OF_MEMORY && file->arena.met_limit)
        status = context_fail(context, NBSTAGE_OVER_LIMIT, NULL,
                              "the map takes more than the %zu MiB of memory "
                              "that max-memory allows for",
                              context->limits.memory >> 20);
    inspect_need(status);
    if (status == NBSTAGE_OK)
        return NULL;
    stage_type_options(&inspect_options, context->message, file->sentence,
                       sizeof file->sentence);
    return file->sentence;
}

void inspect_fail(const struct inspect_file *file, struct inspect_map *map,
                  const char *sentence)
{
    if (map->error)
        return;
    if (!file->is_trial)
        message_print("%s: %s", file->path, sentence);
    map->error = memory_copy_text(sentence);
}

void inspect_fail_file(struct inspect_file *file, struct inspect_map *map,
                       const char *sentence)
{
    if (file->status == STATUS_DONE)
        inspect_fail(file, map, sentence);
    else if (!map->error)
        map->error = memory_copy_text(sentence);
    file->status = STATUS_FILE;
}

static nbstage_status inspect_find_lines(struct inspect_file *file,
                                         struct inspect_map *map)
{
    struct context *context = &file->context;
    const struct nbstage_map given = {.size = sizeof given,
                                      .name = map->name,
                                      .lumps = map->lumps,
                                      .lump_count = map->lump_count};
    NEED(map_read(context, &given, true, &map->map));
    NEED(lines_gather(context, &map->map, NULL, &map->lines));
    return prune_lines(context, &map->map, &map->lines,
                       file->options.build.prune, &map->pruned);
}

static void inspect_read_lines(struct inspect_file *file,
                               struct inspect_map *map)
{
    inspect_begin(file, map);
    file->warnings = &map->warnings;
    const nbstage_status status = inspect_find_lines(file, map);
    file->warnings = NULL;
    const char *sentence = inspect_end(file, status);
    if (sentence) {
        inspect_fail(file, map, sentence);
        return;
    }
    map->has_lines = true;
    map->line_count = map->map.line_count;
    map->expected.left_out = map->pruned.fates;
}

static void inspect_read_blockmap(struct inspect_file *file,
                                  const struct map_place *place,
                                  struct inspect_map *map)
{
    const size_t index = maps_present_blockmap(&file->wad, place);
    if (index < place->end)
        map->lump = &map->lumps[index - place->marker - 1];
    file->lump_context.limits = file->context.limits;
    inspect_need(blockmap_read(
        &file->lump_context, map->lump ? map->lump->data : NULL,
        map->lump ? map->lump->data_size : 0,
        map->line_count > 0 ? map->line_count : UNKNOWN_LINES, &map->present));
    // Drop a trailing odd byte for later readers; the report still counts it.
    map->map.blockmap.size -= map->has_lines ? map->present.odd_bytes : 0;
}

static void inspect_find_expected(struct inspect_file *file,
                                  struct inspect_map *map)
{
    struct expected *expected = &map->expected;
    inspect_begin(file, map);
    nbstage_status status =
        expected_find(&file->context, &map->lines, &map->present, expected);
    const char *sentence = inspect_end(file, status);
    map->has_expected = !sentence;
    if (status == NBSTAGE_UNSUPPORTED) {
        inspect_warn(file, &map->warnings, sentence);
        map->doubt = map->warnings.sentence[map->warnings.count - 1];
        return;
    }
    if (sentence) {
        inspect_fail(file, map, sentence);
        return;
    }
    file->budget.used[BUDGET_BLOCKS] += expected->block_count;
    file->budget.used[BUDGET_ENTRIES] +=
        expected->starts[expected->block_count];
    judge_headers(expected, &map->present);
}

void inspect_read(struct inspect_file *file, size_t index,
                  struct inspect_map *map)
{
    const struct map_place *place = file->places[index];
    char sentence[WAD_FLAW_SIZE];
    bool is_told;
    *map = (struct inspect_map){
        .name = file->wad.lumps[place->marker].name,
        .is_unread = true,
        .distance = -1,
    };
    if (!budget_admits(&file->budget, &file->wad, place, sentence, &is_told)) {
        if (is_told)
            map->error = memory_copy_text(sentence);
        else
            inspect_fail(file, map, sentence);
        return;
    }
    map->lumps = maps_read_lumps(&file->wad, place, &map->lump_count, sentence);
    if (!map->lumps && !*sentence)
        memory_ran_out();
    if (!map->lumps) {
        inspect_fail_file(file, map, sentence);
        return;
    }
    map->is_unread = false;
    inspect_read_lines(file, map);
    inspect_read_blockmap(file, place, map);
    if (map->has_lines)
        inspect_find_expected(file, map);
    statistics_count(&map->present, map->line_count, &map->statistics);
    file->budget.used[BUDGET_BLOCKS] += map->present.block_count;
    file->budget.used[BUDGET_ENTRIES] += map->present.word_count;
    file->budget.used[BUDGET_ENTRIES] += map->present.linedef_count;
}

void inspect_free(struct inspect_file *file, struct inspect_map *map)
{
    struct context *context = &file->context;
    expected_free(context, &map->expected);
    context_release(context, map->solid);
    prune_free(context, &map->pruned);
    lines_free(context, &map->lines);
    map_free(context, &map->map);
    blockmap_free(&file->lump_context, &map->present);
    statistics_free(&map->statistics);
    groups_free(&map->groups);
    free(map->missing.finding);
    free(map->extra.finding);
    free(map->segs_error);
    sentences_free(&map->warnings);
    free(map->error);
    free(map->lumps);
}
