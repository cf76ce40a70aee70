// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a test in a process of its own, in a session of its own, with a time
// limit.  The two share a page, where the process leaves what it is doing and
// how it ended.  What it prints goes to a file, which has to stay empty.

#define _GNU_SOURCE

#include "check.h"
#include "nbstage-host.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct page {
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

static _Noreturn void run_in_child(const struct test *test, FILE *printed)
{
    setsid();
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); // if the user ends nbstage-check
#endif
    dup2(fileno(printed), STDOUT_FILENO);
    dup2(fileno(printed), STDERR_FILENO);
    test->run();
    page->outcome = PASSED;
    page->has_ended = true;
    _exit(EXIT_SUCCESS); // what is at exit would run code of the stage
}

volatile sig_atomic_t ending_signal;

// Waits for the end; false if the time was over first, or a signal has come.
static bool wait_for(pid_t child, double end_time, int *status)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    pid_t ended;
    while ((ended = waitpid(child, status, WNOHANG)) == 0) {
        if (now() > end_time || ending_signal)
            break;
        nanosleep(&pause, NULL);
    }
    kill(-child, SIGKILL); // with what the stage may have started
    if (ended == 0)
        waitpid(child, status, 0);
    return ended == child;
}

static void tell(struct report *report, const char *what, const char *more)
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

static void judge(struct report *report, bool in_time, int status)
{
    char more[64] = "";
    if (page->has_ended) {
        report->outcome = page->outcome;
        memcpy(report->sentence, page->sentence, sizeof report->sentence);
    } else if (!in_time) {
        snprintf(more, sizeof more, "%g seconds", settings.seconds);
        tell(report, "the stage had not returned after ", more);
    } else if (WIFSIGNALED(status)) {
        tell(report, "the process crashed: ", strsignal(WTERMSIG(status)));
    } else {
        snprintf(more, sizeof more, "%d", WEXITSTATUS(status));
        tell(report, "the stage ended the process, with exit status ", more);
    }
}

const struct test *running_test;

struct report run_test(const struct test *test)
{
    struct report report = {.outcome = FAILED};
    int status = 0;
    double begin = now();
    FILE *printed = tmpfile();
    page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!printed || page == MAP_FAILED) {
        perror("nbstage-check");
        exit(EXIT_FAILURE);
    }
    running_test = test;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_in_child(test, printed);
    if (child < 0) {
        perror("nbstage-check: no new process");
        exit(EXIT_FAILURE);
    }
    bool in_time = wait_for(child, begin + settings.seconds, &status);
    judge(&report, in_time, status);
    judge_printed(&report, printed);
    make_printable(report.sentence);
    report.seconds = now() - begin;
    fclose(printed);
    munmap(page, sizeof *page);
    return report;
}
