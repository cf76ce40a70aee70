// SPDX-License-Identifier: GPL-2.0-or-later
//
// The truth takes up to three builds, each of them short.  The first, with the
// grid fit to the lines, tells how far they reach, and whether any is left out.
// If some are, which they are follows from its lists, and a second one tells
// how far all lines reach.  The last build is that of the truth, with the
// present origin, moved by whole blocks if lines reach further.

#include "config.h"

#include "inspect.h"

#include "headers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16,          // a map unit in 16.16
    BLOCK = 128,             // map units
    UNKNOWN_LINES = 1 << 16, // in place of the linedefs of a map in error
};

// ---------------------------------------------------------------------------
// Files

static void keep_warning(struct inspect_map *map, const char *sentence)
{
    char **more =
        realloc(map->warnings, (map->warning_count + 1) * sizeof *more);
    char *copy = strdup(sentence);
    if (more)
        map->warnings = more;
    if (more && copy)
        map->warnings[map->warning_count++] = copy;
    else
        free(copy);
}

static void log_message(void *context, int32_t level, const char *sentence)
{
    struct inspect_file *file = context;
    if (level != NBSTAGE_LOG_WARNING || !file->current)
        return;
    message_print("%s: %s", file->path, sentence);
    keep_warning(file->current, sentence);
}

static enum exit_status set_options(struct inspect_file *file)
{
    const struct nbstage_descriptor *stage = file->stage->descriptor;
    struct nbstage_host host = {
        .size = sizeof host,
        .context = file,
        .log = log_message,
    };
    if (stage->create(&host, &file->instance) != NBSTAGE_OK)
        return message_out_of_memory();
    for (size_t i = 0; i < file->arguments->setting_count; i++) {
        const struct stage_setting *setting = &file->arguments->settings[i];
        if (stage->set_option(file->instance, setting->name, setting->value) !=
            NBSTAGE_OK) {
            message_print("%s", stage->last_error(file->instance));
            return STATUS_USAGE;
        }
    }
    return STATUS_DONE;
}

static enum exit_status list_selected(struct inspect_file *file)
{
    file->places = malloc((file->maps.count + 1) * sizeof *file->places);
    if (!file->places)
        return message_out_of_memory();
    for (size_t i = 0; i < file->maps.count; i++)
        if (file->maps.places[i].selected)
            file->places[file->count++] = &file->maps.places[i];
    return STATUS_DONE;
}

enum exit_status inspect_open(const struct arguments *arguments,
                              const struct stage *stage, const char *path,
                              struct inspect_file *file)
{
    *file = (struct inspect_file){
        .arguments = arguments, .stage = stage, .path = path};
    enum exit_status status = set_options(file);
    if (status == STATUS_DONE)
        status = wad_read(path, &file->wad);
    if (status == STATUS_DONE)
        status = maps_find(&file->wad, &file->maps);
    if (status != STATUS_DONE)
        return status;
    if (file->maps.count == 0) {
        message_print("%s: the file has no map; a marker lump followed by "
                      "THINGS, LINEDEFS, VERTEXES or TEXTMAP was expected",
                      path);
        return STATUS_MAP_FAILED;
    }
    status = maps_select(&file->wad, &file->maps, arguments->map_lists,
                         arguments->map_list_count);
    return status == STATUS_DONE ? list_selected(file) : status;
}

void inspect_close(struct inspect_file *file)
{
    if (file->instance)
        file->stage->descriptor->destroy(file->instance);
    free(file->places);
    maps_free(&file->maps);
    wad_free(&file->wad);
    *file = (struct inspect_file){0};
}

// ---------------------------------------------------------------------------
// Builds

static nbstage_status set_option(struct inspect_file *file, const char *name,
                                 size_t length)
{
    char option[64];
    snprintf(option, sizeof option, "%.*s", (int)length, name);
    char *value = strchr(option, '=');
    *value++ = '\0';
    return file->stage->descriptor->set_option(file->instance, option, value);
}

const char *inspect_build(struct inspect_file *file,
                          const struct inspect_map *map, const char *options,
                          struct nbstage_result *result)
{
    const struct nbstage_descriptor *stage = file->stage->descriptor;
    nbstage_status status = NBSTAGE_OK;
    *result = (struct nbstage_result){.size = sizeof *result};
    while (*options && status == NBSTAGE_OK) {
        size_t length = strcspn(options, " ");
        status = set_option(file, options, length);
        options += length;
        options += *options == ' ';
    }
    if (status == NBSTAGE_OK)
        status = stage->build(file->instance, &map->map, result);
    return status == NBSTAGE_OK ? NULL : stage->last_error(file->instance);
}

bool inspect_can_decode(const struct inspect_file *file)
{
    const struct nbstage_descriptor *stage = file->stage->descriptor;
    return NBSTAGE_HAS(struct nbstage_descriptor, stage, free_decoded) &&
           stage->decode && stage->free_decoded;
}

const char *inspect_decode(struct inspect_file *file,
                           const struct inspect_map *map,
                           struct nbstage_decoded *decoded)
{
    const struct nbstage_descriptor *stage = file->stage->descriptor;
    // To look at the map has set it otherwise.
    (void)stage->set_option(file->instance, "prune", inspect_prune(file));
    *decoded = (struct nbstage_decoded){.size = sizeof *decoded};
    nbstage_status status = stage->decode(file->instance, &map->map, decoded);
    return status == NBSTAGE_OK ? NULL : stage->last_error(file->instance);
}

int64_t inspect_number(const struct nbstage_result *result, const char *name)
{
    for (size_t i = 0; i < result->fact_count; i++) {
        const struct nbstage_fact *fact =
            NBSTAGE_AT(struct nbstage_fact, result->facts, i);
        if (strcmp(fact->name, name) == 0)
            return fact->value;
    }
    return 0;
}

enum exit_status inspect_read_result(const struct nbstage_result *result,
                                     size_t line_count,
                                     struct blockmap *blockmap)
{
    const struct nbstage_lump *lump = NULL;
    for (size_t i = 0; i < result->lump_count && !lump; i++) {
        lump = NBSTAGE_AT(struct nbstage_lump, result->lumps, i);
        if (strcmp(lump->name, "BLOCKMAP") != 0)
            lump = NULL;
    }
    return blockmap_read(lump ? lump->data : NULL, lump ? lump->data_size : 0,
                         line_count, blockmap)
               ? STATUS_DONE
               : message_out_of_memory();
}

// ---------------------------------------------------------------------------
// The truth

#define EXACT \
    "source=geometry pack=none header=zero fit=none format=xbm1 " \
    "overflow=xbm1 bounds=lines check-nodes=no"

static void fail_map(struct inspect_file *file, struct inspect_map *map,
                     const char *sentence)
{
    message_print("%s: %s", file->path, sentence);
    map->error = strdup(sentence);
}

const char *inspect_prune(const struct inspect_file *file)
{
    const struct nbstage_descriptor *stage = file->stage->descriptor;
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

static void clear_listed(struct inspect_map *map,
                         const struct blockmap *blockmap,
                         const struct blockmap_list *list)
{
    for (size_t w = list->begin; w < list->end; w++) {
        uint32_t linedef = words_get(&blockmap->words, w);
        if (linedef < map->line_count)
            map->left_out[linedef] = false;
    }
}

// Marks the linedefs that no list has.
static enum exit_status find_left_out(struct inspect_map *map,
                                      const struct nbstage_result *result)
{
    struct blockmap blockmap;
    map->left_out = malloc(map->line_count + 1);
    if (!map->left_out)
        return message_out_of_memory();
    memset(map->left_out, true, map->line_count);
    enum exit_status status =
        inspect_read_result(result, map->line_count, &blockmap);
    for (size_t b = 0; status == STATUS_DONE && b < blockmap.block_count; b++)
        clear_listed(map, &blockmap, &blockmap.lists[b]);
    blockmap_free(&blockmap);
    return status;
}

// Where all lines begin, in map units.
struct corner {
    int64_t x;
    int64_t y;
};

// Finds out how far lines reach, and which are left out.
static enum exit_status find_corner(struct inspect_file *file,
                                    struct inspect_map *map,
                                    struct corner *corner)
{
    const struct nbstage_descriptor *stage = file->stage->descriptor;
    struct nbstage_result result;
    enum exit_status status = STATUS_DONE;
    char options[160];
    snprintf(options, sizeof options, EXACT " grid=fit prune=%s",
             inspect_prune(file));
    file->current = map; // one build is enough to warn
    const char *sentence = inspect_build(file, map, options, &result);
    file->current = NULL;
    map->line_count = (size_t)inspect_number(&result, "linedefs");
    bool some_left_out = inspect_number(&result, "pruned_tagged") > 0 ||
                         inspect_number(&result, "pruned_inert") > 0;
    if (!sentence && some_left_out) {
        status = find_left_out(map, &result);
        stage->free_result(file->instance, &result);
        sentence =
            inspect_build(file, map, EXACT " grid=fit prune=none", &result);
    }
    *corner = (struct corner){inspect_number(&result, "origin_x"),
                              inspect_number(&result, "origin_y")};
    if (sentence)
        fail_map(file, map, sentence);
    stage->free_result(file->instance, &result);
    return status;
}

// How many blocks before the origin the one is that a coordinate is in.
static size_t blocks_before(int64_t origin, int64_t coordinate)
{
    return coordinate < origin
               ? (size_t)((origin - coordinate + BLOCK - 1) / BLOCK)
               : 0;
}

// Whether the present blockmap has blocks whose truth can be told.
static bool has_blocks(const struct blockmap *present)
{
    return present->form != BLOCKMAP_EMPTY &&
           present->fault == BLOCKMAP_SOUND && present->block_count > 0;
}

// Whether a lump is what was asked of the stage, which may be any.
static bool is_exact(const struct blockmap *truth, struct corner corner)
{
    return truth->form == BLOCKMAP_XBM1 && truth->fault == BLOCKMAP_SOUND &&
           truth->headers == HEADERS_ZERO && truth->too_large_count == 0 &&
           truth->fault_count[LIST_READABLE] == truth->block_count &&
           truth->origin_x / UNIT == corner.x &&
           truth->origin_y / UNIT == corner.y;
}

static enum exit_status build_truth(struct inspect_file *file,
                                    struct inspect_map *map,
                                    struct corner corner)
{
    char options[160];
    if (has_blocks(&map->present)) {
        int64_t x = map->present.origin_x / UNIT;
        int64_t y = map->present.origin_y / UNIT;
        map->west = blocks_before(x, corner.x);
        map->south = blocks_before(y, corner.y);
        corner.x = x - (int64_t)map->west * BLOCK;
        corner.y = y - (int64_t)map->south * BLOCK;
    }
    snprintf(options, sizeof options, EXACT " grid=%lld,%lld prune=none",
             (long long)corner.x, (long long)corner.y);
    const char *sentence =
        inspect_build(file, map, options, &map->truth_result);
    if (sentence) {
        fail_map(file, map, sentence);
        return STATUS_DONE;
    }
    enum exit_status status =
        inspect_read_result(&map->truth_result, map->line_count, &map->truth);
    map->has_truth = is_exact(&map->truth, corner);
    if (status != STATUS_DONE || map->has_truth)
        return status == STATUS_DONE ? headers_find(map) : status;
    snprintf(options, sizeof options,
             "%s: the stage %s does not build what could be compared with",
             map->name, file->stage->descriptor->name);
    fail_map(file, map, options);
    return STATUS_DONE;
}

// Whether a build can have the blocks of the present grid; says why not.
static bool has_usable_origin(struct inspect_file *file,
                              struct inspect_map *map, struct corner corner)
{
    const struct blockmap *present = &map->present;
    char sentence[160];
    int64_t x = present->origin_x / UNIT;
    int64_t y = present->origin_y / UNIT;
    if (!has_blocks(present))
        return true;
    if (present->origin_x % UNIT != 0 || present->origin_y % UNIT != 0)
        snprintf(sentence, sizeof sentence,
                 "%s: BLOCKMAP: the origin %.5f,%.5f is not in whole map "
                 "units; the lists cannot be compared",
                 map->name, present->origin_x / (double)UNIT,
                 present->origin_y / (double)UNIT);
    else if (x - (int64_t)blocks_before(x, corner.x) * BLOCK < INT16_MIN ||
             y - (int64_t)blocks_before(y, corner.y) * BLOCK < INT16_MIN)
        snprintf(sentence, sizeof sentence,
                 "%s: BLOCKMAP: with the origin %lld,%lld lines are in blocks "
                 "that begin outside the coordinates; the lists cannot be "
                 "compared",
                 map->name, (long long)x, (long long)y);
    else
        return true;
    fail_map(file, map, sentence);
    return false;
}

struct blockmap_list inspect_truth_of(const struct inspect_map *map,
                                      size_t block)
{
    const struct blockmap *truth = &map->truth;
    size_t column = block % map->present.columns + map->west;
    size_t row = block / map->present.columns + map->south;
    if (column >= truth->columns || row >= truth->rows)
        return (struct blockmap_list){0};
    return truth->lists[row * truth->columns + column];
}

bool inspect_is_left_out(const struct inspect_map *map, uint32_t linedef)
{
    return map->left_out && map->left_out[linedef];
}

// ---------------------------------------------------------------------------
// Maps

// Whether all lumps of a map are in the file and belong to it.
static bool is_whole(struct inspect_file *file, const struct map_place *place,
                     struct inspect_map *map)
{
    char sentence[160];
    for (size_t i = place->marker; i < place->end; i++) {
        if (wad_lump_is_whole(&file->wad, i))
            continue;
        wad_describe_cut_lump(&file->wad, i, map->name, sentence,
                              sizeof sentence);
        fail_map(file, map, sentence);
        return false;
    }
    if (maps_is_closed(&file->wad, place))
        return true;
    maps_describe_open(place, map->name, sentence, sizeof sentence);
    fail_map(file, map, sentence);
    return false;
}

static void find_blockmap(const struct inspect_file *file,
                          const struct map_place *place,
                          struct inspect_map *map)
{
    size_t index = maps_find_lump(&file->wad, place, "BLOCKMAP");
    if (index == place->end)
        return;
    const struct wad_lump *lump = &file->wad.lumps[index];
    map->has_blockmap = true;
    map->size = lump->size;
    map->bytes = lump->size > 0 ? file->wad.bytes + lump->position : NULL;
}

// Reads the lumps, the truth and the present blockmap.
static enum exit_status read_map(struct inspect_file *file,
                                 const struct map_place *place,
                                 struct inspect_map *map)
{
    map->lumps = maps_collect_lumps(&file->wad, place);
    if (!map->lumps)
        return message_out_of_memory();
    map->map.lumps = map->lumps;
    map->map.lump_count = place->end - place->marker - 1;
    find_blockmap(file, place, map);
    struct corner corner;
    enum exit_status status = find_corner(file, map, &corner);
    if (status != STATUS_DONE)
        return status;
    size_t line_count = map->error ? UNKNOWN_LINES : map->line_count;
    if (!blockmap_read(map->bytes, map->size, line_count, &map->present))
        return message_out_of_memory();
    if (map->error || !has_usable_origin(file, map, corner))
        return STATUS_DONE;
    return build_truth(file, map, corner);
}

enum exit_status inspect_map(struct inspect_file *file, size_t index,
                             struct inspect_map *map)
{
    const struct map_place *place = file->places[index];
    *map = (struct inspect_map){
        .name = file->wad.lumps[place->marker].name,
        .truth_result.size = sizeof map->truth_result,
    };
    map->map = (struct nbstage_map){.size = sizeof map->map, .name = map->name};
    return is_whole(file, place, map) ? read_map(file, place, map)
                                      : STATUS_DONE;
}

void inspect_free_map(struct inspect_file *file, struct inspect_map *map)
{
    file->stage->descriptor->free_result(file->instance, &map->truth_result);
    blockmap_free(&map->present);
    blockmap_free(&map->truth);
    for (size_t i = 0; i < map->warning_count; i++)
        free(map->warnings[i]);
    free(map->warnings);
    free(map->error);
    free(map->lumps);
    free(map->left_out);
}
