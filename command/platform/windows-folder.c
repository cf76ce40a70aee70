// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names in folders are whole paths.  A new file is marked for removal until it
// gets its final name, so Windows removes it however the process ends.

#include "config.h"

#define _CRT_RAND_S // for rand_s
#include <stdlib.h>

#include "platform/folder.h"

#include "platform/system.h"
#include "platform/windows-handles.h"

#include <aclapi.h>
#include <direct.h>
#include <dirent.h>
#include <errno.h>
#include <io.h>
#include <stdio.h>
#include <string.h>

const char *folder_find(const char *path, struct place *place)
{
    char full[PATH_SIZE] = "";
    DWORD length = 0;
    *place = NO_PLACE;
    // Follows symbolic links, if they lead to an existing file.
    HANDLE file = handle_open(path, 0, OPEN_EXISTING, 0);
    if (GetFileType(file) == FILE_TYPE_DISK)
        length = GetFinalPathNameByHandleA(file, full, sizeof full, 0);
    CloseHandle(file);
    if (length == 0)
        length = GetFullPathNameA(path, sizeof full, full, NULL);
    if (length == 0) {
        handle_set_error();
        return file_reason(errno);
    }
    if (length >= sizeof full)
        return strerror(ENAMETOOLONG);
    char *last = full + (file_base(full) - full);
    if (!*last || strncmp(full, "\\\\.\\", 4) == 0)
        return "a regular file was expected";
    place->name = strdup(full);
    *last = '\0';
    if (!place->name)
        return strerror(ENOMEM);
    if (GetFileAttributesA(full) != INVALID_FILE_ATTRIBUTES)
        return NULL;
    handle_set_error();
    return errno == ENOENT ? "its folder is missing; make it first"
                           : file_reason(errno);
}

void folder_close(struct place *place)
{
    free(place->name);
    *place = NO_PLACE;
}

// ---------------------------------------------------------------------------
// New files

// Stores a random name, and its path in the folder of a file.
static void folder_make_name(const char *beside, char name[FRESH_NAME_SIZE],
                             char path[PATH_SIZE])
{
    unsigned high = 0;
    unsigned low = 0;
    rand_s(&high);
    rand_s(&low);
    snprintf(name, FRESH_NAME_SIZE, ".blocksweep.%08x%08x", high, low);
    snprintf(path, PATH_SIZE, "%.*s%s", (int)(file_base(beside) - beside),
             beside, name);
}

static void folder_mark_new(HANDLE file, bool removed)
{
    FILE_DISPOSITION_INFO mark = {.DeleteFile = removed};
    SetFileInformationByHandle(file, FileDispositionInfo, &mark, sizeof mark);
}

// Copies the DACL of the old file, and whether it inherits the folder's
// entries.
static void folder_take_over_access(HANDLE file, const char *old)
{
    PACL list;
    PSECURITY_DESCRIPTOR descriptor;
    SECURITY_DESCRIPTOR_CONTROL control;
    DWORD revision, what = DACL_SECURITY_INFORMATION;
    if (GetNamedSecurityInfoA(old, SE_FILE_OBJECT, what, NULL, NULL, &list,
                              NULL, &descriptor) != ERROR_SUCCESS)
        return;
    if (GetSecurityDescriptorControl(descriptor, &control, &revision) &&
        control & SE_DACL_PROTECTED)
        what |= PROTECTED_DACL_SECURITY_INFORMATION;
    SetSecurityInfo(file, SE_FILE_OBJECT, what, NULL, NULL, list, NULL);
    LocalFree(descriptor);
}

bool folder_create(const struct place *beside, const struct file_status *like,
                   struct fresh_file *fresh)
{
    const DWORD kept =
        FILE_ATTRIBUTE_ARCHIVE | FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM |
        FILE_ATTRIBUTE_NOT_CONTENT_INDEXED | FILE_ATTRIBUTE_ENCRYPTED;
    char path[PATH_SIZE];
    *fresh = NO_FRESH_FILE;
    folder_make_name(beside->name, fresh->name, path);
    HANDLE file =
        handle_open(path, GENERIC_READ | GENERIC_WRITE | DELETE | WRITE_DAC,
                    CREATE_NEW, like ? like->mode & kept : 0);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    folder_mark_new(file, true);
    if (like)
        folder_take_over_access(file, beside->name);
    handle_find(file, &fresh->status);
    fresh->descriptor = handle_to_descriptor(file);
    return fresh->descriptor >= 0;
}

bool folder_find_file(const struct place *place, struct file_status *status)
{
    return file_find_itself(place->name, status);
}

bool folder_find_folder(const struct place *place, struct file_status *status)
{
    char folder[PATH_SIZE];
    snprintf(folder, sizeof folder, "%.*s",
             (int)(file_base(place->name) - place->name), place->name);
    return file_find(folder, status);
}

bool folder_may_write(const struct place *place)
{
    struct file_status status;
    HANDLE file =
        handle_open(place->name, GENERIC_WRITE | DELETE, OPEN_EXISTING, 0);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    bool may =
        handle_find(file, &status) && !(status.mode & FILE_ATTRIBUTE_READONLY);
    CloseHandle(file);
    errno = EACCES;
    return may;
}

void folder_remove(const struct place *beside, const struct fresh_file *fresh)
{
    (void)beside; // Windows removes the file when it is closed
    (void)fresh;
}

// Renames an open file.  Virus scanners and indexers may have the old one open
// for a moment, so this tries again.
static bool folder_rename_open(HANDLE file, const char *path)
{
    enum { TRIES = 20, PAUSE = 50 }; // milliseconds
    struct {
        FILE_RENAME_INFO info;
        wchar_t rest[PATH_SIZE];
    } asked = {.info = {.ReplaceIfExists = TRUE}};
    int length = MultiByteToWideChar(CP_UTF8, 0, path, -1, asked.info.FileName,
                                     PATH_SIZE);
    asked.info.FileNameLength = (DWORD)(length - 1) * sizeof(wchar_t);
    for (int i = 0; i < TRIES; i++) {
        if (SetFileInformationByHandle(file, FileRenameInfo, &asked,
                                       sizeof asked))
            return true;
        handle_set_error();
        if (errno == EACCES) // access was checked: a sharing violation
            errno = EBUSY;
        if (errno != EBUSY)
            return false;
        Sleep(PAUSE);
    }
    return false;
}

const char *folder_rename(const struct place *place,
                          const struct fresh_file *fresh,
                          struct file_lock *replaced)
{
    HANDLE file = (HANDLE)_get_osfhandle(fresh->descriptor);
    if (replaced && replaced->descriptor >= 0) {
        _close(replaced->descriptor);
        replaced->descriptor = -1;
    }
    system_hold_signals();
    folder_mark_new(file, false);
    bool renamed = folder_rename_open(file, place->name);
    if (renamed)
        FlushFileBuffers(file);
    else
        folder_mark_new(file, true);
    system_release_signals();
    return renamed ? NULL : file_reason(errno);
}

// Copies a file to a new one, which gets the DACL before the bytes.
static bool folder_copy(const char *from, const char *to)
{
    HANDLE file = handle_open(to, GENERIC_WRITE | WRITE_DAC, CREATE_NEW, 0);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    folder_take_over_access(file, from);
    CloseHandle(file);
    return CopyFileA(from, to, FALSE);
}

// Renames a backup to the first name that is unused.
static bool folder_number_backup(const char *made, const char *name,
                                 unsigned number)
{
    bool named = false;
    errno = EEXIST;
    for (; !named && errno == EEXIST && number <= MOST_BACKUPS; number++) {
        char *lasting = file_backup_name(name, number);
        if (!lasting)
            return false;
        named = MoveFileExA(made, lasting, MOVEFILE_WRITE_THROUGH);
        if (!named)
            handle_set_error();
        free(lasting);
    }
    return named;
}

// Makes a link or copy under a fresh name, and renames it.
const char *folder_keep(const struct place *place,
                        const struct file_status *old, unsigned number,
                        bool *lost_list)
{
    const char *name = place->name;
    char fresh[FRESH_NAME_SIZE], made[PATH_SIZE];
    struct file_status now;
    *lost_list = false;
    folder_make_name(name, fresh, made);
    bool kept = CreateHardLinkA(made, name, NULL) || folder_copy(name, made);
    if (!kept)
        handle_set_error();
    if (!kept || !folder_number_backup(made, name, number)) {
        const int reason = errno;
        DeleteFileA(made);
        return reason == EEXIST ? TOO_MANY_BACKUPS : file_reason(reason);
    }
    return folder_find_file(place, &now) && file_version_equals(old, &now)
               ? NULL
               : "it has changed meanwhile";
}

// ---------------------------------------------------------------------------
// Temporary folders

const char *folder_for_temporary(void)
{
    static char path[MAX_PATH + 1];
    return GetTempPathA(sizeof path, path) < sizeof path ? path : ".";
}

bool folder_make_temporary(char *path, size_t size)
{
    char name[FRESH_NAME_SIZE], unused[PATH_SIZE];
    folder_make_name("", name, unused);
    snprintf(path, size, "%s%s", folder_for_temporary(), name + 1); // no dot
    return _mkdir(path) == 0;
}

// Links are removed, not followed.
bool folder_remove_all(const char *path)
{
    struct dirent *entry;
    DIR *folder = opendir(path);
    while (folder && (entry = readdir(folder))) {
        char inner[PATH_SIZE];
        const char *name = entry->d_name;
        snprintf(inner, sizeof inner, "%s\\%s", path, name);
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        SetFileAttributesA(inner, FILE_ATTRIBUTE_NORMAL);
        if (!DeleteFileA(inner) && !RemoveDirectoryA(inner) &&
            GetLastError() == ERROR_DIR_NOT_EMPTY) // a real folder
            folder_remove_all(inner);
    }
    if (folder)
        closedir(folder);
    return _rmdir(path) == 0 || errno == ENOENT;
}
