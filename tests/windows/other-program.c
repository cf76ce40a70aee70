// SPDX-License-Identifier: GPL-2.0-or-later
//
// other-program hold FILE SHARE: has a file open, and shares it so, until it is
// let go.
// other-program copy|wait|fail|crash|sleep|leave IN OUT [WORD...]: a builder,
// which prints its words.
//
// What is to be let go makes a file "begun", and goes on when there is a file
// "go".

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <windows.h>

enum { HALF_AN_HOUR = 1800000, LOOK_EVERY = 20 }; // milliseconds

int wmain(int argc, wchar_t **argv);

static void wait_until_let_go(void)
{
    CloseHandle(
        CreateFileW(L"begun", GENERIC_WRITE, 0, NULL, CREATE_NEW, 0, NULL));
    for (int waited = 0; waited < HALF_AN_HOUR; waited += LOOK_EVERY) {
        if (GetFileAttributesW(L"go") != INVALID_FILE_ATTRIBUTES)
            break;
        Sleep(LOOK_EVERY);
    }
}

static int hold(const wchar_t *file, DWORD share)
{
    HANDLE handle =
        CreateFileW(file, GENERIC_READ, share, NULL, OPEN_EXISTING, 0, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return 1;
    wait_until_let_go();
    CloseHandle(handle);
    return 0;
}

// Starts this program again, and does not wait for it.
static void leave(wchar_t *self)
{
    wchar_t line[] = L"other-program sleep in out";
    STARTUPINFOW startup = {.cb = sizeof startup};
    PROCESS_INFORMATION made;
    CreateProcessW(self, line, NULL, NULL, TRUE, 0, NULL, NULL, &startup,
                   &made);
}

int wmain(int argc, wchar_t **argv)
{
    wchar_t self[MAX_PATH];
    if (argc < 4)
        return 1;
    if (wcscmp(argv[1], L"hold") == 0)
        return hold(argv[2], (DWORD)wcstoul(argv[3], NULL, 10));
    for (int i = 4; i < argc; i++) {
        printf("word");
        for (const wchar_t *letter = argv[i]; *letter; letter++)
            printf(" %x", (unsigned)*letter);
        puts("");
    }
    fflush(stdout);
    GetModuleFileNameW(NULL, self, MAX_PATH);
    if (wcscmp(argv[1], L"leave") == 0)
        leave(self);
    if (wcscmp(argv[1], L"sleep") == 0)
        Sleep(HALF_AN_HOUR);
    if (wcscmp(argv[1], L"wait") == 0)
        wait_until_let_go();
    if (wcscmp(argv[1], L"crash") == 0)
        ExitProcess(0xC0000005);
    return wcscmp(argv[1], L"fail") == 0 ? 7
                                         : !CopyFileW(argv[2], argv[3], FALSE);
}
