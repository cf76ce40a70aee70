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
#include "map/attributes.h"
#include "map/map.h"
#include "nbstage.h"
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

// What is true of a line that has two sectors.
enum inert_trait {
    INERT_OPEN = 1,   // that it has
    INERT_SKY = 2,    // behind it is the sky, or may be
    INERT_HIGHER = 4, // the ceiling is higher on one side, or may be
};

struct inert_search {
    struct context *context;
    const struct lines *lines;
    uint8_t *fates;
    struct attributes attributes;
    struct moving moving;
    struct faces faces;
    uint8_t *traits;    // of each line
    bool *is_candidate; // whether it is inert, as far as it tells by itself
    uint64_t work_left;
};

// The sector to the front or back of a line that is open.
static const struct map_sector *inert_sector(const struct inert_search *search,
                                             size_t line, size_t back)
{
    const struct attributes *attributes = &search->attributes;
    return &attributes->sectors[attributes_sector(attributes, 2 * line + back)];
}

static bool inert_moves(const struct inert_search *search, size_t side)
{
    return moving_has(&search->moving,
                      attributes_sector(&search->attributes, side));
}

// Takes account of a line.  Some of what line_judge asks is asked here first,
// as that is quicker and settles most lines.
static void inert_look_at(struct inert_search *search, size_t index)
{
    const struct attributes *attributes = &search->attributes;
    const struct map_line *line = &attributes->lines[index];
    if (line->front_sector == NBSTAGE_NONE || line->back_sector == NBSTAGE_NONE)
        return;
    const struct map_sector *a = inert_sector(search, index, 0);
    const struct map_sector *b = inert_sector(search, index, 1);
    const bool is_higher = a->ceiling != b->ceiling ||
                           inert_moves(search, 2 * index) ||
                           inert_moves(search, 2 * index + 1);
    const bool has_sky = flat_may_be_sky(b->ceiling_flat);
    search->traits[index] = (uint8_t)(INERT_OPEN | (has_sky ? INERT_SKY : 0) |
                                      (is_higher ? INERT_HIGHER : 0));
    search->is_candidate[index] =
        !is_higher && a->floor == b->floor && line->special == 0 &&
        a->floor < a->ceiling && search->fates[index] == FATE_LISTED &&
        line->tag == attributes_no_tag(attributes->format) &&
        (attributes->format == NBSTAGE_FORMAT_UDMF ||
         !(line->flags & ATTRIBUTES_FLAG_BLOCKS_SOUND)) &&
        flat_is_same(a->floor_flat, b->floor_flat) &&
        (flat_is_same(a->ceiling_flat, b->ceiling_flat) ||
         (!has_sky && !flat_may_be_sky(a->ceiling_flat))) &&
        line_judge(attributes, &search->moving, index).reason == LINE_FREE;
}

// ---------------------------------------------------------------------------
// What is around it

// The column or row of a coordinate in 16.16, or the nearest that there is.
static size_t inert_block_at(int64_t coordinate, int32_t origin, uint32_t count)
{
    const int64_t at = ((coordinate >> 16) - origin) >> BLOCK_SHIFT;
    return at < 0 ? 0 : at < count ? (size_t)at : count - 1;
}

// Whether a missile that the ceiling at a line stops may be at another one as
// well, and whether it vanishes by the other, but not by the line, or the other
// way round, unless `trait` is INERT_HIGHER.
static bool inert_may_tell(const struct inert_search *search, size_t index,
                           size_t other, enum inert_trait trait)
{
    const struct map_sector *own = inert_sector(search, index, 0);
    const struct map_sector *a = inert_sector(search, other, 0);
    const struct map_sector *b = inert_sector(search, other, 1);
    const int32_t low = a->ceiling < b->ceiling ? a->ceiling : b->ceiling;
    if (low != own->ceiling && !inert_moves(search, 2 * other) &&
        !inert_moves(search, 2 * other + 1))
        return false;
    return trait != INERT_OPEN || inert_moves(search, 2 * other + 1) ||
           !flat_is_same(b->ceiling_flat, own->ceiling_flat) ||
           b->ceiling != own->ceiling;
}

// Whether such a line with a trait is near; true if it takes too many steps to
// find out.
static bool inert_has_near(struct inert_search *search, size_t index,
                           enum inert_trait trait)
{
    const struct faces *faces = &search->faces;
    const struct grid *grid = &faces->grid;
    const struct fixed_line at = faces_half(faces, 2 * index);
    const int64_t reach = (int64_t)INERT_MISSILE << 16;
    const int64_t west = (at.x1 < at.x2 ? at.x1 : at.x2) - reach;
    const int64_t east = (at.x1 > at.x2 ? at.x1 : at.x2) + reach;
    const int64_t south = (at.y1 < at.y2 ? at.y1 : at.y2) - reach;
    const int64_t north = (at.y1 > at.y2 ? at.y1 : at.y2) + reach;
    const size_t first = inert_block_at(west, grid->origin_x, grid->columns);
    const size_t last = inert_block_at(east, grid->origin_x, grid->columns);
    const size_t end = inert_block_at(north, grid->origin_y, grid->rows);
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
            if (!(search->traits[line] & trait))
                continue;
            const struct fixed_line other = faces_half(faces, 2 * line);
            const bool rises = (other.x1 < other.x2) == (other.y1 < other.y2);
            if ((other.x1 >= west || other.x2 >= west) &&
                (other.x1 <= east || other.x2 <= east) &&
                (other.y1 >= south || other.y2 >= south) &&
                (other.y1 <= north || other.y2 <= north) &&
                inert_may_tell(search, index, line, trait) &&
                faces_side(&other, west, rises ? north : south) *
                        faces_side(&other, east, rises ? south : north) <=
                    0)
                return true;
        }
    }
    return false;
}

// Whether a missile may tell if a line is listed.
static bool inert_is_near_sky(struct inert_search *search, size_t index)
{
    const bool is_sky =
        flat_may_be_sky(inert_sector(search, index, 0)->ceiling_flat);
    return inert_has_near(search, index, is_sky ? INERT_OPEN : INERT_SKY) &&
           inert_has_near(search, index, INERT_HIGHER);
}

// ---------------------------------------------------------------------------
// All lines

// Finds the candidates and their faces.
static nbstage_status inert_begin(struct inert_search *search)
{
    struct context *context = search->context;
    const size_t count = search->lines->count;
    bool has_candidate = false;
    nbstage_status status = moving_find(context, context->map_name,
                                        &search->attributes, &search->moving);
    const struct context_array arrays[] = {
        {&search->traits, count, sizeof *search->traits},
        {&search->is_candidate, count, sizeof *search->is_candidate},
    };
    if (status == NBSTAGE_OK)
        status = context_allocate_arrays(context, arrays,
                                         sizeof arrays / sizeof *arrays);
    for (size_t i = 0; status == NBSTAGE_OK && !search->moving.any && i < count;
         i++) {
        inert_look_at(search, i);
        has_candidate |= search->is_candidate[i];
    }
    if (status == NBSTAGE_OK && has_candidate)
        status = faces_find(context, search->lines, &search->attributes,
                            search->is_candidate, search->fates, false,
                            &search->faces);
    return status;
}

// Decides on the candidates.
static void inert_judge_lines(struct inert_search *search)
{
    const size_t count = search->lines->count;
    const uint64_t work = (uint64_t)count * INERT_WORK_FOR_LINE;
    search->work_left = work;
    for (size_t i = 0; i < count; i++)
        if (search->is_candidate[i] && faces_agree(&search->faces, 2 * i) &&
            faces_agree(&search->faces, 2 * i + 1) &&
            !inert_is_near_sky(search, i))
            search->fates[i] = FATE_INERT;
    search->context->work += work - search->work_left;
}

nbstage_status inert_find(struct context *context, struct map *map,
                          const struct lines *lines, uint8_t *fates)
{
    struct inert_search search = {
        .context = context, .lines = lines, .fates = fates};
    const char *reason = NULL;
    bool are_complete = false;
    nbstage_status status = NBSTAGE_OK;
    if (map->format == NBSTAGE_FORMAT_DOOM64)
        reason = "macros of Doom 64 may move any sector; no line is taken to "
                 "be inert";
    else
        status = attributes_read(context, map, NBSTAGE_LOG_WARNING,
                                 "no line is taken to be inert",
                                 &search.attributes, &are_complete);
    if (status == NBSTAGE_OK && are_complete)
        status = inert_begin(&search);
    if (status == NBSTAGE_OVER_LIMIT) {
        status = NBSTAGE_OK;
        reason = "lines are in too many blocks to look around them; no line is "
                 "taken to be inert";
    } else if (status == NBSTAGE_OK && search.faces.loop) {
        inert_judge_lines(&search);
    }
    if (status == NBSTAGE_OK && search.faces.is_early)
        reason = "looking around the lines stopped at its work limit; some "
                 "lines that are inert may have stayed";
    if (reason)
        context_log(context, NBSTAGE_LOG_WARNING, NULL, "%s", reason);
    context_release(context, search.traits);
    moving_free(context, &search.moving);
    faces_free(context, &search.faces);
    attributes_free(context, &search.attributes);
    return status;
}
