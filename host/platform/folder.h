// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names in a folder where others may write, too.  Whatever they put in place of
// a name once the folder is open, nothing is changed but entries of this
// folder: what is made gets a name that nothing had, and no symbolic link is
// followed.

#ifndef FOLDER_H
#define FOLDER_H

#include "platform/file.h"

// Follows a path, and the file if that is a symbolic link, to its folder and
// its name there, or its whole path.  There need be no file, but then no link
// either.  Returns what is wrong, or NULL; *folder is to be closed unless it is
// negative, and *name to be freed, in any case.
const char *folder_find(const char *text, int *folder, char **name);

// A name that nothing had.  It is short, because a name beside it may already
// have the greatest length.
enum { FRESH_NAME_SIZE = sizeof ".blocksweep.0123456789abcdef" };

// Creates a file beside another one, with the permissions, owner and group of
// `like`, or those of new files if that is NULL, to read and write.  Only root
// can keep another user as owner.  If the group cannot be kept, the new group
// gets no more permissions than everybody has.  Returns the descriptor and
// which file it is, or -1 with errno.
int folder_create(int folder, const char *beside,
                  const struct file_status *like, char name[FRESH_NAME_SIZE],
                  struct file_status *created);

// Gets what is known of the file that has a name, and of a link itself.  False
// with errno if there is none.
bool folder_find_file(int folder, const char *name, struct file_status *status);

// Whether a file may be written and replaced; else there is errno.
bool folder_may_write(int folder, const char *name);

// Removes the name of a file unless something else has it now; errno stays.  A
// signal handler may call this.
void folder_remove(int folder, const char *name,
                   const struct file_status *file);

// Renames an open file over `lasting` and syncs the folder.  Windows cannot
// replace an open file, so there *replaced is closed first and set to -1.
// Returns what is wrong, or NULL.
const char *folder_rename(int folder, const char *name, int descriptor,
                          const char *lasting, int *replaced);

// Keeps a file as NAME~, in place of an older backup: as a hard link or, where
// the file system has none, as a copy with its owner, permissions and times.
// It must still be as `old` tells.  Returns what is wrong, or NULL.
const char *folder_keep(int folder, const char *name,
                        const struct file_status *old);

// Where temporary folders are made.
const char *folder_for_temporary(void);

// Makes a folder that, on POSIX, nobody else can read; false with errno.
bool folder_make_temporary(char *path, size_t size);

// Removes a folder with all that is in it.  False with errno if it is still
// there, as when something in it cannot be removed.
bool folder_remove_all(const char *path);

#endif
