// SPDX-License-Identifier: GPL-2.0-or-later
//
// A program runs in a process group of its own.

#include "config.h"

#include "platform/program.h"

#include "platform/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// A new session is also a new process group, and has no terminal.
#ifdef POSIX_SPAWN_SETSID
enum { OWN_GROUP = POSIX_SPAWN_SETSID };
#else
enum { OWN_GROUP = POSIX_SPAWN_SETPGROUP };
#endif

static int program_spawn(char *const *words, int output, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &system_signals_before);
    posix_spawnattr_setflags(&attributes,
                             (short)(OWN_GROUP | POSIX_SPAWN_SETSIGMASK));
    int error =
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0)
        error =
            posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
                                                 "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error =
            posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static bool program_fail(const char *name, int error,
                         char failure[PROGRAM_FAILURE_SIZE])
{
    if (error == ENOENT && !strchr(name, '/'))
        snprintf(failure, PROGRAM_FAILURE_SIZE, "it was not found in PATH");
    else
        snprintf(failure, PROGRAM_FAILURE_SIZE, "it cannot be started: %s",
                 strerror(error));
    return false;
}

bool program_start(struct program *program, char *const *words, bool shown,
                   char failure[PROGRAM_FAILURE_SIZE])
{
    pid_t pid;
    int ends[2];
    if (pipe(ends) != 0)
        return program_fail(words[0], errno, failure);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    // The parent may have left SIGCHLD ignored; then waitid() would fail.
    signal(SIGCHLD, SIG_DFL);
    int error = program_spawn(words, shown ? STDERR_FILENO : ends[1], &pid);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        return program_fail(words[0], error, failure);
    }
    *program = (struct program){.process = pid, .pipe = ends[0]};
    return true;
}

void program_close(struct program *program)
{
    if (program->pipe >= 0)
        close((int)program->pipe);
    program->pipe = -1;
}

// Closes the pipe at its end: when all processes that could write closed it.
size_t program_read(struct program *program, char *text, size_t size, int wait)
{
    struct pollfd ready = {.fd = (int)program->pipe, .events = POLLIN};
    if (poll(&ready, 1, wait) <= 0)
        return 0;
    ssize_t got = read((int)program->pipe, text, size);
    if (got <= 0)
        program_close(program);
    return got > 0 ? (size_t)got : 0;
}

// WNOWAIT: the PID is not reused until program_end.
bool program_has_ended(const struct program *program)
{
    siginfo_t information = {0};
    return waitid(P_PID, (id_t)program->process, &information,
                  WEXITED | WNOHANG | WNOWAIT) != 0 ||
           information.si_pid == program->process;
}

bool program_end(struct program *program, char how[PROGRAM_FAILURE_SIZE])
{
    int status = 0;
    pid_t pid = (pid_t)program->process;
    kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status))
        snprintf(how, PROGRAM_FAILURE_SIZE, "it was ended by signal %d, %s",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(how, PROGRAM_FAILURE_SIZE, "it ended with status %d",
                 WEXITSTATUS(status));
    return status == 0;
}
