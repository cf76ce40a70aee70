// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names in a folder where others may write, too.  Whatever they put in place of
// a name once the folder is open, nothing is changed but entries of this
// folder: what is made gets a name that nothing had, and no symbolic link is
// followed.

#ifndef FOLDER_H
#define FOLDER_H

#include "platform/file.h"

struct place {
    int folder; // open; -1 on Windows
    char *name; // in the folder; on Windows the whole path
};

#define NO_PLACE ((struct place){.folder = -1})

// Follows a path, and the file if that is a symbolic link, to its place.  There
// need be no file, but then no link either.  Returns what is wrong, or NULL;
// call folder_close in any case.  A place with a name may have been found even
// if something is wrong.
const char *folder_find(const char *path, struct place *place);

void folder_close(struct place *place);

// A file with a name that nothing had.  It is short, because a name beside it
// may already have the greatest length.
enum { FRESH_NAME_SIZE = sizeof ".blocksweep.0123456789abcdef" };

struct fresh_file {
    char name[FRESH_NAME_SIZE];
    int descriptor; // to read and write; -1 if there is none
    struct file_status status;
};

#define NO_FRESH_FILE ((struct fresh_file){.descriptor = -1})

// Creates a file in the same folder, with the permissions, owner and group of
// `like`, or those of new files if that is NULL.  Only root can keep another
// user as owner.  If the group cannot be kept, the new group gets no more
// permissions than everybody has.  False with errno if it cannot.
bool folder_create(const struct place *beside, const struct file_status *like,
                   struct fresh_file *fresh);

// Gets what is known of the file in a place, and of a link itself.  False with
// errno if there is none.
bool folder_find_file(const struct place *place, struct file_status *status);

// The same of the folder.
bool folder_find_folder(const struct place *place, struct file_status *status);

// Whether a file may be written and replaced; else there is errno.
bool folder_may_write(const struct place *place);

// Removes the name of a file unless something else has it now; errno stays.  A
// signal handler may call this.
void folder_remove(const struct place *beside, const struct fresh_file *fresh);

// Renames a file to this place and syncs the folder.  Windows cannot replace an
// open file, so there the one that `replaced` has open, if any, is closed
// first.  Returns what is wrong, or NULL.
const char *folder_rename(const struct place *place,
                          const struct fresh_file *fresh,
                          struct file_lock *replaced);

// Keeps a file as NAME~, in place of an older backup: as a hard link or, where
// the file system has none, as a copy with its owner, permissions and times.
// It must still be as `old` tells.  Returns what is wrong, or NULL.
const char *folder_keep(const struct place *place,
                        const struct file_status *old);

// Where temporary folders are made.
const char *folder_for_temporary(void);

// Makes a folder that, on POSIX, nobody else can read; false with errno.
bool folder_make_temporary(char *path, size_t size);

// Removes a folder with all that is in it.  False with errno if it is still
// there, as when something in it cannot be removed.
bool folder_remove_all(const char *path);

#endif
