// SPDX-License-Identifier: GPL-2.0-or-later
//
// Keeping what a file was.

#ifndef BACKUP_H
#define BACKUP_H

#include <sys/stat.h>

// Keeps a file of an open folder as NAME~, in place of an older backup: as a
// hard link or, where the file system has none, as a copy with its owner,
// permissions and times.  It must still be as `old` tells.  Returns what is
// wrong, or NULL.
const char *backup_make(int folder, const char *name, const struct stat *old);

#endif
