// SPDX-License-Identifier: GPL-2.0-or-later
//
// What only the parts for POSIX share.

#ifndef POSIX_H
#define POSIX_H

#include "platform/folder.h"

#include <signal.h>
#include <sys/stat.h>

#ifdef __APPLE__
#define st_atim st_atimespec
#define st_mtim st_mtimespec
#endif

// Takes over what stat has found, unless it has failed; returns whether.
bool file_take_status(int failed, const struct stat *found,
                      struct file_status *status);

// Creates a hard link to what has a name, a symbolic link itself among it.
// Returns false with errno if there is none.
bool folder_link(int folder, const char *old, char name[FRESH_NAME_SIZE]);

// Whether a name still is that of a file.
bool folder_has(int folder, const char *name, const struct file_status *file);

// Whether others than its owner and root may write in a folder.  A group with
// the number of the owner is that user's own, as most systems make it.
static inline bool folder_is_open_to_others(const struct stat *folder)
{
    return folder->st_mode & S_IWOTH ||
           (folder->st_mode & S_IWGRP && folder->st_gid != folder->st_uid);
}

// The signals that were blocked before signals_hold.
const sigset_t *signals_before(void);

#endif
