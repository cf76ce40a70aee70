// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line is tagged if it asks to be left out; see attributes.h.  It is inert
// by the rules that VigilantBSP documents, made stricter where a format can do
// more than Doom's.  When in doubt the line stays.
//
// Of an inert line this is true:
//  - It is two-sided, with a sector on either side.
//  - It has no special, no tag or id, and no flag or field that is not known
//    to be harmless.
//  - The nearest lines to both sides of it show the same sectors as it does,
//    so it is not part of a trick such as the outline of a self-referencing
//    sector; see sides.h.
//  - Rule 1: it has the same sector on both sides.  Or rule 2: its two sectors
//    are fixed, have equal floors and equal ceilings, and room between them.
//
// A sector is fixed if
//  - it has no tag, no special but those known to leave it as it is, and no
//    slopes or other fields that may matter;
//  - no line with a special borders on it: doors that are pushed move the
//    sector behind the line;
//  - nothing on the map may move any sector: no stairs or donuts, which move
//    what is next to the tagged sector; no action on tag 0, which stands for
//    all sectors without a tag; no special that is not known, on a line or on
//    a thing, which may act when it dies; no script; no thing that makes
//    slopes; no boss of Heretic, whose death on E1M8 and its like acts on
//    tag 0.
//
// Where there are polyobjects, whose lines look like any other, no line is
// inert.  What comes from outside the map, such as a patch that gives actions
// to monsters, cannot be seen.

#include "prune.h"

#include "sides.h"
#include "specials.h"

#include <stdio.h>
#include <string.h>

struct verdict {
    struct context *context;
    const struct map *map;
    const struct attributes *attributes;
    struct pruning *pruning;
    bool has_polyobjects;
};

static enum status make_fates(struct context *context, const struct map *map,
                              struct pruning *pruning)
{
    if (pruning->fates)
        return STATUS_OK;
    return context_allocate_zeroed(context, map->line_count,
                                   sizeof *pruning->fates, &pruning->fates);
}

// ---------------------------------------------------------------------------
// Tagged lines

static enum status find_tagged(struct context *context, const struct map *map,
                               struct pruning *pruning)
{
    for (size_t i = attributes_next_asker(map, 0); i < map->line_count;
         i = attributes_next_asker(map, i + 1)) {
        enum status status = make_fates(context, map, pruning);
        if (status != STATUS_OK)
            return status;
        pruning->fates[i] = LINE_TAGGED;
        pruning->tagged_count++;
    }
    return STATUS_OK;
}

// ---------------------------------------------------------------------------
// What may move any sector

// Whether a death may act on tag 0: on maps 8 of Heretic's episodes, which a
// name such as E1M8 is of.  A map without a name may be one.
static bool may_have_bosses(const struct verdict *verdict)
{
    const char *name = verdict->context->map_name;
    size_t length = name ? strlen(name) : 0;
    return verdict->attributes->specials != SPECIALS_HEXEN &&
           (!name || (length >= 2 && strcmp(name + length - 2, "M8") == 0));
}

static void find_lines_that_move(struct verdict *verdict)
{
    const struct attributes *attributes = verdict->attributes;
    char *text = verdict->pruning->may_move;
    for (size_t i = 0; i < attributes->line_count; i++) {
        const struct attributes_line *line = &attributes->lines[i];
        if (special_makes_polyobject(attributes->specials, line->special))
            verdict->has_polyobjects = true;
        if (!text[0] && special_may_move_any(attributes->specials,
                                             line->special, line->tag))
            snprintf(text, PRUNE_CAUSE_SIZE,
                     "linedef %zu may move any sector by special %lu", i,
                     (unsigned long)line->special);
    }
}

static void find_things_that_move(struct verdict *verdict)
{
    const struct attributes *attributes = verdict->attributes;
    char *text = verdict->pruning->may_move;
    for (size_t i = 0; i < attributes->thing_count && !text[0]; i++) {
        const struct attributes_thing *thing = &attributes->things[i];
        if (thing_moves_planes(thing->type))
            snprintf(text, PRUNE_CAUSE_SIZE, "thing %zu may make slopes",
                     thing->number);
        else if (special_may_move_any(attributes->specials, thing->special,
                                      thing->tag))
            snprintf(text, PRUNE_CAUSE_SIZE,
                     "thing %zu may move any sector by special %lu",
                     thing->number, (unsigned long)thing->special);
    }
}

static void find_what_moves(struct verdict *verdict)
{
    const char *cause = NULL;
    find_lines_that_move(verdict);
    find_things_that_move(verdict);
    if (verdict->has_polyobjects)
        cause = "the map has polyobjects";
    else if (verdict->attributes->has_scripts)
        cause = "the map has scripts, which may move any sector";
    else if (may_have_bosses(verdict))
        cause = "the death of a boss may move any sector";
    if (cause)
        snprintf(verdict->pruning->may_move, PRUNE_CAUSE_SIZE, "%s", cause);
}

// ---------------------------------------------------------------------------
// Sectors

static void judge_sector(const struct attributes *attributes,
                         const struct attributes_sector *sector,
                         struct prune_sector *judged)
{
    if (sector->doubt)
        *judged = (struct prune_sector){.state = SECTOR_IN_DOUBT,
                                        .doubt = sector->doubt};
    else if (sector->tag != 0)
        *judged = (struct prune_sector){.state = SECTOR_TAGGED,
                                        .number = sector->tag};
    else if (!sector_special_is_still(attributes->specials, sector->special))
        *judged = (struct prune_sector){.state = SECTOR_SPECIAL,
                                        .number = sector->special};
    else
        *judged = (struct prune_sector){.state = SECTOR_FIXED};
}

// Takes notice of a line that borders on a sector.
static void border(struct pruning *pruning, uint32_t sector, size_t line,
                   uint32_t special)
{
    struct prune_sector *judged = &pruning->sectors[sector];
    judged->line_count++;
    if (special != 0 && judged->state == SECTOR_FIXED) {
        judged->state = SECTOR_BY_SPECIAL;
        judged->number = (uint32_t)line;
        judged->special = special;
    }
}

static enum status judge_sectors(struct verdict *verdict)
{
    const struct attributes *attributes = verdict->attributes;
    struct pruning *pruning = verdict->pruning;
    enum status status =
        context_allocate(verdict->context, attributes->sector_count,
                         sizeof *pruning->sectors, &pruning->sectors);
    if (status != STATUS_OK)
        return status;
    pruning->sector_count = attributes->sector_count;
    for (size_t i = 0; i < attributes->sector_count; i++)
        judge_sector(attributes, &attributes->sectors[i], &pruning->sectors[i]);
    for (size_t i = 0; i < attributes->line_count; i++) {
        const struct attributes_line *line = &attributes->lines[i];
        if (line->front != ATTRIBUTES_NO_SECTOR)
            border(pruning, line->front, i, line->special);
        if (line->back != ATTRIBUTES_NO_SECTOR && line->back != line->front)
            border(pruning, line->back, i, line->special);
    }
    return STATUS_OK;
}

// ---------------------------------------------------------------------------
// Inert lines

// Whether nothing is felt when passing from one sector into another: rule 2.
static bool sectors_are_even(const struct verdict *verdict, uint32_t front,
                             uint32_t back)
{
    const struct pruning *pruning = verdict->pruning;
    const struct attributes_sector *a = &verdict->attributes->sectors[front];
    const struct attributes_sector *b = &verdict->attributes->sectors[back];
    return !pruning->may_move[0] &&
           pruning->sectors[front].state == SECTOR_FIXED &&
           pruning->sectors[back].state == SECTOR_FIXED &&
           a->floor == b->floor && a->ceiling == b->ceiling &&
           a->floor < a->ceiling;
}

// Whether a line is inert as far as that is told without geometry.
static bool may_be_inert(const struct verdict *verdict, size_t index)
{
    const struct attributes_line *line = &verdict->attributes->lines[index];
    if (verdict->has_polyobjects || !line->two_sided || !line->passable ||
        line->special != 0 || line->front == ATTRIBUTES_NO_SECTOR ||
        line->back == ATTRIBUTES_NO_SECTOR ||
        verdict->attributes->sectors[line->front].strange ||
        verdict->attributes->sectors[line->back].strange)
        return false;
    return line->front == line->back ||
           sectors_are_even(verdict, line->front, line->back);
}

static void count_left_out(struct verdict *verdict, size_t index)
{
    const struct attributes_line *line = &verdict->attributes->lines[index];
    struct pruning *pruning = verdict->pruning;
    if (line->front != ATTRIBUTES_NO_SECTOR)
        pruning->sectors[line->front].left_out_count++;
    if (line->back != ATTRIBUTES_NO_SECTOR && line->back != line->front)
        pruning->sectors[line->back].left_out_count++;
}

static void leave_out_inert(struct verdict *verdict, struct sides *sides)
{
    struct pruning *pruning = verdict->pruning;
    for (size_t i = 0; i < verdict->attributes->line_count; i++) {
        if (pruning->fates[i] == LINE_KEPT && may_be_inert(verdict, i) &&
            sides_agree(sides, i)) {
            pruning->fates[i] = LINE_INERT;
            pruning->inert_count++;
        }
        if (pruning->fates[i] != LINE_KEPT)
            count_left_out(verdict, i);
    }
}

static enum status judge(struct verdict *verdict, const struct lines *lines)
{
    struct sides sides = {0};
    find_what_moves(verdict);
    enum status status = judge_sectors(verdict);
    if (status == STATUS_OK)
        status = make_fates(verdict->context, verdict->map, verdict->pruning);
    if (status == STATUS_OK)
        status =
            sides_prepare(verdict->context, lines, verdict->attributes, &sides);
    if (status == STATUS_OK)
        leave_out_inert(verdict, &sides);
    sides_free(verdict->context, &sides);
    return status;
}

// Reads the attributes; *there is false if they cannot be had.
static enum status read_attributes(struct context *context, struct map *map,
                                   struct attributes *attributes, bool *there)
{
    struct context trial = *context; // its sentence is no failure of the build
    trial.map_name = NULL;
    enum status status = attributes_read(&trial, map, attributes);
    *there = status == STATUS_OK;
    if (status == STATUS_OUT_OF_MEMORY)
        return context_fail(context, status, NULL, "%s", trial.message);
    if (!*there)
        context_log(context, LOG_WARNING, NULL,
                    "%s; no line is taken to be inert", trial.message);
    return STATUS_OK;
}

static enum status find_inert(struct context *context, struct map *map,
                              const struct lines *lines,
                              struct pruning *pruning)
{
    struct attributes attributes;
    bool there;
    enum status status = read_attributes(context, map, &attributes, &there);
    if (status != STATUS_OK || !there)
        return status;
    struct verdict verdict = {.context = context,
                              .map = map,
                              .attributes = &attributes,
                              .pruning = pruning};
    status = judge(&verdict, lines);
    attributes_free(context, &attributes);
    return status;
}

// ---------------------------------------------------------------------------

enum status prune_lines(struct context *context, struct map *map,
                        const struct lines *lines, enum prune_policy policy,
                        struct pruning *pruning)
{
    enum status status = STATUS_OK;
    *pruning = (struct pruning){0};
    if (policy != PRUNE_NONE)
        status = find_tagged(context, map, pruning);
    if (status == STATUS_OK && policy == PRUNE_INERT)
        status = find_inert(context, map, lines, pruning);
    if (status != STATUS_OK) {
        prune_free(context, pruning);
    } else if (pruning->tagged_count + pruning->inert_count == 0) {
        context_release(context, pruning->fates);
        pruning->fates = NULL;
    }
    return status;
}

// What is known of a sector.
static void explain_state(const struct pruning *pruning, size_t index,
                          char *text, size_t size)
{
    const struct prune_sector *sector = &pruning->sectors[index];
    unsigned long number = sector->number;
    switch (sector->state) {
    case SECTOR_FIXED:
        snprintf(text, size, "%s",
                 pruning->may_move[0] ? pruning->may_move : "fixed");
        break;
    case SECTOR_IN_DOUBT:
        snprintf(text, size, "has %s", sector->doubt);
        break;
    case SECTOR_TAGGED:
        snprintf(text, size, "tag %lu", number);
        break;
    case SECTOR_SPECIAL:
        snprintf(text, size, "special %lu", number);
        break;
    case SECTOR_BY_SPECIAL:
        snprintf(text, size, "borders on linedef %lu, which has special %lu",
                 number, (unsigned long)sector->special);
        break;
    }
}

void prune_explain(const struct pruning *pruning, size_t sector,
                   char text[PRUNE_TEXT_SIZE])
{
    const struct prune_sector *judged = &pruning->sectors[sector];
    char state[PRUNE_CAUSE_SIZE];
    explain_state(pruning, sector, state, sizeof state);
    snprintf(text, PRUNE_TEXT_SIZE, "%s; %lu of its %lu linedefs are left out",
             state, (unsigned long)judged->left_out_count,
             (unsigned long)judged->line_count);
}

void prune_free(struct context *context, struct pruning *pruning)
{
    context_release(context, pruning->fates);
    context_release(context, pruning->sectors);
    *pruning = (struct pruning){0};
}
