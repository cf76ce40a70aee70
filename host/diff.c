// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps belong together by name; where a file has several of a name, the first
// belongs to the first.  First come those of the old file, then those that only
// the new one has.
//
// The true lists of both maps tell whether the maps have the same lines, and
// which of the linedefs that only one lump has are right.

#include "config.h"

#include "diff.h"

#include "diff-picture.h"
#include "diff-report.h"

#include <stdlib.h>
#include <string.h>

static const int64_t block_size = (int64_t)128 << 16; // 16.16

struct pair {
    struct inspect_file old;
    struct inspect_file new;
    size_t *partner; // for each map of the old file, NO_MAP without one
    bool *is_paired; // for each map of the new file
    struct diff_total total;
};

#define NO_MAP SIZE_MAX

// ---------------------------------------------------------------------------
// Truth

// Whether a line is in the block at a place.
static bool touches(const struct inspect_map *map, int64_t x, int64_t y,
                    uint32_t linedef)
{
    const struct blockmap *truth = &map->truth;
    int64_t column = (x - truth->origin_x) / block_size;
    int64_t row = (y - truth->origin_y) / block_size;
    if (x < truth->origin_x || y < truth->origin_y ||
        column >= truth->columns || row >= truth->rows)
        return false;
    const struct blockmap_list *list =
        &truth->lists[row * truth->columns + column];
    for (size_t w = list->begin; w < list->end; w++)
        if (words_get(&truth->words, w) == linedef)
            return true;
    return false;
}

// ---------------------------------------------------------------------------
// A map

static bool has_same_bytes(const struct inspect_map *old,
                           const struct inspect_map *new)
{
    return old->has_blockmap == new->has_blockmap && old->size == new->size &&
           (old->size == 0 || memcmp(old->bytes, new->bytes, old->size) == 0);
}

static bool is_empty(const struct inspect_map *map)
{
    return map->present.form == BLOCKMAP_EMPTY;
}

// A map of which lumps are outside the file.
static bool is_cut(const struct inspect_map *map)
{
    return map->error && !map->has_blockmap && map->line_count == 0;
}

// Lumps of the same bytes do not differ, even where they cannot be read.
static void forget_differences(struct comparison *comparison)
{
    comparison->differing_count = 0;
    comparison->only_old = 0;
    comparison->only_new = 0;
    comparison->is_too_long = false;
}

static enum diff_status judge(const struct diff_map *found)
{
    const struct comparison *comparison = &found->comparison;
    if (found->lines_differ)
        return DIFF_DIFFERENT;
    if (has_same_bytes(found->old, found->new))
        return DIFF_IDENTICAL;
    if (is_empty(found->old) && is_empty(found->new))
        return DIFF_SAME;
    return comparison->grids == GRIDS_NONE ||
                   comparison->grids == GRIDS_OTHER ||
                   comparison->differing_count > 0 || comparison->is_too_long
               ? DIFF_DIFFERENT
               : DIFF_SAME;
}

// Whether the lines of both maps touch other blocks, as far as their grids let
// it be told.
static enum exit_status compare_lines(struct diff_map *found)
{
    const struct inspect_map *old = found->old;
    const struct inspect_map *new = found->new;
    if (!old->has_truth || !new->has_truth)
        return STATUS_DONE;
    struct comparison comparison;
    bool compared = compare_blockmaps(&old->truth, &new->truth, &comparison);
    found->lines_differ =
        old->line_count != new->line_count || comparison.differing_count > 0;
    compare_free(&comparison);
    return compared ? STATUS_DONE : message_out_of_memory();
}

// Counts which of the linedefs that only one lump has are right.
static void count_touches(struct diff_map *found)
{
    const struct comparison *comparison = &found->comparison;
    found->old_touches.are_known = found->old->has_truth;
    found->new_touches.are_known = found->new->has_truth;
    for (size_t i = 0; i < comparison->differing_count; i++) {
        const struct compare_block *block = &comparison->blocks[i];
        const uint32_t *linedef = &comparison->linedefs[block->first];
        for (size_t l = 0; l < block->only_old; l++, linedef++)
            if (found->old->has_truth &&
                touches(found->old, block->x, block->y, *linedef))
                found->old_touches.count++;
        for (size_t l = 0; l < block->only_new; l++, linedef++)
            if (found->new->has_truth &&
                touches(found->new, block->x, block->y, *linedef))
                found->new_touches.count++;
    }
}

static enum exit_status compare_maps(struct diff_map *found)
{
    if (is_cut(found->old) || is_cut(found->new)) {
        found->status = DIFF_FAILED;
        return STATUS_DONE;
    }
    if (!compare_blockmaps(&found->old->present, &found->new->present,
                           &found->comparison))
        return message_out_of_memory();
    if (has_same_bytes(found->old, found->new))
        forget_differences(&found->comparison);
    count_touches(found);
    enum exit_status status = compare_lines(found);
    found->status = judge(found);
    return status;
}

// ---------------------------------------------------------------------------
// Files

static bool is_same_name(const struct inspect_file *a, size_t index,
                         const struct inspect_file *b, size_t other)
{
    return strcmp(a->wad.lumps[a->places[index]->marker].name,
                  b->wad.lumps[b->places[other]->marker].name) == 0;
}

static size_t find_partner(const struct pair *pair, size_t index)
{
    for (size_t i = 0; i < pair->new.count; i++)
        if (!pair->is_paired[i] &&
            is_same_name(&pair->old, index, &pair->new, i))
            return i;
    return NO_MAP;
}

static enum exit_status find_partners(struct pair *pair)
{
    pair->partner = malloc((pair->old.count + 1) * sizeof *pair->partner);
    pair->is_paired = calloc(pair->new.count + 1, sizeof *pair->is_paired);
    if (!pair->partner || !pair->is_paired)
        return message_out_of_memory();
    for (size_t i = 0; i < pair->old.count; i++) {
        pair->partner[i] = find_partner(pair, i);
        if (pair->partner[i] != NO_MAP)
            pair->is_paired[pair->partner[i]] = true;
    }
    return STATUS_DONE;
}

static enum exit_status draw_map(struct pair *pair,
                                 const struct diff_map *found)
{
    const char *path = pair->new.arguments->svg;
    return path ? diff_picture_write(path, &pair->new, found) : STATUS_DONE;
}

// Compares two maps, one of which may be NO_MAP, and tells of them.
static enum exit_status diff_map(struct pair *pair, size_t old_index,
                                 size_t new_index)
{
    struct inspect_map old = {0};
    struct inspect_map new = {0};
    struct diff_map found = {0};
    enum exit_status status = STATUS_DONE;
    if (old_index != NO_MAP) {
        status = inspect_map(&pair->old, old_index, &old);
        found.old = &old;
    }
    if (status == STATUS_DONE && new_index != NO_MAP) {
        status = inspect_map(&pair->new, new_index, &new);
        found.new = &new;
    }
    found.name = found.old ? old.name : new.name;
    if (!found.old || !found.new)
        found.status = found.old ? DIFF_ONLY_OLD : DIFF_ONLY_NEW;
    else if (status == STATUS_DONE)
        status = compare_maps(&found);
    if (status == STATUS_DONE) {
        diff_report_map(pair->old.arguments, &found, &pair->total);
        status = draw_map(pair, &found);
    }
    compare_free(&found.comparison);
    if (found.old)
        inspect_free_map(&pair->old, &old);
    if (found.new)
        inspect_free_map(&pair->new, &new);
    return status;
}

static enum exit_status diff_maps(struct pair *pair)
{
    enum exit_status status = STATUS_DONE;
    for (size_t i = 0; i < pair->old.count && status == STATUS_DONE; i++)
        status = diff_map(pair, i, pair->partner[i]);
    for (size_t i = 0; i < pair->new.count &&status == STATUS_DONE; i++)
        if (!pair->is_paired[i])
            status = diff_map(pair, NO_MAP, i);
    return status;
}

// A picture is of one map, which both files have.
static enum exit_status check_usage(const struct pair *pair)
{
    if (!pair->new.arguments->svg)
        return STATUS_DONE;
    if (pair->old.count != 1 || pair->new.count != 1 ||
        pair->partner[0] == NO_MAP) {
        message_print("--svg is for one map, which both files have; choose one "
                      "with --map");
        return STATUS_USAGE;
    }
    if (!inspect_can_decode(&pair->new)) {
        message_print("the stage %s cannot read the lines of a map, which a "
                      "picture needs",
                      pair->new.stage->descriptor->name);
        return STATUS_USAGE;
    }
    return STATUS_DONE;
}

static enum exit_status diff_files(struct pair *pair)
{
    const struct arguments *arguments = pair->old.arguments;
    enum exit_status status = find_partners(pair);
    if (status == STATUS_DONE)
        status = check_usage(pair);
    if (status != STATUS_DONE)
        return status;
    diff_report_begin(arguments, pair->old.stage->descriptor);
    status = diff_maps(pair);
    diff_report_end(arguments, &pair->total);
    if (status == STATUS_DONE && diff_is_any_different(&pair->total))
        status = STATUS_MAP_FAILED;
    return status;
}

enum exit_status diff_run(const struct arguments *arguments,
                          const struct stage *stage)
{
    struct pair pair = {0};
    enum exit_status status =
        inspect_open(arguments, stage, arguments->files[0], &pair.old);
    if (status == STATUS_DONE)
        status = inspect_open(arguments, stage, arguments->files[1], &pair.new);
    if (status == STATUS_DONE)
        status = diff_files(&pair);
    inspect_close(&pair.old);
    inspect_close(&pair.new);
    free(pair.partner);
    free(pair.is_paired);
    return status;
}
