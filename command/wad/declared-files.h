// SPDX-License-Identifier: GPL-2.0-or-later
//
// The files of a command.  It declares all that it reads and writes before it
// writes any, so that no output or backup replaces another file of the command.

#ifndef DECLARED_FILES_H
#define DECLARED_FILES_H

#include "common/message.h"
#include "platform/file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct declared_file {
    const char *what, *shown; // as messages call it: "input", "in.wad"
    const char *path;         // "-" if it is read from standard input
    bool is_backup;           // of what has this path, beside it

    // What to type instead, if it is written; else NULL.  An output may replace
    // the input of its job, but the backup may not.
    const char *advice;
    size_t job;

    // Found by declared_add: the file or, if there is none, the name that it
    // would have in a folder.
    bool is_known;
    struct file_status found;
    char *name;
};

struct declared_files {
    struct declared_file *file; // {0} before the first
    size_t count;
};

// Adds a file, with texts that stay, unless it is written to standard output.
// STATUS_USAGE with a message if it, or one that was added before, is written,
// and both are the same; STATUS_FILE without one if memory runs out.
enum exit_status declared_add(struct declared_files *files,
                              struct declared_file file);

// The same for standard output, after all others: it may be a file.
enum exit_status declared_add_standard_output(struct declared_files *files);

void declared_free(struct declared_files *files);

#endif
