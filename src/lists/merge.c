// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists are stored as chains: each list contains the next one, its tail (see
// lists/nest.c).  Merging joins two chains A1 > A2 > ... and B1 > B2 > ... to
// one (">" is "contains"), which saves the words of the lines that A1 and B1
// have in common.  The list of the two whose blocks get fewer extra entries
// grows to A1 + B1, and its tail is next to be joined with the other.  So two
// single lists become A + B > B.  With zero headers a tail costs one word, its
// 0.  If the tail grows to equal the list before it, this word is saved, too.
//
// The pair with the fewest extra entries for each word saved comes first.  To
// look at all pairs would take too long, but lists with common lines are those
// of neighbouring blocks.  A heap has the cheapest pair of neighbours on top.
// Its chains may have changed, so its price is found again; if it has risen,
// the pair sinks, else it is taken.
//
// Then all lists are packed anew, which saves more than was counted.  So half
// of the words over the limit are saved first, then half of what is left.

#include "lists/merge.h"

#include "lines/entries.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MERGE_MOST_EXTRA = 4,        // extra entries for each entry
    MERGE_REPORT_WORK = 1 << 16, // steps between two reports of progress
    MERGE_PRICE_BITS = 16,       // of a price, behind the point
};

// A list of a chain.
struct merge_link {
    struct merge_link *inner, *outer; // its tail, and the list whose tail it is
    const uint32_t *lines;            // linedefs, ascending, and LIST_END
    uint32_t *own;                    // the memory of `lines` once it has grown
    uint32_t length;
    uint64_t block_count;
};

// Two links whose chains may be joined, or that follow each other in one.
struct merge_offer {
    struct merge_link *a, *b;
    uint32_t saved; // words; 0: there is nothing left to join
    uint64_t extra; // entries
    uint64_t price; // extra entries for each word saved
};

struct merger {
    struct context *context;
    const struct grid *grid;
    const struct lists *lists; // as they were
    enum list_header header;
    enum lump_limit limit;
    struct merge_link *links;    // of the lists
    struct merge_link **link_of; // of each block
    struct merge_offer *offers;  // a heap
    size_t offer_count, merge_count;
    uint64_t extra_count; // entries
};

// ---------------------------------------------------------------------------
// Chains

static struct merge_link *merge_chain_start(struct merge_link *link)
{
    while (link->outer)
        link = link->outer;
    return link;
}

// Counts the lines of two links together, and stores them unless `lines` is
// NULL.
static uint32_t merge_unite(struct merger *merger, const struct merge_link *a,
                            const struct merge_link *b, uint32_t *lines)
{
    const uint32_t *line_a = a->lines;
    const uint32_t *line_b = b->lines;
    uint32_t length = 0;
    for (; *line_a != LIST_END || *line_b != LIST_END; length++) {
        const uint32_t line = *line_a < *line_b ? *line_a : *line_b;
        line_a += *line_a == line;
        line_b += *line_b == line;
        if (lines)
            lines[length] = line;
    }
    merger->context->work += a->length + b->length;
    return length;
}

// Gives a link the lines of another.
static nbstage_status merge_grow(struct merger *merger, struct merge_link *link,
                                 const struct merge_link *other)
{
    const uint32_t length = merge_unite(merger, link, other, NULL);
    uint32_t *lines;
    nbstage_status status = context_allocate(
        merger->context, (size_t)length + 1, sizeof *lines, &lines);
    if (status != NBSTAGE_OK)
        return status;
    merge_unite(merger, link, other, lines);
    lines[length] = LIST_END;
    context_release(merger->context, link->own);
    link->lines = link->own = lines;
    link->length = length;
    return NBSTAGE_OK;
}

// Joins two chains, or only counts.  Adds the extra entries to *extra.
static nbstage_status merge_join(struct merger *merger, struct merge_link *a,
                                 struct merge_link *b, bool only_counts,
                                 uint64_t *extra)
{
    struct merge_link *last = NULL;
    nbstage_status status = NBSTAGE_OK;
    while (a && b && status == NBSTAGE_OK) {
        const uint32_t length = merge_unite(merger, a, b, NULL);
        const uint64_t a_grows = (length - a->length) * a->block_count;
        const uint64_t b_grows = (length - b->length) * b->block_count;
        struct merge_link *grown = a_grows <= b_grows ? a : b;
        *extra += a_grows <= b_grows ? a_grows : b_grows;
        a = grown == a ? b : a;
        b = grown->inner;
        if (only_counts)
            continue;
        status = merge_grow(merger, grown, a);
        grown->outer = last;
        if (last)
            last->inner = grown;
        last = grown;
    }
    if (!only_counts) { // what is left is a, as b ended
        last->inner = a;
        a->outer = last;
    }
    return status;
}

// ---------------------------------------------------------------------------
// Offers

// Takes an offer, or only finds what it costs and saves.
static nbstage_status merge_take(struct merger *merger,
                                 struct merge_offer *offer, bool only_counts)
{
    struct merge_link *a = merge_chain_start(offer->a);
    struct merge_link *b = merge_chain_start(offer->b);
    nbstage_status status = NBSTAGE_OK;
    offer->extra = 0;
    if (a != b) {
        offer->saved = a->length + b->length - merge_unite(merger, a, b, NULL) +
                       (merger->header == HEADER_ANY ? 2 : 1);
        status = merge_join(merger, a, b, only_counts, &offer->extra);
    } else {
        const uint32_t more = offer->a->length - offer->b->length;
        offer->saved = merger->header == HEADER_ZERO && more > 0 &&
                       offer->b->outer == offer->a;
        offer->extra = more * offer->b->block_count;
        if (!only_counts)
            status = merge_grow(merger, offer->b, offer->a);
    }
    if (offer->saved > 0)
        offer->price = (offer->extra << MERGE_PRICE_BITS) / offer->saved;
    return status;
}

// Moves the offer on top down to where its price belongs.
static void merge_sink(struct merger *merger)
{
    struct merge_offer *offers = merger->offers;
    const struct merge_offer offer = offers[0];
    size_t here = 0;
    size_t child;
    while ((child = 2 * here + 1) < merger->offer_count) {
        if (child + 1 < merger->offer_count &&
            offers[child + 1].price < offers[child].price)
            child++;
        if (offers[child].price >= offer.price)
            break;
        offers[here] = offers[child];
        here = child;
    }
    offers[here] = offer;
}

// Takes the cheapest offers until so many words are saved, unless that takes
// too much work or too many extra entries.
static nbstage_status merge_take_offers(struct merger *merger, uint64_t words)
{
    struct context *context = merger->context;
    struct merge_offer *top = merger->offers;
    const uint64_t most_extra = MERGE_MOST_EXTRA * merger->lists->entry_count;
    uint64_t total = 0;
    nbstage_status status = NBSTAGE_OK;
    while (total < words && merger->offer_count > 0 && status == NBSTAGE_OK &&
           context_work_left(context) > 0) {
        const uint64_t reports = context->work / MERGE_REPORT_WORK;
        const uint64_t price = top->price;
        merge_take(merger, top, true);
        if (top->saved == 0) {
            *top = merger->offers[--merger->offer_count];
        } else if (top->price <= price) {
            if (merger->extra_count + top->extra > most_extra)
                break;
            status = merge_take(merger, top, false);
            total += top->saved;
            merger->extra_count += top->extra;
            merger->merge_count++;
        }
        merge_sink(merger);
        if (status == NBSTAGE_OK && total < words &&
            context->work / MERGE_REPORT_WORK > reports)
            status = context_progress(context, total, words);
    }
    return status;
}

static void merge_add_offer(struct merger *merger, struct merge_link *a,
                            struct merge_link *b)
{
    if (a != b && a->length > 0 && b->length > 0)
        merger->offers[merger->offer_count++] =
            (struct merge_offer){.a = a, .b = b};
}

// Offers the list of each block with the one to the south and the one before.
// Blocks without lines are skipped, so that all lists can become one.
static void merge_make_offers(struct merger *merger)
{
    const uint32_t columns = merger->grid->columns;
    struct merge_link **link_of = merger->link_of;
    struct merge_link *before = link_of[0];
    for (size_t b = 1; b < merger->lists->block_count; b++) {
        if (b >= columns)
            merge_add_offer(merger, link_of[b], link_of[b - columns]);
        merge_add_offer(merger, link_of[b], before);
        if (link_of[b]->length > 0)
            before = link_of[b];
    }
}

// ---------------------------------------------------------------------------
// Lists and their packing

static nbstage_status merge_make_links(struct merger *merger)
{
    const struct lists *lists = merger->lists;
    const struct context_array arrays[] = {
        {&merger->links, lists->list_count, sizeof *merger->links},
        {&merger->link_of, lists->block_count, sizeof(struct merge_link *)},
        {&merger->offers, 2 * lists->block_count, sizeof *merger->offers},
    };
    struct nesting nesting;
    nbstage_status status = context_allocate_arrays(
        merger->context, arrays, sizeof arrays / sizeof *arrays);
    if (status == NBSTAGE_OK)
        status = nest_lists(merger->context, lists, PACK_NEST, &nesting);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t l = 0; l < lists->list_count; l++) {
        struct merge_link *link = &merger->links[l];
        link->lines = list_linedefs(lists, l);
        link->length = list_length(lists, l);
        if (nesting.inner[l] != LIST_NUMBER_NONE)
            link->inner = &merger->links[nesting.inner[l]];
        if (nesting.outer[l] != LIST_NUMBER_NONE)
            link->outer = &merger->links[nesting.outer[l]];
    }
    nesting_free(merger->context, &nesting);
    for (size_t b = 0; b < lists->block_count; b++) {
        merger->link_of[b] =
            &merger->links[lists_number(lists, lists->place[b])];
        merger->link_of[b]->block_count++;
    }
    merge_make_offers(merger);
    return NBSTAGE_OK;
}

// Builds the lists that blocks have now.
static nbstage_status merge_build_lists(const struct merger *merger,
                                        struct lists *built)
{
    struct context *context = merger->context;
    const size_t block_count = merger->lists->block_count;
    const size_t linedef_end = merger->lists->linedef_end;
    const uint32_t *line;
    struct entries entries = {0};
    size_t *next; // see entries_place
    nbstage_status status =
        context_allocate_zeroed(context, linedef_end, sizeof *next, &next);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t b = 0; b < block_count; b++)
        for (line = merger->link_of[b]->lines; *line != LIST_END;
             line++, entries.count++)
            next[*line]++;
    status = entries_place(context, next, linedef_end, &entries);
    for (uint32_t b = 0; b < block_count && status == NBSTAGE_OK; b++)
        for (line = merger->link_of[b]->lines; *line != LIST_END; line++)
            entries_add(&entries, next, b, *line);
    if (status == NBSTAGE_OK)
        status = lists_build(context, merger->grid, &entries, built);
    entries_free(context, &entries);
    context_release(context, next);
    return status;
}

// Packs the lists that blocks have now; *over is by how many words the lump
// misses the limit.
static nbstage_status merge_pack_lists(struct merger *merger, uint64_t *over,
                                       struct list_area *area)
{
    const struct pack_form form = {PACK_NEST, merger->header};
    struct lists lists;
    list_area_free(merger->context, area);
    nbstage_status status = merge_build_lists(merger, &lists);
    if (status == NBSTAGE_OK)
        status = pack_lists(merger->context, &lists, form, area);
    const struct lump_measure measure = lump_measure(area);
    *over = lump_words_over(&measure, merger->limit);
    return status;
}

nbstage_status merge_lists(struct context *context, const struct grid *grid,
                           const struct lists *lists, enum list_header header,
                           enum lump_limit limit, struct list_area *area)
{
    struct merger merger = {.context = context,
                            .grid = grid,
                            .lists = lists,
                            .header = header,
                            .limit = limit};
    size_t count;
    uint64_t over = 0;
    *area = (struct list_area){0};
    nbstage_status status = merge_make_links(&merger);
    do {
        count = merger.merge_count;
        if (status == NBSTAGE_OK)
            status = merge_pack_lists(&merger, &over, area);
        if (status == NBSTAGE_OK)
            status = merge_take_offers(&merger, over / 2 + over % 2);
    } while (status == NBSTAGE_OK && merger.merge_count > count);
    area->merge_count = count;
    area->price.extra_count = merger.extra_count;
    area->is_early |= context_work_left(context) == 0;
    for (size_t l = 0; merger.links && l < lists->list_count; l++) {
        const struct merge_link *link = &merger.links[l];
        const uint32_t extra = link->length - list_length(lists, l);
        if (extra > area->price.extra_at_worst)
            area->price.extra_at_worst = extra;
        context_release(context, link->own);
    }
    context_release(context, merger.links);
    if (status != NBSTAGE_OK)
        list_area_free(context, area);
    return status;
}
