// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether the file of a stage can be loaded at all: a system's loader may crash
// with one that is damaged or cut off.

#ifndef PLUGIN_FILE_H
#define PLUGIN_FILE_H

#include "nbstage-host.h"

#include <stdbool.h>

// Looks for a stage as nbstage_find does, and loads it in a copy of the
// process. False with a sentence in stage->error if the file is damaged or cut
// off; what else may be wrong nbstage_find says.  A stage is trusted code all
// the same.
bool plugin_file_check(struct nbstage *stage, const char *name,
                       const char *folders, const char *lump_name);

#endif
