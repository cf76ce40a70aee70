// SPDX-License-Identifier: GPL-2.0-or-later
//
// Windows.  There is no fork() there: a test runs in this program, started
// again with the same arguments and a handle to the memory that both share.
// Hosts are not tested.

#include "config.h"

#include "check-host.h"
#include "platform.h"

#include <windows.h>
// windows.h comes first.
#include <fcntl.h>
#include <io.h>
#include <pthread.h>
#include <shellapi.h>
#include <stdlib.h>
#include <string.h>
#include <tlhelp32.h>

enum { WAIT_MILLISECONDS = 10, PATH_ROOM = 4096 };

#define VARIABLE L"NBSTAGE_CHECK_MEMORY"

static _Noreturn void end_for_system(const char *what)
{
    fprintf(stderr, "nbstage-check: %s: error %lu of Windows\n", what,
            GetLastError());
    exit(EXIT_FAILURE);
}

// In static memory, until the next call.
static const wchar_t *to_wide(const char *text)
{
    static wchar_t wide[PATH_ROOM];
    if (MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, PATH_ROOM) == 0)
        wide[0] = L'\0';
    return wide;
}

static char *from_wide(const wchar_t *wide)
{
    const int size =
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = malloc((size_t)size);
    if (!text || size == 0)
        end_for_system("the arguments cannot be read");
    WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}

void platform_begin(int *argc, char ***argv)
{
    wchar_t **words = CommandLineToArgvW(GetCommandLineW(), argc);
    *argv = calloc((size_t)*argc + 1, sizeof **argv);
    if (!words || !*argv)
        end_for_system("the arguments cannot be read");
    for (int i = 0; i < *argc; i++)
        (*argv)[i] = from_wide(words[i]);
    LocalFree(words);
    SetConsoleOutputCP(CP_UTF8);
    // No window says what is wrong.
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
}

// ---------------------------------------------------------------------------
// Processes

static SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited,
                                        .bInheritHandle = TRUE};
static HANDLE mapping;

void *memory_share(size_t size)
{
    mapping = CreateFileMappingW(INVALID_HANDLE_VALUE, &inherited,
                                 PAGE_READWRITE, 0, (DWORD)size, NULL);
    void *memory =
        mapping ? MapViewOfFile(mapping, FILE_MAP_WRITE, 0, 0, size) : NULL;
    if (!memory)
        end_for_system("no memory for a test");
    return memory;
}

void memory_unshare(void *memory, size_t size)
{
    (void)size;
    UnmapViewOfFile(memory);
    CloseHandle(mapping);
}

void *memory_of_parent(void)
{
    const wchar_t *handle = _wgetenv(VARIABLE);
    if (!handle)
        return NULL;
    void *memory =
        MapViewOfFile((HANDLE)(uintptr_t)_wcstoui64(handle, NULL, 10),
                      FILE_MAP_WRITE, 0, 0, 0);
    if (!memory)
        end_for_system("a test cannot be run");
    return memory;
}

FILE *file_for_output(void)
{
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    if (GetTempPathW(MAX_PATH + 1, folder) == 0 ||
        GetTempFileNameW(folder, L"nbs", 0, path) == 0)
        return NULL;
    HANDLE file =
        CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE,
                    &inherited, CREATE_ALWAYS,
                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    return file == INVALID_HANDLE_VALUE
               ? NULL
               : _fdopen(_open_osfhandle((intptr_t)file, _O_RDWR), "r+b");
}

// Starts this program again, in a job that ends with this process.
static HANDLE start(HANDLE job, HANDLE printed)
{
    wchar_t program[PATH_ROOM], handle[24];
    PROCESS_INFORMATION process;
    STARTUPINFOW startup = {.cb = sizeof startup,
                            .dwFlags = STARTF_USESTDHANDLES,
                            .hStdOutput = printed,
                            .hStdError = printed};
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {0};
    limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit,
                            sizeof limit);
    _snwprintf(handle, COUNT(handle), L"%I64u", (uint64_t)(uintptr_t)mapping);
    SetEnvironmentVariableW(VARIABLE, handle);
    GetModuleFileNameW(NULL, program, PATH_ROOM);
    wchar_t *line = _wcsdup(GetCommandLineW()); // CreateProcessW may change it
    if (!line ||
        !CreateProcessW(program, line, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL,
                        NULL, &startup, &process))
        end_for_system("no new process");
    free(line);
    SetEnvironmentVariableW(VARIABLE, NULL);
    AssignProcessToJobObject(job, process.hProcess);
    ResumeThread(process.hThread);
    CloseHandle(process.hThread);
    return process.hProcess;
}

static void describe_crash(DWORD code, char *text, size_t size)
{
    static const struct {
        DWORD code;
        const char *name;
    } names[] = {
        {EXCEPTION_ACCESS_VIOLATION, "access violation"},
        {EXCEPTION_STACK_OVERFLOW, "stack overflow"},
        {EXCEPTION_INT_DIVIDE_BY_ZERO, "division by zero"},
        {EXCEPTION_ILLEGAL_INSTRUCTION, "illegal instruction"},
    };
    snprintf(text, size, "exception 0x%08lX", code);
    for (size_t i = 0; i < COUNT(names); i++)
        if (names[i].code == code)
            snprintf(text, size, "%s", names[i].name);
}

struct ending process_run(void (*work)(void), FILE *printed, double end_time)
{
    (void)work; // main() does it
    struct ending ending = {.how = ""};
    DWORD status = 0;
    HANDLE job = CreateJobObjectW(NULL, NULL);
    HANDLE process = start(job, (HANDLE)_get_osfhandle(_fileno(printed)));
    while (!(ending.in_time = WaitForSingleObject(process, WAIT_MILLISECONDS) ==
                              WAIT_OBJECT_0) &&
           now() <= end_time && !ending_signal)
        ;
    TerminateJobObject(job, EXIT_FAILURE);   // with what the stage has started
    TerminateProcess(process, EXIT_FAILURE); // if the job could not have it
    WaitForSingleObject(process, INFINITE);
    GetExitCodeProcess(process, &status);
    CloseHandle(process);
    CloseHandle(job);
    ending.crashed = status >= 0xC0000000;
    if (ending.crashed)
        describe_crash(status, ending.how, sizeof ending.how);
    else
        snprintf(ending.how, sizeof ending.how, "%lu", status);
    return ending;
}

// ---------------------------------------------------------------------------
// Memory

size_t page_size(void)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwPageSize;
}

void *pages_allocate(size_t size)
{
    DWORD before;
    char *pages = VirtualAlloc(NULL, size + page_size(),
                               MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
    if (!pages ||
        !VirtualProtect(pages + size, page_size(), PAGE_NOACCESS, &before))
        return NULL;
    return pages;
}

void pages_protect(void *pages, size_t size)
{
    DWORD before;
    VirtualProtect(pages, size, PAGE_READONLY, &before);
}

void pages_free(void *pages, size_t size)
{
    (void)size;
    VirtualFree(pages, 0, MEM_RELEASE);
}

// ---------------------------------------------------------------------------
// DLLs

const char *const stage_endings[] = {"", ".dll", NULL};

bool is_path(const char *name)
{
    return strpbrk(name, "/\\") || (name[0] != '\0' && name[1] == ':');
}

bool is_readable(const char *path)
{
    return !(GetFileAttributesW(to_wide(path)) & FILE_ATTRIBUTE_DIRECTORY);
}

void *library_open(const char *path, char *sentence, size_t size)
{
    wchar_t full[PATH_ROOM];
    if (GetFullPathNameW(to_wide(path), PATH_ROOM, full, NULL) >= PATH_ROOM)
        full[0] = L'\0';
    HMODULE library = LoadLibraryExW(full, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!library)
        snprintf(sentence, size, "%s: error %lu of Windows", path,
                 GetLastError());
    return library;
}

void *library_symbol(void *library, const char *name)
{
    const FARPROC symbol = GetProcAddress(library, name);
    void *address;
    memcpy(&address, &symbol, sizeof address);
    return address;
}

bool library_close(void *library)
{
    return FreeLibrary(library);
}

bool library_is_loaded(const char *path)
{
    return GetModuleHandleW(to_wide(path));
}

bool process_has(const char *function)
{
    (void)function;
    return false;
}

void list_exports(void *library, void (*see)(const char *name))
{
    const char *image = library;
    const IMAGE_DOS_HEADER *begin = library;
    const IMAGE_NT_HEADERS *headers = (const void *)(image + begin->e_lfanew);
    const IMAGE_EXPORT_DIRECTORY *exports =
        (const void *)(image +
                       headers->OptionalHeader.DataDirectory[0].VirtualAddress);
    const DWORD *names = (const void *)(image + exports->AddressOfNames);
    for (DWORD i = 0; i < exports->NumberOfNames; i++)
        see(image + names[i]);
}

// ---------------------------------------------------------------------------
// What the process holds

size_t count_threads(void)
{
    THREADENTRY32 thread = {.dwSize = sizeof thread};
    size_t count = 0;
    HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    for (BOOL more = Thread32First(all, &thread); more;
         more = Thread32Next(all, &thread))
        count += thread.th32OwnerProcessID == GetCurrentProcessId();
    CloseHandle(all);
    return count;
}

// Wine has no GetProcessHandleCount().
static size_t count_handles(void)
{
    enum { STEP = 4, MOST = 4096 };
    size_t count = 0;
    DWORD flags;
    for (uintptr_t handle = STEP; handle <= STEP * MOST; handle += STEP)
        count += GetHandleInformation((HANDLE)handle, &flags) != 0;
    return count;
}

struct held process_measure(void)
{
    struct held held = {.descriptors = count_handles()};
    MEMORY_BASIC_INFORMATION region;
    for (char *at = NULL; VirtualQuery(at, &region, sizeof region) > 0;
         at = (char *)region.BaseAddress + region.RegionSize)
        held.mappings += region.State != MEM_FREE;
    HANDLE heaps[64];
    const DWORD heap_count = GetProcessHeaps(COUNT(heaps), heaps);
    for (DWORD i = 0; i < heap_count && i < COUNT(heaps); i++)
        for (PROCESS_HEAP_ENTRY entry = {.lpData = NULL};
             HeapWalk(heaps[i], &entry);)
            if (entry.wFlags & PROCESS_HEAP_ENTRY_BUSY)
                held.memory += entry.cbData;
    return held;
}

void process_change(void)
{
    pthread_self(); // opens handles the first time
    SetPriorityClass(GetCurrentProcess(), BELOW_NORMAL_PRIORITY_CLASS);
    SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL);
}

void process_write(struct text *text)
{
    text_print(text, "handles %zu\n", count_handles());
    text_print(text, "error mode %x, of the thread %lx\n", GetErrorMode(),
               GetThreadErrorMode());
    text_print(text, "priority %lx, of the thread %d\n",
               GetPriorityClass(GetCurrentProcess()),
               GetThreadPriority(GetCurrentThread()));
    text_print(text, "code pages %u %u\n", GetConsoleCP(),
               GetConsoleOutputCP());
    text_print(text, "language of the thread %lx\n", GetThreadLocale());
}

void forbid_system_calls(void)
{
    skip("only Linux filters system calls");
}

// ---------------------------------------------------------------------------
// Hosts

static void test_host(void)
{
    skip("hosts are not tested on Windows");
}

const struct test host_load_test = {"host", "runs", test_host};
const struct test host_tests[] = {{0}};

void host_begin(const char *command)
{
    (void)command;
    fputs("nbstage-check: --host is not there on Windows; test the host on "
          "another system\n",
          stderr);
    exit(3);
}

void host_end(void)
{
}
