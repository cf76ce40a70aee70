// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line is taken from its southern end, row by row northward.  Its place in
// a row begins and ends where it crosses the row's edges:
//
//            | last_x                    first_x |
//     _______|/_________ edge     ________\______|__ edge, part of the next
//           //|                            \\    |   row
//     _____//_|_________ edge     __________\\___|__ edge, part of this row
//         /                                   \  |
//       first_x                              last_x
//
// Rows are half-open: the northern edge belongs to the next row.  So a line
// that rises to the east ends, in this row, at the largest x *below* the
// crossing with the northern edge, and one that rises to the west begins at
// the floor of the crossing, because x is above the crossing everywhere in
// the row.  On the southern edge the crossing itself is in the row.
//
// The crossing at height k above the southern end is dx * k / dy away from
// it.  Division and remainder make that exact: the quotient is the whole
// part and the remainder tells whether anything is left over.  From edge to
// edge both advance by a constant step, so a line costs two divisions however
// many rows it has, and none if it stays in one row.  Distances are unsigned
// and below 2^32, so that their products fit 64 bits even in 16.16.
//
// The runs are bucketed by row with a counting sort: lines are visited in
// order twice, first to count, then to place, so runs of a row come out in
// linedef order.

#include "sweep.h"

// The way a line takes across the edges of rows.
struct crossing {
    uint64_t whole;     // distance east or west of the start, rounded down
    uint64_t remainder; // the rest, in 1/height
    uint64_t whole_step;
    uint64_t remainder_step;
    uint64_t height; // of the line, its units
};

// n / d and n % d; whole-number coordinates never need the wide division.
static inline void divide(uint64_t n, uint64_t d, uint64_t *quotient,
                          uint64_t *remainder)
{
    if (n <= UINT32_MAX && d <= UINT32_MAX) {
        *quotient = (uint32_t)n / (uint32_t)d;
        *remainder = (uint32_t)n % (uint32_t)d;
    } else {
        *quotient = n / d;
        *remainder = n % d;
    }
}

static struct crossing crossing_at(uint64_t width, uint64_t height,
                                   uint64_t first_edge, uint64_t edge_step)
{
    struct crossing crossing = {.height = height};
    divide(width * first_edge, height, &crossing.whole, &crossing.remainder);
    divide(width * edge_step, height, &crossing.whole_step,
           &crossing.remainder_step);
    return crossing;
}

static inline void crossing_advance(struct crossing *crossing)
{
    crossing->whole += crossing->whole_step;
    crossing->remainder += crossing->remainder_step;
    if (crossing->remainder >= crossing->height) {
        crossing->remainder -= crossing->height;
        crossing->whole++;
    }
}

// A line from its southern end up.
struct climb {
    int32_t x1, y1, x2, y2; // y1 <= y2
    uint32_t first_row, last_row;
};

static inline struct climb climb_of(const struct line *line, int32_t origin_y,
                                    unsigned unit_shift)
{
    struct climb climb = {line->x1, line->y1, line->x2, line->y2, 0, 0};
    if (climb.y1 > climb.y2)
        climb = (struct climb){line->x2, line->y2, line->x1, line->y1, 0, 0};
    climb.first_row =
        (uint32_t)((climb.y1 >> unit_shift) - origin_y) >> BLOCK_SHIFT;
    climb.last_row =
        (uint32_t)((climb.y2 >> unit_shift) - origin_y) >> BLOCK_SHIFT;
    return climb;
}

// Counts the runs of each row and turns the counts into starts.  Returns the
// number of all runs.
static uint64_t count_runs(const struct lines *lines, const struct grid *grid,
                           struct sweep *sweep)
{
    // A line adds one run to every row from its first to its last: one more
    // from the first on, one less after the last.
    size_t *change = sweep->row_start + 1;
    for (size_t i = 0; i < lines->count; i++) {
        struct climb climb =
            climb_of(&lines->line[i], grid->origin_y, lines->unit_shift);
        change[climb.first_row]++;
        change[climb.last_row + 1]--;
    }
    size_t in_row = 0;
    uint64_t total = 0;
    for (size_t row = 0; row < sweep->row_count; row++) {
        in_row += change[row];
        total += in_row;
        change[row] = (size_t)total;
    }
    return total;
}

// A place for the next run of each row.
static inline void put_run(struct sweep *sweep, size_t *next, uint32_t row,
                           uint32_t line, int32_t first_x, int32_t last_x)
{
    sweep->runs[next[row]++] =
        (struct run){line, (int16_t)first_x, (int16_t)last_x};
}

// Puts the runs of a line that rises eastward, or straight up.
static void put_eastward(struct sweep *sweep, size_t *next, uint32_t line,
                         const struct climb *climb, struct crossing crossing,
                         unsigned unit_shift)
{
    int64_t first_x = climb->x1;
    for (uint32_t row = climb->first_row; row < climb->last_row; row++) {
        // Any distance at all east of the start ends below the crossing.
        int64_t below = climb->x1 + (int64_t)crossing.whole;
        if (crossing.remainder == 0 && climb->x1 != climb->x2)
            below--;
        put_run(sweep, next, row, line, (int32_t)(first_x >> unit_shift),
                (int32_t)(below >> unit_shift));
        first_x = climb->x1 + (int64_t)crossing.whole;
        crossing_advance(&crossing);
    }
    put_run(sweep, next, climb->last_row, line,
            (int32_t)(first_x >> unit_shift), climb->x2 >> unit_shift);
}

// Puts the runs of a line that rises westward.
static void put_westward(struct sweep *sweep, size_t *next, uint32_t line,
                         const struct climb *climb, struct crossing crossing,
                         unsigned unit_shift)
{
    int64_t last_x = climb->x1;
    for (uint32_t row = climb->first_row; row < climb->last_row; row++) {
        int64_t at = climb->x1 - (int64_t)crossing.whole;
        if (crossing.remainder != 0)
            at--;
        put_run(sweep, next, row, line, (int32_t)(at >> unit_shift),
                (int32_t)(last_x >> unit_shift));
        last_x = at;
        crossing_advance(&crossing);
    }
    put_run(sweep, next, climb->last_row, line, climb->x2 >> unit_shift,
            (int32_t)(last_x >> unit_shift));
}

static void put_line(struct sweep *sweep, size_t *next, uint32_t line,
                     const struct climb *climb, int32_t origin_y,
                     unsigned unit_shift)
{
    bool eastward = climb->x1 <= climb->x2;
    if (climb->first_row == climb->last_row) {
        int32_t west = eastward ? climb->x1 : climb->x2;
        int32_t east = eastward ? climb->x2 : climb->x1;
        put_run(sweep, next, climb->first_row, line, west >> unit_shift,
                east >> unit_shift);
        return;
    }
    uint32_t width = eastward ? (uint32_t)climb->x2 - (uint32_t)climb->x1
                              : (uint32_t)climb->x1 - (uint32_t)climb->x2;
    uint32_t height = (uint32_t)climb->y2 - (uint32_t)climb->y1;
    int64_t edge =
        (int64_t)origin_y + ((int64_t)(climb->first_row + 1) << BLOCK_SHIFT);
    uint64_t first_edge =
        (uint64_t)(edge * ((int64_t)1 << unit_shift) - climb->y1);
    struct crossing crossing = crossing_at(width, height, first_edge,
                                           (uint64_t)BLOCK_SIZE << unit_shift);
    if (eastward)
        put_eastward(sweep, next, line, climb, crossing, unit_shift);
    else
        put_westward(sweep, next, line, climb, crossing, unit_shift);
}

static void put_runs(const struct lines *lines, const struct grid *grid,
                     struct sweep *sweep, size_t *next)
{
    for (size_t row = 0; row < sweep->row_count; row++)
        next[row] = sweep->row_start[row];
    for (size_t i = 0; i < lines->count; i++) {
        struct climb climb =
            climb_of(&lines->line[i], grid->origin_y, lines->unit_shift);
        put_line(sweep, next, (uint32_t)i, &climb, grid->origin_y,
                 lines->unit_shift);
    }
}

enum status sweep_rows(struct context *context, const struct lines *lines,
                       const struct grid *grid, struct sweep *sweep)
{
    *sweep = (struct sweep){.row_count = grid->rows};
    // One more than starts are needed: count_runs steps past the last row.
    enum status status =
        context_allocate_zeroed(context, sweep->row_count + 2,
                                sizeof *sweep->row_start, &sweep->row_start);
    size_t *next = NULL;
    if (status == STATUS_OK)
        status =
            context_allocate(context, sweep->row_count, sizeof *next, &next);
    if (status == STATUS_OK) {
        uint64_t count = count_runs(lines, grid, sweep);
        status = context_allocate(context, context_count(count),
                                  sizeof *sweep->runs, &sweep->runs);
    }
    if (status == STATUS_OK)
        put_runs(lines, grid, sweep, next);
    else
        sweep_free(context, sweep);
    context_release(context, next);
    return status;
}

void sweep_free(struct context *context, struct sweep *sweep)
{
    context_release(context, sweep->runs);
    context_release(context, sweep->row_start);
    sweep->runs = NULL;
    sweep->row_start = NULL;
}
