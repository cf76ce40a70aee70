// SPDX-License-Identifier: GPL-2.0-or-later
//
// Becomes a command whose standard error is a terminal that nobody reads until
// a file is there:
//
//   unread-terminal FILE SCREEN COMMAND...
//
// From then on a child writes what the command has printed to the file SCREEN.
// Exits with 77 where no terminal can be made.

#include "config.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NO_TERMINAL = 77, CANNOT_RUN = 127, LOOK_EVERY = 50 }; // milliseconds

// Until the file is there or the command has gone.
static void wait_for(const char *file, int terminal)
{
    struct pollfd hangup = {.fd = terminal};
    while (access(file, F_OK) != 0 && poll(&hangup, 1, LOOK_EVERY) == 0)
        continue;
}

static _Noreturn void read_terminal(const char *file, const char *screen,
                                    int terminal)
{
    char text[4096];
    ssize_t size;
    int copy = open(screen, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    wait_for(file, terminal);
    while ((size = read(terminal, text, sizeof text)) > 0)
        if (write(copy, text, (size_t)size) != size)
            _exit(EXIT_FAILURE);
    _exit(EXIT_SUCCESS);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: unread-terminal FILE SCREEN COMMAND...\n", stderr);
        return 2;
    }
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
        return NO_TERMINAL;
    int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    if (end < 0)
        return NO_TERMINAL;
    pid_t reader = fork();
    if (reader < 0)
        return CANNOT_RUN;
    if (reader == 0) {
        close(end);
        close(STDERR_FILENO);
        read_terminal(argv[1], argv[2], terminal);
    }
    dup2(end, STDERR_FILENO);
    close(end);
    close(terminal);
    execvp(argv[3], argv + 3);
    return CANNOT_RUN;
}
