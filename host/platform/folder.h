// SPDX-License-Identifier: GPL-2.0-or-later
//
// A temporary folder.

#ifndef FOLDER_H
#define FOLDER_H

#include <stdbool.h>

enum { FOLDER_PATH_SIZE = 4096 };

// Where temporary folders are made: TMPDIR or /tmp.
const char *folder_parent(void);

// Makes a temporary folder that nobody else can read.  Returns false with errno
// if it cannot be made.
bool folder_make(char path[FOLDER_PATH_SIZE]);

// Removes a folder with all that is in it.  Returns false with errno if it is
// still there, as when something in it cannot be removed.
bool folder_remove(const char *path);

#endif
