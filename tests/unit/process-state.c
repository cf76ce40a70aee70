// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asks the C library for each thing in turn, and /proc for what it can only
// count.

#include "config.h"

#include "process-state.h"

#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

enum {
    SIGNALS = 64,
    DESCRIPTORS = 256,
};

static void tell_set(FILE *out, const sigset_t *set)
{
    for (int number = 1; number <= SIGNALS; number++)
        putc(sigismember(set, number) == 1 ? '1' : '0', out);
    putc('\n', out);
}

static void tell_signals(FILE *out)
{
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    fputs("blocked signals ", out);
    tell_set(out, &blocked);
    stack_t stack;
    sigaltstack(NULL, &stack);
    fprintf(out, "stack of signals %" PRIxPTR "\n", (uintptr_t)stack.ss_sp);
    for (int number = 1; number <= SIGNALS; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) != 0)
            continue; // the C library's own
        fprintf(out, "signal %d: handler %" PRIxPTR ", flags %x, blocks ",
                number, (uintptr_t)action.sa_handler,
                (unsigned)action.sa_flags);
        tell_set(out, &action.sa_mask);
    }
}

static void tell_floating_point(FILE *out)
{
    fprintf(out, "rounding %d, exceptions %x\n", fegetround(),
            (unsigned)fetestexcept(FE_ALL_EXCEPT));
#ifdef __GLIBC__
    fprintf(out, "floating-point traps %x\n", (unsigned)fegetexcept());
#endif
#ifdef __SSE__ // beside those, whether tiny numbers become 0
    fprintf(out, "control and status %x\n", __builtin_ia32_stmxcsr());
#endif
}

static void tell_environment(FILE *out)
{
    char folder[PATH_MAX];
    mode_t mask = umask(0);
    umask(mask);
    fprintf(out, "working folder %s\n", getcwd(folder, sizeof folder));
    fprintf(out, "mask of new files %o\n", (unsigned)mask);
    fprintf(out, "priority %d\n", getpriority(PRIO_PROCESS, 0));
    fprintf(out, "locale %s, of the thread %" PRIxPTR "\n",
            setlocale(LC_ALL, NULL), (uintptr_t)uselocale((locale_t)0));
    for (char **variable = environ; *variable; variable++)
        fprintf(out, "%s\n", *variable);
}

static void tell_descriptors(FILE *out)
{
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++) {
        struct stat file;
        if (fstat(descriptor, &file) != 0)
            continue;
        fprintf(out, "descriptor %d: file %" PRIuMAX " at %" PRIdMAX,
                descriptor, (uintmax_t)file.st_ino,
                (intmax_t)lseek(descriptor, 0, SEEK_CUR));
        fprintf(out, ", flags %x %x\n", (unsigned)fcntl(descriptor, F_GETFD),
                (unsigned)fcntl(descriptor, F_GETFL));
    }
}

char *process_state(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    tell_signals(out);
    tell_floating_point(out);
    tell_environment(out);
    tell_descriptors(out);
    fclose(out);
    return text;
}

// Counts those entries for which `counts` is true; NULL counts all.
static size_t count_entries(const char *path, bool (*counts)(const char *name))
{
    DIR *folder = opendir(path);
    if (!folder)
        return 0;
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.' && (!counts || counts(entry->d_name));
    closedir(folder);
    return count;
}

size_t process_count_descriptors(void)
{
    return count_entries("/proc/self/fd", NULL);
}

// A thread that ends is listed for a moment after pthread_join.  That it does
// is the bit 4 of its flags, the seventh number behind its name.
static bool is_running(const char *thread)
{
    char path[PATH_MAX], text[1024];
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", thread);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *name_end = strrchr(text, ')');
    unsigned flags;
    return name_end &&
           sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
           !(flags & 4);
}

size_t process_count_threads(void)
{
    return count_entries("/proc/self/task", is_running);
}

size_t process_count_mappings(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    if (!maps)
        return 0;
    size_t count = 0;
    for (int character; (character = getc(maps)) != EOF;)
        count += character == '\n';
    fclose(maps);
    return count;
}
