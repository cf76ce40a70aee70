// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names in a folder where other users may write.  The functions work relative
// to an open folder, so a swapped path cannot redirect them: new files get
// unused names, and symbolic links are not followed.

#ifndef FOLDER_H
#define FOLDER_H

#include "platform/file.h"

struct place {
    int folder; // open; -1 on Windows
    char *name; // in the folder; on Windows the whole path
};

#define NO_PLACE ((struct place){.folder = -1})

// Finds the place of a path and follows a symbolic link at its end.  The file
// need not exist, but a dangling link is an error.  Returns NULL or the error;
// the place may have a name even then.  Call folder_close in any case.
const char *folder_find(const char *path, struct place *place);

void folder_close(struct place *place);

// A new file with an unused name, which is short so that it never exceeds the
// file system's limit.
enum { FRESH_NAME_SIZE = sizeof ".blocksweep.0123456789abcdef" };

struct fresh_file {
    char name[FRESH_NAME_SIZE];
    int descriptor; // to read and write; -1 if there is none
    bool lost_list; // the access list was not kept; see folder_create
    struct file_status status;
};

#define NO_FRESH_FILE ((struct fresh_file){.descriptor = -1})

// Creates a file in the same folder, with the permissions, access list, owner
// and group of the file in this place, whose status is `like`, or the defaults
// if that is NULL.  Only root can keep another user as owner.  Nobody gets more
// access than before: without the list the group gets none, and if the group
// cannot be kept, it and others get what both had.  False with errno.
bool folder_create(const struct place *beside, const struct file_status *like,
                   struct fresh_file *fresh);

// lstat() of the file in a place.  False with errno.
bool folder_find_file(const struct place *place, struct file_status *status);

// stat() of the folder.  False with errno.
bool folder_find_folder(const struct place *place, struct file_status *status);

// Whether the file may be written and replaced; false with errno.
bool folder_may_write(const struct place *place);

// Removes a new file if the name is still that file's.  Keeps errno.
// Async-signal-safe.
void folder_remove(const struct place *beside, const struct fresh_file *fresh);

// Renames a new file, which was synced, to this place.  The folder is not
// synced: after a power failure it has the old file or the new one.  Windows
// cannot replace an open file, so there this closes the file of `replaced`, if
// any, first.  Returns NULL or the error.
const char *folder_rename(const struct place *place,
                          const struct fresh_file *fresh,
                          struct file_lock *replaced);

// Keeps a file as the backup of this number or, if that is there, the next one
// that is not: as a hard link or, where the file system has none, as a copy
// with its owner, permissions, access list and times.  Replaces no file.  Fails
// if the file has changed since `old`.  Returns NULL or the error.
const char *folder_keep(const struct place *place,
                        const struct file_status *old, unsigned number,
                        bool *lost_list);

// The error if all numbers are used.
#define TOO_MANY_BACKUPS "all names from NAME~ to NAME.~999~ are taken"

// The parent of temporary folders.
const char *folder_for_temporary(void);

// Makes a folder that, on POSIX, no other user can read.  False with errno.
bool folder_make_temporary(char *path, size_t size);

// Removes a folder with all its contents.  False with errno if it remains.
bool folder_remove_all(const char *path);

#endif
