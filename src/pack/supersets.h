// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which lists have all the linedefs of another, and more.

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
    size_t line_count;

    // Steps taken so far, to hold against a limit: words and lists looked at.
    uint64_t work;
};

// How far the supersets of a list have been walked through: where in
// `having`.
struct superset_cursor {
    uint32_t next, end;
};

nbstage_status supersets_index(struct context *context,
                               const struct lists *lists,
                               struct supersets *supersets);

// Begins a walk through the supersets of a list with linedefs.
struct superset_cursor supersets_begin(struct supersets *supersets,
                                       uint32_t list);

// The same through those that have a linedef besides.
struct superset_cursor supersets_begin_with(const struct supersets *supersets,
                                            uint32_t linedef);

// The next larger one, or LIST_NUMBER_NONE.
uint32_t supersets_next(struct supersets *supersets, uint32_t list,
                        struct superset_cursor *walk);

// Steps that are enough for every map that is not made to need more; fewer
// where the context has not got as many left.
uint64_t supersets_work_limit(const struct context *context,
                              const struct supersets *supersets);

void supersets_free(struct context *context, struct supersets *supersets);

#endif
