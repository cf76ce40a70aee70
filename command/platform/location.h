// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where stages are, in an installation that may have been moved as a whole
// since it was built.

#ifndef LOCATION_H
#define LOCATION_H

enum { LOCATION_SIZE = 4096 };

// Stores the folders to search for stages, with a colon between them: first
// PROGRAM/../../lib/nbstage, unless users other than the program's owner, its
// group and root may write there or the process is privileged; then the
// folder that was configured.
void location_of_stages(char folders[2 * LOCATION_SIZE]);

#endif
