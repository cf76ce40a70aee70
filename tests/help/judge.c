// SPDX-License-Identifier: GPL-2.0-or-later

#include "judge.h"

#include <stdlib.h>

enum { BLOCK = 128 << 16 }; // the side of a block in 16.16

// A column, or row, as the blocks of the grid go on in all directions.
static int64_t find_place(int32_t coordinate, int32_t origin)
{
    int64_t distance = coordinate - (int64_t)origin * (1 << 16);
    return distance / BLOCK - (distance % BLOCK < 0);
}

static int compare_entries(const void *a, const void *b)
{
    const struct oracle_entry *left = a;
    const struct oracle_entry *right = b;
    if (left->block != right->block)
        return left->block < right->block ? -1 : 1;
    return (left->line > right->line) - (left->line < right->line);
}

// The blocks of a line's bounding box.
struct box {
    int64_t west, east, south, north;
};

static struct box find_box(const struct oracle_grid *grid,
                           const struct oracle_line *line)
{
    int64_t x1 = find_place(line->x1, grid->origin_x);
    int64_t x2 = find_place(line->x2, grid->origin_x);
    int64_t y1 = find_place(line->y1, grid->origin_y);
    int64_t y2 = find_place(line->y2, grid->origin_y);
    return (struct box){x1 < x2 ? x1 : x2, x1 < x2 ? x2 : x1, y1 < y2 ? y1 : y2,
                        y1 < y2 ? y2 : y1};
}

static bool is_in_block(const struct oracle_grid *grid,
                        const struct oracle_line *line, int64_t column,
                        int64_t row)
{
    const struct oracle_grid block = {(int32_t)(grid->origin_x + column * 128),
                                      (int32_t)(grid->origin_y + row * 128), 1,
                                      1};
    return oracle_is_in_block(line, &block, 0, 0);
}

// Adds what is true of a line in the grid's blocks; returns how many others it
// is in.
static size_t try_line(const struct oracle_grid *grid,
                       const struct oracle_line *line, const struct box *box,
                       uint32_t number, struct oracle_entry_list *truth)
{
    size_t outside = 0;
    for (int64_t row = box->south; row <= box->north; row++) {
        for (int64_t column = box->west; column <= box->east; column++) {
            if (!is_in_block(grid, line, column, row))
                continue;
            if (column < 0 || column >= grid->columns || row < 0 ||
                row >= grid->rows)
                outside++;
            else
                oracle_add_entry(
                    truth, (uint32_t)(row * grid->columns + column), number);
        }
    }
    return outside;
}

bool judge(const struct blocklists *lists, enum blocklists_header header,
           const struct oracle_line *lines, size_t line_count,
           const uint8_t *left_out, size_t most_tries,
           struct judgement *judgement)
{
    struct oracle_entry_list truth = {0};
    size_t tries = 0;
    *judgement = (struct judgement){0};
    for (size_t i = 0; i < line_count && tries <= most_tries; i++) {
        struct box box = find_box(&lists->grid, &lines[i]);
        tries +=
            (size_t)((box.east - box.west + 1) * (box.north - box.south + 1));
        if (tries > most_tries)
            break;
        size_t before = truth.count;
        size_t outside =
            try_line(&lists->grid, &lines[i], &box, (uint32_t)i, &truth);
        if (left_out && left_out[i])
            continue;
        judgement->outside += outside;
        judgement->entries += outside + truth.count - before;
    }
    if (truth.count > 0)
        qsort(truth.entry, truth.count, sizeof *truth.entry, compare_entries);
    if (tries <= most_tries)
        judgement->counts =
            blocklists_compare(lists, header, &truth, line_count, left_out);
    oracle_free_entries(&truth);
    return tries <= most_tries;
}
