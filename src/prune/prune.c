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
// it skips whole groups.

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
    TAGGED_LINEDEF_SIZE = 14, // bytes
    TAGGED_GROUP = 64,        // linedefs
};

static inline bool prune_asks(uint32_t format, struct nbstage_line line)
{
    switch (format) {
    case NBSTAGE_FORMAT_DOOM:
        return line.tag == TAGGED_TAG;
    case NBSTAGE_FORMAT_HEXEN:
        return line.special == TAGGED_SPECIAL && line.args[0] == 1;
    case NBSTAGE_FORMAT_DOOM64:
        return line.flags & TAGGED_FLAG_NO_BLOCKMAP ||
               (line.flags & TAGGED_FLAGS_AUTOMAP) == TAGGED_FLAGS_AUTOMAP;
    default:
        return false;
    }
}

// Whether any word of linedefs in Doom format is TAGGED_TAG, tag or not.
VECTOR_BODY void prune_look_for_tag_body(const unsigned char *linedefs,
                                         bool *found)
{
    static const unsigned char bytes[] = {TAGGED_TAG & 0xFF, TAGGED_TAG >> 8};
    uint16_t tag, any = 0;
    memcpy(&tag, bytes, sizeof tag);
    for (size_t i = 0; i < TAGGED_GROUP * TAGGED_LINEDEF_SIZE;
         i += sizeof tag) {
        uint16_t word;
        memcpy(&word, linedefs + i, sizeof word);
        any |= (uint16_t)(word == tag);
    }
    *found = any != 0;
}

VECTOR_FUNCTION(prune_look_for_tag,
                (const unsigned char *linedefs, bool *found), (linedefs, found))

// Whether a number of any of the host's lines is `value`: one at an offset in
// struct nbstage_line.
static bool prune_look_in_lines(const unsigned char *lines, size_t count,
                                size_t stride, enum map_form form,
                                size_t offset, uint32_t value)
{
    const bool is_narrow = form == MAP_ARRAYS16;
    bool found = false;
    lines += is_narrow ? offset / 2 : offset;
    for (size_t i = 0; i < count; i++, lines += stride) {
        uint32_t number;
        uint16_t narrow;
        if (is_narrow) {
            memcpy(&narrow, lines, sizeof narrow);
            number = narrow;
        } else {
            memcpy(&number, lines, sizeof number);
        }
        found |= number == value;
    }
    return found;
}

// Whether none of TAGGED_GROUP lines from `line` on asks, as far as one look at
// all of them tells.
static bool prune_can_skip(const struct map *map, size_t line)
{
    const bool is_doom = map->format == NBSTAGE_FORMAT_DOOM;
    const unsigned char *lines = map->lines + line * map->line_stride;
    const size_t left = map->line_count - line;
    bool found = true;
    if (map->from_arrays && map->format != NBSTAGE_FORMAT_DOOM64)
        found = prune_look_in_lines(
            lines, left < TAGGED_GROUP ? left : TAGGED_GROUP, map->line_stride,
            map->line_form,
            is_doom ? offsetof(struct nbstage_line, tag)
                    : offsetof(struct nbstage_line, special),
            is_doom ? TAGGED_TAG : TAGGED_SPECIAL);
    else if (!map->from_arrays && is_doom && left >= TAGGED_GROUP)
        prune_look_for_tag(lines, &found);
    return !found;
}

// Allocates *fates, which is NULL, with FATE_TAGGED for tagged
// lines, unless there are none.
static nbstage_status prune_find_tagged(struct context *context,
                                        const struct map *map, uint8_t **fates)
{
    // How much of a line has what is asked for.
    static const size_t needed[] = {
        [NBSTAGE_FORMAT_DOOM] = offsetof(struct nbstage_line, args),
        [NBSTAGE_FORMAT_HEXEN] = offsetof(struct nbstage_line, front_sector),
        [NBSTAGE_FORMAT_DOOM64] = offsetof(struct nbstage_line, special),
        [NBSTAGE_FORMAT_UDMF] = 0,
    };
    size_t user = map->line_count; // of the tag
    size_t count = 0;
    if (map->format == NBSTAGE_FORMAT_UDMF)
        return NBSTAGE_OK;
    if (map->from_arrays && map->line_size < needed[map->format])
        return NBSTAGE_OK;
    for (size_t i = 0; i < map->line_count; i++) {
        if (i % TAGGED_GROUP == 0 && prune_can_skip(map, i)) {
            i += TAGGED_GROUP - 1;
            continue;
        }
        struct nbstage_line line = {0};
        if (map->from_arrays)
            attributes_copy_line(map, i, &line);
        else
            attributes_get_linedef(map, i, &line);
        if (!prune_asks(map->format, line))
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
