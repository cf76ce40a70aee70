// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/system.h"

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
void signals_catch(void (*handler)(int))
{
    (void)handler;
}

void signals_let_go(void (*handler)(int))
{
    (void)handler;
}

enum { FREE, HELD, WAITING };

static volatile LONG state = FREE;

static BOOL WINAPI take_event(DWORD event)
{
    if (InterlockedCompareExchange(&state, WAITING, HELD) == FREE)
        return FALSE; // and the command ends
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        Sleep(INFINITE); // as it ends when this returns
    return TRUE;
}

void signals_hold(void)
{
    SetConsoleCtrlHandler(take_event, FALSE);
    SetConsoleCtrlHandler(take_event, TRUE);
    InterlockedExchange(&state, HELD);
}

bool signals_are_waiting(void)
{
    return state == WAITING;
}

void signals_release(void)
{
    if (InterlockedExchange(&state, FREE) == WAITING)
        exit((int)STATUS_CONTROL_C_EXIT);
}

// ---------------------------------------------------------------------------
// Terminals

bool system_shows_utf8(void)
{
    return true; // main.c has seen to it
}
