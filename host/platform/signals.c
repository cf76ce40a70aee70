// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/signals.h"

#include <stddef.h>

static const int fatal_signals[] = {
    SIGHUP,  SIGINT,  SIGQUIT,   SIGTERM, SIGPIPE, SIGXFSZ,
    SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2,
};
enum { FATAL_SIGNAL_COUNT = sizeof fatal_signals / sizeof *fatal_signals };

// What is called for those that are caught, which did nothing but end the
// process before; NULL while none are.
static void (*present_handler)(int);

// As under nohup.
static bool is_ignored(int signal_number)
{
    struct sigaction action;
    return sigaction(signal_number, NULL, &action) == 0 &&
           action.sa_handler == SIG_IGN;
}

// Has signals that are with one handler go to another.
static void pass_on(void (*from)(int), void (*to)(int))
{
    struct sigaction action = {.sa_handler = to};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < FATAL_SIGNAL_COUNT; i++) {
        struct sigaction present;
        if (sigaction(fatal_signals[i], NULL, &present) == 0 &&
            present.sa_handler == from)
            sigaction(fatal_signals[i], &action, NULL);
    }
}

void signals_catch(void (*handler)(int))
{
    present_handler = handler;
    pass_on(SIG_DFL, handler);
}

void signals_let_go(void)
{
    if (present_handler)
        pass_on(present_handler, SIG_DFL);
    present_handler = NULL;
}

void signals_hold(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    for (int i = 0; i < FATAL_SIGNAL_COUNT; i++)
        if (!is_ignored(fatal_signals[i])) // else it would be kept waiting
            sigaddset(&held, fatal_signals[i]);
    if (!is_ignored(SIGTSTP))
        sigaddset(&held, SIGTSTP);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

// Whether one of those that have come was not held before.
static bool is_waiting(const sigset_t *pending, int signal_number,
                       const sigset_t *before)
{
    return sigismember(pending, signal_number) == 1 &&
           sigismember(before, signal_number) == 0;
}

bool signals_are_waiting(const sigset_t *before)
{
    sigset_t pending;
    bool waiting = false;
    sigpending(&pending);
    for (int i = 0; i < FATAL_SIGNAL_COUNT && !waiting; i++)
        waiting = is_waiting(&pending, fatal_signals[i], before);
    return waiting;
}

bool signals_stop_is_waiting(const sigset_t *before)
{
    sigset_t pending;
    sigpending(&pending);
    return is_waiting(&pending, SIGTSTP, before);
}

void signals_stop(void)
{
    sigset_t stop;
    sigset_t before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void signals_release(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}
