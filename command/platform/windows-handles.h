// SPDX-License-Identifier: GPL-2.0-or-later
//
// Handles, for the sources for Windows.  Names are in UTF-8, as utf8.rc says.

#ifndef WINDOWS_HANDLES_H
#define WINDOWS_HANDLES_H

#include "platform/file.h"

#include <stdbool.h>
#include <windows.h>

enum {
    SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
    PATH_SIZE = 4096, // bytes of a path with its NUL; longer ones are refused
};

// Sets errno from GetLastError().
void handle_set_error(void);

// Opens a file or folder; INVALID_HANDLE_VALUE with errno on failure.
HANDLE handle_open(const char *path, DWORD access, DWORD how, DWORD flags);

// Takes over a handle.  Returns a descriptor, or -1 with errno.
int handle_to_descriptor(HANDLE handle);

// fstat() of a handle.  False with errno.
bool handle_find(HANDLE handle, struct file_status *status);

#endif
