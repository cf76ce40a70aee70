// SPDX-License-Identifier: GPL-2.0-or-later
//
// A program runs in a job object that kills its processes when it is closed, so
// its children end with it or with this process.

#include "config.h"

#include "platform/program.h"

#include "platform/file.h"
#include "platform/windows-handles.h"

#include <errno.h>
#include <io.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// The command line

// Joins words so that the C runtime of the program reads them as they are: in
// quotes, with a backslash before each quote in it and before each backslash
// that a quote follows.  To be freed; NULL if memory runs out.
static char *program_join_words(char *const *words)
{
    size_t size = 1;
    for (char *const *word = words; *word; word++)
        size += 2 * strlen(*word) + 3;
    char *line = malloc(size);
    char *to = line;
    if (!line)
        return NULL;
    for (; *words; words++) {
        *to++ = '"';
        for (const char *c = *words; *c; c++) {
            const char *after = c + strspn(c, "\\");
            if (*after == '"' || (*after == '\0' && after > c))
                *to++ = '\\';
            *to++ = *c;
        }
        *to++ = '"';
        *to++ = *(words + 1) ? ' ' : '\0';
    }
    return line;
}

// Finds a program by its path, or by its name: in the folder of this program,
// where map editors keep node builders, or in PATH.
static bool program_find(const char *name, char found[PATH_SIZE])
{
    char own[PATH_SIZE] = "";
    if (file_base(name) != name)
        return SearchPathA(NULL, name, ".exe", PATH_SIZE, found, NULL) > 0;
    GetModuleFileNameA(NULL, own, sizeof own);
    own[file_base(own) - own] = '\0';
    const char *folders[] = {own, getenv("PATH")};
    DWORD length = 0;
    for (int i = 0; i < 2 && length == 0; i++)
        if (folders[i])
            length =
                SearchPathA(folders[i], name, ".exe", PATH_SIZE, found, NULL);
    return length > 0 && length < PATH_SIZE;
}

// ---------------------------------------------------------------------------
// Running

// Starts the program, which inherits these handles as standard streams.
static HANDLE program_create(const char *program, char *line, HANDLE job,
                             HANDLE input, HANDLE output, bool shown)
{
    STARTUPINFOA startup = {
        .cb = sizeof startup,
        .dwFlags = STARTF_USESTDHANDLES,
        .hStdInput = input,
        .hStdOutput = output,
        .hStdError = output,
    };
    PROCESS_INFORMATION made;
    DWORD flags = CREATE_SUSPENDED |
                  (shown ? CREATE_NEW_PROCESS_GROUP : CREATE_NO_WINDOW);
    SetHandleInformation(output, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    if (!CreateProcessA(program, line, NULL, NULL, TRUE, flags, NULL, NULL,
                        &startup, &made))
        return NULL;
    AssignProcessToJobObject(job, made.hProcess);
    ResumeThread(made.hThread);
    CloseHandle(made.hThread);
    return made.hProcess;
}

// Starts the program in a job, with a pipe.  False with errno.
static bool program_run_line(struct program *program, const char *path,
                             char *line, bool shown)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited,
                                     .bInheritHandle = TRUE};
    HANDLE reader = NULL;
    HANDLE writer = NULL;
    HANDLE job = CreateJobObjectA(NULL, NULL);
    HANDLE input = CreateFileA("NUL", GENERIC_READ, SHARE_ALL, &inherited,
                               OPEN_EXISTING, 0, NULL);
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits,
                            sizeof limits);
    CreatePipe(&reader, &writer, NULL, 0);
    HANDLE output = shown ? (HANDLE)_get_osfhandle(2) : writer;
    HANDLE made = job && writer
                      ? program_create(path, line, job, input, output, shown)
                      : NULL;
    handle_set_error();
    CloseHandle(writer);
    CloseHandle(input);
    *program = (struct program){.process = (intptr_t)made,
                                .group = (intptr_t)job,
                                .pipe = (intptr_t)reader};
    if (!made)
        program_close(program);
    return made;
}

bool program_start(struct program *program, char *const *words, bool shown,
                   char failure[PROGRAM_FAILURE_SIZE])
{
    char path[PATH_SIZE];
    bool is_found = program_find(words[0], path);
    const char *ending = is_found ? strrchr(path, '.') : NULL;
    char *line = program_join_words(words);
    const char *fault = NULL;
    if (!is_found)
        fault = "it is neither beside this program nor in PATH";
    else if (ending &&
             (_stricmp(ending, ".bat") == 0 || _stricmp(ending, ".cmd") == 0))
        fault = "a script needs a shell; a program was expected";
    else if (!line || !program_run_line(program, path, line, shown))
        fault = file_reason(errno);
    if (fault)
        snprintf(failure, PROGRAM_FAILURE_SIZE, "it cannot be started: %s",
                 fault);
    free(line);
    return !fault;
}

void program_close(struct program *program)
{
    if (program->process)
        CloseHandle((HANDLE)program->process);
    CloseHandle((HANDLE)program->group);
    CloseHandle((HANDLE)program->pipe);
}

size_t program_read(struct program *program, char *text, size_t size, int wait)
{
    DWORD got = 0;
    HANDLE pipe = (HANDLE)program->pipe;
    if (!PeekNamedPipe(pipe, NULL, 0, NULL, &got, NULL) || got == 0)
        WaitForSingleObject((HANDLE)program->process, (DWORD)wait);
    else if (!ReadFile(pipe, text, (DWORD)size, &got, NULL))
        got = 0;
    return got;
}

bool program_has_ended(const struct program *program)
{
    return WaitForSingleObject((HANDLE)program->process, 0) != WAIT_TIMEOUT;
}

// Waits for all processes of the job, as they may have files open.
bool program_end(struct program *program, char how[PROGRAM_FAILURE_SIZE])
{
    enum { LOOKS = 500, LOOK_EVERY = 10 }; // milliseconds
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION counts = {.ActiveProcesses = 1};
    HANDLE process = (HANDLE)program->process;
    HANDLE job = (HANDLE)program->group;
    DWORD status = 1;
    TerminateJobObject(job, 1);
    TerminateProcess(process, 1);
    WaitForSingleObject(process, INFINITE);
    GetExitCodeProcess(process, &status);
    for (int i = 0; i < LOOKS && counts.ActiveProcesses > 0; i++) {
        if (i > 0)
            Sleep(LOOK_EVERY);
        QueryInformationJobObject(job, JobObjectBasicAccountingInformation,
                                  &counts, sizeof counts, NULL);
    }
    snprintf(how, PROGRAM_FAILURE_SIZE,
             status >= 0xC0000000 ? "it was ended by exception 0x%08lX"
                                  : "it ended with status %lu",
             status);
    return status == 0;
}
