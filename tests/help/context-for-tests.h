// SPDX-License-Identifier: GPL-2.0-or-later
//
// What test programs are made of, and what a test hands to what it tests:
// memory that is counted and can be refused, a log that is remembered, progress
// that can cancel.  Serves a step of the stage as its context and the module as
// its host.

#ifndef CONTEXT_FOR_TESTS_H
#define CONTEXT_FOR_TESTS_H

#include "base/context.h"
#include "nbstage.h"

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- Tests of a program ---

// How much longer everything takes than in a plain build: in an emulator, or
// where coverage is counted.  Tests that try very much divide it by this.
#ifndef SLOWNESS
#define SLOWNESS 1
#endif

// Begins a test of the program, or one for each _i from 0 to less than `count`;
// its body follows.
#define TEST(name) LOOP_TEST(name, 1)
#define LOOP_TEST(name, count) \
    static void name(int _i); \
    static const TTest name##_test = {#name, name, __FILE__, __LINE__}; \
    __attribute__((__constructor__)) static void add_##name(void) \
    { \
        add_test(&name##_test, (int)(count)); \
    } \
    static void name(int _i __attribute__((__unused__)))

void add_test(const TTest *test, int count);

// All of these, in the order of the file.
TCase *all_tests(void);

// Runs tests; returns the program's exit status.
int run_suite(TCase *tests);

// The seed for random tests: SEED in the environment, or 1.
uint64_t choose_seed(void);

// --- What they hand over ---

struct test_block;

struct test_host {
    // Memory not released yet, its bytes, and the most that there were.
    struct test_block *blocks;
    size_t in_use, peak;
    // How often memory was asked for, and which of these requests to refuse;
    // the first is 1, and 0 refuses none.
    size_t request_count;
    size_t refused_request;

    // How many messages there were, and the first and the last of them.
    size_t message_count;
    int32_t level;
    char first_message[512];
    char message[512];

    // How many reports of progress there were, which of them to answer with
    // a wish to cancel, counted as requests are, and the last one.
    size_t progress_count;
    size_t cancelled_report;
    uint32_t done, total;
};

// The callbacks; `host` is a struct test_host.  Memory comes filled with
// bytes that are not 0.  To release what was not allocated fails the test.
void *test_allocate(void *host, size_t bytes);
void test_release(void *host, void *memory);
void test_log(void *host, int32_t level, const char *message);
int32_t test_progress(void *host, uint32_t done, uint32_t total);

// Whether `size` bytes lie within memory that is not released yet.
bool test_owns(const struct test_host *host, const void *memory, size_t size);

// All of them, served by test_host.
extern const struct nbstage_host test_callbacks;

// Every test of run_tests begins with a fresh host, and with a context that
// it serves, for map MAP01.  A test that leaves memory behind fails.
extern struct test_host test_host;
extern struct context test_context;

// A context that another host serves, which must outlive it.
struct context test_context_for(struct test_host *host);

// The fixture of run_tests.
void test_set_up(void);
void test_tear_down(void);

// Runs the tests of a program; returns its exit status.
static inline int run_tests(TCase *tests)
{
    tcase_add_checked_fixture(tests, test_set_up, test_tear_down);
    tcase_set_timeout(tests, 600); // seconds, on a busy machine
    return run_suite(tests);
}

// Fails the test if a sentence does not tell each of the facts: numbers,
// names.  A fact is a whole word of it, or several words.
#define assert_tells(sentence, ...) \
    assert_tells_all(sentence, (const char *const[]){__VA_ARGS__, NULL})

// The same with an array of facts that ends with NULL.
void assert_tells_all(const char *sentence, const char *const *facts);

#endif
