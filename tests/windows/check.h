// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the tests of parts use of Check, which Debian does not have for MinGW.
// All tests run in one process, which ends at the first that fails.

#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    size_t fixture_count;
    void (*setup[4])(void), (*teardown[4])(void);
} TCase;
typedef struct {
    const char *name;
    void (*run)(int);
    const char *file;
    int line;
} TTest;
typedef struct {
    size_t count;
} Suite;
typedef Suite SRunner;

enum { CK_ENV };

// Of all files of a program.
__attribute__((__common__)) Suite check_suite;
__attribute__((__common__)) TCase check_cases[64];
__attribute__((__common__)) struct {
    const TCase *of;
    void (*run)(int);
    int from, to;
} check_tests[256];

#define suite_create(name) (&check_suite)
#define suite_add_tcase(suite, tcase) (void)(suite), (void)(tcase)
#define srunner_create(suite) (suite)
#define srunner_free(runner) (void)(runner)
#define srunner_ntests_failed(runner) ((runner)->count == 0)
#define srunner_run_all(runner, how) run_all(runner)
#define tcase_set_timeout(tcase, seconds) (void)(tcase)
#define tcase_add_unchecked_fixture tcase_add_checked_fixture

static inline TCase *tcase_create(const char *name)
{
    TCase *tcase = check_cases;
    while (tcase->name)
        tcase++;
    tcase->name = name;
    return tcase;
}

static inline void tcase_add_checked_fixture(TCase *tcase, void (*setup)(void),
                                             void (*teardown)(void))
{
    tcase->setup[tcase->fixture_count] = setup;
    tcase->teardown[tcase->fixture_count++] = teardown;
}

static inline void tcase_add_loop_test(TCase *tcase, const TTest *test,
                                       int from, int to)
{
    check_tests[check_suite.count].of = tcase;
    check_tests[check_suite.count].run = test->run;
    check_tests[check_suite.count].from = from;
    check_tests[check_suite.count++].to = to;
}

static inline void run_all(const Suite *suite)
{
    for (size_t t = 0; t < suite->count; t++)
        for (int i = check_tests[t].from; i < check_tests[t].to; i++) {
            const TCase *of = check_tests[t].of;
            for (size_t f = 0; f < of->fixture_count; f++)
                if (of->setup[f])
                    of->setup[f]();
            check_tests[t].run(i);
            for (size_t f = of->fixture_count; f-- > 0;)
                if (of->teardown[f])
                    of->teardown[f]();
        }
    printf("%u tests passed\n", (unsigned)suite->count);
}

#define ck_abort_msg(...) \
    do { \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
        fprintf(stderr, __VA_ARGS__); \
        exit(EXIT_FAILURE); \
    } while (0)
#define ck_assert_msg(expression, ...) \
    do { \
        if (!(expression)) \
            ck_abort_msg(__VA_ARGS__); \
    } while (0)
#define ck_assert(expression) ck_assert_msg(expression, "%s", #expression)
#define CK_COMPARE(type, a, operation, b) \
    ck_assert_msg((type)(a)operation(type)(b), "%s %s %s", #a, #operation, #b)
#define ck_assert_int_eq(a, b) CK_COMPARE(intmax_t, a, ==, b)
#define ck_assert_int_ne(a, b) CK_COMPARE(intmax_t, a, !=, b)
#define ck_assert_int_lt(a, b) CK_COMPARE(intmax_t, a, <, b)
#define ck_assert_int_le(a, b) CK_COMPARE(intmax_t, a, <=, b)
#define ck_assert_int_gt(a, b) CK_COMPARE(intmax_t, a, >, b)
#define ck_assert_int_ge(a, b) CK_COMPARE(intmax_t, a, >=, b)
#define ck_assert_uint_eq(a, b) CK_COMPARE(uintmax_t, a, ==, b)
#define ck_assert_uint_ne(a, b) CK_COMPARE(uintmax_t, a, !=, b)
#define ck_assert_uint_lt(a, b) CK_COMPARE(uintmax_t, a, <, b)
#define ck_assert_uint_le(a, b) CK_COMPARE(uintmax_t, a, <=, b)
#define ck_assert_uint_gt(a, b) CK_COMPARE(uintmax_t, a, >, b)
#define ck_assert_uint_ge(a, b) CK_COMPARE(uintmax_t, a, >=, b)
#define ck_assert_double_lt(a, b) CK_COMPARE(double, a, <, b)
#define ck_assert_ptr_eq(a, b) CK_COMPARE(const void *, a, ==, b)
#define ck_assert_ptr_ne(a, b) CK_COMPARE(const void *, a, !=, b)
#define ck_assert_ptr_nonnull(a) CK_COMPARE(const void *, a, !=, NULL)
#define ck_assert_ptr_null(a) CK_COMPARE(const void *, a, ==, NULL)
#define ck_assert_str_eq(a, b) ck_assert(strcmp(a, b) == 0)
#define ck_assert_str_ne(a, b) ck_assert(strcmp(a, b) != 0)
#define ck_assert_mem_eq(a, b, size) ck_assert(memcmp(a, b, size) == 0)

#endif
