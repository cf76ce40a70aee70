// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every chain has an offer: the chain to join it with, the words saved and the
// extra entries.  A heap has the best offer on top.  An offer is the best of
// its chain with all chains at the time it was made; a chain made later has its
// own offer with it.  When a chain changes, offers with it are out of date.
// What replaces them can only be worse, so they are made again only when they
// come to the top: an offer that is on top and up to date is the best of all
// pairs.
//
// An index of chains by line finds the chains with common lines.  It leaves out
// a line of very many chains: nearly all chains would meet each other, and the
// line does not show that two of them are alike.
//
// A pair without common lines saves few words, always the same number, so it is
// good if its chains are short and few blocks have them.  For single lists,
// only lists with at most one list that is better in both can be the best pair.
// These few lists are the front, and it makes one more offer.  For chains of
// several lists this is a rule of thumb.
//
// Work is counted.  After too much of it, each chain is joined only with the
// next one by number.  Lists are numbered as blocks first have them, so these
// are neighbours on the map.

#include "merge/merge.h"

enum {
    FRONT_CHAINS = 64,
    INDEX_CHAINS = 1024, // most chains of a line in the index
    PROGRESS_STEPS = 64,
    PROGRESS_OFFERS = 1024,
    WORK_FOR_MET = 16, // steps
};

// Steps of the innermost loops, a few seconds of them.
static const uint64_t usual_work = UINT64_C(1) << 29;

// Two chains to join, or one chain twice: to make two of its lists equal.
struct offer {
    uint32_t low, high; // numbers; LIST_NUMBER_NONE twice if there is no offer
    uint32_t made;      // the number of steps before it
    uint32_t saved;     // words, not 0
    uint64_t extra;     // entries
};

static const struct offer no_offer = {.low = LIST_NUMBER_NONE,
                                      .high = LIST_NUMBER_NONE};

struct merger {
    struct context *context;
    struct chain_set set;
    struct merge_request request;

    // The index: the chains whose first list has each line are
    // having[begin[line]] to having[end[line] - 1].
    uint32_t *having;
    uint32_t *begin, *end;

    // Chains met by one chain, and the lines that each shares with it.
    uint32_t *met;
    size_t met_count;
    uint32_t *met_lines; // by chain; 0 for the others
    size_t unindexed;    // lines of the one chain that are not in the index

    uint32_t *changed; // the number of steps with each chain's last change
    uint32_t *next;    // the chain after each, see next_chain

    struct offer *offers; // of each chain
    uint32_t *heap;       // chains by their offers
    uint32_t *position;   // of each chain in the heap
    size_t heap_count;
    struct offer front_offer;

    struct offer *steps; // offers taken
    struct merge_result result;

    uint64_t work;         // of looking for offers
    uint64_t counted_work; // the part that the context knows of
};

// Returns the next chain by number, or the number of lists; after
// LIST_NUMBER_NONE comes the first chain.  Chains that were joined with others
// are unlinked here.
static inline uint32_t next_chain(struct merger *merger, uint32_t chain)
{
    const size_t list_count = merger->set.lists->list_count;
    uint32_t *link = &merger->next[(uint32_t)(chain + 1)];
    while (*link < list_count && merger->set.chains[*link].level_count == 0)
        *link = merger->next[*link + 1];
    return *link;
}

// ---------------------------------------------------------------------------
// Work

static bool is_too_much(const struct merger *merger)
{
    return !merger->result.is_early &&
           merger->work > merger->request.work_limit;
}

// Adds the work since the last time to that of the context.
static void count_work(struct merger *merger)
{
    merger->context->work += merger->work - merger->counted_work;
    merger->counted_work = merger->work;
}

// ---------------------------------------------------------------------------
// The index

static void make_index(struct merger *merger)
{
    const struct chain *chains = merger->set.chains;
    const uint32_t list_count = (uint32_t)merger->set.lists->list_count;
    uint32_t next = 0;
    for (uint32_t c = 0; c < list_count; c++)
        for (size_t i = 0; i < chains[c].line_count; i++)
            merger->end[chains[c].lines[i].linedef]++;
    for (size_t line = 0; line < merger->set.lists->linedef_end; line++) {
        uint32_t count = merger->end[line];
        bool is_indexed = count > 0 && count <= INDEX_CHAINS;
        next += is_indexed ? count : 0;
        merger->begin[line] = merger->end[line] = is_indexed ? next : 0;
    }
    for (uint32_t c = list_count; c-- > 0;)
        for (size_t i = 0; i < chains[c].line_count; i++) {
            uint32_t line = chains[c].lines[i].linedef;
            if (merger->end[line] > 0)
                merger->having[--merger->begin[line]] = c;
        }
}

// Finds the chains that have indexed lines in common with one.
static void find_met(struct merger *merger, uint32_t number)
{
    const struct chain *chain = &merger->set.chains[number];
    merger->met_count = 0;
    merger->unindexed = 0;
    for (size_t i = 0; i < chain->line_count; i++) {
        const uint32_t begin = merger->begin[chain->lines[i].linedef];
        const uint32_t end = merger->end[chain->lines[i].linedef];
        merger->unindexed += begin == end;
        merger->work += end - begin + 1;
        for (uint32_t h = begin; h < end; h++) {
            uint32_t other = merger->having[h];
            if (other != number && merger->met_lines[other]++ == 0)
                merger->met[merger->met_count++] = other;
        }
    }
}

// Replaces the higher of two chains by the lower one, before they are joined.
static void join_in_index(struct merger *merger, uint32_t low, uint32_t high)
{
    const struct chain *from = &merger->set.chains[high];
    uint32_t *having = merger->having;
    chain_set_mark(&merger->set, low);
    for (size_t i = 0; i < from->line_count; i++) {
        uint32_t line = from->lines[i].linedef;
        uint32_t h = merger->begin[line];
        if (h == merger->end[line])
            continue;
        while (having[h] != high)
            h++;
        merger->work += h - merger->begin[line];
        having[h] =
            merger->set.mark[line] != 0 ? having[--merger->end[line]] : low;
    }
    chain_set_unmark(&merger->set, low);
}

// ---------------------------------------------------------------------------
// Offers

static bool is_none(const struct offer *offer)
{
    return offer->low == LIST_NUMBER_NONE;
}

static bool is_current(const struct merger *merger, const struct offer *offer)
{
    return is_none(offer) || (merger->changed[offer->low] <= offer->made &&
                              merger->changed[offer->high] <= offer->made);
}

// Whether the first offer is better: fewer extra entries for a word saved, or
// equally many and lower numbers.
static bool is_better(const struct offer *a, const struct offer *b)
{
    if (is_none(a) || is_none(b))
        return !is_none(a);
    // Products of the numbers themselves would overflow.
    uint64_t cost_a = a->extra / a->saved;
    uint64_t cost_b = b->extra / b->saved;
    if (cost_a == cost_b) {
        cost_a = a->extra % a->saved * b->saved;
        cost_b = b->extra % b->saved * a->saved;
    }
    if (cost_a != cost_b)
        return cost_a < cost_b;
    return a->low != b->low ? a->low < b->low : a->high < b->high;
}

static struct offer name_offer(const struct merger *merger, uint32_t a,
                               uint32_t b)
{
    return (struct offer){.low = a < b ? a : b,
                          .high = a < b ? b : a,
                          .made = (uint32_t)merger->result.step_count};
}

// Takes the offer of two chains, of which the first is marked, for *best if it
// is better.
static void consider(struct merger *merger, uint32_t marked, uint32_t other,
                     struct offer *best)
{
    const struct chain *chains = merger->set.chains;
    struct offer offer = name_offer(merger, marked, other);
    uint32_t common;
    merger->work += chains[other].line_count;
    merger->work +=
        (uint64_t)chains[marked].level_count * chains[other].level_count;
    if (!chain_set_compare(&merger->set, marked, other, &offer.extra, &common))
        return;
    offer.saved = common + merger->request.words_around;
    if (is_better(&offer, best))
        *best = offer;
}

// Whether two chains with at most so many common lines may be better than an
// offer: the first list of one of them has to grow, or both have to.
static bool may_be_better(const struct merger *merger, uint32_t a, uint32_t b,
                          size_t common, const struct offer *best)
{
    const struct chain *chain_a = &merger->set.chains[a];
    const struct chain *chain_b = &merger->set.chains[b];
    if (common > chain_a->line_count)
        common = chain_a->line_count;
    if (common > chain_b->line_count)
        common = chain_b->line_count;
    struct offer bound = name_offer(merger, a, b);
    uint64_t a_grows =
        (chain_b->line_count - common) * chain_a->levels[0].block_count;
    uint64_t b_grows =
        (chain_a->line_count - common) * chain_b->levels[0].block_count;
    bound.saved = (uint32_t)common + merger->request.words_around;
    if (!merger->request.nests)
        bound.extra = a_grows + b_grows;
    else
        bound.extra = a_grows < b_grows ? a_grows : b_grows;
    return is_better(&bound, best);
}

// Considers every chain that has lines in common with one.
static void consider_met(struct merger *merger, uint32_t number,
                         struct offer *best)
{
    find_met(merger, number);
    merger->work += WORK_FOR_MET * merger->met_count;
    for (size_t m = 0; m < merger->met_count; m++) {
        uint32_t other = merger->met[m];
        size_t common = merger->met_lines[other] + merger->unindexed;
        merger->met_lines[other] = 0;
        if (may_be_better(merger, number, other, common, best))
            consider(merger, number, other, best);
    }
}

// Considers to make two lists of a chain equal.
static void consider_levels(struct merger *merger, uint32_t number,
                            struct offer *best)
{
    struct offer offer = name_offer(merger, number, number);
    offer.saved = merger->request.words_inside;
    merger->work += merger->set.chains[number].level_count;
    if (chain_set_find_level(&merger->set, number, &offer.extra) > 0 &&
        is_better(&offer, best))
        *best = offer;
}

static struct offer find_offer(struct merger *merger, uint32_t number)
{
    struct offer best = no_offer;
    chain_set_mark(&merger->set, number);
    merger->work += merger->set.chains[number].line_count;
    if (!merger->result.is_early) {
        consider_met(merger, number, &best);
    } else {
        uint32_t next = next_chain(merger, number);
        if (next < merger->set.lists->list_count)
            consider(merger, number, next, &best);
    }
    chain_set_unmark(&merger->set, number);
    if (merger->request.words_inside > 0)
        consider_levels(merger, number, &best);
    return best;
}

// ---------------------------------------------------------------------------
// The heap

static bool is_above(const struct merger *merger, uint32_t a, uint32_t b)
{
    return is_better(&merger->offers[a], &merger->offers[b]);
}

static void put(struct merger *merger, size_t position, uint32_t chain)
{
    merger->heap[position] = chain;
    merger->position[chain] = (uint32_t)position;
}

// Gives a chain another offer and moves it to where this belongs.
static void settle(struct merger *merger, uint32_t chain, struct offer offer)
{
    size_t here = merger->position[chain];
    merger->offers[chain] = offer;
    while (here > 0 && is_above(merger, chain, merger->heap[(here - 1) / 2])) {
        put(merger, here, merger->heap[(here - 1) / 2]);
        here = (here - 1) / 2;
    }
    for (;;) {
        size_t child = 2 * here + 1;
        if (child + 1 < merger->heap_count &&
            is_above(merger, merger->heap[child + 1], merger->heap[child]))
            child++;
        if (child >= merger->heap_count ||
            !is_above(merger, merger->heap[child], chain))
            break;
        put(merger, here, merger->heap[child]);
        here = child;
    }
    put(merger, here, chain);
}

// Makes the offers of all chains, unless that is too much work.
static nbstage_status make_offers(struct merger *merger)
{
    const size_t list_count = merger->set.lists->list_count;
    nbstage_status status = NBSTAGE_OK;
    merger->heap_count = 0;
    for (uint32_t c = next_chain(merger, LIST_NUMBER_NONE);
         c < list_count && status == NBSTAGE_OK && !is_too_much(merger);
         c = next_chain(merger, c)) {
        put(merger, merger->heap_count++, c);
        settle(merger, c, find_offer(merger, c));
        if (merger->heap_count % PROGRESS_OFFERS == 0)
            status = context_progress(merger->context, c, list_count);
    }
    return status;
}

// ---------------------------------------------------------------------------
// The front

struct front {
    uint32_t chain[FRONT_CHAINS];
    size_t count;
};

// Whether the first chain is always the better choice: it is not in more
// blocks, and it is shorter, or as long and of the lower number.
static bool precedes(const struct merger *merger, uint32_t a, uint32_t b)
{
    const struct chain *chain_a = &merger->set.chains[a];
    const struct chain *chain_b = &merger->set.chains[b];
    if (chain_a->block_count > chain_b->block_count)
        return false;
    return chain_a->line_count < chain_b->line_count ||
           (chain_a->line_count == chain_b->line_count && a < b);
}

static size_t count_preceding(const struct merger *merger,
                              const struct front *front, uint32_t chain)
{
    size_t count = 0;
    for (size_t f = 0; f < front->count && count < 2; f++)
        count += precedes(merger, front->chain[f], chain);
    return count;
}

// Adds a chain that at most one of the front precedes, and removes those that
// are then preceded by more than one.
static void add_to_front(struct merger *merger, struct front *front,
                         uint32_t chain)
{
    merger->work += front->count;
    if (count_preceding(merger, front, chain) > 1)
        return;
    const struct front before = *front;
    front->count = 0;
    for (size_t f = 0; f < before.count; f++) {
        uint32_t other = before.chain[f];
        if (!precedes(merger, chain, other) ||
            count_preceding(merger, &before, other) == 0)
            front->chain[front->count++] = other;
    }
    if (front->count < FRONT_CHAINS)
        front->chain[front->count++] = chain;
}

static struct offer find_front_offer(struct merger *merger)
{
    struct offer best = no_offer;
    struct front front = {.count = 0};
    for (uint32_t c = next_chain(merger, LIST_NUMBER_NONE);
         c < merger->set.lists->list_count; c = next_chain(merger, c))
        add_to_front(merger, &front, c);
    for (size_t f = 0; f < front.count; f++) {
        uint32_t marked = front.chain[f];
        chain_set_mark(&merger->set, marked);
        for (size_t o = 0; o < f; o++)
            consider(merger, marked, front.chain[o], &best);
        chain_set_unmark(&merger->set, marked);
    }
    return best;
}

// ---------------------------------------------------------------------------
// Steps

// Brings the best offers up to date and returns the best of all.
static nbstage_status find_best(struct merger *merger, struct offer *best)
{
    for (;;) {
        if (is_too_much(merger)) {
            merger->result.is_early = true;
            merger->front_offer = no_offer;
            nbstage_status status = make_offers(merger);
            if (status != NBSTAGE_OK)
                return status;
        }
        uint32_t top = merger->heap[0];
        *best = merger->offers[top];
        if (!is_current(merger, best)) {
            settle(merger, top, find_offer(merger, top));
            continue;
        }
        if (!is_better(&merger->front_offer, best))
            return NBSTAGE_OK;
        if (is_current(merger, &merger->front_offer)) {
            *best = merger->front_offer;
            return NBSTAGE_OK;
        }
        merger->front_offer = find_front_offer(merger);
    }
}

// Takes a step with a set of chains.
static nbstage_status apply(struct chain_set *set, const struct offer *step)
{
    if (step->low != step->high)
        return chain_set_join(set, step->low, step->high);
    chain_set_join_levels(set, step->low);
    return NBSTAGE_OK;
}

static nbstage_status take_step(struct merger *merger,
                                const struct offer *offer)
{
    const uint32_t low = offer->low;
    const uint32_t high = offer->high;
    if (low != high && !merger->result.is_early)
        join_in_index(merger, low, high);
    nbstage_status status = apply(&merger->set, offer);
    if (status != NBSTAGE_OK)
        return status;
    merger->steps[merger->result.step_count++] = *offer;
    merger->result.saved_words += offer->saved;
    merger->changed[low] = (uint32_t)merger->result.step_count;
    merger->changed[high] = (uint32_t)merger->result.step_count;
    if (low != high)
        settle(merger, high, no_offer);
    settle(merger, low, find_offer(merger, low));
    return NBSTAGE_OK;
}

nbstage_status merger_merge(struct merger *merger, uint64_t words)
{
    const struct merge_result *result = &merger->result;
    const uint64_t before = result->saved_words;
    nbstage_status status = NBSTAGE_OK;
    while (result->saved_words - before < words && status == NBSTAGE_OK &&
           context_work_left(merger->context) > 0) {
        struct offer best;
        status = find_best(merger, &best);
        count_work(merger);
        if (status == NBSTAGE_OK && is_none(&best))
            break;
        if (status == NBSTAGE_OK)
            status = take_step(merger, &best);
        if (status == NBSTAGE_OK && result->step_count % PROGRESS_STEPS == 0)
            status = context_progress(merger->context, result->step_count,
                                      2 * merger->set.lists->list_count);
    }
    return status;
}

// ---------------------------------------------------------------------------
// Mergers

static nbstage_status prepare(struct merger *merger)
{
    const struct lists *lists = merger->set.lists;
    const size_t list_count = lists->list_count;
    const struct context_array arrays[] = {
        {&merger->having, lists->start[list_count], sizeof *merger->having},
        {&merger->begin, lists->linedef_end, sizeof *merger->begin},
        {&merger->end, lists->linedef_end, sizeof *merger->end},
        {&merger->met, list_count, sizeof *merger->met},
        {&merger->met_lines, list_count, sizeof *merger->met_lines},
        {&merger->changed, list_count, sizeof *merger->changed},
        {&merger->next, list_count + 1, sizeof *merger->next},
        {&merger->offers, list_count, sizeof *merger->offers},
        {&merger->heap, list_count, sizeof *merger->heap},
        {&merger->position, list_count, sizeof *merger->position},
        {&merger->steps, 2 * list_count, sizeof *merger->steps},
    };
    nbstage_status status = context_allocate_arrays(
        merger->context, arrays, sizeof arrays / sizeof *arrays);
    if (status != NBSTAGE_OK)
        return status;
    for (uint32_t c = 0; c <= list_count; c++)
        merger->next[c] = c;
    make_index(merger);
    status = make_offers(merger);
    if (status == NBSTAGE_OK)
        merger->front_offer = find_front_offer(merger);
    count_work(merger);
    return status;
}

nbstage_status merger_make(struct context *context, const struct lists *lists,
                           const struct merge_request *request,
                           struct merger **merger)
{
    nbstage_status status =
        context_allocate_zeroed(context, 1, sizeof **merger, merger);
    if (status != NBSTAGE_OK)
        return status;
    (*merger)->context = context;
    (*merger)->request = *request;
    if (request->work_limit == 0)
        (*merger)->request.work_limit = usual_work;
    status = chain_set_make(context, lists, request->nests, request->inner,
                            &(*merger)->set);
    if (status == NBSTAGE_OK)
        status = prepare(*merger);
    if (status != NBSTAGE_OK) {
        merger_free(*merger);
        *merger = NULL;
    }
    return status;
}

void merger_free(struct merger *merger)
{
    if (!merger)
        return;
    struct context *context = merger->context;
    context_release(context, merger->having);
    chain_set_free(&merger->set);
    context_release(context, merger);
}

struct merge_result merger_result(const struct merger *merger)
{
    return merger->result;
}

nbstage_status merger_lists(struct merger *merger, size_t step_count,
                            struct lists *merged)
{
    struct chain_set set;
    *merged = (struct lists){0};
    nbstage_status status =
        chain_set_make(merger->context, merger->set.lists,
                       merger->request.nests, merger->request.inner, &set);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t s = 0; s < step_count && status == NBSTAGE_OK; s++)
        status = apply(&set, &merger->steps[s]);
    if (status == NBSTAGE_OK)
        status = chain_set_lists(&set, merged);
    chain_set_free(&set);
    return status;
}
