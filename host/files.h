// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files: read whole, and replaced in one instant.

#ifndef FILES_H
#define FILES_H

#include "message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Reads a file into memory that the caller frees.  STATUS_FILE with a message
// if it cannot be read.
enum exit_status file_read(const char *path, unsigned char **bytes,
                           size_t *size);

// A file being written that will take the place of `target`.
struct replacement {
    char *target;    // with symbolic links followed
    char *temporary; // in the same folder
    FILE *stream;
};

// Creates the temporary file.  The target need not exist; if it does, it must
// be a regular file, and its permissions and, where possible, its owner are
// taken over.  STATUS_FILE with a message on failure.
enum exit_status replacement_begin(struct replacement *replacement,
                                   const char *target);

// Brings the file to the disk and renames it over the target.  With `backup`
// the file that was there is kept under its name with "~" appended.
// STATUS_FILE with a message on failure; the target is then what it was.
// Either way the replacement is over.
enum exit_status replacement_commit(struct replacement *replacement,
                                    bool backup);

// Removes the temporary file; the target is what it was.
void replacement_abandon(struct replacement *replacement);

#endif
