// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lists of a present blockmap, held against the segs of the map.

#ifndef SEGS_H
#define SEGS_H

#include "blockmap/open-map.h"

enum segs_verdict {
    SEGS_NOT_ASKED,
    SEGS_PASS,
    SEGS_FAIL,
    SEGS_UNCHECKED, // the map has none, or they or the lists cannot be read
};

struct segs {
    enum segs_verdict verdict;
    int64_t checked; // how many pass
    char *sentence;  // unless they pass: which one does not, or why not checked
};

// Has the stage check the segs of a map.
void segs_check(struct open_file *file, const struct open_map *map,
                struct segs *segs);

void segs_free(struct segs *segs);

#endif
