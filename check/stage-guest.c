// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage as a guest in the process that loads it: it uses memory and threads
// alone, leaves everything as it was, works whatever the floating-point
// environment and the locale are, and leaves nothing when it is unloaded.

#define _GNU_SOURCE

#include "config.h"

#include "stage.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

enum { SIGNALS = 64, DESCRIPTORS = 256 };

// Whatever the program and the stage were compiled with.
static bool is_sanitized(void)
{
    return dlsym(RTLD_DEFAULT, "__asan_init") ||
           dlsym(RTLD_DEFAULT, "__tsan_init") ||
           dlsym(RTLD_DEFAULT, "__ubsan_handle_add_overflow");
}

// ---------------------------------------------------------------------------
// Work for the stage

static size_t threads_expected; // after each build; 0: any number

static void build_one(const struct map *map, const struct values *value,
                      struct text *made)
{
    struct session session;
    session_open(&session);
    if (value) {
        doing("building %s with %s=%s", map->what, value->name, value->text);
        session_set(&session, value->name, value->text);
    }
    session_write(&session, map->map, true, made);
    if (stage->decode) {
        struct nbstage_decoded decoded = {.size = sizeof decoded};
        enter(&session);
        stage->decode(session.instance, map->map, &decoded);
        leave(&session);
        text_add(made, decoded.vertices,
                 decoded.vertex_count * decoded.vertex_stride);
    }
    session_close(&session);
    if (threads_expected > 0 && count_threads() != threads_expected)
        fail("there were %zu threads before a build, and %zu after it",
             threads_expected, count_threads());
}

// Every map as it is, and each drawing once with each value of each option.
static struct text work(void)
{
    struct text made = {0};
    for (struct walk walk = {0}; next_map(&walk);)
        build_one(&walk.map, NULL, &made);
    for (struct walk walk = {0}; next_map(&walk); walk.index += FORM_COUNT - 2)
        for (struct values value = {0}; next_value(&value);)
            build_one(&walk.map, &value, &made);
    return made;
}

static void work_for_nothing(void)
{
    struct text made = work();
    free(made.bytes);
}

// ---------------------------------------------------------------------------
// The system calls that it makes: a seccomp filter of Linux sends a signal at
// every call that is not on the list.

#ifdef __linux__

// Not all machines have all of them.
static const long allowed[] = {
    // memory
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise,
#ifdef SYS_mmap2
    SYS_mmap2,
#endif
    // threads
    SYS_clone, SYS_futex, SYS_set_robust_list, SYS_rt_sigprocmask,
    SYS_sched_getaffinity, SYS_sched_yield, SYS_gettid, SYS_getpid, SYS_exit,
#ifdef SYS_clone3
    SYS_clone3,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_futex_time64
    SYS_futex_time64,
#endif
    // time, random numbers
    SYS_clock_gettime, SYS_gettimeofday, SYS_getrandom,
#ifdef SYS_clock_gettime64
    SYS_clock_gettime64,
#endif
    // the end of the process that works
    SYS_exit_group};

static void tell_call(int signal_number, siginfo_t *information, void *context)
{
    (void)signal_number;
    (void)context;
    fail("the stage made the system call %d, which is not for memory, threads "
         "or the time",
         information->si_syscall);
}

static bool install_filter(void)
{
    struct sock_filter program[2 * COUNT(allowed) + 2];
    struct sock_filter *next = program;
    *next++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                           offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < COUNT(allowed); i++) {
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

static void *end_at_once(void *nothing)
{
    return nothing;
}

static void test_system_calls(void)
{
    pthread_t thread;
    stage_load();
    if (is_sanitized())
        skip("sanitizers make system calls of their own");
    // With the first thread the C library installs a signal handler of its own.
    if (pthread_create(&thread, NULL, end_at_once, NULL) == 0)
        pthread_join(thread, NULL);
    sysconf(_SC_PAGESIZE);
    if (!install_filter())
        skip("this system does not filter system calls");
    work_for_nothing();
}

#else

static void test_system_calls(void)
{
    skip("only Linux filters system calls");
}

#endif

// ---------------------------------------------------------------------------
// What the process holds

static void test_threads_ended(void)
{
    stage_load();
    threads_expected = count_threads();
    if (threads_expected == 0)
        skip("this system does not list threads");
    if (dlsym(RTLD_DEFAULT, "__tsan_init"))
        skip("the thread sanitizer has a thread of its own");
    work_for_nothing();
}

static void add_set(struct text *text, const sigset_t *set)
{
    for (int number = 1; number <= SIGNALS; number++)
        text_add(text, sigismember(set, number) == 1 ? "1" : "0", 1);
    text_add(text, "\n", 1);
}

static void add_signals(struct text *text)
{
    sigset_t blocked;
    stack_t stack;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    text_print(text, "blocked signals ");
    add_set(text, &blocked);
    sigaltstack(NULL, &stack);
    text_print(text, "stack of signals %p\n", stack.ss_sp);
    for (int number = 1; number <= SIGNALS; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) != 0)
            continue; // the C library's own
        text_print(text, "signal %d: handler %" PRIxPTR ", flags %x, blocks ",
                   number, (uintptr_t)action.sa_handler,
                   (unsigned)action.sa_flags);
        add_set(text, &action.sa_mask);
    }
}

static void add_environment(struct text *text)
{
    char folder[PATH_MAX];
    mode_t mask = umask(0);
    umask(mask);
    text_print(text, "rounding %d\n", fegetround());
#ifdef __GLIBC__
    text_print(text, "floating-point traps %x\n", (unsigned)fegetexcept());
#endif
#ifdef __SSE__ // whether tiny numbers become 0, besides; not what was raised
    text_print(text, "floating-point control %x\n",
               __builtin_ia32_stmxcsr() & ~0x3Fu);
#endif
    text_print(text, "working folder %s\n", getcwd(folder, sizeof folder));
    text_print(text, "mask of new files %o\n", (unsigned)mask);
    text_print(text, "priority %d\n", getpriority(PRIO_PROCESS, 0));
    text_print(text, "locale %s, of the thread %" PRIxPTR "\n",
               setlocale(LC_ALL, NULL), (uintptr_t)uselocale((locale_t)0));
    for (char **variable = environ; *variable; variable++)
        text_print(text, "%s\n", *variable);
}

static void add_descriptors(struct text *text)
{
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++) {
        struct stat file;
        if (fstat(descriptor, &file) == 0)
            text_print(text,
                       "descriptor %d: file %" PRIuMAX " at %" PRIdMAX
                       ", flags %x %x\n",
                       descriptor, (uintmax_t)file.st_ino,
                       (intmax_t)lseek(descriptor, 0, SEEK_CUR),
                       (unsigned)fcntl(descriptor, F_GETFD),
                       (unsigned)fcntl(descriptor, F_GETFL));
    }
}

// All of it as text, a line each.
static struct text process_state(void)
{
    struct text text = {0};
    add_signals(&text);
    add_environment(&text);
    add_descriptors(&text);
    text_add(&text, "", 1);
    return text;
}

static void never_called(int signal_number)
{
    fail("signal %d has come", signal_number);
}

static void change_signals(void)
{
    static const int handled[] = {SIGALRM, SIGCHLD, SIGPIPE, SIGUSR1};
    sigset_t blocked;
    for (size_t i = 0; i < COUNT(handled); i++) {
        struct sigaction action = {.sa_handler = never_called,
                                   .sa_flags = SA_RESTART};
        sigaddset(&action.sa_mask, SIGHUP);
        sigaction(handled[i], &action, NULL);
    }
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
}

// Tells the first line that differs.
static void check_same_lines(const char *before, const char *after)
{
    while (*before || *after) {
        int length = (int)strcspn(before, "\n");
        int length_after = (int)strcspn(after, "\n");
        if (length != length_after ||
            memcmp(before, after, (size_t)length) != 0)
            fail("of the process, '%.*s' has become '%.*s'", length, before,
                 length_after, after);
        before += length + (before[length] == '\n');
        after += length_after + (after[length_after] == '\n');
    }
}

// A locale with a decimal comma, where there is one.
static bool use_decimal_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8",
                                        "fr_FR",       "es_ES", "nl_NL.UTF-8"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (setlocale(LC_ALL, names[i]) &&
            strcmp(localeconv()->decimal_point, ",") == 0)
            return true;
    return false;
}

static void test_process(void)
{
    stage_load();
    change_signals();
    use_decimal_comma();
    umask(031);
    fesetround(FE_UPWARD);
    struct text before = process_state();
    work_for_nothing();
    struct text after = process_state();
    check_same_lines((char *)before.bytes, (char *)after.bytes);
}

static void test_rounding(void)
{
    static const int roundings[] = {FE_UPWARD, FE_DOWNWARD};
    stage_load();
    struct text expected = work();
    for (size_t i = 0; i < COUNT(roundings); i++) {
        fesetround(roundings[i]);
        struct text made = work();
        check_same("with another rounding mode", &made, &expected);
    }
}

static void test_locale(void)
{
    stage_load();
    struct text expected = work();
    if (!use_decimal_comma())
        skip("this system has no locale with a decimal comma");
    struct text made = work();
    check_same("with a decimal comma", &made, &expected);
}

// ---------------------------------------------------------------------------
// What it leaves behind

static size_t count_lines(const char *path)
{
    char bytes[4096];
    size_t count = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;)
        for (size_t i = 0; i < size; i++)
            count += bytes[i] == '\n';
    fclose(file);
    return count;
}

struct held {
    size_t mappings;
    size_t descriptors;
    size_t threads;
    size_t memory; // bytes
};

static struct held measure(void)
{
    struct held held = {.mappings = count_lines("/proc/self/maps"),
                        .threads = count_threads()};
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++)
        held.descriptors += fcntl(descriptor, F_GETFD) >= 0;
#ifdef HAVE_MALLINFO2
    held.memory = mallinfo2().uordblks;
#endif
    return held;
}

// The whole life of a stage in a host that gives it no memory.
static void load_and_unload(const struct nbstage_map *map)
{
    stage_load();
    struct nbstage_instance *instance;
    struct nbstage_result result = {.size = sizeof result};
    if (stage->create(NULL, &instance) != NBSTAGE_OK)
        fail("create failed");
    stage->build(instance, map, &result);
    stage->free_result(instance, &result);
    stage->set_option(instance, "no-such-option", "x");
    stage->build(instance, map, &result);
    stage->destroy(instance);
    if (dlclose(stage_library()) != 0)
        fail("the stage cannot be unloaded: %s", dlerror());
}

static void test_loads(void)
{
    enum { LOADS = 1000, FIRST_LOADS = 20 };
    struct drawing drawing = drawing_make(0, settings.seed);
    struct map maps[2] = {map_make(&drawing, FORM_DOOM),
                          map_make(&drawing, FORM_ARRAYS)};
    struct held before = {0};
    for (size_t i = 0; i < LOADS + FIRST_LOADS; i++) {
        if (i == FIRST_LOADS)
            before = measure();
        load_and_unload(maps[i % 2].map);
    }
    struct held after = measure();
    if (after.descriptors != before.descriptors)
        fail("1,000 loads left %zu file descriptors of %zu", after.descriptors,
             before.descriptors);
    if (after.threads > before.threads)
        fail("1,000 loads left %zu threads", after.threads - before.threads);
    if (is_sanitized())
        return; // sanitizers keep memory of their own
    if (after.memory > before.memory + LOADS)
        fail("1,000 loads left %zu bytes of memory",
             after.memory - before.memory);
    if (after.mappings > before.mappings + 8)
        fail("1,000 loads left %zu mappings of memory",
             after.mappings - before.mappings);
    if (dlopen(settings.path, RTLD_NOW | RTLD_NOLOAD))
        fail("the stage stays loaded after dlclose");
}

const struct test guest_tests[] = {
    {"system-calls", "calls for memory, threads and the time only",
     test_system_calls},
    {"threads-ended", "threads end before a call returns", test_threads_ended},
    {"process", "signals, locale, folder and files are left alone",
     test_process},
    {"rounding", "other modes of rounding change nothing", test_rounding},
    {"locale", "a decimal comma changes nothing", test_locale},
    {"loads", "1,000 loads leave nothing behind", test_loads},
    {0}};
