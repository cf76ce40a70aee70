// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the elements of an array of pointers by their addresses, which are
// compared and not followed: a hash table has the number of each.  Before the
// table comes a guess.  Most hosts allocate elements of one size one after
// another, so the distance to an element that was found before mostly tells the
// number.  A guess counts if the array has the pointer there; without guesses
// the lines of ELFBSP take twice the time.

#ifndef POINTERS_H
#define POINTERS_H

#include "base/context.h"
#include "nbstage.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct pointers {
    uint32_t *places; // numbers of elements, from 1, by hash value; or NULL
    unsigned bits;    // there are 2 to the power of this
    double per_byte;  // elements in a byte of memory; 0: guess the last one
};

// An element that was found in the table.  Guesses that are right do not change
// it, so none has to wait for the one before it.
struct pointers_found {
    uintptr_t address;
    uint32_t number;
};

// Makes the table of an array of pointers that are not NULL, for pointers_free.
// Nothing happens if it is made, or if the array is empty.
// NBSTAGE_OUT_OF_MEMORY.
nbstage_status pointers_make(struct context *context,
                             const struct nbstage_array *of,
                             struct pointers *pointers);

void pointers_free(struct context *context, struct pointers *pointers);

// The pointer that an array of pointers has at an index.
static inline const unsigned char *pointers_get(const struct nbstage_array *of,
                                                size_t index)
{
    const unsigned char *pointer;
    memcpy(&pointer, (const unsigned char *)of->data + index * of->stride,
           sizeof pointer);
    return pointer;
}

// The place of an address in the table: that of its element, or an empty one.
// Multiplication spreads addresses that are multiples of a size over the high
// bits.
static inline size_t pointers_find_place(const struct nbstage_array *of,
                                         const struct pointers *pointers,
                                         uintptr_t address)
{
    const size_t mask = ((size_t)1 << pointers->bits) - 1;
    size_t place = (size_t)((uint64_t)address * UINT64_C(0x9E3779B97F4A7C15) >>
                            (64 - pointers->bits));
    while (pointers->places[place] != 0 &&
           (uintptr_t)pointers_get(of, pointers->places[place] - 1) != address)
        place = (place + 1) & mask;
    return place;
}

// Where to begin: at the first element, if there is one.
static inline struct pointers_found
pointers_begin(const struct nbstage_array *of, const struct pointers *pointers)
{
    struct pointers_found found = {0};
    if (pointers->places)
        found.address = (uintptr_t)pointers_get(of, 0);
    return found;
}

// Returns the number of the first element at an address, or `none`.
static inline uint32_t pointers_find(const struct nbstage_array *of,
                                     const struct pointers *pointers,
                                     uintptr_t address, uint32_t none,
                                     struct pointers_found *last)
{
    const double distance =
        (double)(intptr_t)(address - last->address) * pointers->per_byte;
    const int64_t guess = (int64_t)last->number +
                          (int64_t)(distance + (distance < 0 ? -0.5 : 0.5));
    if ((uint64_t)guess < of->count &&
        (uintptr_t)pointers_get(of, (size_t)guess) == address)
        return (uint32_t)guess;
    const size_t place = pointers_find_place(of, pointers, address);
    if (pointers->places[place] == 0)
        return none;
    *last = (struct pointers_found){address, pointers->places[place] - 1};
    return last->number;
}

#endif
