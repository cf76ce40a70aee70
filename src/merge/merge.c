// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every chain has an offer: the chain with which it is best joined, the words
// that this saves and the lines that blocks list more for it.  A heap has the
// best offer on top.  An offer is the best of its chain with all chains that
// were there when it was made; chains made later have theirs with it.  When a
// chain changes, offers with it are out of date.  What is offered instead can
// only be worse, so it is enough to make them anew when they come to the top:
// what is at the top and up to date is the best of all pairs.
//
// Chains with lines in common are found by an index of chains by line.
//
// A pair without common lines saves few words, always the same number, so
// such a pair is cheap if its chains are short and few blocks have them.  Of
// single lists only those that are preceded in both by at most one other come
// into question; these few are the front, and it makes one more offer.  For
// chains of several lists that is a rule of thumb.
//
// Work is counted.  If there is too much of it, chains are joined with the next
// one by number only: lists are numbered as blocks first have them, so these
// are neighbours on the map.

#include "merge/merge.h"

#include "merge/merge-index.h"
#include "merge/merge-lists.h"

#include <string.h>

enum {
    FRONT_CHAINS = 64,
    PROGRESS_STEPS = 64,
    PROGRESS_OFFERS = 1024,
    WORK_FOR_MET = 16, // steps
};

// Steps of the innermost loops, a few seconds of them.
static const uint64_t usual_work = UINT64_C(1) << 29;

// Two chains to join, or twice the same one: to make two of its lists equal.
struct offer {
    uint32_t low, high; // numbers; LIST_NUMBER_NONE twice if there is no offer
    uint32_t low_version, high_version;
    uint64_t extra; // lines that blocks list more
    uint32_t saved; // words, not 0
};

static const struct offer no_offer = {.low = LIST_NUMBER_NONE,
                                      .high = LIST_NUMBER_NONE};

// Two chains that were joined, or a chain in which two lists were.
struct step {
    uint32_t low, high;
};

struct merger {
    struct context *context;
    struct chain_set set;
    struct chain_index index;
    struct merge_request request;
    uint32_t *inner; // a copy, or NULL

    uint32_t *version;         // of each chain; changes when it does
    uint32_t *next, *previous; // of each chain, by number, or LIST_NUMBER_NONE
    uint32_t first;

    struct offer *offers; // of each chain
    uint32_t *heap;       // chains by their offers
    uint32_t *position;   // of each chain in the heap
    size_t heap_count;
    struct offer front_offer;

    struct step *steps;
    size_t step_count;
    uint64_t saved_words;

    uint64_t work, work_limit; // of looking for offers, with the index's
    uint64_t counted_work;     // that the context has been told of
    bool is_near; // whether chains are joined with the next one only
};

// ---------------------------------------------------------------------------
// Work

static bool is_too_much(const struct merger *merger)
{
    return !merger->is_near &&
           merger->work + merger->index.work > merger->work_limit;
}

// Tells the context of the work since the last time.
static void count_work(struct merger *merger)
{
    uint64_t work = merger->work + merger->index.work;
    merger->context->work += work - merger->counted_work;
    merger->counted_work = work;
}

// ---------------------------------------------------------------------------
// Offers

static bool is_none(const struct offer *offer)
{
    return offer->low == LIST_NUMBER_NONE;
}

static bool is_current(const struct merger *merger, const struct offer *offer)
{
    return is_none(offer) ||
           (merger->version[offer->low] == offer->low_version &&
            merger->version[offer->high] == offer->high_version);
}

// Less than, equal to or greater than 0 as a word saved by the first offer
// costs less, the same or more.  Does not overflow, as products would.
static int compare_cost(const struct offer *a, const struct offer *b)
{
    uint64_t whole_a = a->extra / a->saved;
    uint64_t whole_b = b->extra / b->saved;
    if (whole_a == whole_b) {
        whole_a = a->extra % a->saved * b->saved;
        whole_b = b->extra % b->saved * a->saved;
    }
    return (whole_a > whole_b) - (whole_a < whole_b);
}

// Whether the first offer is the better one.  Of equal ones, it is that of
// lower numbers.
static bool is_better(const struct offer *a, const struct offer *b)
{
    if (is_none(a) || is_none(b))
        return !is_none(a);
    int cost = compare_cost(a, b);
    if (cost != 0)
        return cost < 0;
    return a->low != b->low ? a->low < b->low : a->high < b->high;
}

static struct offer name_offer(const struct merger *merger, uint32_t a,
                               uint32_t b)
{
    struct offer offer = {.low = a < b ? a : b, .high = a < b ? b : a};
    offer.low_version = merger->version[offer.low];
    offer.high_version = merger->version[offer.high];
    return offer;
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

// Whether two chains with so many common lines at most may be better than an
// offer: the first list of one of them has to grow, or both have to.
static bool may_be_better(const struct merger *merger, uint32_t a, uint32_t b,
                          size_t common, const struct offer *best)
{
    const struct chain *chain_a = &merger->set.chains[a];
    const struct chain *chain_b = &merger->set.chains[b];
    if (is_none(best))
        return true;
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
    struct chain_index *index = &merger->index;
    chain_index_meet(index, &merger->set, number);
    merger->work += WORK_FOR_MET * index->met_count;
    for (size_t m = 0; m < index->met_count; m++) {
        uint32_t other = index->met[m];
        size_t common = index->met_lines[other] + index->unindexed;
        if (may_be_better(merger, number, other, common, best))
            consider(merger, number, other, best);
    }
    chain_index_part(index);
}

// Takes for *best, if it is better, to make two lists of a chain equal.
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
    if (!merger->is_near)
        consider_met(merger, number, &best);
    else if (merger->next[number] != LIST_NUMBER_NONE)
        consider(merger, number, merger->next[number], &best);
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

// Moves a chain to where its offer belongs.
static void settle(struct merger *merger, uint32_t chain)
{
    size_t here = merger->position[chain];
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

static void take_out(struct merger *merger, uint32_t chain)
{
    size_t here = merger->position[chain];
    uint32_t last = merger->heap[--merger->heap_count];
    if (last != chain) {
        put(merger, here, last);
        settle(merger, last);
    }
}

static void renew_offer(struct merger *merger, uint32_t chain)
{
    merger->offers[chain] = find_offer(merger, chain);
    settle(merger, chain);
}

// Makes the offers of all chains, unless that is too much work.
static nbstage_status make_offers(struct merger *merger)
{
    nbstage_status status = NBSTAGE_OK;
    merger->heap_count = 0;
    for (uint32_t c = merger->first;
         c != LIST_NUMBER_NONE && status == NBSTAGE_OK && !is_too_much(merger);
         c = merger->next[c]) {
        merger->offers[c] = no_offer;
        put(merger, merger->heap_count++, c);
        renew_offer(merger, c);
        if (merger->heap_count % PROGRESS_OFFERS == 0)
            status = context_progress(merger->context, c,
                                      merger->set.lists->list_count);
    }
    return status;
}

// ---------------------------------------------------------------------------
// The front

struct front {
    uint32_t chain[FRONT_CHAINS];
    size_t count;
};

// Whether the first chain is always the better choice: it is shorter and not
// in more blocks, or as long, and of the lower number.
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
// more than one precedes then.
static void add_to_front(struct merger *merger, struct front *front,
                         uint32_t chain)
{
    merger->work += front->count;
    if (count_preceding(merger, front, chain) > 1)
        return;
    const struct front before = *front;
    front->count = 0;
    for (size_t f = 0; f < before.count; f++) {
        uint32_t present = before.chain[f];
        if (!precedes(merger, chain, present) ||
            count_preceding(merger, &before, present) == 0)
            front->chain[front->count++] = present;
    }
    if (front->count < FRONT_CHAINS)
        front->chain[front->count++] = chain;
}

static struct offer find_front_offer(struct merger *merger)
{
    struct offer best = no_offer;
    struct front front = {.count = 0};
    for (uint32_t c = merger->first; c != LIST_NUMBER_NONE; c = merger->next[c])
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
            merger->is_near = true;
            merger->front_offer = no_offer;
            nbstage_status status = make_offers(merger);
            if (status != NBSTAGE_OK)
                return status;
        }
        uint32_t top = merger->heap[0];
        *best = merger->offers[top];
        if (!is_current(merger, best)) {
            renew_offer(merger, top);
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

// Takes a chain that is not the first out of those that are ordered by number.
static void unlink_chain(struct merger *merger, uint32_t chain)
{
    uint32_t next = merger->next[chain];
    merger->next[merger->previous[chain]] = next;
    if (next != LIST_NUMBER_NONE)
        merger->previous[next] = merger->previous[chain];
}

// Takes a step with a set of chains.
static nbstage_status apply(struct chain_set *set, struct step step)
{
    if (step.low != step.high)
        return chain_set_join(set, step.low, step.high);
    chain_set_join_levels(set, step.low);
    return NBSTAGE_OK;
}

static nbstage_status take_step(struct merger *merger,
                                const struct offer *offer)
{
    const struct step step = {offer->low, offer->high};
    if (step.low != step.high && !merger->is_near)
        chain_index_join(&merger->index, &merger->set, step.low, step.high);
    nbstage_status status = apply(&merger->set, step);
    if (status != NBSTAGE_OK)
        return status;
    merger->version[step.low]++;
    if (step.low != step.high) {
        merger->version[step.high]++;
        unlink_chain(merger, step.high);
        take_out(merger, step.high);
    }
    merger->steps[merger->step_count++] = step;
    merger->saved_words += offer->saved;
    renew_offer(merger, step.low);
    return NBSTAGE_OK;
}

nbstage_status merger_merge(struct merger *merger, uint64_t words)
{
    const uint64_t before = merger->saved_words;
    nbstage_status status = NBSTAGE_OK;
    while (merger->saved_words - before < words && status == NBSTAGE_OK &&
           context_work_left(merger->context) > 0) {
        struct offer best;
        status = find_best(merger, &best);
        count_work(merger);
        if (status == NBSTAGE_OK && is_none(&best))
            break;
        if (status == NBSTAGE_OK)
            status = take_step(merger, &best);
        if (status == NBSTAGE_OK && merger->step_count % PROGRESS_STEPS == 0)
            status = context_progress(merger->context, merger->step_count,
                                      2 * merger->set.lists->list_count);
    }
    return status;
}

// ---------------------------------------------------------------------------
// Making a merger

// Links the chains in the order of their numbers.
static void link_chains(struct merger *merger)
{
    uint32_t next = LIST_NUMBER_NONE;
    for (uint32_t c = (uint32_t)merger->set.lists->list_count; c-- > 0;) {
        if (merger->set.chains[c].level_count == 0)
            continue;
        merger->next[c] = next;
        if (next != LIST_NUMBER_NONE)
            merger->previous[next] = c;
        next = c;
    }
    merger->first = next;
}

static nbstage_status allocate(struct merger *merger)
{
    const size_t list_count = merger->set.lists->list_count;
    const struct {
        void *array;
        size_t count, size;
    } arrays[] = {
        {&merger->inner, merger->request.inner ? list_count : 0,
         sizeof *merger->inner},
        {&merger->version, list_count, sizeof *merger->version},
        {&merger->next, list_count, sizeof *merger->next},
        {&merger->previous, list_count, sizeof *merger->previous},
        {&merger->offers, list_count, sizeof *merger->offers},
        {&merger->heap, list_count, sizeof *merger->heap},
        {&merger->position, list_count, sizeof *merger->position},
        {&merger->steps, 2 * list_count, sizeof *merger->steps},
    };
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0;
         i < sizeof arrays / sizeof *arrays && status == NBSTAGE_OK; i++)
        status = context_allocate_zeroed(merger->context, arrays[i].count,
                                         arrays[i].size, arrays[i].array);
    return status;
}

static nbstage_status prepare(struct merger *merger)
{
    nbstage_status status = allocate(merger);
    if (status != NBSTAGE_OK)
        return status;
    if (merger->inner)
        memcpy(merger->inner, merger->request.inner,
               merger->set.lists->list_count * sizeof *merger->inner);
    link_chains(merger);
    status = chain_index_make(&merger->set, &merger->index);
    if (status == NBSTAGE_OK)
        status = make_offers(merger);
    if (status == NBSTAGE_OK)
        merger->front_offer = find_front_offer(merger);
    count_work(merger);
    return status;
}

nbstage_status merger_make_with(struct context *context,
                                const struct lists *lists,
                                const struct merge_request *request,
                                uint64_t work_limit, struct merger **merger)
{
    nbstage_status status =
        context_allocate_zeroed(context, 1, sizeof **merger, merger);
    if (status != NBSTAGE_OK)
        return status;
    (*merger)->context = context;
    (*merger)->request = *request;
    (*merger)->work_limit = work_limit;
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

nbstage_status merger_make(struct context *context, const struct lists *lists,
                           const struct merge_request *request,
                           struct merger **merger)
{
    return merger_make_with(context, lists, request, usual_work, merger);
}

void merger_free(struct merger *merger)
{
    if (!merger)
        return;
    void *const arrays[] = {
        merger->inner,  merger->version, merger->next,     merger->previous,
        merger->offers, merger->heap,    merger->position, merger->steps,
    };
    struct context *context = merger->context;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        context_release(context, arrays[i]);
    chain_index_free(context, &merger->index);
    chain_set_free(&merger->set);
    context_release(context, merger);
}

// ---------------------------------------------------------------------------
// What has come of it

size_t merger_step_count(const struct merger *merger)
{
    return merger->step_count;
}

bool merger_is_early(const struct merger *merger)
{
    return merger->is_near;
}

uint64_t merger_saved_words(const struct merger *merger)
{
    return merger->saved_words;
}

nbstage_status merger_lists(struct merger *merger, size_t step_count,
                            struct lists *merged)
{
    struct chain_set set;
    *merged = (struct lists){0};
    nbstage_status status =
        chain_set_make(merger->context, merger->set.lists,
                       merger->request.nests, merger->inner, &set);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t s = 0; s < step_count && status == NBSTAGE_OK; s++)
        status = apply(&set, merger->steps[s]);
    if (status == NBSTAGE_OK)
        status = merge_lists_write(&set, merged);
    chain_set_free(&set);
    return status;
}
