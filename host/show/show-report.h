// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the show command prints.

#ifndef SHOW_REPORT_H
#define SHOW_REPORT_H

#include "show/show.h"

// The summary of a map, or the block that was asked for, on standard output.
void show_report_map(const struct show_map *shown);

// The same as JSON, map by map between a beginning and an end.  blocksweep(1)
// has the schema.
void show_report_begin_json(const struct nbstage_descriptor *stage,
                            const char *path);
void show_report_map_json(const struct show_map *shown);
void show_report_end_json(void);

#endif
