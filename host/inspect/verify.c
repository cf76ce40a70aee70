// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps are read, checked and reported one after the other.
//
// Segs are checked against the lists as a build with lists=lump reads them.
//
// The judgement has the missing entries, but only counts extra ones.  Another
// reading of the lists collects these, no more than are asked for, however long
// the lists are.

#include "config.h"

#include "inspect/verify.h"

#include "arguments.h"
#include "inspect/findings.h"
#include "inspect/verdicts.h"
#include "lines/entries.h"
#include "lines/grid.h"
#include "lists/check-nodes.h"
#include "lists/lists.h"
#include "lump/blockmap.h"
#include "lump/lump.h"
#include "map/map.h"
#include "map/nodes.h"
#include "memory.h"
#include "nbstage.h"
#include "picture/drawing.h"
#include "picture/picture.h"
#include "platform/system.h"
#include "prune/prune.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------
// Entries

// Collects what is missing in a block of the expected grid.
static void verify_add_missing(struct verify_map *found, size_t block)
{
    const struct expected *expected = &found->map->expected;
    const struct grid *grid = &expected->grid;
    const int64_t x = (int64_t)grid->origin_x * BLOCKMAP_UNIT +
                      (int64_t)(block % grid->columns) * BLOCK_FIXED_SIZE;
    const int64_t y = (int64_t)grid->origin_y * BLOCKMAP_UNIT +
                      (int64_t)(block / grid->columns) * BLOCK_FIXED_SIZE;
    for (size_t e = expected->starts[block]; e < expected->starts[block + 1];
         e++) {
        const uint32_t linedef = expected->linedefs[e];
        const enum finding_kind kind = expected_is_solid(expected, linedef)
                                           ? FINDING_SOLID
                                           : FINDING_HARMLESS;
        if (found->judgement.is_missing[e])
            findings_add(&found->missing, kind, x, y, linedef);
    }
}

struct verify_search {
    struct verify_map *found;

    // For each block how many extra entries those before it have.
    size_t *before;

    // For each linedef the last block that should list it, and 1.
    size_t *in_block;
};

static void verify_add_extra(void *user, size_t block,
                             const struct list_view *list_view)
{
    const struct verify_search *search = user;
    struct verify_map *found = search->found;
    const struct expected *expected = &found->map->expected;
    const struct lump_place place =
        lump_block_place(&found->map->present, block);
    const size_t own = expected_block(expected, block);
    const size_t first = search->before[block];
    size_t end = search->before[block + 1];
    if (end > MOST_FINDINGS)
        end = MOST_FINDINGS;
    if (first >= end)
        return;
    for (size_t e = expected->starts[own]; e < expected->starts[own + 1]; e++)
        search->in_block[expected->linedefs[e]] = block + 1;
    for (size_t i = 0, left = end - first; left > 0; i++) {
        const uint32_t linedef = list_view->linedefs[i];
        if (search->in_block[linedef] == block + 1)
            continue;
        findings_add(&found->extra, FINDING_EXTRA, place.x, place.y, linedef);
        left--;
    }
}

static void verify_find_extra(struct verify_map *found)
{
    const struct inspect_map *map = found->map;
    const struct blockmap *present = &map->present;
    struct verify_search search = {
        .found = found,
        .before = memory_get(present->block_count + 1, sizeof *search.before),
        .in_block = memory_get(map->line_count, sizeof *search.in_block),
    };
    for (size_t b = 0; b < present->block_count; b++)
        search.before[b + 1] = search.before[b] + found->judgement.extra[b];
    blockmap_read_lists(present, map->line_count, verify_add_extra, &search);
    findings_sort(&found->extra);
    free(search.in_block);
    free(search.before);
}

static void verify_compare_lists(struct inspect_file *file,
                                 struct verify_map *found)
{
    const struct inspect_map *map = found->map;
    const struct lump_judgement *judgement = &found->judgement;
    if (map->present.form == LUMP_EMPTY || map->present.fault != BLOCKMAP_SOUND)
        return;
    inspect_need(judge_lump(&file->memory, &map->expected, &map->present,
                            map->line_count, &found->judgement));
    found->missing_count =
        judgement->inside.missing + judgement->outside.missing;
    found->solid_count = judgement->inside.solid + judgement->outside.solid;
    for (size_t b = 0;
         found->missing_count > 0 && b < map->expected.block_count; b++)
        verify_add_missing(found, b);
    if (file->arguments->verbose)
        verify_find_extra(found);
}

// ---------------------------------------------------------------------------
// Verdicts

static bool verify_is_wrong_for(const struct verify_map *found, size_t engine)
{
    const struct engine *judged = found->verdicts.engine[engine];
    const enum verdict_kind kind = found->verdicts.verdict[engine].kind;
    const struct blockmap *present = &found->map->present;
    bool is_over_limit = present->largest_offset > LUMP_VANILLA_OFFSET ||
                         found->map->line_count > LUMP_VANILLA_LINES;
    if (!found->verdicts.named &&
        ((judged->has_signed_words && is_over_limit) ||
         (present->form == LUMP_XBM1 && !judged->reads_xbm1)))
        return false;
    return kind == VERDICT_WRONG || kind == VERDICT_CRASHES;
}

static enum verify_status verify_judge(struct verify_map *found)
{
    const struct inspect_map *map = found->map;
    bool is_wrong_for_any = false;
    for (size_t i = 0; i < found->verdicts.count; i++) {
        found->is_wrong_for[i] = verify_is_wrong_for(found, i);
        is_wrong_for_any |= found->is_wrong_for[i];
    }
    if (!map->has_expected)
        return VERIFY_FAILED;
    if (map->present.form == LUMP_EMPTY)
        return VERIFY_EMPTY;
    bool is_wrong =
        !found->verdicts.named &&
        (found->solid_count > 0 || lump_has_unreadable(&map->present));
    if (is_wrong || is_wrong_for_any)
        return VERIFY_WRONG;
    return found->missing_count > found->solid_count ? VERIFY_HARMLESS
                                                     : VERIFY_GOOD;
}

static bool verify_is_rejected(const struct arguments *arguments,
                               const struct verify_map *found)
{
    if (found->status == VERIFY_WRONG || found->status == VERIFY_FAILED)
        return true;
    if (arguments->strict &&
        (found->status != VERIFY_GOOD || found->judgement.extra_count > 0))
        return true;
    return found->status != VERIFY_EMPTY && found->segs.sentence;
}

// Checks the segs against lists that can all be read.
static void verify_check_segs(struct inspect_file *file,
                              struct inspect_map *map, struct segs *segs)
{
    struct context *context = &file->context;
    const struct map_bytes *lump = &map->map.blockmap;
    struct nodes nodes = {0};
    struct entries entries = {0};
    struct lists lists = {0};
    struct nodes_check check = {0};
    struct grid grid;
    inspect_begin(file, map);
    nbstage_status status = nodes_read(context, &map->map, NODES_SEGS, &nodes);
    if (status == NBSTAGE_OK)
        status = lump_read_entries(context, lump->bytes, lump->size,
                                   map->line_count, &grid, &entries);
    if (status == NBSTAGE_OK)
        status = lists_build(context, &grid, &entries, &lists);
    entries_free(context, &entries);
    if (status == NBSTAGE_OK) {
        status = check_nodes(context, &map->map, &nodes, &grid, &lists,
                             map->pruned.fates, &check);
        lists_free(context, &lists);
    }
    nodes_free(context, &nodes);
    const char *sentence = inspect_end(file, status);
    segs->passed = check.seg_count;
    segs->sentence = sentence ? memory_copy_text(sentence) : NULL;
}

static void verify_judge_segs(struct inspect_file *file,
                              struct inspect_map *map, struct segs *segs)
{
    if (lump_has_unreadable(&map->present))
        segs->sentence = memory_copy_text("not all of the lump can be read");
    else if (map->present.block_count == 0)
        segs->sentence = memory_copy_text("there are no lists");
    else
        verify_check_segs(file, map, segs);
}

// ---------------------------------------------------------------------------
// The picture

enum exit_status verify_draw(struct inspect_file *file,
                             const struct verify_map *found)
{
    struct picture_fact facts[PICTURE_FACTS];
    struct picture picture = {.facts = facts};
    verify_list_facts(found, facts);
    if (found->map->has_expected) {
        picture.expected = &found->map->expected;
        picture.is_missing = found->judgement.is_missing;
        picture.missing = &found->missing;
    }
    return inspect_draw(file, found->map, &picture);
}

// ---------------------------------------------------------------------------
// Maps and files

void verify_examine(struct inspect_file *file, size_t index,
                    struct inspect_map *map, struct verify_map *found)
{
    *found = (struct verify_map){.map = map};
    inspect_read_map(file, index, map);
    inspect_find_solid(file, map);
    found->verdicts =
        verdicts_find(map->has_expected ? &map->expected : NULL, &map->present,
                      map->line_count, file->options.build.engines);
    if (map->has_expected)
        verify_compare_lists(file, found);
    if (map->has_expected && file->arguments->nodes)
        verify_judge_segs(file, map, &found->segs);
    found->status = verify_judge(found);
    found->rejected = verify_is_rejected(file->arguments, found);
}

void verify_free(struct inspect_file *file, struct verify_map *found)
{
    judge_free(&file->memory, &found->judgement);
    findings_free(&found->missing);
    findings_free(&found->extra);
    free(found->segs.sentence);
    inspect_free_map(file, found->map);
}

static enum exit_status verify_map(struct inspect_file *file, size_t index,
                                   struct verify_total *total)
{
    double started = clock_now();
    struct inspect_map map;
    struct verify_map found;
    verify_examine(file, index, &map, &found);
    found.seconds = clock_now() - started;
    verify_report_map(file->arguments, &found, total);
    enum exit_status status = STATUS_DONE;
    if (picture_option(file->arguments))
        status = verify_draw(file, &found);
    verify_free(file, &found);
    return status;
}

static enum exit_status verify_file(const struct arguments *arguments,
                                    const char *path,
                                    struct verify_total *total)
{
    struct inspect_file file;
    enum exit_status status = inspect_open(arguments, &path, &file, NULL);
    enum exit_status drawn = STATUS_DONE;
    if (status == STATUS_DONE)
        status = inspect_check_one(&file, picture_option(arguments));
    if (status != STATUS_USAGE)
        verify_report_file(arguments, path, status == STATUS_DONE, total);
    for (size_t i = 0; i < file.count && status == STATUS_DONE; i++)
        drawn = verify_map(&file, i, total);
    if (status != STATUS_USAGE)
        verify_report_file_end(arguments, status == STATUS_DONE);
    inspect_close(&file);
    return status == STATUS_DONE ? drawn : status;
}

// Why they failed may be far above the end of the report.
static void verify_name_failed(const struct arguments *arguments,
                               const bool *failed)
{
    for (size_t i = 0; arguments->file_count > 1 && i < arguments->file_count;
         i++)
        if (failed[i])
            message_print("%s: not verified", arguments->files[i]);
}

enum exit_status verify_run(const struct arguments *arguments)
{
    struct verify_total total = {0};
    enum exit_status worst = picture_check_paths(arguments);
    const char *option = picture_option(arguments);
    if (worst != STATUS_DONE)
        return worst;
    if (option && arguments->file_count > 1) {
        message_print("--%s is for one map, but there are %zu files", option,
                      arguments->file_count);
        return STATUS_USAGE;
    }
    bool *failed = memory_get(arguments->file_count, sizeof *failed);
    total.repairable =
        memory_get(arguments->file_count, sizeof *total.repairable);
    for (size_t i = 0; i < arguments->file_count && worst != STATUS_USAGE;
         i++) {
        enum exit_status status =
            verify_file(arguments, arguments->files[i], &total);
        failed[i] = status != STATUS_DONE;
        if (status == STATUS_USAGE || status > worst)
            worst = status;
    }
    verify_report_end(arguments, &total);
    verify_name_failed(arguments, failed);
    free(failed);
    free(total.repairable);
    return worst == STATUS_DONE && total.rejected > 0 ? STATUS_MAP_FAILED
                                                      : worst;
}
