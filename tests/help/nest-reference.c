// SPDX-License-Identifier: GPL-2.0-or-later

#include "nest-reference.h"

#include "buffer.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define NONE LIST_NUMBER_NONE

// Whether a list has all linedefs of another, and more.
static bool contains(const struct lists *lists, size_t outer, size_t inner)
{
    size_t outer_length = list_length(lists, outer);
    size_t inner_length = list_length(lists, inner);
    const uint32_t *in = list_linedefs(lists, inner);
    const uint32_t *out = list_linedefs(lists, outer);
    size_t found = 0;
    if (inner_length >= outer_length)
        return false;
    for (size_t i = 0; i < outer_length && found < inner_length; i++)
        found += out[i] == in[found];
    return found == inner_length;
}

// --- The best ---

struct matching {
    size_t count;
    bool *contains; // whether list o contains list l, at count * l + o
    uint32_t *tail; // of each list
    bool *seen;     // by the search that is on
};

// Finds a list a place as a tail, moving others if need be.
static bool place_list(struct matching *matching, uint32_t list)
{
    for (uint32_t outer = 0; outer < matching->count; outer++) {
        if (matching->seen[outer] ||
            !matching->contains[matching->count * list + outer])
            continue;
        matching->seen[outer] = true;
        if (matching->tail[outer] == NONE ||
            place_list(matching, matching->tail[outer])) {
            matching->tail[outer] = list;
            return true;
        }
    }
    return false;
}

// How many of the lists with at least so many linedefs can be tails.
static size_t count_placed(const struct lists *lists, struct matching *matching,
                           size_t length)
{
    size_t placed = 0;
    for (size_t l = 0; l < matching->count; l++)
        matching->tail[l] = NONE;
    for (uint32_t l = 0; l < matching->count; l++) {
        if (list_length(lists, l) < length)
            continue;
        memset(matching->seen, 0, matching->count * sizeof *matching->seen);
        placed += place_list(matching, l);
    }
    return placed;
}

struct nest_gain nest_reference_best(const struct lists *lists)
{
    const size_t count = lists->list_count;
    struct matching matching = {
        .count = count,
        .contains = allocate_zeros(count * count, sizeof *matching.contains),
        .tail = allocate_zeros(count, sizeof *matching.tail),
        .seen = allocate_zeros(count, sizeof *matching.seen),
    };
    struct nest_gain gain = {0};
    size_t length = 0;
    for (size_t l = 0; l < count; l++) {
        if (list_length(lists, l) > length)
            length = list_length(lists, l);
        for (size_t outer = 0; outer < count; outer++)
            matching.contains[count * l + outer] =
                list_length(lists, l) > 0 && contains(lists, outer, l);
    }
    for (; length > 0; length--) {
        gain.count = count_placed(lists, &matching, length);
        gain.words += gain.count;
    }
    free(matching.contains);
    free(matching.tail);
    free(matching.seen);
    return gain;
}
