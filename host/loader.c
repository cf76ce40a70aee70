// SPDX-License-Identifier: GPL-2.0-or-later
//
// The host kit opens the stage and says what is wrong with it; each command
// makes instances of its own.

#include "config.h"

#include "loader.h"

enum exit_status stage_load(const char *name, struct stage *stage)
{
    *stage = (struct stage){0};
    if (nbstage_open(&stage->loaded, name, PLUGINDIR, "BLOCKMAP")) {
        stage->descriptor = stage->loaded.descriptor;
        return STATUS_DONE;
    }
    message_print("%s", stage->loaded.error);
    return STATUS_USAGE;
}

void stage_unload(struct stage *stage)
{
    nbstage_close(&stage->loaded);
    *stage = (struct stage){0};
}
