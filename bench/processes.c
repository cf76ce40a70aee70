// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whole processes from start to exit, by turns, each making all blockmaps of
// Freedoom Phase 2 anew in a copy of the file.  They write to a folder of
// their own, which is removed in the end.  The processor's time stands beside
// the time on the wall because the command waits until the disk has its file,
// which other builders do not.
//
// ZDBSP does just that with -N (no nodes) and -E (reject left alone).  glBSP
// cannot do without nodes, so there is nothing to compare with.

#include "config.h"

#include "bench.h"

#include "fail.h"
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { OURS, ZDBSP, BUILDERS };

struct builder {
    const char *name;
    char *const *command; // ends with NULL
    struct samples wall_times;
    struct samples processor_times;
    double wall; // medians, nanoseconds
    double processor;
};

// ---------------------------------------------------------------------------
// The folder

static char folder[512];
static char output_path[sizeof folder + 16];

static void remove_folder(void)
{
    unlink(output_path);
    rmdir(folder);
}

static void make_folder(void)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(folder, sizeof folder, "%s/blocksweep-bench-XXXXXX",
                          parent && *parent ? parent : "/tmp");
    if (length < 0 || (size_t)length >= sizeof folder)
        fail("TMPDIR is too long");
    if (!mkdtemp(folder))
        fail("no folder can be made in TMPDIR: %s", strerror(errno));
    snprintf(output_path, sizeof output_path, "%s/out.wad", folder);
    atexit(remove_folder);
}

// ---------------------------------------------------------------------------
// Running

// Starts a command without standard streams; 0 or an error number.
static int start_command(char *const *command, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        fail("no memory to start a process");
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    int error =
        posix_spawnp(process, command[0], &actions, NULL, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static uint64_t in_nanoseconds(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

// What all processes that were waited for have used.
static uint64_t processor_time(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return in_nanoseconds(used.ru_utime) + in_nanoseconds(used.ru_stime);
}

// Runs a builder to its end, and adds its times if `is_warm`.  False if the
// builder is not installed.
static bool run(struct builder *builder, bool is_warm)
{
    pid_t process;
    int status;
    unlink(output_path);
    uint64_t used_before = processor_time();
    uint64_t start = clock_now();
    int error = start_command(builder->command, &process);
    if (error == ENOENT)
        return false;
    if (error != 0)
        fail("%s cannot be started: %s", builder->name, strerror(error));
    if (waitpid(process, &status, 0) != process)
        fail("%s cannot be waited for: %s", builder->name, strerror(errno));
    if (is_warm) {
        samples_add_since(&builder->wall_times, start);
        samples_add(&builder->processor_times, processor_time() - used_before);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail("%s has failed on Freedoom", builder->name);
    if (access(output_path, R_OK) != 0)
        fail("%s has written nothing", builder->name);
    return true;
}

// A first run of each warms up and shows whether it is there.
static bool measure(struct builder *builders, size_t rounds)
{
    for (size_t i = 0; i < BUILDERS; i++)
        if (!run(&builders[i], false)) {
            printf("Whole processes are left out: %s is not installed.\n\n",
                   builders[i].name);
            return false;
        }
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < BUILDERS; i++)
            run(&builders[i], true);
    for (size_t i = 0; i < BUILDERS; i++) {
        builders[i].wall = samples_median(&builders[i].wall_times);
        builders[i].processor = samples_median(&builders[i].processor_times);
    }
    return true;
}

// ---------------------------------------------------------------------------
// Telling

static void print_table(const struct builder *builders, size_t rounds)
{
    const struct builder *ours = &builders[OURS];
    printf("Whole processes on Freedoom Phase 2, by turns; medians of %zu "
           "runs.\nThe command syncs its file to the disk; ZDBSP does not.\n\n"
           "%-12s %10s %10s %12s %10s\n",
           rounds, "Builder", "Wall s", "/ ours", "Processor s", "/ ours");
    for (size_t i = 0; i < BUILDERS; i++)
        printf("%-12s %10.4f %10.2f %12.4f %10.2f\n", builders[i].name,
               builders[i].wall / 1e9, builders[i].wall / ours->wall,
               builders[i].processor / 1e9,
               builders[i].processor / ours->processor);
    putchar('\n');
}

static void record_all(const struct builder *builders, size_t rounds)
{
    const struct builder *ours = &builders[OURS];
    record_open_object("processes");
    record_integer("rounds", (int64_t)rounds);
    record_open_array("builders");
    for (size_t i = 0; i < BUILDERS; i++) {
        record_open_object(NULL);
        record_string("builder", builders[i].name);
        record_number("wall_seconds", builders[i].wall / 1e9);
        record_number("wall_to_blocksweep_ratio",
                      builders[i].wall / ours->wall);
        record_number("processor_seconds", builders[i].processor / 1e9);
        record_number("processor_to_blocksweep_ratio",
                      builders[i].processor / ours->processor);
        record_close_object();
    }
    record_close_array();
    record_close_object();
}

void bench_processes(const struct bench *bench)
{
    size_t rounds = bench_rounds(bench, 21);
    char plugin[4096];
    snprintf(plugin, sizeof plugin, "--plugin=%s", bench->module_path);
    make_folder();
    // What is executed does not change its arguments, in spite of the type.
    char *const ours[] = {(char *)bench->command_path,
                          "build",
                          plugin,
                          "--grid=fit",
                          "--quiet",
                          (char *)bench->wad_path,
                          "-o",
                          output_path,
                          NULL};
    char *const zdbsp[] = {
        "zdbsp", "-N", "-E", "-t", "-o", output_path, (char *)bench->wad_path,
        NULL};
    struct builder builders[BUILDERS] = {
        [OURS] = {.name = "blocksweep", .command = ours},
        [ZDBSP] = {.name = "zdbsp", .command = zdbsp},
    };
    if (measure(builders, rounds)) {
        print_table(builders, rounds);
        record_all(builders, rounds);
    }
}
