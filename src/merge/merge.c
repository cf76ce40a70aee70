// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists are stored as chains: each list contains the next one, its tail (see
// lists/pack.c).  Merging joins two chains A1 > A2 > ... and B1 > B2 > ... to
// one (">" is "contains"), which saves an end mark and the lines that A1 and B1
// have in common.  The list of the two whose blocks get fewer extra entries
// grows to A1 + B1, and its tail is next to be joined with the other.  So two
// single lists become A + B > B.  With zero headers a tail costs one word, its
// 0.  If the tail grows to equal the list before it, this word is saved, too.
//
// The pair with the fewest extra entries for each word saved comes first.  As
// lists with common lines are those of neighbouring blocks, a heap has pairs of
// neighbours.  The chains of the pair on top may have changed, so its price is
// found again; if it has risen, the pair sinks, else it is taken.
//
// Then all lists are packed anew, which saves more than was counted.  So half
// of the words over the limit are saved first, then half of what is left.

#include "merge/merge.h"

#include "lines/lines.h"
#include "lists/pack.h"

enum {
    MERGE_MOST_EXTRA = 4,        // extra entries for each entry
    MERGE_REPORT_WORK = 1 << 16, // steps between two reports of progress
    MERGE_PRICE_BITS = 16,       // of a price, behind the point
};

// Two lists whose chains may be joined, or that follow each other in one.
struct merge_offer {
    struct list_link *a, *b;
    uint32_t saved; // words; 0: there is nothing left to join
    uint64_t extra; // entries
    uint64_t price; // extra entries for each word saved; 0 until looked at
};

struct merger {
    struct context *context;
    struct lists *lists; // as they were
    enum list_header header;
    struct list_link *links;    // of the lists
    struct list_link **link_of; // of each block
    struct merge_offer *offers; // a heap
    size_t offer_count, merge_count;
    uint64_t extra_count; // entries
};

// Unites the lines of two lists, or only counts them if `lines` is NULL.
static uint32_t merge_unite(struct merger *merger, const struct list_link *a,
                            const struct list_link *b, uint32_t *lines)
{
    const uint32_t *line_a = a->linedefs, *line_b = b->linedefs;
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

// Gives a list the lines of another, which makes it so long.
static nbstage_status merge_grow(struct merger *merger, struct list_link *link,
                                 const struct list_link *other, uint32_t length)
{
    uint32_t *lines;
    if (length == link->length)
        return NBSTAGE_OK;
    nbstage_status status = context_allocate(
        merger->context, (size_t)length + 1, sizeof *lines, &lines);
    if (status != NBSTAGE_OK)
        return status;
    merge_unite(merger, link, other, lines);
    lines[length] = LIST_END;
    if (link->extra > 0)
        context_release(merger->context, link->linedefs);
    link->linedefs = lines;
    link->extra += length - link->length;
    link->length = length;
    return NBSTAGE_OK;
}

// Takes an offer, or only finds what it costs and saves.
static nbstage_status merge_take(struct merger *merger,
                                 struct merge_offer *offer, bool only_counts)
{
    struct list_link *a = offer->a, *b = offer->b;
    struct list_link *last = NULL; // of the new chain
    const uint32_t more = a->length - b->length;
    nbstage_status status = NBSTAGE_OK;
    while (a->outer)
        a = a->outer;
    while (b->outer)
        b = b->outer;
    if (a == b) {
        offer->saved = merger->header == HEADER_ZERO && more > 0 &&
                       offer->b->outer == offer->a;
        offer->extra = more * offer->b->block_count;
        if (!only_counts)
            status = merge_grow(merger, offer->b, offer->a, offer->a->length);
    } else {
        offer->saved = a->length + b->length - merge_unite(merger, a, b, NULL) +
                       (merger->header == HEADER_ANY ? 2 : 1);
        offer->extra = 0;
    }
    while (a != b && b && status == NBSTAGE_OK) {
        const uint32_t length = merge_unite(merger, a, b, NULL);
        const uint64_t a_grows = (length - a->length) * a->block_count;
        const uint64_t b_grows = (length - b->length) * b->block_count;
        struct list_link *grown = a_grows <= b_grows ? a : b;
        offer->extra += a_grows <= b_grows ? a_grows : b_grows;
        a = grown == a ? b : a;
        b = grown->inner;
        if (only_counts)
            continue;
        status = merge_grow(merger, grown, a, length);
        grown->outer = last;
        if (last)
            last->inner = grown;
        grown->inner = a; // unless b is next
        a->outer = last = grown;
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

// Offers the list of each block with the one to the south and the one before.
// Blocks without lines are skipped, so that all lists can become one.
static nbstage_status merge_begin(struct merger *merger, size_t columns)
{
    struct lists *lists = merger->lists;
    const struct context_array arrays[] = {
        {&merger->link_of, lists->block_count, sizeof(struct list_link *)},
        {&merger->offers, 2 * lists->block_count, sizeof *merger->offers},
    };
    struct list_link *before = NULL;
    nbstage_status status = context_allocate_arrays(merger->context, arrays, 2);
    if (status == NBSTAGE_OK)
        status = pack_link_lists(merger->context, lists, &merger->links);
    if (status == NBSTAGE_OK)
        status = pack_nest_lists(merger->context, lists, merger->links);
    for (size_t b = 0; b < lists->block_count && status == NBSTAGE_OK; b++) {
        struct list_link *link = &merger->links[lists->words[lists->place[b]]];
        struct list_link *const others[] = {
            b >= columns ? merger->link_of[b - columns] : NULL, before};
        merger->link_of[b] = link;
        link->block_count++;
        for (size_t i = 0; i < 2 && link->length > 0; i++)
            if (others[i] && others[i] != link && others[i]->length > 0)
                merger->offers[merger->offer_count++] =
                    (struct merge_offer){.a = link, .b = others[i]};
        if (link->length > 0)
            before = link;
    }
    return status;
}

// Builds the lists that blocks have now.
static nbstage_status merge_build_lists(const struct merger *merger,
                                        const struct grid *grid,
                                        struct lists *built)
{
    struct context *context = merger->context;
    const struct lists *lists = merger->lists;
    struct entries entries = {0};
    uint64_t *pairs, count = 0;
    for (size_t b = 0; b < lists->block_count; b++)
        count += merger->link_of[b]->length;
    nbstage_status status =
        context_allocate(context, count, sizeof *pairs, &pairs);
    if (status != NBSTAGE_OK)
        return status;
    count = 0;
    for (size_t b = 0; b < lists->block_count; b++)
        for (const uint32_t *line = merger->link_of[b]->linedefs;
             *line != LIST_END; line++)
            pairs[count++] = (uint64_t)*line << 32 | b;
    status = entries_of_pairs(context, pairs, (size_t)count, lists->linedef_end,
                              &entries);
    context_release(context, pairs);
    if (status == NBSTAGE_OK)
        status = lists_build(context, grid, &entries, built);
    entries_free(context, &entries);
    return status;
}

nbstage_status merge_lists(struct context *context, const struct grid *grid,
                           enum list_header header, enum lump_limit limit,
                           struct lists *lists)
{
    const struct pack_form form = {PACK_NEST, header};
    struct merger merger = {
        .context = context, .lists = lists, .header = header};
    struct lists merged = {0};
    size_t count;
    nbstage_status status = merge_begin(&merger, grid->columns);
    do {
        count = merger.merge_count;
        lists_free(context, &merged);
        if (status == NBSTAGE_OK)
            status = merge_build_lists(&merger, grid, &merged);
        if (status == NBSTAGE_OK)
            status = pack_lists(context, form, &merged);
        if (status == NBSTAGE_OK) {
            const struct lump_measure measure = lump_measure(&merged);
            const uint64_t over = lump_words_over(&measure, limit);
            status = merge_take_offers(&merger, (over + 1) / 2);
        }
    } while (status == NBSTAGE_OK && merger.merge_count > count);
    merged.merge_count = count;
    merged.extra_count = merger.extra_count;
    merged.is_early |= context_work_left(context) == 0;
    for (size_t l = 0; merger.links && l < lists->list_count; l++) {
        const uint32_t extra = merger.links[l].extra;
        if (extra > merged.extra_at_worst)
            merged.extra_at_worst = extra;
        if (extra > 0)
            context_release(context, merger.links[l].linedefs);
    }
    context_release(context, merger.links);
    context_release(context, merger.link_of);
    lists_free(context, lists);
    *lists = merged;
    return status;
}
