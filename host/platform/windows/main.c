// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where the command begins: arguments become UTF-8, as what is printed is, and
// standard input and output take all bytes as they are.

#include "config.h"

#include "message.h"
#include "platform/windows/names.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>

int main(int argc, char **argv);
int wmain(int argc, wchar_t **wide);

// Has the C runtime put names in place of "*.wad", as no shell does.
extern int _dowildcard;
int _dowildcard = -1;

static UINT code_page; // of the terminal before

static void restore_terminal(void)
{
    SetConsoleOutputCP(code_page);
}

static BOOL WINAPI take_event(DWORD event)
{
    (void)event;
    restore_terminal();
    return FALSE; // and the command ends
}

int wmain(int argc, wchar_t **wide)
{
    char **argv = calloc((size_t)argc + 1, sizeof *argv);
    for (int i = 0; argv && i < argc; i++) {
        argv[i] = names_to_utf8(wide[i]);
        if (!argv[i])
            argv = NULL;
    }
    if (!argv)
        return (int)message_out_of_memory();
    for (int i = 0; i <= 2; i++)
        _setmode(i, _O_BINARY);
    // Letters of several bytes arrive together only from a buffer.
    setvbuf(stderr, NULL, _IOFBF, BUFSIZ);
    code_page = GetConsoleOutputCP();
    if (code_page != 0 && SetConsoleOutputCP(CP_UTF8)) {
        atexit(restore_terminal);
        SetConsoleCtrlHandler(take_event, TRUE);
    }
    return main(argc, argv);
}
