// SPDX-License-Identifier: GPL-2.0-or-later
//
// The coordinates of a map's lines.

#ifndef LINES_H
#define LINES_H

#include "base/context.h"
#include "map/map.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINES_NO_MARK = 1 << 16 }; // equals no two bytes

// Two bytes of each linedef are compared with `bits`.  If none is equal, no
// linedef is to be pruned.  This is done while lines are gathered, because they
// are in the cache then.
struct lines_mark {
    ptrdiff_t offset; // of the two bytes, from the numbers of the vertices
    uint32_t bits;    // or LINES_NO_MARK
    bool is_seen;     // whether some linedef may have to be pruned
};

struct fixed_line { // 16.16
    int32_t x1, y1; // start
    int32_t x2, y2; // end
};

// So many lines, in the form that suits vector code.
enum { LINES_GROUP = 256 };

struct line_group {
    int32_t x1[LINES_GROUP], y1[LINES_GROUP];
    int32_t x2[LINES_GROUP], y2[LINES_GROUP];
};

struct lines {
    struct line_group *groups; // in linedef order
    size_t count;

    // Not 0 for each line that has no entries; NULL if all have some.
    const uint8_t *left_out;

    // What all lines span, in whole map units rounded down, as things can be
    // anywhere in the map.
    int32_t min_x, min_y;
    int32_t max_x, max_y;

    struct lines_mark mark; // that was looked for
};

// Gathers the lines of a map, and looks for a mark unless it is NULL.  If a
// vertex is missing, those that the nodes add are read.
// NBSTAGE_BAD_MAP: a line refers to a vertex that does not exist.
nbstage_status lines_gather(struct context *context, struct map *map,
                            const struct lines_mark *mark, struct lines *lines);

static inline size_t lines_group_count(size_t line_count)
{
    return (line_count + LINES_GROUP - 1) / LINES_GROUP;
}

// The last group may be smaller.
static inline size_t lines_group_size(size_t line_count, size_t group)
{
    const size_t left = line_count - group * LINES_GROUP;
    return left < LINES_GROUP ? left : LINES_GROUP;
}

static inline struct fixed_line lines_fixed_at(const struct lines *lines,
                                               size_t line)
{
    const struct line_group *group = &lines->groups[line / LINES_GROUP];
    const size_t i = line % LINES_GROUP;
    return (struct fixed_line){group->x1[i], group->y1[i], group->x2[i],
                               group->y2[i]};
}

static inline bool lines_leave_out(const struct lines *lines, size_t line)
{
    return lines->left_out && lines->left_out[line];
}

// One more than the highest line with entries.
static inline size_t lines_end(const struct lines *lines)
{
    size_t end = lines->count;
    while (end > 0 && lines_leave_out(lines, end - 1))
        end--;
    return end;
}

// Widens what the lines span to all of the map's own vertices, as DoomBSP did
// for its grids.
void lines_span_vertices(const struct map *map, struct lines *lines);

void lines_free(struct context *context, struct lines *lines);

#endif
