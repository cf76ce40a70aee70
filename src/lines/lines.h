// SPDX-License-Identifier: GPL-2.0-or-later
//
// From a map's lines to entries: the coordinates of the lines, the grid of
// blocks, the part of each row that a line covers, and which lines are in which
// blocks.

#ifndef LINES_H
#define LINES_H

#include "base/context.h"
#include "map/map.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINES_NO_MARK = 1 << 16 }; // equals no two bytes

// Two bytes of each linedef are compared with `bits`, a tag that linedefs to be
// pruned have.  This is done while lines are gathered, because they are in the
// cache then.
struct lines_mark {
    ptrdiff_t offset; // of the two bytes, from the numbers of the vertices
    uint32_t bits;    // or LINES_NO_MARK
    bool is_seen;     // whether some linedef has it, or none was looked at
};

struct fixed_line { // 16.16
    int32_t x1, y1; // start
    int32_t x2, y2; // end
};

enum { LINES_GROUP = 256 }; // lines that are handled at once

struct lines {
    struct map_vertex *start, *end; // of each line
    size_t count;

    // Not 0 for each line that has no entries; NULL if all have some.
    const uint8_t *left_out;

    // What all lines span, also those left out, as things can be anywhere in
    // the map: in whole map units, rounded down.
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

// Where a group ends.  The last one may be smaller.
static inline size_t lines_group_end(size_t line_count, size_t group)
{
    const size_t end = (group + 1) * LINES_GROUP;
    return end < line_count ? end : line_count;
}

static inline struct fixed_line lines_fixed_at(const struct lines *lines,
                                               size_t line)
{
    const struct map_vertex start = lines->start[line], end = lines->end[line];
    return (struct fixed_line){start.x, start.y, end.x, end.y};
}

static inline bool lines_leave_out(const struct lines *lines, size_t line)
{
    return lines->left_out && lines->left_out[line];
}

// One more than the highest line with entries.
static inline size_t lines_linedef_end(const struct lines *lines)
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

// ---------------------------------------------------------------------------
// The grid

enum {
    BLOCK_SHIFT = 7,
    BLOCK_SIZE = 1 << BLOCK_SHIFT, // map units

    // Columns, and rows, that coordinates of 16 bits can fill.
    GRID_MAX_SIDE = 512,
};

struct grid {
    // The south-west corner of block 0, whole map units.
    int32_t origin_x, origin_y;
    uint32_t columns, rows; // blocks, 1 to GRID_MAX_SIDE if chosen for lines
};

enum grid_placement {
    GRID_AUTO,   // the default: keep if the present grid fits the map, else fit
    GRID_KEEP,   // the grid of the lump that the map has now
    GRID_FIT,    // origin at the lowest coordinates
    GRID_ID,     // 8 units south-west of what the lines span, as DoomBSP; see
                 // lines_span_vertices
    GRID_SEARCH, // the origin that the search finds, see search.h
    GRID_AT,     // origin at a given place
};

// The column or row of a coordinate in 16.16 that is not before the origin.
static inline uint32_t grid_index(int32_t at, int32_t origin)
{
    return ((uint32_t)at - ((uint32_t)origin << 16)) >> (16 + BLOCK_SHIFT);
}

// The same for any coordinate: the nearest of so many columns or rows.
static inline size_t grid_nearest(int64_t at, int32_t origin, uint32_t count)
{
    const int64_t index = ((at >> 16) - origin) >> BLOCK_SHIFT;
    return index < 0 ? 0 : index < count ? (size_t)index : count - 1;
}

static inline size_t grid_block_count(const struct grid *grid)
{
    return (size_t)grid->columns * grid->rows;
}

// The grid from x, y to so many units beyond the lines' highest coordinates;
// it means nothing if x or y is above these.
struct grid grid_from(int32_t x, int32_t y, const struct lines *lines,
                      int32_t margin);

// The grid from the lines' lowest coordinates.  None that encloses the lines
// has fewer blocks.
struct grid grid_fit(const struct lines *lines);

// Chooses the grid.  For GRID_AT it has the origin, whole map units in 16 bits.
// GRID_SEARCH is the same as GRID_FIT here; see search.h.  `present` is the
// grid of the map's own lump, or NULL if no lump can be read.  *placement
// becomes the choice: GRID_KEEP, GRID_FIT, GRID_ID or GRID_AT.
// NBSTAGE_BAD_MAP: GRID_AT leaves a line outside.
// NBSTAGE_OVER_LIMIT: the grid has more blocks than the context's limit.
nbstage_status grid_choose(struct context *context, const struct lines *lines,
                           const struct grid *present,
                           enum grid_placement *placement, struct grid *grid);

// ---------------------------------------------------------------------------
// The sweep

// A line covers one contiguous part of a row, from its western end in the map
// unit first_x to its eastern end in last_x.  So it is in the columns
// (first_x - origin_x) / BLOCK_SIZE to (last_x - origin_x) / BLOCK_SIZE.  Runs
// depend on where rows begin, not on where columns do.
struct run {
    uint16_t row;
    int16_t first_x, last_x;
};

enum { SWEEP_MAX_RUNS = GRID_MAX_SIDE }; // of one line

// Finds the runs of a line, row by row northward.  The first row of the grid
// begins at origin_y, which must not be above the line.  Returns how many runs
// there are, 1 to SWEEP_MAX_RUNS.
size_t sweep_line(struct fixed_line line, int32_t origin_y,
                  struct run runs[SWEEP_MAX_RUNS]);

// ---------------------------------------------------------------------------
// The entries

// Lines are in groups, so that an entry needs only 32 bits: the line's place in
// its group of LINES_GROUP above, and the number of the block below.
enum { ENTRY_BLOCK_BITS = 24 };

_Static_assert(GRID_MAX_SIDE *GRID_MAX_SIDE <= 1 << ENTRY_BLOCK_BITS &&
                   LINES_GROUP == 1 << (32 - ENTRY_BLOCK_BITS),
               "an entry can hold every block and place in a group");

struct entries {
    uint32_t *entry; // in linedef order
    size_t count;
    size_t capacity; // for entries_find

    size_t *group_ends; // where in `entry` each group ends
    size_t group_count;
    size_t linedef_end; // one more than the highest linedef there may be
};

static inline uint32_t entry_block(uint32_t entry)
{
    return entry & ((1U << ENTRY_BLOCK_BITS) - 1);
}

static inline uint32_t entry_line_in_group(uint32_t entry)
{
    return entry >> ENTRY_BLOCK_BITS;
}

// Finds all entries, for entries_free.  The grid must enclose the lines.
// NBSTAGE_OVER_LIMIT: there are more than the context's limit.
nbstage_status entries_find(struct context *context, const struct lines *lines,
                            const struct grid *grid, struct entries *entries);

// Makes entries, for entries_free, also after a failure, of pairs in any order:
// linedefs in the upper 32 bits, blocks in the lower.
nbstage_status entries_of_pairs(struct context *context, const uint64_t *pairs,
                                size_t count, size_t linedef_end,
                                struct entries *entries);

// Puts the linedefs in the order of blocks: block b has linedefs[starts[b]] to
// linedefs[starts[b + 1] - 1], ascending.  `starts` has block_count + 2 zeros,
// and `linedefs` room for all entries.
void entries_sort(const struct entries *entries, size_t block_count,
                  size_t *starts, uint32_t *linedefs);

void entries_free(struct context *context, struct entries *entries);

#endif
