// SPDX-License-Identifier: GPL-2.0-or-later
//
// A walk over the lists of a map tells for each block how many different
// linedefs its list has and, for each true one, whether it has that.  What is
// not there is missing, what is there beside the true ones is extra.
//
// The walk comes to blocks in the order in which their lists are stored.  So it
// only counts, which tells where in the order of blocks the facts of each are,
// and a second one puts them there.  That looks at no more of a list than its
// true linedefs and the extra ones to be named, however long it is.

#include "config.h"

#include "verify/mismatches.h"

#include "blockmap/expected.h"

#include <stdlib.h>

// The facts of one kind about a block.
struct share {
    size_t count;
    size_t first; // their place among those of all blocks
};

struct comparison {
    const struct inspect_map *map;
    struct facts *facts;
    struct share *missing; // for each block
    struct share *extra;

    // For each linedef the last block that it was found to be in, and 1.
    size_t *in_block;
};

// ---------------------------------------------------------------------------
// Counting

static void count_list(void *context, size_t block, const struct tail *tail)
{
    struct comparison *comparison = context;
    const struct inspect_map *map = comparison->map;
    struct blockmap_list truth = truth_of_block(map, block);
    size_t missing = 0;
    size_t extra = tail->distinct;
    if (map->present.lists[block].fault != LIST_READABLE)
        return;
    for (size_t w = truth.begin; w < truth.end; w++) {
        uint32_t linedef = words_get(&map->truth.words, w);
        extra -= tail_has_linedef(tail, linedef);
        missing += truth_misses(map, tail, linedef);
    }
    comparison->missing[block].count = missing;
    comparison->extra[block].count = extra;
}

// Places the facts of each block behind those of the ones before it; returns
// how many there are.
static size_t place(struct share *shares, size_t block_count)
{
    size_t count = 0;
    for (size_t b = 0; b < block_count; b++) {
        shares[b].first = count;
        count += shares[b].count;
    }
    return count;
}

static void add_up(struct comparison *comparison)
{
    struct facts *facts = comparison->facts;
    size_t block_count = comparison->map->present.block_count;
    facts->missing_count = place(comparison->missing, block_count);
    facts->extra_count = place(comparison->extra, block_count);
    for (size_t b = 0; b < block_count; b++)
        if (comparison->extra[b].count > facts->extra_at_worst)
            facts->extra_at_worst = comparison->extra[b].count;
}

// ---------------------------------------------------------------------------
// Naming

// Makes room for the first of so many facts.
static bool make_room(struct fact_list *list, size_t count)
{
    list->count = count < MOST_FACTS ? count : MOST_FACTS;
    list->fact = malloc((list->count + 1) * sizeof *list->fact);
    if (!list->fact)
        list->count = 0;
    return list->fact;
}

// Puts a fact about a block of the present grid at its place, if there is room.
static void put_fact(const struct comparison *comparison,
                     struct fact_list *list, size_t index, size_t block,
                     uint32_t linedef)
{
    uint32_t columns = comparison->map->present.columns;
    if (index < list->count)
        list->fact[index] = (struct fact){(int64_t)(block % columns),
                                          (int64_t)(block / columns), linedef};
}

static void name_missing(const struct comparison *comparison, size_t block,
                         const struct tail *tail)
{
    const struct inspect_map *map = comparison->map;
    struct blockmap_list truth = truth_of_block(map, block);
    size_t next = comparison->missing[block].first;
    for (size_t w = truth.begin; w < truth.end; w++) {
        uint32_t linedef = words_get(&map->truth.words, w);
        if (!truth_misses(map, tail, linedef))
            continue;
        comparison->facts->missing_of[linedef]++;
        put_fact(comparison, &comparison->facts->missing, next++, block,
                 linedef);
    }
}

static void name_extra(const struct comparison *comparison, size_t block,
                       const struct tail *tail)
{
    const struct inspect_map *map = comparison->map;
    struct blockmap_list truth = truth_of_block(map, block);
    struct fact_list *list = &comparison->facts->extra;
    size_t next = comparison->extra[block].first;
    size_t end = next + comparison->extra[block].count;
    if (end > list->count)
        end = list->count;
    for (size_t w = truth.begin; w < truth.end; w++)
        comparison->in_block[words_get(&map->truth.words, w)] = block + 1;
    for (size_t i = 0; next < end; i++) {
        uint32_t linedef = tail_linedef(tail, i);
        if (comparison->in_block[linedef] != block + 1)
            put_fact(comparison, list, next++, block, linedef);
    }
}

static void name_list(void *context, size_t block, const struct tail *tail)
{
    const struct comparison *comparison = context;
    if (comparison->missing[block].count > 0)
        name_missing(comparison, block, tail);
    if (comparison->extra[block].count > 0)
        name_extra(comparison, block, tail);
}

static int compare_facts(const void *a, const void *b)
{
    const struct fact *left = a;
    const struct fact *right = b;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return (left->linedef > right->linedef) - (left->linedef < right->linedef);
}

static bool name_all(struct comparison *comparison, bool names_extra)
{
    const struct inspect_map *map = comparison->map;
    struct facts *facts = comparison->facts;
    if (!make_room(&facts->missing, facts->missing_count) ||
        !make_room(&facts->extra, names_extra ? facts->extra_count : 0))
        return false;
    if (facts->missing.count == 0 && facts->extra.count == 0)
        return true;
    bool walked =
        blockmap_walk(&map->present, map->line_count, name_list, comparison);
    qsort(facts->extra.fact, facts->extra.count, sizeof *facts->extra.fact,
          compare_facts);
    return walked;
}

// ---------------------------------------------------------------------------
// Outside the grid

static void count_outside(const struct inspect_map *map, struct facts *facts)
{
    for (size_t b = 0; b < map->truth.block_count; b++) {
        const struct blockmap_list *list = &map->truth.lists[b];
        bool outside =
            truth_is_outside(map, b, map->present.columns, map->present.rows);
        for (size_t w = list->begin; w < list->end; w++) {
            uint32_t linedef = words_get(&map->truth.words, w);
            if (truth_leaves_out(map, linedef))
                continue;
            facts->touch_count++;
            facts->outside_count += outside;
            facts->missing_of[linedef] += outside;
        }
    }
}

static bool name_outside(const struct inspect_map *map, struct facts *facts)
{
    const struct blockmap *truth = &map->truth;
    struct fact_list *list = &facts->outside;
    size_t next = 0;
    if (!make_room(list, facts->outside_count))
        return false;
    for (size_t b = 0; b < truth->block_count && next < list->count; b++) {
        int64_t column = (int64_t)(b % truth->columns) - (int64_t)map->west;
        int64_t row = (int64_t)(b / truth->columns) - (int64_t)map->south;
        size_t w = truth->lists[b].begin;
        if (!truth_is_outside(map, b, map->present.columns, map->present.rows))
            continue;
        for (; w < truth->lists[b].end && next < list->count; w++) {
            uint32_t linedef = words_get(&truth->words, w);
            if (!truth_leaves_out(map, linedef))
                list->fact[next++] = (struct fact){column, row, linedef};
        }
    }
    return true;
}

// ---------------------------------------------------------------------------

static bool compare(struct comparison *comparison, bool names_extra)
{
    const struct inspect_map *map = comparison->map;
    if (!comparison->missing || !comparison->extra || !comparison->in_block ||
        !blockmap_walk(&map->present, map->line_count, count_list, comparison))
        return false;
    add_up(comparison);
    return name_all(comparison, names_extra);
}

bool facts_find(const struct inspect_map *map, bool names_extra,
                struct facts *facts)
{
    size_t blocks = map->present.block_count + 1;
    struct comparison comparison = {
        .map = map,
        .facts = facts,
        .missing = calloc(blocks, sizeof *comparison.missing),
        .extra = calloc(blocks, sizeof *comparison.extra),
        .in_block = calloc(map->line_count + 1, sizeof *comparison.in_block),
    };
    *facts = (struct facts){0};
    facts->missing_of = calloc(map->line_count + 1, sizeof *facts->missing_of);
    bool found = facts->missing_of && compare(&comparison, names_extra);
    if (found) {
        count_outside(map, facts);
        found = name_outside(map, facts);
    }
    free(comparison.missing);
    free(comparison.extra);
    free(comparison.in_block);
    return found;
}

void facts_free(struct facts *facts)
{
    free(facts->missing.fact);
    free(facts->outside.fact);
    free(facts->extra.fact);
    free(facts->missing_of);
    *facts = (struct facts){0};
}
