// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/system.h"

#include "base/macros.h"
#include "platform/posix.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double system_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// ---------------------------------------------------------------------------
// Signals

// Signals that end the command.  Those of a crash are among them, as stages run
// in this process.
static const int system_fatal_signals[] = {
    SIGHUP,  SIGINT,  SIGQUIT,   SIGTERM, SIGPIPE, SIGXFSZ,
    SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2,
    SIGABRT, SIGBUS,  SIGFPE,    SIGILL,  SIGSEGV,
};
enum { SYSTEM_FATAL_COUNT = COUNT(system_fatal_signals) };

static bool system_has_handler(int signal_number, void (*handler)(int))
{
    struct sigaction action;
    return sigaction(signal_number, NULL, &action) == 0 &&
           action.sa_handler == handler;
}

void system_replace_handler(void (*from)(int), void (*to)(int))
{
    struct sigaction action = {.sa_handler = to};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SYSTEM_FATAL_COUNT; i++)
        if (system_has_handler(system_fatal_signals[i], from))
            sigaction(system_fatal_signals[i], &action, NULL);
}

sigset_t system_signals_before;

void system_hold_signals(void)
{
    sigset_t held;
    sigemptyset(&held);
    // An ignored signal, as under nohup, would stay pending.
    for (int i = 0; i < SYSTEM_FATAL_COUNT; i++)
        if (!system_has_handler(system_fatal_signals[i], SIG_IGN))
            sigaddset(&held, system_fatal_signals[i]);
    sigprocmask(SIG_BLOCK, &held, &system_signals_before);
}

bool system_has_signal(void)
{
    sigset_t pending;
    sigpending(&pending);
    for (int i = 0; i < SYSTEM_FATAL_COUNT; i++)
        if (sigismember(&pending, system_fatal_signals[i]) == 1 &&
            sigismember(&system_signals_before, system_fatal_signals[i]) == 0)
            return true;
    return false;
}

void system_release_signals(void)
{
    sigprocmask(SIG_SETMASK, &system_signals_before, NULL);
}

// ---------------------------------------------------------------------------
// Standard input and output, memory

bool system_hold_standard(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int i = 0; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", modes[i]) != i)
            return false;
    return true;
}

bool system_owns_console(void)
{
    return false;
}

void system_wait_for_key(void)
{
}

bool system_shows_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale == (locale_t)0)
        return false;
    bool utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return utf8;
}
