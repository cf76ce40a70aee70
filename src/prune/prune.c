// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line is tagged if it asks to be left out; see askers.h.  It is inert
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

#include "prune/prune.h"

#include "prune/line-of-sight.h"
#include "prune/specials.h"
#include "prune/tagged.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct verdict {
    struct context *context;
    const struct map *map;
    const struct attributes *attributes;
    struct pruning *pruning;
    bool has_polyobjects;
};

static nbstage_status make_fates(struct context *context, const struct map *map,
                                 struct pruning *pruning)
{
    if (pruning->fates)
        return NBSTAGE_OK;
    return context_allocate_zeroed(context, map->line_count,
                                   sizeof *pruning->fates, &pruning->fates);
}

// ---------------------------------------------------------------------------
// Tagged lines

// Lets every line stay that has asked by something that others need.
static void keep_tagged(struct context *context, const struct map *map,
                        size_t user, struct pruning *pruning)
{
    if (pruning->tagged_count == 0)
        return;
    context_log(context, NBSTAGE_LOG_WARNING, NULL,
                "linedef %zu has a special and tag 999, so the tag is in use; "
                "%zu linedefs that have it stay in the blockmap",
                user, pruning->tagged_count);
    memset(pruning->fates, PRUNE_LINE_KEPT, map->line_count);
    pruning->tagged_count = 0;
}

static nbstage_status find_tagged(struct context *context,
                                  const struct map *map,
                                  struct pruning *pruning)
{
    size_t user = map->line_count; // of the tag
    for (size_t i = tagged_next(map, 0); i < map->line_count;
         i = tagged_next(map, i + 1)) {
        if (tagged_uses_tag(map, i)) {
            user = user == map->line_count ? i : user;
            continue;
        }
        nbstage_status status = make_fates(context, map, pruning);
        if (status != NBSTAGE_OK)
            return status;
        pruning->fates[i] = PRUNE_LINE_TAGGED;
        pruning->tagged_count++;
    }
    if (user < map->line_count)
        keep_tagged(context, map, user, pruning);
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// What may move any sector

// Whether a name has "M8" in it, in upper or lower case.
static bool names_eighth_map(const char *name)
{
    for (; *name; name++)
        if ((name[0] == 'M' || name[0] == 'm') && name[1] == '8')
            return true;
    return false;
}

// Whether a death may act on tag 0: on maps 8 of Heretic's episodes, which a
// name such as E1M8 is of.  A map without a name may be one.
static bool may_have_bosses(const struct verdict *verdict)
{
    const char *name = verdict->context->map_name;
    return verdict->attributes->specials != SPECIALS_HEXEN &&
           (!name || !*name || names_eighth_map(name));
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
        *judged = (struct prune_sector){.state = PRUNE_SECTOR_IN_DOUBT,
                                        .doubt = sector->doubt};
    else if (sector->tag != 0)
        *judged = (struct prune_sector){.state = PRUNE_SECTOR_TAGGED,
                                        .number = sector->tag};
    else if (!sector_special_is_still(attributes->specials, sector->special))
        *judged = (struct prune_sector){.state = PRUNE_SECTOR_SPECIAL,
                                        .number = sector->special};
    else
        *judged = (struct prune_sector){.state = PRUNE_SECTOR_FIXED};
}

// Takes notice of a line that borders on a sector.
static void border(struct pruning *pruning, uint32_t sector, size_t line,
                   uint32_t special)
{
    struct prune_sector *judged = &pruning->sectors[sector];
    judged->line_count++;
    if (special != 0 && judged->state == PRUNE_SECTOR_FIXED) {
        judged->state = PRUNE_SECTOR_BY_SPECIAL;
        judged->number = (uint32_t)line;
        judged->special = special;
    }
}

static nbstage_status judge_sectors(struct verdict *verdict)
{
    const struct attributes *attributes = verdict->attributes;
    struct pruning *pruning = verdict->pruning;
    nbstage_status status =
        context_allocate(verdict->context, attributes->sector_count,
                         sizeof *pruning->sectors, &pruning->sectors);
    if (status != NBSTAGE_OK)
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
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Inert lines

// Whether a sector stays as it is.
static bool is_fixed(const struct verdict *verdict, uint32_t sector)
{
    const struct pruning *pruning = verdict->pruning;
    return !pruning->may_move[0] &&
           pruning->sectors[sector].state == PRUNE_SECTOR_FIXED;
}

// Whether two sectors have the same heights, and room between them.
static bool are_even(const struct attributes_sector *a,
                     const struct attributes_sector *b)
{
    return a->floor == b->floor && a->ceiling == b->ceiling &&
           a->floor < a->ceiling;
}

// Why a line stays, as far as that is told without geometry.
static enum prune_reason find_reason(const struct verdict *verdict,
                                     const struct attributes_line *line)
{
    const struct attributes_sector *sectors = verdict->attributes->sectors;
    if (!line->two_sided || line->front == ATTRIBUTES_NO_SECTOR ||
        line->back == ATTRIBUTES_NO_SECTOR)
        return PRUNE_ONE_SIDED;
    const struct attributes_sector *front = &sectors[line->front];
    const struct attributes_sector *back = &sectors[line->back];
    if (line->special != 0)
        return PRUNE_SPECIAL;
    if (!line->is_harmless || front->has_unknown_flag || back->has_unknown_flag)
        return PRUNE_NOT_HARMLESS;
    if (verdict->has_polyobjects)
        return PRUNE_NOT_FIXED;
    if (line->front == line->back) // rule 1
        return PRUNE_NO_REASON;
    if (!is_fixed(verdict, line->front) || !is_fixed(verdict, line->back))
        return PRUNE_NOT_FIXED;
    return are_even(front, back) ? PRUNE_NO_REASON : PRUNE_UNEVEN; // rule 2
}

// Takes notice, for a sector, of what becomes of a line of it.
static void count_line(struct prune_sector *sector, enum prune_reason reason)
{
    if (reason == PRUNE_NO_REASON)
        sector->left_out_count++;
    else
        sector->stay_count[reason]++;
}

static void judge_line(struct verdict *verdict, struct sides *sides,
                       size_t index)
{
    const struct attributes_line *line = &verdict->attributes->lines[index];
    struct pruning *pruning = verdict->pruning;
    enum prune_reason reason = PRUNE_NO_REASON;
    if (pruning->fates[index] == PRUNE_LINE_KEPT) {
        reason = find_reason(verdict, line);
        if (reason == PRUNE_NO_REASON && !line_of_sight_agrees(sides, index))
            reason = PRUNE_NOT_SEEN;
        if (reason == PRUNE_NO_REASON) {
            pruning->fates[index] = PRUNE_LINE_INERT;
            pruning->inert_count++;
        }
    }
    if (line->front != ATTRIBUTES_NO_SECTOR)
        count_line(&pruning->sectors[line->front], reason);
    if (line->back != ATTRIBUTES_NO_SECTOR && line->back != line->front)
        count_line(&pruning->sectors[line->back], reason);
}

enum {
    LINES_A_REPORT = 1024, // of progress
    WORK_A_REPORT = 1 << 20,
};

static nbstage_status judge_lines(struct verdict *verdict, struct sides *sides)
{
    size_t line_count = verdict->attributes->line_count;
    uint64_t report_at = sides->work_left;
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0; i < line_count && status == NBSTAGE_OK; i++) {
        judge_line(verdict, sides, i);
        if (i % LINES_A_REPORT != 0 && sides->work_left >= report_at)
            continue;
        status = context_progress(verdict->context, i, line_count);
        report_at = sides->work_left > WORK_A_REPORT
                        ? sides->work_left - WORK_A_REPORT
                        : 0;
    }
    if (status == NBSTAGE_OK && sides->work_left == 0)
        context_log(verdict->context, NBSTAGE_LOG_WARNING, NULL,
                    "to see where all lines lie takes too much work on this "
                    "map; some that are inert may have stayed");
    return status;
}

// Leaves all lines alone, as lists that tell where they lie are too long.
static void judge_nothing(struct verdict *verdict)
{
    struct pruning *pruning = verdict->pruning;
    context_log(verdict->context, NBSTAGE_LOG_WARNING, NULL,
                "lines are in too many blocks to see where all lie; no line "
                "is taken to be inert");
    context_release(verdict->context, pruning->sectors);
    pruning->sectors = NULL;
    pruning->sector_count = 0;
}

// *there is false if the lists take more than a map may.
static nbstage_status prepare_sides(struct verdict *verdict,
                                    const struct lines *lines,
                                    struct sides *sides, bool *there)
{
    struct context trial = *verdict->context; // that is no failure of the build
    nbstage_status status =
        line_of_sight_prepare(&trial, lines, verdict->attributes, sides);
    *there = status == NBSTAGE_OK;
    if (status == NBSTAGE_OVER_LIMIT)
        return NBSTAGE_OK;
    if (!*there)
        *verdict->context = trial;
    return status;
}

static nbstage_status judge(struct verdict *verdict, const struct lines *lines)
{
    bool there = false;
    struct sides sides = {0};
    find_what_moves(verdict);
    nbstage_status status = judge_sectors(verdict);
    if (status == NBSTAGE_OK)
        status = make_fates(verdict->context, verdict->map, verdict->pruning);
    if (status == NBSTAGE_OK)
        status = prepare_sides(verdict, lines, &sides, &there);
    if (status == NBSTAGE_OK && there)
        status = judge_lines(verdict, &sides);
    else if (status == NBSTAGE_OK)
        judge_nothing(verdict);
    line_of_sight_free(verdict->context, &sides);
    return status;
}

// Reads the attributes; *there is false if they cannot be had.
static nbstage_status read_attributes(struct context *context, struct map *map,
                                      struct attributes *attributes,
                                      bool *there)
{
    struct context trial = *context; // its sentence is no failure of the build
    trial.map_name = NULL;
    nbstage_status status = attributes_read(&trial, map, attributes);
    *there = status == NBSTAGE_OK;
    if (status == NBSTAGE_OUT_OF_MEMORY)
        return context_fail(context, status, NULL, "%s", trial.message);
    if (!*there) {
        attributes_free(context, attributes);
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "%s; no line is taken to be inert", trial.message);
    }
    return NBSTAGE_OK;
}

static nbstage_status find_inert(struct context *context, struct map *map,
                                 const struct lines *lines,
                                 struct pruning *pruning)
{
    struct attributes attributes;
    bool there;
    if (map->format == NBSTAGE_FORMAT_DOOM64) {
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "what can move in Doom 64, by macros above all, is not "
                    "known; no line is taken to be inert");
        return NBSTAGE_OK;
    }
    nbstage_status status = read_attributes(context, map, &attributes, &there);
    if (status != NBSTAGE_OK || !there)
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

nbstage_status prune_lines(struct context *context, struct map *map,
                           const struct lines *lines, enum prune_policy policy,
                           struct pruning *pruning)
{
    nbstage_status status = NBSTAGE_OK;
    *pruning = (struct pruning){0};
    if (policy != PRUNE_NONE)
        status = find_tagged(context, map, pruning);
    if (status == NBSTAGE_OK && policy == PRUNE_INERT)
        status = find_inert(context, map, lines, pruning);
    if (status != NBSTAGE_OK) {
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
    long tag = (long)(int32_t)sector->number;
    switch (sector->state) {
    case PRUNE_SECTOR_FIXED:
        snprintf(text, size, "%s",
                 pruning->may_move[0] ? pruning->may_move : "fixed");
        break;
    case PRUNE_SECTOR_IN_DOUBT:
        snprintf(text, size, "has %s", sector->doubt);
        break;
    case PRUNE_SECTOR_TAGGED:
        snprintf(text, size, "tag %ld", tag);
        break;
    case PRUNE_SECTOR_SPECIAL:
        snprintf(text, size, "special %lu", number);
        break;
    case PRUNE_SECTOR_BY_SPECIAL:
        snprintf(text, size, "borders on linedef %lu, which has special %lu",
                 number, (unsigned long)sector->special);
        break;
    }
}

// Adds to a text that ends at *end.
static void add_text(char *text, size_t *end, const char *format, ...)
    PRINTF_LIKE(3, 4);

static void add_text(char *text, size_t *end, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(text + *end, PRUNE_TEXT_SIZE - *end, format, arguments);
    va_end(arguments);
    if (length > 0)
        *end += (size_t)length;
    if (*end >= PRUNE_TEXT_SIZE)
        *end = PRUNE_TEXT_SIZE - 1;
}

// Adds how many lines stay and why: "; 3 stay: 2 one-sided, 1 with a special".
static void add_reasons(const struct prune_sector *sector, char *text,
                        size_t *end)
{
    static const char *const reasons[PRUNE_REASONS] = {
        [PRUNE_ONE_SIDED] = "one-sided",
        [PRUNE_SPECIAL] = "with a special",
        [PRUNE_NOT_HARMLESS] = "with a tag, flag or field that may matter",
        [PRUNE_NOT_FIXED] = "beside what may move",
        [PRUNE_UNEVEN] = "between different heights",
        [PRUNE_NOT_SEEN] = "not seen to lie in its sectors",
    };
    unsigned long stay = sector->line_count - sector->left_out_count;
    if (stay == 0)
        return;
    add_text(text, end, "; %lu stay%s", stay, stay == 1 ? "s" : "");
    const char *separator = ": ";
    for (int i = 0; i < PRUNE_REASONS; i++) {
        unsigned long count = sector->stay_count[i];
        if (count == 0)
            continue;
        add_text(text, end, "%s%lu %s", separator, count, reasons[i]);
        separator = ", ";
    }
}

void prune_explain(const struct pruning *pruning, size_t sector,
                   char text[PRUNE_TEXT_SIZE])
{
    const struct prune_sector *judged = &pruning->sectors[sector];
    unsigned long count = judged->line_count;
    unsigned long left_out = judged->left_out_count;
    char state[PRUNE_CAUSE_SIZE];
    size_t end = 0;
    explain_state(pruning, sector, state, sizeof state);
    add_text(text, &end, "%s; %lu of its %lu linedef%s %s left out", state,
             left_out, count, count == 1 ? "" : "s",
             left_out == 1 ? "is" : "are");
    add_reasons(judged, text, &end);
}

void prune_free(struct context *context, struct pruning *pruning)
{
    context_release(context, pruning->fates);
    context_release(context, pruning->sectors);
    *pruning = (struct pruning){0};
}
