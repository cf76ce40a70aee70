// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/system.h"

#include "platform/file.h"
#include "platform/windows-handles.h"

#include <conio.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
// After windows.h.
#include <shellapi.h>

double system_now(void)
{
    LARGE_INTEGER now, frequency;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&now);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

// ---------------------------------------------------------------------------
// Ctrl-C and other console events, each handled in a thread of its own

// Nothing to do, as Windows removes temporary files.
void system_handle_signals(void (*handler)(int))
{
    (void)handler;
}

enum { FREE, HELD, WAITING };

static volatile LONG system_signals_state = FREE;

static BOOL WINAPI system_take_event(DWORD event)
{
    if (InterlockedCompareExchange(&system_signals_state, WAITING, HELD) ==
        FREE)
        return FALSE; // and the command ends
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        Sleep(INFINITE); // the process ends when the handler returns
    return TRUE;
}

void system_hold_signals(void)
{
    SetConsoleCtrlHandler(system_take_event, FALSE);
    SetConsoleCtrlHandler(system_take_event, TRUE);
    InterlockedExchange(&system_signals_state, HELD);
}

bool system_has_signal(void)
{
    return system_signals_state == WAITING;
}

void system_release_signals(void)
{
    if (InterlockedExchange(&system_signals_state, FREE) == WAITING)
        exit((int)STATUS_CONTROL_C_EXIT);
}

// ---------------------------------------------------------------------------
// Standard input and output

// Makes the C runtime expand wildcards such as "*.wad"; cmd.exe does not.
extern int _dowildcard;
int _dowildcard = -1;

// Takes a word out of those that were typed, if it is one of them.
static bool system_take_typed(wchar_t **typed, int count, const char *word)
{
    char name[PATH_SIZE];
    for (int i = 0; i < count; i++) {
        if (!typed[i] ||
            WideCharToMultiByte(CP_ACP, 0, typed[i], -1, name, sizeof name,
                                NULL, NULL) == 0 ||
            strcmp(name, word) != 0)
            continue;
        typed[i] = NULL;
        return true;
    }
    return false;
}

// "*.wad" also stands for one.wad~, whose short name is ONE~1.WAD.
void system_drop_backups(int *argc, char **argv)
{
    int count = 0, kept = 1;
    wchar_t **typed = CommandLineToArgvW(GetCommandLineW(), &count);
    for (int i = 1; i < *argc; i++)
        if (!file_name_ends(argv[i], "~") ||
            (typed && system_take_typed(typed, count, argv[i])))
            argv[kept++] = argv[i];
    LocalFree(typed);
    argv[kept] = NULL;
    *argc = kept;
}

static UINT system_code_page; // of the console, to be restored

static void system_restore_terminal(void)
{
    SetConsoleOutputCP(system_code_page);
}

static BOOL WINAPI system_leave_terminal(DWORD event)
{
    (void)event;
    system_restore_terminal();
    return FALSE; // and the command ends
}

// Runs before main: makes the streams binary and the console UTF-8.
__attribute__((__constructor__)) static void system_prepare_terminal(void)
{
    for (int i = 0; i <= 2; i++)
        _setmode(i, _O_BINARY);
    // Buffered, so that multibyte characters are written whole.
    setvbuf(stderr, NULL, _IOFBF, BUFSIZ);
    system_code_page = GetConsoleOutputCP();
    if (system_code_page != 0 && SetConsoleOutputCP(CP_UTF8)) {
        atexit(system_restore_terminal);
        SetConsoleCtrlHandler(system_leave_terminal, TRUE);
    }
}

bool system_hold_standard(void)
{
    return true; // the C runtime reserves these descriptors
}

// Map editors run builders in hidden consoles with redirected streams.
bool system_owns_console(void)
{
    DWORD processes[2];
    return GetConsoleProcessList(processes, 2) == 1 && _isatty(0) &&
           _isatty(1) && _isatty(2);
}

void system_wait_for_key(void)
{
    _cputs("Press a key to close this window.\r\n");
    _getch();
}

bool system_shows_utf8(void)
{
    return true;
}
