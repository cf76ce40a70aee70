// SPDX-License-Identifier: GPL-2.0-or-later
//
// A worker is a fork of this process with a pipe as its standard output.  It
// takes the next item from memory that all share, works, and writes the report,
// in which a mark is before each message, and in the end a mark, the status and
// the item.  Reports are kept until their turn.  A worker that ends takes no
// more with it than its item; another one takes its place.

#include "config.h"

#include "platform/workers.h"

#include "memory.h"
#include "platform/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MESSAGE_MARK = 1, END_MARK = 2 };

#define NO_ITEM SIZE_MAX

struct item {
    char *report;
    size_t size;
    enum exit_status status;
    bool is_done;
    bool has_failed; // as its worker ended
    int ended;       // how, as waitpid has it
};

// What all processes share.
struct board {
    atomic_size_t next;      // item
    atomic_size_t current[]; // for each worker, its item or NO_ITEM
};

struct worker {
    pid_t pid;       // 0 if there is none
    bool is_refused; // it did not start, or ended before it could work
    int pipe;
    char *text; // that was read and does not end an item yet
    size_t size, room;
};

struct crew {
    const struct work *work;
    struct board *board;
    struct item *items;
    struct worker *workers;
    struct pollfd *ready; // for each worker
    size_t printed;       // items
};

// ---------------------------------------------------------------------------
// Signals

// Has the workers that end with this process; NULL if there are none.
static const struct crew *volatile at_work;

// Also those that are stopped.  Those that ignore the signal end after their
// item, as their pipes are closed.
static void end_workers(int signal_number)
{
    const struct crew *crew = at_work;
    size_t count = crew ? crew->work->processes : 0;
    for (size_t i = 0; i < count; i++)
        if (crew->workers[i].pid > 0) {
            kill(crew->workers[i].pid, signal_number);
            kill(crew->workers[i].pid, SIGCONT);
            close(crew->workers[i].pipe);
        }
    for (size_t i = 0; i < count; i++)
        if (crew->workers[i].pid > 0)
            waitpid(crew->workers[i].pid, NULL, 0);
}

// If this process ends early because memory ran out.
static void end_workers_at_exit(void)
{
    end_workers(SIGTERM);
}

static void end_workers_and_die(int signal_number)
{
    end_workers(signal_number);
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

static _Noreturn void work_for(struct crew *crew, size_t number, int pipe)
{
    const struct work *work = crew->work;
    struct board *board = crew->board;
    size_t item;
    for (size_t i = 0; i < work->processes; i++)
        if (crew->workers[i].pid > 0)
            close(crew->workers[i].pipe);
    dup2(pipe, STDOUT_FILENO);
    close(pipe);
    message_redirect(print_marked);
    while ((item = atomic_fetch_add(&board->next, 1)) < work->count) {
        atomic_store(&board->current[number], item);
        enum exit_status status = work->run(work->context, item);
        printf("%c%d %zu\n", END_MARK, (int)status, item);
        if (fflush(stdout) != 0)
            break; // the parent is gone
        atomic_store(&board->current[number], NO_ITEM);
    }
    exit(STATUS_DONE);
}

// ---------------------------------------------------------------------------
// Starting and ending

// Makes both ends of a pipe, not under the numbers of the standard files, which
// may be closed.
static bool open_pipe(int ends[2])
{
    int made[2];
    if (pipe(made) != 0)
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

// Starts a worker if the system allows it.  Signals are held, so that a handler
// knows of all workers.
static void start_worker(struct crew *crew, size_t number)
{
    struct worker *worker = &crew->workers[number];
    int ends[2];
    worker->is_refused = !open_pipe(ends);
    if (worker->is_refused)
        return;
    fflush(stdout); // or the worker would print it, too
    atomic_store(&crew->board->current[number], NO_ITEM);
    signals_hold();
    pid_t pid = fork();
    if (pid == 0) {
        at_work = NULL;
        signals_let_go(end_workers_and_die);
        signals_release();
        close(ends[0]);
        work_for(crew, number, ends[1]);
    }
    worker->pid = pid > 0 ? pid : 0;
    worker->pipe = ends[0];
    worker->size = 0;
    signals_release();
    close(ends[1]);
    worker->is_refused = pid < 0;
    if (pid < 0)
        close(ends[0]);
}

// Waits for the end of a worker.  Returns how it ended.
static int end_worker(struct worker *worker)
{
    int ended = 0;
    siginfo_t information;
    close(worker->pipe);
    while (waitid(P_PID, (id_t)worker->pid, &information, WEXITED | WNOWAIT) !=
               0 &&
           errno == EINTR)
        continue;
    // Its number stays its own until now.
    signals_hold();
    waitpid(worker->pid, &ended, 0);
    worker->pid = 0;
    signals_release();
    return ended;
}

// ---------------------------------------------------------------------------
// Reports

// Passes on what a worker printed: messages, and the rest unless it failed.
static void print_report(const struct item *item)
{
    char *at = item->report;
    char *end = at + item->size;
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
        free(item->report);
        item->report = NULL;
    }
}

// Takes the report of an item, the first bytes of a worker's text.
static struct item *finish_item(struct crew *crew, struct worker *worker,
                                size_t number, size_t size)
{
    struct item *item = &crew->items[number];
    item->report = memory_get(size, 1);
    item->size = size;
    item->is_done = true;
    memcpy(item->report, worker->text, size);
    return item;
}

// Takes the reports that are complete.
static void take_reports(struct crew *crew, struct worker *worker)
{
    char *mark, *line_end;
    while ((mark = memchr(worker->text, END_MARK, worker->size)) &&
           (line_end = memchr(mark, '\n',
                              worker->size - (size_t)(mark - worker->text)))) {
        char *number;
        long status = strtol(mark + 1, &number, 10);
        size_t item = strtoul(number, NULL, 10);
        // What a stage prints against its contract may look like an end.
        if (item < crew->work->count && !crew->items[item].is_done)
            finish_item(crew, worker, item, (size_t)(mark - worker->text))
                ->status = (enum exit_status)status;
        worker->size -= (size_t)(line_end + 1 - worker->text);
        memmove(worker->text, line_end + 1, worker->size);
    }
}

// Takes what a worker has written, or notices that it has ended.
static void take_text(struct crew *crew, size_t number)
{
    enum { PIECE = 1 << 16 };
    struct worker *worker = &crew->workers[number];
    if (worker->room - worker->size < PIECE) {
        worker->room = 2 * worker->room + PIECE;
        worker->text = memory_resize(worker->text, worker->room, 1);
    }
    ssize_t size = read(worker->pipe, worker->text + worker->size, PIECE);
    if (size < 0 && errno == EINTR)
        return;
    if (size > 0) {
        worker->size += (size_t)size;
        take_reports(crew, worker);
        return;
    }
    int ended = end_worker(worker);
    size_t current = atomic_load(&crew->board->current[number]);
    if (current == NO_ITEM || crew->items[current].is_done) {
        worker->is_refused = ended != 0;
        return;
    }
    struct item *item = finish_item(crew, worker, current, worker->size);
    item->has_failed = true;
    item->ended = ended;
}

// ---------------------------------------------------------------------------
// The work

// Has each worker that is needed run.  Returns how many do.
static size_t fill_crew(struct crew *crew)
{
    size_t running = 0;
    for (size_t i = 0; i < crew->work->processes; i++) {
        struct worker *worker = &crew->workers[i];
        if (worker->pid == 0 && !worker->is_refused &&
            atomic_load(&crew->board->next) < crew->work->count)
            start_worker(crew, i);
        crew->ready[i] = (struct pollfd){
            .fd = worker->pid > 0 ? worker->pipe : -1, .events = POLLIN};
        running += worker->pid > 0;
    }
    return running;
}

// Lets reports gather for some milliseconds, as taking each as it comes keeps
// a processor from the workers.
static void run_crew(struct crew *crew)
{
    enum { GATHER = 2 };
    size_t count = crew->work->processes;
    while (fill_crew(crew) > 0) {
        if (poll(crew->ready, (nfds_t)count, -1) < 0)
            continue;
        for (size_t i = 0; i < count; i++)
            if (crew->ready[i].revents)
                take_text(crew, i);
        print_reports(crew);
        if (crew->printed < crew->work->count)
            poll(NULL, 0, GATHER);
    }
}

static void run_here(const struct work *work, size_t item)
{
    work->begin(work->context, item);
    work->end(work->context, item, work->run(work->context, item));
}

static void divide_work(const struct work *work)
{
    size_t board_size =
        sizeof(struct board) + work->processes * sizeof(atomic_size_t);
    struct crew crew = {
        .work = work,
        .board = mmap(NULL, board_size, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0),
        .items = memory_get(work->count, sizeof *crew.items),
        .workers = memory_get(work->processes, sizeof *crew.workers),
        .ready = memory_get(work->processes, sizeof *crew.ready),
    };
    if (crew.board != MAP_FAILED) {
        // A parent may have left it ignored, and then no child can be waited
        // for.
        signal(SIGCHLD, SIG_DFL);
        at_work = &crew;
        atexit(end_workers_at_exit);
        signals_catch(end_workers_and_die);
        run_crew(&crew);
        signals_let_go(end_workers_and_die);
        at_work = NULL;
        munmap(crew.board, board_size);
    }
    // What is left where the system refused workers.
    while (crew.printed < work->count) {
        run_here(work, crew.printed++);
        print_reports(&crew);
    }
    for (size_t i = 0; i < work->processes; i++)
        free(crew.workers[i].text);
    free(crew.items);
    free(crew.workers);
    free(crew.ready);
}

void workers_run(const struct work *work)
{
    // poll takes no more pipes than a process may have open.
    long most = sysconf(_SC_OPEN_MAX);
    struct work divided = *work;
    if (most > 0 && divided.processes > (size_t)most)
        divided.processes = (size_t)most;
    if (divided.processes > 1)
        divide_work(&divided);
    else
        for (size_t i = 0; i < work->count; i++)
            run_here(work, i);
}

bool workers_can_divide(void)
{
    return true;
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
