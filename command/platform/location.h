// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where stages are, in an installation that may have been moved as a whole
// since it was built.

#ifndef LOCATION_H
#define LOCATION_H

#include <stdbool.h>

// What NBSTAGE_PLUGIN_PATH was.
struct location_before {
    char *list; // NULL: it was not set
    bool is_changed;
};

// Adds PROGRAM/../../lib/nbstage to NBSTAGE_PLUGIN_PATH, unless users other
// than the program's owner, its group and root may write there.  The kit
// searches the folder that was configured after it, and no variable in a set-ID
// program.  location_restore_stages undoes it, so that a node builder that the
// command starts does not inherit the folder.
struct location_before location_add_stages(void);
void location_restore_stages(struct location_before before);

#endif
