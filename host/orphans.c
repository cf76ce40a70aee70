// SPDX-License-Identifier: GPL-2.0-or-later
//
// A subreaper is the parent of all orphans among its descendants.  When a child
// is killed its own children become ours before it can be waited for, so after
// rounds enough there are none.  The kernel lists them in a file.
//
// Children that we have had from the start, as when a shell has started
// something in the background and become us, are none of ours to kill.

#include "config.h"

#include "orphans.h"

#if defined(__linux__)

#include "clock.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

// Of the one thread that we are while a program runs.
static const char list_of_children[] = "/proc/thread-self/children";

// For killed processes to go.
static const double seconds_to_go = 1.0;
static const struct timespec pause_between = {.tv_nsec = 1000000};

// Without the list none are found later, either.
static int note_others(struct orphans *orphans)
{
    int error = 0;
    long pid;
    FILE *list = fopen(list_of_children, "r");
    if (!list)
        return 0;
    while (error == 0 && fscanf(list, "%ld", &pid) == 1) {
        pid_t *more =
            realloc(orphans->others, (orphans->other_count + 1) * sizeof *more);
        if (more) {
            orphans->others = more;
            orphans->others[orphans->other_count++] = (pid_t)pid;
        } else {
            error = ENOMEM;
        }
    }
    fclose(list);
    return error;
}

static bool is_other(const struct orphans *orphans, pid_t pid)
{
    size_t i = 0;
    while (i < orphans->other_count && orphans->others[i] != pid)
        i++;
    return i < orphans->other_count;
}

// Kills those that there are now; whether there were any.
static bool kill_round(const struct orphans *orphans)
{
    bool found = false;
    long pid;
    FILE *list = fopen(list_of_children, "r");
    if (!list)
        return false;
    while (fscanf(list, "%ld", &pid) == 1) {
        if (is_other(orphans, (pid_t)pid))
            continue;
        found = true;
        kill((pid_t)pid, SIGKILL);
        waitpid((pid_t)pid, NULL, WNOHANG);
    }
    fclose(list);
    return found;
}

int orphans_adopt(struct orphans *orphans)
{
    *orphans = (struct orphans){0};
    int error = note_others(orphans);
    if (error == 0)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    return error;
}

void orphans_kill(const struct orphans *orphans)
{
    double started = clock_now();
    while (kill_round(orphans) && clock_now() - started < seconds_to_go)
        nanosleep(&pause_between, NULL);
}

void orphans_release(struct orphans *orphans)
{
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    free(orphans->others);
}

#else

int orphans_adopt(struct orphans *orphans)
{
    *orphans = (struct orphans){0};
    return 0;
}

void orphans_kill(const struct orphans *orphans)
{
    (void)orphans;
}

void orphans_release(struct orphans *orphans)
{
    (void)orphans;
}

#endif
