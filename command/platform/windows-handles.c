// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/windows-handles.h"

#include "base/macros.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
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
        .inode = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow,
        .size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow,
        .seconds = basic.LastWriteTime.QuadPart / 10000000,
        .nanoseconds = basic.LastWriteTime.QuadPart % 10000000 * 100,
        .ctime_seconds = basic.ChangeTime.QuadPart / 10000000,
        .ctime_nanoseconds = basic.ChangeTime.QuadPart % 10000000 * 100,
        .links = found.nNumberOfLinks,
        .mode = found.dwFileAttributes,
    };
    return true;
}
