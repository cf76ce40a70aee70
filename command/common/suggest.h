// SPDX-License-Identifier: GPL-2.0-or-later
//
// "Did you mean": the word nearest to one that is not known.

#ifndef SUGGEST_H
#define SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

struct suggestion {
    const char *word;    // as it was typed
    size_t length;       // of the part of it that counts
    const char *nearest; // of those offered; NULL if none is near
    size_t distance;     // edits between the two
    bool is_known;       // the word itself was offered, so none is meant
};

// Begins with a word, or the first characters of one.
struct suggestion suggest_begin(const char *word, size_t length);

// Keeps a word that is nearer than those before it.  Words are near with at
// most one edit for four characters, of which the last may be missing; upper
// and lower case are the same.  The nearest is the first that begins as the
// typed word.
void suggest_offer(struct suggestion *suggestion, const char *word);

enum { SUGGEST_SIZE = 64 };

// "; did you mean WORD?" with this text before the word, or "".
const char *suggest_text(const struct suggestion *suggestion,
                         const char *before, char text[SUGGEST_SIZE]);

#endif
