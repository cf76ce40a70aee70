// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds out who makes such a lump: compares its lists with those that the stage
// makes as other builders do.

#ifndef MAKERS_H
#define MAKERS_H

#include "blockmap/open-map.h"

enum maker_match {
    MAKER_NOT_ASKED,
    MAKER_UNKNOWN, // the stage makes none of this map; why, is its sentence
    MAKER_DIFFERS, // another grid, or other lists
    MAKER_LISTS,   // the same linedefs in the same order, stored otherwise
    MAKER_WORDS,   // the same to the last word
};

struct maker_verdict {
    const struct nbstage_choice *maker; // of the option lists
    enum maker_match match;
    bool has_grid;  // MAKER_DIFFERS: whether the grid is the same
    size_t block;   // if so, the first whose list differs
    char *sentence; // MAKER_UNKNOWN
};

// The maker that --lists names; NULL if it names none.
const struct nbstage_choice *maker_asked(const struct open_file *file);

// Compares the present lump of a map with what a maker makes.
struct maker_verdict maker_judge(struct open_file *file,
                                 const struct open_map *map,
                                 const struct nbstage_choice *maker);

enum { MOST_MAKERS = 8 };

// Finds the makers whose lists the present lump has; returns how many.
size_t makers_find(struct open_file *file, const struct open_map *map,
                   const struct nbstage_choice *makers[MOST_MAKERS]);

#endif
