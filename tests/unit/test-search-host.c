// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a search is a good guest in its host: progress of one that takes
// a second is reported ten times, and a wish to cancel ends it at once.  That
// memory comes back and the instance then builds as before is in
// test-refused-memory.
//
// A busy machine may be in the way of what has to happen in time.  So of the
// time between two reports only that counts in which the process has worked,
// and the best of several tries.

#include "context-for-tests.h"
#include "plugin.h"
#include "random-map.h"

#include <time.h>

enum {
    TRIES = 20,
    LEAST_REPORTS = 10,       // if they came at equal distances
    CANCEL_MILLISECONDS = 50, // from the wish to the end, at most
    SEARCH_PARTS = 128,       // of a search, one for each offset in y
};

// A search that takes about a second, and one that takes so long at each of its
// origins in y that it has to be cancelled in their midst.
static const struct scatter large = {11, 40000 / SLOWNESS, 20000, 600};
static const struct scatter huge = {13, 600000 / SLOWNESS, 20000, 600};

static struct {
    clock_t last; // report, or the beginning or the end
    clock_t gap, longest_gap;
    // Of reports by the search itself, which tell of SEARCH_PARTS in all.
    size_t search_reports;
    uint32_t last_done;
} watcher;

static void note_gap(void)
{
    const clock_t now = clock();
    watcher.gap = now - watcher.last;
    if (watcher.gap > watcher.longest_gap)
        watcher.longest_gap = watcher.gap;
    watcher.last = now;
}

static int32_t watch_progress(void *host, uint32_t done, uint32_t total)
{
    note_gap();
    if (total == SEARCH_PARTS) {
        ck_assert_uint_ge(done, watcher.last_done);
        watcher.search_reports++;
        watcher.last_done = done;
    }
    return test_progress(host, done, total);
}

// Searches until the longest gap, and the one at the end, are as short as they
// have to be, or the tries are used up; whether they are.
static bool search_in_time(const struct scatter *scatter,
                           nbstage_status expected)
{
    struct nbstage_host host = test_callbacks;
    host.progress = watch_progress;
    struct random_map lines = scattered_map_make(scatter);
    const struct nbstage_map map = RANDOM_MAP(&lines, "MAP01");
    struct nbstage_instance *instance = plugin_create_for(&host, "grid=search");
    const clock_t millisecond = CLOCKS_PER_SEC / 1000;
    bool is_in_time = false;
    for (int i = 0; i < TRIES && !is_in_time; i++) {
        struct nbstage_result result = {.size = sizeof result};
        test_host.progress_count = 0;
        const clock_t begin = watcher.last = clock();
        watcher.longest_gap = 0;
        watcher.search_reports = watcher.last_done = 0;
        ck_assert_int_eq(plugin_stage()->build(instance, &map, &result),
                         expected);
        note_gap();
        plugin_stage()->free_result(instance, &result);
        is_in_time =
            expected == NBSTAGE_CANCELLED
                ? watcher.gap <= CANCEL_MILLISECONDS * millisecond
                : watcher.longest_gap <= (watcher.last - begin) / LEAST_REPORTS;
    }
    plugin_stage()->destroy(instance);
    random_map_free(&lines);
    return is_in_time;
}

TEST(progress_is_reported_ten_times)
{
    ck_assert(search_in_time(&large, NBSTAGE_OK));
    ck_assert_uint_gt(watcher.search_reports, 2);
}

LOOP_TEST(cancelled_search_ends_at_once, 3)
{
    static const size_t reports[] = {1, 2, 7};
    test_host.cancelled_report = reports[_i];
    ck_assert(search_in_time(&huge, NBSTAGE_CANCELLED));
    ck_assert_uint_eq(test_host.progress_count, reports[_i]);
}
