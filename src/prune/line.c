// SPDX-License-Identifier: GPL-2.0-or-later
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
//    slopes; no polyobject, whose lines look like any other; no boss of
//    Heretic, whose death on E1M8 and its like acts on tag 0; no macro of Doom
//    64.
// Actions from outside the map, such as a patch that gives actions to monsters,
// are not known.

#include "prune/line.h"

#include "base/context.h"
#include "nbstage.h"
#include "prune/attributes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// ---------------------------------------------------------------------------
// What may move

// Whether bosses may die on a map of this name whose deaths act on tag 0: on
// the eighth maps of Heretic's episodes, such as E1M8.  A map without a name
// may be one.
static bool moving_has_bosses(const char *map_name)
{
    return !map_name || !*map_name || strstr(map_name, "M8") ||
           strstr(map_name, "m8");
}

// The tag that the special of a line acts on; 0 if that is in doubt.
static uint32_t moving_target(const struct attributes *attributes,
                              const struct map_line *line)
{
    if (attributes->format == NBSTAGE_FORMAT_DOOM)
        return line->tag;
    // In UDMF ports differ over whether a tag of Doom's is the id or arg0.
    return attributes->specials == SPECIALS_DOOM ? 0 : line->args[0];
}

// Takes account of what the special of a line may move.
static void moving_take_line(struct moving *moving,
                             const struct attributes *attributes, size_t index)
{
    const struct map_line *line = &attributes->lines[index];
    moving->any =
        moving->any ||
        special_makes_polyobject(attributes->specials, line->special) ||
        special_may_move_any(attributes->specials, line->special,
                             moving_target(attributes, line));
    if (!special_may_move_beside(attributes->specials, line->special))
        return;
    const bool is_door =
        special_moves_behind(attributes->specials, line->special);
    for (size_t side = 2 * index + is_door; side < 2 * index + 2; side++) {
        const uint32_t sector = attributes_sector(attributes, side);
        if (sector != NBSTAGE_NONE)
            moving->sectors[sector] = true;
    }
}

nbstage_status moving_find(struct context *context, const char *map_name,
                           const struct attributes *attributes,
                           struct moving *moving)
{
    *moving = (struct moving){
        .any = attributes->may_move_any ||
               attributes->format == NBSTAGE_FORMAT_DOOM64 ||
               (attributes->specials != SPECIALS_HEXEN &&
                moving_has_bosses(map_name)),
    };
    nbstage_status status =
        context_allocate(context, attributes->sector_count,
                         sizeof *moving->sectors, &moving->sectors);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t i = 0; i < attributes->sector_count; i++) {
        const struct map_sector *sector = &attributes->sectors[i];
        moving->sectors[i] =
            sector->flags != 0 || sector->tag != 0 ||
            !special_leaves_sector(attributes->specials, sector->special);
    }
    for (size_t i = 0; i < attributes->line_count; i++)
        if (attributes->lines[i].special != 0)
            moving_take_line(moving, attributes, i);
    return NBSTAGE_OK;
}

void moving_free(struct context *context, struct moving *moving)
{
    context_release(context, moving->sectors);
    *moving = (struct moving){0};
}

// ---------------------------------------------------------------------------
// The line

// Whether a line has a flag that blocks, or may in some game; a sound is not
// stopped by lists.
static bool line_blocks(const struct attributes *attributes,
                        const struct map_line *line)
{
    const bool is_text = attributes->format == NBSTAGE_FORMAT_UDMF;
    const uint32_t harmless = is_text ? NBSTAGE_LINE_TWO_SIDED
                                      : ATTRIBUTES_FLAG_TWO_SIDED |
                                            ATTRIBUTES_FLAGS_HARMLESS |
                                            ATTRIBUTES_FLAG_BLOCKS_SOUND;
    return (line->flags & ~harmless) != 0;
}

static bool line_has_room(const struct attributes *attributes, uint32_t sector)
{
    const struct map_sector *at = &attributes->sectors[sector];
    return at->floor < at->ceiling;
}

static bool line_is_two_sided(const struct attributes *attributes,
                              const struct map_line *line)
{
    const uint32_t flag = attributes->format == NBSTAGE_FORMAT_UDMF
                              ? NBSTAGE_LINE_TWO_SIDED
                              : ATTRIBUTES_FLAG_TWO_SIDED;
    return line->flags & flag && line->front_sector != NBSTAGE_NONE &&
           line->back_sector != NBSTAGE_NONE;
}

// The height between two planes in map units, rounded up.
static uint32_t line_step(int32_t a, int32_t b)
{
    const int64_t height = a < b ? (int64_t)b - a : (int64_t)a - b;
    return (uint32_t)((height + 0xFFFF) >> 16);
}

struct line_verdict line_judge(const struct attributes *attributes,
                               const struct moving *moving, size_t index)
{
    const struct map_line *line = &attributes->lines[index];
    const uint32_t sectors[] = {line->front_sector, line->back_sector};
    const bool is_two_sided = line_is_two_sided(attributes, line);
    bool has_room = false, moves = false, has_sector = false;
    uint32_t step = 0;
    for (int i = 0; i < 2; i++) {
        if (sectors[i] == NBSTAGE_NONE)
            continue;
        has_sector = true;
        has_room |= line_has_room(attributes, sectors[i]);
        moves |= moving_has(moving, sectors[i]);
    }
    if (is_two_sided) {
        const struct map_sector *a = &attributes->sectors[sectors[0]];
        const struct map_sector *b = &attributes->sectors[sectors[1]];
        step = line_step(a->floor, b->floor);
        step = step ? step : line_step(a->ceiling, b->ceiling);
    }
    if (!is_two_sided && (has_room || !has_sector))
        return (struct line_verdict){LINE_ONE_SIDED, 0};
    if (is_two_sided && line_blocks(attributes, line))
        return (struct line_verdict){LINE_IMPASSABLE, 0};
    if (line->special != 0)
        return (struct line_verdict){LINE_SPECIAL, line->special};
    if (step != 0)
        return (struct line_verdict){LINE_STEP, step};
    return (struct line_verdict){moves ? LINE_MOVES : LINE_FREE, 0};
}
