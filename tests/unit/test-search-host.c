// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a search, with threads of its own, is a good guest in its host:
// callbacks on the host's thread alone and often enough, cancelled at once,
// all memory returned, no signal taken, and other searches beside it.
//
// Where something has to happen in time, a busy machine may be in the way, so
// the best of several tries counts.

#include "context-for-tests.h"
#include "plugin.h"
#include "random-map.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    TRIES = 5,
    GAP_MILLISECONDS = 100,   // between two reports, at most
    CANCEL_MILLISECONDS = 50, // from the wish to the end, at most
    SEARCH_PARTS = 128,       // of a search, one for each offset in y
};

// A search that takes about a second; one that takes so long at each of its
// origins in y that it has to be cancelled in their midst; and a short one.
static const struct scatter large_scatter = {11, 40000 / SLOWNESS, 20000, 600};
static const struct scatter huge_scatter = {13, 600000 / SLOWNESS, 20000, 600};
static const struct scatter small_scatter = {12, 400, 3000, 400};

static struct random_map map_lines;
static struct nbstage_map map;

// Before and after every test there is none.
static void free_map(void)
{
    random_map_free(&map_lines);
}

static void use_map(const struct scatter *scatter)
{
    free_map();
    map_lines = scattered_map_make(scatter);
    map = random_map_arrays(&map_lines, "MAP01");
}

static int64_t milliseconds_between(struct timespec from, struct timespec to)
{
    return (int64_t)(to.tv_sec - from.tv_sec) * 1000 +
           (to.tv_nsec - from.tv_nsec) / 1000000;
}

static struct timespec read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time;
}

// ---------------------------------------------------------------------------
// A host that watches

struct watcher {
    pthread_t thread;      // that builds
    atomic_int elsewhere;  // calls on other threads
    struct timespec began; // the build
    struct timespec last;  // report, or the beginning or the end
    struct timespec work;  // of all threads by then, as time of processors
    int64_t gap;           // before it, milliseconds
    int64_t longest_gap;
    // Of reports by the search itself, which tell of so many parts in all.
    uint32_t search_parts;
    size_t search_reports;
    uint32_t first_done, last_done;
    bool went_back; // one told of less than that before it
};

static struct watcher watcher;

static void note_thread(void)
{
    if (!pthread_equal(pthread_self(), watcher.thread))
        atomic_fetch_add(&watcher.elsewhere, 1);
}

static void *watch_allocate(void *host, size_t bytes)
{
    note_thread();
    return test_allocate(host, bytes);
}

static void watch_release(void *host, void *memory)
{
    note_thread();
    test_release(host, memory);
}

// On a machine that has other work to do, too, only the work counts that was
// done between two reports: what is waited for is not up to the stage.
static void note_gap(void)
{
    struct timespec time = read_clock(CLOCK_MONOTONIC);
    struct timespec work = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    int64_t waited = milliseconds_between(watcher.last, time);
    int64_t worked = milliseconds_between(watcher.work, work);
    watcher.gap = waited < worked ? waited : worked;
    if (watcher.gap > watcher.longest_gap)
        watcher.longest_gap = watcher.gap;
    watcher.last = time;
    watcher.work = work;
}

static int32_t watch_progress(void *host, uint32_t done, uint32_t total)
{
    note_thread();
    note_gap();
    if (total == watcher.search_parts) {
        if (watcher.search_reports++ == 0)
            watcher.first_done = done;
        else
            watcher.went_back |= done < watcher.last_done;
        watcher.last_done = done;
    }
    return test_progress(host, done, total);
}

static const struct nbstage_host watching_host = {
    .size = sizeof watching_host,
    .context = &test_host,
    .allocate = watch_allocate,
    .release = watch_release,
    .log = test_log,
    .progress = watch_progress,
};

static struct nbstage_instance *create(const char *options)
{
    watcher.thread = pthread_self();
    watcher.search_parts = SEARCH_PARTS;
    return plugin_create_for(&watching_host, options);
}

// Returns how long it took, in milliseconds.  watcher.gap is then what passed
// since the last report.
static int64_t build(struct nbstage_instance *instance, nbstage_status expected)
{
    struct nbstage_result result = {.size = sizeof result};
    test_host.progress_count = 0;
    watcher.began = watcher.last = read_clock(CLOCK_MONOTONIC);
    watcher.work = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    watcher.longest_gap = 0;
    watcher.search_reports = 0;
    watcher.went_back = false;
    nbstage_status status = plugin_stage()->build(instance, &map, &result);
    note_gap();
    ck_assert_int_eq(status, expected);
    ck_assert_uint_eq(result.lump_count, status == NBSTAGE_OK);
    ck_assert_uint_gt(result.fact_count, 0);
    plugin_stage()->free_result(instance, &result);
    return milliseconds_between(watcher.began, watcher.last);
}

// Also for threads that have no test to fail.
static bool builds(struct nbstage_instance *instance,
                   const struct plugin_lump *expected)
{
    struct nbstage_result result = {.size = sizeof result};
    bool same =
        plugin_stage()->build(instance, &map, &result) == NBSTAGE_OK &&
        result.lumps->data_size == expected->size &&
        memcmp(result.lumps->data, expected->bytes, expected->size) == 0;
    plugin_stage()->free_result(instance, &result);
    return same;
}

// After the instance is gone.
static void check_left_nothing(void)
{
    ck_assert_ptr_null(test_host.blocks);
    ck_assert_int_eq(atomic_load(&watcher.elsewhere), 0);
}

static const char *const thread_options[] = {
    "grid=search threads=1",
    "grid=search threads=4",
    "grid=search",
};

// ---------------------------------------------------------------------------
// Progress

LOOP_TEST(progress_is_reported_ten_times_a_second, COUNT(thread_options))
{
    use_map(&large_scatter);
    struct nbstage_instance *instance = create(thread_options[_i]);
    int64_t best_gap = INT64_MAX;
    for (int i = 0; i < TRIES && best_gap > GAP_MILLISECONDS; i++) {
        int64_t time = build(instance, NBSTAGE_OK);
        ck_assert_uint_gt(watcher.search_reports, 2);
        ck_assert_uint_lt(watcher.first_done, watcher.last_done);
        ck_assert_uint_le(watcher.last_done, SEARCH_PARTS);
        ck_assert(!watcher.went_back);
        printf("%s: %zu reports in %" PRId64 " ms, at most %" PRId64
               " ms apart\n",
               thread_options[_i], watcher.search_reports, time,
               watcher.longest_gap);
        if (watcher.longest_gap < best_gap)
            best_gap = watcher.longest_gap;
    }
    ck_assert_int_le(best_gap, GAP_MILLISECONDS);
    plugin_stage()->destroy(instance);
    check_left_nothing();
}

// At the southern end of the coordinates one origin in y is left: one of eight
// threads has work, which need not be the host's.
TEST(progress_is_reported_while_only_other_threads_work)
{
    enum { REPETITIONS = 3 };
    use_map(&huge_scatter);
    random_map_move(&map_lines, 0, INT32_MIN);
    struct nbstage_instance *instance = create("grid=search threads=8");
    watcher.search_parts = 1;
    for (int i = 0; i < REPETITIONS; i++) {
        build(instance, NBSTAGE_OK);
        ck_assert_uint_gt(watcher.search_reports, 1);
    }
    plugin_stage()->destroy(instance);
    check_left_nothing();
}

// ---------------------------------------------------------------------------
// Cancelling

static const size_t cancelled_reports[] = {1, 2, 7};

// Cancels a search; returns how long it then took to end.
static int64_t cancel(struct nbstage_instance *instance, size_t report)
{
    test_host.cancelled_report = report;
    build(instance, NBSTAGE_CANCELLED);
    test_host.cancelled_report = 0;
    assert_tells(plugin_stage()->last_error(instance), "MAP01", "cancelled");
    ck_assert_uint_eq(test_host.progress_count, report); // and none after it
    return watcher.gap;
}

// Cancels with each number of threads and each number of reports, and then
// searches with the same instance.
LOOP_TEST(cancelled_search_ends_at_once,
          COUNT(thread_options) * COUNT(cancelled_reports))
{
    const char *options = thread_options[(size_t)_i / COUNT(cancelled_reports)];
    size_t report = cancelled_reports[(size_t)_i % COUNT(cancelled_reports)];
    struct nbstage_instance *instance = create(options);
    int64_t shortest = INT64_MAX;
    use_map(&huge_scatter);
    for (int i = 0; i < TRIES && shortest > CANCEL_MILLISECONDS; i++) {
        int64_t time = cancel(instance, report);
        shortest = time < shortest ? time : shortest;
    }
    ck_assert_int_le(shortest, CANCEL_MILLISECONDS);

    use_map(&small_scatter);
    struct plugin_lump expected = plugin_build(&map, "grid=search threads=1");
    ck_assert(builds(instance, &expected));
    plugin_stage()->destroy(instance);
    check_left_nothing();
    plugin_free(&expected);
}

// ---------------------------------------------------------------------------
// Searches beside each other

enum { HOST_THREADS = 3, SEARCHES = 6 };

struct neighbour {
    pthread_t thread;
    const char *options;
    const struct plugin_lump *expected;
    bool succeeded;
};

static void *search_in_thread(void *argument)
{
    struct neighbour *neighbour = argument;
    struct nbstage_instance *instance = plugin_create(neighbour->options);
    neighbour->succeeded = true;
    for (int i = 0; i < SEARCHES; i++)
        neighbour->succeeded &= builds(instance, neighbour->expected);
    plugin_stage()->destroy(instance);
    return NULL;
}

TEST(searches_of_several_instances_do_not_disturb_each_other)
{
    use_map(&small_scatter);
    struct plugin_lump expected = plugin_build(&map, "grid=search threads=1");
    struct neighbour neighbours[HOST_THREADS];
    for (size_t i = 0; i < HOST_THREADS; i++) {
        neighbours[i] = (struct neighbour){.options = thread_options[i],
                                           .expected = &expected};
        ck_assert_int_eq(pthread_create(&neighbours[i].thread, NULL,
                                        search_in_thread, &neighbours[i]),
                         0);
    }
    for (size_t i = 0; i < HOST_THREADS; i++) {
        ck_assert_int_eq(pthread_join(neighbours[i].thread, NULL), 0);
        ck_assert_msg(neighbours[i].succeeded, "%s: another lump",
                      thread_options[i]);
    }
    plugin_free(&expected);
}

// ---------------------------------------------------------------------------
// Signals

static volatile sig_atomic_t signal_count;

static void count_signal(int number)
{
    (void)number;
    signal_count++;
}

static sigset_t the_signal(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    return set;
}

// Once, when the host's thread does not want the signal, sends it to the
// process: it has to wait, for no other thread may take it.
static int32_t send_signal(void *host, uint32_t done, uint32_t total)
{
    sigset_t set = the_signal();
    struct test_host *reports = host;
    if (reports->progress_count == 0) {
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        kill(getpid(), SIGUSR1);
    }
    return test_progress(host, done, total);
}

TEST(signals_are_left_to_the_threads_of_the_host)
{
    const struct nbstage_host host = {
        .size = sizeof host, .context = &test_host, .progress = send_signal};
    const struct sigaction action = {.sa_handler = count_signal};
    sigset_t set = the_signal();
    sigset_t pending, mask;
    ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
    use_map(&large_scatter);
    struct nbstage_instance *instance =
        plugin_create_for(&host, "grid=search threads=4");
    build(instance, NBSTAGE_OK);
    ck_assert_uint_gt(test_host.progress_count, 1);
    ck_assert_int_eq(signal_count, 0);
    ck_assert_int_eq(sigpending(&pending), 0);
    ck_assert_int_eq(sigismember(&pending, SIGUSR1), 1);
    ck_assert_int_eq(pthread_sigmask(SIG_UNBLOCK, &set, &mask), 0);
    ck_assert_int_eq(signal_count, 1);
    ck_assert_int_eq(sigismember(&mask, SIGUSR2), 0); // as it was before
    plugin_stage()->destroy(instance);
}

// ---------------------------------------------------------------------------

int main(void)
{
    TCase *tests = all_tests();
    tcase_add_checked_fixture(tests, NULL, free_map);
    return run_tests(tests);
}
