// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first page to read: which attempts are made at the lump of a map, and
// what becomes of them.
//
// The first attempt is the one that the options ask for.  The plan has what is
// tried if its lump misses a limit: attempts to meet one, whose lump is taken
// if it does.  Then one decision is left: the lump is written, as XBM1 or
// classic, or left empty, or the map keeps its present one, or the build fails.
//
// attempt.c has the way from the map to a lump.

#include "build.h"

#include "lump/judge.h"

#include <string.h>

// Whether the lump so far is over the limit that the games need.
static bool build_is_over(const struct build *build)
{
    return build->form == LUMP_CLASSIC &&
           !lump_meets(&build->measure, build->needs.limit);
}

// ---------------------------------------------------------------------------
// The map's own lump

// Measures it by its size and its offsets.  False if it cannot be read.
static bool build_measure_present(struct build *build)
{
    struct present *present = &build->present;
    const struct words *words = &present->blockmap.words;
    struct grid grid;
    uint32_t largest = 0;
    if (!blockmap_get_grid(&present->blockmap, &grid) ||
        !blockmap_has_table(&present->blockmap) ||
        present->blockmap.odd_bytes > 0)
        return false;
    for (size_t b = 0; b < present->blockmap.block_count; b++) {
        const uint32_t offset = words_get(words, LUMP_HEADER_WORDS + b);
        if (offset >= words->count)
            return false;
        largest = offset > largest ? offset : largest;
    }
    // No list of a classic lump has more lines than such lumps can number.
    present->measure = (struct lump_measure){
        words->count, largest,
        build->map->line_count < LUMP_CLASSIC_LINES ? build->map->line_count
                                                    : LUMP_CLASSIC_LINES};
    present->limit =
        present->blockmap.form == LUMP_XBM1             ? LIMIT_NONE
        : lump_meets(&present->measure, LIMIT_VANILLA)  ? LIMIT_VANILLA
        : lump_meets(&present->measure, LIMIT_EXTENDED) ? LIMIT_EXTENDED
                                                        : LIMIT_NONE;
    return true;
}

// The limit that it meets and the lump so far does not.
static enum lump_limit build_find_lost(const struct build *build)
{
    const enum lump_limit limit = build->present.limit;
    return build->form == LUMP_XBM1 || lump_meets(&build->measure, limit)
               ? LIMIT_NONE
               : limit;
}

// Finds out whether all its lists can be read, unless the lump that was asked
// for is as good.
static nbstage_status build_read_present(struct build *build)
{
    struct present *present = &build->present;
    const struct map_bytes *lump = &build->map->blockmap;
    const bool may_keep =
        build->options->keeps_smaller &&
        (build_is_over(build) ||
         lump_size(build->form, build->measure.word_count) > lump->size);
    if ((!may_keep && lump_meets(&build->measure, LIMIT_VANILLA)) ||
        !build_measure_present(build) ||
        (!may_keep && build_find_lost(build) == LIMIT_NONE))
        return NBSTAGE_OK;
    struct context trial = *build->context; // no failure if it is damaged
    struct grid grid;
    nbstage_status status = lump_read_entries(
        &trial, lump->bytes, lump->size, build->map->line_count, &grid, NULL);
    present->is_readable = status == NBSTAGE_OK;
    if (!present->is_readable)
        present->limit = LIMIT_NONE;
    if (status == NBSTAGE_BAD_MAP || status == NBSTAGE_OVER_LIMIT)
        return NBSTAGE_OK;
    *build->context = trial;
    return status;
}

// ---------------------------------------------------------------------------
// The plan

// Takes the lump of an attempt if it meets the limit.
static void build_take(struct build *build, const struct attempt *attempt,
                       struct list_area *area)
{
    const struct lump_measure measure = lump_measure(area);
    const bool is_better = lump_meets(&measure, attempt->limit);
    const bool is_nested = !attempt->merges && attempt->mode == PACK_NEST;
    if (is_better && is_nested)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "lists are nested, as the lump would else have %llu words "
                    "with %llu as the largest offset, and miss the %s limit "
                    "that the present one meets",
                    (unsigned long long)build->measure.word_count,
                    (unsigned long long)build->measure.largest_offset,
                    attempt->limit == LIMIT_VANILLA ? "vanilla" : "extended");
    if (is_better || attempt->merges)
        build->is_early = area->is_early;
    if (is_better && !is_nested && area->merge_count == 0)
        build->unmerged_words = measure.word_count;
    list_area_free(build->context, is_better ? &build->area : area);
    if (is_better) {
        build->area = *area;
        build->measure = measure;
    }
}

// Makes the attempts whose limit the lump so far misses, and could meet.
static nbstage_status build_make_more(struct build *build)
{
    const enum lump_limit limit = build->needs.limit,
                          present = build->present.limit;
    const bool are_nested = build->options->pack == PACK_NEST;
    const struct {
        bool is_planned;
        struct attempt attempt;
    } plan[] = {
        // A list that many others have as their tail may be far back in a
        // chain.
        {build->may_merge && are_nested, {limit, PACK_SHARE, false}},
        {build->may_merge, {limit, PACK_NEST, true}},
        {present != LIMIT_NONE && build->form == LUMP_CLASSIC && !are_nested &&
             (limit != LIMIT_VANILLA || present == LIMIT_VANILLA),
         {present, PACK_NEST, false}},
    };
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0; i < sizeof plan / sizeof *plan && status == NBSTAGE_OK;
         i++) {
        const struct attempt *attempt = &plan[i].attempt;
        struct list_area area;
        if (!plan[i].is_planned ||
            lump_meets(&build->measure, attempt->limit) ||
            !overflow_may_meet(build, attempt->limit, &build->grid))
            continue;
        status = attempt_make(build, attempt, &area);
        if (status == NBSTAGE_OK)
            build_take(build, attempt, &area);
    }
    return status;
}

// Tells what packing came to.
static void build_tell_packing(const struct build *build)
{
    const struct list_area *area = &build->area;
    if (build->is_early && area->merge_count == 0)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "packing stopped at its work limit; nothing is lost, but "
                    "the lump could be smaller");
    else if (build->is_early)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "packing and merging stopped at their work limit; the "
                    "limit could be met with fewer extra entries");
    if (area->merge_count > 0)
        context_log(
            build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
            "lists were merged %zu times to meet the %s limit: before, the "
            "lump had %llu bytes and %llu entries, now %llu and %llu, with at "
            "most %lu extra in one block",
            area->merge_count,
            build->needs.limit == LIMIT_VANILLA ? "vanilla" : "extended",
            2 * (unsigned long long)build->unmerged_words,
            (unsigned long long)build->entry_count,
            2 * (unsigned long long)build->measure.word_count,
            (unsigned long long)(build->entry_count + area->price.extra_count),
            (unsigned long)area->price.extra_at_worst);
}

// ---------------------------------------------------------------------------
// The decision

// Whether the map keeps its own lump: where that is asked for, and the new one
// is larger, empty, or misses a limit that this one meets.  One that lacks
// solid entries is not kept for its size.
static bool build_keeps_present(const struct build *build)
{
    const struct present *present = &build->present;
    const bool is_sound =
        build->missing_count == 0 || build->options->lists == BUILD_LISTS_LUMP;
    const bool is_better =
        build->lost_limit != LIMIT_NONE ||
        (build_is_over(build)
             ? build->overflow == BUILD_OVERFLOW_EMPTY
             : is_sound && lump_size(build->form, build->measure.word_count) >
                               present->blockmap.bytes);
    const bool is_over = present->blockmap.form == LUMP_CLASSIC &&
                         !lump_meets(&present->measure, build->needs.limit);
    return build->options->keeps_smaller && present->is_readable && is_better &&
           !(build->over_limit && is_over);
}

static nbstage_status build_keep_present(struct build *build)
{
    const struct blockmap *present = &build->present.blockmap;
    nbstage_status status =
        context_allocate(build->context, present->bytes, 1, &build->bytes);
    if (status != NBSTAGE_OK)
        return status;
    memcpy(build->bytes, present->lump, present->bytes);
    build->size = present->bytes;
    build->form = present->form;
    build->is_kept = true;
    build->over_limit = false;
    build->lost_limit = LIMIT_NONE;
    blockmap_get_grid(present, &build->grid);
    build->measure = build->present.measure;
    return NBSTAGE_OK;
}

static nbstage_status build_decide(struct build *build)
{
    struct grid present;
    nbstage_status status = NBSTAGE_OK;
    if (build->options->keeps_smaller)
        status =
            judge_missing_solid(build->context, build->map,
                                build->pruning.fates, &build->missing_count);
    if (status != NBSTAGE_OK)
        return status;
    build->lost_limit = build_find_lost(build);
    build->over_limit = build_is_over(build);
    if (build->over_limit && build->overflow == BUILD_OVERFLOW_XBM1)
        build->form = LUMP_XBM1;
    if (build_keeps_present(build))
        status = build_keep_present(build);
    else if (!build_is_over(build))
        status = lump_write(build->context, build->form, &build->grid,
                            &build->area, &build->bytes, &build->size);
    build->is_moved = blockmap_get_grid(&build->present.blockmap, &present) &&
                      (present.origin_x != build->grid.origin_x ||
                       present.origin_y != build->grid.origin_y);
    return status == NBSTAGE_OK ? overflow_tell(build) : status;
}

// ---------------------------------------------------------------------------
// The build

// Decides whether lists are merged to meet the limit, and what a lump becomes
// that is still over it: the first other choice that can be.
static void build_decide_overflow(struct build *build)
{
    const choice_list choices = build->options->overflow;
    const bool is_classic = build->options->format == BUILD_FORMAT_DOOM;
    build->overflow = BUILD_OVERFLOW_ERROR;
    for (size_t i = 0; choice_at(choices, i) >= 0; i++) {
        enum build_overflow choice = (enum build_overflow)choice_at(choices, i);
        if (choice == BUILD_OVERFLOW_AUTO)
            choice = build->needs.read_xbm1 && !is_classic ? BUILD_OVERFLOW_XBM1
                     : build->needs.build_their_own ? BUILD_OVERFLOW_EMPTY
                                                    : BUILD_OVERFLOW_ERROR;
        if (choice == BUILD_OVERFLOW_MERGE) {
            build->may_merge = build->options->format != BUILD_FORMAT_XBM1;
        } else if (choice != BUILD_OVERFLOW_XBM1 || !is_classic) {
            build->overflow = choice;
            break;
        }
    }
}

nbstage_status build_lump(struct context *context, struct map *map,
                          const struct build_options *options,
                          struct build *build)
{
    const struct attempt asked = {LIMIT_NONE, options->pack, false};
    *build = (struct build){
        .context = context,
        .map = map,
        .options = options,
        .needs = engines_need(options->engines),
        .form = options->format == BUILD_FORMAT_XBM1 ? LUMP_XBM1 : LUMP_CLASSIC,
    };
    build_decide_overflow(build);
    blockmap_open(map->blockmap.bytes, map->blockmap.size,
                  &build->present.blockmap);
    if (options->grid.placement == GRID_SEARCH)
        build_measure_present(build);
    if (options->lists == BUILD_LISTS_LUMP && map->left_out)
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "lines that the host leaves out may stay in the lists, "
                    "because lists=lump keeps these as they are");
    nbstage_status status = attempt_begin(build);
    if (status == NBSTAGE_OK)
        status = attempt_make(build, &asked, &build->area);
    build->measure = lump_measure(&build->area);
    build->is_early = build->area.is_early;
    if (build->may_merge &&
        build->measure.linedef_end <= lump_most[build->needs.limit].linedef_end)
        build->unmerged_words = build->measure.word_count;
    if (status == NBSTAGE_OK)
        status = build_read_present(build);
    if (status == NBSTAGE_OK)
        status = build_make_more(build);
    entries_free(context, &build->entries);
    lines_free(context, &build->lines);
    if (status != NBSTAGE_OK)
        return status;
    build_tell_packing(build);
    return build_decide(build);
}

void build_free(struct build *build)
{
    context_release(build->context, build->bytes);
    list_area_free(build->context, &build->area);
    nodes_free(build->context, &build->nodes);
    prune_free(build->context, &build->pruning);
}
