// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line is the points start + t * (end - start) for t from 0 to 1.  Each of
// the four sides of a block allows a range of t that is closed (west, south)
// or open (east, north) at one end; the line touches the block if something
// is left of 0 to 1 when all four have cut it.  The ends of the range are
// fractions, compared exactly: by cross multiplication, or digit by digit as
// continued fractions where there is no number that can hold the products.

#include "oracle.h"

#include "blocklists.h"

#include <check.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16,     // a map unit in 16.16
    BLOCK = 128 * UNIT, // the side of a block in 16.16
    HEADER_WORDS = 4,
    MOST_WORDS = 65535, // of a lump
};

// ---------------------------------------------------------------------------
// Geometry

// One end of a range of t; `over` is positive.
struct limit {
    int64_t value, over; // t = value / over
    bool open;           // t itself is outside
};

struct range {
    struct limit low, high;
};

#ifdef __SIZEOF_INT128__

__extension__ typedef __int128 wide;

// Negative, 0 or positive as a is less than, equal to or greater than b.
static int compare_limits(const struct limit *a, const struct limit *b)
{
    wide left = (wide)a->value * b->over;
    wide right = (wide)b->value * a->over;
    return (left > right) - (left < right);
}

#else

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

#endif

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

static int64_t block_edge(int32_t origin, uint32_t index)
{
    return (int64_t)origin * UNIT + (int64_t)index * BLOCK;
}

bool oracle_is_in_block(const struct oracle_line *line,
                        const struct oracle_grid *grid, uint32_t column,
                        uint32_t row)
{
    struct range range = {{0, 1, false}, {1, 1, false}};
    cut(&range, line->x1, line->x2, block_edge(grid->origin_x, column),
        block_edge(grid->origin_x, column + 1));
    cut(&range, line->y1, line->y2, block_edge(grid->origin_y, row),
        block_edge(grid->origin_y, row + 1));
    return !range_is_empty(&range);
}

// ---------------------------------------------------------------------------
// Lines in a grid

static bool is_between(int64_t value, int64_t first, int64_t past)
{
    return value >= first && value < past;
}

bool oracle_encloses(const struct oracle_grid *grid,
                     const struct oracle_line *lines, size_t line_count)
{
    int64_t west = block_edge(grid->origin_x, 0);
    int64_t east = block_edge(grid->origin_x, grid->columns);
    int64_t south = block_edge(grid->origin_y, 0);
    int64_t north = block_edge(grid->origin_y, grid->rows);
    for (size_t i = 0; i < line_count; i++)
        if (!is_between(lines[i].x1, west, east) ||
            !is_between(lines[i].x2, west, east) ||
            !is_between(lines[i].y1, south, north) ||
            !is_between(lines[i].y2, south, north))
            return false;
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
            ck_abort_msg("no memory for %zu facts", entries->capacity);
    }
    entries->entry[entries->count++] = (struct oracle_entry){block, line};
}

static int compare_entries(const struct oracle_entry *a,
                           const struct oracle_entry *b)
{
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static int compare_facts_for_sort(const void *a, const void *b)
{
    return compare_entries(a, b);
}

static void sort_entries(struct oracle_entry_list *entries)
{
    if (entries->count > 0)
        qsort(entries->entry, entries->count, sizeof *entries->entry,
              compare_facts_for_sort);
}

// The columns, or rows, of a line's bounding box.
struct span {
    uint32_t first, last;
};

// The coordinates must not lie below the origin.
static struct span find_span(int32_t origin, int32_t a, int32_t b)
{
    int64_t low = (int64_t)(a < b ? a : b) - block_edge(origin, 0);
    int64_t high = (int64_t)(a < b ? b : a) - block_edge(origin, 0);
    return (struct span){(uint32_t)(low / BLOCK), (uint32_t)(high / BLOCK)};
}

static void find_facts_of_line(const struct oracle_grid *grid,
                               const struct oracle_line *line, uint32_t number,
                               struct oracle_entry_list *entries)
{
    struct span columns = find_span(grid->origin_x, line->x1, line->x2);
    struct span rows = find_span(grid->origin_y, line->y1, line->y2);
    for (uint32_t row = rows.first; row <= rows.last; row++)
        for (uint32_t column = columns.first; column <= columns.last; column++)
            if (oracle_is_in_block(line, grid, column, row))
                oracle_add_entry(entries, row * grid->columns + column, number);
}

struct oracle_entry_list oracle_find_entries(const struct oracle_grid *grid,
                                             const struct oracle_line *lines,
                                             size_t line_count)
{
    if (!oracle_encloses(grid, lines, line_count))
        ck_abort_msg("the grid does not enclose the lines");
    struct oracle_entry_list entries = {0};
    for (size_t i = 0; i < line_count; i++)
        find_facts_of_line(grid, &lines[i], (uint32_t)i, &entries);
    sort_entries(&entries);
    return entries;
}

void oracle_free_entries(struct oracle_entry_list *entries)
{
    free(entries->entry);
    *entries = (struct oracle_entry_list){0};
}

// ---------------------------------------------------------------------------
// Sizes

static size_t count_blocks(const struct oracle_grid *grid)
{
    return (size_t)grid->columns * grid->rows;
}

// The lines of one block.
struct blocklist {
    const struct oracle_entry *entry;
    size_t length;
};

static int compare_blocklists(const void *left, const void *right)
{
    const struct blocklist *a = left;
    const struct blocklist *b = right;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    for (size_t i = 0; i < a->length; i++)
        if (a->entry[i].line != b->entry[i].line)
            return a->entry[i].line < b->entry[i].line ? -1 : 1;
    return 0;
}

// Words of a list: its lines, a leading 0 and an end.
static size_t count_list_words(const struct blocklist *list)
{
    return list->length + 2;
}

size_t oracle_words_unshared(const struct oracle_grid *grid,
                             const struct oracle_entry_list *entries)
{
    const struct blocklist empty = {0};
    return HEADER_WORDS + entries->count +
           count_blocks(grid) * (1 + count_list_words(&empty));
}

size_t oracle_words_shared(const struct oracle_grid *grid,
                           const struct oracle_entry_list *entries)
{
    size_t block_count = count_blocks(grid);
    struct blocklist *lists = calloc(block_count, sizeof *lists);
    if (!lists)
        ck_abort_msg("no memory for %zu blocklists", block_count);
    for (size_t i = entries->count; i-- > 0;) {
        struct blocklist *list = &lists[entries->entry[i].block];
        list->entry = &entries->entry[i];
        list->length++;
    }
    qsort(lists, block_count, sizeof *lists, compare_blocklists);
    size_t words = HEADER_WORDS + block_count;
    for (size_t i = 0; i < block_count; i++)
        if (i == 0 || compare_blocklists(&lists[i - 1], &lists[i]) != 0)
            words += count_list_words(&lists[i]);
    free(lists);
    return words;
}

// ---------------------------------------------------------------------------
// Lumps

#if defined(__GNUC__)
__attribute__((__format__(__printf__, 2, 3)))
#endif
static void
fault(struct oracle_report *report, const char *format, ...)
{
    report->fault_count++;
    if (!report->file)
        return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(report->file, "%s: ", report->map);
    vfprintf(report->file, format, arguments);
    fputc('\n', report->file);
    va_end(arguments);
}

bool oracle_read_grid(const unsigned char *bytes, size_t size,
                      struct oracle_grid *grid)
{
    struct blocklists lists;
    if (!blocklists_open(bytes, size, &lists))
        return false;
    *grid = lists.grid;
    blocklists_free(&lists);
    return true;
}

static void read_block(const struct blocklists *lists, size_t block,
                       struct oracle_entry_list *entries,
                       struct oracle_report *report)
{
    const uint32_t *words = lists->words;
    size_t offset = words[HEADER_WORDS + block];
    size_t begin, end;
    if (offset == UINT16_MAX || offset < lists->first_word ||
        offset >= lists->word_count) {
        fault(report,
              "block %zu: its offset is %zu; the lists are at %zu to %zu",
              block, offset, lists->first_word, lists->word_count);
        return;
    }
    if (!blocklists_find(lists, LISTS_ZERO, block, &begin, &end))
        fault(report, "block %zu: its list has no end", block);
    if (words[offset] != 0)
        fault(report, "block %zu: its list begins with %lu instead of 0", block,
              (unsigned long)words[offset]);
    for (size_t w = begin; w < end; w++) {
        if (w > begin && words[w] <= words[w - 1])
            fault(report, "block %zu: line %lu follows line %lu", block,
                  (unsigned long)words[w], (unsigned long)words[w - 1]);
        oracle_add_entry(entries, (uint32_t)block, words[w]);
    }
}

struct oracle_entry_list oracle_read_lump(const unsigned char *bytes,
                                          size_t size,
                                          struct oracle_report *report)
{
    struct oracle_entry_list entries = {0};
    struct blocklists lists;
    if (!blocklists_open(bytes, size, &lists)) {
        fault(report, "%zu bytes have no room for header and offsets", size);
        return entries;
    }
    if (lists.odd_bytes > 0)
        fault(report, "%zu bytes end inside a word", size);
    if (lists.word_count > MOST_WORDS)
        fault(report, "the lump has %zu words", lists.word_count);
    for (size_t block = 0; block < lists.block_count; block++)
        read_block(&lists, block, &entries, report);
    blocklists_free(&lists);
    sort_entries(&entries);
    return entries;
}

static void fault_in_block(const struct oracle_grid *grid,
                           const struct oracle_entry *entry, const char *what,
                           struct oracle_report *report)
{
    fault(report, "block %lu (column %lu, row %lu): line %lu is %s",
          (unsigned long)entry->block,
          (unsigned long)(entry->block % grid->columns),
          (unsigned long)(entry->block / grid->columns),
          (unsigned long)entry->line, what);
}

void oracle_compare(const struct oracle_grid *grid,
                    const struct oracle_entry_list *truth,
                    const struct oracle_entry_list *found,
                    struct oracle_report *report)
{
    size_t t = 0;
    size_t f = 0;
    while (t < truth->count || f < found->count) {
        int order = t == truth->count ? 1
                    : f == found->count
                        ? -1
                        : compare_entries(&truth->entry[t], &found->entry[f]);
        if (order < 0)
            fault_in_block(grid, &truth->entry[t], "missing", report);
        if (order > 0)
            fault_in_block(grid, &found->entry[f], "too many", report);
        t += order <= 0;
        f += order >= 0;
    }
}

size_t oracle_check_lump(const char *name, const unsigned char *bytes,
                         size_t size, const struct oracle_line *lines,
                         size_t line_count, const bool *left_out)
{
    struct oracle_report report = {.file = stderr, .map = name};
    struct oracle_grid grid;
    ck_assert_msg(oracle_read_grid(bytes, size, &grid),
                  "%s: a lump with a header was expected", name);
    ck_assert_msg(oracle_encloses(&grid, lines, line_count),
                  "%s: a line is outside the grid", name);
    struct oracle_entry_list truth =
        oracle_find_entries(&grid, lines, line_count);
    struct oracle_entry_list found = oracle_read_lump(bytes, size, &report);
    size_t kept = 0;
    for (size_t i = 0; i < truth.count; i++)
        if (!left_out || !left_out[truth.entry[i].line])
            truth.entry[kept++] = truth.entry[i];
    truth.count = kept;
    oracle_compare(&grid, &truth, &found, &report);
    oracle_free_entries(&truth);
    oracle_free_entries(&found);
    ck_assert_msg(report.fault_count == 0, "%s: %zu faults, told above", name,
                  report.fault_count);
    return kept;
}
