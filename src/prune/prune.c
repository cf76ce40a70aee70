// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line is tagged if it asks to be left out; see tagged.c.  The host may leave
// out lines of its own choice.  A line is inert by the rules that VigilantBSP
// documents, made stricter where a format can do more than Doom's.  When in
// doubt the line stays.
//
// Of an inert line this is true:
//  - It is two-sided, with a sector on either side.
//  - It has no special, no tag or id, and no flag or field that is not known
//    to be harmless.
//  - The nearest lines to both sides of it show the same sectors as it does,
//    so it is not part of a trick such as the outline of a self-referencing
//    sector; see line-of-sight.h.
//  - Rule 1: it has the same sector on both sides.  Or rule 2: its two sectors
//    are fixed, have equal floors and equal ceilings, and room between them.
//
// A sector is fixed if
//  - it has no tag, no special but those known to leave it as it is, and no
//    slopes or other fields that may matter;
//  - no line beside it may move it: doors, and what else is pushed in Boom,
//    move the sector on the far side of the line, and so may all specials that
//    are not known to be Doom's own;
//  - nothing on the map may move any sector: no stairs or donuts, which move
//    what is next to the tagged sector; no action on tag 0, which stands for
//    all sectors without a tag; no special that is not known, on a line or on
//    a thing, which may act when it dies; no script; no thing that makes
//    slopes; no boss of Heretic, whose death on E1M8 and its like acts on
//    tag 0.
//
// What is unreachable is found in the same model; see unreachable.c.  Of an
// unreachable line this is true: it has no special, no way that any box, shot,
// use or teleport can take leads to it before it meets another line that stays
// and stops it, and by one of these rules it
//  3. is one-sided, before a closed sector: fixed, the floor at the ceiling or
//     above it;
//  4. has the same closed sector on both sides;
//  5. is between two closed sectors;
//  6. has a sector with room, but no way leads there.
//
// Where there are polyobjects, whose lines look like any other, no line is
// inert.  Actions from outside the map, such as a patch that gives actions to
// monsters, are not known.

#include "prune/prune.h"

#include "prune/line-of-sight.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct verdict {
    struct context *context;
    struct attributes attributes;
    struct sight sight;
    struct pruning *pruning;
};

// ---------------------------------------------------------------------------
// What may move any sector

// Whether bosses may die on a map of this name whose deaths act on tag 0: on
// the eighth maps of Heretic's episodes, such as E1M8.  A map without a name
// may be one.
static bool expects_bosses(const char *map_name)
{
    return !map_name || !*map_name || strstr(map_name, "M8") ||
           strstr(map_name, "m8");
}

// The tag that the special of a line acts on; 0 if that is in doubt.
static uint32_t target_of(const struct attributes *attributes,
                          const struct nbstage_line *line)
{
    if (attributes->format == NBSTAGE_FORMAT_DOOM)
        return line->tag;
    // In UDMF ports differ over whether a tag of Doom's is the id or arg0.
    return attributes->specials == SPECIALS_DOOM ? 0 : (uint32_t)line->args[0];
}

// Keeps the first line or thing whose special may move any sector.
static void note_special(struct verdict *verdict, const char *what,
                         size_t index, uint32_t special, uint32_t tag)
{
    char *text = verdict->pruning->may_move;
    if (!text[0] &&
        special_may_move_any(verdict->attributes.specials, special, tag))
        snprintf(text, PRUNE_CAUSE_SIZE,
                 "%s %zu may move any sector by special %lu", what, index,
                 (unsigned long)special);
}

// After the lines.
static void find_what_moves(struct verdict *verdict)
{
    const struct attributes *attributes = &verdict->attributes;
    char *text = verdict->pruning->may_move;
    const char *cause = NULL;
    for (size_t i = 0; i < attributes->thing_count && !text[0]; i++) {
        const struct attributes_thing *thing = &attributes->things[i];
        if (thing_makes_slopes(thing->type))
            snprintf(text, PRUNE_CAUSE_SIZE, "thing %zu may make slopes", i);
        note_special(verdict, "thing", i, thing->special, thing->tag);
    }
    if (verdict->pruning->has_polyobjects)
        cause = "the map has polyobjects";
    else if (attributes->has_scripts)
        cause = "the map has scripts, which may move any sector";
    else if (attributes->specials != SPECIALS_HEXEN &&
             expects_bosses(verdict->context->map_name))
        cause = "the death of a boss may move any sector";
    if (cause)
        snprintf(text, PRUNE_CAUSE_SIZE, "%s", cause);
}

// ---------------------------------------------------------------------------
// Sectors

// What is known of a sector by itself.
static struct prune_sector judge_sector(const struct attributes *attributes,
                                        size_t index)
{
    const struct nbstage_sector *sector = &attributes->sectors[index];
    struct prune_sector judged = {.state = PRUNE_SECTOR_FIXED};
    if (attributes->doubts[index]) {
        judged.state = PRUNE_SECTOR_IN_DOUBT;
        judged.doubt = attributes->doubts[index];
    } else if (sector->tag != 0) {
        judged.state = PRUNE_SECTOR_TAGGED;
        judged.number = sector->tag;
    } else if (!special_leaves_sector(attributes->specials, sector->special)) {
        judged.state = PRUNE_SECTOR_SPECIAL;
        judged.number = sector->special;
    }
    return judged;
}

// Takes account of what the special of a line may move.
static void judge_special(struct verdict *verdict, size_t index)
{
    const struct attributes *attributes = &verdict->attributes;
    const struct nbstage_line *line = &attributes->lines[index];
    struct pruning *pruning = verdict->pruning;
    pruning->has_polyobjects |=
        special_makes_polyobject(attributes->specials, line->special);
    note_special(verdict, "linedef", index, line->special,
                 target_of(attributes, line));
    if (!special_may_move_beside(attributes->specials, line->special))
        return;
    for (size_t side = 2 * index; side < 2 * index + 2; side++) {
        const uint32_t sector = attributes_sector(attributes, side);
        if (sector == NBSTAGE_NONE ||
            pruning->sectors[sector].state != PRUNE_SECTOR_FIXED)
            continue;
        struct prune_sector *judged = &pruning->sectors[sector];
        judged->state = PRUNE_SECTOR_BY_SPECIAL;
        judged->number = (uint32_t)index;
        pruning->borders[judged->border].special = line->special;
    }
}

// Makes borders for the sectors that lines border on.
static nbstage_status make_borders(struct verdict *verdict)
{
    const struct attributes *attributes = &verdict->attributes;
    struct pruning *pruning = verdict->pruning;
    uint32_t count = 0;
    for (size_t i = 0; i < 2 * attributes->line_count; i++) {
        const uint32_t sector = attributes_sector(attributes, i);
        if (sector != NBSTAGE_NONE && pruning->sectors[sector].border == 0)
            pruning->sectors[sector].border = ++count;
    }
    return context_allocate_zeroed(verdict->context, (size_t)count + 1,
                                   sizeof *pruning->borders, &pruning->borders);
}

static nbstage_status judge_sectors(struct verdict *verdict)
{
    const struct attributes *attributes = &verdict->attributes;
    struct pruning *pruning = verdict->pruning;
    nbstage_status status =
        context_allocate(verdict->context, attributes->sector_count,
                         sizeof *pruning->sectors, &pruning->sectors);
    if (status != NBSTAGE_OK)
        return status;
    pruning->sector_count = attributes->sector_count;
    for (size_t i = 0; i < attributes->sector_count; i++)
        pruning->sectors[i] = judge_sector(attributes, i);
    status = make_borders(verdict);
    for (size_t i = 0; i < attributes->line_count && status == NBSTAGE_OK; i++)
        if (attributes->lines[i].special != 0)
            judge_special(verdict, i);
    return status;
}

// ---------------------------------------------------------------------------
// Inert lines

static bool is_two_sided(const struct attributes *attributes,
                         const struct nbstage_line *line)
{
    return line->flags & (attributes->format == NBSTAGE_FORMAT_UDMF
                              ? NBSTAGE_LINE_TWO_SIDED
                              : (uint32_t)ATTRIBUTES_FLAG_TWO_SIDED);
}

// Whether a line has no tag, nothing that blocks, and apart from its special
// nothing that is not known to be harmless.
static bool is_harmless(const struct attributes *attributes,
                        const struct nbstage_line *line)
{
    const uint32_t binary =
        ATTRIBUTES_FLAG_TWO_SIDED | ATTRIBUTES_FLAG_PEG_TOP |
        ATTRIBUTES_FLAG_PEG_BOTTOM | ATTRIBUTES_FLAG_SECRET |
        ATTRIBUTES_FLAG_NEVER_ON_MAP | ATTRIBUTES_FLAG_ALWAYS_ON_MAP;
    const uint32_t harmless = attributes->format == NBSTAGE_FORMAT_UDMF
                                  ? NBSTAGE_LINE_TWO_SIDED
                                  : binary;
    return !(line->flags & ~harmless) &&
           line->tag == attributes_no_tag(attributes->format);
}

// Whether two sectors have the same heights, and room between them.
static bool are_even(const struct nbstage_sector *a,
                     const struct nbstage_sector *b)
{
    return a->floor == b->floor && a->ceiling == b->ceiling &&
           a->floor < a->ceiling;
}

static bool has_unknown_flag(const struct nbstage_sector *sector)
{
    return sector->flags & ~(NBSTAGE_SECTOR_SLOPED | NBSTAGE_SECTOR_MORE_TAGS |
                             NBSTAGE_SECTOR_MOVES | NBSTAGE_SECTOR_OTHER);
}

// Why a line stays, as far as that is known without geometry.
static enum prune_reason find_reason(const struct verdict *verdict,
                                     const struct nbstage_line *line)
{
    const struct attributes *attributes = &verdict->attributes;
    const uint32_t front = line->front_sector, back = line->back_sector;
    if (!is_two_sided(attributes, line) || front == NBSTAGE_NONE ||
        back == NBSTAGE_NONE)
        return PRUNE_ONE_SIDED;
    const struct nbstage_sector *sectors = attributes->sectors;
    if (line->special != 0)
        return PRUNE_SPECIAL;
    if (!is_harmless(attributes, line) || has_unknown_flag(&sectors[front]) ||
        has_unknown_flag(&sectors[back]))
        return PRUNE_NOT_HARMLESS;
    if (verdict->pruning->has_polyobjects)
        return PRUNE_NOT_FIXED;
    if (front == back) // rule 1
        return PRUNE_NO_REASON;
    if (!prune_is_fixed(verdict->pruning, front) ||
        !prune_is_fixed(verdict->pruning, back))
        return PRUNE_NOT_FIXED;
    if (are_even(&sectors[front], &sectors[back])) // rule 2
        return PRUNE_NO_REASON;
    return PRUNE_UNEVEN;
}

static void judge_line(struct verdict *verdict, size_t index)
{
    uint8_t *fate = &verdict->pruning->fates[index];
    if (*fate == NBSTAGE_LISTED &&
        find_reason(verdict, &verdict->attributes.lines[index]) ==
            PRUNE_NO_REASON &&
        line_of_sight_agrees(&verdict->sight, index))
        *fate = NBSTAGE_LEFT_OUT_INERT;
}

enum {
    LINES_A_REPORT = 1024, // of progress
    WORK_A_REPORT = 1 << 20,
};

static nbstage_status judge_lines(struct verdict *verdict)
{
    const struct sight *sight = &verdict->sight;
    size_t line_count = verdict->attributes.line_count;
    uint64_t report_at = sight->work_left;
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0; i < line_count && status == NBSTAGE_OK; i++) {
        judge_line(verdict, i);
        if (i % LINES_A_REPORT != 0 && sight->work_left >= report_at)
            continue;
        status = context_progress(verdict->context, i, line_count);
        report_at = sight->work_left > WORK_A_REPORT
                        ? sight->work_left - WORK_A_REPORT
                        : 0;
    }
    if (status == NBSTAGE_OK && sight->work_left == 0)
        context_log(verdict->context, NBSTAGE_LOG_WARNING, NULL,
                    "looking around the lines stopped at its work limit; some "
                    "lines that are inert may have stayed");
    return status;
}

static uint32_t *line_counts(const struct pruning *pruning, size_t sector)
{
    return pruning->borders[pruning->sectors[sector].border].line_counts;
}

// Counts the lines of each sector by what becomes of them and why; or, by -1,
// takes them out again.
static void count_lines(const struct verdict *verdict, int by)
{
    const struct pruning *pruning = verdict->pruning;
    for (size_t i = 0; i < verdict->attributes.line_count; i++) {
        const struct nbstage_line *line = &verdict->attributes.lines[i];
        const uint32_t front = line->front_sector, back = line->back_sector;
        const uint8_t fate = pruning->fates[i];
        size_t kind = fate == NBSTAGE_LISTED ? find_reason(verdict, line)
                                             : (size_t)PRUNE_REASONS + fate;
        if (fate == NBSTAGE_LISTED && kind == PRUNE_NO_REASON)
            kind = PRUNE_NOT_SEEN;
        if (front != NBSTAGE_NONE)
            line_counts(pruning, front)[kind] += (uint32_t)by;
        if (back != NBSTAGE_NONE && back != front)
            line_counts(pruning, back)[kind] += (uint32_t)by;
    }
}

static nbstage_status judge(struct verdict *verdict, const struct map *map,
                            enum prune_policy policy)
{
    struct context *context = verdict->context;
    struct pruning *pruning = verdict->pruning;
    const uint64_t work = verdict->sight.work_left;
    nbstage_status status = prune_make_fates(context, map, pruning);
    if (status == NBSTAGE_OK && pruning->sectors) {
        count_lines(verdict, -1);
    } else if (status == NBSTAGE_OK) {
        status = judge_sectors(verdict);
        find_what_moves(verdict);
        if (status == NBSTAGE_OK)
            status = judge_lines(verdict);
    }
    context->work += work - verdict->sight.work_left;
    verdict->sight.work_left = work;
    if (status == NBSTAGE_OK && policy == PRUNE_UNREACHABLE)
        status = unreachable_find(context, &verdict->attributes,
                                  &verdict->sight, pruning);
    context->work += work - verdict->sight.work_left;
    if (status == NBSTAGE_OK)
        count_lines(verdict, 1);
    return status;
}

static nbstage_status judge_map(struct context *context, struct map *map,
                                const struct lines *lines,
                                enum prune_policy policy,
                                struct pruning *pruning)
{
    struct verdict verdict = {.context = context, .pruning = pruning};
    bool are_complete;
    if (pruning->is_judged && !pruning->sectors)
        return NBSTAGE_OK;
    pruning->is_judged = true;
    if (map->format == NBSTAGE_FORMAT_DOOM64) {
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "macros of Doom 64 may move any sector; no line is taken "
                    "to be inert");
        return NBSTAGE_OK;
    }
    nbstage_status status = attributes_read(context, map, NBSTAGE_LOG_WARNING,
                                            "no line is taken to be inert",
                                            &verdict.attributes, &are_complete);
    if (status != NBSTAGE_OK)
        return status;
    struct context trial = *context; // to be over the limit is no failure
    if (are_complete)
        status = line_of_sight_prepare(&trial, lines, &verdict.attributes,
                                       &verdict.sight);
    context->work = trial.work;
    if (status == NBSTAGE_OVER_LIMIT) {
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "lines are in too many blocks to look around them; no line "
                    "is taken to be inert");
        status = NBSTAGE_OK;
    } else if (status != NBSTAGE_OK) {
        *context = trial;
    } else if (are_complete) {
        status = judge(&verdict, map, policy);
    }
    lists_free(context, &verdict.sight.lists);
    attributes_free(context, &verdict.attributes);
    return status;
}

nbstage_status prune_make_fates(struct context *context, const struct map *map,
                                struct pruning *pruning)
{
    if (pruning->fates)
        return NBSTAGE_OK;
    return context_allocate_zeroed(context, map->line_count,
                                   sizeof *pruning->fates, &pruning->fates);
}

// Takes over the lines that the host leaves out.
static nbstage_status take_left_out(struct context *context,
                                    const struct map *map,
                                    struct pruning *pruning)
{
    nbstage_status status = prune_make_fates(context, map, pruning);
    for (size_t i = 0; status == NBSTAGE_OK && i < map->line_count; i++)
        if (map->left_out[i] && pruning->fates[i] == NBSTAGE_LISTED)
            pruning->fates[i] = NBSTAGE_LEFT_OUT_BY_HOST;
    return status;
}

nbstage_status prune_lines(struct context *context, struct map *map,
                           const struct lines *lines, enum prune_policy policy,
                           struct pruning *pruning)
{
    nbstage_status status = NBSTAGE_OK;
    if (!pruning->is_begun && policy != PRUNE_NONE)
        status = tagged_find(context, map, pruning);
    if (status == NBSTAGE_OK && !pruning->is_begun && map->left_out)
        status = take_left_out(context, map, pruning);
    pruning->is_begun = true;
    if (status == NBSTAGE_OK && prune_reads_attributes(policy))
        status = judge_map(context, map, lines, policy, pruning);
    memset(pruning->counts, 0, sizeof pruning->counts);
    for (size_t i = 0; pruning->fates && i < map->line_count; i++)
        pruning->counts[pruning->fates[i]]++;
    if (status != NBSTAGE_OK) {
        prune_free(context, pruning);
    } else if (pruning->counts[NBSTAGE_LISTED] == map->line_count) {
        context_release(context, pruning->fates);
        pruning->fates = NULL;
    }
    return status;
}

// ---------------------------------------------------------------------------
// Explaining

static void add_text(char *text, const char *format, ...) PRINTF_LIKE(2, 3);

static void add_text(char *text, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, PRUNE_TEXT_SIZE - length, format, arguments);
    va_end(arguments);
}

// Adds what is known of a sector.
static void add_state(const struct pruning *pruning,
                      const struct prune_sector *sector, char *text)
{
    switch (sector->state) {
    case PRUNE_SECTOR_FIXED:
        add_text(text, "%s",
                 pruning->may_move[0] ? pruning->may_move : "fixed");
        break;
    case PRUNE_SECTOR_IN_DOUBT:
        add_text(text, "has %s", sector->doubt);
        break;
    case PRUNE_SECTOR_TAGGED:
        add_text(text, "tag %ld", (long)(int32_t)sector->number);
        break;
    case PRUNE_SECTOR_SPECIAL:
        add_text(text, "special %lu", (unsigned long)sector->number);
        break;
    case PRUNE_SECTOR_BY_SPECIAL:
        add_text(text, "borders on linedef %lu, which has special %lu",
                 (unsigned long)sector->number,
                 (unsigned long)pruning->borders[sector->border].special);
        break;
    }
}

// "fixed; 5 of its 8 linedefs are left out; 3 stay: 2 one-sided, 1 with a
// special".
void prune_explain(const struct pruning *pruning, size_t index,
                   char text[PRUNE_TEXT_SIZE])
{
    static const char *const reasons[PRUNE_REASONS] = {
        [PRUNE_ONE_SIDED] = "one-sided",
        [PRUNE_SPECIAL] = "with a special",
        [PRUNE_NOT_HARMLESS] = "with a tag, flag or field that may matter",
        [PRUNE_NOT_FIXED] = "beside what may move",
        [PRUNE_UNEVEN] = "between different heights",
        [PRUNE_NOT_SEEN] = "not seen to lie in its sectors",
    };
    const uint32_t *counts = line_counts(pruning, index);
    const uint32_t *fates = counts + PRUNE_REASONS;
    unsigned long left_out = 0, stay = 0;
    text[0] = '\0';
    for (int i = 0; i < PRUNE_REASONS; i++)
        stay += counts[i];
    for (int i = 0; i < PRUNE_FATES; i++)
        left_out += fates[i];
    add_state(pruning, &pruning->sectors[index], text);
    add_text(text, "; %lu of its %lu linedef%s %s left out", left_out,
             left_out + stay, left_out + stay == 1 ? "" : "s",
             left_out == 1 ? "is" : "are");
    for (int i = PRUNE_FIRST_RULE; i < PRUNE_FATES; i++)
        if (fates[i] > 0)
            add_text(text, ", %lu by rule %d", (unsigned long)fates[i], i - 1);
    if (stay > 0)
        add_text(text, "; %lu stay%s", stay, stay == 1 ? "s" : "");
    const char *separator = ": ";
    for (int i = 0; i < PRUNE_REASONS; i++) {
        if (counts[i] == 0)
            continue;
        add_text(text, "%s%lu %s", separator, (unsigned long)counts[i],
                 reasons[i]);
        separator = ", ";
    }
}

void prune_free(struct context *context, struct pruning *pruning)
{
    context_release(context, pruning->fates);
    context_release(context, pruning->sectors);
    context_release(context, pruning->borders);
    *pruning = (struct pruning){0};
}
