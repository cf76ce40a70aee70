// SPDX-License-Identifier: GPL-2.0-or-later
//
// Linux includes in the peak memory of a process what it had before exec, which
// is its parent's memory.  So a small process starts the command: the benchmark
// itself, run anew, before it reads anything.

#include "config.h"

#include "process.h"

#include "fail.h"
#include "samples.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t in_nanoseconds(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

// Only Linux has these figures.  They remain after the process ends, until it
// is waited for.
static void read_transfers(pid_t process, uint64_t figures[FIGURES])
{
    char path[64];
    char name[32];
    uint64_t bytes;
    snprintf(path, sizeof path, "/proc/%ld/io", (long)process);
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%31s %" SCNu64, name, &bytes) == 2) {
        if (strcmp(name, "rchar:") == 0)
            figures[READ] = bytes;
        else if (strcmp(name, "wchar:") == 0)
            figures[WRITTEN] = bytes;
        else if (strcmp(name, "write_bytes:") == 0)
            figures[DISK] = bytes;
    }
    if (file)
        fclose(file);
}

static _Noreturn void become(char *const *command)
{
    int null = open("/dev/null", O_RDWR);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        dup2(null, i);
    execvp(command[0], command);
    _exit(errno == ENOENT ? NOT_INSTALLED : NOT_INSTALLED - 1);
}

int process_run(char *const *command)
{
    uint64_t figures[FIGURES] = {0};
    struct rusage used;
    siginfo_t information;
    int ended;
    uint64_t start = clock_now();
    pid_t process = fork();
    if (process == 0)
        become(command);
    if (process < 0 ||
        waitid(P_PID, (id_t)process, &information, WEXITED | WNOWAIT) != 0)
        fail("%s cannot be run: %s", command[0], strerror(errno));
    figures[WALL] = clock_now() - start;
    read_transfers(process, figures);
    waitpid(process, &ended, 0);
    getrusage(RUSAGE_CHILDREN, &used);
    figures[PROCESSOR] =
        in_nanoseconds(used.ru_utime) + in_nanoseconds(used.ru_stime);
    figures[PEAK] = (uint64_t)used.ru_maxrss * 1024;
    if (write(STDOUT_FILENO, figures, sizeof figures) != sizeof figures)
        fail("figures cannot be written");
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
}

int process_measure(char *const *words, uint64_t figures[FIGURES])
{
    const size_t size = FIGURES * sizeof *figures;
    int ends[2];
    int ended;
    fflush(stdout);
    pid_t process = pipe(ends) == 0 ? fork() : -1;
    if (process == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(words[0], words);
        _exit(NOT_INSTALLED - 1);
    }
    if (process < 0)
        fail("%s cannot be run: %s", words[0], strerror(errno));
    close(ends[1]);
    bool is_whole = read(ends[0], figures, size) == (ssize_t)size;
    close(ends[0]);
    waitpid(process, &ended, 0);
    if (!is_whole || !WIFEXITED(ended))
        fail("%s was not measured", words[2]);
    return WEXITSTATUS(ended);
}
