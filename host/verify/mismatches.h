// SPDX-License-Identifier: GPL-2.0-or-later
//
// The linedefs that the blocks of a present blockmap should list, or should
// not.

#ifndef FACTS_H
#define FACTS_H

#include "blockmap/open-map.h"

// A linedef that a block should list, or should not.
struct fact {
    int64_t column; // in the present grid; below 0 or too large outside of it
    int64_t row;
    uint32_t linedef;
};

enum { MOST_FACTS = 10000 };

// Facts told one by one: of all the first MOST_FACTS at most, by block.
struct fact_list {
    struct fact *fact;
    size_t count;
};

// How many times a linedef is in a block, and what of that is not as it should
// be.
struct facts {
    size_t touch_count;
    size_t missing_count; // in blocks with a list that can be read
    size_t outside_count; // in blocks that the grid does not have
    size_t extra_count;   // listed in blocks that they are not in
    size_t extra_at_worst;

    // For each linedef, in how many blocks it is missing, in the grid or not.
    size_t *missing_of;

    struct fact_list missing;
    struct fact_list outside;
    struct fact_list extra; // only if asked for
};

// Compares the lists of a map that has a truth with it; names extra linedefs,
// too, with `names_extra`.  False if memory runs out.  The facts are for
// facts_free either way.
bool facts_find(const struct inspect_map *map, bool names_extra,
                struct facts *facts);

void facts_free(struct facts *facts);

#endif
