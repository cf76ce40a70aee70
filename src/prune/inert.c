// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line is inert if nothing that moves, shoots or looks can tell whether it is
// listed.  When in doubt the line stays.  Of an inert line this is true:
//  - By itself it is not solid, see line.c: it is two-sided, without a special
//    or a flag that blocks, between fixed sectors of equal floors and equal
//    ceilings.
//  - It has no tag, no id, and no flag or field that is not known to be
//    harmless.
//  - There is room between floor and ceiling, the floors have the same flat,
//    and both ceilings are the sky or neither is.
//  - The faces on both sides of it agree, see faces.h, so it is no part of a
//    trick such as the outline of a self-referencing sector.  No line around
//    them was left out before.
//  - No missile can tell.  One that a ceiling stops vanishes if the sky is
//    behind the first line that it touches there, of those under which the
//    ceiling is lowest.  So such lines near it agree on that, or no ceiling
//    near it is higher.
//
// Then whatever touches the line has its floor and ceiling from its own sector,
// or from another line between the two that is listed.

#include "base/context.h"
#include "lines/grid.h"
#include "lines/lines.h"
#include "map/arrays.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/attributes.h"
#include "prune/faces.h"
#include "prune/line.h"
#include "prune/prune.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INERT_MISSILE = 64, // map units; none is wider
    INERT_WORK_FOR_LINE = 512,
};

struct inert_search {
    struct context *context;
    const struct lines *lines;
    uint8_t *fates;
    struct attributes attributes;
    struct moving moving;
    struct faces faces;
    bool *is_candidate; // for each line
    uint64_t work_left;
};

// The sector to the front or back of a line; NULL if there is none.
static const struct map_sector *inert_sector(const struct inert_search *search,
                                             size_t line, size_t back)
{
    const uint32_t sector =
        attributes_sector(&search->attributes, 2 * line + back);
    return sector == NBSTAGE_NONE ? NULL : &search->attributes.sectors[sector];
}

// Whether a line is inert, as far as that is known without what is around it.
static bool inert_may_be(const struct inert_search *search, size_t index)
{
    const struct attributes *attributes = &search->attributes;
    const struct map_line *line = &attributes->lines[index];
    const struct map_sector *a = inert_sector(search, index, 0);
    const struct map_sector *b = inert_sector(search, index, 1);
    return a && b &&
           line_judge(attributes, &search->moving, index).reason == LINE_FREE &&
           line->tag == attributes_no_tag(attributes->format) &&
           (attributes->format == NBSTAGE_FORMAT_UDMF ||
            !(line->flags & ATTRIBUTES_FLAG_BLOCKS_SOUND)) &&
           a->floor < a->ceiling &&
           flat_is_same(a->floor_flat, b->floor_flat) &&
           (flat_is_same(a->ceiling_flat, b->ceiling_flat) ||
            (!flat_may_be_sky(a->ceiling_flat) &&
             !flat_may_be_sky(b->ceiling_flat)));
}

// ---------------------------------------------------------------------------
// What is around it

// The column or row of a coordinate in 16.16, or the nearest that there is.
static size_t inert_block_at(int64_t coordinate, int32_t origin, uint32_t count)
{
    const int64_t at = ((coordinate >> 16) - origin) >> BLOCK_SHIFT;
    return at < 0 ? 0 : at < count ? (size_t)at : count - 1;
}

// What a missile that is stopped by a line's ceiling may touch as well.
struct inert_ceilings {
    bool has_higher; // a line on whose other side the ceiling is higher
    bool has_other;  // a line that makes it vanish where the first does not, or
                     // the other way round
};

// Takes account of another line beside a candidate.
static void inert_compare_ceilings(const struct inert_search *search,
                                   size_t index, uint32_t other,
                                   struct inert_ceilings *ceilings)
{
    const struct map_sector *own = inert_sector(search, index, 0);
    const struct map_line *line = &search->attributes.lines[other];
    const struct map_sector *a = inert_sector(search, other, 0);
    const struct map_sector *b = inert_sector(search, other, 1);
    if (!a || !b)
        return;
    const bool b_moves = moving_has(&search->moving, line->back_sector);
    const bool moves =
        b_moves || moving_has(&search->moving, line->front_sector);
    const int32_t low = a->ceiling < b->ceiling ? a->ceiling : b->ceiling;
    if (!moves && low != own->ceiling)
        return;
    ceilings->has_higher |= moves || a->ceiling != b->ceiling;
    ceilings->has_other |=
        flat_may_be_sky(own->ceiling_flat)
            ? b_moves || !flat_is_same(b->ceiling_flat, own->ceiling_flat) ||
                  b->ceiling != own->ceiling
            : flat_may_be_sky(b->ceiling_flat);
}

// Whether a missile may tell if a line is listed; true if it takes too many
// steps to find out.
static bool inert_is_near_sky(struct inert_search *search, size_t index)
{
    const struct faces *faces = &search->faces;
    const struct grid *grid = &faces->grid;
    const struct fixed_line at = lines_fixed_at(search->lines, index);
    const int64_t reach = (int64_t)INERT_MISSILE << 16;
    const int64_t west = (at.x1 < at.x2 ? at.x1 : at.x2) - reach;
    const int64_t east = (at.x1 > at.x2 ? at.x1 : at.x2) + reach;
    const int64_t south = (at.y1 < at.y2 ? at.y1 : at.y2) - reach;
    const int64_t north = (at.y1 > at.y2 ? at.y1 : at.y2) + reach;
    const size_t first = inert_block_at(west, grid->origin_x, grid->columns);
    const size_t last = inert_block_at(east, grid->origin_x, grid->columns);
    const size_t end = inert_block_at(north, grid->origin_y, grid->rows);
    struct inert_ceilings ceilings = {false, false};
    for (size_t row = inert_block_at(south, grid->origin_y, grid->rows);
         row <= end; row++) {
        // The blocks of a row follow each other, and so do their lines.
        const size_t *starts = faces->block_starts + row * grid->columns;
        const size_t steps = starts[last + 1] - starts[first] + 1;
        if (search->work_left < steps) {
            search->faces.is_early = true;
            return true;
        }
        search->work_left -= steps;
        for (size_t i = starts[first]; i < starts[last + 1]; i++) {
            const uint32_t line = faces->block_lines[i];
            const struct fixed_line other = lines_fixed_at(search->lines, line);
            const bool rises = (other.x1 < other.x2) == (other.y1 < other.y2);
            if ((other.x1 >= west || other.x2 >= west) &&
                (other.x1 <= east || other.x2 <= east) &&
                (other.y1 >= south || other.y2 >= south) &&
                (other.y1 <= north || other.y2 <= north) &&
                faces_side(&other, west, rises ? north : south) *
                        faces_side(&other, east, rises ? south : north) <=
                    0)
                inert_compare_ceilings(search, index, line, &ceilings);
        }
    }
    return ceilings.has_higher && ceilings.has_other;
}

// ---------------------------------------------------------------------------
// All lines

// Decides on the candidates.
static nbstage_status inert_judge_lines(struct inert_search *search)
{
    enum { LINES_PER_REPORT = 16 }; // of progress
    const size_t line_count = search->lines->count;
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0; i < line_count && status == NBSTAGE_OK; i++) {
        if (search->is_candidate[i] && faces_agree(&search->faces, 2 * i) &&
            faces_agree(&search->faces, 2 * i + 1) &&
            !inert_is_near_sky(search, i))
            search->fates[i] = FATE_INERT;
        if (i % LINES_PER_REPORT == 0)
            status = context_progress(search->context, i, line_count);
    }
    return status;
}

// Searches a map of which all is known.
static nbstage_status inert_search_map(struct inert_search *search)
{
    struct context *context = search->context;
    const size_t line_count = search->lines->count;
    const uint64_t work = (uint64_t)line_count * INERT_WORK_FOR_LINE;
    bool has_candidate = false;
    nbstage_status status = moving_find(context, context->map_name,
                                        &search->attributes, &search->moving);
    if (status == NBSTAGE_OK)
        status =
            context_allocate(context, line_count, sizeof *search->is_candidate,
                             &search->is_candidate);
    for (size_t i = 0; i < line_count && status == NBSTAGE_OK; i++) {
        search->is_candidate[i] =
            search->fates[i] == FATE_LISTED && inert_may_be(search, i);
        has_candidate |= search->is_candidate[i];
    }
    if (status != NBSTAGE_OK || !has_candidate)
        return status;
    status = faces_find(context, search->lines, &search->attributes,
                        search->fates, &search->faces);
    if (status == NBSTAGE_OVER_LIMIT) {
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "lines are in too many blocks to look around them; no line "
                    "is taken to be inert");
        return NBSTAGE_OK;
    }
    search->work_left = work;
    if (status == NBSTAGE_OK)
        status = inert_judge_lines(search);
    context->work += work - search->work_left;
    if (status == NBSTAGE_OK && search->faces.is_early)
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "looking around the lines stopped at its work limit; some "
                    "lines that are inert may have stayed");
    return status;
}

nbstage_status inert_find(struct context *context, struct map *map,
                          const struct lines *lines, uint8_t *fates)
{
    struct inert_search search = {
        .context = context, .lines = lines, .fates = fates};
    bool are_complete;
    if (map->format == NBSTAGE_FORMAT_DOOM64) {
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "macros of Doom 64 may move any sector; no line is taken "
                    "to be inert");
        return NBSTAGE_OK;
    }
    nbstage_status status = attributes_read(context, map, NBSTAGE_LOG_WARNING,
                                            "no line is taken to be inert",
                                            &search.attributes, &are_complete);
    if (status == NBSTAGE_OK && are_complete)
        status = inert_search_map(&search);
    context_release(context, search.is_candidate);
    moving_free(context, &search.moving);
    faces_free(context, &search.faces);
    attributes_free(context, &search.attributes);
    return status;
}
