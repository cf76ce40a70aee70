// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every row's lists are built in a buffer of the row's size, which stays in
// cache; lists not seen before are appended to the others.
//
// To know quickly whether a list has been seen, each line has a fixed
// pseudo-random 64-bit signature, and a block's signature is the sum of its
// lines'.  A run adds to all blocks of its stretch, which is one addition
// where it begins and one subtraction behind its end; running sums along the
// row then give every block's length and signature.  Equal signatures only
// nominate: lists are shared after a comparison of their words.

#include "lists.h"

#include <string.h>

// Scratch for one row.  The arrays have one element a column, and one more
// for what ends behind the last column.
struct row {
    size_t columns;
    size_t *length;      // of each block's list; differences at first
    uint64_t *signature; // of each block's list; differences at first
    size_t *next;        // where the next linedef of each block goes
    uint32_t *linedefs;  // the row's lists, one behind the other
};

// Lists already seen, by signature.  Open addressing with linear probing.
struct seen {
    uint64_t *signature; // of each list
    uint32_t *slots;     // list number + 1; 0 is free
    size_t slot_count;   // a power of two, more than twice the lists
};

// The finaliser of Vigna's SplitMix64: spreads a number over 64 bits, so that
// different sets of lines hardly ever have equal sums.
static inline uint64_t line_signature(uint32_t line)
{
    uint64_t z = (line + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline uint32_t column_of(int32_t x, const struct grid *grid)
{
    return (uint32_t)(x - grid->origin_x) >> BLOCK_SHIFT;
}

// The touches of all rows, and of the row that has most.
static void count_touches(const struct grid *grid, const struct sweep *sweep,
                          uint64_t *all, uint64_t *largest_row)
{
    *all = 0;
    *largest_row = 0;
    for (size_t r = 0; r < sweep->row_count; r++) {
        uint64_t in_row = 0;
        for (size_t i = sweep->row_start[r]; i < sweep->row_start[r + 1]; i++)
            in_row += column_of(sweep->runs[i].last_x, grid) -
                      column_of(sweep->runs[i].first_x, grid) + 1;
        *all += in_row;
        *largest_row = in_row > *largest_row ? in_row : *largest_row;
    }
}

static void free_row(struct context *context, struct row *row)
{
    context_release(context, row->length);
    context_release(context, row->signature);
    context_release(context, row->next);
    context_release(context, row->linedefs);
}

static enum status allocate_row(struct context *context, size_t columns,
                                uint64_t touches, struct row *row)
{
    *row = (struct row){.columns = columns};
    enum status status = context_allocate(context, columns + 1,
                                          sizeof *row->length, &row->length);
    if (status == STATUS_OK)
        status = context_allocate(context, columns + 1, sizeof *row->signature,
                                  &row->signature);
    if (status == STATUS_OK)
        status = context_allocate(context, columns + 1, sizeof *row->next,
                                  &row->next);
    if (status == STATUS_OK)
        status = context_allocate(context, context_count(touches),
                                  sizeof *row->linedefs, &row->linedefs);
    if (status != STATUS_OK)
        free_row(context, row);
    return status;
}

static void free_seen(struct context *context, struct seen *seen)
{
    context_release(context, seen->signature);
    context_release(context, seen->slots);
}

static enum status allocate_seen(struct context *context, size_t block_count,
                                 struct seen *seen)
{
    *seen = (struct seen){.slot_count = 4};
    while (seen->slot_count < 2 * block_count)
        seen->slot_count *= 2;
    enum status status = context_allocate(
        context, block_count, sizeof *seen->signature, &seen->signature);
    if (status == STATUS_OK)
        status = context_allocate_zeroed(context, seen->slot_count,
                                         sizeof *seen->slots, &seen->slots);
    if (status != STATUS_OK)
        free_seen(context, seen);
    return status;
}

// Lengths, signatures and starts of the row's lists from its runs.
static void measure_row(const struct grid *grid, const struct run *runs,
                        size_t run_count, struct row *row)
{
    memset(row->length, 0, (row->columns + 1) * sizeof *row->length);
    memset(row->signature, 0, (row->columns + 1) * sizeof *row->signature);
    for (size_t i = 0; i < run_count; i++) {
        uint32_t first = column_of(runs[i].first_x, grid);
        uint32_t behind = column_of(runs[i].last_x, grid) + 1;
        uint64_t signature = line_signature(runs[i].line);
        row->length[first]++;
        row->length[behind]--;
        row->signature[first] += signature;
        row->signature[behind] -= signature;
    }
    size_t start = 0;
    for (size_t c = 0; c < row->columns; c++) {
        if (c > 0) {
            row->length[c] += row->length[c - 1];
            row->signature[c] += row->signature[c - 1];
        }
        row->next[c] = start;
        start += row->length[c];
    }
}

// Writes the row's lists; afterwards `next` is where each list ends.
static void fill_row(const struct grid *grid, const struct run *runs,
                     size_t run_count, struct row *row)
{
    for (size_t i = 0; i < run_count; i++) {
        uint32_t last = column_of(runs[i].last_x, grid);
        for (uint32_t c = column_of(runs[i].first_x, grid); c <= last; c++)
            row->linedefs[row->next[c]++] = runs[i].line;
    }
}

static bool list_equals(const struct lists *lists, size_t list,
                        const uint32_t *linedefs, size_t length)
{
    return lists_length(lists, list) == length &&
           (length == 0 || memcmp(lists->linedefs + lists->start[list],
                                  linedefs, length * sizeof *linedefs) == 0);
}

// The number of the list, which is appended if it is new.
static uint32_t find_or_add(struct lists *lists, struct seen *seen,
                            uint64_t signature, const uint32_t *linedefs,
                            size_t length)
{
    size_t slot = signature & (seen->slot_count - 1);
    for (; seen->slots[slot]; slot = (slot + 1) & (seen->slot_count - 1)) {
        uint32_t list = seen->slots[slot] - 1;
        if (seen->signature[list] == signature &&
            list_equals(lists, list, linedefs, length))
            return list;
    }
    uint32_t list = (uint32_t)lists->list_count++;
    size_t start = lists->start[list];
    if (length > 0)
        memcpy(lists->linedefs + start, linedefs, length * sizeof *linedefs);
    lists->start[list + 1] = start + length;
    seen->signature[list] = signature;
    seen->slots[slot] = list + 1;
    return list;
}

static void add_row(const struct grid *grid, const struct run *runs,
                    size_t run_count, uint32_t *list_of_block, struct row *row,
                    struct seen *seen, struct lists *lists)
{
    measure_row(grid, runs, run_count, row);
    fill_row(grid, runs, run_count, row);
    for (size_t c = 0; c < row->columns; c++)
        list_of_block[c] = find_or_add(
            lists, seen, row->signature[c],
            row->linedefs + (row->next[c] - row->length[c]), row->length[c]);
}

static enum status allocate_lists(struct context *context, size_t block_count,
                                  uint64_t touches, struct lists *lists)
{
    *lists = (struct lists){.block_count = block_count, .touch_count = touches};
    enum status status =
        context_allocate(context, block_count, sizeof *lists->list_of_block,
                         &lists->list_of_block);
    if (status == STATUS_OK)
        status = context_allocate(context, block_count + 1,
                                  sizeof *lists->start, &lists->start);
    if (status == STATUS_OK)
        status = context_allocate(context, context_count(touches),
                                  sizeof *lists->linedefs, &lists->linedefs);
    if (status == STATUS_OK)
        lists->start[0] = 0;
    else
        lists_free(context, lists);
    return status;
}

static enum status add_rows(struct context *context, const struct grid *grid,
                            const struct sweep *sweep, struct row *row,
                            struct seen *seen, struct lists *lists)
{
    for (size_t r = 0; r < sweep->row_count; r++) {
        size_t start = sweep->row_start[r];
        add_row(grid, sweep->runs + start, sweep->row_start[r + 1] - start,
                lists->list_of_block + r * grid->columns, row, seen, lists);
        enum status status = context_progress(context, r + 1, sweep->row_count);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status lists_build(struct context *context, const struct grid *grid,
                        const struct sweep *sweep, struct lists *lists)
{
    uint64_t touches, largest_row;
    count_touches(grid, sweep, &touches, &largest_row);
    size_t block_count = grid_block_count(grid);
    struct row row = {0};
    struct seen seen = {0};
    enum status status = allocate_lists(context, block_count, touches, lists);
    if (status == STATUS_OK)
        status = allocate_row(context, grid->columns, largest_row, &row);
    if (status != STATUS_OK) {
        lists_free(context, lists);
        return status;
    }
    status = allocate_seen(context, block_count, &seen);
    if (status == STATUS_OK) {
        status = add_rows(context, grid, sweep, &row, &seen, lists);
        free_seen(context, &seen);
    }
    free_row(context, &row);
    if (status != STATUS_OK)
        lists_free(context, lists);
    return status;
}

void lists_free(struct context *context, struct lists *lists)
{
    context_release(context, lists->list_of_block);
    context_release(context, lists->start);
    context_release(context, lists->linedefs);
    *lists = (struct lists){0};
}
