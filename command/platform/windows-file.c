// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files are opened with all sharing modes.  The name of an open file stays
// taken on Windows, so WADs are read from front to back and closed.  The lock
// is therefore a mutex named after the file's volume and ID.

#include "config.h"

#include "platform/file.h"

#include "platform/windows-handles.h"

#include <errno.h>
#include <io.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

// Without these two, files are read whole.
bool file_read_at(int descriptor, void *bytes, size_t size, uint64_t position)
{
    (void)descriptor, (void)bytes, (void)size, (void)position;
    errno = ENOSYS;
    return false;
}

const unsigned char *file_map(int descriptor, size_t size)
{
    (void)descriptor, (void)size;
    return NULL;
}

void file_unmap(const unsigned char *bytes, size_t size)
{
    (void)bytes, (void)size;
}

bool file_write(int descriptor, const struct file_piece *pieces, size_t count)
{
    enum { AT_ONCE = 1 << 20 };
    for (size_t i = 0; i < count; i++)
        for (size_t done = 0; done < pieces[i].size;) {
            const size_t left = pieces[i].size - done;
            const int written =
                _write(descriptor, pieces[i].bytes + done,
                       (unsigned)(left < AT_ONCE ? left : AT_ONCE));
            if (written < 0)
                return false;
            done += (size_t)written;
        }
    return true;
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
             (unsigned long long)status.inode);
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
