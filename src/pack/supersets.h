// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the lists that have all linedefs of another list and more.

#ifndef SUPERSETS_H
#define SUPERSETS_H

#include "lists/lists.h"

struct supersets {
    const struct lists *lists;

    // Lists from large to small, equally large ones from the last to the
    // first; without the empty list.
    uint32_t *order;
    size_t order_count;

    // The lists that have each line, from small to large, equally large ones
    // in their order: those of line l are
    // having[begin[l]] to having[begin[l + 1] - 1].
    uint32_t *having;
    uint32_t *begin;

    // Steps so far.
    uint64_t work;
};

// A range of `having` in which to find the next superset.
struct superset_cursor {
    uint32_t next, end;
};

nbstage_status supersets_index(struct context *context,
                               const struct lists *lists,
                               struct supersets *supersets);

// Begins with the first superset of a list that is not empty.
struct superset_cursor supersets_begin(struct supersets *supersets,
                                       uint32_t list);

// The next superset that is not left out, from small to large, or
// LIST_NUMBER_NONE.
uint32_t supersets_next(struct supersets *supersets, uint32_t list,
                        const bool *left_out, struct superset_cursor *cursor);

// The work to allow.  It is enough for every map that is not made to need more,
// or what the context has left.
uint64_t supersets_work_limit(const struct context *context,
                              const struct supersets *supersets);

void supersets_free(struct context *context, struct supersets *supersets);

#endif
