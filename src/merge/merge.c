// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists are stored as chains: each list contains the next one, its tail (see
// lists/pack.c).  Merging joins two chains A1 > A2 > ... and B1 > B2 > ... to
// one (">" is "contains"), which saves an end mark and the lines that A1 and B1
// have in common.  The cheaper head, whose blocks get fewer extra entries,
// becomes A1 + B1; continue with its tail and the other chain.  So two single
// lists become A + B > B.  With HEADER_ZERO a tail costs one word, its 0.  If
// the tail grows to equal the list before it, this word is saved, too.
//
// The pair with the fewest extra entries for each word saved comes first.
// Lists with common lines mostly belong to neighbouring blocks, so a heap has
// pairs of neighbours only.  The chains of the pair on top may have changed, so
// its price is computed again.  If it has risen, the pair is sifted down, else
// it is taken.
//
// Repacking saves more than predicted, so each round removes half the excess.

#include "merge/merge.h"

#include "lines/lines.h"
#include "lists/lists.h"
#include "lists/pack.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MERGE_REPORT_WORK = 1 << 16, // steps between two reports of progress
    MERGE_PRICE_BITS = 16,       // fraction bits of a price
};

// Two lists whose chains may be joined, or one of which is the other's tail.
struct merge_offer {
    struct list_link *a, *b;
    uint32_t saved; // words; 0: there is nothing left to join
    uint64_t extra; // entries
    uint64_t price; // extra entries for each word saved; 0 until looked at
};

// A step of joining two chains: one of their heads grows to have the lines of
// the other, too.
struct merge_step {
    struct list_link *grown, *other;
    uint32_t length; // of the grown list
    uint64_t extra;  // entries
};

struct merger {
    struct context *context;
    struct lists *lists; // before merging
    enum list_header header;
    struct list_link *links;    // of the lists
    struct list_link **link_of; // of each block
    struct merge_offer *offers; // a heap
    size_t offer_count, merge_count;
    uint64_t extra_count;   // entries
    bool is_bounded;        // an offer had too many extra entries
    struct entries entries; // freed when the lists are built
};

static uint32_t merge_count_common(struct merger *merger,
                                   const struct list_link *a,
                                   const struct list_link *b)
{
    const uint32_t *line_a = a->linedefs, *line_b = b->linedefs;
    uint32_t common = 0;
    while (*line_a != LIST_END && *line_b != LIST_END) {
        const uint32_t at_a = *line_a, at_b = *line_b;
        common += at_a == at_b;
        line_a += at_a <= at_b;
        line_b += at_b <= at_a;
    }
    merger->context->work += a->length + b->length;
    return common;
}

// Writes the lines of either list, ascending, and LIST_END.
static void merge_unite(struct merger *merger, const struct list_link *a,
                        const struct list_link *b, uint32_t *lines)
{
    const uint32_t *line_a = a->linedefs, *line_b = b->linedefs;
    while (*line_a != LIST_END || *line_b != LIST_END) {
        const uint32_t line = *line_a < *line_b ? *line_a : *line_b;
        line_a += *line_a == line;
        line_b += *line_b == line;
        *lines++ = line;
    }
    *lines = LIST_END;
    merger->context->work += a->length + b->length;
}

// Replaces a list by its union with another; `length` is the result's.
static nbstage_status merge_grow(struct merger *merger, struct list_link *link,
                                 const struct list_link *other, uint32_t length)
{
    uint32_t *lines;
    if (length == link->length)
        return NBSTAGE_OK;
    NEED(context_allocate(merger->context, (size_t)length + 1, sizeof *lines,
                          &lines));
    merge_unite(merger, link, other, lines);
    if (link->extra > 0)
        context_release(merger->context, link->linedefs);
    link->linedefs = lines;
    link->extra += length - link->length;
    link->length = length;
    return NBSTAGE_OK;
}

static struct list_link *merge_head(struct list_link *link)
{
    while (link->outer)
        link = link->outer;
    return link;
}

// Finds the cheaper step for two heads.
static struct merge_step
merge_find_step(struct merger *merger, struct list_link *a, struct list_link *b)
{
    const uint32_t common = merge_count_common(merger, a, b);
    const uint32_t length = a->length + b->length - common;
    const uint64_t a_grows = (b->length - common) * a->block_count;
    const uint64_t b_grows = (a->length - common) * b->block_count;
    return a_grows <= b_grows ? (struct merge_step){a, b, length, a_grows}
                              : (struct merge_step){b, a, length, b_grows};
}

// Finds what joining two chains saves and costs.
static void merge_price_chains(struct merger *merger, struct list_link *a,
                               struct list_link *b, struct merge_offer *offer)
{
    offer->saved = merge_count_common(merger, a, b) +
                   (merger->header == HEADER_ANY ? 2 : 1);
    offer->extra = 0;
    while (b) {
        const struct merge_step step = merge_find_step(merger, a, b);
        offer->extra += step.extra;
        a = step.other;
        b = step.grown->inner;
    }
}

// Finds what growing a tail to equal the list before it saves and costs.  Puts
// the list first.
static void merge_price_tail(const struct merger *merger,
                             struct merge_offer *offer)
{
    struct list_link *list = offer->a, *tail = offer->b;
    if (list->outer == tail) {
        offer->a = tail;
        offer->b = list;
        list = offer->a;
        tail = offer->b;
    }
    const uint32_t more = list->length - tail->length;
    offer->saved =
        merger->header == HEADER_ZERO && tail->outer == list && more > 0;
    offer->extra = more * tail->block_count;
}

static void merge_price(struct merger *merger, struct merge_offer *offer)
{
    struct list_link *a = merge_head(offer->a), *b = merge_head(offer->b);
    if (a == b)
        merge_price_tail(merger, offer);
    else
        merge_price_chains(merger, a, b, offer);
    if (offer->saved > 0)
        offer->price = (offer->extra << MERGE_PRICE_BITS) / offer->saved;
}

static nbstage_status merge_join(struct merger *merger, struct list_link *a,
                                 struct list_link *b)
{
    struct list_link *last = NULL; // of the new chain
    while (b) {
        const struct merge_step step = merge_find_step(merger, a, b);
        a = step.other;
        b = step.grown->inner;
        NEED(merge_grow(merger, step.grown, a, step.length));
        step.grown->outer = last;
        if (last)
            last->inner = step.grown;
        step.grown->inner = a; // unless b is next
        a->outer = last = step.grown;
    }
    return NBSTAGE_OK;
}

static nbstage_status merge_take(struct merger *merger,
                                 const struct merge_offer *offer)
{
    struct list_link *a = merge_head(offer->a), *b = merge_head(offer->b);
    if (a == b)
        return merge_grow(merger, offer->b, offer->a, offer->a->length);
    return merge_join(merger, a, b);
}

// Moves the offer on top down to where its price belongs.
static void merge_sink(struct merger *merger)
{
    struct merge_offer *offers = merger->offers;
    const struct merge_offer offer = offers[0];
    const size_t count = merger->offer_count;
    size_t here = 0;
    for (size_t child; (child = 2 * here + 1) < count; here = child) {
        if (child + 1 < count && offers[child + 1].price < offers[child].price)
            child++;
        if (offers[child].price >= offer.price)
            break;
        offers[here] = offers[child];
    }
    offers[here] = offer;
}

// Takes the cheapest offers until `words` words are saved, unless that takes
// too much work or too many extra entries.
static nbstage_status merge_take_offers(struct merger *merger, uint64_t words)
{
    struct context *context = merger->context;
    struct merge_offer *top = merger->offers;
    const uint64_t most_extra = MERGE_MOST_EXTRA * merger->lists->entry_count;
    uint64_t total = 0;
    while (total < words && merger->offer_count > 0 &&
           context_work_left(context) > 0) {
        const uint64_t reports = context->work / MERGE_REPORT_WORK;
        const uint64_t price = top->price;
        merge_price(merger, top);
        if (top->saved == 0) {
            *top = merger->offers[--merger->offer_count];
        } else if (top->price <= price) {
            merger->is_bounded = merger->extra_count + top->extra > most_extra;
            if (merger->is_bounded)
                return NBSTAGE_OK;
            NEED(merge_take(merger, top));
            total += top->saved;
            merger->extra_count += top->extra;
            merger->merge_count++;
        }
        merge_sink(merger);
        if (total < words && context->work / MERGE_REPORT_WORK > reports)
            NEED(context_progress(context, total, words));
    }
    return NBSTAGE_OK;
}

// Offers a pair of different lists with lines.
static void merge_offer_pair(struct merger *merger, struct list_link *a,
                             struct list_link *b)
{
    if (a != b && b->length > 0)
        merger->offers[merger->offer_count++] =
            (struct merge_offer){.a = a, .b = b};
}

// Offers each block's list with those of its southern and western neighbours.
// Empty blocks to the west are skipped, also past the end of the row, so that
// all lists can become one.
static void merge_offer_neighbours(struct merger *merger, size_t columns)
{
    const struct lists *lists = merger->lists;
    struct list_link *west = NULL;
    for (size_t b = 0; b < lists->block_count; b++) {
        struct list_link *link = &merger->links[lists->words[lists->place[b]]];
        merger->link_of[b] = link;
        link->block_count++;
        if (link->length == 0)
            continue;
        if (b >= columns)
            merge_offer_pair(merger, link, merger->link_of[b - columns]);
        if (west)
            merge_offer_pair(merger, link, west);
        west = link;
    }
}

// Links the lists to chains, and offers pairs of them.
static nbstage_status merge_begin(struct merger *merger, size_t columns)
{
    struct lists *lists = merger->lists;
    const struct context_array arrays[] = {
        {&merger->link_of, lists->block_count, sizeof(struct list_link *)},
        {&merger->offers, 2 * lists->block_count, sizeof *merger->offers},
    };
    NEED(context_allocate_arrays(merger->context, arrays, 2));
    NEED(pack_link_lists(merger->context, lists, &merger->links));
    NEED(pack_nest_lists(merger->context, lists, merger->links));
    merge_offer_neighbours(merger, columns);
    return NBSTAGE_OK;
}

// Finds the entries of the lists that blocks have now.
static nbstage_status merge_find_entries(struct merger *merger)
{
    struct context *context = merger->context;
    const struct lists *lists = merger->lists;
    uint64_t *pairs, count = 0;
    for (size_t b = 0; b < lists->block_count; b++)
        count += merger->link_of[b]->length;
    NEED(context_allocate(context, count, sizeof *pairs, &pairs));
    count = 0;
    for (size_t b = 0; b < lists->block_count; b++)
        for (const uint32_t *line = merger->link_of[b]->linedefs;
             *line != LIST_END; line++)
            pairs[count++] = (uint64_t)*line << 32 | b;
    nbstage_status status = entries_of_pairs(
        context, pairs, (size_t)count, lists->linedef_end, &merger->entries);
    context_release(context, pairs);
    return status;
}

// Builds and packs the lists that blocks have now.
static nbstage_status merge_build_lists(struct merger *merger,
                                        const struct grid *grid,
                                        struct lists *built)
{
    const struct pack_form form = {PACK_NEST, merger->header};
    NEED(merge_find_entries(merger));
    NEED(lists_build(merger->context, grid, &merger->entries, built));
    entries_free(merger->context, &merger->entries); // room for packing
    return pack_lists(merger->context, form, built);
}

// Merges in rounds until the limit is met or no offer is taken.
static nbstage_status merge_run(struct merger *merger, const struct grid *grid,
                                enum lump_limit limit, struct lists *merged)
{
    struct share left = merger->context->share;
    size_t count;
    context_begin_step(merger->context, &left, 1, 4);
    NEED(merge_begin(merger, grid->columns));
    do {
        count = merger->merge_count;
        lists_free(merger->context, merged);
        context_begin_step(merger->context, &left, 1, 4);
        NEED(merge_build_lists(merger, grid, merged));
        const struct lump_measure measure = lump_measure(merged);
        const uint64_t over = lump_words_over(&measure, limit);
        context_begin_step(merger->context, &left, 1, 4);
        NEED(merge_take_offers(merger, (over + 1) / 2));
    } while (merger->merge_count > count);
    merged->merge_count = count;
    merged->extra_count += merger->extra_count;
    merged->is_bounded = merger->is_bounded;
    merged->is_early |= context_work_left(merger->context) == 0;
    uint32_t at_worst = 0;
    for (size_t l = 0; l < merger->lists->list_count; l++)
        if (merger->links[l].extra > at_worst)
            at_worst = merger->links[l].extra;
    merged->extra_at_worst += at_worst;
    return NBSTAGE_OK;
}

static void merge_free(struct merger *merger)
{
    struct context *context = merger->context;
    if (merger->links)
        for (size_t l = 0; l < merger->lists->list_count; l++)
            if (merger->links[l].extra > 0)
                context_release(context, merger->links[l].linedefs);
    context_release(context, merger->links);
    context_release(context, merger->link_of);
    entries_free(context, &merger->entries);
}

nbstage_status merge_lists(struct context *context, const struct grid *grid,
                           enum list_header header, enum lump_limit limit,
                           struct lists *lists)
{
    struct merger merger = {
        .context = context, .lists = lists, .header = header};
    struct lists merged = {0};
    nbstage_status status = merge_run(&merger, grid, limit, &merged);
    merge_free(&merger);
    lists_free(context, lists);
    *lists = merged;
    return status;
}
