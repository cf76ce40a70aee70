// SPDX-License-Identifier: GPL-2.0-or-later
//
// The plugins command: which stages there are, and which of them is loaded.

#ifndef PLUGINS_H
#define PLUGINS_H

#include "arguments.h"
#include "plugins/stage-files.h"

// `stage` is NULL: each stage is loaded when its turn comes.
enum exit_status plugins_run(const struct arguments *arguments,
                             const struct nbstage *stage);

enum plugin_status {
    PLUGIN_LOADED, // by a command that names no other
    PLUGIN_USABLE, // if it is named
    PLUGIN_HIDDEN, // usable, but only by its path
    PLUGIN_UNUSABLE,
    PLUGIN_STATUS_COUNT,
};

// A file, and what became of opening it.
struct plugin {
    const struct stage_file *file;
    enum plugin_status status;
    struct nbstage stage; // its error, if it is unusable
};

#endif
