// SPDX-License-Identifier: GPL-2.0-or-later
//
// Walks the corridor lines, grid, touches, lists, pack, lump, with the search
// beside it if that is asked for, and decides what happens when the end of it
// is over a limit.  The way from the present lump joins it at the lists.

#include "stage.h"

#include "present.h"

#include <stdio.h>

// One walk.  What is made on the way stands here until it is freed.
struct walk {
    struct context *context;
    struct map *map;
    const struct stage_options *options;
    struct stage_output *output;

    struct nodes nodes;
    bool nodes_read;
    struct lines lines;
};

// ---------------------------------------------------------------------------
// Lines

static enum status read_nodes(struct walk *walk, enum nodes_need need)
{
    walk->nodes_read = true;
    return nodes_read(walk->context, walk->map, need, &walk->nodes);
}

// Gathers the lines.  A vertex that the map has not got may be one that the
// node builder added, so the nodes are read when one is missed.
static enum status gather_lines(struct walk *walk)
{
    enum status status = STATUS_OK;
    if (walk->options->check_nodes && !walk->nodes_read)
        status = read_nodes(walk, NODES_SEGS);
    if (status == STATUS_OK)
        status =
            lines_gather(walk->context, walk->map, &walk->nodes, &walk->lines);
    if (status == STATUS_BAD_MAP && !walk->nodes_read) {
        status = read_nodes(walk, NODES_VERTICES);
        if (status == STATUS_OK)
            status = lines_gather(walk->context, walk->map, &walk->nodes,
                                  &walk->lines);
    }
    if (status == STATUS_OK && walk->options->bounds == STAGE_BOUNDS_VERTICES)
        lines_span_vertices(walk->map, &walk->lines);
    return status;
}

// ---------------------------------------------------------------------------
// From a grid to its lists and their packing

// Uses the lines' coordinates up.
static enum status make_lists(struct walk *walk, const struct grid *grid,
                              struct lists *lists)
{
    struct touches touches;
    enum status status =
        touches_find(walk->context, &walk->lines, grid, &touches);
    if (status != STATUS_OK)
        return status;
    lines_free(walk->context, &walk->lines); // room for the lists
    status = lists_build(walk->context, grid, &touches, lists);
    touches_free(walk->context, &touches);
    return status;
}

// Where a lump over the limit is to be made to fit.
static enum fit_limit wanted_fit(const struct walk *walk)
{
    if (walk->options->format == STAGE_FORMAT_XBM1 ||
        walk->lines.count > LUMP_CLASSIC_LINES)
        return FIT_NONE;
    return walk->options->fit;
}

// Tells what is not as the host may have wanted it.
static void tell_price(struct walk *walk, const struct list_area *area)
{
    const struct stage_output *output = walk->output;
    if (area->is_early)
        context_log(walk->context, LOG_WARNING, "BLOCKMAP",
                    "packing was ended early, as this map takes too much of "
                    "it; nothing is lost, but the lump could be smaller");
    if (output->merge_count > 0)
        context_log(walk->context, LOG_WARNING, "BLOCKMAP",
                    "to meet the %s limit lists were merged %zu times; blocks "
                    "list %llu lines more than the %llu that touch them, at "
                    "most %lu in one block",
                    walk->options->fit == FIT_VANILLA ? "vanilla" : "extended",
                    output->merge_count,
                    (unsigned long long)area->price.extra_count,
                    (unsigned long long)output->touch_count,
                    (unsigned long)area->price.extra_at_worst);
}

static enum status pack_output(struct walk *walk, struct lists *lists,
                               struct list_area *area)
{
    struct stage_output *output = walk->output;
    enum status status = STATUS_OK;
    output->touch_count = lists->touch_count;
    if (walk->options->check_nodes) {
        output->checked_segs = walk->nodes.seg_count;
        status = check_nodes(walk->context, walk->map, &walk->nodes,
                             &output->grid, lists);
    }
    if (status != STATUS_OK) {
        lists_free(walk->context, lists);
        return status;
    }
    status = fit_pack(walk->context, lists, walk->options->pack,
                      wanted_fit(walk), area, &output->merge_count);
    if (status == STATUS_OK)
        tell_price(walk, area);
    return status;
}

// ---------------------------------------------------------------------------
// The search

static enum status search(struct walk *walk)
{
    const struct stage_options *options = walk->options;
    const struct search_request request = {
        .goal = options->goal,
        .pack = options->pack,
        .thread_count = options->threads,
    };
    struct search_answer answer;
    enum status status =
        search_grid(walk->context, &walk->lines, &request, &answer);
    if (status != STATUS_OK)
        return status;
    walk->output->placement = GRID_SEARCH;
    walk->output->grid = answer.grid;
    walk->output->scored_count = answer.scored_count;
    walk->output->built_count = answer.built_count;
    return STATUS_OK;
}

// ---------------------------------------------------------------------------
// The present lump

static enum status read_present(struct walk *walk, struct lists *lists)
{
    const struct map *map = walk->map;
    walk->lines.count = map->line_count;
    walk->output->placement = GRID_KEEP;
    return present_read(walk->context, map->blockmap.bytes, map->blockmap.size,
                        map->line_count, &walk->output->grid, lists);
}

static enum status take_present(struct walk *walk, struct lists *lists)
{
    enum grid_placement placement = walk->options->grid.placement;
    if (placement != GRID_AUTO && placement != GRID_KEEP)
        context_log(walk->context, LOG_WARNING, "BLOCKMAP",
                    "the grid that was asked for is not used; source=lump "
                    "keeps the grid of the lump");
    enum status status = STATUS_OK;
    if (walk->options->check_nodes)
        status = read_nodes(walk, NODES_SEGS);
    return status == STATUS_OK ? read_present(walk, lists) : status;
}

// ---------------------------------------------------------------------------
// Limits

static bool meets(const struct lump_measure *measure, enum stage_limit limit)
{
    return limit == STAGE_LIMIT_VANILLA ? measure->meets_vanilla
                                        : measure->meets_extended;
}

// Whether packing these lists, which are used up, meets the limit.
static enum status packing_would_meet(struct walk *walk, struct lists *lists,
                                      struct pack_form form, bool *answer)
{
    struct list_area area;
    enum status status = pack_lists(walk->context, lists, form, &area);
    if (status != STATUS_OK)
        return status;
    struct lump_measure measure = lump_measure(&area);
    list_area_free(walk->context, &area);
    *answer = meets(&measure, walk->options->limit);
    return STATUS_OK;
}

// Whether sharing lists on another grid meets the limit.
static enum status would_meet(struct walk *walk, enum grid_placement placement,
                              bool *answer)
{
    struct grid_request request = {.placement = placement};
    enum grid_placement taken;
    struct grid grid;
    static const struct pack_form share = {PACK_SHARE, HEADER_ZERO};
    struct lists lists;
    enum status status = gather_lines(walk);
    if (status == STATUS_OK)
        status = grid_choose(walk->context, &request, &walk->lines, NULL, &grid,
                             &taken);
    if (status == STATUS_OK)
        status = make_lists(walk, &grid, &lists);
    if (status == STATUS_OK)
        status = packing_would_meet(walk, &lists, share, answer);
    return status;
}

// Finds the packing that would do for the lists of the present lump, tried as
// well.  Modes come in the order of what they save; the last changes lists.
static enum status find_remedy_for_present(struct walk *walk,
                                           const char **remedy)
{
    static const char *const packings[] = {
        [PACK_SHARE] = "pack=share would meet it",
        [PACK_NEST] = "pack=nest would meet it",
    };
    const struct stage_options *options = walk->options;
    struct pack_form form = options->pack;
    bool lines_fit = walk->lines.count <= LUMP_CLASSIC_LINES;
    enum status status = STATUS_OK;
    bool answer = false;
    *remedy = options->format == STAGE_FORMAT_DOOM
                  ? "no packing that keeps its lists would meet it"
                  : "overflow=xbm1 would write an XBM1 lump";
    if (walk->output->measure.meets_extended)
        *remedy = "limit=extended would be met";
    while (lines_fit && !answer && status == STATUS_OK &&
           form.mode < PACK_NEST) {
        struct lists lists;
        form.mode++;
        status = read_present(walk, &lists);
        if (status == STATUS_OK)
            status = packing_would_meet(walk, &lists, form, &answer);
        if (answer)
            *remedy = packings[form.mode];
    }
    return status;
}

// Finds the options that would do, tried by building with them.
static enum status find_remedy(struct walk *walk, const char **remedy)
{
    if (walk->options->source == STAGE_SOURCE_LUMP)
        return find_remedy_for_present(walk, remedy);
    const struct stage_options *options = walk->options;
    bool lines_fit = walk->lines.count <= LUMP_CLASSIC_LINES;
    *remedy = options->format == STAGE_FORMAT_DOOM
                  ? "sharing lists on the grids of fit and id would not "
                    "meet it either"
                  : "overflow=xbm1 would write an XBM1 lump";
    if (walk->output->measure.meets_extended)
        *remedy = "limit=extended would be met";
    static const struct {
        enum grid_placement placement;
        const char *with_share; // as it is
        const char *and_share;  // if lists are not shared yet
    } trials[] = {
        {GRID_FIT, "grid=fit would meet it",
         "grid=fit with pack=share would meet it"},
        {GRID_ID, "grid=id would meet it",
         "grid=id with pack=share would meet it"},

    };
    enum status status = STATUS_OK;
    bool answer = false;
    for (size_t i = 0; lines_fit && !answer && status == STATUS_OK &&
                       i < sizeof trials / sizeof *trials;
         i++) {
        if (options->pack.mode == PACK_SHARE &&
            walk->output->placement == trials[i].placement)
            continue;
        status = would_meet(walk, trials[i].placement, &answer);
        if (status == STATUS_OK && answer)
            *remedy = options->pack.mode == PACK_SHARE ? trials[i].with_share
                                                       : trials[i].and_share;
    }
    return status;
}

// By how much the limit is missed.
static void describe_excess(const struct walk *walk, char *text, size_t size)
{
    const struct lump_measure *measure = &walk->output->measure;
    if (walk->lines.count > LUMP_CLASSIC_LINES)
        snprintf(text, size,
                 "%zu linedefs are %zu more than the %d that a classic lump "
                 "can number",
                 walk->lines.count, walk->lines.count - LUMP_CLASSIC_LINES,
                 LUMP_CLASSIC_LINES);
    else if (measure->meets_extended)
        snprintf(text, size,
                 "the largest offset is %llu, %llu over the vanilla limit of "
                 "%d",
                 (unsigned long long)measure->largest_offset,
                 (unsigned long long)measure->largest_offset -
                     LUMP_VANILLA_OFFSET,
                 LUMP_VANILLA_OFFSET);
    else
        snprintf(text, size,
                 "the lump has %llu words, %llu over the limit of %d",
                 (unsigned long long)measure->word_count,
                 (unsigned long long)measure->word_count - LUMP_EXTENDED_WORDS,
                 LUMP_EXTENDED_WORDS);
}

static enum status leave_empty_or_fail(struct walk *walk)
{
    const char *where =
        walk->lines.count > LUMP_CLASSIC_LINES ? "LINEDEFS" : "BLOCKMAP";
    char excess[160];
    const char *remedy;
    enum status status = find_remedy(walk, &remedy);
    if (status != STATUS_OK)
        return status;
    describe_excess(walk, excess, sizeof excess);
    if (walk->options->overflow != STAGE_OVERFLOW_EMPTY)
        return context_fail(walk->context, STATUS_OVER_LIMIT, where, "%s; %s",
                            excess, remedy);
    context_log(walk->context, LOG_WARNING, where,
                "%s; the lump was left empty; %s", excess, remedy);
    return STATUS_OK;
}

// ---------------------------------------------------------------------------
// The lump

static enum status write_lump(struct walk *walk, struct list_area *area)
{
    const struct stage_options *options = walk->options;
    struct stage_output *output = walk->output;
    output->list_count = area->stored_count;
    output->nested_count = area->nested_count;
    output->price = area->price;
    output->is_early = area->is_early;
    output->measure = lump_measure(area);
    if (walk->lines.count > LUMP_CLASSIC_LINES)
        output->measure.meets_vanilla = output->measure.meets_extended = false;
    output->over_limit = options->format != STAGE_FORMAT_XBM1 &&
                         !meets(&output->measure, options->limit);
    bool extended =
        options->format == STAGE_FORMAT_XBM1 ||
        (output->over_limit && options->format == STAGE_FORMAT_AUTO &&
         options->overflow == STAGE_OVERFLOW_XBM1);
    if (output->over_limit && !extended)
        return leave_empty_or_fail(walk);
    output->form = extended ? LUMP_XBM1 : LUMP_CLASSIC;
    return lump_write(walk->context, output->form, &output->grid, area,
                      &output->bytes, &output->size);
}

static enum status choose_grid(struct walk *walk)
{
    struct stage_output *output = walk->output;
    struct grid present;
    if (walk->options->grid.placement == GRID_SEARCH)
        return search(walk);

    bool has_present = lump_read_grid(walk->map->blockmap.bytes,
                                      walk->map->blockmap.size, &present);
    return grid_choose(walk->context, &walk->options->grid, &walk->lines,
                       has_present ? &present : NULL, &output->grid,
                       &output->placement);
}

// Finds the grid and its lists.
static enum status find_lists(struct walk *walk, struct lists *lists)
{
    if (walk->options->source == STAGE_SOURCE_LUMP)
        return take_present(walk, lists);
    enum status status = gather_lines(walk);
    if (status == STATUS_OK)
        status = choose_grid(walk);
    if (status == STATUS_OK)
        status = make_lists(walk, &walk->output->grid, lists);
    return status;
}

static enum status build_lump(struct walk *walk)
{
    struct lists lists;
    struct list_area area;
    enum status status = find_lists(walk, &lists);
    if (status == STATUS_OK)
        status = pack_output(walk, &lists, &area);
    if (status != STATUS_OK)
        return status;
    status = write_lump(walk, &area);
    list_area_free(walk->context, &area);
    return status;
}

enum status stage_build(struct context *context, struct map *map,
                        const struct stage_options *options,
                        struct stage_output *output)
{
    struct walk walk = {
        .context = context, .map = map, .options = options, .output = output};
    *output = (struct stage_output){.line_count = map->line_count};
    enum status status = build_lump(&walk);
    lines_free(context, &walk.lines);
    nodes_free(context, &walk.nodes);
    return status;
}
