// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line is the points start + t * (end - start) for t from 0 to 1.  Each of
// the four sides of a block allows a range of t that is closed (west, south)
// or open (east, north) at one end; the line touches the block if something
// is left of 0 to 1 when all four have cut it.  The ends of the range are
// fractions, compared exactly, digit by digit as continued fractions: products
// may be too large for 64 bits.

#include "oracle.h"

#include "buffer.h"

#include <stdlib.h>

enum {
    UNIT = 1 << 16,     // a map unit in 16.16
    BLOCK = 128 * UNIT, // the side of a block in 16.16
};

// --- Geometry ---

// One end of a range of t; `over` is positive.
struct limit {
    int64_t value, over; // t = value / over
    bool open;           // t itself is outside
};

struct range {
    struct limit low, high;
};

// Takes the whole part from a limit, rounded down, and returns it; what is
// left is 0 or more and less than 1.
static int64_t take_whole(struct limit *limit)
{
    int64_t whole = limit->value / limit->over;
    if (limit->value % limit->over < 0)
        whole--;
    limit->value -= whole * limit->over;
    return whole;
}

static void turn_over(struct limit *limit)
{
    int64_t value = limit->value;
    limit->value = limit->over;
    limit->over = value;
}

// Negative, 0 or positive as a is less than, equal to or greater than b.
static int compare_limits(const struct limit *a, const struct limit *b)
{
    struct limit left = *a, right = *b;
    for (int sign = 1;; sign = -sign) {
        int64_t left_whole = take_whole(&left);
        int64_t right_whole = take_whole(&right);
        if (left_whole != right_whole)
            return left_whole < right_whole ? -sign : sign;
        if (left.value == 0 || right.value == 0)
            return sign * ((left.value > 0) - (right.value > 0));
        turn_over(&left);
        turn_over(&right);
    }
}

static void raise_low(struct range *range, struct limit limit)
{
    int order = compare_limits(&limit, &range->low);
    if (order > 0 || (order == 0 && limit.open))
        range->low = limit;
}

static void lower_high(struct range *range, struct limit limit)
{
    int order = compare_limits(&limit, &range->high);
    if (order < 0 || (order == 0 && limit.open))
        range->high = limit;
}

static bool range_is_empty(const struct range *range)
{
    int order = compare_limits(&range->low, &range->high);
    return order > 0 || (order == 0 && (range->low.open || range->high.open));
}

static const struct range nothing = {{1, 1, true}, {0, 1, true}};

// Cuts off all t for which start + t * (end - start) is below `first` or not
// below `past`.
static void cut(struct range *range, int64_t start, int64_t end, int64_t first,
                int64_t past)
{
    int64_t length = end - start;
    if (length > 0) {
        raise_low(range, (struct limit){first - start, length, false});
        lower_high(range, (struct limit){past - start, length, true});
    } else if (length < 0) {
        raise_low(range, (struct limit){start - past, -length, true});
        lower_high(range, (struct limit){start - first, -length, false});
    } else if (start < first || start >= past) {
        *range = nothing;
    }
}

static int64_t block_edge(int32_t origin, int64_t index)
{
    return (int64_t)origin * UNIT + index * BLOCK;
}

bool oracle_is_in_block(const struct oracle_line *line,
                        const struct oracle_grid *grid, int64_t column,
                        int64_t row)
{
    struct range range = {{0, 1, false}, {1, 1, false}};
    cut(&range, line->x1, line->x2, block_edge(grid->origin_x, column),
        block_edge(grid->origin_x, column + 1));
    cut(&range, line->y1, line->y2, block_edge(grid->origin_y, row),
        block_edge(grid->origin_y, row + 1));
    return !range_is_empty(&range);
}

// --- Lines in a grid ---

// The columns, or rows, that lie between two coordinates.
struct span {
    int64_t first, last;
};

static struct span find_span(int32_t origin, int32_t a, int32_t b)
{
    int64_t low = (int64_t)(a < b ? a : b) - block_edge(origin, 0);
    int64_t high = (int64_t)(a < b ? b : a) - block_edge(origin, 0);
    return (struct span){low / BLOCK - (low % BLOCK < 0),
                         high / BLOCK - (high % BLOCK < 0)};
}

static struct span columns_of(const struct oracle_grid *grid,
                              const struct oracle_line *line)
{
    return find_span(grid->origin_x, line->x1, line->x2);
}

static struct span rows_of(const struct oracle_grid *grid,
                           const struct oracle_line *line)
{
    return find_span(grid->origin_y, line->y1, line->y2);
}

bool oracle_encloses(const struct oracle_grid *grid,
                     const struct oracle_line *lines, size_t line_count)
{
    for (size_t i = 0; i < line_count; i++) {
        struct span columns = columns_of(grid, &lines[i]);
        struct span rows = rows_of(grid, &lines[i]);
        if (columns.first < 0 || columns.last >= grid->columns ||
            rows.first < 0 || rows.last >= grid->rows)
            return false;
    }
    return true;
}

void oracle_add_entry(struct oracle_entry_list *entries, uint32_t block,
                      uint32_t line)
{
    if (entries->count == entries->capacity) {
        entries->capacity = entries->capacity ? 2 * entries->capacity : 256;
        entries->entry =
            realloc(entries->entry, entries->capacity * sizeof *entries->entry);
        if (!entries->entry)
            abort_with("no memory for %zu entries", entries->capacity);
    }
    entries->entry[entries->count++] = (struct oracle_entry){block, line};
}

int oracle_compare_entries(const void *left, const void *right)
{
    const struct oracle_entry *a = left;
    const struct oracle_entry *b = right;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

void oracle_sort_entries(struct oracle_entry_list *entries)
{
    if (entries->count > 0)
        qsort(entries->entry, entries->count, sizeof *entries->entry,
              oracle_compare_entries);
}

uint64_t oracle_box_size(const struct oracle_grid *grid,
                         const struct oracle_line *line)
{
    struct span columns = columns_of(grid, line);
    struct span rows = rows_of(grid, line);
    return (uint64_t)(columns.last - columns.first + 1) *
           (uint64_t)(rows.last - rows.first + 1);
}

size_t oracle_add_line(const struct oracle_grid *grid,
                       const struct oracle_line *line, uint32_t number,
                       struct oracle_entry_list *entries)
{
    struct span columns = columns_of(grid, line);
    struct span rows = rows_of(grid, line);
    size_t outside = 0;
    for (int64_t row = rows.first; row <= rows.last; row++)
        for (int64_t column = columns.first; column <= columns.last; column++)
            if (!oracle_is_in_block(line, grid, column, row))
                continue;
            else if (column < 0 || column >= grid->columns || row < 0 ||
                     row >= grid->rows)
                outside++;
            else
                oracle_add_entry(
                    entries, (uint32_t)(row * grid->columns + column), number);
    return outside;
}

struct oracle_entry_list oracle_find_entries(const struct oracle_grid *grid,
                                             const struct oracle_line *lines,
                                             size_t line_count)
{
    struct oracle_entry_list entries = {0};
    for (size_t i = 0; i < line_count; i++)
        if (oracle_add_line(grid, &lines[i], (uint32_t)i, &entries) > 0)
            abort_with("the grid does not enclose line %zu", i);
    oracle_sort_entries(&entries);
    return entries;
}

void oracle_free_entries(struct oracle_entry_list *entries)
{
    free(entries->entry);
    *entries = (struct oracle_entry_list){0};
}
