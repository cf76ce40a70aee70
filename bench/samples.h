// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times of repeated work, and their median.

#ifndef SAMPLES_H
#define SAMPLES_H

#include <stddef.h>
#include <stdint.h>

enum { SAMPLES_MAXIMUM = 21 };

struct samples {
    size_t count; // SAMPLES_MAXIMUM at most
    uint64_t nanoseconds[SAMPLES_MAXIMUM];
};

// Nanoseconds from a moment that does not change.
uint64_t clock_now(void);

void samples_add(struct samples *samples, uint64_t nanoseconds);

// Adds the time since `start`, a result of clock_now().
void samples_add_since(struct samples *samples, uint64_t start);

// In nanoseconds, of one or more samples.  They are sorted by it.
double samples_median(struct samples *samples);

// From the lower to the upper quartile of samples that are sorted.
double samples_spread(const struct samples *samples);

#endif
