// SPDX-License-Identifier: GPL-2.0-or-later
//
// What test programs are made of.

#ifndef RUN_SUITE_H
#define RUN_SUITE_H

#include <check.h>
#include <stdint.h>

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

#endif
