// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps are paired by name; if a file has several of a name, the first goes with
// the first.  The maps of the old file come first, then those that only the new
// file has.
//
// The expected lists of both maps tell whether lines are in other blocks, and
// which of the linedefs that only one lump lists are right.  The lumps are
// compared even if a map cannot be read or has no expected lists.

#include "config.h"

#include "diff/diff.h"

#include "commands.h"
#include "picture/picture.h"

#include <string.h>

struct pair {
    struct open_file old;
    struct open_file new;
    struct map_pairs partners;
    struct diff_total total;
};

// ---------------------------------------------------------------------------
// A map

static bool has_same_bytes(const struct open_map *old,
                           const struct open_map *new)
{
    const struct blockmap *left = &old->present;
    const struct blockmap *right = &new->present;
    return !old->lump == !new->lump && left->bytes == right->bytes &&
           (left->bytes == 0 ||
            memcmp(left->lump, right->lump, left->bytes) == 0);
}

static enum diff_status judge(const struct diff_map *found)
{
    const struct comparison *comparison = &found->comparison;
    if (found->lines_differ)
        return DIFF_DIFFERENT;
    if (has_same_bytes(found->old, found->new))
        return DIFF_IDENTICAL;
    if (found->old->present.form == BLOCKMAP_EMPTY &&
        found->new->present.form == BLOCKMAP_EMPTY)
        return DIFF_SAME;
    return comparison->grids == GRIDS_NONE ||
                   comparison->grids == GRIDS_OTHER ||
                   comparison->differing_count > 0 || comparison->is_too_long
               ? DIFF_DIFFERENT
               : DIFF_SAME;
}

// Finds whether the lines of the maps are in other blocks, if that is known.
static void compare_lines(struct diff_map *found)
{
    if (!found->old->has_expected || !found->new->has_expected)
        return;
    struct comparison comparison =
        compare_blockmaps(&found->old->expected.blockmap,
                          &found->new->expected.blockmap, NULL, NULL);
    found->words_read += comparison.words_read;
    found->lines_differ = comparison.differing_count > 0;
    found->lines_are_known = found->lines_differ || !comparison.is_too_long;
}

// How many of these linedefs, which ascend, are in the block at a place; 0 if
// that is not known.
static size_t count_right(const struct open_map *map,
                          const struct compare_block *block,
                          const uint32_t *linedefs, size_t count)
{
    const struct blockmap *expected = &map->expected.blockmap;
    struct blockmap_area area = blockmap_across(expected, block->x, block->y);
    size_t right = 0;
    size_t next = 0;
    if (count == 0 || !map->has_expected || blockmap_area_is_empty(&area))
        return 0;
    const struct blockmap_list *list =
        &expected->lists[(size_t)area.rows.begin * expected->columns +
                         area.columns.begin];
    for (size_t w = list->begin; w < list->end; w++) {
        uint32_t linedef = words_get(&expected->words, w);
        while (next < count && linedefs[next] < linedef)
            next++;
        right += next < count && linedefs[next] == linedef;
    }
    return right;
}

// Counts which of the linedefs that only one lump lists are right.  A block of
// a lump is also a block of its expected lists, unless that grid ends before
// it.
static void count_entries(void *context, const struct compare_block *block)
{
    struct diff_map *found = context;
    found->old_right +=
        count_right(found->old, block, block->only_old, block->only_old_count);
    found->new_right +=
        count_right(found->new, block, block->only_new, block->only_new_count);
}

static void compare_maps(struct diff_map *found)
{
    if (!found->old || !found->new) {
        found->status = found->old ? DIFF_ONLY_OLD : DIFF_ONLY_NEW;
        return;
    }
    if (found->old->is_unread || found->new->is_unread) {
        found->status = DIFF_FAILED;
        return;
    }
    bool is_same = has_same_bytes(found->old, found->new);
    found->comparison =
        compare_blockmaps(&found->old->present, &found->new->present,
                          is_same ? NULL : count_entries, found);
    found->words_read = found->comparison.words_read;
    if (is_same) {
        // They do not differ, even if they cannot be read.
        found->comparison.differing_count = 0;
        found->comparison.only_old = 0;
        found->comparison.only_new = 0;
        found->comparison.is_too_long = false;
    }
    compare_lines(found);
    found->status = judge(found);
}

// ---------------------------------------------------------------------------
// The picture

static void add_entries(struct findings *findings, enum finding_kind kind,
                        const struct compare_block *block,
                        const uint32_t *linedefs, size_t count)
{
    if (count > 0)
        findings_mark_block(findings, kind, block->x, block->y);
    for (size_t i = 0; i < count; i++)
        findings_add(findings, kind, block->x, block->y, linedefs[i]);
}

static void add_block(void *context, const struct compare_block *block)
{
    struct findings *findings = context;
    if (block->old_fault != LIST_READABLE ||
        block->new_fault != LIST_READABLE) {
        findings_mark_block(findings, FINDING_UNREADABLE, block->x, block->y);
        findings_add(findings, FINDING_UNREADABLE, block->x, block->y,
                     NBSTAGE_NONE);
        findings->found[FINDING_UNREADABLE]++;
    }
    add_entries(findings, FINDING_ONLY_OLD, block, block->only_old,
                block->only_old_count);
    add_entries(findings, FINDING_ONLY_NEW, block, block->only_new,
                block->only_new_count);
}

static struct findings collect_findings(const struct diff_map *found)
{
    const struct comparison *comparison = &found->comparison;
    struct findings findings = {
        .kinds = 1u << FINDING_ONLY_OLD | 1u << FINDING_ONLY_NEW,
        .found = {[FINDING_ONLY_OLD] = comparison->only_old,
                  [FINDING_ONLY_NEW] = comparison->only_new},
    };
    if (comparison->differing_count > 0)
        compare_blockmaps(&found->old->present, &found->new->present, add_block,
                          &findings);
    if (findings.found[FINDING_UNREADABLE] > 0)
        findings.kinds |= 1u << FINDING_UNREADABLE;
    findings_sort(&findings);
    return findings;
}

// Draws the new map, and what differs.
static enum exit_status draw_map(const struct pair *pair,
                                 const struct diff_map *found)
{
    struct statistics statistics;
    if (found->new && !found->new->has_decoded)
        return STATUS_MAP_FAILED;
    if (!found->new || found->new->present.block_count == 0) {
        message_print("%s: %s has no blockmap that can be drawn",
                      pair->new.path, found->name);
        return STATUS_MAP_FAILED;
    }
    struct findings findings = collect_findings(found);
    statistics_count(&found->new->present, found->new->line_count, &statistics);
    struct picture picture = {
        .name = found->name,
        .path = pair->new.path,
        .old_path = pair->old.path,
        .lump = "new BLOCKMAP of",
        .blockmap = &found->new->present,
        .statistics = &statistics,
        .decoded = &found->new->decoded,
        .findings = &findings,
    };
    if (found->comparison.grids != GRIDS_EQUAL && found->old->present.lists)
        picture.old = &found->old->present;
    enum exit_status status = picture_save(&picture, pair->new.arguments);
    findings_free(&findings);
    statistics_free(&statistics);
    return status;
}

// ---------------------------------------------------------------------------
// Files

// Compares two maps, one of which may be NO_MAP, and reports them.
static enum exit_status diff_map(struct pair *pair, size_t old_index,
                                 size_t new_index)
{
    struct open_map old = {0}, new = {0};
    struct diff_map found = {0};
    enum exit_status status = STATUS_DONE;
    if (old_index != NO_MAP) {
        open_map_read(&pair->old, old_index, &old);
        found.old = &old;
    }
    if (new_index != NO_MAP) {
        open_map_read(&pair->new, new_index, &new);
        found.new = &new;
    }
    found.name = found.old ? old.name : new.name;
    compare_maps(&found);
    budget_take(found.old ? &pair->old.budget : &pair->new.budget,
                BUDGET_ENTRIES, found.words_read);
    // Both maps tend to have the same doubt, so one is enough.
    if (found.old && old.doubt)
        open_map_print_doubt(&pair->old, &old);
    else if (found.new)
        open_map_print_doubt(&pair->new, &new);
    diff_report_map(pair->old.arguments, &found, &pair->total);
    if (picture_option(pair->old.arguments))
        status = draw_map(pair, &found);
    if (found.old)
        open_map_free(&pair->old, &old);
    if (found.new)
        open_map_free(&pair->new, &new);
    return status;
}

// Compares all maps and reports them.
static enum exit_status diff_maps(struct pair *pair)
{
    const struct arguments *arguments = pair->old.arguments;
    const struct diff_total *total = &pair->total;
    enum exit_status status = STATUS_DONE;
    diff_report_begin(arguments, pair->old.stage.descriptor);
    for (size_t i = 0; status == STATUS_DONE && i < pair->old.count; i++)
        status = diff_map(pair, i, pair->partners.of_old[i]);
    for (size_t i = 0; status == STATUS_DONE && i < pair->new.count; i++)
        if (pair->partners.of_new[i] == NO_MAP)
            status = diff_map(pair, NO_MAP, i);
    diff_report_end(arguments, &pair->total);
    if (status == STATUS_DONE &&
        total->count[DIFF_IDENTICAL] + total->count[DIFF_SAME] < total->maps)
        status = STATUS_MAP_FAILED;
    return status;
}

// A picture is of one map, which both files have.
static enum exit_status check_usage(const struct pair *pair)
{
    const char *option = picture_option(pair->new.arguments);
    if (!option || (pair->old.count == 1 && pair->new.count == 1 &&
                    pair->partners.of_old[0] != NO_MAP))
        return STATUS_DONE;
    message_print("--%s is for one map, which both files have; choose one "
                  "with --map",
                  option);
    return STATUS_USAGE;
}

enum exit_status diff_run(const struct arguments *arguments,
                          const struct nbstage *stage)
{
    struct pair pair = {0};
    const char *const paths[] = {arguments->files[0], arguments->files[1]};
    enum exit_status status = picture_check_paths(arguments);
    if (status == STATUS_DONE)
        status = open_file_read(arguments, stage, paths, &pair.old, &pair.new);
    if (status == STATUS_DONE)
        status = maps_pair(&pair.old.wad, &pair.new.wad, true, &pair.partners);
    if (status == STATUS_DONE)
        status = check_usage(&pair);
    if (status == STATUS_DONE)
        status = diff_maps(&pair);
    if (*pair.old.flaw || *pair.new.flaw)
        status = STATUS_FILE;
    open_file_free(&pair.old);
    open_file_free(&pair.new);
    maps_free_pairs(&pair.partners);
    return status;
}
