// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "samples.h"

#include <stdlib.h>
#include <time.h>

uint64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void samples_add(struct samples *samples, uint64_t nanoseconds)
{
    samples->nanoseconds[samples->count++] = nanoseconds;
}

void samples_add_since(struct samples *samples, uint64_t start)
{
    samples_add(samples, clock_now() - start);
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

double samples_median(struct samples *samples)
{
    size_t upper = samples->count / 2;
    size_t lower = (samples->count - 1) / 2;
    qsort(samples->nanoseconds, samples->count, sizeof *samples->nanoseconds,
          compare);
    return ((double)samples->nanoseconds[lower] +
            (double)samples->nanoseconds[upper]) /
           2;
}

double samples_spread(const struct samples *samples)
{
    size_t quarter = samples->count / 4;
    return (double)(samples->nanoseconds[samples->count - 1 - quarter] -
                    samples->nanoseconds[quarter]);
}
