// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line is pruned if it is tagged or inert.  The host may leave out lines of
// its own choice.
//
// Tagged lines ask to be pruned, by the convention of their format:
//   Doom: tag 999 (ZokumBSP, VigilantBSP, ELFBSP), but only if no line with a
//   special has that tag, as it needs the tag for itself;
//   Hexen: special 108, BSP_SpecialEffects, with a first argument of 1.  ELFBSP
//   has read that argument as "do not add to the blockmap", which is 0 or 1,
//   and also as an angle to turn the line's segs by.  Any number but 1 would be
//   an angle, and the line stays;
//   Doom 64: flag bit 28, or both "always show" (bit 8) and "never show" (bit
//   7) on the automap (BSP64 Enhanced, ELFBSP);
//   UDMF has none.
//
// One number of each line is looked at while lines are gathered.  If none is
// the one that asks, there is nothing to search for.
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

#include "prune/prune.h"

#include "base/bytes.h"
#include "base/context.h"
#include "base/macros.h"
#include "lines/lines.h"
#include "map/arrays.h"
#include "map/attributes.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/faces.h"
#include "prune/line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    TAGGED_TAG = 999,
    TAGGED_SPECIAL = 108,
    TAGGED_FLAGS_AUTOMAP =
        ATTRIBUTES_FLAG_NEVER_ON_MAP | ATTRIBUTES_FLAG_ALWAYS_ON_MAP,
    TAGGED_FLAG_NO_BLOCKMAP = 1 << 28,

    INERT_MISSILE = 64, // map units; none is wider
    INERT_WORK_FOR_LINE = 512,
};

// ---------------------------------------------------------------------------
// Tagged lines

// Whether a line asks to be pruned.
static bool prune_asks(const struct map *map, size_t line)
{
    const struct array *lines = &map->arrays[ARRAY_LINES];
    if (map->format == NBSTAGE_FORMAT_DOOM)
        return (array_get_number(lines, LINEDEF_TAG, line) & UINT16_MAX) ==
               TAGGED_TAG;
    if (map->format == NBSTAGE_FORMAT_HEXEN)
        return (array_get_number(lines, LINEDEF_SPECIAL, line) & UINT16_MAX) ==
                   TAGGED_SPECIAL &&
               array_get_number(lines, LINEDEF_ARGS, line) == 1;
    const uint32_t flags = array_get_number(lines, LINEDEF_FLAGS, line);
    return flags & TAGGED_FLAG_NO_BLOCKMAP ||
           (flags & TAGGED_FLAGS_AUTOMAP) == TAGGED_FLAGS_AUTOMAP;
}

// Whether lines tell whether they ask to be pruned.
static bool prune_may_ask(const struct map *map)
{
    const struct array *lines = &map->arrays[ARRAY_LINES];
    const bool is_doom64 = map->format == NBSTAGE_FORMAT_DOOM64;
    const int member = is_doom64                            ? LINEDEF_FLAGS
                       : map->format == NBSTAGE_FORMAT_DOOM ? LINEDEF_TAG
                                                            : LINEDEF_ARGS;
    return map->format != NBSTAGE_FORMAT_UDMF && array_has(lines, member) &&
           (is_doom64 || array_has(lines, LINEDEF_SPECIAL));
}

// The low 16 bits of a number, as they are in memory.
struct lines_mark prune_find_mark(const struct map *map)
{
    const struct array *lines = &map->arrays[ARRAY_LINES];
    const bool is_doom = map->format == NBSTAGE_FORMAT_DOOM;
    uint16_t number = is_doom ? TAGGED_TAG : TAGGED_SPECIAL;
    const struct nbstage_member *place =
        &lines->members[is_doom ? LINEDEF_TAG : LINEDEF_SPECIAL];
    const uint16_t one = 1; // whose first byte is 0 where the low half is last
    const bool is_native =
        place->type >= NBSTAGE_U16 && place->type <= NBSTAGE_I32;
    struct lines_mark mark = {.bits = LINES_NO_MARK,
                              .is_seen = prune_may_ask(map)};
    if (!mark.is_seen || map->format == NBSTAGE_FORMAT_DOOM64 ||
        map->line_count == 0 || lines->of.is_indirect ||
        lines->members[LINEDEF_V1].offset +
                (const unsigned char *)lines->of.data !=
            map->lines.bytes ||
        (place->type != LUMP_U16 && !is_native))
        return mark;
    mark.offset =
        (ptrdiff_t)place->offset - (ptrdiff_t)lines->members[LINEDEF_V1].offset;
    if (place->type >= NBSTAGE_U32 && is_native && *(const char *)&one == 0)
        mark.offset += 2;
    if (!is_native)
        bytes_put_u16((unsigned char *)&number, number);
    mark.bits = number;
    mark.is_seen = false;
    return mark;
}

// Finds tagged lines among those that are listed.
static void prune_find_tagged(struct context *context, const struct map *map,
                              uint8_t *fates)
{
    const struct array *lines = &map->arrays[ARRAY_LINES];
    size_t user = map->line_count; // of the tag
    size_t count = 0;
    for (size_t i = map->line_count; i-- > 0;) {
        if (!prune_asks(map, i))
            continue;
        // A line of Doom's format needs its tag for a special.
        if (map->format == NBSTAGE_FORMAT_DOOM &&
            (array_get_number(lines, LINEDEF_SPECIAL, i) & UINT16_MAX) != 0) {
            user = i;
        } else {
            fates[i] = FATE_TAGGED;
            count++;
        }
    }
    if (user == map->line_count || count == 0)
        return;
    context_log(context, NBSTAGE_LOG_WARNING, NULL,
                "linedef %zu has a special and tag 999, so the tag is in use; "
                "%zu linedefs that have it stay in the blockmap",
                user, count);
    memset(fates, FATE_LISTED, map->line_count);
}

// ---------------------------------------------------------------------------
// Inert lines

// What is true of a line that has two sectors.
enum inert_trait {
    INERT_OPEN = 1,      // that it has
    INERT_SKY = 2,       // behind it is the sky, or may be
    INERT_HIGHER = 4,    // the ceiling is higher on one side, or may be
    INERT_CANDIDATE = 8, // it is inert, as far as it tells by itself
    INERT_MOVES = 16,    // a sector may move
    INERT_BACK_MOVES = 32,
};

struct inert_search {
    struct context *context;
    const struct lines *lines;
    uint8_t *fates;
    struct attributes attributes;
    bool *moves; // for each sector whether it may move
    struct faces faces;
    uint8_t *traits; // of each line
    uint64_t work_left;
};

// The sector to the front or back of a line that is open.
static const struct map_sector *inert_sector(const struct inert_search *search,
                                             size_t line, size_t back)
{
    const struct attributes *attributes = &search->attributes;
    return &attributes->sectors[attributes_sector(attributes, 2 * line + back)];
}

// The traits of a line.  Some of what line_judge asks is asked here first, as
// that is quicker and settles most lines.
static uint8_t inert_find_traits(const struct inert_search *search,
                                 size_t index)
{
    const struct attributes *attributes = &search->attributes;
    const struct map_line *line = &attributes->lines[index];
    if (line->front_sector == NBSTAGE_NONE || line->back_sector == NBSTAGE_NONE)
        return 0;
    const struct map_sector *a = inert_sector(search, index, 0);
    const struct map_sector *b = inert_sector(search, index, 1);
    const bool back_moves = search->moves[line->back_sector];
    const bool moves = back_moves || search->moves[line->front_sector];
    const bool is_higher = moves || a->ceiling != b->ceiling;
    const bool has_sky = flat_may_be_sky(b->ceiling_flat);
    const bool is_candidate =
        !is_higher && a->floor == b->floor && line->special == 0 &&
        a->floor < a->ceiling && search->fates[index] == FATE_LISTED &&
        line->tag == attributes_no_tag(attributes->format) &&
        (attributes->format == NBSTAGE_FORMAT_UDMF ||
         !(line->flags & ATTRIBUTES_FLAG_BLOCKS_SOUND)) &&
        flat_is_same(a->floor_flat, b->floor_flat) &&
        (flat_is_same(a->ceiling_flat, b->ceiling_flat) ||
         (!has_sky && !flat_may_be_sky(a->ceiling_flat))) &&
        line_judge(attributes, search->moves, index).reason == LINE_FREE;
    return (uint8_t)(INERT_OPEN | (has_sky ? INERT_SKY : 0) |
                     (is_higher ? INERT_HIGHER : 0) |
                     (is_candidate ? INERT_CANDIDATE : 0) |
                     (moves ? INERT_MOVES : 0) |
                     (back_moves ? INERT_BACK_MOVES : 0));
}

// ---------------------------------------------------------------------------
// What is around inert lines

struct inert_box { // 16.16
    int64_t west, east, south, north;
};

// Whether a line is in a box, or goes between corners of it.
static bool inert_is_in(const struct inert_box *box, struct fixed_line line)
{
    const bool rises = (line.x1 < line.x2) == (line.y1 < line.y2);
    return (line.x1 >= box->west || line.x2 >= box->west) &&
           (line.x1 <= box->east || line.x2 <= box->east) &&
           (line.y1 >= box->south || line.y2 >= box->south) &&
           (line.y1 <= box->north || line.y2 <= box->north) &&
           faces_side(&line, box->west, rises ? box->north : box->south) *
                   faces_side(&line, box->east,
                              rises ? box->south : box->north) <=
               0;
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
    const uint8_t traits = search->traits[other];
    if (low != own->ceiling && !(traits & INERT_MOVES))
        return false;
    return trait != INERT_OPEN || traits & INERT_BACK_MOVES ||
           b->ceiling != own->ceiling ||
           !flat_is_same(b->ceiling_flat, own->ceiling_flat);
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
    const struct inert_box box = {(at.x1 < at.x2 ? at.x1 : at.x2) - reach,
                                  (at.x1 > at.x2 ? at.x1 : at.x2) + reach,
                                  (at.y1 < at.y2 ? at.y1 : at.y2) - reach,
                                  (at.y1 > at.y2 ? at.y1 : at.y2) + reach};
    const size_t west = grid_nearest(box.west, grid->origin_x, grid->columns);
    const size_t east = grid_nearest(box.east, grid->origin_x, grid->columns);
    const size_t north = grid_nearest(box.north, grid->origin_y, grid->rows);
    size_t row = grid_nearest(box.south, grid->origin_y, grid->rows);
    for (; row <= north; row++) {
        // The blocks of a row follow each other, and so do their lines.
        const size_t *starts = faces->block_starts + row * grid->columns;
        const size_t steps = starts[east + 1] - starts[west] + 1;
        if (search->work_left < steps) {
            search->faces.is_early = true;
            return true;
        }
        search->work_left -= steps;
        for (size_t i = starts[west]; i < starts[east + 1]; i++) {
            const uint32_t line = faces->block_lines[i];
            if (search->traits[line] & trait &&
                inert_may_tell(search, index, line, trait) &&
                inert_is_in(&box, faces_half(faces, 2 * line)))
                return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------
// All inert lines

static nbstage_status inert_judge_lines(struct inert_search *search)
{
    struct context *context = search->context;
    const struct attributes *attributes = &search->attributes;
    struct faces *faces = &search->faces;
    const size_t count = search->lines->count;
    const uint64_t work = (uint64_t)count * INERT_WORK_FOR_LINE;
    bool *is_asked = NULL; // for each sector, whether it is beside a candidate
    bool is_needed = false;
    nbstage_status status = moving_find(context, attributes, &search->moves);
    const struct context_array arrays[] = {
        {&search->traits, count, sizeof *search->traits},
        {&is_asked, attributes->sector_count, sizeof *is_asked},
    };
    if (status == NBSTAGE_OK)
        status = context_allocate_arrays(context, arrays,
                                         COUNT(arrays));
    const bool is_any_fixed =
        status == NBSTAGE_OK && attributes->sector_count > 0 &&
        memchr(search->moves, false, attributes->sector_count);
    for (size_t i = 0; i < count && is_any_fixed; i++) {
        search->traits[i] = inert_find_traits(search, i);
        if (search->traits[i] & INERT_CANDIDATE) {
            is_asked[attributes_sector(attributes, 2 * i)] = true;
            is_asked[attributes_sector(attributes, 2 * i + 1)] = true;
            is_needed = true;
        }
    }
    if (is_needed)
        status = faces_find(context, search->lines, attributes, is_asked,
                            search->fates, false, faces);
    search->work_left = work;
    for (size_t i = 0; is_needed && i < count && status == NBSTAGE_OK; i++) {
        const uint8_t traits = search->traits[i];
        if (traits & INERT_CANDIDATE && faces_agree(faces, 2 * i) &&
            faces_agree(faces, 2 * i + 1) &&
            !(inert_has_near(search, i,
                             traits & INERT_SKY ? INERT_OPEN : INERT_SKY) &&
              inert_has_near(search, i, INERT_HIGHER)))
            search->fates[i] = FATE_INERT;
    }
    context->work += work - search->work_left;
    return status;
}

// Sets the fates of inert lines, if they are listed.
static nbstage_status inert_find(struct context *context, struct map *map,
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
        status = inert_judge_lines(&search);
    if (status == NBSTAGE_OVER_LIMIT) {
        status = NBSTAGE_OK;
        reason = "lines are in too many blocks to look around them; no line is "
                 "taken to be inert";
    }
    if (status == NBSTAGE_OK && search.faces.is_early)
        reason = "looking around the lines stopped at its work limit; some "
                 "lines that are inert may have stayed";
    if (reason)
        context_log(context, NBSTAGE_LOG_WARNING, NULL, "%s", reason);
    context_release(context, search.moves);
    context_release(context, search.traits);
    faces_free(context, &search.faces);
    attributes_free(context, &search.attributes);
    return status;
}

// ---------------------------------------------------------------------------

nbstage_status prune_lines(struct context *context, struct map *map,
                           const struct lines *lines, enum prune_policy policy,
                           struct pruning *pruning)
{
    const size_t count = map->line_count;
    const bool may_ask =
        policy != PRUNE_NONE && lines->mark.is_seen && prune_may_ask(map);
    if (!may_ask && !map->left_out && policy != PRUNE_INERT)
        return NBSTAGE_OK;
    nbstage_status status = context_allocate_zeroed(
        context, count, sizeof *pruning->fates, &pruning->fates);
    if (status == NBSTAGE_OK && may_ask)
        prune_find_tagged(context, map, pruning->fates);
    for (size_t i = 0; status == NBSTAGE_OK && map->left_out && i < count; i++)
        if (map->left_out[i] && pruning->fates[i] == FATE_LISTED)
            pruning->fates[i] = FATE_BY_HOST;
    if (status == NBSTAGE_OK && policy == PRUNE_INERT)
        status = inert_find(context, map, lines, pruning->fates);
    for (size_t i = 0; pruning->fates && i < count; i++)
        pruning->counts[pruning->fates[i]]++;
    if (status != NBSTAGE_OK) {
        prune_free(context, pruning);
    } else if (pruning->counts[FATE_LISTED] == count) {
        context_release(context, pruning->fates);
        pruning->fates = NULL;
    }
    return status;
}

void prune_free(struct context *context, struct pruning *pruning)
{
    context_release(context, pruning->fates);
    *pruning = (struct pruning){0};
}
