// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line is inert by the rules that VigilantBSP documents, made stricter where
// a format can do more than Doom's.  When in doubt the line stays.
//
// Of an inert line this is true:
//  - It is two-sided, with a sector on either side.
//  - It has no special, no tag or id, and no flag or field that is not known
//    to be harmless.
//  - The nearest lines to both sides of it show the same sectors as it does,
//    so it is not part of a trick such as the outline of a self-referencing
//    sector.
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
// Where there are polyobjects, whose lines look like any other, no line is
// inert.  Actions from outside the map, such as a patch that gives actions to
// monsters, are not known.
//
// Whether the nearest lines show the same sectors is found like this:
// First, no other line may meet or cross the line strictly between its ends.
// Then the ground on either side of it is one piece along all of its length,
// and one point of it sees what all of it sees:
//
//     <---+--->  Beams from here and there see the same floor to both
//     .---+---.  sides, but not the pit between them, across the line or
//     |  pit  |  against it.
//     '---+---'
//     <---+--->
//
// Then from three points of the line a beam goes out to each side, along the
// axis that the line is steep to: west and east, or south and north.  It passes
// block by block, and blocklists of all lines have the lines to meet, until one
// crosses the beam.  A beam through a vertex counts as just beyond it, so that
// a line spans its lower end and not its upper one.
//
// The side of a line that a point is on is exact, by products of distances
// below 2^32.  Crossings are computed exactly and rounded down to 1/65536 of a
// map unit.  So those that differ are in the right order, and those that do not
// are a doubt.
//
// Most beams are short.  On a map of long ones, or of lines that are long and
// close, this stops at SIGHT_WORK_FOR_LINE steps for each line.

#include "base/context.h"
#include "lines/entries.h"
#include "lines/grid.h"
#include "lines/lines.h"
#include "lines/sweep.h"
#include "lists/lists.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/attributes.h"
#include "prune/prune.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SIGHT_WORK_FOR_LINE = 512, SIGHT_POINTS = 3 };

struct sight {
    const struct lines *lines; // of the whole map
    const struct attributes *attributes;
    struct grid grid;
    struct lists lists; // for lists_free
    uint64_t work_left; // lines that may still be looked at
};

// A line in the directions of the beam: u along it, v across.
struct sight_line {
    int32_t u1, v1; // start
    int32_t u2, v2; // end
};

// Both ways from a line.
struct sight_beam {
    size_t line;
    bool turned; // u is y, not x
    int32_t v;
    int64_t u; // where it begins
};

// NBSTAGE_OVER_LIMIT: the lists have more entries than the context's limit.
static nbstage_status sight_prepare(struct context *context,
                                    const struct lines *lines,
                                    const struct attributes *attributes,
                                    struct sight *sight)
{
    struct entries entries;
    *sight = (struct sight){
        .lines = lines,
        .attributes = attributes,
        .grid = grid_fit(lines),
        .work_left = (uint64_t)lines->count * SIGHT_WORK_FOR_LINE,
    };
    nbstage_status status =
        entries_find(context, lines, &sight->grid, &entries);
    if (status != NBSTAGE_OK)
        return status;
    status = lists_build(context, &sight->grid, &entries, &sight->lists);
    entries_free(context, &entries);
    return status;
}

// ---------------------------------------------------------------------------
// Geometry

static inline struct sight_line sight_line_at(const struct sight *sight,
                                              size_t line, bool turned)
{
    const struct fixed_line at = lines_fixed_at(sight->lines, line);
    return turned ? (struct sight_line){at.y1, at.x1, at.y2, at.x2}
                  : (struct sight_line){at.x1, at.y1, at.x2, at.y2};
}

// Whether a line is steeper to the other axis.
static bool sight_is_turned(struct sight_line at)
{
    const int64_t width = (int64_t)at.u2 - at.u1,
                  height = (int64_t)at.v2 - at.v1;
    return (width < 0 ? -width : width) > (height < 0 ? -height : height);
}

// Whether a line spans the beam at v.
static inline bool sight_does_span(struct sight_line line, int32_t v)
{
    return (line.v1 <= v) != (line.v2 <= v);
}

// Where a line that spans the beam crosses it: u, rounded down.
static int64_t sight_find_crossing(struct sight_line line, int32_t v)
{
    if (line.v1 > line.v2)
        line = (struct sight_line){line.u2, line.v2, line.u1, line.v1};
    const bool rises = line.u1 < line.u2;
    const uint32_t height = (uint32_t)line.v2 - (uint32_t)line.v1;
    const uint32_t up = (uint32_t)v - (uint32_t)line.v1;
    const uint32_t width = rises ? (uint32_t)line.u2 - (uint32_t)line.u1
                                 : (uint32_t)line.u1 - (uint32_t)line.u2;
    const uint64_t product = (uint64_t)width * up;
    const int64_t whole = (int64_t)(product / height);
    return rises ? line.u1 + whole : line.u1 - whole - (product % height != 0);
}

// The sector that a line shows towards higher u, or towards lower.
static uint32_t sight_sector_shown(const struct sight *sight, size_t line,
                                   bool turned, bool forward)
{
    const struct sight_line at = sight_line_at(sight, line, turned);
    // The front is to the right of a line, as it goes from start to end.
    const bool front_forward = (at.v1 < at.v2) != turned;
    return attributes_sector(sight->attributes,
                             2 * line + (front_forward != forward));
}

// ---------------------------------------------------------------------------
// Meeting between the ends

// The sign of a * b - c * d, whose factors are below 2^32 in size.  That may
// have 66 bits, so it is worked out in two parts.
static int sight_compare_products(int64_t a, int64_t b, int64_t c, int64_t d)
{
    const int64_t low = a * (b & 0xFFFF) - c * (d & 0xFFFF);
    const int64_t high = a * (b >> 16) - c * (d >> 16) + (low >> 16);
    return high != 0 ? (high > 0) - (high < 0) : (low & 0xFFFF) != 0;
}

// The side of a line, drawn out at both ends, that a point is on; 0: it is on
// the line.
static int sight_side(struct sight_line line, int32_t u, int32_t v)
{
    return sight_compare_products(
        (int64_t)line.u2 - line.u1, (int64_t)v - line.v1,
        (int64_t)line.v2 - line.v1, (int64_t)u - line.u1);
}

// Whether a point on a line, drawn out, is between its ends.
static bool sight_is_between(struct sight_line line, int32_t u, int32_t v)
{
    return (line.u1 < u && u < line.u2) || (line.u2 < u && u < line.u1) ||
           (line.v1 < v && v < line.v2) || (line.v2 < v && v < line.v1);
}

// Whether `other` meets `line`, whose ends differ in v, anywhere but at its
// ends.
static bool sight_meets_within(struct sight_line line, struct sight_line other)
{
    int start_side = sight_side(line, other.u1, other.v1);
    int end_side = sight_side(line, other.u2, other.v2);
    if (start_side * end_side > 0)
        return false;
    if (start_side != 0 && end_side != 0)
        return sight_side(other, line.u1, line.v1) *
                   sight_side(other, line.u2, line.v2) <
               0;
    if (start_side != 0 || end_side != 0)
        return start_side == 0 ? sight_is_between(line, other.u1, other.v1)
                               : sight_is_between(line, other.u2, other.v2);
    // On one straight line: do they overlap?
    int32_t low = line.v1 < line.v2 ? line.v1 : line.v2;
    int32_t high = line.v1 < line.v2 ? line.v2 : line.v1;
    return (other.v1 > low || other.v2 > low) &&
           (other.v1 < high || other.v2 < high);
}

// Whether spans of two coordinates each have nothing in common.
static inline bool sight_are_apart(int32_t a1, int32_t a2, int32_t b1,
                                   int32_t b2)
{
    return (a1 < b1 && a1 < b2 && a2 < b1 && a2 < b2) ||
           (a1 > b1 && a1 > b2 && a2 > b1 && a2 > b2);
}

static bool sight_block_meets(struct sight *sight, size_t line, bool turned,
                              const uint32_t *word)
{
    const struct sight_line at = sight_line_at(sight, line, turned);
    for (; *word != LIST_END && sight->work_left > 0; word++) {
        const struct sight_line other = sight_line_at(sight, *word, turned);
        sight->work_left--;
        if (*word == line ||
            sight_are_apart(at.u1, at.u2, other.u1, other.u2) ||
            sight_are_apart(at.v1, at.v2, other.v1, other.v2))
            continue;
        if (sight_meets_within(at, other))
            return true;
    }
    return sight->work_left == 0;
}

// The lines in a block, up to LIST_END; NULL if there is none.
static const uint32_t *sight_block_at(const struct sight *sight, int64_t column,
                                      int64_t row)
{
    const struct grid *grid = &sight->grid;
    if (column < 0 || column >= grid->columns || row < 0 || row >= grid->rows)
        return NULL;
    const size_t block = (size_t)row * grid->columns + (size_t)column;
    return sight->lists.words + sight->lists.place[block] + 1;
}

// Whether another line meets a line anywhere but at its ends; also if that is
// in doubt.
static bool sight_any_meets(struct sight *sight, size_t line)
{
    const struct grid *grid = &sight->grid;
    struct run runs[SWEEP_MAX_RUNS];
    const bool turned = sight_is_turned(sight_line_at(sight, line, false));
    const size_t count = sweep_line(lines_fixed_at(sight->lines, line), grid->origin_y, runs);
    for (size_t i = 0; i < count; i++) {
        const int64_t last = (runs[i].last_x - grid->origin_x) >> BLOCK_SHIFT;
        for (int64_t column = (runs[i].first_x - grid->origin_x) >> BLOCK_SHIFT;
             column <= last; column++)
            if (sight_block_meets(sight, line, turned,
                                  sight_block_at(sight, column, runs[i].row)))
                return true;
    }
    return false;
}

// ---------------------------------------------------------------------------
// Beams

// The nearest line that a beam has met so far.
struct sight_meeting {
    bool is_met;
    bool is_doubtful; // whether others are as near and show other sectors
    int64_t u;
    uint32_t sector; // that it shows
};

static inline int64_t sight_block_along(int64_t u, int32_t origin)
{
    return ((u >> 16) - origin) >> BLOCK_SHIFT;
}

// Keeps a crossing if it is the nearest on its way.
static void sight_meet(const struct sight *sight, const struct sight_beam *beam,
                       size_t line, int64_t u, struct sight_meeting meetings[2])
{
    const bool forward = u > beam->u;
    struct sight_meeting *meeting = &meetings[forward];
    const int64_t by = meeting->is_met ? u - meeting->u : 0;
    if (u == beam->u) {
        meetings[0] = meetings[1] = (struct sight_meeting){true, true, u, 0};
        return;
    }
    if (forward ? by > 0 : by < 0)
        return;
    const uint32_t sector =
        sight_sector_shown(sight, line, beam->turned, !forward);
    if (meeting->is_met && by == 0)
        meeting->is_doubtful |= sector != meeting->sector;
    else
        *meeting = (struct sight_meeting){true, false, u, sector};
}

// Meets the lines that cross the beam in a block.
static void sight_pass_block(struct sight *sight, const struct sight_beam *beam,
                             const uint32_t *word, int64_t along,
                             int32_t origin, struct sight_meeting meetings[2])
{
    for (; *word != LIST_END && sight->work_left > 0; word++) {
        const struct sight_line line =
            sight_line_at(sight, *word, beam->turned);
        sight->work_left--;
        if (!sight_does_span(line, beam->v) || *word == beam->line)
            continue;
        const int64_t u = sight_find_crossing(line, beam->v);
        if (sight_block_along(u, origin) == along)
            sight_meet(sight, beam, *word, u, meetings);
    }
}

// The first lines on a beam to lower and to higher u.
static void sight_follow(struct sight *sight, const struct sight_beam *beam,
                         struct sight_meeting meetings[2])
{
    const struct grid *grid = &sight->grid;
    const bool turned = beam->turned;
    const int32_t origin = turned ? grid->origin_y : grid->origin_x;
    const int64_t start = sight_block_along(beam->u, origin);
    const int64_t across =
        sight_block_along(beam->v, turned ? grid->origin_x : grid->origin_y);
    meetings[0] = meetings[1] = (struct sight_meeting){0};
    for (int forward = 0; forward <= 1; forward++)
        for (int64_t along = start + forward;
             !meetings[forward].is_met && sight->work_left > 0;
             along += forward ? 1 : -1) {
            const uint32_t *block = sight_block_at(
                sight, turned ? across : along, turned ? along : across);
            if (!block)
                break;
            sight->work_left--;
            sight_pass_block(sight, beam, block, along, origin, meetings);
        }
}

// Whether other lines meet a line at its ends only, and the nearest other lines
// on both sides of it show it the sectors that it has itself.  False in doubt:
// where there is no other line, where two lines are too close to know their
// order, and when the work for a map is used up.
static bool sight_agrees(struct sight *sight, size_t line)
{
    struct sight_line at = sight_line_at(sight, line, false);
    struct sight_beam beam = {.line = line, .turned = sight_is_turned(at)};
    struct sight_meeting meetings[2];
    if (sight_any_meets(sight, line))
        return false;
    at = sight_line_at(sight, line, beam.turned);
    const int64_t low = at.v1 < at.v2 ? at.v1 : at.v2;
    const int64_t high = at.v1 < at.v2 ? at.v2 : at.v1;
    for (int point = 1; point <= SIGHT_POINTS; point++) {
        beam.v = (int32_t)(low + (high - low) * point / (SIGHT_POINTS + 1));
        if (!sight_does_span(at, beam.v))
            return false; // it has no length
        beam.u = sight_find_crossing(at, beam.v);
        sight_follow(sight, &beam, meetings);
        for (int forward = 0; forward <= 1; forward++) {
            const struct sight_meeting *meeting = &meetings[forward];
            const uint32_t own =
                sight_sector_shown(sight, line, beam.turned, forward != 0);
            if (own == NBSTAGE_NONE || !meeting->is_met ||
                meeting->is_doubtful || sight->work_left == 0 ||
                meeting->sector != own)
                return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------
// Sectors

struct inert_verdict {
    struct context *context;
    struct attributes attributes;
    struct sight sight;
    uint8_t *fates; // of all lines
    bool has_polyobjects;
    bool any_may_move; // something may move any sector
    bool *may_move;    // whether something may move a sector
};

// Whether bosses may die on a map of this name whose deaths act on tag 0: on
// the eighth maps of Heretic's episodes, such as E1M8.  A map without a name
// may be one.
static bool inert_expects_bosses(const char *map_name)
{
    return !map_name || !*map_name || strstr(map_name, "M8") ||
           strstr(map_name, "m8");
}

// The tag that the special of a line acts on; 0 if that is in doubt.
static uint32_t inert_target(const struct attributes *attributes,
                             const struct map_line *line)
{
    if (attributes->format == NBSTAGE_FORMAT_DOOM)
        return line->tag;
    // In UDMF ports differ over whether a tag of Doom's is the id or arg0.
    return attributes->specials == SPECIALS_DOOM ? 0 : line->args[0];
}

// Takes account of what the special of a line may move.
static void inert_judge_special(struct inert_verdict *verdict, size_t index)
{
    const struct attributes *attributes = &verdict->attributes;
    const struct map_line *line = &attributes->lines[index];
    verdict->has_polyobjects |=
        special_makes_polyobject(attributes->specials, line->special);
    verdict->any_may_move |= special_may_move_any(
        attributes->specials, line->special, inert_target(attributes, line));
    if (!special_may_move_beside(attributes->specials, line->special))
        return;
    for (size_t side = 2 * index; side < 2 * index + 2; side++) {
        const uint32_t sector = attributes_sector(attributes, side);
        if (sector != NBSTAGE_NONE)
            verdict->may_move[sector] = true;
    }
}

static nbstage_status inert_judge_sectors(struct inert_verdict *verdict)
{
    const struct attributes *attributes = &verdict->attributes;
    nbstage_status status =
        context_allocate(verdict->context, attributes->sector_count,
                         sizeof *verdict->may_move, &verdict->may_move);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t i = 0; i < attributes->sector_count; i++) {
        const struct map_sector *sector = &attributes->sectors[i];
        verdict->may_move[i] =
            sector->flags != 0 || sector->tag != 0 ||
            !special_leaves_sector(attributes->specials, sector->special);
    }
    for (size_t i = 0; i < attributes->line_count; i++)
        if (attributes->lines[i].special != 0)
            inert_judge_special(verdict, i);
    verdict->any_may_move |= attributes->may_move_any ||
                             (attributes->specials != SPECIALS_HEXEN &&
                              inert_expects_bosses(verdict->context->map_name));
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Inert lines

// Whether a line has two sectors, and nothing that is not known to be harmless.
static bool inert_is_plain(const struct attributes *attributes,
                           const struct map_line *line)
{
    const bool is_text = attributes->format == NBSTAGE_FORMAT_UDMF;
    const uint32_t two_sided =
        is_text ? NBSTAGE_LINE_TWO_SIDED : ATTRIBUTES_FLAG_TWO_SIDED;
    const uint32_t harmless =
        is_text ? 0
                : ATTRIBUTES_FLAG_PEG_TOP | ATTRIBUTES_FLAG_PEG_BOTTOM |
                      ATTRIBUTES_FLAG_SECRET | ATTRIBUTES_FLAG_NEVER_ON_MAP |
                      ATTRIBUTES_FLAG_ALWAYS_ON_MAP;
    return (line->flags & ~harmless) == two_sided &&
           line->front_sector != NBSTAGE_NONE &&
           line->back_sector != NBSTAGE_NONE && line->special == 0 &&
           line->tag == attributes_no_tag(attributes->format);
}

// Whether a line is inert, as far as that is known without geometry.
static bool inert_may_be(const struct inert_verdict *verdict,
                         const struct map_line *line)
{
    const uint32_t known = NBSTAGE_SECTOR_SLOPED | NBSTAGE_SECTOR_MORE_TAGS |
                           NBSTAGE_SECTOR_MOVES | NBSTAGE_SECTOR_OTHER;
    if (!inert_is_plain(&verdict->attributes, line) || verdict->has_polyobjects)
        return false;
    const uint32_t front = line->front_sector, back = line->back_sector;
    const struct map_sector *a = &verdict->attributes.sectors[front];
    const struct map_sector *b = &verdict->attributes.sectors[back];
    if ((a->flags | b->flags) & ~known)
        return false;
    return front == back || // rule 1
           (!verdict->any_may_move && !verdict->may_move[front] &&
            !verdict->may_move[back] && a->floor == b->floor &&
            a->ceiling == b->ceiling && a->floor < a->ceiling); // rule 2
}

static nbstage_status inert_judge_lines(struct inert_verdict *verdict)
{
    enum { LINES_PER_REPORT = 16 }; // of progress
    const size_t line_count = verdict->attributes.line_count;
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0; i < line_count && status == NBSTAGE_OK; i++) {
        if (verdict->fates[i] == FATE_LISTED &&
            inert_may_be(verdict, &verdict->attributes.lines[i]) &&
            sight_agrees(&verdict->sight, i))
            verdict->fates[i] = FATE_INERT;
        if (i % LINES_PER_REPORT == 0)
            status = context_progress(verdict->context, i, line_count);
    }
    if (status == NBSTAGE_OK && verdict->sight.work_left == 0)
        context_log(verdict->context, NBSTAGE_LOG_WARNING, NULL,
                    "looking around the lines stopped at its work limit; some "
                    "lines that are inert may have stayed");
    return status;
}

nbstage_status inert_find(struct context *context, struct map *map,
                          const struct lines *lines, uint8_t *fates)
{
    struct inert_verdict verdict = {.context = context, .fates = fates};
    bool are_complete;
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
    if (are_complete)
        status =
            sight_prepare(context, lines, &verdict.attributes, &verdict.sight);
    if (status == NBSTAGE_OVER_LIMIT) {
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "lines are in too many blocks to look around them; no line "
                    "is taken to be inert");
        status = NBSTAGE_OK;
    } else if (status == NBSTAGE_OK && are_complete) {
        const uint64_t work = verdict.sight.work_left;
        status = inert_judge_sectors(&verdict);
        if (status == NBSTAGE_OK)
            status = inert_judge_lines(&verdict);
        context->work += work - verdict.sight.work_left;
    }
    context_release(context, verdict.may_move);
    lists_free(context, &verdict.sight.lists);
    attributes_free(context, &verdict.attributes);
    return status;
}
