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
// The calling thread works like the others, and between two moves of a grid
// it reports progress when it is time.  While others work longer it waits.

#include "config.h"

#include "search.h"

#include "lump.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { REPORT_MILLISECONDS = 20 };

// Scorers' memory, beyond which there are fewer threads than were asked for.
static const size_t MEMORY_AT_MOST = (size_t)1 << 30;

struct search {
    struct context *context;
    const struct lines *lines;
    const struct search_request *request;
    struct score_lines score_lines;

    int32_t offsets_x, offsets_y; // how many there are

    // Words of the lump with each origin, those of an offset_y together;
    // UINT64_MAX if it was not scored.  This is where packings whose lumps are
    // only estimated can read off which ones to build.
    uint64_t *word_counts;
    int32_t met_offset_x[SCORE_OFFSETS]; // where an offset_y meets the goal

    atomic_int next_offset_y;
    atomic_int met_offset_y; // the lowest that meets the goal, or offsets_y
    atomic_int done_count;   // of offsets_y
    atomic_bool is_over;

    // The calling thread's.
    struct timespec reported;
    enum status status;

    pthread_mutex_t mutex; // of running_count
    pthread_cond_t ended;
    size_t running_count; // threads beside the calling one
};

struct worker {
    struct search *search;
    struct scorer *scorer;
    int offset_y; // at work on
    bool is_caller;
    pthread_t thread;
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

// Reports progress if it is time; the host may cancel.
static void report(struct search *search)
{
    if (search->status != STATUS_OK ||
        milliseconds_since(&search->reported) < REPORT_MILLISECONDS)
        return;
    search->status = context_progress(search->context,
                                      (size_t)atomic_load(&search->done_count),
                                      (size_t)search->offsets_y);
    if (search->status != STATUS_OK)
        atomic_store(&search->is_over, true);
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

static bool meets_goal(const struct search *search, struct scorer *scorer,
                       uint64_t word_count)
{
    enum search_goal goal = search->request->goal;
    size_t line_count = search->lines->count;
    if (goal == SEARCH_SMALLEST || line_count > LUMP_CLASSIC_LINES ||
        word_count > LUMP_EXTENDED_WORDS)
        return false;
    if (goal == SEARCH_EXTENDED)
        return true;
    // The last list is that far from the end at most.
    if (word_count > LUMP_VANILLA_OFFSET + line_count + LIST_EXTRA_WORDS)
        return false;
    return scorer_largest_offset(scorer, search->request->pack.mode) <=
           LUMP_VANILLA_OFFSET;
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
    uint64_t *word_counts =
        search->word_counts + (size_t)worker->offset_y * SCORE_OFFSETS;
    if (!scorer_start(worker->scorer, worker->offset_y, &pause))
        return;
    for (int32_t x = 0; x < search->offsets_x; x++) {
        if (worker_is_over(worker))
            return;
        if (x > 0)
            scorer_move(worker->scorer);
        word_counts[x] =
            scorer_words(worker->scorer, search->request->pack.mode);
        if (meets_goal(search, worker->scorer, word_counts[x])) {
            search->met_offset_x[worker->offset_y] = x;
            lower_met_offset(search, worker->offset_y);
            break;
        }
    }
    atomic_fetch_add(&search->done_count, 1);
}

static void work(struct worker *worker)
{
    struct search *search = worker->search;
    for (;;) {
        worker->offset_y = atomic_fetch_add(&search->next_offset_y, 1);
        if (worker->offset_y >= search->offsets_y || worker_is_over(worker))
            return;
        score_offset(worker);
    }
}

// ---------------------------------------------------------------------------
// Threads

static void *run_worker(void *user)
{
    struct worker *worker = user;
    work(worker);
    pthread_mutex_lock(&worker->search->mutex);
    worker->search->running_count--;
    pthread_cond_signal(&worker->search->ended);
    pthread_mutex_unlock(&worker->search->mutex);
    return NULL;
}

// Starts threads for all workers but the first, which is the caller's; a
// thread that the system does not give is done without.  Returns how many
// workers there are.  Signals are for the host's threads.
static size_t start_threads(struct worker *workers, size_t count)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return 1;
    size_t started = 1;
    for (; started < count; started++) {
        struct worker *worker = &workers[started];
        pthread_mutex_lock(&worker->search->mutex);
        int error = pthread_create(&worker->thread, NULL, run_worker, worker);
        worker->search->running_count += error == 0;
        pthread_mutex_unlock(&worker->search->mutex);
        if (error != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

// Waits for the other threads, and reports progress as long as that takes.
static void wait_for_threads(struct search *search)
{
    pthread_mutex_lock(&search->mutex);
    while (search->running_count > 0) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += REPORT_MILLISECONDS * 1000000L;
        if (until.tv_nsec >= 1000000000L) {
            until.tv_nsec -= 1000000000L;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&search->ended, &search->mutex, &until);
        pthread_mutex_unlock(&search->mutex);
        report(search);
        pthread_mutex_lock(&search->mutex);
    }
    pthread_mutex_unlock(&search->mutex);
}

static void run(struct search *search, struct worker *workers, size_t count)
{
    pthread_mutex_init(&search->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&search->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    count = start_threads(workers, count);
    work(&workers[0]);
    wait_for_threads(search);
    for (size_t w = 1; w < count; w++)
        pthread_join(workers[w].thread, NULL);
    pthread_cond_destroy(&search->ended);
    pthread_mutex_destroy(&search->mutex);
}

// Processors that this process may run on.
static size_t count_processors(void)
{
#ifdef CPU_COUNT
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return (size_t)CPU_COUNT(&allowed);
#endif
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 ? (size_t)processors : 1;
}

static size_t choose_thread_count(const struct search *search)
{
    size_t count = search->request->thread_count;
    if (count == 0)
        count = count_processors();
    return count < SCORE_OFFSETS ? count : SCORE_OFFSETS; // of work
}

// Makes up to `count` workers, at least one; fewer where their memory would be
// too much or is not to be had.
static enum status make_workers(struct search *search, struct worker *workers,
                                size_t *count)
{
    size_t wanted = *count;
    enum status status = STATUS_OK;
    size_t affordable = MEMORY_AT_MOST / scorer_size(&search->score_lines) + 1;
    wanted = wanted < affordable ? wanted : affordable;
    for (*count = 0; *count < wanted; ++*count) {
        struct worker *worker = &workers[*count];
        *worker = (struct worker){.search = search, .is_caller = *count == 0};
        status =
            scorer_make(search->context, &search->score_lines, &worker->scorer);
        if (status != STATUS_OK)
            break;
    }
    return *count > 0 ? STATUS_OK : status;
}

static enum status score_all(struct search *search)
{
    struct worker *workers;
    size_t count = choose_thread_count(search);
    enum status status =
        context_allocate(search->context, count, sizeof *workers, &workers);
    if (status != STATUS_OK)
        return status;
    status = make_workers(search, workers, &count);
    if (status == STATUS_OK) {
        run(search, workers, count);
        status = search->status;
    }
    for (size_t w = 0; w < count; w++)
        scorer_free(search->context, workers[w].scorer);
    context_release(search->context, workers);
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

static struct search_answer answer_at(const struct search *search, int32_t x,
                                      int32_t y, size_t scored_count)
{
    return (struct search_answer){grid_from(search->lines->min_x - x,
                                            search->lines->min_y - y,
                                            search->lines),
                                  scored_count};
}

static struct search_answer read_answer(const struct search *search)
{
    int32_t met = atomic_load(&search->met_offset_y);
    if (met < search->offsets_y) {
        int32_t x = search->met_offset_x[met];
        return answer_at(search, x, met,
                         (size_t)(met * search->offsets_x + x) + 1);
    }
    size_t best = 0;
    for (size_t i = 0; i < SCORE_OFFSETS * (size_t)search->offsets_y; i++)
        if (search->word_counts[i] < search->word_counts[best])
            best = i;
    return answer_at(search, (int32_t)(best % SCORE_OFFSETS),
                     (int32_t)(best / SCORE_OFFSETS),
                     (size_t)(search->offsets_y * search->offsets_x));
}

enum status search_grid(struct context *context, const struct lines *lines,
                        const struct search_request *request,
                        struct search_answer *answer)
{
    struct search search = {
        .context = context,
        .lines = lines,
        .request = request,
        .offsets_x = count_offsets(lines->min_x),
        .offsets_y = count_offsets(lines->min_y),
    };
    atomic_init(&search.met_offset_y, search.offsets_y);
    clock_gettime(CLOCK_MONOTONIC, &search.reported);
    enum status status =
        context_allocate(context, (size_t)search.offsets_y * SCORE_OFFSETS,
                         sizeof *search.word_counts, &search.word_counts);
    if (status != STATUS_OK)
        return status;
    memset(search.word_counts, 0xFF,
           (size_t)search.offsets_y * SCORE_OFFSETS *
               sizeof *search.word_counts);
    status = score_lines_make(context, lines, &search.score_lines);
    if (status == STATUS_OK)
        status = score_all(&search);
    if (status == STATUS_OK)
        *answer = read_answer(&search);
    score_lines_free(context, &search.score_lines);
    context_release(context, search.word_counts);
    return status;
}
