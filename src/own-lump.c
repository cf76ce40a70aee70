// SPDX-License-Identifier: GPL-2.0-or-later
//
// Never worse than the lump that the map has: what it meets is kept, by nesting
// lists or, when repacking, by keeping the lump itself.  Its lists are read
// only where the new lump would be worse.

#include "build-lists.h"

#include "lump/lump.h"

#include <string.h>

// Measures the map's own lump by its size and its offsets; false if it has no
// table of offsets that leads to words.
static bool measure(const struct build *build, struct lump *lump,
                    struct lump_measure *measure)
{
    const struct map_bytes *bytes = &build->map->blockmap;
    struct context silent = {0};
    *measure = (struct lump_measure){0};
    if (!bytes->bytes ||
        lump_open(&silent, bytes->bytes, bytes->size, lump) != NBSTAGE_OK)
        return false;
    measure->word_count = lump->word_count;
    const size_t block_count = grid_block_count(&lump->grid);
    for (size_t b = 0; b < block_count; b++) {
        uint32_t offset = lump_word(lump, LUMP_HEADER_WORDS + b);
        if (offset >= lump->word_count)
            return false;
        if (offset > measure->largest_offset)
            measure->largest_offset = offset;
    }
    return true;
}

void own_lump_want_limit(struct build *build)
{
    struct lump lump;
    struct lump_measure measured;
    build->wanted = LIMIT_NONE;
    if (!measure(build, &lump, &measured) || lump.form == LUMP_XBM1 ||
        measured.word_count > LUMP_EXTENDED_WORDS)
        return;
    build->own_offset = measured.largest_offset;
    build->wanted = measured.largest_offset <= LUMP_VANILLA_OFFSET &&
                            build->map->line_count <= LUMP_VANILLA_LINES
                        ? LIMIT_VANILLA
                        : LIMIT_EXTENDED;
}

// Whether all lists of the map's own lump can be read.
static nbstage_status read_all(struct build *build, bool *is_sound)
{
    struct context *context = build->context;
    char sentence[CONTEXT_MESSAGE_SIZE];
    struct grid grid;
    struct lists lists;
    memcpy(sentence, context->message, sizeof sentence);
    nbstage_status status = lump_read_lists(
        context, build->map->blockmap.bytes, build->map->blockmap.size,
        build->map->line_count, &grid, &lists);
    *is_sound = status == NBSTAGE_OK;
    if (status == NBSTAGE_OK)
        lists_free(context, &lists);
    if (status != NBSTAGE_BAD_MAP && status != NBSTAGE_OVER_LIMIT)
        return status;
    memcpy(context->message, sentence, sizeof sentence);
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Limits

// Nests lists on the same grid, and takes the outcome if it meets the limit
// that is wanted.
static nbstage_status try_nested(struct build *build, struct list_area *area)
{
    struct context *context = build->context;
    const struct pack_form nested = {PACK_NEST, build->options.pack.header};
    struct lists lists;
    struct list_area trial;
    context_begin_work(context, context->limits.work / 2);
    nbstage_status status =
        build_lists_again(build, build->output->placement, &lists);
    if (status == NBSTAGE_OK)
        status = pack_lists(context, &lists, nested, &trial);
    if (status != NBSTAGE_OK)
        return status;
    struct lump_measure measured = lump_measure(&trial);
    if (!lump_meets(&measured, build->wanted)) {
        list_area_free(context, &trial);
        return NBSTAGE_OK;
    }
    context_log(context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                "lists are nested, as the lump would else have %llu words with "
                "%llu as the largest offset, and miss the %s limit that the "
                "present one meets",
                (unsigned long long)build->output->measure.word_count,
                (unsigned long long)build->output->measure.largest_offset,
                build->wanted == LIMIT_VANILLA ? "vanilla" : "extended");
    build->options.pack = nested;
    list_area_free(context, area);
    *area = trial;
    build_take_area(build, area);
    return NBSTAGE_OK;
}

nbstage_status own_lump_keep_limit(struct build *build, struct list_area *area)
{
    struct build_output *output = build->output;
    nbstage_status status = NBSTAGE_OK;
    if (build->options.format == BUILD_FORMAT_XBM1 ||
        output->measure.meets_vanilla)
        return NBSTAGE_OK;
    own_lump_want_limit(build);
    if (build->wanted == LIMIT_NONE ||
        lump_meets(&output->measure, build->wanted))
        return NBSTAGE_OK;
    status = read_all(build, &output->lost_limit);
    if (status == NBSTAGE_OK && output->lost_limit &&
        build->options.limit == BUILD_LIMIT_AUTO &&
        !build_imitates(build->options.lists) &&
        (build->wanted == LIMIT_VANILLA || build->limit != LIMIT_VANILLA) &&
        build->options.pack.mode == PACK_SHARE)
        status = try_nested(build, area);
    output->lost_limit =
        output->lost_limit && !lump_meets(&output->measure, build->wanted);
    if (status != NBSTAGE_OK)
        list_area_free(build->context, area);
    return status;
}

// ---------------------------------------------------------------------------
// Keeping the lump

// The bytes of the new lump.
static uint64_t new_size(const struct build *build)
{
    const struct build_output *output = build->output;
    const uint64_t words = output->measure.word_count;
    if (output->form == LUMP_XBM1)
        return LUMP_XBM1_PREFIX_SIZE + words * lump_word_size(LUMP_XBM1);
    return output->over_limit ? 0 : words * lump_word_size(LUMP_CLASSIC);
}

static bool is_left_empty(const struct build *build)
{
    return build->output->over_limit && build->output->form != LUMP_XBM1 &&
           build->over_limit == BUILD_OVERFLOW_EMPTY;
}

nbstage_status own_lump_keep(struct build *build)
{
    const struct map_bytes *own = &build->map->blockmap;
    struct build_output *output = build->output;
    struct lump lump;
    struct lump_measure measured;
    bool is_sound = output->lost_limit;
    nbstage_status status = NBSTAGE_OK;
    if (!build->options.keeps_smaller ||
        (!output->lost_limit && !is_left_empty(build) &&
         new_size(build) <= own->size))
        return NBSTAGE_OK;
    if (!is_sound)
        status = read_all(build, &is_sound);
    if (status != NBSTAGE_OK || !is_sound || !measure(build, &lump, &measured))
        return status;
    own_lump_want_limit(build);
    measured.meets_vanilla = build->wanted == LIMIT_VANILLA;
    measured.meets_extended = build->wanted != LIMIT_NONE;
    if (output->over_limit && lump.form == LUMP_CLASSIC &&
        !lump_meets(&measured, build->limit))
        return NBSTAGE_OK; // it is over the limit, too
    status = context_allocate(build->context, own->size, 1, &output->bytes);
    if (status != NBSTAGE_OK)
        return status;
    memcpy(output->bytes, own->bytes, own->size);
    output->size = own->size;
    output->form = lump.form;
    output->grid = lump.grid;
    output->measure = measured;
    output->is_kept = true;
    output->lost_limit = output->over_limit = false;
    return NBSTAGE_OK;
}
