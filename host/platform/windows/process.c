// SPDX-License-Identifier: GPL-2.0-or-later
//
// A program runs in a job, with which all ends that it has started, also if
// this process ends.

#include "config.h"

#include "platform/process.h"

#include "platform/file.h"
#include "platform/windows/names.h"

#include <errno.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// The command line

// Appends a word so that the C runtime of the program reads it as it is: in
// quotes, with a backslash before each quote in it and before each backslash
// that a quote follows.
static char *append_word(char *to, const char *word)
{
    *to++ = '"';
    for (; *word; word++) {
        const char *after = word + strspn(word, "\\");
        if (*after == '"' || (*after == '\0' && after > word))
            *to++ = '\\';
        *to++ = *word;
    }
    *to++ = '"';
    return to;
}

static wchar_t *join_words(char *const *words)
{
    size_t size = 1;
    for (char *const *word = words; *word; word++)
        size += 2 * strlen(*word) + 3;
    char *line = malloc(size);
    if (!line)
        return NULL;
    char *to = line;
    for (; *words; words++) {
        to = append_word(to, *words);
        *to++ = ' ';
    }
    to[-1] = '\0';
    wchar_t *wide = names_to_wide(line);
    free(line);
    return wide;
}

// Finds a program by its path, or by its name beside this one, where map
// editors have others, or in PATH; NULL if it is not there.
static wchar_t *find_program(const char *name)
{
    enum { PATH_SIZE = 32768 };
    wchar_t own[PATH_SIZE];
    bool is_path = file_base(name) != name;
    const wchar_t *folders[] = {is_path ? NULL : own, _wgetenv(L"PATH")};
    wchar_t *wide = is_path ? names_full_path(name) : names_to_wide(name);
    wchar_t *found = malloc(PATH_SIZE * sizeof *found);
    DWORD length = 0;
    GetModuleFileNameW(NULL, own, PATH_SIZE);
    *wcsrchr(own, L'\\') = L'\0';
    for (int i = 0; wide && found && length == 0 && i < 2; i++)
        if (folders[i] || is_path)
            length = SearchPathW(is_path ? NULL : folders[i], wide, L".exe",
                                 PATH_SIZE, found, NULL);
    free(wide);
    if (length > 0)
        return found;
    free(found);
    return NULL;
}

// ---------------------------------------------------------------------------
// Running

// Starts the program with these files, which it inherits.
static HANDLE start(const wchar_t *program, wchar_t *line, HANDLE job,
                    HANDLE input, HANDLE output, bool shown)
{
    STARTUPINFOW startup = {
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
    if (!CreateProcessW(program, line, NULL, NULL, TRUE, flags, NULL, NULL,
                        &startup, &made))
        return NULL;
    AssignProcessToJobObject(job, made.hProcess);
    ResumeThread(made.hThread);
    CloseHandle(made.hThread);
    return made.hProcess;
}

// Starts the program in a job, with a pipe.  False with errno.
static bool run_line(struct program *program, const wchar_t *path,
                     wchar_t *line, bool shown)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited,
                                     .bInheritHandle = TRUE};
    HANDLE reader = NULL;
    HANDLE writer = NULL;
    HANDLE job = CreateJobObjectW(NULL, NULL);
    HANDLE input = CreateFileW(L"NUL", GENERIC_READ, SHARE_ALL, &inherited,
                               OPEN_EXISTING, 0, NULL);
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits,
                            sizeof limits);
    CreatePipe(&reader, &writer, NULL, 0);
    HANDLE output = shown ? (HANDLE)_get_osfhandle(2) : writer;
    HANDLE made =
        job && writer ? start(path, line, job, input, output, shown) : NULL;
    names_set_error(NULL);
    CloseHandle(writer);
    CloseHandle(input);
    *program = (struct program){.process = (intptr_t)made,
                                .group = (intptr_t)job,
                                .pipe = (intptr_t)reader};
    if (!made)
        program_close(program);
    return made;
}

bool program_start(struct program *program, struct process *process)
{
    const char *name = process->words[0];
    wchar_t *path = find_program(name);
    wchar_t *line = join_words(process->words);
    const wchar_t *ending = path ? wcsrchr(path, L'.') : NULL;
    const char *fault = NULL;
    if (!path)
        fault = "no such program is there, beside this one or in PATH";
    else if (ending &&
             (_wcsicmp(ending, L".bat") == 0 || _wcsicmp(ending, L".cmd") == 0))
        fault = "a script needs a shell; a program was expected";
    else if (!line || !run_line(program, path, line, process->shown))
        fault = file_reason(errno);
    if (fault)
        snprintf(process->failure, sizeof process->failure,
                 "it cannot be started: %s", fault);
    free(path);
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
bool program_end(struct program *program, char how[PROCESS_FAILURE_SIZE])
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
    snprintf(how, PROCESS_FAILURE_SIZE,
             status >= 0xC0000000 ? "it was ended by exception 0x%08lX"
                                  : "it ended with status %lu",
             status);
    return status == 0;
}
