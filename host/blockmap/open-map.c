// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a map should list takes two calls.  The stage decodes the map, which
// gives its lines and which of them are left out.  Then it builds exact lists
// of all lines, on the grid of the present blockmap, moved by whole blocks to
// where the lines begin.
//
// All options that matter are set anew for each call, so that earlier calls do
// not matter.

#include "config.h"

#include "blockmap/open-map.h"

#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNKNOWN_LINES =
        1 << 16, // where it is not known how many linedefs there are
    MEBIBYTE = 1 << 20,
    MOST_LIMIT = INT32_MAX, // blocks or MiB
};

// A place in whole map units.
struct corner {
    int64_t x;
    int64_t y;
};

// ---------------------------------------------------------------------------
// Files

static void log_message(void *context, int32_t level, const char *sentence)
{
    struct open_file *file = context;
    if (level != NBSTAGE_LOG_WARNING || !file->warnings)
        return;
    message_print("%s: %s", file->path, sentence);
    if (!sentences_add(file->warnings, sentence))
        memory_ran_out();
}

static enum exit_status read_file(const struct arguments *arguments,
                                  const struct nbstage *stage,
                                  struct open_file *file)
{
    const struct nbstage_host host = {
        .size = sizeof host,
        .context = file,
        .log = log_message,
    };
    enum exit_status status =
        stage_create(stage, &host, arguments, &file->stage);
    return status == STATUS_DONE ? maps_read(file->path, -1, &file->wad)
                                 : status;
}

static void list_selected(struct open_file *file)
{
    file->places = memory_get(file->wad.map_count, sizeof *file->places);
    file->budget.file_size = file->wad.size;
    for (size_t i = 0; i < file->wad.map_count; i++)
        if (file->wad.maps[i].selected)
            file->places[file->count++] = &file->wad.maps[i];
}

enum exit_status open_file_read(const struct arguments *arguments,
                                const struct nbstage *stage,
                                const char *const *paths,
                                struct open_file *file, struct open_file *other)
{
    struct open_file *files[] = {file, other};
    size_t count = other ? 2 : 1;
    struct wad *wads[2];
    enum exit_status status = STATUS_DONE;
    for (size_t i = 0; i < count; i++) {
        *files[i] =
            (struct open_file){.arguments = arguments, .path = paths[i]};
        wads[i] = &files[i]->wad;
    }
    for (size_t i = 0; i < count && status == STATUS_DONE; i++)
        status = read_file(arguments, stage, files[i]);
    if (status == STATUS_DONE)
        status = maps_select(wads, count, arguments->map_lists,
                             arguments->map_list_count);
    for (size_t i = 0; i < count && status == STATUS_DONE; i++)
        list_selected(files[i]);
    return status;
}

void open_file_free(struct open_file *file)
{
    nbstage_close(&file->stage);
    free(file->places);
    wad_free(&file->wad);
    *file = (struct open_file){0};
}

enum exit_status open_file_check_one(const struct open_file *file,
                                     const char *option)
{
    if (!option || file->count == 1)
        return STATUS_DONE;
    message_print("%s: --%s is for one map, but %zu are selected; choose one "
                  "with --map",
                  file->path, option, file->count);
    return STATUS_USAGE;
}

// ---------------------------------------------------------------------------
// Calls of the stage

// What the stage has to say about a call that ended with a status.
static const char *find_sentence(struct open_file *file, nbstage_status status)
{
    if (status == NBSTAGE_OUT_OF_MEMORY)
        memory_ran_out();
    return status == NBSTAGE_OK ? NULL : stage_find_error(&file->stage, status);
}

const char *open_map_build(struct open_file *file, const struct open_map *map,
                           const struct stage_setting *settings,
                           struct nbstage_result *result)
{
    const struct nbstage_descriptor *stage = file->stage.descriptor;
    nbstage_status status = NBSTAGE_OK;
    *result = (struct nbstage_result){.size = sizeof *result};
    for (; settings->name && status == NBSTAGE_OK; settings++)
        status = stage->set_option(file->stage.instance, settings->name,
                                   settings->value);
    if (status == NBSTAGE_OK)
        status = stage->build(file->stage.instance, &map->map, result);
    budget_take_facts(&file->budget, result);
    return find_sentence(file, status);
}

// Whether the stage can return the lines of maps.
static bool can_decode(const struct open_file *file)
{
    const struct nbstage_descriptor *stage = file->stage.descriptor;
    return stage->decode && stage->free_decoded;
}

// Has the stage decode a map with this value of the option prune, for
// free_decoded.  The stage must be able to.  Returns what open_map_build does.
static const char *decode(struct open_file *file, const struct open_map *map,
                          const char *prune, struct nbstage_decoded *decoded)
{
    const struct nbstage_descriptor *stage = file->stage.descriptor;
    *decoded = (struct nbstage_decoded){.size = sizeof *decoded};
    nbstage_status status =
        stage->set_option(file->stage.instance, "prune", prune);
    if (status == NBSTAGE_OK)
        status = stage->decode(file->stage.instance, &map->map, decoded);
    budget_take(&file->budget, BUDGET_STEPS, decoded->steps);
    return find_sentence(file, status);
}

void open_map_read_result(const struct nbstage_result *result,
                          size_t line_count, struct blockmap *blockmap)
{
    const struct nbstage_lump *lump = stage_find_blockmap(result);
    blockmap_read(lump ? lump->data : NULL, lump ? lump->data_size : 0,
                  line_count, NULL, blockmap);
}

const char *open_map_setting(const struct open_file *file, const char *name,
                             const char *unknown)
{
    const struct nbstage_option *option =
        stage_find_option(file->stage.descriptor, name);
    const char *value =
        option && option->default_value ? option->default_value : unknown;
    for (size_t i = 0; i < file->arguments->setting_count; i++)
        if (strcmp(file->arguments->settings[i].name, name) == 0)
            value = file->arguments->settings[i].value;
    return value;
}

const char *open_map_prune(const struct open_file *file)
{
    return open_map_setting(file, "prune", "none");
}

void open_map_print_doubt(const struct open_file *file,
                          const struct open_map *map)
{
    if (map->doubt)
        message_print("%s: %s", file->path, map->doubt);
}

const char *open_map_form_name(const struct open_map *map)
{
    return map->lump ? blockmap_form_names[map->present.form] : "none";
}

// ---------------------------------------------------------------------------
// The lists that a map should have

// Prints why a map cannot be read or compared, and keeps it.
static void fail(struct open_file *file, struct open_map *map,
                 const char *sentence)
{
    message_print("%s: %s", file->path, sentence);
    map->error = memory_copy_text(sentence);
}

static void fail_for_stage(struct open_file *file, struct open_map *map,
                           const char *problem)
{
    char sentence[160];
    snprintf(sentence, sizeof sentence, "%s: the stage %s %s", map->name,
             file->stage.descriptor->name, problem);
    fail(file, map, sentence);
}

static void decode_lines(struct open_file *file, struct open_map *map)
{
    if (!can_decode(file)) {
        fail_for_stage(file, map, "cannot read the lines of a map");
        return;
    }
    file->warnings = &map->warnings;
    const char *sentence =
        decode(file, map, open_map_prune(file), &map->decoded);
    file->warnings = NULL;
    if (sentence) {
        fail(file, map, sentence);
        return;
    }
    map->has_decoded = true;
    map->line_count = map->decoded.line_count;
    map->expected.left_out = map->decoded.left_out;
}

// The south-west corner of all lines.
static struct corner find_corner(const struct nbstage_decoded *decoded)
{
    const char *lines = (const char *)decoded->lines;
    const char *vertices = (const char *)decoded->vertices;
    int32_t x = INT32_MAX;
    int32_t y = INT32_MAX;
    for (size_t end = 0; end < 2 * decoded->line_count; end++) {
        const struct nbstage_line *line =
            (const void *)(lines + end / 2 * decoded->line_stride);
        uint32_t number = end % 2 == 0 ? line->v1 : line->v2;
        const struct nbstage_vertex *vertex =
            (const void *)(vertices + number * decoded->vertex_stride);
        x = vertex->x < x ? vertex->x : x;
        y = vertex->y < y ? vertex->y : y;
    }
    return (struct corner){x >> 16, y >> 16};
}

// How many blocks there are from a coordinate to an origin after it.
static size_t blocks_between(int64_t coordinate, int64_t origin)
{
    int64_t distance = origin - coordinate + BLOCKMAP_SIDE - 1;
    return coordinate < origin ? (size_t)(distance / BLOCKMAP_SIDE) : 0;
}

// Moves the corner to where the expected grid begins: to the present origin, or
// whole blocks before it where lines reach further.  Returns why the stage
// cannot build there; NULL if it can.
static const char *align(struct open_map *map, struct corner *corner)
{
    const struct blockmap *present = &map->present;
    struct expected *expected = &map->expected;
    int64_t x = present->origin_x / BLOCKMAP_UNIT;
    int64_t y = present->origin_y / BLOCKMAP_UNIT;
    if (!blockmap_has_table(present))
        return NULL;
    expected->columns = present->columns;
    expected->west = blocks_between(corner->x, x);
    expected->south = blocks_between(corner->y, y);
    corner->x = x - (int64_t)expected->west * BLOCKMAP_SIDE;
    corner->y = y - (int64_t)expected->south * BLOCKMAP_SIDE;
    if (present->origin_x % BLOCKMAP_UNIT != 0 ||
        present->origin_y % BLOCKMAP_UNIT != 0)
        return "is not in whole map units";
    return corner->x < INT16_MIN || corner->y < INT16_MIN
               ? "puts lines in blocks that begin outside the coordinates"
               : NULL;
}

static void doubt_origin(struct open_map *map, const char *problem)
{
    char sentence[200];
    snprintf(sentence, sizeof sentence,
             "%s: BLOCKMAP: the origin %.10g,%.10g %s; the lists cannot be "
             "checked",
             map->name, blockmap_edge(map->present.origin_x, 0),
             blockmap_edge(map->present.origin_y, 0), problem);
    map->doubt = memory_copy_text(sentence);
    if (!sentences_add(&map->warnings, sentence))
        memory_ran_out();
}

// Whether a lump is what was asked of the stage, which may be any stage.
static bool is_exact(const struct blockmap *expected, struct corner corner)
{
    return expected->form == BLOCKMAP_XBM1 &&
           expected->fault == BLOCKMAP_SOUND &&
           expected->headers == HEADERS_ZERO &&
           expected->list_count == expected->block_count &&
           expected->too_large_count == 0 && expected->unsorted_count == 0 &&
           expected->unreadable_count == 0 &&
           expected->origin_x / BLOCKMAP_UNIT == corner.x &&
           expected->origin_y / BLOCKMAP_UNIT == corner.y;
}

// Builds a list for every block, of all lines that are in it.
static void build_expected(struct open_file *file, struct open_map *map,
                           struct corner corner)
{
    char grid[64];
    snprintf(grid, sizeof grid, "%lld,%lld", (long long)corner.x,
             (long long)corner.y);
    const struct stage_setting settings[] = {
        {"preset", "compatible"}, {"lists", "exact"},
        {"grid", grid},           {"bounds", "lines"},
        {"prune", "none"},        {"pack", "none"},
        {"header", "zero"},       {"format", "xbm1"},
        {"check-nodes", "no"},    {NULL, NULL},
    };
    const char *sentence =
        open_map_build(file, map, settings, &map->expected_result);
    if (sentence) {
        fail(file, map, sentence);
        return;
    }
    open_map_read_result(&map->expected_result, map->line_count,
                         &map->expected.blockmap);
    map->has_expected = is_exact(&map->expected.blockmap, corner);
    if (!map->has_expected)
        fail_for_stage(file, map, "does not build what could be compared with");
}

static void find_expected(struct open_file *file, struct open_map *map)
{
    struct corner corner = find_corner(&map->decoded);
    const char *problem = align(map, &corner);
    if (problem)
        doubt_origin(map, problem);
    else
        build_expected(file, map, corner);
}

// ---------------------------------------------------------------------------
// Maps

// The value of an option that limits what the stage takes, and here what lumps
// take to examine; 0 stands for more than any takes.
static uint64_t find_limit(const struct open_file *file, const char *name,
                           const char *unknown)
{
    uint64_t limit = strtoull(open_map_setting(file, name, unknown), NULL, 10);
    return limit > 0 && limit < MOST_LIMIT ? limit : MOST_LIMIT;
}

static void read_map(struct open_file *file, const struct map_place *place,
                     struct open_map *map)
{
    map->map.lumps = map->lumps;
    size_t index = maps_find_lump(&file->wad, place, "BLOCKMAP");
    if (index < place->end)
        map->lump = &map->lumps[index - place->marker - 1];
    decode_lines(file, map);
    size_t line_count = map->line_count > 0 ? map->line_count : UNKNOWN_LINES;
    const struct blockmap_limits limits = {
        .blocks = find_limit(file, "max-blocks", "262144"),
        .memory = find_limit(file, "max-memory", "0") * MEBIBYTE,
    };
    blockmap_read(map->lump ? map->lump->data : NULL,
                  map->lump ? map->lump->data_size : 0, line_count, &limits,
                  &map->present);
    if (map->lump) // the stage gets whole words; the report counts the others
        map->lump->data_size -= map->present.odd_bytes;
    if (map->has_decoded)
        find_expected(file, map);
    if (map->has_expected)
        expected_correct_headers(&map->expected, map->line_count,
                                 &map->present);
}

// Reads the lumps.  After a failure no map is read, and there is one message.
static bool read_lumps(struct open_file *file, const struct map_place *place,
                       struct open_map *map)
{
    bool is_told = *file->flaw;
    map->is_unread =
        is_told || !maps_read_lumps(&file->wad, place, NULL, NULL, &map->lumps,
                                    &map->map.lump_count, file->flaw);
    if (!map->is_unread)
        return true;
    if (!*file->flaw)
        memory_ran_out();
    if (!is_told)
        message_print("%s: %s", file->path, file->flaw);
    map->error = memory_copy_text(file->flaw);
    return false;
}

void open_map_read(struct open_file *file, size_t index, struct open_map *map)
{
    const struct map_place *place = file->places[index];
    char sentence[WAD_FLAW_SIZE];
    bool is_told;
    *map = (struct open_map){
        .name = file->wad.lumps[place->marker].name,
        .decoded.size = sizeof map->decoded,
        .expected_result.size = sizeof map->expected_result,
    };
    map->map = (struct nbstage_map){.size = sizeof map->map, .name = map->name};
    map->is_unread =
        !budget_admits(&file->budget, &file->wad, place, sentence, &is_told);
    if (map->is_unread) {
        map->error = memory_copy_text(sentence);
        if (!is_told)
            message_print("%s: %s", file->path, sentence);
        return;
    }
    if (!read_lumps(file, place, map))
        return;
    read_map(file, place, map);
    budget_take(&file->budget, BUDGET_BLOCKS, map->present.block_count);
    budget_take(&file->budget, BUDGET_ENTRIES, map->present.words.count);
}

void open_map_find_harmless(struct open_file *file, struct open_map *map)
{
    if (!map->has_decoded)
        return;
    map->has_pruned = !decode(file, map, "unreachable", &map->pruned) ||
                      !decode(file, map, "inert", &map->pruned);
    if (map->has_pruned && map->pruned.line_count == map->line_count)
        map->expected.harmless = map->pruned.left_out;
}

void open_map_free(struct open_file *file, struct open_map *map)
{
    const struct nbstage_descriptor *stage = file->stage.descriptor;
    if (map->has_pruned)
        stage->free_decoded(file->stage.instance, &map->pruned);
    stage->free_result(file->stage.instance, &map->expected_result);
    if (map->has_decoded)
        stage->free_decoded(file->stage.instance, &map->decoded);
    blockmap_free(&map->present);
    blockmap_free(&map->expected.blockmap);
    sentences_free(&map->warnings);
    free(map->error);
    free(map->doubt);
    free(map->lumps);
}
