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
// The search for them looks at every line of every map, so it has to be fast:
// it reads one number of a line, and the rest only if that is the one.

#include "prune/prune.h"

#include "base/context.h"
#include "base/vector.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/attributes.h"

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
};

static bool prune_asks(uint32_t format, const struct nbstage_line *line)
{
    switch (format) {
    case NBSTAGE_FORMAT_DOOM:
        return line->tag == TAGGED_TAG;
    case NBSTAGE_FORMAT_HEXEN:
        return line->special == TAGGED_SPECIAL && line->args[0] == 1;
    default:
        return line->flags & TAGGED_FLAG_NO_BLOCKMAP ||
               (line->flags & TAGGED_FLAGS_AUTOMAP) == TAGGED_FLAGS_AUTOMAP;
    }
}

// The first line from `line` on that has these bytes at an offset; line_count
// if there is none.
VECTOR_BODY size_t prune_seek(const struct map *map, size_t line, size_t offset,
                              const void *bytes, size_t size)
{
    while (line < map->line_count &&
           memcmp(map->lines + line * map->line_stride + offset, bytes, size))
        line++;
    return line;
}

// The first line from `line` on that may ask, as far as one number tells.
static size_t prune_next(const struct map *map, size_t line)
{
    static const unsigned char tag[] = {TAGGED_TAG & 0xFF, TAGGED_TAG >> 8};
    static const unsigned char special[] = {TAGGED_SPECIAL};
    const bool is_doom = map->format == NBSTAGE_FORMAT_DOOM;
    const uint32_t wide = is_doom ? TAGGED_TAG : TAGGED_SPECIAL;
    const uint16_t narrow = (uint16_t)wide;
    const size_t offset = is_doom ? offsetof(struct nbstage_line, tag)
                                  : offsetof(struct nbstage_line, special);
    if (map->format == NBSTAGE_FORMAT_DOOM64)
        return line;
    if (map->line_form == MAP_ARRAYS32)
        return prune_seek(map, line, offset, &wide, sizeof wide);
    if (map->line_form == MAP_ARRAYS16)
        return prune_seek(map, line, offset / 2, &narrow, sizeof narrow);
    return is_doom ? prune_seek(map, line, 8, tag, sizeof tag)
                   : prune_seek(map, line, 6, special, sizeof special);
}

// Allocates *fates, which is NULL, with FATE_TAGGED for tagged lines, unless
// there are none.
static nbstage_status prune_find_tagged(struct context *context,
                                        const struct map *map, uint8_t **fates)
{
    // How much of a line has what is asked for.
    static const size_t needed[] = {
        [NBSTAGE_FORMAT_DOOM] = offsetof(struct nbstage_line, args),
        [NBSTAGE_FORMAT_HEXEN] = offsetof(struct nbstage_line, front_sector),
        [NBSTAGE_FORMAT_DOOM64] = offsetof(struct nbstage_line, special),
    };
    size_t user = map->line_count; // of the tag
    size_t count = 0;
    if (map->format == NBSTAGE_FORMAT_UDMF ||
        (map->from_arrays && map->line_size < needed[map->format]))
        return NBSTAGE_OK;
    for (size_t i = prune_next(map, 0); i < map->line_count;
         i = prune_next(map, i + 1)) {
        struct nbstage_line line = {0};
        attributes_get_line(map, i, &line);
        if (!prune_asks(map->format, &line))
            continue;
        // A line of Doom's format needs its tag for a special.
        if (map->format == NBSTAGE_FORMAT_DOOM && line.special != 0) {
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
    if (policy != PRUNE_NONE)
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
