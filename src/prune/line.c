// SPDX-License-Identifier: GPL-2.0-or-later
//
// A two-sided line with one sector on both sides is free even if that sector
// moves.  PIT_CheckLine gives it the opening of the sector itself, and a box
// that touches the line has its centre in that sector, or crosses a border of
// it that blocks at least as much.  That takes the faces: the line of a
// self-referencing sector has one sector on its sides, and another around it.

#include "prune/line.h"

#include "base/context.h"
#include "lines/lines.h"
#include "map/attributes.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/faces.h"
#include "prune/games.h"
#include "prune/moving.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The height between two planes in map units, rounded up.
static uint32_t line_step(int32_t a, int32_t b)
{
    const int64_t height = a < b ? (int64_t)b - a : (int64_t)a - b;
    return (uint32_t)((height + 0xFFFF) >> 16);
}

// Whether a two-sided line blocks, or may: by a flag or field, or because a
// script can find it by its tag or id.  Sound does not use the blockmap.
static bool line_may_block(const struct attributes *attributes,
                           const struct map_line *line)
{
    const uint32_t harmless = attributes->format == NBSTAGE_FORMAT_UDMF
                                  ? MAP_LINE_TWO_SIDED | MAP_LINE_BLOCKS_SOUND
                                  : ATTRIBUTES_FLAG_TWO_SIDED |
                                        ATTRIBUTES_FLAG_BLOCKS_SOUND |
                                        ATTRIBUTES_FLAGS_HARMLESS;
    return line->flags & ~harmless ||
           (attributes->has_scripts &&
            line->tag != attributes_no_tag(attributes->format));
}

struct line_verdict line_judge(const struct attributes *attributes,
                               const bool *moves, size_t index)
{
    const struct map_line *line = &attributes->lines[index];
    const bool is_text = attributes->format == NBSTAGE_FORMAT_UDMF;
    const uint32_t two_sided =
        is_text ? MAP_LINE_TWO_SIDED : ATTRIBUTES_FLAG_TWO_SIDED;
    const struct map_sector *sectors[2] = {NULL, NULL};
    bool has_room = false, may_move = false;
    for (size_t back = 0; back < 2; back++) {
        const uint32_t sector = attributes_sector(attributes, 2 * index + back);
        if (sector == MAP_NONE)
            continue;
        sectors[back] = &attributes->sectors[sector];
        has_room |= sectors[back]->floor < sectors[back]->ceiling;
        may_move |= moves[sector];
    }
    const bool is_two_sided =
        line->flags & two_sided && sectors[0] && sectors[1];
    if (is_two_sided && sectors[0] == sectors[1])
        may_move = false;
    uint32_t step = 0;
    if (is_two_sided)
        step = line_step(sectors[0]->floor, sectors[1]->floor);
    if (is_two_sided && step == 0)
        step = line_step(sectors[0]->ceiling, sectors[1]->ceiling);
    if (!sectors[0] && !sectors[1])
        return (struct line_verdict){LINE_UNKNOWN, 0};
    if (!is_two_sided && has_room)
        return (struct line_verdict){LINE_ONE_SIDED, 0};
    if (is_two_sided && line_may_block(attributes, line))
        return (struct line_verdict){LINE_IMPASSABLE, 0};
    if (line->special != 0)
        return (struct line_verdict){LINE_SPECIAL, line->special};
    if (step != 0)
        return (struct line_verdict){LINE_STEP, step};
    return (struct line_verdict){may_move ? LINE_MOVES : LINE_FREE, 0};
}

struct line_search {
    struct context *context;
    struct attributes attributes;
    struct faces faces;
    bool *moves;    // the sectors that may move
    bool *is_asked; // the sectors whose faces are needed
};

// Judges each line by itself.  Returns whether some line is still free, so that
// its faces are needed.
static bool line_judge_each(struct line_search *search, size_t count,
                            struct line_verdict *verdicts)
{
    bool is_needed = false;
    for (size_t s = 0; s < 2 * count; s++) {
        const uint32_t sector = attributes_sector(&search->attributes, s);
        if (s % 2 == 0)
            verdicts[s / 2] =
                line_judge(&search->attributes, search->moves, s / 2);
        if (verdicts[s / 2].reason == LINE_FREE && sector != MAP_NONE)
            search->is_asked[sector] = is_needed = true;
    }
    return is_needed;
}

// Judges free lines by their faces.  A dangling line, often a trigger, has the
// same face on both sides.  The face fails to agree only if the line shows
// another sector there.  The back of a one-sided line is outside the map and
// has no face.
static void line_judge_faces(const struct line_search *search, size_t count,
                             struct line_verdict *verdicts)
{
    const struct faces *faces = &search->faces;
    for (size_t s = 0; s < 2 * count; s++)
        if (verdicts[s / 2].reason == LINE_FREE &&
            attributes_sector(&search->attributes, s) != MAP_NONE &&
            !faces_agree(faces, s))
            verdicts[s / 2].reason =
                faces->is_early ? LINE_UNKNOWN : LINE_SELF_REFERENCING;
}

static nbstage_status line_search_all(struct line_search *search,
                                      struct map *map,
                                      const struct lines *lines, game_set named,
                                      struct line_verdict **verdicts)
{
    struct context *context = search->context;
    const struct attributes *attributes = &search->attributes;
    const size_t count = map->line_count;
    bool are_complete;
    NEED(attributes_read(context, map, NBSTAGE_LOG_INFO,
                         "doubtful lines count as solid", &search->attributes,
                         &are_complete));
    NEED(context_progress(context, 0, 1));
    NEED(context_allocate(context, count, sizeof **verdicts, verdicts));
    NEED(moving_find(context, attributes, games_find(attributes, named),
                     &search->moves));
    NEED(context_allocate_zeroed(context, attributes->sector_count,
                                 sizeof *search->is_asked, &search->is_asked));
    if (!line_judge_each(search, count, *verdicts))
        return NBSTAGE_OK;
    const struct faces_request request = {.lines = lines,
                                          .attributes = attributes,
                                          .is_asked = search->is_asked,
                                          .allows_dangling = true};
    NEED(faces_find(context, &request, &search->faces));
    line_judge_faces(search, count, *verdicts);
    return NBSTAGE_OK;
}

nbstage_status line_judge_all(struct context *context, struct map *map,
                              const struct lines *lines, game_set named,
                              struct line_verdict **verdicts)
{
    struct line_search search = {.context = context};
    *verdicts = NULL;
    nbstage_status status =
        line_search_all(&search, map, lines, named, verdicts);
    context_release(context, search.moves);
    context_release(context, search.is_asked);
    faces_free(context, &search.faces);
    attributes_free(context, &search.attributes);
    return status;
}

void line_describe(struct line_verdict verdict, char text[LINE_TEXT])
{
    static const char *const reasons[] = {
        [LINE_FREE] = "",
        [LINE_ONE_SIDED] = "one-sided",
        [LINE_IMPASSABLE] = "impassable",
        [LINE_SPECIAL] = "special",
        [LINE_STEP] = "a step of",
        [LINE_MOVES] = "its sector may move",
        [LINE_SELF_REFERENCING] = "self-referencing",
        [LINE_UNKNOWN] = "its sectors are not known",
    };
    if (verdict.reason == LINE_SPECIAL || verdict.reason == LINE_STEP)
        snprintf(text, LINE_TEXT, "%s %lu", reasons[verdict.reason],
                 (unsigned long)verdict.number);
    else
        snprintf(text, LINE_TEXT, "%s", reasons[verdict.reason]);
}
