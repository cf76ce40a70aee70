// SPDX-License-Identifier: GPL-2.0-or-later
//
// A walk over the lists of a map tells for each block how many different
// linedefs its list has and, for each true one, whether it has that.  What is
// not there is missing, what is there beside the true ones is extra.  The extra
// linedefs are counted without looking at them; they are looked for only where
// they are to be named.

#include "config.h"

#include "verify.h"

#include "report.h"
#include "verify-report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Facts

struct comparison {
    const struct inspect_map *map;
    struct verify_map *found;
    bool is_out_of_memory;
};

// Keeps a fact to be named, if there are not too many.
static bool name_fact(struct verify_facts *facts, int64_t column, int64_t row,
                      uint32_t linedef)
{
    if (facts->count == VERIFY_MOST_NAMED)
        return true;
    if (!facts->fact)
        facts->fact = malloc(VERIFY_MOST_NAMED * sizeof *facts->fact);
    if (!facts->fact)
        return false;
    facts->fact[facts->count++] = (struct verify_fact){column, row, linedef};
    return true;
}

static void add_missing(struct comparison *comparison, size_t block,
                        uint32_t linedef)
{
    struct verify_map *found = comparison->found;
    uint32_t columns = comparison->map->present.columns;
    found->missing_count++;
    if (!name_fact(&found->missing, (int64_t)(block % columns),
                   (int64_t)(block / columns), linedef))
        comparison->is_out_of_memory = true;
}

static void compare_list(void *context, size_t block, const struct tail *tail)
{
    struct comparison *comparison = context;
    const struct inspect_map *map = comparison->map;
    const struct blockmap_list *list = &map->present.lists[block];
    struct blockmap_list truth = inspect_truth_of(map, block);
    size_t extra = tail->distinct;
    bool has_linedef_0 = false;
    if (list->fault != LIST_READABLE)
        return;
    for (size_t w = truth.begin; w < truth.end; w++) {
        uint32_t linedef = words_get(&map->truth.words, w);
        has_linedef_0 = has_linedef_0 || linedef == 0;
        if (tail_has_linedef(tail, linedef))
            extra--;
        else if (!tail_has(tail, linedef) && !inspect_is_left_out(map, linedef))
            add_missing(comparison, block, linedef);
    }
    // It is a header, even if not all lists have one.
    if (map->present.headers == HEADERS_MIXED && list->has_zero &&
        tail_has_linedef(tail, 0) && !has_linedef_0)
        extra--;
    comparison->found->extra[block] = extra;
}

static void add_up_extra(struct verify_map *found, size_t block_count)
{
    for (size_t b = 0; b < block_count; b++) {
        found->extra_count += found->extra[b];
        if (found->extra[b] > found->extra_at_worst)
            found->extra_at_worst = found->extra[b];
    }
}

static bool is_in_grid(const struct inspect_map *map, int64_t column,
                       int64_t row)
{
    return column >= 0 && column < map->present.columns && row >= 0 &&
           row < map->present.rows;
}

// Counts what is true, and what of it is outside the grid.
static bool look_outside(const struct inspect_map *map,
                         struct verify_map *found)
{
    for (size_t b = 0; b < map->truth.block_count; b++) {
        const struct blockmap_list *list = &map->truth.lists[b];
        int64_t column = (int64_t)(b % map->truth.columns) - (int64_t)map->west;
        int64_t row = (int64_t)(b / map->truth.columns) - (int64_t)map->south;
        bool inside = is_in_grid(map, column, row);
        for (size_t w = list->begin; w < list->end; w++) {
            uint32_t linedef = words_get(&map->truth.words, w);
            if (inspect_is_left_out(map, linedef))
                continue;
            found->touch_count++;
            found->outside_count += !inside;
            if (!inside && !name_fact(&found->missing, column, row, linedef))
                return false;
        }
    }
    return true;
}

static int compare_facts(const void *a, const void *b)
{
    const struct verify_fact *left = a;
    const struct verify_fact *right = b;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return (left->linedef > right->linedef) - (left->linedef < right->linedef);
}

// ---------------------------------------------------------------------------
// Extra linedefs by name

// What naming needs to know: where headers are, and which linedefs a block
// should have or has been seen with.
struct naming {
    const struct inspect_map *map;
    bool *is_header;  // for each word
    size_t *in_block; // for each linedef: the last block, and 1
};

static bool name_extra(const struct naming *naming, size_t block,
                       struct verify_facts *extras)
{
    const struct inspect_map *map = naming->map;
    const struct blockmap_list *list = &map->present.lists[block];
    struct blockmap_list truth = inspect_truth_of(map, block);
    for (size_t w = truth.begin; w < truth.end; w++)
        naming->in_block[words_get(&map->truth.words, w)] = block + 1;
    for (size_t w = list->begin; w < list->end; w++) {
        uint32_t linedef = words_get(&map->present.words, w);
        bool is_header =
            linedef == 0 &&
            (naming->is_header[w] ||
             (w == list->offset && map->present.headers == HEADERS_MIXED));
        if (is_header || linedef >= map->line_count ||
            naming->in_block[linedef] == block + 1)
            continue;
        naming->in_block[linedef] = block + 1;
        if (!name_fact(extras, (int64_t)(block % map->present.columns),
                       (int64_t)(block / map->present.columns), linedef))
            return false;
    }
    return true;
}

static bool name_all_extra(const struct naming *naming,
                           struct verify_map *found)
{
    const struct blockmap *present = &naming->map->present;
    for (size_t b = 0; b < present->block_count; b++)
        if (present->headers == HEADERS_ZERO &&
            present->lists[b].fault == LIST_READABLE)
            naming->is_header[present->lists[b].offset] = true;
    for (size_t b = 0; b < present->block_count; b++)
        if (found->extra[b] > 0 && found->extras.count < VERIFY_MOST_NAMED &&
            !name_extra(naming, b, &found->extras))
            return false;
    return true;
}

static bool name_extras(const struct inspect_map *map, struct verify_map *found)
{
    struct naming naming = {
        .map = map,
        .is_header =
            calloc(map->present.words.count + 1, sizeof *naming.is_header),
        .in_block = calloc(map->line_count + 1, sizeof *naming.in_block),
    };
    bool named =
        naming.is_header && naming.in_block && name_all_extra(&naming, found);
    free(naming.is_header);
    free(naming.in_block);
    return named;
}

// ---------------------------------------------------------------------------
// Maps

static bool compare_lists(const struct inspect_map *map, bool verbose,
                          struct verify_map *found)
{
    struct comparison comparison = {.map = map, .found = found};
    found->extra = calloc(map->present.block_count + 1, sizeof *found->extra);
    if (!found->extra ||
        !blockmap_walk(&map->present, map->line_count, compare_list,
                       &comparison) ||
        comparison.is_out_of_memory)
        return false;
    if (found->missing.count > 0)
        qsort(found->missing.fact, found->missing.count,
              sizeof *found->missing.fact, compare_facts);
    add_up_extra(found, map->present.block_count);
    return look_outside(map, found) && (!verbose || name_extras(map, found));
}

// Whether something cannot be read.
static bool is_unreadable(const struct blockmap *present)
{
    return present->fault != BLOCKMAP_SOUND ||
           present->fault_count[LIST_IN_TABLE] > 0 ||
           present->fault_count[LIST_OUTSIDE] > 0 ||
           present->fault_count[LIST_ENDLESS] > 0 ||
           present->too_large_count > 0;
}

// Has the stage hold the present lists against the segs.
static void check_nodes(struct inspect_file *file,
                        const struct inspect_map *map, struct verify_map *found)
{
    struct nbstage_result result;
    char options[160];
    snprintf(options, sizeof options,
             "source=lump check-nodes=yes pack=none header=zero fit=none "
             "format=xbm1 overflow=xbm1 prune=%s",
             inspect_prune(file));
    const char *sentence = inspect_build(file, map, options, &result);
    found->nodes_checked = true;
    found->nodes_error = sentence ? strdup(sentence) : NULL;
    found->checked_segs = inspect_number(&result, "checked_segs");
    file->stage->descriptor->free_result(file->instance, &result);
}

static enum exit_status examine(struct inspect_file *file,
                                const struct inspect_map *map,
                                struct verify_map *found)
{
    const struct blockmap *present = &map->present;
    enum exit_status status = engines_judge(map, found->verdicts);
    if (map->error)
        found->status = VERIFY_FAILED;
    else if (present->form == BLOCKMAP_EMPTY)
        found->status = VERIFY_EMPTY;
    if (status != STATUS_DONE || found->status != VERIFY_GOOD)
        return status;
    if (present->fault == BLOCKMAP_SOUND &&
        !compare_lists(map, file->arguments->verbose, found))
        return message_out_of_memory();
    if (file->arguments->nodes && present->block_count > 0 &&
        !is_unreadable(present))
        check_nodes(file, map, found);
    if (found->missing_count > 0 || found->outside_count > 0 ||
        is_unreadable(present) || found->nodes_error)
        found->status = VERIFY_BAD;
    return STATUS_DONE;
}

static void free_found(struct verify_map *found)
{
    free(found->extra);
    free(found->missing.fact);
    free(found->extras.fact);
    free(found->nodes_error);
}

// Whether a map fails the command.
static bool fails(const struct arguments *arguments,
                  const struct verify_map *found)
{
    if (found->status == VERIFY_BAD || found->status == VERIFY_FAILED)
        return true;
    return arguments->strict &&
           (found->status == VERIFY_EMPTY || found->extra_count > 0);
}

static enum exit_status verify_map(struct inspect_file *file, size_t index,
                                   struct verify_total *total)
{
    struct inspect_map map;
    struct verify_map found = {.map = &map};
    double started = report_clock();
    enum exit_status status = inspect_map(file, index, &map);
    if (status == STATUS_DONE)
        status = examine(file, &map, &found);
    found.seconds = report_clock() - started;
    if (status == STATUS_DONE) {
        if (fails(file->arguments, &found))
            total->failed++;
        verify_report_map(file->arguments, &found, total);
    }
    free_found(&found);
    inspect_free_map(file, &map);
    return status;
}

static enum exit_status verify_file(const struct arguments *arguments,
                                    const struct stage *stage, const char *path,
                                    struct verify_total *total)
{
    struct inspect_file file;
    enum exit_status status = inspect_open(arguments, stage, path, &file);
    if (status != STATUS_USAGE)
        verify_report_file(arguments, stage->descriptor, path, total);
    for (size_t i = 0; i < file.count && status == STATUS_DONE; i++)
        status = verify_map(&file, i, total);
    if (status != STATUS_USAGE)
        verify_report_file_end(arguments, status == STATUS_DONE);
    inspect_close(&file);
    return status;
}

enum exit_status verify_run(const struct arguments *arguments,
                            const struct stage *stage)
{
    struct verify_total total = {0};
    enum exit_status worst = STATUS_DONE;
    for (size_t i = 0; i < arguments->file_count && worst != STATUS_USAGE;
         i++) {
        enum exit_status status =
            verify_file(arguments, stage, arguments->files[i], &total);
        if (status == STATUS_USAGE || status > worst)
            worst = status;
    }
    verify_report_end(arguments, &total);
    return worst == STATUS_DONE && total.failed > 0 ? STATUS_MAP_FAILED : worst;
}
