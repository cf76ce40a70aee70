// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tries every pair at every step, and for two chains every way to make them
// one.  Sets are masks.

#include "plain-merge.h"

struct plain_offer {
    size_t low, high;
    uint64_t extra, saved;
};

static uint64_t growth(const struct plain_level *level,
                       const struct plain_level *other)
{
    return (uint64_t)count_bits(other->lines & ~level->lines) *
           count_bits(level->blocks);
}

// The cheapest of all ways to make the levels from i and j on one chain.
static uint64_t cheapest(const struct plain_chain *a,
                         const struct plain_chain *b, size_t i, size_t j)
{
    if (i == a->count || j == b->count)
        return 0;
    uint64_t a_grows =
        growth(&a->levels[i], &b->levels[j]) + cheapest(a, b, i + 1, j);
    uint64_t b_grows =
        growth(&b->levels[j], &a->levels[i]) + cheapest(a, b, i, j + 1);
    return a_grows < b_grows ? a_grows : b_grows;
}

static struct plain_offer make_offer(const struct plain *plain, size_t low,
                                     size_t high)
{
    const struct plain_chain *a = &plain->chains[low];
    const struct plain_chain *b = &plain->chains[high];
    const struct plain_level *first_a = &a->levels[0];
    const struct plain_level *first_b = &b->levels[0];
    struct plain_offer offer = {low, high, 0, 0};
    offer.saved = count_bits(first_a->lines & first_b->lines) +
                  plain->request->words_around;
    offer.extra = plain->request->nests
                      ? cheapest(a, b, 0, 0)
                      : growth(first_a, first_b) + growth(first_b, first_a);
    return offer;
}

static bool is_cheaper(const struct plain_offer *offer,
                       const struct plain_offer *best)
{
    return best->saved == 0 ||
           offer->extra * best->saved < best->extra * offer->saved;
}

// The first of the cheapest levels to make equal to the one before.
static struct plain_offer offer_level(const struct plain *plain, size_t chain,
                                      size_t *level)
{
    struct plain_offer best = {0};
    const struct plain_level *levels = plain->chains[chain].levels;
    for (size_t i = 1; i < plain->chains[chain].count; i++) {
        struct plain_offer offer = {chain, chain,
                                    growth(&levels[i], &levels[i - 1]),
                                    plain->request->words_inside};
        if (is_cheaper(&offer, &best)) {
            best = offer;
            *level = i;
        }
    }
    return best;
}

static struct plain_offer find_best(const struct plain *plain)
{
    struct plain_offer best = {0};
    size_t level;
    for (size_t low = 0; low < plain->count; low++) {
        struct plain_offer offer = offer_level(plain, low, &level);
        if (offer.saved > 0 && is_cheaper(&offer, &best))
            best = offer;
        for (size_t high = low + 1; high < plain->count; high++)
            if (plain->chains[low].count && plain->chains[high].count) {
                offer = make_offer(plain, low, high);
                if (is_cheaper(&offer, &best))
                    best = offer;
            }
    }
    return best;
}

static void add_level(struct plain_chain *chain,
                      const struct plain_level *level, uint64_t lines)
{
    struct plain_level *last = &chain->levels[chain->count];
    if (chain->count > 0 && last[-1].lines == lines)
        last[-1].blocks |= level->blocks;
    else {
        *last = (struct plain_level){lines, level->blocks};
        chain->count++;
    }
}

static struct plain_chain join_chains(const struct plain_chain *a,
                                      const struct plain_chain *b)
{
    struct plain_chain joined = {.count = 0};
    size_t i = 0;
    size_t j = 0;
    while (i < a->count && j < b->count) {
        uint64_t lines = a->levels[i].lines | b->levels[j].lines;
        if (cheapest(a, b, i, j) ==
            growth(&a->levels[i], &b->levels[j]) + cheapest(a, b, i + 1, j))
            add_level(&joined, &a->levels[i++], lines);
        else
            add_level(&joined, &b->levels[j++], lines);
    }
    for (; i < a->count; i++)
        add_level(&joined, &a->levels[i], a->levels[i].lines);
    for (; j < b->count; j++)
        add_level(&joined, &b->levels[j], b->levels[j].lines);
    return joined;
}

static void join_levels(struct plain *plain, size_t number)
{
    struct plain_chain *chain = &plain->chains[number];
    size_t level = 0;
    offer_level(plain, number, &level);
    chain->levels[level - 1].blocks |= chain->levels[level].blocks;
    chain->count--;
    for (; level < chain->count; level++)
        chain->levels[level] = chain->levels[level + 1];
}

static void take(struct plain *plain, const struct plain_offer *offer)
{
    struct plain_chain *a = &plain->chains[offer->low];
    struct plain_chain *b = &plain->chains[offer->high];
    if (a == b) {
        join_levels(plain, offer->low);
    } else if (plain->request->nests) {
        *a = join_chains(a, b);
        b->count = 0;
    } else {
        a->levels[0].lines |= b->levels[0].lines;
        a->levels[0].blocks |= b->levels[0].blocks;
        b->count = 0;
    }
}

uint64_t plain_step(struct plain *plain)
{
    struct plain_offer best = find_best(plain);
    if (best.saved > 0)
        take(plain, &best);
    return best.saved;
}

struct plain plain_make(const struct merge_request *request,
                        const struct lists *lists, const struct blocks *blocks)
{
    struct plain plain = {.request = request, .count = lists->list_count};
    for (size_t b = 0; b < blocks->count; b++) {
        struct plain_chain *chain =
            &plain.chains[lists_number(lists, lists->place[b])];
        chain->count = 1;
        chain->levels[0].lines = blocks->lines[b];
        chain->levels[0].blocks |= UINT64_C(1) << b;
    }
    return plain;
}

struct blocks plain_blocks(const struct plain *plain, size_t count)
{
    struct blocks blocks = {.count = count};
    for (size_t c = 0; c < plain->count; c++)
        for (size_t i = 0; i < plain->chains[c].count; i++)
            for (size_t b = 0; b < count; b++)
                if (plain->chains[c].levels[i].blocks >> b & 1)
                    blocks.lines[b] = plain->chains[c].levels[i].lines;
    return blocks;
}
