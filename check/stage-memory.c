// SPDX-License-Identifier: GPL-2.0-or-later
//
// Memory that is refused, and calls that are cancelled, at every single
// request and report.

#include "stage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// After so many requests or reports, not all are tried.
enum { MOST_TRIALS = 200 };

// The instance builds the same as a new one, when nothing is refused any more.
static void check_usable(struct session *session, const struct nbstage_map *map,
                         const struct text *expected)
{
    struct text made = {0};
    session->host.refuse_from = session->host.cancel_at = 0;
    session_write(session, map, false, &made);
    check_same("the build after one that ended early", &made, expected);
}

// Returns how many requests or reports there were.
static size_t try_to_end(const struct map *map, const struct text *expected,
                         const struct host *trial)
{
    struct session session = {.host = *trial};
    nbstage_status status = session_try(&session);
    if (status == NBSTAGE_OK) {
        struct nbstage_result result;
        status = session_build(&session, map->map, &result);
        session_free(&session, &result);
    }
    size_t count =
        trial->cancel_at > 0 ? session.host.reports : session.host.requests;
    if (status != NBSTAGE_OK && status != NBSTAGE_CANCELLED &&
        status != NBSTAGE_OUT_OF_MEMORY)
        fail("the status is %" PRId32 " when memory is refused", status);
    if (session.instance && status != NBSTAGE_OK)
        check_usable(&session, map->map, expected);
    if (session.instance)
        session_close(&session);
    else if (session.host.blocks)
        fail("create failed and left memory that was not released");
    return count;
}

// Tries all numbers up to the last, or some of them if there are many.  Refuses
// one request, or that and all that follow.
static void try_all(const struct map *map, const char *what, bool cancels,
                    bool refuses_more)
{
    struct text expected = {0};
    size_t number = 0, step = 1;
    struct host trial;
    write_afresh(map->map, false, &expected);
    do {
        number += step;
        if (number > MOST_TRIALS)
            step += step / 8 + 1;
        trial = (struct host){.refuse_from = cancels ? 0 : number,
                              .refuse_to = refuses_more ? SIZE_MAX : number,
                              .cancel_at = cancels ? number : 0};
        doing("building %s with %s %zu", map->what, what, number);
    } while (try_to_end(map, &expected, &trial) >= number);
    free(expected.bytes);
}

static void test_refused(void)
{
    stage_load();
    for (struct walk walk = {0}; next_map(&walk); walk.index += 6) {
        try_all(&walk.map, "memory refused at request", false, false);
        try_all(&walk.map, "memory refused from request", false, true);
    }
}

static void test_cancelled(void)
{
    stage_load();
    for (struct walk walk = {0}; next_map(&walk); walk.index += 6)
        try_all(&walk.map, "a wish to cancel at report", true, false);
}

// For each value of each option.
static void test_options(void)
{
    stage_load();
    struct walk walk = {.index = FORM_COUNT};
    next_map(&walk);
    for (struct values value = {0}; next_value(&value);)
        for (size_t request = 1; request < MOST_TRIALS;
             request += request / 4 + 1) {
            struct session session;
            struct nbstage_result result;
            session_open(&session);
            doing("building with %s=%s, and memory refused after %zu requests",
                  value.name, value.text, request);
            session.host.refuse_from = session.host.requests + request;
            session.host.refuse_to = SIZE_MAX;
            session_set(&session, value.name, value.text);
            session_build(&session, walk.map.map, &result);
            session_free(&session, &result);
            size_t met = session.host.requests;
            bool is_over = met < session.host.refuse_from;
            session_close(&session);
            if (is_over)
                break;
        }
    map_free(&walk.map);
}

// Results are left for destroy, which must not need them in any order.
static void test_left(void)
{
    stage_load();
    for (struct walk walk = {0}; next_map(&walk);) {
        struct session session;
        struct nbstage_result results[3];
        session_open(&session);
        for (size_t i = 0; i < COUNT(results); i++)
            session_build(&session, walk.map.map, &results[i]);
        doing("destroying an instance with two results of %s", walk.map.what);
        session_free(&session, &results[1]);
        session_close(&session);
    }
}

const struct test memory_tests[] = {
    {"refused", "memory may be refused at each request", test_refused},
    {"refused-options", "the same with each value of each option",
     test_options},
    {"cancelled", "a build may be cancelled at each report", test_cancelled},
    {"left-results", "destroy releases results that are not freed", test_left},
    {0}};
