// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a test in a process of its own, which leaves what it is doing and how it
// ended in a file.  What it prints goes to another file, which has to stay
// empty.  Windows has no fork(): there the process is this program, started
// again with the same arguments, and a variable names the test.

#define _GNU_SOURCE

#include "check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef _WIN32
#include <windows.h>
// windows.h comes first.
#include <fcntl.h>
#include <io.h>
#else
#include <sys/mman.h>
#include <sys/wait.h>
#endif

struct settings settings = {.seed = 1, .seconds = 60};

const struct test *process_find_test(const struct test *all, const char *name)
{
    for (const struct test *test = all; test->name; test++)
        if (strcmp(test->name, name) == 0)
            return test;
    return NULL;
}

// What the process of a test leaves in the file that is its standard input.
static struct page {
    bool has_ended; // fail or the end of the test was reached
    bool has_passed;
    char doing[256];
    char sentence[SENTENCE_SIZE];
} page;

static void process_write_page(void)
{
    lseek(STDIN_FILENO, 0, SEEK_SET);
    if (write(STDIN_FILENO, &page, sizeof page) != sizeof page)
        abort();
}

static _Noreturn void process_end(bool has_passed)
{
    page.has_passed = has_passed;
    page.has_ended = true;
    process_write_page();
    fflush(NULL);        // what the stage has printed
    _exit(EXIT_SUCCESS); // what is at exit would run code of the stage
}

void doing(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(page.doing, sizeof page.doing, format, arguments);
    va_end(arguments);
    process_write_page();
}

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(page.sentence, sizeof page.sentence, format, arguments);
    va_end(arguments);
    process_end(false);
}

static void *process_watch(void *nothing)
{
    (void)nothing;
    nanosleep(&(struct timespec){.tv_sec = (time_t)settings.seconds}, NULL);
    fail("the stage had not returned after %u seconds; it was %s",
         settings.seconds, page.doing);
}

static _Noreturn void process_run_here(const struct test *test)
{
    pthread_t watchdog;
    pthread_create(&watchdog, NULL, process_watch, NULL);
    settings.load();
    if (test->run)
        test->run();
    process_end(true);
}

// ---------------------------------------------------------------------------
// What differs between systems: temporary files, processes, pages of memory

#ifdef _WIN32

#define VARIABLE "NBSTAGE_CHECK_TEST"

void process_begin(const struct test *all)
{
    const char *name = getenv(VARIABLE);
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); // no windows
    if (name) {
        _setmode(STDIN_FILENO, _O_BINARY);
        process_run_here(process_find_test(all, name));
    }
}

// tmpfile() makes files where only administrators can.
static FILE *process_make_file(void)
{
    wchar_t *path = _wtempnam(NULL, L"nbs");
    return path ? _wfopen(path, L"w+bTD") : NULL;
}

// Runs a test, and tells how its process ended.
static void process_spawn(const struct test *test, const int files[3],
                          char *ending, size_t size)
{
    wchar_t program[4096];
    char variable[64];
    int kept[3];
    GetModuleFileNameW(NULL, program, COUNT(program));
    snprintf(variable, sizeof variable, VARIABLE "=%s", test->name);
    _putenv(variable);
    for (int i = 0; i < 3; i++) {
        kept[i] = _dup(i);
        _dup2(files[i], i);
    }
    // The words are joined again; GetCommandLineW() has all of them.
    const unsigned status =
        (unsigned)_wspawnl(_P_WAIT, program, GetCommandLineW(), NULL);
    for (int i = 0; i < 3; i++) {
        _dup2(kept[i], i);
        _close(kept[i]);
    }
    snprintf(ending, size, "the process ended with status 0x%X", status);
}

static char *process_take_pages(size_t size)
{
    return VirtualAlloc(NULL, size, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
}

static bool process_protect(char *pages, size_t size, bool is_readable)
{
    DWORD before;
    return VirtualProtect(pages, size,
                          is_readable ? PAGE_READONLY : PAGE_NOACCESS, &before);
}

#else

void process_begin(const struct test *all)
{
    (void)all;
}

#define process_make_file tmpfile

static void process_spawn(const struct test *test, const int files[3],
                          char *ending, size_t size)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 3; i++)
            dup2(files[i], i);
        process_run_here(test);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        perror("nbstage-check");
    if (WIFSIGNALED(status))
        snprintf(ending, size, "the process crashed: %s",
                 strsignal(WTERMSIG(status)));
    else
        snprintf(ending, size, "the process ended with status %d",
                 WEXITSTATUS(status));
}

static char *process_take_pages(size_t size)
{
    char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

static bool process_protect(char *pages, size_t size, bool is_readable)
{
    return mprotect(pages, size, is_readable ? PROT_READ : PROT_NONE) == 0;
}

#endif

const void *guarded_copy(const void *bytes, size_t size)
{
    enum { PAGE = 65536 }; // of whole pages on every machine
    const size_t whole = (size / PAGE + 1) * PAGE;
    char *pages = process_take_pages(whole + PAGE);
    if (!pages || !process_protect(pages + whole, PAGE, false))
        fail("nbstage-check itself ran out of memory");
    char *copy = pages + whole - size;
    if (size > 0)
        memcpy(copy, bytes, size);
    process_protect(pages, whole, true);
    return copy;
}

bool process_run_test(const struct test *test, char sentence[REPORT_SIZE])
{
    char ending[128], printed[200] = "";
    FILE *files[] = {process_make_file(), process_make_file()};
    if (!files[0] || !files[1]) {
        perror("nbstage-check: no temporary file");
        exit(EXIT_FAILURE);
    }
    page = (struct page){.has_ended = false};
    fflush(NULL);
    process_spawn(test,
                  (int[]){fileno(files[0]), fileno(files[1]), fileno(files[1])},
                  ending, sizeof ending);
    rewind(files[0]);
    rewind(files[1]);
    if (fread(&page, sizeof page, 1, files[0]) != 1)
        page.doing[0] = '\0';
    const bool has_printed =
        fread(printed, 1, sizeof printed - 1, files[1]) > 0;
    printed[strcspn(printed, "\r\n")] = '\0';
    fclose(files[0]);
    fclose(files[1]);
    snprintf(sentence, REPORT_SIZE, "%s%s%s%s%s%s",
             page.has_ended ? page.sentence : ending,
             page.has_ended ? "" : "; it was ",
             page.has_ended ? "" : page.doing,
             has_printed && !page.has_passed ? "; " : "",
             has_printed ? "the stage printed: " : "", printed);
    return page.has_passed && !has_printed;
}
