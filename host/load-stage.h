// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds a stage and loads it, as every host with the host kit does, and makes
// the instances that build.

#ifndef LOADER_H
#define LOADER_H

#include "message.h"
#include "nbstage-host.h"

struct arguments;

// Loads the stage `name`: a path if it has a slash in it, else the name of a
// module, with or without ".so", that is looked for in the folders of
// NBSTAGE_PLUGIN_PATH (separated by colons) and in the installed folder.
// STATUS_USAGE with a message if there is none, or it is not a stage that
// makes BLOCKMAP.  The stage is for nbstage_close either way.
enum exit_status stage_load(const char *name, struct nbstage *stage);

// The same without a message; false on failure.
bool stage_open(const char *name, struct nbstage *stage);

// Makes an instance of a loaded stage, with the options of a command line.  It
// is for nbstage_close either way: before the stage, and before what
// host->context points to is gone.
enum exit_status stage_create(const struct nbstage *stage,
                              const struct nbstage_host *host,
                              const struct arguments *arguments,
                              struct nbstage *instance);

#endif
