// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the lines that ask to be pruned, by the convention of their format:
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
// This looks at every line of every map, so it has to be fast: it skips whole
// groups.

#include "prune/prune.h"

#include "base/vector.h"
#include "prune/attributes.h"

#include <string.h>

enum {
    TAG_LEAVE_OUT = 999,
    SPECIAL_BSP_EFFECTS = 108,
    FLAGS_AUTOMAP =
        ATTRIBUTES_FLAG_NEVER_ON_MAP | ATTRIBUTES_FLAG_ALWAYS_ON_MAP,
    FLAG_NO_BLOCKMAP = 1 << 28,
    DOOM_LINEDEF_SIZE = 14, // bytes
    GROUP = 64,             // linedefs
};

// The attributes of a line.
VECTOR_BODY struct nbstage_line line_at(const struct map *map, size_t index)
{
    struct nbstage_line line = {0};
    if (map->from_arrays)
        attributes_copy_line(map, index, &line);
    else
        attributes_get_linedef(map, index, &line);
    return line;
}

static inline bool line_asks(uint32_t format, struct nbstage_line line)
{
    switch (format) {
    case NBSTAGE_FORMAT_DOOM:
        return line.tag == TAG_LEAVE_OUT;
    case NBSTAGE_FORMAT_HEXEN:
        return line.special == SPECIAL_BSP_EFFECTS && line.args[0] == 1;
    case NBSTAGE_FORMAT_DOOM64:
        return line.flags & FLAG_NO_BLOCKMAP ||
               (line.flags & FLAGS_AUTOMAP) == FLAGS_AUTOMAP;
    default:
        return false;
    }
}

// Whether any word of linedefs in Doom format is TAG_LEAVE_OUT, tag or not.
VECTOR_BODY void look_for_tag_body(const unsigned char *linedefs, bool *found)
{
    static const unsigned char bytes[] = {TAG_LEAVE_OUT & 0xFF,
                                          TAG_LEAVE_OUT >> 8};
    uint16_t tag, any = 0;
    memcpy(&tag, bytes, sizeof tag);
    for (size_t i = 0; i < GROUP * DOOM_LINEDEF_SIZE; i += sizeof tag) {
        uint16_t word;
        memcpy(&word, linedefs + i, sizeof word);
        any |= (uint16_t)(word == tag);
    }
    *found = any != 0;
}

VECTOR_FUNCTION(look_for_tag, (const unsigned char *linedefs, bool *found),
                (linedefs, found))

// Whether a number of any of the host's lines is `value`: one at an offset in
// struct nbstage_line.
static bool look_in_lines(const unsigned char *lines, size_t count,
                          size_t stride, enum map_form form, size_t offset,
                          uint32_t value)
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

// Whether none of GROUP lines from `line` on asks, as far as one look at all of
// them tells.
static bool can_skip_group(const struct map *map, size_t line)
{
    const bool is_doom = map->format == NBSTAGE_FORMAT_DOOM;
    const unsigned char *lines = map->lines + line * map->line_stride;
    const size_t left = map->line_count - line;
    bool found = true;
    if (map->from_arrays && map->format != NBSTAGE_FORMAT_DOOM64)
        found = look_in_lines(lines, left < GROUP ? left : GROUP,
                              map->line_stride, map->line_form,
                              is_doom ? offsetof(struct nbstage_line, tag)
                                      : offsetof(struct nbstage_line, special),
                              is_doom ? TAG_LEAVE_OUT : SPECIAL_BSP_EFFECTS);
    else if (!map->from_arrays && is_doom && left >= GROUP)
        look_for_tag(lines, &found);
    return !found;
}

nbstage_status tagged_find(struct context *context, const struct map *map,
                           struct pruning *pruning)
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
        if (i % GROUP == 0 && can_skip_group(map, i)) {
            i += GROUP - 1;
            continue;
        }
        struct nbstage_line line = line_at(map, i);
        if (!line_asks(map->format, line))
            continue;
        // A line of Doom's format needs its tag for a special.
        if (map->format == NBSTAGE_FORMAT_DOOM && line.special != 0) {
            user = user == map->line_count ? i : user;
            continue;
        }
        nbstage_status status = prune_make_fates(context, map, pruning);
        if (status != NBSTAGE_OK)
            return status;
        pruning->fates[i] = NBSTAGE_LEFT_OUT_TAGGED;
        count++;
    }
    if (user == map->line_count || count == 0)
        return NBSTAGE_OK;
    context_log(context, NBSTAGE_LOG_WARNING, NULL,
                "linedef %zu has a special and tag 999, so the tag is in use; "
                "%zu linedefs that have it stay in the blockmap",
                user, count);
    prune_free(context, pruning);
    return NBSTAGE_OK;
}
