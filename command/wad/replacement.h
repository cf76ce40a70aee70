// SPDX-License-Identifier: GPL-2.0-or-later
//
// Replacing a file safely.  The new file is written in the same folder under a
// temporary name, synced, and renamed over the old one, so that a crash, a full
// disk or a signal never leaves a half-written file.
//
// A file that is read and then replaced is locked in between.

#ifndef REPLACE_FILE_H
#define REPLACE_FILE_H

#include "platform/file.h"
#include "platform/folder.h"
#include "platform/status.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stdint.h>

// Reads the first bytes of a file, which may be compressed.  Returns how many,
// or -1 if it cannot be read.
int file_read_start(const char *path, void *bytes, unsigned size);

// Locks `input` if `target` is the same file.  STATUS_FILE with a message if
// another process has the lock.
enum exit_status file_lock_take(struct file_lock *lock, const char *input,
                                const char *target);

// A file being written that will replace `target`.
struct replacement {
    const char *target; // as messages name it
    struct place place; // with symbolic links followed
    struct fresh_file temporary;
    struct output output;   // to that
    struct file_lock *lock; // on the target, or NULL
    bool is_new;            // whether there was no target
};

// Creates the temporary file, compressed or plain.  The target need not exist.
// If it does, it must be a regular file, and the new one gets its permissions
// and, where possible, its owner.  With a lock, which may be NULL, nothing but
// the file that was locked, unchanged, is replaced.  `target` and `lock` are to
// stay until the end.  A target that is standard output is written at once and
// replaces nothing.  With `is_new` there must not be a target, and without a
// target none that comes later is replaced.  STATUS_FILE with a message on
// failure.
enum exit_status replacement_begin(struct replacement *replacement,
                                   const char *target, bool compressed,
                                   bool is_new, struct file_lock *lock);

#define NO_REPLACEMENT \
    ((struct replacement){.place = NO_PLACE, .temporary = NO_FRESH_FILE})

// Finds out whether a backup can be made, before there is any work to lose.
// STATUS_FILE with a message if not.
enum exit_status
replacement_check_backup(const struct replacement *replacement);

// Finds the file NAME~ that is beside a file NAME, or a link of that name;
// false with errno if there is none.
bool backup_find(const struct place *place, struct file_status *status);

// Syncs the file and renames it over the target.  `backup` keeps the old file
// under its name with "~" appended.  On failure the target stays as it was:
// STATUS_FILE with a message.  The replacement is over either way.
enum exit_status replacement_commit(struct replacement *replacement,
                                    bool backup);

// Removes a temporary file that there is, for a process that ends at once.
void replacement_remove_unfinished(void);

// Removes the temporary file; the target stays as it was.  Nothing is left to
// be done if the replacement is over, or has not begun.
void replacement_abandon(struct replacement *replacement);

#endif
