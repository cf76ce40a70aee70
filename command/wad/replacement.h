// SPDX-License-Identifier: GPL-2.0-or-later
//
// Replaces a file safely.  The new file is written in the same folder under a
// temporary name, synced, and renamed over the old one, so that a crash, a full
// disk or a signal never leaves a half-written file.  One sync does: whether a
// power failure meets the folder before or after the rename, its file is whole.
//
// An input that is replaced stays locked from reading to replacing.

#ifndef REPLACEMENT_H
#define REPLACEMENT_H

#include "platform/file.h"
#include "platform/folder.h"
#include "platform/status.h"
#include "wad/output.h"

#include <stdbool.h>

// Locks `input` if `target` is the same file.  STATUS_FILE with a message if
// another process has the lock.
enum exit_status replacement_lock(struct file_lock *lock, const char *input,
                                  const char *target);

// A file being written that will replace `target`.
struct replacement {
    const char *target; // path
    struct place place; // with symbolic links followed
    struct fresh_file temporary;
    struct output output;   // to the temporary file
    struct file_lock *lock; // on the target, or NULL
    bool is_new;            // there was no target
    bool backup_lost_list;  // the backup is a copy that lost its access list
};

// Creates the temporary file, compressed or plain.  The target need not exist.
// If it does, it must be a regular file, and the new one gets its permissions
// and, where possible, its owner.  With a lock, which may be NULL, only the
// locked, unchanged file is replaced.  With `is_new`, fails if the target
// exists; a target that another program creates meanwhile is never replaced.
// Standard output as the target is written directly.  `target` and `lock` must
// outlive the replacement.  STATUS_FILE with a message on failure.
enum exit_status replacement_begin(struct replacement *replacement,
                                   const char *target, bool compressed,
                                   bool is_new, struct file_lock *lock);

#define NO_REPLACEMENT \
    ((struct replacement){.place = NO_PLACE, .temporary = NO_FRESH_FILE})

// Checks that a backup is possible, before any work is done.  STATUS_FILE with
// a message if not.
enum exit_status
replacement_check_backup(const struct replacement *replacement);

// The name that a file's backup would get now, to be freed: the first of NAME~,
// NAME.~2~, NAME.~3~ that is unused.  NULL with errno, EEXIST if all are taken.
char *replacement_find_backup(const struct place *place);

// Syncs the file and renames it over the target.  `backup` keeps the old file
// as NAME~ or, if that is there, NAME.~2~ and so on.  Prints a message if an
// access list was lost.  On failure the target is unchanged: STATUS_FILE with a
// message.  Ends the replacement either way.
enum exit_status replacement_commit(struct replacement *replacement,
                                    bool backup);

// Removes the temporary file, if any, before the process exits.
void replacement_remove_unfinished(void);

// Removes the temporary file; the target is unchanged.  Does nothing if the
// replacement is over or has not begun.
void replacement_abandon(struct replacement *replacement);

#endif
