// SPDX-License-Identifier: GPL-2.0-or-later
//
// A worker is a fork of this process with a socket as its standard output.  It
// reads the number of an item from there, works, and writes the report, in
// which a mark is before each message, and in the end a mark and the status.
// Reports are kept until their turn.  A worker that ends takes no more with it
// than its item; another one takes its place.

#include "config.h"

#include "platform/workers.h"

#include "memory.h"
#include "platform/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

enum { MESSAGE_MARK = 1, END_MARK = 2 };

struct text {
    char *bytes;
    size_t size, room;
};

struct item {
    struct text report;
    enum exit_status status;
    bool is_done;
    bool has_failed; // as its worker ended
    int ended;       // how, as waitpid has it
};

#define NO_ITEM SIZE_MAX

struct worker {
    pid_t pid; // 0 if there is none
    int socket;
    size_t item; // that it works on, or NO_ITEM
    struct text report;
};

struct crew {
    const struct work *work;
    struct item *items;
    struct worker *workers;
    struct pollfd *ready; // for each worker
    size_t next;          // item to be handed out
    size_t printed;       // items
    bool is_refused;      // the system starts no more
};

// ---------------------------------------------------------------------------
// Signals

// Has the workers that a signal ends, too; NULL if there are none.
static const struct crew *volatile at_work;

static void end_workers_and_die(int signal_number)
{
    const struct crew *crew = at_work;
    size_t count = crew ? crew->work->processes : 0;
    for (size_t i = 0; i < count; i++)
        if (crew->workers[i].pid > 0)
            kill(crew->workers[i].pid, signal_number);
    for (size_t i = 0; i < count; i++)
        if (crew->workers[i].pid > 0)
            waitpid(crew->workers[i].pid, NULL, 0);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

// ---------------------------------------------------------------------------
// In a worker

static void print_marked(const char *line)
{
    printf("%c%s\n", MESSAGE_MARK, line);
    fflush(stdout); // this process may end at any time
}

static _Noreturn void work_for(struct crew *crew, int socket)
{
    const struct work *work = crew->work;
    size_t item;
    for (size_t i = 0; i < work->processes; i++)
        if (crew->workers[i].pid > 0)
            close(crew->workers[i].socket);
    dup2(socket, STDOUT_FILENO);
    close(socket);
    message_redirect(print_marked);
    while (recv(STDOUT_FILENO, &item, sizeof item, MSG_WAITALL) ==
           sizeof item) {
        enum exit_status status = work->run(work->context, item);
        printf("%c%c", END_MARK, '0' + (int)status);
        fflush(stdout);
    }
    exit(STATUS_DONE);
}

// ---------------------------------------------------------------------------
// Starting and ending

// Makes both ends of a socket, not under the numbers of the standard files,
// which may be closed.
static bool open_socket(int ends[2])
{
    int made[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, made) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(made[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(made[i]);
    }
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    return false;
}

// Signals are held, so that a handler knows of all workers.
static bool start_worker(struct crew *crew, struct worker *worker)
{
    int ends[2];
    sigset_t before;
    if (!open_socket(ends))
        return false;
    fflush(stdout); // or the worker would print it, too
    signals_hold(&before);
    worker->pid = fork();
    if (worker->pid == 0) {
        signals_let_go(end_workers_and_die);
        signals_release(&before);
        close(ends[0]);
        work_for(crew, ends[1]);
    }
    close(ends[1]);
    if (worker->pid < 0) {
        close(ends[0]);
        worker->pid = 0;
    }
    worker->socket = ends[0];
    worker->item = NO_ITEM;
    signals_release(&before);
    return worker->pid > 0;
}

// Has a worker end when its item is done.  Returns how it ended.
static int end_worker(struct worker *worker)
{
    int ended = 0;
    siginfo_t information;
    sigset_t before;
    close(worker->socket);
    while (waitid(P_PID, (id_t)worker->pid, &information, WEXITED | WNOWAIT) !=
               0 &&
           errno == EINTR)
        continue;
    // Its number stays its own until now.
    signals_hold(&before);
    waitpid(worker->pid, &ended, 0);
    worker->pid = 0;
    signals_release(&before);
    return ended;
}

// ---------------------------------------------------------------------------
// Reports

// Passes on what a worker printed: messages, and the rest unless it failed.
static void print_report(const struct item *item)
{
    char *at = item->report.bytes;
    char *end = at + item->report.size;
    while (at < end) {
        size_t left = (size_t)(end - at);
        char *mark = memchr(at, MESSAGE_MARK, left);
        char *line_end = mark ? memchr(mark, '\n', (size_t)(end - mark)) : NULL;
        size_t before = mark ? (size_t)(mark - at) : left;
        if (!item->has_failed)
            fwrite(at, 1, before, stdout);
        if (!line_end)
            return;
        *line_end = '\0';
        message_pass_on(mark + 1);
        at = line_end + 1;
    }
}

static void describe_end(int ended, char *sentence, size_t size)
{
    if (WIFSIGNALED(ended))
        snprintf(sentence, size,
                 "the process that built it was ended by signal %d, %s",
                 WTERMSIG(ended), strsignal(WTERMSIG(ended)));
    else
        snprintf(sentence, size,
                 "the process that built it ended with status %d",
                 WEXITSTATUS(ended));
}

// Prints the reports whose turn it is.
static void print_reports(struct crew *crew)
{
    const struct work *work = crew->work;
    for (; crew->printed < work->count && crew->items[crew->printed].is_done;
         crew->printed++) {
        struct item *item = &crew->items[crew->printed];
        work->begin(work->context, crew->printed);
        print_report(item);
        if (item->has_failed) {
            char sentence[160];
            describe_end(item->ended, sentence, sizeof sentence);
            item->status = work->fail(work->context, crew->printed, sentence);
        }
        work->end(work->context, crew->printed, item->status);
        free(item->report.bytes);
        item->report = (struct text){0};
    }
}

static void finish_item(struct crew *crew, struct worker *worker)
{
    struct item *item = &crew->items[worker->item];
    struct text *report = &worker->report;
    item->is_done = true;
    if (!item->has_failed) {
        item->status =
            (enum exit_status)(report->bytes[report->size - 1] - '0');
        report->size -= 2;
    }
    item->report = *report;
    *report = (struct text){0};
    worker->item = NO_ITEM;
}

// Takes what a worker has written, or notices that it has ended.
static void take_text(struct crew *crew, struct worker *worker)
{
    enum { PIECE = 4096 };
    struct text *report = &worker->report;
    if (report->room - report->size < PIECE) {
        report->room = 2 * report->room + PIECE;
        report->bytes = memory_resize(report->bytes, report->room, 1);
    }
    ssize_t size = recv(worker->socket, report->bytes + report->size,
                        report->room - report->size, 0);
    if (size < 0 && errno == EINTR)
        return;
    if (size > 0) {
        report->size += (size_t)size;
        if (report->size >= 2 && report->bytes[report->size - 2] == END_MARK)
            finish_item(crew, worker);
        return;
    }
    size_t item = worker->item;
    int ended = end_worker(worker);
    if (item == NO_ITEM)
        return;
    crew->items[item].has_failed = true;
    crew->items[item].ended = ended;
    finish_item(crew, worker);
}

// ---------------------------------------------------------------------------
// The work

// Gives each idle worker an item.  Returns how many workers are busy.
static size_t hand_out(struct crew *crew)
{
    size_t busy = 0;
    for (size_t i = 0; i < crew->work->processes; i++) {
        struct worker *worker = &crew->workers[i];
        if (crew->next < crew->work->count && worker->pid == 0 &&
            !crew->is_refused)
            crew->is_refused = !start_worker(crew, worker);
        if (crew->next < crew->work->count && worker->pid > 0 &&
            worker->item == NO_ITEM) {
            worker->item = crew->next++;
            // If it has ended, reading from it will tell.
            (void)!send(worker->socket, &worker->item, sizeof worker->item,
                        MSG_NOSIGNAL);
        }
        bool is_busy = worker->pid > 0 && worker->item != NO_ITEM;
        crew->ready[i] = (struct pollfd){.fd = is_busy ? worker->socket : -1,
                                         .events = POLLIN};
        busy += is_busy;
    }
    return busy;
}

static void run_crew(struct crew *crew)
{
    size_t count = crew->work->processes;
    while (hand_out(crew) > 0) {
        if (poll(crew->ready, (nfds_t)count, -1) < 0)
            continue;
        for (size_t i = 0; i < count; i++)
            if (crew->ready[i].revents)
                take_text(crew, &crew->workers[i]);
        print_reports(crew);
    }
}

void workers_run(const struct work *work)
{
    struct crew crew = {.work = work};
    if (work->processes > 1) {
        crew.items = memory_get(work->count, sizeof *crew.items);
        crew.workers = memory_get(work->processes, sizeof *crew.workers);
        crew.ready = memory_get(work->processes, sizeof *crew.ready);
        // A parent may have left it ignored, and then no child can be waited
        // for.
        signal(SIGCHLD, SIG_DFL);
        at_work = &crew;
        signals_catch(end_workers_and_die);
        run_crew(&crew);
        for (size_t i = 0; i < work->processes; i++)
            if (crew.workers[i].pid > 0)
                end_worker(&crew.workers[i]);
        signals_let_go(end_workers_and_die);
        at_work = NULL;
        free(crew.items);
        free(crew.workers);
        free(crew.ready);
    }
    // If no worker could be started, all is left to do.
    for (size_t i = crew.next; i < work->count; i++) {
        work->begin(work->context, i);
        work->end(work->context, i, work->run(work->context, i));
    }
}

size_t workers_count_processors(void)
{
#ifdef CPU_COUNT
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return (size_t)CPU_COUNT(&allowed);
#endif
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 ? (size_t)processors : 1;
}
