// SPDX-License-Identifier: GPL-2.0-or-later
//
// The show command describes blockmaps.  Maps are read, reported and freed one
// after the other.  A picture or a single block needs one map, which --map must
// choose if the file has several.

#include "config.h"

#include "common/arguments.h"
#include "common/message.h"
#include "common/report.h"
#include "inspect/inspect.h"
#include "inspect/memory.h"
#include "lump/blockmap.h"
#include "lump/lump.h"
#include "picture/picture.h"
#include "platform/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A block in the form of --list.
struct show_place {
    enum { BY_NUMBER, BY_COLUMN, BY_POINT } how;
    long x; // number, column, or map units
    long y; // row, or map units
};

struct show {
    const struct arguments *arguments;
    struct report *report;
    struct show_place place; // of --list
    bool has_table;          // with a row for each map, not all details
    struct inspect_file file;
};

static const char heading[] =
    "Map      Linedefs  Grid                      Bytes   Lists Fullest "
    "Largest offset  Missing";

static const char *const row_lines[] = {
    "{map:-8} {linedefs:8}  {grid:-22} {bytes:8} {lists:7} {longest:7} "
    "{largest_offset:14}  {missing_entries}",
    NULL};

static const char *const failed_row_lines[] = {"{map:-8} failed", NULL};

static const char *const failed_lines[] = {"{map}: failed", NULL};

static const char *const title_lines[] = {"{map}: {lines}", NULL};

static const char *const summary_lines[] = {"{map}: {lines}",
                                            "  Lump     {form}, {bytes} bytes",
                                            "[  Damage   {fault}]", NULL};

// For a lump with a grid, even of no blocks.
static const char *const list_lines[] = {
    "  Grid     {columns} x {rows} = {blocks} blocks, from "
    "{origin_x},{origin_y} to {east},{north}",
    "  Lists    {lists} stored: {nested_lists} nested in others, the longest "
    "with {longest_list}",
    "  Sharing  {shared_blocks} blocks share {sharing}; headers: {headers}",
    "  Missing  {missing}",
    "[  Reach    {reach}]",
    "[  Damage   blocks whose list cannot be read: {unreadable_blocks}]",
    "[  Damage   lists with linedefs that there are not: {too_large_lists}]",
    NULL};

static const char *const limit_lines[] = {
    "[  {xbm1_limits}]",
    "  Largest offset    {largest_offset:7} of {offset_left}",
    "  Words             {words:7} of {words_left}", NULL};

static const char *const block_lines[] = {
    "  Block {column},{row} at {x},{y}, to {east},{north}; number {block}",
    "  Offset {offset}[: {fault}]", "[  List: {list}]",
    "[  Shared by {sharers} blocks]", NULL};

// ---------------------------------------------------------------------------
// The facts of a map

// "32767, 29812 left"
static void show_add_left(struct facts *facts, const char *name, size_t used,
                          size_t limit)
{
    facts_format(facts, name, "%zu, %zu %s", limit,
                 used > limit ? used - limit : limit - used,
                 used > limit ? "over" : "left");
}

// Text-only cells.
static void show_add_cells(struct facts *facts, const struct inspect_map *map)
{
    const struct blockmap *blockmap = &map->present;
    facts_units(facts, ".lines", map->line_count, "linedef");
    lump_add_grid(facts, ".grid", blockmap, "none");
    facts_number(facts, ".blocks", blockmap->block_count);
    facts_number(facts, ".east",
                 lump_edge(blockmap->origin_x, blockmap->grid.columns));
    facts_number(facts, ".north",
                 lump_edge(blockmap->origin_y, blockmap->grid.rows));
    if (map->has_expected)
        facts_format(facts, ".missing", "%zu entries, %zu of them solid",
                     map->missing_count, map->solid_count);
    else
        facts_text(facts, ".missing", "unknown");
    facts_units(facts, ".longest_list", map->statistics.longest, "linedef");
    facts_units(facts, ".sharing", map->statistics.shared_lists, "list");
    if (blockmap->form == LUMP_XBM1)
        facts_text(facts, ".xbm1_limits",
                   "Limits do not apply to XBM1; as a classic lump:");
    show_add_left(facts, ".offset_left", map->statistics.largest_offset,
                  LUMP_VANILLA_OFFSET);
    show_add_left(facts, ".words_left", blockmap->word_count,
                  LUMP_EXTENDED_WORDS);
}

static void show_add_facts(struct facts *facts, const struct inspect_map *map)
{
    facts_text(facts, "map", map->name);
    facts_text(facts, "status", map->error ? "failed" : "done");
    facts_text(facts, "error", map->error);
    facts_sentences(facts, "warnings", &map->warnings);
    if (map->error)
        return;
    facts_number(facts, "linedefs", map->line_count);
    lump_add_facts(facts, map);
    if (map->has_expected)
        facts_number(facts, "missing_entries", map->missing_count);
    facts_number(facts, "shared_lists", map->statistics.shared_lists);
    facts_number(facts, "shared_blocks", map->statistics.shared_blocks);
    facts_number(facts, "entries", map->statistics.listed);
    facts_number(facts, ".longest", map->statistics.longest);
    show_add_cells(facts, map);
}

// ---------------------------------------------------------------------------
// Blocks

static void show_add_block(struct facts *facts, const struct inspect_map *map,
                           size_t block)
{
    const struct blockmap *blockmap = &map->present;
    const size_t column = block % blockmap->grid.columns;
    const size_t row = block / blockmap->grid.columns;
    lump_add_block(facts, blockmap, lump_block_place(blockmap, block));
    facts_number(facts, ".east", lump_edge(blockmap->origin_x, column + 1));
    facts_number(facts, ".north", lump_edge(blockmap->origin_y, row + 1));
    facts_number(facts, "offset", blockmap_list(blockmap, block).offset);
    facts_number(facts, "length", map->statistics.lengths[block]);
}

static void show_report_block(struct report *report,
                              const struct inspect_map *map, size_t block)
{
    const struct blockmap *blockmap = &map->present;
    const struct blockmap_list list = blockmap_list(blockmap, block);
    const size_t length = list.end - list.begin;
    uint32_t *words = memory_get(length, sizeof *words);
    size_t sharers = 0;
    struct facts facts = {0};
    for (size_t i = 0; i < length; i++)
        words[i] = blockmap_word(blockmap, list.begin + i);
    for (size_t b = 0; b < blockmap->block_count; b++)
        sharers += blockmap_list(blockmap, b).offset == list.offset;
    show_add_block(&facts, map, block);
    facts_text(&facts, "fault", list.fault);
    facts_numbers(&facts, "list", words, length, SIZE_MAX);
    facts_number(&facts, ".sharers", !list.fault && sharers > 1 ? sharers : 0);
    report_object(report, "listed_block", &facts, block_lines);
    free(words);
}

// Reads the value of --list.  strtol clamps huge numbers, which are in no grid.
static enum exit_status show_read_place(const char *list,
                                        struct show_place *place)
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
    message_print("--list: '%s' is not a block; COLUMN,ROW, its number, or "
                  "'at X,Y' in map units was expected",
                  list);
    return STATUS_USAGE;
}

static bool show_find_place(const struct blockmap *blockmap,
                            const struct show_place *place, size_t *block)
{
    const double side = BLOCK_FIXED_SIZE;
    double column = (double)place->x;
    double row = (double)place->y;
    *block = (size_t)place->x;
    if (place->how == BY_NUMBER)
        return place->x >= 0 && *block < blockmap->block_count;
    if (place->how == BY_POINT) {
        column = (column * BLOCKMAP_UNIT - blockmap->origin_x) / side;
        row = (row * BLOCKMAP_UNIT - blockmap->origin_y) / side;
    }
    if (column < 0 || column >= blockmap->grid.columns || row < 0 ||
        row >= blockmap->grid.rows)
        return false;
    *block = (size_t)row * blockmap->grid.columns + (size_t)column;
    return *block < blockmap->block_count;
}

// Finds the block that --list names.
static enum exit_status show_find_block(const struct show *show,
                                        struct inspect_map *map, size_t *block)
{
    const struct blockmap *blockmap = &map->present;
    char sentence[256];
    if (show_find_place(blockmap, &show->place, block))
        return STATUS_DONE;
    if (blockmap->block_count == 0)
        snprintf(sentence, sizeof sentence,
                 "%s has no blockmap whose blocks could be listed", map->name);
    else
        snprintf(sentence, sizeof sentence,
                 "%s has no block %s; blocks 0,0 to %lu,%lu (0 to %zu) from "
                 "%.10g,%.10g to %.10g,%.10g were expected",
                 map->name, show->arguments->list,
                 (unsigned long)blockmap->grid.columns - 1,
                 (unsigned long)blockmap->grid.rows - 1,
                 blockmap->block_count - 1, lump_edge(blockmap->origin_x, 0),
                 lump_edge(blockmap->origin_y, 0),
                 lump_edge(blockmap->origin_x, blockmap->grid.columns),
                 lump_edge(blockmap->origin_y, blockmap->grid.rows));
    inspect_fail(&show->file, map, sentence);
    return STATUS_USAGE;
}

// ---------------------------------------------------------------------------
// The report

static void show_report_failed(const struct show *show,
                               const struct inspect_map *map)
{
    struct facts facts = {0};
    show_add_facts(&facts, map);
    report_object(show->report, NULL, &facts,
                  show->has_table ? failed_row_lines : failed_lines);
}

static void show_report_listed(const struct show *show,
                               const struct inspect_map *map, size_t block)
{
    struct facts facts = {0};
    show_add_facts(&facts, map);
    report_open(show->report, NULL, &facts, title_lines);
    show_report_block(show->report, map, block);
    report_close(show->report);
}

static void show_report_map(const struct show *show,
                            const struct inspect_map *map)
{
    struct report *report = show->report;
    struct facts facts = {0};
    show_add_facts(&facts, map);
    if (show->has_table) {
        report_object(report, NULL, &facts, row_lines);
        return;
    }
    report_open(report, NULL, &facts, summary_lines);
    if (map->present.lists_begin > 0) {
        report_lines(report, &facts, list_lines);
        report_heading(report, "Limits");
        report_lines(report, &facts, limit_lines);
    }
    report_close(report);
}

// ---------------------------------------------------------------------------
// The command

// Finds the block of --list, and draws the picture.
static enum exit_status show_prepare(struct show *show, struct inspect_map *map,
                                     size_t *block)
{
    if (map->error)
        return STATUS_MAP_FAILED;
    if (show->arguments->list)
        NEED_DONE(show_find_block(show, map, block));
    return picture_option(show->arguments) ? picture_save(&show->file, map)
                                           : STATUS_DONE;
}

static enum exit_status show_map(struct show *show, size_t index)
{
    const struct arguments *arguments = show->arguments;
    struct inspect_map map;
    size_t block = 0;
    inspect_judge(&show->file, index, &map);
    const enum exit_status status = show_prepare(show, &map, &block);
    // A nonexistent block is a usage error.
    const bool is_seen =
        arguments->json || show->has_table || status != STATUS_USAGE;
    if (map.error && is_seen)
        show_report_failed(show, &map);
    if (status == STATUS_DONE && arguments->list)
        show_report_listed(show, &map, block);
    else if (status == STATUS_DONE)
        show_report_map(show, &map);
    inspect_free(&show->file, &map);
    return status;
}

static enum exit_status show_maps(struct show *show)
{
    struct report *report = show->report;
    enum exit_status worst = STATUS_DONE;
    struct facts facts = {0};
    show->has_table = !show->arguments->json && !show->arguments->verbose &&
                      show->file.count > 1;
    report_begin(report, "show", NULL);
    facts_text(&facts, "input", show->arguments->input);
    report_facts(report, &facts);
    report_open_list(report, "maps", 0);
    if (show->has_table)
        report_print(report, "%s", heading);
    for (size_t i = 0; i < show->file.count; i++) {
        if (i > 0 && !show->has_table)
            report_print(report, "%s", "");
        enum exit_status status = show_map(show, i);
        if (status > worst)
            worst = status;
    }
    report_end(report);
    return show->file.status > worst ? show->file.status : worst;
}

static enum exit_status show_open(struct show *show)
{
    const struct arguments *arguments = show->arguments;
    const char *option = picture_option(arguments);
    if (!option && arguments->list)
        option = "list";
    NEED_DONE(picture_check_paths(arguments));
    if (arguments->list)
        NEED_DONE(show_read_place(arguments->list, &show->place));
    NEED_DONE(inspect_open(arguments, arguments->input, &show->file));
    return inspect_check_one(&show->file, option);
}

enum exit_status show_run(const struct arguments *arguments)
{
    struct show show = {.arguments = arguments, .report = arguments->report};
    enum exit_status status = show_open(&show);
    if (status == STATUS_DONE)
        status = show_maps(&show);
    inspect_close(&show.file);
    return status;
}
