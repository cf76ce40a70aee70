// SPDX-License-Identifier: GPL-2.0-or-later
//
// A folder is held open, so that nobody can put another in its place, and the
// names of its files are whole paths.  A new file is marked to be removed until
// it gets its lasting name, so that Windows removes it however the process
// ends.

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

// The path of a name in the folder that the first bytes of a path are, to be
// freed; NULL with errno.
static wchar_t *join(const char *path, size_t length, const char *name)
{
    size_t size = length + strlen(name) + 1;
    char *joined = malloc(size);
    if (joined)
        snprintf(joined, size, "%.*s%s", (int)length, path, name);
    wchar_t *full = joined ? names_full_path(joined) : NULL;
    free(joined);
    return full;
}

// The path of a new name beside a file.
static wchar_t *make_name(const char *path, char name[FRESH_NAME_SIZE])
{
    char digits[17];
    names_make_digits(digits);
    snprintf(name, FRESH_NAME_SIZE, ".blocksweep.%s", digits);
    return join(path, (size_t)(file_base(path) - path), name);
}

// The path of an open file, with links followed; NULL if it is not told.
static wchar_t *follow_links(HANDLE handle)
{
    DWORD size = GetFinalPathNameByHandleW(handle, NULL, 0, 0);
    wchar_t *path = size ? malloc((size + 1) * sizeof *path) : NULL;
    if (path)
        GetFinalPathNameByHandleW(handle, path, size + 1, 0);
    return path;
}

const char *folder_find(const char *text, int *folder, char **name)
{
    wchar_t *path = names_full_path(text);
    // Links are followed to a file that is there.
    HANDLE file = names_open(text, 0, OPEN_EXISTING, 0);
    wchar_t *followed =
        GetFileType(file) == FILE_TYPE_DISK ? follow_links(file) : NULL;
    CloseHandle(file);
    if (followed) {
        free(path);
        path = followed;
    }
    *name = path ? names_to_utf8(path) : NULL;
    const char *fault = *name ? NULL : file_reason(errno);
    wchar_t *last = path ? wcsrchr(path, L'\\') + 1 : NULL;
    if (!fault && (!*last || wcsncmp(path, L"\\\\.\\", 4) == 0))
        fault = "a regular file was expected";
    if (!fault) {
        *last = L'\0';
        *folder = file_take_handle(
            CreateFileW(path, FILE_TRAVERSE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                        NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL));
        names_set_error(path);
        if (*folder < 0)
            fault = errno == ENOENT ? "its folder is missing; make it first"
                                    : file_reason(errno);
    }
    if (fault)
        free(*name);
    free(path);
    return fault;
}

// ---------------------------------------------------------------------------
// New files

static void mark_for_removal(HANDLE file, bool removed)
{
    FILE_DISPOSITION_INFO mark = {.DeleteFile = removed};
    SetFileInformationByHandle(file, FileDispositionInfo, &mark, sizeof mark);
}

int folder_create(int folder, const char *beside,
                  const struct file_status *like, char name[FRESH_NAME_SIZE],
                  struct file_status *created)
{
    const DWORD kept =
        FILE_ATTRIBUTE_ARCHIVE | FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM |
        FILE_ATTRIBUTE_NOT_CONTENT_INDEXED | FILE_ATTRIBUTE_ENCRYPTED;
    wchar_t *path = make_name(beside, name);
    (void)folder;
    if (!path)
        return -1;
    HANDLE file =
        CreateFileW(path, GENERIC_READ | GENERIC_WRITE | DELETE | WRITE_DAC,
                    SHARE_ALL, NULL, CREATE_NEW,
                    like ? like->mode & kept : FILE_ATTRIBUTE_NORMAL, NULL);
    names_set_error(path);
    free(path);
    if (file == INVALID_HANDLE_VALUE)
        return -1;
    mark_for_removal(file, true);
    file_find_handle(file, created);
    return file_take_handle(file);
}

bool folder_find_file(int folder, const char *name, struct file_status *status)
{
    (void)folder;
    return file_find_itself(name, status);
}

bool folder_may_write(int folder, const char *name)
{
    struct file_status status;
    int file = file_take_handle(
        names_open(name, GENERIC_WRITE | DELETE, OPEN_EXISTING, 0));
    (void)folder;
    if (file < 0)
        return false;
    bool may = file_find_open(file, &status) &&
               !(status.mode & FILE_ATTRIBUTE_READONLY);
    _close(file);
    errno = EACCES;
    return may;
}

void folder_remove(int folder, const char *name, const struct file_status *file)
{
    (void)folder; // is done when the file is closed
    (void)name;
    (void)file;
}

// Has a new file get the permissions of the one that it replaces, and none of
// the folder's if that has none.
static void take_over_permissions(HANDLE file, wchar_t *old)
{
    PACL list;
    PSECURITY_DESCRIPTOR descriptor;
    SECURITY_DESCRIPTOR_CONTROL control;
    DWORD revision, what = DACL_SECURITY_INFORMATION;
    if (GetNamedSecurityInfoW(old, SE_FILE_OBJECT, what, NULL, NULL, &list,
                              NULL, &descriptor) != ERROR_SUCCESS)
        return;
    if (GetSecurityDescriptorControl(descriptor, &control, &revision) &&
        control & SE_DACL_PROTECTED)
        what |= PROTECTED_DACL_SECURITY_INFORMATION;
    SetSecurityInfo(file, SE_FILE_OBJECT, what, NULL, NULL, list, NULL);
    LocalFree(descriptor);
}

// Renames an open file.  Programs that look at each file, against viruses or to
// find words in it, have the old one open for a moment.
static bool rename_file(HANDLE file, const wchar_t *path)
{
    enum { TRIES = 20, PAUSE = 50 }; // milliseconds
    size_t length = wcslen(path) * sizeof *path;
    size_t size = sizeof(FILE_RENAME_INFO) + length;
    FILE_RENAME_INFO *asked = calloc(1, size);
    bool renamed = false;
    if (!asked)
        return false;
    asked->ReplaceIfExists = TRUE;
    asked->FileNameLength = (DWORD)length;
    memcpy(asked->FileName, path, length);
    for (int i = 0; i < TRIES && !renamed; i++) {
        if (i > 0)
            Sleep(PAUSE);
        renamed = SetFileInformationByHandle(file, FileRenameInfo, asked,
                                             (DWORD)size);
        // There was the permission before.
        if (!renamed && GetLastError() == ERROR_ACCESS_DENIED)
            SetLastError(ERROR_SHARING_VIOLATION);
        if (!renamed && GetLastError() != ERROR_SHARING_VIOLATION)
            break;
    }
    names_set_error(path);
    free(asked);
    return renamed;
}

const char *folder_rename(int folder, const char *name, int descriptor,
                          const char *lasting, int *replaced)
{
    HANDLE file = (HANDLE)_get_osfhandle(descriptor);
    wchar_t *path = names_to_wide(lasting);
    (void)folder;
    (void)name;
    if (!path)
        return file_reason(ENOMEM);
    if (replaced && *replaced >= 0) {
        _close(*replaced);
        *replaced = -1;
    }
    take_over_permissions(file, path);
    signals_hold();
    mark_for_removal(file, false);
    bool renamed = rename_file(file, path);
    if (renamed)
        FlushFileBuffers(file);
    else
        mark_for_removal(file, true);
    signals_release();
    free(path);
    return renamed ? NULL : file_reason(errno);
}

// ---------------------------------------------------------------------------
// Backups

// Makes a link or copy under a new name, and gives it the lasting one.
static bool keep(const wchar_t *path, const wchar_t *made,
                 const wchar_t *lasting)
{
    bool kept =
        (CreateHardLinkW(made, path, NULL) || CopyFileW(path, made, TRUE)) &&
        MoveFileExW(made, lasting,
                    MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
    names_set_error(lasting);
    if (!kept)
        DeleteFileW(made);
    return kept;
}

const char *folder_keep(int folder, const char *name,
                        const struct file_status *old)
{
    char fresh[FRESH_NAME_SIZE];
    struct file_status now;
    wchar_t *path = names_to_wide(name);
    wchar_t *made = make_name(name, fresh);
    wchar_t *lasting = join(name, strlen(name), "~");
    const char *fault = NULL;
    if (!path || !made || !lasting || !keep(path, made, lasting))
        fault = file_reason(errno);
    else if (!folder_find_file(folder, name, &now) ||
             !file_version_equals(old, &now))
        fault = "it has changed meanwhile";
    free(path);
    free(made);
    free(lasting);
    return fault;
}

// ---------------------------------------------------------------------------
// Folders

bool folder_list(const char *path, void (*add)(void *context, const char *name),
                 void *context)
{
    WIN32_FIND_DATAW entry;
    wchar_t *pattern = join(path, strlen(path), "\\*");
    HANDLE search =
        pattern ? FindFirstFileW(pattern, &entry) : INVALID_HANDLE_VALUE;
    names_set_error(NULL);
    free(pattern);
    if (search == INVALID_HANDLE_VALUE)
        return false;
    do {
        char *name = names_to_utf8(entry.cFileName);
        if (name)
            add(context, name);
        free(name);
    } while (FindNextFileW(search, &entry));
    FindClose(search);
    return true;
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
    names_set_error(full);
    free(full);
    return made;
}

// Removes an entry of a folder.  What is linked is not followed, as the link
// alone is removed.
static void remove_entry(void *context, const char *name)
{
    const char *folder = context;
    char path[4096];
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
        snprintf(path, sizeof path, "%s\\%s", folder, name) >= (int)sizeof path)
        return;
    wchar_t *full = names_full_path(path);
    if (full) {
        SetFileAttributesW(full, FILE_ATTRIBUTE_NORMAL);
        if (!DeleteFileW(full) && !RemoveDirectoryW(full) &&
            GetLastError() == ERROR_DIR_NOT_EMPTY) // nor a link, so
            folder_remove_all(path);
    }
    free(full);
}

bool folder_remove_all(const char *path)
{
    wchar_t *full = names_full_path(path);
    folder_list(path, remove_entry, (void *)path);
    bool removed = full && RemoveDirectoryW(full);
    names_set_error(full);
    free(full);
    return removed;
}
