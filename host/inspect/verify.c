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
#include "lists/check-nodes.h"
#include "lists/lists.h"
#include "lump/blockmap.h"
#include "lump/lump.h"
#include "lump/verdicts.h"
#include "map/map.h"
#include "map/nodes.h"
#include "memory.h"
#include "nbstage.h"
#include "picture/picture.h"
#include "platform/system.h"
#include "prune/prune.h"

#include <stdlib.h>

// ---------------------------------------------------------------------------
// Mismatches by name

struct mismatch_search {
    const struct inspect_map *map;
    struct mismatches *mismatches;

    // For each block how many extra entries those before it have.
    const size_t *extra;

    // For each linedef the last block that should list it, and 1.
    size_t *in_block;
};

// Harmless ones have room of their own, so that they never hide the others.
static void mismatches_add(struct mismatch_list *list, int64_t column,
                           int64_t row, uint32_t linedef, bool is_harmless)
{
    size_t harmful = list->count - list->harmless_count;
    if (!list->mismatch)
        list->mismatch =
            memory_get(2 * MOST_MISMATCHES, sizeof *list->mismatch);
    if ((is_harmless ? list->harmless_count : harmful) == MOST_MISMATCHES)
        return;
    list->mismatch[list->count++] = (struct mismatch){column, row, linedef};
    list->harmless_count += is_harmless;
}

// Collects what is missing in a block of the expected grid.
static void mismatches_add_missing(const struct inspect_map *map, size_t block,
                                   struct mismatches *mismatches)
{
    const struct expected *expected = &map->expected;
    const struct grid *grid = &expected->grid;
    for (size_t e = expected->starts[block]; e < expected->starts[block + 1];
         e++)
        if (mismatches->judgement.is_missing[e])
            mismatches_add(
                expected_is_outside(expected, block, map->present.columns,
                                    map->present.rows)
                    ? &mismatches->outside
                    : &mismatches->missing,
                (int64_t)(block % grid->columns) - expected->west,
                (int64_t)(block / grid->columns) - expected->south,
                expected->linedefs[e],
                expected_is_harmless(expected, expected->linedefs[e]));
}

static void mismatches_add_extra(void *user, size_t block,
                                 const struct list_view *list_view)
{
    const struct mismatch_search *search = user;
    const struct expected *expected = &search->map->expected;
    const uint32_t columns = search->map->present.columns;
    const size_t own = expected_block(expected, block);
    const size_t first = search->extra[block];
    size_t end = search->extra[block + 1];
    if (end > MOST_MISMATCHES)
        end = MOST_MISMATCHES;
    if (first >= end)
        return;
    for (size_t e = expected->starts[own]; e < expected->starts[own + 1]; e++)
        search->in_block[expected->linedefs[e]] = block + 1;
    for (size_t i = 0, left = end - first; left > 0; i++) {
        const uint32_t linedef = list_view->linedefs[i];
        if (search->in_block[linedef] == block + 1)
            continue;
        mismatches_add(&search->mismatches->extra, (int64_t)(block % columns),
                       (int64_t)(block / columns), linedef, false);
        left--;
    }
}

static int mismatches_compare(const void *a, const void *b)
{
    const struct mismatch *left = a;
    const struct mismatch *right = b;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return (left->linedef > right->linedef) - (left->linedef < right->linedef);
}

static void mismatches_find_extra(const struct inspect_map *map,
                                  struct mismatches *mismatches)
{
    struct mismatch_list *list = &mismatches->extra;
    size_t *extra = memory_get(map->present.block_count + 1, sizeof *extra);
    struct mismatch_search search = {
        .map = map,
        .mismatches = mismatches,
        .extra = extra,
        .in_block = memory_get(map->line_count, sizeof *search.in_block),
    };
    for (size_t b = 0; b < map->present.block_count; b++)
        extra[b + 1] = extra[b] + mismatches->judgement.extra[b];
    blockmap_read_lists(&map->present, map->line_count, mismatches_add_extra,
                        &search);
    if (list->count > 0)
        qsort(list->mismatch, list->count, sizeof *list->mismatch,
              mismatches_compare);
    free(search.in_block);
    free(extra);
}

static void mismatches_find(struct inspect_file *file,
                            const struct inspect_map *map, bool names_extra,
                            struct mismatches *mismatches)
{
    const struct lump_judgement *judgement = &mismatches->judgement;
    *mismatches = (struct mismatches){0};
    inspect_need(judge_lump(&file->memory, &map->expected, &map->present,
                            map->line_count, &mismatches->judgement));
    if (judgement->inside.missing + judgement->outside.missing > 0)
        for (size_t b = 0; b < map->expected.block_count; b++)
            mismatches_add_missing(map, b, mismatches);
    if (names_extra)
        mismatches_find_extra(map, mismatches);
}

static void mismatches_free(struct inspect_file *file,
                            struct mismatches *mismatches)
{
    judge_free(&file->memory, &mismatches->judgement);
    free(mismatches->missing.mismatch);
    free(mismatches->outside.mismatch);
    free(mismatches->extra.mismatch);
    *mismatches = (struct mismatches){0};
}

// ---------------------------------------------------------------------------
// Verdicts

static bool verify_is_wrong_for(const struct verify_map *found, size_t engine)
{
    const struct engine *judged = found->verdicts.engine[engine];
    enum verdict verdict = found->verdicts.verdict[engine];
    const struct blockmap *present = &found->map->present;
    bool is_over_limit = present->largest_offset > INT16_MAX ||
                         found->map->line_count > INT16_MAX + 1;
    if (!found->verdicts.named &&
        ((judged->has_signed_words && is_over_limit) ||
         (present->form == LUMP_XBM1 && !judged->reads_xbm1)))
        return false;
    return verdict == VERDICT_WRONG || verdict == VERDICT_CRASHES;
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
        (found->harmful > 0 || blockmap_has_unreadable(&map->present));
    if (is_wrong || is_wrong_for_any || found->segs.verdict == SEGS_FAIL)
        return VERIFY_WRONG;
    return found->missing > found->harmful ? VERIFY_HARMLESS : VERIFY_GOOD;
}

static bool verify_is_rejected(const struct arguments *arguments,
                               const struct verify_map *found)
{
    switch (found->status) {
    case VERIFY_GOOD:
        return found->segs.verdict == SEGS_UNCHECKED ||
               (arguments->strict &&
                found->mismatches.judgement.extra_count > 0);
    case VERIFY_HARMLESS:
        return found->segs.verdict == SEGS_UNCHECKED || arguments->strict;
    case VERIFY_EMPTY:
        return arguments->strict;
    default:
        return true;
    }
}

static void verify_compare_lists(struct inspect_file *file,
                                 struct verify_map *found)
{
    const struct arguments *arguments = file->arguments;
    const struct inspect_map *map = found->map;
    const struct lump_judgement *judgement = &found->mismatches.judgement;
    if (map->present.form == LUMP_EMPTY || map->present.fault != BLOCKMAP_SOUND)
        return;
    mismatches_find(file, map, arguments->verbose || picture_option(arguments),
                    &found->mismatches);
    found->missing = judgement->inside.missing + judgement->outside.missing;
    found->harmful = judgement->inside.harmful + judgement->outside.harmful;
}

// Checks the segs against lists that can all be read.
static void verify_check_segs(struct inspect_file *file,
                              struct inspect_map *map, struct segs *segs)
{
    struct context *context = &file->context;
    const struct map_bytes *lump = &map->map.blockmap;
    struct nodes nodes = {0};
    struct lists lists = {0};
    struct nodes_check check = {0};
    struct grid grid;
    inspect_begin(file, map);
    nbstage_status status = nodes_read(context, &map->map, NODES_SEGS, &nodes);
    if (status == NBSTAGE_OK)
        status = lump_read_lists(context, lump->bytes, lump->size,
                                 map->line_count, &grid, &lists);
    if (status == NBSTAGE_OK) {
        status = check_nodes(context, &map->map, &nodes, &grid, &lists,
                             map->pruned.fates, &check);
        lists_free(context, &lists);
    }
    nodes_free(context, &nodes);
    const char *sentence = inspect_end(file, status);
    segs->checked = check.seg_count;
    segs->verdict = !sentence          ? SEGS_PASS
                    : check.has_failed ? SEGS_FAIL
                                       : SEGS_UNCHECKED;
    segs->sentence = sentence ? memory_copy_text(sentence) : NULL;
}

static void verify_judge_segs(struct inspect_file *file,
                              struct inspect_map *map, struct segs *segs)
{
    segs->verdict = SEGS_UNCHECKED;
    if (blockmap_has_unreadable(&map->present))
        segs->sentence = memory_copy_text("not all of the lump can be read");
    else if (map->present.block_count == 0)
        segs->sentence = memory_copy_text("there are no lists");
    else
        verify_check_segs(file, map, segs);
}

static void verify_examine(struct inspect_file *file, size_t index,
                           struct inspect_map *map, struct verify_map *found)
{
    *found = (struct verify_map){.map = map};
    inspect_read_map(file, index, map);
    inspect_find_harmless(file, map);
    lump_judge(file, map, &found->verdicts);
    if (map->has_expected)
        verify_compare_lists(file, found);
    if (map->has_expected && file->arguments->nodes)
        verify_judge_segs(file, map, &found->segs);
    found->status = verify_judge(found);
    found->rejected = verify_is_rejected(file->arguments, found);
}

static enum exit_status verify_map(struct inspect_file *file, size_t index,
                                   struct verify_total *total)
{
    double started = clock_now();
    struct inspect_map map;
    struct verify_map found;
    verify_examine(file, index, &map, &found);
    found.seconds = clock_now() - started;
    inspect_print_doubt(file, &map);
    verify_report_map(file->arguments, &found, total);
    enum exit_status status = STATUS_DONE;
    if (picture_option(file->arguments))
        status = verify_draw_map(file, &found);
    mismatches_free(file, &found.mismatches);
    free(found.segs.sentence);
    inspect_free_map(file, &map);
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
    if (*file.flaw)
        status = STATUS_FILE;
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
    if (worst == STATUS_DONE && option && arguments->file_count > 1) {
        message_print("--%s is for one map, but there are %zu files", option,
                      arguments->file_count);
        worst = STATUS_USAGE;
    }
    bool *failed = memory_get(arguments->file_count, sizeof *failed);
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
    return worst == STATUS_DONE && total.rejected > 0 ? STATUS_MAP_FAILED
                                                      : worst;
}
