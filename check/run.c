// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a test in a process of its own, with a time limit.  The two share a
// page, where the process leaves what it is doing and how it ended.  What it
// prints goes to a file, which has to stay empty.

#define _GNU_SOURCE

#include "nbstage-host.h"
#include "platform.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct page {
    char test[64];
    volatile int has_ended; // fail, skip or the end of the test was reached
    enum outcome outcome;
    char doing[256];
    char sentence[SENTENCE_SIZE];
} * page;

void doing(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(page->doing, sizeof page->doing, format, arguments);
    va_end(arguments);
}

static _Noreturn void end(enum outcome outcome, const char *format,
                          va_list arguments)
{
    vsnprintf(page->sentence, sizeof page->sentence, format, arguments);
    page->outcome = outcome;
    page->has_ended = true;
    _exit(EXIT_SUCCESS);
}

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    end(FAILED, format, arguments);
}

void skip(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    end(SKIPPED, format, arguments);
}

double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

const struct test *running_test;
volatile sig_atomic_t ending_signal;

void run_here(const struct test *test)
{
    running_test = test;
    test->run();
    page->outcome = PASSED;
    page->has_ended = true;
    _exit(EXIT_SUCCESS); // what is at exit would run code of the stage
}

const char *test_of_parent(void)
{
    page = memory_of_parent();
    return page ? page->test : NULL;
}

static void run_in_process(void)
{
    run_here(running_test);
}

static void blame(struct report *report, const char *what, const char *more)
{
    report->outcome = FAILED;
    snprintf(report->sentence, sizeof report->sentence, "%s%s%s%s", what, more,
             page->doing[0] ? "; it was " : "", page->doing);
}

// What the stage has printed is more than what it promises, if all else is
// well.
static void judge_printed(struct report *report, FILE *printed)
{
    char text[200];
    rewind(printed);
    size_t size = fread(text, 1, sizeof text - 1, printed);
    text[size] = '\0';
    if (size == 0 || report->outcome == SKIPPED)
        return;
    if (report->outcome == PASSED) {
        report->outcome = FAILED;
        snprintf(report->sentence, sizeof report->sentence,
                 "the stage wrote to standard output or error: %s", text);
    } else {
        size_t length = strlen(report->sentence);
        snprintf(report->sentence + length, sizeof report->sentence - length,
                 "; printed: %s", text);
    }
}

// What a stage says must not control a terminal, nor break JSON.
static void make_printable(char *text)
{
    size_t length;
    uint32_t number;
    for (; *text; text += length)
        if (!nbstage_is_printable(text, &length, &number))
            memset(text, *text == '\n' ? ' ' : '?', length);
}

static void judge(struct report *report, const struct ending *ending)
{
    char limit[64];
    if (page->has_ended) {
        report->outcome = page->outcome;
        memcpy(report->sentence, page->sentence, sizeof report->sentence);
    } else if (!ending->in_time) {
        snprintf(limit, sizeof limit, "%g seconds", settings.seconds);
        blame(report, "the stage had not returned after ", limit);
    } else if (ending->crashed) {
        blame(report, "the process crashed: ", ending->how);
    } else {
        blame(report, "the stage ended the process, with exit status ",
              ending->how);
    }
}

struct report run_test(const struct test *test)
{
    struct report report = {.outcome = FAILED};
    double begin = now();
    FILE *printed = file_for_output();
    page = memory_share(sizeof *page);
    if (!printed) {
        perror("nbstage-check");
        exit(EXIT_FAILURE);
    }
    running_test = test;
    snprintf(page->test, sizeof page->test, "%s", test->name);
    fflush(NULL);
    const struct ending ending =
        process_run(run_in_process, printed, begin + settings.seconds);
    judge(&report, &ending);
    judge_printed(&report, printed);
    make_printable(report.sentence);
    report.seconds = now() - begin;
    fclose(printed);
    memory_unshare(page, sizeof *page);
    return report;
}
