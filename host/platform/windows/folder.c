// SPDX-License-Identifier: GPL-2.0-or-later
//
// A folder is held open, so that nobody can put another in its place, and names
// in it are used with its path.  A new file is marked to be removed until it
// gets its lasting name, so that Windows removes it however the process ends.

#include "config.h"

#include "platform/folder.h"

#include "platform/system.h"
#include "platform/windows/names.h"

#include <aclapi.h>
#include <errno.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Paths

// The path of a name in a folder, which may end in a backslash, to be freed;
// NULL with errno.
static wchar_t *join(const wchar_t *folder, const char *name)
{
    wchar_t *wide = names_to_wide(name);
    size_t length = wcslen(folder);
    wchar_t *path =
        wide ? malloc((length + wcslen(wide) + 2) * sizeof *path) : NULL;
    if (path) {
        wcscpy(path, folder);
        wcscpy(path + length, L"\\");
        wcscpy(path + length + (folder[length - 1] != L'\\'), wide);
    }
    free(wide);
    errno = ENOMEM;
    return path;
}

// Folders that are open; their numbers stand for them.
static struct {
    HANDLE handle;
    wchar_t *path; // that ends in a backslash; NULL if nothing is open
} folders[4];

enum { MOST_FOLDERS = sizeof folders / sizeof *folders };

static wchar_t *path_in(int folder, const char *name)
{
    return join(folders[folder].path, name);
}

static HANDLE open_in(int folder, const char *name, DWORD access, DWORD how,
                      DWORD flags)
{
    HANDLE handle = INVALID_HANDLE_VALUE;
    wchar_t *path = path_in(folder, name);
    if (!path)
        return handle;
    handle = CreateFileW(path, access, SHARE_ALL, NULL, how, flags, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        names_set_error(path);
    free(path);
    return handle;
}

// The path of a file, with links followed if there is one.
static wchar_t *find_path(const char *text)
{
    wchar_t *path = names_full_path(text);
    HANDLE file = INVALID_HANDLE_VALUE;
    if (path)
        file = CreateFileW(path, 0, SHARE_ALL, NULL, OPEN_EXISTING,
                           FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return path;
    wchar_t *followed =
        GetFileType(file) == FILE_TYPE_DISK ? names_of_handle(file) : NULL;
    CloseHandle(file);
    if (!followed)
        return path;
    free(path);
    return followed;
}

// Opens a folder and takes over its path.  Returns its number, or -1 with
// errno.
static int open_folder(wchar_t *path)
{
    int i = 0;
    while (i < MOST_FOLDERS - 1 && folders[i].path)
        i++;
    folders[i].handle =
        CreateFileW(path, FILE_TRAVERSE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                    NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (folders[i].handle != INVALID_HANDLE_VALUE) {
        folders[i].path = path;
        return i;
    }
    names_set_error(path);
    free(path);
    return -1;
}

void folder_close(int folder)
{
    CloseHandle(folders[folder].handle);
    free(folders[folder].path);
    folders[folder].path = NULL;
}

const char *folder_find(const char *text, int *folder, char **name)
{
    wchar_t *path = find_path(text);
    if (!path)
        return file_reason(errno);
    wchar_t *last = wcsrchr(path, L'\\') + 1;
    if (!*last || wcsncmp(path, L"\\\\.\\", 4) == 0) {
        free(path);
        return "a regular file was expected";
    }
    *name = names_to_utf8(last);
    *last = L'\0';
    *folder = open_folder(path);
    if (*folder >= 0 && *name)
        return NULL;
    const char *fault = errno == ENOENT ? "its folder is missing; make it first"
                                        : file_reason(errno);
    free(*name);
    if (*folder >= 0)
        folder_close(*folder);
    return fault;
}

// ---------------------------------------------------------------------------
// New files

static void mark_for_removal(HANDLE file, bool removed)
{
    FILE_DISPOSITION_INFO mark = {.DeleteFile = removed};
    SetFileInformationByHandle(file, FileDispositionInfo, &mark, sizeof mark);
}

static void make_name(char name[FRESH_NAME_SIZE])
{
    char digits[17];
    names_make_digits(digits);
    snprintf(name, FRESH_NAME_SIZE, ".blocksweep.%s", digits);
}

int folder_create(int folder, const struct file_status *like,
                  char name[FRESH_NAME_SIZE], struct file_status *created)
{
    const DWORD kept = FILE_ATTRIBUTE_ARCHIVE | FILE_ATTRIBUTE_HIDDEN |
                       FILE_ATTRIBUTE_SYSTEM |
                       FILE_ATTRIBUTE_NOT_CONTENT_INDEXED;
    make_name(name);
    HANDLE file =
        open_in(folder, name, GENERIC_READ | GENERIC_WRITE | DELETE | WRITE_DAC,
                CREATE_NEW, like ? like->mode & kept : FILE_ATTRIBUTE_NORMAL);
    if (file == INVALID_HANDLE_VALUE)
        return -1;
    mark_for_removal(file, true);
    if (file_find_handle(file, created))
        return file_take_handle(file);
    CloseHandle(file);
    return -1;
}

bool folder_find_file(int folder, const char *name, struct file_status *status)
{
    HANDLE file =
        open_in(folder, name, 0, OPEN_EXISTING,
                FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT);
    bool found = file != INVALID_HANDLE_VALUE && file_find_handle(file, status);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return found;
}

bool folder_may_write(int folder, const char *name)
{
    struct file_status status;
    HANDLE file =
        open_in(folder, name, GENERIC_WRITE | DELETE, OPEN_EXISTING, 0);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    bool may = file_find_handle(file, &status) &&
               !(status.mode & FILE_ATTRIBUTE_READONLY);
    CloseHandle(file);
    errno = EACCES;
    return may;
}

void folder_remove(int folder, const char *name, const struct file_status *file)
{
    int reason = errno;
    wchar_t *path = path_in(folder, name);
    (void)file; // that one is still open, or nothing was marked
    if (path)
        DeleteFileW(path);
    free(path);
    errno = reason;
}

// Has a new file get the permissions of the one that it replaces.
static void take_over_permissions(HANDLE file, wchar_t *old)
{
    PACL list;
    PSECURITY_DESCRIPTOR descriptor;
    if (GetNamedSecurityInfoW(old, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION,
                              NULL, NULL, &list, NULL,
                              &descriptor) != ERROR_SUCCESS)
        return;
    SetSecurityInfo(file, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, NULL, NULL,
                    list, NULL);
    LocalFree(descriptor);
}

// Renames an open file.  Other programs that look at each file, against viruses
// or to find words in it, have the old one open for a moment.
static bool rename_file(HANDLE file, const wchar_t *path)
{
    enum { TRIES = 20, PAUSE = 50 }; // milliseconds
    size_t length = wcslen(path) * sizeof *path;
    size_t size = sizeof(FILE_RENAME_INFO) + length;
    FILE_RENAME_INFO *asked = calloc(1, size);
    BOOL renamed = FALSE;
    SetLastError(ERROR_NOT_ENOUGH_MEMORY);
    if (!asked)
        return false;
    asked->ReplaceIfExists = TRUE;
    asked->FileNameLength = (DWORD)length;
    memcpy(asked->FileName, path, length);
    for (int i = 0; i < TRIES && !renamed; i++) {
        renamed = SetFileInformationByHandle(file, FileRenameInfo, asked,
                                             (DWORD)size);
        if (!renamed && GetLastError() != ERROR_SHARING_VIOLATION &&
            GetLastError() != ERROR_ACCESS_DENIED)
            break;
        if (!renamed)
            Sleep(PAUSE);
    }
    // The permission was there before.
    if (!renamed && GetLastError() == ERROR_ACCESS_DENIED)
        SetLastError(ERROR_SHARING_VIOLATION);
    free(asked);
    return renamed;
}

const char *folder_rename(int folder, const char *name, int descriptor,
                          const char *lasting)
{
    HANDLE file = (HANDLE)_get_osfhandle(descriptor);
    wchar_t *path = path_in(folder, lasting);
    (void)name;
    if (!path)
        return file_reason(errno);
    take_over_permissions(file, path);
    signals_hold();
    mark_for_removal(file, false);
    bool renamed = rename_file(file, path);
    if (!renamed) {
        names_set_error(path);
        mark_for_removal(file, true);
    }
    signals_release();
    if (renamed)
        FlushFileBuffers(file);
    free(path);
    return renamed ? NULL : file_reason(errno);
}

void folder_sync(int folder)
{
    (void)folder;
}

// ---------------------------------------------------------------------------
// Backups

// Makes a link or copy under the new name, and gives it the lasting one.
static bool keep(const wchar_t *old, const wchar_t *made,
                 const wchar_t *lasting)
{
    if (!CreateHardLinkW(made, old, NULL) && !CopyFileW(old, made, TRUE))
        return false;
    if (MoveFileExW(made, lasting,
                    MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        return true;
    DWORD code = GetLastError();
    DeleteFileW(made);
    SetLastError(code);
    return false;
}

const char *folder_keep(int folder, const char *name,
                        const struct file_status *old)
{
    char fresh[FRESH_NAME_SIZE];
    struct file_status now;
    make_name(fresh);
    wchar_t *path = path_in(folder, name);
    wchar_t *made = path_in(folder, fresh);
    wchar_t *lasting = path_in(folder, name);
    const char *fault = file_reason(ENOMEM);
    if (lasting)
        lasting = realloc(lasting, (wcslen(lasting) + 2) * sizeof *lasting);
    if (path && made && lasting) {
        wcscat(lasting, L"~");
        fault = NULL;
        if (!keep(path, made, lasting)) {
            names_set_error(lasting);
            fault = file_reason(errno);
        } else if (!folder_find_file(folder, name, &now) ||
                   !file_version_equals(old, &now)) {
            fault = "it has changed meanwhile";
        }
    }
    free(path);
    free(made);
    free(lasting);
    return fault;
}

// ---------------------------------------------------------------------------
// Folders

static bool list_full(const wchar_t *full,
                      void (*add)(void *context, const char *name),
                      void *context)
{
    WIN32_FIND_DATAW entry;
    wchar_t *pattern = join(full, "*");
    HANDLE search =
        pattern ? FindFirstFileW(pattern, &entry) : INVALID_HANDLE_VALUE;
    if (search == INVALID_HANDLE_VALUE)
        names_set_error(NULL);
    free(pattern);
    if (search == INVALID_HANDLE_VALUE)
        return false;
    do {
        char *name = names_to_utf8(entry.cFileName);
        if (name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            add(context, name);
        free(name);
    } while (FindNextFileW(search, &entry));
    FindClose(search);
    return true;
}

bool folder_list(const char *path, void (*add)(void *context, const char *name),
                 void *context)
{
    wchar_t *full = names_full_path(path);
    bool listed = full && list_full(full, add, context);
    free(full);
    return listed;
}

const char *folder_for_temporary(void)
{
    static char *parent;
    wchar_t path[MAX_PATH + 1] = L".";
    if (!parent && GetTempPathW(MAX_PATH + 1, path) <= MAX_PATH)
        parent = names_to_utf8(path);
    return parent ? parent : ".";
}

bool folder_make_temporary(char *path, size_t size)
{
    char digits[17];
    names_make_digits(digits);
    snprintf(path, size, "%sblocksweep.%s", folder_for_temporary(), digits);
    wchar_t *full = names_full_path(path);
    bool made = full && CreateDirectoryW(full, NULL);
    if (!made)
        names_set_error(full);
    free(full);
    return made;
}

static void remove_in(void *context, const char *name);

// What is linked is not followed, as the link alone is removed.
static bool remove_full(const wchar_t *path)
{
    SetFileAttributesW(path, FILE_ATTRIBUTE_NORMAL);
    if (DeleteFileW(path) || RemoveDirectoryW(path))
        return true;
    if (GetLastError() == ERROR_DIR_NOT_EMPTY)
        list_full(path, remove_in, (void *)path);
    return RemoveDirectoryW(path);
}

static void remove_in(void *context, const char *name)
{
    wchar_t *path = join(context, name);
    if (path)
        remove_full(path);
    free(path);
}

bool folder_remove_all(const char *path)
{
    wchar_t *full = names_full_path(path);
    bool removed = full && remove_full(full);
    if (!removed)
        names_set_error(full);
    free(full);
    return removed;
}
