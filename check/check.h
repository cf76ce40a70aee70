// SPDX-License-Identifier: GPL-2.0-or-later
//
// nbstage-check: a program that tests a stage, or a host, against nbstage.h.
// A test is a function in a table.  It runs in a process of its own, returns
// if the stage keeps the promise, and otherwise ends with fail() or skip().

#ifndef CHECK_H
#define CHECK_H

#include "nbstage.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SENTENCE_SIZE = 1024 };

struct test {
    const char *name;    // "sizes-of-maps"; NULL after the last of a table
    const char *promise; // a line of --list
    void (*run)(void);
};

// What the tests of this run are about.
struct settings {
    const char *path; // of the stage, or the command of the host
    uint64_t seed;    // of random maps
    double seconds;   // that a test may take
};
extern struct settings settings;

// The test of this process, or the last one that was started.
extern const struct test *running_test;

// ---------------------------------------------------------------------------
// run.c: a test in a process of its own

enum outcome { PASSED, FAILED, SKIPPED };

struct report {
    enum outcome outcome;
    double seconds;
    char sentence[SENTENCE_SIZE]; // why it has not passed
};

struct report run_test(const struct test *test);

// Where run_test runs this program again: the name of the test, which then has
// to run here; NULL in the first process.
const char *test_of_parent(void);
_Noreturn void run_here(const struct test *test);

// A signal that asks the program to end, or 0: tests end at once.
extern volatile sig_atomic_t ending_signal;

// Seconds on a clock that only runs forward.
double now(void);

// For tests, from any thread: what is being done, for the sentence if the test
// crashes or hangs; and their end.  No full stops.
void doing(const char *format, ...) __attribute__((format(__printf__, 1, 2)));
_Noreturn void fail(const char *format, ...)
    __attribute__((format(__printf__, 1, 2)));
_Noreturn void skip(const char *format, ...)
    __attribute__((format(__printf__, 1, 2)));

// ---------------------------------------------------------------------------
// The tests of stages, a table for each stage-*.c

extern const struct test load_test; // whether there is a stage at all
extern const struct test descriptor_tests[];
extern const struct test call_tests[];
extern const struct test memory_tests[];
extern const struct test result_tests[];
extern const struct test map_tests[];
extern const struct test optional_tests[];
extern const struct test guest_tests[];

#endif
