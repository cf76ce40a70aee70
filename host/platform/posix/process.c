// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program is started, and then looked at many times a second: whether it
// has printed something, has ended, has used up its time, or whether a signal
// is about to end us.  In the end its group is killed, whatever the reason.

#include "config.h"

#include "platform/process.h"

#include "platform/posix/posix.h"
#include "platform/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
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
    posix_spawnattr_setsigmask(&attributes, signals_before());
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
    process->output[process->output_size] = '\0';
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

// Waits until the program has ended.  Returns false if it has to be killed.
static bool wait_for_end(struct process *process, pid_t pid, int *pipe_end)
{
    double started = clock_now();
    while (!has_ended(pid)) {
        take_output(process, pipe_end, LOOK_EVERY);
        process->seconds = clock_now() - started;
        if (signals_are_waiting())
            return false;
        if (process->seconds_allowed == 0 ||
            process->seconds < process->seconds_allowed)
            continue;
        snprintf(process->failure, sizeof process->failure,
                 "it was ended because it took more than %u s; "
                 "--builder-timeout can give it more",
                 process->seconds_allowed);
        return false;
    }
    return true;
}

// Kills the group.  Returns how the program ended, as waitpid does.
static int end_group(pid_t pid)
{
    int status = 0;
    kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

// Returns whether the program ended by itself with exit status 0.
static bool follow(struct process *process, pid_t pid, int *pipe_end)
{
    // A process that has left the group may print for ever.  A pipe holds no
    // more than this.
    enum { MOST_PIECES = 256 };
    bool has_ended_itself = wait_for_end(process, pid, pipe_end);
    int status = end_group(pid);
    for (int i = 0; i < MOST_PIECES && take_output(process, pipe_end, 0); i++)
        continue;
    if (has_ended_itself && WIFSIGNALED(status))
        snprintf(process->failure, sizeof process->failure,
                 "it was ended by signal %d, %s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (has_ended_itself && WEXITSTATUS(status) != 0)
        snprintf(process->failure, sizeof process->failure,
                 "it ended with status %d", WEXITSTATUS(status));
    return has_ended_itself && status == 0;
}

static enum exit_status fail_to_start(struct process *process, int error)
{
    if (error == ENOENT && !strchr(process->words[0], '/'))
        snprintf(process->failure, sizeof process->failure,
                 "it was not found in PATH");
    else
        snprintf(process->failure, sizeof process->failure,
                 "it cannot be started: %s", strerror(error));
    return STATUS_USAGE;
}

enum exit_status process_run(struct process *process)
{
    pid_t pid;
    int ends[2];
    if (pipe(ends) != 0)
        return fail_to_start(process, errno);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    // A parent may have left it ignored, and then no child can be waited for.
    signal(SIGCHLD, SIG_DFL);
    int error = start(process, process->shown ? STDERR_FILENO : ends[1], &pid);
    bool succeeded = false;
    close(ends[1]);
    if (error == 0)
        succeeded = follow(process, pid, &ends[0]);
    if (ends[0] >= 0)
        close(ends[0]);
    if (error != 0)
        return fail_to_start(process, error);
    return succeeded ? STATUS_DONE : STATUS_MAP_FAILED;
}
