// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sentences that are kept to be reported.

#ifndef SENTENCES_H
#define SENTENCES_H

#include <stdbool.h>
#include <stddef.h>

struct sentences {
    char **sentence;
    size_t count;
};

// Keeps a copy; returns false if memory runs out.
bool sentences_add(struct sentences *sentences, const char *sentence);

void sentences_free(struct sentences *sentences);

#endif
