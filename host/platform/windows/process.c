// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program is started in a job of its own, and then looked at many times a
// second, as for POSIX.  With the job ends all that it has started, also if
// this process ends.

#include "config.h"

#include "platform/process.h"

#include "platform/file.h"
#include "platform/system.h"
#include "platform/windows/names.h"

#include <errno.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_EVERY = 10 }; // milliseconds

// ---------------------------------------------------------------------------
// The command line

// Appends a word so that the C runtime of the program reads it as it is: in
// quotes, with a backslash before each quote in it, and twice as many
// backslashes where a quote follows them.
static char *append_word(char *to, const char *word)
{
    size_t backslashes = 0;
    *to++ = '"';
    for (;; word++) {
        if (*word == '"' || !*word)
            for (; backslashes > 0; backslashes--)
                *to++ = '\\';
        if (!*word)
            break;
        if (*word == '"')
            *to++ = '\\';
        backslashes = *word == '\\' ? backslashes + 1 : 0;
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

enum { PATH_SIZE = 32768 };

// Searches the folder of the running program, where map editors have others.
static bool find_beside(const wchar_t *name, wchar_t *found)
{
    DWORD length = GetModuleFileNameW(NULL, found, PATH_SIZE);
    wchar_t *own = length < PATH_SIZE ? _wcsdup(found) : NULL;
    wchar_t *slash = own ? wcsrchr(own, L'\\') : NULL;
    if (slash)
        *slash = L'\0';
    bool is_there =
        slash && SearchPathW(own, name, L".exe", PATH_SIZE, found, NULL) > 0;
    free(own);
    return is_there;
}

// Finds a program by its path, or by its name beside this one or in PATH; NULL
// if it is not there.
static wchar_t *find_program(const char *name)
{
    bool is_path = file_base(name) != name;
    const wchar_t *folders = is_path ? NULL : _wgetenv(L"PATH");
    wchar_t *wide = is_path ? names_full_path(name) : names_to_wide(name);
    wchar_t *found = malloc(PATH_SIZE * sizeof *found);
    bool is_there =
        wide && found &&
        ((!is_path && find_beside(wide, found)) ||
         ((is_path || folders) &&
          SearchPathW(folders, wide, L".exe", PATH_SIZE, found, NULL) > 0));
    if (!is_there) {
        free(found);
        found = NULL;
    }
    free(wide);
    return found;
}

// ---------------------------------------------------------------------------
// Starting

static HANDLE make_job(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    HANDLE job = CreateJobObjectW(NULL, NULL);
    if (job)
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits,
                                sizeof limits);
    return job;
}

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
    SetHandleInformation(output, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    DWORD flags = CREATE_SUSPENDED |
                  (shown ? CREATE_NEW_PROCESS_GROUP : CREATE_NO_WINDOW);
    if (!CreateProcessW(program, line, NULL, NULL, TRUE, flags, NULL, NULL,
                        &startup, &made))
        return NULL;
    AssignProcessToJobObject(job, made.hProcess);
    ResumeThread(made.hThread);
    CloseHandle(made.hThread);
    return made.hProcess;
}

// ---------------------------------------------------------------------------
// Running

static void keep_output(struct process *process, const char *text, size_t size)
{
    size_t room = PROCESS_KEPT_OUTPUT - process->output_size;
    if (size > room) {
        size_t excess = size - room;
        process->output_size -= excess;
        process->output_left_out += excess;
        memmove(process->output, process->output + excess,
                process->output_size);
    }
    memcpy(process->output + process->output_size, text, size);
    process->output_size += size;
    process->output[process->output_size] = '\0';
}

// Keeps what has been printed.
static void take_output(struct process *process, HANDLE pipe)
{
    char piece[4096];
    DWORD size;
    while (PeekNamedPipe(pipe, NULL, 0, NULL, &size, NULL) && size > 0 &&
           ReadFile(pipe, piece, sizeof piece, &size, NULL) && size > 0)
        keep_output(process, piece, size);
}

// Waits until the program has ended.  Returns false if it has to be killed.
static bool wait_for_end(struct process *process, HANDLE program, HANDLE pipe)
{
    double started = clock_now();
    while (WaitForSingleObject(program, LOOK_EVERY) == WAIT_TIMEOUT) {
        take_output(process, pipe);
        process->seconds = clock_now() - started;
        if (signals_are_waiting())
            return false;
        if (process->seconds_allowed == 0 ||
            process->seconds < process->seconds_allowed)
            continue;
        snprintf(process->failure, sizeof process->failure,
                 "it was ended because it took more than %u s; "
                 "--builder-timeout can give it more",
                 process->seconds_allowed);
        return false;
    }
    process->seconds = clock_now() - started;
    return true;
}

// Ends all that the job has, and waits for that, as they may have files open.
static void end_job(HANDLE job, HANDLE program)
{
    enum { LOOKS = 500 };
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION counts = {.ActiveProcesses = 1};
    TerminateJobObject(job, 1);
    TerminateProcess(program, 1);
    WaitForSingleObject(program, INFINITE);
    for (int i = 0; i < LOOKS && counts.ActiveProcesses > 0; i++) {
        if (!QueryInformationJobObject(job, JobObjectBasicAccountingInformation,
                                       &counts, sizeof counts, NULL))
            return;
        if (counts.ActiveProcesses > 0)
            Sleep(LOOK_EVERY);
    }
}

// Returns whether the program ended by itself with exit status 0.
static bool follow(struct process *process, HANDLE program, HANDLE job,
                   HANDLE pipe)
{
    DWORD status = 1;
    bool has_ended_itself = wait_for_end(process, program, pipe);
    if (has_ended_itself)
        GetExitCodeProcess(program, &status);
    end_job(job, program);
    take_output(process, pipe);
    if (has_ended_itself && status >= 0xC0000000)
        snprintf(process->failure, sizeof process->failure,
                 "it was ended by exception 0x%08lX", status);
    else if (has_ended_itself && status != 0)
        snprintf(process->failure, sizeof process->failure,
                 "it ended with status %lu", status);
    return has_ended_itself && status == 0;
}

static enum exit_status run_line(struct process *process,
                                 const wchar_t *program, wchar_t *line)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited,
                                     .bInheritHandle = TRUE};
    HANDLE reader = NULL;
    HANDLE writer = NULL;
    HANDLE job = make_job();
    HANDLE input = CreateFileW(L"NUL", GENERIC_READ, SHARE_ALL, &inherited,
                               OPEN_EXISTING, 0, NULL);
    CreatePipe(&reader, &writer, NULL, 0);
    HANDLE made = start(program, line, job, input,
                        process->shown ? (HANDLE)_get_osfhandle(2) : writer,
                        process->shown);
    names_set_error(NULL);
    CloseHandle(writer);
    CloseHandle(input);
    enum exit_status status = STATUS_USAGE;
    if (made)
        status = follow(process, made, job, reader) ? STATUS_DONE
                                                    : STATUS_MAP_FAILED;
    else
        snprintf(process->failure, sizeof process->failure,
                 "it cannot be started: %s", file_reason(errno));
    if (made)
        CloseHandle(made);
    CloseHandle(reader);
    CloseHandle(job);
    return status;
}

enum exit_status process_run(struct process *process)
{
    const char *name = process->words[0];
    wchar_t *program = find_program(name);
    wchar_t *line = join_words(process->words);
    const wchar_t *ending = program ? wcsrchr(program, L'.') : NULL;
    enum exit_status status = STATUS_USAGE;
    if (!program)
        snprintf(process->failure, sizeof process->failure, "%s",
                 file_base(name) == name ? "it was not found in PATH"
                                         : "it is not there");
    else if (ending &&
             (_wcsicmp(ending, L".bat") == 0 || _wcsicmp(ending, L".cmd") == 0))
        snprintf(process->failure, sizeof process->failure,
                 "it cannot be started: a program was expected, and no script");
    else if (!line)
        snprintf(process->failure, sizeof process->failure,
                 "it cannot be started: %s", strerror(ENOMEM));
    else
        status = run_line(process, program, line);
    free(program);
    free(line);
    return status;
}
