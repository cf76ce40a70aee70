// SPDX-License-Identifier: GPL-2.0-or-later
//
// Processes that a program leaves behind, whatever group or session they went
// to.  On Linux such processes can be made to become children of ours;
// elsewhere there are none to be found, and nothing happens here.

#ifndef ORPHANS_H
#define ORPHANS_H

#include <stddef.h>
#include <sys/types.h>

struct orphans {
    pid_t *others; // children that we have had before
    size_t other_count;
};

// From now on they become ours.  Returns 0, or an error number.
int orphans_adopt(struct orphans *orphans);

// Kills all children but those that there were before, those whose parents are
// killed by that among them, until none is left or one does not go.
void orphans_kill(const struct orphans *orphans);

// What is left behind from now on is not ours any more.
void orphans_release(struct orphans *orphans);

#endif
