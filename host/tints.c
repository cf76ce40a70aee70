// SPDX-License-Identifier: GPL-2.0-or-later
//
// The colours go in even steps of lightness, in the OKLab space, from 0.965
// down to 0.5, with the hue from 108 to 262 degrees and the chroma from 0.075
// to 0.12.  Lightness alone tells them apart, to the colour-blind and on paper,
// and black lines are still seen on the darkest.

#include "config.h"

#include "tints.h"

#include <stdio.h>

// From the lightest colour to the darkest, so that few classes are light ones.
enum { LEAST_STEPS = 6 };

static const size_t first_length[TINT_COUNT] = {0,  1,   2,   3,   4,   5,  7,
                                                9,  13,  17,  25,  33,  49, 65,
                                                97, 129, 193, 257, 385, 513};

static const char empty_color[] = "#ffffff";

static const char *const ramp[TINT_COUNT - 1] = {
    "#f8f8be", "#e7f2b7", "#d6ecb2", "#c4e6af", "#b2e0ad", "#a0daac", "#8dd3ac",
    "#7accad", "#68c5af", "#55bcb0", "#44b4b2", "#34abb4", "#26a2b5", "#1e98b5",
    "#1d8db4", "#2383b3", "#2b78b0", "#346cac", "#3c61a7"};

size_t tint_of(size_t length)
{
    size_t tint = TINT_COUNT - 1;
    while (first_length[tint] > length)
        tint--;
    return tint;
}

void tint_name(size_t tint, char name[TINT_NAME_SIZE])
{
    size_t first = first_length[tint];
    size_t next = tint + 1 < TINT_COUNT ? first_length[tint + 1] : 0;
    if (next == 0)
        snprintf(name, TINT_NAME_SIZE, "%zu+", first);
    else if (next == first + 1)
        snprintf(name, TINT_NAME_SIZE, "%zu", first);
    else
        snprintf(name, TINT_NAME_SIZE, "%zu-%zu", first, next - 1);
}

const char *tint_color(size_t tint, size_t last)
{
    size_t steps = last > LEAST_STEPS ? last - 1 : LEAST_STEPS;
    return tint == 0 ? empty_color
                     : ramp[(tint - 1) * (TINT_COUNT - 2) / steps];
}
