// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the command exits.

#ifndef STATUS_H
#define STATUS_H

// Exit statuses; see blocksweep(1).
enum exit_status {
    STATUS_DONE,
    STATUS_MAP_FAILED, // a map failed, or the input is not a sound WAD
    STATUS_USAGE,
    STATUS_FILE, // a file could not be read or written, or memory ran out
};

// Returns the status of a call that failed.
#define NEED_DONE(call) \
    do { \
        const enum exit_status needed = call; \
        if (needed != STATUS_DONE) \
            return needed; \
    } while (0)

#endif
