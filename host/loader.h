// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds a stage and loads it, as every host with the host kit does.

#ifndef LOADER_H
#define LOADER_H

#include "message.h"
#include "nbstage-host.h"

struct stage {
    struct nbstage loaded;
    const struct nbstage_descriptor *descriptor;
};

// Loads the stage `name`: a path if it has a slash in it, else the name of a
// module, with or without ".so", that is looked for in the folders of
// NBSTAGE_PLUGIN_PATH (separated by colons) and in the installed folder.
// STATUS_USAGE with a message if there is none, or it is not a stage that
// makes BLOCKMAP.
enum exit_status stage_load(const char *name, struct stage *stage);

void stage_unload(struct stage *stage);

#endif
