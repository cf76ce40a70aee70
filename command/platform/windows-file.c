// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files are opened so that other programs can do with them what they like.  As
// Windows keeps the name of an open file taken, WADs are read from front to
// back and closed.  The lock is therefore none on the file but a mutex with a
// name made of its number.

#include "config.h"

#include "platform/windows-handles.h"

#include "base/macros.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Handles

void handle_set_error(void)
{
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
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_SHARING_VIOLATION, EBUSY},
        {ERROR_LOCK_VIOLATION, EBUSY},
        {ERROR_USER_MAPPED_FILE, EBUSY},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_BAD_EXE_FORMAT, ENOEXEC},
    };
    DWORD code = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < COUNT(errors); i++)
        if (errors[i].code == code)
            errno = errors[i].number;
}

HANDLE handle_open(const char *path, DWORD access, DWORD how, DWORD flags)
{
    HANDLE handle = CreateFileA(path, access, SHARE_ALL, NULL, how,
                                flags | FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        handle_set_error();
    return handle;
}

int handle_to_descriptor(HANDLE handle)
{
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    int descriptor = _open_osfhandle((intptr_t)handle, _O_NOINHERIT);
    if (descriptor < 0)
        CloseHandle(handle);
    return descriptor;
}

bool handle_find(HANDLE handle, struct file_status *status)
{
    BY_HANDLE_FILE_INFORMATION found;
    FILE_BASIC_INFO basic;
    *status = (struct file_status){.kind = FILE_OTHER};
    if (GetFileType(handle) != FILE_TYPE_DISK)
        return true;
    if (!GetFileInformationByHandle(handle, &found) ||
        !GetFileInformationByHandleEx(handle, FileBasicInfo, &basic,
                                      sizeof basic)) {
        handle_set_error();
        return false;
    }
    // Times are in 100 ns.
    *status = (struct file_status){
        .kind = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY
                    ? FILE_FOLDER
                    : FILE_REGULAR,
        .device = found.dwVolumeSerialNumber,
        .number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow,
        .size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow,
        .seconds = basic.LastWriteTime.QuadPart / 10000000,
        .nanoseconds = basic.LastWriteTime.QuadPart % 10000000 * 100,
        .real_seconds = basic.ChangeTime.QuadPart / 10000000,
        .real_nanoseconds = basic.ChangeTime.QuadPart % 10000000 * 100,
        .links = found.nNumberOfLinks,
        .mode = found.dwFileAttributes,
    };
    return true;
}

// ---------------------------------------------------------------------------
// Files

static bool file_find_named(const char *path, DWORD flags,
                            struct file_status *status)
{
    HANDLE handle = handle_open(path, 0, OPEN_EXISTING, flags);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    bool found = handle_find(handle, status);
    CloseHandle(handle);
    return found;
}

bool file_find(const char *path, struct file_status *status)
{
    return file_find_named(path, 0, status);
}

bool file_find_itself(const char *path, struct file_status *status)
{
    return file_find_named(path, FILE_FLAG_OPEN_REPARSE_POINT, status);
}

bool file_find_open(int descriptor, struct file_status *status)
{
    return handle_find((HANDLE)_get_osfhandle(descriptor), status);
}

bool file_is_same_name(const char *a, const char *b)
{
    wchar_t first[PATH_SIZE], second[PATH_SIZE];
    return MultiByteToWideChar(CP_UTF8, 0, a, -1, first, PATH_SIZE) > 0 &&
           MultiByteToWideChar(CP_UTF8, 0, b, -1, second, PATH_SIZE) > 0 &&
           CompareStringOrdinal(first, -1, second, -1, TRUE) == CSTR_EQUAL;
}

int file_open(const char *path)
{
    return handle_to_descriptor(
        handle_open(path, GENERIC_READ, OPEN_EXISTING, 0));
}

int file_make(const char *path)
{
    return handle_to_descriptor(
        handle_open(path, GENERIC_WRITE, CREATE_NEW, 0));
}

int file_duplicate(int descriptor)
{
    return _dup(descriptor);
}

bool file_sync(int descriptor)
{
    if (FlushFileBuffers((HANDLE)_get_osfhandle(descriptor)))
        return true;
    handle_set_error();
    return false;
}

bool file_lock_open(struct file_lock *lock, const char *path)
{
    struct file_status status;
    char name[64];
    *lock = NO_LOCK;
    lock->descriptor = file_open(path);
    if (lock->descriptor < 0 || !file_find_open(lock->descriptor, &status))
        return true;
    snprintf(name, sizeof name, "Global\\blocksweep.%016llx.%016llx",
             (unsigned long long)status.device,
             (unsigned long long)status.number);
    HANDLE mutex = CreateMutexA(NULL, FALSE, name);
    lock->mutex = (intptr_t)mutex;
    return GetLastError() != ERROR_ALREADY_EXISTS &&
           (mutex || GetLastError() != ERROR_ACCESS_DENIED);
}

void file_lock_release(struct file_lock *lock)
{
    if (lock->descriptor >= 0)
        _close(lock->descriptor);
    if (lock->mutex)
        CloseHandle((HANDLE)lock->mutex);
    *lock = NO_LOCK;
}

const char *file_reason(int error)
{
    return error == EBUSY ? "another program has it open" : strerror(error);
}

// The kit looks beside the program by itself, so nothing has been moved.
void location_of_stages(char folders[2 * LOCATION_SIZE])
{
    *folders = '\0';
}
