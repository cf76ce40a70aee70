// SPDX-License-Identifier: GPL-2.0-or-later
//
// The files of a command.  It declares all inputs and outputs before it writes
// any, so that no output or backup replaces another file of the command.

#ifndef DECLARED_FILES_H
#define DECLARED_FILES_H

#include "platform/file.h"
#include "platform/status.h"

#include <stdbool.h>
#include <stddef.h>

struct declared_file {
    const char *what, *shown; // in messages: "input", "in.wad"
    const char *path;         // "-": standard input; NULL: standard output
    bool is_backup;           // the backup that `path` would get

    // Advice for messages if the file is written, else NULL.  An output may
    // replace the input of its job, but a backup may not.
    const char *advice;
    size_t job;

    // From declared_add: the file or, if it does not exist, its folder and its
    // name there.
    bool is_known;
    struct file_status found;
    char *name;
};

struct declared_files {
    struct declared_file *file; // NULL before the first
    size_t count;
};

// Adds a file, unless it is written to standard output.  Its strings must
// outlive the list.  STATUS_USAGE with a message if two declared files are the
// same and one is written; STATUS_FILE without a message if memory runs out.
enum exit_status declared_add(struct declared_files *files,
                              struct declared_file file);

// Adds standard output, after all others: it may be a file.
enum exit_status declared_add_standard_output(struct declared_files *files);

void declared_free(struct declared_files *files);

#endif
