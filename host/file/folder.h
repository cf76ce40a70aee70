// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names in a folder where others may write, too.  Whatever they put in place of
// a name, nothing is changed but entries of this folder: it is open, what is
// made gets a name that nothing had, and no symbolic link there is followed.

#ifndef FOLDER_H
#define FOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

// Whether two calls of stat found the same file or folder.
bool file_is_same(const struct stat *a, const struct stat *b);

// The same, with the same size and time of change.
bool file_version_equals(const struct stat *a, const struct stat *b);

// Follows a path, which need not exist, to the folder of its file and the name
// there; *folder is to be closed, *name to be freed.  Links that another user
// can have put there are followed only into folders of that user, who may write
// there anyway, and none where several users may put links.  Returns what is
// wrong, or NULL.
const char *folder_find(const char *text, int *folder, char **name);

// A name that nothing had.  It is short, because a name beside it may already
// have the greatest length.
enum { FRESH_NAME_SIZE = sizeof ".blocksweep.0123456789abcdef" };

// Creates a file with the permissions, owner and group of `like`, or those of
// new files if that is NULL, to read and write.  Only root can keep another
// user as owner.  If the group cannot be kept, the new group gets no more
// permissions than everybody has.  Returns the descriptor and which file it is,
// or -1 with errno.
int folder_create(int folder, const struct stat *like,
                  char name[FRESH_NAME_SIZE], struct stat *created);

// Creates a hard link to what has a name, a symbolic link itself among it.
// Returns false with errno if there is none.
bool folder_link(int folder, const char *old, char name[FRESH_NAME_SIZE]);

// Whether a name still is that of a file.
bool folder_has(int folder, const char *name, const struct stat *file);

// Removes the name of a file unless something else has it now; errno stays.  A
// signal handler may call this.
void folder_remove(int folder, const char *name, const struct stat *file);

#endif
