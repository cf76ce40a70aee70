// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line is pruned if it is inert, see inert.c, or tagged.  The host may leave
// out lines of its own choice.
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

#include "prune/prune.h"

#include "base/bytes.h"
#include "base/context.h"
#include "map/attributes.h"
#include "map/map.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TAGGED_TAG = 999,
    TAGGED_SPECIAL = 108,
    TAGGED_FLAGS_AUTOMAP =
        ATTRIBUTES_FLAG_NEVER_ON_MAP | ATTRIBUTES_FLAG_ALWAYS_ON_MAP,
    TAGGED_FLAG_NO_BLOCKMAP = 1 << 28,
};

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

// Allocates *fates, which is NULL, with FATE_TAGGED for tagged lines, unless
// there are none.
static nbstage_status prune_find_tagged(struct context *context,
                                        const struct map *map, uint8_t **fates)
{
    const struct array *lines = &map->arrays[ARRAY_LINES];
    size_t user = map->line_count; // of the tag
    size_t count = 0;
    for (size_t i = 0; i < map->line_count; i++) {
        if (!prune_asks(map, i))
            continue;
        // A line of Doom's format needs its tag for a special.
        if (map->format == NBSTAGE_FORMAT_DOOM &&
            (array_get_number(lines, LINEDEF_SPECIAL, i) & UINT16_MAX) != 0) {
            user = user == map->line_count ? i : user;
            continue;
        }
        nbstage_status status = NBSTAGE_OK;
        if (!*fates)
            status = context_allocate_zeroed(context, map->line_count,
                                             sizeof **fates, fates);
        if (status != NBSTAGE_OK)
            return status;
        (*fates)[i] = FATE_TAGGED;
        count++;
    }
    if (user == map->line_count || count == 0)
        return NBSTAGE_OK;
    context_log(context, NBSTAGE_LOG_WARNING, NULL,
                "linedef %zu has a special and tag 999, so the tag is in use; "
                "%zu linedefs that have it stay in the blockmap",
                user, count);
    context_release(context, *fates);
    *fates = NULL;
    return NBSTAGE_OK;
}

nbstage_status prune_lines(struct context *context, struct map *map,
                           const struct lines *lines, enum prune_policy policy,
                           struct pruning *pruning)
{
    nbstage_status status = NBSTAGE_OK;
    if (policy != PRUNE_NONE && lines->mark.is_seen && prune_may_ask(map))
        status = prune_find_tagged(context, map, &pruning->fates);
    if (status == NBSTAGE_OK && !pruning->fates &&
        (map->left_out || policy == PRUNE_INERT))
        status = context_allocate_zeroed(
            context, map->line_count, sizeof *pruning->fates, &pruning->fates);
    for (size_t i = 0;
         status == NBSTAGE_OK && map->left_out && i < map->line_count; i++)
        if (map->left_out[i] && pruning->fates[i] == FATE_LISTED)
            pruning->fates[i] = FATE_BY_HOST;
    if (status == NBSTAGE_OK && policy == PRUNE_INERT)
        status = inert_find(context, map, lines, pruning->fates);
    for (size_t i = 0; pruning->fates && i < map->line_count; i++)
        pruning->counts[pruning->fates[i]]++;
    if (status != NBSTAGE_OK) {
        prune_free(context, pruning);
    } else if (pruning->counts[FATE_LISTED] == map->line_count) {
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
