// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lines that take part, and their coordinates.

#ifndef LINES_H
#define LINES_H

#include "base/context.h"
#include "map/map.h"
#include "map/nodes.h"
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
    size_t count; // of those that take part

    // Their linedef numbers, ascending; NULL if all of the map take part.
    uint32_t *number;

    struct line_group *groups; // in linedef order

    // What the lines of the map span, in whole map units rounded down.  This
    // includes lines that do not take part: things can be anywhere in the map.
    int32_t min_x, min_y;
    int32_t max_x, max_y;

    struct lines_mark mark; // that was looked for
};

// Gathers the lines of a map, and looks for a mark unless it is NULL.  Vertices
// beyond the map's own are from `nodes`, which are read if a vertex is missing
// and they were not. NBSTAGE_BAD_MAP: a line refers to a vertex that neither
// has.
nbstage_status lines_gather(struct context *context, struct map *map,
                            struct nodes *nodes, const struct lines_mark *mark,
                            struct lines *lines);

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

static inline struct fixed_line line_group_at(const struct line_group *group,
                                              size_t i)
{
    return (struct fixed_line){group->x1[i], group->y1[i], group->x2[i],
                               group->y2[i]};
}

static inline struct fixed_line lines_fixed_at(const struct lines *lines,
                                               size_t line)
{
    return line_group_at(&lines->groups[line / LINES_GROUP],
                         line % LINES_GROUP);
}

// Leaves out line i if left_out[i] is not 0.  Call this once at most.
nbstage_status lines_leave_out(struct context *context, const uint8_t *left_out,
                               struct lines *lines);

// The highest linedef number that takes part, plus 1; 0 if none takes part.
// `number` and `count` are those of struct lines.
static inline size_t lines_number_end(const uint32_t *number, size_t count)
{
    return count == 0 || !number ? count : (size_t)number[count - 1] + 1;
}

// Widens what the lines span to all of the map's own vertices, as DoomBSP did
// for its grids.
void lines_span_vertices(const struct map *map, struct lines *lines);

// Frees the coordinates; all else stays.
void lines_free_coordinates(struct context *context, struct lines *lines);

// Frees the coordinates and the linedef numbers.
void lines_free(struct context *context, struct lines *lines);

#endif
