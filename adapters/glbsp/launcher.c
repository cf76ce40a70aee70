// SPDX-License-Identifier: GPL-2.0-or-later
//
// glbsp-blocksweep: runs glbsp with the adapter preloaded.  It takes its own
// option out of the arguments, passes the value in NBSTAGE_OPTIONS, and becomes
// glbsp, if glbsp is linked with the library that the adapter replaces.

#include "config.h"

#include "install-folders.h"
#include "platform/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ADAPTER "/glbsp-adapter.so"

// Exit statuses that glbsp does not have.
enum { STATUS_USAGE = 2, STATUS_NOT_FOUND = 3 };

static _Noreturn void fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("glbsp-blocksweep: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(status);
}

static _Noreturn void fail_for_memory(void)
{
    fail(STATUS_NOT_FOUND, "out of memory");
}

// Appends to a list in the environment.
static void extend(const char *name, const char *separator, const char *more)
{
    const char *before = getenv(name);
    const bool is_first = !before || !*before;
    char *list;
    if (asprintf(&list, "%s%s%s", is_first ? "" : before,
                 is_first ? "" : separator, more) < 0 ||
        setenv(name, list, 1) != 0)
        fail_for_memory();
    free(list);
}

// Takes `--stage OPTIONS` and `--stage=OPTIONS` out of the arguments.
static void take_stage_options(char **argv)
{
    char **kept = argv + 1;
    for (char **next = argv + 1; *next; next++) {
        const char *options = NULL;
        if (strncmp(*next, "--stage=", strlen("--stage=")) == 0) {
            options = *next + strlen("--stage=");
        } else if (strcmp(*next, "--stage") == 0) {
            options = *++next;
            if (!options)
                fail(STATUS_USAGE, "option '--stage' needs a value, such as "
                                   "grid=search,pack=nest");
        } else {
            *kept++ = *next;
        }
        if (options && *options)
            extend("NBSTAGE_OPTIONS", ",", options);
    }
    *kept = NULL;
}

static void preload_adapter(void)
{
    const char *path = getenv("BLOCKSWEEP_GLBSP_ADAPTER");
    char moved[LOCATION_SIZE + sizeof ADAPTER];
    char program[LOCATION_SIZE];
    if (!path || !*path) {
        path = PKGLIBDIR ADAPTER;
        if (location_of_program(program) &&
            location_moved(program, BINDIR, PKGLIBDIR, moved))
            path = strcat(moved, ADAPTER);
    }
    if (access(path, R_OK) != 0)
        fail(STATUS_NOT_FOUND, "the adapter cannot be read: %s: %s", path,
             strerror(errno));
    if (strpbrk(path, " :"))
        fail(STATUS_NOT_FOUND,
             "the adapter cannot be preloaded: there is a space or a colon in "
             "its path, %s, and these separate the paths in LD_PRELOAD",
             path);
    extend("LD_PRELOAD", ":", path);
}

// glbsp gives its help for this first argument alone, and adds its own.
static void introduce_help(const char *argument)
{
    static const char *const requests[] = {"-h", "-help", "--help"};
    bool requested = false;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        requested = requested || strcmp(argument, requests[i]) == 0;
    if (!requested)
        return;
    puts("Usage: glbsp-blocksweep [--stage OPTIONS]... ARGUMENTS OF glbsp\n"
         "Runs glbsp, then builds the blockmaps of the file that it has "
         "written.\n\n"
         "  --stage OPTIONS    options of the stage, such as "
         "grid=search,pack=nest;\n"
         "                     'blocksweep --help' lists them\n\n"
         "What follows is the help of glbsp.");
    fflush(stdout);
}

// Whether a path leads to this program, as a link named glbsp may.
static bool is_self(const char *path)
{
    struct stat self;
    struct stat other;
    return stat("/proc/self/exe", &self) == 0 && stat(path, &other) == 0 &&
           self.st_dev == other.st_dev && self.st_ino == other.st_ino;
}

// Whether a program contains the name of libglbsp, as every program linked with
// it does.  True for scripts, which may run such a program, and for files that
// cannot be read.
static bool may_use_libglbsp(const char *path)
{
    static const char magic[] = "\177ELF";
    static const char library[] = "libglbsp.so";
    struct stat status;
    bool found = true;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return true;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        const size_t size = (size_t)status.st_size;
        void *program = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (program != MAP_FAILED) {
            found = memmem(program, size, magic, strlen(magic)) != program ||
                    memmem(program, size, library, strlen(library));
            munmap(program, size);
        }
    }
    close(file);
    return found;
}

// Becomes the glbsp in a folder of PATH; an empty name is the current folder.
// Returns errno if it cannot.
static int run_from(const char *folder, size_t length, char **argv)
{
    char *path;
    int reason = ENOENT;
    if (asprintf(&path, "%.*s/glbsp", length > 0 ? (int)length : 1,
                 length > 0 ? folder : ".") < 0)
        fail_for_memory();
    if (!is_self(path)) {
        if (access(path, X_OK) == 0 && !may_use_libglbsp(path))
            fail(STATUS_NOT_FOUND,
                 "%s is not linked with the shared libglbsp, in which the "
                 "blockmaps would be built",
                 path);
        execvp(path, argv);
        reason = errno;
    }
    free(path);
    return reason;
}

// Becomes the first glbsp in PATH that is not this program.
static _Noreturn void run_glbsp(char **argv)
{
    const char *folders = getenv("PATH");
    int reason = ENOENT;
    for (const char *next = folders ? folders : "/usr/bin:/bin"; next;) {
        size_t length = strcspn(next, ":");
        int error = run_from(next, length, argv);
        if (error != ENOENT && error != ENOTDIR)
            reason = error;
        next = next[length] ? next + length + 1 : NULL;
    }
    if (reason == ENOENT)
        fail(STATUS_NOT_FOUND, "there is no glbsp in any folder of PATH");
    fail(STATUS_NOT_FOUND, "glbsp cannot be run: %s", strerror(reason));
}

int main(int argc, char **argv)
{
    static char glbsp[] = "glbsp";
    if (argc < 1)
        return STATUS_USAGE;
    take_stage_options(argv);
    preload_adapter();
    if (argv[1])
        introduce_help(argv[1]);
    argv[0] = glbsp;
    run_glbsp(argv);
}
