// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage is asked through its own options, which are set anew for each
// build, so that what was asked before does not matter.

#include "config.h"

#include "blockmap/open-map.h"

#include "blockmap/expected.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where it is not known how many linedefs there are.
enum { UNKNOWN_LINES = 1 << 16 };

// ---------------------------------------------------------------------------
// Files

static void log_message(void *context, int32_t level, const char *sentence)
{
    struct open_file *file = context;
    if (level != NBSTAGE_LOG_WARNING || !file->current)
        return;
    message_print("%s: %s", file->path, sentence);
    if (!sentences_add(&file->current->warnings, sentence))
        memory_ran_out();
}

static void list_selected(struct open_file *file)
{
    file->places = memory_get(file->maps.count, sizeof *file->places);
    for (size_t i = 0; i < file->maps.count; i++)
        if (file->maps.places[i].selected)
            file->places[file->count++] = &file->maps.places[i];
}

static enum exit_status read_file(const struct arguments *arguments,
                                  const struct nbstage *stage, const char *path,
                                  struct open_file *file)
{
    *file = (struct open_file){.arguments = arguments, .path = path};
    const struct nbstage_host host = {
        .size = sizeof host,
        .context = file,
        .log = log_message,
    };
    enum exit_status status =
        stage_create(stage, &host, arguments, &file->stage);
    return status == STATUS_DONE ? maps_read(path, &file->wad, &file->maps)
                                 : status;
}

static struct map_file maps_of(struct open_file *file)
{
    return (struct map_file){file->path, &file->wad, &file->maps};
}

enum exit_status open_file_read(const struct arguments *arguments,
                                const struct nbstage *stage, const char *path,
                                struct open_file *file)
{
    enum exit_status status = read_file(arguments, stage, path, file);
    struct map_file maps = maps_of(file);
    if (status == STATUS_DONE)
        status = maps_select(&maps, 1, arguments->map_lists,
                             arguments->map_list_count);
    if (status == STATUS_DONE)
        list_selected(file);
    return status;
}

enum exit_status open_file_read_both(const struct arguments *arguments,
                                     const struct nbstage *stage,
                                     struct open_file *old,
                                     struct open_file *new)
{
    *new = (struct open_file){0};
    enum exit_status status =
        read_file(arguments, stage, arguments->files[0], old);
    if (status == STATUS_DONE)
        status = read_file(arguments, stage, arguments->files[1], new);
    struct map_file maps[] = {maps_of(old), maps_of(new)};
    if (status == STATUS_DONE)
        status = maps_select(maps, 2, arguments->map_lists,
                             arguments->map_list_count);
    if (status != STATUS_DONE)
        return status;
    list_selected(old);
    list_selected(new);
    return STATUS_DONE;
}

void open_file_free(struct open_file *file)
{
    nbstage_close(&file->stage);
    free(file->places);
    maps_free(&file->maps);
    wad_free(&file->wad);
    *file = (struct open_file){0};
}

// ---------------------------------------------------------------------------
// Builds

// What the stage has to say about a call that ended with a status.
static const char *find_sentence(struct open_file *file, nbstage_status status)
{
    if (status == NBSTAGE_OUT_OF_MEMORY)
        memory_ran_out();
    return status == NBSTAGE_OK
               ? NULL
               : file->stage.descriptor->last_error(file->stage.instance);
}

const char *open_map_build(struct open_file *file,
                           const struct nbstage_map *map,
                           const struct stage_setting *settings,
                           size_t setting_count, struct nbstage_result *result)
{
    const struct nbstage_descriptor *stage = file->stage.descriptor;
    nbstage_status status = NBSTAGE_OK;
    *result = (struct nbstage_result){.size = sizeof *result};
    for (size_t i = 0; i < setting_count && status == NBSTAGE_OK; i++)
        status = stage->set_option(file->stage.instance, settings[i].name,
                                   settings[i].value);
    if (status == NBSTAGE_OK)
        status = stage->build(file->stage.instance, map, result);
    return find_sentence(file, status);
}

bool open_map_can_decode(const struct open_file *file)
{
    const struct nbstage_descriptor *stage = file->stage.descriptor;
    return NBSTAGE_HAS(struct nbstage_descriptor, stage, free_decoded) &&
           stage->decode && stage->free_decoded;
}

const char *open_map_decode_as(struct open_file *file,
                               const struct open_map *map, const char *prune,
                               struct nbstage_decoded *decoded)
{
    const struct nbstage_descriptor *stage = file->stage.descriptor;
    *decoded = (struct nbstage_decoded){.size = sizeof *decoded};
    nbstage_status status =
        stage->set_option(file->stage.instance, "prune", prune);
    if (status == NBSTAGE_OK)
        status = stage->decode(file->stage.instance, &map->map, decoded);
    return find_sentence(file, status);
}

const char *open_map_decode(struct open_file *file, const struct open_map *map,
                            struct nbstage_decoded *decoded)
{
    return open_map_decode_as(file, map, open_map_prune(file), decoded);
}

const struct nbstage_fact *open_map_fact(const struct nbstage_result *result,
                                         const char *name)
{
    for (size_t i = 0; i < result->fact_count; i++) {
        const struct nbstage_fact *fact =
            NBSTAGE_AT(struct nbstage_fact, result->facts, i);
        if (strcmp(fact->name, name) == 0)
            return fact;
    }
    return NULL;
}

int64_t open_map_number(const struct nbstage_result *result, const char *name)
{
    const struct nbstage_fact *fact = open_map_fact(result, name);
    return fact ? fact->value : 0;
}

void open_map_read_result(const struct nbstage_result *result,
                          size_t line_count, struct blockmap *blockmap)
{
    const struct nbstage_lump *lump = NULL;
    for (size_t i = 0; i < result->lump_count && !lump; i++) {
        lump = NBSTAGE_AT(struct nbstage_lump, result->lumps, i);
        if (strcmp(lump->name, "BLOCKMAP") != 0)
            lump = NULL;
    }
    blockmap_read(lump ? lump->data : NULL, lump ? lump->data_size : 0,
                  line_count, blockmap);
}

void open_map_fail(struct open_file *file, struct open_map *map,
                   const char *sentence)
{
    message_print("%s: %s", file->path, sentence);
    map->error = memory_copy_text(sentence);
}

const char *open_map_prune(const struct open_file *file)
{
    const struct nbstage_descriptor *stage = file->stage.descriptor;
    const char *value = "none";
    for (size_t i = 0; i < stage->option_count; i++) {
        const struct nbstage_option *option =
            NBSTAGE_AT(struct nbstage_option, stage->options, i);
        if (strcmp(option->name, "prune") == 0 && option->default_value)
            value = option->default_value;
    }
    for (size_t i = 0; i < file->arguments->setting_count; i++)
        if (strcmp(file->arguments->settings[i].name, "prune") == 0)
            value = file->arguments->settings[i].value;
    return value;
}

void open_map_doubt(struct open_map *map, const char *sentence)
{
    map->doubt = memory_copy_text(sentence);
    if (!sentences_add(&map->warnings, sentence))
        memory_ran_out();
}

void open_map_print_doubt(const struct open_file *file,
                          const struct open_map *map)
{
    if (map->doubt)
        message_print("%s: %s", file->path, map->doubt);
}

const char *open_map_form_name(const struct open_map *map)
{
    return map->has_blockmap ? blockmap_form_name(map->present.form) : "none";
}

// ---------------------------------------------------------------------------
// Maps

// Gives the map an error unless all its lumps are in the file and belong to it.
static void check_lumps(struct open_file *file, const struct map_place *place,
                        struct open_map *map)
{
    char sentence[160];
    if (!maps_is_whole(&file->wad, place, sentence, sizeof sentence))
        open_map_fail(file, map, sentence);
}

static void find_blockmap(const struct open_file *file,
                          const struct map_place *place, struct open_map *map)
{
    size_t index = maps_find_lump(&file->wad, place, "BLOCKMAP");
    if (index == place->end)
        return;
    const struct wad_lump *lump = &file->wad.lumps[index];
    map->has_blockmap = true;
    map->size = lump->size;
    map->bytes = lump->size > 0 ? file->wad.bytes + lump->position : NULL;
    map->lump = &map->lumps[index - place->marker - 1];
}

// Reads the lumps, the truth and the present blockmap.
static void read_map(struct open_file *file, const struct map_place *place,
                     struct open_map *map)
{
    map->lumps = maps_collect_lumps(&file->wad, place);
    if (!map->lumps)
        memory_ran_out();
    map->map.lumps = map->lumps;
    map->map.lump_count = place->end - place->marker - 1;
    find_blockmap(file, place, map);
    struct expected_corner corner;
    expected_find_corner(file, map, &corner);
    size_t line_count = map->line_count > 0 ? map->line_count : UNKNOWN_LINES;
    blockmap_read(map->bytes, map->size, line_count, &map->present);
    if (map->lump) // the stage gets whole words; the report tells of the others
        map->lump->data_size -= map->present.odd_bytes;
    if (!map->error)
        expected_build(file, map, corner);
}

void open_map_read(struct open_file *file, size_t index, struct open_map *map)
{
    const struct map_place *place = file->places[index];
    *map = (struct open_map){
        .name = file->wad.lumps[place->marker].name,
        .expected_result.size = sizeof map->expected_result,
    };
    map->map = (struct nbstage_map){.size = sizeof map->map, .name = map->name};
    check_lumps(file, place, map);
    map->is_cut = map->error;
    if (!map->is_cut)
        read_map(file, place, map);
}

void open_map_free(struct open_file *file, struct open_map *map)
{
    file->stage.descriptor->free_result(file->stage.instance,
                                        &map->expected_result);
    blockmap_free(&map->present);
    blockmap_free(&map->expected);
    sentences_free(&map->warnings);
    free(map->error);
    free(map->doubt);
    free(map->lumps);
    free(map->left_out);
}
