// SPDX-License-Identifier: GPL-2.0-or-later
//
// A claim to a file that is read and then replaced: while one process works on
// it, another is told so instead of undoing what the first does.

#ifndef LOCK_H
#define LOCK_H

#include "message.h"

#include <sys/stat.h>

struct lock {
    int descriptor;      // of the file, locked; -1 if nothing is claimed
    struct stat version; // what the file was when it was claimed
};

#define LOCK_NONE ((struct lock){.descriptor = -1})

// Claims `input` if `target` is the same file; nothing is claimed if it is
// another or there is none.  STATUS_FILE with a message if another process has
// the claim.
enum exit_status lock_take(struct lock *lock, const char *input,
                           const char *target);

// What the target has to be when it is replaced; NULL if nothing is claimed.
const struct stat *lock_version(const struct lock *lock);

void lock_release(struct lock *lock);

#endif
