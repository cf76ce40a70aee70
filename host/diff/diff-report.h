// SPDX-License-Identifier: GPL-2.0-or-later
//
// What diff has to tell, map by map: a table with what was found below each
// map, or JSON.  With --quiet nothing, but JSON all the same.

#ifndef DIFF_REPORT_H
#define DIFF_REPORT_H

#include "diff/diff.h"

// Over all maps.
struct diff_total {
    size_t maps;
    size_t count[DIFF_STATUS_COUNT]; // of maps
    size_t blocks;
    size_t differing_blocks;
    size_t reordered_blocks;
    size_t only_old;
    size_t only_new;
};

void diff_report_begin(const struct arguments *arguments,
                       const struct nbstage_descriptor *stage);

// Tells of a map and adds it to the total.
void diff_report_map(const struct arguments *arguments,
                     const struct diff_map *found, struct diff_total *total);

void diff_report_end(const struct arguments *arguments,
                     const struct diff_total *total);

// Whether any map is neither identical nor the same.
bool diff_is_any_different(const struct diff_total *total);

#endif
