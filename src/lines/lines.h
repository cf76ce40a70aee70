// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lines that take part, with their coordinates in arrays.

#ifndef LINES_H
#define LINES_H

#include "base/context.h"
#include "map/map.h"
#include "map/nodes.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct whole_line { // map units
    int16_t x1, y1; // start
    int16_t x2, y2; // end
};

// Many lines in the form that suits vector code: a word for each end, with x in
// the low half and y in the high one.  One allocation that begins with `start`.
struct whole_lines {
    uint32_t *start, *end;
};

struct fixed_line { // 16.16
    int32_t x1, y1;
    int32_t x2, y2;
};

struct lines {
    size_t count; // of those that take part

    // Their linedef numbers, ascending; NULL if all of the map take part.
    uint32_t *number;

    // In linedef order, in one of two forms.
    bool is_whole;            // whether no coordinate has a fraction
    struct whole_lines whole; // if so
    struct fixed_line *fixed; // if not

    // What the lines of the map span, in whole map units rounded down.  This
    // includes lines that do not take part: things can be anywhere in the map.
    int32_t min_x, min_y;
    int32_t max_x, max_y;
};

// Gathers the lines of a map, as whole lines if no coordinate has a fraction.
// Later steps handle whole lines with narrower arithmetic.  Vertices beyond
// the map's own are from `nodes`, which are read if a vertex is missing and
// they were not.
// NBSTAGE_BAD_MAP: a line refers to a vertex that neither has.
nbstage_status lines_gather(struct context *context, struct map *map,
                            struct nodes *nodes, struct lines *lines);

static inline struct whole_line whole_line_at(const struct whole_lines *whole,
                                              size_t line)
{
    uint32_t start = whole->start[line];
    uint32_t end = whole->end[line];
    return (struct whole_line){
        .x1 = (int16_t)(start & 0xFFFF),
        .y1 = (int16_t)(start >> 16),
        .x2 = (int16_t)(end & 0xFFFF),
        .y2 = (int16_t)(end >> 16),
    };
}

// The same in 16.16, whatever form the lines have.
static inline struct fixed_line lines_fixed_at(const struct lines *lines,
                                               size_t line)
{
    if (!lines->is_whole)
        return lines->fixed[line];
    struct whole_line at = whole_line_at(&lines->whole, line);
    return (struct fixed_line){at.x1 * 65536, at.y1 * 65536, at.x2 * 65536,
                               at.y2 * 65536};
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
