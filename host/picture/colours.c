// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "picture/colours.h"

#include <stdio.h>

// For each class its least number.
static const size_t firsts[COLOUR_COUNT] = {0, 1, 2, 3, 5, 8, 12, 18, 30, 60};

size_t colour_of(size_t length)
{
    size_t colour = COLOUR_COUNT - 1;
    while (firsts[colour] > length)
        colour--;
    return colour;
}

void colour_name(size_t colour, char name[COLOUR_NAME_SIZE])
{
    const size_t first = firsts[colour];
    if (colour == COLOUR_COUNT - 1)
        snprintf(name, COLOUR_NAME_SIZE, "%zu+", first);
    else if (firsts[colour + 1] == first + 1)
        snprintf(name, COLOUR_NAME_SIZE, "%zu", first);
    else
        snprintf(name, COLOUR_NAME_SIZE, "%zu-%zu", first,
                 firsts[colour + 1] - 1);
}
