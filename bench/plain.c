// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each line walks through the blocks along its longer side, with a division at
// each edge, and is appended to an array of the block's own.  Equal arrays are
// found by a hash with chains, and stored once.  Lines through corners get what
// the divisions give, so lists differ in details from those of ZDBSP.

#include "config.h"

#include "plain.h"

#include "fail.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SHIFT = 7, FIRST_ROOM = 16, BUCKETS = 4096, NO_BLOCK = 0xFFFF };

struct list {
    uint16_t *words;
    size_t count;
    size_t room;
};

static void grow(struct list *list)
{
    list->room =
        list->room < FIRST_ROOM ? FIRST_ROOM : list->room + list->room / 2;
    list->words = realloc(list->words, list->room * sizeof *list->words);
    if (!list->words)
        fail("no memory for %zu words", list->room);
}

static inline void append(struct list *list, size_t word)
{
    if (list->count == list->room)
        grow(list);
    list->words[list->count++] = (uint16_t)word;
}

// ---------------------------------------------------------------------------
// Lists of blocks

// One direction: where a line begins and ends, and how far apart in the array
// blocks are.
struct axis {
    int from, to; // map units from the origin
    int step;
};

// Walks from one edge of `across` to the next, and there along `along`.
static void walk(struct list *blocks, size_t line, struct axis along,
                 struct axis across)
{
    int at = along.from >> BLOCK_SHIFT;
    int row = across.from >> BLOCK_SHIFT;
    const int end = along.to >> BLOCK_SHIFT;
    const int last_row = across.to >> BLOCK_SHIFT;
    const int forward = along.from <= along.to ? 1 : -1;
    const int up = across.from <= across.to ? 1 : -1;
    for (;; row += up) {
        int stop = end;
        if (row != last_row) {
            int edge = (row + (up > 0)) * (1 << BLOCK_SHIFT);
            int64_t way = (int64_t)(edge - across.from) *
                          (along.to - along.from) / (across.to - across.from);
            stop = (along.from + (int)way) >> BLOCK_SHIFT;
        }
        for (;; at += forward) {
            append(&blocks[row * across.step + at * along.step], line);
            if (at == stop)
                break;
        }
        if (row == last_row)
            return;
    }
}

static void add_lines(const struct nbstage_map *map, const int bounds[4],
                      int columns, struct list *blocks)
{
    const unsigned char *vertices = map->vertices;
    const unsigned char *line = map->lines;
    for (size_t i = 0; i < map->line_count; i++, line += map->line_stride) {
        uint32_t ends[2];
        struct nbstage_vertex a, b;
        memcpy(ends, line, sizeof ends);
        memcpy(&a, vertices + ends[0] * map->vertex_stride, sizeof a);
        memcpy(&b, vertices + ends[1] * map->vertex_stride, sizeof b);
        struct axis x = {(a.x >> 16) - bounds[0], (b.x >> 16) - bounds[0], 1};
        struct axis y = {(a.y >> 16) - bounds[1], (b.y >> 16) - bounds[1],
                         columns};
        if ((x.from ^ x.to) >> BLOCK_SHIFT == 0 &&
            (y.from ^ y.to) >> BLOCK_SHIFT == 0)
            append(&blocks[(x.from >> BLOCK_SHIFT) +
                           (y.from >> BLOCK_SHIFT) * columns],
                   i);
        else if (abs(x.to - x.from) >= abs(y.to - y.from))
            walk(blocks, i, x, y);
        else
            walk(blocks, i, y, x);
    }
}

// ---------------------------------------------------------------------------
// The lump

static unsigned hash(const struct list *list)
{
    unsigned sum = 0;
    for (size_t i = 0; i < list->count; i++)
        sum = sum * 31 + list->words[i];
    return sum % BUCKETS;
}

static bool are_equal(const struct list *a, const struct list *b)
{
    return a->count == b->count &&
           (a->count == 0 ||
            memcmp(a->words, b->words, a->count * sizeof *a->words) == 0);
}

static void add_lists(const struct list *blocks, size_t count,
                      struct list *lump)
{
    uint16_t buckets[BUCKETS];
    uint16_t *next = allocate(count, sizeof *next);
    memset(buckets, 0xFF, sizeof buckets);
    for (size_t i = 0; i < count; i++)
        append(lump, 0);
    for (size_t i = 0; i < count; i++) {
        unsigned bucket = hash(&blocks[i]);
        uint16_t found = buckets[bucket];
        while (found != NO_BLOCK && !are_equal(&blocks[found], &blocks[i]))
            found = next[found];
        if (found != NO_BLOCK) {
            lump->words[4 + i] = lump->words[4 + found];
            continue;
        }
        next[i] = buckets[bucket];
        buckets[bucket] = (uint16_t)i;
        lump->words[4 + i] = (uint16_t)lump->count;
        append(lump, 0);
        for (size_t j = 0; j < blocks[i].count; j++)
            append(lump, blocks[i].words[j]);
        append(lump, 0xFFFF);
    }
    free(next);
}

struct plain_lump plain_build(const struct nbstage_map *map,
                              const int bounds[4])
{
    const int columns = ((bounds[2] - bounds[0]) >> BLOCK_SHIFT) + 1;
    const int rows = ((bounds[3] - bounds[1]) >> BLOCK_SHIFT) + 1;
    const size_t count = (size_t)columns * (size_t)rows;
    struct list lump = {0};
    struct list *blocks = calloc(count, sizeof *blocks);
    if (!blocks)
        fail("no memory for %zu blocks", count);
    add_lines(map, bounds, columns, blocks);
    append(&lump, (size_t)bounds[0]);
    append(&lump, (size_t)bounds[1]);
    append(&lump, (size_t)columns);
    append(&lump, (size_t)rows);
    add_lists(blocks, count, &lump);
    for (size_t i = 0; i < count; i++)
        free(blocks[i].words);
    free(blocks);
    return (struct plain_lump){lump.words, lump.count};
}
