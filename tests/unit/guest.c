// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the module is a good guest in the process that loads it: it uses
// memory and threads alone, leaves everything as it was, works whatever the
// floating-point environment and the locale are, and leaves nothing when it is
// unloaded.
//
// test-guest.sh makes a locale with a decimal comma for it, COMMA_LOCALE.

#include "config.h"

#include "context-for-tests.h"
#include "lump-set.h"
#include "plugin.h"
#include "random-map.h"
#include "run-suite.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
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
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
    LOADS = 1000,
    FIRST_LOADS = 20, // after which memory should not grow
    MOST_SUBJECTS = 8,
    MOST_SECONDS = 240,
    SIGNALS = 64,
    DESCRIPTORS = 256,
    SKIPPED = 77, // what make check takes for that
};

static bool is_sanitized(void)
{
    const char *flags = getenv("SANITIZE_FLAGS");
    return flags && *flags;
}

// ---------------------------------------------------------------------------
// Work for the stage

// Searches with one thread, several and as many as there are processors, all
// ways to pack, merging, and limits that are not met.
static const char *const options[] = {
    "grid=keep check-nodes=yes",
    "grid=search threads=1 max-blocks=10000",
    "preset=small threads=4 max-blocks=10000",
    "grid=search limit=vanilla max-blocks=10000",
    "grid=fit pack=nest for=doom19 overflow=merge,error prune=inert",
    "grid=fit pack=cover header=any format=xbm1",
    "lists=lump pack=none overflow=error",
};

// Coordinates with fractions, and a number that is none.
static const char triangle[] =
    "namespace = \"zdoom\";\n"
    "vertex { x = -0.5; y = 1e2; }\n"
    "vertex { x = 300.25; y = 100.125; }\n"
    "vertex { x = 150.0625; y = +700.875; }\n"
    "linedef { v1 = 0; v2 = 1; sidefront = 0; }\n"
    "linedef { v1 = 1; v2 = 2; sidefront = 0; }\n"
    "linedef { v1 = 2; v2 = 0; sidefront = 0; }\n"
    "sidedef { sector = 0; }\n"
    "sector { heightceiling = 128; user_share = 0.5; }\n";
static const char damaged[] = "namespace = \"zdoom\"; vertex { x = 1,5; }";

// With as many blocks as leave little room for lists in 32,768 words.
static const struct scatter long_lines = {1, 80, 23000, 22000};

static struct wadfile sample;
static struct random_map large;
static struct lump_set subjects[MOST_SUBJECTS];
static size_t subject_count;

static void tell(void *context, int32_t level, const char *message)
{
    fprintf(context, "%d %s\n", (int)level, message);
}

static int32_t go_on(void *context, uint32_t done, uint32_t total)
{
    (void)context;
    return done > total;
}

// Writes elements, of which there may be none.
static void put(FILE *made, const void *elements, size_t size, size_t count)
{
    if (count > 0)
        fwrite(elements, size, count, made);
}

static size_t threads_expected; // after each build; 0: any number

// The kernel lists a thread for a moment after pthread_join, with bit 4 of its
// flags, the seventh number after its name.
static bool is_running(const char *thread)
{
    char path[PATH_MAX], text[1024];
    unsigned flags;
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", thread);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *name_end = strrchr(text, ')');
    return name_end &&
           sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
           !(flags & 4);
}

// Counts those entries for which `counts` is true, or all; 0 where the system
// does not tell.
static size_t count_entries(const char *path, bool (*counts)(const char *name))
{
    DIR *folder = opendir(path);
    if (!folder)
        return 0;
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.' && (!counts || counts(entry->d_name));
    closedir(folder);
    return count;
}

static size_t count_threads(void)
{
    return count_entries("/proc/self/task", is_running);
}

static void assert_threads(void)
{
    if (threads_expected > 0)
        ck_assert_uint_eq(count_threads(), threads_expected);
}

static void build(FILE *made, struct nbstage_instance *instance,
                  const struct nbstage_map *map)
{
    const struct nbstage_descriptor *stage = plugin_stage();
    struct nbstage_result result = {.size = sizeof result};
    if (stage->build(instance, map, &result) != NBSTAGE_OK)
        fprintf(made, "%s\n", stage->last_error(instance));
    assert_threads();
    for (size_t i = 0; i < result.lump_count; i++)
        put(made, result.lumps[i].data, 1, result.lumps[i].data_size);
    for (size_t i = 0; i < result.fact_count; i++) {
        const struct nbstage_fact *fact = &result.facts[i];
        fprintf(made, "%s %lld %s\n", fact->name, (long long)fact->value,
                fact->text ? fact->text : "");
    }
    stage->free_result(instance, &result);
}

static void decode(FILE *made, struct nbstage_instance *instance,
                   const struct nbstage_map *map)
{
    const struct nbstage_descriptor *stage = plugin_stage();
    struct nbstage_decoded decoded = {.size = sizeof decoded};
    if (stage->decode(instance, map, &decoded) != NBSTAGE_OK)
        fprintf(made, "%s\n", stage->last_error(instance));
    put(made, decoded.vertices, decoded.vertex_stride, decoded.vertex_count);
    put(made, decoded.lines, decoded.line_stride, decoded.line_count);
    put(made, decoded.sectors, decoded.sector_stride, decoded.sector_count);
    put(made, decoded.left_out, 1, decoded.left_out ? decoded.line_count : 0);
    stage->free_decoded(instance, &decoded);
}

// What the stage has made: lumps, facts, arrays, messages and sentences.
struct transcript {
    char *bytes; // for free()
    size_t size;
};

static struct transcript work(void)
{
    struct transcript transcript = {0};
    FILE *made = open_memstream(&transcript.bytes, &transcript.size);
    if (!made)
        ck_abort_msg("no memory for a transcript");
    const struct nbstage_host host = {
        .size = sizeof host, .context = made, .log = tell, .progress = go_on};
    for (size_t i = 0; i < COUNT(options); i++) {
        struct nbstage_instance *instance =
            plugin_create_for(&host, options[i]);
        for (size_t s = 0; s <= subject_count; s++) {
            struct nbstage_map map = s < subject_count
                                         ? lump_set_map(&subjects[s])
                                         : random_map_arrays(&large, "MAP03");
            build(made, instance, &map);
            decode(made, instance, &map);
        }
        plugin_stage()->destroy(instance);
    }
    fclose(made);
    return transcript;
}

static void work_for_nothing(void)
{
    struct transcript transcript = work();
    free(transcript.bytes);
}

static void add_subject(struct lump_set subject)
{
    ck_assert_uint_lt(subject_count, MOST_SUBJECTS);
    subjects[subject_count++] = subject;
}

static void add_text(const char *text)
{
    struct lump_set subject = {.map_name = "MAP02"};
    lump_set_view(&subject, "TEXTMAP", text, strlen(text));
    add_subject(subject);
}

static void set_up(void)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/samples/freedoom-sample.wad",
             getenv("SOURCE_DIR"));
    sample = wadfile_read(path);
    for (size_t m = 0; m < sample.map_count; m++)
        add_subject(lump_set_from_wad(&sample.maps[m]));
    add_subject(lump_set_compressed(&subjects[1], NBSTAGE_ZLIB));
    add_text(triangle);
    add_text(damaged);
    large = scattered_map_make(&long_lines);
}

static void tear_down(void)
{
    while (subject_count > 0)
        lump_set_free(&subjects[--subject_count]);
    random_map_free(&large);
    wadfile_free(&sample);
}

// ---------------------------------------------------------------------------
// The system calls that it makes: a seccomp filter of Linux sends a signal at
// every call that is not on the list.  The handler leaves the call's number in
// memory that is shared with the parent, and ends the process.

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

static void run_in_child(void (*filtered)(void))
{
    if (!start_first_thread() || !install_filter())
        _exit(EXIT_FAILURE);
    filtered();
    told->is_done = true;
    _exit(EXIT_SUCCESS);
}

// Does the work in a process of its own, where only system calls for memory,
// threads and the time are allowed.  Returns NULL if it came to its end that
// way, or else what happened instead, valid until the next call.
static const char *run_filtered(void (*filtered)(void))
{
    static char sentence[80];
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED)
        return "no memory is shared with a child";
    told->call = -1;
    pid_t child = fork();
    if (child == 0)
        run_in_child(filtered);
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

#else

static const char *run_filtered(void (*filtered)(void))
{
    (void)filtered;
    return "there is no filter";
}

#endif

static void do_nothing(void)
{
}

static void write_nothing(void)
{
    if (write(STDOUT_FILENO, "", 0) != 0)
        abort();
}

START_TEST(work_calls_for_memory_and_threads_only)
{
    plugin_stage(); // is loaded by now
    const char *otherwise = run_filtered(write_nothing);
    ck_assert_ptr_nonnull(otherwise);
    ck_assert_ptr_nonnull(strstr(otherwise, "system call"));
    otherwise = run_filtered(work_for_nothing);
    ck_assert_msg(!otherwise, "%s", otherwise);
}
END_TEST

// ---------------------------------------------------------------------------
// What the process holds

static size_t count_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    size_t count = 0;
    for (int character; (character = getc(file)) != EOF;)
        count += character == '\n';
    fclose(file);
    return count;
}

static void *wait_until_closed(void *pipe_end)
{
    char nothing;
    while (read(*(const int *)pipe_end, &nothing, 1) > 0)
        ;
    return NULL;
}

START_TEST(threads_have_ended)
{
    int ends[2];
    pthread_t thread;
    size_t before = count_threads();
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_until_closed, ends), 0);
    ck_assert(before == 0 || count_threads() == before + 1);
    close(ends[1]);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    threads_expected = before;
    work_for_nothing();
    threads_expected = 0;
}
END_TEST

// ---------------------------------------------------------------------------
// What it leaves as it was

static void tell_set(FILE *out, const sigset_t *set)
{
    for (int number = 1; number <= SIGNALS; number++)
        putc(sigismember(set, number) == 1 ? '1' : '0', out);
    putc('\n', out);
}

static void tell_signals(FILE *out)
{
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    fputs("blocked signals ", out);
    tell_set(out, &blocked);
    stack_t stack;
    sigaltstack(NULL, &stack);
    fprintf(out, "stack of signals %p\n", stack.ss_sp);
    for (int number = 1; number <= SIGNALS; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) != 0)
            continue; // the C library's own
        fprintf(out, "signal %d: handler %" PRIxPTR ", flags %x, blocks ",
                number, (uintptr_t)action.sa_handler,
                (unsigned)action.sa_flags);
        tell_set(out, &action.sa_mask);
    }
}

static void tell_floating_point(FILE *out)
{
    fprintf(out, "rounding %d, exceptions %x\n", fegetround(),
            (unsigned)fetestexcept(FE_ALL_EXCEPT));
#ifdef __GLIBC__
    fprintf(out, "floating-point traps %x\n", (unsigned)fegetexcept());
#endif
#ifdef __SSE__ // beside those, whether tiny numbers become 0
    fprintf(out, "control and status %x\n", __builtin_ia32_stmxcsr());
#endif
}

static void tell_environment(FILE *out)
{
    char folder[PATH_MAX];
    mode_t mask = umask(0);
    umask(mask);
    fprintf(out, "working folder %s\n", getcwd(folder, sizeof folder));
    fprintf(out, "mask of new files %o\n", (unsigned)mask);
    fprintf(out, "priority %d\n", getpriority(PRIO_PROCESS, 0));
    fprintf(out, "locale %s, of the thread %" PRIxPTR "\n",
            setlocale(LC_ALL, NULL), (uintptr_t)uselocale((locale_t)0));
    for (char **variable = environ; *variable; variable++)
        fprintf(out, "%s\n", *variable);
}

static void tell_descriptors(FILE *out)
{
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++) {
        struct stat file;
        if (fstat(descriptor, &file) != 0)
            continue;
        fprintf(out, "descriptor %d: file %" PRIuMAX " at %" PRIdMAX,
                descriptor, (uintmax_t)file.st_ino,
                (intmax_t)lseek(descriptor, 0, SEEK_CUR));
        fprintf(out, ", flags %x %x\n", (unsigned)fcntl(descriptor, F_GETFD),
                (unsigned)fcntl(descriptor, F_GETFL));
    }
}

// All of it as text, a line each, for free().
static char *process_state(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    tell_signals(out);
    tell_floating_point(out);
    tell_environment(out);
    tell_descriptors(out);
    fclose(out);
    return text;
}

static void never_called(int signal_number)
{
    ck_abort_msg("signal %d has come", signal_number);
}

static void change_signals(void)
{
    static const int handled[] = {SIGALRM, SIGCHLD, SIGPIPE, SIGUSR1};
    for (size_t i = 0; i < COUNT(handled); i++) {
        struct sigaction action = {.sa_handler = never_called,
                                   .sa_flags = SA_RESTART};
        sigaddset(&action.sa_mask, SIGHUP);
        ck_assert_int_eq(sigaction(handled[i], &action, NULL), 0);
    }
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    ck_assert_int_eq(sigprocmask(SIG_BLOCK, &blocked, NULL), 0);
}

// Tells the first line that differs.
static void assert_same_lines(const char *before, const char *after)
{
    while (*before && *after) {
        int length = (int)strcspn(before, "\n");
        int length_after = (int)strcspn(after, "\n");
        ck_assert_msg(length == length_after &&
                          memcmp(before, after, (size_t)length) == 0,
                      "'%.*s' has become '%.*s'", length, before, length_after,
                      after);
        before += length + 1;
        after += length + 1;
    }
    ck_assert_str_eq(before, after);
}

// Where there is such a locale.
static void use_decimal_comma(void)
{
    const char *name = getenv("COMMA_LOCALE");
    if (!name)
        return;
    ck_assert_ptr_nonnull(setlocale(LC_ALL, name));
    ck_assert_str_eq(localeconv()->decimal_point, ",");
}

START_TEST(process_is_left_as_it_was)
{
    change_signals();
    ck_assert_int_eq(chdir(getenv("SOURCE_DIR")), 0);
    use_decimal_comma();
    umask(031);
    fesetround(FE_UPWARD);
    feraiseexcept(FE_OVERFLOW | FE_INEXACT);
    char *before = process_state();
    work_for_nothing();
    char *after = process_state();
    assert_same_lines(before, after);
    free(before);
    free(after);
}
END_TEST

// ---------------------------------------------------------------------------
// What it does not mind

// A host may have any floating-point exception end the process.
START_TEST(rounding_traps_and_decimal_comma_change_nothing)
{
    static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    struct transcript expected = work();
    for (size_t i = 0; i < COUNT(roundings); i++) {
        ck_assert_int_eq(fesetround(roundings[i]), 0);
        feclearexcept(FE_ALL_EXCEPT);
#ifdef __GLIBC__
        feenableexcept(FE_ALL_EXCEPT);
#endif
        if (i == 0)
            use_decimal_comma();
        struct transcript made = work();
        int raised = fetestexcept(FE_ALL_EXCEPT);
        fesetenv(FE_DFL_ENV);
        ck_assert_int_eq(raised, 0);
        ck_assert_uint_eq(made.size, expected.size);
        ck_assert(memcmp(made.bytes, expected.bytes, made.size) == 0);
        free(made.bytes);
    }
    free(expected.bytes);
}
END_TEST

// ---------------------------------------------------------------------------
// What it leaves behind

// The whole life of a stage in a host that is done with it; now and then it
// searches with threads.
static void load_and_unload(size_t round)
{
    static const struct nbstage_lump lump = {.size = sizeof lump,
                                             .name = "TEXTMAP",
                                             .data = triangle,
                                             .data_size = sizeof triangle - 1};
    struct nbstage_map map = nbstage_map_from_lumps("MAP01", &lump, 1);
    struct nbstage stage = {0};
    char request[PATH_MAX + 64];
    snprintf(request, sizeof request, "%s,threads=2,grid=%s", getenv("PLUGIN"),
             round % 10 == 0 ? "search" : "fit");
    if (!nbstage_load(&stage, request, NULL, NULL, "BLOCKMAP", NULL) ||
        !nbstage_build(&stage, &map))
        ck_abort_msg("%s", stage.error);
    nbstage_close(&stage);
}

static bool is_loaded(void)
{
    return dlopen(getenv("PLUGIN"), RTLD_NOW | RTLD_NOLOAD) != NULL;
}

struct held {
    size_t mappings;
    size_t descriptors;
    size_t memory; // bytes
};

static struct held measure(void)
{
    struct held held = {.mappings = count_lines("/proc/self/maps"),
                        .descriptors = count_entries("/proc/self/fd", NULL)};
#ifdef HAVE_MALLINFO2
    held.memory = mallinfo2().uordblks;
#endif
    return held;
}

START_TEST(thousand_loads_leave_nothing_behind)
{
    for (size_t i = 0; i < FIRST_LOADS; i++)
        load_and_unload(i);
    ck_assert(!is_loaded());
    struct held before = measure();
    for (size_t i = 0; i < LOADS; i++)
        load_and_unload(i);
    ck_assert(!is_loaded());
    struct held after = measure();
    ck_assert_uint_eq(after.descriptors, before.descriptors);
    if (is_sanitized())
        return; // sanitizers keep memory of their own
    ck_assert_uint_lt(after.memory, before.memory + LOADS);
    ck_assert_uint_le(after.mappings, before.mappings);
}
END_TEST

// ---------------------------------------------------------------------------

static TCase *tests_at_work(bool with_calls)
{
    TCase *tests = tcase_create("at work");
    tcase_set_timeout(tests, MOST_SECONDS);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    if (with_calls)
        tcase_add_test(tests, work_calls_for_memory_and_threads_only);
    tcase_add_test(tests, threads_have_ended);
    tcase_add_test(tests, process_is_left_as_it_was);
    tcase_add_test(tests, rounding_traps_and_decimal_comma_change_nothing);
    return tests;
}

int main(void)
{
    if (!getenv("PLUGIN") || !getenv("SOURCE_DIR")) {
        puts("PLUGIN and SOURCE_DIR have to be set");
        return EXIT_FAILURE;
    }
    // Sanitizers make calls that the filter would not let pass.
    const bool with_calls = !is_sanitized() && !run_filtered(do_nothing);
    bool is_whole = with_calls || is_sanitized();
    if (!is_whole)
        puts("skipped: system calls cannot be looked at");
    if (!getenv("COMMA_LOCALE")) {
        puts("skipped: COMMA_LOCALE names no locale with a decimal comma");
        is_whole = false;
    }
    Suite *suite = suite_create("guest");
    // Without the fixture, which keeps PLUGIN loaded.
    TCase *loading = tcase_create("loading");
    tcase_set_timeout(loading, MOST_SECONDS);
    tcase_add_test(loading, thousand_loads_leave_nothing_behind);
    suite_add_tcase(suite, tests_at_work(with_calls));
    suite_add_tcase(suite, loading);
    int status = run_suite(suite);
    return status == EXIT_SUCCESS && !is_whole ? SKIPPED : status;
}
