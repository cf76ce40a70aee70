// SPDX-License-Identifier: GPL-2.0-or-later
//
// The truth about BLOCKMAP lumps, found by brute force: which lines touch
// which blocks.  Slow, plain, and without a line of code in common with the
// stage.

#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A line; coordinates are 16.16.
struct oracle_line {
    int32_t x1, y1; // start
    int32_t x2, y2; // end
};

// A grid of blocks; its south-west corner is in whole map units.
struct oracle_grid {
    int32_t origin_x, origin_y;
    uint32_t columns, rows;
};

// That a line touches a block.  Blocks go east first, then north.
struct oracle_entry {
    uint32_t block;
    uint32_t line;
};

// Facts, by block and then by line.
struct oracle_entry_list {
    struct oracle_entry *entry;
    size_t count;
    size_t capacity;
};

// Whether any point of a line, its ends included, lies in the block
// [x0, x0 + 128) x [y0, y0 + 128) at a column and row, which the grid need not
// have.
bool oracle_is_in_block(const struct oracle_line *line,
                        const struct oracle_grid *grid, int64_t column,
                        int64_t row);

// Whether all of the lines lie in the blocks of the grid.
bool oracle_encloses(const struct oracle_grid *grid,
                     const struct oracle_line *lines, size_t line_count);

// Tries every line against every block of its bounding box.  The grid must
// enclose the lines.
struct oracle_entry_list oracle_find_entries(const struct oracle_grid *grid,
                                             const struct oracle_line *lines,
                                             size_t line_count);

// The blocks of a line's bounding box, which that tries for one line.
uint64_t oracle_box_size(const struct oracle_grid *grid,
                         const struct oracle_line *line);

// Tries a line, and adds its entries; returns how many of its blocks the grid
// does not have.
size_t oracle_add_line(const struct oracle_grid *grid,
                       const struct oracle_line *line, uint32_t number,
                       struct oracle_entry_list *entries);

// For qsort and bsearch: by block, then by line.
int oracle_compare_entries(const void *left, const void *right);

void oracle_sort_entries(struct oracle_entry_list *entries);

// Adds an entry at the end.
void oracle_add_entry(struct oracle_entry_list *entries, uint32_t block,
                      uint32_t line);

void oracle_free_entries(struct oracle_entry_list *entries);

#endif
