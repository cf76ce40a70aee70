// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a command and sends it a signal as it enters one of its system calls:
//
//   signal-at SIGNAL CALL COMMAND...
//
// SIGNAL is a number; CALL is 1 for the first call.  Whatever a program leaves
// behind in files it leaves between two calls, so a test that goes through all
// of them has seen every moment.
//
// Exits as the command did, with 128 + SIGNAL if that ended it, and with 77
// where a program cannot be traced.

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(__linux__)

#include <signal.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_TRACE = 77, CANNOT_RUN = 127 };

// The signal does what it does to any command, also where the shell has had
// commands in the background ignore it.
static _Noreturn void become(char **command, int signal_number)
{
    signal(signal_number, SIG_DFL);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(CANNOT_TRACE);
    execvp(command[0], command);
    _exit(CANNOT_RUN);
}

// Goes on to the next stop; false if the command has ended instead.
static bool go_on(pid_t child, int signal_number, int *status)
{
    // This fails if the command has been killed already.
    ptrace(PTRACE_SYSCALL, child, NULL, signal_number);
    return waitpid(child, status, 0) == child && WIFSTOPPED(*status);
}

// Follows a command that has stopped at its beginning to its end.
static int follow(pid_t child, int signal_number, long call)
{
    const int at_call = SIGTRAP | 0x80;
    const int at_start = SIGTRAP | PTRACE_EVENT_EXEC << 8; // of a program
    int status;
    int passed_on = 0;
    long stops = 0; // one on entering a call, one on leaving it
    ptrace(PTRACE_SETOPTIONS, child, NULL,
           PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
    while (go_on(child, passed_on, &status)) {
        int stop = WSTOPSIG(status);
        passed_on = stop == at_call || status >> 8 == at_start ? 0 : stop;
        if (stop != at_call || ++stops % 2 == 0)
            continue;
        if (stops == 2 * call - 1)
            kill(child, signal_number);
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: signal-at SIGNAL CALL COMMAND...\n", stderr);
        return 2;
    }
    pid_t child = fork();
    if (child == 0)
        become(argv + 3, atoi(argv[1]));
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return CANNOT_TRACE;
    if (WIFSTOPPED(status))
        status = follow(child, atoi(argv[1]), atol(argv[2]));
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

#else

int main(void)
{
    fputs("signal-at: programs can be traced on Linux only\n", stderr);
    return 77;
}

#endif
