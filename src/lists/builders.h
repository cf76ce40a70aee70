// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lists that engines and node builders make by themselves, with their
// faults.  All of them work in whole map units, rounded down.  Each builder is
// a file: where its grid lies, which blocks it walks for a line, and what it
// does with the lists.

#ifndef BUILDERS_H
#define BUILDERS_H

#include "lists/lists.h"

enum builder_name {
    BUILDER_BOOM,
    BUILDER_MBF,
    BUILDER_ZDBSP,
    BUILDER_GLBSP,
    BUILDER_COUNT,
};

// Makes the grid and the lists that a builder makes of a map, in ascending
// order.  All of the map's lines must take part.  The coordinates of the lines
// are used up.  With `repeats` lists have a line twice where the builder's do.
// NBSTAGE_BAD_MAP: the builder finds no grid, or would never end.
// NBSTAGE_OVER_LIMIT: more blocks or entries than the context's limits.
nbstage_status builder_make_lists(struct context *context,
                                  enum builder_name name, bool repeats,
                                  const struct map *map, struct lines *lines,
                                  struct grid *grid, struct lists *lists);

// Whether linedefs descend in the builder's lists.
static inline bool builder_descends(enum builder_name name)
{
    return name == BUILDER_BOOM || name == BUILDER_MBF;
}

// ---------------------------------------------------------------------------
// For the builders

// A line in whole map units from the origin of the grid.
struct walked_line {
    int32_t x1, y1;
    int32_t x2, y2;
    // From end to end, as engines have it: of 16 bits, after it wrapped around.
    int32_t dx, dy;
};

// The blocks of all lines, counted by line and then stored.
struct walk {
    const struct grid *grid;
    struct entries entries;
    size_t *next;   // for entries_place
    uint32_t *seen; // for each block the last line in it, and 1
    uint32_t line;
    size_t repeat_count;
    bool repeats;    // puts lines into blocks that they are in already
    bool is_endless; // the builder would never come to the end of the line
    bool stores;
};

// Puts the line into a block.
static inline void walk_put(struct walk *walk, size_t block)
{
    if (walk->seen[block] == walk->line + 1) {
        if (!walk->repeats)
            return;
        walk->repeat_count++;
    }
    walk->seen[block] = walk->line + 1;
    if (walk->stores) {
        entries_add(&walk->entries, walk->next, (uint32_t)block, walk->line);
    } else {
        walk->next[walk->line]++;
        walk->entries.count++;
    }
}

// The same for a block by its column and row, if there is such a block.
static inline void walk_put_at(struct walk *walk, int32_t column, int32_t row)
{
    const struct grid *grid = walk->grid;
    if (column >= 0 && row >= 0 && (uint32_t)column < grid->columns &&
        (uint32_t)row < grid->rows)
        walk_put(walk, (size_t)row * grid->columns + (size_t)column);
}

struct builder {
    // Lays the grid; the lines span what they did for lines_gather.
    nbstage_status (*lay_grid)(struct context *context, const struct map *map,
                               struct lines *lines, struct grid *grid);
    void (*walk_line)(struct walk *walk, const struct walked_line *line);
    bool omits_points; // lines without length
    bool repeats;      // a list may have a line twice
    // Changes the lists in the end, or frees them on failure; may be NULL.
    nbstage_status (*finish)(struct context *context, struct lists *lists);
};

extern const struct builder builder_boom, builder_mbf, builder_zdbsp,
    builder_glbsp;

// Lays the grid as Boom and MBF do: around all vertices, used or not, but a
// vertex that is the lowest of those so far does not count as the highest, as in
// DSDA-Doom 0.25 and Woof 10; DSDA-Doom 0.29 and Woof 15 count the first one.
// NBSTAGE_BAD_MAP: no vertex counts as the highest.
nbstage_status builder_lay_engine_grid(struct context *context,
                                       const struct map *map,
                                       struct lines *lines, struct grid *grid);

// Puts lists into the order of glBSP's.  Frees them on failure.
nbstage_status glbsp_sort_lists(struct context *context, struct lists *lists);

// A line in whole map units; false if it has no length.
bool builder_line_at(const struct lines *lines, size_t line,
                     struct walked_line *walked);

#endif
