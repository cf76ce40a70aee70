// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program is started, and then looked at many times a second: whether it
// has printed something, has ended, has used up its time, or whether a signal
// is about to end us.  In the end its group is killed, whatever the reason.

#include "config.h"

#include "platform/process.h"

#include "platform/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// A session is a group, too, and has no terminal.
#ifdef POSIX_SPAWN_SETSID
enum { OWN_GROUP = POSIX_SPAWN_SETSID };
#else
enum { OWN_GROUP = POSIX_SPAWN_SETPGROUP };
#endif

enum { LOOK_EVERY = 10 }; // milliseconds

static int start(const struct process *process, int output, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int error =
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0)
        error =
            posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
                                                 "/dev/null", O_RDONLY, 0);
    posix_spawnattr_setsigmask(&attributes, process->signals_before);
    posix_spawnattr_setflags(&attributes,
                             (short)(OWN_GROUP | POSIX_SPAWN_SETSIGMASK));
    if (error == 0)
        error = posix_spawnp(pid, process->words[0], &actions, &attributes,
                             process->words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static void keep_output(struct process *process, const char *text, size_t size)
{
    size_t room = PROCESS_KEPT_OUTPUT - process->output_size;
    if (size > room) {
        size_t excess = size - room;
        process->output_size -= excess;
        process->output_left_out += excess;
        memmove(process->output, process->output + excess,
                process->output_size);
    }
    memcpy(process->output + process->output_size, text, size);
    process->output_size += size;
}

// Waits some milliseconds for output and keeps it.  Returns false if there was
// none.  The pipe is closed, and -1, when nobody can write to it any more.
static bool take_output(struct process *process, int *pipe_end, int wait)
{
    char piece[4096];
    struct pollfd ready = {.fd = *pipe_end, .events = POLLIN};
    if (poll(&ready, 1, wait) <= 0)
        return false;
    ssize_t size = read(*pipe_end, piece, sizeof piece);
    if (size > 0) {
        keep_output(process, piece, (size_t)size);
        return true;
    }
    close(*pipe_end);
    *pipe_end = -1;
    return false;
}

// Whether the program has ended.  Its number stays its own until end_group.
static bool has_ended(pid_t pid)
{
    siginfo_t information = {0};
    return waitid(P_PID, (id_t)pid, &information,
                  WEXITED | WNOHANG | WNOWAIT) != 0 ||
           information.si_pid == pid;
}

// Waits until the program has ended or has to.
static enum process_end wait_for_end(struct process *process, pid_t pid,
                                     int *pipe_end)
{
    double started = clock_now();
    enum process_end end = PROCESS_EXITED;
    while (end == PROCESS_EXITED && !has_ended(pid)) {
        take_output(process, pipe_end, LOOK_EVERY);
        process->seconds = clock_now() - started;
        if (signals_are_waiting(process->signals_before))
            end = PROCESS_INTERRUPTED;
        else if (process->seconds_allowed > 0 &&
                 process->seconds >= process->seconds_allowed)
            end = PROCESS_TIMED_OUT;
    }
    process->seconds = clock_now() - started;
    return end;
}

static void end_group(struct process *process, pid_t pid)
{
    int status = 0;
    kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (process->end != PROCESS_EXITED)
        return;
    if (WIFSIGNALED(status)) {
        process->end = PROCESS_DIED;
        process->number = WTERMSIG(status);
    } else {
        process->number = WEXITSTATUS(status);
    }
}

// Takes what is left in the pipe.  A process that has left the group may print
// for ever, and a pipe holds no more than this.
static void take_rest(struct process *process, int *pipe_end)
{
    enum { MOST_PIECES = 256 };
    for (int i = 0; i < MOST_PIECES; i++)
        if (!take_output(process, pipe_end, 0))
            return;
}

int process_run(struct process *process)
{
    pid_t pid;
    int ends[2];
    if (pipe(ends) != 0)
        return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    // A parent may have left it ignored, and then no child can be waited for.
    signal(SIGCHLD, SIG_DFL);
    int error = start(process, process->shown ? STDERR_FILENO : ends[1], &pid);
    close(ends[1]);
    if (error == 0) {
        process->end = wait_for_end(process, pid, &ends[0]);
        end_group(process, pid);
        take_rest(process, &ends[0]);
    }
    if (ends[0] >= 0)
        close(ends[0]);
    return error;
}
