// SPDX-License-Identifier: GPL-2.0-or-later
//
// What plugins has to tell: a table, or JSON.

#ifndef PLUGINS_REPORT_H
#define PLUGINS_REPORT_H

#include "plugins/plugins.h"

struct plugin_total {
    size_t count[PLUGIN_STATUS_COUNT];
};

// All of these print the table or JSON, as the command line asks for, or with
// --quiet nothing.  blocksweep(1) has both.
void plugins_report_begin(const struct arguments *arguments,
                          const struct stage_files *found);

// Tells of a file, before it is opened: what is printed has then left the
// command, whatever the stage does to it.
void plugins_report_path(const struct arguments *arguments,
                         const struct stage_file *file);

// Tells what became of opening it, and counts it.
void plugins_report_stage(const struct arguments *arguments,
                          const struct plugin *plugin,
                          struct plugin_total *total);

void plugins_report_end(const struct arguments *arguments,
                        const struct stage_files *found,
                        const struct plugin_total *total);

#endif
