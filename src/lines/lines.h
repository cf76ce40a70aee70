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

enum { LINES_NO_MARK = 1 << 16 }; // matches no 16-bit value

// The pruning tag.  lines_gather tests each record for it while the record is
// cached.
struct lines_mark {
    ptrdiff_t offset; // bytes from v1 to the 16-bit tag
    uint32_t bits;    // of the tag, or LINES_NO_MARK
    bool is_seen;     // some linedef matches, or none was tested
};

struct fixed_line { // 16.16
    int32_t x1, y1; // start
    int32_t x2, y2; // end
};

enum { LINES_GROUP = 256 }; // lines per group

struct lines {
    struct map_vertex *start, *end; // of each line
    size_t count;

    // Nonzero: the line is left out of the lists; NULL: none is.
    const uint8_t *left_out;

    // Bounding box of all lines, pruned ones included, in whole map units,
    // rounded down.
    int32_t min_x, min_y;
    int32_t max_x, max_y;

    struct lines_mark mark; // the mark that was tested
};

// Gathers the lines of a map; free them with lines_free, even on failure.
// Tests them for a mark unless it is NULL.  If a vertex number is out of range,
// reads the vertices that the node builder added.
// NBSTAGE_BAD_MAP: a line refers to a vertex that does not exist.
nbstage_status lines_gather(struct context *context, struct map *map,
                            const struct lines_mark *mark, struct lines *lines);

static inline size_t lines_group_count(size_t line_count)
{
    return (line_count + LINES_GROUP - 1) / LINES_GROUP;
}

// The end of a group.  The last group may be smaller.
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

// Grows the bounding box to all original vertices, as DoomBSP did for its
// grids.
void lines_span_vertices(const struct map *map, struct lines *lines);

void lines_free(struct context *context, struct lines *lines);

// ---------------------------------------------------------------------------
// The grid

enum {
    BLOCK_SHIFT = 7,
    BLOCK_SIZE = 1 << BLOCK_SHIFT, // map units

    // The most columns, or rows, in 16-bit coordinates.
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
    GRID_ID,     // origin 8 units south-west of the bounding box, as DoomBSP;
                 // see lines_span_vertices
    GRID_SEARCH, // the origin that the search finds, see search.h
    GRID_AT,     // origin at a given place
};

// The column or row of a 16.16 coordinate, which must be at or past the origin.
static inline uint32_t grid_index(int32_t at, int32_t origin)
{
    return ((uint32_t)at - ((uint32_t)origin << 16)) >> (16 + BLOCK_SHIFT);
}

// The same for any coordinate, clamped to 0 .. count - 1.
static inline size_t grid_nearest(int64_t at, int32_t origin, uint32_t count)
{
    const int64_t index = ((at >> 16) - origin) >> BLOCK_SHIFT;
    return index < 0 ? 0 : index < count ? (size_t)index : count - 1;
}

static inline size_t grid_block_count(const struct grid *grid)
{
    return (size_t)grid->columns * grid->rows;
}

// The grid from x, y to `margin` units beyond the north-east corner of the
// bounding box; undefined if x or y is above that corner.
struct grid grid_from(int32_t x, int32_t y, const struct lines *lines,
                      int32_t margin);

// The smallest grid that encloses the lines.  Its origin is at their lowest
// coordinates.
struct grid grid_fit(const struct lines *lines);

// What lines do not do if they are too far from the grid's origin.  Engines
// subtract the origin from a coordinate in 16.16, and the sum overflows at the
// end of their reach.  A thing overlaps it 16 units earlier, the radius of a
// player, and a trace 2,048 units earlier, the range of a shot.
enum grid_loss {
    GRID_HOLDS,
    GRID_MAY_PASS_SHOTS,
    GRID_MAY_PASS_ALL, // walls may not block
    GRID_LOSS_COUNT,
};

enum {
    // The reach of engines that has an end, in columns and rows.
    GRID_REACH = 256,
    GRID_LONG_REACH = 512,
};

// The distance from which on, in map units, lines may have a loss other than
// GRID_HOLDS in engines with this reach.  They hold at the distance itself.
int32_t grid_loss_begins(enum grid_loss loss, uint32_t reach);

// The loss of lines at this distance; a reach of 0 has no end.
enum grid_loss grid_find_loss(int32_t distance, uint32_t reach);

// The lowest origin on an axis that loses nothing, in any engine, that the
// lowest coordinate as the origin does not.
int32_t grid_lowest_origin(int32_t lowest, int32_t highest);

// How far the lines' highest coordinates are from the origin, on the axis where
// that is farther.
int32_t grid_distance(const struct grid *grid, int32_t highest_x,
                      int32_t highest_y);

// Chooses the grid.  With GRID_AT, *grid holds the origin in whole map units of
// 16 bits.  GRID_SEARCH is the same as GRID_FIT here; see search.h.  `present`
// is the grid of the map's own lump, or NULL if no lump can be read.
// *placement becomes the choice: GRID_KEEP, GRID_FIT, GRID_ID or GRID_AT.
// NBSTAGE_BAD_MAP: GRID_AT leaves a line outside.
// NBSTAGE_OVER_LIMIT: the grid has more blocks than the context's limit.
nbstage_status grid_choose(struct context *context, const struct lines *lines,
                           const struct grid *present,
                           enum grid_placement *placement, struct grid *grid);

// ---------------------------------------------------------------------------
// The sweep

// A line covers one contiguous part of a row, from its western end in the map
// unit first_x to its eastern end in last_x.  So the run is in the columns
// (first_x - origin_x) / BLOCK_SIZE to (last_x - origin_x) / BLOCK_SIZE.  Runs
// depend on where rows begin, not on where columns do.
struct run {
    uint16_t row;
    int16_t first_x, last_x;
};

enum { SWEEP_MAX_RUNS = GRID_MAX_SIDE }; // of one line

// Finds the runs of a line, row by row northward.  The first row of the grid
// begins at origin_y, which must not be above the line.  Returns the number of
// runs, 1 to SWEEP_MAX_RUNS.
size_t sweep_line(struct fixed_line line, int32_t origin_y,
                  struct run runs[SWEEP_MAX_RUNS]);

// ---------------------------------------------------------------------------
// The entries

// Lines are in groups, so that an entry fits 32 bits: the high bits are the
// line within its group, the low bits the number of the block.
enum { ENTRY_BLOCK_BITS = 24 };

_Static_assert(GRID_MAX_SIDE *GRID_MAX_SIDE <= 1 << ENTRY_BLOCK_BITS &&
                   LINES_GROUP == 1 << (32 - ENTRY_BLOCK_BITS),
               "an entry can hold every block and place in a group");

struct entries {
    uint32_t *entry; // in linedef order
    size_t count;
    size_t capacity; // for entries_find

    size_t *group_ends; // index in `entry` of each group's end
    size_t group_count;
    size_t linedef_end; // exclusive upper bound of linedefs
};

static inline uint32_t entry_block(uint32_t entry)
{
    return entry & ((1U << ENTRY_BLOCK_BITS) - 1);
}

static inline uint32_t entry_line_in_group(uint32_t entry)
{
    return entry >> ENTRY_BLOCK_BITS;
}

// Finds all entries; free them with entries_free, even on failure.  The grid
// must enclose the lines.
// NBSTAGE_OVER_LIMIT: there are more than the context's limit.
nbstage_status entries_find(struct context *context, const struct lines *lines,
                            const struct grid *grid, struct entries *entries);

// Makes entries of unsorted pairs; free them with entries_free, even on
// failure.  A pair has the linedef in the upper 32 bits, the block in the
// lower.
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
