// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps are read, reported and freed one after the other.  A picture and a
// single block are of one map, which --map must choose if the file has several.

#include "config.h"

#include "show/show.h"

#include "commands.h"
#include "memory.h"
#include "picture/picture.h"
#include "verify/mismatches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A block as --list names it.
struct place {
    enum { BY_NUMBER, BY_COLUMN, BY_POINT } how;
    long x; // the number, the column, or in map units
    long y;
};

struct show {
    const struct arguments *arguments;
    struct place place;
    bool has_table; // a row for each map, no details
    struct open_file file;
};

// ---------------------------------------------------------------------------
// A map

// Keeps why a map cannot be shown: its own error, or else a sentence.
static enum exit_status fail_map(struct show_map *shown, const char *sentence)
{
    const char *error = shown->map->error;
    shown->error = memory_copy_text(error ? error : sentence);
    return STATUS_MAP_FAILED;
}

// Why the present lump is not shown.
static const char *describe_present(const struct open_map *map)
{
    if (!map->lump)
        return "there is none";
    if (map->present.bytes == 0)
        return "it is empty";
    if (blockmap_is_over_limits(&map->present))
        return "it is larger than max-blocks or max-memory allows for";
    return map->present.fault == BLOCKMAP_SOUND
               ? "it has no blocks"
               : "it ends before its lists begin";
}

// Has the stage build the blockmap of a map that has none.
static enum exit_status build_blockmap(struct show *show,
                                       struct show_map *shown)
{
    const struct stage_setting settings[] = {
        {"lists", "exact"},
        {"grid", "fit"},
        {"prune", open_map_prune(&show->file)},
        {"pack", "share"},
        {"header", "zero"},
        {"format", "auto"},
        {"limit", "extended"},
        {"overflow", "xbm1"},
        {NULL, NULL},
    };
    const char *sentence =
        open_map_build(&show->file, shown->map, settings, &shown->result);
    if (sentence)
        return fail_map(shown, sentence);
    open_map_read_result(&shown->result, shown->map->line_count, &shown->built);
    shown->is_built = true;
    shown->blockmap = &shown->built;
    return STATUS_DONE;
}

// Compares the map's own lump with its lines, and judges it.
static void judge_present(struct show *show, struct show_map *shown)
{
    struct mismatches mismatches = {0};
    if (shown->map->has_expected)
        mismatches_find(shown->map, false, &mismatches);
    shown->missing = mismatches.missing.found;
    mismatches_free(&mismatches);
    engines_judge(&show->file, shown->map, &shown->verdicts);
    shown->maker_count = makers_find(&show->file, shown->map, shown->makers);
}

// ---------------------------------------------------------------------------
// A block

// Reads the value of --list.  A number that is too large is in no grid.
static enum exit_status read_place(const char *list, struct place *place)
{
    const bool is_point = strncmp(list, "at ", 3) == 0;
    const char *text = is_point ? list + 3 : list;
    char *end;
    place->x = strtol(text, &end, 10);
    if (end > text && *end == ',') {
        place->how = is_point ? BY_POINT : BY_COLUMN;
        text = end + 1;
        place->y = strtol(text, &end, 10);
    }
    if (end > text && *end == '\0' && (place->how == BY_POINT || !is_point))
        return STATUS_DONE;
    message_print("--list: '%s' is no block; COLUMN,ROW, its number, or "
                  "'at X,Y' in map units was expected",
                  list);
    return STATUS_USAGE;
}

static bool find_place(const struct blockmap *blockmap,
                       const struct place *place, size_t *block)
{
    const double side = BLOCKMAP_FIXED_SIDE;
    double column = (double)place->x;
    double row = (double)place->y;
    *block = (size_t)place->x;
    if (place->how == BY_NUMBER)
        return place->x >= 0 && *block < blockmap->block_count;
    if (place->how == BY_POINT) {
        column = (column * BLOCKMAP_UNIT - blockmap->origin_x) / side;
        row = (row * BLOCKMAP_UNIT - blockmap->origin_y) / side;
    }
    if (column < 0 || column >= blockmap->columns || row < 0 ||
        row >= blockmap->rows)
        return false;
    *block = (size_t)row * blockmap->columns + (size_t)column;
    return true;
}

// Finds the block that --list names.
static enum exit_status find_block(const struct show *show,
                                   struct show_map *shown)
{
    const struct blockmap *blockmap = shown->blockmap;
    char sentence[256];
    shown->has_block = find_place(blockmap, &show->place, &shown->block);
    if (shown->has_block)
        return STATUS_DONE;
    snprintf(sentence, sizeof sentence,
             "%s has no block %s; blocks 0,0 to %lu,%lu (0 to %zu) from "
             "%.10g,%.10g to %.10g,%.10g were expected",
             shown->map->name, show->arguments->list,
             (unsigned long)blockmap->columns - 1,
             (unsigned long)blockmap->rows - 1, blockmap->block_count - 1,
             blockmap_edge(blockmap->origin_x, 0),
             blockmap_edge(blockmap->origin_y, 0),
             blockmap_edge(blockmap->origin_x, blockmap->columns),
             blockmap_edge(blockmap->origin_y, blockmap->rows));
    shown->error = memory_copy_text(sentence);
    return STATUS_USAGE;
}

// ---------------------------------------------------------------------------
// The picture

// For each block that shares its list, unless the list is empty, the list's
// offset.
static uint32_t *group_sharers(const struct show_map *shown)
{
    uint32_t *groups = memory_get(shown->blockmap->block_count, sizeof *groups);
    for (size_t b = 0; b < shown->blockmap->block_count; b++) {
        const struct blockmap_list *list = &shown->blockmap->lists[b];
        const uint32_t *sharers;
        if (list->distinct > 0 &&
            statistics_find_sharers(shown->blockmap, b, &sharers) > 1)
            groups[b] = list->offset;
    }
    return groups;
}

// Writes the pictures of --svg and --html.
static enum exit_status write_pictures(const struct arguments *arguments,
                                       const struct show_map *shown)
{
    uint32_t *groups = arguments->shared ? group_sharers(shown) : NULL;
    struct picture picture = {
        .name = shown->map->name,
        .path = arguments->input,
        .lump = shown->is_built ? "not built yet:" : "BLOCKMAP of",
        .blockmap = shown->blockmap,
        .statistics = &shown->statistics,
        .decoded = &shown->map->decoded,
        .reasons = &shown->map->expected,
        .groups = groups,
    };
    enum exit_status status = picture_save(&picture, arguments);
    free(groups);
    return status;
}

// ---------------------------------------------------------------------------
// The command

static enum exit_status study_map(struct show *show, struct show_map *shown)
{
    enum exit_status status = STATUS_DONE;
    if (!shown->map->has_decoded)
        status = fail_map(shown, "its lines cannot be read");
    else if (shown->blockmap->block_count == 0)
        status = build_blockmap(show, shown);
    if (status != STATUS_DONE)
        return status;
    statistics_count(shown->blockmap, shown->map->line_count,
                     &shown->statistics);
    if (!shown->is_built)
        judge_present(show, shown);
    if (show->arguments->list)
        status = find_block(show, shown);
    if (status == STATUS_DONE)
        status = write_pictures(show->arguments, shown);
    return status;
}

// Prints what is to say about a map, and what is shown of it.
static void print_map(const struct show *show, const struct show_map *shown,
                      enum exit_status status)
{
    const struct open_map *map = shown->map;
    const char *path = show->file.path;
    open_map_print_doubt(&show->file, map);
    if (shown->is_built)
        message_print("%s: %s: BLOCKMAP: %s; what is shown is what a build "
                      "makes",
                      path, map->name, describe_present(map));
    if (shown->error && !map->error)
        message_print("%s: %s", path, shown->error);
    if (status != STATUS_DONE && !shown->error)
        return;
    if (show->arguments->json)
        show_report_map_json(shown);
    else if (show->has_table)
        show_report_row(shown);
    else if (!show->arguments->quiet && status != STATUS_USAGE)
        show_report_map(shown);
}

static enum exit_status show_map(struct show *show, size_t index)
{
    const struct nbstage *stage = &show->file.stage;
    struct open_map map;
    struct show_map shown = {.map = &map,
                             .blockmap = &map.present,
                             .result.size = sizeof shown.result};
    open_map_read(&show->file, index, &map);
    open_map_find_harmless(&show->file, &map);
    enum exit_status status = study_map(show, &shown);
    print_map(show, &shown, status);
    stage->descriptor->free_result(stage->instance, &shown.result);
    blockmap_free(&shown.built);
    statistics_free(&shown.statistics);
    free(shown.error);
    open_map_free(&show->file, &map);
    return status;
}

// A picture and a block are of one map.
static enum exit_status check_usage(const struct show *show)
{
    const struct arguments *arguments = show->arguments;
    const char *option = picture_option(arguments);
    if (arguments->shared && !option) {
        message_print("--shared is for the pictures of --svg and --html; see "
                      "'blocksweep show --help'");
        return STATUS_USAGE;
    }
    return open_file_check_one(&show->file, option            ? option
                                            : arguments->list ? "list"
                                                              : NULL);
}

static enum exit_status show_maps(struct show *show)
{
    const struct arguments *arguments = show->arguments;
    const bool has_text = !arguments->json && !arguments->quiet;
    enum exit_status worst = STATUS_DONE;
    show->has_table = has_text && !arguments->verbose && show->file.count > 1;
    if (arguments->json)
        show_report_begin_json(show->file.stage.descriptor, show->file.path);
    else if (show->has_table)
        show_report_headings();
    for (size_t i = 0; i < show->file.count; i++) {
        if (i > 0 && has_text && !show->has_table)
            putchar('\n');
        enum exit_status status = show_map(show, i);
        if (status > worst)
            worst = status;
    }
    if (arguments->json)
        show_report_end_json();
    return worst;
}

enum exit_status show_run(const struct arguments *arguments,
                          const struct nbstage *stage)
{
    struct show show = {.arguments = arguments};
    enum exit_status status = picture_check_paths(arguments);
    if (status == STATUS_DONE && arguments->list)
        status = read_place(arguments->list, &show.place);
    if (status == STATUS_DONE)
        status = open_file_read(arguments, stage, &arguments->input, &show.file,
                                NULL);
    if (status == STATUS_DONE)
        status = check_usage(&show);
    if (status == STATUS_DONE)
        status = show_maps(&show);
    if (*show.file.flaw)
        status = STATUS_FILE;
    open_file_free(&show.file);
    return status;
}
