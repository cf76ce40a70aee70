// SPDX-License-Identifier: GPL-2.0-or-later
//
// A seccomp filter of Linux sends a signal at every call that is not on the
// list.  The handler leaves the call's number in memory that is shared with the
// parent, and ends the process.

#include "config.h"

#include "call-filter.h"

#ifdef __linux__

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Not all machines have all of them.
static const long allowed[] = {
    // memory
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise,
#ifdef SYS_mmap2
    SYS_mmap2,
#endif
    // threads
    SYS_clone, SYS_futex, SYS_set_robust_list, SYS_rt_sigprocmask,
    SYS_sched_getaffinity, SYS_exit,
#ifdef SYS_clone3
    SYS_clone3,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_futex_time64
    SYS_futex_time64,
#endif
    // time
    SYS_clock_gettime,
#ifdef SYS_clock_gettime64
    SYS_clock_gettime64,
#endif
    // the end of the process that works
    SYS_exit_group};

enum { ALLOWED_COUNT = sizeof allowed / sizeof *allowed };

// What the process that works tells its parent.
struct told {
    volatile long call; // the one that is not allowed; -1 is none
    volatile bool is_done;
};

static struct told *told;

static void tell_call(int signal_number, siginfo_t *information, void *context)
{
    (void)signal_number;
    (void)context;
    told->call = information->si_syscall;
    _exit(EXIT_FAILURE);
}

static bool install_filter(void)
{
    struct sock_filter program[2 * ALLOWED_COUNT + 2];
    struct sock_filter *next = program;
    *next++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                           offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < ALLOWED_COUNT; i++) {
        *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                               (unsigned)allowed[i], 0, 1);
        *next++ =
            (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    *next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    struct sock_fprog filter = {.len = (unsigned short)(next - program),
                                .filter = program};
    struct sigaction action = {.sa_sigaction = tell_call,
                               .sa_flags = SA_SIGINFO};
    return sigaction(SIGSYS, &action, NULL) == 0 &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static void do_nothing(void)
{
}

static void *end_at_once(void *nothing)
{
    return nothing;
}

// With the first thread the C library installs a signal handler of its own.
static bool start_first_thread(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, end_at_once, NULL) == 0 &&
           pthread_join(thread, NULL) == 0;
}

static void run_in_child(void (*work)(void))
{
    if (!start_first_thread() || !install_filter())
        _exit(EXIT_FAILURE);
    work();
    told->is_done = true;
    _exit(EXIT_SUCCESS);
}

const char *call_filter_run(void (*work)(void))
{
    static char sentence[80];
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED)
        return "no memory is shared with a child";
    told->call = -1;
    pid_t child = fork();
    if (child == 0)
        run_in_child(work);
    int status = 0;
    waitpid(child, &status, 0);
    struct told found = *told;
    munmap(told, sizeof *told);
    if (found.is_done)
        return NULL;
    if (found.call >= 0)
        snprintf(sentence, sizeof sentence, "system call %ld was made",
                 found.call);
    else
        snprintf(sentence, sizeof sentence, "the process ended with status %x",
                 (unsigned)status);
    return sentence;
}

bool call_filter_is_there(void)
{
    return !call_filter_run(do_nothing);
}

#else

const char *call_filter_run(void (*work)(void))
{
    (void)work;
    return "there is no filter";
}

bool call_filter_is_there(void)
{
    return false;
}

#endif
