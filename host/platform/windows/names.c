// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#define _CRT_RAND_S // for rand_s
#include <stdlib.h>

#include "platform/windows/names.h"

#include <errno.h>
#include <restartmanager.h>
#include <stdio.h>
#include <string.h>

wchar_t *names_to_wide(const char *text)
{
    int length = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *wide = malloc((size_t)length * sizeof *wide);
    if (wide)
        MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, length);
    return wide;
}

char *names_to_utf8(const wchar_t *text)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *narrow = malloc((size_t)size);
    if (narrow)
        WideCharToMultiByte(CP_UTF8, 0, text, -1, narrow, size, NULL, NULL);
    return narrow;
}

// "\\?\C:\folder", "\\?\UNC\server\folder", or what has such a beginning.
static const wchar_t drive_prefix[] = L"\\\\?\\";
static const wchar_t server_prefix[] = L"\\\\?\\UNC\\";

wchar_t *names_full_path(const char *path)
{
    enum { ROOM = 8 }; // for a prefix
    wchar_t *given = names_to_wide(path);
    DWORD size = given ? GetFullPathNameW(given, 0, NULL, NULL) : 0;
    wchar_t *full = size ? malloc((ROOM + size) * sizeof *full) : NULL;
    errno = given && size == 0 ? ENOENT : ENOMEM;
    if (full) {
        wchar_t *found = full + ROOM;
        GetFullPathNameW(given, size, found, NULL);
        bool is_on_server = wcsncmp(found, L"\\\\", 2) == 0;
        bool has_prefix =
            is_on_server && (found[2] == L'?' || found[2] == L'.');
        wcscpy(full, has_prefix     ? L""
                     : is_on_server ? server_prefix
                                    : drive_prefix);
        if (is_on_server && !has_prefix)
            found += 2;
        size_t length = wcslen(full);
        wmemmove(full + length, found, wcslen(found) + 1);
    }
    free(given);
    return full;
}

HANDLE names_open(const char *path, DWORD access, DWORD how, DWORD flags)
{
    HANDLE handle = INVALID_HANDLE_VALUE;
    wchar_t *full = names_full_path(path);
    if (!full)
        return handle;
    handle = CreateFileW(full, access, SHARE_ALL, NULL, how,
                         flags | FILE_FLAG_BACKUP_SEMANTICS, NULL);
    names_set_error(full);
    free(full);
    return handle;
}

void names_make_digits(char digits[17])
{
    unsigned high = 0;
    unsigned low = 0;
    rand_s(&high);
    rand_s(&low);
    snprintf(digits, 17, "%08x%08x", high, low);
}

// ---------------------------------------------------------------------------
// Errors

static const struct {
    DWORD code;
    int number;
} errors[] = {
    {ERROR_FILE_NOT_FOUND, ENOENT},
    {ERROR_PATH_NOT_FOUND, ENOENT},
    {ERROR_INVALID_NAME, ENOENT},
    {ERROR_BAD_PATHNAME, ENOENT},
    {ERROR_BAD_NETPATH, ENOENT},
    {ERROR_BAD_NET_NAME, ENOENT},
    {ERROR_ACCESS_DENIED, EACCES},
    {ERROR_WRITE_PROTECT, EROFS},
    {ERROR_SHARING_VIOLATION, EBUSY},
    {ERROR_LOCK_VIOLATION, EBUSY},
    {ERROR_USER_MAPPED_FILE, EBUSY},
    {ERROR_DELETE_PENDING, EBUSY},
    {ERROR_DISK_FULL, ENOSPC},
    {ERROR_HANDLE_DISK_FULL, ENOSPC},
    {ERROR_FILE_EXISTS, EEXIST},
    {ERROR_ALREADY_EXISTS, EEXIST},
    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {ERROR_OUTOFMEMORY, ENOMEM},
    {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    {ERROR_DIRECTORY, ENOTDIR},
    {ERROR_BAD_EXE_FORMAT, ENOEXEC},
    {ERROR_BROKEN_PIPE, EPIPE},
    {ERROR_NO_DATA, EPIPE},
};

static wchar_t *busy; // the file that was not to be used last

void names_set_error(const wchar_t *path)
{
    DWORD code = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            errno = errors[i].number;
    if (errno == EBUSY && path) {
        free(busy);
        busy = _wcsdup(path);
        errno = EBUSY;
    }
}

// Says who has the file open, if the system tells.
static const char *describe_user(const wchar_t *path)
{
    enum { MOST_USERS = 16 };
    static char sentence[256];
    char *name = NULL;
    RM_PROCESS_INFO users[MOST_USERS];
    wchar_t key[CCH_RM_SESSION_KEY + 1] = L"";
    DWORD session, reasons;
    UINT needed, count = MOST_USERS;
    snprintf(sentence, sizeof sentence, "another program has it open");
    if (wcsncmp(path, drive_prefix, 4) == 0 && path[5] == L':')
        path += 4;
    if (RmStartSession(&session, 0, key) != ERROR_SUCCESS)
        return sentence;
    if (RmRegisterResources(session, 1, &path, 0, NULL, 0, NULL) ==
            ERROR_SUCCESS &&
        RmGetList(session, &needed, &count, users, &reasons) == ERROR_SUCCESS &&
        count > 0)
        name = names_to_utf8(users[0].strAppName);
    RmEndSession(session);
    if (name)
        snprintf(sentence, sizeof sentence, "another program has it open: %s",
                 name);
    free(name);
    return sentence;
}

const char *file_reason(int error)
{
    return error == EBUSY && busy ? describe_user(busy) : strerror(error);
}
