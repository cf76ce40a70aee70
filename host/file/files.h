// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files: read whole, and replaced in one instant.  Files compressed with gzip
// are read and written as what is in them.

#ifndef FILES_H
#define FILES_H

#include "message.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <zlib.h>

enum { FILE_FLAW_SIZE = 160 }; // room for what is wrong with a file

// Reads a file of at most `limit` bytes into memory that the caller frees.
// *compressed tells whether it was.  STATUS_FILE with a message if it cannot
// be read or changes meanwhile, STATUS_MAP_FAILED if it is damaged or too
// large.
enum exit_status file_read(const char *path, size_t limit,
                           unsigned char **bytes, size_t *size,
                           bool *compressed);

// The same of an open file, which is closed.  The message is left to the
// caller, as a sentence about the file, but for STATUS_FILE with none if memory
// runs out.
enum exit_status file_read_open(int descriptor, size_t limit,
                                unsigned char **bytes, size_t *size,
                                bool *compressed, char *flaw, size_t flaw_size);

// Whether two looks at files or folders have met the same one.
bool file_is_same(const struct stat *a, const struct stat *b);

// Whether two looks at files have met the same one with the same bytes, as far
// as its size and the time of its last change tell.
bool file_version_equals(const struct stat *a, const struct stat *b);

// Whether a path ends in ".gz", or the like.
bool file_name_ends(const char *path, const char *ending);

// Whether there is a regular file, which can be read without waiting for
// anybody.
bool file_is_regular(const char *path);

// A file being written that will take the place of `target`.
struct replacement {
    char *target;    // with symbolic links followed
    char *temporary; // in the same folder
    gzFile stream;
    int descriptor; // of the same file, to sync it

    // What the target has to be still when it is replaced; NULL, as it is at
    // the beginning, if that does not matter.
    const struct stat *expected;
};

// Creates the temporary file, compressed or plain.  The target need not exist;
// if it does, it must be a regular file, and its permissions and, where
// possible, its owner are taken over.  STATUS_FILE with a message on failure.
enum exit_status replacement_begin(struct replacement *replacement,
                                   const char *target, bool compressed);

// Brings the file to the disk and renames it over the target.  With `backup`
// the file that was there is kept under its name with "~" appended.
// STATUS_FILE with a message on failure; the target is then what it was.
// Either way the replacement is over.
enum exit_status replacement_commit(struct replacement *replacement,
                                    bool backup);

// Removes the temporary file; the target is what it was.
void replacement_abandon(struct replacement *replacement);

#endif
