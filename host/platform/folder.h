// SPDX-License-Identifier: GPL-2.0-or-later
//
// A temporary folder.

#ifndef FOLDER_H
#define FOLDER_H

#include <stdbool.h>

// Where temporary folders are made: TMPDIR or /tmp.
const char *folder_parent(void);

// Makes a temporary folder that nobody else can read.  Returns its path, to be
// freed; NULL with errno if it cannot be made.
char *folder_make(void);

// The path of a file in a folder, to be freed; NULL if memory runs out.
char *folder_join(const char *folder, const char *name);

// Removes a folder with all that is in it.  Returns false with errno if it is
// still there, as when something in it cannot be removed.
bool folder_remove(const char *path);

#endif
