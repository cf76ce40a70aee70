// SPDX-License-Identifier: GPL-2.0-or-later

#include "run-suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// Constructors add to these, before main.
static struct {
    const TTest *test;
    int count;
} added[64];
static size_t added_count;

void add_test(const TTest *test, int count)
{
    if (added_count == sizeof added / sizeof *added)
        abort();
    added[added_count].test = test;
    added[added_count++].count = count;
}

TCase *all_tests(void)
{
    TCase *tests = tcase_create("tests");
    for (size_t i = 0; i < added_count; i++)
        tcase_add_loop_test(tests, added[i].test, 0, added[i].count);
    return tests;
}

int run_suite(TCase *tests)
{
    Suite *suite = suite_create("blocksweep");
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 && added_count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

uint64_t choose_seed(void)
{
    const char *given = getenv("SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
    printf("SEED=%" PRIu64 "\n", seed);
    fflush(stdout);
    return seed;
}
