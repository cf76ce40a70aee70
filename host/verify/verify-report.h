// SPDX-License-Identifier: GPL-2.0-or-later
//
// What verify has to tell, map by map: a table with what was found below each
// map, or JSON.  With --quiet nothing, but JSON all the same.

#ifndef VERIFY_REPORT_H
#define VERIFY_REPORT_H

#include "verify/verify.h"

// Over all maps of all files.
struct verify_total {
    size_t files; // begun
    size_t maps;
    size_t count[VERIFY_STATUS_COUNT]; // of maps
    size_t rejected;                   // maps for which the command fails
    size_t linedefs;
    size_t bytes;
    size_t entries;
    size_t missing; // outside the grid or in it
    size_t extra;
};

// Begins a file, and with the first one the report.
void verify_report_file(const struct arguments *arguments,
                        const struct nbstage_descriptor *stage,
                        const char *path, struct verify_total *total);

// Tells of a map and adds it to the total.
void verify_report_map(const struct arguments *arguments,
                       const struct verify_map *found,
                       struct verify_total *total);

// `read`: whether the file was, to its last map.
void verify_report_file_end(const struct arguments *arguments, bool read);

void verify_report_end(const struct arguments *arguments,
                       const struct verify_total *total);

#endif
