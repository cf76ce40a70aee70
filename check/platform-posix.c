// SPDX-License-Identifier: GPL-2.0-or-later
//
// Linux and other systems of POSIX.

#define _GNU_SOURCE

#include "config.h"

#include "platform.h"
#include "stage.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <locale.h>
#ifdef __linux__
#include <elf.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIGNALS = 64, DESCRIPTORS = 256 };

void platform_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}

// ---------------------------------------------------------------------------
// Processes

void *memory_share(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        perror("nbstage-check");
        exit(EXIT_FAILURE);
    }
    return memory;
}

void memory_unshare(void *memory, size_t size)
{
    munmap(memory, size);
}

void *memory_of_parent(void)
{
    return NULL;
}

FILE *file_for_output(void)
{
    return tmpfile();
}

// In a session of its own.
static _Noreturn void run_in_child(void (*work)(void), FILE *printed)
{
    setsid();
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); // if the user ends nbstage-check
#endif
    dup2(fileno(printed), STDOUT_FILENO);
    dup2(fileno(printed), STDERR_FILENO);
    work();
    _exit(EXIT_SUCCESS);
}

// Waits for the end; false if the time was over first, or a signal has come.
static bool wait_for(pid_t child, double end_time, int *status)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    pid_t ended;
    while ((ended = waitpid(child, status, WNOHANG)) == 0) {
        if (now() > end_time || ending_signal)
            break;
        nanosleep(&pause, NULL);
    }
    kill(-child, SIGKILL); // with what the stage may have started
    if (ended == 0)
        waitpid(child, status, 0);
    return ended == child;
}

struct ending process_run(void (*work)(void), FILE *printed, double end_time)
{
    struct ending ending = {.how = ""};
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        run_in_child(work, printed);
    if (child < 0) {
        perror("nbstage-check: no new process");
        exit(EXIT_FAILURE);
    }
    ending.in_time = wait_for(child, end_time, &status);
    ending.crashed = WIFSIGNALED(status);
    if (ending.crashed)
        snprintf(ending.how, sizeof ending.how, "%s",
                 strsignal(WTERMSIG(status)));
    else
        snprintf(ending.how, sizeof ending.how, "%d", WEXITSTATUS(status));
    return ending;
}

// ---------------------------------------------------------------------------
// Memory

size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

void *pages_allocate(size_t size)
{
    char *pages = mmap(NULL, size + page_size(), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + size, page_size(), PROT_NONE))
        return NULL;
    return pages;
}

void pages_protect(void *pages, size_t size)
{
    mprotect(pages, size, PROT_READ);
}

void pages_free(void *pages, size_t size)
{
    munmap(pages, size + page_size());
}

// ---------------------------------------------------------------------------
// Shared objects

const char *const stage_endings[] = {"", ".so", ".dylib", NULL};

bool is_path(const char *name)
{
    return strchr(name, '/');
}

bool is_readable(const char *path)
{
    return access(path, R_OK) == 0;
}

void *library_open(const char *path, char *sentence, size_t size)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(sentence, size, "%s", dlerror());
    return library;
}

void *library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

bool library_close(void *library)
{
    return dlclose(library) == 0;
}

bool library_is_loaded(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_NOLOAD);
}

bool process_has(const char *function)
{
    return dlsym(RTLD_DEFAULT, function);
}

#ifdef __linux__

// What linkers and compilers add themselves.
static bool is_of_tools(const char *name)
{
    static const char *const names[] = {"_init", "_fini", "_edata", "_end"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "__", 2) == 0;
}

// All bytes of the stage's file.
static struct text read_stage(void)
{
    unsigned char bytes[65536];
    struct text text = {0};
    FILE *file = fopen(settings.path, "rb");
    if (!file)
        skip("%s cannot be read", settings.path);
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;)
        text_add(&text, bytes, size);
    fclose(file);
    return text;
}

void list_exports(void *library, void (*see)(const char *name))
{
    (void)library;
    struct text file = read_stage();
    const ElfW(Ehdr) *header = (const void *)file.bytes;
    const ElfW(Shdr) *sections = (const void *)(file.bytes + header->e_shoff);
    if (header->e_shnum == 0)
        skip("the file has no table of sections");
    for (size_t i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_DYNSYM)
            continue;
        const ElfW(Sym) *symbols =
            (const void *)(file.bytes + sections[i].sh_offset);
        const char *names =
            (const char *)file.bytes + sections[sections[i].sh_link].sh_offset;
        for (size_t s = 0; s < sections[i].sh_size / sizeof *symbols; s++) {
            const char *name = names + symbols[s].st_name;
            if (symbols[s].st_shndx != SHN_UNDEF &&
                symbols[s].st_info >> 4 == STB_GLOBAL && !is_of_tools(name))
                see(name);
        }
    }
    free(file.bytes);
}

#else

void list_exports(void *library, void (*see)(const char *name))
{
    (void)library;
    (void)see;
    skip("only files in ELF are read");
}

#endif

// ---------------------------------------------------------------------------
// What the process holds

// The kernel lists a thread for a moment after pthread_join, with bit 4 of its
// flags, the seventh number after its name.
static bool is_running(const char *thread)
{
    char path[300], text[1024];
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

size_t count_threads(void)
{
    DIR *folder = opendir("/proc/self/task");
    if (!folder)
        return 0;
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.' && is_running(entry->d_name);
    closedir(folder);
    return count;
}

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

struct held process_measure(void)
{
    struct held held = {.mappings = count_lines("/proc/self/maps")};
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++)
        held.descriptors += fcntl(descriptor, F_GETFD) >= 0;
#ifdef HAVE_MALLINFO2
    held.memory = mallinfo2().uordblks;
#endif
    return held;
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
    mode_t mask = umask(0);
    umask(mask);
#ifdef __GLIBC__
    text_print(text, "floating-point traps %x\n", (unsigned)fegetexcept());
#endif
    text_print(text, "mask of new files %o\n", (unsigned)mask);
    text_print(text, "priority %d\n", getpriority(PRIO_PROCESS, 0));
    text_print(text, "locale of the thread %" PRIxPTR "\n",
               (uintptr_t)uselocale((locale_t)0));
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

void process_write(struct text *text)
{
    add_signals(text);
    add_environment(text);
    add_descriptors(text);
}

static void never_called(int signal_number)
{
    fail("signal %d has come", signal_number);
}

void process_change(void)
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
    umask(031);
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

void forbid_system_calls(void)
{
    pthread_t thread;
    // With the first thread the C library installs a signal handler of its own.
    if (pthread_create(&thread, NULL, end_at_once, NULL) == 0)
        pthread_join(thread, NULL);
    sysconf(_SC_PAGESIZE);
    if (!install_filter())
        skip("this system does not filter system calls");
}

#else

void forbid_system_calls(void)
{
    skip("only Linux filters system calls");
}

#endif
