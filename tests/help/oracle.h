// SPDX-License-Identifier: GPL-2.0-or-later
//
// The truth about BLOCKMAP lumps, found by brute force: which lines touch
// which blocks, and what a lump in the classic form says about it.  Slow,
// plain, and without a line of code in common with the stage.

#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

// Where faults are told, a sentence each.
struct oracle_report {
    FILE *file;         // NULL: they are only counted
    const char *map;    // what a sentence begins with
    size_t fault_count; // 0 to begin with
};

// Whether any point of a line, its ends included, lies in the block
// [x0, x0 + 128) x [y0, y0 + 128) at a column and row of the grid.
bool oracle_is_in_block(const struct oracle_line *line,
                        const struct oracle_grid *grid, uint32_t column,
                        uint32_t row);

// Whether all of the lines lie in the blocks of the grid.
bool oracle_encloses(const struct oracle_grid *grid,
                     const struct oracle_line *lines, size_t line_count);

// Tries every line against every block of its bounding box.  The grid must
// enclose the lines.
struct oracle_entry_list oracle_find_entries(const struct oracle_grid *grid,
                                             const struct oracle_line *lines,
                                             size_t line_count);

// Words of a lump with a list for every block, and of one that stores equal
// lists once; every list has a leading 0 and an end.
size_t oracle_words_unshared(const struct oracle_grid *grid,
                             const struct oracle_entry_list *entries);
size_t oracle_words_shared(const struct oracle_grid *grid,
                           const struct oracle_entry_list *entries);

// Reads the header of a lump; false if it is too short for its table.
bool oracle_read_grid(const unsigned char *bytes, size_t size,
                      struct oracle_grid *grid);

// Reads a classic lump.  Faults: a lump too short or too long, an offset of
// 0xFFFF or outside the lists, a list that has no end, that does not begin
// with 0, that is not ascending.
struct oracle_entry_list oracle_read_lump(const unsigned char *bytes,
                                          size_t size,
                                          struct oracle_report *report);

// Compares what was found with the truth.  Faults: every line that is missing
// in a block, every line that is too many.
void oracle_compare(const struct oracle_grid *grid,
                    const struct oracle_entry_list *truth,
                    const struct oracle_entry_list *found,
                    struct oracle_report *report);

// Reads a classic lump of these lines and fails the test unless every block has
// the lines that touch it, but for those of `left_out`, which may be NULL.
// Returns how many entries that are.
size_t oracle_check_lump(const char *name, const unsigned char *bytes,
                         size_t size, const struct oracle_line *lines,
                         size_t line_count, const bool *left_out);

// Adds a fact at the end.
void oracle_add_entry(struct oracle_entry_list *entries, uint32_t block,
                      uint32_t line);

void oracle_free_entries(struct oracle_entry_list *entries);

#endif
