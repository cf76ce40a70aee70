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
// lines_gather tests each line for the tag while its record is cached; without
// a match the search for tagged lines is skipped.
//
// A line is inert if nothing that moves, shoots or looks can tell whether it is
// listed.  When in doubt the line stays.  An inert line meets all these
// conditions:
//  - By itself it is not solid, see line.h: it is two-sided, without a special
//    or a flag that blocks, between sectors of equal floors and equal ceilings.
//  - Its sectors are fixed in every game, see moving.h, and nothing of the map
//    makes all lines stay, see inert_are_in_doubt.
//  - It has no tag, no id, and only flags and fields that are known to be
//    harmless.
//  - There is room between floor and ceiling, the floors have the same flat,
//    and both ceilings are the sky or neither is.
//  - The faces on both sides of it agree, see faces.h, so it is not part of a
//    trick such as the outline of a self-referencing sector, and no line around
//    them is tagged or left out by the host.
//  - No missile can tell.  Engines remove a missile that hits a ceiling if the
//    line with the lowest ceiling that it touched first (ceilingline) has sky
//    behind it.  So either no nearby ceiling is higher, or all nearby lines
//    that may be the ceilingline agree on sky.
//
// Then a thing that touches the line gets its floor and ceiling (tmfloorz,
// tmceilingz) from its own sector, or from a listed line between the two.

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
#include "prune/games.h"
#include "prune/line.h"
#include "prune/moving.h"

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

    INERT_MISSILE = 64, // map units, upper bound on a missile's width
    INERT_WORK_FOR_LINE = 512,
    INERT_LINES_PER_REPORT = 1 << 14,
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
        return (array_get_number(lines, LINEDEF_SPECIAL, line) & UINT8_MAX) ==
                   TAGGED_SPECIAL &&
               (array_get_number(lines, LINEDEF_ARGS, line) & UINT8_MAX) == 1;
    const uint32_t flags = array_get_number(lines, LINEDEF_FLAGS, line);
    return flags & TAGGED_FLAG_NO_BLOCKMAP ||
           (flags & TAGGED_FLAGS_AUTOMAP) == TAGGED_FLAGS_AUTOMAP;
}

// Whether lines carry the tag's fields.
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

// The tag of Doom's format is compared in the byte order of the record.
struct lines_mark prune_find_mark(const struct map *map)
{
    const struct array *lines = &map->arrays[ARRAY_LINES];
    const struct nbstage_member *place = &lines->members[LINEDEF_TAG];
    uint16_t number = TAGGED_TAG;
    const uint16_t one = 1; // its first byte is 0 on big-endian machines
    const bool is_native =
        place->type >= NBSTAGE_U16 && place->type <= NBSTAGE_I32;
    struct lines_mark mark = {.bits = LINES_NO_MARK,
                              .is_seen = prune_may_ask(map)};
    if (!mark.is_seen || map->format != NBSTAGE_FORMAT_DOOM ||
        map->line_count == 0 || lines->of.kind == NBSTAGE_POINTERS ||
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

// Finds tagged lines.
static void prune_find_tagged(struct context *context, const struct map *map,
                              uint8_t *fates)
{
    const struct array *lines = &map->arrays[ARRAY_LINES];
    size_t user = map->line_count; // a line whose special uses the tag
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

// Facts about a line with two sectors.
enum inert_trait {
    INERT_OPEN = 1,      // it has two sectors
    INERT_SKY = 2,       // the sector behind it has sky, or may have
    INERT_HIGHER = 4,    // the ceiling is higher on one side, or may be
    INERT_CANDIDATE = 8, // it passes all tests on the line alone
    INERT_MOVES = 16,    // a sector may move
    INERT_BACK_MOVES = 32,
};

struct inert_search {
    struct context *context;
    const struct lines *lines;
    uint8_t *fates;
    struct attributes attributes;
    bool *moves; // the sectors that may move
    struct faces faces;
    uint8_t *traits; // of each line
    uint64_t work_left;
};

// The sector to the front or back of an open line.
static const struct map_sector *inert_sector(const struct inert_search *search,
                                             size_t line, size_t back)
{
    const struct attributes *attributes = &search->attributes;
    return &attributes->sectors[attributes_sector(attributes, 2 * line + back)];
}

// The traits of a line.  The cheap tests of line_judge come first; they decide
// most lines.
static uint8_t inert_find_traits(const struct inert_search *search,
                                 size_t index)
{
    const struct attributes *attributes = &search->attributes;
    const struct map_line *line = &attributes->lines[index];
    if (line->front_sector == MAP_NONE || line->back_sector == MAP_NONE)
        return 0;
    const uint32_t blocks_sound = attributes->format == NBSTAGE_FORMAT_UDMF
                                      ? MAP_LINE_BLOCKS_SOUND
                                      : ATTRIBUTES_FLAG_BLOCKS_SOUND;
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
        !(line->flags & blocks_sound) &&
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
// The surroundings of inert lines

struct inert_box { // 16.16
    int64_t west, east, south, north;
};

// Whether a line intersects a box.
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

// Whether a missile that hits the ceiling may touch both lines and, unless
// `trait` is INERT_HIGHER, vanish at one only.
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

// Whether a line with a trait for which inert_may_tell holds is within the
// reach of a missile; true if the work limit is hit.
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

// Finds the traits of all lines, and marks the sectors beside candidates in
// `is_asked`.  Returns whether there are candidates.
static bool inert_find_candidates(struct inert_search *search, bool *is_asked)
{
    const struct attributes *attributes = &search->attributes;
    bool are_there = false;
    if (attributes->sector_count == 0 ||
        !memchr(search->moves, false, attributes->sector_count))
        return false;
    for (size_t i = 0; i < search->lines->count; i++) {
        search->traits[i] = inert_find_traits(search, i);
        if (!(search->traits[i] & INERT_CANDIDATE))
            continue;
        is_asked[attributes_sector(attributes, 2 * i)] = true;
        is_asked[attributes_sector(attributes, 2 * i + 1)] = true;
        are_there = true;
    }
    return are_there;
}

// Whether a candidate is inert by its surroundings.
static bool inert_is_inert(struct inert_search *search, size_t line)
{
    const uint8_t traits = search->traits[line];
    if (!(traits & INERT_CANDIDATE) || !faces_agree(&search->faces, 2 * line) ||
        !faces_agree(&search->faces, 2 * line + 1))
        return false;
    return !inert_has_near(search, line,
                           traits & INERT_SKY ? INERT_OPEN : INERT_SKY) ||
           !inert_has_near(search, line, INERT_HIGHER);
}

static nbstage_status inert_judge_candidates(struct inert_search *search)
{
    struct context *context = search->context;
    const size_t count = search->lines->count;
    const uint64_t work = (uint64_t)count * INERT_WORK_FOR_LINE;
    search->work_left = work;
    for (size_t i = 0; i < count; i++) {
        if (i % INERT_LINES_PER_REPORT == 0)
            NEED(context_progress(context, i, count));
        if (inert_is_inert(search, i))
            search->fates[i] = FATE_INERT;
    }
    context->work += work - search->work_left;
    return NBSTAGE_OK;
}

// Whether all lines of a map stay: lines of a polyobject look like any other,
// and in MBF things that slide on ice (223) bounce off the first line hit.
static bool inert_are_in_doubt(const struct attributes *attributes)
{
    enum { ICE = 223 };
    for (size_t i = 0; i < attributes->line_count; i++) {
        const uint32_t special = attributes->lines[i].special;
        if (attributes->specials == SPECIALS_DOOM
                ? special == ICE
                : (special >= 1 && special <= 8) ||
                      (special >= 90 && special <= 93))
            return true;
    }
    return false;
}

static nbstage_status inert_judge_lines(struct inert_search *search)
{
    struct context *context = search->context;
    struct share left = context->share;
    const struct attributes *attributes = &search->attributes;
    const size_t count = search->lines->count;
    bool *is_asked; // the sectors beside candidates
    const struct context_array arrays[] = {
        {&search->traits, count, sizeof *search->traits},
        {&is_asked, attributes->sector_count, sizeof *is_asked},
    };
    if (inert_are_in_doubt(attributes))
        return NBSTAGE_OK;
    NEED(moving_find(context, attributes, GAMES_WORST, &search->moves));
    NEED(context_allocate_arrays(context, arrays, COUNT(arrays)));
    if (!inert_find_candidates(search, is_asked))
        return NBSTAGE_OK;
    const struct faces_request request = {.lines = search->lines,
                                          .attributes = attributes,
                                          .is_asked = is_asked,
                                          .doubtful = search->fates};
    context_begin_step(context, &left, 3, 4);
    NEED(faces_find(context, &request, &search->faces));
    context_begin_step(context, &left, 1, 1);
    return inert_judge_candidates(search);
}

static nbstage_status inert_read_and_judge(struct inert_search *search,
                                           struct map *map)
{
    bool are_complete;
    NEED(attributes_read(search->context, map, NBSTAGE_LOG_WARNING,
                         "no inert lines are pruned", &search->attributes,
                         &are_complete));
    NEED(context_progress(search->context, 0, 1));
    return are_complete ? inert_judge_lines(search) : NBSTAGE_OK;
}

// Sets the fates of inert lines, if they are listed.
static nbstage_status inert_find(struct context *context, struct map *map,
                                 const struct lines *lines, uint8_t *fates)
{
    struct inert_search search = {
        .context = context, .lines = lines, .fates = fates};
    const char *reason = NULL;
    nbstage_status status = NBSTAGE_OK;
    if (map->format == NBSTAGE_FORMAT_DOOM64)
        reason = "macros of Doom 64 may move any sector; no inert lines are "
                 "pruned";
    else
        status = inert_read_and_judge(&search, map);
    if (status == NBSTAGE_OVER_LIMIT) {
        status = NBSTAGE_OK;
        reason = "the map has too many entries to search for inert lines; none "
                 "are pruned";
    }
    if (status == NBSTAGE_OK && search.faces.is_early)
        reason = "the search for inert lines stopped at its work limit; some "
                 "may be left";
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
    NEED(context_allocate_zeroed(context, count, sizeof *pruning->fates,
                                 &pruning->fates));
    if (may_ask)
        prune_find_tagged(context, map, pruning->fates);
    if (map->left_out)
        for (size_t i = 0; i < count; i++)
            if (map->left_out[i] && pruning->fates[i] == FATE_LISTED)
                pruning->fates[i] = FATE_BY_HOST;
    if (policy == PRUNE_INERT)
        NEED(inert_find(context, map, lines, pruning->fates));
    for (size_t i = 0; i < count; i++)
        pruning->counts[pruning->fates[i]]++;
    if (pruning->counts[FATE_LISTED] == count) {
        context_release(context, pruning->fates);
        pruning->fates = NULL;
    }
    return NBSTAGE_OK;
}

void prune_free(struct context *context, struct pruning *pruning)
{
    context_release(context, pruning->fates);
    *pruning = (struct pruning){0};
}
