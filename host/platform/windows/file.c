// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files are opened so that other programs can do with them what they like.  As
// Windows keeps the name of an open file taken, WADs are read from front to
// back and closed.  The lock is therefore none on the file but a mutex with a
// name made of its number.

#include "config.h"

#include "platform/windows/names.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

bool file_find_handle(HANDLE handle, struct file_status *status)
{
    BY_HANDLE_FILE_INFORMATION found;
    *status = (struct file_status){.kind = FILE_OTHER};
    if (GetFileType(handle) != FILE_TYPE_DISK)
        return true;
    if (!GetFileInformationByHandle(handle, &found)) {
        names_set_error(NULL);
        return false;
    }
    uint64_t time = (uint64_t)found.ftLastWriteTime.dwHighDateTime << 32 |
                    found.ftLastWriteTime.dwLowDateTime; // in 100 ns
    *status = (struct file_status){
        .kind = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY
                    ? FILE_FOLDER
                    : FILE_REGULAR,
        .device = found.dwVolumeSerialNumber,
        .number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow,
        .size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow,
        .seconds = (int64_t)(time / 10000000),
        .nanoseconds = (int64_t)(time % 10000000 * 100),
        .mode = found.dwFileAttributes,
    };
    return true;
}

static bool find_handle_once(HANDLE handle, struct file_status *status)
{
    bool found = handle != INVALID_HANDLE_VALUE;
    if (found) {
        found = file_find_handle(handle, status);
        CloseHandle(handle);
    }
    return found;
}

bool file_find(const char *path, struct file_status *status)
{
    return find_handle_once(names_open(path, 0, OPEN_EXISTING, 0), status);
}

bool file_find_itself(const char *path, struct file_status *status)
{
    return find_handle_once(
        names_open(path, 0, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT),
        status);
}

bool file_find_open(int descriptor, struct file_status *status)
{
    return file_find_handle((HANDLE)_get_osfhandle(descriptor), status);
}

int file_take_handle(HANDLE handle)
{
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    int descriptor = _open_osfhandle((intptr_t)handle, _O_NOINHERIT);
    if (descriptor < 0)
        CloseHandle(handle);
    return descriptor;
}

int file_open(const char *path)
{
    return file_take_handle(names_open(path, GENERIC_READ, OPEN_EXISTING, 0));
}

int file_make(const char *path)
{
    return file_take_handle(names_open(path, GENERIC_WRITE, CREATE_NEW, 0));
}

int file_duplicate(int descriptor)
{
    HANDLE copy;
    HANDLE self = GetCurrentProcess();
    if (DuplicateHandle(self, (HANDLE)_get_osfhandle(descriptor), self, &copy,
                        0, FALSE, DUPLICATE_SAME_ACCESS))
        return file_take_handle(copy);
    names_set_error(NULL);
    return -1;
}

bool file_read_at(int descriptor, uint64_t position, void *bytes, size_t size)
{
    (void)descriptor;
    (void)position;
    (void)bytes;
    (void)size;
    errno = ENOTSUP;
    return false;
}

bool file_sync(int descriptor)
{
    if (FlushFileBuffers((HANDLE)_get_osfhandle(descriptor)))
        return true;
    names_set_error(NULL);
    return false;
}

// ---------------------------------------------------------------------------
// The lock

static HANDLE lock;

int file_open_locked(const char *path, bool *is_taken)
{
    struct file_status status;
    wchar_t name[64];
    int descriptor = file_open(path);
    *is_taken = false;
    if (descriptor >= 0 && file_find_open(descriptor, &status)) {
        swprintf(name, sizeof name / sizeof *name,
                 L"Global\\blocksweep.%016llx.%016llx",
                 (unsigned long long)status.device,
                 (unsigned long long)status.number);
        lock = CreateMutexW(NULL, FALSE, name);
        *is_taken = GetLastError() == ERROR_ALREADY_EXISTS ||
                    (!lock && GetLastError() == ERROR_ACCESS_DENIED);
    }
    return descriptor;
}

void file_unlock(int descriptor)
{
    if (descriptor >= 0)
        _close(descriptor);
    if (lock)
        CloseHandle(lock);
    lock = NULL;
}

// ---------------------------------------------------------------------------
// Names

const char *file_base(const char *path)
{
    const char *base = path;
    for (; *path; path++)
        if (strchr("/\\:", *path))
            base = path + 1;
    return base;
}
