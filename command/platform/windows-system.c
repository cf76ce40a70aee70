// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/system.h"

#include <conio.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

double clock_now(void)
{
    LARGE_INTEGER now, frequency;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&now);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

// ---------------------------------------------------------------------------
// Ctrl-C and what else ends the command, each in a thread of its own

// Temporary files are removed by Windows, so nothing is to be done.
void signals_pass(void (*from)(int), void (*to)(int))
{
    (void)from;
    (void)to;
}

enum { FREE, HELD, WAITING };

static volatile LONG signals_state = FREE;

static BOOL WINAPI signals_take_event(DWORD event)
{
    if (InterlockedCompareExchange(&signals_state, WAITING, HELD) == FREE)
        return FALSE; // and the command ends
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        Sleep(INFINITE); // as it ends when this returns
    return TRUE;
}

void signals_hold(void)
{
    SetConsoleCtrlHandler(signals_take_event, FALSE);
    SetConsoleCtrlHandler(signals_take_event, TRUE);
    InterlockedExchange(&signals_state, HELD);
}

bool signals_are_waiting(void)
{
    return signals_state == WAITING;
}

void signals_release(void)
{
    if (InterlockedExchange(&signals_state, FREE) == WAITING)
        exit((int)STATUS_CONTROL_C_EXIT);
}

// ---------------------------------------------------------------------------
// Standard input and output

// Has the C runtime put names in place of "*.wad", as no shell does.
extern int _dowildcard;
int _dowildcard = -1;

static UINT terminal_code_page; // of the terminal before

static void terminal_restore(void)
{
    SetConsoleOutputCP(terminal_code_page);
}

static BOOL WINAPI terminal_take_event(DWORD event)
{
    (void)event;
    terminal_restore();
    return FALSE; // and the command ends
}

// Before main: bytes are read and written as they are, and shown as UTF-8.
__attribute__((__constructor__)) static void terminal_prepare(void)
{
    for (int i = 0; i <= 2; i++)
        _setmode(i, _O_BINARY);
    // Letters of several bytes arrive together only from a buffer.
    setvbuf(stderr, NULL, _IOFBF, BUFSIZ);
    terminal_code_page = GetConsoleOutputCP();
    if (terminal_code_page != 0 && SetConsoleOutputCP(CP_UTF8)) {
        atexit(terminal_restore);
        SetConsoleCtrlHandler(terminal_take_event, TRUE);
    }
}

bool system_hold_standard(void)
{
    return true; // the C runtime gives these numbers to no other file
}

// Editors run builders in consoles that are hidden, and read what they print.
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
