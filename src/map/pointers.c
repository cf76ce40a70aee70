// SPDX-License-Identifier: GPL-2.0-or-later

#include "map/pointers.h"

// The elements in a byte of memory, from two in the middle of the array.  The
// first ones may have other allocations between them.
static double pointers_measure(const struct nbstage_array *of)
{
    const size_t middle = of->count / 2;
    if (of->count < 3)
        return 0;
    const intptr_t step = (intptr_t)((uintptr_t)pointers_get(of, middle) -
                                     (uintptr_t)pointers_get(of, middle - 1));
    // Shorter ones are not of elements in a row, and might overflow a guess.
    return step > -8 && step < 8 ? 0 : 1.0 / (double)step;
}

// At most half of the table is used.
nbstage_status pointers_make(struct context *context,
                             const struct nbstage_array *of,
                             struct pointers *pointers)
{
    const uint64_t least = 2 * (uint64_t)of->count;
    if (pointers->places || least == 0)
        return NBSTAGE_OK;
    for (pointers->bits = 1; least >> pointers->bits != 0;)
        pointers->bits++;
    NEED(context_allocate_zeroed(context, (uint64_t)1 << pointers->bits,
                                 sizeof *pointers->places, &pointers->places));
    pointers->per_byte = pointers_measure(of);
    for (size_t i = 0; i < of->count; i++) {
        const uintptr_t address = (uintptr_t)pointers_get(of, i);
        const size_t place = pointers_find_place(of, pointers, address);
        if (pointers->places[place] == 0)
            pointers->places[place] = (uint32_t)i + 1;
        else // of equal pointers the first counts; a guess may find another
            pointers->per_byte = 0;
    }
    return NBSTAGE_OK;
}

void pointers_free(struct context *context, struct pointers *pointers)
{
    context_release(context, pointers->places);
    pointers->places = NULL;
}
