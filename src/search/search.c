// SPDX-License-Identifier: GPL-2.0-or-later
//
// Threads take one offset_y after the other and score all origins with it.
// What they find is kept for each origin, so that the answer can be read off in
// order when all are done.
//
// A goal that is met ends the search early: offsets behind the first that
// meets it need not be looked at, while those before it are all completed,
// because they were taken earlier.
//
// Scores are exact for lists that are shared and begin with a 0.  For other
// packings they only rank origins, and lumps are built for some of these.
//
// The calling thread works like the others, and now and then it reports
// progress.
//
// What there is to do is fitted to the work limit beforehand, by the size of
// the map and by the first lump: what each thread gets done by when is not to
// make a difference.

#include "config.h"

#include "search/search.h"

#include "lump/lump.h"
#include "search/ranking.h"
#include "search/threads.h"
#include "search/trial.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { REPORT_MILLISECONDS = 20 };

// Memory of scorers or trials, beyond which there are fewer threads than were
// asked for; half of what the map may take, if that is less.
static const size_t MEMORY_AT_MOST = (size_t)1 << 30;

struct search {
    struct context *context;
    const struct lines *lines;
    const struct search_request *request;
    struct score_lines score_lines;

    struct ranking ranking;
    bool *meets;                         // whether an origin's lump does
    int32_t met_offset_x[SCORE_OFFSETS]; // where an offset_y meets the goal

    atomic_int next_offset_y;
    atomic_int met_offset_y; // the lowest that meets the goal, or offsets_y
    uint64_t most_entries;   // of an origin
    bool is_early;

    // Origins to build, and the steps that each may take.
    uint64_t trial_work;
    uint32_t *origins;
    size_t origin_count;
    atomic_size_t next_origin;

    atomic_size_t done_count; // of offsets_y or origins
    size_t total_count;
    atomic_bool is_over;
    struct worker *workers;
    size_t worker_count;

    // The calling thread's.
    struct timespec reported;
    nbstage_status status;
};

struct worker {
    struct search *search;
    bool is_caller;

    struct scorer *scorer;
    int offset_y; // at work on
    uint64_t most_entries;

    struct trial_memory memory; // of all but the caller's
    struct context context;     // of a trial
    bool is_early;              // whether one had too little work
};

// ---------------------------------------------------------------------------
// Progress

static int64_t milliseconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)(now.tv_sec - then->tv_sec) * 1000 +
           (now.tv_nsec - then->tv_nsec) / 1000000;
}

// Ends the search.
static void end_search(struct search *search, nbstage_status status)
{
    search->status = status;
    atomic_store(&search->is_over, true);
}

// Reports progress if it is time; the host may cancel.
static void report(void *user)
{
    struct search *search = user;
    if (search->status != NBSTAGE_OK ||
        milliseconds_since(&search->reported) < REPORT_MILLISECONDS)
        return;
    nbstage_status status = context_progress(
        search->context, atomic_load(&search->done_count), search->total_count);
    if (status != NBSTAGE_OK)
        end_search(search, status);
    clock_gettime(CLOCK_MONOTONIC, &search->reported);
}

static bool worker_is_over(void *user)
{
    const struct worker *worker = user;
    struct search *search = worker->search;
    if (worker->is_caller)
        report(search);
    return atomic_load_explicit(&search->is_over, memory_order_relaxed) ||
           worker->offset_y > atomic_load_explicit(&search->met_offset_y,
                                                   memory_order_relaxed);
}

// ---------------------------------------------------------------------------
// Scoring

// Whether scores are the sizes of lumps.
static bool scores_are_exact(const struct search *search)
{
    struct pack_form pack = search->request->pack;
    return pack.header == HEADER_ZERO &&
           (pack.mode == PACK_NONE || pack.mode == PACK_SHARE);
}

// The packing that scores are of.
static enum pack_mode scored_mode(const struct search *search)
{
    return search->request->pack.mode == PACK_NONE ? PACK_NONE : PACK_SHARE;
}

// Whether the grid that is scored meets a limit.
static bool scored_meets(const struct search *search, struct scorer *scorer,
                         uint64_t word_count, enum search_goal limit)
{
    size_t linedef_end = lines_number_end(search->lines);
    if (limit == SEARCH_SMALLEST || linedef_end > LUMP_CLASSIC_LINES ||
        word_count > LUMP_EXTENDED_WORDS)
        return false;
    if (limit == SEARCH_EXTENDED)
        return true;
    // The last list is that far from the end at most.
    if (linedef_end > LUMP_VANILLA_LINES ||
        word_count > LUMP_VANILLA_OFFSET + linedef_end + LIST_EXTRA_WORDS)
        return false;
    return scorer_largest_offset(scorer, scored_mode(search)) <=
           LUMP_VANILLA_OFFSET;
}

// The limit that the goal, or if that is the smallest lump, the request names.
static enum search_goal limit_of(const struct search *search)
{
    const struct search_request *request = search->request;
    return request->goal != SEARCH_SMALLEST ? request->goal : request->limit;
}

// Notes that an offset_y meets the goal.
static void lower_met_offset(struct search *search, int offset_y)
{
    int lowest = atomic_load(&search->met_offset_y);
    while (offset_y < lowest && !atomic_compare_exchange_weak(
                                    &search->met_offset_y, &lowest, offset_y))
        ;
}

// Scores the origins of one offset_y, up to one that meets the goal.
static void score_offset(struct worker *worker)
{
    struct search *search = worker->search;
    const struct score_pause pause = {worker_is_over, worker};
    const enum search_goal goal = search->request->goal;
    uint64_t *scores =
        search->ranking.scores + (size_t)worker->offset_y * SCORE_OFFSETS;
    if (!scorer_start(worker->scorer, worker->offset_y, &pause))
        return;
    for (int32_t x = 0; x < search->ranking.offsets_x; x++) {
        if (worker_is_over(worker))
            return;
        if (x > 0)
            scorer_move(worker->scorer);
        scores[x] = scorer_words(worker->scorer, scored_mode(search));
        uint64_t entries = scorer_entries(worker->scorer);
        if (entries > worker->most_entries)
            worker->most_entries = entries;
        if (!scores_are_exact(search))
            continue;
        size_t origin = ranking_number(x, worker->offset_y);
        search->meets[origin] =
            scored_meets(search, worker->scorer, scores[x], limit_of(search));
        if (search->meets[origin] && goal != SEARCH_SMALLEST) {
            search->met_offset_x[worker->offset_y] = x;
            lower_met_offset(search, worker->offset_y);
            break;
        }
    }
    atomic_fetch_add(&search->done_count, 1);
}

static void score(void *user, size_t number)
{
    struct search *search = user;
    struct worker *worker = &search->workers[number];
    for (;;) {
        worker->offset_y = atomic_fetch_add(&search->next_offset_y, 1);
        if (worker->offset_y >= search->ranking.offsets_y ||
            worker_is_over(worker))
            return;
        score_offset(worker);
    }
}

// ---------------------------------------------------------------------------
// Workers

static size_t choose_worker_count(const struct search *search, size_t size)
{
    size_t count = search->request->thread_count;
    size_t memory = search->context->limits.memory / 2;
    if (memory == 0 || memory > MEMORY_AT_MOST)
        memory = MEMORY_AT_MOST;
    size_t affordable = memory / size + 1;
    if (count == 0)
        count = threads_count_processors();
    count = count < SCORE_OFFSETS ? count : SCORE_OFFSETS; // of work
    return count < affordable ? count : affordable;
}

static void free_workers(struct search *search)
{
    for (size_t w = 0; w < search->worker_count; w++) {
        scorer_free(search->context, search->workers[w].scorer);
        context_release(search->context, search->workers[w].memory.block);
    }
    context_release(search->context, search->workers);
    search->workers = NULL;
    search->worker_count = 0;
}

// Makes workers, which need `size` bytes each: as many as were asked for, or
// fewer where their memory would be too much or is not to be had.
static nbstage_status
make_workers(struct search *search, size_t size,
             nbstage_status (*equip)(struct worker *worker, size_t size))
{
    size_t count = choose_worker_count(search, size);
    nbstage_status status = context_allocate(
        search->context, count, sizeof *search->workers, &search->workers);
    for (size_t w = 0; w < count && status == NBSTAGE_OK; w++) {
        struct worker *worker = &search->workers[w];
        *worker = (struct worker){.search = search, .is_caller = w == 0};
        status = equip(worker, size);
        search->worker_count += status == NBSTAGE_OK;
    }
    if (search->worker_count > 0)
        return NBSTAGE_OK;
    free_workers(search);
    return status;
}

// Has the workers work, and lets them go.
static nbstage_status run_workers(struct search *search,
                                  void (*work)(void *user, size_t worker),
                                  size_t total_count)
{
    const struct threads_job job = {work, report, search};
    atomic_store(&search->done_count, 0);
    search->total_count = total_count;
    threads_run(&job, search->worker_count);
    for (size_t w = 0; w < search->worker_count; w++)
        if (search->workers[w].most_entries > search->most_entries)
            search->most_entries = search->workers[w].most_entries;
    return search->status;
}

static nbstage_status equip_with_scorer(struct worker *worker, size_t size)
{
    (void)size;
    return scorer_make(worker->search->context, &worker->search->score_lines,
                       &worker->scorer);
}

// Leaves out offsets_y that are too much work, and half of all work for trials.
static void limit_offsets(struct search *search)
{
    uint64_t each = score_work(&search->score_lines);
    uint64_t affordable = context_work_left(search->context) / 2 / each;
    if (affordable < (uint64_t)search->ranking.offsets_y) {
        search->ranking.offsets_y = affordable > 0 ? (int32_t)affordable : 1;
        search->is_early = true;
    }
    search->context->work += each * (uint64_t)search->ranking.offsets_y;
}

static nbstage_status score_all(struct search *search)
{
    nbstage_status status = make_workers(
        search, scorer_size(&search->score_lines), equip_with_scorer);
    if (status == NBSTAGE_OK)
        status = run_workers(search, score, (size_t)search->ranking.offsets_y);
    free_workers(search);
    return status;
}

// ---------------------------------------------------------------------------
// Trials

static struct grid grid_at(const struct search *search, size_t origin)
{
    return grid_from(search->lines->min_x - ranking_x(origin),
                     search->lines->min_y - ranking_y(origin), search->lines);
}

static int32_t trial_progress(void *user, uint32_t done, uint32_t total)
{
    (void)done;
    (void)total;
    return worker_is_over(user);
}

// The caller's worker takes memory where the search does.
static nbstage_status equip_with_memory(struct worker *worker, size_t size)
{
    struct context *context = worker->search->context;
    worker->context = *context;
    worker->context.host = worker;
    worker->context.progress = trial_progress;
    worker->context.log = NULL;
    worker->context.limits = (struct limits){0}; // they are for the answer
    if (worker->is_caller)
        return NBSTAGE_OK;
    worker->memory.size = size;
    worker->context.user = &worker->memory;
    worker->context.allocate = trial_memory_allocate;
    worker->context.release = trial_memory_release;
    return context_allocate(context, size, 1, &worker->memory.block);
}

// Builds the lump of an origin.
static nbstage_status try_origin(struct worker *worker, size_t origin)
{
    struct search *search = worker->search;
    struct grid grid = grid_at(search, origin);
    struct lump_measure measure;
    worker->memory.used = 0;
    context_begin_work(&worker->context, search->trial_work);
    nbstage_status status = trial_build(&worker->context, search->lines, &grid,
                                        search->request->pack, &measure);
    if (status != NBSTAGE_OK)
        return status;
    worker->is_early |= context_work_left(&worker->context) == 0;
    search->ranking.built[origin] = measure.word_count;
    search->meets[origin] = limit_of(search) == SEARCH_VANILLA
                                ? measure.meets_vanilla
                                : measure.meets_extended;
    atomic_fetch_add(&search->done_count, 1);
    return NBSTAGE_OK;
}

// Ends the search with the failure of the caller's trial, unless it was ended
// before.
static void fail_search(struct worker *worker, nbstage_status status)
{
    struct search *search = worker->search;
    if (search->status != NBSTAGE_OK)
        return;
    memcpy(search->context->message, worker->context.message,
           sizeof worker->context.message);
    end_search(search, status);
}

static void try_origins(void *user, size_t number)
{
    struct search *search = user;
    struct worker *worker = &search->workers[number];
    while (!worker_is_over(worker)) {
        size_t next = atomic_fetch_add(&search->next_origin, 1);
        if (next >= search->origin_count)
            return;
        if (search->ranking.built[search->origins[next]] != UINT64_MAX)
            continue;
        nbstage_status status = try_origin(worker, search->origins[next]);
        if (status != NBSTAGE_OK && worker->is_caller)
            fail_search(worker, status);
    }
}

// Builds the lumps of all origins that are asked for.  What other workers have
// failed in, for want of memory, is left to the caller's.
static nbstage_status try_all(struct search *search)
{
    struct worker *caller = &search->workers[0];
    atomic_store(&search->next_origin, 0);
    nbstage_status status =
        run_workers(search, try_origins, search->origin_count);
    for (size_t i = 0; i < search->origin_count && status == NBSTAGE_OK; i++) {
        if (search->ranking.built[search->origins[i]] != UINT64_MAX)
            continue;
        status = try_origin(caller, search->origins[i]);
        if (status != NBSTAGE_OK)
            fail_search(caller, status);
    }
    return status == NBSTAGE_OK ? NBSTAGE_OK : search->status;
}

// The origins that it takes to do without the work limit.
static size_t count_wanted(const struct search *search)
{
    size_t origins =
        (size_t)(search->ranking.offsets_x * search->ranking.offsets_y);
    size_t wanted =
        ranking_lattice(&search->ranking, search->origins) + RANKING_MOST;
    return wanted < origins ? wanted : origins;
}

// Tries the first origin.  As others may take twice as much work, sets how many
// of `wanted` there can be.
static nbstage_status try_first(struct search *search, size_t block_count,
                                size_t wanted, size_t *affordable)
{
    struct worker *caller = &search->workers[0];
    search->trial_work = context_work_left(search->context) / 2 + 1;
    nbstage_status status = try_origin(caller, 0);
    if (status != NBSTAGE_OK)
        fail_search(caller, status);
    search->context->work += caller->context.work;
    uint64_t each = lists_work(search->most_entries, block_count);
    if (each < caller->context.work)
        each = caller->context.work;
    uint64_t left = context_work_left(search->context);
    uint64_t most = left / (2 * each);
    *affordable = most < wanted ? (size_t)most : wanted;
    search->trial_work = left / (*affordable + 1) + 1;
    return search->status;
}

// Tries the origins that the ranking names, so many at most.
static nbstage_status try_ranked(struct search *search, bool with_lattice,
                                 size_t most)
{
    nbstage_status status = NBSTAGE_OK;
    if (with_lattice) {
        search->origin_count =
            ranking_lattice(&search->ranking, search->origins);
        status = try_all(search);
    }
    if (status == NBSTAGE_OK) {
        search->origin_count = ranking_best(
            &search->ranking, with_lattice,
            most < RANKING_MOST ? most : RANKING_MOST, search->origins);
        status = try_all(search);
    }
    return status;
}

static nbstage_status try_lumps(struct search *search)
{
    struct grid largest =
        grid_at(search, ranking_number(search->ranking.offsets_x - 1,
                                       search->ranking.offsets_y - 1));
    size_t block_count = grid_block_count(&largest);
    size_t wanted = count_wanted(search);
    size_t size = search->request->trial_memory;
    size_t affordable;
    if (size == 0)
        size = trial_memory_size(search->lines->count, search->most_entries,
                                 block_count);
    nbstage_status status = make_workers(search, size, equip_with_memory);
    if (status != NBSTAGE_OK)
        return status;
    status = try_first(search, block_count, wanted, &affordable);
    search->is_early |= affordable < wanted;
    if (status == NBSTAGE_OK)
        status = try_ranked(search, affordable == wanted, affordable);
    for (size_t w = 0; w < search->worker_count; w++)
        search->is_early |= search->workers[w].is_early;
    free_workers(search);
    return status;
}

// ---------------------------------------------------------------------------
// The answer

// How many origins there are from the lowest coordinate on.
static int32_t count_offsets(int32_t lowest)
{
    int32_t room = lowest - INT16_MIN + 1;
    return room < SCORE_OFFSETS ? room : SCORE_OFFSETS;
}

// The smallest of those that meet the limit or, if none does, of all; of equals
// the first.
static size_t find_smallest(const struct search *search, const uint64_t *words)
{
    const bool *meets = search->meets;
    size_t best = 0;
    for (size_t i = 1; i < ranking_number(0, search->ranking.offsets_y); i++)
        if (words[i] != UINT64_MAX &&
            (meets[i] != meets[best] ? meets[i] : words[i] < words[best]))
            best = i;
    return best;
}

static size_t count_built(const struct search *search, size_t count)
{
    size_t built = 0;
    for (size_t i = 0; i < count; i++)
        built += search->ranking.built[i] != UINT64_MAX;
    return built;
}

static struct search_answer read_built(const struct search *search)
{
    size_t count = ranking_number(0, search->ranking.offsets_y);
    size_t best = find_smallest(search, search->ranking.built);
    for (size_t i = 0; search->request->goal != SEARCH_SMALLEST && i < count;
         i++) {
        if (search->meets[i]) {
            best = i;
            break;
        }
    }
    return (struct search_answer){
        grid_at(search, best),
        (size_t)(search->ranking.offsets_y * search->ranking.offsets_x),
        count_built(search, count), search->is_early};
}

static struct search_answer read_scores(const struct search *search)
{
    int32_t met = atomic_load(&search->met_offset_y);
    if (met < search->ranking.offsets_y) {
        int32_t x = search->met_offset_x[met];
        return (struct search_answer){
            grid_at(search, ranking_number(x, met)),
            (size_t)(met * search->ranking.offsets_x + x) + 1, 0, false};
    }
    size_t best = find_smallest(search, search->ranking.scores);
    return (struct search_answer){
        grid_at(search, best),
        (size_t)(search->ranking.offsets_y * search->ranking.offsets_x), 0,
        search->is_early};
}

// ---------------------------------------------------------------------------

static nbstage_status allocate_words(struct search *search, uint64_t **words)
{
    size_t count = ranking_number(0, search->ranking.offsets_y);
    nbstage_status status =
        context_allocate(search->context, count, sizeof **words, words);
    if (status == NBSTAGE_OK)
        memset(*words, 0xFF, count * sizeof **words);
    return status;
}

static nbstage_status allocate(struct search *search)
{
    size_t count = ranking_number(0, search->ranking.offsets_y);
    nbstage_status status = allocate_words(search, &search->ranking.scores);
    if (status == NBSTAGE_OK)
        status = context_allocate_zeroed(search->context, count,
                                         sizeof *search->meets, &search->meets);
    if (status != NBSTAGE_OK || scores_are_exact(search))
        return status;
    status = allocate_words(search, &search->ranking.built);
    if (status == NBSTAGE_OK)
        status = context_allocate(search->context, RANKING_MOST,
                                  sizeof *search->origins, &search->origins);
    return status;
}

nbstage_status search_grid(struct context *context, const struct lines *lines,
                           const struct search_request *request,
                           struct search_answer *answer)
{
    struct search search = {
        .context = context,
        .lines = lines,
        .request = request,
        .ranking = {.offsets_x = count_offsets(lines->min_x),
                    .offsets_y = count_offsets(lines->min_y)},
    };
    clock_gettime(CLOCK_MONOTONIC, &search.reported);
    bool are_exact = scores_are_exact(&search);
    context_begin_work(context, context->limits.work);
    nbstage_status status =
        score_lines_make(context, lines, &search.score_lines);
    if (status == NBSTAGE_OK) {
        limit_offsets(&search);
        atomic_init(&search.met_offset_y, search.ranking.offsets_y);
        status = allocate(&search);
    }
    if (status == NBSTAGE_OK)
        status = score_all(&search);
    score_lines_free(context, &search.score_lines);
    if (status == NBSTAGE_OK && !are_exact)
        status = try_lumps(&search);
    if (status == NBSTAGE_OK)
        *answer = are_exact ? read_scores(&search) : read_built(&search);
    context_release(context, search.ranking.scores);
    context_release(context, search.ranking.built);
    context_release(context, search.meets);
    context_release(context, search.origins);
    return status;
}
