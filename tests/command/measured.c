// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a command and writes what it took into a file:
//
//   measured FILE COMMAND...
//
// The processor time of all its threads, user and system, in milliseconds, and
// the most memory that it had at a time, in KiB.  Exits as the command did, and
// with 128 and its number if a signal ended it.

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long milliseconds(const struct timeval *time)
{
    return (long)time->tv_sec * 1000 + (long)time->tv_usec / 1000;
}

int main(int argc, char **argv)
{
    enum { CANNOT_RUN = 127 };
    struct rusage usage;
    int status;
    if (argc < 3)
        return CANNOT_RUN;
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(CANNOT_RUN);
    }
    if (child < 0 || waitpid(child, &status, 0) != child ||
        getrusage(RUSAGE_CHILDREN, &usage) != 0)
        return CANNOT_RUN;
    FILE *file = fopen(argv[1], "w");
    if (!file)
        return CANNOT_RUN;
    fprintf(file, "%ld %ld\n",
            milliseconds(&usage.ru_utime) + milliseconds(&usage.ru_stime),
            usage.ru_maxrss);
    if (fclose(file) != 0)
        return CANNOT_RUN;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
