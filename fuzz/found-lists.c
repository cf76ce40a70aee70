// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every list is read word by word into a table of blocks and lines; then each
// line is tried against every block of its bounding box, be that in the grid or
// not.
//
// A header is no linedef, its own or that of another list in its middle, but
// engines that read it test linedef 0.

#include "found-lists.h"

#include "expected-lists.h"
#include "target.h"

#include <stdlib.h>

// Blocks times lines, blocks that are tried, and words of lists.
enum { MOST_WORK = 1 << 17 };

struct counting {
    const struct blockmap *blockmap;
    const struct oracle_line *lines;
    const uint8_t *left_out; // for each line; NULL if none is
    size_t line_count;
    bool *is_header;  // for each word of the lump
    bool *is_listed;  // for each block and line
    bool *has_header; // for each block
    size_t work_left;
    struct found_lists *found;
};

// Takes work off; false if there is too little left.
static bool spend(struct counting *counting, uint64_t work)
{
    if (work > counting->work_left)
        return false;
    counting->work_left -= (size_t)work;
    return true;
}

// ---------------------------------------------------------------------------
// Lists

// A 0 before the first linedef of a list is its header; where only some lists
// begin with a 0, that is taken for the first linedef.
static void find_headers(struct counting *counting)
{
    const struct blockmap *blockmap = counting->blockmap;
    bool is_before = blockmap->headers == HEADERS_ZERO;
    if (!is_before && blockmap->headers != HEADERS_MIXED)
        return;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        size_t header = list->begin - is_before;
        if (list->fault == LIST_READABLE)
            counting->is_header[header] =
                words_get(&blockmap->words, header) == 0;
    }
}

static void read_list(struct counting *counting, size_t block)
{
    const struct blockmap *blockmap = counting->blockmap;
    const struct blockmap_list *list = &blockmap->lists[block];
    bool *is_listed = counting->is_listed + block * counting->line_count;
    for (size_t w = list->begin; w < list->end; w++) {
        uint32_t linedef = words_get(&blockmap->words, w);
        if (counting->is_header[w]) {
            counting->has_header[block] = true;
        } else if (linedef < counting->line_count && !is_listed[linedef]) {
            is_listed[linedef] = true;
            counting->found->extra_count++; // unless it touches the block
        }
    }
}

static bool read_lists(struct counting *counting)
{
    const struct blockmap *blockmap = counting->blockmap;
    find_headers(counting);
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        if (list->fault != LIST_READABLE)
            continue;
        if (!spend(counting, list->end - list->begin))
            return false;
        read_list(counting, b);
    }
    return true;
}

// ---------------------------------------------------------------------------
// Lines

// A column, or row, as the blocks of the grid go on in all directions.
static int32_t find_place(int32_t coordinate, int32_t origin)
{
    int64_t distance = (int64_t)coordinate - origin;
    int64_t rest = distance % BLOCKMAP_FIXED_SIDE;
    return (int32_t)(distance / BLOCKMAP_FIXED_SIDE - (rest < 0));
}

static bool entries(const struct counting *counting, size_t line,
                    int32_t column, int32_t row)
{
    const struct blockmap *blockmap = counting->blockmap;
    struct oracle_grid block = {
        blockmap->origin_x / BLOCKMAP_UNIT + column * BLOCKMAP_SIDE,
        blockmap->origin_y / BLOCKMAP_UNIT + row * BLOCKMAP_SIDE, 1, 1};
    return oracle_is_in_block(&counting->lines[line], &block, 0, 0);
}

// Counts that a line touches a block.
static void count_entry(struct counting *counting, size_t line, int32_t column,
                        int32_t row)
{
    const struct blockmap *blockmap = counting->blockmap;
    struct found_lists *found = counting->found;
    bool is_wanted = !counting->left_out || !counting->left_out[line];
    found->entry_count += is_wanted;
    if (column < 0 || (uint32_t)column >= blockmap->columns || row < 0 ||
        (uint32_t)row >= blockmap->rows) {
        found->outside_count += is_wanted;
        return;
    }
    size_t block = (size_t)row * blockmap->columns + (size_t)column;
    if (blockmap->lists[block].fault != LIST_READABLE)
        return;
    if (counting->is_listed[block * counting->line_count + line])
        found->extra_count--;
    else if (line > 0 || !counting->has_header[block])
        found->missing_count += is_wanted;
}

static bool try_line(struct counting *counting, size_t index)
{
    const struct blockmap *blockmap = counting->blockmap;
    const struct oracle_line *line = &counting->lines[index];
    int32_t x1 = find_place(line->x1, blockmap->origin_x);
    int32_t x2 = find_place(line->x2, blockmap->origin_x);
    int32_t y1 = find_place(line->y1, blockmap->origin_y);
    int32_t y2 = find_place(line->y2, blockmap->origin_y);
    int32_t west = x1 < x2 ? x1 : x2, east = x1 < x2 ? x2 : x1;
    int32_t south = y1 < y2 ? y1 : y2, north = y1 < y2 ? y2 : y1;
    if (!spend(counting,
               (uint64_t)(east - west + 1) * (uint64_t)(north - south + 1)))
        return false;
    for (int32_t row = south; row <= north; row++)
        for (int32_t column = west; column <= east; column++)
            if (entries(counting, index, column, row))
                count_entry(counting, index, column, row);
    return true;
}

static bool try_lines(struct counting *counting)
{
    for (size_t i = 0; i < counting->line_count; i++)
        if (!try_line(counting, i))
            return false;
    return true;
}

// ---------------------------------------------------------------------------

bool found_lists_count(const struct blockmap *blockmap,
                       const struct nbstage_decoded *decoded,
                       struct found_lists *found)
{
    uint64_t cells = (uint64_t)blockmap->block_count * decoded->line_count;
    *found = (struct found_lists){0};
    if (cells > MOST_WORK)
        return false;
    struct oracle_line *lines = expected_lines(decoded);
    struct counting counting = {
        .blockmap = blockmap,
        .lines = lines,
        .left_out = decoded->left_out,
        .line_count = decoded->line_count,
        .is_header = calloc(blockmap->words.count + 1, sizeof(bool)),
        .is_listed = calloc((size_t)cells + 1, sizeof(bool)),
        .has_header = calloc(blockmap->block_count + 1, sizeof(bool)),
        .work_left = MOST_WORK,
        .found = found,
    };
    REQUIRE(counting.is_header && counting.is_listed && counting.has_header,
            "there is memory for the lists");
    bool are_counted = read_lists(&counting) && try_lines(&counting);
    free(counting.is_header);
    free(counting.is_listed);
    free(counting.has_header);
    free(lines);
    return are_counted;
}
