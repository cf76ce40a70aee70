// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program becomes the leader of a session, and so of a group of processes
// that a signal can reach together, and what it prints comes through a pipe.
// It is looked after many times a second: for output, for its end, for the end
// of its time, and for signals to us.  All four then lead the same way: what
// is left of the group is killed, the leader is waited for, orphans that had
// gone elsewhere are killed, and what is left in the pipe is read.
//
// Nothing may keep us from looking.  Standard error can, where nobody reads it,
// so it is only written to when it has room, and until it has taken a piece of
// the output the next stays in the pipe.  What is there in the end is shown
// later, when it does not matter how long that takes.

#include "config.h"

#include "platform/process.h"

#include "platform/clock.h"
#include "platform/orphans.h"
#include "platform/signals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Without sessions a terminal's Ctrl-C reaches the group only through us, too,
// but the program can see the terminal.
#ifdef POSIX_SPAWN_SETSID
enum { OWN_GROUP = POSIX_SPAWN_SETSID };
#else
enum { OWN_GROUP = POSIX_SPAWN_SETPGROUP };
#endif

enum { LOOK_EVERY = 10 }; // milliseconds

// For killed processes to go and close the pipe.
static const double seconds_to_go = 1.0;

// ---------------------------------------------------------------------------
// Starting

// Marks all descriptors but the standard ones as not to be inherited, those
// that we have inherited ourselves among them, where the system lists them.
// Returns 0, or the error if memory runs out.
static int close_others_on_exec(void)
{
    DIR *folder = opendir("/dev/fd");
    if (!folder)
        return errno == ENOMEM ? ENOMEM : 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        int descriptor = atoi(entry->d_name);
        if (descriptor > STDERR_FILENO)
            fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    closedir(folder);
    return 0;
}

// Starts the program with a descriptor for what it prints.  Whatever number
// that has, it is used before another file can take its place.
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

// ---------------------------------------------------------------------------
// Output

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

// Whether something can be done with a descriptor, or becomes so in a moment.
static bool is_ready(int descriptor, short event)
{
    struct pollfd descriptors = {.fd = descriptor, .events = event};
    return poll(&descriptors, 1, LOOK_EVERY) > 0;
}

static void close_pipe(struct process *process)
{
    if (process->pipe_end >= 0)
        close(process->pipe_end);
    process->pipe_end = -1;
}

// A pipe that has room has room for a piece.  A terminal may have it for a byte
// and would make us wait for the rest, so it is opened anew, to be written to
// without waiting.  Standard error itself cannot be set to that: others share
// it.
static int open_to_show(void)
{
    if (!isatty(STDERR_FILENO))
        return STDERR_FILENO;
    const char *name = ttyname(STDERR_FILENO);
    return name ? open(name, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) : -1;
}

// From here on what is shown may take its time.
static void close_to_show(struct process *process)
{
    if (process->shown_on < 0 || process->shown_on == STDERR_FILENO)
        return;
    close(process->shown_on);
    process->shown_on = STDERR_FILENO;
}

static bool is_piece_left(const struct process *process)
{
    return process->piece_begin < process->piece_end;
}

// Shows what there is room for of the piece.  A terminal can have room for a
// byte, but not for a line's end, which it makes two of.  What cannot be
// written is lost, as with any message.
static void show_piece(struct process *process)
{
    ssize_t written =
        write(process->shown_on, process->piece + process->piece_begin,
              process->piece_end - process->piece_begin);
    if (written > 0)
        process->piece_begin += (size_t)written;
    else if (written < 0 && errno == EAGAIN)
        poll(NULL, 0, LOOK_EVERY);
    else
        process->piece_begin = process->piece_end;
}

// Takes a piece of the output, when nothing is left of the one before.
static void take_piece(struct process *process)
{
    ssize_t size =
        read(process->pipe_end, process->piece, sizeof process->piece);
    if (size < 0 && errno == EAGAIN)
        return;
    if (size <= 0) {
        close_pipe(process);
        return;
    }
    keep_output(process, process->piece, (size_t)size);
    process->piece_begin = 0;
    process->piece_end = process->shown_on >= 0 ? (size_t)size : 0;
}

// Waits a moment for room and shows what is left of a piece; or, if nothing is,
// for output and takes it.  When nobody can write there any more, the moment is
// a mere pause.
static void take_output(struct process *process)
{
    if (is_piece_left(process)) {
        if (is_ready(process->shown_on, POLLOUT))
            show_piece(process);
    } else if (is_ready(process->pipe_end, POLLIN)) {
        take_piece(process);
    }
}

// Shows the kept output.
static void show_kept(const struct process *process)
{
    size_t begin = 0;
    size_t left_out = process->output_left_out;
    if (process->output_size == 0)
        return;
    if (left_out > 0) {
        // From the beginning of a line, if there is one.
        const char *line = memchr(process->output, '\n', process->output_size);
        if (line)
            begin = (size_t)(line - process->output) + 1;
        fprintf(stderr, "(%zu bytes before this are left out)\n",
                left_out + begin);
    }
    fwrite(process->output + begin, 1, process->output_size - begin, stderr);
    if (process->output[process->output_size - 1] != '\n')
        fputc('\n', stderr);
}

void process_close(struct process *process, bool failed)
{
    // No pipe holds more; a process that is still there could go on for ever.
    enum { MOST_PIECES = (1 << 20) / PIPE_BUF };
    for (int i = 0; i < MOST_PIECES && process->pipe_end >= 0; i++) {
        while (is_piece_left(process))
            show_piece(process);
        if (is_ready(process->pipe_end, POLLIN))
            take_piece(process);
    }
    while (is_piece_left(process))
        show_piece(process);
    close_pipe(process);
    if (process->shown_on < 0 && (failed || process->shown))
        show_kept(process);
}

// ---------------------------------------------------------------------------
// The end

// Whether the program has ended.  It is not waited for yet.
static bool has_ended(pid_t pid)
{
    siginfo_t information = {0};
    return waitid(P_PID, (id_t)pid, &information,
                  WEXITED | WNOHANG | WNOWAIT) != 0 ||
           information.si_pid == pid;
}

// If a terminal has stopped us, the program stops as long as we do, and the
// pause is not of its time.
static void stop_if_asked(struct process *process, pid_t pid, double *started)
{
    if (!signals_stop_is_waiting(process->signals_before))
        return;
    double stopped = clock_now();
    kill(-pid, SIGSTOP);
    signals_stop();
    kill(-pid, SIGCONT);
    *started += clock_now() - stopped;
}

// Follows the program until it ends or has to.
static enum process_end follow(struct process *process, pid_t pid,
                               double *started)
{
    while (!has_ended(pid)) {
        if (signals_are_waiting(process->signals_before))
            return PROCESS_INTERRUPTED;
        if (process->seconds_allowed > 0 &&
            clock_now() - *started >= process->seconds_allowed)
            return PROCESS_TIMED_OUT;
        stop_if_asked(process, pid, started);
        take_output(process);
    }
    // What has ended it may have been for us.
    return signals_are_waiting(process->signals_before) ? PROCESS_INTERRUPTED
                                                        : PROCESS_EXITED;
}

// Takes the rest of the output, as long as somebody takes it from us.
static void take_rest(struct process *process)
{
    double killed = clock_now();
    while (process->pipe_end >= 0 && clock_now() - killed < seconds_to_go)
        take_output(process);
}

static void take_status(struct process *process, int status)
{
    if (process->end != PROCESS_EXITED)
        return;
    if (WIFSIGNALED(status)) {
        process->end = PROCESS_DIED;
        process->number = WTERMSIG(status);
    } else {
        process->number = WEXITSTATUS(status);
    }
}

// Ends what is left of the group, and waits for its leader, whose number then
// is free for others.
static void end_group(struct process *process, pid_t pid)
{
    int status = 0;
    kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    take_status(process, status);
}

static int start_and_follow(struct process *process, int output,
                            const struct orphans *orphans)
{
    pid_t pid;
    double started = clock_now();
    int error = close_others_on_exec();
    if (error == 0)
        error = start(process, output, &pid);
    close(output);
    if (error != 0)
        return error;
    process->end = follow(process, pid, &started);
    process->seconds = clock_now() - started;
    end_group(process, pid);
    orphans_kill(orphans);
    take_rest(process);
    return 0;
}

int process_run(struct process *process)
{
    int pipe_ends[2];
    struct orphans orphans;
    process->pipe_end = -1;
    process->shown_on = -1;
    if (pipe(pipe_ends) != 0)
        return errno;
    process->pipe_end = pipe_ends[0];
    if (process->shown)
        process->shown_on = open_to_show();
    fcntl(process->pipe_end, F_SETFL, O_NONBLOCK);
    // If it is ignored, as our parent may have left it, ends are not told.
    signal(SIGCHLD, SIG_DFL);
    int error = orphans_adopt(&orphans);
    if (error == 0)
        error = start_and_follow(process, pipe_ends[1], &orphans);
    else
        close(pipe_ends[1]);
    orphans_release(&orphans);
    close_to_show(process);
    return error;
}
