// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the parts for Windows share: names, errors and handles.

#ifndef NAMES_H
#define NAMES_H

#include "platform/file.h"

#include <wchar.h>
#include <windows.h>

enum { SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

// The same text in UTF-16 or UTF-8, to be freed; NULL if memory runs out.
wchar_t *names_to_wide(const char *text);
char *names_to_utf8(const wchar_t *text);

// The full path in the form that may be longer than MAX_PATH, to be freed; NULL
// with errno.
wchar_t *names_full_path(const char *path);

// Opens a file, or a folder; INVALID_HANDLE_VALUE with errno if it cannot be.
HANDLE names_open(const char *path, DWORD access, DWORD how, DWORD flags);

// Sets errno to what has failed with this file, whose path may be NULL.
void names_set_error(const wchar_t *path);

// Takes over a handle.  Returns a descriptor, or -1 with errno.
int file_take_handle(HANDLE handle);

// Gets what is known of an open file; false with errno.
bool file_find_handle(HANDLE handle, struct file_status *status);

// Stores 16 digits that nobody can foresee, and a NUL.
void names_make_digits(char digits[17]);

#endif
