// SPDX-License-Identifier: GPL-2.0-or-later
//
// A subreaper is the parent of all orphans among its descendants.  When a child
// is killed its own children become ours before it can be waited for, so after
// rounds enough there are none.  The kernel lists them in a file.
//
// Children that we have had from the start, as when a shell has started
// something in the background and become us, are none of ours to kill.

#include "config.h"

#include "platform/orphans.h"

#if defined(__linux__)

#include "platform/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Of the one thread that we are while a program runs.
static const char list_of_children[] = "/proc/thread-self/children";

// For killed processes to go.
static const double seconds_to_go = 1.0;
static const struct timespec pause_between = {.tv_nsec = 1000000};

// ---------------------------------------------------------------------------
// The list, which is read without memory being taken for it

struct children {
    int descriptor;
    char text[1024];
    size_t next; // character of the text
    size_t size;
    int error; // number of the one that has ended the list; 0 if none has
};

static bool open_children(struct children *children)
{
    *children = (struct children){
        .descriptor = open(list_of_children, O_RDONLY | O_CLOEXEC),
    };
    return children->descriptor >= 0;
}

// The next character of the list, or '\0' behind the last.
static char next_character(struct children *children)
{
    if (children->next == children->size) {
        ssize_t size =
            read(children->descriptor, children->text, sizeof children->text);
        children->error = size < 0 ? errno : 0;
        children->size = size > 0 ? (size_t)size : 0;
        children->next = 0;
    }
    return children->size > 0 ? children->text[children->next++] : '\0';
}

// Finds the next child; false if there are no more.
static bool next_child(struct children *children, pid_t *pid)
{
    char character = next_character(children);
    *pid = 0;
    for (; character >= '0' && character <= '9';
         character = next_character(children))
        *pid = 10 * *pid + (character - '0');
    return *pid > 0;
}

// ---------------------------------------------------------------------------

static int note_other(struct orphans *orphans, pid_t pid)
{
    pid_t *more =
        realloc(orphans->others, (orphans->other_count + 1) * sizeof *more);
    if (!more)
        return ENOMEM;
    orphans->others = more;
    orphans->others[orphans->other_count++] = pid;
    return 0;
}

// Where there is no list none are found later, either.
static int note_others(struct orphans *orphans)
{
    struct children children;
    pid_t pid;
    int error = 0;
    if (!open_children(&children))
        return errno == ENOENT || errno == EACCES ? 0 : errno;
    while (error == 0 && next_child(&children, &pid))
        error = note_other(orphans, pid);
    close(children.descriptor);
    return error == 0 ? children.error : error;
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
    struct children children;
    bool found = false;
    pid_t pid;
    if (!open_children(&children))
        return false;
    while (next_child(&children, &pid)) {
        if (is_other(orphans, pid))
            continue;
        found = true;
        kill(pid, SIGKILL);
        waitpid(pid, NULL, WNOHANG);
    }
    close(children.descriptor);
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
