// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the main functions of test programs are made of.

#ifndef RUN_SUITE_H
#define RUN_SUITE_H

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// How much longer everything takes than in a plain build: the thread sanitizer
// looks at each access to memory.  Tests that try very much divide it by this.
#if defined(__SANITIZE_THREAD__)
#define SLOWNESS 8
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SLOWNESS 8
#endif
#endif

#ifndef SLOWNESS
#define SLOWNESS 1
#endif

// Runs a suite, which is used up; returns the program's exit status.
static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// The seed for random tests: SEED in the environment, or another one each
// time.  Prints it, so that a run can be repeated.
static inline uint64_t choose_seed(void)
{
    const char *given = getenv("SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    printf("SEED=%" PRIu64 "\n", seed);
    fflush(stdout);
    return seed;
}

#endif
