// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes the instances that build, with the options of a command line.
//
// kit/nbstage-host.c looks for stages: in the folders of the environment
// variable NBSTAGE_PLUGIN_PATH, then in those that are given.

#ifndef INSTANCE_H
#define INSTANCE_H

#include "message.h"
#include "nbstage-host.h"
#include "options.h"

// The stage that is loaded if none is named.
#define DEFAULT_STAGE "blocksweep"

// Loads the stage `name`: a path if it has a slash in it, else the name of a
// file, with or without ".so", in one of the folders; NULL for DEFAULT_STAGE.
// STATUS_USAGE with a message if there is none, or it is not a stage that makes
// BLOCKMAP.  The stage is for nbstage_close either way.
enum exit_status stage_load(const char *name, const char *folders,
                            struct nbstage *stage);

// The same without a message; false on failure.
bool stage_open(const char *name, const char *folders, struct nbstage *stage);

// Makes an instance of a loaded stage, with the options of a command line.  It
// is for nbstage_close either way: before the stage is closed, and before what
// host->context points to is gone.
enum exit_status stage_create(const struct nbstage *stage,
                              const struct nbstage_host *host,
                              const struct arguments *arguments,
                              struct nbstage *instance);

// The stage's sentence about its last call, which ended with this status; one
// of our own, valid until the next, if the stage has none.
const char *stage_find_error(struct nbstage *instance, nbstage_status status);

// The option of this name; NULL if the stage has none.
const struct nbstage_option *
stage_find_option(const struct nbstage_descriptor *stage, const char *name);

// The BLOCKMAP of a result; NULL if there is none.
const struct nbstage_lump *
stage_find_blockmap(const struct nbstage_result *result);

// The fact of this name; NULL if there is none.
const struct nbstage_fact *stage_find_fact(const struct nbstage_result *result,
                                           const char *name);

#endif
