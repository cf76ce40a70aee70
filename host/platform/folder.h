// SPDX-License-Identifier: GPL-2.0-or-later
//
// A temporary folder, for programs that may do with it as they like.

#ifndef FOLDER_H
#define FOLDER_H

#include <stdbool.h>

// Makes a folder in TMPDIR that nobody else can read, and returns its path, for
// free; NULL with errno if it cannot be made.
char *folder_make(void);

// Where temporary folders are made.
const char *folder_parent(void);

// The path of a file in a folder, for free; NULL if memory runs out.
char *folder_join(const char *folder, const char *name);

// Lets us read and write in a folder again, whatever its permissions have
// become.  False if it is not ours.
bool folder_unlock(const char *path);

// Removes a folder with all that is in it.  False with errno if it is still
// there: somebody else has put a folder of his own there, or folders are in
// each other deeper than paths can be.
bool folder_remove(const char *path);

#endif
