// SPDX-License-Identifier: GPL-2.0-or-later
//
// If lists may nest, two chains A1 > A2 > ... and B1 > B2 > ... become one
// chain of unions Ai + Bj.  It begins with A1 + B1.  At Ai + Bj, either Ai
// becomes that union and Ai+1 is next, or Bj does and Bj+1 is next.  Lists that
// remain when the other chain ends stay as they are.  So joining is a path
// through a table from the first cell to the last, and the path with the fewest
// extra entries is found from its end: at each step, a list grows by some lines
// for each of its blocks.  For example, two single lists become A + B > B,
// where only one of them grows.
//
// If lists may not nest, both become their union.
//
// A chain is kept as the lines of its first list, each with the last level that
// has it.  Then all intersections of two chains need one pass: each common line
// counts at its two levels, and sums from the last levels to the first are the
// numbers of lines that Ai and Bj have in common.

#include "merge/chain-set.h"

#include <string.h>

enum {
    // Most cells of the tables: about the levels of one chain times those of
    // the other.
    TABLE_CELLS = 1 << 18,

    // Steps that joining takes.
    WORK_FOR_CELL = 4,
    WORK_FOR_LINE = 8,
};

// Two chains to be compared.  The first one is marked.
struct chain_pair {
    const struct chain *a, *b;
};

// ---------------------------------------------------------------------------
// Comparing

void chain_set_mark(struct chain_set *set, uint32_t chain)
{
    const struct chain *marked = &set->chains[chain];
    for (size_t i = 0; i < marked->line_count; i++)
        set->mark[marked->lines[i].linedef] = marked->lines[i].level + 1;
}

void chain_set_unmark(struct chain_set *set, uint32_t chain)
{
    const struct chain *marked = &set->chains[chain];
    for (size_t i = 0; i < marked->line_count; i++)
        set->mark[marked->lines[i].linedef] = 0;
}

// The cell of two levels; one past the last level stands for the empty list.
static inline size_t cell(struct chain_pair pair, size_t i, size_t j)
{
    return i * (pair.b->level_count + 1) + j;
}

static size_t count_cells(struct chain_pair pair)
{
    return (pair.a->level_count + 1) * (pair.b->level_count + 1);
}

// Counts the lines that each two levels have in common.
static void count_common(struct chain_set *set, struct chain_pair pair)
{
    uint32_t *common = set->common;
    memset(common, 0, count_cells(pair) * sizeof *common);
    for (size_t l = 0; l < pair.b->line_count; l++) {
        const struct chain_line *line = &pair.b->lines[l];
        if (set->mark[line->linedef])
            common[cell(pair, set->mark[line->linedef] - 1, line->level)]++;
    }
    for (size_t i = pair.a->level_count; i-- > 0;)
        for (size_t j = pair.b->level_count; j-- > 0;)
            common[cell(pair, i, j)] += common[cell(pair, i + 1, j)] +
                                        common[cell(pair, i, j + 1)] -
                                        common[cell(pair, i + 1, j + 1)];
}

// The extra entries if a level takes the lines of another, with which it has
// some in common.
static inline uint64_t growth(const struct chain_level *level,
                              const struct chain_level *other, uint32_t common)
{
    uint32_t lines = other->length - common;
    return lines * level->block_count;
}

// Finds, for each two levels, the extra entries of the best path from there.
static void find_paths(struct chain_set *set, struct chain_pair pair)
{
    const struct chain_level *a = pair.a->levels;
    const struct chain_level *b = pair.b->levels;
    uint64_t *extra = set->extra;
    memset(extra, 0, count_cells(pair) * sizeof *extra);
    for (size_t i = pair.a->level_count; i-- > 0;)
        for (size_t j = pair.b->level_count; j-- > 0;) {
            const uint32_t common = set->common[cell(pair, i, j)];
            uint64_t a_grows =
                growth(&a[i], &b[j], common) + extra[cell(pair, i + 1, j)];
            uint64_t b_grows =
                growth(&b[j], &a[i], common) + extra[cell(pair, i, j + 1)];
            extra[cell(pair, i, j)] = a_grows <= b_grows ? a_grows : b_grows;
        }
}

bool chain_set_compare(struct chain_set *set, uint32_t marked, uint32_t other,
                       uint64_t *extra, uint32_t *common)
{
    const struct chain_pair pair = {&set->chains[marked], &set->chains[other]};
    if (count_cells(pair) > set->cell_count)
        return false;
    count_common(set, pair);
    *common = set->common[0];
    if (set->nests) {
        find_paths(set, pair);
        *extra = set->extra[0];
    } else {
        *extra = growth(pair.a->levels, pair.b->levels, *common) +
                 growth(pair.b->levels, pair.a->levels, *common);
    }
    return true;
}

// ---------------------------------------------------------------------------
// Joining

// A chain made of two, and the level that each of their levels has become.
struct joint {
    struct chain chain;
    uint32_t *level_of_a, *level_of_b;
};

static nbstage_status allocate_chain(struct context *context,
                                     size_t level_count, size_t line_count,
                                     struct chain *chain)
{
    uint64_t size = (uint64_t)level_count * sizeof *chain->levels +
                    (uint64_t)line_count * sizeof *chain->lines;
    nbstage_status status =
        context_allocate(context, context_count(size), 1, &chain->levels);
    if (status == NBSTAGE_OK)
        chain->lines = (struct chain_line *)(chain->levels + level_count);
    return status;
}

// Gives the lists of one level to another.
static void join_lists(struct chain_set *set, struct chain_level *level,
                       const struct chain_level *from)
{
    set->next_list[level->last_list] = from->first_list;
    level->last_list = from->last_list;
    level->block_count += from->block_count;
}

// Adds a level of a chain to the joint, where it has `length` lines.  Returns
// its index there; a level equal to the one before has the same index.
static uint32_t add_level(struct chain_set *set, struct joint *joint,
                          const struct chain_level *level, uint32_t length)
{
    struct chain *chain = &joint->chain;
    struct chain_level *last = chain->levels + chain->level_count - 1;
    if (chain->level_count > 0 && last->length == length) {
        join_lists(set, last, level);
    } else {
        *++last = *level;
        last->length = length;
        chain->level_count++;
    }
    return (uint32_t)(last - chain->levels);
}

static uint32_t length_of_union(const struct chain_set *set,
                                struct chain_pair pair, size_t i, size_t j)
{
    uint32_t length = 0;
    if (i < pair.a->level_count)
        length += pair.a->levels[i].length;
    if (j < pair.b->level_count)
        length += pair.b->levels[j].length;
    return length - set->common[cell(pair, i, j)];
}

// Whether the first chain's level takes the union.
static bool a_takes_union(const struct chain_set *set, struct chain_pair pair,
                          size_t i, size_t j)
{
    if (j == pair.b->level_count)
        return true;
    if (i == pair.a->level_count)
        return false;
    return set->extra[cell(pair, i, j)] ==
           set->extra[cell(pair, i + 1, j)] +
               growth(&pair.a->levels[i], &pair.b->levels[j],
                      set->common[cell(pair, i, j)]);
}

// Makes the levels along the best path.
static void join_levels(struct chain_set *set, struct chain_pair pair,
                        struct joint *joint)
{
    size_t i = 0;
    size_t j = 0;
    while (i < pair.a->level_count || j < pair.b->level_count) {
        uint32_t length =
            length_of_union(set, pair, set->nests ? i : 0, set->nests ? j : 0);
        if (a_takes_union(set, pair, i, j)) {
            joint->level_of_a[i] =
                add_level(set, joint, &pair.a->levels[i], length);
            i++;
        } else {
            joint->level_of_b[j] =
                add_level(set, joint, &pair.b->levels[j], length);
            j++;
        }
    }
}

static void join_lines(struct chain_pair pair, struct joint *joint)
{
    const struct chain_line *a = pair.a->lines;
    const struct chain_line *a_end = a + pair.a->line_count;
    const struct chain_line *b = pair.b->lines;
    const struct chain_line *b_end = b + pair.b->line_count;
    struct chain_line *next = joint->chain.lines;
    while (a < a_end || b < b_end) {
        bool from_a = b == b_end || (a < a_end && a->linedef <= b->linedef);
        bool from_b = a == a_end || (b < b_end && b->linedef <= a->linedef);
        uint32_t linedef = from_a ? a->linedef : b->linedef;
        uint32_t level = from_a ? joint->level_of_a[a->level] : 0;
        if (from_b && joint->level_of_b[b->level] > level)
            level = joint->level_of_b[b->level];
        *next++ = (struct chain_line){linedef, level};
        a += from_a;
        b += from_b;
    }
    joint->chain.line_count = (size_t)(next - joint->chain.lines);
}

nbstage_status chain_set_join(struct chain_set *set, uint32_t low,
                              uint32_t high)
{
    const struct chain_pair pair = {&set->chains[low], &set->chains[high]};
    const size_t level_count = pair.a->level_count + pair.b->level_count;
    const size_t line_count = pair.a->line_count + pair.b->line_count;
    struct joint joint = {0};
    nbstage_status status = context_allocate(
        set->context, level_count, sizeof *joint.level_of_a, &joint.level_of_a);
    if (status == NBSTAGE_OK)
        status =
            allocate_chain(set->context, level_count, line_count, &joint.chain);
    if (status == NBSTAGE_OK) {
        joint.level_of_b = joint.level_of_a + pair.a->level_count;
        joint.chain.block_count = pair.a->block_count + pair.b->block_count;
        set->context->work +=
            WORK_FOR_CELL * count_cells(pair) + WORK_FOR_LINE * line_count;
        chain_set_mark(set, low);
        count_common(set, pair);
        find_paths(set, pair);
        chain_set_unmark(set, low);
        join_levels(set, pair, &joint);
        join_lines(pair, &joint);
        context_release(set->context, pair.a->levels);
        context_release(set->context, pair.b->levels);
        set->chains[low] = joint.chain;
        set->chains[high] = (struct chain){0};
    }
    context_release(set->context, joint.level_of_a);
    return status;
}

size_t chain_set_find_level(const struct chain_set *set, uint32_t chain,
                            uint64_t *extra)
{
    const struct chain_level *levels = set->chains[chain].levels;
    size_t best = 0;
    for (size_t i = 1; i < set->chains[chain].level_count; i++) {
        uint32_t lines = levels[i - 1].length - levels[i].length;
        uint64_t growth = lines * levels[i].block_count;
        if (best == 0 || growth < *extra) {
            best = i;
            *extra = growth;
        }
    }
    return best;
}

void chain_set_join_levels(struct chain_set *set, uint32_t chain)
{
    struct chain *joined = &set->chains[chain];
    uint64_t extra;
    size_t level = chain_set_find_level(set, chain, &extra);
    if (level == 0)
        return;
    join_lists(set, &joined->levels[level - 1], &joined->levels[level]);
    joined->level_count--;
    memmove(joined->levels + level, joined->levels + level + 1,
            (joined->level_count - level) * sizeof *joined->levels);
    for (size_t i = 0; i < joined->line_count; i++)
        joined->lines[i].level -= joined->lines[i].level >= level;
    set->context->work += joined->line_count;
}

// ---------------------------------------------------------------------------
// Making chains

// Makes the chain that begins with a list.
static nbstage_status make_chain(struct chain_set *set, const uint32_t *inner,
                                 uint32_t list, const uint64_t *block_counts)
{
    const struct lists *lists = set->lists;
    size_t level_count = 1;
    for (uint32_t l = list; inner && inner[l] != LIST_NUMBER_NONE; l = inner[l])
        level_count++;
    struct chain chain = {.level_count = level_count,
                          .line_count = list_length(lists, list)};
    nbstage_status status =
        allocate_chain(set->context, level_count, chain.line_count, &chain);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t i = 0; i < chain.line_count; i++)
        chain.lines[i].linedef = list_linedefs(lists, list)[i];
    for (uint32_t level = 0, l = list; level < level_count; level++) {
        const uint32_t *linedef = list_linedefs(lists, l);
        const uint32_t *end = linedef + list_length(lists, l);
        for (size_t i = 0; linedef < end; i++)
            if (chain.lines[i].linedef == *linedef) {
                chain.lines[i].level = level;
                linedef++;
            }
        chain.levels[level] =
            (struct chain_level){.block_count = block_counts[l],
                                 .length = list_length(lists, l),
                                 .first_list = l,
                                 .last_list = l};
        chain.block_count += block_counts[l];
        l = inner ? inner[l] : LIST_NUMBER_NONE;
    }
    set->chains[list] = chain;
    return NBSTAGE_OK;
}

// Makes a chain for each list that is nested in no other.
static nbstage_status make_chains(struct chain_set *set, const uint32_t *inner)
{
    const struct lists *lists = set->lists;
    uint64_t *block_counts;
    bool *is_nested;
    const struct context_array arrays[] = {
        {&block_counts, lists->list_count, sizeof *block_counts},
        {&is_nested, lists->list_count, sizeof *is_nested},
    };
    nbstage_status status = context_allocate_arrays(
        set->context, arrays, sizeof arrays / sizeof *arrays);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t b = 0; b < lists->block_count; b++)
        block_counts[lists_number(lists, lists->place[b])]++;
    for (size_t l = 0; inner && l < lists->list_count; l++)
        if (inner[l] != LIST_NUMBER_NONE)
            is_nested[inner[l]] = true;
    for (uint32_t l = 0; l < lists->list_count && status == NBSTAGE_OK; l++) {
        set->next_list[l] = LIST_NUMBER_NONE;
        if (!is_nested[l])
            status = make_chain(set, inner, l, block_counts);
    }
    context_release(set->context, block_counts);
    return status;
}

nbstage_status chain_set_make(struct context *context,
                              const struct lists *lists, bool nests,
                              const uint32_t *inner, struct chain_set *set)
{
    // As many cells as two chains can need, within the limit.
    const size_t half = lists->list_count / 2 + 2;
    size_t cell_count = 4;
    if (nests)
        cell_count = half < TABLE_CELLS / half ? half * half : TABLE_CELLS;
    const struct context_array arrays[] = {
        {&set->chains, lists->list_count, sizeof *set->chains},
        {&set->next_list, lists->list_count, sizeof *set->next_list},
        {&set->mark, lists->linedef_end, sizeof *set->mark},
        {&set->common, cell_count, sizeof *set->common},
        {&set->extra, cell_count, sizeof *set->extra},
    };
    *set = (struct chain_set){.context = context,
                              .lists = lists,
                              .nests = nests,
                              .cell_count = cell_count};
    nbstage_status status = context_allocate_arrays(
        context, arrays, sizeof arrays / sizeof *arrays);
    if (status == NBSTAGE_OK)
        status = make_chains(set, inner);
    if (status != NBSTAGE_OK)
        chain_set_free(set);
    return status;
}

void chain_set_free(struct chain_set *set)
{
    for (size_t l = 0; set->chains && l < set->lists->list_count; l++)
        context_release(set->context, set->chains[l].levels);
    context_release(set->context, set->chains);
    *set = (struct chain_set){0};
}

// ---------------------------------------------------------------------------
// Back to lists

// Finds the level that each list has become part of.  Numbers levels in the
// order of their first lists, which is the order in which blocks first have
// them, and returns how many there are.
static uint32_t number_levels(const struct chain_set *set,
                              struct chain_level **level_of)
{
    const size_t list_count = set->lists->list_count;
    uint32_t count = 0;
    for (size_t c = 0; c < list_count; c++)
        for (size_t i = 0; i < set->chains[c].level_count; i++) {
            struct chain_level *level = &set->chains[c].levels[i];
            level->number = LIST_NUMBER_NONE;
            for (uint32_t l = level->first_list; l != LIST_NUMBER_NONE;
                 l = set->next_list[l])
                level_of[l] = level;
        }
    for (size_t l = 0; l < list_count; l++)
        if (level_of[l]->number == LIST_NUMBER_NONE)
            level_of[l]->number = count++;
    return count;
}

// Finds the entries of all levels, with a level's number for a block.
static nbstage_status find_entries(const struct chain_set *set, size_t *next,
                                   struct entries *entries)
{
    const struct chain *end = set->chains + set->lists->list_count;
    for (const struct chain *chain = set->chains; chain < end; chain++)
        for (size_t i = 0; i < chain->line_count; i++) {
            next[chain->lines[i].linedef] += chain->lines[i].level + 1;
            entries->count += chain->lines[i].level + 1;
        }
    nbstage_status status =
        entries_place(set->context, next, set->lists->linedef_end, entries);
    if (status != NBSTAGE_OK)
        return status;
    for (const struct chain *chain = set->chains; chain < end; chain++)
        for (size_t i = 0; i < chain->line_count; i++)
            for (size_t v = 0; v <= chain->lines[i].level; v++)
                entries_add(entries, next, chain->levels[v].number,
                            chain->lines[i].linedef);
    entries_end(entries, next);
    return NBSTAGE_OK;
}

// Turns the lists of levels into those of blocks.
static nbstage_status give_to_blocks(const struct chain_set *set,
                                     struct chain_level *const *level_of,
                                     struct lists *merged)
{
    const struct lists *lists = set->lists;
    const struct lists levels = *merged;
    const uint32_t word_count = levels.start[levels.list_count];
    merged->memory = merged->place = NULL;
    merged->block_count = lists->block_count;
    merged->entry_count = 0;
    nbstage_status status =
        lists_allocate_words(set->context, lists->block_count, word_count,
                             &merged->memory, &merged->words);
    if (status == NBSTAGE_OK)
        status = context_allocate(set->context, lists->block_count,
                                  sizeof *merged->place, &merged->place);
    if (status == NBSTAGE_OK)
        status = context_allocate(set->context, lists->block_count,
                                  sizeof *merged->exact_length,
                                  &merged->exact_length);
    if (status == NBSTAGE_OK)
        memcpy(merged->words, levels.words, word_count * sizeof *levels.words);
    for (size_t b = 0; b < lists->block_count && status == NBSTAGE_OK; b++) {
        size_t list = lists_number(lists, lists->place[b]);
        merged->place[b] = levels.place[level_of[list]->number];
        merged->exact_length[b] = lists->exact_length
                                      ? lists->exact_length[b]
                                      : list_length(lists, list);
        merged->entry_count += level_of[list]->length;
    }
    context_release(set->context, levels.memory);
    context_release(set->context, levels.place);
    return status;
}

nbstage_status chain_set_lists(const struct chain_set *set,
                               struct lists *merged)
{
    struct chain_level **level_of; // of each list
    size_t *next;                  // for entries_place
    const struct context_array arrays[] = {
        {&level_of, set->lists->list_count, sizeof(struct chain_level *)},
        {&next, set->lists->linedef_end, sizeof *next},
    };
    struct entries entries = {0};
    uint64_t work = set->context->work;
    *merged = (struct lists){0};
    nbstage_status status = context_allocate_arrays(
        set->context, arrays, sizeof arrays / sizeof *arrays);
    if (status != NBSTAGE_OK)
        return status;
    const struct grid row = {.columns = number_levels(set, level_of),
                             .rows = 1};
    status = find_entries(set, next, &entries);
    if (status == NBSTAGE_OK)
        status = lists_build(set->context, &row, &entries, merged);
    if (status == NBSTAGE_OK)
        status = give_to_blocks(set, level_of, merged);
    for (size_t c = 0; c < set->lists->list_count; c++)
        work += set->chains[c].line_count * set->chains[c].level_count;
    set->context->work = work; // less than lists_build counts
    entries_free(set->context, &entries);
    context_release(set->context, level_of);
    if (status != NBSTAGE_OK)
        lists_free(set->context, merged);
    return status;
}
