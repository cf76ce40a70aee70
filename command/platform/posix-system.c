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
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if HAVE_XLOCALE_H // after those that it adds to
#include <xlocale.h>
#endif

double system_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// ---------------------------------------------------------------------------
// Signals

// The signals whose default action does not end a process, and the two that no
// process can block or handle.
static const int system_other_signals[] = {
    SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN,  SIGTTOU,
    SIGCONT, SIGCHLD, SIGURG,  SIGWINCH,
#ifdef SIGINFO
    SIGINFO,
#endif
#ifndef __linux__
    SIGIO, // ends processes on Linux only
#endif
};

// Returns the signals that end the command, found at the first call.  Those of
// a crash are among them, as stages run in this process; ignored ones, as
// under nohup, are not, as they would stay pending.
static const sigset_t *system_fatal_signals(void)
{
    static sigset_t fatal;
    static bool is_known = false;
    struct sigaction action;
    if (is_known)
        return &fatal;
    sigfillset(&fatal); // without what the C library keeps to itself
    for (size_t i = 0; i < COUNT(system_other_signals); i++)
        sigdelset(&fatal, system_other_signals[i]);
    for (int i = 1; i < NSIG; i++)
        if (sigaction(i, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
            sigdelset(&fatal, i);
    is_known = true;
    return &fatal;
}

// Has handlers run on a stack of their own, as the usual one may have
// overflowed.  The kernel saves all registers there, up to 11 KiB on x86-64,
// and handlers need little.
static bool system_prepare_stack(void)
{
    static char memory[1 << 16];
    const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    return sigaltstack(&stack, NULL) == 0;
}

void system_handle_signals(void (*handler)(int))
{
    static bool is_done = false;
    struct sigaction action = {.sa_handler = handler};
    if (is_done)
        return;
    if (system_prepare_stack())
        action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int i = 1; i < NSIG; i++)
        if (sigismember(system_fatal_signals(), i) == 1)
            sigaction(i, &action, NULL);
    is_done = true;
}

sigset_t system_signals_before;

void system_hold_signals(void)
{
    sigprocmask(SIG_BLOCK, system_fatal_signals(), &system_signals_before);
}

bool system_has_signal(void)
{
    sigset_t pending;
    sigpending(&pending);
    for (int i = 1; i < NSIG; i++)
        if (sigismember(system_fatal_signals(), i) == 1 &&
            sigismember(&pending, i) == 1 &&
            sigismember(&system_signals_before, i) == 0)
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

void system_drop_backups(int *argc, char **argv)
{
    (void)argc;
    (void)argv;
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
